/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options: defaults from the table, values read strictly, refusals that name owner, key, value and
 * what would have been accepted, and a struct left as it was by every refusal.
 */
#include "base/options.h"

#include "base/json/json.h"
#include "tests/test.h"
#include "tests/worked.h"

#include <stdlib.h>

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

/* What an option is after "key=value", as a record has it; a refusal leaves all as they were. */
TEST(values_are_set_or_refused_by_name) {
  for (struct worked w = worked_begin("options.txt"); worked_next(&w);) {
    struct sample_options o = sample_defaults();
    const char *before = base_json_text(test_json(base_options_to_json(sample_table, &o)));
    char *value = base_arena_copy(test_arena(), w.left);
    const char *key = strsep(&value, "=");
    const int status = base_options_set(sample_table, &o, "penalty", key, value);
    cJSON *after = test_json(base_options_to_json(sample_table, &o));
    if (worked_status(&w, status)) {
      char *is = cJSON_PrintUnformatted(cJSON_GetObjectItem(after, key));
      CHECK_MESSAGE(strcmp(is, w.right) == 0, "%s: %s, not %s", w.left, is, w.right);
      cJSON_free(is);
    } else {
      const char *left = base_json_text(after);
      CHECK_TEXT(left, before);
      free((char *)left);
    }
    free((char *)before);
  }
  struct sample_options options = sample_defaults();
  CHECK_REFUSED(base_options_set(NULL, &options, "lemke", "K", "1"), BASE_E_INPUT,
                "lemke: unknown option 'K'; it takes no options");
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
