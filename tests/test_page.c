/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of the report page: drawings thinned to pixels, against shapes that must stay; chapters,
 * whose figures must exist, and whose findings have their numbers from the checks.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/page/page.h"
#include "tests/scratch.h"
#include "tests/test.h"

/* ---- thinning ----------------------------------------------------------------------------- */

static char *thin(const char *text) {
  const char *file = scratch_path("thin.svg");
  CHECK_INT(base_file_write(file, text, strlen(text)), BASE_OK);
  CHECK_INT(report_thin_svg(file), BASE_OK);
  char *thinned = NULL;
  size_t size;
  CHECK_INT(base_file_read(file, &thinned, &size), BASE_OK);
  return thinned;
}

TEST(paths_are_thinned_to_pixels) {
  struct base_arena *arena = base_arena_alloc();
  char *plain = thin("<g d=\"x\"><path d='M0,0 L10,10 \n L20,20 L30,0 Z  ' x='1'/>ä d='M1,2 "
                     "C3,4 5,6 7,8'</g>");
  CHECK_TEXT(plain,
             "<g d=\"x\"><path d='M0.0,0.0 L20.0,20.0 L30.0,0.0 Z ' x='1'/>ä d='M1,2 C3,4 5,6 "
             "7,8'</g>");
  free(plain);
  /* A noisy band of 2000 points a pixel keeps its edges and loses nearly all of its points. */
  enum { N = 20000 };
  char *band = base_arena_push(arena, 40 * N), *end = band;
  end += sprintf(end, "<path d='M0,0");
  for (int i = 1; i < N; ++i) {
    end += sprintf(end, " L%.4f,%.2f", 10.0 * i / N,
                   i % 2 == 0       ? 100.0
                   : i == N / 2 + 1 ? 7.0
                                    : 40.0);
  }
  sprintf(end, "'/>");
  char *thinned = thin(band);
  CHECK_MESSAGE(strlen(thinned) < 2000, "%zu bytes", strlen(thinned));
  CHECK(strstr(thinned, ",100.0") != NULL && strstr(thinned, ",7.0") != NULL);
  CHECK(strstr(thinned, "M0.0,0.0 ") != NULL && strstr(thinned, "10.0,40.0'/>") != NULL);
  free(thinned);
  /* A circle of 4 px keeps its shape: all points of the thinner one are near the circle. */
  end = band + sprintf(band, "<path d='M14.00,10.00");
  for (int i = 1; i < 360; ++i) {
    end += sprintf(end, " L%.2f,%.2f", 10 + 4 * cos(i * M_PI / 180), 10 + 4 * sin(i * M_PI / 180));
  }
  sprintf(end, " Z'/>");
  thinned = thin(band);
  int n = 0;
  double x, y;
  for (const char *c = thinned; (c = strpbrk(c, "ML")) != NULL; ++c) {
    CHECK_INT(sscanf(c + 1, "%lf,%lf", &x, &y), 2);
    CHECK_NEAR(hypot(x - 10, y - 10), 4, 0.1);
    ++n;
  }
  CHECK_MESSAGE(n > 10 && n < 70, "%d points", n);
  free(thinned);
  base_arena_free(arena);
}

TEST(chapters_name_figures_that_there_are) {
  struct base_arena *arena = base_arena_alloc();
  cJSON *file = base_json_read(base_data_path(arena, "scripts/plot/chapters.json"));
  const cJSON *chapter, *item;
  int n = 0;
  cJSON_ArrayForEach(chapter, cJSON_GetObjectItemCaseSensitive(file, "chapters")) {
    ++n;
    CHECK(strchr(base_json_text_at(chapter, "question"), '?') != NULL);
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(chapter, "figures")) {
      const struct case_type *type;
      CHECK_MESSAGE(bench_figure_find(item->valuestring, &type) != NULL, "%s", base_message());
    }
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(chapter, "finding")) {
      for (const char *c = item->valuestring; (c = strchr(c, '{')) != NULL; ++c) {
        const struct case_type *type;
        const char *id = base_arena_printf(arena, "%.*s", (int)strcspn(c + 1, ":}"), c + 1);
        CHECK_MESSAGE(bench_figure_find(id, &type) != NULL, "%s", base_message());
        CHECK(strchr(c, '}') != NULL);
      }
    }
  }
  CHECK_INT(n, 8);
  cJSON_Delete(file);
  base_arena_free(arena);
}

/* The chapters of a page whose only figure is a bouncing ball. */
static char *chapters_of(struct base_arena *arena, const char *chapters, const char *figures) {
  struct report report = {.arena = arena, .output = scratch_folder()};
  cJSON *made = base_json_parse(figures, "figures"), *asked = base_json_parse(chapters, "chapters");
  report.figures = made;
  char *text = NULL;
  size_t size;
  struct report_page page = {.report = &report,
                             .arena = arena,
                             .folder = scratch_folder(),
                             .chapters = asked,
                             .out = open_memstream(&text, &size)};
  report_put_chapters(&page);
  fclose(page.out);
  cJSON_Delete(made);
  cJSON_Delete(asked);
  return text;
}

TEST(findings_have_their_numbers_from_checks) {
  struct base_arena *arena = base_arena_alloc();
  static const char figures[] =
      "[{\"id\":\"ball\",\"title\":\"Ball\",\"status\":\"ok\",\"checks\":[{\"what\":\"moreau: "
      "loss\",\"measured\":0.0125,\"lo\":0,\"hi\":1}],\"reports\":[{\"what\":\"ccp: "
      "loss\",\"measured\":0.7}],\"files\":[]}]";
  char *page = chapters_of(
      arena,
      "{\"chapters\":[{\"question\":\"Who keeps <it>?\",\"figures\":[\"ball\"],\"finding\":["
      "\"moreau loses {ball: moreau: loss}, ccp {ball: ccp}.\",\"Other: {stack: x}.\",\"Missing: "
      "{ball: ncp: loss}.\",\"So be it.\"]},"
      "{\"question\":\"Unanswered?\",\"figures\":[],\"finding\":[\"Of {stack: x}.\",\"So.\"]}]}",
      figures);
  CHECK(strstr(page, "<h3>Who keeps &lt;it&gt;?</h3>") != NULL);
  CHECK_MESSAGE(strstr(page, "moreau loses 0.0125, ccp 0.7. So be it.</p>") != NULL, "%s", page);
  CHECK(strstr(page, "Other") == NULL && strstr(page, "Missing") == NULL);
  CHECK(strstr(page, "Unanswered") == NULL);
  CHECK(strstr(page, "id=\"figure-ball\"") != NULL);
  free(page);
  base_arena_free(arena);
}

TEST_MAIN()
