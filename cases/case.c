/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The registry of cases: the list of registry.h, by number and by name.
 */
#include "cases/case.h"

#include "base/names.h"

#define CASE(name) extern const struct case_type case_##name;
#include "cases/registry.h"
#undef CASE

static const struct case_type *const case_types[] = {
#define CASE(name) &case_##name,
#include "cases/registry.h"
#undef CASE
};
static const char *const case_identifiers[] = {
#define CASE(name) #name,
#include "cases/registry.h"
#undef CASE
};

enum { CASE_COUNT = (int)(sizeof case_types / sizeof case_types[0]), CASE_NAME_SIZE = 64 };

/* Names with dashes, made before main() so that threads only read them. */
static char case_name_texts[CASE_COUNT][CASE_NAME_SIZE];
static const char *case_names[CASE_COUNT];
__attribute__((constructor)) static void case_make_names(void) {
  for (int i = 0; i < CASE_COUNT; ++i) {
    case_names[i] =
        base_name_from_identifier(case_identifiers[i], case_name_texts[i], CASE_NAME_SIZE);
  }
}

int case_count(void) { return CASE_COUNT; }

const struct case_type *case_get(int i) { return i >= 0 && i < CASE_COUNT ? case_types[i] : NULL; }

const char *case_name(const struct case_type *type) {
  if (type->name != NULL) {
    return type->name;
  }
  for (int i = 0; i < CASE_COUNT; ++i) {
    if (case_types[i] == type) {
      return case_names[i];
    }
  }
  return "?";
}

const struct case_type *case_find(const char *name) {
  const int i = base_name_find("case", name, CASE_COUNT, case_names);
  return i < 0 ? NULL : case_types[i];
}
