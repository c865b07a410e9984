/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * moeller-3.11: cross-sections of B_F and of its approximations E_F and Z_F.
 */
#include "cases/tippe-top/tippe-top.h"

#include "base/status.h"
#include "cases/figure/series.h"
#include "contact/contensou.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ACROSS = 200 }; /* points of a quarter */

/* Volume of a body of revolution in units of mu r_N (twice) and R_bar mu r_N, by the trapezoidal
 * rule. */
static double volume(int n, double (*section)[2]) {
  double sum = 0;
  for (int k = 1; k < n; ++k) {
    const double f = 0.5 * (section[k][0] + section[k - 1][0]);
    sum += 2 * M_PI * f * f * (section[k - 1][1] - section[k][1]);
  }
  return sum;
}

static int sets_make(const struct case_parameters *p, const struct case_series *series, int n,
                     struct case_plot *plot) {
  static double B[ACROSS + 1][2], rows[4 * ACROSS + 1][6];
  double longest = 0, shortest = 1, beyond = 0; /* of Z_F beyond B_F, along a ray */
  (void)p, (void)series, (void)n;
  for (int k = 0; k <= ACROSS; ++k) {
    contact_contensou_boundary(tan(0.5 * M_PI * k / ACROSS), &B[k][0], &B[k][1]);
    const double length = hypot(B[k][0], B[k][1]);
    if (k > 0 && k < ACROSS) {
      longest = fmax(longest, length);
    }
    shortest = fmin(shortest, length);
    beyond = fmax(beyond, length * (1 / fmax(B[k][0], B[k][1]) - 1));
  }
  contact_contensou_boundary(INFINITY, &B[ACROSS][0], &B[ACROSS][1]);
  for (int k = 0; k <= 4 * ACROSS; ++k) {
    const int quarter = k / ACROSS % 4, along = k % ACROSS;
    const int j = quarter % 2 == 0 ? along : ACROSS - along;
    const double sign_T = quarter < 2 ? 1 : -1, sign_tau = quarter == 0 || quarter == 3 ? 1 : -1;
    const double angle = 0.5 * M_PI * j / ACROSS, t = 2.0 * j / ACROSS;
    const double row[6] = {sign_T * B[j][0],      sign_tau * B[j][1],  sign_T * sin(angle),
                           sign_tau * cos(angle), sign_T * fmin(1, t), sign_tau * fmin(1, 2 - t)};
    memcpy(rows[k], row, sizeof row);
  }
  case_plot_table(plot, "sets", "B_T[-] B_tau[-] E_T[-] E_tau[-] Z_T[-] Z_tau[-]", 4 * ACROSS + 1,
                  6, rows[0]);
  double b_T, b_tau;
  contact_contensou_boundary(1, &b_T, &b_tau);
  case_plot_check(plot, "force of B_F where its two formulas meet, u = 1, over mu r_N", b_T,
                  (struct case_claim){9 * M_PI / 32 - 1e-15, 9 * M_PI / 32 + 1e-15,
                                      .published = "9 pi/32 (moeller 3.118)"});
  case_plot_check(
      plot, "torque there, over R_bar mu r_N", b_tau,
      (struct case_claim){0.375 - 1e-15, 0.375 + 1e-15, .published = "3/8 (moeller 3.119)"});
  case_plot_check(plot, "B_F inside E_F: greatest radius of B_F over that of E_F", longest,
                  (struct case_claim){1 - 1e-4, 1, .expected = "they touch at the ends",
                                      .published = "inside, as drawn (moeller fig. 3.11)",
                                      .schematic = 1});
  case_plot_check(plot, "the same, least", shortest, (struct case_claim){.lo = 0.935, .hi = 0.945});
  case_plot_check(plot, "E_F over Z_F: how far they are beyond B_F along a ray, at most",
                  (1 - shortest) / beyond,
                  (struct case_claim){0.05, 0.3, .expected = "0.06 over nearly 2^1/2 - 0.94",
                                      .published = "a better approximation (moeller 3.7.5)"});
  case_plot_check(plot, "volume of B_F over that of E_F", volume(ACROSS + 1, B) / (4 * M_PI / 3),
                  (struct case_claim){.lo = 0.9, .hi = 0.905});
  return BASE_OK;
}

const struct case_function tippe_top_sets_functions[] = {{"sets_make", .make = sets_make}, {0}};
