/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the figures of this case have in common: the formulations that run it, its sets of initial
 * values, and angles that go on where a chart ends.
 */
#ifndef CASES_SPATIAL_DOUBLE_PENDULUM_FIGURES_H
#define CASES_SPATIAL_DOUBLE_PENDULUM_FIGURES_H

#include "cases/figure/series.h"
#include "cases/spatial-double-pendulum/spatial-double-pendulum.h"

/* Initial values (bhalerao 5.1, 5.2) as "key=value ...". */
#define SPATIAL_DOUBLE_PENDULUM_DROP "mu=0 z0=1 vx0=0 vy0=0"
#define SPATIAL_DOUBLE_PENDULUM_PLANAR "qa2=1 qb1=0 qb2=1 vx0=0 vy0=0 z0=0.1"
#define SPATIAL_DOUBLE_PENDULUM_ELASTIC "qa2=1 qb1=0 qb2=1 vx0=0 vy0=0 z0=0.5 eps_N=0.7"

/* Every formulation that runs the case, and the bodies it takes. */
#define SPATIAL_DOUBLE_PENDULUM_FORMS                                                              \
  {                                                                                                \
    "form/bodies", "moreau/quaternion lcp-st/quaternion lcp-ap/quaternion lcp-dca/quaternion "     \
                   "ccp/quaternion ncp/quaternion mdp/quaternion penalty/quaternion "              \
                   "consistent-quaternion/quaternion consistent-quaternion-twostep/quaternion "    \
                   "consistent-twostep/scalable"                                                   \
  }
#define SPATIAL_DOUBLE_PENDULUM_NAMES                                                              \
  "moreau lcp-st lcp-ap lcp-dca ccp ncp mdp penalty consistent-quaternion "                        \
  "consistent-quaternion-twostep consistent-twostep"
/* Runs of each with the set: the label is the formulation's name. */
#define SPATIAL_DOUBLE_PENDULUM_RUNS(SET, DT, T_END, SAMPLE)                                       \
  {                                                                                                \
    .label = "{form}", .formulation = "{form}", .set = SET " bodies={bodies}", .dt = DT,           \
    .t_end = T_END, .sample = SAMPLE, .over = {                                                    \
      SPATIAL_DOUBLE_PENDULUM_FORMS                                                                \
    }                                                                                              \
  }
/* The formulations in the order of legends. */
#define SPATIAL_DOUBLE_PENDULUM_NAMES                                                              \
  "moreau lcp-st lcp-ap lcp-dca ccp ncp mdp penalty consistent-quaternion "                        \
  "consistent-quaternion-twostep consistent-twostep"
/* The same over steps, with the step in the label. */
#define SPATIAL_DOUBLE_PENDULUM_STEPPED(SET, STEPS, T_END, SAMPLE)                                 \
  {                                                                                                \
    .label = "{form}-{dt}", .formulation = "{form}", .set = SET " bodies={bodies}", .dt = "{dt}",  \
    .t_end = T_END, .sample = SAMPLE, .over = {                                                    \
      SPATIAL_DOUBLE_PENDULUM_FORMS,                                                               \
      {"dt", STEPS}                                                                                \
    }                                                                                              \
  }

/* Published value j of sample k. */
static inline double spatial_double_pendulum_q(const struct case_series *s, int k, int j) {
  return s->q[(size_t)k * (size_t)s->nq + (size_t)j];
}
static inline double spatial_double_pendulum_u(const struct case_series *s, int k, int j) {
  return s->u[(size_t)k * (size_t)s->nu + (size_t)j];
}

/* angles: 3, one of the triples that mean the same rotation: the one nearest to `near`: 3. */
void spatial_double_pendulum_near(const double near[3], double angles[3]);

#endif
