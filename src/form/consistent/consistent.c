/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Core of the consistent integrators: what they need of a system, the closed contacts of a step,
 * and the impacts at fixed coordinates (moeller 5.106),
 *
 *   M (u^C - u^B) - W_S Lambda_S - W Lambda = 0,   W_S^T u^C = 0,
 *   W_i^T (u^C + eps_i u^B) in N_{D_i}(-Lambda_i),
 *
 * with the bilateral constraints eliminated as in (5.117) to (5.122). Directions are those of the
 * mech contract, in u-space: W here is Q^-T W there.
 *
 * Deviations: the constraint velocities at the start are kept in (5.118) instead of being taken for
 * zero, so that rounding in W_S^T u^B does not live on; dependent constraints are allowed here.
 *
 * Damping forces must come as a matrix D with f_q = -D qdot (5.123): the energy balance rests on
 * it. Forces without potential or damping matrix (ops->applied) are taken at the start of a step;
 * their work is (Q (q^E - q^B))^T f.
 */
#include "form/consistent/consistent.h"

#include "base/status.h"
#include "form/delassus.h"
#include "la/dense.h"
#include "mech/by_body.h"
#include "problem/ncp.h"

#include <math.h>
#include <string.h>

enum contact_law form_consistent_law(const struct form_setup *setup) {
  return setup->mech->friction_sets ? CONTACT_LAW_CONE : CONTACT_LAW_NCP;
}

int form_consistent_refuse(const struct form_setup *setup) {
  const struct mech *m = setup->mech;
  if (m->clock != NULL) {
    return base_fail(BASE_UNSUPPORTED,
                     "constraints depend on time; the discrete derivatives of moeller 5.1 are by "
                     "the coordinates alone");
  }
  if (m->ops->damping != NULL && m->ops->consistent.damping_matrix == NULL) {
    return base_fail(BASE_UNSUPPORTED,
                     "needs damping forces as a matrix, f_q = -D qdot (moeller 5.123)");
  }
  return BASE_OK;
}

int form_consistent_check(const struct form_setup *setup) {
  const struct mech *m = setup->mech;
  const struct mech_ops *ops = m->ops;
  if (form_consistent_refuse(setup) != BASE_OK) {
    return BASE_UNSUPPORTED;
  }
  if (m->nq != m->nu) {
    return base_fail(BASE_UNSUPPORTED,
                     "needs as many velocities as coordinates (moeller 3.41); this system has %d "
                     "and %d",
                     m->nu, m->nq);
  }
  if (!m->constant_mass) {
    return base_fail(BASE_UNSUPPORTED,
                     "needs a constant mass matrix in u (decomposed kinetic energy, moeller 3.40)");
  }
  if ((ops->kinematics != NULL) != (ops->consistent.decomposition != NULL)) {
    return base_fail(BASE_UNSUPPORTED,
                     "needs Q(q) of the decomposed kinetic energy beside F = Q^-1 (moeller 3.54)");
  }
  return BASE_OK;
}

int form_consistent_check_rates(const struct form_setup *setup) {
  if (setup->mech->ops->kinematics != NULL) {
    return base_fail(BASE_UNSUPPORTED,
                     "needs velocities that are the rates of the coordinates, u = qdot (moeller "
                     "5.30); consistent-decomposed takes others");
  }
  return form_consistent_check(setup);
}

int form_consistent_check_quaternion(const struct form_setup *setup) {
  const struct mech *m = setup->mech;
  const struct mech_ops *ops = m->ops;
  if (form_consistent_refuse(setup) != BASE_OK) {
    return BASE_UNSUPPORTED;
  }
  if (!m->constant_mass) {
    return base_fail(BASE_UNSUPPORTED, "needs a constant mass matrix (moeller 5.131)");
  }
  if (ops->kinematics != NULL && ops->consistent.velocity_gyro == NULL) {
    return base_fail(BASE_UNSUPPORTED,
                     "needs gyroscopic forces as a matrix of the velocities, -H(u) u (moeller "
                     "5.132)");
  }
  return BASE_OK;
}

int form_consistent_refuse_contacts(const struct form_setup *setup, const double *q,
                                    const char *equation) {
  const struct mech *m = setup->mech;
  if (m->ops->contacts == NULL) {
    return BASE_OK;
  }
  const struct base_arena_mark mark = base_arena_mark(setup->arena);
  struct mech_contacts all;
  mech_contacts_init(&all, m, setup->arena);
  mech_contacts_find(m, q, NULL, INFINITY, &all);
  const int n = all.n;
  base_arena_release(setup->arena, mark);
  if (n > 0) {
    return base_fail(BASE_UNSUPPORTED,
                     "formulated without contacts (moeller %s); this system has %d", equation, n);
  }
  return BASE_OK;
}

/* --- workspace --- */

void form_consistent_reserve(struct form_consistent *c, int n) {
  if (n <= c->capacity) {
    return;
  }
  struct base_arena *arena = c->setup.arena;
  const int dim = c->mech->dim, capacity = n > 2 * c->capacity ? n : 2 * c->capacity;
  long *id = base_arena_longs(arena, capacity);
  double *impact = base_arena_matrix(arena, dim, capacity);
  double *motion = base_arena_matrix(arena, dim, capacity);
  for (int i = 0; i < c->n_last; ++i) {
    id[i] = c->id_last[i];
  }
  if (c->n_last > 0) {
    la_copy((long)dim * c->n_last, c->impact_last, impact);
    la_copy((long)dim * c->n_last, c->motion_last, motion);
  }
  c->id_last = id;
  c->impact_last = impact;
  c->motion_last = motion;
  c->impact = base_arena_matrix(arena, dim, capacity);
  c->motion = base_arena_matrix(arena, dim, capacity);
  c->carrying = base_arena_longs(arena, capacity);
  c->carried = base_arena_matrix(arena, dim, capacity);
  c->alone = base_arena_doubles(arena, capacity);
  if (c->mech->friction_sets) {
    c->sets = base_arena_push(arena, (size_t)capacity * sizeof *c->sets);
  }
  c->capacity = capacity;
}

struct form_consistent *form_consistent_alloc(const struct form_setup *setup,
                                              const struct form_state *start,
                                              struct form_consistent_scheme scheme) {
  struct base_arena *arena = setup->arena;
  const struct mech *m = scheme.coordinates ? mech_by_coordinates(setup->mech, arena) : setup->mech;
  struct form_consistent *c = base_arena_push(arena, sizeof *c);
  *c = (struct form_consistent){.setup = *setup, .mech = m, .scheme = scheme};
  c->nq = m->nq;
  c->nu = m->nu;
  c->ns = m->ns;
  c->nr = scheme.rates ? m->ns : 0;
  c->unknowns = c->nq + c->nu + c->ns + c->nr;
  c->L = base_arena_push(arena, mech_mass_size(m) * sizeof *c->L);
  if (mech_mass_factor(m, start->q, c->L) != BASE_OK) {
    return NULL;
  }
  c->bilateral = mech_bilateral_alloc(m, MECH_BILATERAL_AUTO, arena);
  c->force_S = base_arena_doubles(arena, c->ns);
  c->left_out = base_arena_ints(arena, c->ns);
  c->J_left_out = base_arena_ints(arena, c->ns);
  mech_mass_blocks(m, start->q, &c->mass, arena);
  c->system = la_system_alloc(c->unknowns, arena);
  c->store = base_arena_child(arena);
  c->evaluation = base_arena_child(arena);
  c->evaluation_start = base_arena_mark(c->evaluation);
  la_blocks_init(&c->slope, mech_block_nu(m), mech_block_nq(m), c->store);
  mech_contacts_init(&c->closed, m, arena);
  /* all potential ones, so that no step has to grow anything */
  mech_contacts_find(m, start->q, NULL, INFINITY, &c->closed);
  form_consistent_reserve(c, c->closed.n);
  mech_contacts_clear(&c->closed);
  return c;
}

static void *alloc_with_contacts(const struct form_setup *setup, const struct form_state *start,
                                 int midpoint) {
  const struct form_consistent_options *options = setup->options;
  const struct form_consistent_scheme scheme = {
      .rates = 1, .midpoint = midpoint, .discrete_gap = options->W == FORM_CONSISTENT_DISCRETE};
  return form_consistent_alloc(setup, start, scheme);
}

void *form_consistent_alloc_rates(const struct form_setup *setup, const struct form_state *start) {
  return alloc_with_contacts(setup, start, 0);
}

void *form_consistent_alloc_quaternion(const struct form_setup *setup,
                                       const struct form_state *start) {
  return alloc_with_contacts(setup, start, 1);
}

/* --- closed contacts --- */

/* Index of id among the last step's closed contacts, -1 when it was open. */
static int find_last(const struct form_consistent *c, long id) {
  for (int i = 0; i < c->n_last; ++i) {
    if (c->id_last[i] == id) {
      return i;
    }
  }
  return -1;
}

void form_consistent_collect(struct form_consistent *c, const double *q,
                             struct form_report *report) {
  const struct mech *m = c->mech;
  const int dim = m->dim;
  c->is_placed = 0;
  mech_contacts_find(m, q, NULL, 0, &c->closed);
  form_consistent_reserve(c, c->closed.n);
  for (int i = 0; i < c->closed.n; ++i) {
    const int k = find_last(c, c->closed.id[i]);
    if (m->friction_sets) {
      c->sets[i] = problem_ncp_round(&c->closed.set[i]);
    }
    for (int d = 0; d < dim; ++d) {
      const int warm = k >= 0 && c->setup.warm_start;
      c->impact[i * dim + d] = warm ? c->impact_last[k * dim + d] : 0;
      c->motion[i * dim + d] = warm ? c->motion_last[k * dim + d] : 0;
    }
  }
  for (int i = 0; i < c->closed.n && c->ns > 0; ++i) {
    c->alone[i] = form_delassus_alone(m, c->L, &c->closed, i, m->nv, c->setup.arena);
  }
  report->contacts = c->closed.n;
}

void form_consistent_finish(struct form_consistent *c, struct form_report *report) {
  const int dim = c->mech->dim, n = c->closed.n;
  report->n_carrying = 0;
  for (int i = 0; i < n; ++i) {
    c->id_last[i] = c->closed.id[i];
    if (c->impact[i * dim] + c->motion[i * dim] > 0) {
      double *r = c->carried + (size_t)dim * (size_t)report->n_carrying;
      la_copy(dim, c->impact + i * dim, r);
      la_axpy(dim, 1, c->motion + i * dim, r);
      if (dim == 4) { /* a torque again */
        r[3] *= problem_ncp_length(&c->closed.set[i]);
      }
      c->carrying[report->n_carrying++] = c->closed.id[i];
    }
  }
  if (n > 0) {
    la_copy((long)dim * n, c->impact, c->impact_last);
    la_copy((long)dim * n, c->motion, c->motion_last);
  }
  c->n_last = n;
  report->carrying = c->carrying;
  report->impulses = c->carried;
  report->internal_steps = 1;
}

void form_consistent_directions(const struct form_consistent *c, double *W) {
  const size_t nu = (size_t)c->nu, dim = (size_t)c->mech->dim, n = (size_t)c->closed.n;
  memset(W, 0, nu * dim * n * sizeof *W);
  for (size_t i = 0; i < n; ++i) {
    mech_contacts_add_columns(&c->closed, (int)i, W + i * dim * nu);
    for (size_t j = 0; dim == 4 && j < nu; ++j) {
      W[(i * dim + 3) * nu + j] *= problem_ncp_length(&c->closed.set[i]);
    }
  }
}

int form_consistent_smooth_step(void *workspace, struct form_state *state, double dt,
                                struct form_report *report) {
  struct form_consistent *c = workspace;
  const int status = form_consistent_motion(c, state->t, dt, state->q, state->u, 0, report);
  state->t += dt;
  report->internal_steps = 1;
  return status;
}

/* --- impacts --- */

int form_consistent_place(struct form_consistent *c, const double *q) {
  if (c->ns == 0 || c->is_placed) {
    return BASE_OK;
  }
  const int status = mech_bilateral_build(c->bilateral, q, c->L);
  if (status == BASE_OK) {
    mech_bilateral_leave_out(c->bilateral, c->left_out);
    c->is_placed = 1;
  }
  return status;
}

void form_consistent_eliminate(const struct form_consistent *c, int n, double *P, double *u) {
  const int nu = c->nu, ns = c->ns;
  if (ns == 0) {
    return;
  }
  const struct base_arena_mark mark = base_arena_mark(c->setup.arena);
  double *rate = base_arena_matrix(c->setup.arena, ns, (n + 1)); /* of unit impulses, and of u */
  for (int k = 0; k < n; ++k) {
    mech_bilateral_velocity(c->bilateral, P + (long)k * nu, rate + (long)k * ns);
  }
  mech_bilateral_velocity(c->bilateral, u, rate + (long)n * ns);
  mech_bilateral_eliminate(c->bilateral, n, rate, P);
  mech_bilateral_eliminate(c->bilateral, 1, rate + (long)n * ns, u);
  base_arena_release(c->setup.arena, mark);
}

void form_consistent_free(void *workspace) {
  const struct form_consistent *c = workspace;
  mech_bilateral_free(c->bilateral);
  la_system_free(c->system);
}

/* Work of the impulses r over the mean of v0 and v1 [J]; tangential parts into friction. */
static void count_work(const struct form_consistent *c, const double *r, const double *v0,
                       const double *v1, struct form_report *report) {
  const int dim = c->mech->dim;
  for (int k = 0; k < dim * c->closed.n; ++k) {
    const double work = 0.5 * r[k] * (v0[k] + v1[k]);
    if (k % dim == 0) {
      report->work.impact += work;
    } else {
      report->work.friction += work;
    }
  }
}

/* Impacts at q with the Newton law (5.105, 5.117-5.122); u: nu, before -> after. BASE_OK,
 * BASE_UNCONVERGED, or another positive status with a message. */
static int collide(struct form_consistent *c, const double *q, double *u,
                   struct form_report *report) {
  const int dim = c->mech->dim, nu = c->nu, n = dim * c->closed.n;
  if (n == 0) {
    return BASE_OK;
  }
  if (form_consistent_place(c, q) != BASE_OK) {
    return BASE_FAILED;
  }
  struct base_arena *arena = c->setup.arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *W = base_arena_matrix(arena, nu, n), *P = base_arena_matrix(arena, nu, n);
  double *A = base_arena_matrix(arena, n, n);
  double *before = base_arena_doubles(arena, n), *after = base_arena_doubles(arena, n);
  double *b = base_arena_doubles(arena, n), *xi = base_arena_doubles(arena, n);
  form_consistent_directions(c, W);
  la_copy((long)nu * n, W, P);
  mech_mass_solve(c->mech, c->L, n, P);
  la_gemv_t(nu, n, 1, W, u, 0, before);
  form_consistent_eliminate(c, n, P, u);
  la_gemm_t(n, n, nu, 1, W, P, 0, A);
  la_gemv_t(nu, n, 1, W, u, 0, b);
  for (int k = 0; k < n; ++k) {
    const int i = k / dim;
    b[k] += (k % dim == 0 ? c->closed.eps_N[i] : c->closed.eps_T[i]) * before[k];
  }
  const int status = form_consistent_include(c, c->setup.warm_start, A, b, c->impact, xi, report);
  if (status == BASE_OK || status == BASE_UNCONVERGED) {
    la_gemv(nu, n, 1, P, c->impact, 1, u);
    la_gemv_t(nu, n, 1, W, u, 0, after);
    count_work(c, c->impact, before, after, report);
    form_consistent_grade(c, A, b, c->impact, xi, report);
    ++report->solves;
    report->unconverged += status == BASE_UNCONVERGED;
  }
  base_arena_release(arena, mark);
  return status;
}

int form_consistent_step_in_two(void *workspace, struct form_state *state, double dt,
                                struct form_report *report) {
  struct form_consistent *c = workspace;
  form_consistent_collect(c, state->q, report);
  const int impact = collide(c, state->q, state->u, report);
  if (impact != BASE_OK && impact != BASE_UNCONVERGED) {
    return impact;
  }
  const int motion = form_consistent_motion(c, state->t, dt, state->q, state->u, 0, report);
  state->t += dt;
  form_consistent_finish(c, report);
  return motion == BASE_OK ? impact : motion;
}
