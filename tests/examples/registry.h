/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `make EXTRA=tests/examples` adds to the program. Included with one of CASE, FORMULATION and
 * SOLVER defined to something.
 */
CASE(bouncing_example)
FORMULATION(euler_example)
SOLVER(gradient_example)
