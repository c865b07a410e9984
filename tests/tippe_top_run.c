/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See tippe_top_run.h.
 */
#include "tests/tippe_top_run.h"

#include "la/dense.h"
#include "tests/case_model.h"
#include "tests/test.h"

static const double c[2] = {0.003, 0.016}, r[2] = {0.015, 0.005}; /* of the two spheres [m] */

void tippe_top_rotate(const double *A, const double x[3], double out[3]) {
  const double *a = A + 1;
  const double t[3] = {2 * (a[1] * x[2] - a[2] * x[1]), 2 * (a[2] * x[0] - a[0] * x[2]),
                       2 * (a[0] * x[1] - a[1] * x[0])};
  out[0] = x[0] + A[0] * t[0] + a[1] * t[2] - a[2] * t[1];
  out[1] = x[1] + A[0] * t[1] + a[2] * t[0] - a[0] * t[2];
  out[2] = x[2] + A[0] * t[2] + a[0] * t[1] - a[1] * t[0];
}

/* L . r_CS1 about the centre of mass, first sphere. */
static double jellett(const double *q, const double *u) {
  const double L[3] = {8e-7 * u[3], 8e-7 * u[4], 7e-7 * u[5]}, e_3[3] = {0, 0, 1};
  double e[3], L_world[3];
  tippe_top_rotate(q + 3, e_3, e);
  tippe_top_rotate(q + 3, L, L_world);
  return c[0] * la_dot(3, L_world, e) - r[0] * L_world[2];
}

static int look(const struct mech *m, const struct form_state *s, const struct form_report *report,
                void *context) {
  struct tippe_top_run *w = context;
  const double *a = s->q + 3, *u = s->u;
  const double cosine = a[0] * a[0] + a[3] * a[3] - a[1] * a[1] - a[2] * a[2];
  const double inclination = acos(fmax(-1, fmin(1, cosine)));
  const double energy = mech_energy(m, s->q, u, test_arena());
  const double h = 1e-7 * u[5] * hypot(u[3], u[4]);
  w->jellett[w->steps > 0] = jellett(s->q, u);
  for (int k = 0; k < 2; ++k) {
    const double gap = s->q[2] + c[k] * cosine - r[k];
    w->loss[k] += w->steps > 0 && w->gap[k] <= 0 ? fmax(0, w->gap[k] - gap) : 0;
    w->deepest = fmax(w->deepest, -gap);
    w->gap[k] = gap;
  }
  if (w->steps > 0) {
    w->rise = fmax(w->rise, energy - w->energy);
    w->excess = fmax(w->excess, energy - w->energy - w->gain);
  }
  w->energy = energy;
  w->gain = 0.5 * w->dt * w->dt * h * h / 8e-7;
  w->stretch = fmax(w->stretch, fabs(la_norm2(4, a) - 1));
  w->highest = fmax(w->highest, inclination);
  w->first = isnan(w->first) && inclination > 3 ? s->t : w->first;
  w->friction = fmax(w->friction, report->work.friction);
  w->residual = fmax(w->residual, report->residual.relative_max);
  w->unconverged += report->unconverged;
  ++w->steps;
  la_copy(TIPPE_TOP_Q, s->q, w->q);
  return 0;
}

struct tippe_top_run tippe_top_run(const char *formulation, const char *set, double dt,
                                   double t_end) {
  struct tippe_top_run w = {.first = NAN, .rise = -INFINITY, .excess = -INFINITY, .dt = dt};
  CHECK_OK(case_model_run("tippe-top", set, formulation, dt, t_end, look, &w));
  CHECK_INT(w.unconverged, 0);
  return w;
}
