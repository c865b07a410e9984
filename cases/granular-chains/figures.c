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

/* Thousands of contacts: a rope for every disc, all of them taut. */
enum { MANY = 2000 };
#define CHOICE "choice-"

static const struct case_runs whole_runs[] = {
    {.label = "ccp", .formulation = "ccp", .dt = "1e-3", .sample = "1e-3"},
    {.label = "many",
     .formulation = "ccp",
     .set = "n=2000",
     .opt = "tol=1e-10",
     .dt = "1e-3",
     .t_end = "1e-2"},
    /* Other choices of what the source has lost: how many contacts are there then? */
    {.label = CHOICE "{#set}",
     .formulation = "ccp",
     .set = "{set} {more}",
     .dt = "1e-3",
     .over = {{"set/more",
               "angle=20 angle=30/dx=0.6 angle=45 angle=75 dx=0.2 R=0.04 R=0.058 L=0.15 "
               "angle=75/L=0.11"}}},
    {0}};

int granular_chains_make(const struct case_parameters *p, const struct case_series *series, int n,
                         granular_chains_maker *make, struct case_plot *plot) {
  const int nq = COLUMNS * 2 * (int)case_real(p, "n");
  struct granular_chains_run run = {
      .p = p, .ccp = case_series_ok(series, n, "ccp", nq), .arena = base_arena_alloc()};
  for (int i = 0; i < n; ++i) {
    run.event =
        strcmp(series[i].run->label, "event") == 0 && series[i].nq == nq ? &series[i] : run.event;
    run.many = strcmp(series[i].run->label, "many") == 0 ? &series[i] : run.many;
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

/* Is every step solved: of the chains, and of two with thousands of contacts? */
static void judge_solves(const struct granular_chains_run *run, struct case_plot *plot) {
  static const double TOLERANCE = 1e-10;
  case_plot_check(plot, "largest residual of a step over max|b|",
                  case_number(run->ccp, "law.relative_b_max"),
                  (struct case_claim){0, TOLERANCE, .expected = "the tolerance",
                                      .published = "converges for multiple unilateral contacts "
                                                   "(yu, performance)"});
  case_plot_check(plot, "n = 2000: unilateral contacts that carry, mean of the steps",
                  case_number(run->many, "contacts.mean"),
                  (struct case_claim){2 * MANY, 2 * MANY, .expected = "a rope a disc",
                                      .published = "thousands of contacts (yu, conclusion)"});
  case_plot_check(plot, "n = 2000: largest residual of a step over max|b|",
                  case_number(run->many, "law.relative_b_max"),
                  (struct case_claim){0, TOLERANCE, .expected = "the tolerance",
                                      .published = "can solve them (yu, conclusion)"});
}

static int yu14_of(const struct granular_chains_run *run, struct case_plot *plot) {
  const int status = write_energies(run, plot);
  judge_energies(run, plot);
  count_contacts(run, plot);
  judge_solves(run, plot);
  return status;
}

static int yu14_make(const struct case_parameters *p, const struct case_series *series, int n,
                     struct case_plot *plot) {
  return granular_chains_make(p, series, n, yu14_of, plot);
}

static const struct case_panel yu14_panels[] = {
    {.x = "t [s]",
     .y = "energy [J]",
     .x_range = {0, 8},
     .key = "right top",
     .curves = GRANULAR_CHAINS_ENERGIES("energy")},
    {.x = "t [s]",
     .y = "pairs in contact",
     .x_range = {0, 8},
     .curves = {{NULL, "energy", 1, 5, .look = "leaf", .width = 0.8}}},
    {0}};

static const struct case_panel contact_panels[] = {
    {.x = "dt [s]",
     .y = "|t_c - t_{event}| [s]",
     .log = "xy",
     .x_range = {4e-4, 5e-3},
     .key = "foot",
     .curves = {{"{}", "{}", 1, 3, .look = "{}", .with = CASE_LINESPOINTS,
                 .over = "moreau lcp-st lcp-ap ccp ncp mdp consistent-twostep penalty"},
                {"dt", .power = 1, .look = "limit"}}},
    {0}};

static const struct case_panel relaxation_panels[] = {
    {.x = "t [s], at dt = 1 ms",
     .y = "distance [m]",
     .log = "y",
     .x_range = {0, 0.8},
     .y_range = {1e-5, 1e-2},
     .curves = {{NULL, "time", 1, 2, .look = "ccp"},
                {NULL, "time", 1, 3, .look = "ncp"},
                {NULL, "time", 1, 4, .look = "reference"}}},
    {.x = "dt [s]",
     .y = "distance, rms [m]",
     .log = "xy",
     .x_range = {1e-4, 5e-3},
     .y_range = {1e-5, 1e-2},
     .key = "foot",
     .curves = {{"ccp from event", "steps", 1, 2, .look = "ccp", .with = CASE_LINESPOINTS},
                {"ncp (mdp, lcp-st) from event", "steps", 1, 3, .look = "ncp",
                 .with = CASE_LINESPOINTS},
                {"ccp from ncp", "steps", 1, 4, .look = "reference", .with = CASE_LINESPOINTS},
                {"slope 1", .scale = 0.5, .power = 1, .look = "limit"}}},
    {0}};

const struct case_figure granular_chains_figures[] = {
    {.id = "yu-14",
     .title = "Granular chains: energies and number of contacts",
     .caption = "Impacts take {lost in impacts, over} of the energy in 8 s, friction by symmetry "
                "none; there are {contacts in 8 s} onsets of contacts of discs and "
                "ropes, and the source counts 63 without saying of what. Kinetic, potential and "
                "total energy of the chains "
                "by the CCP at dt = 1e-3 s, and the number of pairs in contact. The impulses of "
                "the record explain the motion, and make the accounts.",
     .runs = whole_runs,
     .panels = yu14_panels,
     .make = yu14_make},
    {.id = "yu-15",
     .title = "Granular chains: frames",
     .caption = "The branches fall inward, meet in the middle and swing as mirror images (up to "
                "0.5 s to {difference of the branches} m), while discs overlap or ropes stretch by "
                "at most {largest overlap} of a radius. Some times by the CCP at dt = 1e-3 s; the "
                "film of all frames stands beside as yu-15/film.gif.",
     .runs = granular_chains_frames_runs,
     .make = granular_chains_frames_make},
    {.id = "yu-16",
     .title = "Granular chains: normal impulse on disc 10",
     .caption = "Disc 10, the end of the left branch, is first struck at {first contact of disc "
                "10} s, its impulse {normal impulse of the first contact on disc 10} times that of "
                "the event-driven solution; in {steps in which disc 10} steps of 8 s it is pressed "
                "at all. Sum of the normal impulses of other discs on it in every step of 1e-3 s, "
                "and the sum of them around the first contact, beside the event-driven solution's, "
                "whose impulse is recovered from the momentum of disc 10.",
     .runs = granular_chains_disc_runs,
     .panels = granular_chains_yu16_panels,
     .make = granular_chains_yu16_make},
    {.id = "yu-17",
     .title = "Granular chains: inertial force of disc 10",
     .caption =
         "Disc 10 feels up to {largest inertial force before it} m g of inertial force before the "
         "first contact at {first contact of discs} s, and {largest from it on} times that from it "
         "on, as an impact is an impulse over one step. Mass times change of velocity over dt = "
         "1e-3 s of disc 10, the end of the left branch; beside it around the first contact the "
         "event-driven solution, over the same intervals.",
     .runs = granular_chains_disc_runs,
     .panels = granular_chains_yu17_panels,
     .make = granular_chains_yu17_make},
    {.id = "chains-skew",
     .title = "Granular chains: a start without mirror symmetry",
     .caption =
         "Without mirror symmetry contacts slide, and friction works {event: work of friction} J "
         "up to 0.55 s by event, where the symmetric start has {work of friction, symmetric start} "
         "J; at 0.125 ms the schemes find {ccp, dt = 0.125 ms: work of friction} (ccp), {ncp, dt = "
         "0.125 ms: work of friction} (ncp) and {moreau, dt = 0.125 ms: work of friction} (moreau) "
         "times that. The right branch starts at 45 degrees, the left one at 60. Energies by the "
         "CCP at dt = 1e-3 s, the work of friction and impacts up to a time, and that of friction "
         "up to 0.55 s against the step, beside the event-driven solution's.",
     .runs = granular_chains_skew_runs,
     .tables = granular_chains_skew_tables,
     .checks = granular_chains_skew_checks,
     .panels = granular_chains_skew_panels,
     .make = granular_chains_skew_make},
    {.id = "chains-contact",
     .title = "Granular chains: time of the first contact",
     .caption =
         "Every time stepper finds the first contact, at {event: first contact} s, within a step "
         "of itself: off by at most {moreau: largest |t_c} steps (moreau) and {ccp: largest |t_c} "
         "(ccp); penalty by {penalty, K = 1e5 N/m} s at its shortest. Time at which two discs "
         "first meet, by every formulation and step, against the event-driven solution.",
     .runs = granular_chains_contact_runs,
     .tables = granular_chains_contact_tables,
     .checks = granular_chains_contact_checks,
     .panels = contact_panels},
    {.id = "relaxation-chains",
     .title = "Chains on the ground: what the relaxation costs",
     .caption = "The relaxation costs as much as the step does: ccp is {distance of ccp from ncp} "
                "times as far from ncp as ncp from the exact motion, and comes to it with order "
                "{order in dt of the distance of ccp} in dt. Root mean square distance of the "
                "centres of two branches of two discs, which land on the ground, slide and strike "
                "each other, from the event-driven motion, by the convex relaxation (ccp) and by "
                "exact friction (ncp), and of the two from each other.",
     .runs = granular_chains_relaxation_runs,
     .tables = granular_chains_relaxation_tables,
     .checks = granular_chains_relaxation_checks,
     .panels = relaxation_panels},
    {.id = NULL}};
