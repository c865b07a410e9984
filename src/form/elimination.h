/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How impulse stepping gets rid of bilateral constraints. The usual way, with dense matrices, is in
 * delassus.h; a formulation that has one of its own puts it into its scheme. All of them answer
 * the same questions of the same discrete equations, M (u^E - u) = W_S r_S + W r and
 * W_S^T u^E + offset = 0:
 *
 *   constrain   u^E for r = 0
 *   response    A, with W^T u^E = A r + W^T u^E(r = 0)
 *   respond     du(r) = u^E(r) - u^E(r = 0)
 */
#ifndef FORM_ELIMINATION_H
#define FORM_ELIMINATION_H

#include "form/form.h"

struct form_elimination {
  /* Workspace, which lives as long as the setup's arena; NULL with a message: unsupported. */
  void *(*alloc)(const struct form_setup *setup);
  /* What depends on the configuration; L: factor of M(q), from mech_mass_factor. */
  void (*build)(void *workspace, const double *q, const double *L);
  /* u: nu; offset: ns, g_S/dt, all in [.../s]. */
  void (*constrain)(void *workspace, const double *offset, double *u);
  /* A from the arena. Returns the number of unknowns of the complementarity problem as the
   * formulation poses it, free ones included; n_lcp: those with a condition. */
  int (*response)(void *workspace, const struct mech_contacts *contacts, int n_lcp,
                  struct base_arena *arena, struct problem_operator *A);
  /* u += du(r); r: dim n. */
  void (*respond)(void *workspace, const struct mech_contacts *contacts, const double *r,
                  double *u);
};

#endif
