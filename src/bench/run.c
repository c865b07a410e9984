/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The step loop; see run.h.
 *
 * Energy budget, step by step (all in joules, work done on the system):
 *   E_k - E_0 = friction + impact + damping + applied + numerical,
 * where the first four are impulse times mean velocity as the formulation reports them, exact for
 * any step, and numerical is what is left: what the integrator made or lost. E includes energy
 * stored in penalty springs.
 *
 * A run is diverged when its state is not finite or exceeds DIVERGENCE_FACTOR times the scales the
 * system declares.
 */
#include "bench/run.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/status.h"
#include "la/dense.h"

/* Far beyond any accuracy of interest, near enough to stop a blow-up within a few dozen steps. */
static const double DIVERGENCE_FACTOR = 1e6;
/* Samples for errors: enough to see every feature of a figure, few enough to cost nothing. */
enum { ERROR_SAMPLES = 400 };
/* Steps between looks at the clock. */
enum { CLOCK_STRIDE = 64 };

struct run {
  const struct bench_job *job;
  const struct mech *m;
  struct base_arena *arena;
  struct bench_outcome *out;
  struct form_state state;
  struct mech_contacts contacts;
  double *gS, *WS, *gamma;
  double energy_last, stored, work;
  long steps;
  double *residuals;      /* steps [m/s], NaN where nothing was solved */
  double *iterations;     /* steps */
  struct bench_path path; /* samples for errors */
  struct bench_path trajectory;
  long stride, trajectory_stride;
};

static void path_alloc(struct bench_path *path, int capacity, const struct mech *m,
                       struct base_arena *arena) {
  *path = (struct bench_path){.nq = m->nq_out, .nu = m->nu_out};
  path->t = base_arena_doubles(arena, capacity);
  path->q = base_arena_doubles(arena, capacity * m->nq_out);
  path->u = base_arena_doubles(arena, capacity * m->nu_out);
  path->energy = base_arena_doubles(arena, capacity);
}

static void observe(const struct mech *m, const double *q, const double *u, double *q_out,
                    double *u_out) {
  if (m->ops->observe != NULL) {
    m->ops->observe(m, q, u, q_out, u_out);
  } else {
    la_copy(m->nq, q, q_out);
    la_copy(m->nu, u, u_out);
  }
}

static void path_add(struct run *run, struct bench_path *path, double energy) {
  const int k = path->n++;
  path->t[k] = run->state.t;
  observe(run->m, run->state.q, run->state.u, path->q + (size_t)k * (size_t)path->nq,
          path->u + (size_t)k * (size_t)path->nu);
  path->energy[k] = energy;
}

/* Constraint levels and penetration at the present state. */
static void measure_constraints(struct run *run) {
  const struct mech *m = run->m;
  struct bench_outcome *out = run->out;
  if (m->ns > 0) {
    m->ops->bilateral(m, run->state.q, run->gS);
    m->ops->bilateral_directions(m, run->state.q, run->WS);
    la_gemv_t(m->nu, m->ns, 1, run->WS, run->state.u, 0, run->gamma);
    out->constraints.position_max =
        fmax(out->constraints.position_max, la_norm_inf(m->ns, run->gS));
    out->constraints.velocity_max =
        fmax(out->constraints.velocity_max, la_norm_inf(m->ns, run->gamma));
  }
}

/* Gaps after a step: penetration of all contacts, and |g_N| of those that carried an impulse in it.
 */
static void measure_gaps(struct run *run, const struct form_report *report) {
  const struct mech *m = run->m;
  struct bench_outcome *out = run->out;
  if (m->ops->contacts == NULL) {
    return;
  }
  mech_contacts_clear(&run->contacts);
  m->ops->contacts(m, run->state.q, NULL, report->n_carrying > 0 ? INFINITY : 0, &run->contacts);
  int carrying = 0;
  for (int i = 0; i < run->contacts.n; ++i) {
    const double gap = run->contacts.gN[i];
    out->constraints.penetration_max = fmax(out->constraints.penetration_max, -gap);
    while (carrying < report->n_carrying && report->carrying[carrying] < run->contacts.id[i]) {
      ++carrying;
    }
    if (carrying < report->n_carrying && report->carrying[carrying] == run->contacts.id[i]) {
      out->constraints.gap_drift = fmax(out->constraints.gap_drift, fabs(gap));
    }
  }
}

static void measure_energy(struct run *run, const struct form_report *report) {
  struct bench_outcome *out = run->out;
  run->stored += report->work.stored;
  const double energy = mech_energy(run->m, run->state.q, run->state.u, run->arena) + run->stored;
  out->energy.friction += report->work.friction;
  out->energy.impact += report->work.impact;
  out->energy.damping += report->work.damping;
  out->energy.applied += report->work.applied;
  run->work +=
      report->work.friction + report->work.impact + report->work.damping + report->work.applied;
  out->energy.max_increase = fmax(out->energy.max_increase, energy - run->energy_last);
  out->energy.numerical = energy - out->energy.initial - run->work;
  out->energy.max_numerical_drift =
      fmax(out->energy.max_numerical_drift, fabs(out->energy.numerical));
  run->energy_last = energy;
}

static void measure_law(struct run *run, long k, const struct form_report *report) {
  struct bench_outcome *out = run->out;
  run->iterations[k] = report->iterations;
  run->residuals[k] = NAN;
  out->iterations.total += report->iterations;
  out->iterations.solves += report->solves;
  out->iterations.unconverged_steps += report->unconverged > 0;
  out->iterations.internal_steps += report->internal_steps;
  out->iterations.newton = fmax(out->iterations.newton, report->newton);
  if (report->iterations > out->iterations.max) {
    out->iterations.max = report->iterations;
  }
  out->contacts.mean += report->contacts;
  out->contacts.closings += report->closings;
  if (report->contacts > out->contacts.max) {
    out->contacts.max = report->contacts;
  }
  if (report->solves == 0) {
    return;
  }
  run->residuals[k] = report->residual.absolute;
  if (!(report->residual.absolute <= out->law.residual_max)) { /* also the first, and NaN */
    out->law.residual_max = report->residual.absolute;
    out->law.at_step = k;
    out->law.at_contact = report->residual.at;
  }
  out->law.relative_b_max = fmax(out->law.relative_b_max, report->residual.relative_b);
  out->law.signorini = fmax(out->law.signorini, report->diagnostics.signorini);
  out->law.cone = fmax(out->law.cone, report->diagnostics.cone);
  out->law.angle = fmax(out->law.angle, report->diagnostics.angle);
  out->law.dissipation_shortfall =
      fmax(out->law.dissipation_shortfall, report->diagnostics.dissipation_shortfall);
}

static int is_diverged(const struct run *run) {
  const struct mech *m = run->m;
  return !la_all_finite(m->nq, run->state.q) || !la_all_finite(m->nu, run->state.u) ||
         la_norm_inf(m->nq, run->state.q) > DIVERGENCE_FACTOR * m->length ||
         la_norm_inf(m->nu, run->state.u) > DIVERGENCE_FACTOR * m->speed;
}

static void set_status(struct bench_outcome *out, int status, const char *reason) {
  out->status = status;
  snprintf(out->reason, sizeof out->reason, "%s", reason);
}

/* All steps; returns the number taken. */
static long take_steps(struct run *run, const struct form *form, void *workspace) {
  const struct bench_job *job = run->job;
  struct bench_outcome *out = run->out;
  const double begin = base_clock_now();
  long k = 0;
  for (; k < run->steps; ++k) {
    if (job->time_limit > 0 && k % CLOCK_STRIDE == 0 &&
        base_clock_now() - begin > job->time_limit) {
      set_status(out, BASE_TIMEOUT, "the time limit was reached");
      break;
    }
    struct form_report report = {0};
    const double t_next = k + 1 == run->steps ? job->t_end : (double)(k + 1) * job->dt;
    const int status = form->step(workspace, &run->state, t_next - run->state.t, &report);
    run->state.t = t_next;
    if (status != BASE_OK && status != BASE_UNCONVERGED) {
      char reason[256];
      snprintf(reason, sizeof reason, "step %ld, t = %.9g s: %s", k + 1, t_next, base_message());
      set_status(out, status > 0 ? status : BASE_FAILED, reason);
      break;
    }
    if (is_diverged(run)) {
      char reason[256];
      snprintf(reason, sizeof reason, "step %ld, t = %.9g s: the state left every physical bound",
               k + 1, t_next);
      set_status(out, BASE_DIVERGED, reason);
      ++k;
      break;
    }
    measure_energy(run, &report);
    measure_constraints(run);
    measure_gaps(run, &report);
    measure_law(run, k, &report);
    if ((k + 1) % run->stride == 0 || k + 1 == run->steps) {
      path_add(run, &run->path, run->energy_last);
    }
    if (run->trajectory_stride > 0 &&
        ((k + 1) % run->trajectory_stride == 0 || k + 1 == run->steps)) {
      path_add(run, &run->trajectory, run->energy_last);
    }
  }
  out->timing.steps = base_clock_now() - begin;
  return k;
}

static void summarise(struct run *run, long taken) {
  struct bench_outcome *out = run->out;
  out->steps = taken;
  out->t = run->state.t;
  observe(run->m, run->state.q, run->state.u, out->q, out->u);
  out->energy.final = run->energy_last;
  if (taken == 0) {
    out->law.residual_max = out->law.residual_p50 = out->law.relative_b_max = NAN;
    return;
  }
  out->iterations.mean = (double)out->iterations.total / (double)taken;
  out->contacts.mean /= (double)taken;
  size_t solved = 0;
  for (long k = 0; k < taken; ++k) {
    if (!isnan(run->residuals[k])) {
      run->residuals[solved++] = run->residuals[k];
    }
  }
  gsl_sort(run->residuals, 1, solved);
  gsl_sort(run->iterations, 1, (size_t)taken);
  out->law.residual_p50 =
      solved > 0 ? gsl_stats_quantile_from_sorted_data(run->residuals, 1, solved, 0.5) : NAN;
  if (solved == 0) {
    out->law.residual_max = out->law.relative_b_max = NAN;
  }
  out->iterations.p95 =
      gsl_stats_quantile_from_sorted_data(run->iterations, 1, (size_t)taken, 0.95);
  if (out->status == BASE_OK && out->iterations.unconverged_steps > 0) {
    char reason[200];
    snprintf(reason, sizeof reason, "%ld of %ld steps missed the solver's tolerance",
             out->iterations.unconverged_steps, taken);
    set_status(out, BASE_UNCONVERGED, reason);
  }
}

/* Errors at the samples against the reference. */
static void measure_errors(struct run *run) {
  struct bench_outcome *out = run->out;
  const struct bench_path *path = &run->path;
  out->errors.q_linf = out->errors.q_l2 = out->errors.q_final = out->errors.u_hausdorff = NAN;
  if (out->status == BASE_DIVERGED || out->status == BASE_FAILED || path->n < 2) {
    out->reference.kind = "none";
    out->reference.bound = NAN;
    snprintf(out->reference.reason, sizeof out->reference.reason,
             "the run has no solution to compare");
    return;
  }
  struct bench_path ref;
  const double begin = base_clock_now();
  bench_reference(run->job, path->n, path->t, run->arena, &ref, out);
  out->timing.reference = base_clock_now() - begin;
  if (ref.n < path->n) {
    return;
  }
  double linf = 0, sum = 0;
  for (int k = 0; k < path->n; ++k) {
    double worst = 0;
    for (int j = 0; j < path->nq; ++j) {
      const long at = (long)k * path->nq + j;
      worst = fmax(worst, fabs(path->q[at] - ref.q[at]));
      sum += (path->q[at] - ref.q[at]) * (path->q[at] - ref.q[at]);
    }
    linf = fmax(linf, worst);
    out->errors.q_final = worst;
  }
  out->errors.q_linf = linf;
  out->errors.q_l2 = sqrt(sum / path->n);
  out->errors.u_hausdorff = bench_hausdorff(path, &ref, run->job->t_end, run->m->speed);
}

static int prepare(struct run *run, struct case_instance *instance) {
  const struct bench_job *job = run->job;
  struct bench_outcome *out = run->out;
  const struct mech *m = instance->mech;
  run->m = m;
  run->state = (struct form_state){.t = 0, .q = instance->q, .u = instance->u};
  mech_contacts_init(&run->contacts, m, run->arena);
  run->gS = base_arena_doubles(run->arena, m->ns);
  run->gamma = base_arena_doubles(run->arena, m->ns);
  run->WS = base_arena_doubles(run->arena, m->nu * m->ns);
  /* A step count that is a whole number but for rounding is that number; a shorter last step ends
   * at t_end otherwise. */
  const double ratio = job->t_end / job->dt;
  run->steps = fabs(ratio - rint(ratio)) < 1e-9 * fmax(1, ratio) ? lrint(ratio) : (long)ceil(ratio);
  run->stride = run->steps / ERROR_SAMPLES + 1;
  path_alloc(&run->path, ERROR_SAMPLES + 2, m, run->arena);
  if (job->sample > 0) {
    run->trajectory_stride = lrint(fmax(1, job->sample / job->dt));
    path_alloc(&run->trajectory, (int)(run->steps / run->trajectory_stride) + 2, m, run->arena);
  }
  run->residuals = base_arena_push(run->arena, (size_t)(run->steps + 1) * sizeof(double));
  run->iterations = base_arena_push(run->arena, (size_t)(run->steps + 1) * sizeof(double));
  out->nq = m->nq_out;
  out->nu = m->nu_out;
  out->q_names = m->q_names;
  out->u_names = m->u_names;
  out->q = base_arena_doubles(run->arena, m->nq_out);
  out->u = base_arena_doubles(run->arena, m->nu_out);
  out->law.residual_max = -1;
  out->energy.initial = mech_energy(m, run->state.q, run->state.u, run->arena);
  run->energy_last = out->energy.initial;
  measure_constraints(run);
  path_add(run, &run->path, run->energy_last);
  if (run->trajectory_stride > 0) {
    path_add(run, &run->trajectory, run->energy_last);
  }
  return BASE_OK;
}

int bench_run(const struct bench_job *job, struct base_arena *arena,
              struct bench_outcome *outcome) {
  *outcome = (struct bench_outcome){.status = BASE_OK};
  struct run run = {.job = job, .arena = arena, .out = outcome};
  const double begin = base_clock_now();
  struct case_instance instance = {0};
  int status = job->type->build(job->parameters, arena, &instance);
  if (status != BASE_OK) {
    return status;
  }
  prepare(&run, &instance);
  const struct form_setup setup = {.mech = run.m,
                                   .options = job->form_options,
                                   .solver = job->solver,
                                   .solver_options = job->solver_options,
                                   .loop = job->loop,
                                   .warm_start = job->switches.warm_start,
                                   .dt = job->dt,
                                   .arena = arena};
  void *workspace = NULL;
  if (job->form->has_law && (job->solver->laws & CONTACT_LAW_BIT(job->form->law)) == 0) {
    base_fail(BASE_UNSUPPORTED, "solver %s does not accept law %s",
              problem_solver_name(job->solver), contact_law_name(job->form->law));
  } else if (job->form->check == NULL || job->form->check(&setup) == BASE_OK) {
    workspace = job->form->alloc(&setup, &run.state);
  }
  long taken = 0;
  if (workspace == NULL) {
    set_status(outcome, BASE_UNSUPPORTED, base_message());
  } else {
    taken = take_steps(&run, job->form, workspace);
    if (job->form->free != NULL) {
      job->form->free(workspace);
    }
  }
  summarise(&run, taken);
  if (workspace != NULL) {
    measure_errors(&run);
  } else {
    outcome->errors.q_linf = outcome->errors.q_l2 = outcome->errors.q_final =
        outcome->errors.u_hausdorff = NAN;
    outcome->reference.kind = "none";
    outcome->reference.bound = NAN;
  }
  outcome->trajectory = run.trajectory;
  outcome->timing.total = base_clock_now() - begin;
  outcome->timing.memory = base_arena_peak(arena);
  return BASE_OK;
}
