/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The study `what-is-measured`: which part of the spread of the errors in a comparison is due to
 * the contact law, to the discretisation, to the solver's tolerance, to the step, and to what
 * nobody chose. It is made of the ensembles of formulation `impulse` in the folder: one factor each
 * is a law (with n_dir of polyhedral cones), a scheme, a tolerance, a step (by its place in the
 * scene's list, coarsest first), a scene (case, parameters and horizon) and a member within a
 * scene.
 *
 *   y = log10 of the member's largest mass-weighted error (errors.q_mass_linf)
 *
 * Shares of its variance by functional analysis of variance (la/ensemble/variance.h) with scenes
 * and members random, intervals by bootstrap over scenes; levels with combinations that are not
 * supported are left out, and how many is told. Runs without an error, as diverged ones, count with
 * the largest of their scene. Errors below FLOOR, round-off of closed forms, count as FLOOR.
 *
 * The figure varies one factor at a time, the others at their best: the law exact, the scheme the
 * gap's, the tolerance the tightest. Against the work (steps and iterations, over that of the
 * reference combination at the coarsest step, median of the scenes) it shows the error over the
 * system's length: the median over the scenes of their medians, with a band between the 10 and
 * 90 % quantiles of members over their scene's median, which is the scatter by phase and rotation.
 *
 * report/what-is-measured.csv holds the shares, report/what-is-measured-laws.csv the laws compared
 * with ncp on the same members at the finest step, with ranks.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/number.h"
#include "base/status.h"
#include "bench/ensemble/ensemble.h"
#include "bench/report/study.h"
#include "la/dense.h"
#include "la/ensemble/paired.h"
#include "la/ensemble/quantile.h"
#include "la/ensemble/variance.h"

enum { LEVELS_MAX = 64, LAW = 0, SCHEME, TOLERANCE, STEP, SCENE, MEMBER, FACTORS };
static const char *const factor_names[FACTORS] = {"law",  "scheme", "tolerance",
                                                  "step", "scene",  "member"};
/* Numbers of a member, by their place in bench_ensemble_numbers. */
enum { LINF = 0, MASS = 1, ITERATIONS = 7 };
static const double FLOOR = 1e-14; /* [kg^1/2 m] */

/* The levels of a factor, as text, in the order they stand in the tables. */
struct levels {
  int n;
  const char *name[LEVELS_MAX];
  double value[LEVELS_MAX]; /* sorted by, falling; texts: 0 */
};

struct cell {
  const struct report_record *record;
  const char *scene, *law, *scheme;
  double tolerance, dt;
  int at[FACTORS]; /* level of each factor but the member */
};

struct measured {
  struct report *report;
  struct base_arena *arena;
  int n;
  struct cell *cell;
  struct levels law, scheme, tolerance, scene;
  int steps, members;
  int *where; /* cells by law, scheme, tolerance, step, scene; -1: none */
};

/* ---- the cells ---- */

static int takes_part(const struct report_record *r) {
  return r->of_ensemble && r->form >= 0 && strcmp(form_get(r->form)->name, "impulse") == 0;
}

static int level_of(struct levels *l, const char *name, double value) {
  int i = 0;
  while (i < l->n && strcmp(l->name[i], name) != 0) {
    ++i;
  }
  if (i == l->n && i < LEVELS_MAX) {
    l->name[i] = name;
    l->value[i] = value;
    ++l->n;
  }
  return i < LEVELS_MAX ? i : -1;
}

static struct cell cell_of(const struct report_record *r, struct base_arena *arena) {
  char *parameters = cJSON_PrintUnformatted(base_json_at(r->json, "case.parameters"));
  const char *law = base_json_text_at(r->json, "formulation.options.law");
  const double n_dir = base_json_real_at(r->json, "formulation.options.n_dir");
  const struct cell cell = {
      .record = r,
      .scene = base_arena_printf(arena, "%s %s %.17g", r->case_name, parameters,
                                 base_json_real_at(r->json, "t_end")),
      .law = strcmp(law, "lcp") == 0 ? base_arena_printf(arena, "lcp-%.0f", n_dir) : law,
      .scheme = base_json_text_at(r->json, "formulation.options.scheme"),
      .tolerance = base_json_real_at(r->json, "solver.options.tol"),
      .dt = r->dt};
  free(parameters);
  return cell;
}

static int by_tolerance(const void *x, const void *y) {
  const struct cell *a = x, *b = y;
  return (a->tolerance < b->tolerance) - (a->tolerance > b->tolerance);
}

/* The place of a cell's step among those of its scene, 0 for the longest. */
static int place_of_step(const struct measured *s, const struct cell *cell) {
  double seen[LEVELS_MAX];
  int n = 0, place = 0;
  for (int i = 0; i < s->n; ++i) {
    const struct cell *other = &s->cell[i];
    int known = strcmp(other->scene, cell->scene) != 0 || !(other->dt > cell->dt);
    for (int k = 0; k < n && !known; ++k) {
      known = seen[k] == other->dt;
    }
    if (!known && n < LEVELS_MAX) {
      seen[n++] = other->dt;
      ++place;
    }
  }
  return place;
}

static int members_of(const struct cell *cell) {
  return cJSON_GetArraySize(base_json_at(cell->record->json, "ensemble.members"));
}

static int *place(const struct measured *s, int law, int scheme, int tolerance, int step,
                  int scene) {
  const long at =
      (((long)law * s->scheme.n + scheme) * s->tolerance.n + tolerance) * s->steps + step;
  return &s->where[at * s->scene.n + scene];
}

/* BASE_OK, and s->n = 0 where there is nothing to compare. */
static int collect(struct report *report, struct measured *s) {
  *s = (struct measured){.report = report, .arena = report->arena};
  s->cell = base_arena_push(s->arena, (size_t)report->n_records * sizeof *s->cell);
  for (int i = 0; i < report->n_records; ++i) {
    if (takes_part(&report->records[i])) {
      s->cell[s->n++] = cell_of(&report->records[i], s->arena);
    }
  }
  qsort(s->cell, (size_t)s->n, sizeof *s->cell, by_tolerance);
  for (int i = 0; i < s->n; ++i) {
    struct cell *c = &s->cell[i];
    c->at[LAW] = level_of(&s->law, c->law, 0);
    c->at[SCHEME] = level_of(&s->scheme, c->scheme, 0);
    char *tolerance = base_arena_printf(s->arena, "%.0e", c->tolerance);
    base_number_unpad(tolerance);
    c->at[TOLERANCE] = level_of(&s->tolerance, tolerance, c->tolerance);
    c->at[SCENE] = level_of(&s->scene, c->scene, 0);
    c->at[STEP] = place_of_step(s, c);
    if (c->at[LAW] < 0 || c->at[SCHEME] < 0 || c->at[TOLERANCE] < 0 || c->at[SCENE] < 0) {
      return base_fail(BASE_E_INPUT, "study what-is-measured: more than %d levels of a factor",
                       LEVELS_MAX);
    }
    s->steps = c->at[STEP] >= s->steps ? c->at[STEP] + 1 : s->steps;
    const int members = members_of(c);
    s->members = i == 0 || members < s->members ? members : s->members;
  }
  const long cells =
      (long)s->law.n * s->scheme.n * s->tolerance.n * s->steps * (s->scene.n > 0 ? s->scene.n : 1);
  s->where = base_arena_array(s->arena, (size_t)cells, 1, sizeof *s->where);
  for (long i = 0; i < cells; ++i) {
    s->where[i] = -1;
  }
  for (int i = 0; i < s->n; ++i) {
    const int *at = s->cell[i].at;
    *place(s, at[LAW], at[SCHEME], at[TOLERANCE], at[STEP], at[SCENE]) = i;
  }
  return BASE_OK;
}

/* A number of a member of a cell; NaN where there is none, by the cell's index. */
static double number_of(const struct measured *s, int cell, int member, int number) {
  if (cell < 0) {
    return NAN;
  }
  const cJSON *members = base_json_at(s->cell[cell].record->json, "ensemble.members");
  const cJSON *numbers =
      cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(members, member), "numbers");
  const cJSON *item = cJSON_GetArrayItem(numbers, number);
  return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

/* ---- shares of variance ---- */

static void write_interval(FILE *csv, const struct la_interval *x) {
  fprintf(csv, ",%.4g,%.4g,%.4g", x->value, x->lo, x->hi);
}

static void write_shares(const struct measured *s, const struct la_sub_design *sub,
                         const struct la_shares *shares, FILE *csv) {
  fprintf(csv, "# cells: %zu, of these without an error: %zu, in the design: %zu\n", sub->cells,
          sub->missing, sub->cells_kept);
  for (int i = 0; i < FACTORS; ++i) {
    fprintf(csv, "# %s: %d levels of %d\n", factor_names[i], sub->design.factor[i].levels,
            i == LAW         ? s->law.n
            : i == SCHEME    ? s->scheme.n
            : i == TOLERANCE ? s->tolerance.n
            : i == STEP      ? s->steps
            : i == SCENE     ? s->scene.n
                             : s->members);
  }
  fputs("factor,first,first_lo,first_hi,total,total_lo,total_hi\n", csv);
  for (int i = 0; i < FACTORS; ++i) {
    fputs(factor_names[i], csv);
    write_interval(csv, &shares->first[i]);
    write_interval(csv, &shares->total[i]);
    fputc('\n', csv);
  }
  for (int i = 0; i < FACTORS; ++i) {
    for (int j = i + 1; j < FACTORS; ++j) {
      fprintf(csv, "%s x %s", factor_names[i], factor_names[j]);
      write_interval(csv, &shares->pair[i][j]);
      fputs(",,,\n", csv);
    }
  }
  fputs("higher", csv);
  write_interval(csv, &shares->higher);
  fputs(",,,\n", csv);
}

/* The largest error of each scene: what runs count with that got none, as diverged ones. */
static double *worst_of_scenes(const struct measured *s) {
  double *worst = base_arena_doubles(s->arena, s->scene.n);
  memset(worst, 0, (size_t)s->scene.n * sizeof *worst);
  for (int i = 0; i < s->n; ++i) {
    for (int m = 0; m < s->members; ++m) {
      worst[s->cell[i].at[SCENE]] = fmax(worst[s->cell[i].at[SCENE]], number_of(s, i, m, MASS));
    }
  }
  return worst;
}

/* The design's cells: y of all members; NaN of combinations that were not run or are not supported.
 */
static double *tabulate(const struct measured *s, const struct la_design *design) {
  double *y = base_arena_push(s->arena, la_design_cells(design) * sizeof *y);
  const double *worst = worst_of_scenes(s);
  const long cells = (long)la_design_cells(design) / s->members;
  for (long c = 0, at = 0; c < cells; ++c) {
    const int cell = s->where[c];
    const int is_run = cell >= 0 && s->cell[cell].record->status != BASE_UNSUPPORTED;
    for (int m = 0; m < s->members; ++m) {
      const double error = number_of(s, cell, m, MASS);
      y[at++] = !is_run        ? NAN
                : isnan(error) ? log10(fmax(FLOOR, worst[s->cell[cell].at[SCENE]]))
                               : log10(fmax(FLOOR, error));
    }
  }
  return y;
}

static int add_shares(struct report_sheet *sheet, const struct measured *s, FILE *csv) {
  const int levels[FACTORS] = {s->law.n, s->scheme.n, s->tolerance.n,
                               s->steps, s->scene.n,  s->members};
  struct la_design design = {.n = FACTORS};
  for (int i = 0; i < FACTORS; ++i) {
    design.factor[i] = (struct la_factor){.name = factor_names[i],
                                          .levels = levels[i],
                                          .kind = i >= SCENE ? LA_FACTOR_RANDOM : LA_FACTOR_FIXED,
                                          .within = i == MEMBER ? SCENE : -1};
  }
  const struct la_sub_design sub = la_design_complete(&design, tabulate(s, &design), s->arena);
  if (sub.cells_kept == 0) {
    fputs("# no factor has two levels without a missing cell\n", csv);
    return BASE_OK;
  }
  const struct la_sampling sampling = la_sampling_default(sub.design.factor[SCENE].levels);
  struct la_shares *shares = base_arena_push(s->arena, sizeof *shares);
  la_variance_shares(&sub.design, sub.y, SCENE, &sampling, s->arena, shares);
  write_shares(s, &sub, shares, csv);
  double rows[FACTORS][7];
  for (int i = 0; i < FACTORS; ++i) {
    const struct la_interval *x[] = {&shares->first[i], &shares->total[i]};
    rows[i][0] = i + 1;
    for (int k = 0; k < 2; ++k) {
      rows[i][1 + 3 * k] = x[k]->value;
      rows[i][2 + 3 * k] = x[k]->lo;
      rows[i][3 + 3 * k] = x[k]->hi;
    }
  }
  report_script_texts(&sheet->script, "factors", FACTORS, factor_names);
  return case_plot_table(&sheet->plot, "shares",
                         "factor first[-] first_lo[-] first_hi[-] total[-] total_lo[-] total_hi[-]",
                         FACTORS, 7, rows[0]);
}

/* ---- error against work, one factor at a time ---- */

/* The combination all others are held against: exact law, gap level, tightest tolerance. */
static void reference_levels(const struct measured *s, int at[3]) {
  at[LAW] = at[SCHEME] = 0;
  for (int i = 0; i < s->law.n; ++i) {
    at[LAW] = strcmp(s->law.name[i], "ncp") == 0 ? i : at[LAW];
  }
  for (int i = 0; i < s->scheme.n; ++i) {
    at[SCHEME] = strcmp(s->scheme.name[i], "gap") == 0 ? i : at[SCHEME];
  }
  at[TOLERANCE] = s->tolerance.n - 1;
}

/* Numbers of the members of a cell, infinite where there is none; work: with the steps. */
static void numbers_of(const struct measured *s, int cell, int number, double *x) {
  for (int m = 0; m < s->members; ++m) {
    const double value = number_of(s, cell, m, number);
    x[m] = isnan(value) ? INFINITY : value;
  }
}

static double work_of(const struct measured *s, int cell, double *room) {
  if (cell < 0) {
    return INFINITY;
  }
  numbers_of(s, cell, ITERATIONS, room);
  return base_json_real_at(s->cell[cell].record->json, "steps") + la_median(s->members, room);
}

/* A row of a curve: work, error, ends of the band, over the scenes that were run so; 0 where their
 * median is not finite. */
static int point_of(const struct measured *s, const int at[3], const int reference[3], int step,
                    double row[4]) {
  const struct base_arena_mark mark = base_arena_mark(s->arena);
  double *work = base_arena_doubles(s->arena, s->scene.n);
  double *error = base_arena_doubles(s->arena, s->scene.n);
  double *all = base_arena_doubles(s->arena, (long)s->scene.n * s->members);
  double *room = base_arena_doubles(s->arena, s->members);
  int n = 0, finite = 0;
  for (int k = 0; k < s->scene.n; ++k) {
    const int cell = *place(s, at[LAW], at[SCHEME], at[TOLERANCE], step, k);
    const int base = *place(s, reference[LAW], reference[SCHEME], reference[TOLERANCE], 0, k);
    if (cell < 0 || base < 0) {
      continue;
    }
    const double length = base_json_real_at(s->cell[cell].record->json, "quality.scales.length");
    double *own = all + (long)finite * s->members;
    work[n] = work_of(s, cell, room) / work_of(s, base, room);
    work[n] = isnan(work[n]) ? INFINITY : work[n];
    numbers_of(s, cell, LINF, own);
    la_copy(s->members, own, room);
    const double middle = fmax(la_median(s->members, room), FLOOR);
    error[n++] = middle / length;
    for (int m = 0; m < s->members; ++m) {
      own[m] = fmax(own[m], FLOOR) / middle;
    }
    finite += isfinite(middle);
  }
  row[0] = la_median(n, work);
  row[1] = la_median(n, error);
  row[2] = row[1] * la_quantile((long)finite * s->members, all, 0.1);
  row[3] = row[1] * la_quantile((long)finite * s->members, all, 0.9);
  base_arena_release(s->arena, mark);
  return isfinite(row[0]) && isfinite(row[1]);
}

static int add_curves(struct report_sheet *sheet, const struct measured *s, int factor,
                      const struct levels *levels, const char *variable) {
  int reference[3], status = BASE_OK, n = 0;
  double *rows = base_arena_matrix(s->arena, 4, s->steps);
  const char *tables[LEVELS_MAX], *titles[LEVELS_MAX];
  reference_levels(s, reference);
  for (int i = 0; i < levels->n && status == BASE_OK; ++i) {
    int at[3] = {reference[0], reference[1], reference[2]}, points = 0;
    at[factor] = i;
    for (int step = 0; step < s->steps; ++step) {
      points += point_of(s, at, reference, step, rows + 4L * points);
    }
    if (points > 0) {
      titles[n] = levels->name[i];
      tables[n] = base_arena_printf(s->arena, "%s-%s", factor_names[factor], levels->name[i]);
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

static int write_laws(const struct measured *s, FILE *csv) {
  const int n = s->scene.n * s->members;
  double *errors = base_arena_matrix(s->arena, s->law.n, n);
  int *cluster = base_arena_ints(s->arena, n), reference[3];
  reference_levels(s, reference);
  for (int law = 0; law < s->law.n; ++law) {
    for (int k = 0; k < s->scene.n; ++k) {
      double *x = errors + (long)law * n + (long)k * s->members;
      numbers_of(s, *place(s, law, reference[SCHEME], reference[TOLERANCE], s->steps - 1, k), MASS,
                 x);
      for (int m = 0; m < s->members; ++m) {
        cluster[k * s->members + m] = k;
        x[m] = fmax(x[m], FLOOR);
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
    write_interval(csv, &pair.log_ratio);
    write_interval(csv, &pair.better);
    write_interval(csv, &rank[law].mean);
    fprintf(csv, ",%.3g,%d\n", rank[law].first, rank[law].may_be_best);
  }
  return BASE_OK;
}

/* ---- the study ---- */

static int write_csv(const struct measured *s, const char *name,
                     int (*write)(const struct measured *s, FILE *csv)) {
  char *text = NULL;
  size_t size;
  FILE *csv = open_memstream(&text, &size);
  int status = write(s, csv);
  fclose(csv);
  const int written = base_file_write(
      base_arena_printf(s->arena, "%s/report/%s.csv", s->report->output, name), text, size);
  free(text);
  return status != BASE_OK ? status : written;
}

int report_measured_make(struct report *report, const struct report_study *study) {
  struct measured s;
  struct report_sheet sheet;
  int status = collect(report, &s);
  if (status != BASE_OK || s.n == 0) {
    return status;
  }
  char *text = NULL;
  size_t size;
  FILE *csv = open_memstream(&text, &size);
  status = report_sheet_begin(&sheet, report, study, NULL);
  status = status != BASE_OK ? status : add_shares(&sheet, &s, csv);
  fclose(csv);
  const int written = base_file_write(
      base_arena_printf(s.arena, "%s/report/%s.csv", report->output, study->name), text, size);
  free(text);
  status = status != BASE_OK ? status : written;
  status = status != BASE_OK ? status : add_curves(&sheet, &s, LAW, &s.law, "laws");
  status = status != BASE_OK ? status : add_curves(&sheet, &s, SCHEME, &s.scheme, "schemes");
  status =
      status != BASE_OK ? status : add_curves(&sheet, &s, TOLERANCE, &s.tolerance, "tolerances");
  status = status != BASE_OK ? status : write_csv(&s, "what-is-measured-laws", write_laws);
  return status != BASE_OK ? status : report_sheet_finish(&sheet);
}
