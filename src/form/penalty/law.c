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
 *
 * What of this depends on the configuration alone is computed once for all velocities there
 * (penalty_place). Rigid bodies are turned into the world's axes once an evaluation (world.h).
 */
#include <math.h>
#include <string.h>

#include "form/penalty/penalty.h"
#include "form/penalty/slider.h"
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

/* W_d^T M^-1 W_d of a rigid body, whose M is diagonal, at its arm a: 1/m + (a x c_d) . I^-1
 * (a x c_d), in its own axes. sum[0] += that of n, sum[1] += those of t1 and t2: where I is the
 * same in any axes, |a x n|^2 + |a x t1|^2 + |a x t2|^2 = 2 |a|^2. */
static inline void add_inverse_mass(const double *inverse, const double *R, const double *a,
                                    const double frame[9], double sum[2]) {
  double arm[3];
  mech_cross3(a, frame, arm);
  if (inverse[3] == inverse[4] && inverse[4] == inverse[5]) {
    const double normal = mech_dot3(arm, arm);
    sum[0] += inverse[0] + inverse[3] * normal;
    sum[1] += 2 * inverse[0] + inverse[3] * (2 * mech_dot3(a, a) - normal);
    return;
  }
  for (int d = 0; d < 3; ++d) {
    double own[3];
    mech_cross3(a, frame + 3 * d, arm);
    mech_back3(R, arm, own);
    sum[d > 0] += inverse[0] + inverse[3] * own[0] * own[0] + inverse[4] * own[1] * own[1] +
                  inverse[5] * own[2] * own[2];
  }
}

static void rigid_inverse_masses(const struct penalty_flow *flow, int i, double sum[2]) {
  const struct mech_contacts *c = &flow->contacts;
  double frame[9];
  mech_contacts_frame(c, i, frame);
  for (int k = 0; k < 2; ++k) {
    const int body = c->body[2 * i + k];
    if (body >= 0) {
      add_inverse_mass(flow->inverse_mass + 6L * body, c->turn + 9L * body,
                       c->arm + 6L * i + 3L * k, frame, sum);
    }
  }
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

/* inverse[0]: W_N^T M^-1 W_N of contact i, inverse[1]: the mean of W_d^T M^-1 W_d over its
 * tangents, where asked for (across) [1/kg]. */
static void inverse_masses(const struct penalty_flow *flow, const struct mech_bilateral *b, int i,
                           int across, double inverse[2]) {
  const int dim = flow->contacts.dim, last = across ? dim : 1;
  inverse[0] = inverse[1] = 0;
  if (b == NULL && flow->contacts.rigid) {
    rigid_inverse_masses(flow, i, inverse);
  } else if (b == NULL) {
    inverse[0] = block_inverse_mass(flow, i, 0, 1);
    inverse[1] = block_inverse_mass(flow, i, 1, last);
  } else {
    inverse[0] = constrained_inverse_mass(flow, b, i, 0, 1);
    inverse[1] = across ? constrained_inverse_mass(flow, b, i, 1, last) : 0;
  }
  inverse[1] /= dim > 1 ? dim - 1 : 1;
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

/* Whether the damping of a contact depends on its velocity. */
static inline int is_by_speed(const struct penalty_options *o) {
  return penalty_is_hunt(o) && o->chi < 0;
}

/* Of -d f_N / d gamma_N of contact i what the configuration says: all of it [N s/m], or for
 * is_by_speed the inverse of its effective mass [1/kg]. 0: none, as of a contact whose bodies
 * cannot move. inverse: of the mass along n. */
static double damping_there(struct penalty_flow *flow, double inverse, int i, double pen,
                            double spring) {
  const struct penalty_options *o = flow->options;
  const double n = penalty_exponent(o), root = n > 1 ? sqrt(sqrt(pen)) : 1;
  const int hunt = penalty_is_hunt(o);
  if (hunt && o->chi >= 0) {
    return o->chi * spring;
  }
  if (!hunt && o->D >= 0) {
    return o->D * root;
  }
  double eps;
  const double number = number_of(flow, i, &eps);
  return !(number > 0 && inverse > 0) ? 0
         : hunt                       ? inverse
                                      : 2 * number * sqrt(0.5 * (n + 1) * o->K / inverse) * root;
}

/* The damping by Hunt and Crossley of contact i at the approach speed v [N s/m]. */
static double damping_at_speed(struct penalty_flow *flow, int i, double pen, double spring,
                               double v) {
  const double there = flow->place[i].damping;
  double eps;
  if (there == 0) {
    return 0;
  }
  const double number = number_of(flow, i, &eps), n = penalty_exponent(flow->options);
  const double speed = penalty_hunt_speed(number, eps, v, spring * pen / (n + 1) * there);
  return speed > 0 ? number / speed * spring : 0;
}

/* pen, as the law takes it: a frozen contact may be just open, where the linear law is continued.
 * *stiffness: of its spring [N/m]. */
static inline double penetration(const struct penalty_flow *flow, int i, double *stiffness) {
  const struct penalty_options *o = flow->options;
  const int is_hertz = o->normal == PENALTY_HERTZ;
  const double gN = flow->contacts.gN[i], pen = is_hertz ? fmax(-gN, 0) : -gN;
  *stiffness = o->K * (is_hertz ? sqrt(pen) : 1);
  return pen;
}

/* Whether no damping comes from effective masses. */
static int is_given(const struct penalty_options *o, int has_springs) {
  return (penalty_is_hunt(o) ? o->chi >= 0 : o->D >= 0) && (!has_springs || o->D_T >= 0);
}

static void find_places(struct penalty_flow *flow, const struct mech_bilateral *b) {
  const struct mech_contacts *c = &flow->contacts;
  const int has_springs = flow->history.width > 0, given = is_given(flow->options, has_springs);
  for (int i = 0; i < c->n; ++i) {
    if (flow->active[i]) {
      double stiffness, inverse[2] = {0};
      const double pen = penetration(flow, i, &stiffness);
      if (!given) {
        inverse_masses(flow, b, i, has_springs, inverse);
      }
      flow->place[i].damping = damping_there(flow, inverse[0], i, pen, stiffness * pen);
      if (has_springs && c->mu[i] > 0) {
        penalty_spring_place(flow, inverse[1], i);
      }
    }
  }
}

/* tanh(|v_T| / v_reg) / |v_T|; 0 at rest; v: n. */
static double regularised_share(const struct penalty_flow *flow, int n, const double *v) {
  const double speed = la_norm2(n, v);
  return speed > 0 ? tanh(speed / flow->options->v_reg) / speed : 0;
}

/* Regularised friction, all of it lossy; v: dim - 1; returns its power [W]. */
static double regularised(struct penalty_flow *flow, int i, double f_N, const double *v,
                          double *r_T, double *lossy) {
  const int n = flow->contacts.dim - 1;
  const double limit = flow->contacts.mu[i] * f_N, share = regularised_share(flow, n, v);
  double power = 0;
  for (int d = 0; d < n; ++d) {
    r_T[d] = lossy[d] = -limit * share * v[d];
    power += r_T[d] * v[d];
  }
  return power;
}

/* The damping of contact i at the velocity v along n [N s/m]. */
static inline double damping_now(struct penalty_flow *flow, int i, double pen, double spring,
                                 double v) {
  return is_by_speed(flow->options) ? damping_at_speed(flow, i, pen, spring, -v)
                                    : flow->place[i].damping;
}

void penalty_law_slopes(struct penalty_flow *flow, int i, const double *v,
                        struct penalty_slopes *slopes) {
  const struct penalty_options *o = flow->options;
  const struct penalty_place *at = &flow->place[i];
  const int dim = flow->contacts.dim;
  double stiffness;
  const double pen = penetration(flow, i, &stiffness);
  *slopes = (struct penalty_slopes){.k = penalty_exponent(o) * stiffness,
                                    .d = damping_now(flow, i, pen, stiffness * pen, v[0])};
  if (!(flow->contacts.mu[i] > 0) || dim == 1) {
    return;
  }
  if (o->tangential == PENALTY_REGULARISED) {
    const double share = regularised_share(flow, dim - 1, v + 1);
    slopes->d_T =
        flow->contacts.mu[i] * fmax(flow->r[(long)i * dim], 0) * (share > 0 ? share : 1 / o->v_reg);
  } else if (flow->slips[i]) {
    slopes->slip = at->k_T / at->d_T;
  } else {
    slopes->k_T = at->k_T;
    slopes->d_T = at->d_T;
  }
}

/* Force of an active contact at velocities v: r, dim, and what of it no spring stores; power: of
 * friction and impact. */
static inline void apply_at(struct penalty_flow *flow, int i, int dim, const double *v,
                            const double *xi, double *power, double *dxi, double *r,
                            double *lossy) {
  const struct penalty_options *o = flow->options;
  double stiffness;
  const double pen = penetration(flow, i, &stiffness), spring = stiffness * pen;
  const double all = spring - damping_now(flow, i, pen, spring, v[0]) * v[0];
  const double f_N = all > 0 ? all : 0;
  r[0] = o->clamp ? f_N : all;
  lossy[0] = r[0] - spring;
  power[PENALTY_IMPACT] += lossy[0] * v[0];
  if (flow->contacts.mu[i] > 0 && dim > 1) {
    power[PENALTY_FRICTION] +=
        o->tangential == PENALTY_REGULARISED
            ? regularised(flow, i, f_N, v + 1, r + 1, lossy + 1)
            : penalty_slider_force(flow, i, dim - 1, f_N, v, xi, dxi, r + 1, lossy + 1);
  }
}

/* Bodies that are no rigid ones in space, by W as it stands. */
static void apply_blocks(struct penalty_flow *flow, const double *u, const double *xi, double *f,
                         double *power, double *dxi) {
  const struct mech_contacts *c = &flow->contacts;
  const int dim = c->dim;
  for (int i = 0; i < c->n; ++i) {
    double v[CONTACT_DIM_MAX], *r = flow->r + (long)i * dim, *lossy = flow->lossy + (long)i * dim;
    memset(r, 0, (size_t)dim * sizeof *r);
    memset(lossy, 0, (size_t)dim * sizeof *lossy);
    if (flow->active[i]) {
      mech_contacts_block_velocity(c, i, u, v);
      apply_at(flow, i, dim, v, xi, power, dxi, r, lossy);
      mech_contacts_block_force(c, i, r, f);
    }
  }
}

/* Contacts at a time: their velocities, then the law, then the forces onto bodies. The law takes a
 * root and three quotients one after the other, which those of the next contacts fill. */
enum { BLOCK = 32 };

static void apply_rigid(struct penalty_flow *flow, const double *u, const double *xi, double *f,
                        double *power, double *dxi) {
  const struct mech_contacts *c = &flow->contacts;
  double sums[PENALTY_WORKS] = {power[PENALTY_FRICTION], power[PENALTY_IMPACT]};
  double frame[BLOCK][9], v[BLOCK][3];
  penalty_world_move(&flow->world, c, u);
  for (int first = 0; first < c->n; first += BLOCK) {
    const int n = c->n - first < BLOCK ? c->n - first : BLOCK;
    double *r = flow->r + 3L * first, *lossy = flow->lossy + 3L * first;
    for (int k = 0; k < n; ++k) {
      mech_contacts_frame(c, first + k, frame[k]);
      penalty_world_velocity(&flow->world, c, first + k, frame[k], v[k]);
    }
    memset(r, 0, 3 * (size_t)n * sizeof *r);
    memset(lossy, 0, 3 * (size_t)n * sizeof *lossy);
    for (int k = 0; k < n; ++k) {
      if (flow->active[first + k]) {
        apply_at(flow, first + k, 3, v[k], xi, sums, dxi, r + 3L * k, lossy + 3L * k);
      }
    }
    for (int k = 0; k < n; ++k) {
      penalty_world_push(&flow->world, c, first + k, frame[k], r + 3L * k);
    }
  }
  power[PENALTY_FRICTION] = sums[PENALTY_FRICTION];
  power[PENALTY_IMPACT] = sums[PENALTY_IMPACT];
  penalty_world_load(&flow->world, c, f);
}

void penalty_law_apply(struct penalty_flow *flow, const struct mech_bilateral *b, const double *u,
                       const double *xi, double *f, double *power, double *dxi) {
  if (flow->contacts.n == 0) {
    return;
  }
  if (!flow->placed) {
    find_places(flow, b);
    flow->placed = 1;
  }
  penalty_spring_turns(flow);
  (flow->contacts.rigid ? apply_rigid : apply_blocks)(flow, u, xi, f, power, dxi);
}
