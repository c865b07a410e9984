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
#include "bench/outcome/outcome.h"
#include "bench/reference/motion.h"
#include "bench/reference/reference.h"

static void no_reference(struct bench_outcome *out, struct bench_path *path, const char *reason) {
  path->n = 0;
  out->reference.kind = "none";
  out->reference.bound = out->reference.until = NAN;
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
  out->reference.until = job->t_end;
}

/* Are parameters and horizon those of the case's file? */
static int is_case_own(const struct bench_job *job) {
  return job->t_end <= base_json_real_at(case_parameters_file(job->parameters), "t_end") &&
         !case_parameters_changed(job->parameters);
}

static void reference_event(const struct bench_job *job, enum bench_purpose purpose, int n,
                            const double *t, struct base_arena *arena, struct bench_path *path,
                            struct bench_outcome *out) {
  const int is_self = job->form == form_find("event");
  const double deadline = base_clock_deadline(job->time_limit); /* the run had its own */
  const double bound = base_json_real_at(case_parameters_file(job->parameters), "reference.bound");
  const int is_bounded = is_case_own(job) && isfinite(bound); /* scenes may leave it out */
  if (!job->is_trial && purpose == BENCH_FOR_SAMPLES) {
    bench_path_alloc_energies(path, arena);
  }
  struct bench_motion motion;
  const int is_kept = !job->is_trial && purpose != BENCH_FOR_CONTACT;
  const int status =
      bench_motion_sample(job, is_self, is_bounded, is_kept, n, t, deadline, arena, &motion, path);
  if (status == BASE_OK) {
    out->reference.kind = is_self ? "self" : "event";
    out->reference.bound = is_bounded ? bound : motion.bound;
    out->reference.until = motion.until;
    out->reference.is_cut = motion.is_cut;
    snprintf(out->reference.reason, sizeof out->reference.reason, "%s", motion.reason);
  } else {
    out->reference.is_cut = status == BASE_TIMEOUT;
    no_reference(out, path, base_message());
  }
  bench_motion_free(&motion);
}

void bench_reference(const struct bench_job *job, enum bench_purpose purpose, int n,
                     const double *t, struct base_arena *arena, struct bench_path *path,
                     struct bench_outcome *outcome) {
  bench_path_alloc(path, n, outcome->nq, outcome->nu, outcome->nq_compared, arena);
  const cJSON *file = case_parameters_file(job->parameters);
  const char *kind = base_json_text_at(file, "reference.kind");
  if (job->request->start != NULL) {
    no_reference(outcome, path, "the case's reference starts from the case's own initial state");
    return;
  }
  const double until = base_json_real_at(file, "reference.until");
  if (job->type->reference != NULL) {
    reference_analytic(job, n, t, path, outcome);
  } else if (strcmp(kind, "event") == 0 && job->t_end > until) { /* no until: false */
    char reason[100];
    snprintf(reason, sizeof reason, "the case has its reference up to t = %.9g s only", until);
    no_reference(outcome, path, reason);
  } else if (strcmp(kind, "event") == 0) {
    reference_event(job, purpose, n, t, arena, path, outcome);
  } else {
    no_reference(outcome, path,
                 "the case has neither closed form nor event-driven solution; compare steps");
  }
}

void bench_reference_more(const struct bench_job *job, enum bench_purpose purpose, int n,
                          const double *t, struct base_arena *arena, struct bench_path *path,
                          struct bench_outcome *outcome) {
  struct bench_outcome aside = *outcome;
  bench_reference(job, purpose, n, t, arena, path, &aside);
  outcome->reference.is_cut = outcome->reference.is_cut || aside.reference.is_cut;
}

int bench_reference_energies(const struct bench_job *job, int n, const double *t,
                             struct base_arena *arena, struct bench_path *path,
                             struct bench_outcome *outcome) {
  const int is_self = job->form == form_find("event");
  const double deadline = base_clock_deadline(job->time_limit);
  struct bench_motion motion;
  bench_path_alloc(path, n, outcome->nq, outcome->nu, outcome->nq_compared, arena);
  bench_path_alloc_energies(path, arena);
  const int status = bench_motion_sample(job, is_self, 1, 1, n, t, deadline, arena, &motion, path);
  bench_motion_free(&motion);
  return status;
}
