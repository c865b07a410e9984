/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables and checks of figures; see figure.h. Tables are plain text for any plotting program: a
 * comment line with the names of the columns, then one row a line, %.17g, so that reading returns
 * the same double; NaN stands for a missing value.
 */
#include "cases/figure/figure.h"

#include "base/json/json.h"
#include "base/status.h"
#include "cases/figure/thin.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

double case_number(const struct case_series *s, const char *path) {
  return s->record != NULL ? base_json_real_at(s->record, path) : NAN;
}

int case_plot_init(struct case_plot *plot, const char *folder, struct base_arena *arena) {
  *plot = (struct case_plot){.arena = arena, .folder = folder};
  return folder != NULL ? base_file_make_folder(folder) : BASE_OK;
}

static int has_table(const struct case_plot *plot, const char *name) {
  for (int i = 0; i < plot->n_tables; ++i) {
    if (strcmp(plot->tables[i], name) == 0) {
      return 1;
    }
  }
  return 0;
}

static int write_block(const char *path, int more, const char *columns, int rows, int cols,
                       const double *values) {
  FILE *file = fopen(path, more ? "a" : "w");
  if (file == NULL) {
    return base_fail(BASE_E_IO, "%s: cannot write: %s", path, strerror(errno));
  }
  fprintf(file, "%s# %s\n", more ? "\n" : "", columns);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < cols; ++j) {
      const double x = values[(size_t)i * (size_t)cols + (size_t)j];
      fputs(j > 0 ? " " : "", file);
      if (isnan(x)) {
        fputs("NaN", file);
      } else {
        fprintf(file, "%.17g", x);
      }
    }
    fputc('\n', file);
  }
  const int failed = ferror(file);
  if (fclose(file) != 0 || failed) {
    return base_fail(BASE_E_IO, "%s: cannot write: %s", path, strerror(errno));
  }
  return BASE_OK;
}

int case_plot_table(struct case_plot *plot, const char *name, const char *columns, int rows,
                    int cols, const double *values) {
  if (name[0] == '\0' || name[0] == '.' || strchr(name, '/') != NULL) {
    return base_fail(BASE_E_INTERNAL, "table '%s': not a plain file name", name);
  }
  const int more = has_table(plot, name);
  if (!more) {
    plot->tables = base_arena_more(plot->arena, plot->tables, plot->n_tables, sizeof *plot->tables);
    plot->tables[plot->n_tables++] = base_arena_copy(plot->arena, name);
  }
  if (plot->folder == NULL) {
    return BASE_OK;
  }
  const char *path = base_arena_printf(plot->arena, "%s/%s.dat", plot->folder, name);
  const struct base_arena_mark mark = base_arena_mark(plot->arena);
  double *thinned = base_arena_matrix(plot->arena, cols, rows);
  const int kept = case_thin(rows, cols, values, thinned);
  const int status = write_block(path, more, columns, kept, cols, thinned);
  base_arena_release(plot->arena, mark);
  return status;
}

int case_is_timing(const char *what) { return strstr(what, "timing") != NULL; }

const char *const case_verdict_names[CASE_VERDICTS] = {"failed",  "reproduced", "schematic",
                                                       "differs", "not stated", "reported"};

static void add_checked(struct case_plot *plot, struct case_checked checked) {
  plot->checks = base_arena_more(plot->arena, plot->checks, plot->n_checks, sizeof *plot->checks);
  checked.what = base_arena_copy(plot->arena, checked.what);
  plot->checks[plot->n_checks++] = checked;
  plot->n_failed += checked.verdict == CASE_FAILED && !case_is_timing(checked.what);
}

/* A finite interval that was given: not 0 to 0, which is what is there where nothing is. */
static int is_given(double lo, double hi) {
  return isfinite(lo) && isfinite(hi) && lo <= hi && (lo != 0 || hi != 0);
}

const char *case_claim_fault(const struct case_claim *c) {
  const double least = fmin(fabs(c->lo), fabs(c->hi)), most = fmax(fabs(c->lo), fabs(c->hi));
  const double *source = c->source;
  return !isfinite(c->lo) || !isfinite(c->hi) || c->lo > c->hi ? "its bounds are no interval"
         : c->lo * c->hi > 0 && most > CASE_WIDEST * least
             ? "one of its bounds cannot fail: they are more than a factor of 100 apart"
         : c->differs == NULL      ? NULL
         : !is_given(c->lo, c->hi) ? "it differs, and says not what it is"
         : c->published == NULL || !is_given(source[0], source[1])
             ? "it differs, and says not from what"
         : c->lo <= source[1] && c->hi >= source[0]
             ? "it differs from what it may be: its bounds meet the source's"
             : NULL;
}

enum case_verdict case_claim_judge(const struct case_claim *c, double x) {
  const int inside = case_claim_fault(c) == NULL && x >= c->lo && x <= c->hi;
  return !inside                ? CASE_FAILED
         : c->differs != NULL   ? CASE_DIFFERS
         : c->published == NULL ? CASE_NOT_STATED
         : c->schematic         ? CASE_SCHEMATIC
                                : CASE_REPRODUCED;
}

enum case_verdict case_plot_check(struct case_plot *plot, const char *what, double measured,
                                  struct case_claim claim) {
  assert(claim.published != NULL || (claim.differs == NULL && !claim.schematic));
  const enum case_verdict verdict = case_claim_judge(&claim, measured);
  add_checked(plot, (struct case_checked){what, measured, claim, verdict});
  return verdict;
}

void case_plot_report(struct case_plot *plot, const char *what, double measured, const char *note) {
  add_checked(plot, (struct case_checked){.what = what,
                                          .measured = measured,
                                          .claim = {NAN, NAN, .expected = note},
                                          .verdict = CASE_REPORTED});
}
