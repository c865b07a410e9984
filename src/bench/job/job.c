/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Requests into jobs, and the commands that repeat them; see job.h. Everything a user can get wrong
 * about a run is refused here, in options.c or in check.c, before anything is computed or written.
 */
#include "bench/job/parts.h"

#include <math.h>

#include "base/bytes/hash.h"
#include "base/bytes/quote.h"
#include "base/clock.h"
#include "base/json/json.h"
#include "base/memory/memory.h"
#include "base/options.h"
#include "base/status.h"
#include "bench/job/asked.h"
#include "bench/job/key.h"
#include "bench/job/start.h"
#include "form/simulator/simulator.h"
#include "problem/solvers/peers/peers.h"

enum { NOT_ASKED = -1 }; /* of an option whose default depends on the others */

const char *bench_job_head(const struct bench_job *job, struct base_arena *arena) {
  return base_arena_printf(
      arena, "coulombench run %s ",
      base_quote_shell(job->type->path != NULL ? job->type->path : job->type->name, arena));
}

double bench_request_left(const struct bench_request *request, double begin) {
  static const double least = 1e-9; /* [s]; a limit of 0 would be none at all */
  return request->time_limit > 0 ? fmax(request->time_limit - (base_clock_now() - begin), least)
                                 : 0;
}

void bench_command_give(const char **command, const char *option, const char *value,
                        struct base_arena *arena) {
  *command = base_arena_printf(arena, "%s %s %s", *command, option, base_quote_shell(value, arena));
}

/* The command that repeats the job; defaults that come from files are left to those. is_timed: with
 * what says how long it may take, and how often times are taken. */
static const char *rerun_command(const struct bench_job *job, int is_timed,
                                 struct base_arena *arena) {
  const struct bench_request *request = job->request;
  const struct bench_search_asked *search = job->search;
  char number[BASE_JSON_NUMBER_SIZE];
  const char *text = base_arena_printf(arena, "%s-f %s", bench_job_head(job, arena),
                                       base_quote_shell(job->form->name, arena));
  if (job->solver != NULL) {
    bench_command_give(&text, "-s", job->solver->name, arena);
  }
  if (search == NULL || !bench_search_is_of_step(search)) {
    bench_command_give(&text, "--dt", base_json_number(job->dt, number), arena);
  }
  bench_command_give(&text, "--t-end", base_json_number(job->t_end, number), arena);
  if (request->start != NULL) {
    bench_command_give(&text, "--start", request->start, arena);
  }
  if (search != NULL) {
    text = base_arena_printf(arena, "%s %s", text, bench_search_words(search, arena));
  }
  if (bench_ensemble_is_asked(&request->ensemble)) {
    bench_command_give(&text, "--ensemble", bench_ensemble_text(&request->ensemble, arena), arena);
  }
  for (int i = 0; i < request->set.n; ++i) {
    bench_command_give(&text, "--set", request->set.word[i], arena);
  }
  for (int i = 0; i < request->opt.n; ++i) {
    bench_command_give(&text, "--opt", request->opt.word[i], arena);
  }
  if (job->is_tight) {
    const char *tol = base_json_number(job->loop.tol, number);
    bench_command_give(&text, "--opt", base_arena_printf(arena, "tol=%s", tol), arena);
  }
  if (job->is_relieved) {
    bench_command_give(&text, "--opt", "relief=true", arena);
  }
  if (request->sample > 0) {
    bench_command_give(&text, "--sample", base_json_number(request->sample, number), arena);
  }
  if (is_timed && job->time_limit > 0) {
    bench_command_give(&text, "--time-limit", base_json_number(job->time_limit, number), arena);
  }
  if (is_timed && request->repeat > 0) {
    bench_command_give(&text, "--repeat", base_json_number(request->repeat, number), arena);
  }
  return text;
}

const char *bench_job_default_solver(const struct bench_job *job) {
  const char *chosen = base_json_text_at(job->defaults, "solver");
  return chosen[0] != '\0' ? chosen : job->form->solver;
}

static int resolve_solver(const struct bench_request *request, struct base_arena *arena,
                          struct bench_job *job) {
  if (!job->form->has_law) {
    return request->solver == NULL
               ? BASE_OK
               : base_fail(BASE_E_INPUT, "formulation %s takes no solver (got '%s')",
                           job->form->name, request->solver);
  }
  job->solver = problem_solver_find(request->solver != NULL ? request->solver
                                                            : bench_job_default_solver(job));
  if (job->solver == NULL) {
    return BASE_E_INPUT;
  }
  job->solver_options = problem_solver_options(job->solver, "", arena);
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
  job->form_options = base_options_new(job->form->options, job->form->options_size, "", arena);
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
  for (int i = 0; i < request->set.n; ++i) {
    char key[CASE_TEXT];
    const char *value;
    int status = base_options_split(request->set.word[i], key, sizeof key, &value);
    status = status != BASE_OK ? status : case_parameters_set(job->parameters, key, value);
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
  const double runs = fmax(1, job->request->repeat) * fmax(1, (double)job->request->ensemble.phase *
                                                                  job->request->ensemble.rotation);
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
  if (fits && status == BASE_OK &&
      job->request->start == NULL) { /* a run came to any other state */
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
  job->t_end = request->t_end != 0  ? request->t_end
               : isfinite(t_end)    ? t_end
               : instance.t_end > 0 ? instance.t_end
                                    : base_json_real_at(file, "t_end");
  const int is_step = job->search != NULL && bench_search_is_of_step(job->search);
  bench_job_set_step(job, is_step            ? job->search->lo
                          : request->dt != 0 ? request->dt
                          : isfinite(dt)     ? dt
                                             : base_json_real_at(file, "dt"));
  const struct form_setup setup = {.mech = instance.mech, .options = job->form_options};
  job->law = fits && job->form->law_of != NULL ? job->form->law_of(&setup) : job->form->law;
  status = bench_job_check_times(request, job);
  if (status == BASE_OK && fits) {
    job->status = bench_run_check(job, &instance, trial);
    job->work = job->status != BASE_OK ? 0 : estimate_work(job, instance.mech->nu);
  }
  if (status == BASE_OK) {
    const int width = fits ? instance.mech->nq_out + instance.mech->nu_out : 0;
    status = bench_job_check_samples(job, width);
  }
  base_arena_release(arena, mark);
  return status;
}

/* The tolerance, where no option has set it. */
static void settle_tolerance(const struct bench_request *request, struct bench_job *job) {
  if (isnan(job->loop.tol)) {
    job->is_tight = request->is_tight && job->solver != NULL;
    job->is_balanced = !request->is_tight && !job->form->is_exact;
    job->loop.tol = problem_loop_default().tol;
  }
}

/* A solver that nobody chose and nobody limits has a relief. */
static void settle_relief(const struct bench_request *request, struct bench_job *job) {
  const int is_limited = job->loop.max_iter != NOT_ASKED, is_asked = job->loop.relief != NOT_ASKED;
  job->loop.max_iter = is_limited ? job->loop.max_iter : problem_loop_default().max_iter;
  if (!is_asked) {
    job->is_relieved = request->solver == NULL && job->solver != NULL && !is_limited;
    job->loop.relief = job->is_relieved;
  }
}

int bench_job_check(const struct bench_request *request, struct base_arena *arena,
                    struct bench_job *job) {
  struct bench_request *asked = base_arena_push(arena, sizeof *asked);
  *asked = *request;
  *job = (struct bench_job){
      .request = asked, .loop = problem_loop_default(), .time_limit = request->time_limit};
  job->loop.tol = NAN; /* not asked for; no option can be that */
  job->loop.max_iter = job->loop.relief = NOT_ASKED;
  int status = bench_search_read(request, arena, &job->search);
  status = status != BASE_OK ? status : bench_job_check_repeat(request);
  status = status != BASE_OK ? status : resolve_names(request, arena, job);
  status = status != BASE_OK ? status : set_parameters(request, job);
  status = status != BASE_OK ? status : bench_job_set_case_options(job, arena);
  status = status != BASE_OK ? status : bench_job_set_options(request, job);
  if (status == BASE_OK) {
    settle_tolerance(request, job);
    settle_relief(request, job);
  }
  status = status != BASE_OK ? status : resolve_times(request, arena, job);
  status = status != BASE_OK ? status : bench_job_check_search(request, job);
  status = status != BASE_OK ? status : bench_job_check_ensemble(request, job);
  if (status == BASE_OK && request->vtk != NULL) {
    status = bench_vtk_parse(request->vtk, arena, &job->vtk_folder, &job->vtk_every);
  }
  if (status == BASE_OK && request->film != NULL) {
    status = bench_film_parse(request->film, arena, &job->film_file, &job->film_frames);
  }
  return status != BASE_OK ? status : bench_job_check_checkpoint(request);
}

int bench_job_resolve(const struct bench_request *request, struct base_arena *arena,
                      struct bench_job *job) {
  uint64_t data = BASE_HASH_EMPTY; /* files of the case, those its model reads included */
  base_file_watch(&data);
  const int status = bench_job_check(request, arena, job);
  base_file_watch(NULL);
  if (status == BASE_OK) {
    data = job->solver != NULL ? peer_hash(job->solver, data) : data;
    data = form_simulator_hash(job->form, data);
    job->key = bench_key_run(job, data, arena);
    job->command = rerun_command(job, 1, arena);
    job->identity = rerun_command(job, 0, arena);
    if (request->threads > 0) {
      job->command =
          base_arena_printf(arena, "OMP_NUM_THREADS=%d %s", request->threads, job->command);
    }
  }
  return status;
}
