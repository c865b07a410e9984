/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of commands as text: --help, the manual page (--manual, troff with the macros man) and
 * the completion of bash (--completion). What is registered is asked for when it is completed.
 */
#include <stdio.h>
#include <string.h>

#include "bench/job/provenance.h"
#include "command/command.h"

enum { WIDTH = 96, INDENT = 6, COLUMN = 34 };

static const char one_line[] =
    "contact and friction formulations of rigid multibody dynamics, compared";
static const char *const exits[][2] = {
    {"0", "done"},
    {"1", "a bad status or a difference"},
    {"2", "usage or bad input: one line on standard error names file, key and reason"},
    {"3", "internal, or no memory where no record can say so"}};
enum { EXITS = sizeof exits / sizeof *exits };
static const char example[] = "coulombench run falling-particle -f ccp --dt 1e-3 --set mu=0.3 -o -";

/* "-o, --output FILE" */
static void option_words(const struct command_option *o, char words[128]) {
  snprintf(words, 128, "%s%c%s--%s%s%s", o->letter != 0 ? "-" : "",
           o->letter != 0 ? o->letter : ' ', o->letter != 0 ? ", " : "   ", o->name,
           o->value != NULL ? " " : "", o->value != NULL ? o->value : "");
}

/* Words from a column on, within the width; at: where the line stands. */
static void put_wrapped(const char *text, int at, int column) {
  while (*text != '\0') {
    const int length = (int)strcspn(text, " ");
    if (at > column && at + 1 + length > WIDTH) {
      printf("\n");
      at = 0;
    } else if (at > column) {
      printf(" ");
      ++at;
    }
    if (at < column) {
      printf("%*s", column - at, "");
      at = column;
    }
    printf("%.*s", length, text);
    at += length;
    text += length + (text[length] == ' ');
  }
  printf("\n");
}

void command_help(const struct command *command) {
  char words[128];
  printf("  %s %s%s\n", command->name, command->words,
         command->options[0].name != NULL ? " [option]..." : "");
  put_wrapped(command->summary, 0, INDENT - 2);
  for (int i = 0; i < COMMAND_OPTIONS_MAX && command->options[i].name != NULL; ++i) {
    const struct command_option *o = &command->options[i];
    option_words(o, words);
    int at = printf("%*s%s", INDENT, "", words);
    if (at + 2 > COLUMN) {
      printf("\n");
      at = 0;
    }
    put_wrapped(o->help, at, COLUMN);
  }
}

void command_help_all(void) {
  printf("coulombench: %s\n\nusage: coulombench COMMAND ...\n\n", one_line);
  for (int i = 0; i < command_count; ++i) {
    command_help(&commands[i]);
  }
  printf("  COMMAND --help, --help, --version, --manual (for man), --completion (for bash)\n\n"
         "times in s, SI units throughout\nexit status:");
  for (int i = 0; i < EXITS; ++i) {
    printf("%s %s %s\n", i > 0 ? "            " : "", exits[i][0], exits[i][1]);
  }
  printf("example: %s\n", example);
}

/* ---- the manual page ---- */

/* A backslash is an escape, a point or quote at the beginning of a line a request, '-' a hyphen. */
static void put_troff(const char *text) {
  if (*text == '.' || *text == '\'') {
    printf("\\&");
  }
  for (; *text != '\0'; ++text) {
    if (*text == '\\') {
      printf("\\e");
    } else if (*text == '-') {
      printf("\\-");
    } else {
      putchar(*text);
    }
  }
}

void command_manual(void) {
  char words[128];
  printf(
      ".TH COULOMBENCH 1 \"\" \"coulombench %s\" \"User Commands\"\n.SH NAME\ncoulombench \\- %s\n"
      ".SH SYNOPSIS\n.B coulombench\n.I COMMAND\n[\\fIword\\fR|\\fIoption\\fR]...\n.SH COMMANDS\n",
      bench_version(), one_line);
  for (int i = 0; i < command_count; ++i) {
    const struct command *c = &commands[i];
    printf(".SS ");
    put_troff(c->name);
    printf(" ");
    put_troff(c->words);
    printf("\n");
    put_troff(c->summary);
    printf("\n");
    for (int k = 0; k < COMMAND_OPTIONS_MAX && c->options[k].name != NULL; ++k) {
      option_words(&c->options[k], words);
      printf(".TP\n.B ");
      put_troff(words + strspn(words, " "));
      printf("\n");
      put_troff(c->options[k].help);
      printf("\n");
    }
  }
  printf(".SH EXIT STATUS\n");
  for (int i = 0; i < EXITS; ++i) {
    printf(".TP\n.B %s\n%s\n", exits[i][0], exits[i][1]);
  }
  printf(".SH ENVIRONMENT\n.TP\n.B COULOMBENCH_DATA\nfolder of cases, suites and scripts of plots\n"
         ".TP\n.B OMP_NUM_THREADS\nthreads of solvers that take some\n.SH EXAMPLE\n");
  put_troff(example);
  printf("\n");
}

/* ---- completion ---- */

/* What the shell offers for a value: names by `coulombench list`, choices, else files. */
static void put_values(const struct command_option *o) {
  if (strcmp(o->value, "FORMULATION") == 0 || strcmp(o->value, "SOLVER") == 0) {
    printf("words=$(names %s) ;;\n", o->value[0] == 'F' ? "formulations" : "solvers");
  } else if (strstr(o->value, "|") != NULL && o->value[0] >= 'a' && o->value[0] <= 'z') {
    printf("words='");
    for (const char *c = o->value; *c != '\0'; ++c) {
      putchar(*c == '|' ? ' ' : *c);
    }
    printf("' ;;\n");
  } else {
    printf("files=1 ;;\n");
  }
}

void command_completion(void) {
  printf("# Completion of coulombench for bash, made by `coulombench --completion`.\n"
         "_coulombench() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words= files=\n"
         "  names() { \"${COMP_WORDS[0]}\" list \"$1\" 2>/dev/null | awk 'NR > 1 { print $1 }'; }\n"
         "  if ((COMP_CWORD == 1)); then\n    words='");
  for (int i = 0; i < command_count; ++i) {
    printf("%s ", commands[i].name);
  }
  printf("--help --version'\n  else\n    case ${COMP_WORDS[1]}:$before in\n");
  for (int i = 0; i < command_count; ++i) {
    for (int k = 0; k < COMMAND_OPTIONS_MAX && commands[i].options[k].name != NULL; ++k) {
      const struct command_option *o = &commands[i].options[k];
      if (o->value == NULL) {
        continue;
      }
      printf("    %s:--%s", commands[i].name, o->name);
      if (o->letter != 0) {
        printf("|%s:-%c", commands[i].name, o->letter);
      }
      printf(") ");
      put_values(o);
    }
  }
  printf("    *)\n      case ${COMP_WORDS[1]} in\n");
  for (int i = 0; i < command_count; ++i) {
    const struct command *c = &commands[i];
    printf("      %s) words='", c->name);
    for (int k = 0; k < COMMAND_OPTIONS_MAX && c->options[k].name != NULL; ++k) {
      printf("--%s ", c->options[k].name);
    }
    printf("--help'");
    if (strstr(c->words, "CASE") != NULL) {
      printf(" words+=\" $(names cases)\"");
    }
    if (strcmp(c->name, "describe") == 0) {
      printf(" words+=\" $(names cases; names formulations; names solvers; names figures; names "
             "studies)\"");
    }
    if (strstr(c->words, "FIGURE") != NULL) {
      printf(" words+=\" $(names figures; names studies)\"");
    }
    if (strcmp(c->name, "list") == 0) {
      printf(" words+=' cases formulations solvers figures studies'");
    }
    printf(" files=1 ;;\n");
  }
  printf("      esac ;;\n    esac\n  fi\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "  if [[ -n $files ]]; then COMPREPLY+=($(compgen -f -- \"$word\")); fi\n"
         "}\ncomplete -o filenames -F _coulombench coulombench\n");
}
