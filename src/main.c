/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command line: commands by name; what they are and do is in command/. Exit status:
 * 0 done, 1 a bad status or a difference, 2 usage or bad input (one line on standard error that
 * names file, key and reason), 3 internal, or no memory where no record can say so.
 */
#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/names.h"
#include "base/status.h"
#include "bench/job/provenance.h"
#include "command/command.h"
#include "la/dense.h"

enum { COMMANDS_MAX = 32 };

static int is_help(const char *word) {
  return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* A command with its words, argv[0] its name: its exit status. */
static int run_command(int argc, char **argv) {
  const char *names[COMMANDS_MAX];
  assert(command_count <= COMMANDS_MAX);
  for (int i = 0; i < command_count; ++i) {
    names[i] = commands[i].name;
  }
  const int at = base_name_find("command", argv[0], command_count, names);
  if (at < 0) {
    return command_usage();
  }
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; ++i) {
    if (is_help(argv[i])) {
      printf("usage: coulombench\n");
      command_help(&commands[at]);
      return 0;
    }
  }
  struct command_given given = command_read(&commands[at], argc, argv);
  int code = 0;
  const int status = commands[at].run(&given, &code), is_usage = given.status != BASE_OK;
  base_arena_free(given.arena);
  return is_usage ? command_usage() : status != BASE_OK ? command_fail(status) : code;
}

/* A standard stream that is closed would become the next file opened, and be written to as what it
 * was. It becomes one that nothing can be read from or written to, so that what is said there is an
 * error still. */
static void open_streams(void) {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (fcntl(fd, F_GETFD) < 0 &&
        open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd) {
      _exit(EXIT_USAGE);
    }
  }
}

int main(int argc, char **argv) {
  open_streams();
  la_start();
  la_init();
  opterr = 0;
  signal(SIGPIPE, SIG_IGN); /* a closed pipe is then a write error, reported like any other */
  int result = 0;
  if (argc < 2) {
    base_fail(BASE_E_INPUT, "no command given");
    return command_usage();
  }
  if (is_help(argv[1]) || strcmp(argv[1], "help") == 0) {
    command_help_all();
  } else if (strcmp(argv[1], "--manual") == 0) {
    command_manual();
  } else if (strcmp(argv[1], "--completion") == 0) {
    command_completion();
  } else if (strcmp(argv[1], "--version") == 0) {
    printf("coulombench %s\n", bench_version());
  } else {
    result = run_command(argc - 1, argv + 1);
  }
  if ((fflush(stdout) != 0 || ferror(stdout)) && result < EXIT_USAGE) { /* not yet reported */
    fprintf(stderr, "coulombench: standard output: cannot write\n");
    return EXIT_USAGE;
  }
  return result;
}
