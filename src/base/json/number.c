/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers as JSON text: the shortest of %.15g, %.16g and %.17g that reads back as the same double.
 * 17 digits always do, and "-0" keeps its sign. cJSON's own printing stops at a relative difference
 * of one epsilon.
 */
#include "base/json/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  FEWEST = 15,
  MOST = 17
}; /* digits: every double of 15 reads back, and 17 give every double */

const char *base_json_number(double x, char buffer[BASE_JSON_NUMBER_SIZE]) {
  char longer[BASE_JSON_NUMBER_SIZE];
  snprintf(buffer, BASE_JSON_NUMBER_SIZE, "null");
  for (int digits = FEWEST, found = 0; digits <= MOST && isfinite(x); ++digits) {
    snprintf(longer, sizeof longer, "%.*g", digits, x);
    if (strtod(longer, NULL) == x && (!found || strlen(longer) < strlen(buffer))) {
      memcpy(buffer, longer, sizeof longer);
      found = 1;
    }
    /* more digits are shorter only if they spare the exponent: 1234567890123460 */
    if (found && strchr(buffer, 'e') == NULL) {
      break;
    }
  }
  return buffer;
}
