/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Studies from their description; see study.h. A slope is that of log y over log dt by least
 * squares; no number where fewer than POINTS_MIN points are left.
 */
#include "bench/report/kit/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "form/form.h"

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

/* Two points have a slope whatever they are. */
enum { POINTS_MIN = 3 };

/* Fits of all formulations of a plot, but of those without an order in dt. */
static int note_slopes(struct report *report, const struct report_study *study,
                       const struct report_row *row, struct frame *points) {
  const cJSON *slope;
  cJSON_ArrayForEach(slope, base_json_at(study->json, "slopes")) {
    const char *quantity = cJSON_GetStringValue(cJSON_GetArrayItem(slope, 0));
    const struct frame *fits = report_query(
        points, base_arena_printf(report->arena,
                                  "[{\"filter\": \"chooses_steps<1\"}, {\"regression\": \"%s\","
                                  " \"on\": \"dt\", \"groupby\": [\"form\"]}]",
                                  cJSON_GetStringValue(cJSON_GetArrayItem(slope, 1))));
    if (fits == NULL) {
      return BASE_E_INPUT;
    }
    for (long i = 0; i < fits->n_rows; ++i) {
      const double n = report_real(fits, i, "points");
      cJSON *json = cJSON_CreateObject();
      cJSON_AddStringToObject(json, "row", row->title);
      cJSON_AddStringToObject(json, "formulation",
                              form_get((int)report_real(fits, i, "form"))->name);
      cJSON_AddStringToObject(json, "quantity", quantity);
      base_json_add_real(json, "slope", n >= POINTS_MIN ? report_real(fits, i, "slope") : NAN);
      base_json_add_real(json, "spread", report_real(fits, i, "spread"));
      base_json_add_real(json, "points", n);
      cJSON_AddItemToArray(report->slopes, json);
    }
  }
  return BASE_OK;
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
  const cJSON *first = cJSON_GetArrayItem(base_json_at(study->json, "slopes"), 0);
  const char *quantity = cJSON_GetStringValue(cJSON_GetArrayItem(first, 0)), *orders = "";
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
  return study->with->conclude != NULL ? study->with->conclude(report, n, rows)
         : n == 1                      ? tell_slopes(report, study, rows)
                                       : "";
}

static int is_of_all(const struct report_study *study) {
  return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(study->json, "all_cases"));
}

static int is_of_searches(const struct report_study *study) {
  return strcmp(base_json_text_at(study->json, "stands"), "search") == 0;
}

/* The points of a plot: of its runs, or of those that stand for them, what the study's transforms
 * leave; of formulations with enough of them. NULL with a message. */
static struct frame *points_of(const struct report_study *study, struct frame *all) {
  static const char first[] =
      "[{\"pick\": \"max\", \"field\": \"dt\", \"groupby\": [\"row\", \"form\"]}]";
  struct frame *f = !is_of_all(study)       ? all
                    : is_of_searches(study) ? report_query(all, first)
                                            : report_best(all);
  const cJSON *transforms = cJSON_GetObjectItemCaseSensitive(study->json, "transform");
  if (f == NULL || frame_transform(&f, transforms, study->name) != BASE_OK) {
    return NULL;
  }
  const double least = base_json_real_at(study->json, "points");
  f = report_query(
      f, base_arena_printf(f->arena,
                           "[{\"joinaggregate\": [{\"op\": \"count\", \"as\": \"points\"}],"
                           " \"groupby\": [\"form\"]}, {\"filter\": \"points>=%g\"}]",
                           isnan(least) ? 1 : least));
  return f == NULL || (study->with->add != NULL && study->with->add(f) != BASE_OK) ? NULL : f;
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
  report_script_text(script, "x_label", base_json_text_at(study->json, "x"));
  report_script_text(script, "y_label", base_json_text_at(study->json, "y"));
  return report_sheet_finish(&m->sheet);
}

/* A table a formulation of the points; in the multiples (NULL: there are none), too. */
static int put_tables(struct report_sheet *sheet, const struct report_study *study,
                      const struct frame *points, struct multiples *multiples) {
  struct base_arena *arena = sheet->report->arena;
  const cJSON *columns = base_json_at(study->json, "columns"), *column;
  const int is_all = is_of_all(study), cols = cJSON_GetArraySize(columns) + is_all;
  double *values =
      base_arena_array(arena, (size_t)points->n_rows + 1, (size_t)cols, sizeof *values);
  const char *head = is_all ? "row" : "";
  cJSON_ArrayForEach(column, columns) {
    head = base_arena_printf(arena, "%s%s%s", head, head[0] != '\0' ? " " : "",
                             cJSON_GetStringValue(cJSON_GetArrayItem(column, 0)));
  }
  int status = BASE_OK;
  for (int form = 0; form < form_count() && status == BASE_OK; ++form) {
    int n = 0;
    for (long i = 0; i < points->n_rows; ++i) {
      if (report_real(points, i, "form") != form) {
        continue;
      }
      double *value = values + (long)n++ * cols;
      *value = report_real(points, i, "row");
      value += is_all;
      cJSON_ArrayForEach(column, columns) {
        *value++ = report_real(points, i, cJSON_GetStringValue(cJSON_GetArrayItem(column, 1)));
      }
    }
    const char *name = form_get(form)->name;
    status = n > 0 ? case_plot_table(&sheet->plot, name, head, n, cols, values) : BASE_OK;
    if (n > 0 && status == BASE_OK && multiples != NULL) {
      status = case_plot_table(&multiples->sheet.plot,
                               base_arena_printf(arena, "%d-%s", multiples->n + 1, name), head, n,
                               cols, values);
    }
  }
  return status;
}

/* Where errors far below all others are drawn, in the plot and in its panel. */
static void tell_strip(struct report_sheet *sheet, const struct report_study *study,
                       const struct frame *points, struct multiples *multiples) {
  struct report_strip strip = {0};
  if (study->with->strip != NULL) {
    strip = study->with->strip(points);
    report_script_real(&sheet->script, "strip", strip.at);
    report_script_real(&sheet->script, "strip_lo", strip.lo);
    report_script_real(&sheet->script, "strip_hi", strip.hi);
  }
  if (multiples != NULL) {
    multiples->strips[multiples->n] = strip.at;
    multiples->lowest[multiples->n] = strip.lo;
  }
}

/* A plot of n rows: of all cases, or of one, which then is a panel of the multiples (NULL: there
 * are none), too. */
static int draw_sheet(struct report *report, const struct report_study *study, int n,
                      const struct report_row *rows, struct multiples *multiples) {
  struct report_sheet sheet;
  const int is_all = is_of_all(study);
  struct frame *all = report_frame(report, n, rows), *points = points_of(study, all);
  int status = points != NULL ? report_sheet_begin(&sheet, report, study, is_all ? NULL : rows)
                              : BASE_E_INPUT;
  status = status != BASE_OK ? status : put_tables(&sheet, study, points, multiples);
  status = status != BASE_OK || is_all ? status : note_slopes(report, study, rows, points);
  if (status != BASE_OK) {
    return status;
  }
  if (is_all) {
    const char **titles = base_arena_push(report->arena, (size_t)n * sizeof *titles);
    for (int k = 0; k < n; ++k) {
      titles[k] = rows[k].title;
    }
    report_script_real(&sheet.script, "rows", n);
    report_script_labels(&sheet.script, "labels", n, titles);
  }
  tell_strip(&sheet, study, points, multiples);
  if (multiples != NULL && sheet.plot.n_tables > 0) {
    multiples->titles[multiples->n++] = rows->title;
  }
  if (study->with->tell != NULL) {
    status = study->with->tell(&sheet, all, points);
  }
  sheet.caption = report_study_caption(report, study, shown(report, study, n, rows));
  return status != BASE_OK ? status : report_sheet_finish(&sheet);
}

int report_study_draw(struct report *report, const struct report_study *study) {
  if (study->with->make != NULL) {
    return study->with->make(report, study);
  }
  const int is_searched = is_of_searches(study);
  const struct report_row *rows = is_searched ? report->searches : report->rows;
  const int n = is_searched ? report->n_searches : report->n_rows;
  if (n == 0) {
    return BASE_OK;
  }
  int status = study->with->also != NULL ? study->with->also(report) : BASE_OK;
  if (status == BASE_OK && is_of_all(study)) {
    return draw_sheet(report, study, n, rows, NULL);
  }
  struct multiples multiples;
  const int has_multiples = cJSON_GetObjectItemCaseSensitive(study->json, "x") != NULL;
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
