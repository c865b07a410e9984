/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Thinning of a table to the resolution of its drawing, before it is written.
 */
#ifndef CASES_FIGURE_THIN_H
#define CASES_FIGURE_THIN_H

/* A panel is CASE_THIN_COLUMNS columns of half a pixel wide, both on a linear and a logarithmic
 * axis. Of consecutive rows whose first values fall into one column of both, those stay that are
 * the first, the last, or have the least or the largest value of some other column of the table.
 * values: rows x cols, row-major; thinned: as large. Returns the number of rows in it. Rows with
 * the same first value, such as those of maps, those without one, and all of tables of fewer rows
 * than columns stay. */
enum { CASE_THIN_COLUMNS = 1600 };
int case_thin(int rows, int cols, const double *values, double *thinned);

#endif
