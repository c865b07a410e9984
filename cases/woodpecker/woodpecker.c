/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The woodpecker toy in linear kinematics (moeller 6.4): a sleeve on a pole, a spring, and a
 * woodpecker whose beak strikes the pole.
 *
 *   q = (y, alpha, phi), u = qdot: height, angle of the sleeve, angle of the bird           (6.36)
 *   T = 1/2 (m_M ydot^2 + J_M alphadot^2 + m_S (ydot + l_M alphadot + l_G phidot)^2
 *            + J_S phidot^2), M constant                                              (6.37, 6.38)
 *   V = c/2 (alpha - phi)^2 + g ((m_M + m_S) y + m_S l_M alpha + m_S l_G phi)         (6.40, 6.41)
 *   g_N = (l_M + l_G - l_S - r_O - h_S phi,                      beak
 *          r_M - r_O + h_M alpha, r_M - r_O - h_M alpha)         lower, upper end of the sleeve
 *                                                                                           (6.42)
 *   w_T = (1, l_M, l_G - l_S), (1, r_M, 0), (1, r_M, 0)                                     (6.44)
 *
 * All directions are constant, V is quadratic: every discrete derivative is exact (6.48).
 * The table's alpha(0), rounded to four digits, lies 0.9 micrometres inside the pole; a start that
 * misses a stop by no more than such digits is put onto it, so that every scheme starts from the
 * same state and none from a penetration.
 */
#include "cases/case.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CONTACTS = 3 };

struct woodpecker {
  double r_O, r_M, h_M, l_M, l_G, h_S, l_S;              /* [m] */
  double m_M, m_S, J_M, J_S;                             /* [kg], [kg m^2] */
  double c, g;                                           /* [N m/rad], [m/s^2] */
  double eps_N[CONTACTS], eps_T[CONTACTS], mu[CONTACTS]; /* [-] */
  double clearance[CONTACTS];                            /* g_N at q = 0 [m] */
  double W[CONTACTS][6];                                 /* 3 x 2: normal, tangential */
};

static void woodpecker_mass(const struct mech *m, const double *q, double *M) {
  const struct woodpecker *p = m->data;
  (void)q;
  M[0] = p->m_S + p->m_M;
  M[1] = M[3] = p->m_S * p->l_M;
  M[2] = M[6] = p->m_S * p->l_G;
  M[4] = p->J_M + p->m_S * p->l_M * p->l_M;
  M[5] = M[7] = p->m_S * p->l_M * p->l_G;
  M[8] = p->J_S + p->m_S * p->l_G * p->l_G;
}

static double woodpecker_potential(const struct mech *m, const double *q) {
  const struct woodpecker *p = m->data;
  const double twist = q[1] - q[2];
  return 0.5 * p->c * twist * twist +
         p->g * (p->m_M * q[0] + p->m_S * (q[0] + p->l_M * q[1] + p->l_G * q[2]));
}

static void woodpecker_gradient(const struct mech *m, const double *q, double *dV) {
  const struct woodpecker *p = m->data;
  const double moment = p->c * (q[1] - q[2]);
  dV[0] = p->g * (p->m_M + p->m_S);
  dV[1] = p->g * p->m_S * p->l_M + moment;
  dV[2] = p->g * p->m_S * p->l_G - moment;
}

static void woodpecker_force(const struct mech *m, const double *q, const double *u, double t,
                             double *h) {
  (void)u, (void)t;
  woodpecker_gradient(m, q, h);
  for (int j = 0; j < 3; ++j) {
    h[j] = -h[j];
  }
}

/* (6.48) */
static void woodpecker_discrete_potential(const struct mech *m, const double *a, const double *b,
                                          double *DV) {
  double middle[3];
  for (int j = 0; j < 3; ++j) {
    middle[j] = 0.5 * (a[j] + b[j]);
  }
  woodpecker_gradient(m, middle, DV);
}

static double woodpecker_gap(const struct woodpecker *p, int i, const double *q) {
  return p->clearance[i] + p->W[i][1] * q[1] + p->W[i][2] * q[2];
}

static void woodpecker_contacts(const struct mech *m, const double *q, const double *u,
                                double reach, struct mech_contacts *out) {
  const struct woodpecker *p = m->data;
  (void)u; /* W is constant: the bias is zero */
  for (int k = 0; k < CONTACTS; ++k) {
    const double gap = woodpecker_gap(p, k, q);
    if (gap > reach) {
      continue;
    }
    const int i = mech_contacts_push(out);
    out->id[i] = k;
    out->gN[i] = gap;
    out->mu[i] = p->mu[k];
    out->eps_N[i] = p->eps_N[k];
    out->eps_T[i] = p->eps_T[k];
    out->body[2 * i] = 0;
    memcpy(mech_contacts_block(out, i, 0), p->W[k], sizeof p->W[k]);
  }
}

/* To first order in the angles, as all of the model. The beak is l_G - l_S beyond the pivot of the
 * bird, which is l_M from the pole's axis on the sleeve, and h_S above it; the ends of the sleeve
 * are r_M from the axis and h_M above and below its centre. */
static void woodpecker_slips(const struct mech *m, const struct mech_contacts *at_a,
                             const double *a, const double *b, double *s) {
  const struct woodpecker *p = m->data;
  const double y = b[0] - a[0], alpha = b[1] - a[1], phi = b[2] - a[2];
  for (int i = 0; i < at_a->n; ++i) {
    const long id = at_a->id[i];
    s[2 * i] = id == 0 ? -p->h_S * phi : id == 1 ? p->h_M * alpha : -p->h_M * alpha;
    s[2 * i + 1] = id == 0 ? y + p->l_M * alpha + (p->l_G - p->l_S) * phi : y + p->r_M * alpha;
  }
}

static void woodpecker_discrete_gap(const struct mech *m, long id, const double *a, const double *b,
                                    double *DgN) {
  const struct woodpecker *p = m->data;
  (void)a, (void)b;
  memcpy(DgN, p->W[id], 3 * sizeof *DgN);
}

static void woodpecker_stiffness(const struct mech *m, const struct mech_step *step, double *S) {
  const struct woodpecker *p = m->data;
  memset(S, 0, 9 * sizeof *S);
  S[4] = S[8] = 0.5 * step->dt * p->c;
  S[5] = S[7] = -S[4];
}

static const struct mech_ops woodpecker_ops = {
    .mass = woodpecker_mass,
    .force = woodpecker_force,
    .potential = woodpecker_potential,
    .potential_gradient = woodpecker_gradient,
    .contacts = woodpecker_contacts,
    .slips = woodpecker_slips,
    .consistent.discrete_potential = woodpecker_discrete_potential,
    .consistent.discrete_gap = woodpecker_discrete_gap,
    .consistent.discrete_stiffness = woodpecker_stiffness,
    .consistent.discrete_gap_slope = mech_discrete_gap_linear};
static const char *const woodpecker_q_names[] = {"y", "alpha", "phi"};
static const char *const woodpecker_u_names[] = {"y_dot", "alpha_dot", "phi_dot"};

static void woodpecker_geometry(struct woodpecker *p) {
  /* (6.43, 6.44) */
  const double W[CONTACTS][6] = {{0, 0, -p->h_S, 1, p->l_M, p->l_G - p->l_S},
                                 {0, p->h_M, 0, 1, p->r_M, 0},
                                 {0, -p->h_M, 0, 1, p->r_M, 0}};
  memcpy(p->W, W, sizeof W);
  p->clearance[0] = p->l_M + p->l_G - p->l_S - p->r_O;
  p->clearance[1] = p->clearance[2] = p->r_M - p->r_O;
}

/* Initial angles may miss a stop by the digits of the source's table [rad]. */
static const double WOODPECKER_TYPED = 5e-4;
/* Put onto a stop they are this far inside it [rad]: schemes on velocity level find the contact
 * closed in spite of the rounding of many steps, and to those on gap level it is nothing. */
static const double WOODPECKER_INSIDE = 1e-12;

/* Put a start that is slightly inside a stop onto it; refuse one that is farther inside. */
static int woodpecker_start(const struct woodpecker *p, double *q) {
  static const char *const stops[CONTACTS] = {"the beak", "the lower end of the sleeve",
                                              "the upper end of the sleeve"};
  for (int i = 0; i < CONTACTS; ++i) {
    const int j = i == 0 ? 2 : 1;
    const double gap = woodpecker_gap(p, i, q);
    if (gap >= 0) {
      continue;
    }
    if (gap < -WOODPECKER_TYPED * fabs(p->W[i][j])) {
      return base_fail(BASE_E_INPUT,
                       "woodpecker: %s0 = %g puts %s %.3g m inside the pole, its limit is %.9g rad",
                       i == 0 ? "phi" : "alpha", q[j], stops[i], -gap,
                       -p->clearance[i] / p->W[i][j]);
    }
    const double at = -p->clearance[i] / p->W[i][j];
    q[j] = at + copysign(WOODPECKER_INSIDE, -p->W[i][j]);
  }
  return BASE_OK;
}

static struct woodpecker *woodpecker_data(const struct case_parameters *p,
                                          struct base_arena *arena) {
  struct woodpecker *data = base_arena_push(arena, sizeof *data);
  *data = (struct woodpecker){.r_O = case_real(p, "r_O"),
                              .r_M = case_real(p, "r_M"),
                              .h_M = case_real(p, "h_M"),
                              .l_M = case_real(p, "l_M"),
                              .l_G = case_real(p, "l_G"),
                              .h_S = case_real(p, "h_S"),
                              .l_S = case_real(p, "l_S"),
                              .m_M = case_real(p, "m_M"),
                              .m_S = case_real(p, "m_S"),
                              .J_M = case_real(p, "J_M"),
                              .J_S = case_real(p, "J_S"),
                              .c = case_real(p, "c"),
                              .g = case_real(p, "g")};
  for (int i = 0; i < CONTACTS; ++i) {
    char key[24];
    snprintf(key, sizeof key, "eps_N%d", i + 1);
    data->eps_N[i] = case_real(p, key);
    snprintf(key, sizeof key, "eps_T%d", i + 1);
    data->eps_T[i] = case_real(p, key);
    snprintf(key, sizeof key, "mu%d", i + 1);
    data->mu[i] = case_real(p, key);
  }
  woodpecker_geometry(data);
  return data;
}

static int woodpecker_build(const struct case_parameters *p, struct base_arena *arena,
                            struct case_instance *out) {
  struct woodpecker *data = woodpecker_data(p, arena);
  if (!(data->r_M > data->r_O)) {
    return base_fail(BASE_E_INPUT,
                     "woodpecker: the sleeve, r_M = %g, does not fit on the pole, r_O = %g",
                     data->r_M, data->r_O);
  }
  struct mech *m = case_model("woodpecker", &woodpecker_ops, data, 3, 3, 2, arena, out);
  m->constant_mass = 1;
  m->q_names = woodpecker_q_names;
  m->u_names = woodpecker_u_names;
  m->length = data->l_M + data->l_G;
  out->q[0] = case_real(p, "y0");
  out->q[1] = case_real(p, "alpha0");
  out->q[2] = case_real(p, "phi0");
  out->u[0] = case_real(p, "y_dot0");
  out->u[1] = case_real(p, "alpha_dot0");
  out->u[2] = case_real(p, "phi_dot0");
  m->speed = fmax(fabs(out->u[0]), m->length * fmax(fabs(out->u[1]), fabs(out->u[2])));
  m->speed = fmax(m->speed, sqrt(2 * data->g * m->length));
  if (!(m->speed > 0)) {
    m->speed = m->length * sqrt(data->c / data->J_S); /* no gravity, at rest: the spring's own */
  }
  return woodpecker_start(data, out->q);
}

/* Sleeve and woodpecker as (x, y, angle). */
static void woodpecker_place(const struct mech *m, const double *q, double *shown) {
  const struct woodpecker *p = m->data;
  const double places[6] = {0,   q[0], q[1], p->l_M + p->l_G, q[0] + p->l_M * q[1] + p->l_G * q[2],
                            q[2]};
  memcpy(shown, places, sizeof places);
}

/* On the right side of the pole. */
static void woodpecker_show(const struct mech *m, const double *q, long id, double point[3],
                            double frame[9]) {
  const struct woodpecker *p = m->data;
  const double height = id == 0 ? p->l_M * q[1] + (p->l_G - p->l_S) * q[2] + p->h_S
                                : p->r_M * q[1] + (id == 1 ? -p->h_M : p->h_M);
  memcpy(point, (const double[]){p->r_O, q[0] + height, 0}, 3 * sizeof *point);
  memcpy(frame, (const double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}, 9 * sizeof *frame);
}

static const struct case_show woodpecker_view = {woodpecker_place, woodpecker_show};

const struct case_type case_woodpecker = {
    .name = "woodpecker",
    .summary = "woodpecker toy: impacts, stick and slip at three frictional contacts",
    .source = "moeller 6.4, table 6.4",
    .build = woodpecker_build,
    .show = &woodpecker_view};
