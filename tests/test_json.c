/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * JSON and files: doubles that keep all their bits, refusals that name file, place and reason,
 * files that appear whole or not at all, partial ones that go with their writer, and hashes of
 * values.
 */
#include "base/json/json.h"

#include "base/bytes/hash.h"
#include "tests/test.h"

#include <dirent.h>
#include <float.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t bits_of(double x) {
  uint64_t bits = 0;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static double random_double(struct base_rng *rng) {
  const uint64_t high = (uint64_t)base_rng_uniform(rng, 0, 4294967296.0);
  const uint64_t low = (uint64_t)base_rng_uniform(rng, 0, 4294967296.0);
  const uint64_t bits = high << 32 | low;
  double x = 0;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* Every hundredth draw is made subnormal, every 101st a zero of either sign, others short decimals
 * as people write them. */
static double test_double(struct base_rng *rng, int i) {
  double x = random_double(rng);
  while (!isfinite(x)) {
    x = random_double(rng);
  }
  if (i % 100 == 0) {
    x = copysign(DBL_MIN * base_rng_uniform(rng, 0, 1), x);
  } else if (i % 101 == 0) {
    x = copysign(0, x);
  } else if (i % 10 == 0) {
    x = base_rng_below(rng, 100000) / 1000.0;
  }
  return x;
}

TEST(number_keeps_all_bits) {
  enum { n = 40000 };
  struct base_rng *rng = test_rng(0);
  static double x[n];
  int wrong = 0, too_long = 0;
  for (int i = 0; i < n; i++) {
    char buffer[BASE_JSON_NUMBER_SIZE], shorter[BASE_JSON_NUMBER_SIZE];
    x[i] = test_double(rng, i);
    base_json_number(x[i], buffer);
    wrong += bits_of(strtod(buffer, NULL)) != bits_of(x[i]);
    for (int digits = 15; digits <= 16; digits++) { /* no longer than the first that will do */
      snprintf(shorter, sizeof shorter, "%.*g", digits, x[i]);
      too_long +=
          bits_of(strtod(shorter, NULL)) == bits_of(x[i]) && strlen(buffer) > strlen(shorter);
    }
  }
  CHECK_INT(wrong, 0);
  CHECK_INT(too_long, 0);
  /* the same through a document and the parser */
  cJSON *object = test_json(cJSON_CreateObject());
  base_json_add_reals(object, "x", n, x);
  char *text = base_json_text(object);
  cJSON *again = test_json(base_json_parse(text, "text"));
  static double y[n];
  CHECK_OK(base_json_get_reals(again, "x", "text", n, y, NULL));
  wrong = 0;
  for (int i = 0; i < n; i++) {
    wrong += bits_of(x[i]) != bits_of(y[i]);
  }
  CHECK_INT(wrong, 0);
  free(text);
}

TEST(number_edges) {
  char b[BASE_JSON_NUMBER_SIZE];
  CHECK_TEXT(base_json_number(0.1, b), "0.1");
  CHECK_TEXT(base_json_number(-0.0, b), "-0");
  CHECK_TEXT(base_json_number(1e5, b), "100000");
  CHECK_TEXT(base_json_number(0.1 + 0.2, b), "0.30000000000000004");
  CHECK_TEXT(base_json_number(9007199254740993.0, b), "9007199254740992");
  CHECK_TEXT(base_json_number((double)NAN, b), "null");
  CHECK_TEXT(base_json_number((double)-INFINITY, b), "null");
  CHECK(bits_of(strtod(base_json_number(DBL_TRUE_MIN, b), NULL)) == 1);
  CHECK(strtod(base_json_number(DBL_MAX, b), NULL) == DBL_MAX);
}

TEST(text_layout_and_escapes) {
  cJSON *object = test_json(cJSON_CreateObject());
  const double x[] = {1, 0.5, (double)NAN};
  base_json_add_reals(object, "x", 3, x);
  base_json_add_real(object, "inf", (double)INFINITY);
  cJSON_AddStringToObject(object, "text", "a\"b\\c\n\x01 \xC3\xA4 \xFF\xC3");
  cJSON *rows = cJSON_AddArrayToObject(object, "rows");
  cJSON_AddItemToArray(rows, base_json_reals(2, x));
  cJSON_AddItemToArray(rows, cJSON_CreateObject());
  cJSON_AddTrueToObject(object, "yes");
  char *text = base_json_text(object);
  CHECK_TEXT(text, "{\n"
                   "  \"x\": [1, 0.5, null],\n"
                   "  \"inf\": null,\n"
                   "  \"text\": \"a\\\"b\\\\c\\n\\u0001 \xC3\xA4 \xEF\xBF\xBD\xEF\xBF\xBD\",\n"
                   "  \"rows\": [\n"
                   "    [1, 0.5],\n"
                   "    {}\n"
                   "  ],\n"
                   "  \"yes\": true\n"
                   "}\n");
  cJSON *again = test_json(base_json_parse(text, "text"));
  CHECK_TEXT(base_json_text_at(again, "text"), "a\"b\\c\n\x01 \xC3\xA4 \xEF\xBF\xBD\xEF\xBF\xBD");
  free(text);
}

static void check_refused(const char *text, const char *message) {
  cJSON *value = test_json(base_json_parse(text, "f.json"));
  CHECK_MESSAGE(value == NULL, "accepted: %s", text);
  CHECK_TEXT(base_message(), message);
}

TEST(malformed_text_is_refused_with_its_place) {
  check_refused("", "f.json: empty, line 1 column 1");
  check_refused(" \n ", "f.json: empty, line 1 column 1");
  check_refused("{\n  \"a\": 1,\n  \"b\": tru\n}", "f.json: not JSON at 'tru', line 3 column 8");
  check_refused("{\"a\": 1} x", "f.json: something follows the value, line 1 column 10");
  check_refused("{\"a\": 1}\n{}", "f.json: something follows the value, line 2 column 1");
  check_refused("{\"a\": [1, 2", "f.json: ends before its brackets are closed, line 1 column 12");
  check_refused("{\"a\": \"b", "f.json: ends inside a string, line 1 column 9");
  check_refused("[1, NaN]", "f.json: not JSON at 'NaN]', line 1 column 5");
  check_refused("[1, 01]", "f.json: not a JSON number '01', line 1 column 5");
  check_refused("[1.]", "f.json: not a JSON number '1.', line 1 column 2");
  check_refused("[-.5]", "f.json: not a JSON number '-.5', line 1 column 2");
}

TEST(every_truncation_is_refused) {
  const char *whole = "{\"a\": [1, -2.5e3, {\"b\": \"c\\\"d\"}], \"e\": null, \"f\": true}";
  const size_t length = strlen(whole);
  char part[128];
  for (size_t n = 0; n < length; n++) {
    memcpy(part, whole, n);
    part[n] = '\0';
    CHECK_MESSAGE(test_json(base_json_parse(part, "f.json")) == NULL, "accepted: %s", part);
    CHECK(strncmp(base_message(), "f.json: ", 8) == 0);
    CHECK(strstr(base_message(), ", line 1 column ") != NULL);
  }
  CHECK(test_json(base_json_parse(whole, "f.json")) != NULL);
}

TEST(repeated_keys_are_refused_wherever_they_are) {
  check_refused("{\"a\": 1, \"b\": 2, \"a\": 3}", "f.json: key 'a' is repeated");
  check_refused("{\"x\": {\"y\": [0, {\"z\": 1, \"z\": 1}]}}",
                "f.json: key 'x.y[1].z' is repeated");
  cJSON *value = test_json(base_json_parse("{\"a\": {\"a\": 1}, \"A\": 2}", "f.json"));
  CHECK(base_json_real_at(value, "a.a") == 1 && base_json_real_at(value, "A") == 2);
}

TEST(deep_nesting_is_refused_not_a_crash) {
  enum { depth = 200000 };
  char *text = malloc(depth + 1);
  memset(text, '[', depth);
  text[depth] = '\0';
  CHECK(base_json_parse(text, "f.json") == NULL);
  free(text);
}

TEST(byte_order_mark_and_numbers_in_strings_are_fine) {
  cJSON *value =
      test_json(base_json_parse("\xEF\xBB\xBF{\"a\": \"01 \\\" 1.\", \"b\": -0.5E+2}\n", "f.json"));
  CHECK_TEXT(base_json_text_at(value, "a"), "01 \" 1.");
  CHECK(base_json_real_at(value, "b") == -50);
}

/* ---- Checked reading -------------------------------------------------------------------------*/

/* A number that a double cannot hold would be infinite to whatever reads it. */
TEST(numbers_beyond_all_doubles_are_refused) {
  static const char *const wrong[] = {"{\"a\": 1e999}", "[-1e309]", "[0, 1E+400]"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    CHECK(base_json_parse(wrong[i], "f") == NULL);
    CHECK_MESSAGE(strstr(base_message(), "f: a number too large for a double, line 1 column") ==
                      base_message(),
                  "%s", base_message());
  }
  cJSON *small = test_json(base_json_parse("[1e-999, 1.7976931348623157e308]", "f"));
  CHECK(small != NULL && cJSON_GetArrayItem(small, 0)->valuedouble == 0);
}

TEST(checked_reading_names_what_is_wrong) {
  cJSON *o = test_json(
      base_json_parse("{\"a\": {\"b\": 2.5, \"i\": 7}, \"big\": 0, \"t\": \"x\", \"n\": null,"
                      " \"v\": [1, 2, 3], \"w\": [1, \"q\"], \"h\": [1, 2.5], \"z\": [0],"
                      " \"I\": [2147483648]}",
                      "f"));
  double x = -1, v[3] = {0};
  /* no text says so, but a value set otherwise may be infinite */
  cJSON_SetNumberHelper(cJSON_GetObjectItem(o, "big"), (double)INFINITY);
  cJSON_SetNumberHelper(cJSON_GetObjectItem(o, "z")->child, (double)INFINITY);
  int i = -1, count = -1, w[3] = {0};
  const char *text = NULL;
  CHECK_OK(base_json_get_real(o, "a.b", "f", 0, 3, &x));
  CHECK_NEAR(x, 2.5, 0);
  CHECK_REFUSED(base_json_get_real(o, "a.c", "f", 0, 3, &x), BASE_E_INPUT, "f: key 'a.c': missing");
  CHECK_REFUSED(base_json_get_real(o, "t", "f", 0, 3, &x), BASE_E_INPUT,
                "f: key 't': is text, not a number");
  CHECK_REFUSED(base_json_get_real(o, "a.b", "f", 3, 4, &x), BASE_E_INPUT,
                "f: key 'a.b': 2.5 is below 3");
  CHECK_REFUSED(base_json_get_real(o, "a.b", "f", 0, 2, &x), BASE_E_INPUT,
                "f: key 'a.b': 2.5 is above 2");
  CHECK_REFUSED(base_json_get_real(o, "big", "f", 0, (double)INFINITY, &x), BASE_E_INPUT,
                "f: key 'big': not a finite number");
  CHECK_NEAR(x, 2.5, 0);
  CHECK_OK(base_json_get_int(o, "a.i", "f", 0, 9, &i));
  CHECK_INT(i, 7);
  CHECK_REFUSED(base_json_get_int(o, "a.b", "f", 0, 9, &i), BASE_E_INPUT,
                "f: key 'a.b': 2.5 is not a whole number");
  CHECK_OK(base_json_get_text(o, "t", "f", &text));
  CHECK_TEXT(text, "x");
  CHECK_REFUSED(base_json_get_text(o, "n", "f", &text), BASE_E_INPUT,
                "f: key 'n': is null, not text");
  CHECK_OK(base_json_get_reals(o, "v", "f", 3, v, &count));
  CHECK(count == 3 && v[0] == 1 && v[1] == 2 && v[2] == 3);
  CHECK_OK(base_json_get_reals(o, "v", "f", -1, NULL, &count));
  CHECK_REFUSED(base_json_get_reals(o, "v", "f", 2, v, NULL), BASE_E_INPUT,
                "f: key 'v': has 3 elements, not 2");
  CHECK_REFUSED(base_json_get_reals(o, "w", "f", 2, v, NULL), BASE_E_INPUT,
                "f: key 'w': element 1 is text, not a number");
  CHECK_INT(base_json_get_reals(o, "z", "f", 1, v, NULL), BASE_E_INPUT);
  CHECK_OK(base_json_get_ints(o, "v", "f", 3, w, NULL));
  CHECK(w[0] == 1 && w[2] == 3);
  CHECK_REFUSED(base_json_get_ints(o, "h", "f", 2, w, NULL), BASE_E_INPUT,
                "f: key 'h': element 1 is 2.5, not an integer");
  CHECK_INT(base_json_get_ints(o, "I", "f", 1, w, NULL), BASE_E_INPUT);
  CHECK(isnan(base_json_real_at(o, "n")) && isnan(base_json_real_at(o, "a.b.c")));
  CHECK(base_json_at(o, "a.i") != NULL && base_json_at(NULL, "a") == NULL);
  cJSON *list = base_json_parse("{\"l\": [{\"x\": 1}, {\"name\": \"b\", \"x\": 2}, 3]}", "f");
  CHECK(base_json_real_at(list, "l.0.x") == 1 && base_json_real_at(list, "l.b.x") == 2);
  CHECK(base_json_at(list, "l.c.x") == NULL && base_json_at(list, "l.bb") == NULL);
  cJSON_Delete(list);
  CHECK_TEXT(base_json_text_at(o, "none"), "");
}

TEST(unknown_keys_and_schemas_are_refused) {
  static const char *const known[] = {"schema", "mass", "length", NULL};
  cJSON *o = test_json(base_json_parse("{\"schema\": \"s/1\", \"mas\": 1}", "f"));
  CHECK_INT(base_json_refuse_unknown(o, "f", "body", known), BASE_E_INPUT);
  CHECK_TEXT(base_message(),
             "f: body: unknown key 'mas'; did you mean 'mass'? known: schema, mass, length");
  CHECK_OK(base_json_expect_schema(o, "f", "s/1"));
  CHECK_REFUSED(base_json_expect_schema(o, "f", "s/2"), BASE_E_INPUT,
                "f: key 'schema': is 's/1', expected 's/2'");
  cJSON_DeleteItemFromObject(o, "mas");
  CHECK_OK(base_json_refuse_unknown(o, "f", "body", known));
  cJSON_DeleteItemFromObject(o, "schema");
  CHECK_REFUSED(base_json_expect_schema(o, "f", "s/2"), BASE_E_INPUT,
                "f: key 'schema': missing, expected 's/2'");
}

/* ---- Files -----------------------------------------------------------------------------------*/

static int entries_of(const char *folder) {
  DIR *list = opendir(folder);
  int count = 0;
  for (const struct dirent *entry = NULL; list && (entry = readdir(list)) != NULL;) {
    count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
  }
  if (list) {
    closedir(list);
  }
  return count;
}

/* A new folder for one test, its name in a static buffer. */
static const char *scratch_folder(void) {
  static char folder[32];
  snprintf(folder, sizeof folder, "/tmp/test_json_XXXXXX");
  CHECK(mkdtemp(folder) != NULL);
  return folder;
}

/* A link to nothing, be it through another link, keeps pointing where it did, and the file is made
 * there; links in a circle are refused. */
TEST(a_dangling_link_is_written_where_it_points) {
  const char *folder = scratch_folder();
  char first[64], second[64], target[64];
  snprintf(first, sizeof first, "%s/first", folder);
  snprintf(second, sizeof second, "%s/second", folder);
  snprintf(target, sizeof target, "%s/target", folder);
  CHECK(symlink("second", first) == 0 && symlink(target, second) == 0);
  CHECK_OK(base_file_write(first, "one", 3));
  struct stat state;
  CHECK(lstat(first, &state) == 0 && S_ISLNK(state.st_mode));
  CHECK(lstat(second, &state) == 0 && S_ISLNK(state.st_mode));
  CHECK(lstat(target, &state) == 0 && S_ISREG(state.st_mode) && state.st_size == 3);
  CHECK(unlink(second) == 0 && unlink(target) == 0 && symlink("first", second) == 0);
  CHECK_INT(base_file_write(first, "one", 3), BASE_E_IO);
  CHECK(lstat(first, &state) == 0 && S_ISLNK(state.st_mode));
  CHECK_INT(entries_of(folder), 2);
  unlink(first);
  unlink(second);
}

/* n objects inside each other around a value. */
static cJSON *nested(int n, double value) {
  cJSON *inner = cJSON_CreateNumber(value);
  for (int i = 0; i < n; ++i) {
    cJSON *outer = cJSON_CreateObject();
    cJSON_AddItemToObject(outer, "a", inner);
    inner = outer;
  }
  return test_json(inner);
}

/* A comparison that visits each level twice takes 2^900 steps for this one, which no clock sees. */
TEST(deep_values_are_compared_in_time) {
  cJSON *a = nested(900, 1), *b = nested(900, 1), *c = nested(900, 2);
  CHECK(base_json_same(a, b));
  CHECK(!base_json_same(a, c));
  CHECK(!base_json_same(a, a->child));
}

TEST(values_are_the_same_whatever_the_order_of_their_keys) {
  static const struct {
    const char *a, *b;
    int same;
  } pairs[] = {{"{\"x\": 1, \"y\": [1, null]}", "{\"y\": [1, null], \"x\": 1.0}", 1},
               {"{\"x\": 1, \"y\": 2}", "{\"x\": 1}", 0},
               {"{\"x\": 1}", "{\"X\": 1}", 0},
               {"[1, 2]", "[2, 1]", 0},
               {"[]", "{}", 0},
               {"\"1\"", "1", 0},
               {"true", "false", 0},
               {"\"ab\"", "\"ab\"", 1}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i) {
    const cJSON *a = test_json(base_json_parse(pairs[i].a, "a"));
    const cJSON *b = test_json(base_json_parse(pairs[i].b, "b"));
    CHECK_INT(base_json_same(a, b), pairs[i].same);
    CHECK_INT(base_json_same(b, a), pairs[i].same);
  }
  CHECK(base_json_same(NULL, NULL));
}

TEST(file_is_replaced_whole_and_keeps_its_mode) {
  const char *folder = scratch_folder();
  char path[64], other[64], *text = NULL;
  size_t size = 0;
  snprintf(path, sizeof path, "%s/a.json", folder);
  snprintf(other, sizeof other, "%s/link", folder);
  CHECK_OK(base_file_write(path, "one\0two", 7));
  CHECK_OK(base_file_read(path, &text, &size));
  CHECK(size == 7 && memcmp(text, "one\0two", 8) == 0);
  free(text);
  CHECK(base_json_read(path) == NULL);
  CHECK(strstr(base_message(), "a.json: holds a NUL byte, line 1 column 4") != NULL);
  chmod(path, 0640);
  CHECK(symlink("a.json", other) == 0);
  cJSON *value = test_json(base_json_parse("{\"a\": [1, 2]}", "text"));
  CHECK_OK(base_json_write(other, value));
  cJSON *again = test_json(base_json_read(path));
  CHECK(cJSON_Compare(value, again, 1));
  struct stat state;
  CHECK(stat(path, &state) == 0 && (state.st_mode & 0777) == 0640);
  CHECK(lstat(other, &state) == 0 && S_ISLNK(state.st_mode));
  CHECK_INT(entries_of(folder), 2);
  unlink(path);
  unlink(other);
  rmdir(folder);
}

/* In the place of the system's: how often a file was flushed. */
static int flushes;
int fsync(int fd) {
  ++flushes;
  return fdatasync(fd);
}

TEST(files_are_flushed_one_by_one_or_at_the_end) {
  const char *folder = scratch_folder();
  char path[64], none[64], *text = NULL;
  size_t size = 0;
  snprintf(path, sizeof path, "%s/file", folder);
  snprintf(none, sizeof none, "%s/none", folder);
  flushes = 0;
  CHECK_OK(base_file_write(path, "one", 3));
  CHECK_INT(flushes, 1);
  base_file_defer(1);
  CHECK_OK(base_file_write(path, "two", 3));
  CHECK_INT(flushes, 1);
  CHECK_OK(base_file_read(path, &text, &size));
  CHECK(size == 3 && memcmp(text, "two", 4) == 0);
  free(text);
  CHECK_OK(base_file_settle(folder));
  CHECK_REFUSED(base_file_settle(none), BASE_E_IO, "none: cannot flush: No such file or directory");
  base_file_defer(0);
  CHECK_OK(base_file_write(path, "three", 5));
  CHECK_INT(flushes, 2);
  CHECK_INT(entries_of(folder), 1);
  unlink(path);
  rmdir(folder);
}

TEST(failed_write_says_why_and_leaves_nothing) {
  const char *folder = scratch_folder();
  char path[64], message[128];
  CHECK_REFUSED(base_file_write("/dev/full", "x", 1), BASE_E_IO,
                "/dev/full: cannot write: No space left on device");
  snprintf(path, sizeof path, "%s/file", folder);
  CHECK_OK(base_file_write(path, "old", 3));
  snprintf(path, sizeof path, "%s/file/below", folder);
  CHECK_INT(base_file_write(path, "x", 1), BASE_E_IO);
  snprintf(message, sizeof message, "%s: cannot write: Not a directory", path);
  CHECK_TEXT(base_message(), message);
  snprintf(path, sizeof path, "%s/none/below", folder);
  CHECK_REFUSED(base_file_write(path, "x", 1), BASE_E_IO, "No such file or directory");
  CHECK_REFUSED(base_file_write(folder, "x", 1), BASE_E_IO, "Is a directory");
  CHECK_INT(entries_of(folder), 1);
  snprintf(path, sizeof path, "%s/file", folder);
  unlink(path);
  rmdir(folder);
}

/* What a child does that may not write files of more than 512 bytes: its exit status is 0 when a
 * larger write was refused for that reason. */
static int write_beyond_limit(const char *path) {
  const struct rlimit limit = {.rlim_cur = 512, .rlim_max = 512};
  signal(SIGXFSZ, SIG_IGN); /* write reports EFBIG instead */
  static char bytes[100000];
  return !(setrlimit(RLIMIT_FSIZE, &limit) == 0 &&
           base_file_write(path, bytes, sizeof bytes) == BASE_E_IO &&
           strstr(base_message(), ": cannot write: File too large") != NULL);
}

/* A limit on the size of files stands in for a disk that fills up half way through. */
TEST(write_cut_short_keeps_the_old_file) {
  const char *folder = scratch_folder();
  char path[64], *text = NULL;
  size_t size = 0;
  snprintf(path, sizeof path, "%s/file", folder);
  CHECK_OK(base_file_write(path, "old", 3));
  const pid_t child = fork();
  if (child == 0) {
    _exit(write_beyond_limit(path));
  }
  int status = -1;
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  CHECK_INT(status, 0);
  CHECK_OK(base_file_read(path, &text, &size));
  CHECK(size == 3 && memcmp(text, "old", 3) == 0);
  CHECK_INT(entries_of(folder), 1);
  free(text);
  unlink(path);
  rmdir(folder);
}

TEST(read_failures_and_folders) {
  const char *folder = scratch_folder();
  char path[96], *text = NULL;
  size_t size = 0;
  CHECK_REFUSED(base_file_read("/nonexistent", &text, &size), BASE_E_IO,
                "/nonexistent: cannot read: No such file or directory");
  CHECK_INT(base_file_read(folder, &text, &size), BASE_E_IO);
  CHECK(base_json_read("/dev/null") == NULL);
  CHECK_TEXT(base_message(), "/dev/null: empty, line 1 column 1");
  snprintf(path, sizeof path, "%s/a/b/", folder);
  CHECK_OK(base_file_make_folder(path));
  CHECK_OK(base_file_make_folder(path));
  CHECK_INT(entries_of(path), 0);
  CHECK_REFUSED(base_file_make_folder("/dev/null/a"), BASE_E_IO,
                "/dev/null: cannot create folder: Not a directory");
  rmdir(path);
  snprintf(path, sizeof path, "%s/a", folder);
  rmdir(path);
  rmdir(folder);
}

/* ---- partial files ---- */

static void stop(int number) {
  (void)number;
  raise(SIGSTOP);
}

/* A process that gets half through writing a file: it may not write more than 512 bytes, and the
 * signal of that kills it, or stops it where it is. */
static pid_t write_half(const char *path, int stops) {
  const pid_t pid = fork();
  if (pid == 0) {
    static char bytes[100000];
    const struct rlimit size = {.rlim_cur = 512, .rlim_max = 512}, none = {0};
    signal(SIGXFSZ, stops ? stop : SIG_DFL);
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_FSIZE, &size);
    base_file_write(path, bytes, sizeof bytes);
    _exit(0);
  }
  int status;
  CHECK(pid > 0 && waitpid(pid, &status, WUNTRACED) == pid);
  CHECK(stops ? WIFSTOPPED(status) : WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ);
  return pid;
}

/* What a killed writer has left goes; what a living one holds stays, and so does all that only
 * looks similar. */
TEST(partial_files_go_with_their_writer) {
  const char *folder = scratch_folder();
  static const char *const others[] = {".partial-1-0.json", ".partial-x-0", ".partial-1",
                                       "partial-1-0"};
  char path[96];
  for (int i = 0; i < 4; ++i) {
    snprintf(path, sizeof path, "%s/%s", folder, others[i]);
    CHECK_OK(base_file_write(path, "mine", 4));
  }
  snprintf(path, sizeof path, "%s/.partial-1-1", folder);
  CHECK_INT(mkdir(path, 0777), 0);
  snprintf(path, sizeof path, "%s/a.json", folder);
  write_half(path, 0);
  CHECK_INT(entries_of(folder), 6);
  const pid_t writer = write_half(path, 1);
  CHECK_INT(entries_of(folder), 7);
  base_file_clean(folder);
  CHECK_INT(entries_of(folder), 6);
  base_file_clean(folder);
  CHECK_INT(entries_of(folder), 6);
  kill(writer, SIGKILL);
  CHECK(waitpid(writer, NULL, 0) == writer);
  base_file_clean(folder);
  CHECK_INT(entries_of(folder), 5);
  CHECK_OK(base_file_write(path, "whole", 5));
  base_file_clean(folder);
  CHECK_INT(entries_of(folder), 6);
  unlink(path);
  for (int i = 0; i < 4; ++i) {
    snprintf(path, sizeof path, "%s/%s", folder, others[i]);
    unlink(path);
  }
  snprintf(path, sizeof path, "%s/.partial-1-1", folder);
  rmdir(path);
  rmdir(folder);
  base_file_clean(folder); /* which is gone */
}

/* ---- hashes ---- */

static uint64_t hash_of(const char *text) {
  cJSON *value = test_json(base_json_parse(text, "text"));
  const uint64_t hash = base_json_hash(BASE_HASH_EMPTY, value);
  CHECK_MESSAGE(value != NULL, "%s", base_message());
  return hash;
}

TEST(hash_of_json_is_that_of_its_meaning) {
  static const char *const others[] = {
      "{\"a\": [1, 2], \"b\": \"x\"}",     "{\"a\": [2, 1], \"b\": \"x\"}",
      "{\"b\": \"x\", \"a\": [1, 2]}",     "{\"a\": [1], \"b\": \"x\"}",
      "{\"a\": [[1], 2], \"b\": \"x\"}",   "{\"a\": [1, 2], \"b\": \"y\"}",
      "{\"a\": [1, 2], \"c\": \"x\"}",     "{\"a\": [1, \"2\"], \"b\": \"x\"}",
      "{\"a\": [1, 2], \"b\": null}",      "{\"a\": [1, -2], \"b\": \"x\"}",
      "{\"a\": [1, 2, {}], \"b\": \"x\"}", "{\"a\": [1, 2, []], \"b\": \"x\"}"};
  enum { N = sizeof others / sizeof *others };
  CHECK(hash_of("{\"a\":[1,2.0],\n\"b\":\"\\u0078\"}") == hash_of(others[0]));
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < i; ++j) {
      CHECK_MESSAGE(hash_of(others[i]) != hash_of(others[j]), "%s like %s", others[i], others[j]);
    }
  }
}

/* Also where the text cannot say what the value is: no number, letters that are none. */
TEST(hash_of_json_outlives_a_file) {
  cJSON *value = test_json(cJSON_CreateObject());
  const double numbers[] = {-0.0, 1.0 / 3, 5e-324, 1e300, NAN, -INFINITY};
  cJSON_AddItemToObject(value, "numbers", cJSON_CreateDoubleArray(numbers, 6));
  cJSON_AddStringToObject(value, "\xff key \xc3", "a\x80z\x01\t\"");
  char *text = base_json_text(value);
  cJSON *read = test_json(base_json_parse(text, "text"));
  CHECK_MESSAGE(read != NULL, "%s", base_message());
  CHECK(base_json_hash(BASE_HASH_EMPTY, value) == base_json_hash(BASE_HASH_EMPTY, read));
  free(text);
}
