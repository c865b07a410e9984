/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bilateral constraints of impulse stepping by divide and conquer (dca.h), with the mixed
 * complementarity problem (bhalerao 32) or (33) for the contacts (mcp.h). Its free unknowns x are
 * solved for at sight, or (solved=whole) stay in the problem that the solver gets, as differences
 * of two that are not negative: with x from its value for r = 0 on,
 *
 *   0 <=   x^+ - x^- - kappa r   perp  x^+ >= 0
 *   0 <= -(x^+ - x^- - kappa r)  perp  x^- >= 0      v = chi (x^+ - x^-) + direct r + v(r = 0)
 *
 * each pair two contacts without friction. The matrix is not symmetric then: for Lemke's method.
 */
#include "form/elimination/elimination.h"

#include <string.h>

#include "base/status.h"
#include "la/dense.h"

struct eliminator {
  int nu;
  struct form_dca *dca;
  enum form_mcp_kind mcp;
  struct form_mcp last; /* of the last response; its scratch */
};

static void *dca_alloc(const struct form_setup *setup,
                       const struct form_elimination_choice *choice) {
  struct eliminator *w = base_arena_push(setup->arena, sizeof *w);
  w->nu = setup->mech->nu;
  w->mcp = choice->mcp;
  w->dca = form_dca_alloc(setup->mech, choice->threads > 0 ? choice->threads : 1, setup->arena);
  return w->dca != NULL ? w : NULL;
}

static int dca_build(void *workspace, const double *q, const double *L, double compliance) {
  (void)compliance;
  const struct eliminator *w = workspace;
  form_dca_assemble(w->dca, q, L);
  return BASE_OK;
}

static void dca_constrain(void *workspace, const double *offset, double *u) {
  const struct eliminator *w = workspace;
  form_dca_constrain(w->dca, offset, u);
}

static int dca_response(void *workspace, const struct mech_contacts *contacts, int n_lcp,
                        struct base_arena *arena, struct problem_operator *A) {
  struct eliminator *w = workspace;
  struct form_mcp mcp;
  form_mcp_build(w->dca, contacts, w->mcp, arena, &mcp);
  w->last = mcp;
  double *a = base_arena_matrix(arena, mcp.n, mcp.n);
  form_mcp_condense(&mcp, a);
  *A = (struct problem_operator){
      .kind = PROBLEM_OPERATOR_DENSE, .dim = contacts->dim, .nc = contacts->n, .a = a};
  return mcp.n_free + n_lcp;
}

/* The matrix of the whole problem, column-major with n rows: entry (i, j) of a contact's component
 * and of the normal of pair f's side. */
static void whole_matrix(const struct form_mcp *mcp, int dim, int n, double *a) {
  for (int j = 0; j < mcp->n; ++j) {
    la_copy(mcp->n, mcp->direct + (size_t)j * (size_t)mcp->n, a + (size_t)j * (size_t)n);
  }
  for (int f = 0; f < 2 * mcp->n_free; ++f) {
    const int at = mcp->n + dim * f, x = f / 2;
    const double sign = f % 2 == 0 ? 1 : -1;
    for (int j = 0; j < mcp->n; ++j) {
      a[at + (long)n * j] = -sign * mcp->kappa[x + (long)mcp->n_free * j];
    }
    la_axpy(mcp->n, sign, mcp->chi + (size_t)x * (size_t)mcp->n, a + (size_t)n * (size_t)at);
    for (int side = 0; side < 2; ++side) {
      const int row = mcp->n + dim * (2 * x + side);
      a[row + (long)n * at] = side == f % 2 ? 1 : -1;
    }
  }
}

static double *dca_extend(void *workspace, const struct mech_contacts *c, const double *u_free,
                          double rounding, const double *r, struct base_arena *arena,
                          struct problem *p) {
  const struct eliminator *w = workspace;
  const struct form_mcp *mcp = &w->last;
  const int dim = c->dim, nc = c->n + 2 * mcp->n_free, n = dim * nc;
  double *a = base_arena_matrix(arena, n, n), *b = base_arena_doubles(arena, n);
  double *mu = base_arena_doubles(arena, nc), *all = base_arena_doubles(arena, n);
  (void)u_free, (void)rounding;
  whole_matrix(mcp, dim, n, a);
  la_copy(mcp->n, p->b, b);
  la_copy(mcp->n, r, all);
  la_copy(c->n, p->model.mu, mu);
  p->model.nc = nc;
  p->model.mu = mu;
  p->b = b;
  p->A = (struct problem_operator){.kind = PROBLEM_OPERATOR_DENSE, .dim = dim, .nc = nc, .a = a};
  return all;
}

static void dca_respond(void *workspace, const struct mech_contacts *contacts, const double *r,
                        double *du) {
  const struct eliminator *w = workspace;
  memset(du, 0, (size_t)w->nu * sizeof *du);
  form_dca_respond(w->dca, contacts, r, du);
}

static int dca_dependent(const void *workspace) {
  const struct eliminator *w = workspace;
  return form_dca_dependent(w->dca);
}

const struct form_elimination form_elimination_dca = {.alloc = dca_alloc,
                                                      .build = dca_build,
                                                      .constrain = dca_constrain,
                                                      .response = dca_response,
                                                      .respond = dca_respond,
                                                      .dependent = dca_dependent};

const struct form_elimination form_elimination_dca_whole = {.alloc = dca_alloc,
                                                            .build = dca_build,
                                                            .constrain = dca_constrain,
                                                            .response = dca_response,
                                                            .extend = dca_extend,
                                                            .respond = dca_respond,
                                                            .dependent = dca_dependent};
