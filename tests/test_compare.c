/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of the comparison of records: every entry has the scale it says it has, nothing that
 * differs is lost, what has no size is infinite. The rest is in tests/cli/compare.sh.
 */
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/json/json.h"
#include "bench/compare/compare.h"

/* L = 4 m, U = |b| = 1e-15 / 2e-16 = 5 m/s, E = 100 J, R = 0.25 N s. */
static const char run[] =
    "{\"schema\": \"coulombench.result/2\", \"case\": {\"name\": \"c\", \"parameters\": {\"mu\": "
    "0.2}},"
    "\"status\": \"ok\", \"reason\": \"\", \"dt\": 0.01, \"t_end\": 2,"
    "\"solver\": {\"name\": \"pgs\", \"options\": {\"tol\": 1e-8}},"
    "\"final\": {\"q\": [2, -4], \"u\": [0.5, -3], \"impulses\": {\"id\": [7], \"r\": [0.25]}},"
    "\"errors\": {\"q_linf\": 0.01, \"u_hausdorff\": 0.02},"
    "\"energy\": {\"initial\": 100, \"budget\": {\"numerical\": 4.8e-18}, \"max_kinetic\": 30},"
    "\"constraints\": {\"position_max\": 1e-17, \"velocity_max\": 1e-17},"
    "\"law\": {\"residual_max\": 1e-15, \"relative_b_max\": 2e-16, \"at\": {\"step\": 593},"
    "  \"cone\": 0, \"angle\": 0, \"dissipation_shortfall\": 0},"
    "\"iterations\": {\"total\": 100, \"newton_residual\": 1e-12}, \"contacts\": {\"mean\": 0.5},"
    "\"search\": {\"parameter\": \"push\", \"trials\": [{\"measured\": 1e-17, \"holds\": true}]},"
    "\"future\": {\"number\": 2, \"list\": [1, 100]},"
    "\"timing\": {\"total_s\": 1}, \"provenance\": {\"commit\": \"x\"}}";

static const struct base_words none; /* left out */

static struct compare_result compared(const char *a, const char *b, struct base_words ignored) {
  struct compare_result result;
  cJSON *left = cJSON_Parse(a), *right = cJSON_Parse(b); /* infinite numbers too */
  CHECK(left != NULL && right != NULL);
  compare_values(left, right, &ignored, NULL, &result);
  cJSON_Delete(left);
  cJSON_Delete(right);
  return result;
}

static long count(const struct compare_result *r) {
  return r->n[COMPARE_ASKED] + r->n[COMPARE_CAME] + r->n[COMPARE_SAID];
}

static long n_differing(const char *a, const char *b, struct base_words ignored) {
  const struct compare_result r = compared(a, b, ignored);
  return count(&r);
}

/* The worst entry of the first part that has any. */
static const struct compare_entry *worst_of(const struct compare_result *r) {
  int part = 0;
  while (part < COMPARE_SAID && r->n[part] == 0) {
    ++part;
  }
  return &r->worst[part];
}

/* `text` with the only `old` replaced; to be freed. */
static char *edited(const char *text, const char *old, const char *new) {
  char *out = NULL;
  size_t size;
  FILE *file = open_memstream(&out, &size);
  const char *at = strstr(text, old);
  CHECK_MESSAGE(at != NULL && strstr(at + 1, old) == NULL, "'%s' is not there once", old);
  if (at != NULL) {
    fprintf(file, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
  }
  fclose(file);
  return out;
}

/* The run with one change: the difference is of that size, in that entry, and nothing else is. */
static void check_change(const char *text, const char *old, const char *new, const char *path,
                         double size) {
  char *other = edited(text, old, new);
  const struct compare_result r = compared(text, other, none), back = compared(other, text, none);
  const struct compare_entry *worst = worst_of(&r);
  CHECK_MESSAGE(count(&r) == 1, "%s: %ld entries differ", path, count(&r));
  CHECK_TEXT(worst->path, path);
  CHECK_MESSAGE(worst->size == size || fabs(worst->size - size) <= 1e-6 * size,
                "%s: size %.9g, not %.9g", path, worst->size, size);
  CHECK_MESSAGE(worst_of(&back)->size == worst->size, "%s: not the same both ways", path);
  free(other);
}

TEST(every_block_has_its_scale) {
  static const struct {
    const char *old, *new, *path;
    double size;
  } changes[] = {
      {"[2, -4]", "[2.000004, -4]", "final.q[0]", 1e-6},
      {"[0.5, -3]", "[0.500005, -3]", "final.u[0]", 1e-6},
      {"[0.25]", "[0.24999975]", "final.impulses.r[0]", 1e-6},
      {"\"q_linf\": 0.01", "\"q_linf\": 0.010004", "errors.q_linf", 1e-6},
      {"\"u_hausdorff\": 0.02", "\"u_hausdorff\": 0.020001", "errors.u_hausdorff", 1e-6},
      {"4.8e-18", "4.6e-18", "energy.budget.numerical", 2e-21},
      {"\"max_kinetic\": 30", "\"max_kinetic\": 30.0001", "energy.max_kinetic", 1e-6},
      {"\"position_max\": 1e-17", "\"position_max\": 5e-17", "constraints.position_max", 1e-17},
      {"\"velocity_max\": 1e-17", "\"velocity_max\": 6e-17", "constraints.velocity_max", 1e-17},
      {"\"cone\": 0", "\"cone\": 2.5e-18", "law.cone", 1e-17},
      {"\"angle\": 0", "\"angle\": 1e-9", "law.angle", 1e-9},
      {"\"dissipation_shortfall\": 0", "\"dissipation_shortfall\": 1e-7",
       "law.dissipation_shortfall", 1e-9},
      {"\"total\": 100", "\"total\": 125", "iterations.total", 0.2},
      {"1e-12", "2e-12", "iterations.newton_residual", 1e-12},
      {"\"mean\": 0.5", "\"mean\": 1", "contacts.mean", 0.5},
      {"\"measured\": 1e-17", "\"measured\": 6e-17", "search.trials[0].measured", 0},
      {"\"number\": 2", "\"number\": 4", "future.number", 0.5},
      {"[1, 100]", "[2, 100]", "future.list[0]", 0.01},
  };
  for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i) {
    check_change(run, changes[i].old, changes[i].new, changes[i].path, changes[i].size);
  }
  char *other = edited(run, "\"mu\": 0.2", "\"mu\": 0.20000000000000001"); /* the same double */
  CHECK_INT(n_differing(run, other, none), 0);
  free(other);
}

TEST(what_has_no_size_is_infinite) {
  static const struct {
    const char *old, *new, *path;
  } changes[] = {
      {"\"status\": \"ok\"", "\"status\": \"failed\"", "status"},
      {"\"reason\": \"\"", "\"reason\": \"it broke\"", "reason"},
      {"\"mu\": 0.2", "\"mu\": 0.2000000000000001", "case.parameters.mu"},
      {"\"tol\": 1e-8", "\"tol\": \"1e-8\"", "solver.options.tol"},
      {"\"tol\": 1e-8", "\"tol\": 1e-8, \"key\": 1", "solver.options.key"},
      {"\"max_kinetic\": 30", "\"max_kinetic\": null", "energy.max_kinetic"},
      {"\"max_kinetic\": 30", "\"max_kinetic\": 1e999", "energy.max_kinetic"},
      {"[2, -4]", "[2, -4, 0]", "final.q"},
      {"[2, -4]", "[2, null]", "final.q[1]"},
      {"\"id\": [7]", "\"id\": [8]", "final.impulses.id[0]"},
      {"\"number\": 2", "\"numbers\": 2", "future.number"},
      {"\"future\"", "\"key\": \"abc\", \"future\"", "key"},
  };
  for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i) {
    char *other = edited(run, changes[i].old, changes[i].new);
    const struct compare_result r = compared(run, other, none);
    CHECK_TEXT(worst_of(&r)->path, changes[i].path);
    CHECK_MESSAGE(isinf(worst_of(&r)->size), "%s: %g", changes[i].path, worst_of(&r)->size);
    free(other);
  }
}

TEST(differences_of_no_weight_are_still_counted) {
  check_change(run, "\"cone\": 0", "\"cone\": -0.0", "law.cone", 0);
  check_change(run, "\"step\": 593", "\"step\": 601", "law.at.step", 0);
  check_change(run, "\"step\": 593", "\"step\": null", "law.at.step", 0);
  check_change(run, "\"q\": [2, -4], \"u\": [0.5, -3]", "\"u\": [0.5, -3], \"q\": [2, -4]", "final",
               0);
  const char *a = "{\"reason\": \"step 3: residual 2.5e-09 in contact 7\"}";
  check_change(a, "2.5e-09 in contact 7", "-3 in contact 12", "reason", 0);
  check_change(a, "in contact", "at contact", "reason", INFINITY);
  check_change(a, "contact 7", "contact 7 of", "reason", INFINITY);
}

/* A body that ends at rest, without contact, at the origin: its last numbers are rounding. */
TEST(what_ends_at_rest_has_scales_too) {
  static const char rest[] = "{\"dt\": 0.01, \"t_end\": 2, \"final\": {\"q\": [4], \"u\": "
                             "[4.8e-18]}, \"law\": {\"cone\": 1e-20},"
                             "\"energy\": {\"initial\": 100, \"max_kinetic\": 30}}";
  check_change(rest, "4.8e-18", "4.6e-18", "final.u[0]", 2e-19 / (1e-3 * 4 / 2));
  check_change(rest, "1e-20", "2e-20", "law.cone", 1e-20 / (1e-3 * 30 / (4.0 / 2)));
  check_change("{\"t_end\": 2, \"final\": {\"q\": [1e-17], \"u\": [5]}}", "1e-17", "2e-17",
               "final.q[0]", 1e-17 / (1e-3 * 5 * 2));
  /* resting all the time: a weight's impulse, E / L dt */
  check_change(
      "{\"dt\": 0.01, \"t_end\": 2, \"final\": {\"q\": [4], \"impulses\": {\"r\": [1e-20]}},"
      "\"energy\": {\"initial\": 100, \"max_kinetic\": 0}}",
      "1e-20", "2e-20", "final.impulses.r[0]", 1e-20 / (1e-3 * 0.01 * 100 / 4));
  check_change("{\"final\": {\"q\": [0], \"u\": [0]}}", "\"u\": [0]", "\"u\": [1e-300]",
               "final.u[0]", 1); /* no scale at all: itself */
}

/* A scale blown up on one side alone hides nothing. */
TEST(a_scale_of_one_side_is_a_difference_itself) {
  static const char *const changes[][2] = {{"[2, -4]", "[2, 1e30]"},
                                           {"[0.5, -3]", "[0.5, -1e30]"},
                                           {"[0.25]", "[1e30]"},
                                           {"\"initial\": 100", "\"initial\": 1e30"},
                                           {"\"max_kinetic\": 30", "\"max_kinetic\": 1e30"}};
  for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i) {
    char *other = edited(run, changes[i][0], changes[i][1]);
    CHECK_LE(0.99, compared(run, other, none).worst[COMPARE_CAME].size);
    free(other);
  }
}

TEST(solutions_are_measured_by_what_was_given) {
  static const char solution[] = /* |b| = 3, R = 0.5, E = 1.5 */
      "{\"schema\": \"coulombench.solution/1\", \"law\": \"ncp\", \"iterations\": 10,"
      "\"residual\": {\"absolute\": 3e-9, \"relative_b\": 1e-9}, \"duality_gap\": 0,"
      "\"r\": [0.5, 0], \"v\": [1e-17, 2e-17]}";
  check_change(solution, "[0.5, 0]", "[0.5, 5e-10]", "r[1]", 1e-9);
  check_change(solution, "1e-17, ", "4e-17, ", "v[0]", 1e-17);
  check_change(solution, "\"duality_gap\": 0", "\"duality_gap\": 1.5e-9", "duality_gap", 1e-9);
  check_change(solution, "\"ncp\"", "\"ccp\"", "law", INFINITY);
}

/* The unit of a field decides, beside what the table says, else the block that it is in. */
TEST(scales_are_those_of_the_table_of_fields) {
  static const struct {
    const char *path;
    enum bench_scale scale;
  } cases[] = {{"errors.q_linf", SCALE_LENGTH},
               {"errors.u_hausdorff", SCALE_ONE},
               {"energy.budget.impact", SCALE_ENERGY},
               {"energy.errors.reason", SCALE_PLACE},
               {"start.gamma_S_max", SCALE_SPEED},
               {"law.residual_max", SCALE_SPEED},
               {"law.at.step", SCALE_PLACE},
               {"momentum.angular", SCALE_IMPULSE},
               {"iterations.mean", SCALE_OWN},
               {"formulation.options.K", SCALE_INPUT},
               {"dt", SCALE_INPUT},
               {"quality.verdict", SCALE_EXACT},
               {"final.q[0]", SCALE_LENGTH},
               {"contact.coulomb[].r[0]", SCALE_IMPULSE},
               {"checks[].measured", SCALE_SIBLINGS},
               {"lawless", SCALE_OWN}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    CHECK_INT(compare_scale(cases[i].path), cases[i].scale);
  }
}
