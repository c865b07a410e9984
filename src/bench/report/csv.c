/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * report/matrix.csv: the best run of every case and formulation over its steps; report/records.csv:
 * every record, with its outcome and the command that repeats it.
 */
#include <math.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/kit/study.h"
#include "bench/report/overview/overview.h"
#include "form/form.h"

int report_write_table(const struct report *report, const char *name,
                       const struct bench_table *table) {
  return bench_table_write(
      table, base_arena_printf(report->arena, "%s/report/%s.csv", report->output, name),
      BENCH_TABLE_CSV, BENCH_TABLE_DIGITS);
}

static int write_matrix(const struct report *report) {
  static const char *const errors[] = {"errors.q_linf", "errors.q_final", "errors.u_hausdorff"};
  struct bench_table *table = bench_table_headed(
      report->arena, "case,formulation,status,dt_s,q_linf,q_final,u_hausdorff,relative_drift,"
                     "steps_s,steps_q1_s,steps_q3_s,record");
  const struct frame *best = report_best(report_frame(report, report->n_rows, report->rows));
  for (long at = 0; best != NULL && at < best->n_rows; ++at) {
    const struct report_record *r = &report->records[(long)report_real(best, at, "place")];
    bench_table_row(table, "tttn", report->rows[(int)report_real(best, at, "row") - 1].title,
                    form_get(r->form)->name, base_status_name(r->status), r->dt);
    for (int i = 0; i < 3; ++i) {
      if (report_is_reference(r)) {
        bench_table_text(table, "reference");
      } else {
        bench_table_number(table, base_json_real_at(r->json, errors[i]));
      }
    }
    bench_table_row(table, "nnnnt", report_relative_drift(r->json),
                    base_json_real_at(r->json, "timing.steps_s"), report_time_quartile(r, 0),
                    report_time_quartile(r, 1), r->name);
  }
  return best == NULL ? BASE_E_INTERNAL : report_write_table(report, "matrix", table);
}

static int write_records(const struct report *report) {
  struct bench_table *table = bench_table_headed(
      report->arena, "record,case,formulation,status,dt_s,q_linf,steps_s,command,reason");
  for (int i = 0; i < report->n_records; ++i) {
    const struct report_record *r = &report->records[i];
    bench_table_row(
        table, "ttttnnntt", r->name, r->case_name, base_json_text_at(r->json, "formulation.name"),
        base_status_name(r->status), r->dt,
        report_is_reference(r) ? NAN : base_json_real_at(r->json, "errors.q_linf"),
        base_json_real_at(r->json, "timing.steps_s"),
        base_json_text_at(r->json, "provenance.command"), base_json_text_at(r->json, "reason"));
  }
  return report_write_table(report, "records", table);
}

int report_write_csv(const struct report *report) {
  int status = write_matrix(report);
  status = status != BASE_OK ? status : overview_write_csv(report);
  return status != BASE_OK ? status : write_records(report);
}
