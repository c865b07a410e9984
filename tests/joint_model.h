/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Assemblies of bodies for tests: some shapes, and random ones on joints: chains, trees, stars,
 * loops, ladders, in space and in the plane.
 */
#ifndef TESTS_JOINT_MODEL_H
#define TESTS_JOINT_MODEL_H

#include "base/rng.h"
#include "form/delassus.h"
#include "mech/assembly/assembly.h"

enum shape { CHAIN, TREE, STAR, LOOP, LADDER, SHAPES };

struct system {
  struct base_arena *arena;
  struct mech_assembly *a; /* where it is kept */
  struct mech *m;
  double *q, *u;
};

/* A sphere about a body's centre; the half-space below a height (z, in the plane y) of a body or,
 * -1, the world. */
void add_sphere(struct mech_assembly *a, int body, double radius, int material);
void add_halfspace(struct mech_assembly *a, int body, double height, int material);
/* The system of an assembly; a failure is a failed check. */
void system_finish(struct system *s, struct mech_assembly *a);

/* n bodies, joined as asked, and `contacts` spheres on them, the lowest 1 mm over the floor; joint
 * kinds drawn (kind < 0) or given; pinned: the first body to the world, and without a sphere then,
 * since impulses towards the joint do nothing and are not unique. */
struct system random_system(struct base_rng *rng, enum mech_assembly_kind space, enum shape shape,
                            int n, int kind, int contacts, int pinned);
/* Any of the joints; kind < 0: drawn. */
struct mech_joint random_joint(struct base_rng *rng, int kind, int first, int second,
                               const double *x, const double *y);
/* Joints eliminated in the configuration of a system, and the operator of its contacts: of all
 * there are whatever their gaps, or of `most` among them. */
struct elimination {
  double *L;
  struct mech_contacts contacts;
  struct mech_bilateral *bilateral; /* gone with the test */
  struct form_delassus delassus;
};
struct elimination *eliminate(const struct system *s, enum mech_bilateral_kind kind, int most);
/* n normal numbers. */
double *random_numbers(struct base_rng *rng, int n, struct base_arena *arena);
/* Largest |a - b| over the largest of either. */
double apart(int n, const double *a, const double *b);

#endif
