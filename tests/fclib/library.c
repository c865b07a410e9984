/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * FCLIB's own library, for tests/cli/fclib.sh, which compiles this where the library is:
 *
 *   library make DIR    files written by it, sound ones; damaged ones by HDF5 alone
 *   library show FILE   a local problem read by it, as coulombench.problem/1
 */
#include <fclib.h>
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char path[4096];
static const char *folder;

static const char *in_folder(const char *name) {
  snprintf(path, sizeof path, "%s/%s.hdf5", folder, name);
  return path;
}

/* ---- sound ones ---- */

static double mu1[] = {0.5};
static struct fclib_info info = {"title", "description", "math"};

static void local(const char *name, struct fclib_matrix *W, struct fclib_matrix *V,
                  struct fclib_matrix *R, double *mu, double *q, double *s, int dim) {
  struct fclib_local p = {W, V, R, mu, q, s, dim, &info};
  if (!fclib_write_local(&p, in_folder(name))) {
    exit(1);
  }
}

/* W = [2, 0.1, 0.2; 0.3, 3, 0.4; 0.5, 0.6, 4] in each of the three storages. */
static void make_local(void) {
  int rows[] = {0, 0, 0, 1, 1, 1, 2, 2, 2}, cols[] = {0, 1, 2, 0, 1, 2, 0, 1, 2},
      ptr[] = {0, 3, 6, 9};
  double x[] = {2, 0.1, 0.2, 0.3, 3, 0.4, 0.5, 0.6, 4},
         xt[] = {2, 0.3, 0.5, 0.1, 3, 0.6, 0.2, 0.4, 4};
  double q[] = {-1, 2, 3};
  struct fclib_matrix triplet = {9, 3, 3, cols, rows, x, 9, NULL}; /* p: columns, as CSparse */
  struct fclib_matrix by_rows = {9, 3, 3, ptr, cols, x, -2, NULL};
  struct fclib_matrix by_columns = {9, 3, 3, ptr, cols, xt, -1, NULL};
  local("triplet", &triplet, NULL, NULL, mu1, q, NULL, 3);
  local("rows", &by_rows, NULL, NULL, mu1, q, NULL, 3);
  local("columns", &by_columns, NULL, NULL, mu1, q, NULL, 3);
  int p2[] = {0, 1, 0, 1}, i2[] = {0, 0, 1, 1};
  double x2[] = {2, 0.5, 0.25, 1}, q2[] = {-1, 2};
  struct fclib_matrix planar = {4, 2, 2, p2, i2, x2, 4, NULL};
  local("planar", &planar, NULL, NULL, mu1, q2, NULL, 2);
}

/* W = diag(2, 3, 4), V = (1, 0, 0)^T, R = 5, s = 0.5: A = diag(1.8, 3, 4), b = (-1.1, 1, 1). */
static void make_constrained(void) {
  int d[] = {0, 1, 2}, zero[] = {0};
  double x[] = {2, 3, 4}, one[] = {1}, five[] = {5}, q[] = {-1, 1, 1}, s[] = {0.5};
  struct fclib_matrix W = {3, 3, 3, d, d, x, 3, NULL}, V = {1, 3, 1, zero, zero, one, 1, NULL},
                      R = {1, 1, 1, zero, zero, five, 1, NULL};
  local("constrained", &W, &V, &R, mu1, q, s, 3);
}

/* M = [2, 1, 0; 1, 3, 0; 0, 0, 4], H = I, f = (1, 2, 4), w = (-1, 0, 0.5): A = M^-1, and with
 * G = e_1, b = 0.3, u_1 = -0.3: A = diag(0, 1/3, 1/4), b = (-1.3, 2.3 / 3, 1.5). */
static void make_global(void) {
  int ptr[] = {0, 2, 4, 5}, row[] = {0, 1, 0, 1, 2}, d[] = {0, 1, 2}, zero[] = {0};
  double m[] = {2, 1, 1, 3, 4}, one[] = {1, 1, 1}, f[] = {1, 2, 4}, w[] = {-1, 0, 0.5}, b[] = {0.3};
  struct fclib_matrix M = {5, 3, 3, ptr, row, m, -1, NULL}, H = {3, 3, 3, d, d, one, 3, NULL},
                      G = {1, 3, 1, zero, zero, one, 1, NULL};
  struct fclib_global p = {&M, &H, NULL, mu1, f, NULL, w, 3, &info};
  if (!fclib_write_global(&p, in_folder("global"))) {
    exit(1);
  }
  p.G = &G;
  p.b = b;
  if (!fclib_write_global(&p, in_folder("global-constrained"))) {
    exit(1);
  }
}

/* M = [1, 1, 0, 0; I], H = [I; 2, 0, 0], f = (1, 2, 4, 0.5), w = (-1, 0, 0.5), in triplets of
 * either order: A = [5, -1, 0; 0, 1, 0; 0, 0, 1], b = (-1, 2, 4.5). M fits both, H one alone. */
static void make_orders(void) {
  int m_row[] = {0, 0, 1, 2, 3}, m_col[] = {0, 1, 1, 2, 3}, h_row[] = {0, 1, 2, 3},
      h_col[] = {0, 1, 2, 0};
  double m[] = {1, 1, 1, 1, 1}, h[] = {1, 1, 1, 2}, f[] = {1, 2, 4, 0.5}, w[] = {-1, 0, 0.5};
  struct fclib_matrix M = {5, 4, 4, m_col, m_row, m, 5, NULL},
                      H = {4, 4, 3, h_col, h_row, h, 4, NULL};
  struct fclib_global p = {&M, &H, NULL, mu1, f, NULL, w, 3, &info};
  if (!fclib_write_global(&p, in_folder("order-csparse"))) {
    exit(1);
  }
  M.p = m_row, M.i = m_col;
  H.p = h_row, H.i = h_col;
  if (!fclib_write_global(&p, in_folder("order-header"))) {
    exit(1);
  }
}

/* ---- damaged ones: copies of rows.hdf5 with one thing changed ---- */

static hid_t copy_of(const char *from, const char *name) {
  char command[3 * sizeof path];
  snprintf(command, sizeof command, "cp '%s/%s.hdf5' '%s/%s.hdf5'", folder, from, folder, name);
  return system(command) == 0 ? H5Fopen(in_folder(name), H5F_ACC_RDWR, H5P_DEFAULT) : -1;
}

static void change_int(const char *from, const char *name, const char *what, int place, int value) {
  const hid_t file = copy_of(from, name), set = H5Dopen(file, what, H5P_DEFAULT);
  int x[64];
  H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, x);
  x[place] = value;
  H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, x);
  H5Dclose(set);
  H5Fclose(file);
}

static void change_real(const char *name, const char *what, int place, double value) {
  const hid_t file = copy_of("rows", name), set = H5Dopen(file, what, H5P_DEFAULT);
  double x[64];
  H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x);
  x[place] = value;
  H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x);
  H5Dclose(set);
  H5Fclose(file);
}

static void without(const char *name, const char *what) {
  const hid_t file = copy_of("rows", name);
  H5Ldelete(file, what, H5P_DEFAULT);
  H5Fclose(file);
}

static void make_damaged(void) {
  change_int("rows", "bad-dimension", "fclib_local/spacedim", 0, 7);
  change_int("rows", "bad-rolling", "fclib_local/spacedim", 0, 5);
  change_int("rows", "bad-size", "fclib_local/W/m", 0, 4);
  change_int("rows", "bad-huge", "fclib_local/W/n", 0, 2000000000);
  change_int("rows", "bad-pointer", "fclib_local/W/p", 3, 2000000000);
  change_int("rows", "bad-order", "fclib_local/W/p", 1, 7);
  change_int("rows", "bad-index", "fclib_local/W/i", 4, -1);
  change_int("triplet", "bad-row", "fclib_local/W/i", 4, 3);
  change_int("triplet", "bad-count", "fclib_local/W/nz", 0, 1000000);
  change_int("triplet", "bad-storage", "fclib_local/W/nz", 0, -3);
  change_real("bad-nan", "fclib_local/vectors/q", 1, NAN);
  change_real("bad-mu", "fclib_local/vectors/mu", 0, -1);
  without("bad-vectors", "fclib_local/vectors");
  without("bad-q", "fclib_local/vectors/q");
  without("bad-matrix", "fclib_local/W");
  without("bad-empty", "fclib_local");
  hid_t file = copy_of("rows", "bad-group");
  H5Gclose(H5Gcreate(file, "fclib_local_rolling", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Fclose(file);
  file = copy_of("rows", "bad-kind"); /* q becomes a group */
  H5Ldelete(file, "fclib_local/vectors/q", H5P_DEFAULT);
  H5Gclose(H5Gcreate(file, "fclib_local/vectors/q", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Fclose(file);
  change_int("global", "bad-singular", "fclib_global/M/p", 3, 4);
}

/* ---- reading ---- */

static void print_list(const char *name, int n, const double *x, const char *end) {
  printf("\"%s\": [", name);
  for (int i = 0; i < n; ++i) {
    printf("%s%.17g", i > 0 ? ", " : "", x[i]);
  }
  printf("]%s\n", end);
}

/* Blocks of all pairs of contacts, from compressed rows. */
static int show(const char *file) {
  struct fclib_local *p = fclib_read_local(file);
  if (p == NULL || p->W->nz != -2) {
    return 1;
  }
  const int d = p->spacedim, m = p->W->m, nc = m / d;
  double *blocks = calloc((size_t)m * (size_t)m, sizeof *blocks);
  for (int i = 0; i < m; ++i) {
    for (int k = p->W->p[i]; k < p->W->p[i + 1]; ++k) {
      const int j = p->W->i[k];
      blocks[((i / d * nc + j / d) * d + i % d) * d + j % d] += p->W->x[k];
    }
  }
  printf("{\"schema\": \"coulombench.problem/1\", \"kind\": \"friction\", \"name\": \"%s\",\n",
         p->info != NULL ? p->info->title : "");
  printf("\"dim\": %d, \"contacts\": %d, \"W\": {\"storage\": \"block-csr\", \"row_ptr\": [", d,
         nc);
  for (int i = 0; i <= nc; ++i) {
    printf("%s%d", i > 0 ? ", " : "", i * nc);
  }
  printf("], \"col\": [");
  for (int i = 0; i < nc * nc; ++i) {
    printf("%s%d", i > 0 ? ", " : "", i % nc);
  }
  printf("],\n");
  print_list("blocks", m * m, blocks, "},");
  print_list("mu", nc, p->mu, ",");
  print_list("b", m, p->q, "}");
  free(blocks);
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[1], "show") == 0) {
    return show(argv[2]);
  }
  folder = argc == 3 ? argv[2] : ".";
  make_local();
  make_constrained();
  make_global();
  make_orders();
  make_damaged();
  return 0;
}
