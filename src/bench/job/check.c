/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What of a request makes no sense, alone or beside the rest of it: times, samples, searches,
 * repeats, ensembles; see job.h, parts.h. Names and values of options are judged where they are set
 * (options.c). Times come from files, command lines and tables of figures alike: all are judged
 * here.
 */
#include "bench/job/parts.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/job/asked.h"

/* Numbers in one record's trajectory: about 200 MB of text. */
static const double SAMPLED_VALUES_MAX = 1e7;
/* Samples at every step are asked for by intervals that are rounded otherwise than the step. */
static const double SAMPLE_ROUNDING = 1e-9;
static const char POSITION[] = "quality.measures.position";

int bench_job_check_times(const struct bench_request *request, const struct bench_job *job) {
  if (!(job->dt > 0) || !isfinite(job->dt)) {
    return base_fail(BASE_E_INPUT, "dt = %g s: must be positive and finite", job->dt);
  }
  if (!(job->t_end > 0) || !isfinite(job->t_end)) {
    return base_fail(BASE_E_INPUT, "t_end = %g s: must be positive and finite", job->t_end);
  }
  if (job->t_end < job->dt) {
    return base_fail(BASE_E_INPUT, "t_end = %g s: less than one step, dt = %g s", job->t_end,
                     job->dt);
  }
  if (!(job->t_end / job->dt <= 1e9)) {
    return base_fail(BASE_E_INPUT, "dt = %g s: more than 1e9 steps to t_end = %g s", job->dt,
                     job->t_end);
  }
  const double sample = request->sample;
  if (sample != 0 && (!(sample > 0) || !isfinite(sample))) {
    return base_fail(BASE_E_INPUT, "sample = %g s: must be positive and finite", sample);
  }
  if (sample != 0 && sample < (1 - SAMPLE_ROUNDING) * job->dt) {
    return base_fail(BASE_E_INPUT, "sample = %g s: less than one step, dt = %g s", sample, job->dt);
  }
  if (!(job->time_limit >= 0)) {
    return base_fail(BASE_E_INPUT, "time limit = %g s: must not be negative", job->time_limit);
  }
  return BASE_OK;
}

int bench_job_check_samples(const struct bench_job *job, int width) {
  const double values = job->t_end / fmax(job->request->sample, job->dt) * (width + 2.0);
  if (job->request->sample > 0 && values > SAMPLED_VALUES_MAX) {
    return base_fail(BASE_E_INPUT, "sample = %g s: a trajectory of %.3g numbers, more than %.0e",
                     job->request->sample, values, SAMPLED_VALUES_MAX);
  }
  return BASE_OK;
}

/* Can the case say what a condition asks for, which is against a reference? */
static int check_reference(const struct bench_job *job) {
  const cJSON *file = case_parameters_file(job->parameters);
  const int by_event = strcmp(base_json_text_at(file, "reference.kind"), "event") == 0 &&
                       !(job->t_end > base_json_real_at(file, "reference.until")); /* NaN: always */
  for (int k = 0; k < job->search->n; ++k) {
    const char *key = job->search->until[k] + strspn(job->search->until[k], "|");
    const int is_against = strncmp(key, "errors.", strlen("errors.")) == 0 ||
                           strncmp(key, POSITION, strlen(POSITION)) == 0;
    if (is_against && job->type->reference == NULL && !by_event) {
      return base_fail(BASE_E_INPUT,
                       "search: case %s has no reference up to t_end = %g s; --until stable needs "
                       "none",
                       job->type->name, job->t_end);
    }
  }
  return BASE_OK;
}

/* What only a single run has may not be asked for beside `what`: problems written, checkpoints, a
 * restart, frames. */
static int refuse_of_one_run(const struct bench_request *request, const char *what,
                             const char *more) {
  return request->dump_every > 0 || request->checkpoint != NULL || request->restart != NULL ||
                 request->vtk != NULL || request->film != NULL
             ? base_fail(BASE_E_INPUT,
                         "%s: of many runs neither problems, nor checkpoints, nor pictures are "
                         "kept%s",
                         what, more)
             : BASE_OK;
}

int bench_job_check_search(const struct bench_request *request, const struct bench_job *job) {
  const struct bench_search_asked *asked = job->search;
  if (asked == NULL) {
    return BASE_OK;
  }
  const size_t length = strlen(asked->parameter);
  if (bench_search_is_of_step(asked) && request->dt != 0) {
    return base_fail(BASE_E_INPUT, "search: dt is what is sought; give no dt");
  }
  if (bench_search_is_of_step(asked) && asked->hi > job->t_end) {
    return base_fail(BASE_E_INPUT, "search: dt up to %g s: longer than the horizon, %g s",
                     asked->hi, job->t_end);
  }
  for (int i = 0; i < request->set.n; ++i) {
    if (strncmp(request->set.word[i], asked->parameter, length) == 0 &&
        request->set.word[i][length] == '=') {
      return base_fail(BASE_E_INPUT, "search: %s is what is sought; give no --set %s",
                       asked->parameter, request->set.word[i]);
    }
  }
  const int status = refuse_of_one_run(request, "search", "");
  return status != BASE_OK ? status : check_reference(job);
}

int bench_job_check_repeat(const struct bench_request *request) {
  if (request->repeat == 0) {
    return BASE_OK;
  }
  if (request->search != NULL) {
    return base_fail(BASE_E_INPUT, "repeat: a search takes no times; repeat the run it finds");
  }
  return refuse_of_one_run(request, "repeat", ", and none goes on from a checkpoint");
}

int bench_job_check_checkpoint(const struct bench_request *request) {
  if (!(request->checkpoint_every >= 0)) {
    return base_fail(BASE_E_INPUT, "checkpoint-every = %g s: must not be negative",
                     request->checkpoint_every);
  }
  if (request->checkpoint_every > 0 && request->checkpoint == NULL) {
    return base_fail(BASE_E_INPUT, "checkpoint-every = %g s: no file is given (--checkpoint)",
                     request->checkpoint_every);
  }
  return BASE_OK;
}

int bench_job_check_ensemble(const struct bench_request *request, const struct bench_job *job) {
  if (!bench_ensemble_is_asked(&request->ensemble)) {
    return BASE_OK;
  }
  if (request->search != NULL) {
    return base_fail(BASE_E_INPUT, "ensemble: a search is one of single runs");
  }
  if (refuse_of_one_run(request, "ensemble", "") != BASE_OK) {
    return BASE_E_INPUT;
  }
  if (request->start != NULL && request->ensemble.rotation > 0) {
    return base_fail(BASE_E_INPUT,
                     "ensemble: the state of a checkpoint (--start) cannot be turned");
  }
  if (bench_job_is_varied(job)) {
    return base_fail(BASE_E_INPUT,
                     "ensemble: phase, perturb and seed are its own; they have no --opt beside it");
  }
  return bench_ensemble_check(&request->ensemble, job);
}
