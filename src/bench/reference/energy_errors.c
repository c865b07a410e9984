/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors of energies against the reference; see run.h.
 *
 * The drift of the energy budget is blind to a wrong impact or friction law: energy that is lost by
 * a wrong law is booked, not missing. So the total energy and the works of friction, impact and
 * damping are compared with those of the reference, each by its mean difference over the samples: a
 * mean, because energies jump at impacts, and one that comes a step late is to count for the length
 * of a step. Where the motion has a closed form, the works are those the case tells, if it does,
 * and the total is that of the state where published coordinates are the system's own, else what
 * the works leave of the energy at the start. All others are those of `event`.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "bench/reference/errors.h"
#include "bench/reference/reference.h"

struct bench_energy_errors bench_no_energy_errors(void) {
  return (struct bench_energy_errors){.kind = "none",
                                      .total = NAN,
                                      .friction = NAN,
                                      .impact = NAN,
                                      .damping = NAN,
                                      .at_stake = NAN};
}

/* Mean |a - b| over the samples of a path; column `at` of `width` in both. */
static double mean_difference(const struct bench_path *path, const double *a, const double *b,
                              int width, int at) {
  double sum = 0;
  for (size_t k = (size_t)at; k < (size_t)path->n * (size_t)width; k += (size_t)width) {
    sum += fabs(a[k] - b[k]);
  }
  return sum / path->n;
}

/* The closed form at the times of `ref`: its works, and its energies, of the state where its
 * coordinates are the system's own, else by the works. */
static void closed_form_energies(const struct bench_sampled *run, struct bench_path *ref) {
  const struct bench_job *job = run->job;
  const struct mech *m = run->m;
  struct base_arena *arena = run->arena;
  const int is_own = m->ops->observe == NULL;
  bench_path_alloc_energies(ref, arena);
  for (int k = 0; k < ref->n; ++k) {
    const double *q = ref->q + (size_t)k * (size_t)ref->nq,
                 *u = ref->u + (size_t)k * (size_t)ref->nu;
    double work[BENCH_CHANNELS + 1] = {0}; /* the last of applied forces */
    if (job->type->work != NULL && ref->t[k] > 0) {
      job->type->work(job->parameters, ref->t[k], work);
    }
    memcpy(ref->work + (size_t)k * BENCH_CHANNELS, work, BENCH_CHANNELS * sizeof *work);
    ref->energy[k] = is_own ? mech_energy(m, q, u, arena)
                     : job->type->work == NULL
                         ? NAN
                         : run->energy + work[0] + work[1] + work[2] + work[3];
    ref->kinetic_max = is_own ? fmax(ref->kinetic_max, mech_kinetic(m, q, u, arena)) : 0;
  }
}

/* Works that neither the reference nor the closed form tells, by `event`; and energies. */
static int follow_by_event(const struct bench_sampled *run, struct bench_path *ref,
                           struct bench_energy_errors *errors) {
  struct bench_path by_event;
  const int status =
      bench_reference_energies(run->job, run->m, ref->n, ref->t, run->arena, &by_event);
  if (status != BASE_OK) {
    snprintf(errors->reason, sizeof errors->reason, "%s", base_message());
    return 0;
  }
  ref->work = by_event.work;
  ref->kinetic_max = fmax(ref->kinetic_max, by_event.kinetic_max);
  if (isnan(ref->energy[0])) {
    ref->energy = by_event.energy;
  }
  return 1;
}

void bench_measure_energy_errors(const struct bench_sampled *run, const struct bench_path *path,
                                 struct bench_path *ref, struct bench_energy_errors *errors) {
  double *const channels[] = {&errors->friction, &errors->impact, &errors->damping};
  int has_work = ref->work != NULL, is_closed = 0;
  if (path->work == NULL || ref->n == 0) {
    return;
  }
  if (!has_work) {
    closed_form_energies(run, ref);
    is_closed = !isnan(ref->energy[0]);
    has_work = run->job->type->work != NULL || follow_by_event(run, ref, errors);
  }
  double taken = 0;
  for (int c = 0; c < BENCH_CHANNELS && has_work; ++c) {
    *channels[c] = mean_difference(path, path->work, ref->work, BENCH_CHANNELS, c);
    taken += fabs(ref->work[(size_t)(ref->n - 1) * BENCH_CHANNELS + (size_t)c]);
  }
  if (has_work || is_closed) {
    errors->at_stake = fmax(ref->kinetic_max, taken);
  }
  if (!isnan(ref->energy[0])) {
    errors->kind = is_closed ? "analytic" : "event";
    errors->total = mean_difference(path, path->energy, ref->energy, 1, 0);
  }
}
