/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sampled solutions in published names, of runs and of references.
 */
#ifndef BENCH_PATH_H
#define BENCH_PATH_H

#include "base/memory/arena.h"
#include "mech/mech.h"

/* Channels of dissipation that are compared with the reference's: friction, impact, damping. */
enum { BENCH_CHANNELS = 3 };

struct bench_path {
  int n, nq, nu;
  int nq_compared;    /* the first of nq that errors are about */
  double *t;          /* n [s] */
  double *q;          /* n x nq, row-major */
  double *u;          /* n x nu, row-major */
  double *energy;     /* n [J]; NULL: not wanted */
  double *work;       /* n x BENCH_CHANNELS, done so far [J]; NULL: not wanted */
  double kinetic_max; /* of the samples, with work [J] */
  double *state;      /* n x nq of the system itself; NULL: not wanted */
  int n_jumps;        /* steps with jumping velocity whose both ends are vertices, */
  double *t_jump;     /* and their ends [s]; graphs of runs only */
  long capacity;      /* samples there is room for */
};

/* A state in published names; q_out: nq_out, u_out: nu_out. */
void bench_observe(const struct mech *m, const double *q, const double *u, double *q_out,
                   double *u_out);

/* An empty path of a system with room for `capacity` samples, without energy and jumps; and one
 * more sample (energy is left out where the path has none). */
void bench_path_alloc(struct bench_path *path, long capacity, const struct mech *m,
                      struct base_arena *arena);
void bench_path_add(struct bench_path *path, double t, const double *q, const double *u,
                    double energy);
/* Room for energy and work of all samples. */
void bench_path_alloc_energies(struct bench_path *path, struct base_arena *arena);

#endif
