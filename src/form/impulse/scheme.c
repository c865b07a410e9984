/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The schemes of impulse stepping (impulse.h) and their shifts s, with Phi = g_N:
 *
 *   gap        s_N = Phi/dt                     Phi >= 0        (negrut 5c, 5d; bhalerao 14a, 15)
 *              s_N = max(erp Phi/dt, -v_max)    Phi <  0        (negrut 6; preclik 3.1)
 *   velocity   s_N = eps_N min(0, v_N^-)                        (Anitescu and Potra)
 *   midpoint,  s_N = eps_N v_N^B,  s_T = eps_T v_T^B            (moeller 5.3 to 5.8)
 *   theta
 *
 * Restitution at gap level is our extension of schemes that are inelastic in their sources. A
 * contact with eps_N > 0 that its motion without contact impulses closes within the step,
 * Phi + dt v_N^free <= 0, has, s_N^0 being the shift above and v_N^- its velocity before the
 * impact,
 *
 *   s_N = min(eps_N v_N^-, s_N^0)                         v_N^- <  0
 *   s_N = (1 - eps_N) s_N^0 + eps_N min(v_N^-, s_N^0)     v_N^- >= 0
 *
 * The first is Newton's law: it leaves with eps_N times its approach velocity from where it stands,
 * at most one step's way above the surface. For eps_N = 1 that retraces a semi-implicit Euler
 * trajectory backwards exactly. The second is of contacts that forces alone close, those at rest
 * among them: for eps_N = 0 they land as without restitution, for eps_N = 1 they do no work, and in
 * between what is left of a gap falls by eps_N a step. At velocity level s_N^0 = 0 and both are
 * Anitescu and Potra's. Which contacts take part in an impact, and which v_N^- is theirs: phases.c
 * (`restitution=step`); all of them, and v_N^B (`newton`).
 * `poisson` (poisson.c) has s_N = 0 at contacts with eps_N > 0 that strike, and s_N^0 at all
 * others. `source` is bhalerao (16): a contact that got its first normal impulse in the step before
 * has s_N = eps_N v_N of the beginning of that step: it lands inelastically and rebounds one step
 * later.
 *
 * Tangential restitution (eps_T) is Newton's, s_T = eps_T v_T^-, of a contact at onset: one that
 * did not carry in the step before, approaches (v_N^- < 0) and would close within this step. With
 * `source` the rebound one step later repeats the shift, so that its friction does not undo it. The
 * midpoint rule has it in every step, as in moeller.
 */
#include <math.h>

#include "form/impulse/impulse.h"
#include "la/dense.h"

double form_impulse_rate(const struct form_impulse_options *o, double gap, double dt) {
  if (o->scheme != FORM_SCHEME_GAP) {
    return 0;
  }
  return gap >= 0 ? gap / dt : fmax(o->erp * gap / dt, -o->v_max);
}

static double rate_of(const struct form_impulse_options *o, const struct form_impulse_contact *c) {
  return form_impulse_rate(o, c->gap, c->dt);
}

static int closes(const struct form_impulse_contact *c) {
  return c->v_begin[0] < 0 && c->gap + c->dt * c->v_free[0] <= 0;
}

static void shift_tangential(const struct form_impulse_contact *c, const double *v, double *s) {
  for (int d = 1; d < c->dim; ++d) {
    s[d] = c->eps_T * v[d];
  }
}

/* Of a contact at onset. */
static void shift_onset(const struct form_impulse_contact *c, double *s) {
  if (c->age == 0 && closes(c)) {
    shift_tangential(c, c->v_begin, s);
  }
}

static void shift_euler(const struct form_impulse_options *o, const struct form_impulse_contact *c,
                        double *s) {
  const double rate = rate_of(o, c), v = c->v_begin[0];
  s[0] = rate;
  if (c->eps_N > 0 && (o->scheme != FORM_SCHEME_GAP || c->gap + c->dt * c->v_free[0] <= 0)) {
    s[0] = v < 0 ? fmin(c->eps_N * v, rate) : (1 - c->eps_N) * rate + c->eps_N * fmin(v, rate);
  }
  shift_onset(c, s);
}

static void shift_gap_source(const struct form_impulse_options *o,
                             const struct form_impulse_contact *c, double *s) {
  const int rebounds = c->eps_N > 0 && c->age == 1 && c->before[0] < 0;
  s[0] = rebounds ? c->eps_N * c->before[0] : rate_of(o, c);
  if (rebounds) {
    shift_tangential(c, c->before, s);
  } else {
    shift_onset(c, s);
  }
}

static void shift_poisson(const struct form_impulse_options *o,
                          const struct form_impulse_contact *c, double *s) {
  s[0] = c->eps_N > 0 && closes(c) ? 0 : rate_of(o, c);
}

static void shift_inelastic(const struct form_impulse_options *o,
                            const struct form_impulse_contact *c, double *s) {
  s[0] = rate_of(o, c);
}

static void shift_moreau(const struct form_impulse_options *o, const struct form_impulse_contact *c,
                         double *s) {
  (void)o;
  s[0] = c->eps_N * c->v_begin[0];
  shift_tangential(c, c->v_begin, s);
}

enum contact_law form_impulse_law(const struct form_setup *setup) {
  const struct form_impulse_options *o = setup->options;
  if (o->law == FORM_LAW_COULOMB) {
    return setup->mech->friction_sets ? CONTACT_LAW_CONE : CONTACT_LAW_NCP;
  }
  return (enum contact_law)o->law;
}

enum form_restitution form_impulse_restitution(const struct form_impulse_options *o) {
  if (o->softness != FORM_SOFTNESS_RIGID) {
    return FORM_RESTITUTION_NONE;
  }
  if (o->restitution != FORM_RESTITUTION_AUTO) {
    return (enum form_restitution)o->restitution;
  }
  return o->scheme == FORM_SCHEME_GAP || o->scheme == FORM_SCHEME_VELOCITY
             ? FORM_RESTITUTION_STEP
             : FORM_RESTITUTION_NEWTON;
}

/* Of the options' restitution. */
static void set_shift(const struct form_impulse_options *o, struct form_impulse_scheme *x) {
  const int euler = o->scheme == FORM_SCHEME_GAP || o->scheme == FORM_SCHEME_VELOCITY;
  switch (form_impulse_restitution(o)) {
  case FORM_RESTITUTION_STEP:
    x->phases = o->phases;
    x->shift = shift_euler;
    break;
  case FORM_RESTITUTION_POISSON:
    x->poisson = 1;
    x->shift = shift_poisson;
    break;
  case FORM_RESTITUTION_SOURCE:
    x->shift = shift_gap_source;
    x->uses_before = 1;
    break;
  case FORM_RESTITUTION_NONE:
    x->shift = shift_inelastic;
    break;
  default:
    x->shift = euler ? shift_euler : shift_moreau;
  }
}

/* Directions of the options, from the arena; NULL: the regular polygon. */
static const double *polygon(const struct form_impulse_options *o, struct base_arena *arena) {
  if (o->mu_ratio == 1) {
    return NULL;
  }
  double *dirs = base_arena_matrix(arena, 2, o->n_dir);
  contact_directions_elliptic(o->n_dir, o->mu_ratio, dirs);
  return dirs;
}

struct form_impulse_scheme form_impulse_scheme_of(const struct form_setup *setup) {
  const struct form_impulse_options *o = setup->options;
  const double closed = isinf(o->delta) ? 0 : o->delta;
  struct form_impulse_scheme x = {.law = form_impulse_law(setup),
                                  .theta = 1,
                                  .force = (enum form_force)o->force,
                                  .gyro = (enum form_gyro)o->gyro,
                                  .reach = closed,
                                  .joints = {.joints = (enum form_joints)o->joints,
                                             .mcp = (enum form_mcp_kind)o->mcp,
                                             .solved = (enum form_mcp_solved)o->solved,
                                             .threads = o->threads}};
  switch ((enum form_scheme)o->scheme) {
  case FORM_SCHEME_GAP:
    x.gap_level = 1;
    x.joint_erp = 1;
    x.reach = o->delta;
    x.corrections = o->corrections;
    break;
  case FORM_SCHEME_VELOCITY:
    break;
  case FORM_SCHEME_THETA:
    x.theta = o->theta;
    x.force = FORM_FORCE_IMPLICIT;
    break;
  default:
    x.theta = 0.5;
  }
  set_shift(o, &x);
  if (o->softness != FORM_SOFTNESS_RIGID) {
    x.is_soft = 1;
    if (o->softness == FORM_SOFTNESS_CFM) {
      x.joint_erp = o->erp;
      x.joint_cfm = o->cfm;
    }
    x.pyramidal = o->cone == FORM_CONE_PYRAMIDAL && setup->mech->dim > 1;
    x.noslip = o->noslip;
    x.sweeps = o->sweeps;
    x.descends = o->softness == FORM_SOFTNESS_AVBD;
    x.touching = x.descends || o->softness == FORM_SOFTNESS_MUJOCO;
    x.shift = form_impulse_soft_shift((enum form_softness)o->softness);
  }
  if (x.touching) { /* contacts of MuJoCo act below that gap, not at it */
    x.reach = o->softness == FORM_SOFTNESS_MUJOCO ? nextafter(closed, -INFINITY) : closed;
  }
  if (x.law == CONTACT_LAW_LCP) {
    x.n_dir = o->n_dir;
    x.dirs = polygon(o, setup->arena);
  }
  return x;
}
