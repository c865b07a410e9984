/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of the comparison of records: every block has the scale it says it has, nothing that
 * differs is lost, what has no size is infinite, and limits hold a block at a time.
 */
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/compare/compare.h"
#include "tests/scratch.h"

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
    "\"threshold\": {\"condition\": \"|final.u.box.vx|<1e-8\", \"trials\": [{\"measured\": "
    "1e-17}]},"
    "\"future\": {\"number\": 2, \"list\": [1, 100]},"
    "\"timing\": {\"total_s\": 1}, \"provenance\": {\"commit\": \"x\"}}";

static struct compare_result compared(const char *a, const char *b, const struct compare_how *how) {
  const struct compare_how none = {0};
  struct compare_result result;
  cJSON *left = cJSON_Parse(a), *right = cJSON_Parse(b); /* infinite numbers too */
  CHECK(left != NULL && right != NULL);
  compare_values(left, right, how != NULL ? how : &none, &result);
  cJSON_Delete(left);
  cJSON_Delete(right);
  return result;
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
  const struct compare_result r = compared(text, other, NULL), back = compared(other, text, NULL);
  CHECK_MESSAGE(r.n == 1, "%s: %ld entries differ", path, r.n);
  CHECK_TEXT(r.worst.path, path);
  CHECK_MESSAGE(r.worst.size == size || fabs(r.worst.size - size) <= 1e-6 * size,
                "%s: size %.9g, not %.9g", path, r.worst.size, size);
  CHECK_MESSAGE(back.worst.size == r.worst.size, "%s: not the same both ways", path);
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
      {"\"measured\": 1e-17", "\"measured\": 6e-17", "threshold.trials[0].measured", 1e-17},
      {"\"number\": 2", "\"number\": 4", "future.number", 0.5},
      {"[1, 100]", "[2, 100]", "future.list[0]", 0.01},
  };
  for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i) {
    check_change(run, changes[i].old, changes[i].new, changes[i].path, changes[i].size);
  }
  char *other = edited(run, "\"mu\": 0.2", "\"mu\": 0.20000000000000001"); /* the same double */
  CHECK_INT(compared(run, other, NULL).n, 0);
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
    const struct compare_result r = compared(run, other, NULL);
    CHECK_TEXT(r.worst.path, changes[i].path);
    CHECK_MESSAGE(isinf(r.worst.size) && isinf(r.excess), "%s: %g", changes[i].path, r.worst.size);
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

TEST(time_and_what_is_ignored_are_left_out) {
  char *other = edited(run, "\"total_s\": 1", "\"total_s\": 2");
  CHECK_INT(compared(run, other, NULL).n, 0);
  free(other);
  other = edited(run, "\"commit\": \"x\"", "\"commit\": \"y\", \"key\": 1");
  CHECK_INT(compared(run, other, NULL).n, 0);
  free(other);
  static const char *const paths[] = {"future", "final.impulses.id", "threshold.trials[].measured"};
  const struct compare_how how = {.n_ignored = 3, .ignored = paths};
  other = edited(run, "[1, 100]", "[1, 100, 3]");
  CHECK_INT(compared(run, other, &how).n, 0);
  free(other);
  other = edited(run, "\"measured\": 1e-17", "\"measured\": 1");
  CHECK_INT(compared(run, other, &how).n, 0);
  free(other);
  other = edited(run, "[0.25]", "[0.26]");
  CHECK_INT(compared(run, other, &how).n, 1);
  free(other);
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
    CHECK_LE(0.99, compared(run, other, NULL).worst.size);
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

TEST(figures_are_measured_by_their_bounds_and_time_is_left_out) {
  static const char figure[] =
      "{\"schema\": \"coulombench.figure/2\", \"id\": \"f\", \"caption\": \"Measured: 1e-12\","
      "\"checks\": [{\"what\": \"error\", \"measured\": 4.8e-18, \"lo\": 0, \"hi\": 1e-10, "
      "\"verdict\": \"not stated\"},"
      "{\"what\": \"timing: exponent\", \"measured\": 1.5, \"lo\": 1, \"hi\": 2, \"verdict\": "
      "\"not stated\"}]}";
  check_change(figure, "4.8e-18", "4.6e-18", "checks[0].measured", 2e-9);
  check_change(figure, "1e-12", "2e-12", "caption", 0);
  char *captioned = edited(figure, "\"caption\"", "\"text\"");
  check_change(captioned, "1e-12", "2e-12", "text", 0);
  free(captioned);
  char *other = edited(figure, "\"measured\": 1.5", "\"measured\": 2");
  CHECK_INT(compared(figure, other, NULL).n, 0);
  free(other);
}

/* The limit is that of the entry's block, and the entry told is the one farthest beyond it. */
TEST(limits_are_those_of_the_block) {
  struct compare_how how = {0};
  how.limit[compare_block_of("final.u.x")] = 1e-3;
  how.limit[compare_block_of("final.q[0]")] = 1e-9;
  char *once = edited(run, "[2, -4]", "[2.000000002, -4]"); /* 5e-10 */
  char *twice = edited(once, "[0.5, -3]", "[0.502, -3]");   /* 4e-4 */
  struct compare_result r = compared(run, twice, &how);
  CHECK_INT(r.n, 2);
  CHECK_NEAR(r.excess, 0.5, 1e-6);
  CHECK_TEXT(r.worst.path, "final.q[0]");
  how.limit[compare_block_of("final.u")] = 1e-4;
  r = compared(run, twice, &how);
  CHECK_NEAR(r.excess, 4, 1e-6);
  CHECK_TEXT(r.worst.path, "final.u[0]");
  how.limit[compare_block_of("final.q")] = 0;
  CHECK(isinf(compared(run, twice, &how).excess));
  free(once);
  free(twice);
}

/* Without limits the entry told is the largest difference, wherever it comes. */
TEST(the_largest_difference_is_told) {
  for (int k = 0; k < 2; ++k) {
    char *once = edited(run, "[2, -4]", k == 0 ? "[2.4, -4]" : "[2.004, -4]"); /* 0.1, 1e-3 */
    char *twice = edited(once, "[0.25]", k == 0 ? "[0.25025]" : "[0.275]");    /* 1e-3, 0.1 */
    CHECK_TEXT(compared(run, twice, NULL).worst.path,
               k == 0 ? "final.q[0]" : "final.impulses.r[0]");
    free(once);
    free(twice);
  }
}

/* The unit of a field decides, beside what the table says; a block ends where that changes. */
TEST(blocks_are_those_of_the_table_of_fields) {
  static const struct {
    const char *path, *block;
    enum bench_scale scale;
  } cases[] = {{"errors.q_linf", "errors", SCALE_LENGTH},
               {"errors.u_hausdorff", "errors.u_hausdorff", SCALE_ONE},
               {"energy.budget.impact", "energy", SCALE_ENERGY},
               {"energy.errors.reason", "energy.errors.reason", SCALE_PLACE},
               {"start.gamma_S_max", "start.gamma_S_max", SCALE_SPEED},
               {"law.residual_max", "law", SCALE_SPEED},
               {"law.at.step", "law.at", SCALE_PLACE},
               {"law.objective", "law.objective", SCALE_PLACE},
               {"momentum.angular", "momentum", SCALE_IMPULSE},
               {"iterations.mean", "iterations", SCALE_OWN},
               {"quality.measures.drift", "quality.measures", SCALE_ONE},
               {"formulation.options.K", "formulation", SCALE_INPUT},
               {"reference.until", "reference.until", SCALE_OWN},
               {"final.q[0]", "final.q", SCALE_LENGTH},
               {"contact.coulomb[].r[0]", "contact.coulomb[].r", SCALE_IMPULSE},
               {"checks[].measured", "checks[]", SCALE_SIBLINGS},
               {"lawless", "all else", SCALE_OWN}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const int block = compare_block_of(cases[i].path);
    CHECK_TEXT(compare_block_name(block), cases[i].block);
    CHECK_INT(compare_block_scale(block), cases[i].scale);
  }
}

/* What is infinite is no scale, and no limit allows it. */
TEST(infinite_numbers_are_within_no_limit) {
  struct compare_how how;
  memset(&how, 0, sizeof how);
  for (int block = 0; block < compare_block_count(); ++block) {
    how.limit[block] = 1e9;
  }
  static const char *const changes[][2] = {{"\"total\": 100", "\"total\": 1e999"},
                                           {"[1, 100]", "[1, -1e999]"},
                                           {"[2, -4]", "[2, 1e999]"}};
  for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i) {
    char *other = edited(run, changes[i][0], changes[i][1]);
    CHECK(isinf(compared(run, other, &how).excess));
    CHECK(isinf(compared(other, run, &how).excess));
    CHECK_INT(compared(other, other, &how).n, 0);
    free(other);
  }
}

/* As many keys in the other order: no search for each. */
TEST(keys_in_any_order_are_found_at_once) {
  enum { KEYS = 100000 };
  char *text[2];
  size_t size;
  for (int side = 0; side < 2; ++side) {
    FILE *file = open_memstream(&text[side], &size);
    fprintf(file, "{");
    for (int i = 0; i < KEYS; ++i) {
      const int key = side == 0 ? i : KEYS - 1 - i;
      fprintf(file, "%s\"k%d\": %d", i > 0 ? ", " : "", key, side == 1 && key == 777 ? 778 : key);
    }
    fprintf(file, "}");
    fclose(file);
  }
  const struct compare_result r = compared(text[0], text[1], NULL);
  CHECK_INT(r.n, 2); /* the value, and the order */
  CHECK_TEXT(r.worst.path, "k777");
  free(text[0]);
  free(text[1]);
}

static void write_text(const char *path, const char *text) {
  CHECK_INT(base_file_write(path, text, strlen(text)), BASE_OK);
}

TEST(tables_are_records) {
  struct base_arena *arena = base_arena_alloc();
  struct compare_list list;
  cJSON *table;
  const char *path = scratch_path("table.dat");
  write_text(path, "# t[s] x[m] timing[s]\n0 1 5\n1 NaN 6\n\n# t[s] x[m]\n2 3\n");
  CHECK_INT(compare_list_read(path, arena, &list), BASE_OK);
  CHECK_INT(compare_read(&list, 0, &table), BASE_OK);
  char *text = cJSON_PrintUnformatted(table);
  CHECK_TEXT(text,
             "{\"schema\":\"coulombench.table\",\"blocks\":[{\"1 t[s]\":[0,1],\"2 x[m]\":[1,null],"
             "\"3 timing[s]\":[5,6]},{\"1 t[s]\":[2],\"2 x[m]\":[3]}]}");
  free(text);
  cJSON_Delete(table);
  const char *const wrong[] = {"0 1\n", "# a b\n1 two\n"};
  for (int i = 0; i < 2; ++i) {
    write_text(path, wrong[i]);
    CHECK_INT(compare_read(&list, 0, &table), BASE_E_INPUT);
    CHECK(table == NULL && strstr(base_message(), "table.dat: not a table") != NULL);
  }
  base_arena_free(arena);
}

/* Columns of one unit share a scale, dimensionless ones are measured as they stand. */
TEST(columns_are_measured_by_their_unit) {
  static const char table[] =
      "{\"schema\": \"coulombench.table\", \"blocks\": [{\"1 x[m]\": [-8, 1], \"2 drift[m]\": [0, "
      "1e-16],"
      "\"3 error[-]\": [0.001, 2e-12], \"4 q_linf\": [4, 3e-3], \"5 timing[s]\": [1, 2]}]}";
  check_change(table, "1e-16", "5e-16", "blocks[0].2 drift[m][1]", 5e-17);
  check_change(table, "2e-12", "3e-12", "blocks[0].3 error[-][1]", 1e-12);
  check_change(table, "3e-3", "4e-3", "blocks[0].4 q_linf[1]", 2.5e-4);
  char *other = edited(table, "[1, 2]", "[1, 3]");
  CHECK_INT(compared(table, other, NULL).n, 0);
  free(other);
}

TEST_MAIN()
