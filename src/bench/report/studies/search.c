/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the study of the largest step computes from records of searches (search/search.h): where a
 * formulation is drawn in the row of a case, and report/largest-step.csv, with both limits of every
 * formulation. The table on the page is made from the same records in page/gallery.c.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/kit/study.h"

const struct report_record *report_search_of(const struct report_row *row, int form) {
  for (int i = 0; i < row->n; ++i) {
    if (row->records[i]->form == form) {
      return row->records[i];
    }
  }
  return NULL;
}

int report_search_csv(const struct report *report) {
  static const char *const keys[] = {"t_end",
                                     "search.limit",
                                     "search.length",
                                     "search.lo",
                                     "search.hi",
                                     "search.ratio",
                                     "search.largest_accurate_dt",
                                     "search.largest_stable_dt"};
  struct bench_table *table = bench_table_headed(
      report->arena, "case,formulation,status,t_end_s,limit,length,lo_s,hi_s,ratio,"
                     "largest_accurate_dt_s,largest_stable_dt_s,trials,record");
  for (int k = 0; k < report->n_searches; ++k) {
    for (int i = 0; i < report->searches[k].n; ++i) {
      const struct report_record *r = report->searches[k].records[i];
      bench_table_row(table, "ttt", report->searches[k].title, form_get(r->form)->name,
                      base_status_name(r->status));
      for (size_t j = 0; j < sizeof keys / sizeof *keys; ++j) {
        bench_table_number(table, base_json_real_at(r->json, keys[j]));
      }
      bench_table_row(table, "nt",
                      (double)cJSON_GetArraySize(base_json_at(r->json, "search.trials")), r->name);
    }
  }
  return report_write_table(report, "largest-step", table);
}

static const double SPREAD = 0.84; /* of a row's width, for the formulations in it */

/* Those that have a limit in a row share its width. */
int report_search_place(struct frame *f) {
  const int row = frame_find(f, "row"), form = frame_find(f, "form");
  const int place = frame_add(f, "place", ""), width = frame_add(f, "width", "");
  for (long i = 0; i < f->n_rows; ++i) {
    int before = 0, all = 0;
    for (long k = 0; k < f->n_rows; ++k) {
      const int is_of_row = frame_real(f, k, row) == frame_real(f, i, row);
      all += is_of_row;
      before += is_of_row && frame_real(f, k, form) < frame_real(f, i, form);
    }
    frame_at(f, i, width)->number = SPREAD / all;
    frame_at(f, i, place)->number = (before + 0.5) * SPREAD / all - 0.5 * SPREAD;
  }
  return BASE_OK;
}
