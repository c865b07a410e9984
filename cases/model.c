/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Models in few coordinates; see case.h.
 */
#include "cases/case.h"

struct mech *case_model(const char *name, const struct mech_ops *ops, void *data, int nq, int nu,
                        int dim, struct base_arena *arena, struct case_instance *out) {
  out->mech = base_arena_push(arena, sizeof *out->mech);
  *out->mech = (struct mech){.name = name,
                             .ops = ops,
                             .data = data,
                             .nq = nq,
                             .nu = nu,
                             .dim = dim,
                             .nb = 1,
                             .nv = nu,
                             .nq_out = nq,
                             .nu_out = nu};
  out->q = base_arena_doubles(arena, nq);
  out->u = base_arena_doubles(arena, nu);
  return out->mech;
}
