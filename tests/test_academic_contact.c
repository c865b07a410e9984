/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The academic problem of one contact: its A and b against the formula of the source, in any
 * description of the body; the first step of formulations against the solutions in the record; the
 * two frames against each other; records and figures with a fault are found out.
 */
#include "base/json/json.h"
#include "bench/outcome/one_contact.h"
#include "bench/record/record.h"
#include "bench/run/listener.h"
#include "contact/law.h"
#include "tests/case_model.h"
#include "tests/figure_run.h"
#include "tests/test.h"

#include <stdio.h>

static const char *const bodies[] = {"body=quaternion", "body=affine", "body=scalable"};

/* What the initial state of the case poses. */
static const struct bench_one_contact *problem_of(const char *set, struct base_arena *arena) {
  const struct case_instance i = case_model_build("academic-contact", set, arena);
  CHECK(i.one_contact);
  const struct bench_one_contact *p = bench_one_contact_of(i.mech, i.q, i.u, arena);
  CHECK_MESSAGE(p != NULL, "%s", base_message());
  return p;
}

/* preclik 4.1: A = Q^T (1/m + d_x^2 diag(0, 1/Theta_z, 1/Theta_y)) Q, b = -Q^T b_s. */
TEST(first_step_poses_the_problem_of_the_source) {
  const double n_length = sqrt(0.25 * 0.25 + 0.36 * 0.36 + 0.9 * 0.9), mass = 1 / 230.06;
  const double n[3] = {0.25 / n_length, 0.36 / n_length, -0.9 / n_length};
  const double Q[3][3] = {
      {n[0], n[1], n[2]}, {0, n[2], -n[1]}, {-n[1] * n[1] - n[2] * n[2], n[0] * n[1], n[0] * n[2]}};
  const double space[3] = {mass, mass + 100.0 / 136, mass + 100.0 / 106};
  const double b_s[3] = {0.06, 0.7, 0.23};
  for (int k = 0; k < 3; ++k) {
    const struct bench_one_contact *p = problem_of(bodies[k], test_arena());
    for (int i = 0; i < 3; ++i) {
      double b = 0;
      for (int j = 0; j < 3; ++j) {
        double A = 0;
        for (int l = 0; l < 3; ++l) {
          A += Q[i][l] * space[l] * Q[j][l];
        }
        CHECK_NEAR(p->A[3 * i + j], A, 1e-14);
        b -= Q[i][j] * b_s[j];
      }
      CHECK_NEAR(p->b[i], b, 1e-14);
    }
    CHECK_NEAR(p->mu, 3.7, 0);
  }
}

/* Tangents of length c are friction c mu with unit tangents, and r_T over c. */
TEST(frames_differ_by_the_length_of_the_tangents) {
  struct base_arena *arena = test_arena();
  const double c = 0.96831346936434061;
  char set[80];
  snprintf(set, sizeof set, "frame=orthonormal mu=%.17g", 3.7 * c);
  const struct bench_one_contact *a = problem_of("", arena), *b = problem_of(set, arena);
  CHECK_INT(a->n_coulomb, 3);
  CHECK_INT(b->n_coulomb, 3);
  for (int i = 0; i < 3; ++i) {
    CHECK_NEAR(a->coulomb[i].energy, b->coulomb[i].energy, 1e-12);
    CHECK_NEAR(a->coulomb[i].r[0], b->coulomb[i].r[0], 1e-10);
    CHECK_NEAR(a->coulomb[i].r[1], b->coulomb[i].r[1] / c, 1e-10);
    CHECK_NEAR(a->coulomb[i].v[2], b->coulomb[i].v[2] * c, 1e-10);
  }
  CHECK_NEAR(a->max_dissipation.energy, b->max_dissipation.energy, 1e-12);
}

/* Other bodies, planes and velocities: the listed solutions are ordered and obey their laws. */
TEST(solutions_in_the_record_obey_their_laws) {
  struct base_rng *rng = test_rng(0);
  int several = 0;
  for (int draw = 0; draw < 300; ++draw) {
    char set[200];
    double x[8], least[3];
    base_rng_uniforms(rng, 8, -1, 1, x);
    snprintf(set, sizeof set, "mu=%g dx=%g nx=%g ny=%g nz=%g bx=%g by=%g bz=%g", 2.5 + 2.4 * x[0],
             6 + 5 * x[1], x[2], x[3], x[4], x[5], x[6], x[7]);
    const struct bench_one_contact *p = problem_of(set, test_arena());
    const struct bench_contact_solution *best = &p->max_dissipation;
    const struct contact_model ncp = {.law = CONTACT_LAW_NCP, .dim = 3, .nc = 1, .mu = &p->mu};
    for (int i = 0; i < p->n_coulomb; ++i) {
      const struct bench_contact_solution *s = &p->coulomb[i];
      CHECK_LE(contact_residual(&ncp, p->A, s->r, s->v, p->b).relative_max, 1e-12);
      CHECK(i == 0 || s->energy <= p->coulomb[i - 1].energy);
      CHECK(p->b[0] > 0 || best->energy <= s->energy + 1e-12 * fabs(s->energy));
    }
    CHECK_LE(1, p->n_coulomb);
    several += p->n_coulomb > 1;
    const double minimum = contact_minimum_energy(3, p->mu, p->A, p->b, least);
    CHECK_NEAR(best->energy, minimum, 1e-9 * fabs(minimum));
  }
  CHECK_LE(1, several);
}

/* Nothing closed, or more than one contact. */
TEST(only_one_closed_contact_is_one_problem) {
  struct base_arena *arena = test_arena();
  struct case_instance i = case_model_build("falling-particle", "", arena);
  CHECK(!i.one_contact && bench_one_contact_of(i.mech, i.q, i.u, arena) == NULL);
  CHECK(strstr(base_message(), "0 contacts") != NULL);
  i.q[1] = 0;
  const struct bench_one_contact *p = bench_one_contact_of(i.mech, i.q, i.u, arena);
  CHECK(p != NULL && p->dim == 2 && p->n_coulomb == 1);
  i = case_model_build("painleve-rod", "", arena);
  i.q[1] = -1;
  CHECK(bench_one_contact_of(i.mech, i.q, i.u, arena) == NULL);
  CHECK(strstr(base_message(), "2 contacts") != NULL);
}

TEST(record_without_its_contact_numbers_is_refused) {
  struct figure_run run = figure_run_of("preclik-7");
  cJSON *record = (cJSON *)run.series[0].record;
  static const char *const keys[] = {"b", "A", "mu", "impulse", "max_dissipation", "coulomb"};
  CHECK_OK(bench_record_check(record, "r.json"));
  for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k) {
    cJSON *copy = test_json(cJSON_Duplicate(record, 1));
    cJSON_ReplaceItemInObjectCaseSensitive((cJSON *)base_json_at(copy, "contact"), keys[k],
                                           cJSON_CreateString("no"));
    CHECK_REFUSED(bench_record_check(copy, "r.json"), BASE_E_INPUT, keys[k]);
  }
  figure_run_free(&run);
}

/* Every number of a JSON value times 1 + part. */
static void spoil(cJSON *value, double part) {
  if (cJSON_IsNumber(value)) {
    cJSON_SetNumberHelper(value, value->valuedouble * (1 + part));
  }
  for (cJSON *item = value->child; item != NULL; item = item->next) {
    spoil(item, part);
  }
}

/* From real runs all checks pass; solutions a few parts in a hundred thousand off do not. */
TEST(figures_pass_and_find_wrong_solutions) {
  static const char *const ids[] = {"preclik-t1", "preclik-4", "preclik-7"};
  for (int k = 0; k < 3; ++k) {
    struct figure_run run = figure_run_of(ids[k]);
    struct case_plot plot;
    figure_run_passes(&run);
    spoil((cJSON *)base_json_at(run.series[0].record, "contact.coulomb"), 5e-5);
    spoil((cJSON *)base_json_at(run.series[0].record, "contact.max_dissipation"), 5e-5);
    CHECK_OK(figure_run_judge(&run, &plot));
    CHECK_LE(1, plot.n_failed);
    cJSON_DeleteItemFromObjectCaseSensitive((cJSON *)run.series[0].record, "contact");
    const int status = figure_run_judge(&run, &plot); /* of other runs it is known, and missing */
    CHECK(k == 0 ? status == BASE_OK && plot.n_failed > 28 : status == BASE_E_INPUT);
    figure_run_free(&run);
  }
}
