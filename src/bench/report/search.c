/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The study of the largest step: records of searches (search/search.h), a row a case, both limits
 * of every formulation as a plot and in report/largest-step.csv; the table on the page is made from
 * the same records in gallery.c.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/quote.h"
#include "bench/report/study.h"

const struct report_record *report_search_of(const struct report_row *row, int form) {
  for (int i = 0; i < row->n; ++i) {
    if (row->records[i]->form == form) {
      return row->records[i];
    }
  }
  return NULL;
}

static int write_csv(const struct report *report) {
  static const char *const keys[] = {
      "t_end",     "search.limit", "search.length",          "search.lo",
      "search.hi", "search.ratio", "search.largest_true_dt", "search.largest_stable_dt"};
  char *text = NULL;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  fputs("case,formulation,status,t_end_s,limit,length,lo_s,hi_s,ratio,largest_true_dt_s,"
        "largest_stable_dt_s,trials,record\n",
        file);
  for (int k = 0; k < report->n_searches; ++k) {
    for (int i = 0; i < report->searches[k].n; ++i) {
      const struct report_record *r = report->searches[k].records[i];
      bench_quote_csv(file, report->searches[k].title);
      fprintf(file, ",%s,%s", form_name(form_get(r->form)), base_status_name(r->status));
      for (size_t j = 0; j < sizeof keys / sizeof *keys; ++j) {
        const double x = base_json_real_at(r->json, keys[j]);
        fputc(',', file);
        if (isfinite(x)) {
          fprintf(file, "%.9g", x);
        }
      }
      fprintf(file, ",%d,", cJSON_GetArraySize(base_json_at(r->json, "search.trials")));
      bench_quote_csv(file, base_arena_printf(report->arena, "%s.json", r->name));
      fputc('\n', file);
    }
  }
  fclose(file);
  const int status = base_file_write(
      base_arena_printf(report->arena, "%s/report/largest-step.csv", report->output), text, size);
  free(text);
  return status;
}

enum { COLUMNS = 7 };
static const double SPREAD = 0.84; /* of a row's width, for the formulations in it */

static double stable_limit(const struct report_row *row, int form) {
  const struct report_record *r = report_search_of(row, form);
  return r != NULL ? base_json_real_at(r->json, "search.largest_stable_dt") : NAN;
}

/* Where a formulation is drawn in a row: those that have a limit there share its width. */
static void place_in_row(const struct report_row *row, int form, double *place, double *width) {
  int before = 0, all = 0;
  for (int f = 0; f < form_count(); ++f) {
    const int is_there = isfinite(stable_limit(row, f));
    all += is_there;
    before += is_there && f < form;
  }
  *width = SPREAD / all;
  *place = (before + 0.5) * *width - 0.5 * SPREAD;
}

/* Rows of a formulation's table: row, both limits, the range that was searched, place and width. */
static int collect(const struct report *report, int form, double *table) {
  int n = 0;
  for (int k = 0; k < report->n_searches; ++k) {
    const struct report_record *r = report_search_of(&report->searches[k], form);
    const double largest = stable_limit(&report->searches[k], form);
    if (r != NULL && isfinite(largest)) {
      double *row = table + (size_t)COLUMNS * (size_t)n++;
      row[0] = k + 1;
      row[1] = base_json_real_at(r->json, "search.largest_true_dt");
      row[2] = largest;
      row[3] = base_json_real_at(r->json, "search.lo");
      row[4] = base_json_real_at(r->json, "search.hi");
      place_in_row(&report->searches[k], form, &row[5], &row[6]);
    }
  }
  return n;
}

int report_search_study(struct report *report) {
  struct base_arena *arena = report->arena;
  struct report_study s = {
      .report = report,
      .name = "largest-step",
      .id = "study-largest-step",
      .title = "Largest step each formulation bears",
      .caption = "Points: the largest step whose run keeps to the truth, its error below the "
                 "limit of the table. Bars end at the largest step that reaches the horizon "
                 "without diverging. Dashed: the range searched; a limit on its upper end is at "
                 "least that. No point: no step tried keeps to the truth, or there is no "
                 "reference."};
  if (report->n_searches == 0) {
    return BASE_OK;
  }
  int status = write_csv(report);
  status = status != BASE_OK ? status : report_study_begin(&s);
  double *table = base_arena_matrix(arena, COLUMNS, report->n_searches);
  for (int form = 0; form < form_count() && status == BASE_OK; ++form) {
    const int n = collect(report, form, table);
    status = n == 0 ? BASE_OK
                    : case_plot_table(&s.plot, form_name(form_get(form)),
                                      "row true[s] stable[s] lo[s] hi[s] place width", n, COLUMNS,
                                      table);
  }
  report_study_rows(&s, report->n_searches, report->searches);
  return status != BASE_OK ? status : report_study_finish(&s);
}
