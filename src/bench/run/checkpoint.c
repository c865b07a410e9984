/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checkpoints; see checkpoint.h. One list of calls, pass_run, serves both ways; its head, the state
 * of the system, can also begin another run.
 */
#include "bench/run/checkpoint.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/job/key.h"
#include "bench/job/start.h"
#include "bench/run/listener.h"

int bench_checkpoint_check(const struct bench_job *job, const struct mech *m,
                           const struct case_observer *observer) {
  if (job->request->checkpoint == NULL && job->request->restart == NULL) {
    return BASE_OK;
  }
  if (job->form->checkpoint == NULL) {
    return base_fail(BASE_E_INPUT, "checkpoint: formulation %s cannot save its state between steps",
                     job->form->name);
  }
  if (bench_state_check(m) != BASE_OK) {
    return BASE_E_INPUT;
  }
  if (observer != NULL && observer->checkpoint == NULL) {
    return base_fail(BASE_E_INPUT, "checkpoint: %s cannot save the state of its observables",
                     m->name);
  }
  return BASE_OK;
}

/* The same command may read other files, or be another program's: the key of the record tells. */
static void pass_key(const struct bench_job *job, struct base_blob *blob) {
  base_blob_same_text(blob, "the run", job->identity);
  char *key = base_blob_text(blob, job->key);
  const char *difference = blob->status == BASE_OK ? bench_key_compare(key, job->key) : NULL;
  if (difference != NULL) {
    blob->status = base_fail(BASE_E_INPUT, "is of the same command, but of %s", difference);
  }
  free(key);
}

/* Everything kept from step to step, there or back, and the time that the steps took. */
static void pass_run(struct bench_run *run, struct base_blob *blob) {
  pass_key(run->job, blob);
  bench_state_pass(run->m, &run->state, &run->taken, run->steps, blob);
  run->job->form->checkpoint(run->workspace, blob); /* may look at the system */
  for (int i = 0; i < run->n_listeners; ++i) {
    if (run->listeners[i].pass != NULL) {
      run->listeners[i].pass(run->listeners[i].data, blob);
    }
  }
  struct bench_clocks spent = bench_run_spent(run); /* where it is read: filled anew */
  base_blob_reals(blob, &spent.work, 1);
  base_blob_reals(blob, &spent.wall, 1);
  run->before = blob->reading ? spent : run->before;
}

static int restart(struct bench_run *run) {
  struct base_blob blob;
  int status = base_blob_read(&blob, BENCH_CHECKPOINT_SCHEMA, run->job->request->restart);
  if (status == BASE_OK) {
    pass_run(run, &blob);
    status = blob.status;
    if (status == BASE_OK && blob.at != blob.n) {
      status = base_fail(BASE_E_INPUT, "holds %zu bytes too many", blob.n - blob.at);
    }
    if (status != BASE_OK) {
      base_message_prefix("%s: ", run->job->request->restart);
    }
  }
  base_blob_free(&blob);
  return status;
}

/* Simulated time from one checkpoint to the next [s], and the steps that takes. */
static double time_between(const struct bench_job *job) {
  return job->request->checkpoint_every > 0 ? job->request->checkpoint_every : 0.1 * job->t_end;
}

static long steps_between(const struct bench_run *run) {
  return bench_run_stride(run, time_between(run->job));
}

static int check_stride(const struct bench_run *run) {
  const struct bench_job *job = run->job;
  return job->request->checkpoint == NULL || steps_between(run) < run->steps
             ? BASE_OK
             : base_fail(BASE_E_INPUT,
                         "checkpoint-every = %g s: no checkpoint comes before t_end = %g s",
                         time_between(job), job->t_end);
}

static int start(void *data, struct bench_run *run) {
  (void)data;
  int status = bench_checkpoint_check(run->job, run->m, run->instance->observer);
  status = status != BASE_OK ? status : check_stride(run);
  return status != BASE_OK || run->job->request->restart == NULL ? status : restart(run);
}

static int step(void *data, struct bench_run *run) {
  const long *stride = data;
  if (run->taken == run->steps || run->taken % *stride != 0) {
    return BASE_OK;
  }
  struct base_blob blob = {0};
  pass_run(run, &blob);
  const int status = base_blob_write(&blob, BENCH_CHECKPOINT_SCHEMA, run->job->request->checkpoint);
  base_blob_free(&blob);
  return status;
}

/* ---- the run ---- */

void bench_restart_listen(struct bench_run *run) {
  if (run->job->request->checkpoint != NULL || run->job->request->restart != NULL) {
    bench_run_listen(run, (struct bench_listener){.on = {[BENCH_START] = start}});
  }
}

void bench_checkpoint_listen(struct bench_run *run) {
  const struct bench_job *job = run->job;
  if (job->request->checkpoint != NULL) {
    long *stride = base_arena_longs(run->arena, 1);
    *stride = steps_between(run);
    bench_run_listen(run, (struct bench_listener){.data = stride, .on = {[BENCH_STEP] = step}});
  }
}
