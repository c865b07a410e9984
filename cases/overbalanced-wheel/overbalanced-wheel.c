/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A wheel with n levers, point masses on massless rods hinged at its rim, each held between a
 * tangential and a radial stop: no perpetual motion (moeller 6.3).
 *
 *   q = (phi, x_1 .. x_n, y_1 .. y_n), u = qdot, M = diag(theta, m .. m)         (6.23 to 6.25)
 *   V     = m g sum y_i                                                          (6.27)
 *   g_Si  = ((x_i - a cos b_i)^2 + (y_i - a sin b_i)^2 - l^2) / 2,  b_i = phi + alpha_i  (6.28)
 *   g_N1i = x_i cos b_i + y_i sin b_i - a,   g_N2i = -x_i sin b_i + y_i cos b_i  (6.29)
 *
 * Biases are the second time derivatives at constant u. Contact ids: 2 (i-1) for g_N1i and
 * 2 (i-1) + 1 for g_N2i.
 *
 * Discrete derivatives: the source evaluates Gonzalez' formula (5.19) on all of q. Here the product
 * rule is applied to x_i cos b_i and its like: with means over a and b, their mean angle and
 * half-difference d,
 *   D(x cos b)/Dx = mean of cos b,   D(x cos b)/Dphi = -(mean of x) sin(mean b) sin(d)/d,
 * which satisfies directionality (5.15) exactly too, differs from (5.19) in second order only,
 * divides by no small distance, and touches the three coordinates of the lever alone.
 */
#include "cases/case.h"

#include "base/status.h"
#include "cases/overbalanced-wheel/figures.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct wheel {
  int n;
  double l, m, a, theta, g, eps; /* [m], [kg], [m], [kg m^2], [m/s^2], [-] */
};

/* One lever: its place in the wheel's frame, where "radial" points to its hinge. */
struct lever {
  int x, y;      /* of its coordinates in q */
  double c, s;   /* cos b, sin b */
  double r, t;   /* radial and tangential component of its position [m] */
  double vr, vt; /* of its velocity, as seen from outside [m/s]; 0 without u */
  double rate;   /* phidot [rad/s] */
};

static struct lever wheel_lever(const struct wheel *p, int i, const double *q, const double *u) {
  const double b = q[0] + 2 * M_PI * i / p->n; /* (6.22) */
  struct lever e = {.x = 1 + i, .y = 1 + p->n + i, .c = cos(b), .s = sin(b)};
  e.r = q[e.x] * e.c + q[e.y] * e.s;
  e.t = -q[e.x] * e.s + q[e.y] * e.c;
  if (u != NULL) {
    e.vr = u[e.x] * e.c + u[e.y] * e.s;
    e.vt = -u[e.x] * e.s + u[e.y] * e.c;
    e.rate = u[0];
  }
  return e;
}

static void wheel_mass(const struct mech *m, const double *q, double *M) {
  const struct wheel *p = m->data;
  (void)q;
  memset(M, 0, (size_t)m->nu * (size_t)m->nu * sizeof *M);
  M[0] = p->theta;
  for (int j = 1; j < m->nu; ++j) {
    M[j * m->nu + j] = p->m;
  }
}

static double wheel_potential(const struct mech *m, const double *q) {
  const struct wheel *p = m->data;
  double sum = 0;
  for (int i = 0; i < p->n; ++i) {
    sum += q[1 + p->n + i];
  }
  return p->m * p->g * sum;
}

static void wheel_gradient(const struct mech *m, const double *q, double *dV) {
  const struct wheel *p = m->data;
  (void)q;
  for (int j = 0; j < m->nq; ++j) {
    dV[j] = j > p->n ? p->m * p->g : 0;
  }
}

static void wheel_force(const struct mech *m, const double *q, const double *u, double t,
                        double *h) {
  const struct wheel *p = m->data;
  (void)q, (void)u, (void)t;
  for (int j = 0; j < m->nu; ++j) {
    h[j] = j > p->n ? -p->m * p->g : 0;
  }
}

static void wheel_bilateral(const struct mech *m, const double *q, double *gS) {
  const struct wheel *p = m->data;
  for (int i = 0; i < p->n; ++i) {
    const struct lever e = wheel_lever(p, i, q, NULL);
    const double dx = q[e.x] - p->a * e.c, dy = q[e.y] - p->a * e.s;
    gS[i] = 0.5 * (dx * dx + dy * dy - p->l * p->l);
  }
}

/* (6.30) */
static void wheel_directions(const struct mech *m, const double *q, double *WS) {
  const struct wheel *p = m->data;
  memset(WS, 0, (size_t)m->nu * (size_t)m->ns * sizeof *WS);
  for (int i = 0; i < p->n; ++i) {
    const struct lever e = wheel_lever(p, i, q, NULL);
    double *w = WS + i * m->nu;
    w[0] = -p->a * e.t;
    w[e.x] = q[e.x] - p->a * e.c;
    w[e.y] = q[e.y] - p->a * e.s;
  }
}

static void wheel_bilateral_bias(const struct mech *m, const double *q, const double *u,
                                 double *bias) {
  const struct wheel *p = m->data;
  for (int i = 0; i < p->n; ++i) {
    const struct lever e = wheel_lever(p, i, q, u);
    bias[i] = e.vr * e.vr + e.vt * e.vt - 2 * p->a * e.rate * e.vt + p->a * e.rate * e.rate * e.r;
  }
}

static void wheel_push(struct mech_contacts *out, const struct wheel *p, const struct lever *e,
                       int id, int with_bias) {
  const int i = mech_contacts_push(out), radial = id % 2;
  double *w = mech_contacts_block(out, i, 0);
  out->id[i] = id;
  out->gN[i] = radial ? e->t : e->r - p->a;
  out->eps_N[i] = p->eps;
  out->body[2 * i] = 0;
  w[0] = radial ? -e->r : e->t; /* (6.33) */
  w[e->x] = radial ? -e->s : e->c;
  w[e->y] = radial ? e->c : e->s;
  if (with_bias) {
    out->bias[i] = radial ? -2 * e->rate * e->vr - e->rate * e->rate * e->t
                          : 2 * e->rate * e->vt - e->rate * e->rate * e->r;
  }
}

static void wheel_contacts(const struct mech *m, const double *q, const double *u, double reach,
                           struct mech_contacts *out) {
  const struct wheel *p = m->data;
  for (int i = 0; i < p->n; ++i) {
    const struct lever e = wheel_lever(p, i, q, u);
    if (e.r - p->a <= reach) {
      wheel_push(out, p, &e, 2 * i, u != NULL);
    }
    if (e.t <= reach) {
      wheel_push(out, p, &e, 2 * i + 1, u != NULL);
    }
  }
}

/* ---- discrete derivatives ---- */

/* Means between two configurations a and b of what one lever needs. */
struct between {
  int x, y;
  double X, Y;   /* mean position */
  double C, S;   /* means of cos b and sin b: D(x cos b)/Dx, D(x sin b)/Dx */
  double dC, dS; /* D(cos b)/Dphi, D(sin b)/Dphi */
  /* How C, S, dC and dS change with phi at the end point. */
  double C_b, S_b, dC_b, dS_b;
};

/* Below this angle the derivative of sin(x)/x is taken from its series, whose first term left out,
 * x^7 / 45360, is below round-off there; its closed form loses 1/x digits. */
static const double WHEEL_SERIES = 1e-2;

static double sinc_slope(double x) {
  const double x2 = x * x;
  return fabs(x) < WHEEL_SERIES ? x * (-1.0 / 3 + x2 * (1.0 / 30 - x2 / 840))
                                : (cos(x) - sin(x) / x) / x;
}

static struct between wheel_between(const struct wheel *p, int i, const double *a,
                                    const double *b) {
  const double middle = 0.5 * (a[0] + b[0]) + 2 * M_PI * i / p->n, half = 0.5 * (b[0] - a[0]);
  const double sinc = half != 0 ? sin(half) / half : 1;
  struct between e = {.x = 1 + i, .y = 1 + p->n + i};
  e.X = 0.5 * (a[e.x] + b[e.x]);
  e.Y = 0.5 * (a[e.y] + b[e.y]);
  e.C = cos(middle) * cos(half);
  e.S = sin(middle) * cos(half);
  e.dC = -sin(middle) * sinc;
  e.dS = cos(middle) * sinc;
  e.C_b = -0.5 * sin(middle + half);
  e.S_b = 0.5 * cos(middle + half);
  e.dC_b = -0.5 * (cos(middle) * sinc + sin(middle) * sinc_slope(half));
  e.dS_b = 0.5 * (cos(middle) * sinc_slope(half) - sin(middle) * sinc);
  return e;
}

/* (6.34) */
/* DgS: n x nq. */
static void wheel_discrete_bilateral(const struct mech *m, const double *a, const double *b,
                                     double *DgS) {
  const struct wheel *p = m->data;
  const int n = p->n;
  memset(DgS, 0, (size_t)n * (size_t)m->nq * sizeof *DgS);
  for (int i = 0; i < n; ++i) {
    const struct between e = wheel_between(p, i, a, b);
    DgS[i] = -p->a * (e.X * e.dC + e.Y * e.dS);
    DgS[e.x * n + i] = e.X - p->a * e.C;
    DgS[e.y * n + i] = e.Y - p->a * e.S;
  }
}

/* gamma_Si (6.31) for given u between a and b; Dgamma: n x nq. */
static void wheel_discrete_rate(const struct mech *m, const double *u, const double *a,
                                const double *b, double *Dgamma) {
  const struct wheel *p = m->data;
  const int n = p->n;
  memset(Dgamma, 0, (size_t)n * (size_t)m->nq * sizeof *Dgamma);
  for (int i = 0; i < n; ++i) {
    const struct between e = wheel_between(p, i, a, b);
    Dgamma[i] = p->a * (u[0] * (e.X * e.dS - e.Y * e.dC) - u[e.x] * e.dC - u[e.y] * e.dS);
    Dgamma[e.x * n + i] = u[e.x] + p->a * u[0] * e.S;
    Dgamma[e.y * n + i] = u[e.y] - p->a * u[0] * e.C;
  }
}

static void wheel_discrete_gap(const struct mech *m, long id, const double *a, const double *b,
                               double *DgN) {
  const struct wheel *p = m->data;
  const struct between e = wheel_between(p, (int)(id / 2), a, b);
  memset(DgN, 0, (size_t)m->nq * sizeof *DgN);
  if (id % 2 == 0) {
    DgN[0] = e.X * e.dC + e.Y * e.dS;
    DgN[e.x] = e.C;
    DgN[e.y] = e.S;
  } else {
    DgN[0] = -e.X * e.dS + e.Y * e.dC;
    DgN[e.x] = -e.S;
    DgN[e.y] = e.C;
  }
}

/* V is linear; per lever the changes of its rows of DgS and Dgamma, each with its multiplier. */
static void wheel_stiffness(const struct mech *m, const struct mech_step *step, double *S) {
  const struct wheel *p = m->data;
  const int nq = m->nq;
  const double *u = step->u;
  memset(S, 0, (size_t)nq * (size_t)nq * sizeof *S);
  for (int i = 0; i < p->n; ++i) {
    const struct between e = wheel_between(p, i, step->a, step->b);
    const double f = step->lambda[i], k = step->kappa != NULL ? p->a * step->kappa[i] : 0;
    S[0] += p->a * f * (e.X * e.dC_b + e.Y * e.dS_b) -
            k * (u[0] * (e.X * e.dS_b - e.Y * e.dC_b) - u[e.x] * e.dC_b - u[e.y] * e.dS_b);
    S[e.x] = p->a * f * e.C_b - k * u[0] * e.S_b;
    S[e.y] = p->a * f * e.S_b + k * u[0] * e.C_b;
    S[e.x * nq] = 0.5 * (p->a * f * e.dC - k * u[0] * e.dS);
    S[e.y * nq] = 0.5 * (p->a * f * e.dS + k * u[0] * e.dC);
    S[e.x * nq + e.x] = S[e.y * nq + e.y] = -0.5 * f;
  }
}

static void wheel_gap_slope(const struct mech *m, long id, const double *a, const double *b,
                            double *S) {
  const struct wheel *p = m->data;
  const struct between e = wheel_between(p, (int)(id / 2), a, b);
  const int nq = m->nq, radial = id % 2 == 0;
  memset(S, 0, (size_t)nq * (size_t)nq * sizeof *S);
  S[0] = radial ? e.X * e.dC_b + e.Y * e.dS_b : -e.X * e.dS_b + e.Y * e.dC_b;
  S[e.x] = radial ? e.C_b : -e.S_b;
  S[e.y] = radial ? e.S_b : e.C_b;
  S[e.x * nq] = 0.5 * (radial ? e.dC : -e.dS);
  S[e.y * nq] = 0.5 * (radial ? e.dS : e.dC);
}

static const struct mech_ops wheel_ops = {.mass = wheel_mass,
                                          .force = wheel_force,
                                          .potential = wheel_potential,
                                          .potential_gradient = wheel_gradient,
                                          .bilateral = wheel_bilateral,
                                          .bilateral_directions = wheel_directions,
                                          .bilateral_bias = wheel_bilateral_bias,
                                          .contacts = wheel_contacts,
                                          .consistent.discrete_potential =
                                              mech_discrete_potential_linear,
                                          .consistent.discrete_bilateral = wheel_discrete_bilateral,
                                          .consistent.discrete_rate = wheel_discrete_rate,
                                          .consistent.discrete_gap = wheel_discrete_gap,
                                          .consistent.discrete_stiffness = wheel_stiffness,
                                          .consistent.discrete_gap_slope = wheel_gap_slope};

/* ---- initial state ---- */

/* Levers at a stop start this far beyond it [rad], a few roundings: closed for every scheme, where
 * rounding would leave some open. */
static const double WHEEL_CLOSED = 16 * DBL_EPSILON;

/* Angle of a lever from the radial direction, counter-clockwise, for a hinge at angle b in
 * [0, 2 pi): as it rests in a wheel that was turned clockwise (chosen, see the README). */
static double wheel_rest(double b) {
  if (b > 0 && b <= M_PI) {
    return 0.5 * M_PI + WHEEL_CLOSED;
  }
  return b > M_PI && b < 1.5 * M_PI ? 1.5 * M_PI - b : -WHEEL_CLOSED;
}

/* Levers in place, the whole turning as a rigid body (6.35). */
static void wheel_start(const struct wheel *p, double omega, double *q, double *u) {
  u[0] = omega;
  for (int i = 0; i < p->n; ++i) {
    const double b = 2 * M_PI * i / p->n, s = wheel_rest(b);
    const double r = p->a + p->l * cos(s), t = p->l * sin(s);
    double *x = q + 1 + i, *y = q + 1 + p->n + i;
    *x = r * cos(b) - t * sin(b);
    *y = r * sin(b) + t * cos(b);
    u[1 + i] = -omega * *y;
    u[1 + p->n + i] = omega * *x;
  }
}

static const char *const *wheel_names(struct base_arena *arena, int n, const char *first,
                                      const char *x, const char *y) {
  const char **names = base_arena_push(arena, (size_t)(1 + 2 * n) * sizeof *names);
  names[0] = first;
  for (int i = 0; i < n; ++i) {
    names[1 + i] = base_arena_printf(arena, "%s%d", x, i + 1);
    names[1 + n + i] = base_arena_printf(arena, "%s%d", y, i + 1);
  }
  return names;
}

static int wheel_build(const struct case_parameters *p, struct base_arena *arena,
                       struct case_instance *out) {
  const double levers = case_real(p, "n"), omega = case_real(p, "omega0");
  if (levers != floor(levers)) {
    return base_fail(BASE_E_INPUT, "overbalanced-wheel: n = %g is not a whole number", levers);
  }
  struct wheel *data = base_arena_push(arena, sizeof *data);
  *data = (struct wheel){.n = (int)levers,
                         .l = case_real(p, "l"),
                         .m = case_real(p, "m"),
                         .a = case_real(p, "a"),
                         .theta = case_real(p, "theta"),
                         .g = case_real(p, "g"),
                         .eps = case_real(p, "eps")};
  const int nq = 1 + 2 * data->n;
  struct mech *m = case_model("overbalanced-wheel", &wheel_ops, data, nq, nq, 1, arena, out);
  m->ns = data->n;
  m->constant_mass = m->diagonal_mass = 1;
  m->q_names = wheel_names(arena, data->n, "phi", "x", "y");
  m->u_names = wheel_names(arena, data->n, "phi_dot", "vx", "vy");
  m->length = data->a + data->l;
  m->speed = fmax(fabs(omega) * m->length, sqrt(2 * data->g * m->length));
  if (!(m->speed > 0)) {
    m->speed = m->length; /* no gravity, at rest: any will do */
  }
  wheel_start(data, omega, out->q, out->u);
  return BASE_OK;
}

static const struct case_function *const functions[] = {overbalanced_wheel_functions, NULL};

const struct case_type case_overbalanced_wheel = {
    .name = "overbalanced-wheel",
    .summary =
        "wheel with n hinged levers between stops: many bilateral and unilateral constraints",
    .source = "moeller 6.3, table 6.3",
    .build = wheel_build,
    .functions = functions};
