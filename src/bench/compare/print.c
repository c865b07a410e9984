/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `coulombench compare` prints; see compare.h. Ratios B/A are of pairs with equal
 * input; their medians are those of a formulation and case: iterations, error, and time of a step.
 * Ratios of times also depend on the machines and on other work there.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "bench/compare/compare.h"
#include "bench/frame/frame.h"

enum { SHOWN = 20 }; /* rows of a kind without --verbose */

static const char *const titles[COMPARE_KINDS] = {
    "newly failed", "newly ok",   "differ",          "other input",      "only in A",
    "only in B",    "unreadable", "differ in words", "within the limit", "same to the byte"};

/* ---- counts ---- */

static void print_summary(const struct comparison *c) {
  const double tol = fmax(c->request->tol, 0);
  printf("A: %s\nB: %s\n", c->request->a, c->request->b);
  for (int i = 0; i < c->request->ignored.n; ++i) {
    printf("left out: %s\n", c->request->ignored.word[i]);
  }
  printf("%sverdict: ", c->built != NULL ? c->built : "");
  if (c->counts[COMPARE_SAME] == c->n) {
    printf("same to the byte\n");
  } else if (compare_is_same(c)) {
    printf("same to %g\n", tol);
  } else {
    printf("differs\n");
  }
  printf("summary: %d records: %d same to the byte", c->n, c->counts[COMPARE_SAME]);
  if (c->request->tol >= 0) {
    printf(", %d same to %g", c->counts[COMPARE_WITHIN], tol);
  }
  static const enum compare_kind order[] = {
      COMPARE_DIFFERS, COMPARE_NEWLY_FAILED, COMPARE_NEWLY_OK,   COMPARE_OTHER,
      COMPARE_ONLY_A,  COMPARE_ONLY_B,       COMPARE_UNREADABLE, COMPARE_WORDS};
  for (size_t i = 0; i < sizeof order / sizeof *order; ++i) {
    printf(", %d %s", c->counts[order[i]], titles[order[i]]);
  }
  printf("\n");
  if (c->n_other > 0) {
    printf("%d files that are not records are left out\n", c->n_other);
  }
}

/* ---- ratios ---- */

static const char *const numbers[COMPARE_NUMBERS] = {"iterations", "error", "time"};

/* B over A; 1 where both are nothing, NaN: none. */
static double ratio_of(const struct compare_row *row, enum compare_number number) {
  const double a = row->side[0].number[number], b = row->side[1].number[number];
  return a == b ? 1 : isfinite(b / a) ? b / a : (double)NAN;
}

static struct frame *ratios_of_pairs(const struct comparison *c) {
  struct frame *f = frame_new(c->arena);
  frame_add(f, "case", "");
  frame_add(f, "formulation", "");
  for (int k = 0; k < COMPARE_NUMBERS; ++k) {
    frame_add(f, numbers[k], "");
  }
  for (int i = 0; i < c->n; ++i) {
    const struct compare_row *row = &c->rows[i];
    if (row->side[0].status == NULL || row->kind == COMPARE_OTHER || row->by[0] == '\0') {
      continue;
    }
    const long at = frame_push(f);
    *frame_at(f, at, 0) = frame_word(row->about);
    *frame_at(f, at, 1) = frame_word(row->by);
    for (int k = 0; k < COMPARE_NUMBERS; ++k) {
      frame_at(f, at, 2 + k)->number = ratio_of(row, (enum compare_number)k);
    }
  }
  return f;
}

/* A line a formulation and case whose iterations or errors moved; with --verbose all. */
static int print_ratios(const struct comparison *c) {
  static const char query[] =
      "[{\"aggregate\": [{\"op\": \"count\", \"as\": \"pairs\"},"
      " {\"op\": \"median\", \"field\": \"iterations\", \"as\": \"iterations\"},"
      " {\"op\": \"median\", \"field\": \"error\", \"as\": \"error\"},"
      " {\"op\": \"median\", \"field\": \"time\", \"as\": \"time\"}],"
      " \"groupby\": [\"case\", \"formulation\"]}, {\"sort\": [\"case\", \"formulation\"]}]";
  struct frame *f = ratios_of_pairs(c);
  cJSON *transforms = cJSON_Parse(query);
  const int status = frame_transform(&f, transforms, "compare");
  cJSON_Delete(transforms);
  int shown = 0;
  for (long row = 0; status == BASE_OK && row < f->n_rows; ++row) {
    const double iterations = frame_real(f, row, 3), error = frame_real(f, row, 4);
    const int is_still = (isnan(iterations) || iterations == 1) && (isnan(error) || error == 1);
    if (is_still && !c->request->verbose) {
      continue;
    }
    if (shown++ == 0) {
      printf("\nmedian ratios, B over A\n   pairs iterations     error  CPU time  case, "
             "formulation\n");
    }
    printf("  %6g %10.4g %9.4g %9.4g  %s, %s\n", frame_real(f, row, 2), iterations, error,
           frame_real(f, row, 5), frame_text(f, row, 0), frame_text(f, row, 1));
  }
  if (status == BASE_OK && shown < f->n_rows) {
    printf("%smedian ratios of iterations and errors are 1 in %ld of %ld pairs of case and "
           "formulation\n",
           shown > 0 ? "" : "\n", f->n_rows - shown, f->n_rows);
  }
  return status;
}

/* ---- rows ---- */

static void print_row(const struct compare_row *row) {
  const char *a = row->side[0].status, *b = row->side[1].status;
  const char *gap = row->why[0] != '\0' ? "  " : "";
  char status[40];
  if (a == NULL) {
    printf("  %s%s%s\n", row->name, gap, row->why);
    return;
  }
  snprintf(status, sizeof status, strcmp(a, b) == 0 ? "%s" : "%s -> %s", a[0] != '\0' ? a : "-", b);
  printf("  %-22s %8.1e  %s%s%s\n", status, row->size, row->name, gap, row->why);
}

/* The entries that differ, for --verbose. */
static void print_entries(const struct comparison *c, const struct compare_row *row) {
  cJSON *a = NULL, *b = NULL;
  struct compare_result result;
  compare_read(&c->list[0], row->i, &a);
  compare_read(&c->list[1], row->j, &b);
  if (a != NULL && b != NULL) {
    compare_values(a, b, &c->request->ignored, stdout, &result);
  }
  cJSON_Delete(a);
  cJSON_Delete(b);
}

static void print_rows(const struct comparison *c) {
  int shown = 0;
  for (int i = 0; i < c->n; ++i) {
    const struct compare_row *row = &c->rows[i];
    if (row->kind == COMPARE_SAME && !c->request->verbose && c->n > 1) {
      continue;
    }
    if (i == 0 || c->rows[i - 1].kind != row->kind) {
      shown = 0;
      printf("\n%s (%d):\n", titles[row->kind], c->counts[row->kind]);
      if (row->side[0].status != NULL) {
        printf("  %-22s %8s  record, entry that differs most\n", "status", "diff");
      }
    }
    if (c->request->verbose || shown < SHOWN) {
      print_row(row);
    } else if (shown == SHOWN) {
      printf("  ... and %d more (--verbose shows all)\n", c->counts[row->kind] - SHOWN);
    }
    ++shown;
    if (c->request->verbose && row->side[0].status != NULL && row->why[0] != '\0') {
      print_entries(c, row);
    }
  }
}

int compare_print(const struct comparison *c) {
  print_summary(c);
  const int status = print_ratios(c);
  print_rows(c);
  return status;
}
