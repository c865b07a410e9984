/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the options of all commands share; see command.h.
 */
#include "command/command.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/options.h"
#include "base/status.h"
#include "bench/job/job.h"

int command_fail(int status) {
  fprintf(stderr, "coulombench: %s\n", base_message());
  return status > BASE_OK                                ? EXIT_BAD_STATUS
         : status == BASE_E_INPUT || status == BASE_E_IO ? EXIT_USAGE
                                                         : EXIT_INTERNAL;
}

int command_usage(void) {
  fprintf(stderr, "coulombench: %s; see 'coulombench --help'\n", base_message());
  return EXIT_USAGE;
}

/* getopt's refusals as one line of ours; code: what it returned. The word is the last one looked
 * at, unless a letter within a group of letters is meant. */
static int refuse(const char *command, int argc, char **argv, int code) {
  const char letter[] = {'-', (char)optopt, '\0'};
  const char *word = optind > 0 && optind <= argc ? argv[optind - 1] : "";
  if (code == '?' && optopt > ' ' && optopt < 127 && strncmp(word, "--", 2) != 0) {
    word = letter;
  }
  return code == ':' ? base_fail(BASE_E_INPUT, "%s: option '%s' needs a value", command, word)
                     : base_fail(BASE_E_INPUT, "%s: unknown option '%s'", command, word);
}

enum { LONG = 256 }; /* codes of long options from here, those of letters below */

static const struct command_option *option_of(const struct command *command, int code) {
  int i = 0;
  while (code < LONG && command->options[i].letter != code) {
    ++i;
  }
  return &command->options[code < LONG ? i : code - LONG];
}

struct command_given command_read(const struct command *command, int argc, char **argv) {
  struct base_arena *arena = base_arena_alloc();
  struct command_given given = {.command = command, .arena = arena};
  struct option options[COMMAND_OPTIONS_MAX + 1] = {{0}};
  char letters[2 * COMMAND_OPTIONS_MAX + 2] = ":", *letter = letters + 1;
  for (int i = 0; i < COMMAND_OPTIONS_MAX && command->options[i].name != NULL; ++i) {
    const struct command_option *o = &command->options[i];
    options[i].name = o->name;
    options[i].has_arg = o->value != NULL ? required_argument : no_argument;
    options[i].val = LONG + i;
    if (o->letter != 0) {
      *letter++ = o->letter;
      *letter++ = ':';
    }
  }
  given.option = base_arena_push(arena, (size_t)argc * sizeof(void *));
  given.value = base_arena_push(arena, (size_t)argc * sizeof(void *));
  for (int c;
       given.status == BASE_OK && (c = getopt_long(argc, argv, letters, options, NULL)) != -1;) {
    if (c == '?' || c == ':') {
      given.status = refuse(command->name, argc, argv, c);
    } else {
      given.option[given.n_options] = option_of(command, c);
      given.value[given.n_options++] = optarg;
    }
  }
  given.n_words = argc - optind;
  given.words = argv + optind;
  return given;
}

void command_hold(struct command_given *given, int status) {
  given->status = given->status == BASE_OK ? status : given->status;
}

/* The place of an option of this name from `from` on; -1: there is none, or something has
 * failed. */
static int find(const struct command_given *given, const char *name, int from) {
  for (int i = from; i < given->n_options && given->status == BASE_OK; ++i) {
    if (strcmp(given->option[i]->name, name) == 0) {
      return i;
    }
  }
  return -1;
}

/* As messages say it: "-j", "--dt". */
static const char *name_of(const struct command_given *given, int i) {
  const struct command_option *o = given->option[i];
  return o->letter != 0 ? base_arena_printf(given->arena, "-%c", o->letter)
                        : base_arena_printf(given->arena, "--%s", o->name);
}

int command_has(const struct command_given *given, const char *name) {
  return find(given, name, 0) >= 0;
}

const char *command_text(const struct command_given *given, const char *name) {
  const char *text = NULL;
  for (int i = find(given, name, 0); i >= 0; i = find(given, name, i + 1)) {
    text = given->value[i];
  }
  return text;
}

/* The number of option i. */
static void take_time(struct command_given *given, int i, double *x) {
  if (base_parse_real(given->value[i], x) != BASE_OK || isnan(*x)) {
    given->status =
        base_fail(BASE_E_INPUT, "%s = '%s': must be a number", name_of(given, i), given->value[i]);
  }
}

void command_time(struct command_given *given, const char *name, double *x) {
  for (int i = find(given, name, 0); i >= 0; i = find(given, name, i + 1)) {
    take_time(given, i, x);
  }
}

void command_time_once(struct command_given *given, const char *name, double *x) {
  for (int i = find(given, name, 0), first = i; i >= 0; i = find(given, name, i + 1)) {
    if (i != first) {
      given->status =
          base_fail(BASE_E_INPUT, "--%s: given twice, %g s and '%s'", name, *x, given->value[i]);
      return;
    }
    take_time(given, i, x);
    if (given->status == BASE_OK && *x == 0) {
      given->status = base_fail(BASE_E_INPUT, "--%s = 0 s: must be positive and finite", name);
    }
  }
}

void command_whole(struct command_given *given, const char *name, int *n) {
  for (int i = find(given, name, 0); i >= 0; i = find(given, name, i + 1)) {
    double x;
    if (base_parse_real(given->value[i], &x) != BASE_OK || !(x >= 1 && x <= 1024) ||
        x != floor(x)) {
      given->status = base_fail(BASE_E_INPUT, "%s = '%s': must be a whole number from 1 to 1024",
                                name_of(given, i), given->value[i]);
    } else {
      *n = (int)x;
    }
  }
}

int command_texts(struct command_given *given, const char *name, int most, const char **texts) {
  int n = 0;
  for (int i = find(given, name, 0); i >= 0; i = find(given, name, i + 1)) {
    if (n == most) {
      given->status = base_fail(BASE_E_INPUT, "%s: more than %d %s", given->command->name, most,
                                name_of(given, i));
    } else {
      texts[n++] = given->value[i];
    }
  }
  return n;
}

void command_add_word(struct command_given *given, const char *name, const char *word,
                      struct base_words *words) {
  const size_t length = strcspn(word, "=");
  for (int i = 0; i < words->n; ++i) {
    if (word[length] == '=' && strncmp(words->word[i], word, length + 1) == 0) {
      command_hold(given, base_fail(BASE_E_INPUT, "--%s: given twice, '%s' and '%s'", name,
                                    words->word[i], word));
      return;
    }
  }
  base_words_add(words, word, given->arena);
}

void command_words(struct command_given *given, const char *name, struct base_words *words) {
  for (int i = find(given, name, 0); i >= 0; i = find(given, name, i + 1)) {
    command_add_word(given, name, given->value[i], words);
  }
}

void command_expect_words(struct command_given *given, int n, const char *what) {
  if (given->status == BASE_OK && given->n_words != n) {
    given->status = base_fail(BASE_E_INPUT, "%s: expects %s", given->command->name, what);
  }
}
