/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `coulombench compare`.
 */
#ifndef BENCH_COMPARE_REQUEST_H
#define BENCH_COMPARE_REQUEST_H

enum { BENCH_COMPARE_NOISE_MAX = 8 };
struct bench_compare_request {
  const char *a, *b; /* two records, or two folders of records */
  double tol;        /* largest difference over its scale that counts as same; < 0: none */
  int n_noise;       /* folders (records) that differ from a by rounding alone, */
  const char *noise[BENCH_COMPARE_NOISE_MAX];
  double factor; /* and how many times that difference is allowed */
  int n_ignored; /* paths left out */
  const char *const *ignored;
  int verbose; /* every record and every differing entry */
};
/* Verdict, counts and a row a record on standard output; *is_same: all records to the byte, or
 * within what the request allows. */
int bench_compare(const struct bench_compare_request *request, int *is_same);
/* Blocks of a record, and what differences in them are measured by. */
void bench_describe_compare(void);

#endif
