/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the chains (yu, figs 14 to 17), and some of ours: the list, and
 *
 *   yu-14  energies and contacts; the accounts of impulse.c against the record's.
 *          After dozens of impacts the motion is chaotic: its sums are compared, not its course.
 */
#include "cases/granular-chains/granular-chains.h"

#include "base/status.h"
#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 3 };
/* What may be left of zero beside the initial energy. */
static const double ROUND_OFF = 1e-11;

#define CHOICE "choice-"

int granular_chains_make(const struct case_parameters *p, const struct case_series *series, int n,
                         granular_chains_maker *make, struct case_plot *plot) {
  const int nq = COLUMNS * 2 * (int)case_real(p, "n");
  struct granular_chains_run run = {
      .p = p, .ccp = case_series_ok(series, n, "ccp", nq), .arena = base_arena_alloc()};
  for (int i = 0; i < n; ++i) {
    run.event =
        strcmp(series[i].run->label, "event") == 0 && series[i].nq == nq ? &series[i] : run.event;
    if (strncmp(series[i].run->label, CHOICE, strlen(CHOICE)) == 0) {
      const double onsets = case_number(&series[i], "contacts.onsets");
      run.least = run.least > 0 ? fmin(run.least, onsets) : onsets;
      run.most = case_worst(run.most, onsets);
    }
  }
  int status = run.ccp != NULL
                   ? granular_chains_follow(p, run.ccp, GRANULAR_CHAINS_DISC, run.arena, &run.steps)
                   : BASE_FAILED;
  status = status == BASE_OK ? make(&run, plot) : status;
  base_arena_free(run.arena);
  return status;
}

/* ---- yu-14 ---- */

static int write_energies(const struct granular_chains_run *run, struct case_plot *plot) {
  enum { EVERY = 4, COLS = 5 };
  const struct case_series *s = run->ccp;
  const struct granular_chains_steps *steps = &run->steps;
  const int rows = (steps->n + EVERY - 1) / EVERY;
  double *table = base_arena_matrix(run->arena, rows, COLS);
  for (int k = 0; k < rows; ++k) {
    const int l = EVERY * k;
    double *row = table + (long)COLS * k;
    row[0] = s->t[l];
    row[1] = granular_chains_kinetic(run->p, s->u + (long)l * s->nu);
    row[2] = granular_chains_potential(run->p, s->q + (long)l * s->nq);
    row[3] = steps->energy[l];
    for (int i = l; i < l + EVERY && i < steps->n; ++i) {
      row[4] = fmax(row[4], steps->pairs[i]);
    }
  }
  return case_plot_table(plot, "energy", "t[s] T[J] V[J] E[J] contacts", rows, COLS, table);
}

static void judge_energies(const struct granular_chains_run *run, struct case_plot *plot) {
  const struct granular_chains_steps *steps = &run->steps;
  const double E0 = steps->energy[0], E = steps->energy[steps->n];
  const double sum = E0 + steps->friction + steps->impact + steps->numerical;
  case_plot_check(plot, "budget: |initial + friction + impact + numerical - final| [J]",
                  fabs(sum - E), (struct case_claim){0, GRANULAR_CHAINS_BUDGET, .expected = "0"});
  case_plot_check(
      plot, "friction (0 by symmetry) and impact, against the record's [J]",
      steps->friction + steps->impact - case_number(run->ccp, "energy.budget.friction") -
          case_number(run->ccp, "energy.budget.impact"),
      (struct case_claim){-GRANULAR_CHAINS_BUDGET, GRANULAR_CHAINS_BUDGET, .expected = "0"});
  case_plot_check(
      plot, "numerical, m g dt/2 (vy_end - vy_begin), against the record's [J]",
      steps->numerical - case_number(run->ccp, "energy.budget.numerical"),
      (struct case_claim){-GRANULAR_CHAINS_BUDGET, GRANULAR_CHAINS_BUDGET, .expected = "0"});
  case_plot_check(plot, "largest rise of the energy in a step beyond stabilisation's, over E_0",
                  steps->rise / E0, (struct case_claim){-1e-5, ROUND_OFF, .expected = "0"});
  case_plot_report(plot, "given by stabilisation in all, over E_0", steps->stabilisation / E0,
                   NULL);
  case_plot_report(plot, "lost in impacts, over E_0", 1 - E / E0, NULL);
  case_plot_check(
      plot, "steps in which pairs begin to carry: in so many of them the energy falls",
      (double)steps->counts.falls / steps->counts.instants,
      (struct case_claim){1, 1, .expected = "1, by more than rounding, stabilisation left out",
                          .published = "decreases with every contact (yu, fig. 14)"});
  case_plot_check(plot, "momentum not explained by impulses, relative", steps->residual,
                  (struct case_claim){0, GRANULAR_CHAINS_MOMENTUM, .expected = "0"});
}

/* The source does not say what its 63 contacts are, and its parameters are lost: one row of which
 * nothing is claimed, with the range of every way to count that we know and of other parameters. */
static void count_contacts(const struct granular_chains_run *run, struct case_plot *plot) {
  const struct granular_chains_steps *steps = &run->steps;
  const struct granular_chains_counts *c = &steps->counts;
  char note[2 * CASE_TEXT];
  snprintf(
      note, sizeof note,
      "63 (yu, fig. 14), without saying of what; of the same run: pairs %ld, distinct %d, 10 ms "
      "apart %d, steps with one %d, ropes %ld; with other sizes, distances and angles: pairs "
      "and ropes %g to %g",
      steps->onsets, c->distinct, c->episodes, c->instants, steps->rope_onsets, run->least,
      run->most);
  case_plot_report(plot, "contacts in 8 s, onsets of pairs of discs and of ropes",
                   (double)(steps->onsets + steps->rope_onsets),
                   base_arena_copy(plot->arena, note));
  case_plot_report(plot, "largest number of pairs at once", c->most, NULL);
  case_plot_report(plot, "pairs that carry, summed over steps", (double)c->carried, NULL);
}

static int yu14_of(const struct granular_chains_run *run, struct case_plot *plot) {
  const int status = write_energies(run, plot);
  judge_energies(run, plot);
  count_contacts(run, plot);
  return status;
}

static int yu14_make(const struct case_parameters *p, const struct case_series *series, int n,
                     struct case_plot *plot) {
  return granular_chains_make(p, series, n, yu14_of, plot);
}

const struct case_function granular_chains_functions[] = {{"yu14_make", .make = yu14_make}, {0}};
