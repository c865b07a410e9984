/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * preclik-4: an impact of such a body, of other masses, whose constraint set is a branch of a
 * hyperbola. With f(alpha) = A_NN + mu a . d, d = (cos, sin)(alpha) (preclik 6), the rim is r_T =
 * -mu b_N d / f, for alpha within Delta alpha = acos(-A_NN/(mu |a|)) of the angle alpha_0 of a =
 * A_TN; at the ends f = 0 and the energy has poles. The source does not give its numbers; body,
 * plane and velocity here are chosen so that the energy has two minima, as there: one dissipates,
 * the other has energy above zero.
 *
 * The minima are found by golden section between the points of a scan, on the curve itself; eq. (8)
 * with the constants of appendix A must hold there: c_0 + c_1 cos(alpha + phi_1) + c_2 cos(2 alpha
 * + phi_2) = 0, b being the negative of ours.
 */
#include "cases/academic-contact/academic-contact.h"

#include "base/status.h"
#include "cases/figure/series.h"

#include <math.h>

struct hyperbola {
  const struct academic_problem *p;
  struct academic_plane plane;
  double middle, width; /* alpha_0, Delta alpha [rad] */
};

static void rim(const struct hyperbola *h, double alpha, double x[2]) {
  const double *A = h->p->A, mu = h->p->mu, c = cos(alpha), s = sin(alpha);
  const double r = -mu * h->p->b[0] / (A[0] + mu * (A[1] * c + A[2] * s));
  x[0] = r * c;
  x[1] = r * s;
}

static double energy(const struct hyperbola *h, double alpha) {
  double x[2];
  rim(h, alpha, x);
  return academic_contact_energy(&h->plane, x);
}

/* Least energy between lo and hi, where there is one minimum. */
static double golden(const struct hyperbola *h, double lo, double hi) {
  const double part = 0.5 * (3 - sqrt(5.0));
  for (int k = 0; k < 100; ++k) {
    const double a = lo + part * (hi - lo), b = hi - part * (hi - lo);
    if (energy(h, a) < energy(h, b)) {
      hi = b;
    } else {
      lo = a;
    }
  }
  return 0.5 * (lo + hi);
}

/* Left side of eq. (8), appendix A, over the sum of its parts' sizes. */
static double equation_8(const struct academic_problem *p, double alpha) {
  const double *A = p->A, mu = p->mu, nn = A[0], nt = A[1], no = A[2], tt = A[4], to = A[5];
  const double oo = A[8], bn = -p->b[0], bt = -p->b[1], bo = -p->b[2], m2 = mu * mu;
  const double c0 = 1.5 * mu * nn * (no * bt - nt * bo);
  const double y1 =
      m2 * ((no * to - nt * oo) * bn - no * no * bt + nt * no * bo) - nn * nn * bt + nn * nt * bn;
  const double x1 =
      m2 * ((nt * to - no * tt) * bn + nt * no * bt - nt * nt * bo) - nn * nn * bo + nn * no * bn;
  const double y2 = (tt - oo) * bn - nt * bt + no * bo, x2 = 2 * to * bn - no * bt - nt * bo;
  const double c1 = hypot(x1, y1), c2 = 0.5 * mu * nn * hypot(x2, y2);
  const double sum = c0 + c1 * cos(alpha + atan2(y1, x1)) + c2 * cos(2 * alpha + atan2(y2, x2));
  return fabs(sum) / (fabs(c0) + c1 + c2);
}

int academic_contact_hyperbola_make(const struct case_parameters *p,
                                    const struct case_series *series, int n,
                                    struct case_plot *plot) {
  enum { SCAN = 1201, LEVELS = 9, MOST = 8 };
  static const double levels[LEVELS] = {-25, -20, -15, -10, -5, 0, 5, 10, 20};
  struct academic_problem problem;
  (void)p;
  if (n < 1 || academic_contact_read(&series[0], &problem) != BASE_OK) {
    return BASE_FAILED;
  }
  const double *A = problem.A, ratio = A[0] / (problem.mu * hypot(A[1], A[2]));
  const struct hyperbola h = {.p = &problem,
                              .plane = academic_contact_plane(&problem),
                              .middle = atan2(A[2], A[1]),
                              .width = acos(fmax(-1, -ratio))};
  double rows[SCAN][4], minima[MOST][4];
  int count = 0;
  for (int k = 0; k < SCAN; ++k) {
    const double alpha = h.middle + h.width * (2 * (k + 0.5) / SCAN - 1);
    rows[k][0] = alpha;
    rim(&h, alpha, rows[k] + 1);
    rows[k][3] = energy(&h, alpha);
    if (k > 1 && rows[k - 1][3] < rows[k - 2][3] && rows[k - 1][3] <= rows[k][3] && count < MOST) {
      double *found = minima[count++];
      found[0] = golden(&h, rows[k - 2][0], alpha);
      rim(&h, found[0], found + 1);
      found[3] = energy(&h, found[0]);
    }
  }
  case_plot_table(plot, "rim", "alpha[rad] r_t[Ns] r_o[Ns] E[J]", SCAN, 4, rows[0]);
  case_plot_table(plot, "minima", "alpha[rad] r_t[Ns] r_o[Ns] E[J]", count, 4, minima[0]);
  const double marks[2][2] = {{h.middle - h.width, h.middle + h.width},
                              {h.plane.x0[0], h.plane.x0[1]}};
  case_plot_table(plot, "marks", "poles[rad], then r_t r_o of the free minimum", 2, 2, marks[0]);
  academic_contact_contours(&h.plane, LEVELS, levels, plot);
  case_plot_check(
      plot, "A_NN over mu |A_TN|: a hyperbola", ratio,
      (struct case_claim){0.5, 1, .published = "hyperbola (preclik fig. 4)", .schematic = 1});
  case_plot_check(plot, "minima of the energy along it", count,
                  (struct case_claim){2, 2, .published = "2 (preclik fig. 4)", .schematic = 1});
  if (count == 2) {
    const int best = minima[1][3] < minima[0][3];
    const double least = problem.max_dissipation.energy;
    double crest = -HUGE_VAL; /* between the minima */
    for (int k = 0; k < SCAN; ++k) {
      if (rows[k][0] > minima[0][0] && rows[k][0] < minima[1][0]) {
        crest = fmax(crest, rows[k][3]);
      }
    }
    case_plot_check(plot, "least of them over the solution's energy, less one",
                    fabs(minima[best][3] / least - 1),
                    (struct case_claim){0, 1e-9, .expected = "0"});
    case_plot_check(plot, "energy of the one that dissipates [J]", minima[best][3],
                    (struct case_claim){academic_contact_energy(&h.plane, h.plane.x0), 0,
                                        .expected = "below zero, above the free minimum",
                                        .published = "one dissipates (preclik fig. 4)",
                                        .schematic = 1});
    case_plot_check(
        plot, "energy of the other [J]", minima[1 - best][3],
        (struct case_claim){0, crest, .expected = "above zero, below the crest between them",
                            .published = "the other does not (preclik fig. 4)", .schematic = 1});
    case_plot_check(plot, "eq. (8) with appendix A at both, relative",
                    fmax(equation_8(&problem, minima[0][0]), equation_8(&problem, minima[1][0])),
                    (struct case_claim){0, 1e-6, .expected = "0"});
  }
  return BASE_OK;
}

const struct case_function academic_contact_hyperbola_functions[] = {
    {"hyperbola_make", .make = academic_contact_hyperbola_make}, {0}};
