/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See asked.h.
 */
#include "bench/job/asked.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "base/options.h"
#include "base/status.h"

/* ---- ensembles ---- */

enum { COUNT_MAX = 4096, MEMBERS_MAX = 65536 };

const struct base_option bench_ensemble_options[] = {
    BASE_OPTION_INT(struct bench_ensemble_spec, phase, 1, 1, COUNT_MAX,
                    "lengths of the first step"),
    BASE_OPTION_INT(struct bench_ensemble_spec, rotation, 1, 1, COUNT_MAX,
                    "rotations of the case as a whole"),
    BASE_OPTION_REAL(struct bench_ensemble_spec, start, 0, 0, CASE_START_PART, "",
                     "part of the system's length and speed by which each start is moved"),
    BASE_OPTION_INT(struct bench_ensemble_spec, seed, 1, 1, INT_MAX, "of what is drawn"),
    BASE_OPTION_END};

int bench_ensemble_is_asked(const struct bench_ensemble_spec *spec) {
  return spec->phase * spec->rotation > 1;
}

static int check_size(const struct bench_ensemble_spec *spec) {
  if (!bench_ensemble_is_asked(spec) || (long)spec->phase * spec->rotation > MEMBERS_MAX) {
    return base_fail(BASE_E_INPUT,
                     "ensemble: phase = %d times rotation = %d: from 2 to %d members are taken",
                     spec->phase, spec->rotation, MEMBERS_MAX);
  }
  return BASE_OK;
}

static int set_pair(const char *pair, struct bench_ensemble_spec *spec) {
  char key[64];
  const char *value;
  const int status = base_options_split(pair, key, sizeof key, &value);
  return status != BASE_OK ? status
                           : base_options_set(bench_ensemble_options, spec, "ensemble", key, value);
}

/* Does the pair that stands at `at` name a key that one before it names? */
static int is_twice(const char *text, const char *at) {
  const size_t length = strcspn(at, "=,") + 1;
  for (const char *one = text; one < at; one = strchr(one, ',') + 1) {
    if (strncmp(one, at, length) == 0) {
      return 1;
    }
  }
  return 0;
}

int bench_ensemble_parse(const char *text, struct bench_ensemble_spec *spec) {
  int status = BASE_OK;
  base_options_default(bench_ensemble_options, spec);
  for (const char *at = text; at != NULL && status == BASE_OK;) {
    char pair[64];
    const char *comma = strchr(at, ',');
    const size_t length = comma != NULL ? (size_t)(comma - at) : strlen(at);
    if (length >= sizeof pair) {
      return base_fail(BASE_E_INPUT, "--ensemble: '%.60s...' is too long", at);
    }
    snprintf(pair, sizeof pair, "%.*s", (int)length, at);
    status = is_twice(text, at)
                 ? base_fail(BASE_E_INPUT, "ensemble: '%s': its key is there twice", pair)
                 : set_pair(pair, spec);
    at = comma != NULL ? comma + 1 : NULL;
  }
  return status != BASE_OK ? status : check_size(spec);
}

int bench_ensemble_read(const cJSON *object, const char *file, struct base_arena *arena,
                        struct bench_ensemble_spec *spec) {
  const cJSON *item;
  int status = BASE_OK;
  base_options_default(bench_ensemble_options, spec);
  cJSON_ArrayForEach(item, object) {
    status = status != BASE_OK ? status
                               : base_options_set(bench_ensemble_options, spec, "ensemble",
                                                  item->string, bench_option_text(item, arena));
  }
  status = status != BASE_OK ? status : check_size(spec);
  if (status != BASE_OK) {
    base_message_prefix("%s: key 'ensemble': ", file);
  }
  return status;
}

const char *bench_ensemble_text(const struct bench_ensemble_spec *spec, struct base_arena *arena) {
  char number[BASE_JSON_NUMBER_SIZE];
  const char *text = base_arena_printf(arena, "phase=%d,rotation=%d", spec->phase, spec->rotation);
  if (spec->start > 0) {
    text = base_arena_printf(arena, "%s,start=%s", text, base_json_number(spec->start, number));
  }
  return base_arena_printf(arena, "%s,seed=%d", text, spec->seed);
}

int bench_ensemble_check(const struct bench_ensemble_spec *spec, const struct bench_job *job) {
  int dimension;
  if (spec->rotation > 1 && case_rotation(job->parameters, &dimension) == NULL) {
    return base_fail(BASE_E_INPUT,
                     "ensemble: case %s names no parameter that turns it as a whole; leave "
                     "rotation at 1",
                     job->type->name);
  }
  return BASE_OK;
}

/* ---- searches ---- */

/* Finer ratios ask for what rounding of the step decides. */
static const double RATIO_MIN = 1 + 1e-6;
/* An error of a tenth of the system's size still shows the motion; 2 % tell formulations apart. */
static const struct bench_search_range defaults = {.limit = 0.1, .ratio = 1.02};

struct bench_search_range bench_search_default(void) {
  return defaults;
}

int bench_search_parse(const char *text, struct bench_search_range *range) {
  double values[4] = {NAN, NAN, defaults.limit, defaults.ratio};
  const char *at = text, *end;
  int n = 0, more = 1;
  while (more && n < 4) {
    if (base_read_real(at, &end, &values[n]) != BASE_OK || (*end != ',' && *end != '\0')) {
      break;
    }
    ++n;
    more = *end == ',';
    at = end + 1;
  }
  if (more || n < 2) {
    return base_fail(BASE_E_INPUT, "--search = '%s': must be LO,HI[,LIMIT[,RATIO]]", text);
  }
  *range = (struct bench_search_range){values[0], values[1], values[2], values[3]};
  return BASE_OK;
}

const char *bench_search_text(const struct bench_search_range *range, struct base_arena *arena) {
  const double values[] = {range->lo, range->hi, range->limit, range->ratio};
  const char *text = "";
  for (int i = 0; i < 4; ++i) {
    char number[BASE_JSON_NUMBER_SIZE];
    text = base_arena_printf(arena, "%s%s%s", text, i > 0 ? "," : "",
                             base_json_number(values[i], number));
  }
  return text;
}

int bench_search_check(const struct bench_job *job) {
  const struct bench_search_range *range = &job->search;
  if (!(range->lo > 0) || !(range->hi > range->lo) || !isfinite(range->hi)) {
    return base_fail(BASE_E_INPUT, "search: dt in [%g, %g] s: needs 0 < lo < hi, finite", range->lo,
                     range->hi);
  }
  if (range->hi > job->t_end) {
    return base_fail(BASE_E_INPUT, "search: dt up to %g s: longer than the horizon, %g s",
                     range->hi, job->t_end);
  }
  if (!(range->limit >= 0) || !isfinite(range->limit)) {
    return base_fail(BASE_E_INPUT, "search: limit = %g: must be finite and not negative",
                     range->limit);
  }
  if (!(range->ratio >= RATIO_MIN) || !isfinite(range->ratio)) {
    return base_fail(BASE_E_INPUT, "search: ratio = %g: must be finite and at least %.7g",
                     range->ratio, RATIO_MIN);
  }
  const cJSON *file = case_parameters_file(job->parameters);
  const int by_event = strcmp(base_json_text_at(file, "reference.kind"), "event") == 0 &&
                       !(job->t_end > base_json_real_at(file, "reference.until")); /* NaN: always */
  if (range->limit > 0 && job->type->reference == NULL && !by_event) {
    return base_fail(BASE_E_INPUT,
                     "search: case %s has no reference up to t_end = %g s; with limit 0 stability "
                     "alone is sought",
                     job->type->name, job->t_end);
  }
  return BASE_OK;
}

int bench_threshold_is_step(const struct bench_request *request) {
  return request->threshold != NULL && strncmp(request->threshold, "dt=", 3) == 0;
}

/* ---- frames ---- */

int bench_vtk_parse(const char *text, struct base_arena *arena, const char **folder,
                    double *every) {
  const char *colon = strrchr(text, ':');
  *every = 0;
  *folder = colon == NULL ? text : base_arena_printf(arena, "%.*s", (int)(colon - text), text);
  if ((*folder)[0] == '\0' || (colon != NULL && (base_parse_real(colon + 1, every) != BASE_OK ||
                                                 !(*every > 0) || !isfinite(*every)))) {
    return base_fail(BASE_E_INPUT, "--vtk '%s': want DIR or DIR:DT, DT a time between frames > 0 s",
                     text);
  }
  return BASE_OK;
}

/* ---- solvers ---- */

cJSON *bench_solver_options_json(const struct problem_solver *solver, const void *options,
                                 const struct problem_loop *loop) {
  cJSON *all = base_options_to_json(solver->options, options);
  cJSON *others = base_options_to_json(problem_loop_options, loop);
  while (others->child != NULL) {
    cJSON *item = cJSON_DetachItemViaPointer(others, others->child);
    cJSON_AddItemToObject(all, item->string, item);
  }
  cJSON_Delete(others);
  return all;
}

cJSON *bench_job_solver_options_json(const struct bench_job *job) {
  cJSON *options = job->solver != NULL
                       ? bench_solver_options_json(job->solver, job->solver_options, &job->loop)
                       : cJSON_CreateObject();
  if (job->solver != NULL) {
    cJSON_AddBoolToObject(options, "warm_start", job->switches.warm_start);
  }
  return options;
}
