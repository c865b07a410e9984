/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CHOLMOD behind la/cholesky.h: the one place that includes it. One ordering method (AMD), so that
 * the factor does not depend on which graph partitioners the library was built with, and L L^T
 * unless L D L^T is asked for, so that a matrix without positive pivots is reported. The two want
 * analyses of their own: supernodes hold no negative pivot.
 */
#include "la/cholesky.h"

#include "base/memory/memory.h"
#include "base/status.h"
#include "la/dense.h"

#include <stdlib.h>
#include <string.h>
#include <suitesparse/cholmod.h>

struct la_cholesky {
  cholmod_common common;
  cholmod_sparse *A;        /* lower triangle */
  cholmod_factor *L, *LDL;  /* LDL: NULL until it is asked for */
  cholmod_factor *current;  /* the one that solves */
  cholmod_dense *x, *y, *e; /* solution and workspaces, kept between solves */
};

static int is_wanting(const cholmod_common *common) {
  return common->status == CHOLMOD_OUT_OF_MEMORY || common->status == CHOLMOD_TOO_LARGE;
}

struct la_cholesky *la_cholesky_alloc(int n, const int *col_ptr, const int *row) {
  struct la_cholesky *s = base_memory_alloc(sizeof *s);
  memset(s, 0, sizeof *s);
  cholmod_common *common = &s->common;
  cholmod_start(common);
  common->print = 0;
  common->nmethods = 1;
  common->method[0].ordering = CHOLMOD_AMD;
  common->postorder = 1;
  common->final_ll = 1;
  common->quick_return_if_not_posdef = 1;
  const size_t entries = (size_t)col_ptr[n];
  s->A = cholmod_allocate_sparse((size_t)n, (size_t)n, entries, 1, 1, -1, CHOLMOD_REAL, common);
  if (s->A != NULL) {
    memcpy(s->A->p, col_ptr, ((size_t)n + 1) * sizeof(int));
    memcpy(s->A->i, row, entries * sizeof(int));
    s->L = cholmod_analyze(s->A, common);
  }
  const size_t factor = s->L != NULL ? (size_t)common->lnz : entries; /* at least */
  if (is_wanting(common) || !base_memory_fits(1, factor, sizeof(double))) {
    la_cholesky_free(s);
    base_memory_end(1, factor, sizeof(double));
  }
  if (s->L == NULL) {
    base_fail(BASE_FAILED, "sparse Cholesky: analysis failed (CHOLMOD status %d)", common->status);
    la_cholesky_free(s);
    return NULL;
  }
  return s;
}

static int factor(struct la_cholesky *s, cholmod_factor *L, const double *values) {
  const int entries = ((const int *)s->A->p)[s->A->ncol];
  s->current = L;
  if (!la_all_finite(entries, values)) {
    return base_fail(BASE_FAILED, "sparse Cholesky: matrix not finite");
  }
  memcpy(s->A->x, values, (size_t)entries * sizeof *values);
  cholmod_factorize(s->A, L, &s->common);
  if (is_wanting(&s->common)) {
    base_memory_end(1, (size_t)s->common.lnz, sizeof(double));
  }
  if (s->common.status == CHOLMOD_NOT_POSDEF) {
    return base_fail(BASE_FAILED, "sparse Cholesky: matrix not positive definite");
  }
  if (s->common.status != CHOLMOD_OK) {
    return base_fail(BASE_FAILED, "sparse Cholesky: no factor (CHOLMOD status %d)",
                     s->common.status);
  }
  return BASE_OK;
}

int la_cholesky_factor(struct la_cholesky *s, const double *values) {
  s->common.final_ll = 1;
  return factor(s, s->L, values);
}

int la_cholesky_factor_indefinite(struct la_cholesky *s, const double *values) {
  s->common.final_ll = 0;
  if (s->LDL == NULL) {
    const int supernodal = s->common.supernodal;
    s->common.supernodal = CHOLMOD_SIMPLICIAL;
    s->LDL = cholmod_analyze(s->A, &s->common);
    s->common.supernodal = supernodal;
    if (is_wanting(&s->common)) {
      base_memory_end(1, (size_t)s->common.lnz, sizeof(double));
    }
    if (s->LDL == NULL) {
      return base_fail(BASE_FAILED, "sparse L D L^T: analysis failed (CHOLMOD status %d)",
                       s->common.status);
    }
  }
  return factor(s, s->LDL, values);
}

void la_cholesky_solve(struct la_cholesky *s, double *b) {
  const size_t n = s->A->ncol;
  cholmod_dense right = {.nrow = n,
                         .ncol = 1,
                         .nzmax = n,
                         .d = n,
                         .x = b,
                         .xtype = CHOLMOD_REAL,
                         .dtype = CHOLMOD_DOUBLE};
  if (!cholmod_solve2(CHOLMOD_A, s->current, &right, NULL, &s->x, NULL, &s->y, &s->e, &s->common)) {
    base_memory_end(1, n, sizeof *b);
  }
  memcpy(b, s->x->x, n * sizeof *b);
}

void la_cholesky_free(struct la_cholesky *s) {
  if (s == NULL) {
    return;
  }
  cholmod_free_dense(&s->x, &s->common);
  cholmod_free_dense(&s->y, &s->common);
  cholmod_free_dense(&s->e, &s->common);
  cholmod_free_factor(&s->L, &s->common);
  cholmod_free_factor(&s->LDL, &s->common);
  cholmod_free_sparse(&s->A, &s->common);
  cholmod_finish(&s->common);
  free(s);
}
