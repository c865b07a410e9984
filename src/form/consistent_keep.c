/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the consistent integrators keep from step to step, for checkpoints: the contacts of the last
 * step with their impulses, the forces of the constraints, and the factored Jacobian. The solution
 * does not depend on where Newton's method starts nor on its matrix, its last bits do.
 */
#include <limits.h>

#include "base/status.h"
#include "form/consistent.h"

static void pass_doubles(struct base_blob *blob, double *x, size_t n) {
  base_blob_pass(blob, x, n * sizeof *x);
}

void form_consistent_keep(void *workspace, struct base_blob *blob) {
  struct form_consistent *c = workspace;
  const size_t nx = (size_t)c->unknowns;
  const int n = (int)base_blob_count(blob, c->n_last, INT_MAX / c->mech->dim);
  if (blob->reading) {
    if ((size_t)n > (blob->n - blob->at) / sizeof(double)) {
      blob->status = base_fail(BASE_E_INPUT, "ends too early, at byte %zu", blob->at);
      return;
    }
    form_consistent_reserve(c, n);
    c->n_last = n;
  }
  const size_t components = (size_t)n * (size_t)c->mech->dim;
  base_blob_pass(blob, c->id_last, (size_t)n * sizeof *c->id_last);
  pass_doubles(blob, c->impact_last, components);
  pass_doubles(blob, c->motion_last, components);
  pass_doubles(blob, c->force_S, (size_t)c->ns);
  pass_doubles(blob, &c->LU_dt, 1);
  pass_doubles(blob, c->LU, nx * nx);
  pass_doubles(blob, c->K, (size_t)c->nu * (size_t)c->nq);
  base_blob_pass(blob, c->piv, nx * sizeof *c->piv);
}
