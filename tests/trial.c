/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See trial.h.
 */
#include "tests/trial.h"

#include <stdlib.h>

#include "base/json/json.h"
#include "bench/commands.h"
#include "bench/record/record.h"
#include "bench/repeat/repeat.h"
#include "bench/suite/bench.h"
#include "tests/scratch.h"
#include "tests/test.h"

int trial_resolve(struct trial *t, struct bench_request request, const char *set, const char *opt,
                  enum trial_errors errors) {
  *t = (struct trial){.arena = base_arena_child(test_arena()),
                      .out = {.status = BASE_E_INTERNAL, .reason = "", .reference.kind = ""}};
  base_words_split(&request.set, set != NULL ? set : "", t->arena);
  base_words_split(&request.opt, opt != NULL ? opt : "", t->arena);
  const int status = bench_job_resolve(&request, t->arena, &t->job);
  CHECK_MESSAGE(status == BASE_OK, "%s with %s: %s", request.case_name, request.formulation,
                base_message());
  t->job.compared = errors == TRIAL_WITHOUT_ERRORS ? BENCH_COMPARED_NOT : BENCH_COMPARED_ALL;
  return status;
}

int trial_go(struct trial *t) {
  const int status = bench_run_repeatedly(&t->job, t->arena, &t->out);
  CHECK_OK(status);
  return status != BASE_OK ? status : t->out.status;
}

int trial_run(struct trial *t, struct bench_request request, const char *set, const char *opt,
              enum trial_errors errors) {
  const int status = trial_resolve(t, request, set, opt, errors);
  return status != BASE_OK ? status : trial_go(t);
}

static double value_of(int n, const char *const *names, const double *x, const char *name) {
  for (int i = 0; i < n; ++i) {
    if (strcmp(names[i], name) == 0) {
      return x[i];
    }
  }
  return NAN;
}

double trial_q(const struct bench_outcome *out, const char *name) {
  return value_of(out->nq, out->q_names, out->q, name);
}

double trial_u(const struct bench_outcome *out, const char *name) {
  return value_of(out->nu, out->u_names, out->u, name);
}

cJSON *trial_record(const struct trial *t) {
  cJSON *record = test_json(bench_record(&t->job, &t->out));
  CHECK_OK(bench_record_check(record, "record"));
  return record;
}

cJSON *trial_record_of(struct bench_request request, enum trial_errors errors) {
  struct trial t;
  trial_run(&t, request, "", "", errors);
  return trial_record(&t);
}

int trial_to_file(struct bench_request request, const char *output) {
  int outcome;
  return bench_run_to_file(&request, output, &outcome, NULL);
}

cJSON *trial_read(const char *path) {
  cJSON *record = test_json(base_json_read(path));
  CHECK_MESSAGE(record != NULL, "%s", base_message());
  return record;
}

const char *trial_lasting(const cJSON *record) {
  cJSON *copy = test_json(cJSON_Duplicate(record, 1));
  cJSON_DeleteItemFromObjectCaseSensitive(copy, "timing");
  cJSON_DeleteItemFromObjectCaseSensitive(copy, "provenance");
  char *text = base_json_text(copy);
  test_at_end(free, text);
  return text;
}

void trial_refuses(const cJSON *file, const char *path, const char *json, const char *words) {
  cJSON *copy = test_json(cJSON_Duplicate(file, 1)), *object = copy;
  char *parent = base_arena_copy(test_arena(), path), *key = strrchr(parent, '.');
  if (key != NULL) {
    *key++ = '\0';
    object = (cJSON *)base_json_at(copy, parent);
  } else {
    key = parent;
  }
  /* the checksum would refuse any change */
  cJSON_DeleteItemFromObjectCaseSensitive(cJSON_GetObjectItem(copy, "provenance"), "checksum");
  CHECK_OK(bench_check_value("r.json", copy));
  CHECK_MESSAGE((cJSON_GetObjectItemCaseSensitive(object, key) == NULL) ==
                    (strcmp(key, "nonesuch") == 0),
                "%s", path);
  cJSON_DeleteItemFromObjectCaseSensitive(object, key);
  CHECK_MESSAGE(cJSON_AddItemToObject(object, key, cJSON_Parse(test_quoted(json))), "%s: %s", path,
                json);
  CHECK_MESSAGE(bench_check_value("r.json", copy) == BASE_E_INPUT, "%s = %s passes", path, json);
  CHECK_MESSAGE(strstr(base_message(), words) != NULL &&
                    strncmp(base_message(), "r.json: ", 8) == 0,
                "%s = %s: '%s' lacks '%s'", path, json, base_message(), words);
}

int trial_suite(const char *keys, struct bench_suite *suite) {
  const char *path = scratch_path("suite.json");
  const char *text = test_quoted(
      base_arena_printf(test_arena(), "{'schema': 'coulombench.suite/1', 'name': 'x', %s}", keys));
  CHECK_OK(base_file_write(path, text, strlen(text)));
  return bench_suite_load(path, test_arena(), suite);
}
