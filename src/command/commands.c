/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of commands, their words and options: what getopt takes, what --help and the manual say
 * and what the shell completes are all made from it (command.h, manual.c).
 */
#include <getopt.h>
#include <string.h>

#include "command/command.h"

#define OUTPUT                                                                                     \
  { "output", 'o', 1, "FILE|-", "where it goes; - is standard output" }
#define SET                                                                                        \
  { "set", 'S', 0, "KEY=VALUE", "a parameter of the case, of scenes by path (materials.steel.mu)" }
#define OPT                                                                                        \
  { "opt", 'O', 0, "KEY=VALUE", "an option of the formulation, its solver or the loop around it" }

const struct command commands[] = {
    {"list",
     command_list,
     "[cases|formulations|solvers|figures|studies]",
     "what there is",
     {{"json", 'J', 0, NULL, "as JSON"}, {"markdown", 'M', 0, NULL, "as tables in Markdown"}}},
    {"describe",
     command_describe,
     "NAME|SCENE.json",
     "a case, formulation, solver or figure with all options; a scene; coulombench.scene/1, "
     "coulombench.problem/1, coulombench.suite/1, coulombench.figure/1, coulombench.simulate/1, "
     "coulombench.result/2: "
     "their JSON Schema; "
     "compare: what it measures differences by",
     {{"json", 'J', 0, NULL, "of a case, formulation, solver or figure: as JSON"},
      {"svg", 'G', 0, NULL, "of a case or scene: a sketch of its initial state, as SVG"}}},
    {"run",
     command_run,
     "CASE|SCENE.json -f FORMULATION",
     "one run, one record; without -o in ten lines",
     {{"formulation", 'f', 1, "FORMULATION", "the time stepper"},
      {"solver", 's', 1, "SOLVER",
       "of its one-step problems; exec:COMMAND: a program that gets "
       "the problem as JSON and prints the solution"},
      {"dt", 'd', 0, "H", "step [s]"},
      {"t-end", 'e', 0, "T", "horizon [s]"},
      SET,
      OPT,
      {"sample", 'm', 0, "DT", "a trajectory in the record, every DT [s]"},
      {"time-limit", 'l', 0, "S",
       "wall time [s], beyond it status timeout; the reference has as long again, beyond it no "
       "errors"},
      {"repeat", 'r', 0, "N",
       "take times N times, each of whole runs that last 0.2 s together; the record has all, their "
       "median and quartiles"},
      {"ensemble", 'E', 0, "phase=N,rotation=N,start=X,seed=K",
       "the run many times over, with N lengths of its first step, N rotations of the case as a "
       "whole, starts moved by X of length and speed"},
      {"search", 'h', 0, "PARAM=LO,HI[,TOL]",
       "where a parameter, or dt, changes whether conditions hold, to TOL (HI - LO), of dt to TOL "
       "dt "
       "(1e-6); LO,HI[,LIMIT[,TOL]] is short for dt=LO,HI,TOL (0.02) --until stable --until "
       "'quality.measures.position<LIMIT' (0.1; 0: stable alone)"},
      {"until", 'u', 0, "CONDITION",
       "KEY<X, |KEY|>X ... of the record, status=STATUS, or stable; twice for two, the record "
       "being "
       "that of the last"},
      {"dump-problems", 'p', 0, "N[:DIR]",
       "every N-th one-step problem of impulse stepping as a file in DIR (.)"},
      {"format", 'F', 0, "json|fclib", "of these: ours, or FCLIB's (HDF5)"},
      {"checkpoint", 'c', 0, "FILE", "all that is needed to go on with --restart"},
      {"checkpoint-every", 'C', 0, "T", "of simulated time [s]; a tenth of the run"},
      {"restart", 'R', 0, "FILE", "go on from a checkpoint, with the same command"},
      {"start", 'b', 0, "FILE",
       "the state in a checkpoint as the initial one, at t = 0, of a run with any step, "
       "formulation and options"},
      {"vtk", 'v', 0, "DIR[:DT]", "frames for ParaView, every DT (a hundredth of the run)"},
      {"film", 'i', 0, "FILE[:N]",
       "N sketches (6) of the run in a row with the forces of contacts, as SVG"},
      OUTPUT}},
    {"solve",
     command_solve,
     "PROBLEM -s SOLVER",
     "one one-step problem: ours, FCLIB's (HDF5) or Siconos' text",
     {{"solver", 's', 1, "SOLVER", "or exec:COMMAND"},
      {"law", 'L', 0, "LAW", "another contact law than the file's"},
      {"tol", 't', 0, "T", "of the law's residual, over that of no impulses"},
      {"max-iter", 'n', 0, "N", "iterations"},
      OPT,
      {"warm", 'w', 0, "FILE", "start from an earlier solution"},
      {"history", 'H', 0, NULL, "residual and time of the solver after each iteration"},
      OUTPUT}},
    {"bench",
     command_bench,
     "SUITE",
     "a suite: default, quick, medium, full, paper or a .json file",
     {{"jobs", 'j', 1, "N", "runs at a time, one that asks for threads counted as so many"},
      {"resume", 'r', 0, NULL,
       "leave out what has its result by the same input, options, sources and libraries"},
      {"dry-run", 'd', 0, NULL, "list the cells and their commands, and run none"},
      {"missing", 'm', 0, NULL,
       "list those that have no result yet, by the same measure; exit status 1 where there are "
       "any"},
      {"estimate", 'e', 0, NULL, "say what these take: cells, time of a processor, memory, disk"},
      {"references", 'R', 0, NULL,
       "make the references that cells share and no record, once before its parts are run"},
      {"shard", 'h', 0, "I/N", "part I of N that take about the same time, by estimate"},
      {"output", 'o', 1, "DIR", "folder of the records; results/SUITE"}}},
    {"figure",
     command_figure,
     "FIGURE|FILE.json [FOLDER]",
     "one figure: its runs, its drawing, its values; a study: of the records in FOLDER",
     {{"jobs", 'j', 1, "N", "processes; as many as there are processors"},
      {"output", 'o', 1, "DIR", "for records and drawing; results/<id>"}}},
    {"report",
     command_report,
     "DIR",
     "figures, tables and one page from a folder of records",
     {{"suite", 'u', 0, "SUITE",
       "which figures and studies; that of which bench left a copy in DIR"},
      {"so-far", 's', 0, NULL,
       "the suite is still being run: figures whose records are not there are to come"},
      {"width", 'w', 0, "MM",
       "figures for print in figures-<MM>mm/ in place of the page: so wide (60 to 250; columns "
       "have "
       "85 and 170), without titles, letters of 7 pt and more"},
      {"against", 'a', 0, "DIR",
       "what changed from that folder to the first: statuses, then the overview as ratios; in "
       "against/"},
      {"output", 'o', 1, "DIR", "where figures/ and report/ go; the folder itself"}}},
    {"papers",
     command_papers,
     "DIR",
     "what the papers state, item by item, beside what the figures in DIR/figures measured, and "
     "the "
     "verdicts",
     {{"paper", 'p', 0, "TAG", "of one paper"}}},
    {"table",
     command_table,
     "DIR|FILE...",
     "a row a record, by the name of its file (record) unless sorted",
     {{"columns", 'c', 0, "PATH[=TITLE],...",
       "paths into records (errors.q_linf, case.parameters.mu, final.u.vx); titles with units, "
       "'error [m]', or [] for none; without: of csv and json every field that is one value"},
      {"package", 'P', 0, "FOLDER",
       "records.csv with every such field, and datapackage.json with their types, units and "
       "meanings"},
      {"where", 'w', 0, "CONDITION",
       "PATH<X, PATH<=X, PATH>X, PATH>=X, |PATH|<X ..., PATH=A|B, PATH!=A|B; of several all must "
       "hold"},
      {"sort", 's', 0, "PATH,-PATH,...", "rising, or falling"},
      {"pivot", 'p', 0, "PATH=VALUE[,REDUCTION]",
       "a row for all records that agree in the columns, and in it a column for each value of PATH "
       "with VALUE there (formulation.name=errors.q_linf); of several the median, mean, min, ..."},
      {"flatten", 'l', 0, NULL,
       "a row an entry of the columns that are lists (trajectory.t, trajectory.q.x)"},
      {"format", 'f', 0, "markdown|csv|latex|json", "markdown"},
      {"digits", 'd', 0, "N", "of numbers in Markdown and LaTeX; 3"},
      {"output", 'o', 1, "FILE", "where it goes; standard output"}}},
    {"compare",
     command_compare,
     "A B",
     "two records or two folders of records: a verdict, then the rows",
     {{"tol", 't', 0, "T", "largest difference over the scale of its block (describe compare)"},
      {"ignore", 'i', 0, "KEY", "a path in the records (final.impulses, checks[].what)"},
      {"verbose", 'v', 0, NULL, "all rows and every entry"}}},
    {"check",
     command_check,
     "FILE|CASE|SCENE.json...",
     "validate records, suites, cases, scenes, problems, solutions; of a case (by name) or a scene "
     "also the model, by finite differences at random states: a line a derivative, exit status 1 "
     "where one is wrong",
     {SET}},
    {"bundle",
     command_bundle,
     "DIR",
     "a folder of results as one archive: with inputs, schemas, checksums and a description "
     "(RO-Crate); the same bytes for the same folder",
     {{"output", 'o', 1, "FILE.tar", "where it goes; <DIR>.tar here"}}},
    {"verify",
     command_verify,
     "BUNDLE",
     "check such an archive, and run a sample of its cells again: a line a cell, exit status 1 "
     "where "
     "one gives something else than its record",
     {{"sample", 'n', 0, "N", "how many, drawn by lot; 10"},
      {"seed", 's', 0, "S", "of the lot; 1"},
      {"all", 'a', 0, NULL, "all of them"},
      {"limit", 'l', 0, "S", "leave those out whose records took longer [s]; 60"}}},
    {"scene",
     command_scene,
     "--family FAMILY --seed SEED|--list|--twins DIR...",
     "a scene of a family, its parameters drawn by seed: the same bytes everywhere",
     {{"family", 'f', 0, "FAMILY", "of --list, or all"},
      {"seed", 's', 0, "S", "from 1 on, or several, 1..60"},
      {"list", 'L', 0, NULL, "families with what they draw, in which ranges"},
      {"twins", 'T', 0, NULL,
       "pairs of records in the folders (bench, with sample) whose motions are alike up to "
       "rotation and the scales of length and time; exit status 1 where there are any"},
      {"output", 'o', 1, "FILE|FOLDER",
       "where it goes, standard output without; of several FOLDER/FAMILY/SEED.json"}}},
};
const int command_count = sizeof commands / sizeof *commands;

/* NULL: none of that name. */
static const struct command *find_command(const char *name) {
  for (int i = 0; i < command_count; ++i) {
    if (strcmp(commands[i].name, name) == 0) {
      return &commands[i];
    }
  }
  return NULL;
}

int command_next_option(int argc, char **argv) {
  const struct command *command = find_command(argv[0]);
  struct option options[COMMAND_OPTIONS_MAX + 1] = {{0}};
  char letters[2 * COMMAND_OPTIONS_MAX + 2] = ":", *letter = letters + 1;
  for (int i = 0; i < COMMAND_OPTIONS_MAX && command->options[i].name != NULL; ++i) {
    const struct command_option *o = &command->options[i];
    options[i].name = o->name;
    options[i].has_arg = o->value != NULL ? required_argument : no_argument;
    options[i].val = (unsigned char)o->code;
    if (o->is_short) {
      *letter++ = o->code;
      *letter++ = ':';
    }
  }
  return getopt_long(argc, argv, letters, options, NULL);
}
