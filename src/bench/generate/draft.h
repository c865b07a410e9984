/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A scene (coulombench.scene/1) under construction by a generator. Only IEEE arithmetic and square
 * roots are used, because the last digits of other functions differ between machines; so a seed
 * gives the same bytes everywhere. Functions with the argument d that draw advance its random
 * stream.
 */
#ifndef GENERATE_DRAFT_H
#define GENERATE_DRAFT_H

struct base_rng;
struct cJSON;

struct draft {
  struct cJSON *scene; /* the file */
  struct base_rng *rng;
};

/* Is the range wider than a decade, 0 < 10 lo < hi? Then small numbers are drawn more often. */
int draft_is_wide(double lo, double hi);
/* A random number in [lo, hi] with four decimals. */
double draft_number(struct draft *d, double lo, double hi);
/* A random whole number from lo to hi. */
int draft_whole(struct draft *d, int lo, int hi);
/* A random vector of given length, uniform over the directions of space, or of the plane z = 0. */
void draft_vector(struct draft *d, double length, double v[3]);
void draft_planar_vector(struct draft *d, double length, double v[3]);
/* A random unit quaternion, scalar first, uniform over all rotations, or over those about z. */
void draft_rotation(struct draft *d, double a[4]);
void draft_yaw(struct draft *d, double a[4]);
/* The shortest rotation of z into a unit vector z' != -z. */
void draft_align(const double direction[3], double a[4]);

/* The one material of all shapes. */
void draft_material(struct draft *d, double mu, double eps_N);
/* Gravity of 9.81 m/s^2 on the plane z = 0, which falls by `tangent` along x. */
void draft_gravity(struct draft *d, double tangent);
/* A fixed body of n half-spaces: normals, 3 n, of any length, and offsets along them [m]. */
void draft_ground(struct draft *d, int n, const double *normals, const double *offsets);

/* A body of uniform density [kg/m^3] at a position [m], added to the scene. The caller adds
 * shapes. */
struct cJSON *draft_body(struct draft *d, const char *name, int number, double density,
                         const double position[3]);
/* Initial state of a body: unit quaternion, velocity [m/s], angular velocity in the body's frame
 * [rad/s]; NULL: the default. */
void draft_state(struct cJSON *body, const double orientation[4], const double velocity[3],
                 const double spin[3]);
enum draft_kind { DRAFT_SPHERE, DRAFT_BOX, DRAFT_CAPSULE, DRAFT_CYLINDER, DRAFT_KINDS };
/* A shape at the body's origin, added to the body; the caller may add an offset. size [m]: radius;
 * half sides (3); radius and half length (2). */
struct cJSON *draft_shape(struct cJSON *body, enum draft_kind kind, const double *size);
/* Radius of the smallest ball about its centre that contains a shape [m]. */
double draft_reach(enum draft_kind kind, const double *size);
/* A random kind with sizes between size / 3 and size; returns its reach [m]. */
double draft_any_shape(struct draft *d, double size, enum draft_kind *kind, double half[3]);

/* A joint of two bodies ("world": none) with its points and axis (NULL: none), added to the scene.
 * The caller adds other keys. */
struct cJSON *draft_joint(struct draft *d, const char *type, const char *first, const char *second,
                          const double *point, const double *end, const double *axis);

#endif
