/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command line: the commands by name, and their help; what they do is in command/. Exit status:
 * 0 done, 1 a bad status or a difference, 2 usage or bad input (one line on standard error that
 * names file, key and reason), 3 internal, or no memory where no record can say so.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "bench/record/provenance.h"
#include "command/command.h"
#include "la/dense.h"

/* What each command takes and does; printed by --help, all of it or one command's. */
static const char list_usage[] = "  list [cases|formulations|solvers|figures] [--json|--markdown]\n"
                                 "                                       what there is\n";
static const char describe_usage[] =
    "  describe NAME|SCENE.json             a case, formulation, solver or figure, all options; a\n"
    "                                       scene; coulombench.scene/1, .suite/1, .result/2:\n"
    "                                       their JSON Schema; compare: what it measures\n"
    "                                       differences by\n";
static const char run_usage[] =
    "  run CASE|SCENE.json -f FORMULATION [-s SOLVER] [--dt H] [--t-end T] [--set key=value]...\n"
    "      [--opt key=value]... [--sample DT] [--time-limit S] [--repeat N]\n"
    "      [--ensemble phase=N,rotation=N,start=X,seed=K]\n"
    "      [--search LO,HI[,LIMIT[,RATIO]]] [--search PARAM=LO,HI[,TOL] --until CONDITION]\n"
    "      [--dump-problems N[:DIR] [--format json|fclib]] [-o FILE|-]\n"
    "      [--checkpoint FILE [--checkpoint-every T]] [--restart FILE] [--start FILE]\n"
    "      [--vtk DIR[:DT]]\n"
    "                                       one run, one record; without -o in ten lines;\n"
    "                                       --set: parameters of the case,\n"
    "                                       of scenes by path (materials.steel.mu=0.2),\n"
    "                                       --opt: options of the formulation and its solver,\n"
    "                                       --sample: a trajectory in the record every DT,\n"
    "                                       --time-limit: wall time, beyond it status timeout;\n"
    "                                       the reference has as long again, beyond it no errors,\n"
    "                                       --repeat: times are taken N times, each of whole runs\n"
    "                                       that last 0.2 s together; the record has all, their\n"
    "                                       median and quartiles,\n"
    "                                       --ensemble: the run many times over, with N lengths\n"
    "                                       of its first step, N rotations of the case as a\n"
    "                                       whole, starts moved by X of length and speed,\n"
    "                                       --search: the largest step in [LO, HI] whose error\n"
    "                                       stays below LIMIT times the system's length (0.1),\n"
    "                                       to a factor RATIO (1.02), and the largest that does\n"
    "                                       not diverge; with --until: where in [LO, HI], to\n"
    "                                       TOL (HI - LO) (1e-6), a parameter changes whether\n"
    "                                       KEY<X, |KEY|>X ... of the record or status=STATUS\n"
    "                                       holds,\n"
    "                                       --dump-problems: every N-th one-step problem of\n"
    "                                       impulse stepping as a file in DIR (.), ours or\n"
    "                                       FCLIB's (HDF5),\n"
    "                                       --checkpoint: all that is needed to go on, every T\n"
    "                                       (a tenth of the run), with the same command and\n"
    "                                       --restart, --start: the state in a checkpoint as the\n"
    "                                       initial one, at t = 0, of a run with any step,\n"
    "                                       formulation and options, --vtk: frames for ParaView,\n"
    "                                       every DT (a hundredth of the run)\n";
static const char solve_usage[] =
    "  solve PROBLEM -s SOLVER [--law LAW] [--tol T] [--max-iter N] [--opt key=value]...\n"
    "      [--warm FILE] [-o FILE|-]        one one-step problem: ours, FCLIB's (HDF5) or\n"
    "                                       Siconos' text;\n"
    "                                       --warm: start from an earlier solution;\n"
    "                                       -s exec:COMMAND (here, in run and in suites): a\n"
    "                                       program that gets the problem as JSON on standard\n"
    "                                       input and prints the solution\n";
static const char bench_usage[] =
    "  bench SUITE [-j N] [--resume] [--shard I/N] [-o DIR]\n"
    "                                       a suite (quick, full, paper or a .json file); -j: "
    "runs\n"
    "                                       at a time, one that asks for threads counted as so\n"
    "                                       many, --resume: leave out what has its result by the\n"
    "                                       same input, options, sources and libraries,\n"
    "                                       --shard: every N-th run from the I-th on\n";
static const char report_usage[] =
    "  report DIR [--suite SUITE] [-o DIR]  figures, tables and one page from a folder of records\n"
    "  report DIR --against DIR [-o DIR]    what changed from the second folder to the first:\n"
    "                                       statuses, then the overview as ratios\n";
static const char papers_usage[] =
    "  papers DIR [--paper TAG]             what the papers state, item by item, beside what the\n"
    "                                       figures in DIR/figures measured, and the verdicts\n";
static const char table_usage[] =
    "  table DIR|FILE... --columns PATH[=TITLE],... [--where CONDITION]... [--sort PATH,-PATH...]\n"
    "      [--format markdown|csv|latex|json] [--digits N] [-o FILE]\n"
    "                                       a row a record, sorted by the name of its file "
    "(`record`)\n"
    "                                       unless told otherwise (-PATH: falling);\n"
    "                                       PATH: into the record (errors.q_linf, final.u.vx,\n"
    "                                       case.parameters.mu); TITLE: with a unit, 'error [m]', "
    "or\n"
    "                                       [] for none; CONDITION: PATH<X, PATH<=X, PATH>X, "
    "PATH>=X,\n"
    "                                       |PATH|<X ..., PATH=A|B, PATH!=A|B; all must hold\n";
static const char compare_usage[] =
    "  compare A B [--tol T] [--noise C [--factor F]]... [--ignore KEY]... [--verbose]\n"
    "                                       two records or two folders of records: a verdict, "
    "then\n"
    "                                       the rows; --tol: largest difference over the scale of\n"
    "                                       its block (describe compare), --noise: records of A's\n"
    "                                       code under another BLAS kernel, whose differences "
    "from\n"
    "                                       A, times F (10), are allowed too, --ignore: a path in\n"
    "                                       the records (final.impulses, checks[].what)\n";
static const char check_usage[] =
    "  check FILE|CASE|SCENE.json... [--set key=value]...\n"
    "                                       validate records, suites, cases, scenes, problems,\n"
    "                                       solutions; of a case (by name) or a scene also the\n"
    "                                       model, by finite differences at random states: a line\n"
    "                                       a derivative, exit status 1 where one is wrong\n";

static const char usage_head[] =
    "coulombench: contact and friction formulations of rigid multibody dynamics, compared\n"
    "\n"
    "usage: coulombench COMMAND ...\n"
    "\n";
static const char usage_tail[] =
    "  COMMAND --help, --version, --help\n"
    "\n"
    "times in s, SI units throughout; -o - writes to standard output\n"
    "exit status: 0 done, 1 a bad status or a difference, 2 usage or bad input,\n"
    "             3 internal, or no memory where no record can say so\n"
    "example: coulombench run falling-particle -f ccp --dt 1e-3 --set mu=0.3 -o -\n";

static const struct {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *usage;
} commands[] = {{"list", command_list, list_usage},
                {"describe", command_describe, describe_usage},
                {"run", command_run, run_usage},
                {"solve", command_solve, solve_usage},
                {"bench", command_bench, bench_usage},
                {"report", command_report, report_usage},
                {"papers", command_papers, papers_usage},
                {"table", command_table, table_usage},
                {"compare", command_compare, compare_usage},
                {"check", command_check, check_usage}};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static int is_help(const char *word) {
  return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static void print_help(void) {
  fputs(usage_head, stdout);
  for (int i = 0; i < COMMAND_COUNT; ++i) {
    fputs(commands[i].usage, stdout);
  }
  fputs(usage_tail, stdout);
}

/* A command with its words; argv[0] is its name. */
static int run_command(int argc, char **argv) {
  const char *names[COMMAND_COUNT];
  for (int i = 0; i < COMMAND_COUNT; ++i) {
    names[i] = commands[i].name;
  }
  const int at = base_name_find("command", argv[0], COMMAND_COUNT, names);
  if (at < 0) {
    return command_usage();
  }
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; ++i) {
    if (is_help(argv[i])) {
      printf("usage: coulombench\n%s", commands[at].usage);
      return 0;
    }
  }
  return commands[at].run(argc, argv);
}

int main(int argc, char **argv) {
  la_start(argv);
  la_init();
  opterr = 0;
  signal(SIGPIPE, SIG_IGN); /* a closed pipe is then a write error, reported like any other */
  int result = 0;
  if (argc < 2) {
    base_fail(BASE_E_INPUT, "no command given");
    return command_usage();
  }
  if (is_help(argv[1]) || strcmp(argv[1], "help") == 0) {
    print_help();
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
