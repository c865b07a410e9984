/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Divide and conquer on an assembly of bodies (bhalerao 4): two neighbouring subsystems are put
 * together by eliminating the impulses of the joints between them, until one is left (hierarchic
 * assembly), and then taken apart again (disassembly). A subsystem shows only its handles,
 *
 *   V_i = sum_j zeta_ij I_j + zeta_i3 + sum_c zeta_i4c r_c                         (34), (35)
 *
 * with V_i the velocity of a handle at the end of the step, I_j the impulses on the handles, r_c
 * those of the contacts inside. For a body itself zeta_ij = M^-1, zeta_i3 = u_k. Joints are
 * equations J V + offset = 0 with impulses J^T Lambda on their two handles, J's rows spanning what
 * the joint holds (the source's D^T), so that, both subsystems written as one,
 *
 *   Lambda = -(J zeta J^T)^-1 (J (zeta I + zeta_3 + zeta_4 r) + offset)                      (27)
 *   zeta  <- zeta - zeta J^T (J zeta J^T)^-1 J zeta,  zeta_3, zeta_4 alike                   (28)
 *
 * Deviations. A handle is a body as a whole, its velocity that of u in the assembly's coordinates:
 * a shift of the reference point is all that differs, and a body has one handle however many joints
 * it has. A joint with the world is eliminated on its body at once, not at the root. Redundant rows
 * of J are found by pivoting. Bodies number `terminal` keep their handles up to the root (29).
 *
 * The tree comes from contraction: in each round subsystems with one or two neighbours are paired
 * with a neighbour (a chain gives a balanced binary tree, a loop closes last), those with one join
 * a hub; where every one has three or more neighbours any pair is taken, and then handles grow with
 * what separates the system. Everything is linear in the number of bodies for chains, trees and
 * loops. Subtrees do not depend on each other: threads take them whole, and one thread what is
 * above them. Sums are made in the order of the tree, so that results do not depend on the number
 * of threads.
 */
#ifndef FORM_DCA_H
#define FORM_DCA_H

#include "mech/assembly/assembly.h"

/* A joint eliminated at a node. */
struct form_dca_link {
  int joint;     /* of the assembly */
  int first_row; /* of g_S */
  int slot[2];   /* handle of the children, those of the second counted on; -1: the world */
  int rows;      /* now; 0 while a body is not active */
  double *J[2];  /* nv x rows: J^T */
};

struct form_dca_node {
  int child[2]; /* -1: a body */
  int block;    /* of the body; else -1 */
  int height;   /* 0: a body */
  int n_slots;  /* handles of the children together; a body: 1 */
  int n_handles;
  int *handle; /* n_handles, blocks of u */
  int *from;   /* n_handles, slots */
  int n_links, rows_max;
  struct form_dca_link *link;
  /* N = nv n_handles; m = rows of its links now, rank of them independent */
  int m, rank;
  double *zeta;   /* N x N, symmetric [1/kg] */
  double *Z;      /* N x rank, L^-1 P D J zeta of the children: zeta -= Z Z^T */
  double *factor; /* rows_max x rows_max, column-major, L of P D (J zeta J^T) D P^T */
  double *scale;  /* rows_max, D: 1 / sqrt(J M^-1 J^T), 0 for a row without effect */
  int *perm;      /* rows_max */
  double *zeta3;  /* N [m/s] */
  double *s;      /* rank, L^-1 P D (J zeta_3 + offset) */
  double *f;      /* N, impulses on the handles [N s] */
};

struct form_dca {
  const struct mech *m;
  const struct mech_assembly *a;
  int threads;
  int n_nodes;
  struct form_dca_node *node; /* in postorder: a subtree is a range that ends with its root */
  int n_heights;
  int *parent;          /* n_nodes; -1: a root, one a connected part */
  int n_parts, *part;   /* 2 x n_parts: first node and one past the last, whole subtrees */
  int n_above, *above;  /* the other nodes, ascending */
  int terminal[2];      /* blocks whose handles reach the root */
  double *inverse_mass; /* nu */
  double *scratch;      /* threads x scratch_size */
  size_t scratch_size;
  struct base_arena *arena; /* of scratch that grows with the contacts; marked and released */
};

/* BASE_OK, or BASE_UNSUPPORTED with a reason. */
int form_dca_check(const struct mech *m);
struct form_dca *form_dca_alloc(const struct mech *m, int threads, struct base_arena *arena);
/* The tree over the bodies; what tree.c does for form_dca_alloc. */
void form_dca_tree(struct form_dca *d, struct base_arena *arena);

/* Assembly at q; L: nu, factor of the diagonal M. */
void form_dca_assemble(struct form_dca *d, const double *q, const double *L);
/* Velocities under the joints' impulses: u: nu, moved so that W_S^T u + offset = 0; offset: ns,
 * NULL: zero. */
void form_dca_constrain(struct form_dca *d, const double *offset, double *u);
/* Rows of joints that depend on others, rows without effect not counted, after assembly. */
int form_dca_dependent(const struct form_dca *d);
/* u += response of all bodies to contact impulses r: dim n. */
void form_dca_respond(struct form_dca *d, const struct mech_contacts *contacts, const double *r,
                      double *u);

/* y = L^-1 P D g, one of the columns g: m that belong to a node's rows; y: rank. */
void form_dca_reduce(const struct form_dca_node *node, const double *g, double *y);

/* Loads on bodies: n groups of width columns each, one load a group and body. */
struct form_dca_load {
  int block, group;
  const double *W; /* nv x width */
};
/* Responses to unit impulses along the columns C = width n_groups of loads: G: C x C, rates along
 * the columns; T: 2 nv x C, velocities of the terminal handles. Column-major, from the arena. */
void form_dca_columns(struct form_dca *d, int n_loads, const struct form_dca_load *load,
                      int n_groups, int width, struct base_arena *arena, double **G, double **T);

#endif
