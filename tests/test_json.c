/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * JSON and files: doubles that keep all their bits, refusals that name file, place and reason,
 * files that appear whole or not at all, partial ones that go with their writer, and hashes of
 * values.
 */
#include "base/json/json.h"

#include "base/bytes/hash.h"
#include "tests/scratch.h"
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
  static const struct {
    double x;
    const char *text;
  } edges[] = {{0.1, "0.1"},
               {-0.0, "-0"},
               {1e5, "100000"},
               {0.1 + 0.2, "0.30000000000000004"},
               {9007199254740993.0, "9007199254740992"},
               {NAN, "null"},
               {-INFINITY, "null"},
               {DBL_TRUE_MIN, "4.94065645841247e-324"},
               {DBL_MAX, "1.7976931348623157e+308"}};
  char b[BASE_JSON_NUMBER_SIZE];
  for (size_t i = 0; i < sizeof edges / sizeof *edges; ++i) {
    CHECK_TEXT(base_json_number(edges[i].x, b), edges[i].text);
  }
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

TEST(malformed_text_is_refused_with_its_place) {
  static const char *const wrong[][2] = {
      {"", "empty, line 1 column 1"},
      {" \n ", "empty, line 1 column 1"},
      {"{\n  \"a\": 1,\n  \"b\": tru\n}", "not JSON at 'tru', line 3 column 8"},
      {"{\"a\": 1} x", "something follows the value, line 1 column 10"},
      {"{\"a\": 1}\n{}", "something follows the value, line 2 column 1"},
      {"{\"a\": [1, 2", "ends before its brackets are closed, line 1 column 12"},
      {"{\"a\": \"b", "ends inside a string, line 1 column 9"},
      {"[1, NaN]", "not JSON at 'NaN]', line 1 column 5"},
      {"[1, 01]", "not a JSON number '01', line 1 column 5"},
      {"[1.]", "not a JSON number '1.', line 1 column 2"},
      {"[-.5]", "not a JSON number '-.5', line 1 column 2"},
      /* Repeated keys, wherever they are. */
      {"{\"a\": 1, \"b\": 2, \"a\": 3}", "key 'a' is repeated"},
      {"{\"x\": {\"y\": [0, {\"z\": 1, \"z\": 1}]}}", "key 'x.y[1].z' is repeated"},
      /* A number that a double cannot hold would be infinite to whatever reads it. */
      {"{\"a\": 1e999}", "a number too large for a double, line 1 column 7"},
      {"[-1e309]", "a number too large for a double, line 1 column 2"},
      {"[0, 1E+400]", "a number too large for a double, line 1 column 5"},
      {"{\"a\": \"\xff\"}", "not UTF-8, line 1 column 8"},
      {"{\n\"a\": \"b\\u0000c\"}", "holds a NUL character, line 2 column 8"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    CHECK_MESSAGE(test_json(base_json_parse(wrong[i][0], "f.json")) == NULL, "accepted: %s",
                  wrong[i][0]);
    CHECK_TEXT(base_message(), base_arena_printf(test_arena(), "f.json: %s", wrong[i][1]));
  }
  const cJSON *small = test_json(base_json_parse("[1e-999, 1.7976931348623157e308]", "f"));
  CHECK(small != NULL && cJSON_GetArrayItem(small, 0)->valuedouble == 0);
  const cJSON *nested = test_json(base_json_parse("{\"a\": {\"a\": 1}, \"A\": 2}", "f.json"));
  CHECK(base_json_real_at(nested, "a.a") == 1 && base_json_real_at(nested, "A") == 2);
  const cJSON *kept = test_json(base_json_parse("{\"a\": \"\\\\u0000 \xc3\xa4\"}", "f.json"));
  CHECK_TEXT(base_json_text_at(kept, "a"), "\\u0000 \xc3\xa4"); /* a backslash, u0000 */
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

/* What a checked reading of some kind says; words NULL: it is taken. n: of a list; -1: any. */
static const struct {
  char kind; /* real, int, text, Reals, Ints */
  const char *key;
  double lo, hi;
  int n;
  const char *words;
} readings[] = {{'r', "a.b", 0, 3, 0, NULL},
                {'r', "a.c", 0, 3, 0, "f: key 'a.c': missing"},
                {'r', "t", 0, 3, 0, "f: key 't': is text, not a number"},
                {'r', "a.b", 3, 4, 0, "f: key 'a.b': 2.5 is below 3"},
                {'r', "a.b", 0, 2, 0, "f: key 'a.b': 2.5 is above 2"},
                {'r', "big", 0, INFINITY, 0, "f: key 'big': not a finite number"},
                {'i', "a.i", 0, 9, 0, NULL},
                {'i', "a.b", 0, 9, 0, "f: key 'a.b': 2.5 is not a whole number"},
                {'t', "t", 0, 0, 0, NULL},
                {'t', "n", 0, 0, 0, "f: key 'n': is null, not text"},
                {'R', "v", 0, 0, 3, NULL},
                {'R', "v", 0, 0, -1, NULL},
                {'R', "v", 0, 0, 2, "f: key 'v': has 3 elements, not 2"},
                {'R', "w", 0, 0, 2, "f: key 'w': element 1 is text, not a number"},
                {'R', "z", 0, 0, 1, "z"},
                {'I', "v", 0, 0, 3, NULL},
                {'I', "h", 0, 0, 2, "f: key 'h': element 1 is 2.5, not an integer"},
                {'I', "I", 0, 0, 1, "I"}};

TEST(checked_reading_names_what_is_wrong) {
  cJSON *o = test_parse("{'a': {'b': 2.5, 'i': 7}, 'big': 0, 't': 'x', 'n': null, 'v': [1, 2, 3], "
                        "'w': [1, 'q'], 'h': [1, 2.5], 'z': [0], 'I': [2147483648]}");
  /* no text says so, but a value set otherwise may be infinite */
  cJSON_SetNumberHelper(cJSON_GetObjectItem(o, "big"), (double)INFINITY);
  cJSON_SetNumberHelper(cJSON_GetObjectItem(o, "z")->child, (double)INFINITY);
  double x = -1, v[3] = {0};
  int i = -1, count = -1, w[3] = {0};
  const char *text = NULL;
  for (size_t k = 0; k < sizeof readings / sizeof *readings; ++k) {
    const char kind = readings[k].kind, *key = readings[k].key, *words = readings[k].words;
    const double lo = readings[k].lo, hi = readings[k].hi;
    const int n = readings[k].n;
    const int status = kind == 'r'   ? base_json_get_real(o, key, "f", lo, hi, &x)
                       : kind == 'i' ? base_json_get_int(o, key, "f", (int)lo, (int)hi, &i)
                       : kind == 't' ? base_json_get_text(o, key, "f", &text)
                       : kind == 'R' ? base_json_get_reals(o, key, "f", n, n < 0 ? NULL : v, &count)
                                     : base_json_get_ints(o, key, "f", n, w, NULL);
    test_check_status(__FILE__, __LINE__, key, status, words == NULL ? BASE_OK : BASE_E_INPUT,
                      words);
  }
  CHECK(x == 2.5 && i == 7 && count == 3); /* what is refused leaves what there was */
  CHECK_TEXT(text, "x");
  CHECK(v[0] == 1 && v[1] == 2 && v[2] == 3 && w[0] == 1 && w[2] == 3);
  CHECK(isnan(base_json_real_at(o, "n")) && isnan(base_json_real_at(o, "a.b.c")));
  CHECK(base_json_at(o, "a.i") != NULL && base_json_at(NULL, "a") == NULL);
  const cJSON *list = test_parse("{'l': [{'x': 1}, {'name': 'b', 'x': 2}, 3]}");
  CHECK(base_json_real_at(list, "l.0.x") == 1 && base_json_real_at(list, "l.b.x") == 2);
  CHECK(base_json_at(list, "l.c.x") == NULL && base_json_at(list, "l.bb") == NULL);
  CHECK_TEXT(base_json_text_at(o, "none"), "");
}

TEST(unknown_keys_and_schemas_are_refused) {
  static const char *const known[] = {"schema", "mass", "length", NULL};
  cJSON *o = test_json(base_json_parse("{\"schema\": \"s/1\", \"mas\": 1}", "f"));
  CHECK_REFUSED(base_json_refuse_unknown(o, "f", "body", known), BASE_E_INPUT,
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

/* A new folder for one test, and a path in it. */
static const char *folder;
static const char *new_folder(void) {
  static int n;
  folder = base_arena_copy(test_arena(), scratch_path(base_arena_printf(test_arena(), "%d", ++n)));
  CHECK_OK(base_file_make_folder(folder));
  return folder;
}
static const char *in_folder(const char *name) {
  return base_arena_printf(test_arena(), "%s/%s", folder, name);
}

/* The bytes of a file. */
static int holds(const char *path, const char *bytes, size_t n) {
  char *text = NULL;
  size_t size = 0;
  CHECK_OK(base_file_read(path, &text, &size));
  const int is_same = size == n && memcmp(text, bytes, n + 1) == 0;
  free(text);
  return is_same;
}

static int is_link(const char *path) {
  struct stat state;
  return lstat(path, &state) == 0 && S_ISLNK(state.st_mode);
}

/* A link to nothing, be it through another link, keeps pointing where it did, and the file is made
 * there; links in a circle are refused. */
TEST(a_dangling_link_is_written_where_it_points) {
  new_folder();
  const char *first = in_folder("first"), *second = in_folder("second"),
             *target = in_folder("target");
  CHECK(symlink("second", first) == 0 && symlink(target, second) == 0);
  CHECK_OK(base_file_write(first, "one", 3));
  CHECK(is_link(first) && is_link(second) && !is_link(target) && holds(target, "one", 3));
  CHECK(unlink(second) == 0 && unlink(target) == 0 && symlink("first", second) == 0);
  CHECK_INT(base_file_write(first, "one", 3), BASE_E_IO);
  CHECK(is_link(first));
  CHECK_INT(entries_of(folder), 2);
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
  } pairs[] = {{"{'x': 1, 'y': [1, null]}", "{'y': [1, null], 'x': 1.0}", 1},
               {"{'x': 1, 'y': 2}", "{'x': 1}", 0},
               {"{'x': 1}", "{'X': 1}", 0},
               {"[1, 2]", "[2, 1]", 0},
               {"[]", "{}", 0},
               {"'1'", "1", 0},
               {"true", "false", 0},
               {"'ab'", "'ab'", 1}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i) {
    const cJSON *a = test_parse(pairs[i].a), *b = test_parse(pairs[i].b);
    CHECK_INT(base_json_same(a, b), pairs[i].same);
    CHECK_INT(base_json_same(b, a), pairs[i].same);
  }
  CHECK(base_json_same(NULL, NULL));
}

TEST(file_is_replaced_whole_and_keeps_its_mode) {
  new_folder();
  const char *path = in_folder("a.json"), *other = in_folder("link");
  CHECK_OK(base_file_write(path, "one\0two", 7));
  CHECK(holds(path, "one\0two", 7));
  CHECK(base_json_read(path) == NULL);
  CHECK(strstr(base_message(), "a.json: holds a NUL byte, line 1 column 4") != NULL);
  chmod(path, 0640);
  CHECK(symlink("a.json", other) == 0);
  const cJSON *value = test_parse("{'a': [1, 2]}");
  CHECK_OK(base_json_write(other, value));
  CHECK(cJSON_Compare(value, test_json(base_json_read(path)), 1));
  struct stat state;
  CHECK(stat(path, &state) == 0 && (state.st_mode & 0777) == 0640);
  CHECK(is_link(other));
  CHECK_INT(entries_of(folder), 2);
}

/* In the place of the system's: how often a file was flushed. */
static int flushes;
int fsync(int fd) {
  ++flushes;
  return fdatasync(fd);
}

TEST(files_are_flushed_one_by_one_or_at_the_end) {
  new_folder();
  const char *path = in_folder("file");
  flushes = 0;
  CHECK_OK(base_file_write(path, "one", 3));
  CHECK_INT(flushes, 1);
  base_file_defer(1);
  CHECK_OK(base_file_write(path, "two", 3));
  CHECK_INT(flushes, 1);
  CHECK(holds(path, "two", 3));
  CHECK_OK(base_file_settle(folder));
  CHECK_REFUSED(base_file_settle(in_folder("none")), BASE_E_IO,
                "none: cannot flush: No such file or directory");
  base_file_defer(0);
  CHECK_OK(base_file_write(path, "three", 5));
  CHECK_INT(flushes, 2);
  CHECK_INT(entries_of(folder), 1);
}

TEST(failed_write_says_why_and_leaves_nothing) {
  new_folder();
  const char *below = in_folder("file/below");
  CHECK_REFUSED(base_file_write("/dev/full", "x", 1), BASE_E_IO,
                "/dev/full: cannot write: No space left on device");
  CHECK_OK(base_file_write(in_folder("file"), "old", 3));
  CHECK_REFUSED(base_file_write(below, "x", 1), BASE_E_IO,
                base_arena_printf(test_arena(), "%s: cannot write: Not a directory", below));
  CHECK_REFUSED(base_file_write(in_folder("none/below"), "x", 1), BASE_E_IO,
                "No such file or directory");
  CHECK_REFUSED(base_file_write(folder, "x", 1), BASE_E_IO, "Is a directory");
  CHECK_INT(entries_of(folder), 1);
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
  new_folder();
  const char *path = in_folder("file");
  CHECK_OK(base_file_write(path, "old", 3));
  const pid_t child = fork();
  if (child == 0) {
    _exit(write_beyond_limit(path));
  }
  int status = -1;
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  CHECK_INT(status, 0);
  CHECK(holds(path, "old", 3));
  CHECK_INT(entries_of(folder), 1);
}

TEST(read_failures_and_folders) {
  char *text = NULL;
  size_t size = 0;
  CHECK_REFUSED(base_file_read("/nonexistent", &text, &size), BASE_E_IO,
                "/nonexistent: cannot read: No such file or directory");
  CHECK_INT(base_file_read(new_folder(), &text, &size), BASE_E_IO);
  CHECK(base_json_read("/dev/null") == NULL);
  CHECK_TEXT(base_message(), "/dev/null: empty, line 1 column 1");
  CHECK_OK(base_file_make_folder(in_folder("a/b/")));
  CHECK_OK(base_file_make_folder(in_folder("a/b/")));
  CHECK_INT(entries_of(in_folder("a/b")), 0);
  CHECK_REFUSED(base_file_make_folder("/dev/null/a"), BASE_E_IO,
                "/dev/null: cannot create folder: Not a directory");
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
  static const char *const others[] = {".partial-1-0.json", ".partial-x-0", ".partial-1",
                                       "partial-1-0"};
  new_folder();
  const char *path = in_folder("a.json");
  for (int i = 0; i < 4; ++i) {
    CHECK_OK(base_file_write(in_folder(others[i]), "mine", 4));
  }
  CHECK_INT(mkdir(in_folder(".partial-1-1"), 0777), 0);
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
  base_file_clean(in_folder("none")); /* which is not there */
}

/* ---- hashes ---- */

static uint64_t hash_of(const char *text) {
  return base_json_hash(BASE_HASH_EMPTY, test_parse(text));
}

TEST(hash_of_json_is_that_of_its_meaning) {
  static const char *const others[] = {
      "{'a': [1, 2], 'b': 'x'}",  "{'a': [2, 1], 'b': 'x'}",     "{'b': 'x', 'a': [1, 2]}",
      "{'a': [1], 'b': 'x'}",     "{'a': [[1], 2], 'b': 'x'}",   "{'a': [1, 2], 'b': 'y'}",
      "{'a': [1, 2], 'c': 'x'}",  "{'a': [1, '2'], 'b': 'x'}",   "{'a': [1, 2], 'b': null}",
      "{'a': [1, -2], 'b': 'x'}", "{'a': [1, 2, {}], 'b': 'x'}", "{'a': [1, 2, []], 'b': 'x'}"};
  enum { N = sizeof others / sizeof *others };
  CHECK(hash_of("{'a':[1,2.0],\n'b':'\\u0078'}") == hash_of(others[0]));
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
