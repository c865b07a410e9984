/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table on four legs, or a box on four corners, slides on a plane (negrut 10, 11: N = A may be
 * singular, so that velocities are unique and multipliers are not). With four contacts in space A
 * has 12 rows and W at most rank 6. The table may be made of two halves, held together by a rigid
 * joint, or by two, of which one is redundant.
 *
 * Thrown without spin the body keeps its attitude as long as the resultant of the normal forces,
 * which friction moves by mu h out of the middle, stays on the support: v = v0 - mu g t until it
 * rests, the reference. A body that begins in the plane, or spins, has no closed form (the bound is
 * NaN): what its friction is in sum depends then on how the legs share the load, of which Coulomb's
 * law knows nothing.
 */
#include "cases/table/table.h"

#include "base/status.h"
#include "cases/body_kit.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* What the table is made of: itself, or its halves. */
static int pieces_of(const struct case_parameters *p) {
  return strcmp(case_choice(p, "halves"), "no") == 0 ? 1 : 2;
}

/* The centre of piece k along x from the middle [m]. */
static double centre_of(const struct case_parameters *p, int k) {
  return pieces_of(p) == 1 ? 0 : (k - 0.5) * case_real(p, "a");
}

/* Feet, or a box, of a piece whose centre is at x. */
static void add_shapes(const struct case_parameters *p, enum mech_assembly_kind kind, double x,
                       int body, struct mech_assembly *s) {
  const double a = case_real(p, "a"), b = case_real(p, "b"), h = case_real(p, "h");
  const int planar = kind == MECH_PLANAR;
  if (strcmp(case_choice(p, "shape"), "box") == 0) {
    struct mech_shape box = {.kind = MECH_SHAPE_BOX, .body = body};
    body_place(kind, a, b, h, box.half);
    box.half[2] = planar ? b : h;
    mech_assembly_shape(s, &box);
    return;
  }
  for (int k = 0; k < (planar ? 2 : 4); ++k) {
    const double side = k % 2 == 0 ? -a : a;
    struct mech_shape foot = {.kind = MECH_SHAPE_POINT, .body = body};
    body_place(kind, side - x, k < 2 ? -b : b, -h, foot.offset);
    if (side * x >= 0) { /* of a half: the outer ones */
      mech_assembly_shape(s, &foot);
    }
  }
}

static void add_piece(const struct case_parameters *p, enum mech_assembly_kind kind, int k,
                      struct mech_assembly *s) {
  const double x = centre_of(p, k), v0 = case_real(p, "v0"), angle = case_real(p, "angle");
  const double a = case_real(p, "a") / pieces_of(p), b = case_real(p, "b"), h = case_real(p, "h");
  const double spin = case_real(p, "spin");
  const char *names[] = {"table", "left", "right"};
  struct mech_body body = {.name = names[pieces_of(p) == 1 ? 0 : 1 + k],
                           .mass = case_real(p, "m") / pieces_of(p),
                           .omega = {0, 0, spin}};
  const double xx = body.mass * a * a / 3, yy = body.mass * b * b / 3, zz = body.mass * h * h / 3;
  body.inertia[0] = yy + zz;
  body.inertia[1] = xx + zz;
  body.inertia[2] = kind == MECH_PLANAR ? xx + zz : xx + yy; /* the plane's third axis is across */
  body_place(kind, x, 0, h + case_real(p, "gap"), body.position);
  body_place(kind, v0 * cos(angle), v0 * sin(angle) + spin * x, 0, body.velocity);
  add_shapes(p, kind, x, mech_assembly_body(s, &body), s);
}

/* The halves held together along the middle, by one rigid joint or by two, one of them redundant.
 */
static void add_joints(const struct case_parameters *p, struct mech_assembly *s) {
  const double b = case_real(p, "b"), z = case_real(p, "h") + case_real(p, "gap");
  const int two = strcmp(case_choice(p, "halves"), "two") == 0;
  for (int k = 0; k <= two; ++k) {
    const struct mech_joint joint = {
        .kind = MECH_JOINT_FIXED, .body = {0, 1}, .point = {0, two ? (2 * k - 1) * b : 0, z}};
    mech_assembly_joint(s, &joint);
  }
}

static int check(const struct case_parameters *p, int planar) {
  const double mu = case_real(p, "mu"), h = case_real(p, "h");
  if (planar && (case_real(p, "angle") != 0 || case_real(p, "spin") != 0)) {
    return base_fail(BASE_E_INPUT, "table: angle and spin must be 0 in the plane");
  }
  if (pieces_of(p) > 1 && (planar || strcmp(case_choice(p, "shape"), "box") == 0)) {
    return base_fail(BASE_E_INPUT, "table: halves are those of a table in space");
  }
  if (!(mu * h < fmin(case_real(p, "a"), case_real(p, "b")))) {
    return base_fail(BASE_E_INPUT, "table: mu h = %.17g m must be below a and b: it tips over",
                     mu * h);
  }
  return BASE_OK;
}

static int table_build(const struct case_parameters *p, struct base_arena *arena,
                       struct case_instance *out) {
  const enum mech_assembly_kind kind = body_kind_of(p);
  const double g = case_real(p, "g");
  const int status = check(p, kind == MECH_PLANAR);
  if (status != BASE_OK) {
    return status;
  }
  struct mech_assembly *s = body_plane_begin("table", kind, g, case_real(p, "mu"), 0, arena);
  for (int k = 0; k < pieces_of(p); ++k) {
    add_piece(p, kind, k, s);
  }
  if (pieces_of(p) > 1) {
    add_joints(p, s);
  }
  mech_assembly_scales(s, 2 * case_real(p, "a"),
                       fmax(case_real(p, "v0"), sqrt(2 * g * case_real(p, "h"))));
  return body_finish(s, BASE_OK, out, NULL);
}

static const double ROUNDINGS = 32;

static double landing_of(const struct case_parameters *p) {
  return sqrt(2 * fmax(0, case_real(p, "gap")) / case_real(p, "g"));
}

/* Its speed at time t; the landing takes mu g t_l of it. */
static double speed_at(const struct case_parameters *p, double t) {
  const double v0 = case_real(p, "v0");
  return t < landing_of(p) ? v0 : fmax(0, v0 - case_real(p, "mu") * case_real(p, "g") * t);
}

static double table_reference(const struct case_parameters *p, double t, double *q, double *u) {
  const double v0 = case_real(p, "v0"), g = case_real(p, "g"), h = case_real(p, "h");
  const double gap = case_real(p, "gap"), lands = landing_of(p);
  const double mu = case_real(p, "mu");
  const double after = fmax(0, v0 - mu * g * lands), flown = fmin(t, lands);
  const double slides = t < lands ? 0 : mu > 0 ? fmin(t - lands, after / (mu * g)) : t - lands;
  const double s = v0 * flown + after * slides - 0.5 * mu * g * slides * slides;
  const struct body_motion motion = {.angle = case_real(p, "angle"),
                                     .s = s,
                                     .z = h + (t < lands ? gap - 0.5 * g * t * t : 0),
                                     .v = speed_at(p, t),
                                     .vz = t < lands ? -g * t : 0};
  for (int k = 0; k < pieces_of(p); ++k, q += 7, u += 6) { /* halves are in space */
    body_publish(body_kind_of(p), motion, q, u);
    q[0] += centre_of(p, k);
  }
  return case_real(p, "spin") == 0 && gap >= 0 ? ROUNDINGS * DBL_EPSILON * fmax(1, s) : NAN;
}

static void table_work(const struct case_parameters *p, double t, double work[4]) {
  const double m = case_real(p, "m"), v0 = case_real(p, "v0"), v = speed_at(p, t);
  const double s = t < landing_of(p) ? 0 : case_real(p, "g") * landing_of(p);
  work[0] = 0.5 * m * (v - v0) * (v + v0);
  work[1] = -0.5 * m * s * s;
}

static const struct case_function *const functions[] = {table_functions, NULL};

const struct case_type case_table = {
    .name = "table",
    .summary = "a table on four legs slides: more contact forces than equations",
    .source = "negrut 10, 11",
    .build = table_build,
    .reference = table_reference,
    .work = table_work,
    .functions = functions};
