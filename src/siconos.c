/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * coulombench-siconos METHOD: solves one problem by Siconos' numerics library (Acary, Bremond,
 * Huber; Apache-2.0), as a peer (problem/solvers/peers/peers.h): the question on standard input,
 * the answer on standard output. METHOD: nsgs, nsn-ac, prox, admm, aclm,
 * lemke, enum; or `libraries`, which
 * prints the paths of Siconos' own.
 *
 * Siconos poses u = W r + q, K*_mu contains u + mu |u_T| e_N perpendicular to r in K_mu, normal
 * first: ours with u = v, q = b. Its blocks are column-major. Everything but the tolerance and the
 * number of iterations is its default; W is handed over in sparse blocks.
 *
 * Its error measure is not ours: it may be met long before or after. So its iterates are looked at
 * as those of our own solvers are, after each iteration, through its callback: the first that meets
 * our tolerance is the answer, and the call is left there. Where it finishes by its own measure
 * before, it goes on from there with a tighter tolerance. The time stated is that spent in its
 * driver, one thread, our looks taken off.
 */
#include <cjson/cJSON.h>
#include <link.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <lcp_cst.h>

#include "base/clock.h"
#include "base/json/json.h"
#include "base/memory/left.h"
#include "base/status.h"
#include "problem/problem.h"
#include "problem/solvers/peers/peers.h"

enum { EXIT_QUESTION = 2, PASSES_MOST = 20 };
/* Of its own error measure, relative to |q|: below this it is rounding. */
static const double LEAST_TOL = 1e-16;

static const struct method {
  const char *name;
  int planar, spatial, lcp; /* Siconos' number of the solver; 0: it has none */
} methods[] = {{"nsgs", SICONOS_FRICTION_2D_NSGS, SICONOS_FRICTION_3D_NSGS, 0},
               {"nsn-ac", 0, SICONOS_FRICTION_3D_NSN_AC, 0},
               {"prox", 0, SICONOS_FRICTION_3D_PROX, 0},
               {"admm", 0, SICONOS_FRICTION_3D_ADMM, 0},
               {"aclm", 0, SICONOS_FRICTION_3D_ACLMFP, 0},
               {"lemke", 0, 0, SICONOS_LCP_LEMKE},
               {"enum", 0, 0, SICONOS_LCP_ENUM}};

struct work {
  struct base_arena *arena;
  const struct method *method;
  struct problem p;
  double tol;
  int max_iter;
  const double *diagonal; /* of W, for the residual */
  double *r, *v;
  int status, iterations, passes;
  double seconds, residual, error; /* error: Siconos' own */
  double looks;                    /* time of our looks at iterates within a call [s] */
  int seen;                        /* iterates looked at within a call */
  jmp_buf met;                     /* where a call is left once the tolerance is met */
};

/* ---- the problem in Siconos' form ---- */

/* W as sparse blocks; its arrays are the arena's. */
static NumericsMatrix *blocks_of(struct work *w) {
  struct problem_operator A;
  problem_operator_to_blocks(&w->p.A, &A, w->arena);
  const int dim = A.dim, nc = A.nc, size = dim * dim, count = A.row_ptr[nc];
  NumericsMatrix *M = NM_create(NM_SPARSE_BLOCK, dim * nc, dim * nc);
  SparseBlockStructuredMatrix *s = M->matrix1;
  double *values = base_arena_array(w->arena, (size_t)count, (size_t)size, sizeof *values);
  s->nbblocks = (unsigned)count;
  s->blocknumber0 = s->blocknumber1 = (unsigned)nc;
  s->filled1 = (size_t)nc + 1;
  s->filled2 = (size_t)count;
  s->block = base_arena_array(w->arena, (size_t)count, 1, sizeof *s->block);
  s->blocksize0 = base_arena_array(w->arena, (size_t)nc, 1, sizeof *s->blocksize0);
  s->blocksize1 = s->blocksize0;
  s->index1_data = base_arena_array(w->arena, s->filled1, 1, sizeof *s->index1_data);
  s->index2_data = base_arena_array(w->arena, s->filled2, 1, sizeof *s->index2_data);
  for (int i = 0; i < nc; ++i) {
    s->blocksize0[i] = (unsigned)(dim * (i + 1));
    s->index1_data[i + 1] = (size_t)A.row_ptr[i + 1];
  }
  for (int e = 0; e < count; ++e) {
    s->index2_data[e] = (size_t)A.col[e];
    s->block[e] = values + (size_t)e * (size_t)size;
    for (int i = 0; i < size; ++i) {
      s->block[e][i % dim * dim + i / dim] = A.blocks[(size_t)e * (size_t)size + (size_t)i];
    }
  }
  return M;
}

/* Our residual of reactions r. */
static double residual_of(struct work *w, const double *r) {
  const struct base_arena_mark mark = base_arena_mark(w->arena);
  double *v = base_arena_doubles(w->arena, problem_size(&w->p));
  problem_velocity(&w->p, r, v, w->arena);
  const double x = contact_residual(&w->p.model, w->diagonal, r, v, w->p.b).relative_free;
  base_arena_release(w->arena, mark);
  return x;
}

/* An iterate of the library. */
static void look(void *env, int size, double *reaction, double *velocity, double error,
                 void *extra) {
  struct work *w = env;
  const double began = base_clock_work();
  (void)velocity, (void)extra;
  ++w->seen;
  w->error = error;
  w->residual = size == problem_size(&w->p) ? residual_of(w, reaction) : INFINITY;
  if (w->residual <= w->tol) {
    memmove(w->r, reaction, (size_t)size * sizeof *reaction);
  }
  w->looks += base_clock_work() - began;
  if (w->residual <= w->tol) {
    longjmp(w->met, 1);
  }
}

/* ---- calls of the library ---- */

/* Siconos' own verdict: 0 where it says it has converged, and where we say so. */
static int call_friction(struct work *w, FrictionContactProblem *problem, double tol) {
  const int is_planar = w->p.model.dim == 2;
  SolverOptions *options =
      solver_options_create(is_planar ? w->method->planar : w->method->spatial);
  Callback callback = {.env = w, .collectStatsIteration = look};
  options->callback = &callback;
  options->dparam[SICONOS_DPARAM_TOL] = tol;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = w->max_iter - w->iterations;
  w->looks = 0;
  w->seen = 0;
  ++w->passes;
  volatile int info = 0;
  const double began = base_clock_work();
  if (setjmp(w->met) == 0) {
    info = is_planar ? fc2d_driver(problem, w->r, w->v, options)
                     : fc3d_driver(problem, w->r, w->v, options);
    w->seconds += base_clock_work() - began - w->looks;
    w->iterations += options->iparam[SICONOS_IPARAM_ITER_DONE];
    w->error = options->dparam[SICONOS_DPARAM_RESIDU];
    w->residual = residual_of(w, w->r);
    options->callback = NULL; /* not the library's to free */
    solver_options_delete(options);
  } else { /* what the library holds goes with the process */
    w->seconds += base_clock_work() - began - w->looks;
    w->iterations += w->seen;
  }
  return info;
}

static void solve_friction(struct work *w) {
  FrictionContactProblem problem = {.dimension = w->p.model.dim,
                                    .numberOfContacts = w->p.model.nc,
                                    .M = blocks_of(w),
                                    .q = (double *)w->p.b,
                                    .mu = (double *)w->p.model.mu};
  int info = 0;
  for (double tol = w->tol; info == 0 && w->passes < PASSES_MOST && tol > LEAST_TOL;) {
    info = call_friction(w, &problem, tol);
    if (w->residual <= w->tol) {
      return;
    }
    tol *= fmin(0.1, 0.5 * w->tol / w->residual);
    info = w->iterations < w->max_iter ? info : 1;
  }
  w->status = BASE_UNCONVERGED;
}

static void solve_lcp(struct work *w) {
  struct problem_lcp lcp;
  problem_lcp_build(&w->p, &lcp, w->arena);
  LinearComplementarityProblem problem = {
      .size = lcp.n, .M = NM_create_from_data(NM_DENSE, lcp.n, lcp.n, lcp.M), .q = lcp.q};
  double *z = base_arena_doubles(w->arena, lcp.n), *y = base_arena_doubles(w->arena, lcp.n);
  SolverOptions *options = solver_options_create(w->method->lcp);
  options->dparam[SICONOS_DPARAM_TOL] = w->tol;
  if (w->method->lcp != SICONOS_LCP_ENUM) {
    options->iparam[SICONOS_IPARAM_MAX_ITER] = w->max_iter;
  }
  const double began = base_clock_work();
  const int info = linearComplementarity_driver(&problem, z, y, options);
  w->seconds = base_clock_work() - began;
  w->iterations =
      w->method->lcp != SICONOS_LCP_ENUM ? options->iparam[SICONOS_IPARAM_ITER_DONE] : 0;
  w->passes = 1;
  problem_lcp_reaction(&w->p, z, w->r);
  w->residual = residual_of(w, w->r);
  w->status = w->residual <= w->tol ? BASE_OK : info == 0 ? BASE_UNCONVERGED : BASE_FAILED;
}

/* ---- question and answer ---- */

static int read_question(struct work *w) {
  static const char file[] = "/dev/stdin";
  cJSON *root = base_json_read(file);
  int status = root != NULL ? problem_from_json(root, file, w->arena, &w->p) : (int)BASE_E_INPUT;
  if (status == BASE_OK) {
    const int n = problem_size(&w->p);
    w->r = base_arena_doubles(w->arena, n);
    w->v = base_arena_doubles(w->arena, n);
    w->diagonal = problem_operator_diagonal_of(&w->p.A, w->arena);
    w->tol = base_json_real_at(root, "solve.tol");
    w->max_iter = (int)base_json_real_at(root, "solve.max_iter"); /* the question is ours */
    status = base_json_get_reals(root, "solve.r", file, n, w->r, NULL);
  }
  cJSON_Delete(root);
  return status;
}

static int write_answer(const struct work *w, const char *path) {
  cJSON *root = cJSON_CreateObject();
  cJSON *solver = cJSON_AddObjectToObject(root, "solver");
  char text[160];
  snprintf(text, sizeof text, "Siconos: %s%s", w->method->name,
           w->passes > 1 ? ", its tolerance tightened for ours" : "");
  cJSON_AddStringToObject(solver, "says", text);
  cJSON_AddStringToObject(root, "status", base_status_name(w->status));
  snprintf(text, sizeof text, "residual %.3g > %.3g after %d iterations, by its own measure %.3g",
           w->residual, w->tol, w->iterations, w->error);
  cJSON_AddStringToObject(root, "reason", w->status != BASE_OK ? text : "");
  base_json_add_real(root, "iterations", w->iterations);
  base_json_add_real(cJSON_AddObjectToObject(root, "timing"), "solve_s", w->seconds);
  base_json_add_reals(root, "r", problem_size(&w->p), w->r);
  const int status = base_json_write(path, root);
  cJSON_Delete(root);
  return status;
}

static const struct method *find_method(int argc, char **argv) {
  for (size_t i = 0; argc == 2 && i < sizeof methods / sizeof *methods; ++i) {
    if (strcmp(methods[i].name, argv[1]) == 0) {
      return &methods[i];
    }
  }
  fprintf(stderr, "usage: coulombench-siconos nsgs|nsn-ac|prox|admm|aclm|lemke|enum "
                  "<problem >solution\n");
  return NULL;
}

static int print_library(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size, (void)data;
  if (strstr(info->dlpi_name, "libsiconos") != NULL) {
    printf("%s\n", info->dlpi_name);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], PEER_SICONOS_LIBRARIES) == 0) {
    dl_iterate_phdr(print_library, NULL);
    return EXIT_SUCCESS;
  }
  struct work w = {.arena = base_arena_alloc(), .method = find_method(argc, argv)};
  if (w.method == NULL) {
    return EXIT_QUESTION;
  }
  char output[64]; /* the library prints on standard output: that becomes standard error */
  snprintf(output, sizeof output, "/dev/fd/%d", dup(STDOUT_FILENO));
  dup2(STDERR_FILENO, STDOUT_FILENO);
  base_json_start();
  numerics_set_verbose(0);
  int status = read_question(&w);
  if (status == BASE_OK) {
    if (w.method->lcp != 0) {
      solve_lcp(&w);
    } else {
      solve_friction(&w);
    }
    status = write_answer(&w, output);
  }
  if (status != BASE_OK) {
    fprintf(stderr, "coulombench-siconos: %s\n", base_message());
    return EXIT_QUESTION;
  }
  return EXIT_SUCCESS;
}
