/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `coulombench report A --against B`: what changed from run B to run A. Records with the same name
 * are held against each other. First come the records whose status or verdict changed, then the
 * overview as ratios (overview/overview.h), and what only one of the two has. Whether two runs are
 * the same to the byte is asked of `coulombench compare`.
 *
 * Files written, nothing of the report on A itself among them, below <output>/against:
 *   figures/study-overview-against-<quantity>.pdf .svg
 *   report/index.html
 */
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "base/text.h"
#include "bench/report/kit/study.h"
#include "bench/report/overview/overview.h"
#include "bench/report/page/page.h"

struct pair {
  const struct report *now, *before;
  int n, n_statuses, n_verdicts; /* records in both; changed ones */
};

static const char *verdict_of(const struct report_record *r) {
  const char *verdict = base_json_text_at(r->json, "quality.verdict");
  return verdict[0] != '\0' ? verdict : "not judged";
}

static struct pair count(const struct report *now, const struct report *before) {
  struct pair pair = {.now = now, .before = before};
  for (int i = 0; i < now->n_records; ++i) {
    const struct report_record *a = &now->records[i], *b = report_find(before, a->name);
    pair.n += b != NULL;
    pair.n_statuses += b != NULL && a->status != b->status;
    pair.n_verdicts +=
        b != NULL && a->status == b->status && strcmp(verdict_of(a), verdict_of(b)) != 0;
  }
  return pair;
}

/* Lines of the records whose status changed, or whose verdict alone did. */
static void put_changes(const struct report_page *p, const struct pair *pair, int of_status) {
  for (int i = 0; i < pair->now->n_records; ++i) {
    const struct report_record *a = &pair->now->records[i];
    const struct report_record *b = report_find(pair->before, a->name);
    if (b == NULL || (a->status != b->status) != of_status ||
        (!of_status && strcmp(verdict_of(a), verdict_of(b)) == 0)) {
      continue;
    }
    fprintf(p->out, "<tr><th><a href=\"%s\">", report_record_link(p, a));
    report_text(p->out, a->name);
    report_put(p, "</a></th><td>");
    report_put_badge(p, of_status ? base_status_name(b->status) : verdict_of(b));
    report_put(p, "</td><td>");
    report_put_badge(p, of_status ? base_status_name(a->status) : verdict_of(a));
    report_put(p, "</td>");
    const char *reason = base_json_text_at(a->json, "reason");
    report_put_element(p, "td",
                       of_status && reason[0] != '\0' ? reason
                                                      : base_json_text_at(a->json, "quality.why"));
    report_put(p, "</tr>\n");
  }
}

static void put_table(const struct report_page *p, const struct pair *pair) {
  report_put(p, "<section id=\"changes\">\n<h2>Changed outcomes</h2>\n");
  if (pair->n_statuses + pair->n_verdicts == 0) {
    report_put(p, "<p>No status and no verdict changed.</p>\n</section>\n");
    return;
  }
  report_put(p, "<div class=\"scroll tall\"><table>\n<thead><tr><th>record</th><th>before</th><th>"
                "now</th><th>why</th></tr></thead>\n<tbody>\n");
  put_changes(p, pair, 1);
  put_changes(p, pair, 0);
  report_put(p, "</tbody></table></div>\n</section>\n");
}

static void put_only(const struct report_page *p, const struct report *in,
                     const struct report *not_in, const char *where) {
  int n = 0;
  for (int i = 0; i < in->n_records; ++i) {
    if (report_find(not_in, in->records[i].name) == NULL) {
      if (n++ == 0) {
        fprintf(p->out, "<details class=\"fold\"><summary>Records only in the run %s</summary><p>",
                where);
      }
      report_put_element(p, "code", in->records[i].name);
      report_put(p, " ");
    }
  }
  report_put(p, n > 0 ? "</p></details>\n" : "");
}

static void put_page(const struct report_page *p, const struct pair *pair) {
  report_put(p, "\n<p class=\"lead\">Now: <code>");
  report_text(p->out, pair->now->folder);
  report_put(p, "</code>, before: <code>");
  report_text(p->out, pair->before->folder);
  fprintf(p->out,
          "</code>. %d records in both; %d statuses and %d further verdicts changed.</p>\n"
          "</header>\n<main>\n",
          pair->n, pair->n_statuses, pair->n_verdicts);
  put_table(p, pair);
  report_put(p, "<section id=\"overview\">\n<h2>Ratios</h2>\n");
  const cJSON *study;
  cJSON_ArrayForEach(study, p->report->studies) { report_put_study(p, study, 1); }
  report_put(p, cJSON_GetArraySize(p->report->studies) > 0
                    ? ""
                    : "<p>No number that can be compared changed.</p>\n");
  put_only(p, pair->now, pair->before, "now");
  put_only(p, pair->before, pair->now, "before");
  report_put(p, "</section>\n</main>\n</body>\n</html>\n");
}

int report_write_against(struct report *report, const struct report *other) {
  struct base_arena *arena = report->arena;
  const struct pair pair = count(report, other);
  if (pair.n == 0) {
    return base_fail(BASE_E_INPUT, "%s: no record has the name of one in %s", report->folder,
                     other->folder);
  }
  struct report_page page = {.report = report,
                             .arena = arena,
                             .folder = base_arena_printf(arena, "%s/report", report->output)};
  report->overview = overview_against(report, other);
  report->studies = cJSON_CreateArray();
  int status = report->overview != NULL ? report_study_ratios(report) : BASE_E_INTERNAL;
  status = status != BASE_OK ? status : report_sheets_conclude(report);
  if (status != BASE_OK) {
    return status;
  }
  char *text = NULL;
  size_t size;
  page.out = open_memstream(&text, &size);
  status = report_put_start(&page, "Two runs compared");
  if (status == BASE_OK) {
    put_page(&page, &pair);
  }
  fclose(page.out);
  if (status == BASE_OK) {
    status = base_file_write(base_arena_printf(arena, "%s/index.html", page.folder), text, size);
  }
  free(text);
  if (status == BASE_OK) {
    printf("%d records in both, %d statuses and %d further verdicts changed\npage: "
           "%s/report/index.html\n",
           pair.n, pair.n_statuses, pair.n_verdicts, base_text_clean(report->output, arena));
  }
  return status;
}
