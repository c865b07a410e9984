/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of the harness through real cases: jobs, runs, measures, references, statuses. What is
 * measured is recomputed here by other means: energies from the final state and closed forms of the
 * falling particle, errors from a reference written down anew, distances of paths by brute force.
 * Records and suites are tested in test_record.c.
 */
#include "tests/case_model.h"
#include "tests/scratch.h"
#include "tests/test.h"
#include "tests/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/json/json.h"
#include "bench/reference/errors.h"
#include "bench/run/measure.h"
#include "bench/run/run.h"
#include "bench/suite/progress.h"
#include "form/impulse/impulse.h"
#include "form/simulator/simulator.h"

static struct bench_request request_of(const char *case_name, const char *formulation, double dt,
                                       double t_end) {
  return (struct bench_request){
      .case_name = case_name, .formulation = formulation, .dt = dt, .t_end = t_end};
}

static int run(struct trial *trial, const struct bench_request *request) {
  return trial_run(trial, *request, "", "", TRIAL_WITH_ERRORS);
}

static int run_plain(struct trial *trial, const char *case_name, const char *formulation, double dt,
                     double t_end) {
  const struct bench_request request = request_of(case_name, formulation, dt, t_end);
  return run(trial, &request);
}

/* ---- energy ---- */

/* Cases of many bodies with a few. */
static void make_small(struct bench_request *request) {
  static const struct {
    const char *name, *set;
  } sizes[] = {{"packing", "n=8"}, {"channel-flow", "scale=0.06"}, {"box-stack", "n=1"}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    if (strcmp(request->case_name, sizes[i].name) == 0) {
      base_words_add(&request->set, sizes[i].set, test_arena());
    }
  }
}

/* A few steps of every formulation on every case: the ends of the budget are the energies of the
 * first and last state, computed here from the model. Its parts are tested in test_budget.c; that
 * they add up is how `numerical` is defined. */
TEST(energies_are_those_of_the_states_for_every_case_and_formulation) {
  const int forms = form_count();
  int *by_case = calloc((size_t)case_count(), sizeof *by_case);
  int *by_form = calloc((size_t)forms, sizeof *by_form);
  for (int c = 0; c < case_count(); ++c) {
    for (int f = 0; f < forms; ++f) {
      const struct base_arena_mark mark = base_arena_mark(test_arena());
      struct bench_request request = request_of(case_get(c)->name, form_get(f)->name, 0, 0);
      struct trial trial = {.arena = test_arena()}; /* to learn the default step */
      make_small(&request);
      CHECK_OK(bench_job_resolve(&request, trial.arena, &trial.job));
      request = request_of(request.case_name, request.formulation, 0, 4.5 * trial.job.dt);
      make_small(&request);
      /* a reference for the first that runs, and for `event`, whose is another */
      const int has_errors = by_case[c] == 0 || strcmp(form_get(f)->name, "event") == 0;
      const int status = trial_run(&trial, request, "", "", has_errors);
      CHECK_MESSAGE(status >= 0, "%s: %s", request.case_name, base_message());
      const struct bench_outcome *out = &trial.out;
      if (status == BASE_OK && strcmp(form_get(f)->name, "penalty") != 0) {
        struct case_instance instance = {0};
        CHECK_OK(case_get(c)->build(trial.job.parameters, trial.arena, &instance));
        const struct mech *m = instance.mech;
        const double initial = mech_energy(m, instance.q, instance.u, trial.arena);
        const double size = fabs(initial) + fabs(out->energy.final) +
                            mech_kinetic(m, instance.q, instance.u, trial.arena);
        CHECK_NEAR(out->energy.initial, initial, 0);
        if (m->ops->observe == NULL) { /* the published state is the state */
          CHECK_NEAR(out->energy.final, mech_energy(m, out->q, out->u, trial.arena),
                     1e-14 * (size + 1));
        }
        CHECK_INT(out->steps, 5);
        CHECK_NEAR(out->t, 4.5 * trial.job.dt, 0);
      }
      CHECK_MESSAGE(status == BASE_OK || out->reason[0] != '\0', "%s with %s: no reason",
                    request.case_name, request.formulation);
      by_case[c] += status == BASE_OK;
      by_form[f] += status == BASE_OK;
      base_arena_release(test_arena(), mark);
    }
  }
  for (int c = 0; c < case_count(); ++c) {
    CHECK_MESSAGE(by_case[c] > 0, "no formulation runs %s", case_get(c)->name);
  }
  for (int f = 0; f < forms; ++f) {
    CHECK_MESSAGE(by_form[f] > 0 || form_is_simulator(form_get(f)), "no case runs with %s",
                  form_get(f)->name);
  }
  free(by_case);
  free(by_form);
}

/* ---- errors ---- */

/* The motion of the particle with its default parameters, written down from Newton's and Coulomb's
 * laws: flight to t_i = sqrt(2/g), then v = 2 - mu g t_i, then deceleration mu g. */
static void particle(double t, double q[2], double u[2]) {
  const double g = 9.81, mu = 0.2, t_i = sqrt(2 / g), w = 2 - mu * g * t_i, stop = w / (mu * g);
  if (t < t_i) {
    q[0] = 2 * t, q[1] = 1 - g * t * t / 2;
    u[0] = 2, u[1] = -g * t;
    return;
  }
  const double s = fmin(t - t_i, stop);
  q[0] = 2 * t_i + w * s - mu * g * s * s / 2, q[1] = 0;
  u[0] = w - mu * g * s, u[1] = 0;
}

TEST(errors_are_those_recomputed_from_the_trajectory) {
  struct trial trial;
  struct bench_request request = request_of("falling-particle", "ncp", 5e-3, 1.5); /* 300 steps */
  request.sample = 5e-3;
  CHECK_OK(run(&trial, &request));
  const struct bench_path *path = &trial.out.trajectory;
  CHECK_INT(path->n, 301);
  if (path->n != 301) {
    return;
  }
  double linf = 0, sum = 0, last = 0;
  for (int k = 0; k < path->n; ++k) {
    double q[2], u[2];
    CHECK_NEAR(path->t[k], k == 300 ? 1.5 : k * 5e-3, 0);
    particle(path->t[k], q, u);
    last = fmax(fabs(path->q[2 * k] - q[0]), fabs(path->q[2 * k + 1] - q[1]));
    linf = fmax(linf, last);
    sum += pow(path->q[2 * k] - q[0], 2) + pow(path->q[2 * k + 1] - q[1], 2);
  }
  CHECK_LE(1e-4, linf); /* there is something to compare */
  CHECK_NEAR(trial.out.errors.q_linf, linf, 1e-13);
  CHECK_NEAR(trial.out.errors.q_l2, sqrt(sum / path->n), 1e-13);
  CHECK_NEAR(trial.out.errors.q_final, last, 1e-13);
  CHECK_TEXT(trial.out.reference.kind, "analytic");
  CHECK_LE(trial.out.reference.bound, 1e-12);
}

/* Without a closed form `event` is the reference: the error of another formulation is its distance
 * to a run of `event`. */
TEST(errors_without_closed_form_are_against_event) {
  struct trial a, b;
  const struct bench_request moreau = request_of("double-pendulum", "moreau", 1e-3, 0.5);
  const struct bench_request event = request_of("double-pendulum", "event", 0.1, 0.5);
  CHECK(run(&a, &moreau) >= 0);
  CHECK_OK(run(&b, &event));
  CHECK_INT(a.out.nq, b.out.nq);
  double largest = 0;
  for (int j = 0; j < a.out.nq; ++j) {
    largest = fmax(largest, fabs(a.out.q[j] - b.out.q[j]));
  }
  CHECK_TEXT(a.out.reference.kind, "event");
  CHECK_NEAR(a.out.errors.q_final, largest, 1e-9);
  CHECK_LE(1e-6, largest);
  CHECK_TEXT(b.out.reference.kind, "self"); /* event again, with a tighter tolerance */
  CHECK_NEAR(a.out.reference.until, 0.5, 0);
  CHECK_LE(b.out.errors.q_linf, b.out.reference.bound);
  CHECK_NEAR(b.out.reference.bound, 1e-9, 0); /* what the case's file states */
}

/* Other parameters than the case's own: an elastic oscillator rattles at its stop, and the
 * reference is worth what two tolerances of it have in common, not the 5e-12 m of the case's file.
 * With the light mass 40 times heavier and the spring softer it loses its digits within tens of
 * periods of the spring instead of hundreds.
 */
TEST(bound_of_the_reference_is_measured_for_other_parameters_and_horizons) {
  struct trial own, elastic, finer, stepped, longer;
  const struct base_words rattling = BASE_WORDS("eps=1", "m2=0.04", "c=2e4");
  struct bench_request request = request_of("oscillator", "event", 1e-2, 0.16);
  CHECK_OK(run(&own, &request));
  CHECK_NEAR(own.out.reference.bound, 5e-12, 0); /* what the case's file states */
  request = request_of("oscillator", "event", 1e-2, 0.48);
  request.sample = 1e-2;
  request.set = rattling;
  CHECK_OK(run(&elastic, &request));
  request.opt = BASE_WORDS("rtol=1e-13");
  CHECK_OK(run(&finer, &request));
  const struct bench_path *coarse = &elastic.out.trajectory, *fine = &finer.out.trajectory;
  double apart = 0; /* of the light mass, on the way */
  CHECK_INT(coarse->n, 49);
  CHECK_INT(fine->n, 49);
  for (int k = 0; k < coarse->n && k < fine->n; ++k) {
    apart = fmax(apart, fabs(coarse->q[2 * k + 1] - fine->q[2 * k + 1]));
  }
  CHECK_LE(1e-9, apart); /* beyond the file's bound */
  CHECK_LE(elastic.out.errors.q_linf, elastic.out.reference.bound);
  request = request_of("oscillator", "ncp", 1e-4, 0.54); /* its reference goes on as `elastic` */
  request.set = rattling;
  CHECK(run(&stepped, &request) >= 0);
  CHECK_LE(apart, stepped.out.reference.bound);
  /* by then a change of 1e-10 is one of more than 1e-5 */
  CHECK_LE(stepped.out.reference.until, 0.53);
  CHECK_LE(0.48, stepped.out.reference.until);
  CHECK(strstr(stepped.out.reference.reason, "starts that differ") != NULL);
  CHECK(isnan(stepped.out.errors.q_final) && stepped.out.errors.q_linf > 0);
  request = request_of("double-pendulum", "event", 0.1, 5); /* the file's horizon is 4 s */
  CHECK_OK(run(&longer, &request));
  CHECK_LE(longer.out.errors.q_linf, longer.out.reference.bound);
  CHECK(longer.out.reference.bound != 1e-8);
}

/* ---- distance of paths ---- */

enum { VERTICES = 7, WIDTH = 2, DENSE = 400 };

static void random_path(struct bench_path *path, double t[VERTICES], double u[VERTICES * WIDTH],
                        struct base_rng *rng) {
  double now = 0;
  for (int k = 0; k < VERTICES; ++k) {
    t[k] = now;
    now += base_rng_below(rng, 4) == 0 ? 0 : base_rng_uniform(rng, 0, 1); /* jumps too */
    base_rng_uniforms(rng, WIDTH, -1, 1, u + WIDTH * k);
  }
  *path = (struct bench_path){.n = VERTICES, .nu = WIDTH, .t = t, .u = u};
}

/* Largest distance of a's vertices to points spread densely over b's segments. */
static double brute_one_sided(const struct bench_path *a, const struct bench_path *b,
                              double t_scale, double u_scale) {
  double worst = 0;
  for (int i = 0; i < a->n; ++i) {
    double best = INFINITY;
    for (int p = 0; p <= (b->n - 1) * DENSE; ++p) {
      const int k = p / DENSE < b->n - 1 ? p / DENSE : b->n - 2;
      const double s = (double)(p - k * DENSE) / DENSE;
      double d = fabs(b->t[k] + s * (b->t[k + 1] - b->t[k]) - a->t[i]) / t_scale;
      for (int j = 0; j < WIDTH; ++j) {
        const double x = b->u[k * WIDTH + j], y = b->u[(k + 1) * WIDTH + j];
        d = fmax(d, fabs(x + s * (y - x) - a->u[i * WIDTH + j]) / u_scale);
      }
      best = fmin(best, d);
    }
    worst = fmax(worst, best);
  }
  return worst;
}

TEST(hausdorff_distance_is_that_of_brute_force) {
  struct base_rng *rng = test_rng(0);
  for (int round = 0; round < 60; ++round) {
    double ta[VERTICES], ua[VERTICES * WIDTH], tb[VERTICES], ub[VERTICES * WIDTH];
    struct bench_path a, b;
    random_path(&a, ta, ua, rng);
    random_path(&b, tb, ub, rng);
    const double t_scale = base_rng_uniform(rng, 0.2, 5), u_scale = base_rng_uniform(rng, 0.2, 5);
    const double distance = bench_hausdorff(&a, &b, t_scale, u_scale);
    const double brute =
        fmax(brute_one_sided(&a, &b, t_scale, u_scale), brute_one_sided(&b, &a, t_scale, u_scale));
    const double spacing = fmax(1 / t_scale, 2 / u_scale) / DENSE;
    CHECK_LE(distance, brute + 1e-12);
    CHECK_LE(brute - spacing, distance);
    CHECK_NEAR(bench_hausdorff(&b, &a, t_scale, u_scale), distance, 0);
    CHECK_NEAR(bench_hausdorff(&a, &a, t_scale, u_scale), 0, 0);
  }
}

TEST(hausdorff_distance_of_known_shifts) {
  double t[] = {0, 1, 2, 3}, still[] = {1, 1, 1, 1}, lifted[] = {1.25, 1.25, 1.25, 1.25};
  double t_jump[] = {0, 1, 1, 3}, t_late[] = {0, 1.3, 1.3, 3}, jump[] = {0, 0, 5, 5};
  const struct bench_path a = {.n = 4, .nu = 1, .t = t, .u = still};
  const struct bench_path b = {.n = 4, .nu = 1, .t = t, .u = lifted};
  CHECK_NEAR(bench_hausdorff(&a, &b, 3, 2), 0.125, 1e-15);
  /* A jump that comes 0.3 s late is near in the graph although far at equal times. */
  const struct bench_path early = {.n = 4, .nu = 1, .t = t_jump, .u = jump};
  const struct bench_path late = {.n = 4, .nu = 1, .t = t_late, .u = jump};
  CHECK_NEAR(bench_hausdorff(&early, &late, 3, 2), 0.1, 1e-13);
  const struct bench_path point = {.n = 1, .nu = 1, .t = t, .u = still};
  CHECK(isnan(bench_hausdorff(&a, &point, 3, 2)));
}

/* The jump of `event` lies inside a step of dt = 0.01 s, 0.0015 s after its beginning and 0.0085 s
 * before its end: the distance of the graphs is the larger of the two over t_end, seen to an eighth
 * of a step. */
TEST(velocity_graphs_differ_by_where_they_jump) {
  const double t_i = sqrt(2 / 9.81), dt = 1e-2, t_end = 1.5;
  struct trial trial;
  CHECK_OK(run_plain(&trial, "falling-particle", "event", dt, t_end));
  const double late = dt * ceil(t_i / dt) - t_i;
  CHECK_LE(trial.out.errors.q_linf, 1e-12);
  CHECK_NEAR(trial.out.errors.u_hausdorff, late / t_end, dt / 8 / t_end);
}

/* ---- jobs ---- */

/* A checkpoint goes from one number of threads to another. */
TEST(threads_are_of_the_command_alone) {
  struct bench_request request = request_of("packing", "ncp", 1e-3, 0.01);
  struct bench_job one, three;
  request.threads = 1;
  CHECK_OK(bench_job_resolve(&request, test_arena(), &one));
  request.threads = 3;
  CHECK_OK(bench_job_resolve(&request, test_arena(), &three));
  CHECK_TEXT(one.identity, three.identity);
  CHECK_TEXT(one.command + strlen("OMP_NUM_THREADS=1"),
             three.command + strlen("OMP_NUM_THREADS=3"));
  CHECK(strncmp(three.command, "OMP_NUM_THREADS=3 coulombench run", 33) == 0);
}

TEST(job_takes_defaults_of_tables_then_case_then_request) {
  struct base_arena *arena = test_arena();
  struct bench_job job;
  struct bench_request request = request_of("oscillator", "consistent-onestep", 0, 0);
  CHECK_OK(bench_job_resolve(&request, arena, &job));
  CHECK_NEAR(job.dt, 1e-3, 0);
  CHECK_NEAR(job.t_end, 1, 0);
  CHECK_NEAR(job.loop.tol, problem_loop_default().tol, 0); /* an exact scheme */
  request.formulation = "moreau";                          /* the case's own default for it */
  CHECK_OK(bench_job_resolve(&request, arena, &job));
  CHECK_NEAR(job.dt, 1e-5, 0);
  request = request_of("oscillator", "moreau", 2e-4, 0.25);
  request.opt = BASE_WORDS("tol=1e-7");
  request.set = BASE_WORDS("m1=12.5");
  CHECK_OK(bench_job_resolve(&request, arena, &job));
  CHECK_NEAR(job.dt, 2e-4, 0);
  CHECK_NEAR(job.t_end, 0.25, 0);
  CHECK_NEAR(job.loop.tol, 1e-7, 0);
  CHECK_NEAR(case_real(job.parameters, "m1"), 12.5, 0);
  CHECK_NEAR(case_real(job.parameters, "m2"), 1e-3, 0);
  CHECK_TEXT(job.solver->name, form_find("moreau")->solver);
  request.solver = "pgs";
  CHECK_OK(bench_job_resolve(&request, arena, &job));
  CHECK_TEXT(job.command, "coulombench run oscillator -f moreau -s pgs --dt 0.0002 --t-end 0.25 "
                          "--set m1=12.5 --opt tol=1e-7");
}

/* A falling-particle with these defaults for ncp in place of those it has. */
static void set_defaults(const char *ncp) {
  scratch_data("cases/falling-particle/falling-particle.json", "\"penalty\": {\"dt\": 1e-5}",
               base_arena_printf(test_arena(), "\"ncp\": {%s}", ncp));
}

TEST(job_takes_solver_options_and_times_of_the_case_for_a_formulation) {
  struct base_arena *arena = test_arena();
  struct bench_job job;
  set_defaults("\"dt\": 0.0625, \"t_end\": 0.75, \"solver\": \"relaxation\", "
               "\"options\": {\"jacobi\": 0.25, \"tol\": 1e-6, \"warm_start\": true}");
  struct bench_request request = request_of("falling-particle", "ncp", 0, 0);
  CHECK_OK(bench_job_resolve(&request, arena, &job));
  CHECK_NEAR(job.dt, 0.0625, 0);
  CHECK_NEAR(job.t_end, 0.75, 0);
  CHECK_TEXT(job.solver->name, "relaxation");
  CHECK_NEAR(job.loop.tol, 1e-6, 0);
  CHECK_INT(job.switches.warm_start, 1);
  const struct base_option *jacobi = base_options_find(job.solver->options, "jacobi");
  CHECK_NEAR(*(double *)((char *)job.solver_options + jacobi->offset), 0.25, 0);
  /* Another solver: the options of the default one stay behind, the others hold. */
  request.solver = "pgs";
  CHECK_OK(bench_job_resolve(&request, arena, &job));
  CHECK_TEXT(job.solver->name, "pgs");
  CHECK_NEAR(job.loop.tol, 1e-6, 0);
  /* The request has the last word. */
  request.opt = BASE_WORDS("tol=1e-9", "warm_start=no");
  request.t_end = 0.5;
  CHECK_OK(bench_job_resolve(&request, arena, &job));
  CHECK_NEAR(job.loop.tol, 1e-9, 0);
  CHECK_INT(job.switches.warm_start, 0);
  CHECK_NEAR(job.t_end, 0.5, 0);
  /* A case's file that is wrong is refused, with its name. */
  set_defaults("\"options\": {\"tolerance\": 1e-6}");
  request = request_of("falling-particle", "ncp", 0, 0);
  CHECK_REFUSED(bench_job_resolve(&request, arena, &job), BASE_E_INPUT,
                "falling-particle.json, formulations.ncp: option 'tolerance'");
  set_defaults("\"options\": {\"tol\": [1]}");
  CHECK_REFUSED(bench_job_resolve(&request, arena, &job), BASE_E_INPUT,
                "formulations.ncp.options.tol: must be a text or a number");
}

/* Tolerances go with the step, unless user, case, figure or an exact scheme say otherwise. */
TEST(tolerance_is_balanced_to_the_step) {
  CHECK_NEAR(bench_tolerance_balanced(1e-5, 1), 1e-7, 1e-20);
  CHECK_NEAR(bench_tolerance_balanced(1e-7, 2e-2), 0.01 / 2e5, 1e-20);
  CHECK_NEAR(bench_tolerance_balanced(1e-9, 1), 1e-10, 0);
  CHECK_NEAR(bench_tolerance_balanced(1, 1), 1e-6, 0);
  struct base_arena *arena = test_arena();
  struct bench_job job;
  struct bench_request request = request_of("pushed-box", "ncp", 1e-5, 0.5);
  CHECK_OK(bench_job_resolve(&request, arena, &job));
  CHECK_NEAR(job.loop.tol, 0.01 / 50000, 1e-20);
  CHECK(strstr(job.command, "tol=") == NULL);
  bench_job_set_step(&job, 1e-2); /* as a search does */
  CHECK_NEAR(job.dt, 1e-2, 0);
  CHECK_NEAR(job.loop.tol, 1e-6, 0); /* the most there is */
  request.is_tight = 1;
  CHECK_OK(bench_job_resolve(&request, arena, &job));
  CHECK_NEAR(job.loop.tol, problem_loop_default().tol, 0);
  CHECK(strstr(job.command, " --opt tol=1e-10") != NULL); /* repeats it */
  bench_job_set_step(&job, 1e-2);
  CHECK_NEAR(job.loop.tol, problem_loop_default().tol, 0);
  request.formulation = "penalty"; /* has no solves */
  CHECK_OK(bench_job_resolve(&request, arena, &job));
  CHECK(strstr(job.command, "tol=") == NULL);
  request.formulation = "ncp";
  request.opt = BASE_WORDS("tol=1e-7");
  CHECK_OK(bench_job_resolve(&request, arena, &job));
  CHECK_NEAR(job.loop.tol, 1e-7, 0);
  bench_job_set_step(&job, 1e-2);
  CHECK_NEAR(job.loop.tol, 1e-7, 0);
  request = request_of("channel-flow", "ncp", 2e-5, 1e-3); /* its file says */
  request.is_tight = 1;
  CHECK_OK(bench_job_resolve(&request, arena, &job));
  CHECK_NEAR(job.loop.tol, 1e-3, 0);
}

/* A key that formulation and solver share is set by its full name alone; no other two tables that
 * meet in one run share any. */
TEST(an_option_key_means_one_thing) {
  int pairs = 0;
  for (int f = 0; f < form_count(); ++f) {
    const struct form *form = form_get(f);
    for (int s = 0; s < problem_solver_count(); ++s) {
      const struct base_option *tables[] = {form->options, problem_solver_get(s)->options,
                                            problem_loop_options, bench_switch_options};
      for (int a = 0; a < 4; ++a) {
        for (const struct base_option *o = tables[a]; o != NULL && o->key.name != NULL; ++o) {
          for (int b = a == 0 ? 2 : a + 1; b < 4; ++b) {
            CHECK_MESSAGE(base_options_find(tables[b], o->key.name) == NULL,
                          "%s with %s: '%s' twice", form->name, problem_solver_get(s)->name,
                          o->key.name);
            ++pairs;
          }
        }
      }
      if (!form->has_law) {
        break; /* takes no solver */
      }
    }
  }
  CHECK_LE(100, pairs);
}

TEST(options_of_the_same_name_are_told_apart) {
  static const struct {
    const char *opt, *words; /* words NULL: taken */
  } given[] = {{"theta=0.75", "say form.theta or solver.theta"},
               {"form.theta=0.75", NULL},
               {"solver.theta=0.75", NULL},
               {"form.tol=1e-9", "is known neither"},
               {"solver.tol=1e-9", NULL},
               {"solver.law=ncp", "is known neither"}};
  for (size_t i = 0; i < sizeof given / sizeof *given; ++i) {
    struct bench_job job;
    struct bench_request request = request_of("falling-particle", "impulse", 1e-3, 1);
    request.solver = "fixed-point";
    request.opt = BASE_WORDS("scheme=theta", given[i].opt);
    const int status = bench_job_resolve(&request, test_arena(), &job);
    CHECK_INT(status, given[i].words == NULL ? BASE_OK : BASE_E_INPUT);
    CHECK_MESSAGE(given[i].words == NULL || strstr(base_message(), given[i].words) != NULL, "%s",
                  base_message());
    if (status == BASE_OK) {
      const struct form_impulse_options *options = job.form_options;
      CHECK_NEAR(options->theta, given[i].opt[0] == 'f' ? 0.75 : 0.5, 0);
    }
  }
}

/* Every case's defaults for formulations can be resolved, and name formulations there are. */
TEST(defaults_in_case_files_are_known) {
  for (int c = 0; c < case_count(); ++c) {
    struct base_arena *arena = test_arena();
    struct case_parameters *parameters = case_parameters_load(case_get(c), arena);
    CHECK_MESSAGE(parameters != NULL, "%s", base_message());
    const cJSON *item, *all = parameters == NULL
                                  ? NULL
                                  : cJSON_GetObjectItemCaseSensitive(
                                        case_parameters_file(parameters), "formulations");
    cJSON_ArrayForEach(item, all) {
      struct bench_job job;
      const struct bench_request request = request_of(case_get(c)->name, item->string, 0, 0);
      CHECK_OK(bench_job_resolve(&request, arena, &job));
    }
  }
}

/* ---- steps ---- */

TEST(steps_end_at_t_end_exactly) {
  static const struct {
    double dt, t_end;
    long steps;
  } wanted[] = {{1e-3, 1e-3, 1},     {1e-3, 1.4e-3, 2}, {1e-3, 0.1, 100},
                {0.1, 0.3, 3}, /* 0.3/0.1 is 2.9999999999999996 */
                {1e-3, 0.1005, 101}, {1.0 / 3, 1, 3},   {0.3333, 1, 4}};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i) {
    struct trial trial;
    struct bench_request request =
        request_of("falling-particle", "moreau", wanted[i].dt, wanted[i].t_end);
    request.sample = wanted[i].dt;
    CHECK_OK(run(&trial, &request));
    const struct bench_outcome *out = &trial.out;
    CHECK_INT(out->steps, wanted[i].steps);
    CHECK_NEAR(out->t, wanted[i].t_end, 0);
    CHECK_INT(out->trajectory.n, wanted[i].steps + 1);
    CHECK_NEAR(out->trajectory.t[out->trajectory.n - 1], wanted[i].t_end, 0);
    if (wanted[i].t_end < 0.4) { /* in flight x = vx0 t, exact for any sequence of steps */
      CHECK_NEAR(out->q[0], 2 * wanted[i].t_end, 1e-15);
    }
  }
}

TEST(a_step_in_flight_has_no_measures_of_a_law) {
  struct trial trial;
  const double dt = 1e-3, g = 9.81;
  CHECK_OK(run_plain(&trial, "falling-particle", "ccp", dt, dt));
  CHECK_NEAR(trial.out.u[1], -g * dt, 1e-15);
  CHECK(isnan(trial.out.law.residual_max) && isnan(trial.out.law.residual_p50));
  CHECK_INT(trial.out.iterations.total, 0);
}

/* ---- statuses ---- */

TEST(divergence_is_recorded_with_the_last_sound_state) {
  struct trial trial; /* the explicit spring needs dt < 1e-4 */
  CHECK_INT(run_plain(&trial, "oscillator", "moreau", 1e-3, 1), BASE_DIVERGED);
  char begin[64];
  snprintf(begin, sizeof begin, "step %ld, t = ", trial.out.steps + 1);
  CHECK_MESSAGE(strncmp(trial.out.reason, begin, strlen(begin)) == 0, "%s", trial.out.reason);
  CHECK(1 <= trial.out.steps);
  CHECK(trial.out.steps <= 999);
  CHECK_NEAR(trial.out.t, (double)trial.out.steps * 1e-3, 0);
  CHECK(isfinite(trial.out.q[0]) && isnan(trial.out.errors.q_final));
  CHECK_TEXT(trial.out.reference.kind, "none");
}

/* Far from the origin, or slow for the distances around, is no divergence. */
TEST(slow_and_distant_motions_do_not_diverge) {
  static const char *const set[][3] = {{"x0=1", "vx0=1e-4", "y0=0"},  /* m->length is 5e-10 m */
                                       {"x0=1e8", "vx0=2", "y0=1"},   /* m->length is 1 m */
                                       {"mu=0", "vx0=1e-9", "y0=0"}}; /* m->length is 5e-20 m */
  static const double error[] = {1e-6, 0.05, 1e-15}; /* dt vx0, dt v_impact, round-off [m] */
  for (size_t i = 0; i < sizeof set / sizeof *set; ++i) {
    struct trial trial;
    struct bench_request request = request_of("falling-particle", "moreau", 1e-2, 1);
    request.set = (struct base_words){3, set[i]};
    CHECK_MESSAGE(run(&trial, &request) == BASE_OK, "%s: %s", set[i][0], trial.out.reason);
    CHECK_LE(trial.out.errors.q_linf, error[i]);
  }
}

TEST(timeout_ends_a_run_and_leaves_no_errors) {
  struct trial trial;
  struct bench_request request = request_of("oscillator", "moreau", 1e-8, 1);
  request.time_limit = 0.02;
  CHECK_INT(run(&trial, &request), BASE_TIMEOUT);
  CHECK(1 <= trial.out.steps);
  CHECK_LE((double)trial.out.steps, 1e8 - 1); /* of those to t_end */
  CHECK_TEXT(trial.out.reason, "the time limit was reached");
  CHECK(isnan(trial.out.errors.q_linf));
}

TEST(unsupported_says_why_and_measures_nothing) {
  struct trial trial;
  base_fail(BASE_E_INPUT, "something of an earlier time");
  CHECK_INT(run_plain(&trial, "falling-particle", "consistent-onestep", 0, 0), BASE_UNSUPPORTED);
  CHECK(strstr(trial.out.reason, "elastic") != NULL);
  CHECK(strstr(trial.out.reason, "earlier") == NULL);
  CHECK_INT(trial.out.steps, 0);
  CHECK(isnan(trial.out.energy.numerical) && isnan(trial.out.constraints.penetration_max));
  CHECK(isnan(trial.out.iterations.mean) && isnan(trial.out.errors.q_final));
  CHECK_NEAR(trial.out.q[1], 1, 0); /* the initial state */
}

/* A solver that cannot take the problem says so when the first one comes. */
TEST(solver_that_cannot_take_the_law_is_unsupported) {
  struct trial trial;
  struct bench_request request = request_of("falling-particle", "ncp", 1e-3, 0);
  request.solver = "psor";
  CHECK_INT(run(&trial, &request), BASE_UNSUPPORTED);
  CHECK_MESSAGE(strstr(trial.out.reason, "psor") != NULL || strstr(trial.out.reason, "ncp") != NULL,
                "%s", trial.out.reason);
}

TEST(unconverged_steps_are_counted_and_named) {
  struct trial trial;
  struct bench_request request = request_of("falling-particle", "moreau", 1e-3, 1);
  request.opt = BASE_WORDS("max_iter=1", "omega=0.5");
  CHECK_INT(run(&trial, &request), BASE_UNCONVERGED);
  const struct bench_outcome *out = &trial.out;
  CHECK(1 <= out->iterations.unconverged_steps);
  char reason[100];
  snprintf(reason, sizeof reason, "%ld of 1000 steps missed the solver's tolerance",
           out->iterations.unconverged_steps);
  CHECK_TEXT(out->reason, reason);
  CHECK_INT(out->iterations.max, 1);
  CHECK_LE(1e-10, out->law.relative_b_max);
  CHECK(452 <= out->law.at_step); /* the first contact */
  CHECK(isfinite(out->errors.q_final));
}

TEST(failure_of_a_formulation_is_recorded_with_its_reason) {
  struct trial trial;
  struct bench_request request = request_of("double-pendulum", "event", 1, 4);
  request.opt = BASE_WORDS("max_events=1");
  CHECK_INT(run(&trial, &request), BASE_FAILED);
  CHECK_MESSAGE(strstr(trial.out.reason, "more events than max_events") != NULL, "%s",
                trial.out.reason);
  CHECK_NEAR(trial.out.t, (double)trial.out.steps, 0);
  CHECK(isfinite(trial.out.q[0]));
}

/* ---- statistics ---- */

TEST(percentiles_by_hand) {
  struct bench_series series = {0};
  CHECK(isnan(bench_series_quantile(&series, 0.5)));
  static const double values[] = {7, 1, 3, 10, 5};
  for (int i = 0; i < 5; ++i) {
    bench_series_add(&series, values[i]);
  }
  CHECK_NEAR(bench_series_quantile(&series, 0), 1, 0);
  CHECK_NEAR(bench_series_quantile(&series, 0.5), 5, 0);
  CHECK_NEAR(bench_series_quantile(&series, 0.95), 7 + 0.8 * 3, 1e-14); /* 3.8 of 0 ... 4 */
  CHECK_NEAR(bench_series_quantile(&series, 1), 10, 0);
  for (int i = 0; i < 5000; ++i) { /* beyond the first block of memory */
    bench_series_add(&series, 5);
  }
  CHECK_INT(series.n, 5005);
  CHECK_NEAR(bench_series_quantile(&series, 0.5), 5, 0);
  bench_series_free(&series);
}

/* Four steps of invented reports on a real model: every statistic by hand. */
TEST(measures_of_steps_by_hand) {
  struct trial trial;
  CHECK_OK(run_plain(&trial, "falling-particle", "ccp", 1e-3, 0.6));
  /* v^2/2 is 2 + g where it lands; the last step of free fall ends less than two steps before. */
  CHECK_NEAR(trial.out.energy.max_kinetic, 2 + 9.81, 2 * 9.81 * sqrt(2 * 9.81) * 1e-3);
  const struct case_instance instance = case_model_build("falling-particle", "", trial.arena);
  struct form_state state = {.q = instance.q, .u = instance.u};
  struct bench_outcome out = {0};
  struct bench_measure measure;
  bench_measure_begin(&measure, instance.mech, &state, trial.arena, &out);
  const long carrying[] = {0};
  const struct form_report reports[] = {
      {.iterations = 0, .contacts = 0},
      {.iterations = 4,
       .contacts = 2,
       .n_carrying = 1,
       .carrying = (const long[]){3},
       .solves = 1,
       .graded = 1,
       .residual = {.absolute = 3e-9, .relative_free = 1e-9, .relative_b = 1e-9, .at = 1},
       .work = {.friction = -0.5, .impact = -1}},
      {.iterations = 12,
       .contacts = 1,
       .solves = 2,
       .graded = 2,
       .unconverged = 1,
       .n_carrying = 1,
       .carrying = carrying,
       .residual = {.absolute = 5e-9, .relative_free = 2e-9, .relative_b = 2e-9, .at = 0},
       .work = {.damping = -0.25, .applied = 2, .stored = 0.125}},
      {.iterations = 2,
       .contacts = 1,
       .solves = 1,
       .graded = 1,
       .n_carrying = 1,
       .carrying = carrying,
       .residual = {.absolute = 1e-9, .relative_free = 5e-9, .relative_b = 5e-9, .at = 0}}};
  static const double heights[] = {1, 0.5, -0.01, 0.02};
  for (int k = 0; k < 4; ++k) {
    state.q[1] = heights[k];
    bench_measure_step(&measure, k + 1, &state, &reports[k]);
  }
  bench_measure_end(&measure, 4);
  CHECK_INT(out.iterations.total, 18);
  CHECK_INT(out.iterations.max, 12);
  CHECK_INT(out.iterations.solves, 4);
  CHECK_INT(out.iterations.unconverged_steps, 1);
  CHECK_NEAR(out.iterations.mean, 4.5, 0);
  CHECK_NEAR(out.iterations.p95, 4 + 0.85 * 8, 1e-14); /* 0 2 4 12, place 2.85 */
  CHECK_NEAR(out.contacts.mean, 1, 0);
  CHECK_INT(out.contacts.max, 2);
  CHECK_INT(out.contacts.onsets, 2);
  CHECK_NEAR(out.law.residual_max, 5e-9, 0);
  CHECK_NEAR(out.law.residual_p50, 3e-9, 0);
  CHECK_NEAR(out.law.relative_b_max, 5e-9, 0);
  CHECK_NEAR(out.law.relative_free_max, 5e-9, 0);
  CHECK_INT(out.law.at_step, 3);
  CHECK_INT(out.law.at_contact, 0);
  CHECK_NEAR(out.constraints.penetration_max, 0.01, 0);
  CHECK_NEAR(out.constraints.gap_drift, 0.02, 0);
  /* E = 2 + 9.81 y + springs; the budget's remainder and its largest value on the way. */
  CHECK_NEAR(out.energy.final, 2 + 9.81 * 0.02 + 0.125, 1e-14);
  CHECK_NEAR(out.energy.numerical, 9.81 * (0.02 - 1) + 0.125 - (-1.5 + 1.75), 1e-14);
  CHECK_NEAR(out.energy.max_numerical_drift, fabs(9.81 * (-0.01 - 1) + 0.125 - 0.25), 1e-14);
  CHECK_NEAR(out.energy.max_increase, 9.81 * 0.03, 1e-14);
  CHECK_NEAR(out.energy.max_kinetic, 2, 1e-14);
}

/* A run says nothing of what its system or its formulation has not: no zeros that read like perfect
 * results. */
TEST(what_was_not_measured_has_no_value) {
  static const struct {
    const char *formulation;
    int has_law, has_newton;
  } runs[] = {{"ccp", 1, 0}, {"penalty", 0, 0}, {"consistent-twostep", 1, 1}};
  for (size_t k = 0; k < sizeof runs / sizeof *runs; ++k) {
    struct trial trial;
    CHECK_OK(run_plain(&trial, "falling-particle", runs[k].formulation, 1e-3, 0.6));
    const struct bench_outcome *out = &trial.out;
    CHECK_INT(isnan(out->law.signorini) == 0, runs[k].has_law);
    CHECK_INT(isnan(out->law.cone) == 0, runs[k].has_law);
    CHECK_INT(isnan(out->law.angle) == 0, runs[k].has_law);
    CHECK_INT(isnan(out->law.dissipation_shortfall) == 0, runs[k].has_law);
    CHECK_INT(isnan(out->iterations.newton) == 0, runs[k].has_newton);
    CHECK(isnan(out->constraints.position_max) && isnan(out->constraints.velocity_max));
    CHECK(isnan(out->start.gap_min) && isnan(out->start.g_S_max) &&
          isnan(out->told.stable_dt) == (k != 1));
    CHECK(!isnan(out->constraints.gap_drift));
    CHECK(!isnan(out->constraints.penetration_max));
  }
}

/* A residual that is no number is the worst there is, and stays so. */
TEST(residual_that_is_no_number_is_not_lost) {
  struct trial trial;
  CHECK_OK(run_plain(&trial, "falling-particle", "ccp", 1e-3, 1e-3));
  const struct case_instance instance = case_model_build("falling-particle", "", trial.arena);
  const struct form_state state = {.q = instance.q, .u = instance.u};
  struct bench_outcome out = {0};
  struct bench_measure measure;
  bench_measure_begin(&measure, instance.mech, &state, trial.arena, &out);
  const double residuals[] = {1e-9, NAN, 1e-8};
  for (int k = 0; k < 3; ++k) {
    const struct form_report report = {.solves = 1,
                                       .graded = 1,
                                       .residual = {.absolute = residuals[k],
                                                    .relative_free = residuals[k],
                                                    .relative_b = residuals[k],
                                                    .at = 0}};
    bench_measure_step(&measure, k + 1, &state, &report);
  }
  bench_measure_end(&measure, 3);
  CHECK(isinf(out.law.residual_max) && isinf(out.law.relative_b_max) &&
        isinf(out.law.relative_free_max));
  CHECK_INT(out.law.at_step, 2);
  CHECK_NEAR(out.law.residual_p50, 1e-8, 0);
}

/* A long cell first, then ten short ones: what is left goes by their estimates, not by how many
 * they are; what is kept counts for nothing. */
TEST(time_left_goes_by_what_the_cells_take) {
  struct bench_progress progress;
  bench_progress_begin(&progress, 12, 90 + 60 + 10 * 1);
  progress.on_terminal = 0;
  CHECK(isnan(bench_progress_left(&progress, 3)));
  bench_progress_keep(&progress, "kept", BASE_OK, 0, 60);
  CHECK(isnan(bench_progress_left(&progress, 3)));
  bench_progress_make(&progress, "long", BASE_OK, 0, NULL, 45, 90);
  CHECK_NEAR(bench_progress_left(&progress, 45), 5, 1e-12); /* half of what was estimated */
  for (int i = 0; i < 5; ++i) {
    bench_progress_make(&progress, "short", BASE_OK, 0, NULL, 0.5, 1);
  }
  CHECK_NEAR(bench_progress_left(&progress, 47.5), 2.5, 1e-12);
}
