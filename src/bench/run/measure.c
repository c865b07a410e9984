/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Measures of a run, step by step; see measure.h.
 *
 * Energy budget (all in joules, work done on the system):
 *   E_k - E_0 = friction + impact + damping + applied + inflow + numerical,
 * where the first four are impulse times mean velocity as the formulation reports them, exact for
 * any step, inflow is what bodies that come and go bring and take, and numerical is what is left:
 * what the integrator made or lost. E includes energy stored in penalty springs.
 *
 * Largest values are NaN until there is one, which fmax passes over: what was never measured has no
 * value. Means are over the steps taken. A residual that is not a number counts as infinite: it is
 * the worst there can be, and comparisons would lose it.
 */
#include "bench/run/measure.h"

#include <gsl/gsl_sort.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory/memory.h"
#include "base/sort.h"
#include "base/status.h"
#include "bench/run/listener.h"
#include "la/dense.h"
#include "la/ensemble/quantile.h"

void bench_series_add(struct bench_series *series, double x) {
  if (series->n == series->capacity) {
    series->capacity = series->capacity == 0 ? 1024 : 2 * series->capacity;
    series->x = base_memory_resize(series->x, series->capacity * sizeof *series->x);
  }
  series->x[series->n++] = x;
}

double bench_series_quantile(struct bench_series *series, double p) {
  gsl_sort(series->x, 1, series->n);
  return la_quantile_sorted((long)series->n, series->x, p);
}

void bench_series_free(struct bench_series *series) {
  free(series->x);
  *series = (struct bench_series){0};
}

double *bench_series_copy(const struct bench_series *series, struct base_arena *arena) {
  double *x = base_arena_push(arena, (series->n + 1) * sizeof *x);
  for (size_t i = 0; i < series->n; ++i) {
    x[i] = series->x[i];
  }
  return x;
}

static void measure_constraints(struct bench_measure *measure, const struct form_state *state) {
  const struct mech *m = measure->m;
  struct bench_outcome *out = measure->out;
  if (m->ns == 0) {
    return;
  }
  mech_set_time(m, state->t);
  m->ops->bilateral(m, state->q, measure->gS);
  if (m->ops->bodies.bilateral_rate != NULL) {
    m->ops->bodies.bilateral_rate(m, state->q, state->u, measure->gamma);
  } else {
    mech_bilateral_directions(m, state->q, measure->WS, measure->arena);
    mech_bilateral_rate(m, state->q, measure->WS, state->u, measure->gamma);
  }
  out->constraints.position_max =
      fmax(out->constraints.position_max, la_norm_inf(m->ns, measure->gS));
  out->constraints.velocity_max =
      fmax(out->constraints.velocity_max, la_norm_inf(m->ns, measure->gamma));
}

/* The smallest gap of the closed contacts, and with it their penetration. */
static void look_at_gap(void *data, const struct mech_contacts *c, int i) {
  struct bench_measure *measure = data;
  measure->gap_min = fmin(c->gN[i], measure->gap_min); /* passes over NaN */
}

/* |g_N| of the contacts that carried in the step and in the one before, so that they have not just
 * closed: both ascend in id. */
struct drift {
  struct bench_outcome *out;
  const struct form_report *report;
  const struct form_carried *before;
  int at, at_before; /* contacts already met */
};

static void look_at_drift(void *data, const struct mech_contacts *c, int i) {
  struct drift *d = data;
  const long id = c->id[i];
  if (base_sorted_find(d->report->n_carrying, d->report->carrying, id, &d->at) >= 0 &&
      base_sorted_find(d->before->n, d->before->id, id, &d->at_before) >= 0) {
    d->out->constraints.gap_drift = fmax(d->out->constraints.gap_drift, fabs(c->gN[i]));
  }
}

static void measure_gaps(struct bench_measure *measure, const struct form_state *state,
                         const struct form_report *report) {
  const struct mech *m = measure->m;
  struct bench_outcome *out = measure->out;
  struct drift drift = {.out = out, .report = report, .before = &measure->carried};
  measure->gap_min = NAN;
  mech_contacts_visit(m, state->q, 0, look_at_gap, measure, &measure->contact);
  out->constraints.penetration_max = fmax(out->constraints.penetration_max, -measure->gap_min);
  if (report->n_carrying > 0 && drift.before->n > 0) {
    mech_contacts_visit_named(m, state->q, report->n_carrying, report->carrying, look_at_drift,
                              &drift, &measure->contact);
  }
}

/* Work done on the system so far, of the very sums that the record has: with a sum of its own the
 * budget would close to the rounding of all that went through it, however little is left. */
static double work_done(const struct bench_outcome *out) {
  const double inflow = isnan(out->energy.inflow) ? 0 : out->energy.inflow; /* closed */
  return out->energy.friction + out->energy.impact + out->energy.damping + out->energy.applied +
         inflow;
}

static void measure_energy(struct bench_measure *measure, const struct form_state *state,
                           const struct form_report *report) {
  struct bench_outcome *out = measure->out;
  measure->stored += report->work.stored + report->work.inflow;
  const struct mech *m = measure->m;
  const double kinetic = mech_kinetic(m, state->q, state->u, measure->arena);
  const double V = m->ops->potential != NULL ? m->ops->potential(m, state->q) : 0;
  const double energy = kinetic + V + measure->stored;
  out->energy.max_kinetic = fmax(out->energy.max_kinetic, kinetic);
  out->energy.friction += report->work.friction;
  out->energy.impact += report->work.impact;
  out->energy.damping += report->work.damping;
  out->energy.applied += report->work.applied;
  out->energy.inflow += report->work.inflow;
  out->energy.max_increase = fmax(out->energy.max_increase, energy - measure->energy);
  out->energy.numerical = energy - out->energy.initial - work_done(out);
  out->energy.max_numerical_drift =
      bench_worst(out->energy.max_numerical_drift, fabs(out->energy.numerical));
  measure->energy = energy;
}

/* One more of what is counted; below 0 once it is not told. */
static void add_count(long *total, long now) { *total = now < 0 ? -1 : *total + now; }

static void measure_counts(struct bench_measure *measure, const struct form_report *report) {
  struct bench_outcome *out = measure->out;
  const int is_told = report->iterations >= 0;
  if (is_told) {
    bench_series_add(&measure->iterations, report->iterations);
  }
  if (report->stable_dt > 0 && !(report->stable_dt >= out->told.stable_dt)) {
    out->told.stable_dt = report->stable_dt;
  }
  out->told.stiffness = report->stiffness > 0 ? report->stiffness : out->told.stiffness;
  out->told.mcp = report->mcp > out->told.mcp ? report->mcp : out->told.mcp;
  add_count(&out->iterations.total, report->iterations);
  add_count(&out->iterations.solves, report->is_outside ? -1 : report->solves);
  add_count(&out->iterations.unconverged_steps,
            report->is_outside ? -1 : (report->unconverged > 0));
  out->iterations.internal_steps += report->internal_steps;
  out->iterations.evaluations += report->evaluations;
  if (report->newton > 0) {
    out->iterations.newton = fmax(out->iterations.newton, report->newton);
  }
  for (int i = 0; i < out->choices.n && report->by != NULL; ++i) {
    out->choices.by[i].steps += out->choices.by[i].solver == report->by;
  }
  out->choices.round = report->round > out->choices.round ? report->round : out->choices.round;
  out->iterations.max = is_told && report->iterations <= out->iterations.max ? out->iterations.max
                                                                             : report->iterations;
  out->contacts.mean += report->contacts >= 0 ? report->contacts : (double)NAN;
  measure->onsets = form_carried_onsets(&measure->carried, report);
  add_count(&out->contacts.onsets, report->is_outside ? -1 : measure->onsets);
  if (report->phases > 0) {
    out->contacts.phases = fmax(out->contacts.phases, report->phases);
    out->contacts.capped = fmax(out->contacts.capped, 0) + report->capped;
  }
  if (report->contacts > out->contacts.max || report->contacts < 0) {
    out->contacts.max = report->contacts;
  }
  out->told.simulator = report->simulator;
}

static double worst_if_nan(double x) { return isnan(x) ? INFINITY : x; }

static void measure_law(struct bench_measure *measure, long k, const struct form_report *report) {
  struct bench_outcome *out = measure->out;
  if (report->graded == 0) {
    return;
  }
  const double residual = worst_if_nan(report->residual.absolute);
  bench_series_add(&measure->residual, residual);
  if (measure->residual.n == 1 || residual > out->law.residual_max) {
    out->law.residual_max = residual;
    out->law.at_step = k;
    out->law.at_contact = report->residual.at;
  }
  const double relative = worst_if_nan(report->residual.relative_free);
  out->law.relative_free_max = fmax(out->law.relative_free_max, relative);
  out->law.unsolved += report->unconverged > 0 ? relative : 0;
  out->law.relative_b_max =
      fmax(out->law.relative_b_max, worst_if_nan(report->residual.relative_b));
  if (!isnan(report->optimality.gap) && !(report->optimality.gap <= out->law.duality_gap)) {
    out->law.duality_gap = report->optimality.gap;
    out->law.objective = report->optimality.objective;
  }
  out->law.signorini = fmax(out->law.signorini, report->diagnostics.signorini);
  out->law.cone = fmax(out->law.cone, report->diagnostics.cone);
  out->law.angle = fmax(out->law.angle, report->diagnostics.angle);
  out->law.dissipation_shortfall =
      fmax(out->law.dissipation_shortfall, report->diagnostics.dissipation_shortfall);
}

void bench_measure_begin(struct bench_measure *measure, const struct mech *m,
                         const struct form_state *state, struct base_arena *arena,
                         struct bench_outcome *out) {
  *measure = (struct bench_measure){.m = m, .arena = arena, .out = out};
  mech_contacts_init(&measure->contact, m, arena);
  form_carried_init(&measure->carried, arena);
  measure->gS = base_arena_doubles(arena, m->ns);
  measure->gamma = base_arena_doubles(arena, m->ns);
  if (m->ops->bodies.bilateral_rate == NULL) {
    measure->WS = base_arena_matrix(arena, m->nu, m->ns);
  }
  out->told.stable_dt = out->told.stiffness = out->constraints.dependent = NAN;
  out->energy.inflow = m->ops->open.inflow_outflow != NULL ? 0 : NAN;
  out->law.at_contact = -1;
  out->law.duality_gap = out->law.objective = NAN;
  out->law.signorini = out->law.cone = out->law.angle = out->law.dissipation_shortfall = NAN;
  out->constraints.gap_drift = out->iterations.newton = NAN;
  out->contacts.phases = out->contacts.capped = NAN;
  if (m->ns == 0) {
    out->constraints.position_max = out->constraints.velocity_max = NAN;
  }
  out->choices.n = problem_solver_count();
  out->choices.by = base_arena_push(arena, (size_t)out->choices.n * sizeof *out->choices.by);
  for (int i = 0; i < out->choices.n; ++i) {
    out->choices.by[i].solver = problem_solver_get(i);
  }
  out->energy.initial = mech_energy(m, state->q, state->u, arena);
  out->energy.max_kinetic = mech_kinetic(m, state->q, state->u, arena);
  measure->energy = out->energy.initial;
  measure_constraints(measure, state);
  measure_gaps(measure, state, &(struct form_report){0});
  out->start.gap_min = measure->gap_min;
  out->start.g_S_max = out->constraints.position_max;
  out->start.gamma_S_max = out->constraints.velocity_max;
}

void bench_measure_flow(struct bench_measure *measure, const struct form_state *state,
                        double work) {
  measure->out->energy.inflow += work;
  measure->energy = mech_energy(measure->m, state->q, state->u, measure->arena) + measure->stored;
}

void bench_measure_step(struct bench_measure *measure, long k, const struct form_state *state,
                        const struct form_report *report) {
  measure_energy(measure, state, report);
  measure_constraints(measure, state);
  measure_gaps(measure, state, report);
  measure_counts(measure, report);
  measure_law(measure, k, report);
  if (report->eliminates) {
    measure->out->constraints.dependent =
        fmax(measure->out->constraints.dependent, report->dependent);
  }
}

void bench_measure_end(struct bench_measure *measure, long steps) {
  struct bench_outcome *out = measure->out;
  out->energy.final = measure->energy;
  if (steps > 0) {
    out->iterations.mean =
        out->iterations.total >= 0 ? (double)out->iterations.total / (double)steps : (double)NAN;
    out->iterations.p95 = bench_series_quantile(&measure->iterations, 0.95);
    out->contacts.mean /= (double)steps;
  }
  out->law.residual_p50 = bench_series_quantile(&measure->residual, 0.5);
  if (measure->residual.n == 0) {
    out->law.residual_max = out->law.relative_free_max = out->law.relative_b_max = NAN;
    out->law.unsolved = NAN;
  } else {
    out->law.unsolved /= (double)measure->residual.n;
  }
  bench_series_free(&measure->residual);
  bench_series_free(&measure->iterations);
}

/* ---- the listener ---- */

static int begin(void *data, struct bench_run *run) {
  struct bench_measure *measure = data;
  bench_measure_begin(measure, run->m, &run->state, run->arena, run->out);
  run->energy = measure->energy;
  return BASE_OK;
}

static int flow(void *data, struct bench_run *run) {
  struct bench_measure *measure = data;
  bench_measure_flow(measure, &run->state, run->inflow);
  run->energy = measure->energy;
  return BASE_OK;
}

/* The contacts that carried in the last step, and their impulses. */
static void note_impulses(const struct bench_run *run) {
  const struct form_report *report = run->report;
  const int n = report->impulses != NULL ? report->n_carrying : 0, dim = run->m->dim;
  if (n == 0 || n > BENCH_IMPULSES_MAX) {
    return;
  }
  double *id = base_arena_doubles(run->arena, n), *r = base_arena_matrix(run->arena, dim, n);
  for (int i = 0; i < n; ++i) {
    id[i] = (double)report->carrying[i];
  }
  la_copy((long)dim * n, report->impulses, r);
  run->out->impulses.n = n;
  run->out->impulses.dim = dim;
  run->out->impulses.id = id;
  run->out->impulses.r = r;
}

static int step(void *data, struct bench_run *run) {
  struct bench_measure *measure = data;
  bench_measure_step(measure, run->taken, &run->state, run->report);
  run->energy = measure->energy;
  run->onsets = measure->onsets;
  if (run->taken == run->steps) {
    note_impulses(run);
  }
  return BASE_OK;
}

static int end(void *data, struct bench_run *run) {
  bench_measure_end(data, run->taken);
  return BASE_OK;
}

void bench_series_pass(struct bench_series *series, struct base_blob *blob) {
  const size_t n = (size_t)base_blob_count(blob, (long)series->n, LONG_MAX / 8, sizeof *series->x);
  if (blob->reading) {
    series->n = 0;
    if (n > series->capacity) {
      series->x = base_memory_resize(series->x, n * sizeof *series->x);
      series->capacity = n;
    }
    series->n = n;
  }
  base_blob_pass(blob, series->x, n * sizeof *series->x);
}

/* What accumulates, here and in the outcome's blocks. */
static void pass(void *data, struct base_blob *blob) {
  struct bench_measure *measure = data;
  struct bench_outcome *out = measure->out;
  double *const numbers[] = {&measure->energy, &measure->stored};
  base_blob_pass(blob, &out->energy, sizeof out->energy);
  base_blob_pass(blob, &out->constraints, sizeof out->constraints);
  base_blob_pass(blob, &out->law, sizeof out->law);
  base_blob_pass(blob, &out->iterations, sizeof out->iterations);
  base_blob_pass(blob, &out->contacts, sizeof out->contacts);
  base_blob_pass(blob, &out->told, sizeof out->told);
  base_blob_pass(blob, &out->choices.round, sizeof out->choices.round);
  for (int i = 0; i < out->choices.n; ++i) { /* of one program, which registers them in one order */
    base_blob_pass(blob, &out->choices.by[i].steps, sizeof out->choices.by[i].steps);
  }
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
    base_blob_pass(blob, numbers[i], sizeof *numbers[i]);
  }
  form_carried_pass(&measure->carried, blob);
  bench_series_pass(&measure->residual, blob);
  bench_series_pass(&measure->iterations, blob);
}

static void release(void *data) {
  struct bench_measure *measure = data;
  bench_series_free(&measure->residual);
  bench_series_free(&measure->iterations);
}

void bench_measure_listen(struct bench_run *run) {
  bench_run_listen(
      run,
      (struct bench_listener){
          .data = base_arena_push(run->arena, sizeof(struct bench_measure)),
          .on =
              {[BENCH_BEGIN] = begin, [BENCH_FLOW] = flow, [BENCH_STEP] = step, [BENCH_END] = end},
          .pass = pass,
          .free = release});
}
