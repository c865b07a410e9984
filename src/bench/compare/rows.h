/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `coulombench compare` prints: how the two sides were built and run, verdict and counts, and
 * a row a record, worst first.
 */
#ifndef BENCH_COMPARE_ROWS_H
#define BENCH_COMPARE_ROWS_H

#include "base/memory/arena.h"
#include "bench/compare/request.h"

struct cJSON;

enum compare_kind { /* in the order of printing */
                    COMPARE_NEWLY_FAILED,
                    COMPARE_NEWLY_OK,
                    COMPARE_DIFFERS,
                    COMPARE_ONLY_A,
                    COMPARE_ONLY_B,
                    COMPARE_UNREADABLE,
                    COMPARE_WITHIN,
                    COMPARE_SAME,
                    COMPARE_KINDS
};

/* Headline numbers of a record, NaN where it has none. */
struct compare_side {
  const char *status;
  double error;      /* errors.q_linf [m or rad]; of solutions residual.absolute [m/s] */
  double drift;      /* energy.max_numerical_drift [J] */
  double iterations; /* all */
  double time;       /* a step, of solutions of the solve [s] */
};

struct compare_row {
  enum compare_kind kind;
  int index;        /* in A */
  const char *name; /* file below the folder */
  struct compare_side a, b;
  long n;             /* differing entries */
  double excess;      /* largest difference over its limit */
  double size, noise; /* of the entry it is about, and the noise of its block [-] */
  int block;          /* of that entry */
  int has_noise;      /* the record is in some folder of noise */
  const char *worst;  /* that entry, or why there is no pair; NULL: none */
};

struct compare_rows {
  int n, capacity;
  struct compare_row *row;
  int n_other; /* JSON files that are no records */
};

struct compare_row *compare_rows_add(struct compare_rows *rows, struct base_arena *arena);
void compare_rows_sort(struct compare_rows *rows);
/* All pairs the same or within their limits, none alone? */
int compare_rows_is_same(const struct compare_rows *rows);
void compare_rows_print_summary(const struct compare_rows *rows,
                                const struct bench_compare_request *request);
/* Rows by kind, 20 of each; with request->verbose all, each followed by what `list` prints. */
void compare_rows_print(const struct compare_rows *rows,
                        const struct bench_compare_request *request,
                        void (*list)(void *context, const struct compare_row *row), void *context);

/* What `provenance` says, a side (0: A, 1: B, then the folders of noise). */
enum { COMPARE_HEAD_ITEMS = 32, COMPARE_SIDES = 2 + BENCH_COMPARE_NOISE_MAX };
struct compare_head {
  struct base_arena *arena;
  int n;
  struct {
    const char *key, *value[COMPARE_SIDES]; /* the first met; NULL: none */
    int is_several[COMPARE_SIDES];
  } item[COMPARE_HEAD_ITEMS];
};
void compare_head_add(struct compare_head *head, int side, const struct cJSON *record);
void compare_head_print(const struct compare_head *head,
                        const struct bench_compare_request *request);

#endif
