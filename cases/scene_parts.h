/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of scenes. Used inside cases only.
 */
#ifndef CASES_SCENE_PARTS_H
#define CASES_SCENE_PARTS_H

#include "base/json/json.h"
#include "cases/case.h"
#include "mech/assembly/assembly.h"

/* A body of uniform density: volume (planar: area), centre of mass and moments about it, from its
 * shapes in the file's frame of the body; overlaps count twice. */
struct scene_filling {
  double volume;    /* [m^3], planar [m^2] */
  double centre[3]; /* [m] */
  double moment[3]; /* principal, at density 1 [m^5], planar the third [m^4] */
  double axes[9];   /* columns: principal axes (row-major) [-] */
  double turn[4];   /* the same as a unit quaternion [-] */
};
/* Shapes: n. A frame that is already principal and central is unchanged. */
struct scene_filling scene_fill(int planar, int n, const struct mech_shape *shapes);

/* Hamilton product c = a b; c may be a or b. */
void scene_quaternion_product(const double a[4], const double b[4], double c[4]);
void scene_quaternion_matrix(const double a[4], double R[9]); /* row-major, of a unit quaternion */

/* The assembly of a checked file, closed: a case's build(). */
int scene_build(const struct cJSON *root, const char *file, struct base_arena *arena,
                struct case_instance *out);

/* --set: one value of a parsed file replaced or added, memory from the arena. BASE_E_INPUT with a
 * message that names the part of the path that is not there. */
int scene_set(struct cJSON *root, const char *file, const char *key, const char *text,
              struct base_arena *arena);

/* --- a scene being built --- */

struct scene_name {
  const char *name;
  int index;
};

struct scene {
  const cJSON *root;
  const char *file;
  int dim;
  double turn[4], R[9]; /* of the whole scene: quaternion and matrix, row-major; phi its angle in */
  double phi;           /* the plane [rad] */
  struct base_arena *arena;
  struct mech_assembly *a;
  int n_materials, n_bodies;
  struct scene_name *materials, *bodies; /* by name */
  struct scene_frame {                   /* the file's frame of a body against the assembly's */
    double centre[3], axes[9], turn[4];
  } * frames;
  const char *notes;
};

/* Members of a checked file: values, numbers (a default if absent), texts (NULL if absent). */
const struct cJSON *scene_get(const struct cJSON *object, const char *key);
double scene_real(const struct cJSON *object, const char *key, double otherwise);
const char *scene_text(const struct cJSON *object, const char *key);
/* Up to three numbers, a single one (planar spin) into the third; zero and 0 where there are none.
 */
int scene_numbers(const struct cJSON *value, double x[3]);
int scene_vector(const struct cJSON *object, const char *key, double x[3]);
/* The same of a vector in world axes, turned with the scene. */
int scene_world_vector(const struct scene *s, const struct cJSON *object, const char *key,
                       double x[3]);
struct mech_table scene_table(const struct scene *s, const struct cJSON *object);

int scene_compare_named(const void *x, const void *y); /* for qsort and bsearch */
/* Index of a name in a sorted list, or BASE_E_INPUT with "file: message". */
int scene_find(const struct scene *s, const char *kind, const char *name, int n,
               const struct scene_name *list);
/* The last message with the place list[i]rest; BASE_E_INPUT. */
int scene_at_place(const struct scene *s, const char *list, int i, const char *rest);
/* y = B^T (x - c) for points, B^T x for directions. */
void scene_into_frame(const struct scene_frame *f, int is_point, const double x[3], double y[3]);

int scene_add_bodies(struct scene *s);
int scene_add_joint(struct scene *s, const struct cJSON *item, int index);
int scene_add_force(struct scene *s, const struct cJSON *item, int index);
int scene_choose_outputs(struct scene *s, struct case_instance *out);

const struct case_type *case_parameters_type(const struct case_parameters *p);

/* Check a whole file against the table of keys (scene_keys.c): BASE_OK, or BASE_E_INPUT with one
 * line "file: bodies[2].shapes[0].radius: must be > 0, is -1 m". Conditions on several values
 * (names, masses, joints that fit) are checked where the scene is built. */
int scene_check_keys(const struct cJSON *root, const char *file);

#endif
