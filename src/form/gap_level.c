/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The gap-level shift of ccp, ncp and mdp; see gap_level.h.
 */
#include "form/gap_level.h"

#include <math.h>

void form_gap_shift(const void *options, const struct form_impulse_contact *contact, double *s) {
  const struct form_gap_options *o = options;
  const double gap = contact->gap, approach = contact->v_begin[0];
  if (o->stabilization) {
    s[0] = gap >= 0 ? gap / contact->dt : fmax(o->erp * gap / contact->dt, -o->v_max);
  }
  const int closes = gap + contact->dt * contact->v_free[0] <= 0;
  if (o->restitution == FORM_RESTITUTION_NEWTON && contact->eps_N > 0 && approach < 0 && closes) {
    const double rebound = contact->eps_N * approach;
    s[0] = gap >= 0 ? rebound : fmin(rebound, s[0]);
  }
}

struct form_impulse_scheme form_gap_scheme(const struct form_gap_options *options,
                                           enum contact_law law) {
  return (struct form_impulse_scheme){.law = law,
                                      .bilateral_position = options->stabilization,
                                      .joints.joints = (enum form_joints)options->joints,
                                      .corrections =
                                          options->stabilization ? options->corrections : 0,
                                      .reach = options->stabilization ? options->delta : 0,
                                      .shift = form_gap_shift};
}
