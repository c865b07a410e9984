/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The drift of the energy budget (measure.c) without what a scheme's half step makes of it; see
 * run.h.
 *
 * A scheme that moves q by (1 - theta) dt u^B + theta dt u^E has velocities that are ahead of the
 * coordinates by lag = (theta - 1/2) dt: with constant forces u^E is exact and q is not. Over a
 * step potential and kinetic energy then miss each other by lag dV/dq . (qdot^E - qdot^B), which
 * adds up to lag times the change of P = -dV/dq . qdot: an error of first order that is bounded and
 * returns, semi-implicit Euler's half step. What is left without it,
 *
 *   numerical + lag (P - P_0),
 *
 * is the drift with velocities and coordinates at one time.
 */
#include <math.h>

#include "base/status.h"
#include "bench/run/listener.h"
#include "la/dense.h"
#include "mech/difference.h"

struct synchronous {
  double lag;     /* [s] */
  double power_0; /* P at the start [W] */
  struct bench_synchronous *found;
};

/* P = -dV/dq . qdot [W]; without a gradient by a central difference along qdot. */
static double power_of_potential(const struct bench_run *run) {
  const struct mech *m = run->m;
  const double *q = run->state.q;
  if (m->ops->potential == NULL) {
    return 0;
  }
  const struct base_arena_mark mark = base_arena_mark(run->arena);
  double *dV = base_arena_doubles(run->arena, m->nq), *x = base_arena_doubles(run->arena, m->nq);
  mech_qdot(m, q, run->state.u, x, run->arena);
  const double size = mech_largest(m->nq, x), h = mech_difference_step(m) / size;
  double power = 0;
  if (m->ops->potential_gradient != NULL) {
    m->ops->potential_gradient(m, q, dV);
    power = -la_dot(m->nq, dV, x);
  } else if (size > 0) {
    double V[2];
    la_copy(m->nq, x, dV);
    for (int side = 0; side < 2; ++side) {
      la_copy(m->nq, q, x);
      la_axpy(m->nq, side == 0 ? -h : h, dV, x);
      V[side] = m->ops->potential(m, x);
    }
    power = -(V[1] - V[0]) / (2 * h);
  }
  base_arena_release(run->arena, mark);
  return power;
}

/* The largest force so far: that times a length is an energy, also where nothing moves. */
static void note_force(struct synchronous *s, struct bench_run *run) {
  const struct mech *m = run->m;
  const struct base_arena_mark mark = base_arena_mark(run->arena);
  double *h = base_arena_doubles(run->arena, m->nu);
  m->ops->force(m, run->state.q, run->state.u, run->state.t, h);
  s->found->force = fmax(s->found->force, la_norm_inf(m->nu, h));
  base_arena_release(run->arena, mark);
}

static int begin(void *data, struct bench_run *run) {
  struct synchronous *s = data;
  note_force(s, run);
  s->power_0 = power_of_potential(run);
  run->synchronous_energy = run->energy;
  return BASE_OK;
}

static int step(void *data, struct bench_run *run) {
  struct synchronous *s = data;
  note_force(s, run);
  s->lag = fmax(s->lag, run->report->lag);
  const double offset = s->lag > 0 ? s->lag * (power_of_potential(run) - s->power_0) : 0;
  run->synchronous_energy = run->energy + offset;
  s->found->max_drift = bench_worst(s->found->max_drift, fabs(run->out->energy.numerical + offset));
  return BASE_OK;
}

static void pass(void *data, struct base_blob *blob) {
  struct synchronous *s = data;
  base_blob_pass(blob, &s->lag, sizeof s->lag);
  base_blob_pass(blob, &s->power_0, sizeof s->power_0);
  base_blob_pass(blob, s->found, sizeof *s->found);
}

void bench_energy_listen(struct bench_run *run) {
  struct synchronous *s = base_arena_push(run->arena, sizeof *s);
  s->found = &run->out->synchronous;
  bench_run_listen(run, (struct bench_listener){.data = s,
                                                .on = {[BENCH_BEGIN] = begin, [BENCH_STEP] = step},
                                                .pass = pass});
}
