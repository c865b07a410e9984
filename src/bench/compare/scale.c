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
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/commands.h"

static const double SMALL = 1e-3;

/* The longest path that fits counts; what none fits is the last. */
static const struct {
  const char *path;
  enum compare_unit unit;
} blocks[] = {
    {"schema", COMPARE_INPUT},
    {"status", COMPARE_INPUT},
    {"reason", COMPARE_PLACE},
    {"case", COMPARE_INPUT},
    {"case.notes", COMPARE_PLACE},
    {"formulation", COMPARE_INPUT},
    {"formulation.stable_dt", COMPARE_OWN},
    {"formulation.mcp", COMPARE_OWN},
    {"solver", COMPARE_INPUT},
    {"solver.chosen", COMPARE_OWN},
    {"solver.rounds", COMPARE_OWN},
    {"steps", COMPARE_OWN},
    {"final", COMPARE_OWN},
    {"final.q", COMPARE_LENGTH},
    {"final.u", COMPARE_SPEED},
    {"final.impulses.id", COMPARE_EXACT},
    {"final.impulses.r", COMPARE_IMPULSE},
    {"reference", COMPARE_LENGTH},
    {"reference.reason", COMPARE_PLACE},
    {"errors", COMPARE_LENGTH},
    {"errors.u_hausdorff", COMPARE_ONE},
    {"energy", COMPARE_ENERGY},
    {"energy.errors.reason", COMPARE_PLACE},
    {"start", COMPARE_LENGTH},
    {"start.gamma_S_max", COMPARE_SPEED},
    {"constraints", COMPARE_LENGTH},
    {"constraints.velocity_max", COMPARE_SPEED},
    {"law", COMPARE_SPEED}, /* residuals, Signorini's condition; of solutions a text */
    {"law.relative_b_max", COMPARE_ONE},
    {"law.at", COMPARE_PLACE},
    {"law.duality_gap", COMPARE_ENERGY},
    {"law.objective", COMPARE_PLACE}, /* of the step with the largest gap, whichever that is */
    {"law.cone", COMPARE_IMPULSE},
    {"law.angle", COMPARE_ONE},
    {"law.dissipation_shortfall", COMPARE_ENERGY},
    {"momentum", COMPARE_IMPULSE},
    {"momentum.balance_max", COMPARE_ONE},
    {"iterations", COMPARE_OWN},
    {"iterations.newton_residual", COMPARE_ONE},
    {"contacts", COMPARE_OWN},
    {"quality", COMPARE_INPUT},
    {"quality.why", COMPARE_PLACE},
    {"quality.scales.length", COMPARE_LENGTH},
    {"quality.scales.energy", COMPARE_ENERGY},
    {"quality.measures", COMPARE_ONE},
    {"contact", COMPARE_OWN},
    {"contact.b", COMPARE_SPEED},
    {"contact.impulse", COMPARE_IMPULSE},
    {"contact.coulomb[].r", COMPARE_IMPULSE},
    {"contact.coulomb[].v", COMPARE_SPEED},
    {"contact.coulomb[].energy", COMPARE_ENERGY},
    {"contact.max_dissipation.r", COMPARE_IMPULSE},
    {"contact.max_dissipation.v", COMPARE_SPEED},
    {"contact.max_dissipation.energy", COMPARE_ENERGY},
    {"observables", COMPARE_OWN},
    {"trajectory.t", COMPARE_OWN},
    {"trajectory.q", COMPARE_LENGTH},
    {"trajectory.u", COMPARE_SPEED},
    {"trajectory.energy", COMPARE_ENERGY},
    {"search", COMPARE_OWN},
    {"search.trials[].q_linf", COMPARE_LENGTH},
    {"threshold", COMPARE_OWN},
    {"threshold.trials[].measured", COMPARE_CONDITION},
    {"r", COMPARE_IMPULSE}, /* of solutions, down to duality_gap */
    {"z", COMPARE_IMPULSE},
    {"v", COMPARE_SPEED},
    {"w", COMPARE_SPEED},
    {"residual", COMPARE_ONE},
    {"residual.absolute", COMPARE_SPEED},
    {"objective", COMPARE_ENERGY},
    {"duality_gap", COMPARE_ENERGY},
    {"caption", COMPARE_PLACE}, /* of figures */
    {"checks[]", COMPARE_SIBLINGS},
    {"reports[]", COMPARE_SIBLINGS},
    {"blocks[]", COMPARE_COLUMN}, /* of tables */
    {"all else", COMPARE_OWN},
};
enum { BLOCKS = sizeof blocks / sizeof *blocks };
_Static_assert((int)BLOCKS <= (int)COMPARE_BLOCKS_MAX, "more blocks than their arrays hold");

static const char *const unit_help[COMPARE_UNITS] = {
    [COMPARE_INPUT] = "alike or not, whatever tolerance and noise",
    [COMPARE_EXACT] = "alike or not",
    [COMPARE_PLACE] =
        "numbers in it never count: a place, or words about what is measured elsewhere",
    [COMPARE_OWN] = "the number itself; in a list the largest of it",
    [COMPARE_SIBLINGS] = "the largest of what was measured and its bounds",
    [COMPARE_COLUMN] = "the largest number of the columns of the same unit; 1 of unit [-]",
    [COMPARE_ONE] = "1",
    [COMPARE_LENGTH] = "the largest coordinate [m or rad]",
    [COMPARE_SPEED] = "the largest velocity, of bodies or free at contacts [m/s or rad/s]",
    [COMPARE_ENERGY] = "the largest energy of the run [J]",
    [COMPARE_IMPULSE] = "the largest impulse [N s]",
    [COMPARE_CONDITION] = "that of the key in the condition",
};

int compare_block_count(void) { return BLOCKS; }

const char *compare_block_name(int block) { return blocks[block].path; }

enum compare_unit compare_block_unit(int block) { return blocks[block].unit; }

int compare_block_of(const char *path) {
  int found = BLOCKS - 1;
  size_t longest = 0;
  for (int i = 0; i < BLOCKS - 1; ++i) {
    const size_t length = strlen(blocks[i].path);
    const int fits = strncmp(path, blocks[i].path, length) == 0 && length > longest &&
                     (path[length] == '\0' || path[length] == '.' || path[length] == '[');
    found = fits ? i : found;
    longest = fits ? length : longest;
  }
  return found;
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

static void scales_of(const cJSON *record, double scale[COMPARE_UNITS]) {
  static const char *const lengths[] = {"final.q", "trajectory.q", "search.length", NULL};
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
  scale[COMPARE_LENGTH] = fmax(L0, SMALL * U0 * T); /* not a number without T: then the first */
  scale[COMPARE_SPEED] = fmax(U0, SMALL * ratio(L0, T));
  scale[COMPARE_ENERGY] = fmax(largest_at(record, energies), is_solution ? R0 * U0 : 0);
  const double momentum = ratio(K, fmax(U0, ratio(L0, T)));
  const double push = base_json_real_at(record, "dt") * ratio(scale[COMPARE_ENERGY], L0);
  scale[COMPARE_IMPULSE] = fmax(R0, SMALL * fmax(momentum, push));
}

/* "|final.u.box.vx|<1e-8" -> the block of final.u.box.vx */
static enum compare_unit unit_of_condition(const cJSON *record) {
  char key[240];
  const char *text = base_json_text_at(record, "threshold.condition");
  text += strspn(text, "|");
  snprintf(key, sizeof key, "%.*s", (int)strcspn(text, "|<>="), text);
  const enum compare_unit unit = blocks[compare_block_of(key)].unit;
  return unit == COMPARE_CONDITION ? COMPARE_OWN : unit;
}

void compare_scales(const cJSON *a, const cJSON *b, double scale[COMPARE_UNITS]) {
  double left[COMPARE_UNITS] = {0}, right[COMPARE_UNITS] = {0};
  scales_of(a, left);
  scales_of(b, right);
  for (int i = 0; i < COMPARE_UNITS; ++i) {
    scale[i] = fmax(left[i], right[i]);
  }
  scale[COMPARE_ONE] = 1;
  scale[COMPARE_CONDITION] = scale[unit_of_condition(a)];
}

void bench_describe_compare(void) {
  printf("compare: blocks of a record and what a difference in them is measured by; the longest\n"
         "name that fits counts, `timing` and `provenance` are left out\n");
  for (int i = 0; i < BLOCKS; ++i) {
    printf("  %-32s %s\n", blocks[i].path, unit_help[blocks[i].unit]);
  }
  printf("coordinates, velocities and impulses are those of final state and trajectory; scales\n"
         "are at least %g of what the others make: speed of length over the time of the run,\n"
         "length of speed times time, impulse of momentum and of energy over length times step\n",
         SMALL);
}
