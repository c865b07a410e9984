/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Motions as references; see motion.h.
 *
 * States are kept so closely that about STATE_STEPS internal steps of the integrator lie between
 * two: the motion at any time is a few steps from the last state before it.
 */
#include "bench/reference/motion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory/memory.h"
#include "base/status.h"
#include "bench/job/start.h"
#include "la/dense.h"

static const double SAFETY = 10; /* the other one errs too, and not always the other way */
/* See motion.h. Small enough that closed contacts stay closed (EVENT_DRIFT), and large beside the
 * tolerances; growth by APART / START leaves `event` seven digits. */
static const double START = 1e-10, APART = 1e-5;
enum { PERTURBED = 3, SEED = 20110 };
/* The first state after the start, over the horizon: what happens at the start has happened. */
static const double FIRST = 1e-6;
/* Most and fewest states, and internal steps between two. */
enum { STATES_MIN = 256, STATES_MAX = 8192, STATE_STEPS = 4 };

/* ---- the motion itself ---- */

static void keep_state(struct bench_runner *r, struct bench_motion *motion) {
  motion->t[motion->n] = r->state.t;
  bench_runner_pass(r, &motion->states);
  motion->at[++motion->n] = motion->states.n;
}

/* path: the published coordinates at the states. */
static int follow(struct bench_runner *r, struct bench_motion *motion, struct bench_path *path) {
  const struct bench_job *job = r->by.job;
  struct base_arena *arena = r->by.arena;
  const double widest = job->t_end / STATES_MIN, closest = job->t_end / STATES_MAX;
  const int most = STATES_MAX + STATES_MIN;
  motion->t = base_arena_doubles(arena, most);
  motion->at = base_arena_array(arena, 1, (size_t)most + 1, sizeof *motion->at);
  bench_runner_path(r, most, path);
  keep_state(r, motion);
  bench_runner_observe(r, path);
  double wide = FIRST * job->t_end;
  int status = BASE_OK;
  while (status == BASE_OK && r->state.t < job->t_end) {
    struct form_report report;
    const double t = motion->n == most - 1 ? job->t_end : r->state.t + wide;
    const double next = t + 0.5 * closest < job->t_end ? t : job->t_end;
    const double before = r->state.t;
    status = bench_runner_go(r, next, &report);
    if (report.several && motion->until >= job->t_end) {
      motion->until = before;
      snprintf(motion->reason, sizeof motion->reason,
               "no reference after t = %.9g s: Coulomb's law has several solutions there", before);
    }
    if (status == BASE_OK) {
      keep_state(r, motion);
      bench_runner_observe(r, path);
      const double fit = wide * STATE_STEPS / fmax(report.internal_steps, 1);
      wide = motion->n == 2 ? widest : fmax(closest, fmin(fit, widest));
    }
  }
  return status;
}

/* ---- up to when, and how well ---- */

static double distance_at(const struct bench_path *a, const struct bench_path *b, int k) {
  const size_t at = (size_t)k * (size_t)a->nq;
  double largest = 0;
  for (size_t j = 0; j < (size_t)a->nq_compared; ++j) {
    largest = fmax(largest, fabs(a->q[at + j] - b->q[at + j]));
  }
  return largest;
}

/* Another motion beside the states up to motion->until; from the start perturbed by seed (0: not).
 * *most: the largest distance. Where it moves away by more than `apart`, or breaks down, `until`
 * becomes the last time before. BASE_OK, or why it cannot be made. */
static int accompany(const struct bench_integration *by, unsigned long seed, double apart,
                     const struct bench_path *path, struct bench_motion *motion, double *most) {
  const struct base_arena_mark mark = base_arena_mark(by->arena);
  struct bench_runner r;
  struct bench_path other;
  int status = bench_runner_begin(by, by->job->t_end / STATES_MIN, &r), ends = 0;
  *most = 0;
  if (status == BASE_OK) {
    bench_runner_path(&r, motion->n, &other);
    bench_runner_observe(&r, &other);
  }
  for (int k = 1; status == BASE_OK && !ends && k < motion->n && motion->t[k] <= motion->until;
       ++k) {
    struct form_report report;
    status = bench_runner_go(&r, motion->t[k], &report);
    if (status == BASE_OK) {
      if (k == 1 && seed > 0) {
        bench_start_perturb(r.instance.mech, START, seed, r.state.q, r.state.u, by->arena);
      }
      bench_runner_observe(&r, &other);
      const double now = distance_at(path, &other, k);
      ends = !(now <= apart);
      *most = ends ? *most : fmax(*most, now);
    } else if (status != BASE_TIMEOUT) {
      ends = 1;
      status = BASE_OK;
    }
    motion->until = ends ? motion->t[k - 1] : motion->until;
  }
  bench_runner_end(&r);
  base_arena_release(by->arena, mark);
  return status;
}

/* Measure `until` and the bound: they stay t_end and unknown where that fails. */
static void judge(const struct bench_integration *by, double length, const struct bench_path *path,
                  struct bench_motion *motion) {
  struct bench_integration loose = *by, tight = *by;
  loose.tightenings = -1;
  ++tight.tightenings;
  const double until = motion->until;
  double grown = START * length, most = 0, largest = 0;
  int status = BASE_OK;
  for (int p = 1; p <= PERTURBED && status == BASE_OK; ++p) {
    status = accompany(&loose, SEED + (unsigned long)p, APART * length, path, motion, &most);
    grown = fmax(grown, most);
  }
  if (status == BASE_OK && motion->until < until) {
    snprintf(
        motion->reason, sizeof motion->reason,
        "no reference after t = %.9g s: starts that differ by %.0e of length and speed are more "
        "than %.0e of the length apart",
        motion->until, START, APART);
  }
  if (status == BASE_OK) {
    status = accompany(&tight, 0, INFINITY, path, motion, &most);
  }
  if (status != BASE_OK) {
    motion->bound = NAN;
    motion->until = until;
    motion->is_cut = status == BASE_TIMEOUT;
    snprintf(motion->reason, sizeof motion->reason, "no bound: %s", base_message());
    return;
  }
  for (int k = 0; k < motion->n && motion->t[k] <= motion->until; ++k) {
    largest = fmax(largest, la_norm_inf(path->nq_compared, path->q + (size_t)k * (size_t)path->nq));
  }
  motion->bound = fmax(SAFETY * most, motion->rtol * largest * grown / (START * length));
}

/* ---- made, kept, looked at ---- */

struct making {
  const struct bench_integration *by;
  double bound; /* NaN: to be measured */
  struct bench_motion *motion;
  struct bench_path *path; /* at: the result; NULL: it is made */
  int n;
  const double *t;
  int status;
};

static void make_motion(void *data) {
  struct making *k = data;
  const double t_end = k->by->job->t_end;
  struct bench_motion *motion = k->motion;
  struct bench_runner r;
  struct bench_path path;
  motion->until = t_end;
  k->status = bench_runner_begin(k->by, t_end / STATES_MIN, &r);
  if (k->status == BASE_OK) {
    k->status = follow(&r, motion, &path);
  }
  bench_runner_end(&r);
  motion->rtol = r.rtol;
  motion->bound = NAN;
  if (k->status == BASE_OK && isnan(k->bound)) {
    judge(k->by, r.instance.mech->length, &path, motion);
  }
}

/* From the last state before each time, or the time before where that is later. */
static void look_at_times(void *data) {
  struct making *k = data;
  struct bench_motion *motion = k->motion;
  struct bench_runner r;
  int state = 0, at = -1;
  k->status = bench_runner_begin(k->by, k->by->job->t_end / STATES_MIN, &r);
  for (int i = 0; i < k->n && k->status == BASE_OK && k->t[i] <= motion->until; ++i) {
    while (state + 1 < motion->n && motion->t[state + 1] <= k->t[i]) {
      ++state;
    }
    if (state != at) {
      struct base_blob blob = {.reading = 1,
                               .bytes = motion->states.bytes,
                               .at = motion->at[state],
                               .n = motion->at[state + 1]};
      bench_runner_pass(&r, &blob);
      k->status = blob.status;
      at = state;
    }
    struct form_report report;
    k->status = k->status != BASE_OK ? k->status : bench_runner_go(&r, k->t[i], &report);
    if (k->status == BASE_OK) {
      bench_runner_observe(&r, k->path);
    }
  }
  bench_runner_end(&r);
}

static int within_memory(void (*work)(void *data), struct making *k) {
  if (base_memory_try(work, k) != BASE_OK) {
    base_message_prefix("no reference by event: ");
    return BASE_UNSUPPORTED;
  }
  return k->status;
}

int bench_motion_make(const struct bench_integration *by, double bound,
                      struct bench_motion *motion) {
  *motion = (struct bench_motion){0};
  struct making k = {.by = by, .bound = bound, .motion = motion};
  return within_memory(make_motion, &k);
}

void bench_motion_free(struct bench_motion *motion) { base_blob_free(&motion->states); }

int bench_motion_at(const struct bench_integration *by, struct bench_motion *motion, int n,
                    const double *t, struct bench_path *path) {
  struct making k = {.by = by, .motion = motion, .path = path, .n = n, .t = t};
  return within_memory(look_at_times, &k);
}
