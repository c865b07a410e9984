/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bilateral joints of an assembly. With p_k = x_k + R_k rho_k the points on the two bodies,
 * d = p_1 - p_0, e = d/|d|, and axes a_k = R_k alpha_k,
 *
 *   spherical   g = d                                  gdot = pdot_1 - pdot_0
 *   revolute    and g = a_0 . b_1, a_0 . c_1           with b, c normal to the axis on the second
 *   fixed       and g = x_0 . y_1, y_0 . z_1, z_0 . x_1  with axes that coincide at the start
 *   rod         g = |d| - L                            gdot = e . ddot
 *   motion      g = n . (p_0 - p_0(start)) - s(t)      chi = -sdot
 *   rotation    g = a_0 . c, sin(angle - s(t))         with c(t) in a frame that turns by s about
 *   n,
 *                                                      a and c across each other and n
 *   prismatic   g = b_0 . d, c_0 . d                   with b, c normal to the axis on the first
 *                                                      body; and the three of fixed's axes
 *   scalable    g = |A|^2 - 1 of every body            gdot = nu
 *
 * (a . b)dot = (w_1 - w_0) . (b x a) for a on the first and b on the second body. The bias is the
 * rate of gdot at constant u; then w is constant in the world too, but for the scalable body, where
 * w = R omega / s adds -sdot/s w. In the plane only the rows that are not empty there are left: two
 * of the point, the first of `fixed`, one of each of prismatic's. Rows of bodies that are not
 * active are zero.
 */
#include "mech/assembly/parts.h"

#include "la/dense.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

int mech_assembly_joint_rows(const struct mech_assembly *a, enum mech_joint_kind kind) {
  const int planar = a->kind == MECH_PLANAR;
  switch (kind) {
  case MECH_JOINT_SPHERICAL:
    return planar ? 2 : 3;
  case MECH_JOINT_REVOLUTE:
    return planar ? 2 : 5;
  case MECH_JOINT_FIXED:
    return planar ? 3 : 6;
  case MECH_JOINT_PRISMATIC:
    return planar ? 2 : 5;
  case MECH_JOINT_ROD:
  case MECH_JOINT_MOTION:
  case MECH_JOINT_ROTATION:
    return 1;
  case MECH_JOINT_ROPE:
  case MECH_JOINT_SPRING:
    break;
  }
  return 0;
}

/* Size of the terms of e . x. */
static double size_of(const double e[3], const double x[3]) {
  return fabs(e[0] * x[0]) + fabs(e[1] * x[1]) + fabs(e[2] * x[2]);
}

/* A row along a direction of the vector between the points. */
static void direction_row(const struct mech_joint_reach *r, const double e[3],
                          struct mech_joint_rows *out) {
  const int i = out->n;
  out->size[i] = 0;
  for (int k = 0; k < 2; ++k) {
    out->size[i] += size_of(e, r->body[k].x) + size_of(e, r->arm[k]);
    memset(out->force[i][k], 0, sizeof out->force[i][k]);
    mech_add3(k == 0 ? -1 : 1, e, out->force[i][k]);
    mech_cross3(r->arm[k], out->force[i][k], out->torque[i][k]);
    if (out->with_rates) { /* of force . (w x arm), with arm turning along */
      double turning[3];
      mech_cross3(r->body[k].w, r->arm[k], turning);
      mech_cross3(turning, out->force[i][k], out->rate_torque[i][k]);
      memset(out->rate_force[i][k], 0, sizeof out->rate_force[i][k]);
    }
  }
}

/* A column of a rotation, stored as that of a pose. */
static void column(const double R[9], int j, double out[3]) {
  for (int i = 0; i < 3; ++i) {
    out[i] = R[3 * i + j];
  }
}

static void point_rows(const struct mech_joint_reach *r, int n, struct mech_joint_rows *out) {
  for (int i = 0; i < n; ++i) {
    const double e[3] = {i == 0, i == 1, i == 2};
    direction_row(r, e, out);
    out->g[out->n] = r->d[i];
    out->bias[out->n++] = r->turn[i];
  }
}

/* What a . b changes of its rate (w_1 - w_0) . (b x a) by turning its bodies, as torques. */
static void axis_rate(const double a[3], const double b[3], const double c[3],
                      struct mech_joint_rows *out, int i) {
  const double *w0 = out->body[0].w, *w1 = out->body[1].w;
  const double X[3] = {w1[0] - w0[0], w1[1] - w0[1], w1[2] - w0[2]};
  double aX[3], Xb[3], spin[3], tilt[3];
  mech_cross3(a, X, aX);
  mech_cross3(X, b, Xb);
  mech_cross3(w0, c, spin);
  mech_cross3(a, Xb, tilt);
  for (int k = 0; k < 3; ++k) {
    out->rate_force[i][0][k] = out->rate_force[i][1][k] = 0;
    out->rate_torque[i][0][k] = tilt[k] - spin[k];
  }
  mech_cross3(w1, c, spin);
  mech_cross3(b, aX, tilt);
  for (int k = 0; k < 3; ++k) {
    out->rate_torque[i][1][k] = spin[k] + tilt[k];
  }
}

/* The row of axis `a` on the first and `b` on the second body, in the bodies' frames. */
static void axis_row(const double a_body[3], const double b_body[3], struct mech_joint_rows *out) {
  const int i = out->n++;
  const double *w0 = out->body[0].w, *w1 = out->body[1].w;
  double a[3], b[3], adot[3], bdot[3], first[3], second[3], c[3];
  mech_turn3(out->body[0].R, a_body, a);
  mech_turn3(out->body[1].R, b_body, b);
  mech_cross3(b, a, c);
  mech_cross3(w0, a, adot);
  mech_cross3(w1, b, bdot);
  mech_cross3(bdot, a, first);
  mech_cross3(b, adot, second);
  out->g[i] = mech_dot3(a, b);
  out->size[i] = size_of(a, b);
  out->bias[i] = 0;
  for (int k = 0; k < 3; ++k) {
    out->force[i][0][k] = out->force[i][1][k] = 0;
    out->torque[i][0][k] = -c[k];
    out->torque[i][1][k] = c[k];
    out->bias[i] += (w1[k] - w0[k]) * (first[k] + second[k]);
  }
  if (out->with_rates) {
    axis_rate(a, b, c, out, i);
  }
}

/* The rows of axes that coincide at the start: no relative turning. */
static void triad_rows(const struct mech_joint_frame *frame, int n, struct mech_joint_rows *out) {
  for (int i = 0; i < n; ++i) {
    double first[3], second[3];
    column(frame->triad[0], i, first);
    column(frame->triad[1], (i + 1) % 3, second);
    axis_row(first, second, out);
  }
}

/* d has no part along e = R_0 e_body: gdot = e . ddot + f . d with f = w_0 x e. */
static void sliding_row(const struct mech_joint_reach *r, const double e_body[3],
                        struct mech_joint_rows *out) {
  const int i = out->n;
  const double *w0 = r->body[0].w, *d = r->d;
  double e[3], f[3], ff[3], x[3];
  mech_turn3(r->body[0].R, e_body, e);
  mech_cross3(w0, e, f);
  mech_cross3(w0, f, ff);
  direction_row(r, e, out);
  mech_cross3(e, d, x);
  mech_add3(1, x, out->torque[i][0]);
  out->g[i] = mech_dot3(e, d);
  out->bias[i] = mech_dot3(e, r->turn) + 2 * mech_dot3(f, r->rate) + mech_dot3(ff, d);
  if (out->with_rates) {
    mech_cross3(e, r->rate, x);
    mech_add3(1, x, out->rate_torque[i][0]);
    mech_cross3(f, d, x);
    mech_add3(1, x, out->rate_torque[i][0]);
    for (int k = 0; k < 2; ++k) {
      mech_add3(k == 0 ? -1 : 1, f, out->rate_force[i][k]);
      mech_cross3(r->arm[k], f, x);
      mech_add3(k == 0 ? -1 : 1, x, out->rate_torque[i][k]);
    }
  }
  ++out->n;
}

static void rod_row(const struct mech_joint_reach *r, double length, struct mech_joint_rows *out) {
  const double along = mech_dot3(r->e, r->rate);
  direction_row(r, r->e, out);
  out->g[out->n] = r->length - length;
  out->size[out->n] += length;
  out->bias[out->n] = mech_dot3(r->e, r->turn);
  if (r->length > 0) {
    out->bias[out->n] += (mech_dot3(r->rate, r->rate) - along * along) / r->length;
  }
  for (int k = 0; k < 2 && out->with_rates && r->length > 0; ++k) { /* e follows d */
    double across[3], torque[3];
    for (int i = 0; i < 3; ++i) {
      across[i] = (k == 0 ? -1 : 1) * (r->rate[i] - along * r->e[i]) / r->length;
    }
    mech_cross3(r->arm[k], across, torque);
    mech_add3(1, across, out->rate_force[out->n][k]);
    mech_add3(1, torque, out->rate_torque[out->n][k]);
  }
  ++out->n;
}

/* d runs from the moving point to where it was at the start, held by the world. */
static void motion_row(const struct mech_assembly *a, const struct mech_assembly_joint *j,
                       const struct mech_joint_reach *r, struct mech_joint_rows *out) {
  double s[3];
  const double back[3] = {-j->frame.axis[0][0], -j->frame.axis[0][1], -j->frame.axis[0][2]};
  mech_spline_at(&j->motion, a->clock, s);
  direction_row(r, back, out);
  out->g[out->n] = mech_dot3(back, r->d) - s[0];
  out->size[out->n] += fabs(s[0]);
  out->bias[out->n++] = mech_dot3(back, r->turn) - s[2];
  out->chi = -s[1];
}

/* The second body is the world: its axis turns as prescribed, and so it does itself for the
 * bias. */
static void rotation_row(const struct mech_assembly *a, const struct mech_assembly_joint *j,
                         struct mech_joint_rows *out) {
  const double *n = j->frame.axis[0], *start = j->frame.across[1];
  double s[3], beside[3], axis[3] = {0};
  mech_spline_at(&j->motion, a->clock, s);
  mech_cross3(n, start, beside);
  mech_add3(cos(s[0]), start, axis);
  mech_add3(sin(s[0]), beside, axis);
  mech_add3(s[1], n, out->body[1].w);
  axis_row(j->frame.across[0], axis, out);
  const double bias = out->bias[0] + s[2] * mech_dot3(out->torque[0][1], n);
  out->chi = mech_dot3(out->torque[0][1], out->body[1].w);
  memset(out->body[1].w, 0, sizeof out->body[1].w);
  out->n = 0; /* again at rest, for what W^T u does */
  axis_row(j->frame.across[0], axis, out);
  out->bias[0] = bias;
}

/* w of the scalable body changes at constant u. */
static void scalable_bias(const struct mech_assembly *a, struct mech_joint_rows *rows) {
  for (int i = 0; i < rows->n && a->kind == MECH_SCALABLE; ++i) {
    for (int k = 0; k < 2; ++k) {
      rows->bias[i] -=
          rows->body[k].sdot / rows->body[k].s * mech_dot3(rows->torque[i][k], rows->body[k].w);
    }
  }
}

void mech_joint_rows_at(const struct mech_assembly *a, const struct mech_assembly_joint *j,
                        const double *q, const double *u, struct mech_joint_rows *out) {
  const int planar = a->kind == MECH_PLANAR;
  const enum mech_joint_kind kind = j->given.kind;
  struct mech_joint_reach r;
  mech_joint_reach(a, j, q, u, &r);
  out->n = 0;
  out->chi = 0;
  out->with_rates = u != NULL;
  out->body[0] = r.body[0];
  out->body[1] = r.body[1];
  if (kind == MECH_JOINT_ROD) {
    rod_row(&r, j->given.length, out);
  } else if (kind == MECH_JOINT_MOTION) {
    motion_row(a, j, &r, out);
  } else if (kind == MECH_JOINT_ROTATION) {
    rotation_row(a, j, out);
  } else if (kind == MECH_JOINT_PRISMATIC) {
    sliding_row(&r, j->frame.across[0], out);
    if (!planar) {
      sliding_row(&r, j->frame.across[1], out);
    }
    triad_rows(&j->frame, planar ? 1 : 3, out);
  } else {
    point_rows(&r, planar ? 2 : 3, out);
  }
  if (kind == MECH_JOINT_REVOLUTE && !planar) {
    axis_row(j->frame.axis[0], j->frame.across[0], out);
    axis_row(j->frame.axis[0], j->frame.across[1], out);
  } else if (kind == MECH_JOINT_FIXED) {
    triad_rows(&j->frame, planar ? 1 : 3, out);
  }
  scalable_bias(a, out);
}

/* Joints that hold: theirs are the rows from first_row on; rows stay zero where it is not
 * active. */
int mech_joint_holds(const struct mech_assembly *a, const struct mech_assembly_joint *j) {
  return j->frame.rows > 0 && mech_assembly_joints_act(a, &j->given);
}

/* What stands at `member` of struct mech_joint_rows, of all joints that hold. u: NULL where rates
 * do not matter. */
static void put_rows(const struct mech *m, const double *q, const double *u, size_t member,
                     double *out) {
  const struct mech_assembly *a = m->data;
  struct mech_joint_rows rows;
  la_zero(m->ns, out);
  for (int i = 0; i < a->n_joints; ++i) {
    if (mech_joint_holds(a, &a->joint[i])) {
      mech_joint_rows_at(a, &a->joint[i], q, u, &rows);
      la_copy(rows.n, (const double *)(const void *)((const char *)&rows + member),
              out + a->joint[i].frame.first_row);
    }
  }
}

static void assembly_bilateral(const struct mech *m, const double *q, double *gS) {
  put_rows(m, q, NULL, offsetof(struct mech_joint_rows, g), gS);
  for (int k = 0, i = mech_first_norm(m); i < m->ns; ++k, ++i) {
    gS[i] = la_dot(4, q + 7L * k + 3, q + 7L * k + 3) - 1;
  }
}

/* The block of row i on body k of a joint: body_nu, from zero. */
static void row_block(const struct mech_assembly *a, const struct mech_assembly_joint *j,
                      const struct mech_joint_rows *rows, int i, int k, double *block) {
  double torque[3];
  mech_back3(rows->body[k].R, rows->torque[i][k], torque);
  mech_assembly_put_u(a, &rows->body[k], j->given.body[k], 1, rows->force[i][k], torque, block);
}

static void assembly_by_body(const struct mech *m, const double *q, int *body, double *W) {
  const struct mech_assembly *a = m->data;
  struct mech_joint_rows rows;
  memset(W, 0, (size_t)(2 * m->nv) * (size_t)m->ns * sizeof *W);
  memset(body, -1, 2 * (size_t)m->ns * sizeof *body);
  for (int i = 0; i < a->n_joints; ++i) {
    const struct mech_assembly_joint *j = &a->joint[i];
    const int held = mech_joint_holds(a, j);
    if (held) {
      mech_joint_rows_at(a, j, q, NULL, &rows);
    }
    for (int row = 0; row < j->frame.rows; ++row) {
      for (int k = 0; k < 2; ++k) {
        const int at = 2 * (j->frame.first_row + row) + k, b = j->given.body[k];
        body[at] = b >= 0 ? mech_body_block(a, b) : -1;
        if (held && body[at] >= 0) {
          row_block(a, j, &rows, row, k, W + (long)at * m->nv);
        }
      }
    }
  }
  for (int k = 0, i = mech_first_norm(m); i < m->ns; ++k, ++i) {
    body[2 * i] = k;
    W[2L * i * m->nv + 3] = 1;
  }
}

int mech_assembly_joint_directions(const struct mech_assembly *a, const double *q, int joint,
                                   double *first, double *second) {
  const struct mech_assembly_joint *j = &a->joint[joint];
  double *const W[2] = {first, second};
  struct mech_joint_rows rows;
  if (!mech_joint_holds(a, j)) {
    return 0;
  }
  mech_joint_rows_at(a, j, q, NULL, &rows);
  for (int k = 0; k < 2; ++k) {
    const int body = j->given.body[k];
    if (body >= 0 && mech_body_block(a, body) >= 0) {
      memset(W[k], 0, (size_t)(rows.n * a->body_nu) * sizeof *W[k]);
      for (int row = 0; row < rows.n; ++row) {
        row_block(a, j, &rows, row, k, W[k] + (long)row * a->body_nu);
      }
    }
  }
  return rows.n;
}

static void assembly_bias(const struct mech *m, const double *q, const double *u, double *bias) {
  put_rows(m, q, u, offsetof(struct mech_joint_rows, bias), bias);
}

static void assembly_drift(const struct mech *m, const double *q, double *chi) {
  const struct mech_assembly *a = m->data;
  struct mech_joint_rows rows;
  memset(chi, 0, (size_t)m->ns * sizeof *chi);
  for (int i = 0; i < a->n_joints; ++i) {
    if (mech_joint_is_driven(a->joint[i].given.kind) && mech_joint_holds(a, &a->joint[i])) {
      mech_joint_rows_at(a, &a->joint[i], q, NULL, &rows);
      chi[a->joint[i].frame.first_row] = rows.chi;
    }
  }
}

void mech_assembly_bilateral_rate(const struct mech *m, const double *q, const double *u,
                                  double *rate) {
  const struct mech_assembly *a = m->data;
  struct mech_joint_rows rows;
  assembly_drift(m, q, rate);
  for (int i = 0; i < a->n_joints; ++i) {
    if (!mech_joint_holds(a, &a->joint[i])) {
      continue;
    }
    mech_joint_rows_at(a, &a->joint[i], q, u, &rows);
    for (int row = 0; row < rows.n; ++row) {
      for (int k = 0; k < 2; ++k) {
        rate[a->joint[i].frame.first_row + row] += mech_dot3(rows.force[row][k], rows.body[k].v) +
                                                   mech_dot3(rows.torque[row][k], rows.body[k].w);
      }
    }
  }
  for (int k = 0, i = mech_first_norm(m); i < m->ns; ++k, ++i) {
    rate[i] = u[7L * k + 3];
  }
}

static void assembly_row_name(const struct mech *m, int row, char *text, size_t size) {
  const struct mech_assembly *a = m->data;
  if (row >= mech_first_norm(m)) {
    const int body = mech_block_body(a, row - mech_first_norm(m));
    snprintf(text, size, "|A| = 1 of %s", mech_assembly_get_body(a, body).name);
    return;
  }
  int i = 0; /* rows ascend */
  while (row >= a->joint[i].frame.first_row + a->joint[i].frame.rows) {
    ++i;
  }
  const struct mech_joint *j = &a->joint[i].given;
  const char *name[2];
  for (int k = 0; k < 2; ++k) {
    name[k] = j->body[k] < 0 ? "the world" : mech_assembly_get_body(a, j->body[k]).name;
  }
  snprintf(text, size, "%s joint %s%sbetween %s and %s", mech_joint_name(j->kind),
           j->name != NULL ? j->name : "", j->name != NULL ? " " : "", name[0], name[1]);
}

void mech_assembly_joint_ops(const struct mech_assembly *a, int ns, struct mech_ops *ops) {
  if (ns == 0) {
    return;
  }
  ops->bilateral = assembly_bilateral;
  ops->bodies.bilateral_by_body = assembly_by_body;
  ops->bilateral_bias = assembly_bias;
  ops->bodies.bilateral_rate = mech_assembly_bilateral_rate;
  ops->bodies.bilateral_name = assembly_row_name;
  if (mech_assembly_is_driven(a)) {
    ops->driven.bilateral_drift = assembly_drift;
  }
}
