/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands on many runs: a suite, the report on its records, tables of them, records held against
 * each other, files and models checked.
 */
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory/arena.h"
#include "base/names.h"
#include "base/options.h"
#include "base/status.h"
#include "bench/commands.h"
#include "bench/figure/file.h"
#include "bench/suite/bench.h"
#include "bench/table/table.h"
#include "command/command.h"

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

int command_bench(int argc, char **argv) {
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  struct bench_options how = {.jobs = cores > 0 ? (int)cores : 1};
  int status = BASE_OK, shard = 1, shards = 1, missing = 0;
  int is_dry = 0, is_missing = 0, is_estimate = 0;
  for (int c; status == BASE_OK && (c = command_next_option(argc, argv)) != -1;) {
    switch (c) {
    case 'j':
      status = command_parse_count("-j", optarg, &how.jobs);
      break;
    case 'r':
      how.resume = 1;
      break;
    case 'd':
      is_dry = 1;
      break;
    case 'm': /* those that --resume would run */
      is_dry = is_missing = how.resume = 1;
      break;
    case 'e':
      is_dry = is_estimate = 1;
      break;
    case 'R':
      how.references = 1;
      break;
    case 'h':
      status = parse_shard(optarg, &shard, &shards);
      break;
    case 'o':
      how.folder = optarg;
      break;
    default:
      return command_refuse_option("bench", argc, argv, c);
    }
  }
  if (status == BASE_OK && how.references && (is_dry || how.resume)) {
    status =
        base_fail(BASE_E_INPUT, "bench --references keeps what is there: it takes no --resume, "
                                "--dry-run, --missing or --estimate");
  }
  status = status != BASE_OK ? status : command_expect_words("bench", argc, 1, "one SUITE");
  if (status != BASE_OK) {
    return command_usage();
  }
  struct base_arena *arena = base_arena_alloc();
  struct bench_suite suite;
  int bad = 0;
  status = bench_suite_load(argv[optind], arena, &suite);
  status = status == BASE_OK && how.references ? bench_suite_references(&suite, arena) : status;
  status = status != BASE_OK ? status : bench_suite_shard(&suite, shard, shards, arena);
  if (status == BASE_OK) {
    if (how.folder == NULL) {
      how.folder = base_arena_printf(arena, "results/%s", suite.name);
    }
    status = bench_suite_check_figures(&suite, arena);
  }
  if (status == BASE_OK) {
    if (is_estimate) {
      status = bench_suite_estimate(&suite, &how, arena);
    } else if (is_dry) {
      status = bench_suite_list(&suite, &how, arena, &missing);
      bad = is_missing ? missing : 0;
    } else {
      bench_suite_announce(&suite, how.jobs);
      status = bench_suite_run(&suite, &how, arena, &bad);
    }
  }
  base_arena_free(arena);
  return status != BASE_OK ? command_fail(status) : bad > 0 ? EXIT_BAD_STATUS : 0;
}

int command_figure(int argc, char **argv) {
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  struct bench_figure_request request = {.jobs = cores > 0 ? (int)cores : 1};
  int status = BASE_OK, failed = 0;
  for (int c; status == BASE_OK && (c = command_next_option(argc, argv)) != -1;) {
    if (c == 'j') {
      status = command_parse_count("-j", optarg, &request.jobs);
    } else if (c == 'o') {
      request.output = optarg;
    } else {
      return command_refuse_option("figure", argc, argv, c);
    }
  }
  if (status == BASE_OK && argc - optind == 2) {
    request.folder = argv[optind + 1];
    --argc;
  }
  status = status != BASE_OK ? status
                             : command_expect_words("figure", argc, 1,
                                                    "one figure, and for a study the folder of its "
                                                    "records");
  if (status != BASE_OK) {
    return command_usage();
  }
  request.name = argv[optind];
  status = bench_figure_make(&request, &failed);
  return status != BASE_OK ? command_fail(status) : failed > 0 ? EXIT_BAD_STATUS : 0;
}

static int parse_width(const char *text, double *width_mm) {
  static const double LEAST = 60, MOST = 250;
  if (base_parse_real(text, width_mm) != BASE_OK || !(*width_mm >= LEAST && *width_mm <= MOST)) {
    return base_fail(BASE_E_INPUT, "--width = '%s': must be a width in mm, from %g to %g", text,
                     LEAST, MOST);
  }
  return BASE_OK;
}

int command_report(int argc, char **argv) {
  const char *against = NULL, *width = NULL;
  struct bench_report_request request = {0};
  for (int c; (c = command_next_option(argc, argv)) != -1;) {
    if (c == 's') {
      request.is_so_far = 1;
      continue;
    }
    if (c != 'o' && c != 'u' && c != 'a' && c != 'w') {
      return command_refuse_option("report", argc, argv, c);
    }
    *(c == 'o'   ? &request.output
      : c == 'u' ? &request.suite
      : c == 'a' ? &against
                 : &width) = optarg;
  }
  if (against != NULL && (request.suite != NULL || width != NULL || request.is_so_far)) {
    base_fail(BASE_E_INPUT,
              "report --against compares all records of two folders on a page: it "
              "takes no --%s",
              request.suite != NULL ? "suite"
              : width != NULL       ? "width"
                                    : "so-far");
    return command_usage();
  }
  if (width != NULL && parse_width(width, &request.width_mm) != BASE_OK) {
    return command_usage();
  }
  if (command_expect_words("report", argc, 1, "one folder of records") != BASE_OK) {
    return command_usage();
  }
  int failed = 0;
  request.folder = argv[optind];
  request.output = request.output != NULL ? request.output : argv[optind];
  const int status = against != NULL
                         ? bench_report_against(request.folder, against, request.output, &failed)
                         : bench_report(&request, &failed);
  return status != BASE_OK ? command_fail(status) : failed > 0 ? EXIT_BAD_STATUS : 0;
}

int command_papers(int argc, char **argv) {
  const char *paper = NULL;
  for (int c; (c = command_next_option(argc, argv)) != -1;) {
    if (c != 'p') {
      return command_refuse_option("papers", argc, argv, c);
    }
    paper = optarg;
  }
  if (command_expect_words("papers", argc, 1, "one folder of results") != BASE_OK) {
    return command_usage();
  }
  int faults = 0;
  const int status = bench_papers(argv[optind], paper, &faults);
  return status != BASE_OK ? command_fail(status) : faults > 0 ? EXIT_BAD_STATUS : 0;
}

static int take_compare_option(int letter, struct bench_compare_request *request,
                               struct base_arena *arena) {
  switch (letter) {
  case 't':
    if (base_parse_real(optarg, &request->tol) != BASE_OK ||
        !(request->tol >= 0 && isfinite(request->tol))) {
      return base_fail(BASE_E_INPUT, "--tol = '%s': must be a number, not negative", optarg);
    }
    return BASE_OK;
  case 'i':
    return command_add_word("--ignore", optarg, arena, &request->ignored);
  default: /* 'v' */
    request->verbose = 1;
    return BASE_OK;
  }
}

int command_compare(int argc, char **argv) {
  struct base_arena *arena = base_arena_alloc();
  struct bench_compare_request request = {.tol = -1};
  int status = BASE_OK;
  for (int c; status == BASE_OK && (c = command_next_option(argc, argv)) != -1;) {
    if (c == '?' || c == ':') {
      return command_refuse_option("compare", argc, argv, c);
    }
    status = take_compare_option(c, &request, arena);
  }
  status = status != BASE_OK
               ? status
               : command_expect_words("compare", argc, 2, "two records or two folders");
  if (status != BASE_OK) {
    return command_usage();
  }
  request.a = argv[optind];
  request.b = argv[optind + 1];
  int is_same = 0;
  status = bench_compare(&request, &is_same);
  return status != BASE_OK ? command_fail(status) : is_same ? 0 : EXIT_BAD_STATUS;
}

static int take_table_option(int letter, struct bench_table_request *request) {
  int format;
  double digits;
  switch (letter) {
  case 'c':
    request->columns = optarg;
    return BASE_OK;
  case 'w':
    if (request->n_where == BENCH_TABLE_CONDITIONS) {
      return base_fail(BASE_E_INPUT, "table: more than %d --where", BENCH_TABLE_CONDITIONS);
    }
    request->where[request->n_where++] = optarg;
    return BASE_OK;
  case 's':
    request->sort = optarg;
    return BASE_OK;
  case 'p':
    request->pivot = optarg;
    return BASE_OK;
  case 'l':
    request->is_flattened = 1;
    return BASE_OK;
  case 'f':
    format = base_name_find("format", optarg, BENCH_TABLE_FORMATS, bench_table_format_names);
    request->format = format >= 0 ? (enum bench_table_format)format : request->format;
    return format >= 0 ? BASE_OK : BASE_E_INPUT;
  case 'd':
    if (base_parse_real(optarg, &digits) != BASE_OK || !(digits >= 1 && digits <= 17) ||
        digits != floor(digits)) {
      return base_fail(BASE_E_INPUT, "--digits = '%s': must be a whole number from 1 to 17",
                       optarg);
    }
    request->digits = (int)digits;
    return BASE_OK;
  default: /* 'o' */
    request->output = optarg;
    return BASE_OK;
  }
}

int command_table(int argc, char **argv) {
  struct bench_table_request request = {.digits = BENCH_TABLE_DIGITS, .output = "-"};
  const char *package = NULL;
  int status = BASE_OK, damaged = 0;
  for (int c; status == BASE_OK && (c = command_next_option(argc, argv)) != -1;) {
    if (c == '?' || c == ':') {
      return command_refuse_option("table", argc, argv, c);
    }
    if (c == 'P') {
      package = optarg;
    } else {
      status = take_table_option(c, &request);
    }
  }
  const int is_for_programs =
      request.format == BENCH_TABLE_CSV || request.format == BENCH_TABLE_JSON;
  if (status == BASE_OK && request.columns == NULL && package == NULL && !is_for_programs) {
    status = base_fail(BASE_E_INPUT, "table: no --columns given; all of them take --format csv or "
                                     "json");
  }
  if (status == BASE_OK && optind == argc) {
    status = base_fail(BASE_E_INPUT, "table: expects a folder of records, or records");
  }
  if (status != BASE_OK) {
    return command_usage();
  }
  request.n_sources = argc - optind;
  request.sources = argv + optind;
  status = package != NULL ? bench_package(package, request.n_sources, request.sources, &damaged)
                           : bench_table_of_records(&request, &damaged);
  return status != BASE_OK ? command_fail(status) : damaged > 0 ? EXIT_BAD_STATUS : 0;
}

int command_check(int argc, char **argv) {
  struct base_arena *arena = base_arena_alloc();
  struct base_words set = {0};
  for (int c; (c = command_next_option(argc, argv)) != -1;) {
    if (c != 'S') {
      return command_refuse_option("check", argc, argv, c);
    }
    if (command_add_word("--set", optarg, arena, &set) != BASE_OK) {
      return command_usage();
    }
  }
  if (optind == argc) {
    base_fail(BASE_E_INPUT, "check: expects at least one file, case or scene");
    return command_usage();
  }
  int result = 0;
  for (int i = optind; i < argc; ++i) {
    const int status = bench_check(argv[i], &set);
    if (status != BASE_OK) {
      const int code = status > 0 ? EXIT_BAD_STATUS : command_fail(status);
      if (status > 0) {
        fprintf(stderr, "coulombench: %s\n", base_message());
      }
      result = code > result ? code : result;
    }
  }
  return result;
}
