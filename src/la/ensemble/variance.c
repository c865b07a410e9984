/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shares of variance; see variance.h. Helmert's orthonormal contrasts
 *
 *   c_0 = sum y_l / sqrt(L),   c_k = (sum_{l < k} y_l - k y_k) / sqrt(k (k + 1)), k = 1 ... L - 1,
 *
 * along each factor turn the table into coefficients whose sum of squares with c_0 for the factors
 * outside u and others for those in u is that of y_u. The units (scenes) are left out of it: their
 * coefficients have the inner products G_u, units x units. A sample of n draws, unit i drawn m_i
 * times, has of fixed units the mean squares
 *
 *   S_u = sum_ij m_i m_j G_u,ij / n^2,   S_{u + unit} = sum_i m_i G_u,ii / n - S_u.
 *
 * Of random ones it has the components at once when the first sum, and n^2 for it, is over pairs of
 * different units only: with m = 1 those are the equations of variance.h, and with repeated units
 * the mean over resamples stays that of the sample itself, which these equations would miss by
 * 1 / n. A resample costs as little as that, however large the table.
 */
#include "la/ensemble/variance.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { SETS_MAX = 1 << LA_FACTORS_MAX };

struct components {
  const struct la_design *design;
  int unit, sets, units; /* sets: 2^n */
  double *G;             /* sets x units x units, of sets without the unit */
  double *count;         /* units, scratch */
};

/* y: outer x levels x inner, in place. */
static void transform(size_t outer, int levels, size_t inner, double *y) {
  for (size_t o = 0; o < outer; ++o) {
    for (size_t i = 0; i < inner; ++i) {
      double *x = y + o * (size_t)levels * inner + i;
      double sum = x[0];
      for (int k = 1; k < levels; ++k) {
        const double next = x[(size_t)k * inner];
        x[(size_t)k * inner] = (sum - k * next) / sqrt(k * (k + 1.0));
        sum += next;
      }
      x[0] = sum / sqrt(levels);
    }
  }
}

/* Factors but the unit whose level at a cell is not 0. */
static int set_of(const struct la_design *design, int unit, size_t cell) {
  int set = 0;
  for (int f = design->n - 1; f >= 0; --f) {
    const size_t levels = (size_t)design->factor[f].levels;
    set |= f != unit && cell % levels != 0 ? 1 << f : 0;
    cell /= levels;
  }
  return set;
}

/* Inner products of the units' coefficients, over the number of cells of a unit. y: transformed. */
static void multiply(struct components *c, const double *y, size_t inner) {
  const size_t cells = la_design_cells(c->design), units = (size_t)c->units;
  const double scale = (double)units / (double)cells;
  for (size_t o = 0; o < cells; o += units * inner) {
    for (size_t i = o; i < o + inner; ++i) {
      double *G = c->G + (size_t)set_of(c->design, c->unit, i) * units * units;
      for (size_t s = 0; s < units; ++s) {
        const double scaled = scale * y[i + s * inner];
        for (size_t t = 0; t <= s; ++t) {
          G[s * units + t] += scaled * y[i + t * inner];
        }
      }
    }
  }
}

/* S: sets, mean squares of the parts with the units drawn as counted, free of the bias from random
 * units. */
static void add_squares(const struct components *c, int drawn, double *S) {
  const size_t units = (size_t)c->units;
  const int is_random = units > 1 && c->design->factor[c->unit].kind == LA_FACTOR_RANDOM;
  double same = 0; /* pairs of draws, both of one unit */
  for (size_t s = 0; s < units; ++s) {
    same += c->count[s] * c->count[s];
  }
  const double pairs = (double)drawn * drawn - (is_random ? same : 0);
  for (int set = 0; set < c->sets; ++set) {
    if (set & 1 << c->unit) {
      continue;
    }
    const double *G = c->G + (size_t)set * units * units;
    double of_pairs = 0, of_units = 0;
    for (size_t s = 0; s < units; ++s) {
      double row = is_random ? 0 : c->count[s] * G[s * units + s];
      for (size_t t = 0; t < s; ++t) {
        row += 2 * c->count[t] * G[s * units + t];
      }
      of_pairs += c->count[s] * row;
      of_units += c->count[s] * G[s * units + s];
    }
    S[set] = of_pairs / pairs;
    S[set | 1 << c->unit] = of_units / drawn - S[set];
  }
}

/* The same for the other random factors. */
static void remove_bias(const struct components *c, double *S) {
  for (int f = 0; f < c->design->n; ++f) {
    const int levels = c->design->factor[f].levels;
    if (f == c->unit || c->design->factor[f].kind != LA_FACTOR_RANDOM || levels < 2) {
      continue;
    }
    for (int set = 0; set < c->sets; ++set) {
      if (!(set & 1 << f)) {
        S[set] -= S[set | 1 << f] / (levels - 1);
        S[set | 1 << f] *= levels / (levels - 1.0);
      }
    }
  }
}

/* The set under which V_u counts: without held factors, and those in which others of u lie. */
static int counts_as(const struct la_design *design, int set) {
  int left = set;
  for (int f = 0; f < design->n; ++f) {
    if (design->factor[f].kind == LA_FACTOR_HELD) {
      left &= ~(1 << f);
    }
    if (set & 1 << f && design->factor[f].within >= 0) {
      left &= ~(1 << design->factor[f].within);
    }
  }
  return left;
}

static int values_of(int factors) { return 2 + 2 * factors + factors * factors; }

/* V, the share of higher orders, first-order shares: n, total: n, pairs: n x n. */
static void share_out(int n, const double *V, double *values) {
  double variance = 0;
  double *higher = &values[1], *first = values + 2, *total = first + n, *pair = total + n;
  memset(values, 0, (size_t)values_of(n) * sizeof *values);
  for (int set = 1; set < 1 << n; ++set) {
    variance += V[set];
  }
  for (int set = 1; set < 1 << n; ++set) {
    const double share = V[set] / variance;
    int members = 0, i = 0, j = 0;
    for (int f = 0; f < n; ++f) {
      if (set & 1 << f) {
        ++members;
        i = j;
        j = f;
        total[f] += share;
      }
    }
    if (members == 1) {
      first[j] = share;
    } else if (members == 2) {
      pair[i * n + j] = pair[j * n + i] = share;
    } else {
      *higher += share;
    }
  }
  values[0] = variance;
}

static void find_shares(int drawn, const int *index, void *data, double *values) {
  const struct components *c = data;
  double S[SETS_MAX], V[SETS_MAX] = {0};
  for (int s = 0; s < c->units; ++s) {
    c->count[s] = 0;
  }
  for (int i = 0; i < drawn; ++i) {
    ++c->count[index[i]];
  }
  add_squares(c, drawn, S);
  remove_bias(c, S);
  for (int set = 1; set < c->sets; ++set) {
    V[counts_as(c->design, set)] += S[set];
  }
  share_out(c->design->n, V, values);
}

/* value: k. The shares of all units, with intervals or without. */
static void find_intervals(struct components *c, int has_intervals,
                           const struct la_sampling *sampling, struct base_arena *arena, int k,
                           struct la_interval *value) {
  if (has_intervals) {
    struct la_sampling units = *sampling;
    units.n = c->units;
    la_bootstrap(&units, k, find_shares, c, arena, value, NULL);
    return;
  }
  int *all = base_arena_ints(arena, c->units);
  double *shares = base_arena_doubles(arena, k);
  for (int i = 0; i < c->units; ++i) {
    all[i] = i;
  }
  find_shares(c->units, all, c, shares);
  for (int i = 0; i < k; ++i) {
    value[i] = (struct la_interval){.value = shares[i], .lo = NAN, .hi = NAN};
  }
}

void la_variance_shares(const struct la_design *design, const double *y, int unit,
                        const struct la_sampling *sampling, struct base_arena *arena,
                        struct la_shares *shares) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  const int n = design->n, k = values_of(n);
  const size_t cells = la_design_cells(design);
  struct components c = {.design = design, .unit = unit < 0 ? 0 : unit, .sets = 1 << n};
  assert(n > 0 && n <= LA_FACTORS_MAX && cells > 0);
  c.units = design->factor[c.unit].levels;
  c.count = base_arena_doubles(arena, c.units);
  c.G = base_arena_array(arena, (size_t)c.sets * (size_t)c.units, (size_t)c.units, sizeof *c.G);
  double *x = base_arena_array(arena, cells, 1, sizeof *x);
  memcpy(x, y, cells * sizeof *x);
  size_t inner = cells, inner_of_unit = 1;
  for (int f = 0; f < n; ++f) {
    const size_t outer = cells / inner;
    inner /= (size_t)design->factor[f].levels;
    if (f == c.unit) {
      inner_of_unit = inner;
    } else {
      transform(outer, design->factor[f].levels, inner, x);
    }
  }
  multiply(&c, x, inner_of_unit);

  struct la_interval *value = base_arena_array(arena, (size_t)k, 1, sizeof *value);
  find_intervals(&c, unit >= 0, sampling, arena, k, value);
  *shares = (struct la_shares){.variance = value[0], .higher = value[1]};
  for (int i = 0; i < n; ++i) {
    shares->first[i] = value[2 + i];
    shares->total[i] = value[2 + n + i];
    for (int j = 0; j < n; ++j) {
      shares->pair[i][j] = value[2 + 2 * n + i * n + j];
    }
  }
  base_arena_release(arena, mark);
}
