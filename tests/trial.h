/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs of the harness for tests: one job from words to its outcome, in memory, as `coulombench run`
 * makes it.
 */
#ifndef TESTS_TRIAL_H
#define TESTS_TRIAL_H

#include "bench/run/run.h"
#include "bench/suite/suite.h"

struct trial {
  struct base_arena *arena; /* gone with the test */
  struct bench_job job;
  struct bench_outcome out;
};

enum trial_errors { TRIAL_WITHOUT_ERRORS, TRIAL_WITH_ERRORS };

/* set, opt: "key=value key=value" beside what the request has; NULL: none. TRIAL_WITHOUT_ERRORS: no
 * reference is made. The outcome's status, or the (negative) one of a refusal, which is a failed
 * check. */
int trial_run(struct trial *t, struct bench_request request, const char *set, const char *opt,
              enum trial_errors errors);
/* Its two halves, for a job that is changed in between; the first returns BASE_OK or the status of
 * a refusal, the second the outcome's status. */
int trial_resolve(struct trial *t, struct bench_request request, const char *set, const char *opt,
                  enum trial_errors errors);
int trial_go(struct trial *t);

/* The record of a run, which passes its own check. */
struct cJSON *trial_record(const struct trial *t);
struct cJSON *trial_record_of(struct bench_request request, enum trial_errors errors);
/* A run into a file, as the command line makes it, and the record from it. */
int trial_to_file(struct bench_request request, const char *output);
struct cJSON *trial_read(const char *path);
/* The text of a record without what differs from run to run: timing and provenance. */
const char *trial_lasting(const struct cJSON *record);
/* With the value at a dotted path (a key "nonesuch" is a new one) put in, as JSON with ' for ",
 * `check` refuses a record or solution with these words; without it passes. */
void trial_refuses(const struct cJSON *file, const char *path, const char *json, const char *words);
/* A suite by its keys beside schema and name ("x"), with ' for ", from scratch_path("suite.json").
 * Its status. */
int trial_suite(const char *keys, struct bench_suite *suite);

/* The final coordinate or velocity of that name; NaN: there is none. */
double trial_q(const struct bench_outcome *out, const char *name);
double trial_u(const struct bench_outcome *out, const char *name);

#endif
