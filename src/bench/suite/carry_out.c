/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One job carried out, as a run, a search or an ensemble, and its record written; see bench.h. A
 * job for which there is no memory has a record all the same, which says so.
 */
#include "bench/suite/bench.h"

#include "base/json/json.h"
#include "base/memory/memory.h"
#include "base/status.h"
#include "base/threads.h"
#include "bench/ensemble/ensemble.h"
#include "bench/export/vtk.h"
#include "bench/job/asked.h"
#include "bench/job/output.h"
#include "bench/record/record.h"
#include "bench/repeat/repeat.h"
#include "bench/search/search.h"
#include "bench/table/table.h"

struct running {
  const struct bench_request *request;
  const char *path; /* of the record */
  struct base_arena *arena;
  struct bench_job job;
  struct bench_outcome outcome;
  int result;
};

static int write_record(const struct running *run) {
  cJSON *record = bench_record(&run->job, &run->outcome);
  int result = BASE_OK;
  if (run->path != NULL) {
    const struct bench_request *request = run->request;
    result = bench_output_write(run->path, record);
    result = result != BASE_OK || request->table == NULL
                 ? result
                 : bench_package_add(request->table, request->place->id, record);
  } else {
    bench_record_summary(record);
  }
  cJSON_Delete(record);
  return result;
}

int bench_carry_out(const struct bench_request *request, struct base_arena *arena,
                    struct bench_job *job, struct bench_outcome *outcome) {
  return bench_ensemble_is_asked(&request->ensemble) ? bench_ensemble(request, arena, job, outcome)
         : job->search != NULL                       ? bench_search(job, arena, outcome)
                                                     : bench_run_repeatedly(job, arena, outcome);
}

static void run_and_write(void *data) {
  struct running *run = data;
  run->result = bench_carry_out(run->request, run->arena, &run->job, &run->outcome);
  if (run->result == BASE_OK) {
    run->result = write_record(run);
  }
}

int bench_run_to_file(const struct bench_request *request, const char *path, int *status,
                      double *reference) {
  struct base_arena *arena = base_arena_alloc();
  const int threads = base_threads();
  if (request->threads > 0) {
    base_threads_set(request->threads);
  }
  struct running run = {.request = request, .path = path, .arena = arena};
  int result = bench_job_resolve(request, arena, &run.job);
  const char *outputs[] = {path, request->checkpoint};
  for (int i = 0; i < 2 && result == BASE_OK; ++i) {
    result = outputs[i] != NULL ? bench_output_check(outputs[i], run.job.type->path) : BASE_OK;
  }
  const struct bench_job job = run.job; /* a search changes it */
  const struct base_arena_mark mark = base_arena_mark(arena);
  if (result == BASE_OK && base_memory_try(run_and_write, &run) == BASE_OK) {
    result = run.result;
  } else if (result == BASE_OK) {
    base_arena_release(arena, mark);
    run.job = job;
    bench_outcome_end_early(&run.outcome, BASE_UNSUPPORTED, base_message());
    result = write_record(&run);
  }
  if (result == BASE_OK && run.outcome.vtk != NULL) {
    result = bench_vtk_end(run.outcome.vtk);
  }
  if (result == BASE_OK) {
    *status = run.outcome.status;
    if (reference != NULL) {
      *reference = run.outcome.timing.reference;
    }
    base_fail(run.outcome.status, "%s with %s: %s: %s", request->case_name, request->formulation,
              base_status_name(run.outcome.status), run.outcome.reason);
  }
  base_threads_set(threads);
  base_arena_free(arena);
  return result;
}
