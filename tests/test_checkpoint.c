/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checkpoints: a run that goes on from one gives the record of the run that never stopped, byte for
 * byte but for timing and provenance; what is not whole, or of another run, is refused by name.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/blob.h"
#include "base/json.h"
#include "base/status.h"
#include "bench/bench.h"
#include "bench/job.h"
#include "tests/test.h"

static char folder[] = "/tmp/coulombench-checkpoint-XXXXXX";

static void clean(void) {
  static const char *const names[] = {"plain.json", "whole.json", "resumed.json", "refused.json",
                                      "small.json", "state",      "small",        "damaged",
                                      "never",      "blob"};
  char path[200];
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    unlink(path);
  }
  rmdir(folder);
}

static const char *place(const char *name) {
  static char path[16][200];
  static int next;
  if (strstr(folder, "XXXXXX") != NULL) {
    CHECK(mkdtemp(folder) != NULL);
    atexit(clean);
  }
  next = (next + 1) % 16;
  snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
  return path[next];
}

/* A record's text without what may differ; to be freed. */
static char *comparable(const char *path) {
  char *text = NULL, *printed = NULL;
  size_t size;
  CHECK_MESSAGE(base_file_read(path, &text, &size) == BASE_OK, "%s", base_message());
  cJSON *record = cJSON_Parse(text);
  free(text);
  cJSON_DeleteItemFromObject(record, "timing");
  cJSON_DeleteItemFromObject(record, "provenance");
  printed = base_json_text(record);
  cJSON_Delete(record);
  return printed;
}

static int run(struct bench_request request, const char *output) {
  int outcome;
  return bench_run_to_file(&request, output, &outcome);
}

/* The same doubles, last bit and sign of zero included. */
static int same_numbers(const double *x, const double *y, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    if (x[i] != y[i] || signbit(x[i]) != signbit(y[i])) {
      return 0;
    }
  }
  return 1;
}

static const struct {
  struct bench_request request;
  double every;
} runs[] = {
    {{.case_name = "packing",
      .formulation = "ncp",
      .n_set = 2,
      .set = {"n=64", "gap=0"},
      .n_opt = 2,
      .opt = {"warm_start=yes", "max_iter=30"},
      .has_t_end = 1,
      .t_end = 0.2,
      .sample = 0.01},
     0.06},
    {{.case_name = "channel-flow",
      .formulation = "ncp",
      .n_set = 4,
      .set = {"scale=0.1", "settle=0", "block=0.001", "frame=0.0005"},
      .has_t_end = 1,
      .t_end = 0.0024},
     0.0013},
    {{.case_name = "falling-particle",
      .formulation = "lcp-st",
      .n_opt = 1,
      .opt = {"restitution=newton"},
      .has_dt = 1,
      .dt = 1e-2},
     0.31},
    {{.case_name = "woodpecker", .formulation = "moreau", .has_t_end = 1, .t_end = 0.2}, 0.0711},
    {{.case_name = "box-stack",
      .formulation = "mdp",
      .n_set = 1,
      .set = {"n=2"},
      .has_t_end = 1,
      .t_end = 0.03},
     0},
};

TEST(a_run_that_goes_on_gives_the_same_record) {
  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
    struct bench_request request = runs[i].request;
    CHECK_MESSAGE(run(request, place("plain.json")) == BASE_OK, "%s", base_message());
    request.checkpoint = place("state");
    request.checkpoint_every = runs[i].every;
    unlink(request.checkpoint);
    CHECK_MESSAGE(run(request, place("whole.json")) == BASE_OK, "%s", base_message());
    CHECK(access(place("state"), R_OK) == 0);
    request.checkpoint = NULL;
    request.checkpoint_every = 0;
    request.restart = place("state");
    CHECK_MESSAGE(run(request, place("resumed.json")) == BASE_OK, "%s", base_message());
    char *plain = comparable(place("plain.json")), *whole = comparable(place("whole.json")),
         *resumed = comparable(place("resumed.json"));
    CHECK_MESSAGE(strcmp(plain, whole) == 0, "%s: checkpoints change the record",
                  request.case_name);
    CHECK_MESSAGE(strcmp(plain, resumed) == 0, "%s: the resumed record differs", request.case_name);
    free(plain);
    free(whole);
    free(resumed);
  }
}

static void refused(struct bench_request request, const char *words) {
  CHECK_INT(run(request, place("refused.json")), BASE_E_INPUT);
  CHECK_MESSAGE(strstr(base_message(), words) != NULL, "'%s' is not in: %s", words, base_message());
}

TEST(what_is_not_whole_or_of_another_run_is_refused) {
  struct bench_request request = {.case_name = "packing",
                                  .formulation = "ncp",
                                  .n_set = 1,
                                  .set = {"n=8"},
                                  .has_t_end = 1,
                                  .t_end = 0.02,
                                  .checkpoint = place("small")};
  CHECK_MESSAGE(run(request, place("small.json")) == BASE_OK, "%s", base_message());
  request.checkpoint = NULL;
  request.restart = place("small");
  request.set[0] = "n=9";
  refused(request, "--set n=8");
  request.set[0] = "n=8";
  char *bytes = NULL;
  size_t size = 0;
  CHECK(base_file_read(request.restart, &bytes, &size) == BASE_OK);
  request.restart = place("damaged");
  for (int k = 0; k < 3; ++k) {
    char *copy = malloc(size + 1);
    memcpy(copy, bytes, size);
    copy[size] = 'x';
    copy[k == 0 ? size / 2 : size] ^= 1;
    const size_t n = k == 1 ? size - 8 : k == 2 ? size + 1 : size;
    CHECK(base_file_write(request.restart, copy, n) == BASE_OK);
    refused(request, "cut short or changed");
    free(copy);
  }
  CHECK(base_file_write(request.restart, "no such thing\n", 14) == BASE_OK);
  refused(request, "no coulombench.checkpoint/1");
  free(bytes);
  request.restart = NULL;
  request.checkpoint = place("never");
  request.formulation = "penalty";
  refused(request, "penalty does not tell");
  request.formulation = "ncp";
  request.checkpoint_every = -1;
  refused(request, "checkpoint-every");
}

TEST(blobs_give_back_what_was_put_in) {
  struct base_blob blob = {0};
  double x[3] = {1.0 / 3, -0.0, 5e-324}, y[3] = {0};
  base_blob_same_text(&blob, "name", "abc");
  const long n = base_blob_count(&blob, 3, 10);
  base_blob_pass(&blob, x, sizeof x);
  CHECK(base_blob_write(&blob, "test/1", place("blob")) == BASE_OK);
  base_blob_free(&blob);
  for (int k = 0; k < 3; ++k) {
    CHECK(base_blob_read(&blob, "test/1", place("blob")) == BASE_OK);
    base_blob_same_text(&blob, "name", k == 1 ? "abd" : "abc");
    const long m = base_blob_count(&blob, 0, k == 2 ? 2 : 10);
    base_blob_pass(&blob, y, sizeof y);
    CHECK_INT(blob.status, k == 0 ? BASE_OK : BASE_E_INPUT);
    CHECK(k > 0 ? m == 0 && y[0] == 0 : m == n && same_numbers(x, y, sizeof x / sizeof *x));
    base_blob_free(&blob);
  }
  CHECK(base_blob_read(&blob, "test/2", place("blob")) == BASE_E_INPUT);
}

TEST_MAIN()
