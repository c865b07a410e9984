/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contact lists, derived quantities, discrete derivatives, projection and the self-check, on a
 * system made for it: `twisted`, three coordinates with kinematics, potential, constraints and gap
 * of no simple order, into which faults are planted for the check to find.
 */
#include "tests/impulse_model.h"
#include "tests/mutant.h"
#include "tests/small_mech.h"
#include "tests/test.h"

#include "la/dense.h"
#include "mech/mech.h"

#include <float.h>

struct twisted {
  int ns; /* 2; 3: the third constraint repeats the others; 4: contradicts them; 1: no solution */
};

static const double twisted_M[9] = {2.0, 0.3, -0.2, 0.3, 1.5, 0.1, -0.2, 0.1, 0.7};

static void twisted_mass(const struct mech *m, const double *q, double *M) {
  (void)m, (void)q;
  memcpy(M, twisted_M, sizeof twisted_M);
}

static double twisted_potential(const struct mech *m, const double *q) {
  (void)m;
  return sin(q[0]) * q[1] * q[1] + exp(0.3 * q[2]) + 0.25 * pow(q[0], 4);
}

static void twisted_gradient(const struct mech *m, const double *q, double *dV) {
  (void)m;
  dV[0] = cos(q[0]) * q[1] * q[1] + pow(q[0], 3);
  dV[1] = 2 * sin(q[0]) * q[1];
  dV[2] = 0.3 * exp(0.3 * q[2]);
}

static void twisted_kinematics(const struct mech *m, const double *q, double *F) {
  const double columns[9] = {1, 0.1 * q[0],      0,  0.2 * sin(q[2]), 1, 0.1 * q[1] * q[2],
                             0, 0.3 * cos(q[1]), 1.2};
  (void)m;
  memcpy(F, columns, sizeof columns);
}

static void twisted_force(const struct mech *m, const double *q, const double *u, double t,
                          double *h) {
  double dV[3], F[9];
  (void)u, (void)t;
  twisted_gradient(m, q, dV);
  twisted_kinematics(m, q, F);
  la_gemv_t(3, 3, -1, F, dV, 0, h);
}

static void twisted_bilateral(const struct mech *m, const double *q, double *gS) {
  const int ns = ((const struct twisted *)m->data)->ns;
  if (ns == 1) {
    gS[0] = q[0] * q[0] + q[1] * q[1] + 1;
    return;
  }
  gS[0] = sin(q[0]) + q[1] * pow(q[2], 3) + 0.5 * exp(q[1]) - 0.5;
  gS[1] = q[0] * q[0] * q[1] - cos(q[2] + q[1]);
  if (ns >= 3) {
    gS[2] = 2 * gS[0] - gS[1] + (ns == 4 ? 0.01 : 0.0);
  }
}

/* dg/dq by rows, 2 x 3 row-major */
static void twisted_jacobian(const double *q, double *J) {
  const double s = sin(q[2] + q[1]);
  J[0] = cos(q[0]);
  J[1] = pow(q[2], 3) + 0.5 * exp(q[1]);
  J[2] = 3 * q[1] * q[2] * q[2];
  J[3] = 2 * q[0] * q[1];
  J[4] = q[0] * q[0] + s;
  J[5] = s;
}

static void twisted_directions(const struct mech *m, const double *q, double *WS) {
  const int ns = ((const struct twisted *)m->data)->ns;
  double F[9], J[9];
  twisted_kinematics(m, q, F);
  if (ns == 1) {
    J[0] = 2 * q[0];
    J[1] = 2 * q[1];
    J[2] = 0;
  } else {
    twisted_jacobian(q, J);
    for (int j = 0; j < 3; ++j) {
      J[6 + j] = 2 * J[j] - J[3 + j];
    }
  }
  la_gemm_t(3, ns < 4 ? ns : 3, 3, 1, F, J, 0, WS);
}

static double twisted_gap(const double *q) { return q[0] + q[1] * q[1] - pow(q[2], 3); }

static void twisted_contacts(const struct mech *m, const double *q, const double *u, double reach,
                             struct mech_contacts *out) {
  for (int k = 0; k < 2; ++k) {
    const double gap = twisted_gap(q) + k;
    if (gap > reach) {
      continue;
    }
    const double gradient[3] = {1, 2 * q[1], -3 * q[2] * q[2]};
    const int i = mech_contacts_push(out);
    double F[9];
    twisted_kinematics(m, q, F);
    out->id[i] = 4 + 3 * k;
    out->gN[i] = gap;
    out->body[2 * i] = 0;
    la_gemv_t(3, 3, 1, F, gradient, 0, mech_contacts_block(out, i, 0));
    if (u != NULL) { /* d/dt (grad . F) u with qdot = F u, by hand */
      double qd[3], Fd[9];
      la_gemv(3, 3, 1, F, u, 0, qd);
      const double gd[3] = {0, 2 * qd[1], -6 * q[2] * qd[2]};
      const double rates[9] = {0, 0.1 * qd[0],
                               0, 0.2 * cos(q[2]) * qd[2],
                               0, 0.1 * (qd[1] * q[2] + q[1] * qd[2]),
                               0, -0.3 * sin(q[1]) * qd[1],
                               0};
      memcpy(Fd, rates, sizeof rates);
      double Fdu[3];
      la_gemv(3, 3, 1, Fd, u, 0, Fdu);
      out->bias[i] = la_dot(3, gd, qd) + la_dot(3, gradient, Fdu);
    }
  }
}

static const struct mech_ops twisted_ops = {.mass = twisted_mass,
                                            .force = twisted_force,
                                            .potential = twisted_potential,
                                            .potential_gradient = twisted_gradient,
                                            .kinematics = twisted_kinematics,
                                            .bilateral = twisted_bilateral,
                                            .bilateral_directions = twisted_directions,
                                            .contacts = twisted_contacts};

static struct mech twisted(struct twisted *data, const struct mech_ops *ops) {
  struct mech model = small_mech("twisted", ops, data, 3, 1);
  model.ns = data->ns < 4 ? data->ns : 3;
  return model;
}

/* ---- contact lists ---- */

TEST(contacts_keep_their_content_while_growing) {
  static const struct mech_ops none = {.mass = NULL};
  const struct mech m = {.ops = &none, .dim = 2, .nv = 3, .nb = 2, .nu = 6};
  struct mech_contacts list;
  mech_contacts_init(&list, &m, test_arena());
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 1000; ++i) {
      const int at = mech_contacts_push(&list);
      CHECK_INT(at, i);
      CHECK_INT(list.body[2 * at + 1], -1);
      CHECK(la_norm_inf(12, mech_contacts_block(&list, at, 0)) == 0 && list.eps_T[at] == 0);
      list.id[at] = 7 * i + round;
      list.body[2 * at + 1] = i % 2;
      list.gN[at] = 0.1 * i;
      list.mu[at] = list.eps_N[at] = list.eps_T[at] = i;
      mech_contacts_block(&list, at, 1)[5] = 3 * i + 1;
    }
    for (int i = 0; i < 1000; ++i) {
      CHECK(list.id[i] == 7 * i + round && list.body[2 * i + 1] == i % 2 && list.gN[i] == 0.1 * i);
      CHECK(list.mu[i] == i && list.eps_N[i] == i && list.eps_T[i] == i);
      CHECK(mech_contacts_block(&list, i, 1)[5] == 3 * i + 1);
    }
    mech_contacts_clear(&list);
    CHECK_INT(list.n, 0);
  }
}

/* Against W assembled as a dense matrix, entry by entry. */
TEST(contact_products_match_dense_matrix) {
  struct base_rng *rng = test_rng(0);
  enum { NB = 4, NV = 3, NU = NB * NV, NC = 9, DIM = 2 };
  static const struct mech_ops none = {.mass = NULL};
  const struct mech m = {.ops = &none, .dim = DIM, .nv = NV, .nb = NB, .nu = NU};
  struct mech_contacts list;
  double W[NU * NC * DIM] = {0}, u[NU], r[NC * DIM], v[NC * DIM], f[NU], dense_v[NC * DIM];
  mech_contacts_init(&list, &m, test_arena());
  for (int i = 0; i < NC; ++i) {
    const int at = mech_contacts_push(&list);
    base_rng_uniforms(rng, 2 * NV * DIM, -1, 1, mech_contacts_block(&list, at, 0));
    list.body[2 * at] = i % NB;
    list.body[2 * at + 1] = i % 3 == 0 ? -1 : (i + 1 + i % 2) % NB;
    for (int k = 0; k < 2; ++k) {
      for (int d = 0; d < DIM; ++d) {
        for (int j = 0; j < NV && list.body[2 * at + k] >= 0; ++j) {
          W[(at * DIM + d) * NU + list.body[2 * at + k] * NV + j] +=
              mech_contacts_block(&list, at, k)[d * NV + j];
        }
      }
    }
  }
  base_rng_uniforms(rng, NU, -1, 1, u);
  base_rng_uniforms(rng, NC * DIM, -1, 1, r);
  double dense_f[NU];
  for (int j = 0; j < NU; ++j) {
    f[j] = dense_f[j] = j; /* the product is added to what is there */
  }
  mech_contacts_velocity(&list, u, v);
  mech_contacts_force(&list, r, f);
  for (int i = 0; i < NC; ++i) {
    double columns[NU * DIM] = {0};
    mech_contacts_add_columns(&list, i, columns);
    for (int k = 0; k < NU * DIM; ++k) {
      CHECK(columns[k] == W[i * DIM * NU + k]);
    }
  }
  for (int c = 0; c < NC * DIM; ++c) {
    dense_v[c] = 0;
    for (int j = 0; j < NU; ++j) {
      dense_v[c] += W[c * NU + j] * u[j];
      dense_f[j] += W[c * NU + j] * r[c];
    }
    CHECK_NEAR(v[c], dense_v[c], 1e-14);
  }
  CHECK_LE(test_distance(NU, f, dense_f), 1e-13);
}

/* ---- derived quantities ---- */

static void blocks_mass(const struct mech *m, const double *q, double *M) {
  (void)q;
  for (int b = 0; b < m->nb; ++b) {
    for (int i = 0; i < 9; ++i) {
      M[9 * b + i] = twisted_M[i] * (1 + b);
    }
  }
}

TEST(mass_solve_inverts_block_mass) {
  struct base_arena *arena = test_arena();
  struct base_rng *rng = test_rng(0);
  const struct mech_ops ops = {.mass = blocks_mass};
  const struct mech m = {.name = "blocks", .ops = &ops, .nq = 9, .nu = 9, .nb = 3, .nv = 3};
  double L[27], x[18], f[18] = {0}, T = 0;
  base_rng_uniforms(rng, 18, -1, 1, x);
  for (int k = 0; k < 2; ++k) {
    for (int b = 0; b < 3; ++b) {
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
          f[9 * k + 3 * b + i] += twisted_M[3 * j + i] * (1 + b) * x[9 * k + 3 * b + j];
        }
      }
    }
  }
  for (int j = 0; j < 9; ++j) {
    T += 0.5 * x[j] * f[j];
  }
  CHECK_NEAR(mech_kinetic(&m, NULL, x, arena), T, 1e-14);
  CHECK_NEAR(mech_energy(&m, NULL, x, arena), T, 1e-14); /* no potential */
  CHECK_OK(mech_mass_factor(&m, NULL, L));
  mech_mass_solve(&m, L, 2, f);
  CHECK_LE(test_distance(18, f, x), 1e-14);
}

TEST(indefinite_mass_is_refused) {
  struct points p = {.n = 2, .dim = 2, .m = {1, -1}};
  const struct mech m = points_mech(&p);
  double q[4] = {0}, L[8];
  CHECK_REFUSED(mech_mass_factor(&m, q, L), BASE_FAILED, "points");
}

/* q on a circle: d/dt (q^T) u = u^T u exactly; and, through kinematics, against Richardson's
 * extrapolation of plain central differences. */
static void circle_directions(const struct mech *m, const double *q, double *WS) {
  (void)m;
  memcpy(WS, q, 2 * sizeof *WS);
}

TEST(differenced_bias_reaches_1e_10) {
  struct base_arena *arena = test_arena();
  struct base_rng *rng = test_rng(0);
  const struct mech_ops ops = {.bilateral_directions = circle_directions};
  const struct mech circle = {
      .name = "circle", .ops = &ops, .nq = 2, .nu = 2, .ns = 1, .nb = 1, .nv = 2, .length = 0.3};
  struct twisted data = {.ns = 2};
  const struct mech m = twisted(&data, &twisted_ops);
  for (int trial = 0; trial < 50; ++trial) {
    double q[3], u[3], qdot[3], bias[2], expected[2] = {0, 0};
    base_rng_uniforms(rng, 3, -1, 1, q);
    base_rng_uniforms(rng, 3, -5, 5, u);
    mech_bilateral_bias(&circle, q, u, bias, arena);
    CHECK_NEAR(bias[0], u[0] * u[0] + u[1] * u[1], 1e-10 * (1 + bias[0]));
    mech_bilateral_bias(&m, q, u, bias, arena);
    mech_qdot(&m, q, u, qdot, arena);
    const double s = 1e-4;
    const double at[4] = {-2 * s, 2 * s, -s, s};
    const double weight[4] = {1 / (12 * s), -1 / (12 * s), -8 / (12 * s), 8 / (12 * s)};
    for (int k = 0; k < 4; ++k) {
      double x[3], WS[6];
      for (int j = 0; j < 3; ++j) {
        x[j] = q[j] + at[k] * qdot[j];
      }
      twisted_directions(&m, x, WS);
      la_gemv_t(3, 2, weight[k], WS, u, 1, expected);
    }
    for (int i = 0; i < 2; ++i) {
      CHECK_NEAR(bias[i], expected[i], 1e-9 * (1 + fabs(expected[i]) + la_dot(3, qdot, qdot)));
    }
  }
}

/* ---- discrete derivatives ---- */

/* |D (b - a) - (fb - fa)| in units of the rounding of its terms. */
static double directionality(int n, const double *row, int stride, const double *a, const double *b,
                             double fa, double fb) {
  double along = 0, size = fabs(fa) + fabs(fb);
  for (int j = 0; j < n; ++j) {
    along += row[j * stride] * (b[j] - a[j]);
    size += fabs(row[j * stride] * (b[j] - a[j]));
  }
  return fabs(along - (fb - fa)) / (DBL_EPSILON * size);
}

static double rate_of(const struct mech *m, const double *u, const double *q, int i) {
  double WS[9];
  m->ops->bilateral_directions(m, q, WS);
  return la_dot(3, WS + 3 * i, u);
}

/* (5.15) for V, g_S, gamma_S, g_N, at all distances, with gradients given and differenced. */
TEST(discrete_derivatives_have_directionality) {
  struct base_arena *arena = test_arena();
  struct base_rng *rng = test_rng(0);
  struct mech_ops ops = twisted_ops;
  struct twisted data = {.ns = 2};
  const struct mech m = twisted(&data, &ops);
  for (int trial = 0; trial < 300; ++trial) {
    double a[3], b[3], u[3], DV[3], DgS[6], Dgamma[6], DgN[3], ga[2] = {0}, gb[2] = {0};
    const double distance = pow(10, -base_rng_uniform(rng, 0, 12));
    ops.potential_gradient = trial % 2 == 0 ? twisted_gradient : NULL;
    base_rng_uniforms(rng, 3, -1, 1, a);
    base_rng_uniforms(rng, 3, -3, 3, u);
    base_rng_uniforms(rng, 3, -distance, distance, b);
    la_axpy(3, 1, a, b);
    mech_discrete_potential(&m, a, b, DV, arena);
    mech_discrete_bilateral(&m, a, b, DgS, arena);
    mech_discrete_rate(&m, u, a, b, Dgamma, arena);
    mech_discrete_gap(&m, 7, a, b, DgN, arena);
    const double roundings = 8;
    CHECK_LE(directionality(3, DV, 1, a, b, twisted_potential(&m, a), twisted_potential(&m, b)),
             roundings);
    CHECK_LE(directionality(3, DgN, 1, a, b, twisted_gap(a) + 1, twisted_gap(b) + 1), roundings);
    twisted_bilateral(&m, a, ga);
    twisted_bilateral(&m, b, gb);
    for (int i = 0; i < 2; ++i) {
      CHECK_LE(directionality(3, DgS + i, 2, a, b, ga[i], gb[i]), roundings);
      CHECK_LE(directionality(3, Dgamma + i, 2, a, b, rate_of(&m, u, a, i), rate_of(&m, u, b, i)),
               roundings);
    }
  }
}

/* Points so close that the bracket of (5.19) is all rounding must not spoil the derivative. */
TEST(discrete_derivative_is_sane_for_close_points) {
  struct twisted data = {.ns = 2};
  const struct mech m = twisted(&data, &twisted_ops);
  const double a[3] = {0.3, -0.8, 0.55};
  double gradient[3];
  twisted_gradient(&m, a, gradient);
  for (double s = 1e-6; s > 1e-18; s *= 0.1) {
    const double b[3] = {a[0] + s, a[1] - 2 * s, a[2] + 0.5 * s};
    double D[3];
    mech_discrete_potential(&m, a, b, D, test_arena());
    for (int j = 0; j < 3; ++j) { /* gradient changes by s; rounding of V over the distance */
      CHECK_LE(fabs(D[j] - gradient[j]), 10 * s + 10 * DBL_EPSILON / fmax(s, 1e-16));
    }
  }
}

/* ---- projection ---- */

TEST(projection_reaches_the_manifold) {
  struct base_arena *arena = test_arena();
  struct base_rng *rng = test_rng(0);
  struct twisted data = {.ns = 2}, redundant_data = {.ns = 3};
  const struct mech m = twisted(&data, &twisted_ops);
  const struct mech redundant = twisted(&redundant_data, &twisted_ops);
  double start[3] = {0.2, 0.4, 1.2}, unused[3] = {0, 0, 0};
  CHECK_OK(mech_project(&m, start, unused, arena));
  for (int trial = 0; trial < 100; ++trial) {
    double q[3], u[3], q3[3], u3[3], before[3], g[3], WS[9], change[3], Mchange[3];
    base_rng_uniforms(rng, 3, -0.05, 0.05, q);
    la_axpy(3, 1, start, q);
    base_rng_uniforms(rng, 3, -2, 2, u);
    memcpy(q3, q, sizeof q);
    memcpy(u3, u, sizeof u);
    memcpy(before, u, sizeof u);
    CHECK_OK(mech_project(&m, q, u, arena));
    twisted_bilateral(&m, q, g);
    CHECK_LE(la_norm_inf(2, g), 1e-14);
    CHECK_LE(fabs(rate_of(&m, u, q, 0)), 1e-14);
    CHECK_LE(fabs(rate_of(&m, u, q, 1)), 1e-14);
    /* the change is orthogonal, in the mass metric, to what the constraints leave free */
    twisted_directions(&m, q, WS);
    const double freely[3] = {WS[1] * WS[5] - WS[2] * WS[4], WS[2] * WS[3] - WS[0] * WS[5],
                              WS[0] * WS[4] - WS[1] * WS[3]};
    for (int j = 0; j < 3; ++j) {
      change[j] = u[j] - before[j];
    }
    la_gemv(3, 3, 1, twisted_M, change, 0, Mchange);
    CHECK_NEAR(la_dot(3, freely, Mchange), 0, 1e-13);
    /* a constraint said twice changes nothing */
    CHECK_OK(mech_project(&redundant, q3, u3, arena));
    for (int j = 0; j < 3; ++j) {
      CHECK_NEAR(q3[j], q[j], 1e-9); /* the basis chosen on the way may differ, off g_S = 0 */
    }
    twisted_bilateral(&redundant, q3, g);
    CHECK_LE(la_norm_inf(3, g), 3e-14);
    CHECK_LE(fabs(rate_of(&redundant, u3, q3, 2)), 3e-14);
    /* projecting again moves nothing */
    double q2[3], u2[3];
    memcpy(q2, q, sizeof q);
    memcpy(u2, u, sizeof u);
    CHECK_OK(mech_project(&m, q2, u2, arena));
    for (int j = 0; j < 3; ++j) {
      CHECK_NEAR(q2[j], q[j], 1e-15 * 4);
      CHECK_NEAR(u2[j], u[j], 1e-14);
    }
  }
}

TEST(projection_says_when_it_cannot) {
  struct base_arena *arena = test_arena();
  struct twisted contradictory_data = {.ns = 4}, impossible_data = {.ns = 1};
  const struct mech contradictory = twisted(&contradictory_data, &twisted_ops);
  const struct mech impossible = twisted(&impossible_data, &twisted_ops);
  double q[3] = {0.2, 0.4, 1.2}, u[3] = {1, 2, 3};
  CHECK_INT(mech_project(&contradictory, q, u, arena), BASE_FAILED);
  CHECK_MESSAGE(strstr(base_message(), "twisted: ") == base_message(), "message: %s",
                base_message());
  double p[3] = {0.3, 0.7, 0};
  CHECK_INT(mech_project(&impossible, p, u, arena), BASE_FAILED);
}

/* ---- the self-check ---- */

TEST(check_finds_planted_faults) {
  static const struct mutation mutations[] = {
      {MUTANT_mass, "symmetry of M", .at = 1, .by = 1e-4},
      {MUTANT_mass, "not positive definite", .at = 8, .part = -2},
      {MUTANT_mass_with_q, "M declared constant", .at = 4, .by = 1e-4},
      {MUTANT_gradient, "gradient of V", .at = 1, .by = 1e-4},
      {MUTANT_force, "power", .at = 2, .by = 1e-4},
      {MUTANT_directions, "W_S against g_S", .by = 1e-4},
      {MUTANT_bias, "bias of the bilateral", .at = 1, .by = 1e-2},
      {MUTANT_W, "W_N against g_N", .at = 1, .by = 1e-4},
      {MUTANT_contact_bias, "bias of the contacts", .by = 1e-4},
      {MUTANT_ids, "ids do not ascend", .at = 0},
      {MUTANT_discrete_potential, "discrete derivative of V", .by = 1e-3},
      {MUTANT_discrete_bilateral, "discrete derivative of g_S", .by = 1e-3},
      {MUTANT_discrete_rate, "discrete derivative of gamma_S", .by = 1e-3},
      {MUTANT_discrete_gap, "discrete derivative of g_N", .by = 1e-3}};
  static const struct mutation damping = {MUTANT_damping_matrix, "damping against its matrix",
                                          .by = 1e-4};
  struct twisted data = {.ns = 2};
  struct points p = {.n = 1, .dim = 2, .m = {2}, .c = 0.5};
  const struct mech m = twisted(&data, &twisted_ops), damped = points_mech(&p);
  const double q[3] = {0.4, -0.7, 0.9}, u[3] = {1.1, -0.4, 0.8};
  mutants_are_found(&m, q, u, 1e-8, mutations, sizeof mutations / sizeof *mutations);
  mutants_are_found(&damped, q, u, 1e-8, &damping, 1);
}
