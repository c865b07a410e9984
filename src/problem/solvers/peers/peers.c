/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The conversation with a program that solves: the problem and how it is to be solved go to its
 * standard input, its answer is read, checked and handed to the loop, which judges it by the
 * residual as it does its own solvers. What goes wrong in the process or in its answer is `failed`,
 * with the reason; time that it spent computing beyond its limit `timeout`.
 */
#include "problem/solvers/peers/peers.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes/hash.h"
#include "base/clock.h"
#include "base/json/json.h"
#include "base/process/command.h"
#include "base/status.h"
#include "base/text.h"

#define EXEC "exec"

/* An answer may be a whole solution record with its own list of velocities. */
static const size_t OUTPUT_LEAST = (size_t)1 << 20;
enum { OUTPUT_A_NUMBER = 256 };

static void add_solve(cJSON *root, const struct problem *p, const struct problem_loop *settings,
                      const double *r) {
  cJSON *block = cJSON_AddObjectToObject(root, "solve");
  base_json_add_real(block, "tol", settings->tol);
  base_json_add_real(block, "max_iter", settings->max_iter);
  const double left =
      settings->deadline > 0 ? settings->deadline - base_clock_now() : (double)INFINITY;
  if (isfinite(left) || isfinite(settings->time_limit)) {
    base_json_add_real(block, "time_limit", fmin(left, settings->time_limit));
  }
  base_json_add_reals(block, "r", problem_size(p), r);
}

/* A time it states must be one that it can have taken. */
static int read_time(const cJSON *root, const char *name, struct problem_answer *answer) {
  if (base_json_at(root, "timing.solve_s") == NULL) {
    return BASE_OK;
  }
  return base_json_get_real(root, "timing.solve_s", name, 0, answer->wall, &answer->stated);
}

static int read_answer(const cJSON *root, const char *name, const struct problem *p, double *r,
                       struct base_arena *arena, struct problem_answer *answer) {
  const char *key = cJSON_GetObjectItemCaseSensitive(root, "r") != NULL ? "r" : "z";
  double *found = base_arena_doubles(arena, problem_size(p));
  int status = BASE_OK;
  if (base_json_at(root, "iterations") != NULL) {
    status = base_json_get_int(root, "iterations", name, 0, INT_MAX, &answer->iterations);
  }
  status = status != BASE_OK ? status : read_time(root, name, answer);
  snprintf(answer->says, sizeof answer->says, "%s",
           base_text_cut(base_text_clean(base_json_text_at(root, "solver.says"), arena),
                         sizeof answer->says - 4, arena));
  const int has_values = cJSON_GetObjectItemCaseSensitive(root, key) != NULL;
  if (status == BASE_OK && !has_values) {
    status = base_command_status(root, name, arena);
    return status != BASE_OK ? status
                             : base_fail(BASE_E_INPUT, "%s: the answer has no key 'r'", name);
  }
  status = status != BASE_OK ? status
                             : base_json_get_reals(root, key, name, problem_size(p), found, NULL);
  if (status == BASE_OK && problem_size(p) > 0) {
    memcpy(r, found, (size_t)problem_size(p) * sizeof *r);
  }
  return status != BASE_OK ? status : base_command_status(root, name, arena);
}

int peer_ask(const char *const *argv, const char *name, const struct problem *p,
             const struct problem_loop *settings, double *r, struct base_arena *arena,
             struct problem_answer *answer) {
  cJSON *question = problem_to_json(name, p, arena), *root;
  if (question == NULL) {
    return BASE_FAILED;
  }
  add_solve(question, p, settings, r);
  const size_t n = (size_t)problem_size(p);
  const struct base_child child = {.argv = argv,
                                   .output_most = OUTPUT_LEAST + OUTPUT_A_NUMBER * n,
                                   .deadline = settings->deadline,
                                   .limit = settings->time_limit};
  struct base_child_end end;
  int status = base_command_ask(&child, name, question, arena, &end, &root);
  answer->wall = end.wall;
  answer->cpu = end.cpu;
  status = status == BASE_OK ? read_answer(root, name, p, r, arena, answer) : status;
  cJSON_Delete(root);
  return status < 0 ? (int)BASE_FAILED : status;
}

/* ---- what decides answers ---- */

/* The program coulombench-siconos and the libraries that it says it has loaded; once and for
 * all. */
static uint64_t hash_siconos(struct base_arena *arena) {
  static uint64_t known;
  const char *program = known == 0 ? peer_siconos_program(arena) : NULL;
  if (program != NULL) {
    static const double long_enough = 30; /* [s] */
    const char *const argv[] = {program, PEER_SICONOS_LIBRARIES, NULL};
    const struct base_child child = {
        .argv = argv, .input = "", .output_most = OUTPUT_LEAST, .limit = long_enough};
    struct base_child_end end;
    known = base_command_hash_file(program, BASE_HASH_EMPTY);
    if (base_child_run(&child, program, arena, &end) == BASE_OK) {
      char *rest;
      for (char *path = strtok_r(end.output, "\n", &rest); path != NULL;
           path = strtok_r(NULL, "\n", &rest)) {
        known = base_command_hash_file(path, known);
      }
    }
  }
  return known;
}

uint64_t peer_hash(const struct problem_solver *solver, uint64_t hash) {
  struct base_arena *arena = base_arena_alloc();
  const char *command = base_command_of(solver->name);
  if (solver->solve != NULL && command != NULL) {
    hash = base_command_hash(command, hash);
  } else if (solver->solve != NULL) {
    const uint64_t siconos = hash_siconos(arena);
    hash = base_hash(hash, &siconos, sizeof siconos);
  }
  base_arena_free(arena);
  return hash;
}

/* ---- exec:COMMAND ---- */

static int check(const struct problem *p, const void *options) {
  (void)options;
  const int status = problem_check_writable(EXEC, p);
  return status == BASE_OK ? BASE_OK : BASE_UNSUPPORTED;
}

static int solve(const struct problem_solver *self, const struct problem *p,
                 const struct problem_loop *settings, double *r, struct base_arena *arena,
                 struct problem_answer *answer) {
  if (base_command_of(self->name) == NULL) {
    return base_fail(BASE_UNSUPPORTED, EXEC ": needs a command: " BASE_COMMAND_PREFIX "COMMAND");
  }
  const char *const argv[] = {"/bin/sh", "-c", base_command_of(self->name), NULL};
  return peer_ask(argv, EXEC, p, settings, r, arena, answer);
}

const struct problem_solver problem_solver_exec = {
    .name = EXEC,
    .look = {0x000000, {3, 4}, 2, 0.9},
    .summary = "anybody's program, as " BASE_COMMAND_PREFIX "COMMAND: problem and solution as JSON",
    .source = "src/problem/README.md, \"Solvers of others\"",
    .laws = CONTACT_LAW_BIT(CONTACT_LAW_COUNT) - 1,
    .check = check,
    .solve = solve};

const struct problem_solver *peer_of_command(const char *name) {
  static struct base_command_object *known;
  int is_new;
  struct problem_solver *solver =
      base_command_object(&known, "solver", name, &problem_solver_exec, sizeof *solver, &is_new);
  if (is_new) {
    solver->look = (struct base_look){0}; /* each command one of its own */
  }
  return solver;
}
