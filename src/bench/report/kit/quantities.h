/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The numbers of runs by which formulations are compared, as the overview shows them.
 *
 * Columns of a row of the source "quantities" (study.h): `quantity`, its name, `quantity_place`,
 * `quantity_title`, `quantity_shown`, what a cell of the overview shows, `is_log`, `is_over_least`,
 * `colour_lo` and `colour_hi` (below); `number`, of an ensemble the median of its members, `p10`
 * and `p90` of these; `members`, their list, in their order, else the number; `number_floor`, below
 * which it is one of rounding or of the reference; `number_lo` and `number_hi`, between which noise
 * may have put it, or of an ensemble the interval of its median.
 */
#ifndef BENCH_REPORT_QUANTITIES_H
#define BENCH_REPORT_QUANTITIES_H

#include "bench/frame/frame.h"
#include "bench/report/kit/report.h"

struct report_quantity {
  const char *name, *title;
  const char *shown;           /* what the number in a cell is */
  const char *path;            /* into records */
  double is_log;               /* the decimal logarithm, with one digit; else two digits of it */
  double is_over_least;        /* over the least of the formulations of the row */
  double colour_lo, colour_hi; /* decimal logarithms of what is shown in the first, last colour */
};
enum { REPORT_QUANTITIES = 5 };
extern const struct report_quantity report_quantities[REPORT_QUANTITIES];

/* The value of a record in one of these columns; 0: it is none of them. */
int report_quantity_value(const struct report_quantity *q, const struct report_record *r,
                          const char *column, struct base_arena *arena, struct frame_value *value);

#endif
