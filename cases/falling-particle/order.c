/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * yu-8: the particle's largest error of y against dt, by every formulation that knows impacts and
 * friction (the other consistent-* schemes refuse them). The steps are t_i/(k + PHASE), so that the
 * impact falls on the same fraction of a step for all of them: what is left is the order, not the
 * luck of the phase, which alone changes errors several times.
 */
#include "cases/falling-particle/figures.h"

#include <math.h>

/* What no step removes: the particle rests on the spring, m g/K below the ground. */
static double depth_at_rest(const struct case_results *r, const struct case_series *s, int k) {
  const double sink =
      case_real(r->p, "m") * case_real(r->p, "g") / case_number(s, "formulation.options.K");
  (void)k;
  return s->n > 0 && s->nq == 2 ? -s->q[2 * s->n - 1] / sink : NAN;
}

const struct case_function falling_particle_order_functions[] = {
    {"depth_at_rest", .value = depth_at_rest}, {0}};
