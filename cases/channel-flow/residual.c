/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * preclik-residual: what unsolved steps do to the key figures of table 2. The source does not say
 * how many sweeps of its relaxation a step takes; here a flow that 20 sweeps a step have developed
 * to 0.12 s goes on for 24 ms (1e-5 s) with 20, 100 and 500 sweeps, and with steps solved to 1e-6
 * of max|b| (or 4000 sweeps with momentum, which a few tens of particles jammed between plane and
 * obstacle can still miss), each under Coulomb's law and under maximum dissipation. The runs are of
 * hours, so their records are kept (README.md says how they were made). Runs differ by chance as
 * well: a key is compared by the half width of the interval of the difference, from blocks of time.
 *
 * Table keys: a row a number of sweeps, ncp and then mdp; as its header says.
 */
#include "cases/channel-flow/channel-flow.h"
#include "cases/figure/series.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>

enum { LAWS = 2, SWEEPS = 4, SOLVED = SWEEPS - 1, KEYS = 4, COLUMNS = 3 + 2 * KEYS };
static const struct {
  const char *key, *what;
} keys[KEYS] = {{"solid_fraction", "solid fraction"},
                {"contacts_per_particle", "contacts a particle"},
                {"speed", "mean speed"},
                {"spin", "mean spin"}};

static double key(const struct case_series *s, int k, const char *what) {
  char path[96];
  snprintf(path, sizeof path, "observables.%s.%s", keys[k].key, what);
  return case_number(s, path);
}

static void write_row(const struct case_series *s, double row[COLUMNS]) {
  row[0] = case_number(s, "iterations.mean");
  row[1] = case_number(s, "law.residual_p50");
  row[2] = 1e6 * case_number(s, "observables.penetration");
  for (int k = 0; k < KEYS; ++k) {
    row[3 + 2 * k] = key(s, k, "mean");
    row[4 + 2 * k] = key(s, k, "half_width");
  }
}

/* Difference of two means, in half widths of its interval. */
static double apart(const struct case_series *a, const struct case_series *b, int k) {
  return fabs(key(a, k, "mean") - key(b, k, "mean")) /
         hypot(key(a, k, "half_width"), key(b, k, "half_width"));
}

/* What the number of sweeps changes, under Coulomb's law. */
static void check_sweeps(const struct case_series *ncp, struct case_plot *plot) {
  const struct case_series *solved = &ncp[SOLVED];
  char what[2 * CASE_TEXT];
  for (int i = 0; i < SOLVED; ++i) {
    snprintf(what, sizeof what, "median residual, %s over solved", ncp[i].run->label);
    case_plot_check(
        plot, what,
        case_number(&ncp[i], "law.residual_p50") / case_number(solved, "law.residual_p50"),
        (struct case_claim){1000, 1e5, .expected = "three orders of magnitude or more"});
    for (int k = 0; k < KEYS; ++k) {
      snprintf(what, sizeof what, "%s, %s and solved apart, in intervals", keys[k].what,
               ncp[i].run->label);
      case_plot_report(plot, what, apart(&ncp[i], solved, k), "beyond 1 it is more than chance");
    }
    snprintf(what, sizeof what, "penetration, %s over solved", ncp[i].run->label);
    case_plot_report(plot, what,
                     case_number(&ncp[i], "observables.penetration") /
                         case_number(solved, "observables.penetration"),
                     "of two particles, the deepest in any frame");
  }
  case_plot_report(plot, "part of the solved run's steps that miss 1e-6 of max|b|",
                   case_number(solved, "iterations.unconverged_steps") /
                       case_number(solved, "steps"),
                   "jammed between plane and obstacle");
}

int channel_flow_residual_make(const struct case_parameters *p, const struct case_series *series,
                               int n, struct case_plot *plot) {
  double rows[LAWS * SWEEPS][COLUMNS];
  char what[3 * CASE_TEXT];
  (void)p;
  if (n != LAWS * SWEEPS) {
    return base_fail(BASE_FAILED, "preclik-residual: %d runs", n);
  }
  for (int i = 0; i < n; ++i) {
    write_row(&series[i], rows[i]);
  }
  int status = case_plot_table(plot, "keys",
                               "sweeps median_residual[m/s] penetration[um] solid_fraction[-] +- "
                               "contacts_per_particle[-] +- speed[m/s] +- spin[1/s] +-",
                               n, COLUMNS, rows[0]);
  for (int i = 0; i < SWEEPS; ++i) {
    const struct case_series *a = &series[i], *b = &series[SWEEPS + i];
    /* Of solved steps each law's own residual ends the sweeps, and chance parts the flows. */
    const int solved = i == SOLVED;
    double most = 0;
    for (int k = 0; k < KEYS; ++k) {
      most = case_worst(most,
                        solved ? apart(a, b, k) : fabs(key(a, k, "mean") / key(b, k, "mean") - 1));
    }
    snprintf(what, sizeof what, "%s and %s: largest %s distance of their means", a->run->label,
             b->run->label, solved ? "(in intervals)" : "relative");
    case_plot_report(plot, what, most, CHANNEL_ONE_LAW);
  }
  check_sweeps(series, plot);
  return status;
}

const struct case_function channel_flow_residual_functions[] = {
    {"residual_make", .make = channel_flow_residual_make}, {0}};
