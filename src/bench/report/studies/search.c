/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the study of the largest step computes from records of searches (search/search.h): where a
 * formulation is drawn in the row of a case, and report/largest-step.csv, with both limits of every
 * formulation. The table on the page is made from the same records in page/gallery.c.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/bytes/quote.h"
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
  static const char *const keys[] = {
      "t_end", "search.lo", "search.hi", "search.tolerance", "search.second.holds", "search.holds"};
  char *text = NULL;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  fputs("case,formulation,status,t_end_s,lo_s,hi_s,tolerance,largest_accurate_dt_s,"
        "largest_stable_dt_s,accurate,trials,record\n",
        file);
  for (int k = 0; k < report->n_searches; ++k) {
    for (int i = 0; i < report->searches[k].n; ++i) {
      const struct report_record *r = report->searches[k].records[i];
      base_quote_csv(file, report->searches[k].title);
      fprintf(file, ",%s,%s", form_get(r->form)->name, base_status_name(r->status));
      for (size_t j = 0; j < sizeof keys / sizeof *keys; ++j) {
        const double x = base_json_real_at(r->json, keys[j]);
        fputc(',', file);
        if (isfinite(x)) {
          fprintf(file, "%.9g", x);
        }
      }
      fputc(',', file);
      base_quote_csv(file, base_json_text_at(r->json, "search.second.until"));
      fprintf(file, ",%d,", cJSON_GetArraySize(base_json_at(r->json, "search.trials")));
      base_quote_csv(file, r->name);
      fputc('\n', file);
    }
  }
  fclose(file);
  const int status = base_file_write(
      base_arena_printf(report->arena, "%s/report/largest-step.csv", report->output), text, size);
  free(text);
  return status;
}

static const double SPREAD = 0.84; /* of a row's width, for the formulations in it */

static double stable_limit(const struct report_row *row, int form) {
  const struct report_record *r = report_search_of(row, form);
  return r != NULL ? base_json_real_at(r->json, "search.holds") : NAN;
}

int report_search_found(const struct report_record *r) {
  return isfinite(base_json_real_at(r->json, "search.holds"));
}

/* Those that have a limit in a row share its width. */
void report_search_place(const struct report_row *row, int form, double *values) {
  int before = 0, all = 0;
  for (int f = 0; f < form_count(); ++f) {
    const int is_there = isfinite(stable_limit(row, f));
    all += is_there;
    before += is_there && f < form;
  }
  values[1] = SPREAD / all;
  values[0] = (before + 0.5) * values[1] - 0.5 * SPREAD;
}
