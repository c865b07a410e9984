/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors of a run against its reference; see run.h.
 *
 * Velocities jump, and not at the same time in both, so they are compared as graphs (t, u): the
 * Hausdorff distance is small when the jumps are alike and nearly at the same time. Its value rests
 * on vertices near the jumps, of both: the run keeps the ends of the steps that jump, the reference
 * is evaluated at these and REFINED times a step within NEAR steps of them. Where the jumps are
 * further apart than that, the distance is that of the samples, whose spacing then is the smaller
 * error.
 */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "bench/reference/encounter.h"
#include "bench/reference/errors.h"
#include "bench/reference/mass_norm.h"
#include "bench/reference/reference.h"
#include "la/dense.h"

enum { REFINED = 8, NEAR = 2 };

/* Times at which the reference is wanted for a graph that jumps, ascending, each once: its own, and
 * more about the jumps. Returns their number. */
static int graph_times(const struct bench_job *job, const struct bench_path *graph, double *t) {
  int n = 0;
  for (int k = 0; k < graph->n; ++k) {
    t[n++] = graph->t[k];
  }
  for (int k = 0; k < graph->n_jumps; ++k) {
    for (int j = -NEAR * REFINED; j <= NEAR * REFINED; ++j) {
      const double near = graph->t_jump[k] + j * job->dt / REFINED;
      if (near > 0 && near < job->t_end) {
        t[n++] = near;
      }
    }
  }
  gsl_sort(t, 1, (size_t)n);
  int unique = 0;
  for (int k = 0; k < n; ++k) {
    if (unique == 0 || t[k] > t[unique - 1]) {
      t[unique++] = t[k];
    }
  }
  return unique;
}

/* Largest, root mean square and last of a series. */
struct summary {
  double largest, sum, last;
};

static void summary_add(struct summary *s, double x) {
  s->largest = isnan(s->largest) || isnan(x) ? NAN : fmax(s->largest, x);
  s->sum += x * x;
  s->last = x;
}

/* The samples up to the end of the reference; ref: at these. */
static void state_errors(const struct mech *m, const struct bench_path *path, int samples,
                         const struct bench_path *ref, struct base_arena *arena,
                         struct bench_errors *errors) {
  struct summary q = {0}, q_mass = {0}, u_mass = {0};
  double sum = 0;
  double *dq = base_arena_doubles(arena, path->nq), *du = base_arena_doubles(arena, path->nu);
  for (int k = 0; k < samples; ++k) {
    const size_t kq = (size_t)k * (size_t)path->nq, ku = (size_t)k * (size_t)path->nu;
    la_copy(path->nq, path->q + kq, dq);
    la_axpy(path->nq, -1, ref->q + kq, dq);
    la_copy(path->nu, path->u + ku, du);
    la_axpy(path->nu, -1, ref->u + ku, du);
    summary_add(&q, la_norm_inf(path->nq_compared, dq));
    for (int j = 0; j < path->nq_compared; ++j) {
      sum += dq[j] * dq[j];
    }
    if (path->state != NULL) {
      const double *state = path->state + (size_t)k * (size_t)m->nq;
      summary_add(&q_mass, bench_mass_norm_q(m, state, dq, arena));
      summary_add(&u_mass, bench_mass_norm_u(m, state, du, arena));
    }
  }
  const int is_whole = samples == path->n;
  errors->q_linf = q.largest;
  errors->q_l2 = sqrt(sum / samples);
  errors->q_final = is_whole ? q.last : NAN;
  if (path->state != NULL) {
    errors->q_mass_linf = q_mass.largest;
    errors->q_mass_l2 = sqrt(q_mass.sum / samples);
    errors->q_mass_final = is_whole ? q_mass.last : NAN;
    errors->u_mass_l2 = sqrt(u_mass.sum / samples);
    errors->u_mass_final = is_whole ? u_mass.last : NAN;
  }
}

struct bench_errors bench_no_errors(void) {
  return (struct bench_errors){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN,
                               NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
}

/* Samples up to a time. */
static int samples_until(const struct bench_path *path, double until) {
  int n = 0;
  while (n < path->n && path->t[n] <= until) {
    ++n;
  }
  return n;
}

/* Of velocities that jump, as graphs; ref: the reference at the samples, enough where none does. */
static double graph_error(const struct bench_sampled *run, const struct bench_path *ref,
                          struct bench_reference *reference) {
  const struct bench_path *graph = run->graph;
  struct bench_path part = *graph, finer = *ref;
  if (graph->n_jumps > 0) {
    double *t =
        base_arena_doubles(run->arena, graph->n + graph->n_jumps * (2 * NEAR * REFINED + 1));
    const int n = graph_times(run->job, graph, t);
    reference->is_cut |=
        bench_reference_at(run->job, run->m, BENCH_FOR_GRAPH, n, t, run->arena, &finer).is_cut;
  }
  part.n = samples_until(graph, reference->until);
  return finer.n > 0 ? bench_hausdorff(&part, &finer, run->job->t_end, run->m->speed) : NAN;
}

double bench_measure_errors(const struct bench_sampled *run, struct bench_reference *reference,
                            struct bench_errors *errors,
                            struct bench_energy_errors *energy_errors) {
  const struct bench_job *job = run->job;
  const struct bench_path *path = run->path;
  struct bench_path ref = {0}, part = *path;
  *errors = bench_no_errors();
  if (job->compared == BENCH_COMPARED_NOT || path->n < 2 || path->t[path->n - 1] < job->t_end) {
    *reference = bench_no_reference("the run has no motion up to t_end to compare");
    return 0;
  }
  const double begin = base_clock_work();
  *reference =
      bench_reference_at(job, run->m, BENCH_FOR_SAMPLES, path->n, path->t, run->arena, &ref);
  part.n = ref.n > 0 ? samples_until(path, reference->until) : 0;
  if (part.n >= 2) { /* more than the initial state */
    state_errors(run->m, path, part.n, &ref, run->arena, errors);
    errors->lift = bench_measure_lift(run->m, path, part.n, &ref, run->arena);
  }
  if (part.n >= 2 && job->compared < BENCH_COMPARED_COORDINATES) {
    bench_measure_energy_errors(run, &part, &ref, energy_errors);
    bench_encounter_measure(run, &part, reference, errors);
    if (job->compared == BENCH_COMPARED_ALL) {
      errors->u_hausdorff = graph_error(run, &ref, reference);
    }
  }
  return base_clock_work() - begin;
}

/* A vertex (t, u), and what scales the metric of graphs. */
struct vertex {
  double t;
  const double *u;
  double t_scale, u_scale;
};

static inline double larger(double a, double b) { return a > b ? a : b; }

/* Distance of a vertex to the point at s in [0, 1] of the segment k, k+1 of a path: the largest of
 * linear functions of s and their negatives; *slope: of the one that is largest there. */
static double point_distance(const struct bench_path *path, int k, double s, const struct vertex *v,
                             double *slope) {
  const double *a = path->u + (size_t)k * (size_t)path->nu, *b = a + path->nu;
  double largest = 0, rise = 0;
  for (int j = 0; j < path->nu; ++j) {
    const double x = (1 - s) * a[j] + s * b[j] - v->u[j];
    if (fabs(x) > largest) {
      largest = fabs(x);
      rise = x > 0 ? b[j] - a[j] : a[j] - b[j];
    }
  }
  const double t = (1 - s) * path->t[k] + s * path->t[k + 1] - v->t;
  const double time = fabs(t) / v->t_scale, velocity = largest / v->u_scale;
  const double length = path->t[k + 1] - path->t[k];
  *slope = time > velocity ? (t > 0 ? length : -length) / v->t_scale : rise / v->u_scale;
  return larger(time, velocity);
}

/* Distance of a vertex to the box about a segment, which is no more than that to the segment. */
static double box_distance(const struct bench_path *path, int k, const struct vertex *v) {
  const double *a = path->u + (size_t)k * (size_t)path->nu, *b = a + path->nu;
  double largest = 0;
  for (int j = 0; j < path->nu; ++j) {
    const double below = (a[j] < b[j] ? a[j] : b[j]) - v->u[j],
                 above = v->u[j] - larger(a[j], b[j]);
    largest = larger(larger(below, above), largest);
  }
  const double time = larger(path->t[k] - v->t, v->t - path->t[k + 1]);
  return larger(time / v->t_scale, largest / v->u_scale);
}

/* Box distances this much larger than the best are so in spite of rounding. */
static const double SURELY = 1 + 1e-9;

/* Distance of a vertex to a segment, or to all those before, `best`, where that is less; no better
 * than `enough`, below which it does not matter. The metric is a maximum norm, in which the
 * distance along a segment is convex and piecewise linear: it lies above its tangents at the ends,
 * so where these meet is the next end, until they meet at one (Kelley's cutting planes). */
static double segment_distance(const struct bench_path *path, int k, const struct vertex *v,
                               double best, double enough) {
  double left = 0, right = 1, falls, rises;
  if (box_distance(path, k, v) > SURELY * best) {
    return best;
  }
  double at_left = point_distance(path, k, left, v, &falls);
  double at_right = point_distance(path, k, right, v, &rises);
  best = fmin(best, fmin(at_left, at_right));
  while (best > enough && falls < 0 && rises > 0) {
    const double s = (at_left - at_right + rises * right - falls * left) / (rises - falls);
    if (!(left < s && s < right) || at_left + falls * (s - left) >= best) {
      break;
    }
    double slope;
    const double here = point_distance(path, k, s, v, &slope);
    best = fmin(best, here);
    if (slope < 0) {
      left = s, at_left = here, falls = slope;
    } else {
      right = s, at_right = here, rises = slope;
    }
  }
  return best;
}

/* About the golden section of n, and without a common divisor. */
static int coprime_stride(int n) {
  int stride = (int)(0.6180339887498949 * n) + 1, a, b;
  do {
    ++stride;
    for (a = stride, b = n; b != 0;) {
      const int rest = a % b;
      a = b;
      b = rest;
    }
  } while (a != 1);
  return stride;
}

/* The segment from which the search for the vertex's nearest begins: the first that ends no
 * earlier, or the last. */
static int segment_at(const struct bench_path *path, double t) {
  int low = 0, high = path->n - 2;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (path->t[middle + 1] < t) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/* Largest distance of a's vertices to b's polyline, or `worst` where that is more. Segments are
 * visited outwards from the vertex's own time and skipped once their distance in time alone exceeds
 * the best found. A vertex that is no farther than the worst so far decides nothing: where the
 * distance grows along the path each one is farther than all before, so they are visited in strides
 * of the golden section, by which few are. */
static double one_sided(const struct bench_path *a, const struct bench_path *b, double t_scale,
                        double u_scale, double worst) {
  const int stride = coprime_stride(a->n);
  for (int visited = 0, i = a->n - 1; visited < a->n; ++visited, i = (i + stride) % a->n) {
    const struct vertex v = {a->t[i], a->u + (size_t)i * (size_t)a->nu, t_scale, u_scale};
    const int start = segment_at(b, v.t);
    double best = INFINITY;
    for (int k = start; k + 1 < b->n && best > worst && (b->t[k] - v.t) / t_scale < best; ++k) {
      best = segment_distance(b, k, &v, best, worst);
    }
    for (int k = start - 1; k >= 0 && best > worst && (v.t - b->t[k + 1]) / t_scale < best; --k) {
      best = segment_distance(b, k, &v, best, worst);
    }
    worst = larger(best, worst);
  }
  return worst;
}

double bench_hausdorff(const struct bench_path *a, const struct bench_path *b, double t_scale,
                       double u_scale) {
  return a->n < 2 || b->n < 2
             ? NAN
             : one_sided(b, a, t_scale, u_scale, one_sided(a, b, t_scale, u_scale, 0));
}
