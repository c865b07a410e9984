/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checkpoints; see checkpoint.h. One list of calls, pass_run, serves both ways.
 */
#include "bench/run/checkpoint.h"

#include "base/status.h"
#include "bench/run/listener.h"

int bench_checkpoint_check(const struct bench_job *job, const struct mech *m,
                           const struct case_observer *observer) {
  if (job->checkpoint == NULL && job->restart == NULL) {
    return BASE_OK;
  }
  if (job->form->checkpoint == NULL) {
    return base_fail(BASE_E_INPUT, "checkpoint: formulation %s cannot save its state between steps",
                     job->form->name);
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

static const char schema[] = "coulombench.checkpoint/2";

/* Everything kept from step to step, there or back. */
static void pass_run(struct bench_run *run, struct base_blob *blob) {
  const struct mech *m = run->m;
  base_blob_same_text(blob, "the run", run->job->identity);
  base_blob_same_count(blob, "coordinates", m->nq);
  base_blob_same_count(blob, "velocities", m->nu);
  run->taken = base_blob_count(blob, run->taken, run->steps, 0);
  base_blob_reals(blob, &run->state.t, 1);
  base_blob_reals(blob, run->state.q, (size_t)m->nq);
  base_blob_reals(blob, run->state.u, (size_t)m->nu);
  if (m->ops->checkpoint != NULL) {
    m->ops->checkpoint(m, blob);
  }
  run->job->form->checkpoint(run->workspace, blob); /* may look at the system */
  for (int i = 0; i < run->n_listeners; ++i) {
    if (run->listeners[i].pass != NULL) {
      run->listeners[i].pass(run->listeners[i].data, blob);
    }
  }
}

static int restart(struct bench_run *run) {
  struct base_blob blob;
  int status = base_blob_read(&blob, schema, run->job->restart);
  if (status == BASE_OK) {
    pass_run(run, &blob);
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

static int start(void *data, struct bench_run *run) {
  (void)data;
  const int status = bench_checkpoint_check(run->job, run->m, run->instance->observer);
  return status != BASE_OK || run->job->restart == NULL ? status : restart(run);
}

static int step(void *data, struct bench_run *run) {
  const long *stride = data;
  if (run->taken == run->steps || run->taken % *stride != 0) {
    return BASE_OK;
  }
  struct base_blob blob = {0};
  pass_run(run, &blob);
  const int status = base_blob_write(&blob, schema, run->job->checkpoint);
  base_blob_free(&blob);
  return status;
}

void bench_restart_listen(struct bench_run *run) {
  if (run->job->checkpoint != NULL || run->job->restart != NULL) {
    bench_run_listen(run, (struct bench_listener){.on = {[BENCH_START] = start}});
  }
}

void bench_checkpoint_listen(struct bench_run *run) {
  const struct bench_job *job = run->job;
  if (job->checkpoint != NULL) {
    long *stride = base_arena_longs(run->arena, 1);
    *stride =
        bench_run_stride(run, job->checkpoint_every > 0 ? job->checkpoint_every : 0.1 * job->t_end);
    bench_run_listen(run, (struct bench_listener){.data = stride, .on = {[BENCH_STEP] = step}});
  }
}
