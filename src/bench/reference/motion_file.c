/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Motions kept in files, so that the cells of a suite, its repeats and `--resume` make each once;
 * see motion.h. A file is named by a hash of all that decides the motion, and holds it in full:
 * case, parameters, horizon and tolerance, and what the key of the job says of files, sources and
 * build. Written beside its place and renamed: several programs may work in one folder.
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

static const char schema[] = "coulombench.reference/1";
enum { MOST = 1 << 20 }; /* states of a file, far more than are kept */

/* All that decides the motion. */
static const char *key_of(const struct bench_job *job, int tighter, int is_bounded,
                          struct base_arena *arena) {
  cJSON *asked = cJSON_CreateObject();
  cJSON_AddItemToObject(asked, "parameters", case_parameters_to_json(job->parameters));
  if (job->form == form_find("event")) { /* whose tolerance may be tighter than the default */
    cJSON_AddItemToObject(asked, "options",
                          base_options_to_json(job->form->options, job->form_options));
  }
  base_json_add_real(asked, "t_end", job->t_end);
  base_json_add_real(asked, "tighter", tighter);
  cJSON_AddBoolToObject(asked, "bounded", is_bounded);
  char text[BASE_HASH_TEXT];
  const char *shared = strchr(job->key, ' '); /* without the part about the cell */
  const char *key = base_arena_printf(arena, "%s %s%s", job->type->name,
                                      base_hash_print(base_json_hash(BASE_HASH_EMPTY, asked), text),
                                      shared != NULL ? shared : "");
  cJSON_Delete(asked);
  return key;
}

/* There or back, but for the states' own bytes. */
static void pass_motion(struct base_blob *blob, const char *key, struct bench_motion *motion,
                        struct base_arena *arena) {
  base_blob_same_text(blob, "the motion", key);
  const size_t n = (size_t)base_blob_count(blob, motion->n, MOST, sizeof *motion->t);
  if (blob->reading) {
    motion->n = (int)n;
    motion->t = base_arena_doubles(arena, motion->n);
    motion->at = base_arena_array(arena, 1, n + 1, sizeof *motion->at);
  }
  base_blob_pass(blob, motion->t, n * sizeof *motion->t);
  base_blob_pass(blob, motion->at, (n + 1) * sizeof *motion->at);
  base_blob_pass(blob, &motion->rtol, sizeof motion->rtol);
  base_blob_pass(blob, &motion->until, sizeof motion->until);
  base_blob_pass(blob, &motion->bound, sizeof motion->bound);
  base_blob_pass(blob, motion->reason, sizeof motion->reason);
}

static int read_motion(const char *path, const char *key, struct base_arena *arena,
                       struct bench_motion *motion) {
  struct base_blob blob;
  int status = base_blob_read(&blob, schema, path);
  if (status == BASE_OK) {
    pass_motion(&blob, key, motion, arena);
    const size_t size = blob.status == BASE_OK ? motion->at[motion->n] : 0;
    if (blob.status == BASE_OK && blob.n - blob.at != size) {
      blob.status =
          base_fail(BASE_E_INPUT, "has %zu bytes of states, not %zu", blob.n - blob.at, size);
    }
    if (blob.status == BASE_OK) {
      base_blob_pass(&motion->states, blob.bytes + blob.at, size);
    } else {
      base_message_prefix("%s: ", path);
    }
    status = blob.status;
  }
  base_blob_free(&blob);
  return status;
}

static int write_motion(const char *folder, const char *path, const char *key,
                        struct bench_motion *motion, struct base_arena *arena) {
  int status = base_file_make_folder(folder);
  if (status == BASE_OK) {
    struct base_blob blob = {0};
    pass_motion(&blob, key, motion, arena);
    base_blob_pass(&blob, motion->states.bytes, motion->states.n);
    status = base_blob_write(&blob, schema, path);
    base_blob_free(&blob);
  }
  return status;
}

int bench_motion_get(const struct bench_job *job, int tighter, int is_bounded, double deadline,
                     struct base_arena *arena, struct bench_motion *motion) {
  if (job->references == NULL || job->key == NULL) {
    return bench_motion_make(job, tighter, is_bounded, deadline, arena, motion);
  }
  const char *key = key_of(job, tighter, is_bounded, arena);
  char name[BASE_HASH_TEXT];
  base_hash_print(base_hash_text(BASE_HASH_EMPTY, key), name);
  const char *path = base_arena_printf(arena, "%s/%s.reference", job->references, name);
  *motion = (struct bench_motion){0};
  if (access(path, F_OK) == 0) {
    if (read_motion(path, key, arena, motion) == BASE_OK) {
      return BASE_OK;
    }
    fprintf(stderr, "coulombench: %s; the reference is made anew\n", base_message());
    bench_motion_free(motion);
  }
  const int status = bench_motion_make(job, tighter, is_bounded, deadline, arena, motion);
  if (status == BASE_OK && !motion->is_cut &&
      write_motion(job->references, path, key, motion, arena) != BASE_OK) {
    fprintf(stderr, "coulombench: %s; the reference is not kept\n", base_message());
  }
  return status;
}
