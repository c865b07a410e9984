/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Twins: records whose motions are alike up to rotation and the scales of length and time.
 *
 * A motion is told by its speeds over time: |v| and |w| of each body, which no rotation changes,
 * ordered by their means. Of two motions x and y with as many curves of each kind,
 *
 *   d(s)^2 = mean over the kinds of |x(t)/|x| - y(s t)/|y||^2,   |x|^2 = sum over the curves of the
 *                                                        kind, mean over the time that both have,
 *
 * takes out the scale of speed, and s that of time; horizons need not be cut alike. Their distance
 * is the least of d(s) over s = (1/2 ... 2) t_end of y / t_end of x. Only records of one
 * formulation are compared, and not those of one case with the same parameters.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes/hash.h"
#include "base/json/folder.h"
#include "base/json/json.h"
#include "base/memory/arena.h"
#include "base/status.h"
#include "bench/generate/generate.h"
#include "bench/record/record.h"

enum { LINEAR, ANGULAR, KINDS };
enum { SAMPLES = 401, PLACES = 101, STRETCHES = 200 };
/* Part of the fastest body's speed, and angle turned through at the highest rate [rad], below which
 * a body is at rest. */
static const double REST = 1e-3;

struct motion {
  const char *name, *formulation;
  uint64_t hash; /* of case and parameters */
  double t_end;
  int n[KINDS];
  double **speed[KINDS]; /* n x SAMPLES, over equal parts of the horizon */
};

struct motions {
  struct base_arena *arena;
  int n;
  struct motion *of; /* n */
};

/* Square of a column of n values at times t, added at SAMPLES equal parts: linear between them. */
static void add_squares(int n, const double *t, const cJSON *column, struct base_arena *arena,
                        double *sum) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *x = base_arena_doubles(arena, n);
  const cJSON *item = column->child;
  for (int i = 0; i < n; ++i, item = item->next) {
    x[i] = item->valuedouble;
  }
  for (int i = 0, k = 0; i < SAMPLES; ++i) {
    const double at = t[n - 1] * i / (SAMPLES - 1);
    while (k < n - 2 && t[k + 1] < at) {
      ++k;
    }
    const double y = x[k] + (x[k + 1] - x[k]) * (at - t[k]) / (t[k + 1] - t[k]);
    sum[i] += y * y;
  }
  base_arena_release(arena, mark);
}

/* Name of a vector: that of its component without the x, y or z at its end. */
static size_t stem(const char *column) {
  const size_t length = strlen(column);
  return length > 0 && strchr("xyz", column[length - 1]) != NULL ? length - 1 : length;
}

static double mean(const double *x) {
  double sum = 0;
  for (int i = 0; i < SAMPLES; ++i) {
    sum += x[i];
  }
  return sum / SAMPLES;
}

static double largest(const double *x) {
  double max = 0;
  for (int i = 0; i < SAMPLES; ++i) {
    max = fmax(max, x[i]);
  }
  return max;
}

static int by_mean(const void *x, const void *y) { /* for qsort: falling */
  const double a = mean(*(double *const *)x), b = mean(*(double *const *)y);
  return (a < b) - (a > b);
}

/* Leave out curves of rest, and sort the others. */
static void tidy(struct motion *m) {
  double fastest = 0;
  for (int i = 0; i < m->n[LINEAR]; ++i) {
    fastest = fmax(fastest, largest(m->speed[LINEAR][i]));
  }
  for (int kind = 0; kind < KINDS; ++kind) {
    const double rest = REST * (kind == LINEAR ? fastest : 1 / m->t_end);
    int kept = 0;
    for (int i = 0; i < m->n[kind]; ++i) {
      if (largest(m->speed[kind][i]) > rest) {
        m->speed[kind][kept++] = m->speed[kind][i];
      }
    }
    m->n[kind] = kept;
    qsort(m->speed[kind], (size_t)kept, sizeof *m->speed[kind], by_mean);
  }
}

/* The curves of a record; its trajectory has been checked. */
static void read_motion(const cJSON *record, const char *name, struct motions *all) {
  struct base_arena *arena = all->arena;
  const cJSON *u = base_json_at(record, "trajectory.u"),
              *times = base_json_at(record, "trajectory.t");
  const int n = cJSON_GetArraySize(times), columns = cJSON_GetArraySize(u);
  double *t = base_arena_doubles(arena, n);
  for (int i = 0; i < n; ++i) {
    t[i] = cJSON_GetArrayItem(times, i)->valuedouble;
  }
  struct motion m = {.name = base_arena_copy(arena, name),
                     .formulation =
                         base_arena_copy(arena, base_json_text_at(record, "formulation.name")),
                     .hash = base_json_hash(BASE_HASH_EMPTY, base_json_at(record, "case")),
                     .t_end = t[n - 1]};
  for (int kind = 0; kind < KINDS; ++kind) {
    m.speed[kind] = base_arena_array(arena, (size_t)columns, 1, sizeof *m.speed[kind]);
  }
  for (const cJSON *column = u->child; column != NULL;) {
    const char *first = column->string;
    const size_t length = stem(first);
    const int kind = length > 0 && first[length - 1] == 'w' ? ANGULAR : LINEAR;
    double *speed = base_arena_doubles(arena, SAMPLES);
    do {
      add_squares(n, t, column, arena, speed);
      column = column->next;
    } while (column != NULL && stem(column->string) == length &&
             strncmp(column->string, first, length) == 0);
    for (int i = 0; i < SAMPLES; ++i) {
      speed[i] = sqrt(speed[i]);
    }
    m.speed[kind][m.n[kind]++] = speed;
  }
  tidy(&m);
  all->of = base_arena_more(arena, all->of, all->n, sizeof m);
  all->of[all->n++] = m;
}

static double at(const double *x, double part) { /* of the horizon */
  const double place = fmin(part, 1) * (SAMPLES - 1);
  const int i = place < SAMPLES - 2 ? (int)place : SAMPLES - 2;
  return x[i] + (x[i + 1] - x[i]) * (place - i);
}

/* d(s)^2 with the time of b, in parts of its horizon, s that of a. */
static double square_distance(const struct motion *a, const struct motion *b, double s) {
  double sum = 0;
  int kinds = 0;
  for (int kind = 0; kind < KINDS; ++kind) {
    double xx = 0, yy = 0, xy = 0;
    for (int i = 0; i < a->n[kind]; ++i) {
      for (int k = 0; k < PLACES; ++k) {
        const double part = fmin(1, 1 / s) * k / (PLACES - 1);
        const double x = at(a->speed[kind][i], part), y = at(b->speed[kind][i], s * part);
        xx += x * x;
        yy += y * y;
        xy += x * y;
      }
    }
    if (a->n[kind] > 0) {
      sum += xx > 0 && yy > 0 ? 2 - 2 * xy / sqrt(xx * yy) : 2;
      ++kinds;
    }
  }
  return kinds > 0 ? fmax(sum / kinds, 0) : 0; /* nothing moves in either */
}

static double distance(const struct motion *a, const struct motion *b) {
  if (a->n[LINEAR] != b->n[LINEAR] || a->n[ANGULAR] != b->n[ANGULAR]) {
    return INFINITY;
  }
  double least = INFINITY;
  for (int i = -STRETCHES; i <= STRETCHES; ++i) {
    least = fmin(least, square_distance(a, b, exp2((double)i / STRETCHES)));
  }
  return sqrt(least);
}

static int read_folder(const char *folder, struct motions *all) {
  const char **paths;
  const int n = base_json_list(folder, all->arena, &paths), before = all->n;
  int status = n < 0 ? base_fail(BASE_E_IO, "%s: cannot read the folder", folder) : BASE_OK;
  for (int i = 0; i < n && status == BASE_OK; ++i) {
    cJSON *record = base_json_read_regular(paths[i]);
    if (record == NULL) {
      status = BASE_E_INPUT;
    } else if (strcmp(base_json_text_at(record, "schema"), BENCH_RESULT_SCHEMA) == 0) {
      status = bench_record_check(record, paths[i]);
      if (status == BASE_OK && cJSON_GetArraySize(base_json_at(record, "trajectory.t")) > 1) {
        read_motion(record, paths[i], all);
      }
    }
    cJSON_Delete(record);
  }
  return status != BASE_OK || all->n > before
             ? status
             : base_fail(BASE_E_INPUT, "%s: holds no records with a trajectory (--sample)", folder);
}

int generate_find_twins(int n, char *const *folders, int *found) {
  struct base_arena *arena = base_arena_alloc();
  struct motions all = {.arena = arena};
  int status = BASE_OK;
  for (int i = 0; status == BASE_OK && i < n; ++i) {
    status = read_folder(folders[i], &all);
  }
  for (int i = 0; status == BASE_OK && i < all.n; ++i) {
    for (int k = i + 1; k < all.n; ++k) {
      const struct motion *a = &all.of[i], *b = &all.of[k];
      if (a->hash != b->hash && strcmp(a->formulation, b->formulation) == 0) {
        const double d = distance(a, b);
        if (d < GENERATE_TWIN) {
          printf("%.4f %s %s\n", d, a->name, b->name);
          ++*found;
        }
      }
    }
  }
  base_arena_free(arena);
  return status;
}
