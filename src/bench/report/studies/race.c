/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The study `race`: for each one-step problem that a suite gave both to our solvers and to those of
 * others (in processes of their own, problem/solvers/peers/), the time of the best of the others
 * against that of `auto`, which has to find out what suits, and of the best of ours. A problem
 * that one side has not solved within the tolerance and its limits stands on that side's margin.
 *
 * report/race.csv has a line a problem.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes/quote.h"
#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/kit/study.h"
#include "bench/report/studies/solutions.h"
#include "problem/solver.h"

/* The margin lies this many times beyond the longest time. */
static const double MARGIN = 3;

/* The fastest of some solvers on a problem: its time [s], infinite and "" where none solved it. */
struct best {
  double time;
  const char *solver;
};

/* All about one problem: solutions all[0 ... n). */
struct heat {
  const struct report_solved *all;
  int n, has_others; /* did any of the others take it on? */
  struct best others, automatic, ours;
};

static int is_of_others(int rank) {
  return rank >= problem_solver_count() || problem_solver_get(rank)->solve != NULL;
}

static void improve(struct best *best, const struct report_solved *s) {
  if (s->is_solved && s->time < best->time) {
    *best = (struct best){s->time, s->solver};
  }
}

static struct heat heat_of(const struct report_solutions *p, int begin) {
  const struct best none = {INFINITY, ""};
  struct heat h = {.all = p->all + begin, .others = none, .automatic = none, .ours = none};
  for (; begin + h.n < p->n && report_solutions_same(h.all, &h.all[h.n]) &&
         strcmp(h.all->problem, h.all[h.n].problem) == 0;
       ++h.n) {
    const struct report_solved *s = &h.all[h.n];
    if (is_of_others(s->rank)) {
      h.has_others |= strcmp(s->status, base_status_name(BASE_UNSUPPORTED)) != 0;
      improve(&h.others, s);
    } else {
      improve(&h.ours, s);
      if (strcmp(s->solver, "auto") == 0) {
        improve(&h.automatic, s);
      }
    }
  }
  return h;
}

/* Times of a set and law, (others, auto, ours) a row, NaN where unsolved: their number. *begin goes
 * on to the next. */
static int collect(const struct report_solutions *p, int *begin, double *rows,
                   struct bench_table *csv) {
  const struct report_solved *first = &p->all[*begin];
  int n = 0;
  while (*begin < p->n && report_solutions_same(first, &p->all[*begin])) {
    const struct heat h = heat_of(p, *begin);
    *begin += h.n;
    if (!h.has_others) {
      continue;
    }
    const struct best *const bests[] = {&h.others, &h.automatic, &h.ours};
    bench_table_row(csv, "ttt", h.all->set, h.all->law, h.all->problem);
    for (int k = 0; k < 3; ++k) {
      const int is_solved = isfinite(bests[k]->time);
      rows[3 * n + k] = is_solved ? bests[k]->time : (double)NAN;
      bench_table_row(csv, "nt", rows[3 * n + k], is_solved ? bests[k]->solver : NULL);
    }
    ++n;
  }
  return n;
}

/* Who wins how often, before the unsolved go to the margin; rows: (others, auto, ours). */
static const char *tell_winner(const struct report *report, int n, const double *rows) {
  int ours = 0, automatic = 0, both = 0;
  double log_ratio = 0;
  for (const double *row = rows; row < rows + 3L * n; row += 3) {
    automatic += row[1] < row[0] || (isfinite(row[1]) && isnan(row[0]));
    ours += row[2] < row[0] || (isfinite(row[2]) && isnan(row[0]));
    if (row[0] > 0 && row[2] > 0) {
      ++both, log_ratio += log(row[0] / row[2]);
    }
  }
  return both == 0 ? ""
                   : base_arena_printf(report->arena,
                                       "The best of ours is ahead of the best of the others on %d "
                                       "of %d problems, auto alone on %d; the others take %.2g "
                                       "times the time of ours in the geometric mean of the %d "
                                       "that both solve.",
                                       ours, n, automatic, exp(log_ratio / both), both);
}

/* Least and largest time of all rows; the unsolved go to the margin. */
static double set_margin(int n, double *rows, double *least) {
  double most = 0;
  *least = INFINITY;
  for (int i = 0; i < 3 * n; ++i) {
    most = rows[i] > most ? rows[i] : most;
    *least = rows[i] > 0 && rows[i] < *least ? rows[i] : *least;
  }
  for (int i = 0; i < 3 * n; ++i) {
    rows[i] = isnan(rows[i]) ? MARGIN * most : rows[i];
  }
  return MARGIN * most;
}

/* A table a set and law; rows: 3 x p->n, of all of them one after the other. */
static int make_tables(struct report_sheet *s, const struct bench_figure *study,
                       const struct report_solutions *p, struct bench_table *csv) {
  struct base_arena *arena = s->report->arena;
  double *rows = base_arena_matrix(arena, 3, p->n), least;
  const char **names = base_arena_array(arena, (size_t)p->n, 1, sizeof *names);
  int *ends = base_arena_ints(arena, p->n), tables = 0, total = 0, status = BASE_OK;
  for (int i = 0; i < p->n;) {
    const struct report_solved *first = &p->all[i];
    const int n = collect(p, &i, rows + 3 * (long)total, csv);
    if (n > 0) {
      names[tables] = base_arena_printf(arena, "%s-%s", first->set, first->law);
      ends[tables++] = total += n;
    }
  }
  s->caption = report_study_caption(s->report, study, tell_winner(s->report, total, rows));
  const double margin = set_margin(total, rows, &least);
  for (int k = 0, at = 0; k < tables && status == BASE_OK; at = ends[k++]) {
    status = case_plot_table(&s->plot, names[k], "timing_others[s] timing_auto[s] timing_ours[s]",
                             ends[k] - at, 3, rows + 3 * (long)at);
  }
  report_script_names(&s->script, "sets", tables, names);
  report_script_real(&s->script, "margin", margin);
  report_script_real(&s->script, "least", least);
  return status;
}

int report_race_make(struct report *report, const struct bench_figure *study) {
  struct report_solutions p;
  struct report_sheet s;
  int status = report_solutions_load(report, &p), others = 0;
  for (int i = 0; i < p.n && status == BASE_OK; ++i) {
    others |= is_of_others(p.all[i].rank) && p.all[i].is_solved;
  }
  if (status != BASE_OK || !others) {
    return status; /* nobody to race with */
  }
  struct bench_table *csv = bench_table_headed(
      report->arena, "set,law,problem,others_s,others_best,auto_s,auto,ours_s,ours_best");
  status = report_sheet_begin(&s, report, study, NULL);
  status = status != BASE_OK ? status : make_tables(&s, study, &p, csv);
  status = status != BASE_OK ? status : report_write_table(report, "race", csv);
  return status != BASE_OK ? status : report_sheet_finish(&s);
}
