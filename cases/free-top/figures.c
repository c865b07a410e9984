/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * moeller-rigid: unknowns of Newton's method for a body (what it does solve for is tested).
 */
#include "cases/free-top/free-top.h"

#include "base/names.h"

#include <math.h>
#include <string.h>

/* 2 (nq + ns) with multipliers on both levels, 2 nq + ns with one, nq + nu without constraints. */
static double unknowns(const struct case_results *r, const struct case_series *s) {
  static const char *const bodies[] = {"affine", "scalable", "quaternion"};
  static const enum mech_rigid_body_kind kinds[] = {
      MECH_RIGID_BODY_AFFINE, MECH_RIGID_BODY_SCALABLE, MECH_RIGID_BODY_QUATERNION};
  char body[CASE_TEXT];
  (void)r;
  case_run_text(s->run, "{body}", body);
  const int kind = base_name_find("body", body, 3, bodies);
  if (kind < 0) {
    return NAN;
  }
  const struct mech_rigid_body any = {
      .kind = kinds[kind], .mass = 1, .Theta = {2, 3, 4}, .length = 1, .speed = 1};
  const int has_one_level = strcmp(s->run->formulation, "consistent-constant") == 0;
  struct base_arena *arena = base_arena_alloc();
  const struct mech *m = mech_rigid_body_build(&any, arena);
  const double n = m->nq + m->nu + (has_one_level ? 1 : 2) * m->ns;
  base_arena_free(arena);
  return n;
}

const struct case_function free_top_functions[] = {{"unknowns", .value = unknowns}, {0}};
