/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Questions to programs of others; see command.h.
 */
#include "base/process/command.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <wordexp.h>

#include "base/bytes/hash.h"
#include "base/json/json.h"
#include "base/memory/memory.h"
#include "base/status.h"
#include "base/text.h"

const char *base_command_of(const char *name) {
  return strncmp(name, BASE_COMMAND_PREFIX, BASE_COMMAND_PREFIX_LENGTH) == 0
             ? name + BASE_COMMAND_PREFIX_LENGTH
             : NULL;
}

static int has_command(const char *kind, const char *name) {
  const char *command = base_command_of(name);
  return command != NULL && command[strspn(command, " \t\r\n")] != '\0'
             ? BASE_OK
             : base_fail(BASE_E_INPUT, "%s '%s': needs a command: " BASE_COMMAND_PREFIX "COMMAND",
                         kind, name);
}

void *base_command_object(struct base_command_object **known, const char *kind, const char *name,
                          const void *model, size_t size, int *is_new) {
  *is_new = 0;
  if (has_command(kind, name) != BASE_OK) {
    return NULL;
  }
  for (const struct base_command_object *c = *known; c != NULL; c = c->next) {
    if (strcmp(*(const char *const *)c->object, name) == 0) {
      return c->object;
    }
  }
  const size_t length = strlen(name) + 1;
  struct base_command_object *made = base_memory_alloc(sizeof *made);
  *made = (struct base_command_object){.next = *known, .object = base_memory_alloc(size)};
  memcpy(made->object, model, size);
  *(const char **)made->object = memcpy(base_memory_alloc(length), name, length);
  *known = made;
  *is_new = 1;
  return made->object;
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
uint64_t base_command_hash(const char *command, uint64_t hash) {
  static const char between[] = "|&;<>()\n";
  struct base_arena *arena = base_arena_alloc();
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
  base_arena_free(arena);
  return hash;
}

uint64_t base_command_hash_file(const char *path, uint64_t hash) {
  struct folders none = {.n = FOLDERS_MAX};
  hash_path(&none, path, NULL, &hash);
  return hash;
}

/* ---- the conversation ---- */

static cJSON *parse(const struct base_child_end *end, const char *name) {
  const size_t length = strlen(end->output);
  if (length != end->size) {
    base_fail(BASE_FAILED, "%s: the answer holds NUL", name);
    return NULL;
  }
  if (strspn(end->output, " \t\r\n") == length) {
    base_fail(BASE_FAILED, "%s: ended without an answer", name);
    return NULL;
  }
  cJSON *root = base_json_parse(end->output, name);
  if (root != NULL && !cJSON_IsObject(root)) {
    base_fail(BASE_FAILED, "%s: the answer is not an object", name);
    cJSON_Delete(root);
    root = NULL;
  }
  return root;
}

int base_command_ask(const struct base_child *child, const char *name, cJSON *question,
                     struct base_arena *arena, struct base_child_end *end, cJSON **answer) {
  struct base_child asked = *child;
  char *text = base_json_text(question);
  cJSON_Delete(question);
  *answer = NULL;
  asked.input = text;
  asked.input_size = strlen(text);
  const int status = base_child_run(&asked, name, arena, end);
  free(text);
  if (status == BASE_OK) {
    *answer = parse(end, name);
  }
  return status == BASE_OK && *answer == NULL ? (int)BASE_FAILED : status;
}

int base_command_status(const cJSON *answer, const char *name, struct base_arena *arena) {
  const char *text = base_json_text_at(answer, "status");
  int status = BASE_OK;
  if (text[0] == '\0') {
    return BASE_OK;
  }
  if (base_status_parse(text, &status) != BASE_OK || status < 0) {
    return base_fail(BASE_E_INPUT, "%s: key 'status': '%s' is none of ours", name,
                     base_text_clean(text, arena));
  }
  const char *reason = base_text_clean(base_json_text_at(answer, "reason"), arena);
  return status == BASE_OK ? BASE_OK : base_fail(status, "%s: %s", name, reason[0] ? reason : text);
}
