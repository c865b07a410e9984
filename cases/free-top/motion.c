/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The torque-free asymmetric top in closed form (Landau and Lifshitz, Mechanics, section 37). With
 * L the momentum, E the kinetic energy, and c the extreme axis on the momentum's side of the
 * separatrix (the third where L^2 > 2 E I2, the first else), from omega_b = 0:
 *
 *   omega_a = wa cn(lambda t, k),  omega_b = wb sn(lambda t, k),  omega_c = wc dn(lambda t, k)
 *   lambda^2 = (Ic - Ib)(L^2 - 2 E Ia) / (Ia Ib Ic)
 *   k^2 = (Ib - Ia)(2 E Ic - L^2) / [(Ic - Ib)(L^2 - 2 E Ia)]
 *
 * wb by 2 E Ic - L^2 = Ia (Ic - Ia) wa^2 = Ib (Ic - Ib) wb^2, its sign by Euler's equation
 * I2 omega2' = (I3 - I1) omega3 omega1. The attitude by the momentum, fixed in space: its direction
 * in the body gives two Euler angles about c, and the third turns at
 *
 *   phi' = L (2 E - Ic omega_c^2) / (L^2 - Ic^2 omega_c^2)
 *        = L/Ic + L (Ic - Ia) / (Ia Ic) / (1 + nu sn^2),   nu = Ic (Ib - Ia) / [Ia (Ic - Ib)],
 *
 * whose integral is an incomplete elliptic integral of the third kind, Pi(am; k, nu) / lambda.
 */
#include "cases/free-top/free-top.h"

#include "la/elliptic.h"

#include <math.h>

enum { MIDDLE = 1 };

void free_top_motion_init(struct free_top_motion *m, const double I[3], double w1, double w3) {
  const double E2 = I[0] * w1 * w1 + I[2] * w3 * w3; /* 2 E */
  const double L2 = I[0] * I[0] * w1 * w1 + I[2] * I[2] * w3 * w3;
  const int third = L2 > E2 * I[1];
  *m = (struct free_top_motion){.I = {I[0], I[1], I[2]},
                                .a = third ? 0 : 2,
                                .c = third ? 2 : 0,
                                .wa = third ? w1 : w3,
                                .wc = third ? w3 : w1,
                                .L = sqrt(L2)};
  const double Ia = I[m->a], Ib = I[MIDDLE], Ic = I[m->c];
  const double rest = Ia * (Ic - Ia) * m->wa * m->wa;  /* 2 E Ic - L^2 */
  const double above = Ic * (Ic - Ia) * m->wc * m->wc; /* L^2 - 2 E Ia */
  m->wb = copysign(sqrt(rest / (Ib * (Ic - Ib))), w1 * w3);
  m->rate = sqrt((Ic - Ib) * above / (Ia * Ib * Ic));
  m->modulus = sqrt((Ib - Ia) * rest / ((Ic - Ib) * above));
  m->nu = Ic * (Ib - Ia) / (Ia * (Ic - Ib));
}

/* R = Rz(phi) Rx(theta) Rz(psi), rows first: R[i][j]. */
static void euler(double phi, double theta, double psi, double R[3][3]) {
  const double c1 = cos(phi), s1 = sin(phi), c2 = cos(theta), s2 = sin(theta), c3 = cos(psi),
               s3 = sin(psi);
  const double rows[3][3] = {{c1 * c3 - s1 * c2 * s3, -c1 * s3 - s1 * c2 * c3, s1 * s2},
                             {s1 * c3 + c1 * c2 * s3, -s1 * s3 + c1 * c2 * c3, -c1 * s2},
                             {s2 * s3, s2 * c3, c2}};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      R[i][j] = rows[i][j];
    }
  }
}

/* Attitude of the frame (a, b', c), b' = c x a = +-b, against one whose third axis is the momentum;
 * omega: 3, of the body. */
static void attitude(const struct free_top_motion *m, double t, double R[3][3], double omega[3]) {
  const double Ia = m->I[m->a], Ic = m->I[m->c];
  const double hand = m->c > m->a ? 1 : -1;
  double sn, cn, dn, Pi;
  la_elliptic(m->modulus, m->nu, m->rate * t, &sn, &cn, &dn, &Pi);
  omega[m->a] = m->wa * cn;
  omega[MIDDLE] = m->wb * sn;
  omega[m->c] = m->wc * dn;
  const double phi = m->L / Ic * t + m->L * (Ic - Ia) / (Ia * Ic) * Pi / m->rate;
  const double x = Ia * omega[m->a], y = hand * m->I[MIDDLE] * omega[MIDDLE], z = Ic * omega[m->c];
  euler(phi, atan2(hypot(x, y), z), atan2(x, y), R);
}

void free_top_motion_at(const struct free_top_motion *m, double t, double directors[9],
                        double omega[3]) {
  const double hand = m->c > m->a ? 1 : -1;
  const int axis[3] = {m->a, MIDDLE, m->c};
  const double sign[3] = {1, hand, 1};
  double start[3][3], now[3][3], omega_0[3], turn[3][3] = {{0}};
  attitude(m, 0, start, omega_0);
  attitude(m, t, now, omega);
  /* In the frame (a, b', c) of the start, where R = I: start^T now. */
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 3; ++k) {
        turn[i][j] += start[k][i] * now[k][j];
      }
    }
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      directors[3 * axis[j] + axis[i]] = sign[i] * sign[j] * turn[i][j];
    }
  }
}
