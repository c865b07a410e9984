/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a reader asks first, at the head of the page: a line a question with a short answer and a
 * link to where all of it stands.
 */
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/overview/overview.h"
#include "bench/report/page/page.h"

static void put_question(const struct report_page *p, const char *link, const char *question) {
  fprintf(p->out, "<tr><th><a href=\"#%s\">%s</a></th><td>", link, question);
}

static void put_end(const struct report_page *p) { report_put(p, "</td></tr>\n"); }

/* The study of that id is on the page. */
static int is_drawn(const struct report_page *p, const char *id) {
  const cJSON *study;
  cJSON_ArrayForEach(study, p->report->studies) {
    if (strcmp(base_json_text_at(study, "id"), id) == 0) {
      return 1;
    }
  }
  return 0;
}

static void put_framed(const struct report_page *p, enum overview_quantity q,
                       const char *question) {
  const char *id = base_arena_printf(p->arena, "study-overview-%s", overview_measures[q].name);
  const char *best = overview_conclusion(p->report, p->report->overview, q);
  put_question(p, is_drawn(p, id) ? id : "table", question);
  report_text(p->out, best[0] != '\0' ? best : "No run has this number.");
  put_end(p);
}

static void put_failed(const struct report_page *p) {
  static const int bad[] = {BASE_FAILED, BASE_DIVERGED, BASE_UNSTABLE, BASE_TIMEOUT,
                            BASE_UNCONVERGED};
  int n = 0;
  put_question(p, "failures", "Who failed, and why?");
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    int count = 0;
    for (int k = 0; k < p->report->n_records; ++k) {
      count += p->report->records[k].status == bad[i] && report_is_failure(&p->report->records[k]);
    }
    if (count > 0) {
      fprintf(p->out, "%s%d %s", n++ > 0 ? ", " : "", count, base_status_name(bad[i]));
    }
  }
  report_put(p, n > 0 ? "; a line each, with its reason." : "None.");
  put_end(p);
}

static void put_published(const struct report_page *p) {
  put_question(p, "published", "As published?");
  if (cJSON_GetArraySize(p->report->figures) > 0) {
    fprintf(p->out, "Values of the figures here: %s.", report_verdicts(p->report));
  } else {
    report_put(p, "No figure was asked for.");
  }
  put_end(p);
}

void report_put_answers(const struct report_page *p) {
  const int has_rows = p->report->overview->n > 0;
  report_put(p, "<table class=\"answers\">\n<tbody>\n");
  if (has_rows) {
    put_framed(p, OVERVIEW_ERROR, "Who is most accurate?");
  }
  put_failed(p);
  if (has_rows) {
    put_framed(p, OVERVIEW_DRIFT, "Who keeps the energy?");
    put_framed(p, OVERVIEW_ITERATIONS, "Who needs fewest iterations?");
    put_framed(p, OVERVIEW_TIME, "Who is fastest?");
    put_question(p, "table", "How is a run repeated?");
    report_put(p, "A cell of the table opens its runs, and the command, to be copied.");
    put_end(p);
  }
  put_published(p);
  report_put(p, "</tbody></table>\n");
}
