/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of a suite's keys; see keys.h.
 */
#include "bench/suite/keys.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "base/status.h"
#include "base/threads.h"
#include "bench/job/asked.h"
#include "bench/record/fields.h"
#include "bench/record/record.h"
#include "bench/suite/figures.h"

#define KEY(name_, help_, ...)                                                                     \
  { .name = name_, .help = help_, __VA_ARGS__ }
#define NEEDED .needs = BASE_ALWAYS
#define TEXT .types = BASE_TEXT
#define TEXTS TEXT, .forms = BASE_LIST
#define REAL .types = BASE_REAL, .range = BASE_NOT_NEGATIVE
/* A text is worked out from the parameters of the case. */
#define TIME_OR_TEXT .types = BASE_REAL | BASE_TEXT, .range = BASE_POSITIVE, .unit = "s"
#define SECONDS REAL, .unit = "s"
#define WHOLE(min_, max_) .types = BASE_WHOLE, .range = BASE_WITHIN, .min = (min_), .max = (max_)
#define VALUES .types = BASE_REAL | BASE_TEXT | BASE_FLAG, .forms = BASE_MAP
#define SWEPT VALUES | BASE_MAP_OF_LISTS, .length = BASE_NOT_EMPTY
#define SOLVER .types = BASE_TEXT | BASE_OBJECT, .in = &solver_table, .length = BASE_NOT_EMPTY

enum { REPEAT_MAX = 1024 };

static const struct base_key solver_keys[] = {
    KEY("exec", "command of a solver", TEXT, NEEDED),
    KEY("label", "its name in tables and curves", TEXT, NEEDED),
    {0}};
static const struct base_table solver_table = {.keys = solver_keys};

static int check_number(const cJSON *value) {
  return bench_field_may_be_number(value->valuestring)
             ? BASE_OK
             : base_fail(BASE_E_INPUT,
                         "'%s': no path of a number in records (describe " BENCH_RESULT_SCHEMA
                         " lists them)",
                         value->valuestring);
}

static const struct base_key study_keys[] = {
    KEY("study", "its name or path", TEXT, NEEDED),
    KEY("x", "a parameter of the case, an option of formulation or solver, or a path into records",
        TEXT, NEEDED),
    KEY("y", "a path of a number in records", TEXT, NEEDED, .check = check_number),
    {0}};
static const struct base_table study_table = {.keys = study_keys};

static const struct base_table ensemble_table = {.keys = &bench_ensemble_options[0].key,
                                                 .stride = sizeof *bench_ensemble_options};

static const char *study_name(int i) {
  int n = 0;
  const struct bench_figure *studies = bench_studies(&n);
  return studies != NULL && i < n ? studies[i].id : NULL;
}

/* Cells of runs, and of one-step problems. */
static const char *cell_kind(int i) {
  static const char *const kinds[] = {"case", "problems", NULL};
  return kinds[i];
}
enum { RUNS = 1, PROBLEMS = 2 };
#define OF(kinds_) .of = (kinds_)
static const struct base_key cell_keys[] = {
    KEY("case", "a case, the file of a scene, or \"others\": each case that no other cell names",
        TEXT, OF(RUNS)),
    KEY("formulations", "\"all\" that take the solver, if one is named", TEXTS, OF(RUNS),
        .words = "all", .length = BASE_NOT_EMPTY),
    KEY("except", "formulations left out of all", TEXTS, OF(RUNS)),
    KEY("solver", "of the one-step problems; a list is swept", SOLVER, OF(RUNS),
        .forms = BASE_ONE | BASE_LIST),
    KEY("dt", "step; a list is swept", TIME_OR_TEXT, OF(RUNS), .forms = BASE_ONE | BASE_LIST,
        .length = BASE_NOT_EMPTY),
    KEY("t_end", "horizon", TIME_OR_TEXT, OF(RUNS)),
    KEY("sample", "a trajectory in the record, every so often", TIME_OR_TEXT, OF(RUNS)),
    KEY("set", "parameters of the case; lists are swept", SWEPT, OF(RUNS)),
    KEY("opt", "options of formulation and solver; lists are swept", SWEPT, OF(RUNS)),
    KEY("label", "tells cells apart, in the names of their records", TEXT, .needs = PROBLEMS),
    KEY("study", "for which the cells are made; they stand in no other", TEXT, OF(RUNS),
        .choice = study_name),
    KEY("expect", "statuses in which the cells are to end, each of which must occur; else ok", TEXT,
        OF(RUNS), .forms = BASE_ONE | BASE_LIST | BASE_MAP | BASE_MAP_OF_LISTS,
        .length = BASE_NOT_EMPTY, .choice = bench_status_choice),
    KEY("search", "as --search has it: of dt in place of dt", TEXT, OF(RUNS)),
    KEY("until", "as --until has it; a list of two", TEXT, .forms = BASE_ONE | BASE_LIST,
        .length = BASE_NOT_EMPTY, OF(RUNS)),
    KEY("over", "lists whose words stand as {name} in texts of the cell", .types = BASE_OBJECT,
        OF(RUNS)),
    KEY("record", "of figures: a record that is kept with the case, in place of a run", TEXT,
        OF(RUNS)),
    KEY("threads", "of parallel solvers, swept", WHOLE(1, BASE_THREADS_MAX), OF(RUNS),
        .forms = BASE_LIST, .length = BASE_NOT_EMPTY),
    KEY("time_limit", "of a run or solve, in place of the suite's; 0: none", SECONDS),
    KEY("repeat", "how often times are taken; 0: of one run", WHOLE(0, REPEAT_MAX), OF(RUNS)),
    KEY("ensemble", "each cell as many runs, varied", .types = BASE_OBJECT, .in = &ensemble_table,
        OF(RUNS)),
    KEY("problems",
        "a folder of one-step problems or one of them, or $VARIABLE of the environment that names "
        "it",
        TEXT, OF(PROBLEMS)),
    KEY("laws", "contact laws to solve them under; \"raw\": LCPs without contacts, as they are",
        TEXTS, OF(PROBLEMS), .needs = PROBLEMS, .length = BASE_NOT_EMPTY),
    KEY("solvers", "\"all\": the program's own", SOLVER, OF(PROBLEMS), .needs = PROBLEMS,
        .forms = BASE_LIST, .words = "all"),
    KEY("opt", "options of the solvers; \"history\": true for the study convergence", VALUES,
        OF(PROBLEMS)),
    {0}};
const struct base_table bench_cell_keys = {.what = "cell", .keys = cell_keys, .kind = cell_kind};

/* Runs of a figure have its case unless they say another. */
static const char *run_kind(int i) { return i == 0 ? "label" : NULL; }
const struct base_table bench_run_keys = {.what = "run", .keys = cell_keys, .kind = run_kind};

static const struct base_key default_keys[] = {
    KEY("opt", "options of the formulation and its solver", VALUES), {0}};
static const struct base_table default_table = {.what = "default", .keys = default_keys};

static const struct base_key root_keys[] = {
    KEY("schema", "of this file", TEXT, NEEDED, .choices = BENCH_SUITE_SCHEMA),
    KEY("name", "also that of the folder of its results", TEXT, NEEDED),
    KEY("title", "", TEXT),
    KEY("time_limit", "of a run, and of its reference; 0: none", SECONDS),
    KEY("repeat", "how often times are taken, of cells that do not say", WHOLE(0, REPEAT_MAX)),
    KEY("cost",
        "processor time of all cells as measured, from which `bench` says how long they take",
        SECONDS),
    KEY("defaults", "by formulation, of cells that say no such key themselves",
        .types = BASE_OBJECT, .forms = BASE_MAP, .in = &default_table),
    KEY("extends", "a suite of the program's, whose cells and studies belong to this one too",
        TEXT),
    KEY("cells", "runs and one-step problems", .types = BASE_OBJECT, .forms = BASE_LIST,
        .in = &bench_cell_keys),
    KEY("figures", "of cases, with the runs that they need", TEXTS, .words = "all|none"),
    KEY("except", "figures left out of all, which the page names", TEXTS),
    KEY("studies", "drawn from all records by `report`", .types = BASE_TEXT | BASE_OBJECT,
        .forms = BASE_LIST, .in = &study_table),
    {0}};
const struct base_table bench_suite_keys = {.what = "suite", .keys = root_keys};
