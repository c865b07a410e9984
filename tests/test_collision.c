/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Narrow phase of every pair of shapes against two facts that need no algorithm. For every unit n
 *
 *   sep(n) = n . (x_b - x_a) - s_a(n) - s_b(-n),  s the support functions,
 *
 * is at most the distance (minus the depth) of two convex bodies. So a gap is right when sep of its
 * own normal equals it (it is not too large) and no direction found by random search is better (it
 * is not too small). Places must lie on both surfaces, the rate must be that of finite differences,
 * nothing may depend on the order of the two or on the unit of length.
 */
#include "mech/assembly/assembly.h"
#include "mech/assembly/parts.h"
#include "mech/collision/collision.h"

#include "tests/random_problem.h"
#include "tests/test.h"

enum { ROUND = MECH_SHAPE_HALFSPACE }; /* kinds with an inside */
enum { AT_RANDOM, ALIGNED, ARRANGEMENTS };

struct pair {
  struct mech_shape shape[2];
  struct mech_pose pose[2];
  int planar;
};

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void random_axes(struct base_rng *rng, int planar, double R[9]) {
  double a[4];
  random_unit(rng, planar ? 2 : 4, a);
  if (planar) {
    a[3] = a[1];
    a[1] = a[2] = 0;
  }
  mech_assembly_rotation(a, R);
}

/* Turned so that the old axes (x, y, z) are the new (y, z, x): puts an axis z into the plane. */
static void lay_down(double R[9]) {
  for (int i = 0; i < 3; ++i) {
    const double z = R[3 * i + 2];
    R[3 * i + 2] = R[3 * i];
    R[3 * i] = R[3 * i + 1];
    R[3 * i + 1] = z;
  }
}

/* Support function of a shape along n (world) about its centre; planar: of its section z = 0. */
static double extent(const struct mech_shape *s, const struct mech_pose *pose, int planar,
                     const double *n) {
  double c[3], across[3];
  for (int j = 0; j < 3; ++j) {
    c[j] = 0;
    for (int i = 0; i < 3; ++i) {
      c[j] += pose->R[3 * i + j] * n[i];
    }
    across[j] = planar && fabs(pose->R[6 + j]) > 0.9 ? 0 : 1;
  }
  switch (s->kind) {
  case MECH_SHAPE_SPHERE:
    return s->radius;
  case MECH_SHAPE_BOX:
    return across[0] * s->half[0] * fabs(c[0]) + across[1] * s->half[1] * fabs(c[1]) +
           across[2] * s->half[2] * fabs(c[2]);
  case MECH_SHAPE_CAPSULE:
    return s->radius + s->half_length * fabs(c[2]);
  case MECH_SHAPE_CYLINDER:
    return s->radius * hypot(c[0], c[1]) + across[2] * s->half_length * fabs(c[2]);
  default:
    return 0;
  }
}

static double size_of(const struct pair *p) { /* of those that are bounded */
  double size = 0;
  for (int k = 0; k < 2; ++k) {
    const double bound = mech_shape_bound(&p->shape[k]);
    size += bound < INFINITY ? bound : 0;
  }
  return size;
}

static double separation(const struct pair *p, const double *n) {
  double d[3];
  for (int i = 0; i < 3; ++i) {
    d[i] = p->pose[1].x[i] - p->pose[0].x[i];
  }
  return dot(n, d) - extent(&p->shape[0], &p->pose[0], p->planar, n) -
         extent(&p->shape[1], &p->pose[1], p->planar, n);
}

static double unit(double *n) {
  const double length = sqrt(dot(n, n));
  for (int i = 0; i < 3; ++i) {
    n[i] /= length;
  }
  return length;
}

/* Largest separation found by random directions and by narrowing about the best ones. */
static double search(struct base_rng *rng, const struct pair *p) {
  const int narrowing = p->planar ? 300 : 600; /* of one angle, or two */
  const double narrower = p->planar ? 0.93 : 0.965;
  double best = -INFINITY;
  for (int start = 0; start < 4; ++start) {
    double at[3] = {0, 0, 0}, here = -INFINITY, width = 3;
    for (int i = 0; i < 100 + narrowing; ++i) {
      double n[3];
      for (int j = 0; j < 3; ++j) {
        n[j] = at[j] + width * (p->planar && j == 2 ? 0 : base_rng_uniform(rng, -1.7, 1.7));
      }
      unit(n);
      const double sep = separation(p, n);
      if (sep > here) {
        here = sep;
        memcpy(at, n, sizeof n);
      }
      width = i < 100 ? 3 : width * narrower;
    }
    best = fmax(best, here);
  }
  return best;
}

static void random_shape(struct base_rng *rng, int kind, double scale, struct mech_shape *s) {
  memset(s, 0, sizeof *s);
  s->kind = (enum mech_shape_kind)kind;
  s->radius = scale * base_rng_uniform(rng, 0.2, 1);
  s->half_length = scale * base_rng_uniform(rng, 0.2, 1);
  for (int j = 0; j < 3; ++j) {
    s->half[j] = scale * base_rng_uniform(rng, 0.2, 1);
  }
}

/* A pair whose surfaces are from about half of its size apart to half of it in each other. */
static void random_pair(struct base_rng *rng, int a, int b, int planar, int arrangement,
                        double scale, struct pair *p) {
  double n[3];
  memset(p, 0, sizeof *p);
  p->planar = planar;
  random_shape(rng, a, scale, &p->shape[0]);
  random_shape(rng, b, scale, &p->shape[1]);
  for (int k = 0; k < 2; ++k) {
    if (k == 0 || arrangement == AT_RANDOM) {
      random_axes(rng, planar, p->pose[k].R);
      if (planar && (p->shape[k].kind == MECH_SHAPE_CAPSULE || base_rng_below(rng, 2))) {
        lay_down(p->pose[k].R);
      }
    } else {
      memcpy(p->pose[1].R, p->pose[0].R, sizeof p->pose[1].R);
      if (!planar && base_rng_below(rng, 2)) {
        lay_down(p->pose[1].R);
      }
    }
    for (int j = 0; j < 3; ++j) {
      p->pose[k].x[j] = planar && j == 2 ? 0 : base_rng_uniform(rng, -scale, scale);
    }
  }
  if (arrangement == ALIGNED) { /* along a common axis, and a little aside */
    const int j = planar && fabs(p->pose[0].R[6]) > 0.5 ? 1 : base_rng_below(rng, planar ? 1 : 3);
    for (int i = 0; i < 3; ++i) {
      n[i] =
          p->pose[0].R[3 * i + j] + (base_rng_below(rng, 2) ? base_rng_uniform(rng, -0.3, 0.3) : 0);
    }
  } else {
    base_rng_normals(rng, 3, n);
  }
  n[2] = planar ? 0 : n[2];
  unit(n);
  const double size = size_of(p);
  const double depth = pow(10, base_rng_uniform(rng, -4, -0.3)) * (base_rng_below(rng, 2) ? 1 : -1);
  const double apart = extent(&p->shape[0], &p->pose[0], planar, n) +
                       extent(&p->shape[1], &p->pose[1], planar, n) + depth * size;
  for (int i = 0; i < 3; ++i) {
    p->pose[1].x[i] = p->pose[0].x[i] + fmax(apart, 0.01 * size) * n[i];
  }
}

static int collide(const struct pair *p, double reach, struct mech_touch *t) {
  return mech_collide(&p->shape[0], &p->pose[0], &p->shape[1], &p->pose[1], p->planar, reach, t);
}

/* Distance from a shape to a point, 0 inside. */
static double outside(const struct mech_shape *s, const struct mech_pose *pose, const double *x) {
  double c[3];
  for (int j = 0; j < 3; ++j) {
    c[j] = 0;
    for (int i = 0; i < 3; ++i) {
      c[j] += pose->R[3 * i + j] * (x[i] - pose->x[i]);
    }
  }
  const double z = fmax(fabs(c[2]) - s->half_length, 0);
  switch (s->kind) {
  case MECH_SHAPE_POINT:
    return sqrt(dot(c, c));
  case MECH_SHAPE_SPHERE:
    return fmax(sqrt(dot(c, c)) - s->radius, 0);
  case MECH_SHAPE_CAPSULE:
    return fmax(sqrt(c[0] * c[0] + c[1] * c[1] + z * z) - s->radius, 0);
  case MECH_SHAPE_CYLINDER:
    return hypot(fmax(hypot(c[0], c[1]) - s->radius, 0), z);
  default:
    return sqrt(pow(fmax(fabs(c[0]) - s->half[0], 0), 2) +
                pow(fmax(fabs(c[1]) - s->half[1], 0), 2) +
                pow(fmax(fabs(c[2]) - s->half[2], 0), 2));
  }
}

/* A manifold stands for the deepest pair when it is as deep up to this, relative to the gap; places
 * in it are on their faces up to same_place, relative to the sizes. */
static const double same_gap = 1e-4, same_place = 2e-6;

/* Of gaps, relative to the sizes: closed forms, finitely many axes and roots, but for edges
 * parallel to 1e-7 that give none. */
static const double accuracy = 1e-7;

struct tally {
  long pairs, wrong_gap, not_best, off_surface, not_unit, unordered, none;
  double gap, best, off;
};

static void judge(struct base_rng *rng, const struct pair *p, struct tally *count) {
  struct mech_touch t[MECH_TOUCH_MAX];
  const double size = size_of(p);
  const int n = collide(p, INFINITY, t);
  count->pairs++;
  if (n == 0) {
    count->none++;
    return;
  }
  int least = 0;
  for (int i = 0; i < n; ++i) {
    least = t[i].gap < t[least].gap ? i : least;
    count->not_unit += !(fabs(dot(t[i].normal, t[i].normal) - 1) < 1e-12);
    count->unordered += i > 0 && t[i].feature <= t[i - 1].feature;
    count->unordered += t[i].feature < 0 || t[i].feature >= MECH_TOUCH_FEATURES;
  }
  const struct mech_touch *m = &t[least];
  double on[3], off = 0;
  for (int k = 0; k < 2; ++k) {
    for (int i = 0; i < 3; ++i) {
      on[i] = m->point[i] + (k ? 0.5 : -0.5) * m->gap * m->normal[i];
    }
    off = fmax(off, outside(&p->shape[k], &p->pose[k], on) / size);
  }
  const double own = (m->gap - separation(p, m->normal)) / size;
  const double better = (search(rng, p) - m->gap) / size;
  count->gap = fmax(count->gap, fabs(own));
  count->best = fmax(count->best, better);
  count->off = fmax(count->off, off);
  const double allowed = same_gap * fabs(m->gap) / size + accuracy;
  count->wrong_gap += !(fabs(own) <= allowed);
  count->not_best += !(better <= allowed);
  count->off_surface += !(off <= allowed + same_place);
}

static void judge_kinds(int planar) {
  struct base_rng *rng = test_rng(0);
  for (int a = 0; a < ROUND; ++a) {
    for (int b = a > 0 ? a : 1; b < ROUND; ++b) {
      struct tally count = {0};
      for (int i = 0; i < 300; ++i) {
        struct pair p;
        random_pair(rng, a, b, planar, i % ARRANGEMENTS, 1, &p);
        judge(rng, &p, &count);
      }
      CHECK_MESSAGE(!count.wrong_gap && !count.not_best && !count.off_surface && !count.not_unit &&
                        !count.unordered && !count.none,
                    "%s-%s: of %ld gaps %ld not along their normal (%.1e), %ld not the least depth "
                    "(%.1e), %ld off the surfaces (%.1e), %ld without touch, %ld %ld malformed",
                    mech_shape_name((enum mech_shape_kind)a),
                    mech_shape_name((enum mech_shape_kind)b), count.pairs, count.wrong_gap,
                    count.gap, count.not_best, count.best, count.off_surface, count.off, count.none,
                    count.not_unit, count.unordered);
    }
  }
}

TEST(gaps_of_convex_pairs_are_those_of_search_in_space) { judge_kinds(0); }
TEST(gaps_of_convex_pairs_are_those_of_search_in_the_plane) { judge_kinds(1); }

static double least_gap(const struct pair *p, double n[3]) {
  struct mech_touch t[MECH_TOUCH_MAX];
  const int count = collide(p, INFINITY, t);
  double least = INFINITY;
  for (int i = 0; i < count; ++i) {
    if (t[i].gap < least) {
      least = t[i].gap;
      memcpy(n, t[i].normal, sizeof t[i].normal);
    }
  }
  return least;
}

static void close_gap(const double n[3], double gap, struct pair *p) {
  for (int j = 0; j < 3; ++j) {
    p->pose[1].x[j] -= gap * n[j];
  }
}

/* Closed contacts are apart by rounding, either way, where searches have no direction of their own:
 * pairs that are moved until they touch, and then by rounding of their places. */
TEST(pairs_that_touch_are_found_to_touch) {
  struct base_rng *rng = test_rng(0);
  for (int i = 0; i < 3000; ++i) {
    struct pair p, q;
    double n[3] = {0}, other[3];
    const int a = base_rng_below(rng, ROUND), b = a > 0 ? a + base_rng_below(rng, ROUND - a) : 1;
    random_pair(rng, a, b, 0, i % ARRANGEMENTS, 1, &p);
    const double apart = least_gap(&p, n);
    close_gap(n, apart, &p);
    for (int k = 0; k < 2 && apart > 0; ++k) { /* a gap that is not yet small is off by more */
      const double rest = least_gap(&p, n);
      close_gap(n, rest, &p);
    }
    for (int k = 0; k < 20 && apart > 0; ++k) {
      q = p;
      for (int j = 0; j < 3; ++j) {
        q.pose[1].x[j] += base_rng_uniform(rng, -1e-16, 1e-16);
      }
      const double gap = least_gap(&q, other);
      CHECK_MESSAGE(fabs(gap) <= accuracy, "%s-%s: %.3g m", mech_shape_name(p.shape[0].kind),
                    mech_shape_name(p.shape[1].kind), gap);
    }
  }
}

/* Where there are more touches than room those nearest are kept: the least gap does not depend on
 * how many others are within reach. */
TEST(least_gap_is_kept_whatever_the_reach) {
  struct base_rng *rng = test_rng(0);
  for (int i = 0; i < 20000; ++i) {
    struct pair p;
    struct mech_touch t[MECH_TOUCH_MAX];
    double n[3], nearest = INFINITY;
    random_pair(rng, MECH_SHAPE_BOX, MECH_SHAPE_CYLINDER, 0, i % ARRANGEMENTS, 1, &p);
    const double least = least_gap(&p, n), allowed = accuracy + same_gap * fabs(least);
    const int count = collide(&p, least + allowed, t);
    for (int k = 0; k < count; ++k) {
      nearest = fmin(nearest, t[k].gap);
    }
    CHECK_NEAR(nearest, least, allowed);
  }
}

/* Everything that is a length grows with the scale, the rest stays. */
TEST(nothing_depends_on_the_unit_of_length) {
  struct base_rng *rng = test_rng(0);
  const double scales[] = {0x1p-10, 0x1p10, 0x1p-20};
  for (int i = 0; i < 3000; ++i) {
    struct pair p, q;
    struct mech_touch t[MECH_TOUCH_MAX], r[MECH_TOUCH_MAX];
    const int a = base_rng_below(rng, ROUND), b = base_rng_below(rng, ROUND + 1);
    random_pair(rng, a, b, i % 2, i / 2 % 2, 1, &p);
    q = p;
    const double scale = scales[i % 3], reach = base_rng_uniform(rng, -0.2, 0.5);
    for (int k = 0; k < 2; ++k) {
      q.shape[k].radius *= scale;
      q.shape[k].half_length *= scale;
      for (int j = 0; j < 3; ++j) {
        q.shape[k].half[j] *= scale;
        q.pose[k].x[j] *= scale;
      }
    }
    const int n = collide(&p, reach, t), m = collide(&q, reach * scale, r);
    CHECK_INT(n, m);
    for (int k = 0; k < n && k < m; ++k) {
      CHECK_INT(t[k].feature, r[k].feature);
      CHECK_NEAR(t[k].gap * scale, r[k].gap, 1e-12 * scale);
      CHECK_LE(t[k].gap, reach);
      for (int j = 0; j < 3; ++j) {
        CHECK_NEAR(t[k].point[j] * scale, r[k].point[j], 1e-11 * scale);
        CHECK_NEAR(t[k].normal[j], r[k].normal[j], 1e-11);
      }
    }
  }
}

/* (b, a) gives the places of (a, b) with opposite normals; of two of a kind features are numbered
 * by order, so that places are matched by where they are. */
TEST(order_of_the_two_reverses_the_normal_only) {
  struct base_rng *rng = test_rng(0);
  for (int i = 0; i < 4000; ++i) {
    struct pair p;
    struct mech_touch t[MECH_TOUCH_MAX], r[MECH_TOUCH_MAX];
    const int a = base_rng_below(rng, ROUND), b = base_rng_below(rng, ROUND + 1);
    random_pair(rng, a, b, i % 2, AT_RANDOM, 1, &p);
    const struct pair q = {{p.shape[1], p.shape[0]}, {p.pose[1], p.pose[0]}, p.planar};
    const int n = collide(&p, INFINITY, t), m = collide(&q, INFINITY, r);
    const double allowed = 1e-9;
    double least[2] = {INFINITY, INFINITY};
    for (int k = 0; k < n; ++k) {
      least[0] = fmin(least[0], t[k].gap);
    }
    for (int k = 0; k < m; ++k) {
      least[1] = fmin(least[1], r[k].gap);
    }
    CHECK_MESSAGE(n == m, "%s-%s: %d and %d places", mech_shape_name(p.shape[0].kind),
                  mech_shape_name(p.shape[1].kind), n, m);
    CHECK_MESSAGE(n == 0 || fabs(least[0] - least[1]) <= accuracy, "%s-%s: %g and %g",
                  mech_shape_name(p.shape[0].kind), mech_shape_name(p.shape[1].kind), least[0],
                  least[1]);
    for (int k = 0; k < n; ++k) {
      double nearest = INFINITY;
      for (int l = 0; l < m; ++l) {
        double off = fabs(t[k].gap - r[l].gap);
        for (int j = 0; j < 3; ++j) {
          off = fmax(off, fmax(fabs(t[k].point[j] - r[l].point[j]),
                               fabs(t[k].normal[j] + r[l].normal[j])));
        }
        nearest = fmin(nearest, off);
      }
      CHECK_MESSAGE(nearest <= allowed, "%s-%s: place %d is %g off",
                    mech_shape_name(p.shape[0].kind), mech_shape_name(p.shape[1].kind),
                    t[k].feature, nearest);
    }
  }
}

/* The pair after a time dt of motion with velocities v and angular velocities w (world). */
static void move_pair(const struct pair *p, const double v[2][3], const double w[2][3], double dt,
                      struct pair *q) {
  *q = *p;
  for (int k = 0; k < 2; ++k) {
    const double speed = sqrt(dot(w[k], w[k])), half = speed * dt / 2;
    const double s = speed > 0 ? sin(half) / speed : 0;
    double R[9];
    mech_assembly_rotation((double[4]){cos(half), s * w[k][0], s * w[k][1], s * w[k][2]}, R);
    for (int i = 0; i < 3; ++i) {
      q->pose[k].x[i] += dt * v[k][i];
      for (int j = 0; j < 3; ++j) {
        q->pose[k].R[3 * i + j] = 0;
        for (int l = 0; l < 3; ++l) {
          q->pose[k].R[3 * i + j] += R[3 * i + l] * p->pose[k].R[3 * l + j];
        }
      }
    }
  }
}

static double approach(const struct pair *p, const double v[2][3], const double w[2][3],
                       const struct mech_touch *t) {
  double rate = 0;
  for (int k = 0; k < 2; ++k) {
    double r[3];
    for (int i = 0; i < 3; ++i) {
      r[i] = t->point[i] - p->pose[k].x[i];
    }
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, l = (i + 2) % 3;
      rate += (k ? 1 : -1) * t->normal[i] * (v[k][i] + w[k][j] * r[l] - w[k][l] * r[j]);
    }
  }
  return rate;
}

static const struct mech_touch *with_feature(int n, const struct mech_touch *t, int feature) {
  for (int i = 0; i < n; ++i) {
    if (t[i].feature == feature) {
      return &t[i];
    }
  }
  return NULL;
}

/* Rate of the gap against finite differences of poses: of the deepest place, whose normal is that
 * of least depth, it is exact (envelope theorem: the gap is stationary in n and in the places), of
 * every pair of shapes. */
TEST(rate_of_the_least_gap_is_that_of_finite_differences) {
  struct base_rng *rng = test_rng(0);
  const double dt = 1e-5;
  long compared = 0, far_off[ROUND][ROUND + 1] = {{0}};
  double worst[ROUND][ROUND + 1] = {{0}};
  for (int i = 0; i < 6000; ++i) {
    struct pair p, before, after;
    struct mech_touch t[MECH_TOUCH_MAX], s[2][MECH_TOUCH_MAX];
    const int planar = i % 2, a = base_rng_below(rng, ROUND),
              b = a + base_rng_below(rng, ROUND + 1 - a);
    random_pair(rng, a, b, planar, AT_RANDOM, 1, &p);
    double v[2][3], w[2][3];
    for (int k = 0; k < 2; ++k) {
      for (int j = 0; j < 3; ++j) {
        v[k][j] = planar && j == 2 ? 0 : base_rng_uniform(rng, -1, 1);
        w[k][j] = planar && j < 2 ? 0 : base_rng_uniform(rng, -1, 1);
      }
    }
    move_pair(&p, v, w, -dt, &before);
    move_pair(&p, v, w, dt, &after);
    const int n = collide(&p, INFINITY, t);
    const int m[2] = {collide(&before, INFINITY, s[0]), collide(&after, INFINITY, s[1])};
    int least = 0;
    for (int k = 1; k < n; ++k) {
      least = t[k].gap < t[least].gap ? k : least;
    }
    const struct mech_touch *from = n > 0 ? with_feature(m[0], s[0], t[least].feature) : NULL;
    const struct mech_touch *to = n > 0 ? with_feature(m[1], s[1], t[least].feature) : NULL;
    if (from && to && fabs(from->gap + to->gap - 2 * t[least].gap) < 1e-7) { /* same features */
      const double rate = approach(&p, v, w, &t[least]);
      const double off = fabs((to->gap - from->gap) / (2 * dt) - rate);
      worst[a][b] = fmax(worst[a][b], off);
      far_off[a][b] += !(off <= 1e-4);
      compared++;
    }
  }
  for (int a = 0; a < ROUND; ++a) {
    for (int b = a; b <= ROUND; ++b) {
      CHECK_MESSAGE(far_off[a][b] == 0, "%s-%s: %ld rates off, up to %g",
                    mech_shape_name((enum mech_shape_kind)a),
                    mech_shape_name((enum mech_shape_kind)b), far_off[a][b], worst[a][b]);
    }
  }
  CHECK(compared >= 4500);
}

static struct pair two(struct mech_shape a, struct mech_shape b, double x, double y, double z) {
  struct pair p = {.shape = {a, b}};
  p.pose[0].R[0] = p.pose[0].R[4] = p.pose[0].R[8] = 1;
  p.pose[1] = p.pose[0];
  p.pose[1].x[0] = x;
  p.pose[1].x[1] = y;
  p.pose[1].x[2] = z;
  return p;
}

/* Faces, sides and centres that leave the place or the normal open. */
TEST(degenerate_pairs_have_the_places_expected) {
  struct mech_touch t[MECH_TOUCH_MAX];
  const struct mech_shape ball = {.kind = MECH_SHAPE_SPHERE, .radius = 0.3};
  const struct mech_shape box = {.kind = MECH_SHAPE_BOX, .half = {1, 2, 3}};
  const struct mech_shape rod = {.kind = MECH_SHAPE_CAPSULE, .radius = 0.5, .half_length = 2};
  const struct mech_shape drum = {.kind = MECH_SHAPE_CYLINDER, .radius = 0.5, .half_length = 2};
  const struct mech_shape point = {.kind = MECH_SHAPE_POINT};
  struct pair p = two(ball, ball, 0, 0, 0);
  CHECK_INT(collide(&p, 0, t), 1);
  CHECK_NEAR(t[0].gap, -0.6, 1e-15);
  CHECK_NEAR(dot(t[0].normal, t[0].normal), 1, 1e-15);
  p = two(point, point, 0, 0, 0);
  CHECK_INT(collide(&p, 1, t), 0);
  const struct {
    struct pair pair;
    int places;
    double gap;
  } cases[] = {{two(box, box, 0.3, 0.4, 5.99), 4, -0.01}, /* stacked, aside */
               {two(box, box, 0, 0, 6.01), 4, 0.01},      /* stacked, flush */
               {two(box, rod, 1.4, 0, 0), 2, -0.1},       /* lies on a side */
               {two(box, rod, 1.4, 0, 2), 2, -0.1},       /* sticks out over an edge */
               {two(rod, rod, 0, 0.9, 0.5), 2, -0.1},     /* side by side */
               {two(rod, rod, 0, 0.9, 0), 2, -0.1},       /* flush */
               {two(rod, rod, 0, 0, 4.9), 1, -0.1},       /* in line */
               {two(box, drum, 1.4, 0, 0), 2, -0.1},      /* lies */
               {two(box, drum, 0, 0, 4.9), 4, -0.1},      /* stands */
               {two(drum, drum, 0, 0, 3.9), 4, -0.1},     /* stands on its like */
               {two(drum, drum, 0, 0.9, 1), 2, -0.1},     /* side by side */
               {two(rod, drum, 0, 0.9, 1), 2, -0.1}};
  for (int i = 0; i < (int)(sizeof cases / sizeof *cases); ++i) {
    const int n = collide(&cases[i].pair, 0.05, t);
    CHECK_MESSAGE(n == cases[i].places, "case %d: %d places of %d", i, n, cases[i].places);
    for (int k = 0; k < n; ++k) {
      CHECK_NEAR(t[k].gap, cases[i].gap, 1e-12);
    }
  }
}
