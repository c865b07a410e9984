/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tolerance of a run's solves where nobody asks for one: balanced to the step.
 *
 * A solve that ends at residual tol max|b| leaves velocities of contacts wrong by about as much.
 * In the normal direction the next step's b knows of it and undoes it; along a sliding contact it
 * is an impulse of friction too large or too small, and a warm start keeps it, of the same sign,
 * until the residual passes tol: the worst is the sum. With n = T/dt steps of a motion of speed U,
 *
 *   wrong velocity at T   n tol U            wrong position      n tol U T / 2
 *   error of a step of first order, accumulated, impacts included: of the order of  U T / n
 *   their quotient        c n^2 tol
 *
 * so that tol = SHARE / n^2 keeps it at c SHARE. The study `tolerance` (bench/report/studies/)
 * measures it over cases, laws and steps. A pendulum that slides for 1 s comes to a tenth at
 * 10/n^2, from 1000 to 33,000 steps; over its first 0.2 s, when it is fast and has had no time to
 * err, between 0.04 and 0.1/n^2; nothing does below, hence SHARE. No constant will do: what is
 * enough for 100 steps is too loose for 10,000, and what that many need costs the others sweeps.
 *
 * LEAST: residuals of redundant contacts and of large mass ratios do not fall below. MOST: a run of
 * few steps has speeds far above what a step's forces make of them, U >> g T, and its n says
 * little.
 */
#include "bench/job/job.h"

#include <math.h>

static const double SHARE = 0.01, LEAST = 1e-10, MOST = 1e-6;

double bench_tolerance_balanced(double dt, double t_end) {
  const double part = dt / t_end;
  return fmax(LEAST, fmin(MOST, SHARE * part * part));
}

void bench_job_set_step(struct bench_job *job, double dt) {
  job->dt = dt;
  if (job->is_balanced) {
    job->loop.tol = bench_tolerance_balanced(dt, job->t_end);
  }
}
