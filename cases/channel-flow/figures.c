/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figure of channel-flow: does the law of friction change the flow? Key figures of preclik table 2
 * with their intervals, from one run a formulation, which the figures of profiles.c share because
 * it takes minutes; and of two runs of hours at half the source's size, whose records are kept.
 *
 * Tables (formulations in the order of the runs, without the other seed)
 *   keys        row a run: number, then mean and half width of each key, penetration/R [-]
 *   apart       row a formulation: number, then for each key what it has more than ncp, and the
 *               half width of that
 *   series      block a formulation: time [ms], solid fraction of every frame
 *   snapshot    x, y, z [mm], |v| [m/s] at the end of the run with mdp
 */
#include "cases/channel-flow/channel-flow.h"
#include "cases/figure/series.h"

#include "base/json/json.h"
#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const keys[] = {
    "particles", "solid_fraction", "contacts", "contacts_per_particle", "peak_speed", "speed"};
enum { KEYS_SHOWN = 6, KEY_COLUMNS = 2 * KEYS_SHOWN + 2 };
/* The runs: of five formulations, of ncp from other sideways velocities, and at scale 0.5 of ncp
 * and, not as long, of mdp. */
enum { NCP, MDP, FORMS = 5, OTHER_SEED = FORMS, HALF_NCP, HALF_MDP, RUNS };

/* Numbers of an array of the record into a column of a table of `rows` rows; NaN where missing. */
static void column_of(const struct case_series *s, const char *path, double factor, int rows,
                      int cols, double *out) {
  const cJSON *item = base_json_at(s->record, path);
  item = item != NULL ? item->child : NULL;
  for (int i = 0; i < rows; ++i) {
    out[(long)i * cols] = item != NULL && cJSON_IsNumber(item) ? factor * item->valuedouble : NAN;
    item = item != NULL ? item->next : NULL;
  }
}

static int length_of(const struct case_series *s, const char *path) {
  const cJSON *array = base_json_at(s->record, path);
  return array != NULL ? cJSON_GetArraySize(array) : 0;
}

static double number(const struct case_series *s, const char *key, const char *what) {
  char path[96];
  snprintf(path, sizeof path, "observables.%s.%s", key, what);
  return case_number(s, path);
}

static int write_keys(const struct case_series *series, double R, struct case_plot *plot) {
  double row[RUNS * KEY_COLUMNS];
  int rows = 0;
  for (int r = 0; r < RUNS; ++r) {
    if (r == OTHER_SEED || r == HALF_MDP) {
      continue;
    }
    double *at = row + (long)rows++ * KEY_COLUMNS;
    at[0] = rows;
    for (int k = 0; k < KEYS_SHOWN; ++k) {
      at[1 + 2 * k] = number(&series[r], keys[k], "mean");
      at[2 + 2 * k] = number(&series[r], keys[k], "half_width");
    }
    at[KEY_COLUMNS - 1] = case_number(&series[r], "observables.penetration") / R;
  }
  return case_plot_table(plot, "keys",
                         "run particles[-] +- solid_fraction[-] +- contacts[-] +- "
                         "contacts_per_particle[-] +- peak_speed[m/s] +- speed[m/s] +- "
                         "penetration/R[-]",
                         rows, KEY_COLUMNS, row);
}

/* Half width of the interval of a difference of two independent means. */
static double half_width_apart(const struct case_series *a, const struct case_series *b,
                               const char *key) {
  return hypot(number(a, key, "half_width"), number(b, key, "half_width"));
}

static int write_apart(const struct case_series *series, struct case_plot *plot) {
  double row[FORMS * (1 + 2 * KEYS_SHOWN)];
  const struct case_series *ncp = &series[NCP];
  for (int f = 0; f < FORMS; ++f) {
    double *at = row + (long)f * (1 + 2 * KEYS_SHOWN);
    *at++ = f + 1;
    for (int k = 0; k < KEYS_SHOWN; ++k) {
      *at++ = number(&series[f], keys[k], "mean") - number(ncp, keys[k], "mean");
      *at++ = half_width_apart(&series[f], ncp, keys[k]);
    }
  }
  return case_plot_table(plot, "apart",
                         "formulation particles[-] +- solid_fraction[-] +- contacts[-] +- "
                         "contacts_per_particle[-] +- peak_speed[m/s] +- speed[m/s] +-",
                         FORMS, 1 + 2 * KEYS_SHOWN, row);
}

static int write_series(const struct case_series *s, struct case_plot *plot) {
  const int rows = length_of(s, "observables.series.t");
  double *table = rows > 0 ? calloc((size_t)rows * 2, sizeof *table) : NULL;
  if (table == NULL) {
    return base_fail(BASE_FAILED, "%s: no series of frames", s->run->label);
  }
  column_of(s, "observables.series.t", 1e3, rows, 2, table);
  column_of(s, "observables.series.solid_fraction", 1, rows, 2, table + 1);
  const int status = case_plot_table(plot, "series", "t[ms] solid_fraction[-]", rows, 2, table);
  free(table);
  return status;
}

static int write_snapshot(const struct case_series *s, struct case_plot *plot) {
  static const char *const paths[] = {"observables.snapshot.x_um", "observables.snapshot.y_um",
                                      "observables.snapshot.z_um",
                                      "observables.snapshot.speed_mm_s"};
  const int rows = length_of(s, paths[0]);
  double *table = rows > 0 ? calloc((size_t)rows * 4, sizeof *table) : NULL;
  if (table == NULL) {
    return base_fail(BASE_FAILED, "%s: no snapshot", s->run->label);
  }
  for (int k = 0; k < 4; ++k) {
    column_of(s, paths[k], 1e-3, rows, 4, table + k);
  }
  const int status =
      case_plot_table(plot, "snapshot", "x[mm] y[mm] z[mm] |v|[m/s]", rows, 4, table);
  free(table);
  return status;
}

/* Why the flow of a channel of `scale` is not the source's, and what follows.
 *
 * Plane, inflow and steady state fix solid fraction times speed: the lattice of 4 pi R^3/3 a cell of
 * spacing^2 x 2 R comes in at v, 0.46 m/s. At scale 0.2 the channel is four particles high. Its flow
 * keeps up with the plane, so that it fills at least 0.46, and the layers along floor and lid, of
 * half the density, leave at most 0.53 of what packs as loosely as the source's 0.572. At scale 0.5
 * particles come out of the gaps at up to 1.44 m/s, and friction takes v^2/(2 mu g) = 0.13 m to stop
 * them, in the 0.075 m that there are. A flow that is nowhere slower than the plane and nowhere
 * faster than that fills 0.32 to 0.46. */
#define NARROW "a fifth of the channel's size: walls four particles apart keep the flow loose"
#define FAST                                                                                       \
  "half the channel's size, 7.5 cm long, where friction needs 13 cm to stop what the obstacle "    \
  "lets through: the flow behind it stays fast and loose"
enum { TO_SOURCE = 0, DEPTH = 1 }; /* counts over scale^3; penetration, no key of its own */
/* What table 2 prints, for Coulomb's law and for maximum dissipation, and at a scale what we expect
 * and why; without a reason nothing is claimed there. Particles are solid fraction times 432 000,
 * the channel's volume over that of a particle; contacts those times half the contacts of each. */
enum { AT_FIFTH, AT_HALF, SCALES };
static const struct {
  const char *key, *what;
  double printed[2], half; /* half of the last digit */
  int kind;                /* -1: as it is */
  double unit;
  const char *published;
  struct {
    double lo, hi;
    const char *differs;
  } at[SCALES];
} printed[] = {
    {"particles",
     "particles over scale^3",
     {246992, 247005},
     0.5,
     TO_SOURCE,
     1,
     "246 992 and 247 005 (preclik table 2)",
     {{200000, 229000, NARROW}, {138000, 200000, FAST}}},
    {"solid_fraction",
     "solid fraction",
     {0.572, 0.572},
     5e-4,
     -1,
     1,
     "57.2 % (preclik table 2)",
     {{0.463, 0.53, NARROW}, {0.32, 0.463, FAST}}},
    {"contacts",
     "contacts over scale^3",
     {320276, 320197},
     0.5,
     TO_SOURCE,
     1,
     "320 277 and 320 197 (preclik table 2)",
     {{240000, 315000, NARROW}, {90000, 150000, FAST}}},
    {"contacts_per_particle",
     "contacts a particle, 2 n_c / n",
     {2.593, 2.593},
     5e-4,
     -1,
     1,
     "2.593 (preclik table 2)",
     /* At 0.2 the step is twice the source's, and contacts are those of a step: near to
                 * 2.593 by accident. With the source's step see preclik-residual. */
     {{0, 0, NULL}, {1.25, 1.5, FAST ", and what flies touches less"}}},
    {"peak_speed",
     "peak velocity [m/s]",
     {1.42, 1.39},
     5e-3,
     -1,
     1,
     "1.42 and 1.39 m/s (preclik 4.3)",
     {{1.5, 1.75,
       "a peak is the largest mean of a cell of 1 mm: beside the obstacle a fifth of the "
       "size, gaps of some particles, few go through a cell, and chance makes the largest "
       "of them"},
      {1.43, 1.46, FAST}}},
    {NULL,
     "penetration of two particles [um]",
     {39.06, 46.50},
     0.005,
     DEPTH,
     1e6,
     "39.06 and 46.50 um (preclik table 2)",
     {{50, 250,
       "the deepest of any frame, by what twenty sweeps leave of a jam before the "
       "obstacle in a step of 2e-5 s, twice the source's: other sideways velocities or "
       "numbers of sweeps move it by a factor of four and in no order "
       "(preclik-residual)"},
      {0.6, 6,
       "no jam before an obstacle of half the size: a fifth of a depth is corrected in a "
       "step, so that a residual of 0.06 m/s, the median of the steps, holds 5 v dt = "
       "3 um"}}}};

static double measured(const struct case_series *s, size_t k) {
  if (printed[k].kind == DEPTH) {
    return printed[k].unit * case_number(s, "observables.penetration");
  }
  const double scale = case_number(s, "case.parameters.scale");
  return number(s, printed[k].key, "mean") /
         (printed[k].kind == TO_SOURCE ? scale * scale * scale : 1);
}

/* Means against the source's: of the two laws it has checks, of the others reports; and what ncp
 * and mdp, and two runs of ncp, are apart. */
static void check_flow(const struct case_series *series, struct case_plot *plot) {
  const struct case_series *a = &series[NCP], *b = &series[MDP], *c = &series[OTHER_SEED];
  char what[2 * CASE_TEXT];
  for (size_t k = 0; k < sizeof printed / sizeof *printed; ++k) {
    for (int r = 0; r < RUNS; ++r) {
      const double x = printed[k].printed[r == MDP], half = printed[k].half;
      const int at = r == HALF_NCP ? AT_HALF : AT_FIFTH;
      const char *differs = printed[k].at[at].differs;
      snprintf(what, sizeof what, "%s, %s", printed[k].what, series[r].run->label);
      if (r == HALF_MDP) {
        continue; /* too short for means */
      }
      if ((r != NCP && r != MDP && r != HALF_NCP) || differs == NULL) {
        case_plot_report(plot, what, measured(&series[r], k), printed[k].published);
        continue;
      }
      case_plot_check(plot, what, measured(&series[r], k),
                      (struct case_claim){printed[k].at[at].lo, printed[k].at[at].hi,
                                          .published = printed[k].published, .differs = differs,
                                          .source = {x - half, x + half}});
    }
    snprintf(what, sizeof what, "%s, ncp and mdp apart, relative", printed[k].what);
    case_plot_report(plot, what, fabs(measured(a, k) - measured(b, k)) / measured(a, k),
                     CHANNEL_ONE_LAW);
    snprintf(what, sizeof what, "%s, two runs of ncp apart, relative", printed[k].what);
    case_plot_report(plot, what, fabs(measured(a, k) - measured(c, k)) / measured(a, k),
                     "what chance makes in one law");
  }
}

/* Both laws at scale 0.5, frame by frame as far as both go. */
static void check_half(const struct case_series *series, struct case_plot *plot) {
  static const char *const shown[] = {"particles", "contacts", "speed", "spin"};
  const struct case_series *a = &series[HALF_NCP], *b = &series[HALF_MDP];
  const int frames = length_of(b, "observables.series.t");
  double *rows = base_arena_matrix(plot->arena, 2, frames), most = 0;
  for (size_t k = 0; k < sizeof shown / sizeof *shown; ++k) {
    char path[64];
    snprintf(path, sizeof path, "observables.series.%s", shown[k]);
    column_of(a, path, 1, frames, 2, rows);
    column_of(b, path, 1, frames, 2, rows + 1);
    for (int i = 0; i < frames; ++i) {
      most = case_worst(most, fabs(rows[2L * i] / rows[2L * i + 1] - 1));
    }
  }
  case_plot_report(plot, "largest relative distance of half-ncp and half-mdp in a frame",
                   frames > 0 ? most : (double)NAN, CHANNEL_ONE_LAW);
  case_plot_report(plot, "time that they have in common [s]", case_number(b, "t_end"), NULL);
}

static int flow_make(const struct case_parameters *p, const struct case_series *series, int n,
                     struct case_plot *plot) {
  if (n != RUNS) {
    return base_fail(BASE_FAILED, "channel-flow: %d runs instead of %d", n, RUNS);
  }
  int status = write_keys(series, case_real(p, "R"), plot);
  status = status == BASE_OK ? write_apart(series, plot) : status;
  for (int f = 0; f < FORMS && status == BASE_OK; ++f) {
    status = write_series(&series[f], plot);
  }
  status = status == BASE_OK ? write_snapshot(&series[MDP], plot) : status;
  if (status == BASE_OK) {
    check_flow(series, plot);
    check_half(series, plot);
  }
  return status;
}

const struct case_function channel_flow_functions[] = {{"flow_make", .make = flow_make}, {0}};
