/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures on the report page: a drawing, beside it what the figure must show, what was measured and
 * what is published, links to its files. Figures that a chapter shows (chapters.c) stand there; all
 * others folded, case by case.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/page/page.h"

/* What became of its values; nothing where it has none. */
static int put_checks(const struct report_page *p, const cJSON *figure) {
  cJSON *spec = cJSON_Duplicate(base_json_at(p->json, "values"), 1);
  cJSON *only = cJSON_AddObjectToObject(spec, "only");
  cJSON_AddStringToObject(only, "figure", base_json_text_at(figure, "id"));
  cJSON *shows = cJSON_CreateArray();
  cJSON_AddItemToArray(shows, spec);
  const int status = report_put_shows(p, &p->tables, shows);
  cJSON_Delete(shows);
  return status;
}

/* "12 reproduced, 3 not stated": what became of its values. */
static void put_counts(const struct report_page *p, const cJSON *figure) {
  const cJSON *count;
  int n = 0;
  cJSON_ArrayForEach(count, cJSON_GetObjectItemCaseSensitive(figure, "verdicts")) {
    if (count->valuedouble > 0) {
      report_put(p, "%s%d %s", n++ > 0 ? ", " : "Values: ", count->valueint, count->string);
    }
  }
  report_put(p, n > 0 ? "" : "Files");
}

int report_is_placed(const struct report_page *p, const cJSON *figure) {
  return cJSON_HasObjectItem(p->placed, base_json_text_at(figure, "id"));
}

/* Runs of hours are not made with the others: their records are kept with the case. */
static void put_kept(const struct report_page *p, const cJSON *figure) {
  const cJSON *record;
  int n = 0;
  cJSON_ArrayForEach(record, cJSON_GetObjectItemCaseSensitive(figure, "records")) {
    n += cJSON_IsString(record) && strncmp(record->valuestring, "cases/", 6) == 0;
  }
  if (n > 0) {
    report_put(p,
               "<p class=\"why\">From %d records kept with the case, of runs of hours: they were "
               "not made here.</p>\n",
               n);
  }
}

int report_put_figure(const struct report_page *p, const cJSON *figure) {
  const char *id = base_json_text_at(figure, "id"), *title = base_json_text_at(figure, "title");
  const char *reason = base_json_text_at(figure, "reason");
  if (report_is_placed(p, figure)) {
    return BASE_OK;
  }
  cJSON_AddTrueToObject(p->placed, id);
  report_put(p, "<figure class=\"wide\" id=\"figure-%s\">\n<h4>%s <code>%s</code> ", id, title, id);
  report_put_badge(p, base_json_text_at(figure, "status"));
  report_put(p, reason[0] != '\0' ? "</h4>\n<p class=\"warning\">%s</p>\n" : "</h4>\n", reason);
  const char *svg = base_arena_printf(p->arena, "%s/figures/%s.svg", p->report->output, id);
  const int drawn = access(svg, R_OK) == 0;
  if (drawn) {
    report_put(p, "<div class=\"scroll drawing\">");
    report_put_picture(p, id, title);
    report_put(p, "</div>\n");
  }
  report_put(p, "<figcaption>%s</figcaption>\n", base_json_text_at(figure, "text"));
  put_kept(p, figure);
  report_put(p, "<details><summary>");
  put_counts(p, figure);
  report_put(p, "</summary>\n");
  if (drawn) {
    report_put_downloads(p, cJSON_GetObjectItemCaseSensitive(figure, "files"));
  }
  report_put(p, "<p class=\"files\"><a href=\"%s\">figure record</a></p>\n",
             report_output_link(p, base_arena_printf(p->arena, "figures/%s.json", id)));
  const int status = put_checks(p, figure);
  report_put(p, "</details>\n</figure>\n");
  return status;
}

/* Links to all figures; those that do not show what they must bear a mark. */
static void put_figure_index(const struct report_page *p) {
  const cJSON *figure;
  report_put(p, "<p class=\"index\">");
  cJSON_ArrayForEach(figure, p->report->figures) {
    const char *id = base_json_text_at(figure, "id"), *status = base_json_text_at(figure, "status");
    report_put(p, "<span><a href=\"#figure-%s\">%s</a>", id, id);
    if (strcmp(status, "ok") != 0) {
      report_put(p, " ");
      report_put_badge(p, status);
    }
    report_put(p, "</span> ");
  }
  report_put(p, "</p>\n");
}

/* What the suite leaves out, and how to make it. */
static void put_left_out(const struct report_page *p) {
  const struct bench_suite *suite = p->report->suite;
  if (suite == NULL || suite->n_left_out == 0) {
    return;
  }
  report_put(p,
             "<p id=\"left-out\">%d figures take minutes to hours each and are not here; "
             "<code>make bench SUITE=paper</code> makes them, with all others:</p>\n<ul>\n",
             suite->n_left_out);
  for (int i = 0; i < suite->n_left_out; ++i) {
    const struct bench_figure *figure = suite->left_out[i];
    report_put(p, "<li><code>%s</code> %s</li>\n", figure->id, figure->title);
  }
  report_put(p, "</ul>\n");
}

int report_put_figures(const struct report_page *p) {
  int status = BASE_OK;
  if (cJSON_GetArraySize(p->report->figures) > 0) {
    put_figure_index(p);
    report_put(
        p, "<p>The files beside a figure are drawn for screens. <code>coulombench report FOLDER "
           "--width 85</code>, with the folder of the records, draws all figures for print: as "
           "wide as a column of 85 mm (170: two columns), letters of at least 7 pt.</p>\n");
  }
  put_left_out(p);
  const char *now = "";
  const cJSON *figure;
  cJSON_ArrayForEach(figure, p->report->figures) {
    const char *name = base_json_text_at(figure, "case");
    if (report_is_placed(p, figure)) {
      continue;
    }
    if (strcmp(name, now) != 0) {
      report_put(p, now[0] != '\0' ? "</div></details>\n" : "");
      report_put(p, "<details class=\"fold\"><summary>%s</summary><div class=\"gallery\">\n", name);
      now = name;
    }
    status = status != BASE_OK ? status : report_put_figure(p, figure);
  }
  report_put(p, now[0] != '\0' ? "</div></details>\n" : "");
  report_put(p, cJSON_GetArraySize(p->report->figures) > 0 ? "" : "<p>None asked for.</p>\n");
  return status;
}
