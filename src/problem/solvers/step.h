/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One projected step of one contact, shared by the solvers built on proximal points: from r_i and
 * v_i to the r_i that the law's projection gives (moeller 2.36 to 2.63). Internal to problem/.
 *
 *   ncp, cone  r_N <- max(0, r_N - rho_N v_N), then r_T <- prox_{r_N C}(r_T - rho_T v_T) with the
 *              new r_N; sequential: v_T takes the change of r_N along first, v_T += A_TN dr_N.
 *   lcp        the same, with the hull of mu r_N d_k and the origin for r_N C.
 *   ccp        r <- P_K(r - rho v), one rho for the whole contact.
 *   dim 1      r <- max(0, r - rho v), whatever the law.
 *
 * The last step of ncp is Gauss-Seidel within the contact. Against the alternative, De Saxce's
 * bipotential projection P_K(r - rho (v + mu |v_T| e_N)) with one rho a contact, it has two steps
 * that fit the two scales of A_NN and A_TT.
 *
 * transform (moeller 2.50 to 2.52): a set that is the image A_i S of a rounder one is replaced by
 * S, with A_i^-1 r_T and A_i^T v_T in place of r_T and v_T: an ellipse by a disk, the sets with a
 * spin torque by those with R_bar = 1 (E_F becomes the ball S_F). A_i is diagonal here. Beside the
 * simpler projection, one step for forces and torques then suits both.
 *
 * recover (moeller 2.63): where the argument of the projection lies in the set, each component
 * takes a step of its own. Two deviations keep the convex laws descending: the recovered step is
 * taken only if it ends in the set too, and with the rule BLOCK it is divided by the largest
 * eigenvalue of the block scaled to unit diagonal (1 for a diagonal block, 3 at most), since Jacobi
 * on a coupled block need not converge.
 */
#ifndef PROBLEM_STEP_H
#define PROBLEM_STEP_H

#include "base/options.h"
#include "problem/problem.h"

enum problem_step_rule {
  PROBLEM_STEP_BLOCK,    /* 1 / largest eigenvalue of A_NN, A_TT (ccp: A_ii) */
  PROBLEM_STEP_DIAGONAL, /* 1 / largest diagonal element (moeller 2.44) */
  PROBLEM_STEP_ROW_SUM   /* 1 / largest row sum of |A| (an upper bound for BODIES) */
};

struct problem_step {
  const struct contact_model *model;
  const double *diag; /* nc blocks dim x dim row-major, A_ii [1/kg] */
  double *rho;        /* nc x 2: normal, tangential; ccp: the same twice [kg] */
  double *rho_rows;   /* nc x dim, one a row, for recover; the last is 0 where
                         nothing is gained; NULL: do not recover [kg] */
  double *stretch;    /* nc x dim, diagonal of A_i (1 for the normal); NULL: not transformed */
  const struct contact_set *set; /* nc, the sets to project onto; NULL: disks of radius mu */
  int sequential;                /* v_T follows the change of r_N */
  const double *dirs;            /* lcp, dim 3: 2 x n_dir */
};

/* Options of the steps, and their table for solvers that only repeat steps; default_rho: default
 * rule; diagonal: place in the source of the step by the diagonal element. */
struct problem_step_choice {
  double omega; /* the source's alpha */
  int rho;      /* enum problem_step_rule */
  int recover, transform;
};
#define PROBLEM_STEP_TABLE(default_rho, diagonal)                                                  \
  {                                                                                                \
    BASE_OPTION_REAL(struct problem_step_choice, omega, 1, 1e-3, 1.999, "",                        \
                     "relaxation of the step"),                                                    \
        BASE_OPTION_CHOICE(struct problem_step_choice, rho, default_rho, "block|diagonal|row-sum", \
                           "step: over eigenvalue, diagonal (" diagonal ") or row sum"),           \
        BASE_OPTION_BOOL(struct problem_step_choice, recover, 1,                                   \
                         "steps by rows if the projection changes nothing (moeller 2.63)"),        \
        BASE_OPTION_BOOL(struct problem_step_choice, transform, 1,                                 \
                         "replace stretched friction sets by their round images (moeller 2.52)"),  \
        BASE_OPTION_END                                                                            \
  }
/* The laws of these solvers. */
#define PROBLEM_STEP_LAWS                                                                          \
  (CONTACT_LAW_BIT(CONTACT_LAW_NCP) | CONTACT_LAW_BIT(CONTACT_LAW_CCP) |                           \
   CONTACT_LAW_BIT(CONTACT_LAW_LCP) | CONTACT_LAW_BIT(CONTACT_LAW_CONE))

/* Everything from the arena. */
struct problem_step *problem_step_alloc(const struct problem *p,
                                        const struct problem_step_choice *choice, int sequential,
                                        struct base_arena *arena);
/* out: dim, new r_i; r_i, v_i: dim; out may not be r_i. */
void problem_step_apply(const struct problem_step *step, int i, const double *r_i,
                        const double *v_i, double *out);
/* BASE_OK, or BASE_UNSUPPORTED with a message, when some A_ii has no positive normal element: no
 * projected step is defined then. Also refuses sets that do not fit dim, and dim 4 without sets.
 * options: of the solver, whatever they are. */
int problem_step_check(const struct problem *p, const void *options);

#endif
