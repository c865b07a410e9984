/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a suite would do, said beforehand: how many cells and for how long; on request each of them,
 * with the command that makes it alone, and nothing is run.
 */
#include <stdio.h>

#include "base/status.h"
#include "base/text.h"
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
