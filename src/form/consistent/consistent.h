/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The common core of the consistent integrators (moeller 5.2): what they accept, the closed
 * contacts of a step, impacts (5.106), motion with bilateral constraints on both levels (5.72) and
 * contact inclusions (last line of 5.95, 5.107), and the report. An integrator is a scheme and a
 * sequence of these:
 *
 *   collect -> [impact] -> motion -> finish
 *
 * (consistent.c, include.c, motion.c, checkpoint.c), solved by the one Newton's method of newton.h.
 * The equations of one integrator are in the file of its name; equations.h has what they share.
 *
 * Matrices come by body where the system offers that, and are sparse then; of models in few
 * coordinates they are one block.
 */
#ifndef FORM_CONSISTENT_H
#define FORM_CONSISTENT_H

#include "form/form.h"
#include "la/system.h"
#include "mech/bilateral/bilateral.h"

/* The option of the integrators with contacts: the source of W_N. */
enum { FORM_CONSISTENT_PARTIAL, FORM_CONSISTENT_DISCRETE };
struct form_consistent_options {
  int W;
};
/* Its table entry; each integrator has its own default and equations. */
#define FORM_CONSISTENT_W(value, help)                                                             \
  BASE_OPTION_CHOICE(struct form_consistent_options, W, value, "partial|discrete", help)

/* What distinguishes the integrators inside the motion. */
struct form_consistent_scheme {
  int rates;        /* gamma_S(u^E, q^E) = 0 with multipliers kappa (5.49, 5.72); 0: g_S alone */
  int discrete_gap; /* W_N from the discrete derivative of g_N (5.97, 5.116); 0: from q^B (5.96) */
  int coordinates;  /* M(q) by qdot (5.58): the system is wrapped by mech_by_coordinates */
  int midpoint; /* F at the middle of the step, gyroscopic forces by velocities (5.141); 0: at q^B,
                   by coordinates (5.72) */
};

struct form_consistent {
  struct form_setup setup;
  const struct mech *mech;
  struct form_consistent_scheme scheme;
  int nq, nu;            /* coordinates, velocities: equal but for quaternions */
  int ns, nr;            /* constraints; of these with a multiplier kappa */
  int unknowns;          /* of Newton's method, without contacts */
  struct la_blocks mass; /* M [kg, kg m^2, ...] */
  double *L;             /* Cholesky factors of the blocks, for mech_mass_solve */
  double *force_S;       /* ns, lambda_S of the last step, the start of Newton's method [N] */

  struct mech_bilateral *bilateral; /* of q^B, once the step has been placed */
  int is_placed;
  int *left_out; /* ns, nonzero: constraints implied by others, without multipliers in this step */
  struct mech_contacts closed; /* g_N(q^B) <= 0, of the present step */
  int capacity;                /* of the arrays below, contacts */
  double *alone; /* closed.n, W_N^T M^-1 W_N without the bilateral constraints; with these only
                    [1/kg] */
  struct contact_set *sets; /* closed.n, rounded (problem/ncp.h), of the inclusions; NULL: disks */
  double *impact, *motion;  /* dim x closed.n, impulses of the step [N s] */
  int n_last;               /* 0 before the first step */
  long *id_last;            /* closed contacts of the last step, ascending */
  double *impact_last, *motion_last;
  long *carrying;  /* ids, ascending */
  double *carried; /* dim each of these, impulses of the step [N s, N m s] */

  /* Factored Jacobian of the motion; it is reused from step to step and renewed when convergence is
   * slow.
   */
  struct la_system *system;              /* unknowns x unknowns */
  double J_dt;                           /* [s], 0: there is none */
  int *J_left_out;                       /* ns */
  struct la_blocks slope;                /* dR1/dq^E, the effect of rounding of q^E on R1 */
  struct base_arena *store, *evaluation; /* of slope; of the arrays of the last evaluation */
  struct base_arena_mark evaluation_start;
};

/* Law cone if the contacts of the system have friction sets, else ncp: a form's law_of. */
enum contact_law form_consistent_law(const struct form_setup *setup);
/* BASE_OK or BASE_UNSUPPORTED with the reason: constraints must not depend on time, and damping
 * must be a matrix, because the energy balance needs it. */
int form_consistent_refuse(const struct form_setup *setup);
/* BASE_OK or BASE_UNSUPPORTED with the reason: the requirements of every consistent
 * integrator. */
int form_consistent_check(const struct form_setup *setup);
/* The same, and u = qdot. */
int form_consistent_check_rates(const struct form_setup *setup);
/* BASE_OK or BASE_UNSUPPORTED with the reason: the requirements of the quaternion integrators, qdot
 * = F(q) u with nq >= nu. */
int form_consistent_check_quaternion(const struct form_setup *setup);
/* For schemes without contacts: BASE_OK, or BASE_UNSUPPORTED for a system with a potential contact
 * at q. equation: number in the source, for the message. */
int form_consistent_refuse_contacts(const struct form_setup *setup, const double *q,
                                    const char *equation);
/* Workspace from the arena; NULL with a message. */
struct form_consistent *form_consistent_alloc(const struct form_setup *setup,
                                              const struct form_state *start,
                                              struct form_consistent_scheme scheme);
/* form.alloc of the integrators with contacts, whose options are form_consistent_options: in
 * coordinates with u = qdot, and for quaternions. */
void *form_consistent_alloc_rates(const struct form_setup *setup, const struct form_state *start);
void *form_consistent_alloc_quaternion(const struct form_setup *setup,
                                       const struct form_state *start);
/* Contacts with g_N(q) <= 0 into c->closed; counts contacts. To be called before the step
 * marks the arena. */
void form_consistent_collect(struct form_consistent *c, const double *q,
                             struct form_report *report);
/* Motion over dt; q: nq, u: nu, start -> end. inelastic: with impacts in the same inclusions, by
 * the restitution of each contact (5.141); 0: velocities at the start are those after the impacts
 * (5.72, 5.95, 5.107, 5.126, 5.158). Status as above. */
int form_consistent_motion(struct form_consistent *c, double t, double dt, double *q, double *u,
                           int inelastic, struct form_report *report);
/* Report the contacts that carried, and store their impulses as the start of the next step. */
void form_consistent_finish(struct form_consistent *c, struct form_report *report);

/* form.free. */
void form_consistent_free(void *workspace);
/* form.step in two: impacts at q^B, then motion from the velocities after them (5.106, 5.107,
 * 5.157). */
int form_consistent_step_in_two(void *workspace, struct form_state *state, double dt,
                                struct form_report *report);
/* form.checkpoint. */
void form_consistent_checkpoint(void *workspace, struct base_blob *blob);

/* A whole step without contacts: a form's step. */
int form_consistent_smooth_step(void *workspace, struct form_state *state, double dt,
                                struct form_report *report);

/* --- inside the core --- */

/* Give the arrays of this step and of the last one the capacity of n contacts. */
void form_consistent_reserve(struct form_consistent *c, int n);
/* The constraints at q^B, once a step, c->L being that of q^B: W_S, its factor, and which of them
 * the others imply. BASE_OK or a failure with a message. */
int form_consistent_place(struct form_consistent *c, const double *q);
/* P: nu x n, M^-1 W on entry; on return the change of u by unit impulses along W under the
 * constraints (the bracket of 5.121). u is projected onto W_S^T u = 0. Needs a step that has been
 * placed. */
void form_consistent_eliminate(const struct form_consistent *c, int n, double *P, double *u);

/* The contact inclusion of the closed contacts, v = A r + b under law ncp or cone, to round-off:
 * the setup's solver (not asked when `guess` is set and r leads to a solution by itself), then
 * Newton's method on the natural map. A: n x n column-major, n = dim closed.n, need not be
 * symmetric [1/kg]; b, v: n [m/s]; r: n, start -> solution [N s]. Adds to report->iterations.
 * BASE_OK or BASE_UNCONVERGED; BASE_FAILED when the solver could not be used, with its message. */
int form_consistent_include(struct form_consistent *c, int guess, const double *A, const double *b,
                            double *r, double *v, struct form_report *report);
/* The law on the closed contacts, its sets with the spin in units of force. */
struct contact_model form_consistent_model(const struct form_consistent *c);
/* diag: closed.n blocks dim x dim row-major of A: n x n column-major; of contacts that do not move
 * along their normal the multiple `alone` of the identity, so that they have a scale. */
void form_consistent_diagonal(const struct form_consistent *c, const double *A, double *diag);
/* Residual and diagnostics of a solved inclusion into the report, worst over the step; its
 * residual is returned. */
struct contact_residual form_consistent_grade(const struct form_consistent *c, const double *A,
                                              const double *b, const double *r, const double *v,
                                              struct form_report *report);
/* W: nu x n, dense, of the closed contacts, in u-space; the column of a spin times the length of
 * its set, so that impulses are forces and velocities [m/s] throughout. */
void form_consistent_directions(const struct form_consistent *c, double *W);

/* Members of every `const struct form` of the family; further ones of those with contacts. */
#define FORM_CONSISTENT_FUNCTIONS                                                                  \
  .checkpoint = form_consistent_checkpoint, .free = form_consistent_free
#define FORM_CONSISTENT_CONTACTS                                                                   \
  FORM_CONSISTENT_FUNCTIONS, .has_law = 1, .law = CONTACT_LAW_NCP, .solver = "relaxation",         \
                             .is_exact = 1, .options_size = sizeof(struct form_consistent_options)

#endif
