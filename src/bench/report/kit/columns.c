/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Columns of records by expressions; see columns.h. Each is read once, when it is first asked for.
 */
#include "bench/report/kit/columns.h"

#include <string.h>

#include "base/json/json.h"
#include "base/status.h"

struct reading {
  const cJSON *definition;
  int quantity;
  const struct frame_expression *value;
  struct reading *next;
};
struct report_columns {
  struct base_arena *arena;
  const cJSON *json; /* of the file */
  struct reading *read;
};

int report_columns_load(struct report *report) {
  if (report->columns != NULL) {
    return BASE_OK;
  }
  cJSON *json = report_data_read(REPORT_SOURCES, report->arena);
  if (json == NULL) {
    return BASE_E_INPUT;
  }
  report->columns = base_arena_push(report->arena, sizeof *report->columns);
  struct base_arena *arena = base_arena_child(report->arena); /* who fills rows may release that */
  *report->columns = (struct report_columns){.arena = arena, .json = base_json_copy(json, arena)};
  cJSON_Delete(json);
  return BASE_OK;
}

static const cJSON *quantity_of(const struct report_columns *columns, int quantity) {
  return cJSON_GetArrayItem(base_json_at(columns->json, "quantities"), quantity);
}

int report_quantities(const struct report_columns *columns) {
  return cJSON_GetArraySize(base_json_at(columns->json, "quantities"));
}

/* An expression with the path of a quantity's number in its gaps. */
static const char *with_path(struct base_arena *arena, const char *text, const char *path) {
  static const char mark[] = "{path}";
  const char *made = "", *gap;
  for (; (gap = strstr(text, mark)) != NULL; text = gap + strlen(mark)) {
    made = base_arena_printf(arena, "%s%.*s%s", made, (int)(gap - text), text, path);
  }
  return base_arena_printf(arena, "%s%s", made, text);
}

static const struct frame_expression *read(struct report_columns *columns, int quantity,
                                           const cJSON *definition) {
  struct reading *r = columns->read;
  while (r != NULL && (r->definition != definition || r->quantity != quantity)) {
    r = r->next;
  }
  if (r == NULL) {
    const char *path = base_json_text_at(quantity_of(columns, quantity), "path");
    r = base_arena_push(columns->arena, sizeof *r);
    *r = (struct reading){.definition = definition, .quantity = quantity, .next = columns->read};
    r->value = frame_expression_read(
        columns->arena, with_path(columns->arena, definition->valuestring, path), REPORT_SOURCES);
    columns->read = r;
  }
  return r->value;
}

int report_column(struct report_columns *columns, int quantity, const char *name,
                  const struct frame_scope *scope, struct frame_value *value) {
  const cJSON *of = quantity >= 0 ? quantity_of(columns, quantity) : NULL;
  const cJSON *says = cJSON_GetObjectItemCaseSensitive(base_json_at(of, "says"), name);
  const cJSON *lists[] = {base_json_at(of, "columns"),
                          of != NULL ? base_json_at(columns->json, "of_each_quantity") : NULL,
                          base_json_at(columns->json, "columns")};
  const cJSON *definition = NULL;
  if (says != NULL) {
    *value = frame_value_of(scope->arena, says);
    return 1;
  }
  for (int i = 0; i < 3 && definition == NULL; ++i) {
    definition = cJSON_GetObjectItemCaseSensitive(lists[i], name);
  }
  const struct frame_expression *e =
      definition != NULL ? read(columns, quantity, definition) : NULL;
  if (e != NULL) {
    frame_expression_value(e, scope, value);
  }
  return e != NULL;
}

const char *report_column_unit(const struct report_columns *columns, const char *name,
                               const char *otherwise) {
  const cJSON *unit = cJSON_GetObjectItemCaseSensitive(base_json_at(columns->json, "units"), name);
  return unit != NULL ? unit->valuestring : otherwise;
}
