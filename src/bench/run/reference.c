/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * References; see run.h. The event-driven reference is integrated afresh from
 * the case's initial state with the formulation `event` at its default tolerances, whatever
 * formulation is under test; a run of `event` itself is measured against the closed form where
 * there is one, and otherwise against `event` with a relative tolerance a tenth of the tighter one
 * of its default and the run's own. (A tenth and no less, and the absolute tolerance as it is: both
 * stand a few hundred roundings above zero, below which the integrator chases rounding errors.)
 *
 * The bound of the case's file holds for the case's own parameters and horizon: motions with other
 * parameters, or followed for longer, may be chaotic where these are not (an elastic oscillator
 * loses all digits but four in a second). There the bound is measured: SAFETY times the distance of
 * the reference from another with a relative tolerance a tenth of its own, and no less than its own
 * tolerance of the largest coordinate: where motions are polynomials both runs are exact but for
 * rounding errors, which they share. A case may say up to
 * which horizon its reference is worth its cost (`until`); longer runs have none.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/json/json.h"
#include "base/memory/memory.h"
#include "base/status.h"
#include "bench/run/run.h"
#include "la/dense.h"

static const double TIGHTENING = 0.1; /* see above */
static const double SAFETY = 10;      /* the other one errs too, and not always the other way */

static void no_reference(struct bench_outcome *out, struct bench_path *path, const char *reason) {
  path->n = 0;
  out->reference.kind = "none";
  out->reference.bound = NAN;
  snprintf(out->reference.reason, sizeof out->reference.reason, "%s", reason);
}

static void reference_analytic(const struct bench_job *job, int n, const double *t,
                               struct bench_path *path, struct bench_outcome *out) {
  double bound = 0;
  for (int k = 0; k < n; ++k) {
    path->t[k] = t[k];
    const double at = job->type->reference(job->parameters, t[k], path->q + (long)k * path->nq,
                                           path->u + (long)k * path->nu);
    if (isnan(at)) {
      no_reference(out, path, "the closed form does not hold with these parameters");
      return;
    }
    bound = fmax(bound, at);
  }
  path->n = n;
  out->reference.kind = "analytic";
  out->reference.bound = bound;
}

/* The relative tolerance of event, found through its table as a user would name it: `times` tenths
 * of what `options` hold, or of the run's own where that is tighter. Returns it. */
static double tighten(const struct bench_job *job, const struct form *event, int times,
                      void *options) {
  const struct base_option *entry = base_options_find(event->options, "rtol");
  if (entry == NULL || entry->type != BASE_OPTION_IS_REAL) {
    return 0;
  }
  double *field = (double *)((char *)options + entry->offset);
  if (times > 0 && job->form == event) {
    *field = fmin(*field, *(const double *)((const char *)job->form_options + entry->offset));
  }
  *field = fmax(entry->min, pow(TIGHTENING, times) * *field);
  return *field;
}

/* Steps of `event` to each of the times. BASE_OK, or why path->n stayed short, with a message. */
static int follow(const struct form *event, void *workspace, const struct mech *m,
                  struct form_state *state, int n, const double *t, double deadline,
                  struct bench_path *path) {
  for (int k = 0; k < n; ++k) {
    struct form_report report = {0};
    int status = base_clock_check(deadline);
    if (status == BASE_OK && t[k] > state->t) {
      status = event->step(workspace, state, t[k] - state->t, &report);
    }
    if (status == BASE_TIMEOUT) {
      return base_fail(BASE_TIMEOUT, "the reference by event took longer than the time limit");
    }
    if (status != BASE_OK) {
      base_message_prefix("the reference by event ended before t = %.9g s: ", t[k]);
      return status;
    }
    state->t = t[k];
    path->t[k] = t[k];
    bench_observe(m, state->q, state->u, path->q + (size_t)k * (size_t)path->nq,
                  path->u + (size_t)k * (size_t)path->nu);
    path->n = k + 1;
  }
  return BASE_OK;
}

static int event_motion_within(const struct bench_job *job, int times, int n, const double *t,
                               double deadline, struct base_arena *arena, struct bench_path *path,
                               double *rtol) {
  const struct form *event = form_find("event");
  struct case_instance instance = {0};
  int status = event == NULL ? BASE_FAILED : job->type->build(job->parameters, arena, &instance);
  if (status != BASE_OK) {
    return status;
  }
  const struct mech *m = instance.mech;
  void *options = base_arena_push(arena, event->options_size);
  base_options_default(event->options, options);
  *rtol = tighten(job, event, times, options);
  const struct problem_solver *solver = event->has_law ? problem_solver_find(event->solver) : NULL;
  void *solver_options = NULL;
  if (solver != NULL) {
    solver_options = base_arena_push(arena, solver->options_size);
    base_options_default(solver->options, solver_options);
  }
  struct form_setup setup = {.mech = m,
                             .options = options,
                             .solver = solver,
                             .solver_options = solver_options,
                             .loop = problem_loop_default(),
                             .dt = n > 1 ? t[1] - t[0] : job->dt,
                             .arena = arena};
  setup.loop.deadline = deadline;
  struct form_state state = {.t = 0, .q = instance.q, .u = instance.u};
  void *workspace =
      event->check == NULL || event->check(&setup) == BASE_OK ? event->alloc(&setup, &state) : NULL;
  if (workspace == NULL) {
    base_message_prefix("no reference by event: ");
    return BASE_UNSUPPORTED;
  }
  status = follow(event, workspace, m, &state, n, t, deadline, path);
  if (event->free != NULL) {
    event->free(workspace);
  }
  return status;
}

struct event_motion {
  const struct bench_job *job;
  int times, n;
  const double *t;
  double deadline;
  struct base_arena *arena;
  struct bench_path *path;
  double *rtol;
  int status;
};

static void try_event_motion(void *data) {
  struct event_motion *e = data;
  e->status =
      event_motion_within(e->job, e->times, e->n, e->t, e->deadline, e->arena, e->path, e->rtol);
}

/* The motion by `event`, its tolerance tightened so many times, at all n times; *rtol: the
 * tolerance. BASE_OK, or a status with a message, also where there is no memory for it: the run is
 * as good without. */
static int event_motion(const struct bench_job *job, int times, int n, const double *t,
                        double deadline, struct base_arena *arena, struct bench_path *path,
                        double *rtol) {
  struct event_motion e = {.job = job,
                           .times = times,
                           .n = n,
                           .t = t,
                           .deadline = deadline,
                           .arena = arena,
                           .path = path,
                           .rtol = rtol};
  if (base_memory_try(try_event_motion, &e) != BASE_OK) {
    base_message_prefix("no reference by event: ");
    return BASE_UNSUPPORTED;
  }
  return e.status;
}

/* Are parameters and horizon those of the case's file? */
static int is_case_own(const struct bench_job *job) {
  return job->t_end <= base_json_real_at(case_parameters_file(job->parameters), "t_end") &&
         !case_parameters_changed(job->parameters);
}

static double largest_coordinate(const struct bench_path *a) {
  double largest = 0;
  for (int k = 0; k < a->n; ++k) {
    largest = fmax(largest, la_norm_inf(a->nq_compared, a->q + (size_t)k * (size_t)a->nq));
  }
  return largest;
}

static double distance(const struct bench_path *a, const struct bench_path *b) {
  double largest = 0;
  for (int k = 0; k < a->n; ++k) {
    const size_t at = (size_t)k * (size_t)a->nq;
    for (size_t j = 0; j < (size_t)a->nq_compared; ++j) {
      largest = fmax(largest, fabs(a->q[at + j] - b->q[at + j]));
    }
  }
  return largest;
}

static void reference_event(const struct bench_job *job, int n, const double *t,
                            struct base_arena *arena, struct bench_path *path,
                            struct bench_outcome *out) {
  const int times = job->form == form_find("event");
  const double deadline = base_clock_deadline(job->time_limit); /* the run had its own */
  double rtol, tighter;
  int status = event_motion(job, times, n, t, deadline, arena, path, &rtol);
  out->reference.is_cut = status == BASE_TIMEOUT;
  if (status != BASE_OK) {
    no_reference(out, path, base_message());
    return;
  }
  out->reference.kind = "event";
  const double bound = base_json_real_at(case_parameters_file(job->parameters), "reference.bound");
  if (is_case_own(job) && isfinite(bound)) { /* scenes may leave it out */
    out->reference.bound = bound;
    return;
  }
  struct bench_path other;
  bench_path_alloc(&other, n, path->nq, path->nu, path->nq_compared, arena);
  status = event_motion(job, times + 1, n, t, deadline, arena, &other, &tighter);
  out->reference.is_cut = status == BASE_TIMEOUT;
  if (status == BASE_OK) {
    out->reference.bound = fmax(SAFETY * distance(path, &other), rtol * largest_coordinate(path));
  } else {
    out->reference.bound = NAN;
    snprintf(out->reference.reason, sizeof out->reference.reason, "no bound: %s", base_message());
  }
}

void bench_reference(const struct bench_job *job, int n, const double *t, struct base_arena *arena,
                     struct bench_path *path, struct bench_outcome *outcome) {
  bench_path_alloc(path, n, outcome->nq, outcome->nu, outcome->nq_compared, arena);
  const cJSON *file = case_parameters_file(job->parameters);
  const char *kind = base_json_text_at(file, "reference.kind");
  const double until = base_json_real_at(file, "reference.until");
  if (job->type->reference != NULL) {
    reference_analytic(job, n, t, path, outcome);
  } else if (strcmp(kind, "event") == 0 && job->t_end > until) { /* no until: false */
    char reason[100];
    snprintf(reason, sizeof reason, "the case has its reference up to t = %.9g s only", until);
    no_reference(outcome, path, reason);
  } else if (strcmp(kind, "event") == 0) {
    reference_event(job, n, t, arena, path, outcome);
  } else {
    no_reference(outcome, path,
                 "the case has neither closed form nor event-driven solution; compare steps");
  }
}
