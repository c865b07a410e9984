/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors before, at and after the first contact; see encounter.h.
 */
#include "bench/reference/encounter.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/status.h"
#include "bench/reference/mass_norm.h"
#include "bench/reference/reference.h"
#include "bench/reference/runner.h"
#include "form/carried.h"
#include "la/dense.h"
#include "mech/contacts.h"
#include "mech/mech.h"

enum { BEFORE = BENCH_ENCOUNTER_BEFORE, STATES = BENCH_ENCOUNTER_STATES };
/* Times of the reference this close, relative to the time, are those of a state: both are the same
 * multiples of dt, in other words. */
static const double SAME_TIME = 1e-12;
/* A gap this small at the start, over the system's length, is none: bodies lie on each other, and
 * their perturbed starts would have `event` follow every chatter in it. */
static const double TOUCHES = 1e-6;

static void see_touch(void *data, const struct mech_contacts *c, int i) {
  (void)c, (void)i;
  *(int *)data = 1;
}

void bench_encounter_init(struct bench_encounter *e, const struct mech *m,
                          const struct form_state *state, struct base_arena *arena) {
  struct mech_contacts contact;
  *e = (struct bench_encounter){.nq = m->nq, .nu = m->nu};
  e->t = base_arena_doubles(arena, STATES);
  e->q = base_arena_matrix(arena, m->nq, STATES);
  e->u = base_arena_matrix(arena, m->nu, STATES);
  if (m->ops->contacts != NULL) {
    mech_contacts_init(&contact, m, arena);
    mech_contacts_visit(m, state->q, TOUCHES * m->length, see_touch, &e->met, &contact);
  }
  bench_encounter_note(e, state, 0);
}

/* The oldest state goes. */
static void drop(struct bench_encounter *e) {
  const size_t left = (size_t)--e->n, nq = (size_t)e->nq, nu = (size_t)e->nu;
  memmove(e->t, e->t + 1, left * sizeof *e->t);
  memmove(e->q, e->q + nq, left * nq * sizeof *e->q);
  memmove(e->u, e->u + nu, left * nu * sizeof *e->u);
}

void bench_encounter_note(struct bench_encounter *e, const struct form_state *state, int onsets) {
  e->met = e->met || onsets > 0;
  const int is_early = e->met && e->n < BEFORE; /* nothing of a flight to be told */
  if (e->nq == 0 || e->n == STATES || is_early) {
    return;
  }
  if (!e->met && e->n == BEFORE) {
    drop(e);
  }
  e->t[e->n] = state->t;
  la_copy(e->nq, state->q, e->q + (size_t)e->n * (size_t)e->nq);
  la_copy(e->nu, state->u, e->u + (size_t)e->n * (size_t)e->nu);
  ++e->n;
}

void bench_encounter_pass(struct bench_encounter *e, struct base_blob *blob) {
  if (e->nq == 0) {
    return;
  }
  base_blob_int(blob, &e->n, 0, STATES);
  base_blob_pass(blob, &e->met, sizeof e->met);
  base_blob_pass(blob, e->t, STATES * sizeof *e->t);
  base_blob_pass(blob, e->q, STATES * (size_t)e->nq * sizeof *e->q);
  base_blob_pass(blob, e->u, STATES * (size_t)e->nu * sizeof *e->u);
}

/* ---- exact motions ---- */

/* The motion by `event` from a kept state on (from >= 0), or from the case's start, through the
 * kept states' times from the first one after it to `last`: published in rows k = 0 ... last, and
 * struck[k]: it had an onset up to there; those up to `from` are left out. BASE_OK, or why there is
 * none. */
static int follow(const struct bench_sampled *run, int from, int last, struct bench_path *path,
                  int *struck) {
  const struct bench_encounter *e = run->encounter;
  struct bench_runner r;
  struct form_carried carried;
  const struct bench_integration by = {.job = run->job,
                                       .tightenings = -1,
                                       .deadline = base_clock_deadline(run->job->time_limit),
                                       .arena = run->arena};
  int status = bench_runner_begin(&by, run->job->dt, &r), met = 0;
  if (status == BASE_OK) {
    form_carried_init(&carried, run->arena);
    bench_runner_path(&r, STATES, path);
    path->n = from + 1;
  }
  if (status == BASE_OK && from >= 0) {
    r.state.t = e->t[from];
    la_copy(e->nq, e->q + (size_t)from * (size_t)e->nq, r.state.q);
    la_copy(e->nu, e->u + (size_t)from * (size_t)e->nu, r.state.u);
  }
  for (int k = from + 1; status == BASE_OK && k <= last; ++k) {
    struct form_report report;
    status = bench_runner_go(&r, e->t[k], &report);
    if (status == BASE_OK) {
      met = met || form_carried_onsets(&carried, &report) > 0;
      struck[k] = met;
      bench_runner_observe(&r, path);
    }
  }
  bench_runner_end(&r);
  return status;
}

/* The reference at the kept states and at the end of the run. */
static void reference_of(const struct bench_sampled *run, double end, struct bench_path *ref,
                         struct bench_reference *reference) {
  double t[STATES + 1];
  la_copy(STATES, run->encounter->t, t);
  t[STATES] = end;
  const int n = end > t[STATES - 1] ? STATES + 1 : STATES;
  reference->is_cut |=
      bench_reference_at(run->job, run->m, BENCH_FOR_CONTACT, n, t, run->arena, ref).is_cut;
}

/* ---- differences ---- */

/* Row of a path at time t; -1: it has none. */
static int row_at(const struct bench_path *path, double t) {
  for (int k = 0; k < path->n; ++k) {
    if (fabs(path->t[k] - t) <= SAME_TIME * fabs(t)) {
      return k;
    }
  }
  return -1;
}

/* dq: nq_out and du: nu_out of a kept state minus row k of a path, in published names. */
static void subtract(const struct bench_encounter *e, const struct mech *m, int state,
                     const struct bench_path *path, int k, double *dq, double *du) {
  bench_observe(m, e->q + (size_t)state * (size_t)e->nq, e->u + (size_t)state * (size_t)e->nu, dq,
                du);
  la_axpy(path->nq, -1, path->q + (size_t)k * (size_t)path->nq, dq);
  la_axpy(path->nu, -1, path->u + (size_t)k * (size_t)path->nu, du);
}

/* Into two of the errors: differences about the coordinates q of the system, weighted. */
static void weigh(const struct bench_sampled *run, const double *q, const double *dq,
                  const double *du, double *q_mass, double *u_mass) {
  *q_mass = bench_mass_norm_q(run->m, q, dq, run->arena);
  *u_mass = bench_mass_norm_u(run->m, q, du, run->arena);
}

/* The change of the error from the kept state b, to the last sample. */
static void measure_after(const struct bench_sampled *run, int b, const struct bench_path *path,
                          const struct bench_path *ref, struct bench_errors *errors) {
  const struct bench_encounter *e = run->encounter;
  const int at_b = row_at(ref, e->t[b]), last = path->n - 1, at_last = row_at(ref, path->t[last]);
  if (at_b < 0 || at_last < 0 || path->state == NULL || path->t[last] < e->t[b]) {
    return;
  }
  double *dq = base_arena_doubles(run->arena, path->nq);
  double *du = base_arena_doubles(run->arena, path->nu);
  subtract(e, run->m, b, ref, at_b, dq, du);
  const size_t kq = (size_t)path->nq, ku = (size_t)path->nu;
  for (size_t j = 0; j < kq; ++j) {
    dq[j] = path->q[(size_t)last * kq + j] - ref->q[(size_t)at_last * kq + j] - dq[j];
  }
  for (size_t j = 0; j < ku; ++j) {
    du[j] = path->u[(size_t)last * ku + j] - ref->u[(size_t)at_last * ku + j] - du[j];
  }
  weigh(run, path->state + (size_t)last * (size_t)run->m->nq, dq, du, &errors->after_q_mass,
        &errors->after_u_mass);
}

void bench_encounter_measure(const struct bench_sampled *run, const struct bench_path *path,
                             struct bench_reference *reference, struct bench_errors *errors) {
  const struct bench_encounter *e = run->encounter;
  const struct mech *m = run->m;
  struct bench_path exact, ref;
  int struck[STATES] = {0}, own[STATES] = {0}, a = BEFORE - 1;
  if (e->n < STATES || path->n == 0 || e->t[STATES - 1] > path->t[path->n - 1]) {
    return;
  }
  if (follow(run, -1, BEFORE - 1, &exact, struck) != BASE_OK || struck[0]) {
    return;
  }
  a -= struck[a];
  reference_of(run, path->t[path->n - 1], &ref, reference);
  const int at_a = row_at(&ref, e->t[a]);
  if (at_a < 0 || follow(run, a, STATES - 1, &exact, own) != BASE_OK) {
    return;
  }
  const int onset = own[BEFORE] ? BEFORE : BEFORE + 1, b = onset + 1;
  if (!own[onset]) {
    return;
  }
  double *dq = base_arena_doubles(run->arena, m->nq_out);
  double *du = base_arena_doubles(run->arena, m->nu_out);
  subtract(e, m, a, &ref, at_a, dq, du);
  weigh(run, e->q + (size_t)a * (size_t)e->nq, dq, du, &errors->flight_q_mass,
        &errors->flight_u_mass);
  subtract(e, m, b, &exact, b, dq, du);
  weigh(run, e->q + (size_t)b * (size_t)e->nq, dq, du, &errors->impact_q_mass,
        &errors->impact_u_mass);
  measure_after(run, b, path, &ref, errors);
}
