/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * negrut-redundant, of the cone complementarity problem (10) and the quadratic program (11) whose
 * optimality condition it is:
 *
 *   minimum    in the file: the duality gap of every solver's answer, which only a minimum has at
 *              zero, and the value of (11), 1/2 r . A r + b . r, which all of them reach
 *   not unique of one answer r a table's two solutions farthest apart, r + s z. The load moves to
 *              two legs across a diagonal, z_N = (1, -1, -1, 1), with its friction, z_T = z_N
 *              r_T/r_N, until the legs of the other are free. A z = 0: neither velocities nor (11)
 *              change, and the cones still hold. Sliding along x the lightest legs carry
 *              (1 - mu h/a)/4 of the load, and each share moves by twice that.
 */
#include "cases/table/table.h"

#include "cases/figure/series.h"
#include "contact/law.h"
#include "la/dense.h"

#include <math.h>

enum { LEGS = 4, DIM = 3, N = LEGS * DIM };
/* 1/2 r . A r + b . r */
static double value_of(const double A[N * N], const double b[N], const double r[N]) {
  double Ar[N];
  la_gemv(N, N, 1, A, r, 0, Ar);
  return 0.5 * la_dot(N, r, Ar) + la_dot(N, r, b);
}

/* r + s z, and its velocities v = A r + b. */
static void move(const double A[N * N], const double b[N], const double r[N], double s,
                 double out[N], double v[N]) {
  double load = 0, friction[2] = {0, 0};
  for (int k = 0; k < LEGS; ++k) {
    load += r[DIM * k];
    friction[0] += r[DIM * k + 1];
    friction[1] += r[DIM * k + 2];
  }
  for (int k = 0; k < LEGS; ++k) {
    const double z = k == 0 || k == LEGS - 1 ? s : -s;
    out[DIM * k] = r[DIM * k] + z;
    out[DIM * k + 1] = r[DIM * k + 1] + z * friction[0] / load;
    out[DIM * k + 2] = r[DIM * k + 2] + z * friction[1] / load;
  }
  la_copy(N, b, v);
  la_gemv(N, N, 1, A, out, 1, v);
}

struct table_others table_other_solutions(const double A[N * N], const double b[N],
                                          const double mu[LEGS], const double r[N]) {
  const double across = fmin(r[0], r[DIM * (LEGS - 1)]), along = fmin(r[DIM], r[2 * DIM]);
  const struct contact_model model = {.law = CONTACT_LAW_CCP, .dim = DIM, .nc = LEGS, .mu = mu};
  double diag[LEGS * DIM * DIM], x[2][N], v[2][N], load = 0, residual = 0, apart = 0;
  for (int k = 0; k < LEGS; ++k) {
    load += r[DIM * k];
    for (int i = 0; i < DIM * DIM; ++i) {
      diag[DIM * DIM * k + i] = A[DIM * k + i / DIM + N * (DIM * k + i % DIM)];
    }
  }
  for (int side = 0; side < 2; ++side) {
    move(A, b, r, side == 0 ? -across : along, x[side], v[side]);
    residual = case_worst(residual, contact_residual(&model, diag, x[side], v[side], b).relative_b);
  }
  for (int i = 0; i < N; ++i) {
    apart = case_worst(apart, fabs(v[1][i] - v[0][i]));
  }
  return (struct table_others){.share = fabs(x[1][0] - x[0][0]) / load,
                               .residual = residual,
                               .apart = apart,
                               .objective = fabs(value_of(A, b, x[1]) / value_of(A, b, x[0]) - 1)};
}
