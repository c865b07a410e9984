/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options of `penalty`.
 */
#include <math.h>

#include "form/penalty/penalty.h"

const struct base_option penalty_option_table[] = {
    BASE_OPTION_CHOICE(struct penalty_options, normal, PENALTY_LINEAR, "linear|hertz",
                       "spring force K g^n: n = 1, or 3/2"),
    BASE_OPTION_CHOICE(
        struct penalty_options, damping, PENALTY_DAMPING_AUTO, "auto|viscous|hunt-crossley",
        "D g^((n-1)/2) g' or chi K g^n g'; auto: viscous for linear, else the other"),
    BASE_OPTION_REAL(struct penalty_options, K, -1, -1, INFINITY, "N/m^n",
                     "contact stiffness; below 0: computed from `depth`"),
    BASE_OPTION_REAL(struct penalty_options, depth, 1e-3, 1e-12, 1, "",
                     "allowed penetration over the system's length, from which K follows by mass, "
                     "approach speed, weight and eps_N"),
    BASE_OPTION_REAL(struct penalty_options, D, -1, -1, INFINITY, "N s/m^((n+1)/2)",
                     "viscous damping; below 0: from eps_N and the contact's effective mass"),
    BASE_OPTION_REAL(struct penalty_options, chi, -1, -1, INFINITY, "s/m",
                     "damping by Hunt and Crossley; below 0: from eps_N and the approach speed"),
    BASE_OPTION_BOOL(struct penalty_options, clamp, 1, "no attraction: normal forces are >= 0"),
    BASE_OPTION_REAL(struct penalty_options, eps_min, 1e-2, 1e-6, 1, "",
                     "damping from eps_N (viscous: with clamp): lower bound of eps_N"),
    BASE_OPTION_CHOICE(struct penalty_options, tangential, PENALTY_REGULARISED,
                       "regularised|spring", "friction without or with memory"),
    BASE_OPTION_REAL(struct penalty_options, v_reg, 1e-3, 1e-12, INFINITY, "m/s",
                     "regularised: friction is mu f_N tanh(|v_T| / v_reg)"),
    BASE_OPTION_REAL(struct penalty_options, K_T, -1, -1, INFINITY, "N/m^n",
                     "spring: tangential stiffness K_T g^(n-1); below 0: by ratio_T"),
    BASE_OPTION_REAL(struct penalty_options, ratio_T, 2. / 7, 0, INFINITY, "",
                     "spring: tangential over normal stiffness; Mindlin: 2 (1 - nu) / (2 - nu)"),
    BASE_OPTION_REAL(struct penalty_options, D_T, -1, -1, INFINITY, "N s/m",
                     "spring: tangential damping; below 0: by zeta_T"),
    BASE_OPTION_REAL(struct penalty_options, zeta_T, -1, -1, INFINITY, "",
                     "spring: damping ratio of tangential oscillations; below 0: from eps_T"),
    BASE_OPTION_CHOICE(struct penalty_options, bilateral, PENALTY_MULTIPLIER, "multiplier|spring",
                       "treatment of bilateral constraints"),
    BASE_OPTION_BOOL(struct penalty_options, project, 1,
                     "multiplier: project q and u onto the constraints after every step"),
    BASE_OPTION_REAL(struct penalty_options, baumgarte, 0, 0, INFINITY, "1/s",
                     "multiplier: rate at which drift is damped out"),
    BASE_OPTION_REAL(struct penalty_options, K_S, 1e7, 0, INFINITY, "J/[g_S]^2",
                     "spring: stiffness of bilateral constraints"),
    BASE_OPTION_REAL(struct penalty_options, D_S, 0, 0, INFINITY, "J s/[g_S]^2",
                     "spring: damping of bilateral constraints"),
    BASE_OPTION_CHOICE(struct penalty_options, stepper, PENALTY_RK4,
                       "rk4|verlet|rkf45|rk8pd|rk4imp|bsimp|msbdf",
                       "fixed step (rk4, verlet), adaptive explicit (rkf45, rk8pd) or implicit"),
    BASE_OPTION_INT(struct penalty_options, substeps, 0, 0, 1000000,
                    "fixed step: number of equal substeps; 0: as many as stability requires"),
    BASE_OPTION_REAL(struct penalty_options, rtol, 1e-9, 1e-15, 1e-1, "",
                     "adaptive: relative error a step"),
    BASE_OPTION_REAL(struct penalty_options, atol, 1e-11, 1e-18, 1e-1, "",
                     "adaptive: absolute error a step, in units of the system's length and speed"),
    BASE_OPTION_END};
