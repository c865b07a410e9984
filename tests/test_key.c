/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keys of results: each thing that decides a result changes its own part of the key, what does not
 * changes none. What --resume makes of them is in tests/cli/resume.sh.
 */
#include "tests/test.h"

#include <stdio.h>

#include "base/bytes/hash.h"
#include "base/data.h"
#include "base/json/json.h"
#include "bench/commands.h"
#include "bench/job/key.h"
#include "bench/job/provenance.h"
#include "bench/record/record.h"
#include "bench/run/run.h"
#include "bench/suite/resume.h"
#include "tests/scratch.h"
#include "tests/trial.h"

/* ---- keys of runs ---- */

/* The names of the parts in which two keys differ, from the arena. */
static const char *changed(const char *a, const char *b, struct base_arena *arena) {
  const char *names = "";
  while (*a != '\0' && *b != '\0') {
    const size_t n = strcspn(a, " "), m = strcspn(b, " ");
    if (n != m || strncmp(a, b, n) != 0) {
      names = base_arena_printf(arena, "%s%s%.*s", names, names[0] != '\0' ? " " : "",
                                (int)strcspn(a, "="), a);
    }
    a += n + (a[n] == ' ');
    b += m + (b[m] == ' ');
  }
  CHECK_TEXT(a, b); /* as many parts */
  return names;
}

static const char *key_of(const struct bench_request *request, struct base_arena *arena) {
  struct bench_job job;
  const int status = bench_job_resolve(request, arena, &job);
  CHECK_OK(status);
  return status == BASE_OK ? job.key : "";
}

static void check_key(struct bench_request request, const char *base, const char *wanted,
                      const char *what, struct base_arena *arena) {
  const char *found = changed(base, key_of(&request, arena), arena);
  CHECK_MESSAGE(strcmp(found, wanted) == 0, "%s changes '%s', not '%s'", what, found, wanted);
}

TEST(key_follows_each_thing_that_decides_a_run) {
  struct base_arena *arena = test_arena();
  const struct bench_request plain = {.case_name = "falling-particle", .formulation = "ncp"};
  const char *base = key_of(&plain, arena);
  struct bench_job job;
  CHECK_OK(bench_job_resolve(&plain, arena, &job));
  const double dt = job.dt, t_end = job.t_end;
#define WITH(wanted, ...)                                                                          \
  check_key(                                                                                       \
      (struct bench_request){.case_name = "falling-particle", .formulation = "ncp", __VA_ARGS__},  \
      base, wanted, #__VA_ARGS__, arena)
  WITH("cell", .set = BASE_WORDS("mu=0.3"));
  WITH("cell", .set = BASE_WORDS("mu=0.20000000000000004")); /* one unit in the last place */
  WITH("cell", .opt = BASE_WORDS("tol=1e-9"));
  WITH("cell", .opt = BASE_WORDS("max_iter=9999"));
  WITH("cell", .opt = BASE_WORDS("relief=no"));
  WITH("cell", .opt = BASE_WORDS("warm_start=no"));
  WITH("cell", .opt = BASE_WORDS("jacobi=0.25"));
  WITH("cell", .opt = BASE_WORDS("erp=0.5"));
  WITH("cell", .solver = "pgs");
  WITH("cell", .dt = 2 * dt);
  WITH("cell", .t_end = 2 * t_end);
  WITH("cell", .sample = 0.1);
  WITH("cell", .threads = 2);
  WITH("cell", .search = "mu=0,1", .until = {"|final.u.vx|<1e-3"});
  const char *range = base_arena_printf(arena, "%.17g,%.17g", dt, 4 * dt);
  WITH("cell", .search = range);
  /* What says the same in other words, or does not touch the result. */
  WITH("", .set = BASE_WORDS("mu=0.2"));
  WITH("", .set = BASE_WORDS("mu=0.9", "mu=2e-1"));
  WITH("", .opt = BASE_WORDS(base_arena_printf(arena, "tol=%.17g", job.loop.tol)));
  /* But for a search, whose tolerance goes with each step it tries unless one is asked for. */
  CHECK_TEXT(changed(key_of(&(struct bench_request){.case_name = "falling-particle",
                                                    .formulation = "ncp",
                                                    .search = range},
                            arena),
                     key_of(&(struct bench_request){.case_name = "falling-particle",
                                                    .formulation = "ncp",
                                                    .search = range,
                                                    .opt = BASE_WORDS(base_arena_printf(
                                                        arena, "tol=%.17g", job.loop.tol))},
                            arena),
                     arena),
             "cell");
  WITH("", .solver = job.solver->name, .opt = BASE_WORDS("relief=yes"));
  WITH("", .dt = dt);
  WITH("", .t_end = t_end);
  WITH("", .time_limit = 7);
  WITH("", .checkpoint = "file");
#undef WITH
  struct bench_request other = plain;
  other.formulation = "ccp";
  check_key(other, base, "cell", "the formulation", arena);
  other.case_name = "two-balls";
  check_key(other, base, "cell data case", "the case", arena);
}

TEST(key_follows_the_files_a_case_reads) {
  static const char falling[] = "cases/falling-particle/falling-particle.json",
                    closed[] = "cases/closed-forms/closed-forms.json",
                    sphere[] = "cases/scenes/rolling-sphere.json";
  struct base_arena *arena = test_arena();
  const struct bench_request particle = {.case_name = "falling-particle", .formulation = "ncp"};
  const struct bench_request scene = {.case_name = "closed-forms", .formulation = "ncp"};
  const char *of_particle = key_of(&particle, arena), *of_scene = key_of(&scene, arena);
  scratch_data(falling, "", "");
  scratch_data(closed, "", "");
  scratch_data(sphere, "", "");
  check_key(particle, of_particle, "", "a copy", arena);
  check_key(scene, of_scene, "", "a copy", arena);
  scratch_data(falling, "\"bound\": ", "\"bound\": 1"); /* decides what errors are worth */
  check_key(particle, of_particle, "data", "the reference", arena);
  scratch_data(falling, "\"value\": 0.2", "\"value\": 0.25");
  check_key(particle, of_particle, "cell data", "a default", arena);
  check_key(scene, of_scene, "", "the file of another case", arena);
  scratch_data(sphere, "{", "{ "); /* not the case's own file: read when it is built */
  check_key(scene, of_scene, "data", "the scene of a case", arena);
}

static void write_text(const char *path, const char *text) {
  CHECK_OK(base_file_write(path, text, strlen(text)));
}

TEST(key_follows_the_bytes_of_a_scene_not_its_place) {
  struct base_arena *arena = test_arena();
  const char *text = test_quoted(
      "{'schema': 'coulombench.scene/1', 'name': 'drop', 'dimension': 2, 'gravity': [0, -9.81], "
      "'dt': 0.01, 't_end': 0.1, 'bodies': [{'name': 'b', 'mass': 1, 'rotates': false, "
      "'position': [0, 1]}]}");
  write_text(scratch_path("a.json"), text);
  write_text(scratch_path("b.json"), text);
  struct bench_request request = {.case_name = scratch_path("a.json"), .formulation = "ncp"};
  const char *base = key_of(&request, arena);
  CHECK(strstr(base, " case=") != NULL);
  request.case_name = scratch_path("b.json");
  check_key(request, base, "", "the name of the file", arena);
  write_text(scratch_path("b.json"),
             base_arena_printf(arena, "%.*s2]}]}", (int)strlen(text) - 5, text));
  check_key(request, base, "cell data", "the height", arena);
  request.set = BASE_WORDS("bodies.b.position.1=1");
  check_key(request, base, "data", "the height, as --set has it", arena);
}

/* ---- keys of solves ---- */

static const char *solve_key(struct bench_solve_request request, struct base_arena *arena) {
  const char *key;
  double limit;
  CHECK_OK(bench_solve_key(&request, arena, &key, &limit));
  return key;
}

TEST(key_follows_each_thing_that_decides_a_solve) {
  struct base_arena *arena = test_arena();
  const char *problem = base_data_path(arena, "tests/problems/one-3d.json");
  if (problem == NULL) {
    SKIP("no problems beside the data");
  }
  const char *text = scratch_text(problem);
  write_text(scratch_path("same.json"), text);
  write_text(scratch_path("other.json"), base_arena_printf(arena, "%s ", text));
  const struct bench_solve_request plain = {
      .problem = problem, .solver = "pgs", .law = "ncp", .output = scratch_path("s.json")};
  const char *base = solve_key(plain, arena);
  const struct {
    const char *wanted, *problem, *solver, *law;
    struct base_words opt;
  } others[] = {{"", scratch_path("same.json"), "pgs", "ncp", {0}},
                {"data", scratch_path("other.json"), "pgs", "ncp", {0}},
                {"cell", problem, "pgs", "ccp", {0}},
                {"cell", problem, "auto", "ncp", {0}},
                {"cell", problem, "pgs", "ncp", BASE_WORDS("tol=1e-12")},
                {"", problem, "pgs", "ncp", BASE_WORDS("time_limit=3")}};
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
    const struct bench_solve_request other = {.problem = others[i].problem,
                                              .solver = others[i].solver,
                                              .law = others[i].law,
                                              .opt = others[i].opt,
                                              .output = plain.output};
    CHECK_TEXT(changed(base, solve_key(other, arena), arena), others[i].wanted);
  }
  /* The solution has the key that was found without solving, also with a start. */
  int status;
  CHECK_OK(bench_solve(&plain, &status));
  cJSON *solution = test_json(base_json_read(plain.output));
  CHECK_TEXT(base_json_text_at(solution, "provenance.key"), base);
  CHECK(bench_key_difference(solution, base, 3) == NULL);
  CHECK_OK(bench_check_value("s.json", solution));
  struct bench_solve_request other = plain;
  other.warm = plain.output;
  other.output = scratch_path("warm.json");
  const char *warm = solve_key(other, arena);
  CHECK_TEXT(changed(base, warm, arena), "cell data");
  CHECK_OK(bench_solve(&other, &status));
  cJSON *started = test_json(base_json_read(other.output));
  CHECK_TEXT(base_json_text_at(started, "provenance.key"), warm);
}

/* What the pool writes for a process that could not is whole, and final only where time was the
 * reason. */
TEST(solve_whose_process_died_is_made_again) {
  struct base_arena *arena = test_arena();
  const struct base_words options = BASE_WORDS("time_limit=3"), others = BASE_WORDS("time_limit=4");
  const char *problem = base_data_path(arena, "tests/problems/one-3d.json");
  if (problem == NULL) {
    SKIP("no problems beside the data");
  }
  struct bench_solve_request request = {.problem = problem,
                                        .solver = "pgs",
                                        .law = "ncp",
                                        .opt = options,
                                        .output = scratch_path("died.json")};
  const struct bench_cell cell = {.place = {.suite = "s", .id = "died"}, .solve = &request};
  request.place = &cell.place;
  int status = 0;
  CHECK_TEXT(bench_resume_reason(&cell, request.output, arena, &status), "no record");
  CHECK_OK(bench_solve_died(&request, BASE_FAILED, "signal 9"));
  cJSON *record = test_json(base_json_read(request.output));
  CHECK_OK(bench_check_value("died.json", record));
  CHECK_TEXT(bench_resume_reason(&cell, request.output, arena, &status), "a process that died");
  CHECK_OK(bench_solve_died(&request, BASE_TIMEOUT, "too long"));
  CHECK(bench_resume_reason(&cell, request.output, arena, &status) == NULL);
  CHECK_INT(status, BASE_TIMEOUT);
  request.opt = others;
  CHECK_TEXT(bench_resume_reason(&cell, request.output, arena, &status), "another time limit");
}

/* ---- sources ---- */

static uint64_t sources_of(const char *room) {
  return bench_provenance_sources((const char *const[]){room, NULL});
}

TEST(sources_are_known_for_every_room_and_case) {
  static const char *const rooms[] = {"base",    "la",   "contact", "mech",
                                      "problem", "form", "bench",   "cases"};
  enum { ROOMS = sizeof rooms / sizeof *rooms };
  for (int i = 0; i < ROOMS; ++i) {
    CHECK_MESSAGE(sources_of(rooms[i]) != BASE_HASH_EMPTY, "no sources of %s", rooms[i]);
    for (int j = 0; j < i; ++j) {
      CHECK(sources_of(rooms[i]) != sources_of(rooms[j]));
    }
  }
  for (int i = 0; i < case_count(); ++i) {
    char room[100];
    snprintf(room, sizeof room, "cases/%s", case_get(i)->name);
    CHECK_MESSAGE(sources_of(room) != BASE_HASH_EMPTY, "no sources of %s", room);
  }
  CHECK(sources_of("nowhere") == BASE_HASH_EMPTY);
}

/* ---- in records ---- */

/* The time limit is part of the key of what it has cut, and of nothing else. */
TEST(time_limit_counts_where_it_has_cut) {
  struct trial t;
  /* A run of a thousand steps takes milliseconds; its reference by event takes seconds. */
  const struct bench_request request = {.case_name = "double-pendulum",
                                        .formulation = "moreau",
                                        .dt = 1,
                                        .t_end = 1000,
                                        .time_limit = 0.4};
  trial_run(&t, request, "", "", TRIAL_WITH_ERRORS);
  const cJSON *record = trial_record(&t);
  CHECK(strcmp(base_json_text_at(record, "status"), "timeout") != 0);
  CHECK(strstr(base_json_text_at(record, "reference.reason"), "time limit") != NULL);
  CHECK(bench_key_difference(record, t.job.key, 0.4) == NULL);
  CHECK_TEXT(bench_key_difference(record, t.job.key, 20), "another time limit");
}
