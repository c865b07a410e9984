/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Both mixed complementarity problems of divide and conquer; see mcp.h. (32) loads the tree with
 * the contacts' directions, (33) with all impulses on the bodies that have contacts.
 */
#include "form/dca/mcp.h"

#include <string.h>

#include "base/clock.h"
#include "la/dense.h"

/* Numbers in W of a contact on a body, at most: 7 x 3, of a scalable one. */
enum { BLOCK_MAX = 21 };

/* chi: rows of contact i act on the handle number h by side k. */
static void put_chi(const struct mech_contacts *c, int i, int k, int h, struct form_mcp *mcp) {
  double W[BLOCK_MAX];
  mech_contacts_directions(c, i, k, W);
  for (int row = 0; row < c->dim; ++row) {
    for (int j = 0; j < c->nv; ++j) {
      mcp->chi[(long)(h * c->nv + j) * mcp->n + i * c->dim + row] += W[row * c->nv + j];
    }
  }
}

/* Terminal number of a block, -1: it is none. The world needs no handle: -2. */
static int terminal_of(const struct form_dca *d, int block) {
  return block < 0 ? -2 : block == d->terminal[0] ? 0 : block == d->terminal[1] ? 1 : -1;
}

static void build_small(struct form_dca *d, const struct mech_contacts *c, struct base_arena *arena,
                        struct form_mcp *mcp) {
  struct form_dca_load *load = base_arena_array(arena, 2, (size_t)c->n, sizeof *load);
  const size_t block = (size_t)c->nv * (size_t)c->dim;
  double *W = base_arena_array(arena, 2 * (size_t)c->n, block, sizeof *W), *G;
  int n_loads = 0;
  for (int i = 0; i < c->n; ++i) {
    for (int k = 0; k < 2; ++k) {
      if (c->body[2 * i + k] >= 0) {
        double *own = W + (size_t)n_loads * block;
        mech_contacts_directions(c, i, k, own);
        load[n_loads++] = (struct form_dca_load){.block = c->body[2 * i + k], .group = i, .W = own};
      }
    }
  }
  form_dca_columns(d, n_loads, load, c->n, c->dim, arena, &G, &mcp->kappa);
  mcp->direct = G;
  for (int i = 0; i < c->n; ++i) {
    const int end[2] = {terminal_of(d, c->body[2 * i]), terminal_of(d, c->body[2 * i + 1])};
    if (end[0] == -1 || end[1] == -1) {
      continue;
    }
    for (int k = 0; k < 2; ++k) {
      if (end[k] >= 0) {
        put_chi(c, i, k, end[k], mcp);
      }
    }
    for (int column = 0; column < mcp->n; ++column) {
      memset(G + (long)column * mcp->n + i * c->dim, 0, (size_t)c->dim * sizeof *G);
    }
  }
}

/* x += the columns of G or T, `rows` of them each, for W of a contact's side: dim columns of x. */
static void add_columns(const struct mech_contacts *c, int i, int k, int group, int rows,
                        const double *columns, double *x, int ld) {
  double W[BLOCK_MAX];
  mech_contacts_directions(c, i, k, W);
  for (int col = 0; col < c->dim; ++col) {
    for (int j = 0; j < c->nv; ++j) {
      la_axpy(rows, W[col * c->nv + j], columns + (long)(group * c->nv + j) * rows,
              x + (long)(i * c->dim + col) * ld);
    }
  }
}

static void build_large(struct form_dca *d, const struct mech_contacts *c, struct base_arena *arena,
                        struct form_mcp *mcp) {
  const int nv = c->nv, bodies = mcp->n_handles - 2, size = nv * bodies;
  struct form_dca_load *load = base_arena_push(arena, (size_t)bodies * sizeof *load);
  double *one = base_arena_matrix(arena, nv, nv), *G, *T;
  for (int i = 0; i < nv; ++i) {
    one[i * (nv + 1)] = 1;
  }
  for (int b = 0; b < bodies; ++b) {
    load[b] = (struct form_dca_load){.block = mcp->handle[2 + b], .group = b, .W = one};
  }
  form_dca_columns(d, bodies, load, bodies, nv, arena, &G, &T);
  mcp->kappa = base_arena_matrix(arena, mcp->n_free, mcp->n);
  for (int i = 0; i < c->n; ++i) {
    for (int k = 0; k < 2; ++k) {
      int group = 0;
      while (group < bodies && mcp->handle[2 + group] != c->body[2 * i + k]) {
        ++group;
      }
      if (group < bodies) {
        add_columns(c, i, k, group, 2 * nv, T, mcp->kappa, mcp->n_free);
        add_columns(c, i, k, group, size, G, mcp->kappa + 2L * nv, mcp->n_free);
        put_chi(c, i, k, 2 + group, mcp);
      }
    }
  }
}

/* Bodies with contacts, ascending, behind the two terminals. */
static void list_handles(const struct form_dca *d, const struct mech_contacts *c,
                         enum form_mcp_kind kind, struct base_arena *arena, struct form_mcp *mcp) {
  mcp->handle = base_arena_ints(arena, 2 + 2 * c->n);
  mcp->handle[0] = d->terminal[0];
  mcp->handle[1] = d->terminal[1];
  mcp->n_handles = 2;
  for (int last = -1; kind == FORM_MCP_LARGE;) {
    int next = d->m->nb;
    for (int i = 0; i < 2 * c->n; ++i) {
      next = c->body[i] > last && c->body[i] < next ? c->body[i] : next;
    }
    if (next == d->m->nb) {
      break;
    }
    mcp->handle[mcp->n_handles++] = last = next;
  }
}

void form_mcp_build(struct form_dca *d, const struct mech_contacts *contacts,
                    enum form_mcp_kind kind, struct base_arena *arena, struct form_mcp *mcp) {
  *mcp = (struct form_mcp){.n = contacts->dim * contacts->n};
  list_handles(d, contacts, kind, arena, mcp);
  mcp->n_free = contacts->nv * mcp->n_handles;
  mcp->chi = base_arena_matrix(arena, mcp->n, mcp->n_free);
  if (kind == FORM_MCP_SMALL) {
    build_small(d, contacts, arena, mcp);
  } else {
    mcp->direct = base_arena_matrix(arena, mcp->n, mcp->n);
    build_large(d, contacts, arena, mcp);
  }
}

void form_mcp_condense(const struct form_mcp *mcp, double *A) {
  const int n = mcp->n;
  for (long j = 0; j < n; ++j) {
    la_copy(n, mcp->direct + j * n, A + j * n);
    base_clock_ask(); /* may be of many gigabytes */
  }
  la_gemm(n, n, mcp->n_free, 1, mcp->chi, mcp->kappa, 1, A);
  for (int j = 0; j < n; ++j) { /* equal but for rounding */
    for (int i = 0; i < j; ++i) {
      A[(long)j * n + i] = A[(long)i * n + j] = 0.5 * (A[(long)j * n + i] + A[(long)i * n + j]);
    }
  }
}
