/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `coulombench figure`: one figure with its runs, as a suite of it alone: what is written into the
 * folder is a suite, its records, and the report on them.
 */
#include <stdlib.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/figure/file.h"
#include "bench/report/request.h"
#include "bench/suite/bench.h"

/* The suite of a figure, or of a study, into the folder; its path from the arena. */
static int write_suite(const struct bench_figure *figure, const char *folder,
                       struct base_arena *arena, const char **path) {
  char *place = realpath(figure->path, NULL);
  cJSON *suite = cJSON_CreateObject();
  cJSON_AddStringToObject(suite, "schema", BENCH_SUITE_SCHEMA);
  cJSON_AddStringToObject(suite, "name", figure->id);
  cJSON *list = cJSON_AddArrayToObject(suite, figure->runs != NULL ? "figures" : "studies");
  cJSON_AddItemToArray(list, cJSON_CreateString(bench_figure_is_known(figure) ? figure->id
                                                : place != NULL               ? place
                                                                              : figure->path));
  *path = base_arena_printf(arena, "%s/" BENCH_SUITE_KEPT, folder);
  int status = base_file_make_folder(folder);
  status = status != BASE_OK ? status : base_json_write(*path, suite);
  cJSON_Delete(suite);
  free(place);
  return status;
}

static int run_all(const char *path, const struct bench_options *how, struct base_arena *arena) {
  struct bench_suite suite;
  int bad; /* whoever reads the records judges them */
  int status = bench_suite_load(path, arena, &suite);
  if (status == BASE_OK) {
    bench_suite_announce(&suite, how->jobs);
    status = bench_suite_run(&suite, how, arena, &bad);
  }
  return status;
}

static int make(const struct bench_figure_request *request, struct base_arena *arena, int *failed) {
  const struct bench_figure *figure = bench_figure_find(request->name, NULL);
  struct figure parts;
  if (figure == NULL || figure_read(figure, arena, &parts) != BASE_OK) {
    return BASE_E_INPUT;
  }
  if ((figure->runs == NULL) != (request->folder != NULL)) {
    return base_fail(BASE_E_INPUT, "%s: %s", request->name,
                     figure->runs == NULL
                         ? "is a study, which has no runs: name a folder of records behind it"
                         : "has runs of its own, and takes no folder of records");
  }
  const char *output = request->output != NULL ? request->output
                                               : base_arena_printf(arena, "results/%s", figure->id);
  const struct bench_options how = {.jobs = request->jobs, .folder = output};
  const char *suite;
  int status = write_suite(figure, output, arena, &suite);
  status = status != BASE_OK || figure->runs == NULL ? status : run_all(suite, &how, arena);
  const struct bench_report_request report = {.folder = request->folder != NULL ? request->folder
                                                                                : output,
                                              .suite = suite,
                                              .output = output};
  return status != BASE_OK ? status : bench_report(&report, failed);
}

int bench_figure_make(const struct bench_figure_request *request, int *failed) {
  struct base_arena *arena = base_arena_alloc();
  *failed = 0;
  const int status = make(request, arena, failed);
  base_arena_free(arena);
  return status;
}
