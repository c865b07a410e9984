/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A slender rod that slides along a floor on its lower end, pointing forward (preclik 4.2):
 * Painleve's paradox. q = (x, y, theta) of its middle, u = qdot, M = diag(m, m, m l^2/12), V = m g
 * y; both ends can touch, s = -1 the lower, s = +1 the upper at the start:
 *
 *   g_N = y + s l/2 sin theta,  w_N = (0, 1, s l/2 cos theta),  w_T = (1, 0, -s l/2 sin theta)
 *
 * At the start the lower end touches and moves by (-v0, 0), so that b = (0, -v0) and
 *
 *   A = (1/m) [1 + 3 cos^2, -3 sin cos; -3 sin cos, 1 + 3 sin^2]
 *
 * (the normal first; the matrix printed in the source has the tangent first). In space the third
 * direction has A_oo = 4/m: the arm l/2 is across a force along o whatever theta, which adds
 * (l/2)^2/(m l^2/12) = 3/m to 1/m. The source prints 1 + 3 cos^2 2 theta. A sliding contact has
 * a finite force where mu < mu_*(theta) = (cos + 1/(3 cos))/sin; from there on only an impact keeps
 * the rod out of the floor, the one that stops the end: (m v0/8)(3 sin 2 theta, 5 + 3 cos 2 theta).
 * Other than in the source the rod may turn at the start (omega0); its middle moves along, so that
 * the velocity of the end is the same.
 */
#include "cases/painleve-rod/painleve-rod.h"

#include "base/status.h"

#include <math.h>

struct rod {
  double m, l, g, mu; /* [kg], [m], [m/s^2], [-] */
};

static void rod_mass(const struct mech *m, const double *q, double *M) {
  const struct rod *p = m->data;
  (void)q;
  for (int k = 0; k < 9; ++k) {
    M[k] = 0;
  }
  M[0] = M[4] = p->m;
  M[8] = p->m * p->l * p->l / 12;
}

static void rod_force(const struct mech *m, const double *q, const double *u, double t, double *h) {
  const struct rod *p = m->data;
  (void)q, (void)u, (void)t;
  h[0] = h[2] = 0;
  h[1] = -p->m * p->g;
}

static double rod_potential(const struct mech *m, const double *q) {
  const struct rod *p = m->data;
  return p->m * p->g * q[1];
}

static void rod_gradient(const struct mech *m, const double *q, double *dV) {
  const struct rod *p = m->data;
  (void)q;
  dV[0] = dV[2] = 0;
  dV[1] = p->m * p->g;
}

static void rod_contacts(const struct mech *m, const double *q, const double *u, double reach,
                         struct mech_contacts *out) {
  const struct rod *p = m->data;
  for (int end = 0; end < 2; ++end) {
    const double arm = (end == 0 ? -0.5 : 0.5) * p->l, c = arm * cos(q[2]), s = arm * sin(q[2]);
    if (q[1] + s > reach) {
      continue;
    }
    const int i = mech_contacts_push(out);
    double *W = mech_contacts_block(out, i, 0);
    out->id[i] = end;
    out->gN[i] = q[1] + s;
    out->mu[i] = p->mu;
    out->body[2 * i] = 0;
    W[1] = 1; /* w_N = (0, 1, c) */
    W[2] = c;
    W[3] = 1; /* w_T = (1, 0, -s) */
    W[5] = -s;
    if (u != NULL) {
      out->bias[2 * i] = -s * u[2] * u[2];
      out->bias[2 * i + 1] = -c * u[2] * u[2];
    }
  }
}

static void rod_slips(const struct mech *m, const struct mech_contacts *at_a, const double *a,
                      const double *b, double *s) {
  const struct rod *p = m->data;
  for (int i = 0; i < at_a->n; ++i) {
    const double arm = (at_a->id[i] == 0 ? -0.5 : 0.5) * p->l;
    s[2 * i] = b[1] + arm * sin(b[2]) - a[1] - arm * sin(a[2]);
    s[2 * i + 1] = b[0] + arm * cos(b[2]) - a[0] - arm * cos(a[2]);
  }
}

static const struct mech_ops rod_ops = {.mass = rod_mass,
                                        .force = rod_force,
                                        .potential = rod_potential,
                                        .potential_gradient = rod_gradient,
                                        .contacts = rod_contacts,
                                        .slips = rod_slips,
                                        .consistent.discrete_potential =
                                            mech_discrete_potential_linear};
static const char *const rod_q_names[] = {"x", "y", "theta"};
static const char *const rod_u_names[] = {"vx", "vy", "omega"};

static int rod_build(const struct case_parameters *p, struct base_arena *arena,
                     struct case_instance *out) {
  struct rod *data = base_arena_push(arena, sizeof *data);
  *data = (struct rod){.m = case_real(p, "m"),
                       .l = case_real(p, "l"),
                       .g = case_real(p, "g"),
                       .mu = case_real(p, "mu")};
  const double theta = case_real(p, "theta0"), v0 = case_real(p, "v0");
  const double omega = case_real(p, "omega0");
  if (!(theta < 0.5 * M_PI)) {
    return base_fail(BASE_E_INPUT, "painleve-rod: theta0 = %.17g must be below a right angle",
                     theta);
  }
  struct mech *m = case_model("painleve-rod", &rod_ops, data, 3, 3, 2, arena, out);
  m->constant_mass = 1;
  m->q_names = rod_q_names;
  m->u_names = rod_u_names;
  m->length = data->l;
  m->speed = v0 + fabs(omega) * data->l + sqrt(data->g * data->l);
  out->q[0] = 0.5 * data->l * cos(theta);
  out->q[1] = 0.5 * data->l * sin(theta);
  out->q[2] = theta;
  out->u[0] = -v0 - 0.5 * data->l * sin(theta) * omega;
  out->u[1] = 0.5 * data->l * cos(theta) * omega;
  out->u[2] = omega;
  out->one_contact = 1;
  return BASE_OK;
}

static const struct case_function *const functions[] = {painleve_rod_functions, NULL};

const struct case_type case_painleve_rod = {
    .name = "painleve-rod",
    .summary = "a rod sliding on its end into Painleve's paradox: an impact without collision",
    .source = "preclik 4.2",
    .build = rod_build,
    .functions = functions};
