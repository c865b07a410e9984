/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Momentum of bodies on which gravity alone acts from outside, by the states of all steps: with p
 * and L of mech/assembly/momentum.c and M the mass of all bodies,
 *
 *   linear_drift   |p - p_0 - M g (t - t_0)|        angular_drift   |L - L_0|
 *
 * whatever the bodies do to each other. Velocities that are a fraction of a step from their
 * coordinates are so at the start as well, so that both hold for them too.
 */
#include <math.h>

#include "base/status.h"
#include "bench/run/listener.h"
#include "mech/assembly/assembly.h"
#include "mech/vector3.h"

struct momentum {
  const struct mech_assembly *a;
  double t, p[3], L[3];   /* at the start [s], [N s], [N m s] */
  double linear, angular; /* largest so far */
};

static int begin(void *data, struct bench_run *run) {
  struct momentum *s = data;
  s->t = run->state.t;
  mech_assembly_momentum(s->a, run->state.q, run->state.u, s->p, s->L);
  return BASE_OK;
}

static int step(void *data, struct bench_run *run) {
  struct momentum *s = data;
  double p[3], L[3], g[3];
  const double mass = mech_assembly_momentum(s->a, run->state.q, run->state.u, p, L);
  mech_assembly_get_gravity(s->a, g);
  mech_add3(-mass * (run->state.t - s->t), g, p);
  mech_add3(-1, s->p, p);
  mech_add3(-1, s->L, L);
  s->linear = fmax(s->linear, sqrt(mech_dot3(p, p)));
  s->angular = fmax(s->angular, sqrt(mech_dot3(L, L)));
  return BASE_OK;
}

static int end(void *data, struct bench_run *run) {
  const struct momentum *s = data;
  if (run->taken > 0) {
    run->out->momentum.linear_drift = s->linear;
    run->out->momentum.angular_drift = s->angular;
  }
  return BASE_OK;
}

static void pass(void *data, struct base_blob *blob) {
  struct momentum *s = data;
  base_blob_pass(blob, &s->t, sizeof s->t);
  base_blob_pass(blob, s->p, sizeof s->p);
  base_blob_pass(blob, s->L, sizeof s->L);
  base_blob_pass(blob, &s->linear, sizeof s->linear);
  base_blob_pass(blob, &s->angular, sizeof s->angular);
}

void bench_momentum_listen(struct bench_run *run) {
  const struct mech_assembly *a = mech_assembly_of(run->m);
  run->out->momentum.linear_drift = run->out->momentum.angular_drift = NAN;
  if (a == NULL || !mech_assembly_is_free(a) || run->m->ops->open.inflow_outflow != NULL) {
    return;
  }
  struct momentum *s = base_arena_push(run->arena, sizeof *s);
  *s = (struct momentum){.a = a};
  bench_run_listen(run, (struct bench_listener){
                            .data = s,
                            .on = {[BENCH_BEGIN] = begin, [BENCH_STEP] = step, [BENCH_END] = end},
                            .pass = pass});
}
