/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the drift of the energy budget (measure.c) does not tell; see run.h.
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
 *
 * The drift is blind to a wrong impact or friction law: energy that is lost by a wrong law is
 * booked, not missing. So the total energy and the works of friction, impact and damping are
 * compared with those of the reference, each by its mean difference over the samples: a mean,
 * because energies jump at impacts, and one that comes a step late is to count for the length of a
 * step. Where the motion has a closed form, the total is its energy if published coordinates are
 * the system's own, and the works are those the case tells; else, and for all others, they are
 * those of `event`.
 */
#include <math.h>
#include <stdio.h>

#include "base/memory/memory.h"
#include "base/status.h"
#include "bench/run/listener.h"
#include "la/dense.h"
#include "mech/difference.h"

struct synchronous {
  double lag;     /* [s] */
  double power_0; /* P at the start [W] */
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

static int begin(void *data, struct bench_run *run) {
  struct synchronous *s = data;
  s->power_0 = power_of_potential(run);
  run->synchronous_energy = run->energy;
  run->out->energy_errors.kind = "none";
  run->out->energy_errors.total = run->out->energy_errors.friction = NAN;
  run->out->energy_errors.impact = run->out->energy_errors.damping = NAN;
  run->out->quality.energy = NAN;
  return BASE_OK;
}

static int step(void *data, struct bench_run *run) {
  struct synchronous *s = data;
  struct bench_outcome *out = run->out;
  s->lag = fmax(s->lag, run->report->lag);
  const double offset = s->lag > 0 ? s->lag * (power_of_potential(run) - s->power_0) : 0;
  run->synchronous_energy = run->energy + offset;
  out->energy.max_synchronous_drift =
      fmax(out->energy.max_synchronous_drift, fabs(out->energy.numerical + offset));
  return BASE_OK;
}

static void pass(void *data, struct base_blob *blob) {
  struct synchronous *s = data;
  base_blob_pass(blob, &s->lag, sizeof s->lag);
  base_blob_pass(blob, &s->power_0, sizeof s->power_0);
}

void bench_energy_listen(struct bench_run *run) {
  bench_run_listen(
      run, (struct bench_listener){.data = base_arena_push(run->arena, sizeof(struct synchronous)),
                                   .on = {[BENCH_BEGIN] = begin, [BENCH_STEP] = step},
                                   .pass = pass});
}

/* ---- against the reference ---- */

/* Mean |a - b| over the samples of a path; column `at` of `width` in both, b at the samples' times
 * among its own. */
static double mean_difference(const struct bench_path *path, const double *a,
                              const struct bench_path *ref, const double *b, int width, int at) {
  double sum = 0;
  for (int k = 0, j = 0; k < path->n; ++k) {
    while (ref->t[j] < path->t[k]) { /* every sample is among the times of the reference */
      ++j;
    }
    sum +=
        fabs(a[(size_t)k * (size_t)width + (size_t)at] - b[(size_t)j * (size_t)width + (size_t)at]);
  }
  return sum / path->n;
}

/* The closed form at the times of `ref`: its works, and where its coordinates are the system's own
 * its energies. */
static void closed_form_energies(const struct bench_job *job, const struct mech *m,
                                 struct base_arena *arena, struct bench_path *ref) {
  const int is_own = m->ops->observe == NULL;
  bench_path_alloc_energies(ref, arena);
  for (int k = 0; k < ref->n; ++k) {
    const double *q = ref->q + (size_t)k * (size_t)ref->nq,
                 *u = ref->u + (size_t)k * (size_t)ref->nu;
    ref->energy[k] = is_own ? mech_energy(m, q, u, arena) : NAN;
    ref->kinetic_max = is_own ? fmax(ref->kinetic_max, mech_kinetic(m, q, u, arena)) : 0;
    if (job->type->work != NULL) {
      job->type->work(job->parameters, ref->t[k], ref->work + (size_t)k * BENCH_CHANNELS);
    }
  }
}

/* Works that neither the reference nor the closed form tells, by `event`; and energies. */
static int follow_by_event(const struct bench_job *job, struct base_arena *arena,
                           struct bench_path *ref, struct bench_outcome *out) {
  struct bench_path by_event;
  const int status = bench_reference_energies(job, ref->n, ref->t, arena, &by_event, out);
  if (status != BASE_OK) {
    snprintf(out->energy_errors.reason, sizeof out->energy_errors.reason, "%s", base_message());
    return 0;
  }
  ref->work = by_event.work;
  ref->kinetic_max = fmax(ref->kinetic_max, by_event.kinetic_max);
  if (isnan(ref->energy[0])) {
    ref->energy = by_event.energy;
  }
  return 1;
}

void bench_measure_energy_errors(const struct bench_job *job, const struct mech *m,
                                 const struct bench_path *path, struct bench_path *ref,
                                 struct base_arena *arena, struct bench_outcome *out) {
  double *const channels[] = {&out->energy_errors.friction, &out->energy_errors.impact,
                              &out->energy_errors.damping};
  int has_work = ref->work != NULL, is_closed = 0;
  if (path->work == NULL || ref->n == 0) {
    return;
  }
  if (!has_work) {
    closed_form_energies(job, m, arena, ref);
    is_closed = !isnan(ref->energy[0]);
    has_work = job->type->work != NULL || follow_by_event(job, arena, ref, out);
  }
  double taken = 0;
  for (int c = 0; c < BENCH_CHANNELS && has_work; ++c) {
    *channels[c] = mean_difference(path, path->work, ref, ref->work, BENCH_CHANNELS, c);
    taken += fabs(ref->work[(size_t)(ref->n - 1) * BENCH_CHANNELS + (size_t)c]);
  }
  if (has_work || is_closed) {
    out->quality.energy = fmax(ref->kinetic_max, taken);
  }
  if (!isnan(ref->energy[0])) {
    out->energy_errors.kind = is_closed ? "analytic" : "event";
    out->energy_errors.total = mean_difference(path, path->energy, ref, ref->energy, 1, 0);
  }
}
