/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How curves of a formulation or a solver are drawn, the same in every figure: it belongs to the
 * object and does not change when others are added. All zero: something of its own, made from its
 * name.
 */
#ifndef BASE_LOOK_H
#define BASE_LOOK_H

struct base_look {
  unsigned colour;   /* 0xRRGGBB */
  double dashes[4];  /* on, off, on, off; 0 first: solid */
  int point;         /* gnuplot's pointtype; 0: this is no look */
  double point_size; /* over gnuplot's own */
};

#endif
