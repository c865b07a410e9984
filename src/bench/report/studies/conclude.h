/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What plots of studies show, in a sentence that their captions begin with, its numbers those of
 * the records; "" where there is nothing to say.
 */
#ifndef BENCH_REPORT_CONCLUDE_H
#define BENCH_REPORT_CONCLUDE_H

#include "bench/report/kit/study.h"

/* Who keeps energy, and who does not, over n rows. */
const char *report_conclude_drift(const struct report *report, int n,
                                  const struct report_row *rows);
/* Who comes to an error of 1e-3 of the system's length in the least time: in one row, or how often
 * in n. */
const char *report_conclude_work(const struct report *report, int n, const struct report_row *rows);

#endif
