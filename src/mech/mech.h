/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The mechanical system, the interface between cases and formulations:
 *
 *   M(q) du = h(q,u,t) dt + W_S dr_S + sum_i W_i dr_i,   qdot = F(q) u        (moeller 5.1, 3.5)
 *
 * Velocities come in nb blocks of nv: an assembly of bodies has one block a body and a
 * block-diagonal M; a model in few generalised coordinates is one block (nb = 1, nv = nu) with a
 * dense M. Contacts touch at most two blocks.
 *
 * A function that a system cannot supply is NULL; a formulation that needs it answers
 * BASE_UNSUPPORTED with the reason. Units are SI. Matrices are column-major.
 *
 *   assembly/   systems of bodies with joints, forces, shapes and driven motions
 *   rigid/      one free rigid body in three descriptions
 *   collision/  where shapes touch
 *   bilateral/  elimination of bilateral constraints, sparse or dense
 *   check/      what a system says of itself held against finite differences
 */
#ifndef MECH_MECH_H
#define MECH_MECH_H

#include "base/bytes/blob.h"
#include "base/memory/arena.h"
#include "la/blocks.h"
#include "mech/contacts.h"

/* Further functions of systems of bodies: blocks of u are bodies, and operations linear in their
 * number replace dense ones of mech_ops. */
struct mech_body_ops {
  /* M of a system that declares diagonal_mass, as its diagonal: nu; NULL: by `mass`. */
  void (*mass_diagonal)(const struct mech *m, const double *q, double *d);
  /* T = u^T M u / 2 of a constant M [J], without forming it; NULL: by `mass`. */
  double (*kinetic)(const struct mech *m, const double *u);
  /* Rigid bodies in space, one a block: u = (v, omega), v of the centre of mass in world axes,
   * omega in the axes of the body, in which M is diagonal, m three times and the moments of
   * inertia; contacts of three components act at points of them. turn: 9 x nb, rotation body to
   * world, row-major, zero for a body that does not turn [-]. NULL: other systems. */
  void (*rigid)(const struct mech *m, const double *q, double *turn);
  /* qdot: nq = F(q) u without forming F; NULL: by `kinematics`. */
  void (*qdot)(const struct mech *m, const double *q, const double *u, double *qdot);
  /* W_S by body, in place of bilateral_directions: constraint i acts on the blocks body[2 i] and
   * body[2 i + 1] of u, -1: none, through the columns 2 i and 2 i + 1 of W, nv numbers each; which
   * blocks do not change with q. See mech_bilateral_directions for the dense matrix of either. */
  void (*bilateral_by_body)(const struct mech *m, const double *q, int *body, double *W);
  /* gamma_S: ns, chi included, without forming WS; NULL: by the directions. */
  void (*bilateral_rate)(const struct mech *m, const double *q, const double *u, double *gamma);
  /* Name of row `row` of g_S for messages; NULL: its number. */
  void (*bilateral_name)(const struct mech *m, int row, char *text, size_t size);
  /* A length by which two of the system's surfaces can approach each other within dt at velocities
   * u, an upper bound: contacts with a larger gap cannot close. For systems of many bodies, where
   * all potential contacts (reach infinite) are quadratically many; NULL: no bound, find all. */
  double (*approach)(const struct mech *m, const double *q, const double *u, double dt);
  /* With `approach`: the largest |eps_N|, and |eps_T| with mu > 0, of all potential contacts. */
  void (*restitution)(const struct mech *m, double *eps_N, double *eps_T);
};

/* Functions of systems with prescribed motion, which have a clock. */
struct mech_driven_ops {
  /* chi = the partial derivative of g_S by time at the clock's time, ns; NULL: zero. Where it jumps
   * it is that after the jump. */
  void (*bilateral_drift)(const struct mech *m, const double *q, double *chi);
  /* The first time after t [s] at which chi, the prescribed forces or a derivative of either jumps;
   * infinity: none. Everything is continuous from the right there, g_S from both sides. NULL: there
   * is none. */
  double (*next_break)(const struct mech *m, double t);
};

/* Open systems: bodies enter and leave. Data about them outside of the state must pass through
 * `checkpoint`. */
struct mech_open_ops {
  /* Let bodies enter and leave between steps: may change q, u and m->data. work: energy given to
   * the system [J]. Returns 1 if any did, else nothing has changed. NULL: a closed system. */
  int (*inflow_outflow)(const struct mech *m, double t, double *q, double *u, double *work);
};

/* A step of a consistent integrator, for derivatives by its end. */
struct mech_step {
  const double *a, *b; /* nq: its ends */
  const double *u;     /* nu: that of Dgamma */
  double dt;
  const double *lambda, *kappa; /* ns: multipliers of g_S, of gamma_S; kappa NULL: zero */
};

/* Functions for consistent integrators (moeller 3.5, 5.2). Matrices nq x nq belong to systems with
 * nq = nu. */
struct mech_consistent_ops {
  /* M = Q^T M Q by qdot, and the gyroscopic matrix; NULL: Q is the identity, H zero. */
  void (*decomposition)(const struct mech *m, const double *q, double *Q);         /* nq x nq */
  void (*gyro)(const struct mech *m, const double *u, const double *q, double *H); /* nq x nq */
  void (*damping_matrix)(const struct mech *m, const double *u, const double *q, double t,
                         double *D); /* nq x nq, f_q = -D qdot; NULL: zero */
  /* With a mass matrix M(q) = Q^T M Q by qdot (5.54, 5.58); NULL: differenced and Gonzalez'. */
  void (*coordinate_gyro)(const struct mech *m, const double *qdot, const double *q,
                          double *G); /* nq x nq, G_ij = sum_k (dM_ik/dq_j - dM_jk/dq_i) qdot_k */
  void (*discrete_kinetic)(const struct mech *m, const double *qdot, const double *a,
                           const double *b, double *DT); /* nq, D T / D q (qdot, a, b) */
  /* For velocities that are not rates of coordinates (5.130), nq >= nu: the gyroscopic force is
   * -H u, H block-diagonal and skew, linear in u; F then has to hold off the unit sphere too.
   * H: nv x nv, block b; u: nv, its velocities. NULL: zero without kinematics, else unknown. */
  void (*velocity_gyro)(const struct mech *m, int b, const double *u, double *H);
  /* Discrete derivatives between a and b; NULL: Gonzalez' formula (5.19) on V, g_S, gamma_S, g_N.
   */
  void (*discrete_potential)(const struct mech *m, const double *a, const double *b,
                             double *DV); /* nq */
  void (*discrete_bilateral)(const struct mech *m, const double *a, const double *b,
                             double *DgS); /* ns x nq */
  void (*discrete_rate)(const struct mech *m, const double *u, const double *a, const double *b,
                        double *Dgamma); /* ns x nq, D gamma_S / D q (u, a, b) */
  void (*discrete_gap)(const struct mech *m, long id, const double *a, const double *b,
                       double *DgN); /* nq */
  /* Of all contacts of a list made at a, ids ascending: nq x n; NaN where a contact is not there
   * any more at b or half-way. NULL: one by one. */
  void (*discrete_gaps)(const struct mech *m, const struct mech_contacts *at_a, const double *a,
                        const double *b, double *DgN);
  /* How these change with the end point b, for Newton's matrix; NULL: differenced.
   *   S_ij = d/db_j [dt DV_i - sum_s lambda_s (DgS)_si - sum_s kappa_s (Dgamma)_si],  nq x nq */
  void (*discrete_stiffness)(const struct mech *m, const struct mech_step *step, double *S);
  /* S_ij = d DgN_i / db_j: nq x nq. */
  void (*discrete_gap_slope)(const struct mech *m, long id, const double *a, const double *b,
                             double *S);
  /* Of systems of bodies: discrete_bilateral and discrete_rate by body, as bilateral_by_body, with
   * columns of nq/nb numbers, in place of dense matrices; F is block-diagonal then, and damping and
   * stiffness are sums of blocks nq/nb x nq/nb, pushed: damping_by_body in place of damping_matrix,
   * gyro_by_body beside gyro, and discrete_stiffness_by_body in place of discrete_stiffness. */
  void (*discrete_bilateral_by_body)(const struct mech *m, const double *a, const double *b,
                                     int *body, double *D);
  void (*discrete_rate_by_body)(const struct mech *m, const double *u, const double *a,
                                const double *b, int *body, double *D);
  void (*damping_by_body)(const struct mech *m, const double *u, const double *q, double t,
                          struct la_blocks *D);
  void (*gyro_by_body)(const struct mech *m, const double *u, const double *q, struct la_blocks *H);
  void (*discrete_stiffness_by_body)(const struct mech *m, const struct mech_step *step,
                                     struct la_blocks *S);
};

/* Functions of every system, then groups of functions of some; NULL where a system has none. */
struct mech_ops {
  /* M: nb blocks nv x nv, symmetric positive definite [kg, kg m^2, ...]. */
  void (*mass)(const struct mech *m, const double *q, double *M);
  /* h: nu, everything: -F^T dV/dq, gyroscopic, damping, applied [N, N m]. */
  void (*force)(const struct mech *m, const double *q, const double *u, double t, double *h);
  double (*potential)(const struct mech *m, const double *q);                    /* V [J] */
  void (*potential_gradient)(const struct mech *m, const double *q, double *dV); /* nq */
  /* Parts of h that are neither from V nor gyroscopic; NULL when there are none. */
  void (*damping)(const struct mech *m, const double *q, const double *u, double t,
                  double *f); /* nu */
  void (*applied)(const struct mech *m, const double *q, const double *u, double t,
                  double *f); /* nu */
  /* F: nq x nq or nq x nu; NULL: identity (nq = nu, qdot = u). */
  void (*kinematics)(const struct mech *m, const double *q, double *F);
  /* Bilateral constraints g_S(q) = 0: ns of them; gS: ns, WS: nu x ns with gamma_S = WS^T u. Where
   * a system declares a clock they may depend on its time, and gamma_S = WS^T u + chi. Systems of
   * bodies may give bodies.bilateral_by_body in place of WS. */
  void (*bilateral)(const struct mech *m, const double *q, double *gS);
  void (*bilateral_directions)(const struct mech *m, const double *q, double *WS);
  /* d(WS^T)/dt u, ns [.../s^2]; NULL: differenced. With a clock: d(WS^T)/dt u + d chi/dt, given. */
  void (*bilateral_bias)(const struct mech *m, const double *q, const double *u, double *bias);
  /* Push every contact with gap <= reach (infinity: all potential ones) onto the list, in a fixed
   * order, and fill in all its data before the next one; u not NULL: its bias too. With out->only,
   * for which reach is infinite, all other contacts may be left out. Called by contacts.c alone.
   * NULL: no contacts. */
  void (*contacts)(const struct mech *m, const double *q, const double *u, double reach,
                   struct mech_contacts *out);
  /* Slip of contact points fixed in their bodies: s: dim x n, for every contact of a list made at
   * a, the displacement of the point of the second body against that of the first [m] as q moves
   * from a to b, in the frame of the contact at a; with spin torque its component too. It is
   * computed from positions alone, as a check of W^T F^-1, its derivative by b at a. NULL: not
   * available. */
  void (*slips)(const struct mech *m, const struct mech_contacts *at_a, const double *a,
                const double *b, double *s);
  /* Project redundant coordinates (a quaternion to unit length) after a step along tangents; NULL:
   * nothing to do. */
  void (*normalise)(const struct mech *m, double *q);
  /* Save or restore data that persists between steps outside of the state (base/bytes/blob.h: one
   * pass serves both). NULL: there is none; open systems then take no checkpoints. */
  void (*checkpoint)(const struct mech *m, struct base_blob *blob);
  /* Columns of records: nq_out, nu_out values under the case's published names; NULL: q and u. */
  void (*observe)(const struct mech *m, const double *q, const double *u, double *q_out,
                  double *u_out);

  struct mech_body_ops bodies;
  struct mech_driven_ops driven;
  struct mech_open_ops open;
  struct mech_consistent_ops consistent;
};

struct mech {
  const char *name;
  const struct mech_ops *ops;
  void *data;     /* the model's own parameters, from the arena it was built in */
  int nq, nu, ns; /* coordinates, velocities = nb nv, bilateral constraints */
  int dim;        /* components a contact: 1 normal only, 2 planar, 3 spatial, 4 with spin torque */
  int friction_sets; /* contacts carry a set each in place of the disk of radius mu (law cone);
                        always so for dim 4; mu is not used then */
  int nb, nv;
  int constant_mass; /* M does not depend on q */
  int diagonal_mass; /* M is diagonal: its factor and solutions take no loops over rows */
  int located;   /* contacts carry their frame and lever arms; always so with ops->bodies.rigid */
  double *clock; /* time [s] of constraints and forces that move as prescribed; formulations set it
                    by mech_set_time before they evaluate; NULL: scleronomic */
  int nq_out, nu_out; /* of observe; nq and nu without it */
  int nq_compared; /* errors compare the first of nq_out; the others, such as angles that jump, are
                      only shown; 0: all */
  const char *const *q_names; /* nq_out */
  const char *const *u_names; /* nu_out */
  double length, speed; /* scales of the problem [m], [m/s]: what is large for its state (divergence
                           bound, Hausdorff weights), never a tolerance inside a solver */
};

static inline void mech_set_time(const struct mech *m, double t) {
  if (m->clock != NULL) {
    *m->clock = t;
  }
}
/* WS: nu x ns, dense, however the system offers it. */
void mech_bilateral_directions(const struct mech *m, const double *q, double *WS,
                               struct base_arena *arena);
/* gamma_S: ns = WS^T u + chi at the clock's time; WS: nu x ns, dense. */
void mech_bilateral_rate(const struct mech *m, const double *q, const double *WS, const double *u,
                         double *gamma);

/* An interval of smooth prescribed motion, begin <= t < end (phase.c). */
struct mech_phase {
  double begin, end; /* [s] */
};
/* The phase from t on, and the one after a phase. Breaks that differ only by rounding are one. */
struct mech_phase mech_phase_at(const struct mech *m, double t);
struct mech_phase mech_phase_next(const struct mech *m, const struct mech_phase *phase);
/* Does it end at t or before, and is t the target or later, up to rounding? */
int mech_phase_ends(const struct mech_phase *phase, double t);
int mech_time_reached(double t, double target);
/* The time at which this phase evaluates functions of time at t: at its end the limit from the
 * left. */
double mech_phase_time(const struct mech_phase *phase, double t);

/* Derived quantities, the same for every system. */
double mech_kinetic(const struct mech *m, const double *q, const double *u,
                    struct base_arena *arena);
double mech_energy(const struct mech *m, const double *q, const double *u,
                   struct base_arena *arena);
/* qdot: nq = F(q) u. */
void mech_qdot(const struct mech *m, const double *q, const double *u, double *qdot,
               struct base_arena *arena);
/* L, the factor of M(q): the diagonal of M, nu, where it is declared diagonal, else Cholesky
 * factors of its nb blocks, nv x nv. mech_mass_size: length of L. BASE_FAILED: M is not s.p.d.
 */
size_t mech_mass_size(const struct mech *m);
int mech_mass_factor(const struct mech *m, const double *q, double *L);
/* x: nu = M x. */
void mech_mass_apply(const struct mech *m, const double *L, double *x);
/* X: nu x nrhs = M^-1 X. Of block b alone, X: nv x nrhs. */
void mech_mass_solve(const struct mech *m, const double *L, int nrhs, double *X);
void mech_mass_solve_block(const struct mech *m, const double *L, int b, int nrhs, double *X);
/* x: nv = G^-1 x for M_b = G G^T of block b, half of the solution. */
void mech_mass_half_solve(const struct mech *m, const double *L, int b, double *x);
/* bias of the bilateral constraints, from the system or differenced to O(1e-10). */
void mech_bilateral_bias(const struct mech *m, const double *q, const double *u, double *bias,
                         struct base_arena *arena);
/* Discrete derivatives: the system's own, else Gonzalez (5.19) with its limit for a = b. */
void mech_discrete_potential(const struct mech *m, const double *a, const double *b, double *DV,
                             struct base_arena *arena);
void mech_discrete_bilateral(const struct mech *m, const double *a, const double *b, double *DgS,
                             struct base_arena *arena);
void mech_discrete_rate(const struct mech *m, const double *u, const double *a, const double *b,
                        double *Dgamma, struct base_arena *arena);
void mech_discrete_gap(const struct mech *m, long id, const double *a, const double *b, double *DgN,
                       struct base_arena *arena);
/* DgN: nq x n of all contacts of a list made at a; NaN as in mech_consistent_ops.discrete_gaps. */
void mech_discrete_gaps(const struct mech *m, const struct mech_contacts *at_a, const double *a,
                        const double *b, double *DgN, struct base_arena *arena);
/* discrete_potential of a system whose V is linear in q (moeller 5.28): its gradient, anywhere. */
void mech_discrete_potential_linear(const struct mech *m, const double *a, const double *b,
                                    double *DV);
/* discrete_gap_slope of a system whose gaps are linear in q: S = 0. */
void mech_discrete_gap_linear(const struct mech *m, long id, const double *a, const double *b,
                              double *S);
/* The system by its coordinates alone, u = qdot: mass matrix Q^T M Q, directions and forces by q.
 * nq = nu is required. m itself without kinematics; else from the arena, in which its operations
 * work. Damping, applied forces and contacts go along; what is published does not. */
const struct mech *mech_by_coordinates(const struct mech *m, struct base_arena *arena);
/* G: nq x nq skew, and DT: nq, of a system with u = qdot (from mech_by_coordinates). */
void mech_coordinate_gyro(const struct mech *m, const double *qdot, const double *q, double *G,
                          struct base_arena *arena);
void mech_discrete_kinetic(const struct mech *m, const double *qdot, const double *a,
                           const double *b, double *DT, struct base_arena *arena);
/* Put q and u onto g_S = 0 and gamma_S = 0 (mass-orthogonal Newton), or q alone; BASE_FAILED with a
 * message. */
int mech_project(const struct mech *m, double *q, double *u, struct base_arena *arena);
int mech_project_position(const struct mech *m, double *q, struct base_arena *arena);
/* What integration lets drift (mech_project_with): no more than so much of the coordinates and
 * velocities. A constraint that misses more is named in the message of BASE_FAILED: to move a state
 * onto it would hide an error, or a jump. */
struct mech_drift {
  double q, u; /* [m, -], [m/s, ...] */
};
extern const struct mech_drift mech_any_drift; /* infinite */
/* Largest |gamma_S| over the length of its direction at the clock's time, by which velocities miss
 * the constraints [m/s, ...]; *row: which (-1: none), NULL allowed. And whether that is more than
 * projections leave of redundant constraints, so that it takes an impact. */
double mech_rate_missed(const struct mech *m, const double *q, const double *u, int *row,
                        struct base_arena *arena);
int mech_rates_jump(const struct mech *m, const double *q, const double *u,
                    struct base_arena *arena);
/* A row of g_S in words. */
enum { MECH_NAME = 120 };
void mech_bilateral_name(const struct mech *m, int row, char text[MECH_NAME]);

/* The system against itself by finite differences at a state: M symmetric and positive definite,
 * the conservative part of h against V, W_N against g_N, W against the points in contact where the
 * system tells where they go, WS against g_S, the biases, Q F = I, H skew, discrete derivatives
 * (directionality 5.15) and how they change with the end point, gyroscopic matrices of either kind.
 * worst: the largest relative error seen; BASE_FAILED with a message that names what disagrees when
 * it exceeds tol. */
int mech_check(const struct mech *m, const double *q, const double *u, double t, double tol,
               double *worst, struct base_arena *arena);
/* The same; each comparison is told: what is compared, and its relative error. */
struct mech_check_visitor {
  void (*visit)(void *data, const char *what, double error);
  void *data;
};
int mech_check_visit(const struct mech *m, const double *q, const double *u, double t, double tol,
                     struct mech_check_visitor visitor, struct base_arena *arena);

#endif
