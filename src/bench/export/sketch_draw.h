/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How sketches (sketch.h) and films (film.c) draw a scene in SVG. Lengths on the page are in
 * pixels, x to the right and y down.
 */
#ifndef BENCH_SKETCH_DRAW_H
#define BENCH_SKETCH_DRAW_H

#include <stdio.h>

#include "bench/export/sketch_view.h"

struct base_arena;
struct case_instance;
struct case_type;

struct sketch {
  struct sketch_view view;
  FILE *out;
  int width, height;
  double scale; /* [1/m] */
};

/* The beginning of a file; its end is "</svg>". */
void sketch_put_head(FILE *out, int width, int height, const char *title);
/* scale, such that the box of the view fits into the picture with its margins. */
void sketch_fit(struct sketch *s);
struct sketch_point sketch_place(const struct sketch *s, const double x[3]);
/* Shapes, joints, and dots for bodies without a shape. */
void sketch_draw_bodies(const struct sketch *s, struct base_arena *arena);
/* The largest of 1, 2 or 5 times a power of ten that is at most so much. */
double sketch_round(double most);
/* A bar from x to x + length at the height y, what it stands for beside it; where it ends. */
double sketch_draw_bar(FILE *out, const char *class, double x, int y, double length, double value,
                       const char *unit);

/* --- sketch.c --- */

/* The system to be drawn with its initial state: of the case, or of the scene in its file
 * sketch.json. BASE_E_INPUT with a message where there is neither. */
int sketch_build(const struct case_type *type, struct base_arena *arena,
                 struct case_instance *instance);

#endif
