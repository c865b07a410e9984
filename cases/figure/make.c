/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables and checks of a figure from their description; see figure.h.
 */
#include "cases/figure/figure.h"

#include "base/status.h"
#include "cases/figure/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct case_series *case_result(const struct case_results *r, const char *label) {
  return case_series_find(r->series, r->n, label);
}

/* ---- numbers of a run ---- */

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
  if (path != NULL && k < 0 && strcmp(path, "dt") == 0) {
    return s->run->dt;
  }
  if (!case_series_ended(s)) {
    return NAN;
  }
  return value != NULL ? value(r, s, k) : k >= 0 ? sample_at(s, path, k) : case_number(s, path);
}

/* ---- runs of a description ---- */

/* Runs that go together: series from `first` on, `stride` apart, along one list, or a single one.
 */
struct group {
  struct case_place place; /* of the first */
  int first, stride, n;
};
/* How to go through all groups of a description, without the names of lists of one word. */
struct walk {
  const struct case_runs *runs;
  int first, count, along; /* list; -1: every run is a group */
  int i;                   /* next run to look at */
};

static int list_named(const struct case_runs *runs, const char *name) {
  for (int k = 0; k < CASE_LISTS && name != NULL; ++k) {
    const char *names = runs->over[k].names;
    const size_t n = strlen(name);
    if (names != NULL && strncmp(names, name, n) == 0 && (names[n] == '\0' || names[n] == '/')) {
      return k;
    }
  }
  return -1;
}

/* BASE_FAILED with a message where there are no such runs. */
static int walk_begin(const struct case_results *r, const char *label, const char *along,
                      struct walk *walk) {
  const struct case_runs *runs = r->figure->runs;
  int first = 0;
  for (; runs != NULL && runs->label != NULL; first += case_runs_count(runs), ++runs) {
    const int count = case_runs_count(runs);
    if (strcmp(runs->label, label) == 0) {
      *walk = (struct walk){
          .runs = runs, .first = first, .count = count, .along = list_named(runs, along)};
      return first + count <= r->n
                 ? BASE_OK
                 : base_fail(BASE_FAILED, "there is no run '%s' number %d", label, r->n - first);
    }
    for (int i = 0; i < count && first + i < r->n; ++i) { /* one run of several */
      if (strcmp(r->series[first + i].run->label, label) == 0) {
        *walk = (struct walk){.runs = runs, .first = first, .count = i + 1, .along = -1, .i = i};
        return BASE_OK;
      }
    }
  }
  return base_fail(BASE_FAILED, "there is no run '%s'", label);
}

/* The next group; 0 behind the last. */
static int walk_next(struct walk *walk, struct group *group) {
  for (; walk->i < walk->count; ++walk->i) {
    const struct case_place place = case_runs_place(walk->runs, walk->i);
    if (walk->along < 0 || place.at[walk->along] == 0) {
      *group = (struct group){.place = place, .first = walk->first + walk->i, .stride = 1, .n = 1};
      if (walk->along >= 0) {
        group->n = case_list_size(&walk->runs->over[walk->along]);
        for (int k = walk->along + 1; k < CASE_LISTS; ++k) {
          const int size = case_list_size(&walk->runs->over[k]);
          group->stride *= size > 0 ? size : 1;
        }
      }
      ++walk->i;
      return 1;
    }
  }
  return 0;
}

/* ---- tables ---- */

static int make_table(const struct case_results *r, const struct case_table *table,
                      const struct group *group, struct base_arena *arena, struct case_plot *plot) {
  const struct case_series *s = &r->series[group->first];
  const int of_samples = table->along == NULL;
  const char *head = "";
  char name[CASE_TEXT];
  int cols = 0;
  if (of_samples && case_series_ok(r->series, r->n, s->run->label, s->nq) == NULL) {
    return BASE_FAILED;
  }
  const int rows = of_samples ? s->n : group->n;
  for (; cols < CASE_COLUMNS && table->columns[cols].title != NULL; ++cols) {
    head =
        base_arena_printf(arena, "%s%s%s", head, cols > 0 ? " " : "", table->columns[cols].title);
  }
  double *values = base_arena_matrix(arena, cols, rows);
  for (int k = 0; k < rows; ++k) {
    const struct case_series *run = of_samples ? s : s + (long)k * group->stride;
    for (int j = 0; j < cols; ++j) {
      const struct case_column *c = &table->columns[j];
      values[(long)k * cols + j] = number_of(r, run, c->path, c->value, of_samples ? k : -1);
    }
  }
  case_place_expand(&group->place, table->name, name);
  return case_plot_table(plot, name, head, rows, cols, values);
}

/* ---- checks ---- */

static double value_of(const struct case_results *r, const struct case_check *check,
                       const struct group *group, struct base_arena *arena) {
  double *x = base_arena_doubles(arena, group->n), *y = base_arena_doubles(arena, group->n);
  double worst = 0;
  for (int k = 0; k < group->n; ++k) {
    const struct case_series *s = &r->series[group->first + k * group->stride];
    x[k] = number_of(r, s, check->by != NULL ? check->by : "dt", NULL, -1);
    y[k] = number_of(r, s, check->path, check->value, -1);
    worst = k > 0 ? case_worst(worst, y[k]) : y[k];
  }
  return check->along == NULL          ? y[0]
         : check->reduce == CASE_ORDER ? case_order(group->n, x, y, group->n)
                                       : worst;
}

static int make_check(struct case_results *r, const struct case_check *check,
                      const struct group *group, struct base_arena *arena, struct case_plot *plot) {
  char what[CASE_TEXT];
  struct case_claim claim = check->claim;
  r->against = check->against != NULL ? case_result(r, check->against) : NULL;
  const struct case_series *over = check->over != NULL ? case_result(r, check->over) : NULL;
  if ((check->against != NULL && r->against == NULL) || (check->over != NULL && over == NULL)) {
    return BASE_FAILED;
  }
  double x = value_of(r, check, group, arena);
  x *= check->scale > 0 ? check->scale : 1;
  x /= over != NULL ? number_of(r, over, check->path, check->value, -1) : 1;
  if (check->bounds != NULL) {
    check->bounds(r, &r->series[group->first], &claim.lo, &claim.hi);
  }
  case_place_expand(&group->place, check->what, what);
  if (check->report) {
    case_plot_report(plot, what, x, claim.expected);
  } else {
    case_plot_check(plot, what, x, claim);
  }
  const struct case_series *s = &r->series[group->first];
  return check->along != NULL || case_series_ended(s)
             ? BASE_OK
             : base_fail(BASE_FAILED, "run '%s' ended %s: %s", s->run->label,
                         base_status_name(s->status), s->reason != NULL ? s->reason : "");
}

int case_figure_make(const struct case_figure *figure, const struct case_parameters *p,
                     const struct case_series *series, int n, struct case_plot *plot) {
  struct case_results r = {.p = p, .figure = figure, .n = n, .series = series};
  struct base_arena *arena = base_arena_alloc();
  struct group group;
  struct walk walk;
  int status = BASE_OK;
  for (const struct case_check *c = figure->checks; c != NULL && c->what != NULL; ++c) {
    status = status != BASE_OK ? status : walk_begin(&r, c->runs, c->along, &walk);
    while (status == BASE_OK && walk_next(&walk, &group)) {
      status = make_check(&r, c, &group, arena, plot);
    }
  }
  for (const struct case_table *t = figure->tables; t != NULL && t->name != NULL; ++t) {
    status = status != BASE_OK ? status : walk_begin(&r, t->runs, t->along, &walk);
    while (status == BASE_OK && walk_next(&walk, &group)) {
      status = make_table(&r, t, &group, arena, plot);
    }
  }
  base_arena_free(arena);
  return status != BASE_OK || figure->make == NULL ? status : figure->make(p, series, n, plot);
}
