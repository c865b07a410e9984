/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bilateral constraints of impulse stepping by divide and conquer (dca.h), with the mixed
 * complementarity problem (bhalerao 32) or (33) for the contacts (mcp.h).
 */
#include "form/impulse/elimination.h"

#include <string.h>

#include "base/status.h"

struct eliminator {
  int nu;
  struct form_dca *dca;
  enum form_mcp_kind mcp;
};

static void *dca_alloc(const struct form_setup *setup,
                       const struct form_elimination_choice *choice) {
  struct eliminator *w = base_arena_push(setup->arena, sizeof *w);
  w->nu = setup->mech->nu;
  w->mcp = choice->mcp;
  w->dca = form_dca_alloc(setup->mech, choice->threads > 0 ? choice->threads : 1, setup->arena);
  return w->dca != NULL ? w : NULL;
}

static int dca_build(void *workspace, const double *q, const double *L) {
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
  const struct eliminator *w = workspace;
  struct form_mcp mcp;
  form_mcp_build(w->dca, contacts, w->mcp, arena, &mcp);
  double *a = base_arena_matrix(arena, mcp.n, mcp.n);
  form_mcp_condense(&mcp, a);
  *A = (struct problem_operator){
      .kind = PROBLEM_OPERATOR_DENSE, .dim = contacts->dim, .nc = contacts->n, .a = a};
  return mcp.n_free + n_lcp;
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
