/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts that a step with fixed steps is taken in, and how long they may be (limit.c).
 *
 * With substeps > 0 they are equal, and the limit of the step's end is told. With substeps = 0 each
 * is SAFE of the limit of the contacts closed now, but for what a contact that begins asks for
 * (rule.c), to be resolved. The estimate is renewed after every part in which contacts changed or
 * friction became steeper. A part that was too long for the contacts at its end is taken again,
 * shorter. Where that cannot be, what is told is the least of the limits over the part just taken,
 * times the nominal step.
 */
#include <limits.h>
#include <math.h>

#include "form/penalty/penalty.h"

/* Steps between two estimates of the stable step with the same contacts: they cost as much as some
 * ten evaluations. */
enum { LIMIT_EVERY = 100 };
/* The same of parts: the slope of friction grows while a contact comes to rest. */
enum { LIMIT_EVERY_PART = 10 };
/* But by so much it may grow between two: friction that begins to stick in an impact is the
 * stiffest there is. */
static const double STEEPER = 1.5;
/* With more contacts than this some change in nearly every step, and no single one matters: the
 * estimate, which takes a hundred products with W then, is made from time to time only. */
enum { LIMIT_MANY = 100, LIMIT_EVERY_MANY = 200 };
/* Of the limit of contacts closed: by about so much contacts that close in a part lower it. */
static const double SAFE = 0.5;
/* Of the limit about an onset. A stable impact need not be an accurate one: at a tenth of the limit
 * restitution is met to 1.5 % (linear) and 3e-4 (Hertz), at half of it to 10 %. */
static const double RESOLVED = 0.1;

static int is_adapting(const struct penalty_options *o) {
  return penalty_is_fixed(o) && o->substeps == 0;
}

void penalty_parts_init(struct penalty_parts *p, struct penalty_flow *flow, double onset_limit,
                        double dt) {
  *p = (struct penalty_parts){.flow = flow,
                              .dt = dt,
                              .onset_limit = onset_limit,
                              .limit = INFINITY,
                              .spare = INFINITY,
                              .age = -1};
}

void penalty_parts_begin(struct penalty_parts *p) { p->spare = INFINITY; }

double penalty_parts_end(const struct penalty_parts *p, double t0, double t, double dt, int part) {
  const struct penalty_options *o = p->flow->options;
  const double t_end = t0 + dt;
  if (!penalty_is_fixed(o)) {
    return t_end;
  }
  if (!is_adapting(o)) {
    return part < o->substeps ? t0 + dt * part / o->substeps : t_end;
  }
  const double parts = ceil((t_end - t) / fmin(RESOLVED * p->onset_limit, SAFE * p->limit));
  return parts > 1 ? t + (t_end - t) / parts : t_end;
}

/* Estimate of the longest stable part, again when contacts changed and every so many times: the
 * stiffness of a contact changes with its penetration. 0: none is due, or no contact is closed. */
static double estimate(struct penalty_parts *p, const double *y, int n_closed, int every) {
  const int many = n_closed > LIMIT_MANY;
  if (!penalty_is_fixed(p->flow->options) || n_closed == 0) {
    return 0;
  }
  const double friction =
      is_adapting(p->flow->options) && !many ? penalty_limit_friction(p->flow, y) : 0;
  const int is_due = p->age < 0 || p->age + 1 >= (many ? LIMIT_EVERY_MANY : every) ||
                     friction > STEEPER * p->friction;
  const unsigned long modes = is_due || !many ? penalty_flow_modes(p->flow) : p->modes;
  if (!is_due && modes == p->modes) {
    ++p->age;
    return 0;
  }
  p->modes = modes;
  p->age = 0;
  p->friction = friction;
  return penalty_limit_estimate(p->flow, y);
}

int penalty_parts_note(struct penalty_parts *p, const double *y, int n_closed, double h,
                       int may_repeat) {
  if (!is_adapting(p->flow->options)) {
    return 1;
  }
  const double limit = estimate(p, y, n_closed, LIMIT_EVERY_PART);
  p->limit = n_closed == 0 ? INFINITY : limit > 0 ? limit : p->limit;
  if (may_repeat && p->limit < h) {
    return 0;
  }
  if (isfinite(p->limit)) {
    p->spare = fmin(p->spare, p->limit / h);
  }
  return 1;
}

double penalty_parts_stable(struct penalty_parts *p, const double *y, int n_closed) {
  const struct penalty_options *o = p->flow->options;
  const double limit =
      is_adapting(o) ? p->spare * p->dt : estimate(p, y, n_closed, LIMIT_EVERY) * o->substeps;
  return isfinite(limit) ? limit : 0;
}

void penalty_parts_checkpoint(struct penalty_parts *p, struct base_blob *blob) {
  base_blob_pass(blob, &p->modes, sizeof p->modes);
  base_blob_int(blob, &p->age, -1, INT_MAX / 2);
  base_blob_pass(blob, &p->limit, sizeof p->limit);
  base_blob_pass(blob, &p->friction, sizeof p->friction);
}
