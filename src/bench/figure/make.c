/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables and values of a figure from its runs; see file.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/figure/file.h"
#include "bench/figure/values.h"

/* ---- numbers of a run ---- */

/* Column of a name in final.q_names or .u_names; -1: there is none. */
static int column_named(const struct case_series *s, const char *list, const char *name) {
  const cJSON *names = base_json_at(s->record, list), *item;
  int i = 0;
  cJSON_ArrayForEach(item, names) {
    if (cJSON_IsString(item) && strcmp(item->valuestring, name) == 0) {
      return i;
    }
    ++i;
  }
  return -1;
}

/* Number of sample k at "t", "energy", "q.NAME" or "u.NAME"; NaN where there is none. */
static double sample_at(const struct case_series *s, const char *path, int k) {
  const int is_q = strncmp(path, "q.", 2) == 0, is_u = strncmp(path, "u.", 2) == 0;
  if (is_q || is_u) {
    const int i = column_named(s, is_q ? "final.q_names" : "final.u_names", path + 2);
    const int width = is_q ? s->nq : s->nu;
    return i >= 0 && i < width ? (is_q ? s->q : s->u)[(long)k * width + i] : NAN;
  }
  return strcmp(path, "t") == 0 ? s->t[k] : strcmp(path, "energy") == 0 ? s->energy[k] : NAN;
}

/* Of a run that got to its end; else NaN. k: a sample; -1: all of it. */
static double number_of(const struct case_results *r, const struct case_series *s, const char *path,
                        case_value *value, int k) {
  if (path != NULL && path[0] == '{') {
    char word[CASE_TEXT];
    case_run_text(s->run, path, word);
    return strtod(word, NULL);
  }
  if (path != NULL && k < 0 && strcmp(path, "dt") == 0) {
    return s->run->dt;
  }
  if (!case_series_ended(s) || k >= s->n) {
    return NAN;
  }
  return value != NULL ? value(r, s, k) : k >= 0 ? sample_at(s, path, k) : case_number(s, path);
}

/* ---- runs that go together ---- */

struct group {
  int n;
  const struct case_series **series;
};
/* Which runs a table or value is made of, and how. */
struct choice {
  const char *of, *along;
  int n_where;
  const struct figure_where *where;
};

/* Is a name among those of a text, "n, k"; "*": all are. */
static int is_listed(const char *name, const char *text) {
  const size_t n = strlen(name);
  for (const char *at = text; at != NULL && *(at += strspn(at, ", ")) != '\0';) {
    const size_t length = strcspn(at, ", ");
    if ((length == n && strncmp(at, name, n) == 0) || strncmp(at, "*", length) == 0) {
      return 1;
    }
    at += length;
  }
  return 0;
}

static int is_along(const struct case_run *run, int list, const char *along) {
  int found = 0;
  for (int i = 0; i < run->n_names; ++i) {
    found |= run->names[i].list == list && is_listed(run->names[i].name, along);
  }
  return found;
}

/* Have two runs the same word of the list that name number i of run a is of? Words of one cell are
 * told apart by their numbers, those of two cells by the first name of the list. */
static int is_same_word(const struct case_run *a, const struct case_run *b, int i) {
  const struct case_name *x = &a->names[i];
  if (a->cell == b->cell) {
    return x->number == b->names[i].number;
  }
  for (int k = 0; k < b->n_names; ++k) {
    if (strcmp(b->names[k].name, x->name) == 0) {
      return strcmp(b->names[k].text, x->text) == 0;
    }
  }
  return 1;
}

/* Do two runs differ along these lists alone? */
static int goes_with(const struct case_run *a, const struct case_run *b, const char *along) {
  for (int i = 0; i < a->n_names; ++i) {
    const int list = a->names[i].list, is_first = i == 0 || a->names[i - 1].list != list;
    if (list >= 0 && is_first && !is_along(a, list, along) && !is_same_word(a, b, i)) {
      return 0;
    }
  }
  return 1;
}

/* Is it one of the runs that are asked for? */
static int is_wanted(const struct case_run *run, const struct choice *c) {
  if (strcmp(run->of, c->of) != 0 && strcmp(run->label, c->of) != 0) {
    return 0;
  }
  for (int i = 0; i < c->n_where; ++i) {
    char gap[CASE_TEXT], word[CASE_TEXT];
    int found = 0;
    snprintf(gap, sizeof gap, "{%s}", c->where[i].name);
    case_run_text(run, gap, word);
    for (int k = 0; k < c->where[i].n && !found; ++k) {
      found = strcmp(c->where[i].words[k], word) == 0;
    }
    if (!found) {
      return 0;
    }
  }
  return 1;
}

/* All groups in the order of their first runs, n of them. BASE_FAILED where there is no such run. */
static int find_groups(const struct case_results *r, const struct choice *choice,
                       struct base_arena *arena, int *n, struct group **groups) {
  char *is_taken = base_arena_push(arena, (size_t)r->n);
  int found = 0;
  *n = 0;
  *groups = base_arena_push(arena, ((size_t)r->n + 1) * sizeof **groups);
  for (int i = 0; i < r->n; ++i) {
    const struct case_run *first = r->series[i].run;
    found |= strcmp(first->of, choice->of) == 0 || strcmp(first->label, choice->of) == 0;
    if (is_taken[i] || !is_wanted(first, choice)) {
      continue;
    }
    struct group *group = &(*groups)[(*n)++];
    group->series = base_arena_push(arena, (size_t)r->n * sizeof *group->series);
    for (int j = i; j < r->n; ++j) {
      const struct case_run *run = r->series[j].run;
      if (is_wanted(run, choice) && strcmp(run->of, first->of) == 0 &&
          goes_with(first, run, choice->along)) {
        group->series[group->n++] = &r->series[j];
        is_taken[j] = 1;
      }
    }
  }
  return found ? BASE_OK : base_fail(BASE_FAILED, "there is no run '%s'", choice->of);
}

/* ---- expressions ---- */

/* What expressions are worked out from, and the sample that a function in C is asked for. */
struct scene {
  struct case_results *results;
  const struct figure *figure;
  int sample;               /* -1: of all of a run */
  struct base_arena *arena; /* of vectors */
};

static const char *word_of(const void *data, int i, const char *name) {
  static _Thread_local char word[CASE_TEXT];
  const struct scene *scene = data;
  char gap[CASE_TEXT];
  snprintf(gap, sizeof gap, "{%s}", name);
  case_run_text(scene->results->series[i].run, gap, word);
  return strcmp(gap, word) != 0 ? word : NULL;
}

/* "case.name('label')" in C: the run of that label is handed to the function beside. */
static int call(const void *data, int i, const char *name, int n,
                const struct frame_value *arguments, struct frame_value *value) {
  const struct scene *scene = data;
  const struct case_function *f = figure_function(name, strlen(name));
  if (f != NULL && f->formula != NULL) {
    return figure_formula(f, name, scene->results->p, scene->arena, n, arguments, value);
  }
  if (f == NULL || f->value == NULL) {
    return 0;
  }
  struct case_results r = *scene->results;
  const struct case_series *s = i >= 0 ? &r.series[i] : NULL;
  if (n > 1 || (n == 1 && arguments[0].kind != FRAME_TEXT)) {
    base_fail(BASE_E_INPUT, "%s() takes the label of a run", name);
    return -1;
  }
  r.against = n == 1 ? case_result(&r, s, arguments[0].text) : NULL;
  if (n == 1 && r.against == NULL) {
    return -1;
  }
  *value = frame_number(s == NULL || case_series_ended(s) ? f->value(&r, s, scene->sample) : NAN);
  return 1;
}

static struct bench_runs runs_of(const struct scene *scene) {
  return (struct bench_runs){
      .n = scene->results->n,
      .series = scene->results->series,
      .define = cJSON_GetObjectItemCaseSensitive(scene->figure->file->json, "define"),
      .word = word_of,
      .call = call,
      .data = scene};
}

/* An expression of a run; of its sample k, where it is a vector over these, which is kept for the
 * other samples. */
static int work_out(const struct scene *all, const struct frame_expression *e,
                    const struct case_series *s, int k, struct base_arena *arena,
                    const struct frame_list **kept, double *x) {
  const struct scene scene = {all->results, all->figure, k, arena};
  const struct bench_runs runs = runs_of(&scene);
  const struct frame_scope scope = bench_run_scope(arena, &runs, (int)(s - all->results->series));
  struct frame_value value;
  const int status = frame_expression_value(e, &scope, &value);
  if (status != BASE_OK) {
    return status;
  }
  if (value.kind == FRAME_LIST && k >= 0 && value.list->n != s->n) {
    return base_fail(BASE_E_INPUT, "run '%s': a column has %d entries, its samples are %d",
                     s->run->label, value.list->n, s->n);
  }
  *kept = value.kind == FRAME_LIST && k >= 0 ? value.list : NULL;
  *x = value.kind == FRAME_NUMBER ? value.number : *kept != NULL ? value.list->x[k] : NAN;
  return BASE_OK;
}

/* ---- tables ---- */

static int column_of(const struct scene *scene, const struct figure_column *c,
                     const struct case_series *s, int k, struct base_arena *arena,
                     const struct frame_list **kept, double *x) {
  struct case_results *r = scene->results;
  if (*kept != NULL) {
    *x = (*kept)->x[k];
    return BASE_OK;
  }
  if (c->expression != NULL) {
    return work_out(scene, c->expression, s, k, arena, kept, x);
  }
  const struct case_series *of = c->of != NULL ? case_result(r, s, c->of) : s;
  r->against = c->against != NULL ? case_result(r, s, c->against) : NULL;
  const int missing = of == NULL || (c->against != NULL && r->against == NULL);
  *x = missing ? NAN : number_of(r, of, c->path, c->value, k);
  return BASE_OK;
}

static int make_table(const struct scene *scene, const struct figure_table *table,
                      const struct group *group, struct base_arena *arena, struct case_plot *plot) {
  struct case_results *r = scene->results;
  const struct case_series *s = group->n > 0 ? group->series[0] : NULL;
  const int of_samples = s != NULL && table->along == NULL;
  const char *head = "";
  char name[CASE_TEXT];
  int cols = 0, rows = 0;
  if (of_samples && case_series_ok(r->series, r->n, s->run->label, s->nq) == NULL) {
    return BASE_FAILED;
  }
  const int most = table->rows > 0 ? table->rows : of_samples ? s->n : group->n;
  for (; cols < table->n_columns; ++cols) {
    head =
        base_arena_printf(arena, "%s%s%s", head, cols > 0 ? " " : "", table->columns[cols].title);
  }
  double *values = base_arena_matrix(arena, cols, most);
  const struct frame_list **kept = base_arena_push(arena, (size_t)cols * sizeof *kept);
  int status = BASE_OK;
  for (int k = 0; k < most && status == BASE_OK; ++k) {
    double *row = values + (long)rows * cols;
    if (table->keep != NULL && !(table->keep(r, s, k) > 0)) {
      continue;
    }
    if (table->row != NULL) {
      table->row(r, s, k, row);
    }
    for (int j = 0; j < cols && table->row == NULL; ++j) {
      const struct case_series *of = of_samples || k >= group->n ? s : group->series[k];
      status = status != BASE_OK ? status
                                 : column_of(scene, &table->columns[j], of, of_samples ? k : -1,
                                             arena, &kept[j], &row[j]);
    }
    ++rows;
  }
  snprintf(name, sizeof name, "%s", table->name);
  if (s != NULL) {
    case_run_text(s->run, table->name, name);
  }
  return status != BASE_OK ? status : case_plot_table(plot, name, head, rows, cols, values);
}

/* ---- values ---- */

/* The larger, or with FIGURE_MIN the smaller; NaN where either is. */
static double reduced(double a, double b, int reduce) {
  return reduce == FIGURE_MIN ? -case_worst(-a, -b) : case_worst(a, b);
}

/* Of one run. */
static double value_of(const struct case_results *r, const struct figure_value *check,
                       const struct case_series *s) {
  struct case_results own = *r;
  own.against = check->against != NULL ? case_result(r, s, check->against) : NULL;
  const int missing = check->against != NULL && own.against == NULL;
  return missing ? NAN : number_of(&own, s, check->path, check->value, -1);
}

static double value_of_group(const struct case_results *r, const struct figure_value *check,
                             const struct group *group, struct base_arena *arena) {
  double *x = base_arena_doubles(arena, group->n), *y = base_arena_doubles(arena, group->n);
  double most = 0;
  for (int k = 0; k < group->n; ++k) {
    const struct case_series *s = group->series[k];
    x[k] = number_of(r, s, check->by != NULL ? check->by : "dt", NULL, -1);
    y[k] = value_of(r, check, s);
    most = k > 0 ? reduced(most, y[k], check->reduce) : y[k];
  }
  return check->along == NULL            ? y[0]
         : check->reduce == FIGURE_ORDER ? case_order(group->n, x, y, group->n)
                                         : most;
}

static int make_value(const struct case_results *r, const struct figure_value *check,
                      const struct group *group, struct base_arena *arena, struct case_plot *plot) {
  char what[CASE_TEXT];
  struct case_claim claim = check->claim;
  const struct case_series *s = group->series[0];
  const struct case_series *over = check->over != NULL ? case_result(r, s, check->over) : NULL;
  if ((check->over != NULL && over == NULL) ||
      (check->against != NULL && case_result(r, s, check->against) == NULL)) {
    return BASE_FAILED;
  }
  double x = value_of_group(r, check, group, arena);
  x *= check->scale;
  x /= over != NULL ? value_of(r, check, over) : 1;
  if (check->bounds != NULL) {
    check->bounds(r, s, &claim.lo, &claim.hi);
  }
  case_run_text(s->run, check->name, what);
  if (check->is_report) {
    case_plot_report(plot, what, x, claim.expected);
  } else {
    case_plot_check(plot, what, x, claim);
  }
  for (int k = 0; k < group->n; ++k) {
    s = group->series[k];
    if (!case_series_ended(s)) {
      return base_fail(BASE_FAILED, "run '%s' ended %s: %s", s->run->label,
                       base_status_name(s->status), s->reason != NULL ? s->reason : "");
    }
  }
  return BASE_OK;
}

/* Of every group of runs. */
static int make_of_groups(const struct case_results *r, const struct figure_value *v,
                          struct base_arena *arena, struct case_plot *plot) {
  const struct choice choice = {v->of, v->along, v->n_where, v->where};
  struct group *groups;
  int n = 0;
  int status = find_groups(r, &choice, arena, &n, &groups);
  for (int k = 0; k < n && status == BASE_OK; ++k) {
    status = make_value(r, v, &groups[k], arena, plot);
  }
  return status;
}

/* All of them, also where one of the runs did not end, which is the first message then. */
static int make_values(struct case_results *r, const struct figure *figure,
                       struct base_arena *arena, struct case_plot *plot) {
  const struct scene scene = {r, figure, -1, arena};
  const struct bench_runs runs = runs_of(&scene);
  const char *missed = NULL;
  int status = BASE_OK;
  for (int i = 0; i < figure->n_values && status == BASE_OK; ++i) {
    const struct figure_value *v = &figure->values[i];
    status = v->plain != NULL ? bench_value_make(v->plain, i, &runs, figure->file->path, plot)
                              : make_of_groups(r, v, arena, plot);
    if (status == BASE_FAILED) {
      missed = missed != NULL ? missed : base_arena_copy(arena, base_message());
      status = BASE_OK;
    }
  }
  return status != BASE_OK || missed == NULL ? status : base_fail(BASE_FAILED, "%s", missed);
}

/* One as the older keys say it, of every group of runs. */
static int make_table_of_groups(const struct scene *scene, const struct figure_table *t,
                                struct base_arena *arena, struct case_plot *plot) {
  const struct choice choice = {t->of, t->along, t->n_where, t->where};
  const struct group none = {0};
  struct group *groups;
  int n = 0;
  if (t->of == NULL) {
    return make_table(scene, t, &none, arena, plot);
  }
  int status = find_groups(scene->results, &choice, arena, &n, &groups);
  for (int k = 0; k < n && status == BASE_OK; ++k) {
    status = make_table(scene, t, &groups[k], arena, plot);
  }
  return status;
}

static int make_tables(struct case_results *r, const struct figure *figure,
                       struct base_arena *arena, struct case_plot *plot) {
  const struct scene scene = {r, figure, -1, arena};
  const struct bench_runs runs = runs_of(&scene);
  int status = BASE_OK;
  for (int i = 0; i < figure->n_tables && status == BASE_OK; ++i) {
    const struct figure_table *t = &figure->tables[i];
    const char *place = base_arena_printf(arena, "%s: tables.%s", figure->file->path, t->name);
    status = t->plain != NULL ? bench_table_make(t->plain, t->name, &runs, place, plot)
                              : make_table_of_groups(&scene, t, arena, plot);
  }
  return status;
}

int figure_make(const struct figure *figure, const struct case_parameters *p,
                const struct case_series *series, int n, struct case_plot *plot) {
  struct case_results r = {.p = p, .n = n, .series = series};
  if (n < figure->n_runs) {
    return base_fail(BASE_FAILED, "there is no run '%s'", figure->runs[n].run.label);
  }
  struct base_arena *arena = base_arena_alloc();
  int status = make_values(&r, figure, arena, plot);
  status = status != BASE_OK ? status : make_tables(&r, figure, arena, plot);
  base_arena_free(arena);
  return status != BASE_OK || figure->make == NULL ? status : figure->make(p, series, n, plot);
}
