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
#include "tests/case_model.h"
#include "tests/figure_fake.h"

/* ---- series ---- */

static double real(const struct figure_fake *f, const char *key) {
  return case_real(f->parameters, key);
}

static double horizon(const struct figure_fake *f, int i) {
  const double t_end = f->plan.runs[i].t_end;
  return t_end > 0 ? t_end : base_json_real_at(case_parameters_file(f->parameters), "t_end");
}

/* Value of a key in a run's "key=value ..." text, or the case's. */
static double setting(const struct figure_fake *f, int i, const char *key) {
  char pattern[32];
  snprintf(pattern, sizeof pattern, "%s=", key);
  const char *set = f->plan.set[i], *at = strstr(set, pattern);
  while (at != NULL && at > set && at[-1] != ' ') { /* y0 is not the end of vy0 */
    at = strstr(at + 1, pattern);
  }
  return at != NULL ? strtod(at + strlen(pattern), NULL) : real(f, key);
}

/* Room for n samples, dt apart, of constant energy, with the numbers that figures read in a record,
 * all harmless. */
static struct case_series *reserve(struct figure_fake *f, int i, int n, int nq, double dt) {
  struct case_series *s = figure_fake_samples(
      f, i, n, dt, nq, nq,
      "{'errors': {'q_linf': 0}, 'contacts': {'onsets': 9, 'mean': 0}, 'energy': {'max_increase': "
      "1e-16, 'initial': 10.8}, 'constraints': {'position_max': 1e-16, 'velocity_max': 1e-16}, "
      "'timing': {'steps_s': 1}, 'formulation': {'options': {'K': 1e5}}, 'solver': {'options': "
      "{'tol': 1e-6}}, 'iterations': {'solves': 1, 'total': 0}}");
  for (int k = 0; k < n; ++k) {
    figure_fake_energy(f, i)[k] = 10.8;
  }
  return s;
}

static int is(const struct figure_fake *f, int i, const char *formulation) {
  return strcmp(f->plan.runs[i].formulation, formulation) == 0;
}

/* ---- the falling particle ---- */

/* One step of semi-implicit Euler with the closed forms of the contact: relaxed (ccp) or not. */
static void particle_step(const struct figure_fake *f, int relaxed, double dt, double *q,
                          double *u) {
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

static void fill_stepped(struct figure_fake *f, int i, int relaxed) {
  const struct case_run *run = &f->plan.runs[i];
  const int stride = (int)lrint(fmax(1, run->sample / run->dt));
  const int n = (int)lrint(horizon(f, i) / run->dt) / stride + 1;
  reserve(f, i, n, 2, run->dt * stride);
  double q[2] = {0, setting(f, i, "y0")}, u[2] = {real(f, "vx0"), setting(f, i, "vy0")};
  for (int k = 0; k < n; ++k) {
    memcpy(figure_fake_q(f, i, k), q, sizeof q);
    memcpy(figure_fake_u(f, i, k), u, sizeof u);
    for (int j = 0; j < stride; ++j) {
      particle_step(f, relaxed, run->dt, q, u);
    }
  }
}

/* Closed form, y lifted by `error`. */
static void fill_exact(struct figure_fake *f, int i, double error) {
  const struct case_run *run = &f->plan.runs[i];
  const double step = fmax(run->dt, run->sample);
  const int n = (int)(horizon(f, i) / step) + 1;
  reserve(f, i, n, 2, step);
  for (int k = 0; k < n; ++k) {
    double *q = figure_fake_q(f, i, k);
    f->plan.file->type->reference(f->parameters, k * step, q, figure_fake_u(f, i, k));
    q[1] += error;
  }
  *figure_fake_number(f, i, "errors.q_linf") = fabs(error);
}

static void fill_yu6(struct figure_fake *f, int i) {
  is(f, i, "event") ? fill_exact(f, i, 0) : fill_stepped(f, i, 1);
}
static void fill_yu7(struct figure_fake *f, int i) { fill_stepped(f, i, 1); }
static void fill_yu8(struct figure_fake *f, int i) {
  const double sink = real(f, "m") * real(f, "g") / 1e5;
  fill_exact(f, i,
             is(f, i, "event")     ? 1e-14
             : is(f, i, "penalty") ? -sink
                                   : 2 * f->plan.runs[i].dt);
}
static void fill_rebound(struct figure_fake *f, int i) { fill_stepped(f, i, is(f, i, "ccp")); }

/* ---- the oscillator ---- */

/* m1 bounces, m2 rests; the energy falls at every tenth of the horizon. */
static void fill_bouncing(struct figure_fake *f, int i, double shift) {
  const struct case_series *s = reserve(f, i, 1001, 2, 1e-3);
  for (int k = 0; k < s->n; ++k) {
    figure_fake_q(f, i, k)[0] = 0.1 + 0.01 * fabs(cos(30 * s->t[k])) + shift;
    figure_fake_q(f, i, k)[1] = 0.1;
    figure_fake_energy(f, i)[k] = 10.8 - 1e-4 * floor(fmax(0, k - 1) / 100);
  }
}

/* m2 alone under Moreau's rule, stepped as the rule says. */
static void fill_alone(struct figure_fake *f, int i) {
  const struct case_run *run = &f->plan.runs[i];
  const int stride = (int)lrint(run->sample / run->dt);
  const int n = (int)lrint(run->t_end / run->dt) / stride + 1;
  struct case_series *s = reserve(f, i, n, 2, run->sample);
  const double g = real(f, "g"), l = real(f, "l"), w2 = real(f, "c") / real(f, "m2");
  double x = l - (l - g / w2), u = 0; /* measured from the equilibrium */
  for (int k = 0; k < n; ++k) {
    figure_fake_q(f, i, k)[1] = x + (l - g / w2);
    for (int j = 0; j < stride; ++j) {
      x += 0.5 * run->dt * u;
      u -= run->dt * w2 * x;
      x += 0.5 * run->dt * u;
    }
  }
  s->status = fabs(x) < 1e5 ? BASE_OK : BASE_DIVERGED;
}

static void fill_62(struct figure_fake *f, int i) {
  const struct case_run *run = &f->plan.runs[i];
  if (is(f, i, "moreau") && strstr(run->label, "free") != NULL) {
    fill_alone(f, i);
  } else {
    const double limit = 2 / sqrt(real(f, "c") / real(f, "m2"));
    fill_bouncing(f, i, 0);
    f->series[i].status = is(f, i, "moreau") && run->dt >= limit ? BASE_DIVERGED : BASE_OK;
  }
  *figure_fake_number(f, i, "errors.q_linf") = 10 * run->dt; /* of first order */
}

static void fill_63(struct figure_fake *f, int i) {
  fill_bouncing(f, i, is(f, i, "event") ? 0 : 3e-5);
  *figure_fake_number(f, i, "timing.steps_s") =
      (is(f, i, "moreau") ? 1 : 4) * 1e-6 / f->plan.runs[i].dt;
}

/* ---- the double pendulum ---- */

/* Rods that turn over and over (the second), apart by error t^2. */
static void fill_rods(struct figure_fake *f, int i, double error) {
  const struct case_series *s = reserve(f, i, (int)lrint(horizon(f, i) / 0.01) + 1, 4, 0.01);
  for (int k = 0; k < s->n; ++k) {
    double *q = figure_fake_q(f, i, k);
    const double t = 0.01 * k, late = fmax(0, t - 0.92);
    const double a = sin(3 * t), b = 5 * t + error * (late > 0 ? t * t : 0);
    q[0] = 0.5 * sin(a);
    q[1] = 0.5 * cos(a);
    q[2] = q[0] + 0.5 * sin(b);
    q[3] = q[1] + 0.5 * cos(b);
  }
}

static void fill_65(struct figure_fake *f, int i) {
  const double dt = f->plan.runs[i].dt;
  fill_rods(f, i, is(f, i, "event") ? 0 : is(f, i, "moreau") ? dt : 0.5 * dt);
}

static void fill_66(struct figure_fake *f, int i) {
  fill_rods(f, i, 1e-3 * i);
  for (int k = 0; k < f->series[i].n && is(f, i, "moreau"); ++k) {
    figure_fake_energy(f, i)[k] *= 1 - 8e-4 * k;
  }
}

/* ---- solvers of a packing ---- */

/* Iterations as a condition of about n^(2/3) makes them, 5 contacts a sphere. */
static void fill_packing(struct figure_fake *f, int i) {
  const double contacts = 5 * setting(f, i, "n"), root = cbrt(contacts);
  const int momentum = strstr(f->plan.runs[i].label, "momentum") != NULL;
  const char *solver = f->plan.cells[i].cell.request.solver;
  const double total = momentum                            ? 20 * root
                       : strcmp(solver, "relaxation") == 0 ? 10 * pow(contacts, 0.7)
                       : strcmp(solver, "apgd") == 0       ? 60 * root
                                                           : 15;
  reserve(f, i, 2, 5, f->plan.runs[i].dt);
  *figure_fake_number(f, i, "iterations.total") = total;
  *figure_fake_number(f, i, "contacts.mean") = contacts;
  *figure_fake_number(f, i, "timing.steps_s") = 1e-6 * total;
}

/* ---- ways to spoil them ---- */

static void add_to_q(struct figure_fake *f, int i,
                     double (*offset)(const struct case_series *, int k)) {
  const struct case_series *s = &f->series[i];
  for (int k = 0; k < s->n * s->nq; ++k) {
    figure_fake_q(f, i, 0)[k] += offset(s, k / s->nq);
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

static void q_wave(struct figure_fake *f, int i) { add_to_q(f, i, wave); }
static void q_big_wave(struct figure_fake *f, int i) { add_to_q(f, i, big_wave); }
static void q_lift(struct figure_fake *f, int i) {
  add_to_q(f, i, lift);
  *figure_fake_number(f, i, "errors.q_linf") = 0.3 * sqrt(f->plan.runs[i].dt);
}
static void q_coarse(struct figure_fake *f, int i) { add_to_q(f, i, coarse); }
static void q_drop(struct figure_fake *f, int i) { add_to_q(f, i, drop); }

/* 1 % larger, and 1 % slower. */
static void q_scaled(struct figure_fake *f, int i) {
  for (int k = 0; k < f->series[i].n * f->series[i].nq; ++k) {
    figure_fake_q(f, i, 0)[k] *= 1.01;
  }
}
static void u_scaled(struct figure_fake *f, int i) {
  for (int k = 0; k < f->series[i].n * f->series[i].nu; ++k) {
    figure_fake_u(f, i, 0)[k] *= 0.99;
  }
}

static void q_of_first(struct figure_fake *f, int i) {
  if (f->series[0].n == f->series[i].n && f->series[0].nq == f->series[i].nq) {
    f->series[i].q = f->series[0].q;
    f->series[i].energy = f->series[0].energy;
  }
}

static void energy_waves(struct figure_fake *f, int i) {
  for (int k = 0; k < f->series[i].n; ++k) {
    figure_fake_energy(f, i)[k] += 1e-6 * sin(7.0 * k);
  }
}
static void energy_constant(struct figure_fake *f, int i) {
  for (int k = 0; k < f->series[i].n; ++k) {
    figure_fake_energy(f, i)[k] = f->series[i].energy[0];
  }
}

static void record_one(struct figure_fake *f, int i) {
  static const char *const paths[] = {"errors.q_linf",
                                      "energy.max_increase",
                                      "constraints.position_max",
                                      "constraints.velocity_max",
                                      "contacts.onsets",
                                      "formulation.options.K",
                                      "timing.steps_s"};
  for (size_t k = 0; k < sizeof paths / sizeof *paths; ++k) {
    *figure_fake_number(f, i, paths[k]) = 1;
  }
}

/* Few iterations for many. */
static void iterations_inverted(struct figure_fake *f, int i) {
  double *total = figure_fake_number(f, i, "iterations.total");
  *total = *total > 0 ? 1e4 / *total : 0;
}

static void record_null(struct figure_fake *f, int i) {
  f->series[i].record = base_arena_push(f->arena, sizeof(cJSON));
  ((cJSON *)f->series[i].record)->type = cJSON_Object;
}

static void status_flip(struct figure_fake *f, int i) {
  f->series[i].status = f->series[i].status == BASE_OK ? BASE_DIVERGED : BASE_OK;
}

static figure_fake_change *const faults[] = {
    q_wave,      q_big_wave,          q_lift,       q_coarse,        q_drop,     q_scaled,
    u_scaled,    q_of_first,          energy_waves, energy_constant, record_one, record_null,
    status_flip, iterations_inverted, NULL};

#define FIGURE(name, id, runs)                                                                     \
  TEST(name) { figure_fake_every_check_can_fail(id, fill_##name, faults, runs); }
FIGURE(yu6, "yu-6", 2)
FIGURE(yu7, "yu-7", 5)
FIGURE(yu8, "yu-8", 0)
FIGURE(rebound, "ccp-hop", 0)
FIGURE(62, "moeller-6.2", 20)
FIGURE(63, "moeller-6.3", 3)
FIGURE(65, "moeller-6.5", 5)
FIGURE(66, "moeller-6.6", 3)
FIGURE(packing, "packing-solvers", 0)

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
  struct figure_fake f = figure_fake_of("packing-solvers", fill_packing);
  struct case_plot plot;
  const int missed = figure_fake_find(&f, "ccp-apgd-1e-6-3000");
  f.series[missed].status = BASE_UNCONVERGED;
  *figure_fake_number(&f, missed, "iterations.total") = 5;
  CHECK_OK(figure_fake_make(&f, &plot));
  CHECK_NEAR(checked(&plot, "ccp-apgd: power of contacts in the iterations to 1e-6")->measured,
             1. / 3, 1e-9);
  CHECK_NEAR(checked(&plot, "ccp-apgd: runs that missed their tolerance")->measured, 1, 0);
  CHECK_NEAR(checked(&plot, "ccp-pgs: runs that missed their tolerance, of 16")->measured, 0, 0);
}

/* Labels are unique within a figure, since they name the records, and nothing is left to be filled
 * in. */
TEST(runs_of_all_figures_are_complete) {
  int count = 0;
  const struct bench_figure *figures = bench_figures(&count);
  CHECK(figures != NULL && count > 70);
  for (int c = 0; c < count; ++c) {
    const char *id = figures[c].id;
    const struct figure_fake f = figure_fake_of(id, NULL);
    if (f.n == 0) { /* drawn from formulas alone */
      struct case_plot plot;
      CHECK_OK(figure_fake_make(&f, &plot));
      CHECK(plot.n_checks > 0 && plot.n_failed == 0);
    }
    for (int i = 0; i < f.n; ++i) {
      const struct case_run *run = &f.plan.runs[i];
      const char *const texts[] = {run->label, run->formulation, f.plan.set[i]};
      CHECK_MESSAGE(run->label[0] != '\0' &&
                        (run->formulation[0] != '\0' || run->record[0] != '\0'),
                    "%s, run %d", id, i);
      for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k) {
        CHECK_MESSAGE(strpbrk(texts[k], "{}") == NULL, "%s: '%s'", id, texts[k]);
      }
      CHECK_MESSAGE(figure_fake_find(&f, run->label) == i, "%s: label '%s' twice", id, run->label);
    }
  }
}

TEST(a_deviation_that_is_no_number_stays) {
  CHECK_NEAR(case_worst(1, 2), 2, 0);
  CHECK_NEAR(case_worst(2, 1), 2, 0);
  CHECK(isnan(case_worst(1, NAN)));
  CHECK(isnan(case_worst(NAN, 1)));
}

/* Runs that ended well and of which no number is known. */
static void forget_everything(struct figure_fake *f, double *nothing, int room) {
  for (int i = 0; i < f->n; ++i) {
    const double sample = f->plan.runs[i].sample;
    struct case_series *s = &f->series[i];
    record_null(f, i);
    if (sample > 0) {
      const struct mech *m =
          case_model_build(f->plan.file->type->name, f->plan.set[i], f->arena).mech;
      s->n = 1 + (int)lrint(horizon(f, i) / sample);
      s->nq = m->nq_out;
      s->nu = m->nu_out;
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
static void fails_by_itself(const char *id, double *nothing, int room) {
  struct case_plot blank, broken;
  const struct base_arena_mark mark = base_arena_mark(test_arena());
  struct figure_fake f = figure_fake_of(id, NULL);
  forget_everything(&f, nothing, room);
  const int refused = figure_fake_make(&f, &blank) != BASE_OK;
  CHECK_MESSAGE(!refused || base_message()[0] != '\0', "%s: refused without a message", id);
  for (int i = 0; i < f.n; ++i) {
    f.series[i].status = BASE_FAILED;
  }
  const int fails = figure_fake_make(&f, &broken) != BASE_OK || broken.n_failed > 0;
  CHECK_MESSAGE(fails || f.n == 0, "%s: passes on runs that all failed", id);
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
  base_arena_release(test_arena(), mark);
}

TEST(no_value_of_any_figure_passes_by_itself) {
  enum { ROOM = 4000000 };
  double *nothing = malloc(ROOM * sizeof *nothing);
  int count = 0;
  const struct bench_figure *figures = bench_figures(&count);
  for (int i = 0; i < ROOM; ++i) {
    nothing[i] = NAN;
  }
  for (int c = 0; c < count; ++c) {
    fails_by_itself(figures[c].id, nothing, ROOM);
  }
  free(nothing);
}
