/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `coulombench report`: figures, studies and the page from a folder of records; see report.h for
 * the parts. Figures come with the suite: the one named, or the one that has the folder's name.
 */
#include "bench/report/report.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/data.h"
#include "base/json/json.h"
#include "base/status.h"
#include "base/text.h"
#include "bench/commands.h"

/* The suite of the report into *suite; found = 0 when none was named and none has the folder's
 * name. */
static int find_suite(const char *name, const char *folder, struct base_arena *arena,
                      struct bench_suite *suite, int *found) {
  *found = 1;
  if (name != NULL) {
    return bench_suite_load(name, arena, suite);
  }
  const char *last = strrchr(folder, '/') + 1;
  if (base_data_path(arena, base_arena_printf(arena, "cases/suites/%s.json", last)) == NULL) {
    *found = 0;
    return BASE_OK;
  }
  return bench_suite_load(last, arena, suite);
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

static void count_missing(struct report *report, const struct bench_suite *suite) {
  for (int i = 0; i < suite->n; ++i) {
    if (suite->cells[i].solve == NULL && report_find(report, suite->cells[i].id) == NULL &&
        ++report->n_missing == 1) {
      fprintf(stderr, "%s: no record %s.json", base_text_clean(report->folder, report->arena),
              suite->cells[i].id);
    }
  }
  if (report->n_missing > 0) {
    fprintf(stderr, "%s of suite %s\n", report->n_missing > 1 ? " and others" : "", suite->name);
  }
}

const char *report_figures_folder(const struct report *report) {
  return report->width_mm > 0 ? base_arena_printf(report->arena, "figures-%gmm", report->width_mm)
                              : "figures";
}

static int make_report(struct report *report, const char *folder, const char *suite_name,
                       const char *output, int *failed) {
  struct bench_suite suite;
  int found;
  report->folder = absolute(folder, report->arena);
  if (report->folder == NULL) {
    return BASE_E_INPUT;
  }
  const double begin = base_clock_now();
  int status = find_suite(suite_name, report->folder, report->arena, &suite, &found);
  report->suite = status == BASE_OK && found ? &suite : NULL;
  status = status != BASE_OK ? status : report_load(report);
  status = status != BASE_OK ? status
                             : base_file_make_folder(base_arena_printf(
                                   report->arena, "%s/%s", output, report_figures_folder(report)));
  if (status != BASE_OK) {
    return status;
  }
  report->output = absolute(output, report->arena);
  if (report->suite != NULL) {
    count_missing(report, report->suite);
  }
  const double loaded = base_clock_now();
  status = report_figures(report, failed);
  status = status != BASE_OK ? status : report_studies(report);
  *failed += report->n_failed;
  const double drawn = base_clock_now();
  if (status == BASE_OK && report->width_mm > 0) {
    printf("figures: %s/%s\n", base_text_clean(output, report->arena),
           report_figures_folder(report));
    return status;
  }
  status = status != BASE_OK ? status : report_write_page(report, failed);
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
  int status = report_load(report);
  status = status != BASE_OK ? status : report_load(other);
  status = status != BASE_OK ? status
                             : base_file_make_folder(base_arena_printf(
                                   report->arena, "%s/%s", output, report_figures_folder(report)));
  if (status != BASE_OK) {
    return status;
  }
  report->output = absolute(output, report->arena);
  return report_write_against(report, other);
}

int bench_report_against(const char *folder, const char *other_folder, const char *output,
                         int *failed) {
  struct report report = {.arena = base_arena_alloc()}, other = {.arena = report.arena};
  const int status = make_against(&report, &other, folder, other_folder, output);
  *failed = report.n_failed;
  report_free(&report);
  report_free(&other);
  base_arena_free(report.arena);
  return status;
}

int bench_report(const char *folder, const char *suite, const char *output, double width_mm,
                 int *failed) {
  struct report report = {.arena = base_arena_alloc(), .width_mm = width_mm};
  *failed = 0;
  const int status = make_report(&report, folder, suite, output, failed);
  report_free(&report);
  base_arena_free(report.arena);
  return status;
}
