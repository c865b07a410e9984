/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Smooth phases of what is prescribed in time: the motion of constraints and the forces that begin,
 * end or follow a table. Between two breaks (mech_driven_ops.next_break) all of it is smooth; at a
 * break it is continuous from the right. The limit from the left is its value at the last double
 * before, so that a phase is left by looking at a time in it, and no function of time needs to know
 * sides.
 */
#include <float.h>
#include <math.h>

#include "mech/mech.h"

/* Times nearer than this, relative, are one: 0.7 and seven steps of 0.1 differ by rounding. */
static const double SAME_TIME = 16 * DBL_EPSILON;

static double break_after(const struct mech *m, double t) {
  return m->ops->driven.next_break != NULL ? m->ops->driven.next_break(m, t) : INFINITY;
}

/* The phase from a break on, or from one of several that are one but for rounding. */
static struct mech_phase phase_from(const struct mech *m, double t) {
  struct mech_phase phase = {.begin = t, .end = break_after(m, t)};
  while (mech_phase_ends(&phase, phase.begin)) {
    phase.begin = phase.end;
    phase.end = break_after(m, phase.begin);
  }
  return phase;
}

struct mech_phase mech_phase_at(const struct mech *m, double t) {
  return phase_from(m, t);
}

struct mech_phase mech_phase_next(const struct mech *m, const struct mech_phase *phase) {
  return phase_from(m, phase->end);
}

int mech_time_reached(double t, double target) { return target - t <= SAME_TIME * fabs(t); }

int mech_phase_ends(const struct mech_phase *phase, double t) {
  return mech_time_reached(t, phase->end);
}

double mech_phase_time(const struct mech_phase *phase, double t) {
  const double inside = t < phase->end ? t : nextafter(phase->end, -INFINITY);
  return phase->begin > inside ? phase->begin : inside;
}
