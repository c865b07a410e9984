/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records into series; values of figures and their verdicts into JSON, and checked; see figure.h.
 */
#include "bench/figure/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/record/check_fields.h"

static const char *or_empty(const char *text) { return text != NULL ? text : ""; }

void bench_plot_to_json(const struct case_plot *plot, cJSON *figure) {
  cJSON *verdicts = cJSON_AddObjectToObject(figure, "verdicts");
  cJSON *checks = cJSON_AddArrayToObject(figure, "checks");
  cJSON *reports = cJSON_AddArrayToObject(figure, "reports");
  int counts[CASE_VERDICTS] = {0};
  for (int i = 0; i < plot->n_checks; ++i) {
    const struct case_checked *checked = &plot->checks[i];
    const struct case_claim *claim = &checked->claim;
    const int is_report = checked->verdict == CASE_REPORTED;
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "what", checked->what);
    base_json_add_real(item, "measured", checked->measured);
    if (is_report) {
      cJSON_AddStringToObject(item, "note", or_empty(claim->expected));
    } else {
      base_json_add_real(item, "lo", claim->lo);
      base_json_add_real(item, "hi", claim->hi);
      cJSON_AddStringToObject(item, "expected", or_empty(claim->expected));
      cJSON_AddStringToObject(item, "published", or_empty(claim->published));
      cJSON_AddStringToObject(item, "verdict", case_verdict_names[checked->verdict]);
      cJSON_AddStringToObject(item, "reason", or_empty(claim->differs));
      if (claim->differs != NULL) {
        base_json_add_real(item, "source_lo", claim->source[0]);
        base_json_add_real(item, "source_hi", claim->source[1]);
      }
    }
    cJSON_AddItemToArray(is_report ? reports : checks, item);
    ++counts[checked->verdict];
  }
  for (int i = 0; i < CASE_VERDICTS; ++i) {
    cJSON_AddNumberToObject(verdicts, case_verdict_names[i], counts[i]);
  }
}

/* ---- checking a record ---- */

/* A measured value that is no number is null, and so are bounds made of such. */
static const struct base_key check_fields[] = {{BENCH_KEY("what", TEXT, ALWAYS)},
                                               {BENCH_KEY("measured", REAL, NULLABLE)},
                                               {BENCH_KEY("lo", REAL, NULLABLE)},
                                               {BENCH_KEY("hi", REAL, NULLABLE)},
                                               {BENCH_KEY("expected", TEXT, ALWAYS)},
                                               {BENCH_KEY("published", TEXT, ALWAYS)},
                                               {BENCH_KEY("verdict", TEXT, ALWAYS)},
                                               {BENCH_KEY("reason", TEXT, ALWAYS)},
                                               {BENCH_KEY("source_lo", REAL, NEWER)},
                                               {BENCH_KEY("source_hi", REAL, NEWER)},
                                               {0}};
static const struct base_table check_table = {.keys = check_fields};
static const struct base_key report_fields[] = {{BENCH_KEY("what", TEXT, ALWAYS)},
                                                {BENCH_KEY("measured", REAL, NULLABLE)},
                                                {BENCH_KEY("note", TEXT, ALWAYS)},
                                                {0}};
static const struct base_table report_table = {.keys = report_fields};

static const struct base_key figure_fields[] = {
    {BENCH_KEY("schema", TEXT, ALWAYS)},
    {BENCH_KEY("id", TEXT, ALWAYS)},
    {BENCH_KEY("case", NAME, ALWAYS)},
    {BENCH_KEY("title", TEXT, ALWAYS)},
    {BENCH_KEY("caption", TEXT, ALWAYS)},
    {BENCH_KEY("text", TEXT, ALWAYS)},
    {BENCH_KEY("status", NAME, ALWAYS), .choices = "ok|failed"},
    {BENCH_KEY("reason", TEXT, ALWAYS)},
    {BENCH_KEY("verdicts", COUNT_MAP, ALWAYS)},
    {BENCH_KEY("checks", LIST, ALWAYS), .types = BASE_OBJECT, .in = &check_table},
    {BENCH_KEY("reports", LIST, ALWAYS), .types = BASE_OBJECT, .in = &report_table},
    {BENCH_KEY("files", TEXTS, ALWAYS)},
    {BENCH_KEY("records", TEXTS, ALWAYS)},
    {0}};
static const struct base_table figure_table = {.keys = figure_fields};

static int find_verdict(const char *name) {
  int i = 0;
  while (i < CASE_VERDICTS && strcmp(case_verdict_names[i], name) != 0) {
    ++i;
  }
  return i;
}

/* Judge a check again by what stands beside its verdict. */
static int check_verdict(const cJSON *check, const char *file) {
  const char *published = base_json_text_at(check, "published");
  const char *reason = base_json_text_at(check, "reason");
  const char *name = base_json_text_at(check, "verdict");
  const int verdict = find_verdict(name);
  const struct case_claim claim = {
      .lo = base_json_real_at(check, "lo"),
      .hi = base_json_real_at(check, "hi"),
      .published = published[0] != '\0' ? published : NULL,
      .differs = reason[0] != '\0' ? reason : NULL,
      .source = {base_json_real_at(check, "source_lo"), base_json_real_at(check, "source_hi")},
      .schematic = verdict == CASE_SCHEMATIC};
  const int due = (int)case_claim_judge(&claim, base_json_real_at(check, "measured"));
  return verdict == due ? BASE_OK
                        : base_fail(BASE_E_INPUT, "%s: key 'verdict': is '%s', must be '%s'", file,
                                    name, case_verdict_names[due]);
}

/* Every value of a list, named in messages as "file: checks[3]". */
static int check_list(const cJSON *figure, const char *list, int counts[CASE_VERDICTS],
                      const char *file) {
  const int are_checks = strcmp(list, "checks") == 0;
  const cJSON *item;
  int i = 0, status = BASE_OK;
  cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(figure, list)) {
    char place[300];
    snprintf(place, sizeof place, "%.200s: %s[%d]", file, list, i++);
    status = status != BASE_OK || !are_checks ? status : check_verdict(item, place);
    if (status == BASE_OK) {
      ++counts[are_checks ? find_verdict(base_json_text_at(item, "verdict")) : CASE_REPORTED];
    }
  }
  return status;
}

int bench_figure_check(const cJSON *figure, const char *file) {
  int counts[CASE_VERDICTS] = {0};
  char place[300];
  const cJSON *verdicts = cJSON_GetObjectItemCaseSensitive(figure, "verdicts");
  snprintf(place, sizeof place, "%.200s: verdicts", file);
  int status = base_keys_check(&figure_table, figure, file, "", 0);
  status = status != BASE_OK ? status : check_list(figure, "checks", counts, file);
  status = status != BASE_OK ? status : check_list(figure, "reports", counts, file);
  if (status == BASE_OK && cJSON_GetArraySize(verdicts) != CASE_VERDICTS) {
    return base_fail(BASE_E_INPUT, "%s: must be %d counts", place, CASE_VERDICTS);
  }
  for (int i = 0; i < CASE_VERDICTS && status == BASE_OK; ++i) {
    if (base_json_real_at(verdicts, case_verdict_names[i]) != counts[i]) {
      status = base_fail(BASE_E_INPUT, "%s: key '%s': must be %d", place, case_verdict_names[i],
                         counts[i]);
    }
  }
  return status;
}

/* ---- series ---- */

/* A column of n values into x with the given stride; null is NaN. */
static int read_column(const cJSON *array, const char *file, const char *key, int n, int stride,
                       double *x) {
  if (!cJSON_IsArray(array) || cJSON_GetArraySize(array) != n) {
    return base_fail(BASE_E_INPUT, "%s: key 'trajectory.%s': must be a list of %d numbers", file,
                     key, n);
  }
  const cJSON *item;
  size_t k = 0;
  cJSON_ArrayForEach(item, array) {
    if (!cJSON_IsNumber(item) && !cJSON_IsNull(item)) {
      return base_fail(BASE_E_INPUT, "%s: key 'trajectory.%s': holds something else than numbers",
                       file, key);
    }
    x[k] = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    k += (size_t)stride;
  }
  return BASE_OK;
}

/* trajectory.q or .u into an n x width matrix, columns in the order of final.q_names (u_names). */
static int read_columns(const cJSON *record, const char *file, const char *side, int n, int *width,
                        const double **values, struct base_arena *arena) {
  const cJSON *names = base_json_at(record, side[0] == 'q' ? "final.q_names" : "final.u_names");
  const cJSON *group = base_json_at(record, side[0] == 'q' ? "trajectory.q" : "trajectory.u");
  *width = cJSON_GetArraySize(names);
  double *x = base_arena_matrix(arena, n, *width);
  const cJSON *name;
  int j = 0, status = BASE_OK;
  cJSON_ArrayForEach(name, names) {
    const char *key = cJSON_IsString(name) ? name->valuestring : "";
    status = status != BASE_OK ? status
                               : read_column(cJSON_GetObjectItemCaseSensitive(group, key), file,
                                             key, n, *width, x + j);
    ++j;
  }
  *values = x;
  return status;
}

/* trajectory.impulses, where it is told. */
static int read_impulses(const cJSON *record, const char *file, struct base_arena *arena,
                         struct case_series *series) {
  const cJSON *block = base_json_at(record, "trajectory.impulses");
  const cJSON *counts = cJSON_GetObjectItemCaseSensitive(block, "n");
  const cJSON *ids = cJSON_GetObjectItemCaseSensitive(block, "id");
  const cJSON *values = cJSON_GetObjectItemCaseSensitive(block, "r");
  const int total = cJSON_GetArraySize(ids), size = cJSON_GetArraySize(values);
  if (block == NULL || total == 0) {
    return BASE_OK;
  }
  double *n = base_arena_doubles(arena, series->n), *id = base_arena_doubles(arena, total);
  double *r = base_arena_doubles(arena, size);
  int status = read_column(counts, file, "impulses.n", series->n, 1, n);
  status = status != BASE_OK ? status : read_column(ids, file, "impulses.id", total, 1, id);
  status = status != BASE_OK ? status : read_column(values, file, "impulses.r", size, 1, r);
  int *first = base_arena_ints(arena, series->n + 1);
  long *contact = base_arena_push(arena, (size_t)total * sizeof *contact);
  for (int k = 0; k < series->n && status == BASE_OK; ++k) {
    first[k + 1] = first[k] + (n[k] >= 0 && n[k] <= total - first[k] ? (int)n[k] : 0);
  }
  for (int i = 0; i < total && status == BASE_OK; ++i) {
    contact[i] = (long)id[i];
  }
  if (status == BASE_OK && (first[series->n] != total || size % total != 0)) {
    return base_fail(BASE_E_INPUT,
                     "%s: key 'trajectory.impulses': counts, contacts and impulses "
                     "do not fit",
                     file);
  }
  series->first = first;
  series->contact = contact;
  series->impulse = r;
  series->dim = size / total;
  return status;
}

int bench_series_from_record(const cJSON *record, const char *file, const struct case_run *run,
                             struct base_arena *arena, struct case_series *series) {
  *series = (struct case_series){.run = run, .record = record};
  series->reason = base_json_text_at(record, "reason");
  int status = base_status_parse(base_json_text_at(record, "status"), &series->status);
  const cJSON *trajectory = cJSON_GetObjectItemCaseSensitive(record, "trajectory");
  if (status != BASE_OK || trajectory == NULL) {
    return status;
  }
  const int n = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(trajectory, "t"));
  double *t = base_arena_doubles(arena, n), *energy = base_arena_doubles(arena, n);
  status = read_column(cJSON_GetObjectItemCaseSensitive(trajectory, "t"), file, "t", n, 1, t);
  status = status != BASE_OK ? status
                             : read_column(cJSON_GetObjectItemCaseSensitive(trajectory, "energy"),
                                           file, "energy", n, 1, energy);
  status = status != BASE_OK ? status
                             : read_columns(record, file, "q", n, &series->nq, &series->q, arena);
  status = status != BASE_OK ? status
                             : read_columns(record, file, "u", n, &series->nu, &series->u, arena);
  series->n = n;
  series->t = t;
  series->energy = energy;
  return status != BASE_OK ? status : read_impulses(record, file, arena, series);
}

int bench_figure_digits(double lo, double hi) {
  enum { LEAST = 6, MOST = 15 };
  const double width = hi - lo, size = fmax(fabs(lo), fabs(hi));
  if (!isfinite(width) || !(width > 0) || !(width < size)) {
    return LEAST;
  }
  const int digits = (int)ceil(log10(size / width)) + 2; /* two of the width */
  return digits < LEAST ? LEAST : digits > MOST ? MOST : digits;
}
