/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two branches of n discs that hang on ropes from a ceiling over the ground (yu, figs 9 and 13),
 * restitution 0. Discs 1 ... n are the left branch from the ceiling down, n + 1 ... 2 n the right
 * one; q = (x, y, phi) a disc. The ceiling is at H = n L + R + clearance, so that the straight
 * branch ends at `clearance` above the ground y = 0, its points at x = -dx/2 and dx/2.
 *
 *   ground   Phi = y - R,               v = (ydot, xdot + R om)
 *   pair     Phi = |r_j - r_i| - 2 R,   v_N = n.(v_j - v_i), v_T = t.(v_j - v_i) - R om_i - R om_j
 *   rope     Phi = L - |r_j - r_i| of neighbours' centres, the ceiling's point included; no
 * friction
 *
 * with the arm R + Phi/2 in place of R while they are apart: assemblies take the velocities
 * half-way between the surfaces. All of it is a planar assembly; a disc has the moment of inertia m
 * R^2 / 2 (chosen: homogeneous).
 */
#include "cases/granular-chains/granular-chains.h"

#include "base/status.h"
#include "mech/assembly/assembly.h"

#include <math.h>

enum { COLUMNS = 3 }; /* x, y, phi */

struct branches {
  struct mech_assembly *a;
  int n, material;
  double m, R, L, dx, ceiling; /* [kg], [m] ... */
};

/* Disc k = 1 ... n of the branch on `side` (-1, 1): body, shape and the rope above it. */
static int add_disc(const struct branches *b, int side, int k, double angle) {
  const double x0 = 0.5 * side * b->dx;
  const double dx = side * b->L * sin(angle), dy = -b->L * cos(angle);
  const struct mech_body body = {.mass = b->m,
                                 .inertia = {0, 0, 0.5 * b->m * b->R * b->R},
                                 .position = {x0 + k * dx, b->ceiling + k * dy}};
  const int disc = mech_assembly_body(b->a, &body);
  if (disc < 0) {
    return disc;
  }
  const struct mech_shape shape = {
      .kind = MECH_SHAPE_SPHERE, .body = disc, .material = b->material, .radius = b->R};
  const struct mech_joint rope = {.kind = MECH_JOINT_ROPE,
                                  .body = {k == 1 ? -1 : disc - 1, disc},
                                  .point = {x0 + (k - 1) * dx, b->ceiling + (k - 1) * dy},
                                  .end = {body.position[0], body.position[1]},
                                  .length = b->L};
  const int added = mech_assembly_shape(b->a, &shape);
  return added < 0 ? added : mech_assembly_joint(b->a, &rope);
}

/* x1 y1 phi1 x2 ..., vx1 vy1 omega1 vx2 ... in place of the assembly's own names. */
static void name_columns(struct mech *m, int discs, struct base_arena *arena) {
  static const char *const q_letters[COLUMNS] = {"x", "y", "phi"};
  static const char *const u_letters[COLUMNS] = {"vx", "vy", "omega"};
  const size_t size = (size_t)(COLUMNS * discs) * sizeof(char *);
  const char **q_names = base_arena_push(arena, size), **u_names = base_arena_push(arena, size);
  for (int i = 0; i < COLUMNS * discs; ++i) {
    const int disc = i / COLUMNS + 1, k = i % COLUMNS;
    q_names[i] = base_arena_printf(arena, "%s%d", q_letters[k], disc);
    u_names[i] = base_arena_printf(arena, "%s%d", u_letters[k], disc);
  }
  m->q_names = q_names;
  m->u_names = u_names;
}

static int check(const struct branches *b, const char *name, const double angle[2]) {
  if (b->L < 2 * b->R && b->n > 1) {
    return base_fail(BASE_E_INPUT, "%s: ropes of L = %g m are too short for discs of R = %g m",
                     name, b->L, b->R);
  }
  for (int i = 0; i < 2; ++i) {
    for (int k = 1; k <= b->n; k += b->n > 1 ? b->n - 1 : 1) {
      if (b->ceiling - k * b->L * cos(angle[i]) < b->R) {
        return base_fail(BASE_E_INPUT,
                         "%s: disc %d of a branch begins below the ground: take a larger clearance",
                         name, k);
      }
    }
  }
  const double apart = b->dx + b->L * (sin(angle[0]) + sin(angle[1])); /* least: first or last */
  const double ends = b->dx + b->n * b->L * (sin(angle[0]) + sin(angle[1]));
  if (fmin(apart, ends) < 2 * b->R) {
    return base_fail(BASE_E_INPUT, "%s: the branches begin in each other: take a larger dx", name);
  }
  return BASE_OK;
}

int granular_chains_assemble(const struct case_parameters *p, const char *name,
                             const double angle[2], struct base_arena *arena,
                             struct case_instance *out) {
  struct branches b = {.n = (int)case_real(p, "n"),
                       .m = case_real(p, "m"),
                       .R = case_real(p, "R"),
                       .L = case_real(p, "L"),
                       .dx = case_real(p, "dx")};
  b.ceiling = b.n * b.L + b.R + case_real(p, "clearance");
  int status = check(&b, name, angle);
  if (status != BASE_OK) {
    return status;
  }
  const double g = case_real(p, "g");
  b.a = mech_assembly_alloc(MECH_PLANAR, name, arena);
  mech_assembly_gravity(b.a, (double[]){0, -g, 0});
  mech_assembly_scales(b.a, b.n * b.L, sqrt(2 * g * b.n * b.L));
  b.material = mech_assembly_material(
      b.a, &(struct mech_material){.name = "disc", .mu = case_real(p, "mu")});
  for (int i = 0; i < 2; ++i) {
    for (int k = 1; k <= b.n; ++k) {
      const int added = add_disc(&b, i == 0 ? -1 : 1, k, angle[i]);
      if (added < 0) {
        return BASE_E_INPUT;
      }
    }
  }
  const struct mech_shape ground = {.kind = MECH_SHAPE_HALFSPACE,
                                    .body = -1,
                                    .material = b.material,
                                    .orientation = {sqrt(0.5), -sqrt(0.5), 0, 0}}; /* z to y */
  if (b.material < 0 || mech_assembly_shape(b.a, &ground) < 0) {
    return BASE_E_INPUT;
  }
  status = mech_assembly_finish(b.a, &out->mech, &out->q, &out->u, NULL);
  if (status == BASE_OK) {
    name_columns(out->mech, 2 * b.n, arena);
  }
  return status;
}
