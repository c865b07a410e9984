/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The commands of the program, each with its words: argv[0] is its name. All return an exit status.
 *
 *   words.c    what their options share: values, refusals, exit statuses
 *   run.c      list, describe, run, solve: what there is, and one run or problem
 *   scene.c    scene: scenes by family and seed
 *   archive.c  bundle, verify: results as one archive
 *   results.c  bench, figure, report, papers, table, compare, check: suites, and the records they
 *   leave
 *
 * commands.c has the table of commands and options, manual.c makes help, manual page and completion
 * of it; main.c finds them by name.
 */
#ifndef COMMAND_COMMAND_H
#define COMMAND_COMMAND_H

#include "base/text.h"

enum { EXIT_BAD_STATUS = 1, EXIT_USAGE = 2, EXIT_INTERNAL = 3 };

int command_list(int argc, char **argv);
int command_describe(int argc, char **argv);
int command_run(int argc, char **argv);
int command_solve(int argc, char **argv);
int command_bench(int argc, char **argv);
int command_figure(int argc, char **argv);
int command_report(int argc, char **argv);
int command_papers(int argc, char **argv);
int command_table(int argc, char **argv);
int command_compare(int argc, char **argv);
int command_check(int argc, char **argv);
int command_scene(int argc, char **argv);
int command_bundle(int argc, char **argv);
int command_verify(int argc, char **argv);

/* An option, as getopt takes it and as help, manual and completion show it. */
enum { COMMAND_OPTIONS_MAX = 24 };
struct command_option {
  const char *name;
  char code; /* what command_next_option returns; also the letter, where is_short */
  int is_short;
  const char *value; /* NULL: it takes none */
  const char *help;
};
struct command {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *words, *summary; /* what it takes beside options; what it does */
  struct command_option options[COMMAND_OPTIONS_MAX];
};
extern const struct command commands[];
extern const int command_count;

/* The code of the next option of argv[0], a command; -1: no more; '?' and ':' as of getopt. */
int command_next_option(int argc, char **argv);
/* On standard output: help of one command, of all; the manual page; the completion of bash. */
void command_help(const struct command *command);
void command_help_all(void);
void command_manual(void);
void command_completion(void);

/* Report the message a negative status left and turn it into an exit status. */
int command_fail(int status);
/* Report the message as one of wrong usage; EXIT_USAGE. */
int command_usage(void);
/* getopt's refusals as one line of ours; code: what it returned. EXIT_USAGE. */
int command_refuse_option(const char *command, int argc, char **argv, int code);

/* A number; a whole number from 1 to 1024. name: of the option. BASE_E_INPUT with a message. */
int command_parse_time(const char *name, const char *text, double *x);
int command_parse_count(const char *name, const char *text, int *n);
/* Exactly n words must be left, which `what` describes. BASE_E_INPUT with a message. */
int command_expect_words(const char *command, int argc, int n, const char *what);
/* One "key=value" or name more of an option that can be given several times, each key once.
 * BASE_E_INPUT with a message. */
int command_add_word(const char *name, const char *word, struct base_arena *arena,
                     struct base_words *words);

#endif
