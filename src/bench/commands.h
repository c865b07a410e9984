/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sub-commands of the command line. All return a base_status; a negative one has set a message.
 *
 *   run/      one job: steps, and what is measured on the way; one-step problems
 *   reference/  what a run is held against, and its errors
 *   search/   the largest step, the parameter at which an outcome changes, by one bisection
 *   suite/    which jobs belong together, and carrying them out; what has its result already
 *   record/   what a run leaves behind, as JSON, and whether a file is one
 *   compare/  two records or folders of them held against each other
 *   table/    tables of records, as Markdown, CSV, LaTeX, JSON
 *   report/   figures, studies and the page, from records alone
 *   papers/   what the papers state beside what the figures measured
 *   export/   frames for ParaView, sketches
 *   generate/ scenes by family and seed
 *   bundle/   results as one archive, and one checked
 */
#ifndef BENCH_COMMANDS_H
#define BENCH_COMMANDS_H

#include "bench/check.h"
#include "bench/compare/request.h"
#include "bench/generate/generate.h"
#include "bench/papers/papers.h"
#include "bench/report/request.h"
#include "bench/run/selfcheck.h"
#include "bench/solve/solve.h"

/* What: "cases", "formulations", "solvers", "figures", or NULL for all; as lines, as one JSON
 * object, or as tables in Markdown. */
enum bench_list_format { BENCH_LIST_LINES, BENCH_LIST_JSON, BENCH_LIST_MARKDOWN };
int bench_list(const char *what, enum bench_list_format format);
/* Everything known about one name: a case, formulation, solver or figure; as JSON these alone. */
int bench_describe(const char *name, int as_json);
/* A scene from its file. */
int bench_describe_scene(const char *path);

#endif
