/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `describe NAME --svg`: the initial state of a case or scene as a picture of a few kB. Colours are
 * such that it can be read on a light page and on a dark one.
 *
 *   bodies      the outlines of their shapes; a body without any is a dot
 *   half-space  its surface, hatched below
 *   joints      a ring at the point; rods are lines, ropes dashed, springs zigzags
 *   velocities  an arrow from the centre of a body, the longest that of the fastest one
 *   a bar       the scale
 *
 * A case in coordinates of its own has no shapes. It is drawn from the scene in its file
 * cases/<name>/sketch.json, which states the initial state of its default parameters.
 */
#ifndef BENCH_SKETCH_H
#define BENCH_SKETCH_H

#include <stdio.h>

struct case_type;

/* type: NULL where there is none, with its message. BASE_E_INPUT with a message where it cannot be
 * built. */
int bench_sketch(const struct case_type *type, FILE *out);

#endif
