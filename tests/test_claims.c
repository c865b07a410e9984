/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the project says about its formulations, by number: time stepping finds the impacts of the
 * woodpecker's first cycle at first order; the two-step consistent scheme makes no energy in a
 * single step, and keeps it where nothing takes any. And what figures claim: that it can fail.
 */
#include "base/json/json.h"
#include "bench/figure/file.h"
#include "bench/run/run.h"
#include "cases/case.h"
#include "cases/figure/figure.h"
#include "form/carried.h"
#include "tests/case_model.h"
#include "tests/test.h"
#include "tests/trial.h"

/* ---- impacts of the woodpecker's first cycle ---- */

enum { JUMPS_MAX = 16, JUMPS = 5 };
static const double CYCLE = 0.15; /* [s]; the period is 0.146 s */
/* The sleeve's angular velocity jumps by 1.4 to 25 rad/s at an impact, and changes by less than
 * 0.05 in a smooth step of 2e-5 s. */
static const double JUMP = 1;

/* Ends of the steps in which it jumps. */
struct jumps {
  double before;
  int n;
  double t[JUMPS_MAX]; /* [s] */
};

static int watch_jumps(const struct mech *m, const struct form_state *s,
                       const struct form_report *report, void *context) {
  struct jumps *w = context;
  (void)m;
  (void)report;
  if (!isnan(w->before) && fabs(s->u[1] - w->before) > JUMP && w->n < JUMPS_MAX) {
    w->t[w->n++] = s->t;
  }
  w->before = s->u[1];
  return 0;
}

static struct jumps jumps_of(const char *formulation, double dt) {
  struct jumps w = {.before = NAN};
  CHECK_OK(case_model_run("woodpecker", "", formulation, dt, CYCLE, watch_jumps, &w));
  return w;
}

/* Moreau's midpoint rule finds each of the five jumps within six steps of the event-driven solution
 * (3.7 and 1 measured), hence ten times nearer with a tenth of the step. */
TEST(woodpecker_impacts_are_found_at_first_order) {
  enum { SIZES = 2 };
  static const double steps[SIZES] = {2e-5, 2e-6}, resolved = 4e-6;
  const struct jumps truth = jumps_of("event", resolved); /* t in (truth - resolved, truth] */
  CHECK_INT(truth.n, JUMPS);
  double worst[SIZES] = {0};
  for (int i = 0; i < SIZES; ++i) {
    const struct jumps found = jumps_of("moreau", steps[i]);
    CHECK_INT(found.n, JUMPS);
    for (int k = 0; k < JUMPS; ++k) {
      const double late = found.t[k] - (truth.t[k] - 0.5 * resolved);
      worst[i] = fmax(worst[i], fabs(late));
    }
    CHECK_LE(worst[i], 6 * steps[i] + 0.5 * resolved);
  }
  CHECK_LE(worst[1], 0.25 * worst[0]);
}

/* ---- contacts that are closed at the start ---- */

struct onsets {
  struct form_carried carried; /* in the last step */
  int n;
};

static int count_onsets(const struct mech *m, const struct form_state *s,
                        const struct form_report *report, void *context) {
  struct onsets *onsets = context;
  (void)m;
  (void)s;
  onsets->n += form_carried_onsets(&onsets->carried, report);
  return 0;
}

/* A particle at rest on the plane begins to carry once for every formulation: in the first step. */
TEST(a_contact_closed_at_the_start_is_one_onset) {
  static const char *const formulations[] = {
      "moreau", "lcp-st", "lcp-ap", "ccp", "ncp", "mdp", "penalty", "consistent-twostep", "event"};
  for (size_t i = 0; i < sizeof formulations / sizeof *formulations; ++i) {
    struct onsets onsets = {.n = 0};
    form_carried_init(&onsets.carried, test_arena());
    CHECK_OK(case_model_run("falling-particle", "y0=0 vx0=1 vy0=0", formulations[i], 1e-4, 0.01,
                            count_onsets, &onsets));
    CHECK_MESSAGE(onsets.n == 1, "%s: %d onsets", formulations[i], onsets.n);
  }
}

/* ---- energy of the consistent two-step scheme ---- */

struct energy {
  double drift, increase, loss, onsets; /* energies over their scale */
};

/* The largest energy of a run is its scale: initial, final, taken by friction or by impacts. */
static struct energy energy_of(const char *case_name, const char *set, double dt, double t_end) {
  struct trial t;
  const int status = trial_run(&t,
                               (struct bench_request){.case_name = case_name,
                                                      .formulation = "consistent-twostep",
                                                      .dt = dt,
                                                      .t_end = t_end,
                                                      .time_limit = 300},
                               set, NULL, TRIAL_WITHOUT_ERRORS);
  CHECK_MESSAGE(status == BASE_OK, "%s: %s", case_name, t.out.reason);
  const struct bench_energy *energy = &t.out.energy;
  const double scale = fmax(fmax(fabs(energy->initial), fabs(energy->final)),
                            fmax(fabs(energy->friction), fabs(energy->impact)));
  return (struct energy){.drift = energy->max_numerical_drift / scale,
                         .increase = energy->max_increase / scale,
                         .loss = (energy->initial - energy->final) / scale,
                         .onsets = (double)t.out.contacts.onsets};
}

/* Impacts and friction take energy, no step makes any, at large steps as at small ones. */
TEST(two_step_scheme_never_makes_energy) {
  static const struct {
    const char *case_name, *set;
    double dt, t_end;
  } runs[] = {
      {"woodpecker", NULL, 1e-3, 0.3},
      {"woodpecker", NULL, 1e-4, 0.3},
      {"falling-particle", NULL, 1e-2, 1.5},
      {"falling-particle", NULL, 1e-3, 1.5},
      {"oscillator", NULL, 1e-3, 1},
      {"oscillator", NULL, 1e-4, 1},
      {"overbalanced-wheel", "eps=0", 1e-3, 0.5},
  };
  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
    const struct energy e = energy_of(runs[i].case_name, runs[i].set, runs[i].dt, runs[i].t_end);
    CHECK_LE(e.increase, 1e-12);
    CHECK_LE(e.drift, 1e-12);
    CHECK_LE(1e-6, e.loss); /* something was taken */
    CHECK_LE(1, e.onsets);
  }
}

/* (moeller fig. 6.9) Elastic levers at the step of the figure, which follows them for 10 s: through
 * the first 1500 impacts here, with a share of what may be lost in 2 s. */
TEST(elastic_wheel_keeps_its_energy) {
  const struct energy e = energy_of("overbalanced-wheel", "eps=1", 1e-4, 0.25);
  CHECK_LE(fabs(e.loss), 1.25e-11);
  CHECK_LE(e.drift, 1.25e-11);
  CHECK_LE(1500, e.onsets);
}

/* ---- what figures claim ---- */

/* A claim that no value could break is none, and every value fails it. */
TEST(claims_without_two_ends_that_can_fail_are_refused) {
  static const char differs[] = "why", published[] = "1 (table 1)";
  const struct case_claim faulty[] = {
      {.published = published, .differs = differs},
      {.published = published, .differs = differs, .source = {1, 1}}, /* no bounds of ours */
      {2, 3, .published = published, .differs = differs},             /* none of the source */
      {2, INFINITY, .published = published, .differs = differs, .source = {1, 1}},
      {2, 1e9, .published = published, .differs = differs, .source = {1, 1}},
      {0.9, 3, .published = published, .differs = differs, .source = {1, 1}}, /* it may be so */
      {2, 3, .differs = differs, .source = {1, 1}},
      {1, 101, .expected = "above 1"},
      {10, 1e9, .expected = "orders of magnitude"},
      {-1e9, -10, .expected = "below"},
      {-INFINITY, 0, .published = published},
      {0, (double)NAN, .published = published},
      {3, 2, .published = published}};
  for (size_t i = 0; i < sizeof faulty / sizeof *faulty; ++i) {
    CHECK_MESSAGE(case_claim_fault(&faulty[i]) != NULL, "claim %d", (int)i);
    for (double x = -20; x <= 20; x += 0.5) {
      CHECK_INT((int)case_claim_judge(&faulty[i], x), (int)CASE_FAILED);
    }
  }
  const struct case_claim sound = {2, 3, .published = published, .differs = differs,
                                   .source = {1, 1}};
  CHECK_INT((int)case_claim_judge(&sound, 2.5), (int)CASE_DIFFERS);
  CHECK_INT((int)case_claim_judge(&sound, 1), (int)CASE_FAILED);
  CHECK_INT((int)case_claim_judge(&sound, 0.1), (int)CASE_FAILED);
  CHECK_INT((int)case_claim_judge(&sound, 3.5), (int)CASE_FAILED);
}

/* Before any run: every claim that a figure writes down, and does not compute, can fail. */
TEST(claims_of_figures_can_fail) {
  int n = 0, count = 0;
  const struct bench_figure *figures = bench_figures(&count);
  for (int i = 0; i < count; ++i) {
    const cJSON *value;
    struct figure figure;
    CHECK_OK(figure_read(&figures[i], test_arena(), &figure));
    cJSON_ArrayForEach(value, cJSON_GetObjectItemCaseSensitive(figures[i].json, "values")) {
      const cJSON *ends = cJSON_GetObjectItemCaseSensitive(value, "bounds");
      const cJSON *source = cJSON_GetObjectItemCaseSensitive(value, "source");
      const cJSON *lo = cJSON_GetArrayItem(ends, 0), *hi = cJSON_GetArrayItem(ends, 1);
      if (!cJSON_IsNumber(lo) || !cJSON_IsNumber(hi)) {
        continue;
      }
      const struct case_claim claim = {
          .lo = lo->valuedouble,
          .hi = hi->valuedouble,
          .published = cJSON_GetStringValue(cJSON_GetObjectItem(value, "published")),
          .differs = cJSON_GetStringValue(cJSON_GetObjectItem(value, "differs")),
          .source = {source != NULL ? cJSON_GetArrayItem(source, 0)->valuedouble : 0,
                     source != NULL ? cJSON_GetArrayItem(source, 1)->valuedouble : 0}};
      const char *fault = case_claim_fault(&claim);
      CHECK_MESSAGE(fault == NULL, "%s: %s: %s", figures[i].id, base_json_text_at(value, "name"),
                    fault);
      ++n;
    }
  }
  CHECK_LE(100, n);
}

/* The machine's load decides a time as well: it is judged, and fails no figure. */
TEST(a_time_out_of_its_bounds_fails_no_figure) {
  struct case_plot plot;
  CHECK_OK(case_plot_init(&plot, NULL, test_arena()));
  const struct case_claim claim = {.lo = 1, .hi = 2};
  CHECK_INT((int)case_plot_check(&plot, "timing: exponent", 3, claim), (int)CASE_FAILED);
  CHECK_INT(plot.n_failed, 0);
  CHECK_INT((int)case_plot_check(&plot, "exponent", 3, claim), (int)CASE_FAILED);
  CHECK_INT(plot.n_failed, 1);
}
