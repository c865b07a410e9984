/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The test driver; see test.h.
 */
#include "tests/test.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json/json.h"
#include "la/dense.h"

enum { TEST_CAPACITY = 512, TEST_REPORTS = 10 };

static struct {
  const char *name;
  void (*run)(void);
} tests[TEST_CAPACITY];
static int test_count;
static int failures_here; /* of the running test */
static jmp_buf skip_point;
static const char *skip_reason;
static const char *volatile running;
static struct base_arena *arena_here;
static struct owned {
  void (*give_back)(void *);
  void *what;
  struct owned *older;
} * owned_here;

void test_register(const char *name, void (*run)(void)) {
  if (test_count == TEST_CAPACITY) {
    fprintf(stderr, "test: too many tests in one binary\n");
    exit(2);
  }
  tests[test_count].name = name;
  tests[test_count].run = run;
  ++test_count;
}

double test_distance(int n, const double *x, const double *y) {
  double largest = 0;
  for (int i = 0; i < n; ++i) {
    const double d = fabs(x[i] - y[i]);
    largest = !(d <= largest) ? d : largest;
  }
  return largest;
}

int test_same_bits(const double *a, const double *b, int n) {
  return memcmp((const void *)a, (const void *)b, (size_t)n * sizeof *a) == 0;
}

void test_fail(const char *file, int line, const char *format, ...) {
  ++failures_here;
  if (failures_here > TEST_REPORTS) {
    return; /* counted, not printed */
  }
  va_list args;
  va_start(args, format);
  printf("  %s:%d: ", file, line);
  vprintf(format, args);
  putchar('\n');
  va_end(args);
}

void test_check_status(const char *file, int line, const char *call, int status, int expected,
                       const char *says) {
  if (status != expected) {
    test_fail(file, line, "%s is %s, not %s: %s", call, base_status_name(status),
              base_status_name(expected), base_message());
  } else if (says != NULL && strstr(base_message(), says) == NULL) {
    test_fail(file, line, "%s: '%s' is not in '%s'", call, says, base_message());
  }
}

void test_skip(const char *reason) {
  skip_reason = reason;
  longjmp(skip_point, 1);
}

unsigned long test_seed(void) {
  const char *text = getenv("TEST_SEED");
  return text != NULL ? strtoul(text, NULL, 10) : 20170131UL;
}

struct base_arena *test_arena(void) {
  arena_here = arena_here != NULL ? arena_here : base_arena_alloc();
  return arena_here;
}

void test_at_end(void (*give_back)(void *), void *what) {
  struct owned *owned = malloc(sizeof *owned);
  if (owned == NULL) {
    perror("test");
    exit(2);
  }
  *owned = (struct owned){give_back, what, owned_here};
  owned_here = owned;
}

static void give_back_rng(void *rng) { base_rng_free(rng); }

struct base_rng *test_rng(unsigned long offset) {
  struct base_rng *rng = base_rng_alloc(test_seed() + offset);
  test_at_end(give_back_rng, rng);
  return rng;
}

static void give_back_json(void *value) { cJSON_Delete(value); }

struct cJSON *test_json(struct cJSON *value) {
  test_at_end(give_back_json, value);
  return value;
}

const char *test_quoted(const char *text) {
  char *copy = base_arena_copy(test_arena(), text);
  for (char *c = strchr(copy, '\''); c != NULL; c = strchr(c, '\'')) {
    *c = '"';
  }
  return copy;
}

struct cJSON *test_parse(const char *text) {
  cJSON *value = test_json(base_json_parse(test_quoted(text), "test"));
  if (value == NULL) {
    test_fail(__FILE__, __LINE__, "%s: %s", base_message(), text);
  }
  return value;
}

static void clean_up(void) {
  while (owned_here != NULL) {
    struct owned *owned = owned_here;
    owned_here = owned->older;
    owned->give_back(owned->what);
    free(owned);
  }
  base_arena_free(arena_here);
  arena_here = NULL;
}

static int is_selected(const char *name, int argc, char **argv) {
  int filters = 0;
  for (int i = 1; i < argc; ++i) {
    ++filters;
    if (strstr(name, argv[i]) != NULL) {
      return 1;
    }
  }
  return filters == 0;
}

#ifndef __SANITIZE_ADDRESS__ /* which tells more by itself */
/* Name the test that crashed, then die of the signal all the same. */
static void on_crash(int signal_number) {
  static const char text[] = "CRASH ";
  const char *name = running != NULL ? running : "(no test)";
  if (write(STDOUT_FILENO, text, sizeof text - 1) < 0 ||
      write(STDOUT_FILENO, name, strlen(name)) < 0 || write(STDOUT_FILENO, "\n", 1) < 0) {
    _exit(2);
  }
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

static void watch_for_crashes(void) {
  static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; ++i) {
    signal(signals[i], on_crash);
  }
}
#else
static void watch_for_crashes(void) {}
#endif

int test_main(int argc, char **argv) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (argc > 1 && strcmp(argv[1], "-l") == 0) {
    for (int i = 0; i < test_count; ++i) {
      puts(tests[i].name);
    }
    return 0;
  }
  watch_for_crashes();
  la_init();
  int passed = 0, failed = 0, skipped = 0;
  for (int i = 0; i < test_count; ++i) {
    if (!is_selected(tests[i].name, argc, argv)) {
      continue;
    }
    clean_up(); /* after the test before, which may have been skipped half-way */
    failures_here = 0;
    running = tests[i].name;
    if (setjmp(skip_point) == 0) {
      tests[i].run();
    } else if (failures_here == 0) { /* a check that failed before the skip still counts */
      printf("SKIP  %s: %s\n", tests[i].name, skip_reason);
      ++skipped;
      continue;
    }
    if (failures_here == 0) {
      ++passed;
    } else {
      printf("FAIL  %s (%d checks failed, seed %lu)\n", tests[i].name, failures_here, test_seed());
      ++failed;
    }
  }
  clean_up();
  const char *base = strrchr(argv[0], '/');
  printf("%s: %d passed, %d failed, %d skipped\n", base != NULL ? base + 1 : argv[0], passed,
         failed, skipped);
  return failed == 0 && passed + skipped > 0 ? 0 : 1;
}
