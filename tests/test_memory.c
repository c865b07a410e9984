/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sizes that do not fit: products that overflow, arrays beyond what the machine has, and work that
 * goes on without what it could not have.
 */
#include "base/json/json.h"
#include "base/memory/memory.h"
#include "tests/test.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct asking {
  struct base_arena *arena;
  size_t rows, cols, size;
  char *got;
};

static void ask(void *data) {
  struct asking *a = data;
  a->got = base_arena_array(a->arena, a->rows, a->cols, a->size);
}

static int asked(struct base_arena *arena, size_t rows, size_t cols, size_t size, char **got) {
  struct asking a = {.arena = arena, .rows = rows, .cols = cols, .size = size};
  const int status = base_memory_try(ask, &a);
  *got = a.got;
  return status;
}

TEST(arrays_are_zeroed_aligned_and_of_the_size_of_the_product) {
  struct base_arena *arena = base_arena_child(test_arena());
  const size_t sizes[][3] = {{1, 1, 1}, {0, 7, 8},      {7, 0, 8},
                             {3, 5, 8}, {1000, 300, 4}, {1, 9, 100}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const struct base_arena_mark mark = base_arena_mark(arena);
    const size_t n = sizes[i][0] * sizes[i][1] * sizes[i][2];
    for (int again = 0; again < 2; again++) {
      char *x;
      CHECK_OK(asked(arena, sizes[i][0], sizes[i][1], sizes[i][2], &x));
      CHECK((uintptr_t)x % 64 == 0);
      for (size_t k = 0; k < n; k++) {
        CHECK(x[k] == 0);
      }
      memset(x, 1, n);
      base_arena_release(arena, mark);
    }
  }
  double *M = base_arena_matrix(arena, 40, 50);
  M[40 * 50 - 1] = 1;
  CHECK(base_arena_doubles(arena, 1) >= M + 40 * 50);
}

/* Products of which some are small, zero or the right size again when they overflow. */
TEST(products_that_overflow_are_refused) {
  const size_t half = (size_t)1 << 32, odd = SIZE_MAX / 3 + 2; /* 3 odd = 5 in 64 bits */
  const size_t sizes[][3] = {{half, half, 1},
                             {half, half / 8, 8},
                             {half / 8, half, 8},
                             {odd, 3, 1},
                             {3, odd, 8},
                             {SIZE_MAX, 1, 8},
                             {1, SIZE_MAX, 1},
                             {1, SIZE_MAX / 8 + 2, 8},
                             {SIZE_MAX, SIZE_MAX, 8},
                             {1, 1, SIZE_MAX - 5},
                             {(size_t)PTRDIFF_MAX, 1, 1},
                             {1 << 24, 1 << 24, 8}};
  struct base_arena *arena = base_arena_child(test_arena());
  double *before = base_arena_doubles(arena, 10);
  before[9] = 3;
  const size_t peak = base_arena_peak(arena);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    char *x;
    CHECK_INT(asked(arena, sizes[i][0], sizes[i][1], sizes[i][2], &x), BASE_UNSUPPORTED);
    CHECK(x == NULL);
    CHECK(strncmp(base_message(), "needs ", 6) == 0);
  }
  CHECK(base_arena_peak(arena) == peak);
  double *after = base_arena_doubles(arena, 10); /* the arena goes on */
  CHECK(after > before && before[9] == 3 && after[0] == 0);
}

TEST(the_message_says_how_much_for_what_and_which_limit) {
  struct base_arena *arena = base_arena_child(test_arena());
  char *x;
  CHECK_INT(asked(arena, 1 << 24, 1 << 23, 8, &x), BASE_UNSUPPORTED);
  const char begin[] = "needs 1.13 PB for an array of 16777216 x 8388608; ";
  CHECK_MESSAGE(strncmp(base_message(), begin, sizeof begin - 1) == 0, "%s", base_message());
  CHECK_MESSAGE(strstr(base_message(), "the limit is ") != NULL, "%s", base_message());
}

/* Negative counts and long lists. */
TEST(counts_stay_within_int) {
  CHECK_INT(base_memory_int(INT_MAX), INT_MAX);
  CHECK_INT(base_memory_int(0), 0);
}

static void count_too_far(void *data) { *(int *)data = base_memory_int(1L + INT_MAX); }

TEST(counts_beyond_int_are_refused) {
  int n = -1;
  CHECK_INT(base_memory_try(count_too_far, &n), BASE_UNSUPPORTED);
  CHECK_INT(n, -1);
  CHECK_TEXT(base_message(),
             "needs a list of 2147483648 elements; the limit is 2147483647, that of its indices");
}

struct nest {
  struct base_arena *arena;
  int inner, reached;
};

static void do_nothing(void *data) { (void)data; }

static void nested(void *data) {
  struct nest *n = data;
  char *x;
  n->inner = asked(n->arena, SIZE_MAX, 2, 1, &x);
  CHECK_OK(base_memory_try(do_nothing, NULL));
  n->reached = 1;
  base_arena_array(n->arena, SIZE_MAX, 4, 1); /* to the outer one, the inner being over */
  n->reached = 2;
}

TEST(tries_nest) {
  struct nest n = {.arena = test_arena()};
  CHECK_INT(base_memory_try(nested, &n), BASE_UNSUPPORTED);
  CHECK_INT(n.inner, BASE_UNSUPPORTED);
  CHECK_INT(n.reached, 1);
}

/* What is handed out is given back with the arena: else what is left would shrink without end. */
TEST(what_is_claimed_is_given_back) {
  const struct base_memory_limit limit = base_memory_limit(0, 0);
  if (!isfinite(limit.total)) {
    SKIP("no limit is known");
  }
  CHECK(limit.used > 0 && limit.used < limit.total);
  CHECK(!base_memory_fits((size_t)limit.total, 2, 1));
  const size_t part = (size_t)(0.2 * (limit.total - limit.used));
  for (int k = 0; k < 20; k++) { /* four times what there is; nothing of it is written to */
    struct base_arena *arena = base_arena_alloc();
    CHECK(base_arena_push(arena, part) != NULL);
    base_arena_push(arena, 1);
    void *piece = base_arena_resize(base_arena_child(arena), NULL, 0, part / 4);
    CHECK(piece != NULL);
    base_arena_free(arena);
  }
}

/* The limit holds for all arenas together, though the system would grant each of the pieces. */
TEST(arenas_share_one_limit) {
  const struct base_memory_limit limit = base_memory_limit(0, 0);
  if (!isfinite(limit.total)) {
    SKIP("no limit is known");
  }
  const size_t part = (size_t)(0.4 * (limit.total - limit.used));
  struct base_arena *arenas[4] = {NULL};
  int granted = 0;
  for (int k = 0; k < 4; k++) {
    char *x;
    arenas[k] = base_arena_alloc();
    granted += asked(arenas[k], 1, part, 1, &x) == BASE_OK;
  }
  CHECK_INT(granted, 2);
  for (int k = 0; k < 4; k++) {
    base_arena_free(arenas[k]);
  }
}

#if !defined(__SANITIZE_ADDRESS__)
static void parse(void *text) { cJSON_Delete(base_json_parse(text, "numbers")); }

/* In a process of its own, whose addresses end soon: 0 when the text is refused for want of memory.
 */
static int parse_with_little(char *text, size_t room) {
  const pid_t pid = fork();
  if (pid == 0) {
    struct rlimit set;
    getrlimit(RLIMIT_DATA, &set);
    set.rlim_cur = room;
    setrlimit(RLIMIT_DATA, &set);
    const int status = base_memory_try(parse, text);
    _exit(status == BASE_UNSUPPORTED && strncmp(base_message(), "needs ", 6) == 0 &&
                  strstr(base_message(), "data (ulimit -d)") != NULL
              ? 0
              : 1);
  }
  int ended = -1;
  waitpid(pid, &ended, 0);
  return ended;
}

TEST(json_without_memory_is_not_malformed) {
  enum { N = 1000000 };
  char *text = malloc(2 * N + 2);
  text[0] = '[';
  for (size_t i = 0; i < N; i++) {
    text[2 * i + 1] = '1';
    text[2 * i + 2] = i + 1 < N ? ',' : ']';
  }
  text[2 * N + 1] = '\0';
  CHECK_INT(parse_with_little(text, 32 << 20), 0);
  cJSON *value = base_json_parse(text, "numbers");
  CHECK_INT(cJSON_GetArraySize(value), N);
  cJSON_Delete(value);
  free(text);
}
#endif
