/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `impulse`: any law with any scheme (impulse.h). What the named formulations fix, this one leaves
 * to the options, so that one of law, scheme and solver can be varied at a time. Options that mean
 * nothing for the pair chosen are refused where they are not at their default.
 */
#include <stddef.h>

#include "base/status.h"
#include "form/impulse/impulse.h"

static const struct base_option impulse_options[] = {
    BASE_OPTION_CHOICE(
        struct form_impulse_options, law, FORM_LAW_COULOMB, FORM_LAWS,
        "the contact law; coulomb: cone if the system has friction sets of its own, else ncp"),
    BASE_OPTION_CHOICE(struct form_impulse_options, scheme, FORM_SCHEME_GAP, FORM_SCHEMES,
                       "semi-implicit Euler at gap or velocity level, Moreau's midpoint rule, or "
                       "the theta rule with implicit forces"),
    FORM_IMPULSE_SUBSTEPS,
    FORM_IMPULSE_THETA,
    FORM_IMPULSE_FORCE(FORM_FORCE_EVALUATION),
    FORM_IMPULSE_POLYGON,
    FORM_IMPULSE_GAP(FORM_RESTITUTION_AUTO),
    FORM_IMPULSE_GYRO,
    FORM_IMPULSE_POINT,
    FORM_JOINTS_OPTION(struct form_impulse_options),
    FORM_IMPULSE_JOINTS_DCA,
    BASE_OPTION_CHOICE(
        struct form_impulse_options, softness, FORM_SOFTNESS_RIGID, FORM_SOFTNESS_OF_ROWS,
        "compliance of contacts (soft.c): none, or that of SAP, MuJoCo, or ODE and Bullet"),
    FORM_SOFTNESS_SAP_OPTIONS,
    FORM_SOFTNESS_MUJOCO_OPTIONS,
    FORM_SOFTNESS_CFM_OPTIONS,
    FORM_SOFTNESS_TGS_OPTIONS,
    BASE_OPTION_END};

/* Options that mean something with some choices of another one only: bits of these. */
#define ONLY(option_, choices_, with_)                                                             \
  { .of = offsetof(struct form_impulse_options, option_), .choices = (choices_), .with = (with_) }
#define SAP ONLY(softness, 1 << FORM_SOFTNESS_SAP, "softness sap")
#define MUJOCO ONLY(softness, 1 << FORM_SOFTNESS_MUJOCO, "softness mujoco")
#define TGS ONLY(softness, 1 << FORM_SOFTNESS_TGS, "softness tgs")
#define RIGID ONLY(softness, 1 << FORM_SOFTNESS_RIGID, "rigid contacts")
#define GAP ONLY(scheme, 1 << FORM_SCHEME_GAP, "scheme gap")
#define EULER                                                                                      \
  ONLY(scheme, 1 << FORM_SCHEME_GAP | 1 << FORM_SCHEME_VELOCITY, "the schemes gap and velocity")
#define LCP ONLY(law, 1 << CONTACT_LAW_LCP, "law lcp")
#define DCA ONLY(joints, 1 << FORM_JOINTS_DCA, "joints dca")
static const struct {
  const char *name;
  struct {
    size_t of;
    int choices;
    const char *with;
  } only;
} conditions[] = {
    {"theta", ONLY(scheme, 1 << FORM_SCHEME_THETA, "scheme theta")},
    {"force", EULER},
    {"gyro", ONLY(scheme, ~(1 << FORM_SCHEME_THETA), "the schemes gap, velocity and midpoint")},
    {"v_max", GAP},
    {"v_max", RIGID},
    {"erp", GAP},
    {"erp", ONLY(softness, 1 << FORM_SOFTNESS_RIGID | 1 << FORM_SOFTNESS_CFM,
                 "rigid contacts and softness cfm")},
    {"corrections", GAP},
    {"restitution", RIGID},
    {"n_dir", LCP},
    {"mu_ratio", LCP},
    {"mcp", DCA},
    {"solved", DCA},
    {"threads", DCA},
    {"beta", SAP},
    {"sigma", SAP},
    {"stiffness", SAP},
    {"tau_d", SAP},
    {"timeconst", MUJOCO},
    {"dampratio", MUJOCO},
    {"dmin", MUJOCO},
    {"dmax", MUJOCO},
    {"width", MUJOCO},
    {"midpoint", MUJOCO},
    {"power", MUJOCO},
    {"impratio", MUJOCO},
    {"cone", MUJOCO},
    {"noslip", MUJOCO},
    {"hertz", TGS},
    {"zeta", TGS},
    {"push", TGS},
    {"cfm", ONLY(softness, 1 << FORM_SOFTNESS_CFM, "softness cfm")}};

static int impulse_check(const struct form_setup *setup) {
  const struct form_impulse_options *o = setup->options;
  for (size_t i = 0; i < sizeof conditions / sizeof *conditions; ++i) {
    const struct base_option *entry = base_options_find(impulse_options, conditions[i].name);
    const int chosen = *(const int *)((const char *)o + conditions[i].only.of);
    if ((conditions[i].only.choices >> chosen & 1) == 0 && !base_options_is_default(entry, o)) {
      return base_fail(BASE_UNSUPPORTED, "option '%s' means something with %s only",
                       entry->key.name, conditions[i].only.with);
    }
  }
  return form_impulse_check(setup);
}

const struct form form_impulse = {
    .name = "impulse",
    FORM_IMPULSE_ANY,
    .has_law = 1,
    .check = impulse_check,
    .is_family = 1,
    .summary = "any contact law with any scheme of impulse stepping",
    .source = "the sources of the named pairs; see describe moreau, lcp-st, lcp-ap, ccp, mdp",
    .law = CONTACT_LAW_NCP,
    .solver = "relaxation",
    .options = impulse_options};
