/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of the case channel-flow: its geometry and the bodies that come and go
 * (channel-flow.c), and what is observed on the way (observe.c).
 */
#ifndef CASES_CHANNEL_FLOW_H
#define CASES_CHANNEL_FLOW_H

#include "cases/case.h"
#include "mech/assembly/assembly.h"

#include <math.h>

struct channel {
  /* geometry, already scaled [m] */
  double length, width, height;
  double post[2], post_radius;     /* axis of the half cylinder in the x-y plane */
  double exit[2];                  /* range of x of the radial distribution */
  double volume;                   /* that particles can fill [m^3] */
  double R, spacing, mass, moment; /* of a particle [m], [m], [kg], [kg m^2] */
  double v_in, v_side, g;          /* [m/s], [m/s], [m/s^2] */
  double plane_mass, depth;        /* of the pushing box [kg], half its thickness [m] */
  int ny, nz, nx;                  /* of the lattice */
  unsigned long seed;
  struct mech_assembly *assembly;
  int n_bodies; /* the box that pushes, then every particle there will ever be */
  /* inflow and outflow */
  int *waiting, first, n_waiting; /* ring of n_bodies: particles not in use, longest first */
  long born, left, refused;       /* entered after the start; went out; found no room */
};

enum { CHANNEL_PLANE = 0, CHANNEL_FIRST = 1 }; /* bodies */

/* Volume of one particle [m^3]. */
static inline double channel_particle_volume(const struct channel *c) {
  return 4 * M_PI / 3 * c->R * c->R * c->R;
}
/* The observer of a channel; NULL with a message. Times in [s]. */
const struct case_observer *channel_observer(struct channel *c, const struct mech *m, double frame,
                                             double settle, double block, struct base_arena *arena);

#endif
