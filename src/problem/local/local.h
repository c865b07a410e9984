/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One contact solved exactly or by projection: the local solvers of block relaxation.
 * A: dim x dim row-major, normal first; b: dim, the velocity the contact has without its own
 * impulse.
 */
#ifndef PROBLEM_LOCAL_H
#define PROBLEM_LOCAL_H

/* Branches of the analytic solvers, for tests that count them and for records. */
enum problem_local_branch {
  PROBLEM_LOCAL_SEPARATING,
  PROBLEM_LOCAL_FRICTIONLESS,
  PROBLEM_LOCAL_STICKING,
  PROBLEM_LOCAL_POINT,
  PROBLEM_LOCAL_RAY,
  PROBLEM_LOCAL_DEGENERATE_HYPERBOLA, /* b_n = 0 */
  PROBLEM_LOCAL_ELLIPSE,
  PROBLEM_LOCAL_PARABOLA,
  PROBLEM_LOCAL_HYPERBOLA,
  PROBLEM_LOCAL_SLIDING,  /* Coulomb's quartic, or the planar closed form */
  PROBLEM_LOCAL_FALLBACK, /* the analytic solution failed a check; an iteration replaces it */
  PROBLEM_LOCAL_NONE,     /* Coulomb's law has no solution but zero here */
  PROBLEM_LOCAL_BRANCH_COUNT
};

/* Maximum dissipation (preclik 3.2, fig. 5). r: dim. */
enum problem_local_branch problem_local_mdp(int dim, double mu, const double *A, const double *b,
                                            double *r);
/* Coulomb by its quartic; among several solutions the one of least energy. r: dim. */
enum problem_local_branch problem_local_coulomb(int dim, double mu, const double *A,
                                                const double *b, double *r);
/* All Coulomb solutions of one contact, rows of r (max x dim), returns their number. */
int problem_local_coulomb_all(int dim, double mu, const double *A, const double *b, int max,
                              double *r);
/* Cone complementarity of one contact, exact (closed form in the plane: yu; in space by its own
 * quartic or a safeguarded scalar root). r: dim. */
enum problem_local_branch problem_local_ccp(int dim, double mu, const double *A, const double *b,
                                            double *r);

/* Exact Coulomb by two partial steps: r_N at the tangential impulse of `old`, then the least energy
 * on the disk of radius mu r_N. The result solves the contact only if A_TN = 0, but solutions of
 * Coulomb's law are its fixed points. old, r: dim; r may be old. */
void problem_local_decoupled(int dim, double mu, const double *A, const double *b,
                             const double *old, double *r);

/* The polyhedral LCP of one contact (bhalerao 14): dirs: (dim - 1) x k, for dim 2 +1 and -1.
 * FALLBACK: no basis meets all conditions to round-off, the nearest is returned. r: dim. */
enum problem_local_branch problem_local_lcp(int dim, double mu, int k, const double *dirs,
                                            const double *A, const double *b, double *r);

#endif
