/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands on one thing: list and describe what there is, one run, one one-step problem.
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

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

int command_list(int argc, char **argv) {
  enum bench_list_format format = BENCH_LIST_LINES;
  for (int c; (c = command_next_option(argc, argv)) != -1;) {
    if (c != 'J' && c != 'M') {
      return command_refuse_option("list", argc, argv, c);
    }
    format = c == 'J' ? BENCH_LIST_JSON : BENCH_LIST_MARKDOWN;
  }
  if (argc - optind > 1) {
    base_fail(BASE_E_INPUT,
              "list: expects at most one of cases, formulations, solvers, figures, studies");
    return command_usage();
  }
  const int status = bench_list(optind < argc ? argv[optind] : NULL, format);
  return status == BASE_OK ? 0 : command_fail(status);
}

static int sketch(const char *name) {
  struct base_arena *arena = base_arena_alloc();
  const int status = bench_sketch(case_open(name, NULL, arena), stdout);
  base_arena_free(arena);
  return status;
}

int command_describe(int argc, char **argv) {
  int as_json = 0, as_svg = 0;
  for (int c; (c = command_next_option(argc, argv)) != -1;) {
    if (c != 'J' && c != 'G') {
      return command_refuse_option("describe", argc, argv, c);
    }
    as_json |= c == 'J';
    as_svg |= c == 'G';
  }
  if (command_expect_words("describe", argc, 1, "one NAME") != BASE_OK) {
    return command_usage();
  }
  const int status = as_svg ? sketch(argv[optind]) : bench_describe(argv[optind], as_json);
  return status == BASE_OK ? 0 : command_fail(status);
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
  if (status != BASE_OK) {
    return command_fail(status);
  }
  if (outcome != BASE_OK) {
    fprintf(stderr, "coulombench: %s\n", base_message());
  }
  return outcome == BASE_OK ? 0 : EXIT_BAD_STATUS;
}

/* A time that is not 0, which says that none was given. */
static int parse_time_once(const char *name, const char *text, double *x) {
  if (*x != 0) {
    return base_fail(BASE_E_INPUT, "%s: given twice, %g s and '%s'", name, *x, text);
  }
  const int status = command_parse_time(name, text, x);
  return status == BASE_OK && *x == 0
             ? base_fail(BASE_E_INPUT, "%s = 0 s: must be positive and finite", name)
             : status;
}

static int take_run_option(int letter, struct bench_request *request, const char **output,
                           struct base_arena *arena) {
  switch (letter) {
  case 'f':
    request->formulation = optarg;
    return BASE_OK;
  case 's':
    request->solver = optarg;
    return BASE_OK;
  case 'o':
    *output = optarg;
    return BASE_OK;
  case 'd':
    return parse_time_once("--dt", optarg, &request->dt);
  case 'e':
    return parse_time_once("--t-end", optarg, &request->t_end);
  case 'm':
    return parse_time_once("--sample", optarg, &request->sample);
  case 'l':
    return command_parse_time("--time-limit", optarg, &request->time_limit);
  case 'r':
    return command_parse_count("--repeat", optarg, &request->repeat);
  case 'c':
    request->checkpoint = optarg;
    return BASE_OK;
  case 'C':
    return command_parse_time("--checkpoint-every", optarg, &request->checkpoint_every);
  case 'R':
    request->restart = optarg;
    return BASE_OK;
  case 'b':
    request->start = optarg;
    return BASE_OK;
  case 'v':
    request->vtk = optarg;
    return BASE_OK;
  case 'i':
    request->film = optarg;
    return BASE_OK;
  case 'p':
    return bench_dump_parse(optarg, &request->dump_every, &request->dump_folder);
  case 'F':
    return bench_dump_format(optarg, &request->dump_ending);
  case 'h':
    request->search = optarg;
    return BASE_OK;
  case 'u':
    if (request->until[BENCH_UNTIL_MAX - 1] != NULL) {
      return base_fail(BASE_E_INPUT, "more than %d --until", BENCH_UNTIL_MAX);
    }
    request->until[request->until[0] != NULL] = optarg;
    return BASE_OK;
  case 'E':
    return bench_ensemble_parse(optarg, &request->ensemble);
  case 'S':
    return command_add_word("--set", optarg, arena, &request->set);
  default: /* 'O' */
    return command_add_word("--opt", optarg, arena, &request->opt);
  }
}

static int check_run_request(const struct bench_request *request) {
  if (request->formulation == NULL) {
    return base_fail(BASE_E_INPUT, "run: no formulation (-f) given");
  }
  if (request->dump_ending != NULL && request->dump_every == 0) {
    return base_fail(BASE_E_INPUT, "run: --format is of --dump-problems, which is not given");
  }
  return BASE_OK;
}

int command_run(int argc, char **argv) {
  struct base_arena *arena = base_arena_alloc();
  struct bench_request request = {.shows_progress = 1};
  const char *output = NULL;
  int status = BASE_OK;
  for (int c; status == BASE_OK && (c = command_next_option(argc, argv)) != -1;) {
    if (c == '?' || c == ':') {
      return command_refuse_option("run", argc, argv, c);
    }
    status = take_run_option(c, &request, &output, arena);
  }
  status = status != BASE_OK ? status : command_expect_words("run", argc, 1, "one CASE");
  status = status != BASE_OK ? status : check_run_request(&request);
  if (status != BASE_OK) {
    return command_usage();
  }
  request.case_name = argv[optind];
  const int result = run_one(&request, output);
  base_arena_free(arena);
  return result;
}

int command_solve(int argc, char **argv) {
  struct base_arena *arena = base_arena_alloc();
  struct bench_solve_request request = {.output = "-"};
  int status = BASE_OK;
  for (int c; status == BASE_OK && (c = command_next_option(argc, argv)) != -1;) {
    switch (c) {
    case 's':
      request.solver = optarg;
      break;
    case 'o':
      request.output = optarg;
      break;
    case 'w':
      request.warm = optarg;
      break;
    case 'L':
      request.law = optarg;
      break;
    case 't':
      status = command_add_word("--opt", base_arena_printf(arena, "tol=%s", optarg), arena,
                                &request.opt);
      break;
    case 'n':
      status = command_add_word("--opt", base_arena_printf(arena, "max_iter=%s", optarg), arena,
                                &request.opt);
      break;
    case 'H':
      status = command_add_word("--opt", "history=yes", arena, &request.opt);
      break;
    case 'O':
      status = command_add_word("--opt", optarg, arena, &request.opt);
      break;
    default:
      base_arena_free(arena);
      return command_refuse_option("solve", argc, argv, c);
    }
  }
  status = status != BASE_OK ? status : command_expect_words("solve", argc, 1, "one PROBLEM file");
  if (status == BASE_OK && request.solver == NULL) {
    status = base_fail(BASE_E_INPUT, "solve: no solver (-s) given");
  }
  int result;
  if (status != BASE_OK) {
    result = command_usage();
  } else {
    int outcome = BASE_OK;
    request.problem = argv[optind];
    bench_output_clean(request.output);
    status = bench_solve(&request, &outcome);
    result = status != BASE_OK ? command_fail(status) : outcome == BASE_OK ? 0 : EXIT_BAD_STATUS;
    if (status == BASE_OK && outcome != BASE_OK) {
      fprintf(stderr, "coulombench: %s\n", base_message());
    }
  }
  base_arena_free(arena);
  return result;
}
