/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two records, entry by entry; see compare.h. Members of objects are matched by key, elements of
 * lists by place. A difference of numbers is |a - b| over the scale of its block; anything else (a
 * key that one side alone has, another type, another length, another text, a number against null)
 * has no size and counts as infinite. Differences of size zero are counted too: -0 against 0, keys
 * in another order, other numbers in texts that explain. What holds measured time has `timing` in
 * its key, or in what it says of itself (`what`, of a figure's check), and is left out.
 *
 * An entry is an input, a result or a text. A parameter that a search varies is a result, though it
 * stands among the inputs.
 */
#include "bench/compare/compare.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/text.h"

struct walk {
  const struct base_words *ignored;
  FILE *listing;
  enum compare_part listed; /* the part that goes there */
  struct compare_result *result;
  double scale[SCALES];
  char sought[160];      /* path of the parameter that was sought; "": none was */
  char path[512];        /* where we are: checks[3].measured */
  char pattern[512];     /* the same without indices: checks[].measured */
  enum bench_scale unit; /* of the pattern */
};

static const char *value_text(const cJSON *value, char *text, size_t size) {
  char number[BASE_JSON_NUMBER_SIZE];
  if (value == NULL) {
    snprintf(text, size, "(none)");
  } else if (cJSON_IsNumber(value)) {
    snprintf(text, size, "%s", base_json_number(value->valuedouble, number));
  } else if (cJSON_IsString(value)) {
    snprintf(text, size, "'%s'", value->valuestring);
  } else if (cJSON_IsBool(value)) {
    snprintf(text, size, "%s", cJSON_IsTrue(value) ? "true" : "false");
  } else if (cJSON_IsNull(value)) {
    snprintf(text, size, "null");
  } else {
    snprintf(text, size, "%s of %d", cJSON_IsArray(value) ? "list" : "object",
             cJSON_GetArraySize(value));
  }
  base_text_line(text);
  return text;
}

static enum compare_part part_of(const struct walk *w, const cJSON *a, const cJSON *b) {
  const enum bench_scale scale = w->unit;
  if (scale == SCALE_INPUT && strcmp(w->path, w->sought) != 0) {
    return COMPARE_ASKED;
  }
  return scale != SCALE_INPUT && scale != SCALE_EXACT && cJSON_IsString(a) && cJSON_IsString(b)
             ? COMPARE_SAID
             : COMPARE_CAME;
}

static void note(struct walk *w, const cJSON *a, const cJSON *b, double size) {
  const enum compare_part part = part_of(w, a, b);
  struct compare_entry *worst = &w->result->worst[part];
  char left[200], right[200];
  value_text(a, left, sizeof left);
  value_text(b, right, sizeof right);
  if (w->result->n[part]++ == 0 || size > worst->size) {
    *worst = (struct compare_entry){.size = size};
    snprintf(worst->path, sizeof worst->path, "%.*s", (int)sizeof worst->path - 1, w->path);
    snprintf(worst->a, sizeof worst->a, "%.*s", (int)sizeof worst->a - 1, left);
    snprintf(worst->b, sizeof worst->b, "%.*s", (int)sizeof worst->b - 1, right);
  }
  if (w->listing != NULL && part == w->listed) {
    fprintf(w->listing, "    %s: %s -> %s  %.2e\n", w->path, left, right, size);
  }
}

static int is_ignored(const struct walk *w, const cJSON *item) {
  if (strcmp(w->path, "provenance") == 0 || strcmp(w->path, "cell") == 0 ||
      (item->string != NULL && strstr(item->string, "timing") != NULL) ||
      strstr(base_json_text_at(item, "what"), "timing") != NULL) {
    return 1;
  }
  for (int i = 0; i < w->ignored->n; ++i) {
    if (strcmp(w->path, w->ignored->word[i]) == 0 || strcmp(w->pattern, w->ignored->word[i]) == 0) {
      return 1;
    }
  }
  return 0;
}

/* own: the largest number among those beside these two, 0: none beside. */
static void walk(struct walk *w, const cJSON *a, const cJSON *b, double own);

/* Into a member or element; a or b is NULL where one side alone has it, item is one that is not. */
static void step_into(struct walk *w, const cJSON *item, const cJSON *a, const cJSON *b, int index,
                      double own) {
  const size_t path_end = strlen(w->path), pattern_end = strlen(w->pattern);
  const enum bench_scale unit = w->unit;
  if (item->string != NULL) {
    const char *dot = path_end > 0 ? "." : "";
    snprintf(w->path + path_end, sizeof w->path - path_end, "%s%s", dot, item->string);
    base_text_line(w->path + path_end);
    snprintf(w->pattern + pattern_end, sizeof w->pattern - pattern_end, "%s%s", dot, item->string);
  } else {
    snprintf(w->path + path_end, sizeof w->path - path_end, "[%d]", index);
    snprintf(w->pattern + pattern_end, sizeof w->pattern - pattern_end, "[]");
  }
  if (item->string != NULL || item->child != NULL) { /* numbers of a list are measured as it is */
    w->unit = compare_scale(w->pattern);
  }
  if (!is_ignored(w, item)) {
    walk(w, a, b, own);
  }
  w->path[path_end] = w->pattern[pattern_end] = '\0';
  w->unit = unit;
}

/* Largest finite number right below. */
static double largest_child(const cJSON *a) {
  double largest = 0;
  for (const cJSON *item = a->child; item != NULL; item = item->next) {
    if (cJSON_IsNumber(item) && isfinite(item->valuedouble)) {
      largest = fmax(largest, fabs(item->valuedouble));
    }
  }
  return largest;
}

static void walk_object(struct walk *w, const cJSON *a, const cJSON *b) {
  const double own = fmax(largest_child(a), largest_child(b)); /* for SCALE_SIBLINGS */
  int is_moved = 0, alone = 0;
  const cJSON *next = b->child;
  for (const cJSON *x = a->child; x != NULL; x = x->next) {
    const int is_next = next != NULL && strcmp(x->string, next->string) == 0;
    const cJSON *y = is_next ? next : cJSON_GetObjectItemCaseSensitive(b, x->string);
    is_moved |= !is_next;
    alone += y == NULL;
    next = y != NULL ? y->next : next;
    step_into(w, x, x, y, 0, own);
  }
  if (!is_moved && next == NULL) {
    return;
  }
  for (const cJSON *y = b->child; y != NULL; y = y->next) {
    if (cJSON_GetObjectItemCaseSensitive(a, y->string) == NULL) {
      ++alone;
      step_into(w, y, NULL, y, 0, own);
    }
  }
  if (alone == 0) {
    note(w, a, b, 0); /* the order of the keys */
  }
}

static void walk_array(struct walk *w, const cJSON *a, const cJSON *b) {
  if (cJSON_GetArraySize(a) != cJSON_GetArraySize(b)) {
    note(w, a, b, INFINITY);
    return;
  }
  const double own = fmax(largest_child(a), largest_child(b));
  int index = 0;
  for (const cJSON *x = a->child, *y = b->child; x != NULL; x = x->next, y = y->next) {
    step_into(w, x, x, y, index++, own);
  }
}

/* own: the largest number among those beside these two, 0: none beside. */
static void walk_numbers(struct walk *w, const cJSON *a, const cJSON *b, double own) {
  const double x = a->valuedouble, y = b->valuedouble;
  const enum bench_scale unit = w->unit;
  const int is_listed = a->string == NULL;
  if (x == y && signbit(x) == signbit(y)) {
    return;
  }
  double scale = w->scale[unit];
  if (unit == SCALE_SIBLINGS || (unit == SCALE_OWN && is_listed)) {
    scale = own;
  }
  if (!(scale > 0)) {
    scale = fmax(fabs(x), fabs(y));
  }
  double size = unit == SCALE_PLACE   ? 0
                : x == y              ? 0
                : unit <= SCALE_EXACT ? INFINITY
                                      : fabs(x - y) / scale;
  note(w, a, b, isnan(size) ? INFINITY : size);
}

/* Does a number begin here? Letters and digits before it make it part of a name. */
static int is_number_start(const char *s) {
  s += *s == '-' || *s == '+';
  return isdigit((unsigned char)s[*s == '.']);
}

/* The same words, whatever the numbers between them. */
static int words_agree(const char *a, const char *b) {
  while (*a != '\0' && *b != '\0') {
    if (is_number_start(a) && is_number_start(b)) {
      char *left, *right;
      strtod(a, &left);
      strtod(b, &right);
      a = left;
      b = right;
    } else if (*a++ != *b++) {
      return 0;
    }
  }
  return *a == *b;
}

static void walk(struct walk *w, const cJSON *a, const cJSON *b, double own) {
  if (a == NULL || b == NULL || (a->type & 0xff) != (b->type & 0xff)) {
    const int is_place = w->unit == SCALE_PLACE && a != NULL && b != NULL;
    note(w, a, b, is_place ? 0 : INFINITY); /* a place may be null: nowhere */
  } else if (cJSON_IsObject(a)) {
    walk_object(w, a, b);
  } else if (cJSON_IsArray(a)) {
    walk_array(w, a, b);
  } else if (cJSON_IsNumber(a)) {
    walk_numbers(w, a, b, own);
  } else if (cJSON_IsString(a) && strcmp(a->valuestring, b->valuestring) != 0) {
    const int agree = w->unit == SCALE_PLACE && words_agree(a->valuestring, b->valuestring);
    note(w, a, b, agree ? 0 : INFINITY);
  }
}

/* Where the value that a search found stands in the record. */
static void set_sought(struct walk *w, const cJSON *record) {
  const char *parameter = base_json_text_at(record, "search.parameter");
  if (parameter[0] != '\0') {
    snprintf(w->sought, sizeof w->sought, "%s%s",
             strcmp(parameter, "dt") == 0 ? "" : "case.parameters.", parameter);
  }
}

void compare_values(const cJSON *a, const cJSON *b, const struct base_words *ignored, FILE *listing,
                    struct compare_result *result) {
  *result = (struct compare_result){0};
  for (int part = 0; part < (listing != NULL ? COMPARE_PARTS : 1); ++part) {
    struct walk w = {.ignored = ignored,
                     .listing = listing,
                     .listed = (enum compare_part)part,
                     .result = result,
                     .unit = compare_scale("")};
    *result = (struct compare_result){0};
    set_sought(&w, a);
    compare_scales(a, b, w.scale);
    walk(&w, a, b, 0);
  }
}
