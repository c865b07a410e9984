/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The working table of the page: one number a cell, cases by formulations, as the overview has them
 * (overview/overview.h). A cell shows the error at the step of its row, and carries all runs of its
 * formulation as JSON (attribute data-runs), which scripts/plot/page.js reads: it lets quantity and
 * step be chosen, sorts, filters, and opens a cell.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/overview/overview.h"
#include "bench/report/page/page.h"
#include "form/form.h"

/* ---- runs of a cell ---- */

static cJSON *number(struct base_arena *arena, double x) {
  return isfinite(x) ? cJSON_CreateRaw(base_arena_printf(arena, "%.4g", x)) : cJSON_CreateNull();
}

static void add_text(cJSON *list, const char *text) {
  cJSON_AddItemToArray(list, cJSON_CreateString(text));
}

/* [step, status, quality, [values], kinds, framed (a bit a quantity), record, command,
 * reason, why of the quality, solver]. kinds: a digit a quantity. */
static cJSON *run_of(const struct report_page *p, const struct overview_row *row,
                     const struct report_record *r) {
  const struct overview_row one = {.dt = r->dt, .n = 1, .records = &r};
  const struct overview_row alone = overview_at(p->report, p->report->overview, &one, r->dt);
  const struct overview_cell *own = &alone.cells[r->form];
  const int stands = overview_pick(row, r->form, r->dt) == r;
  cJSON *run = cJSON_CreateArray(), *values = cJSON_CreateArray();
  char kinds[OVERVIEW_QUANTITIES + 1] = "";
  int framed = 0;
  for (int q = 0; q < OVERVIEW_QUANTITIES; ++q) {
    cJSON_AddItemToArray(values, number(p->arena, own->value[q]));
    kinds[q] = (char)('0' + (int)own->kind[q]);
    framed += stands && own->is_best[q] ? 1 << q : 0;
  }
  cJSON_AddItemToArray(run, number(p->arena, r->dt));
  add_text(run, base_status_name(r->status));
  add_text(run, base_json_text_at(r->json, "quality.verdict"));
  cJSON_AddItemToArray(run, values);
  add_text(run, kinds);
  cJSON_AddItemToArray(run, cJSON_CreateNumber(framed));
  add_text(run, report_record_link(p, r));
  add_text(run, base_json_text_at(r->json, "provenance.command"));
  add_text(run, base_json_text_at(r->json, "reason"));
  add_text(run, base_json_text_at(r->json, "quality.why"));
  add_text(run, base_json_text_at(r->json, "solver.name"));
  return run;
}

/* Text into an attribute in single quotes. */
static void put_attribute(const struct report_page *p, const char *name, cJSON *json) {
  char *text = cJSON_PrintUnformatted(json);
  fprintf(p->out, " %s='", name);
  for (const char *c = text; c != NULL && *c != '\0'; ++c) {
    if (*c == '<' || *c == '>' || *c == '&' || *c == '\'') {
      fprintf(p->out, "&#%d;", *c);
    } else {
      fputc(*c, p->out);
    }
  }
  fputc('\'', p->out);
  cJSON_free(text);
  cJSON_Delete(json);
}

static void put_runs(const struct report_page *p, const struct overview_row *row, int form) {
  cJSON *runs = cJSON_CreateArray();
  for (int i = 0; i < row->n; ++i) {
    const struct report_record *r = row->records[i];
    if (r->form == form) {
      cJSON_AddItemToArray(runs, run_of(p, row, r));
    }
  }
  put_attribute(p, "data-runs", runs);
}

/* ---- the static table ---- */

static void put_value(const struct report_page *p, const struct overview_row *row, int form) {
  const struct overview_cell *cell = &row->cells[form];
  const enum overview_kind kind = cell->kind[OVERVIEW_ERROR];
  switch (kind) {
  case OVERVIEW_NUMBER:
    fprintf(p->out, "%.1f%s", overview_shown(row, OVERVIEW_ERROR, cell->value[OVERVIEW_ERROR]),
            cell->record->status == BASE_UNCONVERGED ? "*" : "");
    break;
  case OVERVIEW_ROUNDING:
    report_put(p, "\xe2\x89\x88 0");
    break;
  case OVERVIEW_OWN:
    report_put(p, "ref");
    break;
  case OVERVIEW_FAILED:
    report_put(p, overview_letter(cell->record->status));
    break;
  case OVERVIEW_UNSUPPORTED:
    report_put(p, "n/a");
    break;
  default:
    report_put(p, "\xe2\x80\x93");
  }
}

static void put_cell(const struct report_page *p, const struct overview_row *row, int form) {
  const struct overview_cell *cell = &row->cells[form];
  if (cell->record == NULL) {
    report_put(p, "<td");
    put_runs(p, row, form);
    report_put(p, ">\xc2\xb7</td>");
    return;
  }
  const enum overview_kind kind = cell->kind[OVERVIEW_ERROR];
  report_put(p, "<td class=\"");
  if (kind == OVERVIEW_NUMBER || kind == OVERVIEW_ROUNDING) {
    fprintf(p->out, "c%d",
            kind == OVERVIEW_NUMBER
                ? overview_colour(row, OVERVIEW_ERROR, cell->value[OVERVIEW_ERROR])
                : 0);
  } else {
    report_put(p, kind == OVERVIEW_FAILED ? "bad" : kind == OVERVIEW_UNSUPPORTED ? "off" : "plain");
  }
  report_put(p, cell->is_best[OVERVIEW_ERROR] ? " best\"" : "\"");
  put_runs(p, row, form);
  fprintf(p->out, "><a href=\"%s\">", report_record_link(p, cell->record));
  put_value(p, row, form);
  report_put(p, "</a></td>");
}

/* Is a row shown in a table? In that of the few, where one of them can run it. */
static int is_shown(const struct overview *o, const struct overview_row *row,
                    enum overview_place place) {
  for (int form = 0; form < form_count(); ++form) {
    if (o->place[form] == place && overview_is_supported(row, form)) {
      return 1;
    }
  }
  return place == OVERVIEW_MAIN;
}

static void put_head(const struct report_page *p, const struct overview *o,
                     enum overview_place place) {
  report_put(p, "<thead><tr><th>case</th><th>step</th>");
  for (int pass = 0; pass < 2; ++pass) {
    for (int form = 0; form < form_count(); ++form) {
      if (o->place[form] == (pass == 0 ? place : OVERVIEW_REFERENCE) &&
          (pass == 0 || place == OVERVIEW_MAIN)) {
        fprintf(p->out, "<th data-place=\"%d\"%s>", (int)o->place[form],
                pass > 0 ? " class=\"apart\"" : "");
        report_put_element(p, "span", form_get(form)->name);
        report_put(p, "</th>");
      }
    }
  }
  report_put(p, "</tr></thead>\n");
}

static void put_static(const struct report_page *p, enum overview_place place) {
  const struct overview *o = p->report->overview;
  int n = 0, last = -1;
  for (int form = 0; form < form_count(); ++form) {
    n += o->place[form] == place;
  }
  if (n == 0) {
    return;
  }
  if (place == OVERVIEW_SMOOTH_ONLY) {
    report_put(p, "<h3>Formulations that serve smooth motion alone</h3>\n");
  }
  fprintf(p->out, "<div class=\"scroll\"><table class=\"grid\" data-place=\"%d\">\n", (int)place);
  put_head(p, o, place);
  report_put(p, "<tbody>\n");
  for (int k = 0; k < o->n; ++k) {
    const struct overview_row *row = &o->rows[k];
    if (!is_shown(o, row, place)) {
      continue;
    }
    if ((int)row->group != last) {
      last = (int)row->group;
      fprintf(p->out, "<tr class=\"group\" data-group=\"%d\"><th colspan=\"2\">%s</th></tr>\n",
              last, overview_group_names[last]);
    }
    fprintf(p->out, "<tr data-dt=\"%.4g\" data-end=\"%.4g\" data-reference=\"%s\">", row->dt,
            row->t_end, row->reference);
    report_put_element(p, "th", row->title);
    fprintf(p->out, "<td class=\"step\">%g s</td>", row->dt);
    for (int pass = 0; pass < 2; ++pass) {
      for (int form = 0; form < form_count(); ++form) {
        if (o->place[form] == (pass == 0 ? place : OVERVIEW_REFERENCE) &&
            (pass == 0 || place == OVERVIEW_MAIN)) {
          put_cell(p, row, form);
        }
      }
    }
    report_put(p, "</tr>\n");
  }
  report_put(p, "</tbody></table></div>\n");
}

static cJSON *measures_of(const struct report_page *p) {
  cJSON *all = cJSON_CreateArray();
  for (int q = 0; q < OVERVIEW_QUANTITIES; ++q) {
    const struct overview_measure *m = &overview_measures[q];
    cJSON *one = cJSON_CreateObject();
    cJSON_AddStringToObject(one, "title", m->title);
    cJSON_AddStringToObject(one, "shown", m->shown);
    cJSON_AddBoolToObject(one, "log", m->is_log);
    cJSON_AddBoolToObject(one, "over", m->is_over_least);
    cJSON_AddItemToObject(one, "lo", number(p->arena, m->lo));
    cJSON_AddItemToObject(one, "hi", number(p->arena, m->hi));
    cJSON_AddItemToArray(all, one);
  }
  return all;
}

/* What the numbers of the runs are. */
static void put_measures(const struct report_page *p) {
  cJSON *json = cJSON_CreateObject();
  cJSON_AddItemToObject(json, "list", measures_of(p));
  cJSON_AddNumberToObject(json, "colours", OVERVIEW_COLOURS);
  report_put(p, "<div id=\"controls\" hidden=\"hidden\"");
  put_attribute(p, "data-measures", json);
  report_put(p, "></div>\n");
}

void report_put_table(const struct report_page *p) {
  const struct overview *o = p->report->overview;
  report_put(p, "<section id=\"table\">\n<h2>Table</h2>\n");
  if (o->n == 0) {
    report_put(p, "<p>All runs here belong to figures.</p>\n</section>\n");
    return;
  }
  put_measures(p);
  report_put(p, "<details><summary>How to read it</summary><p>");
  report_text(p->out, overview_caption(p->report, o, OVERVIEW_ERROR));
  report_put(p, " Without script a cell leads to its record.</p></details>\n");
  put_static(p, OVERVIEW_MAIN);
  put_static(p, OVERVIEW_SMOOTH_ONLY);
  report_put(
      p,
      "<p class=\"files\">As files: these numbers <a href=\"overview.csv\">overview.csv</a>, the "
      "best run of each formulation over all its steps <a href=\"matrix.csv\">matrix.csv</a>, "
      "every record "
      "<a href=\"records.csv\">records.csv</a>.</p>\n</section>\n");
}
