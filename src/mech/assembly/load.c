/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Forces of an assembly: gravity, springs and dampers between two points at distance l, loads.
 *
 *   V = -sum m g . x + sum k (l - L)^2 / 2,   f_damping = -c ldot dl/dq,   D = sum c dl/dq dl/dq^T
 *
 * The discrete derivative of V is exact for gravity and Gonzalez' (moeller 5.19) for each spring in
 * the coordinates of its own bodies. A spring whose points coincide has no direction and pulls
 * nowhere. Bodies that are not active have no weight, no spring and no load, and no energy.
 */
#include "mech/assembly/parts.h"

#include "la/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

int mech_assembly_joints_act(const struct mech_assembly *a, const struct mech_joint *j) {
  return (j->body[0] < 0 || mech_body_active(a, j->body[0])) &&
         (j->body[1] < 0 || mech_body_active(a, j->body[1]));
}

void mech_joint_reach(const struct mech_assembly *a, const struct mech_assembly_joint *j,
                      const double *q, const double *u, struct mech_joint_reach *out) {
  memset(out->d, 0, sizeof out->d);
  memset(out->rate, 0, sizeof out->rate);
  memset(out->turn, 0, sizeof out->turn);
  for (int k = 0; k < 2; ++k) {
    const struct mech_motion m = out->body[k] = mech_assembly_motion(a, q, u, j->given.body[k]);
    const double sign = k == 0 ? -1 : 1;
    double turn[3];
    mech_turn3(m.R, j->frame.point[k], out->arm[k]);
    mech_add3(sign, m.x, out->d);
    mech_add3(sign, out->arm[k], out->d);
    mech_cross3(m.w, out->arm[k], turn);
    mech_add3(sign, m.v, out->rate);
    mech_add3(sign, turn, out->rate);
    mech_cross3(m.w, turn, turn);
    mech_add3(sign, turn, out->turn);
  }
  out->length = sqrt(mech_dot3(out->d, out->d));
  for (int i = 0; i < 3; ++i) {
    out->e[i] = out->length > 0 ? out->d[i] / out->length : 0;
  }
}

int mech_assembly_is_spring(const struct mech_assembly *a, const struct mech_joint *j) {
  return j->kind == MECH_JOINT_SPRING && mech_assembly_joints_act(a, j);
}

/* A force along e at both points, y += alpha dl/d..., in u-space or, at q != NULL, in q-space. */
static void along_joint(const struct mech_assembly *a, const struct mech_assembly_joint *j,
                        const struct mech_joint_reach *r, const double *q, double alpha,
                        double *y) {
  for (int k = 0; k < 2; ++k) {
    const int body = j->given.body[k];
    if (body < 0 || mech_body_block(a, body) < 0) {
      continue;
    }
    const double sign = k == 0 ? -alpha : alpha;
    double world[3], torque[3];
    mech_cross3(r->arm[k], r->e, world);
    mech_back3(r->body[k].R, world, torque);
    if (q != NULL) {
      mech_assembly_put_q(a, q, body, sign, r->e, torque,
                          y + (long)mech_body_block(a, body) * a->body_nq);
    } else {
      mech_assembly_put_u(a, &r->body[k], body, sign, r->e, torque,
                          y + (long)mech_body_block(a, body) * a->body_nu);
    }
  }
}

/* --- potential --- */

/* size: of what V is made of, for its rounding: that of the length takes part; may be NULL [J]. */
static double spring_energy(const struct mech_assembly *a, const struct mech_assembly_joint *j,
                            const double *q, double *size) {
  struct mech_joint_reach r;
  mech_joint_reach(a, j, q, NULL, &r);
  const double stretch = r.length - j->given.length,
               V = 0.5 * j->given.stiffness * stretch * stretch;
  if (size != NULL) {
    *size = V + j->given.stiffness * fabs(stretch) * r.length;
  }
  return V;
}

static void spring_gradient(const struct mech_assembly *a, const struct mech_assembly_joint *j,
                            const double *q, double *dV) {
  struct mech_joint_reach r;
  mech_joint_reach(a, j, q, NULL, &r);
  along_joint(a, j, &r, q, j->given.stiffness * (r.length - j->given.length), dV);
}

static double assembly_potential(const struct mech *m, const double *q) {
  const struct mech_assembly *a = m->data;
  double V = 0;
  for (int k = 0; k < a->n_blocks; ++k) {
    const int body = mech_block_body(a, k);
    for (int i = 0; i < (a->kind == MECH_PLANAR ? 2 : 3) && mech_body_active(a, body); ++i) {
      V -= a->mass[body] * a->gravity[i] * q[(long)k * a->body_nq + i];
    }
  }
  for (int i = 0; i < a->n_joints; ++i) {
    V += mech_assembly_is_spring(a, &a->joint[i].given) ? spring_energy(a, &a->joint[i], q, NULL)
                                                        : 0;
  }
  return V;
}

static void gravity_gradient(const struct mech *m, double *dV) {
  const struct mech_assembly *a = m->data;
  memset(dV, 0, (size_t)m->nq * sizeof *dV);
  for (int k = 0; k < a->n_blocks; ++k) {
    const int body = mech_block_body(a, k);
    for (int i = 0; i < (a->kind == MECH_PLANAR ? 2 : 3) && mech_body_active(a, body); ++i) {
      dV[(long)k * a->body_nq + i] = -a->mass[body] * a->gravity[i];
    }
  }
}

static void assembly_gradient(const struct mech *m, const double *q, double *dV) {
  const struct mech_assembly *a = m->data;
  gravity_gradient(m, dV);
  for (int i = 0; i < a->n_joints; ++i) {
    if (mech_assembly_is_spring(a, &a->joint[i].given)) {
      spring_gradient(a, &a->joint[i], q, dV);
    }
  }
}

/* z = (a + b) / 2, all nq. */
void mech_assembly_spring_discrete(const struct mech_assembly *a,
                                   const struct mech_assembly_joint *j, const double *qa,
                                   const double *qb, const double *z, double *DV) {
  double size_a, size_b, row[14] = {0};
  const double Va = spring_energy(a, j, qa, &size_a), Vb = spring_energy(a, j, qb, &size_b);
  struct mech_joint_reach r;
  mech_joint_reach(a, j, z, NULL, &r);
  const double tension = j->given.stiffness * (r.length - j->given.length);
  int block[2];
  for (int k = 0; k < 2; ++k) {
    const int body = j->given.body[k];
    block[k] = body >= 0 ? mech_body_block(a, body) : -1;
    if (block[k] >= 0) {
      double world[3], torque[3];
      mech_cross3(r.arm[k], r.e, world);
      mech_back3(r.body[k].R, world, torque);
      mech_assembly_put_q(a, z, body, k == 0 ? -tension : tension, r.e, torque,
                          row + (long)k * a->body_nq);
    }
  }
  mech_assembly_gonzalez(a, block, 0, &(struct mech_chord){qa, qb, Va, Vb, size_a + size_b}, row);
  for (int k = 0; k < 2; ++k) {
    if (block[k] >= 0) {
      la_axpy(a->body_nq, 1, row + (long)k * a->body_nq, DV + (long)block[k] * a->body_nq);
    }
  }
}

static void assembly_discrete_potential(const struct mech *m, const double *qa, const double *qb,
                                        double *DV) {
  const struct mech_assembly *a = m->data;
  const struct base_arena_mark mark = base_arena_mark(a->scratch);
  double *z = NULL;
  gravity_gradient(m, DV);
  for (int i = 0; i < a->n_joints; ++i) {
    if (!mech_assembly_is_spring(a, &a->joint[i].given)) {
      continue;
    }
    if (z == NULL) {
      z = base_arena_doubles(a->scratch, m->nq);
      for (int k = 0; k < m->nq; ++k) {
        z[k] = 0.5 * (qa[k] + qb[k]);
      }
    }
    mech_assembly_spring_discrete(a, &a->joint[i], qa, qb, z, DV);
  }
  base_arena_release(a->scratch, mark);
}

/* --- dampers --- */

static void add_damping(const struct mech_assembly *a, const double *q, const double *u,
                        double *f) {
  for (int i = 0; i < a->n_joints; ++i) {
    const struct mech_assembly_joint *j = &a->joint[i];
    if (j->given.damping > 0 && mech_assembly_is_spring(a, &j->given)) {
      struct mech_joint_reach r;
      mech_joint_reach(a, j, q, u, &r);
      along_joint(a, j, &r, NULL, -j->given.damping * mech_dot3(r.e, r.rate), f);
    }
  }
}

static void assembly_damping(const struct mech *m, const double *q, const double *u, double t,
                             double *f) {
  (void)t;
  memset(f, 0, (size_t)m->nu * sizeof *f);
  add_damping(m->data, q, u, f);
}

static void assembly_damping_matrix(const struct mech *m, const double *u, const double *q,
                                    double t, double *D) {
  const struct mech_assembly *a = m->data;
  const struct base_arena_mark mark = base_arena_mark(a->scratch);
  double *g = base_arena_doubles(a->scratch, m->nq); /* dl/dq */
  (void)u, (void)t;
  memset(D, 0, (size_t)m->nq * (size_t)m->nq * sizeof *D);
  for (int i = 0; i < a->n_joints; ++i) {
    const struct mech_assembly_joint *j = &a->joint[i];
    if (!(j->given.damping > 0) || !mech_assembly_is_spring(a, &j->given)) {
      continue;
    }
    struct mech_joint_reach r;
    mech_joint_reach(a, j, q, NULL, &r);
    memset(g, 0, (size_t)m->nq * sizeof *g);
    along_joint(a, j, &r, q, 1, g);
    for (int k = 0; k < m->nq; ++k) {
      if (g[k] != 0) {
        la_axpy(m->nq, j->given.damping * g[k], g, D + (long)k * m->nq);
      }
    }
  }
  base_arena_release(a->scratch, mark);
}

/* Joint by joint c g g^T, g the gradient of its length; a block for every two of its bodies. */
static void assembly_damping_by_body(const struct mech *m, const double *u, const double *q,
                                     double t, struct la_blocks *D) {
  const struct mech_assembly *a = m->data;
  const struct base_arena_mark mark = base_arena_mark(a->scratch);
  double *g = base_arena_doubles(a->scratch, m->nq);
  const int n = a->body_nq;
  (void)u, (void)t;
  for (int i = 0; i < a->n_joints; ++i) {
    const struct mech_assembly_joint *j = &a->joint[i];
    if (!mech_assembly_is_spring(a, &j->given) || j->given.damping == 0) {
      continue;
    }
    struct mech_joint_reach r;
    int block[2];
    mech_joint_reach(a, j, q, NULL, &r);
    for (int k = 0; k < 2; ++k) {
      block[k] = j->given.body[k] >= 0 ? mech_body_block(a, j->given.body[k]) : -1;
      if (block[k] >= 0) {
        memset(g + (long)block[k] * n, 0, (size_t)n * sizeof *g);
      }
    }
    along_joint(a, j, &r, q, 1, g);
    for (int k = 0; k < 4; ++k) {
      const int row = block[k / 2], col = block[k % 2];
      double *D_k = row >= 0 && col >= 0 ? la_blocks_push(D, row, col) : NULL;
      for (int l = 0; l < n && D_k != NULL; ++l) {
        la_axpy(n, j->given.damping * g[(long)col * n + l], g + (long)row * n, D_k + (long)l * n);
      }
    }
  }
  base_arena_release(a->scratch, mark);
}

/* --- loads --- */

static void add_loads(const struct mech_assembly *a, const double *q, double t, double *f) {
  for (int i = 0; i < a->n_loads; ++i) {
    const struct mech_load *load = &a->load[i].given;
    const int always = load->from == 0 && load->to == 0;
    if (!mech_assembly_moves(a, load->body) || (!always && !(load->from <= t && t < load->to))) {
      continue;
    }
    const struct mech_motion m = mech_assembly_motion(a, q, NULL, load->body);
    double factor[3] = {1, 0, 0}, torque[3], inside[3];
    if (a->load[i].factor.n > 0) {
      mech_spline_at(&a->load[i].factor, t, factor);
    }
    memcpy(torque, load->torque, sizeof torque);
    if (load->at_point) {
      double moment[3];
      mech_back3(m.R, load->force, inside);
      mech_cross3(load->point, inside, moment);
      mech_add3(1, moment, torque);
    }
    mech_assembly_put_u(a, &m, load->body, factor[0], load->force, torque,
                        f + (long)mech_body_block(a, load->body) * a->body_nu);
  }
}

static void assembly_applied(const struct mech *m, const double *q, const double *u, double t,
                             double *f) {
  (void)u;
  memset(f, 0, (size_t)m->nu * sizeof *f);
  add_loads(m->data, q, t, f);
}

static void assembly_force(const struct mech *m, const double *q, const double *u, double t,
                           double *h) {
  const struct mech_assembly *a = m->data;
  mech_assembly_gravity_force(a, q, u, h);
  for (int i = 0; i < a->n_joints; ++i) {
    const struct mech_assembly_joint *j = &a->joint[i];
    if (mech_assembly_is_spring(a, &j->given)) {
      struct mech_joint_reach r;
      mech_joint_reach(a, j, q, NULL, &r);
      along_joint(a, j, &r, NULL, -j->given.stiffness * (r.length - j->given.length), h);
    }
  }
  add_damping(a, q, u, h);
  add_loads(a, q, t, h);
}

void mech_assembly_load_ops(const struct mech_assembly *a, struct mech_ops *ops) {
  int damped = 0;
  for (int i = 0; i < a->n_joints; ++i) {
    damped |= a->joint[i].given.kind == MECH_JOINT_SPRING && a->joint[i].given.damping > 0;
  }
  ops->force = assembly_force;
  ops->potential = assembly_potential;
  ops->potential_gradient = assembly_gradient;
  ops->consistent.discrete_potential = assembly_discrete_potential;
  if (damped) {
    ops->damping = assembly_damping;
    ops->consistent.damping_matrix = assembly_damping_matrix;
    ops->consistent.damping_by_body = assembly_damping_by_body;
  }
  if (a->n_loads > 0) {
    ops->applied = assembly_applied;
  }
}
