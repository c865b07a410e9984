/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers from columns: "errors.q_linf / quality.scales.length", read once and worked out a row.
 *
 *   choice   = or [ "?" choice ":" choice ]
 *   or       = and { "||" and }             and  = relation { "&&" relation }
 *   relation = sum [ ("<" "<=" ">" ">=" "==" "!=") sum ]
 *   sum      = product { ("+" "-") product }   product = sign { ("*" "/") sign }
 *   sign     = [ "-" "!" ] power            power = atom [ "^" sign ]
 *   atom     = number | column | 'column' | function "(" choices ")" | "(" choice ")"
 *
 * A column's name has letters, digits, '_' and '.'; any other stands in quotes. What is missing or
 * no number is NaN, and so is all that is made of it; a relation with NaN is false.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "bench/frame/frame.h"

enum { DEPTH_MAX = 200, ARGUMENTS_MAX = 2 };

static double take_min(double a, double b) { return isnan(a) || isnan(b) ? NAN : fmin(a, b); }
static double take_max(double a, double b) { return isnan(a) || isnan(b) ? NAN : fmax(a, b); }
static double is_number(double x) { return !isnan(x); }

static const struct function {
  const char *name;
  double (*one)(double);
  double (*two)(double, double);
} functions[] = {{"abs", fabs, NULL},     {"sqrt", sqrt, NULL},    {"exp", exp, NULL},
                 {"log", log, NULL},      {"log10", log10, NULL},  {"sin", sin, NULL},
                 {"cos", cos, NULL},      {"tan", tan, NULL},      {"acos", acos, NULL},
                 {"floor", floor, NULL},  {"round", round, NULL},  {"exists", is_number, NULL},
                 {"min", NULL, take_min}, {"max", NULL, take_max}, {"pow", NULL, pow},
                 {"hypot", NULL, hypot},  {"atan2", NULL, atan2}};
enum { FUNCTIONS = sizeof functions / sizeof *functions };
static const struct {
  const char *name;
  double value;
} constants[] = {{"pi", 3.14159265358979323846}, {"nan", NAN}};
enum { CONSTANTS = sizeof constants / sizeof *constants };

enum op {
  OP_NUMBER,
  OP_COLUMN,
  OP_FUNCTION,
  OP_NEGATE,
  OP_NOT,
  OP_ADD,
  OP_SUBTRACT,
  OP_MULTIPLY,
  OP_DIVIDE,
  OP_POWER,
  OP_LESS,
  OP_LESS_EQUAL,
  OP_GREATER,
  OP_GREATER_EQUAL,
  OP_EQUAL,
  OP_UNEQUAL,
  OP_AND,
  OP_OR,
  OP_CHOOSE
};
struct frame_expression {
  enum op op;
  double number;
  int column;
  const struct function *function;
  const struct frame_expression *part[3];
};

struct reader {
  const struct frame *frame;
  const char *file, *text, *at;
  int depth, has_failed;
};

static const struct frame_expression *read_choice(struct reader *r);

static const struct frame_expression *fail(struct reader *r, const char *why) {
  if (!r->has_failed) {
    base_fail(BASE_E_INPUT, "%s: expression '%s': %s at character %d", r->file, r->text, why,
              (int)(r->at - r->text) + 1);
  }
  r->has_failed = 1;
  return NULL;
}

static const struct frame_expression *make(struct reader *r, enum op op,
                                           const struct frame_expression *a,
                                           const struct frame_expression *b,
                                           const struct frame_expression *c) {
  if (r->has_failed) {
    return NULL;
  }
  struct frame_expression *e = base_arena_push(r->frame->arena, sizeof *e);
  *e = (struct frame_expression){.op = op, .part = {a, b, c}};
  return e;
}

static int take(struct reader *r, const char *word) {
  while (isspace((unsigned char)*r->at)) {
    ++r->at;
  }
  const size_t length = strlen(word);
  if (strncmp(r->at, word, length) != 0) {
    return 0;
  }
  r->at += length;
  return 1;
}

static const struct frame_expression *of_column(struct reader *r, const char *name) {
  struct frame_expression *e = base_arena_push(r->frame->arena, sizeof *e);
  *e = (struct frame_expression){.op = OP_COLUMN, .column = frame_need(r->frame, name, r->file)};
  r->has_failed |= e->column < 0;
  return e;
}

static const struct frame_expression *of_function(struct reader *r, const struct function *f) {
  struct frame_expression *e = base_arena_push(r->frame->arena, sizeof *e);
  *e = (struct frame_expression){.op = OP_FUNCTION, .function = f};
  const int wanted = f->one != NULL ? 1 : ARGUMENTS_MAX;
  for (int i = 0; i < wanted && !r->has_failed; ++i) {
    if (i > 0 && !take(r, ",")) {
      return fail(r, "a ',' is missing");
    }
    e->part[i] = read_choice(r);
  }
  return take(r, ")") ? e : fail(r, "a ')' is missing");
}

static const struct frame_expression *of_number(struct reader *r, double x) {
  struct frame_expression *e = base_arena_push(r->frame->arena, sizeof *e);
  *e = (struct frame_expression){.op = OP_NUMBER, .number = x};
  return e;
}

static const struct frame_expression *read_word(struct reader *r) {
  char name[256];
  size_t length = 0;
  const int is_quoted = *r->at == '\'';
  const char *begin = r->at + is_quoted;
  while (is_quoted ? begin[length] != '\'' && begin[length] != '\0'
                   : isalnum((unsigned char)begin[length]) ||
                         strchr("_.", begin[length] ? begin[length] : ' ') != NULL) {
    ++length;
  }
  if (length == 0 || length >= sizeof name || (is_quoted && begin[length] == '\0')) {
    return fail(r, "a number, a column or a '(' is missing");
  }
  snprintf(name, sizeof name, "%.*s", (int)length, begin);
  r->at = begin + length + is_quoted;
  for (int i = 0; i < FUNCTIONS && !is_quoted; ++i) {
    if (strcmp(functions[i].name, name) == 0 && take(r, "(")) {
      return of_function(r, &functions[i]);
    }
  }
  for (int i = 0; i < CONSTANTS && !is_quoted; ++i) {
    if (strcmp(constants[i].name, name) == 0 && frame_find(r->frame, name) < 0) {
      return of_number(r, constants[i].value);
    }
  }
  return of_column(r, name);
}

static const struct frame_expression *read_atom(struct reader *r) {
  if (++r->depth > DEPTH_MAX) {
    return fail(r, "too many parts within each other");
  }
  const struct frame_expression *e;
  if (take(r, "(")) {
    e = read_choice(r);
    e = r->has_failed || take(r, ")") ? e : fail(r, "a ')' is missing");
  } else if (isdigit((unsigned char)*r->at) || *r->at == '.') {
    char *end;
    const double x = strtod(r->at, &end);
    r->at = end;
    e = of_number(r, x);
  } else {
    e = read_word(r);
  }
  --r->depth;
  return e;
}

static const struct frame_expression *read_sign(struct reader *r) {
  if (++r->depth > DEPTH_MAX) {
    return fail(r, "too many parts within each other");
  }
  const struct frame_expression *e;
  if (take(r, "-")) {
    e = make(r, OP_NEGATE, read_sign(r), NULL, NULL);
  } else if (take(r, "!")) {
    e = make(r, OP_NOT, read_sign(r), NULL, NULL);
  } else {
    e = read_atom(r);
    e = !r->has_failed && take(r, "^") ? make(r, OP_POWER, e, read_sign(r), NULL) : e;
  }
  --r->depth;
  return e;
}

/* Operators of two sides, the tightest level last; within one the longer words first. */
enum { LEVELS = 5, OPERATORS = 6 };
static const struct {
  const char *word;
  enum op op;
} levels[LEVELS][OPERATORS] = {
    {{"||", OP_OR}},
    {{"&&", OP_AND}},
    {{"<=", OP_LESS_EQUAL},
     {">=", OP_GREATER_EQUAL},
     {"==", OP_EQUAL},
     {"!=", OP_UNEQUAL},
     {"<", OP_LESS},
     {">", OP_GREATER}},
    {{"+", OP_ADD}, {"-", OP_SUBTRACT}},
    {{"*", OP_MULTIPLY}, {"/", OP_DIVIDE}},
};

static const struct frame_expression *read_level(struct reader *r, int level) {
  const struct frame_expression *e = level == LEVELS ? read_sign(r) : read_level(r, level + 1);
  for (int i = 0; level < LEVELS && i < OPERATORS && levels[level][i].word != NULL; ++i) {
    if (!r->has_failed && take(r, levels[level][i].word)) {
      e = make(r, levels[level][i].op, e, read_level(r, level + 1), NULL);
      i = -1; /* from left to right, whichever comes next */
    }
  }
  return e;
}

static const struct frame_expression *read_choice(struct reader *r) {
  if (++r->depth > DEPTH_MAX) {
    return fail(r, "too many parts within each other");
  }
  const struct frame_expression *e = read_level(r, 0);
  if (!r->has_failed && take(r, "?")) {
    const struct frame_expression *yes = read_choice(r);
    if (!r->has_failed && !take(r, ":")) {
      return fail(r, "a ':' is missing");
    }
    e = make(r, OP_CHOOSE, e, yes, read_choice(r));
  }
  --r->depth;
  return e;
}

const struct frame_expression *frame_expression_read(const char *text, const struct frame *f,
                                                     const char *file) {
  struct reader r = {.frame = f, .file = file, .text = text, .at = text};
  const struct frame_expression *e = read_choice(&r);
  take(&r, "");
  if (!r.has_failed && *r.at != '\0') {
    return fail(&r, "an operator is missing");
  }
  return r.has_failed ? NULL : e;
}

double frame_expression_value(const struct frame_expression *e, const struct frame *f, long row) {
  double x[3] = {NAN, NAN, NAN};
  if (e->op == OP_NUMBER) {
    return e->number;
  }
  if (e->op == OP_COLUMN) {
    return frame_real(f, row, e->column);
  }
  if (e->op == OP_CHOOSE) {
    const double yes = frame_expression_value(e->part[0], f, row);
    return isnan(yes) ? NAN : frame_expression_value(e->part[yes != 0 ? 1 : 2], f, row);
  }
  for (int i = 0; i < 2 && e->part[i] != NULL; ++i) {
    x[i] = frame_expression_value(e->part[i], f, row);
  }
  switch (e->op) {
  case OP_FUNCTION:
    return e->function->one != NULL ? e->function->one(x[0]) : e->function->two(x[0], x[1]);
  case OP_NEGATE:
    return -x[0];
  case OP_NOT:
    return isnan(x[0]) ? NAN : x[0] == 0;
  case OP_ADD:
    return x[0] + x[1];
  case OP_SUBTRACT:
    return x[0] - x[1];
  case OP_MULTIPLY:
    return x[0] * x[1];
  case OP_DIVIDE:
    return x[0] / x[1];
  case OP_POWER:
    return pow(x[0], x[1]);
  case OP_LESS:
    return x[0] < x[1];
  case OP_LESS_EQUAL:
    return x[0] <= x[1];
  case OP_GREATER:
    return x[0] > x[1];
  case OP_GREATER_EQUAL:
    return x[0] >= x[1];
  case OP_EQUAL:
    return x[0] == x[1];
  case OP_UNEQUAL:
    return x[0] < x[1] || x[0] > x[1];
  case OP_AND:
    return x[0] != 0 && x[1] != 0 && !isnan(x[0]) && !isnan(x[1]);
  default:
    return (x[0] != 0 && !isnan(x[0])) || (x[1] != 0 && !isnan(x[1]));
  }
}
