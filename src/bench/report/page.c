/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page: one HTML file that needs nothing else. The matrix of cases and formulations comes
 * first; then the studies, the figures with their checks, all records, and where they come from.
 * Statuses are told by words as well as by colours. Links to records and drawings are relative, so
 * that a folder of results can be moved as a whole. The markup is also well-formed XML.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/page.h"

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

static const char *record_link(const struct report_page *p, const struct report_record *r) {
  return report_link(p->arena, p->folder,
                     base_arena_printf(p->arena, "%s/%s.json", p->report->folder, r->name));
}

static const char *command_of(const struct report_record *r) {
  return base_json_text_at(r->json, "provenance.command");
}

static int put_head(const struct report_page *p) {
  const char *title = p->report->suite != NULL && p->report->suite->title[0] != '\0'
                          ? p->report->suite->title
                          : "Results";
  char *style;
  size_t size;
  const char *path = base_data_path(p->arena, "scripts/plot/page.css");
  if (path == NULL || base_file_read(path, &style, &size) != BASE_OK) {
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
    fprintf(p->out, " \xc2\xb7 %d of %d figures show what they must; their checks: %s",
            figures - failed, figures, report_verdicts(p->report));
  }
  report_put(p, "</p>\n");
  if (p->report->n_missing > 0) {
    fprintf(p->out, "<p class=\"warning\">%d cells of the suite have no record.</p>\n",
            p->report->n_missing);
  }
  report_put(
      p, "</header>\n<main>\n<nav><a href=\"#matrix\">Matrix</a> <a href=\"#studies\">Studies</a> "
         "<a href=\"#figures\">Figures</a> <a href=\"#records\">Records</a> "
         "<a href=\"#provenance\">Provenance</a></nav>\n");
  return BASE_OK;
}

/* One number of a cell, with its name. */
static void put_measure(const struct report_page *p, const char *name, double x, const char *unit) {
  fprintf(p->out, "<span class=\"k\">%s</span><span class=\"v\">", name);
  report_number(p->out, x);
  fprintf(p->out, "%s</span>", isfinite(x) ? unit : "");
}

/* Median time of the steps, and the quartiles where times were taken often enough. */
static void put_time(const struct report_page *p, const struct report_record *r) {
  const double time = base_json_real_at(r->json, "timing.steps_s");
  report_number(p->out, time);
  report_put(p, isfinite(time) ? " s" : "");
  if (isfinite(report_time_quartile(r, 0))) {
    report_put(p, " (");
    report_number(p->out, report_time_quartile(r, 0));
    report_put(p, " to ");
    report_number(p->out, report_time_quartile(r, 1));
    report_put(p, ")");
  }
}

/* The error of the coordinates; a run that the reference comes from has none of its own. */
static void put_error(const struct report_page *p, const struct report_record *r) {
  if (report_is_reference(r)) {
    report_put(p, "reference");
  } else {
    report_number(p->out, base_json_real_at(r->json, "errors.q_linf"));
  }
}

static void put_matrix_cell(const struct report_page *p, const struct report_row *row, int form) {
  const struct report_record *best = report_best(row, form);
  if (best == NULL) {
    report_put(p, "<td class=\"none\">not run</td>");
    return;
  }
  const char *reason = base_json_text_at(best->json, "reason");
  const char *verdict = base_json_text_at(best->json, "quality.verdict");
  const int is_graded = best->status == BASE_OK && verdict[0] != '\0';
  fprintf(p->out, "<td class=\"cell %s\" title=\"",
          is_graded && strcmp(verdict, "good") != 0 ? verdict : base_status_name(best->status));
  report_text(p->out, command_of(best));
  report_text(p->out, reason[0] != '\0' ? " | " : "");
  report_text(p->out, reason);
  fprintf(p->out, "\"><a href=\"%s\">", record_link(p, best));
  report_put_badge(p, base_status_name(best->status));
  report_put(p, "</a>");
  if (is_graded) {
    report_put_badge(p, verdict);
  }
  if (best->status == BASE_UNSUPPORTED) {
    report_put_element(p, "div class=\"why\"", reason);
  } else {
    report_put(p, "<div class=\"numbers\">");
    if (report_is_reference(best)) {
      report_put(p, "<span class=\"k\">q, u</span><span class=\"v\">reference</span>");
    } else {
      put_measure(p, "q", base_json_real_at(best->json, "errors.q_linf"), "");
      put_measure(p, "u", base_json_real_at(best->json, "errors.u_hausdorff"), "");
    }
    put_measure(p, "E", report_relative_drift(best->json), "");
    report_put(p, "<span class=\"k\">dt</span><span class=\"v\">");
    report_number_short(p->out, best->dt);
    report_put(p, " s</span>");
    report_put(p, "<span class=\"k\">time</span><span class=\"v\">");
    put_time(p, best);
    report_put(p, "</span></div>");
  }
  int runs = 0;
  for (int i = 0; i < row->n; ++i) {
    runs += row->records[i]->form == form;
  }
  fprintf(p->out, "<details><summary>%d %s</summary>", runs, runs == 1 ? "run" : "runs");
  for (int i = 0; i < row->n; ++i) {
    const struct report_record *r = row->records[i];
    if (r->form == form) {
      fprintf(p->out, "<div class=\"run\"><a href=\"%s\">dt ", record_link(p, r));
      report_number_short(p->out, r->dt);
      report_put(p, " s</a> ");
      report_put_badge(p, base_status_name(r->status));
      report_put(p, " q ");
      put_error(p, r);
      report_put(p, "<br/>");
      report_put_element(p, "code", command_of(r));
      report_put(p, "</div>");
    }
  }
  report_put(p, "</details></td>");
}

static void put_matrix(const struct report_page *p) {
  const struct report *report = p->report;
  if (report->n_rows == 0) {
    report_put(p, "<section id=\"matrix\">\n<h2>Matrix</h2>\n<p>All runs here belong to figures."
                  "</p>\n</section>\n");
    return;
  }
  report_put(
      p, "<section id=\"matrix\">\n<h2>Matrix</h2>\n<p>Each cell is the run with the smallest "
         "error among its steps. <b>q</b>: largest error of the coordinates [m, rad]; <b>u</b>: "
         "Hausdorff distance of the velocity graphs [-]; <b>E</b>: numerical energy drift over the "
         "largest energy [-]; <b>time</b>: wall time of all steps, where it was taken several "
         "times the median and (the quartiles). A dash: there is no reference "
         "or the run did not finish. The status leads to the record; the command that repeats a "
         "run is behind <i>runs</i>. The same numbers: <a href=\"matrix.csv\">matrix.csv</a>.</p>\n"
         "<div class=\"scroll tall\"><table class=\"matrix\">\n<thead><tr><th>case</th>");
  for (int form = 0; form < form_count(); ++form) {
    report_put_element(p, "th", form_get(form)->name);
  }
  report_put(p, "</tr></thead>\n<tbody>\n");
  for (int k = 0; k < report->n_rows; ++k) {
    report_put(p, "<tr><th>");
    report_text(p->out, report->rows[k].title);
    fprintf(p->out, "<div class=\"why\">to %g s<br/>reference: ", report->rows[k].t_end);
    const char *kind = "none";
    for (int i = 0; i < report->rows[k].n && strcmp(kind, "none") == 0; ++i) {
      kind = base_json_text_at(report->rows[k].records[i]->json, "reference.kind");
    }
    report_text(p->out, kind);
    report_put(p, "</div></th>");
    for (int form = 0; form < form_count(); ++form) {
      put_matrix_cell(p, &report->rows[k], form);
    }
    report_put(p, "</tr>\n");
  }
  report_put(p, "</tbody></table></div>\n</section>\n");
}

static void put_records(const struct report_page *p) {
  report_put(
      p, "<section id=\"records\">\n<h2>Records</h2>\n<div class=\"scroll tall\"><table "
         "class=\"records\">\n<thead><tr><th>record</th><th>status</th><th>q error</th><th>time of "
         "all steps</th><th>to repeat it</th></tr></thead>\n<tbody>\n");
  for (int i = 0; i < p->report->n_records; ++i) {
    const struct report_record *r = &p->report->records[i];
    fprintf(p->out, "<tr><td><a href=\"%s\">", record_link(p, r));
    report_text(p->out, r->name);
    report_put(p, "</a></td><td>");
    report_put_badge(p, base_status_name(r->status));
    const char *reason = base_json_text_at(r->json, "reason");
    if (reason[0] != '\0') {
      report_put_element(p, "div class=\"why\"", reason);
    }
    report_put(p, "</td><td class=\"number\">");
    put_error(p, r);
    report_put(p, "</td><td class=\"number\">");
    put_time(p, r);
    report_put(p, "</td><td>");
    report_put_element(p, "code", command_of(r));
    report_put(p, "</td></tr>\n");
  }
  report_put(p, "</tbody></table></div>\n</section>\n");
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
    report_number(p->out, x);
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

int report_write_page(const struct report *report) {
  struct report_page page = {.report = report,
                             .arena = report->arena,
                             .folder =
                                 base_arena_printf(report->arena, "%s/report", report->output)};
  int status = base_file_make_folder(page.folder);
  if (status != BASE_OK) {
    return status;
  }
  char *text = NULL;
  size_t size;
  page.out = open_memstream(&text, &size);
  status = put_head(&page);
  if (status == BASE_OK) {
    put_matrix(&page);
    report_put_studies(&page);
    report_put_figures(&page);
    put_records(&page);
    put_provenance(&page);
    report_put(&page, "</main>\n</body>\n</html>\n");
  }
  fclose(page.out);
  if (status == BASE_OK) {
    status =
        base_file_write(base_arena_printf(report->arena, "%s/index.html", page.folder), text, size);
  }
  free(text);
  return status;
}
