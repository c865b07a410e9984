/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a suite would do, said beforehand: how many cells and for how long; on request each of them,
 * with the command that makes it alone, and nothing is run. And the references that cells share,
 * made before any of them: cells that share one are told by what decides it (reference/motion.h),
 * and the first of them stands for all.
 */
#include <math.h>
#include <stdio.h>

#include "base/bytes/hash.h"
#include "base/status.h"
#include "base/text.h"
#include "bench/reference/reference.h"
#include "bench/suite/bench.h"
#include "bench/suite/progress.h"
#include "bench/suite/resume.h"

void bench_suite_announce(const struct bench_suite *suite, int jobs) {
  char text[BENCH_DURATION_SIZE];
  printf("suite %s: %d cells, %d figures", suite->name, suite->n, suite->n_figures);
  if (suite->cost > 0 && !suite->is_shard) {
    printf("; about %s by %d processes (measured: %.0f s of one processor)",
           bench_duration(suite->cost / jobs, text), jobs, suite->cost);
  }
  printf("\n");
  fflush(stdout);
}

int bench_suite_list(const struct bench_suite *suite, const struct bench_options *options,
                     struct base_arena *arena, int *n) {
  double seconds = 0;
  *n = 0;
  for (int i = 0; i < suite->n; ++i) {
    const struct bench_cell *cell = &suite->cells[i];
    const struct base_arena_mark mark = base_arena_mark(arena);
    const char *path = base_arena_printf(arena, "%s/%s.json", options->folder, cell->place.id);
    int kept;
    if (!options->resume || bench_resume_reason(cell, path, arena, &kept) != NULL) {
      struct bench_job job;
      const int status =
          cell->solve == NULL ? bench_job_resolve(&cell->request, arena, &job) : BASE_OK;
      if (status != BASE_OK) {
        return status;
      }
      printf("%s  %s\n", cell->place.id,
             base_text_clean(cell->solve != NULL ? bench_solve_command(cell->solve, arena)
                                                 : job.command,
                             arena));
      seconds += bench_cell_seconds(cell);
      ++*n;
    }
    base_arena_release(arena, mark);
  }
  char text[BENCH_DURATION_SIZE];
  printf("%d of %d cells would be run; estimated, without references: about %s of one processor\n",
         *n, suite->n, bench_duration(seconds, text));
  return BASE_OK;
}

/* The longer of two time limits; 0: none. */
static double longer_limit(double a, double b) { return a > 0 && b > 0 ? fmax(a, b) : 0; }

int bench_suite_references(struct bench_suite *suite, struct base_arena *arena) {
  uint64_t *made = base_arena_push(arena, (size_t)suite->n * sizeof *made);
  int n = 0;
  for (int i = 0; i < suite->n; ++i) {
    struct bench_cell *cell = &suite->cells[i];
    const struct base_arena_mark mark = base_arena_mark(arena);
    struct bench_job job;
    if (cell->solve != NULL || cell->is_unsupported) {
      continue;
    }
    const int status = bench_job_resolve(&cell->request, arena, &job);
    const char *key = status == BASE_OK ? bench_reference_key(&job, arena) : NULL;
    const uint64_t hash = key != NULL ? base_hash_text(BASE_HASH_EMPTY, key) : 0;
    base_arena_release(arena, mark);
    if (status != BASE_OK) {
      return status;
    }
    int k = key != NULL ? 0 : n;
    while (k < n && made[k] != hash) {
      ++k;
    }
    if (k < n) {
      suite->cells[k].request.time_limit =
          longer_limit(suite->cells[k].request.time_limit, cell->request.time_limit);
    } else if (key != NULL) {
      made[n] = hash;
      suite->cells[n] = *cell;
      suite->cells[n++].is_free = 1;
    }
  }
  suite->n = n;
  suite->is_shard = 1;
  return BASE_OK;
}

int bench_suite_keep_reference(const struct bench_request *request, int *status) {
  struct base_arena *arena = base_arena_alloc();
  struct bench_job job;
  const int result = bench_job_resolve(request, arena, &job);
  const int kept = result == BASE_OK ? bench_reference_keep(&job, arena) : result;
  base_arena_free(arena);
  *status = kept > 0 ? kept : BASE_OK;
  return kept < 0 ? kept : BASE_OK;
}
