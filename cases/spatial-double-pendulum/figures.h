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

/* A run of formulation i with the set, sampled; label: the formulation's name, and the step where
 * `stepped`. */
void spatial_double_pendulum_run(struct case_run *run, int i, const char *set, double dt,
                                 double t_end, double sample, int stepped);
/* Its series; NULL with a message. */
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

int spatial_double_pendulum_drift_plan(const struct case_parameters *p, int i,
                                       struct case_run *run);
int spatial_double_pendulum_drift_make(const struct case_parameters *p,
                                       const struct case_series *series, int n,
                                       struct case_plot *plot);
int spatial_double_pendulum_angles_plan(const struct case_parameters *p, int i,
                                        struct case_run *run);
int spatial_double_pendulum_angles_make(const struct case_parameters *p,
                                        const struct case_series *series, int n,
                                        struct case_plot *plot);
int spatial_double_pendulum_planar_plan(const struct case_parameters *p, int i,
                                        struct case_run *run);
int spatial_double_pendulum_planar_make(const struct case_parameters *p,
                                        const struct case_series *series, int n,
                                        struct case_plot *plot);
int spatial_double_pendulum_elastic_plan(const struct case_parameters *p, int i,
                                         struct case_run *run);
int spatial_double_pendulum_elastic_make(const struct case_parameters *p,
                                         const struct case_series *series, int n,
                                         struct case_plot *plot);
int spatial_double_pendulum_facets_plan(const struct case_parameters *p, int i,
                                        struct case_run *run);
int spatial_double_pendulum_facets_make(const struct case_parameters *p,
                                        const struct case_series *series, int n,
                                        struct case_plot *plot);

#endif
