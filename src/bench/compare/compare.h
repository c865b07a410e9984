/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of `coulombench compare` share. A record is cut into blocks (scale.c):
 * each has a unit, each unit a scale of its own from what the two records hold, and a difference is
 * |a - b| over that scale [-]. Two records are walked side by side (values.c); what they
 * are found by in folders, and how they are read, is in files.c; verdict, rows and summary
 * are in compare.c.
 */
#ifndef BENCH_COMPARE_H
#define BENCH_COMPARE_H

#include <stdio.h>

#include "base/memory/arena.h"

struct cJSON;

/* ---- blocks and scales ---- */

enum { COMPARE_BLOCKS_MAX = 80 };

enum compare_unit {
  COMPARE_INPUT,     /* what was asked for, and the status: alike or not, whatever the limit */
  COMPARE_EXACT,     /* alike or not */
  COMPARE_PLACE,     /* says where or in words what other entries measure: never counts */
  COMPARE_OWN,       /* the larger of the two numbers; in lists the largest of both lists */
  COMPARE_SIBLINGS,  /* the largest number of the object it is in */
  COMPARE_COLUMN,    /* the largest number of the table's columns of the same unit; 1 of unit [-] */
  COMPARE_ONE,       /* 1: dimensionless as it stands */
  COMPARE_LENGTH,    /* [m], [rad] */
  COMPARE_SPEED,     /* [m/s], [rad/s] */
  COMPARE_ENERGY,    /* [J] */
  COMPARE_IMPULSE,   /* [N s] */
  COMPARE_CONDITION, /* that of the key a threshold's condition is about */
  COMPARE_UNITS
};

int compare_block_count(void);
const char *compare_block_name(int block);
/* The block of a path ("law.cone", "checks[].measured": list indices left out). */
int compare_block_of(const char *path);
enum compare_unit compare_block_unit(int block);
/* Scale of each unit for two records; 0 where there is none: the numbers are their own scale. */
void compare_scales(const struct cJSON *a, const struct cJSON *b, double scale[COMPARE_UNITS]);

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
