/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sparse elimination of bilateral constraints and divide and conquer against the dense one, on
 * random chains, trees, stars, loops and ladders, also with redundant joints; factors of hubs and
 * long chains, which must not fill in. And mechanics: constraints hold, and momentum is conserved.
 */
#include "tests/test.h"

#include "form/dca/mcp.h"
#include "form/delassus.h"
#include "la/dense.h"
#include "la/rank.h"
#include "mech/bilateral/parts.h"
#include "tests/case_model.h"
#include "tests/form_run.h"
#include "tests/impulse_model.h"
#include "tests/joint_model.h"

#include <stdio.h>

/* u: nu to W_S^T u + offset = 0; offset: ns or NULL. */
static void constrain(const struct elimination *e, const double *offset, double *u,
                      struct base_arena *arena) {
  const int ns = e->bilateral->ns;
  double *rate = base_arena_doubles(arena, ns);
  mech_bilateral_velocity(e->bilateral, u, rate);
  if (offset != NULL) {
    la_axpy(ns, 1, offset, rate);
  }
  mech_bilateral_eliminate(e->bilateral, 1, rate, u);
}

static int bodies_with_contacts(const struct mech_contacts *c, int nb) {
  int count = 0;
  for (int b = 0; b < nb; ++b) {
    int touched = 0;
    for (int i = 0; i < 2 * c->n; ++i) {
      touched |= c->body[i] == b;
    }
    count += touched;
  }
  return count;
}

/* Velocities under random offsets of that size, responses, A by the dense elimination, the sparse
 * one and divide and conquer, A from both of its mixed problems. */
static void compare(const struct system *s, struct base_rng *rng, double size, const char *what) {
  const struct elimination *dense = eliminate(s, MECH_BILATERAL_DENSE, 0);
  const struct elimination *sparse = eliminate(s, MECH_BILATERAL_SPARSE, 0);
  struct form_dca *dca = form_dca_alloc(s->m, 1, s->arena);
  const int nu = s->m->nu, ns = s->m->ns, n = dense->contacts.dim * dense->contacts.n;
  int rank = 0;
  form_dca_assemble(dca, s->q, dense->L);
  for (int k = 0; k < dca->n_nodes; ++k) {
    rank += dca->node[k].rank;
  }
  CHECK(sparse->bilateral->sparse != NULL && dense->bilateral->sparse == NULL);
  CHECK_MESSAGE(sparse->bilateral->rank == dense->bilateral->rank &&
                    rank == dense->bilateral->rank &&
                    sparse->bilateral->dependent == dense->bilateral->dependent,
                "%s: rank %d, %d, %d dependent; dense %d, %d", what, sparse->bilateral->rank, rank,
                sparse->bilateral->dependent, dense->bilateral->rank, dense->bilateral->dependent);
  double *start = random_numbers(rng, nu, s->arena), *u[3], *f[3], *a[3];
  double *offset = random_numbers(rng, ns, s->arena), *r = random_numbers(rng, n, s->arena);
  for (int i = 0; i < ns; ++i) {
    offset[i] *= size;
  }
  for (int k = 0; k < 3; ++k) {
    u[k] = base_arena_doubles(s->arena, nu);
    f[k] = base_arena_doubles(s->arena, nu);
    a[k] = base_arena_matrix(s->arena, n, n);
    la_copy(nu, start, u[k]);
    if (k < 2) {
      const struct elimination *e = k == 0 ? dense : sparse;
      constrain(e, offset, u[k], s->arena);
      form_delassus_respond(&e->delassus, r, f[k]);
      problem_operator_dense(&e->delassus.A, a[k], s->arena); /* of many contacts it is factors */
      CHECK_LE(problem_operator_asymmetry(&e->delassus.A, s->arena), 0);
    } else {
      form_dca_constrain(dca, offset, u[k]);
      form_dca_respond(dca, &dense->contacts, r, f[k]);
    }
    CHECK_MESSAGE(apart(nu, u[0], u[k]) < 1e-10, "%s, way %d: velocities %.3g apart", what, k,
                  apart(nu, u[0], u[k]));
    CHECK_MESSAGE(apart(nu, f[0], f[k]) < 1e-10, "%s, way %d: responses %.3g apart", what, k,
                  apart(nu, f[0], f[k]));
  }
  for (int way = 1; way < 4; ++way) {
    struct form_mcp mcp;
    if (way > 1) {
      form_mcp_build(dca, &dense->contacts, (enum form_mcp_kind)(way - 2), s->arena, &mcp);
      CHECK_INT(mcp.n_handles, /* 12 free unknowns in space, 12 + 6 B_u in (33) */
                2 + (way == 3 ? bodies_with_contacts(&dense->contacts, s->m->nb) : 0));
      CHECK(way == 2 || la_norm_inf(n * n, mcp.direct) == 0); /* contacts in (33) meet in rows */
      form_mcp_condense(&mcp, a[2]);
    }
    const double *other = a[way == 1 ? 1 : 2];
    CHECK_MESSAGE(apart(n * n, a[0], other) < 1e-10, "%s, way %d: A %.3g apart", what, way,
                  apart(n * n, a[0], other));
  }
}

TEST(every_elimination_is_the_dense_one) {
  static const char *const names[SHAPES] = {"chain", "tree", "star", "loop", "ladder"};
  struct base_rng *rng = test_rng(0);
  for (int round = 0; round < 120; ++round) {
    const enum shape shape = (enum shape)(round % SHAPES);
    const int planar = round % 3 == 2, n = 2 + base_rng_below(rng, 39), contacts = round % 7;
    const int loose = shape == LOOP || shape == LADDER; /* nothing redundant there */
    struct system s = random_system(rng, planar ? MECH_PLANAR : MECH_SPATIAL, shape,
                                    loose && n < 5 ? 5 : n, loose ? 0 : -1, contacts, round % 2);
    char what[64];
    snprintf(what, sizeof what, "%s %s of %d, round %d", planar ? "planar" : "spatial",
             names[shape], s.m->nb, round);
    compare(&s, rng, 1, what);
  }
}

/* Bars on parallel axes in a loop, each joint `copies` times, about a hub or in a ring. */
static struct system bars(struct base_rng *rng, int n, int copies, int hub) {
  struct system s = {.arena = test_arena()};
  struct mech_assembly *a = mech_assembly_alloc(MECH_SPATIAL, "bars", s.arena);
  const int steel = mech_assembly_material(a, &(struct mech_material){.mu = 0.3});
  double *x = base_arena_doubles(s.arena, 3 * n);
  for (int b = 0; b < n; ++b) {
    const double angle = 2 * M_PI * (b + 0.2 * base_rng_uniform(rng, -1, 1)) / n;
    x[3 * b] = b == 0 && hub ? 0 : 0.1 * n * cos(angle);
    x[3 * b + 2] = b == 0 && hub ? 0 : 0.1 * n * sin(angle);
    const double mass = exp(base_rng_normal(rng));
    mech_assembly_body(a, &(struct mech_body){.mass = mass,
                                              .inertia = {0.1 * mass, 0.12 * mass, 0.15 * mass},
                                              .position = {x[3 * b], 0, x[3 * b + 2]}});
    add_sphere(a, b, b < 3 ? 0.05 : 0.01, steel);
  }
  for (int b = hub ? 1 : 0; b < n; ++b) {
    const int to = hub ? 0 : (b + n - 1) % n;
    struct mech_joint j = {.kind = MECH_JOINT_REVOLUTE, .body = {to, b}, .axis = {0, 1, 0}};
    for (int i = 0; i < 3; ++i) {
      j.point[i] = 0.5 * (x[3 * to + i] + x[3 * b + i]);
    }
    for (int k = 0; k < copies; ++k) {
      mech_assembly_joint(a, &j);
    }
  }
  add_halfspace(a, -1, -0.1 * n - 0.2, steel);
  system_finish(&s, a);
  return s;
}

/* A loop of bars on parallel axes has 3 rows too many, a joint made twice 5. */
TEST(redundant_joints_are_counted_and_leave_velocities_alone) {
  struct base_rng *rng = test_rng(0);
  for (int round = 0; round < 12; ++round) {
    const int hub = round % 2, copies = 1 + round / 2 % 2, n = 4 + 5 * (round / 4);
    struct system s = bars(rng, n, copies, hub);
    const int joints = hub ? n - 1 : n;
    CHECK_INT(eliminate(&s, MECH_BILATERAL_SPARSE, 0)->bilateral->dependent,
              (hub ? 0 : 3) + 5 * (copies - 1) * joints);
    compare(&s, rng, 0, hub ? "hub" : "ring");
  }
}

/* W_S^T u = 0 afterwards, and free bodies keep their momentum: joints push both ways. */
TEST(joints_hold_and_keep_momentum) {
  struct base_rng *rng = test_rng(0);
  for (int round = 0; round < 10; ++round) {
    struct system s = round < SHAPES
                          ? random_system(rng, MECH_SPATIAL, (enum shape)round, 400, 0, 2, 0)
                          : bars(rng, 40, 2, round % 2);
    const struct elimination *e = eliminate(&s, MECH_BILATERAL_SPARSE, 0);
    const int nu = s.m->nu, ns = s.m->ns;
    double *u = random_numbers(rng, nu, s.arena), *before = base_arena_doubles(s.arena, nu);
    double *rate = base_arena_doubles(s.arena, ns), *M = base_arena_doubles(s.arena, nu);
    s.m->ops->bodies.mass_diagonal(s.m, s.q, M);
    la_copy(nu, u, before);
    constrain(e, NULL, u, s.arena);
    mech_bilateral_velocity(e->bilateral, u, rate);
    CHECK_MESSAGE(la_norm_inf(ns, rate) <= 1e-11 * la_norm_inf(nu, before),
                  "round %d: joints miss %.3g of the velocities", round,
                  la_norm_inf(ns, rate) / la_norm_inf(nu, before));
    CHECK(la_norm_inf(nu, u) > 0);
    for (int axis = 0; axis < 3; ++axis) {
      double change = 0, size = 0;
      for (int b = 0; b < s.m->nb; ++b) {
        const int i = 6 * b + axis;
        change += M[i] * (u[i] - before[i]);
        size += fabs(M[i] * (u[i] - before[i]));
      }
      CHECK_LE(fabs(change), 1e-12 * size);
    }
  }
}

/* Entries of the factor a constraint, of long chains and of hubs: they do not grow. */
TEST(factors_of_chains_and_hubs_do_not_fill_in) {
  struct base_rng *rng = test_rng(0);
  for (int shape = 0; shape < 2; ++shape) {
    double entries[2];
    for (int k = 0; k < 2; ++k) {
      struct system s =
          random_system(rng, MECH_SPATIAL, shape == 0 ? CHAIN : STAR, k == 0 ? 250 : 1000, 0, 0, 0);
      const struct elimination *e = eliminate(&s, MECH_BILATERAL_AUTO, 0);
      entries[k] = (double)la_ldl_entries(e->bilateral->sparse->ldl) / s.m->ns;
    }
    CHECK_LE(entries[1], 1.1 * entries[0]);
    CHECK_LE(entries[1], 40); /* of a full factor: 1500 */
  }
}

/* What comes out at a configuration does not depend on where the system was before. */
TEST(configurations_before_leave_no_trace) {
  struct base_rng *rng = test_rng(0);
  struct system s = bars(rng, 12, 2, 0);
  const struct elimination *fresh = eliminate(&s, MECH_BILATERAL_SPARSE, 0);
  const struct elimination *used = eliminate(&s, MECH_BILATERAL_SPARSE, 0);
  const int nu = s.m->nu, ns = s.m->ns;
  double *q = base_arena_doubles(s.arena, s.m->nq), *x = random_numbers(rng, ns, s.arena);
  double *y = base_arena_doubles(s.arena, ns), *u = base_arena_doubles(s.arena, nu);
  for (int i = 0; i < s.m->nq; ++i) {
    q[i] = s.q[i] + 0.3 * base_rng_normal(rng); /* off the constraints: others depend */
  }
  CHECK_OK(mech_bilateral_build(used->bilateral, q, used->L));
  CHECK(used->bilateral->dependent != fresh->bilateral->dependent);
  CHECK_OK(mech_bilateral_build(used->bilateral, s.q, used->L));
  la_copy(ns, x, y);
  mech_bilateral_solve(fresh->bilateral, 1, x);
  mech_bilateral_solve(used->bilateral, 1, y);
  CHECK(memcmp(x, y, (size_t)ns * sizeof *x) == 0);
  /* and a state that is not finite is told by what follows from it */
  q[3] = NAN;
  CHECK_OK(mech_bilateral_build(used->bilateral, q, used->L));
  CHECK_INT(used->bilateral->rank, -1);
  mech_bilateral_eliminate(used->bilateral, 1, y, u);
  CHECK(!la_all_finite(nu, u));
}

/* ---- steps ---- */

TEST(steps_do_not_depend_on_the_elimination) {
  static const char *const forms[] = {"ncp", "moreau", "ccp", "mdp", "lcp-st", "lcp-ap"};
  struct base_rng *rng = test_rng(0);
  int contacts = 0;
  for (int round = 0; round < 12; ++round) {
    struct system s = random_system(rng, round % 4 == 3 ? MECH_PLANAR : MECH_SPATIAL,
                                    round % 4 == 2 ? LOOP : (enum shape)(round % 2), 8 + round, 0,
                                    3, round % 3 == 0);
    const double dt = 2e-3;
    struct run *run[3];
    static const char *const ways[] = {"dense", "sparse", "dca"};
    for (int k = 0; k < 3; ++k) {
      run[k] = run_begin(forms[round % 6], s.m, dt, s.q, s.u);
      run_set(run[k], "joints=%s", ways[k]);
      run[k]->setup.loop.tol = 1e-14;
    }
    for (int step = 0; step < 4; ++step) {
      for (int k = 0; k < 3; ++k) {
        run_step(run[k], dt);
        contacts += run[k]->last.contacts;
        CHECK_MESSAGE(apart(s.m->nu, run[0]->state.u, run[k]->state.u) < 1e-9,
                      "%s, round %d, %s: velocities %.3g apart", forms[round % 6], round, ways[k],
                      apart(s.m->nu, run[0]->state.u, run[k]->state.u));
      }
    }
  }
  CHECK(contacts > 50);
}

/* Hand-written models bring dense matrices: the same integrator takes them as one block. */
TEST(consistent_steps_take_hand_written_models) {
  static const char *const names[] = {"overbalanced-wheel", "double-pendulum"};
  for (int k = 0; k < 2; ++k) {
    const struct case_instance c = case_model_build(names[k], "", test_arena());
    const double dt = 1e-3;
    struct run *run = run_begin("consistent-quaternion", c.mech, dt, c.q, c.u);
    for (int step = 0; step < 5; ++step) {
      run_step(run, dt);
      CHECK_OK(run->status);
      CHECK_LE(run->last.newton, 1e-12);
    }
  }
}

/* ---- sparse QR ---- */

TEST(dependent_columns_of_a_sparse_matrix) {
  /* a, b, a + b, c, zero, and a again but for 1e-4 in a row of its own */
  const int col_ptr[] = {0, 2, 4, 7, 8, 8, 11};
  const int row[] = {0, 1, 1, 2, 0, 1, 2, 3, 0, 1, 4};
  const double value[] = {1, 2, 3, -1, 1, 5, -1, 2, 1, 2, 1e-4};
  int dependent[6];
  CHECK_INT(la_rank_columns(5, 6, col_ptr, row, value, 1e-8, dependent), 4);
  CHECK_INT(dependent[0] + dependent[1] + dependent[2] + dependent[5], 1);
  CHECK_INT(dependent[3], 0);
  CHECK_INT(dependent[4], 1);
  CHECK_INT(la_rank_columns(5, 6, col_ptr, row, value, 1e-3, dependent), 3);
}
