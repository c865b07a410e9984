/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See case_model.h. The smooth equations are solved as one system,
 *
 *   [M  -W_S; W_S^T  0] (udot, lambda_S) = (h, -bias_S),
 *
 * so that neither the elimination of constraints nor the projection of the formulations is used.
 */
#include "tests/case_model.h"

#include "bench/job/job.h"
#include "la/dense.h"
#include "tests/scratch.h"
#include "tests/test.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <stdarg.h>
#include <stdio.h>

struct case_parameters *case_model_load(const char *name, const char *set,
                                        struct base_arena *arena) {
  const struct case_type *type = case_open(name, NULL, arena);
  struct case_parameters *p = type != NULL ? case_parameters_load(type, arena) : NULL;
  struct base_words pairs = {0};
  CHECK_MESSAGE(p != NULL, "%s: %s", name, base_message());
  base_words_split(&pairs, set, arena);
  for (int i = 0; p != NULL && i < pairs.n; ++i) {
    const char *pair = pairs.word[i], *equals = strchr(pair, '=');
    const char *key = base_arena_printf(arena, "%.*s", (int)(equals - pair), pair);
    CHECK_OK(case_parameters_set(p, key, equals + 1));
  }
  return p;
}

struct case_instance case_model_build(const char *name, const char *set, struct base_arena *arena) {
  struct case_instance instance = {0};
  struct case_parameters *p = case_model_load(name, set, arena);
  CHECK_MESSAGE(p != NULL && case_open(name, NULL, arena)->build(p, arena, &instance) == BASE_OK,
                "%s %s: %s", name, set, base_message());
  return instance;
}

struct case_instance case_model_scene(const char *keys, ...) {
  char text[2048];
  va_list arguments;
  va_start(arguments, keys);
  CHECK(vsnprintf(text, sizeof text, keys, arguments) < (int)sizeof text);
  va_end(arguments);
  return case_model_build(scratch_scene("model", "'dt': 1e-3, 't_end': 1, %s", text), "",
                          test_arena());
}

struct smooth {
  const struct mech *m;
  struct base_arena *arena;
};

static int smooth_rhs(double t, const double y[], double dy[], void *context) {
  const struct smooth *s = context;
  const struct mech *m = s->m;
  const struct base_arena_mark mark = base_arena_mark(s->arena);
  const int n = m->nu, ns = m->ns, size = n + ns;
  double *K = base_arena_doubles(s->arena, size * size), *x = base_arena_doubles(s->arena, size);
  double *M = base_arena_doubles(s->arena, n * n), *WS = base_arena_doubles(s->arena, n * (ns + 1));
  int *pivots = base_arena_ints(s->arena, size);
  m->ops->mass(m, y, M);
  m->ops->force(m, y, y + n, t, x);
  if (ns > 0) {
    mech_bilateral_directions(m, y, WS, s->arena);
    mech_bilateral_bias(m, y, y + n, x + n, s->arena);
    for (int j = 0; j < ns; ++j) {
      x[n + j] = -x[n + j];
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      K[j * size + i] = M[j * n + i];
    }
    for (int j = 0; j < ns; ++j) {
      K[(n + j) * size + i] = -WS[j * n + i];
      K[i * size + n + j] = WS[j * n + i];
    }
  }
  int status = la_lu_factor(size, K, pivots);
  if (status == BASE_OK) {
    la_lu_solve(size, 1, K, pivots, x);
    la_copy(n, y + n, dy);
    la_copy(n, x, dy + n);
  }
  base_arena_release(s->arena, mark);
  return status == BASE_OK ? GSL_SUCCESS : GSL_EBADFUNC;
}

void case_model_integrate(const struct mech *m, double t, double t_end, double *y,
                          struct base_arena *arena) {
  struct smooth context = {m, arena};
  gsl_odeiv2_system system = {smooth_rhs, NULL, (size_t)(2 * m->nu), &context};
  gsl_odeiv2_driver *driver =
      gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, 1e-5, 1e-13, 1e-13);
  CHECK_INT(gsl_odeiv2_driver_apply(driver, &t, t_end, y), GSL_SUCCESS);
  gsl_odeiv2_driver_free(driver);
}

int case_model_keep_q(const struct mech *m, const struct form_state *state,
                      const struct form_report *report, void *context) {
  (void)report;
  la_copy(m->nq, state->q, context);
  return 0;
}

int case_model_run(const char *name, const char *set, const char *formulation, double dt,
                   double t_end, case_model_watch *watch, void *context) {
  struct base_arena *arena = test_arena();
  struct bench_request request = {
      .case_name = name, .formulation = formulation, .dt = dt, .t_end = t_end, .is_tight = 1};
  struct bench_job job;
  struct case_instance c = {0};
  base_words_split(&request.set, set, arena);
  int status = bench_job_resolve(&request, arena, &job);
  status = status == BASE_OK ? job.type->build(job.parameters, arena, &c) : status;
  CHECK_MESSAGE(status == BASE_OK, "%s %s %s: %s", name, set, formulation, base_message());
  const struct form_setup setup = {.form = job.form,
                                   .mech = c.mech,
                                   .options = job.form_options,
                                   .solver = job.solver,
                                   .solver_options = job.solver_options,
                                   .loop = job.loop,
                                   .warm_start = job.switches.warm_start,
                                   .dt = dt,
                                   .arena = arena};
  struct form_state state = {.t = 0, .q = c.q, .u = c.u};
  status = status == BASE_OK && job.form->check != NULL ? job.form->check(&setup) : status;
  void *workspace = status == BASE_OK ? job.form->alloc(&setup, &state) : NULL;
  if (status == BASE_OK && workspace == NULL) {
    status = BASE_UNSUPPORTED;
  }
  const long steps = lrint(t_end / dt);
  for (long k = 1; k <= steps && status == BASE_OK; ++k) {
    struct form_report report = {0};
    status = job.form->step(workspace, &state, (double)k * dt - state.t, &report);
    state.t = (double)k * dt;
    if (status == BASE_OK && watch != NULL && watch(c.mech, &state, &report, context)) {
      break;
    }
  }
  if (workspace != NULL && job.form->free != NULL) {
    job.form->free(workspace);
  }
  return status;
}
