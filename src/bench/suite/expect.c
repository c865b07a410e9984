/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Expected statuses of cells; see expect.h.
 */
#include "bench/suite/expect.h"

#include <stdio.h>
#include <string.h>

#include "base/memory/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "bench/suite/suite.h"

/* A status or a list of them, which the table of keys has checked. */
static unsigned read_statuses(const cJSON *value) {
  unsigned statuses = 0;
  int code = 0;
  for (const cJSON *item = cJSON_IsArray(value) ? value->child : value; item != NULL;
       item = cJSON_IsArray(value) ? item->next : NULL) {
    base_status_parse(item->valuestring, &code);
    statuses |= 1u << code;
  }
  return statuses;
}

/* One more, in front of both lists. */
static void add(const cJSON *value, const struct bench_expectation *e, struct base_arena *arena,
                struct bench_suite *suite, const struct bench_expectation **list) {
  struct bench_expectation *added = base_arena_push(arena, sizeof *added);
  *added = *e;
  added->next = *list;
  added->next_of_all = suite->expectations;
  *list = added;
  suite->expectations = added;
  added->statuses = read_statuses(value);
}

int bench_expect_read(const cJSON *group, const char *where, const char *file,
                      struct base_arena *arena, struct bench_suite *suite,
                      const struct bench_expectation **list) {
  const cJSON *value = cJSON_GetObjectItemCaseSensitive(group, "expect"), *item;
  struct bench_expectation e = {.where = where};
  *list = NULL;
  if (value != NULL && !cJSON_IsObject(value)) {
    add(value, &e, arena, suite, list);
    return BASE_OK;
  }
  cJSON_ArrayForEach(item, value) {
    const struct form *form = form_find(item->string);
    if (form == NULL) {
      base_message_prefix("%s: expect: ", file);
      return BASE_E_INPUT;
    }
    e.of = form->name;
    add(item, &e, arena, suite, list);
  }
  return BASE_OK;
}

const struct bench_expectation *bench_expect_of(const struct bench_expectation *list,
                                                const char *formulation) {
  const struct bench_expectation *of_all = NULL;
  for (; list != NULL; list = list->next) {
    if (list->of == NULL) {
      of_all = list;
    } else if (strcmp(list->of, formulation) == 0) {
      return list;
    }
  }
  return of_all;
}

int bench_expect_is_bad(const struct bench_cell *cell, int status) {
  if (cell->is_free) {
    return 0;
  }
  if (cell->is_unsupported) {
    return status != BASE_UNSUPPORTED;
  }
  return cell->expected != NULL ? (cell->expected->statuses & (1u << status)) == 0
                                : status != BASE_OK;
}

/* Statuses in which cells of the expectation have ended, and their number. Those that the
 * formulation declares unsupported, as an engine that is not installed, meet that expectation
 * alone. */
static unsigned met(const struct bench_suite *suite, const struct bench_expectation *e,
                    const int *statuses, int *n) {
  unsigned seen = 0;
  *n = 0;
  for (int i = 0; i < suite->n; ++i) {
    if (suite->cells[i].expected == e) {
      seen |= 1u << statuses[i];
      *n += !suite->cells[i].is_unsupported;
    }
  }
  return seen;
}

int bench_expect_unmet(const struct bench_suite *suite, const int *statuses) {
  int unmet = 0;
  for (const struct bench_expectation *e = suite->expectations; e != NULL && !suite->is_shard;
       e = e->next_of_all) {
    int n;
    const unsigned missing = e->statuses & ~met(suite, e, statuses, &n);
    for (int status = 0; missing >> status != 0; ++status) {
      if ((missing >> status & 1u) != 0) {
        fprintf(stderr, "%s: %s%sexpects '%s', which none of its %d cells ended in\n", e->where,
                e->of != NULL ? e->of : "", e->of != NULL ? " " : "", base_status_name(status), n);
        ++unmet;
      }
    }
  }
  return unmet;
}
