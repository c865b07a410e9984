/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers from text, and measured ones as text; see number.h.
 */
#include "base/number.h"

#include "base/status.h"

#include <ctype.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  DIGITS = 3,          /* of a number without an interval */
  SMALLEST_PLAIN = -3, /* powers of ten that are written without an exponent */
  LARGEST_PLAIN = 5
};

void base_number_unpad(char *text) {
  char *exponent = strchr(text, 'e');
  if (exponent != NULL) {
    exponent += exponent[1] == '-' ? 2 : 1;
    const size_t padding = strspn(exponent, "+0");
    memmove(exponent, exponent + padding, strlen(exponent + padding) + 1);
  }
}

static int power_of(double x) { return x == 0 ? INT_MIN : (int)floor(log10(fabs(x))); }

/* Power of ten of the last digit, see number.h; INT_MIN: the interval does not say. */
static int last_power(double x, double lo, double hi) {
  const double below = x - lo, above = hi - x;
  const double nearer = isfinite(lo) && isfinite(hi) ? fmax(fmin(below, above), (hi - lo) / 20)
                        : isfinite(lo)               ? below
                                                     : above;
  return isfinite(nearer) && nearer > 0 ? power_of(nearer / 2) : INT_MIN;
}

/* One number to the power `last`. */
static const char *text_of(struct base_arena *arena, double x, int last, int is_plain) {
  if (!isfinite(x)) {
    return isnan(x) ? "none" : x < 0 ? "-inf" : "inf";
  }
  char text[DBL_MAX_10_EXP + DBL_DIG + 8];
  const double unit = pow(10, last);
  if (is_plain && last > 0) {
    snprintf(text, sizeof text, "%.0f", round(x / unit) * unit);
  } else if (is_plain) {
    snprintf(text, sizeof text, "%.*f", -last, x);
  } else if (fabs(x) < unit / 2) {
    snprintf(text, sizeof text, "0");
  } else {
    const int digits = power_of(x) - last;
    snprintf(text, sizeof text, "%.*e", digits > 0 ? digits : 0, x);
    base_number_unpad(text);
  }
  const int is_zero = strspn(text, "-0.") == strlen(text);
  return base_arena_copy(arena, text + (is_zero && text[0] == '-'));
}

/* x as one of the numbers of the interval: itself or an end. */
static const char *one_of(struct base_arena *arena, double x, double value, double lo, double hi) {
  int last = last_power(value, lo, hi);
  const int has_zero = !(lo > 0 || hi < 0);
  if (last == INT_MIN) {
    last = x == 0 || !isfinite(x) ? 0 : power_of(x) - (DIGITS - 1);
  }
  const double ends[] = {value, lo, hi};
  int largest = INT_MIN;
  for (int i = 0; i < 3; ++i) {
    const int power = isfinite(ends[i]) ? power_of(ends[i]) : INT_MIN;
    largest = largest > power ? largest : power;
  }
  const int is_plain =
      largest == INT_MIN || (largest >= SMALLEST_PLAIN && largest <= LARGEST_PLAIN);
  if (!has_zero && isfinite(x) && x != 0 && power_of(x) < last) {
    last = power_of(x);
  }
  return text_of(arena, x, last, is_plain);
}

const char *base_number_within(struct base_arena *arena, double x, double lo, double hi) {
  return one_of(arena, x, x, lo, hi);
}

const char *base_number_interval(struct base_arena *arena, double x, double lo, double hi) {
  const char *value = base_number_within(arena, x, lo, hi);
  return isnan(lo) || isnan(hi)
             ? base_arena_printf(arena, "%s (no interval)", value)
             : base_arena_printf(arena, "%s (%s to %s)", value, one_of(arena, lo, x, lo, hi),
                                 one_of(arena, hi, x, lo, hi));
}

int base_read_real(const char *text, const char **rest, double *x) {
  static const char letters[] = "+-.0123456789eE";
  char *end = NULL;
  const double value = strtod(text, &end);
  const char *first = text + (text[0] == '+' || text[0] == '-');
  const int is_word = tolower((unsigned char)*first) == 'i'; /* inf, infinity */
  if (isspace((unsigned char)text[0]) || end == text) {
    return base_fail(BASE_E_INPUT, "'%s' is not a number", text);
  }
  if (isnan(value)) {
    return base_fail(BASE_E_INPUT, "'%s' is no value", text);
  }
  if (!is_word && strspn(text, letters) < (size_t)(end - text)) {
    return base_fail(BASE_E_INPUT, "'%s' is not a decimal number", text);
  }
  if (!is_word && isinf(value)) {
    return base_fail(BASE_E_INPUT, "'%s' is too large for a double", text);
  }
  *rest = end;
  *x = value;
  return BASE_OK;
}

int base_parse_real(const char *text, double *x) {
  const char *rest = text;
  double value = 0;
  if (text[0] == '\0') {
    return base_fail(BASE_E_INPUT, "a number is missing");
  }
  const int status = base_read_real(text, &rest, &value);
  if (status == BASE_OK && *rest != '\0') {
    return base_fail(BASE_E_INPUT, "'%s' is not a number", text);
  }
  if (status == BASE_OK) {
    *x = value;
  }
  return status;
}
