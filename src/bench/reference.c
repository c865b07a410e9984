/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * References and distances; see run.h. The event-driven reference is integrated afresh from the
 * case's initial state with the formulation `event` at its default tolerance, whatever formulation
 * is under test; a run of `event` itself is measured against the closed form where there is one,
 * and otherwise against `event` with its relative tolerance tightened a hundredfold. (The absolute
 * one is a few hundred roundings already; below that the integrator chases rounding errors.)
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/status.h"
#include "bench/run.h"
#include "la/dense.h"

static void no_reference(struct bench_outcome *out, struct bench_path *path, const char *reason) {
  path->n = 0;
  out->reference.kind = "none";
  out->reference.bound = NAN;
  snprintf(out->reference.reason, sizeof out->reference.reason, "%s", reason);
}

static void path_reserve(struct bench_path *path, int n, int nq, int nu, struct base_arena *arena) {
  *path = (struct bench_path){.n = 0, .nq = nq, .nu = nu};
  path->t = base_arena_doubles(arena, n);
  path->q = base_arena_doubles(arena, n * nq);
  path->u = base_arena_doubles(arena, n * nu);
}

static void reference_analytic(const struct bench_job *job, int n, const double *t,
                               struct bench_path *path, struct bench_outcome *out) {
  double bound = 0;
  for (int k = 0; k < n; ++k) {
    path->t[k] = t[k];
    bound = fmax(bound, job->type->reference(job->parameters, t[k], path->q + (long)k * path->nq,
                                             path->u + (long)k * path->nu));
  }
  path->n = n;
  out->reference.kind = "analytic";
  out->reference.bound = bound;
}

/* Set one of event's options by a factor, through its table as a user would. */
static void tighten(const struct form *event, void *options, const char *key, double factor) {
  const struct base_option *entry = base_options_find(event->options, key);
  if (entry != NULL && entry->type == BASE_OPTION_IS_REAL) {
    double *field = (double *)((char *)options + entry->offset);
    *field = fmax(entry->min, *field * factor);
  }
}

/* Steps of `event` to each of the times; a status other than ok leaves path->n short. */
static void follow(const struct form *event, void *workspace, const struct mech *m,
                   struct form_state *state, int n, const double *t, struct bench_path *path) {
  for (int k = 0; k < n; ++k) {
    struct form_report report = {0};
    if (t[k] > state->t && event->step(workspace, state, t[k] - state->t, &report) != BASE_OK) {
      return;
    }
    state->t = t[k];
    path->t[k] = t[k];
    double *q = path->q + (long)k * path->nq, *u = path->u + (long)k * path->nu;
    if (m->ops->observe != NULL) {
      m->ops->observe(m, state->q, state->u, q, u);
    } else {
      la_copy(m->nq, state->q, q);
      la_copy(m->nu, state->u, u);
    }
    path->n = k + 1;
  }
}

static void reference_event(const struct bench_job *job, int n, const double *t,
                            struct base_arena *arena, struct bench_path *path,
                            struct bench_outcome *out) {
  const struct form *event = form_find("event");
  struct case_instance instance = {0};
  if (event == NULL || job->type->build(job->parameters, arena, &instance) != BASE_OK) {
    no_reference(out, path, base_message());
    return;
  }
  const struct mech *m = instance.mech;
  void *options = base_arena_push(arena, event->options_size);
  base_options_default(event->options, options);
  if (job->form == event) {
    tighten(event, options, "rtol", 1e-2);
  }
  const struct problem_solver *solver = event->has_law ? problem_solver_find(event->solver) : NULL;
  void *solver_options = NULL;
  if (solver != NULL) {
    solver_options = base_arena_push(arena, solver->options_size);
    base_options_default(solver->options, solver_options);
  }
  const struct form_setup setup = {.mech = m,
                                   .options = options,
                                   .solver = solver,
                                   .solver_options = solver_options,
                                   .loop = problem_loop_default(),
                                   .dt = n > 1 ? t[1] - t[0] : job->dt,
                                   .arena = arena};
  struct form_state state = {.t = 0, .q = instance.q, .u = instance.u};
  void *workspace =
      event->check == NULL || event->check(&setup) == BASE_OK ? event->alloc(&setup, &state) : NULL;
  if (workspace == NULL) {
    no_reference(out, path, base_message());
    return;
  }
  follow(event, workspace, m, &state, n, t, path);
  if (event->free != NULL) {
    event->free(workspace);
  }
  if (path->n < n) {
    no_reference(out, path, base_message());
    return;
  }
  out->reference.kind = "event";
  out->reference.bound =
      base_json_real_at(case_parameters_file(job->parameters), "reference.bound");
}

void bench_reference(const struct bench_job *job, int n, const double *t, struct base_arena *arena,
                     struct bench_path *path, struct bench_outcome *outcome) {
  path_reserve(path, n, outcome->nq, outcome->nu, arena);
  if (job->type->reference != NULL) {
    reference_analytic(job, n, t, path, outcome);
  } else {
    reference_event(job, n, t, arena, path, outcome);
  }
}

/* Distance of the point (t, u) to the segment k, k+1 of a path. The metric is a maximum norm, in
 * which the distance along a segment is convex and piecewise linear: the minimum is found by
 * ternary search to a precision far below what a figure shows. */
static double segment_distance(const struct bench_path *path, int k, double t, const double *u,
                               double t_scale, double u_scale) {
  enum { ROUNDS = 60 };
  const double *a = path->u + (long)k * path->nu, *b = a + path->nu;
  double lo = 0, hi = 1, best = INFINITY;
  for (int round = 0; round < ROUNDS; ++round) {
    const double s[2] = {lo + (hi - lo) / 3, hi - (hi - lo) / 3};
    double d[2];
    for (int side = 0; side < 2; ++side) {
      d[side] = fabs(path->t[k] + s[side] * (path->t[k + 1] - path->t[k]) - t) / t_scale;
      for (int j = 0; j < path->nu; ++j) {
        d[side] = fmax(d[side], fabs(a[j] + s[side] * (b[j] - a[j]) - u[j]) / u_scale);
      }
    }
    best = fmin(best, fmin(d[0], d[1]));
    if (d[0] <= d[1]) {
      hi = s[1];
    } else {
      lo = s[0];
    }
  }
  return best;
}

/* Largest distance of a's vertices to b's polyline. Segments are visited outwards from the vertex's
 * own time and skipped once their distance in time alone exceeds the best found. */
static double one_sided(const struct bench_path *a, const struct bench_path *b, double t_scale,
                        double u_scale) {
  double worst = 0;
  int start = 0;
  for (int i = 0; i < a->n; ++i) {
    const double t = a->t[i], *u = a->u + (long)i * a->nu;
    while (start + 2 < b->n && b->t[start + 1] < t) {
      ++start;
    }
    double best = INFINITY;
    for (int k = start; k + 1 < b->n && (b->t[k] - t) / t_scale < best; ++k) {
      best = fmin(best, segment_distance(b, k, t, u, t_scale, u_scale));
    }
    for (int k = start - 1; k >= 0 && (t - b->t[k + 1]) / t_scale < best; --k) {
      best = fmin(best, segment_distance(b, k, t, u, t_scale, u_scale));
    }
    worst = fmax(worst, best);
  }
  return worst;
}

double bench_hausdorff(const struct bench_path *a, const struct bench_path *b, double t_scale,
                       double u_scale) {
  return a->n < 2 || b->n < 2
             ? NAN
             : fmax(one_sided(a, b, t_scale, u_scale), one_sided(b, a, t_scale, u_scale));
}
