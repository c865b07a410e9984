/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page's table of what did not end well: case, formulation, steps, time reached, reason, and
 * whether the suite expects it (suite/expect.h). Runs that differ in the step alone share a line;
 * unexpected ones come first. Runs of the study `tolerance` are not in it: their loose solves are
 * its subject.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
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

static int same_line(struct base_arena *arena, const struct report_record *a,
                     const struct report_record *b) {
  return a->form == b->form && a->status == b->status && strcmp(a->figure, b->figure) == 0 &&
         strcmp(a->case_name, b->case_name) == 0 &&
         strcmp(subject_of(arena, a), subject_of(arena, b)) == 0;
}

/* Links to all runs of a line, by their steps, those of a figure by their names; marks them as
 * shown. */
static void put_steps(const struct report_page *p, int first, char *is_done) {
  const struct report *report = p->report;
  const struct report_record *r = &report->records[first];
  for (int i = first; i < report->n_records; ++i) {
    const struct report_record *other = &report->records[i];
    if (!is_done[i] && report_is_failure(other) && same_line(p->arena, r, other) &&
        expected_of(report, other) == expected_of(report, r)) {
      is_done[i] = 1;
      fprintf(p->out, "<a href=\"%s\">", report_record_link(p, other));
      if (report_is_of_figure(other)) {
        report_text(p->out, other->name);
      } else {
        report_number_short(p->out, other->dt);
      }
      report_put(p, "</a> ");
    }
  }
}

static void put_line(const struct report_page *p, int i, char *is_done) {
  const struct report_record *r = &p->report->records[i];
  const enum expected expected = expected_of(p->report, r);
  report_put(p, "<tr>");
  report_put_element(p, "th", subject_of(p->arena, r));
  report_put_element(p, "td", base_json_text_at(r->json, "formulation.name"));
  report_put(p, "<td>");
  report_put_badge(p, base_status_name(r->status));
  report_put(p, "</td><td>");
  put_steps(p, i, is_done);
  report_put(p, "</td><td class=\"number\">");
  bench_figure_number(p->out, base_json_real_at(r->json, "final.t"));
  report_put(p, "</td>");
  report_put_element(p, "td", base_json_text_at(r->json, "reason"));
  report_put_element(p, expected == UNEXPECTED ? "td class=\"warning\"" : "td",
                     expected_names[expected]);
  report_put(p, "</tr>\n");
}

void report_put_failures(const struct report_page *p) {
  const struct report *report = p->report;
  int n = 0, n_unexpected = 0;
  char *is_done = base_arena_push(p->arena, (size_t)report->n_records + 1);
  memset(is_done, 0, (size_t)report->n_records + 1);
  for (int i = 0; i < report->n_records; ++i) {
    n += report_is_failure(&report->records[i]);
    n_unexpected += report_is_failure(&report->records[i]) &&
                    expected_of(report, &report->records[i]) == UNEXPECTED;
  }
  report_put(p, "<section id=\"failures\">\n<h2>What failed, and why</h2>\n");
  if (n == 0) {
    report_put(p,
               "<p>Every run ended well, or says that it cannot be expressed.</p>\n</section>\n");
    return;
  }
  fprintf(
      p->out,
      "<p>%d runs did not end well, %d of them unexpectedly. Unconverged: a solve missed its "
      "tolerance; unstable: the step is beyond the longest that is stable.</p>\n"
      "<div class=\"scroll tall\"><table class=\"failures\">\n<thead><tr><th>case</th>"
      "<th>formulation</th><th>status</th><th>steps [s] or runs</th><th>reached [s]</th><th>reason"
      "</th><th>expected?</th></tr></thead>\n<tbody>\n",
      n, n_unexpected);
  static const enum expected order[] = {UNEXPECTED, NOT_SAID, EXPECTED, OF_FIGURE};
  for (size_t k = 0; k < sizeof order / sizeof *order; ++k) {
    for (int i = 0; i < 2 * report->n_records; ++i) { /* those of figures behind the others */
      const int j = i % report->n_records;
      const struct report_record *r = &report->records[j];
      if (!is_done[j] && report_is_failure(r) &&
          report_is_of_figure(r) == (i >= report->n_records) &&
          expected_of(report, r) == order[k]) {
        put_line(p, j, is_done);
      }
    }
  }
  report_put(p, "</tbody></table></div>\n</section>\n");
}
