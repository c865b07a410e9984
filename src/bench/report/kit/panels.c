/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Panels of a figure (bench/figure/file.h) as the variables of scripts/plot/panels.gp.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/report/kit/report.h"

enum { PANELS_MAX = 64, CURVES_MAX = 2048, WORDS_MAX = 8192, KINDS = 14 };
/* More panels abreast than that are small, and the outer ones alone have labels. */
enum { GRID = 4 };
static const double GRID_WIDE = 5.2, GRID_HIGH = 4.2; /* [cm] */
static const double GRID_LABEL = 0.7, GRID_SCREEN_LABEL = 1.1;
/* Of each where y has names [cm]. */
static const double NAMED_ROW = 0.75, PRINT_NAMED_ROW = 0.5;
/* Of each where x has names, too, and what these take above [cm]. */
static const double CELL_ROW = 0.5, PRINT_CELL_ROW = 0.28, CELL = 1;
/* Of a letter of theirs: on screen and in print they slant, where narrow they stand upright. */
static const double ABOVE = 0.15, PRINT_ABOVE = 0.125, NARROW_ABOVE = 0.14, TITLE = 0.9;
static const double WIDTH = 17, ROW = 7.5, SINGLE = 10.5; /* [cm] */
static const double LEAST = 7.5;                          /* [cm], width of a panel */
static const double LABEL = 1.4;                          /* [cm] below a panel */
static const double NAMED = 1, LETTER = 0.115;            /* [cm], where x has slanting names */
/* Of a key below all panels, of two columns, or of three in small letters [cm]. */
static const double FOOT = 0.4, FOOT_ROW = 0.042; /* [cm], [cm a pt] */
enum { FOOT_FEW = 8 };
/* In print, where letters are of 9 pt, and of PRINT_KEY in keys unless a title has an index or
 * exponent; panels have their keys below them, and narrow ones stand below each other [cm, pt]. */
static const double PRINT_ROW = 5, PRINT_SINGLE = 8, PRINT_NARROW = 4.6, PRINT_SQUARE = 0.75;
/* More panels are lower, to fit a page. */
static const double PRINT_OVER = 1, PRINT_LEAST = 2;
static const double PRINT_EDGE = 0.3, PRINT_HEAD = 0.55, PRINT_LABEL = 1.3, PRINT_LETTERS = 0.75;
static const double PRINT_KEY = 7.5, PRINT_MARKED = 9, KEY_EDGE = 0.2;
static const double KEY_LETTER = 0.019, KEY_LINE = 0.0465, KEY_SAMPLE = 1.5; /* [cm a pt], [cm] */
static const double MARKED_LINE = 1.2; /* lines of PRINT_MARKED over others */
/* [cm], of a letter beside the end of a curve on screen. */
static const double SCREEN_NAME = 0.155;
/* On screen, where letters are a little closer. */
static const double SCREEN_LETTER = 0.0165, SCREEN_LETTERS = 12, SCREEN_FEWER = 9;
/* A table's curves by `with`, then power laws. */
static const char *const kinds[KINDS] = {
    "lines", "dashed",    "linespoints", "points", "impulses", "bars",   "verticals",
    "bands", "errorbars", "xbars",       "texts",  "rects",    "frames", "laws"};

static const char *or_empty(const char *text) { return text != NULL ? text : ""; }

/* All curves, and which of them a panel draws how. */
struct curves {
  const char *folder; /* of the tables; NULL: not looked at */
  int is_small;       /* panels leave no room beside their curves */
  int n, footed;      /* footed: in the key below all panels, where a title stands once */
  const char *numbers[KINDS][PANELS_MAX];
  const char *tables[CURVES_MAX], *looks[CURVES_MAX], *titles[CURVES_MAX];
  const char *foot_titles[CURVES_MAX];
  double xs[CURVES_MAX], ys[CURVES_MAX], scales[CURVES_MAX], widths[CURVES_MAX];
  double powers[CURVES_MAX], x_scales[CURVES_MAX], notes[CURVES_MAX], ends[CURVES_MAX];
  double word_counts[CURVES_MAX], word_firsts[CURVES_MAX];
  int n_words;
  const char *words[WORDS_MAX];
  double x_ends[CURVES_MAX], steps[CURVES_MAX], everys[CURVES_MAX], plains[CURVES_MAX];
  const char *levels;    /* numbers of curves whose height is to be read */
  const char *foot;      /* of those in the key below all panels, with a space around each */
  int keyed[PANELS_MAX]; /* titles of a panel that has a key of its own */
  double longest[PANELS_MAX], foot_longest; /* letters of their longest; of those in the foot */
  int is_marked, is_foot_marked; /* has a title of panels' own keys, of the foot, an index? */
};

/* A text with a word in place of {}. */
static const char *with_word(struct base_arena *arena, const char *text, const char *word,
                             int length) {
  const char *gap = text != NULL ? strstr(text, "{}") : NULL;
  return gap != NULL ? base_arena_printf(arena, "%.*s%.*s%s", (int)(gap - text), text, length, word,
                                         gap + 2)
                     : or_empty(text);
}

/* Whether a table of the folder (NULL: not known) has numbers in a column, 1, 2, ... */
static int has_numbers(const char *folder, const char *table, int column,
                       struct base_arena *arena) {
  FILE *file =
      folder == NULL ? NULL : fopen(base_arena_printf(arena, "%s/%s.dat", folder, table), "r");
  if (file == NULL) {
    return 1; /* gnuplot will say what is wrong */
  }
  char *line = NULL;
  size_t size = 0;
  int is_there = 0;
  while (!is_there && getline(&line, &size, file) > 0) {
    const char *at = line + strspn(line, " ");
    for (int i = 1; i < column; ++i) {
      at += strcspn(at, " \n");
      at += strspn(at, " ");
    }
    char *end;
    is_there = line[0] != '#' && isfinite(strtod(at, &end)) && end != at;
  }
  free(line);
  fclose(file);
  return is_there;
}

static void add_curve(struct curves *all, struct base_arena *arena, int p,
                      const struct figure_curve *c, int number, const char *word, int length) {
  const int is_law = (c->table == NULL && c->with != FIGURE_VERTICAL) || c->with == FIGURE_LEVEL;
  const int is_of_many = strstr(or_empty(c->table), "{}") != NULL && c->with <= FIGURE_POINTS;
  const int is_none =
      is_of_many && !has_numbers(all->folder, with_word(arena, c->table, word, length),
                                 c->y + c->next * number, arena);
  const int kind = is_none ? (int)FIGURE_VERTICAL : is_law ? KINDS - 1 : (int)c->with;
  const int n = all->n++;
  if (c->with == FIGURE_LEVEL) {
    all->levels = base_arena_printf(arena, "%s %d", all->levels, n + 1);
  }
  all->numbers[kind][p] = base_arena_printf(arena, "%s %d", all->numbers[kind][p], n + 1);
  all->tables[n] = with_word(arena, c->table, word, length);
  all->looks[n] = with_word(arena, c->look, word, length);
  all->titles[n] = with_word(arena, c->title, word, length);
  if (is_none && all->titles[n][0] != '\0') {
    all->titles[n] = base_arena_printf(arena, "%s: none", all->titles[n]);
  }
  all->xs[n] = c->x;
  all->ys[n] = c->y + c->next * number;
  all->scales[n] = c->scale;
  all->x_scales[n] = c->x_scale;
  all->ends[n] = c->y2;
  all->x_ends[n] = c->x2;
  all->notes[n] = c->note > 0 ? c->note : all->ys[n];
  all->word_firsts[n] = all->n_words;
  all->word_counts[n] = c->n_words;
  for (int i = 0; i < c->n_words && all->n_words < WORDS_MAX; ++i) {
    all->words[all->n_words++] = c->words[i];
  }
  all->steps[n] = c->is_stepped;
  all->everys[n] = c->every > 0 ? c->every : 1;
  all->plains[n] = c->is_plain;
  all->powers[n] = c->power;
  all->widths[n] = c->width > 0 ? c->width : 2;
}

/* Where a panel has its key: ends of curves have no names where panels are small or narrow. */
static const char *key_of(const struct curves *all, const struct figure_panel *panel) {
  const char *key = or_empty(panel->key);
  return all->is_small && strcmp(key, "ends") == 0 ? "foot" : key;
}

static int is_footed(const struct curves *all, const struct figure_panel *panel) {
  return strcmp(key_of(all, panel), "foot") == 0;
}

static int is_in_foot(const struct curves *all, const char *title) {
  for (int i = 0; i < all->footed; ++i) {
    if (strcmp(all->foot_titles[i], title) == 0) {
      return 1;
    }
  }
  return 0;
}

/* Letters of a title as it is shown: no bytes that go on a character, nor gnuplot's marks. */
static int letters_of(const char *title) {
  int n = 0;
  for (; *title != '\0'; ++title) {
    n += ((unsigned char)*title & 0xc0) != 0x80 && strchr("_^{}", *title) == NULL;
  }
  return n;
}

static void add_panel(struct curves *all, struct base_arena *arena, int p,
                      const struct figure_panel *panel) {
  const int before = all->n;
  for (int kind = 0; kind < KINDS; ++kind) {
    all->numbers[kind][p] = "";
  }
  for (const struct figure_curve *c = panel->curves; c < panel->curves + panel->n_curves; ++c) {
    const char *word = or_empty(c->over);
    int number = 0;
    do {
      word += strspn(word, " ");
      const int length = (int)strcspn(word, " ");
      if (all->n < CURVES_MAX) {
        add_curve(all, arena, p, c, number++, word, length);
      }
      word += length;
    } while (*word != '\0');
  }
  const int is_ended = strcmp(key_of(all, panel), "ends") == 0;
  for (int i = before; i < all->n && panel->key != NULL && !is_footed(all, panel); ++i) {
    all->keyed[p] += !is_ended && all->titles[i][0] != '\0';
    all->is_marked |= strpbrk(all->titles[i], "_^") != NULL;
    all->longest[p] = fmax(all->longest[p], letters_of(all->titles[i]));
  }
  for (int i = before; i < all->n && is_footed(all, panel); ++i) {
    if (all->titles[i][0] != '\0' && !is_in_foot(all, all->titles[i])) {
      all->foot_titles[all->footed++] = all->titles[i];
      all->is_foot_marked |= strpbrk(all->titles[i], "_^") != NULL;
      all->foot_longest = fmax(all->foot_longest, letters_of(all->titles[i]));
      all->foot = base_arena_printf(arena, "%s%d ", all->foot, i + 1);
    }
  }
}

static void set_curves(struct report_script *script, const struct curves *all, int panels) {
  static const char *const none = "";
  for (int kind = 0; kind < KINDS; ++kind) {
    report_script_texts(script, kinds[kind], panels, all->numbers[kind]);
  }
  report_script_text(script, "levels", all->levels);
  report_script_text(script, "in_foot", all->foot);
  report_script_texts(script, "tables", all->n, all->tables);
  report_script_texts(script, "looks", all->n, all->looks);
  report_script_texts(script, "titles", all->n, all->titles);
  report_script_reals(script, "xs", all->n, all->xs);
  report_script_reals(script, "ys", all->n, all->ys);
  report_script_reals(script, "scales", all->n, all->scales);
  report_script_reals(script, "x_scales", all->n, all->x_scales);
  report_script_reals(script, "notes", all->n, all->notes);
  report_script_reals(script, "ends", all->n, all->ends);
  report_script_reals(script, "x_ends", all->n, all->x_ends);
  report_script_reals(script, "word_counts", all->n, all->word_counts);
  report_script_reals(script, "word_firsts", all->n, all->word_firsts);
  report_script_labels(script, "all_words", all->n_words > 0 ? all->n_words : 1,
                       all->n_words > 0 ? all->words : &none);
  report_script_reals(script, "steps", all->n, all->steps);
  report_script_reals(script, "everys", all->n, all->everys);
  report_script_reals(script, "plains", all->n, all->plains);
  report_script_reals(script, "powers", all->n, all->powers);
  report_script_reals(script, "widths", all->n, all->widths);
}

/* Height that tics and label below a panel take [cm]. */
static double label_of(const struct figure_panel *panel) {
  size_t longest = 0, length;
  for (const char *at = panel->names; at != NULL && *at != '\0'; at += length) {
    at += strspn(at, " ");
    const size_t quoted = *at == '\'';
    length = quoted + strcspn(at + quoted, quoted ? "'" : " ");
    length += at[length] == '\'';
    longest = length > longest ? length : longest;
  }
  return panel->names != NULL ? NAMED + LETTER * (double)longest : LABEL;
}

static int is_grid(const struct figure *figure) { return figure->abreast > GRID; }

/* height: of the figure [cm] */
static void set_axes(struct report_script *script, const struct figure *figure,
                     const struct curves *all, int n, double height) {
  enum { TEXTS = 6, REALS = 6 };
  static const char *const names[TEXTS] = {"x_labels", "y_labels", "logs",
                                           "keys",     "heads",    "x_names"};
  static const char *const limits[REALS] = {"x_lo", "x_hi", "y_lo", "y_hi", "leasts", "labels"};
  const char *texts[TEXTS][PANELS_MAX];
  double bounds[REALS][PANELS_MAX];
  for (int p = 0; p < n; ++p) {
    const struct figure_panel *panel = &figure->panels[p];
    texts[0][p] = or_empty(panel->x);
    texts[1][p] = or_empty(panel->y);
    texts[2][p] = or_empty(panel->log);
    texts[3][p] = key_of(all, panel);
    texts[4][p] = or_empty(panel->head);
    texts[5][p] = or_empty(panel->names);
    bounds[4][p] = panel->least;
    bounds[5][p] = (is_grid(figure) ? GRID_SCREEN_LABEL : label_of(panel)) / height;
    for (int i = 0; i < 2; ++i) {
      bounds[i][p] = panel->x_range[i];
      bounds[2 + i][p] = panel->y_range[i];
    }
  }
  for (int i = 0; i < TEXTS; ++i) {
    report_script_texts(script, names[i], n, texts[i]);
  }
  for (int i = 0; i < REALS; ++i) {
    report_script_reals(script, limits[i], n, bounds[i]);
  }
}

/* Names of y (of_x: of x), of all panels one behind the other. */
static void set_names(struct report_script *script, const struct figure *figure, int n, int of_x) {
  double counts[PANELS_MAX], firsts[PANELS_MAX];
  int total = 0;
  for (int p = 0; p < n; ++p) {
    const struct figure_panel *panel = &figure->panels[p];
    counts[p] = of_x ? panel->n_cols : panel->n_rows;
    firsts[p] = total;
    total += (int)counts[p];
  }
  const char **names = base_arena_push(script->arena, ((size_t)total + 1) * sizeof *names);
  names[0] = "";
  for (int p = 0; p < n; ++p) {
    for (int i = 0; i < (int)counts[p]; ++i) {
      names[(int)firsts[p] + i] =
          of_x ? figure->panels[p].col_names[i] : figure->panels[p].row_names[i];
    }
  }
  report_script_reals(script, of_x ? "col_counts" : "row_counts", n, counts);
  report_script_reals(script, of_x ? "col_firsts" : "row_firsts", n, firsts);
  report_script_labels(script, of_x ? "col_names" : "row_names", total > 0 ? total : 1, names);
}

/* Does x have names above, so that panels are tables? */
static int is_table(const struct figure *figure) { return figure->panels[0].n_cols > 0; }

/* Height that names of y need at least [cm]. */
static double rows_height(const struct figure *figure, double each) {
  double most = 0;
  for (int p = 0; p < figure->n_panels; ++p) {
    most = fmax(most, each * figure->panels[p].n_rows);
  }
  return most;
}

/* Letters of a key in print [pt]. */
static double key_letters(int is_marked) { return is_marked ? PRINT_MARKED : PRINT_KEY; }

/* Columns of a key whose longest title has so many letters [cm each], `width` [cm] wide. */
static int key_columns(double longest, double letter, double width) {
  const double each = KEY_SAMPLE + letter * longest;
  return width > each ? (int)(width / each) : 1;
}

/* Rows of a key of n titles with the longest of so many letters [pt], `width` [cm] wide. */
static int key_rows(int n, double longest, double letters, double width) {
  const int columns = key_columns(longest, KEY_LETTER * letters, width);
  return (n + columns - 1) / columns;
}

/* [cm] */
static double key_height(int rows, double letters) {
  const double line = KEY_LINE * (letters < PRINT_MARKED ? 1 : MARKED_LINE);
  return rows > 0 ? KEY_EDGE + line * letters * rows : 0;
}

/* What names of x take above a panel, `width` [cm] wide; 0: on screen, with the title. */
static double names_height(const struct figure *figure, double width) {
  double longest = 0;
  for (int i = 0; i < figure->panels[0].n_cols; ++i) {
    longest = fmax(longest, letters_of(figure->panels[0].col_names[i]));
  }
  return longest == 0                    ? 0
         : width == 0                    ? TITLE + ABOVE * longest
         : 10 * width < REPORT_NARROW_MM ? NARROW_ABOVE * longest
                                         : PRINT_ABOVE * longest;
}

/* Height of the axes of a panel [cm]. */
static double plot_height(const struct figure *figure, double width, int rows, int abreast) {
  const double named = rows_height(figure, is_table(figure) ? PRINT_CELL_ROW : PRINT_NAMED_ROW);
  return named > 0                       ? named
         : figure->square                ? PRINT_SQUARE * width / abreast
         : 10 * width < REPORT_NARROW_MM ? PRINT_NARROW
         : rows > 1 || abreast > 1       ? PRINT_ROW
                                         : PRINT_SINGLE;
}

/* Upper and lower ends of the axes of panels, and upper ends of their own keys, from the top [cm];
 * rows of these. */
struct places {
  double tops[PANELS_MAX], bottoms[PANELS_MAX], keys[PANELS_MAX], rows[PANELS_MAX];
};

/* Rows of `abreast` panels with axes `plot` high [cm], each with its key below it, which covers no
 * curve there; the height of all. */
static double place_rows(const struct figure *figure, const struct curves *all, int n, int abreast,
                         double width, double plot, struct places *at) {
  const double letters = key_letters(all->is_marked);
  double y = PRINT_EDGE;
  for (int first = 0; first < n; first += abreast) {
    const int last = first + abreast < n ? first + abreast : n;
    double below = 0, above = 0;
    for (int p = first; p < last; ++p) {
      above = figure->panels[p].head != NULL ? PRINT_HEAD : above;
      above = fmax(above, names_height(figure, width));
    }
    for (int p = first; p < last; ++p) {
      const struct figure_panel *panel = &figure->panels[p];
      const double names = panel->names != NULL ? PRINT_LETTERS * label_of(panel) : 0;
      const double label = fmax(is_grid(figure) ? GRID_LABEL : PRINT_LABEL, names);
      const int rows = key_rows(all->keyed[p], all->longest[p], letters, width / (last - first));
      at->tops[p] = y + above;
      at->bottoms[p] = at->tops[p] + plot;
      at->keys[p] = at->bottoms[p] + label;
      at->rows[p] = rows;
      below = fmax(below, label + key_height(rows, letters));
    }
    y += above + plot + below;
  }
  return y;
}

static void set_places(struct report_script *script, const char *variable, int n, const double *y,
                       double height) {
  double parts[PANELS_MAX];
  for (int p = 0; p < n; ++p) {
    parts[p] = 1 - y[p] / height;
  }
  report_script_reals(script, variable, n, parts);
}

/* Rows of `abreast` panels above a foot, lower where the page is full; the height of all. */
static double fit_rows(const struct figure *figure, const struct curves *all, int n, int abreast,
                       double width, double foot, struct places *at) {
  const int rows = (n + abreast - 1) / abreast;
  const double plot = plot_height(figure, width, rows, abreast);
  const double height = foot + place_rows(figure, all, n, abreast, width, plot, at);
  if (height <= REPORT_PAGE_CM) {
    return height;
  }
  const double lower = fmax(PRINT_LEAST, plot - (height - REPORT_PAGE_CM) / rows);
  return foot + place_rows(figure, all, n, abreast, width, lower, at);
}

/* Places of panels and keys on a page for print, as parts of its height. Narrow, they stand below
 * each other, and two abreast only where that is higher than a page. */
static void place_for_print(struct report_script *script, const struct figure *figure,
                            const struct curves *all, int n, double width) {
  const int is_narrow = 10 * width < REPORT_NARROW_MM;
  int abreast = is_narrow || figure->abreast < 1 ? 1 : figure->abreast;
  const double letters = key_letters(all->is_foot_marked);
  const int foot_rows = key_rows(all->footed, all->foot_longest, letters, width);
  const double foot = key_height(foot_rows, letters);
  struct places at;
  double height = fit_rows(figure, all, n, abreast, width, foot, &at);
  const int most = is_grid(figure) ? 3 : 2;
  while (is_narrow && abreast < most && height > REPORT_PAGE_CM + PRINT_OVER) {
    height = fit_rows(figure, all, n, ++abreast, width, foot, &at);
  }
  report_script_real(script, "abreast", abreast);
  report_script_real(script, "foot", foot / height);
  report_script_real(script, "foot_rows", foot_rows);
  report_script_real(script, "foot_letters", letters);
  report_script_real(script, "key_letters", key_letters(all->is_marked));
  report_script_real(script, "foot_longest", all->foot_longest);
  report_script_reals(script, "key_rows_of", n, at.rows);
  set_places(script, "tops", n, at.tops, height);
  set_places(script, "bottoms", n, at.bottoms, height);
  set_places(script, "key_tops", n, at.keys, height);
  set_axes(script, figure, all, n, height);
  script->size[0] = width;
  script->size[1] = height;
}

/* Of names of y and of cells [cm]. */
static double table_width(const struct figure_panel *panel) {
  double longest = 0;
  for (int i = 0; i < panel->n_rows; ++i) {
    longest = fmax(longest, letters_of(panel->row_names[i]));
  }
  return 0.3 + 0.19 * longest + CELL * (panel->n_cols + 3);
}

static void place_on_screen(struct report_script *script, const struct figure *figure,
                            const struct curves *all, int n) {
  const int abreast = figure->abreast > 0 ? figure->abreast : 1;
  const int rows = (n + abreast - 1) / abreast, grid = is_grid(figure);
  const double cells = is_table(figure) ? table_width(&figure->panels[0]) : 0;
  double beside = 0;
  for (int p = 0; p < n; ++p) {
    const int is_ended = strcmp(key_of(all, &figure->panels[p]), "ends") == 0;
    beside = fmax(beside, is_ended ? SCREEN_NAME * all->longest[p] : 0);
  }
  const double width =
      grid ? GRID_WIDE * abreast : fmax(fmax(WIDTH, (LEAST + beside) * abreast), cells);
  const double letters = all->footed > FOOT_FEW ? SCREEN_FEWER : SCREEN_LETTERS;
  const int most = grid ? GRID : all->footed > FOOT_FEW ? 3 : 2;
  const int fit = key_columns(all->foot_longest, SCREEN_LETTER * letters, width);
  const int columns = fit < most ? fit : most;
  const int foot_rows = (all->footed + columns - 1) / columns;
  const double foot = foot_rows > 0 ? FOOT + FOOT_ROW * letters * foot_rows : 0;
  double named = 0;
  for (int p = (rows - 1) * abreast; p < n; ++p) {
    named = n > 1 ? fmax(named, label_of(&figure->panels[p]) - LABEL) : 0;
  }
  const double each = grid ? GRID_HIGH : ROW;
  const double axes = figure->square ? WIDTH : rows > 1 || grid ? each * rows : SINGLE;
  const double height =
      (is_table(figure) ? names_height(figure, 0) + LABEL + rows_height(figure, CELL_ROW)
                        : fmax(axes, rows_height(figure, NAMED_ROW)) + named) +
      foot;
  report_script_real(script, "abreast", abreast);
  report_script_real(script, "foot", foot / height);
  report_script_real(script, "named", named / height);
  report_script_real(script, "foot_rows", foot_rows);
  report_script_real(script, "foot_letters", letters);
  set_axes(script, figure, all, n, height);
  script->size[0] = width;
  script->size[1] = height;
}

void report_panels(struct report_script *script, const struct figure *figure, const char *folder,
                   double width_mm) {
  struct curves *all = base_arena_push(script->arena, sizeof *all);
  int n = 0;
  all->folder = folder;
  all->is_small = is_grid(figure) ||
                  (width_mm > 0 && width_mm < REPORT_NARROW_MM * (1 + (figure->abreast > 1)));
  all->levels = "";
  all->foot = " ";
  while (n < PANELS_MAX && n < figure->n_panels) {
    add_panel(all, script->arena, n, &figure->panels[n]);
    ++n;
  }
  report_script_real(script, "panels", n);
  report_script_real(script, "square", figure->square);
  report_script_real(script, "grid", is_grid(figure));
  report_script_real(script, "names_high", names_height(figure, 0));
  report_script_real(script, "fitted", figure->file->runs == NULL);
  set_names(script, figure, n, 0);
  set_names(script, figure, n, 1);
  if (width_mm > 0) {
    place_for_print(script, figure, all, n, width_mm / 10);
  } else {
    place_on_screen(script, figure, all, n);
  }
  report_script_reals(script, "longest_of", n, all->longest);
  set_curves(script, all, n);
}
