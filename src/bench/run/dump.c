/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One-step problems of a run as files of their own, DIR/<case>-<formulation>-<number>.json (ours)
 * or .hdf5 (FCLIB's) with the number of the problem in the run, from 1; the first is always among
 * them. Problems are counted and written before they are solved, so that one that cannot be solved
 * is there too.
 */
#include "bench/run/dump.h"

#include <limits.h>
#include <stdlib.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "bench/run/listener.h"

int bench_dump_parse(const char *text, int *every, const char **folder) {
  char *end;
  const long n = strtol(text, &end, 10);
  if (end == text || n < 1 || n > INT_MAX || (*end != '\0' && (*end != ':' || end[1] == '\0'))) {
    return base_fail(BASE_E_INPUT, "--dump-problems '%s': want N or N:DIR, N a positive integer",
                     text);
  }
  *every = (int)n;
  *folder = *end == ':' ? end + 1 : ".";
  return BASE_OK;
}

int bench_dump_format(const char *text, const char **ending) {
  static const char *const names[] = {"json", "fclib"}, *const endings[] = {".json", ".hdf5"};
  const int i = base_name_find("format", text, 2, names);
  *ending = i >= 0 ? endings[i] : NULL;
  return i >= 0 ? BASE_OK : BASE_E_INPUT;
}

struct dump {
  const struct bench_job *job;
  struct base_arena *arena;
  long posed;
  int status; /* of the first file that could not be written */
};

static int begin(void *data, struct bench_run *run) {
  (void)data;
  return base_file_make_folder(run->job->request->dump_folder);
}

static void write_problem(void *data, const struct problem *p) {
  struct dump *dump = data;
  if (dump->posed++ % dump->job->request->dump_every != 0 || dump->status != BASE_OK) {
    return;
  }
  const struct base_arena_mark mark = base_arena_mark(dump->arena);
  struct problem named = *p;
  named.name = base_arena_printf(dump->arena, "%s-%s-%06ld", dump->job->type->name,
                                 dump->job->form->name, dump->posed);
  const char *path = base_arena_printf(
      dump->arena, "%s/%s%s", dump->job->request->dump_folder, named.name,
      dump->job->request->dump_ending != NULL ? dump->job->request->dump_ending : ".json");
  dump->status = problem_write(path, &named, dump->arena);
  base_arena_release(dump->arena, mark);
}

static int end(void *data, struct bench_run *run) {
  const struct dump *dump = data;
  (void)run;
  return dump->status;
}

void bench_dump_listen(struct bench_run *run) {
  if (run->job->request->dump_every > 0) {
    struct dump *dump = base_arena_push(run->arena, sizeof *dump);
    *dump = (struct dump){.job = run->job, .arena = run->arena, .status = BASE_OK};
    bench_run_listen(run, (struct bench_listener){.data = dump,
                                                  .on = {[BENCH_BEGIN] = begin, [BENCH_END] = end},
                                                  .problem = write_problem});
  }
}
