/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every formulation, one line each: FORMULATION(name) for `form_name` in name.c. The order is that
 * of lists, tables and legends. Included with FORMULATION defined.
 */
FORMULATION(impulse)
FORMULATION(moreau)
FORMULATION(moreau_theta)
FORMULATION(lcp_st)
FORMULATION(lcp_ap)
FORMULATION(lcp_dca)
FORMULATION(ccp)
FORMULATION(ncp)
FORMULATION(mdp)
FORMULATION(sap)
FORMULATION(mujoco_soft)
FORMULATION(tgs_soft)
FORMULATION(avbd)
FORMULATION(penalty)
FORMULATION(consistent_constant)
FORMULATION(consistent_constant_gear)
FORMULATION(consistent_coordinate)
FORMULATION(consistent_decomposed)
FORMULATION(consistent_onestep)
FORMULATION(consistent_twostep)
FORMULATION(consistent_quaternion)
FORMULATION(consistent_quaternion_twostep)
FORMULATION(event)
FORMULATION(ode)
FORMULATION(mujoco)
FORMULATION(mujoco_2)
FORMULATION(bullet)
FORMULATION(exec)
#include "base/extra.h"
