/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Studies on the report page, folded by kind: drawings, captions, links to files, tables that they
 * show. Drawings are files beside the page, loaded when they come into view.
 */
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/page/page.h"

const char *report_output_link(const struct report_page *p, const char *path) {
  return report_link(p->arena, p->folder,
                     base_arena_printf(p->arena, "%s/%s", p->report->output, path));
}

enum { LINKS_SHOWN = 8 }; /* more would be taller than the drawing's caption */

static int is_table(const char *file) { return strcmp(strrchr(file, '.'), ".dat") == 0; }

static void put_table_links(const struct report_page *p, const cJSON *files) {
  const cJSON *file;
  cJSON_ArrayForEach(file, files) {
    if (is_table(file->valuestring)) {
      const char *name = strrchr(file->valuestring, '/') + 1;
      report_put(p, " <a href=\"%s\">%s</a>", report_output_link(p, file->valuestring),
                 base_arena_printf(p->arena, "%.*s", (int)strlen(name) - 4, name));
    }
  }
}

/* Links to the drawings and tables of a figure or study; many tables are folded. */
void report_put_downloads(const struct report_page *p, const cJSON *files) {
  const cJSON *file;
  int n = 0;
  report_put(p, "<p class=\"files\">");
  cJSON_ArrayForEach(file, files) {
    n += is_table(file->valuestring);
    if (!is_table(file->valuestring)) {
      report_put(p, "<a href=\"%s\">%s</a> ", report_output_link(p, file->valuestring),
                 strrchr(file->valuestring, '.') + 1);
    }
  }
  if (n == 0) {
    report_put(p, "</p>\n");
  } else if (n <= LINKS_SHOWN) {
    report_put(p, "\xc2\xb7 data:");
    put_table_links(p, files);
    report_put(p, "</p>\n");
  } else {
    report_put(p, "</p>\n<details class=\"files\"><summary>data: %d tables</summary><p>", n);
    put_table_links(p, files);
    report_put(p, "</p></details>\n");
  }
}

void report_put_picture(const struct report_page *p, const char *id, const char *title) {
  const char *file = base_arena_printf(p->arena, "figures/%s.svg", id);
  report_put(p, "<a href=\"%s\"><img loading=\"lazy\"", report_output_link(p, file));
  report_image_size(p->out, base_arena_printf(p->arena, "%s/%s", p->report->output, file));
  report_put(p, " alt=\"%s (%s)\" src=\"%s\"/></a>\n", title, file, report_output_link(p, file));
}

void report_put_study(const struct report_page *p, const cJSON *study, int is_inline,
                      int is_explained) {
  const char *id = base_json_text_at(study, "id");
  report_put(p, "<figure id=\"%s\">\n", id);
  const char *title = base_json_text_at(study, "title");
  const char *status = base_json_text_at(study, "status");
  if (strcmp(status, "ok") != 0) {
    report_put_badge(p, status);
    report_put(p, "<p class=\"warning\">%s: %s</p></figure>\n", title,
               base_json_text_at(study, "reason"));
    return;
  }
  report_put(p, "<div class=\"scroll drawing\">");
  const char *svg = base_arena_printf(p->arena, "%s/figures/%s.svg", p->report->output, id);
  if (!is_inline || report_image(p->out, svg, title) != BASE_OK) {
    report_put_picture(p, id, title);
  }
  const char *says = base_json_text_at(study, "says");
  report_put(p, "</div>\n<figcaption><b>%s</b>. %s", title,
             is_explained && says[0] != '\0' ? says : base_json_text_at(study, "caption"));
  report_put_downloads(p, cJSON_GetObjectItemCaseSensitive(study, "files"));
  report_put(p, "</figcaption>\n</figure>\n");
}

/* The tables that a study shows beside its drawings ("show": grid.h). */
static int put_shows(const struct report_page *p, const char *name) {
  const struct bench_figure *study = NULL;
  int n;
  const struct bench_figure **asked = report_studies_asked(p->report, &n);
  for (int i = 0; asked != NULL && i < n && study == NULL; ++i) {
    study = strcmp(asked[i]->id, name) == 0 ? asked[i] : NULL;
  }
  const cJSON *shows = study != NULL ? base_json_at(study->json, "show") : NULL;
  const struct figure_study *made = shows != NULL ? report_study_tables(p->report, study) : NULL;
  return shows == NULL ? BASE_OK : made == NULL ? BASE_E_INPUT : report_put_shows(p, made, shows);
}

/* The drawing of all cases, and behind a fold those of one case each. */
static void put_drawings(const struct report_page *p, const char *name) {
  const char *all = base_arena_printf(p->arena, "study-%s", name);
  int n_all = 0, n_single = 0;
  for (int pass = 0; pass < 2; ++pass) {
    const cJSON *study;
    cJSON_ArrayForEach(study, p->report->studies) {
      const int is_of_all = strcmp(base_json_text_at(study, "id"), all) == 0;
      if (strcmp(base_json_text_at(study, "study"), name) != 0 || is_of_all != (pass == 0)) {
        continue;
      }
      report_put(p, n_all > 0 && !is_of_all && n_single++ == 0
                        ? "</div>\n<details class=\"fold\"><summary>Case by case</summary><div "
                          "class=\"gallery\">\n"
                        : "");
      n_all += is_of_all;
      report_put_study(p, study, 0, !is_of_all && n_all > 0);
    }
  }
  report_put(p, n_single > 0 ? "</div></details>\n<div>" : "");
}

/* Of all studies but those of the overview, in the suite's order. */
int report_put_studies(const struct report_page *p) {
  int any = 0, status = BASE_OK;
  const char *last = "";
  const cJSON *first, *study;
  cJSON_ArrayForEach(first, p->report->studies) {
    const char *name = base_json_text_at(first, "study");
    if (strcmp(name, last) == 0 || report_is_of_overview(name)) {
      continue;
    }
    int n = 0;
    cJSON_ArrayForEach(study, p->report->studies) {
      n += strcmp(base_json_text_at(study, "study"), name) == 0;
    }
    last = name;
    any = 1;
    report_put(p,
               "<details class=\"fold\" id=\"studies-%s\"><summary>%s <span class=\"why\">(%d "
               "%s)</span></summary>\n<div class=\"gallery\">\n",
               name, base_json_text_at(first, "of"), n, n == 1 ? "drawing" : "drawings");
    put_drawings(p, name);
    report_put(p, "</div>\n");
    status = status != BASE_OK ? status : put_shows(p, name);
    report_put(p, "</details>\n");
  }
  report_put(p,
             any ? "" : "<p>The suite asks for none, or its records have nothing to show.</p>\n");
  return status;
}
