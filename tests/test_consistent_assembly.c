/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Consistent integrators on assemblies of many bodies, whose Newton matrices are sparse: energy and
 * joints of trees and loops to round-off, the motion of the same system as one dense block, and
 * memory that grows with the number of bodies and no faster.
 */
#include "form/consistent/consistent.h"
#include "la/dense.h"
#include "tests/form_run.h"
#include "tests/impulse_model.h"
#include "tests/joint_model.h"
#include "tests/test.h"

#include <math.h>
#include <string.h>

/* More than 1000 coordinates each. */
TEST(trees_and_loops_of_many_bodies) {
  static const struct {
    const char *form;
    enum mech_assembly_kind space;
    enum shape shape;
    int n, contacts;
  } runs[] = {{"consistent-constant", MECH_PLANAR, TREE, 400, 0},
              {"consistent-constant-gear", MECH_PLANAR, CHAIN, 400, 0},
              {"consistent-decomposed", MECH_PLANAR, LOOP, 400, 0},
              {"consistent-decomposed", MECH_SCALABLE, TREE, 300, 0},
              {"consistent-twostep", MECH_SCALABLE, LOOP, 300, 2},
              {"consistent-twostep", MECH_PLANAR, TREE, 400, 2},
              {"consistent-quaternion", MECH_SPATIAL, CHAIN, 400, 0},
              {"consistent-quaternion", MECH_SPATIAL, STAR, 400, 0},
              {"consistent-quaternion-twostep", MECH_SPATIAL, TREE, 300, 2}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
    struct base_rng *rng = test_rng(0);
    const struct system s =
        random_system(rng, runs[i].space, runs[i].shape, runs[i].n, MECH_JOINT_SPHERICAL,
                      runs[i].contacts, runs[i].contacts == 0);
    CHECK(s.m->nq > 1000);
    struct run *r = run_begin(runs[i].form, s.m, 1e-4, s.q, s.u);
    run_watched(r, 3);
    CHECK_OK(r->status);
    const double energy = r->seen.budget / (1 + fabs(r->energy));
    CHECK_MESSAGE(energy <= 1e-11, "%s: energy %g", runs[i].form, energy);
    CHECK_MESSAGE(r->seen.gS <= 1e-11, "%s: joints %g", runs[i].form, r->seen.gS);
    CHECK_MESSAGE(r->newton <= 1e-12, "%s: residual %g", runs[i].form, r->newton);
  }
}

/* By body a joint's discrete derivative is taken over the coordinates of its own bodies, else over
 * all: a difference of third order in the step, none of the matrix. */
TEST(by_body_and_in_one_block_it_is_the_same_motion) {
  static const struct {
    const char *form;
    enum mech_assembly_kind space;
  } runs[] = {{"consistent-decomposed", MECH_SCALABLE}, {"consistent-constant", MECH_PLANAR}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
    struct system s[2];
    for (int k = 0; k < 2; ++k) {
      struct base_rng *rng = test_rng(0);
      s[k] = random_system(rng, runs[i].space, TREE, 6, MECH_JOINT_SPHERICAL, 0, 1);
    }
    struct mech whole = *s[1].m;
    struct mech_ops ops = *whole.ops;
    ops.consistent.discrete_bilateral_by_body = NULL;
    ops.consistent.discrete_rate_by_body = NULL;
    ops.consistent.discrete_stiffness_by_body = NULL;
    ops.consistent.gyro_by_body = NULL;
    whole.ops = &ops;
    struct run *by_body = run_begin(runs[i].form, s[0].m, 1e-3, s[0].q, s[0].u);
    struct run *in_one = run_begin(runs[i].form, &whole, 1e-3, s[1].q, s[1].u);
    run_steps(by_body, 20);
    run_steps(in_one, 20);
    const double q = apart(whole.nq, by_body->state.q, in_one->state.q);
    const double u = apart(whole.nu, by_body->state.u, in_one->state.u);
    CHECK_MESSAGE(q <= 1e-9, "%s: q %g", runs[i].form, q);
    CHECK_MESSAGE(u <= 1e-7, "%s: u %g", runs[i].form, u);
  }
}

/* q moved by up to 0.05 in every coordinate, orientations of unit length. */
static void move_somewhere(struct base_rng *rng, const struct mech *m, const double *q,
                           double *to) {
  for (int j = 0; j < m->nq; ++j) {
    to[j] = q[j] + base_rng_uniform(rng, -0.05, 0.05);
  }
  for (int b = 0; b < m->nb; ++b) {
    double *A = to + 7L * b + 3;
    const double length = la_norm2(4, A);
    for (int j = 0; j < 4; ++j) {
      A[j] /= length;
    }
  }
}

/* Between two configurations far apart the bracket of Gonzalez' formula is no small thing. What it
 * adds to a joint between two bodies gives them opposite impulses, and a gap the same, to the floor
 * a force along its normal; a third body has no part in it. Both meet D (b - a) = f(b) - f(a). */
TEST(discrete_derivatives_keep_linear_momentum) {
  struct base_rng *rng = test_rng(0);
  const struct system s = random_system(rng, MECH_SPATIAL, TREE, 8, -1, 4, 0);
  const struct mech *m = s.m;
  double *to = base_arena_doubles(s.arena, m->nq), *D = base_arena_doubles(s.arena, m->nq);
  double *g = base_arena_doubles(s.arena, m->ns), *g_to = base_arena_doubles(s.arena, m->ns);
  double *rows = base_arena_matrix(s.arena, m->ns, m->nq);
  move_somewhere(rng, m, s.q, to);
  m->ops->bilateral(m, s.q, g);
  m->ops->bilateral(m, to, g_to);
  mech_discrete_bilateral(m, s.q, to, rows, s.arena);
  for (int i = 0; i < m->ns; ++i) {
    double along = 0, push[3] = {0};
    for (int j = 0; j < m->nq; ++j) {
      const double slope = rows[(long)j * m->ns + i];
      along += slope * (to[j] - s.q[j]);
      push[j % 7 % 3] += j % 7 < 3 ? slope : 0;
    }
    CHECK_NEAR(along, g_to[i] - g[i], 1e-13);
    CHECK_LE(la_norm_inf(3, push), 1e-13);
  }
  struct mech_contacts at, there;
  mech_contacts_init(&at, m, s.arena);
  mech_contacts_init(&there, m, s.arena);
  mech_contacts_find(m, s.q, NULL, INFINITY, &at);
  mech_contacts_find(m, to, NULL, INFINITY, &there);
  int n_floor = 0;
  CHECK_INT(there.n, at.n);
  for (int i = 0; i < at.n; ++i) {
    const int *body = at.body + 2L * i, on_floor = body[0] < 0 || body[1] < 0;
    double along = 0, push[3] = {0};
    mech_discrete_gap(m, at.id[i], s.q, to, D, s.arena);
    for (int j = 0; j < m->nq; ++j) {
      along += D[j] * (to[j] - s.q[j]);
      push[j % 7 % 3] += j % 7 < 3 ? D[j] : 0;
      CHECK_MESSAGE(D[j] == 0 || j / 7 == body[0] || j / 7 == body[1], "body %d", j / 7);
    }
    n_floor += on_floor;
    CHECK_LE(la_norm_inf(on_floor ? 2 : 3, push), 1e-13);
    CHECK_NEAR(along, there.gN[i] - at.gN[i], 1e-13);
  }
  CHECK_LE(1, n_floor);
  CHECK_LE(1, at.n - n_floor);
}

/* Discrete derivatives are by the coordinates alone. */
TEST(constraints_that_depend_on_time_are_refused) {
  static const enum mech_assembly_kind spaces[] = {MECH_PLANAR, MECH_SCALABLE, MECH_SPATIAL};
  double t = 0;
  int said = 0;
  for (int i = 0; i < 3; ++i) {
    struct base_rng *rng = test_rng(0);
    const struct system s = random_system(rng, spaces[i], CHAIN, 2, MECH_JOINT_SPHERICAL, 0, 1);
    struct mech m = *s.m;
    m.clock = &t;
    for (int k = 0; k < form_count(); ++k) {
      const struct form_setup setup = {.mech = &m, .arena = s.arena};
      if (strncmp(form_get(k)->name, "consistent-", 11) == 0) {
        CHECK_INT(form_get(k)->check(&setup), BASE_UNSUPPORTED);
        said += strstr(base_message(), "depend on time") != NULL;
      }
    }
  }
  CHECK(said >= 3 * 4);
}

/* Entries per unknown of the factor of Newton's matrix, for 100 and 400 bodies in chains, trees and
 * on hubs with that many arms, do not grow (a full factor has thousands); memory is linear. */
TEST(factors_do_not_fill_in_and_memory_is_linear) {
  static const struct {
    const char *form;
    enum mech_assembly_kind space;
    enum shape shape;
    double growth;
  } runs[] = {{"consistent-quaternion", MECH_SPATIAL, CHAIN, 1.15},
              {"consistent-quaternion", MECH_SPATIAL, TREE, 1.15},
              {"consistent-quaternion", MECH_SPATIAL, STAR, 1.15},
              {"consistent-decomposed", MECH_PLANAR, CHAIN, 1.15},
              {"consistent-decomposed", MECH_SCALABLE, CHAIN, 1.4}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
    double entries[2], memory[2];
    for (int k = 0; k < 2; ++k) {
      const struct system s = random_system(test_rng(0), runs[i].space, runs[i].shape,
                                            k == 0 ? 100 : 400, MECH_JOINT_SPHERICAL, 0, 0);
      struct run *run = run_begin(runs[i].form, s.m, 1e-5, s.q, s.u);
      run_step(run, 1e-5);
      const struct form_consistent *c = run->workspace;
      CHECK_OK(run->status);
      entries[k] = (double)la_system_entries(c->system) / c->unknowns;
      memory[k] = (double)base_arena_peak(run->arena);
    }
    CHECK_MESSAGE(entries[0] > 1 && entries[1] <= fmin(60, runs[i].growth * entries[0]),
                  "run %d: %.1f entries an unknown of 100 bodies, %.1f of 400", (int)i, entries[0],
                  entries[1]);
    CHECK_MESSAGE(memory[1] <= 6 * memory[0], "%g bytes of 100, %g of 400", memory[0], memory[1]);
  }
}

/* Factorisations, and right-hand sides solved for, in some steps of a system of n bodies. */
static struct la_system_count count_of(const char *form, enum mech_assembly_kind space,
                                       enum shape shape, int n, int contacts, int steps) {
  struct base_rng *rng = test_rng(0);
  const struct system s =
      random_system(rng, space, shape, n, MECH_JOINT_SPHERICAL, contacts, contacts == 0);
  struct run *run = run_begin(form, s.m, 1e-4, s.q, s.u);
  for (int k = 0; k < steps; ++k) {
    run_step(run, 1e-4);
    CHECK_OK(run->status);
  }
  const struct form_consistent *c = run->workspace;
  return la_system_counted(c->system);
}

/* A step costs what a factor does: matrices are kept from step to step and responses of contacts
 * from iteration to iteration, so that there is one factorisation a step at most, and far fewer
 * solves than iterations times components of contacts, of 20 links as of 160, whose fastest one is
 * faster. */
TEST(factorisations_and_solves_do_not_grow_with_the_number_of_bodies) {
  static const struct {
    const char *form;
    enum mech_assembly_kind space;
    enum shape shape;
    int contacts;
  } runs[] = {{"consistent-constant", MECH_PLANAR, CHAIN, 0},
              {"consistent-constant-gear", MECH_PLANAR, CHAIN, 0},
              {"consistent-decomposed", MECH_SCALABLE, CHAIN, 0},
              {"consistent-twostep", MECH_PLANAR, LOOP, 4},
              {"consistent-quaternion", MECH_SPATIAL, CHAIN, 4},
              {"consistent-quaternion-twostep", MECH_SPATIAL, CHAIN, 4}};
  enum { STEPS = 16 };
  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
    struct la_system_count count[2];
    for (int k = 0; k < 2; ++k) {
      count[k] = count_of(runs[i].form, runs[i].space, runs[i].shape, k == 0 ? 20 : 160,
                          runs[i].contacts, STEPS);
      CHECK_MESSAGE(count[k].factored >= 1 && count[k].factored <= STEPS,
                    "%s: %ld factorisations in %d steps", runs[i].form, count[k].factored, STEPS);
      CHECK_MESSAGE(count[k].solved >= STEPS && count[k].solved <= 20 * STEPS,
                    "%s: %ld solves in %d steps", runs[i].form, count[k].solved, STEPS);
    }
    CHECK_MESSAGE(count[1].solved <= 2 * count[0].solved, "%s: %ld solves of 20 bodies, %ld of 160",
                  runs[i].form, count[0].solved, count[1].solved);
  }
}
