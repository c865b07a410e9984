/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands on many runs: a suite, the report on its records, tables of them, records held against
 * each other, files and models checked, results as one archive.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory/arena.h"
#include "base/names.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads.h"
#include "bench/bundle/bundle.h"
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

/* As many as there are processors, where nothing is said. */
static int read_jobs(struct command_given *given) {
  int jobs = base_threads_processors();
  command_whole(given, "jobs", &jobs);
  return jobs;
}

int command_bench(struct command_given *given, int *code) {
  struct base_arena *arena = given->arena;
  const int is_missing = command_has(given, "missing"),
            is_estimate = command_has(given, "estimate");
  const int is_dry = is_missing || is_estimate || command_has(given, "dry-run");
  struct bench_options how = {.jobs = read_jobs(given),
                              .resume = is_missing || command_has(given, "resume"),
                              .references = command_has(given, "references"),
                              .folder = command_text(given, "output")};
  const char *part = command_text(given, "shard");
  int shard = 1, shards = 1, missing = 0, bad = 0;
  command_hold(given, part != NULL ? parse_shard(part, &shard, &shards) : BASE_OK);
  if (given->status == BASE_OK && how.references && (is_dry || how.resume)) {
    given->status =
        base_fail(BASE_E_INPUT, "bench --references keeps what is there: it takes no --resume, "
                                "--dry-run, --missing or --estimate");
  }
  command_expect_words(given, 1, "one SUITE");
  if (given->status != BASE_OK) {
    return given->status;
  }
  struct bench_suite suite;
  int status = bench_suite_load(given->words[0], arena, &suite);
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
  *code = bad > 0;
  return status;
}

int command_figure(struct command_given *given, int *code) {
  struct bench_figure_request request = {.jobs = read_jobs(given),
                                         .output = command_text(given, "output"),
                                         .folder = given->n_words == 2 ? given->words[1] : NULL};
  int failed = 0;
  command_expect_words(given, request.folder != NULL ? 2 : 1,
                       "one figure, and for a study the folder of its records");
  if (given->status != BASE_OK) {
    return given->status;
  }
  request.name = given->words[0];
  const int status = bench_figure_make(&request, &failed);
  *code = failed > 0;
  return status;
}

static int parse_width(const char *text, double *width_mm) {
  static const double LEAST = 60, MOST = 250;
  if (base_parse_real(text, width_mm) != BASE_OK || !(*width_mm >= LEAST && *width_mm <= MOST)) {
    return base_fail(BASE_E_INPUT, "--width = '%s': must be a width in mm, from %g to %g", text,
                     LEAST, MOST);
  }
  return BASE_OK;
}

int command_report(struct command_given *given, int *code) {
  const char *against = command_text(given, "against"), *width = command_text(given, "width");
  struct bench_report_request request = {.output = command_text(given, "output"),
                                         .suite = command_text(given, "suite"),
                                         .is_so_far = command_has(given, "so-far")};
  int failed = 0;
  if (against != NULL && (request.suite != NULL || width != NULL || request.is_so_far)) {
    given->status = base_fail(BASE_E_INPUT,
                              "report --against compares all records of two folders on a page: it "
                              "takes no --%s",
                              request.suite != NULL ? "suite"
                              : width != NULL       ? "width"
                                                    : "so-far");
  }
  if (given->status == BASE_OK && width != NULL) {
    given->status = parse_width(width, &request.width_mm);
  }
  command_expect_words(given, 1, "one folder of records");
  if (given->status != BASE_OK) {
    return given->status;
  }
  request.folder = given->words[0];
  request.output = request.output != NULL ? request.output : request.folder;
  const int status = against != NULL
                         ? bench_report_against(request.folder, against, request.output, &failed)
                         : bench_report(&request, &failed);
  *code = failed > 0;
  return status;
}

int command_papers(struct command_given *given, int *code) {
  int faults = 0;
  command_expect_words(given, 1, "one folder of results");
  if (given->status != BASE_OK) {
    return given->status;
  }
  const int status = bench_papers(given->words[0], command_text(given, "paper"), &faults);
  *code = faults > 0;
  return status;
}

int command_compare(struct command_given *given, int *code) {
  struct bench_compare_request request = {.tol = -1, .verbose = command_has(given, "verbose")};
  const char *tol = command_text(given, "tol");
  int is_same = 0;
  if (tol != NULL && (base_parse_real(tol, &request.tol) != BASE_OK ||
                      !(request.tol >= 0 && isfinite(request.tol)))) {
    given->status = base_fail(BASE_E_INPUT, "--tol = '%s': must be a number, not negative", tol);
  }
  command_words(given, "ignore", &request.ignored);
  command_expect_words(given, 2, "two records or two folders");
  if (given->status != BASE_OK) {
    return given->status;
  }
  request.a = given->words[0];
  request.b = given->words[1];
  const int status = bench_compare(&request, &is_same);
  *code = !is_same;
  return status;
}

static int parse_digits(const char *text, int *digits) {
  double x;
  if (base_parse_real(text, &x) != BASE_OK || !(x >= 1 && x <= 17) || x != floor(x)) {
    return base_fail(BASE_E_INPUT, "--digits = '%s': must be a whole number from 1 to 17", text);
  }
  *digits = (int)x;
  return BASE_OK;
}

static void read_table_request(struct command_given *given, struct bench_table_request *request) {
  const char *format = command_text(given, "format");
  if (format != NULL) {
    const int k = base_name_find("format", format, BENCH_TABLE_FORMATS, bench_table_format_names);
    command_hold(given, k >= 0 ? BASE_OK : BASE_E_INPUT);
    request->format = k >= 0 ? (enum bench_table_format)k : request->format;
  }
  const char *digits = command_text(given, "digits");
  command_hold(given, digits != NULL ? parse_digits(digits, &request->digits) : BASE_OK);
  request->columns = command_text(given, "columns");
  request->n_where = command_texts(given, "where", BENCH_TABLE_CONDITIONS, request->where);
  request->sort = command_text(given, "sort");
  request->pivot = command_text(given, "pivot");
  request->is_flattened = command_has(given, "flatten");
  const char *output = command_text(given, "output");
  request->output = output != NULL ? output : "-";
  request->n_sources = given->n_words;
  request->sources = given->words;
}

int command_table(struct command_given *given, int *code) {
  struct bench_table_request request = {.digits = BENCH_TABLE_DIGITS};
  const char *package = command_text(given, "package");
  int damaged = 0;
  read_table_request(given, &request);
  const int is_for_programs =
      request.format == BENCH_TABLE_CSV || request.format == BENCH_TABLE_JSON;
  if (given->status == BASE_OK && request.columns == NULL && package == NULL && !is_for_programs) {
    given->status =
        base_fail(BASE_E_INPUT, "table: no --columns given; all of them take --format csv or json");
  }
  if (given->status == BASE_OK && given->n_words == 0) {
    given->status = base_fail(BASE_E_INPUT, "table: expects a folder of records, or records");
  }
  if (given->status != BASE_OK) {
    return given->status;
  }
  const int status = package != NULL
                         ? bench_package(package, given->n_words, given->words, &damaged)
                         : bench_table_of_records(&request, &damaged);
  *code = damaged > 0;
  return status;
}

int command_check(struct command_given *given, int *code) {
  struct base_words set = {0};
  command_words(given, "set", &set);
  if (given->status == BASE_OK && given->n_words == 0) {
    given->status = base_fail(BASE_E_INPUT, "check: expects at least one file, case or scene");
  }
  if (given->status != BASE_OK) {
    return given->status;
  }
  for (int i = 0; i < given->n_words; ++i) {
    const int status = bench_check(given->words[i], &set);
    if (status != BASE_OK) { /* each is told, the worst decides */
      const int now = command_fail(status);
      *code = now > *code ? now : *code;
    }
  }
  return BASE_OK;
}

int command_bundle(struct command_given *given, int *code) {
  (void)code;
  const char *output = command_text(given, "output");
  command_expect_words(given, 1, "one folder of results");
  if (given->status != BASE_OK) {
    return given->status;
  }
  return bench_bundle(given->words[0], output);
}

int command_verify(struct command_given *given, int *code) {
  (void)code;
  struct bench_verify_request request = {
      .sample = BENCH_VERIFY_SAMPLE, .seed = BENCH_VERIFY_SEED, .limit = BENCH_VERIFY_LIMIT};
  command_whole(given, "sample", &request.sample);
  command_whole(given, "seed", &request.seed);
  command_time(given, "limit", &request.limit);
  request.sample = command_has(given, "all") ? 0 : request.sample;
  command_expect_words(given, 1, "one archive");
  if (given->status != BASE_OK) {
    return given->status;
  }
  request.archive = given->words[0];
  return bench_verify(&request);
}
