/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Series, tables and checks of figures; see figure.h. Tables are plain text for any plotting
 * program: a comment line with the names of the columns, then one row a line, %.17g, so that
 * reading returns the same double; NaN stands for a missing value.
 */
#include "bench/report/figure.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"

double case_number(const struct case_series *s, const char *path) {
  return s->record != NULL ? base_json_real_at(s->record, path) : NAN;
}

int bench_plot_init(struct case_plot *plot, const char *folder, struct base_arena *arena) {
  *plot = (struct case_plot){.arena = arena, .folder = folder};
  return folder != NULL ? base_file_make_folder(folder) : BASE_OK;
}

/* Room for one more element: the old array, or one of twice the size with the same content. */
static void *grow(struct base_arena *arena, void *array, int n, int *capacity, size_t size) {
  if (n < *capacity) {
    return array;
  }
  *capacity = *capacity == 0 ? 8 : 2 * *capacity;
  void *grown = base_arena_push(arena, (size_t)*capacity * size);
  if (n > 0) {
    memcpy(grown, array, (size_t)n * size);
  }
  return grown;
}

static int has_table(const struct case_plot *plot, const char *name) {
  for (int i = 0; i < plot->n_tables; ++i) {
    if (strcmp(plot->tables[i], name) == 0) {
      return 1;
    }
  }
  return 0;
}

static int write_block(const char *path, int more, const char *columns, int rows, int cols,
                       const double *values) {
  FILE *file = fopen(path, more ? "a" : "w");
  if (file == NULL) {
    return base_fail(BASE_E_IO, "%s: cannot write: %s", path, strerror(errno));
  }
  fprintf(file, "%s# %s\n", more ? "\n" : "", columns);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < cols; ++j) {
      const double x = values[(size_t)i * (size_t)cols + (size_t)j];
      fputs(j > 0 ? " " : "", file);
      if (isnan(x)) {
        fputs("NaN", file);
      } else {
        fprintf(file, "%.17g", x);
      }
    }
    fputc('\n', file);
  }
  const int failed = ferror(file);
  if (fclose(file) != 0 || failed) {
    return base_fail(BASE_E_IO, "%s: cannot write: %s", path, strerror(errno));
  }
  return BASE_OK;
}

int case_plot_table(struct case_plot *plot, const char *name, const char *columns, int rows,
                    int cols, const double *values) {
  if (name[0] == '\0' || name[0] == '.' || strchr(name, '/') != NULL) {
    return base_fail(BASE_E_INTERNAL, "table '%s': not a plain file name", name);
  }
  const int more = has_table(plot, name);
  if (!more) {
    plot->tables =
        grow(plot->arena, plot->tables, plot->n_tables, &plot->tables_capacity, sizeof(char *));
    plot->tables[plot->n_tables++] = base_arena_copy(plot->arena, name);
  }
  if (plot->folder == NULL) {
    return BASE_OK;
  }
  const char *path = base_arena_printf(plot->arena, "%s/%s.dat", plot->folder, name);
  return write_block(path, more, columns, rows, cols, values);
}

int case_plot_check(struct case_plot *plot, const char *what, double measured, double lo, double hi,
                    const char *published) {
  plot->checks =
      grow(plot->arena, plot->checks, plot->n_checks, &plot->checks_capacity, sizeof *plot->checks);
  const int passed = measured >= lo && measured <= hi; /* false for a NaN */
  plot->checks[plot->n_checks++] = (struct bench_figure_check){
      .what = base_arena_copy(plot->arena, what),
      .published = base_arena_copy(plot->arena, published != NULL ? published : ""),
      .measured = measured,
      .lo = lo,
      .hi = hi,
      .passed = passed};
  plot->n_failed += !passed;
  return passed;
}

cJSON *bench_plot_checks_to_json(const struct case_plot *plot) {
  cJSON *list = cJSON_CreateArray();
  for (int i = 0; i < plot->n_checks; ++i) {
    const struct bench_figure_check *check = &plot->checks[i];
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "what", check->what);
    base_json_add_real(item, "measured", check->measured);
    base_json_add_real(item, "lo", check->lo);
    base_json_add_real(item, "hi", check->hi);
    cJSON_AddStringToObject(item, "published", check->published);
    cJSON_AddBoolToObject(item, "passed", check->passed);
    cJSON_AddItemToArray(list, item);
  }
  return list;
}

/* A column of n values into x with the given stride; null is NaN. */
static int read_column(const cJSON *array, const char *file, const char *key, int n, int stride,
                       double *x) {
  if (!cJSON_IsArray(array) || cJSON_GetArraySize(array) != n) {
    return base_fail(BASE_E_INPUT, "%s: key 'trajectory.%s': must be a list of %d numbers", file,
                     key, n);
  }
  const cJSON *item;
  size_t k = 0;
  cJSON_ArrayForEach(item, array) {
    if (!cJSON_IsNumber(item) && !cJSON_IsNull(item)) {
      return base_fail(BASE_E_INPUT, "%s: key 'trajectory.%s': holds something else than numbers",
                       file, key);
    }
    x[k] = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    k += (size_t)stride;
  }
  return BASE_OK;
}

/* trajectory.q or .u into an n x width matrix, columns in the order of final.q_names (u_names). */
static int read_columns(const cJSON *record, const char *file, const char *side, int n, int *width,
                        const double **values, struct base_arena *arena) {
  const cJSON *names = base_json_at(record, side[0] == 'q' ? "final.q_names" : "final.u_names");
  const cJSON *group = base_json_at(record, side[0] == 'q' ? "trajectory.q" : "trajectory.u");
  *width = cJSON_GetArraySize(names);
  double *x = base_arena_matrix(arena, n, *width);
  const cJSON *name;
  int j = 0, status = BASE_OK;
  cJSON_ArrayForEach(name, names) {
    const char *key = cJSON_IsString(name) ? name->valuestring : "";
    status = status != BASE_OK ? status
                               : read_column(cJSON_GetObjectItemCaseSensitive(group, key), file,
                                             key, n, *width, x + j);
    ++j;
  }
  *values = x;
  return status;
}

int bench_series_from_record(const cJSON *record, const char *file, const struct case_run *run,
                             struct base_arena *arena, struct case_series *series) {
  *series = (struct case_series){.run = run, .record = record};
  series->reason = base_json_text_at(record, "reason");
  int status = base_status_parse(base_json_text_at(record, "status"), &series->status);
  const cJSON *trajectory = cJSON_GetObjectItemCaseSensitive(record, "trajectory");
  if (status != BASE_OK || trajectory == NULL) {
    return status;
  }
  const int n = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(trajectory, "t"));
  double *t = base_arena_doubles(arena, n), *energy = base_arena_doubles(arena, n);
  status = read_column(cJSON_GetObjectItemCaseSensitive(trajectory, "t"), file, "t", n, 1, t);
  status = status != BASE_OK ? status
                             : read_column(cJSON_GetObjectItemCaseSensitive(trajectory, "energy"),
                                           file, "energy", n, 1, energy);
  status = status != BASE_OK ? status
                             : read_columns(record, file, "q", n, &series->nq, &series->q, arena);
  status = status != BASE_OK ? status
                             : read_columns(record, file, "u", n, &series->nu, &series->u, arena);
  series->n = n;
  series->t = t;
  series->energy = energy;
  return status;
}
