/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What cases need of statistics, by GSL.
 */
#ifndef LA_STATISTICS_H
#define LA_STATISTICS_H

/* x with P(t <= x) = p, 0 < p < 1, of Student's distribution with nu > 0 degrees of freedom. */
double la_student_quantile(double p, double nu);

#endif
