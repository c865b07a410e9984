/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of assemblies. Used inside mech only.
 *
 * The three kinds differ in coordinates, not in mechanics: every file but body.c works on
 * bodies in space with a velocity v of the centre and an angular velocity w, both in the world's
 * frame, and on forces with a torque in the body's frame. mech_assembly_motion brings q and u
 * there, mech_assembly_put_u and _put_q bring forces back. With s = |A|^2 and R(A) the rotation of
 * A/|A|,
 *
 *   spatial   Adot = A (0, omega) / 2          w = R omega           off the unit sphere too
 *   scalable  Adot = A (nu, omega) / (2 s)     w = R omega / s       sdot = nu
 *   planar    phidot = omega                   w = (0, 0, omega)     z = 0
 *
 * A body that does not turn keeps the rotation it started with, whatever its coordinates say.
 */
#ifndef MECH_ASSEMBLY_PARTS_H
#define MECH_ASSEMBLY_PARTS_H

#include "mech/assembly/assembly.h"
#include "mech/difference.h"
#include "mech/vector3.h"

enum { MECH_WORLD = -1 };

struct mech_spline { /* of a table, ready to be evaluated */
  int n;
  const double *t, *value, *second; /* n; second derivatives */
};

struct mech_assembly_joint {
  struct mech_joint given;
  struct mech_joint_frame frame;
  struct mech_spline motion; /* of the first body from where it was at the start [m or rad] */
};

struct mech_assembly_load {
  struct mech_load given;
  struct mech_spline factor;
};

/* Data shared by shapes; `body`, and the radius of a sphere, are ignored. */
struct mech_assembly_form {
  struct mech_shape given; /* orientation unit */
  double R[9];             /* shape to body */
  double bound, arm;       /* mech_shape_bound without a sphere's radius, |offset| [m] */
  int in_place;            /* neither moved nor turned in its body */
};

struct mech_assembly_shape {
  int body, form;
  double radius; /* of a sphere, else 0 [m] */
};

/* Initial pose of a body whose pose q does not contain completely. */
struct mech_assembly_pose {
  double x[3], orientation[4], phi, R[9]; /* as in mech_body, and the rotation */
};

/* Traits of a body. */
enum { MECH_FIXED = 1, MECH_NO_ROTATION = 2, MECH_INACTIVE = 4, MECH_IMMOVABLE = 8 };

/* Bodies as given, with unit orientation, MECH_GIVEN a piece. A piece is freed once q and u hold
 * its data. */
enum { MECH_GIVEN = 1024 };
struct mech_given {
  struct base_arena *arena; /* of this piece alone */
  struct mech_body *body;   /* MECH_GIVEN */
};

struct mech_assembly {
  enum mech_assembly_kind kind;
  const char *name;
  struct base_arena *arena;   /* of the model */
  struct base_arena *scratch; /* a child of it, for what is marked and released, or kept */
  struct base_arena *draft;   /* another, of what is needed until it is finished */
  int closed;                 /* finished */
  double gravity[3];
  int collide_joined;
  double length, speed;            /* <= 0: to be chosen */
  struct mech_published published; /* observe NULL: every coordinate */

  int n_bodies;
  int n_given;
  struct mech_given *given; /* n_given pieces; until it is finished, then NULL */
  unsigned char *traits;    /* n_bodies */
  double *mass;             /* n_bodies [kg] */
  double *inertia; /* moments x n_bodies, moments 1 or 3: the same about all axes [kg m^2] */
  int moments;
  const char **name_of;            /* n_bodies; NULL: none has one */
  int *block;                      /* n_bodies, -1: fixed; NULL: all bodies move, block = body */
  int n_blocks;                    /* bodies that move */
  int *body_of_block;              /* n_blocks; NULL as block */
  int *pose_of;                    /* n_bodies, of poses; NULL: every body moves and turns */
  struct mech_assembly_pose *pose; /* of those that are fixed or do not turn, at the start */
  int body_nq, body_nu;            /* 7, 6; 7, 7; 3, 3 */

  int n_materials, n_pairs;
  struct mech_material *material;
  struct mech_assembly_pair {
    int first, second;
    double mu, eps_N, eps_T;
  } * pair;
  struct mech_contact_law {
    double mu, eps_N, eps_T; /* [-] */
  } * law;                   /* n_materials^2, after finishing */

  int n_shapes, cap_shapes;
  struct mech_assembly_shape *shape, *reserved; /* shape: reserved, or outgrew it */
  int n_forms;
  struct mech_assembly_form *form;
  int *beside_start, *beside; /* n_shapes + 1, and the neighbours of each (seam.c); NULL: none */
  int n_joints;
  struct mech_assembly_joint *joint;
  int n_ropes, *rope; /* joints that are ropes */
  int n_loads;
  struct mech_assembly_load *load;
  int n_joined;
  long *joined; /* ascending a n_bodies + b, a < b: do not collide */
  double clock; /* [s] */

  struct mech_broad *broad;
  struct mech_assembly_near *near; /* what the broad phase found last */
  struct mech_ops ops;
};

/* A body as it was given, until the assembly is finished. */
static inline struct mech_body *mech_given(const struct mech_assembly *a, int body) {
  return &a->given[body / MECH_GIVEN].body[body % MECH_GIVEN];
}

/* --- body.c --- */

/* A body as a rigid body in space; the world does not move. */
struct mech_motion {
  double x[3], R[9];
  double v[3], w[3]; /* world; zero when u is NULL */
  double s, sdot;    /* scalable: |A|^2 and its rate; else 1, 0 */
};
struct mech_motion mech_assembly_motion(const struct mech_assembly *a, const double *q,
                                        const double *u, int body);
/* mech_assembly_pose without a copy, and the size of the angular velocity, for loops over all. */
void mech_assembly_pose_of(const struct mech_assembly *a, const double *q, int body,
                           struct mech_pose *pose);
double mech_assembly_turning(const struct mech_assembly *a, const double *q, const double *u,
                             int body);
/* Velocity of the point p of a body in the world. */
static inline void mech_motion_point(const struct mech_motion *body, const double p[3],
                                     double v[3]) {
  const double arm[3] = {p[0] - body->x[0], p[1] - body->x[1], p[2] - body->x[2]};
  mech_cross3(body->w, arm, v);
  mech_add3(1, body->v, v);
}
/* A force (world) and torque (body's frame) on a body: its direction in the block of u (body_nu)
 * and of q (body_nq), added times alpha. Torques on bodies that do not turn are dropped. */
void mech_assembly_put_u(const struct mech_assembly *a, const struct mech_motion *at, int body,
                         double alpha, const double force[3], const double torque[3], double *y);
void mech_assembly_put_q(const struct mech_assembly *a, const double *q, int body, double alpha,
                         const double force[3], const double torque[3], double *y);
void mech_assembly_rotation(const double A[4], double R[9]); /* of A/|A| */
static inline int mech_body_active(const struct mech_assembly *a, int body) {
  return (a->traits[body] & MECH_INACTIVE) == 0;
}
static inline int mech_body_turns(const struct mech_assembly *a, int body) {
  return (a->traits[body] & MECH_NO_ROTATION) == 0;
}
static inline int mech_body_block(const struct mech_assembly *a, int body) {
  return a->block == NULL ? body : a->block[body];
}
static inline int mech_block_body(const struct mech_assembly *a, int block) {
  return a->body_of_block == NULL ? block : a->body_of_block[block];
}
/* Moments of inertia; means nothing for bodies that do not turn. */
static inline void mech_body_inertia(const struct mech_assembly *a, int body, double Theta[3]) {
  const double *I = a->inertia + (long)a->moments * body;
  for (int i = 0; i < 3; ++i) {
    Theta[i] = I[a->moments == 3 ? i : 0];
  }
}
static inline int mech_assembly_moves(const struct mech_assembly *a, int body) {
  return body >= 0 && mech_body_block(a, body) >= 0 && mech_body_active(a, body);
}
static inline int mech_body_immovable(const struct mech_assembly *a, int body) {
  return body < 0 || mech_body_block(a, body) < 0 || (a->traits[body] & MECH_IMMOVABLE) != 0;
}
/* discrete.c: Gonzalez' formula (moeller 5.19) for f of two bodies, in blocks of q, -1: the world,
 * that does not change where both move alike: by their relative place, all of it or along the force
 * alone, and their orientations. What the bracket adds then keeps linear momentum, with a plane of
 * the world that along it, and no third body has a part in it. Along the force alone where f does
 * not change with the rest in second order: gaps, lengths, not their rates. row: 2 body_nq, the
 * gradient -> the discrete derivative; chord: nq, its size that of terms of f beside those of its
 * gradient. */
void mech_assembly_gonzalez(const struct mech_assembly *a, const int block[2], int whole_place,
                            const struct mech_chord *chord, double *row);
void mech_assembly_discrete_ops(struct mech_ops *ops);
/* V of one spring joint, DV: nq += its discrete derivative (load.c). */
int mech_assembly_is_spring(const struct mech_assembly *a, const struct mech_joint *j);
void mech_assembly_spring_discrete(const struct mech_assembly *a,
                                   const struct mech_assembly_joint *j, const double *qa,
                                   const double *qb, const double *z, double *DV);
void mech_assembly_body_ops(const struct mech_assembly *a, struct mech_ops *ops);
void mech_assembly_gravity_force(const struct mech_assembly *a, const double *q, const double *u,
                                 double *h); /* h: nu, gravity and gyroscopic forces */

/* --- the rest --- */

/* BASE_E_INPUT when an assembly cannot hold so many. */
int mech_shapes_check(const struct mech_assembly *a, long shapes);
int mech_all_finite(int n, const double *x);
int mech_still_open(const struct mech_assembly *a); /* BASE_OK, or BASE_E_INPUT with a message */
int mech_known_body(const struct mech_assembly *a, const char *what, int body);
/* A to unit length, all zero: none; BASE_E_INPUT when it is far from that. */
int mech_unit_quaternion(const char *what, double A[4]);
int mech_assembly_check_table(const char *what, const struct mech_table *table);
struct mech_spline mech_spline_build(const struct mech_table *table, struct base_arena *arena);
/* Value, rate and second rate at t, from the right; constant outside, 0 without samples. */
void mech_spline_at(const struct mech_spline *s, double t, double out[3]);
/* The first sample's time after t, where a derivative jumps; infinity: none. */
double mech_spline_break(const struct mech_spline *s, double t);

/* The points of a joint and the vector d between them, from the first to the second. */
struct mech_joint_reach {
  struct mech_motion body[2];
  double arm[2][3]; /* from the bodies' centres, world [m] */
  double d[3], e[3], length;
  double rate[3]; /* d(d)/dt */
  double turn[3]; /* d(d)/dt's own rate at constant u: centripetal [m/s^2] */
};
void mech_joint_reach(const struct mech_assembly *a, const struct mech_assembly_joint *j,
                      const double *q, const double *u, struct mech_joint_reach *out);

/* Rows of one joint: gdot = sum_k force_k . v_k + torque_k . w_k, all in the world; how gdot
 * changes where the bodies are moved by dx and turned by dtheta at constant u, sum_k rate_force_k .
 * dx_k + rate_torque_k . dtheta_k; not of scalable bodies. u: nu or NULL, zero. */
enum { MECH_JOINT_ROWS_MAX = 6 };
struct mech_joint_rows {
  int n, with_rates; /* the last two are there: u was given */
  struct mech_motion body[2];
  double g[MECH_JOINT_ROWS_MAX], bias[MECH_JOINT_ROWS_MAX];
  double size[MECH_JOINT_ROWS_MAX]; /* of the terms of g, for their rounding */
  double chi; /* of the one row of what is prescribed: its rate with everything at rest */
  double force[MECH_JOINT_ROWS_MAX][2][3], torque[MECH_JOINT_ROWS_MAX][2][3];
  double rate_force[MECH_JOINT_ROWS_MAX][2][3], rate_torque[MECH_JOINT_ROWS_MAX][2][3];
};
void mech_joint_rows_at(const struct mech_assembly *a, const struct mech_assembly_joint *j,
                        const double *q, const double *u, struct mech_joint_rows *out);
/* Joints that hold: theirs are the rows from first_row on; rows are zero where one does not. */
int mech_joint_holds(const struct mech_assembly *a, const struct mech_assembly_joint *j);
/* First row of the constraints |A|^2 = 1, one a block. */
static inline int mech_first_norm(const struct mech *m) {
  const struct mech_assembly *a = m->data;
  return m->ns - (a->kind == MECH_SCALABLE ? a->n_blocks : 0);
}

void mech_assembly_load_ops(const struct mech_assembly *a, struct mech_ops *ops);
void mech_assembly_joint_ops(const struct mech_assembly *a, int ns, struct mech_ops *ops);
void mech_assembly_contact_ops(const struct mech_assembly *a, struct mech_ops *ops);
void mech_assembly_way_ops(struct mech_ops *ops);
int mech_assembly_joint_rows(const struct mech_assembly *a, enum mech_joint_kind kind);
int mech_assembly_joints_act(const struct mech_assembly *a, const struct mech_joint *j);
/* gamma_S: ns, linear in the number of joints. */
void mech_assembly_bilateral_rate(const struct mech *m, const double *q, const double *u,
                                  double *rate);
int mech_compare_longs(const void *x, const void *y); /* for qsort and bsearch */

/* --- what is prescribed over time: motion.c --- */

double mech_assembly_next_break(const struct mech *m, double t); /* mech_driven_ops.next_break */
int mech_assembly_is_driven(const struct mech_assembly *a);      /* by a motion */
/* n_blocks flags: what was given of each body's velocity. While bodies are as they were given. */
unsigned char *mech_assembly_given(const struct mech_assembly *a, struct base_arena *arena);
/* The rest of u, where a motion prescribes it. */
void mech_assembly_take_motion(const struct mech *m, const double *q, const unsigned char *given,
                               double *u, struct base_arena *arena);
/* Sets the trait of bodies that joints hold at q; M: nu, the diagonal of the mass (immovable.c). */
void mech_assembly_find_immovable(struct mech_assembly *a, const double *q, const double *M,
                                  struct base_arena *arena);

/* --- shapes: shape.c --- */

static inline const struct mech_assembly_form *mech_form_of(const struct mech_assembly *a,
                                                            int shape) {
  return &a->form[a->shape[shape].form];
}
/* Radius of the ball that holds it. */
static inline double mech_shape_size(const struct mech_assembly *a, int shape) {
  return mech_form_of(a, shape)->bound + a->shape[shape].radius;
}
/* Shapes of bodies that are not active touch nothing. */
static inline int mech_shape_active(const struct mech_assembly *a, int shape) {
  const int body = a->shape[shape].body;
  return body < 0 || mech_body_active(a, body);
}
/* Centre at q, and pose where the pose of the body is known. */
void mech_shape_centre_of_pose(const struct mech_assembly *a, const double *q, int shape,
                               double x[3]);
static inline void mech_shape_centre(const struct mech_assembly *a, const double *q, int shape,
                                     double x[3]) {
  const int body = a->shape[shape].body;
  const int is_body = a->kind != MECH_PLANAR && body >= 0 && mech_form_of(a, shape)->in_place;
  const int block = is_body ? mech_body_block(a, body) : -1;
  if (block >= 0) {
    const double *at = q + 7L * block;
    x[0] = at[0], x[1] = at[1], x[2] = at[2];
  } else {
    mech_shape_centre_of_pose(a, q, shape, x);
  }
}
struct mech_pose mech_shape_pose(const struct mech_assembly *a, const struct mech_pose *body,
                                 int shape);
/* Largest distance of shapes except half-spaces from a point: the lever of a plane that turns about
 * it.
 */
double mech_shapes_farthest(const struct mech_assembly *a, const double *q, const double from[3]);
/* Shapes of one holder do not collide. The holder is a body, or the immovable bodies together. The
 * group of a shape is its holder, or none while it is not active. */
int mech_shape_holder(const struct mech_assembly *a, int shape);
int mech_shape_group(const struct mech_assembly *a, int shape);

/* Pairs of shapes near each other: near.c. Places of shapes, in one array for loops over the
 * pairs: */
struct mech_ball {
  double x[3];   /* centre [m]; infinite where the body is not active */
  double radius; /* of a sphere [m]; NaN: of another shape, or not active */
};
void mech_assembly_near_prepare(struct mech_assembly *a);
void mech_assembly_near_forget(struct mech_assembly *a); /* a body joins in */
/* Find shapes of one holder that lie beside each other at the start. */
void mech_assembly_find_beside(struct mech_assembly *a, const double *q);
/* ball: n_shapes, of all of them. */
void mech_assembly_place(const struct mech_assembly *a, const double *q, struct mech_ball *ball);
/* Pairs within reach, and perhaps others; scratch is marked and released. */
struct mech_pairs mech_assembly_near_find(const struct mech_assembly *a, const double *q,
                                          double reach, struct mech_ball *ball,
                                          struct base_arena *scratch);

/* --- pairs of balls: balls.c --- */

enum { MECH_BALLS = 64 }; /* looked at together */
/* Pairs and their contact points, component by component: as of mech_collide, with the frame's
 * t1. */
struct mech_balls {
  int n, first[MECH_BALLS], second[MECH_BALLS];
  double gap[MECH_BALLS], distance[MECH_BALLS];
  double normal[3][MECH_BALLS], tangent[3][MECH_BALLS], point[3][MECH_BALLS];
};
/* Of n shapes those that may be within reach of ball i, and those that are no balls, in their
 * order; returns their number. end: end of all pairs, the limit of prefetching. */
int mech_balls_near(const struct mech_ball *ball, int i, double reach, int n, const int *shape,
                    const int *end, int near[MECH_BALLS]);
/* Gaps and distances of centres of the pairs; those with a gap of more than reach are dropped. */
void mech_balls_gaps(const struct mech_ball *ball, double reach, struct mech_balls *pairs);
/* Compute the other quantities of the remaining pairs. */
void mech_balls_touch(const struct mech_ball *ball, struct mech_balls *pairs);

/* --- contact points as they move: touch.c --- */

/* A pair of shapes at q. body: of pairs in motion; bodies may be the world. */
struct mech_touching {
  const struct mech_assembly *a;
  const double *q;
  int number[2]; /* of the shapes */
  const struct mech_shape *shape[2];
  const struct mech_pose *pose[2]; /* of the shapes */
  const struct mech_motion *body[2];
};
/* Contact points of the pair, as mech_collide. Normals are those of the union of each shape with
 * its neighbours. */
int mech_touches(const struct mech_touching *pair, double reach, struct mech_touch *touch);
/* Remove touches that do not exist with these normals (seam.c); returns the number left of n. */
int mech_seams_trim(const struct mech_touching *pair, int n, struct mech_touch *touch);
/* frame: n, t1, t2 from a unit normal: t1 the projection of the first world axis less than 80
 * degrees off the tangent plane, t2 = n x t1. In the plane t2 points out of it. */
void mech_contact_frame(const double n[3], double frame[9]);
/* Whether a world axis is less than 80 degrees off the tangent plane: |n_axis| < sin 80 degrees. */
static inline int mech_frame_has_axis(const double n[3], int axis) {
  return (n[axis] < 0 ? -n[axis] : n[axis]) < 0.98480775301220806;
}
/* Rate of the frame for a rate of the normal. */
void mech_contact_frame_rate(const double frame[9], const double ndot[3], double rate[9]);
/* d/dt of the relative velocity in the frame at constant u, dim components. */
void mech_touch_bias(const struct mech_touching *pair, const struct mech_touch *touch,
                     const double frame[9], int dim, double *bias);

#endif
