/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The default tolerance of a run's solves: balanced to the step.
 *
 * Step k asks its contacts for D_k (contact_demand): dt g of bodies that rest or slide, the speed
 * of an impact. A solve that ends at residual tol D_k leaves velocities of contacts wrong by about
 * as much. In the normal direction the next step's b knows of it and undoes it; along a sliding
 * contact it is an impulse of friction too large or too small, and a warm start keeps it, of the
 * same sign, until the residual passes tol: the worst is the sum, over n = T/dt steps
 *
 *   wrong velocity at T   tol sum D_k = tol U, U the sum of what the contacts did: g T, and impacts
 *   error of a step of first order, accumulated, impacts included: of the order of  U / n
 *   their quotient        c n tol
 *
 * so that tol = SHARE / n keeps it at c SHARE. How fast a contact slides does not enter, for D does
 * not know of it. The study `tolerance` (scripts/plot/studies/) measures the quotient over cases,
 * laws and steps. No constant will do: what is enough for 100 steps is too loose for 100,000.
 *
 * LEAST: residuals of redundant contacts and of large mass ratios do not fall below. MOST: where
 * some contact is hit in every step, as when bodies are poured, D is that of the impacts for the
 * others too, which rest and slide.
 */
#include "bench/job/job.h"

#include <math.h>

static const double SHARE = 0.01, LEAST = 1e-10, MOST = 1e-6;

double bench_tolerance_balanced(double dt, double t_end) {
  const double part = dt / t_end;
  return fmax(LEAST, fmin(MOST, SHARE * part));
}

void bench_job_set_step(struct bench_job *job, double dt) {
  job->dt = dt;
  if (job->is_balanced) {
    job->loop.tol = bench_tolerance_balanced(dt, job->t_end);
  }
}
