/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options: defaults from the table, values read strictly, refusals that name owner, key, value and
 * what would have been accepted, and a struct left as it was by every refusal.
 */
#include "base/options.h"

#include "base/json/json.h"
#include "tests/test.h"

struct sample_options {
  double K, t_max, shift;
  int count, clamp, stepper;
};

static const struct base_option sample_table[] = {
    BASE_OPTION_REAL(struct sample_options, K, 1e5, 0, 1e9, "N/m", "stiffness"),
    BASE_OPTION_REAL(struct sample_options, t_max, (double)INFINITY, 0, (double)INFINITY, "s",
                     "time limit"),
    BASE_OPTION_REAL(struct sample_options, shift, 0.1, (double)-INFINITY, (double)INFINITY, "",
                     "shift"),
    BASE_OPTION_INT(struct sample_options, count, 3, 1, 100, "how many"),
    BASE_OPTION_BOOL(struct sample_options, clamp, 1, "no attraction"),
    BASE_OPTION_CHOICE(struct sample_options, stepper, 1, "rk4|rkf45|euler", "time stepper"),
    BASE_OPTION_END};

static struct sample_options sample_defaults(void) {
  struct sample_options options = {.K = 0};
  base_options_default(sample_table, &options);
  return options;
}

TEST(defaults_come_from_the_table) {
  const struct sample_options options = sample_defaults();
  CHECK(options.K == 1e5 && isinf(options.t_max) && options.shift == 0.1);
  CHECK(options.count == 3 && options.clamp == 1 && options.stepper == 1);
  base_options_default(NULL, NULL);
  CHECK(base_options_find(NULL, "K") == NULL && base_options_find(sample_table, "k") == NULL);
  CHECK(base_options_find(sample_table, "count") == &sample_table[3]);
}

TEST(values_are_set) {
  struct sample_options o = sample_defaults();
  CHECK_OK(base_options_set(sample_table, &o, "penalty", "K", "0"));
  CHECK(o.K == 0);
  CHECK_OK(base_options_set(sample_table, &o, "penalty", "K", "1e9"));
  CHECK(o.K == 1e9);
  CHECK_OK(base_options_set(sample_table, &o, "penalty", "t_max", "2.5e-3"));
  CHECK(o.t_max == 2.5e-3);
  CHECK_OK(base_options_set(sample_table, &o, "penalty", "t_max", "inf"));
  CHECK(isinf(o.t_max));
  CHECK_OK(base_options_set(sample_table, &o, "penalty", "shift", "-2"));
  CHECK_NEAR(o.shift, -2, 0);
  CHECK_OK(base_options_set(sample_table, &o, "penalty", "count", "100"));
  CHECK_INT(o.count, 100);
  CHECK_OK(base_options_set(sample_table, &o, "penalty", "stepper", "rk4"));
  CHECK_INT(o.stepper, 0);
  static const char *const words[][2] = {
      {"0", "1"}, {"false", "true"}, {"no", "yes"}, {"off", "on"}};
  for (size_t i = 0; i < 4; i++) {
    for (int value = 0; value < 2; value++) {
      o.clamp = !value;
      CHECK_OK(base_options_set(sample_table, &o, "penalty", "clamp", words[i][value]));
      CHECK_INT(o.clamp, value);
    }
  }
}

static void check_refused(const char *key, const char *text, const char *message) {
  struct sample_options options = sample_defaults();
  const struct sample_options before = options;
  CHECK_REFUSED(base_options_set(sample_table, &options, "penalty", key, text), BASE_E_INPUT,
                message);
  CHECK(options.K == before.K && options.t_max == before.t_max && options.shift == before.shift);
  CHECK(options.count == before.count && options.clamp == before.clamp);
  CHECK_INT(options.stepper, before.stepper);
}

TEST(refusals_name_what_is_wrong_and_change_nothing) {
  check_refused("K", "-1", "penalty: option 'K': must be from 0 to 1000000000, is -1 N/m");
  check_refused("K", "2e9", "penalty: option 'K': must be from 0 to 1000000000, is 2000000000 N/m");
  check_refused("K", "inf", "penalty: option 'K' = inf: must be finite");
  check_refused("K", "nan", "penalty: option 'K' takes a number: 'nan' is no value");
  check_refused("K", "", "penalty: option 'K' takes a number: a number is missing");
  check_refused("K", "5 N/m", "penalty: option 'K' takes a number: '5 N/m' is not a number");
  check_refused("K", " 5", "penalty: option 'K' takes a number: ' 5' is not a number");
  check_refused("K", "1,5", "penalty: option 'K' takes a number: '1,5' is not a number");
  /* only what is infinite by default can be set so */
  check_refused("shift", "-inf", "penalty: option 'shift' = -inf: must be finite");
  check_refused("K", "0x10", "penalty: option 'K' takes a number: '0x10' is not a decimal number");
  check_refused("shift", "-0X1p3",
                "penalty: option 'shift' takes a number: '-0X1p3' is not a decimal number");
  check_refused("t_max", "1e999",
                "penalty: option 't_max' takes a number: '1e999' is too large for a double");
  check_refused("count", "0", "penalty: option 'count': must be from 1 to 100, is 0");
  check_refused("count", "101", "penalty: option 'count': must be from 1 to 100, is 101");
  check_refused("count", "2.5", "penalty: option 'count' takes a whole number: '2.5' is none");
  check_refused("count", "1e1", "penalty: option 'count' takes a whole number: '1e1' is none");
  check_refused("count", "", "penalty: option 'count' takes a whole number: '' is none");
  check_refused("clamp", "2",
                "penalty: option 'clamp' = '2' is none of 0, 1, false, true, no, yes, off, on");
  check_refused("stepper", "rk",
                "penalty: option 'stepper': unknown value 'rk'; did you mean 'rk4'? known: rk4, "
                "rkf45, euler");
  check_refused("stepper", "",
                "penalty: option 'stepper': unknown value ''; known: rk4, rkf45, euler");
  check_refused("cuont", "1",
                "penalty: unknown option 'cuont'; did you mean 'count'? known: K, "
                "t_max, shift, count, clamp, stepper");
  struct sample_options options = sample_defaults();
  CHECK_INT(base_options_set(NULL, &options, "lemke", "K", "1"), BASE_E_INPUT);
  CHECK_TEXT(base_message(), "lemke: unknown option 'K'; it takes no options");
  CHECK_INT(base_options_set(sample_table, &options, "p", "count", "99999999999999999999"),
            BASE_E_INPUT);
}

/* What is written to a record, given back as text, gives the same options. */
TEST(options_survive_a_record) {
  struct sample_options o = {.K = 0.1 + 0.2,
                             .t_max = (double)INFINITY,
                             .shift = -1e-300 / 3,
                             .count = 42,
                             .clamp = 0,
                             .stepper = 2};
  cJSON *object = test_json(base_options_to_json(sample_table, &o));
  CHECK_TEXT(base_json_text_at(object, "t_max"), "inf");
  CHECK_NEAR(base_json_real_at(object, "shift"), o.shift, 0);
  CHECK_TEXT(base_json_text_at(object, "stepper"), "euler");
  CHECK(cJSON_IsFalse(base_json_at(object, "clamp")));
  struct sample_options again = sample_defaults();
  for (const cJSON *item = object->child; item; item = item->next) {
    char number[BASE_JSON_NUMBER_SIZE];
    const char *text = cJSON_IsString(item) ? item->valuestring
                       : cJSON_IsBool(item) ? (cJSON_IsTrue(item) ? "true" : "false")
                                            : base_json_number(item->valuedouble, number);
    CHECK_OK(base_options_set(sample_table, &again, "record", item->string, text));
  }
  CHECK(again.K == o.K && again.t_max == o.t_max && again.shift == o.shift);
  CHECK(again.count == o.count && again.clamp == o.clamp && again.stepper == o.stepper);
  cJSON *none = test_json(base_options_to_json(NULL, NULL));
  CHECK(cJSON_IsObject(none) && none->child == NULL);
}

TEST(choices_and_pairs) {
  char name[16], key[8];
  const char *value = NULL;
  const struct base_option *stepper = base_options_find(sample_table, "stepper");
  CHECK_TEXT(base_options_choice(stepper, 1, name, sizeof name), "rkf45");
  CHECK_TEXT(base_options_choice(stepper, 3, name, sizeof name), "?");
  CHECK_TEXT(base_options_choice(stepper, -1, name, sizeof name), "?");
  CHECK_OK(base_options_split("a=b=c", key, sizeof key, &value));
  CHECK_TEXT(key, "a");
  CHECK_TEXT(value, "b=c");
  CHECK_OK(base_options_split("a=", key, sizeof key, &value));
  CHECK_TEXT(value, "");
  CHECK_REFUSED(base_options_split("=a", key, sizeof key, &value), BASE_E_INPUT,
                "'=a' is not key=value");
  CHECK_INT(base_options_split("abc", key, sizeof key, &value), BASE_E_INPUT);
  CHECK_INT(base_options_split("muchtoolong=1", key, sizeof key, &value), BASE_E_INPUT);
}
