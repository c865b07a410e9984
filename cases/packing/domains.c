/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * preclik-domains: Gauss-Seidel within subdomains and Jacobi across them, as preclik's relaxation
 * is spread over processes (3.1 and 5; 640 of them in 4.3), on one cold step of 100 spheres that
 * lie as cannonballs. Sweeps to 1e-6 over the number of subdomains, for both shapes of these and
 * three weights omega of a contact's change. Several contacts that push on one body, each unaware
 * of the others, move it too far: with omega = 1 the sweeps then grow without bound.
 */
#include "cases/packing/packing.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>

enum { COUNTS = 9, SHAPES = 2, WEIGHTS = 3, HALF = 2, CALLED = 5 }; /* CALLED: 32 of them */

/* Sweeps; NaN: it did not get there. */
static double sweeps(const struct case_series *s) {
  return s->status == BASE_OK ? case_number(s, "iterations.total") : NAN;
}

int packing_domains_make(const struct case_parameters *p, const struct case_series *series, int n,
                         struct case_plot *plot) {
  double count[SHAPES][WEIGHTS][COUNTS], rows[COUNTS][1 + SHAPES * WEIGHTS];
  double last[WEIGHTS] = {0}; /* subdomains up to which all numbers converge, both shapes */
  int missed = 0;
  (void)p;
  if (n != SHAPES * WEIGHTS * COUNTS) {
    return base_fail(BASE_FAILED, "preclik-domains: %d runs", n);
  }
  for (int k = 0; k < n; ++k) {
    const int shape = k / (WEIGHTS * COUNTS), weight = k / COUNTS % WEIGHTS, at = k % COUNTS;
    count[shape][weight][at] = sweeps(&series[k]);
    rows[at][0] = 1 << at;
    rows[at][1 + shape * WEIGHTS + weight] = count[shape][weight][at];
    missed += weight == HALF && isnan(count[shape][weight][at]);
  }
  for (int weight = 0; weight < WEIGHTS; ++weight) {
    for (int at = 0; at < COUNTS; ++at) {
      if (isnan(count[0][weight][at]) || isnan(count[1][weight][at])) {
        break;
      }
      last[weight] = 1 << at;
    }
  }
  case_plot_table(plot, "sweeps",
                  "domains grown-1 grown-0.7 grown-0.5 numbers-1 numbers-0.7 numbers-0.5", COUNTS,
                  1 + SHAPES * WEIGHTS, rows[0]);
  case_plot_check(plot, "omega = 0.5: runs that miss 1e-6", missed,
                  (struct case_claim){0, 0, .expected = "0"});
  case_plot_check(plot, "omega = 1: most subdomains with which all fewer converge", last[0],
                  (struct case_claim){1, 16, .expected = "few"});
  case_plot_check(plot, "omega = 0.5: sweeps with 32 subdomains over those with one, grown",
                  count[0][HALF][CALLED] / count[0][HALF][0],
                  (struct case_claim){1, 2, .expected = "above 1, not many times"});
  case_plot_check(plot, "the same, contacts as numbered",
                  count[1][HALF][CALLED] / count[1][HALF][0],
                  (struct case_claim){1, 2, .expected = "above 1, not many times"});
  case_plot_check(plot, "omega = 0.5, 32: sweeps as numbered over grown, whose borders are shorter",
                  count[1][HALF][CALLED] / count[0][HALF][CALLED],
                  (struct case_claim){1, 2, .expected = "above 1"});
  return BASE_OK;
}

const struct case_function packing_domains_functions[] = {
    {"domains_make", .make = packing_domains_make}, {0}};
