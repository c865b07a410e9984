/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The model of a job with its initial state, and what a formulation is set up with; see start.h.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/job/start.h"

/* ---- the state of a checkpoint ---- */

int bench_state_check(const struct mech *m) {
  return m->ops->open.inflow_outflow == NULL || m->ops->checkpoint != NULL
             ? BASE_OK
             : base_fail(BASE_E_INPUT,
                         "checkpoint: the bodies of %s come and go, and it cannot save its state",
                         m->name);
}

void bench_state_pass(const struct mech *m, struct form_state *state, long *taken, long most,
                      struct base_blob *blob) {
  base_blob_same_count(blob, "coordinates", m->nq);
  base_blob_same_count(blob, "velocities", m->nu);
  *taken = base_blob_count(blob, *taken, most, 0);
  base_blob_reals(blob, &state->t, 1);
  base_blob_reals(blob, state->q, (size_t)m->nq);
  base_blob_reals(blob, state->u, (size_t)m->nu);
  if (m->ops->checkpoint != NULL) {
    m->ops->checkpoint(m, blob);
  }
}

/* BASE_OK where the state of a checkpoint says all of how the system goes on. */
static int check_beginning(const struct mech *m) {
  if (m->clock != NULL) {
    return base_fail(BASE_E_INPUT,
                     "start: %s knows the time, which begins anew; a checkpoint of it can only be "
                     "gone on from (--restart)",
                     m->name);
  }
  return bench_state_check(m);
}

/* Of the same case? Its parameters may be others. */
static int check_case(const struct bench_job *job, const char *command, struct base_arena *arena) {
  const char *head = bench_job_head(job, arena);
  return strncmp(command, head, strlen(head)) == 0
             ? BASE_OK
             : base_fail(BASE_E_INPUT, "is of the run '%s', not of one of %s", command,
                         job->type->name);
}

static int begin_from(const struct bench_job *job, struct base_blob *blob, struct base_arena *arena,
                      struct case_instance *out) {
  struct form_state state = {.q = out->q, .u = out->u};
  char number[BASE_JSON_NUMBER_SIZE];
  long taken = 0;
  char *command = base_blob_text(blob, NULL), *key = base_blob_text(blob, NULL);
  int status = blob->status;
  status = status == BASE_OK ? check_case(job, command, arena) : status;
  if (status == BASE_OK) {
    bench_state_pass(out->mech, &state, &taken, LONG_MAX, blob);
    status = blob->status;
  }
  if (status == BASE_OK) {
    out->one_contact = 0;
    out->notes = base_arena_printf(arena, "%s%sStarts from the state at t = %s s of: %s (%s)",
                                   out->notes != NULL ? out->notes : "",
                                   out->notes != NULL && out->notes[0] != '\0' ? " " : "",
                                   base_json_number(state.t, number), command, key);
  }
  free(key);
  free(command);
  return status;
}

int bench_job_build(const struct bench_job *job, struct base_arena *arena,
                    struct case_instance *out) {
  int status = job->type->build(job->parameters, arena, out);
  if (status != BASE_OK || job->request->start == NULL) {
    return status;
  }
  struct base_blob blob = {0};
  status = check_beginning(out->mech);
  status = status == BASE_OK ? base_blob_read(&blob, BENCH_CHECKPOINT_SCHEMA, job->request->start)
                             : status;
  if (status == BASE_OK) {
    status = begin_from(job, &blob, arena, out);
    if (status != BASE_OK) {
      base_message_prefix("%s: ", job->request->start);
    }
  }
  base_blob_free(&blob);
  return status;
}

/* ---- the formulation ---- */

/* Velocities of the largest system of which a workspace is made only to see whether it can be. */
enum { CHECK_SIZE = 600 };

struct form_setup bench_job_setup(const struct bench_job *job, const struct mech *m,
                                  struct base_arena *arena) {
  return (struct form_setup){.form = job->form,
                             .mech = m,
                             .options = job->form_options,
                             .solver = job->solver,
                             .solver_options = job->solver_options,
                             .loop = job->loop,
                             .warm_start = job->switches.warm_start,
                             .dt = job->dt,
                             .arena = arena};
}

int bench_job_check_setup(const struct bench_job *job, const struct form_setup *setup) {
  if (setup->mech->ops->open.inflow_outflow != NULL && !job->form->open_systems) {
    return base_fail(BASE_UNSUPPORTED,
                     "bodies come and go between steps; %s builds on the bodies it started with",
                     job->form->name);
  }
  if (job->form->check != NULL) { /* knows the law, which may depend on options */
    return job->form->check(setup);
  }
  if (job->form->has_law && (job->solver->laws & CONTACT_LAW_BIT(job->law)) == 0) {
    return base_fail(BASE_UNSUPPORTED, "solver %s does not accept law %s", job->solver->name,
                     contact_law_name(job->law));
  }
  return BASE_OK;
}

int bench_run_check(const struct bench_job *job, const struct case_instance *start,
                    struct base_arena *arena) {
  const struct form_setup setup = bench_job_setup(job, start->mech, arena);
  const struct form_state state = {.t = 0, .q = start->q, .u = start->u};
  const int status = bench_job_check_setup(job, &setup);
  if (status != BASE_OK || start->mech->nu > CHECK_SIZE) {
    return status;
  }
  void *workspace = job->form->alloc(&setup, &state);
  if (workspace != NULL && job->form->free != NULL) {
    job->form->free(workspace);
  }
  return workspace != NULL ? BASE_OK : BASE_UNSUPPORTED;
}
