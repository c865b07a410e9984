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

/* The least time of a formulation's runs of a row that are accurate; infinite: none is. NaN: it has
 * no error there at all. */
static double least_time(const struct report_row *row, int form) {
  double least = NAN;
  for (int i = 0; i < row->n; ++i) {
    const struct report_record *r = row->records[i];
    const double error = overview_value(r, OVERVIEW_ERROR);
    if (r->form == form && report_has_errors(r) && !report_is_reference(r) && isfinite(error)) {
      const double time =
          error <= ACCURATE ? base_json_real_at(r->json, "timing.steps_s") : INFINITY;
      least = isnan(least) || time < least ? time : least;
    }
  }
  return least;
}

/* Who is the first to be accurate; -1: nobody. */
static int winner_of(const struct report_row *row, double *time, int *accurate, int *of) {
  int winner = -1;
  *time = INFINITY, *accurate = 0, *of = 0;
  for (int form = 0; form < form_count(); ++form) {
    const double own = least_time(row, form);
    *of += !isnan(own);
    *accurate += isfinite(own);
    if (own < *time) {
      *time = own, winner = form;
    }
  }
  return winner;
}

static const char *conclude_row(const struct report *report, const struct report_row *row) {
  double time;
  int accurate, of;
  const int winner = winner_of(row, &time, &accurate, &of);
  if (of < 2) {
    return "";
  }
  return winner < 0
             ? base_arena_printf(report->arena,
                                 "None of %d formulations comes to an error of %g of the system's "
                                 "length at any of its steps.",
                                 of, ACCURATE)
             : base_arena_printf(report->arena,
                                 "%s needs the least time, %.2g s, to an error of %g of the "
                                 "system's length, to which %d of %d formulations come.",
                                 form_get(winner)->name, time, ACCURATE, accurate, of);
}

const char *report_conclude_work(const struct report *report, int n,
                                 const struct report_row *rows) {
  if (n == 1) {
    return conclude_row(report, rows);
  }
  struct tally *tallies =
      base_arena_array(report->arena, (size_t)form_count(), 1, sizeof(struct tally));
  double time;
  int m = 0, accurate, of;
  for (int k = 0; k < n; ++k) {
    const int winner = winner_of(&rows[k], &time, &accurate, &of);
    if (winner >= 0 && of > 1) {
      ++tallies[winner].holds;
    }
  }
  for (int form = 0; form < form_count(); ++form) {
    struct tally t = {.form = form, .holds = tallies[form].holds};
    for (int k = 0; k < n && t.holds > 0; ++k) {
      t.of += !isnan(least_time(&rows[k], form));
    }
    if (t.holds > 0) {
      tallies[m++] = t;
    }
  }
  sort(m, tallies);
  return m == 0 ? ""
                : base_arena_printf(report->arena,
                                    "The least time to an error of %g of the system's length is "
                                    "that of %s cases.",
                                    ACCURATE, list(report, m < NAMED ? m : NAMED, tallies));
}
