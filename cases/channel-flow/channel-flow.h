/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of the case channel-flow: its geometry and the bodies that come and go
 * (channel-flow.c), what is observed on the way (observe.c), figures.
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

/* What the files of its figures call by name. */
extern const struct case_function channel_flow_functions[];
extern const struct case_function channel_flow_profiles_functions[];
extern const struct case_function channel_flow_residual_functions[];

/* preclik-residual (residual.c). */
int channel_flow_residual_make(const struct case_parameters *p, const struct case_series *series,
                               int n, struct case_plot *plot);

/* Label of the run of ncp from other sideways velocities. */
#define CHANNEL_OTHER_SEED "ncp-seed-2"
/* What is said of ncp and mdp compared: it shows nothing of the laws (preclik-shapes does). */
#define CHANNEL_ONE_LAW "an identity: in contacts of spheres both laws are one"
/* preclik-10, -11, -12 (profiles.c). */
int channel_flow_speed_make(const struct case_parameters *p, const struct case_series *series,
                            int n, struct case_plot *plot);
int channel_flow_spin_make(const struct case_parameters *p, const struct case_series *series, int n,
                           struct case_plot *plot);
int channel_flow_rdf_make(const struct case_parameters *p, const struct case_series *series, int n,
                          struct case_plot *plot);

#endif
