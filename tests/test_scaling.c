/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Suites that ask for numbers of threads, and the study of cost against the number of bodies that
 * draws a curve for each: cells, jobs taken, records that differ in nothing but time, exponents.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/json/json.h"
#include "base/status.h"
#include "base/threads.h"
#include "bench/commands.h"
#include "bench/suite/bench.h"
#include "bench/suite/suite.h"
#include "tests/scratch.h"
#include "tests/test.h"
#include "tests/trial.h"

#define CELL(n, threads)                                                                           \
  "'cells': [{'case': 'packing', 'formulations': ['ncp'], 'solver': 'relaxation', 'label': "       \
  "'blocks', 'study': 'scaling', 'threads': " threads ", 'set': {'n': " n ", 'gap': 0}, "          \
  "'opt': {'order': 'blocks', 'max_iter': 5}, 't_end': 0.01, 'dt': [1e-3], "                       \
  "'expect': ['unconverged']}]"

TEST(cells_are_multiplied_by_numbers_of_threads) {
  struct base_arena *arena = test_arena();
  struct bench_suite suite;
  CHECK_MESSAGE(trial_suite(CELL("30", "[1, 3]"), &suite) == BASE_OK, "%s", base_message());
  CHECK_INT(suite.n, 2);
  CHECK_TEXT(suite.cells[1].place.id,
             "packing--ncp--relaxation--scaling--blocks--threads-3--dt0.001");
  CHECK_INT(suite.cells[0].request.threads, 1);
  CHECK_INT(suite.cells[1].request.threads, 3);
  struct bench_job one, three, any;
  CHECK(bench_job_resolve(&suite.cells[0].request, arena, &one) == BASE_OK);
  CHECK(bench_job_resolve(&suite.cells[1].request, arena, &three) == BASE_OK);
  suite.cells[1].request.threads = 0;
  CHECK(bench_job_resolve(&suite.cells[1].request, arena, &any) == BASE_OK);
  CHECK(strncmp(three.command, "OMP_NUM_THREADS=3 coulombench run packing", 41) == 0);
  CHECK_TEXT(three.command + strlen("OMP_NUM_THREADS=3 "), any.command);
  CHECK_TEXT(one.identity, three.identity); /* checkpoints go from one to the other */
  static const char *const bad[] = {"[]", "[0]", "[-1]", "[1.5]", "'two'", "['2']"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    const char *keys =
        base_arena_printf(arena, "'cells': [{'case': 'packing', 'threads': %s}]", bad[i]);
    CHECK_REFUSED(trial_suite(keys, &suite), BASE_E_INPUT, "threads");
  }
}

TEST(threads_change_times_alone_and_make_curves_of_their_own) {
  struct base_arena *arena = test_arena();
  struct bench_suite suite;
  const struct bench_options options = {.jobs = 2, .folder = scratch_path("out")};
  int bad = 0, failed = 0, lines = 0;
  CHECK_MESSAGE(trial_suite(CELL("[60, 20]", "[1, 2]") ", 'studies': ['scaling']", &suite) ==
                    BASE_OK,
                "%s", base_message());
  CHECK_MESSAGE(bench_suite_run(&suite, &options, arena, &bad) == BASE_OK, "%s", base_message());
  CHECK_INT(bad, 0);
  const char *text[4];
  double sweeps[2]; /* a step, mean: of 60 bodies and of 20 */
  for (int k = 0; k < 4; ++k) {
    cJSON *record = test_json(base_json_read(
        base_arena_printf(arena, "%s/%s.json", options.folder, suite.cells[k].place.id)));
    const double threads = base_json_real_at(record, "timing.threads");
    CHECK(k % 2 == 1 ? threads == 2 : threads == 1);
    sweeps[k / 2] = base_json_real_at(record, "iterations.mean");
    cJSON_DeleteItemFromObject(record, "cell");
    text[k] = trial_lasting(record);
  }
  CHECK_TEXT(text[0], text[1]);
  const struct bench_report_request request = {.folder = options.folder,
                                               .suite = scratch_path("suite.json"),
                                               .output = scratch_path("report")};
  CHECK_MESSAGE(bench_report(&request, &failed) == BASE_OK, "%s", base_message());
  FILE *csv = fopen(scratch_path("report/report/scaling.csv"), "r");
  CHECK(csv != NULL);
  for (char line[300]; csv != NULL && fgets(line, sizeof line, csv) != NULL; ++lines) {
    if (lines > 0) { /* sizes ascend, the exponent is that of the two points */
      static double first[2];
      char *at = strchr(line, ',');
      double column[6]; /* size, times of a step, a contact, a sweep, bytes, exponent */
      for (int k = 0; k < 6; ++k) {
        column[k] = at != NULL ? strtod(at + 1, &at) : NAN;
      }
      CHECK(strchr(line, ',') != NULL && at != NULL && (*at == '\n' || *at == ','));
      line[strcspn(line, ",")] = '\0';
      const double n = column[0], step = column[1], contact = column[2], sweep = column[3];
      const double p = column[5];
      CHECK_TEXT(line, lines <= 2 ? "packing-ncp-blocks" : "packing-ncp-blocks-2-threads");
      CHECK(n == (lines % 2 == 1 ? 20 : 60));
      CHECK_NEAR(contact / sweep, sweeps[n < 60], 1e-4);
      if (lines % 2 == 1) {
        first[0] = n, first[1] = step;
      } else {
        CHECK_NEAR(p, log(step / first[1]) / log(n / first[0]), 1e-3 * (1 + fabs(p)));
      }
    }
  }
  CHECK_INT(lines, 5);
  if (csv != NULL) {
    fclose(csv);
  }
}
