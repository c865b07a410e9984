/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Projection onto the polygon of a polyhedral friction cone: the hull of the scaled directions and
 * the origin, all that non-negative multiples lambda_k with sum at most the radius can reach
 * (bhalerao 14).
 *
 * As a rule the directions in their order are the corners of a convex polygon around the origin;
 * then its edges are all there is to look at. Otherwise (directions in one half-plane, or one
 * within the hull of the others) every triangle of the origin with two corners is tried for the
 * point, and every segment between two corners, the origin included, for the nearest one: the fan
 * of the hull around the origin is among those triangles, the edges of the hull among those
 * segments, and none leaves the hull.
 */
#include "contact/law.h"
#include "contact/set.h"

#include <math.h>

static double cross(const double a[2], const double b[2]) { return a[0] * b[1] - a[1] * b[0]; }

/* Nearest point of the segment p q to x into out if nearer than the root of *best. */
static void try_segment(const double p[2], const double q[2], const double x[2], double *best,
                        double out[2]) {
  const double e[2] = {q[0] - p[0], q[1] - p[1]};
  const double square = e[0] * e[0] + e[1] * e[1];
  const double along = e[0] * (x[0] - p[0]) + e[1] * (x[1] - p[1]);
  double c[2] = {p[0], p[1]};
  if (along >= square) {
    c[0] = q[0];
    c[1] = q[1];
  } else if (along > 0) {
    c[0] += along / square * e[0];
    c[1] += along / square * e[1];
  }
  const double dx = x[0] - c[0], dy = x[1] - c[1], distance = dx * dx + dy * dy;
  if (distance < *best) {
    *best = distance;
    out[0] = c[0];
    out[1] = c[1];
  }
}

/* Corner k of the scaled polygon, taken round; k = -1: the origin. */
static void corner(int n, const double *dirs, double radius, int k, double p[2]) {
  const int at = k >= n ? k - n : k;
  p[0] = k < 0 ? 0 : radius * dirs[2 * at];
  p[1] = k < 0 ? 0 : radius * dirs[2 * at + 1];
}

/* Do the directions, counter-clockwise and once round, bound a convex set with the origin in it? */
static int is_convex(int n, const double *dirs) {
  double turn = 0;
  for (int k = 0; k < n; k++) {
    double p[2], q[2], s[2];
    corner(n, dirs, 1, k, p);
    corner(n, dirs, 1, k + 1, q);
    corner(n, dirs, 1, k + 2, s);
    const double e[2] = {q[0] - p[0], q[1] - p[1]}, f[2] = {s[0] - q[0], s[1] - q[1]};
    if (!(cross(p, q) > 0) || cross(e, f) < 0) {
      return 0;
    }
    turn += p[1] < 0 && q[1] >= 0; /* crossings of the positive first axis */
  }
  return n >= 3 && turn == 1;
}

static void project_convex(int n, const double *dirs, double radius, const double x[2],
                           double out[2]) {
  double best = INFINITY, nearest[2] = {x[0], x[1]};
  for (int k = 0; k < n; k++) {
    double p[2], q[2];
    corner(n, dirs, radius, k, p);
    corner(n, dirs, radius, k + 1, q);
    const double e[2] = {q[0] - p[0], q[1] - p[1]}, d[2] = {x[0] - p[0], x[1] - p[1]};
    if (cross(e, d) < 0) { /* beyond this edge */
      try_segment(p, q, x, &best, nearest);
    }
  }
  out[0] = nearest[0];
  out[1] = nearest[1];
}

/* Is x in the triangle of the origin, p and q? */
static int in_triangle(const double p[2], const double q[2], const double x[2]) {
  const double area = cross(p, q), s = area < 0 ? -1 : 1;
  const double on_p = s * cross(x, q), on_q = s * cross(p, x);
  return area != 0 && on_p >= 0 && on_q >= 0 && on_p + on_q <= s * area;
}

static void project_any(int n, const double *dirs, double radius, const double x[2],
                        double out[2]) {
  double best = INFINITY, nearest[2] = {0, 0};
  for (int i = -1; i < n; i++) {
    double p[2], q[2];
    corner(n, dirs, radius, i, p);
    for (int j = i + 1; j < n; j++) {
      corner(n, dirs, radius, j, q);
      if (i >= 0 && in_triangle(p, q, x)) {
        out[0] = x[0];
        out[1] = x[1];
        return;
      }
      try_segment(p, q, x, &best, nearest);
    }
  }
  out[0] = nearest[0];
  out[1] = nearest[1];
}

void contact_project_polygon(int n, const double *dirs, double radius, const double x[2],
                             double out[2]) {
  if (!(radius > 0)) {
    out[0] = out[1] = 0;
  } else if (is_convex(n, dirs)) {
    project_convex(n, dirs, radius, x, out);
  } else {
    project_any(n, dirs, radius, x, out);
  }
}

/* Unit vector k of a regular polygon; whole quarter turns are exact. */
static void regular_direction(int n_dir, int k, double d[2]) {
  const int quarter = 4 * k / n_dir, rest = 4 * k % n_dir;
  const double angle = M_PI / 2 * rest / n_dir;
  const double c = rest == 0 ? 1 : cos(angle), s = rest == 0 ? 0 : sin(angle);
  const double turned[4][2] = {{c, s}, {-s, c}, {-c, -s}, {s, -c}};
  d[0] = turned[quarter % 4][0];
  d[1] = turned[quarter % 4][1];
}

void contact_directions(int n_dir, double *dirs) {
  for (int k = 0; k < n_dir; k++) {
    regular_direction(n_dir, k, &dirs[2 * k]);
  }
}

void contact_directions_elliptic(int n_dir, double ratio, double *dirs) {
  contact_directions(n_dir, dirs);
  for (int k = 0; k < n_dir; k++) {
    dirs[2 * k + 1] *= ratio;
  }
}

void contact_project_regular(int n_dir, double radius, const double x[2], double out[2]) {
  /* The nearest edge is that of the sector x lies in. */
  const double turn = atan2(x[1], x[0]) / (2 * M_PI);
  const int sector = (int)floor((turn < 0 ? turn + 1 : turn) * n_dir) % n_dir;
  double p[2], q[2];
  regular_direction(n_dir, sector, p);
  regular_direction(n_dir, (sector + 1) % n_dir, q);
  for (int k = 0; k < 2; k++) {
    p[k] *= radius;
    q[k] *= radius;
  }
  const double e[2] = {q[0] - p[0], q[1] - p[1]}, d[2] = {x[0] - p[0], x[1] - p[1]};
  double best = INFINITY, nearest[2] = {x[0], x[1]};
  if (!(radius > 0)) {
    nearest[0] = nearest[1] = 0;
  } else if (cross(e, d) < 0) {
    try_segment(p, q, x, &best, nearest);
  }
  out[0] = nearest[0];
  out[1] = nearest[1];
}
