/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of `coulombench compare` share. A record is cut into blocks (scale.c):
 * each is measured by some quantity, of which the two records have a scale, and a difference is
 * |a - b| over that scale [-]. Two records are walked side by side (values.c); what they
 * are found by in folders, and how they are read, is in files.c; verdict, rows and summary
 * are in compare.c.
 */
#ifndef BENCH_COMPARE_H
#define BENCH_COMPARE_H

#include <stdio.h>

#include "base/memory/arena.h"
#include "bench/record/fields.h"

struct cJSON;

/* ---- blocks and scales ---- */

enum { COMPARE_BLOCKS_MAX = 256 };

int compare_block_count(void);
const char *compare_block_name(int block);
/* The block of a path ("law.cone", "checks[].measured": list indices left out). */
int compare_block_of(const char *path);
enum bench_scale compare_block_scale(int block);
/* Scale of each measure for two records; 0 where there is none: the numbers are their own scale. */
void compare_scales(const struct cJSON *a, const struct cJSON *b, double scale[SCALES]);

/* ---- values ---- */

/* Text for one line of output: control characters become '?'. Returns text. */
char *compare_clean(char *text);

struct compare_entry {
  char path[240], a[48], b[48]; /* values as text, cut to fit */
  double size;
  int block;
};

struct compare_how {
  double limit[COMPARE_BLOCKS_MAX]; /* largest difference allowed, a block [-] */
  int n_ignored;
  const char *const *ignored; /* paths left out with all below them, besides time and provenance */
  FILE *listing;              /* every entry that differs, a line each; NULL: none */
};

struct compare_result {
  long n;                           /* entries that differ at all */
  double block[COMPARE_BLOCKS_MAX]; /* largest difference a block; infinite: one without size */
  double excess;                    /* largest difference over its limit; at most 1: within */
  struct compare_entry worst;       /* the entry of that, the largest difference among equals */
};

void compare_values(const struct cJSON *a, const struct cJSON *b, const struct compare_how *how,
                    struct compare_result *result);

/* ---- files ---- */

struct compare_list {
  const char *folder; /* or a file */
  int n;
  const char **names; /* below the folder, ascending; "" of a file */
  int is_file;
};

/* The records and tables below a folder, or one record; BASE_E_INPUT, BASE_E_IO with a message. */
int compare_list_read(const char *path, struct base_arena *arena, struct compare_list *list);
/* For every record of a its partner in b, or -1: the one of the same name, else the only one left
 * that is about the same (case and parameters, formulation, solver, options, step; or problem, law
 * and solver). */
int *compare_match(const struct compare_list *a, const struct compare_list *b,
                   struct base_arena *arena);
/* A record, or a table of a figure as one, to be freed by cJSON_Delete(); NULL with a message when
 * it cannot be read (BASE_E_INPUT) or is JSON of another kind (BASE_OK). */
int compare_read(const struct compare_list *list, int i, struct cJSON **record);

#endif
