/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Requests into jobs; see job.h. Everything a user can get wrong about a run is refused here,
 * before anything is computed or written.
 */
#include "bench/job/job.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/bytes/hash.h"
#include "base/json/json.h"
#include "base/memory/memory.h"
#include "base/options.h"
#include "base/status.h"
#include "bench/ensemble/ensemble.h"
#include "bench/export/vtk.h"
#include "bench/report/quote.h"
#include "bench/run/run.h"
#include "bench/search/search.h"
#include "bench/search/threshold.h"
#include "bench/suite/key.h"
#include "problem/solvers/peers/peers.h"

/* Numbers in one record's trajectory: about 200 MB of text. */
static const double SAMPLED_VALUES_MAX = 1e7;
/* Samples at every step are asked for by intervals that are rounded otherwise than the step. */
static const double SAMPLE_ROUNDING = 1e-9;

const struct base_option bench_switch_options[] = {
    BASE_OPTION_BOOL(struct bench_switches, warm_start, 1,
                     "start each solve from the impulses of the last step, by contacts"),
    BASE_OPTION_END};

const struct base_option bench_variation_options[] = {
    BASE_OPTION_REAL(struct bench_variation, phase, 1, 1e-3, 1, "",
                     "length of the first step over dt, so that impacts fall elsewhere in theirs"),
    BASE_OPTION_REAL(struct bench_variation, perturb, 0, 0, CASE_START_PART, "",
                     "part of the system's length and speed by which the start is moved at random"),
    BASE_OPTION_INT(struct bench_variation, seed, 1, 1, INT_MAX, "of that"), BASE_OPTION_END};

int bench_job_is_varied(const struct bench_job *job) {
  for (const struct base_option *o = bench_variation_options; o->name != NULL; ++o) {
    if (!base_options_is_default(o, &job->variation)) {
      return 1;
    }
  }
  return 0;
}

int bench_pairs_add(const char *text, struct base_arena *arena, int *n, const char **pairs) {
  char *word = base_arena_copy(arena, text);
  for (;;) {
    while (isspace((unsigned char)*word)) {
      ++word;
    }
    if (*word == '\0') {
      return BASE_OK;
    }
    if (*n == BENCH_PAIRS_MAX) {
      return base_fail(BASE_E_INPUT, "more than %d key=value pairs", BENCH_PAIRS_MAX);
    }
    pairs[(*n)++] = word;
    while (*word != '\0' && !isspace((unsigned char)*word)) {
      ++word;
    }
    if (*word != '\0') {
      *word++ = '\0';
    }
  }
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

/* The solver a job of this case and formulation has unless another one is asked for. */
static const char *default_solver(const struct bench_job *job) {
  const char *chosen = base_json_text_at(job->defaults, "solver");
  return chosen[0] != '\0' ? chosen : job->form->solver;
}

/* Is the key an option of the default solver while another solver runs? A case that tunes its
 * default solver does not stand in the way of trying others. */
static int is_of_other_solver(const struct bench_job *job, const char *key) {
  const struct problem_solver *other =
      job->solver != NULL ? problem_solver_find(default_solver(job)) : NULL;
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

/* The case's options for this formulation. */
static int apply_case_options(struct bench_job *job, struct base_arena *arena) {
  const cJSON *options = cJSON_GetObjectItemCaseSensitive(job->defaults, "options"), *option;
  int status = options == NULL || cJSON_IsObject(options)
                   ? BASE_OK
                   : base_fail(BASE_E_INPUT, "key 'options': must be an object");
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

/* Times come from files, command lines and tables of figures alike: all are judged here. */
static int check_times(const struct bench_request *request, const struct bench_job *job) {
  if (!(job->dt > 0) || !isfinite(job->dt)) {
    return base_fail(BASE_E_INPUT, "dt = %g s: must be positive and finite", job->dt);
  }
  if (!(job->t_end > 0) || !isfinite(job->t_end)) {
    return base_fail(BASE_E_INPUT, "t_end = %g s: must be positive and finite", job->t_end);
  }
  if (job->t_end < job->dt) {
    return base_fail(BASE_E_INPUT, "t_end = %g s: less than one step, dt = %g s", job->t_end,
                     job->dt);
  }
  if (!(job->t_end / job->dt <= 1e9)) {
    return base_fail(BASE_E_INPUT, "dt = %g s: more than 1e9 steps to t_end = %g s", job->dt,
                     job->t_end);
  }
  const int is_sampled = request->has_sample || job->sample != 0; /* 0 unless asked for */
  if (is_sampled && (!(job->sample > 0) || !isfinite(job->sample))) {
    return base_fail(BASE_E_INPUT, "sample = %g s: must be positive and finite", job->sample);
  }
  if (is_sampled && job->sample < (1 - SAMPLE_ROUNDING) * job->dt) {
    return base_fail(BASE_E_INPUT, "sample = %g s: less than one step, dt = %g s", job->sample,
                     job->dt);
  }
  if (!(job->time_limit >= 0)) {
    return base_fail(BASE_E_INPUT, "time limit = %g s: must not be negative", job->time_limit);
  }
  return BASE_OK;
}

const char *bench_job_head(const struct bench_job *job, struct base_arena *arena) {
  return base_arena_printf(
      arena, "coulombench run %s ",
      bench_quote_shell(job->type->path != NULL ? job->type->path : job->type->name, arena));
}

/* The command that repeats the job; defaults that come from files are left to those. */
static const char *rerun_command(const struct bench_request *request, const struct bench_job *job,
                                 struct base_arena *arena) {
  char number[BASE_JSON_NUMBER_SIZE];
  const char *text =
      base_arena_printf(arena, "%s-f %s", bench_job_head(job, arena), job->form->name);
  if (job->solver != NULL) {
    text = base_arena_printf(arena, "%s -s %s", text, bench_quote_shell(job->solver->name, arena));
  }
  if (request->has_search) {
    text = base_arena_printf(arena, "%s --search %s", text, bench_search_text(&job->search, arena));
  } else if (!bench_threshold_is_step(request)) {
    text = base_arena_printf(arena, "%s --dt %s", text, base_json_number(job->dt, number));
  }
  text = base_arena_printf(arena, "%s --t-end %s", text, base_json_number(job->t_end, number));
  if (request->start != NULL) {
    text =
        base_arena_printf(arena, "%s --start %s", text, bench_quote_shell(request->start, arena));
  }
  if (request->threshold != NULL) {
    text = base_arena_printf(arena, "%s --search %s --until %s", text,
                             bench_quote_shell(request->threshold, arena),
                             bench_quote_shell(request->until, arena));
  }
  if (bench_ensemble_is_asked(&request->ensemble)) {
    text = base_arena_printf(arena, "%s --ensemble %s", text,
                             bench_ensemble_text(&request->ensemble, arena));
  }
  for (int i = 0; i < request->n_set; ++i) {
    text = base_arena_printf(arena, "%s --set %s", text, bench_quote_shell(request->set[i], arena));
  }
  for (int i = 0; i < request->n_opt; ++i) {
    text = base_arena_printf(arena, "%s --opt %s", text, bench_quote_shell(request->opt[i], arena));
  }
  if (job->is_tight) {
    text =
        base_arena_printf(arena, "%s --opt tol=%s", text, base_json_number(job->loop.tol, number));
  }
  if (job->sample > 0) {
    text = base_arena_printf(arena, "%s --sample %s", text, base_json_number(job->sample, number));
  }
  if (job->time_limit > 0) {
    text = base_arena_printf(arena, "%s --time-limit %s", text,
                             base_json_number(job->time_limit, number));
  }
  if (job->repeat > 0) {
    text = base_arena_printf(arena, "%s --repeat %d", text, job->repeat);
  }
  return text;
}

static int resolve_solver(const struct bench_request *request, struct base_arena *arena,
                          struct bench_job *job) {
  if (!job->form->has_law) {
    return request->solver == NULL
               ? BASE_OK
               : base_fail(BASE_E_INPUT, "formulation %s takes no solver (got '%s')",
                           job->form->name, request->solver);
  }
  job->solver =
      problem_solver_find(request->solver != NULL ? request->solver : default_solver(job));
  if (job->solver == NULL) {
    return BASE_E_INPUT;
  }
  job->solver_options = base_arena_push(arena, job->solver->options_size);
  base_options_default(job->solver->options, job->solver_options);
  return BASE_OK;
}

/* Names into objects, each with its defaults. */
static int resolve_names(const struct bench_request *request, struct base_arena *arena,
                         struct bench_job *job) {
  job->type = case_open(request->case_name, NULL, arena);
  job->form = job->type != NULL ? form_find(request->formulation) : NULL;
  if (job->form == NULL) {
    return BASE_E_INPUT;
  }
  job->form_options = base_arena_push(arena, job->form->options_size);
  base_options_default(job->form->options, job->form_options);
  base_options_default(bench_switch_options, &job->switches);
  base_options_default(bench_variation_options, &job->variation);
  job->parameters = case_parameters_load(job->type, arena);
  if (job->parameters == NULL) {
    return BASE_E_INPUT;
  }
  const cJSON *file = case_parameters_file(job->parameters);
  job->defaults = cJSON_GetObjectItemCaseSensitive(
      cJSON_GetObjectItemCaseSensitive(file, "formulations"), job->form->name);
  return resolve_solver(request, arena, job);
}

static int set_parameters(const struct bench_request *request, struct bench_job *job) {
  for (int i = 0; i < request->n_set; ++i) {
    char key[CASE_TEXT];
    const char *value;
    int status = base_options_split(request->set[i], key, sizeof key, &value);
    status = status != BASE_OK ? status : case_parameters_set(job->parameters, key, value);
    if (status != BASE_OK) {
      return status;
    }
  }
  return BASE_OK;
}

static int set_options(const struct bench_request *request, struct bench_job *job) {
  for (int i = 0; i < request->n_opt; ++i) {
    const int status = set_option_pair(job, request->opt[i]);
    if (status != BASE_OK) {
      return status;
    }
  }
  return BASE_OK;
}

struct building {
  const struct bench_job *job;
  struct base_arena *arena;
  struct case_instance instance;
  int status;
};

static void try_build(void *data) {
  struct building *b = data;
  b->status = bench_job_build(b->job, b->arena, &b->instance);
}

static double estimate_work(const struct bench_job *job, int nu) {
  const double cost = job->form->cost > 0 ? job->form->cost : 1;
  const double runs =
      fmax(1, job->repeat) * fmax(1, (double)job->ensemble.phase * job->ensemble.rotation);
  return job->t_end / job->dt * nu * cost * runs;
}

/* Build the model once to see that it can be, and for what depends on its parameters: the default
 * horizon, the size of a sampled state. A model for which there is no memory is left to the run,
 * whose record says so. */
static int resolve_times(const struct bench_request *request, struct base_arena *arena,
                         struct bench_job *job) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct base_arena *trial = base_arena_child(arena); /* goes back to the system */
  struct building built = {.job = job, .arena = trial};
  const int left = base_memory_try(try_build, &built), fits = left == BASE_OK;
  int status = fits ? built.status : left == BASE_UNSUPPORTED ? BASE_OK : left;
  if (fits && status == BASE_OK && job->start == NULL) { /* a run came to any other state */
    status = bench_start_check(job, &built.instance, trial);
  }
  if (status != BASE_OK) {
    base_arena_release(arena, mark);
    return status;
  }
  const struct case_instance instance = fits ? built.instance : (struct case_instance){0};
  const cJSON *file = case_parameters_file(job->parameters);
  const double dt = base_json_real_at(job->defaults, "dt");
  const double t_end = base_json_real_at(job->defaults, "t_end");
  job->t_end = request->has_t_end   ? request->t_end
               : isfinite(t_end)    ? t_end
               : instance.t_end > 0 ? instance.t_end
                                    : base_json_real_at(file, "t_end");
  bench_job_set_step(job, request->has_search ? request->search.lo
                          : request->has_dt   ? request->dt
                          : isfinite(dt)      ? dt
                                              : base_json_real_at(file, "dt"));
  job->sample = request->sample;
  const struct form_setup setup = {.mech = instance.mech, .options = job->form_options};
  job->law = fits && job->form->law_of != NULL ? job->form->law_of(&setup) : job->form->law;
  status = check_times(request, job);
  if (status == BASE_OK && fits) {
    job->is_unsupported = bench_run_check(job, &instance, trial) != BASE_OK;
    job->work = job->is_unsupported ? 0 : estimate_work(job, instance.mech->nu);
  }
  const int width = fits ? instance.mech->nq_out + instance.mech->nu_out : 0;
  const double values = job->t_end / fmax(job->sample, job->dt) * (width + 2.0);
  if (status == BASE_OK && job->sample > 0 && values > SAMPLED_VALUES_MAX) {
    status = base_fail(BASE_E_INPUT, "sample = %g s: a trajectory of %.3g numbers, more than %.0e",
                       job->sample, values, SAMPLED_VALUES_MAX);
  }
  base_arena_release(arena, mark);
  return status;
}

static int resolve_search(const struct bench_request *request, struct bench_job *job) {
  if (!request->has_search) {
    return BASE_OK;
  }
  if (request->has_dt) {
    return base_fail(BASE_E_INPUT, "search: the step is what is sought; give no dt");
  }
  if (request->dump_every > 0) {
    return base_fail(BASE_E_INPUT, "search: of many runs no problems are written");
  }
  if (request->checkpoint != NULL || request->restart != NULL) {
    return base_fail(BASE_E_INPUT, "search: it has no checkpoints");
  }
  if (request->vtk != NULL) {
    return base_fail(BASE_E_INPUT, "search: of many runs no pictures are written");
  }
  job->search = request->search;
  return bench_search_check(job);
}

int bench_request_is_of_one_run(const struct bench_request *request) {
  return request->dump_every > 0 || request->checkpoint != NULL || request->restart != NULL ||
         request->vtk != NULL;
}

static int check_repeat(const struct bench_request *request) {
  if (request->repeat == 0) {
    return BASE_OK;
  }
  if (request->has_search || request->threshold != NULL) {
    return base_fail(BASE_E_INPUT, "repeat: a search takes no times; repeat the run it finds");
  }
  if (bench_request_is_of_one_run(request)) {
    return base_fail(BASE_E_INPUT,
                     "repeat: of many runs neither problems, nor checkpoints, nor pictures are "
                     "kept, and none goes on from a checkpoint");
  }
  return BASE_OK;
}

static int check_ensemble(const struct bench_request *request, const struct bench_job *job) {
  if (!bench_ensemble_is_asked(&request->ensemble)) {
    return BASE_OK;
  }
  if (request->has_search || request->threshold != NULL) {
    return base_fail(BASE_E_INPUT, "ensemble: a search is one of single runs");
  }
  if (bench_request_is_of_one_run(request)) {
    return base_fail(
        BASE_E_INPUT,
        "ensemble: of many runs neither problems, nor checkpoints, nor pictures are kept");
  }
  if (request->start != NULL && request->ensemble.rotation > 0) {
    return base_fail(BASE_E_INPUT,
                     "ensemble: the state of a checkpoint (--start) cannot be turned");
  }
  if (bench_job_is_varied(job)) {
    return base_fail(BASE_E_INPUT,
                     "ensemble: phase, perturb and seed are its own; they have no --opt beside it");
  }
  return bench_ensemble_check(&request->ensemble, job);
}

/* The tolerance, where no option has set it. */
static void settle_tolerance(const struct bench_request *request, struct bench_job *job) {
  if (isnan(job->loop.tol)) {
    job->is_tight = request->is_tight && job->solver != NULL;
    job->is_balanced = !request->is_tight && !job->form->is_exact;
    job->loop.tol = problem_loop_default().tol;
  }
}

/* All but what is said of the job as a whole. */
static int resolve(const struct bench_request *request, struct base_arena *arena,
                   struct bench_job *job) {
  *job = (struct bench_job){.loop = problem_loop_default(),
                            .time_limit = request->time_limit,
                            .threads = request->threads,
                            .repeat = request->repeat,
                            .threshold = request->threshold,
                            .ensemble = request->ensemble,
                            .until = request->until,
                            .checkpoint = request->checkpoint,
                            .checkpoint_every = request->checkpoint_every,
                            .restart = request->restart,
                            .start = request->start,
                            .references = request->references,
                            .dump_every = request->dump_every,
                            .dump_folder = request->dump_folder,
                            .dump_ending = request->dump_ending,
                            .shows_progress = request->shows_progress};
  job->loop.tol = NAN; /* not asked for; no option can be that */
  int status = check_repeat(request);
  status = status != BASE_OK ? status : resolve_names(request, arena, job);
  status = status != BASE_OK ? status : set_parameters(request, job);
  status = status != BASE_OK ? status : apply_case_options(job, arena);
  status = status != BASE_OK ? status : set_options(request, job);
  if (status == BASE_OK) {
    settle_tolerance(request, job);
  }
  status = status != BASE_OK ? status : resolve_times(request, arena, job);
  status = status != BASE_OK ? status : resolve_search(request, job);
  status = status != BASE_OK ? status : check_ensemble(request, job);
  if (status == BASE_OK && request->vtk != NULL) {
    status = bench_vtk_parse(request->vtk, arena, &job->vtk_folder, &job->vtk_every);
  }
  if (status == BASE_OK && !(job->checkpoint_every >= 0)) {
    status = base_fail(BASE_E_INPUT, "checkpoint-every = %g s: must not be negative",
                       job->checkpoint_every);
  }
  return status;
}

int bench_job_resolve(const struct bench_request *request, struct base_arena *arena,
                      struct bench_job *job) {
  uint64_t data = BASE_HASH_EMPTY; /* files of the case, those its model reads included */
  base_file_watch(&data);
  const int status = resolve(request, arena, job);
  base_file_watch(NULL);
  if (status == BASE_OK) {
    data = job->solver != NULL ? peer_hash(job->solver, data) : data;
    job->key = bench_key_run(job, data, arena);
    job->command = rerun_command(request, job, arena);
    struct bench_job timeless = *job;
    timeless.time_limit = timeless.repeat = 0;
    job->identity = rerun_command(request, &timeless, arena);
    if (request->threads > 0) {
      job->command =
          base_arena_printf(arena, "OMP_NUM_THREADS=%d %s", request->threads, job->command);
    }
  }
  return status;
}
