/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one-contact problem of a case's initial state, in the block `contact` of its record.
 *
 * Of the one contact that is closed at the start, with A = W^T (M^-1 without bilateral motion) W
 * and b = W^T u, the impact problem v = A r + b is solved by every law that has a closed form for
 * it: all solutions of Coulomb's law (preclik 4.1; there may be several), and the maximally
 * dissipative one (preclik 3.2). The problem depends on no force, time step or formulation; results
 * of runs are compared with its solutions.
 */
#ifndef BENCH_ONE_CONTACT_H
#define BENCH_ONE_CONTACT_H

struct cJSON;

enum { BENCH_COULOMB_MAX = 8 };

/* One solution: r, impulse [N s]; v = A r + b [m/s]; energy r . A r / 2 + r . b [J]. */
struct bench_contact_solution {
  double r[3], v[3], energy;
};

struct bench_one_contact {
  int dim; /* 2, 3 */
  double mu;
  double A[9], b[3]; /* dim x dim row-major, normal first [1/kg]; dim [m/s] */
  int n_coulomb;
  struct bench_contact_solution coulomb[BENCH_COULOMB_MAX]; /* energy descending */
  struct bench_contact_solution max_dissipation;
};

/* The block `contact` of a record. */
void bench_one_contact_add(struct cJSON *block, const struct bench_one_contact *p);

#endif
