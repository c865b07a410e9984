/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The study `scaling`: what a step, and a contact in one sweep of the solver, cost against the
 * number of bodies. Its runs are those whose label begins with "scaling" (suite key "label") and
 * whose case has a parameter n; runs of one formulation and label are a curve. The time of a step
 * is that of the whole loop over steps: collision detection, set-up, solver and what is measured.
 *
 *   time a step ~ n^p                       p by least squares, in report/scaling.csv
 *   ns a contact and sweep = step time / (contacts, mean x sweeps a step, mean)
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/status.h"
#include "bench/report_study.h"

static const char LABEL[] = "scaling";

/* Where the label says so, a solver's name before it or not; NULL: nowhere. */
static const char *mark_of(const struct report_record *r) {
  for (const char *at = r->label; (at = strstr(at, LABEL)) != NULL; ++at) {
    if (at == r->label || at[-1] == '-' || at[-1] == ' ') {
      return at;
    }
  }
  return NULL;
}

static int takes_part(const struct report_record *r) {
  return !r->of_figure && !r->of_search && r->form >= 0 && mark_of(r) != NULL &&
         base_json_real_at(r->json, "case.parameters.n") > 0 &&
         base_json_real_at(r->json, "timing.per_step_s") > 0;
}

/* Name of the curve, harmless in file names and lists of words: what the label says behind its
 * first word, without the number that ends it and keeps the runs of a suite apart. */
static const char *curve_of(const struct report_record *r, struct base_arena *arena) {
  char *name = base_arena_printf(arena, "%s-%s%s", r->case_name, form_name(form_get(r->form)),
                                 mark_of(r) + sizeof LABEL - 1);
  size_t end = strlen(name);
  while (end > 0 && name[end - 1] >= '0' && name[end - 1] <= '9') {
    --end;
  }
  if (end > 0 && end < strlen(name) && name[end - 1] == '-') {
    name[end - 1] = '\0';
  }
  for (char *c = name; *c != '\0'; ++c) {
    *c = strchr(" '\"\\/=,", *c) != NULL ? '-' : *c;
  }
  return name;
}

static int by_bodies(const void *x, const void *y) {
  const double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

/* Rows n, time a step, ns a contact and sweep, bytes a body of the curve; their number. */
static int collect(const struct report *report, const char *curve, double *rows) {
  int n = 0;
  for (int i = 0; i < report->n_records; ++i) {
    const struct report_record *r = &report->records[i];
    if (!takes_part(r) || strcmp(curve_of(r, report->arena), curve) != 0) {
      continue;
    }
    const double bodies = base_json_real_at(r->json, "case.parameters.n");
    const double step = base_json_real_at(r->json, "timing.per_step_s");
    const double visits =
        base_json_real_at(r->json, "contacts.mean") * base_json_real_at(r->json, "iterations.mean");
    double *row = rows + 4 * (long)n++;
    row[0] = bodies;
    row[1] = step;
    row[2] = visits > 0 ? 1e9 * step / visits : NAN;
    row[3] = base_json_real_at(r->json, "timing.memory_bytes") / bodies;
  }
  qsort(rows, (size_t)n, 4 * sizeof *rows, by_bodies);
  return n;
}

static void write_curve(FILE *csv, const char *curve, int n, const double *rows,
                        struct base_arena *arena) {
  double *x = base_arena_doubles(arena, n), *y = base_arena_doubles(arena, n), p, spread;
  for (int i = 0; i < n; ++i) {
    x[i] = rows[4 * i];
    y[i] = rows[4 * i + 1];
  }
  report_fit_slope(n, x, y, &p, &spread);
  for (int i = 0; i < n; ++i) {
    const double *row = rows + 4L * i;
    fprintf(csv, "%s,%.0f,%.6g,%.6g,%.6g,%.4g\n", curve, row[0], row[1], row[2], row[3], p);
  }
}

int report_scaling_study(struct report *report) {
  struct base_arena *arena = report->arena;
  struct report_study s = {
      .report = report,
      .name = "scaling",
      .id = "study-scaling",
      .title = "Cost against the number of bodies",
      .caption = "Wall time a step, everything included, and the same over contacts and sweeps. "
                 "Exponents fitted are in report/scaling.csv.",
      .extra = ""};
  const char **curves = base_arena_push(arena, (size_t)report->n_records * sizeof *curves);
  const char *present = "";
  int n_curves = 0;
  for (int i = 0; i < report->n_records; ++i) {
    const struct report_record *r = &report->records[i];
    const char *curve = takes_part(r) ? curve_of(r, arena) : NULL;
    int known = curve == NULL;
    for (int k = 0; k < n_curves && !known; ++k) {
      known = strcmp(curves[k], curve) == 0;
    }
    if (!known) {
      curves[n_curves++] = curve;
      present = base_arena_printf(arena, "%s%s%s", present, n_curves > 1 ? " " : "", curve);
    }
  }
  if (n_curves == 0) {
    return BASE_OK;
  }
  char *text = NULL;
  size_t size;
  FILE *csv = open_memstream(&text, &size);
  fputs("curve,n,step_s,ns_contact_sweep,bytes_body,exponent\n", csv);
  double *rows = base_arena_doubles(arena, 4 * report->n_records);
  int status = report_study_begin(&s);
  for (int k = 0; k < n_curves && status == BASE_OK; ++k) {
    const int n = collect(report, curves[k], rows);
    write_curve(csv, curves[k], n, rows, arena);
    status = case_plot_table(&s.plot, curves[k], "n step[s] contact-sweep[ns] body[B]", n, 4, rows);
  }
  fclose(csv);
  const int written = base_file_write(
      base_arena_printf(arena, "%s/report/scaling.csv", report->output), text, size);
  free(text);
  status = status != BASE_OK ? status : written;
  return status != BASE_OK ? status : report_study_finish(&s);
}
