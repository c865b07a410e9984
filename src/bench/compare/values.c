/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two records, entry by entry; see compare.h. Members of objects are matched by key, elements of
 * lists by place. A difference of numbers is |a - b| over the scale of its block; anything else (a
 * key that one side alone has, another type, another length, another text, a number against null)
 * has no size and counts as infinite. Differences of size zero are counted too: -0 against 0, keys
 * in another order, other numbers in texts that explain. What holds measured time has `timing` in
 * its key, or in what it says of itself (`what`, of a figure's check), and is left out.
 */
#include "bench/compare/compare.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/memory/memory.h"

struct walk {
  const struct compare_how *how;
  struct compare_result *result;
  double scale[SCALES];
  char path[512];    /* where we are: checks[3].measured */
  char pattern[512]; /* the same without indices: checks[].measured */
  int block;         /* of the pattern */
};

char *compare_clean(char *text) {
  for (char *c = text; *c != '\0'; ++c) {
    *c = (unsigned char)*c < ' ' || *c == 127 ? '?' : *c;
  }
  return text;
}

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
  return compare_clean(text);
}

/* How many times its limit a difference is. */
static double excess_of(double size, double limit) {
  return size <= limit ? (isinf(limit) ? 1
                          : limit > 0  ? size / limit
                                       : 0)
                       : (limit > 0 ? size / limit : INFINITY);
}

static void note(struct walk *w, const cJSON *a, const cJSON *b, double size) {
  struct compare_result *r = w->result;
  const double excess = excess_of(size, w->how->limit[w->block]);
  char left[200], right[200];
  value_text(a, left, sizeof left);
  value_text(b, right, sizeof right);
  const int is_worst =
      r->n == 0 || excess > r->excess || (excess == r->excess && size > r->worst.size);
  if (is_worst) {
    r->excess = excess;
    r->worst = (struct compare_entry){.size = size, .block = w->block};
    snprintf(r->worst.path, sizeof r->worst.path, "%.*s", (int)sizeof r->worst.path - 1, w->path);
    snprintf(r->worst.a, sizeof r->worst.a, "%.*s", (int)sizeof r->worst.a - 1, left);
    snprintf(r->worst.b, sizeof r->worst.b, "%.*s", (int)sizeof r->worst.b - 1, right);
  }
  r->block[w->block] = fmax(r->block[w->block], size);
  ++r->n;
  if (w->how->listing != NULL) {
    fprintf(w->how->listing, "    %s: %s -> %s  %.2e\n", w->path, left, right, size);
  }
}

static int is_ignored(const struct walk *w, const cJSON *item) {
  if (strcmp(w->path, "provenance") == 0 || strcmp(w->path, "cell") == 0 ||
      (item->string != NULL && strstr(item->string, "timing") != NULL) ||
      strstr(base_json_text_at(item, "what"), "timing") != NULL) {
    return 1;
  }
  for (int i = 0; i < w->how->n_ignored; ++i) {
    if (strcmp(w->path, w->how->ignored[i]) == 0 || strcmp(w->pattern, w->how->ignored[i]) == 0) {
      return 1;
    }
  }
  return 0;
}

static void walk(struct walk *w, const cJSON *a, const cJSON *b, double own);

/* Into a member or element; a or b is NULL where one side alone has it, item is one that is not. */
static void step_into(struct walk *w, const cJSON *item, const cJSON *a, const cJSON *b, int index,
                      double own) {
  const size_t path_end = strlen(w->path), pattern_end = strlen(w->pattern);
  const int block = w->block;
  if (item->string != NULL) {
    const char *dot = path_end > 0 ? "." : "";
    snprintf(w->path + path_end, sizeof w->path - path_end, "%s%s", dot, item->string);
    compare_clean(w->path + path_end);
    snprintf(w->pattern + pattern_end, sizeof w->pattern - pattern_end, "%s%s", dot, item->string);
  } else {
    snprintf(w->path + path_end, sizeof w->path - path_end, "[%d]", index);
    snprintf(w->pattern + pattern_end, sizeof w->pattern - pattern_end, "[]");
  }
  if (item->string != NULL || item->child != NULL) { /* numbers of a list are in its block */
    w->block = compare_block_of(w->pattern);
  }
  if (!is_ignored(w, item)) {
    walk(w, a, b, own);
  }
  w->path[path_end] = w->pattern[pattern_end] = '\0';
  w->block = block;
}

struct member {
  const cJSON *item;
};

static int compare_keys(const void *a, const void *b) {
  const struct member *x = a, *y = b;
  return strcmp(x->item->string, y->item->string);
}

/* Members from `first` on by key; to be freed by free(). */
static struct member *sorted_members(const cJSON *first, int *n) {
  *n = 0;
  for (const cJSON *item = first; item != NULL; item = item->next) {
    ++*n;
  }
  struct member *members = base_memory_alloc((size_t)(*n + 1) * sizeof *members);
  int i = 0;
  for (const cJSON *item = first; item != NULL; item = item->next) {
    members[i++].item = item;
  }
  qsort(members, (size_t)*n, sizeof *members, compare_keys);
  return members;
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

/* "3 drift[m]" -> "[m]"; a column without a unit shares with no other. */
static const char *unit_of(const char *column) {
  const char *unit = strrchr(column, '[');
  return unit != NULL ? unit : column;
}

/* Largest number in the columns of two tables that have the unit of this one. */
static double column_scale(const cJSON *a, const cJSON *b, const char *column) {
  const char *unit = unit_of(column);
  double largest = 0;
  if (strcmp(unit, "[-]") == 0) {
    return 1;
  }
  for (int side = 0; side < 2; ++side) {
    for (const cJSON *x = (side == 0 ? a : b)->child; x != NULL; x = x->next) {
      largest = strcmp(unit_of(x->string), unit) == 0 ? fmax(largest, largest_child(x)) : largest;
    }
  }
  return largest;
}

static void walk_object(struct walk *w, const cJSON *a, const cJSON *b) {
  const double own = fmax(largest_child(a), largest_child(b)); /* for SCALE_SIBLINGS */
  const int is_table = compare_block_scale(w->block) == SCALE_COLUMN && a->string == NULL;
  const cJSON *x = a->child, *y = b->child;
  for (; x != NULL && y != NULL && strcmp(x->string, y->string) == 0; x = x->next, y = y->next) {
    step_into(w, x, x, y, 0, is_table ? column_scale(a, b, x->string) : own);
  }
  if (x == NULL && y == NULL) {
    return;
  }
  int n, m, alone = 0; /* the rest in another order, or not all in both */
  struct member *left = sorted_members(x, &n), *right = sorted_members(y, &m);
  for (int i = 0, j = 0; i < n || j < m;) {
    const int order = i == n   ? 1
                      : j == m ? -1
                               : strcmp(left[i].item->string, right[j].item->string);
    const cJSON *item = order <= 0 ? left[i].item : right[j].item;
    step_into(w, item, order <= 0 ? item : NULL, order >= 0 ? right[j].item : NULL, 0, own);
    alone += order != 0;
    i += order <= 0;
    j += order >= 0;
  }
  free(left);
  free(right);
  if (alone == 0) {
    note(w, a, b, 0); /* the order of the keys */
  }
}

/* of_column: the scale where this is a column of a table. */
static void walk_array(struct walk *w, const cJSON *a, const cJSON *b, double of_column) {
  if (cJSON_GetArraySize(a) != cJSON_GetArraySize(b)) {
    note(w, a, b, INFINITY);
    return;
  }
  const int is_column = compare_block_scale(w->block) == SCALE_COLUMN && a->string != NULL;
  const double own = is_column ? of_column : fmax(largest_child(a), largest_child(b));
  int index = 0;
  for (const cJSON *x = a->child, *y = b->child; x != NULL; x = x->next, y = y->next) {
    step_into(w, x, x, y, index++, own);
  }
}

/* own: the largest number among those beside these two, 0: none beside. */
static void walk_numbers(struct walk *w, const cJSON *a, const cJSON *b, double own) {
  const double x = a->valuedouble, y = b->valuedouble;
  const enum bench_scale unit = compare_block_scale(w->block);
  const int is_listed = a->string == NULL;
  if (x == y && signbit(x) == signbit(y)) {
    return;
  }
  double scale = w->scale[unit];
  if (unit == SCALE_SIBLINGS || unit == SCALE_COLUMN || (unit == SCALE_OWN && is_listed)) {
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
    const int is_place = compare_block_scale(w->block) == SCALE_PLACE && a != NULL && b != NULL;
    note(w, a, b, is_place ? 0 : INFINITY); /* a place may be null: nowhere */
  } else if (cJSON_IsObject(a)) {
    walk_object(w, a, b);
  } else if (cJSON_IsArray(a)) {
    walk_array(w, a, b, own);
  } else if (cJSON_IsNumber(a)) {
    walk_numbers(w, a, b, own);
  } else if (cJSON_IsString(a) && strcmp(a->valuestring, b->valuestring) != 0) {
    const int agree =
        compare_block_scale(w->block) == SCALE_PLACE && words_agree(a->valuestring, b->valuestring);
    note(w, a, b, agree ? 0 : INFINITY);
  }
}

void compare_values(const cJSON *a, const cJSON *b, const struct compare_how *how,
                    struct compare_result *result) {
  struct walk w = {.how = how, .result = result, .block = compare_block_of("")};
  *result = (struct compare_result){0};
  compare_scales(a, b, w.scale);
  walk(&w, a, b, 0);
}
