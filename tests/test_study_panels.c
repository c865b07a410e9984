/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Panels of studies from a few rows: which there are, how far their axes go and what they are
 * called, that every value of a column has a look of its own, and panels that are tables.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/figure/study.h"
#include "bench/suite/figures.h"
#include "tests/test.h"

/* Rows of a source: case, law, dt, error; four laws of `a` at two steps, one of `b` at one. */
static const struct {
  const char *of, *law;
  double dt, error;
} rows[] = {{"a", "p", 0.1, 4},   {"a", "q", 0.1, 8},   {"a", "p", 0.2, 16},
            {"a", "q", 0.2, 200}, {"a", "r", 0.2, NAN}, {"b", "p", 0.2, 2}};
enum { ROWS = sizeof rows / sizeof *rows };

static int source(void *data, const cJSON *table, struct frame *f) {
  (void)data, (void)table;
  for (int i = 0; i < ROWS; ++i) {
    const long row = frame_push(f);
    const struct frame_value values[] = {{.kind = FRAME_TEXT, .text = rows[i].of},
                                         {.kind = FRAME_TEXT, .text = rows[i].law},
                                         {.number = rows[i].dt},
                                         {.number = rows[i].error}};
    for (int k = 0; k < 4; ++k) {
      *frame_at(f, row, k) = values[k];
    }
  }
  f->columns[3].unit = "J";
  return BASE_OK;
}

/* A drawing of a study with these panels; facet: -1 for all. */
static struct figure draw(const char *panels, int facet) {
  struct base_arena *arena = test_arena();
  static const char form[] =
      "{'schema': 'coulombench.figure/1', 'id': 't', 'title': 't', 'caption': 't', 'tables': "
      "{'points': {'columns': ['of', 'law', 'dt', 'the_error']}, 'none': {'from': 'points', "
      "'transform': [{'filter': 'dt > 1'}]}}, 'abreast': 2, 'panels': [%s]}";
  struct bench_figure *file = base_arena_push(arena, sizeof *file);
  /* What is looked at where nothing could be drawn. */
  static struct figure_curve none[] = {
      {.table = "", .look = ""}, {.table = "", .look = ""}, {.table = "", .look = ""}};
  static struct figure_panel no_panels[] = {
      {.x = "", .y = "", .head = "", .log = "", .curves = none},
      {.x = "", .y = "", .head = "", .log = "", .curves = none}};
  struct figure *figure = base_arena_push(arena, sizeof *figure), drawn = {.panels = no_panels};
  struct figure_study made;
  struct case_plot plot;
  cJSON *json = test_parse(base_arena_printf(arena, form, panels));
  *file = (struct bench_figure){.id = "t", .path = "t.json", .json = json};
  CHECK_INT(case_plot_init(&plot, NULL, arena), BASE_OK);
  CHECK_MESSAGE(figure_read(file, arena, figure) == BASE_OK &&
                    figure_study_load(figure, source, NULL, arena, &made) == BASE_OK &&
                    figure_study_draw(&made, facet, &plot, &drawn) == BASE_OK,
                "%s", base_message());
  return drawn;
}

#define LAYER(color)                                                                               \
  "'layer': [{'mark': 'point', 'table': 'points', 'x': 'dt', 'y': 'the_error', 'color': '" color   \
  "'}]}"

/* 2 to 200 span more than 30, 0.1 to 0.2 do not; a little beyond, and alike in all panels. */
TEST(axes_go_as_far_as_all_data) {
  const struct figure all = draw("{'facet': 'of', 'x': {'scale': 'auto', 'shared': true}, 'y': "
                                 "{'scale': 'auto', 'shared': true}, " LAYER("law"),
                                 -1);
  CHECK_INT(all.n_panels, 2);
  for (int p = 0; p < 2; ++p) {
    CHECK_TEXT(all.panels[p].log, "y");
    CHECK_NEAR(all.panels[p].x_range[0], 0.1 - 0.04 * 0.1, 1e-12);
    CHECK_NEAR(all.panels[p].x_range[1], 0.2 + 0.04 * 0.1, 1e-12);
    CHECK_NEAR(all.panels[p].y_range[0], 2 * pow(100, -0.04), 1e-12);
    CHECK_NEAR(all.panels[p].y_range[1], 200 * pow(100, 0.04), 1e-9);
  }
  const struct figure own = draw("{'x': {'scale': 'log'}, " LAYER("law"), -1);
  CHECK_TEXT(own.panels[0].log, "x");
  CHECK_NEAR(own.panels[0].x_range[0], 0.1 * pow(2, -0.04), 1e-12); /* for tics in a decade */
  CHECK_NEAR(own.panels[0].x_range[1], 0.2 * pow(2, 0.04), 1e-12);
  CHECK(own.panels[0].y_range[0] == own.panels[0].y_range[1]); /* from what is drawn */
}

/* A logarithmic axis goes as far as the rows of its panel, and as laws over these: `a` has 4 to 200 at
 * 0.1 to 0.2, `b` one row, which is no range. */
TEST(logarithmic_axes_go_as_far_as_their_own_panel) {
  const struct figure drawn =
      draw("{'facet': 'of', 'x': {}, 'y': {'scale': 'log'}, " LAYER("law"), -1);
  CHECK_INT(drawn.n_panels, 2);
  CHECK_NEAR(drawn.panels[0].y_range[0], 4 * pow(50, -0.04), 1e-12);
  CHECK_NEAR(drawn.panels[0].y_range[1], 200 * pow(50, 0.04), 1e-9);
  CHECK(drawn.panels[1].y_range[0] == drawn.panels[1].y_range[1]);
  const struct figure laws =
      draw("{'facet': 'of', 'x': {}, 'y': {'scale': 'log'}, 'layer': [{'mark': 'point', 'table': "
           "'points', 'x': 'dt', 'y': 'the_error', 'color': 'law'}, {'mark': 'line', 'factor': 10, "
           "'power': 1, 'color': 'limit'}, {'mark': 'line', 'factor': 400, 'color': 'limit'}]}",
           0);
  CHECK_NEAR(laws.panels[0].y_range[0], 1 * pow(400, -0.04), 1e-12); /* 10 at 0.1 */
  CHECK_NEAR(laws.panels[0].y_range[1], 400 * pow(400, 0.04), 1e-9);
}

TEST(axes_are_called_after_their_columns) {
  const struct figure drawn = draw("{'x': {'title': 'step'}, " LAYER("law"), -1);
  CHECK_TEXT(drawn.panels[0].x, "step");
  CHECK_TEXT(drawn.panels[0].y, "the\\_error [J]");
  const struct figure named = draw("{'y': {'names': 'law'}, " LAYER("law"), -1);
  CHECK_TEXT(named.panels[0].x, "dt [s]");
  CHECK(named.panels[0].y == NULL); /* names say what it is */
}

/* In the drawing of `a` a panel a step; that of `b` has one. */
TEST(drawings_are_divided_by_a_column) {
  static const char panels[] = "{'facet': 'of', 'column': 'dt', " LAYER("law");
  const struct figure a = draw(panels, 0), b = draw(panels, 1);
  CHECK_INT(a.n_panels, 2);
  CHECK_INT(a.abreast, 2);
  CHECK_TEXT(a.panels[0].head, "0.1");
  CHECK_TEXT(a.panels[1].head, "0.2");
  CHECK_INT(a.panels[0].n_curves, 2);
  CHECK_TEXT(a.panels[0].curves[0].table, "1-p");
  CHECK_TEXT(a.panels[1].curves[2].table, "2-r");
  CHECK_INT(b.n_panels, 1);
  CHECK_TEXT(b.panels[0].head, "0.2");
  CHECK_INT(b.panels[0].n_curves, 1);
}

/* The same value looks the same in all panels, another one otherwise: by its number in the
 * table. */
TEST(every_value_has_a_look) {
  const struct figure drawn = draw("{'column': 'dt', " LAYER("law"), -1);
  CHECK_INT(drawn.n_panels, 2);
  CHECK_TEXT(drawn.panels[0].curves[1].look, "hue of 2");
  CHECK_TEXT(drawn.panels[1].curves[1].look, "hue of 2");
  CHECK_TEXT(drawn.panels[1].curves[2].look, "hue of 3");
}

TEST(panels_without_rows_are_left_out) {
  static const char panels[] =
      "{'head': 'first', 'layer': [{'mark': 'point', 'table': 'none', 'x': 'dt', 'y': 'the_error', "
      "'color': 'law'}]}, {'head': 'second', " LAYER("law");
  const struct figure drawn = draw(panels, -1);
  CHECK_INT(drawn.n_panels, 1);
  CHECK_TEXT(drawn.panels[0].head, "second");
}

/* Names stand where they are first; a text is the word of its number in the table. */
TEST(a_panel_may_be_a_table) {
  static const char panels[] =
      "{'facet': 'of', 'x': {'names': 'law'}, 'y': {'names': 'law'}, 'layer': [{'mark': 'rect', "
      "'table': 'points', 'x': 'the_error', 'y': 'the_error', 'color': 'law'},{'mark': 'text', "
      "'table': 'points', 'x': 'the_error', 'y': 'the_error', 'note': 'law', 'color': 'mark'}]}";
  const struct figure a = draw(panels, 0), b = draw(panels, 1);
  CHECK_INT(b.panels[0].n_cols, 2);
  CHECK_INT(b.panels[0].n_rows, 2);
  assert(a.panels[0].col_names != NULL && b.panels[0].col_names != NULL);
  CHECK_TEXT(b.panels[0].col_names[0], "");
  CHECK_TEXT(b.panels[0].col_names[1], "p");
  CHECK_INT(a.panels[0].n_cols, 200);
  CHECK_TEXT(a.panels[0].col_names[7], "q");
  CHECK_TEXT(a.panels[0].row_names[15], "p");
  CHECK_INT(a.panels[0].n_curves, 4); /* a rect a law, and the texts */
  const struct figure_curve *rect = &a.panels[0].curves[0], *text = &a.panels[0].curves[3];
  CHECK_INT((int)rect->with, FIGURE_RECTS);
  CHECK_INT(rect->n_words, 0);
  CHECK_INT((int)text->with, FIGURE_TEXTS);
  CHECK_INT(text->n_words, 3);
  CHECK_TEXT(text->words[2], "r");
  CHECK(text->note > 0);
}
