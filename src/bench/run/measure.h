/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Measurements of the steps of a run for its record, from outside the formulation: energy budget,
 * constraints, the law's residual, iterations, contacts. Errors against a reference are in
 * bench/reference/errors.c.
 */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <math.h>
#include <stddef.h>

#include "base/bytes/blob.h"
#include "form/carried.h"
#include "form/form.h"
#include "mech/contacts.h"

struct bench_outcome;
struct cJSON;
struct problem_solver;

/* ---- blocks of an outcome; the checkpoint holds them as they stand ---- */

/* Errors of the constraints in the initial state. */
struct bench_start {
  double gap_min;              /* of the closed contacts [m]; NaN: none is */
  double g_S_max, gamma_S_max; /* NaN: no bilateral constraints */
};

/* The budget [J]. */
struct bench_energy {
  double initial, final;
  double friction, impact, damping, applied, numerical; /* numerical closes the budget */
  double inflow; /* by mech_open_ops.inflow_outflow; NaN: closed */
  double max_numerical_drift, max_increase;
  double max_kinetic; /* at the start and the ends of steps */
};

struct bench_constraints {
  double position_max, velocity_max, penetration_max, gap_drift;
  double dependent; /* bilateral constraints, at most; NaN: not told by the formulation */
};

/* NaN residuals when no problem was solved. */
struct bench_law {
  double residual_max, residual_p50, relative_free_max, relative_b_max;
  double signorini, cone, angle, dissipation_shortfall;
  double duality_gap, objective; /* largest gap, and the objective there [J]; NaN: not convex */
  double unsolved; /* relative_free of the steps that missed their tolerance, 0 of the others, the
                      mean over steps that solved a problem [-] */
  long at_step;    /* 1, 2, ...; 0: no problem was solved */
  long at_contact; /* id; -1: none */
};

struct bench_iterations {
  long total, solves, unconverged_steps, internal_steps, evaluations;
  double mean, p95; /* a step, be it of several solves or none */
  double newton;
  long max;
};

/* Of a solver that chooses among others. */
struct bench_choices {
  int n; /* solvers that it may be */
  struct bench_choice {
    const struct problem_solver *solver;
    long steps; /* that it ended */
  } * by;
  int round; /* the last one needed */
};

struct bench_contacts {
  long max, onsets;
  double mean;
  double phases, capped; /* successive impacts in a step, at most, and steps in which they were cut
                            short; NaN: not told by the formulation */
};

/* Statements of the formulation about itself. */
struct bench_told {
  double stable_dt;              /* smallest estimate of the longest stable step [s]; NaN: none */
  double stiffness;              /* of contacts, chosen by the formulation [N/m^n]; NaN: not
                                    chosen */
  const struct cJSON *simulator; /* description of an external simulator; NULL: none */
  long mcp; /* unknowns of the largest mixed complementarity problem posed; 0: none */
};

/* Of the contacts that carried in the last step. */
struct bench_impulses {
  int n, dim;       /* n = 0: none did, unknown, or too many */
  const double *id; /* n, ids */
  const double *r;  /* dim x n [N s] */
};
/* Largest number of contacts whose impulses a record stores; with more it stores none. */
enum { BENCH_IMPULSES_MAX = 64 };

/* The larger one; NaN once either is. */
static inline double bench_worst(double x, double y) {
  return isnan(x) || isnan(y) ? (double)NAN : fmax(x, y);
}

/* ---- numbers that come one by one ---- */

/* Memory from the heap, as their number is not known before. */
struct bench_series {
  double *x;
  size_t n, capacity;
};
void bench_series_add(struct bench_series *series, double x);
/* Quantile p in [0, 1] of the numbers, which are sorted by it, as la_quantile_sorted; NaN when
 * there are none. */
double bench_series_quantile(struct bench_series *series, double p);
void bench_series_free(struct bench_series *series);
void bench_series_pass(struct bench_series *series, struct base_blob *blob); /* for checkpoints */
/* A copy in an arena. */
double *bench_series_copy(const struct bench_series *series, struct base_arena *arena);

/* ---- the measurement ---- */

struct bench_measure {
  const struct mech *m;
  struct base_arena *arena;
  struct bench_outcome *out;
  struct mech_contacts contact; /* the one looked at */
  double gap_min;               /* of the closed contacts, in the last state seen [m]; NaN: none */
  double *gS, *gamma, *WS;      /* ns, ns, nu x ns; NULL with mech_body_ops.bilateral_rate */
  double energy, stored;        /* now; in springs [J] */
  struct form_carried carried;  /* contacts, in the last step */
  int onsets;                   /* in the last step, see form/carried.h */
  struct bench_series residual; /* of steps that solved a problem [m/s] */
  struct bench_series iterations;
};

/* Before the first step, at the initial state. */
void bench_measure_begin(struct bench_measure *measure, const struct mech *m,
                         const struct form_state *state, struct base_arena *arena,
                         struct bench_outcome *out);
/* Bodies entered or left before the next step; work: the energy thus added [J]. */
void bench_measure_flow(struct bench_measure *measure, const struct form_state *state, double work);
/* After step number k = 1, 2, ... that ended at `state`. */
void bench_measure_step(struct bench_measure *measure, long k, const struct form_state *state,
                        const struct form_report *report);
/* Means and percentiles over the steps taken; releases what begin and step allocated. */
void bench_measure_end(struct bench_measure *measure, long steps);

#endif
