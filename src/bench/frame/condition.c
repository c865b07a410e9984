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

/* Is it the value that is written? A number in a file may stand as a text in a record. */
static const char *is_one(struct base_arena *arena, const char *key, const char *value) {
  double x;
  return strcmp(value, "null") == 0 ? base_arena_printf(arena, "!exists(`%s`)", key)
         : base_parse_real(value, &x) == BASE_OK
             ? base_arena_printf(arena, "`%s` == '%s' || `%s` == %.17g", key, value, key, x)
             : base_arena_printf(arena, "`%s` == '%s'", key, value);
}

static const char *is_any(struct base_arena *arena, const char *key, const char *values) {
  const char *any = "";
  char *rest = base_arena_copy(arena, values);
  for (const char *value; (value = strsep(&rest, "|")) != NULL;) {
    any = base_arena_printf(arena, "%s%s%s", any, any[0] != '\0' ? " || " : "",
                            is_one(arena, key, value));
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

/* The expression that a short form stands for; NULL: it is none. */
static const char *in_full(struct base_arena *arena, const char *text) {
  const char *op = text + strcspn(text, "<>=!");
  const int is_absolute = text[0] == '|' && op > text + 2 && op[-1] == '|';
  const char *begin = text + is_absolute;
  const size_t length = (size_t)(op - begin) - (size_t)is_absolute;
  const int is_not = *op == '!', or_equal = !is_not && *op != '=' && *op != '\0' && op[1] == '=';
  double limit;
  if (*op == '\0' || !is_key(begin, length) || (is_not && op[1] != '=')) {
    return NULL;
  }
  const char *value = op + 1 + (is_not || or_equal);
  const char *key = base_arena_printf(arena, "%.*s", (int)length, begin);
  if (*op == '=' || is_not) {
    return is_absolute || *value == '\0' || strchr("= `", *value) != NULL ||
                   strchr(value, '\'') != NULL
               ? NULL
               : base_arena_printf(arena, "%s(%s)", is_not ? "!" : "", is_any(arena, key, value));
  }
  return base_parse_real(value, &limit) == BASE_OK && isfinite(limit)
             ? base_arena_printf(arena, "%s(`%s`) %c%s %.17g", is_absolute ? "abs" : "", key, *op,
                                 or_equal ? "=" : "", limit)
             : NULL;
}

const struct frame_expression *frame_condition_read(struct base_arena *arena, const char *text,
                                                    const char *place) {
  const char *full = in_full(arena, text);
  const struct frame_expression *e =
      frame_expression_read_as(arena, full != NULL ? full : text, text, place);
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
