/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One run, from words to a checked job: a case with its parameters, a formulation and a solver with
 * their options, step, horizon and sampling. The command line, suites and figures all use struct
 * bench_request, so every record has the one command that repeats it.
 *
 * Precedence, lowest first: tables' defaults, the case's defaults (cases/<case>/<case>.json, and
 * for t_end what the model says), the case's defaults for the formulation ("formulations" in that
 * file), then the request. Options a case sets for its default solver are left out when another
 * solver is asked for. A search (search/search.h) has a range of a parameter or of steps instead of
 * one.
 */
#ifndef BENCH_JOB_H
#define BENCH_JOB_H

#include "base/memory/arena.h"
#include "base/text.h"
#include "cases/case.h"
#include "form/form.h"

struct cJSON;
struct bench_place;

enum { BENCH_UNTIL_MAX = 2 };

/* A search (search/search.h): where a parameter changes whether conditions hold. */
struct bench_search_asked {
  const char *parameter; /* of the case, or "dt", the step */
  double lo, hi;         /* in its unit */
  double tolerance;      /* relative to hi - lo, for dt relative to dt */
  int n;
  const char *until[BENCH_UNTIL_MAX]; /* n conditions; the record is the run of the last one */
};

/* The request of a run, as text. */
struct bench_request {
  const struct bench_place *place; /* of a suite (job/cell.h); NULL: of none */
  const char *case_name;           /* or the name of a scene file */
  const char *formulation;
  const char *solver;    /* NULL: the formulation's default */
  struct base_words set; /* "key=value" for the case */
  struct base_words opt; /* "key=value" for formulation, solver, loop */
  double dt, t_end;      /* [s]; 0: the case's default */
  double sample;         /* trajectory interval [s]; 0: no trajectory in the record */
  double time_limit;     /* wall time [s]; 0: none */
  int threads;           /* of parallel solvers; 0: as the environment says */
  int repeat;            /* number of repeated timings (repeat/repeat.c); 0: one run */
  int is_tight; /* solves to the tolerance of one-step problems, where neither opt nor the case's
                   file says one: a run that is checked to rounding */
  struct bench_ensemble_spec {
    int phase, rotation; /* members are all pairs of these; 0: no variation */
    double start;        /* perturbation of each start, over length and speed [-] */
    int seed;
  } ensemble;                         /* the run many times over; see ensemble/ensemble.h */
  const char *search;                 /* as --search has it (asked.h); NULL: none */
  const char *until[BENCH_UNTIL_MAX]; /* NULL: none, or no second one */
  const char *checkpoint;             /* checkpoint file; NULL: none */
  double checkpoint_every; /* simulated time from one to the next [s]; 0: a tenth of the run */
  const char *restart;     /* file to go on from; NULL: from the start */
  const char *start;      /* checkpoint whose state is the initial one (run/checkpoint.c); NULL: the
                              case's own */
  const char *vtk;        /* frames for ParaView, "DIR" or "DIR:DT"; NULL: none */
  const char *film;       /* picture of frames side by side, "FILE" or "FILE:N"; NULL: none */
  const char *references; /* folder of stored references; NULL: none are stored */
  const char *table;      /* folder of the table that gets a row of the record; NULL: none does */
  int dump_every;         /* problems from one written to the next; 0: none is written */
  const char *dump_folder;
  const char *dump_ending; /* of the files, ".json" or ".hdf5"; NULL: not said */
  int shows_progress;      /* on a terminal */
};

/* The resolved and checked request. */
struct bench_job {
  const struct bench_request *request; /* what was asked, a copy */
  const struct case_type *type;
  struct case_parameters *parameters;
  const struct form *form;
  void *form_options;
  enum contact_law law;                /* of the one-step problems, where the formulation has any */
  const struct problem_solver *solver; /* NULL: the formulation takes none */
  void *solver_options;
  struct problem_loop loop;
  int is_balanced; /* loop.tol is not requested and follows the step (tolerance.c) */
  int is_tight;    /* as in the request, unless a tolerance is requested */
  int is_relieved; /* loop.relief is not requested, and is yes */
  struct bench_switches {
    int warm_start;
  } switches;
  struct bench_variation {
    double phase;   /* length of the first step, over dt */
    double perturb; /* of the start, over the system's length and speed [-] */
    int seed;       /* of that */
  } variation;
  double dt, t_end;
  double time_limit;                       /* remaining part [s]; 0: no limit */
  const struct bench_search_asked *search; /* NULL: none; of the step dt is lo */
  /* Quantities compared with the reference, in descending extent: trials of a search need
   * coordinates only, or nothing. */
  enum bench_compared {
    BENCH_COMPARED_ALL,
    BENCH_COMPARED_STATES,      /* velocities not as graphs */
    BENCH_COMPARED_COORDINATES, /* nor energies, nor by inertia */
    BENCH_COMPARED_NOT
  } compared;
  int status;                   /* BASE_OK, or the reason of the formulation's refusal */
  double work;                  /* estimate: steps x velocities x the formulation's cost x runs */
  const struct cJSON *defaults; /* the case's, for this formulation; NULL: none */
  const char *vtk_folder;       /* NULL: no frames */
  double vtk_every;      /* simulated time from one to the next [s]; 0: a hundredth of the run */
  const char *film_file; /* NULL: no film */
  int film_frames;
  /* NULL of a job that was only checked: */
  const char *command;  /* to run it again */
  const char *identity; /* the command without words that do not change the result */
  const char *key;      /* the inputs of the result, see key.h */
};

/* Resolve a request, down to building the model once; memory from the arena. BASE_E_INPUT with one
 * line naming what is wrong. */
int bench_job_resolve(const struct bench_request *request, struct base_arena *arena,
                      struct bench_job *job);
/* The same of a job that is not to be run. */
int bench_job_check(const struct bench_request *request, struct base_arena *arena,
                    struct bench_job *job);
/* Remaining time limit of a run within work begun at the time `begin` of base_clock_now() [s]; 0:
 * none. */
double bench_request_left(const struct bench_request *request, double begin);
/* Append an option and its value to a command, quoted where that is needed. */
void bench_command_give(const char **command, const char *option, const char *value,
                        struct base_arena *arena);
/* The beginning of the commands of all runs of the job's case. */
const char *bench_job_head(const struct bench_job *job, struct base_arena *arena);
/* Set the step [s], and with it the tolerance of the solves unless one is requested. */
void bench_job_set_step(struct bench_job *job, double dt);
/* Tolerance [-] with errors below a tenth of those of the steps (tolerance.c). */
double bench_tolerance_balanced(double dt, double t_end);
/* An option's value in JSON (number, text, true, false) as --opt would have it; NULL for others. */
const char *bench_option_text(const struct cJSON *value, struct base_arena *arena);
/* Is an option of this name a number, whichever formulation or solver has it? */
int bench_option_is_number(const char *key);
/* Options of the run itself, beside those of formulation, solver and loop: warm_start, for
 * formulations with one-step problems, and variations of the case's start and first step. */
extern const struct base_option bench_switch_options[], bench_variation_options[];
/* Is anything varied? */
int bench_job_is_varied(const struct bench_job *job);

#endif
