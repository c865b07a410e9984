/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The matrix of Newton's method in the consistent integrators, from the derivatives a case offers:
 * against differences of the equations themselves (fourth order) away from any solution, and runs
 * with it against runs without, which must be the same motion in no more iterations.
 */
#include "form/consistent/equations.h"
#include "la/dense.h"
#include "mech/difference.h"
#include "tests/case_model.h"
#include "tests/form_run.h"
#include "tests/mutant.h"
#include "tests/test.h"

#include <math.h>
#include <string.h>

/* Differences carry the rounding of terms of 1 N s over the step, little in blocks of their size,
 * but not in the woodpecker's stiffness of 3e-5 N s; forward differences inside the matrix (of F,
 * of the kinetic energy, of a potential without derivative) err by 1e-7 of what they difference. */
static const struct {
  const char *name, *set;
  int rates, coordinates, midpoint;
  double tolerance;
} models[] = {
    {"oscillator", "", 1, 0, 0, 1e-9},
    {"double-pendulum", "", 1, 0, 0, 1e-9},
    {"falling-particle", "", 1, 0, 0, 1e-9},
    {"overbalanced-wheel", "", 1, 0, 0, 1e-9},
    {"woodpecker", "", 1, 0, 0, 1e-6},
    {"free-top", "body=affine", 1, 0, 0, 1e-9},
    {"free-top", "body=affine", 0, 0, 0, 1e-9},
    {"free-top", "body=scalable", 1, 0, 0, 1e-5},
    {"free-top", "body=scalable", 1, 1, 0, 1e-5},
    {"free-top", "body=quaternion", 1, 0, 1, 1e-5},
    {"spatial-double-pendulum", "", 1, 0, 1, 1e-5},
    {"spatial-double-pendulum", "bodies=scalable", 1, 0, 0, 1e-5},
    {"packing", "n=3 shape=box", 1, 0, 1, 1e-5},
    {"thrown-ball", "body=planar", 1, 0, 0, 1e-9},
};
enum { MODELS = sizeof models / sizeof *models };

/* x: n += size times numbers in [-1, 1]. */
static void disturb(struct base_rng *rng, int n, double size, double *x) {
  for (int i = 0; i < n; ++i) {
    x[i] += size * base_rng_uniform(rng, -1, 1);
  }
}

/* D: nx x nx by differences; the first nq columns stand for coordinates. */
static void difference(struct form_consistent_equations *o, const double *x, const double *lambda,
                       double *D) {
  const struct mech *m = o->c->mech;
  double *y = base_arena_doubles(o->arena, o->nx), *R = base_arena_doubles(o->arena, o->nx);
  la_copy(o->nx, x, y);
  for (int j = 0; j < o->nx; ++j) {
    const double s = j < o->nq ? mech_difference_step(m) : 1; /* nearly linear in all others */
    for (int k = 0; k < MECH_STENCIL; ++k) {
      y[j] = x[j] + mech_stencil_at[k] * s;
      form_consistent_evaluate(o, y, lambda, R);
      la_axpy(o->nx, mech_stencil_weight[k] / s, R, D + (long)j * o->nx);
    }
    y[j] = x[j];
  }
}

/* J: nx x nx, column by column. */
static void matrix(const struct form_consistent_equations *o, double *J) {
  double *unit = base_arena_doubles(o->arena, o->nx);
  for (int j = 0; j < o->nx; ++j) {
    unit[j] = 1;
    la_system_apply(o->c->system, unit, J + (long)j * o->nx);
    unit[j] = 0;
  }
}

/* Largest difference of J and its differences over the largest entry of the same block of rows and
 * columns; the blocks differ in unit. */
static double worst_block(const struct form_consistent_equations *o, const double *J,
                          const double *D) {
  const int rows[5] = {0, o->nu, o->nu + o->nq, o->nu + o->nq + o->ns, o->nx};
  const int cols[5] = {0, o->nq, o->nu + o->nq, o->nu + o->nq + o->ns, o->nx};
  double worst = 0;
  for (int block = 0; block < 16; ++block) {
    double size = 0, error = 0;
    for (int j = cols[block / 4]; j < cols[block / 4 + 1]; ++j) {
      for (int i = rows[block % 4]; i < rows[block % 4 + 1]; ++i) {
        size = fmax(size, fabs(J[(long)j * o->nx + i]));
        error = fmax(error, fabs(J[(long)j * o->nx + i] - D[(long)j * o->nx + i]));
      }
    }
    /* an empty block is compared with the whole */
    worst = fmax(worst, error / (size > 0 ? size : la_norm_inf((long)o->nx * o->nx, J)));
  }
  return worst;
}

/* At a random point with kappa = 0, so that what the matrix leaves out vanishes. */
static double matrix_error(const struct mech *m, const double *q0, const double *u0,
                           struct form_consistent_scheme scheme, struct base_rng *rng) {
  struct base_arena *arena = test_arena();
  const struct form_setup setup = run_begin("consistent-twostep", m, 0.01, q0, u0)->setup;
  double *q = base_arena_doubles(arena, m->nq), *u = base_arena_doubles(arena, m->nu);
  la_copy(m->nq, q0, q);
  la_copy(m->nu, u0, u);
  if (!scheme.midpoint) {
    disturb(rng, m->nq, 0.1 * fmin(m->length, 1), q);
  }
  disturb(rng, m->nu, m->speed, u);
  const struct form_state start = {.q = q, .u = u};
  struct form_consistent *c = form_consistent_alloc(&setup, &start, scheme);
  if (m->ops->contacts != NULL && m->ops->consistent.discrete_gap_slope != NULL) {
    mech_contacts_find(m, q, NULL, INFINITY, &c->closed); /* all held, whatever their gaps */
  }
  struct form_consistent_equations *o = form_consistent_prepare(c, 0, setup.dt, q, u, 0);
  const long n = o->nx;
  double *x = base_arena_doubles(arena, o->nx), *lambda = base_arena_doubles(arena, o->nk);
  double *R = base_arena_doubles(arena, o->nx);
  double *J = base_arena_push(arena, (size_t)(n * n) * sizeof *J);
  double *D = base_arena_push(arena, (size_t)(n * n) * sizeof *D);
  disturb(rng, o->nq, 0.1 * fmin(m->length, 1), x);
  disturb(rng, o->nu + o->ns, 1, x + o->nq);
  disturb(rng, o->nk, 1, lambda);
  form_consistent_evaluate(o, x, lambda, R);
  CHECK_OK(form_consistent_renew(o, x, lambda));
  matrix(o, J);
  difference(o, x, lambda, D);
  const double worst = worst_block(o, J, D);
  form_consistent_free(c);
  return worst;
}

TEST(matrices_are_those_of_the_equations) {
  struct base_rng *rng = test_rng(0);
  for (int i = 0; i < MODELS; ++i) {
    const struct case_instance k = case_model_build(models[i].name, models[i].set, test_arena());
    for (int trial = 0; trial < 10; ++trial) {
      const struct form_consistent_scheme scheme = {.rates = models[i].rates,
                                                    .discrete_gap = trial % 2 && models[i].rates,
                                                    .coordinates = models[i].coordinates,
                                                    .midpoint = models[i].midpoint};
      const double worst = matrix_error(k.mech, k.q, k.u, scheme, rng);
      CHECK_MESSAGE(worst <= models[i].tolerance, "%s %s: %.2e", models[i].name, models[i].set,
                    worst);
    }
  }
}

static long evaluations; /* of the equations: each asks for DV once */
static const struct mech_ops *counted;

static void count_potential(const struct mech *m, const double *a, const double *b, double *DV) {
  ++evaluations;
  counted->consistent.discrete_potential(m, a, b, DV);
}

/* Steps of consistent-twostep from the start, evaluations counted. */
static struct run *go(const struct case_instance *k, int exact, double dt, int steps) {
  struct mech *m = base_arena_push(test_arena(), sizeof *m);
  struct mech_ops *ops = base_arena_push(test_arena(), sizeof *ops);
  *m = *k->mech;
  *ops = *m->ops;
  counted = k->mech->ops;
  ops->consistent.discrete_potential = count_potential;
  if (!exact) {
    ops->consistent.discrete_stiffness = NULL;
  }
  m->ops = ops;
  evaluations = 0;
  struct run *run = run_begin("consistent-twostep", m, dt, k->q, k->u);
  run_steps(run, steps);
  return run;
}

/* Short enough for round-off not to grow; the large steps need a new matrix again and again. */
TEST(exact_matrices_give_the_same_motion_for_less) {
  static const struct {
    const char *name;
    double dt;
    int steps;
  } runs[] = {{"oscillator", 1e-3, 200},
              {"double-pendulum", 1e-2, 40},
              {"overbalanced-wheel", 1e-2, 20},
              {"woodpecker", 1e-4, 300}};
  double sum[2] = {0, 0}; /* evaluations, differenced and exact; where one matrix lasts for many
                             steps, as on the woodpecker, which is less hangs on round-off */
  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
    const struct case_instance k = case_model_build(runs[i].name, "", test_arena());
    const struct run *exact = go(&k, 1, runs[i].dt, runs[i].steps);
    sum[1] += (double)evaluations;
    const struct run *differenced = go(&k, 0, runs[i].dt, runs[i].steps);
    sum[0] += (double)evaluations;
    CHECK_LE(test_distance(k.mech->nq, exact->state.q, differenced->state.q),
             1e-10 * fmax(k.mech->length, 1));
    CHECK_LE(exact->newton, 1e-12);
  }
  CHECK_LE(sum[1], 0.95 * sum[0]);
}

/* --- a system against itself --- */

TEST(mistakes_are_found_by_the_check) {
  static const struct mutation mistakes[] = {
      {MUTANT_discrete_stiffness, "derivatives with b", .part = 1e-3},
      {MUTANT_discrete_gap_slope, "g_N with b", .part = 1e-3},
      {MUTANT_declared_diagonal, "diagonal", .at = 0}};
  const struct case_instance wheel = case_model_build("overbalanced-wheel", "", test_arena());
  const struct case_instance woodpecker = case_model_build("woodpecker", "", test_arena());
  mutants_are_found(wheel.mech, wheel.q, wheel.u, 1e-8, mistakes, 2);
  mutants_are_found(woodpecker.mech, woodpecker.q, woodpecker.u, 1e-8, mistakes + 2, 1);
}
