/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one-step problem: find r with v = A r + b under a contact law. A is the Delassus operator,
 * with bilateral constraints already eliminated (moeller 5.121). One interface covers its four
 * forms: dense, block-sparse by contact pairs, and factors W^T M^-1 W by bodies, free or jointed,
 * whose memory is linear in the number of contacts. Contacts may be compliant: the law then holds
 * for v = (A + R) r + b with R diagonal. A below means A + R, while bodies move by A alone. A raw
 * LCP (w = M z + b) is the case dim = 1, law lcp; there A may lack symmetry.
 *
 * File form: schema coulombench.problem/1, kinds friction and lcp (problem_read, problem_write).
 *
 *   operator/ products, rows and other forms of A
 *   local/    solvers of one contact, exact or by projection
 *   solvers/  solvers of all contacts, with the folders lcp/, auto/ and peers/
 */
#ifndef PROBLEM_PROBLEM_H
#define PROBLEM_PROBLEM_H

#include "base/memory/arena.h"
#include "contact/law.h"

struct base_table;
struct cJSON;

enum problem_operator_kind {
  PROBLEM_OPERATOR_DENSE,
  PROBLEM_OPERATOR_BLOCKS, /* block compressed rows */
  PROBLEM_OPERATOR_BODIES, /* A = W^T M^-1 W by bodies */
  PROBLEM_OPERATOR_JOINTED /* A = W^T M^-1 W - Z^T Z, where Z^T Z is the effect of the joints */
};

struct problem_operator {
  enum problem_operator_kind kind;
  int dim, nc;
  const double *compliance; /* n, R of compliant contacts; the operator is A + R, R diagonal, in
                               every form of A [1/kg]; NULL: rigid, R = 0 */
  const double *diagonal;   /* nc blocks dim x dim row-major, A_ii + R_i, by
                               problem_operator_diagonal; NULL: not formed yet */
  /* DENSE */
  const double *a; /* n x n column-major, n = dim nc [1/kg] */
  /* BLOCKS */
  const int *row_ptr;   /* nc + 1 */
  const int *col;       /* row_ptr[nc], ascending within a row */
  const double *blocks; /* row_ptr[nc] x (dim x dim row-major) */
  /* BODIES */
  int nb, nv;      /* bodies, velocities a body */
  const int *body; /* 2 x nc, -1: the world (its geometry is ignored) */
  /* with W as it stands ... */
  const double *w;      /* 2 x nc blocks nv x dim, column-major: W of contact i on body k */
  const double *minv_w; /* the same with M_body^-1 applied */
  /* ... JOINTED: with them Z, whose columns have entries on paths of an elimination tree ... */
  int n_nodes;          /* rows of Z */
  const int *path_ptr;  /* nc + 1 */
  const int *path;      /* path_ptr[nc], rows of Z */
  const double *path_z; /* dim x path_ptr[nc] [kg^-1/2] */
  /* ... or, w NULL, of rigid bodies in space, nv = 6, dim 1 or 3, by their geometry in world axes.
   * A changed impulse r_i acts with +P on body 1 of its contact and with -P on body 0, P = n r_N +
   * t1 r_1 + t2 r_2, t2 = n x t1, so that v_N > 0 separates. */
  const double *frame; /* nc x 6: n (from body 0 to body 1), t1 [-] */
  const double *arm;   /* nc x 6: from the centre of mass of body 0, of body 1 to the contact [m] */
  const double *turn;  /* nb x 9: rotation body to world, row-major, zero if it cannot turn [-] */
  const double *mass;  /* nb x 6: m three times, moments of inertia about the axes of the body, R's
                          columns [kg], [kg m^2] */
};

struct problem {
  const char *name; /* "" when without */
  struct contact_model model;
  struct problem_operator A;
  const double *b; /* dim nc, free velocity [m/s] */
  int is_raw;      /* an LCP as such, not one of contacts: kind lcp of its file */
  double deadline; /* set by problem_solve, for iterations that are loops of their own; 0: none */
};

static inline int problem_size(const struct problem *p) { return p->model.dim * p->model.nc; }

/* v = A r row by row. problem_product_of computes the part common to all rows, in the arena;
 * problem_product_rows then gives v: dim count = (A r) of contacts first ... first + count - 1. */
struct problem_product {
  const struct problem_operator *A;
  const double *r; /* n, to stay as it is */
  const double *u; /* BODIES: nv x nb, velocities of the bodies; JOINTED: these, and n_nodes Z r;
                      DENSE: n, A r; BLOCKS: NULL */
};
struct problem_product problem_product_of(const struct problem_operator *A, const double *r,
                                          struct base_arena *arena);
void problem_product_rows(const struct problem_product *product, int first, int count, double *v);
/* v = A r (+ b in problem_velocity). r, v: dim nc; scratch from the arena, released. */
void problem_operator_apply(const struct problem_operator *A, const double *r, double *v,
                            struct base_arena *arena);
void problem_velocity(const struct problem *p, const double *r, double *v,
                      struct base_arena *arena);
/* speed: nc = |v_T| at this velocity; v: n, as in problem_velocity. */
void problem_slip(const struct problem *p, const double *r, double *v, double *speed,
                  struct base_arena *arena);
/* diag: nc blocks dim x dim row-major, A_ii. Of operators by bodies it is exactly symmetric, and
 * round-off of zero is zero: a sphere's block is exactly diagonal with equal tangential entries. */
void problem_operator_diagonal(const struct problem_operator *A, double *diag);
/* One of these blocks: dim x dim. */
void problem_operator_block(const struct problem_operator *A, int i, double *block);
/* The same without a copy if already formed, else from the arena. */
const double *problem_operator_diagonal_of(const struct problem_operator *A,
                                           struct base_arena *arena);
/* a: n x n column-major. */
void problem_operator_dense(const struct problem_operator *A, double *a, struct base_arena *arena);
/* The same operator as block rows; BLOCKS shares its arrays, other forms allocate from the arena.
 * BODIES forms only pairs that share a body, JOINTED all, DENSE leaves out blocks of zeros. */
void problem_operator_to_blocks(const struct problem_operator *A, struct problem_operator *blocks,
                                struct base_arena *arena);
/* Of BLOCKS the entry of block (i, j), -1: there is none. */
int problem_operator_entry(const struct problem_operator *A, int i, int j);
/* Largest |A - A^T| over largest |A|; 0 where A is kept by bodies, symmetric by construction. */
double problem_operator_asymmetry(const struct problem_operator *A, struct base_arena *arena);

/* Row-wise access for relaxations: gives v_i = (A r + b)_i while single blocks of r change. DENSE
 * and BLOCKS compute rows on demand, BODIES keeps body velocities up to date, JOINTED Z r as
 * well. */
struct problem_sweep;
struct problem_sweep *problem_sweep_alloc(const struct problem *p, struct base_arena *arena);
void problem_sweep_start(struct problem_sweep *s, const double *r); /* from r: dim nc */
/* Begin a further sweep at r. After this number of sweeps body velocities are summed anew, which
 * limits rounding. */
enum { PROBLEM_SWEEP_REFRESH = 256 };
void problem_sweep_again(struct problem_sweep *s, const double *r);
void problem_sweep_velocity(const struct problem_sweep *s, int i, double *v_i); /* dim */
void problem_sweep_change(struct problem_sweep *s, int i, const double *dr_i);  /* dim */
/* The state that depends on r: *n numbers, each linear in r or constant. A solver that replaces r
 * by a combination of iterates must combine the states alike. */
double *problem_sweep_state(struct problem_sweep *s, size_t *n);
/* A_ii, dim x dim row-major: a pointer to the stored block, or `own` (dim x dim) filled with it. */
const double *problem_sweep_block(const struct problem_sweep *s, int i, double *own);

/* The polyhedral LCP of a problem with law lcp (bhalerao 14): w = M z + q, 0 <= w perp z >= 0,
 * unknowns per contact (r_N, lambda_1 ... lambda_k, sigma), all r_N first, then all lambda, then
 * all sigma; k = 0 for dim 1, 2 for dim 2 (+t1, -t1), n_dir for dim 3. Size nc (1 + k + 1) or nc
 * for dim 1. */
struct problem_lcp {
  int n, k;
  double *M; /* n x n column-major */
  double *q; /* n */
};
/* Does the problem have such an LCP? BASE_OK, or BASE_UNSUPPORTED with a message that begins with
 * the solver's name. */
int problem_lcp_check(const struct problem *p, const char *solver);
int problem_lcp_size(const struct contact_model *model);
void problem_lcp_build(const struct problem *p, struct problem_lcp *lcp, struct base_arena *arena);
/* r: dim nc from z: n, and the other way round (for warm starts): lambda of least sum, sigma the
 * least that (14b) allows at v = A r + b. If the directions do not span r_T, lambda is zero. */
void problem_lcp_reaction(const struct problem *p, const double *z, double *r);
void problem_lcp_unknowns(const struct problem *p, const double *r, double *z,
                          struct base_arena *arena);

/* The same LCP in other units: w' = row w / q, z' = z / (col q), powers of two. Rows and columns of
 * M' come near one, max |q'| too. lcp is overwritten; row, col: n. */
struct problem_lcp_scale {
  double *row, *col;
  double q;
};
void problem_lcp_scale_alloc(struct problem_lcp_scale *scale, int n, struct base_arena *arena);
void problem_lcp_equilibrate(const struct contact_model *model, struct problem_lcp *lcp,
                             struct problem_lcp_scale *scale, struct base_arena *arena);

/* Scale a solution r: n of a frictionless problem, solved to tol, so that r . (A r + b) = 0 to
 * rounding (balance.c), and recompute its residual. r is unchanged with friction, or if the scaled
 * one would miss tol. */
void problem_balance(const struct problem *p, double tol, double *r, struct base_arena *arena,
                     struct contact_residual *residual);

/* Files: our JSON, FCLIB's HDF5 and Siconos' text, recognised by their first bytes; written as
 * FCLIB's if the path ends in .hdf5 or .h5. Memory of *p comes from the arena. BASE_E_INPUT with
 * "file: key ...: reason". */
int problem_read(const char *path, struct base_arena *arena, struct problem *p);
int problem_write(const char *path, const struct problem *p, struct base_arena *arena);
/* The same from and to a JSON value; file: its name in messages. The caller deletes the value; NULL
 * with a message. */
int problem_from_json(const struct cJSON *root, const char *file, struct base_arena *arena,
                      struct problem *p);
struct cJSON *problem_to_json(const char *path, const struct problem *p, struct base_arena *arena);
/* Keys of our files (base/json/keys.h). */
#define PROBLEM_SCHEMA "coulombench.problem/1"
extern const struct base_table problem_keys;
enum { PROBLEM_CONTACTS_MAX = 100 * 1000 * 1000 }; /* so that indices fit into an int */
/* Does a path end as FCLIB's files do? */
int problem_file_is_fclib(const char *path);
/* Does a file begin as FCLIB's or Siconos' do? */
int problem_file_is_foreign(const char *path);
/* BASE_UNSUPPORTED or BASE_E_INPUT with a message if the format of the file cannot hold the
 * problem. */
int problem_check_writable(const char *path, const struct problem *p);

#endif
