/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The commands on archives of results; see command.h.
 */
#include <getopt.h>
#include <stdio.h>

#include "base/status.h"
#include "bench/bundle/bundle.h"
#include "command/command.h"

int command_bundle(int argc, char **argv) {
  const char *output = NULL;
  for (int c; (c = command_next_option(argc, argv)) != -1;) {
    if (c != 'o') {
      return command_refuse_option("bundle", argc, argv, c);
    }
    output = optarg;
  }
  if (command_expect_words("bundle", argc, 1, "one folder of results") != BASE_OK) {
    return command_usage();
  }
  const int status = bench_bundle(argv[optind], output);
  return status != BASE_OK ? command_fail(status) : 0;
}

static int take_verify_option(int letter, struct bench_verify_request *request) {
  switch (letter) {
  case 'n':
    return command_parse_count("--sample", optarg, &request->sample);
  case 's':
    return command_parse_count("--seed", optarg, &request->seed);
  case 'l':
    return command_parse_time("--limit", optarg, &request->limit);
  default: /* 'a' */
    request->sample = 0;
    return BASE_OK;
  }
}

int command_verify(int argc, char **argv) {
  struct bench_verify_request request = {
      .sample = BENCH_VERIFY_SAMPLE, .seed = BENCH_VERIFY_SEED, .limit = BENCH_VERIFY_LIMIT};
  int status = BASE_OK;
  for (int c; status == BASE_OK && (c = command_next_option(argc, argv)) != -1;) {
    if (c == '?' || c == ':') {
      return command_refuse_option("verify", argc, argv, c);
    }
    status = take_verify_option(c, &request);
  }
  status = status != BASE_OK ? status : command_expect_words("verify", argc, 1, "one archive");
  if (status != BASE_OK) {
    return command_usage();
  }
  request.archive = argv[optind];
  status = bench_verify(&request);
  if (status > BASE_OK) {
    fprintf(stderr, "coulombench: %s\n", base_message());
  }
  return status > BASE_OK ? EXIT_BAD_STATUS : status != BASE_OK ? command_fail(status) : 0;
}
