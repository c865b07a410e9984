/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page's table of solvers: a line a cell, runs that differ in the solver alone (case, its
 * parameters, horizon, formulation with its options, step and tolerance are the same), a column a
 * solver, and in it the iterations of the run and its time a step. Runs of figures count; cells of
 * one solver have no line. Of two runs of a solver with other options the one that solved it in the
 * shorter time stands there. A line's title names what differs between the lines of its case and
 * formulation.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/kit/study.h"
#include "bench/report/overview/overview.h"
#include "bench/report/page/page.h"

/* Rows of the frame: a run; of the query, the one that stands for its cell and solver. */
enum { CELL, SOLVER, RECORD, SOLVED, TIME, LO, HI, COLUMNS };
static const char *const names[COLUMNS] = {"cell", "solver", "record", "solved",
                                           "time", "lo",     "hi"};
static const char query[] =
    "[{\"calculate\": \"solved > 0 ? time : 1e9 * (1 + time)\", \"as\": \"standing\"},"
    " {\"pick\": \"min\", \"field\": \"standing\", \"groupby\": [\"cell\", \"solver\"]},"
    " {\"joinaggregate\": [{\"op\": \"count\", \"as\": \"solvers\"}], \"groupby\": [\"cell\"]},"
    " {\"filter\": \"solvers>1\"},"
    " {\"calculate\": \"solved > 0 ? time : nan\", \"as\": \"time\"},"
    " {\"best\": \"time\", \"of\": \"solver\", \"groupby\": [\"cell\"], \"interval\": [\"lo\", "
    "\"hi\"]},"
    " {\"sort\": [\"cell\", \"solver\"]}]";

struct lines {
  const struct report *report;
  const struct frame *runs; /* by cell, then solver */
  int n_solvers;
  const char **solvers;
};

/* What makes the cell: all of it but the solver. */
static const char *const keys[] = {"case.parameters", "t_end", "formulation.options",
                                   "solver.options.tol", NULL};

static double time_of(const struct report_record *r) {
  return base_json_real_at(r->json, "timing.per_step_s");
}

/* Cells that several solvers were given. 0 with a message: an error of the query. */
static int lines_of(const struct report_page *p, struct lines *all) {
  const struct report *report = p->report;
  struct frame *f = frame_new(p->arena);
  const size_t room = (size_t)report->n_records + 1;
  const char **cells = base_arena_push(p->arena, room * sizeof *cells);
  int n_cells = 0;
  *all = (struct lines){.report = report,
                        .solvers = base_arena_push(p->arena, room * sizeof *all->solvers)};
  for (int i = 0; i < COLUMNS; ++i) {
    frame_add(f, names[i], "");
  }
  for (int i = 0; i < report->n_records; ++i) {
    const struct report_record *r = &report->records[i];
    const char *solver = base_json_text_at(r->json, "solver.name");
    if (r->form < 0 || !report_is_of(r, "") || r->status == BASE_UNSUPPORTED || solver[0] == '\0') {
      continue;
    }
    const double per_step = time_of(r) / base_json_real_at(r->json, "timing.steps_s");
    const char *cell =
        base_arena_printf(p->arena, "%s %d %.17g", report_key(r, keys, p->arena), r->form, r->dt);
    const double values[COLUMNS] = {report_number(cell, &n_cells, cells),
                                    report_number(solver, &all->n_solvers, all->solvers),
                                    i,
                                    r->status == BASE_OK,
                                    time_of(r),
                                    report_time_bound(r, 0) * per_step,
                                    report_time_bound(r, 1) * per_step};
    const long at = frame_push(f);
    for (int k = 0; k < COLUMNS; ++k) {
      frame_at(f, at, k)->number = values[k];
    }
  }
  all->runs = report_query(f, query);
  return all->runs != NULL;
}

static const struct report_record *record_at(const struct lines *all, long at) {
  return &all->report->records[(long)frame_real(all->runs, at, RECORD)];
}

/* The end of the line that begins at a run. */
static long end_of(const struct lines *all, long begin) {
  long end = begin;
  while (end < all->runs->n_rows &&
         frame_real(all->runs, end, CELL) == frame_real(all->runs, begin, CELL)) {
    ++end;
  }
  return end;
}

/* Is a solver in one of the lines? */
static int is_shown(const struct lines *all, int solver) {
  for (long at = 0; at < all->runs->n_rows; ++at) {
    if (frame_real(all->runs, at, SOLVER) == solver) {
      return 1;
    }
  }
  return 0;
}

static int is_best(const struct lines *all, long at) {
  return report_real(all->runs, at, "is_best") > 0;
}

/* ---- what a line is about ---- */

/* Does a value of the block differ between lines of the case and formulation? */
static int is_told(const struct lines *all, const struct report_record *r, const char *block,
                   const cJSON *value) {
  for (long i = 0; i < all->runs->n_rows; ++i) {
    const struct report_record *other = record_at(all, i);
    const cJSON *theirs = base_json_at(other->json, block);
    theirs = value->string != NULL && cJSON_IsObject(theirs)
                 ? cJSON_GetObjectItemCaseSensitive(theirs, value->string)
                 : theirs;
    if (other->form == r->form && strcmp(other->case_name, r->case_name) == 0 &&
        !base_json_same(value, theirs)) {
      return 1;
    }
  }
  return 0;
}

static void put_value(const struct report_page *p, const char *name, const cJSON *value) {
  report_put(p, ", ");
  report_text(p->out, name);
  report_put(p, " = ");
  if (cJSON_IsNumber(value)) {
    report_number_short(p->out, value->valuedouble);
  } else {
    report_text(p->out, cJSON_IsString(value)                        ? value->valuestring
                        : cJSON_IsBool(value) && cJSON_IsTrue(value) ? "yes"
                        : cJSON_IsBool(value)                        ? "no"
                                                                     : "other");
  }
}

static void put_title(const struct report_page *p, const struct lines *all,
                      const struct report_record *r) {
  report_text(p->out, r->case_name);
  for (int i = 0; keys[i] != NULL; ++i) {
    const cJSON *block = base_json_at(r->json, keys[i]), *item;
    if (cJSON_IsNumber(block) && is_told(all, r, keys[i], block)) {
      const char *dot = strrchr(keys[i], '.');
      put_value(p, dot != NULL ? dot + 1 : keys[i], block);
    }
    cJSON_ArrayForEach(item, block) {
      if (is_told(all, r, keys[i], item)) {
        put_value(p, item->string, item);
      }
    }
  }
}

/* ---- the table ---- */

/* The solvers that are level with the fastest of those that solved it. */
static void put_fastest(const struct report_page *p, const struct lines *all, long begin,
                        long end) {
  const char *text = "";
  for (long at = begin; at < end; ++at) {
    if (is_best(all, at)) {
      text = base_arena_printf(p->arena, "%s%s%s", text, text[0] != '\0' ? ", " : "",
                               all->solvers[(int)frame_real(all->runs, at, SOLVER)]);
    }
  }
  report_put_element(p, "td", text[0] != '\0' ? text : "none");
}

/* Iterations, where the solver ended by itself or by their number; else the letter alone. */
static void put_run(const struct report_page *p, const struct report_record *r, int is_level) {
  const char *letter = overview_letter(r->status);
  const int is_bad = r->status != BASE_OK;
  fprintf(p->out, "<td class=\"%s%s\" title=\"%s\"><a href=\"%s\">", is_bad ? "bad" : "plain",
          is_level ? " best" : "", base_status_name(r->status), report_record_link(p, r));
  if (letter[0] == '\0') {
    fprintf(p->out, "%.0f", base_json_real_at(r->json, "iterations.total"));
  }
  fprintf(p->out, "%s</a>", r->status == BASE_UNCONVERGED ? "*" : letter);
  if (!is_bad) {
    report_put(p, "<br/><span class=\"why\">");
    bench_figure_number(p->out, 1e3 * time_of(r));
    report_put(p, "</span>");
  }
  report_put(p, "</td>");
}

static void put_line(const struct report_page *p, const struct lines *all, long begin, long end) {
  const struct report_record *r = record_at(all, begin);
  report_put(p, "<tr><th>");
  put_title(p, all, r);
  report_put(p, "</th>");
  report_put_element(p, "td", form_get(r->form)->name);
  report_put(p, "<td class=\"step\">");
  report_number_short(p->out, r->dt);
  report_put(p, " s</td>");
  put_fastest(p, all, begin, end);
  long at = begin;
  for (int k = 0; k < all->n_solvers; ++k) {
    if (at < end && frame_real(all->runs, at, SOLVER) == k) {
      put_run(p, record_at(all, at), is_best(all, at));
      ++at;
    } else if (is_shown(all, k)) {
      report_put(p, "<td>\xc2\xb7</td>");
    }
  }
  report_put(p, "</tr>\n");
}

void report_put_solvers(const struct report_page *p) {
  struct lines all;
  long n = 0;
  report_put(p, "<section id=\"solvers\">\n<h2>Which solver, at what work</h2>\n");
  if (!lines_of(p, &all) || all.runs->n_rows == 0) {
    report_put(p, "<p>No cell was run by several solvers.</p>\n</section>\n");
    return;
  }
  for (long at = 0; at < all.runs->n_rows; at = end_of(&all, at)) {
    ++n;
  }
  fprintf(
      p->out,
      "<p>%ld cells that several solvers were given, a column a solver: iterations of the run "
      "and, below, the time a step [ms], as measured here; framed: the fastest that solved it, and "
      "those that noise alone may part from it. "
      "*: stopped short of its tolerance; D diverged, F failed, T time limit: not solved. An "
      "iteration is the solver's own: a sweep, a factorisation, a pivot.</p>\n"
      "<div class=\"scroll tall\"><table class=\"grid solvers\">\n<thead><tr><th>cell</th>"
      "<th>formulation</th><th>step</th><th>fastest</th>",
      n);
  for (int k = 0; k < all.n_solvers; ++k) {
    if (is_shown(&all, k)) {
      report_put_element(p, "th", all.solvers[k]);
    }
  }
  report_put(p, "</tr></thead>\n<tbody>\n");
  for (long at = 0, end; at < all.runs->n_rows; at = end) {
    end = end_of(&all, at);
    put_line(p, &all, at, end);
  }
  report_put(p, "</tbody></table></div>\n</section>\n");
}
