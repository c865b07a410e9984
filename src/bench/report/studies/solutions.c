/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Solutions of a suite's one-step problems, read from DIR/solve; see solutions.h.
 */
#include "bench/report/studies/solutions.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "bench/job/key.h"
#include "problem/solver.h"

static void read_velocities(struct report_solved *s, const cJSON *json, struct base_arena *arena) {
  const cJSON *v = base_json_at(json, "v"), *item;
  s->v = base_arena_doubles(arena, cJSON_IsArray(v) ? cJSON_GetArraySize(v) : 0);
  cJSON_ArrayForEach(item, v) { s->v[s->nv++] = cJSON_IsNumber(item) ? item->valuedouble : NAN; }
}

static void read_history(struct report_solved *s, const cJSON *json, struct base_arena *arena) {
  static const char *const columns[] = {"history.iteration", "history.residual",
                                        "history.timing_s"};
  const cJSON *list = base_json_at(json, columns[0]), *item;
  const int n = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : 0;
  s->checks = base_arena_matrix(arena, 3, n);
  s->n_checks = n;
  for (int k = 0; k < 3; ++k) {
    int i = 0;
    cJSON_ArrayForEach(item, base_json_at(json, columns[k])) {
      if (i < n) {
        s->checks[3L * i++ + k] = cJSON_IsNumber(item) ? item->valuedouble : NAN;
      }
    }
    s->n_checks = i < s->n_checks ? i : s->n_checks;
  }
}

static int load_one(struct report_solutions *p, const char *folder, const char *file_name) {
  struct base_arena *arena = p->report->arena;
  const char *path = base_arena_printf(arena, "%s/%s", folder, file_name);
  cJSON *json = base_json_read_regular(path);
  if (json == NULL || bench_key_check(json, path) != BASE_OK) {
    cJSON_Delete(json);
    return BASE_E_INPUT;
  }
  if (base_json_at(json, "cell") == NULL) { /* of a solve by hand */
    cJSON_Delete(json);
    return BASE_OK;
  }
  struct report_solved *s = &p->all[p->n];
  *s = (struct report_solved){
      .set = base_name_clean(base_json_text_at(json, "cell.label"), arena),
      .problem = base_name_clean(base_json_text_at(json, "cell.swept.problem"), arena),
      .law = base_name_clean(base_json_text_at(json, "cell.swept.law"), arena),
      .solver = base_name_clean(base_json_text_at(json, "cell.solver"), arena)};
  s->residual = base_json_real_at(json, "residual.relative_free");
  s->tol = base_json_real_at(json, "solver.options.tol");
  s->scale =
      base_json_real_at(json, "residual.absolute") / base_json_real_at(json, "residual.relative_b");
  s->is_solved = s->residual <= s->tol;
  read_velocities(s, json, arena);
  read_history(s, json, arena);
  s->time = base_json_real_at(json, "timing.solve_s");
  s->status = base_arena_copy(arena, base_json_text_at(json, "status"));
  s->reason = base_arena_copy(arena, base_json_text_at(json, "reason"));
  ++p->n;
  cJSON_Delete(json);
  return BASE_OK;
}

const char *report_solver_name(const struct report *report, int rank) {
  const int own = problem_solver_count();
  return rank < own ? problem_solver_get(rank)->name : report->guests[rank - own];
}

static int compare(const void *x, const void *y) {
  const struct report_solved *a = x, *b = y;
  const int set = strcmp(a->set, b->set), law = strcmp(a->law, b->law);
  const int problem = strcmp(a->problem, b->problem);
  return set != 0 ? set : law != 0 ? law : problem != 0 ? problem : a->rank - b->rank;
}

/* Solvers of the registry keep its order; the others are the report's guests, by name. */
static void rank_solvers(struct report_solutions *p) {
  struct report *report = p->report;
  const int own = problem_solver_count();
  report->n_guests = 0;
  report->guests = base_arena_array(report->arena, (size_t)p->n, 1, sizeof *report->guests);
  for (int pass = 0; pass < 2; ++pass) { /* who is a guest; their places */
    for (int i = 0; i < p->n; ++i) {
      struct report_solved *s = &p->all[i];
      for (s->rank = 0; s->rank < own + report->n_guests; ++s->rank) {
        if (strcmp(report_solver_name(report, s->rank), s->solver) == 0) {
          break;
        }
      }
      if (s->rank == own + report->n_guests) {
        report->guests[report->n_guests++] = s->solver;
      }
    }
    base_names_sort(report->n_guests, report->guests);
  }
}

int report_solutions_load(struct report *report, struct report_solutions *p) {
  *p = (struct report_solutions){.report = report};
  const char *folder = base_arena_printf(p->report->arena, "%s/solve", p->report->folder);
  struct dirent **entries;
  const int n = scandir(folder, &entries, base_json_is_name, alphasort);
  if (n < 0) {
    return BASE_OK; /* the suite solved no problems */
  }
  p->all = base_arena_push(p->report->arena, (size_t)(n + 1) * sizeof *p->all);
  for (int i = 0; i < n; ++i) {
    if (load_one(p, folder, entries[i]->d_name) != BASE_OK) {
      report_leave_out(p->report);
    }
    free(entries[i]);
  }
  free(entries);
  if (p->n > 0) {
    rank_solvers(p);
    qsort(p->all, (size_t)p->n, sizeof *p->all, compare);
  }
  return BASE_OK;
}

int report_solutions_same(const struct report_solved *a, const struct report_solved *b) {
  return strcmp(a->set, b->set) == 0 && strcmp(a->law, b->law) == 0;
}
