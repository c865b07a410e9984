/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Samples of a run: evenly spaced ones for the errors against the reference, the graph of the
 * velocity (these samples, and both ends of steps in which it jumps), and the trajectory where the
 * job asks for one, with the impulses of the contacts where it samples every step. The errors are
 * measured when the run has ended.
 */
#include <math.h>

#include "base/memory/memory.h"
#include "base/status.h"
#include "bench/reference/encounter.h"
#include "bench/reference/errors.h"
#include "bench/run/listener.h"
#include "bench/run/measure.h"
#include "la/dense.h"

/* Samples for errors: enough to see every feature of a figure, few enough to cost nothing; fewer
 * where a state is so large that samples would fill the memory. */
enum { ERROR_SAMPLES = 400, ERROR_VALUES = 4000000 };
/* Steps with a contact onset whose two ends are sampled, so that jumps of the velocity have their
 * place in time; beyond, jumps lie between samples like everything else. */
enum { JUMPS_MAX = 30 };

/* Coordinates up to which states are kept beside the samples, to weight errors by inertia. */
enum { STATE_MAX = 2000 };

struct samples {
  struct bench_path path;       /* for errors */
  struct bench_path graph;      /* of the velocity */
  struct bench_path trajectory; /* no room unless asked for */
  struct bench_encounter encounter;
  double *q, *u; /* the state, published */
  long stride, trajectory_stride;
  int nq_state; /* coordinates of the system itself */
  /* Of the trajectory: contacts that carried in the step before a sample, their ids, impulses. */
  int tells_impulses;
  struct bench_series carrying, id, r;
};

static void allocate(struct samples *s, const struct bench_run *run) {
  const struct mech *m = run->m;
  const int nq = m->nq_out, nu = m->nu_out;
  const long affordable = ERROR_VALUES / (nq + nu + 2);
  const long most = affordable < 1 ? 1 : affordable < ERROR_SAMPLES ? affordable : ERROR_SAMPLES;
  s->q = base_arena_doubles(run->arena, nq);
  s->u = base_arena_doubles(run->arena, nu);
  s->nq_state = m->nq;
  s->stride = run->steps / most + 1;
  bench_path_alloc(&s->path, most + 2, m, run->arena);
  if (m->nq <= STATE_MAX && run->job->compared < BENCH_COMPARED_COORDINATES) {
    s->path.state = base_arena_array(run->arena, (size_t)most + 2, (size_t)m->nq, sizeof(double));
    bench_encounter_init(&s->encounter, m, &run->state, run->arena);
  }
  if (run->job->compared < BENCH_COMPARED_COORDINATES) {
    bench_path_alloc_energies(&s->path, run->arena);
  }
  bench_path_alloc(&s->graph, most + 2 + 2 * JUMPS_MAX, m, run->arena);
  s->graph.t_jump = base_arena_doubles(run->arena, JUMPS_MAX);
  if (run->job->request->sample > 0) {
    s->trajectory_stride = bench_run_stride(run, run->job->request->sample);
    const long n = run->steps / s->trajectory_stride + 2;
    bench_path_alloc(&s->trajectory, n, m, run->arena);
    s->trajectory.energy = base_arena_push(run->arena, (size_t)n * sizeof(double));
    s->tells_impulses = s->trajectory_stride == 1;
  }
}

/* A step with more contacts than a record holds, or whose impulses are not known, ends the list. */
static void add_impulses(struct samples *s, const struct form_report *report, int dim) {
  const int n = report->n_carrying;
  s->tells_impulses &= n <= BENCH_IMPULSES_MAX && (n == 0 || report->impulses != NULL);
  if (s->tells_impulses) {
    bench_series_add(&s->carrying, n);
    for (int i = 0; i < n; ++i) {
      bench_series_add(&s->id, (double)report->carrying[i]);
    }
    for (int i = 0; i < dim * n; ++i) {
      bench_series_add(&s->r, report->impulses[i]);
    }
  }
}

/* A sample for the errors. */
static void add_sample(struct samples *s, const struct bench_run *run) {
  struct bench_path *path = &s->path;
  bench_path_add(path, run->state.t, s->q, s->u, run->synchronous_energy);
  if (path->work != NULL) {
    double *work = path->work + (size_t)(path->n - 1) * BENCH_CHANNELS;
    work[0] = run->out->energy.friction;
    work[1] = run->out->energy.impact;
    work[2] = run->out->energy.damping;
  }
  if (path->state != NULL) {
    const size_t nq = (size_t)run->m->nq;
    la_copy(run->m->nq, run->state.q, path->state + (size_t)(path->n - 1) * nq);
  }
}

static int begin(void *data, struct bench_run *run) {
  struct samples *s = data;
  allocate(s, run);
  run->out->energy_errors = bench_no_energy_errors();
  bench_observe(run->m, run->state.q, run->state.u, s->q, s->u);
  add_sample(s, run);
  bench_path_add(&s->graph, run->state.t, s->q, s->u, run->energy);
  if (s->trajectory_stride > 0) {
    bench_path_add(&s->trajectory, run->state.t, s->q, s->u, run->energy);
    bench_series_add(&s->carrying, 0);
  }
  return BASE_OK;
}

static int step(void *data, struct bench_run *run) {
  struct samples *s = data;
  const long k = run->taken;
  bench_encounter_note(&s->encounter, &run->state, run->onsets);
  const int is_last = k == run->steps, due = k % s->stride == 0 || is_last;
  const int jumped = run->onsets > 0 && s->graph.n_jumps < JUMPS_MAX;
  const int shown = s->trajectory_stride > 0 && (k % s->trajectory_stride == 0 || is_last);
  if (jumped && s->graph.t[s->graph.n - 1] < run->t_before) {
    bench_path_add(&s->graph, run->t_before, run->q_before, run->u_before, NAN);
  }
  if (due || jumped || shown) {
    bench_observe(run->m, run->state.q, run->state.u, s->q, s->u);
  }
  if (due) {
    add_sample(s, run);
  }
  if (due || jumped) {
    bench_path_add(&s->graph, run->state.t, s->q, s->u, run->energy);
  }
  if (jumped) {
    s->graph.t_jump[s->graph.n_jumps++] = run->state.t;
  }
  if (shown) {
    bench_path_add(&s->trajectory, run->state.t, s->q, s->u, run->energy);
  }
  if (s->tells_impulses) {
    add_impulses(s, run->report, run->m->dim);
  }
  return BASE_OK;
}

static int end(void *data, struct bench_run *run) {
  struct samples *s = data;
  struct bench_outcome *out = run->out;
  const struct bench_sampled sampled = {.job = run->job,
                                        .m = run->m,
                                        .path = &s->path,
                                        .graph = &s->graph,
                                        .encounter = &s->encounter,
                                        .energy = out->energy.initial,
                                        .arena = run->arena};
  out->timing.reference =
      bench_measure_errors(&sampled, &out->reference, &out->errors, &out->energy_errors);
  out->trajectory = s->trajectory;
  if (s->tells_impulses && s->id.n > 0 && s->carrying.n == (size_t)s->trajectory.n) {
    out->trajectory_impulses.n = bench_series_copy(&s->carrying, run->arena);
    out->trajectory_impulses.id = bench_series_copy(&s->id, run->arena);
    out->trajectory_impulses.r = bench_series_copy(&s->r, run->arena);
    out->trajectory_impulses.total = s->id.n;
    out->trajectory_impulses.dim = run->m->dim;
  }
  return BASE_OK;
}

static void release(void *data) {
  struct samples *s = data;
  bench_series_free(&s->carrying);
  bench_series_free(&s->id);
  bench_series_free(&s->r);
}

/* nq_state: coordinates of the system itself. */
static void pass_path(struct base_blob *blob, struct bench_path *path, int nq_state) {
  path->n = (int)base_blob_count(blob, path->n, path->capacity, sizeof *path->t);
  path->n_jumps = (int)base_blob_count(blob, path->n_jumps, path->t_jump != NULL ? JUMPS_MAX : 0,
                                       sizeof *path->t_jump);
  const size_t n = (size_t)path->n;
  base_blob_pass(blob, path->t, n * sizeof *path->t);
  base_blob_pass(blob, path->q, n * (size_t)path->nq * sizeof *path->q);
  base_blob_pass(blob, path->u, n * (size_t)path->nu * sizeof *path->u);
  base_blob_pass(blob, path->energy, path->energy != NULL ? n * sizeof *path->energy : 0);
  base_blob_pass(blob, path->state,
                 path->state != NULL ? n * (size_t)nq_state * sizeof *path->state : 0);
  base_blob_pass(blob, path->work,
                 path->work != NULL ? BENCH_CHANNELS * n * sizeof *path->work : 0);
  base_blob_pass(blob, path->t_jump, (size_t)path->n_jumps * sizeof *path->t_jump);
}

static void pass(void *data, struct base_blob *blob) {
  struct samples *s = data;
  pass_path(blob, &s->path, s->nq_state);
  pass_path(blob, &s->graph, 0);
  bench_encounter_pass(&s->encounter, blob);
  if (s->trajectory_stride > 0) {
    pass_path(blob, &s->trajectory, 0);
    base_blob_pass(blob, &s->tells_impulses, sizeof s->tells_impulses);
    bench_series_pass(&s->carrying, blob);
    bench_series_pass(&s->id, blob);
    bench_series_pass(&s->r, blob);
  }
}

void bench_samples_listen(struct bench_run *run) {
  bench_run_listen(run, (struct bench_listener){
                            .data = base_arena_push(run->arena, sizeof(struct samples)),
                            .on = {[BENCH_BEGIN] = begin, [BENCH_STEP] = step, [BENCH_END] = end},
                            .pass = pass,
                            .free = release});
}
