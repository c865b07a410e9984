/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures preclik-10, -11 and -12: maps of speed and spin, and the radial distribution near the
 * exit, of the runs of preclik-t2, and how far two of them are apart:
 *
 *   correlation   of the values of two maps over the cells that both have looked at often enough
 *                 (one particle in half of the frames)
 *   distance      mean |a - b| over such cells, over the mean of a
 *
 * ncp and mdp are compared, and, since two runs of one law differ as well, ncp with ncp from other
 * sideways velocities. Spheres turn about the points in which they touch without moving them along
 * the normal: A_TN = 0 and A_TT = a E in every contact, the plane of maximum compression is r_N =
 * const, and the least energy on the disk opposes the sliding. Coulomb's law and maximum
 * dissipation then pose the same problem of one contact, and runs of as many sweeps are one.
 *
 * Tables
 *   map-<run>   x, y [mm], |v| [m/s], |omega| [1/s] (NaN: no particle was there)
 *   rdf-<run>   r/d, g, half width, g corrected for the box
 */
#include "cases/channel-flow/channel-flow.h"
#include "cases/figure/series.h"

#include "base/json/json.h"
#include "base/memory/arena.h"
#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SPEED, SPIN, MAPS };
static const char *const map_names[MAPS] = {"speed", "spin"};
/* The runs that are compared, in this order. */
enum { NCP, MDP, OTHER, COMPARED };
static const char *const labels[COMPARED] = {"ncp", "mdp", CHANNEL_OTHER_SEED};

struct map {
  int nx, ny;
  double cell, frames; /* [mm]; frames that were looked at */
  double *count, *value;
};

/* An array of the record, n numbers, NaN where missing; NULL: it has another length. */
static double *array_at(const struct case_series *s, const char *path, int n,
                        struct base_arena *arena) {
  const cJSON *array = base_json_at(s->record, path), *item;
  if (array == NULL || cJSON_GetArraySize(array) != n) {
    base_fail(BASE_FAILED, "%s: %s is not there", s->run->label, path);
    return NULL;
  }
  double *out = base_arena_doubles(arena, n);
  int i = 0;
  cJSON_ArrayForEach(item, array) { out[i++] = cJSON_IsNumber(item) ? item->valuedouble : NAN; }
  return out;
}

static int read_map(const struct case_series *s, const char *name, struct base_arena *arena,
                    struct map *map) {
  const double nx = case_number(s, "observables.map.nx"), ny = case_number(s, "observables.map.ny");
  char path[64];
  if (!(nx > 0 && ny > 0)) {
    return base_fail(BASE_FAILED, "%s: no map", s->run->label);
  }
  map->nx = (int)nx, map->ny = (int)ny;
  map->cell = 1e3 * case_number(s, "observables.map.cell");
  snprintf(path, sizeof path, "observables.map.%s", name);
  map->value = array_at(s, path, map->nx * map->ny, arena);
  map->count = array_at(s, "observables.map.count", map->nx * map->ny, arena);
  map->frames = case_number(s, "observables.frames") *
                (1 - case_number(s, "case.parameters.settle") / case_number(s, "final.t"));
  return map->value != NULL && map->count != NULL ? BASE_OK : BASE_FAILED;
}

static int is_seen(const struct map *m, int k) { return 2 * m->count[k] >= m->frames; }

/* Correlation and mean distance over the mean of a. */
static void compare(const struct map *a, const struct map *b, double *correlation,
                    double *distance) {
  double n = 0, sa = 0, sb = 0, aa = 0, bb = 0, ab = 0, apart = 0;
  for (int k = 0; k < a->nx * a->ny; ++k) {
    if (is_seen(a, k) && is_seen(b, k)) {
      const double x = a->value[k], y = b->value[k];
      ++n, sa += x, sb += y, aa += x * x, bb += y * y, ab += x * y, apart += fabs(x - y);
    }
  }
  *correlation = (n * ab - sa * sb) / sqrt((n * aa - sa * sa) * (n * bb - sb * sb));
  *distance = apart / sa;
}

/* Mean of the cells seen in which `wanted`; lengths of the channel over the source's. */
static double mean_where(const struct map *m, double scale,
                         int (*wanted)(const struct map *m, double x, double y, int j),
                         double *largest) {
  double sum = 0, n = 0;
  *largest = 0;
  for (int k = 0; k < m->nx * m->ny; ++k) {
    const int i = k % m->nx, j = k / m->nx;
    if (is_seen(m, k) && wanted(m, (i + 0.5) * m->cell / scale, (j + 0.5) * m->cell / scale, j)) {
      sum += m->value[k], ++n;
      *largest = fmax(*largest, m->value[k]);
    }
  }
  return sum / n;
}

/* In millimetres of the source. */
static int is_at_obstacle(const struct map *m, double x, double y, int j) {
  (void)m, (void)y, (void)j;
  return x > 35 && x < 60;
}
static int is_before(const struct map *m, double x, double y, int j) {
  (void)m, (void)y, (void)j;
  return x > 10 && x < 30;
}
static int is_behind(const struct map *m, double x, double y, int j) {
  (void)m, (void)y, (void)j;
  return x > 100;
}
static int is_at_inflow(const struct map *m, double x, double y, int j) {
  (void)m, (void)y, (void)j;
  return x < 5;
}
static int is_up_to_obstacle(const struct map *m, double x, double y, int j) {
  (void)m, (void)y, (void)j;
  return x < 60;
}
static int is_at_wall(const struct map *m, double x, double y, int j) {
  (void)y;
  return x > 60 && (j == 0 || j == m->ny - 1);
}
static int is_inside(const struct map *m, double x, double y, int j) {
  (void)y;
  return x > 60 && j > 1 && j < m->ny - 2;
}

static int write_map(const struct case_series *s, struct case_plot *plot) {
  struct map map[MAPS];
  for (int k = 0; k < MAPS; ++k) {
    if (read_map(s, map_names[k], plot->arena, &map[k]) != BASE_OK) {
      return BASE_FAILED;
    }
  }
  const int n = map[0].nx * map[0].ny;
  double *rows = base_arena_matrix(plot->arena, 4, n);
  for (int k = 0; k < n; ++k) {
    const int j = k / map[0].nx;
    rows[4L * k] = (k % map[0].nx + 0.5) * map[0].cell;
    rows[4L * k + 1] = (j + 0.5) * map[0].cell;
    rows[4L * k + 2] = map[SPEED].value[k];
    rows[4L * k + 3] = map[SPIN].value[k];
  }
  char name[CASE_TEXT + 8];
  snprintf(name, sizeof name, "map-%s", s->run->label);
  return case_plot_table(plot, name, "x[mm] y[mm] |v|[m/s] |omega|[1/s]", n, 4, rows);
}

static int find_runs(const struct case_series *series, int n, const struct case_series **found) {
  for (int k = 0; k < COMPARED; ++k) {
    found[k] = case_series_find(series, n, labels[k]);
    if (found[k] == NULL) {
      return BASE_FAILED;
    }
  }
  return BASE_OK;
}

/* The maps of the three runs into tables, and what ncp and mdp, and two runs of ncp, differ by. */
static int compare_maps(const struct case_series *series, int n, int which, struct case_plot *plot,
                        struct map map[COMPARED]) {
  static const char chance[] = "what chance makes in one law, from other sideways velocities";
  const struct case_series *runs[COMPARED];
  int status = find_runs(series, n, runs);
  for (int k = 0; k < COMPARED && status == BASE_OK; ++k) {
    status = write_map(runs[k], plot);
    status = status == BASE_OK ? read_map(runs[k], map_names[which], plot->arena, &map[k]) : status;
  }
  if (status == BASE_OK) {
    double correlation, distance;
    compare(&map[NCP], &map[MDP], &correlation, &distance);
    case_plot_report(plot, "correlation of the cells of ncp and mdp", correlation, CHANNEL_ONE_LAW);
    case_plot_report(plot, "mean distance of the cells of ncp and mdp, over their mean", distance,
                     CHANNEL_ONE_LAW);
    compare(&map[NCP], &map[OTHER], &correlation, &distance);
    case_plot_report(plot, "correlation of the cells of two runs of ncp", correlation, chance);
    case_plot_report(plot, "their mean distance over the mean", distance, chance);
  }
  return status;
}

int channel_flow_speed_make(const struct case_parameters *p, const struct case_series *series,
                            int n, struct case_plot *plot) {
  struct map map[COMPARED];
  (void)p;
  if (compare_maps(series, n, SPEED, plot, map) != BASE_OK) {
    return BASE_FAILED;
  }
  const double scale = case_number(&series[0], "case.parameters.scale");
  double largest, peak, all;
  const double before = mean_where(&map[NCP], scale, is_before, &largest);
  mean_where(&map[NCP], scale, is_at_obstacle, &peak);
  const double behind = mean_where(&map[NCP], scale, is_behind, &all);
  const double inflow = mean_where(&map[NCP], scale, is_at_inflow, &all);
  case_plot_check(
      plot, "mean velocity at the inflow over that before the obstacle", inflow / before,
      (struct case_claim){1.02, 1.3, .expected = "1.08, what of it is along the channel",
                          .published = "very high at first, damped rapidly (4.3)"});
  case_plot_check(plot, "largest velocity about the obstacle over that before it", peak / before,
                  (struct case_claim){1.05, 5, .expected = "above 1",
                                      .published = "it increases around the obstacle (fig. 10)"});
  case_plot_check(plot, "the same over that behind it", peak / behind,
                  (struct case_claim){1.05, 5, .expected = "above 1",
                                      .published =
                                          "collisions and friction slow the fast ones down "
                                          "(fig. 10)"});
  return BASE_OK;
}

int channel_flow_spin_make(const struct case_parameters *p, const struct case_series *series, int n,
                           struct case_plot *plot) {
  struct map map[COMPARED];
  if (compare_maps(series, n, SPIN, plot, map) != BASE_OK) {
    return BASE_FAILED;
  }
  const double scale = case_number(&series[0], "case.parameters.scale"), R = case_real(p, "R");
  const double w = case_number(&series[0], "observables.spin.mean");
  const double v = case_number(&series[0], "observables.speed.mean");
  double largest;
  const double wall = mean_where(&map[NCP], scale, is_at_wall, &largest);
  const double inside = mean_where(&map[NCP], scale, is_inside, &largest);
  case_plot_check(plot, "spin beside the walls behind the obstacle over that away from them",
                  wall / inside,
                  (struct case_claim){1, 5, .expected = "above 1",
                                      .published = "it stays high at the walls (fig. 11)"});
  const double first = mean_where(&map[NCP], scale, is_up_to_obstacle, &largest);
  const double behind = mean_where(&map[NCP], scale, is_behind, &largest);
  case_plot_check(plot, "spin from the inflow to the obstacle over that near the exit",
                  first / behind,
                  (struct case_claim){1.5, 15, .expected = "well above 1",
                                      .published = "rotating particles at the inflow and near the "
                                                   "obstacle, damped rapidly (fig. 11)"});
  case_plot_check(plot, "energy of mean spin over that of mean speed",
                  0.4 * (R * w / v) * (R * w / v),
                  (struct case_claim){0, 0.3, .expected = "a small part",
                                      .published = "rotations play no major role (fig. 11)"});
  return BASE_OK;
}

/* r, g, half width and g in a box, `bins` of each, rows of 4; NULL: missing. */
static double *read_rdf(const struct case_series *s, struct base_arena *arena, int *bins) {
  static const char *const names[] = {"r", "g", "half_width", "g_box"};
  const cJSON *r = base_json_at(s->record, "observables.rdf.r");
  *bins = r != NULL ? cJSON_GetArraySize(r) : 0;
  double *rows = base_arena_matrix(arena, 4, *bins);
  for (int k = 0; k < 4; ++k) {
    char path[64];
    snprintf(path, sizeof path, "observables.rdf.%s", names[k]);
    const double *column = array_at(s, path, *bins, arena);
    for (int i = 0; column != NULL && i < *bins; ++i) {
      rows[4L * i + k] = column[i];
    }
    if (column == NULL) {
      return NULL;
    }
  }
  return *bins > 0 ? rows : NULL;
}

/* Largest |g_a - g_b|. */
static double apart(const double *a, const double *b, int bins) {
  double largest = 0;
  for (int i = 0; i < bins; ++i) {
    largest = case_worst(largest, fabs(a[4L * i + 1] - b[4L * i + 1]));
  }
  return largest;
}

int channel_flow_rdf_make(const struct case_parameters *p, const struct case_series *series, int n,
                          struct case_plot *plot) {
  const struct case_series *runs[COMPARED];
  double *rows[COMPARED];
  int bins = 0;
  (void)p;
  if (find_runs(series, n, runs) != BASE_OK) {
    return BASE_FAILED;
  }
  for (int k = 0; k < COMPARED; ++k) {
    rows[k] = read_rdf(runs[k], plot->arena, &bins);
    if (rows[k] == NULL) {
      return base_fail(BASE_FAILED, "%s: no radial distribution", runs[k]->run->label);
    }
    char name[CASE_TEXT + 8];
    snprintf(name, sizeof name, "rdf-%s", runs[k]->run->label);
    case_plot_table(plot, name, "r/d g +- g_box", bins, 4, rows[k]);
  }
  int first = 0;
  double further = 0; /* largest g farther than a touching neighbour */
  for (int i = 0; i < bins; ++i) {
    first = rows[NCP][4L * i + 1] > rows[NCP][4L * first + 1] ? i : first;
    further = rows[NCP][4L * i] > 1.2 ? fmax(further, rows[NCP][4L * i + 1]) : further;
  }
  const double peak = rows[NCP][4L * first + 1];
  case_plot_report(plot, "largest distance of g of ncp and mdp, over the peak",
                   apart(rows[NCP], rows[MDP], bins) / peak, CHANNEL_ONE_LAW);
  case_plot_report(plot, "largest distance of g of two runs of ncp, over the peak",
                   apart(rows[NCP], rows[OTHER], bins) / peak, "what chance makes in one law");
  case_plot_check(
      plot, "place of the peak [diameters]", rows[NCP][4L * first],
      (struct case_claim){0.95, 1.05, .published = "at one diameter (preclik fig. 12)"});
  case_plot_check(plot, "largest g beyond 1.2 diameters over the peak", further / peak,
                  (struct case_claim){0, 0.3, .expected = "no other strong peak",
                                      .published = "no additional favoured distances (fig. 12)"});
  return BASE_OK;
}

const struct case_function channel_flow_profiles_functions[] = {
    {"speed_make", .make = channel_flow_speed_make},
    {"spin_make", .make = channel_flow_spin_make},
    {"rdf_make", .make = channel_flow_rdf_make},
    {0}};
