/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contacts in divide and conquer: what zeta_14, zeta_15 of (21) to (29) are for all contacts at
 * once. A load is a set of impulse directions on a body, W; its columns C = zeta W at the handles
 * go up the tree as zeta_3 does,
 *
 *   body  C = M^-1 W          node  C <- C - Z c,   c = L^-1 P D J C of the children,
 *
 * and the rates along the loads themselves, W^T V, are what the bodies alone answer less what the
 * joints take at every node above,
 *
 *   G = sum over bodies of W^T M^-1 W - sum over nodes of c^T c,
 *
 * which is the disassembly down to the bodies with contacts (4.2.1) without going down. Only nodes
 * between loads and roots are visited: O(log n) for each load in a balanced tree.
 */
#include <string.h>

#include "form/dca/dca.h"
#include "la/dense.h"

/* The loads below a node: n groups, ascending, and their columns at its handles. */
struct carried {
  int n, *group;
  double *C; /* N x width n */
};

struct climb {
  struct form_dca *d;
  struct base_arena *arena; /* of the scratch */
  int width, size;          /* columns of a group, of all */
  struct carried *at;       /* n_nodes */
  double *G;                /* size x size */
};

static int handles_size(const struct form_dca *d, const struct form_dca_node *node) {
  return d->m->nv * node->n_handles;
}

/* The body's own answers; columns: nv x width n, from zero. */
static void load_body(struct climb *c, int n, const struct form_dca_load *const *load,
                      double *columns) {
  const int nv = c->d->m->nv, w = c->width;
  for (int a = 0; a < n; ++a) {
    const double *inverse = c->d->inverse_mass + (long)load[a]->block * nv;
    for (int i = 0; i < w * nv; ++i) {
      columns[(long)a * w * nv + i] = inverse[i % nv] * load[a]->W[i];
    }
  }
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < n; ++b) {
      for (int i = 0; i < w; ++i) {
        for (int j = 0; j < w; ++j) {
          c->G[(long)(load[b]->group * w + j) * c->size + load[a]->group * w + i] +=
              la_dot(nv, load[a]->W + (long)i * nv, columns + ((long)b * w + j) * nv);
        }
      }
    }
  }
}

/* What the joints of a node take: c from the columns of the slots, out of G and of the handles. */
static void pass_node(struct climb *c, const struct form_dca_node *node, int slots,
                      const double *columns, struct carried *out) {
  const int nv = c->d->m->nv, w = c->width, N = handles_size(c->d, node), rank = node->rank;
  double *reduced = base_arena_matrix(c->arena, w * rank, out->n);
  double *g = base_arena_doubles(c->arena, node->m);
  for (int column = 0; column < w * out->n; ++column) {
    const double *V = columns + (long)column * slots;
    for (int l = 0, at = 0; l < node->n_links; at += node->link[l++].rows) {
      const struct form_dca_link *link = &node->link[l];
      for (int r = 0; r < link->rows; ++r) {
        g[at + r] = 0;
        for (int k = 0; k < 2; ++k) {
          g[at + r] += link->slot[k] >= 0
                           ? la_dot(nv, link->J[k] + (long)r * nv, V + link->slot[k] * nv)
                           : 0;
        }
      }
    }
    form_dca_reduce(node, g, reduced + (long)column * rank);
    double *kept = out->C + (long)column * N;
    for (int i = 0; i < N; ++i) {
      kept[i] = V[node->from[i / nv] * nv + i % nv] -
                la_dot(rank, node->Z + (long)i * rank, reduced + (long)column * rank);
    }
  }
  for (int a = 0; a < w * out->n && rank > 0; ++a) {
    for (int b = 0; b < w * out->n; ++b) {
      c->G[(long)(out->group[b / w] * w + b % w) * c->size + out->group[a / w] * w + a % w] -=
          la_dot(rank, reduced + (long)a * rank, reduced + (long)b * rank);
    }
  }
}

/* Columns of the children at the slots of a node: slots x width n, zero where a group is on the
 * other side only. */
static void gather_columns(struct climb *c, const struct form_dca_node *node, int slots,
                           const struct carried *out, double *columns) {
  int row = 0;
  for (int k = 0; k < 2; ++k) {
    const struct carried *child = &c->at[node->child[k]];
    const int N = handles_size(c->d, &c->d->node[node->child[k]]), block = c->width * N;
    for (int i = 0, j = 0; i < child->n; ++i) {
      while (out->group[j] < child->group[i]) {
        ++j;
      }
      for (int e = 0; e < block && N > 0; ++e) {
        columns[((long)j * c->width + e / N) * slots + row + e % N] = child->C[(long)i * block + e];
      }
    }
    row += N;
  }
}

/* Groups of both children, ascending. */
static void merge_groups(const struct carried *a, const struct carried *b, struct carried *out) {
  for (int i = 0, j = 0; i < a->n || j < b->n;) {
    const int first = j >= b->n || (i < a->n && a->group[i] <= b->group[j]);
    const int group = first ? a->group[i] : b->group[j];
    i += i < a->n && a->group[i] == group;
    j += j < b->n && b->group[j] == group;
    out->group[out->n++] = group;
  }
}

static void visit(struct climb *c, int k, int n, const struct form_dca_load *const *load) {
  const struct form_dca_node *node = &c->d->node[k];
  const int nv = c->d->m->nv, slots = nv * node->n_slots;
  struct carried *out = &c->at[k];
  double *columns;
  if (node->block >= 0) {
    out->n = n;
    out->group = base_arena_ints(c->arena, n);
    for (int i = 0; i < n; ++i) {
      out->group[i] = load[i]->group;
    }
    columns = base_arena_matrix(c->arena, nv * c->width, n);
    load_body(c, n, load, columns);
  } else {
    const struct carried *a = &c->at[node->child[0]], *b = &c->at[node->child[1]];
    out->group = base_arena_ints(c->arena, a->n + b->n);
    merge_groups(a, b, out);
    columns = base_arena_matrix(c->arena, c->width * slots, out->n);
    gather_columns(c, node, slots, out, columns);
  }
  out->C = base_arena_matrix(c->arena, c->width * handles_size(c->d, node), out->n);
  pass_node(c, node, slots, columns, out);
}

/* Loads by body: first: nb + 1, load: n_loads, in the order given within a body. */
static const struct form_dca_load **sort_loads(const struct form_dca *d, int n,
                                               const struct form_dca_load *load, int *first,
                                               struct base_arena *arena) {
  const struct form_dca_load **sorted =
      base_arena_push(arena, (size_t)n * sizeof(const struct form_dca_load *));
  int *fill = base_arena_ints(arena, d->m->nb);
  for (int i = 0; i < n; ++i) {
    ++first[load[i].block + 1];
  }
  for (int b = 0; b < d->m->nb; ++b) {
    first[b + 1] += first[b];
  }
  for (int i = 0; i < n; ++i) {
    sorted[first[load[i].block] + fill[load[i].block]++] = &load[i];
  }
  return sorted;
}

void form_dca_columns(struct form_dca *d, int n_loads, const struct form_dca_load *load,
                      int n_groups, int width, struct base_arena *arena, double **G, double **T) {
  const int nv = d->m->nv, size = width * n_groups;
  *G = base_arena_matrix(arena, size, size);
  *T = base_arena_matrix(arena, 2, nv * size);
  const struct base_arena_mark mark = base_arena_mark(d->arena);
  struct climb c = {.d = d, .arena = d->arena, .width = width, .size = size, .G = *G};
  c.at = base_arena_push(d->arena, (size_t)d->n_nodes * sizeof *c.at);
  int *first = base_arena_ints(d->arena, d->m->nb + 1);
  const struct form_dca_load **sorted = sort_loads(d, n_loads, load, first, d->arena);
  for (int k = 0; k < d->n_nodes; ++k) {
    const struct form_dca_node *node = &d->node[k];
    const int own = node->block >= 0 ? first[node->block + 1] - first[node->block] : 0;
    if (own > 0 || (node->block < 0 && c.at[node->child[0]].n + c.at[node->child[1]].n > 0)) {
      visit(&c, k, own, node->block >= 0 ? sorted + first[node->block] : NULL);
    }
    for (int t = 0; d->parent[k] < 0 && t < 2; ++t) {
      for (int h = 0; h < node->n_handles; ++h) {
        for (int i = 0; node->handle[h] == d->terminal[t] && i < width * c.at[k].n; ++i) {
          const int column = c.at[k].group[i / width] * width + i % width;
          la_copy(nv, c.at[k].C + (long)i * handles_size(d, node) + h * nv,
                  *T + (long)column * 2 * nv + t * nv);
        }
      }
    }
  }
  base_arena_release(d->arena, mark);
}
