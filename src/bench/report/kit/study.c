/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Studies from their description; see study.h. A slope is that of log y over log x, the first
 * column, by least squares (la/statistics.h), without what lies at or below the column's floor; no
 * number where fewer than POINTS_MIN points are left.
 */
#include "bench/report/kit/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "la/statistics.h"

int report_has_errors(const struct report_record *r) {
  return r->status == BASE_OK || r->status == BASE_UNCONVERGED;
}

int report_sheet_begin(struct report_sheet *sheet, struct report *report,
                       const struct report_study *study, const struct report_row *row) {
  struct base_arena *arena = report->arena;
  const char *name = study->name;
  *sheet = (struct report_sheet){
      .report = report,
      .study = name,
      .id = row != NULL ? base_arena_printf(arena, "study-%s-%s", name, row->id)
                        : base_arena_printf(arena, "study-%s", name),
      .title =
          row != NULL ? base_arena_printf(arena, "%s: %s", study->title, row->title) : study->title,
      .caption = study->caption,
      .script = {.arena = arena}};
  return case_plot_init(&sheet->plot,
                        base_arena_printf(arena, "%s/%s/%s", report->output,
                                          report_figures_folder(report), sheet->id),
                        arena);
}

int report_sheet_finish(struct report_sheet *s) {
  struct report *report = s->report;
  struct base_arena *arena = report->arena;
  if (s->plot.n_tables == 0) {
    return BASE_OK; /* nothing to show, so no empty plot */
  }
  report_script_names(&s->script, "present", s->plot.n_tables, s->plot.tables);
  s->drawing = report_draw_begin(
      report, s->id, s->title,
      s->drawn_by != NULL ? s->drawn_by : base_arena_printf(arena, "scripts/plot/%s.gp", s->study),
      &s->script);
  struct report_sheet *kept = base_arena_push(arena, sizeof *kept);
  *kept = *s;
  struct report_sheet **last = &report->sheets;
  while (*last != NULL) {
    last = &(*last)->next;
  }
  *last = kept;
  return BASE_OK;
}

/* What came of a drawing. */
static int conclude(struct report *report, const struct report_sheet *s) {
  const int drawn = report_draw_end(report, s->drawing);
  if (drawn != BASE_OK && drawn != BASE_FAILED) {
    return drawn;
  }
  const char *reason = drawn == BASE_OK ? "" : base_arena_copy(report->arena, base_message());
  report->n_failed += drawn != BASE_OK;
  printf("%-14s %-6s %s%s%s\n", s->study, drawn == BASE_OK ? "ok" : "FAILED", s->title,
         drawn == BASE_OK ? "" : ": ", reason);
  cJSON *json = cJSON_CreateObject();
  cJSON_AddStringToObject(json, "study", s->study);
  cJSON_AddStringToObject(json, "id", s->id);
  cJSON_AddStringToObject(json, "title", s->title);
  cJSON_AddStringToObject(json, "caption", s->caption);
  cJSON_AddStringToObject(json, "status", drawn == BASE_OK ? "ok" : "failed");
  cJSON_AddStringToObject(json, "reason", reason);
  cJSON *tables = cJSON_AddArrayToObject(json, "tables");
  for (int i = 0; i < s->plot.n_tables; ++i) {
    cJSON_AddItemToArray(tables, cJSON_CreateString(s->plot.tables[i]));
  }
  cJSON_AddItemToArray(report->studies, json);
  return BASE_OK;
}

int report_sheets_conclude(struct report *report) {
  int status = BASE_OK;
  for (const struct report_sheet *s = report->sheets; s != NULL && status == BASE_OK; s = s->next) {
    status = conclude(report, s);
  }
  return status;
}

/* The table of a formulation while it grows. values: room for a row of every record. */
struct table {
  int n, cols;
  double *values;
  const struct report_record **records;
};

static double value_of(const struct report_column *column, const struct report_record *r) {
  return column->value != NULL ? column->value(r) : base_json_real_at(r->json, column->path);
}

/* number: of the case, from 1 on, where it is a column; 0: it is none. */
static void add_row(struct table *table, const struct report_study *study,
                    const struct report_row *row, int number, const struct report_record *r) {
  double *value = table->values + (long)table->n * table->cols;
  if (number > 0) {
    *value++ = number;
  }
  for (const struct report_column *c = study->columns; c->title != NULL; ++c) {
    *value++ = value_of(c, r);
  }
  if (study->place != NULL) {
    study->place(row, r->form, value);
  }
  table->records[table->n++] = r;
}

/* Two points have a slope whatever they are. */
enum { POINTS_MIN = 3 };

static void note_slopes(struct report *report, const struct report_study *study,
                        const struct report_row *row, int form, const struct table *table) {
  double *x = base_arena_doubles(report->arena, table->n);
  double *y = base_arena_doubles(report->arena, table->n);
  for (int j = 0; study->columns[j].title != NULL; ++j) {
    const struct report_column *column = &study->columns[j];
    int at_floor = 0;
    if (column->slope == NULL || form_get(form)->chooses_steps) {
      continue;
    }
    for (int i = 0; i < table->n; ++i) {
      const double floor = column->floor != NULL ? column->floor(table->records[i]) : 0;
      const double *values = table->values + (long)i * table->cols;
      const int is_floor = values[j] <= floor;
      x[i] = values[0];
      y[i] = is_floor ? NAN : values[j];
      at_floor += is_floor;
    }
    const struct la_power fit = la_fit_power(table->n, x, y);
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "row", row->title);
    cJSON_AddStringToObject(json, "formulation", form_get(form)->name);
    cJSON_AddStringToObject(json, "quantity", column->slope);
    base_json_add_real(json, "slope", fit.points >= POINTS_MIN ? fit.p : NAN);
    base_json_add_real(json, "spread", fit.spread);
    base_json_add_real(json, "points", fit.points);
    base_json_add_real(json, "at_floor", at_floor);
    cJSON_AddItemToArray(report->slopes, json);
  }
}

/* A sentence in front of a study's caption; the caption alone where it is "". */
const char *report_study_caption(const struct report *report, const struct report_study *study,
                                 const char *sentence) {
  return sentence[0] == '\0' ? study->caption
                             : base_arena_printf(report->arena, "%s %s", sentence, study->caption);
}

/* The slopes of a row's first quantity. */
static const char *tell_slopes(const struct report *report, const struct report_study *study,
                               const struct report_row *row) {
  const char *quantity = NULL, *orders = "";
  for (const struct report_column *c = study->columns; c->title != NULL && quantity == NULL; ++c) {
    quantity = c->slope;
  }
  const cJSON *fit;
  cJSON_ArrayForEach(fit, report->slopes) {
    const double slope = base_json_real_at(fit, "slope");
    if (quantity != NULL && isfinite(slope) &&
        strcmp(base_json_text_at(fit, "quantity"), quantity) == 0 &&
        strcmp(base_json_text_at(fit, "row"), row->title) == 0) {
      orders = base_arena_printf(
          report->arena, "%s%s%s %.2f", orders, orders[0] != '\0' ? ", " : "Orders in dt, fitted: ",
          base_json_text_at(fit, "formulation"), fabs(slope) < 0.005 ? 0 : slope); /* no "-0.00" */
    }
  }
  return orders[0] != '\0' ? base_arena_printf(report->arena, "%s.", orders) : "";
}

/* What n rows show. */
static const char *shown(const struct report *report, const struct report_study *study, int n,
                         const struct report_row *rows) {
  return study->conclude != NULL ? study->conclude(report, n, rows)
         : n == 1                ? tell_slopes(report, study, rows)
                                 : "";
}

static const char *head_of(const struct report_study *study, struct base_arena *arena) {
  const char *head = study->of_all_cases ? "row" : "";
  for (const struct report_column *c = study->columns; c->title != NULL; ++c) {
    head = base_arena_printf(arena, "%s%s%s", head, head[0] != '\0' ? " " : "", c->title);
  }
  return study->beside != NULL ? base_arena_printf(arena, "%s %s", head, study->beside) : head;
}

static int count_columns(const struct report_study *study) {
  int cols = study->of_all_cases;
  while (study->columns[cols - study->of_all_cases].title != NULL) {
    ++cols;
  }
  for (const char *c = study->beside; c != NULL; c = strchr(c + 1, ' ')) {
    ++cols;
  }
  return cols;
}

/* The record that stands for a formulation in a row. */
static const struct report_record *one_of(const struct report_study *study,
                                          const struct report_row *row, int form) {
  return study->of_searches ? report_search_of(row, form) : report_best(row, form);
}

/* All plots of a study with one a case, as small panels. */
struct multiples {
  struct report_sheet sheet;
  int n; /* panels */
  const char **titles;
  double *strips, *lowest; /* of each: strip.at, strip.lo */
};
struct grid {
  int abreast;
  double wide, high, head, foot; /* of a panel; above and below all [cm] */
};

/* Of n panels: on screen, and in print wide and narrow, where the legend has three columns and one
 * and many rows are lower, to fit a page. */
static struct grid grid_of(const struct report *report, int n) {
  static const double LINE = 0.34, EDGE = 0.25, LEAST = 1.9; /* [cm] */
  const double width = report->width_mm / 10;
  const int forms = form_count();
  const int rows = (forms + 2) / 3;
  if (width <= 0) {
    return (struct grid){5, 5.2, 4.2, 1.2, 3.4};
  }
  struct grid grid = report->width_mm < REPORT_NARROW_MM
                         ? (struct grid){3, width / 3, 2.5, 0.1, 2 * EDGE + LINE * forms}
                         : (struct grid){5, width / 5, 3.1, 0.1, EDGE + LINE * rows};
  const int high = (n + grid.abreast - 1) / grid.abreast;
  grid.high = fmin(grid.high, fmax(LEAST, (REPORT_PAGE_CM - grid.head - grid.foot) / high));
  return grid;
}

static int begin_multiples(struct report *report, const struct report_study *study, int rows,
                           struct multiples *m) {
  *m = (struct multiples){
      .titles = base_arena_push(report->arena, (size_t)(rows + 1) * sizeof *m->titles),
      .strips = base_arena_doubles(report->arena, rows + 1),
      .lowest = base_arena_doubles(report->arena, rows + 1)};
  const int status = report_sheet_begin(&m->sheet, report, study, NULL);
  m->sheet.drawn_by = "scripts/plot/multiples.gp";
  return status;
}

/* Drawn where there is more than one panel. */
static int finish_multiples(const struct report_study *study, struct multiples *m) {
  struct report_script *script = &m->sheet.script;
  if (m->n < 2) {
    return BASE_OK;
  }
  const struct grid grid = grid_of(m->sheet.report, m->n);
  const int rows = (m->n + grid.abreast - 1) / grid.abreast;
  script->size[0] = grid.abreast * grid.wide;
  script->size[1] = grid.head + rows * grid.high + grid.foot;
  report_script_real(script, "abreast", grid.abreast);
  report_script_real(script, "head", grid.head / script->size[1]);
  report_script_real(script, "foot", grid.foot / script->size[1]);
  report_script_real(script, "panels", m->n);
  report_script_texts(script, "panel_titles", m->n, m->titles);
  report_script_reals(script, "strips", m->n, m->strips);
  report_script_reals(script, "strip_los", m->n, m->lowest);
  report_script_text(script, "x_label", study->x_label);
  report_script_text(script, "y_label", study->y_label);
  return report_sheet_finish(&m->sheet);
}

/* A plot of n rows: of all cases, or of one, which then is a panel of the multiples (NULL: there
 * are none), too. */
static int draw_sheet(struct report *report, const struct report_study *study, int n,
                      const struct report_row *rows, struct multiples *multiples) {
  struct report_sheet sheet;
  struct base_arena *arena = report->arena;
  const int is_all = study->of_all_cases;
  const struct report_row *row = is_all ? NULL : rows;
  const int most = is_all ? n : rows->n;
  struct table table = {.cols = count_columns(study)};
  int status = report_sheet_begin(&sheet, report, study, row);
  table.values = base_arena_matrix(arena, table.cols, most);
  table.records = base_arena_push(arena, (size_t)most * sizeof(const struct report_record *));
  for (int form = 0; form < form_count() && status == BASE_OK; ++form) {
    table.n = 0;
    for (int k = 0; k < most; ++k) {
      const struct report_record *r = is_all ? one_of(study, &rows[k], form) : rows->records[k];
      if (r != NULL && r->form == form && study->filter(r)) {
        add_row(&table, study, is_all ? &rows[k] : rows, is_all ? k + 1 : 0, r);
      }
    }
    if (table.n > 0 && table.n >= study->points) {
      if (!is_all) { /* the points of one case, from step to step */
        note_slopes(report, study, rows, form, &table);
      }
      const char *name = form_get(form)->name, *head = head_of(study, arena);
      status = case_plot_table(&sheet.plot, name, head, table.n, table.cols, table.values);
      if (status == BASE_OK && multiples != NULL) {
        status = case_plot_table(&multiples->sheet.plot,
                                 base_arena_printf(arena, "%d-%s", multiples->n + 1, name), head,
                                 table.n, table.cols, table.values);
      }
    }
  }
  if (is_all) {
    const char **titles = base_arena_push(arena, (size_t)n * sizeof *titles);
    for (int k = 0; k < n; ++k) {
      titles[k] = rows[k].title;
    }
    report_script_real(&sheet.script, "rows", n);
    report_script_labels(&sheet.script, "labels", n, titles);
  }
  const struct report_strip strip =
      study->strip != NULL ? study->strip(rows) : (struct report_strip){0};
  if (study->strip != NULL) {
    report_script_real(&sheet.script, "strip", strip.at);
    report_script_real(&sheet.script, "strip_lo", strip.lo);
    report_script_real(&sheet.script, "strip_hi", strip.hi);
  }
  if (multiples != NULL && sheet.plot.n_tables > 0) {
    multiples->strips[multiples->n] = strip.at;
    multiples->lowest[multiples->n] = strip.lo;
    multiples->titles[multiples->n++] = rows->title;
  }
  if (study->tell != NULL) {
    study->tell(&sheet, row);
  }
  sheet.caption = report_study_caption(report, study, shown(report, study, n, rows));
  return status != BASE_OK ? status : report_sheet_finish(&sheet);
}

int report_study_draw(struct report *report, const struct report_study *study) {
  if (study->make != NULL) {
    return study->make(report, study);
  }
  const struct report_row *rows = study->of_searches ? report->searches : report->rows;
  const int n = study->of_searches ? report->n_searches : report->n_rows;
  if (n == 0) {
    return BASE_OK;
  }
  int status = study->also != NULL ? study->also(report) : BASE_OK;
  if (status == BASE_OK && study->of_all_cases) {
    return draw_sheet(report, study, n, rows, NULL);
  }
  struct multiples multiples;
  const int has_multiples = study->x_label != NULL;
  if (status == BASE_OK && has_multiples) {
    status = begin_multiples(report, study, n, &multiples);
    multiples.sheet.caption =
        report_study_caption(report, study, n > 1 ? shown(report, study, n, rows) : "");
  }
  for (int k = 0; k < n && status == BASE_OK; ++k) {
    status = draw_sheet(report, study, 1, &rows[k], has_multiples ? &multiples : NULL);
  }
  return status == BASE_OK && has_multiples ? finish_multiples(study, &multiples) : status;
}
