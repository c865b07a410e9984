/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory from the system; see memory.h. A size of 0 is taken as 1, so that the answer of
 * malloc is never NULL for any reason but want of memory.
 *
 * Lack of memory may occur anywhere, far below code that can return a status. A jump to a caller
 * that can continue without the result keeps its handling out of all other code.
 *
 * Asking the system for its limit costs some file reads. It is asked once what was handed out has
 * grown by what the last answer left to spare, so that small runs never ask. Each thread claims
 * some memory beforehand: small pieces one by one, by several threads, would wait for one another.
 */
#include "base/memory/memory.h"

#include "base/status.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define MEMORY_EXIT_STATUS 3            /* that of a fault: shells see no negative status */
#define MEMORY_EXIT_INPUT 2             /* that of bad input */
#define MEMORY_RESERVE (1024 * 1024)    /* enough for a record without a state [bytes] */
#define MEMORY_SPARE (64 * 1024 * 1024) /* growth between two looks at the limit [bytes] */
#define MEMORY_HAND (256 * 1024)        /* what threads claim at a time [bytes] */

struct memory_guard {
  jmp_buf place;
  int status; /* with which it was left */
  struct memory_guard *outer;
};

static _Thread_local struct memory_guard *memory_innermost;
static _Thread_local void *memory_reserve;  /* given back when memory is wanting, to say so with */
static _Thread_local size_t memory_in_hand; /* claimed by a thread and not handed out */
static _Atomic size_t memory_claimed;
static _Atomic size_t memory_spare = MEMORY_SPARE;

int base_memory_try(void (*work)(void *data), void *data) {
  struct memory_guard guard = {.outer = memory_innermost};
  if (!memory_reserve) {
    memory_reserve = malloc(MEMORY_RESERVE);
  }
  if (setjmp(guard.place) != 0) {
    memory_innermost = guard.outer;
    return guard.status;
  }
  memory_innermost = &guard;
  work(data);
  memory_innermost = guard.outer;
  return BASE_OK;
}

void base_leave(int status) {
  if (memory_innermost) {
    memory_innermost->status = status;
    longjmp(memory_innermost->place, 1);
  }
  if (status == BASE_E_INPUT) {
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, base_message());
    exit(MEMORY_EXIT_INPUT);
  }
  fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, base_status_name(BASE_E_MEMORY),
          base_message());
  exit(MEMORY_EXIT_STATUS);
}

void base_memory_leave(void) {
  free(memory_reserve);
  memory_reserve = NULL;
  base_leave(BASE_UNSUPPORTED);
}

/* Bytes to three digits: "45.8 GB". */
static const char *memory_text(double bytes, char text[32]) {
  static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
  size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < sizeof units / sizeof *units) {
    bytes /= 1000;
    unit++;
  }
  snprintf(text, 32, "%.3g %s", bytes, units[unit]);
  return text;
}

void base_memory_end(size_t rows, size_t cols, size_t size) {
  char needs[32], all[32], used[32], what[80] = "";
  memory_text((double)rows * (double)cols * (double)size, needs);
  if (rows > 1 && cols > 1) {
    snprintf(what, sizeof what, " for an array of %zu x %zu", rows, cols);
  }
  const struct base_memory_limit limit = base_memory_limit(memory_claimed, 1);
  if (isfinite(limit.total)) {
    base_fail(BASE_UNSUPPORTED, "needs %s%s; the limit is %s, %s, of which %s are in use", needs,
              what, memory_text(limit.total, all), limit.source, memory_text(limit.used, used));
  } else {
    base_fail(BASE_UNSUPPORTED, "needs %s%s; the system does not give them", needs, what);
  }
  base_memory_leave();
}

int base_memory_int(long n) {
  if (n > INT_MAX) {
    base_fail(BASE_UNSUPPORTED,
              "needs a list of %ld elements; the limit is %d, that of its indices", n, INT_MAX);
    base_memory_leave();
  }
  return (int)n;
}

void *base_memory_alloc(size_t size) { return base_memory_resize(NULL, size); }

void *base_memory_resize(void *block, size_t size) {
  void *resized = realloc(block, size > 0 ? size : 1);
  if (!resized) {
    base_memory_end(1, size, 1);
  }
  return resized;
}

/* Claim for all threads. 0: there is not so much. */
static int memory_claim(size_t size) {
  if (size > memory_spare) {
    const struct base_memory_limit limit = base_memory_limit(memory_claimed, 0);
    const double left = limit.total - limit.used - (double)size;
    if (!(left >= 0)) {
      return 0;
    }
    memory_spare = size + (size_t)fmin(0.5 * left, MEMORY_SPARE);
  }
  memory_spare -= size;
  memory_claimed += size;
  return 1;
}

int base_memory_claim(size_t size) {
  if (size > memory_in_hand) {
    if (size < MEMORY_HAND && memory_claim(MEMORY_HAND)) {
      memory_in_hand += MEMORY_HAND;
    } else {
      return memory_claim(size);
    }
  }
  memory_in_hand -= size;
  return 1;
}

void base_memory_unclaim(size_t size) {
  memory_in_hand += size;
  if (memory_in_hand > 2 * MEMORY_HAND) {
    memory_claimed -= memory_in_hand - MEMORY_HAND;
    memory_in_hand = MEMORY_HAND;
  }
}

int base_memory_fits(size_t rows, size_t cols, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(rows, cols, &bytes) || __builtin_mul_overflow(bytes, size, &bytes) ||
      !base_memory_claim(bytes)) {
    return 0;
  }
  base_memory_unclaim(bytes);
  return 1;
}
