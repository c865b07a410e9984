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

static void read_velocities(struct report_solved *s, const cJSON *json, struct base_arena *arena) {
  const cJSON *v = base_json_at(json, "v"), *item;
  s->v = base_arena_doubles(arena, cJSON_IsArray(v) ? cJSON_GetArraySize(v) : 0);
  cJSON_ArrayForEach(item, v) { s->v[s->nv++] = cJSON_IsNumber(item) ? item->valuedouble : NAN; }
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
  read_velocities(s, json, arena);
  s->status = base_arena_copy(arena, base_json_text_at(json, "status"));
  ++p->n;
  cJSON_Delete(json);
  return BASE_OK;
}

static int compare(const void *x, const void *y) {
  const struct report_solved *a = x, *b = y;
  const int set = strcmp(a->set, b->set), law = strcmp(a->law, b->law);
  const int problem = strcmp(a->problem, b->problem);
  return set != 0       ? set
         : law != 0     ? law
         : problem != 0 ? problem
                        : strcmp(a->solver, b->solver);
}

int report_solutions_load(struct report *report, struct report_solutions *p) {
  int n_damaged = 0; /* counted where studies read them (kit/solutions.c) */
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
      report_leave_out(p->report, &n_damaged);
    }
    free(entries[i]);
  }
  free(entries);
  if (p->n > 0) {
    qsort(p->all, (size_t)p->n, sizeof *p->all, compare);
  }
  return BASE_OK;
}
