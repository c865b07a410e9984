/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Statuses and messages, scratch memory, random numbers, sorting, names, hashes, and the place of
 * the data.
 */
#include "base/bytes/hash.h"
#include "base/clock.h"
#include "base/data.h"
#include "base/names.h"
#include "base/sort.h"
#include "tests/scratch.h"
#include "tests/test.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ALIGNMENT 64

static int compare_ints(const void *x, const void *y) {
  const int a = *(const int *)x, b = *(const int *)y;
  return (a > b) - (a < b);
}

/* Against qsort: short and long lists, in order, backwards, with many equal numbers. */
TEST(lists_are_sorted_in_place) {
  struct base_rng *rng = test_rng(0);
  enum { LONGEST = 500 };
  for (int k = 0; k < 400; k++) {
    int x[LONGEST], expected[LONGEST];
    const int n = (int)base_rng_uniform(rng, 0, k < 200 ? 40 : LONGEST);
    const double range = k % 2 == 0 ? 10 : 1e9;
    for (int i = 0; i < n; i++) {
      x[i] = k % 5 == 0 ? i : k % 5 == 1 ? -i : (int)base_rng_uniform(rng, -range, range);
    }
    memcpy(expected, x, sizeof x);
    qsort(expected, (size_t)n, sizeof *x, compare_ints);
    base_sort_ints(n, x);
    CHECK(memcmp(x, expected, (size_t)n * sizeof *x) == 0);
  }
}

/* Keys ascend, values go along, and equal keys stay in order; digits up to the last of 64 bits. */
TEST(keys_are_sorted_with_their_values) {
  struct base_rng *rng = test_rng(0);
  enum { LONGEST = 300 };
  for (int bits = 1; bits <= 64; bits++) {
    const uint64_t largest = bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
    const int n = (int)base_rng_uniform(rng, 0, LONGEST);
    uint64_t key[LONGEST], given[LONGEST], scratch[2 * LONGEST];
    int value[LONGEST];
    CHECK(sizeof scratch >= (size_t)LONGEST * BASE_SORT_SCRATCH);
    for (int i = 0; i < n; i++) {
      const uint64_t high = (uint64_t)base_rng_uniform(rng, 0, 0x1p32);
      const uint64_t low = (uint64_t)base_rng_uniform(rng, 0, 0x1p32);
      key[i] = given[i] = (high << 32 | low) & largest;
      value[i] = i;
    }
    base_sort_by_key(n, key, value, largest, scratch);
    for (int i = 0; i < n; i++) {
      CHECK(key[i] == given[value[i]]);
      CHECK(i == 0 || key[i - 1] < key[i] || (key[i - 1] == key[i] && value[i - 1] < value[i]));
    }
  }
}

TEST(status_names_read_back) {
  int count = 0;
  for (int status = -10; status <= 10; status++) {
    int read = 99;
    if (strcmp(base_status_name(status), "?") == 0) {
      CHECK_TEXT(base_status_meaning(status), "");
      continue;
    }
    count++;
    CHECK_OK(base_status_parse(base_status_name(status), &read));
    CHECK_INT(read, status);
    CHECK(strlen(base_status_meaning(status)) > 0);
  }
  CHECK_INT(count, 11);
  int untouched = 42;
  CHECK_INT(base_status_parse("OK", &untouched), BASE_E_INPUT);
  CHECK_INT(untouched, 42);
  CHECK_TEXT(base_message(), "unknown status 'OK'");
}

TEST(message_is_one_line_and_may_quote_itself) {
  CHECK_REFUSED(base_fail(BASE_E_IO, "line one\nline %d\r", 2), BASE_E_IO, "line one line 2 ");
  base_fail(BASE_E_IO, "<%s>", base_message());
  CHECK_TEXT(base_message(), "<line one line 2 >");
  base_message_prefix("%s: ", "file");
  CHECK_TEXT(base_message(), "file: <line one line 2 >");
}

/* A name of a megabyte, or a thousand words, leave what stands before and behind them readable. */
TEST(message_too_long_is_cut_in_the_middle) {
  enum { LONG = 1 << 20 };
  char *text = malloc(LONG + 1);
  text[LONG] = '\0';
  for (int i = 0; i < LONG; i += 2) {
    memcpy(text + i, "\xC3\xA4", 2);
  }
  base_fail(BASE_E_INPUT, "file.json: key '%s': missing", text);
  CHECK_LE((double)strlen(base_message()), 300);
  CHECK(strncmp(base_message(), "file.json: key '\xC3\xA4", 18) == 0);
  CHECK(strstr(base_message(), "\xC3\xA4...\xC3\xA4") != NULL); /* whole characters */
  CHECK_TEXT(base_message() + strlen(base_message()) - 9, ": missing");
  base_message_prefix("cell '%s': ", text);
  CHECK_LE((double)strlen(base_message()), 600);
  CHECK(strncmp(base_message(), "cell '\xC3\xA4", 8) == 0);
  CHECK_TEXT(base_message() + strlen(base_message()) - 9, ": missing");
  for (int i = 0; i < LONG; ++i) {
    text[i] = i % 8 < 7 ? 'a' : ' ';
  }
  base_fail(BASE_E_INPUT, "file.json: key '%s': missing", text);
  CHECK_LE((double)strlen(base_message()), 2047);
  CHECK(strncmp(base_message(), "file.json: key 'aaaaaaa ", 24) == 0);
  CHECK_TEXT(base_message() + strlen(base_message()) - 9, ": missing");
  free(text);
}

static void *fail_elsewhere(void *first_message) {
  *(size_t *)first_message = strlen(base_message());
  base_fail(BASE_E_IO, "of another thread");
  return NULL;
}

TEST(message_belongs_to_its_thread) {
  pthread_t thread;
  size_t length = 99;
  base_fail(BASE_E_INPUT, "of this thread");
  CHECK_INT(pthread_create(&thread, NULL, fail_elsewhere, &length), 0);
  pthread_join(thread, NULL);
  CHECK_INT(length, 0);
  CHECK_TEXT(base_message(), "of this thread");
}

/* Pieces of many sizes: aligned, zeroed, apart from each other, and never moved or disturbed by
 * later ones. */
TEST(arena_pieces_are_aligned_zeroed_and_stay) {
  enum { count = 500 };
  static unsigned char *pieces[count];
  static size_t sizes[count];
  struct base_arena *arena = base_arena_child(test_arena());
  struct base_rng *rng = test_rng(0);
  size_t asked = 0, zeros_broken = 0, changed = 0;
  for (int i = 0; i < count; i++) {
    sizes[i] = (size_t)base_rng_below(rng, i % 50 == 0 ? 300000 : 2000);
    pieces[i] = base_arena_push(arena, sizes[i]);
    asked += sizes[i];
    CHECK((uintptr_t)pieces[i] % ALIGNMENT == 0);
    for (size_t j = 0; j < sizes[i]; j++) {
      zeros_broken += pieces[i][j] != 0;
    }
    memset(pieces[i], i % 255 + 1, sizes[i]);
  }
  for (int i = 0; i < count; i++) {
    for (size_t j = 0; j < sizes[i]; j++) {
      changed += pieces[i][j] != i % 255 + 1;
    }
  }
  CHECK_INT(zeros_broken, 0);
  CHECK_INT(changed, 0);
  CHECK(base_arena_peak(arena) >= asked);
  CHECK(base_arena_peak(arena) <= asked + (size_t)count * 2 * ALIGNMENT);
}

TEST(arena_release_gives_the_same_places_again_zeroed) {
  enum { steps = 4, pieces = 60 };
  struct base_arena *arena = base_arena_child(test_arena());
  double *kept = base_arena_doubles(arena, 3);
  kept[0] = 1.5;
  void *places[pieces];
  size_t peak = 0;
  for (int step = 0; step < steps; step++) {
    const struct base_arena_mark mark = base_arena_mark(arena);
    for (int i = 0; i < pieces; i++) {
      const int n = 1 + i * i * 10;
      double *x = base_arena_doubles(arena, n);
      CHECK(x[0] == 0 && x[n - 1] == 0);
      x[0] = x[n - 1] = 7;
      if (step == 0) {
        places[i] = x;
      }
      CHECK(x == places[i]);
    }
    if (step == 0) {
      peak = base_arena_peak(arena);
    }
    CHECK(base_arena_peak(arena) == peak);
    base_arena_release(arena, mark);
  }
  CHECK(kept[0] == 1.5);
}

TEST(arena_children_outlive_marks_after_them_and_go_with_those_before) {
  struct base_arena *arena = base_arena_alloc();
  const struct base_arena_mark before = base_arena_mark(arena);
  struct base_arena *child = base_arena_child(arena);
  const struct base_arena_mark after = base_arena_mark(arena);
  base_arena_child(base_arena_child(arena)); /* freed by the release; the leak checker sees to it */
  base_arena_doubles(arena, 100000);
  double *kept = base_arena_doubles(child, 100000);
  kept[99999] = 3;
  base_arena_release(arena, after);
  CHECK(kept[99999] == 3);
  base_arena_doubles(child, 10)[9] = 1;
  CHECK(base_arena_peak(arena) >= 1600000);
  const size_t with_child = base_arena_peak(arena);
  base_arena_release(arena, before);
  CHECK(base_arena_peak(arena) + 800000 <= with_child);
  base_arena_child(arena); /* goes with the arena */
  base_arena_free(arena);
}

TEST(arena_pieces_that_grow_keep_what_is_in_them) {
  struct base_arena *arena = base_arena_child(test_arena());
  double *x[2] = {NULL, NULL};
  int have = 0;
  for (int n = 5; n < 100000; n *= 3) {
    for (int k = 0; k < 2; ++k) {
      x[k] =
          base_arena_resize(arena, x[k], (size_t)have * sizeof(double), (size_t)n * sizeof(double));
      CHECK_INT((int)((uintptr_t)x[k] % ALIGNMENT), 0);
      for (int i = have; i < n; ++i) {
        x[k][i] = i + 0.5 * k;
      }
    }
    have = n;
    int same = 1;
    for (int i = 0; i < n; ++i) {
      same &= x[0][i] == i && x[1][i] == i + 0.5;
    }
    CHECK(same);
  }
  const size_t size = (size_t)have * sizeof(double);
  CHECK(base_arena_peak(arena) >= 2 * size && base_arena_peak(arena) <= 2 * size + size / 2);
}

TEST(arena_marks_nest) {
  struct base_arena *arena = base_arena_alloc();
  const struct base_arena_mark empty = base_arena_mark(arena);
  int *a = base_arena_ints(arena, 4);
  a[3] = 4;
  const struct base_arena_mark inner = base_arena_mark(arena);
  void *big = base_arena_push(arena, 1 << 20);
  memset(big, 1, 1 << 20);
  base_arena_release(arena, inner);
  CHECK_INT(a[3], 4);
  const char *text = base_arena_printf(arena, "%s-%d", base_arena_copy(arena, "abc"), 12);
  CHECK_TEXT(text, "abc-12");
  CHECK_INT(a[3], 4);
  base_arena_release(arena, empty);
  CHECK(base_arena_ints(arena, 4) == a);
  CHECK(base_arena_push(arena, 0) != NULL);
  base_arena_free(arena);
  base_arena_free(NULL);
}

TEST(clock_goes_forward_at_its_rate) {
  const double start = base_clock_now();
  usleep(20000);
  const double passed = base_clock_now() - start;
  CHECK_LE(0.02, passed);
  CHECK_LE(passed, 5); /* a loaded machine may sleep long, yet not in other units */
}

TEST(rng_is_mt19937) {
  /* seed 5489: the 10000th draw of the 32-bit generator is 4123659995 (ISO C++, [rand.predef]) */
  struct base_rng *rng = base_rng_alloc(5489);
  double x = 0;
  for (int i = 0; i < 10000; i++) {
    x = base_rng_uniform(rng, 0, 4294967296.0);
  }
  CHECK_NEAR(x, 4123659995.0, 0);
  base_rng_free(rng);
  base_rng_free(NULL);
}

TEST(rng_never_returns_the_upper_end) {
  struct base_rng *rng = test_rng(0);
  const double lo = 1, hi = nextafter(1, 2); /* every second draw would round to hi */
  int outside = 0;
  for (int i = 0; i < 1000; i++) {
    const double x = base_rng_uniform(rng, lo, hi);
    outside += !(x >= lo && x < hi);
  }
  CHECK_INT(outside, 0);
}

TEST(rng_below_is_fair) {
  enum { N = 70000, SIDES = 7 };
  struct base_rng *rng = test_rng(0);
  int faces[SIDES] = {0};
  for (int i = 0; i < N; ++i) {
    const int face = base_rng_below(rng, SIDES);
    const int is_face = face >= 0 && face < SIDES;
    CHECK_MESSAGE(is_face, "face %d of %d", face, SIDES);
    faces[is_face ? face : 0] += is_face;
  }
  for (int i = 0; i < SIDES; ++i) { /* six standard errors, of n p (1 - p) */
    const double mean = (double)N / SIDES;
    CHECK_NEAR(faces[i], mean, 6 * sqrt(mean * (1 - 1.0 / SIDES)));
  }
}

TEST(name_unknown_is_refused_with_help) {
  static const char *const names[] = {"penalty", "lcp-st", "lcp-ae", "ccp", "oscillator"};
  CHECK_INT(base_name_find("formulation", "ccp", 5, names), 3);
  CHECK_INT(base_name_find("formulation", "penatly", 5, names), -1);
  CHECK_TEXT(base_message(), "unknown formulation 'penatly'; did you mean 'penalty'? "
                             "known: penalty, lcp-st, lcp-ae, ccp, oscillator");
  CHECK_INT(base_name_find("formulation", "LCP_ST", 5, names), -1);
  CHECK(strstr(base_message(), "did you mean 'lcp-st'?") != NULL);
  CHECK_INT(base_name_find("formulation", "osc", 5, names), -1);
  CHECK(strstr(base_message(), "did you mean 'oscillator'?") != NULL);
  CHECK_INT(base_name_find("formulation", "quaternion", 5, names), -1);
  CHECK_TEXT(base_message(), "unknown formulation 'quaternion'; "
                             "known: penalty, lcp-st, lcp-ae, ccp, oscillator");
  CHECK_INT(base_name_find("solver", "x", 0, NULL), -1);
  CHECK_TEXT(base_message(), "unknown solver 'x'; known: none");
}

TEST(data_folder_follows_the_environment) {
  scratch_data("README.md", "", ""); /* sets it, and back when the test has ended */
  const char *folder = scratch_path("data");
  CHECK_TEXT(base_data_folder(), folder);
  CHECK(base_data_path(test_arena(), "missing.json") == NULL);
  CHECK(strstr(base_message(), "missing.json: No such file") != NULL);
  CHECK_TEXT(base_data_path(test_arena(), "README.md"),
             base_arena_printf(test_arena(), "%s/README.md", folder));
  setenv("COULOMBENCH_DATA", scratch_path("nowhere"), 1);
  CHECK(base_data_folder() == NULL);
  CHECK(strstr(base_message(), "is not a folder") != NULL);
}

/* The values published with the algorithm. */
TEST(hash_is_fnv_1a) {
  char text[BASE_HASH_TEXT];
  CHECK_TEXT(base_hash_print(base_hash(BASE_HASH_EMPTY, "", 0), text), "cbf29ce484222325");
  CHECK_TEXT(base_hash_print(base_hash(BASE_HASH_EMPTY, "a", 1), text), "af63dc4c8601ec8c");
  CHECK_TEXT(base_hash_print(base_hash(BASE_HASH_EMPTY, "foobar", 6), text), "85944171f73967e8");
  CHECK(base_hash(base_hash(BASE_HASH_EMPTY, "foo", 3), "bar", 3) ==
        base_hash(BASE_HASH_EMPTY, "foobar", 6));
  CHECK(base_hash_text(base_hash_text(BASE_HASH_EMPTY, "a"), "bc") !=
        base_hash_text(base_hash_text(BASE_HASH_EMPTY, "ab"), "c"));
}
