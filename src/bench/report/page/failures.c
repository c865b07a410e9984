/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page's table of what did not end well: case, formulation, steps, time reached, reason, and
 * whether the suite expects it (suite/expect.h). Runs that differ in the step alone share a line;
 * unexpected ones come first. Runs of the study `tolerance` are not in it: their loose solves are
 * its subject.
 */
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/kit/study.h"
#include "bench/report/page/page.h"
#include "bench/suite/expect.h"
#include "form/form.h"

/* Whether an outcome is what the suite says of its cell. */
enum expected { UNEXPECTED, EXPECTED, OF_FIGURE, NOT_SAID };
static const char *const expected_names[] = {"unexpected", "expected", "judged by its figure",
                                             "no suite says"};

static const struct bench_cell *cell_of(const struct report *report, const char *id) {
  for (int i = 0; report->suite != NULL && i < report->suite->n; ++i) {
    if (strcmp(report->suite->cells[i].place.id, id) == 0) {
      return &report->suite->cells[i];
    }
  }
  return NULL;
}

static enum expected expected_of(const struct report *report, const struct report_record *r) {
  const struct bench_cell *cell = cell_of(report, r->name);
  return cell == NULL                                ? NOT_SAID
         : cell->is_free                             ? OF_FIGURE
         : bench_expect_is_bad(cell, r->status) != 0 ? UNEXPECTED
                                                     : EXPECTED;
}

int report_is_failure(const struct report_record *r) {
  return r->status != BASE_OK && r->status != BASE_UNSUPPORTED && !report_is_of(r, "tolerance");
}

/* What a line is about: the case with its label, or the figure. */
static const char *subject_of(struct base_arena *arena, const struct report_record *r) {
  if (report_is_of_figure(r)) {
    return base_arena_printf(arena, "figure %s", r->figure);
  }
  const char *words = report_words(r, arena);
  return words[0] != '\0' ? base_arena_printf(arena, "%s, %s", r->case_name, words) : r->case_name;
}

/* A line: the failed runs of a subject, formulation, status and expectation, from the first on. */
enum { ORDER, LINE, RECORD, COLUMNS };

/* Runs by line; unexpected lines first, those of figures behind the others of their kind. NULL with
 * a message. */
static const struct frame *failures_of(const struct report_page *p, int *n_unexpected) {
  static const char *const names[COLUMNS] = {"order", "line", "record"};
  static const int place[] = {[UNEXPECTED] = 0, [NOT_SAID] = 1, [EXPECTED] = 2, [OF_FIGURE] = 3};
  const struct report *report = p->report;
  const char **lines = base_arena_push(p->arena, ((size_t)report->n_records + 1) * sizeof *lines);
  struct frame *f = frame_new(p->arena);
  int n_lines = 0;
  *n_unexpected = 0;
  for (int i = 0; i < COLUMNS; ++i) {
    frame_add(f, names[i], "");
  }
  for (int i = 0; i < report->n_records; ++i) {
    const struct report_record *r = &report->records[i];
    if (!report_is_failure(r)) {
      continue;
    }
    const enum expected expected = expected_of(report, r);
    const char *line = base_arena_printf(p->arena, "%d %d %d %s\n%s", r->form, r->status,
                                         (int)expected, r->case_name, subject_of(p->arena, r));
    const long at = frame_push(f);
    frame_at(f, at, ORDER)->number = 2 * place[expected] + report_is_of_figure(r);
    frame_at(f, at, LINE)->number = report_number(line, &n_lines, lines);
    frame_at(f, at, RECORD)->number = i;
    *n_unexpected += expected == UNEXPECTED;
  }
  return report_query(f, "[{\"sort\": [\"order\", \"line\", \"record\"]}]");
}

/* Link to a run by its step, to one of a figure by its name. */
static void put_step(const struct report_page *p, const struct report_record *r) {
  fprintf(p->out, "<a href=\"%s\">", report_record_link(p, r));
  if (report_is_of_figure(r)) {
    report_text(p->out, r->name);
  } else {
    report_number_short(p->out, r->dt);
  }
  report_put(p, "</a> ");
}

/* The line that begins at a run; the beginning of the next. */
static long put_line(const struct report_page *p, const struct frame *f, long begin) {
  const struct report_record *records = p->report->records;
  const struct report_record *r = &records[(long)frame_real(f, begin, RECORD)];
  const enum expected expected = expected_of(p->report, r);
  long at = begin;
  report_put(p, "<tr>");
  report_put_element(p, "th", subject_of(p->arena, r));
  report_put_element(p, "td", base_json_text_at(r->json, "formulation.name"));
  report_put(p, "<td>");
  report_put_badge(p, base_status_name(r->status));
  report_put(p, "</td><td>");
  for (; at < f->n_rows && frame_real(f, at, LINE) == frame_real(f, begin, LINE); ++at) {
    put_step(p, &records[(long)frame_real(f, at, RECORD)]);
  }
  report_put(p, "</td><td class=\"number\">");
  bench_figure_number(p->out, base_json_real_at(r->json, "final.t"));
  report_put(p, "</td>");
  report_put_element(p, "td", base_json_text_at(r->json, "reason"));
  report_put_element(p, expected == UNEXPECTED ? "td class=\"warning\"" : "td",
                     expected_names[expected]);
  report_put(p, "</tr>\n");
  return at;
}

void report_put_failures(const struct report_page *p) {
  int n_unexpected;
  const struct frame *f = failures_of(p, &n_unexpected);
  report_put(p, "<section id=\"failures\">\n<h2>What failed, and why</h2>\n");
  if (f == NULL || f->n_rows == 0) {
    report_put(p,
               "<p>Every run ended well, or says that it cannot be expressed.</p>\n</section>\n");
    return;
  }
  fprintf(
      p->out,
      "<p>%ld runs did not end well, %d of them unexpectedly. Unconverged: a solve missed its "
      "tolerance; unstable: the step is beyond the longest that is stable.</p>\n"
      "<div class=\"scroll tall\"><table class=\"failures\">\n<thead><tr><th>case</th>"
      "<th>formulation</th><th>status</th><th>steps [s] or runs</th><th>reached [s]</th><th>reason"
      "</th><th>expected?</th></tr></thead>\n<tbody>\n",
      f->n_rows, n_unexpected);
  for (long at = 0; at < f->n_rows;) {
    at = put_line(p, f, at);
  }
  report_put(p, "</tbody></table></div>\n</section>\n");
}
