/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Frames of contacts and how they move. At constant u the velocities v of the centres and w of the
 * bodies are constant in the world (but for the scalable body, wdot = -sdot/s w), so that for the
 * relative velocity in the frame, c_d . (v_1(p) - v_0(p)), the bias is
 *
 *   cdot_d . (v_1 - v_0) + c_d . (acc_1 - acc_0),   acc = w x (pdot - v) - sdot/s w x (p - x)
 *
 * with the rates of the frame c = (n, t1, t2) and of the place p, which slides over both bodies.
 * They follow from the pieces of the cores that touch (a point, a line, a face, a rim): the closest
 * points slide along their tangents such that n stays normal to both.
 */
#include "mech/assembly/parts.h"

#include <string.h>

#include "base/status.h"
#include "la/dense.h"

/* First world axis less than 80 degrees off the tangent plane. */
static int frame_axis(const double n[3]) {
  int axis = 0;
  while (axis < 2 && !mech_frame_has_axis(n, axis)) {
    ++axis;
  }
  return axis;
}

void mech_contact_frame(const double n[3], double frame[9]) {
  const int axis = frame_axis(n);
  const double x = n[0], y = n[1], z = n[2], along = n[axis];
  const double a = (axis == 0) - along * x, b = (axis == 1) - along * y,
               c = (axis == 2) - along * z;
  const double size = sqrt(a * a + b * b + c * c), ta = a / size, tb = b / size, tc = c / size;
  frame[0] = x, frame[1] = y, frame[2] = z;
  frame[3] = ta, frame[4] = tb, frame[5] = tc;
  frame[6] = y * tc - z * tb, frame[7] = z * ta - x * tc, frame[8] = x * tb - y * ta;
}

void mech_contact_frame_rate(const double frame[9], const double ndot[3], double rate[9]) {
  const double *n = frame, *t1 = frame + 3;
  const int axis = frame_axis(n);
  double pdot[3], second[3];
  for (int i = 0; i < 3; ++i) { /* t1 = p/|p|, p = e - n (n . e) */
    pdot[i] = -ndot[axis] * n[i] - n[axis] * ndot[i];
  }
  const double size = sqrt(fmax(1 - n[axis] * n[axis], 0)), along = mech_dot3(t1, pdot);
  memcpy(rate, ndot, 3 * sizeof *rate);
  for (int i = 0; i < 3; ++i) {
    rate[3 + i] = (pdot[i] - along * t1[i]) / size;
  }
  mech_cross3(ndot, t1, rate + 6);
  mech_cross3(n, rate + 3, second);
  mech_add3(1, second, rate + 6);
}

/* How place and normal move. */
struct touch_rate {
  double pdot[3], ndot[3];
};

/* What slides or turns with a touch: a tangent T of a piece, its curvature along n. */
struct tangent {
  int side; /* whose piece */
  double T[3], bend;
};
enum { TANGENTS = 4, UNKNOWNS = 2 + TANGENTS };

/* Tangents of the piece of shape k at the point y of its core; their number. */
static int tangents_of(const struct mech_touching *pair, const struct mech_touch *touch, int k,
                       const double frame[9], const double y[3], struct tangent *out) {
  const struct mech_piece *piece = &touch->piece[k];
  const struct mech_pose *pose = pair->pose[k];
  const int axis = piece->kind == MECH_PIECE_RIM ? 2 : piece->axis;
  const double u[3] = {pose->R[axis], pose->R[3 + axis], pose->R[6 + axis]};
  out[0] = out[1] = (struct tangent){.side = k};
  switch (piece->kind) {
  case MECH_PIECE_POINT:
    return 0;
  case MECH_PIECE_LINE:
    memcpy(out[0].T, u, sizeof u);
    return 1;
  case MECH_PIECE_FACE:
    memcpy(out[0].T, frame + 3, 3 * sizeof *frame);
    memcpy(out[1].T, frame + 6, 3 * sizeof *frame);
    return 2;
  case MECH_PIECE_RIM:
    break;
  }
  double out_of[3] = {y[0] - pose->x[0], y[1] - pose->x[1], y[2] - pose->x[2]};
  mech_add3(-mech_dot3(out_of, u), u, out_of);
  const double R = sqrt(mech_dot3(out_of, out_of));
  mech_cross3(u, out_of, out[0].T);
  for (int i = 0; i < 3; ++i) {
    out[0].T[i] /= R;
  }
  out[0].bend = -mech_dot3(out_of, frame) / (R * R);
  return 1;
}

/* Rates of the normal along t1 and t2 and of the sliding along the tangents, x: 2 + m, from
 *
 *   T . ndot + (w x T + s T') . n = 0,   e . (v_1 + T_1 s_1 - v_0 - T_0 s_0) = distance e . ndot
 *
 * for every tangent T and e = t1, t2. Zero where the pieces leave them open. */
static void solve_rates(const struct mech_touching *pair, const double frame[9], double distance,
                        const double apart[3], int m, const struct tangent *t, double *x) {
  const int n = 2 + m;
  double K[UNKNOWNS * UNKNOWNS] = {0};
  int piv[UNKNOWNS];
  for (int e = 0; e < 2; ++e) {
    const double *axis = frame + 3 + 3 * e;
    K[e * n + e] = -distance;
    x[e] = -mech_dot3(axis, apart);
    for (int j = 0; j < m; ++j) {
      K[(2 + j) * n + e] = (t[j].side ? 1 : -1) * mech_dot3(axis, t[j].T);
      K[e * n + 2 + j] = mech_dot3(axis, t[j].T);
    }
  }
  for (int j = 0; j < m; ++j) {
    double turned[3];
    mech_cross3(pair->body[t[j].side]->w, t[j].T, turned);
    K[(2 + j) * n + 2 + j] = t[j].bend;
    x[2 + j] = -mech_dot3(turned, frame);
  }
  int open = la_lu_factor(n, K, piv) != BASE_OK;
  if (!open) {
    la_lu_solve(n, 1, K, piv, x);
    open = !la_all_finite(n, x);
  }
  for (int i = 0; open && i < n; ++i) {
    x[i] = 0;
  }
}

int mech_touches(const struct mech_touching *pair, double reach, struct mech_touch *touch) {
  const int n = mech_collide(pair->shape[0], pair->pose[0], pair->shape[1], pair->pose[1],
                             pair->a->kind == MECH_PLANAR, reach, touch);
  return pair->a->beside != NULL ? mech_seams_trim(pair, n, touch) : n;
}

static struct touch_rate rate_of(const struct mech_touching *pair, const struct mech_touch *touch,
                                 const double frame[9]) {
  struct touch_rate rate = {.ndot = {0}};
  struct tangent t[TANGENTS];
  double v[2][3], apart[3], x[UNKNOWNS];
  int m = 0;
  for (int k = 0; k < 2; ++k) {
    double y[3];
    memcpy(y, touch->point, sizeof y);
    mech_add3((k ? 1 : -1) * (0.5 * touch->gap + touch->piece[k].radius), frame, y);
    mech_motion_point(pair->body[k], y, v[k]);
    m += tangents_of(pair, touch, k, frame, y, t + m);
  }
  for (int i = 0; i < 3; ++i) {
    apart[i] = v[1][i] - v[0][i];
  }
  const double first = touch->piece[0].radius;
  solve_rates(pair, frame, touch->gap + first + touch->piece[1].radius, apart, m, t, x);
  mech_add3(x[0], frame + 3, rate.ndot);
  mech_add3(x[1], frame + 6, rate.ndot);
  memcpy(rate.pdot, v[0], sizeof rate.pdot);
  mech_add3(0.5 * touch->gap + first, rate.ndot, rate.pdot);
  mech_add3(0.5 * mech_dot3(frame, apart), frame, rate.pdot);
  for (int j = 0; j < m; ++j) {
    if (t[j].side == 0) {
      mech_add3(x[2 + j], t[j].T, rate.pdot);
    }
  }
  return rate;
}

void mech_touch_bias(const struct mech_touching *pair, const struct mech_touch *touch,
                     const double frame[9], int dim, double *bias) {
  const struct touch_rate rate = rate_of(pair, touch, frame);
  double v[3] = {0}, acc[3] = {0}, turned[9];
  for (int k = 0; k < 2; ++k) {
    const struct mech_motion *m = pair->body[k];
    const double sign = k == 0 ? -1 : 1;
    double slide[3], x[3], arm[3];
    mech_motion_point(m, touch->point, x);
    mech_add3(sign, x, v);
    memcpy(slide, rate.pdot, sizeof slide);
    mech_add3(-1, m->v, slide);
    mech_cross3(m->w, slide, x);
    mech_add3(sign, x, acc);
    memcpy(arm, touch->point, sizeof arm);
    mech_add3(-1, m->x, arm);
    mech_cross3(m->w, arm, x);
    mech_add3(-sign * m->sdot / m->s, x, acc);
  }
  mech_contact_frame_rate(frame, rate.ndot, turned);
  for (int d = 0; d < dim; ++d) {
    bias[d] = mech_dot3(turned + 3 * d, v) + mech_dot3(frame + 3 * d, acc);
  }
}
