/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One-step problems as files of our form (others: forms.c), whose keys schema.c lists: friction,
 * v = W r + b with normal components first, or an LCP, w = M z + b. Keys that are unknown are
 * refused, everything else is checked before use, and messages name file and key. Numbers are
 * written so that reading them returns the same bits.
 */
#include "problem/foreign.h"

#include "base/json/json.h"
#include "base/json/keys.h"
#include "base/status.h"
#include "la/dense.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static int has(const cJSON *object, const char *key) {
  return cJSON_GetObjectItemCaseSensitive(object, key) != NULL;
}

/* An array of exactly n reals at key of object, on the arena; NULL with a message when not so. */
static double *read_reals(const cJSON *object, const char *key, const char *file, int n,
                          struct base_arena *arena) {
  double *x = base_arena_doubles(arena, n);
  return base_json_get_reals(object, key, file, n, x, NULL) == BASE_OK ? x : NULL;
}

static int check_rows(int nc, const int *row_ptr, const int *col, const char *file) {
  for (int i = 0; i < nc; ++i) {
    for (int e = row_ptr[i]; e < row_ptr[i + 1]; ++e) {
      if (col[e] < 0 || col[e] >= nc) {
        return base_fail(BASE_E_INPUT, "%s: key 'W.col': entry %d is %d, not in 0 ... %d", file, e,
                         col[e], nc - 1);
      }
      if (e > row_ptr[i] && col[e] <= col[e - 1]) {
        return base_fail(BASE_E_INPUT,
                         "%s: key 'W.col': entry %d is %d after %d: columns of row %d do not "
                         "ascend",
                         file, e, col[e], col[e - 1], i);
      }
    }
  }
  return BASE_OK;
}

/* W of a friction problem into A, whose dim and nc are set. */
static int read_blocks(const cJSON *root, const char *file, struct base_arena *arena,
                       struct problem_operator *A) {
  int *row_ptr = base_arena_ints(arena, A->nc + 1);
  int status = base_json_get_ints(root, "W.row_ptr", file, A->nc + 1, row_ptr, NULL);
  if (status != BASE_OK) {
    return status;
  }
  if (row_ptr[0] != 0) {
    return base_fail(BASE_E_INPUT, "%s: key 'W.row_ptr': begins with %d, not 0", file, row_ptr[0]);
  }
  for (int i = 0; i < A->nc; ++i) {
    if (row_ptr[i + 1] < row_ptr[i]) {
      return base_fail(BASE_E_INPUT, "%s: key 'W.row_ptr': entry %d is %d, less than %d before it",
                       file, i + 1, row_ptr[i + 1], row_ptr[i]);
    }
  }
  const int count = row_ptr[A->nc];
  int have; /* counted before anything of that size is asked for */
  if ((status = base_json_get_ints(root, "W.col", file, -1, NULL, &have)) != BASE_OK) {
    return status;
  }
  if (have != count) {
    return base_fail(BASE_E_INPUT, "%s: key 'W.col': %d entries where W.row_ptr ends with %d", file,
                     have, count);
  }
  int *col = base_arena_ints(arena, count);
  if ((status = base_json_get_ints(root, "W.col", file, count, col, NULL)) != BASE_OK ||
      (status = check_rows(A->nc, row_ptr, col, file)) != BASE_OK) {
    return status;
  }
  if (count > INT_MAX / (A->dim * A->dim)) {
    return base_fail(BASE_E_INPUT, "%s: key 'W.blocks': too many", file);
  }
  A->kind = PROBLEM_OPERATOR_BLOCKS;
  A->row_ptr = row_ptr;
  A->col = col;
  A->blocks = read_reals(root, "W.blocks", file, count * A->dim * A->dim, arena);
  return A->blocks != NULL ? BASE_OK : BASE_E_INPUT;
}

static int read_law(const cJSON *root, const char *file, struct base_arena *arena,
                    struct contact_model *model) {
  const int dim = model->dim;
  model->law = CONTACT_LAW_NCP;
  if (has(root, "law")) {
    contact_law_parse(base_json_text_at(root, "law"), &model->law);
  }
  const int polygon = model->law == CONTACT_LAW_LCP && dim == 3;
  if (!polygon) {
    for (int k = 0; k < 2; ++k) {
      const char *key = k == 0 ? "n_dir" : "dirs";
      if (has(root, key)) {
        return base_fail(BASE_E_INPUT, "%s: key '%s': only for law lcp and dim 3", file, key);
      }
    }
    return BASE_OK;
  }
  int status = base_json_get_int(root, "n_dir", file, 3, 1000, &model->n_dir);
  if (status == BASE_OK && has(root, "dirs")) {
    model->dirs = read_reals(root, "dirs", file, 2 * model->n_dir, arena);
    status = model->dirs != NULL ? BASE_OK : BASE_E_INPUT;
  }
  return status;
}

/* R of a friction problem whose W was read; every contact that gives way has a block of its own. */
static int read_compliance(const cJSON *root, const char *file, struct base_arena *arena,
                           struct problem_operator *A) {
  if (!has(root, "compliance")) {
    return BASE_OK;
  }
  A->compliance = read_reals(root, "compliance", file, A->dim * A->nc, arena);
  for (int i = 0; A->compliance != NULL && i < A->nc; ++i) {
    int e = A->row_ptr[i];
    while (e < A->row_ptr[i + 1] && A->col[e] != i) {
      ++e;
    }
    if (e == A->row_ptr[i + 1]) {
      return base_fail(BASE_E_INPUT, "%s: key 'compliance': contact %d has no block W_ii", file, i);
    }
  }
  return A->compliance != NULL ? BASE_OK : BASE_E_INPUT;
}

static int read_friction(const cJSON *root, const char *file, struct base_arena *arena,
                         struct problem *p) {
  const int dim = base_json_at(root, "dim")->valueint;
  const int nc = base_json_at(root, "contacts")->valueint;
  const int have = cJSON_GetArraySize(base_json_at(root, "mu"));
  if (have != nc) { /* a file that promises more contacts than it holds must not cost memory */
    return base_fail(BASE_E_INPUT, "%s: key 'mu': %d entries for %d contacts", file, have, nc);
  }
  p->model.dim = p->A.dim = dim;
  p->model.nc = p->A.nc = nc;
  double *mu = read_reals(root, "mu", file, nc, arena);
  p->model.mu = mu;
  p->b = mu != NULL ? read_reals(root, "b", file, dim * nc, arena) : NULL;
  if (p->b == NULL) {
    return BASE_E_INPUT;
  }
  int status = read_law(root, file, arena, &p->model);
  status = status == BASE_OK ? read_blocks(root, file, arena, &p->A) : status;
  return status == BASE_OK ? read_compliance(root, file, arena, &p->A) : status;
}

struct problem problem_of_lcp(int n, const double *M, const double *b, struct base_arena *arena) {
  return (struct problem){
      .name = "",
      .model = {.law = CONTACT_LAW_LCP, .dim = 1, .nc = n, .mu = base_arena_doubles(arena, n)},
      .A = {.kind = PROBLEM_OPERATOR_DENSE, .dim = 1, .nc = n, .a = M},
      .b = b,
      .is_raw = 1};
}

static int read_lcp(const cJSON *root, const char *file, struct base_arena *arena,
                    struct problem *p) {
  const int n = base_json_at(root, "n")->valueint;
  const int have = cJSON_GetArraySize(base_json_at(root, "M.values"));
  if (have != n * n) {
    return base_fail(BASE_E_INPUT, "%s: key 'M.values': %d entries, not n n = %d", file, have,
                     n * n);
  }
  double *rows = read_reals(root, "M.values", file, n * n, arena);
  double *a = base_arena_matrix(arena, n, n);
  p->b = rows != NULL ? read_reals(root, "b", file, n, arena) : NULL;
  if (p->b == NULL) {
    return BASE_E_INPUT;
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      a[i + (long)j * n] = rows[(long)i * n + j];
    }
  }
  const char *name = p->name;
  *p = problem_of_lcp(n, a, p->b, arena);
  p->name = name;
  return BASE_OK;
}

int problem_from_json(const cJSON *root, const char *file, struct base_arena *arena,
                      struct problem *p) {
  *p = (struct problem){.name = ""};
  int status = base_json_expect_schema(root, file, PROBLEM_SCHEMA);
  status = status != BASE_OK ? status : base_keys_check(&problem_keys, root, file, "", 0);
  if (status != BASE_OK) {
    return status;
  }
  p->name = base_arena_copy(arena, base_json_text_at(root, "name"));
  return strcmp(base_json_text_at(root, "kind"), "lcp") == 0 ? read_lcp(root, file, arena, p)
                                                             : read_friction(root, file, arena, p);
}

static void add_ints(cJSON *object, const char *key, int n, const int *x) {
  cJSON_AddItemToObject(object, key, cJSON_CreateIntArray(x, n));
}

static void write_friction(cJSON *root, const struct problem *p,
                           const struct problem_operator *blocks) {
  const struct contact_model *model = &p->model;
  const int nc = model->nc, count = blocks->row_ptr[nc];
  cJSON_AddNumberToObject(root, "dim", model->dim);
  cJSON_AddNumberToObject(root, "contacts", nc);
  if (model->law != CONTACT_LAW_NCP) {
    cJSON_AddStringToObject(root, "law", contact_law_name(model->law));
  }
  if (model->law == CONTACT_LAW_LCP && model->dim == 3) {
    cJSON_AddNumberToObject(root, "n_dir", model->n_dir);
    if (model->dirs != NULL) {
      base_json_add_reals(root, "dirs", 2 * model->n_dir, model->dirs);
    }
  }
  base_json_add_reals(root, "mu", nc, model->mu);
  cJSON *W = cJSON_AddObjectToObject(root, "W");
  cJSON_AddStringToObject(W, "storage", "block-csr");
  add_ints(W, "row_ptr", nc + 1, blocks->row_ptr);
  add_ints(W, "col", count, blocks->col);
  base_json_add_reals(W, "blocks", count * model->dim * model->dim, blocks->blocks);
  if (p->A.compliance != NULL) {
    base_json_add_reals(root, "compliance", problem_size(p), p->A.compliance);
  }
}

/* a: n x n column-major, already in the arena */
static void write_lcp(cJSON *root, int n, const double *a, struct base_arena *arena) {
  double *rows = base_arena_matrix(arena, n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      rows[(long)i * n + j] = a[i + (long)j * n];
    }
  }
  cJSON_AddNumberToObject(root, "n", n);
  cJSON *M = cJSON_AddObjectToObject(root, "M");
  cJSON_AddStringToObject(M, "storage", "dense");
  base_json_add_reals(M, "values", n * n, rows);
}

int problem_check_writable(const char *path, const struct problem *p) {
  const char *name = p->name != NULL ? p->name : "";
  if (p->model.dim > 3 || (p->model.law == CONTACT_LAW_CONE && p->model.set != NULL)) {
    return base_fail(BASE_UNSUPPORTED,
                     "%s: problem '%s' has friction sets other than disks, which the file form "
                     "does not hold",
                     path, name);
  }
  if (p->model.dim == 1 && p->model.law == CONTACT_LAW_LCP && p->model.nc > PROBLEM_DENSE_MAX) {
    return base_fail(BASE_UNSUPPORTED, "%s: problem '%s' is too large for a dense file", path,
                     name);
  }
  if (!la_all_finite(problem_size(p), p->b)) {
    return base_fail(BASE_E_INPUT, "%s: problem '%s' has a free velocity that is not finite", path,
                     name);
  }
  return BASE_OK;
}

cJSON *problem_to_json(const char *path, const struct problem *p, struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  if (problem_check_writable(path, p) != BASE_OK) {
    return NULL;
  }
  const int n = problem_size(p), is_lcp = p->model.dim == 1 && p->model.law == CONTACT_LAW_LCP;
  const double *values;
  struct problem_operator blocks;
  int count;
  if (is_lcp) {
    double *a = base_arena_matrix(arena, n, n);
    problem_operator_dense(&p->A, a, arena);
    values = a;
    count = n * n;
  } else {
    struct problem_operator rigid = p->A; /* R has a key of its own */
    rigid.compliance = NULL;
    problem_operator_to_blocks(&rigid, &blocks, arena);
    values = blocks.blocks;
    count = blocks.row_ptr[p->model.nc] * p->model.dim * p->model.dim;
  }
  if (!la_all_finite(count, values)) {
    base_arena_release(arena, mark);
    base_fail(BASE_E_INPUT, "%s: problem '%s' has an operator that is not finite", path,
              p->name != NULL ? p->name : "");
    return NULL;
  }
  cJSON *root = cJSON_CreateObject();
  cJSON_AddStringToObject(root, "schema", PROBLEM_SCHEMA);
  cJSON_AddStringToObject(root, "kind", is_lcp ? "lcp" : "friction");
  cJSON_AddStringToObject(root, "name", p->name != NULL ? p->name : "");
  if (is_lcp) {
    write_lcp(root, n, values, arena);
  } else {
    write_friction(root, p, &blocks);
  }
  base_json_add_reals(root, "b", n, p->b);
  base_arena_release(arena, mark);
  return root;
}

int problem_write(const char *path, const struct problem *p, struct base_arena *arena) {
  int status = problem_check_writable(path, p);
  if (status != BASE_OK) {
    return status;
  }
  if (problem_file_is_fclib(path)) {
    const char *bytes;
    size_t size;
    const struct base_arena_mark mark = base_arena_mark(arena);
    status = problem_print_fclib(path, p, arena, &bytes, &size);
    status = status != BASE_OK ? status : base_file_write(path, bytes, size);
    base_arena_release(arena, mark);
    return status;
  }
  cJSON *root = problem_to_json(path, p, arena);
  status = root != NULL ? base_json_write(path, root) : BASE_E_INPUT;
  cJSON_Delete(root);
  return status;
}
