/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is looked at in the channel: the key figures of preclik table 2, its maps (figs 10, 11) and
 * the radial distribution function (fig. 12), every `frame` seconds once the flow has settled.
 *
 *   phi       n V / (channel less obstacle)                            solid volume fraction
 *   contacts  that carried an impulse in the step; 2 of them / n a particle, as in table 2
 *   maps      mean |v| and |omega| of the particles in cells of 1 mm in the x-y plane
 *   g(r)      neighbours at a distance in a bin (r0, r1), over the number of particles, over
 *             4 pi/3 rho (r1^3 - r0^3), rho the density of the exit region itself. As in the source
 *             nothing corrects for neighbours beyond the region; g_box divides the share away that
 *             an ideal gas in such a box sides a, b, c would lose (r <= the smallest):
 *             1 - r (1/a + 1/b + 1/c)/2 + 2 r^2 (a + b + c)/(3 pi a b c) - r^3/(4 pi a b c)
 *
 * Every quantity is averaged in blocks of time; its interval is that of Student's t for the means
 * of the blocks, 95 %. Neighbouring blocks may be correlated: lag1 says how much, and the
 * correlation time of the frames whether a block is long enough. The peak of the maps is that of a
 * block's map, over cells looked at often enough for one particle a frame on average in half of the
 * frames.
 */
#include "cases/channel-flow/channel-flow.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes/blob.h"
#include "base/json/json.h"
#include "base/status.h"
#include "la/statistics.h"

static const double CELL = 1e-3; /* of the maps [m]: 150 x 65 of them in the source */
static const double RDF_REACH = 5, RDF_BIN = 0.05; /* in diameters */
static const double CONFIDENCE = 0.95;
enum {
  BINS = 100,
  BLOCKS_MAX = 1000,
  CELLS_MAX = 1 << 20,
  SNAPSHOT_MAX = 20000,
  SERIES_MAX = 10000
};

/* A time this part of a frame early is one. */
static const double FRAME_SLACK = 1e-6;

/* Those before FRAME_KEYS belong to a frame, the peaks to a block. */
enum key { PARTICLES, FRACTION, CONTACTS, COORDINATION, SPEED, SPIN, PEAK_SPEED, PEAK_SPIN, KEYS };
enum { FRAME_KEYS = PEAK_SPEED };
static const char *const key_names[KEYS] = {
    "particles", "solid_fraction", "contacts",   "contacts_per_particle",
    "speed",     "spin",           "peak_speed", "peak_spin"};

struct map {
  double *count, *speed, *spin; /* nx ny: sums */
};

struct observer {
  struct case_observer calls;
  struct channel *c;
  double frame, settle, block; /* [s] */
  long frames;                 /* looked at, all */
  int in_block;                /* frames in the block under way */
  int n_blocks;
  double sum[KEYS];
  double *mean;           /* BLOCKS_MAX x KEYS */
  int n_series, settled;  /* frames in the series, of which those before do not count */
  double *series;         /* SERIES_MAX x (1 + FRAME_KEYS): time and keys of every frame */
  double *g, *g2, *g_box; /* BINS: sums of blocks' g, g^2; of g_box */
  double *pairs;          /* BINS, of the block */
  double expected;        /* of the block: sum over frames of n rho [1/m^3] */
  int nx, ny;
  struct map map, all; /* of the block, of all blocks */
  double *x;           /* 3 n_bodies: sorted positions in the exit region */
  double penetration;  /* of two particles, in any frame [m] */
  struct mech_contacts contacts;
  /* the last frame */
  int n_shown;
  double *shown; /* 4 SNAPSHOT_MAX: x, y, z, |v| */
};

static double norm3(const double x[3]) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

static int compare_x(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Pairs in the exit region, by a sweep along x. */
static void look_at_pairs(struct observer *o, const double *q) {
  const struct channel *c = o->c;
  const double width = 2 * c->R * RDF_BIN, reach = 2 * c->R * RDF_REACH;
  int n = 0;
  for (int b = CHANNEL_FIRST; b < c->n_bodies; ++b) {
    const double *x = q + 7L * b;
    if (mech_assembly_active(c->assembly, b) && x[0] >= c->exit[0] && x[0] <= c->exit[1]) {
      memcpy(o->x + 3L * n++, x, 3 * sizeof *x);
    }
  }
  qsort(o->x, (size_t)n, 3 * sizeof *o->x, compare_x);
  for (int i = 0; i < n; ++i) {
    const double *a = o->x + 3L * i;
    for (int j = i + 1; j < n && o->x[3L * j] - a[0] < reach; ++j) {
      const double *b = o->x + 3L * j, d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
      const int bin = (int)(norm3(d) / width);
      if (bin < BINS) {
        o->pairs[bin] += 2;
      }
    }
  }
  o->expected += (double)n * n / ((c->exit[1] - c->exit[0]) * c->width * c->height);
}

/* Keys of the frame; into the map of the block once the flow has settled. */
static void look_at_particles(struct observer *o, const struct case_moment *now, int settled,
                              double *key) {
  const struct channel *c = o->c;
  int n = 0;
  double speed = 0, spin = 0;
  for (int b = CHANNEL_FIRST; b < c->n_bodies; ++b) {
    if (!mech_assembly_active(c->assembly, b)) {
      continue;
    }
    const double *x = now->q + 7L * b, *u = now->u + 6L * b;
    const double v = norm3(u), w = norm3(u + 3);
    const int i = (int)floor(x[0] / CELL), j = (int)floor(x[1] / CELL);
    ++n;
    speed += v;
    spin += w;
    if (settled && i >= 0 && i < o->nx && j >= 0 && j < o->ny) {
      const int k = j * o->nx + i;
      o->map.count[k] += 1;
      o->map.speed[k] += v;
      o->map.spin[k] += w;
    }
  }
  const double each = n > 0 ? 1. / n : 0;
  key[PARTICLES] = n;
  key[FRACTION] = n * channel_particle_volume(c) / c->volume;
  key[CONTACTS] = now->carrying;
  key[COORDINATION] = 2 * now->carrying * each;
  key[SPEED] = speed * each;
  key[SPIN] = spin * each;
}

static void add_to_series(struct observer *o, double t, const double *key) {
  if (o->n_series < SERIES_MAX) {
    double *at = o->series + (long)(1 + FRAME_KEYS) * o->n_series++;
    at[0] = t;
    memcpy(at + 1, key, FRAME_KEYS * sizeof *key);
  }
}

/* The deepest penetration of two particles; the record's own counts walls as well. */
static void look_at_contact(void *data, const struct mech_contacts *c, int i) {
  struct observer *o = data;
  if (c->body[2 * i] >= CHANNEL_FIRST && c->body[2 * i + 1] >= CHANNEL_FIRST) {
    o->penetration = fmax(o->penetration, -c->gN[i]);
  }
}

static void take_snapshot(struct observer *o, const struct case_moment *now) {
  o->n_shown = 0;
  for (int b = CHANNEL_FIRST; b < o->c->n_bodies && o->n_shown < SNAPSHOT_MAX; ++b) {
    if (mech_assembly_active(o->c->assembly, b)) {
      double *s = o->shown + 4L * o->n_shown++;
      memcpy(s, now->q + 7L * b, 3 * sizeof *s);
      s[3] = norm3(now->u + 6L * b);
    }
  }
}

/* The part of an ideal gas's neighbours at r that are inside a box like the exit region. */
static double share_inside(const struct channel *c, double r) {
  const double a = c->exit[1] - c->exit[0], b = c->width, d = c->height;
  return 1 - 0.5 * r * (1 / a + 1 / b + 1 / d) + 2 * r * r * (a + b + d) / (3 * M_PI * a * b * d) -
         r * r * r / (4 * M_PI * a * b * d);
}

static double smallest_side(const struct channel *c) {
  return fmin(fmin(c->exit[1] - c->exit[0], c->width), c->height);
}

static void close_block(struct observer *o) {
  const struct channel *c = o->c;
  double *mean = o->mean + (long)KEYS * o->n_blocks++;
  const double frames = o->in_block, width = 2 * c->R * RDF_BIN;
  for (int k = 0; k < KEYS; ++k) {
    mean[k] = o->sum[k] / frames;
  }
  mean[PEAK_SPEED] = mean[PEAK_SPIN] = 0;
  for (int k = 0; k < o->nx * o->ny; ++k) {
    const double n = o->map.count[k];
    if (n > 0 && 2 * n >= frames) {
      mean[PEAK_SPEED] = fmax(mean[PEAK_SPEED], o->map.speed[k] / n);
      mean[PEAK_SPIN] = fmax(mean[PEAK_SPIN], o->map.spin[k] / n);
    }
    o->all.count[k] += n;
    o->all.speed[k] += o->map.speed[k];
    o->all.spin[k] += o->map.spin[k];
    o->map.count[k] = o->map.speed[k] = o->map.spin[k] = 0;
  }
  for (int i = 0; i < BINS; ++i) {
    const double r0 = i * width, r1 = r0 + width;
    const double shell = 4 * M_PI / 3 * (r1 * r1 * r1 - r0 * r0 * r0);
    const double g = o->expected > 0 ? o->pairs[i] / (o->expected * shell) : 0;
    o->g[i] += g;
    o->g2[i] += g * g;
    o->g_box[i] += g / share_inside(c, 0.5 * (r0 + r1));
    o->pairs[i] = 0;
  }
  memset(o->sum, 0, sizeof o->sum);
  o->expected = 0;
  o->in_block = 0;
}

static void observer_accumulate(void *data, const struct mech *m, const struct case_moment *now) {
  struct observer *o = data;
  if (now->t < (double)(o->frames + 1) * o->frame - FRAME_SLACK * o->frame) {
    return;
  }
  ++o->frames;
  mech_contacts_visit(m, now->q, 0, look_at_contact, o, &o->contacts);
  take_snapshot(o, now);
  const int settled = now->t > o->settle && o->n_blocks < BLOCKS_MAX;
  double key[FRAME_KEYS];
  look_at_particles(o, now, settled, key);
  add_to_series(o, now->t, key);
  if (!settled) {
    o->settled = now->t > o->settle ? o->settled : o->n_series;
    return;
  }
  for (int k = 0; k < FRAME_KEYS; ++k) {
    o->sum[k] += key[k];
  }
  look_at_pairs(o, now->q);
  ++o->in_block;
  if ((double)o->in_block * o->frame >= o->block - FRAME_SLACK * o->frame) {
    close_block(o);
  }
}

/* Half width of the interval for the mean of n values of mean and mean square given. */
static double half_width(int n, double mean, double mean_square) {
  if (n < 2) {
    return NAN;
  }
  const double variance = fmax(0, mean_square - mean * mean) * n / (n - 1);
  return la_student_quantile(0.5 + 0.5 * CONFIDENCE, n - 1) * sqrt(variance / n);
}

static void add_key(const struct observer *o, int key, cJSON *out) {
  const int n = o->n_blocks;
  double mean = 0, square = 0, lag = 0, spread = 0;
  cJSON *block = cJSON_AddObjectToObject(out, key_names[key]);
  cJSON *values = cJSON_CreateArray();
  for (int i = 0; i < n; ++i) {
    const double x = o->mean[(long)KEYS * i + key];
    mean += x / n;
    square += x * x / n;
    cJSON_AddItemToArray(values, cJSON_CreateNumber(x));
  }
  for (int i = 0; i < n; ++i) {
    const double d = o->mean[(long)KEYS * i + key] - mean;
    spread += d * d;
    lag += i > 0 ? d * (o->mean[(long)KEYS * (i - 1) + key] - mean) : 0;
  }
  base_json_add_real(block, "mean", n > 0 ? mean : NAN);
  base_json_add_real(block, "half_width", half_width(n, mean, square));
  base_json_add_real(block, "lag1", spread > 0 ? lag / spread : NAN);
  if (key < FRAME_KEYS) {
    const double *x = o->series + (long)(1 + FRAME_KEYS) * o->settled + 1 + key;
    base_json_add_real(block, "correlation_time",
                       o->frame * la_correlation_time(o->n_series - o->settled, x, 1 + FRAME_KEYS));
  }
  cJSON_AddItemToObject(block, "blocks", values);
}

static void add_series(const struct observer *o, cJSON *out) {
  cJSON *block = cJSON_AddObjectToObject(out, "series");
  for (int k = 0; k <= FRAME_KEYS; ++k) {
    cJSON *values = cJSON_AddArrayToObject(block, k == 0 ? "t" : key_names[k - 1]);
    for (int i = 0; i < o->n_series; ++i) {
      cJSON_AddItemToArray(values, cJSON_CreateNumber(o->series[(long)(1 + FRAME_KEYS) * i + k]));
    }
  }
}

static void add_map(const struct observer *o, cJSON *out) {
  const int n = o->nx * o->ny;
  cJSON *block = cJSON_AddObjectToObject(out, "map");
  for (int k = 0; k < n; ++k) {
    const double count = o->all.count[k];
    o->map.speed[k] = count > 0 ? o->all.speed[k] / count : NAN;
    o->map.spin[k] = count > 0 ? o->all.spin[k] / count : NAN;
  }
  base_json_add_real(block, "cell", CELL);
  base_json_add_real(block, "nx", o->nx);
  base_json_add_real(block, "ny", o->ny);
  base_json_add_reals(block, "count", n, o->all.count);
  base_json_add_reals(block, "speed", n, o->map.speed);
  base_json_add_reals(block, "spin", n, o->map.spin);
  memset(o->map.speed, 0, (size_t)n * sizeof *o->map.speed);
  memset(o->map.spin, 0, (size_t)n * sizeof *o->map.spin);
}

static void add_rdf(const struct observer *o, cJSON *out) {
  const int n = o->n_blocks;
  double r[BINS], g[BINS], g_box[BINS], half[BINS];
  cJSON *block = cJSON_AddObjectToObject(out, "rdf");
  for (int i = 0; i < BINS; ++i) {
    r[i] = (i + 0.5) * RDF_BIN;
    g[i] = n > 0 ? o->g[i] / n : NAN;
    g_box[i] = n > 0 && 2 * o->c->R * r[i] <= smallest_side(o->c) ? o->g_box[i] / n : NAN;
    half[i] = n > 0 ? half_width(n, g[i], o->g2[i] / n) : NAN;
  }
  base_json_add_reals(block, "r", BINS, r);
  base_json_add_reals(block, "g", BINS, g);
  base_json_add_reals(block, "half_width", BINS, half);
  base_json_add_reals(block, "g_box", BINS, g_box);
}

/* In whole micrometres and millimetres a second: short numbers. */
static void add_snapshot(const struct observer *o, cJSON *out) {
  static const char *const names[] = {"x_um", "y_um", "z_um", "speed_mm_s"};
  cJSON *block = cJSON_AddObjectToObject(out, "snapshot");
  for (int k = 0; k < 4; ++k) {
    cJSON *values = cJSON_AddArrayToObject(block, names[k]);
    for (int i = 0; i < o->n_shown; ++i) {
      cJSON_AddItemToArray(values,
                           cJSON_CreateNumber(rint(o->shown[4L * i + k] * (k < 3 ? 1e6 : 1e3))));
    }
  }
}

static void observer_finish(void *data, cJSON *out) {
  const struct observer *o = data;
  base_json_add_real(out, "frames", (double)o->frames);
  base_json_add_real(out, "blocks", o->n_blocks);
  base_json_add_real(out, "entered", (double)o->c->born);
  base_json_add_real(out, "left", (double)o->c->left);
  base_json_add_real(out, "refused", (double)o->c->refused);
  base_json_add_real(out, "penetration", o->penetration);
  for (int k = 0; k < KEYS; ++k) {
    add_key(o, k, out);
  }
  add_series(o, out);
  add_map(o, out);
  add_rdf(o, out);
  add_snapshot(o, out);
}

static void pass_doubles(struct base_blob *blob, double *x, int n) {
  base_blob_pass(blob, x, (size_t)n * sizeof *x);
}

static void observer_checkpoint(void *data, struct base_blob *blob) {
  struct observer *o = data;
  const int cells = o->nx * o->ny;
  base_blob_pass(blob, &o->frames, sizeof o->frames);
  base_blob_int(blob, &o->in_block, 0, INT_MAX / 2);
  base_blob_int(blob, &o->n_blocks, 0, BLOCKS_MAX);
  base_blob_int(blob, &o->n_shown, 0, SNAPSHOT_MAX);
  o->n_series = (int)base_blob_count(blob, o->n_series, SERIES_MAX, sizeof *o->series);
  base_blob_int(blob, &o->settled, 0, SERIES_MAX);
  pass_doubles(blob, o->series, (1 + FRAME_KEYS) * o->n_series);
  pass_doubles(blob, o->sum, KEYS);
  pass_doubles(blob, o->mean, BLOCKS_MAX * KEYS);
  pass_doubles(blob, o->g, BINS);
  pass_doubles(blob, o->g2, BINS);
  pass_doubles(blob, o->g_box, BINS);
  pass_doubles(blob, o->pairs, BINS);
  pass_doubles(blob, &o->expected, 1);
  pass_doubles(blob, &o->penetration, 1);
  for (int k = 0; k < 2; ++k) {
    const struct map *map = k == 0 ? &o->map : &o->all;
    pass_doubles(blob, map->count, cells);
    pass_doubles(blob, map->speed, cells);
    pass_doubles(blob, map->spin, cells);
  }
  pass_doubles(blob, o->shown, 4 * SNAPSHOT_MAX);
}

static struct map map_alloc(int n, struct base_arena *arena) {
  return (struct map){base_arena_doubles(arena, n), base_arena_doubles(arena, n),
                      base_arena_doubles(arena, n)};
}

const struct case_observer *channel_observer(struct channel *c, const struct mech *m, double frame,
                                             double settle, double block,
                                             struct base_arena *arena) {
  struct observer *o = base_arena_push(arena, sizeof *o);
  *o = (struct observer){.calls = {o, observer_accumulate, observer_finish, observer_checkpoint},
                         .c = c,
                         .frame = frame,
                         .settle = settle,
                         .block = block,
                         .nx = (int)ceil(c->length / CELL - FRAME_SLACK),
                         .ny = (int)ceil(c->width / CELL - FRAME_SLACK)};
  if ((double)o->nx * o->ny > CELLS_MAX || block < frame) {
    base_fail(BASE_E_INPUT, block < frame ? "channel-flow: block is shorter than frame"
                                          : "channel-flow: too many cells of 1 mm");
    return NULL;
  }
  o->mean = base_arena_doubles(arena, BLOCKS_MAX * KEYS);
  o->series = base_arena_matrix(arena, 1 + FRAME_KEYS, SERIES_MAX);
  BASE_ARENA_VECTORS(arena, BINS, &o->g, &o->g2, &o->g_box, &o->pairs);
  o->map = map_alloc(o->nx * o->ny, arena);
  o->all = map_alloc(o->nx * o->ny, arena);
  o->x = base_arena_matrix(arena, 3, c->n_bodies);
  o->shown = base_arena_doubles(arena, 4 * SNAPSHOT_MAX);
  mech_contacts_init(&o->contacts, m, base_arena_child(arena));
  return &o->calls;
}
