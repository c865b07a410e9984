/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Seams between shapes that do not move against each other: a floor of tiles is the floor that they
 * make, for what lies over it, lands on it and slides across, from below its surface too; a body of
 * two boxes is the box that they make; and steps, walls and free edges are still there.
 */
#include "tests/joint_model.h"
#include "tests/test.h"

#include "la/dense.h"
#include "mech/assembly/assembly.h"
#include "tests/form_run.h"
#include "tests/random_problem.h"

static const double G = 9.81;

/* A box of a floor: its centre and half sides; the plane leaves out the second. */
struct tile {
  double x[3], half[3];
};
/* ONE of 4 m by 4 m, its top at 0; others are the same in pieces, LEDGE and others are not. */
enum floor { ONE, TWO, GRID, TEE, OVERLAP, FLUSH, STEP, WALL, BESIDE, LEDGE, FLOORS };
enum { TILES_MAX = 4 };
static const struct {
  int n, with_plane;
  struct tile tile[TILES_MAX];
} floors[FLOORS] = {
    [ONE] = {1, 0, {{{0, 0, -0.1}, {2, 2, 0.1}}}},
    [TWO] = {2, 0, {{{-1, 0, -0.1}, {1, 2, 0.1}}, {{1, 0, -0.1}, {1, 2, 0.1}}}},
    [GRID] = {4,
              0,
              {{{-1, -1, -0.1}, {1, 1, 0.1}},
               {{-1, 1, -0.1}, {1, 1, 0.1}},
               {{1, -1, -0.1}, {1, 1, 0.1}},
               {{1, 1, -0.1}, {1, 1, 0.1}}}},
    [TEE] = {3,
             0,
             {{{-1, 0, -0.1}, {1, 2, 0.1}},
              {{1, -1, -0.2}, {1, 1, 0.2}},
              {{1, 1, -0.2}, {1, 1, 0.2}}}},
    [OVERLAP] = {2, 0, {{{-0.8, 0, -0.1}, {1.2, 2, 0.1}}, {{0.7, 0, -0.2}, {1.3, 2, 0.2}}}},
    [FLUSH] = {1, 1, {{{-1, 0, -0.1}, {1, 2, 0.1}}}},
    [STEP] = {2, 0, {{{-1, 0, -0.1}, {1, 2, 0.1}}, {{1, 0, -0.095}, {1, 2, 0.1}}}},
    [WALL] = {2, 0, {{{0, 0, -0.1}, {2, 2, 0.1}}, {{0.5, 0, 0.5}, {0.5, 2, 0.5}}}},
    [BESIDE] = {2, 0, {{{-1, 0, -0.1}, {1, 2, 0.1}}, {{0.5, 0, 0.4}, {0.5, 2, 0.6}}}},
    [LEDGE] = {1, 0, {{{-1, 0, -0.1}, {1, 2, 0.1}}}},
};

static struct system begin(enum mech_assembly_kind kind) {
  struct system model = {.arena = test_arena()};
  model.a = mech_assembly_alloc(kind, "seam", model.arena);
  mech_assembly_gravity(model.a, kind == MECH_PLANAR ? (double[]){0, -G, 0} : (double[]){0, 0, -G});
  mech_assembly_material(model.a, &(struct mech_material){.mu = 0.3});
  return model;
}

static void add_floor(struct mech_assembly *a, enum floor floor) {
  const int planar = mech_assembly_kind_of(a) == MECH_PLANAR, up = planar ? 1 : 2;
  for (int i = 0; i < floors[floor].n; ++i) {
    const struct tile *t = &floors[floor].tile[i];
    struct mech_shape s = {.kind = MECH_SHAPE_BOX, .body = -1, .half = {1, 1, 1}};
    s.offset[0] = t->x[0], s.half[0] = t->half[0];
    s.offset[up] = t->x[2], s.half[up] = t->half[2];
    if (!planar) {
      s.offset[1] = t->x[1], s.half[1] = t->half[1];
    }
    mech_assembly_shape(a, &s);
  }
  if (floors[floor].with_plane) {
    add_halfspace(a, -1, 0, 0);
  }
}

/* The same body and shape, over a floor; floor_first: in the order of shapes. */
static struct system over(enum mech_assembly_kind kind, enum floor floor, int floor_first,
                          const struct mech_body *body, const struct mech_shape *shape) {
  struct system model = begin(kind);
  if (floor_first) {
    add_floor(model.a, floor);
  }
  struct mech_shape s = *shape;
  s.body = mech_assembly_body(model.a, body);
  mech_assembly_shape(model.a, &s);
  if (!floor_first) {
    add_floor(model.a, floor);
  }
  system_finish(&model, model.a);
  return model;
}

static double smallest_gap(const struct system *model, double reach, struct mech_contacts *list) {
  double least = INFINITY;
  mech_contacts_init(list, model->m, model->arena);
  mech_contacts_find(model->m, model->q, NULL, reach, list);
  for (int i = 0; i < list->n; ++i) {
    least = fmin(least, list->gN[i]);
  }
  return least;
}

static const struct mech_shape shapes[] = {
    {.kind = MECH_SHAPE_BOX, .half = {0.1, 0.12, 0.08}},
    {.kind = MECH_SHAPE_SPHERE, .radius = 0.1},
    {.kind = MECH_SHAPE_CAPSULE, .radius = 0.05, .half_length = 0.1},
    {.kind = MECH_SHAPE_CYLINDER, .radius = 0.1, .half_length = 0.06}};
enum { KINDS_OF_BODY = sizeof shapes / sizeof *shapes };

/* A random pose whose lowest point is at height h above the floor, near a seam; every other one
 * stands on a flat side. */
static struct mech_body random_body(struct base_rng *rng, enum mech_assembly_kind kind,
                                    const struct mech_shape *shape, int flat, double h) {
  struct mech_body b = {.mass = 1, .inertia = {0.01, 0.011, 0.012}};
  const int planar = kind == MECH_PLANAR, up = planar ? 1 : 2;
  const double yaw = base_rng_uniform(rng, -3, 3);
  b.phi = flat ? 0 : yaw;
  random_unit(rng, 4, b.orientation);
  if (flat) {
    memcpy(b.orientation, (double[4]){cos(0.5 * yaw), 0, 0, sin(0.5 * yaw)}, sizeof b.orientation);
  }
  b.position[0] = base_rng_uniform(rng, -0.15, 0.15);
  b.position[1] = base_rng_uniform(rng, -0.15, 0.15);
  b.position[up] = 0.3;
  struct system alone = over(kind, ONE, 1, &b, shape); /* how high it is by one that is known */
  struct mech_contacts list;
  b.position[up] += h - smallest_gap(&alone, INFINITY, &list);
  return b;
}

/* Contacts with a floor in pieces look up, or along the normal of the body's face, which manifolds
 * keep up to 25 degrees, and rims of cylinders beyond; the smallest gap is that of the floor: with
 * nothing between exactly; where the body reaches into it some of the depth may be another
 * contact's. */
TEST(tiles_have_the_contacts_of_the_floor_they_make) {
  static const double heights[] = {0.03, 1e-3, 1e-6, 0, -1e-9, -1e-6, -1e-4, -1e-3, -4e-3};
  struct base_rng *rng = test_rng(0);
  int seen = 0;
  for (int trial = 0; trial < 800; ++trial) {
    const enum mech_assembly_kind kind = trial % 2 ? MECH_SPATIAL : MECH_PLANAR;
    const struct mech_shape *shape = &shapes[base_rng_below(rng, KINDS_OF_BODY)];
    const double h = heights[base_rng_below(rng, 9)];
    const struct mech_body b = random_body(rng, kind, shape, base_rng_below(rng, 2), h);
    const enum floor floor = (enum floor)(1 + base_rng_below(rng, FLUSH));
    struct system model = over(kind, floor, trial % 4 < 2, &b, shape);
    struct mech_contacts list;
    const double gap = smallest_gap(&model, 0.05, &list);
    const double tol = shape->kind == MECH_SHAPE_CYLINDER ? 1e-5 : 1e-9;
    CHECK_MESSAGE(gap >= h - tol && gap <= (h > 0 ? h + tol : 0.3 * h + tol),
                  "trial %d, shape %d, floor %d: gap %g at height %g", trial, (int)shape->kind,
                  (int)floor, gap, h);
    for (int i = 0; i < list.n; ++i) {
      const double up = list.frame[6 * i + (kind == MECH_PLANAR ? 1 : 2)];
      CHECK_MESSAGE(fabs(up) > (shape->kind == MECH_SHAPE_CYLINDER ? 0.8 : 0.9),
                    "trial %d, shape %d, floor %d, height %g: normal %g %g %g", trial,
                    (int)shape->kind, (int)floor, h, list.frame[6 * i], list.frame[6 * i + 1],
                    list.frame[6 * i + 2]);
      ++seen;
    }
  }
  CHECK(seen > 1000);
}

/* A box that starts near x = -0.3 m at 2 m/s, its state after t. */
static struct mech_body block(enum mech_assembly_kind kind, double height) {
  const int up = kind == MECH_PLANAR ? 1 : 2;
  struct mech_body b = {
      .mass = 1, .inertia = {0.007, 0.006, 0.008}, .position = {-0.3, 0.07}, .velocity = {2, 0, 0}};
  b.position[up] = height;
  return b;
}

static void slide(const char *form, struct system *model, double t, double q[7]) {
  struct run *run = run_begin(form, model->m, 0.002, model->q, model->u);
  run_until(run, t);
  la_copy(model->m->nq, run->state.q, q);
}

static const char *const forms[] = {"moreau", "lcp-st", "ncp", "mdp", "ccp"};
enum { FORMS = sizeof forms / sizeof *forms };

/* What is compared: the angle not with mdp in space, where it follows from how redundant contacts
 * share the load. */
static int model_nq(const char *form, enum mech_assembly_kind kind) {
  return kind == MECH_PLANAR || strcmp(form, "mdp") == 0 ? 3 : 7;
}

static void slide_over(const char *form, enum mech_assembly_kind kind, enum floor floor,
                       double height, double t, double q[7]) {
  const struct mech_shape box = {.kind = MECH_SHAPE_BOX, .half = {0.1, 0.1, 0.1}};
  const struct mech_body b = block(kind, height);
  struct system model = over(kind, floor, 1, &b, &box);
  slide(form, &model, t, q);
}

TEST(blocks_slide_over_seams_as_over_one_floor) {
  static const double depths[] = {0, 1e-7, 1e-4};
  for (int k = 0; k < 2 * 3 * FORMS; ++k) {
    const char *form = forms[k % FORMS];
    const enum mech_assembly_kind kind = k / FORMS % 2 ? MECH_SPATIAL : MECH_PLANAR;
    const double height = 0.1 - depths[k / FORMS / 2];
    double whole[7], q[7];
    slide_over(form, kind, ONE, height, 0.4, whole);
    CHECK_LE(fabs(whole[0] - (-0.3 + 0.8 - 0.5 * 0.3 * G * 0.16)), 5e-3);
    for (int floor = TWO; floor <= FLUSH; ++floor) {
      slide_over(form, kind, (enum floor)floor, height, 0.4, q);
      for (int i = 0; i < model_nq(form, kind); ++i) {
        CHECK_MESSAGE(fabs(q[i] - whole[i]) < 5e-3, "%s, floor %d: q_%d is %g, on one floor %g",
                      form, floor, i, q[i], whole[i]);
      }
    }
  }
}

/* What is no seam acts: a step of 5 mm trips the block, walls on and beside the floor stop it at
 * x = -0.1 m, from below the surface of the floor too, and it falls off a ledge. */
TEST(steps_walls_and_ledges_act) {
  for (int k = 0; k < 2 * FORMS; ++k) {
    const char *form = forms[k % FORMS];
    const enum mech_assembly_kind kind = k / FORMS ? MECH_SPATIAL : MECH_PLANAR;
    const int up = kind == MECH_PLANAR ? 1 : 2;
    double q[7];
    slide_over(form, kind, STEP, 0.1, 0.15, q);
    CHECK_MESSAGE(q[0] < -0.05, "%s: x = %g behind a step", form, q[0]);
    for (int floor = WALL; floor <= BESIDE; ++floor) {
      for (int deep = 0; deep < 2; ++deep) {
        slide_over(form, kind, (enum floor)floor, 0.1 - 1e-4 * deep, 0.3, q);
        CHECK_MESSAGE(fabs(q[0] + 0.1) < 5e-3, "%s: x = %g at a wall", form, q[0]);
      }
    }
    slide_over(form, kind, LEDGE, 0.1, 0.6, q);
    CHECK_MESSAGE(q[up] < 0, "%s: height %g off a ledge", form, q[up]);
  }
}

/* A plank of two boxes, or of one, slides across a block narrower than either. */
static void plank(const char *form, enum mech_assembly_kind kind, int pieces, double q[7]) {
  const int up = kind == MECH_PLANAR ? 1 : 2;
  struct system model = begin(kind);
  struct mech_body b = block(kind, 0.05);
  b.inertia[0] = 0.3, b.inertia[1] = b.inertia[2] = 0.4;
  const int body = mech_assembly_body(model.a, &b);
  for (int k = 0; k < pieces; ++k) {
    struct mech_shape s = {.kind = MECH_SHAPE_BOX, .body = body, .half = {1.0 / pieces, 0.5, 0.5}};
    s.offset[0] = pieces == 2 ? k - 0.5 : 0;
    s.half[up] = 0.05;
    mech_assembly_shape(model.a, &s);
  }
  for (int k = 0; k < 2; ++k) {
    struct mech_shape s = {.kind = MECH_SHAPE_BOX, .body = -1, .half = {0.1, 0.3, 0.3}};
    s.half[up] = 0.1;
    s.offset[0] = 0.4 * k;
    s.offset[up] = -0.1;
    mech_assembly_shape(model.a, &s);
  }
  system_finish(&model, model.a);
  slide(form, &model, 0.3, q);
}

TEST(bodies_of_boxes_slide_as_one_box) {
  for (int k = 0; k < 2 * FORMS; ++k) {
    const enum mech_assembly_kind kind = k / FORMS ? MECH_SPATIAL : MECH_PLANAR;
    double one[7], two[7];
    plank(forms[k % FORMS], kind, 1, one);
    plank(forms[k % FORMS], kind, 2, two);
    CHECK(one[0] > 0);
    for (int i = 0; i < model_nq(forms[k % FORMS], kind); ++i) {
      CHECK_MESSAGE(fabs(two[i] - one[i]) < 2e-3, "%s: q_%d is %g, of one box %g", forms[k % FORMS],
                    i, two[i], one[i]);
    }
  }
}
