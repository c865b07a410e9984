/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The blocks `search` and `threshold` of records, and their checks: trials are what bisection would
 * have tried one after the other, and what is said to be found is what they say.
 */
#include <cjson/cJSON.h>
#include <math.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/outcome/searches.h"

/* ---- what is tried next ---- */

/* Does not diverge, which is measured, also by the energy (search.c): a formulation's own estimate
 * (BASE_UNSTABLE) does not count. */
static int is_stable(const void *search, int status, double q_linf) {
  (void)search;
  (void)q_linf;
  return status == BASE_OK || status == BASE_UNCONVERGED || status == BASE_UNSTABLE;
}

static int is_accurate(const void *search, int status, double q_linf) {
  const struct bench_search *s = search;
  return status == BASE_OK && q_linf < s->range.limit * s->length;
}

int bench_search_holds(const struct bench_search *search, int status, double q_linf) {
  return (search->range.limit > 0 ? is_accurate : is_stable)(search, status, q_linf);
}

/* A limit holds at lo, else it is none: *limit is NaN then, and nothing is left to try. */
static double next_of(const struct bench_search *s,
                      int (*holds)(const void *search, int status, double q_linf), double *limit) {
  const struct bench_bisection bisection = {.lo = s->range.lo,
                                            .hi = s->range.hi,
                                            .is_logarithmic = 1,
                                            .tolerance = s->range.ratio,
                                            .holds = holds,
                                            .question = s};
  double fails;
  const double next = bench_bisect_next(&bisection, &s->trials, limit, &fails);
  if (*limit > fails) {
    *limit = NAN;
    return s->trials.n < 2 ? next : NAN;
  }
  return next;
}

double bench_search_next(struct bench_search *s) {
  s->largest_accurate = NAN;
  const double stable = next_of(s, is_stable, &s->largest_stable);
  const double accurate = s->range.limit > 0 ? next_of(s, is_accurate, &s->largest_accurate) : NAN;
  if (s->trials.n == 1 && s->trials.status[0] == BASE_UNSUPPORTED) {
    return NAN;
  }
  return isnan(accurate) ? stable : accurate;
}

double bench_threshold_next(struct bench_threshold *s) {
  const struct bench_bisection bisection = {.lo = s->lo,
                                            .hi = s->hi,
                                            .tolerance = s->tolerance,
                                            .holds = bench_condition_holds,
                                            .question = &s->condition};
  return bench_bisect_next(&bisection, &s->trials, &s->holds, &s->fails);
}

/* ---- blocks of records ---- */

static int same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static const char *const search_words[] = {"dt", "q_linf"}, *const threshold_words[] = {"value",
                                                                                        "measured"};

/* words: keys of a value and of what was measured there. */
static cJSON *add_trial(cJSON *list, const struct bench_trials *t, int i,
                        const char *const *words) {
  cJSON *trial = cJSON_CreateObject();
  base_json_add_real(trial, words[0], t->value[i]);
  cJSON_AddStringToObject(trial, "status", base_status_name(t->status[i]));
  base_json_add_real(trial, words[1], t->measured[i]);
  cJSON_AddItemToArray(list, trial);
  return trial;
}

/* Trial number t->n; `next`: the value that bisection tries. */
static int read_trial(const cJSON *trial, const char *file, const char *block,
                      const char *const *words, double next, struct bench_trials *t) {
  const int i = t->n;
  const char *const known[] = {words[0], "status", words[1],
                               words == threshold_words ? "holds" : NULL, NULL};
  if (base_json_refuse_unknown(trial, file, block, known) != BASE_OK) {
    return BASE_E_INPUT;
  }
  if (i == BENCH_TRIALS_MAX ||
      base_status_parse(base_json_text_at(trial, "status"), &t->status[i]) != BASE_OK ||
      t->status[i] < 0) {
    return base_fail(BASE_E_INPUT, "%s: key '%s.trials': at most %d with the status of a run", file,
                     block, BENCH_TRIALS_MAX);
  }
  t->value[i] = base_json_real_at(trial, words[0]);
  t->measured[i] = base_json_real_at(trial, words[1]);
  if (t->value[i] != next) {
    return base_fail(BASE_E_INPUT, "%s: key '%s.trials': number %d is no bisection", file, block,
                     i + 1);
  }
  ++t->n;
  return BASE_OK;
}

/* A search has not ended while there is a value to try. */
static int check_end(const char *file, const char *block, const struct bench_trials *t,
                     double next) {
  return t->n > 0 && isnan(next)
             ? BASE_OK
             : base_fail(BASE_E_INPUT, "%s: key '%s.trials': the search did not end there", file,
                         block);
}

/* ---- the largest step ---- */

static const char criterion_accurate[] = "status ok and errors.q_linf < limit * length";
static const char criterion_stable[] =
    "status ok, unconverged or unstable, and at most half of the energy at stake made by the step";

void bench_record_add_search(cJSON *block, const struct bench_search *s) {
  cJSON_AddStringToObject(block, "criterion",
                          s->range.limit > 0 ? criterion_accurate : criterion_stable);
  base_json_add_real(block, "limit", s->range.limit);
  base_json_add_real(block, "length", s->length);
  base_json_add_real(block, "lo", s->range.lo);
  base_json_add_real(block, "hi", s->range.hi);
  base_json_add_real(block, "ratio", s->range.ratio);
  base_json_add_real(block, "largest_accurate_dt", s->largest_accurate);
  base_json_add_real(block, "largest_stable_dt", s->largest_stable);
  cJSON *trials = cJSON_AddArrayToObject(block, "trials");
  for (int i = 0; i < s->trials.n; ++i) {
    add_trial(trials, &s->trials, i, search_words);
  }
}

/* The limits that the trials say must be those of the block, and the step that of the record. */
static int check_limits(const cJSON *record, const char *file, const struct bench_search *s) {
  static const char *const keys[] = {"search.largest_accurate_dt", "search.largest_stable_dt"};
  const double limits[] = {s->largest_accurate, s->largest_stable};
  for (int i = 0; i < 2; ++i) {
    if (!same(base_json_real_at(record, keys[i]), limits[i])) {
      return base_fail(BASE_E_INPUT, "%s: key '%s': is not what the trials say", file, keys[i]);
    }
  }
  const double found = limits[s->range.limit > 0 ? 0 : 1];
  if (base_json_real_at(record, "dt") != (isnan(found) ? s->range.lo : found)) {
    return base_fail(BASE_E_INPUT, "%s: key 'dt': is not the step the search found", file);
  }
  return BASE_OK;
}

int bench_record_check_search(const cJSON *record, const char *file) {
  const cJSON *block = cJSON_GetObjectItemCaseSensitive(record, "search"), *trial;
  struct bench_search s = {.trials = {.n = 0}};
  if (block == NULL) {
    return BASE_OK;
  }
  static const char *const keys[] = {"limit", "length", "lo", "hi", "ratio"};
  double *const values[] = {&s.range.limit, &s.length, &s.range.lo, &s.range.hi, &s.range.ratio};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
    if (!((*values[i] = base_json_real_at(block, keys[i])) >= 0)) {
      return base_fail(BASE_E_INPUT, "%s: key 'search.%s': must be a number, not negative", file,
                       keys[i]);
    }
  }
  int status = BASE_OK;
  cJSON_ArrayForEach(trial, cJSON_GetObjectItemCaseSensitive(block, "trials")) {
    status = status != BASE_OK ? status
                               : read_trial(trial, file, "search", search_words,
                                            bench_search_next(&s), &s.trials);
  }
  status = status != BASE_OK ? status : check_end(file, "search", &s.trials, bench_search_next(&s));
  return status != BASE_OK ? status : check_limits(record, file, &s);
}

/* ---- the parameter ---- */

/* Does the condition hold of trial i? One that was cut fulfils nothing. */
static int is_held(const struct bench_threshold *s, int i) {
  return s->trials.status[i] != BASE_TIMEOUT &&
         bench_condition_holds(&s->condition, s->trials.status[i], s->trials.measured[i]);
}

void bench_record_add_threshold(cJSON *block, const struct bench_threshold *s) {
  cJSON_AddStringToObject(block, "parameter", s->parameter);
  cJSON_AddStringToObject(block, "condition", s->text);
  base_json_add_real(block, "lo", s->lo);
  base_json_add_real(block, "hi", s->hi);
  base_json_add_real(block, "tolerance", s->tolerance);
  base_json_add_real(block, "holds", s->holds);
  base_json_add_real(block, "fails", s->fails);
  cJSON *trials = cJSON_AddArrayToObject(block, "trials");
  for (int i = 0; i < s->trials.n; ++i) {
    cJSON_AddBoolToObject(add_trial(trials, &s->trials, i, threshold_words), "holds",
                          is_held(s, i));
  }
}

static int check_found(const cJSON *block, const char *file, const struct bench_threshold *s) {
  if (!same(s->holds, base_json_real_at(block, "holds")) ||
      !same(s->fails, base_json_real_at(block, "fails"))) {
    return base_fail(BASE_E_INPUT,
                     "%s: key 'threshold.holds' or 'threshold.fails': is not what the trials say",
                     file);
  }
  return BASE_OK;
}

/* A trial, of which the condition has to say what the record says. */
static int read_held(const cJSON *trial, const char *file, struct bench_threshold *s) {
  const int status =
      read_trial(trial, file, "threshold", threshold_words, bench_threshold_next(s), &s->trials);
  if (status == BASE_OK && cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(trial, "holds")) !=
                               is_held(s, s->trials.n - 1)) {
    return base_fail(BASE_E_INPUT,
                     "%s: key 'threshold.trials': number %d contradicts the condition", file,
                     s->trials.n);
  }
  return status;
}

int bench_record_check_threshold(const cJSON *record, const char *file) {
  const cJSON *block = cJSON_GetObjectItemCaseSensitive(record, "threshold"), *trial;
  if (block == NULL) {
    return BASE_OK;
  }
  struct bench_threshold s = {.lo = base_json_real_at(block, "lo"),
                              .hi = base_json_real_at(block, "hi"),
                              .tolerance = base_json_real_at(block, "tolerance")};
  if (!(s.lo < s.hi) || !(s.tolerance >= BENCH_THRESHOLD_TOLERANCE_MIN && s.tolerance < 1) ||
      base_json_text_at(block, "parameter")[0] == '\0') {
    return base_fail(BASE_E_INPUT,
                     "%s: key 'threshold': needs parameter, lo < hi and a tolerance below 1", file);
  }
  int status = bench_condition_parse(base_json_text_at(block, "condition"), &s.condition);
  cJSON_ArrayForEach(trial, cJSON_GetObjectItemCaseSensitive(block, "trials")) {
    status = status != BASE_OK ? status : read_held(trial, file, &s);
  }
  status = status != BASE_OK ? status
                             : check_end(file, "threshold", &s.trials, bench_threshold_next(&s));
  return status != BASE_OK ? status : check_found(block, file, &s);
}
