/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * coulombench-fclib read|write: the files of FCLIB (Acary, Bremond, Koziara, Perignon 2014; HDF5)
 * from standard input to ours (coulombench.problem/1) on standard output, or the other way round.
 * A program of its own, for HDF5 is optional, and a damaged file may end the process that reads it.
 *
 *   fclib_local    W, optional V and R; vectors/ q, mu, optional s; spacedim
 *   fclib_global   M, H, optional G; vectors/ f, w, mu, optional b; spacedim
 *   a matrix       m, n, nz, p, i, x: nz entries (p, i, x) for nz >= 0, compressed columns for -1
 *                  (p: n + 1), rows for -2 (p: m + 1)
 *
 * Normal first, v_N > 0 separates, as ours. Global ones and those with constraints are reduced
 * (problem/foreign.h). Everything is checked before use. Files are read from memory.
 */
#include <cjson/cJSON.h>
#include <hdf5.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/memory/left.h"
#include "base/memory/memory.h"
#include "base/status.h"
#include "problem/foreign.h"

enum { EXIT_INPUT = 2, COMPRESSED_COLUMNS = -1, COMPRESSED_ROWS = -2 };

struct source {
  hid_t file;
  struct base_arena *arena;
};

static int has(const struct source *s, const char *path) {
  char *part = base_arena_copy(s->arena, path); /* each link on the way, or HDF5 complains */
  for (char *slash = part; (slash = strchr(slash, '/')) != NULL; ++slash) {
    *slash = '\0';
    if (H5Lexists(s->file, part, H5P_DEFAULT) <= 0) {
      return 0;
    }
    *slash = '/';
  }
  return H5Lexists(s->file, part, H5P_DEFAULT) > 0;
}

/* ---- reading ---- */

/* All numbers of a data set of a class: n of them (n < 0: any number, *n_read), or at least n of
 * which the first n are meant (`more`). NULL with a message. */
static void *read_numbers(const struct source *s, const char *path, H5T_class_t class, int n,
                          int more, int *n_read) {
  if (!has(s, path)) {
    base_fail(BASE_E_INPUT, "%s is missing", path);
    return NULL;
  }
  const hid_t set = H5Dopen(s->file, path, H5P_DEFAULT);
  const hid_t space = set >= 0 ? H5Dget_space(set) : -1, type = set >= 0 ? H5Dget_type(set) : -1;
  const hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
  void *numbers = NULL;
  const int is_real = class == H5T_FLOAT;
  if (set < 0 || type < 0 || count < 0) {
    base_fail(BASE_E_INPUT, "%s is no data set that can be read", path);
  } else if (H5Tget_class(type) != class) {
    base_fail(BASE_E_INPUT, "%s does not hold %s", path, is_real ? "reals" : "integers");
  } else if (count > INT_MAX || (n >= 0 && (more ? count < n : count != n))) {
    base_fail(BASE_E_INPUT, "%s holds %lld numbers, not %d", path, (long long)count, n);
  } else {
    numbers = base_arena_array(s->arena, (size_t)count + 1, 1, sizeof(double));
    const hid_t native = is_real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT;
    if (H5Dread(set, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) < 0) {
      base_fail(BASE_E_INPUT, "%s cannot be read", path);
      numbers = NULL;
    } else if (n_read != NULL) {
      *n_read = (int)count;
    }
  }
  return numbers; /* what is open goes with the process */
}

static double *read_reals(const struct source *s, const char *path, int n) {
  return read_numbers(s, path, H5T_FLOAT, n, 0, NULL);
}

static int read_int(const struct source *s, const char *path, int least, int *x) {
  const int *numbers = read_numbers(s, path, H5T_INTEGER, 1, 0, NULL);
  if (numbers == NULL) {
    return BASE_E_INPUT;
  }
  *x = numbers[0];
  return *x >= least ? BASE_OK : base_fail(BASE_E_INPUT, "%s is %d, less than %d", path, *x, least);
}

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
  if (read_numbers(s, path, H5T_INTEGER, *count, 1, NULL) == NULL) {
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

static int read_matrix(const struct source *s, const char *name, struct problem_entries *e) {
  int nz, status = BASE_OK;
  struct base_arena *arena = s->arena;
  status = read_int(s, base_arena_printf(arena, "%s/m", name), 0, &e->m);
  status =
      status != BASE_OK ? status : read_int(s, base_arena_printf(arena, "%s/n", name), 0, &e->n);
  status = status != BASE_OK
               ? status
               : read_int(s, base_arena_printf(arena, "%s/nz", name), COMPRESSED_ROWS, &nz);
  if (status != BASE_OK) {
    return status;
  }
  const char *p_path = base_arena_printf(arena, "%s/p", name);
  const int by_rows = nz == COMPRESSED_ROWS, n_ptr = by_rows ? e->m : e->n;
  const int *p = nz >= 0 ? read_numbers(s, p_path, H5T_INTEGER, nz, 1, NULL)
                         : read_numbers(s, p_path, H5T_INTEGER, n_ptr + 1, 0, NULL);
  const int *outer = p;
  e->count = nz;
  if (p != NULL && nz < 0) {
    outer = expand(s, name, p, n_ptr, &e->count);
  }
  if (outer == NULL) {
    return BASE_E_INPUT;
  }
  const int *inner =
      read_numbers(s, base_arena_printf(arena, "%s/i", name), H5T_INTEGER, e->count, 1, NULL);
  e->x = read_numbers(s, base_arena_printf(arena, "%s/x", name), H5T_FLOAT, e->count, 1, NULL);
  e->row = nz == COMPRESSED_COLUMNS ? inner : outer;
  e->col = nz == COMPRESSED_COLUMNS ? outer : inner;
  return inner != NULL && e->x != NULL ? BASE_OK : BASE_E_INPUT;
}

/* B with rows and columns exchanged. */
static struct problem_entries transposed(struct problem_entries B) {
  return (struct problem_entries){B.n, B.m, B.count, B.col, B.row, B.x};
}

static int read_common(const struct source *s, const char *group, struct problem_foreign *f) {
  int status = read_int(s, base_arena_printf(s->arena, "%s/spacedim", group), 1, &f->dim);
  if (status == BASE_OK && f->dim != 2 && f->dim != 3) {
    return base_fail(BASE_E_INPUT, "%s/spacedim is %d: %s", group, f->dim,
                     f->dim == 5 || f->dim == 4 ? "rolling friction is not supported"
                                                : "neither planar nor spatial");
  }
  f->mu = status != BASE_OK ? NULL
                            : read_numbers(s, base_arena_printf(s->arena, "%s/vectors/mu", group),
                                           H5T_FLOAT, -1, 0, &f->nc);
  if (f->mu != NULL && f->nc > INT_MAX / 16) {
    return base_fail(BASE_E_INPUT, "%s/vectors/mu: too many contacts", group);
  }
  return f->mu != NULL ? BASE_OK : BASE_E_INPUT;
}

static int read_local(const struct source *s, struct problem_foreign *f) {
  int status = read_common(s, "fclib_local", f);
  status = status != BASE_OK ? status : read_matrix(s, "fclib_local/W", &f->W);
  if (status != BASE_OK) {
    return status;
  }
  f->q = read_reals(s, "fclib_local/vectors/q", f->dim * f->nc);
  if (f->q == NULL || !has(s, "fclib_local/V")) {
    return f->q != NULL ? BASE_OK : BASE_E_INPUT;
  }
  f->sign = -1;
  status = read_matrix(s, "fclib_local/V", &f->B);
  status = status != BASE_OK ? status : read_matrix(s, "fclib_local/R", &f->K);
  f->B = transposed(f->B);
  f->g = status == BASE_OK ? read_reals(s, "fclib_local/vectors/s", f->K.m) : NULL;
  return f->g != NULL ? BASE_OK : BASE_E_INPUT;
}

/* K = [M, -G; G^T, 0] from M in K; g = [f; -b], f already there. */
static int append_constraints(const struct source *s, struct problem_foreign *f, const double *g0) {
  struct problem_entries G, M = f->K;
  int status = read_matrix(s, "fclib_global/G", &G);
  const double *b = status == BASE_OK ? read_reals(s, "fclib_global/vectors/b", G.n) : NULL;
  if (b == NULL) {
    return BASE_E_INPUT;
  }
  if (G.m != M.m || M.m != M.n || G.n > INT_MAX / 4 || G.count > INT_MAX / 4) {
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

static int read_global(const struct source *s, struct problem_foreign *f) {
  f->sign = 1;
  int status = read_common(s, "fclib_global", f);
  status = status != BASE_OK ? status : read_matrix(s, "fclib_global/M", &f->K);
  status = status != BASE_OK ? status : read_matrix(s, "fclib_global/H", &f->B);
  if (status != BASE_OK) {
    return status;
  }
  if (f->B.m != f->K.m) {
    return base_fail(BASE_E_INPUT, "fclib_global/H: has %d rows where M has %d", f->B.m, f->K.m);
  }
  f->q = read_reals(s, "fclib_global/vectors/w", f->dim * f->nc);
  f->g = f->q != NULL ? read_reals(s, "fclib_global/vectors/f", f->K.m) : NULL;
  if (f->g == NULL) {
    return BASE_E_INPUT;
  }
  return has(s, "fclib_global/G") ? append_constraints(s, f, f->g) : BASE_OK;
}

static herr_t see_rolling(hid_t group, const char *name, const H5L_info_t *info, void *found) {
  (void)group, (void)info;
  *(int *)found |= strstr(name, "rolling") != NULL;
  return 0;
}

static int read_problem(const struct source *s, struct problem *p) {
  struct problem_foreign f = {0};
  int is_rolling = 0, status;
  H5Literate(s->file, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, see_rolling, &is_rolling);
  if (is_rolling) {
    status = base_fail(BASE_E_INPUT, "rolling friction is not supported");
  } else if (has(s, "fclib_local")) {
    status = read_local(s, &f);
  } else if (has(s, "fclib_global")) {
    status = read_global(s, &f);
  } else {
    status = base_fail(BASE_E_INPUT, "HDF5, but neither fclib_local nor fclib_global is in it");
  }
  return status != BASE_OK ? status : problem_from_foreign("FCLIB", &f, s->arena, p);
}

static int run_read(struct base_arena *arena) {
  char *bytes;
  size_t size;
  int status = base_file_read("/dev/stdin", &bytes, &size);
  if (status != BASE_OK) {
    return status;
  }
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(access, (size_t)1 << 20, 0);
  H5Pset_file_image(access, bytes, size);
  const struct source s = {.file = H5Fopen("problem", H5F_ACC_RDONLY, access), .arena = arena};
  if (s.file < 0) {
    return base_fail(BASE_E_INPUT, "not a whole HDF5 file");
  }
  struct problem p;
  status = read_problem(&s, &p);
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

/* W as entries. */
static void put_operator(hid_t file, const struct problem_operator *A, struct base_arena *arena) {
  const int dim = A->dim, m = dim * A->nc, size = dim * dim;
  const int n = A->row_ptr[A->nc] * size;
  int *row = base_arena_ints(arena, n), *col = base_arena_ints(arena, n);
  for (int i = 0, at = 0; i < A->nc; ++i) {
    for (int e = A->row_ptr[i]; e < A->row_ptr[i + 1]; ++e) {
      for (int k = 0; k < size; ++k, ++at) {
        row[at] = dim * i + k / dim;
        col[at] = dim * A->col[e] + k % dim;
      }
    }
  }
  put(file, "fclib_local/W/nzmax", H5T_NATIVE_INT, 1, &n);
  put(file, "fclib_local/W/m", H5T_NATIVE_INT, 1, &m);
  put(file, "fclib_local/W/n", H5T_NATIVE_INT, 1, &m);
  put(file, "fclib_local/W/nz", H5T_NATIVE_INT, 1, &n);
  put(file, "fclib_local/W/p", H5T_NATIVE_INT, n, row);
  put(file, "fclib_local/W/i", H5T_NATIVE_INT, n, col);
  put(file, "fclib_local/W/x", H5T_NATIVE_DOUBLE, n, A->blocks);
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

int main(int argc, char **argv) {
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
  return status == BASE_OK ? EXIT_SUCCESS : EXIT_INPUT;
}
