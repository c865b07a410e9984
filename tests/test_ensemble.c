/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ensembles: members against single runs of their options to the last bit, what is drawn, the
 * scatter of a fall by the phase of its impact against its closed form, rotations of scenes that
 * the circular laws do not see and polyhedral cones do.
 */
#include "bench/ensemble/ensemble.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "bench/job/asked.h"
#include "bench/outcome/members.h"
#include "bench/record/record.h"
#include "cases/scene_parts.h"
#include "tests/test.h"
#include "tests/trial.h"

/* spec NULL: a single run. */
static void make(struct trial *m, struct bench_request request, const char *spec) {
  if (spec == NULL) {
    trial_run(m, request, "", "", TRIAL_WITH_ERRORS);
    return;
  }
  CHECK_OK(bench_ensemble_parse(spec, &request.ensemble));
  trial_resolve(m, request, "", "", TRIAL_WITH_ERRORS);
  CHECK_OK(bench_ensemble(&request, m->arena, &m->job, &m->out));
}

static double number_of(const struct trial *m, int k) {
  cJSON *record = test_json(bench_record(&m->job, &m->out));
  return base_json_real_at(record, bench_ensemble_numbers[k]);
}

/* The number behind KEY= in a member's options; NaN: there is none. */
static double option_of(const char *options, const char *key) {
  const char *at = strstr(options, key);
  return at != NULL ? strtod(at + strlen(key), NULL) : NAN;
}

/* A member's options as words of a request; words must outlive it. */
static void apply(char *words, struct bench_request *request) {
  for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " ")) {
    const int is_set = strcmp(word, "--set") == 0;
    word = strtok(NULL, " ");
    base_words_add(is_set ? &request->set : &request->opt, word, test_arena());
  }
}

TEST(members_are_single_runs) {
  const struct bench_request request = {
      .case_name = "thrown-ball", .formulation = "lcp-st", .opt = BASE_WORDS("n_dir=8")};
  struct trial all;
  make(&all, request, "phase=3,rotation=2,start=1e-9,seed=5");
  const struct bench_ensemble *e = all.out.ensemble;
  CHECK_INT(e->n, 6);
  for (int i = 0; i < e->n; ++i) {
    struct bench_request one = request;
    struct trial single;
    char words[400];
    snprintf(words, sizeof words, "%s", e->member[i].options);
    apply(words, &one);
    make(&single, one, NULL);
    CHECK_INT(single.out.status, e->member[i].status);
    for (int k = 0; k < BENCH_ENSEMBLE_NUMBERS; ++k) {
      const double x = number_of(&single, k), y = e->member[i].number[k];
      CHECK_MESSAGE(x == y || (isnan(x) && isnan(y)), "member %d, %s: %.17g, alone %.17g", i,
                    bench_ensemble_numbers[k], y, x);
    }
  }
  /* the run that was asked for is the one without variation */
  struct trial alone;
  make(&alone, request, NULL);
  CHECK(number_of(&alone, 0) == number_of(&all, 0));
  cJSON *record = test_json(bench_record(&all.job, &all.out));
  CHECK_OK(bench_ensemble_check_record(record, "record", 1));
  cJSON *useless = (cJSON *)base_json_at(record, "ensemble.useless");
  int n_useless = 0;
  for (int i = 0; i < e->n; ++i) {
    n_useless += e->member[i].quality != NULL && strcmp(e->member[i].quality, "useless") == 0;
  }
  CHECK_NEAR(useless->valuedouble, (double)n_useless / e->n, 0);
  cJSON_SetNumberValue(useless, (n_useless + 1.) / e->n);
  CHECK_INT(bench_ensemble_check_record(record, "record", 1), BASE_E_INPUT);
  cJSON_SetNumberValue(useless, (double)n_useless / e->n);
  CHECK_OK(bench_ensemble_check_record(record, "record", 1));
  cJSON *median = cJSON_GetObjectItemCaseSensitive(
      cJSON_GetObjectItemCaseSensitive(record, "ensemble"), "summary");
  cJSON_SetNumberValue(cJSON_GetObjectItemCaseSensitive(median->child, "median"), 1);
  CHECK_INT(bench_ensemble_check_record(record, "record", 1), BASE_E_INPUT);
}

/* Members of two formulations are pairs; another seed draws others; each phase in its own part. */
TEST(what_is_drawn) {
  struct trial a, b, c;
  const char *spec = "phase=5,rotation=3,start=1e-9,seed=5";
  make(&a, (struct bench_request){.case_name = "thrown-ball", .formulation = "ncp"}, spec);
  make(&b, (struct bench_request){.case_name = "thrown-ball", .formulation = "moreau"}, spec);
  make(&c, (struct bench_request){.case_name = "thrown-ball", .formulation = "ncp"},
       "phase=5,rotation=3,start=1e-9,seed=6");
  for (int i = 0; i < 15; ++i) {
    const char *options = a.out.ensemble->member[i].options;
    CHECK_TEXT(options, b.out.ensemble->member[i].options);
    CHECK(strcmp(options, c.out.ensemble->member[i].options) != 0);
    const double angle = option_of(options, "--set angle=");
    const double phase = option_of(options, "--opt phase=");
    CHECK(option_of(options, "--opt perturb=") == 1e-9);
    CHECK(option_of(options, "--opt seed=") >= 1);
    CHECK_INT((int)(angle / (2 * M_PI / 3)), i / 5);
    CHECK_INT((int)(phase * 5), i % 5);
  }
}

/* A point falls from h onto an inelastic ground. Moreau's rule is exact in flight, and finds the
 * contact in the step after the one whose midpoint lies below: what it then lies below the ground
 * is at most what a step covers, and between the phases everything from next to nothing to that.
 */
TEST(fall_scatters_by_its_phase) {
  struct trial m;
  const struct bench_request request = {.case_name = "falling-particle",
                                        .formulation = "moreau",
                                        .set = BASE_WORDS("mu=0"),
                                        .dt = 3e-3};
  make(&m, request, "phase=32,seed=1");
  double least = INFINITY, most = 0;
  for (int i = 0; i < 32; ++i) {
    const double x = m.out.ensemble->member[i].number[0];
    least = fmin(least, x);
    most = fmax(most, x);
  }
  CHECK_MESSAGE(most > 10 * least, "from %g to %g m", least, most);
  const struct bench_ensemble_summary s =
      bench_ensemble_summarise(32, m.out.ensemble->member, 0, 1, m.arena);
  CHECK_INT(s.n, 32);
  CHECK(least <= s.p10 && s.p10 < s.lo && s.lo < s.median && s.median < s.hi && s.hi < s.p90 &&
        s.p90 <= most);
}

/* 0.1 of the way through 11 members is the second of them. */
TEST(summary_is_of_the_members) {
  struct base_arena *arena = test_arena();
  struct bench_member member[11] = {{0}};
  for (int i = 0; i < 11; ++i) {
    member[i].number[0] = (7 * i) % 11;
  }
  for (int has_interval = 0; has_interval < 2; ++has_interval) {
    const struct bench_ensemble_summary s =
        bench_ensemble_summarise(11, member, 0, has_interval, arena);
    CHECK_INT(s.n, 11);
    CHECK_NEAR(s.p10, 1, 1e-15);
    CHECK_NEAR(s.median, 5, 1e-15);
    CHECK_NEAR(s.p90, 9, 1e-14);
    CHECK(has_interval ? s.lo < 5 && s.hi > 5 : isnan(s.lo) && isnan(s.hi));
  }
  member[3].number[0] = member[6].number[0] = NAN; /* two of 11 failed: 10, then 9, are infinite */
  const struct bench_ensemble_summary failed = bench_ensemble_summarise(11, member, 0, 0, arena);
  CHECK_INT(failed.n, 9);
  CHECK(isinf(failed.p90));
}

/* ---- rotations ---- */

static const char *scene_of(int dim) {
  return dim == 3 ? "tests/scenes/turned.json" : "tests/scenes/turned-planar.json";
}

/* How far the bodies of a run turned by w are from those of the one that is not, turned by w [m].
 */
static double distance(const char *scene, const char *formulation, const char *option,
                       const double w[3], int dim) {
  struct trial a, b;
  struct bench_request request = {
      .case_name = scene, .formulation = formulation, .opt = BASE_WORDS("tol=1e-12", option)};
  char turn[120];
  make(&a, request, NULL);
  if (dim == 3) {
    snprintf(turn, sizeof turn, "rotation=[%.17g,%.17g,%.17g]", w[0], w[1], w[2]);
  } else {
    snprintf(turn, sizeof turn, "rotation=%.17g", w[2]);
  }
  base_words_add(&request.set, turn, test_arena());
  make(&b, request, NULL);
  const double angle = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  const double s = sin(0.5 * angle) / angle;
  const double A[4] = {cos(0.5 * angle), s * w[0], s * w[1], s * w[2]};
  double R[9], far = 0;
  scene_quaternion_matrix(A, R);
  for (int j = 0; j < a.out.nq; ++j) {
    const char *name = a.out.q_names[j], *dot = strrchr(name, '.');
    if (strcmp(dot, ".x") != 0) {
      continue;
    }
    double x[3] = {0}, y[3] = {0};
    memcpy(x, a.out.q + j, (size_t)dim * sizeof *x);
    memcpy(y, b.out.q + j, (size_t)dim * sizeof *y);
    for (int i = 0; i < dim; ++i) {
      far = fmax(far, fabs(R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2] - y[i]));
    }
  }
  return far;
}

TEST(rotations_are_not_seen_by_circular_laws) {
  static const char *const forms[] = {"ncp", "ccp", "moreau"};
  const double turns[2][3] = {{0, 0, 2.1}, {0.7, -1.1, 1.9}};
  for (int dim = 2; dim <= 3; ++dim) {
    const char *scene = scene_of(dim);
    for (int f = 0; f < 3; ++f) {
      for (int k = 0; k < dim - 1; ++k) {
        const double far = distance(scene, forms[f], "warm_start=yes", turns[k], dim);
        CHECK_MESSAGE(far <= 1e-8, "%s, %dD, turn %d: %.3g m off", forms[f], dim, k, far);
      }
    }
  }
  /* facets lie where the axes are */
  CHECK(distance(scene_of(3), "lcp-st", "n_dir=4", turns[1], 3) > 1e-4);
}
