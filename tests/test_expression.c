/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Expressions on vectors whose answers are counted by hand: what goes with what, reductions, what
 * is missing, texts, orders of power laws, and slips that are refused.
 */
#include "bench/frame/expression.h"

#include <cjson/cJSON.h>
#include <math.h>

#include "base/json/json.h"
#include "base/status.h"
#include "tests/test.h"

static const char names[] =
    "{\"a\": 3, \"b\": {\"c\": 4}, \"t-x\": 2, \"none\": null, \"state\": \"ok\", \"sure\": true,"
    " \"t\": [0, 1, 2, 3, 4], \"x\": [1, -2, 4, -8, 16], \"gap\": [5, null, 1], \"empty\": [],"
    " \"dt\": [1, 2, 4, 8], \"square\": [3, 12, 48, 192], \"winding\": [3, -3, -2.5, 3.5],"
    " \"pi2\": 1, \"digits\": \"1e-3\"}";

static int work_out(struct base_arena *arena, const cJSON *object, const char *text,
                    struct frame_value *value) {
  const struct frame_scope scope = frame_object_scope(arena, object);
  const struct frame_expression *e = frame_expression_read(arena, text, "test");
  return e == NULL ? BASE_E_INPUT : frame_expression_value(e, &scope, value);
}

/* A value as text: "7", "[1 - 3]", "'ok'", "-". */
static const char *shown(struct base_arena *arena, const struct frame_value *v) {
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

struct example {
  const char *text, *value;
};

static void check_all(int n, const struct example *examples) {
  struct base_arena *arena = test_arena();
  cJSON *object = test_json(base_json_parse(names, "test"));
  for (int i = 0; i < n; ++i) {
    struct frame_value value = {.number = NAN};
    const int status = work_out(arena, object, examples[i].text, &value);
    CHECK_MESSAGE(status == BASE_OK, "%s: %s", examples[i].text, base_message());
    CHECK_MESSAGE(strcmp(shown(arena, &value), examples[i].value) == 0, "%s is %s, must be %s",
                  examples[i].text, shown(arena, &value), examples[i].value);
  }
}
#define CHECK_ALL(examples) check_all((int)(sizeof(examples) / sizeof *(examples)), examples)

TEST(operators_of_numbers) {
  static const struct example examples[] = {{"a + b.c * 2", "11"},
                                            {"(a + b.c) * 2", "14"},
                                            {"-a^2", "-9"},
                                            {"2^3^2", "512"},
                                            {"2^-1", "0.5"},
                                            {"a - 1 - 1", "1"},
                                            {"a / b.c / 2", "0.375"},
                                            {"hypot(a, b.c)", "5"},
                                            {"a < b.c && !(a == 4)", "1"},
                                            {"a > b.c || none", "0"},
                                            {"a > 2 ? b.c : none", "4"},
                                            {"a > 5 ? 1 : a > 2 ? 2 : 3", "2"},
                                            {"`t-x` * 1e-1", "0.2"},
                                            {"min(a, b.c) + log10(100)", "5"},
                                            {"max(1, a, b.c, 2)", "4"},
                                            {"|a - b.c|", "1"},
                                            {"|-a| < 4 && |a| > 2", "1"},
                                            {"remainder(7, 4)", "-1"},
                                            {"sign(-3) + sign(0)", "-1"},
                                            {"round(2 * pi * 1e6) / 1e6", "6.283185"},
                                            {"pi2", "1"},
                                            {"1 / inf", "0"}};
  CHECK_ALL(examples);
}

TEST(vectors_go_with_numbers_and_with_each_other) {
  static const struct example examples[] = {{"t + 1", "[1 2 3 4 5]"},
                                            {"2 - t * t", "[2 1 -2 -7 -14]"},
                                            {"-x", "[-1 2 -4 8 -16]"},
                                            {"abs(x) > 3", "[0 0 1 1 1]"},
                                            {"x > 0 && t > 0", "[0 0 1 0 1]"},
                                            {"!(x > 0)", "[0 1 0 1 0]"},
                                            {"x > 0 ? x : 0", "[1 0 4 0 16]"},
                                            {"x > 0 ? x : t", "[1 1 4 3 16]"},
                                            {"max(x, 0)", "[1 0 4 0 16]"},
                                            {"min(t, x, 1)", "[0 -2 1 -8 1]"},
                                            {"[1, 2, t, a]", "[1 2 0 1 2 3 4 3]"},
                                            {"[]", "[]"},
                                            {"sequence(4) / 2", "[0 0.5 1 1.5]"},
                                            {"a > 5 ? t : 0", "0"}};
  CHECK_ALL(examples);
}

TEST(reductions) {
  static const struct example examples[] = {{"max(x)", "16"},
                                            {"min(x)", "-8"},
                                            {"range(x)", "24"},
                                            {"sum(x)", "11"},
                                            {"mean(x)", "2.2"},
                                            {"median(x)", "1"},
                                            {"quantile(x, 0.75)", "4"},
                                            {"quantile(x, 1)", "16"},
                                            {"argmax(x)", "4"},
                                            {"argmin(x)", "3"},
                                            {"argmax([1, 5, 5])", "1"},
                                            {"size(x)", "5"},
                                            {"first(x)", "1"},
                                            {"last(x)", "16"},
                                            {"count(x > 0)", "3"},
                                            {"any(x > 20)", "0"},
                                            {"all(x < 20)", "1"},
                                            {"find(x > 2)", "2"},
                                            {"find(x > 20)", "-"},
                                            {"max(a)", "3"},
                                            {"slope(2 - 3 * t, t)", "-3"},
                                            {"slope([0, 1, 0], [0, 1, 2])", "0"},
                                            {"slope([1, 2], [3, 3])", "-"},
                                            {"interp(2.5, t, x)", "-2"},
                                            {"interp([0, 4, 4.1, -1], t, x)", "[1 16 - -]"},
                                            {"interp(1, t, x)", "-2"}};
  CHECK_ALL(examples);
}

TEST(vectors_from_vectors) {
  static const struct example examples[] = {
      {"diff(x)", "[-3 6 -12 24]"},
      {"cumsum(x)", "[1 -1 3 -5 11]"},
      {"cummin(x)", "[1 -2 -2 -8 -8]"},
      {"cummax(x)", "[1 1 4 4 16]"},
      {"index(x)", "[0 1 2 3 4]"},
      {"lag(x)", "[- 1 -2 4 -8]"},
      {"lead(x)", "[-2 4 -8 16 -]"},
      {"count(x * lag(x) < 0)", "4"},
      {"at(x, 2)", "4"},
      {"at(x, find(x > 2) - 1)", "-2"},
      {"at(x, [4, 0, 5, -1, 0.5])", "[16 1 - - -]"},
      {"where(x, t >= 2)", "[4 -8 16]"},
      {"where(x, t > 9)", "[]"},
      {"max(where(x, t < 3))", "4"},
      {"round(10 * unwrap(winding))", "[30 33 38 35]"},
      {"tile([1, 2], 3)", "[1 2 1 2 1 2]"},
      {"tile(7, 2)", "[7 7]"},
      {"tile(x, 0)", "[]"},
      {"tile([], 5)", "[]"},
      {"sums([1, 2, 3, 4, 5, 6], 2)", "[9 12]"},
      {"sums([1, 2, 4], 1)", "[7]"},
      {"drawn_distance([0, 1, 2], [0, 1, 4], [0, 1, 4])", "0"},
      {"diff([1])", "[]"}};
  CHECK_ALL(examples);
}

TEST(what_is_missing_stays_missing) {
  static const struct example examples[] = {{"a + none", "-"},
                                            {"none ? 1 : 2", "-"},
                                            {"min(a, none)", "-"},
                                            {"!none", "-"},
                                            {"exists(none)", "0"},
                                            {"exists(gap)", "[1 0 1]"},
                                            {"none < 3", "0"},
                                            {"none != 3", "0"},
                                            {"max(gap)", "-"},
                                            {"sum(gap)", "-"},
                                            {"median(gap)", "-"},
                                            {"quantile(gap, 0)", "-"},
                                            {"argmin(gap)", "-"},
                                            {"max(where(gap, exists(gap)))", "5"},
                                            {"size(gap)", "3"},
                                            {"first(gap)", "5"},
                                            {"count(gap)", "2"},
                                            {"all(gap)", "0"},
                                            {"any(gap)", "1"},
                                            {"cumsum(gap)", "[5 - -]"},
                                            {"gap > 2 ? 1 : 0", "[1 0 0]"},
                                            {"gap ? 1 : 0", "[1 - 1]"},
                                            /* of nothing there is no number, but a sum of 0 */
                                            {"max(empty)", "-"},
                                            {"mean(empty)", "-"},
                                            {"sum(empty)", "0"},
                                            {"all(empty)", "1"},
                                            /* a vector that does not exist is no empty one */
                                            {"sum(none)", "-"},
                                            {"sum(diff(none))", "-"},
                                            {"count(none)", "-"},
                                            {"size(none)", "-"},
                                            {"at(x, none)", "-"}};
  CHECK_ALL(examples);
}

TEST(texts_are_compared) {
  static const struct example examples[] = {{"state == 'ok'", "1"},
                                            {"'ok' != state", "0"},
                                            {"state == 'failed' ? 1 : 2", "2"},
                                            {"a > 2 ? 'high' : 'low'", "'high'"},
                                            {"state", "'ok'"},
                                            {"sure == 'yes'", "1"},
                                            {"a == '3'", "0"},
                                            {"a != '3'", "1"},
                                            {"none == 'ok'", "0"},
                                            {"none != 'ok'", "0"},
                                            {"state + 1", "-"}, /* a text is no number */
                                            {"max(state)", "-"}};
  CHECK_ALL(examples);
}

TEST(texts_are_made) {
  static const struct example examples[] = {
      {"format(2.0625, '.1f')", "'2.1'"},
      {"format(-0.04, '.1f')", "'0.0'"},
      {"format(0.25, '+.2f')", "'+0.25'"},
      {"format(1234.5, '.3g')", "'1.23e3'"},
      {"format(1.6e-7, '.0e')", "'2e-7'"},
      {"format(none, '.1f')", "-"},
      {"format(inf, '.1f')", "'inf'"},
      {"concat('dt = ', `t-x`, none, ' s')", "'dt = 2 s'"},
      {"concat(a / 7, ', ', state)", "'0.428571, ok'"},
      {"concat(1e-5, ' ', 2.5e-4, ' ', 1e-10, ' ', 0.01, ' ', 1e100)",
       "'1e-5 0.00025 1e-10 0.01 1e100'"},
      {"concat(none)", "''"}};
  CHECK_ALL(examples);
}

TEST(orders_of_power_laws) {
  static const struct example examples[] = {
      {"round(1e9 * order(square, dt)) / 1e9", "2"},
      {"round(1e9 * order(5 / dt, dt)) / 1e9", "-1"},
      {"order([1, 2], [1, 2])", "-"},
      {"round(1e9 * order([1, 2, 8, 8], [1, 2, 4, 8]))", "1100000000"},
      /* residuals of -0.1, -0.2, 0.7, -0.4 log 2: their squares over
                                             * 2, over 5, the spread of 0 to 3 */
      {"round(1e9 * order_error([1, 2, 8, 8], [1, 2, 4, 8])^2)", "70000000"},
      {"order_error([1, 2, 0, 8], dt)", "-"},
      {"order_error([1, 2], [1, 2])", "-"},
      {"order([1, 2, 0, 8], dt)", "-"},
      {"order([1, 2, 4, -8], dt)", "-"},
      {"order([1, 2, 4, nan], dt)", "-"},
      {"order([1, 2, 4, inf], dt)", "-"}};
  CHECK_ALL(examples);
}

/* Branches that are not taken are not worked out. */
TEST(what_is_not_asked_for_cannot_fail) {
  static const struct example examples[] = {
      {"a > 2 ? a : nowhere", "3"}, {"a > 5 && nowhere", "0"}, {"a < 5 || nowhere", "1"}};
  CHECK_ALL(examples);
}

TEST(slips_are_refused_with_the_reason) {
  static const struct {
    const char *text, *says;
  } bad[] = {{"", "a number, a name or a '(' is missing at character 1"},
             {"a +", "is missing at character 4"},
             {"(a", "a ')' is missing"},
             {"a b", "an operator is missing at character 3"},
             {"stat", "there is no 'stat'; did you mean 'state'?"},
             {"mx(a)", "there is no function 'mx'; did you mean 'max'?"},
             {"case.curve(a)", "there is no function 'case.curve'"},
             {"hypot(a)", "hypot takes 2 or more arguments, not 1,"},
             {"abs(a, a)", "abs takes 1 argument, not 2,"},
             {"2 $ 3", "an operator is missing"},
             {"'a", "a ' is missing"},
             {"`a", "a ` is missing"},
             {"a ? 1", "a ':' is missing"},
             {"[1, 2", "a ',' or ']' is missing"},
             {"|a", "a '|' is missing"},
             {".", "a number is missing"},
             {"'t-x' * 2", "'t-x' is a text, where a number is wanted"},
             {"max('ok')", "'ok' is a text"},
             {"state < 'ok'", "'ok' is a text"},
             {"x + dt", "vectors of 5 and 4 numbers"},
             {"x > 0 ? dt : 0", "vectors of 5 and 4 numbers"},
             {"where(x, dt > 1)", "where: wants a vector, and a condition on each"},
             {"where(x, 1)", "where: wants"},
             {"format(a, '%s')", "format: its format must be like '.1f'"},
             {"format(a, a)", "format: its format must be like '.1f'"},
             {"concat('x', x)", "concat: wants texts and numbers"},
             {"slope(x, dt)", "slope: wants two vectors of one length"},
             {"order(square, x)", "order: wants two vectors of one length"},
             {"interp(1, x, dt)", "interp: wants two vectors"},
             {"quantile(x, 2)", "quantile: its part must be in [0, 1]"},
             {"sequence(1e9)", "sequence: its length"},
             {"tile(x, 1e9)", "tile: wants a whole number of times"},
             {"tile(empty, 1e99)", "tile: wants a whole number of times"},
             {"sums(x, 0)", "sums: wants a vector, and how many sums"},
             {"drawn_distance(x, x, 1)", "drawn_distance: wants three vectors of one length"},
             {"tile(x, 0.5)", "tile: wants a whole number of times"},
             {"of('other', a)", "there is no run 'other' here"},
             {"runs('*', a)", "no run is called like '*' here"},
             {"of(other, a)", "a label in quotes is missing"},
             {"runs('*')", "a ',' is missing"}};
  struct base_arena *arena = test_arena();
  cJSON *object = test_json(base_json_parse(names, "test"));
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    struct frame_value value;
    CHECK_MESSAGE(work_out(arena, object, bad[i].text, &value) == BASE_E_INPUT, "'%s' was taken",
                  bad[i].text);
    CHECK_MESSAGE(strncmp(base_message(), "test: expression '", 18) == 0 &&
                      strstr(base_message(), bad[i].says) != NULL,
                  "'%s': %s", bad[i].text, base_message());
  }
}

/* Short forms, without blanks, and expressions. */
TEST(conditions) {
  static const struct {
    const char *text;
    int holds;
  } conditions[] = {{"a<4", 1},
                    {"a<=3", 1},
                    {"a>3", 0},
                    {"a>=3", 1},
                    {"|a|<3", 0},
                    {"|t-x|>1.5", 1}, /* of the name t-x */
                    {"b.c=4", 1},
                    {"b.c=3|4", 1},
                    {"b.c!=3|4", 0},
                    {"b.c!=5", 1},
                    {"digits=1e-3", 1}, /* a number in a text */
                    {"digits=0.001", 0},
                    {"state=ok", 1},
                    {"state=failed|ok", 1},
                    {"state=failed|okay", 0},
                    {"state!=ok", 0},
                    {"state!=failed", 1},
                    {"state=null", 0},
                    {"state!=null", 1},
                    {"none=null", 1},
                    {"none!=ok", 1},
                    {"none=ok", 0},
                    {"none<3", 0},
                    {"none>3", 0},
                    {"sure=yes", 1},
                    {"state == 'ok' && a < 4", 1},
                    {"state != 'ok' || exists(none)", 0},
                    {"state=='ok'", 1},
                    {"a != 3", 0},
                    {"none != 3", 0},
                    {"a - 1 < 2.5", 1},
                    {"any(x > 10)", 1},
                    {"!none", 0},
                    {"a + 0", 1}};
  struct base_arena *arena = test_arena();
  cJSON *object = test_json(base_json_parse(names, "test"));
  const struct frame_scope scope = frame_object_scope(arena, object);
  for (size_t i = 0; i < sizeof conditions / sizeof *conditions; ++i) {
    const struct frame_expression *e = frame_condition_read(arena, conditions[i].text, "test");
    int holds = -1;
    CHECK_MESSAGE(e != NULL && frame_condition_holds(e, &scope, &holds) == BASE_OK, "%s: %s",
                  conditions[i].text, base_message());
    CHECK_MESSAGE(holds == conditions[i].holds, "%s is %d", conditions[i].text, holds);
  }
  static const char *const bad[] = {"", "a", "a<", "<3", "a=", "a<b<", "a!3", "|a|=3", "a<3e"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    CHECK_MESSAGE(frame_condition_read(arena, bad[i], "test") == NULL, "'%s' was read", bad[i]);
  }
}

TEST(names_are_checked_in_all_branches) {
  struct base_arena *arena = test_arena();
  cJSON *object = test_json(base_json_parse(names, "test"));
  const struct frame_scope scope = frame_object_scope(arena, object);
  const struct frame_expression *e = frame_expression_read(arena, "a > 2 ? a : nowhere", "test");
  CHECK(e != NULL && frame_expression_check(e, &scope) == BASE_E_INPUT);
  e = frame_expression_read(arena, "max(x) + pi", "test");
  CHECK(e != NULL && frame_expression_check(e, &scope) == BASE_OK);
}

TEST(where_one_number_is_wanted) {
  struct base_arena *arena = test_arena();
  cJSON *object = test_json(base_json_parse(names, "test"));
  const struct frame_scope scope = frame_object_scope(arena, object);
  double number;
  const struct frame_expression *e = frame_expression_read(arena, "2 * a", "test");
  CHECK_INT(frame_expression_number(e, &scope, &number), BASE_OK);
  CHECK(number == 6);
  e = frame_expression_read(arena, "2 * x", "test");
  CHECK_INT(frame_expression_number(e, &scope, &number), BASE_E_INPUT);
  CHECK(isnan(number) && strstr(base_message(), "is a vector of 5") != NULL);
  e = frame_expression_read(arena, "state", "test");
  CHECK_INT(frame_expression_number(e, &scope, &number), BASE_OK);
  CHECK(isnan(number));
}

TEST(what_is_too_deep_or_long_is_refused) {
  struct base_arena *arena = test_arena();
  static const char marks[] = "([|-!";
  for (const char *mark = marks; *mark != '\0'; ++mark) {
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
  char sum[10001] = "1";
  memset(sum, ' ', sizeof sum - 1);
  sum[0] = '1';
  CHECK(frame_expression_read(arena, sum, "test") == NULL);
  CHECK(strstr(base_message(), "more than 4000 characters") != NULL);
}
