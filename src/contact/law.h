/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contact laws and their residuals. For nc contacts of dim components each (normal first), v = A r
 * + b, with A the Delassus operator [1/kg], r impulses [N s], v and b velocities [m/s]:
 *
 *   ncp   exact Coulomb-Signorini: K_mu contains r, perpendicular to v + mu |v_T| e_N in K*_mu
 *   ccp   convex relaxation: K_mu contains r, perpendicular to v in K*_mu           (negrut 7)
 *   lcp   polyhedral cone with n_dir directions                                     (bhalerao 14)
 *   mdp   the reaction minimises the energy subject to cone, Signorini and pressure (preclik 5)
 *   cone  normal-cone inclusions v_N in N(-r_N), v_T in N_{r_N C}(-r_T) on general convex sets C
 *         (moeller 3.7); with C the disk of radius mu this is ncp
 *
 * The residuals here are independent of every solver: none of them calls this file to decide a step
 * direction, and this file calls none of them.
 */
#ifndef CONTACT_LAW_H
#define CONTACT_LAW_H

#include <float.h>

#include "base/memory/arena.h"
#include "contact/set.h"

#define CONTACT_LAW_LIST(X)                                                                        \
  X(NCP, "ncp", "exact Coulomb-Signorini")                                                         \
  X(CCP, "ccp", "cone complementarity, the convex relaxation")                                     \
  X(LCP, "lcp", "linear complementarity on a polyhedral cone")                                     \
  X(MDP, "mdp", "maximum dissipation")                                                             \
  X(CONE, "cone", "normal-cone inclusions on general convex sets")

enum contact_law {
#define X(id, name, meaning) CONTACT_LAW_##id,
  CONTACT_LAW_LIST(X)
#undef X
      CONTACT_LAW_COUNT
};
#define CONTACT_LAW_BIT(law) (1u << (law))

const char *contact_law_name(enum contact_law law);
int contact_law_parse(const char *name, enum contact_law *law); /* BASE_E_INPUT if unknown */

#define CONTACT_DIM_MAX 4 /* normal, two tangential, spin (Coulomb-Contensou) */

/* A law and its data for nc contacts. dim = 1: normal only (every law is the same LCP then, mu
 * unused); dim = 2: planar; dim = 3: spatial; dim = 4: spatial with spin torque (law cone only). */
struct contact_model {
  enum contact_law law;
  int dim, nc;
  const double *mu;   /* nc [-] */
  int n_dir;          /* lcp, dim 3: number of friction directions, 3 ... */
  const double *dirs; /* lcp, dim 3: 2 x n_dir, lengths 1 unless anisotropic; NULL: regular,
                         starting at t1 (contact_directions) */
  const struct contact_set *set; /* cone: nc sets C, scaled by r_N; NULL: disks of radius mu */
};

/* Residual of a law at (r, v), in velocity units: natural map with the step rho_i = dim / trace
 * A_ii of each contact, divided by it. relative_free is over contact_demand, and 0 if rounding of b
 * alone gives this residual; it decides whether a problem is solved. relative_b is over max|b|,
 * relative_max over max(|b|, max |v|, max |A_ii| |r_i|). A non-finite r or v gives infinity. */
struct contact_residual {
  double absolute;      /* [m/s] */
  double relative_free; /* [-]; absolute itself when b = 0 */
  double relative_b;    /* [-]; absolute itself when b = 0 */
  double relative_max;  /* [-] */
  long at;              /* contact with the largest residual; -1 when there is none */
};

/* A residual that was not computed. */
#define CONTACT_RESIDUAL_UNKNOWN                                                                   \
  ((struct contact_residual){.absolute = INFINITY,                                                 \
                             .relative_free = INFINITY,                                            \
                             .relative_b = INFINITY,                                               \
                             .relative_max = INFINITY,                                             \
                             .at = -1})

/* The residual at (r, v). diag: nc blocks dim x dim (row-major) A_ii; r, v, b: dim nc. */
struct contact_residual contact_residual(const struct contact_model *model, const double *diag,
                                         const double *r, const double *v, const double *b);
/* The same piece by piece, if not all v are available at once: contacts first ... first + count - 1
 * with v: dim count; diag, r, b: of all contacts. Each contact once, in any order. */
struct contact_worst {
  double residual, largest, largest_b; /* [m/s] */
  double fallback;                     /* step of blocks without a trace; 0: not computed [kg] */
  long at;
};
#define CONTACT_WORST_NONE ((struct contact_worst){.at = -1})
void contact_residual_add(const struct contact_model *model, const double *diag, const double *r,
                          const double *b, int first, int count, const double *v,
                          struct contact_worst *worst);
struct contact_residual contact_residual_of(const struct contact_worst *worst, double demand);

/* Demand of b: the residual of the law at zero impulses, r = 0 and v = b [m/s]. For Coulomb's law
 * it is max(0, -b_N) up to a factor between 1 / sqrt(1 + mu^2) and 1: approach, dt times forces,
 * restitution, penetration. Sliding speeds and open gaps do not enter. It is 0 if r = 0 is a
 * solution. */
double contact_demand(const struct contact_model *model, const double *diag, const double *b);
/* Residuals up to this part of max|b| are rounding errors of v = A r + b, sums of some dozen
 * terms. */
#define CONTACT_ROUNDING (64 * DBL_EPSILON)

/* Physical diagnostics, the same for every law, each the worst over all contacts. */
struct contact_diagnostics {
  double signorini; /* |min(v_N, r_N/rho...)| natural map of 0 <= v_N perp r_N >= 0 [m/s] */
  double cone;      /* max(0, |r_T| - mu r_N) and max(0, -r_N) [N s] */
  double angle;     /* between -r_T and v_T of sliding contacts, 0 when opposed [rad] */
  double dissipation_shortfall; /* mu r_N |v_T| + v_T . r_T [J]: deficit to Coulomb's dissipation */
  double energy_excess;         /* one contact at a time: energy above preclik's minimum (5) [J];
                                   NaN unless requested */
  long at;                      /* contact with the largest dissipation shortfall; -1: none */
};
/* excess != 0: compute energy_excess too (an independent minimisation a contact, not cheap). */
struct contact_diagnostics contact_diagnose(const struct contact_model *model, const double *diag,
                                            const double *r, const double *v, int excess);
/* The diagnostics of no contacts. */
#define CONTACT_DIAGNOSTICS_EMPTY ((struct contact_diagnostics){.energy_excess = NAN, .at = -1})

/* Energy [J] r^T A r / 2 + r^T b of one contact, A: dim x dim symmetric, preclik E_j up to a
 * constant with b the free velocity (preclik's b is the negative of ours). */
double contact_energy(int dim, const double *A, const double *b, const double *r);
/* Global minimum of preclik (5) for one contact, under |r_T| <= mu r_N, 0 <= v_N perp r_N >= 0 and
 * the pressure condition. r: dim, the minimiser; returns its energy [J]. The conic v_N = 0 is
 * scanned densely and every local minimum is refined, which is slow and safe: the reference for law
 * mdp. */
double contact_minimum_energy(int dim, double mu, const double *A, const double *b, double *r);

/* Regular polygon of n_dir unit vectors, the first along t1; dirs: 2 x n_dir. */
void contact_directions(int n_dir, double *dirs);
/* The same, stretched by ratio along t2: n_dir points of the ellipse of friction coefficients mu
 * along t1 and ratio mu along t2. */
void contact_directions_elliptic(int n_dir, double ratio, double *dirs);
/* Tangent frame of the contract: t1 is the projection onto the tangent plane of the first world
 * axis (x, y, z in that order) less than 80 degrees off it, t2 = n x t1. n: unit. */
void contact_frame(const double n[3], double t1[3], double t2[3]);

#endif
