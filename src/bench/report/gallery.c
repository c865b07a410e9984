/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Studies and figures on the report page: drawings, captions, links to files, measured orders, and
 * what every figure must show beside what was measured and published.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/page.h"

static const char *output_link(const struct report_page *p, const char *path) {
  return report_link(p->arena, p->folder,
                     base_arena_printf(p->arena, "%s/%s", p->report->output, path));
}

/* Links to the drawings and tables of a figure or study. */
static void put_downloads(const struct report_page *p, const char *id, const cJSON *tables) {
  static const char *const extensions[] = {"pdf", "svg", "png"};
  report_put(p, "<p class=\"files\">");
  for (int i = 0; i < 3; ++i) {
    fprintf(p->out, "<a href=\"%s\">%s</a> ",
            output_link(p, base_arena_printf(p->arena, "figures/%s.%s", id, extensions[i])),
            extensions[i]);
  }
  const cJSON *table;
  report_put(p, "\xc2\xb7 data:");
  cJSON_ArrayForEach(table, tables) {
    fprintf(
        p->out, " <a href=\"%s\">",
        output_link(p, base_arena_printf(p->arena, "figures/%s/%s.dat", id, table->valuestring)));
    report_text(p->out, table->valuestring);
    report_put(p, "</a>");
  }
  report_put(p, "</p>\n");
}

static void put_study(const struct report_page *p, const cJSON *study) {
  const char *id = base_json_text_at(study, "id");
  report_put(p, "<figure id=\"");
  report_anchor(p->out, "", id);
  report_put(p, "\">\n");
  const char *svg = base_arena_printf(p->arena, "%s/figures/%s.svg", p->report->output, id);
  if (strcmp(base_json_text_at(study, "status"), "ok") != 0 ||
      report_image(p->out, svg, base_json_text_at(study, "title")) != BASE_OK) {
    report_put_badge(p, "failed");
    report_put_element(p, "p class=\"warning\"", base_json_text_at(study, "reason"));
    report_put(p, "</figure>\n");
    return;
  }
  report_put(p, "\n<figcaption>");
  report_put_element(p, "b", base_json_text_at(study, "title"));
  report_put(p, ". ");
  report_text(p->out, base_json_text_at(study, "caption"));
  put_downloads(p, id, cJSON_GetObjectItemCaseSensitive(study, "tables"));
  report_put(p, "</figcaption>\n</figure>\n");
}

static void put_slope_cell(const struct report_page *p, const char *row, const char *form,
                           const char *quantity) {
  const cJSON *fit;
  cJSON_ArrayForEach(fit, p->report->slopes) {
    if (strcmp(base_json_text_at(fit, "row"), row) != 0 ||
        strcmp(base_json_text_at(fit, "formulation"), form) != 0 ||
        strcmp(base_json_text_at(fit, "quantity"), quantity) != 0) {
      continue;
    }
    const double slope = base_json_real_at(fit, "slope"), spread = base_json_real_at(fit, "spread");
    report_put(p, "<td class=\"number\">");
    if (isfinite(slope)) {
      fprintf(p->out, "%.2f", fabs(slope) < 0.005 ? 0 : slope); /* no "-0.00" */
      if (isfinite(spread)) {
        fprintf(p->out, " \xc2\xb1 %.2f", spread);
      }
    } else {
      report_put(p, "\xe2\x80\x93");
    }
    fprintf(p->out, " <span class=\"why\">(%.0f)</span></td>", base_json_real_at(fit, "points"));
    return;
  }
  report_put(p, "<td class=\"none\">\xe2\x80\x93</td>");
}

static int has_slope(const struct report *report, const char *row, const char *quantity) {
  const cJSON *fit;
  cJSON_ArrayForEach(fit, report->slopes) {
    if (strcmp(base_json_text_at(fit, "row"), row) == 0 &&
        strcmp(base_json_text_at(fit, "quantity"), quantity) == 0) {
      return 1;
    }
  }
  return 0;
}

static void put_slopes(const struct report_page *p) {
  const struct report *report = p->report;
  if (cJSON_GetArraySize(report->slopes) == 0) {
    return;
  }
  report_put(
      p,
      "<h4>Measured orders</h4>\n<p>Slopes of log error against log dt by least squares, \xc2\xb1 "
      "standard error (points used), of the coordinates' error q, the velocity graphs' u and the "
      "energy drift E. Errors within ten times the reference's own bound are left out: they would "
      "measure the reference; so are those of 1e-12 of the coordinates, of the speed or of the "
      "energy: "
      "they are rounding. Fewer than three points have no slope.</p>\n<div "
      "class=\"scroll tall\"><table>\n"
      "<thead><tr><th>case</th><th>of</th>");
  for (int form = 0; form < form_count(); ++form) {
    report_put_element(p, "th", form_get(form)->name);
  }
  report_put(p, "</tr></thead>\n<tbody>\n");
  static const char *const quantities[] = {"q_linf", "u_hausdorff", "drift"};
  static const char *const shown[] = {"q", "u", "E"};
  for (int k = 0; k < report->n_rows; ++k) {
    int n = 0;
    for (int i = 0; i < 3; ++i) {
      n += has_slope(report, report->rows[k].title, quantities[i]);
    }
    for (int i = 0, first = 1; i < 3; ++i) {
      if (!has_slope(report, report->rows[k].title, quantities[i])) {
        continue;
      }
      report_put(p, "<tr>");
      if (first) {
        report_put_element(p, base_arena_printf(p->arena, "th rowspan=\"%d\"", n),
                           report->rows[k].title);
        first = 0;
      }
      report_put_element(p, "td", shown[i]);
      for (int form = 0; form < form_count(); ++form) {
        put_slope_cell(p, report->rows[k].title, form_get(form)->name, quantities[i]);
      }
      report_put(p, "</tr>\n");
    }
  }
  report_put(p, "</tbody></table></div>\n");
}

/* A limit found, or what is known of it: on the upper end it is at least that. */
static void put_limit(const struct report_page *p, double dt, const struct report_record *r) {
  if (isnan(dt)) {
    report_put(p, "\xe2\x80\x93");
    return;
  }
  report_put(p, dt >= base_json_real_at(r->json, "search.hi") ? "\xe2\x89\xa5 " : "");
  fprintf(p->out, "%.3g", dt);
}

static void put_search_cell(const struct report_page *p, const struct report_record *r) {
  if (r == NULL) {
    report_put(p, "<td class=\"none\">not run</td>");
    return;
  }
  report_put(p, "<td class=\"number\" title=\"");
  report_text(p->out, base_json_text_at(r->json, "reason"));
  fprintf(p->out, "\"><a href=\"%s\">",
          report_link(p->arena, p->folder,
                      base_arena_printf(p->arena, "%s/%s.json", p->report->folder, r->name)));
  if (r->status == BASE_UNSUPPORTED || r->status == BASE_TIMEOUT) {
    report_put_badge(p, base_status_name(r->status));
  } else {
    put_limit(p, base_json_real_at(r->json, "search.largest_accurate_dt"), r);
    report_put(p, "<br/>");
    put_limit(p, base_json_real_at(r->json, "search.largest_stable_dt"), r);
  }
  report_put(p, "</a></td>");
}

/* The first number that a record of the row has under a key. */
static double row_number(const struct report_row *row, const char *key) {
  double x = NAN;
  for (int i = 0; i < row->n && isnan(x); ++i) {
    x = base_json_real_at(row->records[i]->json, key);
  }
  return x;
}

/* A formulation that was not searched, or can express none of the cases, has no column. */
static int is_searched(const struct report *report, int form) {
  for (int k = 0; k < report->n_searches; ++k) {
    const struct report_record *r = report_search_of(&report->searches[k], form);
    if (r != NULL && r->status != BASE_UNSUPPORTED) {
      return 1;
    }
  }
  return 0;
}

static void put_searches(const struct report_page *p) {
  const struct report *report = p->report;
  report_put(p, "<p>Steps in s. Above: the largest that is accurate, its largest error of "
                "the coordinates [m, rad] below the one given (a dash: none of the range, or no "
                "reference); below: the largest that does not diverge. Bisection takes it that "
                "what holds at a step holds at smaller ones; all trials are in the records. A "
                "formulation that divides its steps itself (an adaptive <code>penalty</code>) "
                "has none; those that can express no case are left out. The same numbers: <a "
                "href=\"largest-step.csv\">largest-step.csv</a>."
                "</p>\n<div class=\"scroll\"><table>\n<thead><tr><th>case</th>");
  for (int form = 0; form < form_count(); ++form) {
    if (is_searched(report, form)) {
      report_put_element(p, "th", form_get(form)->name);
    }
  }
  report_put(p, "</tr></thead>\n<tbody>\n");
  for (int k = 0; k < report->n_searches; ++k) {
    const struct report_row *row = &report->searches[k];
    const double error = row_number(row, "search.limit") * row_number(row, "search.length");
    report_put(p, "<tr><th>");
    report_text(p->out, row->title);
    fprintf(p->out, "<div class=\"why\">%g \xe2\x80\xa6 %g s, to %g s<br/>",
            row_number(row, "search.lo"), row_number(row, "search.hi"), row->t_end);
    if (error > 0) {
      fprintf(p->out, "error below %.3g", error);
    } else {
      report_put(p, "no reference");
    }
    report_put(p, "</div></th>");
    for (int form = 0; form < form_count(); ++form) {
      if (is_searched(report, form)) {
        put_search_cell(p, report_search_of(row, form));
      }
    }
    report_put(p, "</tr>\n");
  }
  report_put(p, "</tbody></table></div>\n");
}

/* A link to the studies of one kind, if there are any. */
static void put_study_index(const struct report_page *p, const char *name, const char *title) {
  int n = 0;
  const cJSON *study;
  cJSON_ArrayForEach(study, p->report->studies) {
    n += strcmp(base_json_text_at(study, "study"), name) == 0;
  }
  if (n > 0) {
    fprintf(p->out, "<span><a href=\"#studies-%s\">%s</a> (%d)</span> ", name, title, n);
  }
}

void report_put_studies(const struct report_page *p) {
  static const char *const names[] = {"energy",       "energy-step",     "order", "work-precision",
                                      "largest-step", "profile",         "race",  "scaling",
                                      "tolerance",    "what-is-measured"};
  static const char *const titles[] = {"Energy",
                                       "Energy against step",
                                       "Order of convergence",
                                       "Work and precision",
                                       "Largest step",
                                       "Performance profiles",
                                       "Race with the solvers of others",
                                       "Cost against the number of bodies",
                                       "Change by the tolerance",
                                       "What a comparison measures"};
  enum { STUDIES = sizeof names / sizeof *names, SLOPES_AFTER = 2, SEARCHES_AFTER = 4 };
  report_put(p, "<section id=\"studies\">\n<h2>Studies</h2>\n");
  const int n_studies = cJSON_GetArraySize(p->report->studies);
  report_put(p, n_studies > 0 ? "<p class=\"index\">" : "");
  for (int i = 0; i < STUDIES; ++i) {
    put_study_index(p, names[i], titles[i]);
  }
  report_put(p, n_studies > 0 ? "</p>\n" : "");
  int any = 0;
  for (int i = 0; i < STUDIES; ++i) {
    const cJSON *study;
    int first = 1;
    cJSON_ArrayForEach(study, p->report->studies) {
      if (strcmp(base_json_text_at(study, "study"), names[i]) != 0) {
        continue;
      }
      if (first) {
        fprintf(p->out, "<h3 id=\"studies-%s\">%s</h3>\n<div class=\"gallery\">\n", names[i],
                titles[i]);
        first = 0;
        any = 1;
      }
      put_study(p, study);
    }
    report_put(p, first ? "" : "</div>\n");
    if (i == SLOPES_AFTER) {
      put_slopes(p);
    }
    if (i == SEARCHES_AFTER && !first) {
      put_searches(p);
    }
  }
  report_put(p,
             any ? "" : "<p>The suite asks for none, or its records have nothing to show.</p>\n");
  report_put(p, "</section>\n");
}

static void put_measured(const struct report_page *p, const cJSON *item, int digits) {
  const double measured = base_json_real_at(item, "measured");
  report_put(p, "<td class=\"number\">");
  if (isfinite(measured)) {
    fprintf(p->out, "%.*g", digits, measured);
  } else {
    report_put(p, "missing");
  }
  report_put(p, "</td>");
}

static void put_check(const struct report_page *p, const cJSON *check) {
  const double lo = base_json_real_at(check, "lo"), hi = base_json_real_at(check, "hi");
  const int digits = report_digits(lo, hi);
  const char *reason = base_json_text_at(check, "reason");
  report_put(p, "<tr><td>");
  report_put_badge(p, base_json_text_at(check, "verdict"));
  report_put(p, "</td>");
  report_put_element(p, "td", base_json_text_at(check, "what"));
  put_measured(p, check, digits);
  fprintf(p->out, "<td class=\"number\">%.*g \xe2\x80\xa6 %.*g</td>", digits, lo, digits, hi);
  report_put_element(p, "td", base_json_text_at(check, "expected"));
  report_put(p, "<td>");
  report_text(p->out, base_json_text_at(check, "published"));
  if (reason[0] != '\0') {
    report_put_element(p, "div class=\"why\"", reason);
  }
  report_put(p, "</td></tr>\n");
}

static void put_report(const struct report_page *p, const cJSON *report) {
  report_put(p, "<tr><td>");
  report_put_badge(p, case_verdict_names[CASE_REPORTED]);
  report_put(p, "</td>");
  report_put_element(p, "td", base_json_text_at(report, "what"));
  put_measured(p, report, 6);
  report_put(p, "<td></td>");
  report_put_element(p, "td", base_json_text_at(report, "note"));
  report_put(p, "<td></td></tr>\n");
}

/* Checks first, then what is reported only. */
static void put_checks(const struct report_page *p, const cJSON *figure) {
  const cJSON *checks = cJSON_GetObjectItemCaseSensitive(figure, "checks"), *item;
  const cJSON *reports = cJSON_GetObjectItemCaseSensitive(figure, "reports");
  if (cJSON_GetArraySize(checks) + cJSON_GetArraySize(reports) == 0) {
    return;
  }
  report_put(p, "<div class=\"scroll\"><table class=\"checks\">\n<thead><tr><th></th><th>value</th>"
                "<th>measured</th><th>claimed</th><th>expected</th><th>published</th></tr></thead>"
                "\n<tbody>\n");
  cJSON_ArrayForEach(item, checks) { put_check(p, item); }
  cJSON_ArrayForEach(item, reports) { put_report(p, item); }
  report_put(p, "</tbody></table></div>\n");
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

static void put_figure(const struct report_page *p, const cJSON *figure) {
  const char *id = base_json_text_at(figure, "id"), *title = base_json_text_at(figure, "title");
  const char *reason = base_json_text_at(figure, "reason");
  report_put(p, "<figure class=\"wide\" id=\"");
  report_anchor(p->out, "figure-", id);
  report_put(p, "\">\n<h4>");
  report_put_element(p, "code", id);
  report_put(p, " ");
  report_text(p->out, title);
  report_put(p, " ");
  report_put_badge(p, base_json_text_at(figure, "status"));
  report_put(p, "</h4>\n");
  if (reason[0] != '\0') {
    report_put_element(p, "p class=\"warning\"", reason);
    report_put(p, "\n");
  }
  const char *base = base_arena_printf(p->arena, "%s/figures/%s", p->report->output, id);
  cJSON *tables = table_names(figure);
  const int drawn = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(figure, "files")) >=
                    3 + cJSON_GetArraySize(tables);
  report_put(p, "<div class=\"pair\">\n<div>");
  if (drawn) {
    report_image(p->out, base_arena_printf(p->arena, "%s.svg", base), title);
  }
  report_put(p, "</div>\n<div><figcaption>");
  report_text(p->out, base_json_text_at(figure, "text"));
  if (drawn) {
    put_downloads(p, id, tables);
  }
  fprintf(p->out, "<p class=\"files\"><a href=\"%s\">figure record</a></p></figcaption>\n",
          output_link(p, base_arena_printf(p->arena, "figures/%s.json", id)));
  cJSON_Delete(tables);
  put_checks(p, figure);
  report_put(p, "</div>\n</div>\n</figure>\n");
}

/* Links to all figures; those that do not show what they must bear a mark. */
static void put_figure_index(const struct report_page *p) {
  const cJSON *figure;
  report_put(p, "<p class=\"index\">");
  cJSON_ArrayForEach(figure, p->report->figures) {
    const char *id = base_json_text_at(figure, "id"), *status = base_json_text_at(figure, "status");
    report_put(p, "<span><a href=\"#");
    report_anchor(p->out, "figure-", id);
    report_put(p, "\">");
    report_text(p->out, id);
    report_put(p, "</a>");
    if (strcmp(status, "ok") != 0) {
      report_put(p, " ");
      report_put_badge(p, status);
    }
    report_put(p, "</span> ");
  }
  report_put(p, "</p>\n");
}

void report_put_figures(const struct report_page *p) {
  report_put(p, "<section id=\"figures\">\n<h2>Figures</h2>\n");
  if (cJSON_GetArraySize(p->report->figures) > 0) {
    put_figure_index(p);
  }
  const char *now = "";
  const cJSON *figure;
  cJSON_ArrayForEach(figure, p->report->figures) {
    const char *name = base_json_text_at(figure, "case");
    if (strcmp(name, now) != 0) {
      report_put_element(p, "h3", name);
      report_put(p, "\n");
      now = name;
    }
    put_figure(p, figure);
  }
  report_put(p, now[0] != '\0' ? "</section>\n" : "<p>None asked for.</p>\n</section>\n");
}
