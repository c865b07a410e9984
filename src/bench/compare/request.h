/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `coulombench compare`.
 */
#ifndef BENCH_COMPARE_REQUEST_H
#define BENCH_COMPARE_REQUEST_H

#include "base/text.h"

struct bench_compare_request {
  const char *a, *b;         /* two records, or two folders of records */
  double tol;                /* largest difference over its scale that counts as same; < 0: none */
  struct base_words ignored; /* paths left out */
  int verbose;               /* every record and every differing entry */
};
/* Verdict, counts, ratios and a row a record on standard output; *is_same: all records to the byte,
 * or within what the request allows. */
int bench_compare(const struct bench_compare_request *request, int *is_same);
/* Print the blocks of a record, and the scale of differences in each. */
void bench_describe_compare(void);

#endif
