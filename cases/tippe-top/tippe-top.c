/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A tippe top on a floor: one rigid body with two spheres and Coulomb-Contensou friction
 * (moeller 6.5). With the floor's normal n = e_z and the body's axis e = R n,
 *
 *   q = (r, a_0, a), u = (v, omega), omega in the body's frame                      (6.49 to 6.52)
 *   F = (I, 0; 0, -a^T/2; 0, (a_0 I + a~)/2)                                               (6.54)
 *   M = diag(m I, J1, J1, J3), h = -(m g n, omega x Theta omega)                     (6.55 to 6.57)
 *   g_Ni = z + c_i (a_0^2 + a_3^2 - a_1^2 - a_2^2) - r_i                                    (6.59)
 *   W_i = (d, R^T (r_CSi x d)) for d = n, t_1, t_2, and (0, R^T n), r_CSi = c_i e - r_i n
 *                                                                                   (6.61, 6.65)
 *
 * Friction sets by friction_set: B exact, E ellipsoid, Z cylinder in (force, force, torque); S is E
 * transformed to a ball by A = diag(1, 1, R_bar) (moeller 3.123), which is done here by scaling the
 * column of the spin: the fourth impulse is a force then, the fourth velocity R_bar n . Omega.
 * disk leaves spin friction out and has three components, for formulations that know no others.
 *
 * R and g_N are quadratic in the quaternion, as in the source: rotations only at |A| = 1. The
 * midpoint rule stretches A by (dt |omega|)^2 / 16 a step, seen first at |A| = 1.2 after 8e5 steps
 * of 1e-5 s; the source does not say how it deals with that. Here `normalise` takes A back to unit
 * length after each half step.
 */
#include "cases/tippe-top/tippe-top.h"

#include "base/status.h"
#include "mech/rigid/rigid_body.h"
#include "mech/vector3.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SPHERES = 2, DOF = 6, COORDINATES = 7 };

struct tippe_top {
  struct mech_rigid_body body;   /* of body=scalable, whose own operations take it for all data */
  double m, J1, J3, g;           /* [kg], [kg m^2], [m/s^2] */
  double c[SPHERES], r[SPHERES]; /* distance of centres from C along the axis, radii [m] */
  double mu, eps_N, eps_T;       /* [-] */
  struct contact_set set;
  double spin_scale; /* of the spin's column: 1, or R_bar [m] for the ball */
  int turn;          /* where omega stands in u: 3, or 4 behind the scalable body's nu */
  int is_shifted;    /* back to the surface of the floor, where a sphere is below it */
};

static void tippe_top_mass(const struct mech *m, const double *q, double *M) {
  const struct tippe_top *p = m->data;
  const double diagonal[DOF] = {p->m, p->m, p->m, p->J1, p->J1, p->J3};
  (void)q;
  memset(M, 0, DOF * DOF * sizeof *M);
  for (int j = 0; j < DOF; ++j) {
    M[j * (DOF + 1)] = diagonal[j];
  }
}

static double tippe_top_potential(const struct mech *m, const double *q) {
  const struct tippe_top *p = m->data;
  return p->m * p->g * q[2];
}

static void tippe_top_gradient(const struct mech *m, const double *q, double *dV) {
  const struct tippe_top *p = m->data;
  (void)q;
  memset(dV, 0, COORDINATES * sizeof *dV);
  dV[2] = p->m * p->g;
}

static void tippe_top_force(const struct mech *m, const double *q, const double *u, double t,
                            double *h) {
  const struct tippe_top *p = m->data;
  const double difference = p->J1 - p->J3;
  (void)q, (void)t;
  h[0] = h[1] = 0;
  h[2] = -p->m * p->g;
  h[3] = difference * u[4] * u[5]; /* -omega x Theta omega */
  h[4] = -difference * u[3] * u[5];
  h[5] = 0;
}

/* H = omega~ Theta + Theta omega~ (6.55): skew, with (omega~ Theta + Theta omega~)_jk =
 * omega~_jk (Theta_j + Theta_k) for a diagonal Theta. */
static void tippe_top_gyro(const struct mech *m, int b, const double *u, double *H) {
  const struct tippe_top *p = m->data;
  (void)b;
  const double Theta[3] = {p->J1, p->J1, p->J3};
  memset(H, 0, DOF * DOF * sizeof *H);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double entry = (Theta[j] + Theta[k]) * u[3 + i];
    H[(3 + k) * DOF + 3 + j] = -entry; /* row j, column k of omega~ is -omega_i */
    H[(3 + j) * DOF + 3 + k] = entry;
  }
}

static void tippe_top_kinematics(const struct mech *m, const double *q, double *F) {
  const double a_0 = 0.5 * q[3], a_1 = 0.5 * q[4], a_2 = 0.5 * q[5], a_3 = 0.5 * q[6];
  (void)m;
  memset(F, 0, COORDINATES * DOF * sizeof *F);
  for (int j = 0; j < 3; ++j) {
    F[j * (COORDINATES + 1)] = 1;
  }
  const double turning[3][4] = {
      {-a_1, a_0, a_3, -a_2}, {-a_2, -a_3, a_0, a_1}, {-a_3, a_2, -a_1, a_0}};
  for (int j = 0; j < 3; ++j) {
    memcpy(F + (3 + j) * COORDINATES + 3, turning[j], sizeof turning[j]);
  }
}

static double tippe_top_gap(const struct tippe_top *p, const double *q, int k) {
  return q[2] + p->c[k] * (q[3] * q[3] + q[6] * q[6] - q[4] * q[4] - q[5] * q[5]) - p->r[k];
}

static void tippe_top_normalise(const struct mech *m, double *q) {
  const struct tippe_top *p = m->data;
  const double length = sqrt(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6]);
  for (int j = 3; j < COORDINATES; ++j) {
    q[j] /= length;
  }
  if (p->is_shifted) { /* what is closed must not come out open by rounding */
    const double deepest = fmin(tippe_top_gap(p, q, 0), tippe_top_gap(p, q, 1));
    q[2] -= fmin(0, deepest + DBL_EPSILON * p->r[0]);
  }
}

/* Rows of R (moeller 6.50). */
static void tippe_top_rotation(const double *A, double R[3][3]) {
  const double a_0 = A[0], a_1 = A[1], a_2 = A[2], a_3 = A[3];
  R[0][0] = a_0 * a_0 + a_1 * a_1 - a_2 * a_2 - a_3 * a_3;
  R[1][1] = a_0 * a_0 - a_1 * a_1 + a_2 * a_2 - a_3 * a_3;
  R[2][2] = a_0 * a_0 - a_1 * a_1 - a_2 * a_2 + a_3 * a_3;
  R[0][1] = 2 * (a_1 * a_2 - a_0 * a_3);
  R[1][0] = 2 * (a_1 * a_2 + a_0 * a_3);
  R[0][2] = 2 * (a_1 * a_3 + a_0 * a_2);
  R[2][0] = 2 * (a_1 * a_3 - a_0 * a_2);
  R[1][2] = 2 * (a_2 * a_3 - a_0 * a_1);
  R[2][1] = 2 * (a_2 * a_3 + a_0 * a_1);
}

/* out = s R^T x */
static void rotate_back(double R[3][3], double s, const double x[3], double out[3]) {
  for (int k = 0; k < 3; ++k) {
    out[k] = s * (R[0][k] * x[0] + R[1][k] * x[1] + R[2][k] * x[2]);
  }
}

/* Normal, then t_1 and t_2 of the contract for a floor. */
static const double directions[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};

/* d(W^T)/dt u: omega is constant, so Omega = R omega is, and d . v_S changes by
 * c_i d . (Omega x (Omega x e)); the spin does not change. */
static void tippe_top_bias(double c, double R[3][3], const double *u, double *bias) {
  double Omega[3], e_rate[3], change[3];
  const double e[3] = {R[0][2], R[1][2], R[2][2]};
  for (int j = 0; j < 3; ++j) {
    Omega[j] = R[j][0] * u[3] + R[j][1] * u[4] + R[j][2] * u[5];
  }
  mech_cross3(Omega, e, e_rate);
  mech_cross3(Omega, e_rate, change);
  bias[0] = c * change[2];
  bias[1] = c * change[0];
  bias[2] = c * change[1];
}

static void tippe_top_contacts(const struct mech *m, const double *q, const double *u, double reach,
                               struct mech_contacts *out) {
  const struct tippe_top *p = m->data;
  double R[3][3];
  tippe_top_rotation(q + 3, R);
  for (int k = 0; k < SPHERES; ++k) {
    const double gap = q[2] + p->c[k] * R[2][2] - p->r[k];
    if (gap > reach) {
      continue;
    }
    const int i = mech_contacts_push(out);
    double *W = mech_contacts_block(out, i, 0);
    const int nu = m->nu, turn = p->turn;
    const double lever[3] = {p->c[k] * R[0][2], p->c[k] * R[1][2], p->c[k] * R[2][2] - p->r[k]};
    out->id[i] = k;
    out->gN[i] = gap;
    out->mu[i] = p->mu;
    out->eps_N[i] = p->eps_N;
    out->eps_T[i] = p->eps_T;
    out->body[2 * i] = 0;
    for (int d = 0; d < 3; ++d) {
      double moment[3];
      mech_cross3(lever, directions[d], moment);
      memcpy(W + nu * d, directions[d], sizeof directions[d]);
      rotate_back(R, 1, moment, W + nu * d + turn);
      if (turn > 3) { /* the centre of the sphere moves as the body is scaled */
        W[nu * d + 3] = p->c[k] * R[d == 0 ? 2 : d - 1][2];
      }
    }
    if (m->dim == 4) {
      rotate_back(R, p->spin_scale, directions[0], W + nu * 3 + turn);
      out->set[i] = p->set;
    }
    if (u != NULL) {
      tippe_top_bias(p->c[k], R, u + turn - 3, out->bias + (long)i * m->dim);
    }
  }
}

/* The point of a sphere that is lowest at a goes with the top; the spin about the normal is the
 * angle of R(b) R(a)^T about it, to first order. */
static void tippe_top_slips(const struct mech *m, const struct mech_contacts *at_a, const double *a,
                            const double *b, double *s) {
  const struct tippe_top *p = m->data;
  static const int row[3] = {2, 0, 1}; /* normal, then x and y */
  double A[3][3], B[3][3];
  tippe_top_rotation(a + 3, A);
  tippe_top_rotation(b + 3, B);
  for (int i = 0; i < at_a->n; ++i) {
    const long k = at_a->id[i];
    double *si = s + (long)i * m->dim, down[3]; /* in the top: R^T (0, 0, -r) + c e_3 */
    for (int j = 0; j < 3; ++j) {
      down[j] = -p->r[k] * A[2][j] + (j == 2 ? p->c[k] : 0);
    }
    for (int d = 0; d < 3; ++d) {
      si[d] = b[row[d]] - a[row[d]];
      for (int j = 0; j < 3; ++j) {
        si[d] += (B[row[d]][j] - A[row[d]][j]) * down[j];
      }
    }
    if (m->dim == 4) {
      double turn = 0;
      for (int j = 0; j < 3; ++j) {
        turn += 0.5 * (B[1][j] * A[0][j] - B[0][j] * A[1][j]);
      }
      si[3] = p->spin_scale * turn;
    }
  }
}

/* g_N is quadratic: its gradient at the midpoint (6.69). */
static void tippe_top_discrete_gap(const struct mech *m, long id, const double *a, const double *b,
                                   double *DgN) {
  const struct tippe_top *p = m->data;
  static const double sign[4] = {1, -1, -1, 1};
  DgN[0] = DgN[1] = 0;
  DgN[2] = 1;
  for (int j = 0; j < 4; ++j) {
    DgN[3 + j] = sign[j] * p->c[id] * (a[3 + j] + b[3 + j]);
  }
}

static const struct mech_ops tippe_top_ops = {.mass = tippe_top_mass,
                                              .force = tippe_top_force,
                                              .potential = tippe_top_potential,
                                              .potential_gradient = tippe_top_gradient,
                                              .kinematics = tippe_top_kinematics,
                                              .contacts = tippe_top_contacts,
                                              .slips = tippe_top_slips,
                                              .normalise = tippe_top_normalise,
                                              .consistent.velocity_gyro = tippe_top_gyro,
                                              .consistent.discrete_potential =
                                                  mech_discrete_potential_linear,
                                              .consistent.discrete_gap = tippe_top_discrete_gap};
static const char *const tippe_top_q_names[] = {"x", "y", "z", "a0", "a1", "a2", "a3"};
static const char *const tippe_top_u_names[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
static const char *const tippe_top_scalable_u_names[] = {"vx", "vy", "vz", "nu", "wx", "wy", "wz"};

/* Set and scale of the spin's column; the number of components of a contact. */
static int tippe_top_friction(const struct case_parameters *p, struct tippe_top *data) {
  const char *name = case_choice(p, "friction_set");
  const double R_bar = case_real(p, "R_bar");
  data->spin_scale = 1;
  data->set.axis[0] = data->mu;
  data->set.axis[1] = R_bar * data->mu;
  switch (name[0]) {
  case 'B':
    data->set.kind = CONTACT_SET_CONTENSOU;
    return 4;
  case 'E':
    data->set.kind = CONTACT_SET_ELLIPSOID;
    return 4;
  case 'S':
    data->set.kind = CONTACT_SET_ELLIPSOID;
    data->set.axis[1] = data->mu;
    data->spin_scale = R_bar;
    return 4;
  case 'Z':
    data->set.kind = CONTACT_SET_CYLINDER;
    return 4;
  default:
    return 3;
  }
}

/* Upright but for phi0 about the x axis. */
static int tippe_top_start(const struct case_parameters *p, const struct tippe_top *data, double *q,
                           double *u) {
  static const char *const u_keys[DOF] = {"vx0", "vy0", "vz0", "wx0", "wy0", "wz0"};
  const double half = 0.5 * case_real(p, "phi0");
  q[2] = case_real(p, "z0");
  q[3] = cos(half);
  q[4] = sin(half);
  for (int j = 0; j < DOF; ++j) {
    u[j < 3 ? j : data->turn + j - 3] = case_real(p, u_keys[j]);
  }
  for (int k = 0; k < SPHERES; ++k) {
    const double gap = q[2] + data->c[k] * cos(2 * half) - data->r[k];
    if (gap < 0) {
      return base_fail(BASE_E_INPUT, "tippe-top: z0 = %g puts the %s sphere %.3g m into the floor",
                       q[2], k == 0 ? "main" : "handle", -gap);
    }
  }
  return BASE_OK;
}

/* The scalable body of moeller 4.3 with the contacts of this case: its operations but for these. */
static int tippe_top_scale(struct tippe_top *data, struct mech *m, struct base_arena *arena) {
  data->body = (struct mech_rigid_body){.name = "tippe-top",
                                        .kind = MECH_RIGID_BODY_SCALABLE,
                                        .mass = data->m,
                                        .Theta = {data->J1, data->J1, data->J3},
                                        .gravity = data->g,
                                        .length = m->length,
                                        .speed = 1};
  const struct mech_ops *ops = tippe_top_scalable_ops(&data->body, &tippe_top_ops, arena);
  if (ops == NULL) {
    return BASE_E_INPUT;
  }
  m->ops = ops;
  m->nu = m->nv = m->nu_out = COORDINATES;
  m->ns = 1; /* |A|^2 = 1 */
  m->u_names = tippe_top_scalable_u_names;
  data->turn = 4;
  return BASE_OK;
}

static int tippe_top_build(const struct case_parameters *p, struct base_arena *arena,
                           struct case_instance *out) {
  struct tippe_top *data = base_arena_push(arena, sizeof *data);
  *data = (struct tippe_top){.m = case_real(p, "m"),
                             .J1 = case_real(p, "J1"),
                             .J3 = case_real(p, "J3"),
                             .g = case_real(p, "g"),
                             .c = {case_real(p, "c1"), case_real(p, "c2")},
                             .r = {case_real(p, "r1"), case_real(p, "r2")},
                             .mu = case_real(p, "mu"),
                             .eps_N = case_real(p, "eps_N"),
                             .eps_T = case_real(p, "eps_T"),
                             .turn = 3,
                             .is_shifted = strcmp(case_choice(p, "shift"), "yes") == 0};
  struct mech *m = case_model("tippe-top", &tippe_top_ops, data, COORDINATES, DOF,
                              tippe_top_friction(p, data), arena, out);
  m->constant_mass = 1;
  m->q_names = tippe_top_q_names;
  m->u_names = tippe_top_u_names;
  m->length = data->r[0];
  m->friction_sets = m->dim == 4;
  if (strcmp(case_choice(p, "body"), "scalable") == 0 &&
      tippe_top_scale(data, m, arena) != BASE_OK) {
    return BASE_E_INPUT;
  }
  out->u = base_arena_doubles(arena, m->nu);
  const int status = tippe_top_start(p, data, out->q, out->u);
  /* the fastest velocity there is: of the spin, as the records mix both kinds */
  m->speed = sqrt(2 * data->g * m->length);
  for (int j = 0; j < m->nu; ++j) {
    m->speed = fmax(m->speed, fabs(out->u[j]));
  }
  return status;
}

static const struct case_function *const functions[] = {tippe_top_functions, NULL};

/* Seen in the vertical plane of the axis, which turns about the vertical through the centre of
 * mass: (0, z, -inclination) in the plane of the sketch. */
static void tippe_top_place(const struct mech *m, const double *q, double *shown) {
  double R[3][3];
  (void)m;
  tippe_top_rotation(q + 3, R);
  shown[0] = 0;
  shown[1] = q[2];
  shown[2] = -atan2(hypot(R[0][2], R[1][2]), R[2][2]);
}

static void tippe_top_show(const struct mech *m, const double *q, long id, double point[3],
                           double frame[9]) {
  const struct tippe_top *p = m->data;
  double R[3][3];
  tippe_top_rotation(q + 3, R);
  const double across = hypot(R[0][2], R[1][2]); /* of the axis, whose horizontal part is to x */
  const double x = across > 0 ? R[0][2] / across : 1, y = across > 0 ? R[1][2] / across : 0;
  memcpy(point, (const double[]){p->c[id] * across, q[2] + p->c[id] * R[2][2] - p->r[id], 0},
         3 * sizeof *point);
  memcpy(frame, (const double[]){0, 1, 0, x, 0, -y, y, 0, x}, 9 * sizeof *frame);
}

static const struct case_show tippe_top_view = {tippe_top_place, tippe_top_show};

const struct case_type case_tippe_top = {
    .name = "tippe-top",
    .summary = "tippe top: two spheres on a floor with Coulomb-Contensou friction; it inverts",
    .source = "moeller 6.5, table 6.5",
    .build = tippe_top_build,
    .functions = functions,
    .show = &tippe_top_view};
