/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Expressions: the one language of calculated columns, filters, values of figures, their bounds,
 * and numbers of cells that follow from parameters. README.md describes it. A text is parsed once
 * into a tree and evaluated in a *scope*, which gives names their meaning: the columns of a row
 * (frame_row_scope), the keys of an object (frame_object_scope), what a run has measured
 * (bench/figure/values.h).
 *
 *   e = frame_expression_read(arena, "max(abs(q.y - R)) / dt", "figure.json: values[0].value");
 *   status = frame_expression_value(e, &scope, &value);
 */
#ifndef BENCH_EXPRESSION_H
#define BENCH_EXPRESSION_H

#include "bench/frame/frame.h"

struct frame_expression;
struct frame_scope;

/* Answer of a scope for a name. */
enum frame_answer {
  FRAME_REFUSED = -1, /* with a message */
  FRAME_NONE,         /* there is nothing of this name */
  FRAME_FOUND,
  FRAME_ABSENT /* not measured, because the run did not end; with a message */
};
/* Functions of a scope, NULL if it lacks one. Values are those of frame.h, a list being a vector;
 * they live as long as the scope's arena. */
struct frame_scope_type {
  /* The value of a name. */
  enum frame_answer (*value)(const struct frame_scope *scope, const char *name,
                             struct frame_value *value);
  /* All names, n of them, for messages that list near ones. */
  const char *const *(*names)(const struct frame_scope *scope, int *n);
  /* The n scopes, in order, of the runs selected by runs('pattern', ...); with is_label the one of
   * of('label', ...). */
  enum frame_answer (*runs)(const struct frame_scope *scope, const char *pattern, int is_label,
                            int *n, struct frame_scope **others);
  /* A function in C, by its dotted name, of n arguments. */
  enum frame_answer (*call)(const struct frame_scope *scope, const char *name, int n,
                            const struct frame_value *arguments, struct frame_value *value);
};
struct frame_scope {
  const struct frame_scope_type *type;
  struct base_arena *arena; /* of values */
  const void *data;         /* private to the type */
  long at;                  /* row, or number of the run */
  int depth;                /* of names that stand for expressions, within each other */
  int is_recorded;          /* inside recorded(): values of a run that did not end are allowed */
  void *known; /* address of the definitions worked out already (frame_definition_value) */
};

/* Parse a text. place: "file: key", for messages, also those of later evaluations; it is copied.
 * NULL with the message "PLACE: expression '...': reason at character n". */
const struct frame_expression *frame_expression_read(struct base_arena *arena, const char *text,
                                                     const char *place);
/* The same of a condition on rows: an expression, or one of the short forms of condition.c. */
const struct frame_expression *frame_condition_read(struct base_arena *arena, const char *text,
                                                    const char *place);
/* *holds: is the condition true? BASE_E_INPUT with a message. */
int frame_condition_holds(const struct frame_expression *e, const struct frame_scope *scope,
                          int *holds);
/* Columns for all its names, paths into records (frame_want). by: what asks for them. */
void frame_expression_want(const struct frame_expression *e, struct frame *f, const char *by);
/* Do all its names, labels and functions exist? BASE_E_INPUT with a message that lists near names.
 * Evaluation checks the same, but only in the branches taken. */
int frame_expression_check(const struct frame_expression *e, const struct frame_scope *scope);
/* Evaluate it. BASE_E_INPUT with a message: an unknown name, vectors of different lengths.
 * BASE_FAILED with a message if a run that did not end has not measured a needed quantity; the
 * value is then missing. */
int frame_expression_value(const struct frame_expression *e, const struct frame_scope *scope,
                           struct frame_value *value);
/* The same for a single number: a vector is refused, a text gives NaN. */
int frame_expression_number(const struct frame_expression *e, const struct frame_scope *scope,
                            double *x);

/* Names that stand for expressions, which may use each other. */
struct frame_definitions {
  int n;
  const char **names;                      /* n */
  const struct frame_expression **meaning; /* n */
};
/* Those of an object {"gap": "q.y - R"} (NULL: none). BASE_E_INPUT with a message that names
 * `place`. */
int frame_definitions_read(struct base_arena *arena, const struct cJSON *object, const char *place,
                           struct frame_definitions *definitions);
/* Expression of a name; NULL: it is not defined. */
const struct frame_expression *frame_definition_find(const struct frame_definitions *definitions,
                                                     const char *name);
/* Its value in a scope, evaluated once for each row or run: `known` is the address of NULL at
 * first. */
enum frame_answer frame_definition_value(const struct frame_scope *scope, const char *name,
                                         const struct frame_expression *meaning,
                                         struct frame_value *value);
/* Is it `pi`, `inf` or `nan`, where a scope has nothing of the name? */
int frame_constant(const char *name, double *x);

/* A row of a frame: names are columns. */
struct frame_scope frame_row_scope(const struct frame *f, long row);
/* All rows of a frame: names are columns, vectors over the rows (texts in them are missing). */
struct frame_scope frame_column_scope(const struct frame *f);
/* An object, of parameters: names are its keys, dotted paths what lies below them. */
struct frame_scope frame_object_scope(struct base_arena *arena, const struct cJSON *object);
/* Entry i of a vector; of a number that one, of a text a missing one. */
double frame_entry(const struct frame_value *v, int i);
/* The length that the vectors among n values have together; -1: there are none; -2 with a message:
 * they have several. */
int frame_common_length(int n, const struct frame_value *values);
/* A value of a record: a number, a text ("yes" and "no" of a truth), a list of numbers, or a block
 * as the text of its JSON; all else is missing. */
struct frame_value frame_value_of(struct base_arena *arena, const struct cJSON *item);

#endif
