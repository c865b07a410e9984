/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * report/matrix.csv: the best run of every case and formulation over its steps; report/records.csv:
 * every record, with its outcome and the command that repeats it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/bytes/quote.h"
#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/kit/study.h"
#include "bench/report/overview/overview.h"
#include "form/form.h"

static int write_matrix(const struct report *report) {
  char *text = NULL;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  fputs("case,formulation,status,dt_s,q_linf,q_final,u_hausdorff,relative_drift,steps_s,"
        "steps_q1_s,steps_q3_s,record\n",
        file);
  for (int k = 0; k < report->n_rows; ++k) {
    for (int form = 0; form < form_count(); ++form) {
      const struct report_record *r = report_best(&report->rows[k], form);
      if (r == NULL) {
        continue;
      }
      base_quote_csv(file, report->rows[k].title);
      fprintf(file, ",%s,%s,%.9g", form_get(form)->name, base_status_name(r->status), r->dt);
      const double numbers[] = {base_json_real_at(r->json, "errors.q_linf"),
                                base_json_real_at(r->json, "errors.q_final"),
                                base_json_real_at(r->json, "errors.u_hausdorff"),
                                report_relative_drift(r->json),
                                base_json_real_at(r->json, "timing.steps_s"),
                                report_time_quartile(r, 0),
                                report_time_quartile(r, 1)};
      for (int i = 0; i < (int)(sizeof numbers / sizeof *numbers); ++i) {
        fputc(',', file);
        if (i < 3 && report_is_reference(r)) {
          fputs("reference", file);
        } else if (isfinite(numbers[i])) {
          fprintf(file, "%.9g", numbers[i]);
        }
      }
      fputc(',', file);
      base_quote_csv(file, r->name);
      fputc('\n', file);
    }
  }
  fclose(file);
  const int status = base_file_write(
      base_arena_printf(report->arena, "%s/report/matrix.csv", report->output), text, size);
  free(text);
  return status;
}

static int write_records(const struct report *report) {
  char *text = NULL;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  fputs("record,case,formulation,status,dt_s,q_linf,steps_s,command,reason\n", file);
  for (int i = 0; i < report->n_records; ++i) {
    const struct report_record *r = &report->records[i];
    base_quote_csv(file, r->name);
    fputc(',', file);
    base_quote_csv(file, r->case_name);
    fputc(',', file);
    base_quote_csv(file, base_json_text_at(r->json, "formulation.name"));
    fprintf(file, ",%s,%.9g,", base_status_name(r->status), r->dt);
    const double error = base_json_real_at(r->json, "errors.q_linf");
    if (isfinite(error) && !report_is_reference(r)) {
      fprintf(file, "%.9g", error);
    }
    fprintf(file, ",%.9g,", base_json_real_at(r->json, "timing.steps_s"));
    base_quote_csv(file, base_json_text_at(r->json, "provenance.command"));
    fputc(',', file);
    base_quote_csv(file, base_json_text_at(r->json, "reason"));
    fputc('\n', file);
  }
  fclose(file);
  const int status = base_file_write(
      base_arena_printf(report->arena, "%s/report/records.csv", report->output), text, size);
  free(text);
  return status;
}

int report_write_csv(const struct report *report) {
  int status = write_matrix(report);
  status = status != BASE_OK ? status : overview_write_csv(report);
  return status != BASE_OK ? status : write_records(report);
}
