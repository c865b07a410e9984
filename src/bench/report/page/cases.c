/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cases and scenes of the records on the page: a sketch of each, its motion where there is a
 * strip of it, and what it is. Sketches are files beside the page, figures/case-NAME.svg, of the
 * scene as the first of its records has it. What formulations and solvers are, a line each.
 */
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/json/json.h"
#include "base/status.h"
#include "bench/export/sketch.h"
#include "bench/report/page/page.h"
#include "cases/case.h"
#include "form/form.h"
#include "problem/solver.h"

static const struct case_type *type_of(const struct report_page *p, const struct report_record *r,
                                       const cJSON *parameters) {
  return strcmp(base_json_text_at(parameters, "schema"), CASE_SCENE_SCHEMA) == 0
             ? case_of_scene(parameters, r->file, p->arena)
             : case_find(r->case_name);
}

/* Writes the sketch; BASE_E_INPUT with a message where this program cannot draw it. */
static int write_sketch(const struct report_page *p, const struct case_type *type,
                        const char *file) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  int status = bench_sketch(type, out);
  fclose(out);
  if (status == BASE_OK) {
    status =
        base_file_write(base_arena_printf(p->arena, "%s/%s", p->report->output, file), text, size);
  }
  free(text);
  return status;
}

/* The strip of a case's motion, cases/NAME/film.svg, as it was drawn for its page; a copy of it
 * beside this page, figures/film-NAME.svg. */
static void put_film(const struct report_page *p, const char *name) {
  const char *id = base_arena_printf(p->arena, "film-%s", name);
  const char *film =
      base_data_path(p->arena, base_arena_printf(p->arena, "cases/%s/film.svg", name));
  char *text = NULL;
  size_t size;
  if (film == NULL || base_file_read(film, &text, &size) != BASE_OK) {
    return;
  }
  const char *copy = base_arena_printf(p->arena, "%s/figures/%s.svg", p->report->output, id);
  if (base_file_write(copy, text, size) == BASE_OK) {
    report_put_picture(p, id, base_arena_printf(p->arena, "%s in motion", name));
  }
  free(text);
}

static void put_case(const struct report_page *p, const struct report_record *r) {
  cJSON *record = base_json_read_regular(report_path(p->report, r));
  const cJSON *parameters = base_json_at(record, "case.parameters");
  const struct case_type *type = type_of(p, r, parameters);
  const char *file = base_arena_printf(p->arena, "figures/case-%s.svg", r->case_name);
  const char *title = base_json_text_at(parameters, "title");
  /* The name as it is: tables have it so in their links. */
  report_put(p, "<figure class=\"case\" id=\"case-%s\">\n", r->case_name);
  if (write_sketch(p, type, file) == BASE_OK) {
    report_put_picture(p, base_arena_printf(p->arena, "case-%s", r->case_name), r->case_name);
  }
  put_film(p, r->case_name);
  report_put(p, "<figcaption><b>%s</b>: %s</figcaption></figure>\n", r->case_name,
             title[0] != '\0' ? title
             : type != NULL   ? type->summary
                              : "");
  cJSON_Delete(record);
}

void report_put_cases(const struct report_page *p) {
  cJSON *seen = cJSON_CreateObject();
  report_put(p, "<div class=\"gallery cases\">\n");
  for (int i = 0; i < p->report->n_records; ++i) {
    const struct report_record *r = &p->report->records[i];
    if (!cJSON_HasObjectItem(seen, r->case_name)) {
      cJSON_AddTrueToObject(seen, r->case_name);
      put_case(p, r);
    }
  }
  report_put(p, "</div>\n");
  cJSON_Delete(seen);
}

static void put_entry(const struct report_page *p, const char *prefix, const char *name,
                      const char *summary, const char *source) {
  report_put(p, "<dt id=\"%s%s\">%s</dt><dd>%s", prefix, name, name, summary);
  if (source != NULL && source[0] != '\0') {
    report_put(p, " <span class=\"why\">(%s)</span>", source);
  }
  report_put(p, "</dd>\n");
}

void report_put_glossary(const struct report_page *p) {
  int *is_used = base_arena_ints(p->arena, form_count() + 1);
  for (int i = 0; i < p->report->n_records; ++i) {
    if (p->report->records[i].form >= 0) {
      is_used[p->report->records[i].form] = 1;
    }
  }
  report_put(p, "<dl>\n");
  for (int i = 0; i < form_count(); ++i) {
    const struct form *form = form_get(i);
    if (is_used[i]) {
      put_entry(p, "form-", form->name, form->summary, form->source);
    }
  }
  report_put(p, "</dl>\n<h3>Solvers</h3>\n<dl>\n");
  for (int i = 0; i < problem_solver_count(); ++i) {
    const struct problem_solver *solver = problem_solver_get(i);
    put_entry(p, "solver-", solver->name, solver->summary, solver->source);
  }
  report_put(p, "</dl>\n");
}
