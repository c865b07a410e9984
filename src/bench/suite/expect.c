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

static int read_status(const cJSON *item, const char *file, unsigned *statuses) {
  int code;
  if (!cJSON_IsString(item) || base_status_parse(item->valuestring, &code) != BASE_OK || code < 0) {
    return base_fail(BASE_E_INPUT,
                     "%s: key 'expect': must be statuses of runs (ok, diverged, ...), of all cells "
                     "or by the name of a formulation",
                     file);
  }
  *statuses |= 1u << code;
  return BASE_OK;
}

/* A status or a list of them. */
static int read_statuses(const cJSON *value, const char *file, unsigned *statuses) {
  const cJSON *item;
  int status = BASE_OK;
  if (!cJSON_IsArray(value)) {
    return read_status(value, file, statuses);
  }
  if (value->child == NULL) {
    return base_fail(BASE_E_INPUT, "%s: key 'expect': the list is empty", file);
  }
  cJSON_ArrayForEach(item, value) {
    status = status != BASE_OK ? status : read_status(item, file, statuses);
  }
  return status;
}

/* One more, in front of both lists. */
static int add(const cJSON *value, const struct bench_expectation *e, const char *file,
               struct base_arena *arena, struct bench_suite *suite,
               const struct bench_expectation **list) {
  struct bench_expectation *added = base_arena_push(arena, sizeof *added);
  *added = *e;
  added->next = *list;
  added->next_of_all = suite->expectations;
  *list = added;
  suite->expectations = added;
  return read_statuses(value, file, &added->statuses);
}

int bench_expect_read(const cJSON *group, const char *where, const char *file,
                      struct base_arena *arena, struct bench_suite *suite,
                      const struct bench_expectation **list) {
  const cJSON *value = cJSON_GetObjectItemCaseSensitive(group, "expect"), *item;
  int status = BASE_OK;
  struct bench_expectation e = {.where = where};
  *list = NULL;
  if (value != NULL && !cJSON_IsObject(value)) {
    return add(value, &e, file, arena, suite, list);
  }
  cJSON_ArrayForEach(item, value) {
    const struct form *form = status == BASE_OK ? form_find(item->string) : NULL;
    if (status == BASE_OK && form == NULL) {
      base_message_prefix("%s: key 'expect': ", file);
      return BASE_E_INPUT;
    }
    e.of = form != NULL ? form->name : NULL;
    status = status != BASE_OK ? status : add(item, &e, file, arena, suite, list);
  }
  return status;
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

/* Statuses in which cells of the expectation have ended, and their number; those that the
 * formulation declares unsupported have nothing to do with it. */
static unsigned met(const struct bench_suite *suite, const struct bench_expectation *e,
                    const int *statuses, int *n) {
  unsigned seen = 0;
  *n = 0;
  for (int i = 0; i < suite->n; ++i) {
    if (suite->cells[i].expected == e && !suite->cells[i].is_unsupported) {
      seen |= 1u << statuses[i];
      ++*n;
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
