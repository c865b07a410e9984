/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The motion of a case by `event`, as reference: made once, kept as states from which it goes on.
 *
 * Up to when it can be trusted is measured. Starts that differ by START of the system's length and
 * speed, in directions drawn with fixed seeds, are followed too; where one of them has moved away
 * by more than APART of the length, the motion amplifies errors by APART / START, or is no
 * continuous function of its start at all (a box tumbling on its corners: which of them touches
 * first decides), and the reference ends. The bound on its error, up to there, is the larger of
 * SAFETY times the distance from the motion with a tenth of its tolerance, and its tolerance of the
 * largest coordinate, amplified as the perturbed starts are. (Both: where motions are polynomials
 * two tolerances give the same but for rounding errors, which they share.)
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
  double until;            /* it can be trusted up to this time [s]: t_end, or less */
  double bound;            /* on its error up to there [m or rad]; NaN: unknown */
  int is_cut;              /* there was no time to measure these */
  char reason[200];        /* why it ends before t_end, or has no bound */
};

/* Make the motion of a job up to t_end. bound: one that is known; NaN: it is to be measured, and
 * the end with it. BASE_OK, or why there is none, with a message: BASE_TIMEOUT at the deadline and
 * BASE_UNSUPPORTED where there is no memory for it, among others. */
int bench_motion_make(const struct bench_integration *by, double bound,
                      struct bench_motion *motion);
void bench_motion_free(struct bench_motion *motion);

/* The motion at n times, ascending, into path; those after `until` are left out. As make. */
int bench_motion_at(const struct bench_integration *by, struct bench_motion *motion, int n,
                    const double *t, struct bench_path *path);

/* Both, the motion from its file in the folder job->request->references (NULL: from none), or made
 * and put there. Where it has been asked for at these very times before, what it was there comes
 * from a file in the folder `samples` (NULL: no such file is read or written). A file that is
 * damaged, or of another program, is ignored, with a line on standard error. What comes from files
 * and what is made are the same to the last bit. motion: without states where the file of the times
 * was enough. */
int bench_motion_sample(const struct bench_integration *by, double bound, const char *samples,
                        int n, const double *t, struct bench_motion *motion,
                        struct bench_path *path);

/* All that decides the motion, from the arena of `by`: equal of jobs that share one. */
const char *bench_motion_key(const struct bench_integration *by, double bound);
/* Make the motion and put it into the folder job->request->references, unless it is there. As
 * make. */
int bench_motion_keep(const struct bench_integration *by, double bound);

#endif
