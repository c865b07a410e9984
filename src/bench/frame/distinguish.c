/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What tells rows from each other, as a text:
 *
 *   {"distinguish": ["case.parameters", "t_end"], "groupby": ["case.name"], "as": "told"}
 *
 * Of a column that holds a block of records the text has those entries that not all rows of the
 * group have alike, "mu = 0.3, n = 4"; of any other its value, "t_end = 2". A row in which nothing
 * differs has no text. A list or block within a block is too long to be shown: "other bodies".
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "base/text.h"
#include "bench/frame/expression_parts.h"
#include "bench/frame/parts.h"

const char *frame_entry_text(struct base_arena *arena, const char *before, const char *name,
                             const cJSON *value) {
  const char *key = base_text_clean(name, arena);
  const char *text = cJSON_IsString(value)   ? base_text_clean(value->valuestring, arena)
                     : cJSON_IsNumber(value) ? frame_short_number(arena, value->valuedouble)
                     : cJSON_IsTrue(value)   ? "yes"
                     : cJSON_IsFalse(value)  ? "no"
                                             : NULL;
  const char *comma = before[0] != '\0' ? ", " : "";
  return text != NULL ? base_arena_printf(arena, "%s%s%s = %s", before, comma, key, text)
                      : base_arena_printf(arena, "%s%sother %s", before, comma, key);
}

/* The values of a column in the rows of a group as JSON, an array. */
static cJSON *values_of(const struct frame *f, int column, long n, const long *rows) {
  cJSON *values = cJSON_CreateArray();
  for (long i = 0; i < n; ++i) {
    const struct frame_value *v = frame_at(f, rows[i], column);
    cJSON *block = v->kind == FRAME_TEXT && v->text[0] == '{' ? cJSON_Parse(v->text) : NULL;
    cJSON_AddItemToArray(values, block != NULL                                  ? block
                                 : frame_is_missing(v) || v->kind == FRAME_LIST ? cJSON_CreateNull()
                                 : v->kind == FRAME_TEXT ? cJSON_CreateString(v->text)
                                                         : cJSON_CreateNumber(v->number));
  }
  return values;
}

/* Do all blocks have the same under a key? */
static int is_common(const cJSON *blocks, const cJSON *entry) {
  const cJSON *block;
  cJSON_ArrayForEach(block, blocks) {
    if (!base_json_same(entry, cJSON_GetObjectItemCaseSensitive(block, entry->string))) {
      return 0;
    }
  }
  return 1;
}

/* Append what a column tells of the rows of a group to their texts. */
static void tell(const struct frame *f, int column, long n, const long *rows, const char **texts) {
  const char *name = strrchr(f->columns[column].name, '.');
  name = name != NULL ? name + 1 : f->columns[column].name;
  cJSON *values = values_of(f, column, n, rows);
  const cJSON *value, *entry;
  int differs = 0;
  long i = 0;
  cJSON_ArrayForEach(value, values) { differs |= !base_json_same(value, values->child); }
  cJSON_ArrayForEach(value, values) {
    if (differs && !cJSON_IsObject(value) && !cJSON_IsNull(value)) {
      texts[i] = frame_entry_text(f->arena, texts[i], name, value);
    }
    cJSON_ArrayForEach(entry, value) {
      if (cJSON_IsObject(value) && !is_common(values, entry)) {
        texts[i] = frame_entry_text(f->arena, texts[i], entry->string, entry);
      }
    }
    ++i;
  }
  cJSON_Delete(values);
}

struct frame *frame_distinguish(const struct frame_step *step) {
  struct frame *f = step->in;
  int n_columns;
  const int *columns = frame_step_columns(step, "distinguish", &n_columns);
  const char *as = frame_step_text(step, "as", NULL);
  if (columns == NULL || as == NULL) {
    return NULL;
  }
  const struct frame_groups groups = frame_group(f, step->n_keys, step->keys);
  const int told = frame_add(f, as, "");
  for (long g = 0; g < groups.n; ++g) {
    const char **texts = base_arena_array(f->arena, (size_t)groups.size[g] + 1, 1, sizeof *texts);
    for (long i = 0; i < groups.size[g]; ++i) {
      texts[i] = "";
    }
    for (int k = 0; k < n_columns; ++k) {
      tell(f, columns[k], groups.size[g], groups.rows[g], texts);
    }
    for (long i = 0; i < groups.size[g]; ++i) {
      *frame_at(f, groups.rows[g][i], told) =
          texts[i][0] != '\0' ? frame_word(texts[i]) : frame_number(NAN);
    }
  }
  return f;
}
