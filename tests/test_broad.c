/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Broad phase against all pairs, on random scenes of every distribution it might meet: uniform,
 * clustered, sizes over two decades, in a line, all in one place, bodies far away, walls. And its
 * cost: seconds a shape of a random packing must not grow with their number.
 */
#include "mech/assembly/assembly.h"
#include "mech/assembly/parts.h"
#include "mech/collision/collision.h"

#include "tests/random_problem.h"
#include "tests/test.h"

#include <stdio.h>
#include <time.h>

enum { MOST = 1500 };
enum scene { UNIFORM, CLUSTERED, MIXED, LINE, COINCIDENT, FAR, WALLS, POINTS, SCENES };
static const char *const scene_names[SCENES] = {"uniform",    "clustered", "mixed", "line",
                                                "coincident", "far",       "walls", "points"};

static struct mech_shape shapes[MOST];
static struct mech_pose poses[MOST];
static double bound[MOST];
static int group[MOST];

static void make_scene(struct base_rng *rng, enum scene scene, int n, double scale) {
  memset(shapes, 0, sizeof shapes);
  const double side = scale * cbrt(n) * 2;
  for (int i = 0; i < n; ++i) {
    struct mech_shape *s = &shapes[i];
    s->kind = MECH_SHAPE_SPHERE;
    s->radius = scale * base_rng_uniform(rng, 0.5, 1);
    for (int j = 0; j < 3; ++j) {
      poses[i].x[j] = base_rng_uniform(rng, -side / 2, side / 2);
      poses[i].x[j] *= scene == CLUSTERED && i % 3 ? 0.05 : scene == LINE && j != 1 ? 0 : 1;
      poses[i].x[j] *= scene == COINCIDENT ? 0 : scene == FAR && i % 50 == 0 ? 1e12 : 1;
    }
    double a[4];
    random_unit(rng, 4, a);
    mech_assembly_rotation(a, poses[i].R);
    if (scene == MIXED) {
      s->radius = scale * pow(10, base_rng_uniform(rng, -2, 0.3));
    } else if (scene == WALLS && i % (n / 40) == 0) {
      s->kind = i % 2 ? MECH_SHAPE_HALFSPACE : MECH_SHAPE_BOX;
      s->half[0] = s->half[1] = side;
      s->half[2] = scale;
    } else if (scene == POINTS) {
      s->kind = i % 2 ? MECH_SHAPE_POINT : MECH_SHAPE_SPHERE;
    }
    bound[i] = mech_shape_bound(s);
    group[i] = i % 11 == 0 ? -2 : i % 7 == 0 ? -1 : i / 2;
  }
}

/* The definition, for one pair. */
static int near_by_definition(int i, int j, double reach) {
  if (group[i] == group[j] || group[i] == -2 || group[j] == -2) {
    return 0;
  }
  const enum mech_shape_kind a = shapes[i].kind, b = shapes[j].kind;
  if (a == MECH_SHAPE_HALFSPACE || b == MECH_SHAPE_HALFSPACE) {
    const int plane = a == MECH_SHAPE_HALFSPACE ? i : j, ball = i + j - plane;
    double height = 0;
    for (int k = 0; k < 3; ++k) {
      height += poses[plane].R[3 * k + 2] * (poses[ball].x[k] - poses[plane].x[k]);
    }
    return a != b && height <= bound[ball] + reach;
  }
  double squared = 0;
  for (int k = 0; k < 3; ++k) {
    squared += (poses[i].x[k] - poses[j].x[k]) * (poses[i].x[k] - poses[j].x[k]);
  }
  int near = sqrt(squared) <= bound[i] + bound[j] + reach;
  for (int side = 0; side < 2; ++side) { /* the ball about one must reach the box of the other */
    const int box = side ? i : j, ball = i + j - box;
    if (shapes[box].kind == MECH_SHAPE_BOX) {
      double over = 0;
      for (int k = 0; k < 3; ++k) {
        double along = 0;
        for (int l = 0; l < 3; ++l) {
          along += poses[box].R[3 * l + k] * (poses[ball].x[l] - poses[box].x[l]);
        }
        over += pow(fmax(fabs(along) - shapes[box].half[k], 0), 2);
      }
      near = near && sqrt(over) <= bound[ball] + reach;
    }
  }
  return near && (a != MECH_SHAPE_POINT || b != MECH_SHAPE_POINT);
}

/* The arrays above, or others like them, as the broad phase asks for them. */
struct arrays {
  const struct mech_shape *shapes;
  const struct mech_pose *poses;
  const double *bound;
  const int *group;
};

static void array_ball(const void *data, int i, struct mech_broad_ball *out) {
  const struct arrays *a = data;
  *out = (struct mech_broad_ball){
      .bound = a->bound[i], .group = a->group[i], .kind = a->shapes[i].kind};
  memcpy(out->x, a->poses[i].x, sizeof out->x);
}

static void array_pose(const void *data, int i, struct mech_pose *pose, double half[3]) {
  const struct arrays *a = data;
  *pose = a->poses[i];
  memcpy(half, a->shapes[i].half, 3 * sizeof *half);
}

static struct mech_pairs find(struct mech_broad *broad, int n, const struct arrays *a, double reach,
                              struct base_arena *scratch) {
  const struct mech_broad_shapes given = {
      .n = n, .data = a, .ball = array_ball, .pose = array_pose};
  return mech_broad_find(broad, &given, reach, scratch);
}

static void check_scene(struct mech_broad *broad, const char *name, int n, double reach,
                        struct base_arena *scratch) {
  const struct arrays arrays = {shapes, poses, bound, group};
  const struct mech_pairs pairs = find(broad, n, &arrays, reach, scratch);
  const long last = pairs.start[n];
  long k = 0, missed = 0, expected = 0;
  CHECK(pairs.n_shapes == n && pairs.start[0] == 0);
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      const int near = near_by_definition(i, j, reach);
      const int found = k < pairs.start[i + 1] && pairs.second[k] == j;
      expected += near;
      missed += near != found;
      k += found;
    }
  }
  CHECK_MESSAGE(missed == 0 && k == last && expected == last,
                "%s, n = %d: %ld pairs, %ld expected, %ld differ, %ld not in order", name, n, last,
                expected, missed, last - k);
}

TEST(pairs_are_those_of_all_pairs_in_order) {
  struct base_rng *rng = test_rng(0);
  struct base_arena *arena = test_arena();
  struct mech_broad *broad = mech_broad_alloc(arena);
  const int sizes[] = {0, 1, 2, 40, 300, MOST};
  const double scales[] = {1e-3, 1, 1e3};
  for (int scene = 0; scene < SCENES; ++scene) {
    for (int size = 0; size < 6; ++size) {
      const double scale = scales[(scene + size) % 3];
      const int n = scene == COINCIDENT && size == 5 ? 400 : sizes[size];
      make_scene(rng, (enum scene)scene, n < 40 && scene == WALLS ? 40 : n, scale);
      check_scene(broad, scene_names[scene], n, size % 2 ? 0 : 0.1 * scale, arena);
    }
    check_scene(broad, scene_names[scene], 40, INFINITY, arena);
  }
}

/* Of this process: what else the machine does counts less. */
static double cpu_seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* Spheres on a lattice moved at random by a fifth of a diameter, in random order in memory; about
 * three touches a sphere. Returns seconds a sphere of broad and narrow phase together. */
static double time_packing(int n, int random_order, double *touches) {
  struct base_rng *rng = test_rng(0);
  struct base_arena *arena = test_arena();
  struct mech_shape *shape = base_arena_push(arena, (size_t)n * sizeof *shape);
  struct mech_pose *pose = base_arena_push(arena, (size_t)n * sizeof *pose);
  double *radius = base_arena_doubles(arena, n);
  int *body = base_arena_ints(arena, n), *place = base_arena_ints(arena, n);
  const int side = (int)ceil(cbrt(n));
  for (int i = 0; i < n; ++i) {
    const int k = random_order ? base_rng_below(rng, i + 1) : i;
    place[i] = place[k];
    place[k] = i;
  }
  for (int i = 0; i < n; ++i) {
    const int at[3] = {place[i] % side, place[i] / side % side, place[i] / side / side};
    for (int j = 0; j < 3; ++j) {
      pose[i].x[j] = at[j] + base_rng_uniform(rng, -0.2, 0.2);
      pose[i].R[4 * j] = 1;
    }
    shape[i] = (struct mech_shape){.kind = MECH_SHAPE_SPHERE, .radius = 0.56};
    radius[i] = 0.56;
    body[i] = i;
  }
  struct mech_broad *broad = mech_broad_alloc(arena);
  double best = INFINITY;
  long found = 0;
  for (int run = 0; run < 3; ++run) {
    struct mech_touch touch[MECH_TOUCH_MAX];
    const double start = cpu_seconds();
    const struct arrays arrays = {shape, pose, radius, body};
    const struct mech_pairs pairs = find(broad, n, &arrays, 0.01, arena);
    found = 0;
    for (int i = 0; i < n; ++i) {
      for (int k = pairs.start[i]; k < pairs.start[i + 1]; ++k) {
        const int j = pairs.second[k];
        found += mech_collide(&shape[i], &pose[i], &shape[j], &pose[j], 0, 0.01, touch);
      }
    }
    best = fmin(best, (cpu_seconds() - start) / n);
  }
  *touches = (double)found / n;
  return best;
}

/* A time that grew with n would show as a factor of 10; caches cost some, other programs more. */
TEST(time_a_sphere_does_not_grow_with_their_number) {
  double touches[2];
  const double few = time_packing(10000, 1, &touches[0]);
  const double many = time_packing(100000, 1, &touches[1]);
  printf("  broad and narrow phase: %.0f ns a sphere of 1e4, %.0f of 1e5, %.2f touches a sphere\n",
         1e9 * few, 1e9 * many, touches[1]);
  CHECK_LE(many, 5 * few);
  CHECK_NEAR(touches[0], touches[1], 0.1);
}
