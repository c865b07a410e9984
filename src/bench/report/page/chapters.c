/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page's chapters, a question each, from scripts/plot/chapters.json:
 *
 *   {"chapters": [{"question": "...", "finding": ["Sentence with {figure: check} in it.", ...],
 *                  "figures": ["shown", ...], "more": ["folded", ...]}]}
 *
 * Where {figure: check} stands, the page has the number that was measured, by the figure's id and
 * the beginning of the text of one of its checks or reports: no number stands in the text
 * itself. A sentence of a figure that the suite has not is left out, and so is a chapter of which
 * nothing is left. `figures` are shown, `more` are folded.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/page/page.h"

static const cJSON *figure_of(const struct report_page *p, const char *id, size_t length) {
  const cJSON *figure;
  cJSON_ArrayForEach(figure, p->report->figures) {
    const char *name = base_json_text_at(figure, "id");
    if (strlen(name) == length && strncmp(name, id, length) == 0) {
      return figure;
    }
  }
  return NULL;
}

/* The number under the check or report of a figure whose text begins so; NaN: there is none. */
static double measured(const cJSON *figure, const char *what, size_t length) {
  static const char *const values[] = {"checks", "reports"};
  for (int i = 0; i < 2; ++i) {
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(figure, values[i])) {
      if (strncmp(base_json_text_at(item, "what"), what, length) == 0) {
        return base_json_real_at(item, "measured");
      }
    }
  }
  return NAN;
}

/* One {figure: check} into the sentence; 0: it has no number here. */
static int put_number(const struct report_page *p, FILE *out, const char *gap, const char *end) {
  const char *colon = memchr(gap, ':', (size_t)(end - gap));
  if (colon == NULL) {
    return 0;
  }
  const cJSON *figure = figure_of(p, gap, (size_t)(colon - gap));
  const char *what = colon + 1 + strspn(colon + 1, " ");
  const double x = figure != NULL ? measured(figure, what, (size_t)(end - what)) : NAN;
  if (figure != NULL && isnan(x)) {
    fprintf(stderr, "chapters.json: no number for {%.*s}: the sentence is left out\n",
            (int)(end - gap), gap);
  }
  if (!isnan(x)) {
    report_number(out, x);
  }
  return !isnan(x);
}

/* The sentence with its numbers, from the arena; NULL: one of them is not to be had. */
static const char *fill(const struct report_page *p, const char *sentence) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  int is_whole = 1;
  for (const char *c = sentence; *c != '\0' && is_whole; ++c) {
    const char *end = *c == '{' ? strchr(c, '}') : NULL;
    if (end != NULL) {
      is_whole = put_number(p, out, c + 1, end);
      c = end;
    } else {
      fputc(*c, out);
    }
  }
  fclose(out);
  const char *copy = is_whole ? base_arena_copy(p->arena, text) : NULL;
  free(text);
  return copy;
}

/* The sentences of a chapter that have their numbers, one behind the other. */
static const char *finding_of(const struct report_page *p, const cJSON *chapter) {
  const char *all = "";
  const cJSON *sentence;
  cJSON_ArrayForEach(sentence, cJSON_GetObjectItemCaseSensitive(chapter, "finding")) {
    const char *text = cJSON_IsString(sentence) ? sentence->valuestring : "";
    const int stands_alone = strchr(text, '{') != NULL; /* one without numbers follows others */
    const char *filled = stands_alone || all[0] != '\0' ? fill(p, text) : NULL;
    if (filled != NULL) {
      all = base_arena_printf(p->arena, "%s%s%s", all, all[0] != '\0' ? " " : "", filled);
    }
  }
  return all;
}

enum { LISTS = 2 };
static const char *const lists[LISTS] = {"figures", "more"}; /* shown, folded */

int report_is_in_chapter(const struct report_page *p, const char *figure) {
  const cJSON *chapter, *id;
  cJSON_ArrayForEach(chapter, cJSON_GetObjectItemCaseSensitive(p->chapters, "chapters")) {
    for (int k = 0; k < LISTS; ++k) {
      cJSON_ArrayForEach(id, cJSON_GetObjectItemCaseSensitive(chapter, lists[k])) {
        if (cJSON_IsString(id) && strcmp(id->valuestring, figure) == 0) {
          return 1;
        }
      }
    }
  }
  return 0;
}

/* The figures of a list that the suite has, `before` and `behind` around them. */
static void put_figures(const struct report_page *p, const cJSON *ids, const char *before,
                        const char *behind) {
  const cJSON *id;
  int n = 0;
  cJSON_ArrayForEach(id, ids) {
    const cJSON *figure =
        cJSON_IsString(id) ? figure_of(p, id->valuestring, strlen(id->valuestring)) : NULL;
    if (figure != NULL) {
      report_put(p, n++ == 0 ? before : "");
      report_put_figure(p, figure);
    }
  }
  report_put(p, n > 0 ? behind : "");
}

void report_put_chapters(const struct report_page *p) {
  const cJSON *chapter;
  report_put(p, "<section id=\"questions\">\n<h2>Questions</h2>\n");
  int n = 0;
  cJSON_ArrayForEach(chapter, cJSON_GetObjectItemCaseSensitive(p->chapters, "chapters")) {
    const char *finding = finding_of(p, chapter);
    if (finding[0] != '\0') {
      fprintf(p->out, "<section class=\"chapter\" id=\"question-%d\">\n", ++n);
      report_put_element(p, "h3", base_json_text_at(chapter, "question"));
      report_put(p, "\n");
      report_put_element(p, "p class=\"finding\"", finding);
      report_put(p, "\n");
      put_figures(p, cJSON_GetObjectItemCaseSensitive(chapter, lists[0]), "", "");
      put_figures(p, cJSON_GetObjectItemCaseSensitive(chapter, lists[1]),
                  "<details class=\"fold\"><summary>More figures</summary><div "
                  "class=\"gallery\">\n",
                  "</div></details>\n");
      report_put(p, "</section>\n");
    }
  }
  report_put(p, n > 0 ? "" : "<p>The figures that answer them are not in this suite.</p>\n");
  report_put(p, "</section>\n");
}
