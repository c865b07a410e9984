/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * References, errors and distances; see run.h. The event-driven reference is integrated afresh from
 * the case's initial state with the formulation `event` at its default tolerances, whatever
 * formulation is under test; a run of `event` itself is measured against the closed form where
 * there is one, and otherwise against `event` with a relative tolerance a tenth of the tighter one
 * of its default and the run's own. (A tenth and no less, and the absolute tolerance as it is: both
 * stand a few hundred roundings above zero, below which the integrator chases rounding errors.)
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/status.h"
#include "bench/run.h"
#include "la/dense.h"

static const double TIGHTENING = 0.1; /* see above */

static void no_reference(struct bench_outcome *out, struct bench_path *path, const char *reason) {
  path->n = 0;
  out->reference.kind = "none";
  out->reference.bound = NAN;
  snprintf(out->reference.reason, sizeof out->reference.reason, "%s", reason);
}

static void path_reserve(struct bench_path *path, int n, int nq, int nu, struct base_arena *arena) {
  *path = (struct bench_path){.n = 0, .nq = nq, .nu = nu};
  path->t = base_arena_push(arena, (size_t)n * sizeof(double));
  path->q = base_arena_push(arena, (size_t)n * (size_t)nq * sizeof(double));
  path->u = base_arena_push(arena, (size_t)n * (size_t)nu * sizeof(double));
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

/* A tolerance of event, found through its table as a user would name it: a part of the tighter one
 * of the default, which `options` hold, and the run's own. */
static void tighten(const struct bench_job *job, void *options, const char *key) {
  const struct base_option *entry = base_options_find(job->form->options, key);
  if (entry != NULL && entry->type == BASE_OPTION_IS_REAL) {
    double *field = (double *)((char *)options + entry->offset);
    const double own = *(const double *)((const char *)job->form_options + entry->offset);
    *field = fmax(entry->min, TIGHTENING * fmin(*field, own));
  }
}

/* Steps of `event` to each of the times. BASE_OK, or why path->n stayed short, with a message. */
static int follow(const struct form *event, void *workspace, const struct mech *m,
                  struct form_state *state, int n, const double *t, double time_limit,
                  struct bench_path *path) {
  const double begin = base_clock_now();
  for (int k = 0; k < n; ++k) {
    if (time_limit > 0 && base_clock_now() - begin > time_limit) {
      return base_fail(BASE_TIMEOUT, "the reference by event took longer than the time limit");
    }
    struct form_report report = {0};
    const int status =
        t[k] > state->t ? event->step(workspace, state, t[k] - state->t, &report) : BASE_OK;
    if (status != BASE_OK) {
      base_message_prefix("the reference by event ended before t = %.9g s: ", t[k]);
      return status;
    }
    state->t = t[k];
    path->t[k] = t[k];
    bench_observe(m, state->q, state->u, path->q + (size_t)k * (size_t)path->nq,
                  path->u + (size_t)k * (size_t)path->nu);
    path->n = k + 1;
  }
  return BASE_OK;
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
    tighten(job, options, "rtol");
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
    base_message_prefix("no reference by event: ");
    no_reference(out, path, base_message());
    return;
  }
  const int status = follow(event, workspace, m, &state, n, t, job->time_limit, path);
  if (event->free != NULL) {
    event->free(workspace);
  }
  if (status != BASE_OK) {
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
  const char *kind = base_json_text_at(case_parameters_file(job->parameters), "reference.kind");
  if (job->type->reference != NULL) {
    reference_analytic(job, n, t, path, outcome);
  } else if (strcmp(kind, "event") == 0) {
    reference_event(job, n, t, arena, path, outcome);
  } else {
    no_reference(outcome, path,
                 "the case has neither closed form nor event-driven solution; compare steps");
  }
}

void bench_measure_errors(const struct bench_job *job, const struct mech *m,
                          const struct bench_path *path, struct base_arena *arena,
                          struct bench_outcome *out) {
  struct bench_path ref = {0};
  out->errors.q_linf = out->errors.q_l2 = out->errors.q_final = out->errors.u_hausdorff = NAN;
  if (path->n < 2 || path->t[path->n - 1] < job->t_end) {
    no_reference(out, &ref, "the run has no motion up to t_end to compare");
    return;
  }
  const double begin = base_clock_now();
  bench_reference(job, path->n, path->t, arena, &ref, out);
  out->timing.reference = base_clock_now() - begin;
  if (ref.n < path->n) {
    return;
  }
  double linf = 0, sum = 0;
  for (int k = 0; k < path->n; ++k) {
    double worst = 0;
    for (int j = 0; j < path->nq; ++j) {
      const size_t at = (size_t)k * (size_t)path->nq + (size_t)j;
      const double error = path->q[at] - ref.q[at];
      worst = fmax(worst, fabs(error));
      sum += error * error;
    }
    linf = fmax(linf, worst);
    out->errors.q_final = worst;
  }
  out->errors.q_linf = linf;
  out->errors.q_l2 = sqrt(sum / path->n);
  out->errors.u_hausdorff = bench_hausdorff(path, &ref, job->t_end, m->speed);
}

/* Distance of the point (t, u) to the point at s in [0, 1] of the segment k, k+1 of a path. */
static double point_distance(const struct bench_path *path, int k, double s, double t,
                             const double *u, double t_scale, double u_scale) {
  const double *a = path->u + (size_t)k * (size_t)path->nu, *b = a + path->nu;
  double largest = 0;
  for (int j = 0; j < path->nu; ++j) {
    largest = fmax(largest, fabs((1 - s) * a[j] + s * b[j] - u[j]));
  }
  return fmax(largest / u_scale, fabs((1 - s) * path->t[k] + s * path->t[k + 1] - t) / t_scale);
}

/* Distance of the point (t, u) to a segment. The metric is a maximum norm, in which the distance
 * along a segment is convex and piecewise linear: a ternary search finds the minimum, to within
 * (2/3)^80 = 1e-14 of the segment. The ends are looked at apart, so that a path has distance zero
 * to itself. */
static double segment_distance(const struct bench_path *path, int k, double t, const double *u,
                               double t_scale, double u_scale) {
  enum { ROUNDS = 80 };
  double lo = 0, hi = 1;
  double best = fmin(point_distance(path, k, 0, t, u, t_scale, u_scale),
                     point_distance(path, k, 1, t, u, t_scale, u_scale));
  for (int round = 0; round < ROUNDS && best > 0; ++round) {
    const double left = lo + (hi - lo) / 3, right = hi - (hi - lo) / 3;
    const double at_left = point_distance(path, k, left, t, u, t_scale, u_scale);
    const double at_right = point_distance(path, k, right, t, u, t_scale, u_scale);
    best = fmin(best, fmin(at_left, at_right));
    if (at_left <= at_right) {
      hi = right;
    } else {
      lo = left;
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
    const double t = a->t[i], *u = a->u + (size_t)i * (size_t)a->nu;
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
