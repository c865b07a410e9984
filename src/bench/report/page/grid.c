/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Frames as tables of HTML; see grid.h.
 */
#include "bench/report/page/grid.h"

#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/frame/expression.h"
#include "bench/suite/keys.h"

struct grid {
  const struct report_page *p;
  const struct frame *f;
  const cJSON *spec;
  const char *file; /* for messages */
  int status;
  int across, n_across; /* column; -1: none */
  long *firsts;         /* n_across: the first row of each value */
};

/* The column that an entry names; -1: none, or with a message one that is not there. */
static int column_of(struct grid *g, const cJSON *entry, const char *key) {
  const char *name = base_json_text_at(entry, key);
  const int column = name[0] != '\0' ? frame_need(g->f, name, g->file) : -1;
  g->status = name[0] != '\0' && column < 0 ? BASE_E_INPUT : g->status;
  return column;
}

static const cJSON *key_of(const struct grid *g, const char *key) {
  return cJSON_GetObjectItemCaseSensitive(g->spec, key);
}

static int is_set(const cJSON *entry, const char *key) {
  return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(entry, key));
}

/* Do two rows agree in the columns of a list? */
static int agree(struct grid *g, const cJSON *names, long a, long b) {
  const cJSON *name;
  cJSON_ArrayForEach(name, names) {
    const int column = frame_need(g->f, cJSON_GetStringValue(name), g->file);
    g->status = column < 0 ? BASE_E_INPUT : g->status;
    if (column < 0 || frame_compare(frame_at(g->f, a, column), frame_at(g->f, b, column)) != 0) {
      return 0;
    }
  }
  return 1;
}

/* Behind the last row of the line that begins at a row. */
static long end_of(struct grid *g, long begin) {
  const cJSON *groupby = key_of(g, "groupby");
  long end = begin + 1;
  while (groupby != NULL && end < g->f->n_rows && agree(g, groupby, begin, end)) {
    ++end;
  }
  return end;
}

/* ---- values ---- */

static const char PATH[] = "path"; /* a column of files: links are shown of them */

static const char *text_at(const struct grid *g, long row, int column) {
  const struct frame_value *v = column >= 0 ? frame_at(g->f, row, column) : NULL;
  return v == NULL || frame_is_missing(v) || v->kind == FRAME_LIST ? ""
         : v->kind == FRAME_TEXT                                   ? v->text
                                 : frame_short_number(g->p->arena, v->number);
}

static cJSON *json_at(const struct grid *g, long row, int column) {
  const struct frame_value *v = frame_at(g->f, row, column);
  const int is_path = strcmp(g->f->columns[column].name, PATH) == 0;
  return frame_is_missing(v) ? cJSON_CreateNull()
         : is_path           ? cJSON_CreateString(report_link(g->p->arena, g->p->folder, v->text))
         : v->kind == FRAME_NUMBER
             ? cJSON_CreateRaw(base_arena_printf(g->p->arena, "%.4g", v->number))
             : cJSON_CreateString(text_at(g, row, column));
}

/* Rows begin, ..., end - 1 as an attribute: of the columns that are listed, NULL: of all. */
static void put_rows(const struct report_page *p, const struct frame *f, int n, const int *columns,
                     long begin, long end) {
  const struct grid g = {.p = p, .f = f};
  cJSON *rows = cJSON_CreateArray();
  for (long row = begin; row < end; ++row) {
    cJSON *one = cJSON_CreateArray();
    cJSON_AddItemToArray(rows, one);
    for (int i = 0; i < n; ++i) {
      cJSON_AddItemToArray(one, json_at(&g, row, columns != NULL ? columns[i] : i));
    }
  }
  char *text = cJSON_PrintUnformatted(rows);
  report_put(p, " data-of='");
  for (const char *c = text; *c != '\0'; ++c) {
    fprintf(p->out, strchr("<>&'", *c) != NULL ? "&#%d;" : "%c", *c);
  }
  report_put(p, "'");
  cJSON_free(text);
  cJSON_Delete(rows);
}

void report_put_data(const struct report_page *p, const struct frame *f) {
  put_rows(p, f, f->n_columns, NULL, 0, f->n_rows);
}

/* The columns that `data` of an entry lists, of rows begin, ..., end - 1. */
static void put_data(struct grid *g, const cJSON *entry, long begin, long end) {
  const cJSON *data = cJSON_GetObjectItemCaseSensitive(entry, "data");
  int n;
  const int *columns = data != NULL ? frame_columns(g->f, data, g->file, &n) : NULL;
  g->status = data != NULL && columns == NULL ? BASE_E_INPUT : g->status;
  if (columns != NULL) {
    put_rows(g->p, g->f, n, columns, begin, end);
  }
}

static void put_item(struct grid *g, const cJSON *entry, long row) {
  const struct report_page *p = g->p;
  const char *text = text_at(g, row, column_of(g, entry, "text"));
  const char *below = text_at(g, row, column_of(g, entry, "below"));
  const char *href = text_at(g, row, column_of(g, entry, "href"));
  if (href[0] != '\0') {
    report_put(p, "<a href=\"%s\">",
               href[0] == '#' ? href : report_link(p->arena, p->folder, href));
  }
  if (is_set(entry, "badge") && text[0] != '\0') {
    report_put_badge(p, text);
  } else {
    report_text(p->out, text);
  }
  report_put(p, href[0] != '\0' ? "</a>" : "");
  if (below[0] != '\0') {
    report_put(p, "<div class=\"why\">%s</div>", below);
  }
}

/* ---- cells ---- */

static void put_class(struct grid *g, const cJSON *entry, long row) {
  const char *column = text_at(g, row, column_of(g, entry, "class"));
  const char *name = column[0] != '\0' ? column : base_json_text_at(entry, "look");
  if (name[0] != '\0') {
    report_put(g->p, " class=\"%s\"", name);
  }
}

/* How many lines from this one on have the same value; 0: the line before has it. */
static int span_of(struct grid *g, const cJSON *entry, long begin) {
  cJSON *names = cJSON_CreateArray();
  cJSON_AddItemToArray(names, cJSON_CreateString(base_json_text_at(entry, "text")));
  int lines = begin > 0 && agree(g, names, begin - 1, begin) ? 0 : 1;
  for (long at = end_of(g, begin); lines > 0 && at < g->f->n_rows && agree(g, names, begin, at);
       at = end_of(g, at)) {
    ++lines;
  }
  cJSON_Delete(names);
  return lines;
}

static void put_entry(struct grid *g, const cJSON *entry, long begin, long end) {
  const char *tag = is_set(entry, "head") ? "th" : "td";
  const int span = is_set(entry, "span") ? span_of(g, entry, begin) : 1;
  const int text = column_of(g, entry, "text");
  if (span == 0 || text < 0) {
    return;
  }
  report_put(g->p, span > 1 ? "<%s rowspan=\"%d\"" : "<%s", tag, span);
  put_class(g, entry, begin);
  report_put(g->p, ">");
  int n = 0;
  for (long row = begin; row < (is_set(entry, "each") ? end : begin + 1); ++row) {
    if (text_at(g, row, text)[0] != '\0') {
      report_put(g->p, n++ > 0 ? ", " : "");
      put_item(g, entry, row);
    }
  }
  report_put(g->p, "%s</%s>", n == 0 ? base_json_text_at(entry, "empty") : "", tag);
}

/* The line's rows of a value across; the first one that `shown` of the cell holds for is shown. */
static void put_across(struct grid *g, long begin, long end, long first) {
  const cJSON *cell = key_of(g, "cell");
  const struct frame_value *value = frame_at(g->f, first, g->across);
  const int shown = column_of(g, cell, "shown");
  long from = begin, to, at = -1;
  while (from < end && frame_compare(frame_at(g->f, from, g->across), value) != 0) {
    ++from;
  }
  for (to = from; to < end && frame_compare(frame_at(g->f, to, g->across), value) == 0; ++to) {
    at = at < 0 && (shown < 0 || frame_real(g->f, to, shown) > 0) ? to : at;
  }
  report_put(g->p, "<td");
  if (at >= 0) {
    put_class(g, cell, at);
  }
  put_data(g, cell, from, to);
  report_put(g->p, ">");
  if (at >= 0) {
    put_item(g, cell, at);
  } else {
    report_text(g->p->out, base_json_text_at(g->spec, "absent"));
  }
  report_put(g->p, "</td>");
}

/* ---- the table ---- */

/* The first rows of the values across, by rising `sort`. */
static void find_across(struct grid *g) {
  const cJSON *across = key_of(g, "across");
  g->across = across != NULL ? column_of(g, across, "field") : -1;
  const int sort = column_of(g, across, "sort");
  g->firsts = base_arena_push(g->p->arena, ((size_t)g->f->n_rows + 1) * sizeof *g->firsts);
  for (long row = 0; g->across >= 0 && row < g->f->n_rows; ++row) {
    int k = 0;
    while (k < g->n_across && frame_compare(frame_at(g->f, row, g->across),
                                            frame_at(g->f, g->firsts[k], g->across)) != 0) {
      ++k;
    }
    if (k < g->n_across || frame_is_missing(frame_at(g->f, row, g->across))) {
      continue;
    }
    while (k > 0 && sort >= 0 &&
           frame_compare(frame_at(g->f, row, sort), frame_at(g->f, g->firsts[k - 1], sort)) < 0) {
      g->firsts[k] = g->firsts[k - 1];
      --k;
    }
    g->firsts[k] = row;
    ++g->n_across;
  }
}

static void put_head(struct grid *g) {
  const cJSON *entry;
  report_put(g->p, "<thead><tr>");
  cJSON_ArrayForEach(entry, key_of(g, "columns")) {
    report_put(g->p, "<th>%s</th>", base_json_text_at(entry, "title"));
  }
  for (int k = 0; k < g->n_across; ++k) {
    report_put(g->p, "<th");
    put_class(g, key_of(g, "across"), g->firsts[k]);
    put_data(g, key_of(g, "across"), g->firsts[k], g->firsts[k] + 1);
    report_put(g->p, ">%s</th>", text_at(g, g->firsts[k], g->across));
  }
  report_put(g->p, "</tr></thead>\n<tbody>\n");
}

static void put_table(struct grid *g) {
  const cJSON *entry;
  const int under = column_of(g, g->spec, "under");
  report_put(g->p,
             cJSON_HasObjectItem(g->spec, "class")
                 ? "<div class=\"scroll tall\"><table class=\"%s\">\n"
                 : "<div class=\"scroll tall\"><table>\n",
             base_json_text_at(g->spec, "class"));
  find_across(g);
  put_head(g);
  for (long begin = 0, end; begin < g->f->n_rows; begin = end) {
    end = end_of(g, begin);
    if (under >= 0 && (begin == 0 || frame_compare(frame_at(g->f, begin - 1, under),
                                                   frame_at(g->f, begin, under)) != 0)) {
      report_put(g->p, "<tr class=\"group\"><th colspan=\"2\">%s</th></tr>\n",
                 text_at(g, begin, under));
    }
    report_put(g->p, "<tr");
    put_data(g, g->spec, begin, begin + 1);
    report_put(g->p, ">");
    cJSON_ArrayForEach(entry, key_of(g, "columns")) { put_entry(g, entry, begin, end); }
    for (int k = 0; k < g->n_across; ++k) {
      put_across(g, begin, end, g->firsts[k]);
    }
    report_put(g->p, "</tr>\n");
  }
  report_put(g->p, "</tbody></table></div>\n");
}

/* ---- from outside ---- */

int report_put_grid(const struct report_page *p, const struct figure_study *tables,
                    const cJSON *spec) {
  struct grid g = {
      .p = p, .f = report_rows_of(tables, spec), .spec = spec, .file = tables->figure->file->path};
  if (g.f == NULL ||
      base_keys_check(&bench_show_keys, spec, g.file,
                      base_arena_printf(p->arena, "show %s", base_json_text_at(spec, "table")),
                      0) != BASE_OK) {
    return BASE_E_INPUT;
  }
  const int fold = column_of(&g, spec, "fold"), summary = column_of(&g, spec, "summary"),
            before = column_of(&g, spec, "before");
  if (fold < 0) {
    put_table(&g);
    return g.status;
  }
  const struct frame *all = g.f;
  int n;
  const struct frame_value *values = frame_different(all, fold, p->arena, &n);
  for (int i = 0; i < n; ++i) {
    g.f = frame_rows_with(all, fold, &values[i]);
    g.n_across = 0;
    report_put(p, "<details><summary>%s</summary>\n", text_at(&g, 0, summary));
    report_put(p, before >= 0 ? "<p>%s</p>" : "", text_at(&g, 0, before));
    put_table(&g);
    report_put(p, "</details>\n");
  }
  return g.status;
}
