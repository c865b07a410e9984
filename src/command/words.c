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

/* Report the message a negative status left and turn it into an exit status. */
int command_fail(int status) {
  fprintf(stderr, "coulombench: %s\n", base_message());
  return status == BASE_E_INPUT || status == BASE_E_IO ? EXIT_USAGE : EXIT_INTERNAL;
}

int command_usage(void) {
  fprintf(stderr, "coulombench: %s; see 'coulombench --help'\n", base_message());
  return EXIT_USAGE;
}

/* getopt's refusals as one line of ours. The word is the last one looked at, unless a letter within
 * a group of letters is meant. */
int command_refuse_option(const char *command, int argc, char **argv, int code) {
  const char letter[] = {'-', (char)optopt, '\0'};
  const char *word = optind > 0 && optind <= argc ? argv[optind - 1] : "";
  if (code == '?' && optopt > ' ' && optopt < 127 && strncmp(word, "--", 2) != 0) {
    word = letter;
  }
  if (code == ':') {
    base_fail(BASE_E_INPUT, "%s: option '%s' needs a value", command, word);
  } else {
    base_fail(BASE_E_INPUT, "%s: unknown option '%s'", command, word);
  }
  return command_usage();
}

int command_parse_time(const char *name, const char *text, double *x) {
  if (base_parse_real(text, x) != BASE_OK || isnan(*x)) {
    return base_fail(BASE_E_INPUT, "%s = '%s': must be a number", name, text);
  }
  return BASE_OK;
}

int command_parse_count(const char *name, const char *text, int *n) {
  double x;
  if (base_parse_real(text, &x) != BASE_OK || !(x >= 1 && x <= 1024) || x != floor(x)) {
    return base_fail(BASE_E_INPUT, "%s = '%s': must be a whole number from 1 to 1024", name, text);
  }
  *n = (int)x;
  return BASE_OK;
}

/* Exactly n words must be left. */
int command_expect_words(const char *command, int argc, int n, const char *what) {
  if (argc - optind != n) {
    return base_fail(BASE_E_INPUT, "%s: expects %s", command, what);
  }
  return BASE_OK;
}

int command_add_word(const char *name, const char *word, struct base_arena *arena,
                     struct base_words *words) {
  const size_t length = strcspn(word, "=");
  for (int i = 0; i < words->n; ++i) {
    if (word[length] == '=' && strncmp(words->word[i], word, length + 1) == 0) {
      return base_fail(BASE_E_INPUT, "%s: given twice, '%s' and '%s'", name, words->word[i], word);
    }
  }
  base_words_add(words, word, arena);
  return BASE_OK;
}
