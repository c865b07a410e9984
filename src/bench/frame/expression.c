/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads expressions into trees; see expression.h.
 *
 *   choice   = level1 [ "?" choice ":" choice ]
 *   level1   = level2 { "||" level2 }            level2 = level3 { "&&" level3 }
 *   level3   = level4 { relation level4 }        relation: < <= > >= == !=
 *   level4   = level5 { ("+" "-") level5 }       level5 = sign { ("*" "/") sign }
 *   sign     = [ "-" "!" ] power                 power  = atom [ "^" sign ]
 *   atom     = number | name | `name` | 'text' | "(" choice ")" | "|" choice "|" | "[" choices "]"
 *            | function "(" choices ")" | "of" "(" text "," choice ")" | "runs" "(" text "," choice
 *            ")"
 *
 * A name has letters, digits, '_' and '.', and begins with no digit; any other stands in backticks.
 */
#include "bench/frame/expression.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "bench/frame/expression_parts.h"

enum { DEPTH_MAX = 200, LONGEST = 4000 /* characters; a part of a tree each at most */ };

struct reader {
  struct base_arena *arena;
  const struct frame_source *source;
  const char *text, *at; /* what is read, and what of it is next */
  int depth, has_failed;
};

static const struct frame_expression *read_choice(struct reader *r);
static const struct frame_expression *number_of(struct reader *r, const struct frame_expression *e);

static struct frame_expression *fail(struct reader *r, const char *why) {
  if (!r->has_failed) {
    base_fail(BASE_E_INPUT, "%s: expression '%s': %s at character %d", r->source->place,
              r->source->text, why, (int)(r->at - r->text) + 1);
  }
  r->has_failed = 1;
  return NULL;
}

/* A node of n parts, which are to be filled in. */
static struct frame_expression *make(struct reader *r, enum frame_op op, int n) {
  struct frame_expression *e = base_arena_push(r->arena, sizeof *e);
  *e = (struct frame_expression){.op = op, .source = r->source, .n = n};
  e->part = base_arena_push(r->arena, (size_t)(n + 1) * sizeof(void *));
  return e;
}

static struct frame_expression *join(struct reader *r, enum frame_op op,
                                     const struct frame_expression *a,
                                     const struct frame_expression *b,
                                     const struct frame_expression *c) {
  struct frame_expression *e = make(r, op, c != NULL ? 3 : b != NULL ? 2 : 1);
  e->part[0] = a;
  e->part[1] = b;
  if (c != NULL) {
    e->part[2] = c;
  }
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

/* ---- words ---- */

static int is_letter(char c) { return isalnum((unsigned char)c) || c == '_' || (c & 0x80) != 0; }

/* What stands between two marks, the first of which has been taken; NULL with a message. */
static const char *read_quoted(struct reader *r, char mark) {
  const char *end = strchr(r->at, mark);
  if (end == NULL) {
    return (const char *)fail(r, mark == '\'' ? "a ' is missing" : "a ` is missing");
  }
  const char *word = base_arena_printf(r->arena, "%.*s", (int)(end - r->at), r->at);
  r->at = end + 1;
  return word;
}

/* The values of a list up to its end, which is taken, in a node. */
static struct frame_expression *read_list(struct reader *r, enum frame_op op, const char *end) {
  enum { MOST = 64 };
  const struct frame_expression *part[MOST];
  int n = 0;
  while (!r->has_failed && !take(r, end)) {
    if (n > 0 && !take(r, ",")) {
      return fail(r, end[0] == ')' ? "a ',' or ')' is missing" : "a ',' or ']' is missing");
    }
    if (n == MOST) {
      return fail(r, "too many values");
    }
    part[n] = read_choice(r);
    part[n] = op == OP_CALL ? part[n] : number_of(r, part[n]);
    ++n;
  }
  struct frame_expression *e = make(r, op, n);
  memcpy(e->part, part, (size_t)n * sizeof(void *));
  return e;
}

/* of('label', e) and runs('pattern', e), behind their "(". */
static struct frame_expression *read_elsewhere(struct reader *r, enum frame_op op) {
  if (!take(r, "'")) {
    return fail(r, op == OP_OF ? "a label in quotes is missing" : "a pattern in quotes is missing");
  }
  const char *word = read_quoted(r, '\'');
  if (!r->has_failed && !take(r, ",")) {
    return fail(r, "a ',' is missing");
  }
  const struct frame_expression *inside = r->has_failed ? NULL : read_choice(r);
  if (!r->has_failed && !take(r, ")")) {
    return fail(r, "a ')' is missing");
  }
  struct frame_expression *e = join(r, op, inside, NULL, NULL);
  e->word = word;
  return e;
}

/* recorded(e), behind its "(". */
static struct frame_expression *read_recorded(struct reader *r) {
  const struct frame_expression *inside = read_choice(r);
  return !r->has_failed && !take(r, ")") ? fail(r, "a ')' is missing")
                                         : join(r, OP_RECORDED, inside, NULL, NULL);
}

/* The function of a name, whose "(" has been taken. Dotted names are the scope's. */
static struct frame_expression *read_function(struct reader *r, const char *name) {
  if (strcmp(name, "of") == 0 || strcmp(name, "runs") == 0) {
    return read_elsewhere(r, name[0] == 'o' ? OP_OF : OP_RUNS);
  }
  if (strcmp(name, "recorded") == 0) {
    return read_recorded(r);
  }
  const struct frame_function *f = frame_function_find(name);
  if (f == NULL && strchr(name, '.') == NULL) {
    int n;
    const char *const *names = frame_function_names(&n);
    return fail(r, base_arena_printf(r->arena, "there is no function '%s'%s", name,
                                     frame_hint(name, n, names)));
  }
  const int takes_texts = f == NULL || f->takes_texts;
  struct frame_expression *e = read_list(r, takes_texts ? OP_CALL : OP_FUNCTION, ")");
  if (r->has_failed) {
    return NULL;
  }
  e->op = f != NULL ? OP_FUNCTION : OP_CALL;
  if (f != NULL && (e->n < f->least || e->n > f->most)) {
    return fail(r, base_arena_printf(r->arena, "%s takes %d%s%s, not %d,", name, f->least,
                                     f->most > f->least ? " or more" : "",
                                     f->most == 1 ? " argument" : " arguments", e->n));
  }
  e->word = name;
  e->function = f;
  return e;
}

static struct frame_expression *read_word(struct reader *r) {
  const int is_quoted = *r->at == '`';
  size_t length = 0;
  while (is_letter(r->at[length]) || r->at[length] == '.') {
    ++length;
  }
  if (!is_quoted && length == 0) {
    return fail(r, "a number, a name or a '(' is missing");
  }
  const char *name;
  if (is_quoted) {
    ++r->at;
    name = read_quoted(r, '`');
  } else {
    name = base_arena_printf(r->arena, "%.*s", (int)length, r->at);
    r->at += length;
    if (take(r, "(")) {
      return read_function(r, name);
    }
  }
  struct frame_expression *e = make(r, OP_NAME, 0);
  e->word = name;
  return e;
}

/* ---- operators ---- */

static const struct frame_expression *read_enclosed(struct reader *r, const char *end,
                                                    const char *missing) {
  const struct frame_expression *e = read_choice(r);
  return r->has_failed || take(r, end) ? e : fail(r, missing);
}

static const struct frame_expression *read_atom(struct reader *r) {
  static const char ABS[] = "abs";
  struct frame_expression *e;
  if (++r->depth > DEPTH_MAX) {
    return fail(r, "too many parts within each other");
  }
  const struct frame_expression *made = NULL;
  if (take(r, "(")) {
    made = read_enclosed(r, ")", "a ')' is missing");
  } else if (take(r, "|")) {
    made = e = join(r, OP_FUNCTION, read_enclosed(r, "|", "a '|' is missing"), NULL, NULL);
    e->function = frame_function_find(ABS);
    e->word = ABS;
  } else if (take(r, "[")) {
    made = read_list(r, OP_VECTOR, "]");
  } else if (take(r, "'")) {
    made = e = make(r, OP_TEXT, 0);
    e->word = read_quoted(r, '\'');
  } else if (isdigit((unsigned char)*r->at) || *r->at == '.') {
    char *end;
    made = e = make(r, OP_NUMBER, 0);
    e->number = strtod(r->at, &end);
    if (end == r->at) {
      return fail(r, "a number is missing");
    }
    r->at = end;
  } else {
    made = read_word(r);
  }
  --r->depth;
  return made;
}

/* A text stands alone, beside == or !=, behind ? and :, and where functions take texts. */
static const struct frame_expression *number_of(struct reader *r,
                                                const struct frame_expression *e) {
  if (!r->has_failed && e != NULL && e->op == OP_TEXT) {
    return fail(r, base_arena_printf(r->arena,
                                     "'%s' is a text, where a number is wanted (a name of other "
                                     "letters stands in backticks),",
                                     e->word));
  }
  return e;
}

static const struct frame_expression *read_sign(struct reader *r) {
  if (++r->depth > DEPTH_MAX) {
    return fail(r, "too many parts within each other");
  }
  const struct frame_expression *e;
  if (take(r, "-")) {
    e = join(r, OP_NEGATE, number_of(r, read_sign(r)), NULL, NULL);
  } else if (take(r, "!")) {
    e = join(r, OP_NOT, number_of(r, read_sign(r)), NULL, NULL);
  } else {
    e = read_atom(r);
    if (!r->has_failed && take(r, "^")) {
      e = join(r, OP_POWER, number_of(r, e), number_of(r, read_sign(r)), NULL);
    }
  }
  --r->depth;
  return e;
}

/* Operators of two sides, the tightest level last; within one the longer words first. */
enum { LEVELS = 5, OPERATORS = 6 };
static const struct {
  const char *word;
  enum frame_op op;
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
      const enum frame_op op = levels[level][i].op;
      const struct frame_expression *other = read_level(r, level + 1);
      const int of_texts = op == OP_EQUAL || op == OP_UNEQUAL;
      e = of_texts ? join(r, op, e, other, NULL)
                   : join(r, op, number_of(r, e), number_of(r, other), NULL);
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
    const struct frame_expression *no = r->has_failed ? NULL : read_choice(r);
    e = r->has_failed ? NULL : join(r, OP_CHOOSE, number_of(r, e), yes, no);
  }
  --r->depth;
  return e;
}

const struct frame_expression *frame_expression_read_as(struct base_arena *arena, const char *text,
                                                        const char *written, const char *place) {
  if (strlen(written) > LONGEST) {
    base_fail(BASE_E_INPUT, "%s: an expression of more than %d characters", place, LONGEST);
    return NULL;
  }
  struct frame_source *source = base_arena_push(arena, sizeof *source);
  *source = (struct frame_source){base_arena_copy(arena, place), base_arena_copy(arena, written)};
  struct reader r = {.arena = arena, .source = source, .text = text, .at = text};
  const struct frame_expression *e = read_choice(&r);
  take(&r, "");
  if (!r.has_failed && *r.at != '\0') {
    return fail(&r, "an operator is missing");
  }
  return r.has_failed ? NULL : e;
}

const struct frame_expression *frame_expression_read(struct base_arena *arena, const char *text,
                                                     const char *place) {
  return frame_expression_read_as(arena, text, text, place);
}
