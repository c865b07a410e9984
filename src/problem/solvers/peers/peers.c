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
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <wordexp.h>

#include "base/bytes/hash.h"
#include "base/clock.h"
#include "base/json/json.h"
#include "base/memory/memory.h"
#include "base/process/child.h"
#include "base/status.h"
#include "base/text.h"

#define EXEC "exec"
#define EXEC_PREFIX EXEC ":"

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

/* Text of the question, to be freed; NULL with a message. */
static char *question_of(const char *name, const struct problem *p,
                         const struct problem_loop *settings, const double *r,
                         struct base_arena *arena) {
  cJSON *root = problem_to_json(name, p, arena);
  if (root == NULL) {
    return NULL;
  }
  add_solve(root, p, settings, r);
  char *text = base_json_text(root);
  cJSON_Delete(root);
  return text;
}

/* A time it states must be one that it can have taken. */
static int read_time(const cJSON *root, const char *name, struct problem_answer *answer) {
  if (base_json_at(root, "timing.solve_s") == NULL) {
    return BASE_OK;
  }
  return base_json_get_real(root, "timing.solve_s", name, 0, answer->wall, &answer->stated);
}

/* A status of its own other than ok, where it gives one. */
static int read_status(const cJSON *root, const char *name, struct base_arena *arena) {
  const char *text = base_json_text_at(root, "status");
  int status = BASE_OK;
  if (text[0] == '\0') {
    return BASE_OK;
  }
  if (base_status_parse(text, &status) != BASE_OK || status < 0) {
    return base_fail(BASE_E_INPUT, "%s: key 'status': '%s' is none of ours", name,
                     base_text_clean(text, arena));
  }
  const char *reason = base_text_clean(base_json_text_at(root, "reason"), arena);
  return status == BASE_OK ? BASE_OK : base_fail(status, "%s: %s", name, reason[0] ? reason : text);
}

static int read_answer(const cJSON *root, const char *name, const struct problem *p, double *r,
                       struct base_arena *arena, struct problem_answer *answer) {
  const char *key = cJSON_GetObjectItemCaseSensitive(root, "r") != NULL ? "r" : "z";
  double *found = base_arena_doubles(arena, problem_size(p));
  int status = BASE_OK;
  if (!cJSON_IsObject(root)) {
    return base_fail(BASE_E_INPUT, "%s: the answer is not an object", name);
  }
  if (base_json_at(root, "iterations") != NULL) {
    status = base_json_get_int(root, "iterations", name, 0, INT_MAX, &answer->iterations);
  }
  status = status != BASE_OK ? status : read_time(root, name, answer);
  snprintf(answer->says, sizeof answer->says, "%s",
           base_text_cut(base_text_clean(base_json_text_at(root, "solver.says"), arena),
                         sizeof answer->says - 4, arena));
  const int has_values = cJSON_GetObjectItemCaseSensitive(root, key) != NULL;
  if (status == BASE_OK && !has_values) {
    status = read_status(root, name, arena);
    return status != BASE_OK ? status
                             : base_fail(BASE_E_INPUT, "%s: the answer has no key 'r'", name);
  }
  status = status != BASE_OK ? status
                             : base_json_get_reals(root, key, name, problem_size(p), found, NULL);
  if (status == BASE_OK && problem_size(p) > 0) {
    memcpy(r, found, (size_t)problem_size(p) * sizeof *r);
  }
  return status != BASE_OK ? status : read_status(root, name, arena);
}

static int read_output(const struct base_child_end *end, const char *name, const struct problem *p,
                       double *r, struct base_arena *arena, struct problem_answer *answer) {
  if (end->output[strspn(end->output, " \t\r\n")] == '\0' && strlen(end->output) == end->size) {
    return base_fail(BASE_FAILED, "%s: ended without an answer", name);
  }
  if (strlen(end->output) != end->size) {
    return base_fail(BASE_FAILED, "%s: the answer holds NUL", name);
  }
  cJSON *root = base_json_parse(end->output, name);
  const int status =
      root != NULL ? read_answer(root, name, p, r, arena, answer) : (int)BASE_E_INPUT;
  cJSON_Delete(root);
  return status < 0 ? (int)BASE_FAILED : status;
}

int peer_ask(const char *const *argv, const char *name, const struct problem *p,
             const struct problem_loop *settings, double *r, struct base_arena *arena,
             struct problem_answer *answer) {
  char *question = question_of(name, p, settings, r, arena);
  if (question == NULL) {
    return BASE_FAILED;
  }
  const size_t n = (size_t)problem_size(p);
  const struct base_child child = {.argv = argv,
                                   .input = question,
                                   .input_size = strlen(question),
                                   .output_most = OUTPUT_LEAST + OUTPUT_A_NUMBER * n,
                                   .deadline = settings->deadline,
                                   .limit = settings->time_limit};
  struct base_child_end end;
  int status = base_child_run(&child, name, arena, &end);
  free(question);
  answer->wall = end.wall;
  answer->cpu = end.cpu;
  return status != BASE_OK ? status : read_output(&end, name, p, r, arena, answer);
}

/* ---- what decides answers ---- */

/* Where words of a command may lie: here, and in folders that it names, as `cd solvers && ./mine`
 * does. */
enum { FOLDERS_MAX = 16 };
struct folders {
  int n;
  const char *path[FOLDERS_MAX]; /* with a slash at the end, or "" */
};

/* Adds a file that a path leads to; 1: it does. A folder is where further words may lie. */
static int hash_path(struct folders *folders, const char *path, struct base_arena *arena,
                     uint64_t *hash) {
  struct stat state;
  if (stat(path, &state) != 0) {
    return 0;
  }
  if (S_ISDIR(state.st_mode) && folders->n < FOLDERS_MAX) {
    folders->path[folders->n++] = base_arena_printf(arena, "%s/", path);
  }
  return S_ISREG(state.st_mode) && base_file_hash(path, hash) == BASE_OK;
}

static void hash_word(struct folders *folders, const char *word, struct base_arena *arena,
                      uint64_t *hash) {
  const int n = folders->n;
  int found = 0;
  for (int i = 0; i < n; ++i) {
    const char *before = word[0] == '/' ? "" : folders->path[i];
    found |= hash_path(folders, base_arena_printf(arena, "%s%s", before, word), arena, hash);
  }
  if (found || strchr(word, '/') != NULL) {
    return;
  }
  const char *along = getenv("PATH");
  char *path = base_arena_copy(arena, along != NULL ? along : ""), *rest;
  for (char *at = strtok_r(path, ":", &rest); at != NULL && !found;
       at = strtok_r(NULL, ":", &rest)) {
    found = hash_path(&(struct folders){.n = FOLDERS_MAX},
                      base_arena_printf(arena, "%s/%s", at, word), arena, hash);
  }
}

/* Files that words of a command name, variables and quotes as the shell has them. */
static uint64_t hash_command(const char *command, uint64_t hash, struct base_arena *arena) {
  static const char between[] = "|&;<>()\n";
  struct folders folders = {.n = 1, .path = {""}};
  char *parts = base_arena_copy(arena, command), *rest, *others;
  for (char *part = strtok_r(parts, between, &rest); part != NULL;
       part = strtok_r(NULL, between, &rest)) {
    wordexp_t words;
    if (wordexp(part, &words, WRDE_NOCMD) == 0) {
      for (size_t i = 0; i < words.we_wordc; ++i) {
        hash_word(&folders, words.we_wordv[i], arena, &hash);
      }
      wordfree(&words);
      continue;
    }
    for (char *word = strtok_r(part, " \t'\"`$", &others); word != NULL;
         word = strtok_r(NULL, " \t'\"`$", &others)) {
      hash_word(&folders, word, arena, &hash);
    }
  }
  return hash;
}

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
    struct folders none = {.n = FOLDERS_MAX};
    known = BASE_HASH_EMPTY;
    hash_path(&none, program, arena, &known);
    if (base_child_run(&child, program, arena, &end) == BASE_OK) {
      char *rest;
      for (char *path = strtok_r(end.output, "\n", &rest); path != NULL;
           path = strtok_r(NULL, "\n", &rest)) {
        hash_path(&none, path, arena, &known);
      }
    }
  }
  return known;
}

uint64_t peer_hash(const struct problem_solver *solver, uint64_t hash) {
  struct base_arena *arena = base_arena_alloc();
  if (solver->solve != NULL && peer_is_command(solver->name)) {
    hash = hash_command(solver->name + strlen(EXEC_PREFIX), hash, arena);
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
  if (!peer_is_command(self->name)) {
    return base_fail(BASE_UNSUPPORTED, EXEC ": needs a command: " EXEC_PREFIX "COMMAND");
  }
  const char *const argv[] = {"/bin/sh", "-c", self->name + strlen(EXEC_PREFIX), NULL};
  return peer_ask(argv, EXEC, p, settings, r, arena, answer);
}

const struct problem_solver problem_solver_exec = {
    .name = EXEC,
    .look = {0x000000, {3, 4}, 2, 0.9},
    .summary = "anybody's program, as " EXEC_PREFIX "COMMAND: problem and solution as JSON",
    .source = "src/problem/README.md, \"Solvers of others\"",
    .laws = CONTACT_LAW_BIT(CONTACT_LAW_COUNT) - 1,
    .check = check,
    .solve = solve};

int peer_is_command(const char *name) {
  return strncmp(name, EXEC_PREFIX, strlen(EXEC_PREFIX)) == 0;
}

const struct problem_solver *peer_of_command(const char *name) {
  static struct command {
    struct problem_solver solver;
    struct command *next;
  } * known; /* as long as the program: records and requests point at them */
  const char *command = name + strlen(EXEC_PREFIX);
  if (command[strspn(command, " \t\r\n")] == '\0') {
    base_fail(BASE_E_INPUT, "solver '%s': needs a command: " EXEC_PREFIX "COMMAND", name);
    return NULL;
  }
  for (const struct command *c = known; c != NULL; c = c->next) {
    if (strcmp(c->solver.name, name) == 0) {
      return &c->solver;
    }
  }
  const size_t size = strlen(name) + 1;
  struct command *made = base_memory_alloc(sizeof *made);
  char *copy = base_memory_alloc(size);
  memcpy(copy, name, size);
  *made = (struct command){.solver = problem_solver_exec, .next = known};
  made->solver.name = copy;
  made->solver.look = (struct base_look){0}; /* each command one of its own */
  known = made;
  return &made->solver;
}
