/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `coulombench compare A B`: two records, or two folders of records, cell by cell. The
 * deterministic part is compared value by value; differences are listed with their place; times are
 * shown as a ratio and never count as a difference.
 */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/status.h"
#include "bench/commands.h"
#include "bench/record.h"

/* Differences printed a pair of records; all are counted. */
enum { SHOWN = 8 };

struct comparison {
  int different;
  char path[512]; /* where we are in the record */
};

static void report_difference(struct comparison *c, const cJSON *a, const cJSON *b) {
  if (++c->different > SHOWN) {
    return;
  }
  char left[BASE_JSON_NUMBER_SIZE], right[BASE_JSON_NUMBER_SIZE];
  if (cJSON_IsNumber(a) && cJSON_IsNumber(b)) {
    const double scale = fmax(fabs(a->valuedouble), fabs(b->valuedouble));
    printf("    %s: %s -> %s (relative %.2e)\n", c->path, base_json_number(a->valuedouble, left),
           base_json_number(b->valuedouble, right),
           scale > 0 ? fabs(a->valuedouble - b->valuedouble) / scale : 0);
  } else if (cJSON_IsString(a) && cJSON_IsString(b)) {
    printf("    %s: '%s' -> '%s'\n", c->path, a->valuestring, b->valuestring);
  } else {
    printf("    %s: %s\n", c->path, a == NULL ? "only in B" : b == NULL ? "only in A" : "differs");
  }
}

static void compare_values(struct comparison *c, const cJSON *a, const cJSON *b);

static void compare_children(struct comparison *c, const cJSON *a, const cJSON *b) {
  const size_t end = strlen(c->path);
  const int is_object = cJSON_IsObject(a);
  int index = 0;
  const cJSON *partner = b->child; /* of arrays, in step with x */
  for (const cJSON *x = a->child; x != NULL; x = x->next, ++index) {
    const cJSON *y = is_object ? cJSON_GetObjectItemCaseSensitive(b, x->string) : partner;
    partner = partner != NULL ? partner->next : NULL;
    if (is_object) {
      snprintf(c->path + end, sizeof c->path - end, "%s%s", end > 0 ? "." : "", x->string);
    } else {
      snprintf(c->path + end, sizeof c->path - end, "[%d]", index);
    }
    compare_values(c, x, y);
    c->path[end] = '\0';
  }
  for (const cJSON *y = b->child; is_object && y != NULL; y = y->next) {
    if (cJSON_GetObjectItemCaseSensitive(a, y->string) == NULL) {
      snprintf(c->path + end, sizeof c->path - end, "%s%s", end > 0 ? "." : "", y->string);
      compare_values(c, NULL, y);
      c->path[end] = '\0';
    }
  }
  if (!is_object && partner != NULL) {
    report_difference(c, a, b);
  }
}

/* The same double, -0 and 0 being two. */
static int is_same(double a, double b) { return a == b && signbit(a) == signbit(b); }

static void compare_values(struct comparison *c, const cJSON *a, const cJSON *b) {
  if (strcmp(c->path, "timing") == 0 || strcmp(c->path, "provenance") == 0) {
    return;
  }
  if (a == NULL || b == NULL || (a->type & 0xff) != (b->type & 0xff)) {
    report_difference(c, a, b);
  } else if (cJSON_IsObject(a) || cJSON_IsArray(a)) {
    compare_children(c, a, b);
  } else if ((cJSON_IsNumber(a) && !is_same(a->valuedouble, b->valuedouble)) ||
             (cJSON_IsString(a) && strcmp(a->valuestring, b->valuestring) != 0)) {
    report_difference(c, a, b);
  }
}

/* A record of ours that can be compared: a run's, complete, or a solution. NULL with a message. */
static cJSON *read_record(const char *path) {
  cJSON *record = base_json_read(path);
  if (record != NULL &&
      strcmp(base_json_text_at(record, "schema"), "coulombench.solution/1") != 0 &&
      bench_record_check(record, path) != BASE_OK) {
    cJSON_Delete(record);
    return NULL;
  }
  return record;
}

static int compare_files(const char *name, const char *a, const char *b, int *different) {
  cJSON *left = read_record(a), *right = left != NULL ? read_record(b) : NULL;
  if (right == NULL) {
    cJSON_Delete(left);
    return BASE_E_INPUT;
  }
  struct comparison c = {0};
  const double ratio =
      base_json_real_at(right, "timing.total_s") / base_json_real_at(left, "timing.total_s");
  printf("  %s: %s -> %s", name, base_json_text_at(left, "status"),
         base_json_text_at(right, "status"));
  if (isfinite(ratio)) { /* of runs */
    printf(", q_final %.3e -> %.3e, time x %.2f", base_json_real_at(left, "errors.q_final"),
           base_json_real_at(right, "errors.q_final"), ratio);
  }
  printf("\n");
  compare_values(&c, left, right);
  if (c.different > SHOWN) {
    printf("    ... and %d more differences\n", c.different - SHOWN);
  }
  *different += c.different > 0;
  cJSON_Delete(left);
  cJSON_Delete(right);
  return BASE_OK;
}

static int is_record_name(const struct dirent *entry) {
  const size_t length = strlen(entry->d_name);
  return length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0;
}

static int is_folder(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Every record of A against its namesake in B; those that only one has are differences too. */
static int compare_folders(const char *a, const char *b, int *different) {
  struct dirent **left = NULL, **right = NULL;
  const int n = scandir(a, &left, is_record_name, alphasort);
  const int m = scandir(b, &right, is_record_name, alphasort);
  struct base_arena *arena = base_arena_alloc();
  int status =
      n < 0 || m < 0 ? base_fail(BASE_E_IO, "%s: cannot read the folder", n < 0 ? a : b) : BASE_OK;
  int matched = 0;
  for (int i = 0, j = 0; status == BASE_OK && (i < n || j < m);) {
    const int order = i == n ? 1 : j == m ? -1 : strcmp(left[i]->d_name, right[j]->d_name);
    if (order == 0) {
      status = compare_files(left[i]->d_name, base_arena_printf(arena, "%s/%s", a, left[i]->d_name),
                             base_arena_printf(arena, "%s/%s", b, right[j]->d_name), different);
      ++matched;
    } else {
      printf("  %s: only in %s\n", order < 0 ? left[i]->d_name : right[j]->d_name,
             order < 0 ? a : b);
      ++*different;
    }
    i += order <= 0;
    j += order >= 0;
  }
  if (status == BASE_OK) {
    printf("%d records compared, %d differ or stand alone\n", matched, *different);
  }
  for (int i = 0; i < n; ++i) {
    free(left[i]);
  }
  for (int j = 0; j < m; ++j) {
    free(right[j]);
  }
  free(left);
  free(right);
  base_arena_free(arena);
  return status;
}

int bench_compare(const char *a, const char *b, int *different) {
  *different = 0;
  if (is_folder(a) != is_folder(b)) {
    return base_fail(BASE_E_INPUT, "compare two records or two folders, not '%s' with '%s'", a, b);
  }
  return is_folder(a) ? compare_folders(a, b, different) : compare_files(a, a, b, different);
}
