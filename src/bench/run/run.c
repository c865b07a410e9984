/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The step loop; see run.h. What is measured on the way is in measure.c.
 *
 * Step k = 1 ... n ends at t = k dt, the last one at t_end exactly; it is shorter where t_end is no
 * whole number of steps. Every other step gets dt itself, not a difference of times, so that it is
 * the same to the last bit.
 *
 * A step counts once it has been taken: a run that breaks down, or whose state leaves every
 * physical bound or is not finite, ends at the last state that was sound; the reason names the step
 * that was not. The bound is DIVERGENCE_FACTOR times the larger of the scale the system declares
 * and the initial state; for coordinates, besides, what the system's speed covers within the
 * horizon: a body may slide slowly, far from the origin, for long.
 */
#include "bench/run/run.h"
#include "bench/run/dump.h"

#include <math.h>
#include <stdio.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/memory/memory.h"
#include "base/status.h"
#include "base/threads.h"
#include "bench/export/vtk.h"
#include "bench/run/checkpoint.h"
#include "bench/run/measure.h"
#include "la/dense.h"

/* Far beyond any accuracy of interest, near enough to stop a blow-up within a few dozen steps. */
static const double DIVERGENCE_FACTOR = 1e6;
/* Samples for errors: enough to see every feature of a figure, few enough to cost nothing; fewer
 * where a state is so large that samples would fill the memory. */
enum { ERROR_SAMPLES = 400, ERROR_VALUES = 4000000 };
/* Steps with a closing contact whose two ends are kept, so that jumps of the velocity keep their
 * place in time; beyond, jumps lie between samples like everything else. */
enum { JUMPS_MAX = 30 };
/* Contacts whose impulses of the last step a record holds; where there are more it holds none. */
enum { IMPULSES_MAX = 64 };
/* t_end / dt this close to a whole number, relative to it, is one: inputs have about 16 digits, and
 * a few are lost where a step is given as a quotient. */
static const double WHOLE_STEPS = 1e-12;

struct run {
  const struct bench_job *job;
  const struct mech *m;
  struct base_arena *arena;
  struct bench_outcome *out;
  double deadline; /* base/clock.h */
  struct form_state state;
  double *q_before, *u_before; /* published, before the step under way */
  int is_broken;               /* it failed: the state is no longer sound */
  double q_bound, u_bound;     /* beyond: diverged */
  struct bench_measure measure;
  long steps;
  struct bench_path path;  /* samples for errors */
  struct bench_path graph; /* of the velocity: these samples, and the ends of steps with a jump */
  struct bench_path trajectory;
  long stride, trajectory_stride, checkpoint_stride;
  long samples, trajectory_samples; /* room in the paths */
  long taken;            /* steps, those of an earlier run with its checkpoint included */
  struct bench_vtk *vtk; /* NULL: no pictures */
  struct bench_dump dump;
  void *workspace; /* of the formulation; NULL: it takes no such run */
  int result;      /* of the part of the run under way, negative: nothing to record */
};

static int compared_of(const struct mech *m) {
  return m->nq_compared > 0 ? m->nq_compared : m->nq_out;
}

static void path_alloc(struct bench_path *path, size_t capacity, const struct mech *m,
                       struct base_arena *arena) {
  *path = (struct bench_path){.nq = m->nq_out, .nu = m->nu_out, .nq_compared = compared_of(m)};
  path->t = base_arena_push(arena, capacity * sizeof(double));
  path->q = base_arena_array(arena, capacity, (size_t)m->nq_out, sizeof(double));
  path->u = base_arena_array(arena, capacity, (size_t)m->nu_out, sizeof(double));
  path->energy = base_arena_push(arena, capacity * sizeof(double));
}

void bench_observe(const struct mech *m, const double *q, const double *u, double *q_out,
                   double *u_out) {
  if (m->ops->observe != NULL) {
    m->ops->observe(m, q, u, q_out, u_out);
  } else {
    la_copy(m->nq, q, q_out);
    la_copy(m->nu, u, u_out);
  }
}

static void path_add(struct run *run, struct bench_path *path) {
  const int k = path->n++;
  path->t[k] = run->state.t;
  bench_observe(run->m, run->state.q, run->state.u, path->q + (size_t)k * (size_t)path->nq,
                path->u + (size_t)k * (size_t)path->nu);
  path->energy[k] = run->measure.energy;
}

/* The state before the step under way. */
static void path_add_before(const struct run *run, double t_before, struct bench_path *path) {
  const int k = path->n++;
  path->t[k] = t_before;
  la_copy(path->nq, run->q_before, path->q + (size_t)k * (size_t)path->nq);
  la_copy(path->nu, run->u_before, path->u + (size_t)k * (size_t)path->nu);
  path->energy[k] = run->measure.energy;
}

/* Keep the state after k steps where it is due; before: its beginning, kept if a contact closed. */
static void sample(struct run *run, long k, double t_before, const struct form_report *report) {
  const int due = k % run->stride == 0 || k == run->steps;
  const int jumped = report->closings > 0 && run->graph.n_jumps < JUMPS_MAX;
  if (due) {
    path_add(run, &run->path);
  }
  if (jumped && run->graph.t[run->graph.n - 1] < t_before) {
    path_add_before(run, t_before, &run->graph);
  }
  if (due || jumped) {
    path_add(run, &run->graph);
  }
  if (jumped) {
    run->graph.t_jump[run->graph.n_jumps++] = run->state.t;
  }
  if (run->trajectory_stride > 0 && (k % run->trajectory_stride == 0 || k == run->steps)) {
    path_add(run, &run->trajectory);
  }
}

static int is_sound(const struct run *run) {
  const struct mech *m = run->m;
  return la_all_finite(m->nq, run->state.q) && la_all_finite(m->nu, run->state.u) &&
         la_norm_inf(m->nq, run->state.q) <= run->q_bound &&
         la_norm_inf(m->nu, run->state.u) <= run->u_bound;
}

static void set_status(struct bench_outcome *out, int status, const char *reason) {
  out->status = status;
  snprintf(out->reason, sizeof out->reason, "%s",
           reason[0] != '\0' ? reason : base_status_meaning(status));
}

/* End the run at the last sound state. Where time is up it does not matter what it was spent on. */
static void break_off(struct run *run, int status, long k, double t, const char *why) {
  char reason[sizeof run->out->reason];
  run->is_broken = 1;
  if (status == BASE_TIMEOUT && base_clock_passed(run->deadline)) {
    set_status(run->out, BASE_TIMEOUT, "");
    return;
  }
  int n = snprintf(reason, sizeof reason, "step %ld, t = %.9g s: %s", k, t,
                   why[0] != '\0' ? why : base_status_meaning(status));
  if (run->job->dt > run->out->stable_dt && run->out->stable_dt > 0 && n > 0 &&
      n < (int)sizeof reason) {
    snprintf(reason + n, sizeof reason - (size_t)n,
             "; the step is longer than %.3g s, the longest estimated to be stable",
             run->out->stable_dt);
  }
  set_status(run->out, status, reason);
}

static void keep_impulses(struct run *run, const struct form_report *report) {
  const int n = report->impulses != NULL ? report->n_carrying : 0, dim = run->m->dim;
  if (n == 0 || n > IMPULSES_MAX) {
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

/* Bodies come and go before a step. */
static void inflow_outflow(struct run *run) {
  const struct mech *m = run->m;
  if (m->ops->open.inflow_outflow != NULL) {
    double work = 0;
    m->ops->open.inflow_outflow(m, run->state.t, run->state.q, run->state.u, &work);
    bench_measure_inflow(&run->measure, &run->state, work);
  }
}

static void observe_step(struct run *run, const struct form_report *report) {
  const struct case_observer *observer = run->out->observer;
  if (observer != NULL) {
    observer->accumulate(observer->data, run->m,
                         &(struct case_moment){.t = run->state.t,
                                               .q = run->state.q,
                                               .u = run->state.u,
                                               .carrying = report->n_carrying});
  }
}

/* Everything that is kept from step to step, there or back. */
static void pass_run(struct run *run, void *workspace, long *taken, struct base_blob *blob) {
  const struct mech *m = run->m;
  const struct case_observer *observer = run->out->observer;
  bench_checkpoint_identity(blob, run->job, m);
  *taken = base_blob_count(blob, *taken, run->steps);
  base_blob_pass(blob, &run->state.t, sizeof run->state.t);
  base_blob_pass(blob, run->state.q, (size_t)m->nq * sizeof *run->state.q);
  base_blob_pass(blob, run->state.u, (size_t)m->nu * sizeof *run->state.u);
  if (m->ops->checkpoint != NULL) {
    m->ops->checkpoint(m, blob);
  }
  run->job->form->checkpoint(workspace, blob); /* may look at the system */
  if (observer != NULL) {
    observer->checkpoint(observer->data, blob);
  }
  bench_checkpoint_outcome(blob, run->out);
  bench_checkpoint_measure(blob, &run->measure);
  bench_checkpoint_path(blob, &run->path, run->samples);
  bench_checkpoint_path(blob, &run->graph, run->samples + 2 * JUMPS_MAX);
  if (run->trajectory_stride > 0) {
    bench_checkpoint_path(blob, &run->trajectory, run->trajectory_samples);
  }
}

static const char checkpoint_schema[] = "coulombench.checkpoint/1";

static int write_checkpoint(struct run *run, void *workspace, long taken) {
  struct base_blob blob = {0};
  pass_run(run, workspace, &taken, &blob);
  const int status = base_blob_write(&blob, checkpoint_schema, run->job->checkpoint);
  base_blob_free(&blob);
  return status;
}

static int restart(struct run *run, void *workspace) {
  struct base_blob blob;
  int status = base_blob_read(&blob, checkpoint_schema, run->job->restart);
  if (status == BASE_OK) {
    pass_run(run, workspace, &run->taken, &blob);
    status = blob.status;
    if (status == BASE_OK && blob.at != blob.n) {
      status = base_fail(BASE_E_INPUT, "holds %zu bytes too many", blob.n - blob.at);
    }
    if (status != BASE_OK) {
      base_message_prefix("%s: ", run->job->restart);
    }
  }
  base_blob_free(&blob);
  return status;
}

/* All steps. Negative: a checkpoint could not be written. */
static int take_steps(struct run *run, const struct form *form, void *workspace) {
  const struct bench_job *job = run->job;
  const struct mech *m = run->m;
  int written = BASE_OK;
  while (run->taken < run->steps && written == BASE_OK) {
    if (base_clock_passed(run->deadline)) {
      set_status(run->out, BASE_TIMEOUT, "");
      break;
    }
    const long k = run->taken + 1;
    const double t = run->state.t, t_next = k == run->steps ? job->t_end : (double)k * job->dt;
    const int is_whole =
        k < run->steps || fabs(t_next - (double)k * job->dt) <= WHOLE_STEPS * t_next;
    struct form_report report = {.optimality = {NAN, NAN}};
    inflow_outflow(run);
    bench_observe(m, run->state.q, run->state.u, run->q_before, run->u_before);
    const double dt = is_whole ? job->dt : t_next - t;
    const int status = form->step(workspace, &run->state, dt, &report);
    const int advanced = status == BASE_OK || status == BASE_UNCONVERGED;
    if (!advanced || !is_sound(run)) {
      run->state.t = t;
      break_off(run,
                advanced     ? BASE_DIVERGED
                : status > 0 ? status
                             : BASE_FAILED,
                k, t_next, advanced ? "" : base_message());
      break;
    }
    run->state.t = t_next;
    run->taken = k;
    bench_measure_step(&run->measure, k, &run->state, &report);
    sample(run, k, t, &report);
    observe_step(run, &report);
    if (run->vtk != NULL) {
      bench_vtk_step(run->vtk, k, dt, &run->state, &report);
    }
    if (k == run->steps) {
      keep_impulses(run, &report);
    } else if (job->checkpoint != NULL && k % run->checkpoint_stride == 0) {
      written = write_checkpoint(run, workspace, k);
    }
  }
  return written;
}

static void summarise(struct run *run) {
  struct bench_outcome *out = run->out;
  const long taken = run->taken;
  out->steps = taken;
  out->t = run->state.t;
  if (run->is_broken) {
    la_copy(out->nq, run->q_before, out->q);
    la_copy(out->nu, run->u_before, out->u);
  } else {
    bench_observe(run->m, run->state.q, run->state.u, out->q, out->u);
  }
  bench_measure_end(&run->measure, taken);
  if (out->status == BASE_OK && out->iterations.unconverged_steps > 0) {
    char reason[200];
    snprintf(reason, sizeof reason, "%ld of %ld steps missed the solver's tolerance",
             out->iterations.unconverged_steps, taken);
    set_status(out, BASE_UNCONVERGED, reason);
  }
}

/* Number of steps to t_end; see the file's head. */
static long count_steps(const struct bench_job *job) {
  const double ratio = job->t_end / job->dt, whole = rint(ratio);
  return lrint(whole >= 1 && fabs(ratio - whole) <= WHOLE_STEPS * whole ? whole : ceil(ratio));
}

static void prepare(struct run *run, struct case_instance *instance) {
  const struct bench_job *job = run->job;
  struct bench_outcome *out = run->out;
  const struct mech *m = instance->mech;
  run->m = m;
  run->state = (struct form_state){.t = 0, .q = instance->q, .u = instance->u};
  const double far = fmax(m->length, la_norm_inf(m->nq, instance->q));
  const double fast = fmax(m->speed, la_norm_inf(m->nu, instance->u));
  run->q_bound = DIVERGENCE_FACTOR * (far + fast * job->t_end);
  run->u_bound = DIVERGENCE_FACTOR * fast;
  run->q_before = base_arena_doubles(run->arena, m->nq_out);
  run->u_before = base_arena_doubles(run->arena, m->nu_out);
  run->steps = count_steps(job);
  const long affordable = ERROR_VALUES / (m->nq_out + m->nu_out + 2);
  const long samples = affordable < 1 ? 1 : affordable < ERROR_SAMPLES ? affordable : ERROR_SAMPLES;
  run->stride = run->steps / samples + 1;
  run->samples = samples + 2;
  path_alloc(&run->path, (size_t)run->samples, m, run->arena);
  path_alloc(&run->graph, (size_t)run->samples + 2 * JUMPS_MAX, m, run->arena);
  run->graph.t_jump = base_arena_doubles(run->arena, JUMPS_MAX);
  if (job->sample > 0) {
    const double stride = fmin(fmax(1, job->sample / job->dt), (double)run->steps + 1);
    run->trajectory_stride = lrint(stride);
    run->trajectory_samples = run->steps / run->trajectory_stride + 2;
    path_alloc(&run->trajectory, (size_t)run->trajectory_samples, m, run->arena);
  }
  const double every = job->checkpoint_every > 0 ? job->checkpoint_every : 0.1 * job->t_end;
  run->checkpoint_stride = lrint(fmin(fmax(1, every / job->dt), (double)run->steps + 1));
  out->nq = m->nq_out;
  out->nq_compared = compared_of(m);
  out->nu = m->nu_out;
  out->q_names = m->q_names;
  out->u_names = m->u_names;
  out->q = base_arena_doubles(run->arena, m->nq_out);
  out->u = base_arena_doubles(run->arena, m->nu_out);
  bench_measure_begin(&run->measure, m, &run->state, run->arena, out);
  path_add(run, &run->path);
  path_add(run, &run->graph);
  if (run->trajectory_stride > 0) {
    path_add(run, &run->trajectory);
  }
}

/* The formulation's workspace, or NULL with the outcome's status set. */
static void *start_form(struct run *run, const struct form_setup *setup) {
  const struct bench_job *job = run->job;
  int status = BASE_OK;
  base_fail(BASE_OK, "%s", ""); /* no reason of ours may be about something earlier */
  if (run->m->ops->open.inflow_outflow != NULL && !job->form->open_systems) {
    status = base_fail(BASE_UNSUPPORTED,
                       "bodies come and go between steps; %s builds on the "
                       "bodies it started with",
                       form_name(job->form));
  } else if (job->form->check != NULL) { /* knows the law, which may depend on options */
    status = job->form->check(setup);
  } else if (job->form->has_law && (job->solver->laws & CONTACT_LAW_BIT(job->law)) == 0) {
    status = base_fail(BASE_UNSUPPORTED, "solver %s does not accept law %s",
                       problem_solver_name(job->solver), contact_law_name(job->law));
  }
  void *workspace = status == BASE_OK ? job->form->alloc(setup, &run->state) : NULL;
  if (workspace == NULL) {
    set_status(run->out, status > 0 ? status : BASE_UNSUPPORTED, base_message());
  }
  return workspace;
}

/* All steps, from the start or a checkpoint on. */
static int carry_out(struct run *run, void *workspace) {
  const struct bench_job *job = run->job;
  int status = bench_checkpoint_check(job, run->m, run->out->observer);
  if (status == BASE_OK && job->restart != NULL) {
    status = restart(run, workspace);
  }
  if (status == BASE_OK) {
    status =
        bench_vtk_start(job, run->m, &run->state, run->steps, run->taken, run->arena, &run->vtk);
  }
  return status == BASE_OK ? take_steps(run, job->form, workspace) : status;
}

/* Most memory the process has had resident so far [bytes]. */
static double peak_memory(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? 1024.0 * (double)usage.ru_maxrss : NAN;
}

/* The model, and the formulation's workspace. */
static void begin_run(void *data) {
  struct run *run = data;
  const struct bench_job *job = run->job;
  struct bench_outcome *out = run->out;
  struct case_instance instance = {0};
  run->result = job->type->build(job->parameters, run->arena, &instance);
  if (run->result != BASE_OK) {
    return;
  }
  if (instance.one_contact) {
    out->contact = bench_one_contact_of(instance.mech, instance.q, instance.u, run->arena);
    if (out->contact == NULL) {
      run->result = BASE_E_INPUT;
      return;
    }
  }
  out->notes = instance.notes;
  out->q_shown = instance.q_shown;
  out->u_shown = instance.u_shown;
  out->observer = instance.observer;
  out->open = instance.mech->ops->open.inflow_outflow != NULL;
  prepare(run, &instance);
  struct form_setup setup = {.mech = run->m,
                             .options = job->form_options,
                             .solver = job->solver,
                             .solver_options = job->solver_options,
                             .loop = job->loop,
                             .warm_start = job->switches.warm_start,
                             .dt = job->dt,
                             .arena = run->arena,
                             .sink = bench_dump_start(&run->dump, job, run->arena)};
  setup.loop.deadline = run->deadline;
  run->workspace = start_form(run, &setup);
}

static void carry_out_run(void *data) {
  struct run *run = data;
  run->result = carry_out(run, run->workspace);
}

/* The steps; when there is no memory for one, the run ends before it. */
static int take_all_steps(struct run *run) {
  const struct bench_job *job = run->job;
  const double begin = base_clock_now(), begin_cpu = base_clock_cpu();
  if (base_memory_try(carry_out_run, run) != BASE_OK) {
    const long k = run->taken + 1;
    run->result = BASE_OK;
    break_off(run, BASE_UNSUPPORTED, k, fmin((double)k * job->dt, job->t_end), base_message());
  }
  run->out->timing.steps = base_clock_now() - begin;
  run->out->timing.cpu = base_clock_cpu() - begin_cpu;
  return run->result;
}

int bench_run(const struct bench_job *job, struct base_arena *arena,
              struct bench_outcome *outcome) {
  *outcome = (struct bench_outcome){.status = BASE_OK};
  struct run run = {.job = job, .arena = arena, .out = outcome};
  const double begin = base_clock_now();
  run.deadline = base_clock_deadline(job->time_limit);
  if (base_memory_try(begin_run, &run) != BASE_OK) {
    if (run.graph.n == 0) { /* not even for the initial state */
      bench_outcome_end_early(outcome, BASE_UNSUPPORTED, base_message());
      return BASE_OK;
    }
    set_status(outcome, BASE_UNSUPPORTED, base_message());
  }
  if (run.result != BASE_OK) {
    return run.result;
  }
  const int kept = run.workspace != NULL ? take_all_steps(&run) : BASE_OK;
  if (run.workspace != NULL && job->form->free != NULL) {
    job->form->free(run.workspace);
  }
  if (kept != BASE_OK) {
    bench_measure_end(&run.measure, run.taken);
    return kept;
  }
  summarise(&run);
  if (run.workspace == NULL) {
    outcome->observer = NULL;
    bench_outcome_void(outcome);
  }
  bench_measure_errors(job, run.m, &run.path, &run.graph, arena, outcome);
  outcome->trajectory = run.trajectory;
  outcome->timing.total = base_clock_now() - begin;
  outcome->timing.memory = base_arena_peak(arena);
  outcome->timing.peak = peak_memory();
  outcome->timing.threads = base_threads();
  outcome->vtk = run.vtk;
  return run.dump.status;
}
