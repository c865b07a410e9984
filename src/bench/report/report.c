/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `coulombench report`: figures, studies and the page from a folder of records; see report.h for
 * the parts. Figures and studies are those of the suite: the one named, or the one whose copy lies
 * beside the records.
 *
 * <output>/figures and <output>/report are the report's own. What an earlier report has left there
 * is removed, so that nothing old passes for new; where a link or anything else than files and
 * folders is in them, nothing is written: it may lead out of the folder.
 */
#include "bench/report/kit/study.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/data.h"
#include "base/json/json.h"
#include "base/status.h"
#include "base/text.h"
#include "bench/report/request.h"
#include "bench/suite/expect.h"

/* The suite of the report into *suite: the one that is named, else the one that the records were
 * made by; found = 0: it was kept nowhere. */
static int find_suite(const char *name, const char *folder, struct base_arena *arena,
                      struct bench_suite *suite, int *found) {
  *found = 1;
  return name != NULL ? bench_suite_load(name, arena, suite)
                      : bench_suite_load_kept(folder, arena, suite, found);
}

static const char *absolute(const char *path, struct base_arena *arena) {
  char *resolved = realpath(path, NULL);
  if (resolved == NULL) {
    base_fail(BASE_E_INPUT, "%s: no such folder", path);
    return NULL;
  }
  const char *copy = base_arena_copy(arena, resolved);
  free(resolved);
  return copy;
}

/* What became of the cells of the suite: how many have no record, and whether the others ended as
 * it says. */
static void look_at_cells(struct report *report, const struct bench_suite *suite) {
  for (int i = 0; i < suite->n; ++i) {
    const struct bench_cell *cell = &suite->cells[i];
    const struct report_record *found =
        cell->solve == NULL ? report_find(report, cell->place.id) : NULL;
    if (found != NULL) {
      report->records[found - report->records].expected =
          cell->is_free                                   ? "judged by its figure"
          : bench_expect_is_bad(cell, found->status) != 0 ? "unexpected"
                                                          : "expected";
    } else if (cell->solve == NULL && ++report->n_missing == 1 && !report->is_so_far) {
      fprintf(stderr, "%s: no record %s.json", base_text_clean(report->folder, report->arena),
              cell->place.id);
    }
  }
  if (report->n_missing > 0 && !report->is_so_far) {
    fprintf(stderr, "%s of suite %s\n", report->n_missing > 1 ? " and others" : "", suite->name);
  }
}

const char *report_figures_folder(const struct report *report) {
  return report->width_mm > 0 ? base_arena_printf(report->arena, "figures-%gmm", report->width_mm)
                              : "figures";
}

/* In print the page is left as it is. */
static int prepare_folders(struct report *report, const char *output) {
  struct base_arena *arena = report->arena;
  const char *figures = base_arena_printf(arena, "%s/%s", output, report_figures_folder(report));
  const char *page = base_arena_printf(arena, "%s/report", output);
  int status = report_prepare_folder(figures, 1);
  status = status != BASE_OK ? status : report_prepare_folder(page, report->width_mm == 0);
  report->output = status == BASE_OK ? absolute(output, arena) : NULL;
  return status;
}

static int make_report(struct report *report, const struct bench_report_request *request,
                       const cJSON *page, int *failed) {
  const char *output = request->output;
  struct bench_suite suite;
  int found;
  report->folder = absolute(request->folder, report->arena);
  if (report->folder == NULL) {
    return BASE_E_INPUT;
  }
  const double begin = base_clock_now();
  int status = find_suite(request->suite, report->folder, report->arena, &suite, &found);
  report->suite = status == BASE_OK && found ? &suite : NULL;
  status = status != BASE_OK ? status : report_want_studies(report);
  if (status == BASE_OK && report->width_mm == 0) { /* in print there is no page */
    status = report_want(report, page);
  }
  status = status != BASE_OK ? status : report_load(report);
  status = status != BASE_OK ? status : prepare_folders(report, output);
  if (status != BASE_OK) {
    return status;
  }
  if (report->suite != NULL) {
    look_at_cells(report, report->suite);
  }
  const double loaded = base_clock_now();
  status = report_figures(report, failed);
  status = status != BASE_OK ? status : report_studies(report);
  *failed += report->n_failed + report->n_damaged + report->n_damaged_solutions;
  const double drawn = base_clock_now();
  if (status == BASE_OK && report->width_mm > 0) {
    printf("figures: %s/%s\n", base_text_clean(output, report->arena),
           report_figures_folder(report));
    return status;
  }
  status = status != BASE_OK ? status : report_write_page(report, page, failed);
  if (status == BASE_OK) {
    printf("time: records %.1f s, figures %.1f s, page %.1f s\n", loaded - begin, drawn - loaded,
           base_clock_now() - drawn);
    printf("page: %s/report/index.html\n", base_text_clean(output, report->arena));
  }
  return status;
}

static int make_against(struct report *report, struct report *other, const char *folder,
                        const char *other_folder, const char *output) {
  report->folder = absolute(folder, report->arena);
  other->folder = report->folder != NULL ? absolute(other_folder, report->arena) : NULL;
  if (other->folder == NULL) {
    return BASE_E_INPUT;
  }
  int status = report_want_against(report);
  status = status != BASE_OK ? status : report_want_against(other);
  status = status != BASE_OK ? status : report_load(report);
  status = status != BASE_OK ? status : report_load(other);
  report->other = other;
  other->other = report;
  status = status != BASE_OK ? status : prepare_folders(report, output);
  if (status != BASE_OK) {
    return status;
  }
  return report_write_against(report);
}

int bench_report_against(const char *folder, const char *other_folder, const char *output,
                         int *failed) {
  struct report report = {.arena = base_arena_alloc()}, other = {.arena = report.arena};
  const int status = make_against(&report, &other, folder, other_folder,
                                  base_arena_printf(report.arena, "%s/against", output));
  *failed = report.n_failed + report.n_damaged + other.n_damaged;
  report_free(&report);
  report_free(&other);
  base_arena_free(report.arena);
  return status;
}

int bench_report(const struct bench_report_request *request, int *failed) {
  struct report report = {
      .arena = base_arena_alloc(), .width_mm = request->width_mm, .is_so_far = request->is_so_far};
  *failed = 0;
  cJSON *page = report_data_read(REPORT_PAGE, report.arena);
  const int status = page != NULL ? make_report(&report, request, page, failed) : BASE_E_IO;
  cJSON_Delete(page);
  report_free(&report);
  base_arena_free(report.arena);
  return status;
}
