/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The corpus of the fuzzers through their harnesses, and a few changes of each of its files: what
 * once was a finding stays mended. `make fuzz` looks for new ones.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/data.h"
#include "base/json/json.h"
#include "tests/fuzz/fuzz.h"
#include "tests/test.h"

enum { CHANGES = 8, ROOM = 1 << 16 };

static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

/* The file as it is, and changed. */
static void replay(const struct fuzz_harness *harness, const char *path) {
  static char changed[ROOM];
  char *text = NULL;
  size_t size = 0;
  CHECK_OK(base_file_read(path, &text, &size));
  harness->run((const uint8_t *)text, size);
  for (unsigned seed = 0; harness->is_json && size <= ROOM && seed < CHANGES; ++seed) {
    memcpy(changed, text, size);
    harness->run((const uint8_t *)changed, fuzz_mutate_json(changed, size, ROOM, seed));
  }
  free(text);
}

static void replay_corpus(const char *name) {
  struct base_arena *arena = test_arena();
  const struct fuzz_harness *harness = fuzz_find(name);
  const char *folder =
      base_data_path(arena, base_arena_printf(arena, "tests/fuzz/corpus/%s", name));
  struct dirent **entries = NULL;
  const int n = folder != NULL ? scandir(folder, &entries, is_visible, alphasort) : -1;
  CHECK_MESSAGE(n > 0, "the corpus of %s is empty", name);
  for (int i = 0; i < n; ++i) {
    replay(harness, base_arena_printf(arena, "%s/%s", folder, entries[i]->d_name));
    free(entries[i]);
  }
  free(entries);
}

TEST(record) { replay_corpus("record"); }
TEST(suite) { replay_corpus("suite"); }
TEST(scene) { replay_corpus("scene"); }
TEST(problem) { replay_corpus("problem"); }
TEST(solution) { replay_corpus("solution"); }
TEST(case_file) { replay_corpus("case"); }
TEST(checkpoint) { replay_corpus("checkpoint"); }
TEST(words) { replay_corpus("words"); }
