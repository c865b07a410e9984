/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command line. Exit status: 0 done, 1 a bad status or a difference, 2 usage or bad input (one
 * line on standard error that names file, key and reason), 3 internal, or no memory where no record
 * can say so.
 */
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/names.h"
#include "base/options.h"
#include "base/status.h"
#include "bench/commands.h"
#include "bench/record/provenance.h"
#include "bench/run/dump.h"
#include "bench/search/search.h"
#include "bench/suite/bench.h"
#include "bench/suite/output.h"
#include "la/dense.h"

enum { EXIT_BAD_STATUS = 1, EXIT_USAGE = 2, EXIT_INTERNAL = 3 };

/* What each command takes and does; printed by --help, all of it or one command's. */
static const char list_usage[] = "  list [cases|formulations|solvers|figures] [--json|--markdown]\n"
                                 "                                       what there is\n";
static const char describe_usage[] =
    "  describe NAME|SCENE.json             a case, formulation, solver or figure, all options; a\n"
    "                                       scene; coulombench.scene/1, coulombench.result/2:\n"
    "                                       their JSON Schema; compare: what it measures\n"
    "                                       differences by\n";
static const char run_usage[] =
    "  run CASE|SCENE.json -f FORMULATION [-s SOLVER] [--dt H] [--t-end T] [--set key=value]...\n"
    "      [--opt key=value]... [--sample DT] [--time-limit S] [--repeat N]\n"
    "      [--search LO,HI[,LIMIT[,RATIO]]] [--search PARAM=LO,HI[,TOL] --until CONDITION]\n"
    "      [--dump-problems N[:DIR] [--format json|fclib]] [-o FILE|-]\n"
    "      [--checkpoint FILE [--checkpoint-every T]] [--restart FILE] [--vtk DIR[:DT]]\n"
    "                                       one run, one record; --set: parameters of the case,\n"
    "                                       of scenes by path (materials.steel.mu=0.2),\n"
    "                                       --opt: options of the formulation and its solver,\n"
    "                                       --sample: a trajectory in the record every DT,\n"
    "                                       --time-limit: wall time, beyond it status timeout;\n"
    "                                       the reference has as long again, beyond it no errors,\n"
    "                                       --repeat: times are taken N times, each of whole runs\n"
    "                                       that last 0.2 s together; the record has all, their\n"
    "                                       median and quartiles,\n"
    "                                       --search: the largest step in [LO, HI] whose error\n"
    "                                       stays below LIMIT times the system's length (0.1),\n"
    "                                       to a factor RATIO (1.02), and the largest that does\n"
    "                                       not diverge; with --until: where in [LO, HI], to\n"
    "                                       TOL (HI - LO) (1e-6), a parameter changes whether\n"
    "                                       KEY<X, |KEY|>X ... of the record or status=STATUS\n"
    "                                       holds,\n"
    "                                       --dump-problems: every N-th one-step problem of\n"
    "                                       impulse stepping as a file in DIR (.), ours or\n"
    "                                       FCLIB's (HDF5),\n"
    "                                       --checkpoint: all that is needed to go on, every T\n"
    "                                       (a tenth of the run), with the same command and\n"
    "                                       --restart, --vtk: frames for ParaView, every DT (a\n"
    "                                       hundredth of the run)\n";
static const char solve_usage[] =
    "  solve PROBLEM -s SOLVER [--law LAW] [--tol T] [--max-iter N] [--opt key=value]...\n"
    "      [--warm FILE] [-o FILE|-]        one one-step problem: ours, FCLIB's (HDF5) or\n"
    "                                       Siconos' text (README);\n"
    "                                       --warm: start from an earlier solution;\n"
    "                                       -s exec:COMMAND (here, in run and in suites): a\n"
    "                                       program that gets the problem as JSON on standard\n"
    "                                       input and prints the solution (README)\n";
static const char bench_usage[] =
    "  bench SUITE [-j N] [--resume] [--shard I/N] [-o DIR]\n"
    "                                       a suite (quick, full, paper or a .json file); -j: "
    "runs\n"
    "                                       at a time, one that asks for threads counted as so\n"
    "                                       many, --resume: leave out what has its result by the\n"
    "                                       same input, options, sources and libraries,\n"
    "                                       --shard: every N-th run from the I-th on\n";
static const char report_usage[] = "  report DIR [--suite SUITE] [-o DIR]  figures, tables and one "
                                   "page from a folder of records\n";
static const char compare_usage[] =
    "  compare A B [--tol T] [--noise C [--factor F]]... [--ignore KEY]... [--verbose]\n"
    "                                       two records or two folders of records: a verdict, "
    "then\n"
    "                                       the rows; --tol: largest difference over the scale of\n"
    "                                       its block (describe compare), --noise: records of A's\n"
    "                                       code under another BLAS kernel, whose differences "
    "from\n"
    "                                       A, times F (10), are allowed too, --ignore: a path in\n"
    "                                       the records (final.impulses, checks[].what)\n";
static const char check_usage[] =
    "  check FILE|CASE|SCENE.json... [--set key=value]...\n"
    "                                       validate records, suites, cases, scenes, problems,\n"
    "                                       solutions; of a case (by name) or a scene also the\n"
    "                                       model, by finite differences at random states: a line\n"
    "                                       a derivative, exit status 1 where one is wrong\n";

static const char usage_head[] =
    "coulombench: contact and friction formulations of rigid multibody dynamics, compared\n"
    "\n"
    "usage: coulombench COMMAND ...\n"
    "\n";
static const char usage_tail[] =
    "  COMMAND --help, --version, --help\n"
    "\n"
    "times in s, SI units throughout; -o - writes to standard output\n"
    "exit status: 0 done, 1 a bad status or a difference, 2 usage or bad input,\n"
    "             3 internal, or no memory where no record can say so\n"
    "example: coulombench run falling-particle -f ccp --dt 1e-3 --set mu=0.3 -o -\n";

/* Report the message a negative status left and turn it into an exit status. */
static int fail(int status) {
  fprintf(stderr, "coulombench: %s\n", base_message());
  return status == BASE_E_INPUT || status == BASE_E_IO ? EXIT_USAGE : EXIT_INTERNAL;
}

static int usage(void) {
  fprintf(stderr, "coulombench: %s; see 'coulombench --help'\n", base_message());
  return EXIT_USAGE;
}

/* getopt's refusals as one line of ours. The word is the last one looked at, unless a letter within
 * a group of letters is meant. */
static int refuse_option(const char *command, int argc, char **argv, int code) {
  const char letter[] = {'-', (char)optopt, '\0'};
  const char *word = optind > 0 && optind <= argc ? argv[optind - 1] : "";
  if (code == '?' && optopt > ' ' && optopt < 127 && strncmp(word, "--", 2) != 0) {
    word = letter;
  }
  if (code == ':') {
    base_fail(BASE_E_INPUT, "%s: option '%s' needs a value", command, word);
  } else {
    base_fail(BASE_E_INPUT, "%s: unknown option '%s'", command, word);
  }
  return usage();
}

static int parse_time(const char *name, const char *text, double *x) {
  if (base_parse_real(text, x) != BASE_OK || isnan(*x)) {
    return base_fail(BASE_E_INPUT, "%s = '%s': must be a number", name, text);
  }
  return BASE_OK;
}

static int parse_count(const char *name, const char *text, int *n) {
  double x;
  if (base_parse_real(text, &x) != BASE_OK || !(x >= 1 && x <= 1024) || x != floor(x)) {
    return base_fail(BASE_E_INPUT, "%s = '%s': must be a whole number from 1 to 1024", name, text);
  }
  *n = (int)x;
  return BASE_OK;
}

/* Exactly n words must be left. */
static int expect_words(const char *command, int argc, int n, const char *what) {
  if (argc - optind != n) {
    return base_fail(BASE_E_INPUT, "%s: expects %s", command, what);
  }
  return BASE_OK;
}

static int add_pair(const char *name, const char *pair, int *n, const char **pairs) {
  if (*n == BENCH_PAIRS_MAX) {
    return base_fail(BASE_E_INPUT, "more than %d %s", BENCH_PAIRS_MAX, name);
  }
  pairs[(*n)++] = pair;
  return BASE_OK;
}

static int command_list(int argc, char **argv) {
  static const struct option options[] = {
      {"json", no_argument, NULL, 'J'}, {"markdown", no_argument, NULL, 'M'}, {0}};
  enum bench_list_format format = BENCH_LIST_LINES;
  for (int c; (c = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
    if (c != 'J' && c != 'M') {
      return refuse_option("list", argc, argv, c);
    }
    format = c == 'J' ? BENCH_LIST_JSON : BENCH_LIST_MARKDOWN;
  }
  if (argc - optind > 1) {
    base_fail(BASE_E_INPUT, "list: expects at most one of cases, formulations, solvers, figures");
    return usage();
  }
  const int status = bench_list(optind < argc ? argv[optind] : NULL, format);
  return status == BASE_OK ? 0 : fail(status);
}

static int command_describe(int argc, char **argv) {
  if (getopt_long(argc, argv, ":", (const struct option[]){{0}}, NULL) != -1) {
    return refuse_option("describe", argc, argv, '?');
  }
  if (expect_words("describe", argc, 1, "one NAME") != BASE_OK) {
    return usage();
  }
  const int status = bench_describe(argv[optind]);
  return status == BASE_OK ? 0 : fail(status);
}

static int run_one(const struct bench_request *request, const char *output) {
  int outcome = BASE_OK;
  bench_output_clean(output);
  if (request->checkpoint != NULL) {
    bench_output_clean(request->checkpoint);
  }
  const int status = bench_run_to_file(request, output, &outcome);
  if (status != BASE_OK) {
    return fail(status);
  }
  if (outcome != BASE_OK) {
    fprintf(stderr, "coulombench: %s\n", base_message());
  }
  return outcome == BASE_OK ? 0 : EXIT_BAD_STATUS;
}

/* given: whether it was before. */
static int parse_time_once(const char *name, const char *text, int *given, double *x) {
  if (*given) {
    return base_fail(BASE_E_INPUT, "%s: given twice, %g s and '%s'", name, *x, text);
  }
  *given = 1;
  return parse_time(name, text, x);
}

static int take_run_option(int letter, struct bench_request *request, const char **output) {
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
    return parse_time_once("--dt", optarg, &request->has_dt, &request->dt);
  case 'e':
    return parse_time_once("--t-end", optarg, &request->has_t_end, &request->t_end);
  case 'm':
    return parse_time_once("--sample", optarg, &request->has_sample, &request->sample);
  case 'l':
    return parse_time("--time-limit", optarg, &request->time_limit);
  case 'r':
    return parse_count("--repeat", optarg, &request->repeat);
  case 'c':
    request->checkpoint = optarg;
    return BASE_OK;
  case 'C':
    return parse_time("--checkpoint-every", optarg, &request->checkpoint_every);
  case 'R':
    request->restart = optarg;
    return BASE_OK;
  case 'v':
    request->vtk = optarg;
    return BASE_OK;
  case 'p':
    return bench_dump_parse(optarg, &request->dump_every, &request->dump_folder);
  case 'F':
    return bench_dump_format(optarg, &request->dump_ending);
  case 'h':
    if (strchr(optarg, '=') != NULL) {
      request->threshold = optarg;
      return BASE_OK;
    }
    request->has_search = 1;
    return bench_search_parse(optarg, &request->search);
  case 'u':
    request->until = optarg;
    return BASE_OK;
  case 'S':
    return add_pair("--set", optarg, &request->n_set, request->set);
  default: /* 'O' */
    return add_pair("--opt", optarg, &request->n_opt, request->opt);
  }
}

static int check_run_request(const struct bench_request *request) {
  if (request->formulation == NULL) {
    return base_fail(BASE_E_INPUT, "run: no formulation (-f) given");
  }
  if (request->dump_ending != NULL && request->dump_every == 0) {
    return base_fail(BASE_E_INPUT, "run: --format is of --dump-problems, which is not given");
  }
  if ((request->threshold == NULL) != (request->until == NULL)) {
    return base_fail(BASE_E_INPUT, "run: --search PARAM=LO,HI and --until CONDITION go together");
  }
  if (request->threshold != NULL && request->has_search) {
    return base_fail(BASE_E_INPUT, "run: a search is for the step or for a parameter, not both");
  }
  return BASE_OK;
}

static int command_run(int argc, char **argv) {
  static const struct option options[] = {{"formulation", required_argument, NULL, 'f'},
                                          {"solver", required_argument, NULL, 's'},
                                          {"dt", required_argument, NULL, 'd'},
                                          {"t-end", required_argument, NULL, 'e'},
                                          {"set", required_argument, NULL, 'S'},
                                          {"opt", required_argument, NULL, 'O'},
                                          {"sample", required_argument, NULL, 'm'},
                                          {"time-limit", required_argument, NULL, 'l'},
                                          {"repeat", required_argument, NULL, 'r'},
                                          {"output", required_argument, NULL, 'o'},
                                          {"search", required_argument, NULL, 'h'},
                                          {"until", required_argument, NULL, 'u'},
                                          {"dump-problems", required_argument, NULL, 'p'},
                                          {"format", required_argument, NULL, 'F'},
                                          {"checkpoint", required_argument, NULL, 'c'},
                                          {"checkpoint-every", required_argument, NULL, 'C'},
                                          {"restart", required_argument, NULL, 'R'},
                                          {"vtk", required_argument, NULL, 'v'},
                                          {0}};
  struct bench_request request = {0};
  const char *output = "-";
  int status = BASE_OK;
  for (int c; status == BASE_OK && (c = getopt_long(argc, argv, ":f:s:o:", options, NULL)) != -1;) {
    if (c == '?' || c == ':') {
      return refuse_option("run", argc, argv, c);
    }
    status = take_run_option(c, &request, &output);
  }
  status = status != BASE_OK ? status : expect_words("run", argc, 1, "one CASE");
  status = status != BASE_OK ? status : check_run_request(&request);
  if (status != BASE_OK) {
    return usage();
  }
  request.case_name = argv[optind];
  return run_one(&request, output);
}

static int command_solve(int argc, char **argv) {
  static const struct option options[] = {
      {"solver", required_argument, NULL, 's'}, {"law", required_argument, NULL, 'L'},
      {"tol", required_argument, NULL, 't'},    {"max-iter", required_argument, NULL, 'n'},
      {"opt", required_argument, NULL, 'O'},    {"warm", required_argument, NULL, 'w'},
      {"output", required_argument, NULL, 'o'}, {0}};
  const char *pairs[BENCH_PAIRS_MAX];
  struct base_arena *arena = base_arena_alloc();
  struct bench_solve_request request = {.output = "-", .opt = pairs};
  int status = BASE_OK;
  for (int c; status == BASE_OK && (c = getopt_long(argc, argv, ":s:o:", options, NULL)) != -1;) {
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
      status = add_pair("--opt", base_arena_printf(arena, "tol=%s", optarg), &request.n_opt, pairs);
      break;
    case 'n':
      status =
          add_pair("--opt", base_arena_printf(arena, "max_iter=%s", optarg), &request.n_opt, pairs);
      break;
    case 'O':
      status = add_pair("--opt", optarg, &request.n_opt, pairs);
      break;
    default:
      base_arena_free(arena);
      return refuse_option("solve", argc, argv, c);
    }
  }
  status = status != BASE_OK ? status : expect_words("solve", argc, 1, "one PROBLEM file");
  if (status == BASE_OK && request.solver == NULL) {
    status = base_fail(BASE_E_INPUT, "solve: no solver (-s) given");
  }
  int result;
  if (status != BASE_OK) {
    result = usage();
  } else {
    int outcome = BASE_OK;
    request.problem = argv[optind];
    bench_output_clean(request.output);
    status = bench_solve(&request, &outcome);
    result = status != BASE_OK ? fail(status) : outcome == BASE_OK ? 0 : EXIT_BAD_STATUS;
    if (status == BASE_OK && outcome != BASE_OK) {
      fprintf(stderr, "coulombench: %s\n", base_message());
    }
  }
  base_arena_free(arena);
  return result;
}

/* "I/N" */
static int parse_shard(const char *text, int *i, int *n) {
  char *slash = NULL, *end = NULL;
  const long part = strtol(text, &slash, 10);
  const long parts = *slash == '/' ? strtol(slash + 1, &end, 10) : 0;
  if (end == NULL || *end != '\0' || part < 1 || part > parts || parts > INT_MAX) {
    return base_fail(BASE_E_INPUT, "--shard = '%s': must be I/N with 1 <= I <= N", text);
  }
  *i = (int)part;
  *n = (int)parts;
  return BASE_OK;
}

static int command_bench(int argc, char **argv) {
  static const struct option options[] = {{"jobs", required_argument, NULL, 'j'},
                                          {"resume", no_argument, NULL, 'r'},
                                          {"shard", required_argument, NULL, 'h'},
                                          {"output", required_argument, NULL, 'o'},
                                          {0}};
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  struct bench_options how = {.jobs = cores > 0 ? (int)cores : 1};
  int status = BASE_OK, shard = 1, shards = 1;
  for (int c; status == BASE_OK && (c = getopt_long(argc, argv, ":j:o:", options, NULL)) != -1;) {
    switch (c) {
    case 'j':
      status = parse_count("-j", optarg, &how.jobs);
      break;
    case 'r':
      how.resume = 1;
      break;
    case 'h':
      status = parse_shard(optarg, &shard, &shards);
      break;
    case 'o':
      how.folder = optarg;
      break;
    default:
      return refuse_option("bench", argc, argv, c);
    }
  }
  status = status != BASE_OK ? status : expect_words("bench", argc, 1, "one SUITE");
  if (status != BASE_OK) {
    return usage();
  }
  struct base_arena *arena = base_arena_alloc();
  struct bench_suite suite;
  int bad = 0;
  status = bench_suite_load(argv[optind], arena, &suite);
  status = status != BASE_OK ? status : bench_suite_shard(&suite, shard, shards);
  if (status == BASE_OK) {
    if (how.folder == NULL) {
      how.folder = base_arena_printf(arena, "results/%s", suite.name);
    }
    status = bench_suite_run(&suite, &how, arena, &bad);
  }
  base_arena_free(arena);
  return status != BASE_OK ? fail(status) : bad > 0 ? EXIT_BAD_STATUS : 0;
}

static int command_report(int argc, char **argv) {
  static const struct option options[] = {
      {"suite", required_argument, NULL, 'u'}, {"output", required_argument, NULL, 'o'}, {0}};
  const char *output = NULL, *suite = NULL;
  for (int c; (c = getopt_long(argc, argv, ":o:", options, NULL)) != -1;) {
    if (c != 'o' && c != 'u') {
      return refuse_option("report", argc, argv, c);
    }
    *(c == 'o' ? &output : &suite) = optarg;
  }
  if (expect_words("report", argc, 1, "one folder of records") != BASE_OK) {
    return usage();
  }
  int failed = 0;
  const int status =
      bench_report(argv[optind], suite, output != NULL ? output : argv[optind], &failed);
  return status != BASE_OK ? fail(status) : failed > 0 ? EXIT_BAD_STATUS : 0;
}

static int take_compare_option(int letter, struct bench_compare_request *request,
                               const char *ignored[BENCH_PAIRS_MAX]) {
  switch (letter) {
  case 't':
    if (base_parse_real(optarg, &request->tol) != BASE_OK ||
        !(request->tol >= 0 && isfinite(request->tol))) {
      return base_fail(BASE_E_INPUT, "--tol = '%s': must be a number, not negative", optarg);
    }
    return BASE_OK;
  case 'f':
    if (base_parse_real(optarg, &request->factor) != BASE_OK ||
        !(request->factor > 0 && isfinite(request->factor))) {
      return base_fail(BASE_E_INPUT, "--factor = '%s': must be a positive number", optarg);
    }
    return BASE_OK;
  case 'n':
    if (request->n_noise == BENCH_COMPARE_NOISE_MAX) {
      return base_fail(BASE_E_INPUT, "more than %d --noise", BENCH_COMPARE_NOISE_MAX);
    }
    request->noise[request->n_noise++] = optarg;
    return BASE_OK;
  case 'i':
    return add_pair("--ignore", optarg, &request->n_ignored, ignored);
  default: /* 'v' */
    request->verbose = 1;
    return BASE_OK;
  }
}

static int command_compare(int argc, char **argv) {
  static const struct option options[] = {
      {"tol", required_argument, NULL, 't'},    {"noise", required_argument, NULL, 'n'},
      {"factor", required_argument, NULL, 'f'}, {"ignore", required_argument, NULL, 'i'},
      {"verbose", no_argument, NULL, 'v'},      {0}};
  const char *ignored[BENCH_PAIRS_MAX];
  struct bench_compare_request request = {.tol = -1, .ignored = ignored};
  int status = BASE_OK;
  for (int c; status == BASE_OK && (c = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
    if (c == '?' || c == ':') {
      return refuse_option("compare", argc, argv, c);
    }
    status = take_compare_option(c, &request, ignored);
  }
  status =
      status != BASE_OK ? status : expect_words("compare", argc, 2, "two records or two folders");
  if (status == BASE_OK && request.factor > 0 && request.n_noise == 0) {
    status = base_fail(BASE_E_INPUT, "compare: --factor goes with --noise");
  }
  if (status != BASE_OK) {
    return usage();
  }
  request.factor = request.factor > 0 ? request.factor : 10;
  request.a = argv[optind];
  request.b = argv[optind + 1];
  int is_same = 0;
  status = bench_compare(&request, &is_same);
  return status != BASE_OK ? fail(status) : is_same ? 0 : EXIT_BAD_STATUS;
}

static int command_check(int argc, char **argv) {
  static const struct option options[] = {{"set", required_argument, NULL, 'S'}, {0}};
  const char *set[BENCH_PAIRS_MAX];
  int n_set = 0;
  for (int c; (c = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
    if (c != 'S') {
      return refuse_option("check", argc, argv, c);
    }
    if (add_pair("--set", optarg, &n_set, set) != BASE_OK) {
      return usage();
    }
  }
  if (optind == argc) {
    base_fail(BASE_E_INPUT, "check: expects at least one file, case or scene");
    return usage();
  }
  int result = 0;
  for (int i = optind; i < argc; ++i) {
    const int status = bench_check(argv[i], n_set, set);
    if (status != BASE_OK) {
      const int code = status > 0 ? EXIT_BAD_STATUS : fail(status);
      if (status > 0) {
        fprintf(stderr, "coulombench: %s\n", base_message());
      }
      result = code > result ? code : result;
    }
  }
  return result;
}

static const struct {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *usage;
} commands[] = {{"list", command_list, list_usage},
                {"describe", command_describe, describe_usage},
                {"run", command_run, run_usage},
                {"solve", command_solve, solve_usage},
                {"bench", command_bench, bench_usage},
                {"report", command_report, report_usage},
                {"compare", command_compare, compare_usage},
                {"check", command_check, check_usage}};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static int is_help(const char *word) {
  return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static void print_help(void) {
  fputs(usage_head, stdout);
  for (int i = 0; i < COMMAND_COUNT; ++i) {
    fputs(commands[i].usage, stdout);
  }
  fputs(usage_tail, stdout);
}

/* A command with its words; argv[0] is its name. */
static int run_command(int argc, char **argv) {
  const char *names[COMMAND_COUNT];
  for (int i = 0; i < COMMAND_COUNT; ++i) {
    names[i] = commands[i].name;
  }
  const int at = base_name_find("command", argv[0], COMMAND_COUNT, names);
  if (at < 0) {
    return usage();
  }
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; ++i) {
    if (is_help(argv[i])) {
      printf("usage: coulombench\n%s", commands[at].usage);
      return 0;
    }
  }
  return commands[at].run(argc, argv);
}

int main(int argc, char **argv) {
  la_start(argv);
  la_init();
  opterr = 0;
  signal(SIGPIPE, SIG_IGN); /* a closed pipe is then a write error, reported like any other */
  int result = 0;
  if (argc < 2) {
    base_fail(BASE_E_INPUT, "no command given");
    return usage();
  }
  if (is_help(argv[1]) || strcmp(argv[1], "help") == 0) {
    print_help();
  } else if (strcmp(argv[1], "--version") == 0) {
    printf("coulombench %s\n", bench_version());
  } else {
    result = run_command(argc - 1, argv + 1);
  }
  if ((fflush(stdout) != 0 || ferror(stdout)) && result < EXIT_USAGE) { /* not yet reported */
    fprintf(stderr, "coulombench: standard output: cannot write\n");
    return EXIT_USAGE;
  }
  return result;
}
