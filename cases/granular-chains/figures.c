/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the chains (yu, figs 14 to 17), and one of ours.
 *
 *   yu-14  energies and contacts; the accounts of impulse.c against the record's.
 *          After dozens of impacts the motion is chaotic: its sums are compared, not its course.
 *   yu-16  normal impulse on disc 10, the end of the left branch
 *   yu-17  its inertial force m (v_{l+1} - v_l)/dt
 */
#include "cases/granular-chains/granular-chains.h"

#include "base/status.h"
#include "cases/figure/series.h"

#include <math.h>

enum { COLUMNS = 3, DISC = 10 };
/* What two ways of adding up thousands of steps may differ by, and what may be left of zero
 * beside the initial energy. */
static const double BUDGET = 1e-10, ROUND_OFF = 1e-11; /* [J], [-] */
/* Momentum that the impulses do not explain, and friction outside its cone, relative: rounding, and
 * the tolerance of the solver. */
static const double MOMENTUM = 1e-10, CONE = 1e-8;
/* [s]: the first contact is at 0.5233 s (chains-contact). */
static const double FIRST_LO = 0.521, FIRST_HI = 0.525;

static const struct case_runs whole_runs[] = {
    {.label = "ccp", .formulation = "ccp", .dt = "1e-3", .sample = "1e-3"}, {0}};

/* Tables and checks of the run whose steps these are. */
typedef int make_of_steps(const struct case_parameters *p, const struct case_series *s,
                          const struct granular_chains_steps *steps, struct base_arena *arena,
                          struct case_plot *plot);

static int make_whole(const struct case_parameters *p, const struct case_series *series, int n,
                      make_of_steps *make, struct case_plot *plot) {
  const int discs = 2 * (int)case_real(p, "n");
  const struct case_series *s = case_series_ok(series, n, "ccp", COLUMNS * discs);
  struct base_arena *arena = base_arena_alloc();
  struct granular_chains_steps steps;
  int status = s != NULL ? granular_chains_follow(p, s, DISC, arena, &steps) : BASE_FAILED;
  status = status == BASE_OK ? make(p, s, &steps, arena, plot) : status;
  base_arena_free(arena);
  return status;
}

/* ---- yu-14 ---- */

static int write_energies(const struct case_parameters *p, const struct case_series *s,
                          const struct granular_chains_steps *steps, struct base_arena *arena,
                          struct case_plot *plot) {
  enum { EVERY = 4, COLS = 5 };
  const int rows = (steps->n + EVERY - 1) / EVERY;
  double *table = base_arena_matrix(arena, rows, COLS);
  for (int k = 0; k < rows; ++k) {
    const int l = EVERY * k;
    double *row = table + (long)COLS * k;
    row[0] = s->t[l];
    row[1] = granular_chains_kinetic(p, s->u + (long)l * s->nu);
    row[2] = granular_chains_potential(p, s->q + (long)l * s->nq);
    row[3] = steps->energy[l];
    for (int i = l; i < l + EVERY && i < steps->n; ++i) {
      row[4] = fmax(row[4], steps->pairs[i]);
    }
  }
  return case_plot_table(plot, "energy", "t[s] T[J] V[J] E[J] contacts", rows, COLS, table);
}

static int yu14_of(const struct case_parameters *p, const struct case_series *s,
                   const struct granular_chains_steps *steps, struct base_arena *arena,
                   struct case_plot *plot) {
  const double E0 = steps->energy[0], E = steps->energy[steps->n];
  const double sum = E0 + steps->friction + steps->impact + steps->numerical;
  const int status = write_energies(p, s, steps, arena, plot);
  case_plot_check(plot, "budget: |initial + friction + impact + numerical - final| [J]",
                  fabs(sum - E), (struct case_claim){0, BUDGET, .expected = "0"});
  case_plot_check(plot, "friction (0 by symmetry) and impact, against the record's [J]",
                  steps->friction + steps->impact - case_number(s, "energy.budget.friction") -
                      case_number(s, "energy.budget.impact"),
                  (struct case_claim){-BUDGET, BUDGET, .expected = "0"});
  case_plot_check(plot, "numerical, m g dt/2 (vy_end - vy_begin), against the record's [J]",
                  steps->numerical - case_number(s, "energy.budget.numerical"),
                  (struct case_claim){-BUDGET, BUDGET, .expected = "0"});
  case_plot_check(plot, "largest rise of the energy in a step beyond stabilisation's, over E_0",
                  steps->rise / E0, (struct case_claim){-1e-5, ROUND_OFF, .expected = "0"});
  case_plot_report(plot, "given by stabilisation in all, over E_0", steps->stabilisation / E0,
                   NULL);
  case_plot_check(
      plot, "lost in impacts and friction, over E_0", 1 - E / E0,
      (struct case_claim){0.1, 0.6, .published = "decreases with every contact (yu, fig. 14)"});
  case_plot_check(
      plot, "contact onsets of pairs of discs", (double)steps->onsets,
      (struct case_claim){
          63, 63, .published = "63 contacts in 8 s (yu, fig. 14)",
          .differs = "the source does not say what it counts, and its parameters are lost"});
  case_plot_report(plot, "contact onsets of ropes", (double)steps->rope_onsets, NULL);
  case_plot_check(plot, "momentum not explained by impulses, relative", steps->residual,
                  (struct case_claim){0, MOMENTUM, .expected = "0"});
  return status;
}

static int yu14_make(const struct case_parameters *p, const struct case_series *series, int n,
                     struct case_plot *plot) {
  return make_whole(p, series, n, yu14_of, plot);
}

/* ---- yu-16, yu-17 ---- */

static int yu16_of(const struct case_parameters *p, const struct case_series *s,
                   const struct granular_chains_steps *steps, struct base_arena *arena,
                   struct case_plot *plot) {
  (void)p;
  double *rows = base_arena_matrix(arena, 2, steps->n), largest = 0, begin = NAN, at = NAN;
  int count = 0;
  for (int l = 0; l < steps->n; ++l) {
    if (steps->normal[l] > ROUND_OFF) { /* the rest is a line at zero */
      rows[2 * count] = s->t[l + 1];
      rows[2 * count + 1] = steps->normal[l];
      begin = isnan(begin) ? s->t[l] : begin;
      at = steps->normal[l] > largest ? s->t[l + 1] : at;
      largest = fmax(largest, steps->normal[l]);
      ++count;
    }
  }
  const int status = case_plot_table(plot, "impulse", "t[s] r_N[Ns]", count, 2, rows);
  case_plot_check(plot, "first contact of disc 10 [s]", begin,
                  (struct case_claim){FIRST_LO, FIRST_HI,
                                      .expected = "0.5233, event-driven, to a step or two"});
  case_plot_report(plot, "largest normal impulse on disc 10 [N s]", largest, NULL);
  case_plot_report(plot, "at [s]", at, NULL);
  case_plot_report(plot, "steps in which disc 10 is pressed", count, NULL);
  case_plot_check(plot, "largest |r_T| - mu r_N of any contact over the largest impulse",
                  steps->off_cone, (struct case_claim){0, CONE, .expected = "0"});
  case_plot_check(plot, "momentum not explained by impulses, relative", steps->residual,
                  (struct case_claim){0, MOMENTUM, .expected = "0"});
  return status;
}

static int yu16_make(const struct case_parameters *p, const struct case_series *series, int n,
                     struct case_plot *plot) {
  return make_whole(p, series, n, yu16_of, plot);
}

static int yu17_of(const struct case_parameters *p, const struct case_series *s,
                   const struct granular_chains_steps *steps, struct base_arena *arena,
                   struct case_plot *plot) {
  const double m = case_real(p, "m"), weight = m * case_real(p, "g");
  double *rows = base_arena_matrix(arena, 4, steps->n), before = 0, after = 0;
  for (int l = 0; l < steps->n; ++l) {
    const double *u = s->u + (long)l * s->nu + (long)COLUMNS * (DISC - 1);
    const double dt = s->t[l + 1] - s->t[l];
    double *row = rows + 4L * l;
    row[0] = s->t[l + 1];
    row[1] = m * (u[s->nu] - u[0]) / dt;
    row[2] = m * (u[s->nu + 1] - u[1]) / dt;
    row[3] = hypot(row[1], row[2]);
    if (!(s->t[l] >= steps->first)) { /* the first step is a jolt of its own: ropes get taut */
      before = l > 0 ? fmax(before, row[3]) : 0;
    } else {
      after = fmax(after, row[3]);
    }
  }
  const int status = case_plot_table(plot, "force", "t[s] Fx[N] Fy[N] |F|[N]", steps->n, 4, rows);
  case_plot_check(plot, "first contact of discs [s]", steps->first,
                  (struct case_claim){FIRST_LO, FIRST_HI,
                                      .expected = "0.5233, event-driven, to a step or two"});
  case_plot_report(plot, "largest inertial force before it, over m g", before / weight, NULL);
  case_plot_check(
      plot, "largest from it on, over the largest before", after / before,
      (struct case_claim){
          10, 200, .published = "increases significantly at the first contact (yu, fig. 17)"});
  return status;
}

static int yu17_make(const struct case_parameters *p, const struct case_series *series, int n,
                     struct case_plot *plot) {
  return make_whole(p, series, n, yu17_of, plot);
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
     .curves = {{NULL, "energy", 1, 5, .look = "#009e73", .width = 0.8}}},
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

static const struct case_panel yu16_panels[] = {
    {.x = "t [s]",
     .y = "normal impulse in a step [N s]",
     .log = "y",
     .x_range = {0, 8},
     .curves = {{NULL, "impulse", 1, 2, .look = "#d55e00", .width = 1, .with = CASE_IMPULSES}}},
    {0}};

static const struct case_panel yu17_panels[] = {
    {.y = "inertial force [N]",
     .x_range = {0, 8},
     .curves = {{NULL, "force", 1, 4, .look = "#0072b2", .width = 1}}},
    {.x = "t, around the first contact [s]",
     .y = "inertial force [N]",
     .log = "y",
     .x_range = {0, 0.8},
     .curves = {{NULL, "force", 1, 4, .look = "#0072b2", .width = 1}}},
    {0}};

const struct case_figure granular_chains_figures[] = {
    {.id = "yu-14",
     .title = "Granular chains: energies and number of contacts",
     .caption = "Kinetic, potential and total energy of the chains by the CCP at dt = 1e-3 s, and "
                "the number of pairs of discs in contact. The impulses of the record explain "
                "the motion, and make the accounts.",
     .runs = whole_runs,
     .panels = yu14_panels,
     .make = yu14_make},
    {.id = "yu-15",
     .title = "Granular chains: frames",
     .caption = "The chains at some times by the CCP at dt = 1e-3 s; the film of all frames stands "
                "beside as yu-15/film.gif.",
     .runs = granular_chains_frames_runs,
     .make = granular_chains_frames_make},
    {.id = "yu-16",
     .title = "Granular chains: normal impulse on disc 10",
     .caption = "Sum of the normal impulses of other discs on disc 10, the end of the left branch, "
                "in every step of 1e-3 s.",
     .runs = whole_runs,
     .panels = yu16_panels,
     .make = yu16_make},
    {.id = "yu-17",
     .title = "Granular chains: inertial force of disc 10",
     .caption = "Mass times change of velocity over dt = 1e-3 s of disc 10, the end of the left "
                "branch; impacts appear as forces of an impulse over one step.",
     .runs = whole_runs,
     .panels = yu17_panels,
     .make = yu17_make},
    {.id = "chains-contact",
     .title = "Granular chains: time of the first contact",
     .caption = "Time at which two discs first meet, by every formulation and step, against the "
                "event-driven solution.",
     .runs = granular_chains_contact_runs,
     .tables = granular_chains_contact_tables,
     .checks = granular_chains_contact_checks,
     .panels = contact_panels},
    {.id = "relaxation-chains",
     .title = "Chains on the ground: what the relaxation costs",
     .caption = "Root mean square distance of the centres of two branches of two discs, which land "
                "on the ground, slide and strike each other, from the event-driven motion, by the "
                "convex relaxation (ccp) and by exact friction (ncp), and of the two from each "
                "other.",
     .runs = granular_chains_relaxation_runs,
     .tables = granular_chains_relaxation_tables,
     .checks = granular_chains_relaxation_checks,
     .panels = relaxation_panels},
    {.id = NULL}};
