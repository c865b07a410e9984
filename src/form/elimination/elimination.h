/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Elimination of bilateral constraints in impulse stepping: by sparse or dense factors
 * (mech/bilateral/bilateral.h) or by divide and conquer (dca/dca.h). Constraints may also stay in
 * the one-step problem (free_joints.c). Each choice has three functions for the same discrete
 * equations, M (u^E - u) = W_S r_S + W r and W_S^T u^E + offset = 0:
 *
 *   constrain   u^E for r = 0
 *   response    A, with W^T u^E = A r + W^T u^E(r = 0)
 *   respond     du(r) = u^E(r) - u^E(r = 0)
 *
 * Where constraints stay, "r = 0" are the multipliers, too, and A is that of the contacts alone.
 */
#ifndef FORM_ELIMINATION_H
#define FORM_ELIMINATION_H

#include "form/dca/mcp.h"
#include "form/form.h"

enum form_joints {
  FORM_JOINTS_AUTO,
  FORM_JOINTS_SPARSE,
  FORM_JOINTS_DENSE,
  FORM_JOINTS_DCA,
  FORM_JOINTS_FREE
};

/* The option of the formulations of impulse stepping. */
#define FORM_JOINTS "auto|sparse|dense|dca|free"
#define FORM_JOINTS_OPTION(type)                                                                   \
  BASE_OPTION_CHOICE(type, joints, FORM_JOINTS_AUTO, FORM_JOINTS,                                  \
                     "elimination of bilateral constraints: sparse factors, dense ones, divide "   \
                     "and conquer (bhalerao 17 to 35, assemblies only); free: none, constraints "  \
                     "stay in the one-step problem with free multipliers (negrut 10); auto: "      \
                     "sparse from 25 constraints on if the system has them by body, else dense")

struct form_elimination_choice {
  enum form_joints joints;
  /* of divide and conquer */
  enum form_mcp_kind mcp;
  enum form_mcp_solved solved;
  int threads; /* 0: 1 */
};

struct form_elimination {
  /* Workspace, which lives as long as the setup's arena; NULL with a message: unsupported. */
  void *(*alloc)(const struct form_setup *setup, const struct form_elimination_choice *choice);
  /* Compute all quantities that depend on the configuration. L: factor of M(q), from
   * mech_mass_factor; compliance: of every constraint, nonzero only for the direct factors. BASE_OK
   * or a failure with a message. */
  int (*build)(void *workspace, const double *q, const double *L, double compliance);
  /* u: nu; offset: ns, g_S/dt or the rate of prescribed motion, all in [.../s]. */
  void (*constrain)(void *workspace, const double *offset, double *u);
  /* A from the arena. Returns the number of unknowns of the mixed complementarity problem where the
   * source poses one, free ones included, else 0; n_lcp: those with a condition. */
  int (*response)(void *workspace, const struct mech_contacts *contacts, int n_lcp,
                  struct base_arena *arena, struct problem_operator *A);
  /* Nonzero: constraints stay in the problem; the motion of `constrain` violates them. */
  int stay;
  /* Append unknowns to those of the contacts; NULL: there are none. p: the problem of the contacts,
   * extended in place; u_free: nu; rounding: of its rates [m/s]. Returns the start of all unknowns,
   * those of the contacts from r; from the arena, valid until `respond`. */
  double *(*extend)(void *workspace, const struct mech_contacts *contacts, const double *u_free,
                    double rounding, const double *r, struct base_arena *arena, struct problem *p);
  /* du(r) of the contacts of the last response; r: dim n, du: nu, overwritten. */
  void (*respond)(void *workspace, const struct mech_contacts *contacts, const double *r,
                  double *du);
  /* Number of constraints that depend on others in this configuration; NULL: not known. */
  int (*dependent)(const void *workspace);
  void (*free)(void *workspace); /* NULL: nothing to free */
};

const struct form_elimination *form_elimination_of(const struct form_elimination_choice *choice);

/* free_joints.c: constraints stay. */
extern const struct form_elimination form_elimination_none;
/* dca.c */
extern const struct form_elimination form_elimination_dca, form_elimination_dca_whole;

#endif
