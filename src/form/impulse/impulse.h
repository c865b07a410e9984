/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Impulse stepping: one stepper, a contact law and a scheme, chosen apart. One step solves
 *
 *   q^A = q^B + (1 - theta) dt F(q^B) u^B                        evaluation point
 *   M (u^E - u^B) = dt h + W_S r_S + W r                         M, W_S, W at q^A
 *   0 = W_S^T u^E + g_S/dt   (gap level)   or   0 = W_S^T u^E    (velocity level)
 *   xi = W^T u^E + s,   (xi, r) in the contact law
 *   q^E = q^A + theta dt F(q^A) u^E
 *
 *   law        ncp exact Coulomb, ccp its convex relaxation, lcp polyhedral cone, mdp maximum
 *              dissipation, cone normal-cone inclusions on the system's own friction sets;
 *              coulomb: cone where the system brings such sets, else ncp
 *   scheme     theta   level     h                                        s_N
 *     gap      1       gap       at q^B, or at q^B + dt/2 F u^B           g_N/dt or a rebound
 *     velocity 1       velocity  the same                                 eps_N min(0, v_N^-)
 *     midpoint 1/2     velocity  at q^A                                   eps_N v_N^B
 *     theta    option  velocity  theta h(q^E, u^E) + (1 - theta) h(q^B, u^B)   eps_N v_N^B
 *
 * so that a difference between two runs can be attributed to the law or to the discretisation.
 * `impulse` takes any pair; moreau, lcp-st, lcp-ap, lcp-dca, ccp, ncp, mdp and moreau-theta are
 * pairs with a name, their law and scheme fixed in their table of options. The shifts s [m/s] are
 * in scheme.c, implicit forces in theta.c, and impacts that follow each other within a step, the
 * default of the first two schemes, in phases.c, Poisson's law of impact in poisson.c.
 *
 * In h of an explicit scheme gyroscopic forces are those of the mean velocity over a step without
 * contacts; see gyro.c.
 *
 * At velocity level the contacts with g_N(q^A) <= delta take part. A resting contact has g_N = 0 up
 * to the rounding of coordinates. Rounding must not decide whether it carries, so a gap within it
 * counts as 0. Contacts that carried in the step before take part as long as the motion without
 * their impulses would close them again, g_N(q^A) + theta dt v_N <= delta. That motion is the free
 * one, or that under the impulses of the other contacts, for in free fall the boxes of a stack do
 * not approach each other.
 *
 * A contact that joints keep from moving along its normal takes no part: no impulse changes its
 * v_N.
 *
 * At gap level the gaps at the end of the step are those linearised at q^B. Corrections are further
 * solves with what the linearisation left out, up to which
 *
 *   0 = g_S(q^E)/dt,   xi_N = (g_N(q^E) - g_N(q^B))/dt + s_N
 *
 * hold; see curve.c.
 *
 * Contacts may be compliant, option `softness`: the law then holds for xi + R r, see soft/soft.c.
 *
 * With `substeps` a step consists of several of these steps: the motion is that of the shorter dt,
 * while samples, records and costs are those of the longer one. Contacts that carried in any
 * substep are reported, without impulses, because these act in different configurations.
 *
 * A contact too far to be reached in the step is at first left out of the one-step problem. If the
 * solution contradicts that (xi with r = 0 violates the law), it is added and the problem is solved
 * again. The result solves the law for all contacts within reach. The scale of b, and with it the
 * tolerance, does not depend on the gap of a distant body over a small dt.
 */
#ifndef FORM_IMPULSE_H
#define FORM_IMPULSE_H

#include "form/elimination/elimination.h"

/* Option `law`: enum contact_law, and this one. */
enum { FORM_LAW_COULOMB = CONTACT_LAW_COUNT };
enum form_scheme {
  FORM_SCHEME_GAP,
  FORM_SCHEME_VELOCITY,
  FORM_SCHEME_MIDPOINT,
  FORM_SCHEME_THETA,
  FORM_SCHEME_COUNT
};
enum form_force { FORM_FORCE_EVALUATION, FORM_FORCE_MIDWAY, FORM_FORCE_IMPLICIT };
enum form_point { FORM_POINT_MIDDLE, FORM_POINT_BODY };
enum form_gyro { FORM_GYRO_MIDPOINT, FORM_GYRO_EXPLICIT };
enum form_restitution {
  FORM_RESTITUTION_AUTO,
  FORM_RESTITUTION_STEP,
  FORM_RESTITUTION_NEWTON,
  FORM_RESTITUTION_POISSON,
  FORM_RESTITUTION_SOURCE,
  FORM_RESTITUTION_NONE
};

/* Compliance and shift of contacts; soft/soft.c. */
enum form_softness {
  FORM_SOFTNESS_RIGID,
  FORM_SOFTNESS_SAP,
  FORM_SOFTNESS_MUJOCO,
  FORM_SOFTNESS_CFM,
  FORM_SOFTNESS_TGS,
  FORM_SOFTNESS_AVBD
};

enum form_cone { FORM_CONE_ELLIPTIC, FORM_CONE_PYRAMIDAL }; /* soft/pyramid.c */

enum { FORM_PHASES = 100 }; /* default of `phases` */

/* Options of the family. A preset's table lists those that apply to its pair. */
struct form_impulse_options {
  int law, scheme, force, restitution, phases, corrections, gyro, point;
  int substeps;                                            /* of dt/substeps within a step */
  int n_dir;                                               /* law lcp */
  double mu_ratio;                                         /* law lcp [-] */
  double theta;                                            /* scheme theta [-] */
  double delta;                                            /* [m] */
  double v_max;                                            /* gap level [m/s] */
  double erp;                                              /* gap level [-] */
  int joints;                                              /* enum form_joints */
  int softness;                                            /* enum form_softness */
  double beta, sigma;                                      /* softness sap [-] ... */
  double stiffness;                                        /* [N/m] */
  double tau_d;                                            /* [s] */
  double timeconst;                                        /* softness mujoco [s] ... */
  double dampratio, dmin, dmax, midpoint, power, impratio; /* [-] */
  double width;                                            /* [m] */
  double cfm;                                              /* softness cfm [s/kg] */
  double hertz, zeta, push;                                /* softness tgs [Hz], [-], [m/s] */
  double alpha, gamma;                                     /* softness avbd [-] ... */
  double k_min, k_max;                                     /* [N/m] */
  double ramp;                                             /* [N/m^2] */
  double stick;                                            /* [m] */
  int cone;                                                /* softness mujoco: enum form_cone */
  int noslip;               /* softness mujoco: sweeps over friction behind the solve */
  int sweeps;               /* in place of a solver (soft/tgs_soft.c, soft/avbd.c); 0: solves */
  int mcp, solved, threads; /* joints dca */
};

#define FORM_LAWS "ncp|ccp|lcp|mdp|cone|coulomb"
#define FORM_SCHEMES "gap|velocity|midpoint|theta"

#define FORM_IMPULSE_SUBSTEPS                                                                      \
  BASE_OPTION_INT(struct form_impulse_options, substeps, 1, 1, 1000000,                            \
                  "number of steps of dt/substeps in a step; works and counts are summed")
/* The first entries of a preset's table. */
#define FORM_IMPULSE_PAIR(law_, scheme_)                                                           \
  BASE_OPTION_FIXED(struct form_impulse_options, law, law_, FORM_LAWS,                             \
                    "the contact law; -f impulse accepts any"),                                    \
      BASE_OPTION_FIXED(struct form_impulse_options, scheme, scheme_, FORM_SCHEMES,                \
                        "the discretisation; -f impulse accepts any"),                             \
      FORM_IMPULSE_SUBSTEPS
#define FORM_IMPULSE_POLYGON                                                                       \
  BASE_OPTION_INT(struct form_impulse_options, n_dir, 8, 3, 4096,                                  \
                  "law lcp: friction directions of a spatial contact, the first along t1 "         \
                  "(bhalerao 12); planar: always 2"),                                              \
      BASE_OPTION_REAL(struct form_impulse_options, mu_ratio, 1, 1e-3, 1e3, "",                    \
                       "law lcp: friction along t2 over mu, that along t1: directions on an "      \
                       "ellipse in place of a circle; planar: not used")
#define FORM_IMPULSE_DELTA(value)                                                                  \
  BASE_OPTION_REAL(struct form_impulse_options, delta, value, 0, INFINITY, "m",                    \
                   "contacts with a gap above it take no part (negrut's delta_K); inf: at "        \
                   "velocity level those with a gap above 0")
#define FORM_IMPULSE_FORCE(value)                                                                  \
  BASE_OPTION_CHOICE(struct form_impulse_options, force, value, "evaluation|midway",               \
                     "evaluation point of h: that of M and W, or q^B + dt/2 F u^B (bhalerao 13a)")
#define FORM_IMPULSE_GYRO                                                                          \
  BASE_OPTION_CHOICE(struct form_impulse_options, gyro, FORM_GYRO_MIDPOINT, "midpoint|explicit",   \
                     "gyroscopic forces at the mean of the velocities at both ends of the step "   \
                     "without contacts (gyro.c), or with u^B as in the sources")
#define FORM_IMPULSE_POINT                                                                         \
  BASE_OPTION_CHOICE(struct form_impulse_options, point, FORM_POINT_MIDDLE, "middle|body",         \
                     "point of action of an impulse r on bodies with a gap g: the middle of the "  \
                     "gap, which conserves angular momentum but has levers off by g/2; or each "   \
                     "body's own surface, with exact levers and an excess moment g r_T. In an "    \
                     "impact g is of order dt v, so both are of first order")
#define FORM_IMPULSE_RESTITUTION(value)                                                            \
  BASE_OPTION_CHOICE(struct form_impulse_options, restitution, value,                              \
                     "auto|step|newton|poisson|source|none",                                       \
                     "Newton's law with eps_N; step: in successive impacts within a step, each "   \
                     "with its own approach velocities (not scheme theta); newton: once a step, "  \
                     "all contacts together; poisson: Poisson's law, expansion with eps_N times "  \
                     "the impulse of compression, once a step, all contacts together (laws ncp, "  \
                     "lcp and cone, not scheme theta); source: one step after a landing, gap "     \
                     "level alone (bhalerao 16); none: inelastic; auto: step at gap and velocity " \
                     "level, else newton"),                                                        \
      BASE_OPTION_INT(struct form_impulse_options, phases, FORM_PHASES, 1, 1000000,                \
                      "restitution=step: largest number of successive impacts a step; contacts "   \
                      "that close after these do not rebound, and the record counts such steps")
#define FORM_IMPULSE_GAP(restitution_)                                                             \
  FORM_IMPULSE_DELTA(INFINITY), FORM_IMPULSE_RESTITUTION(restitution_),                            \
      BASE_OPTION_REAL(struct form_impulse_options, v_max, INFINITY, 0, INFINITY, "m/s",           \
                       "gap level: largest speed that corrects a penetration (negrut, after 6)"),  \
      BASE_OPTION_REAL(                                                                            \
          struct form_impulse_options, erp, 1, 0, 1, "",                                           \
          "gap level: fraction of a penetration corrected in one step (preclik 3.1)"),             \
      BASE_OPTION_INT(struct form_impulse_options, corrections, 0, 0, 20,                          \
                      "gap level: largest number of further solves a step, which replace the "     \
                      "linearised gaps and g_S by those at its end; each multiplies the error by " \
                      "about dt |omega|; 0: linearised, as in the sources")
/* All options of ccp, mdp and ncp, which differ in the law alone. */
#define FORM_IMPULSE_GAP_LEVEL(law_)                                                               \
  FORM_IMPULSE_PAIR(law_, FORM_SCHEME_GAP), FORM_IMPULSE_FORCE(FORM_FORCE_EVALUATION),             \
      FORM_IMPULSE_GAP(FORM_RESTITUTION_STEP), FORM_IMPULSE_GYRO, FORM_IMPULSE_POINT,              \
      FORM_JOINTS_OPTION(struct form_impulse_options)
#define FORM_IMPULSE_THETA                                                                         \
  BASE_OPTION_REAL(struct form_impulse_options, theta, 0.5, 0.5, 1, "",                            \
                   "scheme theta: weight of the end of the step; 1/2 conserves the energy of a "   \
                   "linear oscillator, 1 is implicit Euler")
/* The options of soft contacts (soft/soft.c), and further ones of their presets. */
#define FORM_SOFTNESS_STEP                                                                         \
  FORM_IMPULSE_FORCE(FORM_FORCE_EVALUATION), FORM_IMPULSE_DELTA(INFINITY), FORM_IMPULSE_GYRO,      \
      FORM_IMPULSE_POINT
#define FORM_SOFTNESS "rigid|sap|mujoco|cfm|tgs|avbd"
#define FORM_SOFTNESS_OF_ROWS "rigid|sap|mujoco|cfm|tgs" /* of one-step problems */
#define FORM_SOFTNESS_FIXED(softness_)                                                             \
  BASE_OPTION_FIXED(struct form_impulse_options, softness, softness_, FORM_SOFTNESS,               \
                    "compliance of contacts; -f impulse accepts any")
#define FORM_SOFTNESS_SAP_OPTIONS                                                                  \
  BASE_OPTION_REAL(struct form_impulse_options, beta, 1, 0, 1e6, "",                               \
                   "softness sap: period of the stiffest contact over dt, 0: rigid")               \
  ,                                                                                                \
      BASE_OPTION_REAL(struct form_impulse_options, sigma, 1e-3, 0, 1e6, "",                       \
                       "softness sap: compliance of friction over that of the bodies"),            \
      BASE_OPTION_REAL(struct form_impulse_options, stiffness, INFINITY, 1e-300, INFINITY, "N/m",  \
                       "softness sap: stiffness of contacts; inf: the stiffness given by beta"),   \
      BASE_OPTION_REAL(struct form_impulse_options, tau_d, 0, 0, INFINITY, "s",                    \
                       "softness sap: time of dissipation, damping over stiffness")
/* Keys of MuJoCo's contacts, also of its engines (form/simulator/mujoco.c); before: of the help. */
#define FORM_MUJOCO_CONTACT_OPTIONS(type, before)                                                  \
  BASE_OPTION_REAL(type, timeconst, 0.02, 1e-300, INFINITY, "s",                                   \
                   before "solref[0], time constant of a contact, at least 2 dt")                  \
  ,                                                                                                \
      BASE_OPTION_REAL(type, dampratio, 1, 1e-300, INFINITY, "",                                   \
                       before "solref[1], damping ratio of a contact"),                            \
      BASE_OPTION_REAL(type, dmin, 0.9, 0, 1, "", before "solimp[0], impedance at the surface"),   \
      BASE_OPTION_REAL(type, dmax, 0.95, 1e-4, 1, "",                                              \
                       before "solimp[1], impedance from the depth width on"),                     \
      BASE_OPTION_REAL(type, width, 1e-3, 0, INFINITY, "m", before "solimp[2]"),                   \
      BASE_OPTION_REAL(type, midpoint, 0.5, 0, 1, "",                                              \
                       before "solimp[3], where the two power curves meet, over width"),           \
      BASE_OPTION_REAL(type, power, 2, 1, 1e3, "", before "solimp[4], of these curves"),           \
      BASE_OPTION_REAL(type, impratio, 1, 1e-300, INFINITY, "",                                    \
                       before "compliance of the normal over that of friction")
#define FORM_SOFTNESS_MUJOCO_OPTIONS                                                               \
  FORM_MUJOCO_CONTACT_OPTIONS(struct form_impulse_options, "softness mujoco: ")                    \
  ,                                                                                                \
      BASE_OPTION_CHOICE(struct form_impulse_options, cone, FORM_CONE_ELLIPTIC,                    \
                         "elliptic|pyramidal",                                                     \
                         "softness mujoco: friction within a disk, or within the square with its " \
                         "corners on t1 and t2 (law ccp)"),                                        \
      BASE_OPTION_INT(                                                                             \
          struct form_impulse_options, noslip, 0, 0, 1000000,                                      \
          "softness mujoco: sweeps over friction alone, without compliance, after each solve")
#define FORM_SOFTNESS_CFM_OPTIONS                                                                  \
  BASE_OPTION_REAL(struct form_impulse_options, cfm, 1e-5, 0, INFINITY, "s/kg",                    \
                   "softness cfm: velocity over force, of all rows of a contact or joint")
#define FORM_SOFTNESS_TGS_OPTIONS                                                                  \
  BASE_OPTION_REAL(struct form_impulse_options, hertz, 30, 1e-300, INFINITY, "Hz",                 \
                   "softness tgs: frequency of a contact, at most a quarter of that of the steps") \
  ,                                                                                                \
      BASE_OPTION_REAL(struct form_impulse_options, zeta, 10, 0, INFINITY, "",                     \
                       "softness tgs: damping ratio of a contact"),                                \
      BASE_OPTION_REAL(struct form_impulse_options, push, 3, 0, INFINITY, "m/s",                   \
                       "softness tgs: largest speed that corrects a penetration")
#define FORM_IMPULSE_JOINTS_DCA                                                                    \
  BASE_OPTION_CHOICE(struct form_impulse_options, mcp, FORM_MCP_SMALL, "32|33",                    \
                     "joints dca: the mixed complementarity problem, with the velocities of the "  \
                     "terminal handles (bhalerao 32), or of all bodies with contacts too (33)"),   \
      BASE_OPTION_CHOICE(struct form_impulse_options, solved, FORM_MCP_CONDENSED,                  \
                         "condensed|whole",                                                        \
                         "joints dca: the pure LCP after elimination of the free unknowns, or "    \
                         "the whole mixed problem (law lcp, solver lemke)"),                       \
      BASE_OPTION_INT(struct form_impulse_options, threads, 1, 1, 64,                              \
                      "joints dca: threads for subtrees; results do not depend on it")

/* Members common to every `const struct form` of the family. Each adds summary, source, law, solver
 * and options, `impulse` its own check. Formulations that sweep in place of solving have no law and
 * no solver. */
#define FORM_IMPULSE_ANY                                                                           \
  .law_of = form_impulse_law, .open_systems = 1,                                                   \
  .options_size = sizeof(struct form_impulse_options), .alloc = form_impulse_alloc,                \
  .step = form_impulse_step, .checkpoint = form_impulse_checkpoint, .free = form_impulse_free
#define FORM_IMPULSE_SWEEPS FORM_IMPULSE_ANY, .check = form_impulse_check
#define FORM_IMPULSE_FUNCTIONS .has_law = 1, FORM_IMPULSE_SWEEPS

/* One contact at the evaluation point: the input of its shift. */
struct form_impulse_contact {
  int dim;
  double dt;             /* [s] */
  double gap;            /* g_N [m] */
  double eps_N, eps_T;   /* [-] */
  const double *v_begin; /* dim, W^T u^B, or the velocity before an impact of a later phase [m/s] */
  const double *v_free;  /* dim, W^T u of the motion that decides whether it closes [m/s] */
  int age;               /* consecutive steps up to now in which it carried; 255: or more */
  const double *before;  /* dim, W^T u at the beginning of the previous step, if age > 0 and the
                            scheme uses it [m/s] */
};

/* s of a contact; dim, zeroed before. */
typedef void (*form_impulse_shift)(const struct form_impulse_options *options,
                                   const struct form_impulse_contact *contact, double *s);
form_impulse_shift form_impulse_soft_shift(enum form_softness softness);

/* The options of a run, resolved. */
struct form_impulse_scheme {
  enum contact_law law;
  int n_dir;          /* law lcp: facets of the cone */
  const double *dirs; /* law lcp: 2 x n_dir, see contact_model; NULL: regular */
  double theta;       /* of the evaluation point and the new position [-] */
  int gap_level;      /* contacts within reach take part, closed or not */
  double joint_erp;   /* fraction of g_S/dt in the bilateral constraints [-] */
  double joint_cfm;   /* compliance of these: velocity over force */
  enum form_force force;
  struct form_elimination_choice joints; /* how bilateral constraints are eliminated */
  int corrections; /* of gaps at the end of the step, at most; gap level only */
  int phases;      /* successive impacts a step, at most; 0: all contacts at once, once */
  int poisson;     /* all contacts at once by Poisson's law */
  double reach;    /* contacts with a gap above it do not take part [m] */
  enum form_gyro gyro;
  int uses_before; /* the shift needs the contacts' velocities in the previous step */
  int is_soft;     /* contacts are compliant (soft/soft.c) */
  int pyramidal;   /* friction within a square in place of a disk (soft/pyramid.c) */
  int noslip;      /* sweeps over friction without compliance behind a soft solve */
  int sweeps;      /* a step, in place of solves; 0: solves */
  int descends;    /* sweeps go over bodies (soft/avbd.c), not over contacts */
  int touching;    /* contacts with a gap above `reach` do not take part, though they carried */
  form_impulse_shift shift;
};
/* s_N of a contact with gap [m] without rebound [m/s]. */
double form_impulse_rate(const struct form_impulse_options *options, double gap, double dt);
/* The law of impact, with `auto` resolved. */
enum form_restitution form_impulse_restitution(const struct form_impulse_options *options);
/* directions of an elliptic polygon come from the setup's arena. */
struct form_impulse_scheme form_impulse_scheme_of(const struct form_setup *setup);

/* form.law_of, and form.check: can the pair and its options run this system? */
enum contact_law form_impulse_law(const struct form_setup *setup);
int form_impulse_check(const struct form_setup *setup);
/* For any formulation that emits one-step problems of a law: can the system's contacts obey it, and
 * does the setup's solver take it? BASE_OK, or BASE_UNSUPPORTED with the reason. */
int form_check_law(const struct form_setup *setup, enum contact_law law);
/* form.alloc; NULL with a message. */
void *form_impulse_alloc(const struct form_setup *setup, const struct form_state *start);
/* form.step. The report's residual and diagnostics are those of the last solve of the step, `at`
 * being the id of a contact. Diagnostics take v_N with its shift, so that the Signorini residual is
 * that of the law, and v_T as it is at the end of the step. BASE_UNCONVERGED: state advanced with
 * the best iterate. The failure of a solver ends the step with its status and reason. */
int form_impulse_step(void *workspace, struct form_state *state, double dt,
                      struct form_report *report);
/* form.free. */
void form_impulse_free(void *workspace);
/* form.checkpoint: the memory of contacts. */
void form_impulse_checkpoint(void *workspace, struct base_blob *blob);

#endif
