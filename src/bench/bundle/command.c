/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command in a record, provenance.command, as words. A record may come from an untrusted
 * source: only words that make a record are accepted, and no shell reads them.
 */
#include <string.h>

#include "base/json/json.h"
#include "base/process/command.h"
#include "base/status.h"
#include "base/text.h"
#include "bench/bundle/parts.h"
#include "cases/case.h"
#include "form/form.h"

/* Options that say what is asked for; all have a value. Those of files are "+". */
static const char *const of_run[] = {
    "-f",         "-s",    "--dt",  "--t-end",  "+--start",     "--search", "--until",
    "--ensemble", "--set", "--opt", "--sample", "--time-limit", "--repeat", NULL};
static const char *const of_solve[] = {"-s", "--law", "--opt", "+--warm", NULL};

/* The next word of a text, quoted as base_quote_shell does; NULL: no more. */
static const char *next_word(const char **at, struct base_arena *arena) {
  const char *from = *at + strspn(*at, " ");
  if (*from == '\0') {
    return NULL;
  }
  char *word = base_arena_push(arena, strlen(from) + 1), *out = word;
  for (int is_quoted = 0; *from != '\0' && (is_quoted || *from != ' '); ++from) {
    if (*from == '\'') {
      is_quoted = !is_quoted;
    } else {
      from += *from == '\\' && !is_quoted && from[1] != '\0';
      *out++ = *from;
    }
  }
  *at = from;
  return word;
}

static const char *find_option(const char *const *options, const char *word) {
  while (*options != NULL && strcmp(*options + (**options == '+'), word) != 0) {
    ++options;
  }
  return *options;
}

/* The words behind `run CASE` or `solve PROBLEM`: an option and its value each. */
static int check_options(const char *const *options, struct base_arena *arena,
                         struct bundle_command *c) {
  for (int i = 2; i < c->n; i += 2) {
    const char *option = find_option(options, c->words[i]);
    if (option == NULL || i + 1 == c->n) {
      return base_fail(BASE_UNSUPPORTED, "its command has '%s', which is not repeated",
                       base_text_clean(c->words[i], arena));
    }
    if (option[0] == '-' && option[1] != '-' && base_command_of(c->words[i + 1]) != NULL) {
      return base_fail(BASE_UNSUPPORTED, "a program of others would be started, '%s'",
                       base_text_clean(c->words[i + 1], arena));
    }
    c->is_file[i + 1] = option[0] == '+';
  }
  return BASE_OK;
}

/* A scene may name a solver, for want of one in the command, and with it a program of others. */
static int check_solver(const struct bundle_command *c) {
  const struct form *form = NULL;
  int is_named = 0;
  for (int i = 2; i < c->n; i += 2) {
    is_named |= strcmp(c->words[i], "-s") == 0;
    form = strcmp(c->words[i], "-f") == 0 ? form_find(c->words[i + 1]) : form;
  }
  return is_named || (form != NULL && !form->has_law)
             ? BASE_OK
             : base_fail(BASE_UNSUPPORTED, "its command names no solver");
}

int bundle_command_read(const cJSON *record, struct base_arena *arena, struct bundle_command *c) {
  static const char threads[] = "OMP_NUM_THREADS=";
  const char *at = base_json_text_at(record, "provenance.command");
  *c = (struct bundle_command){0};
  if (strncmp(at, threads, strlen(threads)) == 0) {
    c->threads = next_word(&at, arena);
  }
  const char *program = next_word(&at, arena);
  for (const char *word; (word = next_word(&at, arena)) != NULL;) {
    if (c->n == BUNDLE_WORDS) {
      return base_fail(BASE_UNSUPPORTED, "its command is too long");
    }
    c->words[c->n++] = word;
  }
  const int is_run = c->n > 1 && strcmp(c->words[0], "run") == 0;
  const int is_solve = c->n > 1 && strcmp(c->words[0], "solve") == 0;
  if (program == NULL || strcmp(program, "coulombench") != 0 || (!is_run && !is_solve) ||
      c->words[1][0] == '-') {
    return base_fail(BASE_UNSUPPORTED, "it has no command that makes it");
  }
  c->is_file[1] = is_solve || case_is_file(c->words[1]);
  const int status = check_options(is_run ? of_run : of_solve, arena, c);
  return status == BASE_OK && is_run && c->is_file[1] ? check_solver(c) : status;
}
