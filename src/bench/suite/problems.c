/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cells of a suite that solve the one-step problems of a folder; see suite.h. Friction problems are
 * posed under every law the cell lists, raw LCPs as they are where it lists "raw"; each goes to
 * every requested solver that takes the law. The cell's id is
 * solve/<label>--<file>--<law>--<solver>. Solvers and options are checked before anything is
 * solved.
 */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/data.h"
#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "bench/suite/cells.h"
#include "bench/suite/suite.h"
#include "problem/foreign.h"
#include "problem/solver.h"

enum { PROBLEMS_MAX = 1000 };
static const char RAW[] = "raw";

/* A solver of the group. */
struct entrant {
  const char *name, *shown; /* for requests, for ids */
};

struct problems {
  const cJSON *group;
  const char *file; /* of the suite */
  struct base_arena *arena;
  int (*add)(void *to, const struct bench_cell *cell);
  void *to;
  const char *folder;
  struct bench_cell model; /* what all cells share */
  int n_solvers;
  struct entrant *solvers;
  struct base_words opt;
};

/* The folder, absolute; NULL with a message, or without one (found = 0) when its variable is not
 * set. */
static const char *find_folder(const struct problems *p, const char *given, int *found) {
  *found = 1;
  if (given[0] == '$') {
    const char *value = getenv(given + 1);
    *found = value != NULL && value[0] != '\0';
    if (!*found) {
      fprintf(stderr, "%s: problems: %s is not set: these are left out\n",
              base_text_clean(p->file, p->arena), base_text_clean(given + 1, p->arena));
    }
    return *found ? base_arena_copy(p->arena, value) : NULL;
  }
  if (given[0] == '/') {
    return given;
  }
  const char *folder = bench_suite_folder(p->file, p->arena);
  const char *beside = base_arena_printf(p->arena, "%s/%s", folder != NULL ? folder : ".", given);
  char *whole = access(beside, F_OK) == 0 ? realpath(beside, NULL) : NULL;
  if (whole == NULL) {
    return base_data_path(p->arena, given);
  }
  const char *path = base_arena_copy(p->arena, whole);
  free(whole);
  return path;
}

/* A file of the folder, and what it is called in ids. */
struct named {
  const char *file, *id;
};

static int add_solve(const struct problems *p, const struct named *name, const char *law,
                     const char *shown_law, const struct entrant *solver) {
  struct bench_solve_request *request = base_arena_push(p->arena, sizeof *request);
  *request = (struct bench_solve_request){
      .problem = base_arena_printf(p->arena, "%s/%s", p->folder, name->file),
      .solver = solver->name,
      .law = law,
      .opt = p->opt};
  struct bench_cell cell = p->model;
  struct bench_swept *at = base_arena_array(p->arena, 2, 1, sizeof *at);
  at[0] = (struct bench_swept){"problem", name->id};
  at[1] = (struct bench_swept){"law", shown_law};
  cell.place.solver = solver->shown;
  cell.place.n_swept = 2;
  cell.place.swept = at;
  cell.place.id = base_arena_printf(p->arena, "solve/%s--%s--%s--%s", cell.place.label, name->id,
                                    shown_law, solver->shown);
  cell.solve = request;
  return p->add(p->to, &cell);
}

/* The law of a name in "laws"; raw LCPs, which have no contacts, are of law lcp. */
static int find_law(const char *name, enum contact_law *law) {
  const int is_raw = strcmp(name, RAW) == 0;
  return contact_law_parse(is_raw ? contact_law_name(CONTACT_LAW_LCP) : name, law);
}

/* One problem under one law with every solver. */
static int add_law(const struct problems *p, const struct named *name, const char *law) {
  const int is_raw = strcmp(law, RAW) == 0;
  enum contact_law which;
  int status = find_law(law, &which);
  for (int i = 0; i < p->n_solvers && status == BASE_OK; ++i) {
    const struct problem_solver *solver = problem_solver_find(p->solvers[i].name);
    if ((solver->laws & CONTACT_LAW_BIT(which)) != 0) {
      status = add_solve(p, name, is_raw ? NULL : law, law, &p->solvers[i]);
    }
  }
  return status;
}

static int add_problem(const struct problems *p, const struct named *name) {
  const char *path = base_arena_printf(p->arena, "%s/%s", p->folder, name->file);
  struct base_arena *arena = base_arena_alloc();
  struct problem problem;
  const double limit = p->model.solve_limit > 0 ? p->model.solve_limit : (double)INFINITY;
  int status = problem_read_within(path, limit, arena, &problem);
  const int is_raw = problem.is_raw;
  base_arena_free(arena);
  if (status > BASE_OK) { /* no time is left */
    return base_fail(BASE_E_INPUT, "%s: %s", path, base_message());
  }
  const cJSON *laws = cJSON_GetObjectItemCaseSensitive(p->group, "laws"), *law;
  cJSON_ArrayForEach(law, laws) {
    if (status == BASE_OK && is_raw == (strcmp(law->valuestring, RAW) == 0)) {
      status = add_law(p, name, base_arena_copy(p->arena, law->valuestring));
    }
  }
  return status;
}

/* Names that differ in what cannot stand in an id get a number. */
static struct named name_of(const struct problems *p, const char *file, int n,
                            const struct named *before) {
  char *text = base_arena_copy(p->arena, file);
  *strrchr(text, '.') = '\0'; /* is_problem_name found one */
  const char *clean = base_name_clean(text, p->arena);
  struct named name = {.file = base_arena_copy(p->arena, file), .id = clean};
  for (int i = 0, number = 2; i < n; ++i) {
    if (strcmp(before[i].id, name.id) == 0) {
      name.id = base_arena_printf(p->arena, "%s.%d", clean, number++);
      i = -1; /* which may be taken as well */
    }
  }
  return name;
}

/* Ours, FCLIB's, Siconos' text. */
static int has_problem_ending(const char *name) {
  static const char *const endings[] = {".json", ".hdf5", ".h5", ".dat"};
  const char *dot = strrchr(name, '.');
  int found = 0;
  for (int i = 0; dot != NULL && name[0] != '.' && i < 4; ++i) {
    found |= strcmp(dot, endings[i]) == 0;
  }
  return found;
}

static int is_problem_name(const struct dirent *entry) { /* for scandir() */
  return has_problem_ending(entry->d_name);
}

/* The problem that a path names, in place of a folder of them. */
static int add_file(struct problems *p) {
  const char *slash = strrchr(p->folder, '/'), *name = slash != NULL ? slash + 1 : p->folder;
  if (!has_problem_ending(name)) {
    return base_fail(BASE_E_INPUT,
                     "%s: key 'problems': %s: no folder, and not the file of a problem", p->file,
                     p->folder);
  }
  p->folder = slash == NULL
                  ? "."
                  : base_arena_printf(p->arena, "%.*s", (int)(slash - p->folder), p->folder);
  const struct named named = name_of(p, name, 0, NULL);
  return add_problem(p, &named);
}

static int add_folder(struct problems *p) {
  struct dirent **entries;
  struct stat what;
  if (stat(p->folder, &what) == 0 && S_ISREG(what.st_mode)) {
    return add_file(p);
  }
  const int n = scandir(p->folder, &entries, is_problem_name, alphasort);
  if (n < 0) {
    return base_fail(BASE_E_INPUT, "%s: key 'problems': %s: no such folder", p->file, p->folder);
  }
  int status = n <= PROBLEMS_MAX ? BASE_OK
                                 : base_fail(BASE_E_INPUT, "%s: %s: more than %d problems", p->file,
                                             p->folder, PROBLEMS_MAX);
  struct named *names = base_arena_push(p->arena, (size_t)n * sizeof *names);
  for (int i = 0; i < n; ++i) {
    if (status == BASE_OK) {
      names[i] = name_of(p, entries[i]->d_name, i, names);
      status = add_problem(p, &names[i]);
    }
    free(entries[i]);
  }
  free(entries);
  return status;
}

int bench_suite_solver(const cJSON *item, const char *file, const char *key,
                       struct base_arena *arena, const char **name, const char **shown) {
  const int has_label = cJSON_IsObject(item);
  *name = has_label ? base_arena_printf(arena, "exec:%s", base_json_text_at(item, "exec"))
                    : base_arena_copy(arena, item->valuestring);
  *shown = base_name_clean(has_label ? base_json_text_at(item, "label") : *name, arena);
  if (problem_solver_find(*name) == NULL) {
    base_message_prefix("%s: key '%s': ", file, key);
    return BASE_E_INPUT;
  }
  return BASE_OK;
}

static void add_own_solvers(struct problems *p) {
  for (int i = 0; i < problem_solver_count(); ++i) {
    const struct problem_solver *solver = problem_solver_get(i);
    if (solver->solve == NULL) {
      p->solvers[p->n_solvers++] = (struct entrant){solver->name, solver->name};
    }
  }
}

/* "solvers": "all", the program's own, or those of the list, "all" possibly among them. */
static int read_solvers(struct problems *p) {
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(p->group, "solvers"), *item;
  const int all = !cJSON_IsArray(list), count = problem_solver_count();
  const int most = all ? count : count * cJSON_GetArraySize(list);
  p->solvers = base_arena_array(p->arena, (size_t)most, 1, sizeof *p->solvers);
  if (all) {
    add_own_solvers(p);
  }
  int status = BASE_OK;
  for (item = all ? NULL : list->child; item != NULL && status == BASE_OK; item = item->next) {
    if (cJSON_IsString(item) && strcmp(item->valuestring, "all") == 0) {
      add_own_solvers(p);
      continue;
    }
    struct entrant *solver = &p->solvers[p->n_solvers++];
    status = bench_suite_solver(item, p->file, "solvers", p->arena, &solver->name, &solver->shown);
  }
  return status;
}

/* "laws": are there such? */
static int check_laws(const struct problems *p) {
  static const char key[] = "laws";
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(p->group, key), *item;
  enum contact_law law;
  cJSON_ArrayForEach(item, list) {
    if (find_law(item->valuestring, &law) != BASE_OK) {
      base_message_prefix("%s: key '%s': ", p->file, key);
      return BASE_E_INPUT;
    }
  }
  return BASE_OK;
}

static void read_options(struct problems *p) {
  bench_cells_pairs(p->group, "opt", p->arena, &p->opt);
  if (p->model.solve_limit > 0) {
    base_words_add(&p->opt, base_arena_printf(p->arena, "time_limit=%g", p->model.solve_limit),
                   p->arena);
  }
}

/* Does every solver that will be asked take the options? Known before there is a folder or a
 * problem in it. */
static int check_options(const struct problems *p) {
  int status = BASE_OK;
  for (int i = 0; i < p->n_solvers && status == BASE_OK; ++i) {
    const struct bench_solve_request request = {.solver = p->solvers[i].name, .opt = p->opt};
    status = bench_solve_check(&request);
  }
  if (status != BASE_OK) {
    base_message_prefix("%s: key 'opt': ", p->file);
  }
  return status;
}

int bench_suite_problems(const cJSON *group, const char *file, struct base_arena *arena,
                         int (*add)(void *to, const struct bench_cell *cell), void *to) {
  struct problems p = {.group = group, .file = file, .arena = arena, .add = add, .to = to};
  p.model =
      (struct bench_cell){.request = {.case_name = "", .formulation = ""},
                          .is_free = 1 /* what a solver cannot do is what the profile is for */};
  const char *given = base_json_text_at(group, "problems");
  int found = 1;
  bench_suite_label(group, arena, &p.model);
  bench_cells_real(group, "time_limit", &p.model.solve_limit);
  int status = check_laws(&p);
  status = status != BASE_OK ? status : read_solvers(&p);
  read_options(&p);
  status = status != BASE_OK ? status : check_options(&p);
  if (status != BASE_OK) {
    return status;
  }
  p.folder = find_folder(&p, base_arena_copy(arena, given), &found);
  if (found && p.folder == NULL) {
    base_message_prefix("%s: key 'problems': ", file);
    return BASE_E_INPUT;
  }
  return found ? add_folder(&p) : BASE_OK;
}
