/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The registries of cases, formulations and solvers: every line is an object that is found by the
 * name it carries, which is its identifier with dashes for underscores, and no two share a name.
 */
#include "base/data.h"
#include "base/status.h"
#include "cases/case.h"
#include "form/form.h"
#include "tests/scratch.h"
#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Formulations that have a hue in common; last the simulators of others. */
static const char *const families[] = {
    " moreau moreau-theta ",
    " lcp-st lcp-ap lcp-dca ",
    " ccp sap mujoco-soft ",
    " ncp mdp ",
    " tgs-soft avbd ",
    " penalty ",
    " consistent-constant consistent-constant-gear consistent-coordinate consistent-decomposed ",
    " consistent-onestep consistent-twostep consistent-quaternion consistent-quaternion-twostep ",
    " event ",
    " ode mujoco mujoco-2 bullet rapier jolt siconos "};
enum { FAMILIES = sizeof families / sizeof families[0], ENGINES = FAMILIES - 1 };

/* FAMILIES: it has a look of its own, or none. */
static int family_of(const char *name) {
  char word[60];
  snprintf(word, sizeof word, " %s ", name);
  int i = 0;
  while (i < FAMILIES && strstr(families[i], word) == NULL) {
    ++i;
  }
  return i;
}

/* A linear map of three numbers, row by row. */
static void map(const double a[9], const double in[3], double out[3]) {
  for (int i = 0; i < 3; ++i) {
    out[i] = a[3 * i] * in[0] + a[3 * i + 1] * in[1] + a[3 * i + 2] * in[2];
  }
}

/* A colour as perceived, in OKLab (Ottosson 2020: lightness, then two axes of hue; a distance of
 * 0.02 is just noticeable): with normal sight, and without the red, the green or the blue cones
 * (Machado, Oliveira, Fernandes 2009). */
enum { SIGHTS = 4 };
static void see(unsigned colour, int sight, double lab[3]) {
  static const double sights[SIGHTS][9] = {
      {1, 0, 0, 0, 1, 0, 0, 0, 1},
      {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
      {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
      {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367,
       0.303900}};
  static const double to_cones[9] = {0.4122214708, 0.5363325363, 0.0514459929,
                                     0.2119034982, 0.6806995451, 0.1073969566,
                                     0.0883024619, 0.2817188376, 0.6299787005};
  static const double to_lab[9] = {0.2104542553, 0.7936177850,  -0.0040720468,
                                   1.9779984951, -2.4285922050, 0.4505937099,
                                   0.0259040371, 0.7827717662,  -0.8086757660};
  double light[3], seen[3], cones[3];
  for (int i = 0; i < 3; ++i) {
    const double c = (colour >> (16 - 8 * i) & 255) / 255.0;
    light[i] = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
  }
  map(sights[sight], light, seen);
  for (int i = 0; i < 3; ++i) {
    seen[i] = fmin(1, fmax(0, seen[i]));
  }
  map(to_cones, seen, cones);
  for (int i = 0; i < 3; ++i) {
    cones[i] = cbrt(cones[i]);
  }
  map(to_lab, cones, lab);
}

/* The least distance of two colours over all sights. */
static double apart(unsigned a, unsigned b) {
  double least = INFINITY, x[3], y[3];
  for (int sight = 0; sight < SIGHTS; ++sight) {
    see(a, sight, x);
    see(b, sight, y);
    least = fmin(least, sqrt(pow(x[0] - y[0], 2) + pow(x[1] - y[1], 2) + pow(x[2] - y[2], 2)));
  }
  return least;
}
static const double APART = 0.055; /* of what one figure may draw together */

static double hue(unsigned colour) {
  double lab[3];
  see(colour, 0, lab);
  return atan2(lab[2], lab[1]);
}

/* Members of a family have a hue in common: shades, dashes and points tell them. Engines are greys,
 * each told from the others. */
TEST(families_and_engines_are_told_apart_by_colour_also_without_a_kind_of_cones) {
  for (int i = 0; i < form_count(); ++i) {
    const struct form *a = form_get(i);
    const int family = family_of(a->name);
    CHECK_MESSAGE(family < FAMILIES || a->look.point == 0 || a->is_family,
                  "%s has a look and is of no family", a->name);
    for (int j = 0; j < i && family < FAMILIES; ++j) {
      const struct form *b = form_get(j);
      const int other = family_of(b->name);
      if (other < FAMILIES && (family != other || family == ENGINES)) {
        const double distance = apart(a->look.colour, b->look.colour);
        CHECK_MESSAGE(distance > APART, "%s and %s are %.3f apart", a->name, b->name, distance);
      } else if (other < FAMILIES) {
        const double turn = fabs(remainder(hue(a->look.colour) - hue(b->look.colour), 2 * M_PI));
        CHECK_MESSAGE(turn < 0.25, "%s and %s: hues %.2f rad apart", a->name, b->name, turn);
      }
    }
  }
}

/* The colours of style.gp for everything else differ from each other and from those of
 * formulations, engines excepted. */
TEST(hues_of_plots_are_told_apart_by_colour_also_without_a_kind_of_cones) {
  enum { MOST = 20 };
  unsigned hues[MOST];
  int n = 0;
  const char *text = scratch_text(base_data_path(test_arena(), "scripts/plot/style.gp"));
  const char *at = strstr(text, "\nhue_colours = '");
  CHECK(at != NULL);
  for (at += strcspn(at, "#"); n < MOST && *at == '#'; ++n) {
    char *end = NULL;
    hues[n] = (unsigned)strtoul(at + 1, &end, 16);
    CHECK_INT(end - at, 7); /* six digits behind the # */
    at = end + (*end == ' ');
  }
  CHECK_INT(n, 6);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      const double distance = apart(hues[i], hues[j]);
      CHECK_MESSAGE(distance > APART, "#%06x and #%06x are %.3f apart", hues[i], hues[j], distance);
    }
    for (int j = 0; j < form_count(); ++j) {
      const struct form *form = form_get(j);
      const double distance = apart(hues[i], form->look.colour);
      CHECK_MESSAGE(distance > APART || family_of(form->name) >= ENGINES,
                    "#%06x and %s are %.3f apart", hues[i], form->name, distance);
    }
  }
}
