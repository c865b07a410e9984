/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See trial.h.
 */
#include "tests/trial.h"

#include "base/status.h"
#include "bench/repeat/repeat.h"
#include "tests/test.h"

int trial_resolve(struct trial *t, struct bench_request request, const char *set, const char *opt,
                  enum trial_errors errors) {
  *t = (struct trial){.arena = base_arena_child(test_arena()),
                      .out = {.status = BASE_E_INTERNAL, .reason = "", .reference.kind = ""}};
  int status = bench_pairs_add(set != NULL ? set : "", t->arena, &request.n_set, request.set);
  status = status == BASE_OK
               ? bench_pairs_add(opt != NULL ? opt : "", t->arena, &request.n_opt, request.opt)
               : status;
  status = status == BASE_OK ? bench_job_resolve(&request, t->arena, &t->job) : status;
  CHECK_MESSAGE(status == BASE_OK, "%s with %s: %s", request.case_name, request.formulation,
                base_message());
  t->job.compared = errors == TRIAL_WITHOUT_ERRORS ? BENCH_COMPARED_NOT : BENCH_COMPARED_ALL;
  return status;
}

int trial_go(struct trial *t) {
  const int status = bench_run_repeatedly(&t->job, t->arena, &t->out);
  CHECK_MESSAGE(status == BASE_OK, "%s", base_message());
  return status != BASE_OK ? status : t->out.status;
}

int trial_run(struct trial *t, struct bench_request request, const char *set, const char *opt,
              enum trial_errors errors) {
  const int status = trial_resolve(t, request, set, opt, errors);
  return status != BASE_OK ? status : trial_go(t);
}

static double value_of(int n, const char *const *names, const double *x, const char *name) {
  for (int i = 0; i < n; ++i) {
    if (strcmp(names[i], name) == 0) {
      return x[i];
    }
  }
  return NAN;
}

double trial_q(const struct bench_outcome *out, const char *name) {
  return value_of(out->nq, out->q_names, out->q, name);
}

double trial_u(const struct bench_outcome *out, const char *name) {
  return value_of(out->nu, out->u_names, out->u, name);
}
