/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The keys of scene files; see scene_keys.h. SI units throughout.
 */
#include "cases/scene_keys.h"

#include "mech/assembly/assembly.h"

#include <stddef.h>

#define KEY(n, t, r, u, h, ...)                                                                    \
  { .name = n, .type = t, .range = r, .unit = u, .help = h, __VA_ARGS__ }
#define SHAPE(kind) (1u << MECH_SHAPE_##kind)
#define JOINT(kind) (1u << MECH_JOINT_##kind)
enum {
  LONG = SHAPE(CAPSULE) | SHAPE(CYLINDER),
  ROUND = LONG | SHAPE(SPHERE),
  TURNED = LONG | SHAPE(BOX),
  CENTRED = TURNED | SHAPE(SPHERE) | SHAPE(POINT),
  APART = JOINT(ROD) | JOINT(ROPE) | JOINT(SPRING),
  AT_POINT = APART | JOINT(SPHERICAL) | JOINT(REVOLUTE) | JOINT(MOTION),
  TURNS = JOINT(REVOLUTE) | JOINT(ROTATION),
  SLIDES = JOINT(MOTION) | JOINT(PRISMATIC)
};

static const char *shape_kind(int kind) { return mech_shape_name((enum mech_shape_kind)kind); }
static const char *joint_kind(int kind) { return mech_joint_name((enum mech_joint_kind)kind); }

static const struct scene_key material_keys[] = {
    KEY("mu", SCENE_REAL, SCENE_NOT_NEGATIVE, "-", "coefficient of friction",
        .needs = SCENE_ALWAYS),
    KEY("eps_N", SCENE_REAL, SCENE_PART, "-", "restitution, 0 without"),
    KEY("eps_T", SCENE_REAL, SCENE_SIGNED_PART, "-", "tangential restitution, 0 without"),
    {0}};

static const struct scene_key pair_keys[] = {
    KEY("between", SCENE_TWO, 0, "", "two materials", .needs = SCENE_ALWAYS),
    KEY("mu", SCENE_REAL, SCENE_NOT_NEGATIVE, "-", "coefficient of friction; the larger without"),
    KEY("eps_N", SCENE_REAL, SCENE_PART, "-", "restitution; the smaller without"),
    KEY("eps_T", SCENE_REAL, SCENE_SIGNED_PART, "-", "tangential restitution; the smaller without"),
    {0}};

static const struct scene_key shape_keys[] = {
    KEY("type", SCENE_TEXT, 0, "", "kind of shape", .needs = SCENE_ALWAYS),
    KEY("material", SCENE_NAME, 0, "", "one of the materials", .needs = SCENE_ALWAYS),
    KEY("radius", SCENE_REAL, SCENE_POSITIVE, "m", "of a sphere, capsule, cylinder", .of = ROUND,
        .needs = ROUND),
    KEY("half", SCENE_VECTOR, SCENE_POSITIVE, "m", "half of a box's sides", .of = SHAPE(BOX),
        .needs = SHAPE(BOX)),
    KEY("half_length", SCENE_REAL, SCENE_POSITIVE, "m",
        "half of the straight part, along z; in the plane along y", .of = LONG, .needs = LONG),
    KEY("offset", SCENE_VECTOR, 0, "m", "its centre in the body's frame", .of = CENTRED),
    KEY("orientation", SCENE_QUATERNION, 0, "-", "unit quaternion, shape to body", .dimension = 3,
        .of = TURNED),
    KEY("phi", SCENE_REAL, 0, "rad", "its angle in the body's frame", .dimension = 2, .of = TURNED),
    KEY("normal", SCENE_VECTOR, 0, "-", "outward, any length", .of = SHAPE(HALFSPACE),
        .needs = SHAPE(HALFSPACE)),
    KEY("offset", SCENE_REAL, 0, "m", "its surface along the normal", .of = SHAPE(HALFSPACE)),
    {0}};
static const struct scene_element shape_element = {"shape", shape_keys, shape_kind,
                                                   MECH_SHAPE_KINDS};

static const struct scene_key body_keys[] = {
    KEY("name", SCENE_NAME, 0, "", "of its columns: name.x, name.vx ...", .needs = SCENE_ALWAYS),
    KEY("fixed", SCENE_FLAG, 0, "", "does not move"),
    KEY("rotates", SCENE_FLAG, 0, "", "false: moves without turning"),
    KEY("mass", SCENE_REAL, SCENE_POSITIVE, "kg", "without inertia: shapes filled evenly"),
    KEY("density", SCENE_REAL, SCENE_POSITIVE, "kg/m^3",
        "in place of mass and inertia; in the plane kg/m^2"),
    KEY("inertia", SCENE_SPIN, SCENE_POSITIVE, "kg m^2", "about the centre and the body's axes"),
    KEY("position", SCENE_VECTOR, 0, "m", "of the frame its shapes are given in"),
    KEY("orientation", SCENE_QUATERNION, 0, "-", "unit quaternion, body to world", .dimension = 3),
    KEY("phi", SCENE_REAL, 0, "rad", "its angle", .dimension = 2),
    KEY("velocity", SCENE_VECTOR, 0, "m/s", "of the centre of mass; 0, or as prescribed, without"),
    KEY("angular_velocity", SCENE_SPIN, 0, "rad/s",
        "in the body's frame; 0, or as prescribed, without"),
    KEY("shapes", SCENE_LIST, 0, "", "what touches", .in = &shape_element),
    {0}};

static const struct scene_key joint_keys[] = {
    KEY("type", SCENE_TEXT, 0, "", "kind of joint", .needs = SCENE_ALWAYS),
    KEY("name", SCENE_NAME, 0, "", "for --set and messages"),
    KEY("bodies", SCENE_TWO, 0, "", "two bodies, or one and \"world\"", .needs = SCENE_ALWAYS),
    KEY("point", SCENE_VECTOR, 0, "m", "in the world at the start, on the first body",
        .needs = AT_POINT),
    KEY("end", SCENE_VECTOR, 0, "m", "in the world at the start, on the second body", .of = APART,
        .needs = APART),
    KEY("axis", SCENE_VECTOR, 0, "-", "of the hinge or rotation, in the world at the start",
        .dimension = 3, .of = TURNS, .needs = TURNS),
    KEY("axis", SCENE_VECTOR, 0, "-", "the point or body moves along, in the world at the start",
        .of = SLIDES, .needs = SLIDES),
    KEY("length", SCENE_REAL, SCENE_NOT_NEGATIVE, "m", "as it is at the start without",
        .of = APART),
    KEY("stiffness", SCENE_REAL, SCENE_NOT_NEGATIVE, "N/m", "of a spring", .of = JOINT(SPRING),
        .needs = JOINT(SPRING)),
    KEY("damping", SCENE_REAL, SCENE_NOT_NEGATIVE, "N s/m", "along a spring", .of = JOINT(SPRING)),
    KEY("eps_N", SCENE_REAL, SCENE_PART, "-", "restitution of a rope as it becomes taut",
        .of = JOINT(ROPE)),
    KEY("table", SCENE_TABLE, 0, "s, m",
        "[t, displacement along the axis]; stands still before and after", .of = JOINT(MOTION),
        .needs = JOINT(MOTION)),
    KEY("table", SCENE_TABLE, 0, "s, rad",
        "[t, angle about the axis]; stands still before and after", .of = JOINT(ROTATION),
        .needs = JOINT(ROTATION)),
    {0}};

static const struct scene_key force_keys[] = {
    KEY("body", SCENE_NAME, 0, "", "a body that moves", .needs = SCENE_ALWAYS),
    KEY("force", SCENE_VECTOR, 0, "N", "in the world"),
    KEY("torque", SCENE_SPIN, 0, "N m", "in the body's frame"),
    KEY("at", SCENE_PLACE, 0, "m", "\"centre\" or a point in the body's frame"),
    KEY("from", SCENE_REAL, SCENE_NOT_NEGATIVE, "s", "acts from then on"),
    KEY("to", SCENE_REAL, SCENE_NOT_NEGATIVE, "s", "acts until then"),
    KEY("table", SCENE_TABLE, 0, "s, -", "[t, factor], a spline; constant outside"),
    {0}};

static const char *const reference_kinds[] = {"event", "self", "none", NULL};
static const struct scene_key reference_keys[] = {
    KEY("kind", SCENE_TEXT, 0, "", "what runs are compared with", .needs = SCENE_ALWAYS,
        .choices = reference_kinds),
    KEY("bound", SCENE_REAL, SCENE_NOT_NEGATIVE, "m", "error of the reference; measured without"),
    KEY("until", SCENE_REAL, SCENE_NOT_NEGATIVE, "s", "none for longer runs"),
    {0}};

static const struct scene_element material_element = {.name = "material", .keys = material_keys},
                                  pair_element = {.name = "pair", .keys = pair_keys},
                                  body_element = {.name = "body", .keys = body_keys},
                                  joint_element = {"joint", joint_keys, joint_kind,
                                                   MECH_JOINT_KINDS},
                                  force_element = {.name = "force", .keys = force_keys},
                                  reference_element = {.name = "reference", .keys = reference_keys};

static const char *const schemas[] = {"coulombench.scene/1", NULL};
static const char *const coordinates[] = {"quaternion", "scalable", NULL};
static const struct scene_key root_keys[] = {
    KEY("schema", SCENE_TEXT, 0, "", "of this file", .needs = SCENE_ALWAYS, .choices = schemas),
    KEY("name", SCENE_NAME, 0, "", "of the scene, in records", .needs = SCENE_ALWAYS),
    KEY("title", SCENE_TEXT, 0, "", "one line"),
    KEY("source", SCENE_TEXT, 0, "", "where it comes from"),
    KEY("notes", SCENE_TEXT, 0, "", "anything else"),
    KEY("dimension", SCENE_REAL, 0, "-", "2 or 3, 3 without"),
    KEY("coordinates", SCENE_TEXT, 0, "", "of bodies in space: quaternion without; scalable body",
        .dimension = 3, .choices = coordinates),
    KEY("gravity", SCENE_VECTOR, 0, "m/s^2", "acceleration", .needs = SCENE_ALWAYS),
    KEY("rotation", SCENE_SPIN, 0, "rad",
        "of the whole scene about the origin, gravity included: axis times angle"),
    KEY("dt", SCENE_REAL, SCENE_POSITIVE, "s", "step, unless asked otherwise",
        .needs = SCENE_ALWAYS),
    KEY("t_end", SCENE_REAL, SCENE_POSITIVE, "s", "horizon, unless asked otherwise",
        .needs = SCENE_ALWAYS),
    KEY("allow_start", SCENE_FLAG, 0, "", "shapes in each other and joints apart at the start"),
    KEY("materials", SCENE_MAP, 0, "", "by name", .in = &material_element),
    KEY("pairs", SCENE_LIST, 0, "", "what two materials do with each other", .in = &pair_element),
    KEY("bodies", SCENE_LIST, 0, "", "in the order of the coordinates", .needs = SCENE_ALWAYS,
        .in = &body_element),
    KEY("joints", SCENE_LIST, 0, "", "between bodies, or with the world", .in = &joint_element),
    KEY("forces", SCENE_LIST, 0, "", "beside gravity", .in = &force_element),
    KEY("collide_joined", SCENE_FLAG, 0, "", "bodies held together by joints collide too"),
    KEY("outputs", SCENE_TEXTS, 0, "", "columns of the trajectory; all without"),
    KEY("reference", SCENE_OBJECT, 0, "", "none without", .in = &reference_element),
    KEY("formulations", SCENE_OBJECT, 0, "", "dt, t_end, solver, options by formulation"),
    {0}};
const struct scene_element scene_root = {.name = "scene", .keys = root_keys};

int scene_key_fits(const struct scene_key *key, int kind, int dimension) {
  return (key->of == 0 || (key->of >> kind & 1u) != 0) &&
         (key->dimension == 0 || key->dimension == dimension);
}
