/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks of records, and what their differences are measured by. A number near zero carries the
 * rounding of the larger ones it was made from, so that its difference means something against
 * these alone. With the largest magnitudes of either record,
 *
 *   L0  of the coordinates (final, trajectory), and the system's length where a search tells it [m]
 *   U0  of the velocities (final, trajectory; of solutions v and w), and of b, the free velocities
 *       of the contacts, as the residual over the residual relative to b tells it [m/s]
 *   R0  of the impulses [N s],  K of the kinetic energy [J]
 *
 * the scales over the horizon T are
 *
 *   length   L = max(L0, SMALL U0 T)
 *   speed    U = max(U0, SMALL L0 / T)
 *   energy   E = largest number of the energy block and of the trajectory's energy; of solutions
 *                max(|objective|, R U)
 *   impulse  R = max(R0, SMALL K / max(U0, L0 / T), SMALL dt E / L0): momentum, and a force over a
 *                step
 *
 * Arguments after the first serve systems that end at rest, out of contact or at the origin, whose
 * last state is rounding alone. The factor SMALL keeps them from hiding anything: a speed that
 * moves the system by a thousandth of its size within the run, and so on. All else is measured by
 * itself.
 *
 * Scales cannot hide a difference: what one side alone has of a scale L0, U0, E or R is an entry
 * that differs by about 1 itself.
 */
#include "bench/compare/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json/json.h"

static const double SMALL = 1e-3;
enum { PATH_SIZE = 512 };

/* Measures by the unit of a field. */
static const struct {
  const char *unit;
  enum bench_scale scale;
} by_unit[] = {{"m", SCALE_LENGTH},  {"m, rad", SCALE_LENGTH},    {"rad", SCALE_ONE},
               {"m/s", SCALE_SPEED}, {"m/s, rad/s", SCALE_SPEED}, {"s", SCALE_OWN},
               {"J", SCALE_ENERGY},  {"N s", SCALE_IMPULSE},      {"N m s", SCALE_IMPULSE},
               {"-", SCALE_ONE}};

/* What the table of a record's fields does not tell: parts of what cases and searches write, and
 * other files. What nothing fits is the last. */
static const struct {
  const char *path;
  enum bench_scale scale;
} others[] = {
    {"contact.b", SCALE_SPEED},
    {"contact.impulse", SCALE_IMPULSE},
    {"contact.coulomb[].r", SCALE_IMPULSE},
    {"contact.coulomb[].v", SCALE_SPEED},
    {"contact.coulomb[].energy", SCALE_ENERGY},
    {"contact.max_dissipation.r", SCALE_IMPULSE},
    {"contact.max_dissipation.v", SCALE_SPEED},
    {"contact.max_dissipation.energy", SCALE_ENERGY},
    {"search.trials[].measured", SCALE_PLACE}, /* whether it holds is what counts */
    {"r", SCALE_IMPULSE},                      /* of solutions, down to duality_gap */
    {"z", SCALE_IMPULSE},
    {"v", SCALE_SPEED},
    {"w", SCALE_SPEED},
    {"residual", SCALE_ONE},
    {"residual.absolute", SCALE_SPEED},
    {"objective", SCALE_ENERGY},
    {"duality_gap", SCALE_ENERGY},
    {"caption", SCALE_PLACE}, /* of figures */
    {"text", SCALE_PLACE},
    {"checks[]", SCALE_SIBLINGS},
    {"reports[]", SCALE_SIBLINGS},
    {"all else", SCALE_OWN},
};
enum { OTHERS = sizeof others / sizeof *others };

static const char *const scale_help[SCALES] = {
    [SCALE_INPUT] = "input: must be equal, whatever the tolerance",
    [SCALE_EXACT] = "must be equal",
    [SCALE_PLACE] = "not compared: a place, or words with numbers that are compared elsewhere",
    [SCALE_OWN] = "the number itself; of a list the largest number",
    [SCALE_SIBLINGS] = "the largest of the measured value and its bounds",
    [SCALE_ONE] = "1",
    [SCALE_LENGTH] = "the largest coordinate [m or rad]",
    [SCALE_SPEED] = "the largest velocity of bodies, or free velocity of contacts [m/s or rad/s]",
    [SCALE_ENERGY] = "the largest energy of the run [J]",
    [SCALE_IMPULSE] = "the largest impulse [N s]",
};

/* Fields of a record, then the others. */
static int entries(void) { return bench_fields_count + OTHERS; }

static const char *entry_name(int entry) {
  return entry < bench_fields_count ? bench_fields[entry].key.name
                                    : others[entry - bench_fields_count].path;
}

/* The field or other path that fits the first `length` letters best; the last one: none does. */
static int entry_of(const char *path, size_t length) {
  int found = entries() - 1;
  size_t longest = 0;
  for (int i = 0; i < entries() - 1; ++i) {
    const char *name = entry_name(i);
    const size_t own = strlen(name);
    const int fits = own > longest && own <= length && strncmp(path, name, own) == 0 &&
                     (own == length || path[own] == '.' || path[own] == '[');
    found = fits ? i : found;
    longest = fits ? own : longest;
  }
  return found;
}

/* Of the block that an entry is in; of one on top SCALE_UNSET. */
static enum bench_scale outer_scale(const char *name) {
  const char *end = strrchr(name, '.');
  char outer[PATH_SIZE];
  if (end == NULL) {
    return SCALE_UNSET;
  }
  snprintf(outer, sizeof outer, "%.*s", (int)(end - name), name);
  return compare_scale(outer);
}

enum bench_scale compare_scale(const char *path) {
  const int entry = entry_of(path, strlen(path));
  if (entry >= bench_fields_count) {
    return others[entry - bench_fields_count].scale;
  }
  const struct bench_field *field = &bench_fields[entry];
  if (field->scale != SCALE_UNSET) {
    return field->scale;
  }
  for (size_t i = 0; i < sizeof by_unit / sizeof *by_unit; ++i) {
    if (strcmp(by_unit[i].unit, field->key.unit) == 0) {
      return by_unit[i].scale;
    }
  }
  const enum bench_scale outer = outer_scale(field->key.name);
  return outer != SCALE_UNSET ? outer : SCALE_OWN;
}

/* Largest finite magnitude in a value and all below it; 0 without any. */
static double largest_in(const cJSON *value) {
  if (cJSON_IsNumber(value)) {
    return isfinite(value->valuedouble) ? fabs(value->valuedouble) : 0;
  }
  double largest = 0;
  for (const cJSON *item = value != NULL ? value->child : NULL; item != NULL; item = item->next) {
    largest = fmax(largest, largest_in(item));
  }
  return largest;
}

static double largest_at(const cJSON *record, const char *const *paths) {
  double largest = 0;
  for (; *paths != NULL; ++paths) {
    largest = fmax(largest, largest_in(base_json_at(record, *paths)));
  }
  return largest;
}

/* x / y, 0 where that is no number to measure by. */
static double ratio(double x, double y) { return y > 0 && isfinite(x / y) ? x / y : 0; }

static void scales_of(const cJSON *record, double scale[SCALES]) {
  static const char *const lengths[] = {"final.q", "trajectory.q", NULL};
  static const char *const speeds[] = {"final.u", "trajectory.u", "contact.b", "v", "w", NULL};
  static const char *const impulses[] = {"final.impulses.r", "contact.impulse", "r", "z", NULL};
  static const char *const energies[] = {"energy", "trajectory.energy", "objective", NULL};
  const double T = base_json_real_at(record, "t_end");
  const double b = ratio(base_json_real_at(record, "law.residual_max"),
                         base_json_real_at(record, "law.relative_b_max"));
  const double b_solved = ratio(base_json_real_at(record, "residual.absolute"),
                                base_json_real_at(record, "residual.relative_b"));
  const double L0 = largest_at(record, lengths);
  const double U0 = fmax(largest_at(record, speeds), fmax(b, b_solved));
  const double R0 = largest_at(record, impulses);
  const double K = base_json_real_at(record, "energy.max_kinetic");
  const int is_solution = base_json_at(record, "energy") == NULL;
  scale[SCALE_LENGTH] = fmax(L0, SMALL * U0 * T); /* not a number without T: then the first */
  scale[SCALE_SPEED] = fmax(U0, SMALL * ratio(L0, T));
  scale[SCALE_ENERGY] = fmax(largest_at(record, energies), is_solution ? R0 * U0 : 0);
  const double momentum = ratio(K, fmax(U0, ratio(L0, T)));
  const double push = base_json_real_at(record, "dt") * ratio(scale[SCALE_ENERGY], L0);
  scale[SCALE_IMPULSE] = fmax(R0, SMALL * fmax(momentum, push));
}

void compare_scales(const cJSON *a, const cJSON *b, double scale[SCALES]) {
  double left[SCALES] = {0}, right[SCALES] = {0};
  scales_of(a, left);
  scales_of(b, right);
  for (int i = 0; i < SCALES; ++i) {
    scale[i] = fmax(left[i], right[i]);
  }
  scale[SCALE_ONE] = 1;
}

void bench_describe_compare(void) {
  printf("compare: the scale of differences in each block of a record. The longest name that fits\n"
         "counts; `timing`, `provenance` and `cell` are left out.\n");
  for (int i = 0; i < entries(); ++i) {
    const char *name = entry_name(i);
    const size_t top = strcspn(name, ".");
    const int is_left_out = strncmp(name, "timing", top) == 0 ||
                            strncmp(name, "provenance", top) == 0 ||
                            strncmp(name, "cell", top) == 0;
    if (!is_left_out && compare_scale(name) != outer_scale(name)) {
      printf("  %-32s %s\n", name, scale_help[compare_scale(name)]);
    }
  }
  printf("Coordinates, velocities and impulses are those of the final state and the trajectory.\n"
         "With the duration T, a length is at least %g speed T, a speed at least that part of\n"
         "length / T, an impulse at least that part of the momentum and of energy dt / length.\n",
         SMALL);
}
