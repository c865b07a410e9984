/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scene files: mass and inertia of shapes against sums over a grid, bodies whose frame moves to
 * their centre of mass against the same body given by hand, records that are scenes again, --set,
 * every example, tables of keys against the documented ones; files of motions
 * whose closed forms the case has.
 */
#include <glob.h>
#include <math.h>
#include <stdio.h>

#include "base/data.h"
#include "base/json/json.h"
#include "base/json/keys.h"
#include "bench/run/run.h"
#include "bench/suite/suite.h"
#include "cases/case.h"
#include "cases/scene_parts.h"
#include "mech/assembly/assembly.h"
#include "tests/scratch.h"
#include "tests/test.h"
#include "tests/trial.h"

/* ---- mass, centre and inertia ---- */

/* Is a point (in the shape's frame) inside? planar: as the outline is seen. */
static int is_inside(const struct mech_shape *s, const double x[3], int planar) {
  const double along = planar ? x[1] : x[2], rr = planar ? x[0] * x[0] : x[0] * x[0] + x[1] * x[1];
  const double over = fmax(0, fabs(along) - s->half_length);
  switch (s->kind) {
  case MECH_SHAPE_SPHERE:
    return x[0] * x[0] + x[1] * x[1] + x[2] * x[2] <= s->radius * s->radius;
  case MECH_SHAPE_BOX:
    return fabs(x[0]) <= s->half[0] && fabs(x[1]) <= s->half[1] &&
           (planar || fabs(x[2]) <= s->half[2]);
  case MECH_SHAPE_CYLINDER:
    return rr <= s->radius * s->radius && over == 0;
  case MECH_SHAPE_CAPSULE:
    return rr + over * over <= s->radius * s->radius;
  default:
    return 0;
  }
}

/* Moments of one shape by midpoints of a grid of N cells a side; J about the body's origin. */
static void sum_grid(const struct mech_shape *s, int planar, double *volume, double c[3],
                     double J[9]) {
  enum { N = 100 };
  const double r0 = s->radius, l = s->half_length + (s->kind == MECH_SHAPE_CAPSULE ? r0 : 0);
  const double e[3] = {s->kind == MECH_SHAPE_BOX ? s->half[0] : r0,
                       s->kind == MECH_SHAPE_BOX               ? s->half[1]
                       : planar && s->kind > MECH_SHAPE_SPHERE ? l
                                                               : r0,
                       s->kind == MECH_SHAPE_BOX     ? s->half[2]
                       : s->kind > MECH_SHAPE_SPHERE ? l
                                                     : r0}; /* half sides of the cells' box */
  const double cell = planar ? 4 * e[0] * e[1] / (N * N) : 8 * e[0] * e[1] * e[2] / (N * N * N);
  double R[9];
  scene_quaternion_matrix(s->orientation, R);
  for (int k = 0; k < (planar ? 1 : N); ++k) {
    for (int j = 0; j < N; ++j) {
      for (int i = 0; i < N; ++i) {
        const double x[3] = {e[0] * (2 * i + 1 - N) / N, e[1] * (2 * j + 1 - N) / N,
                             planar ? 0 : e[2] * (2 * k + 1 - N) / N};
        if (!is_inside(s, x, planar)) {
          continue;
        }
        double y[3], square = 0;
        for (int r = 0; r < 3; ++r) {
          y[r] = s->offset[r] +
                 (planar ? x[r] : R[3 * r] * x[0] + R[3 * r + 1] * x[1] + R[3 * r + 2] * x[2]);
          square += y[r] * y[r];
          c[r] += cell * y[r];
        }
        *volume += cell;
        for (int r = 0; r < 3; ++r) {
          for (int t = 0; t < 3; ++t) {
            J[3 * r + t] += cell * ((r == t ? square : 0) - y[r] * y[t]);
          }
        }
      }
    }
  }
}

static void compare_filling(int planar, int n, const struct mech_shape *shapes) {
  const struct scene_filling f = scene_fill(planar, n, shapes);
  double volume = 0, c[3] = {0}, J[9] = {0};
  for (int i = 0; i < n; ++i) {
    sum_grid(&shapes[i], planar, &volume, c, J);
  }
  const double trace = J[0] + J[4] + J[8];
  CHECK_NEAR(f.volume, volume, 0.002 * volume);
  for (int i = 0; i < 3; ++i) {
    CHECK_NEAR(f.centre[i], c[i] / volume, 3e-4);
  }
  for (int i = planar ? 2 : 0; i < 3; ++i) { /* B diag(J) B^T + V (c^2 1 - c c^T) = sum */
    for (int j = planar ? 2 : 0; j < 3; ++j) {
      double sum = -f.volume * f.centre[i] * f.centre[j];
      for (int k = 0; k < 3; ++k) {
        sum += f.axes[3 * i + k] * f.moment[k] * f.axes[3 * j + k];
        sum += i == j ? f.volume * f.centre[k] * f.centre[k] : 0;
      }
      CHECK_NEAR(sum, J[3 * i + j], 0.002 * trace);
    }
  }
  double turned[9];
  scene_quaternion_matrix(f.turn, turned);
  CHECK_LE(test_distance(9, turned, f.axes), 1e-13);
}

TEST(filling_of_shapes_is_that_of_a_grid) {
  static const enum mech_shape_kind kinds[] = {MECH_SHAPE_SPHERE, MECH_SHAPE_BOX,
                                               MECH_SHAPE_CAPSULE, MECH_SHAPE_CYLINDER};
  struct base_rng *rng = test_rng(0);
  for (int planar = 0; planar < 2; ++planar) {
    struct mech_shape shapes[4];
    for (int k = 0; k < 4; ++k) {
      double A[4], size = 0;
      for (int i = 0; i < 4; ++i) {
        A[i] = base_rng_uniform(rng, -1, 1);
        size = hypot(size, A[i]);
      }
      shapes[k] = (struct mech_shape){.kind = kinds[k],
                                      .radius = base_rng_uniform(rng, 0.05, 0.12),
                                      .half_length = base_rng_uniform(rng, 0.05, 0.15)};
      for (int i = 0; i < 3; ++i) {
        shapes[k].half[i] = base_rng_uniform(rng, 0.05, 0.25);
        shapes[k].offset[i] = planar && i == 2 ? 0 : base_rng_uniform(rng, -0.3, 0.3);
      }
      for (int i = 0; i < 4; ++i) {
        shapes[k].orientation[i] = planar ? i == 0 : A[i] / size;
      }
      compare_filling(planar, 1, &shapes[k]);
    }
    compare_filling(planar, 4, shapes);
  }
}

TEST(frames_that_are_principal_stay) {
  const struct mech_shape box = {
      .kind = MECH_SHAPE_BOX, .half = {0.3, 0.1, 0.2}, .orientation = {1}};
  const struct scene_filling f = scene_fill(0, 1, &box);
  const double m = 8 * 0.3 * 0.1 * 0.2;
  CHECK_NEAR(f.moment[0], m / 3 * (0.01 + 0.04), 1e-17);
  CHECK_NEAR(f.moment[1], m / 3 * (0.09 + 0.04), 1e-17);
  for (int i = 0; i < 9; ++i) {
    CHECK_NEAR(f.axes[i], i % 4 == 0, 0);
  }
}

/* ---- scenes as text ---- */

struct built {
  struct base_arena *arena;
  struct case_instance instance;
};

/* The scene of a text with ' for ". */
static struct built build(const char *text) {
  struct built b = {.arena = test_arena()};
  cJSON *kept = base_json_copy(test_parse(text), b.arena);
  CHECK_OK(scene_build(kept, "scene.json", b.arena, &b.instance));
  return b;
}

#define HEAD                                                                                       \
  "{'schema': 'coulombench.scene/1', 'name': 's', 'gravity': [0, 0, -9.81], 'dt': 1e-3, "          \
  "'t_end': 1, 'materials': {'m': {'mu': 0.3}, 'n': {'mu': 0.5, 'eps_N': 0.4}}, 'bodies': ["

/* A body whose shapes are off its frame, against the one given by mass, centre and inertia. */
TEST(frame_moves_to_the_centre_of_mass) {
  struct built a =
      build(HEAD "{'name': 'b', 'density': 1000, 'position': [1, 2, 3], 'orientation': "
                 "[0.6, 0, 0, 0.8], 'angular_velocity': [1, 2, 3], 'shapes': [{'type': "
                 "'box', 'half': [0.1, 0.2, 0.3], 'offset': [0.5, 0, 0], 'material': "
                 "'m'}]}], 'forces': [{'body': 'b', 'force': [0, 0, 1], 'torque': [1, 2, "
                 "3], 'at': [0.5, 0.1, 0]}]}");
  /* R(0.6, 0, 0, 0.8) e_x = (1 - 2 0.64, 2 0.6 0.8, 0) */
  struct built b = build(HEAD "{'name': 'b', 'mass': 48, 'inertia': [2.08, 1.6, 0.8], 'position': "
                              "[0.86, 2.48, 3], 'orientation': [0.6, 0, 0, 0.8], "
                              "'angular_velocity': [1, 2, 3], 'shapes': [{'type': 'box', 'half': "
                              "[0.1, 0.2, 0.3], 'material': 'm'}]}], 'forces': [{'body': 'b', "
                              "'force': [0, 0, 1], 'torque': [1, 2, 3], 'at': [0, 0.1, 0]}]}");
  const struct mech *x = a.instance.mech, *y = b.instance.mech;
  double hx[6], hy[6], Mx[36], My[36];
  CHECK_LE(test_distance(7, a.instance.q, b.instance.q), 1e-14);
  x->ops->force(x, a.instance.q, a.instance.u, 0, hx);
  y->ops->force(y, b.instance.q, b.instance.u, 0, hy);
  x->ops->mass(x, a.instance.q, Mx);
  y->ops->mass(y, b.instance.q, My);
  for (int i = 0; i < 6; ++i) {
    CHECK_NEAR(a.instance.u[i], b.instance.u[i], 1e-14);
    CHECK_NEAR(hx[i], hy[i], 1e-11);
    CHECK_NEAR(Mx[7 * i], My[7 * i], 1e-12);
  }
}

/* Turned shapes: what the frame does must not show in the world: corners, spin, torque. */
TEST(principal_axes_leave_the_world_as_it_is) {
  struct built a =
      build(HEAD "{'name': 'b', 'mass': 2, 'position': [0, 0, 1], 'angular_velocity': "
                 "[1, 2, 3], 'shapes': [{'type': 'box', 'half': [0.1, 0.2, 0.3], "
                 "'orientation': [0.8, 0.36, 0.48, 0], 'material': 'm'}]}, {'name': "
                 "'f', 'fixed': true, 'shapes': [{'type': 'halfspace', 'normal': [0, 0, "
                 "2], 'material': 'm'}]}]}");
  const struct mech *m = a.instance.mech;
  const struct mech_assembly *as = mech_assembly_of(m);
  const struct mech_pose body = mech_assembly_pose(as, a.instance.q, 0),
                         shape = mech_assembly_shape_pose(as, a.instance.q, 0);
  double R[9];
  scene_quaternion_matrix((double[4]){0.8, 0.36, 0.48, 0}, R);
  CHECK_LE(test_distance(9, shape.R, R), 1e-14);
  for (int i = 0; i < 3; ++i) { /* omega in the world */
    double w = 0;
    for (int j = 0; j < 3; ++j) {
      w += body.R[3 * i + j] * a.instance.u[3 + j];
    }
    CHECK_NEAR(w, i + 1, 1e-14);
  }
}

TEST(pairs_not_listed_are_told) {
  struct built a = build(
      HEAD
      "{'name': 'b', 'mass': 2, 'position': [0, 0, 1], 'shapes': [{'type': 'sphere', 'radius': "
      "1, 'material': 'm'}]}, {'name': 'f', 'fixed': true, 'shapes': [{'type': 'halfspace', "
      "'normal': [0, 0, 1], 'material': 'n'}]}]}");
  CHECK_TEXT(a.instance.notes,
             "m on n, not listed: the larger mu 0.5, the smaller eps_N 0, eps_T 0");
  struct mech_contacts c;
  mech_contacts_init(&c, a.instance.mech, a.arena);
  mech_contacts_find(a.instance.mech, a.instance.q, a.instance.u, 0.1, &c);
  CHECK_INT(c.n, 1);
  CHECK_NEAR(c.mu[0], 0.5, 0);
  CHECK_NEAR(c.eps_N[0], 0, 0);
}

/* ---- files ---- */

/* Every element appears somewhere: kinds of shapes and joints that were seen. */
static unsigned shapes_seen, joints_seen;

/* The model is right in itself, 20 steps of moreau end well, and the record, written out, is a
 * scene that gives the same record. */
static void run_example(const char *path) {
  struct base_arena *arena = test_arena();
  const struct case_type *type = case_open(path, NULL, arena);
  CHECK_MESSAGE(type != NULL, "%s", base_message());
  struct case_parameters *p = type != NULL ? case_parameters_load(type, arena) : NULL;
  struct case_instance instance = {0};
  CHECK_MESSAGE(p != NULL && type->build(p, arena, &instance) == BASE_OK, "%s", base_message());
  const struct mech_assembly *a = mech_assembly_of(instance.mech);
  for (int i = 0; i < mech_assembly_shapes(a); ++i) {
    shapes_seen |= 1u << mech_assembly_get_shape(a, i).kind;
  }
  for (int i = 0; i < mech_assembly_joints(a); ++i) {
    joints_seen |= 1u << mech_assembly_get_joint(a, i, NULL)->kind;
  }
  const struct bench_request request = {
      .case_name = path, .formulation = "moreau", .t_end = 0.02, .dt = 1e-3, .sample = 0.01};
  cJSON *first = trial_record_of(request, TRIAL_WITHOUT_ERRORS);
  CHECK_TEXT(base_json_text_at(first, "status"), "ok");
  const char *file = scratch_path("again.json");
  CHECK_OK(base_json_write(file, base_json_at(first, "case.parameters")));
  struct bench_request again = request;
  again.case_name = file;
  cJSON *second = trial_record_of(again, TRIAL_WITHOUT_ERRORS);
  static const char *const blocks[] = {"case", "final", "energy", "law", "trajectory"};
  for (int i = 0; i < 5; ++i) {
    CHECK_MESSAGE(cJSON_Compare(base_json_at(first, blocks[i]), base_json_at(second, blocks[i]), 1),
                  "%s: another %s", path, blocks[i]);
  }
}

TEST(every_example_runs_and_repeats_from_its_record) {
  shapes_seen = joints_seen = 0;
  glob_t found = {0};
  const char *all = base_arena_printf(test_arena(), "%s/cases/scenes/*.json", base_data_folder());
  CHECK_INT(glob(all, 0, NULL, &found), 0);
  CHECK(found.gl_pathc > 15);
  for (size_t i = 0; i < found.gl_pathc; ++i) {
    if (strcmp(strrchr(found.gl_pathv[i], '/'), "/schema.json") != 0) {
      run_example(found.gl_pathv[i]);
    }
  }
  globfree(&found);
  CHECK_INT(shapes_seen, (1u << MECH_SHAPE_KINDS) - 1);
  CHECK_INT(joints_seen, (1u << MECH_JOINT_KINDS) - 1);
}

/* A row "| `key` | ... | unit |" for every key, in the section of its element. */
static void check_rows(struct base_arena *arena, const char *page, const struct base_table *table) {
  const char *section = strstr(page, base_arena_printf(arena, "\n### %s\n", table->what));
  CHECK_MESSAGE(section != NULL, "no section '%s'", table->what);
  const char *next = section != NULL ? strstr(section + 5, "\n### ") : NULL;
  for (const struct base_key *key = table->keys; section != NULL && key->name != NULL; ++key) {
    const char *row = section;
    int found = 0;
    while ((row = strstr(row, base_arena_printf(arena, "\n| `%s` | ", key->name))) != NULL &&
           (next == NULL || row < next)) {
      const char *end = strchr(row + 1, '\n');
      const char *line = base_arena_printf(arena, "%.*s", (int)(end - row), row);
      found |= key->unit == NULL || key->unit[0] == '\0' ||
               strstr(line, base_arena_printf(arena, " | %s |", key->unit)) != NULL;
      row = end;
    }
    CHECK_MESSAGE(found, "%s: no row for '%s'", table->what, key->name);
    if (key->in != NULL) {
      check_rows(arena, page, key->in);
    }
  }
}

TEST(every_key_is_documented) {
  struct base_arena *arena = test_arena();
  check_rows(arena, scratch_text(base_data_path(arena, "cases/scenes/README.md")),
             &case_scene_keys);
}

/* ---- --set ---- */

TEST(values_are_set_by_path) {
  struct base_arena *arena = test_arena();
  const struct case_type *type = case_open("cases/scenes/rolling-sphere.json", NULL, arena);
  struct case_parameters *p = case_parameters_load(type, arena);
  CHECK_TEXT(type->name, "rolling-sphere");
  CHECK(!case_parameters_changed(p));
  CHECK_OK(case_parameters_set(p, "bodies.ball.velocity.0", "1"));
  CHECK(!case_parameters_changed(p)); /* as it was */
  CHECK_OK(case_parameters_set(p, "bodies.ball.velocity.0", "2.5"));
  CHECK_OK(case_parameters_set(p, "materials.rubber.mu", "0.25"));
  CHECK_OK(case_parameters_set(p, "bodies.1.shapes.0.radius", "0.2"));
  CHECK_OK(case_parameters_set(p, "materials.rubber.eps_N", "0.5")); /* new */
  CHECK(case_parameters_changed(p));
  struct case_instance instance = {0};
  CHECK_OK(type->build(p, arena, &instance));
  CHECK_NEAR(instance.u[0], 2.5, 0);
  const struct mech_assembly *a = mech_assembly_of(instance.mech);
  CHECK_NEAR(mech_assembly_get_shape(a, 1).radius, 0.2, 0);
  cJSON *json = test_json(case_parameters_to_json(p));
  CHECK_NEAR(base_json_real_at(json, "materials.rubber.mu"), 0.25, 0);
  CHECK_NEAR(base_json_real_at(json, "materials.rubber.eps_N"), 0.5, 0);
  CHECK_INT(case_parameters_set(p, "bodies.ball.velocity", "1"), BASE_E_INPUT);
  CHECK_INT(case_parameters_set(p, "bodies.ball.velocity.3", "1"), BASE_E_INPUT);
  CHECK_INT(case_parameters_set(p, "", "1"), BASE_E_INPUT);
}

/* ---- physics ---- */

/* The scene files are the motions of the case at its own parameters, and event agrees with the
 * closed forms to its tolerance. */
TEST(files_are_the_case_and_event_is_exact) {
  static const char *const scenes[] = {"rolling-sphere", "incline", "heavy-top"};
  for (int i = 0; i < 3; ++i) {
    struct base_arena *arena = test_arena();
    struct bench_request request = {
        .case_name = "closed-forms", .formulation = "event", .t_end = i == 1 ? 0.02 : 0.1};
    request.set = BASE_WORDS(base_arena_printf(arena, "scene=%s", scenes[i]));
    cJSON *own = trial_record_of(request, TRIAL_WITH_ERRORS);
    request.set = (struct base_words){0};
    request.case_name = base_arena_printf(arena, "cases/scenes/%s.json", scenes[i]);
    cJSON *file = trial_record_of(request, TRIAL_WITH_ERRORS);
    CHECK_TEXT(base_json_text_at(own, "reference.kind"), "analytic");
    CHECK_LE(base_json_real_at(own, "errors.q_linf"), 1e-11);
    const cJSON *a = base_json_at(own, "final.q")->child, *b = base_json_at(file, "final.q")->child;
    for (; a != NULL && b != NULL; a = a->next, b = b->next) {
      CHECK_NEAR(a->valuedouble, b->valuedouble, 1e-11);
    }
  }
}
