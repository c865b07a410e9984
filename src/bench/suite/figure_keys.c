/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of a figure's keys; see keys.h. What is made of them: bench/figure/file.h, of those of
 * a study bench/figure/study.h.
 */
#include <cjson/cJSON.h>
#include <string.h>

#include "base/memory/arena.h"
#include "base/names.h"
#include "base/status.h"
#include "bench/suite/figures.h"
#include "bench/suite/keys.h"

#define KEY(name_, help_, ...)                                                                     \
  { .name = name_, .help = help_, __VA_ARGS__ }
#define NEEDED .needs = BASE_ALWAYS
#define OF(kinds_) .of = (kinds_)
#define TEXT .types = BASE_TEXT
#define TEXTS TEXT, .forms = BASE_LIST, .length = BASE_NOT_EMPTY
#define FLAG .types = BASE_FLAG
#define REAL .types = BASE_REAL
#define WHOLE(min_, max_) .types = BASE_WHOLE, .range = BASE_WITHIN, .min = (min_), .max = (max_)
#define EXPRESSION .types = BASE_TEXT | BASE_REAL
#define LABELS TEXT, .forms = BASE_ONE | BASE_LIST, .length = BASE_NOT_EMPTY
#define OBJECT(in_) .types = BASE_OBJECT, .in = &(in_)
#define OBJECTS(in_) OBJECT(in_), .forms = BASE_LIST, .length = BASE_NOT_EMPTY
/* A column by its title or number. */
#define COLUMN                                                                                     \
  .types = BASE_TEXT | BASE_WHOLE, .range = BASE_WITHIN, .min = 1, .max = COLUMNS_MAX, OF(CURVE)

enum { COLUMNS_MAX = 1000, ABREAST_MAX = 6, NEXT_MAX = 100, ROWS_MAX = 1000000 };

/* ---- checks of one value ---- */

static int check_id(const cJSON *id) {
  struct base_arena *arena = base_arena_alloc();
  const int is_name = strcmp(id->valuestring, base_name_clean(id->valuestring, arena)) == 0 &&
                      id->valuestring[0] != '.';
  base_arena_free(arena);
  return is_name ? BASE_OK : base_fail(BASE_E_INPUT, "'%s' cannot name a file", id->valuestring);
}

static int check_runs(const cJSON *runs) {
  const cJSON *cell;
  int is_one = !cJSON_IsObject(runs);
  cJSON_ArrayForEach(cell, runs) { is_one = is_one && cJSON_IsObject(cell); }
  return is_one ? BASE_OK
                : base_fail(BASE_E_INPUT,
                            "must be a list of cells, or the id of another figure of the case");
}

/* Words are handed on in one text, between quotes. */
static int check_words(const cJSON *words) {
  const cJSON *word;
  cJSON_ArrayForEach(word, words) {
    if (strchr(word->valuestring, '\'') != NULL) {
      return base_fail(BASE_E_INPUT, "must be words without a quote");
    }
  }
  return BASE_OK;
}

static int check_ends(const cJSON *interval) {
  const cJSON *lo = interval->child, *hi = lo->next;
  return cJSON_IsNumber(lo) && cJSON_IsNumber(hi) && lo->valuedouble > hi->valuedouble
             ? base_fail(BASE_E_INPUT, "its ends are exchanged")
             : BASE_OK;
}
#define BOUNDS EXPRESSION, .forms = BASE_LIST, .length = 2, .check = check_ends
#define WORDS TEXTS, .check = check_words

/* ---- tables ---- */

static const struct base_key table_keys[] = {
    KEY("of", "label of the runs that there is one of, * for anything; none: of no run", LABELS),
    KEY("columns", "expressions by their titles", TEXT, .forms = BASE_MAP, NEEDED),
    {0}};
static const struct base_table table_table = {.what = "table", .keys = table_keys};

static const struct base_key query_keys[] = {
    KEY("from",
        "records, runs, compared, quantities, searches, solutions, values, published, before, "
        "STUDY.TABLE, or a table before this one; records without it",
        TEXT),
    KEY("columns", "paths into records, and what the source computes", TEXTS),
    KEY("transform", "of its rows", .types = BASE_OBJECT, .forms = BASE_LIST),
    {0}};
static const struct base_table query_table = {.what = "table", .keys = query_keys};

/* ---- values ---- */

#define CLAIM                                                                                      \
  KEY("value", "an expression or a number", EXPRESSION, NEEDED),                                   \
      KEY("bounds", "what is claimed; without them the value is a report", BOUNDS),                \
      KEY("expected", "what theory or we say", TEXT),                                              \
      KEY("published", "what the source prints, and where", TEXT),                                 \
      KEY("differs", "why it is not what is published", TEXT),                                     \
      KEY("source", "what is published, within its digits; with \"differs\"", BOUNDS),             \
      KEY("schematic", "the source draws it without a scale", FLAG),                               \
      KEY("note", "of a report", TEXT)

static const struct base_key value_keys[] = {
    KEY("name", "with {names} of its run", TEXT, NEEDED),
    KEY("of", "label of the runs that it is about, * for anything; none: of no run", LABELS),
    CLAIM,
    {0}};
static const struct base_table value_table = {.what = "value", .keys = value_keys};

static const struct base_key answer_keys[] = {
    KEY("name", "", TEXT, NEEDED),
    KEY("table", "whose columns are the names in the value", TEXT, NEEDED),
    CLAIM,
    {0}};
static const struct base_table answer_table = {.what = "value", .keys = answer_keys};

/* ---- panels ---- */

/* A curve of a table, or a line: a power law, or a rule at an x. */
static const char *layer_kind(int i) {
  static const char *const kinds[] = {"table", "", NULL};
  return kinds[i];
}
enum { CURVE = 1, LINE = 2 };
static const struct base_key layer_keys[] = {
    KEY("mark", "line without it; a rule of a table is a level at its y", TEXT,
        .choices = "line|linespoint|point|impulse|bar|rule|band|errorbar|text|rect|frame"),
    KEY("table", "", TEXT, OF(CURVE)),
    KEY("x", "name or number of a column", COLUMN),
    KEY("x", "where a rule stands", REAL, OF(LINE)),
    KEY("y", "name or number of a column", COLUMN, .needs = CURVE),
    KEY("y2", "other end of bands and error bars", COLUMN),
    KEY("x2", "other end of error bars across", COLUMN),
    KEY("note", "number above bars, and of texts; of a study also words", COLUMN),
    KEY("color",
        "a formulation, solver, reference, limit, mark, a colour; of a study a column, each of "
        "whose values has a curve",
        TEXT, NEEDED),
    KEY("detail", "of a study a column, each of whose values has a curve", TEXT, OF(CURVE)),
    KEY("title", "in the key; of a study also a column", TEXT),
    KEY("dash", "", FLAG),
    KEY("interpolate", "of lines; step-after: level up to the next point", TEXT,
        .choices = "linear|step-after", OF(CURVE)),
    KEY("every", "of linespoint: rows from point to point", WHOLE(1, ROWS_MAX), OF(CURVE)),
    KEY("width", "of the line", REAL),
    KEY("factor", "of y; of a power law its constant", REAL),
    KEY("x_factor", "of x", REAL),
    KEY("power", "of a law, and of a level", REAL),
    KEY("each", "a curve for each word, which stands for {}", WORDS),
    KEY("next", "columns from word to word", WHOLE(0, NEXT_MAX)),
    {0}};
static const struct base_table layer_table = {
    .what = "layer", .keys = layer_keys, .kind = layer_kind};

#define AXIS                                                                                       \
  KEY("title", "with the unit", TEXT),                                                             \
      KEY("domain", "from and to; else by the data", REAL, .forms = BASE_LIST, .length = 2)
#define SCALE KEY("scale", "", TEXT, .choices = "linear|log")
#define QUERY_SCALE                                                                                \
  KEY("scale", "auto: log where positive numbers span much", TEXT, .choices = "linear|log|auto"),  \
      KEY("shared", "as far as the data of all facets", FLAG)
#define LEAST KEY("least", "|y| is drawn, and what is below this at it", REAL)

#define X_NAMES KEY("names", "of x = 0, 1, 2, ...", WORDS)
static const struct base_key x_keys[] = {AXIS, SCALE, X_NAMES, {0}};
static const struct base_key x_query_keys[] = {
    AXIS,
    QUERY_SCALE,
    KEY("names", "of x = 0, 1, 2, ..., or a column that names x = 1, 2, ... above the panel", TEXT,
        .forms = BASE_ONE | BASE_LIST, .length = BASE_NOT_EMPTY),
    {0}};
static const struct base_key y_keys[] = {AXIS, SCALE, LEAST, {0}};
static const struct base_key y_query_keys[] = {
    AXIS, QUERY_SCALE, LEAST, KEY("names", "a column that names y = 1, 2, ...", TEXT), {0}};
static const struct base_table x_table = {.what = "axis", .keys = x_keys},
                               x_query_table = {.what = "axis", .keys = x_query_keys},
                               y_table = {.what = "axis", .keys = y_keys},
                               y_query_table = {.what = "axis", .keys = y_query_keys};

#define PANEL(x_, y_)                                                                              \
  KEY("head", "above it", TEXT), KEY("x", "", OBJECT(x_)), KEY("y", "", OBJECT(y_)),               \
      KEY("key", "corner, below all panels, or at the right ends of curves", TEXT,                 \
          .choices =                                                                               \
              "right top|right center|right bottom|left top|left center|left bottom|foot|ends"),   \
      KEY("layer", "curves", OBJECTS(layer_table), NEEDED)

static const struct base_key panel_keys[] = {PANEL(x_table, y_table), {0}};
static const struct base_key query_panel_keys[] = {
    PANEL(x_query_table, y_query_table),
    KEY("facet", "a column: a drawing for each value", TEXT),
    KEY("column", "a column: a panel for each value in the drawing", TEXT),
    {0}};
static const struct base_table panel_table = {.what = "panel", .keys = panel_keys},
                               query_panel_table = {.what = "panel", .keys = query_panel_keys};

/* ---- tables that the page shows ---- */

#define ENTRY                                                                                      \
  KEY("text", "a column", TEXT), KEY("below", "a second one, small", TEXT),                        \
      KEY("href", "a column of files", TEXT), KEY("class", "a column of looks", TEXT),             \
      KEY("look", "a look, where that says none", TEXT),                                           \
      KEY("badge", "coloured as its text says", FLAG)
#define DATA KEY("data", "columns for scripts", TEXTS)

static const struct base_key entry_keys[] = {
    KEY("title", "", TEXT, NEEDED),
    ENTRY,
    KEY("head", "a heading of the line", FLAG),
    KEY("span", "equal ones of lines that follow each other are one", FLAG),
    KEY("each", "of all rows of the line", FLAG),
    KEY("empty", "where none has a text", TEXT),
    {0}};
static const struct base_key across_keys[] = {KEY("field", "a column", TEXT, NEEDED),
                                              KEY("sort", "a column that rises", TEXT),
                                              KEY("class", "a column of looks", TEXT),
                                              DATA,
                                              {0}};
static const struct base_key cell_keys[] = {
    ENTRY, KEY("shown", "a column: the first row where it is above 0 is shown", TEXT), DATA, {0}};
static const struct base_table entry_table = {.what = "entry", .keys = entry_keys},
                               across_table = {.what = "across", .keys = across_keys},
                               cell_table = {.what = "cell", .keys = cell_keys};

static const struct base_key show_keys[] = {
    KEY("title", "above it", TEXT),
    KEY("text", "below that; {expression} of the columns", TEXT),
    KEY("table", "", TEXT, NEEDED),
    KEY("only", "rows in which columns are such texts", TEXT, .forms = BASE_MAP),
    KEY("class", "its look", TEXT),
    KEY("groupby", "columns in which the rows of a line agree", TEXTS),
    KEY("columns", "what stands first in a line", OBJECTS(entry_table), NEEDED),
    KEY("across", "a further column for each value of one", OBJECT(across_table)),
    KEY("cell", "what stands there", OBJECT(cell_table)),
    KEY("absent", "where there is nothing", TEXT),
    KEY("under", "a column whose change begins a part, under it as a heading", TEXT),
    KEY("fold", "a column: a table for each value, folded", TEXT),
    KEY("summary", "a column, of what is folded", TEXT),
    KEY("before", "a column, in front of the folded table", TEXT),
    DATA,
    {0}};
const struct base_table bench_show_keys = {.what = "table of the page", .keys = show_keys};

/* ---- the file ---- */

static const struct base_key says_keys[] = {
    KEY("all", "tables with a column of texts, `says`, for the drawing of all", TEXTS),
    KEY("each", "the same with the column of the facet, for the drawings of its values", TEXTS),
    {0}};
static const struct base_table says_table = {.what = "says", .keys = says_keys};

/* Without runs of its own it is a study. */
static const char *figure_kind(int i) {
  static const char *const kinds[] = {"runs", "", NULL};
  return kinds[i];
}
enum { FIGURE = 1, STUDY = 2 };
static const struct base_key figure_keys[] = {
    KEY("schema", "of this file", TEXT, NEEDED, .choices = BENCH_FIGURE_FILE_SCHEMA),
    KEY("id", "also the name of its file", TEXT, NEEDED, .check = check_id),
    KEY("title", "", TEXT, NEEDED),
    KEY("caption", "what it shows; {beginning of a value's name} is the number", TEXT, NEEDED),
    KEY("case", "of runs that say none", TEXT),
    KEY("timed", "it shows times: its runs are repeated as a suite says", FLAG, OF(FIGURE)),
    KEY("runs", "cells, or the id of another figure of the case with these runs",
        .types = BASE_TEXT | BASE_OBJECT, .forms = BASE_ONE | BASE_LIST, .in = &bench_run_keys,
        OF(FIGURE), .check = check_runs),
    KEY("define", "expressions by names of the figure's own", TEXT, .forms = BASE_MAP, OF(FIGURE)),
    KEY("tables", "by name, with {names} of their runs", OBJECT(table_table),
        .forms = BASE_MAP | BASE_MAP_OF_LISTS, OF(FIGURE)),
    KEY("tables", "by name, each of records or of one before", OBJECT(query_table),
        .forms = BASE_MAP, OF(STUDY)),
    KEY("values", "with what is claimed of them", OBJECT(value_table), .forms = BASE_LIST,
        OF(FIGURE)),
    KEY("values", "with what is claimed of them", OBJECT(answer_table), .forms = BASE_LIST,
        OF(STUDY)),
    KEY("panels", "", OBJECT(panel_table), .forms = BASE_LIST, OF(FIGURE)),
    KEY("panels", "", OBJECT(query_panel_table), .forms = BASE_LIST, OF(STUDY)),
    KEY("abreast", "panels in a row; 0: facets are not drawn together", WHOLE(0, ABREAST_MAX)),
    KEY("square", "as high as wide", FLAG),
    KEY("script", "that draws it, where there are no panels", TEXT, OF(FIGURE)),
    KEY("show", "tables that the page shows with it", OBJECTS(bench_show_keys), OF(STUDY)),
    KEY("csv", "tables by the names of files that they are written to, report/<name>.csv", TEXT,
        .forms = BASE_MAP, OF(STUDY)),
    KEY("says", "sentences before the caption", OBJECT(says_table), OF(STUDY)),
    {0}};
const struct base_table bench_figure_keys = {
    .what = "figure", .keys = figure_keys, .kind = figure_kind};
