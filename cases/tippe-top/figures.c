/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * moeller-3.11: the boundary of the set B_F. moeller-6.23, tippe-top-scalable: inclinations phi =
 * acos(n . R n) are compared as their curves are drawn (case_drawn_distance): where the top rises,
 * a shift in time is a large difference of angles.
 */
#include "cases/tippe-top/tippe-top.h"

#include "cases/figure/series.h"
#include "contact/contensou.h"

#include <math.h>

enum { NQ = 7 };

static const double *inclination(const struct case_series *s, struct base_arena *arena) {
  double *phi = base_arena_doubles(arena, s->n);
  for (int k = 0; k < s->n; ++k) {
    const double *a = s->q + (size_t)NQ * (size_t)k + 3;
    const double cosine = a[0] * a[0] + a[3] * a[3] - a[1] * a[1] - a[2] * a[2];
    phi[k] = isnan(cosine) ? NAN : acos(fmax(-1, fmin(1, cosine)));
  }
  return phi;
}

/* From the run beside, a fraction of the panel. */
static double drawn_distance(const struct case_results *r, const struct case_series *s, int k) {
  struct base_arena *arena = base_arena_alloc();
  const double *own = inclination(s, arena), *other = inclination(r->against, arena);
  const double distance = r->against->n == s->n ? case_drawn_distance(s->n, s->t, own, other) : NAN;
  (void)k;
  base_arena_free(arena);
  return distance;
}

/* Of B_F at u = |gamma_T| / (R |gamma_tau|), over mu r_N; the torque over R_bar mu r_N. */
static double boundary_force(const struct case_parameters *p, const double *u) {
  double force, torque;
  (void)p;
  contact_contensou_boundary(u[0], &force, &torque);
  return force;
}

static double boundary_torque(const struct case_parameters *p, const double *u) {
  double force, torque;
  (void)p;
  contact_contensou_boundary(u[0], &force, &torque);
  return torque;
}

const struct case_function tippe_top_functions[] = {
    {"drawn_distance", .value = drawn_distance},
    {"boundary_force", .formula = boundary_force, .n_numbers = 1},
    {"boundary_torque", .formula = boundary_torque, .n_numbers = 1},
    {0}};
