/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Putting an assembly together: what is given is checked, completed (unit quaternions and axes,
 * lengths as they are at the start, points in the frames of the bodies) and kept. Arrays grow by
 * doubling in the arena. finish.c makes the system of it.
 *
 * A rigid body's principal moments satisfy the triangle inequality, with equality for flat bodies:
 * Theta_i <= Theta_j + Theta_k.
 */
#include "mech/assembly/parts.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

/* How far from 1 a given quaternion's length may be: digits lost in writing it down. */
static const double UNIT_TOLERANCE = 1e-6;
/* The same for moments of a flat body. */
static const double FLAT_TOLERANCE = 1e-9;

const char *mech_joint_name(enum mech_joint_kind kind) {
  static const char *const names[MECH_JOINT_KINDS] = {
      "spherical", "revolute", "fixed", "rod", "rope", "spring", "motion", "rotation", "prismatic"};
  return names[kind];
}

struct mech_assembly *mech_assembly_alloc(enum mech_assembly_kind kind, const char *name,
                                          struct base_arena *arena) {
  struct mech_assembly *a = base_arena_push(arena, sizeof *a);
  *a = (struct mech_assembly){.kind = kind,
                              .name = base_arena_copy(arena, name != NULL ? name : "assembly"),
                              .arena = arena,
                              .scratch = base_arena_child(arena),
                              .draft = base_arena_child(arena),
                              .body_nq = kind == MECH_PLANAR ? 3 : 7,
                              .body_nu = kind == MECH_PLANAR     ? 3
                                         : kind == MECH_SCALABLE ? 7
                                                                 : 6};
  return a;
}

int mech_all_finite(int n, const double *x) {
  int finite = 1;
  for (int i = 0; i < n; ++i) {
    finite &= isfinite(x[i]) != 0;
  }
  return finite;
}

int mech_still_open(const struct mech_assembly *a) {
  return a->closed ? base_fail(BASE_E_INPUT, "%s: finished already, nothing can be added", a->name)
                   : BASE_OK;
}

int mech_known_body(const struct mech_assembly *a, const char *what, int body) {
  if (body < MECH_WORLD || body >= a->n_bodies) {
    return base_fail(BASE_E_INPUT, "%s: there is no body %d", what, body);
  }
  return BASE_OK;
}

/* Unit quaternion of a given one; all zero: none. */
int mech_unit_quaternion(const char *what, double A[4]) {
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

enum { SHAPES_MAX = (1 << 24) - 1 };

int mech_shapes_check(const struct mech_assembly *a, long shapes) {
  return shapes <= SHAPES_MAX
             ? BASE_OK
             : base_fail(BASE_E_INPUT, "%s: more than %d shapes", a->name, SHAPES_MAX);
}

int mech_assembly_reserve(struct mech_assembly *a, long shapes) {
  const int status = mech_shapes_check(a, shapes);
  if (status == BASE_OK && a->n_shapes == 0 && shapes > 0) {
    a->shape = a->reserved = base_arena_push(a->arena, (size_t)shapes * sizeof *a->shape);
    a->cap_shapes = (int)shapes;
  }
  return status;
}

void mech_assembly_gravity(struct mech_assembly *a, const double g[3]) {
  memcpy(a->gravity, g, sizeof a->gravity);
}
void mech_assembly_get_gravity(const struct mech_assembly *a, double g[3]) {
  memcpy(g, a->gravity, sizeof a->gravity);
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
  int status = mech_still_open(a);
  status = status != BASE_OK ? status : check_law(m.name, m.mu, m.eps_N, m.eps_T);
  if (status != BASE_OK) {
    return status;
  }
  m.name = base_arena_copy(a->arena, m.name);
  a->material = base_arena_more(a->arena, a->material, a->n_materials, sizeof m);
  a->material[a->n_materials] = m;
  return a->n_materials++;
}

int mech_assembly_pair(struct mech_assembly *a, int first, int second, double mu, double eps_N,
                       double eps_T) {
  const int n = a->n_materials;
  int status = mech_still_open(a);
  if (status == BASE_OK && (first < 0 || first >= n || second < 0 || second >= n)) {
    status = base_fail(BASE_E_INPUT, "pair of materials %d and %d: there are %d", first, second, n);
  }
  status = status != BASE_OK ? status : check_law("pair of materials", mu, eps_N, eps_T);
  if (status != BASE_OK) {
    return status;
  }
  a->pair = base_arena_more(a->arena, a->pair, a->n_pairs, sizeof *a->pair);
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
  if (!mech_all_finite(3, b->position) || !mech_all_finite(4, b->orientation) ||
      !mech_all_finite(1, &b->phi) || !mech_all_finite(3, b->velocity) ||
      !mech_all_finite(3, b->omega)) {
    return base_fail(BASE_E_INPUT, "body %s: its place or velocity is not finite", b->name);
  }
  if (!b->fixed && (!(b->mass > 0) || !isfinite(b->mass))) {
    return base_fail(BASE_E_INPUT, "body %s: mass %g is not positive", b->name, b->mass);
  }
  const int status = b->fixed ? BASE_OK : check_inertia(a, b);
  return status != BASE_OK ? status : mech_unit_quaternion(b->name, b->orientation);
}

static void keep_given(struct mech_assembly *a, const struct mech_body *b) {
  if (a->n_bodies % MECH_GIVEN == 0) {
    struct mech_given piece = {.arena = base_arena_child(a->draft)};
    piece.body = base_arena_push(piece.arena, MECH_GIVEN * sizeof *piece.body);
    a->given = base_arena_more(a->draft, a->given, a->n_given, sizeof piece);
    a->given[a->n_given++] = piece;
  }
  *mech_given(a, a->n_bodies) = *b;
}

int mech_assembly_body(struct mech_assembly *a, const struct mech_body *body) {
  const struct base_arena_mark mark = base_arena_mark(a->scratch);
  struct mech_body b = *body;
  int status = mech_still_open(a);
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
    b.name = b.name[0] != '\0' ? base_arena_copy(a->arena, b.name) : "";
    keep_given(a, &b);
  }
  base_arena_release(a->scratch, mark);
  return status != BASE_OK ? status : a->n_bodies++;
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
  int status = mech_still_open(a);
  status = status != BASE_OK ? status : mech_known_body(a, "load", load->body);
  status = status != BASE_OK ? status : mech_assembly_check_table("load", &load->factor);
  if (status != BASE_OK) {
    return status;
  }
  if (load->body < 0 || mech_given(a, load->body)->fixed) {
    return base_fail(BASE_E_INPUT, "load: body %d does not move", load->body);
  }
  if (!mech_all_finite(3, load->force) || !mech_all_finite(3, load->torque) ||
      !mech_all_finite(3, load->point)) {
    return base_fail(BASE_E_INPUT, "load on %s: not finite", mech_given(a, load->body)->name);
  }
  if (!(load->from <= load->to)) {
    return base_fail(BASE_E_INPUT, "load on %s: ends at %g before it begins at %g",
                     mech_given(a, load->body)->name, load->to, load->from);
  }
  a->load = base_arena_more(a->arena, a->load, a->n_loads, sizeof *a->load);
  struct mech_assembly_load *kept = &a->load[a->n_loads];
  *kept = (struct mech_assembly_load){*load, mech_spline_build(&load->factor, a->arena)};
  kept->given.factor = (struct mech_table){kept->factor.n, kept->factor.t, kept->factor.value};
  return a->n_loads++;
}

/* --- looking inside --- */

enum mech_assembly_kind mech_assembly_kind_of(const struct mech_assembly *a) { return a->kind; }
int mech_assembly_bodies(const struct mech_assembly *a) { return a->n_bodies; }
struct mech_body mech_assembly_get_body(const struct mech_assembly *a, int body) {
  if (a->given != NULL) {
    return *mech_given(a, body);
  }
  struct mech_body b = {.name = a->name_of != NULL ? a->name_of[body] : "",
                        .mass = a->mass[body],
                        .fixed = (a->traits[body] & MECH_FIXED) != 0,
                        .no_rotation = !mech_body_turns(a, body)};
  mech_body_inertia(a, body, b.inertia);
  if (a->pose_of != NULL && a->pose_of[body] >= 0) {
    const struct mech_assembly_pose *pose = &a->pose[a->pose_of[body]];
    memcpy(b.position, pose->x, sizeof b.position);
    memcpy(b.orientation, pose->orientation, sizeof b.orientation);
    b.phi = pose->phi;
  }
  return b;
}
double mech_assembly_mass(const struct mech_assembly *a, int body) { return a->mass[body]; }
int mech_assembly_block(const struct mech_assembly *a, int body) {
  return mech_body_block(a, body);
}
int mech_assembly_body_of_block(const struct mech_assembly *a, int block) {
  return mech_block_body(a, block);
}
int mech_assembly_joints(const struct mech_assembly *a) { return a->n_joints; }
const struct mech_joint *mech_assembly_get_joint(const struct mech_assembly *a, int joint,
                                                 struct mech_joint_frame *frame) {
  if (frame != NULL) {
    *frame = a->joint[joint].frame;
  }
  return &a->joint[joint].given;
}
int mech_assembly_active(const struct mech_assembly *a, int body) {
  return mech_body_active(a, body);
}
void mech_assembly_activate(struct mech_assembly *a, int body, int active) {
  if (active) { /* pairs of one that stops being so are dropped when contacts are asked for */
    mech_assembly_near_forget(a);
  }
  a->traits[body] =
      (unsigned char)(active ? a->traits[body] & ~MECH_INACTIVE : a->traits[body] | MECH_INACTIVE);
}
