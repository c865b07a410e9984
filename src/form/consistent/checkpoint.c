/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the consistent integrators remember of past steps, for checkpoints: the contacts of the last
 * step with their impulses, the forces of the constraints, and the factored Jacobian. The solution
 * does not depend on where Newton's method starts nor on its matrix, its last bits do.
 */
#include <limits.h>

#include "base/status.h"
#include "form/consistent/consistent.h"

static void pass_doubles(struct base_blob *blob, double *x, size_t n) {
  base_blob_reals(blob, x, n);
}

static void pass_slope(struct form_consistent *c, struct base_blob *blob) {
  struct la_blocks *A = &c->slope;
  const int n = (int)base_blob_count(blob, A->n, INT_MAX, sizeof *A->row + sizeof *A->col);
  if (blob->reading) {
    base_arena_empty(c->store);
    la_blocks_init(A, A->rows, A->cols, c->store);
    for (int k = 0; k < n; ++k) {
      la_blocks_push(A, 0, 0);
    }
  }
  base_blob_pass(blob, A->row, (size_t)n * sizeof *A->row);
  base_blob_pass(blob, A->col, (size_t)n * sizeof *A->col);
  pass_doubles(blob, A->value, (size_t)n * (size_t)A->rows * (size_t)A->cols);
  for (int k = 0; k < n && blob->reading; ++k) { /* what is read may be anything */
    if (A->row[k] < 0 || A->row[k] >= c->nu / A->rows || A->col[k] < 0 ||
        A->col[k] >= c->nq / A->cols) {
      blob->status = base_fail(BASE_E_INPUT, "a matrix has a block outside");
      A->n = 0;
    }
  }
}

void form_consistent_checkpoint(void *workspace, struct base_blob *blob) {
  struct form_consistent *c = workspace;
  const int n = (int)base_blob_count(blob, c->n_last, INT_MAX / c->mech->dim, sizeof *c->id_last);
  if (blob->reading) {
    form_consistent_reserve(c, n);
    c->n_last = n;
  }
  const size_t components = (size_t)n * (size_t)c->mech->dim;
  base_blob_pass(blob, c->id_last, (size_t)n * sizeof *c->id_last);
  pass_doubles(blob, c->impact_last, components);
  pass_doubles(blob, c->motion_last, components);
  pass_doubles(blob, c->force_S, (size_t)c->ns);
  pass_doubles(blob, &c->J_dt, 1);
  base_blob_pass(blob, c->J_left_out, (size_t)c->ns * sizeof *c->J_left_out);
  la_system_pass(c->system, blob);
  pass_slope(c, blob);
}
