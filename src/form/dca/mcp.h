/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The mixed complementarity problem of divide and conquer (bhalerao 32, 33), written with the
 * contacts' local impulses r = (n, D) (h lambda_N, h lambda_F) and velocities v:
 *
 *   0 = -x + x_0 + kappa r            x: velocities of handles at the end of the step, free
 *   v = chi x + chi_2 + direct r      under (14) with r
 *
 *   (32)  x = (V_1, V_2), the terminal handles: 12 free unknowns in space
 *   (33)  x = (V_1, V_2, V_k of every body with contacts): 12 + 6 B_u, chi sparse, direct = 0
 *
 * With X contacts and eta directions there are besides X + X eta + X unknowns with conditions. The
 * free rows are solved for x at sight, which leaves A = chi kappa + direct, symmetric: the source's
 * pure LCP without an inversion.
 *
 * (32d) has direct = 0 too, v being taken as chi_1 V + chi_2 with V a terminal handle. That holds
 * for contacts on terminal bodies. For others no such chi_1 exists: V_1 and V_2 are 12 numbers,
 * while 3 X impulses act in between, each with an effect of its own; one contact would do, were the
 * way to the terminal not through joints that pass part of its impulse only. `direct` holds the
 * rows of such contacts; sizes stay as stated.
 */
#ifndef FORM_MCP_H
#define FORM_MCP_H

#include "form/dca/dca.h"

enum form_mcp_kind { FORM_MCP_SMALL /* (32) */, FORM_MCP_LARGE /* (33) */ };

/* Free unknowns solved for at sight, or with the others. */
enum form_mcp_solved { FORM_MCP_CONDENSED, FORM_MCP_WHOLE };

struct form_mcp {
  int n_free;     /* x */
  int n_handles;  /* n_free = nv n_handles */
  int *handle;    /* n_handles, blocks of u: terminals, then the bodies with contacts */
  int n;          /* dim times contacts */
  double *kappa;  /* n_free x n [1/kg] */
  double *chi;    /* n x n_free [-] */
  double *direct; /* n x n [1/kg] */
};
/* From an assembled tree; everything from the arena. */
void form_mcp_build(struct form_dca *d, const struct mech_contacts *contacts,
                    enum form_mcp_kind kind, struct base_arena *arena, struct form_mcp *mcp);
/* A: n x n, column-major, symmetric to the last bit. */
void form_mcp_condense(const struct form_mcp *mcp, double *A);

#endif
