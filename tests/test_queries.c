/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Expressions and queries of frames: the worked examples of tests/worked/expressions.txt and
 * frames.txt, and tests that such files cannot express.
 */
#include "bench/frame/expression.h"
#include "bench/frame/frame.h"

#include <stdlib.h>

#include "base/json/json.h"
#include "tests/frame_table.h"
#include "tests/test.h"
#include "tests/worked.h"

/* ---- expressions ---- */

/* A value as text: "7", "[1 - 3]", "'ok'", "-". */
static const char *shown(const struct frame_value *v) {
  struct base_arena *arena = test_arena();
  char number[BASE_JSON_NUMBER_SIZE];
  if (v->kind == FRAME_TEXT) {
    return base_arena_printf(arena, "'%s'", v->text);
  }
  if (v->kind == FRAME_NUMBER) {
    return isnan(v->number)   ? "-"
           : isinf(v->number) ? "inf"
                              : base_arena_copy(arena, base_json_number(v->number, number));
  }
  const char *text = "[";
  for (int i = 0; i < v->list->n; ++i) {
    const double x = v->list->x[i];
    text = base_arena_printf(arena, "%s%s%s", text, i > 0 ? " " : "",
                             isnan(x) ? "-" : base_json_number(x, number));
  }
  return base_arena_printf(arena, "%s]", text);
}

/* What an expression is, or a condition behind "? ". */
static int work_out(const struct frame_scope *scope, const char *text, const char **is) {
  const int is_condition = strncmp(text, "? ", 2) == 0;
  const struct frame_expression *e = is_condition
                                         ? frame_condition_read(test_arena(), text + 2, "test")
                                         : frame_expression_read(test_arena(), text, "test");
  struct frame_value value = {.number = NAN};
  int holds = -1;
  const int status = e == NULL      ? BASE_E_INPUT
                     : is_condition ? frame_condition_holds(e, scope, &holds)
                                    : frame_expression_value(e, scope, &value);
  *is = is_condition ? (holds == 1 ? "1" : "0") : status == BASE_OK ? shown(&value) : "";
  return status;
}

TEST(expressions_have_their_values) {
  struct frame_scope scope = {.data = NULL};
  for (struct worked w = worked_begin("expressions.txt"); worked_next(&w);) {
    const char *is;
    if (w.right == NULL) { /* the names that there are */
      scope = frame_object_scope(test_arena(), test_json(base_json_parse(w.left, "names")));
    } else if (worked_status(&w, work_out(&scope, w.left, &is)) && strcmp(is, w.right) != 0) {
      worked_fail(&w, "is %s, must be %s", is, w.right);
    } else if (w.right[0] == '!' && strncmp(base_message(), "test", 4) != 0) {
      worked_fail(&w, "'%s' does not say where", base_message());
    }
  }
}

TEST(names_are_checked_in_all_branches) {
  struct base_arena *arena = test_arena();
  const struct frame_scope scope =
      frame_object_scope(arena, test_json(base_json_parse("{\"a\": 3, \"x\": [1]}", "test")));
  const struct frame_expression *e = frame_expression_read(arena, "a > 2 ? a : nowhere", "test");
  CHECK(e != NULL && frame_expression_check(e, &scope) == BASE_E_INPUT);
  e = frame_expression_read(arena, "max(x) + pi", "test");
  CHECK(e != NULL && frame_expression_check(e, &scope) == BASE_OK);
}

TEST(what_is_too_deep_or_long_is_refused) {
  struct base_arena *arena = test_arena();
  for (const char *mark = "([|-!"; *mark != '\0'; ++mark) {
    char deep[2000];
    memset(deep, *mark, sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    CHECK(frame_expression_read(arena, deep, "test") == NULL);
  }
  char list[2000] = "[1";
  for (size_t i = 2; i + 3 < sizeof list; i += 2) {
    memcpy(list + i, ",1]", 4);
  }
  CHECK(frame_expression_read(arena, list, "test") == NULL);
  CHECK(frame_expression_read(arena, base_arena_printf(arena, "1%9999s", ""), "test") == NULL);
  CHECK(strstr(base_message(), "more than 4000 characters") != NULL);
}

/* ---- frames ---- */

/* Words are the same, numbers among them up to rounding. */
static int are_same(const char *a, const char *b) {
  while (*a != '\0' && *b != '\0') {
    char *end_a, *end_b;
    const size_t n = strcspn(a, " "), m = strcspn(b, " ");
    const double x = strtod(a, &end_a), y = strtod(b, &end_b);
    const int are_numbers = n > 0 && end_a == a + n && end_b == b + m;
    if (are_numbers ? !(x == y || fabs(x - y) <= 1e-12) : n != m || strncmp(a, b, n) != 0) {
      return 0;
    }
    a += n + (a[n] == ' ');
    b += m + (b[m] == ' ');
  }
  return *a == *b;
}

enum part { PART_HEADING, PART_TABLE, PART_QUERY, PART_RESULT };

/* A line "column: values", or "! words of a refusal", is of the result. */
static enum part part_of(const struct worked *w) {
  const char *colon = strchr(w->left, ':');
  return strchr("[{ ", w->left[0]) != NULL ? PART_QUERY
         : w->left[0] == '!' || (w->left[0] != '\'' && colon != NULL && colon[1] == ' ')
             ? PART_RESULT
             : PART_TABLE;
}

static void check_result(struct worked *w, const struct frame *f, int status) {
  char *line = (char *)w->left;
  w->right = line[0] == '!' ? line : NULL;
  if (worked_status(w, status)) {
    const char *values = strsep(&line, ":") != NULL ? line + 1 : "";
    const char *found = frame_find(f, w->left) < 0 ? "absent" : frame_table_shown(f, w->left);
    if (!are_same(found, values)) {
      worked_fail(w, "is %s, must be %s", found, values);
    }
  }
}

TEST(queries_have_their_answers) {
  struct base_arena *arena = test_arena();
  const char *table = "", *query = "";
  enum part last = PART_HEADING;
  struct frame *f = NULL;
  int status = BASE_OK;
  for (struct worked w = worked_begin("frames.txt"); worked_next(&w);) {
    const enum part part = part_of(&w);
    if (part == PART_TABLE) {
      table = base_arena_printf(arena, "%s%s\n", last == part ? table : "", w.left);
    } else if (part == PART_QUERY) {
      query = base_arena_printf(arena, "%s%s", last == part ? query : "", w.left);
    } else {
      if (last == PART_QUERY) {
        f = frame_table(arena, table);
        status = frame_table_transform(&f, query);
      }
      check_result(&w, f, status);
    }
    last = part;
  }
}

TEST(combinations_beyond_number_are_refused) {
  struct frame *f = frame_new(test_arena());
  frame_add(f, "x", "");
  for (int i = 0; i < 60; ++i) {
    frame_push(f);
  }
  CHECK_REFUSED(frame_table_transform(&f, "[{\"combinations\": 6, \"of\": [\"x\"]}]"), BASE_E_INPUT,
                "more than 1e+06");
}

/* What rows share their copies share, and nothing is left of the arena they came from. */
TEST(copies_stand_by_themselves) {
  struct base_arena *scratch = base_arena_alloc();
  struct frame *f = frame_table(scratch, "who x members\na 1 4,5,6\nb - 7,8\n");
  CHECK_OK(frame_table_transform(
      &f, "[{\"calculate\": \"members\", \"as\": \"m\"}, {\"flatten\": [\"m\"]}]"));
  const struct frame *copy = frame_copy(f, test_arena());
  base_arena_free(scratch);
  CHECK_TEXT(frame_table_shown(copy, "who"), "a a a b b");
  CHECK_TEXT(frame_table_shown(copy, "x"), "1 1 1 - -");
  CHECK_TEXT(frame_table_shown(copy, "m"), "4 5 6 7 8");
  const int members = frame_find(copy, "members");
  CHECK(frame_at(copy, 0, members)->list == frame_at(copy, 2, members)->list);
  CHECK(frame_at(copy, 2, members)->list != frame_at(copy, 3, members)->list);
  CHECK_NEAR(frame_at(copy, 4, members)->list->x[1], 8, 0);
}
