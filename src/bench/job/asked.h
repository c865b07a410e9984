/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of a request that are texts of their own: ensembles, searches, frames for ParaView.
 */
#ifndef BENCH_ASKED_H
#define BENCH_ASKED_H

#include "bench/job/job.h"

/* The ensemble of a request (struct bench_ensemble_spec of job/job.h), as options. */
extern const struct base_option bench_ensemble_options[];
/* Is it an ensemble, with more than one member? */
int bench_ensemble_is_asked(const struct bench_ensemble_spec *spec);
/* "phase=32,rotation=16": BASE_E_INPUT with a message. */
int bench_ensemble_parse(const char *text, struct bench_ensemble_spec *spec);
/* {"phase": 32, "rotation": 16} of a suite's cell: BASE_E_INPUT with a message. */
int bench_ensemble_read(const struct cJSON *object, const char *file, struct base_arena *arena,
                        struct bench_ensemble_spec *spec);
/* The same as text, without what is at its default. */
const char *bench_ensemble_text(const struct bench_ensemble_spec *spec, struct base_arena *arena);
/* Can the case of a resolved job be varied so? BASE_E_INPUT with a message. */
int bench_ensemble_check(const struct bench_ensemble_spec *spec, const struct bench_job *job);

/* The search of a request, as text PARAM=LO,HI[,TOL] with conditions, or LO,HI[,LIMIT[,TOL]], which
 * is short for one of the step; *search: NULL without. BASE_E_INPUT with a message. */
int bench_search_read(const struct bench_request *request, struct base_arena *arena,
                      const struct bench_search_asked **search);
/* Is the range one, and the tolerance? BASE_E_INPUT with a message. */
int bench_search_check_range(const struct bench_search_asked *asked);
/* Is the step searched? */
int bench_search_is_of_step(const struct bench_search_asked *asked);
/* Its words in a command, with all digits. */
const char *bench_search_words(const struct bench_search_asked *asked, struct base_arena *arena);

/* "DIR" or "DIR:DT", DT > 0 [s]; *every: 0 without. *folder from the arena. */
int bench_vtk_parse(const char *text, struct base_arena *arena, const char **folder, double *every);
/* "FILE" or "FILE:N", *n frames: 6 without. *file from the arena. */
int bench_film_parse(const char *text, struct base_arena *arena, const char **file, int *n);

/* All options of a solver, and with them those of the loop around it; to be freed. */
struct cJSON *bench_solver_options_json(const struct problem_solver *solver, const void *options,
                                        const struct problem_loop *loop);
/* Those of the job's solver; {} where it takes none. */
struct cJSON *bench_job_solver_options_json(const struct bench_job *job);

#endif
