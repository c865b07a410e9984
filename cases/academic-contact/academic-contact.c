/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An artificial body hits a plane with one of its points, and Coulomb's law has three answers
 * (preclik 4.1). Six points of mass on the principal axes, two on each at +-d_i with m_i; the one
 * at +d_x e_x touches. With n the normal of the plane, t = n x e_x, o = n x t and Q = (n, t, o),
 *
 *   A = Q^T (1/m + d_x^2 (e_x^~)^T Theta^-1 e_x^~) Q,  b = -Q^T (b_x, b_y, b_z)
 *
 * b is ours, the negative of the source's: the body moves with -(b_x, b_y, b_z) and does not turn.
 * No force acts, and the first step of every scheme poses just this problem.
 *
 * Space is turned so that the plane is a floor: n = e_z, t and o along e_x and e_y; the body is
 * mech_rigid_body's, in any of its descriptions. |t| = |o| is not one but sqrt(1 - n_x^2). With
 * frame = source, W_T is taken with these lengths, which is how the source's numbers come out: r_T
 * is that in space over |t|, and the friction in space is |t| mu. With frame = orthonormal it is
 * mu.
 *
 * The other five points pass through the plane; there is nothing more to the case than the impact.
 */
#include "cases/academic-contact/academic-contact.h"

#include "base/status.h"
#include "mech/rigid/rigid_body.h"

#include <math.h>
#include <string.h>

struct academic {
  struct mech_rigid_body body; /* first: what the rigid body's operations see */
  const struct mech_ops *ops;  /* these */
  double tangent;              /* length of the tangents in W */
};

/* The rigid body's contact, of which there is one at most, with its tangents scaled. */
static void academic_contacts(const struct mech *m, const double *q, const double *u, double reach,
                              struct mech_contacts *out) {
  const struct academic *p = m->data;
  const int first = out->n;
  p->ops->contacts(m, q, u, reach, out);
  for (int i = first; i < out->n; ++i) {
    double *W = mech_contacts_block(out, i, 0);
    for (int j = m->nv; j < 3 * m->nv; ++j) {
      W[j] *= p->tangent;
    }
    for (int d = 1; d < 3 && u != NULL; ++d) {
      out->bias[3 * i + d] *= p->tangent;
    }
  }
}

static void academic_slips(const struct mech *m, const struct mech_contacts *at_a, const double *a,
                           const double *b, double *s) {
  const struct academic *p = m->data;
  p->ops->slips(m, at_a, a, b, s);
  for (int i = 0; i < at_a->n; ++i) {
    for (int d = 1; d < 3; ++d) {
      s[3 * i + d] *= p->tangent;
    }
  }
}

static double dot(const double x[3], const double y[3]) {
  return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

/* Rows of R, which takes the source's space to ours: t / |t|, o / |o|, n. |t|, or 0 if n lies along
 * e_x. */
static double turn_of(const struct case_parameters *p, double R[3][3]) {
  const double x = case_real(p, "nx"), y = case_real(p, "ny"), z = case_real(p, "nz");
  const double length = hypot(hypot(x, y), z), across = hypot(y, z);
  if (!(across > 0)) {
    return 0;
  }
  const double n[3] = {x / length, y / length, z / length};
  const double t[3] = {0, z / across, -y / across};
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    R[0][k] = t[k];
    R[1][k] = n[i] * t[j] - n[j] * t[i];
    R[2][k] = n[k];
  }
  return across / length;
}

/* Unit quaternion of the rotation R, from its largest component (all four are known up to sign). */
static void quaternion_of(double R[3][3], double A[4]) {
  const double trace = R[0][0] + R[1][1] + R[2][2];
  int k = 0;
  double largest = trace;
  for (int i = 0; i < 3; ++i) {
    k = R[i][i] > largest ? i + 1 : k;
    largest = fmax(largest, R[i][i]);
  }
  const double s = 2 * sqrt(1 + 2 * largest - trace); /* 4 |A_k|, with 2 trace - trace for k = 0 */
  if (k == 0) {
    A[0] = s / 4;
    A[1] = (R[2][1] - R[1][2]) / s;
    A[2] = (R[0][2] - R[2][0]) / s;
    A[3] = (R[1][0] - R[0][1]) / s;
    return;
  }
  const int i = k - 1, j = k % 3, l = (k + 1) % 3; /* i, j, l cyclic */
  A[0] = (R[l][j] - R[j][l]) / s;
  A[1 + i] = s / 4;
  A[1 + j] = (R[i][j] + R[j][i]) / s;
  A[1 + l] = (R[i][l] + R[l][i]) / s;
}

/* The body, but for its description; angular velocities after an impact are below speed / d_x. */
static struct mech_rigid_body body_of(const struct case_parameters *p, double mu, double speed) {
  const double d[3] = {case_real(p, "dx"), case_real(p, "dy"), case_real(p, "dz")};
  const double mass[3] = {case_real(p, "mx"), case_real(p, "my"), case_real(p, "mz")};
  struct mech_rigid_body body = {.name = "academic-contact",
                                 .mass = 2 * (mass[0] + mass[1] + mass[2]),
                                 .contact = 1,
                                 .point = {d[0], 0, 0},
                                 .mu = mu,
                                 .length = d[0],
                                 .speed = speed};
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    body.Theta[i] = 2 * (mass[j] * d[j] * d[j] + mass[k] * d[k] * d[k]);
  }
  return body;
}

/* Put the point that touches onto the plane, to the last bit where that can be. */
static void put_down(const struct mech *m, double *q, struct base_arena *arena) {
  struct mech_contacts contacts;
  mech_contacts_init(&contacts, m, arena);
  mech_contacts_find(m, q, NULL, INFINITY, &contacts);
  q[2] -= contacts.gN[0];
}

static int academic_build(const struct case_parameters *p, struct base_arena *arena,
                          struct case_instance *out) {
  static const char *const kinds[] = {"affine", "scalable", "quaternion"};
  const double b[3] = {case_real(p, "bx"), case_real(p, "by"), case_real(p, "bz")};
  const double omega[3] = {0, 0, 0};
  double R[3][3], A[4], r[3], v[3];
  const double tangent = turn_of(p, R), speed = sqrt(dot(b, b));
  if (!(tangent > 0) || !(speed > 0)) {
    return base_fail(BASE_E_INPUT, "academic-contact: %s",
                     tangent > 0 ? "b must not be zero"
                                 : "n must not lie along e_x: t = n x e_x is zero then");
  }
  struct mech_rigid_body body = body_of(p, case_real(p, "mu"), speed);
  int kind = 0;
  while (kind < 2 && strcmp(kinds[kind], case_choice(p, "body")) != 0) {
    ++kind; /* no fourth word gets here: the case's file lists the three */
  }
  body.kind = (enum mech_rigid_body_kind)kind;
  struct mech *m = mech_rigid_body_build(&body, arena);
  if (m == NULL) {
    base_message_prefix("academic-contact: ");
    return BASE_E_INPUT;
  }
  struct academic *data = base_arena_push(arena, sizeof *data);
  struct mech_ops *ops = base_arena_push(arena, sizeof *ops);
  *ops = *m->ops;
  ops->contacts = academic_contacts;
  ops->slips = academic_slips;
  *data =
      (struct academic){.body = body,
                        .ops = m->ops,
                        .tangent = strcmp(case_choice(p, "frame"), "source") == 0 ? tangent : 1};
  m->data = data;
  m->ops = ops;
  quaternion_of(R, A);
  for (int k = 0; k < 3; ++k) {
    r[k] = -body.point[0] * R[k][0];
    v[k] = -dot(R[k], b);
  }
  out->mech = m;
  out->q = base_arena_doubles(arena, m->nq);
  out->u = base_arena_doubles(arena, m->nu);
  mech_rigid_body_state(m, r, A, v, omega, out->q, out->u);
  put_down(m, out->q, arena);
  out->one_contact = 1;
  return BASE_OK;
}

static const struct case_function *const functions[] = {academic_contact_rays_functions, NULL};

const struct case_type case_academic_contact = {
    .name = "academic-contact",
    .summary = "one contact with three solutions of Coulomb's law, and a most dissipative one",
    .source = "preclik 4.1",
    .build = academic_build,
    .functions = functions};
