/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text on its way into other languages: what a shell, gnuplot and a reader of CSV make of it is the
 * text again, byte by byte, and nothing else happens. Texts are picked at random from pieces that
 * mean something to one of them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/bytes/quote.h"
#include "base/data.h"
#include "base/json/json.h"
#include "base/text.h"
#include "bench/report/kit/script.h"
#include "tests/scratch.h"
#include "tests/test.h"

enum { TEXTS = 200, PIECES_MAX = 6 };

/* Of tests/worked/pieces.json, and of what is no UTF-8 and thus in no JSON. */
static const char *random_text(struct base_rng *rng, struct base_arena *arena) {
  static cJSON *pieces;
  if (pieces == NULL) {
    pieces = base_json_read(base_data_path(arena, "tests/worked/pieces.json"));
  }
  const char *text = "";
  for (int n = base_rng_below(rng, PIECES_MAX + 1); n > 0; --n) {
    const int k = base_rng_below(rng, cJSON_GetArraySize(pieces) + 1);
    const cJSON *piece = cJSON_GetArrayItem(pieces, k);
    text = base_arena_printf(arena, "%s%s", text, piece != NULL ? piece->valuestring : "\xff\xc3");
  }
  return text;
}

/* Run a command in the scratch folder, where no command of a text may have left its mark. */
static void run_there(struct base_arena *arena, const char *command) {
  const char *mark = scratch_path("HERE");
  command = base_arena_printf(arena, "cd '%s' && %s", scratch_folder(), command);
  CHECK_INT(system(command), 0); /* NOLINT(cert-env33-c): what is under test */
  CHECK_MESSAGE(access(mark, F_OK) != 0, "a text was run as a command");
  unlink(mark);
}

TEST(a_shell_gives_back_what_it_was_given) {
  struct base_arena *arena = test_arena();
  struct base_rng *rng = test_rng(0);
  char *script = NULL, *expected = NULL;
  size_t script_size, size;
  FILE *commands = open_memstream(&script, &script_size);
  FILE *texts = open_memstream(&expected, &size);
  fputs("printf '%s.\\n'", commands);
  for (int i = 0; i < TEXTS; ++i) {
    const char *text = random_text(rng, arena);
    fprintf(commands, " %s", base_quote_shell(text, arena));
    fprintf(texts, "%s.\n", text);
  }
  fclose(commands);
  fclose(texts);
  CHECK_OK(base_file_write(scratch_path("words.sh"), script, script_size));
  run_there(arena, "sh words.sh >words.txt");
  CHECK_TEXT(scratch_text(scratch_path("words.txt")), expected);
  free(script);
  free(expected);
}

TEST(words_of_harmless_characters_stay_bare) {
  struct base_arena *arena = test_arena();
  static const char *const bare[] = {"mu=0.3", "cases/scenes/ball.json", "1e-05,0.1", "-5",
                                     "a@b:c%+_"};
  for (size_t i = 0; i < sizeof bare / sizeof *bare; ++i) {
    CHECK_TEXT(base_quote_shell(bare[i], arena), bare[i]);
  }
  CHECK_TEXT(base_quote_shell("", arena), "''");
  CHECK_TEXT(base_quote_shell("a b", arena), "'a b'");
  CHECK_TEXT(base_quote_shell("it's", arena), "'it'\\''s'");
}

static int has_gnuplot(void) {
  return system("gnuplot --version >/dev/null 2>&1") == 0; /* NOLINT(cert-env33-c) */
}

TEST(gnuplot_gives_back_what_it_was_given) {
  if (!has_gnuplot()) {
    SKIP("gnuplot is not installed");
  }
  struct base_arena *arena = test_arena();
  struct base_rng *rng = test_rng(0);
  struct report_script script = {.arena = arena};
  const char *list[TEXTS];
  char *expected = NULL;
  size_t size;
  FILE *texts = open_memstream(&expected, &size);
  report_script_line(&script, "set print 'texts.txt'");
  for (int i = 0; i < TEXTS; ++i) {
    list[i] = random_text(rng, arena);
    report_script_path(&script, "path", base_arena_printf(arena, "/%s", list[i]));
    report_script_line(&script, "print path");
    fprintf(texts, "/%s\n", list[i]);
  }
  report_script_texts(&script, "list", TEXTS, list);
  report_script_line(&script, "do for [i = 1:|list|] { print list[i] }");
  for (int i = 0; i < TEXTS; ++i) {
    fprintf(texts, "%s\n", base_text_clean(list[i], arena));
  }
  fclose(texts);
  CHECK_OK(base_file_write(scratch_path("texts.gp"), script.gnuplot_lines,
                           strlen(script.gnuplot_lines)));
  run_there(arena, "gnuplot -d texts.gp");
  CHECK_TEXT(scratch_text(scratch_path("texts.txt")), expected);
  free(expected);
}

/* What a drawing shows of labels, names and titles: an SVG, which is XML. */
TEST(a_drawing_shows_texts_as_they_are) {
  if (!has_gnuplot()) {
    SKIP("gnuplot is not installed");
  }
  struct base_arena *arena = test_arena();
  struct report_script script = {.arena = arena};
  static const char *const labels[] = {
      "100% of %s", "`touch HERE`", "<b>&\x01",
      "twenty letters and 5%, then umlauts, cut: \xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4"};
  static const char *const names[] = {"a b", "\"x y\"", "../z"};
  report_script_labels(&script, "labels", 4, labels);
  report_script_names(&script, "names", 3, names);
  report_script_text(&script, "title", "50% {/Bold x}_y @z\n\xff");
  report_script_line(&script, "set terminal svg enhanced\nset output 'texts.svg'\n"
                              "set title title noenhanced\nset ytics ()\nset ytics noenhanced\n"
                              "do for [k = 1:4] { set ytics add (labels[k] k) }\n"
                              "set key noenhanced\nset yrange [0:5]\n"
                              "plot for [i = 1:words(names)] i with lines title word(names, i)");
  CHECK_OK(
      base_file_write(scratch_path("svg.gp"), script.gnuplot_lines, strlen(script.gnuplot_lines)));
  run_there(arena, "gnuplot -d svg.gp");
  const char *svg = scratch_text(scratch_path("texts.svg"));
  static const char *const shown[] = {">100% of %s<",
                                      ">`touch HERE`<",
                                      ">&lt;b>&amp; <",
                                      ">a_b<",
                                      ">_x_y_<",
                                      ">_._z<",
                                      ">50% {/Bold x}_y @z \xEF\xBF\xBD<",
                                      ", cut: \xc3\xa4\xc3\xa4...<"};
  for (size_t i = 0; i < sizeof shown / sizeof *shown; ++i) {
    CHECK_MESSAGE(strstr(svg, shown[i]) != NULL, "the drawing lacks %s", shown[i]);
  }
}

/* The fields of a line; each ends where a comma follows outside of quotes. */
static int read_csv(char *line, char *fields[], int most) {
  int n = 0;
  for (char *c = line; n < most;) {
    char *out = fields[n++] = c;
    const int quoted = *c == '"';
    for (c += quoted; *c != '\0' && (quoted ? *c != '"' || c[1] == '"' : *c != ',');) {
      c += quoted && *c == '"';
      *out++ = *c++;
    }
    c += quoted && *c == '"';
    const int more = *c == ',';
    CHECK(more || *c == '\0');
    ++c;
    *out = '\0';
    if (!more) {
      break;
    }
  }
  return n;
}

TEST(tables_give_back_their_fields) {
  struct base_arena *arena = test_arena();
  struct base_rng *rng = test_rng(0);
  for (int i = 0; i < TEXTS; ++i) {
    const char *text[3];
    char *line = NULL, none[] = "", *fields[4] = {none, none, none, none};
    size_t size;
    FILE *file = open_memstream(&line, &size);
    for (int k = 0; k < 3; ++k) {
      text[k] = random_text(rng, arena);
      fputs(k > 0 ? "," : "", file);
      base_quote_csv(file, text[k]);
    }
    fclose(file);
    CHECK(strpbrk(line, "\n\r") == NULL);
    CHECK_INT(read_csv(line, fields, 4), 3);
    for (int k = 0; k < 3; ++k) {
      const int is_formula = text[k][0] != '\0' && strchr("=+-@;", text[k][0]) != NULL;
      CHECK(!is_formula || fields[k][0] == '\'');
      char *expected = base_arena_copy(arena, text[k]);
      for (char *c = expected; *c != '\0'; ++c) {
        *c = (unsigned char)*c < ' ' ? ' ' : *c;
      }
      CHECK_TEXT(fields[k] + is_formula, expected);
    }
    free(line);
  }
}
