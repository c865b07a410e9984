/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files of FCLIB as Siconos writes them, for tests/cli/fclib.sh, which compiles this where both
 * libraries are:
 *
 *   siconos make DIR    sheared.hdf5, wide.hdf5, square.hdf5: problems and their solutions
 *   siconos show FILE   velocities /solution/u of a file
 *
 * Debian's Siconos is built without its fclib_interface.c. So its steps are done here: a matrix is
 * made by NM_entry, turned into triplets by NM_triplet, and these arrays go to FCLIB's library as
 * they are. Siconos' own solvers solve the problems. No pattern is symmetric, so that a transposed
 * matrix is another problem.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CSparseMatrix_internal.h>
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <GlobalFrictionContactProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsSparseMatrix.h>
#include <SolverOptions.h>
#include <fclib.h>

enum { M = 6, N_WIDE = 9, MATRICES = 2 };
static const double TOL = 1e-13;

static char path[4096];
static double mu[] = {0.3, 0.7};
static struct fclib_info info = {"title", "description", "math"};

static NumericsMatrix *sparse(int m, int n) {
  NumericsMatrix *A = NM_create(NM_SPARSE, m, n);
  NM_triplet_alloc(A, 1);
  return A;
}

/* As frictionContact_fclib_write and globalFrictionContact_fclib_write have it. */
static struct fclib_matrix handed_over(NumericsMatrix *A) {
  const CSparseMatrix *t = NM_triplet(A);
  struct fclib_matrix B = {.nzmax = (int)t->nz,
                           .m = (int)t->m,
                           .n = (int)t->n,
                           .p = malloc((size_t)t->nz * sizeof(int)),
                           .i = malloc((size_t)t->nz * sizeof(int)),
                           .x = t->x,
                           .nz = (int)t->nz};
  for (CS_INT k = 0; k < t->nz; ++k) {
    B.p[k] = (int)t->p[k];
    B.i[k] = (int)t->i[k];
  }
  return B;
}

static void check(int holds, const char *what) {
  if (!holds) {
    fprintf(stderr, "siconos: %s\n", what);
    exit(1);
  }
}

static void write_solution(int nv, double *v, double *u, double *r) {
  struct fclib_solution solution = {.v = nv > 0 ? v : NULL, .u = u, .r = r};
  check(fclib_write_solution(&solution, path), "the solution is not written");
}

/* Two contacts, W with entries above its diagonal that have no partners below. */
static void make_local(const char *folder) {
  NumericsMatrix *W = sparse(M, M);
  double q[M] = {-1, 2, -0.5, -2, 0.4, 1}, r[M] = {0}, u[M] = {0};
  for (int i = 0; i < M; ++i) {
    NM_entry(W, i, i, 2 + 0.5 * i);
  }
  NM_entry(W, 0, 1, 0.4);
  NM_entry(W, 0, 4, -0.3);
  NM_entry(W, 3, 2, 0.25);
  NM_entry(W, 1, 5, 0.2);
  NM_entry(W, 2, 1, -0.35);
  /* Its solver wants blocks: the same numbers, dense by columns. */
  double dense[M * M] = {0};
  const CSparseMatrix *t = NM_triplet(W);
  for (CS_INT k = 0; k < t->nz; ++k) {
    dense[t->i[k] + M * t->p[k]] += t->x[k];
  }
  FrictionContactProblem solved = {.dimension = 3,
                                   .numberOfContacts = 2,
                                   .M = NM_create_from_data(NM_DENSE, M, M, dense),
                                   .q = q,
                                   .mu = mu};
  SolverOptions *options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
  options->dparam[SICONOS_DPARAM_TOL] = TOL;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = 100000;
  check(fc3d_driver(&solved, r, u, options) == 0, "the local problem is not solved");
  snprintf(path, sizeof path, "%s/sheared.hdf5", folder);
  struct fclib_matrix given = handed_over(W);
  struct fclib_local p = {.W = &given, .mu = mu, .q = q, .spacedim = 3, .info = &info};
  check(fclib_write_local(&p, path), "the local problem is not written");
  write_solution(0, NULL, u, r);
}

/* n velocities, two contacts: M, no more symmetric than H, couples neighbours. */
static void make_global(const char *folder, const char *name, int n) {
  NumericsMatrix *A[MATRICES] = {sparse(n, n), sparse(n, M)};
  double f[N_WIDE], w[M] = {-0.5, 0.3, 0, 0, -0.2, 0.1}, r[M] = {0}, u[M] = {0}, v[N_WIDE] = {0};
  for (int i = 0; i < n; ++i) {
    f[i] = 0.3 * i - 1.1;
    NM_entry(A[0], i, i, 3 + i % 3);
    NM_entry(A[1], i, i % M, 1);
    if (i > 0) {
      NM_entry(A[0], i, i - 1, 0.5 - 0.1 * i);
      NM_entry(A[1], i, (i + 1) % M, i % 2 ? 0.6 : -0.2);
    }
  }
  struct fclib_matrix given[MATRICES] = {handed_over(A[0]), handed_over(A[1])};
  struct fclib_global p = {
      .M = &given[0], .H = &given[1], .mu = mu, .f = f, .w = w, .spacedim = 3, .info = &info};
  snprintf(path, sizeof path, "%s/%s.hdf5", folder, name);
  check(fclib_write_global(&p, path), "the global problem is not written");
  GlobalFrictionContactProblem *solved = globalFrictionContactProblem_new();
  solved->dimension = 3;
  solved->numberOfContacts = 2;
  solved->M = A[0];
  solved->H = A[1];
  solved->q = f;
  solved->b = w;
  solved->mu = mu;
  SolverOptions *options = solver_options_create(SICONOS_GLOBAL_FRICTION_3D_NSGS_WR);
  options->dparam[SICONOS_DPARAM_TOL] = TOL;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = 100000;
  check(gfc3d_driver(solved, r, u, v, options) == 0, "the global problem is not solved");
  write_solution(n, v, u, r);
}

static int show(const char *file) {
  struct fclib_local *local = fclib_read_local(file);
  struct fclib_global *global = local == NULL ? fclib_read_global(file) : NULL;
  const int n = local != NULL ? local->W->m : global != NULL ? global->H->n : 0;
  struct fclib_solution *solution = n > 0 ? fclib_read_solution(file) : NULL;
  check(solution != NULL, "the file holds no solution");
  for (int i = 0; i < n; ++i) {
    printf("%.17g ", solution->u[i]);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[1], "show") == 0) {
    return show(argv[2]);
  }
  check(argc == 3 && strcmp(argv[1], "make") == 0, "usage: siconos make DIR | show FILE");
  make_local(argv[2]);
  make_global(argv[2], "wide", N_WIDE);
  make_global(argv[2], "square", M);
  return 0;
}
