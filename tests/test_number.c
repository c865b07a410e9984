/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers as text, by hand.
 */
#include "base/number.h"

#include "tests/test.h"

#include <stdio.h>

TEST(exponents_lose_their_padding) {
  static const char *const known[][2] = {{"1.17e-04", "1.17e-4"}, {"1.17e-10", "1.17e-10"},
                                         {"4e+07", "4e7"},        {"4e+100", "4e100"},
                                         {"0.0123", "0.0123"},    {"-2e-300", "-2e-300"}};
  for (int i = 0; i < (int)(sizeof known / sizeof known[0]); ++i) {
    char text[16];
    snprintf(text, sizeof text, "%s", known[i][0]);
    base_number_unpad(text);
    CHECK_TEXT(text, known[i][1]);
  }
}
