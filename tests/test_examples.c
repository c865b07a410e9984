/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The worked examples of README.md: a case, a formulation and a solver. They are registered here as
 * a reader would register them, run as jobs of the harness, and compared with closed
 * forms and with methods that are none of the examples.
 *
 * The three registries of this binary are its own: those of the program and one line more each.
 * They define the functions of the program's registries, which the linker then leaves out.
 */
#include "tests/examples/cases/bouncing-example/bouncing-example.c" /* NOLINT(bugprone-suspicious-include) */
#include "tests/examples/form/euler_example.c"       /* NOLINT(bugprone-suspicious-include) */
#include "tests/examples/solvers/gradient_example.c" /* NOLINT(bugprone-suspicious-include) */

#include "base/data.h"
#include "base/json/json.h"
#include "base/registry.h"
#include "bench/record/record.h"
#include "bench/run/run.h"
#include "tests/random_problem.h"
#include "tests/test.h"

#include <stdlib.h>

#define CASE(name) extern const struct case_type case_##name;
#include "cases/registry.h"
#undef CASE
static const struct case_type *const cases[] = {
#define CASE(name) &case_##name,
#include "cases/registry.h"
    CASE(bouncing_example)
#undef CASE
};
BASE_REGISTRY(case, case_type, "case", cases)

#define FORMULATION(name) extern const struct form form_##name;
#include "form/registry.h"
#undef FORMULATION
static const struct form *const forms[] = {
#define FORMULATION(name) &form_##name,
#include "form/registry.h"
    FORMULATION(euler_example)
#undef FORMULATION
};
BASE_REGISTRY(form, form, "formulation", forms)

#define SOLVER(name) extern const struct problem_solver problem_solver_##name;
#include "problem/solvers/registry.h"
#undef SOLVER
static const struct problem_solver *const solvers[] = {
#define SOLVER(name) &problem_solver_##name,
#include "problem/solvers/registry.h"
    SOLVER(gradient_example)
#undef SOLVER
};
BASE_REGISTRY(problem_solver, problem_solver, "solver", solvers)

/* ---- running ---- */

/* Data from the examples' folder, or (NULL) from the project's. */
static void use_data(const char *below) {
  static char *project;
  if (project == NULL) {
    project = strdup(base_data_folder());
  }
  setenv("COULOMBENCH_DATA",
         below != NULL ? base_arena_printf(test_arena(), "%s/%s", project, below) : project, 1);
}

/* One job as `coulombench run` does it; the outcome lives in the arena. */
static struct bench_outcome run(struct bench_request request, struct base_arena *arena,
                                cJSON **record) {
  struct bench_job job;
  struct bench_outcome out = {.status = BASE_E_INTERNAL};
  use_data(strcmp(request.case_name, "bouncing-example") == 0 ? "tests/examples" : NULL);
  int status = bench_job_resolve(&request, arena, &job);
  if (status == BASE_OK) {
    status = bench_run(&job, arena, &out);
  }
  CHECK_MESSAGE(status == BASE_OK, "%s with %s: %s", request.case_name, request.formulation,
                base_message());
  if (status == BASE_OK && record != NULL) {
    *record = test_json(bench_record(&job, &out));
    CHECK_OK(bench_record_check(*record, "record"));
  }
  return out;
}

/* ---- the case ---- */

TEST(case_agrees_with_itself_and_refuses_wrong_parameters) {
  struct base_arena *arena = test_arena();
  use_data("tests/examples");
  struct case_parameters *p = case_parameters_load(&case_bouncing_example, arena);
  CHECK_MESSAGE(p != NULL, "%s", base_message());
  if (p != NULL) {
    struct case_instance instance = {0};
    double worst = 1;
    CHECK_OK(case_bouncing_example.build(p, arena, &instance));
    CHECK_OK(mech_check(instance.mech, instance.q, (double[]){0.7}, 0, 1e-7, &worst, arena));
    CHECK_REFUSED(case_parameters_set(p, "eps", "1.5"), BASE_E_INPUT, "eps");
    CHECK_INT(case_parameters_set(p, "mu", "0.5"), BASE_E_INPUT);
  }
}

/* The closed form against what it must fulfil: energy between landings, heights of the bounces. */
TEST(reference_of_the_case_bounces_to_the_right_heights) {
  use_data("tests/examples");
  struct case_parameters *p = case_parameters_load(&case_bouncing_example, test_arena());
  CHECK(p != NULL);
  double height = 0, q, u;
  int landings = 0;
  for (int k = 1; p != NULL && k < 26000; ++k) {
    const double t = 5e-5 * k, before = height;
    case_bouncing_example.reference(p, t, &q, &u);
    height = q + u * u / (2 * 9.81); /* E / (m g): the height of the flight */
    landings += k > 1 && fabs(height - before) > 1e-6;
    CHECK_NEAR(height, pow(0.25, landings), 1e-13); /* eps^2 a landing */
    CHECK(q >= 0);
  }
  CHECK_INT(landings, 5);
}

/* The case with methods of the program: event-driven integration reproduces the closed form, the
 * midpoint rule comes near it. */
TEST(case_runs_with_the_formulations_of_the_program) {
  struct base_arena *arena = test_arena();
  struct bench_request request = {.case_name = "bouncing-example", .formulation = "event"};
  struct bench_outcome out = run(request, arena, NULL);
  CHECK_OK(out.status);
  CHECK_LE(out.errors.q_linf, 1e-9);
  request.formulation = "moreau";
  out = run(request, arena, NULL);
  CHECK_OK(out.status);
  CHECK_LE(out.errors.q_linf, 2e-2);
  CHECK(out.errors.q_linf > 1e-6); /* no reference that follows the method */
}

/* ---- the formulation ---- */

/* On the ball the scheme is a recursion in two numbers: u^E = max(u^B - g dt, -eps u^B) where the
 * ball touches. Its energy budget is known too: dt h does the work m g dt u^E too little by
 * m g dt (u^E - u^B)/2 in every step, so that numerical = m g dt (u_end - u_0)/2. */
TEST(formulation_takes_the_steps_of_its_recursion) {
  struct bench_request request = {.case_name = "bouncing-example",
                                  .formulation = "euler-example",
                                  .set = BASE_WORDS("eps=0.8"),
                                  .dt = 1e-3,
                                  .t_end = 2};
  cJSON *record = NULL;
  const struct bench_outcome out = run(request, test_arena(), &record);
  const double m = 2, g = 9.81;
  double q = 1, u = 0;
  long impacts = 0;
  for (int k = 0; k < 2000; ++k) {
    const double free_u = u - g * 1e-3, bound = -0.8 * u;
    if (q <= 0 && free_u < bound) {
      u = bound;
      ++impacts;
    } else {
      u = free_u;
    }
    q += 1e-3 * u;
  }
  CHECK_OK(out.status);
  CHECK(impacts >= 3);
  CHECK_NEAR(out.q[0], q, 1e-11);
  CHECK_NEAR(out.u[0], u, 1e-11);
  CHECK_NEAR(out.energy.numerical, 0.5 * m * g * 1e-3 * u, 1e-10);
  CHECK_NEAR(base_json_real_at(record, "energy.budget.numerical"), out.energy.numerical, 0);
  CHECK_TEXT(base_json_text_at(record, "formulation.name"), "euler-example");
  CHECK_LE(out.energy.impact, 0);
  CHECK_LE(out.law.relative_b_max, 1e-10);
}

/* Fall, impact with friction, slide, stop, against the closed form of that case: first order. */
TEST(formulation_converges_with_first_order_under_friction) {
  struct base_arena *arena = test_arena();
  struct bench_request request = {
      .case_name = "falling-particle", .formulation = "euler-example", .dt = 4e-3};
  const struct bench_outcome coarse = run(request, arena, NULL);
  request.dt = 1e-4;
  const struct bench_outcome fine = run(request, arena, NULL);
  CHECK_OK(coarse.status);
  CHECK_OK(fine.status);
  const double order = log(coarse.errors.q_linf / fine.errors.q_linf) / log(40);
  CHECK_NEAR(order, 1, 0.25);
}

/* Rods as constraints, elastic impacts at a wall: first order, and the rods are held to what a step
 * takes them apart, which is dt^2/2 of an acceleration. */
TEST(formulation_holds_joints) {
  struct base_arena *arena = test_arena();
  struct bench_request request = {.case_name = "double-pendulum",
                                  .formulation = "euler-example",

                                  .dt = 1e-3,

                                  .t_end = 1};
  const struct bench_outcome coarse = run(request, arena, NULL);
  request.dt = 1e-4;
  const struct bench_outcome fine = run(request, arena, NULL);
  CHECK_OK(coarse.status);
  CHECK_OK(fine.status);
  CHECK_NEAR(log10(coarse.errors.q_linf / fine.errors.q_linf), 1, 0.25);
  CHECK_LE(coarse.constraints.position_max, 1e-3);
  CHECK_NEAR(log10(coarse.constraints.position_max / fine.constraints.position_max), 2, 0.25);
}

/* A weight on a spring with damper: what the damper took is told apart, and comes to what the
 * reference says with order one. */
TEST(formulation_tells_what_a_damper_took) {
  struct base_arena *arena = test_arena();
  struct bench_request request = {
      .case_name = "cases/scenes/spring.json", .formulation = "event", .t_end = 1};
  const double expected = run(request, arena, NULL).energy.damping;
  double off[2];
  request.formulation = "euler-example";
  for (int k = 0; k < 2; ++k) {
    request.dt = k == 0 ? 1e-3 : 1e-4;
    const struct bench_outcome out = run(request, arena, NULL);
    CHECK_OK(out.status);
    off[k] = fabs(out.energy.damping - expected);
  }
  CHECK(expected < -1e-3);
  CHECK_LE(off[0], 0.1 * -expected);
  CHECK_NEAR(log10(off[0] / off[1]), 1, 0.25);
}

TEST(formulation_says_what_it_does_not_know) {
  struct base_arena *arena = test_arena();
  struct bench_request request = {.case_name = "cases/scenes/motion.json",
                                  .formulation = "euler-example"};
  struct bench_outcome out = run(request, arena, NULL);
  CHECK_INT(out.status, BASE_UNSUPPORTED);
  CHECK(strstr(out.reason, "prescribed") != NULL);
  request.case_name = "falling-particle";
  request.solver = "gradient-example"; /* takes law ccp alone */
  out = run(request, arena, NULL);
  CHECK_INT(out.status, BASE_UNSUPPORTED);
  CHECK(strstr(out.reason, "ncp") != NULL);
}

/* ---- the solver ---- */

/* Random problems of the plane and of space, A positive definite: the tolerance is met by the
 * yardstick of the law, and the velocities are those of another solver. */
TEST(solver_reaches_the_solution_of_another_one) {
  struct base_rng *rng = test_rng(0);
  const struct random_problem shapes[] = {
      {.dim = 2, .nv = 3, .nb = 4, .nc = 4, .chain = 1, .mu_max = 0.8, .loading = 0.5},
      {.dim = 3, .nv = 6, .nb = 5, .nc = 5, .chain = 1, .mu_max = 0.8, .loading = 0.5}};
  struct problem_loop loop = problem_loop_default();
  loop.tol = 1e-8;
  loop.max_iter = 200000;
  for (int trial = 0; trial < 20; ++trial) {
    struct base_arena *arena = test_arena();
    struct problem p = random_problem_build(&shapes[trial % 2], rng, arena);
    p.model.law = CONTACT_LAW_CCP;
    const int n = problem_size(&p);
    double *r = base_arena_doubles(arena, n), *v = base_arena_doubles(arena, n);
    double *r2 = base_arena_doubles(arena, n), *v2 = base_arena_doubles(arena, n);
    struct problem_result result;
    problem_solve(&p, &problem_solver_gradient_example, NULL, &loop, r, v, arena, &result);
    CHECK_MESSAGE(result.status == BASE_OK, "trial %d: %s", trial, result.reason);
    CHECK_LE(result.residual.relative_free, 1e-8);
    struct problem_loop tight = loop;
    tight.tol = 1e-11;
    problem_solve(&p, problem_solver_find("apgd"), NULL, &tight, r2, v2, arena, &result);
    CHECK_MESSAGE(result.status == BASE_OK, "trial %d, apgd: %s", trial, result.reason);
    double scale = la_norm_inf(n, p.b);
    for (int k = 0; k < n; ++k) {
      CHECK_NEAR(v[k] / scale, v2[k] / scale, 1e-5); /* residual over the curvature of A */
    }
  }
}

/* In a run: the solution of ccp does not depend on its solver. */
TEST(solver_serves_a_formulation) {
  struct base_arena *arena = test_arena();
  struct bench_request request = {.case_name = "falling-particle",
                                  .formulation = "ccp",
                                  .solver = "gradient-example",
                                  .opt = BASE_WORDS("step=0.8", "tol=1e-12")};
  const struct bench_outcome mine = run(request, arena, NULL);
  request.solver = "psor";
  request.opt = BASE_WORDS("tol=1e-12");
  const struct bench_outcome other = run(request, arena, NULL);
  CHECK_INT(mine.nq, 2);
  CHECK_OK(mine.status);
  CHECK_OK(other.status);
  CHECK_INT(other.nq, 2);
  CHECK_LE(test_distance(2, mine.q, other.q), 1e-8);
  CHECK_REFUSED(bench_job_resolve(&(struct bench_request){.case_name = "falling-particle",
                                                          .formulation = "ccp",
                                                          .solver = "gradient-example",
                                                          .opt = BASE_WORDS("step=2")},
                                  arena, &(struct bench_job){0}),
                BASE_E_INPUT, "step");
}
