/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The keys of scene files: every key of every element with its type, range, unit
 * and meaning. SI units throughout.
 */
#include "base/json/keys.h"

#include "base/status.h"
#include "cases/case.h"
#include "cases/parameters_check.h"
#include "cases/scene_parts.h"
#include "mech/assembly/assembly.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stddef.h>

#define KEY(n, t, r, u, h, ...)                                                                    \
  { .name = n, t, .range = r, .unit = u, .help = h, __VA_ARGS__ }
#define TEXT .types = BASE_TEXT
#define NAME .types = BASE_NAME
#define FLAG .types = BASE_FLAG
#define REAL .types = BASE_REAL
#define VECTOR REAL, .forms = BASE_LIST, .length = BASE_OF_SPACE
#define SPIN REAL, .forms = BASE_LIST, .length = BASE_OF_SPIN
#define QUATERNION REAL, .forms = BASE_LIST, .length = 4, .check = check_quaternion
#define TIMES REAL, .forms = BASE_ROWS, .length = 2, .check = check_times /* [[t, value], ...] */
#define TEXTS TEXT, .forms = BASE_LIST
#define TWO NAME, .forms = BASE_LIST, .length = 2
#define OBJECT .types = BASE_OBJECT
#define LIST OBJECT, .forms = BASE_LIST
#define MAP OBJECT, .forms = BASE_MAP | BASE_NAMED /* elements by name */
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

static const char *shape_kind(int i) {
  return i < MECH_SHAPE_KINDS ? mech_shape_name((enum mech_shape_kind)i) : NULL;
}
static const char *joint_kind(int i) {
  return i < MECH_JOINT_KINDS ? mech_joint_name((enum mech_joint_kind)i) : NULL;
}

/* A quaternion this far from unit length is a slip, not rounding of a file. */
static const double UNIT_LENGTH = 1e-9;

static int check_quaternion(const cJSON *value) {
  double size = 0;
  for (const cJSON *item = value->child; item != NULL; item = item->next) {
    size = hypot(size, item->valuedouble);
  }
  return fabs(size - 1) <= UNIT_LENGTH
             ? BASE_OK
             : base_fail(BASE_E_INPUT, "must be a unit quaternion, has length %.12g", size);
}

static int check_times(const cJSON *value) {
  double last = -INFINITY;
  int i = 0;
  for (const cJSON *item = value->child; item != NULL; item = item->next, ++i) {
    if (!(item->child->valuedouble > last)) {
      return base_fail(BASE_E_INPUT, "[%d]: times must ascend", i);
    }
    last = item->child->valuedouble;
  }
  return BASE_OK;
}

static int check_dimension(const cJSON *value) {
  return value->valuedouble == 2 || value->valuedouble == 3
             ? BASE_OK
             : base_fail(BASE_E_INPUT, "must be 2 or 3");
}

static const struct base_key material_keys[] = {
    KEY("mu", REAL, BASE_NOT_NEGATIVE, "-", "coefficient of friction", .needs = BASE_ALWAYS),
    KEY("eps_N", REAL, BASE_PART, "-", "restitution, 0 without"),
    KEY("eps_T", REAL, BASE_SIGNED_PART, "-", "tangential restitution, 0 without"),
    {0}};

static const struct base_key pair_keys[] = {
    KEY("between", TWO, BASE_ANY_REAL, "", "two materials", .needs = BASE_ALWAYS),
    KEY("mu", REAL, BASE_NOT_NEGATIVE, "-", "coefficient of friction; the larger without"),
    KEY("eps_N", REAL, BASE_PART, "-", "restitution; the smaller without"),
    KEY("eps_T", REAL, BASE_SIGNED_PART, "-", "tangential restitution; the smaller without"),
    {0}};

static const struct base_key shape_keys[] = {
    KEY("type", TEXT, BASE_ANY_REAL, "", "kind of shape", .needs = BASE_ALWAYS),
    KEY("material", NAME, BASE_ANY_REAL, "", "one of the materials", .needs = BASE_ALWAYS),
    KEY("radius", REAL, BASE_POSITIVE, "m", "of a sphere, capsule, cylinder", .of = ROUND,
        .needs = ROUND),
    KEY("half", VECTOR, BASE_POSITIVE, "m", "half of a box's sides", .of = SHAPE(BOX),
        .needs = SHAPE(BOX)),
    KEY("half_length", REAL, BASE_POSITIVE, "m",
        "half of the straight part, along z; in the plane along y", .of = LONG, .needs = LONG),
    KEY("offset", VECTOR, BASE_ANY_REAL, "m", "its centre in the body's frame", .of = CENTRED),
    KEY("orientation", QUATERNION, BASE_ANY_REAL, "-", "unit quaternion, shape to body",
        .dimension = 3, .of = TURNED),
    KEY("phi", REAL, BASE_ANY_REAL, "rad", "its angle in the body's frame", .dimension = 2,
        .of = TURNED),
    KEY("normal", VECTOR, BASE_ANY_REAL, "-", "outward, any length", .of = SHAPE(HALFSPACE),
        .needs = SHAPE(HALFSPACE)),
    KEY("offset", REAL, BASE_ANY_REAL, "m", "its surface along the normal", .of = SHAPE(HALFSPACE)),
    {0}};
static const struct base_table shape_table = {
    .what = "shape", .keys = shape_keys, .kind_key = "type", .kind = shape_kind};

static const struct base_key body_keys[] = {
    KEY("name", NAME, BASE_ANY_REAL, "", "of its columns: name.x, name.vx ...",
        .needs = BASE_ALWAYS),
    KEY("fixed", FLAG, BASE_ANY_REAL, "", "does not move"),
    KEY("rotates", FLAG, BASE_ANY_REAL, "", "false: moves without turning"),
    KEY("mass", REAL, BASE_POSITIVE, "kg", "without inertia: shapes filled evenly"),
    KEY("density", REAL, BASE_POSITIVE, "kg/m^3",
        "in place of mass and inertia; in the plane kg/m^2"),
    KEY("inertia", SPIN, BASE_POSITIVE, "kg m^2", "about the centre and the body's axes"),
    KEY("position", VECTOR, BASE_ANY_REAL, "m", "of the frame its shapes are given in"),
    KEY("orientation", QUATERNION, BASE_ANY_REAL, "-", "unit quaternion, body to world",
        .dimension = 3),
    KEY("phi", REAL, BASE_ANY_REAL, "rad", "its angle", .dimension = 2),
    KEY("velocity", VECTOR, BASE_ANY_REAL, "m/s",
        "of the centre of mass; 0, or as prescribed, without"),
    KEY("angular_velocity", SPIN, BASE_ANY_REAL, "rad/s",
        "in the body's frame; 0, or as prescribed, without"),
    KEY("shapes", LIST, BASE_ANY_REAL, "", "what touches", .in = &shape_table),
    {0}};

static const struct base_key joint_keys[] = {
    KEY("type", TEXT, BASE_ANY_REAL, "", "kind of joint", .needs = BASE_ALWAYS),
    KEY("name", NAME, BASE_ANY_REAL, "", "for --set and messages"),
    KEY("bodies", TWO, BASE_ANY_REAL, "", "two bodies, or one and \"world\"", .needs = BASE_ALWAYS),
    KEY("point", VECTOR, BASE_ANY_REAL, "m", "in the world at the start, on the first body",
        .needs = AT_POINT),
    KEY("end", VECTOR, BASE_ANY_REAL, "m", "in the world at the start, on the second body",
        .of = APART, .needs = APART),
    KEY("axis", VECTOR, BASE_ANY_REAL, "-", "of the hinge or rotation, in the world at the start",
        .dimension = 3, .of = TURNS, .needs = TURNS),
    KEY("axis", VECTOR, BASE_ANY_REAL, "-",
        "the point or body moves along, in the world at the start", .of = SLIDES, .needs = SLIDES),
    KEY("length", REAL, BASE_NOT_NEGATIVE, "m", "as it is at the start without", .of = APART),
    KEY("stiffness", REAL, BASE_NOT_NEGATIVE, "N/m", "of a spring", .of = JOINT(SPRING),
        .needs = JOINT(SPRING)),
    KEY("damping", REAL, BASE_NOT_NEGATIVE, "N s/m", "along a spring", .of = JOINT(SPRING)),
    KEY("eps_N", REAL, BASE_PART, "-", "restitution of a rope as it becomes taut",
        .of = JOINT(ROPE)),
    KEY("table", TIMES, BASE_ANY_REAL, "s, m",
        "[t, displacement along the axis]; stands still before and after", .of = JOINT(MOTION),
        .needs = JOINT(MOTION)),
    KEY("table", TIMES, BASE_ANY_REAL, "s, rad",
        "[t, angle about the axis]; stands still before and after", .of = JOINT(ROTATION),
        .needs = JOINT(ROTATION)),
    {0}};

static const struct base_key force_keys[] = {
    KEY("body", NAME, BASE_ANY_REAL, "", "a body that moves", .needs = BASE_ALWAYS),
    KEY("force", VECTOR, BASE_ANY_REAL, "N", "in the world"),
    KEY("torque", SPIN, BASE_ANY_REAL, "N m", "in the body's frame"),
    KEY("at", VECTOR, BASE_ANY_REAL, "m", "\"centre\" or a point in the body's frame",
        .words = "centre"),
    KEY("from", REAL, BASE_NOT_NEGATIVE, "s", "acts from then on"),
    KEY("to", REAL, BASE_NOT_NEGATIVE, "s", "acts until then"),
    KEY("table", TIMES, BASE_ANY_REAL, "s, -", "[t, factor], a spline; constant outside"),
    {0}};

static const struct base_key reference_keys[] = {
    KEY("kind", TEXT, BASE_ANY_REAL, "", "what runs are compared with", .needs = BASE_ALWAYS,
        .choices = "event|self|none"),
    KEY("bound", REAL, BASE_NOT_NEGATIVE, "m", "error of the reference; measured without"),
    KEY("until", REAL, BASE_NOT_NEGATIVE, "s", "none for longer runs"),
    {0}};

static const struct base_table material_table = {.what = "material", .keys = material_keys},
                               pair_table = {.what = "pair", .keys = pair_keys},
                               body_table = {.what = "body", .keys = body_keys},
                               joint_table = {.what = "joint",
                                              .keys = joint_keys,
                                              .kind_key = "type",
                                              .kind = joint_kind},
                               force_table = {.what = "force", .keys = force_keys},
                               reference_table = {.what = "reference", .keys = reference_keys};

static const struct base_key root_keys[] = {
    KEY("schema", TEXT, BASE_ANY_REAL, "", "of this file", .needs = BASE_ALWAYS,
        .choices = CASE_SCENE_SCHEMA),
    KEY("name", NAME, BASE_ANY_REAL, "", "of the scene, in records", .needs = BASE_ALWAYS),
    KEY("title", TEXT, BASE_ANY_REAL, "", "one line"),
    KEY("source", TEXT, BASE_ANY_REAL, "", "where it comes from"),
    KEY("notes", TEXT, BASE_ANY_REAL, "", "anything else"),
    KEY("dimension", REAL, BASE_ANY_REAL, "-", "2 or 3, 3 without", .check = check_dimension),
    KEY("coordinates", TEXT, BASE_ANY_REAL, "",
        "of bodies in space: quaternion without; scalable body", .dimension = 3,
        .choices = "quaternion|scalable"),
    KEY("gravity", VECTOR, BASE_ANY_REAL, "m/s^2", "acceleration", .needs = BASE_ALWAYS),
    KEY("rotation", SPIN, BASE_ANY_REAL, "rad",
        "of the whole scene about the origin, gravity included: axis times angle"),
    KEY("dt", REAL, BASE_POSITIVE, "s", "step, unless asked otherwise", .needs = BASE_ALWAYS),
    KEY("t_end", REAL, BASE_POSITIVE, "s", "horizon, unless asked otherwise", .needs = BASE_ALWAYS),
    KEY("allow_start", FLAG, BASE_ANY_REAL, "",
        "shapes in each other and joints apart at the start"),
    KEY("materials", MAP, BASE_ANY_REAL, "", "by name", .in = &material_table),
    KEY("pairs", LIST, BASE_ANY_REAL, "", "what two materials do with each other",
        .in = &pair_table),
    KEY("bodies", LIST, BASE_ANY_REAL, "", "in the order of the coordinates", .needs = BASE_ALWAYS,
        .in = &body_table),
    KEY("joints", LIST, BASE_ANY_REAL, "", "between bodies, or with the world", .in = &joint_table),
    KEY("forces", LIST, BASE_ANY_REAL, "", "beside gravity", .in = &force_table),
    KEY("collide_joined", FLAG, BASE_ANY_REAL, "", "bodies held together by joints collide too"),
    KEY("outputs", TEXTS, BASE_ANY_REAL, "", "columns of the trajectory; all without"),
    KEY("reference", OBJECT, BASE_ANY_REAL, "", "none without", .in = &reference_table),
    KEY("formulations", OBJECT, BASE_ANY_REAL, "", "what differs, by formulation",
        .forms = BASE_MAP, .in = &case_formulation_table),
    {0}};
const struct base_table case_scene_keys = {.what = "scene", .keys = root_keys};

int scene_check_keys(const cJSON *root, const char *file) {
  const cJSON *dimension = cJSON_GetObjectItemCaseSensitive(root, "dimension");
  return base_keys_check(&case_scene_keys, root, file, "",
                         cJSON_IsNumber(dimension) && dimension->valuedouble == 2 ? 2 : 3);
}
