/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sets and projections against what defines them (variational inequality, Moreau's decomposition,
 * brute force), and the residual of every contact law against its law: pairs (r, v) built to obey
 * it must give round-off, the same pairs disturbed must give a residual of the disturbance's size.
 */
#include "contact/law.h"
#include "la/dense.h"
#include "tests/random_problem.h"
#include "tests/test.h"

#define EPS 2.3e-16

enum { DRAWS = 4000 };

static struct base_rng *rng;

static double uniform(double lo, double hi) { return base_rng_uniform(rng, lo, hi); }
static double decade(double lo, double hi) { return pow(10, uniform(lo, hi)); }

static double distance(int n, const double *x, const double *y) {
  double d[3] = {0};
  for (int k = 0; k < n; k++) {
    d[k] = x[k] - y[k];
  }
  return la_norm2(n, d);
}

static void random_vector(int n, double size, double *x) {
  for (int k = 0; k < n; k++) {
    x[k] = size * base_rng_normal(rng);
  }
}

/* ---- Sets ------------------------------------------------------------------------------------ */

/* Is p the projection of x? <x - p, q - p> <= 0 for all q of the set, by its support function. */
static void check_set_projection(const struct contact_set *set, double s, const double *x) {
  const int n = contact_set_dim(set);
  double p[2] = {0}, q[2] = {0}, normal[2] = {0};
  contact_set_project(set, s, x, p);
  for (int k = 0; k < n; k++) {
    normal[k] = x[k] - p[k];
  }
  const double scale = la_norm2(n, x) + la_norm2(n, p);
  const double gain = contact_set_support(set, s, normal) - la_dot(n, normal, p);
  /* x - p cancels near the set: its rounding can turn the support by the set's width */
  const double along[2] = {1, 0}, across[2] = {0, 1};
  const double width =
      hypot(contact_set_support(set, s, along), contact_set_support(set, s, across));
  CHECK_LE(fabs(gain), 8 * EPS * scale * (la_norm2(n, normal) + fmin(width, la_norm2(n, x))));
  contact_set_project(set, s, p, q);
  CHECK_LE(distance(n, p, q), 4 * EPS * la_norm2(n, p));
}

/* Second method: bisection for the multiplier t in x_i e_i^2 / (e_i^2 + t), extended precision. */
static void ellipse_by_bisection(const double e[2], const double x[2], long double p[2]) {
  const long double E[2] = {(long double)e[0] * e[0], (long double)e[1] * e[1]};
  const long double X[2] = {fabs(x[0]), fabs(x[1])};
  long double lo = 0, hi = X[0] * e[0] + X[1] * e[1];
  for (long double t = hi * 1e-60L; t < hi; t *= 4) { /* first, its order of magnitude */
    const long double u = X[0] * e[0] / (E[0] + t), w = X[1] * e[1] / (E[1] + t);
    if (u * u + w * w <= 1) {
      hi = t;
      break;
    }
    lo = t;
  }
  for (int k = 0; k < 80; k++) {
    const long double t = (lo + hi) / 2, u = X[0] * e[0] / (E[0] + t), w = X[1] * e[1] / (E[1] + t);
    *(u * u + w * w > 1 ? &lo : &hi) = t;
  }
  for (int k = 0; k < 2; k++) {
    p[k] = x[k] * E[k] / (E[k] + hi);
  }
}

TEST(ellipse_projection_is_exact_to_round_off_at_every_aspect_ratio) {
  rng = test_rng(0);
  int outside = 0;
  for (int draw = 0; draw < 10 * DRAWS; draw++) {
    const double e[2] = {decade(-8, 8), decade(-8, 8)}, size = decade(-9, 12);
    const double x[2] = {size * base_rng_normal(rng),
                         size * decade(-12, 12) * base_rng_normal(rng)};
    const struct contact_set set = {.kind = CONTACT_SET_ELLIPSE, .axis = {e[0], e[1]}};
    double p[2];
    contact_set_project(&set, 1, x, p);
    if (hypot(x[0] / e[0], x[1] / e[1]) <= 1) {
      CHECK(p[0] == x[0] && p[1] == x[1]);
      continue;
    }
    long double q[2];
    ellipse_by_bisection(e, x, q);
    outside++;
    CHECK_LE((double)hypotl(p[0] - q[0], p[1] - q[1]), 8 * EPS * (double)hypotl(q[0], q[1]));
  }
  CHECK_LE(DRAWS, outside);
}

TEST(flat_ellipses_are_segments) {
  const struct contact_set set = {.kind = CONTACT_SET_ELLIPSE, .axis = {0, 2}};
  double p[2];
  contact_set_project(&set, 1.5, (double[]){7, 9}, p);
  CHECK(p[0] == 0 && p[1] == 3);
  contact_set_project(&set, 1.5, (double[]){7, -1}, p);
  CHECK(p[0] == 0 && p[1] == -1);
  contact_set_project(&set, 0, (double[]){7, -1}, p);
  CHECK(p[0] == 0 && p[1] == 0);
}

TEST(projections_onto_sets_obey_the_variational_inequality) {
  rng = test_rng(0);
  for (int draw = 0; draw < DRAWS; draw++) {
    const struct contact_set interval = {.kind = CONTACT_SET_INTERVAL,
                                         .axis = {-uniform(0, 2), uniform(0, 2)}};
    const struct contact_set disk = {.kind = CONTACT_SET_DISK, .axis = {uniform(0, 2)}};
    const struct contact_set ellipse = {.kind = CONTACT_SET_ELLIPSE,
                                        .axis = {decade(-1, 1), decade(-1, 1)}};
    const double s = uniform(0, 2), lo = s * interval.axis[0], hi = s * interval.axis[1];
    double x[2], p;
    random_vector(2, 3, x);
    check_set_projection(&interval, s, x);
    check_set_projection(&disk, s, x);
    x[draw % 2] *= draw % 7 != 0; /* points on the axes */
    check_set_projection(&ellipse, s, x);
    contact_set_project(&interval, s, x, &p);
    CHECK(p >= lo && p <= hi && (p == x[0] || p == (x[0] < lo ? lo : hi)));
    CHECK_NEAR(contact_set_support(&disk, s, x), s * disk.axis[0] * la_norm2(2, x),
               4 * EPS * s * disk.axis[0] * la_norm2(2, x));
  }
}

static void check_cone(int dim, double mu, const double *x, const double *other) {
  double p[3], d[3], q[3], minus[3], scale = la_norm2(dim, x) + la_norm2(dim, other);
  contact_project_cone(dim, mu, x, p);
  const double tolerance = 8 * EPS * scale;
  CHECK_LE(la_norm2(dim - 1, p + 1), mu * p[0] + tolerance);
  CHECK_LE(-p[0], 0);
  for (int k = 0; k < dim; k++) {
    minus[k] = -x[k];
  }
  contact_project_dual(dim, mu, minus, d);
  CHECK_LE(mu * la_norm2(dim - 1, d + 1), d[0] + tolerance * (1 + mu));
  for (int k = 0; k < dim; k++) { /* Moreau: x = P_K(x) - P_K*(-x), the two perpendicular */
    CHECK_NEAR(p[k] - d[k], x[k], tolerance);
  }
  CHECK_NEAR(la_dot(dim, p, d), 0, tolerance * scale);
  contact_project_cone(dim, mu, p, q);
  CHECK_LE(distance(dim, p, q), tolerance);
  contact_project_cone(dim, mu, other, q);
  CHECK_LE(distance(dim, p, q), distance(dim, x, other) + tolerance);
}

TEST(cone_and_dual_cone_split_every_vector_as_moreau_says) {
  rng = test_rng(0);
  for (int draw = 0; draw < 10 * DRAWS; draw++) {
    const int dim = 1 + base_rng_below(rng, 3);
    const double mu = draw % 5 == 0 ? 0 : decade(-4, 4);
    double x[3], y[3];
    random_vector(dim, decade(-3, 3), x);
    random_vector(dim, decade(-3, 3), y);
    x[base_rng_below(rng, dim)] *= draw % 3 != 0;
    check_cone(dim, mu, x, y);
  }
}

/* Variational inequality on the corners and the origin, and p a combination of them by brute force:
 * no point of a fine mesh of the triangles (0, i, j) is nearer to x, and some is as near as p. */
static void check_polygon(int n, const double *dirs, double radius, const double *x) {
  double p[2], q[2];
  contact_project_polygon(n, dirs, radius, x, p);
  const double normal[2] = {x[0] - p[0], x[1] - p[1]};
  const double tolerance = 32 * EPS * (la_norm2(2, x) + 3 * radius) * (la_norm2(2, x) + 3 * radius);
  CHECK_LE(-la_dot(2, normal, p), tolerance);
  for (int k = 0; k < n; k++) {
    const double corner[2] = {radius * dirs[2 * k], radius * dirs[2 * k + 1]};
    CHECK_LE(la_dot(2, normal, corner) - la_dot(2, normal, p), tolerance);
  }
  contact_project_polygon(n, dirs, radius, p, q);
  CHECK_LE(distance(2, p, q), 8 * EPS * radius * 3);
  double nearest = INFINITY;
  enum { MESH = 40 };
  for (int i = 0; i < n; i++) {
    for (int j = i; j < n; j++) {
      for (int s = 0; s <= MESH; s++) {
        for (int t = 0; t + s <= MESH; t++) {
          const double on_i = radius * s / MESH, on_j = radius * t / MESH;
          const double y[2] = {on_i * dirs[2 * i] + on_j * dirs[2 * j],
                               on_i * dirs[2 * i + 1] + on_j * dirs[2 * j + 1]};
          nearest = fmin(nearest, distance(2, p, y));
        }
      }
    }
  }
  CHECK_LE(nearest, 4.0 * radius / MESH); /* p is in the hull, to the width of the mesh */
}

TEST(polygon_projection_regular_irregular_and_in_a_half_plane) {
  rng = test_rng(0);
  for (int draw = 0; draw < 300; draw++) {
    const int n = 3 + base_rng_below(rng, 5), kind = draw % 3;
    double dirs[16], angle = uniform(0, 2 * M_PI), x[2];
    for (int k = 0; k < n; k++) {
      const double length = kind == 0 ? 1 : uniform(0.1, 2);
      dirs[2 * k] = length * cos(angle);
      dirs[2 * k + 1] = length * sin(angle);
      angle += kind == 2 ? uniform(0.05, 3.0 / n) : 2 * M_PI / n;
    }
    random_vector(2, decade(-1, 1), x);
    check_polygon(n, dirs, decade(-1, 1), x);
    double p[2];
    contact_project_polygon(n, dirs, 0, x, p);
    CHECK(p[0] == 0 && p[1] == 0);
  }
}

TEST(regular_polygon_projection_agrees_with_the_general_one) {
  rng = test_rng(0);
  for (int draw = 0; draw < DRAWS; draw++) {
    const int n = 3 + base_rng_below(rng, 14);
    double dirs[2 * 16], x[2], p[2], q[2];
    const double radius = decade(-2, 2);
    contact_directions(n, dirs);
    random_vector(2, radius * decade(-1, 2), x);
    if (draw % 4 == 0) { /* along a corner */
      const int k = base_rng_below(rng, n);
      x[0] = 3 * radius * dirs[2 * k];
      x[1] = 3 * radius * dirs[2 * k + 1];
    }
    contact_project_polygon(n, dirs, radius, x, p);
    contact_project_regular(n, radius, x, q);
    CHECK_LE(distance(2, p, q), 8 * EPS * (radius + la_norm2(2, x)));
  }
}

/* ---- Frames ---------------------------------------------------------------------------------- */

TEST(directions_are_a_regular_polygon_from_the_first_tangent) {
  double d[2 * 12];
  for (int n = 3; n <= 12; n++) {
    contact_directions(n, d);
    CHECK(d[0] == 1 && d[1] == 0);
    for (int k = 0; k < n; k++) {
      CHECK_NEAR(d[2 * k], cos(2 * M_PI * k / n), 4 * EPS);
      CHECK_NEAR(d[2 * k + 1], sin(2 * M_PI * k / n), 4 * EPS);
    }
  }
  contact_directions(4, d);
  CHECK(d[2] == 0 && d[3] == 1 && d[4] == -1 && d[5] == 0 && d[6] == 0 && d[7] == -1);
}

TEST(frame_follows_the_contract) {
  rng = test_rng(0);
  double t1[3], t2[3];
  contact_frame((double[]){0, 0, 1}, t1, t2);
  CHECK(t1[0] == 1 && t1[1] == 0 && t1[2] == 0 && t2[0] == 0 && t2[1] == 1 && t2[2] == 0);
  contact_frame((double[]){1, 0, 0}, t1, t2);
  CHECK(t1[1] == 1 && t2[2] == 1);
  for (int draw = 0; draw < DRAWS; draw++) {
    double n[3];
    random_vector(3, 1, n);
    n[0] *= draw % 2 ? 1 : 20;
    const double length = la_norm2(3, n);
    for (int k = 0; k < 3; k++) {
      n[k] /= length;
    }
    contact_frame(n, t1, t2);
    CHECK_NEAR(la_dot(3, n, t1), 0, 16 * EPS); /* 80 degrees: 1 / cos = 5.8 */
    CHECK_NEAR(la_dot(3, n, t2), 0, 16 * EPS);
    CHECK_NEAR(la_dot(3, t1, t2), 0, 8 * EPS);
    CHECK_NEAR(la_norm2(3, t1), 1, 4 * EPS);
    const double det = t1[0] * (t2[1] * n[2] - t2[2] * n[1]) -
                       t1[1] * (t2[0] * n[2] - t2[2] * n[0]) +
                       t1[2] * (t2[0] * n[1] - t2[1] * n[0]);
    CHECK_NEAR(det, 1, 16 * EPS);
    /* the first world axis less than 80 degrees off the plane has no part along t2 */
    const int axis = asin(fabs(n[0])) < 80 * M_PI / 180 ? 0 : 1;
    CHECK_NEAR(t2[axis], 0, 16 * EPS);
    CHECK(t1[axis] > 0);
  }
}

/* ---- Residuals of the laws ------------------------------------------------------------------- */

/* No eigenvalue is less than 0.1: what breaks a law is as large as the residual of it. */
static void stiff_block(int dim, double *A) {
  random_block(rng, dim, 0.5, A);
  for (int k = 0; k < dim; k++) {
    A[(dim + 1) * k] += 0.1;
  }
}

struct pair {
  enum contact_law law;
  int dim, n_dir, custom;
  double mu, A[9], r[3], v[3], dirs[16];
  struct contact_set set;
  int has_set;
};

static struct contact_residual residual_of(const struct pair *c) {
  double b[3];
  for (int k = 0; k < c->dim; k++) {
    b[k] = c->v[k] - la_dot(c->dim, c->A + c->dim * k, c->r);
  }
  const struct contact_model model = {.law = c->law,
                                      .dim = c->dim,
                                      .nc = 1,
                                      .mu = &c->mu,
                                      .n_dir = c->n_dir,
                                      .dirs = c->custom ? c->dirs : NULL,
                                      .set = c->has_set ? &c->set : NULL};
  return contact_residual(&model, c->A, c->r, c->v, b);
}

/* A sticking (kind 0), sliding (1), separating (2) or grazing (3: r = 0, v on the rim) pair of the
 * law; everything of size one. */
static void solution_polygon(struct pair *c, double r_N, int kind) {
  double d[16];
  if (c->custom) {
    memcpy(d, c->dirs, sizeof d);
  } else {
    contact_directions(c->n_dir, d);
  }
  if (kind == 0) {
    double sum = 0, weight[8];
    for (int k = 0; k < c->n_dir; k++) {
      sum += weight[k] = uniform(0, 1);
    }
    for (int k = 0; k < c->n_dir; k++) {
      c->r[1] += c->mu * r_N * weight[k] / sum * d[2 * k];
      c->r[2] += c->mu * r_N * weight[k] / sum * d[2 * k + 1];
    }
    return;
  }
  random_vector(2, 1, c->v + 1);
  int least = 0;
  for (int k = 1; k < c->n_dir; k++) {
    least = la_dot(2, d + 2 * k, c->v + 1) < la_dot(2, d + 2 * least, c->v + 1) ? k : least;
  }
  const double gain = la_dot(2, d + 2 * least, c->v + 1) < 0 ? c->mu * r_N : 0;
  c->r[1] = gain * d[2 * least];
  c->r[2] = gain * d[2 * least + 1];
}

static void solution(struct pair *c, int kind) {
  const int n = c->dim - 1;
  const double r_N = kind < 2 ? uniform(0.2, 2) : 0, speed = uniform(0.2, 2);
  double d[2] = {0};
  memset(c->r, 0, sizeof c->r);
  memset(c->v, 0, sizeof c->v);
  random_vector(n, 1, d);
  const double length = n > 0 ? la_norm2(n, d) : 1;
  c->r[0] = r_N;
  c->v[0] = kind == 2 ? uniform(0.2, 2) : 0;
  if (c->law == CONTACT_LAW_LCP && c->dim == 3) {
    solution_polygon(c, r_N, kind);
    return;
  }
  for (int k = 0; k < n; k++) {
    d[k] /= length;
    if (kind == 0) {
      c->r[k + 1] = uniform(0, 0.99) * c->mu * r_N * d[k] / sqrt(n);
    } else {
      c->r[k + 1] = -c->mu * r_N * d[k];
      c->v[k + 1] = speed * d[k];
    }
  }
  if (c->law == CONTACT_LAW_CCP && kind > 0 && n > 0) {
    c->v[0] = c->mu * speed + (kind == 2 ? c->v[0] : 0);
  }
  if (c->law == CONTACT_LAW_MDP && kind == 1) { /* v_T along d - mu A_TN / A_NN, d = -r_T / |r_T| */
    for (int k = 0; k < n; k++) {
      c->v[k + 1] = speed * (d[k] - c->mu * c->A[c->dim * (k + 1)] / c->A[0]);
    }
  }
  if (c->has_set && c->set.kind == CONTACT_SET_ELLIPSE) { /* -r_T has the normal v_T */
    const double *e = c->set.axis;
    for (int k = 0; k < n; k++) {
      c->r[k + 1] = -r_N * e[k] * d[k] * (kind == 0 ? 0.7 : 1);
      c->v[k + 1] = kind == 0 ? 0 : speed * d[k] / e[k];
    }
  } else if (c->has_set && kind > 0) {
    c->r[1] = -r_N * c->set.axis[c->v[1] > 0];
  }
}

/* A law's pair; for mdp one that its convexity argument covers: b_N < 0, or r = 0 and v_N > 0. */
static void draw_pair(struct pair *c, enum contact_law law, int dim, int kind, int draw) {
  *c = (struct pair){.law = law, .dim = dim, .mu = uniform(0.1, 1.5), .n_dir = 3 + draw % 6};
  stiff_block(dim, c->A);
  if (law == CONTACT_LAW_CONE && draw % 2) {
    c->has_set = 1;
    c->set.kind = dim == 2 ? CONTACT_SET_INTERVAL : CONTACT_SET_ELLIPSE;
    c->set.axis[0] = dim == 2 ? -c->mu : uniform(0.2, 2);
    c->set.axis[1] = uniform(1.5, 2);
  }
  if (law == CONTACT_LAW_LCP && draw % 2) {
    c->custom = 1;
    for (int k = 0; k < c->n_dir; k++) {
      c->dirs[2 * k] = uniform(0.5, 2) * cos(2 * M_PI * k / c->n_dir);
      c->dirs[2 * k + 1] = uniform(0.5, 2) * sin(2 * M_PI * k / c->n_dir);
    }
  }
  do {
    solution(c, kind);
    if (kind > 1 || law != CONTACT_LAW_MDP || la_dot(dim, c->A, c->r) > 0.05) {
      return;
    }
    stiff_block(dim, c->A); /* v_N = 0 must mean b_N < 0 */
  } while (1);
}

TEST(residual_of_every_law_is_round_off_on_its_solutions) {
  rng = test_rng(0);
  for (int draw = 0; draw < DRAWS; draw++) {
    for (int law = 0; law < CONTACT_LAW_COUNT; law++) {
      struct pair c;
      /* grazing with r = 0 is no solution of mdp when it can dissipate: own test below */
      const int kind = draw / 3 % (law == CONTACT_LAW_MDP ? 3 : 4);
      draw_pair(&c, (enum contact_law)law, 1 + draw % 3, kind, draw);
      const struct contact_residual residual = residual_of(&c);
      CHECK_MESSAGE(residual.absolute <= 2e-14, "law %s dim %d kind %d mu %g: %g",
                    contact_law_name(c.law), c.dim, kind, c.mu, residual.absolute);
      CHECK_INT(residual.at, 0);
    }
  }
}

/* Moving r by delta out of a strict solution changes the residual by about A delta, moving v by
 * delta by about delta: neither vanishing nor exploding. */
TEST(residual_of_every_law_is_of_the_size_of_the_disturbance) {
  rng = test_rng(0);
  double least = INFINITY, most = 0;
  for (int draw = 0; draw < DRAWS; draw++) {
    for (int law = 0; law < CONTACT_LAW_COUNT; law++) {
      struct pair c;
      const int dim = 1 + draw % 3, kind = draw / 3 % 2; /* sticking or sliding */
      const double delta = decade(-9, -5);
      double step[3];
      draw_pair(&c, (enum contact_law)law, dim, kind, draw);
      random_vector(dim, 1, step);
      const double length = la_norm2(dim, step);
      double moved[3] = {0};
      for (int k = 0; k < dim; k++) {
        step[k] *= delta / length;
        c.r[k] += step[k]; /* b stays: v follows */
        for (int j = 0; j < dim; j++) {
          moved[j] += c.A[dim * j + k] * step[k];
        }
      }
      for (int k = 0; k < dim; k++) {
        c.v[k] += moved[k];
      }
      const double ratio = residual_of(&c).absolute / la_norm2(dim, moved);
      least = fmin(least, ratio);
      most = fmax(most, ratio);
      CHECK_MESSAGE(ratio > 1e-4 && ratio < 1e3, "law %s dim %d kind %d: ratio %g",
                    contact_law_name(c.law), dim, kind, ratio);
    }
  }
}

TEST(residual_sees_each_way_to_break_a_law) {
  rng = test_rng(0);
  for (int draw = 0; draw < DRAWS; draw++) {
    for (int law = 0; law < CONTACT_LAW_COUNT; law++) {
      const int dim = 1 + draw % 3;
      struct pair good, c;
      draw_pair(&good, (enum contact_law)law, dim, 0, draw);
      c = good; /* pulling */
      c.r[0] = -c.r[0];
      CHECK_MESSAGE(residual_of(&c).absolute > 1e-3, "%s: pulling", contact_law_name(c.law));
      c = good; /* penetrating */
      c.v[0] = -0.5;
      CHECK_MESSAGE(residual_of(&c).absolute > 1e-3, "%s: penetrating", contact_law_name(c.law));
      c = good; /* separating under load */
      c.v[0] = 0.5;
      CHECK_MESSAGE(residual_of(&c).absolute > 1e-3, "%s: adhering", contact_law_name(c.law));
      if (dim > 1) {
        c = good; /* outside of the cone */
        c.r[1] += 10 * (1 + c.mu) * c.r[0];
        CHECK_MESSAGE(residual_of(&c).absolute > 1e-3, "%s: cone", contact_law_name(c.law));
        draw_pair(&good, (enum contact_law)law, dim, 1, draw);
        c = good; /* friction that drives instead of braking */
        for (int k = 1; k < dim; k++) {
          c.v[k] = -c.v[k];
        }
        CHECK_MESSAGE(residual_of(&c).absolute > 1e-3, "%s: driving", contact_law_name(c.law));
      }
    }
  }
}

TEST(ellipse_interval_and_polygon_of_a_disk_meet_coulomb) {
  rng = test_rng(0);
  for (int draw = 0; draw < DRAWS; draw++) {
    struct pair c, e;
    draw_pair(&c, CONTACT_LAW_NCP, 3, draw % 4, draw);
    e = c;
    e.law = CONTACT_LAW_CONE;
    CHECK_LE(residual_of(&e).absolute, 2e-14);
    e.has_set = 1;
    e.set = (struct contact_set){.kind = CONTACT_SET_ELLIPSE, .axis = {c.mu, c.mu}};
    CHECK_LE(residual_of(&e).absolute, 2e-14);
  }
}

TEST(all_laws_are_one_lcp_in_dimension_one) {
  rng = test_rng(0);
  for (int draw = 0; draw < DRAWS; draw++) {
    struct pair c = {.dim = 1, .A = {decade(-2, 2)}};
    c.r[0] = base_rng_normal(rng) * (draw % 3 != 0);
    c.v[0] = base_rng_normal(rng) * (draw % 4 != 0);
    const double expected = fabs(fmin(c.v[0], c.r[0] * c.A[0])); /* min map */
    for (int law = 0; law < CONTACT_LAW_COUNT; law++) {
      c.law = (enum contact_law)law;
      CHECK_NEAR(residual_of(&c).absolute, expected,
                 1e-13 * (1 + expected + c.A[0] * fabs(c.r[0])));
    }
  }
}

TEST(residual_of_nonsense_is_infinite) {
  for (int law = 0; law < CONTACT_LAW_COUNT; law++) {
    struct pair c = {.law = (enum contact_law)law,
                     .dim = 3,
                     .mu = 0.5,
                     .n_dir = 4,
                     .A = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                     .r = {1, NAN, 0},
                     .v = {0, 0, 0}};
    CHECK(isinf(residual_of(&c).absolute) && isinf(residual_of(&c).relative_b));
    c.r[1] = 0;
    c.v[2] = INFINITY;
    CHECK(isinf(residual_of(&c).absolute) && isinf(residual_of(&c).relative_max));
    c.v[2] = 0;
    CHECK(residual_of(&c).absolute == 0);
  }
}

/* A contact that cannot move (A = 0) and yet must: no r is a solution, and the residual is not less
 * than what the velocity lacks, however large r is; r - rho v would swallow v from 1e16 on. */
TEST(residual_is_not_swallowed_by_large_reactions) {
  static const enum contact_law laws[] = {CONTACT_LAW_NCP, CONTACT_LAW_CCP, CONTACT_LAW_LCP,
                                          CONTACT_LAW_MDP, CONTACT_LAW_CONE};
  const double mu = 0.5, A[9] = {0};
  for (size_t l = 0; l < sizeof laws / sizeof *laws; l++) {
    for (int dim = 1; dim <= 3; dim++) {
      const struct contact_model model = {
          .law = laws[l], .dim = dim, .nc = 1, .mu = &mu, .n_dir = 4};
      for (int e = 0; e <= 40; e += 4) {
        const double r_N = pow(10, e), v[3] = {-1, 0.5, 0.25};
        const double inside[3] = {r_N, 0, 0}, on_cone[3] = {r_N, -mu * r_N, 0};
        const double least = laws[l] == CONTACT_LAW_NCP ? 0.4 : 0.5; /* |v_T| lifts y_N */
        CHECK_LE(least, contact_residual(&model, A, inside, v, v).absolute);
        CHECK_LE(least, contact_residual(&model, A, on_cone, v, v).absolute);
        CHECK_LE(least, contact_diagnose(&model, A, on_cone, v, 0).signorini);
      }
    }
  }
}

/* Against the definition |r - P(r - rho y)| / rho, with the projection onto the cone. */
TEST(residual_is_the_natural_map) {
  rng = test_rng(0);
  for (int draw = 0; draw < DRAWS; draw++) {
    const int dim = 2 + draw % 2, is_ncp = draw / 2 % 2;
    const double mu = draw % 5 == 0 ? 0 : uniform(0, 2), rho = decade(-3, 3);
    double A[9] = {0}, r[3], v[3], x[3], p[3];
    random_vector(dim, 1, r);
    random_vector(dim, 1 / rho, v);
    if (draw % 3 == 0) {
      contact_project_cone(dim, mu, r, r);
    }
    for (int k = 0; k < dim; k++) {
      A[(dim + 1) * k] = 1 / rho;
      x[k] = r[k] - rho * (v[k] + (k == 0 && is_ncp ? mu * la_norm2(dim - 1, v + 1) : 0));
    }
    contact_project_cone(dim, mu, x, p);
    const struct contact_model model = {
        .law = is_ncp ? CONTACT_LAW_NCP : CONTACT_LAW_CCP, .dim = dim, .nc = 1, .mu = &mu};
    CHECK_NEAR(contact_residual(&model, A, r, v, v).absolute * rho, distance(dim, r, p), 1e-13);
  }
}

TEST(residual_scales_and_reports_the_worst_contact) {
  const double mu[3] = {0.5, 0.5, 0.5}, diag[3] = {2, 0, 4};
  const double r[3] = {1, 0, 3}, v[3] = {0, -0.25, 0.125}, b[3] = {-2, -0.25, -11.875};
  const struct contact_model model = {.law = CONTACT_LAW_NCP, .dim = 1, .nc = 3, .mu = mu};
  const struct contact_residual residual = contact_residual(&model, diag, r, v, b);
  CHECK_NEAR(residual.absolute, 0.25, 1e-16); /* the block of zeros takes the mean step */
  CHECK_INT(residual.at, 1);
  CHECK_NEAR(residual.relative_b, 0.25 / 11.875, 1e-16);
  CHECK_NEAR(residual.relative_max, 0.25 / 12, 1e-16);
  CHECK_NEAR(residual.relative_free, 0.25 / 11.875, 1e-16);
  const double zero[3] = {0};
  CHECK_NEAR(contact_residual(&model, diag, zero, v, zero).relative_b, 0.25, 1e-16);
  const struct contact_model empty = {.law = CONTACT_LAW_NCP, .dim = 3};
  const struct contact_residual none = contact_residual(&empty, NULL, NULL, NULL, NULL);
  CHECK(none.at == -1 && none.absolute == 0 && none.relative_b == 0 && none.relative_max == 0);
}

/* What a step asks of contacts is what closes them, under every law alike, and neither how fast
 * they slide nor how far others are open; the convex law alone asks for mu |v_T| too, its
 * lift-off. */
TEST(demand_is_what_closes_contacts_and_not_how_fast_they_slide) {
  static const double mu[2] = {0.5, 0.5};
  double diag[18] = {0};
  for (int k = 0; k < 3; ++k) {
    diag[4 * k] = diag[9 + 4 * k] = 2;
  }
  for (int law = 0; law < CONTACT_LAW_COUNT; ++law) {
    const struct contact_model model = {
        .law = (enum contact_law)law, .dim = 3, .nc = 2, .mu = mu, .n_dir = 4};
    const int relaxed = law == CONTACT_LAW_CCP;
    for (double slip = 0; slip <= 1e6; slip = 1000 * slip + 1) {
      const double b[6] = {-1e-3, slip, 0, 300, 0, -slip};
      const double demand = contact_demand(&model, diag, b);
      CHECK_LE(relaxed ? mu[0] * slip / sqrt(1.25) : 1e-3 / sqrt(1.25), demand * (1 + 1e-9));
      CHECK_LE(demand, relaxed ? mu[0] * slip + 1e-3 : 1e-3);
      const double open[6] = {0.5 * slip,       slip, 0,
                              300 + 0.5 * slip, 0,    -slip}; /* in the dual cone */
      CHECK_NEAR(contact_demand(&model, diag, open), 0, 1e-15 * slip);
      /* Half the impulse that holds is half of it wrong, at any speed. */
      const double r[6] = {0.25e-3, -0.125e-3, 0, 0, 0, 0};
      double v[6];
      for (int k = 0; k < 6; ++k) {
        v[k] = b[k] + 2 * r[k];
      }
      const struct contact_residual half = contact_residual(&model, diag, r, v, b);
      CHECK_LE(0.4, half.relative_free);
    }
  }
}

/* ---- The least energy of one contact, and mdp's residual ------------------------------------- */

/* Nothing of the residual's derivation is used: where it is round-off the energy is least, and on
 * random feasible points it is large wherever the energy is. */
TEST(mdp_residual_vanishes_exactly_at_the_least_energy) {
  rng = test_rng(0);
  for (int draw = 0; draw < DRAWS; draw++) {
    struct pair c = {.law = CONTACT_LAW_MDP, .dim = 3, .mu = decade(-1, 1)};
    double b[3];
    stiff_block(3, c.A);
    random_vector(3, 1, b);
    b[0] *= draw % 5 != 0;
    const double least = contact_minimum_energy(3, c.mu, c.A, b, c.r);
    for (int k = 0; k < 3; k++) {
      c.v[k] = b[k] + la_dot(3, c.A + 3 * k, c.r);
    }
    CHECK_LE(residual_of(&c).relative_max, 1e-12);
    if (b[0] >= 0) {
      continue;
    }
    const double phi = uniform(0, 2 * M_PI), share = uniform(0, 1) < 0.5 ? 1 : uniform(0, 1);
    const double d[2] = {share * c.mu * cos(phi), share * c.mu * sin(phi)};
    const double r_N = -b[0] / (c.A[0] + c.A[3] * d[0] + c.A[6] * d[1]);
    if (!(r_N > 0 && r_N < 100)) {
      continue;
    }
    c.r[0] = r_N;
    c.r[1] = r_N * d[0];
    c.r[2] = r_N * d[1];
    for (int k = 0; k < 3; k++) {
      c.v[k] = b[k] + la_dot(3, c.A + 3 * k, c.r);
    }
    const double excess = contact_energy(3, c.A, b, c.r) - least;
    CHECK_LE(-1e-13 * (1 + fabs(least)), excess); /* by no part of the minimum's derivation */
    /* the energy falls by at most residual times the way to the minimum */
    CHECK_LE(1e-4 * fmin(1, excess / (1 + fabs(least))), residual_of(&c).absolute);
  }
}

TEST(mdp_leaves_a_separating_contact_alone_and_moves_a_jammed_one) {
  /* strong coupling: with mu |A_TN| > A_NN a grazing contact can be made to jam */
  struct pair c = {
      .law = CONTACT_LAW_MDP, .dim = 3, .mu = 2, .A = {1, -0.9, 0, -0.9, 1, 0, 0, 0, 1}};
  c.v[1] = -1; /* r = 0, b = v */
  c.v[0] = 0.1;
  CHECK(residual_of(&c).absolute == 0);
  c.v[0] = 0;
  CHECK_LE(0.1, residual_of(&c).absolute);
  double r[3];
  const double b[3] = {0, -1, 0};
  CHECK_LE(contact_minimum_energy(3, c.mu, c.A, b, r), -0.1);
  CHECK_LE(0.1, r[0]);
}

/* ---- Diagnostics ----------------------------------------------------------------------------- */

TEST(diagnostics_measure_what_they_say) {
  const double mu[2] = {0.5, 0.5}, r[6] = {2, -1, 0, 1, 0, 0.3}, v[6] = {0, 3, 0, 0, 4, 0};
  const double A[18] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  const struct contact_model model = {.law = CONTACT_LAW_NCP, .dim = 3, .nc = 2, .mu = mu};
  struct contact_diagnostics d = contact_diagnose(&model, A, r, v, 0);
  CHECK_NEAR(d.signorini, 0, 1e-16);
  CHECK_NEAR(d.cone, 0, 1e-16);
  CHECK_NEAR(d.angle, M_PI / 2, 1e-15); /* the second slides across its friction */
  CHECK_NEAR(d.dissipation_shortfall, 0.5 * 1 * 4, 1e-15);
  CHECK_INT(d.at, 1);
  CHECK(isnan(d.energy_excess));
  const double pulled[6] = {-2, 0, 0, 1, 0.9, 0};
  d = contact_diagnose(&model, A, pulled, v, 1);
  CHECK_NEAR(d.cone, 2, 1e-15);
  CHECK_NEAR(d.signorini, 2, 1e-15);
  const double still[6] = {0, 0, 0, 0, 1e-12, 0};
  CHECK(contact_diagnose(&model, A, r, still, 0).angle == 0); /* noise does not slide */
}

TEST(diagnostics_vanish_on_coulomb_solutions_and_excess_is_against_the_minimum) {
  rng = test_rng(0);
  for (int draw = 0; draw < 500; draw++) {
    struct pair c;
    draw_pair(&c, CONTACT_LAW_NCP, 2 + draw % 2, draw % 4, draw);
    const struct contact_model model = {.law = c.law, .dim = c.dim, .nc = 1, .mu = &c.mu};
    const struct contact_diagnostics d = contact_diagnose(&model, c.A, c.r, c.v, 1);
    CHECK_NEAR(d.signorini, 0, 1e-14);
    CHECK_NEAR(d.cone, 0, 1e-14);
    CHECK_NEAR(d.angle, 0, 1e-7);
    CHECK_NEAR(d.dissipation_shortfall, 0, 1e-14);
    double b[3], least[3];
    for (int k = 0; k < c.dim; k++) {
      b[k] = c.v[k] - la_dot(c.dim, c.A + c.dim * k, c.r);
    }
    const double energy = contact_energy(c.dim, c.A, b, c.r);
    CHECK_NEAR(d.energy_excess, energy - contact_minimum_energy(c.dim, c.mu, c.A, b, least), 1e-14);
    if (b[0] < 0) { /* the minimum is feasible for Coulomb's cone and never above */
      CHECK_LE(-1e-12 * (1 + fabs(energy)), d.energy_excess);
    }
  }
}

TEST(names_of_laws_go_both_ways) {
  for (int law = 0; law < CONTACT_LAW_COUNT; law++) {
    enum contact_law parsed = CONTACT_LAW_COUNT;
    CHECK_OK(contact_law_parse(contact_law_name((enum contact_law)law), &parsed));
    CHECK_INT(parsed, law);
  }
  enum contact_law law = CONTACT_LAW_MDP;
  CHECK_INT(contact_law_parse("coulomb", &law), BASE_E_INPUT);
  CHECK_INT(law, CONTACT_LAW_MDP);
}
