/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * README.md against what it speaks of: excerpts stand literally in the files they come from, every
 * registered name is there, links lead somewhere, commands name things that exist, the sample's
 * records are valid. (That its tables are what the program prints, tests/cli/usage.sh sees.)
 *
 * An excerpt is a fenced block, or the lines up to a blank one, below a line
 * <!-- from PATH -->.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/data.h"
#include "base/json/json.h"
#include "base/memory/arena.h"
#include "base/status.h"
#include "bench/commands.h"
#include "bench/record/record.h"
#include "cases/case.h"
#include "form/form.h"
#include "problem/solver.h"
#include "tests/test.h"

/* A file of the source tree as text, from the arena; NULL, reported, when there is none. */
static const char *read_text(struct base_arena *arena, const char *relative) {
  char *text = NULL;
  size_t size = 0;
  const char *path = base_data_path(arena, relative);
  if (path == NULL || base_file_read(path, &text, &size) != BASE_OK) {
    test_fail(__FILE__, __LINE__, "%s", base_message());
    return NULL;
  }
  const char *copy = base_arena_copy(arena, text);
  free(text);
  return copy;
}

static const char *text_range(struct base_arena *arena, const char *begin, const char *end) {
  char *copy = base_arena_push(arena, (size_t)(end - begin) + 1);
  memcpy(copy, begin, (size_t)(end - begin));
  return copy;
}

static const char *line_end(const char *at) {
  const char *end = strchr(at, '\n');
  return end != NULL ? end + 1 : at + strlen(at);
}

/* The excerpt that starts at the line `at`. */
static const char *excerpt_at(struct base_arena *arena, const char *at) {
  const int fenced = strncmp(at, "```", 3) == 0;
  const char *begin = fenced ? line_end(at) : at, *end = begin;
  while (*end != '\0' && (fenced ? strncmp(end, "```", 3) != 0 : *end != '\n')) {
    end = line_end(end);
  }
  return text_range(arena, begin, end);
}

static const char FROM[] = "<!-- from ";

TEST(excerpts_stand_in_their_files) {
  struct base_arena *arena = base_arena_alloc();
  const char *readme = read_text(arena, "README.md");
  int found = 0;
  for (const char *at = readme; at != NULL && (at = strstr(at, FROM)) != NULL; ++found) {
    at += strlen(FROM);
    const char *path = text_range(arena, at, at + strcspn(at, " "));
    at = line_end(at);
    const char *excerpt = excerpt_at(arena, at), *file = read_text(arena, path);
    CHECK_MESSAGE(strlen(excerpt) > 20, "excerpt from %s is empty", path);
    CHECK_MESSAGE(file != NULL && strstr(file, excerpt) != NULL, "not in %s:\n%s", path, excerpt);
  }
  CHECK(found >= 6);
  base_arena_free(arena);
}

/* C and JSON in the README come from files; only commands for the shell may stand alone. */
TEST(blocks_of_code_are_excerpts) {
  struct base_arena *arena = base_arena_alloc();
  const char *readme = read_text(arena, "README.md");
  const char *before = "";
  int inside = 0;
  for (const char *at = readme; at != NULL && *at != '\0'; at = line_end(at)) {
    if (strncmp(at, "```", 3) == 0) {
      inside = !inside;
      CHECK_MESSAGE(!inside || strncmp(at, "```sh\n", 6) == 0 ||
                        strncmp(before, FROM, strlen(FROM)) == 0,
                    "a block without a source: %s", text_range(arena, at, line_end(at)));
    }
    before = at;
  }
  CHECK(!inside);
  base_arena_free(arena);
}

TEST(links_lead_to_files) {
  struct base_arena *arena = base_arena_alloc();
  const char *pages[] = {"README.md", "results/README.md"};
  for (int k = 0; k < 2; ++k) {
    const char *page = read_text(arena, pages[k]);
    int links = 0;
    for (const char *at = page; at != NULL && (at = strstr(at, "](")) != NULL; ++links) {
      at += 2;
      const char *target = text_range(arena, at, at + strcspn(at, ")"));
      const char *relative = k == 0 ? target : base_arena_printf(arena, "results/%s", target);
      CHECK_MESSAGE(strstr(target, "://") == NULL, "%s: '%s' is not a file", pages[k], target);
      CHECK_MESSAGE(base_data_path(arena, relative) != NULL, "%s: %s", pages[k], base_message());
    }
    CHECK(k == 1 || links > 5);
  }
  base_arena_free(arena);
}

/* What tests/examples, a folder for make EXTRA=, registers under a name. */
static int is_example(struct base_arena *arena, const char *name) {
  char *entry = base_arena_printf(arena, "(%s)", name);
  for (char *c = entry; *c != '\0'; ++c) {
    *c = *c == '-' ? '_' : *c;
  }
  const char *registry = read_text(arena, "tests/examples/registry.h");
  return registry != NULL && strstr(registry, entry) != NULL;
}

/* Words after `coulombench`, -f, -s, `run`, `describe`, `make` exist. */
TEST(commands_name_what_exists) {
  struct base_arena *arena = base_arena_alloc();
  const char *readme = read_text(arena, "README.md"), *makefile = read_text(arena, "Makefile");
  const char *program = read_text(arena, "src/main.c");
  static const char *const before[] = {
      "build/coulombench ",    " -f ",     " -s ", "coulombench run ",
      "coulombench describe ", "    make "};
  for (int k = 0; readme != NULL && makefile != NULL && program != NULL && k < 6; ++k) {
    int found = 0;
    for (const char *at = readme; (at = strstr(at, before[k])) != NULL; ++found) {
      at += strlen(before[k]);
      const char *word = text_range(arena, at, at + strcspn(at, " \n`"));
      const int exists =
          k == 0   ? strstr(program, base_arena_printf(arena, "{\"%s\", command_", word)) != NULL
          : k == 1 ? form_find(word) != NULL
          : k == 2 ? problem_solver_find(word) != NULL
          : k == 3 ? case_open(word, NULL, arena) != NULL
          : k == 4 ? form_find(word) != NULL || problem_solver_find(word) != NULL ||
                         strcmp(word, BENCH_RESULT_SCHEMA) == 0
                   : strstr(makefile, base_arena_printf(arena, "\n%s: ", word)) != NULL;
      CHECK_MESSAGE(exists || ((k == 1 || k == 3) && is_example(arena, word)),
                    "'%s%s' does not exist", before[k], word);
    }
    CHECK_MESSAGE(found > 0, "no example of '%s'", before[k]);
  }
  base_arena_free(arena);
}

/* Every registered thing has a section of its own in the guide of its kind, and each section is of one
 * that there is. */
static void check_guide(struct base_arena *arena, const char *path, int n,
                        const char *(*name_of)(int)) {
  const char *guide = read_text(arena, path);
  const char *extra = getenv("COULOMBENCH_EXTRA"); /* what it adds has its guide elsewhere */
  const int is_plain = extra == NULL || extra[0] == '\0';
  for (int i = 0; guide != NULL && i < n; ++i) {
    if (is_plain && !is_example(arena, name_of(i))) {
      CHECK_MESSAGE(strstr(guide, base_arena_printf(arena, "\n## `%s`\n\n", name_of(i))) != NULL,
                    "%s: no section for %s", path, name_of(i));
    }
  }
  for (const char *at = guide; at != NULL && (at = strstr(at, "\n## `")) != NULL;) {
    at += strlen("\n## `");
    const char *name = text_range(arena, at, at + strcspn(at, "`"));
    int i = 0;
    while (i < n && strcmp(name_of(i), name) != 0) {
      ++i;
    }
    CHECK_MESSAGE(i < n, "%s: a section for %s, which there is not", path, name);
    const char *end = strstr(at, "\n## ");
    const size_t length = end != NULL ? (size_t)(end - at) : strlen(at);
    CHECK_MESSAGE(length > 60, "%s: the section of %s says nothing", path, name);
  }
}

static const char *form_name(int i) { return form_get(i)->name; }

static const char *solver_name(int i) { return problem_solver_get(i)->name; }

TEST(guides_have_a_section_for_everything_registered) {
  struct base_arena *arena = base_arena_alloc();
  check_guide(arena, "src/form/README.md", form_count(), form_name);
  check_guide(arena, "src/problem/solvers/README.md", problem_solver_count(), solver_name);
  base_arena_free(arena);
}

/* ---- the sample ---- */

TEST(sample_holds_valid_records_of_formulations) {
  struct base_arena *arena = base_arena_alloc();
  int found = 0;
  for (int i = 0; i < form_count(); ++i) {
    const char *path = base_data_path(
        arena, base_arena_printf(arena, "results/sample/falling-particle--%s--dt0.001.json",
                                 form_get(i)->name));
    cJSON *record = path != NULL ? base_json_read(path) : NULL;
    if (record != NULL) { /* one that was added later has none yet */
      ++found;
      CHECK_MESSAGE(bench_record_check(record, path) == BASE_OK, "%s", base_message());
      CHECK(cJSON_IsFalse(base_json_at(record, "provenance.dirty")));
    }
    cJSON_Delete(record);
  }
  CHECK(found >= 15);
  const char *suite = base_data_path(arena, "results/sample/suite.json");
  CHECK(suite != NULL && bench_check(suite, 0, NULL) == BASE_OK);
  base_arena_free(arena);
}

TEST_MAIN()
