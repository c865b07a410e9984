/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of figures with what is claimed of them, on four records written here: what names mean in
 * a run, of(), runs() and labels, what a run that did not end has, verdicts, and slips.
 */
#include "bench/figure/values.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/figure/figure.h"
#include "bench/suite/keys.h"
#include "tests/test.h"

enum { RUNS = 5 };
/* A point that is thrown; errors of second order in the step; the last run diverged, the one before
 * has no samples. */
static const char *const records[RUNS] = {
    "{\"status\": \"ok\", \"reason\": \"\", \"dt\": 0.1, \"case\": {\"name\": \"throw\","
    " \"parameters\": {\"g\": 10, \"body\": \"ball\"}}, \"formulation\": {\"name\": \"moreau\","
    " \"options\": {}}, \"solver\": {\"name\": null}, \"errors\": {\"q_linf\": 0.04, \"q_final\": "
    "null},"
    " \"final\": {\"q_names\": [\"x\", \"y\"], \"u_names\": [\"vx\", \"vy\"], \"u\": [1, -2]},"
    " \"trajectory\": {\"t\": [0, 1, 2], \"energy\": [4, 3, 3.5], \"q\": {\"x\": [0, 1, 2], \"y\": "
    "[5, 7, 6]},"
    " \"u\": {\"vx\": [1, 1, 1], \"vy\": [2, 0, -2]}}}",
    "{\"status\": \"ok\", \"reason\": \"\", \"dt\": 0.05, \"case\": {\"name\": \"throw\","
    " \"parameters\": {\"g\": 10, \"body\": \"ball\"}}, \"formulation\": {\"name\": \"moreau\","
    " \"options\": {}}, \"errors\": {\"q_linf\": 0.01, \"q_final\": 0.5},"
    " \"final\": {\"q_names\": [\"x\", \"y\"], \"u_names\": [\"vx\", \"vy\"], \"u\": [1, -2]},"
    " \"trajectory\": {\"t\": [0, 1, 2], \"energy\": [4, 4, 4], \"q\": {\"x\": [0, 1, 3], \"y\": "
    "[5, 7, 5]},"
    " \"u\": {\"vx\": [1, 1, 1], \"vy\": [2, 0, -2]}}}",
    "{\"status\": \"ok\", \"reason\": \"\", \"dt\": 0.025, \"case\": {\"name\": \"throw\","
    " \"parameters\": {\"g\": 10, \"body\": \"ball\"}}, \"formulation\": {\"name\": \"moreau\","
    " \"options\": {}}, \"errors\": {\"q_linf\": 0.0025, \"q_final\": null}}",
    "{\"status\": \"unstable\", \"reason\": \"\", \"dt\": 0.5, \"case\": {\"name\": \"throw\","
    " \"parameters\": {\"g\": 10, \"body\": \"ball\"}}, \"formulation\": {\"name\": \"penalty\","
    " \"options\": {\"K\": 1e5}}, \"errors\": {\"q_linf\": 2},"
    " \"final\": {\"q_names\": [\"x\", \"z\"], \"u_names\": []},"
    " \"trajectory\": {\"t\": [0], \"energy\": [1], \"q\": {\"x\": [0], \"z\": [1]}, \"u\": {}}}",
    "{\"status\": \"diverged\", \"reason\": \"the state is not finite\", \"dt\": 1, \"case\": "
    "{\"name\":"
    " \"throw\", \"parameters\": {\"g\": 10, \"body\": \"ball\"}}, \"formulation\": {\"name\": "
    "\"penalty\","
    " \"options\": {\"K\": 1e6}}, \"errors\": {\"q_linf\": null}, \"final\": {\"q_names\": [\"x\", "
    "\"y\"],"
    " \"u_names\": [\"vx\", \"vy\"]}, \"trajectory\": {\"t\": [0, 1], \"energy\": [4, 9], \"q\": "
    "{\"x\": [0, 7],"
    " \"y\": [1, 1]}, \"u\": {\"vx\": [0, 7], \"vy\": [1, 1]}}}"};
static const char *const labels[RUNS] = {"moreau-0", "moreau-1", "moreau-2", "penalty-0",
                                         "penalty-1"};

struct figure {
  struct base_arena *arena;
  cJSON *json[RUNS], *define, *file;
  struct frame_definitions defined;
  struct case_run run[RUNS];
  struct case_series series[RUNS];
  struct bench_runs runs;
  struct case_plot plot;
};

/* {step} as a cell wrote it. */
static const char *word(const void *data, int i, const char *name) {
  static const char *const steps[RUNS] = {"0", "1", "2", "0", "1"};
  (void)data;
  return strcmp(name, "step") == 0 ? steps[i] : NULL;
}

static int calls; /* of throw.number() */

/* throw.twice(x), which asks for a number, and throw.number(), of the run. */
static enum frame_answer call(const void *data, int i, const char *name, int n,
                              const struct frame_value *arguments, struct frame_value *value) {
  (void)data;
  if (strcmp(name, "throw.twice") == 0 && n == 1 && arguments[0].kind == FRAME_NUMBER) {
    *value = (struct frame_value){.kind = FRAME_NUMBER, .number = 2 * arguments[0].number};
    return FRAME_FOUND;
  }
  if (strcmp(name, "throw.number") == 0) {
    ++calls;
    *value = (struct frame_value){.kind = FRAME_NUMBER, .number = i};
    return FRAME_FOUND;
  }
  if (strcmp(name, "throw.twice") == 0) {
    base_fail(BASE_E_INPUT, "throw.twice: wants a number");
    return FRAME_REFUSED;
  }
  return FRAME_NONE;
}

static struct figure *new_figure(const char *define) {
  struct base_arena *arena = base_arena_alloc();
  struct figure *f = base_arena_push(arena, sizeof *f);
  f->arena = arena;
  f->define = base_json_parse(define, "test");
  CHECK(f->define != NULL);
  CHECK_OK(frame_definitions_read(arena, f->define, "test: define", &f->defined));
  for (int i = 0; i < RUNS; ++i) {
    f->json[i] = base_json_parse(records[i], "test");
    CHECK_MESSAGE(f->json[i] != NULL, "%s", base_message());
    f->run[i].label = labels[i];
    CHECK_INT(bench_series_from_record(f->json[i], "test", &f->run[i], arena, &f->series[i]),
              BASE_OK);
  }
  f->runs = (struct bench_runs){
      .n = RUNS, .series = f->series, .define = &f->defined, .word = word, .call = call};
  CHECK_INT(case_plot_init(&f->plot, NULL, arena), BASE_OK);
  return f;
}

static void free_figure(struct figure *f) {
  for (int i = 0; i < RUNS; ++i) {
    cJSON_Delete(f->json[i]);
  }
  cJSON_Delete(f->define);
  cJSON_Delete(f->file);
  base_arena_free(f->arena);
}

/* The values of a figure's file that has nothing else. */
static int read_values(struct figure *f, const char *values, int *n, struct bench_value **read) {
  const char *text = base_arena_printf(
      f->arena,
      "{\"schema\": \"coulombench.figure/1\", \"id\": \"a\", \"title\": \"\", \"caption\": \"\","
      " \"runs\": [], \"values\": %s}",
      values);
  f->file = base_json_parse(text, "test");
  CHECK_MESSAGE(f->file != NULL, "%s", base_message());
  const int status = base_keys_check(&bench_figure_keys, f->file, "test", "", 0);
  return status != BASE_OK ? status
                           : bench_values_read(cJSON_GetObjectItemCaseSensitive(f->file, "values"),
                                               "test", f->arena, n, read);
}

static int make(struct figure *f, const char *values) {
  struct bench_value *read;
  int n;
  const int status = read_values(f, values, &n, &read);
  return status != BASE_OK ? status : bench_values_judge(n, read, &f->runs, &f->plot);
}

/* The number of an expression in a run, -1: of the figure. */
static int number_of(struct figure *f, int run, const char *text, double *x) {
  const struct frame_scope scope = bench_run_scope(f->arena, &f->runs, run);
  const struct frame_expression *e = frame_expression_read(f->arena, text, "test");
  return e == NULL ? BASE_E_INPUT : frame_expression_number(e, &scope, x);
}

struct example {
  int run;
  const char *text;
  double value;
};

static void check_all(const char *define, int n, const struct example *examples) {
  struct figure *f = new_figure(define);
  for (int i = 0; i < n; ++i) {
    double x = 0;
    const int status = number_of(f, examples[i].run, examples[i].text, &x);
    const double y = examples[i].value;
    CHECK_MESSAGE(status == BASE_OK, "%s: %s", examples[i].text, base_message());
    CHECK_MESSAGE(isnan(y) ? isnan(x) : fabs(x - y) <= 1e-12, "%s is %.17g, must be %g",
                  examples[i].text, x, y);
  }
  free_figure(f);
}
#define CHECK_ALL(define, examples)                                                                \
  check_all(define, (int)(sizeof(examples) / sizeof *(examples)), examples)

TEST(names_of_a_run) {
  static const struct example examples[] = {
      {0, "errors.q_linf / dt", 0.4},
      {0, "max(energy) - first(energy)", 0},
      {0, "count(diff(energy) > 0)", 1},
      {0, "max(q.y) + sum(u.vy) + last(t)", 9},
      {0, "g + case.parameters.g", 20},
      {0, "final.u.vy", -2},
      {0, "size(`q.*`) + at(`q.*`, 4)", 13}, /* x, then y */
      {0, "max(|`u.v*`|) + last(`u.*y`)", 0},
      {0, "status == 'ok' && body == 'ball'", 1},
      {0, "formulation.name == 'moreau' ? 3 : 4", 3},
      {0, "label == 'moreau-0'", 1},
      {0, "errors.q_final", NAN},              /* null */
      {0, "exists(formulation.options.K)", 0}, /* only others have it */
      {0, "any(exists(q.z)) ? max(q.z) : max(q.y)", 7},
      {3, "any(exists(q.z)) ? max(q.z) : max(q.y)", 1},
      {0, "exists(energy.errors.total)", 0}, /* a field of records that this one has not */
      {3, "errors.q_linf", 2}};              /* beyond its estimate, but it got to its end */
  CHECK_ALL("{}", examples);
}

TEST(other_runs) {
  static const struct example examples[] = {
      {0, "of('moreau-1', errors.q_linf)", 0.01},
      {-1, "of('moreau-1', errors.q_linf)", 0.01},
      {0, "max(|q.y - of('moreau-1', q.y)|)", 1},
      {1, "of('{formulation}-2', errors.q_linf)", 0.0025},
      {1, "of('penalty-{step}', status == 'diverged')", 1},
      {-1, "order(runs('moreau-*', errors.q_linf), runs('moreau-*', dt))", 2},
      {0, "order(runs('{formulation}-*', errors.q_linf), runs('{formulation}-*', dt))", 2},
      {-1, "count(runs('*', status == 'ok'))", 3},
      {-1, "at(runs('*', dt), 3)", 0.5},
      {-1, "max(runs('*-0', errors.q_linf))", 2},
      {-1, "of('moreau-0', max(q.y) - of('moreau-1', last(q.y)))", 2},
      {-1, "size(runs('pen*y-*', dt))", 2}};
  CHECK_ALL("{}", examples);
}

TEST(definitions_and_functions_in_c) {
  static const struct example examples[] = {{0, "max(height)", 2},
                                            {1, "last(height) + twice", 2},
                                            {0, "of('moreau-1', last(height))", 0},
                                            {0, "throw.twice(max(q.y))", 14},
                                            {2, "throw.number()", 2},
                                            {-1, "throw.number()", -1},
                                            {-1, "best", 0.0025}};
  CHECK_ALL("{\"height\": \"q.y - first(q.y)\", \"twice\": \"2 * max(height) / 2\","
            " \"best\": \"min(runs('moreau-*', errors.q_linf))\"}",
            examples);
}

TEST(definitions_are_worked_out_once_in_a_run) {
  struct figure *f = new_figure("{\"own\": \"throw.number()\", \"twice\": \"own + own\"}");
  double x = 0;
  calls = 0;
  CHECK_INT(number_of(f, 1, "twice + own + of('moreau-0', twice) + recorded(own)", &x), BASE_OK);
  CHECK_NEAR(x, 4, 0);
  CHECK_INT(calls, 3); /* of either run, and of what is recorded, which may be another value */
  free_figure(f);
}

/* All that is made of it is missing, not what a comparison with NaN gives; but it has what it was
 * asked for, and its status. */
TEST(a_run_that_did_not_end_has_no_numbers) {
  struct figure *f = new_figure("{\"rises\": \"count(diff(energy) > 0)\"}");
  static const struct {
    int run;
    const char *text;
  } absent[] = {{4, "errors.q_linf"},
                {4, "count(energy < 0)"},
                {4, "rises"},
                {4, "max(q.x) < 3 ? 1 : 0"},
                {4, "throw.number()"},
                {4, "final.u.vx"},
                {0, "of('penalty-1', count(energy < 0)) + 1"}};
  for (size_t i = 0; i < sizeof absent / sizeof *absent; ++i) {
    double x = 0;
    CHECK_MESSAGE(number_of(f, absent[i].run, absent[i].text, &x) == BASE_FAILED && isnan(x),
                  "%s is %g", absent[i].text, x);
    CHECK_TEXT(base_message(), "run 'penalty-1' ended diverged: the state is not finite");
  }
  free_figure(f);
  static const struct example examples[] = {
      {4, "status == 'diverged' ? inf == inf : max(q.x)", 1},
      {4, "reason == 'the state is not finite'", 1},
      {4, "dt + g + formulation.options.K", 1000011},
      {-1, "count(exists(runs('*', errors.q_linf)))", 4},
      {-1, "size(runs('*', errors.q_linf))", 5},
      {-1, "max(runs('*', errors.q_linf))", NAN},
      {-1, "max(runs('*', status == 'diverged' ? 7 : errors.q_linf))", 7},
      {4, "recorded(max(q.x) + count(energy < 0))", 7}, /* what there is all the same */
      {4, "exists(recorded(errors.q_linf))", 0},
      {4, "recorded(top)", 9},
      {0, "of('penalty-1', recorded(last(energy))) + recorded(of('penalty-1', last(energy)))", 18},
      {-1, "max(runs('*', recorded(status == 'diverged' ? max(q.x) : 0)))", 7}};
  CHECK_ALL("{\"top\": \"max(energy)\"}", examples);
}

TEST(verdicts) {
  struct figure *f = new_figure("{}");
  static const char values[] =
      "[{\"name\": \"error\", \"of\": \"moreau-0\", \"value\": \"errors.q_linf\", \"bounds\": [0, "
      "\"dt^2 * 5\"], \"expected\": \"second order\"},"
      "{\"name\": \"{formulation} {dt}: error over dt^2\", \"of\": \"moreau-{step}\", \"value\": "
      "\"errors.q_linf / dt^2\", \"bounds\": [3.9, 4.1], \"published\": \"4\"},"
      "{\"name\": \"order\", \"value\": \"order(runs('moreau-*', errors.q_linf), runs('moreau-*', "
      "dt))\", \"bounds\": [2.5, 3], \"published\": \"3\"},"
      "{\"name\": \"drawn\", \"of\": \"moreau-1\", \"value\": \"max(q.y)\", \"bounds\": [6, 8], "
      "\"published\": \"about 7\", \"schematic\": true},"
      "{\"name\": \"other\", \"of\": \"moreau-1\", \"value\": \"last(q.x)\", \"bounds\": [2.9, "
      "\"g / 3\"], \"published\": \"2\", \"differs\": \"they stop\", \"source\": [1.9, 2.1]},"
      "{\"name\": \"seen\", \"of\": \"moreau-0\", \"value\": 3, \"note\": \"by hand\"},"
      "{\"name\": \"wide\", \"value\": 3, \"bounds\": [1, 1e4]},"
      "{\"name\": \"missing\", \"of\": \"moreau-0\", \"value\": \"errors.q_final\", \"bounds\": "
      "[0, 1]}]";
  static const struct {
    const char *what;
    double measured, lo, hi;
    enum case_verdict verdict;
  } due[] = {{"error", 0.04, 0, 0.05, CASE_NOT_STATED},
             {"moreau 0.1: error over dt^2", 4, 3.9, 4.1, CASE_REPRODUCED},
             {"moreau 0.05: error over dt^2", 4, 3.9, 4.1, CASE_REPRODUCED},
             {"moreau 0.025: error over dt^2", 4, 3.9, 4.1, CASE_REPRODUCED},
             {"order", 2, 2.5, 3, CASE_FAILED},
             {"drawn", 7, 6, 8, CASE_SCHEMATIC},
             {"other", 3, 2.9, 10. / 3, CASE_DIFFERS},
             {"seen", 3, NAN, NAN, CASE_REPORTED},
             {"wide", 3, 1, 1e4, CASE_FAILED}, /* a factor of 1e4: an end that cannot fail */
             {"missing", NAN, 0, 1, CASE_FAILED}};
  enum { DUE = sizeof due / sizeof *due };
  CHECK_MESSAGE(make(f, values) == BASE_OK, "%s", base_message());
  CHECK_INT(f->plot.n_checks, DUE);
  CHECK_INT(f->plot.n_failed, 3);
  for (int i = 0; i < DUE && i < f->plot.n_checks; ++i) {
    const struct case_checked *c = &f->plot.checks[i];
    CHECK_TEXT(c->what, due[i].what);
    CHECK_INT(c->verdict, due[i].verdict);
    CHECK_MESSAGE(isnan(due[i].measured) ? isnan(c->measured)
                                         : fabs(c->measured - due[i].measured) < 1e-12,
                  "%s is %g", c->what, c->measured);
    CHECK_MESSAGE(isnan(due[i].lo) ? isnan(c->claim.lo)
                                   : fabs(c->claim.lo - due[i].lo) < 1e-12 &&
                                         fabs(c->claim.hi - due[i].hi) < 1e-12,
                  "%s: [%g, %g]", c->what, c->claim.lo, c->claim.hi);
  }
  CHECK_TEXT(f->plot.checks[0].claim.expected, "second order");
  CHECK_TEXT(f->plot.checks[6].claim.differs, "they stop");
  CHECK_TEXT(f->plot.checks[7].claim.expected, "by hand");
  free_figure(f);
}

/* The others are judged all the same, and what the status says is no failure. */
TEST(of_a_run_that_did_not_end_a_value_fails_and_is_named) {
  struct figure *f = new_figure("{}");
  CHECK_INT(
      make(f, "[{\"name\": \"rises {dt}\", \"of\": \"penalty-*\", \"value\": \"count(diff(energy) "
              "> 0)\", \"bounds\": [0, 0]},"
              "{\"name\": \"error\", \"of\": \"moreau-0\", \"value\": \"errors.q_linf\", "
              "\"bounds\": [0, 1]}]"),
      BASE_FAILED);
  CHECK_TEXT(base_message(), "run 'penalty-1' ended diverged: the state is not finite");
  CHECK_INT(f->plot.n_checks, 3);
  CHECK_INT(f->plot.checks[0].verdict, CASE_NOT_STATED);
  CHECK_INT(f->plot.checks[1].verdict, CASE_FAILED);
  CHECK(isnan(f->plot.checks[1].measured));
  CHECK_INT(f->plot.checks[2].verdict, CASE_NOT_STATED);
  free_figure(f);
  f = new_figure("{}");
  CHECK_INT(
      make(f, "[{\"name\": \"fails\", \"of\": \"penalty-1\", \"value\": \"status == 'diverged'\", "
              "\"bounds\": [1, 1]}]"),
      BASE_OK);
  CHECK_INT(f->plot.checks[0].verdict, CASE_NOT_STATED);
  free_figure(f);
}

TEST(slips_in_a_file_are_refused_by_place) {
  static const struct {
    const char *values, *says;
  } bad[] = {
      {"{}", "test: values: must be a list of objects"},
      {"[3]", "test: values[0]: must be an object"},
      {"[{\"value\": 3}]", "test: values[0].name: is missing"},
      {"[{\"name\": \"a\"}]", "test: values[0].value: is missing"},
      {"[{\"name\": \"a\", \"value\": [3]}]", "test: values[0].value: must be a text or a number"},
      {"[{\"name\": \"a\", \"value\": \"3 +\"}]", "test: values[0].value: expression '3 +': "},
      {"[{\"name\": \"a\", \"value\": 3, \"bound\": [0, 1]}]", "bound"},
      {"[{\"name\": \"a\", \"value\": 3, \"bounds\": [0]}]",
       "test: values[0].bounds: must be a list of 2 "},
      {"[{\"name\": \"a\", \"value\": 3, \"bounds\": [0, \"1 +\"]}]", "test: values[0].bounds: "},
      {"[{\"name\": \"a\", \"value\": 3, \"expected\": \"4\"}]",
       "test: values[0].bounds: are miss"},
      {"[{\"name\": \"a\", \"value\": 3, \"bounds\": [0, 1], \"note\": \"4\"}]",
       "values[0].note: "},
      {"[{\"name\": \"a\", \"value\": 3, \"bounds\": [0, 1], \"schematic\": true}]",
       "values[0].published: is missing"},
      {"[{\"name\": \"a\", \"value\": 3, \"bounds\": [0, 1], \"published\": \"2\", \"differs\": "
       "\"b\"}]",
       "values[0].source: is missing"},
      {"[{\"name\": \"a\", \"value\": 3, \"bounds\": [0, 1], \"published\": \"2\", \"source\": [2, "
       "3]}]",
       "values[0].differs: is missing"},
      {"[{\"name\": 3, \"value\": 3}]", "test: values[0].name: must be a text"},
      {"[{\"name\": \"a\", \"value\": 3, \"bounds\": [0, 1], \"published\": \"b\", \"schematic\": "
       "1}]",
       "test: values[0].schematic: must be true or false"},
      {"[{\"name\": \"b\", \"value\": 3}, {\"name\": \"a\", \"value\": \"'t' + 1\"}]",
       "test: values[1].value: expression"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    struct figure *f = new_figure("{}");
    struct bench_value *read;
    int n;
    CHECK_MESSAGE(read_values(f, bad[i].values, &n, &read) == BASE_E_INPUT, "%s was taken",
                  bad[i].values);
    CHECK_MESSAGE(strstr(base_message(), bad[i].says) != NULL, "%s: %s", bad[i].values,
                  base_message());
    free_figure(f);
  }
}

TEST(slips_that_records_show_are_refused_by_name) {
  static const struct {
    const char *value, *says;
  } bad[] = {
      {"\"of\": \"moreau-0\", \"value\": \"eror.q_linf\"", "did you mean 'errors.q_linf'?"},
      {"\"of\": \"moreau-0\", \"value\": \"max(q.w)\"", "there is no 'q.w'; did you mean 'q."},
      {"\"of\": \"moreau-0\", \"value\": \"max(eror)\"", "there is no 'eror'"},
      {"\"of\": \"moreau-0\", \"value\": \"errors\"", "there is no 'errors'"},
      {"\"of\": \"moreau-0\", \"value\": \"q.x\"", "is a vector of 3, where one number is wanted"},
      {"\"of\": \"moreau-2\", \"value\": \"max(t)\"", "run 'moreau-2' has no samples"},
      {"\"of\": \"moreau-9\", \"value\": 1", "values[0].of: no run is called like 'moreau-9'"},
      {"\"value\": \"dt\"", "there is no 'dt'"},
      {"\"value\": \"of('moreau', dt)\"", "there is no run 'moreau'; did you mean 'moreau-0'?"},
      {"\"value\": \"max(runs('ccp*', dt))\"", "no run is called like 'ccp*' here"},
      {"\"value\": \"max(runs('moreau-0', q.x))\"", "runs() wants one number a run"},
      {"\"value\": \"throw.thrice(1)\"", "there is no function 'throw.thrice'"},
      {"\"value\": \"throw.twice()\"", "throw.twice: wants a number"},
      {"\"value\": \"round_about\"", "define.round_about: is defined by itself"}};
  struct figure *f = new_figure("{\"round_about\": \"1 + round_about\"}");
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    const char *values = base_arena_printf(f->arena, "[{\"name\": \"a\", %s}]", bad[i].value);
    CHECK_MESSAGE(make(f, values) == BASE_E_INPUT, "%s was taken", values);
    CHECK_MESSAGE(strncmp(base_message(), "test: values[0]", 15) == 0 &&
                      strstr(base_message(), bad[i].says) != NULL,
                  "%s: %s", values, base_message());
  }
  free_figure(f);
}

TEST(labels_and_patterns) {
  CHECK(bench_label_matches("moreau-*", "moreau-0"));
  CHECK(bench_label_matches("*", ""));
  CHECK(bench_label_matches("*a*b", "xaxbxb"));
  CHECK(bench_label_matches("a", "a"));
  CHECK(!bench_label_matches("a*", "ba"));
  CHECK(!bench_label_matches("*a", "ab"));
  CHECK(!bench_label_matches("a", "ab"));
  CHECK(!bench_label_matches("", "a"));
  struct figure *f = new_figure("{}");
  CHECK_TEXT(bench_run_text(f->arena, &f->runs, 3, "{formulation}: {K}, {g} at {step} {what} {"),
             "penalty: 100000, 10 at 0 {what} {");
  CHECK_TEXT(bench_run_text(f->arena, &f->runs, -1, "{dt}"), "{dt}");
  free_figure(f);
}

TEST(rows_of_samples_of_runs_and_of_closed_forms) {
  struct figure *f = new_figure("{}");
  struct frame *frame = frame_new(f->arena);
  static const char *const names[] = {"run", "t", "rise", "error"};
  static const char *const texts[] = {"label", "t", "q.y - first(q.y)", "errors.q_linf"};
  const struct frame_expression *e[4];
  for (int i = 0; i < 4; ++i) {
    e[i] = frame_expression_read(f->arena, texts[i], "test");
  }
  CHECK_INT(bench_rows_append(frame, &f->runs, 0, 4, names, e), BASE_OK);
  CHECK_INT(bench_rows_append(frame, &f->runs, 1, 4, names, e), BASE_OK);
  CHECK_INT(frame->n_rows, 6);
  CHECK_TEXT(frame_text(frame, 2, 0), "moreau-0");
  CHECK_TEXT(frame_text(frame, 3, 0), "moreau-1");
  CHECK(frame_real(frame, 1, 2) == 2 && frame_real(frame, 5, 2) == 0);
  CHECK(frame_real(frame, 2, 1) == 2 && frame_real(frame, 4, 3) == 0.01);
  CHECK_INT(bench_rows_append(frame, &f->runs, 4, 4, names, e), BASE_FAILED);
  CHECK_INT(bench_rows_append(frame, &f->runs, 2, 4, names, e), BASE_E_INPUT); /* no samples */
  e[1] = frame_expression_read(f->arena, "diff(t)", "test");
  CHECK_INT(bench_rows_append(frame, &f->runs, 0, 4, names, e), BASE_E_INPUT);
  CHECK_TEXT(base_message(), "columns 't' and 'rise' have 2 and 3 entries");
  CHECK_INT(frame->n_rows, 6);
  e[0] = frame_expression_read(f->arena, "sequence(5) / 4", "test");
  e[1] = frame_expression_read(f->arena, "(sequence(5) / 4)^2", "test");
  frame = frame_new(f->arena); /* a closed form, of no run */
  CHECK_INT(bench_rows_append(frame, &f->runs, -1, 2, names, e), BASE_OK);
  CHECK(frame->n_rows == 5 && frame_real(frame, 3, 1) == 0.5625);
  e[0] = frame_expression_read(f->arena, "errors.q_linf", "test");
  frame = frame_new(f->arena); /* a row a run */
  for (int i = 0; i < 3; ++i) {
    CHECK_INT(bench_rows_append(frame, &f->runs, i, 1, names, e), BASE_OK);
  }
  CHECK(frame->n_rows == 3 && frame_real(frame, 2, 0) == 0.0025);
  free_figure(f);
}
