/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions of expressions that make texts; README.md says what each does.
 */
#include <cjson/cJSON.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/number.h"
#include "bench/frame/expression_parts.h"

static const char *number_text(struct base_arena *arena, const char *format, int digits, double x) {
  char text[400]; /* of the largest double in full */
  snprintf(text, sizeof text, format, digits, x);
  base_number_unpad(text);
  return base_arena_copy(arena, text);
}

/* A number as '.1f', '+.2f', '.3g' or '.0e' says. */
const char *frame_make_format(struct base_arena *arena, const struct frame_value *x,
                              struct frame_value *value) {
  static const char *const formats[] = {"%.*f", "%.*g", "%.*e", "%+.*f", "%+.*g", "%+.*e"};
  static const char kinds[] = "fge";
  const char *spec = x[1].kind == FRAME_TEXT ? x[1].text : "";
  const int has_sign = spec[0] == '+';
  spec += has_sign;
  const char *kind = strlen(spec) == 3 ? strchr(kinds, spec[2]) : NULL;
  if (kind == NULL || spec[0] != '.' || !isdigit((unsigned char)spec[1])) {
    return "its format must be like '.1f', '+.2f', '.3g' or '.0e'";
  }
  if (x[0].kind != FRAME_NUMBER || isnan(x[0].number)) {
    *value = frame_number(NAN);
    return NULL;
  }
  const char *format = formats[(has_sign ? 3 : 0) + (kind - kinds)];
  const double number = strtod(number_text(arena, format, spec[1] - '0', x[0].number), NULL);
  *value = (struct frame_value){
      .kind = FRAME_TEXT, /* no "-0.0" */
      .text = number_text(arena, format, spec[1] - '0', number == 0 ? 0 : x[0].number)};
  return NULL;
}

const char *frame_value_text(const struct frame_value *v, struct base_arena *arena) {
  char number[BASE_JSON_NUMBER_SIZE];
  return v->kind == FRAME_TEXT
             ? v->text
             : base_arena_copy(arena,
                               base_json_number(v->kind == FRAME_NUMBER ? v->number : NAN, number));
}

const char *frame_short_number(struct base_arena *arena, double x) {
  return number_text(arena, "%.*g", 6, x);
}

const char *frame_fill(struct base_arena *arena, const char *text, frame_gap *fill, void *data) {
  const char *made = "", *begin, *end;
  while ((begin = strchr(text, '{')) != NULL && (end = strchr(begin, '}')) != NULL) {
    const char *gap = base_arena_printf(arena, "%.*s", (int)(end - begin) - 1, begin + 1);
    const char *filled = fill(data, arena, gap);
    made = base_arena_printf(arena, filled != NULL ? "%s%.*s%s" : "%s%.*s{%s}", made,
                             (int)(begin - text), text, filled != NULL ? filled : gap);
    text = end + 1;
  }
  return base_arena_printf(arena, "%s%s", made, text);
}

/* Texts and numbers one behind the other, without what is missing. */
const char *frame_make_concat(struct base_arena *arena, const struct frame_value *x,
                              struct frame_value *value) {
  const char *all = "";
  for (int i = 0; i < FRAME_ARGUMENTS; ++i) {
    if (x[i].kind == FRAME_LIST) {
      return "wants texts and numbers";
    }
    if (!frame_is_missing(&x[i])) {
      all = base_arena_printf(arena, "%s%s", all,
                              x[i].kind == FRAME_TEXT ? x[i].text
                                                      : frame_short_number(arena, x[i].number));
    }
  }
  *value = frame_word(all);
  return NULL;
}

/* What a block of records holds, "mu = 0.3, n = 4". */
const char *frame_make_entries(struct base_arena *arena, const struct frame_value *x,
                               struct frame_value *value) {
  cJSON *block = x[0].kind == FRAME_TEXT ? cJSON_Parse(x[0].text) : NULL;
  const cJSON *entry;
  const char *all = "";
  cJSON_ArrayForEach(entry, block) { all = frame_entry_text(arena, all, entry->string, entry); }
  const int is_block = cJSON_IsObject(block);
  cJSON_Delete(block);
  *value = frame_number(NAN);
  if (!is_block) {
    return frame_is_missing(&x[0]) ? NULL : "wants a block of records";
  }
  *value = frame_word(all);
  return NULL;
}

/* A block of records but for an entry, which may lie deeper: "bodies.ball.mass". */
const char *frame_make_without(struct base_arena *arena, const struct frame_value *x,
                               struct frame_value *value) {
  cJSON *block = x[0].kind == FRAME_TEXT ? cJSON_Parse(x[0].text) : NULL;
  *value = frame_number(NAN);
  if (!cJSON_IsObject(block) || x[1].kind != FRAME_TEXT) {
    cJSON_Delete(block);
    return frame_is_missing(&x[0]) ? NULL : "wants a block of records, and the path of an entry";
  }
  const char *dot = strrchr(x[1].text, '.'), *name = dot != NULL ? dot + 1 : x[1].text;
  const char *path =
      base_arena_printf(arena, "%.*s", (int)(dot != NULL ? dot - x[1].text : 0), x[1].text);
  cJSON_DeleteItemFromObjectCaseSensitive((cJSON *)base_json_at(block, path), name);
  char *text = cJSON_PrintUnformatted(block);
  *value = frame_word(base_arena_copy(arena, text));
  cJSON_free(text);
  cJSON_Delete(block);
  return NULL;
}

/* A text behind the last place of another one; whole where that is not in it. */
const char *frame_make_behind(struct base_arena *arena, const struct frame_value *x,
                              struct frame_value *value) {
  (void)arena;
  *value = x[0];
  if (x[0].kind != FRAME_TEXT || x[1].kind != FRAME_TEXT || x[1].text[0] == '\0') {
    return frame_is_missing(&x[0]) ? NULL : "wants two texts";
  }
  for (const char *at; (at = strstr(value->text, x[1].text)) != NULL;) {
    value->text = at + strlen(x[1].text);
  }
  return NULL;
}

/* A text with "#" for each number: messages of one kind are the same. */
const char *frame_make_without_numbers(struct base_arena *arena, const struct frame_value *x,
                                       struct frame_value *value) {
  *value = x[0];
  if (x[0].kind != FRAME_TEXT) {
    return frame_is_missing(&x[0]) ? NULL : "wants a text";
  }
  const char *at = x[0].text;
  char *text = base_arena_push(arena, strlen(at) + 1), *out = text;
  while (*at != '\0') {
    const int begins = at == x[0].text || !isalnum((unsigned char)at[-1]);
    char *end = (char *)at;
    if (begins && isdigit((unsigned char)at[*at == '-' || *at == '+'])) {
      strtod(at, &end);
    }
    *out++ = end > at ? '#' : *at;
    at = end > at ? end : at + 1;
  }
  *out = '\0';
  *value = frame_word(text);
  return NULL;
}
