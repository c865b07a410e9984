/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Anitescu and Potra's scheme: semi-implicit Euler, a polyhedral friction cone (bhalerao 12, 14b,
 * 14c) and non-penetration at velocity level,
 *
 *   0 <= v_N^{l+1} + eps_N min(0, v_N^l) perp r_N >= 0   for contacts with g_N(q^l) <= delta,
 *
 * the second term being Newton's law. There is no stabilisation: a contact stays where it was when
 * it came within delta, bilateral constraints are held at velocity level.
 */
#include "form/gap_level.h"
#include "form/lcp_polygon.h"

struct lcp_ap_options {
  int n_dir;
  double mu_ratio; /* [-] */
  double delta;    /* [m] */
  int restitution;
  int joints;
};

static const struct base_option lcp_ap_options[] = {
    FORM_POLYGON_OPTIONS(struct lcp_ap_options),
    BASE_OPTION_REAL(struct lcp_ap_options, delta, 0, 0, INFINITY, "m",
                     "contacts with a gap up to it are closed (0: touching or penetrating)"),
    BASE_OPTION_CHOICE(struct lcp_ap_options, restitution, FORM_RESTITUTION_NEWTON, "newton|none",
                       "Newton's law with eps_N, or inelastic"),
    FORM_JOINTS_OPTION(struct lcp_ap_options), BASE_OPTION_END};

static void lcp_ap_shift(const void *options, const struct form_impulse_contact *contact,
                         double *s) {
  const struct lcp_ap_options *o = options;
  if (o->restitution == FORM_RESTITUTION_NEWTON) {
    s[0] = contact->eps_N * fmin(0, contact->v_begin[0]);
  }
}

static int lcp_ap_check(const struct form_setup *setup) {
  return form_impulse_check(setup, CONTACT_LAW_LCP);
}

static void *lcp_ap_alloc(const struct form_setup *setup, const struct form_state *start) {
  (void)start;
  const struct lcp_ap_options *options = setup->options;
  const struct form_impulse_scheme scheme = {
      .law = CONTACT_LAW_LCP,
      .n_dir = options->n_dir,
      .dirs = form_polygon_directions(options->n_dir, options->mu_ratio, setup->arena),
      .joints.joints = (enum form_joints)options->joints,
      .reach = options->delta,
      .shift = lcp_ap_shift};
  return form_impulse_alloc(setup, &scheme);
}

const struct form form_lcp_ap = {
    .summary = "Anitescu-Potra: polyhedral friction cone, velocity level",
    .source = "bhalerao 12 to 14 with Anitescu and Potra's velocity-level condition",
    .has_law = 1,
    .law = CONTACT_LAW_LCP,
    .solver = "lemke",
    .exchanges = 1,
    .options = lcp_ap_options,
    .options_size = sizeof(struct lcp_ap_options),
    .check = lcp_ap_check,
    .alloc = lcp_ap_alloc,
    .step = form_impulse_step,
    .keep = form_impulse_keep,
    .free = form_impulse_free};
