/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The gap-level shift shared by ccp, ncp and mdp (negrut 5c, 5d, 6; preclik 3.1), with Phi = g_N:
 *
 *   s_N = Phi/dt                     Phi >= 0
 *   s_N = max(erp Phi/dt, -v_max)    Phi <  0
 *   s_N = 0, contacts with Phi <= 0 only, without the stabilisation term
 *
 * Newton's law is our extension (negrut's scheme is inelastic). A contact that approaches (v_N^B <
 * 0) with eps_N > 0 and would close within this step without contact impulses (Phi + dt v_N^free <=
 * 0) gets
 *
 *   s_N = eps_N v_N^B                      Phi >= 0
 *   s_N = min(eps_N v_N^B, s_N as above)   Phi <  0
 *
 * so that it leaves with eps_N times its approach velocity from where it stands, at most one step's
 * way above the surface. For eps_N = 1 that retraces a semi-implicit Euler trajectory backwards
 * exactly. A contact at rest has v_N^B = 0 and keeps its gap-level shift: no jitter.
 */
#ifndef FORM_GAP_LEVEL_H
#define FORM_GAP_LEVEL_H

#include "base/options.h"
#include "form/impulse.h"

enum form_restitution { FORM_RESTITUTION_NEWTON, FORM_RESTITUTION_NONE };

struct form_gap_options {
  int stabilization;
  int relaxation; /* ccp only */
  double delta;   /* [m] */
  double v_max;   /* [m/s] */
  double erp;     /* [-] */
  int restitution;
  int corrections;
  int joints;
};

#define FORM_GAP_CORRECTIONS(type)                                                                 \
  BASE_OPTION_INT(                                                                                 \
      type, corrections, 0, 0, 20,                                                                 \
      "further solves a step, at most, that put gaps and g_S at its end in place of "              \
      "their linearisation; each leaves dt |omega| of the error; 0: linearised, as in the source")

#define FORM_GAP_OPTIONS                                                                           \
  BASE_OPTION_BOOL(                                                                                \
      struct form_gap_options, stabilization, 1,                                                   \
      "Phi/dt and g_S/dt in the constraints (negrut 5c, 5d); without it the velocity "             \
      "level, contacts with Phi <= 0 only"),                                                       \
      BASE_OPTION_REAL(struct form_gap_options, delta, INFINITY, 0, INFINITY, "m",                 \
                       "contacts with a gap above it take no part (negrut's delta_K)"),            \
      BASE_OPTION_REAL(struct form_gap_options, v_max, INFINITY, 0, INFINITY, "m/s",               \
                       "largest speed that corrects a penetration (negrut, after 6)"),             \
      BASE_OPTION_REAL(struct form_gap_options, erp, 1, 0, 1, "",                                  \
                       "part of a penetration corrected in one step (preclik 3.1)"),               \
      BASE_OPTION_CHOICE(struct form_gap_options, restitution, FORM_RESTITUTION_NEWTON,            \
                         "newton|none",                                                            \
                         "eps_N of closing contacts (our extension), or inelastic"),               \
      FORM_GAP_CORRECTIONS(struct form_gap_options), FORM_JOINTS_OPTION(struct form_gap_options)

/* form_impulse_scheme.shift, options: struct form_gap_options. */
void form_gap_shift(const void *options, const struct form_impulse_contact *contact, double *s);
/* Scheme of a semi-implicit Euler step at gap level. */
struct form_impulse_scheme form_gap_scheme(const struct form_gap_options *options,
                                           enum contact_law law);

#endif
