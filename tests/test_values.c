/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of figures and their claims, on the records of tests/worked/thrown.json: worked examples
 * (tests/worked/values.txt) of names in a run, of(), runs() and labels, of runs that did not reach
 * their end, and of mistakes; verdicts, and rows of samples.
 */
#include "bench/figure/values.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/json/json.h"
#include "base/status.h"
#include "bench/figure/figure.h"
#include "bench/suite/keys.h"
#include "tests/test.h"
#include "tests/worked.h"

/* A point that is thrown (tests/worked/thrown.json), with errors of second order in the step. The
 * last run diverged, the one before has no samples. */
enum { RUNS = 5 };
static const char *const labels[RUNS] = {"moreau-0", "moreau-1", "moreau-2", "penalty-0",
                                         "penalty-1"};

struct figure {
  struct base_arena *arena;
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

static cJSON *read_worked(const char *name) {
  const char *path = base_arena_printf(test_arena(), "tests/worked/%s", name);
  return test_json(base_json_read(base_data_path(test_arena(), path)));
}

static struct figure *new_figure(const char *define) {
  struct base_arena *arena = test_arena();
  struct figure *f = base_arena_push(arena, sizeof *f);
  const cJSON *records = read_worked("thrown.json");
  f->arena = arena;
  CHECK_OK(frame_definitions_read(arena, test_json(base_json_parse(define, "test")), "test: define",
                                  &f->defined));
  for (int i = 0; i < RUNS; ++i) {
    f->run[i].label = labels[i];
    CHECK_OK(bench_series_from_record(cJSON_GetArrayItem(records, i), "test", &f->run[i], arena,
                                      &f->series[i]));
  }
  f->runs = (struct bench_runs){
      .n = RUNS, .series = f->series, .define = &f->defined, .word = word, .call = call};
  CHECK_OK(case_plot_init(&f->plot, NULL, arena));
  return f;
}

/* The values of a figure's file that has nothing else. */
static int make(struct figure *f, const cJSON *values) {
  struct bench_value *read;
  int n;
  cJSON *file = test_parse("{'schema': 'coulombench.figure/1', 'id': 'a', 'title': '', 'caption': "
                           "'', 'runs': []}");
  cJSON_AddItemToObject(file, "values", cJSON_Duplicate(values, 1));
  int status = base_keys_check(&bench_figure_keys, file, "test", "", 0);
  status = status == BASE_OK
               ? bench_values_read(base_json_at(file, "values"), "test", f->arena, &n, &read)
               : status;
  return status == BASE_OK ? bench_values_judge(n, read, &f->runs, &f->plot) : status;
}

/* The number of an expression in a run, -1: of the figure. */
static int number_of(struct figure *f, int run, const char *text, double *x) {
  const struct frame_scope scope = bench_run_scope(f->arena, &f->runs, run);
  const struct frame_expression *e = frame_expression_read(f->arena, text, "test");
  return e == NULL ? BASE_E_INPUT : frame_expression_number(e, &scope, x);
}

/* "run: expression" of a line. */
static void check_number(const struct worked *w, struct figure *f) {
  char *text;
  const int run = (int)strtol(w->left, &text, 10);
  double x = 0;
  const int status = number_of(f, run, text + 2, &x);
  if (strcmp(w->right, "absent") == 0) {
    CHECK_MESSAGE(status == BASE_FAILED && isnan(x), "%s is %g", w->left, x);
    CHECK_TEXT(base_message(), "run 'penalty-1' ended diverged: the state is not finite");
  } else if (worked_status(w, status)) {
    const double y = strcmp(w->right, "-") == 0 ? NAN : strtod(w->right, NULL);
    CHECK_MESSAGE(isnan(y) ? isnan(x) : fabs(x - y) <= 1e-12, "%s is %.17g, must be %s", w->left, x,
                  w->right);
  }
}

TEST(values_are_those_of_their_runs) {
  struct figure *f = new_figure("{}");
  for (struct worked w = worked_begin("values.txt"); worked_next(&w);) {
    if (w.right == NULL) {
      f = new_figure(w.left);
    } else if (w.right[0] != '!') {
      check_number(&w, f);
    } else { /* a list, or a value of which the list has no other */
      cJSON *values = test_json(base_json_parse(w.left, "values"));
      if (cJSON_IsObject(values) && values->child != NULL) {
        cJSON *one = cJSON_Duplicate(values, 1);
        cJSON_AddStringToObject(one, "name", "a");
        values = test_json(cJSON_CreateArray());
        cJSON_AddItemToArray(values, one);
      }
      worked_status(&w, make(f, values));
      CHECK_MESSAGE(strncmp(base_message(), "test: values", 12) == 0, "%s", base_message());
    }
  }
}

TEST(definitions_are_worked_out_once_in_a_run) {
  struct figure *f = new_figure("{\"own\": \"throw.number()\", \"twice\": \"own + own\"}");
  double x = 0;
  calls = 0;
  CHECK_OK(number_of(f, 1, "twice + own + of('moreau-0', twice) + recorded(own)", &x));
  CHECK_NEAR(x, 4, 0);
  CHECK_INT(calls, 3); /* of either run, and of what is recorded, which may be another value */
}

TEST(verdicts) {
  struct figure *f = new_figure("{}");
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
  CHECK_OK(make(f, read_worked("verdicts.json")));
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
}

/* The others are judged all the same, and what the status says is no failure. */
TEST(of_a_run_that_did_not_end_a_value_fails_and_is_named) {
  struct figure *f = new_figure("{}");
  CHECK_REFUSED(
      make(f,
           test_parse("[{'name': 'rises {dt}', 'of': 'penalty-*', 'value': 'count(diff(energy) > "
                      "0)', 'bounds': [0, 0]}, {'name': 'error', 'of': 'moreau-0', 'value': "
                      "'errors.q_linf', 'bounds': [0, 1]}]")),
      BASE_FAILED, "run 'penalty-1' ended diverged: the state is not finite");
  CHECK_INT(f->plot.n_checks, 3);
  CHECK_INT(f->plot.checks[0].verdict, CASE_NOT_STATED);
  CHECK_INT(f->plot.checks[1].verdict, CASE_FAILED);
  CHECK(isnan(f->plot.checks[1].measured));
  CHECK_INT(f->plot.checks[2].verdict, CASE_NOT_STATED);
  f = new_figure("{\"fails\": \"status == 'diverged'\"}");
  CHECK_OK(make(f, test_parse("[{'name': 'fails', 'of': 'penalty-1', 'value': 'fails', 'bounds': "
                              "[1, 1]}]")));
  CHECK_INT(f->plot.checks[0].verdict, CASE_NOT_STATED);
}

TEST(labels_and_patterns) {
  static const struct {
    const char *pattern, *label;
    int match;
  } labels_of[] = {{"moreau-*", "moreau-0", 1},
                   {"*", "", 1},
                   {"*a*b", "xaxbxb", 1},
                   {"a", "a", 1},
                   {"a*", "ba", 0},
                   {"*a", "ab", 0},
                   {"a", "ab", 0},
                   {"", "a", 0}};
  for (size_t i = 0; i < sizeof labels_of / sizeof *labels_of; ++i) {
    CHECK_INT(bench_label_matches(labels_of[i].pattern, labels_of[i].label), labels_of[i].match);
  }
  struct figure *f = new_figure("{}");
  CHECK_TEXT(bench_run_text(f->arena, &f->runs, 3, "{formulation}: {K}, {g} at {step} {what} {"),
             "penalty: 100000, 10 at 0 {what} {");
  CHECK_TEXT(bench_run_text(f->arena, &f->runs, -1, "{dt}"), "{dt}");
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
  CHECK_OK(bench_rows_append(frame, &f->runs, 0, 4, names, e));
  CHECK_OK(bench_rows_append(frame, &f->runs, 1, 4, names, e));
  CHECK_INT(frame->n_rows, 6);
  CHECK_TEXT(frame_text(frame, 2, 0), "moreau-0");
  CHECK_TEXT(frame_text(frame, 3, 0), "moreau-1");
  CHECK(frame_real(frame, 1, 2) == 2 && frame_real(frame, 5, 2) == 0);
  CHECK(frame_real(frame, 2, 1) == 2 && frame_real(frame, 4, 3) == 0.01);
  CHECK_INT(bench_rows_append(frame, &f->runs, 4, 4, names, e), BASE_FAILED);
  CHECK_INT(bench_rows_append(frame, &f->runs, 2, 4, names, e), BASE_E_INPUT); /* no samples */
  e[1] = frame_expression_read(f->arena, "diff(t)", "test");
  CHECK_REFUSED(bench_rows_append(frame, &f->runs, 0, 4, names, e), BASE_E_INPUT,
                "columns 't' and 'rise' have 2 and 3 entries");
  CHECK_INT(frame->n_rows, 6);
  e[0] = frame_expression_read(f->arena, "sequence(5) / 4", "test");
  e[1] = frame_expression_read(f->arena, "(sequence(5) / 4)^2", "test");
  frame = frame_new(f->arena); /* a closed form, of no run */
  CHECK_OK(bench_rows_append(frame, &f->runs, -1, 2, names, e));
  CHECK(frame->n_rows == 5 && frame_real(frame, 3, 1) == 0.5625);
  e[0] = frame_expression_read(f->arena, "errors.q_linf", "test");
  frame = frame_new(f->arena); /* a row a run */
  for (int i = 0; i < 3; ++i) {
    CHECK_OK(bench_rows_append(frame, &f->runs, i, 1, names, e));
  }
  CHECK(frame->n_rows == 3 && frame_real(frame, 2, 0) == 0.0025);
}
