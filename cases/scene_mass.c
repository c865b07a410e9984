/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mass, centre and inertia of bodies made of shapes, at density 1. With the moments J_k of shape k
 * about its own centre and axes R_k, at c_k, of volume V_k (Steiner's theorem)
 *
 *   V = sum V_k,  c = sum V_k c_k / V,  J = sum R_k J_k R_k^T + V_k (|d_k|^2 1 - d_k d_k^T),
 *
 * d_k = c_k - c. Principal axes are the eigenvectors of J, in the order and with the signs that
 * turn the given axes least; axes that are principal already stay. In the plane V is an area, J one
 * number; a capsule or cylinder is a slab seen from its side.
 */
#include "cases/scene_parts.h"

#include "base/status.h"
#include "la/dense.h"

#include <math.h>
#include <string.h>

/* Products of inertia below this part of the trace are rounding: the axes stay as given. */
static const double PRINCIPAL = 1e-14;

void scene_quaternion_product(const double a[4], const double b[4], double c[4]) {
  const double p[4] = {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                       a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                       a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
                       a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
  memcpy(c, p, sizeof p);
}

void scene_quaternion_matrix(const double a[4], double R[9]) {
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    R[4 * i] = 1 - 2 * (a[1 + j] * a[1 + j] + a[1 + k] * a[1 + k]);
    R[3 * i + j] = 2 * (a[1 + i] * a[1 + j] - a[0] * a[1 + k]);
    R[3 * j + i] = 2 * (a[1 + i] * a[1 + j] + a[0] * a[1 + k]);
  }
}

/* Unit quaternion of a rotation matrix: the largest component first, so that nothing cancels. */
static void quaternion_of(const double R[9], double a[4]) {
  const double trace = R[0] + R[4] + R[8];
  if (trace > 0) {
    a[0] = 0.5 * sqrt(1 + trace);
    a[1] = (R[7] - R[5]) / (4 * a[0]);
    a[2] = (R[2] - R[6]) / (4 * a[0]);
    a[3] = (R[3] - R[1]) / (4 * a[0]);
    return;
  }
  int i = R[4] > R[0] ? 1 : 0;
  i = R[8] > R[4 * i] ? 2 : i;
  const int j = (i + 1) % 3, k = (i + 2) % 3;
  a[1 + i] = 0.5 * sqrt(1 + R[4 * i] - R[4 * j] - R[4 * k]);
  a[0] = (R[3 * k + j] - R[3 * j + k]) / (4 * a[1 + i]);
  a[1 + j] = (R[3 * j + i] + R[3 * i + j]) / (4 * a[1 + i]);
  a[1 + k] = (R[3 * k + i] + R[3 * i + k]) / (4 * a[1 + i]);
}

/* Volume, and moments about centre and axes of the shape, at density 1. */
static double solid(const struct mech_shape *s, double J[3]) {
  const double r = s->radius, l = s->half_length, *h = s->half;
  const double barrel = 2 * M_PI * r * r * l, ball = 4.0 / 3 * M_PI * r * r * r;
  double volume = 0;
  memset(J, 0, 3 * sizeof *J);
  switch (s->kind) {
  case MECH_SHAPE_SPHERE:
    J[0] = J[1] = J[2] = 0.4 * ball * r * r;
    return ball;
  case MECH_SHAPE_BOX:
    volume = 8 * h[0] * h[1] * h[2];
    for (int i = 0; i < 3; ++i) {
      const double a = h[(i + 1) % 3], b = h[(i + 2) % 3];
      J[i] = volume / 3 * (a * a + b * b);
    }
    return volume;
  case MECH_SHAPE_CYLINDER:
  case MECH_SHAPE_CAPSULE: /* half balls at l have their centres at l + 3 r / 8 */
    J[0] = J[1] = barrel * (r * r / 4 + l * l / 3);
    J[2] = 0.5 * barrel * r * r;
    if (s->kind == MECH_SHAPE_CYLINDER) {
      return barrel;
    }
    J[0] += ball * (0.4 * r * r + l * l + 0.75 * r * l);
    J[1] = J[0];
    J[2] += 0.4 * ball * r * r;
    return barrel + ball;
  default:
    return 0;
  }
}

/* The same in the plane: area and polar moment. */
static double flat(const struct mech_shape *s, double J[3]) {
  const double r = s->radius, l = s->half_length, *h = s->half;
  const double slab = 4 * r * l, disk = M_PI * r * r;
  memset(J, 0, 3 * sizeof *J);
  switch (s->kind) {
  case MECH_SHAPE_SPHERE:
    J[2] = 0.5 * disk * r * r;
    return disk;
  case MECH_SHAPE_BOX:
    J[2] = 4 * h[0] * h[1] * (h[0] * h[0] + h[1] * h[1]) / 3;
    return 4 * h[0] * h[1];
  case MECH_SHAPE_CYLINDER:
    J[2] = slab * (r * r + l * l) / 3;
    return slab;
  case MECH_SHAPE_CAPSULE: /* half disks at l have their centres at l + 4 r / (3 pi) */
    J[2] = slab * (r * r + l * l) / 3 + disk * (0.5 * r * r + l * l + 8 * r * l / (3 * M_PI));
    return slab + disk;
  default:
    return 0;
  }
}

/* Of the orders and signs of the columns of V, eigenvectors, the rotation next to none: axes stay
 * near those given. */
static void order_axes(double V[9], double w[3]) {
  static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                   {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  double A[9], moment[3], most = -1;
  int best = 0, turned = 0;
  memcpy(A, V, sizeof A);
  memcpy(moment, w, sizeof moment);
  for (int k = 0; k < 6; ++k) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
      sum += fabs(A[3 * orders[k][i] + i]);
    }
    best = sum > most ? k : best;
    most = fmax(most, sum);
  }
  for (int i = 0; i < 3; ++i) {
    const double *from = A + 3L * orders[best][i];
    for (int j = 0; j < 3; ++j) {
      V[3 * i + j] = copysign(1, from[i]) * from[j];
    }
    w[i] = moment[orders[best][i]];
    turned = fabs(V[4 * i]) < fabs(V[4 * turned]) ? i : turned;
  }
  const double det = V[0] * (V[4] * V[8] - V[5] * V[7]) - V[3] * (V[1] * V[8] - V[2] * V[7]) +
                     V[6] * (V[1] * V[5] - V[2] * V[4]);
  for (int j = 0; j < 3 && det < 0; ++j) {
    V[3 * turned + j] = -V[3 * turned + j];
  }
}

/* A: moments and products of inertia, overwritten. */
static void principal_axes(double A[9], struct scene_filling *out) {
  const double small = PRINCIPAL * (A[0] + A[4] + A[8]);
  memcpy(out->axes, (double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, sizeof out->axes);
  memcpy(out->moment, (double[3]){A[0], A[4], A[8]}, sizeof out->moment);
  if (fmax(fabs(A[1]), fmax(fabs(A[2]), fabs(A[5]))) > small &&
      la_eigen_symmetric(3, A, out->moment, 1) == BASE_OK) {
    order_axes(A, out->moment);
    for (int i = 0; i < 9; ++i) {
      out->axes[3 * (i % 3) + i / 3] = A[i];
    }
  }
  quaternion_of(out->axes, out->turn);
}

struct scene_filling scene_fill(int planar, int n, const struct mech_shape *shapes) {
  struct scene_filling out = {.volume = 0};
  double A[9] = {0}, J[3];
  for (int k = 0; k < n; ++k) {
    const double volume = planar ? flat(&shapes[k], J) : solid(&shapes[k], J);
    out.volume += volume;
    for (int i = 0; i < 3; ++i) {
      out.centre[i] += volume * shapes[k].offset[i];
    }
  }
  for (int i = 0; i < 3 && out.volume > 0; ++i) {
    out.centre[i] /= out.volume;
  }
  for (int k = 0; k < n; ++k) {
    const double volume = planar ? flat(&shapes[k], J) : solid(&shapes[k], J);
    double R[9], d[3], square = 0;
    scene_quaternion_matrix(shapes[k].orientation, R);
    if (planar) { /* J is about the normal of the plane, whatever way the shape lies in it */
      memcpy(R, (double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, sizeof R);
    }
    for (int i = 0; i < 3; ++i) {
      d[i] = shapes[k].offset[i] - out.centre[i];
      square += d[i] * d[i];
    }
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        A[3 * i + j] += volume * ((i == j ? square : 0) - d[i] * d[j]);
        for (int l = 0; l < 3; ++l) {
          A[3 * i + j] += R[3 * i + l] * J[l] * R[3 * j + l];
        }
      }
    }
  }
  if (planar) {
    out.moment[2] = A[8];
    memcpy(out.axes, (double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, sizeof out.axes);
    out.turn[0] = 1;
  } else {
    principal_axes(A, &out);
  }
  return out;
}
