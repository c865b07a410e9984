/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Square systems without symmetry that are put together entry by entry and solved many times: by
 * dense LU factors while they are small, else by UMFPACK (Davis, ACM Trans. Math. Softw. 30, 2004).
 * Sparse factors are the library's memory: whoever allocates a system frees it.
 */
#ifndef LA_SYSTEM_H
#define LA_SYSTEM_H

#include "base/bytes/blob.h"
#include "base/memory/arena.h"

struct la_system;

/* Of order n, from the arena. */
struct la_system *la_system_alloc(int n, struct base_arena *arena);
void la_system_free(struct la_system *s); /* takes NULL */
/* An empty matrix in place of what there was; then entries, summed where they meet. */
void la_system_begin(struct la_system *s);
void la_system_add(struct la_system *s, int i, int j, double value);
/* Takes unknowns and the equations of the same numbers out of the matrix; is_out: n flags. What is
 * solved then has a zero there for a zero on the right-hand side. */
void la_system_leave_out(struct la_system *s, const int *is_out);
/* BASE_FAILED with a message when it is singular, not finite or too large. */
int la_system_factor(struct la_system *s);
/* Entries of the factors, of the last ones. */
long la_system_entries(const struct la_system *s);
/* X: n x nrhs overwritten by A^-1 X, with the last factor; scratch from the arena, released. */
void la_system_solve(struct la_system *s, int nrhs, double *X, struct base_arena *arena);
/* What was done since it was allocated: factorisations, and right-hand sides solved for. */
struct la_system_count {
  long factored, solved;
};
struct la_system_count la_system_counted(const struct la_system *s);
/* y = A x of the entries, factored or not. */
void la_system_apply(const struct la_system *s, const double *x, double *y);
/* The matrix for checkpoints; read ones are factorised again, to the same bits. */
void la_system_pass(struct la_system *s, struct base_blob *blob);

#endif
