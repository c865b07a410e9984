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
#include "base/json.h"
#include "base/status.h"
#include "bench/report.h"

struct page {
  const struct report *report;
  struct base_arena *arena;
  FILE *out;
  const char *folder; /* the page's own */
};

static void put(const struct page *p, const char *markup) { fputs(markup, p->out); }

static void put_element(const struct page *p, const char *tag, const char *text) {
  fprintf(p->out, "<%s>", tag);
  report_text(p->out, text);
  fprintf(p->out, "</%.*s>", (int)strcspn(tag, " "), tag);
}

static void put_badge(const struct page *p, const char *status) {
  fprintf(p->out, "<span class=\"badge %s\">%s</span>", status, status);
}

static const char *record_link(const struct page *p, const struct report_record *r) {
  return report_link(p->arena, p->folder,
                     base_arena_printf(p->arena, "%s/%s.json", p->report->folder, r->name));
}

static const char *output_link(const struct page *p, const char *path) {
  return report_link(p->arena, p->folder,
                     base_arena_printf(p->arena, "%s/%s", p->report->output, path));
}

static const char *command_of(const struct report_record *r) {
  return base_json_text_at(r->json, "provenance.command");
}

static int put_head(const struct page *p) {
  const char *title = p->report->suite != NULL && p->report->suite->title[0] != '\0'
                          ? p->report->suite->title
                          : "Results";
  char *style;
  size_t size;
  const char *path = base_data_path(p->arena, "scripts/plot/page.css");
  if (path == NULL || base_file_read(path, &style, &size) != BASE_OK) {
    return BASE_E_IO;
  }
  put(p, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>");
  report_text(p->out, title);
  fprintf(p->out, " - coulombench</title>\n<style>\n%s</style>\n</head>\n<body>\n<header>\n",
          style);
  free(style);
  put_element(p, "h1", title);
  put(p, "\n<p class=\"lead\">");
  if (p->report->suite != NULL) {
    put(p, "Suite ");
    put_element(p, "b", p->report->suite->name);
    put(p, ": ");
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
      put_badge(p, base_status_name(status));
    }
  }
  if (figures > 0) {
    fprintf(p->out, " \xc2\xb7 %d of %d figures show what they must", figures - failed, figures);
  }
  put(p, "</p>\n");
  if (p->report->n_missing > 0) {
    fprintf(p->out, "<p class=\"warning\">%d cells of the suite have no record.</p>\n",
            p->report->n_missing);
  }
  put(p, "<nav><a href=\"#matrix\">Matrix</a> <a href=\"#studies\">Studies</a> "
         "<a href=\"#figures\">Figures</a> <a href=\"#records\">Records</a> "
         "<a href=\"#provenance\">Provenance</a></nav>\n</header>\n<main>\n");
  return BASE_OK;
}

/* One number of a cell, with its name. */
static void put_measure(const struct page *p, const char *name, double x, const char *unit) {
  fprintf(p->out, "<span class=\"k\">%s</span><span class=\"v\">", name);
  report_number(p->out, x);
  fprintf(p->out, "%s</span>", isfinite(x) ? unit : "");
}

static void put_matrix_cell(const struct page *p, const struct report_row *row, int form) {
  const struct report_record *best = report_best(row, form);
  if (best == NULL) {
    put(p, "<td class=\"none\">not run</td>");
    return;
  }
  const char *reason = base_json_text_at(best->json, "reason");
  fprintf(p->out, "<td class=\"cell %s\" title=\"", base_status_name(best->status));
  report_text(p->out, command_of(best));
  report_text(p->out, reason[0] != '\0' ? " | " : "");
  report_text(p->out, reason);
  fprintf(p->out, "\"><a href=\"%s\">", record_link(p, best));
  put_badge(p, base_status_name(best->status));
  put(p, "</a>");
  if (best->status == BASE_UNSUPPORTED) {
    put_element(p, "div class=\"why\"", reason);
  } else {
    put(p, "<div class=\"numbers\">");
    if (report_is_reference(best)) {
      put(p, "<span class=\"k\">q, u</span><span class=\"v\">reference</span>");
    } else {
      put_measure(p, "q", base_json_real_at(best->json, "errors.q_linf"), "");
      put_measure(p, "u", base_json_real_at(best->json, "errors.u_hausdorff"), "");
    }
    put_measure(p, "E", report_relative_drift(best->json), "");
    fprintf(p->out, "<span class=\"k\">dt</span><span class=\"v\">%g s</span>", best->dt);
    put_measure(p, "time", base_json_real_at(best->json, "timing.steps_s"), " s");
    put(p, "</div>");
  }
  int runs = 0;
  for (int i = 0; i < row->n; ++i) {
    runs += row->records[i]->form == form;
  }
  fprintf(p->out, "<details><summary>%d %s</summary>", runs, runs == 1 ? "run" : "runs");
  for (int i = 0; i < row->n; ++i) {
    const struct report_record *r = row->records[i];
    if (r->form == form) {
      fprintf(p->out, "<div class=\"run\"><a href=\"%s\">dt %g s</a> ", record_link(p, r), r->dt);
      put_badge(p, base_status_name(r->status));
      put(p, " q ");
      report_number(p->out, base_json_real_at(r->json, "errors.q_linf"));
      put(p, "<br/>");
      put_element(p, "code", command_of(r));
      put(p, "</div>");
    }
  }
  put(p, "</details></td>");
}

static void put_matrix(const struct page *p) {
  const struct report *report = p->report;
  put(p, "<section id=\"matrix\">\n<h2>Matrix</h2>\n<p>Each cell is the run with the smallest "
         "error among its steps. <b>q</b>: largest error of the coordinates [m, rad]; <b>u</b>: "
         "Hausdorff distance of the velocity graphs [-]; <b>E</b>: numerical energy drift over the "
         "largest energy [-]; <b>time</b>: wall time of all steps. A dash: there is no reference "
         "or the run did not finish. The status leads to the record; the command that repeats a "
         "run is behind <i>runs</i>. The same numbers: <a href=\"matrix.csv\">matrix.csv</a>.</p>\n"
         "<div class=\"scroll\"><table class=\"matrix\">\n<thead><tr><th>case</th>");
  for (int form = 0; form < form_count(); ++form) {
    put_element(p, "th", form_name(form_get(form)));
  }
  put(p, "</tr></thead>\n<tbody>\n");
  for (int k = 0; k < report->n_rows; ++k) {
    put(p, "<tr><th>");
    report_text(p->out, report->rows[k].title);
    fprintf(p->out, "<div class=\"why\">to %g s<br/>reference: ", report->rows[k].t_end);
    const char *kind = "none";
    for (int i = 0; i < report->rows[k].n && strcmp(kind, "none") == 0; ++i) {
      kind = base_json_text_at(report->rows[k].records[i]->json, "reference.kind");
    }
    report_text(p->out, kind);
    put(p, "</div></th>");
    for (int form = 0; form < form_count(); ++form) {
      put_matrix_cell(p, &report->rows[k], form);
    }
    put(p, "</tr>\n");
  }
  put(p, "</tbody></table></div>\n</section>\n");
}

/* Links to the drawings and tables of a figure or study. */
static void put_downloads(const struct page *p, const char *id, const cJSON *tables) {
  static const char *const extensions[] = {"pdf", "svg", "png"};
  put(p, "<p class=\"files\">");
  for (int i = 0; i < 3; ++i) {
    fprintf(p->out, "<a href=\"%s\">%s</a> ",
            output_link(p, base_arena_printf(p->arena, "figures/%s.%s", id, extensions[i])),
            extensions[i]);
  }
  const cJSON *table;
  put(p, "\xc2\xb7 data:");
  cJSON_ArrayForEach(table, tables) {
    fprintf(
        p->out, " <a href=\"%s\">",
        output_link(p, base_arena_printf(p->arena, "figures/%s/%s.dat", id, table->valuestring)));
    report_text(p->out, table->valuestring);
    put(p, "</a>");
  }
  put(p, "</p>\n");
}

static void put_study(const struct page *p, const cJSON *study) {
  const char *id = base_json_text_at(study, "id");
  put(p, "<figure id=\"");
  report_anchor(p->out, "", id);
  put(p, "\">\n");
  const char *svg = base_arena_printf(p->arena, "%s/figures/%s.svg", p->report->output, id);
  if (strcmp(base_json_text_at(study, "status"), "ok") != 0 ||
      report_image(p->out, svg, base_json_text_at(study, "title")) != BASE_OK) {
    put_badge(p, "failed");
    put_element(p, "p class=\"warning\"", base_json_text_at(study, "reason"));
    put(p, "</figure>\n");
    return;
  }
  put(p, "\n<figcaption>");
  put_element(p, "b", base_json_text_at(study, "title"));
  put(p, ". ");
  report_text(p->out, base_json_text_at(study, "caption"));
  put_downloads(p, id, cJSON_GetObjectItemCaseSensitive(study, "tables"));
  put(p, "</figcaption>\n</figure>\n");
}

static void put_slope_cell(const struct page *p, const char *row, const char *form,
                           const char *quantity) {
  const cJSON *fit;
  cJSON_ArrayForEach(fit, p->report->slopes) {
    if (strcmp(base_json_text_at(fit, "row"), row) != 0 ||
        strcmp(base_json_text_at(fit, "formulation"), form) != 0 ||
        strcmp(base_json_text_at(fit, "quantity"), quantity) != 0) {
      continue;
    }
    const double slope = base_json_real_at(fit, "slope"), spread = base_json_real_at(fit, "spread");
    put(p, "<td class=\"number\">");
    if (isfinite(slope)) {
      fprintf(p->out, "%.2f", fabs(slope) < 0.005 ? 0 : slope); /* no "-0.00" */
      if (isfinite(spread)) {
        fprintf(p->out, " \xc2\xb1 %.2f", spread);
      }
    } else {
      put(p, "\xe2\x80\x93");
    }
    fprintf(p->out, " <span class=\"why\">(%.0f)</span></td>", base_json_real_at(fit, "points"));
    return;
  }
  put(p, "<td class=\"none\">\xe2\x80\x93</td>");
}

static void put_slopes(const struct page *p) {
  const struct report *report = p->report;
  if (cJSON_GetArraySize(report->slopes) == 0) {
    return;
  }
  put(p,
      "<h4>Measured orders</h4>\n<p>Slopes of log error against log dt by least squares, \xc2\xb1 "
      "standard error (points used). Errors within ten times the reference's own bound are left "
      "out: they would measure the reference.</p>\n<div class=\"scroll\"><table>\n"
      "<thead><tr><th>case</th><th>of</th>");
  for (int form = 0; form < form_count(); ++form) {
    put_element(p, "th", form_name(form_get(form)));
  }
  put(p, "</tr></thead>\n<tbody>\n");
  static const char *const quantities[] = {"q_linf", "u_hausdorff"};
  static const char *const shown[] = {"q", "u"};
  for (int k = 0; k < report->n_rows; ++k) {
    for (int i = 0; i < 2; ++i) {
      put(p, "<tr>");
      if (i == 0) {
        put_element(p, "th rowspan=\"2\"", report->rows[k].title);
      }
      put_element(p, "td", shown[i]);
      for (int form = 0; form < form_count(); ++form) {
        put_slope_cell(p, report->rows[k].title, form_name(form_get(form)), quantities[i]);
      }
      put(p, "</tr>\n");
    }
  }
  put(p, "</tbody></table></div>\n");
}

static void put_studies(const struct page *p) {
  static const char *const names[] = {"energy", "order", "work-precision"};
  static const char *const titles[] = {"Energy", "Order of convergence", "Work and precision"};
  put(p, "<section id=\"studies\">\n<h2>Studies</h2>\n");
  int any = 0;
  for (int i = 0; i < 3; ++i) {
    const cJSON *study;
    int first = 1;
    cJSON_ArrayForEach(study, p->report->studies) {
      if (strcmp(base_json_text_at(study, "study"), names[i]) != 0) {
        continue;
      }
      if (first) {
        put_element(p, "h3", titles[i]);
        put(p, "\n<div class=\"gallery\">\n");
        first = 0;
        any = 1;
      }
      put_study(p, study);
    }
    put(p, first ? "" : "</div>\n");
    if (i == 1) {
      put_slopes(p);
    }
  }
  put(p, any ? "" : "<p>The records hold nothing that the studies could show.</p>\n");
  put(p, "</section>\n");
}

static void put_checks(const struct page *p, const cJSON *checks) {
  const cJSON *check;
  if (cJSON_GetArraySize(checks) == 0) {
    return;
  }
  put(p, "<div class=\"scroll\"><table class=\"checks\">\n<thead><tr><th></th><th>must show</th>"
         "<th>measured</th><th>required</th><th>published</th></tr></thead>\n<tbody>\n");
  cJSON_ArrayForEach(check, checks) {
    const double lo = base_json_real_at(check, "lo"), hi = base_json_real_at(check, "hi");
    put(p, "<tr><td>");
    put_badge(p, cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(check, "passed")) ? "pass" : "fail");
    put(p, "</td>");
    put_element(p, "td", base_json_text_at(check, "what"));
    const double measured = base_json_real_at(check, "measured");
    const int digits = report_digits(lo, hi);
    put(p, "<td class=\"number\">");
    if (isfinite(measured)) {
      fprintf(p->out, "%.*g", digits, measured);
    } else {
      put(p, "missing");
    }
    put(p, "</td><td class=\"number\">");
    if (isfinite(lo) && isfinite(hi)) {
      fprintf(p->out, "%.*g \xe2\x80\xa6 %.*g", digits, lo, digits, hi);
    } else if (isfinite(hi)) {
      fprintf(p->out, "\xe2\x89\xa4 %.6g", hi);
    } else if (isfinite(lo)) {
      fprintf(p->out, "\xe2\x89\xa5 %.6g", lo);
    } else {
      put(p, "a number");
    }
    put(p, "</td>");
    put_element(p, "td", base_json_text_at(check, "published"));
    put(p, "</tr>\n");
  }
  put(p, "</tbody></table></div>\n");
}

/* The names of a figure's tables, from its list of files. */
static cJSON *table_names(const cJSON *figure) {
  cJSON *names = cJSON_CreateArray();
  const cJSON *file;
  cJSON_ArrayForEach(file, cJSON_GetObjectItemCaseSensitive(figure, "files")) {
    const char *name = strrchr(file->valuestring, '/') + 1;
    const size_t length = strlen(name);
    if (length > 4 && strcmp(name + length - 4, ".dat") == 0) {
      char *plain = strdup(name);
      plain[length - 4] = '\0';
      cJSON_AddItemToArray(names, cJSON_CreateString(plain));
      free(plain);
    }
  }
  return names;
}

static void put_figure(const struct page *p, const cJSON *figure) {
  const char *id = base_json_text_at(figure, "id"), *title = base_json_text_at(figure, "title");
  const char *reason = base_json_text_at(figure, "reason");
  put(p, "<figure class=\"wide\" id=\"");
  report_anchor(p->out, "figure-", id);
  put(p, "\">\n<h4>");
  put_element(p, "code", id);
  put(p, " ");
  report_text(p->out, title);
  put(p, " ");
  put_badge(p, base_json_text_at(figure, "status"));
  put(p, "</h4>\n");
  if (reason[0] != '\0') {
    put_element(p, "p class=\"warning\"", reason);
    put(p, "\n");
  }
  const char *base = base_arena_printf(p->arena, "%s/figures/%s", p->report->output, id);
  cJSON *tables = table_names(figure);
  const int drawn = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(figure, "files")) >=
                    3 + cJSON_GetArraySize(tables);
  put(p, "<div class=\"pair\">\n<div>");
  if (drawn) {
    report_image(p->out, base_arena_printf(p->arena, "%s.svg", base), title);
  }
  put(p, "</div>\n<div><figcaption>");
  report_text(p->out, base_json_text_at(figure, "text"));
  if (drawn) {
    put_downloads(p, id, tables);
  }
  fprintf(p->out, "<p class=\"files\"><a href=\"%s\">figure record</a></p></figcaption>\n",
          output_link(p, base_arena_printf(p->arena, "figures/%s.json", id)));
  cJSON_Delete(tables);
  put_checks(p, cJSON_GetObjectItemCaseSensitive(figure, "checks"));
  put(p, "</div>\n</div>\n</figure>\n");
}

static void put_figures(const struct page *p) {
  put(p, "<section id=\"figures\">\n<h2>Figures</h2>\n");
  const char *now = "";
  const cJSON *figure;
  cJSON_ArrayForEach(figure, p->report->figures) {
    const char *name = base_json_text_at(figure, "case");
    if (strcmp(name, now) != 0) {
      put_element(p, "h3", name);
      put(p, "\n");
      now = name;
    }
    put_figure(p, figure);
  }
  put(p, now[0] != '\0' ? "</section>\n" : "<p>None asked for.</p>\n</section>\n");
}

static void put_records(const struct page *p) {
  put(p, "<section id=\"records\">\n<h2>Records</h2>\n<div class=\"scroll tall\"><table "
         "class=\"records\">\n<thead><tr><th>record</th><th>status</th><th>q error</th><th>time "
         "[s]</th><th>to repeat it</th></tr></thead>\n<tbody>\n");
  for (int i = 0; i < p->report->n_records; ++i) {
    const struct report_record *r = &p->report->records[i];
    fprintf(p->out, "<tr><td><a href=\"%s\">", record_link(p, r));
    report_text(p->out, r->name);
    put(p, "</a></td><td>");
    put_badge(p, base_status_name(r->status));
    const char *reason = base_json_text_at(r->json, "reason");
    if (reason[0] != '\0') {
      put_element(p, "div class=\"why\"", reason);
    }
    put(p, "</td><td class=\"number\">");
    report_number(p->out, base_json_real_at(r->json, "errors.q_linf"));
    put(p, "</td><td class=\"number\">");
    report_number(p->out, base_json_real_at(r->json, "timing.total_s"));
    put(p, "</td><td>");
    put_element(p, "code", command_of(r));
    put(p, "</td></tr>\n");
  }
  put(p, "</tbody></table></div>\n</section>\n");
}

static int same_origin(const cJSON *a, const cJSON *b) {
  static const char *const keys[] = {"version", "commit", "dirty",    "compiler",
                                     "flags",   "cpu",    "libraries"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
    if (!cJSON_Compare(cJSON_GetObjectItemCaseSensitive(a, keys[i]),
                       cJSON_GetObjectItemCaseSensitive(b, keys[i]), 1)) {
      return 0;
    }
  }
  return 1;
}

static void put_origin(const struct page *p, const cJSON *origin, int n) {
  static const char *const keys[] = {"version", "commit", "compiler", "flags", "cpu"};
  fprintf(p->out, "<table>\n<tbody>\n<tr><th>records</th><td>%d</td></tr>\n", n);
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
    put(p, "<tr>");
    put_element(p, "th", keys[i]);
    put(p, "<td>");
    report_text(p->out, base_json_text_at(origin, keys[i]));
    if (strcmp(keys[i], "commit") == 0 &&
        cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(origin, "dirty"))) {
      put(p, " with changes not committed");
    }
    put(p, "</td></tr>\n");
  }
  const cJSON *library;
  cJSON_ArrayForEach(library, cJSON_GetObjectItemCaseSensitive(origin, "libraries")) {
    put(p, "<tr>");
    put_element(p, "th", library->string);
    put_element(p, "td", cJSON_IsString(library) ? library->valuestring : "");
    put(p, "</tr>\n");
  }
  put(p, "</tbody></table>\n");
}

/* One table for each build and machine the records come from. */
static void put_provenance(const struct page *p) {
  const struct report *report = p->report;
  put(p, "<section id=\"provenance\">\n<h2>Provenance</h2>\n");
  int *done = base_arena_ints(p->arena, report->n_records);
  for (int i = 0; i < report->n_records; ++i) {
    const cJSON *origin = base_json_at(report->records[i].json, "provenance");
    int n = 0;
    for (int j = i; j < report->n_records && !done[i]; ++j) {
      if (!done[j] && same_origin(origin, base_json_at(report->records[j].json, "provenance"))) {
        done[j] = j > i;
        ++n;
      }
    }
    if (n > 0) {
      put_origin(p, origin, n);
    }
  }
  put(p, "</section>\n");
}

int report_page(const struct report *report) {
  struct page page = {.report = report,
                      .arena = report->arena,
                      .folder = base_arena_printf(report->arena, "%s/report", report->output)};
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
    put_studies(&page);
    put_figures(&page);
    put_records(&page);
    put_provenance(&page);
    put(&page, "</main>\n</body>\n</html>\n");
  }
  fclose(page.out);
  if (status == BASE_OK) {
    status =
        base_file_write(base_arena_printf(report->arena, "%s/index.html", page.folder), text, size);
  }
  free(text);
  return status;
}
