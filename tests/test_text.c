/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text from outside: characters of UTF-8, lines fit for a terminal, and names given by files.
 */
#include "base/names.h"
#include "base/text.h"
#include "tests/test.h"

TEST(names_cannot_leave_their_folder) {
  struct base_arena *arena = test_arena();
  static const char *const made[][2] = {
      {"a b", "a_b"},       {"", "_"},           {"../../x", "_._.._x"},
      {"..", "_."},         {"-rf", "_rf"},      {".hidden", "_hidden"},
      {"=1+2", "_1+2"},     {"x, y", "x_y"},     {"K\xc3\xbcgel", "K_gel"},
      {"lcp-st", "lcp-st"}, {"a_-.+9", "a_-.+9"}};
  for (size_t i = 0; i < sizeof made / sizeof *made; ++i) {
    CHECK_TEXT(base_name_clean(made[i][0], arena), made[i][1]);
  }
  struct base_rng *rng = test_rng(0);
  for (int i = 0; i < 1000; ++i) {
    char text[12] = "";
    for (int k = base_rng_below(rng, sizeof text); k > 0; --k) {
      text[k - 1] = (char)(1 + base_rng_below(rng, 255));
    }
    const char *name = base_name_clean(text, arena);
    CHECK(name[0] != '\0' && strchr("-+.", name[0]) == NULL);
    CHECK_INT(strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+."),
              strlen(name));
    CHECK_TEXT(base_name_clean(name, arena), name);
  }
}

TEST(plain_names_are_told_from_others) {
  static const char *const plain[] = {"ball", "lcp-st", "a_1+2", "K\xc3\xbcgel", "\xe7\x90\x83"};
  static const char *const others[] = {"",    "a b", "a.b",           "a/b",        "it's",
                                       "`a`", "a\n", "a\x7f",         "a\xff",      "a\xc2\x9b",
                                       "$a",  "a|b", "a\xe2\x80\xa8", "a\xc0\xafx", "a=b"};
  for (size_t i = 0; i < sizeof plain / sizeof *plain; ++i) {
    CHECK_MESSAGE(base_name_is_plain(plain[i]), "%s", plain[i]);
  }
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
    CHECK_MESSAGE(!base_name_is_plain(others[i]), "%s", others[i]);
  }
  char name[BASE_NAME_MAX + 2];
  memset(name, 'a', sizeof name);
  name[BASE_NAME_MAX] = '\0';
  CHECK(base_name_is_plain(name));
  name[BASE_NAME_MAX] = 'a', name[BASE_NAME_MAX + 1] = '\0';
  CHECK(!base_name_is_plain(name));
}

TEST(characters_are_those_of_utf8) {
  static const struct {
    const char *text;
    size_t length;
  } all[] = {{"", 1},
             {"a", 1},
             {"\xc3\xa4", 2},
             {"\xe2\x82\xac", 3},
             {"\xf0\x9f\x98\x80", 4},
             {"\xf4\x8f\xbf\xbf", 4},
             {"\x80", 0},
             {"\xc3", 0},
             {"\xc0\xaf", 0},         /* overlong */
             {"\xe0\x80\xaf", 0},     /* overlong */
             {"\xed\xa0\x80", 0},     /* a surrogate */
             {"\xf4\x90\x80\x80", 0}, /* above U+10FFFF */
             {"\xfc\x84\x80\x80", 0}, /* no first byte */
             {"\xff", 0}};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    CHECK_INT(base_text_character(all[i].text), all[i].length);
  }
}

TEST(texts_are_cut_between_characters) {
  struct base_arena *arena = test_arena();
  CHECK_TEXT(base_text_cut("abcdef", 6, arena), "abcdef");
  CHECK_TEXT(base_text_cut("abcdefg", 6, arena), "abc...");
  CHECK_TEXT(base_text_cut("ab\xc3\xa4xyz", 6, arena), "ab...");
  CHECK_TEXT(base_text_cut("a\xc3\xa4\xc3\xa4yz", 6, arena), "a\xc3\xa4...");
  CHECK_TEXT(base_text_cut("", 6, arena), "");
}

TEST(messages_steer_no_terminal) {
  base_fail(BASE_E_INPUT, "a\x1b]0;x\x07 b\r\nc\x7f \xc2\x9bK \xe2\x80\xa8 d\xc3\xa4");
  CHECK_TEXT(base_message(), "a ]0;x  b  c   K   d\xc3\xa4");
}
