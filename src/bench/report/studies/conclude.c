/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sentences of studies; see conclude.h.
 */
#include "bench/report/studies/conclude.h"

#include <math.h>
#include <stdlib.h>

#include "base/json/json.h"
#include "bench/report/overview/overview.h"
#include "form/form.h"

static const double KEPT = 1e-9;     /* drift over the largest energy */
static const double ACCURATE = 1e-3; /* error over the system's length */
enum { CASES_MIN = 3, NAMED = 3 };   /* a share of fewer cases is none; formulations named */

/* In how many of a formulation's rows something holds. */
struct tally {
  int form, holds, of;
};

/* The larger share first, then that of more rows. */
static int by_share(const void *left, const void *right) {
  const struct tally *a = left, *b = right;
  const long ahead = (long)b->holds * a->of - (long)a->holds * b->of;
  return ahead != 0 ? (ahead > 0 ? 1 : -1) : a->of != b->of ? b->of - a->of : a->form - b->form;
}

static void sort(int n, struct tally *t) { qsort(t, (size_t)n, sizeof *t, by_share); }

/* "ncp in 3 of 9, ccp in 2 of 8" */
static const char *list(const struct report *report, int n, const struct tally *t) {
  const char *text = "";
  for (int i = 0; i < n; ++i) {
    text = base_arena_printf(report->arena, "%s%s%s in %d of %d", text, i > 0 ? ", " : "",
                             form_get(t[i].form)->name, t[i].holds, t[i].of);
  }
  return text;
}

const char *report_conclude_drift(const struct report *report, int n,
                                  const struct report_row *rows) {
  struct tally *tallies =
      base_arena_array(report->arena, (size_t)form_count(), 1, sizeof(struct tally));
  int m = 0;
  for (int form = 0; form < form_count(); ++form) {
    struct tally t = {.form = form};
    for (int k = 0; k < n; ++k) {
      const struct report_record *r = report_best(&rows[k], form);
      const double drift =
          r != NULL && report_has_errors(r) ? report_relative_drift(r->json) : (double)NAN;
      t.of += isfinite(drift);
      t.holds += drift <= KEPT;
    }
    if (t.of >= CASES_MIN) {
      tallies[m++] = t;
    }
  }
  if (m < 2) {
    return "";
  }
  sort(m, tallies);
  const struct tally *last = &tallies[m - 1];
  return base_arena_printf(report->arena,
                           "Energy is kept to %g by %s cases; least often by %s, in %d of %d.",
                           KEPT, list(report, m <= NAMED ? m - 1 : NAMED, tallies),
                           form_get(last->form)->name, last->holds, last->of);
}

static double time_of(const struct report_record *r) {
  return base_json_real_at(r->json, "timing.steps_s");
}

/* Of a formulation's runs of a row that are accurate the one of the least time; NULL: none is. */
static const struct report_record *first_of(const struct report_row *row, int form,
                                            int *has_error) {
  const struct report_record *first = NULL;
  *has_error = 0;
  for (int i = 0; i < row->n; ++i) {
    const struct report_record *r = row->records[i];
    const double error = overview_value(r, OVERVIEW_ERROR);
    if (r->form == form && report_has_errors(r) && !report_is_reference(r) && isfinite(error)) {
      *has_error = 1;
      first = error <= ACCURATE && (first == NULL || time_of(r) < time_of(first)) ? r : first;
    }
  }
  return first;
}

/* Who comes to an error in a row (accurate), to any (of); the run of the least time, NULL: none. */
static const struct report_record *winner_of(const struct report_row *row, int *accurate, int *of) {
  const struct report_record *winner = NULL;
  *accurate = 0, *of = 0;
  for (int form = 0; form < form_count(); ++form) {
    int has_error;
    const struct report_record *own = first_of(row, form, &has_error);
    *of += has_error;
    *accurate += own != NULL;
    winner = own != NULL && (winner == NULL || time_of(own) < time_of(winner)) ? own : winner;
  }
  return winner;
}

/* Is a formulation's least time that of the winner, or level with it? */
static int wins(const struct report_row *row, int form, const struct report_record *winner) {
  int has_error;
  const struct report_record *own = first_of(row, form, &has_error);
  return own != NULL && !report_times_differ(own, winner);
}

static const char *conclude_row(const struct report *report, const struct report_row *row) {
  int accurate, of;
  const struct report_record *winner = winner_of(row, &accurate, &of);
  const char *names = "";
  if (of < 2) {
    return "";
  }
  for (int form = 0; form < form_count() && winner != NULL; ++form) {
    if (form != winner->form && wins(row, form, winner)) {
      names = base_arena_printf(report->arena, "%s, %s", names, form_get(form)->name);
    }
  }
  return winner == NULL
             ? base_arena_printf(report->arena,
                                 "None of %d formulations comes to an error of %g of the system's "
                                 "length at any of its steps.",
                                 of, ACCURATE)
             : base_arena_printf(report->arena,
                                 "%s needs the least time, %.2g s, to an error of %g of the "
                                 "system's length, to which %d of %d formulations come%s%s.",
                                 form_get(winner->form)->name, time_of(winner), ACCURATE, accurate,
                                 of, names[0] != '\0' ? "; level with it: " : "",
                                 names[0] != '\0' ? names + 2 : "");
}

const char *report_conclude_work(const struct report *report, int n,
                                 const struct report_row *rows) {
  if (n == 1) {
    return conclude_row(report, rows);
  }
  struct tally *tallies =
      base_arena_array(report->arena, (size_t)form_count(), 1, sizeof(struct tally));
  int m = 0, accurate, of;
  for (int form = 0; form < form_count(); ++form) {
    struct tally t = {.form = form};
    for (int k = 0; k < n; ++k) {
      int has_error;
      const struct report_record *winner = winner_of(&rows[k], &accurate, &of);
      first_of(&rows[k], form, &has_error);
      t.of += has_error;
      t.holds += winner != NULL && of > 1 && wins(&rows[k], form, winner);
    }
    if (t.holds > 0) {
      tallies[m++] = t;
    }
  }
  sort(m, tallies);
  return m == 0
             ? ""
             : base_arena_printf(report->arena,
                                 "The least time to an error of %g of the system's length, or one "
                                 "level with it, is that of %s cases.",
                                 ACCURATE, list(report, m < NAMED ? m : NAMED, tallies));
}
