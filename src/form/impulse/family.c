/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `impulse`: any law with any scheme (impulse.h). What the named formulations fix, this one leaves
 * to the options, so that one of law, scheme and solver can be varied at a time. Options that mean
 * nothing for the pair chosen are refused where they are not at their default.
 */
#include "base/status.h"
#include "form/impulse/impulse.h"

static const struct base_option impulse_options[] = {
    BASE_OPTION_CHOICE(struct form_impulse_options, law, FORM_LAW_COULOMB, FORM_LAWS,
                       "the contact law; coulomb: cone where the system brings friction sets of "
                       "its own, else ncp"),
    BASE_OPTION_CHOICE(struct form_impulse_options, scheme, FORM_SCHEME_GAP, FORM_SCHEMES,
                       "semi-implicit Euler at gap or velocity level, Moreau's midpoint rule, or "
                       "the theta rule with implicit forces"),
    FORM_IMPULSE_THETA,
    FORM_IMPULSE_FORCE(FORM_FORCE_EVALUATION),
    FORM_IMPULSE_POLYGON,
    FORM_IMPULSE_GAP(FORM_RESTITUTION_AUTO),
    FORM_IMPULSE_GYRO,
    FORM_IMPULSE_POINT,
    FORM_JOINTS_OPTION(struct form_impulse_options),
    FORM_IMPULSE_JOINTS_DCA,
    BASE_OPTION_END};

/* Options that mean something with some schemes, laws or eliminations only. */
enum {
  GAP = 1 << FORM_SCHEME_GAP,
  EULER = GAP | 1 << FORM_SCHEME_VELOCITY,
  THETA = 1 << FORM_SCHEME_THETA,
  ANY = (1 << FORM_SCHEME_COUNT) - 1
};
static const struct {
  const char *name;
  int schemes, only_lcp, only_dca;
  const char *with;
} conditions[] = {{"theta", THETA, 0, 0, "scheme theta"},
                  {"force", EULER, 0, 0, "the schemes gap and velocity"},
                  {"gyro", ANY & ~THETA, 0, 0, "the schemes gap, velocity and midpoint"},
                  {"v_max", GAP, 0, 0, "scheme gap"},
                  {"erp", GAP, 0, 0, "scheme gap"},
                  {"corrections", GAP, 0, 0, "scheme gap"},
                  {"n_dir", ANY, 1, 0, "law lcp"},
                  {"mu_ratio", ANY, 1, 0, "law lcp"},
                  {"mcp", ANY, 0, 1, "joints dca"},
                  {"solved", ANY, 0, 1, "joints dca"},
                  {"threads", ANY, 0, 1, "joints dca"}};

static int impulse_check(const struct form_setup *setup) {
  const struct form_impulse_options *o = setup->options;
  for (size_t i = 0; i < sizeof conditions / sizeof *conditions; ++i) {
    const struct base_option *entry = base_options_find(impulse_options, conditions[i].name);
    const int applies = (conditions[i].schemes >> o->scheme & 1) != 0 &&
                        (!conditions[i].only_lcp || o->law == CONTACT_LAW_LCP) &&
                        (!conditions[i].only_dca || o->joints == FORM_JOINTS_DCA);
    if (!applies && !base_options_is_default(entry, o)) {
      return base_fail(BASE_UNSUPPORTED, "option '%s' means something with %s only",
                       entry->key.name, conditions[i].with);
    }
  }
  return form_impulse_check(setup);
}

const struct form form_impulse = {
    .name = "impulse",
    FORM_IMPULSE_FUNCTIONS,
    .check = impulse_check,
    .is_family = 1,
    .summary = "any contact law with any scheme of impulse stepping",
    .source = "the sources of the named pairs; see describe moreau, lcp-st, lcp-ap, ccp, mdp",
    .law = CONTACT_LAW_NCP,
    .solver = "relaxation",
    .options = impulse_options};
