/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Carrying out one job: the loop over steps, with everything a record reports measured from outside
 * the formulation (errors, energy budget, constraints, the law's residual, iterations, time).
 */
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include "bench/job/job.h"
#include "bench/run/one_contact.h"

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
  const struct bench_threshold *threshold; /* NULL: none */
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

/* Run a resolved job, as often as it asks for; everything allocated comes from the arena. BASE_OK
 * whenever there is an outcome to record (whatever its status); negative when the case itself could
 * not be built. */
int bench_run(const struct bench_job *job, struct base_arena *arena, struct bench_outcome *outcome);
/* The same once, its times those of this run. */
int bench_run_once(const struct bench_job *job, struct base_arena *arena,
                   struct bench_outcome *outcome);

/* Does the formulation with its solver declare, before any step, that it can run the system from
 * its start (form.check, form.alloc)? BASE_OK, or BASE_UNSUPPORTED with the reason; of systems so
 * large that a workspace costs something only what check says. */
int bench_run_check(const struct bench_job *job, const struct case_instance *start,
                    struct base_arena *arena);

/* BASE_E_INPUT with a message where the initial state has bodies in each other or constraints apart
 * (start.c). */
int bench_start_check(const struct bench_job *job, const struct case_instance *start,
                      struct base_arena *arena);

/* The case's model and initial state, or with job->start that of a checkpoint (checkpoint.c).
 * BASE_E_INPUT or BASE_E_IO with a message. */
int bench_job_build(const struct bench_job *job, struct base_arena *arena,
                    struct case_instance *out);

/* Move a state at random by `part` of the system's length and speed: q: nq, u: nu (start.c). */
void bench_start_perturb(const struct mech *m, double part, unsigned long seed, double *q,
                         double *u, struct base_arena *arena);

/* The time at which step k = 1, 2, ... ends [s], but for the last one. */
static inline double bench_step_end(const struct bench_job *job, long k) {
  return ((double)k - (1 - job->variation.phase)) * job->dt;
}

/* What the reference is wanted for: the errors at the samples, with energies; the graph of the
 * velocity; the error of the first contact alone. The last is of few times, and no file keeps it.
 */
enum bench_purpose { BENCH_FOR_SAMPLES, BENCH_FOR_GRAPH, BENCH_FOR_CONTACT };
/* Reference at the n given times (ascending, t[0] >= 0): the case's closed form, else `event` where
 * the case names it. kind, bound and until are set; *path ends with the last time up to `until`,
 * and n = 0 with a reason when there is none, also when `event` takes longer than the job's time
 * limit. Rounding of it depends on all the times, so that runs whose errors are to be the same ask
 * for the same. */
void bench_reference(const struct bench_job *job, enum bench_purpose purpose, int n,
                     const double *t, struct base_arena *arena, struct bench_path *path,
                     struct bench_outcome *outcome);

/* The same where the reference is known: of the outcome only is_cut may change. */
void bench_reference_more(const struct bench_job *job, enum bench_purpose purpose, int n,
                          const double *t, struct base_arena *arena, struct bench_path *path,
                          struct bench_outcome *outcome);

struct bench_encounter;

/* Errors of a sampled run against its reference, in published coordinates: the largest difference
 * (q_linf, and at t_end q_final) and its root mean square over the samples (q_l2), all of the
 * coordinates taken together; of velocities, which jump, the Hausdorff distance of their graphs.
 * The same differences weighted by inertia (mass_norm.h) where path holds the states they belong
 * to. Where the reference ends before t_end all are taken up to its end, and there is no q_final.
 * graph: the samples of path, and both ends of steps in which a contact closed; the reference is
 * taken closely about these. encounter: the states about the first of them. */
void bench_measure_errors(const struct bench_job *job, const struct mech *m,
                          const struct bench_path *path, const struct bench_path *graph,
                          const struct bench_encounter *encounter, struct base_arena *arena,
                          struct bench_outcome *outcome);

/* Energies and works at the n given times by `event`; path: the rest of its arrays too. BASE_OK, or
 * a positive status with a message. */
int bench_reference_energies(const struct bench_job *job, int n, const double *t,
                             struct base_arena *arena, struct bench_path *path,
                             struct bench_outcome *outcome);
/* outcome->energy_errors of a sampled run (with work and energy) against the reference at times
 * that hold those of its samples, which gets its energies where it has none (energy.c). */
void bench_measure_energy_errors(const struct bench_job *job, const struct mech *m,
                                 const struct bench_path *path, struct bench_path *ref,
                                 struct base_arena *arena, struct bench_outcome *outcome);
/* Is the outcome of use? outcome->quality from all else that was measured (quality.c). */
void bench_quality_judge(struct bench_outcome *outcome);

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

/* Hausdorff distance between the graphs (t, u) of two paths, vertices of each against the polyline
 * of the other, in the metric max(|dt| / t_scale, |du|_inf / u_scale). */
double bench_hausdorff(const struct bench_path *a, const struct bench_path *b, double t_scale,
                       double u_scale);

/* How the run ended, a base_status; reason "": what that status means. */
void bench_outcome_set_status(struct bench_outcome *out, int status, const char *reason);
/* Set everything measured to "no value": for runs that never took place, whose zeros would read
 * like perfect results. The initial energy and the counts stay. */
void bench_outcome_void(struct bench_outcome *out);
/* The outcome of a run that ended before it had any. */
void bench_outcome_end_early(struct bench_outcome *out, int status, const char *reason);

#endif
