/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Divide and conquer (dca.h) with the mixed complementarity problem (32) or (33) of bhalerao
 * (mcp.h) as an elimination of joints: linear in the bodies of a chain, a tree or a loop, nothing
 * dense in them is formed.
 */
#include "form/impulse.h"

struct eliminator {
  struct form_dca *dca;
  enum form_mcp_kind mcp;
};

static void *dca_alloc(const struct form_setup *setup) {
  const struct form_impulse_options *options = setup->options;
  struct eliminator *w = base_arena_push(setup->arena, sizeof *w);
  w->mcp = (enum form_mcp_kind)options->mcp;
  w->dca = form_dca_alloc(setup->mech, options->threads, setup->arena);
  return w->dca != NULL ? w : NULL;
}

static void dca_build(void *workspace, const double *q, const double *L) {
  const struct eliminator *w = workspace;
  form_dca_assemble(w->dca, q, L);
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
                        double *u) {
  const struct eliminator *w = workspace;
  form_dca_respond(w->dca, contacts, r, u);
}

const struct form_elimination form_elimination_dca = {.alloc = dca_alloc,
                                                      .build = dca_build,
                                                      .constrain = dca_constrain,
                                                      .response = dca_response,
                                                      .respond = dca_respond};
