/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A record in ten lines, for who runs a case and asks for no file: what ran, how it ended, and the
 * numbers that a table would show first. What does not exist is a dash.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "base/memory/arena.h"
#include "base/number.h"
#include "base/text.h"
#include "bench/record/record.h"

enum { SHOWN = 24, SHOWN_MAX = 12 };
struct shown {
  char text[SHOWN_MAX][SHOWN];
  int n;
};

/* The number at a path to three digits. */
static const char *number(struct shown *shown, const cJSON *record, const char *path) {
  const double x = base_json_real_at(record, path);
  char *text = shown->text[shown->n++ % SHOWN_MAX];
  snprintf(text, SHOWN, isfinite(x) ? x == floor(x) && fabs(x) < 1e7 ? "%.0f" : "%.3g" : "-", x);
  base_number_unpad(text);
  return text;
}

static void line(const char *what) { printf("%-13s", what); }

static void put_sought(const cJSON *record, struct base_arena *arena) {
  if (base_json_at(record, "search") != NULL) {
    const char *parameter = base_text_clean(base_json_text_at(record, "search.parameter"), arena);
    const cJSON *part = base_json_at(record, "search");
    for (; part != NULL; part = cJSON_GetObjectItemCaseSensitive(part, "second")) {
      line("search");
      printf("%s holds at %s = %.9g, fails at %.9g\n",
             base_text_clean(base_json_text_at(part, "until"), arena), parameter,
             base_json_real_at(part, "holds"), base_json_real_at(part, "fails"));
    }
  } else if (base_json_at(record, "ensemble") != NULL) {
    line("ensemble");
    printf("%d members\n", cJSON_GetArraySize(base_json_at(record, "ensemble.members")));
  }
}

/* A run in which nothing met says nothing about contacts. */
static void put_law(struct shown *s, const cJSON *record) {
  const int has_met = base_json_real_at(record, "contacts.max") != 0;
  char contacts[2 * SHOWN] = "contacts never closed";
  if (has_met) {
    snprintf(contacts, sizeof contacts, "%s contacts at most", number(s, record, "contacts.max"));
  }
  line("law");
  if (cJSON_IsNull(base_json_at(record, "formulation.law"))) {
    printf("none: contacts have springs, or events; %s\n", contacts);
    return;
  }
  printf("residual %s m/s, Signorini %s m/s, cone %s N s\n", number(s, record, "law.residual_max"),
         number(s, record, "law.signorini"), number(s, record, "law.cone"));
  line("iterations");
  printf("%s a step, %s at most; %s steps unsolved; %s\n", number(s, record, "iterations.mean"),
         number(s, record, "iterations.max"), number(s, record, "iterations.unconverged_steps"),
         contacts);
}

static void put_measured(struct shown *s, const cJSON *record, struct base_arena *arena) {
  const char *why = base_text_clean(base_json_text_at(record, "quality.why"), arena);
  const char *verdict = base_json_text_at(record, "quality.verdict");
  line("steps");
  printf("%s of %s s to t = %s s, in %s s\n", number(s, record, "steps"), number(s, record, "dt"),
         number(s, record, "final.t"), number(s, record, "timing.steps_s"));
  line("quality");
  printf("%s%s%s\n", verdict[0] != '\0' ? verdict : "not known", why[0] != '\0' ? ": " : "", why);
  line("error");
  printf("%s m or rad at most, %s at the end; reference: %s\n", number(s, record, "errors.q_linf"),
         number(s, record, "errors.q_final"), base_json_text_at(record, "reference.kind"));
  line("energy");
  printf("drift %s J at most, of %s J at stake; friction %s J, impacts %s J\n",
         number(s, record, "energy.max_numerical_drift"),
         number(s, record, "quality.scales.energy"), number(s, record, "energy.budget.friction"),
         number(s, record, "energy.budget.impact"));
  line("constraints");
  printf("penetration %s m, joints apart %s m\n", number(s, record, "constraints.penetration_max"),
         number(s, record, "constraints.position_max"));
  put_law(s, record);
}

void bench_record_summary(const cJSON *record) {
  struct base_arena *arena = base_arena_alloc();
  struct shown s = {.n = 0};
  const char *solver = base_json_text_at(record, "solver.name");
  const char *reason = base_text_clean(base_json_text_at(record, "reason"), arena);
  printf("%s with %s%s%s\n", base_text_clean(base_json_text_at(record, "case.name"), arena),
         base_json_text_at(record, "formulation.name"), solver[0] != '\0' ? " and " : "",
         base_text_clean(solver, arena));
  line("status");
  printf("%s%s%s\n", base_json_text_at(record, "status"), reason[0] != '\0' ? ": " : "", reason);
  put_sought(record, arena);
  if (base_json_real_at(record, "steps") > 0) {
    put_measured(&s, record, arena);
  }
  line("full record");
  printf("%s -o FILE (or - for standard output)\n",
         base_text_clean(base_json_text_at(record, "provenance.command"), arena));
  base_arena_free(arena);
}
