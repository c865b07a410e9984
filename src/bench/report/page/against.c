/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `coulombench report A --against B`: what changed from run B to run A. Records with the same name
 * are held against each other (`was.` of a source: kit/study.h). First come the records whose
 * status or verdict changed, then the overview as ratios (scripts/plot/ratios.json), and what only
 * one of the two has (scripts/plot/against.json). Whether two runs are the same to the byte is
 * asked of `coulombench compare`.
 *
 * Files written, nothing of the report on A itself among them, below <output>/against:
 *   figures/study-against-<quantity>.pdf .svg
 *   report/index.html
 *   report/ratios.csv
 */
#include <string.h>

#include "base/data.h"
#include "base/json/json.h"
#include "base/status.h"
#include "base/text.h"
#include "bench/report/page/grid.h"

static int put_page(const struct report_page *p, void *data) {
  const char *counts = data;
  const cJSON *section;
  int status = report_put_start(p, "Two runs compared", "Two runs compared");
  report_put(p,
             "\n<p class=\"lead\">Now: <code>%s</code>, before: <code>%s</code>. %s.</p>\n"
             "</header>\n<main>\n",
             p->report->folder, p->report->other->folder, counts);
  cJSON_ArrayForEach(section, base_json_at(p->json, "sections")) {
    int failed = 0;
    status = status != BASE_OK ? status : report_put_section(p, section, &failed);
  }
  report_put(p, "</main>\n</body>\n</html>\n");
  return status;
}

static const char FILE_NAME[] = "scripts/plot/against.json";

/* NULL with a message. */
static const struct bench_figure *find_ratios(struct base_arena *arena) {
  const char *path = base_data_path(arena, "scripts/plot/ratios.json");
  return path != NULL ? bench_figure_find(path, NULL) : NULL;
}

int report_want_against(struct report *report) {
  cJSON *json = report_data_read(FILE_NAME, report->arena);
  const struct bench_figure *ratios = find_ratios(report->arena);
  int status = json != NULL && ratios != NULL ? BASE_OK : BASE_E_INPUT;
  status = status != BASE_OK ? status : report_want(report, json);
  status = status != BASE_OK ? status : report_want(report, ratios->json);
  cJSON_Delete(json);
  return status;
}

int report_write_against(struct report *report) {
  struct report_page page;
  cJSON *json = report_data_read(FILE_NAME, report->arena);
  int status = report_page_begin(&page, report, FILE_NAME, json);
  const struct frame *both = status == BASE_OK ? figure_study_table(&page.tables, "both") : NULL;
  if (status == BASE_OK && both->n_rows == 0) {
    status = base_fail(BASE_E_INPUT, "%s: no record has the name of one in %s", report->folder,
                       report->other->folder);
  }
  const char *counts =
      status == BASE_OK
          ? report_filled(both,
                          "{size(is_other)} records in both, {sum(is_other)} statuses and "
                          "{sum(is_judged_otherwise)} further verdicts changed",
                          page.tables.figure->file->path)
          : NULL;
  const struct bench_figure *ratios = find_ratios(report->arena);
  report->studies = cJSON_CreateArray();
  status = status == BASE_OK && ratios == NULL ? BASE_E_INPUT : status;
  status = status != BASE_OK ? status : report_study_draw(report, ratios);
  status = status != BASE_OK ? status : report_sheets_conclude(report);
  status = status != BASE_OK ? status : report_page_write(&page, put_page, (void *)counts);
  if (status == BASE_OK) {
    printf("%s\npage: %s/report/index.html\n", counts,
           base_text_clean(report->output, report->arena));
  }
  cJSON_Delete(json);
  return status;
}
