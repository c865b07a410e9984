/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Between the files of this room: groups of rows, and the transforms that transform.c lists.
 */
#ifndef BENCH_FRAME_PARTS_H
#define BENCH_FRAME_PARTS_H

#include "bench/frame/frame.h"

/* Value of a record at the path of a column; *is_there = 0: none (paths.c). */
struct frame_value frame_path_value(struct base_arena *arena, const struct cJSON *record,
                                    const char *path, int *is_there);
/* Give a column of a parameter or option its unit, as the case, formulation or solver of the record
 * says it. */
void frame_set_unit(struct frame *f, int column, const struct cJSON *record);

/* Give back the memory of a frame's values where these are many: it has no rows any more. */
void frame_drop_values(struct frame *f);

/* Reserve memory for a number of further rows. */
void frame_reserve(struct frame *f, long rows);

/* Rows that have the same values in some columns, in the order of their first rows. */
struct frame_groups {
  int n_keys;
  const int *keys; /* n_keys, columns */
  long n;
  const long *size;        /* n */
  const long *const *rows; /* n, the rows of each */
  const long *of;          /* of each row of the frame its group */
};
struct frame_groups frame_group(const struct frame *f, int n_keys, const int *keys);
/* Two rows by n columns, the first of which decides, as frame_compare. */
int frame_compare_rows(const struct frame *f, int n, const int *columns, long a, long b);
/* A transform being carried out. */
struct frame_step {
  const struct cJSON *json; /* {"filter": ...} */
  const char *file;         /* for messages */
  struct frame *in;
  int n_keys;
  const int *keys; /* n_keys, the columns of "groupby" */
};
/* The result, or NULL with a message. */
typedef struct frame *frame_operation(const struct frame_step *step);
frame_operation frame_aggregate, frame_join_aggregate, frame_pivot, frame_pick, frame_best,
    frame_window, frame_impute, frame_combinations, frame_distinguish, frame_bootstrap,
    frame_paired, frame_front, frame_variance;
/* The existing column named at a key of the transform, or -1 with a message. */
int frame_step_column(const struct frame_step *step, const char *key);
/* The columns that a key names, n of them; NULL with a message. */
const int *frame_step_columns(const struct frame_step *step, const char *key, int *n);
/* A text at a key; `otherwise` where there is none. NULL with a message where it is no text. */
const char *frame_step_text(const struct frame_step *step, const char *key, const char *otherwise);
/* One reduction of the rows of a group, {"op", "field", "as", "p"}. */
struct frame_reducer {
  int how;        /* of the n names of operations */
  int column;     /* -1: of rows alone */
  double p;       /* of "quantile" */
  const char *as; /* "op_field" where it is not said */
};
/* key: of the list; those from number `fielded` on want a field. BASE_E_INPUT with a message. */
int frame_step_reducer(const struct frame_step *step, const struct cJSON *item, const char *key,
                       int n, const char *const *names, int fielded, struct frame_reducer *r);
/* A new frame without rows, of the key columns and of columns `names`, which NULL ends. */
struct frame *frame_of_keys(const struct frame *f, int n_keys, const int *keys,
                            const char *const *names);
/* Append a row with the keys of a row of f; its number. */
long frame_push_keys(struct frame *made, const struct frame *f, int n_keys, const int *keys,
                     long of);
/* A new frame with the key columns of the groups alone, a row a group. */
struct frame *frame_of_groups(const struct frame *f, const struct frame_groups *groups);
/* A value and its bounds in three columns from this one on. */
struct la_interval;
void frame_set_interval(struct frame *f, long row, int column, const struct la_interval *x);
/* The column that says which rows count (frame.h); -1: all do. Does this one, by that column? */
int frame_usable(const struct frame *f);
int frame_counts(const struct frame *f, int usable, long row);

#endif
