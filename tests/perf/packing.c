/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole steps of the case packing: spheres on a lattice that touch all their neighbours, 20 sweeps
 * a step, what `coulombench run` does but for its measures. Time a sphere and step; a time that
 * grows with the number of spheres shows in the rows beside each other.
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

enum { STEPS = 5, MEMORY_STEPS = 3, FEW = 8 };
static const double DT = 1e-3; /* [s] */

struct setting {
  int n;
};

struct work {
  struct base_arena *arena;
  struct base_arena_mark mark;
  struct bench_job job;
  struct case_instance instance;
  double *q, *u; /* at the beginning */
  struct form_state state;
  void *form;
};

static void fail(void) {
  fprintf(stderr, "%s\n", base_message());
  abort();
}

static struct bench_job job_of(int n, int touch, int steps, struct base_arena *arena) {
  char number[32];
  struct bench_request request = {.case_name = "packing",
                                  .formulation = "ncp",
                                  .solver = "relaxation",
                                  .has_dt = 1,
                                  .dt = DT,
                                  .has_t_end = 1,
                                  .t_end = steps * DT};
  struct bench_job job;
  snprintf(number, sizeof number, "n=%d", n);
  const char *const set[] = {number, touch ? "gap=0" : "gap=0.5", "spread=0", "v0=0.01"};
  const char *const opt[] = {"max_iter=20", "check_every=20"};
  memcpy(request.set, set, sizeof set);
  request.n_set = sizeof set / sizeof *set;
  memcpy(request.opt, opt, sizeof opt);
  request.n_opt = sizeof opt / sizeof *opt;
  if (bench_job_resolve(&request, arena, &job) != BASE_OK) {
    fail();
  }
  return job;
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
  measure_memory(s->n, memory);
  struct work *w = calloc(1, sizeof *w);
  if (w == NULL) {
    abort();
  }
  w->arena = base_arena_alloc();
  w->job = job_of(s->n, 1, STEPS, w->arena);
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

static void reset(void *work) {
  struct work *w = work;
  const struct mech *m = w->instance.mech;
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
                                   .dt = DT,
                                   .arena = w->arena};
  w->form = w->job.form->alloc(&setup, &w->state);
  if (w->form == NULL) {
    fail();
  }
}

static double run(void *work) {
  struct work *w = work;
  for (int k = 0; k < STEPS; ++k) {
    struct form_report report;
    const int status = w->job.form->step(w->form, &w->state, DT, &report);
    if (status != BASE_OK && status != BASE_UNCONVERGED) {
      fail();
    }
  }
  return (double)STEPS * w->instance.mech->nb;
}

static void end(void *work) {
  struct work *w = work;
  base_arena_free(w->arena);
  free(w);
}

#define PACKING(name, count)                                                                       \
  extern const struct perf perf_##name;                                                            \
  const struct perf perf_##name = {.unit = "sphere and step",                                      \
                                   .threads = 1,                                                   \
                                   .setting = &(const struct setting){count},                      \
                                   .start = start,                                                 \
                                   .reset = reset,                                                 \
                                   .run = run,                                                     \
                                   .end = end};

PACKING(packing_1e4, 10000)
PACKING(packing_1e5, 100000)
