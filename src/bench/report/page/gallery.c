/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Studies on the report page, folded by kind: drawings, captions, links to files, measured orders,
 * largest steps. Drawings are files beside the page, loaded when they come into view.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/page/page.h"

const char *report_output_link(const struct report_page *p, const char *path) {
  return report_link(p->arena, p->folder,
                     base_arena_printf(p->arena, "%s/%s", p->report->output, path));
}

enum { LINKS_SHOWN = 8 }; /* more would be taller than the drawing's caption */

static void put_table_links(const struct report_page *p, const char *id, const cJSON *tables) {
  const cJSON *table;
  cJSON_ArrayForEach(table, tables) {
    fprintf(p->out, " <a href=\"%s\">",
            report_output_link(
                p, base_arena_printf(p->arena, "figures/%s/%s.dat", id, table->valuestring)));
    report_text(p->out, table->valuestring);
    report_put(p, "</a>");
  }
}

/* Links to the drawings and tables of a figure or study; many tables are folded. */
void report_put_downloads(const struct report_page *p, const char *id, const cJSON *tables) {
  report_put(p, "<p class=\"files\">");
  for (int i = 0; i < report_terminals(0); ++i) {
    fprintf(p->out, "<a href=\"%s\">%s</a> ",
            report_output_link(
                p, base_arena_printf(p->arena, "figures/%s.%s", id, report_terminal_names[i])),
            report_terminal_names[i]);
  }
  const int n = cJSON_GetArraySize(tables);
  if (n == 0) {
    report_put(p, "</p>\n");
  } else if (n <= LINKS_SHOWN) {
    report_put(p, "\xc2\xb7 data:");
    put_table_links(p, id, tables);
    report_put(p, "</p>\n");
  } else {
    fprintf(p->out, "</p>\n<details class=\"files\"><summary>data: %d tables</summary><p>", n);
    put_table_links(p, id, tables);
    report_put(p, "</p></details>\n");
  }
}

void report_put_picture(const struct report_page *p, const char *id, const char *title) {
  const char *file = base_arena_printf(p->arena, "figures/%s.svg", id);
  fprintf(p->out, "<a href=\"%s\"><img loading=\"lazy\" alt=\"", report_output_link(p, file));
  report_text(p->out, title);
  fprintf(p->out, " (%s)\" src=\"%s\"/></a>\n", file, report_output_link(p, file));
}

void report_put_study(const struct report_page *p, const cJSON *study, int is_inline) {
  const char *id = base_json_text_at(study, "id");
  report_put(p, "<figure id=\"");
  report_anchor(p->out, "", id);
  report_put(p, "\">\n");
  const char *title = base_json_text_at(study, "title");
  const char *svg = base_arena_printf(p->arena, "%s/figures/%s.svg", p->report->output, id);
  if (strcmp(base_json_text_at(study, "status"), "ok") != 0) {
    report_put_badge(p, "failed");
    report_put_element(p, "p class=\"warning\"", base_json_text_at(study, "reason"));
    report_put(p, "</figure>\n");
    return;
  }
  report_put(p, "<div class=\"scroll drawing\">");
  if (!is_inline || report_image(p->out, svg, title) != BASE_OK) {
    report_put_picture(p, id, title);
  }
  report_put(p, "</div>\n<figcaption>");
  report_put_element(p, "b", title);
  report_put(p, ". ");
  report_text(p->out, base_json_text_at(study, "caption"));
  report_put_downloads(p, id, cJSON_GetObjectItemCaseSensitive(study, "tables"));
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
  fprintf(p->out, "\"><a href=\"%s\">", report_record_link(p, r));
  if (r->status == BASE_UNSUPPORTED || r->status == BASE_TIMEOUT) {
    report_put_badge(p, base_status_name(r->status));
  } else {
    put_limit(p, base_json_real_at(r->json, "search.second.holds"), r);
    report_put(p, "<br/>");
    put_limit(p, base_json_real_at(r->json, "search.holds"), r);
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
    const char *until = base_json_text_at(row->records[0]->json, "search.second.until");
    report_put(p, "<tr><th>");
    report_text(p->out, row->title);
    fprintf(p->out, "<div class=\"why\">%g \xe2\x80\xa6 %g s, to %g s<br/>",
            row_number(row, "search.lo"), row_number(row, "search.hi"), row->t_end);
    report_text(p->out, until[0] != '\0' ? until : "no reference");
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
      report_put_study(p, study, 0);
    }
  }
  report_put(p, n_single > 0 ? "</div></details>\n<div>" : "");
}

/* Of all studies but those of the overview, in the suite's order. */
void report_put_studies(const struct report_page *p) {
  report_put(p, "<section id=\"studies\">\n<h2>Studies</h2>\n");
  int any = 0;
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
    fprintf(p->out,
            "<details class=\"fold\" id=\"studies-%s\"><summary>%s <span class=\"why\">(%d "
            "%s)</span></summary>\n<div class=\"gallery\">\n",
            name, base_json_text_at(first, "of"), n, n == 1 ? "drawing" : "drawings");
    put_drawings(p, name);
    report_put(p, "</div>\n");
    if (strcmp(name, "order") == 0) {
      put_slopes(p);
    }
    if (strcmp(name, "largest-step") == 0) {
      put_searches(p);
    }
    report_put(p, "</details>\n");
  }
  report_put(p,
             any ? "" : "<p>The suite asks for none, or its records have nothing to show.</p>\n");
  report_put(p, "</section>\n");
}
