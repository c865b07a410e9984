/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bodies poured into a box: n of them on a loose lattice, shaken and turned at random from a
 * recorded seed, fall onto a floor between four walls. Spheres, or capsules, cylinders and boxes
 * that a ball of the same radius just holds; their contact blocks are not diagonal, those of
 * spheres are, and only the others tell local solvers apart.
 *
 *   cell       c = 2 R (1 + spread) (1 + gap), one body in each, anywhere it does not leave it; of
 *              a face-centred lattice a ball of diameter c, where cubes would overlap
 *   box        nx c wide and deep, nx = ceil((n / depth)^(1/3)): depth = 1 fills a cube
 *   radii      uniform in R (1 - spread) ... R (1 + spread)
 *   velocities uniform in -v0 ... v0 along every axis, no spin
 *
 * The lattice has a solid fraction of about 0.45 for gap = 0.05, a packing of spheres about 0.6:
 * a fall by a quarter of the height. For n bodies records could not hold every coordinate; they
 * show the centre of mass and its velocity, the highest centre, how far the farthest centre is
 * outside of the box (negative: none is), and the largest speed.
 */

#include "base/rng.h"
#include "base/status.h"
#include "cases/body_kit.h"
#include "cases/case.h"
#include "mech/assembly/assembly.h"

#include <math.h>
#include <string.h>

struct packing {
  int n, nx;
  enum mech_shape_kind kind;
  int mixed; /* every shape in turn */
  int face_centred;
  double R, spread, cell, v0, density;
  double width; /* of the box [m] */
  int material;
};

static const char *const q_names[] = {"centre.x", "centre.y", "centre.z", "top", "outside"};
static const char *const u_names[] = {"centre.vx", "centre.vy", "centre.vz", "fastest"};
enum { PACKING_Q = 5, PACKING_U = 4, WALLS = 5 };

/* The larger one; what is no number is passed over, as by fmax, which is a call. */
static inline double larger(double most, double x) { return x > most ? x : most; }

/* How far a point is behind the foremost wall; the walls are the first shapes. */
static double outside_of(const struct mech_pose walls[WALLS], const double x[3]) {
  double most = -INFINITY;
  for (int w = 0; w < WALLS; ++w) {
    const double *R = walls[w].R, *o = walls[w].x;
    const double behind = R[2] * (o[0] - x[0]) + R[5] * (o[1] - x[1]) + R[8] * (o[2] - x[2]);
    most = larger(most, behind); /* along the wall's z axis */
  }
  return most;
}

static void packing_observe(const struct mech *m, const double *q, const double *u, double *q_out,
                            double *u_out) {
  const struct mech_assembly *a = mech_assembly_of(m);
  struct mech_pose walls[WALLS];
  double mass = 0;
  for (int w = 0; w < WALLS; ++w) {
    walls[w] = mech_assembly_shape_pose(a, q, w);
  }
  memset(q_out, 0, PACKING_Q * sizeof *q_out);
  memset(u_out, 0, PACKING_U * sizeof *u_out);
  q_out[3] = q_out[4] = -INFINITY;
  for (int b = 0; b < m->nb; ++b) {
    const double *x = q + 7L * b, *v = u + (long)m->nv * b;
    const double body = mech_assembly_mass(a, b);
    mass += body;
    for (int i = 0; i < 3; ++i) {
      q_out[i] += body * x[i];
      u_out[i] += body * v[i];
    }
    q_out[3] = larger(q_out[3], x[2]);
    q_out[4] = larger(q_out[4], outside_of(walls, x));
    u_out[3] = larger(u_out[3], sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
  }
  for (int i = 0; i < 3; ++i) {
    q_out[i] /= mass;
    u_out[i] /= mass;
  }
}

/* A shape that the ball of radius R just holds, with the mass and inertia of its body. */
static void body_of(enum mech_shape_kind kind, double R, double density, struct mech_shape *shape,
                    struct mech_body *body) {
  double *I = body->inertia, volume;
  shape->kind = kind;
  switch (kind) {
  case MECH_SHAPE_BOX: {
    const double half[3] = {0.6 * R, 0.5 * R, sqrt(1 - 0.36 - 0.25) * R};
    memcpy(shape->half, half, sizeof half);
    volume = 8 * half[0] * half[1] * half[2];
    for (int i = 0; i < 3; ++i) {
      const double a = half[(i + 1) % 3], b = half[(i + 2) % 3];
      I[i] = (a * a + b * b) / 3;
    }
    break;
  }
  case MECH_SHAPE_CYLINDER: {
    const double r = shape->radius = R * M_SQRT1_2, l = shape->half_length = R * M_SQRT1_2;
    volume = M_PI * r * r * 2 * l;
    I[0] = I[1] = r * r / 4 + l * l / 3;
    I[2] = r * r / 2;
    break;
  }
  case MECH_SHAPE_CAPSULE: {
    const double r = shape->radius = 0.5 * R, l = shape->half_length = 0.5 * R;
    const double tube = M_PI * r * r * 2 * l, ball = 4 * M_PI / 3 * r * r * r;
    volume = tube + ball;
    const double ends = 2 * r * r / 5 + l * l + 3 * l * r / 4; /* two half balls */
    I[0] = I[1] = (tube * (r * r / 4 + l * l / 3) + ball * ends) / volume;
    I[2] = (tube * r * r / 2 + ball * 2 * r * r / 5) / volume;
    break;
  }
  default:
    shape->kind = MECH_SHAPE_SPHERE;
    shape->radius = R;
    volume = 4 * M_PI / 3 * R * R * R;
    I[0] = I[1] = I[2] = 0.4 * R * R;
  }
  body->mass = density * volume;
  for (int i = 0; i < 3; ++i) {
    I[i] *= body->mass;
  }
}

/* Uniform over all rotations (Shoemake): a point on the sphere of unit quaternions. */
static void random_orientation(struct base_rng *rng, double A[4]) {
  const double s = base_rng_uniform(rng, 0, 1), a = base_rng_uniform(rng, 0, 2 * M_PI),
               b = base_rng_uniform(rng, 0, 2 * M_PI);
  A[0] = sqrt(s) * cos(a);
  A[1] = sqrt(1 - s) * sin(b);
  A[2] = sqrt(1 - s) * cos(b);
  A[3] = sqrt(s) * sin(a);
}

/* Floor z = 0 and walls x, y = 0, width; z axes point inwards. */
static int add_box(const struct packing *p, struct mech_assembly *a) {
  const double h = M_SQRT1_2, w = p->width;
  const double at[WALLS][3] = {{0, 0, 0}, {0, 0, 0}, {w, 0, 0}, {0, 0, 0}, {0, w, 0}};
  const double turn[WALLS][4] = {
      {1, 0, 0, 0}, {h, 0, h, 0}, {h, 0, -h, 0}, {h, -h, 0, 0}, {h, h, 0, 0}};
  int status = 0;
  for (int k = 0; k < WALLS && status >= 0; ++k) {
    status = body_wall(a, p->material, at[k], turn[k]);
  }
  return status;
}

/* Where body number i has its place [cells]. Face-centred: layers of nx^2 and (nx - 1)^2 bodies in
 * turn, each in the hollows of the one below, c / sqrt 2 above it. */
static void place_body(const struct packing *p, int i, double at[3]) {
  int side = p->nx, layer = 0;
  if (!p->face_centred) {
    const int row = i / side, above = row / side;
    at[0] = i % side + 0.5;
    at[1] = row % side + 0.5;
    at[2] = above + 0.5;
    return;
  }
  for (; i >= side * side; ++layer) {
    i -= side * side;
    side = layer % 2 == 0 && p->nx > 1 ? p->nx - 1 : p->nx;
  }
  const int row = i / side;
  at[0] = i % side + 0.5 * (1 + p->nx - side);
  at[1] = row + 0.5 * (1 + p->nx - side);
  at[2] = 0.5 + layer * M_SQRT1_2;
}

static int add_body(const struct packing *p, struct mech_assembly *a, int i, struct base_rng *rng) {
  static const enum mech_shape_kind kinds[] = {MECH_SHAPE_SPHERE, MECH_SHAPE_CAPSULE,
                                               MECH_SHAPE_CYLINDER, MECH_SHAPE_BOX};
  const double R = p->R * base_rng_uniform(rng, 1 - p->spread, 1 + p->spread);
  double place[3];
  place_body(p, i, place);
  struct mech_shape shape = {.material = p->material};
  struct mech_body body = {.name = ""};
  body_of(p->mixed ? kinds[i % 4] : p->kind, R, p->density, &shape, &body);
  for (int k = 0; k < 3; ++k) {
    const double slack = (0.5 * p->cell - R) * (p->face_centred ? 1 / sqrt(3) : 1);
    body.position[k] = place[k] * p->cell + base_rng_uniform(rng, -slack, slack);
    body.velocity[k] = p->v0 > 0 ? base_rng_uniform(rng, -p->v0, p->v0) : 0;
  }
  random_orientation(rng, body.orientation);
  shape.body = mech_assembly_body(a, &body);
  return shape.body >= 0 ? mech_assembly_shape(a, &shape) : shape.body;
}

static int fill_box(struct packing *p, double seed, struct mech_assembly *a) {
  struct base_rng *rng = base_rng_alloc((unsigned long)seed);
  int status = add_box(p, a);
  for (int i = 0; i < p->n && status >= 0; ++i) {
    status = add_body(p, a, i, rng);
  }
  base_rng_free(rng);
  return status;
}

static enum mech_shape_kind kind_of(const char *shape) {
  for (int k = 0; k < MECH_SHAPE_KINDS; ++k) {
    if (strcmp(mech_shape_name((enum mech_shape_kind)k), shape) == 0) {
      return (enum mech_shape_kind)k;
    }
  }
  return MECH_SHAPE_SPHERE;
}

static int packing_build(const struct case_parameters *p, struct base_arena *arena,
                         struct case_instance *out) {
  const int scalable = strcmp(case_choice(p, "bodies"), "scalable") == 0;
  struct packing c = {.n = (int)case_real(p, "n"),
                      .mixed = strcmp(case_choice(p, "shape"), "mixed") == 0,
                      .kind = kind_of(case_choice(p, "shape")),
                      .face_centred = strcmp(case_choice(p, "lattice"), "face-centred") == 0,
                      .R = case_real(p, "R"),
                      .spread = case_real(p, "spread"),
                      .v0 = case_real(p, "v0"),
                      .density = case_real(p, "density")};
  c.cell = 2 * c.R * (1 + c.spread) * (1 + case_real(p, "gap"));
  c.nx = (int)ceil(cbrt(c.n / case_real(p, "depth")) * (1 - 1e-12)); /* 10 for 1000 */
  c.width = c.nx * c.cell;
  struct mech_assembly *a =
      mech_assembly_alloc(scalable ? MECH_SCALABLE : MECH_SPATIAL, "packing", arena);
  int status = mech_assembly_reserve(a, c.n + WALLS);
  mech_assembly_gravity(a, (double[]){0, 0, -case_real(p, "g")});
  mech_assembly_publish(a, &(struct mech_published){.nq = PACKING_Q,
                                                    .nu = PACKING_U,
                                                    .q_names = q_names,
                                                    .u_names = u_names,
                                                    .observe = packing_observe});
  c.material = mech_assembly_material(a, &(struct mech_material){.name = "grain",
                                                                 .mu = case_real(p, "mu"),
                                                                 .eps_N = case_real(p, "eps_N")});
  status = status < 0       ? status
           : c.material < 0 ? c.material
                            : fill_box(&c, case_real(p, "seed"), a);
  return body_finish(a, status, out, "packing");
}

const struct case_type case_packing = {
    .name = "packing",
    .summary = "spheres, capsules, cylinders or boxes poured into a box, up to a million",
    .source = "own case, for scale",
    .build = packing_build};
