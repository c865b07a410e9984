/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an entry of a table of keys says: its choices, its range, where it may stand; see keys.h.
 */
#include "base/json/keys.h"

#include "base/names.h"
#include "base/number.h"
#include "base/status.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct base_key *base_key_next(const struct base_table *table, const struct base_key *key) {
  const size_t stride = table->stride != 0 ? table->stride : sizeof *key;
  return (const struct base_key *)(const void *)((const char *)key + stride);
}

int base_key_fits(const struct base_key *key, int kind, int dimension) {
  return (key->of == 0 || (key->of >> kind & 1u) != 0) &&
         (key->dimension == 0 || dimension == 0 || key->dimension == dimension);
}

int base_key_has_parts(const struct base_table *table, const struct base_key *key) {
  const char *next = base_key_next(table, key)->name;
  const size_t length = strlen(key->name);
  return next != NULL && strncmp(next, key->name, length) == 0 && next[length] == '.';
}

const char *base_word_at(const char *words, int i, size_t *length) {
  for (; words != NULL; --i) {
    *length = strcspn(words, "|");
    if (i == 0) {
      return words;
    }
    words = words[*length] == '|' ? words + *length + 1 : NULL;
  }
  return NULL;
}

int base_word_find(const char *words, const char *text) {
  const char *word;
  size_t length = 0;
  for (int i = 0; (word = base_word_at(words, i, &length)) != NULL; ++i) {
    if (strlen(text) == length && strncmp(text, word, length) == 0) {
      return i;
    }
  }
  return -1;
}

const char *base_key_choice(const struct base_key *key, int i, size_t *length) {
  if (key->choice == NULL) {
    return base_word_at(key->choices, i, length);
  }
  const char *choice = key->choice(i);
  *length = choice != NULL ? strlen(choice) : 0;
  return choice;
}

enum { CHOICES_MAX = 64, CHOICE_SIZE = 64 };

int base_key_find_choice(const struct base_key *key, const char *text) {
  char choices[CHOICES_MAX][CHOICE_SIZE];
  const char *names[CHOICES_MAX], *choice;
  size_t length = 0;
  int n = 0;
  for (; n < CHOICES_MAX && (choice = base_key_choice(key, n, &length)) != NULL; ++n) {
    snprintf(choices[n], sizeof choices[n], "%.*s", (int)length, choice);
    names[n] = choices[n];
  }
  return base_name_find("value", text, n, names);
}

void base_key_range(const struct base_key *key, double *min, double *max, int *is_open) {
  *is_open = key->range == BASE_POSITIVE || (key->range == BASE_WITHIN && key->is_open);
  *min = key->range == BASE_WITHIN        ? key->min
         : key->range == BASE_SIGNED_PART ? -1
         : key->range == BASE_ANY_REAL    ? -HUGE_VAL
                                          : 0;
  *max = key->range == BASE_WITHIN                                   ? key->max
         : key->range == BASE_PART || key->range == BASE_SIGNED_PART ? 1
                                                                     : HUGE_VAL;
}

int base_key_check_real(const struct base_key *key, double x) {
  double min, max;
  int is_open;
  base_key_range(key, &min, &max, &is_open);
  if ((is_open ? x > min : x >= min) && x <= max) {
    return BASE_OK;
  }
  const int has_unit = key->unit != NULL && key->unit[0] != '\0' && strcmp(key->unit, "-") != 0;
  const char *gap = has_unit ? " " : "", *unit = has_unit ? key->unit : "";
  char wanted[128];
  if (isfinite(min) && isfinite(max)) {
    snprintf(wanted, sizeof wanted, is_open ? "> %.15g and <= %.15g" : "from %.15g to %.15g", min,
             max);
  } else if (isfinite(min)) {
    snprintf(wanted, sizeof wanted, "%s %.15g", is_open ? ">" : ">=", min);
  } else {
    snprintf(wanted, sizeof wanted, "<= %.15g", max);
  }
  return base_fail(BASE_E_INPUT, "must be %s, is %.15g%s%s", wanted, x, gap, unit);
}

/* ---- values from texts ---- */

static int parse_real(const struct base_key *key, const char *owner, const char *text, double *x) {
  if (base_parse_real(text, x) != BASE_OK) {
    base_message_prefix("%s '%s' takes a number: ", owner, key->name);
    return BASE_E_INPUT;
  }
  return isfinite(*x) || (key->types & BASE_INFINITE) != 0
             ? BASE_OK
             : base_fail(BASE_E_INPUT, "%s '%s' = %s: must be finite", owner, key->name, text);
}

static int parse_whole(const struct base_key *key, const char *owner, const char *text, double *x) {
  char *end = NULL;
  errno = 0;
  const long value = strtol(text, &end, 10);
  if (isspace((unsigned char)text[0]) || end == text || *end != '\0') {
    return base_fail(BASE_E_INPUT, "%s '%s' takes a whole number: '%s' is none", owner, key->name,
                     text);
  }
  *x = (double)value;
  return errno != ERANGE && value <= INT_MAX && value >= INT_MIN
             ? BASE_OK
             : base_fail(BASE_E_INPUT, "%s '%s' = %s does not fit an integer", owner, key->name,
                         text);
}

static int parse_flag(const struct base_key *key, const char *owner, const char *text, double *x) {
  static const char *const words[][2] = {
      {"0", "1"}, {"false", "true"}, {"no", "yes"}, {"off", "on"}};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
    for (int value = 0; value < 2; ++value) {
      if (strcasecmp(text, words[i][value]) == 0) {
        *x = value;
        return BASE_OK;
      }
    }
  }
  return base_fail(BASE_E_INPUT, "%s '%s' = '%s' is none of 0, 1, false, true, no, yes, off, on",
                   owner, key->name, text);
}

int base_key_parse(const struct base_key *key, const char *owner, const char *text, double *x) {
  double value = 0;
  int status;
  if ((key->types & BASE_TEXT) != 0) {
    value = base_key_find_choice(key, text);
    status = value >= 0 ? BASE_OK : BASE_E_INPUT;
  } else if ((key->types & BASE_FLAG) != 0) {
    return parse_flag(key, owner, text, x);
  } else {
    status = (key->types & BASE_REAL) != 0 ? parse_real(key, owner, text, &value)
                                           : parse_whole(key, owner, text, &value);
    if (status != BASE_OK) {
      return status;
    }
    status = base_key_check_real(key, value);
  }
  if (status != BASE_OK) {
    base_message_prefix("%s '%s': ", owner, key->name);
    return status;
  }
  *x = value;
  return BASE_OK;
}
