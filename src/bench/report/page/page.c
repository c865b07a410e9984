/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page: one HTML file with its style, its script and the first drawings inside; the others are
 * files beside it, loaded when they come into view. What stands on it, in which order, is said in
 * scripts/plot/page.json: answers to what a reader asks first, and sections. Most sections are
 * tables of frames (grid.h); `part` names those that are not. `text` may have gaps {...},
 * expressions of the columns of the section's first table; where that has no rows, `empty` stands
 * in place of all. `csv` lists the tables that are files, too. Without script everything but
 * choosing, sorting and filtering is there. Statuses are told by words as well as by colours. Links
 * to records and drawings are relative, so that a folder of results can be moved as a whole. The
 * markup is also well-formed XML.
 */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/page/grid.h"
#include "form/form.h"

void report_put(const struct report_page *p, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  for (const char *c; (c = strchr(format, '%')) != NULL; format = c + 2) {
    fwrite(format, 1, (size_t)(c - format), p->out);
    if (c[1] == 's') {
      report_text(p->out, va_arg(arguments, const char *));
    } else {
      fprintf(p->out, "%d", va_arg(arguments, int));
    }
  }
  va_end(arguments);
  fputs(format, p->out);
}

void report_put_badge(const struct report_page *p, const char *status) {
  report_put(p, "<span class=\"badge %s\">%s</span>", status, status);
}

/* One of the files that the page takes in as they are; NULL: it cannot be read. To be freed. */
static char *read_part(const struct report_page *p, const char *name) {
  char *text = NULL;
  size_t size;
  const char *path = base_data_path(p->arena, name);
  return path != NULL && base_file_read(path, &text, &size) == BASE_OK ? text : NULL;
}

int report_put_start(const struct report_page *p, const char *title, const char *heading) {
  char *style = read_part(p, "scripts/plot/page.css");
  if (style == NULL) {
    return BASE_E_IO;
  }
  report_put(
      p,
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>%s - "
      "coulombench</title>\n<style>\n",
      title);
  fputs(style, p->out);
  free(style);
  report_put(p, "</style>\n</head>\n<body>\n<header>\n<h1>coulombench: %s</h1>", heading);
  return BASE_OK;
}

/* That the page compares some motions alone, where they are too many. */
static void put_thinned(const struct report_page *p) {
  const struct frame *f = p->report->motions;
  double all = 0, shown = 0;
  for (long row = 0; row < f->n_rows; ++row) {
    all = fmax(all, report_real(f, row, "motions"));
    shown = fmax(shown, report_real(f, row, "row"));
  }
  if (shown < all) {
    report_put(
        p,
        "<p class=\"warning\">%d motions are too many for one page: %d of them, evenly spread, "
        "are compared on it. Every run is in table/records.csv.</p>\n",
        (int)all, (int)shown);
  }
}

static int put_head(const struct report_page *p) {
  const char *title = p->report->suite != NULL && p->report->suite->title[0] != '\0'
                          ? p->report->suite->title
                          : "Results";
  const char *finding = report_sentence(&p->tables, base_json_at(p->json, "finding"));
  if (finding == NULL) {
    return BASE_E_INPUT;
  }
  const int begun = report_put_start(p, title, finding[0] != '\0' ? finding : title);
  if (begun != BASE_OK) {
    return begun;
  }
  report_put(p, "\n<p class=\"lead\">");
  if (p->report->suite != NULL) {
    report_put(p, "Suite <b>%s</b>: %s. ", p->report->suite->name, title);
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
  report_put(p, "%d runs", p->report->n_records);
  for (int status = 0; status < 8; ++status) {
    if (counts[status] > 0) {
      report_put(p, " \xc2\xb7 <span>%d ", counts[status]);
      report_put_badge(p, base_status_name(status));
      report_put(p, "</span>");
    }
  }
  if (figures > 0) {
    report_put(p, " \xc2\xb7 %d of %d figures show what they must", figures - failed, figures);
  }
  report_put(p, "</p>\n");
  if (p->report->is_so_far) {
    const int n = p->report->suite != NULL ? p->report->suite->n : 0;
    report_put(p,
               "<p class=\"warning\">So far: %d of %d cells have been run, %d figures are to come. "
               "The page is written again while the suite runs.</p>\n",
               n - p->report->n_missing, n, p->report->n_to_come);
  } else if (p->report->n_missing > 0) {
    report_put(p, "<p class=\"warning\">%d cells of the suite have no record.</p>\n",
               p->report->n_missing);
  }
  put_thinned(p);
  const int n_damaged = p->report->n_damaged + p->report->n_damaged_solutions;
  if (n_damaged > 0) {
    report_put(p, "<p class=\"warning\">%d files of records are damaged and left out.</p>\n",
               n_damaged);
  }
  report_put(p, "</header>\n<main>\n<nav>");
  const cJSON *section;
  cJSON_ArrayForEach(section, base_json_at(p->json, "sections")) {
    const char *name = base_json_text_at(section, "short");
    report_put(p, "<a href=\"#%s\">%s</a> ", base_json_text_at(section, "id"),
               name[0] != '\0' ? name : base_json_text_at(section, "title"));
  }
  report_put(p, "</nav>\n");
  return BASE_OK;
}

int report_is_of_overview(const char *study) {
  return strcmp(study, "overview") == 0 || strcmp(study, "data-profile") == 0;
}

/* The first picture of the overview and the data profile are in the page, the others folded. */
static void put_overview(const struct report_page *p) {
  const cJSON *study;
  int n = 0, n_folded = 0;
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
        report_put_study(p, study, pass != 1, pass == 1);
        ++n;
      }
    }
    report_put(p, pass == 1 && n_folded > 0 ? "</details>\n" : "");
  }
  report_put(p,
             n > 0 ? "" : "<p>The suite does not ask for it (study <code>overview</code>).</p>\n");
}

static void put_ratios(const struct report_page *p) {
  const cJSON *study;
  cJSON_ArrayForEach(study, p->report->studies) { report_put_study(p, study, 1, 0); }
  report_put(p, cJSON_GetArraySize(p->report->studies) > 0
                    ? ""
                    : "<p>No number that can be compared changed.</p>\n");
}

/* ---- what frames show ---- */

static const char *where(const struct report_page *p) { return p->tables.figure->file->path; }

/* The id of a study's drawing, where it stands on the page; else that of the table. */
static const char *place_of(const struct report_page *p, const char *id) {
  const cJSON *study;
  cJSON_ArrayForEach(study, p->report->studies) {
    if (strcmp(base_json_text_at(study, "id"), id) == 0) {
      return id;
    }
  }
  return strncmp(id, "study-", 6) == 0 ? "table" : id;
}

/* A text in which names of formulations lead to what they are. */
static void put_linked(const struct report_page *p, const char *text) {
  static const char word[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
  while (*text != '\0') {
    const size_t n = strspn(text, word), length = n > 0 ? n : strcspn(text, word);
    const char *part = base_arena_printf(p->arena, "%.*s", (int)length, text);
    int i = 0;
    while (i < form_count() && strcmp(form_get(i)->name, part) != 0) {
      ++i;
    }
    if (i < form_count()) {
      report_put(p, "<a href=\"#form-%s\">%s</a>", part, part);
    } else {
      report_put(p, "%s", part);
    }
    text += length;
  }
}

/* What a reader asks first: a line a question, with a link to where all of the answer stands. */
static int put_answers(const struct report_page *p) {
  const cJSON *answer;
  report_put(p, "<table class=\"answers\">\n<tbody>\n");
  cJSON_ArrayForEach(answer, base_json_at(p->json, "answers")) {
    const cJSON *says = cJSON_GetObjectItemCaseSensitive(answer, "says");
    const int has_table = cJSON_HasObjectItem(answer, "table");
    const struct frame *f = has_table ? report_rows_of(&p->tables, answer) : NULL;
    const char *text = says != NULL ? report_sentence(&p->tables, says)
                       : !has_table ? base_json_text_at(answer, "text")
                       : f == NULL  ? NULL
                       : f->n_rows == 0
                           ? base_json_text_at(answer, "empty")
                           : report_filled(f, base_json_text_at(answer, "text"), where(p));
    if (text == NULL) {
      return BASE_E_INPUT;
    }
    report_put(p, "<tr><th><a href=\"#%s\">%s</a></th><td>",
               place_of(p, base_json_text_at(answer, "link")), base_json_text_at(answer, "title"));
    put_linked(p, text);
    report_put(p, "</td></tr>\n");
  }
  report_put(p, "</tbody></table>\n");
  return BASE_OK;
}

/* What page.js needs to let a reader choose: hidden where there is no script. */
static int put_controls(const struct report_page *p, const char *table) {
  const struct frame *f = figure_study_table(&p->tables, table);
  if (f == NULL) {
    return BASE_E_INPUT;
  }
  report_put(p, "<div id=\"controls\" hidden=\"hidden\"");
  report_put_data(p, f);
  report_put(p, "></div>\n");
  return BASE_OK;
}

static void put_links(const struct report_page *p, const cJSON *section) {
  const cJSON *link;
  report_put(p, "<p class=\"files\">As files: %s:", base_json_text_at(section, "files"));
  cJSON_ArrayForEach(link, cJSON_GetObjectItemCaseSensitive(section, "links")) {
    report_put(p, " <a href=\"%s\">%s</a>", link->valuestring, link->valuestring);
  }
  report_put(p, "</p>\n");
}

int report_put_shows(const struct report_page *p, const struct figure_study *tables,
                     const cJSON *shows) {
  const cJSON *show;
  int status = BASE_OK;
  cJSON_ArrayForEach(show, shows) {
    const struct frame *f = report_rows_of(tables, show);
    if (f == NULL) {
      return BASE_E_INPUT;
    }
    if (f->n_rows > 0 && status == BASE_OK) {
      const char *title = base_json_text_at(show, "title");
      const char *text =
          report_filled(f, base_json_text_at(show, "text"), tables->figure->file->path);
      if (text == NULL) {
        return BASE_E_INPUT;
      }
      report_put(p, title[0] != '\0' ? "<h3>%s</h3>" : "", title);
      report_put(p, text[0] != '\0' ? "<p>%s</p>" : "", text);
      status = report_put_grid(p, tables, show);
    }
  }
  return status;
}

/* A section of tables alone; where the first has no rows, nothing but what says so. */
static int put_shown(const struct report_page *p, const cJSON *section) {
  const cJSON *shows = cJSON_GetObjectItemCaseSensitive(section, "show");
  const cJSON *details = cJSON_GetObjectItemCaseSensitive(section, "details");
  const char *controls = base_json_text_at(section, "controls");
  const struct frame *first = report_rows_of(&p->tables, cJSON_GetArrayItem(shows, 0));
  if (first == NULL) {
    return BASE_E_INPUT;
  }
  if (first->n_rows == 0) {
    report_put(p, "<p>%s</p>", base_json_text_at(section, "empty"));
    return BASE_OK;
  }
  const char *text = report_filled(first, base_json_text_at(section, "text"), where(p));
  int status = text != NULL ? BASE_OK : BASE_E_INPUT;
  if (status == BASE_OK && text[0] != '\0') {
    report_put(p, "<p>%s</p>", text);
  }
  if (status == BASE_OK && controls[0] != '\0') {
    status = put_controls(p, controls);
  }
  if (details != NULL) {
    report_put(p, "<details><summary>%s</summary><p>%s</p></details>\n",
               base_json_text_at(details, "title"), base_json_text_at(details, "text"));
  }
  status = status != BASE_OK ? status : report_put_shows(p, &p->tables, shows);
  if (cJSON_HasObjectItem(section, "links")) {
    put_links(p, section);
  }
  return status;
}

int report_put_section(const struct report_page *p, const cJSON *section, int *failed) {
  const char *part = base_json_text_at(section, "part");
  int status = BASE_OK;
  report_put(p, "<section id=\"%s\">\n<h2>%s</h2>\n", base_json_text_at(section, "id"),
             base_json_text_at(section, "title"));
  if (part[0] == '\0') {
    status = put_shown(p, section);
  } else if (strcmp(part, "overview") == 0) {
    put_overview(p);
  } else if (strcmp(part, "ratios") == 0) {
    put_ratios(p);
  } else if (strcmp(part, "questions") == 0) {
    *failed += report_put_chapters(p);
  } else if (strcmp(part, "cases") == 0) {
    report_put_cases(p);
  } else if (strcmp(part, "glossary") == 0) {
    report_put_glossary(p);
  } else if (strcmp(part, "figures") == 0) {
    status = report_put_figures(p);
  } else {
    status = report_put_studies(p);
  }
  report_put(p, "</section>\n");
  return status;
}

/* Where links lead, and the script that makes the table work. */
static int put_foot(const struct report_page *p) {
  char *script = read_part(p, "scripts/plot/page.js");
  if (script == NULL) {
    return BASE_E_IO;
  }
  report_put(p,
             "</main>\n<footer>\n<p id=\"moved\">Links lead to records in <code>%s</code> and to "
             "drawings in <code>../figures</code>, seen from the folder of this page: move them "
             "together. All records in a table: <a href=\"records.csv\">records.csv</a>.</p>\n"
             "</footer>\n",
             report_link(p->arena, p->folder, p->report->folder));
  fprintf(p->out, "<script>//<![CDATA[\n%s//]]></script>\n</body>\n</html>\n", script);
  free(script);
  return BASE_OK;
}

static int put_page(const struct report_page *p, void *failed) {
  const cJSON *section;
  int status = put_head(p);
  status = status != BASE_OK ? status : put_answers(p);
  cJSON_ArrayForEach(section, base_json_at(p->json, "sections")) {
    status = status != BASE_OK ? status : report_put_section(p, section, failed);
  }
  return status != BASE_OK ? status : put_foot(p);
}

int report_page_begin(struct report_page *page, struct report *report, const char *name,
                      const cJSON *json) {
  struct bench_figure *file = base_arena_push(report->arena, sizeof *file);
  struct figure *figure = base_arena_push(report->arena, sizeof *figure);
  *page =
      (struct report_page){.report = report,
                           .arena = report->arena,
                           .folder = base_arena_printf(report->arena, "%s/report", report->output)};
  page->json = json;
  *file = (struct bench_figure){.id = "page", .path = name, .json = json};
  *figure = (struct figure){.file = file};
  const int status = json != NULL ? base_file_make_folder(page->folder) : BASE_E_IO;
  return status != BASE_OK
             ? status
             : figure_study_load(figure, report_source, report, report->arena, &page->tables);
}

int report_page_write(struct report_page *page, report_put_page *put, void *data) {
  char *text = NULL;
  size_t size;
  page->out = open_memstream(&text, &size);
  int status = put(page, data);
  fclose(page->out);
  status = status != BASE_OK
               ? status
               : base_file_write(base_arena_printf(page->arena, "%s/index.html", page->folder),
                                 text, size);
  free(text);
  return status;
}

int report_write_page(struct report *report, const cJSON *json, int *failed) {
  struct report_page page;
  int status = report_page_begin(&page, report, REPORT_PAGE, json);
  cJSON *chapters = report_data_read("scripts/plot/chapters.json", report->arena);
  page.chapters = chapters;
  page.placed = cJSON_CreateObject();
  status = status == BASE_OK && chapters == NULL ? BASE_E_IO : status;
  status = status != BASE_OK ? status : report_write_tables(report, &page.tables);
  status = status != BASE_OK ? status : report_page_write(&page, put_page, failed);
  cJSON_Delete(chapters);
  cJSON_Delete(page.placed);
  return status;
}
