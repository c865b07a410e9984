/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of commands, their words and options: what getopt takes, what --help and the manual say
 * and what the shell completes are all made from it (command.h, manual.c).
 */
#include "command/command.h"

#define OUTPUT                                                                                     \
  { "output", 'o', "FILE|-", "where it goes; - is standard output" }
#define SET                                                                                        \
  { "set", 0, "KEY=VALUE", "a parameter of the case, of scenes by path (materials.steel.mu)" }
#define OPT                                                                                        \
  { "opt", 0, "KEY=VALUE", "an option of the formulation, its solver or the loop around it" }

const struct command commands[] = {
    {"list",
     command_list,
     "[cases|formulations|solvers|figures|studies]",
     "what there is",
     {{"json", 0, NULL, "as JSON"}, {"markdown", 0, NULL, "as tables in Markdown"}}},
    {"describe",
     command_describe,
     "NAME|SCENE.json",
     "a case, formulation, solver or figure with all options; a scene; coulombench.scene/1, "
     "coulombench.problem/1, coulombench.suite/1, coulombench.figure/1, coulombench.simulate/1, "
     "coulombench.result/2: "
     "their JSON Schema; "
     "compare: what it measures differences by",
     {{"json", 0, NULL, "of a case, formulation, solver or figure: as JSON"},
      {"svg", 0, NULL, "of a case or scene: a sketch of its initial state, as SVG"}}},
    {"run",
     command_run,
     "CASE|SCENE.json -f FORMULATION",
     "one run, one record; without -o in ten lines",
     {{"formulation", 'f', "FORMULATION", "the time stepper"},
      {"solver", 's', "SOLVER",
       "of its one-step problems; exec:COMMAND: a program that gets "
       "the problem as JSON and prints the solution"},
      {"dt", 0, "H", "step [s]"},
      {"t-end", 0, "T", "horizon [s]"},
      SET,
      OPT,
      {"sample", 0, "DT", "a trajectory in the record, every DT [s]"},
      {"time-limit", 0, "S",
       "wall time [s], beyond it status timeout; the reference has as long again, beyond it no "
       "errors"},
      {"repeat", 0, "N",
       "take times N times, each of whole runs that last 0.2 s together; the record has all, their "
       "median and quartiles"},
      {"ensemble", 0, "phase=N,rotation=N,start=X,seed=K",
       "the run many times over, with N lengths of its first step, N rotations of the case as a "
       "whole, starts moved by X of length and speed"},
      {"search", 0, "PARAM=LO,HI[,TOL]",
       "where a parameter, or dt, changes whether conditions hold, to TOL (HI - LO), of dt to TOL "
       "dt "
       "(1e-6); LO,HI[,LIMIT[,TOL]] is short for dt=LO,HI,TOL (0.02) --until stable --until "
       "'quality.measures.position<LIMIT' (0.1; 0: stable alone)"},
      {"until", 0, "CONDITION",
       "KEY<X, |KEY|>X ... of the record, status=STATUS, or stable; twice for two, the record "
       "being "
       "that of the last"},
      {"dump-problems", 0, "N[:DIR]",
       "every N-th one-step problem of impulse stepping as a file in DIR (.)"},
      {"format", 0, "json|fclib", "of these: ours, or FCLIB's (HDF5)"},
      {"checkpoint", 0, "FILE", "all that is needed to go on with --restart"},
      {"checkpoint-every", 0, "T", "of simulated time [s]; a tenth of the run"},
      {"restart", 0, "FILE", "go on from a checkpoint, with the same command"},
      {"start", 0, "FILE",
       "the state in a checkpoint as the initial one, at t = 0, of a run with any step, "
       "formulation and options"},
      {"vtk", 0, "DIR[:DT]", "frames for ParaView, every DT (a hundredth of the run)"},
      {"film", 0, "FILE[:N]",
       "N sketches (6) of the run in a row with the forces of contacts, as SVG"},
      OUTPUT}},
    {"solve",
     command_solve,
     "PROBLEM -s SOLVER",
     "one one-step problem: ours, FCLIB's (HDF5) or Siconos' text",
     {{"solver", 's', "SOLVER", "or exec:COMMAND"},
      {"law", 0, "LAW", "another contact law than the file's"},
      {"tol", 0, "T", "of the law's residual, over that of no impulses"},
      {"max-iter", 0, "N", "iterations"},
      OPT,
      {"warm", 0, "FILE", "start from an earlier solution"},
      {"history", 0, NULL, "residual and time of the solver after each iteration"},
      OUTPUT}},
    {"bench",
     command_bench,
     "SUITE",
     "a suite: default, quick, medium, full, paper or a .json file",
     {{"jobs", 'j', "N", "runs at a time, one that asks for threads counted as so many"},
      {"resume", 0, NULL,
       "leave out what has its result by the same input, options, sources and libraries"},
      {"dry-run", 0, NULL, "list the cells and their commands, and run none"},
      {"missing", 0, NULL,
       "list those that have no result yet, by the same measure; exit status 1 where there are "
       "any"},
      {"estimate", 0, NULL, "say what these take: cells, time of a processor, memory, disk"},
      {"references", 0, NULL,
       "make the references that cells share and no record, once before its parts are run"},
      {"shard", 0, "I/N", "part I of N that take about the same time, by estimate"},
      {"output", 'o', "DIR", "folder of the records; results/SUITE"}}},
    {"figure",
     command_figure,
     "FIGURE|FILE.json [FOLDER]",
     "one figure: its runs, its drawing, its values; a study: of the records in FOLDER",
     {{"jobs", 'j', "N", "processes; as many as there are processors"},
      {"output", 'o', "DIR", "for records and drawing; results/<id>"}}},
    {"report",
     command_report,
     "DIR",
     "figures, tables and one page from a folder of records",
     {{"suite", 0, "SUITE", "which figures and studies; that of which bench left a copy in DIR"},
      {"so-far", 0, NULL,
       "the suite is still being run: figures whose records are not there are to come"},
      {"width", 0, "MM",
       "figures for print in figures-<MM>mm/ in place of the page: so wide (60 to 250; columns "
       "have "
       "85 and 170), without titles, letters of 7 pt and more"},
      {"against", 0, "DIR",
       "what changed from that folder to the first: statuses, then the overview as ratios; in "
       "against/"},
      {"output", 'o', "DIR", "where figures/ and report/ go; the folder itself"}}},
    {"papers",
     command_papers,
     "DIR",
     "what the papers state, item by item, beside what the figures in DIR/figures measured, and "
     "the "
     "verdicts",
     {{"paper", 0, "TAG", "of one paper"}}},
    {"table",
     command_table,
     "DIR|FILE...",
     "a row a record, by the name of its file (record) unless sorted",
     {{"columns", 0, "PATH[=TITLE],...",
       "paths into records (errors.q_linf, case.parameters.mu, final.u.vx); titles with units, "
       "'error [m]', or [] for none; without: of csv and json every field that is one value"},
      {"package", 0, "FOLDER",
       "records.csv with every such field, and datapackage.json with their types, units and "
       "meanings"},
      {"where", 0, "CONDITION",
       "PATH<X, PATH<=X, PATH>X, PATH>=X, |PATH|<X ..., PATH=A|B, PATH!=A|B; of several all must "
       "hold"},
      {"sort", 0, "PATH,-PATH,...", "rising, or falling"},
      {"pivot", 0, "PATH=VALUE[,REDUCTION]",
       "a row for all records that agree in the columns, and in it a column for each value of PATH "
       "with VALUE there (formulation.name=errors.q_linf); of several the median, mean, min, ..."},
      {"flatten", 0, NULL,
       "a row an entry of the columns that are lists (trajectory.t, trajectory.q.x)"},
      {"format", 0, "markdown|csv|latex|json", "markdown"},
      {"digits", 0, "N", "of numbers in Markdown and LaTeX; 3"},
      {"output", 'o', "FILE", "where it goes; standard output"}}},
    {"compare",
     command_compare,
     "A B",
     "two records or two folders of records: a verdict, then the rows",
     {{"tol", 0, "T", "largest difference over the scale of its block (describe compare)"},
      {"ignore", 0, "KEY", "a path in the records (final.impulses, checks[].what)"},
      {"verbose", 0, NULL, "all rows and every entry"}}},
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
     {{"output", 'o', "FILE.tar", "where it goes; <DIR>.tar here"}}},
    {"verify",
     command_verify,
     "BUNDLE",
     "check such an archive, and run a sample of its cells again: a line a cell, exit status 1 "
     "where "
     "one gives something else than its record",
     {{"sample", 0, "N", "how many, drawn by lot; 10"},
      {"seed", 0, "S", "of the lot; 1"},
      {"all", 0, NULL, "all of them"},
      {"limit", 0, "S", "leave those out whose records took longer [s]; 60"}}},
    {"scene",
     command_scene,
     "--family FAMILY --seed SEED|--list|--twins DIR...",
     "a scene of a family, its parameters drawn by seed: the same bytes everywhere",
     {{"family", 0, "FAMILY", "of --list, or all"},
      {"seed", 0, "S", "from 1 on, or several, 1..60"},
      {"list", 0, NULL, "families with what they draw, in which ranges"},
      {"twins", 0, NULL,
       "pairs of records in the folders (bench, with sample) whose motions are alike up to "
       "rotation and the scales of length and time; exit status 1 where there are any"},
      {"output", 'o', "FILE|FOLDER",
       "where it goes, standard output without; of several FOLDER/FAMILY/SEED.json"}}},
};
const int command_count = sizeof commands / sizeof *commands;
