/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GSL's distributions for those who see only la; see statistics.h.
 */
#include "la/statistics.h"

#include <gsl/gsl_cdf.h>

double la_student_quantile(double p, double nu) { return gsl_cdf_tdist_Pinv(p, nu); }
