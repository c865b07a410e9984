/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Published against measured: a table a paper (bench/papers/papers.h), folded behind its counts;
 * and report/papers.csv, all of them.
 */
#include <cjson/cJSON.h>
#include <math.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/papers/papers.h"
#include "bench/report/page/page.h"

static void put_measured(const struct report_page *p, const struct bench_paper_row *row) {
  report_put(p, "<td class=\"number\">");
  if (isfinite(row->measured)) {
    fprintf(p->out, "%.*g", row->digits, row->measured);
  }
  report_put(p, "</td><td class=\"number\">");
  if (isfinite(row->difference)) {
    fprintf(p->out, "%+.2g", 100 * row->difference);
  }
  report_put(p, "</td>");
}

/* An item's first row says what it is about, over all of its rows. */
static void put_row(const struct report_page *p, const struct bench_paper_row *rows, int i, int n) {
  const struct bench_paper_item *item = rows[i].item;
  report_put(p, "<tr>");
  if (i == 0 || rows[i - 1].item != item) {
    int span = 1;
    while (i + span < n && rows[i + span].item == item) {
      ++span;
    }
    fprintf(p->out, "<th rowspan=\"%d\">", span);
    report_text(p->out, item->item);
    fprintf(p->out, "</th><td rowspan=\"%d\">", span);
    report_text(p->out, base_arena_printf(p->arena, "%s: %s", item->section, item->says));
    report_put(p, "</td>");
  }
  report_put_element(p, "td", rows[i].what);
  report_put_element(p, "td", rows[i].published);
  put_measured(p, &rows[i]);
  report_put(p, "<td>");
  report_put_badge(p, rows[i].verdict);
  report_put(p, "</td>");
  report_put_element(p, "td", rows[i].reason);
  report_put(p, "</tr>\n");
}

static void put_paper(const struct report_page *p, const struct bench_paper *paper) {
  int n;
  const struct bench_paper_row *rows = bench_paper_rows(paper, p->report->figures, p->arena, &n);
  report_put(p, "<details><summary>");
  report_put_element(p, "b", paper->tag);
  report_text(p->out, base_arena_printf(p->arena, ": %s: %s", bench_paper_kinds(paper, p->arena),
                                        bench_paper_counts(rows, n, p->arena, NULL)));
  report_put(p, "</summary>\n");
  report_put_element(p, "p", paper->reference);
  report_put(p, "<div class=\"scroll tall\"><table>\n<thead><tr><th>item</th><th>states</th><th>"
                "quantity</th><th>published</th><th>measured</th><th>difference [%]</th><th>"
                "verdict</th><th>why</th></tr></thead>\n<tbody>\n");
  for (int i = 0; i < n; ++i) {
    put_row(p, rows, i, n);
  }
  report_put(p, "</tbody></table></div>\n</details>\n");
}

static int write_papers(const struct report_page *p, const struct bench_paper *papers, int n) {
  struct bench_table *table = bench_table_headed(
      p->arena, "paper,item,section,quantity,published,measured,difference_percent,verdict,reason");
  for (int i = 0; i < n; ++i) {
    int n_rows;
    const struct bench_paper_row *rows =
        bench_paper_rows(&papers[i], p->report->figures, p->arena, &n_rows);
    for (const struct bench_paper_row *row = rows; row < rows + n_rows; ++row) {
      bench_table_row(table, "tttttnntt", papers[i].tag, row->item->item, row->item->section,
                      row->what, row->published, row->measured, 100 * row->difference, row->verdict,
                      row->reason);
    }
  }
  return report_write_table(p->report, "papers", table);
}

int report_put_published(const struct report_page *p) {
  cJSON *files = NULL;
  struct bench_paper *papers = NULL;
  int n = 0, status = bench_papers_load(p->arena, &files, &n, &papers);
  report_put(p,
             "<section id=\"published\">\n<h2>Published against measured</h2>\n<p>Every numbered "
             "figure and table of the papers, and the claims of their text, beside what the "
             "figures here measured. <i>Not run</i>: its figure is in the suite <i>paper</i>, "
             "not in this one. All rows: <a href=\"papers.csv\">papers.csv</a>.</p>\n");
  for (int i = 0; i < n && status == BASE_OK; ++i) {
    put_paper(p, &papers[i]);
  }
  report_put(p, "</section>\n");
  status = status != BASE_OK ? status : write_papers(p, papers, n);
  cJSON_Delete(files);
  return status;
}
