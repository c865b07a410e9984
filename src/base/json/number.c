/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers as JSON text. A number is printed by the shortest of %.15g, %.16g and %.17g that reads
 * back as the same double; 17 digits always do, and "-0" keeps its sign. cJSON's own printing stops
 * at a relative difference of one epsilon.
 *
 * Most digits are found without printf and strtod, which take a tenth of a millisecond for a
 * hundred numbers. x 10^k, with 17 digits before the point, is taken in numbers of 64 bits: powers
 * of ten up to 10^27 are exact there, so that two products at most are rounded, by 2^-64 each,
 * which is less than SURE of the last of 17 digits. A decision that lies nearer to its threshold
 * than that is left to printf and strtod, as is all else: other kinds of long double, numbers too
 * large or too small, powers of two (whose neighbours are not equally far), carries into another
 * digit.
 */
#include "base/json/json.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  DIGITS = 17,
  SHORTEST = 15,      /* digits, of which every double of so many reads back */
  EXPONENT_MIN = -38, /* k of two exact factors */
  FIXED_MIN = -4      /* below, %g prints an exponent */
};

static void print_by_trial(double x, char buffer[BASE_JSON_NUMBER_SIZE]) {
  char longer[BASE_JSON_NUMBER_SIZE];
  buffer[0] = '\0';
  for (int digits = SHORTEST; digits <= DIGITS; digits++) {
    snprintf(longer, sizeof longer, "%.*g", digits, x);
    const int first = buffer[0] == '\0';
    if (strtod(longer, NULL) == x && (first || strlen(longer) < strlen(buffer))) {
      memcpy(buffer, longer, sizeof longer);
    }
    /* more digits are shorter only if they spare the exponent: 1234567890123460 */
    if (buffer[0] != '\0' && !strchr(buffer, 'e')) {
      break;
    }
  }
}

#if LDBL_MANT_DIG == 64
static const long double SURE = 1.0L / 64; /* 2 x 2^-64 x 10^17 is 0.011 */

/* 10^k, 0 <= k <= 27, which is exact. */
static long double power_of_ten(int k) {
  long double power = 1;
  for (long double base = 10; k > 0; k >>= 1, base *= base) {
    power = k & 1 ? power * base : power;
  }
  return power;
}

/* x as 0.ddd of `digits` digits times 10^(exponent + 1). 0: it is not sure which. x > 0. */
static int find_digits(double x, uint64_t *digits, int *exponent) {
  enum { EXACT = 27 };
  static const uint64_t whole = UINT64_C(10000000000000000); /* 10^16 */
  int binary;
  const double fraction = frexp(x, &binary);
  int e = (int)floor((binary - 1) * 0.30102999566398120); /* or one less than it is */
  if (fraction == 0.5 || e < EXPONENT_MIN + 1 || e >= SHORTEST) {
    return 0;
  }
  long double scale[2], scaled = 0;
  for (int round = 0; round < 2; ++round) {
    const int k = DIGITS - 1 - e;
    scale[0] = power_of_ten(k < EXACT ? k : EXACT);
    scale[1] = power_of_ten(k < EXACT ? 0 : k - EXACT);
    scaled = x * scale[0] * scale[1];
    if (scaled < 10.0L * (long double)whole) {
      break;
    }
    ++e;
  }
  const uint64_t floor17 = (uint64_t)scaled;
  const long double rest = scaled - (long double)floor17;
  const long double half_ulp = ldexpl(1, binary - DBL_MANT_DIG - 1) * scale[0] * scale[1];
  if (floor17 <= whole || floor17 >= 10 * whole - 100 || e >= SHORTEST) {
    return 0;
  }
  *exponent = e;
  for (uint64_t unit = 100; unit > 0; unit /= 10) {
    const long double above = (long double)(floor17 % unit) + rest; /* of the digits kept */
    if (fabsl(above - 0.5L * (long double)unit) < SURE) {
      return 0;
    }
    const int up = above > 0.5L * (long double)unit;
    const long double error = up ? (long double)unit - above : above;
    if (fabsl(error - half_ulp) < SURE) {
      return 0;
    }
    if (error < half_ulp || unit == 1) {
      *digits = floor17 - floor17 % unit + (up ? unit : 0);
      return *digits < 10 * whole;
    }
  }
  return 0;
}

/* As %g does, from 17 digits. */
static void put_digits(int is_negative, uint64_t digits, int exponent, char *out) {
  char text[DIGITS + 1];
  int n = DIGITS;
  for (int i = DIGITS - 1; i >= 0; --i, digits /= 10) {
    text[i] = (char)('0' + digits % 10);
  }
  while (n > 1 && text[n - 1] == '0') {
    --n;
  }
  const int is_fixed = exponent >= FIXED_MIN;
  const int before = !is_fixed ? 1 : exponent >= 0 ? exponent + 1 : 0; /* digits before the point */
  if (is_negative) {
    *out++ = '-';
  }
  if (before == 0) {
    *out++ = '0';
    *out++ = '.';
    for (int i = -1; i > exponent; --i) {
      *out++ = '0';
    }
  }
  for (int i = 0; i < n || i < before; ++i) {
    if (i == before && before > 0) {
      *out++ = '.';
    }
    *out++ = text[i];
  }
  if (!is_fixed) {
    *out++ = 'e';
    *out++ = '-';
    *out++ = (char)('0' - exponent / 10);
    *out++ = (char)('0' - exponent % 10);
  }
  *out = '\0';
}

static int print_surely(double x, char *buffer) {
  uint64_t digits = 0;
  int exponent = 0;
  if (x == 0 || !find_digits(fabs(x), &digits, &exponent)) {
    return 0;
  }
  put_digits(x < 0, digits, exponent, buffer);
  return 1;
}
#else
static int print_surely(double x, char *buffer) {
  (void)x;
  (void)buffer;
  return 0;
}
#endif

/* A whole number of 15 digits at most, which %.15g prints as it is. */
static int print_whole(double x, char *buffer) {
  static const double most = 1e15;
  if (!(fabs(x) < most) || x != rint(x) || (x == 0 && signbit(x))) {
    return 0;
  }
  char reversed[BASE_JSON_NUMBER_SIZE];
  int n = 0;
  uint64_t left = (uint64_t)fabs(x);
  do {
    reversed[n++] = (char)('0' + left % 10);
    left /= 10;
  } while (left > 0);
  if (x < 0) {
    *buffer++ = '-';
  }
  while (n > 0) {
    *buffer++ = reversed[--n];
  }
  *buffer = '\0';
  return 1;
}

const char *base_json_number(double x, char buffer[BASE_JSON_NUMBER_SIZE]) {
  if (!isfinite(x)) {
    snprintf(buffer, BASE_JSON_NUMBER_SIZE, "null");
  } else if (!print_whole(x, buffer) && !print_surely(x, buffer)) {
    print_by_trial(x, buffer);
  }
  return buffer;
}
