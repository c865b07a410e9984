/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Drawings of studies; see study.h.
 */
#include "bench/report/kit/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "form/form.h"

/* A plot of a study, being made: its tables, and what the script is told beside. */
struct report_sheet {
  struct report *report;
  const struct bench_figure *study;
  const char *id, *title, *says, *caption;
  struct report_script script;
  struct case_plot plot;
  struct report_drawing *drawing;
  struct report_sheet *next;
};

/* An id that no drawing before has: facets may differ in what files are not named by. */
static const char *own_id(const struct report *report, const char *id) {
  const char *own = id;
  int number = 1;
  for (const struct report_sheet *s = report->sheets; s != NULL;) {
    const int is_taken = strcmp(s->id, own) == 0;
    own = is_taken ? base_arena_printf(report->arena, "%s.%d", id, ++number) : own;
    s = is_taken ? report->sheets : s->next;
  }
  return own;
}

/* of: the value of its facet; NULL: of all. */
static int begin_sheet(struct report_sheet *sheet, struct report *report,
                       const struct bench_figure *study, const char *of) {
  enum { OF_MAX = 160 }; /* bytes; the name of a file may have 255 */
  struct base_arena *arena = report->arena;
  const char *name = base_arena_printf(arena, "study-%s", study->id);
  if (of != NULL) {
    name = base_arena_printf(arena, "%s-%s", name,
                             base_name_clean(base_text_cut(of, OF_MAX, arena), arena));
  }
  *sheet = (struct report_sheet){
      .report = report,
      .study = study,
      .id = own_id(report, name),
      .title = of != NULL ? base_arena_printf(arena, "%s: %s", study->title, of) : study->title,
      .says = "",
      .caption = study->caption,
      .script = {.arena = arena}};
  return case_plot_init(&sheet->plot,
                        base_arena_printf(arena, "%s/%s/%s", report->output,
                                          report_figures_folder(report), sheet->id),
                        arena);
}

/* Begin to draw it, its tables written. */
static void finish_sheet(const struct report_sheet *s) {
  struct report *report = s->report;
  struct report_sheet *kept = base_arena_push(report->arena, sizeof *kept);
  *kept = *s;
  kept->drawing = report_draw_begin(report, s->id, s->title, "scripts/plot/panels.gp", &s->script);
  struct report_sheet **last = &report->sheets;
  while (*last != NULL) {
    last = &(*last)->next;
  }
  *last = kept;
}

/* What came of a drawing, "ok", "failed" or "empty", is said and noted for the page. */
static cJSON *note_sheet(const struct report_sheet *s, const char *status, const char *reason) {
  printf("%-14s %-6s %s%s%s\n", s->study->id, strcmp(status, "failed") == 0 ? "FAILED" : status,
         s->title, reason[0] != '\0' ? ": " : "", reason);
  cJSON *json = cJSON_CreateObject();
  base_json_add_texts(json, "study", s->study->id, "of", s->study->title, "id", s->id, "title",
                      s->title, "says", s->says, "caption", s->caption, "status", status, "reason",
                      reason, (char *)NULL);
  report_add_files(json, s->report, s->id, &s->plot);
  cJSON_AddItemToArray(s->report->studies, json);
  return json;
}

static int conclude(struct report *report, const struct report_sheet *s) {
  int drawn = report_draw_end(report, s->drawing);
  if (drawn != BASE_OK && drawn != BASE_FAILED) {
    return drawn;
  }
  if (drawn == BASE_OK && s->plot.n_failed > 0) {
    drawn = base_fail(BASE_FAILED, "%d of its values failed", s->plot.n_failed);
  }
  report->n_failed += drawn != BASE_OK;
  cJSON *json = drawn == BASE_OK
                    ? note_sheet(s, "ok", "")
                    : note_sheet(s, "failed", base_arena_copy(report->arena, base_message()));
  if (s->plot.n_checks > 0) {
    report_print_checks(s->study->id, &s->plot);
    bench_plot_to_json(&s->plot, json);
  }
  return BASE_OK;
}

int report_sheets_conclude(struct report *report) {
  int status = BASE_OK;
  for (const struct report_sheet *s = report->sheets; s != NULL && status == BASE_OK; s = s->next) {
    status = conclude(report, s);
  }
  return status;
}

static int write_csv(const struct report *report, const char *name, const struct frame *f) {
  const char *path = base_arena_printf(report->arena, "%s/report/%s.csv", report->output, name);
  const char **columns = frame_names(f, report->arena);
  unlink(path);
  return bench_table_append(&(struct bench_table){f, f->n_columns, columns, columns}, path);
}

int report_write_tables(const struct report *report, const struct figure_study *made) {
  const struct bench_figure *study = made->figure->file;
  const char *words = study->words != NULL ? study->words : "";
  const cJSON *name;
  int status = BASE_OK;
  cJSON_ArrayForEach(name, base_json_at(study->json, "csv")) {
    const struct frame *f = figure_study_table(made, cJSON_GetStringValue(name));
    const char *file = base_arena_printf(report->arena, "%s%s", name->string, words);
    status = f == NULL ? BASE_E_INPUT
             : status == BASE_OK && f->n_rows > 0
                 ? write_csv(report, base_name_clean(file, report->arena), f)
                 : status;
  }
  return status;
}

/* The caption, its gaps filled with the values of the study; one that has no number is an error.
 * The first drawing keeps the values, to be told once. */
static int fill_caption(struct report_sheet *sheet, int is_first) {
  const char *missing;
  sheet->caption =
      bench_figure_fill_from(sheet->report->arena, sheet->caption, &sheet->plot, &missing);
  if (!is_first) {
    sheet->plot.n_checks = sheet->plot.n_failed = 0;
  }
  return missing == NULL ? BASE_OK
                         : base_fail(BASE_E_INPUT, "%s: key 'caption': has no number for {%s}",
                                     sheet->study->path, missing);
}

/* A drawing without rows: no folder of it stays; of a study that a suite asks for it is said
 * (told). */
static void leave_empty(const struct report_sheet *s, int told) {
  rmdir(s->plot.folder);
  if (told) {
    note_sheet(s, "empty", "no record here has what it shows");
  }
}

/* facet: -1 for all rows. is_first: of the drawings of the study. */
static int draw_sheet(struct report *report, const struct figure_study *made, int facet,
                      int is_first) {
  const struct bench_figure *study = made->figure->file;
  const char *of = facet >= 0 ? frame_value_text(&made->facets[facet], report->arena) : NULL;
  struct report_sheet sheet;
  struct figure drawn;
  int status = begin_sheet(&sheet, report, study, of);
  status = status != BASE_OK ? status : figure_study_draw(made, facet, &sheet.plot, &drawn);
  if (status == BASE_OK && sheet.plot.n_tables == 0) {
    leave_empty(&sheet, facet < 0 && report->suite != NULL);
  }
  if (status != BASE_OK || sheet.plot.n_tables == 0) {
    return status;
  }
  const char *sentence = figure_study_says(made, facet);
  if (sentence == NULL) {
    return BASE_E_INPUT;
  }
  sheet.says = sentence;
  sheet.caption = base_arena_printf(report->arena, "%s%s%s", sentence,
                                    sentence[0] != '\0' ? " " : "", study->caption);
  report_panels(&sheet.script, &drawn, NULL, report->width_mm);
  status = figure_study_judge(made, &sheet.plot);
  status = status != BASE_OK ? status : fill_caption(&sheet, is_first);
  if (status == BASE_OK) {
    finish_sheet(&sheet);
  }
  return status;
}

int report_study_draw(struct report *report, const struct bench_figure *study) {
  const struct figure_study *made = report_study_tables(report, study);
  int status = made != NULL ? report_write_tables(report, made) : BASE_E_INPUT;
  const int n = status == BASE_OK ? made->n_facets : 0;
  const int is_together = n > 1 && n <= FIGURE_FACETS_MOST && made->figure->abreast > 0;
  const int has_all = n == 0 || (is_together && figure_study_divided(made, "column") == NULL);
  if (status == BASE_OK && has_all) {
    status = draw_sheet(report, made, -1, 1);
  }
  for (int i = 0; i < n && status == BASE_OK; ++i) {
    status = draw_sheet(report, made, i, i == 0 && !has_all);
  }
  return status;
}

const struct bench_figure **report_studies_asked(const struct report *report, int *n) {
  const struct bench_suite *suite = report->suite;
  const struct bench_figure *all = NULL;
  *n = suite != NULL ? suite->n_studies : 0;
  if (suite == NULL && (all = bench_studies(n)) == NULL) {
    return NULL;
  }
  const struct bench_figure **asked =
      base_arena_push(report->arena, (size_t)(*n + 1) * sizeof(void *));
  int k = 0;
  for (int i = 0; i < *n; ++i) {
    const struct bench_figure *study = suite != NULL ? suite->studies[i] : &all[i];
    if (!bench_study_has_gaps(study)) {
      asked[k++] = study;
    }
  }
  *n = k;
  return asked;
}

int report_want_studies(struct report *report) {
  int n, status = BASE_OK;
  const struct bench_figure **studies = report_studies_asked(report, &n);
  for (int i = 0; studies != NULL && i < n && status == BASE_OK; ++i) {
    status = report_want(report, studies[i]->json);
  }
  return studies != NULL ? status : BASE_E_INPUT;
}

int report_studies(struct report *report) {
  report->studies = cJSON_CreateArray();
  int status = base_file_make_folder(base_arena_printf(report->arena, "%s/report", report->output));
  int n;
  const struct bench_figure **studies = report_studies_asked(report, &n);
  if (studies == NULL) {
    return BASE_E_INPUT;
  }
  for (int i = 0; i < n && status == BASE_OK; ++i) {
    status = report_study_draw(report, studies[i]);
  }
  return status == BASE_OK ? report_sheets_conclude(report) : status;
}
