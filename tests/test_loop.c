/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The solving loop and the registry, with scripted solvers on v = r - 1, 0 <= v perp r >= 0: the
 * solution is 1, and the residual at r in (0, 1) is 1 - r exactly.
 */
#include "base/clock.h"
#include "problem/solver.h"
#include "tests/solve_with.h"
#include "tests/test.h"

#include <float.h>

enum { SCRIPT_MAX = 800 };

/* The script: values the iterate takes, then a status. */
static struct {
  double values[SCRIPT_MAX];
  int count;       /* of values; after them `end` is returned */
  int end;         /* BASE_OK: keep the last value */
  int start;       /* what start returns */
  int calls;       /* of iterate */
  int allocs;      /* of alloc */
  double deadline; /* of the problem given to alloc */
  double factor;   /* of the change told; 0: none is told, below 0: always 1 */
} script;

static void *script_alloc(const struct problem *p, const void *options, struct base_arena *arena) {
  (void)options;
  script.deadline = p->deadline;
  ++script.allocs;
  return base_arena_push(arena, 8);
}

static int script_start(void *workspace, double *r) {
  (void)workspace;
  (void)r;
  return script.start != BASE_OK ? base_fail(script.start, "no start") : BASE_OK;
}

static int script_iterate(void *workspace, double *r) {
  (void)workspace;
  const int k = script.calls++;
  if (k < script.count) {
    r[0] = script.values[k];
  }
  if (k < script.count - 1 || script.end == BASE_OK) {
    return BASE_OK;
  }
  return script.end == PROBLEM_DONE ? PROBLEM_DONE : base_fail(script.end, "broke down");
}

static int script_check(const struct problem *p, const void *options) {
  (void)p;
  (void)options;
  return base_fail(BASE_UNSUPPORTED, "not on a Sunday");
}

static const struct problem_solver scripted = {.name = "scripted",
                                               .laws = CONTACT_LAW_BIT(CONTACT_LAW_LCP),
                                               .alloc = script_alloc,
                                               .start = script_start,
                                               .iterate = script_iterate};

/* Of the last iteration. */
static double script_change(const void *workspace) {
  (void)workspace;
  const int k = script.calls - 1;
  const double last = k > 0 ? script.values[k - 1] : 0;
  return script.factor > 0 ? script.factor * fabs(script.values[k] - last) : 1;
}

static const double one[] = {1}, minus_one[] = {-1}, zero[] = {0};

static struct problem unit_problem(const double *b) {
  return dense_problem(CONTACT_LAW_LCP, 1, 1, zero, one, b);
}

/* Run the script from r with the settings; r, v: 1; history: max_iter + 1, the residual after each
 * iteration, NaN where it was not computed. */
static struct problem_result run(const struct problem_loop *loop, const double *b, double *r,
                                 double *v, double *history) {
  const struct problem p = unit_problem(b);
  struct problem_result result;
  struct problem_solver solver = scripted;
  struct problem_history kept = {.arena = base_arena_child(test_arena())};
  struct problem_loop settings = *loop;
  settings.history = history != NULL ? &kept : NULL;
  solver.change = script.factor != 0 ? script_change : NULL;
  script.calls = script.allocs = 0;
  problem_solve(&p, &solver, NULL, &settings, r, v, test_arena(), &result);
  for (int k = 0; history != NULL && k <= loop->max_iter; ++k) {
    history[k] = NAN;
  }
  for (int k = 0; history != NULL && k < kept.n; ++k) {
    history[kept.checks[k].iteration] = kept.checks[k].residual;
    CHECK(k == 0 || kept.checks[k].iteration > kept.checks[k - 1].iteration);
    CHECK(!settings.is_timed || k == 0 || kept.checks[k].seconds >= kept.checks[k - 1].seconds);
    CHECK(!settings.is_timed || kept.checks[k].seconds <= result.seconds);
  }
  return result;
}

static void halves(int n) { /* 1 - 2^-k */
  memset(&script, 0, sizeof script);
  for (int k = 0; k < n; ++k) {
    script.values[k] = 1 - ldexp(1, -k - 1);
  }
  script.count = n;
}

static void slow_script(int n, double rate) { /* 1 - rate^k */
  memset(&script, 0, sizeof script);
  for (int k = 0; k < n; ++k) {
    script.values[k] = 1 - pow(rate, k + 1);
  }
  script.count = n;
}

TEST(defaults_are_those_of_the_table) {
  const struct problem_loop expected = problem_loop_default();
  struct problem_loop loop;
  base_options_default(problem_loop_options, &loop);
  CHECK_NEAR(loop.tol, expected.tol, 0);
  CHECK_INT(loop.max_iter, expected.max_iter);
  CHECK_INT(loop.check_every, expected.check_every);
  CHECK(isinf(loop.time_limit) && isinf(expected.time_limit));
  CHECK_NEAR(loop.tol, 1e-10, 0);
  CHECK_INT(loop.max_iter, 10000);
}

/* The change foretells the residual: exactly where both fall alike, and where it says nothing
 * checks come all the same, before an eighth more of the iterations have passed. */
TEST(change_of_the_iterate_says_when_to_check) {
  struct problem_loop loop = {
      .tol = 1e-3, .max_iter = 16, .check_every = 1, .time_limit = INFINITY};
  double r = 0;
  halves(16);
  script.factor = 7;
  CHECK_INT(run(&loop, minus_one, &r, NULL, NULL).iterations, 10); /* as without it */
  enum { SLOW = 200 };
  for (int constant = 0; constant < 2; ++constant) {
    double history[SLOW + 1];
    slow_script(SLOW, 0.95);
    script.factor = constant ? -1 : 1;
    loop.max_iter = SLOW;
    r = 0;
    const int first = run(&loop, minus_one, &r, NULL, history).iterations; /* all are checked */
    r = 0;
    const struct problem_result result = run(&loop, minus_one, &r, NULL, NULL);
    CHECK_OK(result.status);
    CHECK(result.residual.relative_b <= 1e-3);
    CHECK(first == 135 && result.iterations >= first); /* 0.95^135 < 1e-3 < 0.95^134 */
    CHECK_LE(result.iterations, constant ? first + first / 8 + 1 : first);
  }
}

/* 1 - 2^-k until k = halves, then the end; a tolerance of 1e-3 is between 2^-10 and 2^-9. */
TEST(runs_end_where_and_as_they_should) {
  static const struct {
    const char *what;
    int halves, end, start, max_iter, check_every;
    double time_limit, from;
    int status, iterations;
    double r;
    const char *reason;
  } runs[] = {
      {"first check within tolerance", 16, 0, 0, 16, 1, INFINITY, 0, BASE_OK, 10, 1 - 0x1p-10, ""},
      {"seen at 12 only", 16, 0, 0, 16, 4, INFINITY, 0, BASE_OK, 12, 1 - 0x1p-12, ""},
      {"the last one is checked", 16, 0, 0, 7, 5, INFINITY, 0, BASE_UNCONVERGED, 7, 1 - 0x1p-7,
       "7"},
      {"no iterations", 16, 0, 0, 0, 1, INFINITY, 0.25, BASE_UNCONVERGED, 0, 0.25, "0"},
      {"direct", 12, PROBLEM_DONE, 0, 50, 100, INFINITY, 0, BASE_OK, 12, 1 - 0x1p-12, ""},
      {"direct, judged by the residual", 4, PROBLEM_DONE, 0, 50, 100, INFINITY, 0, BASE_UNCONVERGED,
       4, 1 - 0x1p-4, "direct method finished with residual 0.0625"},
      {"broken", 4, BASE_FAILED, 0, 50, 100, INFINITY, 0, BASE_FAILED, 4, 1 - 0x1p-4, "broke down"},
      {"broken, but solved", 12, BASE_FAILED, 0, 50, 100, INFINITY, 0, BASE_OK, 12, 1 - 0x1p-12,
       ""},
      {"no start", 4, 0, BASE_FAILED, 50, 100, INFINITY, 0.5, BASE_FAILED, 0, 0.5, "no start"},
      {"no time", 16, 0, 0, 16, 100, 0, 0, BASE_TIMEOUT, 1, 0.5, ""}};
  for (size_t k = 0; k < sizeof runs / sizeof *runs; ++k) {
    const struct problem_loop loop = {.tol = 1e-3,
                                      .max_iter = runs[k].max_iter,
                                      .check_every = runs[k].check_every,
                                      .time_limit = runs[k].time_limit,
                                      .is_timed = k == 0};
    double r = runs[k].from, v, history[51];
    halves(runs[k].halves);
    script.end = runs[k].end;
    script.start = runs[k].start;
    const int is_kept = runs[k].start == BASE_OK;
    const struct problem_result result = run(&loop, minus_one, &r, &v, is_kept ? history : NULL);
    CHECK_MESSAGE(result.status == runs[k].status && result.iterations == runs[k].iterations,
                  "%s: %s, %d iterations", runs[k].what, base_status_name(result.status),
                  result.iterations);
    CHECK_INT(script.calls, runs[k].iterations);
    CHECK_MESSAGE(strstr(result.reason, runs[k].reason) != NULL &&
                      (result.status == BASE_OK) == (result.reason[0] == '\0'),
                  "%s: %s", runs[k].what, result.reason);
    CHECK_NEAR(r, runs[k].r, 0);
    CHECK_NEAR(v, r - 1, 0);
    CHECK_NEAR(result.residual.relative_b, 1 - r, DBL_EPSILON);
    CHECK_NEAR(is_kept ? history[0] : 0.5, 1 - runs[k].from, DBL_EPSILON);
    CHECK(k > 0 ? isnan(result.seconds) : result.seconds >= 0 && result.check_seconds >= 0);
    for (int i = 1; is_kept && i <= loop.max_iter;
         ++i) { /* checks come when they are due, and at the end */
      const int is_due =
          i <= result.iterations && (i % loop.check_every == 0 || i == result.iterations);
      CHECK_MESSAGE(isfinite(history[i]) == is_due, "%s: iteration %d", runs[k].what, i);
    }
  }
}

TEST(the_best_iterate_is_returned) {
  double r = 0, v;
  const struct problem_loop loop = {
      .tol = 1e-3, .max_iter = 5, .check_every = 1, .time_limit = INFINITY};
  memset(&script, 0, sizeof script);
  memcpy(script.values, (double[]){0.5, 0.875, 0.75, 0.25, 0.125}, 5 * sizeof(double));
  script.count = 5;
  struct problem_result result = run(&loop, minus_one, &r, &v, NULL);
  CHECK_INT(result.status, BASE_UNCONVERGED);
  CHECK_INT(result.iterations, 5);
  CHECK_NEAR(r, 0.875, 0);
  CHECK_NEAR(v, -0.125, 0);
  CHECK_NEAR(result.residual.relative_b, 0.125, DBL_EPSILON);
  r = 0.9375; /* a start that nothing improves on */
  result = run(&loop, minus_one, &r, &v, NULL);
  CHECK_INT(result.status, BASE_UNCONVERGED);
  CHECK_NEAR(r, 0.9375, 0);
}

TEST(a_warm_start_that_solves_costs_nothing) {
  double r = 1, v, history[2];
  const struct problem_loop loop = {
      .tol = 0, .max_iter = 1, .check_every = 1, .time_limit = INFINITY};
  halves(1);
  const struct problem_result result = run(&loop, minus_one, &r, &v, history);
  CHECK_OK(result.status);
  CHECK_INT(result.iterations, 0);
  CHECK_INT(script.allocs, 0);
  CHECK_NEAR(history[0], 0, 0);
  CHECK_NEAR(v, 0, 0);
}

TEST(what_is_not_finite_diverged) {
  double r = 0, v;
  const struct problem_loop loop = {
      .tol = 1e-3, .max_iter = 9, .check_every = 1, .time_limit = INFINITY};
  halves(3);
  script.values[3] = NAN;
  script.count = 4;
  struct problem_result result = run(&loop, minus_one, &r, &v, NULL);
  CHECK_INT(result.status, BASE_DIVERGED);
  CHECK_INT(result.iterations, 4);
  CHECK_NEAR(r, 0.875, 0);
  CHECK_NEAR(v, -0.125, 0);
  CHECK_NEAR(result.residual.relative_b, 0.125, DBL_EPSILON);
  r = INFINITY; /* a start that is not finite */
  halves(3);
  result = run(&loop, minus_one, &r, &v, NULL);
  CHECK_INT(result.status, BASE_DIVERGED);
  CHECK_INT(script.calls, 0);
  CHECK(isfinite(r) && isfinite(v));
}

TEST(deadlines_of_the_work_around_end_the_loop) {
  double r = 0, v;
  struct problem_loop loop = {
      .tol = 1e-3, .max_iter = 16, .check_every = 100, .time_limit = INFINITY, .deadline = 1e-9};
  halves(16);
  struct problem_result result = run(&loop, minus_one, &r, &v, NULL);
  CHECK_INT(result.status, BASE_TIMEOUT);
  CHECK_INT(result.iterations, 1);
  CHECK_NEAR(script.deadline, 1e-9, 0); /* solvers that ask others know it */
  loop.deadline = base_clock_deadline(1e6);
  r = 0;
  result = run(&loop, minus_one, &r, &v, NULL);
  CHECK_OK(result.status);
  CHECK_NEAR(script.deadline, loop.deadline, 0);
  loop.time_limit = 1e3; /* the earlier of the two */
  r = 0;
  run(&loop, minus_one, &r, &v, NULL);
  CHECK(script.deadline > 0 && script.deadline < loop.deadline - 1e5);
}

/* Where no impulse is a solution, it is the answer to a start that is none: of bodies at rest and
 * of those that part, at once and exactly. */
TEST(where_nothing_is_asked_for_no_impulse_is_the_answer) {
  static const double parting[] = {0.25};
  const struct problem_loop loop = {
      .tol = 1e-3, .max_iter = 16, .check_every = 1, .time_limit = INFINITY};
  for (int k = 0; k < 2; ++k) {
    double r = 1, v = 7;
    halves(0);
    const struct problem_result result = run(&loop, k == 0 ? zero : parting, &r, &v, NULL);
    CHECK_OK(result.status);
    CHECK_INT(result.iterations, 0);
    CHECK_NEAR(r, 0, 0);
    CHECK_NEAR(v, k == 0 ? 0 : 0.25, 0);
    CHECK_NEAR(result.residual.absolute, 0, 0);
  }
}

TEST(unsupported_comes_with_a_reason) {
  struct base_arena *arena = test_arena();
  struct problem p = unit_problem(minus_one);
  struct problem_result result;
  double r = 0, v = 7;
  const struct problem_loop loop = problem_loop_default();
  halves(16);
  p.model.law = CONTACT_LAW_MDP;
  problem_solve(&p, &scripted, NULL, &loop, &r, &v, arena, &result);
  CHECK_INT(result.status, BASE_UNSUPPORTED);
  CHECK_MESSAGE(strstr(result.reason, "'mdp'") != NULL, "%s", result.reason);
  CHECK_NEAR(v, -1, 0);
  p.model.law = CONTACT_LAW_LCP;
  struct problem_solver refusing = scripted;
  refusing.check = script_check;
  problem_solve(&p, &refusing, NULL, &loop, &r, &v, arena, &result);
  CHECK_INT(result.status, BASE_UNSUPPORTED);
  CHECK_TEXT(result.reason, "not on a Sunday");
  CHECK_INT(result.iterations, 0);
}

/* A relief goes on where the pace of the residual is too slow or the solver breaks down, from the
 * best iterate; sweeps that arrive are the same with and without. 0.97^227 < 1e-3 < 0.97^226. */
TEST(a_relief_goes_on_where_the_solver_does_not_arrive) {
  struct problem_loop loop = {
      .tol = 1e-3, .max_iter = SCRIPT_MAX, .check_every = 1, .time_limit = INFINITY};
  for (int relief = 0; relief < 2; ++relief) {
    loop.relief = relief;
    double r = 0;
    slow_script(SCRIPT_MAX, 0.97);
    script.factor = 1;
    struct problem_result result = run(&loop, minus_one, &r, NULL, NULL);
    CHECK_OK(result.status);
    CHECK_INT(result.iterations, 227);
    CHECK(result.by == NULL || strcmp(result.by->name, "scripted") == 0);
    CHECK_INT(result.by != NULL, relief);
    CHECK_INT(result.round, relief);

    r = 0;
    slow_script(SCRIPT_MAX, 0.9999);
    script.factor = 1;
    result = run(&loop, minus_one, &r, NULL, NULL);
    CHECK_INT(result.status, relief ? BASE_OK : BASE_UNCONVERGED);
    CHECK(!relief || (result.by != NULL && strcmp(result.by->name, "scripted") != 0));
    CHECK(!relief || result.iterations < 300);

    r = 0;
    halves(4);
    script.end = BASE_FAILED;
    result = run(&loop, minus_one, &r, NULL, NULL);
    CHECK_INT(result.status, relief ? BASE_OK : BASE_FAILED);
  }
}

/* Where the relief fails too the status is the solver's, and the reason says what was tried: a
 * contact is pressed in, and no impulse moves it but through the other, which is pressed as
 * well. */
TEST(a_relief_that_fails_leaves_the_status) {
  const double a[4] = {1, -1, -1, 1}, b[2] = {-1, -1}, mu[2] = {0};
  const struct problem p = dense_problem(CONTACT_LAW_NCP, 1, 2, mu, a, b);
  const struct problem_loop loop = {
      .tol = 1e-6, .max_iter = 1000000, .check_every = 1, .time_limit = INFINITY, .relief = 1};
  double r[2] = {0};
  struct problem_result result;
  problem_solve(&p, problem_solver_find("relaxation"), NULL, &loop, r, NULL, test_arena(), &result);
  CHECK_INT(result.status, BASE_UNCONVERGED);
  CHECK_MESSAGE(strstr(result.reason, "auto: ") != NULL, "%s", result.reason);
  CHECK(result.residual.relative_b > 0.1);
}

TEST(no_contacts_are_solved_at_once) {
  struct base_arena *arena = test_arena();
  for (int i = 0; i < problem_solver_count(); ++i) {
    const struct problem_solver *solver = problem_solver_get(i);
    for (int law = 0; law < CONTACT_LAW_COUNT; ++law) {
      const int row_ptr[1] = {0};
      const struct problem p = {
          .name = "",
          .model = {.law = (enum contact_law)law, .dim = 3, .n_dir = 4},
          .A = {.kind = PROBLEM_OPERATOR_BLOCKS, .dim = 3, .row_ptr = row_ptr}};
      struct problem_result result;
      double r = 0, v = 0;
      struct problem_history history = {.arena = base_arena_child(arena)};
      const struct problem_loop loop = {
          .tol = 0, .max_iter = 1, .check_every = 1, .time_limit = INFINITY, .history = &history};
      problem_solve(&p, solver, NULL, &loop, &r, &v, arena, &result);
      if ((solver->laws & CONTACT_LAW_BIT(law)) != 0) {
        CHECK_OK(result.status);
        CHECK_NEAR(result.residual.relative_b, 0, 0);
        CHECK(history.n == 1 && history.checks[0].residual == 0);
      } else {
        CHECK_INT(result.status, BASE_UNSUPPORTED);
      }
      CHECK_INT(result.residual.at, -1);
      CHECK_INT(result.iterations, 0);
    }
  }
}

TEST(solvers_say_what_they_are) {
  for (int i = 0; i < problem_solver_count(); ++i) {
    const struct problem_solver *solver = problem_solver_get(i);
    CHECK(solver->laws != 0 && solver->summary != NULL && solver->source != NULL);
    CHECK((solver->options != NULL) == (solver->options_size > 0));
  }
}
