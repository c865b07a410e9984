/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole steps of the case packing: spheres on a lattice that touch all their neighbours, 20 sweeps
 * a step, what `coulombench run` does but for its measures. Time a sphere and step; a time that
 * grows with the number of spheres shows in the rows beside each other.
 *
 * The same under penalty, with tangential springs by Verlet's method: balls of a face-centred
 * lattice that fly apart into their neighbours, some 2.5 contacts a sphere after the first steps,
 * which are not timed. Time a contact and step, all that is done for the spheres included; the
 * estimate of the stable step, made every 200 steps, is not in it.
 *
 * Memory all told, as the system sees it: the peaks of three whole runs, harness included, each in
 * a process of its own,
 *
 *   few    8 spheres                                    P_few
 *   apart  n spheres that do not touch                  P_apart = P_few + n sphere
 *   touch  n spheres with C contacts                    P_touch = P_few + n sphere + C contact
 *
 * where a peak is what was resident at most. Pages that the process had before it was made its own
 * count in all three alike, as long as none of them is free: first in the registry.
 */
#include "tests/perf/perf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"
#include "bench/run/run.h"
#include "form/form.h"
#include "la/dense.h"

enum { STEPS = 5, MEMORY_STEPS = 3, FEW = 8, PENALTY_FIRST = 10, PENALTY_STEPS = 20 };
static const double DT = 1e-3, PENALTY_DT = 1e-5; /* [s] */

struct setting {
  int n, is_penalty;
};

struct work {
  struct base_arena *arena;
  struct base_arena_mark mark;
  struct bench_job job;
  struct case_instance instance;
  double *q, *u; /* at the beginning */
  struct form_state state;
  void *form;
  int is_penalty;
};

static void fail(void) {
  fprintf(stderr, "%s\n", base_message());
  abort();
}

/* Parameters and options end with NULL. */
static struct bench_job resolve(struct bench_request request, const char *const *set,
                                const char *const *opt, struct base_arena *arena) {
  struct bench_job job;
  for (; *set != NULL; ++set) {
    base_words_add(&request.set, *set, arena);
  }
  for (; *opt != NULL; ++opt) {
    base_words_add(&request.opt, *opt, arena);
  }
  if (bench_job_resolve(&request, arena, &job) != BASE_OK) {
    fail();
  }
  return job;
}

static struct bench_job job_of(int n, int touch, int steps, struct base_arena *arena) {
  char number[32];
  const struct bench_request request = {.case_name = "packing",
                                        .formulation = "ncp",
                                        .solver = "relaxation",
                                        .dt = DT,
                                        .t_end = steps * DT};
  snprintf(number, sizeof number, "n=%d", n);
  const char *const set[] = {number, touch ? "gap=0" : "gap=0.5", "spread=0", "v0=0.01", NULL};
  const char *const opt[] = {"max_iter=20", "check_every=20", NULL};
  return resolve(request, set, opt, arena);
}

static struct bench_job penalty_job_of(int n, struct base_arena *arena) {
  char number[32];
  const struct bench_request request = {.case_name = "packing",
                                        .formulation = "penalty",
                                        .dt = PENALTY_DT,
                                        .t_end = (PENALTY_FIRST + PENALTY_STEPS) * PENALTY_DT};
  snprintf(number, sizeof number, "n=%d", n);
  const char *const set[] = {number, "lattice=face-centred", "gap=1e-4", "spread=0", "v0=0.5",
                             NULL};
  const char *const opt[] = {"tangential=spring", "stepper=verlet", "eps_min=0.2", "K=1e6", NULL};
  return resolve(request, set, opt, arena);
}

/* --- memory --- */

/* Peak of a run in a process of its own [bytes]; *contacts: the most it had. */
static double peak_of(int n, int touch, double *contacts) {
  double *shared =
      mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) {
    abort();
  }
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    struct base_arena *arena = base_arena_alloc();
    struct bench_outcome outcome;
    const struct bench_job job = job_of(n, touch, MEMORY_STEPS, arena);
    if (bench_run(&job, arena, &outcome) < 0) {
      fail();
    }
    *shared = outcome.contacts.max;
    _exit(0);
  }
  struct rusage usage;
  int status;
  if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0) {
    abort();
  }
  *contacts = *shared;
  munmap(shared, sizeof *shared);
  return 1024.0 * (double)usage.ru_maxrss;
}

static void measure_memory(int n, struct perf_memory *memory) {
  double contacts, few, apart;
  few = peak_of(FEW, 0, &contacts);
  apart = peak_of(n, 0, &contacts);
  memory->body = (apart - few) / n;
  const double touch = peak_of(n, 1, &contacts);
  memory->contact = (touch - apart) / contacts;
}

/* --- time --- */

static void *start(const void *setting, struct perf_memory *memory) {
  const struct setting *s = setting;
  if (!s->is_penalty) {
    measure_memory(s->n, memory);
  }
  struct work *w = calloc(1, sizeof *w);
  if (w == NULL) {
    abort();
  }
  w->arena = base_arena_alloc();
  w->is_penalty = s->is_penalty;
  w->job = s->is_penalty ? penalty_job_of(s->n, w->arena) : job_of(s->n, 1, STEPS, w->arena);
  if (w->job.type->build(w->job.parameters, w->arena, &w->instance) != BASE_OK) {
    fail();
  }
  const struct mech *m = w->instance.mech;
  w->q = base_arena_doubles(w->arena, m->nq);
  w->u = base_arena_doubles(w->arena, m->nu);
  la_copy(m->nq, w->instance.q, w->q);
  la_copy(m->nu, w->instance.u, w->u);
  w->mark = base_arena_mark(w->arena);
  return w;
}

/* So many steps; returns the contacts of all of them. */
static double take_steps(struct work *w, int steps) {
  double contacts = 0;
  for (int k = 0; k < steps; ++k) {
    struct form_report report = {0};
    const int status = w->job.form->step(w->form, &w->state, w->job.dt, &report);
    if (status != BASE_OK && status != BASE_UNCONVERGED) {
      fail();
    }
    contacts += report.contacts;
  }
  return contacts;
}

static void reset(void *work) {
  struct work *w = work;
  const struct mech *m = w->instance.mech;
  if (w->form != NULL && w->job.form->free != NULL) {
    w->job.form->free(w->form);
  }
  base_arena_release(w->arena, w->mark);
  w->state = (struct form_state){.t = 0, .q = w->instance.q, .u = w->instance.u};
  la_copy(m->nq, w->q, w->state.q);
  la_copy(m->nu, w->u, w->state.u);
  const struct form_setup setup = {.mech = m,
                                   .options = w->job.form_options,
                                   .solver = w->job.solver,
                                   .solver_options = w->job.solver_options,
                                   .loop = w->job.loop,
                                   .warm_start = w->job.switches.warm_start,
                                   .dt = w->job.dt,
                                   .arena = w->arena};
  w->form = w->job.form->alloc(&setup, &w->state);
  if (w->form == NULL) {
    fail();
  }
  if (w->is_penalty) {
    take_steps(w, PENALTY_FIRST);
  }
}

static double run(void *work) {
  struct work *w = work;
  if (w->is_penalty) {
    return take_steps(w, PENALTY_STEPS);
  }
  take_steps(w, STEPS);
  return (double)STEPS * w->instance.mech->nb;
}

static void end(void *work) {
  struct work *w = work;
  if (w->job.form->free != NULL) {
    w->job.form->free(w->form);
  }
  base_arena_free(w->arena);
  free(w);
}

#define PACKING(name, count, penalty, n_threads)                                                   \
  extern const struct perf perf_##name;                                                            \
  const struct perf perf_##name = {.unit = penalty ? "contact and step" : "sphere and step",       \
                                   .threads = n_threads,                                           \
                                   .setting = &(const struct setting){count, penalty},             \
                                   .start = start,                                                 \
                                   .reset = reset,                                                 \
                                   .run = run,                                                     \
                                   .end = end};

PACKING(packing_1e4, 10000, 0, 1)
PACKING(packing_1e5, 100000, 0, 1)
PACKING(penalty_1e4, 10000, 1, 1)
PACKING(penalty_1e5, 100000, 1, 1)
PACKING(penalty_1e5_2, 100000, 1, 2)
