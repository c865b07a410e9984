/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The commands of the program. main.c finds a command by name, reads its words, and turns its
 * result into an exit status.
 *
 *   words.c    values of options, refusals, exit statuses
 *   run.c      list, describe, run, solve, scene
 *   results.c  bench, figure, report, papers, table, compare, check, bundle, verify
 *
 * commands.c has the table of commands and options, from which manual.c makes help, manual page and
 * completion.
 */
#ifndef COMMAND_COMMAND_H
#define COMMAND_COMMAND_H

#include "base/memory/arena.h"
#include "base/text.h"

enum { EXIT_BAD_STATUS = 1, EXIT_USAGE = 2, EXIT_INTERNAL = 3 };

struct command_given;
/* Carries out a command. Returns BASE_OK; positive: a bad outcome, with a message; negative: a
 * failure. Errors of the command's words go to given->status. *code: the exit status after BASE_OK,
 * 0 by default. */
typedef int command_fn(struct command_given *given, int *code);
command_fn command_list, command_describe, command_run, command_solve, command_bench,
    command_figure, command_report, command_papers, command_table, command_compare, command_check,
    command_scene, command_bundle, command_verify;

/* An option, as getopt takes it and as help, manual and completion show it. */
enum { COMMAND_OPTIONS_MAX = 24 };
struct command_option {
  const char *name;
  char letter;       /* of its short form; 0: it has none */
  const char *value; /* NULL: it takes none */
  const char *help;
};
struct command {
  const char *name;
  command_fn *run;
  const char *words, *summary; /* arguments other than options; purpose */
  struct command_option options[COMMAND_OPTIONS_MAX];
};
extern const struct command commands[];
extern const int command_count;

/* Print the help of one command, or of all; the manual page; the completion for bash. */
void command_help(const struct command *command);
void command_help_all(void);
void command_manual(void);
void command_completion(void);

/* Print the message of a status other than ok and return its exit status. */
int command_fail(int status);
/* Report the message as one of wrong usage; EXIT_USAGE. */
int command_usage(void);

/* Arguments of a command, as read from argv. */
struct command_given {
  const struct command *command;
  int n_options;
  const struct command_option **option; /* n_options, in their order */
  const char **value;                   /* n_options; NULL for an option without a value */
  int n_words;
  char **words; /* n_words, the arguments other than options */
  int status;   /* first failure of the arguments or their values; its message is kept */
  struct base_arena *arena; /* of all these; also for values read */
};
/* Read argv for a command. Options that the command does not have are refused. The caller frees
 * the arena. */
struct command_given command_read(const struct command *command, int argc, char **argv);

/* Functions that read an option by name leave the result unchanged if the option is absent or an
 * earlier failure exists. */
int command_has(const struct command_given *given, const char *name);
/* The last value of an option; NULL if it is absent or there was a failure. */
const char *command_text(const struct command_given *given, const char *name);
/* A number; a number above 0 that is given once; a whole number from 1 to 1024. */
void command_time(struct command_given *given, const char *name, double *x);
void command_time_once(struct command_given *given, const char *name, double *x);
void command_whole(struct command_given *given, const char *name, int *n);
/* All values of an option that can be given `most` times; their number. */
int command_texts(struct command_given *given, const char *name, int most, const char **texts);
/* The same as words "key=value" or names, each key once. */
void command_words(struct command_given *given, const char *name, struct base_words *words);
/* Add one more word of this kind. */
void command_add_word(struct command_given *given, const char *name, const char *word,
                      struct base_words *words);
/* Refuse any number of words other than n; `what` describes them in the message. */
void command_expect_words(struct command_given *given, int n, const char *what);
/* Set given->status to a status, unless an earlier failure exists. */
void command_hold(struct command_given *given, int status);

#endif
