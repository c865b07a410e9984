/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * coulombench-fclib read|write: the files of FCLIB (Acary, Bremond, Koziara, Perignon 2014; HDF5)
 * from standard input to ours (coulombench.problem/1) on standard output, or the other way round.
 * A program of its own, for HDF5 is optional, and a damaged file may end the process that reads it.
 *
 *   fclib_local    W, optional V and R; vectors/ q, mu, optional s; spacedim
 *   fclib_global   M, H, optional G; vectors/ f, w, mu, optional b; spacedim
 *   a matrix       m, n, nz, p, i, x: nz triplets (row i, column p, x) for nz >= 0, compressed
 *                  columns for -1 (p: n + 1), rows for -2 (p: m + 1)
 *
 * Of triplets FCLIB's header says row p and column i. But its library reads them as CSparse's, and
 * so do its files. We write compressed rows.
 *
 * Normal first, v_N > 0 separates, as ours. Global ones and those with constraints are reduced
 * (problem/foreign.h). Everything is checked before use (fclib_data.c). Files are read from memory.
 */
#include <hdf5.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/json/json.h"
#include "base/memory/left.h"
#include "base/memory/memory.h"
#include "base/status.h"
#include "fclib_data.h"
#include "la/dense.h"
#include "problem/foreign.h"

enum {
  EXIT_INPUT = 2,
  COMPRESSED_COLUMNS = -1,
  COMPRESSED_ROWS = -2,
  TRIPLETS_MOST = 3 /* matrices of a problem */
};
/* What the process may have: a problem of 1e6 blocks needs 1e9 bytes of it; of what the machine has
 * to spare a part. */
static const double MEMORY_MOST = 4e9, MEMORY_SHARE = 0.5;

/* Reading: the file, and its matrices that are triplets, as read in CSparse's order. */
struct source {
  struct fclib_file file;
  struct base_arena *arena;
  int n_triplets;
  struct problem_entries *triplets[TRIPLETS_MOST];
};

/* ---- reading ---- */

static double *read_reals(const struct source *s, const char *path, int n) {
  return fclib_reals(&s->file, path, n);
}

static int has(const struct source *s, const char *path) { return fclib_has(&s->file, path); }

/* Pointers of a compressed matrix as the index of each entry; NULL with a message. */
static int *expand(const struct source *s, const char *name, const int *ptr, int n, int *count) {
  for (int i = 0; i < n; ++i) {
    if (ptr[i] < 0 || ptr[i + 1] < ptr[i] || ptr[0] != 0) {
      base_fail(BASE_E_INPUT, "%s/p: pointers do not ascend from 0", name);
      return NULL;
    }
  }
  /* How many there are to be is known: are they there? */
  const char *path = base_arena_printf(s->arena, "%s/i", name);
  *count = ptr[n];
  if (fclib_first_ints(&s->file, path, *count) == NULL) {
    return NULL;
  }
  int *index = base_arena_ints(s->arena, *count);
  for (int i = 0; i < n; ++i) {
    for (int k = ptr[i]; k < ptr[i + 1]; ++k) {
      index[k] = i;
    }
  }
  return index;
}

static int read_matrix(struct source *s, const char *name, struct problem_entries *e) {
  int nz, status = BASE_OK;
  struct base_arena *arena = s->arena;
  const struct fclib_file *f = &s->file;
  status = fclib_int(f, base_arena_printf(arena, "%s/m", name), 0, &e->m);
  status =
      status != BASE_OK ? status : fclib_int(f, base_arena_printf(arena, "%s/n", name), 0, &e->n);
  status = status != BASE_OK
               ? status
               : fclib_int(f, base_arena_printf(arena, "%s/nz", name), COMPRESSED_ROWS, &nz);
  if (status != BASE_OK || e->m == INT_MAX || e->n == INT_MAX) {
    return status != BASE_OK ? status : base_fail(BASE_E_INPUT, "%s: too large", name);
  }
  const char *p_path = base_arena_printf(arena, "%s/p", name);
  const int n_ptr = nz == COMPRESSED_ROWS ? e->m : e->n;
  const int *p = nz >= 0 ? fclib_first_ints(f, p_path, nz) : fclib_ints(f, p_path, n_ptr + 1);
  e->count = nz;
  if (p != NULL && nz < 0) {
    p = expand(s, name, p, n_ptr, &e->count);
  }
  if (p == NULL) {
    return BASE_E_INPUT;
  }
  const int *i = fclib_first_ints(f, base_arena_printf(arena, "%s/i", name), e->count);
  e->x = i != NULL ? fclib_first_reals(f, base_arena_printf(arena, "%s/x", name), e->count) : NULL;
  e->row = nz == COMPRESSED_ROWS ? p : i;
  e->col = nz == COMPRESSED_ROWS ? i : p;
  if (e->x == NULL) {
    return BASE_E_INPUT;
  }
  if (nz >= 0) {
    s->triplets[s->n_triplets++] = e;
  }
  return BASE_OK;
}

static int all_within(int count, const int *x, int n) {
  for (int k = 0; k < count; ++k) {
    if (x[k] < 0 || x[k] >= n) {
      return 0;
    }
  }
  return 1;
}

/* Triplets in the order of FCLIB's header (row p, column i), where that alone fits all of a file.
 * Its writers hand CSparse's over as they are (row i, column p), and so does its library. */
static void settle_order(struct source *s) {
  int fits = 1, fits_header = 1;
  for (int k = 0; k < s->n_triplets; ++k) {
    const struct problem_entries *e = s->triplets[k];
    fits &= all_within(e->count, e->row, e->m) && all_within(e->count, e->col, e->n);
    fits_header &= all_within(e->count, e->col, e->m) && all_within(e->count, e->row, e->n);
  }
  for (int k = 0; k < s->n_triplets && !fits && fits_header; ++k) {
    struct problem_entries *e = s->triplets[k];
    const int *row = e->col;
    e->col = e->row;
    e->row = row;
  }
  if (!fits && fits_header) {
    fprintf(stderr, "triplets fit as (row p, column i) alone, the order of FCLIB's header, not "
                    "that of its writers\n");
  }
}

/* B with rows and columns exchanged. */
static struct problem_entries transposed(struct problem_entries B) {
  return (struct problem_entries){B.n, B.m, B.count, B.col, B.row, B.x};
}

/* What all sizes follow from, and mu; `rows`: the number of the rows of contacts, `vector`: as
 * many. Before anything is read they are to agree. */
static int read_common(struct source *s, const char *group, const char *rows, const char *vector,
                       struct problem_foreign *f) {
  const char *mu = base_arena_printf(s->arena, "%s/vectors/mu", group);
  int n_rows = 0,
      status = fclib_int(&s->file, base_arena_printf(s->arena, "%s/spacedim", group), 1, &f->dim);
  if (status == BASE_OK && f->dim != 2 && f->dim != 3) {
    return base_fail(BASE_E_INPUT, "%s/spacedim is %d: %s", group, f->dim,
                     f->dim == 5 || f->dim == 4 ? "rolling friction is not supported"
                                                : "neither planar nor spatial");
  }
  status = status != BASE_OK ? status : fclib_int(&s->file, rows, 0, &n_rows);
  f->nc = status == BASE_OK ? fclib_count(&s->file, mu) : status;
  const int count = f->nc >= 0 ? fclib_count(&s->file, vector) : f->nc;
  if (count < 0) {
    return BASE_E_INPUT;
  }
  if (f->nc > INT_MAX / 16 || n_rows != f->dim * f->nc || count != n_rows) {
    return base_fail(BASE_E_INPUT,
                     "%d components of %d contacts, where %s is %d and %s holds %d numbers", f->dim,
                     f->nc, rows, n_rows, vector, count);
  }
  f->mu = read_reals(s, mu, f->nc);
  f->q = f->mu != NULL ? read_reals(s, vector, n_rows) : NULL;
  return f->q != NULL ? BASE_OK : BASE_E_INPUT;
}

static int read_local(struct source *s, struct problem_foreign *f) {
  int status = read_common(s, "fclib_local", "fclib_local/W/m", "fclib_local/vectors/q", f);
  status = status != BASE_OK ? status : read_matrix(s, "fclib_local/W", &f->W);
  if (status != BASE_OK) {
    return status;
  }
  if (!has(s, "fclib_local/V")) {
    settle_order(s);
    return BASE_OK;
  }
  f->sign = -1;
  status = read_matrix(s, "fclib_local/V", &f->B);
  status = status != BASE_OK ? status : read_matrix(s, "fclib_local/R", &f->K);
  if (status != BASE_OK) {
    return status;
  }
  settle_order(s);
  f->B = transposed(f->B);
  f->g = read_reals(s, "fclib_local/vectors/s", f->K.m);
  return f->g != NULL ? BASE_OK : BASE_E_INPUT;
}

/* K = [M, -G; G^T, 0] from M in K; g = [f; -b], f already there. */
static int append_constraints(const struct source *s, struct problem_foreign *f,
                              const struct problem_entries G, const double *g0) {
  const struct problem_entries M = f->K;
  const double *b = read_reals(s, "fclib_global/vectors/b", G.n);
  if (b == NULL) {
    return BASE_E_INPUT;
  }
  if (G.m != M.m || M.m != M.n || G.n > INT_MAX / 4 || G.count > INT_MAX / 4 || M.m > INT_MAX / 4 ||
      M.count > INT_MAX / 4) {
    return base_fail(BASE_E_INPUT, "fclib_global/G: has %d rows where M is %d x %d", G.m, M.m, M.n);
  }
  const int n = M.count + 2 * G.count, N = M.m + G.n;
  int *row = base_arena_ints(s->arena, n), *col = base_arena_ints(s->arena, n);
  double *x = base_arena_doubles(s->arena, n), *g = base_arena_doubles(s->arena, N);
  for (int k = 0; k < M.count; ++k) {
    row[k] = M.row[k], col[k] = M.col[k], x[k] = M.x[k];
    if (M.row[k] < 0 || M.row[k] >= M.m || M.col[k] < 0 || M.col[k] >= M.n) {
      return base_fail(BASE_E_INPUT, "fclib_global/M: entry %d is outside", k);
    }
  }
  for (int k = 0, at = M.count; k < G.count; ++k, at += 2) {
    if (G.row[k] < 0 || G.row[k] >= G.m || G.col[k] < 0 || G.col[k] >= G.n) {
      return base_fail(BASE_E_INPUT, "fclib_global/G: entry %d is outside", k);
    }
    row[at] = col[at + 1] = G.row[k];
    col[at] = row[at + 1] = M.m + G.col[k];
    x[at] = -G.x[k];
    x[at + 1] = G.x[k];
  }
  for (int i = 0; i < N; ++i) {
    g[i] = i < M.m ? g0[i] : -b[i - M.m];
  }
  f->K = (struct problem_entries){N, N, n, row, col, x};
  f->B.m = N;
  f->g = g;
  return BASE_OK;
}

static int read_global(struct source *s, struct problem_foreign *f) {
  struct problem_entries *G = base_arena_push(s->arena, sizeof *G); /* as long as the list of s */
  const int has_constraints = has(s, "fclib_global/G");
  f->sign = 1;
  int status = read_common(s, "fclib_global", "fclib_global/H/n", "fclib_global/vectors/w", f);
  status = status != BASE_OK ? status : read_matrix(s, "fclib_global/M", &f->K);
  status = status != BASE_OK ? status : read_matrix(s, "fclib_global/H", &f->B);
  status = status != BASE_OK || !has_constraints ? status : read_matrix(s, "fclib_global/G", G);
  if (status != BASE_OK) {
    return status;
  }
  settle_order(s);
  if (f->B.m != f->K.m) {
    return base_fail(BASE_E_INPUT, "fclib_global/H: has %d rows where M has %d", f->B.m, f->K.m);
  }
  f->g = read_reals(s, "fclib_global/vectors/f", f->K.m);
  if (f->g == NULL) {
    return BASE_E_INPUT;
  }
  return has_constraints ? append_constraints(s, f, *G, f->g) : BASE_OK;
}

static herr_t see_rolling(hid_t group, const char *name, const H5L_info_t *info, void *found) {
  (void)group, (void)info;
  *(int *)found |= strstr(name, "rolling") != NULL;
  return 0;
}

static int read_problem(struct source *s, struct problem *p) {
  struct problem_foreign *f = base_arena_push(s->arena, sizeof *f);
  int is_rolling = 0, status;
  H5Literate(s->file.id, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, see_rolling, &is_rolling);
  if (is_rolling) {
    status = base_fail(BASE_E_INPUT, "rolling friction is not supported");
  } else if (has(s, "fclib_local")) {
    status = read_local(s, f);
  } else if (has(s, "fclib_global")) {
    status = read_global(s, f);
  } else {
    status = base_fail(BASE_E_INPUT, "HDF5, but neither fclib_local nor fclib_global is in it");
  }
  return status != BASE_OK ? status : problem_from_foreign("FCLIB", f, s->arena, p);
}

static int run_read(struct base_arena *arena) {
  char *bytes;
  size_t size;
  int status = base_file_read("/dev/stdin", &bytes, &size);
  if (status != BASE_OK) {
    return status;
  }
  struct source s = {.arena = arena};
  status = fclib_open(&s.file, bytes, size, arena);
  struct problem p;
  status = status != BASE_OK ? status : read_problem(&s, &p);
  return status != BASE_OK ? status : problem_write("-", &p, arena);
}

/* ---- writing ---- */

static void put(hid_t file, const char *path, hid_t type, int n, const void *numbers) {
  const hsize_t size = (hsize_t)n;
  const hid_t links = H5Pcreate(H5P_LINK_CREATE), space = H5Screate_simple(1, &size, NULL);
  H5Pset_create_intermediate_group(links, 1);
  const hid_t set = H5Dcreate(file, path, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
  if (n > 0) {
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
  }
  H5Dclose(set);
  H5Sclose(space);
  H5Pclose(links);
}

static void put_text(hid_t file, const char *path, const char *text) {
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  const hid_t links = H5Pcreate(H5P_LINK_CREATE);
  H5Tset_size(type, strlen(text) + 1);
  H5Pset_create_intermediate_group(links, 1);
  const hid_t set = H5Dcreate(file, path, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text);
  H5Dclose(set);
  H5Pclose(links);
  H5Sclose(space);
  H5Tclose(type);
}

/* W by compressed rows, of which there is one reading alone. */
static void put_operator(hid_t file, const struct problem_operator *A, struct base_arena *arena) {
  const int dim = A->dim, m = dim * A->nc, n = A->row_ptr[A->nc] * dim * dim;
  const int storage = COMPRESSED_ROWS;
  int *ptr = base_arena_ints(arena, m + 1), *col = base_arena_ints(arena, n);
  double *x = base_arena_doubles(arena, n);
  int at = 0;
  for (int row = 0; row < m; ++row) {
    const int i = row / dim;
    for (int k = dim * A->row_ptr[i]; k < dim * A->row_ptr[i + 1]; ++k, ++at) {
      const int e = k / dim, d = k % dim;
      col[at] = dim * A->col[e] + d;
      x[at] = A->blocks[((long)e * dim + row % dim) * dim + d];
    }
    ptr[row + 1] = at;
  }
  put(file, "fclib_local/W/nzmax", H5T_NATIVE_INT, 1, &n);
  put(file, "fclib_local/W/m", H5T_NATIVE_INT, 1, &m);
  put(file, "fclib_local/W/n", H5T_NATIVE_INT, 1, &m);
  put(file, "fclib_local/W/nz", H5T_NATIVE_INT, 1, &storage);
  put(file, "fclib_local/W/p", H5T_NATIVE_INT, m + 1, ptr);
  put(file, "fclib_local/W/i", H5T_NATIVE_INT, n, col);
  put(file, "fclib_local/W/x", H5T_NATIVE_DOUBLE, n, x);
}

static int write_image(hid_t file) {
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  const ssize_t size = H5Fget_file_image(file, NULL, 0);
  char *bytes = base_memory_alloc(size > 0 ? (size_t)size : 1);
  if (size <= 0 || H5Fget_file_image(file, bytes, (size_t)size) != size ||
      fwrite(bytes, 1, (size_t)size, stdout) != (size_t)size || fflush(stdout) != 0) {
    return base_fail(BASE_E_IO, "HDF5 cannot make the file");
  }
  return BASE_OK;
}

static int run_write(struct base_arena *arena) {
  struct problem p;
  const int status = problem_read("/dev/stdin", arena, &p);
  if (status != BASE_OK) {
    return status;
  }
  struct problem_operator A;
  problem_operator_to_blocks(&p.A, &A, arena);
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(access, (size_t)1 << 20, 0);
  const hid_t file = H5Fcreate("problem", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  put(file, "fclib_local/spacedim", H5T_NATIVE_INT, 1, &p.model.dim);
  put_operator(file, &A, arena);
  put(file, "fclib_local/vectors/mu", H5T_NATIVE_DOUBLE, p.model.nc, p.model.mu);
  put(file, "fclib_local/vectors/q", H5T_NATIVE_DOUBLE, problem_size(&p), p.b);
  put_text(file, "fclib_local/info/title", p.name);
  put_text(file, "fclib_local/info/description", "one-step problem of coulombench");
  put_text(file, "fclib_local/info/math_info", "");
  return write_image(file);
}

/* A damaged file must not eat the machine, nor leave a core of it. The sanitizer maps more
 * addresses than any limit. */
static void limit_memory(void) {
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
#ifndef __SANITIZE_ADDRESS__
  const struct base_memory_limit machine = base_memory_limit(0, 1);
  const double share = MEMORY_SHARE * (machine.total - machine.used);
  const rlim_t most = (rlim_t)(share < MEMORY_MOST ? share : MEMORY_MOST);
  setrlimit(RLIMIT_AS, &(struct rlimit){most, most});
#endif
}

int main(int argc, char **argv) {
  limit_memory();
  la_start(); /* the BLAS waits for ever for memory that it does not get */
  struct base_arena *arena = base_arena_alloc();
  const int reads = argc == 2 && strcmp(argv[1], "read") == 0;
  if (!reads && !(argc == 2 && strcmp(argv[1], "write") == 0)) {
    fprintf(stderr, "usage: coulombench-fclib read|write <file >file\n");
    return EXIT_INPUT;
  }
  H5Eset_auto(H5E_DEFAULT, NULL, NULL); /* one message, ours */
  const int status = reads ? run_read(arena) : run_write(arena);
  if (status != BASE_OK) {
    fprintf(stderr, "%s\n", base_message());
  }
  fflush(NULL);
  _exit(status == BASE_OK ? EXIT_SUCCESS : EXIT_INPUT); /* HDF5 tidies up, and falls over damage */
}
