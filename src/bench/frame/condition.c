/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conditions on rows, of filters and --where: expressions that are true or not, or, without blanks,
 *
 *   KEY<X  KEY<=X  KEY>X  KEY>=X  |KEY|<X ...   X a number
 *   KEY=A|B|C  KEY!=A|B|C                       the value is one of these (none of these)
 *
 * In these A is a number, or a text without quotes; `null` is what is missing, which fulfils
 * nothing but KEY=null and KEY!=A. KEY may have '-' and '+' in it, as names of scenes do.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/options.h"
#include "base/status.h"
#include "bench/frame/expression_parts.h"

struct making {
  struct base_arena *arena;
  const struct frame_source *source;
};

static struct frame_expression *node(const struct making *m, enum frame_op op, const char *word,
                                     const struct frame_expression *a,
                                     const struct frame_expression *b) {
  struct frame_expression *e = base_arena_push(m->arena, sizeof *e);
  *e = (struct frame_expression){.op = op, .source = m->source, .word = word};
  e->n = (a != NULL) + (b != NULL);
  e->part = base_arena_push(m->arena, 2 * sizeof(void *));
  e->part[0] = a;
  e->part[1] = b;
  return e;
}

static struct frame_expression *call(const struct making *m, const char *function,
                                     const struct frame_expression *of) {
  struct frame_expression *e = node(m, OP_FUNCTION, function, of, NULL);
  e->function = frame_function_find(function);
  return e;
}

static struct frame_expression *constant(const struct making *m, double x) {
  struct frame_expression *e = node(m, OP_NUMBER, NULL, NULL, NULL);
  e->number = x;
  return e;
}

/* Is it the value that is written? A number in a file may stand as a text in a record. */
static const struct frame_expression *is_one(const struct making *m,
                                             const struct frame_expression *key, const char *text) {
  double x;
  if (strcmp(text, "null") == 0) {
    return node(m, OP_NOT, NULL, call(m, "exists", key), NULL);
  }
  const struct frame_expression *same =
      node(m, OP_EQUAL, NULL, key, node(m, OP_TEXT, text, NULL, NULL));
  return base_parse_real(text, &x) == BASE_OK
             ? node(m, OP_OR, NULL, same, node(m, OP_EQUAL, NULL, key, constant(m, x)))
             : same;
}

static const struct frame_expression *
is_any(const struct making *m, const struct frame_expression *key, const char *values) {
  const struct frame_expression *any = NULL;
  char *rest = base_arena_copy(m->arena, values);
  for (char *next; rest != NULL; rest = next) {
    next = strchr(rest, '|');
    if (next != NULL) {
      *next++ = '\0';
    }
    const struct frame_expression *one = is_one(m, key, rest);
    any = any == NULL ? one : node(m, OP_OR, NULL, any, one);
  }
  return any;
}

/* Does a short form begin with so many characters of a key? */
static int is_key(const char *key, size_t length) {
  for (size_t i = 0; i < length; ++i) {
    if (!isalnum((unsigned char)key[i]) && strchr("_.-+", key[i]) == NULL && (key[i] & 0x80) == 0) {
      return 0;
    }
  }
  return length > 0 && (isalpha((unsigned char)key[0]) || (key[0] & 0x80) != 0);
}

/* A short form; NULL: it is none. */
static const struct frame_expression *read_short(const struct making *m) {
  const char *text = m->source->text, *op = text + strcspn(text, "<>=!");
  const int is_absolute = text[0] == '|' && op > text + 2 && op[-1] == '|';
  const char *begin = text + is_absolute;
  const size_t length = (size_t)(op - begin) - (size_t)is_absolute;
  const int is_not = *op == '!', or_equal = !is_not && *op != '=' && *op != '\0' && op[1] == '=';
  double limit;
  if (*op == '\0' || !is_key(begin, length) || (is_not && op[1] != '=')) {
    return NULL;
  }
  const char *value = op + 1 + (is_not || or_equal);
  const struct frame_expression *key =
      node(m, OP_NAME, base_arena_printf(m->arena, "%.*s", (int)length, begin), NULL, NULL);
  if (*op == '=' || is_not) {
    if (is_absolute || *value == '\0' || strchr("= '`", *value) != NULL) {
      return NULL;
    }
    const struct frame_expression *any = is_any(m, key, value);
    return is_not ? node(m, OP_NOT, NULL, any, NULL) : any;
  }
  if (base_parse_real(value, &limit) != BASE_OK || !isfinite(limit)) {
    return NULL;
  }
  return node(m,
              *op == '<' ? or_equal ? OP_LESS_EQUAL : OP_LESS
              : or_equal ? OP_GREATER_EQUAL
                         : OP_GREATER,
              NULL, is_absolute ? call(m, "abs", key) : key, constant(m, limit));
}

const struct frame_expression *frame_condition_read(struct base_arena *arena, const char *text,
                                                    const char *place) {
  const struct making m = {arena, frame_source_new(arena, text, place)};
  if (m.source == NULL) {
    return NULL;
  }
  const struct frame_expression *e = read_short(&m);
  e = e != NULL ? e : frame_expression_read(arena, text, place);
  if (e != NULL && e->op == OP_NAME) { /* a slip, of rows of numbers it would take all */
    base_fail(
        BASE_E_INPUT,
        "%s = '%s': must be KEY<X, KEY<=X, KEY>X, KEY>=X, |KEY|<X ..., KEY=A|B, KEY!=A|B or an "
        "expression that compares",
        place, text);
    return NULL;
  }
  return e;
}

int frame_condition_holds(const struct frame_expression *e, const struct frame_scope *scope,
                          int *holds) {
  double x;
  const int status = frame_expression_number(e, scope, &x);
  *holds = x != 0 && !isnan(x);
  return status;
}
