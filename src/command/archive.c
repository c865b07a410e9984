/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The commands on archives of results; see command.h.
 */
#include <stdio.h>

#include "base/status.h"
#include "bench/bundle/bundle.h"
#include "command/command.h"

int command_bundle(int argc, char **argv) {
  struct command_given given = command_read(argc, argv);
  const char *output = command_text(&given, "output");
  command_expect_words(&given, 1, "one folder of results");
  if (given.status != BASE_OK) {
    return command_usage();
  }
  const int status = bench_bundle(given.words[0], output);
  command_given_free(&given);
  return status != BASE_OK ? command_fail(status) : 0;
}

int command_verify(int argc, char **argv) {
  struct command_given given = command_read(argc, argv);
  struct bench_verify_request request = {
      .sample = BENCH_VERIFY_SAMPLE, .seed = BENCH_VERIFY_SEED, .limit = BENCH_VERIFY_LIMIT};
  command_whole(&given, "sample", &request.sample);
  command_whole(&given, "seed", &request.seed);
  command_time(&given, "limit", &request.limit);
  request.sample = command_has(&given, "all") ? 0 : request.sample;
  command_expect_words(&given, 1, "one archive");
  if (given.status != BASE_OK) {
    return command_usage();
  }
  request.archive = given.words[0];
  const int status = bench_verify(&request);
  command_given_free(&given);
  if (status > BASE_OK) {
    fprintf(stderr, "coulombench: %s\n", base_message());
  }
  return status > BASE_OK ? EXIT_BAD_STATUS : status != BASE_OK ? command_fail(status) : 0;
}
