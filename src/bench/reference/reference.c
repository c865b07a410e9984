/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * References; see run.h. The event-driven reference is a motion of its own from the case's initial
 * state by the formulation `event` at its default tolerance, whatever formulation is under test
 * (motion.h). A run of `event` itself is measured against the closed form where there is one, and
 * otherwise against `event` with a tenth of the tighter one of its default tolerance and the run's
 * own: no reference of another kind, and the record says so (`self`).
 *
 * The bound of the case's file holds for the case's own parameters and horizon: motions with other
 * parameters, or followed for longer, may be chaotic where these are not (an elastic oscillator
 * loses all digits but four in a second). There bound and end are measured. A case may say up to
 * which horizon its reference is worth its cost (`until`); longer runs have none.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/json/json.h"
#include "base/status.h"
#include "bench/reference/motion.h"
#include "bench/reference/reference.h"

struct bench_reference bench_no_reference(const char *reason) {
  struct bench_reference none = {.kind = "none", .bound = NAN, .until = NAN};
  snprintf(none.reason, sizeof none.reason, "%s", reason);
  return none;
}

static struct bench_reference by_closed_form(const struct bench_job *job, int n, const double *t,
                                             struct bench_path *path) {
  double bound = 0;
  for (int k = 0; k < n; ++k) {
    path->t[k] = t[k];
    const double at = job->type->reference(job->parameters, t[k], path->q + (long)k * path->nq,
                                           path->u + (long)k * path->nu);
    if (isnan(at)) {
      return bench_no_reference("the closed form does not hold with these parameters");
    }
    bound = fmax(bound, at);
  }
  path->n = n;
  return (struct bench_reference){.kind = "analytic", .bound = bound, .until = job->t_end};
}

/* Are parameters and horizon those of the case's file? */
static int is_case_own(const struct bench_job *job) {
  return job->t_end <= base_json_real_at(case_parameters_file(job->parameters), "t_end") &&
         !case_parameters_changed(job->parameters);
}

/* NaN: it is to be measured. */
static double bound_of(const struct bench_job *job) {
  const double own = base_json_real_at(case_parameters_file(job->parameters), "reference.bound");
  return is_case_own(job) && isfinite(own) ? own : NAN; /* scenes may leave it out */
}

/* Where energies alone are asked of the motion. */
static const double NO_BOUND = 0;

/* A run of `event` itself is held against a tighter one; the run had a time limit of its own. */
static struct bench_integration integration_of(const struct bench_job *job,
                                               struct base_arena *arena) {
  return (struct bench_integration){.job = job,
                                    .tightenings = job->form == form_find("event"),
                                    .deadline = base_clock_deadline(job->time_limit),
                                    .arena = arena};
}

static struct bench_reference by_event(const struct bench_job *job, enum bench_purpose purpose,
                                       int n, const double *t, struct base_arena *arena,
                                       struct bench_path *path) {
  const struct bench_integration by = integration_of(job, arena);
  const double bound = bound_of(job);
  if (job->compared < BENCH_COMPARED_COORDINATES && purpose == BENCH_FOR_SAMPLES) {
    bench_path_alloc_energies(path, arena);
  }
  const char *samples = job->compared >= BENCH_COMPARED_COORDINATES || purpose == BENCH_FOR_CONTACT
                            ? NULL
                            : job->request->references;
  struct bench_motion motion;
  struct bench_reference found;
  const int status = bench_motion_sample(&by, bound, samples, n, t, &motion, path);
  if (status == BASE_OK) {
    found = (struct bench_reference){.kind = by.tightenings > 0 ? "self" : "event",
                                     .bound = isnan(bound) ? motion.bound : bound,
                                     .until = motion.until,
                                     .is_cut = motion.is_cut};
    snprintf(found.reason, sizeof found.reason, "%s", motion.reason);
  } else {
    found = bench_no_reference(base_message());
    found.is_cut = status == BASE_TIMEOUT;
  }
  bench_motion_free(&motion);
  return found;
}

/* Does the case have its reference by `event`, and up to the horizon? */
static int is_by_event(const struct bench_job *job) {
  const cJSON *file = case_parameters_file(job->parameters);
  return strcmp(base_json_text_at(file, "reference.kind"), "event") == 0 &&
         !(job->t_end > base_json_real_at(file, "reference.until")); /* no until: false */
}

/* Do runs of the job want a motion, and with which bound? A closed form without works leaves these
 * to `event`. */
static int wants_motion(const struct bench_job *job, double *bound) {
  const int is_closed = job->type->reference != NULL;
  *bound = is_closed ? NO_BOUND : bound_of(job);
  return job->request->start == NULL &&
         (job->search == NULL || strcmp(job->search->parameter, "dt") == 0) &&
         (is_closed ? job->type->work == NULL : is_by_event(job));
}

const char *bench_reference_key(const struct bench_job *job, struct base_arena *arena) {
  const struct bench_integration by = integration_of(job, arena);
  double bound;
  return wants_motion(job, &bound) ? bench_motion_key(&by, bound) : NULL;
}

int bench_reference_keep(const struct bench_job *job, struct base_arena *arena) {
  const struct bench_integration by = integration_of(job, arena);
  double bound;
  return wants_motion(job, &bound) ? bench_motion_keep(&by, bound) : BASE_OK;
}

struct bench_reference bench_reference_at(const struct bench_job *job, const struct mech *m,
                                          enum bench_purpose purpose, int n, const double *t,
                                          struct base_arena *arena, struct bench_path *path) {
  const cJSON *file = case_parameters_file(job->parameters);
  const double until = base_json_real_at(file, "reference.until");
  struct bench_reference found;
  bench_path_alloc(path, n, m, arena);
  if (job->request->start != NULL) {
    found = bench_no_reference("the case's reference starts from the case's own initial state");
  } else if (job->type->reference != NULL) {
    found = by_closed_form(job, n, t, path);
  } else if (is_by_event(job)) {
    found = by_event(job, purpose, n, t, arena, path);
  } else if (job->t_end > until) {
    char reason[100];
    snprintf(reason, sizeof reason,
             until > 0 ? "the case has its reference up to t = %.9g s only"
                       : "the case has no reference: event would take longer than the runs",
             until);
    found = bench_no_reference(reason);
  } else {
    found = bench_no_reference(
        "the case has neither closed form nor event-driven solution; compare steps");
  }
  path->n = strcmp(found.kind, "none") == 0 ? 0 : path->n;
  return found;
}

int bench_reference_energies(const struct bench_job *job, const struct mech *m, int n,
                             const double *t, struct base_arena *arena, struct bench_path *path) {
  const struct bench_integration by = integration_of(job, arena);
  struct bench_motion motion;
  bench_path_alloc(path, n, m, arena);
  bench_path_alloc_energies(path, arena);
  const int status =
      bench_motion_sample(&by, NO_BOUND, job->request->references, n, t, &motion, path);
  bench_motion_free(&motion);
  return status;
}
