/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the contact law takes of the configuration alone: dampings along and across the normal and
 * the stiffness of tangential springs, found once for all velocities there.
 *
 * Where D or chi is not given it follows from eps_N by restitution.c and the effective mass
 * m = 1 / (W_N^T M^-1 W_N) of the single contact. chi = d / v_0 takes the approach speed v_0, which
 * is not remembered: it is an invariant of the contact's own motion and computed from its state. A
 * contact that is driven by other forces as well (at rest under its weight) so has the chi of the
 * impact with its present energy. eps below eps_min is taken as eps_min: eps = 0 would need an
 * infinite damping.
 */
#include <math.h>
#include <string.h>

#include "form/penalty/penalty.h"
#include "la/dense.h"

void penalty_place_reserve(struct penalty_flow *flow) {
  struct penalty_place *place = &flow->place;
  double **const reals[] = {&place->damping, &place->k_T, &place->d_T, &place->cos, &place->sin};
  for (size_t k = 0; k < sizeof reals / sizeof *reals; ++k) {
    *reals[k] = penalty_flow_renew(flow, *reals[k], sizeof **reals[k]);
  }
  place->slot = penalty_flow_renew(flow, place->slot, sizeof *place->slot);
}

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
  mech_contacts_add_columns(&flow->touch.contacts, i, W);
  for (int d = first; d < last; ++d) {
    const double *w = W + (size_t)d * nu;
    la_copy(m->nu, w, x);
    mech_mass_solve(m, flow->mass.L, 1, x);
    mech_bilateral_velocity(b, x, rate);
    mech_bilateral_eliminate(b, 1, rate, x);
    sum += la_dot(m->nu, w, x);
  }
  base_arena_release(flow->arena, mark);
  return sum;
}

/* W_d^T M^-1 W_d of a rigid body, whose M is diagonal, at its arm a: 1/m + (a x c_d) . I^-1
 * (a x c_d), in its own axes. sum[0] += that of n, sum[1] += those of t1 and t2. frame: n, t1;
 * inverse: 6. */
static void add_inverse_mass(const double *inverse, const double *R, const double *a,
                             const double *frame, double sum[2]) {
  double axis[9];
  memcpy(axis, frame, 6 * sizeof *axis);
  mech_cross3(axis, axis + 3, axis + 6);
  for (int d = 0; d < 3; ++d) {
    double arm[3], own[3];
    mech_cross3(a, axis + 3 * d, arm);
    mech_back3(R, arm, own);
    sum[d > 0] += inverse[0] + inverse[3] * own[0] * own[0] + inverse[4] * own[1] * own[1] +
                  inverse[5] * own[2] * own[2];
  }
}

/* Where I is the same in any axes, |a x n|^2 + |a x t1|^2 + |a x t2|^2 = 2 |a|^2. */
static inline void rigid_inverse_masses(const struct penalty_flow *flow, int i, double sum[2]) {
  const struct mech_contacts *c = &flow->touch.contacts;
  for (int k = 0; k < 2; ++k) {
    const int body = c->body[2 * i + k];
    const struct penalty_world_body *at = &flow->world.of[body];
    const double *a = c->arm + 6L * i + 3L * k, *frame = c->frame + 6L * i;
    if (body < 0) {
      continue;
    }
    if (isnan(at->inertia)) {
      add_inverse_mass(flow->mass.inverse + 6L * body, c->turn + 9L * body, a, frame, sum);
      continue;
    }
    double arm[3];
    mech_cross3(a, frame, arm);
    const double normal = mech_dot3(arm, arm);
    sum[0] += at->mass + at->inertia * normal;
    sum[1] += 2 * at->mass + at->inertia * (2 * mech_dot3(a, a) - normal);
  }
}

/* By W as it stands. */
static double block_inverse_mass(const struct penalty_flow *flow, int i, int first, int last) {
  const struct mech_contacts *c = &flow->touch.contacts;
  const struct base_arena_mark mark = base_arena_mark(flow->arena);
  double *x = base_arena_doubles(flow->arena, c->nv), sum = 0;
  for (int k = 0; k < 2; ++k) {
    const int body = c->body[2 * i + k];
    for (int d = first; d < last && body >= 0; ++d) {
      const double *w = mech_contacts_block(c, i, k) + (size_t)d * (size_t)c->nv;
      la_copy(c->nv, w, x);
      mech_mass_solve_block(flow->m, flow->mass.L, body, 1, x);
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
  const int dim = flow->touch.contacts.dim, last = across ? dim : 1;
  inverse[0] = inverse[1] = 0;
  if (b == NULL && flow->touch.contacts.rigid) {
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
static inline double number_of(const struct penalty_flow *flow, struct penalty_known *known, int i,
                               double *eps) {
  const struct penalty_options *o = flow->options;
  const int hunt = penalty_is_hunt(o);
  const double given = flow->touch.contacts.eps_N[i],
               least = o->clamp || hunt ? o->eps_min : -INFINITY;
  *eps = given > 1 ? 1 : given;
  *eps = *eps < least ? least : *eps;
  if (*eps != known->eps) {
    known->eps = *eps;
    known->number = hunt ? penalty_hunt_number(*eps) : penalty_damping_ratio(*eps, o->clamp);
  }
  return known->number;
}

/* Whether the damping along n is told, and not to follow from eps_N. */
static int is_damping_given(const struct penalty_options *o) {
  return penalty_is_hunt(o) ? o->chi >= 0 : o->D >= 0;
}

/* Of -d f_N / d gamma_N in a block what the configuration says: all of it [N s/m], or where it
 * depends on the speed the inverse of the effective mass [1/kg]. 0: none, as of a contact whose
 * bodies cannot move. inverse: of the masses along n (n). */
static void find_dampings(struct penalty_flow *flow, struct penalty_known *known, int first, int n,
                          const double *inverse) {
  const struct penalty_options *o = flow->options;
  const double exponent = penalty_exponent(o), K = 0.5 * (exponent + 1) * o->K;
  const int hunt = penalty_is_hunt(o), given = is_damping_given(o);
  double *damping = flow->place.damping + first;
  double number[PENALTY_BLOCK], root[PENALTY_BLOCK];
  for (int k = 0; k < n; ++k) {
    double stiffness, eps;
    const double pen = penalty_penetration(flow, first + k, &stiffness);
    root[k] = exponent > 1 ? sqrt(sqrt(pen)) : 1;
    number[k] = given ? 0 : number_of(flow, known, first + k, &eps);
    damping[k] = hunt ? o->chi * (stiffness * pen) : o->D * root[k];
  }
  for (int k = 0; k < n && !given; ++k) {
    const double viscous = 2 * number[k] * sqrt(K / inverse[k]) * root[k];
    const double one = hunt ? inverse[k] : viscous;
    damping[k] = (number[k] > 0) & (inverse[k] > 0) ? one : 0;
  }
}

double penalty_place_damping(const struct penalty_flow *flow, struct penalty_known *known, int i,
                             double pen, double spring, double v) {
  const double there = flow->place.damping[i];
  double eps;
  if (there == 0) {
    return 0;
  }
  const double number = number_of(flow, known, i, &eps), n = penalty_exponent(flow->options);
  const double speed = penalty_hunt_speed(number, eps, v, spring * pen / (n + 1) * there);
  return speed > 0 ? number / speed * spring : 0;
}

void penalty_place_find(struct penalty_flow *flow, const struct mech_bilateral *b,
                        struct penalty_known *known, int first, int n) {
  const struct penalty_options *o = flow->options;
  const int has_springs = flow->history.width > 0;
  /* Effective masses are for dampings alone. */
  const int needs_none = is_damping_given(o) && (!has_springs || o->D_T >= 0);
  double along[PENALTY_BLOCK], across[PENALTY_BLOCK];
  for (int k = 0; k < n; ++k) {
    double inverse[2] = {0};
    if (!needs_none && flow->touch.active[first + k]) {
      inverse_masses(flow, b, first + k, has_springs, inverse);
    }
    along[k] = inverse[0], across[k] = inverse[1];
  }
  find_dampings(flow, known, first, n, along);
  if (has_springs) {
    penalty_spring_place(flow, known, first, n, across);
  }
}
