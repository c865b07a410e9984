/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pages of the project (README.md and those beside the code) against what they speak of:
 * excerpts stand literally in the files they come from, every registered formulation and solver has
 * its section, links lead somewhere, commands name things that exist, the sample's records are
 * valid. (That tables are what the program prints, tests/cli/usage.sh sees.)
 *
 * An excerpt is a fenced block, or the lines up to a blank one, below a line
 * <!-- from PATH -->.
 */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/data.h"
#include "base/json/json.h"
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

/* ---- the pages: README.md, and those beside the code ---- */

enum { PAGES_MAX = 128 };
struct page {
  const char *path, *text; /* path: in the source tree */
};
static struct pages {
  struct base_arena *arena;
  int n;
  struct page page[PAGES_MAX];
} pages;

static void add_page(const char *relative) {
  if (pages.n < PAGES_MAX) {
    pages.page[pages.n] = (struct page){.path = base_arena_copy(pages.arena, relative),
                                        .text = read_text(pages.arena, relative)};
    pages.n += pages.page[pages.n].text != NULL;
  }
}

static int see_file(const char *path, const struct stat *info, int kind, struct FTW *where) {
  const size_t length = strlen(path);
  (void)info, (void)where;
  if (kind == FTW_F && length > 3 && strcmp(path + length - 3, ".md") == 0) {
    add_page(path + strlen(base_data_folder()) + 1);
  }
  return 0;
}

/* All of them, in the arena; run results are no pages. */
static const struct pages *all_pages(struct base_arena *arena) {
  static const char *const rooms[] = {"src", "cases"};
  pages = (struct pages){.arena = arena};
  add_page("README.md");
  add_page("results/README.md");
  add_page("results/METHOD.md");
  for (int i = 0; i < 2; ++i) {
    nftw(base_arena_printf(arena, "%s/%s", base_data_folder(), rooms[i]), see_file, 16, FTW_PHYS);
  }
  CHECK(pages.n > 20 && pages.n < PAGES_MAX);
  return &pages;
}

TEST(readme_is_short) {
  const char *readme = read_text(test_arena(), "README.md");
  int lines = 0;
  for (const char *at = readme; at != NULL && *at != '\0'; at = line_end(at)) {
    ++lines;
  }
  CHECK_MESSAGE(lines > 50 && lines <= 150, "README.md has %d lines, not 150 at most", lines);
}

TEST(excerpts_stand_in_their_files) {
  struct base_arena *arena = test_arena();
  const struct pages *all = all_pages(arena);
  int found = 0;
  for (int i = 0; i < all->n; ++i) {
    for (const char *at = all->page[i].text; (at = strstr(at, FROM)) != NULL; ++found) {
      at += strlen(FROM);
      const char *path = text_range(arena, at, at + strcspn(at, " "));
      at = line_end(at);
      const char *excerpt = excerpt_at(arena, at), *file = read_text(arena, path);
      CHECK_MESSAGE(strlen(excerpt) > 20, "%s: excerpt from %s is empty", all->page[i].path, path);
      CHECK_MESSAGE(file != NULL && strstr(file, excerpt) != NULL, "%s: not in %s:\n%s",
                    all->page[i].path, path, excerpt);
    }
  }
  CHECK(found >= 4);
}

/* C and JSON come from files; only commands for the shell may stand alone. The scenes' page has
 * examples that tests/cli/scenes.sh reads. */
TEST(blocks_of_code_are_excerpts) {
  struct base_arena *arena = test_arena();
  const struct pages *all = all_pages(arena);
  for (int i = 0; i < all->n; ++i) {
    const char *before = "", *path = all->page[i].path;
    int inside = 0;
    for (const char *at = all->page[i].text; *at != '\0'; at = line_end(at)) {
      if (strncmp(at, "```", 3) == 0 && strcmp(path, "cases/scenes/README.md") != 0) {
        inside = !inside;
        CHECK_MESSAGE(
            !inside || strncmp(at, "```sh\n", 6) == 0 || strncmp(before, FROM, strlen(FROM)) == 0,
            "%s: a block without a source: %s", path, text_range(arena, at, line_end(at)));
      }
      before = at;
    }
    CHECK_MESSAGE(!inside, "%s: a block does not end", path);
  }
}

TEST(links_lead_to_files) {
  struct base_arena *arena = test_arena();
  const struct pages *all = all_pages(arena);
  int links = 0;
  for (int i = 0; i < all->n; ++i) {
    const char *path = all->page[i].path, *slash = strrchr(path, '/');
    const int folder = slash != NULL ? (int)(slash - path) + 1 : 0;
    for (const char *at = all->page[i].text; (at = strstr(at, "](")) != NULL; ++links) {
      at += 2;
      const char *target = text_range(arena, at, at + strcspn(at, ")#"));
      if (target[0] == '\0') {
        continue; /* a section of the page */
      }
      CHECK_MESSAGE(strstr(target, "://") == NULL, "%s: '%s' is not a file", path, target);
      CHECK_MESSAGE(
          base_data_path(arena, base_arena_printf(arena, "%.*s%s", folder, path, target)) != NULL,
          "%s: %s", path, base_message());
    }
  }
  CHECK(links > 60);
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
static int check_word(struct base_arena *arena, int kind, const char *word, const char *program,
                      const char *makefile) {
  switch (kind) {
  case 0:
    return strstr(program, base_arena_printf(arena, " command_%s,", word)) != NULL;
  case 1:
    return form_find(word) != NULL || is_example(arena, word);
  case 2:
    return problem_solver_find(word) != NULL || strncmp(word, "exec:", 5) == 0;
  case 3:
    return case_open(word, NULL, arena) != NULL || is_example(arena, word);
  case 4:
    return form_find(word) != NULL || problem_solver_find(word) != NULL ||
           case_open(word, NULL, arena) != NULL || strncmp(word, "coulombench.", 12) == 0 ||
           strcmp(word, "compare") == 0;
  default:
    return strstr(makefile, base_arena_printf(arena, "\n%s: ", word)) != NULL;
  }
}

/* Does the line say `coulombench` or `make` before this? */
static int is_of_command(const char *text, const char *at) {
  const char *begin = at;
  while (begin > text && begin[-1] != '\n') {
    --begin;
  }
  for (; begin < at; ++begin) {
    if (strncmp(begin, "coulombench ", 12) == 0 || strncmp(begin, "make ", 5) == 0) {
      return 1;
    }
  }
  return 0;
}

TEST(commands_name_what_exists) {
  struct base_arena *arena = test_arena();
  const struct pages *all = all_pages(arena);
  const char *makefile = read_text(arena, "Makefile"),
             *program = read_text(arena, "src/command/commands.c");
  static const char *const before[] = {
      "build/coulombench ",    " -f ",     " -s ", "coulombench run ",
      "coulombench describe ", "    make "};
  for (int k = 0; makefile != NULL && program != NULL && k < 6; ++k) {
    int found = 0;
    for (int i = 0; i < all->n; ++i) {
      for (const char *at = all->page[i].text; (at = strstr(at, before[k])) != NULL; ++found) {
        at += strlen(before[k]);
        const char *word = text_range(arena, at, at + strcspn(at, " \n`,;)"));
        const int is_placeholder = word[0] >= 'A' && word[0] <= 'Z'; /* COMMAND, NAME */
        CHECK_MESSAGE(is_placeholder || !is_of_command(all->page[i].text, at) ||
                          check_word(arena, k, word, program, makefile),
                      "%s: '%s%s' does not exist", all->page[i].path, before[k], word);
      }
    }
    CHECK_MESSAGE(found > 0, "no example of '%s'", before[k]);
  }
}

/* Every registered thing has a section of its own in the guide of its kind, and each section is of
 * one that there is. */
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
  struct base_arena *arena = test_arena();
  check_guide(arena, "src/form/README.md", form_count(), form_name);
  check_guide(arena, "src/problem/solvers/README.md", problem_solver_count(), solver_name);
}

/* ---- the sample ---- */

TEST(sample_holds_valid_records_of_formulations) {
  struct base_arena *arena = test_arena();
  int found = 0;
  for (int i = 0; i < form_count(); ++i) {
    const char *path = base_data_path(
        arena, base_arena_printf(arena, "results/sample/falling-particle--%s--dt0.001.json",
                                 form_get(i)->name));
    cJSON *record = test_json(path != NULL ? base_json_read(path) : NULL);
    if (record != NULL) { /* one that was added later has none yet */
      ++found;
      CHECK_OK(bench_record_check(record, path));
      CHECK(cJSON_IsFalse(base_json_at(record, "provenance.dirty")));
    }
  }
  CHECK(found >= 15);
  const char *suite = base_data_path(arena, "results/sample/suite.json");
  CHECK(suite != NULL && bench_check(suite, &(struct base_words){0}) == BASE_OK);
}
