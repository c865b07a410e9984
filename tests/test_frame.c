/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Queries of frames on small tables whose answers are counted by hand: reductions with what is
 * missing, pivots, picks, slopes, lists, calculated columns, and which values cannot be told from
 * the best.
 */
#include "bench/frame/frame.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

#include "base/json/json.h"
#include "base/status.h"
#include "tests/frame_table.h"
#include "tests/test.h"

static const char runs[] = "case form dt error usable\n"
                           "a x 1 8 1\na x 2 16 1\na y 1 4 1\na y 2 - 1\n"
                           "b x 1 1 1\nb x 2 2 0\nb y 1 3 1\nb y 2 12 1\n";

TEST(reductions_count_what_is_missing) {
  struct base_arena *arena = test_arena();
  struct frame *f = frame_table(arena, runs);
  CHECK_INT(
      frame_table_transform(
          &f,
          "[{\"aggregate\": [{\"op\": \"median\", \"field\": \"error\", \"as\": \"m\"}, "
          "{\"op\": \"missing\", \"field\": \"error\", \"as\": \"gone\"}, "
          "{\"op\": \"count\", \"as\": \"n\"}, {\"op\": \"q3\", \"field\": \"error\", \"as\": "
          "\"q\"}, "
          "{\"op\": \"max\", \"field\": \"error\", \"as\": \"most\"}], \"groupby\": [\"form\"]}]"),
      BASE_OK);
  CHECK_SHOWN(f, "form", "x y");
  CHECK_SHOWN(f, "m", "8 4");    /* x: 8, 16, 1, and 2 of a run that is useless; y: 4, 3, 12 */
  CHECK_SHOWN(f, "gone", "1 1"); /* the useless one; the one without an error */
  CHECK_SHOWN(f, "n", "4 4");
  CHECK_SHOWN(f, "q", "12 8");
  CHECK_SHOWN(f, "most", "16 12");
}

TEST(of_a_group_where_nothing_counts_there_is_no_number) {
  struct base_arena *arena = test_arena();
  struct frame *f = frame_table(arena, "form error usable\nx 3 0\nx - 1\n");
  CHECK_INT(
      frame_table_transform(
          &f, "[{\"aggregate\": [{\"op\": \"mean\", \"field\": \"error\", \"as\": \"m\"}, "
              "{\"op\": \"valid\", \"field\": \"error\", \"as\": \"n\"}], \"groupby\": \"form\"}]"),
      BASE_OK);
  CHECK_SHOWN(f, "m", "-");
  CHECK_SHOWN(f, "n", "0");
}

TEST(pivots_and_joins) {
  struct base_arena *arena = test_arena();
  struct frame *f = frame_table(arena, runs);
  CHECK_INT(frame_table_transform(
                &f, "[{\"filter\": \"case=a\"}, {\"pivot\": \"form\", \"value\": \"error\", "
                    "\"groupby\": [\"dt\"]}]"),
            BASE_OK);
  CHECK_SHOWN(f, "dt", "1 2");
  CHECK_SHOWN(f, "x", "8 16");
  CHECK_SHOWN(f, "y", "4 -");
  f = frame_table(arena, runs);
  CHECK_INT(frame_table_transform(
                &f, "[{\"pivot\": \"form\", \"value\": \"error\", \"groupby\": [\"dt\"]}]"),
            BASE_E_INPUT); /* two cases in a place, and nothing says what becomes of them */
  f = frame_table(arena, runs);
  CHECK_INT(
      frame_table_transform(
          &f, "[{\"joinaggregate\": [{\"op\": \"min\", \"field\": \"error\", \"as\": \"least\"}], "
              "\"groupby\": [\"case\", \"dt\"]}, {\"calculate\": \"error / least\", \"as\": "
              "\"over\"}]"),
      BASE_OK);
  CHECK_SHOWN(f, "over", "2 1 1 - 1 0.16666666666666666 3 1");
}

TEST(picks) {
  struct base_arena *arena = test_arena();
  struct frame *f = frame_table(arena, runs);
  CHECK_INT(frame_table_transform(
                &f, "[{\"pick\": \"max\", \"field\": \"dt\", \"groupby\": [\"case\", \"form\"]}]"),
            BASE_OK);
  CHECK_SHOWN(f, "error", "16 - 1 12"); /* b x: its run at 2 is useless */
}

TEST(windows_see_the_rows_so_far) {
  struct base_arena *arena = base_arena_alloc();
  struct frame *f = frame_table(arena, "case x w\na 3 2\nb 1 5\na 1 4\na 2 -\na 1 1\nb 1 -\n");
  CHECK_INT(frame_table_transform(&f, "[{\"window\": [{\"op\": \"row_number\", \"as\": \"i\"},"
                                      " {\"op\": \"dense_rank\", \"as\": \"rank\"},"
                                      " {\"op\": \"sum\", \"field\": \"w\", \"as\": \"sum\"},"
                                      " {\"op\": \"min\", \"field\": \"w\", \"as\": \"min\"},"
                                      " {\"op\": \"max\", \"field\": \"w\", \"as\": \"max\"}],"
                                      " \"sort\": [\"x\"], \"groupby\": [\"case\"]}]"),
            BASE_OK);
  CHECK_SHOWN(f, "i", "4 1 1 3 2 2");
  CHECK_SHOWN(f, "rank", "3 1 1 2 1 1");
  CHECK_SHOWN(f, "sum", "7 5 4 5 5 5");
  CHECK_SHOWN(f, "min", "1 5 4 1 1 5");
  CHECK_SHOWN(f, "max", "4 5 4 4 4 5");
  f = frame_table(arena, "case x name\na 3 p\nb 1 q\na 1 r\na - s\n");
  CHECK_INT(frame_table_transform(
                &f,
                "[{\"window\": [{\"op\": \"first_value\", \"field\": \"name\", \"as\": \"least\"},"
                " {\"op\": \"first_value\", \"field\": \"x\", \"as\": \"x1\"}],"
                " \"sort\": [\"x\"], \"groupby\": [\"case\"]}]"),
            BASE_OK);
  CHECK_SHOWN(f, "least", "r q r r");
  CHECK_SHOWN(f, "x1", "1 1 1 1");
  f = frame_table(arena, "x\n1\n");
  CHECK_INT(frame_table_transform(&f, "[{\"window\": [{\"op\": \"first_value\", \"as\": \"s\"}]}]"),
            BASE_E_INPUT);
  f = frame_table(arena, "x\n1\n");
  CHECK_INT(frame_table_transform(&f, "[{\"window\": [{\"op\": \"sum\", \"as\": \"s\"}]}]"),
            BASE_E_INPUT);
  f = frame_table(arena, "x\n1\n");
  CHECK_INT(frame_table_transform(&f, "[{\"window\": [{\"op\": \"median\", \"as\": \"s\"}]}]"),
            BASE_E_INPUT);
  base_arena_free(arena);
}

/* Entries that differ within a group, of blocks and of numbers; what is nested is named alone. */
TEST(rows_are_told_from_each_other) {
  static const char *const blocks[] = {"{\"mu\":0.3,\"n\":4}", "{\"mu\":0.1,\"n\":4}",
                                       "{\"mu\":0.3,\"n\":4,\"bodies\":[1]}", "{\"mu\":9}"};
  struct base_arena *arena = base_arena_alloc();
  struct frame *f = frame_table(arena, "case t_end\na 1\na 1\na 2\nb 1\n");
  const int setting = frame_add(f, "x.setting", "");
  for (int i = 0; i < 4; ++i) {
    *frame_at(f, i, setting) = (struct frame_value){.kind = FRAME_TEXT, .text = blocks[i]};
  }
  CHECK_INT(frame_table_transform(
                &f, "[{\"distinguish\": [\"x.setting\", \"t_end\"], \"groupby\": [\"case\"],"
                    "  \"as\": \"told\"},"
                    " {\"calculate\": \"entries(`x.setting`)\", \"as\": \"all\"},"
                    " {\"calculate\": \"without(`x.setting`, 'mu')\", \"as\": \"rest\"},"
                    " {\"calculate\": \"without(`x.setting`, 'bodies.0')\", \"as\": \"same\"}]"),
            BASE_OK);
  const int told = frame_find(f, "told");
  CHECK_TEXT(frame_text(f, 0, told), "mu = 0.3, t_end = 1");
  CHECK_TEXT(frame_text(f, 1, told), "mu = 0.1, t_end = 1");
  CHECK_TEXT(frame_text(f, 2, told), "mu = 0.3, other bodies, t_end = 2");
  CHECK(frame_is_missing(frame_at(f, 3, told))); /* alone */
  CHECK_TEXT(frame_text(f, 2, frame_find(f, "all")), "mu = 0.3, n = 4, other bodies");
  CHECK_SHOWN(f, "rest", "{\"n\":4} {\"n\":4} {\"n\":4,\"bodies\":[1]} {}");
  CHECK_TEXT(frame_text(f, 1, frame_find(f, "same")), blocks[1]);
  base_arena_free(arena);
}

/* Messages of one kind are one text without their numbers and what stands before. */
TEST(messages_have_kinds) {
  struct base_arena *arena = test_arena();
  static const char *const said[] = {
      "step 12, t = -1.5e-3 s: t = 0 s: iterate 7 of x2 is not finite",
      "iterate 1 of x2 is not finite", ""};
  struct frame *f = frame_table(arena, "n\n1\n2\n3\n");
  const int reason = frame_add(f, "reason", "");
  for (int i = 0; i < 3; ++i) {
    *frame_at(f, i, reason) = (struct frame_value){.kind = FRAME_TEXT, .text = said[i]};
  }
  *frame_at(f, 2, reason) = frame_number(NAN);
  CHECK_INT(frame_table_transform(&f,
                                  "[{\"calculate\": \"without_numbers(reason)\", \"as\": \"all\"},"
                                  " {\"calculate\": \"behind(all, '# s: ')\", \"as\": \"kind\"}]"),
            BASE_OK);
  CHECK_TEXT(frame_text(f, 0, frame_find(f, "all")),
             "step #, t = # s: t = # s: iterate # of x2 is not finite");
  CHECK_TEXT(frame_text(f, 0, frame_find(f, "kind")), "iterate # of x2 is not finite");
  CHECK_TEXT(frame_text(f, 1, frame_find(f, "kind")), "iterate # of x2 is not finite");
  CHECK(frame_is_missing(frame_at(f, 2, frame_find(f, "kind"))));
}

TEST(lists_become_rows) {
  struct base_arena *arena = test_arena();
  struct frame *f = frame_table(arena, "run t x\na 0,1,2 5,6,7\nb 0,1 8,9\n");
  CHECK_INT(frame_table_transform(
                &f,
                "[{\"flatten\": [\"t\", \"x\"]}, {\"filter\": [\"t>0\", \"x!=9\"]}, "
                "{\"sort\": [\"-x\"]}, {\"project\": [\"x\", \"run\"], \"as\": [\"X\", \"R\"]}]"),
            BASE_OK);
  CHECK_SHOWN(f, "X", "7 6");
  CHECK_SHOWN(f, "R", "a a");
  f = frame_table(arena, "p lo hi\na 1 2\nb - 4\n");
  CHECK_INT(frame_table_transform(&f, "[{\"fold\": [\"lo\", \"hi\"], \"as\": [\"side\", \"x\"]}]"),
            BASE_OK);
  CHECK_SHOWN(f, "side", "lo hi lo hi");
  CHECK_SHOWN(f, "x", "1 2 - 4");
}

TEST(rows_become_lists) {
  struct base_arena *arena = test_arena();
  struct frame *f = frame_table(arena, "who x usable\na 3 1\nb - 1\na 1 1\na 2 0\nb - 1\n");
  CHECK_INT(frame_table_transform(
                &f, "[{\"aggregate\": [{\"op\": \"values\", \"field\": \"x\", \"as\": \"all\"}],"
                    " \"groupby\": [\"who\"]},"
                    " {\"calculate\": \"size(all)\", \"as\": \"n\"},"
                    " {\"calculate\": \"[9, all]\", \"as\": \"all\"}, {\"flatten\": [\"all\"]}]"),
            BASE_OK);
  CHECK_SHOWN(f, "who", "a a a b");
  CHECK_SHOWN(f, "n", "2 2 2 0");
  CHECK_SHOWN(f, "all", "9 3 1 9");
}

/* Problem q is unknown to b, and p to c. */
TEST(groups_get_the_rows_that_they_lack) {
  struct base_arena *arena = test_arena();
  struct frame *f = frame_table(arena, "who of x\na p 1\na q 2\nb p 3\nc q 4\n");
  CHECK_INT(frame_table_transform(&f, "[{\"impute\": \"of\", \"groupby\": [\"who\"]}]"), BASE_OK);
  CHECK_SHOWN(f, "who", "a a b c b c");
  CHECK_SHOWN(f, "of", "p q p q q p");
  CHECK_SHOWN(f, "x", "1 2 3 4 - -");
}

TEST(rows_stand_beside_each_other) {
  struct base_arena *arena = test_arena();
  struct frame *f = frame_table(arena, "set who x\ns a 1\nt d 7\ns b 2\ns c 3\n");
  CHECK_INT(frame_table_transform(
                &f, "[{\"combinations\": 2, \"of\": [\"who\", \"x\"], \"groupby\": [\"set\"]},"
                    " {\"calculate\": \"x.1 * x.2\", \"as\": \"product\"}]"),
            BASE_OK);
  CHECK_SHOWN(f, "set", "s s s s s s t");
  CHECK_SHOWN(f, "who.1", "a a a b b c d");
  CHECK_SHOWN(f, "who.2", "a b c b c c d");
  CHECK_SHOWN(f, "product", "1 2 3 4 6 9 49");
  f = frame_table(arena, "x\n1\n2\n3\n");
  CHECK_INT(frame_table_transform(&f, "[{\"combinations\": 3, \"of\": [\"x\"]}]"), BASE_OK);
  CHECK_SHOWN(f, "x.1", "1 1 1 1 1 1 2 2 2 3");
  CHECK_SHOWN(f, "x.2", "1 1 1 2 2 3 2 2 3 3");
  CHECK_SHOWN(f, "x.3", "1 2 3 2 3 3 2 3 3 3");
}

TEST(combinations_beyond_number_are_refused) {
  struct base_arena *arena = test_arena();
  struct frame *f = frame_new(arena);
  frame_add(f, "x", "");
  for (int i = 0; i < 60; ++i) {
    frame_push(f);
  }
  CHECK_INT(frame_table_transform(&f, "[{\"combinations\": 6, \"of\": [\"x\"]}]"), BASE_E_INPUT);
  CHECK(strstr(base_message(), "more than 1e+06") != NULL);
}

/* What rows share their copies share, and nothing is left of the arena they came from. */
TEST(copies_stand_by_themselves) {
  struct base_arena *arena = test_arena(), *scratch = base_arena_alloc();
  struct frame *f = frame_table(scratch, "who x members\na 1 4,5,6\nb - 7,8\n");
  CHECK_INT(frame_table_transform(
                &f, "[{\"calculate\": \"members\", \"as\": \"m\"}, {\"flatten\": [\"m\"]}]"),
            BASE_OK);
  const struct frame *copy = frame_copy(f, arena);
  base_arena_free(scratch);
  CHECK_SHOWN(copy, "who", "a a a b b");
  CHECK_SHOWN(copy, "x", "1 1 1 - -");
  CHECK_SHOWN(copy, "m", "4 5 6 7 8");
  const int members = frame_find(copy, "members");
  CHECK(frame_at(copy, 0, members)->list == frame_at(copy, 2, members)->list);
  CHECK(frame_at(copy, 2, members)->list != frame_at(copy, 3, members)->list);
  CHECK_NEAR(frame_at(copy, 4, members)->list->x[1], 8, 0);
}

TEST(columns_are_calculated) {
  struct base_arena *arena = test_arena();
  struct frame *f = frame_table(arena, "form error members t-x\nx 4 1,2,6 7\ny - 3,3 8\n");
  CHECK_INT(frame_table_transform(
                &f, "[{\"calculate\": \"error / 2 + `t-x`\", \"as\": \"half\"}, "
                    "{\"calculate\": \"max(members) - error\", \"as\": \"most\"}, "
                    "{\"calculate\": \"2 * members\", \"as\": \"members\"}, "
                    "{\"calculate\": \"last(members)\", \"as\": \"last\"}, "
                    "{\"calculate\": \"form == 'x' ? 'first' : form\", \"as\": \"name\"}]"),
            BASE_OK);
  CHECK_SHOWN(f, "half", "9 -");
  CHECK_SHOWN(f, "most", "2 -");
  CHECK_SHOWN(f, "members", "list list");
  CHECK_SHOWN(f, "last", "12 6");
  CHECK_SHOWN(f, "name", "first y");
  f = frame_table(arena, "a\n");
  CHECK_INT(frame_table_transform(&f, "[{\"calculate\": \"a + b\", \"as\": \"c\"}]"),
            BASE_E_INPUT); /* without a row, too */
}

static const char best[] =
    "[{\"best\": \"error\", \"of\": \"form\", \"groupby\": [\"case\"], \"beside\": \"dt\"}]";

/* x is five times as bad at one step and fifty times at the next: of higher order, and told. */
TEST(a_loser_of_higher_order_is_told_from_the_best) {
  struct base_arena *arena = test_arena();
  struct frame *f = frame_table(arena, "case form dt error\na x 2 50\na x 1 5\na y 2 1\na y 1 1\n");
  CHECK_INT(frame_table_transform(&f, best), BASE_OK);
  CHECK_SHOWN(f, "is_best", "0 0 1 1");
}

TEST(what_changes_places_from_step_to_step_is_not_told) {
  struct base_arena *arena = test_arena();
  struct frame *f = frame_table(
      arena, "case form dt error\na x 2 3\na x 1 1\na y 2 2\na y 1 4\na z 2 9\na z 1 9\n");
  CHECK_INT(frame_table_transform(&f, best), BASE_OK);
  CHECK_SHOWN(f, "is_best", "1 1 1 1 0 0");
}

/* w changes places with the best, x does not: x lies between them, and then w is told as well. */
TEST(no_better_number_stands_unmarked_beside_a_marked_one) {
  struct base_arena *arena = test_arena();
  struct frame *f = frame_table(
      arena, "case form dt error\na y 1 1\na x 1 2\na w 1 3\na y 2 4\na x 2 8\na w 2 2\n");
  CHECK_INT(frame_table_transform(&f, best), BASE_OK);
  CHECK_SHOWN(f, "is_best", "1 0 0 1 0 1"); /* at 2 w leads, y led at 1, and x loses to y at both */
}

/* x leads at one step and is last at the other; z loses to y at both, and is told from it. */
TEST(a_loser_is_told_though_the_best_changes_places) {
  struct base_arena *arena = test_arena();
  struct frame *f = frame_table(arena, "case form dt error\na x 3 1e-16\na y 3 1e-12\na z 3 8e-4\n"
                                       "a x 10 1e-3\na y 10 1e-12\na z 10 8e-4\n");
  CHECK_INT(frame_table_transform(&f, best), BASE_OK);
  CHECK_SHOWN(f, "is_best", "1 1 0 0 1 0");
}

TEST(of_one_step_only_equals_are_level) {
  struct base_arena *arena = test_arena();
  struct frame *f = frame_table(
      arena, "case form dt error floor usable\na x 1 2e-16 1e-12 1\na y 1 8e-13 1e-12 1\n"
             "a z 1 2e-12 1e-12 1\na u 1 0 1e-12 0\na v 1 - 1e-12 1\n");
  CHECK_INT(
      frame_table_transform(&f, "[{\"best\": \"error\", \"of\": \"form\", \"groupby\": [\"case\"], "
                                "\"beside\": \"dt\", \"floor\": \"floor\"}]"),
      BASE_OK);
  CHECK_SHOWN(f, "is_best", "1 1 0 - -"); /* what does not count is neither */
}

/* Times: z is apart from the best by more than noise, y is not; at the other step y leads. */
TEST(values_with_intervals_are_told_where_these_are_apart) {
  struct base_arena *arena = test_arena();
  struct frame *f =
      frame_table(arena, "case form dt time lo hi\na x 1 10 9 11\na y 1 11 10 12\n"
                         "a z 1 13 12 14\na x 2 5 4 5.5\na y 2 7 6 8\na z 2 9 8.5 9.5\n");
  CHECK_INT(
      frame_table_transform(&f, "[{\"best\": \"time\", \"of\": \"form\", \"groupby\": [\"case\"], "
                                "\"beside\": \"dt\", \"interval\": [\"lo\", \"hi\"]}]"),
      BASE_OK);
  CHECK_SHOWN(f, "is_best", "1 1 0 1 0 0");
}

TEST(members_are_compared_as_pairs) {
  struct base_arena *arena = test_arena();
  struct frame *f =
      frame_table(arena, "case form dt error\n"
                         "a x 1 1,10,100,2,20,200,3,30\n"
                         "a y 1 2,20,200,4,40,400,6,60\n"  /* twice as bad in each member */
                         "a z 1 2,9,150,1,25,180,4,40\n"); /* now better, now worse */
  CHECK_INT(frame_table_transform(&f, best), BASE_OK);
  CHECK_SHOWN(f, "is_best", "1 0 1");
}

TEST(slips_are_refused_by_name) {
  struct base_arena *arena = test_arena();
  static const char *const bad[] = {
      "[{\"filtr\": \"a<1\"}]",
      "[{\"best\": \"error\", \"of\": \"form\", \"interval\": [\"dt\"]}]",
      "[{\"filter\": \"eror<1\"}]",
      "[{\"filter\": 3}]",
      "[{\"aggregate\": [{\"op\": \"medin\", \"field\": \"error\"}]}]",
      "[{\"aggregate\": [{\"op\": \"mean\"}]}]",
      "[{\"aggregate\": \"mean\"}]",
      "[{\"aggregate\": [{\"op\": \"quantile\", \"field\": \"error\", \"p\": 2}]}]",
      "[{\"pick\": \"least\", \"field\": \"error\"}]",
      "[{\"sort\": [\"eror\"]}]",
      "[{\"fold\": [\"error\"], \"as\": [\"a\"]}]",
      "[{\"project\": [\"error\", \"error\"]}]",
      "[{\"calculate\": \"error +\", \"as\": \"x\"}]",
      "[{\"calculate\": \"error\"}]",
      "[{\"impute\": \"cas\", \"groupby\": [\"form\"]}]",
      "[{\"combinations\": 0, \"of\": [\"dt\"]}]",
      "[{\"combinations\": 2, \"of\": [\"d\"]}]",
      "[{\"sort\": [\"dt\"], \"by\": 1}]",
      "{\"sort\": [\"dt\"]}"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    struct frame *f = frame_table(arena, runs);
    CHECK_MESSAGE(frame_table_transform(&f, bad[i]) == BASE_E_INPUT, "%s was taken", bad[i]);
    CHECK(strncmp(base_message(), "test: ", 6) == 0);
  }
}
