/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checkpoints with wrong contents but the right size and checksum. The input says which run, and
 * which bytes of its checkpoint become what:
 *
 *   run (1 byte), then any number of: place (4 bytes, modulo the size), value (8 bytes)
 *
 * A checkpoint holds hashes of what the run was asked for, so that a whole one would be stale with
 * the next change of a default; edits stay what they are. A last incomplete edit cuts the
 * file there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes/blob.h"
#include "base/bytes/hash.h"
#include "base/memory/arena.h"
#include "base/memory/memory.h"
#include "base/status.h"
#include "bench/run/run.h"
#include "tests/fuzz/fuzz.h"
#include "tests/scratch.h"

enum { EDIT = 12, RUNS_MAX = 32 };
static const char schema[] = "coulombench.checkpoint/5";

/* Of every family one at least, and what keeps more than the state. */
static const struct {
  const char *case_name, *formulation, *set, *opt; /* "key=value key=value" */
  double dt;
} runs[] = {
    {"woodpecker", "consistent-twostep", "", "warm_start=yes", 1e-4},
    {"packing", "ncp", "n=8 gap=0", "warm_start=yes max_iter=30", 1e-3},
    {"channel-flow", "ncp", "scale=0.06 settle=0 block=0.001 frame=0.0005", "", 2e-4},
    {"channel-flow", "penalty", "scale=0.06 settle=0 block=0.001 frame=0.0005", "tangential=spring",
     2e-5},
    {"falling-particle", "lcp-st", "y0=0", "restitution=source", 1e-2},
    {"woodpecker", "moreau", "", "", 1e-3},
    {"table", "ccp", "", "max_iter=20", 1e-3},
    {"box-stack", "penalty", "n=2", "stepper=rkf45 tangential=spring rtol=1e-3", 1e-3},
    {"falling-particle", "penalty", "y0=0", "stepper=verlet K=1e4 tangential=spring", 1e-3},
    {"falling-particle", "penalty", "y0=0", "stepper=bsimp rtol=1e-3", 1e-3},
    {"woodpecker", "event", "", "rtol=1e-5", 1e-3},
    {"chain", "lcp-dca", "n=12", "", 1e-3},
    {"free-top", "consistent-constant-gear", "", "", 1e-3},
    {"double-pendulum", "consistent-onestep", "", "", 1e-3},
    {"tippe-top", "consistent-quaternion-twostep", "", "", 1e-3},
};
enum { RUNS = sizeof runs / sizeof *runs, STEPS = 2, TAKEN = 1 };

static struct kept {
  struct bench_job job;
  struct bench_request request; /* without the checkpoint */
  struct base_blob blob;
} kept[RUNS];

/* Run to the end and keep the checkpoint of the middle. */
static void prepare(int i) {
  static struct base_arena *arena;
  if (arena == NULL) {
    arena = base_arena_alloc();
  }
  const char *path = scratch_path("state");
  struct bench_request request = {.case_name = runs[i].case_name,
                                  .formulation = runs[i].formulation,
                                  .dt = runs[i].dt,
                                  .t_end = STEPS * runs[i].dt,
                                  .time_limit = 2,
                                  .checkpoint = path,
                                  .checkpoint_every = TAKEN * runs[i].dt};
  base_words_split(&request.set, runs[i].set, arena);
  base_words_split(&request.opt, runs[i].opt, arena);
  if (bench_job_resolve(&request, arena, &kept[i].job) != BASE_OK) {
    fuzz_broken("no job");
  }
  struct base_arena *scratch = base_arena_alloc();
  struct bench_outcome outcome;
  if (bench_run(&kept[i].job, scratch, &outcome) != BASE_OK ||
      base_blob_read(&kept[i].blob, schema, path) != BASE_OK) {
    fuzz_broken(runs[i].formulation);
  }
  base_arena_free(scratch);
  kept[i].request = request;
  kept[i].request.checkpoint = NULL;
  kept[i].job.compared = BENCH_COMPARED_COORDINATES; /* the reference is not what is looked for */
}

/* The bytes of a checkpoint with its head. */
static const char *checkpoint_file(const unsigned char *bytes, size_t n, char *whole) {
  char checksum[BASE_HASH_TEXT];
  base_hash_print(base_hash(BASE_HASH_EMPTY, bytes, n), checksum);
  const int head = sprintf(whole, "%s %zu %s\n", schema, n, checksum);
  memcpy(whole + head, bytes, n);
  return fuzz_file((const uint8_t *)whole, (size_t)head + n);
}

struct running {
  struct bench_job job;
  struct base_arena *arena;
  int status;
};

static void run(void *data) {
  struct running *r = data;
  struct bench_outcome outcome;
  r->status = bench_run(&r->job, r->arena, &outcome);
}

void fuzz_checkpoint(const uint8_t *bytes, size_t size) {
  if (size < 1) {
    return;
  }
  struct kept *k = &kept[bytes[0] % RUNS];
  if (k->blob.n == 0) {
    prepare((int)(k - kept));
  }
  size_t n = k->blob.n;
  unsigned char *edited = malloc(n);
  char *whole = malloc(n + 200);
  memcpy(edited, k->blob.bytes, n);
  ++bytes;
  for (--size; size >= EDIT; size -= EDIT, bytes += EDIT) {
    uint32_t place;
    memcpy(&place, bytes, sizeof place);
    place = (uint32_t)(place % n);
    memcpy(edited + place, bytes + sizeof place, n - place < 8 ? n - place : 8);
  }
  n -= size < n ? size : n;
  struct running r = {.job = k->job, .arena = base_arena_alloc()};
  struct bench_request request = k->request;
  request.restart = checkpoint_file(edited, n, whole);
  r.job.request = &request;
  if (base_memory_try(run, &r) == BASE_OK && r.status < 0 && base_message()[0] == '\0') {
    fuzz_broken("a checkpoint refused without a reason");
  }
  base_arena_free(r.arena);
  free(whole);
  free(edited);
}
