/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the studies share: studies.c (energy, orders, work) and search.c
 * (largest steps) and profile.c (solvers).
 */
#ifndef BENCH_REPORT_STUDY_H
#define BENCH_REPORT_STUDY_H

#include "bench/report/report.h"

struct report_study {
  struct report *report;
  const char *name, *id, *title, *caption;
  struct report_script script; /* what the plotting script is told beside its tables */
  struct case_plot plot;       /* its tables */
};

int report_study_begin(struct report_study *s);
/* Draw a study whose tables are written and note it in the report; nothing without tables. */
int report_study_finish(struct report_study *s);
/* Tell the script the number of rows and their titles, as `rows` and `labels`. */
void report_study_rows(struct report_study *s, int n, const struct report_row *rows);

/* The study of all searches, and report/largest-step.csv. */
int report_search_study(struct report *report);

/* Performance profiles of the solvers over the problems the suite solved; report/profile.csv and
 * report/profile-missed.csv. */
int report_profile_study(struct report *report);

/* Cost against the number of bodies, of runs labelled for it; report/scaling.csv. */
int report_scaling_study(struct report *report);

#endif
