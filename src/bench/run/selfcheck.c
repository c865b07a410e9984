/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `coulombench check CASE|SCENE`: a model against itself by finite differences (mech/check) at
 * random states about its initial one, so that a wrong sign in W, which no run can see but by its
 * results, is found. States are moved by parts of the system's length (SCATTER) and put back onto
 * the constraints; velocities are random, up to the system's speed; the time is in the middle of
 * the run, off the ends of what is prescribed. One line for each comparison, with the median of the
 * relative errors at the scale that does better. Where surfaces change the feature that is in
 * contact a gap has a kink, and a difference across it is off on a right model, at a few states or
 * about one configuration; a wrong sign, factor or term is off at all of them.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "base/memory/memory.h"
#include "base/options.h"
#include "base/rng.h"
#include "base/status.h"
#include "base/text.h"
#include "bench/run/measure.h"
#include "bench/run/selfcheck.h"
#include "cases/case.h"
#include "la/dense.h"

enum { STATES = 7, ROWS_MAX = 64, SEED = 20170131 };
/* Velocities of the largest system of which dense derivatives are taken. */
enum { SIZE_MAX_DENSE = 500 };
enum { SCALES = 2 };
static const double SCATTER[SCALES] = {5e-2, 1e-3};
static const double MIDDLE = 0.3141; /* of the horizon */
/* Fourth-order differences leave 1e-9 of smooth functions; a wrong sign or factor leaves 1e-3 to 2;
 * what is curved strongly, spheres that touch at a small part of the length, some 1e-6. */
static const double TOLERANCE = 1e-5;

struct row {
  const char *what;
  double now; /* at the present state; NaN: not compared */
  struct bench_series errors[SCALES];
};

struct rows {
  int n;
  struct row row[ROWS_MAX];
};

static void note(void *data, const char *what, double error) {
  struct rows *rows = data;
  int i = 0;
  while (i < rows->n && strcmp(rows->row[i].what, what) != 0) {
    ++i;
  }
  if (i == rows->n && i < ROWS_MAX) {
    rows->row[rows->n++] = (struct row){.what = what, .now = NAN};
  }
  if (i < ROWS_MAX) {
    rows->row[i].now = fmax(rows->row[i].now, error);
  }
}

/* A state about the initial one, on the constraints; 0 where there is no way back onto them. */
static int scatter(const struct case_instance *start, double most, double t, struct base_rng *rng,
                   double *q, double *u, struct base_arena *arena) {
  const struct mech *m = start->mech;
  for (int j = 0; j < m->nq; ++j) {
    q[j] = start->q[j] + base_rng_uniform(rng, -1, 1) * most * m->length;
  }
  for (int j = 0; j < m->nu; ++j) {
    u[j] = base_rng_uniform(rng, -1, 1) * m->speed;
  }
  if (m->ops->normalise != NULL) {
    m->ops->normalise(m, q);
  }
  mech_set_time(m, t);
  return m->ns == 0 || mech_project(m, q, u, arena) == BASE_OK;
}

/* Comparisons at random states; returns their number. */
static int check_states(const struct case_instance *start, int scale, double t, struct rows *rows,
                        struct base_arena *arena) {
  const struct mech *m = start->mech;
  struct base_rng *rng = base_rng_alloc(SEED);
  double *q = base_arena_doubles(arena, m->nq), *u = base_arena_doubles(arena, m->nu);
  int states = 0;
  for (int k = 0; k < 4 * STATES && states < STATES; ++k) {
    if (!scatter(start, SCATTER[scale], t, rng, q, u, arena)) {
      continue;
    }
    mech_check_visit(m, q, u, t, TOLERANCE, (struct mech_check_visitor){note, rows}, arena);
    for (int i = 0; i < rows->n; ++i) {
      if (!isnan(rows->row[i].now)) {
        bench_series_add(&rows->row[i].errors[scale], rows->row[i].now);
      }
      rows->row[i].now = NAN;
    }
    ++states;
  }
  base_rng_free(rng);
  return states;
}

/* A line for each; returns the first that is wrong, NULL: none is. */
static const char *print_rows(const char *name, struct rows *rows) {
  const char *wrong = NULL;
  for (int i = 0; i < rows->n; ++i) {
    struct row *row = &rows->row[i];
    double median = NAN; /* of the scale that does better; fmin passes over NaN */
    for (int k = 0; k < SCALES; ++k) {
      median = fmin(median, bench_series_quantile(&row->errors[k], 0.5));
      bench_series_free(&row->errors[k]);
    }
    const int is_wrong = !(median <= TOLERANCE);
    wrong = is_wrong && wrong == NULL ? row->what : wrong;
    printf("%s: %s %s: relative error %.2g\n", name, is_wrong ? "WRONG" : "ok", row->what, median);
  }
  return wrong;
}

int bench_check_model(const struct case_type *type, const struct base_words *set,
                      struct base_arena *arena) {
  struct case_instance start = {0};
  struct case_parameters *p = case_parameters_load(type, arena);
  int status = p != NULL ? BASE_OK : BASE_E_INPUT;
  for (int i = 0; i < set->n && status == BASE_OK; ++i) {
    char key[CASE_TEXT];
    const char *value;
    status = base_options_split(set->word[i], key, sizeof key, &value);
    status = status != BASE_OK ? status : case_parameters_set(p, key, value);
  }
  status = status != BASE_OK ? status : type->build(p, arena, &start);
  if (status != BASE_OK) {
    return status;
  }
  if (start.mech->nu > SIZE_MAX_DENSE) {
    return base_fail(BASE_E_INPUT,
                     "%s: %d velocities, and dense derivatives are taken of %d at most: check it "
                     "with fewer bodies (--set)",
                     type->name, start.mech->nu, (int)SIZE_MAX_DENSE);
  }
  const double file = base_json_real_at(case_parameters_file(p), "t_end");
  struct rows rows = {0};
  const double t = MIDDLE * (start.t_end > 0 ? start.t_end : file);
  int states = 0;
  for (int scale = 0; scale < SCALES; ++scale) {
    states += check_states(&start, scale, t, &rows, arena);
  }
  const char *wrong = print_rows(type->name, &rows);
  if (states == 0) {
    return base_fail(BASE_FAILED, "%s: no state found on the constraints", type->name);
  }
  return wrong == NULL ? BASE_OK
                       : base_fail(BASE_FAILED, "%s: %s is not what finite differences say",
                                   type->name, wrong);
}
