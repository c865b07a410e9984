/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Putting an assembly together: what is given is checked, completed (unit quaternions and axes,
 * lengths as they are at the start, points in the frames of the bodies) and kept. Arrays grow by
 * doubling in the arena. assembly_finish.c makes the system of it.
 *
 * A rigid body's principal moments satisfy the triangle inequality, with equality for flat bodies:
 * Theta_i <= Theta_j + Theta_k.
 */
#include "mech/assembly_parts.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

enum { ASSEMBLY_FIRST = 8, SHAPES_MAX = (1 << 24) - 1 };
/* How far from 1 a given quaternion's length may be: digits lost in writing it down. */
static const double UNIT_TOLERANCE = 1e-6;
/* The same for moments of a flat body. */
static const double FLAT_TOLERANCE = 1e-9;

const char *mech_joint_name(enum mech_joint_kind kind) {
  static const char *const names[MECH_JOINT_KINDS] = {"spherical", "revolute", "fixed", "rod",
                                                      "rope",      "spring",   "motion"};
  return names[kind];
}

struct mech_assembly *mech_assembly_alloc(enum mech_assembly_kind kind, const char *name,
                                          struct base_arena *arena) {
  struct mech_assembly *a = base_arena_push(arena, sizeof *a);
  *a = (struct mech_assembly){.kind = kind,
                              .name = base_arena_copy(arena, name != NULL ? name : "assembly"),
                              .arena = arena,
                              .scratch = base_arena_child(arena),
                              .body_nq = kind == MECH_PLANAR ? 3 : 7,
                              .body_nu = kind == MECH_PLANAR     ? 3
                                         : kind == MECH_SCALABLE ? 7
                                                                 : 6};
  return a;
}

void *mech_assembly_grow(struct base_arena *arena, void *old, int n, int *capacity, size_t size) {
  if (n < *capacity) {
    return old;
  }
  *capacity = *capacity > 0 ? 2 * *capacity : ASSEMBLY_FIRST;
  void *bigger = base_arena_push(arena, (size_t)*capacity * size);
  if (n > 0) {
    memcpy(bigger, old, (size_t)n * size);
  }
  return bigger;
}

static int all_finite(int n, const double *x) {
  int finite = 1;
  for (int i = 0; i < n; ++i) {
    finite &= isfinite(x[i]) != 0;
  }
  return finite;
}

static int still_open(const struct mech_assembly *a) {
  return a->closed ? base_fail(BASE_E_INPUT, "%s: finished already, nothing can be added", a->name)
                   : BASE_OK;
}

static int known_body(const struct mech_assembly *a, const char *what, int body) {
  if (body < MECH_WORLD || body >= a->n_bodies) {
    return base_fail(BASE_E_INPUT, "%s: there is no body %d", what, body);
  }
  return BASE_OK;
}

/* Unit quaternion of a given one; all zero: none. */
static int unit_quaternion(const char *what, double A[4]) {
  const double size = sqrt(A[0] * A[0] + A[1] * A[1] + A[2] * A[2] + A[3] * A[3]);
  if (size == 0) {
    A[0] = 1;
    return BASE_OK;
  }
  if (!(fabs(size - 1) <= UNIT_TOLERANCE)) {
    return base_fail(BASE_E_INPUT, "%s: orientation has length %.9g, not 1", what, size);
  }
  for (int i = 0; i < 4; ++i) {
    A[i] /= size;
  }
  return BASE_OK;
}

void mech_assembly_reserve(struct mech_assembly *a, int bodies, int shapes) {
  if (a->n_bodies == 0 && a->n_shapes == 0 && bodies > 0 && shapes > 0) {
    a->body = base_arena_push(a->arena, (size_t)bodies * sizeof *a->body);
    a->R0 = base_arena_push(a->arena, (size_t)bodies * 9 * sizeof *a->R0);
    a->cap_bodies = bodies;
    a->shape = base_arena_push(a->arena, (size_t)shapes * sizeof *a->shape);
    a->cap_shapes = shapes;
  }
}

void mech_assembly_gravity(struct mech_assembly *a, const double g[3]) {
  memcpy(a->gravity, g, sizeof a->gravity);
}

void mech_assembly_collide_joined(struct mech_assembly *a, int collide) {
  a->collide_joined = collide;
}

void mech_assembly_publish(struct mech_assembly *a, const struct mech_published *p) {
  a->published = *p;
}

void mech_assembly_scales(struct mech_assembly *a, double length, double speed) {
  a->length = length;
  a->speed = speed;
}

/* --- materials --- */

static int check_law(const char *what, double mu, double eps_N, double eps_T) {
  if (!(mu >= 0) || !isfinite(mu)) {
    return base_fail(BASE_E_INPUT, "%s: friction mu is %g; it must not be negative", what, mu);
  }
  if (!(eps_N >= 0 && eps_N <= 1) || !(eps_T >= -1 && eps_T <= 1)) {
    return base_fail(BASE_E_INPUT,
                     "%s: restitution is %g, tangential %g; it must be from 0 to 1, tangential "
                     "from -1 to 1",
                     what, eps_N, eps_T);
  }
  return BASE_OK;
}

int mech_assembly_material(struct mech_assembly *a, const struct mech_material *material) {
  struct mech_material m = *material;
  m.name = m.name != NULL ? m.name : "material";
  int status = still_open(a);
  status = status != BASE_OK ? status : check_law(m.name, m.mu, m.eps_N, m.eps_T);
  if (status != BASE_OK) {
    return status;
  }
  m.name = base_arena_copy(a->arena, m.name);
  a->material =
      mech_assembly_grow(a->arena, a->material, a->n_materials, &a->cap_materials, sizeof m);
  a->material[a->n_materials] = m;
  return a->n_materials++;
}

int mech_assembly_pair(struct mech_assembly *a, int first, int second, double mu, double eps_N,
                       double eps_T) {
  const int n = a->n_materials;
  int status = still_open(a);
  if (status == BASE_OK && (first < 0 || first >= n || second < 0 || second >= n)) {
    status = base_fail(BASE_E_INPUT, "pair of materials %d and %d: there are %d", first, second, n);
  }
  status = status != BASE_OK ? status : check_law("pair of materials", mu, eps_N, eps_T);
  if (status != BASE_OK) {
    return status;
  }
  a->pair = mech_assembly_grow(a->arena, a->pair, a->n_pairs, &a->cap_pairs, sizeof *a->pair);
  a->pair[a->n_pairs] = (struct mech_assembly_pair){first, second, mu, eps_N, eps_T};
  return a->n_pairs++;
}

/* --- bodies --- */

static int check_inertia(const struct mech_assembly *a, const struct mech_body *b) {
  const double *T = b->inertia;
  if (b->no_rotation) {
    return BASE_OK;
  }
  if (a->kind == MECH_PLANAR) {
    return T[2] > 0 && isfinite(T[2])
               ? BASE_OK
               : base_fail(BASE_E_INPUT, "body %s: moment of inertia %g is not positive", b->name,
                           T[2]);
  }
  for (int i = 0; i < 3; ++i) {
    const double others = T[(i + 1) % 3] + T[(i + 2) % 3];
    if (!(T[i] > 0) || !isfinite(T[i]) || T[i] > others * (1 + FLAT_TOLERANCE)) {
      return base_fail(BASE_E_INPUT,
                       "body %s: moment of inertia %d is %g; it must be positive and at most the "
                       "sum of the other two, %g",
                       b->name, i + 1, T[i], others);
    }
  }
  return BASE_OK;
}

static int check_body(const struct mech_assembly *a, struct mech_body *b) {
  if (!all_finite(3, b->position) || !all_finite(4, b->orientation) || !all_finite(1, &b->phi) ||
      !all_finite(3, b->velocity) || !all_finite(3, b->omega)) {
    return base_fail(BASE_E_INPUT, "body %s: its place or velocity is not finite", b->name);
  }
  if (!b->fixed && (!(b->mass > 0) || !isfinite(b->mass))) {
    return base_fail(BASE_E_INPUT, "body %s: mass %g is not positive", b->name, b->mass);
  }
  const int status = b->fixed ? BASE_OK : check_inertia(a, b);
  return status != BASE_OK ? status : unit_quaternion(b->name, b->orientation);
}

int mech_assembly_body(struct mech_assembly *a, const struct mech_body *body) {
  const struct base_arena_mark mark = base_arena_mark(a->scratch);
  struct mech_body b = *body;
  int status = still_open(a);
  if (status != BASE_OK) {
    return status;
  }
  if (b.name == NULL) {
    b.name = base_arena_printf(a->scratch, "body%d", a->n_bodies);
  }
  if (a->kind == MECH_PLANAR) {
    b.position[2] = b.velocity[2] = b.omega[0] = b.omega[1] = 0;
    memcpy(b.orientation, (double[4]){cos(0.5 * b.phi), 0, 0, sin(0.5 * b.phi)},
           sizeof b.orientation);
  }
  status = check_body(a, &b);
  if (status == BASE_OK) {
    int capacity = a->cap_bodies;
    b.name = b.name[0] != '\0' ? base_arena_copy(a->arena, b.name) : "";
    a->body = mech_assembly_grow(a->arena, a->body, a->n_bodies, &capacity, sizeof b);
    a->R0 = mech_assembly_grow(a->arena, a->R0, a->n_bodies, &a->cap_bodies, 9 * sizeof *a->R0);
    a->body[a->n_bodies] = b;
    mech_assembly_rotation(b.orientation, a->R0 + 9L * a->n_bodies);
  }
  base_arena_release(a->scratch, mark);
  return status != BASE_OK ? status : a->n_bodies++;
}

/* --- shapes --- */

static int check_sizes(const char *what, const struct mech_shape *s) {
  const enum mech_shape_kind kind = s->kind;
  const int round = kind == MECH_SHAPE_SPHERE || kind == MECH_SHAPE_CAPSULE ||
                    kind == MECH_SHAPE_CYLINDER,
            box = kind == MECH_SHAPE_BOX;
  if (!all_finite(3, s->offset) || !all_finite(4, s->orientation)) {
    return base_fail(BASE_E_INPUT, "%s: its place is not finite", what);
  }
  if (round && (!(s->radius > 0) || !isfinite(s->radius))) {
    return base_fail(BASE_E_INPUT, "%s: radius %g is not positive", what, s->radius);
  }
  if (round && kind != MECH_SHAPE_SPHERE && (!(s->half_length > 0) || !isfinite(s->half_length))) {
    return base_fail(BASE_E_INPUT, "%s: half length %g is not positive", what, s->half_length);
  }
  for (int i = 0; i < 3 && box; ++i) {
    if (!(s->half[i] > 0) || !isfinite(s->half[i])) {
      return base_fail(BASE_E_INPUT, "%s: half side %d is %g, not positive", what, i + 1,
                       s->half[i]);
    }
  }
  return BASE_OK;
}

static int check_shape(const struct mech_assembly *a, struct mech_shape *s) {
  if ((int)s->kind < 0 || (int)s->kind >= MECH_SHAPE_KINDS) {
    return base_fail(BASE_E_INPUT, "shape %d: no such kind, %d", a->n_shapes, (int)s->kind);
  }
  const char *what = mech_shape_name(s->kind);
  int status = known_body(a, what, s->body);
  if (status != BASE_OK) {
    return status;
  }
  if (s->material < 0 || s->material >= a->n_materials) {
    return base_fail(BASE_E_INPUT, "%s: there is no material %d", what, s->material);
  }
  if (s->kind == MECH_SHAPE_HALFSPACE && s->body >= 0 && !a->body[s->body].fixed) {
    return base_fail(BASE_E_INPUT,
                     "half-space on body %s: only the world and fixed bodies have one",
                     a->body[s->body].name);
  }
  status = check_sizes(what, s);
  return status != BASE_OK ? status : unit_quaternion(what, s->orientation);
}

int mech_assembly_shape(struct mech_assembly *a, const struct mech_shape *shape) {
  struct mech_assembly_shape s = {.given = *shape};
  int status = still_open(a);
  status = status != BASE_OK ? status : check_shape(a, &s.given);
  if (status == BASE_OK && a->n_shapes == SHAPES_MAX) {
    status = base_fail(BASE_E_INPUT, "%s: more than %d shapes", a->name, SHAPES_MAX);
  }
  if (status != BASE_OK) {
    return status;
  }
  mech_assembly_rotation(s.given.orientation, s.R);
  a->shape = mech_assembly_grow(a->arena, a->shape, a->n_shapes, &a->cap_shapes, sizeof s);
  a->shape[a->n_shapes] = s;
  return a->n_shapes++;
}

/* --- loads --- */

int mech_assembly_check_table(const char *what, const struct mech_table *table) {
  if (table->n < 0 || (table->n > 0 && table->value == NULL) ||
      (table->n > 1 && table->t == NULL)) {
    return base_fail(BASE_E_INPUT, "%s: table without samples", what);
  }
  for (int i = 0; i < table->n; ++i) {
    if (!isfinite(table->value[i])) {
      return base_fail(BASE_E_INPUT, "%s: sample %d of the table is not finite", what, i);
    }
    if (i > 0 && !(table->t[i] > table->t[i - 1])) {
      return base_fail(BASE_E_INPUT, "%s: times of the table do not ascend at sample %d", what, i);
    }
  }
  return BASE_OK;
}

int mech_assembly_load(struct mech_assembly *a, const struct mech_load *load) {
  int status = still_open(a);
  status = status != BASE_OK ? status : known_body(a, "load", load->body);
  status = status != BASE_OK ? status : mech_assembly_check_table("load", &load->factor);
  if (status != BASE_OK) {
    return status;
  }
  if (load->body < 0 || a->body[load->body].fixed) {
    return base_fail(BASE_E_INPUT, "load: body %d does not move", load->body);
  }
  if (!all_finite(3, load->force) || !all_finite(3, load->torque) || !all_finite(3, load->point)) {
    return base_fail(BASE_E_INPUT, "load on %s: not finite", a->body[load->body].name);
  }
  if (!(load->from <= load->to)) {
    return base_fail(BASE_E_INPUT, "load on %s: ends at %g before it begins at %g",
                     a->body[load->body].name, load->to, load->from);
  }
  a->load = mech_assembly_grow(a->arena, a->load, a->n_loads, &a->cap_loads, sizeof *a->load);
  struct mech_assembly_load *kept = &a->load[a->n_loads];
  *kept = (struct mech_assembly_load){*load, mech_spline_build(&load->factor, a->arena)};
  kept->given.factor = (struct mech_table){kept->factor.n, kept->factor.t, kept->factor.value};
  return a->n_loads++;
}

/* --- looking inside --- */

enum mech_assembly_kind mech_assembly_kind_of(const struct mech_assembly *a) { return a->kind; }
int mech_assembly_bodies(const struct mech_assembly *a) { return a->n_bodies; }
const struct mech_body *mech_assembly_get_body(const struct mech_assembly *a, int body) {
  return &a->body[body];
}
int mech_assembly_block(const struct mech_assembly *a, int body) { return a->block[body]; }
int mech_assembly_body_of_block(const struct mech_assembly *a, int block) {
  return a->body_of_block[block];
}
int mech_assembly_joints(const struct mech_assembly *a) { return a->n_joints; }
const struct mech_joint *mech_assembly_get_joint(const struct mech_assembly *a, int joint,
                                                 struct mech_joint_frame *frame) {
  if (frame != NULL) {
    *frame = a->joint[joint].frame;
  }
  return &a->joint[joint].given;
}
int mech_assembly_shapes(const struct mech_assembly *a) { return a->n_shapes; }
const struct mech_shape *mech_assembly_get_shape(const struct mech_assembly *a, int shape) {
  return &a->shape[shape].given;
}
int mech_assembly_active(const struct mech_assembly *a, int body) { return a->active[body]; }
void mech_assembly_activate(struct mech_assembly *a, int body, int active) {
  if (active) { /* pairs of one that stops being so are dropped when contacts are asked for */
    mech_assembly_near_forget(a);
  }
  a->active[body] = active;
}
