/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of the comparison of records: every entry has the scale it says it has, nothing that
 * differs is lost, what has no size is infinite. The rest is in tests/cli/compare.sh.
 */
#include "tests/test.h"

#include <stdlib.h>

#include "base/json/json.h"
#include "bench/compare/compare.h"
#include "tests/worked.h"

static struct compare_result compared(const char *a, const char *b) {
  static const struct base_words none = {0}; /* left out */
  struct compare_result result;
  cJSON *left = test_json(cJSON_Parse(a)), *right = test_json(cJSON_Parse(b)); /* infinite too */
  CHECK(left != NULL && right != NULL);
  compare_values(left, right, &none, NULL, &result);
  return result;
}

static long count(const struct compare_result *r) {
  return r->n[COMPARE_ASKED] + r->n[COMPARE_CAME] + r->n[COMPARE_SAID];
}

/* The worst entry of the first part that has any. */
static const struct compare_entry *worst_of(const struct compare_result *r) {
  int part = 0;
  while (part < COMPARE_SAID && r->n[part] == 0) {
    ++part;
  }
  return &r->worst[part];
}

/* The text with the only "old" of "old | new" replaced. */
static const char *edited(const struct worked *w, const char *text) {
  const char *bar = strstr(w->left, " | ");
  const char *old = base_arena_printf(test_arena(), "%.*s", (int)(bar - w->left), w->left);
  const char *at = strstr(text, old);
  if (at == NULL || strstr(at + 1, old) != NULL) {
    worked_fail(w, "is not there once");
    return text;
  }
  return base_arena_printf(test_arena(), "%.*s%s%s", (int)(at - text), text, bar + 3,
                           at + strlen(old));
}

/* The difference is of that size, in that entry, both ways, and nothing else is. */
TEST(differences_have_their_size) {
  const char *text = "";
  for (struct worked w = worked_begin("differences.txt"); worked_next(&w);) {
    if (w.right == NULL) {
      text = w.left;
      continue;
    }
    const char *other = edited(&w, text), *size = strchr(w.right, ' ');
    const struct compare_result r = compared(text, other), back = compared(other, text);
    const struct compare_entry *worst = worst_of(&r);
    const double due = size != NULL ? strtod(size, NULL) : 0;
    if (strcmp(w.right, "none") == 0) {
      CHECK_INT(count(&r), 0);
    } else if (strcmp(w.right, "large") == 0) {
      CHECK_LE(0.99, r.worst[COMPARE_CAME].size);
    } else if (strncmp(worst->path, w.right, (size_t)(size - w.right)) != 0 ||
               worst->path[size - w.right] != '\0' ||
               !(worst->size == due || fabs(worst->size - due) <= 1e-6 * due) ||
               worst_of(&back)->size != worst->size || (isfinite(due) && count(&r) != 1)) {
      worked_fail(&w, "is %s %.9g, %ld entries", worst->path, worst->size, count(&r));
    }
  }
}

/* The unit of a field decides, beside what the table says, else the block that it is in. */
TEST(scales_are_those_of_the_table_of_fields) {
  static const struct {
    const char *path;
    enum bench_scale scale;
  } cases[] = {{"errors.q_linf", SCALE_LENGTH},
               {"errors.u_hausdorff", SCALE_ONE},
               {"energy.budget.impact", SCALE_ENERGY},
               {"energy.errors.reason", SCALE_PLACE},
               {"start.gamma_S_max", SCALE_SPEED},
               {"law.residual_max", SCALE_SPEED},
               {"law.at.step", SCALE_PLACE},
               {"momentum.angular", SCALE_IMPULSE},
               {"iterations.mean", SCALE_OWN},
               {"formulation.options.K", SCALE_INPUT},
               {"dt", SCALE_INPUT},
               {"quality.verdict", SCALE_EXACT},
               {"final.q[0]", SCALE_LENGTH},
               {"contact.coulomb[].r[0]", SCALE_IMPULSE},
               {"checks[].measured", SCALE_SIBLINGS},
               {"lawless", SCALE_OWN}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    CHECK_INT(compare_scale(cases[i].path), cases[i].scale);
  }
}
