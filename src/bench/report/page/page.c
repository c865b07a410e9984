/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page: one HTML file with its style, its script and the first pictures inside; the other
 * drawings are files beside it, loaded when they come into view. What a reader asks first comes
 * first, answered in a line each, then the overview, what failed, the working table, the solvers of
 * a cell side by side, published values, questions with their findings, all figures and
 * studies folded, and where the records come from. Without script everything but choosing, sorting
 * and filtering is there. Statuses are told by words as well as by colours. Links to records and
 * drawings are relative, so that a folder of results can be moved as a whole. The markup is also
 * well-formed XML.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/page/page.h"

void report_put(const struct report_page *p, const char *markup) { fputs(markup, p->out); }

void report_put_element(const struct report_page *p, const char *tag, const char *text) {
  fprintf(p->out, "<%s>", tag);
  report_text(p->out, text);
  fprintf(p->out, "</%.*s>", (int)strcspn(tag, " "), tag);
}

void report_put_badge(const struct report_page *p, const char *status) {
  report_put(p, "<span class=\"badge ");
  report_text(p->out, status);
  report_put(p, "\">");
  report_text(p->out, status);
  report_put(p, "</span>");
}

const char *report_record_link(const struct report_page *p, const struct report_record *r) {
  return report_link(p->arena, p->folder,
                     base_arena_printf(p->arena, "%s/%s", p->report->folder, r->file));
}

/* One of the files that the page takes in as they are; NULL: it cannot be read. To be freed. */
static char *read_part(const struct report_page *p, const char *name) {
  char *text = NULL;
  size_t size;
  const char *path = base_data_path(p->arena, name);
  return path != NULL && base_file_read(path, &text, &size) == BASE_OK ? text : NULL;
}

int report_put_start(const struct report_page *p, const char *title) {
  char *style = read_part(p, "scripts/plot/page.css");
  if (style == NULL) {
    return BASE_E_IO;
  }
  report_put(p,
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>");
  report_text(p->out, title);
  fprintf(p->out, " - coulombench</title>\n<style>\n%s</style>\n</head>\n<body>\n<header>\n",
          style);
  free(style);
  report_put_element(p, "h1", title);
  return BASE_OK;
}

static int put_head(const struct report_page *p) {
  const char *title = p->report->suite != NULL && p->report->suite->title[0] != '\0'
                          ? p->report->suite->title
                          : "Results";
  const int begun = report_put_start(p, title);
  if (begun != BASE_OK) {
    return begun;
  }
  report_put(p, "\n<p class=\"lead\">");
  if (p->report->suite != NULL) {
    report_put(p, "Suite ");
    report_put_element(p, "b", p->report->suite->name);
    report_put(p, ": ");
  }
  int counts[8] = {0}, figures = 0, failed = 0;
  for (int i = 0; i < p->report->n_records; ++i) {
    ++counts[p->report->records[i].status & 7];
  }
  const cJSON *figure;
  cJSON_ArrayForEach(figure, p->report->figures) {
    ++figures;
    failed += strcmp(base_json_text_at(figure, "status"), "ok") != 0;
  }
  fprintf(p->out, "%d records", p->report->n_records);
  for (int status = 0; status < 8; ++status) {
    if (counts[status] > 0) {
      fprintf(p->out, " \xc2\xb7 %d ", counts[status]);
      report_put_badge(p, base_status_name(status));
    }
  }
  if (figures > 0) {
    fprintf(p->out, " \xc2\xb7 %d of %d figures show what they must", figures - failed, figures);
  }
  report_put(p, "</p>\n");
  if (p->report->is_so_far) {
    const int n = p->report->suite != NULL ? p->report->suite->n : 0;
    fprintf(p->out,
            "<p class=\"warning\">So far: %d of %d cells have been run, %d figures are to come. "
            "The page is written again while the suite runs.</p>\n",
            n - p->report->n_missing, n, p->report->n_to_come);
  } else if (p->report->n_missing > 0) {
    fprintf(p->out, "<p class=\"warning\">%d cells of the suite have no record.</p>\n",
            p->report->n_missing);
  }
  const int n_damaged = p->report->n_damaged + p->report->n_damaged_solutions;
  if (n_damaged > 0) {
    fprintf(p->out, "<p class=\"warning\">%d files of records are damaged and left out.</p>\n",
            n_damaged);
  }
  report_put(p, "</header>\n<main>\n<nav><a href=\"#overview\">Overview</a> <a href=\"#failures\">"
                "Failures</a> <a href=\"#table\">Table</a> <a href=\"#solvers\">Solvers</a> <a "
                "href=\"#published\">Published</a> "
                "<a href=\"#questions\">Questions</a> <a href=\"#figures\">Figures</a> "
                "<a href=\"#studies\">Studies</a> <a href=\"#provenance\">Provenance</a></nav>\n");
  return BASE_OK;
}

int report_is_of_overview(const char *study) {
  return strcmp(study, "overview") == 0 || strcmp(study, "data-profile") == 0;
}

/* The first picture of the overview and the data profile are in the page, the others folded. */
static void put_overview(const struct report_page *p) {
  const cJSON *study;
  int n = 0, n_folded = 0;
  report_put(p, "<section id=\"overview\">\n<h2>Overview</h2>\n");
  for (int pass = 0; pass < 3; ++pass) {
    cJSON_ArrayForEach(study, p->report->studies) {
      const char *name = base_json_text_at(study, "study");
      const int is_profile = strcmp(name, "data-profile") == 0;
      if (!report_is_of_overview(name)) {
        continue;
      }
      const int is_first = strcmp(base_json_text_at(study, "id"), "study-overview-error") == 0;
      if (pass == (is_first ? 0 : is_profile ? 2 : 1)) {
        report_put(p, pass == 1 && n_folded++ == 0
                          ? "<details class=\"fold\"><summary>The same for energy drift, "
                            "penetration, iterations and time</summary>\n"
                          : "");
        report_put_study(p, study, pass != 1);
        ++n;
      }
    }
    report_put(p, pass == 1 && n_folded > 0 ? "</details>\n" : "");
  }
  report_put(p,
             n > 0 ? "" : "<p>The suite does not ask for it (study <code>overview</code>).</p>\n");
  report_put(p, "</section>\n");
}

static int same_origin(const cJSON *a, const cJSON *b) {
  static const char *const keys[] = {"version", "commit", "dirty",    "compiler",     "flags",
                                     "cpu",     "cores",  "governor", "blas_threads", "libraries"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
    if (!base_json_same(cJSON_GetObjectItemCaseSensitive(a, keys[i]),
                        cJSON_GetObjectItemCaseSensitive(b, keys[i]))) {
      return 0;
    }
  }
  return 1;
}

/* The least and the greatest of some numbers; none yet: infinity and its negative. */
struct range {
  double lo, hi;
};

static void put_row(const struct report_page *p, const char *name, double x) {
  if (isfinite(x)) {
    fprintf(p->out, "<tr><th>%s</th><td>", name);
    bench_figure_number(p->out, x);
    report_put(p, "</td></tr>\n");
  }
}

/* What times depend on; earlier records do not tell. */
static void put_machine(const struct report_page *p, const cJSON *origin, struct range load) {
  put_row(p, "cores", base_json_real_at(origin, "cores"));
  put_row(p, "threads of the BLAS", base_json_real_at(origin, "blas_threads"));
  put_row(p, "load, least", load.lo);
  put_row(p, "load, greatest", load.hi);
}

static void put_origin(const struct report_page *p, const cJSON *origin, struct range load, int n) {
  static const char *const keys[] = {"version", "commit", "compiler", "flags", "cpu", "governor"};
  fprintf(p->out, "<table>\n<tbody>\n<tr><th>records</th><td>%d</td></tr>\n", n);
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
    report_put(p, "<tr>");
    report_put_element(p, "th", keys[i]);
    report_put(p, "<td>");
    report_text(p->out, base_json_text_at(origin, keys[i]));
    if (strcmp(keys[i], "commit") == 0 &&
        cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(origin, "dirty"))) {
      report_put(p, " with changes not committed");
    }
    report_put(p, "</td></tr>\n");
  }
  put_machine(p, origin, load);
  const cJSON *library;
  cJSON_ArrayForEach(library, cJSON_GetObjectItemCaseSensitive(origin, "libraries")) {
    report_put(p, "<tr>");
    report_put_element(p, "th", library->string);
    report_put_element(p, "td", cJSON_IsString(library) ? library->valuestring : "");
    report_put(p, "</tr>\n");
  }
  report_put(p, "</tbody></table>\n");
}

/* One table for each build and machine the records come from. */
static void put_provenance(const struct report_page *p) {
  const struct report *report = p->report;
  report_put(p, "<section id=\"provenance\">\n<h2>Provenance</h2>\n");
  int *done = base_arena_ints(p->arena, report->n_records);
  for (int i = 0; i < report->n_records; ++i) {
    const cJSON *origin = base_json_at(report->records[i].json, "provenance");
    struct range load = {INFINITY, -INFINITY};
    int n = 0;
    for (int j = i; j < report->n_records && !done[i]; ++j) {
      const cJSON *other = base_json_at(report->records[j].json, "provenance");
      if (!done[j] && same_origin(origin, other)) {
        load.lo = fmin(load.lo, base_json_real_at(other, "load"));
        load.hi = fmax(load.hi, base_json_real_at(other, "load"));
        done[j] = j > i;
        ++n;
      }
    }
    if (n > 0) {
      put_origin(p, origin, load, n);
    }
  }
  report_put(p, "</section>\n");
}

/* Where links lead, and the script that makes the table work. */
static int put_foot(const struct report_page *p) {
  char *script = read_part(p, "scripts/plot/page.js");
  if (script == NULL) {
    return BASE_E_IO;
  }
  report_put(p, "</main>\n<footer>\n<p id=\"moved\">Links lead to records in <code>");
  report_text(p->out, report_link(p->arena, p->folder, p->report->folder));
  report_put(p, "</code> and to drawings in <code>../figures</code>, seen from the folder of this "
                "page: move them together. All records in a table: <a href=\"records.csv\">"
                "records.csv</a>.</p>\n</footer>\n");
  fprintf(p->out, "<script>//<![CDATA[\n%s//]]></script>\n</body>\n</html>\n", script);
  free(script);
  return BASE_OK;
}

int report_write_page(const struct report *report, int *failed) {
  struct report_page page = {.report = report,
                             .arena = report->arena,
                             .folder =
                                 base_arena_printf(report->arena, "%s/report", report->output)};
  int status = base_file_make_folder(page.folder);
  const char *path = base_data_path(report->arena, "scripts/plot/chapters.json");
  cJSON *chapters = path != NULL ? base_json_read(path) : NULL;
  if (status != BASE_OK || chapters == NULL) {
    return status != BASE_OK ? status : BASE_E_IO;
  }
  page.chapters = chapters;
  page.placed = cJSON_CreateObject();
  char *text = NULL;
  size_t size;
  page.out = open_memstream(&text, &size);
  status = put_head(&page);
  if (status == BASE_OK) {
    report_put_answers(&page);
    put_overview(&page);
    report_put_failures(&page);
    report_put_table(&page);
    report_put_solvers(&page);
    status = report_put_published(&page);
  }
  if (status == BASE_OK) {
    *failed += report_put_chapters(&page);
    report_put_figures(&page);
    report_put_studies(&page);
    put_provenance(&page);
    status = put_foot(&page);
  }
  fclose(page.out);
  if (status == BASE_OK) {
    status =
        base_file_write(base_arena_printf(report->arena, "%s/index.html", page.folder), text, size);
  }
  free(text);
  cJSON_Delete(chapters);
  cJSON_Delete(page.placed);
  return status;
}
