/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Searches and their block of a record; see searches.h. A record is checked by going the same way
 * again: trials are what bisection would have tried one after the other, and what is said to be
 * found is what they say.
 */
#include "bench/outcome/searches.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"

/* ---- what is tried next ---- */

int bench_search_read_conditions(struct bench_search *s) {
  int status = BASE_OK;
  for (int k = 0; k < s->asked.n && status == BASE_OK; ++k) {
    status = bench_condition_parse(s->asked.until[k], &s->sought[k].condition);
  }
  return status;
}

double bench_search_next(struct bench_search *s) {
  const int is_step = bench_search_is_of_step(&s->asked);
  double value = NAN;
  for (int k = 0; k < s->asked.n; ++k) {
    struct bench_sought *sought = &s->sought[k];
    const struct bench_bisection bisection = {.lo = s->asked.lo,
                                              .hi = s->asked.hi,
                                              .is_logarithmic = is_step,
                                              .tolerance = s->asked.tolerance + is_step,
                                              .holds = bench_condition_holds,
                                              .question = &sought->condition,
                                              .number = k};
    const double next = bench_bisect_next(&bisection, &s->trials, &sought->holds, &sought->fails);
    value = isnan(next) ? value : next;
  }
  return s->trials.n == 1 && s->trials.status[0] == BASE_UNSUPPORTED ? NAN : value;
}

void bench_search_spare(const struct bench_search *s, struct bench_job *job) {
  enum bench_condition_need most = BENCH_NEEDS_STATE;
  for (int k = 0; k < s->asked.n; ++k) {
    const enum bench_condition_need need = bench_condition_needs(&s->sought[k].condition);
    most = need > most ? need : most;
  }
  job->compared = most == BENCH_NEEDS_STATE         ? BENCH_COMPARED_NOT
                  : most == BENCH_NEEDS_COORDINATES ? BENCH_COMPARED_COORDINATES
                                                    : BENCH_COMPARED_ALL;
}

int bench_search_note(struct bench_search *s, double value, int status, const cJSON *record) {
  struct bench_trials *t = &s->trials;
  int result = BASE_OK;
  t->value[t->n] = value;
  t->status[t->n] = status;
  for (int k = 0; k < s->asked.n && result == BASE_OK; ++k) {
    result = bench_condition_measure(&s->sought[k].condition, record, &t->measured[k][t->n]);
  }
  ++t->n;
  return result;
}

/* ---- the block ---- */

/* Does condition k hold of trial i? One that was cut fulfils nothing. */
static int is_held(const struct bench_search *s, int k, int i) {
  return s->trials.status[i] != BASE_TIMEOUT &&
         bench_condition_holds(&s->sought[k].condition, s->trials.status[i],
                               s->trials.measured[k][i]);
}

/* What is said of the first condition stands in the object itself, of the second in `second`. */
static cJSON *part_of(cJSON *object, int k) {
  return k == 0 ? object : cJSON_AddObjectToObject(object, "second");
}

static const cJSON *part_at(const cJSON *object, int k) {
  return k == 0 ? object : cJSON_GetObjectItemCaseSensitive(object, "second");
}

void bench_record_add_search(cJSON *block, const struct bench_search *s) {
  cJSON_AddStringToObject(block, "parameter", s->asked.parameter);
  base_json_add_real(block, "lo", s->asked.lo);
  base_json_add_real(block, "hi", s->asked.hi);
  base_json_add_real(block, "tolerance", s->asked.tolerance);
  for (int k = 0; k < s->asked.n; ++k) {
    cJSON *part = part_of(block, k);
    cJSON_AddStringToObject(part, "until", s->asked.until[k]);
    base_json_add_real(part, "holds", s->sought[k].holds);
    base_json_add_real(part, "fails", s->sought[k].fails);
  }
  cJSON *trials = cJSON_AddArrayToObject(block, "trials");
  for (int i = 0; i < s->trials.n; ++i) {
    cJSON *trial = cJSON_CreateObject();
    base_json_add_real(trial, "value", s->trials.value[i]);
    cJSON_AddStringToObject(trial, "status", base_status_name(s->trials.status[i]));
    for (int k = 0; k < s->asked.n; ++k) {
      cJSON *part = part_of(trial, k);
      base_json_add_real(part, "measured", s->trials.measured[k][i]);
      cJSON_AddBoolToObject(part, "holds", is_held(s, k, i));
    }
    cJSON_AddItemToArray(trials, trial);
  }
}

/* ---- its check ---- */

static int read_asked(const cJSON *block, const char *file, struct bench_search *s) {
  struct bench_search_asked *asked = &s->asked;
  asked->parameter = base_json_text_at(block, "parameter");
  asked->lo = base_json_real_at(block, "lo");
  asked->hi = base_json_real_at(block, "hi");
  asked->tolerance = base_json_real_at(block, "tolerance");
  for (const cJSON *part; asked->n < BENCH_UNTIL_MAX && (part = part_at(block, asked->n)) != NULL;
       ++asked->n) {
    asked->until[asked->n] = base_json_text_at(part, "until");
  }
  int status = bench_search_check_range(asked);
  status = status != BASE_OK ? status : bench_search_read_conditions(s);
  if (status != BASE_OK) {
    base_message_prefix("%s: key 'search': ", file);
  }
  return status;
}

/* A trial, which is the one that bisection tries, and of which conditions say what the record
 * says. */
static int read_trial(const cJSON *trial, const char *file, struct bench_search *s) {
  static const char *const known[] = {"value", "status", "measured", "holds", "second", NULL};
  const double next = bench_search_next(s);
  struct bench_trials *t = &s->trials;
  const int i = t->n;
  if (base_json_refuse_unknown(trial, file, "search", known) != BASE_OK) {
    return BASE_E_INPUT;
  }
  if (i == BENCH_TRIALS_MAX ||
      base_status_parse(base_json_text_at(trial, "status"), &t->status[i]) != BASE_OK ||
      t->status[i] < 0) {
    return base_fail(BASE_E_INPUT, "%s: key 'search.trials': at most %d with the status of a run",
                     file, BENCH_TRIALS_MAX);
  }
  t->value[i] = base_json_real_at(trial, "value");
  if (t->value[i] != next) {
    return base_fail(BASE_E_INPUT, "%s: key 'search.trials': number %d is no bisection", file,
                     i + 1);
  }
  ++t->n;
  for (int k = 0; k < s->asked.n; ++k) {
    const cJSON *part = part_at(trial, k);
    t->measured[k][i] = base_json_real_at(part, "measured");
    if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(part, "holds")) != is_held(s, k, i)) {
      return base_fail(BASE_E_INPUT, "%s: key 'search.trials': number %d contradicts the condition",
                       file, i + 1);
    }
  }
  return BASE_OK;
}

static int same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

/* What the trials say must be what the block says, and the parameter of the record what was
 * found. */
static int check_found(const cJSON *record, const char *file, const struct bench_search *s) {
  const cJSON *block = cJSON_GetObjectItemCaseSensitive(record, "search");
  for (int k = 0; k < s->asked.n; ++k) {
    const cJSON *part = part_at(block, k);
    if (!same(s->sought[k].holds, base_json_real_at(part, "holds")) ||
        !same(s->sought[k].fails, base_json_real_at(part, "fails"))) {
      return base_fail(BASE_E_INPUT,
                       "%s: key 'search.holds' or 'search.fails': is not what the trials say",
                       file);
    }
  }
  const double found = s->sought[s->asked.n - 1].holds;
  if (bench_search_is_of_step(&s->asked) &&
      base_json_real_at(record, "dt") != (isnan(found) ? s->asked.lo : found)) {
    return base_fail(BASE_E_INPUT, "%s: key 'dt': is not the step the search found", file);
  }
  return BASE_OK;
}

int bench_record_check_search(const cJSON *record, const char *file) {
  const cJSON *block = cJSON_GetObjectItemCaseSensitive(record, "search"), *trial;
  struct bench_search s = {.asked = {.n = 0}};
  if (block == NULL) {
    return BASE_OK;
  }
  int status = read_asked(block, file, &s);
  cJSON_ArrayForEach(trial, cJSON_GetObjectItemCaseSensitive(block, "trials")) {
    status = status != BASE_OK ? status : read_trial(trial, file, &s);
  }
  if (status == BASE_OK && (s.trials.n == 0 || !isnan(bench_search_next(&s)))) {
    status = base_fail(BASE_E_INPUT, "%s: key 'search.trials': the search did not end there", file);
  }
  return status != BASE_OK ? status : check_found(record, file, &s);
}
