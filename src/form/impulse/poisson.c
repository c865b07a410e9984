/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Poisson's law of impact (restitution=poisson; moeller 3.8 and the end of 3.9, bhalerao after 16):
 * an impact is a compression, and an expansion with eps_N times the normal impulses of the
 * compression or more, where contacts would else penetrate (Glocker and Pfeiffer, Nonlinear Dyn. 7,
 * 1995). In a step whose forces leave contacts that strike (phases.c solves for that, and has the
 * sequence) it stands between the halves of the forces, with Delta = u_free - u^B all that they and
 * the bilateral constraints add in the step:
 *
 *   compression  M (u^C - u^B - Delta/2) = W_S r_S + W r_C   law (v^C + s, r_C), s = 0 where a
 *                                                            contact with eps_N > 0 strikes
 *   expansion    M (u^+ - u^C)           = W_S r_S + W r_E   law (v^+ + s, r_E - g e_N), friction
 *                                                            of r_E,N, g = eps_N r_C,N
 *   forces       M (u^E - u^+ - Delta/2) = W_S r_S + W r_0   law (v^E + s, r_0)
 *
 * All contacts that take part in the step take part in all three, as with restitution=newton: each
 * may be given impulses by others' impacts and expands with its own eps_N, those at rest included;
 * what they expand of the forces, eps_N dt h/2 or less, the second half takes back. The halves make
 * eps_N = 1 retrace its way in the schemes at gap level, and eps_N < 1 come to rest. A single
 * contact without friction has v_N^+ = -eps_N v_N^-, as by Newton's law. With several, or with
 * friction, the laws differ: what expands are impulses, which are never negative, whereas Newton's
 * law demands velocities of contacts and may have to do work for them (Kane and Levinson).
 *
 * Friction. r_E,T lies in the set of r_E,N, which is that of r_E,N - g plus that of g: convex sets
 * that are proportional to an impulse add up, and both parts oppose the same v_T. So the expansion
 * is a problem of the law as it stands, with a second row of components for every contact that is
 * given an impulse: one decoupled normal, whose b = -A_NN g has the one solution g, and the
 * tangential directions of the contact again. Its operator is made by blocks.
 *
 * There is no tangential restitution: friction of the compression is not given back.
 */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "form/impulse/parts.h"
#include "la/dense.h"

/* eps_N r_C,N of row k; 0: none. */
static double given_to(const struct impulse *w, const struct impulse_expansion *e, int k) {
  const int i = w->rows.contact[k];
  return w->contacts.eps_N[i] * e->compression[(size_t)w->contacts.dim * (size_t)i];
}

/* place[k]: of the second row of components of row k, from n on, -1: it has none. How many rows the
 * problem has in all. */
static int place_given(const struct impulse *w, const struct impulse_expansion *e, int *place) {
  int n = w->rows.n;
  for (int k = 0; k < w->rows.n; ++k) {
    place[k] = w->contacts.dim > 1 && e->given[k] > 0 ? n++ : -1;
  }
  return n;
}

/* A block of the wide operator: without its normal row, and column, of what is given. */
static void copy_block(int dim, const double *from, int no_row, int no_column, double *to) {
  for (int k = 0; k < dim; ++k) {
    for (int l = 0; l < dim; ++l) {
      to[k * dim + l] = (no_row && k == 0) || (no_column && l == 0) ? 0 : from[k * dim + l];
    }
  }
}

/* Row k of the wide operator, or the row of what is given to it. */
static void widen_row(const struct problem_operator *A, const int *place, int k, int is_given,
                      int *col, double *blocks, int *count) {
  const int dim = A->dim, size = dim * dim;
  for (int pass = 0; pass < 2; ++pass) { /* columns ascend: rows, then what is given */
    for (int e = A->row_ptr[k]; e < A->row_ptr[k + 1]; ++e) {
      const int j = A->col[e];
      if (pass == 1 && place[j] < 0) {
        continue;
      }
      double *to = blocks + (size_t)*count * (size_t)size;
      copy_block(dim, A->blocks + (size_t)e * (size_t)size, is_given, pass, to);
      if (is_given && pass == 1 && j == k) {
        to[0] = A->blocks[(size_t)e * (size_t)size];
      }
      col[(*count)++] = pass == 0 ? j : place[j];
    }
  }
}

/* The operator of n rows and of what is given; every block row of A has its diagonal. */
static void widen(const struct problem_operator *A, const int *place, int n,
                  struct base_arena *arena, struct problem_operator *wide) {
  struct problem_operator rows;
  problem_operator_to_blocks(A, &rows, arena);
  const int room = 4 * rows.row_ptr[rows.nc];
  int *row_ptr = base_arena_ints(arena, n + 1), *col = base_arena_ints(arena, room);
  double *blocks = base_arena_matrix(arena, room, A->dim * A->dim);
  int count = 0;
  for (int is_given = 0; is_given < 2; ++is_given) {
    for (int k = 0; k < rows.nc; ++k) {
      const int at = is_given ? place[k] : k;
      if (at >= 0) {
        widen_row(&rows, place, k, is_given, col, blocks, &count);
        row_ptr[at + 1] = count;
      }
    }
  }
  *wide = (struct problem_operator){.kind = PROBLEM_OPERATOR_BLOCKS,
                                    .dim = A->dim,
                                    .nc = n,
                                    .row_ptr = row_ptr,
                                    .col = col,
                                    .blocks = blocks};
}

/* b of the expansion, dim n, and a first guess in e->r: what is given. */
static double *free_velocities(struct impulse *w, struct impulse_step *s, const int *place, int n) {
  struct impulse_expansion *e = s->impact.expansion;
  struct base_arena *arena = w->setup.arena;
  const size_t dim = (size_t)w->contacts.dim;
  double *b = base_arena_matrix(arena, (int)dim, n), *g = base_arena_matrix(arena, (int)dim, n);
  for (int k = 0; k < w->rows.n; ++k) {
    g[dim * (size_t)k] = e->given[k];
  }
  problem_operator_apply(&s->solved.problem.A, g, b, arena);
  for (int k = 0; k < w->rows.n; ++k) {
    const int i = w->rows.contact[k];
    double v[CONTACT_DIM_MAX];
    mech_contacts_velocity_of(&w->contacts, i, e->u_compressed, v);
    la_axpy((long)dim, 1, v, b + dim * (size_t)k);
    b[dim * (size_t)k] += w->rows.shift[i];
    if (place[k] >= 0) {
      double *own = b + dim * (size_t)place[k];
      la_copy((long)dim, b + dim * (size_t)k, own);
      own[0] = -w->rows.A[dim * dim * (size_t)k] * e->given[k];
      e->r[dim * (size_t)place[k]] = e->given[k];
    }
  }
  return b;
}

/* The problem of the expansion over the rows at hand. */
static void pose_expansion(struct impulse *w, struct impulse_step *s) {
  struct impulse_expansion *e = s->impact.expansion;
  struct base_arena *arena = w->setup.arena;
  const int rows = w->rows.n, dim = w->contacts.dim;
  int *place = base_arena_ints(arena, rows);
  e->given = base_arena_doubles(arena, rows);
  for (int k = 0; k < rows; ++k) {
    e->given[k] = given_to(w, e, k);
  }
  const int n = place_given(w, e, place);
  double *mu = base_arena_doubles(arena, n);
  long *id = base_arena_longs(arena, n);
  struct contact_set *set =
      s->solved.contacts.set != NULL ? base_arena_push(arena, (size_t)n * sizeof *set) : NULL;
  e->r = base_arena_matrix(arena, dim, n);
  e->v = base_arena_matrix(arena, dim, n);
  for (int k = 0; k < rows; ++k) {
    for (int at = k; at >= 0; at = at == k ? place[k] : -1) {
      mu[at] = s->solved.contacts.mu[k];
      id[at] = s->solved.contacts.id[k];
      if (set != NULL) {
        set[at] = s->solved.contacts.set[k];
      }
    }
  }
  e->id = id;
  e->problem = s->solved.problem;
  e->problem.model.nc = n;
  e->problem.model.mu = mu;
  e->problem.model.set = set;
  e->problem.b = free_velocities(w, s, place, n);
  if (n > rows) {
    widen(&s->solved.problem.A, place, n, arena, &e->problem.A);
  }
  e->r_expansion = base_arena_matrix(arena, dim, rows);
}

/* r_E of the rows from the solution. */
static void add_up(const struct impulse *w, struct impulse_expansion *e) {
  const size_t dim = (size_t)w->contacts.dim, rows = (size_t)w->rows.n;
  la_copy((long)(dim * rows), e->r, e->r_expansion);
  size_t at = rows;
  for (size_t k = 0; k < rows; ++k) {
    e->r_expansion[dim * k] += e->given[k];
    if (dim > 1 && e->given[k] > 0) {
      la_axpy((long)dim - 1, 1, e->r + dim * at + 1, e->r_expansion + dim * k + 1);
      ++at;
    }
  }
}

/* Impulses of both in the rows. A contact that leaves with v_N has the shift that Newton's law
 * would need for it: xi_N = 0, as the accounts of a solve have it. */
static void finish_expansion(struct impulse *w, const struct impulse_step *s) {
  const struct impulse_expansion *e = s->impact.expansion;
  struct impulse_rows *x = &w->rows;
  const size_t dim = (size_t)w->contacts.dim;
  for (int k = 0; k < x->n; ++k) {
    const int i = x->contact[k];
    double v[CONTACT_DIM_MAX], *r = x->r + dim * (size_t)k;
    la_copy((long)dim, e->compression + dim * (size_t)i, r);
    la_axpy((long)dim, 1, e->r_expansion + dim * (size_t)k, r);
    mech_contacts_velocity_of(&w->contacts, i, s->u, v);
    if (e->given[k] > 0) {
      x->shift[i] = fmin(x->shift[i], -v[0]);
    }
  }
}

/* What the compression left. */
static void begin_expansion(struct impulse *w, struct impulse_step *s) {
  struct base_arena *arena = w->setup.arena;
  const int nu = w->setup.mech->nu;
  const size_t dim = (size_t)w->contacts.dim;
  struct impulse_expansion *e = base_arena_push(arena, sizeof *e);
  double *u = base_arena_doubles(arena, nu);
  la_copy(nu, s->u, u);
  e->compression_residual = s->solved.residual;
  e->compression_diagnostics = impulse_diagnose(w, s);
  e->compression_id = s->solved.contacts.id;
  e->u_compressed = u;
  e->compression = base_arena_matrix(arena, w->contacts.dim, w->contacts.n);
  for (int k = 0; k < w->rows.n; ++k) {
    la_copy((long)dim, w->rows.r + dim * (size_t)k,
            e->compression + dim * (size_t)w->rows.contact[k]);
  }
  s->impact.expansion = e;
}

int impulse_expand(struct impulse *w, struct impulse_step *s, struct form_report *report) {
  struct problem_result result = {.status = BASE_OK};
  if (w->rows.n == 0) {
    return BASE_OK;
  }
  begin_expansion(w, s);
  do {
    struct form_delassus delassus = {.A = {0}};
    impulse_pose(w, s, report, &delassus);
    pose_expansion(w, s);
    impulse_solve_problem(w, &s->impact.expansion->problem, s->impact.expansion->r,
                          s->impact.expansion->v, report, &result);
    s->impact.expansion->residual = result.residual;
    if (result.status != BASE_OK && result.status != BASE_UNCONVERGED) {
      return base_fail(result.status, "expansion at t = %g s: %s", s->t, result.reason);
    }
    add_up(w, s->impact.expansion);
    impulse_respond(w, s, &delassus, s->impact.expansion->r_expansion,
                    s->impact.expansion->u_compressed);
  } while (impulse_select_violated(w, s) > 0);
  report->unconverged += result.status == BASE_UNCONVERGED;
  finish_expansion(w, s);
  impulse_look_ahead(w, s);
  return result.status;
}
