/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a suite would do, said beforehand: how many cells and for how long; on request each of them,
 * with the command that makes it alone, or what all of them take, and nothing is run. And the
 * references that cells share, made before any of them: cells that share one are told by what
 * decides it (reference/motion.h), and the first of them stands for all.
 */
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/bytes/hash.h"
#include "base/json/json.h"
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

/* Records that are there tell what those to come will be like: of so many at most. */
enum { LOOKED_AT_MAX = 1000 };
/* And where there are none: records of small systems, as suite `quick` has them [bytes]. */
static const double RECORD_SIZE = 17e3, PROCESS_SIZE = 25e6;

static void print_size(const char *what, double bytes) {
  static const char *const units[] = {"kB", "MB", "GB", "TB"};
  int unit = 0;
  for (bytes /= 1000; bytes >= 1000 && unit < 3; bytes /= 1000) {
    ++unit;
  }
  printf("%-16s%.3g %s", what, bytes, units[unit]);
}

int bench_suite_estimate(const struct bench_suite *suite, const struct bench_options *options,
                         struct base_arena *arena) {
  double seconds = 0, size = 0, memory = 0;
  int n = 0, n_there = 0, n_looked_at = 0;
  for (int i = 0; i < suite->n; ++i) {
    const struct bench_cell *cell = &suite->cells[i];
    const struct base_arena_mark mark = base_arena_mark(arena);
    const char *path = base_arena_printf(arena, "%s/%s.json", options->folder, cell->place.id);
    struct stat info;
    int kept;
    if (bench_resume_reason(cell, path, arena, &kept) != NULL) {
      seconds += bench_cell_seconds(cell);
      ++n;
    } else if (n_there++ % (suite->n / LOOKED_AT_MAX + 1) == 0 && stat(path, &info) == 0) {
      cJSON *record = base_json_read(path);
      memory = fmax(memory, base_json_real_at(record, "timing.peak_memory_bytes"));
      size += (double)info.st_size;
      ++n_looked_at;
      cJSON_Delete(record);
    }
    base_arena_release(arena, mark);
  }
  char text[BENCH_DURATION_SIZE], passing[BENCH_DURATION_SIZE];
  printf("cells           %d of %d\n", n, suite->n);
  printf("processor time  about %s, %s of %d processes; references of `event` not counted\n",
         bench_duration(seconds, text), bench_duration(seconds / options->jobs, passing),
         options->jobs);
  const char *basis = n_looked_at > 0 ? "as the records that are there"
                                      : "as of small systems; large ones are not known beforehand";
  print_size("memory", n_looked_at > 0 ? memory : PROCESS_SIZE);
  printf(" a process, %s\n", basis);
  print_size("disk", n * (n_looked_at > 0 ? size / n_looked_at : RECORD_SIZE));
  printf(" of records, %s\n", basis);
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
