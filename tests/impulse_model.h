/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small systems for the tests of impulse stepping, and a driver that takes steps with a formulation
 * and adds up what its reports say.
 */
#ifndef TESTS_IMPULSE_MODEL_H
#define TESTS_IMPULSE_MODEL_H

#include "form/carried.h"
#include "form/form.h"

enum { POINTS_MAX = 256, RODS_MAX = 8 };

/* n points above the plane where the last coordinate is 0, in gravity (any direction: an incline),
 * joined by massless rods (bilateral; -1 is the origin of coordinates). One block a point. */
struct points {
  int n, dim; /* dim 2: (x, y), 3: (x, y, z) */
  double m[POINTS_MAX];
  double gravity[3]; /* [m/s^2] */
  double mu, eps_N, eps_T;
  double push[3]; /* applied to every point [N] */
  double c;       /* damping -c u [N s/m] */
  double k;       /* springs -k q [N/m] */
  int rods, rod[RODS_MAX][2];
  double length[RODS_MAX]; /* [m] */
  int reversed;            /* number the contacts from the last point to the first */
};
struct mech points_mech(struct points *p);

/* Points on a line, dim 1: contact i between points i and i + 1, the last with a wall. */
struct line {
  int n;
  double m[4], eps, wall; /* [kg], [-], [m] */
};
struct mech line_mech(struct line *p);

/* Planar box q = (x, y, phi) with a contact at each corner; `order` maps contact id to corner. */
struct box {
  double m, J, a, b, mu, g; /* a, b: half sides [m] */
  double eps_N;
  int order[4];
};
struct mech box_mech(struct box *p);

/* A run in the making. Options are the defaults until set by text. */
struct run {
  struct base_arena *arena;
  const struct form *form;
  struct form_setup setup;
  void *options;
  void *workspace;
  struct form_state state;
  struct form_report last;
  double friction, impact, damping, applied; /* [J] */
  struct form_carried carried;               /* in the last step */
  int begun, onsets;      /* contacts that began to carry, in the last step and in all */
  int iterations, status; /* worst status */
};
/* q: nq, u: nu are copied. Tolerance 1e-13, default solver. */
struct run run_begin(const char *form, const struct mech *m, double dt, const double *q,
                     const double *u);
void run_set(struct run *run, const char *key, const char *value);
void run_step(struct run *run, double dt);
void run_until(struct run *run, double t); /* the last step shorter when it must be */
void run_end(struct run *run);

#endif
