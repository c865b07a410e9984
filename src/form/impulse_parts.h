/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Impulse stepping in its parts: impulse.c the step, impulse_rows.c which contacts take part and
 * what is kept of them, impulse_curve.c corrections of gaps, impulse_account.c work, diagnostics
 * and memory. Internal to these.
 */
#ifndef FORM_IMPULSE_PARTS_H
#define FORM_IMPULSE_PARTS_H

#include "form/delassus.h"
#include "form/impulse.h"
#include "form/memory.h"

/* Contacts of the one-step problem, ascending, one row each. */
struct impulse_rows {
  struct base_arena *store;
  int n, capacity;
  int *contact;  /* n */
  double *b;     /* dim n, W^T u_f + s; once the step is made W^T u^E [m/s] */
  double *r;     /* dim n [N s] */
  double *A;     /* dim x dim n, blocks A_ii of the problem solved last [1/kg] */
  double *shift; /* of every contact, with a row or without: s_N [m/s] */
};

struct impulse {
  struct form_setup setup;
  struct form_impulse_scheme scheme;
  double *middle;                  /* nq, midpoint, of schemes that look there */
  const double *q;                 /* nq, evaluation point */
  const double *q_force;           /* nq, where h is taken */
  double *offset;                  /* ns, g_S/dt [.../s], of schemes with their own elimination */
  double *u_free;                  /* nu, u^B + dt M^-1 h, then without violating constraints */
  struct form_bilateral bilateral; /* at the evaluation point, of this step */
  double *L;                       /* factor of M(q), see mech_mass_factor */
  int has_mass;                    /* L holds the constant mass already */
  struct mech_contacts contacts;   /* within reach, at q */
  struct mech_contacts ahead;      /* the one looked at at the end of the step */
  struct impulse_rows rows;
  struct form_memory memory; /* of the last step */
  void *eliminator;          /* workspace of scheme.elimination */
};

/* Scratch of one attempt, in the arena. */
struct impulse_step {
  double t, dt;
  const double *u_begin;     /* nu */
  double reach;              /* of the contacts collected [m] */
  const double *u;           /* nu, u^E */
  double *curve;             /* n of the contacts, what s_N holds of their curvature [m/s]; NULL: no
                                corrections */
  double *offset;            /* ns, as in struct impulse, corrected */
  struct mech_contacts part; /* the contacts of the rows */
  struct problem problem;    /* the one solved last, nc = 0: none was */
};

/* Time at which h is taken. */
static inline double impulse_force_time(const struct impulse *w, double t, double dt) {
  return w->scheme.midpoint || w->scheme.force_midway ? t + 0.5 * dt : t;
}

/* Id of the contact of row k; -1 stays. */
static inline long impulse_id_of(const struct impulse *w, long k) {
  return k >= 0 ? w->contacts.id[w->rows.contact[k]] : -1;
}

/* Least xi_N the law allows contact i that slips at |v_T|: zero, or mu |v_T| under the convex
 * relaxation. v: dim, at the end of the step, without shift. */
double impulse_least_normal(const struct impulse *w, int i, const double *v);
/* out: nq = q + tau F(q) u, redundant coordinates put back. */
void impulse_move(const struct impulse *w, const double *q, const double *u, double tau,
                  double *out);
/* w->u_free = u^B + dt M^-1 h for a step from t on. */
void impulse_accelerate(struct impulse *w, const double *u_begin, double t, double dt);
/* Contacts within reach, and room for a row each. */
void impulse_collect(struct impulse *w, double reach);
/* Rows of a first guess of the contacts that matter: those whose gap the velocities at hand could
 * close, and those that carried an impulse before. */
void impulse_select_near(struct impulse *w, const struct impulse_step *s);
/* Put contacts in that were left out and are violated by s->u; returns how many. */
int impulse_select_violated(struct impulse *w, const struct impulse_step *s);
/* Room for the corrections of an attempt, all zero. */
void impulse_curve_begin(struct impulse *w, struct impulse_step *s);
/* Gaps at the end of a step that ends with s->u, in place of their linearisation. Returns whether
 * that made another problem, to be solved again. */
int impulse_curve_correct(struct impulse *w, struct impulse_step *s);
/* Of a step that was made: work, closings, diagnostics of the last solve, and the memory for the
 * next step. The rows' b is used up. */
void impulse_account(struct impulse *w, const struct impulse_step *s, struct form_report *report);

#endif
