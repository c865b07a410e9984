/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hierarchic assembly and disassembly; see dca.h for the equations. With the rows of a node scaled
 * by D and permuted by P, P D (J zeta J^T) D P^T = L L^T on the rank independent ones, and
 *
 *   Z = zeta J^T D P^T L^-T      zeta <- zeta - Z Z^T,  which stays symmetric and semidefinite
 *   s = L^-1 P D (J zeta_3 + offset)              zeta_3 <- zeta_3 - Z s
 *   Lambda = -D P^T L^-T (s + Z^T I)              of the others: 0
 *
 * D makes the diagonal of J M^-1 J^T one, the response of the bodies alone: eliminated joints only
 * take away from it, so that pivots mean the same everywhere, whatever the units.
 */
#include "form/dca/dca.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "la/dense.h"
#include "mech/bilateral/bilateral.h"

#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_thread_num(void) { return 0; }
#endif

int form_dca_check(const struct mech *m) {
  const struct mech_assembly *a = mech_assembly_of(m);
  if (a == NULL) {
    return base_fail(
        BASE_UNSUPPORTED,
        "%s is a model in coordinates of its own; divide and conquer needs an assembly "
        "of bodies and joints",
        m->name);
  }
  if (mech_assembly_kind_of(a) == MECH_SCALABLE) {
    return base_fail(BASE_UNSUPPORTED,
                     "%s holds the length of its quaternions by constraints; divide and conquer "
                     "knows joints alone",
                     m->name);
  }
  return BASE_OK;
}

static int handles_size(const struct form_dca *d, const struct form_dca_node *node) {
  return d->m->nv * node->n_handles;
}

static int slots_size(const struct form_dca *d, const struct form_dca_node *node) {
  return d->m->nv * node->n_slots;
}

/* --- memory --- */

/* The next n doubles of a piece of memory; base NULL: only counts. */
static double *next_doubles(double *base, size_t *used, int n) {
  double *x = base != NULL ? base + *used : NULL;
  *used += (size_t)n;
  return x;
}

static void place_arrays(struct form_dca *d, struct form_dca_node *node, double *base,
                         size_t *used) {
  const int N = handles_size(d, node), rows = node->rows_max, nv = d->m->nv;
  node->zeta = next_doubles(base, used, N * N);
  node->Z = next_doubles(base, used, N * rows);
  node->factor = next_doubles(base, used, rows * rows);
  node->scale = next_doubles(base, used, rows);
  node->zeta3 = next_doubles(base, used, N);
  node->s = next_doubles(base, used, rows);
  node->f = next_doubles(base, used, N);
  for (int i = 0; i < node->n_links; ++i) {
    struct mech_joint_frame frame;
    mech_assembly_get_joint(d->a, node->link[i].joint, &frame);
    for (int k = 0; k < 2; ++k) {
      node->link[i].J[k] = next_doubles(base, used, frame.rows * nv);
    }
  }
}

struct form_dca *form_dca_alloc(const struct mech *m, int threads, struct base_arena *arena) {
  if (form_dca_check(m) != BASE_OK) {
    return NULL;
  }
  struct form_dca *d = base_arena_push(arena, sizeof *d);
  *d = (struct form_dca){
      .m = m, .a = mech_assembly_of(m), .threads = threads, .arena = base_arena_child(arena)};
  form_dca_tree(d, arena);
  size_t used = 0;
  for (int k = 0; k < d->n_nodes; ++k) {
    struct form_dca_node *node = &d->node[k];
    const int slots = slots_size(d, node), rows = node->rows_max;
    const size_t need = (size_t)(rows * slots + rows + 2 * slots);
    d->scratch_size = need > d->scratch_size ? need : d->scratch_size;
    node->perm = base_arena_ints(arena, rows);
    place_arrays(d, node, NULL, &used);
  }
  double *base = base_arena_push(arena, used * sizeof *base);
  used = 0;
  for (int k = 0; k < d->n_nodes; ++k) {
    place_arrays(d, &d->node[k], base, &used);
  }
  d->scratch_size += 8; /* a cache line between threads */
  d->scratch = base_arena_array(arena, (size_t)threads, d->scratch_size, sizeof *d->scratch);
  d->inverse_mass = base_arena_doubles(arena, m->nu);
  return d;
}

/* --- sweeps over the tree --- */

/* What is done at a node. */
struct sweep {
  void (*work)(struct form_dca *d, struct form_dca_node *node, const struct sweep *s,
               double *scratch);
  const double *q;      /* nq */
  const double *offset; /* ns or NULL */
  double *u;            /* nu */
};

static double *scratch_of(const struct form_dca *d) {
  return d->scratch + (size_t)omp_get_thread_num() * d->scratch_size;
}

/* Children before parents. */
static void sweep_up(struct form_dca *d, const struct sweep *s) {
#pragma omp parallel for schedule(static) num_threads(d->threads) if (d->n_parts > 1)
  for (int p = 0; p < d->n_parts; ++p) {
    double *scratch = scratch_of(d);
    for (int k = d->part[2 * p]; k < d->part[2 * p + 1]; ++k) {
      s->work(d, &d->node[k], s, scratch);
    }
  }
  for (int i = 0; i < d->n_above; ++i) {
    s->work(d, &d->node[d->above[i]], s, d->scratch);
  }
}

/* Parents before children. */
static void sweep_down(struct form_dca *d, const struct sweep *s) {
  for (int i = d->n_above - 1; i >= 0; --i) {
    s->work(d, &d->node[d->above[i]], s, d->scratch);
  }
#pragma omp parallel for schedule(static) num_threads(d->threads) if (d->n_parts > 1)
  for (int p = 0; p < d->n_parts; ++p) {
    double *scratch = scratch_of(d);
    for (int k = d->part[2 * p + 1] - 1; k >= d->part[2 * p]; --k) {
      s->work(d, &d->node[k], s, scratch);
    }
  }
}

/* --- pieces --- */

/* L of the node's scaled rows from S: m x m, in its place, column-major; pivots count down to
 * MECH_BILATERAL_RANK, whatever the largest is. Returns the rank. */
static int factor_rows(int m, double *S, int *perm) {
  double largest = 0;
  for (int i = 0; i < m; ++i) {
    largest = fmax(largest, S[i * m + i]);
  }
  if (!(largest > MECH_BILATERAL_RANK)) {
    return 0;
  }
  const int rank = la_pchol_factor(m, S, perm, MECH_BILATERAL_RANK / largest);
  return rank > 0 ? rank : 0; /* not finite: no rows, and velocities that are not finite either */
}

void form_dca_reduce(const struct form_dca_node *node, const double *g, double *y) {
  const int m = node->m;
  for (int r = 0; r < node->rank; ++r) {
    double sum = node->scale[node->perm[r]] * g[node->perm[r]];
    for (int k = 0; k < r; ++k) {
      sum -= node->factor[k * m + r] * y[k];
    }
    y[r] = sum / node->factor[r * m + r];
  }
}

/* Lambda: m = -D P^T L^-T t; t: rank, overwritten. */
static void impulses(const struct form_dca_node *node, double *t, double *Lambda) {
  const int m = node->m;
  memset(Lambda, 0, (size_t)m * sizeof *Lambda);
  for (int r = node->rank - 1; r >= 0; --r) {
    double sum = t[r];
    for (int k = r + 1; k < node->rank; ++k) {
      sum -= node->factor[r * m + k] * t[k];
    }
    t[r] = sum / node->factor[r * m + r];
    Lambda[node->perm[r]] = -node->scale[node->perm[r]] * t[r];
  }
}

/* J at q and the rows' scale; m of them. */
static void read_links(const struct form_dca *d, struct form_dca_node *node, const double *q) {
  const int nv = d->m->nv;
  node->m = 0;
  for (int i = 0; i < node->n_links; ++i) {
    struct form_dca_link *link = &node->link[i];
    const struct mech_joint *j = mech_assembly_get_joint(d->a, link->joint, NULL);
    link->rows = mech_assembly_joint_directions(d->a, q, link->joint, link->J[0], link->J[1]);
    for (int r = 0; r < link->rows; ++r) {
      double response = 0;
      for (int k = 0; k < 2; ++k) {
        if (link->slot[k] >= 0) {
          const double *J = link->J[k] + (long)r * nv;
          const double *w = d->inverse_mass + (long)mech_assembly_block(d->a, j->body[k]) * nv;
          for (int l = 0; l < nv; ++l) {
            response += J[l] * J[l] * w[l];
          }
        }
      }
      node->scale[node->m++] = response > 0 ? 1 / sqrt(response) : 0;
    }
  }
}

/* G += J zeta of the children, one side of one link; G: rows x slots, row-major. A body's zeta is
 * the diagonal M^-1. */
static void add_response(const struct form_dca *d, const struct form_dca_node *node,
                         const struct form_dca_link *link, int k, int slots, double *G) {
  const int nv = d->m->nv;
  if (node->block >= 0) {
    const double *w = d->inverse_mass + (long)node->block * nv;
    for (int r = 0; r < link->rows; ++r) {
      for (int l = 0; l < nv; ++l) {
        G[(long)r * slots + l] += link->J[k][r * nv + l] * w[l];
      }
    }
    return;
  }
  const struct form_dca_node *first = &d->node[node->child[0]], *child = first;
  int slot = link->slot[k], column = 0;
  if (slot >= first->n_handles) {
    slot -= first->n_handles;
    column = handles_size(d, first);
    child = &d->node[node->child[1]];
  }
  const int N = handles_size(d, child);
  for (int r = 0; r < link->rows; ++r) {
    double *restrict row = G + (long)r * slots + column;
    for (int l = 0; l < nv; ++l) {
      const double J = link->J[k][r * nv + l];
      const double *restrict zeta = child->zeta + (long)(slot * nv + l) * N;
      for (int j = 0; j < N; ++j) {
        row[j] += J * zeta[j];
      }
    }
  }
}

/* --- assembly: zeta --- */

/* zeta of the children between two slots: nv x nv from `from`, leading dimension *ld; NULL: zero.
 */
static const double *children_zeta(const struct form_dca *d, const struct form_dca_node *node,
                                   int i, int j, int *ld) {
  const struct form_dca_node *first = &d->node[node->child[0]], *second = &d->node[node->child[1]];
  const int split = first->n_handles;
  if ((i >= split) != (j >= split)) {
    return NULL;
  }
  const struct form_dca_node *child = i >= split ? second : first;
  *ld = handles_size(d, child);
  i -= i >= split ? split : 0;
  j -= j >= split ? split : 0;
  return child->zeta + ((long)j * *ld + i) * d->m->nv;
}

/* What the handles keep of the children's zeta, before the joints take their part. */
static void keep_zeta(const struct form_dca *d, struct form_dca_node *node) {
  const int nv = d->m->nv, N = handles_size(d, node);
  for (int hj = 0; hj < node->n_handles; ++hj) {
    for (int hi = 0; hi < node->n_handles; ++hi) {
      double *to = node->zeta + ((long)hj * N + hi) * nv;
      int ld = 0;
      const double *from =
          node->block >= 0 ? NULL : children_zeta(d, node, node->from[hi], node->from[hj], &ld);
      for (int j = 0; j < nv; ++j) {
        for (int i = 0; i < nv; ++i) {
          to[(long)j * N + i] = from != NULL ? from[(long)j * ld + i] : 0;
        }
        if (node->block >= 0) {
          to[(long)j * N + j] = d->inverse_mass[(long)node->block * nv + j];
        }
      }
    }
  }
}

/* factor = scaled J zeta J^T from G = J zeta. */
static void node_matrix(const struct form_dca *d, struct form_dca_node *node, const double *G,
                        int slots) {
  const int nv = d->m->nv, m = node->m;
  memset(node->factor, 0, (size_t)m * (size_t)m * sizeof *node->factor);
  for (int l = 0, at = 0; l < node->n_links; at += node->link[l++].rows) {
    const struct form_dca_link *link = &node->link[l];
    for (int k = 0; k < 2; ++k) {
      for (int r = 0; r < link->rows && link->slot[k] >= 0; ++r) {
        const double *J = link->J[k] + (long)r * nv;
        for (int i = 0; i < m; ++i) {
          const double *g = G + (long)i * slots + (long)link->slot[k] * nv;
          double sum = 0;
          for (int j = 0; j < nv; ++j) {
            sum += g[j] * J[j];
          }
          node->factor[i * m + at + r] += node->scale[i] * node->scale[at + r] * sum;
        }
      }
    }
  }
}

static void assemble_node(struct form_dca *d, struct form_dca_node *node, const struct sweep *s,
                          double *scratch) {
  const int nv = d->m->nv, N = handles_size(d, node), slots = slots_size(d, node);
  double *G = scratch, *g = G + (long)node->rows_max * slots;
  read_links(d, node, s->q);
  const int m = node->m;
  keep_zeta(d, node);
  memset(G, 0, (size_t)m * (size_t)slots * sizeof *G);
  for (int l = 0, at = 0; l < node->n_links; at += node->link[l++].rows) {
    for (int k = 0; k < 2; ++k) {
      if (node->link[l].slot[k] >= 0) {
        add_response(d, node, &node->link[l], k, slots, G + (long)at * slots);
      }
    }
  }
  node_matrix(d, node, G, slots);
  node->rank = factor_rows(m, node->factor, node->perm);
  const int rank = node->rank;
  for (int h = 0; h < node->n_handles && rank > 0; ++h) {
    for (int i = 0; i < nv; ++i) {
      for (int r = 0; r < m; ++r) {
        g[r] = G[(long)r * slots + (long)node->from[h] * nv + i];
      }
      form_dca_reduce(node, g, node->Z + (long)(h * nv + i) * rank);
    }
  }
  for (int j = 0; j < N && rank > 0; ++j) {
    for (int i = 0; i <= j; ++i) {
      double sum = 0;
      for (int r = 0; r < rank; ++r) {
        sum += node->Z[i * rank + r] * node->Z[j * rank + r];
      }
      node->zeta[(long)j * N + i] -= sum;
      node->zeta[(long)i * N + j] = node->zeta[(long)j * N + i];
    }
  }
}

void form_dca_assemble(struct form_dca *d, const double *q, const double *L) {
  const struct mech *m = d->m;
  for (int j = 0; j < m->nu; ++j) {
    d->inverse_mass[j] = 1 / L[j];
  }
  sweep_up(d, &(struct sweep){.work = assemble_node, .q = q});
}

int form_dca_dependent(const struct form_dca *d) {
  int count = 0;
  for (int k = 0; k < d->n_nodes; ++k) {
    const struct form_dca_node *node = &d->node[k];
    count += node->m - node->rank;
    for (int i = 0; i < node->m; ++i) {
      count -= node->scale[i] == 0;
    }
  }
  return count;
}

/* --- assembly: zeta_3, and disassembly --- */

static void free_node(struct form_dca *d, struct form_dca_node *node, const struct sweep *s,
                      double *scratch) {
  const int nv = d->m->nv, m = node->m, rank = node->rank;
  double *V = scratch, *g = V + slots_size(d, node); /* of the slots; of the rows */
  if (node->block >= 0) {
    la_copy(nv, s->u + (long)node->block * nv, V);
  } else {
    const struct form_dca_node *child[2] = {&d->node[node->child[0]], &d->node[node->child[1]]};
    memcpy(V, child[0]->zeta3, (size_t)handles_size(d, child[0]) * sizeof *V);
    memcpy(V + handles_size(d, child[0]), child[1]->zeta3,
           (size_t)handles_size(d, child[1]) * sizeof *V);
  }
  for (int l = 0, at = 0; l < node->n_links; at += node->link[l++].rows) {
    const struct form_dca_link *link = &node->link[l];
    for (int r = 0; r < link->rows; ++r) {
      double sum = s->offset != NULL ? s->offset[link->first_row + r] : 0;
      for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < nv && link->slot[k] >= 0; ++i) {
          sum += link->J[k][r * nv + i] * V[link->slot[k] * nv + i];
        }
      }
      g[at + r] = sum;
    }
  }
  if (m > 0) {
    form_dca_reduce(node, g, node->s);
  }
  for (int h = 0; h < node->n_handles; ++h) {
    for (int i = 0; i < nv; ++i) {
      double sum = V[node->from[h] * nv + i];
      for (int r = 0; r < rank; ++r) {
        sum -= node->Z[(h * nv + i) * rank + r] * node->s[r];
      }
      node->zeta3[h * nv + i] = sum;
    }
  }
}

/* Impulses on the slots from those on the handles; a body moves by them. */
static void split_node(struct form_dca *d, struct form_dca_node *node, const struct sweep *s,
                       double *scratch) {
  const int nv = d->m->nv, rank = node->rank, slots = slots_size(d, node);
  double *f = scratch, *t = f + slots, *Lambda = t + node->rows_max;
  memset(f, 0, (size_t)slots * sizeof *f);
  la_copy(rank, node->s, t);
  for (int h = 0; h < node->n_handles; ++h) {
    for (int i = 0; i < nv; ++i) {
      const double impulse = node->f[h * nv + i];
      f[node->from[h] * nv + i] = impulse;
      for (int r = 0; r < rank; ++r) {
        t[r] += node->Z[(h * nv + i) * rank + r] * impulse;
      }
    }
  }
  impulses(node, t, Lambda);
  for (int l = 0, at = 0; l < node->n_links; at += node->link[l++].rows) {
    const struct form_dca_link *link = &node->link[l];
    for (int k = 0; k < 2; ++k) {
      for (int r = 0; r < link->rows && link->slot[k] >= 0; ++r) {
        for (int i = 0; i < nv; ++i) {
          f[link->slot[k] * nv + i] += link->J[k][r * nv + i] * Lambda[at + r];
        }
      }
    }
  }
  if (node->block >= 0) {
    const long at = (long)node->block * nv;
    for (int i = 0; i < nv; ++i) {
      s->u[at + i] += d->inverse_mass[at + i] * f[i];
    }
    return;
  }
  const struct form_dca_node *child[2] = {&d->node[node->child[0]], &d->node[node->child[1]]};
  memcpy(child[0]->f, f, (size_t)handles_size(d, child[0]) * sizeof *f);
  memcpy(child[1]->f, f + handles_size(d, child[0]), (size_t)handles_size(d, child[1]) * sizeof *f);
}

void form_dca_constrain(struct form_dca *d, const double *offset, double *u) {
  sweep_up(d, &(struct sweep){.work = free_node, .offset = offset, .u = u});
  for (int k = 0; k < d->n_nodes; ++k) {
    if (d->parent[k] < 0) { /* nothing acts on the handles of the whole */
      memset(d->node[k].f, 0, (size_t)handles_size(d, &d->node[k]) * sizeof *d->node[k].f);
    }
  }
  sweep_down(d, &(struct sweep){.work = split_node, .u = u});
}

void form_dca_respond(struct form_dca *d, const struct mech_contacts *contacts, const double *r,
                      double *u) {
  const struct base_arena_mark mark = base_arena_mark(d->arena);
  const int nu = d->m->nu;
  double *du = base_arena_doubles(d->arena, nu);
  mech_contacts_force(contacts, r, du);
  for (int i = 0; i < nu; ++i) {
    du[i] *= d->inverse_mass[i];
  }
  form_dca_constrain(d, NULL, du);
  la_axpy(nu, 1, du, u);
  base_arena_release(d->arena, mark);
}
