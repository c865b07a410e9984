/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Queries of ensembles on small tables whose answers are counted by hand: medians, pairs, ranks and
 * fronts of members that come in clusters, and shares of variance. That the intervals and shares
 * are right is for the tests of la/ensemble.
 */
#include <math.h>

#include "base/status.h"
#include "tests/frame_table.h"
#include "tests/test.h"

/* Scene c has a member fewer, its list for y none at all: infinite, and in the middle is 5. */
TEST(medians_are_of_all_members) {
  struct base_arena *arena = test_arena();
  struct frame *f = frame_table(arena, "law scene x\nn a 1,5\nn b 4,6\nn c 9,-\nm a 7,8\nm b -\n");
  CHECK_INT(frame_table_transform(
                &f, "[{\"bootstrap\": \"x\", \"clusters\": \"scene\", \"groupby\": [\"law\"]}]"),
            BASE_OK);
  CHECK_SHOWN(f, "law", "n m");
  CHECK_SHOWN(f, "members", "6 2"); /* of scene b m has none */
  CHECK_SHOWN(f, "median", "5.5 7.5");
  CHECK_SHOWN(f, "lo", "- -"); /* two and three scenes give no interval */
}

/* Of six scenes with two members each m is twice n but in one, where it ties. */
static const char laws[] = "law scene x\nn a 1,2\nm a 2,4\nn b 1,3\nm b 2,6\nn c 5,7\nm c 10,14\n"
                           "n d 1,1\nm d 2,2\nn e 4,8\nm e 8,16\nn f 3,3\nm f 3,3\n";

TEST(laws_are_compared_on_the_same_members) {
  struct base_arena *arena = test_arena();
  struct frame *f = frame_table(arena, laws);
  CHECK_INT(frame_table_transform(&f, "[{\"paired\": \"x\", \"of\": \"law\", \"against\": \"n\", "
                                      "\"clusters\": \"scene\"}, {\"calculate\": \"10^log_ratio\", "
                                      "\"as\": \"ratio\"}]"),
            BASE_OK);
  CHECK_SHOWN(f, "law", "n m");
  CHECK_SHOWN(f, "log_ratio_lo", "0 0"); /* the tie may be drawn often enough */
  CHECK_NEAR(frame_real(f, 1, frame_find(f, "ratio")), 2, 1e-12);
  CHECK_NEAR(frame_real(f, 1, frame_find(f, "better")), 1.0 / 12, 1e-12);
  CHECK_NEAR(frame_real(f, 0, frame_find(f, "rank")), 1 + 1.0 / 12, 1e-12);
  CHECK_NEAR(frame_real(f, 1, frame_find(f, "rank")), 2 - 1.0 / 12, 1e-12);
  CHECK_SHOWN(f, "may_be_best", "1 0");
  /* held against nobody: ranks alone; a law without a scene fails there */
  f = frame_table(arena, "law scene x\nn a 1,2\nm a 2,4\nn b 1,1\n");
  CHECK_INT(frame_table_transform(&f, "[{\"paired\": \"x\", \"of\": \"law\", \"against\": \"z\", "
                                      "\"clusters\": \"scene\"}]"),
            BASE_OK);
  CHECK_SHOWN(f, "log_ratio", "- -");
  CHECK_SHOWN(f, "rank", "1 2");
}

/* Points (1, 0.1), (2, 0.01) and (3, 0.05), which is dearer and worse than the second. */
TEST(fronts_are_read_within_what_was_measured) {
  struct base_arena *arena = test_arena();
  struct frame *f =
      frame_table(arena, "dt scene work error\n1 a 1,1,1 0.2,0.1,0.05\n2 a 2,2,2 0.01,0.01,0.01\n"
                         "3 a 3,3,3 0.05,0.05,0.05\n");
  CHECK_INT(frame_table_transform(
                &f, "[{\"front\": [\"work\", \"error\"], \"points\": [\"dt\"], \"errors\": [0.1, "
                    "0.01, 0.001], \"costs\": [0.5, 3, 9], \"clusters\": \"scene\"}]"),
            BASE_OK);
  CHECK_SHOWN(f, "of", "work work work error error error");
  CHECK_SHOWN(f, "at", "0.1 0.01 0.001 0.5 3 9");
  CHECK(isinf(frame_real(f, 2, frame_find(f, "value"))));
  CHECK(isinf(frame_real(f, 3, frame_find(f, "value"))));
  CHECK_NEAR(frame_real(f, 0, frame_find(f, "value")), 1, 1e-12);
  CHECK_NEAR(frame_real(f, 1, frame_find(f, "value")), 2, 1e-12);
  CHECK_NEAR(frame_real(f, 4, frame_find(f, "value")), 0.01, 1e-12);
  CHECK_NEAR(frame_real(f, 5, frame_find(f, "value")), 0, 0); /* less than all that was measured */
}

/* y = a + s with a = -1, 1 and s = 0, 3, 6: variances 1 and, of scenes that stand for others, 9. A
 * law that two scenes lack is left out. */
TEST(shares_are_those_of_sums) {
  struct base_arena *arena = test_arena();
  struct frame *f = frame_table(arena, "law scene y\nn a -1\nm a 1\nn b 2\nm b 4\nn c 5\nm c 7\n"
                                       "l a 8\n");
  CHECK_INT(frame_table_transform(
                &f, "[{\"variance\": \"y\", \"fixed\": [\"law\"], \"random\": \"scene\"}]"),
            BASE_OK);
  CHECK_SHOWN(f, "factor", "law scene law x scene higher");
  CHECK_NEAR(frame_real(f, 0, frame_find(f, "first")), 0.1, 1e-12);
  CHECK_NEAR(frame_real(f, 1, frame_find(f, "total")), 0.9, 1e-12);
  CHECK_NEAR(frame_real(f, 2, frame_find(f, "first")), 0, 1e-12);
  CHECK_SHOWN(f, "first_lo", "- - - -");
  CHECK_SHOWN(f, "levels", "2 3 - -");
  CHECK_SHOWN(f, "of", "3 3 - -");
  CHECK_TEXT(frame_text(f, 0, frame_find(f, "which")), "n m");
  CHECK_SHOWN(f, "cells", "9 9 9 9");
  CHECK_SHOWN(f, "kept", "6 6 6 6");
}

/* The same with members -1 and 1 of each, of variance 2 as they stand for others. */
TEST(entries_of_lists_are_a_factor) {
  struct base_arena *arena = test_arena();
  struct frame *f =
      frame_table(arena, "set law scene y\np n a -2,0\np m a 0,2\np n b 1,3\np m b 3,5\n"
                         "p n c 4,6\np m c 6,8\nq n a 1,1,9\nq n b 2,2\n");
  CHECK_INT(frame_table_transform(
                &f, "[{\"variance\": \"y\", \"fixed\": \"law\", \"random\": "
                    "\"scene\", \"entries\": \"member\", \"groupby\": [\"set\"]}, "
                    "{\"calculate\": \"round(1200 * first) / 100\", \"as\": \"part\"}]"),
            BASE_OK);
  CHECK_SHOWN(f, "set", "p p p p p p p q q q q q q q");
  CHECK_SHOWN(f, "factor",
              "law scene member law x scene law x member scene x member higher "
              "law scene member law x scene law x member scene x member higher");
  CHECK_SHOWN(f, "part", "1 9 2 0 0 0 0 0 12 0 0 0 0 0");
  CHECK_SHOWN(f, "of", "2 3 2 - - - - 1 2 2 - - - -"); /* the third member is of one scene alone */
}

TEST(slips_are_refused) {
  static const struct {
    const char *table, *query, *message;
  } slips[] = {
      {"law scene y\nn a 1\nn a 2\n",
       "[{\"variance\": \"y\", \"fixed\": \"law\", \"random\": \"scene\"}]",
       "two rows have the same"},
      {"law scene y\nn a 1,2\n",
       "[{\"variance\": \"y\", \"fixed\": \"law\", \"random\": \"scene\"}]", "wants \"entries\""},
      {"law scene y\nn a 1\n", "[{\"variance\": \"y\", \"random\": \"scene\"}]", "wants 1 to 6"},
      {"law scene y\nn a 1\nn a 2\n", "[{\"bootstrap\": \"y\", \"clusters\": \"scene\"}]",
       "two rows of one value of 'scene'"},
      {"law scene y\nn a 1\n", "[{\"bootstrap\": \"y\"}]", "clusters"},
      {"law scene y\nn a 1\n",
       "[{\"paired\": \"y\", \"of\": \"lew\", \"against\": \"n\", "
       "\"clusters\": \"scene\"}]",
       "did you mean 'law'"},
      {"law scene y\nn a 1\n", "[{\"front\": \"y\", \"clusters\": \"scene\"}]", "two columns"},
      {"law scene y\nn a 1\n",
       "[{\"front\": [\"y\", \"y\"], \"points\": \"law\", \"errors\": [1], "
       "\"clusters\": \"scene\"}]",
       "costs"}};
  struct base_arena *arena = test_arena();
  for (size_t i = 0; i < sizeof slips / sizeof *slips; ++i) {
    struct frame *f = frame_table(arena, slips[i].table);
    CHECK_INT(frame_table_transform(&f, slips[i].query), BASE_E_INPUT);
    CHECK_MESSAGE(strstr(base_message(), slips[i].message) != NULL, "%s", base_message());
  }
}
