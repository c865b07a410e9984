/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The figures' make() on series made here, without any run: closed forms, and time steppers of a
 * few lines written for this test. Right series must pass every check of every figure. Then the
 * series are spoilt in many small ways, one at a time; every check must fail under one of them at
 * least, so that a check that cannot fail is found.
 */
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/json/json.h"
#include "bench/figure/figure.h"
#include "cases/figure/series.h"
#include "tests/figure_run.h"
#include "tests/scratch.h"

/* ---- series ---- */

struct fake {
  struct base_arena *arena;
  const struct case_type *type;
  struct case_parameters *p;
  const struct figure_plan *plan;
  const struct figure *figure;
  int n;
  struct case_run *runs;
  const char **set; /* n, "key=value ..." */
  const struct bench_figure_run *cells;
  struct case_series *series;
};

static double real(const struct fake *f, const char *key) { return case_real(f->p, key); }

static double horizon(const struct fake *f, const struct case_run *run) {
  return run->t_end > 0 ? run->t_end : base_json_real_at(case_parameters_file(f->p), "t_end");
}

/* Value of a key in a run's "key=value ..." text, or the case's. */
static double setting(const struct fake *f, const struct case_run *run, const char *key) {
  char pattern[32];
  snprintf(pattern, sizeof pattern, "%s=", key);
  const char *set = f->set[run - f->runs], *at = strstr(set, pattern);
  while (at != NULL && at > set && at[-1] != ' ') { /* y0 is not the end of vy0 */
    at = strstr(at + 1, pattern);
  }
  return at != NULL ? strtod(at + strlen(pattern), NULL) : real(f, key);
}

/* A record of the numbers that figures read, all harmless. */
static cJSON *plain_record(void) {
  return cJSON_Parse("{\"errors\": {\"q_linf\": 0}, \"contacts\": {\"onsets\": 9},"
                     " \"energy\": {\"max_increase\": 1e-16, \"initial\": 10.8},"
                     " \"constraints\": {\"position_max\": 1e-16, \"velocity_max\": 1e-16},"
                     " \"timing\": {\"steps_s\": 1},"
                     " \"formulation\": {\"options\": {\"K\": 1e5}}}");
}

static double *record_number(const struct case_series *s, const char *path) {
  return &((cJSON *)base_json_at(s->record, path))->valuedouble;
}

/* Room for n samples, dt apart. */
static void reserve(struct fake *f, int i, int n, int nq, double dt) {
  struct case_series *s = &f->series[i];
  double *t = base_arena_doubles(f->arena, n);
  for (int k = 0; k < n; ++k) {
    t[k] = k * dt;
  }
  *s = (struct case_series){.run = &f->runs[i],
                            .status = BASE_OK,
                            .reason = "",
                            .n = n,
                            .nq = nq,
                            .nu = nq,
                            .t = t,
                            .record = plain_record()};
  s->q = base_arena_doubles(f->arena, n * nq);
  s->u = base_arena_doubles(f->arena, n * nq);
  double *energy = base_arena_doubles(f->arena, n);
  for (int k = 0; k < n; ++k) {
    energy[k] = 10.8;
  }
  s->energy = energy;
  figure_plan_describe(f->plan, i, nq, (cJSON *)s->record);
}

static struct fake *new_fake(const char *case_id, const char *figure) {
  struct base_arena *arena = base_arena_alloc();
  struct fake *f = base_arena_push(arena, sizeof *f);
  f->arena = arena;
  f->type = case_find(case_id);
  f->p = case_parameters_load(f->type, arena);
  struct figure_plan *plan = base_arena_push(arena, sizeof *plan);
  *plan = figure_plan_of(figure, arena);
  CHECK(plan->file != NULL && plan->file->type == f->type);
  f->plan = plan;
  f->figure = &plan->figure;
  f->n = plan->n;
  f->runs = plan->runs;
  f->set = plan->set;
  f->cells = plan->cells;
  f->series = base_arena_push(arena, ((size_t)f->n + 1) * sizeof *f->series);
  return f;
}

static void free_fake(struct fake *f) {
  for (int i = 0; i < f->n; ++i) {
    cJSON_Delete((cJSON *)f->series[i].record);
  }
  base_arena_free(f->arena);
}

/* ---- the falling particle ---- */

/* One step of semi-implicit Euler with the closed forms of the contact: relaxed (ccp) or not. */
static void particle_step(const struct fake *f, int relaxed, double dt, double *q, double *u) {
  const double g = real(f, "g"), mu = real(f, "mu");
  const double b_n = q[1] / dt + u[1] - g * dt, b_t = fabs(u[0]);
  double r_n = 0, r_t = 0; /* over the mass */
  if (relaxed && b_n < mu * b_t && b_t + mu * b_n > 0) {
    r_n = (mu * b_t - b_n) / (1 + mu * mu); /* slides: on the edge of both cones */
    r_t = mu * r_n;
  } else if (relaxed ? b_n < mu * b_t : b_n < 0) {
    r_n = -b_n; /* sticks, or Signorini's law */
    r_t = fmin(b_t, mu * r_n);
  }
  u[0] -= copysign(r_t, u[0]);
  u[1] += r_n - g * dt;
  q[0] += dt * u[0];
  q[1] += dt * u[1];
}

static void fill_stepped(struct fake *f, int i, int relaxed) {
  const struct case_run *run = &f->runs[i];
  const int stride = (int)lrint(fmax(1, run->sample / run->dt));
  const int n = (int)lrint(horizon(f, run) / run->dt) / stride + 1;
  reserve(f, i, n, 2, run->dt * stride);
  double q[2] = {0, setting(f, run, "y0")}, u[2] = {real(f, "vx0"), setting(f, run, "vy0")};
  for (int k = 0; k < n; ++k) {
    memcpy((double *)f->series[i].q + 2 * k, q, sizeof q);
    memcpy((double *)f->series[i].u + 2 * k, u, sizeof u);
    for (int j = 0; j < stride; ++j) {
      particle_step(f, relaxed, run->dt, q, u);
    }
  }
}

/* Closed form, y lifted by `error`. */
static void fill_exact(struct fake *f, int i, double error) {
  const struct case_run *run = &f->runs[i];
  const double step = fmax(run->dt, run->sample);
  const int n = (int)(horizon(f, run) / step) + 1;
  reserve(f, i, n, 2, step);
  for (int k = 0; k < n; ++k) {
    double *q = (double *)f->series[i].q + 2 * k;
    f->type->reference(f->p, k * step, q, (double *)f->series[i].u + 2 * k);
    q[1] += error;
  }
  *record_number(&f->series[i], "errors.q_linf") = fabs(error);
}

static int is(const struct case_run *run, const char *formulation) {
  return strcmp(run->formulation, formulation) == 0;
}

static struct fake *make_yu6(void) {
  struct fake *f = new_fake("falling-particle", "yu-6");
  for (int i = 0; i < f->n; ++i) {
    is(&f->runs[i], "event") ? fill_exact(f, i, 0) : fill_stepped(f, i, 1);
  }
  return f;
}

static struct fake *make_yu7(void) {
  struct fake *f = new_fake("falling-particle", "yu-7");
  for (int i = 0; i < f->n; ++i) {
    fill_stepped(f, i, 1);
  }
  return f;
}

static struct fake *make_yu8(void) {
  struct fake *f = new_fake("falling-particle", "yu-8");
  for (int i = 0; i < f->n; ++i) {
    const struct case_run *run = &f->runs[i];
    const double sink = real(f, "m") * real(f, "g") / 1e5;
    fill_exact(f, i, is(run, "event") ? 1e-14 : is(run, "penalty") ? -sink : 2 * run->dt);
  }
  return f;
}

static struct fake *make_rebound(void) {
  struct fake *f = new_fake("falling-particle", "ccp-hop");
  for (int i = 0; i < f->n; ++i) {
    fill_stepped(f, i, is(&f->runs[i], "ccp"));
  }
  return f;
}

/* ---- the oscillator ---- */

/* m1 bounces, m2 rests; the energy falls at every tenth of the horizon. */
static void fill_bouncing(struct fake *f, int i, double shift) {
  const int n = 1001;
  reserve(f, i, n, 2, 1e-3);
  struct case_series *s = &f->series[i];
  for (int k = 0; k < n; ++k) {
    ((double *)s->q)[2 * k] = 0.1 + 0.01 * fabs(cos(30 * s->t[k])) + shift;
    ((double *)s->q)[2 * k + 1] = 0.1;
    ((double *)s->energy)[k] = 10.8 - 1e-4 * floor(fmax(0, k - 1) / 100);
  }
}

/* m2 alone under Moreau's rule, stepped as the rule says. */
static void fill_alone(struct fake *f, int i) {
  const struct case_run *run = &f->runs[i];
  const int stride = (int)lrint(run->sample / run->dt);
  const int n = (int)lrint(run->t_end / run->dt) / stride + 1;
  reserve(f, i, n, 2, run->sample);
  struct case_series *s = &f->series[i];
  const double g = real(f, "g"), l = real(f, "l"), w2 = real(f, "c") / real(f, "m2");
  double x = l - (l - g / w2), u = 0; /* measured from the equilibrium */
  for (int k = 0; k < n; ++k) {
    ((double *)s->q)[2 * k + 1] = x + (l - g / w2);
    for (int j = 0; j < stride; ++j) {
      x += 0.5 * run->dt * u;
      u -= run->dt * w2 * x;
      x += 0.5 * run->dt * u;
    }
  }
  s->status = fabs(x) < 1e5 ? BASE_OK : BASE_DIVERGED;
}

static struct fake *make_62(void) {
  struct fake *f = new_fake("oscillator", "moeller-6.2");
  const double limit = 2 / sqrt(real(f, "c") / real(f, "m2"));
  for (int i = 0; i < f->n; ++i) {
    const struct case_run *run = &f->runs[i];
    if (!is(run, "moreau")) {
      fill_bouncing(f, i, 0);
    } else if (strstr(run->label, "free") != NULL) {
      fill_alone(f, i);
    } else {
      fill_bouncing(f, i, 0);
      f->series[i].status = run->dt < limit ? BASE_OK : BASE_DIVERGED;
    }
    *record_number(&f->series[i], "errors.q_linf") = 10 * run->dt; /* of first order */
  }
  return f;
}

static struct fake *make_63(void) {
  struct fake *f = new_fake("oscillator", "moeller-6.3");
  for (int i = 0; i < f->n; ++i) {
    fill_bouncing(f, i, is(&f->runs[i], "event") ? 0 : 3e-5);
    *record_number(&f->series[i], "timing.steps_s") =
        (is(&f->runs[i], "moreau") ? 1 : 4) * 1e-6 / f->runs[i].dt;
  }
  return f;
}

/* ---- the double pendulum ---- */

/* Rods that turn over and over (the second), apart by error t^2. */
static void fill_rods(struct fake *f, int i, double error) {
  const int n = (int)lrint(horizon(f, &f->runs[i]) / 0.01) + 1;
  reserve(f, i, n, 4, 0.01);
  for (int k = 0; k < n; ++k) {
    double *q = (double *)f->series[i].q + 4 * k;
    const double t = 0.01 * k, late = fmax(0, t - 0.92);
    const double a = sin(3 * t), b = 5 * t + error * (late > 0 ? t * t : 0);
    q[0] = 0.5 * sin(a);
    q[1] = 0.5 * cos(a);
    q[2] = q[0] + 0.5 * sin(b);
    q[3] = q[1] + 0.5 * cos(b);
  }
}

static struct fake *make_65(void) {
  struct fake *f = new_fake("double-pendulum", "moeller-6.5");
  for (int i = 0; i < f->n; ++i) {
    const struct case_run *run = &f->runs[i];
    fill_rods(f, i, is(run, "event") ? 0 : is(run, "moreau") ? run->dt : 0.5 * run->dt);
  }
  return f;
}

static struct fake *make_66(void) {
  struct fake *f = new_fake("double-pendulum", "moeller-6.6");
  for (int i = 0; i < f->n; ++i) {
    fill_rods(f, i, 1e-3 * i);
    for (int k = 0; k < f->series[i].n && is(&f->runs[i], "moreau"); ++k) {
      ((double *)f->series[i].energy)[k] *= 1 - 8e-4 * k;
    }
  }
  return f;
}

/* ---- solvers of a packing ---- */

/* Iterations as a condition of about n^(2/3) makes them, 5 contacts a sphere. */
static double stack_iterations(const struct fake *f, const struct case_run *run) {
  const double contacts = 5 * setting(f, run, "n"), root = cbrt(contacts);
  const int momentum = strstr(run->label, "momentum") != NULL;
  const char *solver = f->cells[run - f->runs].cell.request.solver;
  return momentum                            ? 20 * root
         : strcmp(solver, "relaxation") == 0 ? 10 * pow(contacts, 0.7)
         : strcmp(solver, "apgd") == 0       ? 60 * root
                                             : 15;
}

static struct fake *make_packing_solvers(void) {
  struct fake *f = new_fake("packing", "packing-solvers");
  for (int i = 0; i < f->n; ++i) {
    const struct case_run *run = &f->runs[i];
    const double total = stack_iterations(f, run);
    reserve(f, i, 2, 5, run->dt);
    cJSON *record = (cJSON *)f->series[i].record;
    cJSON *iterations = cJSON_AddObjectToObject(record, "iterations");
    cJSON_AddNumberToObject(iterations, "solves", 1);
    cJSON_AddNumberToObject(iterations, "total", total);
    cJSON_AddNumberToObject(cJSON_GetObjectItem(record, "contacts"), "mean",
                            5 * setting(f, run, "n"));
    cJSON_AddNumberToObject(cJSON_AddObjectToObject(record, "timing"), "steps_s", 1e-6 * total);
    cJSON *options = cJSON_AddObjectToObject(cJSON_AddObjectToObject(record, "solver"), "options");
    cJSON_AddNumberToObject(options, "tol", 1e-6);
  }
  return f;
}

/* ---- ways to spoil them ---- */

/* Of run i, or of every run when i < 0. */
struct fault {
  const char *name;
  void (*spoil)(struct fake *f, int i);
};

static void each(struct fake *f, int i, void (*change)(struct fake *, int)) {
  for (int k = i < 0 ? 0 : i; k < (i < 0 ? f->n : i + 1); ++k) {
    change(f, k);
  }
}

static void add_to_q(struct fake *f, int i, double (*offset)(const struct case_series *, int k)) {
  struct case_series *s = &f->series[i];
  for (int k = 0; k < s->n * s->nq; ++k) {
    ((double *)s->q)[k] += offset(s, k / s->nq);
  }
}

static double wave(const struct case_series *s, int k) {
  return s->t[k] > 0.93 ? 0 : 0.01 * sin(7.0 * k);
}
static double big_wave(const struct case_series *s, int k) {
  (void)s;
  return 0.3 * sin(7.0 * k);
}
static double lift(const struct case_series *s, int k) {
  (void)k;
  return 0.3 * sqrt(s->run->dt);
}
static double coarse(const struct case_series *s, int k) {
  (void)k;
  return 1e-2 / s->run->dt;
}
static double drop(const struct case_series *s, int k) { return k == 1 ? -0.999 * s->q[1] : 0; }

static void q_wave(struct fake *f, int i) { add_to_q(f, i, wave); }
static void q_big_wave(struct fake *f, int i) { add_to_q(f, i, big_wave); }
static void q_lift(struct fake *f, int i) {
  add_to_q(f, i, lift);
  *record_number(&f->series[i], "errors.q_linf") = 0.3 * sqrt(f->runs[i].dt);
}
static void q_coarse(struct fake *f, int i) { add_to_q(f, i, coarse); }
static void q_drop(struct fake *f, int i) { add_to_q(f, i, drop); }

static void q_scaled(struct fake *f, int i) {
  struct case_series *s = &f->series[i];
  for (int k = 0; k < s->n * s->nq; ++k) {
    ((double *)s->q)[k] *= 1.01;
  }
}

static void u_scaled(struct fake *f, int i) {
  struct case_series *s = &f->series[i];
  for (int k = 0; k < s->n * s->nu; ++k) {
    ((double *)s->u)[k] *= 0.99;
  }
}

static void q_of_first(struct fake *f, int i) {
  if (f->series[0].n == f->series[i].n && f->series[0].nq == f->series[i].nq) {
    f->series[i].q = f->series[0].q;
    f->series[i].energy = f->series[0].energy;
  }
}

static void energy_waves(struct fake *f, int i) {
  for (int k = 0; k < f->series[i].n; ++k) {
    ((double *)f->series[i].energy)[k] += 1e-6 * sin(7.0 * k);
  }
}

static void energy_constant(struct fake *f, int i) {
  for (int k = 0; k < f->series[i].n; ++k) {
    ((double *)f->series[i].energy)[k] = f->series[i].energy[0];
  }
}

static void record_one(struct fake *f, int i) {
  static const char *const paths[] = {"errors.q_linf",
                                      "energy.max_increase",
                                      "constraints.position_max",
                                      "constraints.velocity_max",
                                      "contacts.onsets",
                                      "formulation.options.K",
                                      "timing.steps_s"};
  for (size_t k = 0; k < sizeof paths / sizeof *paths; ++k) {
    *record_number(&f->series[i], paths[k]) = 1;
  }
}

static void iterations_inverted(struct fake *f, int i) {
  const cJSON *total = base_json_at(f->series[i].record, "iterations.total");
  if (total != NULL) {
    *record_number(&f->series[i], "iterations.total") = 1e4 / total->valuedouble;
  }
}

static void record_null(struct fake *f, int i) {
  cJSON_Delete((cJSON *)f->series[i].record);
  f->series[i].record = cJSON_Parse("{}");
}

static void status_flip(struct fake *f, int i) {
  f->series[i].status = f->series[i].status == BASE_OK ? BASE_DIVERGED : BASE_OK;
}

static const struct fault faults[] = {
    {"waves of 1 cm", q_wave},          {"waves of 30 cm", q_big_wave},
    {"half an order", q_lift},          {"worse with shorter steps", q_coarse},
    {"a low sample", q_drop},           {"1 % larger", q_scaled},
    {"1 % slower", u_scaled},           {"the first run's", q_of_first},
    {"waves of energy", energy_waves},  {"constant energy", energy_constant},
    {"ones in the record", record_one}, {"no numbers", record_null},
    {"other status", status_flip},      {"few iterations for many", iterations_inverted}};
enum { FAULTS = (int)(sizeof faults / sizeof faults[0]), CHECKS_MAX = 64 };

/* ---- judging ---- */

/* make() into a plot without files; its status. The plot lives in f's arena. */
static int judge(struct fake *f, struct case_plot *plot) {
  CHECK_OK(case_plot_init(plot, NULL, f->arena));
  return figure_make(f->figure, f->p, f->series, f->n, plot);
}

static void right_passes(struct fake *(*make)(void), char names[CHECKS_MAX][CASE_TEXT], int *n) {
  struct case_plot plot;
  struct fake *f = make();
  CHECK_MESSAGE(judge(f, &plot) == BASE_OK, "%s: %s", f->figure->file->id, base_message());
  CHECK(plot.n_checks > 0 && plot.n_checks <= CHECKS_MAX && plot.n_tables > 0);
  for (int i = 0; i < plot.n_checks; ++i) {
    const struct case_checked *c = &plot.checks[i];
    CHECK_MESSAGE(c->verdict != CASE_FAILED, "%s: right series fail '%s': %g in [%g, %g]",
                  f->figure->file->id, c->what, c->measured, c->claim.lo, c->claim.hi);
    snprintf(names[i], CASE_TEXT, "%s", c->what);
  }
  *n = plot.n_checks;
  free_fake(f);
}

/* Marks the checks that fail under a fault, also where a run that did not end fails the figure; a
 * make() that refuses marks none. */
static void mark_failures(struct fake *(*make)(void), const struct fault *fault, int run, int n,
                          char names[CHECKS_MAX][CASE_TEXT], int failed[CHECKS_MAX]) {
  struct case_plot plot;
  struct fake *f = make();
  each(f, run, fault->spoil);
  const int status = judge(f, &plot);
  if (status == BASE_OK || (status == BASE_FAILED && plot.n_checks == n)) {
    CHECK_INT(plot.n_checks, n);
    for (int i = 0; i < plot.n_checks && i < n; ++i) {
      CHECK_TEXT(plot.checks[i].what, names[i]);
      const enum case_verdict verdict = plot.checks[i].verdict; /* a report claims nothing */
      failed[i] += verdict == CASE_FAILED || verdict == CASE_REPORTED;
    }
  } else {
    CHECK_MESSAGE(base_message()[0] != '\0', "%s: refused without a message", f->figure->file->id);
  }
  free_fake(f);
}

/* Right series pass; each check fails for some fault of all runs, or of one of the first few. */
static void every_check_can_fail(struct fake *(*make)(void), int runs) {
  char names[CHECKS_MAX][CASE_TEXT];
  int n, failed[CHECKS_MAX] = {0};
  right_passes(make, names, &n);
  for (int k = 0; k < FAULTS; ++k) {
    for (int run = -1; run < runs; ++run) {
      mark_failures(make, &faults[k], run, n, names, failed);
    }
  }
  for (int i = 0; i < n; ++i) {
    CHECK_MESSAGE(failed[i] > 0, "no fault makes this check fail: %s", names[i]);
  }
}

TEST(yu_6) { every_check_can_fail(make_yu6, 2); }
TEST(yu_7) { every_check_can_fail(make_yu7, 5); }
TEST(yu_8) { every_check_can_fail(make_yu8, 0); }
TEST(ccp_hop) { every_check_can_fail(make_rebound, 0); }
TEST(moeller_6_2) { every_check_can_fail(make_62, 20); }
TEST(moeller_6_3) { every_check_can_fail(make_63, 3); }
TEST(moeller_6_5) { every_check_can_fail(make_65, 5); }
TEST(moeller_6_6) { every_check_can_fail(make_66, 3); }
TEST(packing_solvers) { every_check_can_fail(make_packing_solvers, 0); }

static const struct case_checked *checked(const struct case_plot *plot, const char *what) {
  for (int i = 0; i < plot->n_checks; ++i) {
    if (strcmp(plot->checks[i].what, what) == 0) {
      return &plot->checks[i];
    }
  }
  CHECK_MESSAGE(0, "there is no value '%s'", what);
  return &plot->checks[0];
}

/* A solver that gave up is drawn with what it had, counted, and left out of the power. */
TEST(runs_that_missed_take_no_part_in_powers) {
  struct fake *f = make_packing_solvers();
  struct case_plot plot;
  for (int i = 0; i < f->n; ++i) {
    if (strcmp(f->runs[i].label, "ccp-apgd-1e-6-3000") == 0) {
      f->series[i].status = BASE_UNCONVERGED;
      *record_number(&f->series[i], "iterations.total") = 5;
    }
  }
  CHECK_OK(judge(f, &plot));
  CHECK_NEAR(checked(&plot, "ccp-apgd: power of contacts in the iterations to 1e-6")->measured,
             1. / 3, 1e-9);
  CHECK_NEAR(checked(&plot, "ccp-apgd: runs that missed their tolerance")->measured, 1, 0);
  CHECK_NEAR(checked(&plot, "ccp-pgs: runs that missed their tolerance, of 16")->measured, 0, 0);
  free_fake(f);
}

/* A run that is missing or came to nothing is named, whatever the figure. */
TEST(missing_runs_are_named) {
  struct fake *(*const all[])(void) = {make_yu6, make_yu7, make_rebound, make_62,
                                       make_63,  make_65,  make_66};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    struct case_plot plot;
    struct fake *f = all[i]();
    --f->n;
    CHECK_MESSAGE(judge(f, &plot) == BASE_FAILED, "%s accepts a missing run", f->figure->file->id);
    ++f->n;
    f->series[0].status = BASE_FAILED;
    CHECK_MESSAGE(judge(f, &plot) == BASE_FAILED, "%s accepts a failed run", f->figure->file->id);
    CHECK_MESSAGE(strstr(base_message(), f->runs[0].label) != NULL, "%s: message '%s'",
                  f->figure->file->id, base_message());
    free_fake(f);
  }
}

/* Labels are unique within a figure, since they name the records, and nothing is left to be filled
 * in. */
TEST(runs_of_all_figures_are_complete) {
  int count = 0;
  const struct bench_figure *figures = bench_figures(&count);
  CHECK(figures != NULL && count > 70);
  for (int c = 0; c < count; ++c) {
    const struct bench_figure *figure = &figures[c];
    {
      struct fake *f = new_fake(figure->type->name, figure->id);
      if (f->n == 0) { /* drawn from formulas alone */
        struct case_plot plot;
        CHECK_OK(judge(f, &plot));
        CHECK(plot.n_checks > 0 && plot.n_failed == 0);
      }
      for (int i = 0; i < f->n; ++i) {
        const struct case_run *run = &f->runs[i];
        const char *const texts[] = {run->label, run->formulation, f->set[i]};
        CHECK_MESSAGE(run->label[0] != '\0' &&
                          (run->formulation[0] != '\0' || run->record[0] != '\0'),
                      "%s, run %d", figure->id, i);
        for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k) {
          CHECK_MESSAGE(strpbrk(texts[k], "{}") == NULL, "%s: '%s'", figure->id, texts[k]);
        }
        for (int k = 0; k < i; ++k) {
          CHECK_MESSAGE(strcmp(run->label, f->runs[k].label) != 0, "%s: label '%s' twice",
                        figure->id, run->label);
        }
      }
      base_arena_free(f->arena);
    }
  }
}

TEST(a_deviation_that_is_no_number_stays) {
  CHECK_NEAR(case_worst(1, 2), 2, 0);
  CHECK_NEAR(case_worst(2, 1), 2, 0);
  CHECK(isnan(case_worst(1, NAN)));
  CHECK(isnan(case_worst(NAN, 1)));
}

/* The coordinates that records of a run show; 0 where none are sampled. */
static void shown_by(const struct fake *f, const struct case_run *run, struct case_series *s) {
  struct base_arena *arena = test_arena();
  struct case_parameters *p = case_parameters_load(f->type, arena);
  struct case_instance instance = {0};
  char set[CASE_TEXT], *rest = set;
  snprintf(set, sizeof set, "%s", f->set[run - f->runs]);
  for (char *pair = strtok_r(rest, " ", &rest); pair != NULL; pair = strtok_r(NULL, " ", &rest)) {
    char *value = strchr(pair, '=');
    *value = '\0';
    CHECK_OK(case_parameters_set(p, pair, value + 1));
  }
  if (run->sample > 0) {
    CHECK_OK(f->type->build(p, arena, &instance));
    s->nq = instance.mech->nq_out;
    s->nu = instance.mech->nu_out;
  }
}

/* Runs that ended well and of which no number is known. */
static void forget_everything(struct fake *f, double *nothing, int room) {
  for (int i = 0; i < f->n; ++i) {
    struct case_series *s = &f->series[i];
    *s = (struct case_series){.run = &f->runs[i], .status = BASE_OK, .reason = ""};
    s->record = cJSON_CreateObject();
    shown_by(f, &f->runs[i], s);
    if (f->runs[i].sample > 0) {
      const double sample = f->runs[i].sample;
      s->n = 1 + (int)lrint(horizon(f, &f->runs[i]) / sample);
      CHECK_LE((double)s->n * fmax(s->nq, s->nu), room);
      double *t = base_arena_doubles(f->arena, s->n);
      for (int k = 0; k < s->n; ++k) {
        t[k] = k * sample;
      }
      s->t = t;
      s->q = s->u = s->energy = nothing;
    }
  }
}

/* No value is 0, or any other number, for want of what it is made of: where nothing is known of the
 * runs it fails, or its figure does; so it does where they all failed. Values that formulas give
 * without runs are known all the same: those stand against others, and not against 0. */
static void fails_by_itself(const char *case_name, const char *id, double *nothing, int room) {
  struct case_plot blank, broken;
  struct fake *f = new_fake(case_name, id);
  forget_everything(f, nothing, room);
  const int refused = judge(f, &blank) != BASE_OK;
  CHECK_MESSAGE(!refused || base_message()[0] != '\0', "%s: refused without a message", id);
  for (int i = 0; i < f->n; ++i) {
    f->series[i].status = BASE_FAILED;
  }
  const int fails = judge(f, &broken) != BASE_OK || broken.n_failed > 0;
  CHECK_MESSAGE(fails || f->n == 0, "%s: passes on runs that all failed", id);
  CHECK_MESSAGE(refused || blank.n_checks > 0, "%s: checks nothing", id);
  for (int i = 0; i < blank.n_checks; ++i) {
    const struct case_checked *c = &blank.checks[i];
    const struct case_checked *same = i < broken.n_checks ? &broken.checks[i] : NULL;
    const int fails_there = same != NULL && same->verdict == CASE_FAILED;
    const int known = c->measured != 0 && (c->claim.lo > 0 || c->claim.hi < 0);
    CHECK_MESSAGE(!isinf(c->claim.lo) && !isinf(c->claim.hi), "%s: '%s' has no bound", id, c->what);
    CHECK_MESSAGE(c->verdict == CASE_FAILED || c->verdict == CASE_REPORTED || fails_there || known,
                  "%s: '%s' is %s by itself: %g in [%g, %g]", id, c->what,
                  case_verdict_names[c->verdict], c->measured, c->claim.lo, c->claim.hi);
  }
  free_fake(f);
}

TEST(no_value_of_any_figure_passes_by_itself) {
  enum { ROOM = 4000000 };
  double *nothing = malloc(ROOM * sizeof *nothing);
  for (int i = 0; i < ROOM; ++i) {
    nothing[i] = NAN;
  }
  int count = 0;
  const struct bench_figure *figures = bench_figures(&count);
  CHECK(figures != NULL && count > 70);
  for (int c = 0; c < count; ++c) {
    const struct bench_figure *figure = &figures[c];
    { fails_by_itself(figure->type->name, figure->id, nothing, ROOM); }
  }
  free(nothing);
}
