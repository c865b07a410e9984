/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The motion of a case by `event`, as reference. It is computed once and stored as states from
 * which integration continues.
 *
 * Its valid time is measured with further starts, which differ by START of the system's length and
 * speed in directions drawn with fixed seeds. Where one of their motions differs by more than APART
 * of the length, the reference ends: the motion amplifies errors by APART / START, or it is no
 * continuous function of its start (a box that tumbles on its corners depends on the first corner
 * to touch). The bound on its error, up to there, is the larger of SAFETY times the distance from
 * the motion with a tenth of its tolerance, and its tolerance of the largest coordinate, amplified
 * as the perturbed starts are. (Both are needed: for polynomial motions two tolerances agree up to
 * rounding errors that they share.)
 */
#ifndef BENCH_MOTION_H
#define BENCH_MOTION_H

#include "base/bytes/blob.h"
#include "bench/reference/runner.h"

struct bench_motion {
  int n;                   /* states */
  double *t;               /* n, ascending from 0 [s] */
  size_t *at;              /* n, where each begins in `states`, and n + 1st: the end */
  struct base_blob states; /* bytes from the system: bench_motion_free */
  double rtol;             /* of the integration */
  double until;            /* it is valid up to this time [s]: t_end, or less */
  double bound;            /* on its error up to there [m or rad]; NaN: unknown */
  int is_cut;              /* time was too short to measure these */
  char reason[200];        /* reason of an end before t_end, or of a missing bound */
};

/* Compute the motion of a job up to t_end. bound: a known one; NaN: measure it, and the valid time.
 * BASE_OK, or a status with a message: BASE_TIMEOUT at the deadline, BASE_UNSUPPORTED without
 * enough memory, or another one. */
int bench_motion_make(const struct bench_integration *by, double bound,
                      struct bench_motion *motion);
void bench_motion_free(struct bench_motion *motion);

/* The motion at n times, ascending, into path; those after `until` are left out. As make. */
int bench_motion_at(const struct bench_integration *by, struct bench_motion *motion, int n,
                    const double *t, struct bench_path *path);

/* Both. The motion is read from its file in the folder job->request->references, or computed and
 * stored there (NULL: no file). Its samples at these times are read from, or stored in, the folder
 * `samples` (NULL: no file). A damaged file, or one of another program, is ignored with a line on
 * standard error. Stored and computed values agree to the last bit. motion: has no states if the
 * file of samples was enough. */
int bench_motion_sample(const struct bench_integration *by, double bound, const char *samples,
                        int n, const double *t, struct bench_motion *motion,
                        struct bench_path *path);

/* All inputs of the motion as text, from the arena of `by`; equal for jobs that share the
 * motion. */
const char *bench_motion_key(const struct bench_integration *by, double bound);
/* Make the motion and put it into the folder job->request->references, unless it is there. As
 * make. */
int bench_motion_keep(const struct bench_integration *by, double bound);

#endif
