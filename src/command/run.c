/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands on one thing: list and describe what there is, one run, one one-step problem, scenes.
 */
#include <stdio.h>

#include "base/memory/arena.h"
#include "base/status.h"
#include "bench/commands.h"
#include "bench/ensemble/ensemble.h"
#include "bench/export/sketch.h"
#include "bench/job/asked.h"
#include "bench/job/job.h"
#include "bench/job/output.h"
#include "bench/run/dump.h"
#include "bench/search/search.h"
#include "bench/suite/bench.h"
#include "cases/case.h"
#include "command/command.h"

int command_list(struct command_given *given, int *code) {
  (void)code;
  const enum bench_list_format format = command_has(given, "markdown") ? BENCH_LIST_MARKDOWN
                                        : command_has(given, "json")   ? BENCH_LIST_JSON
                                                                       : BENCH_LIST_LINES;
  if (given->status == BASE_OK && given->n_words > 1) {
    given->status =
        base_fail(BASE_E_INPUT,
                  "list: expects at most one of cases, formulations, solvers, figures, studies");
  }
  if (given->status != BASE_OK) {
    return given->status;
  }
  return bench_list(given->n_words > 0 ? given->words[0] : NULL, format);
}

static int sketch(const char *name) {
  struct base_arena *arena = base_arena_alloc();
  const int status = bench_sketch(case_open(name, NULL, arena), stdout);
  base_arena_free(arena);
  return status;
}

int command_describe(struct command_given *given, int *code) {
  (void)code;
  command_expect_words(given, 1, "one NAME");
  if (given->status != BASE_OK) {
    return given->status;
  }
  return command_has(given, "svg") ? sketch(given->words[0])
                                   : bench_describe(given->words[0], command_has(given, "json"));
}

static int run_one(const struct bench_request *request, const char *output) {
  int outcome = BASE_OK;
  if (output != NULL) {
    bench_output_clean(output);
  }
  if (request->checkpoint != NULL) {
    bench_output_clean(request->checkpoint);
  }
  const int status = bench_run_to_file(request, output, &outcome, NULL);
  return status != BASE_OK ? status : outcome;
}

static void read_run_request(struct command_given *given, struct bench_request *request) {
  request->formulation = command_text(given, "formulation");
  request->solver = command_text(given, "solver");
  command_time_once(given, "dt", &request->dt);
  command_time_once(given, "t-end", &request->t_end);
  command_words(given, "set", &request->set);
  command_words(given, "opt", &request->opt);
  command_time_once(given, "sample", &request->sample);
  command_time(given, "time-limit", &request->time_limit);
  command_whole(given, "repeat", &request->repeat);
  request->search = command_text(given, "search");
  command_texts(given, "until", BENCH_UNTIL_MAX, request->until);
  request->checkpoint = command_text(given, "checkpoint");
  command_time(given, "checkpoint-every", &request->checkpoint_every);
  request->restart = command_text(given, "restart");
  request->start = command_text(given, "start");
  request->vtk = command_text(given, "vtk");
  request->film = command_text(given, "film");
  const char *ensemble = command_text(given, "ensemble");
  command_hold(given,
               ensemble != NULL ? bench_ensemble_parse(ensemble, &request->ensemble) : BASE_OK);
  const char *dump = command_text(given, "dump-problems");
  command_hold(given, dump != NULL
                          ? bench_dump_parse(dump, &request->dump_every, &request->dump_folder)
                          : BASE_OK);
  const char *format = command_text(given, "format");
  command_hold(given, format != NULL ? bench_dump_format(format, &request->dump_ending) : BASE_OK);
  command_expect_words(given, 1, "one CASE");
  if (given->status == BASE_OK && request->formulation == NULL) {
    given->status = base_fail(BASE_E_INPUT, "run: no formulation (-f) given");
  }
  if (given->status == BASE_OK && request->dump_ending != NULL && request->dump_every == 0) {
    given->status =
        base_fail(BASE_E_INPUT, "run: --format is of --dump-problems, which is not given");
  }
}

int command_run(struct command_given *given, int *code) {
  (void)code;
  struct bench_request request = {.shows_progress = 1};
  read_run_request(given, &request);
  if (given->status != BASE_OK) {
    return given->status;
  }
  request.case_name = given->words[0];
  return run_one(&request, command_text(given, "output"));
}

/* Options of the solver that have a name of their own, and others. */
static void read_solver_options(struct command_given *given, struct base_words *opt) {
  static const char *const own[][2] = {{"tol", "tol"}, {"max-iter", "max_iter"}};
  for (int i = 0; i < 2; ++i) {
    const char *value = command_text(given, own[i][0]);
    if (value != NULL) {
      command_add_word(given, "opt", base_arena_printf(given->arena, "%s=%s", own[i][1], value),
                       opt);
    }
  }
  if (command_has(given, "history")) {
    command_add_word(given, "opt", "history=yes", opt);
  }
  command_words(given, "opt", opt);
}

int command_solve(struct command_given *given, int *code) {
  (void)code;
  const char *output = command_text(given, "output");
  struct bench_solve_request request = {.output = output != NULL ? output : "-",
                                        .solver = command_text(given, "solver"),
                                        .warm = command_text(given, "warm"),
                                        .law = command_text(given, "law")};
  int outcome = BASE_OK;
  read_solver_options(given, &request.opt);
  command_expect_words(given, 1, "one PROBLEM file");
  if (given->status == BASE_OK && request.solver == NULL) {
    given->status = base_fail(BASE_E_INPUT, "solve: no solver (-s) given");
  }
  if (given->status != BASE_OK) {
    return given->status;
  }
  request.problem = given->words[0];
  bench_output_clean(request.output);
  const int status = bench_solve(&request, &outcome);
  return status != BASE_OK ? status : outcome;
}

int command_scene(struct command_given *given, int *code) {
  const char *family = command_text(given, "family"), *seeds = command_text(given, "seed");
  const char *output = command_text(given, "output");
  const int is_list = command_has(given, "list"), is_twins = command_has(given, "twins");
  int status = BASE_OK, found = 0;
  if (given->status == BASE_OK && is_list + is_twins + (family != NULL && seeds != NULL) != 1) {
    given->status =
        base_fail(BASE_E_INPUT, "scene: expects --family and --seed, or --list, or --twins");
  }
  if (!is_twins) {
    command_expect_words(given, 0, "no words beside its options");
  } else if (given->status == BASE_OK && given->n_words == 0) {
    given->status = base_fail(BASE_E_INPUT, "scene: --twins expects folders of records");
  }
  if (given->status != BASE_OK) {
    return given->status;
  }
  if (is_twins) {
    status = generate_find_twins(given->n_words, given->words, &found);
  } else if (is_list) {
    generate_list();
  } else {
    status = generate_to_files(family, seeds, output != NULL ? output : "-");
  }
  *code = found > 0;
  return status;
}
