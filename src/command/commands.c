/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of commands, their words and options: getopt, --help, the
 * manual and the shell's completion all use it (command.h, manual.c).
 */
#include "command/command.h"

#define OUTPUT                                                                                     \
  { "output", 'o', "FILE|-", "the output; - is standard output" }
#define SET                                                                                        \
  { "set", 0, "KEY=VALUE", "a parameter of the case; in a scene a path (materials.steel.mu)" }
#define OPT                                                                                        \
  { "opt", 0, "KEY=VALUE", "an option of the formulation, of its solver or of the solving loop" }

const struct command commands[] = {
    {"list",
     command_list,
     "[cases|formulations|solvers|figures|studies]",
     "the names of all cases, formulations, solvers, figures and studies",
     {{"json", 0, NULL, "as JSON"}, {"markdown", 0, NULL, "as tables in Markdown"}}},
    {"describe",
     command_describe,
     "NAME|SCENE.json",
     "a case, formulation, solver or figure with all options; a scene; coulombench.scene/1, "
     "coulombench.problem/1, coulombench.suite/1, coulombench.figure/1, coulombench.simulate/1, "
     "coulombench.result/2: their JSON Schema; compare: the scale of differences in a record",
     {{"json", 0, NULL, "a case, formulation, solver or figure as JSON"},
      {"svg", 0, NULL, "a sketch of the initial state of a case or scene, as SVG"}}},
    {"run",
     command_run,
     "CASE|SCENE.json -f FORMULATION",
     "one run: writes its record to -o; without -o prints a summary",
     {{"formulation", 'f', "FORMULATION", "the time stepper"},
      {"solver", 's', "SOLVER",
       "solver of its one-step problems; exec:COMMAND: a program that reads the problem as JSON "
       "and prints the solution"},
      {"dt", 0, "H", "step [s]"},
      {"t-end", 0, "T", "horizon [s]"},
      SET,
      OPT,
      {"sample", 0, "DT", "store the trajectory in the record, a sample every DT [s]"},
      {"time-limit", 0, "S",
       "limit of wall time [s]: a longer run ends with the status timeout; if the computation of "
       "its reference takes longer, the record has no errors"},
      {"repeat", 0, "N",
       "measure the time N times, each the mean of whole runs that together last 0.2 s; the record "
       "has all N, their median and quartiles"},
      {"ensemble", 0, "phase=N,rotation=N,start=X,seed=K",
       "repeat the run with N lengths of its first step, N rotations of the whole case, and a "
       "start perturbed by X of the system's length and speed"},
      {"search", 0, "PARAM=LO,HI[,TOL]",
       "bisect for the value of a parameter, or of dt, at which the condition ceases to hold, to "
       "TOL (HI - LO), for dt to TOL dt (default 1e-6); LO,HI[,LIMIT[,TOL]] stands for "
       "dt=LO,HI,TOL (default 0.02) --until stable --until 'quality.measures.position<LIMIT' "
       "(default 0.1); LIMIT 0 leaves out the second condition"},
      {"until", 0, "CONDITION",
       "KEY<X, |KEY|>X ... with KEY a path into the record, status=STATUS, or stable; if given "
       "twice, both values are searched, and the record is that of the second"},
      {"dump-problems", 0, "N[:DIR]",
       "write every N-th one-step problem of impulse stepping to DIR (default .)"},
      {"format", 0, "json|fclib", "format of these problems: ours, or FCLIB's (HDF5)"},
      {"checkpoint", 0, "FILE", "save the state of the run in FILE, for --restart"},
      {"checkpoint-every", 0, "T",
       "interval of checkpoints in simulated time [s]; default a tenth of the run"},
      {"restart", 0, "FILE",
       "continue the run from a checkpoint; all other arguments as in the first command"},
      {"start", 0, "FILE",
       "begin at t = 0 with the state of a checkpoint; step, formulation and options may differ"},
      {"vtk", 0, "DIR[:DT]",
       "frames for ParaView, one every DT [s] (default a hundredth of the run)"},
      {"film", 0, "FILE[:N]",
       "N sketches of the run in a row (default 6), with the forces of contacts, as SVG"},
      OUTPUT}},
    {"solve",
     command_solve,
     "PROBLEM -s SOLVER",
     "solve a one-step problem in our format, FCLIB's (HDF5) or Siconos' text",
     {{"solver", 's', "SOLVER", "a solver, or a program as exec:COMMAND"},
      {"law", 0, "LAW", "contact law; default that of the file"},
      {"tol", 0, "T", "tolerance of the law's residual over the residual of zero impulses"},
      {"max-iter", 0, "N", "largest number of iterations"},
      OPT,
      {"warm", 0, "FILE", "start from an earlier solution"},
      {"history", 0, NULL, "record the residual and the solver's time after each iteration"},
      OUTPUT}},
    {"bench",
     command_bench,
     "SUITE",
     "run a suite: default, quick, medium, full, paper ... or a .json file",
     {{"jobs", 'j', "N", "runs at a time; a run with several threads counts as so many"},
      {"resume", 0, NULL,
       "skip cells with a valid record of the same input, options, sources and libraries"},
      {"dry-run", 0, NULL, "list the cells and their commands without running them"},
      {"missing", 0, NULL,
       "list the cells that --resume would run; exit status 1 if there are any"},
      {"estimate", 0, NULL, "estimate these cells: number, processor time, memory, disk"},
      {"references", 0, NULL,
       "compute the references that cells share, and no records; run it once before --shard"},
      {"shard", 0, "I/N", "run part I of N; the parts are estimated to take equal times"},
      {"output", 'o', "DIR", "folder of the records; default results/SUITE"}}},
    {"figure",
     command_figure,
     "FIGURE|FILE.json [FOLDER]",
     "one figure: its runs, its drawing and its values; a study of the records in FOLDER",
     {{"jobs", 'j', "N", "processes; default the number of processors"},
      {"output", 'o', "DIR", "folder of records and drawing; default results/<id>"}}},
    {"report",
     command_report,
     "DIR",
     "figures, tables and one page from a folder of records",
     {{"suite", 0, "SUITE",
       "suite with the figures and studies; default the copy that bench stores in DIR"},
      {"so-far", 0, NULL,
       "for a suite that is still running: figures without records are listed as pending"},
      {"width", 0, "MM",
       "figures for print in figures-<MM>mm/ in place of the page: MM wide (60 to 250; one or two "
       "columns are 85 or 170), without titles, letters of at least 7 pt"},
      {"against", 0, "DIR",
       "changes from DIR to the first folder, in against/: statuses, then the overview as ratios"},
      {"output", 'o', "DIR", "folder of figures/ and report/; default the first folder"}}},
    {"papers",
     command_papers,
     "DIR",
     "each statement of the papers beside the value measured by the figures in DIR/figures, with "
     "verdicts",
     {{"paper", 0, "TAG", "one paper only"}}},
    {"table",
     command_table,
     "DIR|FILE...",
     "a table with a row per record, sorted by the name of the file (record)",
     {{"columns", 0, "PATH[=TITLE],...",
       "paths into records (errors.q_linf, case.parameters.mu, final.u.vx); TITLE has the unit, "
       "'error [m]', or [] for none; default in csv and json: every field with a single value"},
      {"package", 0, "FOLDER",
       "write records.csv with all fields of a single value, and datapackage.json with their "
       "types, units and meanings"},
      {"where", 0, "CONDITION",
       "an expression, or PATH<X, PATH<=X, PATH>X, PATH>=X, |PATH|<X ..., PATH=A|B, PATH!=A|B; "
       "if repeated, all conditions must hold"},
      {"sort", 0, "PATH,-PATH,...", "sort the rows, ascending or with - descending"},
      {"pivot", 0, "PATH=VALUE[,REDUCTION]",
       "one row for all records that agree in the columns, with VALUE in a column for each value "
       "of PATH (formulation.name=errors.q_linf); several records are reduced by median, mean, min "
       "or max"},
      {"flatten", 0, NULL,
       "a row per entry of columns that are lists (trajectory.t, trajectory.q.x)"},
      {"format", 0, "markdown|csv|latex|json", "format of the table; default markdown"},
      {"digits", 0, "N", "digits of numbers in Markdown and LaTeX; default 3"},
      {"output", 'o', "FILE", "the output; default standard output"}}},
    {"compare",
     command_compare,
     "A B",
     "compare two records or two folders of records: a verdict, then the records that differ",
     {{"tol", 0, "T",
       "largest accepted difference, over the scale of its block (describe compare)"},
      {"ignore", 0, "KEY", "leave out a path of the records (final.impulses, checks[].what)"},
      {"verbose", 0, NULL, "print all records and all entries"}}},
    {"check",
     command_check,
     "FILE|CASE|SCENE.json...",
     "validate records, suites, cases, scenes, problems, solutions; for a case (by name) or a "
     "scene also compare each derivative of the model with finite differences at random states: "
     "exit status 1 if one is wrong",
     {SET}},
    {"bundle",
     command_bundle,
     "DIR",
     "pack a folder of results as one archive with inputs, schemas, checksums and a description "
     "(RO-Crate); equal folders give equal bytes",
     {{"output", 'o', "FILE.tar", "the archive; default <DIR>.tar in the current folder"}}},
    {"verify",
     command_verify,
     "BUNDLE",
     "check such an archive and run a random sample of its cells again: a line per cell, exit "
     "status 1 if a run differs from its record",
     {{"sample", 0, "N", "number of cells in the sample; default 10"},
      {"seed", 0, "S", "seed of the sample; default 1"},
      {"all", 0, NULL, "run all cells"},
      {"limit", 0, "S", "skip cells whose records took longer [s]; default 60"}}},
    {"scene",
     command_scene,
     "--family FAMILY --seed SEED|--list|--twins DIR...",
     "draw a scene of a family; a seed gives the same bytes on every machine",
     {{"family", 0, "FAMILY", "a family of --list, or all"},
      {"seed", 0, "S", "a seed from 1 on, or a range, 1..60"},
      {"list", 0, NULL, "list the families, their random parameters and the ranges"},
      {"twins", 0, NULL,
       "list pairs of records with trajectories (bench, with sample) whose motions agree up to "
       "rotation and the scales of length and time; exit status 1 if there are any"},
      {"output", 'o', "FILE|FOLDER",
       "the output; default standard output; several scenes go to FOLDER/FAMILY/SEED.json"}}},
};
const int command_count = sizeof commands / sizeof *commands;
