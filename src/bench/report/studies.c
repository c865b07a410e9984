/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list of the harness's own studies, from all records outside figures (without a suite and with
 * no others, from those). The matrix is part of the page; its numbers are in report/matrix.csv.
 *
 * Errors below BOUND_FACTOR times the reference's own bound measure the reference, and those of the
 * size of rounding measure that: no slope uses them.
 */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/figure/study.h"
#include "bench/report/kit/study.h"
#include "bench/report/studies/conclude.h"

static const double BOUND_FACTOR = 10;
/* Drifts of less than this, zero included, are drawn here: rounding of one double. */
static const double DRIFT_FLOOR = 1e-15;
/* No slope uses drifts below, nor errors below this part of the largest coordinate or of the speed:
 * sums of up to a million rounded terms. */
static const double DRIFT_ROUNDING = 1e-12;

/* A run of the formulation that its own reference comes from has no error to show. */
int report_is_reference(const struct report_record *r) {
  return strcmp(base_json_text_at(r->json, "reference.kind"), "self") == 0;
}

/* ---- columns and filters ---- */

/* Largest size in a list of numbers. */
static double largest_of(const struct report_record *r, const char *path) {
  double largest = 0;
  const cJSON *number;
  cJSON_ArrayForEach(number, base_json_at(r->json, path)) {
    largest = fmax(largest, fabs(number->valuedouble));
  }
  return largest;
}

static double error_of(const struct report_record *r) {
  return base_json_real_at(r->json, "errors.q_linf");
}

double report_error_floor(const struct report_record *r) {
  const double bound = base_json_real_at(r->json, "reference.bound");
  const double rounding = DRIFT_ROUNDING * largest_of(r, "final.q");
  return isfinite(bound) ? fmax(BOUND_FACTOR * bound, rounding) : rounding;
}

/* Of a distance over the system's speed and the horizon. */
static double hausdorff_floor(const struct report_record *r) {
  (void)r;
  return DRIFT_ROUNDING;
}

static double hausdorff_of(const struct report_record *r) {
  const double distance = base_json_real_at(r->json, "errors.u_hausdorff");
  return distance > 0 ? distance : NAN;
}

static double drift_of(const struct report_record *r) {
  return fmax(report_relative_drift(r->json), DRIFT_FLOOR);
}

static double drift_floor(const struct report_record *r) {
  (void)r;
  return DRIFT_ROUNDING;
}

static double step_of(const struct report_record *r) { return r->dt; }

static int has_drift(const struct report_record *r) {
  return report_has_errors(r) && isfinite(report_relative_drift(r->json));
}

static int has_order(const struct report_record *r) {
  return report_has_errors(r) && !report_chooses_steps(r->form) &&
         error_of(r) > report_error_floor(r);
}

static int has_work(const struct report_record *r) {
  return report_has_errors(r) && !report_is_reference(r) && error_of(r) > 0 &&
         base_json_real_at(r->json, "timing.steps_s") > 0;
}

static double first_quartile_of(const struct report_record *r) {
  return report_time_quartile(r, 0);
}

static double third_quartile_of(const struct report_record *r) {
  return report_time_quartile(r, 1);
}

/* ---- what scripts are told ---- */

/* Middle of n positive numbers (sorted in place), 0 for none. */
static double median(int n, double *x) {
  int m = 0;
  for (int i = 0; i < n; ++i) {
    if (x[i] > 0) {
      x[m++] = x[i];
    }
  }
  gsl_sort(x, 1, (size_t)m);
  return m > 0 ? x[m / 2] : 0;
}

/* Where the guide of slope 1 passes, through the middle of the errors at the largest step, and how
 * far the steps reach. */
static void tell_guide(struct report_sheet *s, const struct report_row *row) {
  double dt_min = INFINITY, dt_max = 0;
  double *q = base_arena_doubles(s->report->arena, row->n);
  double *u = base_arena_doubles(s->report->arena, row->n);
  for (int i = 0; i < row->n; ++i) {
    const struct report_record *r = row->records[i];
    if (report_has_errors(r) && !report_chooses_steps(r->form)) {
      dt_min = fmin(dt_min, r->dt);
      dt_max = fmax(dt_max, r->dt);
    }
  }
  for (int i = 0; i < row->n; ++i) {
    const struct report_record *r = row->records[i];
    if (r->dt == dt_max && report_has_errors(r) && !report_chooses_steps(r->form)) {
      q[i] = error_of(r);
      u[i] = base_json_real_at(r->json, "errors.u_hausdorff");
    }
  }
  report_script_real(&s->script, "dt_min", dt_min);
  report_script_real(&s->script, "dt_max", dt_max);
  report_script_real(&s->script, "guide_q", median(row->n, q));
  report_script_real(&s->script, "guide_u", median(row->n, u));
}

/* Where errors that are rounding, or those of event far below all others, are drawn: below the
 * smallest of the time steppers, so that these have the axis. */
static struct report_strip strip_of(const struct report_row *row) {
  static const double BELOW = 0.3, FAR = 0.01;
  double least = INFINITY;
  struct report_strip strip = {.lo = INFINITY};
  for (int i = 0; i < row->n; ++i) {
    const struct report_record *r = row->records[i];
    if (!has_work(r)) {
      continue;
    }
    strip.lo = fmin(strip.lo, error_of(r));
    if (!report_chooses_steps(r->form) && error_of(r) > report_error_floor(r)) {
      least = fmin(least, error_of(r));
    }
  }
  if (!isfinite(least) || strip.lo >= FAR * least) {
    return (struct report_strip){0};
  }
  strip.at = BELOW * least;
  for (int i = 0; i < row->n; ++i) {
    const double error = has_work(row->records[i]) ? error_of(row->records[i]) : INFINITY;
    strip.hi = error < strip.at ? fmax(strip.hi, error) : strip.hi;
  }
  return strip;
}

/* How far the steps of the tables reach, and where drifts are rounding. */
static void tell_rounding(struct report_sheet *s, const struct report_row *row) {
  double dt_min = INFINITY, dt_max = 0;
  for (int i = 0; i < row->n; ++i) {
    int points = 0;
    for (int k = 0; k < row->n && has_drift(row->records[i]); ++k) {
      points += row->records[k]->form == row->records[i]->form && has_drift(row->records[k]);
    }
    if (points >= 2) {
      dt_min = fmin(dt_min, row->records[i]->dt);
      dt_max = fmax(dt_max, row->records[i]->dt);
    }
  }
  report_script_real(&s->script, "dt_min", dt_min);
  report_script_real(&s->script, "dt_max", dt_max);
  report_script_real(&s->script, "rounding", DRIFT_ROUNDING);
}

/* ---- the studies ---- */

static const struct report_study studies[] = {
    {.name = "overview", .title = "Overview", .caption = "", .make = report_overview_make},
    {.name = "data-profile",
     .title = "Share of the cases solved, against time and work",
     .caption =
         "Share of the cases with a reference that a formulation solves at some step to an "
         "error below 1e-2, 1e-3, 1e-4 of the system's length within a time, or within so much "
         "work (steps, iterations and evaluations of forces together). A case that it "
         "cannot express, or that failed, is not solved; behind a name: how many it can express. "
         "Grey: references, which choose their steps themselves; formulations for smooth motion "
         "alone are left out. The right end of a curve is "
         "all that the formulation solves at the steps of this suite.",
     .make = report_data_profile_make},
    {.name = "energy",
     .title = "Energy made or lost by the integrator",
     .caption = "Largest numerical energy drift over the largest energy of the run, "
                "at the step with the smallest error. Drifts below 1e-15 are drawn "
                "at 1e-15. What friction and impacts take is not counted.",
     .of_all_cases = 1,
     .filter = has_drift,
     .columns = {{"drift[-]", .value = drift_of}},
     .conclude = report_conclude_drift},
    {.name = "energy-step",
     .title = "Energy drift against step",
     .caption = "Largest numerical energy drift over the largest energy of the run, against the "
                "step. Below the dashed line it is rounding, and left out of slopes; drifts below "
                "1e-15 are drawn at 1e-15.",
     .points = 2,
     .filter = has_drift,
     .columns = {{"dt[s]", .value = step_of},
                 {"drift[-]", .value = drift_of, .slope = "drift", .floor = drift_floor}},
     .x_label = "dt [s]",
     .y_label = "energy drift [-]",
     .tell = tell_rounding},
    {.name = "order",
     .title = "Order of convergence",
     .caption =
         "Largest error of the coordinates, and Hausdorff distance between "
         "the graphs of the velocities, against the step, of formulations with three steps or "
         "more whose error is above rounding and the reference's own.",
     .points = 3,
     .filter = has_order,
     .columns = {{"dt[s]", .value = step_of},
                 {"q_linf", .value = error_of, .slope = "q_linf", .floor = report_error_floor},
                 /* The bound is one of the coordinates: it says nothing about velocities. */
                 {"u_hausdorff[-]", .value = hausdorff_of, .slope = "u_hausdorff",
                  .floor = hausdorff_floor}},
     .x_label = "dt [s]",
     .y_label = "error of q [m, rad]",
     .tell = tell_guide},
    {.name = "work-precision",
     .title = "Work and precision",
     .caption = "Largest error of the coordinates against the wall time of all "
                "steps; the step falls along each line. Down and to the left is "
                "better. Times are those of the machine named below, medians where they were "
                "taken several times, with bars from the first quartile to the third. Errors far "
                "below those of all time steppers, down to rounding, are drawn on the dashed line, "
                "and not to scale; beside it they are in numbers.",
     .points = 2,
     .filter = has_work,
     .columns = {{"timing[s]", "timing.steps_s"},
                 {"q_linf", .value = error_of},
                 {"dt[s]", .value = step_of},
                 {"timing_q1[s]", .value = first_quartile_of},
                 {"timing_q3[s]", .value = third_quartile_of}},
     .x_label = "time [s]",
     .y_label = "error of q [m, rad]",
     .strip = strip_of,
     .conclude = report_conclude_work},
    {.name = "largest-step",
     .title = "Largest step of each formulation",
     .caption = "Points: the largest step whose run is accurate, its error below the "
                "limit of the table. Bars end at the largest step that reaches the horizon "
                "without diverging. Dashed: the range searched; a limit on its upper end is at "
                "least that. No point: no step tried is accurate, or there is no "
                "reference.",
     .of_all_cases = 1,
     .of_searches = 1,
     .filter = report_search_found,
     .columns = {{"accurate[s]", "search.largest_accurate_dt"},
                 {"stable[s]", "search.largest_stable_dt"},
                 {"lo[s]", "search.lo"},
                 {"hi[s]", "search.hi"}},
     .beside = "place width",
     .place = report_search_place,
     .also = report_search_csv},
    {.name = "profile",
     .title = "Performance profiles of the solvers",
     .caption =
         "Share of the problems of a set that a solver solves within tau times the time of "
         "the fastest solver of each. The right end is the share it solves at all, to the "
         "tolerance the solutions name, judged by the law's own residual. Dashed: the envelope of "
         "three of ours, the fastest of them on each problem, those three that solve the "
         "most.",
     .make = report_profile_make},
    {.name = "race",
     .title = "Our solvers against those of others",
     .caption = "A point a problem that both have been given: the time of the best of the others' "
                "solvers, that of our auto and of the best of ours; below the diagonal ours is the "
                "faster. To the tolerance the solutions name, by the law's own residual; single "
                "measurements; unsolved problems on the margins. Times in report/race.csv.",
     .make = report_race_make},
    {.name = "convergence",
     .title = "Residual against iterations and time",
     .caption = "Residual of the law over that of no impulses, after each iteration: left against "
                "iterations, whose cost differs from solver to solver, right against the time of "
                "the solver alone, a single measurement. The loop measures both; no solver grades "
                "itself.",
     .make = report_convergence_make},
    {.name = "scaling",
     .title = "Cost against the number of bodies",
     .caption = "Wall time a step, everything included, the same over contacts, and over contacts "
                "and sweeps; one thread unless the key says more. Where times were taken several "
                "times: medians, with bars from the first quartile to the third. Behind a name: "
                "the exponent of "
                "time a step against bodies, fitted; also in report/scaling.csv.",
     .make = report_scaling_make},
    {.name = "tolerance",
     .title = "Change of the answer by the tolerance of the solves",
     .caption = "Largest change of the coordinates against the tightest tolerance, over the error "
                "of the step itself, which is taken against the reference or, without one, "
                "against the shortest step. Left against the tolerance, the worst of a case; right "
                "against n^2 tol, n the number of steps: one sliding error of the same sign in "
                "each of them adds up to that, in the worst case. A run without a tolerance of its "
                "own stands on the vertical line, or left of it. Runs in report/tolerance.csv.",
     .make = report_tolerance_make},
    {.name = "what-is-measured",
     .title = "What a comparison of errors measures",
     .caption = "Error over the system's length against work (steps and iterations, over that of "
                "the exact law at gap level with the tightest tolerance and the longest step; "
                "medians of the scenes), one factor varied at a time, the others at those. Bands: "
                "10 to 90 % of the members of a scene, over its median. Bars: share of the "
                "variance of the logarithm of the error that is gone on average once a factor is "
                "known (dark), and that is left while it alone is not (light), with intervals of "
                "95 % by bootstrap over the scenes; also in report/what-is-measured.csv.",
     .make = report_measured_make},
    {.name = "parameter",
     .title = "Against a parameter",
     .caption = "A number of the records against a parameter, a panel a step. All points in "
                "report/parameter.csv.",
     .make = report_parameter_make}};

int report_study_ratios(struct report *report) {
  const struct report_study ratios = {
      .name = "overview", .title = "Against the other run", .caption = ""};
  return report_overview_make(report, &ratios);
}

const char *report_study_title(const char *name) {
  size_t i = 0;
  while (i < sizeof studies / sizeof *studies && strcmp(studies[i].name, name) != 0) {
    ++i;
  }
  return i < sizeof studies / sizeof *studies ? studies[i].title : name;
}

/* A study that is a file. */
static int draw_own(struct report *report, const struct bench_figure *file) {
  const struct report_study study = {
      .name = file->id, .title = file->title, .caption = file->caption};
  struct report_sheet sheet;
  struct figure read, drawn;
  int status = figure_read(file, report->arena, &read);
  status = status != BASE_OK ? status : report_sheet_begin(&sheet, report, &study, NULL);
  status = status != BASE_OK
               ? status
               : figure_study_make(&read, report->folder, report->arena, &sheet.plot, &drawn);
  if (status != BASE_OK) {
    return status;
  }
  sheet.drawn_by = "scripts/plot/panels.gp";
  report_panels(&sheet.script, &drawn, report->width_mm);
  return report_sheet_finish(&sheet);
}

static int wanted(const struct report *report, const char *name) {
  if (report->suite == NULL) {
    return 1;
  }
  for (int i = 0; i < report->suite->n_studies; ++i) {
    if (strcmp(report->suite->studies[i], name) == 0) {
      return 1;
    }
  }
  return 0;
}

int report_studies(struct report *report) {
  report->studies = cJSON_CreateArray();
  report->slopes = cJSON_CreateArray();
  int status = base_file_make_folder(base_arena_printf(report->arena, "%s/report", report->output));
  status = status != BASE_OK ? status : report_write_csv(report);
  for (size_t i = 0; i < sizeof studies / sizeof *studies && status == BASE_OK; ++i) {
    if (wanted(report, studies[i].name)) {
      status = report_study_draw(report, &studies[i]);
    }
  }
  for (int i = 0; report->suite != NULL && i < report->suite->n_own && status == BASE_OK; ++i) {
    status = draw_own(report, report->suite->own[i]);
  }
  return status == BASE_OK ? report_sheets_conclude(report) : status;
}
