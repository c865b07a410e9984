/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures on series that a test makes up: right ones pass every check, and each check fails for
 * some fault.
 */
#ifndef TESTS_FIGURE_FAKE_H
#define TESTS_FIGURE_FAKE_H

#include "tests/figure_run.h"

struct figure_fake {
  struct base_arena *arena; /* of the test */
  struct case_parameters *parameters;
  struct figure_plan plan;
  int n;
  struct case_series *series; /* n; of each the run is there */
};

/* Makes the series of run i, or spoils it. */
typedef void figure_fake_change(struct figure_fake *f, int i);

/* fill: of each run; NULL: nothing but the runs. */
struct figure_fake figure_fake_of(const char *id, figure_fake_change *fill);
/* n samples, dt apart, of nq coordinates and nu velocities, all zero; record: JSON with ' for ", to
 * which what every record tells of its run is added. Its series, whose numbers may be written. */
struct case_series *figure_fake_samples(struct figure_fake *f, int i, int n, double dt, int nq,
                                        int nu, const char *record);
double *figure_fake_q(const struct figure_fake *f, int i, int sample);
double *figure_fake_u(const struct figure_fake *f, int i, int sample);
double *figure_fake_energy(const struct figure_fake *f, int i);
/* A number in a record. */
double *figure_fake_number(const struct figure_fake *f, int i, const char *path);
int figure_fake_find(const struct figure_fake *f, const char *label);
/* make() of it, into a plot without files. Its status. */
int figure_fake_make(const struct figure_fake *f, struct case_plot *plot);
/* Right series pass; each check fails for some fault of all runs, or of one of the first few; a run
 * that is missing or came to nothing is named. The list of faults ends with NULL. */
void figure_fake_every_check_can_fail(const char *id, figure_fake_change *fill,
                                      figure_fake_change *const *faults, int runs);

#endif
