/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of the academic problem of one contact.
 */
#ifndef CASES_ACADEMIC_CONTACT_H
#define CASES_ACADEMIC_CONTACT_H

#include "cases/case.h"

/* What the files of its figures call by name. */
extern const struct case_function academic_contact_functions[];
extern const struct case_function academic_contact_hyperbola_functions[];
extern const struct case_function academic_contact_rays_functions[];

/* preclik-4 */
int academic_contact_hyperbola_make(const struct case_parameters *p,
                                    const struct case_series *series, int n,
                                    struct case_plot *plot);

/* preclik-rays */
int academic_contact_rays_make(const struct case_parameters *p, const struct case_series *series,
                               int n, struct case_plot *plot);

/* The problem as a record tells it: ours, with v = A r + b, normal first. */
enum { ACADEMIC_COULOMB_MAX = 8 };
struct academic_solution {
  double r[3], v[3], energy; /* [N s], [m/s], [J] */
};
struct academic_problem {
  double mu, A[9], b[3];
  int n_coulomb;
  struct academic_solution coulomb[ACADEMIC_COULOMB_MAX], max_dissipation;
};
/* From `contact` of a record; BASE_FAILED with a message where something is missing. */
int academic_contact_read(const struct case_series *s, struct academic_problem *out);

/* In the plane of maximum compression, v_N = 0, by x = r_T:  E = x . H x / 2 + x . g + c. */
struct academic_plane {
  double H[2][2], g[2], c, x0[2]; /* x0: where E is least */
};
struct academic_plane academic_contact_plane(const struct academic_problem *p);
double academic_contact_energy(const struct academic_plane *plane, const double x[2]);
/* Tables of the curves E = level, `levels` ascending (those below the minimum are left out):
 * "contour<k>", x_t x_o. */
void academic_contact_contours(const struct academic_plane *plane, int count, const double *levels,
                               struct case_plot *plot);

#endif
