/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The study `parameter`, {"study": "parameter", "x": ..., "y": ...} of a suite: any number of a
 * record against any parameter, a curve a formulation. x is a parameter of the case (mu), an option
 * of the formulation or its solver (n_dir, tol), else a path into the record (dt); y is a path.
 *
 * A plot is of runs of one case and horizon whose other parameters are the same; in it a panel a
 * step, from the longest to the shortest, unless the step is x. Where cells name solvers or sweep
 * more than x, there is a curve for each. Runs that did not reach
 * the horizon have no point; their number stands in the caption. All points are in
 * report/parameter.csv.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "bench/outcome/condition.h"
#include "bench/record/fields.h"
#include "bench/record/record.h"
#include "bench/report/kit/study.h"

enum { PANELS_MAX = 8, CURVES_MAX = 64 };
/* An axis whose positive numbers span more than this is logarithmic. */
static const double LOG_SPAN = 30;

struct point {
  const struct report_record *r;
  double x, y, step;   /* step: of its panel [s]; 0: of none of its own */
  const char *variant; /* what else tells runs apart in the suite */
  int is_drawn;
};

/* A plot while it is made. */
struct chart {
  const struct bench_sweep *sweep;
  int n;
  struct point *points;
  int n_steps, n_curves, left_out, has_variants;
  double steps[PANELS_MAX];
  struct {
    int form;
    const char *variant, *name;
  } curves[CURVES_MAX];
};

/* ---- the swept parameter ---- */

static const char *const blocks[] = {"case.parameters.", "formulation.options.", "solver.options.",
                                     ""};
enum { BLOCKS = sizeof blocks / sizeof *blocks };

static const cJSON *at_block(const struct report_record *r, int block, const char *x,
                             struct base_arena *arena) {
  return bench_record_at(r->json, base_arena_printf(arena, "%s%s", blocks[block], x));
}

/* The block in which most runs have the parameter; -1: none has it. */
static int block_of(const struct report *report, const char *x) {
  for (int block = 0; block < BLOCKS; ++block) {
    for (int i = 0; i < report->n_records; ++i) {
      if (cJSON_IsNumber(at_block(&report->records[i], block, x, report->arena))) {
        return block;
      }
    }
  }
  return -1;
}

static const char *unit_of(const struct report_record *r, int block, const char *x,
                           struct base_arena *arena) {
  const struct base_option *option = NULL;
  if (block == 0) {
    for (int i = 0; i < case_count(); ++i) {
      if (strcmp(case_get(i)->name, r->case_name) == 0) {
        const struct case_parameters *p = case_parameters_load(case_get(i), arena);
        return p != NULL
                   ? base_arena_copy(arena, base_json_text_at(
                                                case_parameters_file(p),
                                                base_arena_printf(arena, "parameters.%s.unit", x)))
                   : "";
      }
    }
    return "";
  }
  if (block == BLOCKS - 1) {
    const struct bench_field *field = bench_field_find(x);
    return field != NULL ? field->key.unit : "";
  }
  option = block == 1 ? form_get(r->form)->options : problem_loop_options;
  for (; option != NULL && option->key.name != NULL; ++option) {
    if (strcmp(option->key.name, x) == 0) {
      return option->key.unit;
    }
  }
  return "";
}

static const char *axis_of(struct base_arena *arena, const char *what, const char *unit) {
  return unit[0] != '\0' ? base_arena_printf(arena, "%s [%s]", what, unit) : what;
}

/* Solver, label and what else the suite sweeps. */
static const char *variant_of(const struct report_record *r, const char *x,
                              struct base_arena *arena) {
  const char *words[] = {r->solver, base_json_text_at(r->json, "cell.label")};
  const char *variant = "";
  for (int i = 0; i < 2; ++i) {
    variant = base_arena_printf(arena, "%s%s%s", variant,
                                variant[0] != '\0' && words[i][0] != '\0' ? " " : "", words[i]);
  }
  const cJSON *at;
  cJSON_ArrayForEach(at, base_json_at(r->json, "cell.swept")) {
    if (strcmp(at->string, x) != 0) {
      variant = base_arena_printf(arena, "%s%s%s-%s", variant, variant[0] != '\0' ? " " : "",
                                  at->string, cJSON_GetStringValue(at));
    }
  }
  return base_text_clean(variant, arena);
}

/* ---- which runs a plot is of ---- */

/* Are the parameters of two runs the same but for x? */
static int same_parameters(const cJSON *a, const cJSON *b, const char *x) {
  cJSON *left = cJSON_Duplicate(a, 1), *right = cJSON_Duplicate(b, 1);
  cJSON *both[] = {left, right};
  for (int i = 0; i < 2; ++i) {
    const char *dot = strrchr(x, '.');
    char path[256];
    snprintf(path, sizeof path, "%.*s", dot != NULL ? (int)(dot - x) : 0, x);
    cJSON *owner = dot != NULL ? (cJSON *)base_json_at(both[i], path) : both[i];
    cJSON_DeleteItemFromObjectCaseSensitive(owner, dot != NULL ? dot + 1 : x);
  }
  const int same = base_json_same(left, right);
  cJSON_Delete(left);
  cJSON_Delete(right);
  return same;
}

static int is_of_chart(const struct report_record *first, const struct report_record *r, int block,
                       const char *x) {
  return strcmp(first->case_name, r->case_name) == 0 &&
         base_json_real_at(first->json, "t_end") == base_json_real_at(r->json, "t_end") &&
         same_parameters(base_json_at(first->json, "case.parameters"),
                         base_json_at(r->json, "case.parameters"), block == 0 ? x : "");
}

/* All runs of one plot with a number at x, the first of them `from`; taken[] notes them. */
static void collect(const struct report *report, int from, int block, char *taken,
                    struct chart *chart) {
  const struct bench_sweep *sweep = chart->sweep;
  const struct report_record *first = &report->records[from];
  chart->n = 0;
  for (int i = from; i < report->n_records; ++i) {
    const struct report_record *r = &report->records[i];
    const cJSON *x = at_block(r, block, sweep->x, report->arena);
    if (taken[i] || r->form < 0 || report_is_of_figure(r) || !cJSON_IsNumber(x) ||
        !is_of_chart(first, r, block, sweep->x)) {
      continue;
    }
    const cJSON *y = bench_record_at(r->json, sweep->y);
    const int is_step = block == BLOCKS - 1 && strcmp(sweep->x, "dt") == 0;
    taken[i] = 1;
    chart->points[chart->n++] =
        (struct point){.r = r,
                       .x = x->valuedouble,
                       .y = cJSON_IsNumber(y) ? y->valuedouble : NAN,
                       .step = is_step || report_is_of(r, "largest-step") ? 0 : r->dt,
                       .variant = variant_of(r, sweep->x, report->arena)};
  }
}

static int by_place(const void *a, const void *b) {
  const struct point *p = a, *q = b;
  if (p->step != q->step) {
    return p->step > q->step ? -1 : 1;
  }
  if (p->r->form != q->r->form) {
    return p->r->form - q->r->form;
  }
  const int variants = strcmp(p->variant, q->variant);
  return variants != 0 ? variants : (p->x > q->x) - (p->x < q->x);
}

/* Number of its curve; -1: there are too many. */
static int curve_of(struct chart *c, const struct point *p) {
  for (int i = 0; i < c->n_curves; ++i) {
    if (c->curves[i].form == p->r->form && strcmp(c->curves[i].variant, p->variant) == 0) {
      return i;
    }
  }
  if (c->n_curves == CURVES_MAX) {
    return -1;
  }
  c->curves[c->n_curves].form = p->r->form;
  c->curves[c->n_curves].variant = p->variant;
  return c->n_curves++;
}

/* Panels and curves from the points, which are sorted. */
static int arrange(struct chart *c, struct base_arena *arena) {
  c->n_steps = c->n_curves = c->left_out = c->has_variants = 0;
  qsort(c->points, (size_t)c->n, sizeof *c->points, by_place);
  for (int i = 0; i < c->n; ++i) {
    struct point *p = &c->points[i];
    p->is_drawn = report_has_errors(p->r) && isfinite(p->y);
    c->left_out += !p->is_drawn;
    c->has_variants |= strcmp(p->variant, c->points[0].variant) != 0;
    if (p->is_drawn && (c->n_steps == 0 || c->steps[c->n_steps - 1] != p->step)) {
      if (c->n_steps == PANELS_MAX) {
        return base_fail(BASE_FAILED, "more than %d steps", PANELS_MAX);
      }
      c->steps[c->n_steps++] = p->step;
    }
    if (p->is_drawn && curve_of(c, p) < 0) {
      return base_fail(BASE_FAILED, "more than %d curves", CURVES_MAX);
    }
  }
  for (int i = 0; i < c->n_curves; ++i) {
    c->curves[i].name = c->has_variants && c->curves[i].variant[0] != '\0'
                            ? base_arena_printf(arena, "%s %s", form_get(c->curves[i].form)->name,
                                                c->curves[i].variant)
                            : form_get(c->curves[i].form)->name;
  }
  return BASE_OK;
}

/* ---- the drawing ---- */

/* Tell an axis: is it logarithmic, and what do the points span, the same in all panels? */
static void tell_axis(struct report_sheet *sheet, const struct chart *c, int of_x) {
  struct base_arena *arena = sheet->report->arena;
  const char *axis = of_x ? "x" : "y";
  double lo = INFINITY, hi = -INFINITY;
  for (int i = 0; i < c->n; ++i) {
    const double x = of_x ? c->points[i].x : c->points[i].y;
    if (c->points[i].is_drawn) {
      lo = fmin(lo, x);
      hi = fmax(hi, x);
    }
  }
  report_script_real(&sheet->script, base_arena_printf(arena, "%s_lo", axis), lo);
  report_script_real(&sheet->script, base_arena_printf(arena, "%s_hi", axis), hi);
  report_script_real(&sheet->script, base_arena_printf(arena, "log_%s", axis),
                     lo > 0 && hi > LOG_SPAN * lo);
}

/* The table of each curve in each panel, "1-3": curve 3 of panel 1. */
static int write_curves(struct report_sheet *sheet, const struct chart *c) {
  double *values = base_arena_matrix(sheet->report->arena, c->n, 2);
  int status = BASE_OK;
  for (int s = 0; s < c->n_steps; ++s) {
    for (int k = 0; k < c->n_curves && status == BASE_OK; ++k) {
      int rows = 0;
      for (int i = 0; i < c->n; ++i) {
        const struct point *p = &c->points[i];
        if (p->is_drawn && p->step == c->steps[s] && p->r->form == c->curves[k].form &&
            strcmp(p->variant, c->curves[k].variant) == 0) {
          values[2 * rows] = p->x;
          values[2 * rows++ + 1] = p->y;
        }
      }
      if (rows > 0) {
        status = case_plot_table(&sheet->plot,
                                 base_arena_printf(sheet->report->arena, "%d-%d", s + 1, k + 1),
                                 "x y", rows, 2, values);
      }
    }
  }
  return status;
}

static const double PRINT_ROW = 5.6, PRINT_LINE = 0.34, PRINT_EDGE = 0.3; /* [cm] */

static void tell(struct report_sheet *sheet, const struct chart *c, const char *x_label,
                 const char *y_label) {
  struct base_arena *arena = sheet->report->arena;
  const char *names[CURVES_MAX], *heads[PANELS_MAX];
  double styles[CURVES_MAX], dashes[CURVES_MAX];
  for (int k = 0; k < c->n_curves; ++k) {
    names[k] = c->curves[k].name;
    styles[k] = c->curves[k].form + 1;
    dashes[k] = 0; /* which of the curves of its formulation */
    for (int i = 0; i < k; ++i) {
      dashes[k] += c->curves[i].form == c->curves[k].form;
    }
  }
  for (int s = 0; s < c->n_steps; ++s) {
    heads[s] = c->steps[s] > 0 ? base_arena_printf(arena, "dt = %g s", c->steps[s]) : "";
  }
  report_script_texts(&sheet->script, "names", c->n_curves, names);
  report_script_reals(&sheet->script, "styles", c->n_curves, styles);
  report_script_reals(&sheet->script, "variants", c->n_curves, dashes);
  report_script_texts(&sheet->script, "heads", c->n_steps, heads);
  report_script_text(&sheet->script, "x_label", x_label);
  report_script_text(&sheet->script, "y_label", y_label);
  tell_axis(sheet, c, 1);
  tell_axis(sheet, c, 0);
  const int rows = (c->n_steps + 1) / 2, foot = (c->n_curves + 2) / 3;
  if (sheet->report->width_mm > 0) {
    const double width = sheet->report->width_mm / 10;
    const int is_narrow = sheet->report->width_mm < REPORT_NARROW_MM;
    sheet->script.size[0] = width;
    sheet->script.size[1] = PRINT_ROW * (is_narrow ? c->n_steps : rows) +
                            PRINT_LINE * (is_narrow ? c->n_curves : foot) + PRINT_EDGE;
    return;
  }
  sheet->script.size[0] = 17;
  sheet->script.size[1] = (rows > 1 || c->n_steps > 1 ? 6.2 * rows : 9) + 1.6 + 0.45 * foot;
}

static int draw(struct report *report, const struct bench_figure *study, struct chart *c, int block,
                struct bench_table *table) {
  struct base_arena *arena = report->arena;
  const struct bench_sweep *sweep = c->sweep;
  int status = arrange(c, arena);
  int values = 0;
  for (int i = 1; i < c->n; ++i) {
    values += c->points[i].x != c->points[0].x;
  }
  if (status != BASE_OK || values == 0 || c->n_curves == 0) {
    return status == BASE_FAILED
               ? base_fail(BASE_E_INPUT, "study parameter, x = %s: %s", sweep->x, base_message())
               : BASE_OK; /* no sweep */
  }
  const struct report_record *r = c->points[0].r;
  const struct bench_field *field = bench_field_find(sweep->y);
  const int is_plain = c->has_variants || c->points[0].variant[0] == '\0';
  const struct report_row row = {
      .id = base_name_clean(base_arena_printf(arena, "%s-%s-%s%s%s", sweep->y, sweep->x,
                                              r->case_name, is_plain ? "" : "-",
                                              is_plain ? "" : c->points[0].variant),
                            arena),
      .title = base_arena_printf(arena, "%s%s%s", r->case_name, is_plain ? "" : ", ",
                                 is_plain ? "" : c->points[0].variant)};
  struct report_sheet sheet;
  status = report_sheet_begin(&sheet, report, study, &row);
  sheet.title = base_arena_printf(arena, "%s against %s: %s", sweep->y, sweep->x, row.title);
  if (c->left_out > 0) {
    sheet.caption = base_arena_printf(arena,
                                      "%s Without a point: %d of %d runs, which did not reach "
                                      "the horizon or have no such number.",
                                      study->caption, c->left_out, c->n);
  }
  status = status != BASE_OK ? status : write_curves(&sheet, c);
  tell(&sheet, c, axis_of(arena, sweep->x, unit_of(r, block, sweep->x, arena)),
       axis_of(arena, sweep->y, field != NULL ? field->key.unit : ""));
  for (int i = 0; i < c->n; ++i) {
    const struct point *p = &c->points[i];
    bench_table_row(table, "tttntntntt", row.title, form_get(p->r->form)->name, p->variant,
                    p->r->dt, sweep->x, p->x, sweep->y, p->y, base_status_name(p->r->status),
                    p->r->name);
  }
  return status != BASE_OK ? status : report_sheet_finish(&sheet);
}

int report_parameter_make(struct report *report, const struct bench_figure *study) {
  struct bench_table *table = bench_table_headed(
      report->arena,
      "case,formulation,variant,dt [s],parameter,value,quantity,measured,status,record");
  const int n_sweeps = report->suite != NULL ? report->suite->n_sweeps : 0;
  int status = BASE_OK;
  for (int k = 0; k < n_sweeps && status == BASE_OK; ++k) {
    struct chart *chart = base_arena_push(report->arena, sizeof *chart);
    const int block = block_of(report, report->suite->sweeps[k].x);
    char *taken = base_arena_push(report->arena, (size_t)report->n_records + 1);
    *chart = (struct chart){.sweep = &report->suite->sweeps[k]};
    chart->points =
        base_arena_push(report->arena, (size_t)report->n_records * sizeof(struct point));
    if (block < 0) {
      fprintf(stderr, "study parameter: no record has a number '%s'\n", chart->sweep->x);
    }
    for (int i = 0; i < report->n_records && block >= 0 && status == BASE_OK; ++i) {
      if (!taken[i]) {
        collect(report, i, block, taken, chart);
        status = chart->n > 0 ? draw(report, study, chart, block, table) : BASE_OK;
      }
    }
  }
  return status != BASE_OK || n_sweeps == 0 ? status
                                            : report_write_table(report, "parameter", table);
}
