/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Panels of a figure (cases/figure/figure.h) as the variables of scripts/plot/panels.gp.
 */
#include "bench/report/report.h"

enum { PANELS_MAX = 8, CURVES_MAX = PANELS_MAX * CASE_CURVES, KINDS = 5 };
static const double WIDTH = 17, ROW = 7.5, SINGLE = 10.5; /* [cm] */

static const char *or_empty(const char *text) { return text != NULL ? text : ""; }

/* The curves of all panels, and which of them a panel draws how. */
static void set_curves(struct report_script *script, const struct case_figure *figure) {
  static const char *const kinds[KINDS] = {"lines", "dashed", "linespoints", "impulses",
                                           "constants"};
  const char *numbers[KINDS][PANELS_MAX], *tables[CURVES_MAX], *looks[CURVES_MAX];
  const char *titles[CURVES_MAX];
  double xs[CURVES_MAX], ys[CURVES_MAX], scales[CURVES_MAX], widths[CURVES_MAX];
  double firsts[PANELS_MAX];
  int n = 0;
  for (int p = 0; p < figure->n_panels; ++p) {
    firsts[p] = n + 1;
    for (int kind = 0; kind < KINDS; ++kind) {
      numbers[kind][p] = "";
    }
    for (const struct case_curve *c = figure->panels[p].curves;
         c < figure->panels[p].curves + CASE_CURVES && c->look != NULL; ++c, ++n) {
      const char **list = &numbers[c->table != NULL ? (int)c->with : KINDS - 1][p];
      *list = base_arena_printf(script->arena, "%s %d", *list, n + 1);
      tables[n] = or_empty(c->table);
      looks[n] = c->look;
      titles[n] = or_empty(c->title);
      xs[n] = c->x;
      ys[n] = c->y;
      scales[n] = c->scale != 0 ? c->scale : 1;
      widths[n] = c->width > 0 ? c->width : 2;
    }
  }
  for (int kind = 0; kind < KINDS; ++kind) {
    report_script_texts(script, kinds[kind], figure->n_panels, numbers[kind]);
  }
  report_script_reals(script, "firsts", figure->n_panels, firsts);
  report_script_texts(script, "tables", n, tables);
  report_script_texts(script, "looks", n, looks);
  report_script_texts(script, "titles", n, titles);
  report_script_reals(script, "xs", n, xs);
  report_script_reals(script, "ys", n, ys);
  report_script_reals(script, "scales", n, scales);
  report_script_reals(script, "widths", n, widths);
}

void report_panels(struct report_script *script, const struct case_figure *figure) {
  const char *texts[4][PANELS_MAX];
  double bounds[4][PANELS_MAX];
  const int n = figure->n_panels, abreast = figure->abreast > 0 ? figure->abreast : 1;
  static const char *const names[4] = {"x_labels", "y_labels", "logs", "keys"};
  static const char *const limits[4] = {"x_lo", "x_hi", "y_lo", "y_hi"};
  for (int p = 0; p < n; ++p) {
    const struct case_panel *panel = &figure->panels[p];
    texts[0][p] = or_empty(panel->x);
    texts[1][p] = or_empty(panel->y);
    texts[2][p] = or_empty(panel->log);
    texts[3][p] = or_empty(panel->key);
    for (int i = 0; i < 2; ++i) {
      bounds[i][p] = panel->x_range[i];
      bounds[2 + i][p] = panel->y_range[i];
    }
  }
  report_script_real(script, "panels", n);
  report_script_real(script, "abreast", abreast);
  report_script_real(script, "square", figure->square);
  for (int i = 0; i < 4; ++i) {
    report_script_texts(script, names[i], n, texts[i]);
    report_script_reals(script, limits[i], n, bounds[i]);
  }
  set_curves(script, figure);
  const int rows = (n + abreast - 1) / abreast;
  script->size[0] = WIDTH;
  script->size[1] = figure->square ? WIDTH : rows > 1 ? ROW * rows : SINGLE;
}
