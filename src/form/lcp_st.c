/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stewart and Trinkle's scheme as in bhalerao, with a polyhedral friction cone at gap level:
 *
 *   M (u^{l+1} - u^l) = dt h(q^l + dt/2 F u^l, u^l) + W_S r_S + W r     (13a)
 *   q^{l+1} = q^l + dt F(q^l) u^{l+1}                                   (13c)
 *   0 <= Phi/dt + v_N^{l+1} perp r_N >= 0                               (14a), (15)
 *   friction on the polygon of n_dir directions                         (14b), (14c)
 *
 * Forces alone are taken at the middle of the step; M, W and W_S are taken at q^l, where (15)
 * expands the gap. Bilateral constraints carry g_S/dt (bhalerao has joints inside the bodies'
 * recursion instead).
 *
 * Restitution (16): a contact that got its first normal impulse in the step from l-1 to l has, in
 * the step after, 0 <= v_N^{l+1} + eps_N v_N^{l-1} perp r_N >= 0 in place of (14a): it lands
 * inelastically and rebounds one step later with eps_N times the velocity it approached with.
 */
#include "form/lcp_st.h"

struct lcp_st_options {
  int n_dir;
  double mu_ratio; /* [-] */
  double delta;    /* [m] */
  int restitution;
  int corrections;
  int joints;
};

static const struct base_option lcp_st_options[] = {FORM_ST_OPTIONS(struct lcp_st_options),
                                                    FORM_JOINTS_OPTION(struct lcp_st_options),
                                                    BASE_OPTION_END};

double form_st_shift(enum form_restitution restitution,
                     const struct form_impulse_contact *contact) {
  const int rebounds = restitution == FORM_RESTITUTION_NEWTON && contact->eps_N > 0 &&
                       contact->age == 1 && contact->approach < 0;
  return rebounds ? contact->eps_N * contact->approach : contact->gap / contact->dt;
}

struct form_impulse_scheme form_st_scheme(int n_dir, double mu_ratio, double delta, int corrections,
                                          struct base_arena *arena) {
  return (struct form_impulse_scheme){.law = CONTACT_LAW_LCP,
                                      .n_dir = n_dir,
                                      .dirs = form_polygon_directions(n_dir, mu_ratio, arena),
                                      .force_midway = 1,
                                      .bilateral_position = 1,
                                      .corrections = corrections,
                                      .reach = delta};
}

static void lcp_st_shift(const void *options, const struct form_impulse_contact *contact,
                         double *s) {
  const struct lcp_st_options *o = options;
  s[0] = form_st_shift((enum form_restitution)o->restitution, contact);
}

static int lcp_st_check(const struct form_setup *setup) {
  return form_impulse_check(setup, CONTACT_LAW_LCP);
}

static void *lcp_st_alloc(const struct form_setup *setup, const struct form_state *start) {
  (void)start;
  const struct lcp_st_options *options = setup->options;
  struct form_impulse_scheme scheme = form_st_scheme(
      options->n_dir, options->mu_ratio, options->delta, options->corrections, setup->arena);
  scheme.shift = lcp_st_shift;
  scheme.joints.joints = (enum form_joints)options->joints;
  return form_impulse_alloc(setup, &scheme);
}

const struct form form_lcp_st = {.summary = "Stewart-Trinkle: polyhedral friction cone, gap level",
                                 .source = "bhalerao 13 to 16",
                                 .has_law = 1,
                                 .law = CONTACT_LAW_LCP,
                                 .solver = "lemke",
                                 .exchanges = 1,
                                 .options = lcp_st_options,
                                 .options_size = sizeof(struct lcp_st_options),
                                 .check = lcp_st_check,
                                 .alloc = lcp_st_alloc,
                                 .step = form_impulse_step,
                                 .keep = form_impulse_keep,
                                 .free = form_impulse_free};
