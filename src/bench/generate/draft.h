/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A scene (coulombench.scene/1) while a generator puts it together. All arithmetic is that of IEEE
 * with square roots, and none of the functions of libm whose last digits differ between machines: a
 * seed gives the same bytes everywhere. Functions that draw advance the generator's stream.
 */
#ifndef GENERATE_DRAFT_H
#define GENERATE_DRAFT_H

struct base_rng;
struct cJSON;

struct draft {
  struct cJSON *scene; /* the file */
  struct base_rng *rng;
};

/* A range of more than a decade, 0 < 10 lo < hi: small numbers of it are drawn more often. */
int draft_is_wide(double lo, double hi);
/* In [lo, hi], four digits behind the point. */
double draft_number(struct draft *d, double lo, double hi);
/* From lo to hi, both included. */
int draft_whole(struct draft *d, int lo, int hi);
/* Of a given length, evenly over all directions of space, of the plane z = 0. */
void draft_vector(struct draft *d, double length, double v[3]);
void draft_planar_vector(struct draft *d, double length, double v[3]);
/* Unit quaternions, scalar first: evenly over all rotations; over those about z. */
void draft_rotation(struct draft *d, double a[4]);
void draft_yaw(struct draft *d, double a[4]);
/* That turns z into a unit vector z', z' != -z, the shortest way. */
void draft_align(const double direction[3], double a[4]);

/* The one material of all shapes. */
void draft_material(struct draft *d, double mu, double eps_N);
/* Gravity of 9.81 m/s^2 on the plane z = 0, which falls by `tangent` along x. */
void draft_gravity(struct draft *d, double tangent);
/* A fixed body of n half-spaces: normals, 3 n, of any length, and offsets along them [m]. */
void draft_ground(struct draft *d, int n, const double *normals, const double *offsets);

/* A body filled evenly; density [kg/m^3], position [m]. It is the scene's; shapes and the rest
 * follow. */
struct cJSON *draft_body(struct draft *d, const char *name, int number, double density,
                         const double position[3]);
/* How it stands and moves: unit quaternion, velocity, angular velocity in the body's frame; NULL:
 * as without. */
void draft_state(struct cJSON *body, const double orientation[4], const double velocity[3],
                 const double spin[3]);
enum draft_kind { DRAFT_SPHERE, DRAFT_BOX, DRAFT_CAPSULE, DRAFT_CYLINDER, DRAFT_KINDS };
/* size [m]: radius; half sides (3); radius and half length (2). At the body's origin: the shape that
 * it returns may be given an offset. */
struct cJSON *draft_shape(struct cJSON *body, enum draft_kind kind, const double *size);
/* The radius of a ball about its centre that holds it. */
double draft_reach(enum draft_kind kind, const double *size);
/* A kind by lot, its sizes from a third of `size` up to it; returns its reach. */
double draft_any_shape(struct draft *d, double size, enum draft_kind *kind, double half[3]);

/* A joint of two bodies, "world" for none, with the points and axis it takes (NULL: none). It is
 * the scene's; what else it has follows. */
struct cJSON *draft_joint(struct draft *d, const char *type, const char *first, const char *second,
                          const double *point, const double *end, const double *axis);

#endif
