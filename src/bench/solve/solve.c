/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `coulombench solve`: one one-step problem, one solver, one solution record. The problem is posed
 * with the law its file names, unless the user names another; a solver that does not take that law
 * answers `unsupported`, it is never given a different problem in silence.
 */
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes/hash.h"
#include "base/bytes/quote.h"
#include "base/json/json.h"
#include "base/memory/memory.h"
#include "base/status.h"
#include "bench/job/asked.h"
#include "bench/job/cell.h"
#include "bench/job/job.h"
#include "bench/job/key.h"
#include "bench/job/output.h"
#include "bench/job/provenance.h"
#include "bench/record/record.h"
#include "bench/solve/solve.h"
#include "la/dense.h"
#include "problem/foreign.h"
#include "problem/solver.h"
#include "problem/solvers/peers/peers.h"

/* Friction directions of a polyhedral cone when the file names none. */
enum { FACETS = 8 };

/* Options of a solve by itself, beside those of its solver and of every solve. */
struct switches {
  int history;
};
const struct base_option bench_solve_options[] = {
    BASE_OPTION_BOOL(struct switches, history, 0,
                     "residual and time of the solver after each iteration, in the solution"),
    BASE_OPTION_END};

struct solve {
  const struct bench_solve_request *request;
  struct base_arena *arena;
  struct problem problem;
  const struct problem_solver *solver;
  void *options;
  struct problem_loop loop;
  struct switches switches;
  struct problem_history history;
  double *r, *v;
  struct problem_result result;
  const char *key; /* see job/key.h */
  int status;      /* negative: nothing to record */
};

static int set_options(struct solve *s) {
  const struct bench_solve_request *request = s->request;
  for (int i = 0; i < request->opt.n; ++i) {
    char key[CASE_TEXT];
    const char *value;
    int status = base_options_split(request->opt.word[i], key, sizeof key, &value);
    if (status == BASE_OK) {
      const int is_loop = base_options_find(problem_loop_options, key) != NULL;
      const int is_mine = base_options_find(bench_solve_options, key) != NULL;
      status = base_options_set(is_loop   ? problem_loop_options
                                : is_mine ? bench_solve_options
                                          : s->solver->options,
                                is_loop   ? (void *)&s->loop
                                : is_mine ? (void *)&s->switches
                                          : s->options,
                                s->solver->name, key, value);
    }
    if (status != BASE_OK) {
      return status;
    }
  }
  return BASE_OK;
}

/* The solver asked for, with its options. */
static int prepare(struct solve *s) {
  s->solver = problem_solver_find(s->request->solver);
  if (s->solver == NULL) {
    return BASE_E_INPUT;
  }
  s->options = problem_solver_options(s->solver, "", s->arena);
  base_options_default(bench_solve_options, &s->switches);
  s->loop = problem_loop_default();
  s->loop.is_timed = 1;
  return set_options(s);
}

/* The start from an earlier solution, of the same length. */
static int read_warm(struct solve *s) {
  cJSON *file = base_json_read(s->request->warm);
  if (file == NULL) {
    return BASE_E_INPUT;
  }
  const char *key = cJSON_GetObjectItemCaseSensitive(file, "r") != NULL ? "r" : "z";
  int status = base_json_expect_schema(file, s->request->warm, "coulombench.solution/1");
  status = status != BASE_OK ? status
                             : base_json_get_reals(file, key, s->request->warm,
                                                   problem_size(&s->problem), s->r, NULL);
  cJSON_Delete(file);
  return status;
}

const char *bench_solve_command(const struct bench_solve_request *request,
                                struct base_arena *arena) {
  const char *command =
      base_arena_printf(arena, "coulombench solve %s", base_quote_shell(request->problem, arena));
  bench_command_give(&command, "-s", request->solver, arena);
  if (request->law != NULL) {
    bench_command_give(&command, "--law", request->law, arena);
  }
  for (int i = 0; i < request->opt.n; ++i) {
    bench_command_give(&command, "--opt", request->opt.word[i], arena);
  }
  if (request->warm != NULL) {
    bench_command_give(&command, "--warm", request->warm, arena);
  }
  return command;
}

/* The record as far as every solve has it. options: to be taken over, NULL: none. */
static cJSON *begin_record(const struct bench_solve_request *request, const char *problem,
                           const char *law, cJSON *options, int status, const char *reason) {
  cJSON *record = cJSON_CreateObject();
  cJSON_AddStringToObject(record, "schema", "coulombench.solution/1");
  if (request->place != NULL) {
    cJSON_AddItemToObject(record, "cell", bench_place_json(request->place));
  }
  cJSON_AddStringToObject(record, "problem", problem);
  cJSON_AddStringToObject(record, "law", law);
  cJSON *solver = cJSON_AddObjectToObject(record, "solver");
  cJSON_AddStringToObject(solver, "name", request->solver);
  cJSON_AddItemToObject(solver, "options", options);
  cJSON_AddStringToObject(record, "status", base_status_name(status));
  cJSON_AddStringToObject(record, "reason", reason);
  return record;
}

/* limit: the time limit that decided what it says [s], below 0: none. To be freed. */
static int write_record(const struct bench_solve_request *request, cJSON *record, const char *key,
                        double limit, struct base_arena *arena) {
  cJSON_AddItemToObject(record, "provenance",
                        bench_provenance(bench_solve_command(request, arena)));
  bench_key_add(record, key, limit);
  const int status = bench_output_write(request->output, record);
  cJSON_Delete(record);
  return status;
}

/* Solver's, the loop's, and those of a solve by itself. */
static cJSON *all_options(const struct solve *s) {
  cJSON *all = bench_solver_options_json(s->solver, s->options, &s->loop);
  cJSON_AddBoolToObject(all, "history", s->switches.history);
  return all;
}

/* A residual that is not finite has ended the solve, and is left out. */
static void add_history(const struct solve *s, cJSON *record) {
  int n = s->history.n;
  n -= n > 0 && !isfinite(s->history.checks[n - 1].residual);
  double *columns = base_arena_matrix(s->arena, 3, n);
  for (int k = 0; k < n; ++k) {
    columns[k] = s->history.checks[k].iteration;
    columns[n + k] = s->history.checks[k].residual;
    columns[2 * n + k] = s->history.checks[k].seconds;
  }
  cJSON *block = cJSON_AddObjectToObject(record, "history");
  base_json_add_reals(block, "iteration", n, columns);
  base_json_add_reals(block, "residual", n, columns + n);
  base_json_add_reals(block, "timing_s", n, columns + 2L * n);
}

static cJSON *solution_record(const struct solve *s) {
  const struct problem *p = &s->problem;
  const int n = problem_size(p);
  const int is_lcp = p->is_raw;
  cJSON *record = begin_record(
      s->request, p->name != NULL && p->name[0] ? p->name : s->request->problem,
      contact_law_name(p->model.law), all_options(s), s->result.status, s->result.reason);
  cJSON_AddStringToObject(record, "chosen", s->result.chosen);
  base_json_add_real(record, "iterations", s->result.iterations);
  cJSON *block = cJSON_AddObjectToObject(record, "residual");
  base_json_add_real(block, "absolute", s->result.residual.absolute);
  base_json_add_real(block, "relative_free", s->result.residual.relative_free);
  base_json_add_real(block, "relative_b", s->result.residual.relative_b);
  base_json_add_real(block, "relative_max", s->result.residual.relative_max);
  if (!is_lcp) {
    base_json_add_real(record, "asymmetry", problem_operator_asymmetry(&p->A, s->arena));
  }
  if (!isnan(s->result.optimality.gap)) {
    base_json_add_real(record, "objective", s->result.optimality.objective);
    base_json_add_real(record, "duality_gap", s->result.optimality.gap);
  }
  if (s->switches.history) {
    add_history(s, record);
  }
  base_json_add_reals(record, is_lcp ? "z" : "r", n, s->r);
  base_json_add_reals(record, is_lcp ? "w" : "v", n, s->v);
  block = cJSON_AddObjectToObject(record, "timing");
  base_json_add_real(block, "solve_s", s->result.seconds);
  base_json_add_real(block, "checks_s", s->result.check_seconds);
  if (isfinite(s->result.answer.wall)) {
    base_json_add_real(block, "process_s", s->result.answer.wall);
    base_json_add_real(block, "process_cpu_s", s->result.answer.cpu);
  }
  return record;
}

/* The key of a solve with its options; data: hash of the files read, which say what the request
 * leaves to them. The time limit stands apart. */
static const char *key_of(const struct solve *s, uint64_t data) {
  cJSON *asked = cJSON_CreateObject();
  cJSON *options = all_options(s);
  cJSON_DeleteItemFromObjectCaseSensitive(options, "time_limit");
  cJSON_AddStringToObject(asked, "law", s->request->law != NULL ? s->request->law : "");
  cJSON_AddStringToObject(asked, "solver", s->solver->name);
  cJSON_AddItemToObject(asked, "options", options);
  cJSON_AddBoolToObject(asked, "warm", s->request->warm != NULL);
  const char *key = bench_key_solve(asked, data, s->arena);
  cJSON_Delete(asked);
  return key;
}

/* Problem, law and start. */
static int read_files(struct solve *s) {
  int status = problem_read_within(s->request->problem, s->loop.time_limit, s->arena, &s->problem);
  if (status == BASE_OK && s->request->law != NULL) {
    status = contact_law_parse(s->request->law, &s->problem.model.law);
  }
  if (status != BASE_OK) {
    return status;
  }
  if (s->problem.model.law == CONTACT_LAW_LCP && s->problem.model.n_dir == 0) {
    s->problem.model.n_dir = FACETS;
  }
  s->r = base_arena_doubles(s->arena, problem_size(&s->problem));
  s->v = base_arena_doubles(s->arena, problem_size(&s->problem));
  return s->request->warm != NULL ? read_warm(s) : BASE_OK;
}

static int solve(struct solve *s) {
  uint64_t data = BASE_HASH_EMPTY;
  int status = prepare(s);
  base_file_watch(&data);
  status = status != BASE_OK ? status : read_files(s);
  base_file_watch(NULL);
  data = status == BASE_OK ? peer_hash(s->solver, data) : data;
  status = status != BASE_OK ? status : bench_output_check(s->request->output, s->request->problem);
  if (status != BASE_OK) {
    return status;
  }
  s->key = key_of(s, data);
  if (s->switches.history) {
    s->history.arena = base_arena_child(s->arena);
    s->loop.history = &s->history;
  }
  problem_solve(&s->problem, s->solver, s->options, &s->loop, s->r, s->v, s->arena, &s->result);
  return write_record(s->request, solution_record(s), s->key,
                      s->result.status == BASE_TIMEOUT ? s->loop.time_limit : -1, s->arena);
}

int bench_solve_check(const struct bench_solve_request *request) {
  struct solve s = {.request = request, .arena = base_arena_alloc()};
  const int status = prepare(&s);
  base_arena_free(s.arena);
  return status;
}

int bench_solve_key(const struct bench_solve_request *request, struct base_arena *arena,
                    const char **key, double *time_limit) {
  struct solve s = {.request = request, .arena = arena};
  const char *const files[] = {request->problem, request->warm};
  uint64_t data = BASE_HASH_EMPTY;
  int status = prepare(&s);
  for (int i = 0; i < 2 && files[i] != NULL && status == BASE_OK; ++i) {
    status = base_file_hash(files[i], &data);
  }
  data = status == BASE_OK ? peer_hash(s.solver, data) : data;
  *key = status == BASE_OK ? key_of(&s, data) : "";
  *time_limit = s.loop.time_limit;
  return status;
}

int bench_solve_died(const struct bench_solve_request *request, int status, const char *reason) {
  struct base_arena *arena = base_arena_alloc();
  const char *key;
  double time_limit;
  bench_solve_key(request, arena, &key, &time_limit); /* "" of what cannot be read */
  cJSON *record = begin_record(request, request->problem, request->law != NULL ? request->law : "",
                               NULL, status, reason);
  base_json_add_reals(record, "r", 0, NULL);
  base_json_add_reals(record, "v", 0, NULL);
  const int result =
      write_record(request, record, key, status == BASE_TIMEOUT ? time_limit : -1, arena);
  base_arena_free(arena);
  return result;
}

static void try_solve(void *data) {
  struct solve *s = data;
  s->status = solve(s);
}

int bench_solve(const struct bench_solve_request *request, int *status) {
  struct solve s = {.request = request, .arena = base_arena_alloc()};
  int result = base_memory_try(try_solve, &s);
  if (result == BASE_OK && s.status <= BASE_OK) {
    result = s.status;
  } else { /* want of memory, or time that ended before there was a problem */
    base_arena_empty(s.arena);
    s.result.status = result == BASE_OK ? s.status : (int)BASE_UNSUPPORTED;
    snprintf(s.result.reason, sizeof s.result.reason, "%s", base_message());
    result = bench_solve_died(request, s.result.status, s.result.reason);
  }
  if (result == BASE_OK) {
    *status = s.result.status;
    if (*status != BASE_OK) {
      base_fail(*status, "%s: %s: %s", request->problem, base_status_name(*status),
                s.result.reason);
    }
  }
  base_arena_free(s.arena);
  return result;
}
