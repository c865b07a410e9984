/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The figures of a suite: records into series, these into tables and checks, gnuplot
 * into images, and all of it into the figure's own record, coulombench.figure/2:
 *   { schema, id, case, title, caption, text, status: ok | failed, reason,
 *     verdicts{failed, reproduced, schematic, differs, not stated, reported: counts},
 *     checks[{what, measured, lo, hi, expected, published, verdict, reason, source_lo, source_hi}],
 *     reports[{what, measured, note}], records[names], files[paths] }
 * text is the case's caption, its gaps filled with measured numbers (fill.c); caption is text with
 * all that was measured. A figure whose check fails, or whose caption has a gap without a number,
 * is drawn like any other and marked failed; what differs from the source for the reason given, and
 * by what that reason lets expect, does not fail it.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/data.h"
#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/kit/report.h"

/* " (reproduced: 0.146 (moeller 6.4))", " (differs from 63: what it counts ...)", "". */
static const char *verdict_of(struct base_arena *arena, const struct case_checked *c) {
  const struct case_claim *claim = &c->claim;
  return c->verdict == CASE_FAILED     ? " FAILED"
         : c->verdict == CASE_REPORTED ? " (reported)"
         : c->verdict == CASE_DIFFERS
             ? base_arena_printf(arena, " (differs from: %s; %s)", claim->published, claim->differs)
         : claim->published != NULL
             ? base_arena_printf(arena, " (%s: %s)", case_verdict_names[c->verdict],
                                 claim->published)
             : "";
}

static const char *caption_of(struct base_arena *arena, const char *text,
                              const struct case_plot *plot) {
  const char *caption = base_arena_copy(arena, text);
  for (int i = 0; i < plot->n_checks; ++i) {
    const struct case_checked *c = &plot->checks[i];
    caption = base_arena_printf(arena, "%s%s%s: %.*g%s", caption, i == 0 ? " Measured: " : "; ",
                                c->what, bench_figure_digits(c->claim.lo, c->claim.hi), c->measured,
                                verdict_of(arena, c));
  }
  return plot->n_checks > 0 ? base_arena_printf(arena, "%s.", caption) : caption;
}

void report_print_checks(const char *id, const struct case_plot *plot) {
  for (int i = 0; i < plot->n_checks; ++i) {
    const struct case_checked *c = &plot->checks[i];
    const struct case_claim *claim = &c->claim;
    const int digits = bench_figure_digits(claim->lo, claim->hi);
    const char *verdict = case_verdict_names[c->verdict];
    printf("%-14s %-10s %s: %.*g", id, c->verdict == CASE_FAILED ? "FAILED" : verdict, c->what,
           digits, c->measured);
    if (c->verdict != CASE_REPORTED) {
      printf(" in [%.*g, %.*g]", digits, claim->lo, digits, claim->hi);
    }
    printf("%s%s%s", claim->expected != NULL ? " (" : "",
           claim->expected != NULL ? claim->expected : "", claim->expected != NULL ? ")" : "");
    printf("%s%s", claim->published != NULL ? "; published: " : "",
           claim->published != NULL ? claim->published : "");
    printf("%s%s", claim->differs != NULL ? "; " : "",
           claim->differs != NULL ? claim->differs : "");
    const char *fault = c->verdict == CASE_FAILED ? case_claim_fault(claim) : NULL;
    printf("%s%s\n", fault != NULL ? "; " : "", fault != NULL ? fault : "");
  }
}

static int count_verdicts(const struct case_plot *plot, enum case_verdict verdict) {
  int n = 0;
  for (int i = 0; i < plot->n_checks; ++i) {
    n += plot->checks[i].verdict == verdict;
  }
  return n;
}

void report_add_files(cJSON *json, const struct report *report, const char *id,
                      const struct case_plot *plot) {
  struct base_arena *arena = report->arena;
  const char *folder = report_figures_folder(report);
  cJSON *files = cJSON_AddArrayToObject(json, "files");
  const int drawn = report_terminals(report->width_mm);
  for (int i = 0; i < drawn + plot->n_tables; ++i) {
    const char *path =
        i < drawn ? base_arena_printf(arena, "%s/%s.%s", folder, id, report_terminal_names[i])
                  : base_arena_printf(arena, "%s/%s/%s.dat", folder, id, plot->tables[i - drawn]);
    if (access(base_arena_printf(arena, "%s/%s", report->output, path), R_OK) == 0) {
      cJSON_AddItemToArray(files, cJSON_CreateString(path));
    }
  }
}

/* A figure whose tables are made and whose drawing is under way. */
struct made {
  const struct bench_figure *file;
  const struct figure *figure;
  struct case_parameters *parameters; /* of the case, NULL: there are none, with a message */
  struct case_plot plot;
  const char *reason;             /* why its tables could not be made; NULL: they are */
  struct report_drawing *drawing; /* NULL: there is nothing to draw */
  const char *missing;            /* a record it lacks: nothing is made then */
  cJSON *names;                   /* of its records */
};

/* "": its runs are of several. */
static const char *name_of_case(const struct bench_figure *figure) {
  return figure->type != NULL ? figure->type->name : "";
}

static int begin_figure(struct report *report, int n, const struct case_series *series,
                        struct made *made) {
  struct base_arena *arena = report->arena;
  const struct figure *figure = made->figure;
  const char *id = made->file->id;
  const char *folder =
      base_arena_printf(arena, "%s/%s/%s", report->output, report_figures_folder(report), id);
  const int lacks = made->file->type != NULL && made->parameters == NULL;
  const int status = !lacks ? case_plot_init(&made->plot, folder, arena) : BASE_E_INPUT;
  if (status != BASE_OK) {
    return status;
  }
  base_fail(BASE_FAILED, "its tables could not be made");
  made->reason = figure_make(figure, made->parameters, series, n, &made->plot) != BASE_OK
                     ? base_arena_copy(arena, base_message())
                     : NULL;
  const char *script =
      figure->n_panels > 0 ? "scripts/plot/panels.gp"
      : figure->script != NULL
          ? base_arena_printf(arena, "scripts/plot/%s.gp", figure->script)
          : base_arena_printf(arena, "cases/%s/figures/%s.gp", made->file->type->name, id);
  struct report_script variables = {.arena = arena};
  if (figure->n_panels > 0) {
    report_panels(&variables, figure, folder, report->width_mm);
  }
  if (made->reason == NULL) {
    made->drawing = report_draw_begin(report, id, made->file->title, script, &variables);
  }
  return BASE_OK;
}

/* The record of a figure. reason: why it fails; NULL: it holds, but for what its caption says. */
static cJSON *record_of(struct report *report, const struct bench_figure *figure,
                        const struct case_plot *plot, const char *reason) {
  struct base_arena *arena = report->arena;
  const char *missing;
  const char *text = bench_figure_fill_from(arena, figure->caption, plot, &missing);
  if (reason == NULL && missing != NULL) {
    reason = base_arena_printf(arena, "its caption has no number for {%s}", missing);
  }
  cJSON *json = cJSON_CreateObject();
  base_json_add_texts(
      json, "schema", BENCH_FIGURE_SCHEMA, "id", figure->id, "case", name_of_case(figure), "title",
      figure->title, "caption", caption_of(arena, text, plot), "text", text, "status",
      reason == NULL ? "ok" : "failed", "reason", reason != NULL ? reason : "", (char *)NULL);
  bench_plot_to_json(plot, json);
  report_add_files(json, report, figure->id, plot);
  return json;
}

static cJSON *end_figure(struct report *report, const struct made *made) {
  struct base_arena *arena = report->arena;
  const struct case_plot *plot = &made->plot;
  const char *reason = made->reason;
  const int n_reports = count_verdicts(plot, CASE_REPORTED);
  report_print_checks(made->file->id, plot);
  if (made->drawing != NULL && report_draw_end(report, made->drawing) != BASE_OK) {
    reason = base_arena_copy(arena, base_message());
  }
  if (reason == NULL && plot->n_failed > 0) {
    reason = base_arena_printf(arena, "%d of %d checks failed", plot->n_failed,
                               plot->n_checks - n_reports);
  }
  if (reason == NULL && plot->n_checks == n_reports) {
    reason = "it checks nothing";
  }
  return record_of(report, made->file, plot, reason);
}

cJSON *report_figure(struct report *report, const struct figure *figure, int n,
                     const struct case_series *series) {
  struct made made = {.file = figure->file,
                      .figure = figure,
                      .parameters = case_parameters_load(figure->file->type, report->arena)};
  return begin_figure(report, n, series, &made) == BASE_OK ? end_figure(report, &made) : NULL;
}

/* Where the records of a figure's runs are, those kept with the case, too, or `missing`: the first
 * that there is not. */
static int find_records(struct report *report, struct made *made, struct report_reading *readings) {
  const struct figure *figure = made->figure;
  for (int i = 0; i < figure->n_runs; ++i) {
    const char *name = figure->runs[i].cell.place.id;
    const int is_kept = figure->runs[i].run.record[0] != '\0';
    const struct report_record *r = is_kept ? NULL : report_find(report, name);
    cJSON_AddItemToArray(made->names, cJSON_CreateString(name));
    if (!is_kept && r == NULL) {
      made->missing = name;
      return BASE_OK;
    }
    readings[i] = (struct report_reading){.path = is_kept ? base_data_path(report->arena, name)
                                                          : report_path(report, r),
                                          .is_checked = is_kept};
    if (readings[i].path == NULL) {
      return BASE_E_INPUT;
    }
  }
  return BASE_OK;
}

/* Tables and values of a figure from its records, of which nothing stays. */
static int make_of_records(struct report *report, struct made *made,
                           struct report_reading *readings) {
  const struct figure *figure = made->figure;
  const int n = figure->n_runs;
  struct base_arena *arena = base_arena_alloc();
  struct case_series *series = base_arena_push(arena, (size_t)n * sizeof *series);
  int status = BASE_OK;
  report_read(report, n, readings);
  for (int i = 0; i < n && status == BASE_OK; ++i) {
    status = readings[i].json == NULL
                 ? base_fail(BASE_E_INPUT, "%s", readings[i].why)
                 : bench_series_from_record(readings[i].json, figure->runs[i].cell.place.id,
                                            &figure->runs[i].run, arena, &series[i]);
  }
  status = status != BASE_OK ? status : begin_figure(report, n, series, made);
  for (int i = 0; i < n; ++i) {
    cJSON_Delete(readings[i].json);
  }
  base_arena_free(arena);
  return status;
}

static int start_figure(struct report *report, const struct bench_figure *file, struct made *made) {
  struct base_arena *arena = report->arena;
  struct figure *figure = base_arena_push(arena, sizeof *figure);
  *made = (struct made){.file = file, .figure = figure, .names = cJSON_CreateArray()};
  int status = figure_read(file, arena, figure);
  if (status != BASE_OK) {
    return status;
  }
  made->parameters = file->type != NULL ? case_parameters_load(file->type, arena) : NULL;
  struct report_reading *readings =
      base_arena_push(arena, (size_t)figure->n_runs * sizeof *readings);
  status = find_records(report, made, readings);
  return status == BASE_OK && made->missing == NULL ? make_of_records(report, made, readings)
                                                    : status;
}

static int finish_figure(struct report *report, struct made *made, int *failed) {
  const char *id = made->file->id;
  if (made->missing != NULL && report->is_so_far) {
    ++report->n_to_come;
    return BASE_OK;
  }
  cJSON *json =
      made->missing != NULL
          ? record_of(report, made->file, &made->plot,
                      base_arena_printf(report->arena, "record %s.json is missing", made->missing))
          : end_figure(report, made);
  cJSON_AddItemToObject(json, "records", made->names);
  made->names = NULL;
  const int ok = strcmp(base_json_text_at(json, "status"), "ok") == 0;
  *failed += !ok;
  printf("%-14s %-6s %s%s%s\n", id, ok ? "ok" : "FAILED", made->file->title, ok ? "" : ": ",
         base_json_text_at(json, "reason"));
  cJSON_AddItemToArray(report->figures, json);
  return base_json_write(base_arena_printf(report->arena, "%s/%s/%s.json", report->output,
                                           report_figures_folder(report), id),
                         json);
}

/* How many values of all figures ended how: "12 reproduced, 0 schematic, ...". */
static const char *verdicts_of(const struct report *report) {
  static const enum case_verdict order[CASE_VERDICTS] = {
      CASE_REPRODUCED, CASE_SCHEMATIC, CASE_DIFFERS, CASE_NOT_STATED, CASE_FAILED, CASE_REPORTED};
  const char *line = "";
  for (int i = 0; i < CASE_VERDICTS; ++i) {
    const char *name = case_verdict_names[order[i]];
    const cJSON *figure;
    int n = 0;
    cJSON_ArrayForEach(figure, report->figures) {
      n += (int)base_json_real_at(cJSON_GetObjectItemCaseSensitive(figure, "verdicts"), name);
    }
    line = base_arena_printf(report->arena, "%s%s%d %s", line, i > 0 ? ", " : "", n, name);
  }
  return line;
}

int report_figures(struct report *report, int *failed) {
  report->figures = cJSON_CreateArray();
  int status = BASE_OK;
  const int n = report->suite != NULL ? report->suite->n_figures : 0;
  struct made *made = base_arena_push(report->arena, (size_t)n * sizeof *made);
  int begun = 0;
  while (begun < n && status == BASE_OK) { /* all, and then what came of them, in the same order */
    status = start_figure(report, report->suite->figures[begun], &made[begun]);
    ++begun;
  }
  for (int i = 0; i < begun && status == BASE_OK; ++i) {
    status = finish_figure(report, &made[i], failed);
  }
  for (int i = 0; i < begun; ++i) {
    cJSON_Delete(made[i].names);
  }
  if (n > 0) {
    printf("checks: %s\n", verdicts_of(report));
  }
  return status;
}
