/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A test binary a module. Tests register themselves; every failure is reported and the test goes
 * on.
 *
 *   #include "tests/test.h"
 *   TEST(projection_is_idempotent) { CHECK_NEAR(a, b, 1e-14); }
 *
 * Usage of a binary: <binary> [-l] [substring of a name]... . It ends with a line
 * "<binary>: N passed, N failed, N skipped" and exit status 0 if and only if none failed and at
 * least one test ran. SKIP("reason") ends a test that cannot run here, visibly and counted. Random
 * tests draw from TEST_SEED, printed on failure; the environment variable TEST_SEED replaces it.
 */
#ifndef TESTS_TEST_H
#define TESTS_TEST_H

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/memory/arena.h"
#include "base/rng.h"
#include "base/status.h"

struct cJSON;

void test_register(const char *name, void (*run)(void));
int test_main(int argc, char **argv); /* called by main.c */
void test_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void test_check_status(const char *file, int line, const char *call, int status, int expected,
                       const char *says);
void test_skip(const char *reason) __attribute__((noreturn));
unsigned long test_seed(void);

/* What a test draws from and allocates in, gone with the test: random numbers of TEST_SEED +
 * offset, begun anew at each call; one arena; a value that is returned as it is. */
struct base_rng *test_rng(unsigned long offset);
struct base_arena *test_arena(void);
struct cJSON *test_json(struct cJSON *value);
/* A text with " for ', and JSON that is written so; a failed check where it is none. */
const char *test_quoted(const char *text);
struct cJSON *test_parse(const char *text);
/* For what else a test makes: `give_back` of it when the test has ended, the youngest first. */
void test_at_end(void (*give_back)(void *), void *what);

#define TEST(name)                                                                                 \
  static void test_##name(void);                                                                   \
  __attribute__((constructor)) static void test_register_##name(void) {                            \
    test_register(#name, test_##name);                                                             \
  }                                                                                                \
  static void test_##name(void)

#define SKIP(reason) test_skip(reason)

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      test_fail(__FILE__, __LINE__, "%s", #condition);                                             \
    }                                                                                              \
  } while (0)

/* CHECK with a message, printf style. */
#define CHECK_MESSAGE(condition, ...)                                                              \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      test_fail(__FILE__, __LINE__, __VA_ARGS__);                                                  \
    }                                                                                              \
  } while (0)

/* The largest |x_i - y_i| of n; NaN where any is. */
double test_distance(int n, const double *x, const double *y);

/* Whether n numbers are the same bit for bit. */
int test_same_bits(const double *a, const double *b, int n);

/* |a - b| <= tolerance; fails on NaN. */
#define CHECK_NEAR(a, b, tolerance)                                                                \
  do {                                                                                             \
    const double check_a = (a), check_b = (b), check_tolerance = (tolerance);                      \
    if (!(fabs(check_a - check_b) <= check_tolerance)) {                                           \
      test_fail(__FILE__, __LINE__, "%s = %.17g, %s = %.17g, differ by %.3g > %.3g", #a, check_a,  \
                #b, check_b, fabs(check_a - check_b), check_tolerance);                            \
    }                                                                                              \
  } while (0)

/* a <= b; fails on NaN. */
#define CHECK_LE(a, b)                                                                             \
  do {                                                                                             \
    const double check_a = (a), check_b = (b);                                                     \
    if (!(check_a <= check_b)) {                                                                   \
      test_fail(__FILE__, __LINE__, "%s = %.17g > %s = %.17g", #a, check_a, #b, check_b);          \
    }                                                                                              \
  } while (0)

#define CHECK_INT(a, b)                                                                            \
  do {                                                                                             \
    const long check_a = (long)(a), check_b = (long)(b);                                           \
    if (check_a != check_b) {                                                                      \
      test_fail(__FILE__, __LINE__, "%s = %ld, %s = %ld", #a, check_a, #b, check_b);               \
    }                                                                                              \
  } while (0)

/* A call must return this status, and base_message() hold `says`. */
#define CHECK_REFUSED(call, status, says)                                                          \
  test_check_status(__FILE__, __LINE__, #call, call, status, says)
/* It must be BASE_OK; else its message is told. */
#define CHECK_OK(call) test_check_status(__FILE__, __LINE__, #call, call, BASE_OK, NULL)

#define CHECK_TEXT(a, b)                                                                           \
  do {                                                                                             \
    const char *check_a = (a), *check_b = (b);                                                     \
    if (check_a == NULL || check_b == NULL || strcmp(check_a, check_b) != 0) {                     \
      test_fail(__FILE__, __LINE__, "%s = \"%s\", %s = \"%s\"", #a,                                \
                check_a != NULL ? check_a : "NULL", #b, check_b != NULL ? check_b : "NULL");       \
    }                                                                                              \
  } while (0)

#endif
