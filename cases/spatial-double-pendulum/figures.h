/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the figures of this case have in common: the formulations that run it, its sets of initial
 * values, and angles that go on where a chart ends.
 */
#ifndef CASES_SPATIAL_DOUBLE_PENDULUM_FIGURES_H
#define CASES_SPATIAL_DOUBLE_PENDULUM_FIGURES_H

#include "cases/figure/series.h"
#include "cases/spatial-double-pendulum/spatial-double-pendulum.h"

/* Every formulation that runs the case, one line each: name and what it needs set. */
struct spatial_double_pendulum_form {
  const char *name, *set;
  int order;    /* in dt while P1 slides; 0: something else is the limit (bhalerao-8) */
  double error; /* largest at the source's step of bhalerao-8 [rad]: 2 to 5 dt of first order, or of
                    what another limit than Coulomb's law is off */
  int restores; /* Newton's restitution, whatever the tangential velocity */
  int lasting;  /* impacts last many steps */
};
enum { SPATIAL_DOUBLE_PENDULUM_FORMS = 11 };
extern const struct spatial_double_pendulum_form
    spatial_double_pendulum_forms[SPATIAL_DOUBLE_PENDULUM_FORMS];

/* Initial values (bhalerao 5.1, 5.2) as "key=value ...". */
#define SPATIAL_DOUBLE_PENDULUM_DROP "mu=0 z0=1 vx0=0 vy0=0"
#define SPATIAL_DOUBLE_PENDULUM_PLANAR "qa2=1 qb1=0 qb2=1 vx0=0 vy0=0 z0=0.1"
#define SPATIAL_DOUBLE_PENDULUM_ELASTIC "qa2=1 qb1=0 qb2=1 vx0=0 vy0=0 z0=0.5 eps_N=0.7"

/* Formulations that take the body as it is; consistent-twostep takes scalable ones. */
#define SPATIAL_DOUBLE_PENDULUM_QUATERNION                                                         \
  "moreau lcp-st lcp-ap lcp-dca ccp ncp mdp penalty consistent-quaternion "                        \
  "consistent-quaternion-twostep"
/* Runs of every formulation with the set: the label is the formulation's name. */
#define SPATIAL_DOUBLE_PENDULUM_RUNS(SET, DT, T_END, SAMPLE)                                       \
  {.label = "{form}",                                                                              \
   .formulation = "{form}",                                                                        \
   .set = SET,                                                                                     \
   .dt = DT,                                                                                       \
   .t_end = T_END,                                                                                 \
   .sample = SAMPLE,                                                                               \
   .over = {{"form", SPATIAL_DOUBLE_PENDULUM_QUATERNION}}},                                        \
  {                                                                                                \
    .label = "consistent-twostep", .formulation = "consistent-twostep",                            \
    .set = SET " bodies=scalable", .dt = DT, .t_end = T_END, .sample = SAMPLE                      \
  }
/* The same over steps, with the step in the label. */
#define SPATIAL_DOUBLE_PENDULUM_STEPPED(SET, STEPS, T_END, SAMPLE)                                 \
  {.label = "{form}-{dt}",                                                                         \
   .formulation = "{form}",                                                                        \
   .set = SET,                                                                                     \
   .dt = "{dt}",                                                                                   \
   .t_end = T_END,                                                                                 \
   .sample = SAMPLE,                                                                               \
   .over = {{"form", SPATIAL_DOUBLE_PENDULUM_QUATERNION}, {"dt", STEPS}}},                         \
  {                                                                                                \
    .label = "consistent-twostep-{dt}", .formulation = "consistent-twostep",                       \
    .set = SET " bodies=scalable", .dt = "{dt}", .t_end = T_END, .sample = SAMPLE, .over = {       \
      {"dt", STEPS}                                                                                \
    }                                                                                              \
  }
/* The series of formulation i; NULL with a message. */
const struct case_series *spatial_double_pendulum_find(const struct case_series *series, int n,
                                                       int i, double dt, int stepped);

/* Published value j of sample k. */
static inline double spatial_double_pendulum_q(const struct case_series *s, int k, int j) {
  return s->q[(size_t)k * (size_t)s->nq + (size_t)j];
}
static inline double spatial_double_pendulum_u(const struct case_series *s, int k, int j) {
  return s->u[(size_t)k * (size_t)s->nu + (size_t)j];
}

/* angles: 3, one of the triples that mean the same rotation: the one nearest to `near`: 3. */
void spatial_double_pendulum_near(const double near[3], double angles[3]);

extern const struct case_runs spatial_double_pendulum_drift_runs[];
int spatial_double_pendulum_drift_make(const struct case_parameters *p,
                                       const struct case_series *series, int n,
                                       struct case_plot *plot);
extern const struct case_runs spatial_double_pendulum_angles_runs[];
int spatial_double_pendulum_angles_make(const struct case_parameters *p,
                                        const struct case_series *series, int n,
                                        struct case_plot *plot);
extern const struct case_runs spatial_double_pendulum_planar_runs[];
int spatial_double_pendulum_planar_make(const struct case_parameters *p,
                                        const struct case_series *series, int n,
                                        struct case_plot *plot);
extern const struct case_runs spatial_double_pendulum_elastic_runs[];
int spatial_double_pendulum_elastic_make(const struct case_parameters *p,
                                         const struct case_series *series, int n,
                                         struct case_plot *plot);
extern const struct case_runs spatial_double_pendulum_facets_runs[];
extern const struct case_table spatial_double_pendulum_facets_tables[];
extern const struct case_check spatial_double_pendulum_facets_checks[];

#endif
