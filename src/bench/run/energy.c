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
 * step. The works of the reference are those of `event`, also where the motion has a closed form;
 * the total is that of the closed form where published coordinates are the system's own.
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
  double *dV, *x; /* nq */
};

/* P = -dV/dq . qdot [W]; without a gradient by a central difference along qdot. */
static double power_of_potential(struct synchronous *s, const struct bench_run *run) {
  const struct mech *m = run->m;
  const double *q = run->state.q;
  if (m->ops->potential == NULL) {
    return 0;
  }
  mech_qdot(m, q, run->state.u, s->x, run->arena);
  if (m->ops->potential_gradient != NULL) {
    m->ops->potential_gradient(m, q, s->dV);
    return -la_dot(m->nq, s->dV, s->x);
  }
  const double size = mech_largest(m->nq, s->x), h = mech_difference_step(m) / size;
  double V[2];
  if (!(size > 0)) {
    return 0;
  }
  la_copy(m->nq, s->x, s->dV);
  for (int side = 0; side < 2; ++side) {
    la_copy(m->nq, q, s->x);
    la_axpy(m->nq, side == 0 ? -h : h, s->dV, s->x);
    V[side] = m->ops->potential(m, s->x);
  }
  return -(V[1] - V[0]) / (2 * h);
}

static int begin(void *data, struct bench_run *run) {
  struct synchronous *s = data;
  s->dV = base_arena_doubles(run->arena, run->m->nq);
  s->x = base_arena_doubles(run->arena, run->m->nq);
  s->power_0 = power_of_potential(s, run);
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
  const double offset = s->lag > 0 ? s->lag * (power_of_potential(s, run) - s->power_0) : 0;
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

/* Energies and works of the reference at the times of `ref`: its own where it is by event, else
 * those of another one by event. 0 with a reason where there are none. */
static int find_energies(const struct bench_job *job, const struct bench_path *ref,
                         struct base_arena *arena, struct bench_path *energies,
                         struct bench_outcome *out) {
  *energies = *ref;
  if (ref->work != NULL) {
    return 1;
  }
  if (bench_reference_energies(job, ref->n, ref->t, arena, energies, out) != BASE_OK) {
    snprintf(out->energy_errors.reason, sizeof out->energy_errors.reason, "%s", base_message());
    return 0;
  }
  return 1;
}

/* Total energy of a closed form in the system's own coordinates. */
static void closed_form_energies(const struct mech *m, const struct bench_path *ref,
                                 struct base_arena *arena, double *energy) {
  for (int k = 0; k < ref->n; ++k) {
    energy[k] = mech_energy(m, ref->q + (size_t)k * (size_t)ref->nq,
                            ref->u + (size_t)k * (size_t)ref->nu, arena);
  }
}

void bench_measure_energy_errors(const struct bench_job *job, const struct mech *m,
                                 const struct bench_path *path, const struct bench_path *ref,
                                 struct base_arena *arena, struct bench_outcome *out) {
  struct bench_path energies;
  double *const channels[] = {&out->energy_errors.friction, &out->energy_errors.impact,
                              &out->energy_errors.damping};
  if (path->work == NULL || ref->n == 0) {
    return;
  }
  const int is_own = ref->work == NULL && m->ops->observe == NULL;
  const int found = find_energies(job, ref, arena, &energies, out);
  double taken = 0;
  for (int c = 0; c < BENCH_CHANNELS && found; ++c) {
    *channels[c] = mean_difference(path, path->work, &energies, energies.work, BENCH_CHANNELS, c);
    taken += fabs(energies.work[(size_t)(energies.n - 1) * BENCH_CHANNELS + (size_t)c]);
  }
  if (found) {
    out->quality.energy = fmax(energies.kinetic_max, taken);
  }
  if (is_own) {
    energies = *ref;
    energies.energy = base_arena_doubles(arena, ref->n);
    closed_form_energies(m, ref, arena, energies.energy);
  }
  if (found || is_own) {
    out->energy_errors.kind = is_own ? "analytic" : "event";
    out->energy_errors.total =
        mean_difference(path, path->energy, &energies, energies.energy, 1, 0);
  }
}
