/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables and checks of a figure from their description; see figure.h.
 */
#include "cases/figure/figure.h"

#include "base/status.h"
#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers of a run ---- */

/* The description that a run comes from and its place there. */
static struct case_place place_of(const struct case_results *r, const struct case_series *s) {
  const struct case_runs *runs = r->figure->runs;
  int i = (int)(s - r->series);
  for (; i >= case_runs_count(runs); ++runs) {
    i -= case_runs_count(runs);
  }
  return case_runs_place(runs, i);
}

const struct case_series *case_result(const struct case_results *r, const struct case_series *s,
                                      const char *label) {
  char expanded[CASE_TEXT];
  if (s != NULL) {
    const struct case_place place = place_of(r, s);
    case_place_expand(&place, label, expanded);
  }
  return case_series_find(r->series, r->n, s != NULL ? expanded : label);
}

double case_word(const struct case_results *r, const struct case_series *s, const char *name) {
  const struct case_place place = place_of(r, s);
  return case_place_real(&place, name);
}

/* Number of sample k at "t", "energy", "q[i]" or "u[i]"; NaN where there is none. */
static double sample_at(const struct case_series *s, const char *path, int k) {
  const int is_q = strncmp(path, "q[", 2) == 0, is_u = strncmp(path, "u[", 2) == 0;
  if (is_q || is_u) {
    const long i = strtol(path + 2, NULL, 10);
    const int width = is_q ? s->nq : s->nu;
    return i < width ? (is_q ? s->q : s->u)[(long)k * width + i] : NAN;
  }
  return strcmp(path, "t") == 0 ? s->t[k] : strcmp(path, "energy") == 0 ? s->energy[k] : NAN;
}

/* Of a run that got to its end; else NaN. k: a sample; -1: all of it. */
static double number_of(const struct case_results *r, const struct case_series *s, const char *path,
                        case_value *value, int k) {
  if (path != NULL && path[0] == '{') {
    const struct case_place place = place_of(r, s);
    char word[CASE_TEXT];
    case_place_expand(&place, path, word);
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

/* ---- runs of a description ---- */

/* Runs that go together. */
struct group {
  struct case_place place; /* of the first */
  int n;
  const struct case_series **series;
};
/* How to go through all groups of a description. */
struct walk {
  const struct case_runs *runs;
  const struct case_list *where;
  const struct case_series *series; /* of its first run */
  int count;
  int along[CASE_LISTS]; /* 1: runs along this list are one group */
  int i;                 /* next run to look at */
};

/* Is a list among those of a text, "n k", by the first of its names; "*": all are. */
static int is_listed(const struct case_list *list, const char *text) {
  const size_t n = list->names != NULL ? strcspn(list->names, "/") : 0;
  for (const char *at = text; n > 0 && at != NULL && *(at += strspn(at, " ")) != '\0';) {
    const size_t length = strcspn(at, " ");
    if ((length == n && strncmp(at, list->names, n) == 0) || strncmp(at, "*", length) == 0) {
      return 1;
    }
    at += length;
  }
  return 0;
}

/* BASE_FAILED with a message where there are no such runs. */
static int walk_begin(const struct case_results *r, const char *label, const char *along,
                      const struct case_list *where, struct walk *walk) {
  const struct case_runs *runs = r->figure->runs;
  int first = 0;
  for (; runs != NULL && runs->label != NULL; first += case_runs_count(runs), ++runs) {
    const int count = case_runs_count(runs);
    *walk =
        (struct walk){.runs = runs, .where = where, .series = r->series + first, .count = count};
    if (strcmp(runs->label, label) == 0) {
      for (int k = 0; k < CASE_LISTS; ++k) {
        walk->along[k] = is_listed(&runs->over[k], along);
      }
      return BASE_OK;
    }
    for (int i = 0; i < count; ++i) { /* one run of several */
      if (strcmp(r->series[first + i].run->label, label) == 0) {
        walk->i = i;
        walk->count = i + 1;
        return BASE_OK;
      }
    }
  }
  return base_fail(BASE_FAILED, "there is no run '%s'", label);
}

/* Has run number i the words that are asked for? */
static int is_wanted(const struct walk *walk, int i) {
  const struct case_place place = case_runs_place(walk->runs, i);
  for (const struct case_list *w = walk->where; w < walk->where + CASE_WHERE && w->names != NULL;
       ++w) {
    char word[CASE_TEXT];
    int found = 0;
    case_place_text(&place, w->names, word);
    for (const char *at = w->words; !found && *(at += strspn(at, " ")) != '\0';) {
      const size_t n = strcspn(at, " ");
      found = strlen(word) == n && strncmp(at, word, n) == 0;
      at += n;
    }
    if (!found) {
      return 0;
    }
  }
  return 1;
}

/* Is run number j one of the group that begins with run number i? */
static int goes_with(const struct walk *walk, int i, int j) {
  const struct case_place a = case_runs_place(walk->runs, i), b = case_runs_place(walk->runs, j);
  for (int k = 0; k < CASE_LISTS; ++k) {
    if (!walk->along[k] && a.at[k] != b.at[k]) {
      return 0;
    }
  }
  return 1;
}

/* Is run number i one of a group that begins before it? */
static int goes_with_earlier(const struct walk *walk, int i) {
  const struct case_place place = case_runs_place(walk->runs, i);
  for (int k = 0; k < CASE_LISTS; ++k) {
    if (walk->along[k] && place.at[k] > 0) {
      return 1;
    }
  }
  return 0;
}

/* The next group; 0 behind the last. */
static int walk_next(struct walk *walk, struct group *group, struct base_arena *arena) {
  for (; walk->i < walk->count; ++walk->i) {
    const int i = walk->i;
    if (goes_with_earlier(walk, i)) {
      continue;
    }
    *group = (struct group){.series = base_arena_push(arena, (size_t)walk->count * sizeof(void *))};
    for (int j = i; j < walk->count; ++j) {
      if (goes_with(walk, i, j) && is_wanted(walk, j)) {
        group->place = group->n == 0 ? case_runs_place(walk->runs, j) : group->place;
        group->series[group->n++] = walk->series + j;
      }
    }
    if (group->n > 0) {
      ++walk->i;
      return 1;
    }
  }
  return 0;
}

/* ---- tables ---- */

static double column_of(struct case_results *r, const struct case_column *c,
                        const struct case_series *s, int k) {
  const struct case_series *of = c->of != NULL ? case_result(r, s, c->of) : s;
  r->against = c->against != NULL ? case_result(r, s, c->against) : NULL;
  const int missing = of == NULL || (c->against != NULL && r->against == NULL);
  return missing ? NAN : number_of(r, of, c->path, c->value, k);
}

static int make_table(struct case_results *r, const struct case_table *table,
                      const struct group *group, struct base_arena *arena, struct case_plot *plot) {
  const struct case_series *s = group->n > 0 ? group->series[0] : NULL;
  const int of_samples = s != NULL && table->along == NULL;
  const char *head = "";
  char name[CASE_TEXT];
  int cols = 0, rows = 0;
  if (of_samples && case_series_ok(r->series, r->n, s->run->label, s->nq) == NULL) {
    return BASE_FAILED;
  }
  const int most = table->rows > 0 ? table->rows : of_samples ? s->n : group->n;
  for (; cols < CASE_COLUMNS && table->columns[cols].title != NULL; ++cols) {
    head =
        base_arena_printf(arena, "%s%s%s", head, cols > 0 ? " " : "", table->columns[cols].title);
  }
  double *values = base_arena_matrix(arena, cols, most);
  for (int k = 0; k < most; ++k) {
    double *row = values + (long)rows * cols;
    if (table->keep != NULL && !(table->keep(r, s, k) > 0)) {
      continue;
    }
    if (table->row != NULL) {
      table->row(r, s, k, row);
    }
    for (int j = 0; j < cols && table->row == NULL; ++j) {
      const struct case_series *of = of_samples || k >= group->n ? s : group->series[k];
      row[j] = column_of(r, &table->columns[j], of, of_samples ? k : -1);
    }
    ++rows;
  }
  snprintf(name, sizeof name, "%s", table->name);
  if (s != NULL) {
    case_place_expand(&group->place, table->name, name);
  }
  return case_plot_table(plot, name, head, rows, cols, values);
}

/* ---- checks ---- */

/* The larger, or with CASE_LEAST the smaller; NaN where either is. */
static double reduced(double a, double b, int reduce) {
  return reduce == CASE_LEAST ? -case_worst(-a, -b) : case_worst(a, b);
}

/* Of one run. */
static double value_of(const struct case_results *r, const struct case_check *check,
                       const struct case_series *s) {
  struct case_results own = *r;
  own.against = check->against != NULL ? case_result(r, s, check->against) : NULL;
  const int missing = check->against != NULL && own.against == NULL;
  return missing ? NAN : number_of(&own, s, check->path, check->value, -1);
}

static double value_of_group(const struct case_results *r, const struct case_check *check,
                             const struct group *group, struct base_arena *arena) {
  double *x = base_arena_doubles(arena, group->n), *y = base_arena_doubles(arena, group->n);
  double most = 0;
  for (int k = 0; k < group->n; ++k) {
    const struct case_series *s = group->series[k];
    x[k] = number_of(r, s, check->by != NULL ? check->by : "dt", NULL, -1);
    y[k] = value_of(r, check, s);
    most = k > 0 ? reduced(most, y[k], check->reduce) : y[k];
  }
  return check->along == NULL          ? y[0]
         : check->reduce == CASE_ORDER ? case_order(group->n, x, y, group->n)
                                       : most;
}

static int make_check(const struct case_results *r, const struct case_check *check,
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
  x *= check->scale != 0 ? check->scale : 1;
  x /= over != NULL ? value_of(r, check, over) : 1;
  if (check->bounds != NULL) {
    check->bounds(r, s, &claim.lo, &claim.hi);
  }
  case_place_expand(&group->place, check->what, what);
  if (check->report) {
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

int case_figure_make(const struct case_figure *figure, const struct case_parameters *p,
                     const struct case_series *series, int n, struct case_plot *plot) {
  struct case_results r = {.p = p, .figure = figure, .n = n, .series = series};
  struct base_arena *arena = base_arena_alloc();
  struct group group;
  struct walk walk;
  struct case_run absent;
  int status = case_figure_run(figure, p, n, &absent)
                   ? base_fail(BASE_FAILED, "there is no run '%s'", absent.label)
                   : BASE_OK;
  for (const struct case_check *c = figure->checks; c != NULL && c->what != NULL; ++c) {
    status = status != BASE_OK ? status : walk_begin(&r, c->runs, c->along, c->where, &walk);
    while (status == BASE_OK && walk_next(&walk, &group, arena)) {
      status = make_check(&r, c, &group, arena, plot);
    }
  }
  for (const struct case_table *t = figure->tables; t != NULL && t->name != NULL; ++t) {
    if (t->runs == NULL) {
      const struct group none = {0};
      status = status != BASE_OK ? status : make_table(&r, t, &none, arena, plot);
      continue;
    }
    status = status != BASE_OK ? status : walk_begin(&r, t->runs, t->along, t->where, &walk);
    while (status == BASE_OK && walk_next(&walk, &group, arena)) {
      status = make_table(&r, t, &group, arena, plot);
    }
  }
  base_arena_free(arena);
  return status != BASE_OK || figure->make == NULL ? status : figure->make(p, series, n, plot);
}
