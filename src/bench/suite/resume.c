/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which cells have their result; see resume.h.
 */
#include "bench/suite/resume.h"

#include <unistd.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/job/key.h"
#include "bench/record/check_fields.h"
#include "bench/record/record.h"

static int key_of(const struct bench_cell *cell, struct base_arena *arena, const char **key,
                  double *time_limit) {
  if (cell->solve != NULL) {
    return bench_solve_key(cell->solve, arena, key, time_limit);
  }
  struct bench_job job;
  const int status = bench_job_resolve(&cell->request, arena, &job);
  *key = job.key;
  *time_limit = job.time_limit;
  return status;
}

/* Has the pool written it, for a process that could not? */
static int is_of_the_dead(const struct bench_cell *cell, const cJSON *record) {
  return cell->solve != NULL ? base_json_at(record, "residual") == NULL
                             : cJSON_GetArraySize(base_json_at(record, "final.q")) == 0;
}

static int check(const struct bench_cell *cell, const char *path, const cJSON *record) {
  return cell->solve != NULL ? bench_solution_check(record, path)
                             : bench_record_check_whole(record, path);
}

static int is_of(const struct bench_cell *cell, const cJSON *record) {
  cJSON *place = bench_place_json(&cell->place);
  const int is_same = base_json_same(place, base_json_at(record, "cell"));
  cJSON_Delete(place);
  return is_same;
}

static const char *reason_of(const struct bench_cell *cell, const char *path, const cJSON *record,
                             struct base_arena *arena, int *status) {
  const char *key;
  double time_limit;
  if (record == NULL || check(cell, path, record) != BASE_OK ||
      base_status_parse(base_json_text_at(record, "status"), status) != BASE_OK) {
    return "a damaged record";
  }
  if (key_of(cell, arena, &key, &time_limit) != BASE_OK) {
    return "input that is refused"; /* its process will say which */
  }
  const char *difference = bench_key_difference(record, key, time_limit);
  if (difference == NULL && *status != BASE_TIMEOUT && is_of_the_dead(cell, record)) {
    return "a process that died";
  }
  return difference != NULL || is_of(cell, record) ? difference : "another cell of the suite";
}

const char *bench_resume_reason(const struct bench_cell *cell, const char *path,
                                struct base_arena *arena, int *status) {
  if (access(path, R_OK) != 0) {
    return "no record";
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  cJSON *record = base_json_read(path);
  const char *reason = reason_of(cell, path, record, arena, status);
  cJSON_Delete(record);
  base_arena_release(arena, mark);
  return reason;
}
