/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options of a job: those of the run itself, and every "key=value" of the case's file and of
 * the request in its place, which is the formulation, the solver, the solving loop or the run; see
 * job.h, parts.h.
 */
#include "bench/job/parts.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "base/json/json.h"
#include "base/options.h"
#include "base/status.h"

const struct base_option bench_switch_options[] = {
    BASE_OPTION_BOOL(struct bench_switches, warm_start, 1,
                     "start each solve from the impulses of the same contacts in the last step"),
    BASE_OPTION_END};

const struct base_option bench_variation_options[] = {
    BASE_OPTION_REAL(
        struct bench_variation, phase, 1, 1e-3, 1, "",
        "length of the first step over dt; it shifts the phase of impacts within steps"),
    BASE_OPTION_REAL(struct bench_variation, perturb, 0, 0, CASE_START_PART, "",
                     "random perturbation of the start, over the system's length and speed"),
    BASE_OPTION_INT(struct bench_variation, seed, 1, 1, INT_MAX, "seed of the perturbation"),
    BASE_OPTION_END};

int bench_job_is_varied(const struct bench_job *job) {
  for (const struct base_option *o = bench_variation_options; o->key.name != NULL; ++o) {
    if (!base_options_is_default(o, &job->variation)) {
      return 1;
    }
  }
  return 0;
}

/* One --opt. Where formulation and solver both have the key, `form.key` and `solver.key` say which
 * is meant, and the bare key is refused; elsewhere they may stand as well. */
static int set_option(struct bench_job *job, const char *key, const char *value) {
  const struct problem_solver *solver = job->solver;
  const char *form_named = job->form->name;
  const char *solver_named = solver != NULL ? solver->name : "";
  const struct {
    const char *prefix, *owner;
    const struct base_option *table;
    void *options;
  } places[] = {{"form.", form_named, job->form->options, job->form_options},
                {"solver.", solver_named, solver ? solver->options : NULL, job->solver_options},
                {"solver.", solver_named, solver ? problem_loop_options : NULL, &job->loop},
                {"", "run", solver ? bench_switch_options : NULL, &job->switches},
                {"", "run", bench_variation_options, &job->variation}};
  int found = -1;
  for (int i = 0; i < (int)(sizeof places / sizeof *places); ++i) {
    const size_t length = strlen(places[i].prefix);
    const char *bare = strncmp(key, places[i].prefix, length) == 0 ? key + length : key;
    if (base_options_find(places[i].table, bare) == NULL) {
      continue;
    }
    if (found >= 0) {
      return base_fail(BASE_E_INPUT,
                       "option '%s' is one of formulation %s and one of solver %s: say form.%s or "
                       "solver.%s",
                       key, form_named, solver_named, key, key);
    }
    found = i;
  }
  if (found >= 0) {
    const size_t length = strlen(places[found].prefix);
    const char *bare = strncmp(key, places[found].prefix, length) == 0 ? key + length : key;
    return base_options_set(places[found].table, places[found].options, places[found].owner, bare,
                            value);
  }
  return solver == NULL
             ? base_fail(
                   BASE_E_INPUT,
                   "option '%s' is not known to formulation %s; see 'coulombench describe %s'", key,
                   form_named, form_named)
             : base_fail(BASE_E_INPUT,
                         "option '%s' is known neither to formulation %s nor to solver %s nor to "
                         "every run; see 'coulombench describe %s' and 'coulombench describe %s'",
                         key, form_named, solver_named, form_named, solver_named);
}

static int set_option_pair(struct bench_job *job, const char *pair) {
  char key[CASE_TEXT];
  const char *value;
  const int status = base_options_split(pair, key, sizeof key, &value);
  return status != BASE_OK ? status : set_option(job, key, value);
}

const char *bench_option_text(const cJSON *value, struct base_arena *arena) {
  char number[BASE_JSON_NUMBER_SIZE];
  if (cJSON_IsBool(value)) {
    return cJSON_IsTrue(value) ? "true" : "false";
  }
  if (cJSON_IsNumber(value)) {
    return base_arena_copy(arena, base_json_number(value->valuedouble, number));
  }
  return cJSON_IsString(value) ? base_arena_copy(arena, value->valuestring) : NULL;
}

/* Add an option of a table, if it is there, to those that are numbers, count[1], or others. */
static void count_kind(const struct base_option *table, const char *key, int count[2]) {
  const struct base_option *o = base_options_find(table, key);
  if (o != NULL) {
    ++count[(o->key.types & (BASE_REAL | BASE_WHOLE)) != 0];
  }
}

int bench_option_is_number(const char *key) {
  const char *dot = strchr(key, '.'), *bare = dot != NULL ? dot + 1 : key; /* "solver.tol" */
  int count[2] = {0, 0};
  count_kind(problem_loop_options, bare, count);
  count_kind(bench_variation_options, bare, count);
  for (int i = 0; i < form_count(); ++i) {
    count_kind(form_get(i)->options, bare, count);
  }
  for (int i = 0; i < problem_solver_count(); ++i) {
    count_kind(problem_solver_get(i)->options, bare, count);
  }
  return count[0] == 0 && count[1] > 0;
}

/* Is the key an option of the default solver while another solver runs? A case that tunes its
 * default solver does not stand in the way of trying others. */
static int is_of_other_solver(const struct bench_job *job, const char *key) {
  const struct problem_solver *other =
      job->solver != NULL ? problem_solver_find(bench_job_default_solver(job)) : NULL;
  return other != NULL && other != job->solver && base_options_find(other->options, key) != NULL &&
         base_options_find(job->solver->options, key) == NULL;
}

/* An option's value in the case's file: as it stands there, or, "=key", that of a parameter. */
static const char *case_option_text(const struct bench_job *job, const cJSON *option,
                                    struct base_arena *arena) {
  const char *text = bench_option_text(option, arena);
  if (text == NULL || text[0] != '=') {
    return text;
  }
  cJSON *values = case_parameters_to_json(job->parameters);
  const cJSON *value = cJSON_GetObjectItemCaseSensitive(values, text + 1);
  text = value != NULL ? bench_option_text(value, arena) : NULL;
  cJSON_Delete(values);
  return text;
}

int bench_job_set_case_options(struct bench_job *job, struct base_arena *arena) {
  const cJSON *options = cJSON_GetObjectItemCaseSensitive(job->defaults, "options"), *option;
  int status = BASE_OK;
  for (option = options != NULL ? options->child : NULL; option != NULL && status == BASE_OK;
       option = option->next) {
    const char *value = case_option_text(job, option, arena);
    if (value == NULL) {
      status = base_fail(BASE_E_INPUT,
                         "key 'options.%s': must be a number, a text, true or false, or '=' and "
                         "the key of a parameter",
                         option->string);
    } else if (!is_of_other_solver(job, option->string)) {
      status = set_option(job, option->string, value);
    }
  }
  if (status != BASE_OK) {
    base_message_prefix(
        "%s%s, formulations.%s: ", job->type->path != NULL ? job->type->path : job->type->name,
        job->type->path != NULL ? "" : ".json", job->form->name);
  }
  return status;
}

int bench_job_set_options(const struct bench_request *request, struct bench_job *job) {
  for (int i = 0; i < request->opt.n; ++i) {
    const int status = set_option_pair(job, request->opt.word[i]);
    if (status != BASE_OK) {
      return status;
    }
  }
  return BASE_OK;
}
