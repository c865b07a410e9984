/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of a record that are not numbers of an outcome; see fields.h.
 */
#include <cjson/cJSON.h>
#include <math.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/job/asked.h"
#include "bench/job/cell.h"
#include "bench/job/key.h"
#include "bench/job/provenance.h"
#include "bench/outcome/members.h"
#include "bench/outcome/one_contact.h"
#include "bench/outcome/searches.h"
#include "bench/record/fields.h"
#include "bench/record/record.h"

/* ---- what was asked for ---- */

void bench_add_cell(cJSON *block, const char *key, const struct bench_result *result) {
  if (result->job->request->place != NULL) {
    cJSON_AddItemToObject(block, key, bench_place_json(result->job->request->place));
  }
}

void bench_add_parameters(cJSON *block, const char *key, const struct bench_result *result) {
  cJSON_AddItemToObject(block, key, case_parameters_to_json(result->job->parameters));
}

void bench_add_form_options(cJSON *block, const char *key, const struct bench_result *result) {
  const struct bench_job *job = result->job;
  cJSON_AddItemToObject(block, key, base_options_to_json(job->form->options, job->form_options));
}

void bench_add_simulator(cJSON *block, const char *key, const struct bench_result *result) {
  const cJSON *told = result->out->told.simulator;
  if (told != NULL) {
    cJSON_AddItemToObject(block, key, cJSON_Duplicate(told, 1));
  }
}

void bench_add_solver_options(cJSON *block, const char *key, const struct bench_result *result) {
  cJSON_AddItemToObject(block, key, bench_job_solver_options_json(result->job));
}

void bench_add_variation(cJSON *block, const char *key, const struct bench_result *result) {
  if (bench_job_is_varied(result->job)) {
    cJSON_AddItemToObject(block, key,
                          base_options_to_json(bench_variation_options, &result->job->variation));
  }
}

/* ---- what was found ---- */

void bench_add_notes(cJSON *block, const char *key, const struct bench_result *result) {
  const struct case_instance *instance = result->out->instance;
  if (instance != NULL && instance->notes != NULL && instance->notes[0] != '\0') {
    cJSON_AddStringToObject(block, key, instance->notes);
  }
}

static int is_choosing(const struct bench_result *result) {
  const struct bench_job *job = result->job;
  return job->solver != NULL && (job->solver->chosen != NULL || job->loop.relief);
}

/* Steps by the solver that ended them; those that needed none are left out. */
void bench_add_chosen(cJSON *block, const char *key, const struct bench_result *result) {
  if (!is_choosing(result)) {
    return;
  }
  cJSON *chosen = cJSON_AddObjectToObject(block, key);
  const struct bench_choices *choices = &result->out->choices;
  for (int i = 0; i < choices->n; ++i) {
    if (choices->by[i].steps > 0) {
      base_json_add_real(chosen, choices->by[i].solver->name, (double)choices->by[i].steps);
    }
  }
}

void bench_add_rounds(cJSON *block, const char *key, const struct bench_result *result) {
  if (is_choosing(result)) {
    base_json_add_real(block, key, result->out->choices.round);
  }
}

void bench_add_q(cJSON *block, const char *key, const struct bench_result *result) {
  base_json_add_reals(block, key, result->out->nq, result->out->q);
}

void bench_add_u(cJSON *block, const char *key, const struct bench_result *result) {
  base_json_add_reals(block, key, result->out->nu, result->out->u);
}

/* Not cJSON_CreateStringArray: it makes nothing of an empty list. */
static void add_names(cJSON *object, const char *key, int n, const char *const *names) {
  cJSON *array = cJSON_AddArrayToObject(object, key);
  for (int i = 0; i < n; ++i) {
    cJSON_AddItemToArray(array, cJSON_CreateString(names[i]));
  }
}

void bench_add_q_names(cJSON *block, const char *key, const struct bench_result *result) {
  add_names(block, key, result->out->nq, result->out->q_names);
}

void bench_add_u_names(cJSON *block, const char *key, const struct bench_result *result) {
  add_names(block, key, result->out->nu, result->out->u_names);
}

void bench_add_impulses(cJSON *block, const char *key, const struct bench_result *result) {
  const struct bench_outcome *out = result->out;
  if (out->impulses.n > 0) {
    cJSON *impulses = cJSON_AddObjectToObject(block, key);
    base_json_add_reals(impulses, "id", out->impulses.n, out->impulses.id);
    base_json_add_reals(impulses, "r", out->impulses.n * out->impulses.dim, out->impulses.r);
  }
}

void bench_add_contact(cJSON *block, const char *key, const struct bench_result *result) {
  if (result->out->contact != NULL) {
    bench_one_contact_add(cJSON_AddObjectToObject(block, key), result->out->contact);
  }
}

void bench_add_observables(cJSON *block, const char *key, const struct bench_result *result) {
  const struct case_observer *observer = result->out->observer;
  if (observer != NULL) {
    observer->finish(observer->data, cJSON_AddObjectToObject(block, key));
  }
}

void bench_add_trajectory(cJSON *record, const char *key, const struct bench_result *result) {
  const struct bench_outcome *out = result->out;
  const struct bench_path *path = &out->trajectory;
  if (path->n == 0) {
    return;
  }
  cJSON *block = cJSON_AddObjectToObject(record, key);
  base_json_add_reals(block, "t", path->n, path->t);
  for (int side = 0; side < 2; ++side) {
    const int width = side == 0 ? path->nq : path->nu;
    const double *values = side == 0 ? path->q : path->u;
    const char *shown = side == 0 ? out->instance->q_shown : out->instance->u_shown;
    cJSON *columns = cJSON_AddObjectToObject(block, side == 0 ? "q" : "u");
    for (int j = 0; j < width; ++j) {
      if (shown != NULL && !shown[j]) {
        continue;
      }
      cJSON *column = cJSON_AddArrayToObject(columns, (side == 0 ? out->q_names : out->u_names)[j]);
      for (int k = 0; k < path->n; ++k) {
        const double x = values[(long)k * width + j];
        cJSON_AddItemToArray(column, isfinite(x) ? cJSON_CreateNumber(x) : cJSON_CreateNull());
      }
    }
  }
  base_json_add_reals(block, "energy", path->n, path->energy);
  if (out->trajectory_impulses.n != NULL) {
    const int total = (int)out->trajectory_impulses.total;
    cJSON *impulses = cJSON_AddObjectToObject(block, "impulses");
    base_json_add_reals(impulses, "n", path->n, out->trajectory_impulses.n);
    base_json_add_reals(impulses, "id", total, out->trajectory_impulses.id);
    base_json_add_reals(impulses, "r", total * out->trajectory_impulses.dim,
                        out->trajectory_impulses.r);
  }
}

void bench_add_search(cJSON *block, const char *key, const struct bench_result *result) {
  if (result->out->search != NULL) {
    bench_record_add_search(cJSON_AddObjectToObject(block, key), result->out->search);
  }
}

void bench_add_ensemble(cJSON *block, const char *key, const struct bench_result *result) {
  if (result->out->ensemble != NULL) {
    bench_ensemble_add(cJSON_AddObjectToObject(block, key), result->out->ensemble);
  }
}

void bench_add_members_times(cJSON *block, const char *key, const struct bench_result *result) {
  const struct bench_ensemble *e = result->out->ensemble;
  if (e != NULL) {
    base_json_add_reals(block, key, e->n, e->steps_s);
  }
}

void bench_add_repeats(cJSON *block, const char *key, const struct bench_result *result) {
  const struct bench_repeats *r = &result->out->timing.repeats;
  if (r->n == 0) {
    return;
  }
  cJSON *repeats = cJSON_AddObjectToObject(block, key);
  base_json_add_real(repeats, "asked", result->job->request->repeat);
  base_json_add_reals(repeats, "runs", r->n, r->runs);
  base_json_add_reals(repeats, "steps_s", r->n, r->steps);
  base_json_add_real(repeats, "quartile_1_s", r->q1);
  base_json_add_real(repeats, "quartile_3_s", r->q3);
}

/* Has the time limit decided what the record says? */
static int is_cut(const struct bench_outcome *out) {
  return out->status == BASE_TIMEOUT || out->reference.is_cut;
}

/* Last of all: it holds a checksum of the rest. */
void bench_add_provenance(cJSON *block, const char *key, const struct bench_result *result) {
  const struct bench_job *job = result->job;
  cJSON *provenance = bench_provenance(job->command);
  cJSON_AddItemToObject(block, key, provenance);
  if (job->request->restart != NULL) {
    cJSON_AddStringToObject(provenance, "restarted_from", job->request->restart);
  }
  bench_key_add(block, job->key, is_cut(result->out) ? job->time_limit : -1);
}
