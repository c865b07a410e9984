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
 * The figure varies one factor at a time, the others at their best: the law exact, the scheme the
 * gap's, the tolerance the tightest. Against the work (steps and iterations, over that of the
 * reference combination at the coarsest step, median of the scenes) it shows the error over the
 * system's length: the median over the scenes of their medians, with a band between the 10 and
 * 90 % quantiles of members over their scene's median, which is the scatter by phase and rotation.
 *
 * report/what-is-measured.csv holds the shares of its variance (measured_shares.c),
 * report/what-is-measured-laws.csv the laws compared with ncp on the same members at the finest
 * step, with ranks, report/what-is-measured-terms.csv work at equal error and error at equal work
 * of each law and scheme (measured_terms.c), report/what-is-measured-axes.csv cost beside error by
 * n_dir and start (measured_axes.c), report/what-is-measured-solves.csv law against solver on
 * one-step problems (measured_solves.c), report/what-is-measured-sources.csv where they make their
 * errors (measured_sources.c).
 */
#include "bench/report/studies/measured.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/number.h"
#include "base/status.h"
#include "bench/ensemble/ensemble.h"
#include "bench/outcome/members.h"

const char *const measured_factors[FACTORS] = {"law",  "scheme", "tolerance",
                                               "step", "scene",  "member"};

static int takes_part(const struct report_record *r) {
  return base_json_at(r->json, "ensemble") != NULL && r->form >= 0 &&
         strcmp(form_get(r->form)->name, "impulse") == 0;
}

static int level_of(struct levels *l, const char *name) {
  int i = 0;
  while (i < l->n && strcmp(l->name[i], name) != 0) {
    ++i;
  }
  if (i == l->n && i < MEASURED_LEVELS) {
    l->name[i] = name;
    ++l->n;
  }
  return i < MEASURED_LEVELS ? i : -1;
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
      .dt = r->dt,
      .is_cold = cJSON_IsFalse(base_json_at(r->json, "solver.options.warm_start"))};
  free(parameters);
  return cell;
}

/* The numbers of a cell's members, out of its record once and for all. */
static void read_numbers(struct cell *cell, struct base_arena *arena) {
  const cJSON *members = base_json_at(cell->record->json, "ensemble.members"), *member, *item;
  cell->members = cJSON_GetArraySize(members);
  cell->number = base_arena_matrix(arena, cell->members, BENCH_ENSEMBLE_NUMBERS);
  cell->time = base_arena_doubles(arena, cell->members);
  const cJSON *times = base_json_at(cell->record->json, "timing.members_s");
  int m = 0;
  cJSON_ArrayForEach(member, members) {
    item = cJSON_GetArrayItem(times, m);
    cell->time[m] = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    double *number = cell->number + (long)m++ * BENCH_ENSEMBLE_NUMBERS;
    int k = 0;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(member, "numbers")) {
      number[k++] = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    }
    for (; k < BENCH_ENSEMBLE_NUMBERS; ++k) {
      number[k] = NAN; /* of an older program */
    }
  }
}

static int by_tolerance(const void *x, const void *y) {
  const struct cell *a = x, *b = y;
  return (a->tolerance < b->tolerance) - (a->tolerance > b->tolerance);
}

/* The place of a cell's step among those of its scene, 0 for the longest. */
static int place_of_step(const struct measured *s, const struct cell *cell) {
  double seen[MEASURED_LEVELS];
  int n = 0, place = 0;
  for (int i = 0; i < s->n; ++i) {
    const struct cell *other = &s->cell[i];
    int known = other->at[SCENE] != cell->at[SCENE] || !(other->dt > cell->dt);
    for (int k = 0; k < n && !known; ++k) {
      known = seen[k] == other->dt;
    }
    if (!known && n < MEASURED_LEVELS) {
      seen[n++] = other->dt;
      ++place;
    }
  }
  return place;
}

static long place_of(const struct measured *s, int law, int scheme, int tolerance, int step,
                     int scene) {
  const long at =
      (((long)law * s->scheme.n + scheme) * s->tolerance.n + tolerance) * s->steps + step;
  return at * s->scene.n + scene;
}

int measured_cell_of(const struct measured *s, const int *where, int law, int scheme, int tolerance,
                     int step, int scene) {
  return where[place_of(s, law, scheme, tolerance, step, scene)];
}

int measured_cell(const struct measured *s, int law, int scheme, int tolerance, int step,
                  int scene) {
  return measured_cell_of(s, s->where, law, scheme, tolerance, step, scene);
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
    c->at[LAW] = level_of(&s->law, c->law);
    c->at[SCHEME] = level_of(&s->scheme, c->scheme);
    char *tolerance = base_arena_printf(s->arena, "%.0e", c->tolerance);
    base_number_unpad(tolerance);
    c->at[TOLERANCE] = level_of(&s->tolerance, tolerance);
    c->at[SCENE] = level_of(&s->scene, c->scene);
    if (c->at[LAW] < 0 || c->at[SCHEME] < 0 || c->at[TOLERANCE] < 0 || c->at[SCENE] < 0) {
      return base_fail(BASE_E_INPUT, "study what-is-measured: more than %d levels of a factor",
                       MEASURED_LEVELS);
    }
    read_numbers(c, s->arena);
    s->members = i == 0 || c->members < s->members ? c->members : s->members;
  }
  for (int i = 0; i < s->n; ++i) {
    struct cell *c = &s->cell[i];
    c->at[STEP] = place_of_step(s, c);
    s->steps = c->at[STEP] >= s->steps ? c->at[STEP] + 1 : s->steps;
  }
  const long cells =
      (long)s->law.n * s->scheme.n * s->tolerance.n * s->steps * (s->scene.n > 0 ? s->scene.n : 1);
  s->where = base_arena_array(s->arena, (size_t)cells, 1, sizeof *s->where);
  s->cold = base_arena_array(s->arena, (size_t)cells, 1, sizeof *s->cold);
  for (long i = 0; i < cells; ++i) {
    s->where[i] = s->cold[i] = -1;
  }
  for (int i = 0; i < s->n; ++i) {
    const int *at = s->cell[i].at;
    int *where = s->cell[i].is_cold ? s->cold : s->where;
    where[place_of(s, at[LAW], at[SCHEME], at[TOLERANCE], at[STEP], at[SCENE])] = i;
  }
  return BASE_OK;
}

double measured_number(const struct measured *s, int cell, int member, int number) {
  return cell < 0 ? NAN : s->cell[cell].number[(long)member * BENCH_ENSEMBLE_NUMBERS + number];
}

void measured_numbers(const struct measured *s, int cell, int number, double *x) {
  for (int m = 0; m < s->members; ++m) {
    const double value = measured_number(s, cell, m, number);
    x[m] = isnan(value) ? INFINITY : value;
  }
}

void measured_errors(const struct measured *s, int cell, double *x) {
  const double length =
      cell >= 0 ? base_json_real_at(s->cell[cell].record->json, "quality.scales.length") : NAN;
  measured_numbers(s, cell, LINF, x);
  for (int m = 0; m < s->members; ++m) {
    x[m] = fmax(x[m], MEASURED_FLOOR) / length;
    x[m] = isnan(x[m]) ? INFINITY : x[m];
  }
}

void measured_works(const struct measured *s, int cell, double *x) {
  measured_numbers(s, cell, ITERATIONS, x);
  for (int m = 0; m < s->members; ++m) {
    x[m] += cell >= 0 ? base_json_real_at(s->cell[cell].record->json, "steps") : 0;
  }
}

void measured_reference(const struct measured *s, int at[3]) {
  at[LAW] = at[SCHEME] = 0;
  for (int i = 0; i < s->law.n; ++i) {
    at[LAW] = strcmp(s->law.name[i], "ncp") == 0 ? i : at[LAW];
  }
  for (int i = 0; i < s->scheme.n; ++i) {
    at[SCHEME] = strcmp(s->scheme.name[i], "gap") == 0 ? i : at[SCHEME];
  }
  at[TOLERANCE] = s->tolerance.n - 1;
}

void measured_interval(FILE *csv, const struct la_interval *x) {
  fprintf(csv, ",%.4g,%.4g,%.4g", x->value, x->lo, x->hi);
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

int report_measured_make(struct report *report, const struct bench_figure *study) {
  struct measured s;
  struct report_sheet sheet;
  int status = measured_solves(report);
  status = status != BASE_OK ? status : collect(report, &s);
  if (status != BASE_OK || s.n == 0) {
    return status;
  }
  char *text = NULL;
  size_t size;
  FILE *csv = open_memstream(&text, &size);
  status = report_sheet_begin(&sheet, report, study, NULL);
  status = status != BASE_OK ? status : measured_shares(&sheet, &s, csv);
  fclose(csv);
  const int written = base_file_write(
      base_arena_printf(s.arena, "%s/report/%s.csv", report->output, study->id), text, size);
  free(text);
  status = status != BASE_OK ? status : written;
  status = status != BASE_OK ? status : measured_curves(&sheet, &s, LAW, &s.law, "laws");
  status = status != BASE_OK ? status : measured_curves(&sheet, &s, SCHEME, &s.scheme, "schemes");
  status = status != BASE_OK ? status
                             : measured_curves(&sheet, &s, TOLERANCE, &s.tolerance, "tolerances");
  status = status != BASE_OK ? status : write_csv(&s, "what-is-measured-laws", measured_laws);
  status = status != BASE_OK ? status : write_csv(&s, "what-is-measured-terms", measured_terms);
  status = status != BASE_OK ? status : write_csv(&s, "what-is-measured-sources", measured_sources);
  status = status != BASE_OK ? status : write_csv(&s, "what-is-measured-axes", measured_axes);
  return status != BASE_OK ? status : report_sheet_finish(&sheet);
}
