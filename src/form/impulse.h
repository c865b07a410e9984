/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Impulse stepping, what moreau, lcp-st, lcp-ap, lcp-dca, ccp, ncp and mdp have in common. One step
 * solves
 *
 *   M (u^E - u^B) = dt h + W_S r_S + W r
 *   0 = W_S^T u^E + g_S/dt          (position level)   or   0 = W_S^T u^E   (velocity level)
 *   xi = W^T u^E + s,   (xi, r) in the contact law
 *
 * with M, W_S and W at the evaluation point, q^B or the midpoint q^B + dt/2 F(q^B) u^B, and moves
 * q^E = q^B + dt F(q^B) u^E, or q^E = q^M + dt/2 F(q^M) u^E. Formulations differ in the law, the
 * evaluation point, how near a contact must be to count, and the shift s [m/s], which holds the gap
 * at position level and Newton's restitution.
 *
 * At position level the gaps at the end of the step are those linearised at q^B. Schemes may ask
 * for corrections, further solves with what the linearisation left out, up to which
 *
 *   0 = g_S(q^E)/dt,   xi_N = (g_N(q^E) - g_N(q^B))/dt + s_N
 *
 * hold; see impulse_curve.c.
 *
 * A contact too far to be reached in the step is left out of the one-step problem at first; when
 * the solution contradicts that (xi with r = 0 violates the law) it is put in and the problem is
 * solved again. The result solves the law for all contacts within reach, while the scale of b, on
 * which the tolerance rests, is not that of a body far away over a small dt.
 */
#ifndef FORM_IMPULSE_H
#define FORM_IMPULSE_H

#include "form/elimination.h"

/* One contact at the evaluation point, as its shift sees it. */
struct form_impulse_contact {
  int dim;
  double dt;             /* [s] */
  double gap;            /* g_N [m] */
  double eps_N, eps_T;   /* [-] */
  const double *v_begin; /* dim, W^T u^B [m/s] */
  const double *v_free;  /* dim, W^T u of the step without contact impulses [m/s] */
  int age;               /* steps on end, up to now, in which it carried; 255: or more */
  double approach;       /* v_N at the beginning of the previous step, if age > 0 [m/s] */
};

struct form_impulse_scheme {
  enum contact_law law;
  int n_dir;              /* law lcp: facets of the cone */
  const double *dirs;     /* law lcp: 2 x n_dir, see contact_model; NULL: regular */
  int midpoint;           /* evaluate at q^M, else at q^B */
  int force_midway;       /* h alone at q^B + dt/2 F u^B (bhalerao 13a), the rest at q^B */
  int bilateral_position; /* g_S/dt stands in the bilateral constraints */
  const struct form_elimination *elimination; /* of bilateral constraints; NULL: dense. With
                                                 bilateral_position only */
  int corrections; /* of gaps at the end of the step, at most; without midpoint only */
  double reach;    /* contacts with a gap above it do not take part [m] */
  /* s of a contact; dim, zeroed before. With corrections s_N alone may be set. */
  void (*shift)(const void *options, const struct form_impulse_contact *contact, double *s);
};

/* form.check of every formulation here; law: the one its options ask for. */
int form_impulse_check(const struct form_setup *setup, enum contact_law law);
/* form.alloc, with the scheme the options ask for (copied); NULL with a message. */
void *form_impulse_alloc(const struct form_setup *setup, const struct form_impulse_scheme *scheme);
/* form.step. The report's residual and diagnostics are those of the last solve of the step,
 * `at` being the id of a contact.
 * Diagnostics take v_N with its shift, so that the Signorini residual is that of the law, and v_T
 * as it is at the end of the step. BASE_UNCONVERGED: state advanced with the best iterate. A solver
 * that broke down ends the step with its status and reason. */
int form_impulse_step(void *workspace, struct form_state *state, double dt,
                      struct form_report *report);
/* form.keep: the contacts remembered. */
void form_impulse_keep(void *workspace, struct base_blob *blob);

#endif
