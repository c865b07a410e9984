/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A formulation turns a state into the next one. It is a constant object: what it is, the law of
 * the one-step problem it emits (or none), its option table, and three functions. Adding one: a
 * file in the room of its family, or in a new one, that defines `const struct form form_<name>`,
 * and one line in registry.h.
 *
 *   impulse/     impulse stepping: one stepper, a law and a scheme, and the presets of both
 *   dca/         divide and conquer, the elimination that lcp-dca takes
 *   consistent/  energy-consistent integrators of moeller, chapter 5
 *   event/       event-driven integration, the reference solution of most cases
 *   penalty/     spring-damper contacts
 *   simulator/   programs of others, which give the states of a whole run
 *   delassus.h   the response of a system to contact impulses, asked by all of them
 */
#ifndef FORM_FORM_H
#define FORM_FORM_H

#include "base/bytes/blob.h"
#include "base/look.h"
#include "base/options.h"
#include "mech/mech.h"
#include "problem/solver.h"

struct cJSON;

struct form_state {
  double t;  /* [s] */
  double *q; /* nq */
  double *u; /* nu */
};

/* Report of one step; the harness sums the steps. Filled by form_step, zeroed before it. */
struct form_report {
  int contacts;    /* contacts in the one-step problem (penalty: that carry force; event: closed
                   ones) */
  int solves;      /* one-step problems solved (0, 1; more for two-step schemes and events) */
  int iterations;  /* over these */
  int unconverged; /* solves that missed their tolerance */
  int n_carrying;  /* contacts that carried a normal impulse anywhere in the step, and */
  const long *carrying;   /* their ids, ascending, each once; valid until the next step */
  const double *impulses; /* dim x n_carrying, theirs, normal first; NULL: not told [N s] */
  const double *q_W;      /* nq, configuration of the directions W along which they act; NULL: that
                             at the beginning of the step, or one near it */
  int internal_steps;     /* adaptive steppers, event: steps inside; else 1 */
  long evaluations;       /* of forces at a state: these, penalty, consistent-*; 0: not counted */
  double stable_dt;       /* fixed explicit steps: estimate of the longest stable dt [s]; 0: none */
  double stiffness;       /* of contacts, if the formulation chose it; 0: it did not [N/m^n] */
  double lag;     /* (theta - 1/2) dt where q moved by (1 - theta) dt u^B + theta dt u^E, by which
                 velocities are ahead of coordinates under constant forces [s]; else 0 */
  int eliminates; /* nonzero: dependent bilateral constraints were counted; and their number: */
  int dependent;
  int mcp; /* unknowns of the mixed complementarity problem posed, free ones included; 0: none is */
  int phases;  /* successive impacts in this step; 0: none, or not told apart */
  int several; /* event: from within this step on other motions satisfy Coulomb's law as well */
  int capped;  /* phases reached its limit, and contacts of the last impact did not rebound */
  const struct problem_solver *by; /* of the last solve, where the solver chose one; else NULL */
  int round;                       /* of by; else 0 */
  int is_outside; /* by an external simulator: contacts, works and residuals are not known; counts
                     that it does not report are negative, works NaN */
  const struct cJSON *simulator; /* its own description; NULL: none */
  double time;                   /* its own time of the step [s]; 0: not reported */
  double newton; /* residual reached by an inner Newton iteration, scaled; 0 without one */
  int graded;    /* number of problems graded by form/grade.h; their impulses moved the state */
  struct contact_residual residual;       /* of the worst of them; at: id of a contact */
  struct contact_diagnostics diagnostics; /* each the worst over them */
  struct contact_optimality optimality;   /* of the last solve; NaN where the law is not convex */
  /* Work done on the system in this step [J]: impulse times mean velocity, exact for any step
   * length. Friction and impact are <= 0 where they dissipate. */
  struct {
    double friction; /* tangential contact impulses */
    double
        impact; /* normal contact impulses (penalty: normal contact forces net of stored energy) */
    double damping, applied;
    double stored; /* change of energy stored in penalty springs: counted to the system's energy */
    double inflow; /* the same energy brought by bodies that entered before the step, less that of
                      bodies that left */
  } work;
};

/* Visitor of each one-step problem of impulse stepping, before its
 * solve. */
struct form_sink {
  void (*visit)(void *data, const struct problem *p); /* NULL: none */
  void *data;
};

struct form;
struct form_setup {
  const struct form *form; /* itself, where several share their functions */
  const struct mech *mech;
  const void *options;                 /* the formulation's own struct */
  const struct problem_solver *solver; /* NULL when the formulation takes none */
  const void *solver_options;
  struct problem_loop loop;
  int warm_start; /* start each solve from the last step's impulses, by contact id */
  double dt;      /* nominal step [s] */
  /* Of a whole run, for formulations that compute it at once: step k = 1 ... steps ends at (k - 1 +
   * phase) dt, the last one at t_end. steps 0: not known. */
  long steps;
  double phase, t_end;
  struct base_arena *arena; /* outlives the run; steps mark and release in it */
  struct form_sink sink;
};

struct form {
  const char *name; /* on the command line: the identifier with dashes for underscores */
  struct base_look look;
  const char *summary;  /* one line */
  const char *source;   /* tag and equations */
  int has_law;          /* emits one-step problems */
  enum contact_law law; /* of these */
  /* The law of these problems if it depends on setup->mech or setup->options (and on nothing else);
   * NULL: always `law`. */
  enum contact_law (*law_of)(const struct form_setup *setup);
  const char *solver; /* name of the default solver; NULL without law */
  int is_exact;       /* its conserved quantities are exact to rounding, so its solves need a tight
                         tolerance */
  int chooses_steps;  /* chooses substeps of dt by its own tolerance: its results have no order in
                        dt */
  int is_family;      /* left out of "all" in a suite: it needs options to be one formulation, or an
                        external program that may be missing */
  double cost;        /* estimated cost of a step over that of impulse stepping, by which suites
                        begin with the longest runs; 0: 1 */
  int open_systems; /* its memory of past steps is stored by contact, so bodies may enter and leave
                       between steps (mech_open_ops) */
  const struct base_option *options;
  size_t options_size;
  /* Can it run this system with these options? BASE_OK, or BASE_UNSUPPORTED with a reason a user
   * understands. NULL: always. */
  int (*check)(const struct form_setup *setup);
  /* Workspace; NULL with a message: unsupported, for reasons that need the initial state. */
  void *(*alloc)(const struct form_setup *setup, const struct form_state *start);
  /* Advance state by dt (the last step of a run may be shorter than setup->dt). BASE_OK,
   * BASE_UNCONVERGED (state advanced all the same), or another positive status with a message
   * (state undefined). */
  int (*step)(void *workspace, struct form_state *state, double dt, struct form_report *report);
  /* Save or restore the workspace's memory of past steps (base/bytes/blob.h: one pass serves both);
   * NULL: runs refuse checkpoints. */
  void (*checkpoint)(void *workspace, struct base_blob *blob);
  /* Release what does not live in the arena (library workspaces); NULL when there is nothing. */
  void (*free)(void *workspace);
};

/* The formulation named exec:COMMAND, any external simulator (simulator/exec.c); one object per
 * name. NULL with a message if the command is empty. */
const struct form *form_of_command(const char *name);

/* Registry. By name also exec:COMMAND, which is not listed. */
int form_count(void);
const struct form *form_get(int i);
const struct form *form_find(const char *name); /* NULL with a message that lists near names */

#endif
