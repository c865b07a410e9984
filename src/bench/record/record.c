/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing of records; see record.h. What they must hold is checked in check_record.c.
 */
#include "bench/record/record.h"

#include <math.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/record/provenance.h"
#include "bench/suite/key.h"

/* Not cJSON_CreateStringArray: it makes nothing of an empty list. */
static void add_names(cJSON *object, const char *key, int n, const char *const *names) {
  cJSON *array = cJSON_AddArrayToObject(object, key);
  for (int i = 0; i < n; ++i) {
    cJSON_AddItemToArray(array, cJSON_CreateString(names[i]));
  }
}

/* Steps by the solver that ended them; those that needed none are left out. */
static void add_chosen(cJSON *solver, const struct bench_outcome *out) {
  cJSON *block = cJSON_AddObjectToObject(solver, "chosen");
  for (int i = 0; i < BENCH_SOLVERS_MAX && i < problem_solver_count(); ++i) {
    if (out->iterations.by[i] > 0) {
      base_json_add_real(block, problem_solver_name(problem_solver_get(i)),
                         (double)out->iterations.by[i]);
    }
  }
  base_json_add_real(solver, "rounds", out->iterations.round);
}

cJSON *bench_record_options(const struct problem_solver *solver, const void *options,
                            const struct problem_loop *loop) {
  cJSON *all = base_options_to_json(solver->options, options);
  cJSON *others = base_options_to_json(problem_loop_options, loop);
  while (others->child != NULL) {
    cJSON *item = cJSON_DetachItemViaPointer(others, others->child);
    cJSON_AddItemToObject(all, item->string, item);
  }
  cJSON_Delete(others);
  return all;
}

void bench_record_begin(cJSON *record, const struct bench_job *job) {
  cJSON *block = cJSON_AddObjectToObject(record, "case");
  cJSON_AddStringToObject(block, "name", case_name(job->type));
  cJSON_AddItemToObject(block, "parameters", case_parameters_to_json(job->parameters));
  block = cJSON_AddObjectToObject(record, "formulation");
  cJSON_AddStringToObject(block, "name", form_name(job->form));
  if (job->form->has_law) {
    cJSON_AddStringToObject(block, "law", contact_law_name(job->law));
  } else {
    cJSON_AddNullToObject(block, "law");
  }
  cJSON_AddItemToObject(block, "options",
                        base_options_to_json(job->form->options, job->form_options));
  block = cJSON_AddObjectToObject(record, "solver");
  if (job->solver == NULL) {
    cJSON_AddNullToObject(block, "name");
    cJSON_AddItemToObject(block, "options", cJSON_CreateObject());
    return;
  }
  cJSON_AddStringToObject(block, "name", problem_solver_name(job->solver));
  cJSON *options = bench_record_options(job->solver, job->solver_options, &job->loop);
  cJSON_AddBoolToObject(options, "warm_start", job->switches.warm_start);
  cJSON_AddItemToObject(block, "options", options);
}

/* What the run has found out about its case, formulation and solver. */
static void add_findings(cJSON *record, const struct bench_job *job,
                         const struct bench_outcome *out) {
  cJSON *block = cJSON_GetObjectItemCaseSensitive(record, "case");
  if (out->notes != NULL && out->notes[0] != '\0') {
    cJSON_AddStringToObject(block, "notes", out->notes);
  }
  block = cJSON_GetObjectItemCaseSensitive(record, "formulation");
  if (out->stable_dt > 0) {
    base_json_add_real(block, "stable_dt", out->stable_dt);
  }
  if (out->mcp > 0) {
    base_json_add_real(block, "mcp", out->mcp);
  }
  if (job->solver != NULL && job->solver->chosen != NULL) {
    add_chosen(cJSON_GetObjectItemCaseSensitive(record, "solver"), out);
  }
}

static void add_measures(cJSON *record, const struct bench_outcome *out) {
  cJSON *block = cJSON_AddObjectToObject(record, "reference");
  cJSON_AddStringToObject(block, "kind", out->reference.kind);
  base_json_add_real(block, "bound", out->reference.bound);
  cJSON_AddStringToObject(block, "reason", out->reference.reason);
  block = cJSON_AddObjectToObject(record, "errors");
  base_json_add_real(block, "q_linf", out->errors.q_linf);
  base_json_add_real(block, "q_l2", out->errors.q_l2);
  base_json_add_real(block, "q_final", out->errors.q_final);
  base_json_add_real(block, "u_hausdorff", out->errors.u_hausdorff);
  block = cJSON_AddObjectToObject(record, "energy");
  base_json_add_real(block, "initial", out->energy.initial);
  base_json_add_real(block, "final", out->energy.final);
  cJSON *budget = cJSON_AddObjectToObject(block, "budget");
  base_json_add_real(budget, "friction", out->energy.friction);
  base_json_add_real(budget, "impact", out->energy.impact);
  base_json_add_real(budget, "damping", out->energy.damping);
  base_json_add_real(budget, "applied", out->energy.applied);
  if (out->open) {
    base_json_add_real(budget, "injected", out->energy.injected);
  }
  base_json_add_real(budget, "numerical", out->energy.numerical);
  base_json_add_real(block, "max_numerical_drift", out->energy.max_numerical_drift);
  base_json_add_real(block, "max_increase", out->energy.max_increase);
  base_json_add_real(block, "max_kinetic", out->energy.max_kinetic);
  block = cJSON_AddObjectToObject(record, "constraints");
  base_json_add_real(block, "position_max", out->constraints.position_max);
  base_json_add_real(block, "velocity_max", out->constraints.velocity_max);
  base_json_add_real(block, "penetration_max", out->constraints.penetration_max);
  base_json_add_real(block, "gap_drift", out->constraints.gap_drift);
  base_json_add_real(block, "dependent", out->constraints.dependent);
}

static void add_iterations(cJSON *record, const struct bench_outcome *out) {
  cJSON *block = cJSON_AddObjectToObject(record, "law");
  base_json_add_real(block, "residual_max", out->law.residual_max);
  base_json_add_real(block, "residual_p50", out->law.residual_p50);
  base_json_add_real(block, "relative_b_max", out->law.relative_b_max);
  cJSON *at = cJSON_AddObjectToObject(block, "at");
  base_json_add_real(at, "step", out->law.at_step > 0 ? (double)out->law.at_step : NAN);
  base_json_add_real(at, "contact", out->law.at_contact >= 0 ? (double)out->law.at_contact : NAN);
  if (!isnan(out->law.duality_gap)) {
    base_json_add_real(block, "duality_gap", out->law.duality_gap);
    base_json_add_real(block, "objective", out->law.objective);
  }
  base_json_add_real(block, "signorini", out->law.signorini);
  base_json_add_real(block, "cone", out->law.cone);
  base_json_add_real(block, "angle", out->law.angle);
  base_json_add_real(block, "dissipation_shortfall", out->law.dissipation_shortfall);
  block = cJSON_AddObjectToObject(record, "iterations");
  base_json_add_real(block, "total", (double)out->iterations.total);
  base_json_add_real(block, "mean", out->iterations.mean);
  base_json_add_real(block, "max", out->iterations.max);
  base_json_add_real(block, "p95", out->iterations.p95);
  base_json_add_real(block, "solves", (double)out->iterations.solves);
  base_json_add_real(block, "unconverged_steps", (double)out->iterations.unconverged_steps);
  base_json_add_real(block, "internal_steps", (double)out->iterations.internal_steps);
  base_json_add_real(block, "newton_residual", out->iterations.newton);
  block = cJSON_AddObjectToObject(record, "contacts");
  base_json_add_real(block, "max", out->contacts.max);
  base_json_add_real(block, "mean", out->contacts.mean);
  base_json_add_real(block, "closings", (double)out->contacts.closings);
}

static void add_trajectory(cJSON *record, const struct bench_outcome *out) {
  const struct bench_path *path = &out->trajectory;
  if (path->n == 0) {
    return;
  }
  cJSON *block = cJSON_AddObjectToObject(record, "trajectory");
  base_json_add_reals(block, "t", path->n, path->t);
  for (int side = 0; side < 2; ++side) {
    const int width = side == 0 ? path->nq : path->nu;
    const double *values = side == 0 ? path->q : path->u;
    const char *shown = side == 0 ? out->q_shown : out->u_shown;
    cJSON *columns = cJSON_AddObjectToObject(block, side == 0 ? "q" : "u");
    for (int j = 0; j < width; ++j) {
      if (shown != NULL && !shown[j]) {
        continue;
      }
      cJSON *column = cJSON_AddArrayToObject(columns, (side == 0 ? out->q_names : out->u_names)[j]);
      for (int k = 0; k < path->n; ++k) {
        const double x = values[(long)k * width + j];
        cJSON_AddItemToArray(column, isfinite(x) ? cJSON_CreateNumber(x) : cJSON_CreateNull());
      }
    }
  }
  base_json_add_reals(block, "energy", path->n, path->energy);
}

/* Has the time limit decided what the record says? */
static int is_cut(const struct bench_outcome *out) {
  return out->status == BASE_TIMEOUT || out->reference.is_cut;
}

cJSON *bench_record(const struct bench_job *job, const struct bench_outcome *out) {
  cJSON *record = cJSON_CreateObject();
  cJSON_AddStringToObject(record, "schema", BENCH_RESULT_SCHEMA);
  bench_record_begin(record, job);
  add_findings(record, job, out);
  cJSON_AddStringToObject(record, "status", base_status_name(out->status));
  cJSON_AddStringToObject(record, "reason", out->reason);
  base_json_add_real(record, "dt", job->dt);
  base_json_add_real(record, "steps", (double)out->steps);
  base_json_add_real(record, "t_end", job->t_end);
  cJSON *block = cJSON_AddObjectToObject(record, "final");
  base_json_add_real(block, "t", out->t);
  base_json_add_reals(block, "q", out->nq, out->q);
  base_json_add_reals(block, "u", out->nu, out->u);
  add_names(block, "q_names", out->nq, out->q_names);
  add_names(block, "u_names", out->nu, out->u_names);
  if (out->impulses.n > 0) {
    block = cJSON_AddObjectToObject(block, "impulses");
    base_json_add_reals(block, "id", out->impulses.n, out->impulses.id);
    base_json_add_reals(block, "r", out->impulses.n * out->impulses.dim, out->impulses.r);
  }
  add_measures(record, out);
  add_iterations(record, out);
  if (out->contact != NULL) {
    bench_one_contact_add(record, out->contact);
  }
  if (out->observer != NULL) {
    out->observer->finish(out->observer->data, cJSON_AddObjectToObject(record, "observables"));
  }
  add_trajectory(record, out);
  if (out->search != NULL) {
    bench_record_add_search(record, out->search);
  }
  if (out->threshold != NULL) {
    bench_record_add_threshold(record, out->threshold);
  }
  block = cJSON_AddObjectToObject(record, "timing");
  base_json_add_real(block, "total_s", out->timing.total);
  base_json_add_real(block, "steps_s", out->timing.steps);
  base_json_add_real(block, "cpu_s", out->timing.cpu);
  base_json_add_real(block, "reference_s", out->timing.reference);
  base_json_add_real(block, "per_step_s",
                     out->steps > 0 ? out->timing.steps / (double)out->steps : NAN);
  base_json_add_real(block, "memory_bytes", (double)out->timing.memory);
  base_json_add_real(block, "peak_memory_bytes", out->timing.peak);
  if (out->timing.threads > 1) {
    base_json_add_real(block, "threads", out->timing.threads);
  }
  cJSON_AddItemToObject(record, "provenance", bench_provenance(job->command));
  bench_key_add(record, job->key, is_cut(out) ? job->time_limit : -1);
  return record;
}
