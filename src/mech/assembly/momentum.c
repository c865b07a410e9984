/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Momentum of all bodies of an assembly that move: with c = sum m x / sum m, their common centre,
 *
 *   p = sum m v        L = sum (x - c) x m v + R Theta R^T w
 *
 * (x, v, R, w as in parts.h). Where gravity alone acts from outside p grows by the weight and L
 * stays, whatever the bodies do to each other.
 */
#include "mech/assembly/parts.h"

int mech_assembly_is_free(const struct mech_assembly *a) {
  int is_free = a->n_loads == 0;
  for (int i = 0; i < a->n_shapes && is_free; ++i) {
    is_free = !mech_body_immovable(a, a->shape[i].body);
  }
  for (int i = 0; i < a->n_joints && is_free; ++i) {
    const int *body = a->joint[i].given.body;
    is_free = mech_assembly_moves(a, body[0]) && mech_assembly_moves(a, body[1]);
  }
  for (int k = 0; k < a->n_blocks && is_free; ++k) {
    const int body = mech_block_body(a, k);
    is_free = mech_body_active(a, body) && mech_body_turns(a, body);
  }
  return is_free;
}

double mech_assembly_momentum(const struct mech_assembly *a, const double *q, const double *u,
                              double p[3], double L[3]) {
  double mass = 0, centre[3] = {0};
  for (int i = 0; i < 3; ++i) {
    p[i] = L[i] = 0;
  }
  for (int k = 0; k < a->n_blocks; ++k) {
    const int body = mech_block_body(a, k);
    mass += a->mass[body];
    mech_add3(a->mass[body], mech_assembly_motion(a, q, u, body).x, centre);
  }
  for (int k = 0; k < a->n_blocks; ++k) {
    const int body = mech_block_body(a, k);
    const struct mech_motion at = mech_assembly_motion(a, q, u, body);
    double arm[3], moment[3], w[3], Theta[3], spin[3];
    for (int i = 0; i < 3; ++i) {
      arm[i] = at.x[i] - centre[i] / mass;
    }
    mech_cross3(arm, at.v, moment);
    mech_back3(at.R, at.w, w);
    mech_body_inertia(a, body, Theta);
    for (int i = 0; i < 3; ++i) {
      w[i] *= w[i] != 0 ? Theta[i] : 0; /* in the plane two moments mean nothing */
    }
    mech_turn3(at.R, w, spin);
    mech_add3(a->mass[body], at.v, p);
    mech_add3(a->mass[body], moment, L);
    mech_add3(1, spin, L);
  }
  return mass;
}
