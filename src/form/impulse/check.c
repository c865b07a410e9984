/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether impulse stepping can run a system with a solver; see impulse.h. Refusals come before the
 * first step and name what is missing.
 */
#include <string.h>

#include "base/status.h"
#include "form/impulse/parts.h"

/* Would the solver take the system's problems? */
static int check_solver(const struct form_setup *setup, enum contact_law law) {
  const struct problem_solver *solver = setup->solver;
  if (((const struct form_impulse_options *)setup->options)->sweeps > 0) {
    return BASE_OK;
  }
  if (solver == NULL) {
    return base_fail(BASE_UNSUPPORTED, "a solver for law '%s' is needed", contact_law_name(law));
  }
  if ((solver->laws & CONTACT_LAW_BIT(law)) == 0) {
    return base_fail(BASE_UNSUPPORTED, "solver '%s' does not solve law '%s'", solver->name,
                     contact_law_name(law));
  }
  return setup->mech->ops->contacts == NULL
             ? BASE_OK
             : problem_solver_check(solver, setup->solver_options, law, setup->mech->dim,
                                    setup->mech->friction_sets != 0);
}

int form_check_law(const struct form_setup *setup, enum contact_law law) {
  const struct mech *m = setup->mech;
  if (m->ops->contacts != NULL && m->friction_sets && law != CONTACT_LAW_CONE) {
    return base_fail(BASE_UNSUPPORTED,
                     "%s has friction sets of its own (Coulomb-Contensou or anisotropic friction); "
                     "law '%s' knows friction as a disk of radius mu",
                     m->name, contact_law_name(law));
  }
  if (m->ops->contacts != NULL && (m->dim < 1 || m->dim > (m->friction_sets ? 4 : 3))) {
    return base_fail(BASE_UNSUPPORTED,
                     "%s has contacts of %d components; known are a normal, up to two tangential "
                     "ones, and the spin torque where the system brings friction sets",
                     m->name, m->dim);
  }
  if (m->nq != m->nu && m->ops->kinematics == NULL) {
    return base_fail(BASE_UNSUPPORTED, "%s does not say how %d velocities move %d coordinates",
                     m->name, m->nu, m->nq);
  }
  if (m->ns > 0 && (m->ops->bilateral == NULL || (m->ops->bilateral_directions == NULL &&
                                                  m->ops->bodies.bilateral_by_body == NULL))) {
    return base_fail(BASE_UNSUPPORTED, "%s does not offer its %d bilateral constraints", m->name,
                     m->ns);
  }
  return check_solver(setup, law);
}

static int check_dca(const struct form_setup *setup) {
  const struct form_impulse_options *o = setup->options;
  if (o->joints != FORM_JOINTS_DCA) {
    return BASE_OK;
  }
  if (o->solved == FORM_MCP_WHOLE &&
      (form_impulse_law(setup) != CONTACT_LAW_LCP || setup->solver == NULL ||
       strcmp(setup->solver->name, "lemke") != 0)) {
    return base_fail(BASE_UNSUPPORTED, "solved=whole: law lcp and solver lemke alone, for the "
                                       "matrix of the mixed problem is not symmetric");
  }
  if (setup->mech->ops->open.inflow_outflow != NULL) {
    return base_fail(BASE_UNSUPPORTED,
                     "divide and conquer makes its tree once: bodies of %s come "
                     "and go",
                     setup->mech->name);
  }
  return form_dca_check(setup->mech);
}

/* At velocity level contacts take part by a motion that constraints hold; maximum dissipation is
 * about the energy of one contact at a time, and that depends on what is eliminated. */
static int check_free(const struct form_setup *setup) {
  const struct form_impulse_options *o = setup->options;
  const struct mech *m = setup->mech;
  if (o->joints != FORM_JOINTS_FREE || m->ns == 0) {
    return BASE_OK;
  }
  if (o->scheme != FORM_SCHEME_GAP || o->corrections > 0) {
    return base_fail(BASE_UNSUPPORTED, "joints=free: scheme gap alone, without corrections");
  }
  if (form_impulse_law(setup) == CONTACT_LAW_MDP || m->friction_sets) {
    return base_fail(BASE_UNSUPPORTED, "joints=free: laws ncp, ccp and lcp alone");
  }
  if (m->ops->driven.bilateral_drift != NULL) {
    return base_fail(BASE_UNSUPPORTED, "joints=free: joints of %s have prescribed motion", m->name);
  }
  return BASE_OK;
}

static int check_restitution(const struct form_impulse_options *o) {
  const enum form_restitution restitution = form_impulse_restitution(o);
  if (restitution == FORM_RESTITUTION_SOURCE && o->scheme != FORM_SCHEME_GAP) {
    return base_fail(BASE_UNSUPPORTED,
                     "restitution=source (bhalerao 16) lets a contact land at gap level first; at "
                     "velocity level it is step, newton or none");
  }
  if (restitution == FORM_RESTITUTION_STEP && o->scheme == FORM_SCHEME_THETA) {
    return base_fail(BASE_UNSUPPORTED,
                     "restitution=step has no forces in the impacts after the first, and scheme "
                     "theta forces of the velocity at the end of the step: take newton or none");
  }
  if (restitution == FORM_RESTITUTION_POISSON && o->scheme == FORM_SCHEME_THETA) {
    return base_fail(BASE_UNSUPPORTED,
                     "restitution=poisson has no forces in the impact, and scheme theta forces of "
                     "the velocity at the end of the step: take newton or none");
  }
  if (o->softness == FORM_SOFTNESS_RIGID && restitution != FORM_RESTITUTION_STEP &&
      o->phases != FORM_PHASES) {
    return base_fail(BASE_UNSUPPORTED,
                     "option 'phases' means something with restitution=step only");
  }
  return BASE_OK;
}

/* Maximum dissipation has no tangential shift: of its reactions, which leave the least energy,
 * those of a tangential rebound are none. Poisson's law is here one of normal impulses. Rebounds
 * ask for velocities that the constraints hold, which those that stay in the problem do not yet. */
int impulse_check_contacts(const struct form_setup *setup, const double *q) {
  const struct form_impulse_options *o = setup->options;
  const int is_mdp =
      form_impulse_law(setup) == CONTACT_LAW_MDP && o->restitution != FORM_RESTITUTION_NONE;
  const int stays = o->joints == FORM_JOINTS_FREE && setup->mech->ns > 0 &&
                    o->restitution != FORM_RESTITUTION_NONE;
  const int is_poisson = form_impulse_restitution(o) == FORM_RESTITUTION_POISSON;
  double eps_N = 0, eps_T = 0;
  const int is_soft = o->softness != FORM_SOFTNESS_RIGID;
  if (is_mdp || is_poisson || stays || is_soft) {
    mech_contacts_restitution(setup->mech, q, setup->arena, &eps_N, &eps_T);
  }
  if (is_soft && (eps_N != 0 || eps_T != 0)) {
    return base_fail(BASE_UNSUPPORTED,
                     "contacts with eps_N = %g, eps_T = %g: soft contacts rebound as their springs "
                     "and dampers have it, not by a coefficient",
                     eps_N, eps_T);
  }
  if ((is_mdp || is_poisson) && eps_T != 0) {
    return base_fail(BASE_UNSUPPORTED,
                     "contacts with eps_T = %g: %s; take another %s, or restitution=none", eps_T,
                     is_mdp ? "law 'mdp' minimises the energy and has no tangential restitution"
                            : "restitution=poisson has none of tangential velocities",
                     is_mdp ? "law" : "restitution");
  }
  if (stays && eps_N != 0) {
    return base_fail(BASE_UNSUPPORTED,
                     "contacts with eps_N = %g: joints=free knows inelastic contacts; take "
                     "restitution=none, or another elimination",
                     eps_N);
  }
  return BASE_OK;
}

/* Friction in the expansion is that of a normal impulse which is given in part (poisson.c). */
static int check_poisson(const struct form_setup *setup) {
  const enum contact_law law = form_impulse_law(setup);
  if (form_impulse_restitution(setup->options) != FORM_RESTITUTION_POISSON ||
      setup->mech->dim == 1) {
    return BASE_OK;
  }
  if (law == CONTACT_LAW_CCP || law == CONTACT_LAW_MDP) {
    return base_fail(BASE_UNSUPPORTED,
                     "restitution=poisson gives a part of the normal impulse of the expansion: "
                     "law '%s' would change it by friction; take ncp, lcp or cone",
                     contact_law_name(law));
  }
  return BASE_OK;
}

static int check_point(const struct form_setup *setup) {
  const struct form_impulse_options *o = setup->options;
  const struct mech *m = setup->mech;
  if (o->point == FORM_POINT_BODY && m->ops->contacts != NULL && !m->located) {
    return base_fail(
        BASE_UNSUPPORTED,
        "point=body asks for surfaces of bodies: %s says itself where its contacts act", m->name);
  }
  return BASE_OK;
}

/* R is of contacts that stand in the one-step problem by themselves. */
static int check_soft(const struct form_setup *setup) {
  const struct form_impulse_options *o = setup->options;
  if (o->softness == FORM_SOFTNESS_MUJOCO && o->dmin > o->dmax) {
    return base_fail(BASE_UNSUPPORTED,
                     "dmin = %g above dmax = %g: contacts would give way more the deeper they are",
                     o->dmin, o->dmax);
  }
  if (o->cone == FORM_CONE_PYRAMIDAL && form_impulse_law(setup) != CONTACT_LAW_CCP) {
    return base_fail(BASE_UNSUPPORTED, "cone=pyramidal: law ccp alone");
  }
  if (o->cone == FORM_CONE_PYRAMIDAL && o->noslip > 0) {
    return base_fail(BASE_UNSUPPORTED, "cone=pyramidal: noslip sweeps over disks of friction");
  }
  if (o->softness == FORM_SOFTNESS_AVBD && o->k_min > o->k_max) {
    return base_fail(BASE_UNSUPPORTED, "k_min = %g N/m above k_max = %g N/m", o->k_min, o->k_max);
  }
  if (o->softness == FORM_SOFTNESS_RIGID || setup->mech->ns == 0) {
    return BASE_OK;
  }
  if (o->joints == FORM_JOINTS_FREE ||
      (o->joints == FORM_JOINTS_DCA && o->solved == FORM_MCP_WHOLE)) {
    return base_fail(BASE_UNSUPPORTED, "soft contacts: joints have to be eliminated");
  }
  if (o->softness == FORM_SOFTNESS_CFM && o->joints == FORM_JOINTS_DCA) {
    return base_fail(BASE_UNSUPPORTED,
                     "softness cfm: divide and conquer knows no joints that give");
  }
  if (o->softness == FORM_SOFTNESS_CFM && setup->mech->ops->driven.bilateral_drift != NULL) {
    return base_fail(BASE_UNSUPPORTED,
                     "softness cfm: joints of %s have prescribed motion, which such joints lag",
                     setup->mech->name);
  }
  if (o->softness == FORM_SOFTNESS_AVBD) {
    return base_fail(BASE_UNSUPPORTED, "block descent over bodies: joints are not known");
  }
  return BASE_OK;
}

int form_impulse_check(const struct form_setup *setup) {
  int status = check_restitution(setup->options);
  status = status == BASE_OK ? check_poisson(setup) : status;
  status = status == BASE_OK ? check_point(setup) : status;
  status = status == BASE_OK ? check_dca(setup) : status;
  status = status == BASE_OK ? check_free(setup) : status;
  status = status == BASE_OK ? check_soft(setup) : status;
  return status == BASE_OK ? form_check_law(setup, form_impulse_law(setup)) : status;
}
