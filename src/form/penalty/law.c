/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The contact law of `penalty`. With pen = -g_N > 0 and pen' = -gamma_N,
 *
 *   linear   K pen + D pen'                        n = 1  (as in yu)
 *   hertz    K pen^(3/2) + damping                 n = 3/2, K = 4/3 E* sqrt(R)
 *
 * with the damping  D pen^((n-1)/2) pen'  (viscous)  or  chi K pen^n pen'  (hunt-crossley), either
 * for either spring; max(f_N, 0) with clamp. No force acts at pen <= 0.
 *
 * Where D or chi is not given it follows from eps_N by restitution.c and the effective mass
 * m = 1 / (W_N^T M^-1 W_N) of the single contact. chi = d / v_0 takes the approach speed v_0, which
 * is not remembered: it is an invariant of the contact's own motion and computed from its state. A
 * contact that is driven by other forces as well (at rest under its weight) so has the chi of the
 * impact with its present energy. eps below eps_min is taken as eps_min: eps = 0 would need an
 * infinite damping.
 *
 * Friction either regularised,
 *
 *   f_T = -mu max(f_N, 0) tanh(|v_T| / v_reg) v_T / |v_T|,
 *
 * which creeps under any load, or by springs with memory (spring.c). Friction never takes
 * part in attraction. A contact with mu = 0 (a rope) has none.
 */
#include <math.h>
#include <string.h>

#include "form/penalty/penalty.h"
#include "la/dense.h"

/* Sum of W_d^T M^-1 W_d of contact i over d = first ... last - 1. With constraints eliminated: M^-1
 * of the whole system. */
static double constrained_inverse_mass(const struct penalty_flow *flow,
                                       const struct mech_bilateral *b, int i, int first, int last) {
  const struct mech *m = flow->m;
  const size_t nu = (size_t)m->nu;
  const struct base_arena_mark mark = base_arena_mark(flow->arena);
  double *W = base_arena_push(flow->arena, nu * (size_t)m->dim * sizeof *W);
  double *x = base_arena_doubles(flow->arena, m->nu),
         *rate = base_arena_doubles(flow->arena, m->ns);
  double sum = 0;
  mech_contacts_add_columns(&flow->contacts, i, W);
  for (int d = first; d < last; ++d) {
    const double *w = W + (size_t)d * nu;
    la_copy(m->nu, w, x);
    mech_mass_solve(m, flow->L, 1, x);
    mech_bilateral_velocity(b, x, rate);
    mech_bilateral_eliminate(b, 1, rate, x);
    sum += la_dot(m->nu, w, x);
  }
  base_arena_release(flow->arena, mark);
  return sum;
}

/* Of a rigid body, whose M is diagonal, for the direction e at its arm a: 1/m + (a x e) . I^-1 (a x
 * e), in its own axes. */
static inline double rigid_inverse_mass_of(const double *inverse, const double *R, const double *a,
                                           const double *e) {
  const double x = a[1] * e[2] - a[2] * e[1], y = a[2] * e[0] - a[0] * e[2],
               z = a[0] * e[1] - a[1] * e[0];
  if (inverse[3] == inverse[4] && inverse[4] == inverse[5]) { /* the same in any axes */
    return inverse[0] + inverse[3] * (x * x + y * y + z * z);
  }
  const double t[3] = {R[0] * x + R[3] * y + R[6] * z, R[1] * x + R[4] * y + R[7] * z,
                       R[2] * x + R[5] * y + R[8] * z};
  return inverse[0] + inverse[3] * t[0] * t[0] + inverse[4] * t[1] * t[1] +
         inverse[5] * t[2] * t[2];
}

static double rigid_inverse_mass(const struct penalty_flow *flow, int i, int first, int last) {
  const struct mech_contacts *c = &flow->contacts;
  double frame[9], sum = 0;
  mech_contacts_frame(c, i, frame);
  for (int k = 0; k < 2; ++k) {
    const int body = c->body[2 * i + k];
    for (int d = first; d < last && body >= 0; ++d) {
      sum += rigid_inverse_mass_of(flow->inverse_mass + 6L * body, c->turn + 9L * body,
                                   c->arm + 6L * i + 3L * k, frame + 3 * d);
    }
  }
  return sum;
}

/* By W as it stands. */
static double block_inverse_mass(const struct penalty_flow *flow, int i, int first, int last) {
  const struct mech_contacts *c = &flow->contacts;
  const struct base_arena_mark mark = base_arena_mark(flow->arena);
  double *x = base_arena_doubles(flow->arena, c->nv), sum = 0;
  for (int k = 0; k < 2; ++k) {
    const int body = c->body[2 * i + k];
    for (int d = first; d < last && body >= 0; ++d) {
      const double *w = mech_contacts_block(c, i, k) + (size_t)d * (size_t)c->nv;
      la_copy(c->nv, w, x);
      mech_mass_solve_block(flow->m, flow->L, body, 1, x);
      sum += la_dot(c->nv, w, x);
    }
  }
  base_arena_release(flow->arena, mark);
  return sum;
}

double penalty_inverse_mass(const struct penalty_flow *flow, const struct mech_bilateral *b, int i,
                            int across) {
  const int first = across ? 1 : 0, last = across ? flow->contacts.dim : 1;
  const double sum = b != NULL              ? constrained_inverse_mass(flow, b, i, first, last)
                     : flow->contacts.rigid ? rigid_inverse_mass(flow, i, first, last)
                                            : block_inverse_mass(flow, i, first, last);
  return last > first ? sum / (last - first) : 0;
}

/* The damping ratio, or number, of contact i by its eps_N; *eps: the one taken. */
static double number_of(struct penalty_flow *flow, int i, double *eps) {
  const struct penalty_options *o = flow->options;
  const int hunt = penalty_is_hunt(o);
  *eps = fmin(flow->contacts.eps_N[i], 1);
  *eps = o->clamp || hunt ? fmax(*eps, o->eps_min) : *eps;
  if (*eps != flow->cached_eps) {
    flow->cached_eps = *eps;
    flow->cached_zeta = hunt ? penalty_hunt_number(*eps) : penalty_damping_ratio(*eps, o->clamp);
  }
  return flow->cached_zeta;
}

/* What the damping of contact i by its eps_N has of the configuration, so that it is computed once
 * for all velocities there: viscous, all of it [N s/m]; by Hunt and Crossley the inverse of its
 * effective mass [1/kg]. 0: none, as of a contact whose bodies cannot move. root: pen^((n-1)/2). */
static double damping_there(struct penalty_flow *flow, const struct mech_bilateral *b, int i,
                            double number, double root) {
  const struct penalty_options *o = flow->options;
  double *there = flow->damping + 2L * i;
  if (isnan(*there)) {
    const double inverse = number > 0 ? penalty_inverse_mass(flow, b, i, 0) : 0;
    *there = !(inverse > 0) ? 0
             : penalty_is_hunt(o)
                 ? inverse
                 : 2 * number * sqrt(0.5 * (penalty_exponent(o) + 1) * o->K / inverse) * root;
  }
  return *there;
}

/* -d f_N / d gamma_N of contact i [N s/m]. */
static double damping_of(struct penalty_flow *flow, const struct mech_bilateral *b, int i,
                         double pen, double spring) {
  const struct penalty_options *o = flow->options;
  const double n = penalty_exponent(o), v = -flow->v[i * flow->contacts.dim];
  const int hunt = penalty_is_hunt(o);
  const double root = n > 1 ? sqrt(sqrt(pen)) : 1;
  if (hunt && o->chi >= 0) {
    return o->chi * spring;
  }
  if (!hunt && o->D >= 0) {
    return o->D * root;
  }
  double eps;
  const double number = number_of(flow, i, &eps);
  const double there = damping_there(flow, b, i, number, root);
  if (!hunt || there == 0) {
    return there;
  }
  const double speed = penalty_hunt_speed(number, eps, v, spring * pen / (n + 1) * there);
  return speed > 0 ? number / speed * spring : 0;
}

/* Regularised friction, all of it lossy; returns its power [W]. */
static double regularised(struct penalty_flow *flow, int i, double f_N, double *r_T,
                          double *lossy) {
  const int n = flow->contacts.dim - 1;
  const double *v = flow->v + i * (n + 1) + 1, limit = flow->contacts.mu[i] * f_N;
  const double v_reg = flow->options->v_reg, speed = la_norm2(n, v);
  const double share = speed > 0 ? tanh(speed / v_reg) / speed : 0;
  double power = 0;
  for (int d = 0; d < n; ++d) {
    r_T[d] = lossy[d] = -limit * share * v[d];
    power += r_T[d] * v[d];
  }
  flow->slopes[i].d_T = limit * (speed > 0 ? share : 1 / v_reg);
  return power;
}

/* Force and slopes of an active contact; *cursor: of the springs' slots. */
static void apply_at(struct penalty_flow *flow, const struct mech_bilateral *b, int i,
                     const double *xi, double *power, double *dxi, int *cursor) {
  const struct penalty_options *o = flow->options;
  const struct mech_contacts *c = &flow->contacts;
  const int dim = c->dim, is_hertz = o->normal == PENALTY_HERTZ;
  /* a frozen contact may be just open: the linear law is continued there */
  const double pen = is_hertz ? fmax(-c->gN[i], 0) : -c->gN[i], v = flow->v[i * dim];
  double *r = flow->r + i * dim, *lossy = flow->lossy + i * dim;
  const double stiffness = o->K * (is_hertz ? sqrt(pen) : 1), spring = stiffness * pen;
  const double damping = damping_of(flow, b, i, pen, spring);
  r[0] = spring - damping * v;
  if (o->clamp) {
    r[0] = fmax(r[0], 0);
  }
  flow->slopes[i].k = penalty_exponent(o) * stiffness;
  flow->slopes[i].d = damping;
  lossy[0] = r[0] - spring;
  power[PENALTY_IMPACT] += lossy[0] * v;
  if (c->mu[i] > 0 && dim > 1) {
    const double f_N = fmax(r[0], 0);
    power[PENALTY_FRICTION] +=
        o->tangential == PENALTY_REGULARISED
            ? regularised(flow, i, f_N, r + 1, lossy + 1)
            : penalty_spring_force(flow, b, i, f_N, xi, dxi, cursor, r + 1, lossy + 1);
  }
}

void penalty_law_apply(struct penalty_flow *flow, const struct mech_bilateral *b, const double *u,
                       const double *xi, double *f, double *power, double *dxi) {
  const struct mech_contacts *c = &flow->contacts;
  const int dim = c->dim;
  int cursor = 0;
  for (int i = 0; i < c->n; ++i) { /* all of a contact in one go: bodies are all over the memory */
    double *r = flow->r + i * dim, *lossy = flow->lossy + i * dim;
    mech_contacts_velocity_of(c, i, u, flow->v + i * dim);
    for (int d = 0; d < dim; ++d) {
      r[d] = lossy[d] = 0;
    }
    flow->slopes[i] = (struct penalty_slopes){0};
    if (flow->active[i]) {
      apply_at(flow, b, i, xi, power, dxi, &cursor);
    }
    mech_contacts_force_of(c, i, r, f);
  }
}
