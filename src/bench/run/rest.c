/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Creep and jitter of bodies at rest; see blocks.h. They are measured over the second half of a
 * run, from the first step that begins in it: with q_0, u_0 there and published coordinates q and
 * velocities u later,
 *
 *   creep    |q - q_0|_inf / (t - t_0) at the end
 *   jitter   the largest standard deviation of a velocity over time, of u - u_0 as a difference
 *            of large numbers would lose it
 *
 * and neither where the bodies went farther than AT_REST of the system's length meanwhile, or come
 * and go.
 */
#include <math.h>

#include "base/status.h"
#include "bench/outcome/path.h"
#include "bench/run/listener.h"
#include "la/dense.h"

/* Bodies that go farther than this, over the system's length, are not at rest. */
static const double AT_REST = 0.01;

struct rest {
  double from;           /* t_0 [s]; NaN: not there yet */
  double far;            /* most |q - q_0|_inf since [m, rad] */
  double creep;          /* so far */
  double *q0, *u0;       /* nq_out, nu_out */
  double *sum, *squares; /* nu_out, over time, of u - u_0 and its square */
  double *q, *u;         /* nq_out, nu_out: scratch */
  size_t n_q, n_u;       /* nq_out, nu_out */
  struct bench_rest *found;
};

static int is_at_rest(const struct rest *r, const struct mech *m) {
  return r->far <= AT_REST * m->length;
}

static int step(void *data, struct bench_run *run) {
  struct rest *r = data;
  const struct mech *m = run->m;
  if (run->t_before < run->job->t_end / 2 || !is_at_rest(r, m)) {
    return BASE_OK;
  }
  if (isnan(r->from)) {
    r->from = run->t_before;
    la_copy(m->nq_out, run->q_before, r->q0);
    la_copy(m->nu_out, run->u_before, r->u0);
  }
  bench_observe(m, run->state.q, run->state.u, r->q, r->u);
  la_axpy(m->nq_out, -1, r->q0, r->q);
  la_axpy(m->nu_out, -1, r->u0, r->u);
  const double way = la_norm_inf(m->nq_out, r->q);
  r->far = fmax(r->far, way);
  r->creep = way / (run->state.t - r->from);
  for (int i = 0; i < m->nu_out; ++i) {
    r->sum[i] += run->dt * r->u[i];
    r->squares[i] += run->dt * r->u[i] * r->u[i];
  }
  return BASE_OK;
}

static int end(void *data, struct bench_run *run) {
  const struct rest *r = data;
  const double time = run->state.t - r->from;
  double variance = 0;
  if (!(time > 0) || !is_at_rest(r, run->m)) {
    return BASE_OK;
  }
  for (int i = 0; i < run->m->nu_out; ++i) {
    const double mean = r->sum[i] / time;
    variance = fmax(variance, r->squares[i] / time - mean * mean);
  }
  *r->found = (struct bench_rest){r->creep, sqrt(variance)};
  return BASE_OK;
}

static void pass(void *data, struct base_blob *blob) {
  struct rest *r = data;
  double *const numbers[] = {&r->from, &r->far, &r->creep};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
    base_blob_pass(blob, numbers[i], sizeof *numbers[i]);
  }
  base_blob_pass(blob, r->q0, r->n_q * sizeof *r->q0);
  double *const velocities[] = {r->u0, r->sum, r->squares};
  for (size_t i = 0; i < sizeof velocities / sizeof *velocities; ++i) {
    base_blob_pass(blob, velocities[i], r->n_u * sizeof(double));
  }
}

void bench_rest_listen(struct bench_run *run) {
  const struct mech *m = run->m;
  struct base_arena *arena = run->arena;
  run->out->rest = (struct bench_rest){NAN, NAN};
  if (m->ops->open.inflow_outflow != NULL) {
    return;
  }
  struct rest *r = base_arena_push(arena, sizeof *r);
  r->from = NAN;
  r->found = &run->out->rest;
  r->n_q = (size_t)m->nq_out;
  r->n_u = (size_t)m->nu_out;
  BASE_ARENA_VECTORS(arena, m->nq_out, &r->q0, &r->q);
  BASE_ARENA_VECTORS(arena, m->nu_out, &r->u0, &r->u, &r->sum, &r->squares);
  bench_run_listen(run, (struct bench_listener){.data = r,
                                                .on = {[BENCH_STEP] = step, [BENCH_END] = end},
                                                .pass = pass});
}
