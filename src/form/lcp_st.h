/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What lcp-st and lcp-dca have in common: the discretisation of bhalerao 13 to 16, told in
 * lcp_st.c.
 */
#ifndef FORM_LCP_ST_H
#define FORM_LCP_ST_H

#include "form/gap_level.h"
#include "form/lcp_polygon.h"

#define FORM_ST_OPTIONS(type)                                                                      \
  FORM_POLYGON_OPTIONS(type),                                                                      \
      BASE_OPTION_REAL(type, delta, INFINITY, 0, INFINITY, "m",                                    \
                       "contacts with a gap above it take no part"),                               \
      BASE_OPTION_CHOICE(type, restitution, FORM_RESTITUTION_NEWTON, "newton|none",                \
                         "eps_N one step after a landing (bhalerao 16), or inelastic"),            \
      FORM_GAP_CORRECTIONS(type)

/* s_N of a contact: Phi/dt (14a), or that of (16). */
double form_st_shift(enum form_restitution restitution, const struct form_impulse_contact *contact);
/* The scheme, but for its shift. */
struct form_impulse_scheme form_st_scheme(int n_dir, double mu_ratio, double delta, int corrections,
                                          struct base_arena *arena);

#endif
