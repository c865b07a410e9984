/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The event-driven solution with redundant contacts: motions of boxes on four feet against closed
 * forms, packings, scenes.
 */
#include "tests/test.h"
#include "tests/trial.h"

#include <dirent.h>

#include "base/data.h"
#include "bench/run/run.h"
#include "cases/case.h"
#include "tests/case_model.h"

/* ---- motions ---- */

struct path {
  const struct case_type *type;
  const struct case_parameters *p;
  double error, spin; /* largest, of all coordinates and of the angular velocity */
  int internal;
};

static int watch_path(const struct mech *m, const struct form_state *state,
                      const struct form_report *report, void *context) {
  struct path *path = context;
  double q[64], u[64];
  path->internal += report->internal_steps;
  if (!isnan(path->type->reference(path->p, state->t, q, u))) {
    for (int i = 0; i < m->nq; ++i) {
      path->error = fmax(path->error, fabs(state->q[i] - q[i]));
    }
  }
  for (int i = 0; i < m->nu; ++i) { /* blocks of v and omega */
    path->spin = fmax(path->spin, i % m->nv >= 3 ? fabs(state->u[i]) : 0);
  }
  return 0;
}

/* A box that must follow its closed form without turning, in few steps of the integrator. */
static void follow(const char *name, const char *set, double dt, double t_end) {
  struct path path = {.type = case_find(name), .p = case_model_load(name, set, test_arena())};
  const int status = case_model_run(name, set, "event", dt, t_end, watch_path, &path);
  CHECK_MESSAGE(status == BASE_OK, "%s %s: %s", name, set, base_message());
  CHECK_MESSAGE(path.error <= 1e-9, "%s %s: off its path by %.2e m", name, set, path.error);
  CHECK_MESSAGE(path.spin <= 1e-9, "%s %s: turns by %.2e rad/s", name, set, path.spin);
  CHECK_MESSAGE(path.internal <= 1000, "%s %s: %d steps", name, set, path.internal);
}

TEST(a_block_on_an_incline_sticks_slides_and_stops_where_the_closed_form_says) {
  /* tan of the slope is 0.36397 */
  follow("closed-forms", "scene=incline", 0.02, 1);
  follow("closed-forms", "scene=incline v0=0", 0.02, 1);
  follow("closed-forms", "scene=incline v0=0 mu=0.2", 0.02, 1);
  follow("closed-forms", "scene=incline v0=0 mu=0.364", 0.02, 1);
  follow("closed-forms", "scene=incline v0=0 mu=0.36", 0.02, 1);
}

TEST(boxes_on_redundant_feet_go_straight) {
  static const char *const pushes[] = {"push=0.9999", "push=1.01", "push=0.999 angle=0.4",
                                       "push=1.5 angle=0.4"};
  for (size_t i = 0; i < sizeof pushes / sizeof *pushes; ++i) {
    follow("pushed-box", pushes[i], 0.01, 0.2);
  }
  follow("table", "", 0.01, 1);
  follow("table", "angle=0.7 shape=box", 0.01, 1);
  follow("heavy-on-light", "", 0.01, 0.3);
  follow("box-stack", "n=3", 0.01, 0.1);
  follow("box-stack", "layout=pyramid n=3", 0.01, 0.1);
}

/* A table that only turns: every foot carries m g / 4 at the same distance rho from the axis, so
 * that I dw/dt = -mu m g rho. */
static int watch_turn(const struct mech *m, const struct form_state *state,
                      const struct form_report *report, void *context) {
  double *out = context, M[36];
  (void)report;
  m->ops->mass(m, state->q, M);
  out[0] = state->t;
  out[1] = state->u[5];
  out[2] = M[35];
  out[3] = fmax(out[3], fmax(fabs(state->q[0]), fabs(state->q[1])));
  return state->t > 0.0999;
}

TEST(a_table_that_turns_on_the_spot_is_braked_by_all_four_feet) {
  const double mu = 0.3, m = 10, g = 9.81, rho = hypot(0.6, 0.4), spin = 2;
  double out[4] = {0};
  CHECK_OK(case_model_run("table", "v0=0 spin=2", "event", 0.01, 0.1, watch_turn, out));
  CHECK_NEAR(out[1], spin - mu * m * g * rho / out[2] * out[0], 1e-10);
  CHECK_NEAR(out[3], 0, 1e-12);
}

/* ---- runs ---- */

/* Energy the run made or lost over the largest there was. */
static double made(const struct bench_request *request, struct bench_outcome *out) {
  struct trial t;
  const int status = trial_run(&t, *request, "", "", TRIAL_WITHOUT_ERRORS);
  CHECK_MESSAGE(status == BASE_OK, "%s: %s", request->case_name, t.out.reason);
  *out = t.out;
  return status == BASE_OK ? out->energy.max_numerical_drift / fmax(fabs(out->energy.initial), 1)
                           : NAN;
}

TEST(eight_spheres_of_a_packing_run_to_the_end) {
  const struct bench_request request = {.case_name = "packing",
                                        .formulation = "event",
                                        .dt = 0.01,
                                        .t_end = 0.1,
                                        .set = BASE_WORDS("n=8")};
  struct bench_outcome out;
  CHECK_LE(made(&request, &out), 1e-10);
  CHECK(out.contacts.onsets > 10);
  CHECK_LE(out.constraints.penetration_max, 1e-12);
}

TEST(every_scene_runs_event_driven) {
  struct base_arena *arena = test_arena();
  DIR *folder = opendir(base_data_path(arena, "cases/scenes"));
  int n = 0;
  CHECK(folder != NULL);
  for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
    const size_t length = strlen(entry->d_name);
    if (length <= 5 || strcmp(entry->d_name + length - 5, ".json") != 0 ||
        strcmp(entry->d_name, "schema.json") == 0) {
      continue;
    }
    const struct bench_request request = {
        .case_name = base_arena_printf(arena, "cases/scenes/%s", entry->d_name),
        .formulation = "event",
        .dt = 0.02};
    struct bench_outcome out;
    const double drift = made(&request, &out);
    if (strcmp(entry->d_name, "motion.json") != 0) { /* what moves as prescribed gives energy */
      CHECK_MESSAGE(drift <= 1e-10, "%s: energy changed by %.2e", entry->d_name, drift);
    }
    ++n;
  }
  CHECK(n > 10);
  if (folder != NULL) {
    closedir(folder);
  }
}
