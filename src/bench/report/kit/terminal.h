/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sizes of drawings, and gnuplot's terminals for them. On screen a drawing has the size that its
 * script says, with letters of 12 pt. In print (`report --width`) it is as wide as asked for,
 * without a title, and no letter, index or exponent is smaller than 7 pt: letters are of 9 pt, and
 * scripts/plot/style.gp makes smaller ones of 7.2 pt. Below NARROW_MM a drawing is narrow: scripts
 * stack their panels, and say how high that makes them in a comment of their own.
 *
 *   # size: 17 22       on screen [cm]; in print scaled to the width, less the title's room,
 *   # wide: 17 16       unless it says this, which is scaled as it is
 *   # narrow: 8.5 15    narrow, scaled
 */
#ifndef BENCH_REPORT_TERMINAL_H
#define BENCH_REPORT_TERMINAL_H

#include "bench/report/kit/script.h"

/* On screen PDF and SVG; in print PNG too, which takes longer than the others together. */
enum { TERMINAL_PDF, TERMINAL_SVG, TERMINAL_PNG, TERMINALS };
static inline int report_terminals(double width_mm) {
  return width_mm > 0 ? TERMINALS : TERMINAL_PNG;
}
extern const char *const report_terminal_names[TERMINALS]; /* as file names end, without the dot */
static const double REPORT_NARROW_MM = 120;
/* Largest height of a drawing for print, to which it is compressed if it stays legible [cm]. */
static const double REPORT_PAGE_CM = 23.5;

/* The size of a drawing [cm]. */
struct report_size {
  double width, height;
  double shown; /* part of the script's height that is left without the title's room; 1 on screen */
};

/* Of a script, or of `own` where that is set (own[0] > 0: as it is to be). width_mm: 0 on screen.
 * BASE_FAILED when the script's comment is none. */
int report_terminal_size(const char *script, const double own[2], double width_mm,
                         struct report_size *size);
void report_terminal_set(struct report_script *driver, int terminal, double width_mm,
                         const struct report_size *size);
/* gnuplot writes whole points and pixels: give a PDF its width to a hundredth of a point, and an
 * SVG its width in mm, and the word that blanks in it count. */
int report_terminal_finish(int terminal, const char *file, double width_mm);

#endif
