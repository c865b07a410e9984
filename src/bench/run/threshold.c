/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search for the parameter at which an outcome changes; see threshold.h.
 *
 * Trials: LO, HI, then always the middle of the two between which it changes. All share the time
 * limit, and the run for the record has it once more. A record is checked by going the same way
 * again.
 */
#include "bench/run/threshold.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json/json.h"
#include "base/status.h"
#include "bench/record/record.h"

/* Twenty bisections, and what doubles can still tell apart. */
static const double TOLERANCE = 1e-6, TOLERANCE_MIN = 1e-14;
/* What a trial has when the search has no time left [s]: a limit of 0 would be none at all. */
static const double LEAST_LIMIT = 1e-9;

struct condition {
  char key[128];
  int of_status; /* status = `wanted`, else key < or > limit */
  int wanted, is_absolute, is_above;
  double limit;
};

static int parse_range(const char *text, struct base_arena *arena, struct bench_threshold *found) {
  char *copy = base_arena_copy(arena, text), *at = strchr(copy, '='), *end;
  double values[3] = {NAN, NAN, TOLERANCE};
  int n = 0, more = at != NULL && at > copy;
  if (more) {
    *at++ = '\0';
  }
  for (; more && n < 3; at = end + 1) {
    values[n] = strtod(at, &end);
    if (end == at || (*end != ',' && *end != '\0')) {
      n = 0;
      break;
    }
    ++n;
    more = *end == ',';
  }
  if (more || n < 2) {
    return base_fail(BASE_E_INPUT, "--search = '%s': must be PARAM=LO,HI[,TOL]", text);
  }
  if (!(values[0] < values[1]) || !isfinite(values[1] - values[0])) {
    return base_fail(BASE_E_INPUT, "search: %s in [%g, %g]: needs lo < hi, finite", copy, values[0],
                     values[1]);
  }
  if (!(values[2] >= TOLERANCE_MIN && values[2] < 1)) {
    return base_fail(BASE_E_INPUT, "search: tolerance = %g: must be in [%g, 1)", values[2],
                     TOLERANCE_MIN);
  }
  found->parameter = copy;
  found->lo = values[0];
  found->hi = values[1];
  found->tolerance = values[2];
  return BASE_OK;
}

static int parse_condition(const char *text, struct condition *c) {
  static const char form[] = "must be KEY<X, KEY>X, |KEY|<X, |KEY|>X or status=STATUS";
  const size_t length = strcspn(text, "<>=");
  const char *after = text + length;
  *c = (struct condition){.is_above = *after == '>', .of_status = *after == '='};
  if (*after == '\0' || length == 0 || length >= sizeof c->key) {
    return base_fail(BASE_E_INPUT, "--until = '%s': %s", text, form);
  }
  snprintf(c->key, sizeof c->key, "%.*s", (int)length, text);
  ++after;
  if (c->of_status) {
    if (strcmp(c->key, "status") != 0 || base_status_parse(after, &c->wanted) != BASE_OK) {
      return base_fail(BASE_E_INPUT, "--until = '%s': %s", text, form);
    }
    return BASE_OK;
  }
  if (length > 2 && c->key[0] == '|' && c->key[length - 1] == '|') {
    c->is_absolute = 1;
    memmove(c->key, c->key + 1, length);
    c->key[length - 2] = '\0';
  }
  char *end;
  c->limit = strtod(after, &end);
  if (end == after || *end != '\0' || !isfinite(c->limit)) {
    return base_fail(BASE_E_INPUT, "--until = '%s': %s", text, form);
  }
  return BASE_OK;
}

/* The number at a key; components of final.q and final.u by name. NaN where it is null. */
static int measure(const cJSON *record, const char *key, double *value) {
  const cJSON *item = base_json_at(record, key), *name;
  if (strncmp(key, "final.q.", 8) == 0 || strncmp(key, "final.u.", 8) == 0) {
    const char *list = key[6] == 'q' ? "final.q_names" : "final.u_names";
    int i = 0;
    item = NULL;
    cJSON_ArrayForEach(name, base_json_at(record, list)) {
      if (strcmp(name->valuestring, key + 8) == 0) {
        item = cJSON_GetArrayItem(base_json_at(record, key[6] == 'q' ? "final.q" : "final.u"), i);
      }
      ++i;
    }
  }
  if (!cJSON_IsNumber(item) && !cJSON_IsNull(item)) {
    return base_fail(BASE_E_INPUT, "--until: key '%s': no number in the record of the run", key);
  }
  *value = cJSON_GetNumberValue(item); /* NaN of null */
  return BASE_OK;
}

static int does_hold(const struct condition *c, int status, double measured) {
  if (c->of_status) {
    return status == c->wanted;
  }
  const double x = c->is_absolute ? fabs(measured) : measured;
  return c->is_above ? x > c->limit : x < c->limit;
}

/* The value of trial i by those before it; NaN: the search has ended. holds, fails: up to there. */
static double next_value(const struct bench_threshold *s, int i, double *holds, double *fails) {
  *holds = *fails = NAN;
  for (int k = 0; k < i; ++k) {
    if (s->status[k] == BASE_TIMEOUT) {
      return NAN;
    }
    *(s->held[k] ? holds : fails) = s->value[k];
  }
  if (i < 2) {
    return i == 0 ? s->lo : s->hi;
  }
  const double middle = *holds + (*fails - *holds) / 2;
  const int is_near =
      !(fabs(*fails - *holds) > s->tolerance * (s->hi - s->lo)); /* NaN: no change */
  return is_near || middle == *holds || middle == *fails || i == BENCH_THRESHOLD_TRIALS ? NAN
                                                                                        : middle;
}

/* Resolve with the parameter at a value and run. */
static int run_at(const struct bench_request *request, const struct bench_threshold *s,
                  double value, double seconds, struct base_arena *arena, struct bench_job *job,
                  struct bench_outcome *out) {
  struct bench_request one = *request;
  char number[BASE_JSON_NUMBER_SIZE];
  if (one.n_set == BENCH_PAIRS_MAX) {
    return base_fail(BASE_E_INPUT, "search: more than %d --set", BENCH_PAIRS_MAX - 1);
  }
  one.set[one.n_set++] =
      base_arena_printf(arena, "%s=%s", s->parameter, base_json_number(value, number));
  one.time_limit = isfinite(seconds) ? seconds : 0; /* 0: none */
  const int status = bench_job_resolve(&one, arena, job);
  return status != BASE_OK ? status : bench_run(job, arena, out);
}

static int run_trial(const struct bench_request *request, const struct condition *c, double value,
                     double seconds, struct base_arena *arena, struct bench_threshold *s) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct bench_job job;
  struct bench_outcome out;
  int status = run_at(request, s, value, seconds, arena, &job, &out);
  if (status == BASE_OK) {
    const int i = s->n++;
    s->value[i] = value;
    s->status[i] = out.status;
    s->measured[i] = NAN;
    if (!c->of_status) {
      cJSON *record = bench_record(&job, &out);
      status = measure(record, c->key, &s->measured[i]);
      cJSON_Delete(record);
    }
    s->held[i] = out.status != BASE_TIMEOUT && does_hold(c, out.status, s->measured[i]);
  }
  base_arena_release(arena, mark);
  return status;
}

static int check_request(const struct bench_request *request, const struct bench_threshold *s) {
  const size_t length = strlen(s->parameter);
  for (int i = 0; i < request->n_set; ++i) {
    if (strncmp(request->set[i], s->parameter, length) == 0 && request->set[i][length] == '=') {
      return base_fail(BASE_E_INPUT, "search: %s is what is sought; give no --set %s", s->parameter,
                       request->set[i]);
    }
  }
  if (request->dump_every > 0 || request->checkpoint != NULL || request->restart != NULL ||
      request->vtk != NULL) {
    return base_fail(
        BASE_E_INPUT,
        "search: of many runs neither problems, nor checkpoints, nor pictures are kept");
  }
  return BASE_OK;
}

static void explain(const struct bench_threshold *s, struct bench_outcome *out) {
  if (s->status[s->n - 1] == BASE_TIMEOUT) {
    out->status = BASE_TIMEOUT;
    snprintf(out->reason, sizeof out->reason,
             "the search took longer than its time limit; trials: %d", s->n);
  } else if (isnan(s->holds) || isnan(s->fails)) {
    char before[160];
    snprintf(before, sizeof before, "%.150s", out->reason);
    snprintf(out->reason, sizeof out->reason, "search: the condition %s at both ends%s%s",
             isnan(s->fails) ? "holds" : "fails", before[0] != '\0' ? ": " : "", before);
  }
}

int bench_threshold(const struct bench_request *request, struct base_arena *arena,
                    struct bench_job *job, struct bench_outcome *outcome) {
  struct bench_threshold *s = base_arena_push(arena, sizeof *s);
  struct condition c;
  const double begin = base_clock_now();
  *s = (struct bench_threshold){.parameter = "",
                                .condition = base_arena_copy(arena, request->until)};
  int status = parse_range(request->threshold, arena, s);
  status = status != BASE_OK ? status : parse_condition(request->until, &c);
  status = status != BASE_OK ? status : check_request(request, s);
  status = status != BASE_OK ? status : bench_job_resolve(request, arena, job);
  const struct bench_job asked = status == BASE_OK ? *job : (struct bench_job){0};
  for (double value = s->lo; status == BASE_OK && !isnan(value);
       value = next_value(s, s->n, &s->holds, &s->fails)) {
    const double left =
        request->time_limit > 0 ? request->time_limit - (base_clock_now() - begin) : INFINITY;
    status = run_trial(request, &c, value, fmax(left, LEAST_LIMIT), arena, s);
  }
  if (status == BASE_OK) {
    status = run_at(request, s, isnan(s->holds) ? s->lo : s->holds, request->time_limit, arena, job,
                    outcome);
  }
  if (status == BASE_OK) {
    job->command = asked.command;
    job->identity = asked.identity;
    job->key = asked.key;
    explain(s, outcome);
    outcome->threshold = s;
    outcome->timing.total = base_clock_now() - begin;
  }
  return status;
}

/* ---- records ---- */

void bench_threshold_add(cJSON *record, const struct bench_threshold *s) {
  cJSON *block = cJSON_AddObjectToObject(record, "threshold");
  cJSON_AddStringToObject(block, "parameter", s->parameter);
  cJSON_AddStringToObject(block, "condition", s->condition);
  base_json_add_real(block, "lo", s->lo);
  base_json_add_real(block, "hi", s->hi);
  base_json_add_real(block, "tolerance", s->tolerance);
  base_json_add_real(block, "holds", s->holds);
  base_json_add_real(block, "fails", s->fails);
  cJSON *trials = cJSON_AddArrayToObject(block, "trials");
  for (int i = 0; i < s->n; ++i) {
    cJSON *trial = cJSON_CreateObject();
    base_json_add_real(trial, "value", s->value[i]);
    cJSON_AddStringToObject(trial, "status", base_status_name(s->status[i]));
    base_json_add_real(trial, "measured", s->measured[i]);
    cJSON_AddBoolToObject(trial, "holds", s->held[i]);
    cJSON_AddItemToArray(trials, trial);
  }
}

/* A trial into s; the condition has to say of it what it says. */
static int read_trial(const cJSON *trial, const char *file, const struct condition *c,
                      struct bench_threshold *s) {
  const int i = s->n;
  double holds, fails;
  if (i == BENCH_THRESHOLD_TRIALS ||
      base_status_parse(base_json_text_at(trial, "status"), &s->status[i]) != BASE_OK) {
    return base_fail(BASE_E_INPUT,
                     "%s: key 'threshold.trials': at most %d with the status of a run", file,
                     BENCH_THRESHOLD_TRIALS);
  }
  s->value[i] = base_json_real_at(trial, "value");
  s->measured[i] = base_json_real_at(trial, "measured");
  s->held[i] = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(trial, "holds"));
  if (s->value[i] != next_value(s, i, &holds, &fails)) {
    return base_fail(BASE_E_INPUT, "%s: key 'threshold.trials': number %d is no bisection", file,
                     i + 1);
  }
  if (s->held[i] != (s->status[i] != BASE_TIMEOUT && does_hold(c, s->status[i], s->measured[i]))) {
    return base_fail(BASE_E_INPUT,
                     "%s: key 'threshold.trials': number %d contradicts the condition", file,
                     i + 1);
  }
  ++s->n;
  return BASE_OK;
}

static int same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

int bench_threshold_check_record(const cJSON *record, const char *file) {
  const cJSON *block = cJSON_GetObjectItemCaseSensitive(record, "threshold"), *trial;
  if (block == NULL) {
    return BASE_OK;
  }
  struct condition c;
  struct bench_threshold s = {.lo = base_json_real_at(block, "lo"),
                              .hi = base_json_real_at(block, "hi"),
                              .tolerance = base_json_real_at(block, "tolerance")};
  if (!(s.lo < s.hi) || !(s.tolerance >= TOLERANCE_MIN && s.tolerance < 1) ||
      base_json_text_at(block, "parameter")[0] == '\0') {
    return base_fail(BASE_E_INPUT,
                     "%s: key 'threshold': needs parameter, lo < hi and a tolerance below 1", file);
  }
  int status = parse_condition(base_json_text_at(block, "condition"), &c);
  cJSON_ArrayForEach(trial, cJSON_GetObjectItemCaseSensitive(block, "trials")) {
    status = status != BASE_OK ? status : read_trial(trial, file, &c, &s);
  }
  if (status != BASE_OK) {
    return status;
  }
  double holds, fails;
  if (s.n == 0 || !isnan(next_value(&s, s.n, &holds, &fails))) {
    return base_fail(BASE_E_INPUT, "%s: key 'threshold.trials': the search did not end there",
                     file);
  }
  if (!same(holds, base_json_real_at(block, "holds")) ||
      !same(fails, base_json_real_at(block, "fails"))) {
    return base_fail(BASE_E_INPUT,
                     "%s: key 'threshold.holds' or 'threshold.fails': is not what the trials say",
                     file);
  }
  return BASE_OK;
}
