/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Consistent two-step integrator (moeller 5.106, 5.107, with damping 5.126): first the impacts of
 * the closed contacts at fixed coordinates, by Newton's law with any eps_N, eps_T and Coulomb
 * friction, then impact-free motion from the velocity after them, with the same contacts held by
 *
 *   W_i^T (q^E - q^B) in N_{C_i}(-lambda_i),
 *
 * C_i the half line for the normal, and for the tangential part the disk of radius mu lambda_N or
 * lambda_N times the friction set that the contact brings (law cone).
 * Energy never rises where the impact law is dissipative (5.115), and is conserved for frictionless
 * contacts with eps_N = 1.
 *
 * Holding q^E = q^B turns the velocity of a sticking direction around, u^E = -u^C, and nothing
 * dissipates it before the next impact: velocities (and the energy in them) alternate while stuck,
 * positions do not (moeller 6.19).
 *
 * Newton's law with friction and restitution may itself gain energy (5.109 is an assumption); the
 * report's work then says so.
 */
#include "form/consistent/consistent.h"

static const struct base_option table[] = {
    FORM_CONSISTENT_W(
        FORM_CONSISTENT_PARTIAL,
        "normal directions of the motion: dg_N/dq at q^B or its discrete derivative (5.116)"),
    BASE_OPTION_END};

const struct form form_consistent_twostep = {
    .name = "consistent-twostep",
    .look = {.colour = 0xb376f0, .dashes = {0}, .point = 13, .point_size = 1.0},
    .summary = "energy-consistent, impact then motion; restitution, friction, damping",
    .source = "moeller (5.106), (5.107), (5.126)",
    .law_of = form_consistent_law,
    .options = table,
    .check = form_consistent_check,
    .alloc = form_consistent_alloc_rates,
    .step = form_consistent_step_in_two,
    FORM_CONSISTENT_CONTACTS,
};
