/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The study `profile`: performance profiles (Dolan and More 2002) of the solvers over the sets of
 * one-step problems that a suite solved (suite/suite.h, "problems"). For a set and a law, with t_ps
 * the time solver s took for problem p, infinite when its residual missed the tolerance,
 *
 *   rho_s(tau) = share of the problems with t_ps <= tau min_s t_ps.
 *
 * At tau = 1 it is the share on which s is the fastest, for large tau the share it solves at all.
 * Beside the solvers stands the envelope of three of ours, the fastest of them on each problem:
 * those three (fewer where fewer solve anything; none that asks others) that solve the most, and
 * among these the ones with the least mean logarithm of the ratio. It is what trying three side by
 * side would give, and what a choice among them can reach at most. Whether a problem is solved is
 * judged by the residual in the solution, which is not the solver's own. Times are single
 * measurements and differ from machine to machine; solved or not does not.
 *
 * report/profile.csv has a line a set, law and solver. Where a solver missed problems, the caption
 * does not name them: report/profile-missed.csv does.
 */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/kit/study.h"
#include "bench/report/studies/solutions.h"
#include "la/ensemble/quantile.h"
#include "problem/solver.h"

/* One set and law: solutions all[0 ... n). */
struct panel {
  const struct report_solved *all;
  int n, problems;
  double *best; /* n, time of the fastest that solved the same problem */
};

static struct panel panel_of(const struct report_solutions *p, int begin) {
  struct panel panel = {.all = p->all + begin};
  while (begin + panel.n < p->n && report_solutions_same(panel.all, &panel.all[panel.n])) {
    ++panel.n;
  }
  panel.best = base_arena_doubles(p->report->arena, panel.n);
  for (int i = 0, j; i < panel.n; i = j) {
    double best = INFINITY;
    for (j = i; j < panel.n && strcmp(panel.all[i].problem, panel.all[j].problem) == 0; ++j) {
      best = panel.all[j].is_solved ? fmin(best, panel.all[j].time) : best;
    }
    for (int k = i; k < j; ++k) {
      panel.best[k] = best;
    }
    ++panel.problems;
  }
  return panel;
}

/* Ratios to the fastest of the problems a solver solved, ascending: their number; tried: how many
 * it was given and did not refuse. */
static int ratios_of(const struct panel *panel, int solver, double *ratio, int *tried) {
  int n = 0;
  *tried = 0;
  for (int i = 0; i < panel->n; ++i) {
    if (panel->all[i].rank == solver) {
      *tried += strcmp(panel->all[i].status, base_status_name(BASE_UNSUPPORTED)) != 0;
      if (panel->all[i].is_solved) {
        ratio[n++] = panel->best[i] > 0 ? panel->all[i].time / panel->best[i] : 1;
      }
    }
  }
  gsl_sort(ratio, 1, (size_t)n);
  return n;
}

/* Beyond any ratio of times: where curves end. */
static const double FAR = 1e12;

/* Steps of rho_s: rows (tau, share), from tau = 1 on. */
static int curve(const struct panel *panel, int n, const double *ratio, double *rows) {
  int m = 0;
  double share = 0;
  for (int i = 0; i < n && ratio[i] <= 1; ++i) {
    share = (double)(i + 1) / panel->problems;
  }
  rows[m++] = 1;
  rows[m++] = share;
  for (int i = 0; i < n; ++i) {
    if (ratio[i] > 1) {
      rows[m++] = ratio[i];
      rows[m++] = (double)(i + 1) / panel->problems;
    }
  }
  rows[m++] = FAR;
  rows[m++] = (double)n / panel->problems;
  return m / 2;
}

/* ---- the envelope of three ---- */

enum { TEAM = 3 };

struct team {
  int n, solver[TEAM];
  int solved;
  double mean_log; /* of the ratios of the problems solved */
};

/* Ratio of each problem by each solver, infinite where it is not solved: solvers x problems. */
static double *ratio_table(const struct panel *panel, int solvers, struct base_arena *arena) {
  double *table = base_arena_matrix(arena, solvers, panel->problems);
  for (int i = 0; i < solvers * panel->problems; ++i) {
    table[i] = INFINITY;
  }
  for (int i = 0, problem = 0; i < panel->n; ++i) {
    const struct report_solved *s = &panel->all[i];
    problem += i > 0 && strcmp(panel->all[i - 1].problem, s->problem) != 0;
    if (s->is_solved) {
      table[s->rank * panel->problems + problem] =
          panel->best[i] > 0 ? s->time / panel->best[i] : 1;
    }
  }
  return table;
}

/* Ratios of the fastest of a team, ascending; their number. */
static int team_ratios(const struct team *t, const double *table, int problems, double *ratio) {
  int n = 0;
  for (int p = 0; p < problems; ++p) {
    double least = INFINITY;
    for (int k = 0; k < t->n; ++k) {
      least = fmin(least, table[t->solver[k] * problems + p]);
    }
    if (isfinite(least)) {
      ratio[n++] = least;
    }
  }
  gsl_sort(ratio, 1, (size_t)n);
  return n;
}

static void judge_team(struct team *t, const double *table, int problems, double *room) {
  t->solved = team_ratios(t, table, problems, room);
  t->mean_log = 0;
  for (int i = 0; i < t->solved; ++i) {
    t->mean_log += log(room[i]) / t->solved;
  }
}

static int is_better(const struct team *a, const struct team *b) {
  return a->solved > b->solved || (a->solved == b->solved && a->mean_log < b->mean_log);
}

/* The best team that has `t` in it, by solvers from `first` on. */
static void extend_team(const struct team *t, int first, int solvers, const char *can,
                        const double *table, int problems, double *room, struct team *best) {
  for (int s = first; s < solvers && t->n < TEAM; ++s) {
    if (can[s]) {
      struct team more = *t;
      more.solver[more.n++] = s;
      judge_team(&more, table, problems, room);
      *best = is_better(&more, best) ? more : *best;
      extend_team(&more, s + 1, solvers, can, table, problems, room, best);
    }
  }
}

/* Table of the envelope, and what it is called; NULL where nothing is solved. */
static int make_envelope(struct report_sheet *s, const struct panel *panel, struct bench_table *csv,
                         const char **name) {
  struct base_arena *arena = s->report->arena;
  const int solvers = problem_solver_count(); /* guests are not ours */
  double *table = ratio_table(panel, solvers + s->report->n_guests, arena);
  double *room = base_arena_doubles(arena, panel->problems);
  double *rows = base_arena_matrix(arena, 2, panel->problems + 2);
  char *can = base_arena_push(arena, (size_t)solvers);
  struct team best = {.n = 0};
  *name = NULL;
  for (int i = 0; i < solvers; ++i) {
    const struct problem_solver *solver = problem_solver_get(i);
    can[i] = solver->chosen == NULL && solver->solve == NULL &&
             team_ratios(&(struct team){.n = 1, .solver = {i}}, table, panel->problems, room) > 0;
  }
  extend_team(&(struct team){.n = 0}, 0, solvers, can, table, panel->problems, room, &best);
  if (best.n == 0) {
    return BASE_OK;
  }
  *name = report_solver_name(s->report, best.solver[0]);
  for (int k = 1; k < best.n; ++k) {
    *name =
        base_arena_printf(arena, "%s + %s", *name, report_solver_name(s->report, best.solver[k]));
  }
  const int n = team_ratios(&best, table, panel->problems, room);
  bench_table_row(csv, "tttnnnn", panel->all->set, panel->all->law,
                  base_arena_printf(arena, "envelope: %s", *name), (double)n,
                  (double)panel->problems, (double)n / panel->problems,
                  la_quantile_sorted(n, room, 0.5));
  const int m = curve(panel, n, room, rows);
  return case_plot_table(
      &s->plot, base_arena_printf(arena, "%s-%s-envelope", panel->all->set, panel->all->law),
      "timing_ratio[-] share_by_timing[-]", m, 2, rows);
}

/* The solver of a panel that solves the most. */
struct most {
  const char *solver;
  int solved;
  double median; /* of the ratios; decides between equals */
};

/* has_curve: a flag a rank, set for those drawn. */
static int make_panel(struct report_sheet *s, const struct panel *panel, struct bench_table *csv,
                      double *tau_max, int *has_curve, struct most *most) {
  struct base_arena *arena = s->report->arena;
  double *ratio = base_arena_doubles(arena, panel->n);
  double *rows = base_arena_matrix(arena, 2, panel->n + 2);
  int status = BASE_OK;
  const int solvers = problem_solver_count() + s->report->n_guests;
  for (int solver = 0; solver < solvers && status == BASE_OK; ++solver) {
    int tried;
    const int n = ratios_of(panel, solver, ratio, &tried);
    if (tried == 0) {
      continue;
    }
    const char *name = report_solver_name(s->report, solver);
    const double median = n > 0 ? la_quantile_sorted(n, ratio, 0.5) : INFINITY;
    has_curve[solver] = 1;
    bench_table_row(csv, "tttnnnn", panel->all->set, panel->all->law, name, (double)n,
                    (double)panel->problems, (double)n / panel->problems, median);
    *tau_max = n > 0 ? fmax(*tau_max, ratio[n - 1]) : *tau_max;
    if (n > most->solved || (n > 0 && n == most->solved && median < most->median)) {
      *most = (struct most){name, n, median};
    }
    const int m = curve(panel, n, ratio, rows);
    status = case_plot_table(
        &s->plot, base_arena_printf(arena, "%s-%s-%s", panel->all->set, panel->all->law, name),
        "timing_ratio[-] share_by_timing[-]", m, 2, rows);
  }
  return status;
}

static void write_missed(const struct panel *panel, struct bench_table *missed) {
  for (int i = 0; i < panel->n; ++i) {
    const struct report_solved *s = &panel->all[i];
    if (!s->is_solved) {
      bench_table_row(missed, "tttttt", s->set, s->law, s->problem, s->solver, s->status,
                      s->reason);
    }
  }
}

int report_profile_make(struct report *report, const struct bench_figure *study) {
  struct base_arena *arena = report->arena;
  struct report_solutions p;
  struct report_sheet s;
  int status = report_solutions_load(report, &p);
  if (status != BASE_OK || p.n == 0) {
    return status;
  }
  struct bench_table *csv =
      bench_table_headed(arena, "set,law,solver,solved,of,share,median_ratio");
  struct bench_table *missed = bench_table_headed(arena, "set,law,problem,solver,status,reason");
  const char **panels = base_arena_push(arena, (size_t)p.n * sizeof *panels);
  const int n_solvers = problem_solver_count() + report->n_guests;
  const char **solvers = base_arena_push(arena, (size_t)n_solvers * sizeof *solvers);
  int *has_curve = base_arena_ints(arena, n_solvers), n_panels = 0, n_drawn = 0;
  const char **envelopes = base_arena_push(arena, (size_t)p.n * sizeof *envelopes);
  const char *sentence = "";
  double tau_max = 10;
  status = report_sheet_begin(&s, report, study, NULL);
  for (int i = 0; i < p.n && status == BASE_OK;) {
    const struct panel panel = panel_of(&p, i);
    panels[n_panels++] = base_arena_printf(arena, "%s-%s", panel.all->set, panel.all->law);
    struct most most = {.solved = 0};
    status = make_panel(&s, &panel, csv, &tau_max, has_curve, &most);
    if (most.solved > 0) {
      sentence = base_arena_printf(
          arena, "%s%s%s, %s: %s (%d of %d)", sentence,
          sentence[0] == '\0' ? "Solves the most, and of equals is the fastest: " : "; ",
          panel.all->set, panel.all->law, most.solver, most.solved, panel.problems);
    }
    const char *name = NULL;
    status = status != BASE_OK ? status : make_envelope(&s, &panel, csv, &name);
    envelopes[n_panels - 1] = name != NULL ? name : "";
    write_missed(&panel, missed);
    i += panel.n;
  }
  if (sentence[0] != '\0') {
    s.caption = report_study_caption(report, study, base_arena_printf(arena, "%s.", sentence));
  }
  for (int i = 0; i < n_solvers; ++i) {
    if (has_curve[i]) {
      solvers[n_drawn++] = report_solver_name(report, i);
    }
  }
  report_script_names(&s.script, "panels", n_panels, panels);
  report_script_texts(&s.script, "envelopes", n_panels, envelopes);
  report_script_names(&s.script, "solvers", n_drawn, solvers);
  report_script_real(&s.script, "tau_max", tau_max);
  status = status != BASE_OK ? status : report_write_table(report, "profile", csv);
  status = status != BASE_OK ? status : report_write_table(report, "profile-missed", missed);
  return status != BASE_OK ? status : report_sheet_finish(&s);
}
