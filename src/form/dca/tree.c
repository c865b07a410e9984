/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tree of divide and conquer by contraction; see dca.h. Subsystems ("clusters") are sets of
 * bodies named by their least block. A round looks at every cluster once, in ascending order:
 *
 *   one neighbour (rake)      joined to it; to a hub of three neighbours or more also when the hub
 *                             took another one in this round
 *   two (compress)            joined to one of them that has no more than two itself
 *   no such pair anywhere     every cluster joined to the neighbour with fewest joints outside
 *
 * so that a tree of n bodies takes O(log n) rounds (Miller and Reif 1985), and rake and compress
 * leave no more than two handles beside the terminal ones.
 */
#include "form/dca/dca.h"

#include <string.h>

enum { HUB = 3 }; /* neighbours that make a cluster one; counting ends there */
/* Nodes from which on threads are worth starting (a few microseconds each time, about one a node),
 * and parts a thread, which differ in size by a factor of two and even out. */
enum { PARALLEL_NODES = 128, SHARES = 8 };

struct tree_edge {
  int joint, block[2];
};

struct contraction {
  struct form_dca *d;
  struct base_arena *arena;
  int n_edges;
  struct tree_edge *edge;
  int *first, *incident; /* nb + 1, edges of a body */
  int *begin;            /* nb, where those that may leave its cluster begin */
  int *open;             /* nb, edges of a body that leave its cluster */
  int *cluster;          /* nb, towards the name of a body's cluster */
  int *root;             /* nb, node of a cluster */
  int *n_open;           /* nb, of a cluster */
  int *locked;           /* nb, joined in this round */
};

static int cluster_of(struct contraction *c, int block) {
  while (c->cluster[block] != block) {
    c->cluster[block] = c->cluster[c->cluster[block]];
    block = c->cluster[block];
  }
  return block;
}

static int moving_block(const struct form_dca *d, int body) {
  return body < 0 ? -1 : mech_assembly_block(d->a, body);
}

/* Blocks a joint holds together, -1: the world; 0 when it is none that holds moving bodies. */
static int joint_blocks(const struct form_dca *d, int joint, int block[2]) {
  struct mech_joint_frame frame;
  const struct mech_joint *j = mech_assembly_get_joint(d->a, joint, &frame);
  block[0] = moving_block(d, j->body[0]);
  block[1] = moving_block(d, j->body[1]);
  return frame.rows > 0 && (block[0] >= 0 || block[1] >= 0);
}

static void add_link(const struct form_dca *d, struct form_dca_node *node, int joint, int slot0,
                     int slot1) {
  struct mech_joint_frame frame;
  mech_assembly_get_joint(d->a, joint, &frame);
  node->link[node->n_links++] =
      (struct form_dca_link){.joint = joint, .first_row = frame.first_row, .slot = {slot0, slot1}};
  node->rows_max += frame.rows;
}

/* --- the graph of the joints --- */

static void read_edges(struct contraction *c) {
  const struct form_dca *d = c->d;
  const int nb = d->m->nb, joints = mech_assembly_joints(d->a);
  c->edge = base_arena_push(c->arena, (size_t)joints * sizeof *c->edge);
  c->first = base_arena_ints(c->arena, nb + 1);
  for (int j = 0; j < joints; ++j) {
    struct tree_edge e = {.joint = j};
    if (joint_blocks(d, j, e.block) && e.block[0] >= 0 && e.block[1] >= 0) {
      c->edge[c->n_edges++] = e;
      ++c->first[e.block[0] + 1];
      ++c->first[e.block[1] + 1];
    }
  }
  for (int b = 0; b < nb; ++b) {
    c->open[b] = c->n_open[b] = c->first[b + 1];
    c->first[b + 1] += c->first[b];
  }
  memcpy(c->begin, c->first, (size_t)nb * sizeof *c->begin);
  c->incident = base_arena_array(c->arena, 2, (size_t)c->n_edges, sizeof(int));
  int *fill = base_arena_ints(c->arena, nb);
  for (int e = 0; e < c->n_edges; ++e) {
    for (int k = 0; k < 2; ++k) {
      const int b = c->edge[e].block[k];
      c->incident[c->first[b] + fill[b]++] = e;
    }
  }
}

/* The first and the last body that end a chain; without ends the first and the last body. */
static void choose_terminals(struct contraction *c) {
  const int nb = c->d->m->nb;
  int *terminal = c->d->terminal;
  terminal[0] = terminal[1] = -1;
  for (int b = 0; b < nb; ++b) {
    if (c->open[b] <= 1) {
      terminal[0] = terminal[0] < 0 ? b : terminal[0];
      terminal[1] = b;
    }
  }
  terminal[0] = terminal[0] < 0 ? 0 : terminal[0];
  terminal[1] = terminal[1] <= terminal[0] ? nb - 1 : terminal[1];
}

static int keeps_handle(const struct contraction *c, int block) {
  return c->open[block] > 0 || block == c->d->terminal[0] || block == c->d->terminal[1];
}

static void plant_leaves(struct contraction *c) {
  struct form_dca *d = c->d;
  const int nb = d->m->nb, joints = mech_assembly_joints(d->a);
  int *world = base_arena_ints(c->arena, nb), block[2];
  for (int j = 0; j < joints; ++j) {
    if (joint_blocks(d, j, block) && (block[0] < 0 || block[1] < 0)) {
      ++world[block[0] < 0 ? block[1] : block[0]];
    }
  }
  for (int b = 0; b < nb; ++b) {
    struct form_dca_node *node = &d->node[b];
    *node = (struct form_dca_node){.child = {-1, -1}, .block = b, .n_slots = 1};
    node->n_handles = keeps_handle(c, b);
    node->handle = base_arena_ints(c->arena, 1);
    node->from = base_arena_ints(c->arena, 1);
    node->handle[0] = b;
    node->link = base_arena_push(c->arena, (size_t)world[b] * sizeof *node->link);
    c->cluster[b] = c->root[b] = b;
  }
  d->n_nodes = nb;
  for (int j = 0; j < joints; ++j) {
    if (joint_blocks(d, j, block) && (block[0] < 0 || block[1] < 0)) {
      add_link(d, &d->node[block[0] < 0 ? block[1] : block[0]], j, block[0] < 0 ? -1 : 0,
               block[1] < 0 ? -1 : 0);
    }
  }
}

/* --- contraction --- */

/* The other cluster of an edge of a body of this one; the cluster itself where it is inside. */
static int across(struct contraction *c, int edge, int block) {
  const struct tree_edge *e = &c->edge[edge];
  return cluster_of(c, e->block[0] == block ? e->block[1] : e->block[0]);
}

/* Clusters beside this one, up to HUB of them into out. */
static int neighbours(struct contraction *c, int cluster, int out[HUB]) {
  const struct form_dca_node *node = &c->d->node[c->root[cluster]];
  int n = 0;
  for (int h = 0; h < node->n_handles; ++h) {
    const int b = node->handle[h];
    for (int i = c->begin[b]; i < c->first[b + 1] && n < HUB; ++i) {
      const int edge = c->incident[i], other = across(c, edge, b);
      int known = other == cluster;
      if (known) { /* inside for good: not looked at again */
        c->incident[i] = c->incident[c->begin[b]];
        c->incident[c->begin[b]++] = edge;
      }
      for (int k = 0; k < n; ++k) {
        known |= out[k] == other;
      }
      if (!known) {
        out[n++] = other;
      }
    }
  }
  return n;
}

static int slot_of(const struct contraction *c, const struct form_dca_node *node, int block) {
  const struct form_dca_node *child[2] = {&c->d->node[node->child[0]], &c->d->node[node->child[1]]};
  for (int k = 0, slot = 0; k < 2; ++k) {
    for (int h = 0; h < child[k]->n_handles; ++h, ++slot) {
      if (child[k]->handle[h] == block) {
        return slot;
      }
    }
  }
  return -1;
}

/* The joints between two clusters, found from the one with fewer that are open. */
static void link_clusters(struct contraction *c, struct form_dca_node *node, int a, int b) {
  const int from = c->n_open[a] <= c->n_open[b] ? a : b, to = from == a ? b : a;
  const struct form_dca_node *side = &c->d->node[c->root[from]];
  node->link = base_arena_push(c->arena, (size_t)c->n_open[from] * sizeof *node->link);
  for (int h = 0; h < side->n_handles; ++h) {
    const int block = side->handle[h];
    for (int i = c->begin[block]; i < c->first[block + 1]; ++i) {
      if (across(c, c->incident[i], block) == to) {
        const struct tree_edge *e = &c->edge[c->incident[i]];
        add_link(c->d, node, e->joint, slot_of(c, node, e->block[0]),
                 slot_of(c, node, e->block[1]));
        --c->open[e->block[0]];
        --c->open[e->block[1]];
      }
    }
  }
}

static void join(struct contraction *c, int first, int second) {
  struct form_dca *d = c->d;
  const int a = first < second ? first : second, b = first < second ? second : first;
  const struct form_dca_node *child[2] = {&d->node[c->root[a]], &d->node[c->root[b]]};
  struct form_dca_node *node = &d->node[d->n_nodes];
  *node = (struct form_dca_node){.child = {c->root[a], c->root[b]}, .block = -1};
  node->height = 1 + (child[0]->height > child[1]->height ? child[0]->height : child[1]->height);
  node->n_slots = child[0]->n_handles + child[1]->n_handles;
  link_clusters(c, node, a, b);
  node->handle = base_arena_ints(c->arena, node->n_slots);
  node->from = base_arena_ints(c->arena, node->n_slots);
  for (int slot = 0; slot < node->n_slots; ++slot) {
    const int k = slot >= child[0]->n_handles;
    const int block = child[k]->handle[slot - (k ? child[0]->n_handles : 0)];
    if (keeps_handle(c, block)) {
      node->handle[node->n_handles] = block;
      node->from[node->n_handles++] = slot;
    }
  }
  c->cluster[b] = a;
  c->n_open[a] += c->n_open[b] - 2 * node->n_links;
  c->root[a] = d->n_nodes++;
  c->locked[a] = c->locked[b] = 1;
}

/* Whom a cluster joins in a round of rake and compress; -1: nobody. */
static int partner(struct contraction *c, int cluster) {
  int beside[HUB], beyond[HUB];
  const int n = neighbours(c, cluster, beside);
  for (int k = 0; k < n && n < HUB; ++k) { /* hubs wait to be asked */
    const int hub = neighbours(c, beside[k], beyond) == HUB;
    if (hub ? n == 1 : !c->locked[beside[k]]) {
      return beside[k];
    }
  }
  return -1;
}

/* The neighbour, not joined in this round, with fewest joints outside; -1: there is none. */
static int least_partner(struct contraction *c, int cluster) {
  const struct form_dca_node *node = &c->d->node[c->root[cluster]];
  int best = -1;
  for (int h = 0; h < node->n_handles; ++h) {
    const int b = node->handle[h];
    for (int i = c->begin[b]; i < c->first[b + 1]; ++i) {
      const int other = across(c, c->incident[i], b);
      if (other != cluster && !c->locked[other] &&
          (best < 0 || c->n_open[other] < c->n_open[best])) {
        best = other;
      }
    }
  }
  return best;
}

static void contract(struct contraction *c) {
  const int nb = c->d->m->nb;
  int n = 0, *alive = base_arena_ints(c->arena, nb);
  for (int b = 0; b < nb; ++b) {
    alive[n] = b;
    n += c->n_open[b] > 0;
  }
  for (int joined = 1; n > 0;) {
    const int any = joined == 0; /* the last round found no pair */
    joined = 0;
    memset(c->locked, 0, (size_t)nb * sizeof *c->locked);
    for (int k = 0; k < n; ++k) {
      if (!c->locked[alive[k]]) {
        const int other = any ? least_partner(c, alive[k]) : partner(c, alive[k]);
        if (other >= 0) {
          join(c, alive[k], other);
          ++joined;
        }
      }
    }
    int kept = 0;
    for (int k = 0; k < n; ++k) {
      const int b = alive[k];
      if (c->cluster[b] == b && c->n_open[b] > 0) {
        alive[kept++] = b;
      }
    }
    n = kept;
  }
}

/* Nodes in postorder: a subtree is a range that ends with its root, the second child's just before.
 * So far children have lower numbers than their parents. size: nodes of every subtree. */
static void sort_nodes(struct form_dca *d, int *size, struct base_arena *arena) {
  const int n = d->n_nodes;
  struct form_dca_node *sorted = base_arena_push(arena, (size_t)n * sizeof *sorted);
  int *place = base_arena_ints(arena, n), *count = base_arena_ints(arena, n), end = 0;
  d->parent = base_arena_ints(arena, n);
  for (int k = 0; k < n; ++k) {
    const struct form_dca_node *node = &d->node[k];
    count[k] = node->block >= 0 ? 1 : 1 + count[node->child[0]] + count[node->child[1]];
    d->n_heights = node->height >= d->n_heights ? node->height + 1 : d->n_heights;
    place[k] = d->parent[k] = -1;
  }
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < 2 && d->node[k].block < 0; ++i) {
      place[d->node[k].child[i]] = k; /* no root */
    }
  }
  for (int k = 0; k < n; ++k) {
    if (place[k] < 0) {
      end += count[k];
      place[k] = end - 1;
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    struct form_dca_node *node = &sorted[place[k]];
    *node = d->node[k];
    size[place[k]] = count[k];
    if (node->block < 0) {
      place[node->child[1]] = place[k] - 1;
      place[node->child[0]] = place[k] - 1 - count[node->child[1]];
      for (int i = 0; i < 2; ++i) {
        node->child[i] = place[node->child[i]];
        d->parent[node->child[i]] = place[k];
      }
    }
  }
  d->node = sorted;
}

/* The largest subtrees of no more nodes than a share are the parts, neighbours together where that
 * is no more; what is above them is left for one thread. */
static void share_out(struct form_dca *d, const int *size, struct base_arena *arena) {
  const int n = d->n_nodes;
  const int most = d->threads > 1 && n >= PARALLEL_NODES ? n / (SHARES * d->threads) : n;
  d->part = base_arena_array(arena, 2, (size_t)n, sizeof(int));
  d->above = base_arena_ints(arena, n);
  for (int k = 0; k < n; ++k) {
    const int first = k + 1 - size[k], up = d->parent[k];
    if (size[k] > most) {
      d->above[d->n_above++] = k;
    } else if (up < 0 || size[up] > most) {
      int *last = d->part + 2 * (d->n_parts - 1);
      if (d->n_parts > 0 && last[1] == first && k + 1 - last[0] <= most) {
        last[1] = k + 1;
      } else {
        d->part[2 * d->n_parts] = first;
        d->part[2 * d->n_parts++ + 1] = k + 1;
      }
    }
  }
}

void form_dca_tree(struct form_dca *d, struct base_arena *arena) {
  const int nb = d->m->nb;
  struct contraction c = {.d = d, .arena = arena};
  d->node = base_arena_array(arena, 2, (size_t)nb, sizeof *d->node);
  c.open = base_arena_ints(arena, nb);
  c.cluster = base_arena_ints(arena, nb);
  c.root = base_arena_ints(arena, nb);
  c.n_open = base_arena_ints(arena, nb);
  c.locked = base_arena_ints(arena, nb);
  c.begin = base_arena_ints(arena, nb);
  read_edges(&c);
  choose_terminals(&c);
  plant_leaves(&c);
  contract(&c);
  int *size = base_arena_ints(arena, d->n_nodes);
  sort_nodes(d, size, arena);
  share_out(d, size, arena);
}
