/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The block `ensemble` of records, and its check: the summary is what the members say.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "base/options.h"
#include "base/status.h"
#include "bench/job/asked.h"
#include "bench/outcome/members.h"
#include "la/ensemble/bootstrap.h"
#include "la/ensemble/quantile.h"

const char *const bench_ensemble_numbers[BENCH_ENSEMBLE_NUMBERS] = {"errors.q_linf",
                                                                    "errors.q_mass_linf",
                                                                    "errors.q_mass_final",
                                                                    "errors.u_mass_l2",
                                                                    "energy.errors.total",
                                                                    "energy.max_numerical_drift",
                                                                    "constraints.penetration_max",
                                                                    "iterations.total",
                                                                    "errors.flight_q_mass",
                                                                    "errors.impact_q_mass",
                                                                    "errors.impact_u_mass",
                                                                    "errors.after_q_mass"};

/* ---- the summary ---- */

struct sample {
  double *x, *drawn; /* n each */
};

static void median_of(int n, const int *index, void *data, double *value) {
  const struct sample *s = data;
  for (int i = 0; i < n; ++i) {
    s->drawn[i] = s->x[index[i]];
  }
  *value = la_median(n, s->drawn);
}

struct bench_ensemble_summary bench_ensemble_summarise(int n, const struct bench_member *member,
                                                       int number, int has_interval,
                                                       struct base_arena *arena) {
  struct bench_ensemble_summary s = {.n = 0, NAN, NAN, NAN, NAN, NAN};
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct sample sample = {base_arena_doubles(arena, n), base_arena_doubles(arena, n)};
  double *x = sample.x;
  for (int i = 0; i < n; ++i) {
    const double value = member[i].number[number];
    s.n += !isnan(value);
    x[i] = isnan(value) ? INFINITY : value;
  }
  if (s.n > 0 && has_interval) {
    struct la_sampling sampling = la_sampling_default(n);
    struct la_interval interval;
    sampling.level = BENCH_ENSEMBLE_LEVEL;
    la_bootstrap(&sampling, 1, median_of, &sample, arena, &interval, NULL);
    s.lo = interval.lo;
    s.hi = interval.hi;
  }
  if (s.n > 0) {
    s.median = la_median(n, x);
    s.p10 = la_quantile(n, x, 0.1);
    s.p90 = la_quantile(n, x, 0.9);
  }
  base_arena_release(arena, mark);
  return s;
}

/* ---- writing ---- */

static void add_member(cJSON *list, const struct bench_member *m) {
  cJSON *one = cJSON_CreateObject();
  cJSON_AddStringToObject(one, "options", m->options);
  cJSON_AddStringToObject(one, "status", base_status_name(m->status));
  if (m->quality != NULL) {
    cJSON_AddStringToObject(one, "quality", m->quality);
  } else {
    cJSON_AddNullToObject(one, "quality");
  }
  base_json_add_reals(one, "numbers", BENCH_ENSEMBLE_NUMBERS, m->number);
  cJSON_AddItemToArray(list, one);
}

static cJSON *summary_of(int n, const struct bench_member *member, int number, int has_interval,
                         struct base_arena *arena) {
  const struct bench_ensemble_summary s =
      bench_ensemble_summarise(n, member, number, has_interval, arena);
  cJSON *one = cJSON_CreateObject();
  base_json_add_real(one, "n", s.n);
  base_json_add_real(one, "median", s.median);
  base_json_add_real(one, "p10", s.p10);
  base_json_add_real(one, "p90", s.p90);
  base_json_add_real(one, "lo", s.lo);
  base_json_add_real(one, "hi", s.hi);
  return one;
}

static cJSON *summaries(int n, const struct bench_member *member, int with_intervals) {
  struct base_arena *arena = base_arena_alloc();
  cJSON *all = cJSON_CreateObject();
  for (int k = 0; k < BENCH_ENSEMBLE_NUMBERS; ++k) {
    cJSON_AddItemToObject(all, bench_ensemble_numbers[k],
                          summary_of(n, member, k, with_intervals, arena));
  }
  base_arena_free(arena);
  return all;
}

/* The part of the list of members, as it is in a record, whose run is useless. */
static double useless_part(const cJSON *members) {
  int n = 0;
  const cJSON *one;
  cJSON_ArrayForEach(one, members) {
    n += strcmp(base_json_text_at(one, "quality"), "useless") == 0;
  }
  return (double)n / cJSON_GetArraySize(members);
}

void bench_ensemble_add(cJSON *block, const struct bench_ensemble *e) {
  cJSON *options = base_options_to_json(bench_ensemble_options, &e->spec);
  cJSON_AddItemToObject(block, "asked", options);
  base_json_add_real(block, "level", BENCH_ENSEMBLE_LEVEL);
  cJSON_AddItemToObject(block, "summary", summaries(e->n, e->member, 1));
  cJSON *members = cJSON_AddArrayToObject(block, "members");
  for (int i = 0; i < e->n; ++i) {
    add_member(members, &e->member[i]);
  }
  base_json_add_real(block, "useless", useless_part(members));
}

/* ---- checking ---- */

/* told: how many numbers the record has of each. */
static int read_member(const cJSON *item, const char *file, int i, int told,
                       struct bench_member *m) {
  static const char *const known[] = {"options", "status", "quality", "numbers", NULL};
  const cJSON *numbers = cJSON_GetObjectItemCaseSensitive(item, "numbers"), *number;
  int n = 0;
  if (base_json_refuse_unknown(item, file, "ensemble.members", known) != BASE_OK) {
    return BASE_E_INPUT;
  }
  if (base_status_parse(base_json_text_at(item, "status"), &m->status) != BASE_OK ||
      m->status < 0 || cJSON_GetArraySize(numbers) != told) {
    return base_fail(BASE_E_INPUT,
                     "%s: key 'ensemble.members': number %d: needs the status of a run and %d "
                     "numbers",
                     file, i + 1, told);
  }
  cJSON_ArrayForEach(number, numbers) {
    m->number[n++] = cJSON_IsNumber(number) ? number->valuedouble : NAN;
  }
  return BASE_OK;
}

/* Of one number. */
static int says_the_same(const cJSON *a, const cJSON *b, int with_intervals) {
  static const char *const keys[] = {"n", "median", "p10", "p90", "lo", "hi"};
  int same = cJSON_GetArraySize(b) == 6;
  for (int k = 0; k < (with_intervals ? 6 : 4); ++k) {
    same = same && base_json_same(cJSON_GetObjectItemCaseSensitive(a, keys[k]),
                                  cJSON_GetObjectItemCaseSensitive(b, keys[k]));
  }
  return same;
}

static int check_summary(const cJSON *block, const char *file, int n,
                         const struct bench_member *member, int with_intervals) {
  const cJSON *summary = cJSON_GetObjectItemCaseSensitive(block, "summary"), *item;
  cJSON *said = summaries(n, member, with_intervals);
  int same = 1, left = cJSON_GetArraySize(summary);
  cJSON_ArrayForEach(item, said) {
    if (left-- == 0) {
      break;
    }
    const cJSON *given = cJSON_GetObjectItemCaseSensitive(summary, item->string);
    same = same && says_the_same(item, given, with_intervals);
  }
  cJSON_Delete(said);
  return same ? BASE_OK
              : base_fail(BASE_E_INPUT, "%s: key 'ensemble.summary': is not what the members say",
                          file);
}

int bench_ensemble_check_record(const cJSON *record, const char *file, int with_intervals) {
  const cJSON *block = cJSON_GetObjectItemCaseSensitive(record, "ensemble"), *item;
  if (block == NULL) {
    return BASE_OK;
  }
  const cJSON *asked = cJSON_GetObjectItemCaseSensitive(block, "asked");
  const cJSON *members = cJSON_GetObjectItemCaseSensitive(block, "members");
  const double n = base_json_real_at(asked, "phase") * base_json_real_at(asked, "rotation");
  if (!(n > 1) || n != cJSON_GetArraySize(members) ||
      base_json_real_at(block, "level") != BENCH_ENSEMBLE_LEVEL) {
    return base_fail(BASE_E_INPUT,
                     "%s: key 'ensemble.members': must be phase times rotation of 'asked', at "
                     "level %g",
                     file, BENCH_ENSEMBLE_LEVEL);
  }
  struct base_arena *arena = base_arena_alloc();
  struct bench_member *member = base_arena_push(arena, (size_t)n * sizeof *member);
  const int told = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(block, "summary"));
  int status =
      told >= BENCH_ENSEMBLE_FEWEST && told <= BENCH_ENSEMBLE_NUMBERS
          ? BASE_OK
          : base_fail(BASE_E_INPUT,
                      "%s: key 'ensemble.summary': must be of the first %d to %d numbers of "
                      "a run",
                      file, BENCH_ENSEMBLE_FEWEST, BENCH_ENSEMBLE_NUMBERS);
  const cJSON *useless = cJSON_GetObjectItemCaseSensitive(block, "useless");
  if (status == BASE_OK && useless != NULL &&
      base_json_real_at(block, "useless") != useless_part(members)) {
    status =
        base_fail(BASE_E_INPUT, "%s: key 'ensemble.useless': is not what the members say", file);
  }
  int i = 0;
  cJSON_ArrayForEach(item, asked) {
    status =
        status != BASE_OK ? status : base_options_check(bench_ensemble_options, "ensemble", item);
  }
  cJSON_ArrayForEach(item, members) {
    status = status != BASE_OK ? status : read_member(item, file, i, told, &member[i]);
    ++i;
  }
  status = status != BASE_OK ? status : check_summary(block, file, i, member, with_intervals);
  base_arena_free(arena);
  return status;
}
