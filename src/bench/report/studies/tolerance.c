/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The study `tolerance`: what the tolerance of the solves does to the answer of a run, beside what
 * its step does. Its runs are those whose label begins with "tolerance" (suite key "label"), with a
 * trajectory ("sample"). Runs that differ in tol alone belong together; with q the coordinates at
 * the times of the samples, q* those of the tightest of them, n the number of steps,
 *
 *   change   = max |q - q*|
 *   error    = max |q* - reference|, errors.q_linf, what the step does; without a reference the
 *              distance to the tightest run of the shortest step, which then has none itself
 *   quotient = change / error, against tol and against n^2 tol (job/tolerance.c)
 *
 * Where the step makes no error beyond rounding, such as at rest, nothing is to be balanced: those
 * runs are in report/tolerance.csv alone. Unlike a run's error the quotient has no other scale.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "bench/report/kit/study.h"

/* A change of this part of the step's error is balanced. */
static const double TENTH = 0.1;
/* Samples at one time, over the horizon. */
static const double SAME_TIME = 1e-9;

/* A run beside the tightest one of its kind. */
struct point {
  const struct report_record *r;
  double tol, steps, change, error;
};

static double tol_of(const struct report_record *r) {
  return base_json_real_at(r->json, "solver.options.tol");
}

static int takes_part(const struct report_record *r) {
  return report_is_of(r, "tolerance") && r->form >= 0 && report_has_errors(r) && tol_of(r) > 0 &&
         base_json_at(r->json, "trajectory.t") != NULL;
}

/* Do two runs differ in tol alone, or in tol and step? */
static int is_same_but(const struct report_record *a, const struct report_record *b, int but_step) {
  return a->form == b->form && (but_step || a->dt == b->dt) &&
         strcmp(a->case_name, b->case_name) == 0 &&
         base_json_real_at(a->json, "t_end") == base_json_real_at(b->json, "t_end") &&
         strcmp(base_json_text_at(a->json, "solver.name"),
                base_json_text_at(b->json, "solver.name")) == 0 &&
         base_json_same(base_json_at(a->json, "case.parameters"),
                        base_json_at(b->json, "case.parameters"));
}

/* Of the runs like r the one of the shortest step, or of its own, and of these the tightest. */
static const struct report_record *tightest(const struct report *report,
                                            const struct report_record *r, int of_all_steps) {
  const struct report_record *best = r;
  for (int i = 0; i < report->n_records; ++i) {
    const struct report_record *s = &report->records[i];
    if (takes_part(s) && is_same_but(r, s, of_all_steps) &&
        (s->dt < best->dt || (s->dt == best->dt && tol_of(s) < tol_of(best)))) {
      best = s;
    }
  }
  return best;
}

/* Largest difference of two columns at the times both have. */
static double column_distance(const cJSON *t, const cJSON *x, const cJSON *u, const cJSON *y,
                              double together) {
  double most = 0;
  while (t != NULL && u != NULL && x != NULL && y != NULL) {
    const double apart = t->valuedouble - u->valuedouble;
    if (fabs(apart) <= together && cJSON_IsNumber(x) && cJSON_IsNumber(y)) {
      most = fmax(most, fabs(x->valuedouble - y->valuedouble));
    }
    if (apart <= together) {
      t = t->next;
      x = x->next;
    }
    if (apart >= -together) {
      u = u->next;
      y = y->next;
    }
  }
  return most;
}

static double distance(const struct report_record *a, const struct report_record *b) {
  const cJSON *t = base_json_at(a->json, "trajectory.t"), *x;
  const cJSON *u = base_json_at(b->json, "trajectory.t"),
              *q = base_json_at(b->json, "trajectory.q");
  const double together = SAME_TIME * base_json_real_at(a->json, "t_end");
  double most = 0;
  cJSON_ArrayForEach(x, base_json_at(a->json, "trajectory.q")) {
    const cJSON *y = cJSON_GetObjectItemCaseSensitive(q, x->string);
    if (y != NULL) {
      most = fmax(most, column_distance(t->child, x->child, u->child, y->child, together));
    }
  }
  return most;
}

/* What the step does; NaN: not known, or nothing beyond rounding. */
static double error_of_step(const struct report *report, const struct report_record *tight) {
  double error = base_json_real_at(tight->json, "errors.q_linf");
  if (!isfinite(error)) {
    const struct report_record *finest = tightest(report, tight, 1);
    error = finest->dt < tight->dt ? distance(tight, finest) : NAN;
  }
  return error > report_error_floor(tight) ? error : NAN;
}

/* All runs but the tightest, in the order of the records; their number. */
static int collect(const struct report *report, struct point *points) {
  int n = 0;
  for (int i = 0; i < report->n_records; ++i) {
    const struct report_record *r = &report->records[i];
    const struct report_record *tight = takes_part(r) ? tightest(report, r, 0) : r;
    if (tight != r) {
      points[n++] = (struct point){.r = r,
                                   .tol = tol_of(r),
                                   .steps = base_json_real_at(r->json, "steps"),
                                   .change = distance(r, tight),
                                   .error = error_of_step(report, tight)};
    }
  }
  return n;
}

static double quotient_of(const struct point *p) { return p->change / p->error; }

static double place_of(const struct point *p) { return p->tol * p->steps * p->steps; }

static int by_first(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Table of a case, tol, n^2 tol and quotient a row, by tol; and the worst quotient at each tol. */
static int case_tables(struct report_sheet *s, const char *name, int n,
                       const struct point *points) {
  double *rows = base_arena_matrix(s->report->arena, 3, n);
  double *worst = base_arena_matrix(s->report->arena, 2, n);
  int m = 0, k = 0;
  for (int i = 0; i < n; ++i) {
    if (strcmp(points[i].r->case_name, name) == 0 && quotient_of(&points[i]) >= 0) {
      double *row = rows + 3 * (long)m++;
      row[0] = points[i].tol;
      row[1] = place_of(&points[i]);
      row[2] = quotient_of(&points[i]);
    }
  }
  qsort(rows, (size_t)m, 3 * sizeof *rows, by_first);
  for (int i = 0; i < m; ++i) {
    const double *row = rows + 3 * (long)i;
    k += k == 0 || worst[2 * (k - 1)] != row[0];
    double *last = worst + 2 * (long)(k - 1);
    last[1] = i > 0 && last[0] == row[0] ? fmax(last[1], row[2]) : row[2];
    last[0] = row[0];
  }
  const char *clean = base_name_clean(name, s->report->arena);
  const int status =
      m == 0 ? BASE_OK
             : case_plot_table(&s->plot, clean, "tol[-] n2_tol[-] quotient[-]", m, 3, rows);
  return status != BASE_OK || m == 0
             ? status
             : case_plot_table(&s->plot, base_arena_printf(s->report->arena, "%s-worst", clean),
                               "tol[-] quotient[-]", k, 2, worst);
}

/* The worst quotient of all runs with at most this n^2 tol. */
static int envelope_table(struct report_sheet *s, int n, const struct point *points) {
  double *rows = base_arena_matrix(s->report->arena, 2, n);
  int m = 0;
  for (int i = 0; i < n; ++i) {
    if (quotient_of(&points[i]) >= 0) {
      rows[2 * m] = place_of(&points[i]);
      rows[2 * m++ + 1] = quotient_of(&points[i]);
    }
  }
  qsort(rows, (size_t)m, 2 * sizeof *rows, by_first);
  for (int i = 1; i < m; ++i) {
    rows[2 * i + 1] = fmax(rows[2 * i + 1], rows[2 * i - 1]);
  }
  return case_plot_table(&s->plot, "envelope", "n2_tol[-] quotient[-]", m, 2, rows);
}

/* The worst run at the default tolerance or the next tighter one of its kind that was run. */
static const char *verdict(const struct report *report, int n, const struct point *points) {
  const struct point *worst = NULL;
  int kinds = 0;
  for (int i = 0; i < n; ++i) {
    const struct point *p = &points[i];
    const double most = bench_tolerance_balanced(p->r->dt, base_json_real_at(p->r->json, "t_end"));
    int is_nearest = p->tol <= most && quotient_of(p) >= 0;
    for (int k = 0; k < n && is_nearest; ++k) {
      is_nearest =
          !(is_same_but(p->r, points[k].r, 0) && points[k].tol > p->tol && points[k].tol <= most);
    }
    kinds += is_nearest;
    worst = is_nearest && (worst == NULL || quotient_of(p) > quotient_of(worst)) ? p : worst;
  }
  return worst == NULL
             ? ""
             : base_arena_printf(
                   report->arena,
                   " Of %d kinds of runs, each at the default or the next tighter "
                   "tolerance, the worst comes to %.2g (%s, %s, dt = %g s): %s a tenth.",
                   kinds, quotient_of(worst), worst->r->case_name, form_get(worst->r->form)->name,
                   worst->r->dt, quotient_of(worst) < TENTH ? "below" : "NOT below");
}

static int write_csv(const struct report *report, int n, const struct point *points) {
  struct bench_table *csv = bench_table_headed(
      report->arena,
      "case,formulation,dt_s,steps,tol,change,error_of_step,quotient,iterations_mean,record");
  for (int i = 0; i < n; ++i) {
    const struct point *p = &points[i];
    bench_table_row(csv, "ttnnnnnnnt", p->r->case_name, form_get(p->r->form)->name, p->r->dt,
                    p->steps, p->tol, p->change, p->error, quotient_of(p),
                    base_json_real_at(p->r->json, "iterations.mean"), p->r->name);
  }
  return report_write_table(report, "tolerance", csv);
}

int report_tolerance_make(struct report *report, const struct bench_figure *study) {
  struct base_arena *arena = report->arena;
  struct point *points = base_arena_push(arena, (size_t)report->n_records * sizeof *points);
  const int n = collect(report, points);
  struct report_sheet s;
  if (n == 0) {
    return BASE_OK;
  }
  int status = write_csv(report, n, points), n_cases = 0;
  status = status != BASE_OK ? status : report_sheet_begin(&s, report, study, NULL);
  const char **cases = base_arena_push(arena, (size_t)n * sizeof *cases);
  for (int i = 0; i < n && status == BASE_OK; ++i) {
    int known = !(quotient_of(&points[i]) >= 0);
    for (int k = 0; k < i && !known; ++k) {
      known = quotient_of(&points[k]) >= 0 &&
              strcmp(points[k].r->case_name, points[i].r->case_name) == 0;
    }
    if (!known) {
      cases[n_cases++] = base_name_clean(points[i].r->case_name, arena);
      status = case_tables(&s, points[i].r->case_name, n, points);
    }
  }
  if (status != BASE_OK || n_cases == 0) {
    return status;
  }
  status = envelope_table(&s, n, points);
  s.caption = base_arena_printf(arena, "%s%s", s.caption, verdict(report, n, points));
  report_script_names(&s.script, "cases", n_cases, cases);
  report_script_real(&s.script, "tenth", TENTH);
  report_script_real(&s.script, "balanced", bench_tolerance_balanced(1e-3, 1) * 1e6);
  return status != BASE_OK ? status : report_sheet_finish(&s);
}
