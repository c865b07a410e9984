/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is known of Painleve's rod without a run: the limit of the paradox, and the same rod as a
 * body in space.
 */
#include "cases/painleve-rod/painleve-rod.h"

#include "base/memory/arena.h"
#include "base/status.h"
#include "cases/body_kit.h"
#include "la/dense.h"
#include "mech/mech.h"

#include <math.h>

double painleve_rod_limit(double theta) { return (cos(theta) + 1 / (3 * cos(theta))) / sin(theta); }

int painleve_rod_in_space(double theta, struct base_arena *arena, struct case_instance *out) {
  const double s = sin(theta), c = cos(theta), I = 1.0 / 12; /* about its axis nothing turns it */
  struct mech_assembly *a = body_plane_begin("painleve-rod", MECH_SPATIAL, 0, 0, 0, arena);
  mech_assembly_body(a, &(struct mech_body){.name = "rod",
                                            .mass = 1,
                                            .inertia = {I, I, I},
                                            .position = {0.5 * c, 0, 0.5 * s},
                                            .orientation = {cos(theta / 2), 0, -sin(theta / 2)}});
  mech_assembly_shape(a, &(struct mech_shape){.kind = MECH_SHAPE_POINT, .offset = {-0.5}});
  return body_finish(a, BASE_OK, out, NULL);
}

/* m A_oo of the rod in space: A_NN + A_tt = 5/m, and the trace does not depend on the tangents. */
static double across(const struct case_parameters *p, const double *theta) {
  struct base_arena *arena = base_arena_alloc();
  struct case_instance rod = {0};
  double trace = NAN;
  (void)p;
  if (painleve_rod_in_space(*theta, arena, &rod) == BASE_OK) {
    const struct mech *m = rod.mech;
    double *L = base_arena_push(arena, mech_mass_size(m) * sizeof(double));
    double *W = base_arena_matrix(arena, m->nu, 3), *MW = base_arena_matrix(arena, m->nu, 3);
    struct mech_contacts c;
    mech_contacts_init(&c, m, arena);
    mech_contacts_find(m, rod.q, NULL, 1e-12, &c);
    if (c.n == 1 && mech_mass_factor(m, rod.q, L) == BASE_OK) {
      mech_contacts_add_columns(&c, 0, W);
      la_copy(3L * m->nu, W, MW);
      mech_mass_solve(m, L, 3, MW);
      trace = la_dot(3 * m->nu, W, MW);
    }
  }
  base_arena_free(arena);
  return trace - 5;
}

const struct case_function painleve_rod_functions[] = {
    {"across", .formula = across, .n_numbers = 1}, {0}};
