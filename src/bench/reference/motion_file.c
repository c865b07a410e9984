/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Motions kept in files, so that the cells of a suite, its repeats and `--resume` make each once;
 * see motion.h. There are two kinds: the motion itself (.reference), and what it was at the times
 * of a run (.samples), for these are some hundreds of short integrations and the same for all runs
 * that are sampled alike: of one step, and about impacts in the same steps.
 *
 * A file is named by a hash of all that decides it, and holds that in full: case, parameters,
 * horizon and tolerance, and what the key of the job says of files, sources and build; of samples
 * the times besides. Written beside its place and renamed: several programs may work in one folder.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes/hash.h"
#include "base/json/json.h"
#include "base/memory/memory.h"
#include "base/status.h"
#include "bench/reference/motion.h"

enum { MOST = 1 << 20 }; /* states of a file, far more than are kept */

const char *bench_motion_key(const struct bench_integration *by, double bound) {
  const struct bench_job *job = by->job;
  cJSON *asked = cJSON_CreateObject();
  cJSON_AddItemToObject(asked, "parameters", case_parameters_to_json(job->parameters));
  if (job->form == form_find("event")) { /* whose tolerance may be tighter than the default */
    cJSON_AddItemToObject(asked, "options",
                          base_options_to_json(job->form->options, job->form_options));
  }
  base_json_add_real(asked, "t_end", job->t_end);
  base_json_add_real(asked, "tighter", by->tightenings);
  cJSON_AddBoolToObject(asked, "bounded", !isnan(bound));
  char text[BASE_HASH_TEXT];
  const char *shared = strchr(job->key, ' '); /* without the part about the cell */
  const char *key = base_arena_printf(by->arena, "%s %s%s", job->type->name,
                                      base_hash_print(base_json_hash(BASE_HASH_EMPTY, asked), text),
                                      shared != NULL ? shared : "");
  cJSON_Delete(asked);
  return key;
}

/* One kind of file, and what is to be read from it or written to it. */
struct kept {
  const char *schema, *ending, *what;
  void (*pass)(struct base_blob *blob, struct kept *kept); /* there or back */
  const char *key;
  struct base_arena *arena;
  struct bench_motion *motion;
  int n; /* of samples: times */
  const double *t;
  struct bench_path *path;
};

static void pass_judgement(struct base_blob *blob, struct bench_motion *motion) {
  base_blob_pass(blob, &motion->rtol, sizeof motion->rtol);
  base_blob_pass(blob, &motion->until, sizeof motion->until);
  base_blob_pass(blob, &motion->bound, sizeof motion->bound);
  base_blob_pass(blob, motion->reason, sizeof motion->reason);
}

static void pass_motion(struct base_blob *blob, struct kept *kept) {
  struct bench_motion *motion = kept->motion;
  const size_t n = (size_t)base_blob_count(blob, motion->n, MOST, sizeof *motion->t);
  if (blob->reading) {
    motion->n = (int)n;
    motion->t = base_arena_doubles(kept->arena, motion->n);
    motion->at = base_arena_array(kept->arena, 1, n + 1, sizeof *motion->at);
  }
  base_blob_pass(blob, motion->t, n * sizeof *motion->t);
  base_blob_pass(blob, motion->at, (n + 1) * sizeof *motion->at);
  pass_judgement(blob, motion);
  if (!blob->reading) {
    base_blob_pass(blob, motion->states.bytes, motion->states.n);
    return;
  }
  const size_t size = blob->status == BASE_OK ? motion->at[motion->n] : 0,
               left = blob->n - blob->at;
  if (blob->status == BASE_OK && left != size) {
    blob->status = base_fail(BASE_E_INPUT, "has %zu bytes of states, not %zu", left, size);
  }
  if (blob->status == BASE_OK) {
    base_blob_pass(&motion->states, blob->bytes + blob->at, size);
    blob->at += size;
  }
}

static void pass_samples(struct base_blob *blob, struct kept *kept) {
  struct bench_path *path = kept->path;
  for (int i = 0; i < kept->n; ++i) {
    double t = kept->t[i];
    base_blob_pass(blob, &t, sizeof t);
    if (blob->status == BASE_OK && t != kept->t[i]) {
      blob->status = base_fail(BASE_E_INPUT, "is of other times");
    }
  }
  pass_judgement(blob, kept->motion);
  const size_t n = (size_t)base_blob_count(blob, path->n, kept->n, sizeof *path->t);
  path->n = (int)n;
  base_blob_pass(blob, path->t, n * sizeof *path->t);
  base_blob_pass(blob, path->q, n * (size_t)path->nq * sizeof *path->q);
  base_blob_pass(blob, path->u, n * (size_t)path->nu * sizeof *path->u);
  if (path->work != NULL) {
    base_blob_pass(blob, path->energy, n * sizeof *path->energy);
    base_blob_pass(blob, path->work, BENCH_CHANNELS * n * sizeof *path->work);
  }
  base_blob_pass(blob, &path->kinetic_max, sizeof path->kinetic_max);
}

static const char *path_of(const struct kept *kept, const char *folder) {
  char name[BASE_HASH_TEXT];
  base_hash_print(base_hash_text(BASE_HASH_EMPTY, kept->key), name);
  return base_arena_printf(kept->arena, "%s/%s.%s", folder, name, kept->ending);
}

/* Whether it is there. What cannot be used is ignored; all it was to fill is as it was then. */
static int read_kept(struct kept *kept, const char *folder) {
  const char *path = path_of(kept, folder);
  struct base_blob blob;
  if (access(path, F_OK) != 0) {
    return 0;
  }
  int status = base_blob_read(&blob, kept->schema, path);
  if (status == BASE_OK) {
    base_blob_same_text(&blob, kept->what, kept->key);
    kept->pass(&blob, kept);
    if (blob.status == BASE_OK && blob.at != blob.n) {
      blob.status = base_fail(BASE_E_INPUT, "has %zu bytes too many", blob.n - blob.at);
    }
    if (blob.status != BASE_OK) {
      base_message_prefix("%s: ", path);
    }
    status = blob.status;
  }
  base_blob_free(&blob);
  if (status != BASE_OK) {
    fprintf(stderr, "coulombench: %s; %s is made anew\n", base_message(), kept->what);
    bench_motion_free(kept->motion);
    *kept->motion = (struct bench_motion){0};
    if (kept->path != NULL) {
      kept->path->n = 0;
      kept->path->kinetic_max = 0;
    }
  }
  return status == BASE_OK;
}

static void write_kept(struct kept *kept, const char *folder) {
  int status = base_file_make_folder(folder);
  if (status == BASE_OK) {
    struct base_blob blob = {0};
    base_blob_same_text(&blob, kept->what, kept->key);
    kept->pass(&blob, kept);
    status = base_blob_write(&blob, kept->schema, path_of(kept, folder));
    base_blob_free(&blob);
  }
  if (status != BASE_OK) {
    fprintf(stderr, "coulombench: %s; %s is not kept\n", base_message(), kept->what);
  }
}

/* The motion from its file, or made. */
static int read_or_make(const struct bench_integration *by, double bound, const char *key,
                        struct bench_motion *motion) {
  const char *folder = by->job->request->references;
  struct kept kept = {.schema = "coulombench.reference/1",
                      .ending = "reference",
                      .what = "the motion",
                      .pass = pass_motion,
                      .key = key,
                      .arena = by->arena,
                      .motion = motion};
  if (key != NULL && read_kept(&kept, folder)) {
    return BASE_OK;
  }
  const int status = bench_motion_make(by, bound, motion);
  if (key != NULL && status == BASE_OK && !motion->is_cut) {
    write_kept(&kept, folder);
  }
  return status;
}

int bench_motion_sample(const struct bench_integration *by, double bound, const char *samples,
                        int n, const double *t, struct bench_motion *motion,
                        struct bench_path *path) {
  const char *key = by->job->request->references != NULL && by->job->key != NULL
                        ? bench_motion_key(by, bound)
                        : NULL;
  char times[BASE_HASH_TEXT];
  base_hash_print(base_hash(BASE_HASH_EMPTY, t, (size_t)n * sizeof *t), times);
  samples = key != NULL ? samples : NULL;
  struct kept kept = {.schema = "coulombench.samples/1",
                      .ending = "samples",
                      .what = "the motion at the times",
                      .pass = pass_samples,
                      .key = base_arena_printf(by->arena, "%s %s=%s", key != NULL ? key : "",
                                               path->work != NULL ? "times" : "graph", times),
                      .arena = by->arena,
                      .motion = motion,
                      .n = n,
                      .t = t,
                      .path = path};
  *motion = (struct bench_motion){0};
  if (samples != NULL && read_kept(&kept, samples)) {
    return BASE_OK;
  }
  int status = read_or_make(by, bound, key, motion);
  if (status == BASE_OK) {
    status = bench_motion_at(by, motion, n, t, path);
  }
  if (samples != NULL && status == BASE_OK && !motion->is_cut) {
    write_kept(&kept, samples);
  }
  return status;
}

int bench_motion_keep(const struct bench_integration *by, double bound) {
  struct bench_motion motion = {0};
  const int status = read_or_make(by, bound, bench_motion_key(by, bound), &motion);
  const int is_cut = motion.is_cut;
  bench_motion_free(&motion);
  return status != BASE_OK ? status
         : is_cut          ? base_fail(BASE_TIMEOUT, "no time to measure the reference's bound")
                           : BASE_OK;
}
