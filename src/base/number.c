/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers as text; see number.h.
 */
#include "base/number.h"

#include <string.h>

void base_number_unpad(char *text) {
  char *exponent = strchr(text, 'e');
  if (exponent != NULL) {
    exponent += exponent[1] == '-' ? 2 : 1;
    const size_t padding = strspn(exponent, "+0");
    memmove(exponent, exponent + padding, strlen(exponent + padding) + 1);
  }
}
