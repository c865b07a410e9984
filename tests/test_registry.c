/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The registries of cases, formulations and solvers: every line is an object that is found by the
 * name it carries, which is its identifier with dashes for underscores, and no two share a name.
 */
#include "base/status.h"
#include "cases/case.h"
#include "form/form.h"
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

static const char *const case_identifiers[] = {
#define CASE(name) #name,
#include "cases/registry.h"
#undef CASE
};
static const char *const form_identifiers[] = {
#define FORMULATION(name) #name,
#include "form/registry.h"
#undef FORMULATION
};
static const char *const solver_identifiers[] = {
#define SOLVER(name) #name,
#include "problem/solvers/registry.h"
#undef SOLVER
};

static void check_name(const char *name, const char *identifier) {
  char expected[100];
  snprintf(expected, sizeof expected, "%s", identifier);
  for (char *c = expected; *c != '\0'; ++c) {
    *c = *c == '_' ? '-' : *c;
  }
  CHECK_TEXT(name, expected);
}

#define CHECK_REGISTRY(prefix, identifiers, unknown)                                               \
  CHECK_INT(prefix##_count(), sizeof(identifiers) / sizeof(identifiers)[0]);                       \
  for (int i = 0; i < prefix##_count(); ++i) {                                                     \
    CHECK(prefix##_find(prefix##_get(i)->name) == prefix##_get(i)); /* so no earlier one has it */ \
    check_name(prefix##_get(i)->name, (identifiers)[i]);                                           \
  }                                                                                                \
  CHECK(prefix##_get(-1) == NULL && prefix##_get(prefix##_count()) == NULL);                       \
  CHECK(prefix##_find(unknown) == NULL);                                                           \
  CHECK(strstr(base_message(), unknown) != NULL)

TEST(names_stand_in_the_objects) {
  CHECK_REGISTRY(case, case_identifiers, "no-such-case");
  CHECK_REGISTRY(form, form_identifiers, "no-such-formulation");
  CHECK_REGISTRY(problem_solver, solver_identifiers, "no-such-solver");
}

static int same_look(const struct base_look *a, const struct base_look *b) {
  int same = a->point > 0 && a->colour == b->colour && a->point == b->point;
  for (size_t i = 0; i < sizeof a->dashes / sizeof a->dashes[0]; ++i) {
    same = same && a->dashes[i] == b->dashes[i];
  }
  return same;
}

/* Curves are told apart by looks that belong to the objects. */
TEST(no_two_look_the_same) {
  for (int i = 0; i < form_count(); ++i) {
    for (int j = 0; j < i; ++j) {
      CHECK_MESSAGE(!same_look(&form_get(i)->look, &form_get(j)->look), "%s and %s",
                    form_get(i)->name, form_get(j)->name);
    }
  }
  for (int i = 0; i < problem_solver_count(); ++i) {
    for (int j = 0; j < i; ++j) {
      CHECK_MESSAGE(!same_look(&problem_solver_get(i)->look, &problem_solver_get(j)->look),
                    "%s and %s", problem_solver_get(i)->name, problem_solver_get(j)->name);
    }
  }
}

TEST(slips_of_the_pen_are_answered) {
  CHECK(form_find("moro") == NULL);
  CHECK(strstr(base_message(), "moreau") != NULL);
  CHECK(problem_solver_find("pgss") == NULL);
  CHECK(strstr(base_message(), "did you mean 'pgs'?") != NULL);
  CHECK(case_find("oscilator") == NULL);
  CHECK(strstr(base_message(), "did you mean 'oscillator'?") != NULL);
}

TEST_MAIN()
