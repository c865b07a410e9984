/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checkpoints: a run that goes on from one gives the record of the run that never stopped, byte for
 * byte but for timing and provenance. What is refused is in tests/cli/checkpoint.sh.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes/blob.h"
#include "base/json/json.h"
#include "base/threads.h"
#include "bench/job/job.h"
#include "bench/run/checkpoint.h"
#include "bench/suite/bench.h"
#include "tests/scratch.h"
#include "tests/test.h"
#include "tests/trial.h"

static void run_into(const char *name, struct bench_request request) {
  CHECK_OK(trial_to_file(request, scratch_path(name)));
}

/* A record from the scratch folder. */
static cJSON *record_of(const char *name) { return trial_read(scratch_path(name)); }

/* Of every formulation one at least, and what keeps more than the state: springs, frames, steppers,
 * modes, matrices. */
static const struct checkpoint_run {
  const char *case_name, *formulation, *set, *opt; /* set, opt: "key=value key=value" */
  double dt, t_end, every;                         /* [s]; 0: the defaults */
  int anew; /* the method begins anew at a checkpoint: the record is that of the run that writes */
} runs[] = {
    {"packing", "ncp", "n=64 gap=0", "warm_start=yes max_iter=30", 0, 0.2, 0.06, 0},
    {"channel-flow", "ncp", "scale=0.1 settle=0 block=0.001 frame=0.0005", "", 0, 0.0024, 0.0013,
     0},
    {"channel-flow", "penalty", "scale=0.1 settle=0 block=0.001 frame=0.0005",
     "tangential=spring K=300", 8e-6, 0.0024, 0.0013, 0},
    {"falling-particle", "lcp-st", "", "restitution=source", 1e-2, 0, 0.31, 0},
    {"woodpecker", "moreau", "", "", 5e-5, 0.2, 0.0711, 0},
    {"woodpecker", "impulse", "", "law=ccp scheme=theta", 5e-5, 0.2, 0.0711, 0},
    {"box-stack", "mdp", "n=2", "", 0, 0.03, 0, 0},
    {"table", "lcp-ap", "", "", 0, 0.05, 0.021, 0},
    {"table", "ccp", "", "", 0, 0.05, 0.021, 0},
    {"chain", "lcp-dca", "", "", 0, 0.1, 0.033, 0},
    {"falling-particle", "penalty", "", "stepper=verlet K=1e4 tangential=spring", 1e-3, 0, 0.31, 0},
    {"box-stack", "penalty", "n=2", "stepper=rkf45 tangential=spring rtol=1e-5", 0, 0.009, 0.004,
     0},
    {"table", "penalty", "", "stepper=rk8pd rtol=1e-6", 0, 0.05, 0.021, 0},
    {"falling-particle", "penalty", "", "stepper=rk4imp rtol=1e-6 tangential=spring", 1e-2, 0, 0.31,
     1},
    {"falling-particle", "penalty", "", "stepper=bsimp rtol=1e-6", 1e-2, 0, 0.31, 1},
    {"falling-particle", "penalty", "", "stepper=msbdf rtol=1e-6", 1e-2, 0, 0.31, 1},
    {"woodpecker", "event", "", "", 1e-3, 0.2, 0.071, 0},
    {"spatial-double-pendulum", "event", "", "stepper=rkck", 1e-2, 0.1, 0.041, 0},
    {"free-top", "consistent-constant", "", "", 0, 0.2, 0.13, 0},
    {"free-top", "consistent-constant-gear", "", "", 0, 0.2, 0.13, 0},
    {"free-top", "consistent-coordinate", "body=scalable", "", 0, 0.2, 0.13, 0},
    {"free-top", "consistent-decomposed", "body=scalable", "", 0, 0.2, 0.13, 0},
    {"double-pendulum", "consistent-onestep", "", "", 0, 1, 0.33, 0},
    {"woodpecker", "consistent-twostep", "", "warm_start=yes", 1e-4, 0.1, 0.033, 0},
    {"tippe-top", "consistent-quaternion", "", "", 1e-3, 0.05, 0.021, 0},
    {"tippe-top", "consistent-quaternion-twostep", "", "", 1e-3, 0.05, 0.021, 0},
};
enum { RUNS = sizeof runs / sizeof *runs };

static struct bench_request request_of(const struct checkpoint_run *r, struct base_arena *arena) {
  struct bench_request request = {.case_name = r->case_name,
                                  .formulation = r->formulation,
                                  .dt = r->dt,
                                  .t_end = r->t_end,
                                  .sample = 0.01,
                                  .references = base_arena_copy(arena, scratch_path("references"))};
  base_words_split(&request.set, r->set, arena);
  base_words_split(&request.opt, r->opt, arena);
  return request;
}

/* The time of the steps before a checkpoint stands in its last bytes, and counts for the run that
 * goes on. */
static void check_time(const cJSON *whole, const cJSON *resumed) {
  double spent[2]; /* work, wall */
  char *bytes = NULL;
  size_t size;
  CHECK_OK(base_file_read(scratch_path("state"), &bytes, &size));
  memcpy(spent, bytes + size - sizeof spent, sizeof spent);
  free(bytes);
  CHECK(spent[0] > 0);
  CHECK_LE(spent[0], base_json_real_at(whole, "timing.steps_s"));
  CHECK_LE(spent[0], base_json_real_at(resumed, "timing.steps_s"));
}

/* The run that writes checkpoints, and the one that goes on from the last, which has another number
 * of threads. */
static void check_goes_on(const struct checkpoint_run *r, struct base_arena *arena) {
  struct bench_request request = request_of(r, arena);
  base_threads_set(1);
  request.checkpoint = scratch_path("state");
  request.checkpoint_every = r->every;
  unlink(request.checkpoint);
  run_into("whole.json", request);
  CHECK(access(scratch_path("state"), R_OK) == 0);
  request.checkpoint = NULL;
  request.checkpoint_every = 0;
  request.restart = scratch_path("state");
  base_threads_set(2);
  run_into("resumed.json", request);
  base_threads_set(0);
  const cJSON *whole = record_of("whole.json"), *resumed = record_of("resumed.json");
  check_time(whole, resumed);
  CHECK_MESSAGE(strcmp(trial_lasting(whole), trial_lasting(resumed)) == 0,
                "%s, %s %s: the resumed record differs", r->case_name, r->formulation, r->opt);
}

/* The last run that wrote checkpoints against the run in one piece. */
static void check_plain(const struct checkpoint_run *r, struct base_arena *arena) {
  run_into("plain.json", request_of(r, arena));
  CHECK_MESSAGE(r->anew || strcmp(trial_lasting(record_of("plain.json")),
                                  trial_lasting(record_of("whole.json"))) == 0,
                "%s, %s %s: checkpoints change the record", r->case_name, r->formulation, r->opt);
}

TEST(a_run_that_goes_on_gives_the_same_record) {
  struct base_arena *arena = test_arena();
  for (const struct checkpoint_run *r = runs; r < runs + RUNS; ++r) {
    check_goes_on(r, arena);
    check_plain(r, arena);
  }
}

/* Of a size at which factors are sparse and sweeps parallel: few steps of every family, some of
 * them behind the checkpoint. */
static const struct checkpoint_run large[] = {
    {"chain", "ncp", "n=512", "", 0, 3e-3, 2e-3, 0},
    {"chain", "ccp", "n=512", "warm_start=yes", 0, 3e-3, 2e-3, 0},
    {"chain", "moreau", "n=512 hung=first", "", 0, 3e-3, 2e-3, 0},
    {"chain", "mdp", "n=512", "", 0, 3e-3, 2e-3, 0},
    {"chain", "lcp-st", "n=512", "", 0, 3e-3, 2e-3, 0},
    {"chain", "lcp-dca", "n=512", "", 0, 3e-3, 2e-3, 0},
    {"chain", "lcp-dca", "n=512", "mcp=33 threads=2", 0, 3e-3, 2e-3, 0},
    {"chain", "penalty", "n=512", "tangential=spring", 0, 5e-5, 3e-5, 0},
    {"chain", "consistent-quaternion", "n=512", "", 0, 3e-3, 2e-3, 0},
    {"chain", "consistent-quaternion-twostep", "n=512", "warm_start=yes", 0, 3e-3, 2e-3, 0},
    {"packing", "ncp", "n=2000 gap=0 v0=1", "order=blocks max_iter=20", 0, 3e-3, 2e-3, 0},
    {"packing", "ccp", "n=2000 gap=0 v0=1", "max_iter=20", 0, 3e-3, 2e-3, 0},
    {"packing", "moreau", "n=2000 gap=0 v0=1", "max_iter=20", 0, 3e-3, 2e-3, 0},
    {"packing", "penalty", "n=2000 gap=0 v0=4", "tangential=spring", 0, 1e-4, 7e-5, 0},
};

TEST(large_runs_go_on_with_any_number_of_threads) {
  for (size_t i = 0; i < sizeof large / sizeof *large; ++i) {
    check_goes_on(large + i, test_arena());
  }
}

/* Formulations without a run of their own above go on with the particle, if they say that they can
 * and know the particle at all. */
TEST(every_formulation_that_has_checkpoints_goes_on) {
  struct base_arena *arena = test_arena();
  for (int k = 0; k < form_count(); ++k) {
    struct checkpoint_run other = {"falling-particle", form_get(k)->name, "", "", 1e-2, 0, 0.31, 0};
    int found = 0;
    for (int i = 0; i < RUNS; ++i) {
      found |= strcmp(runs[i].formulation, other.formulation) == 0;
    }
    if (!found && form_get(k)->checkpoint != NULL) {
      check_goes_on(&other, arena);
      check_plain(&other, arena);
    }
  }
}

TEST(a_formulation_that_keeps_to_itself_is_refused) {
  struct form secret = *form_find("ncp");
  secret.checkpoint = NULL;
  const struct mech_ops ops = {.mass = NULL};
  const struct mech m = {.name = "nothing", .ops = &ops};
  struct bench_request request = {.case_name = "nothing"};
  struct bench_job job = {.request = &request, .form = &secret};
  CHECK_OK(bench_checkpoint_check(&job, &m, NULL));
  request.restart = "state";
  CHECK_REFUSED(bench_checkpoint_check(&job, &m, NULL), BASE_E_INPUT, "cannot save its state");
  job.form = form_find("ncp");
  CHECK_OK(bench_checkpoint_check(&job, &m, NULL));
}

static void refused(struct bench_request request, const char *words) {
  CHECK_REFUSED(trial_to_file(request, scratch_path("refused.json")), BASE_E_INPUT, words);
}

/* Final coordinates of a record's run; NAN where it has none. */
static double final_q(const char *name, int i) {
  const cJSON *q = cJSON_GetArrayItem(base_json_at(record_of(name), "final.q"), i);
  return q != NULL ? q->valuedouble : NAN;
}

/* Free flight is exact in u for any step, and in q to first order in it: a run that begins from the
 * state of a checkpoint with another step and formulation goes on from there, not from the case's
 * own start. */
TEST(a_state_begins_another_run) {
  struct bench_request request = {.case_name = "packing",
                                  .formulation = "ncp",
                                  .set = BASE_WORDS("n=8", "gap=5"),
                                  .t_end = 0.04,
                                  .dt = 1e-3,
                                  .checkpoint = scratch_path("middle"),
                                  .checkpoint_every = 0.02};
  run_into("whole.json", request);
  request.checkpoint = NULL;
  request.checkpoint_every = 0;
  request.start = scratch_path("middle");
  request.formulation = "mdp";
  request.t_end = 0.02;
  request.dt = 5e-4;
  run_into("rest.json", request);
  const double z = final_q("whole.json", 2);
  const double rest = final_q("rest.json", 2);
  request.start = NULL;
  run_into("own.json", request);
  /* semi-implicit Euler is g dt t / 2 off, here by 5e-4 s less over the last 0.02 s */
  CHECK_NEAR(rest - z, 0.5 * 9.81 * 5e-4 * 0.02, 1e-9);
  CHECK(fabs(final_q("own.json", 2) - z) > 1e-3);
}

/* Bodies that came and went are where they were, those that entered are counted on: without
 * impulses to start from, which are not taken along, the motion is the same to the last bit. */
TEST(a_state_with_inflow_begins_another_run) {
  struct bench_request request = {
      .case_name = "channel-flow",
      .formulation = "ncp",
      .set = BASE_WORDS("scale=0.1", "settle=0", "block=0.001", "frame=0.0005"),
      .opt = BASE_WORDS("warm_start=no"),
      .t_end = 0.004,
      .checkpoint = scratch_path("flow"),
      .checkpoint_every = 0.002};
  run_into("whole.json", request);
  request.checkpoint = NULL;
  request.checkpoint_every = 0;
  request.start = scratch_path("flow");
  request.t_end = 0.002;
  run_into("rest.json", request);
  for (int i = 0; i < 4; ++i) {
    CHECK(final_q("rest.json", i) == final_q("whole.json", i));
  }
  request.set = BASE_WORDS("scale=0.09", "settle=0", "block=0.001", "frame=0.0005");
  refused(request, "coordinates");
  request.case_name = "packing";
  request.set = (struct base_words){0};
  refused(request, "not of one of packing");
  request.case_name = "cases/scenes/conveyor.json";
  refused(request, "knows the time");
}

TEST(blobs_give_back_what_was_put_in) {
  struct base_blob blob = {0};
  double x[3] = {1.0 / 3, -0.0, 5e-324}, y[3] = {0};
  base_blob_same_text(&blob, "name", "abc");
  const long n = base_blob_count(&blob, 3, 10, sizeof *x);
  base_blob_pass(&blob, x, sizeof x);
  CHECK_OK(base_blob_write(&blob, "test/1", scratch_path("blob")));
  base_blob_free(&blob);
  for (int k = 0; k < 4; ++k) { /* as it is, another name, too small a limit, too few bytes */
    CHECK_OK(base_blob_read(&blob, "test/1", scratch_path("blob")));
    base_blob_same_text(&blob, "name", k == 1 ? "abd" : "abc");
    const long m = base_blob_count(&blob, 0, k == 2 ? 2 : 10, sizeof *x + (k == 3));
    base_blob_pass(&blob, y, sizeof y);
    CHECK_INT(blob.status, k == 0 ? BASE_OK : BASE_E_INPUT);
    CHECK(k > 0 ? m == 0 && y[0] == 0 : m == n && test_same_bits(x, y, sizeof x / sizeof *x));
    base_blob_free(&blob);
  }
  CHECK(base_blob_read(&blob, "test/2", scratch_path("blob")) == BASE_E_INPUT);
}
