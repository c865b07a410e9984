/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of `coulombench compare`. A record is divided into blocks (scale.c). Each
 * block has a physical quantity, whose scale follows from the two records; a difference is |a - b|
 * over that scale [-]. Two records are walked side by side (values.c); pairs are found and read in
 * files.c; verdict, ratios and rows are in compare.c and print.c.
 */
#ifndef BENCH_COMPARE_H
#define BENCH_COMPARE_H

#include <stdio.h>

#include "base/memory/arena.h"
#include "bench/compare/request.h"
#include "bench/record/fields.h"

struct cJSON;

/* ---- scales ---- */

/* Scale of the entries at a path ("law.cone", "checks[].measured": without indices). */
enum bench_scale compare_scale(const char *path);
/* Value of each scale for two records; 0: none, the numbers are their own scale. */
void compare_scales(const struct cJSON *a, const struct cJSON *b, double scale[SCALES]);

/* ---- values ---- */

/* Kind of an entry that differs: input, result, or text about them. */
enum compare_part { COMPARE_ASKED, COMPARE_CAME, COMPARE_SAID, COMPARE_PARTS };

struct compare_entry {
  char path[240], a[48], b[48]; /* values as text, cut to fit */
  double size;                  /* infinite: it has none */
};

struct compare_result {
  long n[COMPARE_PARTS];                     /* entries that differ at all */
  struct compare_entry worst[COMPARE_PARTS]; /* the largest of them */
};

/* ignored: paths left out with all below them, besides time and provenance. listing: file for every
 * entry that differs, a line each, grouped by part; NULL: none. */
void compare_values(const struct cJSON *a, const struct cJSON *b, const struct base_words *ignored,
                    FILE *listing, struct compare_result *result);

/* ---- files ---- */

struct compare_list {
  const char *folder; /* or a file */
  int n;
  const char **names; /* below the folder, ascending; "" of a file */
  int is_file;
};

/* The records below a folder, or one record; BASE_E_INPUT, BASE_E_IO with a message. */
int compare_list_read(const char *path, struct base_arena *arena, struct compare_list *list);
/* For every record of a its partner in b, or -1: the record of the same name, else an unmatched one
 * of the same cell of a suite. */
int *compare_match(const struct compare_list *a, const struct compare_list *b,
                   struct base_arena *arena);
/* Its path. */
const char *compare_path(const struct compare_list *list, int i, struct base_arena *arena);
/* A record, to be freed by cJSON_Delete(); NULL with a message when it cannot be read
 * (BASE_E_INPUT) or is JSON of another kind (BASE_OK). */
int compare_read(const struct compare_list *list, int i, struct cJSON **record);

/* ---- rows ---- */

enum compare_kind { /* in the order of printing */
                    COMPARE_NEWLY_FAILED,
                    COMPARE_NEWLY_OK,
                    COMPARE_DIFFERS,
                    COMPARE_OTHER, /* inputs differ */
                    COMPARE_ONLY_A,
                    COMPARE_ONLY_B,
                    COMPARE_UNREADABLE,
                    COMPARE_WORDS, /* differ in texts alone */
                    COMPARE_WITHIN,
                    COMPARE_SAME,
                    COMPARE_KINDS
};

/* Numbers of a record that are compared as ratios, NaN where it has none. */
enum compare_number {
  COMPARE_ITERATIONS, /* all */
  COMPARE_ERROR,      /* errors.q_linf [m or rad]; of solutions residual.absolute [m/s] */
  COMPARE_TIME,       /* a step, of solutions of the solve [s] */
  COMPARE_NUMBERS
};

struct compare_row {
  enum compare_kind kind;
  int i, j;               /* in A and B; -1: not there */
  const char *name;       /* file below the folder */
  const char *why;        /* of one alone; the entry that differs most; "": nothing */
  double size;            /* of that entry */
  const char *about, *by; /* case or problem, and formulation or solver */
  struct compare_side {
    const char *status; /* NULL: of one alone */
    double number[COMPARE_NUMBERS];
  } side[2];
};

struct comparison {
  const struct bench_compare_request *request;
  struct base_arena *arena;
  struct compare_list list[2];
  int n, n_other, n_changed; /* rows; JSON files that are no records; records not as written */
  int counts[COMPARE_KINDS];
  struct compare_row *rows;
  const char *built; /* differences of builds and machines of the first pair, a line each */
};

/* Are all pairs the same or within the tolerance, and no record without a partner? */
int compare_is_same(const struct comparison *c);
/* Verdict, counts and ratios, then the rows: 20 of a kind, with request->verbose all, each with its
 * entries. BASE_OK but for faults of the program. */
int compare_print(const struct comparison *c);

#endif
