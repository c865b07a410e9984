/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A frame: records, or results of transforms, as rows and named columns. Every table, study, figure
 * and page reads one. A query is a list of transforms in JSON, named as in Vega-Lite where it has
 * them (transform.c); the definitions that all share stand here:
 *
 * - A value is a number, a text or a list of numbers; a number that does not exist is NaN.
 * - A row of records is *usable* where its run ended (`ok` or `unconverged`) and was not judged
 *   useless. What is reduced over rows takes the values of usable rows that exist; all others are
 *   missing, and counted (`missing`), never dropped in silence.
 * - Quantiles are of type 7 of Hyndman and Fan, the median is that at 1/2 (la/ensemble/quantile.h).
 * - Values that are not distinguishable from the best one: `best` (best.c).
 *
 *   struct frame *f = frame_new(arena);
 *   frame_want(f, "errors.q_linf");
 *   status = frame_load(f, 1, &folder, &damaged);
 *   status = frame_transform(&f, transforms, "figure.json");
 */
#ifndef BENCH_FRAME_H
#define BENCH_FRAME_H

#include "base/memory/arena.h"

struct cJSON;

struct frame_list {
  int n;
  const double *x; /* n */
};
enum frame_kind { FRAME_NUMBER, FRAME_TEXT, FRAME_LIST };
struct frame_value {
  enum frame_kind kind;
  union {
    double number; /* NaN: missing */
    const char *text;
    const struct frame_list *list;
  };
};

struct frame_value frame_number(double x);
struct frame_value frame_word(const char *text);
/* A list of n numbers, which are to be filled in through the address returned. */
double *frame_vector(struct base_arena *arena, int n, struct frame_value *value);

/* The same, of n < 0 a number: its address. */
double *frame_vector_or_number(struct base_arena *arena, int n, struct frame_value *value);

struct frame_column {
  const char *name; /* a path into records, or what a transform calls it */
  const char *unit; /* "": none, or not known */
  const char *by;   /* origin of the request, for messages; NULL: a transform made it */
};
struct frame {
  struct base_arena *arena;
  int n_columns, width; /* width: room for columns, capacity: for rows */
  struct frame_column *columns;
  long n_rows, capacity;
  struct frame_value *values; /* see frame_at */
  struct base_arena *store;   /* where they stand if they are many; NULL: in the arena */
};

/* No rows and no columns yet. */
struct frame *frame_new(struct base_arena *arena);
/* Number of a column; -1: there is none of the name. */
int frame_find(const struct frame *f, const char *name);
/* The names of all columns, from an arena. */
const char **frame_names(const struct frame *f, struct base_arena *arena);
/* The columns that a list of names (or one name; NULL: none) says; *n. NULL with a message. */
const int *frame_columns(const struct frame *f, const struct cJSON *names, const char *file,
                         int *n);
/* The number of one, as frame_find; -1 with a message "FILE: no column 'x' ..." that lists near
 * names. */
int frame_need(const struct frame *f, const char *name, const char *file);
/* Append a column, its values missing; its number. A column of the name is found, not added. */
int frame_add(struct frame *f, const char *name, const char *unit);
/* Append a row of missing values; its number. */
long frame_push(struct frame *f);
/* The same with all its values in an arena. */
struct frame *frame_copy(const struct frame *f, struct base_arena *arena);
/* No rows yet, with the columns of another one, and room for so many. */
struct frame *frame_like(const struct frame *f, long capacity);
/* Append a row of a frame whose columns are the first of this one; its number. */
long frame_push_copy(struct frame *to, const struct frame *from, long row);
/* These n rows, in this order, as a frame of their own. */
struct frame *frame_part(const struct frame *f, long n, const long *rows);
/* Those in which a column has a value. */
struct frame *frame_rows_with(const struct frame *f, int column, const struct frame_value *value);
/* A value with its text or list in an arena. */
struct frame_value frame_copy_value(const struct frame_value *v, struct base_arena *arena);
/* Store a text equal to that of the row before only once. mark: of f's arena before the text, with
 * nothing after the text. */
void frame_share(struct frame *f, long row, int column, struct base_arena_mark mark);
struct frame_value *frame_at(const struct frame *f, long row, int column);
/* The number at a place; NaN where it is none. The text; "" where it is none. */
double frame_real(const struct frame *f, long row, int column);
const char *frame_text(const struct frame *f, long row, int column);
/* The entries of a value, n of them: of a number that one, of a text a missing one. */
const double *frame_entries(const struct frame_value *v, int *n);
/* Different values of a column, in the order of their first rows, without what is missing: *n. */
const struct frame_value *frame_different(const struct frame *f, int column,
                                          struct base_arena *arena, int *n);
/* Sort n_rows numbers of rows by n columns; is_falling: n (NULL: all rise), where what is missing
 * stays last. Equal ones come in the order of their numbers. */
void frame_sort_rows(const struct frame *f, int n, const int *columns, const int *is_falling,
                     long n_rows, long *rows);
/* Numbers by size, then texts, then lists, then what is missing: negative, 0 or positive. */
int frame_compare(const struct frame_value *a, const struct frame_value *b);
int frame_is_missing(const struct frame_value *v);
/* A value as text, numbers to their last digit; "null" of a list and of what is missing. */
const char *frame_value_text(const struct frame_value *v, struct base_arena *arena);
/* A number as text for people, to six digits. From the arena. */
const char *frame_short_number(struct base_arena *arena, double x);

/* A text with its gaps {...} filled: `fill` gets the content of a gap and returns its text; NULL
 * leaves the gap. From the arena. */
typedef const char *frame_gap(void *data, struct base_arena *arena, const char *gap);
const char *frame_fill(struct base_arena *arena, const char *text, frame_gap *fill, void *data);

/* "; did you mean 'x'?" with the nearest name to an unknown one; "": none is near. Valid until the
 * next call in this thread. */
const char *frame_hint(const char *name, int n, const char *const *names);

/* ---- from records (load.c) ---- */

/* A column for a path into records, with the unit of its field; its number. by: what asks for
 * it. */
int frame_want(struct frame *f, const char *path, const char *by);
/* Value of a record, of a file of that name, at a path; 0: no such path. */
int frame_value_at(const struct cJSON *record, const char *name, const char *path,
                   struct base_arena *arena, struct frame_value *value);
/* Append a row: what a record has at the paths that are columns; `record`: name, `usable`.
 * is_known: n_columns flags, set for those that are in some record. */
void frame_append(struct frame *f, const struct cJSON *record, const char *name, char *is_known);
/* Refuse a column that is in no record and no field of records. is_known: n_columns flags, set for
 * those that are in some record. BASE_E_INPUT with a message. */
int frame_refuse_unknown(const struct frame *f, const char *is_known);
/* A row a record of folders and files, of the columns that there are. A path that is no field of
 * records and in none of these is refused. A record that is broken, or not as it was written, is
 * left out with a line on standard error; *damaged counts them. BASE_E_INPUT, BASE_E_IO with a
 * message. */
int frame_load(struct frame *f, int n_sources, const char *const *sources, int *damaged);
/* The same in blocks of rows, given one after the other to `take`, which keeps nothing of them: of
 * any number of records, in the memory of a block. */
typedef int frame_take(void *data, struct frame *f);
int frame_load_blocks(struct frame *f, int n_sources, const char *const *sources, frame_take *take,
                      void *data, int *damaged);
/* Does a record hold the fields of its schema, unchanged since it was written (its checksum)? A
 * solution: its checksum alone. BASE_E_INPUT with a message. */
int frame_check(const struct cJSON *record, const char *path);
/* Print the message about a damaged record, which is left out, and count it. */
void frame_leave_out(struct base_arena *arena, int *n_damaged);

/* ---- queries ---- */

/* Carry out a list of transforms; *f becomes the result. BASE_E_INPUT with "FILE: ...". */
int frame_transform(struct frame **f, const struct cJSON *transforms, const char *file);

#endif
