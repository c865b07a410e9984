/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lists of what the papers state, read and checked; see papers.h.
 */
#include "bench/papers/papers.h"

#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/json/json.h"
#include "base/status.h"
#include "bench/record/check_fields.h"
#include "bench/suite/figures.h"
#include "cases/case.h"

static const struct base_key item_fields[] = {
    {BENCH_KEY("item", TEXT, ALWAYS)},        {BENCH_KEY("section", TEXT, ALWAYS)},
    {BENCH_KEY("says", TEXT, ALWAYS)},        {BENCH_KEY("figure", TEXT, OPTIONAL)},
    {BENCH_KEY("checks", TEXTS, OPTIONAL)},   {BENCH_KEY("none", TEXT, OPTIONAL)},
    {BENCH_KEY("unchecked", TEXT, OPTIONAL)}, {0}};
static const struct base_table item_table = {.keys = item_fields};

static const struct base_key paper_fields[] = {
    {BENCH_KEY("schema", TEXT, ALWAYS)},
    {BENCH_KEY("paper", NAME, ALWAYS)},
    {BENCH_KEY("reference", TEXT, ALWAYS)},
    {BENCH_KEY("items", LIST, ALWAYS), .types = BASE_OBJECT, .in = &item_table},
    {0}};
static const struct base_table paper_table = {.keys = paper_fields};

#define COUNT_OF(fields) ((int)(sizeof(fields) / sizeof *(fields)))

static int is_figure(const char *id) {
  int n = 0, found = 0;
  const struct bench_figure *figures = bench_figures(&n);
  for (int i = 0; i < n; ++i) {
    found |= strcmp(figures[i].id, id) == 0;
  }
  return found;
}

static int check_item(const cJSON *items, const cJSON *item, const char *place) {
  static const char *const forms[] = {"figure", "none", "unchecked"};
  int n = 0, status = BASE_OK;
  for (int i = 0; i < COUNT_OF(forms) && status == BASE_OK; ++i) {
    n += cJSON_HasObjectItem(item, forms[i]);
  }
  if (status == BASE_OK && n != 1) {
    return base_fail(BASE_E_INPUT, "%s: must have one of 'figure', 'none' and 'unchecked'", place);
  }
  const char *figure = base_json_text_at(item, "figure");
  if (status == BASE_OK && figure[0] != '\0' && !is_figure(figure)) {
    return base_fail(BASE_E_INPUT, "%s: key 'figure': there is no figure '%s'", place, figure);
  }
  if (status == BASE_OK && figure[0] == '\0' && cJSON_HasObjectItem(item, "checks")) {
    return base_fail(BASE_E_INPUT, "%s: key 'checks': goes with 'figure'", place);
  }
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

static const char *text_or_null(const cJSON *item, const char *key) {
  const cJSON *value = cJSON_GetObjectItemCaseSensitive(item, key);
  return value != NULL ? value->valuestring : NULL;
}

static struct bench_paper read_paper(const cJSON *file, struct base_arena *arena) {
  const cJSON *items = cJSON_GetObjectItemCaseSensitive(file, "items"), *item;
  struct bench_paper paper = {.tag = base_json_text_at(file, "paper"),
                              .reference = base_json_text_at(file, "reference")};
  struct bench_paper_item *read =
      base_arena_push(arena, (size_t)cJSON_GetArraySize(items) * sizeof *read);
  cJSON_ArrayForEach(item, items) {
    read[paper.n++] = (struct bench_paper_item){
        .item = base_json_text_at(item, "item"),
        .section = base_json_text_at(item, "section"),
        .says = base_json_text_at(item, "says"),
        .figure = text_or_null(item, "figure"),
        .none = text_or_null(item, "none"),
        .unchecked = text_or_null(item, "unchecked"),
        .checks = cJSON_GetObjectItemCaseSensitive(item, "checks"),
    };
  }
  paper.items = read;
  return paper;
}

int bench_papers_load(struct base_arena *arena, cJSON **files, int *n,
                      struct bench_paper **papers) {
  struct dirent **names = NULL;
  const char *folder = base_data_path(arena, "cases/papers");
  const int found = folder != NULL ? scandir(folder, &names, base_json_is_name, alphasort) : -1;
  int status = found >= 0 ? BASE_OK : base_fail(BASE_E_IO, "cases/papers: no such folder");
  *files = cJSON_CreateArray();
  *papers = base_arena_push(arena, (size_t)(found > 0 ? found : 0) * sizeof **papers);
  *n = 0;
  for (int i = 0; i < found; ++i) {
    const char *path = base_arena_printf(arena, "%s/%s", folder, names[i]->d_name);
    cJSON *file = status == BASE_OK ? base_json_read_regular(path) : NULL;
    if (file != NULL) {
      cJSON_AddItemToArray(*files, file);
      status = bench_paper_check(file, path);
    } else if (status == BASE_OK) {
      status = BASE_E_INPUT;
    }
    if (status == BASE_OK) {
      (*papers)[(*n)++] = read_paper(file, arena);
    }
    free(names[i]);
  }
  free(names);
  return status;
}
