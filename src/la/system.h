/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Unsymmetric square systems that are assembled entry by entry and solved many times. Small ones
 * have dense LU factors, larger ones those of UMFPACK (Davis, ACM Trans. Math. Softw. 30, 2004).
 * Sparse factors are memory of the library, so the caller frees a system.
 */
#ifndef LA_SYSTEM_H
#define LA_SYSTEM_H

#include "base/bytes/blob.h"
#include "base/memory/arena.h"

struct la_system;

/* A system of order n, in the arena. */
struct la_system *la_system_alloc(int n, struct base_arena *arena);
void la_system_free(struct la_system *s); /* takes NULL */
/* Begin a new, empty matrix; then add entries. Entries at the same place add up. */
void la_system_begin(struct la_system *s);
void la_system_add(struct la_system *s, int i, int j, double value);
/* Remove unknowns, and the equations of the same indices, from the matrix; is_out: n flags. If the
 * right-hand side is zero there, so is the solution. */
void la_system_leave_out(struct la_system *s, const int *is_out);
/* Factorise the matrix. BASE_FAILED with a message if it is singular, not finite or too large. */
int la_system_factor(struct la_system *s);
/* Number of entries in the last factors. */
long la_system_entries(const struct la_system *s);
/* X: n x nrhs is overwritten by A^-1 X, with the last factors. Scratch is from the arena and
 * released. */
void la_system_solve(struct la_system *s, int nrhs, double *X, struct base_arena *arena);
/* Work since allocation: numbers of factorisations and of solved right-hand sides. */
struct la_system_count {
  long factored, solved;
};
struct la_system_count la_system_counted(const struct la_system *s);
/* y = A x with the present entries, also before they are factorised. */
void la_system_apply(const struct la_system *s, const double *x, double *y);
/* Write or read the matrix of a checkpoint. After reading it is factorised again, to the same
 * bits. */
void la_system_pass(struct la_system *s, struct base_blob *blob);

#endif
