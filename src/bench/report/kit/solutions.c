/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The source "solutions" of studies: a row for each solution of a one-step problem of the suite
 * (suite/suite.h, "problems"), in DIR/solve. Columns are paths into solutions, and
 *
 *   rank      place of the solver in the registry, from 0; those of others, "exec:...", behind it
 *   is_ours   1: a solver of this program, 0: of another one, in a process of its own
 *   chooses   1: it asks others, and ends by one of them
 */
#include <stdlib.h>
#include <string.h>

#include "base/json/folder.h"
#include "base/json/json.h"
#include "base/status.h"
#include "bench/job/key.h"
#include "bench/record/check_fields.h"
#include "bench/report/kit/study.h"
#include "problem/solver.h"

static int rank_of(const char *name) {
  int rank = 0;
  while (rank < problem_solver_count() && strcmp(problem_solver_get(rank)->name, name) != 0) {
    ++rank;
  }
  return rank;
}

static void compute(struct frame *f, const cJSON *solution, char *is_known) {
  static const char *const names[] = {"rank", "is_ours", "chooses"};
  const int rank = rank_of(base_json_text_at(solution, "cell.solver"));
  const struct problem_solver *own =
      rank < problem_solver_count() ? problem_solver_get(rank) : NULL;
  const double values[] = {rank, own != NULL && own->solve == NULL,
                           own != NULL && own->chosen != NULL};
  for (int i = 0; i < 3; ++i) {
    const int column = frame_find(f, names[i]);
    if (column >= 0) {
      is_known[column] = 1;
      *frame_at(f, f->n_rows - 1, column) = frame_number(values[i]);
    }
  }
}

/* A row of a file; none of a solve by hand, which has no cell. */
static int append(struct frame *f, const char *path, char *is_known) {
  cJSON *json = base_json_read_regular(path);
  const int status =
      json != NULL && bench_key_check(json, path) == BASE_OK ? BASE_OK : BASE_E_INPUT;
  if (status == BASE_OK && base_json_at(json, "cell") != NULL) {
    frame_append(f, json, base_json_text_at(json, "cell.id"), is_known);
    compute(f, json, is_known);
  }
  cJSON_Delete(json);
  return status;
}

/* Is it a key of solutions, which none need have, as those of histories? */
static int is_key(const char *name) {
  const struct base_key *key = bench_solution_keys.keys;
  while (key->name != NULL && strcmp(key->name, name) != 0) {
    key = base_key_next(&bench_solution_keys, key);
  }
  return key->name != NULL;
}

void report_append_solutions(struct report *report, struct frame *f, char *is_known) {
  const char *folder = base_arena_printf(report->arena, "%s/solve", report->folder);
  const char **paths;
  const int n = base_json_list(folder, report->arena, &paths);
  report->n_damaged_solutions = 0;
  for (int i = 0; i < n; ++i) { /* none: the suite solved no problems */
    if (append(f, paths[i], is_known) != BASE_OK) {
      frame_leave_out(report->arena, &report->n_damaged_solutions);
    }
  }
  for (int i = 0; i < f->n_columns; ++i) {
    is_known[i] = is_known[i] || is_key(f->columns[i].name);
  }
}
