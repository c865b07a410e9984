/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of figures with their claims, and the scope of their expressions (bench/frame/README.md):
 * the measurements of a figure's runs.
 *
 *   {"name": "{formulation}: error over dt", "of": "*-0" | ["a-*", "b-*"], "value": "errors.q_linf
 *   / dt",
 *    "bounds": [0, "2 * g"], "expected": "...", "published": "...", "differs": "...",
 *    "source": [a, b], "schematic": true, "note": "..."}
 */
#ifndef BENCH_FIGURE_VALUES_H
#define BENCH_FIGURE_VALUES_H

#include "bench/frame/expression.h"
#include "cases/case.h"

/* Value at a key of a checked file: a text, NULL without the key; a number, `otherwise` without
 * it. */
const char *figure_text(const struct cJSON *object, const char *key);
double figure_real(const struct cJSON *object, const char *key, double otherwise);

/* The runs of a figure, finished, with what figure.c and cases add to them. */
struct bench_runs {
  int n;
  const struct case_series *series;       /* n; labels are series[i].run->label */
  const struct frame_definitions *define; /* names of the figure's own; NULL: none */
  /* Text for {name} in labels and names of run i; NULL: none. A cell gives it as written. Without
   * this function, or if it gives NULL, the record gives it: {formulation}, {solver}, {dt}, and
   * {KEY} of parameters and options. */
  const char *(*word)(const void *data, int i, const char *name);
  /* A function in C, by its dotted name, of run i, which has ended (-1: of none). NULL: there are
   * none. */
  enum frame_answer (*call)(const void *data, int i, const char *name, int n,
                            const struct frame_value *arguments, struct frame_value *value);
  const void *data;
};

/* The scope of run i. i = -1: no run; only of(), runs(), functions and definitions of these are
 * defined. runs and the series must outlive it. */
struct frame_scope bench_run_scope(struct base_arena *arena, const struct bench_runs *runs, int i);
/* A text whose {names} are those of run i (-1: they stay). */
const char *bench_run_text(struct base_arena *arena, const struct bench_runs *runs, int i,
                           const char *text);
/* Does a label match a pattern, in which * matches anything and # a number? */
int bench_label_matches(const char *pattern, const char *label);
/* Is it a label of a cell with this pattern of labels, where {names} match anything? */
int bench_label_is_of_cell(const char *label, const char *cell);
/* Does "of" select a run? It is a pattern of labels, in which {names} also match anything, or a
 * list of these. */
int bench_label_is_of(const char *label, const struct cJSON *of);

/* Rows of a table: append them to a frame, `names` and `expressions`: n columns, worked out in run
 * i (-1: in none). There is a row for each entry of the vectors among them, such as the samples,
 * and a row alone where there are none; numbers and texts stand in each. BASE_E_INPUT with a
 * message, also where vectors are of different lengths; BASE_FAILED where the run did not end. */
int bench_rows_append(struct frame *f, const struct bench_runs *runs, int i, int n,
                      const char *const *names, const struct frame_expression *const *expressions);

/* A value as declared in its file. */
struct bench_value {
  const char *place;      /* for messages, "FILE: values[2]" */
  const char *name;       /* with {names} of its run */
  const struct cJSON *of; /* NULL: of no run */
  const char *table;      /* of a study; else NULL */
  const struct frame_expression *value, *bounds[2], *source[2]; /* bounds NULL: a report */
  struct case_claim claim;                                      /* its texts */
  const char *note;
};

/* The values of a file whose keys have been checked: *n, from the arena. BASE_E_INPUT with a
 * message where an expression is none, or what is said of a value does not go together. */
int bench_values_read(const struct cJSON *values, const char *file, struct base_arena *arena,
                      int *n, struct bench_value **read);
/* Judge one, called `what`, in a scope, and add it to the plot. BASE_E_INPUT where it makes no
 * sense there; BASE_FAILED with a message where the scope is a run that did not end: it is judged
 * all the same. */
int bench_value_judge(const struct bench_value *value, const char *what,
                      const struct frame_scope *scope, struct case_plot *plot);
/* Those of a figure, n, in their order, each of every run that "of" matches. As above; BASE_FAILED
 * once all are judged. */
int bench_values_judge(int n, const struct bench_value *values, const struct bench_runs *runs,
                       struct case_plot *plot);

#endif
