/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers from text and as text; see number.h.
 */
#include "base/number.h"

#include "base/status.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void base_number_unpad(char *text) {
  char *exponent = strchr(text, 'e');
  if (exponent != NULL) {
    exponent += exponent[1] == '-' ? 2 : 1;
    const size_t padding = strspn(exponent, "+0");
    memmove(exponent, exponent + padding, strlen(exponent + padding) + 1);
  }
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
