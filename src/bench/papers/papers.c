/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lists of what the papers state, read and checked; see papers.h.
 */
#include "bench/papers/papers.h"

#include <string.h>

#include "base/data.h"
#include "base/json/folder.h"
#include "base/json/json.h"
#include "base/status.h"
#include "bench/record/check_fields.h"
#include "bench/suite/figures.h"
#include "cases/case.h"

/* In one of three forms. */
static const char *item_kind(int i) {
  static const char *const kinds[] = {"figure", "none", "unchecked", NULL};
  return kinds[i];
}
enum { FIGURE = 1, NONE = 2, UNCHECKED = 4 };
static const struct base_key item_fields[] = {
    {BENCH_KEY("item", TEXT, ALWAYS)},
    {BENCH_KEY("section", TEXT, ALWAYS)},
    {BENCH_KEY("says", TEXT, ALWAYS)},
    {BENCH_KEY("figure", TEXT, OPTIONAL), .of = FIGURE},
    {BENCH_KEY("checks", TEXTS, OPTIONAL), .of = FIGURE},
    {BENCH_KEY("none", TEXT, OPTIONAL), .of = NONE},
    {BENCH_KEY("unchecked", TEXT, OPTIONAL), .of = UNCHECKED},
    {0}};
static const struct base_table item_table = {
    .what = "item", .keys = item_fields, .kind = item_kind};

static const struct base_key paper_fields[] = {
    {BENCH_KEY("schema", TEXT, ALWAYS)},
    {BENCH_KEY("paper", NAME, ALWAYS)},
    {BENCH_KEY("reference", TEXT, ALWAYS)},
    {BENCH_KEY("items", LIST, ALWAYS), .types = BASE_OBJECT, .in = &item_table},
    {0}};
static const struct base_table paper_table = {.keys = paper_fields};

static int is_figure(const char *id) {
  int n = 0, found = 0;
  const struct bench_figure *figures = bench_figures(&n);
  for (int i = 0; i < n; ++i) {
    found |= strcmp(figures[i].id, id) == 0;
  }
  return found;
}

static int check_item(const cJSON *items, const cJSON *item, const char *place) {
  const char *figure = base_json_text_at(item, "figure");
  int status =
      figure[0] == '\0' || is_figure(figure)
          ? BASE_OK
          : base_fail(BASE_E_INPUT, "%s: key 'figure': there is no figure '%s'", place, figure);
  for (const cJSON *other = items->child; other != item && status == BASE_OK; other = other->next) {
    if (strcmp(base_json_text_at(other, "item"), base_json_text_at(item, "item")) == 0) {
      status = base_fail(BASE_E_INPUT, "%s: key 'item': '%s' stands above", place,
                         base_json_text_at(item, "item"));
    }
  }
  return status;
}

int bench_paper_check(const cJSON *file, const char *path) {
  int i = 0, status = base_json_expect_schema(file, path, BENCH_PAPER_SCHEMA);
  status = status != BASE_OK ? status : base_keys_check(&paper_table, file, path, "", 0);
  const cJSON *items = cJSON_GetObjectItemCaseSensitive(file, "items"), *item;
  cJSON_ArrayForEach(item, items) {
    char place[300];
    snprintf(place, sizeof place, "%.200s: items[%d]", path, i++);
    status = status != BASE_OK ? status : check_item(items, item, place);
  }
  return status;
}

int bench_papers_load(struct base_arena *arena, cJSON **papers) {
  const char *folder = base_data_path(arena, "cases/papers");
  *papers = cJSON_CreateArray();
  return folder != NULL ? base_json_read_folder(folder, arena, bench_paper_check, *papers)
                        : base_fail(BASE_E_IO, "cases/papers: no such folder");
}
