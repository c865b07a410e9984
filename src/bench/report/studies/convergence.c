/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The study `convergence`: the residual of a one-step problem's law against iterations, and against
 * the time of the solver, a plot a problem and law with a curve a solver. It is made of solutions
 * that hold their history (`solve --history`, "history": true in a suite). Curves end where the
 * solver did; iterations less than GAP times the one drawn before are left out.
 */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "bench/report/kit/study.h"
#include "bench/report/studies/solutions.h"

static const double GAP = 1.02;

/* Iterations, residual, time: the checks after the start that are drawn. */
static int write_curve(struct report_sheet *s, const struct report_solved *solved) {
  double *rows = base_arena_matrix(s->report->arena, 3, solved->n_checks), last = 0;
  int n = 0;
  for (int k = 0; k < solved->n_checks; ++k) {
    const double *check = solved->checks + 3L * k;
    const int is_drawn = check[0] > 0 && check[1] > 0 && isfinite(check[1]); /* logarithms */
    if (is_drawn && (check[0] >= GAP * last || k + 1 == solved->n_checks)) {
      memcpy(rows + 3L * n++, check, 3 * sizeof *check);
      last = check[0];
    }
  }
  return n == 0 ? 0
                : case_plot_table(&s->plot, solved->solver,
                                  "iterations[-] residual[-] timing_solver[s]", n, 3, rows);
}

/* Which of solutions all[0 ... n) reached its tolerance in the fewest iterations. */
static const char *conclude(struct report *report, int n, const struct report_solved *all) {
  const struct report_solved *best = NULL;
  double fewest = INFINITY;
  int solved = 0, drawn = 0;
  for (int i = 0; i < n; ++i) {
    const double *last = all[i].checks + 3L * (all[i].n_checks - 1);
    drawn += all[i].n_checks > 0;
    solved += all[i].n_checks > 0 && all[i].is_solved;
    if (all[i].n_checks > 0 && all[i].is_solved && last[0] < fewest) {
      fewest = last[0];
      best = &all[i];
    }
  }
  return best == NULL ? "No solver reached its tolerance."
                      : base_arena_printf(report->arena,
                                          "%d of %d solvers reached %.0e, %s in the fewest "
                                          "iterations (%.0f).",
                                          solved, drawn, best->tol, best->solver, fewest);
}

/* Solutions of one problem under one law, all[0 ... n). */
static int draw(struct report *report, const struct bench_figure *study, int n,
                const struct report_solved *all) {
  struct base_arena *arena = report->arena;
  const char *id = base_arena_printf(arena, "%s-%s-%s", all->set, all->problem, all->law);
  const struct report_row row = {
      .id = id, .title = base_arena_printf(arena, "%s, %s", all->problem, all->law)};
  struct report_sheet s;
  int status = report_sheet_begin(&s, report, study, &row);
  s.caption = report_study_caption(report, study, conclude(report, n, all));
  for (int i = 0; i < n && status == BASE_OK; ++i) {
    status = write_curve(&s, &all[i]);
  }
  return status != BASE_OK ? status : report_sheet_finish(&s);
}

int report_convergence_make(struct report *report, const struct bench_figure *study) {
  struct report_solutions p;
  int status = report_solutions_load(report, &p);
  for (int i = 0, n; i < p.n && status == BASE_OK; i += n) {
    int checks = 0;
    for (n = 0; i + n < p.n && report_solutions_same(&p.all[i], &p.all[i + n]) &&
                strcmp(p.all[i].problem, p.all[i + n].problem) == 0;
         ++n) {
      checks += p.all[i + n].n_checks;
    }
    status = checks > 0 ? draw(report, study, n, &p.all[i]) : BASE_OK;
  }
  return status;
}
