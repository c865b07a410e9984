/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Impulse stepping in its parts: impulse.c the step, impulse_rows.c which contacts take part and
 * what is kept of them, impulse_account.c work, diagnostics and memory. Internal to these.
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
  int *age;      /* n, before this step */
  double *shift; /* n, s_N [m/s] */
  double *b;     /* dim n, W^T u_f + s; once the step is made W^T u^E [m/s] */
  double *r;     /* dim n [N s] */
  double *rest;  /* s_N of the contacts that are in no row, ascending [m/s] */
};

struct impulse {
  struct form_setup setup;
  struct form_impulse_scheme scheme;
  double *middle;                  /* nq, midpoint, of schemes that look there */
  const double *q;                 /* nq, evaluation point */
  const double *q_force;           /* nq, where h is taken */
  double *u_free;                  /* nu, u^B + dt M^-1 h, then without violating constraints */
  struct form_bilateral bilateral; /* at the evaluation point, of this step */
  int compact;                     /* free rigid bodies: contacts are compact, M is diagonal */
  double *L;                       /* nb blocks nv x nv, factor of M(q); NULL: compact */
  double *mass, *inverse;          /* 2 x nb of central systems, m and I, 1/m and 1/I; else NULL */
  int has_mass;                    /* L holds the constant mass already */
  struct mech_contacts contacts;   /* within reach, at q */
  struct impulse_rows rows;
  struct form_memory memory; /* of the last step */
  void *eliminator;          /* workspace of scheme.elimination */
};

/* Scratch of one attempt, in the arena. */
struct impulse_step {
  double t, dt;
  const double *u_begin;     /* nu */
  const double *u;           /* nu, u^E */
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

/* Velocities u: nu as the contacts want them: u itself, or from the arena with bodies turning about
 * world axes. */
const double *impulse_seen_by_contacts(const struct impulse *w, const double *u);
/* Least xi_N the law allows contact i that slips at |v_T|: zero, or mu |v_T| under the convex
 * relaxation. v: dim, at the end of the step, without shift. */
double impulse_least_normal(const struct impulse *w, int i, const double *v);
/* Contacts within reach, and room for a row each. */
void impulse_collect(struct impulse *w, double reach);
/* Rows of a first guess of the contacts that matter: those whose gap the velocities at hand could
 * close, and those that carried an impulse before. */
void impulse_select_near(struct impulse *w, const struct impulse_step *s);
/* Put contacts in that were left out and are violated by s->u; returns how many. */
int impulse_select_violated(struct impulse *w, const struct impulse_step *s);
/* Of a step that was made: work, closings, diagnostics of the last solve, and the memory for the
 * next step. The rows' b is used up. */
void impulse_account(struct impulse *w, const struct impulse_step *s, struct form_report *report);

#endif
