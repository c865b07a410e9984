/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page's chapters, a question each, from scripts/plot/chapters.json:
 *
 *   {"chapters": [{"question": "...", "finding": ["Sentence with {figure: check} in it.", ...],
 *                  "figures": ["shown", ...], "more": ["folded", ...]}]}
 *
 * Where {figure: check} stands, the page has the number that was measured (fill.c): no number
 * stands in the text itself. A sentence of a figure that the suite has not is left out, and so is a
 * chapter of which nothing is left: its figures stand with the others. One of a figure that has no
 * such check is a failure. `figures` are shown, `more` are folded.
 */
#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/page/page.h"

/* The sentence with its numbers, from the arena; NULL: one of them is not to be had. *failed counts
 * those that the figure should have had. */
static const char *fill(const struct report_page *p, const char *sentence, int *failed) {
  const char *missing;
  const char *text = bench_figure_fill(p->arena, sentence, p->report->figures, NULL, &missing);
  if (missing != NULL &&
      bench_figure_of(p->report->figures, missing, strcspn(missing, ":")) != NULL) {
    fprintf(stderr, "chapters.json: no number for {%s}: the sentence is left out\n", missing);
    ++*failed;
  }
  return missing == NULL ? text : NULL;
}

/* The sentences of a chapter that have their numbers, one behind the other. */
static const char *finding_of(const struct report_page *p, const cJSON *chapter, int *failed) {
  const char *all = "";
  const cJSON *sentence;
  cJSON_ArrayForEach(sentence, cJSON_GetObjectItemCaseSensitive(chapter, "finding")) {
    const char *text = cJSON_IsString(sentence) ? sentence->valuestring : "";
    const int stands_alone = strchr(text, '{') != NULL; /* one without numbers follows others */
    const char *filled = stands_alone || all[0] != '\0' ? fill(p, text, failed) : NULL;
    if (filled != NULL) {
      all = base_arena_printf(p->arena, "%s%s%s", all, all[0] != '\0' ? " " : "", filled);
    }
  }
  return all;
}

enum { LISTS = 2 };
static const char *const lists[LISTS] = {"figures", "more"}; /* shown, folded */

/* The figures of a list that the suite has, `before` and `behind` around them. */
static void put_figures(const struct report_page *p, const cJSON *ids, const char *before,
                        const char *behind) {
  const cJSON *id;
  int n = 0;
  cJSON_ArrayForEach(id, ids) {
    const cJSON *figure = cJSON_IsString(id) ? bench_figure_of(p->report->figures, id->valuestring,
                                                               strlen(id->valuestring))
                                             : NULL;
    if (figure != NULL && !report_is_placed(p, figure)) {
      fputs(n++ == 0 ? before : "", p->out);
      report_put_figure(p, figure);
    }
  }
  fputs(n > 0 ? behind : "", p->out);
}

int report_put_chapters(const struct report_page *p) {
  const cJSON *chapter;
  int n = 0, failed = 0;
  cJSON_ArrayForEach(chapter, cJSON_GetObjectItemCaseSensitive(p->chapters, "chapters")) {
    const char *finding = finding_of(p, chapter, &failed);
    if (finding[0] != '\0') {
      report_put(p,
                 "<section class=\"chapter\" id=\"question-%d\">\n<h3>%s</h3>\n"
                 "<p class=\"finding\">%s</p>\n",
                 ++n, base_json_text_at(chapter, "question"), finding);
      put_figures(p, cJSON_GetObjectItemCaseSensitive(chapter, lists[0]), "", "");
      put_figures(p, cJSON_GetObjectItemCaseSensitive(chapter, lists[1]),
                  "<details class=\"fold\"><summary>More figures</summary><div "
                  "class=\"gallery\">\n",
                  "</div></details>\n");
      report_put(p, "</section>\n");
    }
  }
  report_put(p, n > 0 ? "" : "<p>The figures that answer them are not in this suite.</p>\n");
  return failed;
}
