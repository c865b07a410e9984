/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Assemblies of planar or spatial rigid bodies, from C or from a scene file: one system in maximal
 * coordinates for every formulation, ten bodies and a hundred thousand through the same code.
 *
 *   spatial   q = (x, y, z, a0, a1, a2, a3), u = (v, omega), v in the world's frame, omega in the
 *             body's; Newton-Euler, m vdot = f, Theta omegadot = -omega x Theta omega + tau
 *   scalable  the same bodies as moeller's scalable body (4.3): q as above with |a| = 1 as a
 *             bilateral constraint, u = (v, nu, omega) = Q qdot; for the consistent integrators
 *   planar    q = (x, y, phi), u = (vx, vy, omega)
 *
 * A pendulum over a floor:
 *
 *   struct mech_assembly *a = mech_assembly_alloc(MECH_SPATIAL, "pendulum", arena);
 *   mech_assembly_gravity(a, (double[]){0, 0, -9.81});
 *   int steel = mech_assembly_material(a, &(struct mech_material){.name = "steel", .mu = 0.2});
 *   int bob = mech_assembly_body(a, &(struct mech_body){.name = "bob", .mass = 1,
 *                                .inertia = {1, 2, 3}, .position = {0, 0, 1}});
 *   mech_assembly_joint(a, &(struct mech_joint){.kind = MECH_JOINT_SPHERICAL, .body = {-1, bob},
 *                                               .point = {0, 0, 1.5}});
 *   mech_assembly_shape(a, &(struct mech_shape){.kind = MECH_SHAPE_SPHERE, .body = bob,
 *                                               .radius = 0.1, .material = steel});
 *   mech_assembly_shape(a, &(struct mech_shape){.kind = MECH_SHAPE_HALFSPACE, .body = -1,
 *                                               .material = steel});
 *   status = mech_assembly_finish(a, &system, &q, &u, NULL);
 *
 * Adding functions return an index >= 0, or BASE_E_INPUT with a message that names what is wrong
 * (mass, inertia that no body has, unknown index ...). Everything lives in the arena given.
 *
 * Data given for a body is stored until the assembly is finished. Then q and u are the only state.
 * The assembly stores constants: mass, moments of inertia, traits, and a pose for bodies that are
 * fixed or do not turn. Shapes that differ only in their body share one entry; spheres may differ
 * in their radius too. Memory of a sphere of a packing, in bytes:
 *
 *   state       104   q, u
 *   body         17   mass, moment of inertia, traits (33 for bodies that are not round)
 *   shape        16   body, form, radius
 *   neighbours   16   its place when they were found, where its list begins
 *                20   some 5 pairs, 4 each
 *
 * A list of contacts takes 144 bytes a contact and 72 a body (contacts.h). Before finishing, a body
 * takes 160 bytes, freed piece by piece as q and u replace them. Peak memory of whole runs of 1e5
 * spheres by relaxation, scratch included, is 392 bytes a sphere and 399 a contact (`make perf`).
 * The memory that the one-step problem needs per sphere is counted with the contacts.
 */
#ifndef MECH_ASSEMBLY_H
#define MECH_ASSEMBLY_H

#include "mech/collision/collision.h"
#include "mech/mech.h"

struct cJSON;

enum mech_assembly_kind { MECH_PLANAR, MECH_SPATIAL, MECH_SCALABLE };

struct mech_material {
  const char *name;
  double mu, eps_N, eps_T; /* [-] */
};

struct mech_body {
  const char *name;   /* of its columns in records: name.x, name.vx ... */
  double mass;        /* [kg] */
  double inertia[3];  /* principal, about the body's axes; planar: the third [kg m^2] */
  int fixed;          /* does not move, has no coordinates */
  int no_rotation;    /* moves without turning (a point mass); inertia is ignored */
  double position[3]; /* [m] */
  double
      orientation[4]; /* unit quaternion, body to world; all zero: none. Planar: angle phi [rad] */
  double phi;         /* planar [rad] */
  double velocity[3]; /* world [m/s] */
  double omega[3];    /* body's frame; planar: the third [rad/s] */
  /* 1: the velocity is given, even if it is zero. 0 and a zero velocity: the body starts with the
   * velocity that motions prescribe. A given velocity that differs from the prescribed one makes
   * the run begin with an impact. */
  int velocity_given, omega_given;
};

enum mech_joint_kind {
  MECH_JOINT_SPHERICAL, /* points coincide; planar: a hinge */
  MECH_JOINT_REVOLUTE,  /* and an axis; planar: a hinge */
  MECH_JOINT_FIXED,     /* no relative motion */
  MECH_JOINT_ROD,       /* two points keep their distance */
  MECH_JOINT_ROPE,      /* two points are at most a length apart: a frictionless contact */
  MECH_JOINT_SPRING,    /* spring and damper between two points */
  MECH_JOINT_MOTION,    /* the first body's point moves along an axis as prescribed in time */
  MECH_JOINT_ROTATION,  /* the first body turns about an axis as prescribed; others hold the axis */
  MECH_JOINT_PRISMATIC  /* no relative motion but along an axis of the first body */
};
enum { MECH_JOINT_KINDS = MECH_JOINT_PRISMATIC + 1 };
/* Prescribed over time, against the world. */
static inline int mech_joint_is_driven(enum mech_joint_kind kind) {
  return kind == MECH_JOINT_MOTION || kind == MECH_JOINT_ROTATION;
}
const char *mech_joint_name(enum mech_joint_kind kind); /* as in scene files */

/* A value over time: n samples, cubic spline between (C2, natural ends), constant outside; n = 1: a
 * constant. */
struct mech_table {
  int n;
  const double *t, *value; /* n; t ascending [s] */
};

struct mech_joint {
  enum mech_joint_kind kind;
  const char *name; /* may be NULL */
  int body[2];      /* -1: the world */
  double point[3];  /* in the world at the start [m] */
  double end[3];    /* rod, rope, spring: the point on the second body, world, at the start [m] */
  double axis[3];   /* revolute, prismatic, motion, rotation: in the world at the start [-] */
  double length;    /* rod, rope, spring: [m]; < 0: as it is at the start */
  double stiffness; /* [N/m] */
  double damping;   /* [N s/m] */
  double eps_N;     /* rope: restitution when it becomes taut [-] */
  struct mech_table motion; /* displacement along the axis [m], angle about it [rad] */
};

/* A force (world) and torque (body's frame; planar: the third) on a body, at its centre or at a
 * point of it, from one time on and before another; times a factor over time when there is one. */
struct mech_load {
  int body;
  double force[3];  /* [N] */
  double torque[3]; /* [N m] */
  int at_point;
  double point[3];          /* in the body's frame [m] */
  double from, to;          /* from <= t < to [s]; both zero: always */
  struct mech_table factor; /* [-]; n = 0: 1 */
};

struct mech_assembly;
struct mech_assembly *mech_assembly_alloc(enum mech_assembly_kind kind, const char *name,
                                          struct base_arena *arena);
/* Reserve memory for a number of shapes, in an assembly without shapes. Without a reservation the
 * array doubles as it grows, and outgrown arrays are freed only when the assembly is finished.
 * BASE_E_INPUT if an assembly cannot hold so many, before they are all made. */
int mech_assembly_reserve(struct mech_assembly *a, long shapes);
void mech_assembly_gravity(struct mech_assembly *a, const double g[3]); /* [m/s^2] */
int mech_assembly_material(struct mech_assembly *a, const struct mech_material *material);
/* Contact law of a pair of materials; unlisted pairs: the larger mu, the smaller eps. */
int mech_assembly_pair(struct mech_assembly *a, int first, int second, double mu, double eps_N,
                       double eps_T);
int mech_assembly_body(struct mech_assembly *a, const struct mech_body *body);
/* Its index orders the contacts. */
int mech_assembly_shape(struct mech_assembly *a, const struct mech_shape *shape);
/* Bodies coupled by rows of g_S do not collide with each other by default. Bodies on ropes and
 * springs do, and so does a body joined to the world with the world's shapes. A motion takes a
 * moving body and the world, in this order. */
int mech_assembly_joint(struct mech_assembly *a, const struct mech_joint *joint);
int mech_assembly_load(struct mech_assembly *a, const struct mech_load *load);
/* Columns of records in place of all coordinates, for systems of very many bodies, whose
 * coordinates then have no names. observe as in mech_ops; *p is copied, names are not. */
struct mech_published {
  int nq, nu;
  const char *const *q_names, *const *u_names; /* nq, nu */
  void (*observe)(const struct mech *m, const double *q, const double *u, double *q_out,
                  double *u_out);
};
void mech_assembly_publish(struct mech_assembly *a, const struct mech_published *p);
void mech_assembly_collide_joined(struct mech_assembly *a, int collide);
/* Scales of the problem; chosen from sizes and initial state when not set. */
void mech_assembly_scales(struct mech_assembly *a, double length, double speed);

/* Correction of the given initial state. */
struct mech_assembly_start {
  struct mech_drift moved; /* displacement by the joints */
  double missed;           /* largest |g_S| before [m, rad] */
  int row;                 /* its constraint */
};
/* Close the assembly: returns the system, and a state that satisfies joints on both levels
 * (mech_project). With a motion only the coordinates are corrected, and velocities that are not
 * given are the prescribed ones. A difference of given velocities from these is an impact at the
 * start. start: NULL allowed. BASE_E_INPUT or BASE_FAILED with a message. Afterwards nothing can be
 * added. */
int mech_assembly_finish(struct mech_assembly *a, struct mech **m, double **q, double **u,
                         struct mech_assembly_start *start);

/* --- Looking inside: for the divide-and-conquer formulation, pictures, and bodies that come and
 * go. NULL for systems that are not assemblies. --- */
struct mech_assembly *mech_assembly_of(const struct mech *m);
enum mech_assembly_kind mech_assembly_kind_of(const struct mech_assembly *a);
int mech_assembly_bodies(const struct mech_assembly *a); /* fixed ones included */
/* The body as given. In a finished assembly velocities, and the poses of bodies that move and turn,
 * are missing: they are in q and u. */
struct mech_body mech_assembly_get_body(const struct mech_assembly *a, int body);
double mech_assembly_mass(const struct mech_assembly *a, int body); /* once finished [kg] */
int mech_assembly_block(const struct mech_assembly *a, int body);   /* block of u; -1: fixed */
int mech_assembly_body_of_block(const struct mech_assembly *a, int block);
int mech_assembly_joints(const struct mech_assembly *a);
/* As given, and its points and axes in the frames of its bodies (or the world). */
struct mech_joint_frame {
  double point[2][3];  /* [m] */
  double axis[2][3];   /* revolute; motion, rotation: axis[0] in the world [-] */
  double across[2][3]; /* two directions normal to the axis: revolute, on the second body;
                          prismatic, on the first; rotation: one a body, across each other [-] */
  double triad[2][9];  /* fixed, prismatic: axes that coincide, as columns (R of a pose) [-] */
  int rows, first_row; /* of g_S; rows 0: not bilateral */
};
const struct mech_joint *mech_assembly_get_joint(const struct mech_assembly *a, int joint,
                                                 struct mech_joint_frame *frame);
/* Speed that a motion or rotation prescribes at t [m/s, rad/s]. */
double mech_assembly_prescribed_rate(const struct mech_assembly *a, int joint, double t);
/* The joint's columns of W_S at q, by body: first, second: nv x rows each, only written for bodies
 * that move. Returns the rows; 0, nothing written: one that is not bilateral or not active. */
int mech_assembly_joint_directions(const struct mech_assembly *a, const double *q, int joint,
                                   double *first, double *second);
void mech_assembly_get_gravity(const struct mech_assembly *a, double g[3]); /* [m/s^2] */
int mech_assembly_shapes(const struct mech_assembly *a);
struct mech_shape mech_assembly_get_shape(const struct mech_assembly *a, int shape);
/* Pose of a body (fixed or not) or of a shape at q. */
struct mech_pose mech_assembly_pose(const struct mech_assembly *a, const double *q, int body);
struct mech_pose mech_assembly_shape_pose(const struct mech_assembly *a, const double *q,
                                          int shape);
/* The system at a state as a complete coulombench.scene/1, but without schema, dt and t_end
 * (scene.c); the caller deletes it. NULL with a message: BASE_UNSUPPORTED if it is no scene. */
struct cJSON *mech_assembly_scene(const struct mech *m, const double *q, const double *u,
                                  struct base_arena *arena);
/* Is gravity the only external force, and can every body turn? There are then no shapes of
 * immovable bodies, no joints to them and no loads. */
int mech_assembly_is_free(const struct mech_assembly *a);
/* Momentum of all bodies that move: linear, p [N s], and angular about their common centre of mass,
 * L [N m s]. Their mass [kg]. */
double mech_assembly_momentum(const struct mech_assembly *a, const double *q, const double *u,
                              double p[3], double L[3]);
/* A body that is not active has no forces, contacts, joints or energy and, with its velocity zero,
 * stays where it is. */
int mech_assembly_active(const struct mech_assembly *a, int body);
void mech_assembly_activate(struct mech_assembly *a, int body, int active);

#endif
