/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * References; see run.h. The event-driven reference is integrated afresh from
 * the case's initial state with the formulation `event` at its default tolerances, whatever
 * formulation is under test; a run of `event` itself is measured against the closed form where
 * there is one, and otherwise against `event` with a relative tolerance a tenth of the tighter one
 * of its default and the run's own. (A tenth and no less, and the absolute tolerance as it is: both
 * stand a few hundred roundings above zero, below which the integrator chases rounding errors.)
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/status.h"
#include "bench/run.h"
#include "la/dense.h"

static const double TIGHTENING = 0.1; /* see above */

static void no_reference(struct bench_outcome *out, struct bench_path *path, const char *reason) {
  path->n = 0;
  out->reference.kind = "none";
  out->reference.bound = NAN;
  snprintf(out->reference.reason, sizeof out->reference.reason, "%s", reason);
}

static void path_reserve(struct bench_path *path, int n, int nq, int nu, struct base_arena *arena) {
  *path = (struct bench_path){.n = 0, .nq = nq, .nu = nu};
  path->t = base_arena_push(arena, (size_t)n * sizeof(double));
  path->q = base_arena_push(arena, (size_t)n * (size_t)nq * sizeof(double));
  path->u = base_arena_push(arena, (size_t)n * (size_t)nu * sizeof(double));
}

static void reference_analytic(const struct bench_job *job, int n, const double *t,
                               struct bench_path *path, struct bench_outcome *out) {
  double bound = 0;
  for (int k = 0; k < n; ++k) {
    path->t[k] = t[k];
    bound = fmax(bound, job->type->reference(job->parameters, t[k], path->q + (long)k * path->nq,
                                             path->u + (long)k * path->nu));
  }
  path->n = n;
  out->reference.kind = "analytic";
  out->reference.bound = bound;
}

/* A tolerance of event, found through its table as a user would name it: a part of the tighter one
 * of the default, which `options` hold, and the run's own. */
static void tighten(const struct bench_job *job, void *options, const char *key) {
  const struct base_option *entry = base_options_find(job->form->options, key);
  if (entry != NULL && entry->type == BASE_OPTION_IS_REAL) {
    double *field = (double *)((char *)options + entry->offset);
    const double own = *(const double *)((const char *)job->form_options + entry->offset);
    *field = fmax(entry->min, TIGHTENING * fmin(*field, own));
  }
}

/* Steps of `event` to each of the times. BASE_OK, or why path->n stayed short, with a message. */
static int follow(const struct form *event, void *workspace, const struct mech *m,
                  struct form_state *state, int n, const double *t, double time_limit,
                  struct bench_path *path) {
  const double begin = base_clock_now();
  for (int k = 0; k < n; ++k) {
    if (time_limit > 0 && base_clock_now() - begin > time_limit) {
      return base_fail(BASE_TIMEOUT, "the reference by event took longer than the time limit");
    }
    struct form_report report = {0};
    const int status =
        t[k] > state->t ? event->step(workspace, state, t[k] - state->t, &report) : BASE_OK;
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

static void reference_event(const struct bench_job *job, int n, const double *t,
                            struct base_arena *arena, struct bench_path *path,
                            struct bench_outcome *out) {
  const struct form *event = form_find("event");
  struct case_instance instance = {0};
  if (event == NULL || job->type->build(job->parameters, arena, &instance) != BASE_OK) {
    no_reference(out, path, base_message());
    return;
  }
  const struct mech *m = instance.mech;
  void *options = base_arena_push(arena, event->options_size);
  base_options_default(event->options, options);
  if (job->form == event) {
    tighten(job, options, "rtol");
  }
  const struct problem_solver *solver = event->has_law ? problem_solver_find(event->solver) : NULL;
  void *solver_options = NULL;
  if (solver != NULL) {
    solver_options = base_arena_push(arena, solver->options_size);
    base_options_default(solver->options, solver_options);
  }
  const struct form_setup setup = {.mech = m,
                                   .options = options,
                                   .solver = solver,
                                   .solver_options = solver_options,
                                   .loop = problem_loop_default(),
                                   .dt = n > 1 ? t[1] - t[0] : job->dt,
                                   .arena = arena};
  struct form_state state = {.t = 0, .q = instance.q, .u = instance.u};
  void *workspace =
      event->check == NULL || event->check(&setup) == BASE_OK ? event->alloc(&setup, &state) : NULL;
  if (workspace == NULL) {
    base_message_prefix("no reference by event: ");
    no_reference(out, path, base_message());
    return;
  }
  const int status = follow(event, workspace, m, &state, n, t, job->time_limit, path);
  if (event->free != NULL) {
    event->free(workspace);
  }
  if (status != BASE_OK) {
    no_reference(out, path, base_message());
    return;
  }
  out->reference.kind = "event";
  out->reference.bound =
      base_json_real_at(case_parameters_file(job->parameters), "reference.bound");
}

void bench_reference(const struct bench_job *job, int n, const double *t, struct base_arena *arena,
                     struct bench_path *path, struct bench_outcome *outcome) {
  path_reserve(path, n, outcome->nq, outcome->nu, arena);
  const char *kind = base_json_text_at(case_parameters_file(job->parameters), "reference.kind");
  if (job->type->reference != NULL) {
    reference_analytic(job, n, t, path, outcome);
  } else if (strcmp(kind, "event") == 0) {
    reference_event(job, n, t, arena, path, outcome);
  } else {
    no_reference(outcome, path,
                 "the case has neither closed form nor event-driven solution; compare steps");
  }
}
