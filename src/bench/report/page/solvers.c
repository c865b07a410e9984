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
#include "bench/report/overview/overview.h"
#include "bench/report/page/page.h"

enum { SOLVERS_MAX = 64 };

/* The runs of a cell, by solver; NULL: not run by it. */
struct line {
  const struct report_record *first, *runs[SOLVERS_MAX];
};
struct lines {
  int n, n_solvers;
  struct line *line;
  const char *solvers[SOLVERS_MAX];
};

static const char *solver_of(const struct report_record *r) {
  return base_json_text_at(r->json, "solver.name");
}

/* What makes the cell: all of it but the solver. */
static const char *const keys[] = {"case.parameters", "t_end", "formulation.options",
                                   "solver.options.tol"};
enum { KEYS = sizeof keys / sizeof *keys };

static int is_same_cell(const struct report_record *a, const struct report_record *b) {
  if (a->form != b->form || a->dt != b->dt || strcmp(a->case_name, b->case_name) != 0) {
    return 0;
  }
  for (int i = 0; i < KEYS; ++i) {
    if (!base_json_same(base_json_at(a->json, keys[i]), base_json_at(b->json, keys[i]))) {
      return 0;
    }
  }
  return 1;
}

static double time_of(const struct report_record *r) {
  return base_json_real_at(r->json, "timing.per_step_s");
}

static int is_better(const struct report_record *a, const struct report_record *b) {
  const int a_solved = a->status == BASE_OK, b_solved = b->status == BASE_OK;
  return a_solved != b_solved ? a_solved : time_of(a) < time_of(b);
}

/* Number of the column of a solver, a new one at the end; none is left: -1. */
static int column_of(struct lines *all, const char *solver) {
  int k = 0;
  while (k < all->n_solvers && strcmp(all->solvers[k], solver) != 0) {
    ++k;
  }
  if (k == all->n_solvers && k < SOLVERS_MAX) {
    all->solvers[all->n_solvers++] = solver;
  }
  return k < SOLVERS_MAX ? k : -1;
}

static void add_run(struct lines *all, const struct report_record *r) {
  const int column = column_of(all, solver_of(r));
  int k = 0;
  while (k < all->n && !is_same_cell(all->line[k].first, r)) {
    ++k;
  }
  if (k == all->n) {
    all->line[all->n++] = (struct line){.first = r};
  }
  if (column >= 0) {
    const struct report_record **run = &all->line[k].runs[column];
    *run = *run == NULL || is_better(r, *run) ? r : *run;
  }
}

static int count_solvers(const struct lines *all, const struct line *line) {
  int n = 0;
  for (int k = 0; k < all->n_solvers; ++k) {
    n += line->runs[k] != NULL;
  }
  return n;
}

/* Is a solver in one of the lines? */
static int is_shown(const struct lines *all, int column) {
  for (int i = 0; i < all->n; ++i) {
    if (all->line[i].runs[column] != NULL) {
      return 1;
    }
  }
  return 0;
}

/* Lines of several solvers only. */
static struct lines lines_of(const struct report_page *p) {
  const struct report *report = p->report;
  struct lines all = {
      .line = base_arena_push(p->arena, ((size_t)report->n_records + 1) * sizeof *all.line)};
  for (int i = 0; i < report->n_records; ++i) {
    const struct report_record *r = &report->records[i];
    if (r->form >= 0 && report_is_of(r, "") && r->status != BASE_UNSUPPORTED &&
        solver_of(r)[0] != '\0') {
      add_run(&all, r);
    }
  }
  int n = 0;
  for (int i = 0; i < all.n; ++i) {
    if (count_solvers(&all, &all.line[i]) > 1) {
      all.line[n++] = all.line[i];
    }
  }
  all.n = n;
  return all;
}

/* ---- what a line is about ---- */

/* Does a value of the block differ between lines of the case and formulation? */
static int is_told(const struct lines *all, const struct report_record *r, const char *block,
                   const cJSON *value) {
  for (int i = 0; i < all->n; ++i) {
    const struct report_record *other = all->line[i].first;
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
  for (int i = 0; i < KEYS; ++i) {
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

/* The fastest of those that solved it. */
static const struct report_record *fastest(const struct lines *all, const struct line *line) {
  const struct report_record *best = NULL;
  for (int k = 0; k < all->n_solvers; ++k) {
    const struct report_record *r = line->runs[k];
    if (r != NULL && r->status == BASE_OK && isfinite(time_of(r)) &&
        (best == NULL || time_of(r) < time_of(best))) {
      best = r;
    }
  }
  return best;
}

/* Did it solve the line's cell, in a time that cannot be told from that of the fastest? */
static int is_level(const struct report_record *r, const struct report_record *best) {
  return r != NULL && best != NULL && r->status == BASE_OK && !report_times_differ(r, best);
}

/* The solvers that are level with the fastest. */
static void put_fastest(const struct report_page *p, const struct lines *all,
                        const struct line *line, const struct report_record *best) {
  const char *names = "";
  for (int k = 0; k < all->n_solvers; ++k) {
    if (is_level(line->runs[k], best)) {
      names = base_arena_printf(p->arena, "%s%s%s", names, names[0] != '\0' ? ", " : "",
                                all->solvers[k]);
    }
  }
  report_put_element(p, "td", best != NULL ? names : "none");
}

/* Iterations, where the solver ended by itself or by their number; else the letter alone. */
static void put_run(const struct report_page *p, const struct report_record *r, int is_best) {
  const char *letter = overview_letter(r->status);
  const int is_bad = r->status != BASE_OK;
  fprintf(p->out, "<td class=\"%s%s\" title=\"%s\"><a href=\"%s\">", is_bad ? "bad" : "plain",
          is_best ? " best" : "", base_status_name(r->status), report_record_link(p, r));
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

static void put_line(const struct report_page *p, const struct lines *all,
                     const struct line *line) {
  const struct report_record *r = line->first, *best = fastest(all, line);
  report_put(p, "<tr><th>");
  put_title(p, all, r);
  report_put(p, "</th>");
  report_put_element(p, "td", form_get(r->form)->name);
  report_put(p, "<td class=\"step\">");
  report_number_short(p->out, r->dt);
  report_put(p, " s</td>");
  put_fastest(p, all, line, best);
  for (int k = 0; k < all->n_solvers; ++k) {
    if (!is_shown(all, k)) {
      continue;
    }
    if (line->runs[k] == NULL) {
      report_put(p, "<td>\xc2\xb7</td>");
    } else {
      put_run(p, line->runs[k], is_level(line->runs[k], best));
    }
  }
  report_put(p, "</tr>\n");
}

void report_put_solvers(const struct report_page *p) {
  const struct lines all = lines_of(p);
  report_put(p, "<section id=\"solvers\">\n<h2>Which solver, at what work</h2>\n");
  if (all.n == 0) {
    report_put(p, "<p>No cell was run by several solvers.</p>\n</section>\n");
    return;
  }
  fprintf(
      p->out,
      "<p>%d cells that several solvers were given, a column a solver: iterations of the run "
      "and, below, the time a step [ms], as measured here; framed: the fastest that solved it, and "
      "those that noise alone may part from it. "
      "*: stopped short of its tolerance; D diverged, F failed, T time limit: not solved. An "
      "iteration is the solver's own: a sweep, a factorisation, a pivot.</p>\n"
      "<div class=\"scroll tall\"><table class=\"grid solvers\">\n<thead><tr><th>cell</th>"
      "<th>formulation</th><th>step</th><th>fastest</th>",
      all.n);
  for (int k = 0; k < all.n_solvers; ++k) {
    if (is_shown(&all, k)) {
      report_put_element(p, "th", all.solvers[k]);
    }
  }
  report_put(p, "</tr></thead>\n<tbody>\n");
  for (int i = 0; i < all.n; ++i) {
    put_line(p, &all, &all.line[i]);
  }
  report_put(p, "</tbody></table></div>\n</section>\n");
}
