/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers with as many digits as their intervals allow: by hand, and on random intervals, where
 * what is read back is off by no more than rounding may change.
 */
#include "base/number.h"

#include "base/rng.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>

TEST(have_the_digits_of_their_interval) {
  static const struct {
    double x, lo, hi;
    const char *text;
  } known[] = {
      {0.01234, 0.01191, 0.01312, "0.0123 (0.0119 to 0.0131)"},
      {0.01234, 0.012339, 0.012341, "0.0123400 (0.0123390 to 0.0123410)"},
      {1.2345, -3, 7, "1 (-3 to 7)"},
      {0.5, 0.02, 0.98, "0.5 (0.02 to 1.0)"},
      {0.0123, 0.00021, 1.53, "0.01 (0.0002 to 1.53)"},
      {-0.001, -0.04, 0.05, "0.00 (-0.04 to 0.05)"},
      {12345, 12021, 12688, "12300 (12000 to 12700)"},
      {1.2345e-5, 1.19e-5, 1.31e-5, "1.23e-5 (1.19e-5 to 1.31e-5)"},
      {4.5678e7, 4.4e7, 4.8e7, "4.57e7 (4.40e7 to 4.80e7)"},
      {-1e-7, -3e-5, 2.2e-5, "0 (-3e-5 to 2e-5)"},
      {0.01234, NAN, NAN, "0.0123 (no interval)"},
      {0.01234, 0.01234, 0.01234, "0.0123 (0.0123 to 0.0123)"},
      {0, 0, 0, "0 (0 to 0)"},
      {0.01234, 0.0119, INFINITY, "0.0123 (0.0119 to inf)"},
      {INFINITY, 0.0119, INFINITY, "inf (0.0119 to inf)"},
      {0, -INFINITY, INFINITY, "0 (-inf to inf)"},
      {NAN, NAN, NAN, "none (no interval)"},
  };
  struct base_arena *arena = base_arena_alloc();
  for (int i = 0; i < (int)(sizeof known / sizeof known[0]); ++i) {
    CHECK_TEXT(base_number_interval(arena, known[i].x, known[i].lo, known[i].hi), known[i].text);
  }
  CHECK_TEXT(base_number_within(arena, 0.01234, 0.01191, 0.01312), "0.0123");
  base_arena_free(arena);
}

TEST(are_changed_by_a_quarter_of_what_is_known_at_most) {
  struct base_arena *arena = base_arena_alloc();
  struct base_rng *rng = base_rng_alloc(test_seed());
  for (int k = 0; k < 20000; ++k) {
    const struct base_arena_mark mark = base_arena_mark(arena);
    const double size = pow(10, base_rng_uniform(rng, -12, 12));
    const double x = size * base_rng_normal(rng), width = size * base_rng_uniform(rng, 1e-6, 2);
    const double lo = x - width * base_rng_uniform(rng, 0.2, 1), hi = x + width;
    const char *text = base_number_interval(arena, x, lo, hi);
    char *end;
    const double read = strtod(text, &end);
    CHECK(strncmp(end, " (", 2) == 0);
    const double read_lo = strtod(end + 2, &end);
    CHECK(strncmp(end, " to ", 4) == 0);
    const double read_hi = strtod(end + 4, &end);
    CHECK_TEXT(end, ")");
    const double most = 0.2500001 * (x - lo);
    CHECK_MESSAGE(fabs(read - x) <= most && fabs(read_lo - lo) <= most &&
                      fabs(read_hi - hi) <= most,
                  "%s of %.17g (%.17g to %.17g)", text, x, lo, hi);
    base_arena_release(arena, mark);
  }
  base_rng_free(rng);
  base_arena_free(arena);
}

TEST_MAIN()
