/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The study `overview`: a picture a quantity, drawn by scripts/plot/overview.gp in centimetres from
 * the upper left corner, and report/overview.csv with all of their numbers. The formulations that
 * serve smooth motion alone stand in a block of their own below.
 */
#include <math.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/kit/study.h"
#include "bench/report/overview/overview.h"
#include "form/form.h"

/* Lengths of a picture [cm]: of titles and steps before the cells, a cell, gaps between blocks, the
 * names above a block, the picture's title, kinds of references behind the cells, the legend. In
 * print cells are what the width leaves, and narrow ones say less: no step, reference or number, and
 * 'c.' for 'consistent'. */
struct lengths {
  double labels, step, cell, line, gap, head, top, reference, foot, group;
};
static const struct lengths on_screen = {7.7, 1.75, 1.06, 0.5, 0.35, 3.1, 1, 2, 2.1, 0.62};
static const struct lengths in_print = {5.4, 1, 0, 0.3, 0.25, 2.7, 0.1, 1.5, 1.9, 0.4};
static const struct lengths in_narrow = {4.6, 0.1, 0, 0.26, 0.15, 2.95, 0.1, 0.1, 3.15, 0.42};
enum { COLUMNS = 7, FAILED_CODES = 10 };
static const double NONE = -1000; /* in place of a number: of NaN gnuplot draws no part of a line */

/* The picture while it grows. */
struct picture {
  struct base_arena *arena;
  const struct overview *overview;
  enum overview_quantity quantity;
  int n; /* cells */
  double *cells;
  int n_framed;
  double *framed; /* x, y */
  int n_labels;   /* kind: see `put` */
  const char **labels;
  double *xs, *ys, *kinds;
  struct lengths of;
  double width, y;
};
enum label { TITLE, ROW, STEP, KIND_OF_REFERENCE, GROUP_NAME, COLUMN_NAME };

static void put(struct picture *p, enum label kind, double x, double y, const char *text) {
  const int i = p->n_labels++;
  p->labels[i] = text;
  p->xs[i] = x;
  p->ys[i] = y;
  p->kinds[i] = kind;
}

static void put_cell(struct picture *p, const struct overview_row *row, int form, double x) {
  const struct overview_cell *cell = &row->cells[form];
  const enum overview_quantity q = p->quantity;
  const enum overview_kind kind = cell->kind[q];
  double *c = p->cells + (long)COLUMNS * p->n++;
  const int is_number = kind == OVERVIEW_NUMBER;
  c[0] = x;
  c[1] = p->y;
  c[2] = kind == OVERVIEW_FAILED ? FAILED_CODES + cell->record->status : (double)kind;
  c[3] = is_number ? overview_shown(row, q, cell->value[q]) : NONE;
  c[4] = is_number                   ? (double)overview_colour(row, q, cell->value[q])
         : kind == OVERVIEW_ROUNDING ? 0.
                                     : NONE;
  c[5] = cell->record != NULL && cell->record->status == BASE_UNCONVERGED ? 2 : 0;
  if (cell->is_best[q]) {
    p->framed[2 * p->n_framed] = x;
    p->framed[2 * p->n_framed++ + 1] = p->y;
  }
  const double band =
      (overview_shown(row, q, cell->p90[q]) - overview_shown(row, q, cell->p10[q])) / 2;
  c[6] = is_number && overview_measures[q].is_log && isfinite(band) ? band : NONE;
}

/* Has a formulation of the block a number in the row, or against another run a change? */
static int has_numbers(const struct picture *p, const struct overview_row *row,
                       enum overview_place place) {
  for (int form = 0; form < form_count(); ++form) {
    const enum overview_kind kind = row->cells[form].kind[p->quantity];
    const int is_change = row->is_ratio && p->quantity == OVERVIEW_ERROR &&
                          (kind == OVERVIEW_FAILED || kind == OVERVIEW_CURED);
    if (p->overview->place[form] == place && (kind <= OVERVIEW_ROUNDING || is_change)) {
      return 1;
    }
  }
  return 0;
}

/* How many columns the wider of both blocks has. */
static int columns_of(const struct overview *o) {
  int main = 0, smooth = 0;
  for (int form = 0; form < form_count(); ++form) {
    main += o->place[form] == OVERVIEW_MAIN || o->place[form] == OVERVIEW_REFERENCE;
    smooth += o->place[form] == OVERVIEW_SMOOTH_ONLY;
  }
  return main > smooth ? main : smooth;
}

static struct lengths lengths_for(const struct report *report) {
  if (report->width_mm <= 0) {
    return on_screen;
  }
  struct lengths of = report->width_mm < REPORT_NARROW_MM ? in_narrow : in_print;
  of.cell = (report->width_mm / 10 - of.labels - 2 * of.gap - of.reference) /
            columns_of(report->overview);
  return of;
}

/* Rows that have numbers, below the names of the formulations of the block. */
static void put_block(struct picture *p, enum overview_place place) {
  const struct overview *o = p->overview;
  const int is_main = place == OVERVIEW_MAIN;
  int last_group = -1, n_rows = 0;
  for (int k = 0; k < o->n; ++k) {
    n_rows += has_numbers(p, &o->rows[k], place);
  }
  if (n_rows == 0) {
    return;
  }
  p->y += p->of.head;
  double x = p->of.labels;
  for (int pass = 0; pass <= is_main; ++pass) { /* what is compared, then references */
    for (int form = 0; form < form_count(); ++form) {
      if (o->place[form] == (pass == 0 ? place : OVERVIEW_REFERENCE)) {
        put(p, COLUMN_NAME, x + p->of.cell / 2, p->y - 0.1, form_get(form)->name);
        x += p->of.cell;
      }
    }
    x += p->of.gap;
  }
  for (int k = 0; k < o->n; ++k) {
    const struct overview_row *row = &o->rows[k];
    if (!has_numbers(p, row, place)) {
      continue;
    }
    if ((int)row->group != last_group) {
      last_group = (int)row->group;
      put(p, GROUP_NAME, 0.2, p->y + p->of.group / 2 + 0.05,
          base_arena_printf(p->arena, "%s: %s", overview_group_names[row->group],
                            overview_group_meanings[row->group]));
      p->y += p->of.group;
    }
    put(p, ROW, p->of.labels - p->of.step, p->y + p->of.line / 2, row->title);
    put(p, STEP, p->of.labels - 0.15, p->y + p->of.line / 2,
        base_arena_printf(p->arena, "%g s", row->dt));
    x = p->of.labels;
    for (int pass = 0; pass <= is_main; ++pass) {
      for (int form = 0; form < form_count(); ++form) {
        if (o->place[form] == (pass == 0 ? place : OVERVIEW_REFERENCE)) {
          put_cell(p, row, form, x);
          x += p->of.cell;
        }
      }
      x += p->of.gap;
    }
    put(p, KIND_OF_REFERENCE, x - p->of.gap / 2, p->y + p->of.line / 2, row->reference);
    p->width = fmax(p->width, x + p->of.reference);
    p->y += p->of.line;
  }
  p->y += p->of.gap;
}

const char *overview_caption(const struct report *report, const struct overview *o,
                             enum overview_quantity q) {
  if (o->against != NULL) {
    return base_arena_printf(
        report->arena,
        "log10 of the %s over that of the run it is held against: below 0 it is less now, above 0 "
        "more; -1 is a tenth. =: no change (half a percent)%s. D, U, T, F: it fails now; ok: it "
        "had failed; grey: cannot be expressed; \xc2\xb7: one of the two has no such run; "
        "\xe2\x80\x93: no number to compare. Rows without a change are left out; changed statuses "
        "are in the picture of the error.",
        overview_measures[q].title,
        q == OVERVIEW_TIME ? ", or quartiles that overlap; times taken once have no spread and are "
                             "not compared"
                           : "");
  }
  return base_arena_printf(
      report->arena,
      "A number: %s, at the one step of its row [s]. Framed: not distinguishable from the best of "
      "the row, as their order is the other way round at the nearest other step%s; of ensembles, "
      "as "
      "the interval of the median ratio of their members, pair by pair, holds 1; nothing behind a "
      "number that can be told from the best is framed, and runs judged useless compete for "
      "nothing. \xe2\x89\x88 0: "
      "rounding, or below what the reference resolves. D diverged, U step beyond stability, T time "
      "limit, F "
      "failed; *: some solves missed their tolerance; grey: cannot be expressed; \xc2\xb7: not run "
      "at "
      "this step; \xe2\x80\x93: no such number, or no reference to judge by; ref: the reference is "
      "made by "
      "it. References stand apart, with their kind; rows without any number are left out. Of a "
      "formulation's runs at a step with several "
      "solvers, one that converged.",
      overview_measures[q].shown,
      q == OVERVIEW_TIME ? ", or as noise may have put them in their order" : "");
}

static int draw(struct report *report, const struct bench_figure *study,
                enum overview_quantity quantity) {
  struct base_arena *arena = report->arena;
  const struct overview *o = report->overview;
  const struct overview_measure *m = &overview_measures[quantity];
  const int is_log = m->is_log || o->against != NULL;
  const struct report_row as_row = {
      .id = o->against != NULL ? base_arena_printf(arena, "against-%s", m->name) : m->name,
      .title = m->title};
  struct report_sheet sheet;
  const int forms = form_count(), labels = 2 * (3 * o->n + OVERVIEW_GROUPS + 2 * forms) + 1;
  struct picture p = {
      .arena = arena, .overview = o, .quantity = quantity, .of = lengths_for(report)};
  p.y = p.of.top;
  p.cells = base_arena_matrix(arena, COLUMNS, 2 * o->n * forms);
  p.framed = base_arena_matrix(arena, 2, 2 * o->n * forms);
  p.labels = base_arena_push(arena, (size_t)labels * sizeof *p.labels);
  p.xs = base_arena_doubles(arena, labels);
  p.ys = base_arena_doubles(arena, labels);
  p.kinds = base_arena_doubles(arena, labels);
  put(&p, TITLE, 0.2, p.of.top / 2,
      o->against != NULL ? base_arena_printf(arena, "log10 of the ratio: %s", m->title) : m->shown);
  put_block(&p, OVERVIEW_MAIN);
  put_block(&p, OVERVIEW_SMOOTH_ONLY);
  const int is_time = quantity == OVERVIEW_TIME;
  int status = report_sheet_begin(&sheet, report, study, &as_row);
  const char *best = o->against == NULL ? overview_conclusion(report, o, quantity) : "";
  sheet.caption = base_arena_printf(report->arena, "%s%s%s", best, best[0] != '\0' ? " " : "",
                                    overview_caption(report, o, quantity));
  if (status == BASE_OK && p.n > 0) {
    status = case_plot_table(
        &sheet.plot, "cells",
        is_time ? "x[cm] y[cm] timing_kind timing_shown timing_colour timing_mark timing_band"
                : "x[cm] y[cm] kind shown colour mark band",
        p.n, COLUMNS, p.cells);
  }
  if (status == BASE_OK && p.n_framed > 0) {
    status = case_plot_table(&sheet.plot, "framed",
                             is_time ? "timing_x[cm] timing_y[cm]" : "x[cm] y[cm]", p.n_framed, 2,
                             p.framed);
  }
  report_script_real(&sheet.script, "cell", p.of.cell);
  report_script_real(&sheet.script, "line", p.of.line);
  report_script_real(&sheet.script, "is_log", is_log);
  report_script_real(&sheet.script, "is_ratio", o->against != NULL);
  report_script_real(&sheet.script, "colour_lo", o->against != NULL ? -OVERVIEW_RATIO : m->lo);
  report_script_real(&sheet.script, "colour_hi", o->against != NULL ? OVERVIEW_RATIO : m->hi);
  report_script_real(&sheet.script, "colours", OVERVIEW_COLOURS);
  report_script_texts(&sheet.script, "texts", p.n_labels, p.labels);
  report_script_reals(&sheet.script, "xs", p.n_labels, p.xs);
  report_script_reals(&sheet.script, "ys", p.n_labels, p.ys);
  report_script_reals(&sheet.script, "kinds", p.n_labels, p.kinds);
  sheet.script.size[0] = report->width_mm > 0
                             ? report->width_mm / 10
                             : fmax(p.width, p.of.labels + 4 * p.of.cell + p.of.reference);
  sheet.script.size[1] = p.y + p.of.foot;
  report_script_real(&sheet.script, "wide", sheet.script.size[0]);
  report_script_real(&sheet.script, "high", sheet.script.size[1]);
  return status != BASE_OK ? status : report_sheet_finish(&sheet);
}

int overview_write_csv(const struct report *report) {
  static const char *const kinds[] = {"number",      "rounding", "reference", "unknown", "failed",
                                      "unsupported", "absent",   "same",      "cured"};
  const struct overview *o = report->overview;
  const char *headings = "case,group,dt_s,formulation,status";
  for (int q = 0; q < OVERVIEW_QUANTITIES; ++q) {
    const char *name = overview_measures[q].name;
    headings =
        base_arena_printf(report->arena, "%s,%s,%s_kind,%s_best", headings, name, name, name);
  }
  struct bench_table *table =
      bench_table_headed(report->arena, base_arena_printf(report->arena, "%s,record", headings));
  for (int k = 0; k < o->n; ++k) {
    for (int form = 0; form < form_count(); ++form) {
      const struct overview_cell *cell = &o->rows[k].cells[form];
      if (cell->record == NULL) {
        continue;
      }
      bench_table_row(table, "ttntt", o->rows[k].title, overview_group_names[o->rows[k].group],
                      cell->record->dt, form_get(form)->name,
                      base_status_name(cell->record->status));
      for (int q = 0; q < OVERVIEW_QUANTITIES; ++q) {
        bench_table_row(table, "ntn", cell->value[q], kinds[cell->kind[q]],
                        (double)cell->is_best[q]);
      }
      bench_table_text(table, cell->record->name);
    }
  }
  return report_write_table(report, "overview", table);
}

int report_overview_make(struct report *report, const struct bench_figure *study) {
  int status = BASE_OK;
  for (int q = 0; q < OVERVIEW_QUANTITIES && report->overview->n > 0 && status == BASE_OK; ++q) {
    status = draw(report, study, q);
  }
  return status;
}
