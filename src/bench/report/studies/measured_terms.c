/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The study `what-is-measured` on equal terms (measured.c): error against work with one factor
 * varied at a time, laws on the same members, and for each law and scheme the work at a given error
 * and the error at a given work, read off the front of its steps and tolerances
 * (la/ensemble/front.h): never the least error over the steps, and nothing beyond what was
 * measured.
 */
#include "bench/report/studies/measured.h"

#include <math.h>

#include "base/json/json.h"
#include "base/status.h"
#include "la/dense.h"
#include "la/ensemble/front.h"
#include "la/ensemble/paired.h"
#include "la/ensemble/quantile.h"

/* ---- error against work, one factor at a time ---- */

/* Work of the reference combination at the longest step of each scene, the median of its members:
 * the unit of all work of that scene. Infinite where it was not run. */
static double *units_of(const struct measured *s, const int reference[3]) {
  double *unit = base_arena_doubles(s->arena, s->scene.n);
  double *room = base_arena_doubles(s->arena, s->members);
  for (int k = 0; k < s->scene.n; ++k) {
    measured_works(
        s, measured_cell(s, reference[LAW], reference[SCHEME], reference[TOLERANCE], 0, k), room);
    unit[k] = la_median(s->members, room);
  }
  return unit;
}

/* A row of a curve: work, error, ends of the band, over the scenes that were run so; 0 where their
 * median is not finite. */
static int point_of(const struct measured *s, const int at[3], const double *unit, int step,
                    double row[4]) {
  const struct base_arena_mark mark = base_arena_mark(s->arena);
  double *work = base_arena_doubles(s->arena, s->scene.n);
  double *error = base_arena_doubles(s->arena, s->scene.n);
  double *all = base_arena_doubles(s->arena, (long)s->scene.n * s->members);
  double *room = base_arena_doubles(s->arena, s->members);
  int n = 0, finite = 0;
  for (int k = 0; k < s->scene.n; ++k) {
    const int cell = measured_cell(s, at[LAW], at[SCHEME], at[TOLERANCE], step, k);
    if (cell < 0 || !isfinite(unit[k])) {
      continue;
    }
    double *own = all + (long)finite * s->members;
    measured_works(s, cell, room);
    work[n] = la_median(s->members, room) / unit[k];
    work[n] = isnan(work[n]) ? INFINITY : work[n];
    measured_errors(s, cell, own);
    la_copy(s->members, own, room);
    error[n] = la_median(s->members, room);
    for (int m = 0; m < s->members && isfinite(error[n]); ++m) {
      own[m] /= error[n];
    }
    finite += isfinite(error[n++]);
  }
  row[0] = la_median(n, work);
  row[1] = la_median(n, error);
  row[2] = row[1] * la_quantile((long)finite * s->members, all, 0.1);
  row[3] = row[1] * la_quantile((long)finite * s->members, all, 0.9);
  base_arena_release(s->arena, mark);
  return isfinite(row[0]) && isfinite(row[1]);
}

int measured_curves(struct report_sheet *sheet, const struct measured *s, int factor,
                    const struct levels *levels, const char *variable) {
  int reference[3], status = BASE_OK, n = 0;
  double *rows = base_arena_matrix(s->arena, 4, s->steps);
  const char *tables[MEASURED_LEVELS], *titles[MEASURED_LEVELS];
  measured_reference(s, reference);
  const double *unit = units_of(s, reference);
  for (int i = 0; i < levels->n && status == BASE_OK; ++i) {
    int at[3] = {reference[0], reference[1], reference[2]}, points = 0;
    at[factor] = i;
    for (int step = 0; step < s->steps; ++step) {
      points += point_of(s, at, unit, step, rows + 4L * points);
    }
    if (points > 0) {
      titles[n] = levels->name[i];
      tables[n] = base_arena_printf(s->arena, "%s-%s", measured_factors[factor], levels->name[i]);
      status = case_plot_table(&sheet->plot, tables[n++], "work[-] error[-] p10[-] p90[-]", points,
                               4, rows);
    }
  }
  report_script_names(&sheet->script, variable, n, tables);
  if (n > 0) {
    report_script_texts(&sheet->script, base_arena_printf(s->arena, "%s_titles", variable), n,
                        titles);
  }
  return status;
}

/* ---- laws on the same members ---- */

int measured_laws(const struct measured *s, FILE *csv) {
  const int n = s->scene.n * s->members;
  double *errors = base_arena_matrix(s->arena, s->law.n, n);
  int *cluster = base_arena_ints(s->arena, n), reference[3];
  measured_reference(s, reference);
  for (int law = 0; law < s->law.n; ++law) {
    for (int k = 0; k < s->scene.n; ++k) {
      double *x = errors + (long)law * n + (long)k * s->members;
      measured_numbers(
          s, measured_cell(s, law, reference[SCHEME], reference[TOLERANCE], s->steps - 1, k), MASS,
          x);
      for (int m = 0; m < s->members; ++m) {
        cluster[k * s->members + m] = k;
        x[m] = fmax(x[m], MEASURED_FLOOR);
      }
    }
  }
  struct la_sampling sampling = la_sampling_default(n);
  sampling.cluster = cluster;
  struct la_rank *rank = base_arena_push(s->arena, (size_t)s->law.n * sizeof *rank);
  la_ranks(&sampling, s->law.n, errors, s->arena, rank);
  fputs("law,log10_ratio_to_ncp,lo,hi,better_than_ncp,lo,hi,mean_rank,lo,hi,first,may_be_best\n",
        csv);
  for (int law = 0; law < s->law.n; ++law) {
    const struct la_paired pair =
        la_paired(&sampling, errors + (long)law * n, errors + (long)reference[LAW] * n, s->arena);
    fputs(s->law.name[law], csv);
    measured_interval(csv, &pair.log_ratio);
    measured_interval(csv, &pair.better);
    measured_interval(csv, &rank[law].mean);
    fprintf(csv, ",%.3g,%d\n", rank[law].first, rank[law].may_be_best);
  }
  return BASE_OK;
}

/* ---- equal terms ---- */

static const double at_errors[] = {1e-2, 1e-3, 1e-4}, at_works[] = {1, 4, 12};
enum { AT = 3 };

/* Work over that of the reference combination at its longest step, and error over the system's
 * length, of every member of every scene at each step and tolerance: rows of both. */
static void fill_points(const struct measured *s, int law, int scheme, const double *unit,
                        double *work, double *error) {
  const long n = (long)s->scene.n * s->members;
  for (int point = 0; point < s->steps * s->tolerance.n; ++point) {
    for (int k = 0; k < s->scene.n; ++k) {
      const int tolerance = point / s->steps, step = point % s->steps;
      const long at = point * n + (long)k * s->members;
      const int cell = measured_cell(s, law, scheme, tolerance, step, k);
      measured_errors(s, cell, error + at);
      measured_works(s, cell, work + at);
      for (int m = 0; m < s->members; ++m) {
        work[at + m] = isfinite(unit[k]) ? work[at + m] / unit[k] : INFINITY;
      }
    }
  }
}

int measured_terms(const struct measured *s, FILE *csv) {
  const int n = s->scene.n * s->members, points = s->steps * s->tolerance.n;
  double *work = base_arena_matrix(s->arena, n, points);
  double *error = base_arena_matrix(s->arena, n, points);
  int *cluster = base_arena_ints(s->arena, n), reference[3];
  struct la_sampling sampling = la_sampling_default(n);
  for (int i = 0; i < n; ++i) {
    cluster[i] = i / s->members;
  }
  sampling.cluster = cluster;
  measured_reference(s, reference);
  const double *unit = units_of(s, reference);
  fputs("# 0 and inf: beyond what was measured, less and more than all of it\n"
        "law,scheme,of,at,value,lo,hi\n",
        csv);
  for (int law = 0; law < s->law.n; ++law) {
    for (int scheme = 0; scheme < s->scheme.n; ++scheme) {
      const struct base_arena_mark mark = base_arena_mark(s->arena);
      struct la_interval interval[2 * AT];
      fill_points(s, law, scheme, unit, work, error);
      la_front_intervals(&(struct la_front_ensemble){points, work, error}, &sampling, AT, at_errors,
                         AT, at_works, s->arena, interval);
      for (int k = 0; k < 2 * AT; ++k) {
        fprintf(csv, "%s,%s,%s,%g", s->law.name[law], s->scheme.name[scheme],
                k < AT ? "work" : "error", k < AT ? at_errors[k] : at_works[k - AT]);
        measured_interval(csv, &interval[k]);
        fputc('\n', csv);
      }
      base_arena_release(s->arena, mark);
    }
  }
  return BASE_OK;
}
