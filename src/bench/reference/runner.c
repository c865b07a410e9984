/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One integration by `event`; see runner.h.
 */
#include "bench/reference/runner.h"

#include <math.h>

#include "base/clock.h"
#include "base/status.h"
#include "la/dense.h"

static const double TIGHTENING = 0.1; /* no less: rtol and atol stand a few hundred roundings above
                                         zero, below which the integrator chases them */

/* The relative tolerance of event, found through its table as a user would name it. */
static double tighten(const struct bench_integration *by, const struct form *event, void *options) {
  const struct base_option *entry = base_options_find(event->options, "rtol");
  if (entry == NULL || (entry->key.types & BASE_REAL) == 0) {
    return 0;
  }
  double *field = (double *)((char *)options + entry->offset);
  if (by->job->form == event && by->tightenings >= 0) {
    *field = fmin(*field, *(const double *)((const char *)by->job->form_options + entry->offset));
  }
  *field =
      fmax(entry->key.min, pow(TIGHTENING, by->tightenings > 0 ? by->tightenings : 0) * *field);
  return *field;
}

int bench_runner_begin(const struct bench_integration *by, double dt, struct bench_runner *r) {
  *r = (struct bench_runner){.event = form_find("event"), .by = *by};
  const struct form *event = r->event;
  if (event == NULL || event->checkpoint == NULL) {
    base_fail(BASE_UNSUPPORTED, "no formulation event");
    return BASE_UNSUPPORTED;
  }
  const int status = by->job->type->build(by->job->parameters, by->arena, &r->instance);
  if (status != BASE_OK) {
    return status;
  }
  void *options = base_options_new(event->options, event->options_size, "", by->arena);
  r->rtol = tighten(by, event, options);
  struct form_setup setup = {.mech = r->instance.mech,
                             .options = options,
                             .loop = problem_loop_default(),
                             .dt = dt,
                             .arena = by->arena};
  setup.loop.deadline = by->deadline;
  r->state = (struct form_state){.t = 0, .q = r->instance.q, .u = r->instance.u};
  r->workspace = event->check == NULL || event->check(&setup) == BASE_OK
                     ? event->alloc(&setup, &r->state)
                     : NULL;
  if (r->workspace == NULL) {
    base_message_prefix("no reference by event: ");
    return BASE_UNSUPPORTED;
  }
  return BASE_OK;
}

void bench_runner_end(struct bench_runner *r) {
  if (r->workspace != NULL && r->event->free != NULL) {
    r->event->free(r->workspace);
  }
}

int bench_runner_go(struct bench_runner *r, double t, struct form_report *report) {
  *report = (struct form_report){0};
  int status = base_clock_check(r->by.deadline);
  if (status == BASE_OK && t > r->state.t) {
    status = r->event->step(r->workspace, &r->state, t - r->state.t, report);
  }
  if (status == BASE_TIMEOUT) {
    return base_fail(BASE_TIMEOUT, "the reference by event took longer than the time limit");
  }
  if (status != BASE_OK) {
    base_message_prefix("the reference by event ended before t = %.9g s: ", t);
    return status;
  }
  r->state.t = t;
  r->work[0] += report->work.friction;
  r->work[1] += report->work.impact;
  r->work[2] += report->work.damping;
  return BASE_OK;
}

void bench_runner_pass(struct bench_runner *r, struct base_blob *blob) {
  const struct mech *m = r->instance.mech;
  base_blob_pass(blob, &r->state.t, sizeof r->state.t);
  base_blob_pass(blob, r->state.q, (size_t)m->nq * sizeof *r->state.q);
  base_blob_pass(blob, r->state.u, (size_t)m->nu * sizeof *r->state.u);
  base_blob_pass(blob, r->work, sizeof r->work);
  if (m->ops->checkpoint != NULL) {
    m->ops->checkpoint(m, blob);
  }
  r->event->checkpoint(r->workspace, blob);
}

void bench_runner_observe(const struct bench_runner *r, struct bench_path *path) {
  const size_t k = (size_t)path->n++;
  path->t[k] = r->state.t;
  bench_observe(r->instance.mech, r->state.q, r->state.u, path->q + k * (size_t)path->nq,
                path->u + k * (size_t)path->nu);
  if (path->work != NULL) {
    const struct mech *m = r->instance.mech;
    path->energy[k] = mech_energy(m, r->state.q, r->state.u, r->by.arena);
    path->kinetic_max =
        fmax(path->kinetic_max, mech_kinetic(m, r->state.q, r->state.u, r->by.arena));
    la_copy(BENCH_CHANNELS, r->work, path->work + k * BENCH_CHANNELS);
  }
}

void bench_runner_path(const struct bench_runner *r, int n, struct bench_path *path) {
  bench_path_alloc(path, n, r->instance.mech, r->by.arena);
}
