/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sentences of studies, asked of the frame of their rows; see conclude.h.
 */
#include "bench/report/studies/conclude.h"

#include "bench/report/kit/study.h"
#include "form/form.h"

enum { NAMED = 3 }; /* formulations in a sentence */

static const char *name_of(const struct frame *f, long at) {
  return form_get((int)report_real(f, at, "form"))->name;
}

/* "ncp in 3 of 9, ccp in 2 of 8", of the first n rows with columns form, holds, of. */
static const char *list(const struct frame *f, long n) {
  const char *text = "";
  for (long i = 0; i < n; ++i) {
    text = base_arena_printf(f->arena, "%s%s%s in %.0f of %.0f", text, i > 0 ? ", " : "",
                             name_of(f, i), report_real(f, i, "holds"), report_real(f, i, "of"));
  }
  return text;
}

/* The larger share first, then that of more rows. A share of fewer than three cases is none. */
#define BY_SHARE                                                                                   \
  "{\"calculate\": \"holds / of\", \"as\": \"share\"},"                                            \
  "{\"sort\": [\"-share\", \"-of\", \"form\"]}"

const char *report_conclude_drift(const struct report *report, int n,
                                  const struct report_row *rows) {
  const struct frame *f =
      report_query(report_best(report_frame(report, n, rows)),
                   "[{\"filter\": [\"finished>0\", \"drift>=0\"]},"
                   " {\"calculate\": \"drift <= 1e-9\", \"as\": \"is_kept\"},"
                   " {\"aggregate\": [{\"op\": \"count\", \"as\": \"of\"},"
                   "                {\"op\": \"sum\", \"field\": \"is_kept\", \"as\": \"holds\"}],"
                   "  \"groupby\": [\"form\"]},"
                   " {\"filter\": \"of>=3\"}," BY_SHARE "]");
  const long last = f != NULL ? f->n_rows - 1 : 0;
  return last < 1 ? ""
                  : base_arena_printf(
                        report->arena,
                        "Energy is kept to 1e-09 by %s cases; least often by %s, in %.0f of %.0f.",
                        list(f, last < NAMED ? last : NAMED), name_of(f, last),
                        report_real(f, last, "holds"), report_real(f, last, "of"));
}

/* A row a formulation and row with an error: `first` of its runs that are accurate, to 1e-3 of the
 * system's length, is 1 in the row of the least time, or level with it. */
#define WITH_ERRORS                                                                                \
  "{\"calculate\": \"finished > 0 && is_reference == 0 && exists(error)\", \"as\": "               \
  "\"has_error\"},"                                                                                \
  "{\"filter\": \"has_error>0\"},"                                                                 \
  "{\"calculate\": \"error <= 1e-3\", \"as\": \"is_accurate\"},"                                   \
  "{\"calculate\": \"is_accurate > 0 ? timing.steps_s : nan\", \"as\": \"time\"},"                 \
  "{\"pick\": \"min\", \"field\": \"time\", \"groupby\": [\"row\", \"form\"]},"                    \
  "{\"best\": \"time\", \"of\": \"form\", \"groupby\": [\"row\"],"                                 \
  " \"interval\": [\"time_lo\", \"time_hi\"], \"as\": \"first\"},"                                 \
  "{\"joinaggregate\": [{\"op\": \"count\", \"as\": \"formulations\"}], \"groupby\": [\"row\"]}"

static const char *conclude_row(const struct report *report, const struct report_row *row) {
  const struct frame *f = report_query(report_frame(report, 1, row),
                                       "[" WITH_ERRORS ", {\"sort\": [\"time\", \"form\"]}]");
  const char *names = "";
  int accurate = 0;
  if (f == NULL || f->n_rows < 2) {
    return "";
  }
  for (long i = 0; i < f->n_rows; ++i) {
    accurate += report_real(f, i, "is_accurate") > 0;
    if (i > 0 && report_real(f, i, "first") > 0) {
      names = base_arena_printf(report->arena, "%s%s%s", names,
                                names[0] == '\0' ? "; level with it: " : ", ", name_of(f, i));
    }
  }
  return accurate == 0
             ? base_arena_printf(report->arena,
                                 "None of %ld formulations comes to an error of 0.001 of the "
                                 "system's length at any of its steps.",
                                 f->n_rows)
             : base_arena_printf(report->arena,
                                 "%s needs the least time, %.2g s, to an error of 0.001 of the "
                                 "system's length, to which %d of %ld formulations come%s.",
                                 name_of(f, 0), report_real(f, 0, "time"), accurate, f->n_rows,
                                 names);
}

const char *report_conclude_work(const struct report *report, int n,
                                 const struct report_row *rows) {
  if (n == 1) {
    return conclude_row(report, rows);
  }
  const struct frame *f =
      report_query(report_frame(report, n, rows),
                   "[" WITH_ERRORS ","
                   " {\"calculate\": \"first > 0 && formulations > 1\", \"as\": \"wins\"},"
                   " {\"aggregate\": [{\"op\": \"count\", \"as\": \"of\"},"
                   "                {\"op\": \"sum\", \"field\": \"wins\", \"as\": \"holds\"}],"
                   "  \"groupby\": [\"form\"]},"
                   " {\"filter\": \"holds>0\"}," BY_SHARE "]");
  return f == NULL || f->n_rows == 0
             ? ""
             : base_arena_printf(report->arena,
                                 "The least time to an error of 0.001 of the system's length, or "
                                 "one level with it, is that of %s cases.",
                                 list(f, f->n_rows < NAMED ? f->n_rows : NAMED));
}
