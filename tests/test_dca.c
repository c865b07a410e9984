/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Divide and conquer: steps with both mixed complementarity problems on random chains and trees in
 * space and in the plane, and their sizes; threads; long chains. That it eliminates as the dense
 * factors do is in test_bilateral.c.
 */
#include "tests/test.h"
#include "tests/trial.h"

#include "bench/job/job.h"
#include "bench/run/run.h"
#include "form/dca/mcp.h"
#include "form/delassus.h"
#include "la/dense.h"
#include "tests/form_run.h"
#include "tests/impulse_model.h"
#include "tests/joint_model.h"
#include "tests/solve_with.h"

#include <stdio.h>

static struct form_dca *dca_of(const struct system *s, const struct elimination *e) {
  struct form_dca *dca = form_dca_alloc(s->m, 1, s->arena);
  form_dca_assemble(dca, s->q, e->L);
  return dca;
}

/* A body that is not active takes its joints along. */
TEST(joints_of_inactive_bodies_hold_nothing) {
  struct base_rng *rng = test_rng(0);
  struct system s = random_system(rng, MECH_SPATIAL, CHAIN, 9, -1, 0, 1);
  mech_assembly_activate(mech_assembly_of(s.m), 4, 0);
  const struct elimination *e = eliminate(&s, MECH_BILATERAL_DENSE, 0);
  double *u = random_numbers(rng, s.m->nu, s.arena), *v = base_arena_doubles(s.arena, s.m->nu);
  double *rate = base_arena_doubles(s.arena, s.m->ns);
  la_copy(s.m->nu, u, v);
  s.m->ops->bodies.bilateral_rate(s.m, s.q, u, rate);
  mech_bilateral_eliminate(e->bilateral, 1, rate, u);
  form_dca_constrain(dca_of(&s, e), NULL, v);
  CHECK_LE(apart(s.m->nu, u, v), 1e-12);
}

/* Contacts on the two ends alone: (32) as it stands in the source, without rows of other impulses
 * (32d) and without a velocity of its own (chi_2). */
TEST(contacts_on_terminal_bodies_need_no_rows_of_their_own) {
  struct base_rng *rng = test_rng(0);
  struct system s = random_system(rng, MECH_SPATIAL, CHAIN, 9, -1, 0, 0);
  struct form_dca *dca = dca_of(&s, eliminate(&s, MECH_BILATERAL_DENSE, 0));
  struct mech_contacts contacts;
  CHECK_INT(dca->terminal[0], 0);
  CHECK_INT(dca->terminal[1], 8);
  struct mech_ops ops = *s.m->ops;
  struct mech any = *s.m;
  any.ops = &ops;
  ops.bodies.rigid = NULL; /* for directions that no frame and arm give */
  mech_contacts_init(&contacts, &any, s.arena);
  for (int end = 0; end < 3; ++end) { /* and one in between */
    const int i = mech_contacts_push(&contacts);
    contacts.id[i] = i;
    contacts.mu[i] = 0.3;
    contacts.body[2 * i] = end == 2 ? 4 : 8 * end;
    contacts.body[2 * i + 1] = -1;
    base_rng_normals(rng, 18, mech_contacts_block(&contacts, i, 0));
    struct form_mcp mcp;
    form_mcp_build(dca, &contacts, FORM_MCP_SMALL, s.arena, &mcp);
    CHECK((la_norm_inf(mcp.n * mcp.n, mcp.direct) > 0) == (end == 2));
  }
}

/* ---- steps ---- */

TEST(steps_are_those_of_lcp_st) {
  struct base_rng *rng = test_rng(0);
  int contacts = 0;
  for (int round = 0; round < 16; ++round) {
    const int planar = round % 4 == 3;
    struct system s = random_system(rng, planar ? MECH_PLANAR : MECH_SPATIAL,
                                    round % 4 == 2 ? LOOP : (enum shape)(round % 2),
                                    6 + base_rng_below(rng, 12), 0, round % 6, round % 3 == 0);
    const double dt = 2e-3, E = mech_kinetic(s.m, s.q, s.u, s.arena);
    struct run *st = run_begin("lcp-st", s.m, dt, s.q, s.u);
    struct run *small = run_begin("lcp-dca", s.m, dt, s.q, s.u);
    struct run *large = run_begin("lcp-dca", s.m, dt, s.q, s.u);
    run_set(large, "mcp=33");
    for (int k = 0; k < 5; ++k) {
      run_step(st, dt);
      run_step(small, dt);
      run_step(large, dt);
      contacts += st->last.contacts;
      CHECK_MESSAGE(apart(s.m->nu, st->state.u, small->state.u) < 1e-10 &&
                        apart(s.m->nu, st->state.u, large->state.u) < 1e-10,
                    "round %d, step %d: velocities %.3g, %.3g apart", round, k,
                    apart(s.m->nu, st->state.u, small->state.u),
                    apart(s.m->nu, st->state.u, large->state.u));
      CHECK_NEAR(small->last.work.friction, st->last.work.friction, 1e-10 * E);
      CHECK_NEAR(small->last.work.impact, st->last.work.impact, 1e-10 * E);
      CHECK_INT(st->last.mcp, 0);
      const int X = small->last.contacts, six = planar ? 3 : 6;
      CHECK_INT(small->last.mcp, X > 0 ? 2 * six + (planar ? 4 : 2 + 8) * X : 0);
      CHECK(large->last.mcp >= small->last.mcp + (X > 0 ? six : 0));
    }
  }
  CHECK(contacts > 50);
}

TEST(threads_leave_every_bit_alone) {
  struct base_rng *rng = test_rng(0);
  for (int shape = CHAIN; shape <= TREE; ++shape) {
    struct system s = random_system(rng, MECH_SPATIAL, (enum shape)shape, 400, 0, 5, 1);
    struct run *one = run_begin("lcp-dca", s.m, 1e-3, s.q, s.u);
    struct run *four = run_begin("lcp-dca", s.m, 1e-3, s.q, s.u);
    run_set(four, "threads=4");
    for (int k = 0; k < 3; ++k) {
      run_step(one, 1e-3);
      run_step(four, 1e-3);
    }
    CHECK(memcmp(one->state.u, four->state.u, (size_t)s.m->nu * sizeof(double)) == 0);
    CHECK(memcmp(one->state.q, four->state.q, (size_t)s.m->nq * sizeof(double)) == 0);
  }
}

/* Every node belongs to one part or is above them, parts are whole subtrees, and small
 * enough to be shared out. */
TEST(parts_of_the_tree_are_whole_subtrees) {
  struct base_rng *rng = test_rng(0);
  for (int shape = CHAIN; shape <= TREE; ++shape) {
    struct system s = random_system(rng, MECH_SPATIAL, (enum shape)shape, 400, 0, 0, 1);
    for (int threads = 1; threads <= 4; ++threads) {
      const struct form_dca *d = form_dca_alloc(s.m, threads, s.arena);
      int *part = base_arena_ints(s.arena, d->n_nodes), largest = 0;
      for (int p = 0; p < d->n_parts; ++p) {
        const int size = d->part[2 * p + 1] - d->part[2 * p];
        largest = size > largest ? size : largest;
        for (int k = d->part[2 * p]; k < d->part[2 * p + 1]; ++k) {
          CHECK_INT(part[k], 0);
          part[k] = p + 1;
        }
      }
      for (int i = 0; i < d->n_above; ++i) {
        CHECK_INT(part[d->above[i]], 0);
        CHECK(i == 0 || d->above[i] > d->above[i - 1]);
        part[d->above[i]] = -1;
      }
      for (int k = 0; k < d->n_nodes; ++k) {
        CHECK(part[k] != 0);
        for (int i = 0; i < 2 && d->node[k].block < 0; ++i) {
          const int child = d->node[k].child[i];
          CHECK(child < k && d->parent[child] == k);
          CHECK(part[k] < 0 || part[child] == part[k]);
        }
      }
      CHECK(threads > 1 || (d->n_parts == 1 && d->n_above == 0));
      CHECK(threads == 1 || largest * 4 * threads <= d->n_nodes);
    }
  }
}

TEST(models_that_are_no_assembly_are_refused) {
  struct points p = {.n = 2, .dim = 3, .m = {1, 1}};
  const struct mech m = points_mech(&p);
  CHECK_REFUSED(form_dca_check(&m), BASE_UNSUPPORTED, "assembly");
}

/* ---- many bodies ---- */

/* A hanging chain of n links in one line, at rest but for its last link. */
static struct system long_chain(int n, int shuffled) {
  struct system s = {.arena = test_arena()};
  struct mech_assembly *a = mech_assembly_alloc(MECH_SPATIAL, "chain", s.arena);
  mech_assembly_gravity(a, (double[]){0, 0, -9.81});
  for (int k = 0; k < n; ++k) {
    mech_assembly_body(a, &(struct mech_body){.mass = 1,
                                              .inertia = {0.1, 0.1, 0.02},
                                              .position = {0.2 * (k + 0.5), 0, 0}});
  }
  for (int k = 0; k < n; ++k) {
    const int j = shuffled ? (int)(((long)k * 1021) % n) : k; /* n a power of two */
    mech_assembly_joint(a, &(struct mech_joint){.body = {j - 1, j}, .point = {0.2 * j, 0, 0}});
  }
  system_finish(&s, a);
  return s;
}

TEST(chains_give_balanced_trees_of_two_handles) {
  for (int n = 64; n <= 4096; n *= 8) {
    struct system s = long_chain(n, 1);
    const struct form_dca *d = form_dca_alloc(s.m, 1, s.arena);
    int handles = 0;
    for (int k = 0; k < d->n_nodes; ++k) {
      handles = d->node[k].n_handles > handles ? d->node[k].n_handles : handles;
    }
    CHECK_INT(d->n_nodes, 2 * n - 1);
    CHECK_INT(handles, 2);
    CHECK_INT(1 << (d->n_heights - 1), n);
  }
}

/* What joints miss after a step that corrects them, over the velocities: rounding must not pile up
 * with the length of the chain. */
TEST(joints_of_long_chains_hold_to_rounding) {
  for (int n = 64; n <= 4096; n *= 8) {
    struct system s = long_chain(n, 0);
    struct run *run = run_begin("lcp-dca", s.m, 1e-3, s.q, s.u);
    double *g = base_arena_doubles(s.arena, s.m->ns), *rate = base_arena_doubles(s.arena, s.m->ns);
    double *q = base_arena_doubles(s.arena, s.m->nq), missed = 0;
    for (int k = 0; k < 20; ++k) {
      la_copy(s.m->nq, run->state.q, q);
      run_step(run, 1e-3);
      s.m->ops->bilateral(s.m, q, g);
      s.m->ops->bodies.bilateral_rate(s.m, q, run->state.u, rate);
      la_axpy(s.m->ns, 1 / 1e-3, g, rate);
      missed = fmax(missed, la_norm_inf(s.m->ns, rate) / la_norm_inf(s.m->nu, run->state.u));
    }
    printf("%d links: joints miss %.3g of the velocities\n", n, missed);
    CHECK_LE(missed, 1e-10);
  }
}

/* The mixed problem as it is, free unknowns among the others, and the pure LCP that is left of it:
 * one motion. */
TEST(mixed_problem_as_it_is_or_condensed) {
  static const char *const cells[][2] = {
      {"chain", "n=12 contacts=2"}, {"spatial-double-pendulum", ""}, {"chain", "n=6 contacts=1"}};
  for (int i = 0; i < 3; ++i) {
    for (int mcp = 32; mcp <= 33; ++mcp) {
      double u[2][256];
      int nu = 0;
      for (int k = 0; k < 2; ++k) {
        struct trial t;
        char opt[64];
        snprintf(opt, sizeof opt, "mcp=%d solved=%s tol=1e-12", mcp,
                 k == 0 ? "condensed" : "whole");
        const struct bench_request request = {.case_name = cells[i][0],
                                              .formulation = "lcp-dca",
                                              .dt = 1e-3,
                                              .t_end = 5e-3,
                                              .sample = 5e-3};
        CHECK_OK(trial_run(&t, request, cells[i][1], opt, TRIAL_WITHOUT_ERRORS));
        CHECK(t.out.contacts.max > 0);
        nu = t.out.nu < 256 ? t.out.nu : 0;
        la_copy(nu, t.out.trajectory.u + (long)(t.out.trajectory.n - 1) * t.out.nu, u[k]);
      }
      CHECK(nu > 0);
      CHECK_LE(test_distance(nu, u[0], u[1]), 1e-10);
    }
  }
}
