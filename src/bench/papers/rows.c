/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Items of a paper and the values of figures that belong to them; see papers.h.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "bench/figure/figure.h"
#include "bench/papers/papers.h"

/* The number that a published text is, "0.12 (table 1)" or "12 %": NaN where it is none, or
 * several. */
static double number_in(const char *published) {
  char *end;
  double x = strtod(published, &end);
  x *= end[strspn(end, " ")] == '%' ? 0.01 : 1;
  const size_t before = strcspn(end, "(,;"); /* where it stands, remarks */
  for (size_t i = 0; i < before; ++i) {
    if (isdigit((unsigned char)end[i])) {
      return NAN;
    }
  }
  return end != published && isfinite(x) && x != 0 ? x : NAN;
}

/* The record of the figure that an item names; NULL: there is none. */
static const cJSON *figure_of(const cJSON *figures, const cJSON *item) {
  const char *id = base_json_text_at(item, "figure");
  return bench_figure_of(figures, id, strlen(id));
}

static int begins_with(const char *text, const char *beginning) {
  return strncmp(text, beginning, strlen(beginning)) == 0;
}

struct table {
  struct bench_paper_row *rows;
  int n;
};

static void add_value(struct table *table, const cJSON *item, const cJSON *value, int is_report) {
  struct bench_paper_row row = {.item = item,
                                .verdict = is_report ? case_verdict_names[CASE_REPORTED]
                                                     : base_json_text_at(value, "verdict"),
                                .what = base_json_text_at(value, "what"),
                                .measured = base_json_real_at(value, "measured"),
                                .published = base_json_text_at(value, "published"),
                                .reason = base_json_text_at(value, is_report ? "note" : "reason")};
  row.digits = bench_figure_digits(base_json_real_at(value, "lo"), base_json_real_at(value, "hi"));
  row.difference = row.measured / number_in(row.published) - 1;
  table->rows[table->n++] = row;
}

/* The values of a figure whose texts begin so; NULL: all of them. How many there are. */
static int add_values(struct table *table, const cJSON *item, const cJSON *figure,
                      const char *beginning) {
  static const char *const lists[] = {"checks", "reports"};
  int found = 0;
  for (int i = 0; i < 2; ++i) {
    const cJSON *value;
    cJSON_ArrayForEach(value, cJSON_GetObjectItemCaseSensitive(figure, lists[i])) {
      if (beginning == NULL || begins_with(base_json_text_at(value, "what"), beginning)) {
        add_value(table, item, value, i == 1);
        ++found;
      }
    }
  }
  return found;
}

/* A line that holds no value. */
static void add_note(struct table *table, const cJSON *item, const char *verdict, const char *what,
                     const char *reason) {
  table->rows[table->n++] = (struct bench_paper_row){.item = item,
                                                     .verdict = verdict,
                                                     .what = what,
                                                     .measured = NAN,
                                                     .published = "",
                                                     .difference = NAN,
                                                     .reason = reason};
}

static void add_figure(struct table *table, const cJSON *item, const cJSON *figure) {
  if (figure == NULL) {
    add_note(table, item, "not run", "", "the figure has no record");
    return;
  }
  if (strcmp(base_json_text_at(figure, "status"), "ok") != 0) {
    add_note(table, item, case_verdict_names[CASE_FAILED], "", base_json_text_at(figure, "reason"));
  }
  const cJSON *checks = cJSON_GetObjectItemCaseSensitive(item, "checks"), *beginning;
  if (checks == NULL && add_values(table, item, figure, NULL) == 0) {
    add_note(table, item, case_verdict_names[CASE_REPORTED], "", "drawn alone");
  }
  cJSON_ArrayForEach(beginning, checks) {
    if (add_values(table, item, figure, beginning->valuestring) == 0) {
      add_note(table, item, "missing", beginning->valuestring, "the figure has no such value");
    }
  }
}

/* As many rows as an item can have. */
static size_t count_most(const cJSON *item, const cJSON *figure) {
  const int n = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(figure, "checks")) +
                cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(figure, "reports"));
  const cJSON *checks = cJSON_GetObjectItemCaseSensitive(item, "checks");
  return (size_t)((n + 1) * (checks != NULL ? cJSON_GetArraySize(checks) : 1) + 1);
}

struct bench_paper_row *bench_paper_rows(const cJSON *paper, const cJSON *figures,
                                         struct base_arena *arena, int *n) {
  const cJSON *items = cJSON_GetObjectItemCaseSensitive(paper, "items"), *item;
  size_t most = 0;
  cJSON_ArrayForEach(item, items) { most += count_most(item, figure_of(figures, item)); }
  struct table table = {.rows = base_arena_push(arena, most * sizeof *table.rows)};
  cJSON_ArrayForEach(item, items) {
    if (cJSON_HasObjectItem(item, "figure")) {
      add_figure(&table, item, figure_of(figures, item));
    } else if (cJSON_HasObjectItem(item, "none")) {
      add_note(&table, item, "no result", "", base_json_text_at(item, "none"));
    } else {
      add_note(&table, item, "not checked", "", base_json_text_at(item, "unchecked"));
    }
  }
  *n = table.n;
  return table.rows;
}

const char *bench_paper_kinds(const cJSON *paper, struct base_arena *arena) {
  static const char *const kinds[][2] = {
      {"figure", "figures"}, {"table", "tables"}, {"claim", "claims"}, {"erratum", "errata"}};
  const cJSON *items = cJSON_GetObjectItemCaseSensitive(paper, "items"), *item;
  const char *text = "";
  for (int k = 0; k < 4; ++k) {
    int n = 0;
    cJSON_ArrayForEach(item, items) {
      n += begins_with(base_json_text_at(item, "item"), kinds[k][0]);
    }
    if (n > 0) {
      text = base_arena_printf(arena, "%s%s%d %s", text, text[0] != '\0' ? ", " : "", n,
                               kinds[k][n > 1]);
    }
  }
  return text;
}

const char *bench_paper_counts(const struct bench_paper_row *rows, int n, struct base_arena *arena,
                               int *faults) {
  /* In the order in which they are told; the last three are faults. */
  static const char *const verdicts[] = {"reproduced", "schematic", "not stated",  "reported",
                                         "differs",    "no result", "not checked", "failed",
                                         "missing",    "not run"};
  enum { COUNT = sizeof verdicts / sizeof *verdicts, FIRST_FAULT = COUNT - 3 };
  const char *text = "";
  int bad = 0;
  for (int k = 0; k < COUNT; ++k) {
    int count = 0;
    for (int i = 0; i < n; ++i) {
      count += strcmp(rows[i].verdict, verdicts[k]) == 0;
    }
    if (count > 0) {
      text = base_arena_printf(arena, "%s%s%d %s", text, text[0] != '\0' ? ", " : "", count,
                               verdicts[k]);
    }
    bad += k >= FIRST_FAULT ? count : 0;
  }
  if (faults != NULL) {
    *faults = bad;
  }
  return text;
}
