/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checkpoints; see checkpoint.h. run.c calls these in one order for both ways.
 */
#include "bench/run/checkpoint.h"

#include <limits.h>
#include <string.h>

#include "base/memory/memory.h"
#include "base/status.h"

int bench_checkpoint_check(const struct bench_job *job, const struct mech *m,
                           const struct case_observer *observer) {
  if (job->checkpoint == NULL && job->restart == NULL) {
    return BASE_OK;
  }
  if (job->form->checkpoint == NULL) {
    return base_fail(BASE_E_INPUT, "checkpoint: formulation %s cannot save its state between steps",
                     form_name(job->form));
  }
  if (m->ops->open.inflow_outflow != NULL && m->ops->checkpoint == NULL) {
    return base_fail(BASE_E_INPUT,
                     "checkpoint: the bodies of %s come and go, and it cannot save its state",
                     m->name);
  }
  if (observer != NULL && observer->checkpoint == NULL) {
    return base_fail(BASE_E_INPUT, "checkpoint: %s cannot save the state of its observables",
                     m->name);
  }
  return BASE_OK;
}

void bench_checkpoint_identity(struct base_blob *blob, const struct bench_job *job,
                               const struct mech *m) {
  base_blob_same_text(blob, "the run", job->identity);
  base_blob_same_count(blob, "coordinates", m->nq);
  base_blob_same_count(blob, "velocities", m->nu);
}

void bench_checkpoint_outcome(struct base_blob *blob, struct bench_outcome *out) {
  base_blob_pass(blob, &out->stable_dt, sizeof out->stable_dt);
  base_blob_pass(blob, &out->energy, sizeof out->energy);
  base_blob_pass(blob, &out->constraints, sizeof out->constraints);
  base_blob_pass(blob, &out->law, sizeof out->law);
  base_blob_pass(blob, &out->iterations, sizeof out->iterations);
  base_blob_pass(blob, &out->contacts, sizeof out->contacts);
}

static void pass_series(struct base_blob *blob, struct bench_series *series) {
  const size_t n = (size_t)base_blob_count(blob, (long)series->n, LONG_MAX / 8);
  if (blob->reading) {
    series->n = 0;
    if (n > (blob->n - blob->at) / sizeof(double)) {
      blob->status = base_fail(BASE_E_INPUT, "ends too early, at byte %zu", blob->at);
      return;
    }
    if (n > series->capacity) {
      series->x = base_memory_resize(series->x, n * sizeof *series->x);
      series->capacity = n;
    }
    series->n = n;
  }
  base_blob_pass(blob, series->x, n * sizeof *series->x);
}

void bench_checkpoint_measure(struct base_blob *blob, struct bench_measure *measure) {
  double *const numbers[] = {&measure->t, &measure->approach, &measure->energy, &measure->stored,
                             &measure->work};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
    base_blob_pass(blob, numbers[i], sizeof *numbers[i]);
  }
  pass_series(blob, &measure->residual);
  pass_series(blob, &measure->iterations);
}

void bench_checkpoint_path(struct base_blob *blob, struct bench_path *path, long capacity) {
  path->n = (int)base_blob_count(blob, path->n, capacity);
  path->n_jumps = (int)base_blob_count(blob, path->n_jumps, capacity);
  const size_t n = (size_t)path->n;
  base_blob_pass(blob, path->t, n * sizeof *path->t);
  base_blob_pass(blob, path->q, n * (size_t)path->nq * sizeof *path->q);
  base_blob_pass(blob, path->u, n * (size_t)path->nu * sizeof *path->u);
  base_blob_pass(blob, path->energy, n * sizeof *path->energy);
  base_blob_pass(blob, path->t_jump, (size_t)path->n_jumps * sizeof *path->t_jump);
}
