/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Impulse stepping in its parts: impulse.c the step, solve.c one of its solves, phases.c its
 * successive impacts, poisson.c the expansion of Poisson's law, rows.c the contacts that take part
 * and the rows stored of them, curve.c corrections of gaps, account.c work, diagnostics and memory.
 * Internal to these.
 */
#ifndef FORM_IMPULSE_PARTS_H
#define FORM_IMPULSE_PARTS_H

#include "form/carried.h"
#include "form/delassus.h"
#include "form/impulse/impulse.h"
#include "form/impulse/memory.h"

/* Contacts of the one-step problem, ascending, one row each. */
struct impulse_rows {
  struct base_arena *store;
  int n, capacity;
  int *contact;    /* n */
  double *b;       /* dim n, W^T u_f + s; once the step is made W^T u^E [m/s] */
  double *r;       /* dim n [N s] */
  double *A;       /* dim x dim n, blocks A_ii of the problem solved last [1/kg] */
  double *descent; /* 2 dim n, as in struct form_memory, as long as the step's scratch; else NULL */
  double *shift;   /* of every contact, also without a row: s_N [m/s] */
};

struct impulse {
  struct form_setup setup;
  struct form_impulse_scheme scheme;
  double *middle;        /* nq, midpoint, of schemes that evaluate there */
  const double *q;       /* nq, evaluation point */
  const double *q_force; /* nq, where h is taken */
  const double *q_begin; /* nq, of this step */
  double *M;      /* nu x nu, mass where L is that of the effective mass (theta.c); else NULL */
  double *offset; /* ns, W_S^T u^E + offset = 0, g_S/dt or the rate of prescribed motion [.../s] */
  double *u_free; /* nu, u^B + dt M^-1 h, then projected onto the constraints; overwritten by a
                     step */
  double *u_forced; /* nu, u^B + dt M^-1 h of systems with prescribed motion; else NULL */
  double *L;        /* factor of M(q), see mech_mass_factor, or of the effective mass */
  int effective;    /* nonzero: L factors the effective mass, for systems in one block with implicit
                       forces */
  int has_mass;     /* L holds the constant mass already */
  struct mech_contacts contacts; /* within reach, at q */
  struct mech_contacts ahead;    /* contacts at the end of the step, visited one by one */
  struct impulse_rows rows;
  struct form_memory memory;                  /* of the last step */
  struct form_carried carried;                /* contacts that carried in any substep */
  const struct form_elimination *elimination; /* of bilateral constraints; NULL: there are none */
  void *eliminator;                           /* its workspace */
};

/* Roles of contacts in a step, bits. */
enum {
  IMPULSE_OUT = 1,     /* takes no part in the step: too far off */
  IMPULSE_WAITS = 2,   /* takes no part in the current solve (phases.c) */
  IMPULSE_LOADED = 4,  /* carries under the step's forces, so it takes part in all its impacts */
  IMPULSE_CARRIED = 8, /* had a normal impulse in this step ... */
  IMPULSE_CLOSED = 16, /* ... and no rebound after it */
  IMPULSE_LANDS = 32,  /* an inelastic impact; its law holds for the velocities after it */
  IMPULSE_HELD = 64    /* takes no part in the step: joints keep it from moving along its normal */
};

/* A compression and its expansion, solved (poisson.c). r and v of the expansion's problem: those of
 * the rows, then those of the given impulses. */
struct impulse_expansion {
  struct contact_residual compression_residual;
  struct contact_diagnostics compression_diagnostics;
  const long *compression_id; /* of its contacts */
  const double *u_compressed; /* nu, u^C */
  double *compression;        /* dim x contacts, r_C [N s] */
  double *given;              /* rows, eps_N r_C,N [N s] */
  double *r_expansion;        /* dim x rows, r_E [N s] */
  struct problem problem;
  const long *id; /* of its contacts */
  double *r, *v;
  struct contact_residual residual;
};

/* The impact of the present solve (phases.c). Velocities: nu. */
struct impulse_impact {
  int phase;              /* 1, 2, ...; 0: none of phases.c */
  int inelastic;          /* no contact rebounds */
  const double *u_before; /* before it, without the step's forces */
  const double *u_close;  /* the motion that closes contacts */
  const double *u_free;   /* of the step without contact impulses: w->u_free in its first impact */
  const double *u_move;   /* what moves q where contacts land; NULL: the velocities found */
  const double *half;     /* what forces and constraints add to velocities, of an impact between its
                             halves (poisson.c) [m/s] */
  double *total;          /* dim x contacts, impulses of all phases; NULL: there is one [N s] */
  struct impulse_expansion *expansion; /* behind the present solve; NULL: none */
};

/* Gaps at the end of the step in place of their linearisation (curve.c). */
struct impulse_corrected {
  double *curve;  /* n of the contacts, what s_N has of their curvature [m/s]; NULL: none */
  double *offset; /* ns, as in struct impulse */
};

/* Forces at the velocities found (theta.c). */
struct impulse_implicit {
  int iterations, stuck; /* stuck: they missed their tolerance */
  double change;         /* of u_free in the last of them [m/s] */
};

/* The problem solved last (solve.c). */
struct impulse_solved {
  struct mech_contacts contacts; /* of the rows */
  struct problem problem;        /* nc = 0: none was */
  struct contact_residual residual;
  double *u; /* nu, storage of its velocities; NULL: not needed yet */
};

/* Scratch of one attempt, in the arena. */
struct impulse_step {
  double t, dt;
  const double *u_begin; /* nu, u^B */
  double noise;          /* in gaps, by the rounding of coordinates [m] */
  unsigned char *role;   /* of every contact, IMPULSE_OUT ... */
  struct {
    double reach, need; /* reach of the collected contacts; reach that the velocities found require
                           [m] */
  } search;
  struct impulse_impact impact;
  struct impulse_corrected corrected;
  struct impulse_implicit implicit;
  struct impulse_solved solved;
  const double *u; /* nu, u^E: solved.u, or w->u_free while no contact has a row */
};

/* Time at which h is taken. */
static inline double impulse_force_time(const struct impulse *w, double t, double dt) {
  return w->scheme.force == FORM_FORCE_MIDWAY ? t + 0.5 * dt : t + (1 - w->scheme.theta) * dt;
}

/* Least xi_N the law allows contact i that slips at |v_T|: zero, or mu |v_T| under the convex
 * relaxation. v: dim, at the end of the step, without shift. */
double impulse_least_normal(const struct impulse *w, int i, const double *v);
/* out: nq = q + tau F(q) u, redundant coordinates put back. */
void impulse_move(const struct impulse *w, const double *q, const double *u, double tau,
                  double *out);
/* Gyroscopic forces of the mean velocities in w->u_free, in place of those of u_begin (gyro.c);
 * BASE_FAILED: Newton's method did not converge. */
int impulse_gyro(struct impulse *w, const double *u_begin, double t, double dt);
/* x: nu = dt M^-1 x. */
void impulse_divide(const struct impulse *w, double dt, double *x);
/* w->u_free onto the bilateral constraints, at the evaluation point's directions. */
void impulse_constrain(struct impulse *w, double t, double dt);
/* Rounding of gaps at q: nq [m]. */
double impulse_noise(const struct impulse *w, const double *q);
/* Does the motion u: nu violate the law at contact i without its impulse, by more than noise? */
int impulse_closes(const struct impulse *w, const struct impulse_step *s, int i, const double *u);
/* Solve the problem given by the current roles: s->u. BASE_OK, BASE_UNCONVERGED, or a failure. */
int impulse_solve(struct impulse *w, struct impulse_step *s, struct form_report *report);
/* R of soft contacts, from the arena: dim x n [1/kg]; diagonal: n blocks A_ii, dim x dim. */
const double *impulse_soft_compliance(const struct impulse *w, const struct mech_contacts *c,
                                      const double *diagonal, double dt);
/* In place of a solve: sweeps over the rows with their softness, which give s->u. Once no further
 * contact joins, as many sweeps relax the velocities, and their residual is graded
 * (soft/sweep.c). */
void impulse_sweep_softly(struct impulse *w, struct impulse_step *s,
                          const struct form_delassus *delassus, struct form_report *report);
void impulse_end_sweeps(struct impulse *w, struct impulse_step *s,
                        const struct form_delassus *delassus, struct form_report *report);
/* Behind a soft solve: sweeps over friction alone, without compliance, as MuJoCo's noslip. */
void impulse_stop_slip(struct impulse *w, struct impulse_step *s,
                       const struct form_delassus *delassus, struct form_report *report);
/* Pyramids in place of disks (soft/pyramid.c): the problem p of the rows as one of edges, and a
 * first guess of their impulses from the rows' r; then these r and the contact of the residual. */
double *impulse_pyramid_pose(const struct impulse *w, struct problem *p);
void impulse_pyramid_gather(struct impulse *w, const struct contact_model *model, const double *f,
                            struct problem_result *result);
/* Block descent over bodies (soft/avbd.c): s->u and the rows' r; BASE_FAILED: a mass is not
 * positive definite. */
int impulse_descend(struct impulse *w, struct impulse_step *s, struct form_report *report);
/* The parts of a solve over the rows: contacts and problem of s->solved with the operator, the rows
 * of contacts that joints hold being dropped; a solution r, v (NULL: it is not wanted); s->u =
 * u_from + the response to r, u_from: nu. */
void impulse_pose(struct impulse *w, struct impulse_step *s, struct form_report *report,
                  struct form_delassus *delassus);
void impulse_solve_problem(struct impulse *w, const struct problem *p, double *r, double *v,
                           struct form_report *report, struct problem_result *result);
void impulse_respond(struct impulse *w, struct impulse_step *s,
                     const struct form_delassus *delassus, const double *r, const double *u_from);
/* The expansion after a compression that was solved: s->u, the impulses of both in the rows,
 * s->impact.expansion. BASE_OK, BASE_UNCONVERGED, or a failure. */
int impulse_expand(struct impulse *w, struct impulse_step *s, struct form_report *report);
/* Allocate s->solved.u if needed; valid until the step's scratch is released. */
void impulse_own_velocity(const struct impulse *w, struct impulse_step *s);
/* Largest gap of contacts to be collected for velocities u: nu [m]; infinite: no bound. */
double impulse_approach(const struct impulse *w, const double *u, double dt);
/* Set s->search.need, the reach that the velocities s->u require. */
void impulse_look_ahead(const struct impulse *w, struct impulse_step *s);
/* Do the collected contacts include all that can close at the velocities s->u? Also 1 if the need
 * is not a number: the state has diverged, and more contacts would not help. */
static inline int impulse_is_within(const struct impulse_step *s) {
  return !(s->search.need > s->search.reach);
}
/* All solves of the step, in as many phases as needed: s->u, and the contacts' results in the
 * report. Ends early if contacts beyond the reach are needed. */
int impulse_phases(struct impulse *w, struct impulse_step *s, struct form_report *report);
/* Largest gap of a contact that takes part: delta, or infinite if contacts that carried may take
 * part farther off [m]. */
double impulse_reach(const struct impulse *w);
/* BASE_UNSUPPORTED with the reason if a possible contact has a restitution that the law lacks; q:
 * the start (check.c). */
int impulse_check_contacts(const struct form_setup *setup, const double *q);
/* Contacts within reach, and arrays with a row for each. */
void impulse_collect(struct impulse *w, double reach);
/* Give rows to a first guess of the active contacts: those whose gap the current velocities could
 * close, and those that carried an impulse before. */
void impulse_select_near(struct impulse *w, const struct impulse_step *s);
/* Give rows to contacts without one that s->u violates; returns their number. */
int impulse_select_violated(struct impulse *w, const struct impulse_step *s);
/* Update the rows' b after a change du: nu of the free velocities. */
void impulse_rows_shift(struct impulse *w, const double *du);
/* Allocate the corrections of an attempt, all zero. */
void impulse_curve_begin(struct impulse *w, struct impulse_step *s);
/* Replace linearised gaps by those at the end of a step with s->u. Returns 1 if the problem has
 * changed and must be solved again. */
int impulse_curve_correct(struct impulse *w, struct impulse_step *s);
/* A force of the system, as in mech_ops. */
typedef void (*impulse_force_function)(const struct mech *m, const double *q, const double *u,
                                       double t, double *f);
/* Implicit forces (theta.c). begin: the effective mass takes M's place in w->L; BASE_FAILED
 * where it is not positive definite. force: f: nu = the theta mean of a force, for a step that ends
 * with u: nu. free: u_free: nu, without contacts and constraints, by forces linearised at u; u_free
 * may be u. correct: u_free by the forces at s->u; returns whether it has to be solved again. */
int impulse_theta_begin(struct impulse *w, const struct impulse_step *s);
void impulse_theta_force(const struct impulse *w, const struct impulse_step *s, const double *u,
                         impulse_force_function force, double *f);
void impulse_theta_free(struct impulse *w, const struct impulse_step *s, const double *u,
                        double *u_free);
int impulse_theta_correct(struct impulse *w, struct impulse_step *s, struct form_report *report);
/* Diagnostics of the current solve under its law, for velocities s->u with the shifts. The rows' b
 * becomes W^T s->u. */
struct contact_diagnostics impulse_diagnose(struct impulse *w, const struct impulse_step *s);
/* Account for a solve whose impulses move the state: work, diagnostics, roles and sums. The rows' b
 * is overwritten. */
void impulse_account_phase(struct impulse *w, struct impulse_step *s, struct form_report *report);
/* Account for a finished step: work of forces, and the memory for the next step. */
void impulse_account(struct impulse *w, const struct impulse_step *s, struct form_report *report);

#endif
