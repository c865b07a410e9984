/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cases for tests: a model with parameters set, its smooth motion by an integrator that knows
 * nothing of contacts or formulations, and runs of a formulation step by step.
 */
#ifndef TESTS_CASE_MODEL_H
#define TESTS_CASE_MODEL_H

#include "cases/case.h"
#include "form/form.h"

/* Parameters of a case, or of a scene by its path, with "key=value key=value" set; failures are
 * reported as failed checks. */
struct case_parameters *case_model_load(const char *name, const char *set,
                                        struct base_arena *arena);
/* The case with these parameters, failures likewise. */
struct case_instance case_model_build(const char *name, const char *set, struct base_arena *arena);
/* A scene by its keys beside schema, name, dt and t_end, with ' for ", printf style. */
struct case_instance case_model_scene(const char *keys, ...) __attribute__((format(printf, 1, 2)));

/* y = (q, u), nq = nu = n each: M udot = h + W_S lambda_S, d(W_S^T u)/dt = 0, contacts left out, by
 * GSL's rk8pd with tolerance 1e-13. Identity kinematics only. */
void case_model_integrate(const struct mech *m, double t, double t_end, double *y,
                          struct base_arena *arena);

/* Called after every step; nonzero ends the run. */
typedef int case_model_watch(const struct mech *m, const struct form_state *state,
                             const struct form_report *report, void *context);
/* One that keeps the coordinates of the last step: context has nq numbers. */
int case_model_keep_q(const struct mech *m, const struct form_state *state,
                      const struct form_report *report, void *context);
/* Run a case as the program does, without reference and record. Returns the status of the last
 * step; `unsupported` where the formulation refuses (message: base_message()). */
int case_model_run(const char *name, const char *set, const char *formulation, double dt,
                   double t_end, case_model_watch *watch, void *context);

#endif
