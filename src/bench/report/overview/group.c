/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a row's motion is made of, told by what its runs measured, so that a case needs no label:
 * the medians over all finished runs of the largest number of contacts at once, of their mean
 * number, and of what impacts and friction took of the energy at stake E. In this order:
 *
 *   smooth    no contact ever carries
 *   many      more than MANY contacts carry at once
 *   impact    impacts take more than SHARE of E and of what friction takes more than PART, or
 *             contacts are open for half of the time
 *   sliding   friction takes more than SHARE of E
 *   rest      what is left: it sticks, rolls or rests
 */
#include <math.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/overview/overview.h"
#include "la/ensemble/quantile.h"

enum { MANY = 12 };
static const double SHARE = 1e-3;
static const double PART = 0.05, OPEN = 0.5;

const char *const overview_group_names[OVERVIEW_GROUPS] = {"smooth", "impact", "sliding", "rest",
                                                           "many bodies"};
const char *const overview_group_meanings[OVERVIEW_GROUPS] = {
    "no contact carries", "impacts take energy, or contacts open", "friction takes energy",
    "sticking, rolling, resting", "more than 12 contacts at once"};

enum { CONTACTS, OPENNESS, IMPACT, FRICTION, MEASURES };

static void measure(const struct report_record *r, double x[MEASURES]) {
  const double most = base_json_real_at(r->json, "contacts.max");
  const double stake = base_json_real_at(r->json, "quality.scales.energy");
  const double E = stake > 0 ? stake : report_energy_scale(r->json);
  x[CONTACTS] = most;
  x[OPENNESS] = most > 0 ? base_json_real_at(r->json, "contacts.mean") / most : NAN;
  x[IMPACT] = fabs(base_json_real_at(r->json, "energy.budget.impact")) / E;
  x[FRICTION] = fabs(base_json_real_at(r->json, "energy.budget.friction")) / E;
}

enum overview_group overview_group_of(const struct report *report, int n,
                                      const struct report_record *const *records) {
  double *all = base_arena_matrix(report->arena, n, MEASURES), median[MEASURES];
  int count[MEASURES] = {0};
  for (int i = 0; i < n; ++i) {
    double x[MEASURES];
    if (records[i]->status != BASE_OK) {
      continue;
    }
    measure(records[i], x);
    for (int k = 0; k < MEASURES; ++k) {
      if (isfinite(x[k])) {
        all[k * n + count[k]++] = x[k];
      }
    }
  }
  for (int k = 0; k < MEASURES; ++k) {
    median[k] = count[k] > 0 ? la_median(count[k], all + (long)k * n) : 0;
  }
  const int hits = median[IMPACT] > SHARE && median[IMPACT] > PART * median[FRICTION];
  const int opens = count[OPENNESS] > 0 && median[OPENNESS] < OPEN;
  return count[CONTACTS] > 0 && median[CONTACTS] <= 0 ? OVERVIEW_SMOOTH
         : median[CONTACTS] > MANY                    ? OVERVIEW_MANY
         : hits || opens                              ? OVERVIEW_IMPACT
         : median[FRICTION] > SHARE                   ? OVERVIEW_SLIDING
                                                      : OVERVIEW_REST;
}
