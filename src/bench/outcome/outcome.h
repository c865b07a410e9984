/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What came out of a run, as its listeners fill it in and its record says it, and the parts that
 * have a form of their own: sampled solutions, members of an ensemble, trials of a search, the
 * problem of one contact.
 */
#ifndef BENCH_OUTCOME_H
#define BENCH_OUTCOME_H

#include "bench/job/job.h"

enum { BENCH_SOLVERS_MAX = 64 }; /* registered */
/* Channels of dissipation that are compared with the reference's: friction, impact, damping. */
enum { BENCH_CHANNELS = 3 };

/* A sampled solution in published names. */
struct bench_path {
  int n, nq, nu;
  int nq_compared;    /* the first of nq that errors are about */
  double *t;          /* n [s] */
  double *q;          /* n x nq, row-major */
  double *u;          /* n x nu, row-major */
  double *energy;     /* n [J]; NULL: not wanted */
  double *work;       /* n x BENCH_CHANNELS, done so far [J]; NULL: not wanted */
  double kinetic_max; /* of the samples, with work [J] */
  double *state;      /* n x nq of the system itself; NULL: not wanted */
  int n_jumps;        /* steps with jumping velocity whose both ends are vertices, */
  double *t_jump;     /* and their ends [s]; graphs of runs only */
  long capacity;      /* samples there is room for */
};

/* Times of the steps, taken again and again (repeat.c). */
struct bench_repeats {
  int n;         /* how often; 0: no step was taken */
  double *runs;  /* n, whole runs each time, of which it is the mean */
  double *steps; /* n, in the order taken [s] */
  double q1, q3; /* quartiles of steps [s]; NaN: n < 3 */
};

struct bench_outcome {
  int status; /* base_status */
  char reason[256];
  int nq, nu;      /* published */
  int nq_compared; /* as in paths */
  const char *const *q_names, *const *u_names;
  long steps;    /* taken */
  double t;      /* reached [s] */
  double *q, *u; /* final, published; after a breakdown the last sound state */
  struct {
    const char *kind; /* "analytic", "event", "self", "none" */
    double bound;     /* [m] or [rad]; NaN when unknown */
    double until;     /* errors are taken up to this time [s]; NaN: there is none */
    char reason[200]; /* why there is none, or no bound, or why it ends before t_end */
    int is_cut;       /* for want of time: none, or none that could be bounded */
  } reference;
  struct {
    double q_linf, q_l2, q_final, u_hausdorff;
    double q_mass_linf, q_mass_l2, q_mass_final, u_mass_l2, u_mass_final; /* mass_norm.h */
    double flight_q_mass, flight_u_mass, impact_q_mass, impact_u_mass, after_q_mass,
        after_u_mass; /* reference/encounter.h */
  } errors;           /* NaN without a reference, or when t_end was not reached */
  double stable_dt;   /* smallest estimate of the longest stable step [s]; NaN: none */
  double stiffness;   /* of contacts, made by the formulation [N/m^n]; NaN: it was not */
  int mcp;            /* unknowns of the largest mixed complementarity problem posed; 0: none */
  struct {
    double initial, final;
    double friction, impact, damping, applied, numerical; /* numerical closes the budget */
    double inflow; /* by mech_open_ops.inflow_outflow; NaN: closed */
    double max_numerical_drift, max_increase;
    double max_kinetic;           /* at the start and the ends of steps */
    double max_synchronous_drift; /* energy.c */
  } energy;                       /* [J] */
  struct {
    const char *kind; /* "analytic", "event", "none": of the total */
    char reason[200]; /* why there are none */
    double total, friction, impact, damping;
  } energy_errors; /* mean differences from the reference [J]; NaN without one */
  struct {
    const char *verdict; /* "good", "poor", "useless"; NULL: not judged */
    char why[200];
    double length, energy; /* scales [m], [J]; NaN: none */
    double force;          /* largest generalised one at the start and the ends of steps [N, N m] */
    double position, total, friction, impact, damping, drift; /* over these [-]; NaN: not known */
    double poor_above, useless_above;                         /* thresholds */
  } quality;                                                  /* quality.c */
  struct {
    double gap_min;              /* of the closed contacts [m]; NaN: none is */
    double g_S_max, gamma_S_max; /* NaN: no bilateral constraints */
  } start;
  struct {
    double position_max, velocity_max, penetration_max, gap_drift;
    double dependent; /* bilateral constraints, at most; NaN: not told by the formulation */
  } constraints;
  struct {
    double residual_max, residual_p50, relative_free_max, relative_b_max;
    long at_step;    /* 1, 2, ...; 0: no problem was solved */
    long at_contact; /* id; -1: none */
    double signorini, cone, angle, dissipation_shortfall;
    double duality_gap, objective; /* largest gap, and the objective there [J]; NaN: not convex */
  } law;                           /* NaN residuals when no problem was solved */
  struct {
    long total, solves, unconverged_steps, internal_steps, evaluations;
    double mean, p95; /* a step, be it of several solves or none */
    int max;
    double newton;
    long by[BENCH_SOLVERS_MAX]; /* steps a solver ended that another chose, by its number */
    int round;                  /* the last one needed */
  } iterations;
  struct {
    int max;
    double mean;
    long onsets;
    double phases,
        capped; /* successive impacts in a step, at most, and steps in which they were cut
                              short; NaN: not told by the formulation */
  } contacts;
  struct {
    double balance_max;     /* share of a step's impulses */
    double linear, angular; /* [N s], [N m s] */
  } momentum;               /* NaN: not measured */
  struct {
    int n, dim;       /* contacts that carried in the last step; 0: none, unknown, or too many */
    const double *id; /* n, ids */
    const double *r;  /* dim x n [N s] */
  } impulses;
  struct bench_path trajectory; /* n = 0 unless asked for */
  /* Of every step, where every step is a sample of the trajectory; n of all NULL: not so, or not
   * told. */
  struct {
    const double *n;      /* trajectory.n, contacts that carried in the step before the sample */
    const double *id, *r; /* theirs, sample after sample: total, and dim x total [N s] */
    size_t total;
    int dim;
  } trajectory_impulses;
  const char *notes;                       /* of the model; NULL or "": none */
  const char *q_shown, *u_shown;           /* columns of the trajectory written; NULL: all */
  const struct case_observer *observer;    /* of the case, after the run; NULL: none */
  const struct bench_one_contact *contact; /* posed by the initial state; NULL: none */
  const struct bench_search *search;       /* NULL: none */
  const struct bench_ensemble *ensemble;   /* NULL: none */
  struct bench_vtk *vtk; /* pictures, to be ended once the record is written; NULL: none */
  struct {
    double steps;                 /* by base_clock_work, checks aside [s] */
    struct bench_repeats repeats; /* steps is the median of */
    double wall;                  /* of the steps of the first run [s] */
    double reference;             /* as steps: what its errors took [s] */
    double total;                 /* wall time [s] */
    int threads;                  /* of parallel solvers */
    size_t memory;                /* arena peak [bytes] */
    double peak;                  /* most memory of the process, code and libraries included */
  } timing;
};

/* A state in published names; q_out: nq_out, u_out: nu_out. */
void bench_observe(const struct mech *m, const double *q, const double *u, double *q_out,
                   double *u_out);

/* An empty path with room for `capacity` samples, without energy and jumps; and one more sample
 * (energy is left out where the path has none). */
void bench_path_alloc(struct bench_path *path, long capacity, int nq, int nu, int nq_compared,
                      struct base_arena *arena);
void bench_path_add(struct bench_path *path, double t, const double *q, const double *u,
                    double energy);
/* Room for energy and work of all samples. */
void bench_path_alloc_energies(struct bench_path *path, struct base_arena *arena);

/* How the run ended, a base_status; reason "": what that status means. */
void bench_outcome_set_status(struct bench_outcome *out, int status, const char *reason);

#endif
