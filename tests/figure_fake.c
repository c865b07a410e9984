/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See figure_fake.h.
 */
#include "tests/figure_fake.h"

#include "base/json/json.h"
#include "base/status.h"
#include "tests/case_model.h"
#include "tests/test.h"

#include <math.h>
#include <stdio.h>

enum { CHECKS_MAX = 64 };

struct figure_fake figure_fake_of(const char *id, figure_fake_change *fill) {
  struct figure_fake f = {.arena = test_arena()};
  f.plan = figure_plan_of(id, f.arena);
  f.parameters = case_parameters_load(f.plan.file->type, f.arena);
  f.n = f.plan.n;
  f.series = base_arena_push(f.arena, ((size_t)f.n + 1) * sizeof *f.series);
  for (int i = 0; i < f.n; ++i) {
    f.series[i] = (struct case_series){.run = &f.plan.runs[i], .status = BASE_OK, .reason = ""};
    if (fill != NULL) {
      fill(&f, i);
    }
  }
  return f;
}

/* Step, horizon, parameters, formulation, and names where there are nq coordinates. */
static void describe(const struct figure_fake *f, int i, int nq, cJSON *record) {
  const struct case_type *type = f->plan.file->type;
  const struct case_run *run = &f->plan.runs[i];
  const struct case_parameters *p = case_model_load(type->name, f->plan.set[i], f->arena);
  const struct case_instance instance = case_model_build(type->name, "", f->arena);
  cJSON *formulation = cJSON_GetObjectItem(record, "formulation");
  formulation = formulation != NULL ? formulation : cJSON_AddObjectToObject(record, "formulation");
  cJSON_AddStringToObject(formulation, "name", run->formulation);
  cJSON_AddNumberToObject(record, "dt", run->dt);
  cJSON_AddNumberToObject(record, "t_end",
                          run->t_end > 0 ? run->t_end
                                         : base_json_real_at(case_parameters_file(p), "t_end"));
  cJSON_AddItemToObject(cJSON_AddObjectToObject(record, "case"), "parameters",
                        case_parameters_to_json(p));
  if (instance.mech != NULL && instance.mech->nq_out == nq) {
    cJSON *final = cJSON_AddObjectToObject(record, "final");
    cJSON_AddItemToObject(final, "q_names", cJSON_CreateStringArray(instance.mech->q_names, nq));
    cJSON_AddItemToObject(final, "u_names",
                          cJSON_CreateStringArray(instance.mech->u_names, instance.mech->nu_out));
  }
}

struct case_series *figure_fake_samples(struct figure_fake *f, int i, int n, double dt, int nq,
                                        int nu, const char *record) {
  struct case_series *s = &f->series[i];
  cJSON *json = base_json_parse(test_quoted(record), "test");
  CHECK_MESSAGE(json != NULL, "%s", base_message());
  describe(f, i, nq, json);
  s->record = base_json_copy(json, f->arena);
  cJSON_Delete(json);
  double *t = base_arena_doubles(f->arena, n);
  for (int k = 0; k < n; ++k) {
    t[k] = k * dt;
  }
  s->n = n;
  s->nq = nq;
  s->nu = nu;
  s->t = t;
  s->q = base_arena_doubles(f->arena, n * nq);
  s->u = base_arena_doubles(f->arena, n * nu);
  s->energy = base_arena_doubles(f->arena, n);
  return s;
}

/* Series are read-only to figures alone. */
double *figure_fake_q(const struct figure_fake *f, int i, int sample) {
  return (double *)f->series[i].q + (long)sample * f->series[i].nq;
}

double *figure_fake_u(const struct figure_fake *f, int i, int sample) {
  return (double *)f->series[i].u + (long)sample * f->series[i].nu;
}

double *figure_fake_energy(const struct figure_fake *f, int i) {
  return (double *)f->series[i].energy;
}

double *figure_fake_number(const struct figure_fake *f, int i, const char *path) {
  static double elsewhere;
  const cJSON *number = base_json_at(f->series[i].record, path);
  return number != NULL ? &((cJSON *)number)->valuedouble : &elsewhere;
}

int figure_fake_find(const struct figure_fake *f, const char *label) {
  int i = 0;
  while (i < f->n && strcmp(f->plan.runs[i].label, label) != 0) {
    ++i;
  }
  CHECK_MESSAGE(i < f->n, "%s: no run %s", f->plan.file->id, label);
  return i < f->n ? i : 0;
}

int figure_fake_make(const struct figure_fake *f, struct case_plot *plot) {
  CHECK_OK(case_plot_init(plot, NULL, f->arena));
  return figure_make(&f->plan.figure, f->parameters, f->series, f->n, plot);
}

/* Counts the checks that fail under a fault, also where a run that did not end fails the figure; a
 * make() that refuses counts none. run -1: of all. */
static void count_failures(const char *id, figure_fake_change *fill, figure_fake_change *fault,
                           int run, const struct case_plot *right, int *failed) {
  const struct base_arena_mark mark = base_arena_mark(test_arena());
  struct figure_fake f = figure_fake_of(id, fill);
  struct case_plot plot;
  for (int k = run < 0 ? 0 : run; k < (run < 0 ? f.n : run + 1); ++k) {
    fault(&f, k);
  }
  const int status = figure_fake_make(&f, &plot);
  if (status == BASE_OK || (status == BASE_FAILED && plot.n_checks == right->n_checks)) {
    CHECK_INT(plot.n_checks, right->n_checks);
    for (int i = 0; i < plot.n_checks && i < right->n_checks; ++i) {
      const enum case_verdict verdict = plot.checks[i].verdict; /* a report claims nothing */
      CHECK_TEXT(plot.checks[i].what, right->checks[i].what);
      failed[i] += verdict == CASE_FAILED || verdict == CASE_REPORTED;
    }
  } else {
    CHECK_MESSAGE(base_message()[0] != '\0', "%s: refused without a message", id);
  }
  base_arena_release(test_arena(), mark);
}

void figure_fake_every_check_can_fail(const char *id, figure_fake_change *fill,
                                      figure_fake_change *const *faults, int runs) {
  int failed[CHECKS_MAX] = {0};
  struct case_plot right;
  struct figure_fake f = figure_fake_of(id, fill);
  CHECK_OK(figure_fake_make(&f, &right));
  CHECK(right.n_checks > 0 && right.n_checks <= CHECKS_MAX && right.n_tables > 0);
  for (int k = 0; faults[k] != NULL; ++k) {
    for (int run = -1; run < runs && run < f.n; ++run) {
      count_failures(id, fill, faults[k], run, &right, failed);
    }
  }
  for (int i = 0; i < right.n_checks; ++i) {
    const struct case_checked *c = &right.checks[i];
    CHECK_MESSAGE(c->verdict != CASE_FAILED, "%s: right series fail '%s': %g in [%g, %g]", id,
                  c->what, c->measured, c->claim.lo, c->claim.hi);
    CHECK_MESSAGE(failed[i] > 0, "%s: no fault makes this check fail: %s", id, c->what);
  }
  struct case_plot plot; /* a run that is missing or came to nothing is named */
  --f.n;
  CHECK_REFUSED(figure_fake_make(&f, &plot), BASE_FAILED, "");
  ++f.n;
  f.series[0].status = BASE_FAILED;
  /* but where how runs end is what is drawn */
  if (strstr(" yu-8 packing-solvers tippe-top-inversion ", id) == NULL) {
    CHECK_REFUSED(figure_fake_make(&f, &plot), BASE_FAILED, f.plan.runs[0].label);
  }
}
