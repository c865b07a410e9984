/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the cases, by name and as requests; see suite.h. A figure's plan speaks of runs in the
 * words of a case; here they become requests like any other, so that each has its own command.
 */
#include "bench/suite/suite.h"

#include <string.h>

#include "base/names.h"
#include "base/status.h"

const struct case_figure *bench_figure_find(const char *id, const struct case_type **type) {
  const char *names[256];
  int n = 0;
  for (int i = 0; i < case_count(); ++i) {
    for (const struct case_figure *f = case_get(i)->figures; f != NULL && f->id != NULL; ++f) {
      if (strcmp(f->id, id) == 0) {
        *type = case_get(i);
        return f;
      }
      if (n < (int)(sizeof names / sizeof *names)) {
        names[n++] = f->id;
      }
    }
  }
  base_name_find("figure", id, n, names);
  return NULL;
}

const struct case_figure *bench_figure_owner(const struct case_type *type,
                                             const struct case_figure *figure) {
  const struct case_figure *owner = type->figures;
  while (owner != figure && (figure->runs == NULL || owner->runs != figure->runs)) {
    ++owner;
  }
  return owner;
}

const char *bench_figure_cell_id(const struct case_type *type, const struct case_figure *figure,
                                 const struct case_run *run, struct base_arena *arena) {
  const char *owner = bench_figure_owner(type, figure)->id;
  return base_name_clean(base_arena_printf(arena, "%s--%s", owner, run->label), arena);
}

int bench_figure_request(const struct case_type *type, const struct case_run *run,
                         struct base_arena *arena, struct bench_request *request) {
  *request = (struct bench_request){.case_name = base_arena_copy(arena, type->name),
                                    .formulation = base_arena_copy(arena, run->formulation),
                                    .dt = run->dt,
                                    .t_end = run->t_end,
                                    .sample = run->sample,
                                    .is_tight = 1};
  if (run->solver[0] != '\0') {
    request->solver = base_arena_copy(arena, run->solver);
  }
  if (run->search[0] != '\0') {
    request->search = base_arena_copy(arena, run->search);
    request->until[0] = base_arena_copy(arena, run->until);
  }
  const int status = bench_pairs_add(run->set, arena, &request->n_set, request->set);
  return status != BASE_OK ? status
                           : bench_pairs_add(run->opt, arena, &request->n_opt, request->opt);
}
