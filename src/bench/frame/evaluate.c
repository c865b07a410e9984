/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Works expressions out in a scope; see expression.h. Values themselves are operate.c's.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "bench/frame/expression_parts.h"

static const struct frame_value missing = {.kind = FRAME_NUMBER, .number = NAN};

static const struct {
  const char *name;
  double value;
} constants[] = {{"pi", 3.14159265358979323846}, {"inf", INFINITY}, {"nan", NAN}};
enum { CONSTANTS = sizeof constants / sizeof *constants };

static int evaluate(const struct frame_expression *e, const struct frame_scope *scope,
                    struct frame_value *value);

/* What a scope refused, for its own reason. */
static int pass_on(const struct frame_expression *e) {
  base_message_prefix("%s: expression '%s': ", e->source->place, e->source->text);
  return BASE_E_INPUT;
}

static int evaluate_operator(const struct frame_expression *e, const struct frame_scope *scope,
                             struct frame_value *value) {
  struct frame_value x[2] = {missing, missing};
  int status = evaluate(e->part[0], scope, &x[0]);
  if (status != BASE_OK) {
    return status;
  }
  if ((e->op == OP_AND || e->op == OP_OR) && x[0].kind != FRAME_LIST &&
      frame_is_true(frame_entry(&x[0], 0)) == (e->op == OP_OR)) {
    *value = frame_number(e->op == OP_OR); /* whatever stands on the other side */
    return BASE_OK;
  }
  status = e->n > 1 ? evaluate(e->part[1], scope, &x[1]) : BASE_OK;
  if (status != BASE_OK) {
    return status;
  }
  return frame_operate(e, scope->arena, e->n, x, value);
}

/* Of a number one branch is taken, and the other not even worked out; of a vector both are, an
 * entry from the one or the other. */
static int evaluate_choice(const struct frame_expression *e, const struct frame_scope *scope,
                           struct frame_value *value) {
  struct frame_value x[3];
  int status = evaluate(e->part[0], scope, &x[0]);
  if (status == BASE_OK && x[0].kind != FRAME_LIST) {
    const double yes = frame_entry(&x[0], 0);
    *value = missing;
    return isnan(yes) ? BASE_OK : evaluate(e->part[yes != 0 ? 1 : 2], scope, value);
  }
  status = status != BASE_OK ? status : evaluate(e->part[1], scope, &x[1]);
  status = status != BASE_OK ? status : evaluate(e->part[2], scope, &x[2]);
  return status != BASE_OK ? status : frame_choose(e, scope->arena, x, value);
}

/* ---- functions ---- */

static int evaluate_function(const struct frame_expression *e, const struct frame_scope *scope,
                             struct frame_value *value) {
  struct frame_value x[FRAME_ARGUMENTS];
  int status = e->n <= FRAME_ARGUMENTS ? BASE_OK : frame_fail(e, "too many arguments");
  for (int i = 0; i < FRAME_ARGUMENTS && status == BASE_OK; ++i) {
    x[i] = missing;
    status = i < e->n ? evaluate(e->part[i], scope, &x[i]) : BASE_OK;
  }
  if (status != BASE_OK) {
    return status;
  }
  if (e->op == OP_FUNCTION) {
    return frame_apply(e, scope->arena, e->n, x, value);
  }
  const enum frame_answer answer =
      scope->type->call != NULL ? scope->type->call(scope, e->word, e->n, x, value) : FRAME_NONE;
  return answer == FRAME_FOUND    ? BASE_OK
         : answer == FRAME_ABSENT ? BASE_FAILED
         : answer == FRAME_NONE
             ? frame_fail(e, base_arena_printf(scope->arena, "there is no function '%s'", e->word))
             : pass_on(e);
}

/* [a, b, ...]: numbers and vectors one behind the other. */
static int evaluate_vector(const struct frame_expression *e, const struct frame_scope *scope,
                           struct frame_value *value) {
  struct frame_value *x = base_arena_push(scope->arena, (size_t)(e->n + 1) * sizeof *x);
  int length = 0;
  for (int i = 0; i < e->n; ++i) {
    const int status = evaluate(e->part[i], scope, &x[i]);
    if (status != BASE_OK) {
      return status;
    }
    length += x[i].kind == FRAME_LIST ? x[i].list->n : 1;
  }
  double *out = frame_vector(scope->arena, length, value);
  for (int i = 0; i < e->n; ++i) {
    for (int k = 0; k < (x[i].kind == FRAME_LIST ? x[i].list->n : 1); ++k) {
      *out++ = frame_entry(&x[i], k);
    }
  }
  return BASE_OK;
}

/* ---- names and other runs ---- */

int frame_constant(const char *name, double *x) {
  for (int i = 0; i < CONSTANTS; ++i) {
    if (strcmp(constants[i].name, name) == 0) {
      *x = constants[i].value;
      return 1;
    }
  }
  return 0;
}

static int fail_unknown(const struct frame_expression *e, const struct frame_scope *scope) {
  int n = 0;
  const char *const *names = scope->type->names != NULL ? scope->type->names(scope, &n) : NULL;
  return frame_fail(e, base_arena_printf(scope->arena, "there is no '%s'%s", e->word,
                                         frame_hint(e->word, n, names)));
}

static int evaluate_name(const struct frame_expression *e, const struct frame_scope *scope,
                         struct frame_value *value) {
  double x;
  switch (scope->type->value(scope, e->word, value)) {
  case FRAME_FOUND:
    return BASE_OK;
  case FRAME_ABSENT:
    return BASE_FAILED;
  case FRAME_NONE:
    if (frame_constant(e->word, &x)) {
      *value = frame_number(x);
      return BASE_OK;
    }
    return fail_unknown(e, scope);
  default:
    return pass_on(e);
  }
}

/* Those of runs(), or the one of of(). */
static int find_others(const struct frame_expression *e, const struct frame_scope *scope, int *n,
                       struct frame_scope **others) {
  const int is_label = e->op == OP_OF;
  *n = 0;
  const enum frame_answer answer = scope->type->runs != NULL
                                       ? scope->type->runs(scope, e->word, is_label, n, others)
                                       : FRAME_NONE;
  return answer == FRAME_REFUSED ? pass_on(e)
         : answer == FRAME_NONE || *n == 0
             ? frame_fail(e, base_arena_printf(scope->arena,
                                               is_label ? "there is no run '%s' here"
                                                        : "no run is called like '%s' here",
                                               e->word))
             : BASE_OK;
}

static int evaluate_of(const struct frame_expression *e, const struct frame_scope *scope,
                       struct frame_value *value) {
  struct frame_scope *other = NULL;
  int n;
  const int status = find_others(e, scope, &n, &other);
  if (status != BASE_OK) {
    return status;
  }
  assert(other != NULL); /* n > 0 of them */
  return evaluate(e->part[0], other, value);
}

static int evaluate_runs(const struct frame_expression *e, const struct frame_scope *scope,
                         struct frame_value *value) {
  struct frame_scope *others;
  int n, status = find_others(e, scope, &n, &others);
  if (status != BASE_OK) {
    return status;
  }
  double *out = frame_vector(scope->arena, n, value);
  for (int i = 0; i < n; ++i) {
    struct frame_value one;
    status = evaluate(e->part[0], &others[i], &one);
    if (status != BASE_OK && status != BASE_FAILED) {
      return status;
    }
    if (status == BASE_OK && one.kind != FRAME_NUMBER) {
      return frame_fail(e, "runs() wants one number a run");
    }
    out[i] = status == BASE_OK ? one.number : NAN;
  }
  return BASE_OK;
}

static int evaluate_recorded(const struct frame_expression *e, const struct frame_scope *scope,
                             struct frame_value *value) {
  struct frame_scope other = *scope;
  other.is_recorded = 1;
  return evaluate(e->part[0], &other, value);
}

static int evaluate(const struct frame_expression *e, const struct frame_scope *scope,
                    struct frame_value *value) {
  *value = missing;
  switch (e->op) {
  case OP_NUMBER:
    value->number = e->number;
    return BASE_OK;
  case OP_TEXT:
    *value = frame_word(e->word);
    return BASE_OK;
  case OP_NAME:
    return evaluate_name(e, scope, value);
  case OP_VECTOR:
    return evaluate_vector(e, scope, value);
  case OP_FUNCTION:
  case OP_CALL:
    return evaluate_function(e, scope, value);
  case OP_OF:
    return evaluate_of(e, scope, value);
  case OP_RUNS:
    return evaluate_runs(e, scope, value);
  case OP_RECORDED:
    return evaluate_recorded(e, scope, value);
  case OP_CHOOSE:
    return evaluate_choice(e, scope, value);
  default:
    return evaluate_operator(e, scope, value);
  }
}

/* ---- from outside ---- */

int frame_expression_check(const struct frame_expression *e, const struct frame_scope *scope) {
  struct frame_value value;
  struct frame_scope *others;
  int n, status = BASE_OK;
  if (e->op == OP_NAME) {
    status = evaluate_name(e, scope, &value);
    return status == BASE_FAILED ? BASE_OK : status;
  }
  if (e->op == OP_OF || e->op == OP_RUNS) {
    status = find_others(e, scope, &n, &others);
    for (int i = 0; i < n && status == BASE_OK; ++i) {
      status = frame_expression_check(e->part[0], &others[i]);
    }
    return status;
  }
  for (int i = 0; i < e->n && status == BASE_OK; ++i) {
    status = frame_expression_check(e->part[i], scope);
  }
  return status;
}

void frame_expression_want(const struct frame_expression *e, struct frame *f, const char *by) {
  double x;
  if (e->op == OP_NAME && !frame_constant(e->word, &x)) {
    frame_want(f, e->word, by);
  }
  for (int i = 0; i < e->n; ++i) {
    frame_expression_want(e->part[i], f, by);
  }
}

int frame_expression_value(const struct frame_expression *e, const struct frame_scope *scope,
                           struct frame_value *value) {
  const int status = evaluate(e, scope, value);
  if (status != BASE_OK) {
    *value = missing;
  }
  return status;
}

int frame_expression_number(const struct frame_expression *e, const struct frame_scope *scope,
                            double *x) {
  struct frame_value value;
  const int status = frame_expression_value(e, scope, &value);
  *x = value.kind == FRAME_NUMBER ? value.number : NAN;
  if (status == BASE_OK && value.kind == FRAME_LIST) {
    return frame_fail(
        e, base_arena_printf(scope->arena,
                             "is a vector of %d, where one number is wanted (max, last, at)",
                             value.list->n));
  }
  return status;
}
