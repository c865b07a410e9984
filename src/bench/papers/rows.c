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

static int begins_with(const char *text, const char *beginning) {
  return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* The rows of a paper while they are made. */
struct table {
  const cJSON *paper, *item;
  struct base_arena *arena;
  cJSON *rows;
};

/* Of a value of a figure, or (NULL) of what stands in its place. */
static void add_row(const struct table *t, const cJSON *value, const char *verdict,
                    const char *what, const char *reason) {
  const double measured = base_json_real_at(value, "measured");
  const char *published = base_json_text_at(value, "published");
  const int digits =
      bench_figure_digits(base_json_real_at(value, "lo"), base_json_real_at(value, "hi"));
  cJSON *row = cJSON_CreateObject();
  base_json_add_texts(
      row, "paper", base_json_text_at(t->paper, "paper"), "reference",
      base_json_text_at(t->paper, "reference"), "item", base_json_text_at(t->item, "item"),
      "section", base_json_text_at(t->item, "section"), "says", base_json_text_at(t->item, "says"),
      "figure", base_json_text_at(t->item, "figure"), "quantity", what, "published", published,
      "shown", isfinite(measured) ? base_arena_printf(t->arena, "%.*g", digits, measured) : "",
      "verdict", verdict, "reason", reason, (char *)NULL);
  base_json_add_real(row, "measured", measured);
  base_json_add_real(row, "difference", 100 * (measured / number_in(published) - 1));
  cJSON_AddItemToArray(t->rows, row);
}

/* The values of a figure whose texts begin so; NULL: all of them. How many there are. */
static int add_values(const struct table *t, const cJSON *figure, const char *beginning) {
  static const char *const lists[] = {"checks", "reports"};
  int found = 0;
  for (int i = 0; i < 2; ++i) {
    const cJSON *value;
    cJSON_ArrayForEach(value, cJSON_GetObjectItemCaseSensitive(figure, lists[i])) {
      const char *what = base_json_text_at(value, "what");
      if (beginning == NULL || begins_with(what, beginning)) {
        add_row(t, value,
                i == 1 ? case_verdict_names[CASE_REPORTED] : base_json_text_at(value, "verdict"),
                what, base_json_text_at(value, i == 1 ? "note" : "reason"));
        ++found;
      }
    }
  }
  return found;
}

static void add_figure(const struct table *t, const cJSON *figure) {
  if (figure == NULL) {
    add_row(t, NULL, "not run", "", "the figure has no record");
    return;
  }
  if (strcmp(base_json_text_at(figure, "status"), "ok") != 0) {
    add_row(t, NULL, case_verdict_names[CASE_FAILED], "", base_json_text_at(figure, "reason"));
  }
  const cJSON *checks = cJSON_GetObjectItemCaseSensitive(t->item, "checks"), *beginning;
  if (checks == NULL && add_values(t, figure, NULL) == 0) {
    add_row(t, NULL, case_verdict_names[CASE_REPORTED], "", "drawn alone");
  }
  cJSON_ArrayForEach(beginning, checks) {
    if (add_values(t, figure, beginning->valuestring) == 0) {
      add_row(t, NULL, "missing", beginning->valuestring, "the figure has no such value");
    }
  }
}

cJSON *bench_paper_rows(const cJSON *paper, const cJSON *figures, struct base_arena *arena) {
  struct table t = {.paper = paper, .arena = arena, .rows = cJSON_CreateArray()};
  cJSON_ArrayForEach(t.item, cJSON_GetObjectItemCaseSensitive(paper, "items")) {
    const char *id = base_json_text_at(t.item, "figure");
    if (id[0] != '\0') {
      add_figure(&t, bench_figure_of(figures, id, strlen(id)));
    } else if (cJSON_HasObjectItem(t.item, "none")) {
      add_row(&t, NULL, "no result", "", base_json_text_at(t.item, "none"));
    } else {
      add_row(&t, NULL, "not checked", "", base_json_text_at(t.item, "unchecked"));
    }
  }
  return t.rows;
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

const char *bench_paper_counts(const cJSON *rows, struct base_arena *arena, int *faults) {
  /* In the order in which they are told; the last three are faults. */
  static const char *const verdicts[] = {"reproduced", "schematic", "differs",     "not stated",
                                         "reported",   "no result", "not checked", "failed",
                                         "missing",    "not run"};
  enum { COUNT = sizeof verdicts / sizeof *verdicts, FIRST_FAULT = COUNT - 3 };
  const char *text = "";
  const cJSON *row;
  for (int k = 0; k < COUNT; ++k) {
    int count = 0;
    cJSON_ArrayForEach(row, rows) {
      count += strcmp(base_json_text_at(row, "verdict"), verdicts[k]) == 0;
    }
    if (count > 0) {
      text = base_arena_printf(arena, "%s%s%d %s", text, text[0] != '\0' ? ", " : "", count,
                               verdicts[k]);
    }
    *faults += k >= FIRST_FAULT ? count : 0;
  }
  return text;
}
