/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables and values of a figure from its runs; see file.h.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "bench/figure/file.h"
#include "bench/frame/frame.h"

/* ---- expressions ---- */

/* What expressions are worked out from. */
struct scene {
  struct case_results *results;
  const struct figure *figure;
  struct base_arena *arena; /* of vectors */
  struct kept **kept;       /* the first one */
};

/* Lists that a function has computed from a run. */
struct kept {
  const struct case_function *function;
  const struct case_series *series;
  const double *lists;
  int n;
  struct kept *next;
};

static const char *word_of(const void *data, int i, const char *name) {
  static _Thread_local char word[CASE_TEXT];
  const struct scene *scene = data;
  char gap[CASE_TEXT];
  snprintf(gap, sizeof gap, "{%s}", name);
  case_run_text(scene->results->series[i].run, gap, word);
  return strcmp(gap, word) != 0 ? word : NULL;
}

/* NULL with a message. */
static const struct kept *lists_of(const struct scene *scene, const struct case_function *f,
                                   const struct case_series *s) {
  struct kept *k = *scene->kept;
  while (k != NULL && (k->function != f || k->series != s)) {
    k = k->next;
  }
  if (k == NULL) {
    k = base_arena_push(scene->arena, sizeof *k);
    *k = (struct kept){.function = f, .series = s, .next = *scene->kept};
    k->lists = f->lists(scene->results, s, &k->n);
    *scene->kept = k->lists != NULL ? k : *scene->kept;
  }
  return k->lists != NULL ? k : NULL;
}

/* The place of a word among those of a function; -1 with a message. */
static int place_of(const struct case_function *f, const char *name, const char *word) {
  int n = 0;
  while (f->words != NULL && f->words[n] != NULL) {
    ++n;
  }
  if (n == 0 && word != NULL) {
    base_fail(BASE_E_INPUT, "%s() takes no word", name);
    return -1;
  }
  return n == 0 ? 0 : base_name_find("word", word != NULL ? word : "", n, f->words);
}

/* "case.name(...)" in C: of numbers, or of the run and a word, "case.name('word')". */
static enum frame_answer call(const void *data, int i, const char *name, int n,
                              const struct frame_value *arguments, struct frame_value *value) {
  const struct scene *scene = data;
  const struct case_results *r = scene->results;
  const struct case_function *f = figure_function(name, strlen(name));
  if (f != NULL && f->formula != NULL) {
    return figure_formula(f, name, r->p, scene->arena, n, arguments, value);
  }
  if (f == NULL) {
    return FRAME_NONE;
  }
  if ((i < 0 && r->n > 0) || n > 1 || (n == 1 && arguments[0].kind != FRAME_TEXT)) {
    base_fail(BASE_E_INPUT, "%s() is of a run, and takes a word at most", name);
    return FRAME_REFUSED;
  }
  const struct case_series *s = i >= 0 ? &r->series[i] : NULL;
  const int place = place_of(f, name, n == 1 ? arguments[0].text : NULL);
  if (place < 0) {
    return FRAME_REFUSED;
  }
  const int is_cut_off = s != NULL && !case_series_ended(s);
  if (is_cut_off || (s != NULL && f->value != NULL)) {
    *value = frame_number(is_cut_off ? NAN : f->value(r, s));
    return FRAME_FOUND;
  }
  const struct kept *kept = lists_of(scene, f, s);
  if (kept == NULL) {
    return FRAME_REFUSED;
  }
  memcpy(frame_vector(scene->arena, kept->n, value), kept->lists + (long)place * kept->n,
         (size_t)kept->n * sizeof *kept->lists);
  return FRAME_FOUND;
}

static struct bench_runs runs_of(const struct scene *scene) {
  return (struct bench_runs){.n = scene->results->n,
                             .series = scene->results->series,
                             .define = &scene->figure->define,
                             .word = word_of,
                             .call = call,
                             .data = scene};
}

/* ---- tables ---- */

/* Its rows in run i (-1: in none). */
static int work_out_rows(const struct scene *scene, const struct bench_runs *runs,
                         const struct figure_table *table, int i, int *rows, double **values) {
  const int cols = table->n_columns;
  struct frame *f = frame_new(scene->arena);
  const int status = bench_rows_append(f, runs, i, cols, table->titles, table->columns);
  if (status != BASE_OK) {
    base_message_prefix("%s: ", table->place);
    return status;
  }
  *rows = (int)f->n_rows;
  *values = base_arena_matrix(scene->arena, cols, *rows);
  for (long k = 0; k < f->n_rows * cols; ++k) {
    (*values)[k] = frame_real(f, k / cols, (int)(k % cols));
  }
  return BASE_OK;
}

static int make_table(const struct scene *scene, const struct bench_runs *runs,
                      const struct figure_table *table, int i, struct case_plot *plot) {
  const char *head = "";
  double *values = NULL;
  int rows = 0;
  for (int j = 0; j < table->n_columns; ++j) {
    head = base_arena_printf(scene->arena, "%s%s%s", head, j > 0 ? " " : "", table->titles[j]);
  }
  const int status = work_out_rows(scene, runs, table, i, &rows, &values);
  return status != BASE_OK
             ? status
             : case_plot_table(plot, bench_run_text(scene->arena, runs, i, table->name), head, rows,
                               table->n_columns, values);
}

/* One for each run that it is about. */
static int make_tables(const struct scene *scene, const struct bench_runs *runs,
                       const struct figure_table *table, struct case_plot *plot) {
  int status = BASE_OK, n = 0;
  if (table->of == NULL) {
    return make_table(scene, runs, table, -1, plot);
  }
  for (int i = 0; i < runs->n && status == BASE_OK; ++i) {
    if (bench_label_is_of(runs->series[i].run->label, table->of)) {
      status = make_table(scene, runs, table, i, plot);
      ++n;
    }
  }
  return status == BASE_OK && n == 0
             ? base_fail(BASE_E_INPUT, "%s.of: no run has such a label", table->place)
             : status;
}

int figure_make(const struct figure *figure, const struct case_parameters *p,
                const struct case_series *series, int n, struct case_plot *plot) {
  struct case_results r = {.p = p, .n = n, .series = series};
  if (n < figure->n_runs) {
    return base_fail(BASE_FAILED, "there is no run '%s'", figure->runs[n].run.label);
  }
  r.arena = base_arena_alloc();
  struct kept *kept = NULL;
  const struct scene scene = {&r, figure, r.arena, &kept};
  const struct bench_runs runs = runs_of(&scene);
  int status = bench_values_judge(figure->n_values, figure->values, &runs, plot);
  for (int i = 0; i < figure->n_tables && status == BASE_OK; ++i) {
    status = make_tables(&scene, &runs, &figure->tables[i], plot);
  }
  base_arena_free(scene.arena);
  return status;
}
