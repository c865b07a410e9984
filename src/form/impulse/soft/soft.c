/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Soft contacts of impulse stepping: the contact law holds for xi' = xi + R r with a diagonal R,
 * and a shift of its own in place of that of the scheme, while bodies move by r alone. With Phi =
 * g_N at the evaluation point,
 *
 *   sap     R_N = max(beta^2 w/(4 pi^2), 1/(dt k (dt + tau_d))),   R_T = sigma w,
 *           s_N = Phi/(dt + tau_d), where bodies do not touch yet Phi/dt
 *                                                  (Castro, Permenter, Han 2022, arXiv 2110.10107)
 *           w is the Frobenius norm of A_ii over dim. With R_N of the spring, dt f_N = r_N obeys
 *           f_N = max(0, -k (Phi + dt v_N) - k tau_d v_N). What sticks under a force f_T creeps at
 *           R_T dt f_T: a point on an incline at sigma g sin(alpha) dt, times w m = 1/sqrt(3) in
 *           space, 1/sqrt(2) in the plane.
 *   mujoco  R_N = (1 - d)/d a,   R_T = R_N/impratio,
 *           s_N = -v_N^B + dt (b v_N^B + k d Phi),   s_T = -v_T^B + dt b v_T^B
 *           with b = 2/(dmax timeconst), k = 1/(dmax timeconst dampratio)^2, the impedance d going
 *           from dmin at Phi = 0 to dmax at -width by two power curves that meet at midpoint
 *           (MuJoCo's documentation, chapters Computation and Modeling; elliptic cones, others in
 *           pyramid.c). That is its condition on accelerations, A f + a_u - a_ref + R f in the dual
 *           cone, a_ref = -b v - k d Phi, times dt. timeconst is at least 2 dt. a stands for the
 *           diagonal of A at the reference configuration, of which that program keeps one number a
 *           body: of rigid bodies it is the sum of their 1/m, else A_NN. What sticks creeps at R_T
 *           f_T/b. Bodies that do not touch have no contact.
 *   cfm     R = cfm/dt,   s_N = erp Phi/dt         (ODE and Bullet: error reduction parameter and
 *           constraint force mixing, of all rows of a contact). Joints give way alike, as they do
 *           there: W_S^T u + R Lambda_S + erp g_S/dt = 0 (mech/bilateral). Under a load f they
 *           stand off by cfm dt f/erp.
 *
 *   tgs     R_N = A_NN/a_2,   R_T = 0,
 *           s_N = max(omega/a_1 Phi, -push), where bodies do not touch yet Phi/dt and R = 0,
 *           a_1 = 2 zeta + dt omega,   a_2 = dt omega a_1,   omega = 2 pi min(hertz, 1/(4 dt)):
 *           a spring and damper on the bodies' own mass, implicit (Catto, Soft Constraints, 2011;
 *           Box2D 3)
 *
 * None but cfm has joints that give way: those of MuJoCo are coordinates, and its equality
 * constraints are not here. None has a coefficient of restitution: how contacts rebound is what
 * springs and dampers make of it. Without R sap is the scheme gap.
 */
#include <math.h>

#include "form/impulse/parts.h"
#include "la/dense.h"

/* Bounds that MuJoCo puts on impedances. */
static const double IMPEDANCE_MIN = 1e-4, IMPEDANCE_MAX = 0.9999;

/* The part y of the way from dmin to dmax at the part x of width. */
static double sigmoid(const struct form_impulse_options *o, double x) {
  const double middle = fmin(fmax(o->midpoint, IMPEDANCE_MIN), IMPEDANCE_MAX), p = o->power;
  return x <= middle ? pow(x, p) / pow(middle, p - 1) : 1 - pow(1 - x, p) / pow(1 - middle, p - 1);
}

static double impedance(const struct form_impulse_options *o, double gap) {
  const double x = o->width > 0 ? fmin(1, fabs(gap) / o->width) : 1;
  const double d = o->dmin + sigmoid(o, x) * (o->dmax - o->dmin);
  return fmin(fmax(d, IMPEDANCE_MIN), IMPEDANCE_MAX);
}

static void shift_sap(const struct form_impulse_options *o, const struct form_impulse_contact *c,
                      double *s) {
  s[0] = c->gap / (c->gap < 0 ? c->dt + o->tau_d : c->dt);
}

static void shift_mujoco(const struct form_impulse_options *o, const struct form_impulse_contact *c,
                         double *s) {
  const double time = fmax(o->timeconst, 2 * c->dt), dmax = fmin(o->dmax, IMPEDANCE_MAX);
  const double b = 2 / (dmax * time), k = pow(dmax * time * o->dampratio, -2);
  for (int d = 0; d < c->dim; ++d) {
    s[d] = (c->dt * b - 1) * c->v_begin[d];
  }
  s[0] += c->dt * k * impedance(o, c->gap) * c->gap;
}

static void shift_cfm(const struct form_impulse_options *o, const struct form_impulse_contact *c,
                      double *s) {
  s[0] = (c->gap < 0 ? o->erp : 1) * c->gap / c->dt;
}

/* omega and a_1 of softness tgs. */
static void soft_step(const struct form_impulse_options *o, double dt, double *omega, double *a_1) {
  *omega = 2 * M_PI * fmin(o->hertz, 0.25 / dt);
  *a_1 = 2 * o->zeta + dt * *omega;
}

static void shift_tgs(const struct form_impulse_options *o, const struct form_impulse_contact *c,
                      double *s) {
  double omega, a_1;
  soft_step(o, c->dt, &omega, &a_1);
  s[0] = c->gap >= 0 ? c->gap / c->dt : fmax(omega / a_1 * c->gap, -o->push);
}

/* The rigid contact of what does not touch yet; its residual is judged by it. */
static void shift_avbd(const struct form_impulse_options *o, const struct form_impulse_contact *c,
                       double *s) {
  (void)o;
  s[0] = fmax(0, c->gap / c->dt);
}

form_impulse_shift form_impulse_soft_shift(enum form_softness softness) {
  switch (softness) {
  case FORM_SOFTNESS_SAP:
    return shift_sap;
  case FORM_SOFTNESS_MUJOCO:
    return shift_mujoco;
  case FORM_SOFTNESS_TGS:
    return shift_tgs;
  case FORM_SOFTNESS_AVBD:
    return shift_avbd;
  default:
    return shift_cfm;
  }
}

/* Sum of 1/m of the bodies of contact i, of the motion of their centres along its normal; its own
 * A_NN where bodies do not say where they are. */
static double inverse_mass(const struct impulse *w, const struct mech_contacts *c, int i,
                           double A_NN) {
  const int space = w->setup.mech->nv > 3 ? 3 : 2; /* entries of a velocity of a centre */
  return c->frame == NULL ? A_NN
                          : form_delassus_alone(w->setup.mech, w->L, c, i, space, w->setup.arena);
}

static void compliance_sap(const struct form_impulse_options *o, int dim, double dt,
                           const double *A_ii, double *R) {
  const double size = la_norm2(dim * dim, A_ii) / dim;
  R[0] =
      fmax(o->beta * o->beta * size / (4 * M_PI * M_PI), 1 / (dt * o->stiffness * (dt + o->tau_d)));
  for (int d = 1; d < dim; ++d) {
    R[d] = o->sigma * size;
  }
}

const double *impulse_soft_compliance(const struct impulse *w, const struct mech_contacts *c,
                                      const double *diagonal, double dt) {
  const struct form_impulse_options *o = w->setup.options;
  const int dim = c->dim;
  if (o->softness == FORM_SOFTNESS_AVBD) { /* stiffnesses of its own, no compliance */
    return NULL;
  }
  double omega, a_1, *R = base_arena_matrix(w->setup.arena, dim, c->n);
  for (int i = 0; i < c->n; ++i) {
    const double *A_ii = diagonal + (size_t)(dim * dim) * (size_t)i;
    double *R_i = R + (size_t)dim * (size_t)i, d, pyramid;
    switch ((enum form_softness)o->softness) {
    case FORM_SOFTNESS_SAP:
      compliance_sap(o, dim, dt, A_ii, R_i);
      break;
    case FORM_SOFTNESS_MUJOCO:
      d = impedance(o, c->gN[i]);
      R_i[0] = (1 - d) / d * inverse_mass(w, c, i, A_ii[0]);
      pyramid = w->scheme.pyramidal && c->mu[i] > 0 ? c->mu[i] * c->mu[i] : 0;
      R_i[0] *= 1 + pyramid;
      for (int k = 1; k < dim; ++k) {
        R_i[k] = R_i[0] / o->impratio;
      }
      R_i[0] *= pyramid > 0 ? pyramid / (o->impratio * (dim - 1)) : 1;
      break;
    case FORM_SOFTNESS_TGS:
      soft_step(o, dt, &omega, &a_1);
      R_i[0] = c->gN[i] < 0 ? A_ii[0] / (dt * omega * a_1) : 0;
      break;
    default:
      for (int k = 0; k < dim; ++k) {
        R_i[k] = o->cfm / dt;
      }
    }
  }
  return R;
}
