/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bilateral constraints that stay in the one-step problem (joints=free), with P = [D G] and
 * multipliers lambda_B in the cone R (negrut 8, 10, 11):
 *
 *   C contains nu = (r, lambda_B), perpendicular to N nu + p in C*,   N = P^T M^-1 P,
 *   C = K_mu x ... x R x ...,   p = (W^T u_free + s, W_S^T u_free + offset)
 *
 * A free unknown is the difference of two that are not negative, lambda = r^+ - r^-, of which one
 * has the direction W_S and the other -W_S: two contacts without friction, v = 0 being v >= 0 and
 * -v >= 0. So every law and every solver takes the problem as it is. N is singular then, by r^+ =
 * r^- and by each constraint that depends on others: lambda_B is not unique, u is where it is under
 * the law (under the convex relaxation always). To have the same u as by elimination is what this
 * is for; it costs the solvers sweeps, or pivots, that elimination saves.
 *
 * Constraints that depend on others must agree with them: drifts g_S/dt that contradict each other,
 * as those of second order do, leave the problem without a solution, and steps unconverged at that
 * size. Elimination holds the independent ones. Multipliers begin at zero in each step.
 */
#include "form/elimination/elimination.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "form/delassus.h"
#include "la/dense.h"

struct kept {
  const struct mech *m;
  struct base_arena *arena;
  const double *L;
  struct mech_joints joints;
  double *offset;  /* ns */
  const double *r; /* dim 2 ns, of the joints, from the last solve; its scratch */
};

static void *kept_alloc(const struct form_setup *setup,
                        const struct form_elimination_choice *choice) {
  struct kept *w = base_arena_push(setup->arena, sizeof *w);
  (void)choice;
  *w = (struct kept){.m = setup->mech,
                     .arena = setup->arena,
                     .joints = mech_joints_alloc(setup->mech, setup->arena),
                     .offset = base_arena_doubles(setup->arena, setup->mech->ns)};
  return w;
}

static int kept_build(void *workspace, const double *q, const double *L, double compliance) {
  (void)compliance;
  struct kept *w = workspace;
  w->L = L;
  return mech_joints_place(w->m, q, &w->joints, w->arena);
}

/* The free motion stays free. */
static void kept_constrain(void *workspace, const double *offset, double *u) {
  const struct kept *w = workspace;
  (void)u;
  la_copy(w->m->ns, offset, w->offset);
}

static int kept_response(void *workspace, const struct mech_contacts *contacts, int n_lcp,
                         struct base_arena *arena, struct problem_operator *A) {
  const struct kept *w = workspace;
  struct form_delassus delassus;
  (void)n_lcp;
  form_delassus_build(w->m, w->L, NULL, contacts, arena, &delassus);
  *A = delassus.A;
  return 0;
}

/* Column of constraint i on its body k, nv. */
static const double *column(const struct kept *w, int i, int k) {
  return w->joints.W + (2 * (size_t)i + (size_t)k) * (size_t)w->m->nv;
}

/* W of contacts and, behind them, of the joints' pairs, and their bodies: blocks nv x dim. */
static void place_directions(const struct kept *w, const struct mech_contacts *c, double *W,
                             int *body, struct base_arena *arena) {
  const size_t nv = (size_t)w->m->nv, block = nv * (size_t)c->dim, n = (size_t)c->n;
  if (n > 0) {
    memcpy(W, form_delassus_directions(c, arena), 2 * n * block * sizeof *W);
    memcpy(body, c->body, 2 * n * sizeof *body);
  }
  for (int i = 0; i < w->m->ns; ++i) {
    for (size_t e = 0; e < 4; ++e) { /* on both bodies with W_S, then with -W_S */
      const size_t at = 2 * (n + 2 * (size_t)i) + e;
      body[at] = w->joints.body[2 * i + (int)(e % 2)];
      if (body[at] >= 0) {
        la_axpy((long)nv, e < 2 ? 1 : -1, column(w, i, (int)(e % 2)), W + at * block);
      }
    }
  }
}

/* N by bodies, and as a matrix where that is small. */
static void build_operator(const struct kept *w, const struct mech_contacts *c, int nc,
                           struct base_arena *arena, struct problem_operator *A) {
  const size_t block = (size_t)w->m->nv * (size_t)c->dim, sides = 2 * (size_t)nc;
  double *W = base_arena_doubles(arena, (int)(sides * block));
  double *minv_w = base_arena_array(arena, sides, block, sizeof *minv_w);
  int *body = base_arena_ints(arena, (int)sides);
  place_directions(w, c, W, body, arena);
  memcpy(minv_w, W, sides * block * sizeof *W);
  for (size_t e = 0; e < sides; ++e) {
    if (body[e] >= 0) {
      mech_mass_solve_block(w->m, w->L, body[e], c->dim, minv_w + e * block);
    }
  }
  *A = (struct problem_operator){.kind = PROBLEM_OPERATOR_BODIES,
                                 .dim = c->dim,
                                 .nc = nc,
                                 .nb = w->m->nb,
                                 .nv = w->m->nv,
                                 .body = body,
                                 .w = W,
                                 .minv_w = minv_w};
  form_delassus_make_dense_if_small(A, arena);
}

/* W_S^T u + offset of constraint i, zero within rounding: by that much dependent constraints may
 * contradict each other, which no impulse resolves. */
static double rate_of(const struct kept *w, int i, const double *u, double rounding) {
  double rate = w->offset[i];
  for (int k = 0; k < 2; ++k) {
    const int b = w->joints.body[2 * i + k];
    rate += b >= 0 ? la_dot(w->m->nv, column(w, i, k), u + (long)b * w->m->nv) : 0;
  }
  return fabs(rate) > rounding ? rate : 0;
}

static double *kept_extend(void *workspace, const struct mech_contacts *c, const double *u_free,
                           double rounding, const double *r, struct base_arena *arena,
                           struct problem *p) {
  struct kept *w = workspace;
  const int dim = c->dim, nc = c->n + 2 * w->m->ns;
  double *b = base_arena_matrix(arena, dim, nc), *all = base_arena_matrix(arena, dim, nc);
  double *mu = base_arena_doubles(arena, nc);
  la_copy((long)dim * c->n, p->b, b);
  la_copy((long)dim * c->n, r, all);
  la_copy(c->n, p->model.mu, mu);
  for (int i = 0; i < w->m->ns; ++i) {
    double *pair = b + (size_t)dim * (size_t)(c->n + 2 * i);
    pair[0] = rate_of(w, i, u_free, rounding);
    pair[dim] = -pair[0];
  }
  p->model.nc = nc;
  p->model.mu = mu;
  p->b = b;
  build_operator(w, c, nc, arena, &p->A);
  w->r = all + (size_t)dim * (size_t)c->n;
  return all;
}

static void kept_respond(void *workspace, const struct mech_contacts *contacts, const double *r,
                         double *du) {
  const struct kept *w = workspace;
  const size_t dim = (size_t)contacts->dim;
  memset(du, 0, (size_t)w->m->nu * sizeof *du);
  mech_contacts_force(contacts, r, du);
  for (int i = 0; i < w->m->ns; ++i) {
    const double lambda = w->r[2 * dim * (size_t)i] - w->r[2 * dim * (size_t)i + dim];
    for (int k = 0; k < 2; ++k) {
      const int b = w->joints.body[2 * i + k];
      if (b >= 0) {
        la_axpy(w->m->nv, lambda, column(w, i, k), du + (long)b * w->m->nv);
      }
    }
  }
  mech_mass_solve(w->m, w->L, 1, du);
}

const struct form_elimination form_elimination_none = {.stay = 1,
                                                       .alloc = kept_alloc,
                                                       .build = kept_build,
                                                       .constrain = kept_constrain,
                                                       .response = kept_response,
                                                       .extend = kept_extend,
                                                       .respond = kept_respond};
