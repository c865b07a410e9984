/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Style of the curves of a formulation or solver, the same in every figure. It is part of the
 * object, so adding others does not change it. If all fields are zero, a style is derived from the
 * name.
 */
#ifndef BASE_LOOK_H
#define BASE_LOOK_H

struct base_look {
  unsigned colour;   /* 0xRRGGBB */
  double dashes[4];  /* on, off, on, off; first 0: solid */
  int point;         /* gnuplot's pointtype; 0: no style is set */
  double point_size; /* relative to gnuplot's default */
};

#endif
