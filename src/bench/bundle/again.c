/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A record's cell run again: its command, with inputs from the archive, in a process of its own,
 * and what came out held against the record by the measures of `compare`.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/data.h"
#include "base/json/json.h"
#include "base/status.h"
#include "base/text.h"
#include "bench/bundle/parts.h"
#include "bench/compare/compare.h"
#include "bench/job/key.h"
#include "bench/job/provenance.h"
#include "cases/case.h"

/* Largest difference over its scale that counts as rounding [-]: another kernel of the BLAS gives
 * less where motions are stable and impulses unique (results/METHOD.md, Rounding). */
static const double ROUNDING = 1e-9;
/* A process is ended after so many times what the record took, and seconds. */
static const double PATIENCE = 20, GRACE = 60;

static const char *const verdicts[BUNDLE_VERDICTS] = {"same to the byte", "same to rounding",
                                                      "differs", "not run"};

static enum bundle_verdict say(enum bundle_verdict verdict, const char *name, const char *why,
                               struct base_arena *arena) {
  printf("%-16s  %s%s%s\n", verdicts[verdict], name, why[0] != '\0' ? ": " : "",
         base_text_clean(why, arena));
  return verdict;
}

/* What the record's time of computation was [s]: of the whole process, or of a solve. */
static double seconds_of(const cJSON *record) {
  const double total = base_json_real_at(record, "timing.total_s");
  return isnan(total) ? base_json_real_at(record, "timing.solve_s") : total;
}

/* Why the cell is not to be run, or "". The files that it reads are found below root. */
static const char *prepare(const char *root, const cJSON *record, const cJSON *inputs, double limit,
                           struct base_arena *arena, struct bundle_command *command) {
  const char *version = base_json_text_at(record, "provenance.version");
  const double seconds = seconds_of(record);
  if (strcmp(version, bench_version()) != 0) {
    return base_arena_printf(arena, "made by version %s, this is %s", version, bench_version());
  }
  if (strcmp(base_json_text_at(record, "status"), base_status_name(BASE_TIMEOUT)) == 0) {
    return "ended by its time limit";
  }
  if (!(seconds <= limit)) {
    return base_arena_printf(arena, "took %.3g s, more than --limit %g", seconds, limit);
  }
  if (bundle_command_read(record, arena, command) != BASE_OK) {
    return base_arena_copy(arena, base_message());
  }
  for (int i = 0; i < command->n; ++i) {
    if (command->is_file[i]) {
      const char *word = command->words[i];
      const cJSON *item = cJSON_GetObjectItemCaseSensitive(inputs, word);
      const char *input = cJSON_IsString(item) ? item->valuestring : "";
      if (strncmp(input, "inputs/", strlen("inputs/")) != 0 || strstr(input, "/../") != NULL) {
        return base_arena_printf(arena, "'%s' is not in the archive", word);
      }
      command->words[i] = base_arena_printf(arena, "%s/%s", root, input);
    }
  }
  return "";
}

/* Into a record at `output`. Exit status 1 is that of a run that did not end well, which its record
 * says, too. BASE_OK where there is one. */
static int run_again(const struct bundle_command *command, double seconds, const char *scratch,
                     const char *output, struct base_arena *arena) {
  const char *argv[BUNDLE_WORDS + 8];
  int n = 0;
  argv[n++] = "env";
  argv[n++] = base_arena_printf(arena, "TMPDIR=%s", scratch); /* where it leaves what it made */
  if (command->threads != NULL) {
    argv[n++] = command->threads;
  }
  argv[n++] = base_program_path("coulombench", arena);
  for (int i = 0; i < command->n; ++i) {
    argv[n++] = command->words[i];
  }
  argv[n++] = "-o";
  argv[n++] = output;
  argv[n] = NULL;
  struct base_child_end end;
  unlink(output);
  const struct base_child child = {
      .argv = argv, .input = "", .output_most = 1 << 20, .limit = PATIENCE * seconds + GRACE};
  const int status = base_child_run(&child, "its command", arena, &end);
  return access(output, R_OK) == 0 ? BASE_OK : status;
}

/* What may explain a difference: other sources, another build. */
static const char *explain(const cJSON *record, const cJSON *again, struct base_arena *arena) {
  const char *why = bench_key_compare(base_json_text_at(record, "provenance.key"),
                                      base_json_text_at(again, "provenance.key"));
  return why != NULL ? base_arena_printf(arena, " (%s)", why) : "";
}

/* What a newer program says beyond what the record has is no claim of the record. */
static void drop_newer(const cJSON *record, cJSON *again) {
  for (cJSON *item = cJSON_IsObject(again) ? again->child : NULL, *next; item != NULL;
       item = next) {
    const cJSON *own = cJSON_GetObjectItemCaseSensitive(record, item->string);
    next = item->next;
    if (own != NULL) {
      drop_newer(own, item);
    } else {
      cJSON_Delete(cJSON_DetachItemViaPointer(again, item));
    }
  }
}

static enum bundle_verdict judge(const char *name, const cJSON *record, cJSON *again,
                                 struct base_arena *arena) {
  /* The cell of a suite; and of a problem without a name that of its file, which is elsewhere. */
  struct base_words ignored = BASE_WORDS("cell", "problem");
  struct compare_result r;
  drop_newer(record, again);
  ignored.n = case_is_file(base_json_text_at(again, "problem")) ? 2 : 1;
  compare_values(record, again, &ignored, NULL, &r);
  const char *status = base_json_text_at(again, "status");
  const char *unsupported = base_status_name(BASE_UNSUPPORTED);
  const char *why = explain(record, again, arena);
  if (strcmp(status, base_json_text_at(record, "status")) != 0 &&
      (strcmp(status, base_status_name(BASE_TIMEOUT)) == 0 ||
       (strcmp(status, unsupported) == 0 && why[0] != '\0'))) {
    return say(BUNDLE_NOT_RUN, name,
               base_arena_printf(arena, "%s: %s", status, base_json_text_at(again, "reason")),
               arena);
  }
  int is_same = 1, part = COMPARE_PARTS; /* of what is told */
  for (int i = COMPARE_PARTS - 1; i >= 0; --i) {
    const int is_within = r.n[i] == 0 || (i != COMPARE_ASKED && r.worst[i].size <= ROUNDING);
    part = r.n[i] > 0 && (!is_within || is_same) ? i : part;
    is_same = is_same && is_within;
  }
  if (part == COMPARE_PARTS) {
    return say(BUNDLE_SAME, name, "", arena);
  }
  const struct compare_entry *worst = &r.worst[part];
  const char *size = isfinite(worst->size) ? base_arena_printf(arena, "%.2g at ", worst->size) : "";
  const char *told = is_same
                         ? base_arena_printf(arena, "%s%s, bound %g", size, worst->path, ROUNDING)
                         : base_arena_printf(arena, "%s%s: %s -> %s%s", size, worst->path, worst->a,
                                             worst->b, why);
  return say(is_same ? BUNDLE_ROUNDED : BUNDLE_DIFFERS, name, told, arena);
}

enum bundle_verdict bundle_again(const char *root, const char *name, const cJSON *inputs,
                                 double limit, const char *scratch, struct base_arena *arena) {
  struct bundle_command command;
  cJSON *record = base_json_read(base_arena_printf(arena, "%s/%s", root, name)), *again = NULL;
  const char *why = prepare(root, record, inputs, limit, arena, &command);
  const char *output = base_arena_printf(arena, "%s/again.json", scratch);
  if (why[0] == '\0' &&
      (run_again(&command, seconds_of(record), scratch, output, arena) != BASE_OK ||
       (again = base_json_read(output)) == NULL)) {
    why = base_arena_copy(arena, base_message());
  }
  const enum bundle_verdict verdict =
      again != NULL ? judge(name, record, again, arena) : say(BUNDLE_NOT_RUN, name, why, arena);
  fflush(stdout);
  cJSON_Delete(record);
  cJSON_Delete(again);
  return verdict;
}
