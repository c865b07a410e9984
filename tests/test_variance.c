/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shares of variance against parts in closed form, against the variances of conditional means by
 * their definition, over many simulated tables against the variances these were drawn with, and how
 * many of their intervals hold those. Sub-designs without missing cells.
 */
#include "la/ensemble/variance.h"

#include "tests/test.h"

#include <stdlib.h>

#define ROUNDING 1e-13

static struct la_shares shares_of(const struct la_design *design, const double *y, int unit,
                                  unsigned long seed) {
  struct la_sampling sampling = la_sampling_default(0);
  sampling.resamples = 500;
  sampling.seed = seed;
  struct la_shares shares;
  la_variance_shares(design, y, unit, &sampling, test_arena(), &shares);
  return shares;
}

/* y = 3 + a_i + b_j + 2 c_i d_j, all of mean 0: V_a = mean of a^2, V_ab = 4 mean c^2 mean d^2. */
TEST(of_a_table_in_closed_form) {
  static const double a[] = {-1, 0, 1}, b[] = {-3, 1, 1, 1}, c[] = {1, -2, 1}, d[] = {1, -1, 1, -1};
  double y[3 * 4 * 2];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) {
      for (int k = 0; k < 2; ++k) { /* which does not matter */
        y[(i * 4 + j) * 2 + k] = 3 + a[i] + b[j] + 2 * c[i] * d[j];
      }
    }
  }
  const struct la_design design = {3,
                                   {{"a", 3, LA_FACTOR_FIXED, -1},
                                    {"b", 4, LA_FACTOR_FIXED, -1},
                                    {"c", 2, LA_FACTOR_FIXED, -1}}};
  const double Va = 2.0 / 3, Vb = 3, Vab = 4 * 2 * 1, V = Va + Vb + Vab;
  const struct la_shares s = shares_of(&design, y, -1, 1);
  CHECK_NEAR(s.variance.value, V, ROUNDING * V);
  CHECK_NEAR(s.first[0].value, Va / V, ROUNDING);
  CHECK_NEAR(s.first[1].value, Vb / V, ROUNDING);
  CHECK_NEAR(s.first[2].value, 0, ROUNDING);
  CHECK_NEAR(s.pair[0][1].value, Vab / V, ROUNDING);
  CHECK(s.pair[1][0].value == s.pair[0][1].value && s.pair[0][0].value == 0);
  CHECK_NEAR(s.total[0].value, (Va + Vab) / V, ROUNDING);
  CHECK_NEAR(s.total[1].value, (Vb + Vab) / V, ROUNDING);
  CHECK_NEAR(s.total[2].value, 0, ROUNDING);
  CHECK_NEAR(s.higher.value, 0, ROUNDING);
  CHECK(isnan(s.first[0].lo) && isnan(s.variance.hi));

  /* the same with b held: what a and the pair make at each level of b */
  struct la_design held = design;
  held.factor[1].kind = LA_FACTOR_HELD;
  const struct la_shares h = shares_of(&held, y, -1, 1);
  CHECK_NEAR(h.variance.value, Va + Vab, ROUNDING * V);
  CHECK_NEAR(h.first[0].value, 1, ROUNDING);
  CHECK(h.first[1].value == 0 && h.total[1].value == 0);
}

/* ---- by definition ---- */

enum { N = 4 };
static const int shape[N] = {3, 2, 4, 3};
enum { CELLS = 3 * 2 * 4 * 3 };

static int level_of(int cell, int factor) {
  for (int f = N - 1; f > factor; --f) {
    cell /= shape[f];
  }
  return cell % shape[factor];
}

/* Variance over the table of the mean of y where the levels of the factors in `set` are known. */
static double variance_of_means(const double *y, int set) {
  double grand = 0, variance = 0;
  for (int i = 0; i < CELLS; ++i) {
    grand += y[i] / CELLS;
  }
  for (int i = 0; i < CELLS; ++i) {
    double sum = 0;
    int n = 0;
    for (int j = 0; j < CELLS; ++j) {
      int is_same = 1;
      for (int f = 0; f < N; ++f) {
        is_same = is_same && (!(set & 1 << f) || level_of(i, f) == level_of(j, f));
      }
      sum += is_same ? y[j] : 0;
      n += is_same;
    }
    variance += pow(sum / n - grand, 2) / CELLS;
  }
  return variance;
}

TEST(are_variances_of_conditional_means) {
  struct base_rng *rng = test_rng(0);
  double y[CELLS];
  for (int i = 0; i < CELLS; ++i) {
    y[i] = base_rng_normal(rng) + level_of(i, 1) - level_of(i, 2) * level_of(i, 3);
  }
  struct la_design design = {.n = N};
  for (int f = 0; f < N; ++f) {
    design.factor[f] = (struct la_factor){"", shape[f], LA_FACTOR_FIXED, -1};
  }
  const int all = (1 << N) - 1;
  const double V = variance_of_means(y, all);
  /* the same whichever factor the sums are made for last */
  for (int last = 0; last < N; ++last) {
    const struct la_shares s = shares_of(&design, y, last, 1);
    double rest = 1;
    CHECK_NEAR(s.variance.value, V, ROUNDING * V);
    for (int i = 0; i < N; ++i) {
      const double Di = variance_of_means(y, 1 << i);
      CHECK_NEAR(s.first[i].value, Di / V, ROUNDING);
      CHECK_NEAR(s.total[i].value, 1 - variance_of_means(y, all & ~(1 << i)) / V, ROUNDING);
      rest -= s.first[i].value;
      for (int j = 0; j < i; ++j) {
        const double Dij = variance_of_means(y, 1 << i | 1 << j), Dj = variance_of_means(y, 1 << j);
        CHECK_NEAR(s.pair[i][j].value, (Dij - Di - Dj) / V, ROUNDING);
        rest -= s.pair[i][j].value;
      }
    }
    CHECK_NEAR(s.higher.value, rest, ROUNDING);
  }
}

/* ---- simulated tables: laws and schemes, fixed; scenes, and phases within each, random ---- */

enum { LAWS = 4, SCHEMES = 3, PHASES = 5, SCENES_MOST = 20 };
static const double law[LAWS] = {-1, 0, 0.5, 0.5}, scheme[SCHEMES] = {-0.6, 0, 0.6};
/* standard deviations of the random parts: of scenes, laws by scenes, phases, laws by phases */
static const double by_scene = 1, by_law_scene = 0.5, by_phase = 0.6, by_law_phase = 0.3;

/* x: n normal variates of variance s^2, less their mean, with a sum of squares of mean n s^2. */
static void fill_part(struct base_rng *rng, double s, int n, double *x) {
  double mean = 0;
  for (int i = 0; i < n; ++i) {
    x[i] = s * sqrt(n / (n - 1.0)) * base_rng_normal(rng);
    mean += x[i] / n;
  }
  for (int i = 0; i < n; ++i) {
    x[i] -= mean;
  }
}

static void simulate(struct base_rng *rng, int scenes, double *y) {
  for (int s = 0; s < scenes; ++s) {
    double of_laws[LAWS], of_phase[LAWS];
    const double of_scene = by_scene * base_rng_normal(rng);
    fill_part(rng, by_law_scene, LAWS, of_laws);
    for (int p = 0; p < PHASES; ++p) {
      const double common = of_scene + by_phase * base_rng_normal(rng);
      fill_part(rng, by_law_phase, LAWS, of_phase);
      for (int i = 0; i < LAWS; ++i) {
        for (int j = 0; j < SCHEMES; ++j) {
          y[((i * SCHEMES + j) * scenes + s) * PHASES + p] =
              law[i] + scheme[j] + common + of_laws[i] + of_phase[i];
        }
      }
    }
  }
}

static struct la_design simulated_design(int scenes) {
  return (struct la_design){4,
                            {{"law", LAWS, LA_FACTOR_FIXED, -1},
                             {"scheme", SCHEMES, LA_FACTOR_FIXED, -1},
                             {"scene", scenes, LA_FACTOR_RANDOM, -1},
                             {"phase", PHASES, LA_FACTOR_RANDOM, 2}}};
}

enum { STATED = 6 };
/* Variances of law, scheme, scene, phase (in its scene), law by scene, law by phase. */
static double true_variances(double *V) {
  V[0] = (1 + 0.25 + 0.25) / 4;
  V[1] = 2 * 0.36 / 3;
  V[2] = by_scene * by_scene;
  V[3] = by_phase * by_phase;
  V[4] = by_law_scene * by_law_scene;
  V[5] = by_law_phase * by_law_phase;
  return V[0] + V[1] + V[2] + V[3] + V[4] + V[5];
}

static void state(const struct la_shares *s, struct la_interval *stated) {
  for (int f = 0; f < 4; ++f) {
    stated[f] = s->first[f];
  }
  stated[4] = s->pair[0][2];
  stated[5] = s->pair[0][3];
}

/* With 4 scenes plain sums of squares put down 0.44 to the law for 0.375. */
TEST(have_components_without_bias) {
  enum { SCENES = 4, TIMES = 2000 };
  struct base_rng *rng = test_rng(0);
  double y[LAWS * SCHEMES * SCENES * PHASES], V[STATED], sum[STATED] = {0}, square[STATED] = {0};
  const struct la_design design = simulated_design(SCENES);
  true_variances(V);
  for (int k = 0; k < TIMES; ++k) {
    simulate(rng, SCENES, y);
    const struct la_shares s = shares_of(&design, y, -1, 1);
    struct la_interval stated[STATED];
    state(&s, stated);
    for (int i = 0; i < STATED; ++i) {
      const double component = stated[i].value * s.variance.value;
      sum[i] += component / TIMES;
      square[i] += component * component / TIMES;
    }
    CHECK_NEAR(s.higher.value, 0, 1e-10);
    CHECK_NEAR(s.pair[2][3].value, 0, 1e-10);
  }
  for (int i = 0; i < STATED; ++i) {
    const double error = sqrt(fmax(0, square[i] - sum[i] * sum[i]) / TIMES);
    CHECK_NEAR(sum[i], V[i], 4 * error + ROUNDING);
    CHECK(error < 0.05 * V[i]); /* so that the bias would show */
  }
}

TEST(have_intervals_that_hold_them) {
  enum { SCENES = 20, TIMES = 300 };
  struct base_rng *rng = test_rng(0);
  static double y[LAWS * SCHEMES * SCENES * PHASES];
  const struct la_design design = simulated_design(SCENES);
  double V[STATED];
  const double all = true_variances(V);
  int held[STATED] = {0};
  for (int k = 0; k < TIMES; ++k) {
    simulate(rng, SCENES, y);
    const struct la_shares s = shares_of(&design, y, 2, (unsigned long)k);
    struct la_interval stated[STATED];
    state(&s, stated);
    for (int i = 0; i < STATED; ++i) {
      held[i] += stated[i].lo <= V[i] / all && V[i] / all <= stated[i].hi;
    }
  }
  for (int i = 0; i < STATED; ++i) { /* 0.93 to 0.955 of 2000 */
    CHECK_NEAR(held[i], 0.94 * TIMES, 3.5 * sqrt(0.94 * 0.06 * TIMES));
  }
}

/* Scenes that are all of interest: what they differ by is known, and nothing is taken off. */
TEST(of_fixed_scenes_are_those_of_the_table) {
  enum { SCENES = 4 };
  struct base_rng *rng = test_rng(0);
  double y[LAWS * SCHEMES * SCENES * PHASES];
  simulate(rng, SCENES, y);
  struct la_design fixed = simulated_design(SCENES), random = fixed;
  fixed.factor[2].kind = LA_FACTOR_FIXED;
  const struct la_shares f = shares_of(&fixed, y, 3, 1), r = shares_of(&random, y, 2, 1);
  const double of_laws = r.first[0].value * r.variance.value;
  const double pair = r.pair[0][2].value * r.variance.value;
  CHECK_NEAR(f.first[0].value * f.variance.value, of_laws + pair / SCENES, ROUNDING);
  CHECK_NEAR(f.pair[0][2].value * f.variance.value, pair * (1 - 1.0 / SCENES), ROUNDING);
  CHECK_NEAR(f.first[3].value * f.variance.value, r.first[3].value * r.variance.value, ROUNDING);
}

/* ---- missing cells ---- */

/* Law 2 has no scheme 1; scene 4 failed in one cell. */
TEST(are_of_a_complete_sub_design) {
  enum { SCENES = 6 };
  struct base_arena *arena = test_arena();
  struct base_rng *rng = test_rng(0);
  double y[LAWS * SCHEMES * SCENES * PHASES];
  simulate(rng, SCENES, y);
  const struct la_design design = simulated_design(SCENES);
  for (int k = 0; k < SCENES * PHASES; ++k) {
    y[(2 * SCHEMES + 1) * SCENES * PHASES + k] = NAN;
  }
  y[(0 * SCENES + 4) * PHASES + 3] = INFINITY;
  const struct la_sub_design sub = la_design_complete(&design, y, arena);
  CHECK_INT(sub.cells, LAWS * SCHEMES * SCENES * PHASES);
  CHECK_INT(sub.missing, SCENES * PHASES + 1);
  CHECK_INT(sub.design.factor[0].levels, LAWS - 1);
  CHECK_INT(sub.design.factor[1].levels, SCHEMES);
  CHECK(sub.kept[0][0] == 0 && sub.kept[0][1] == 1 && sub.kept[0][2] == 3);
  CHECK_INT(sub.design.factor[2].levels + sub.design.factor[3].levels, SCENES + PHASES - 1);
  CHECK_INT(sub.cells_kept, la_design_cells(&sub.design));
  size_t i = 0;
  for (int a = 0; a < sub.design.factor[0].levels; ++a) {
    for (int b = 0; b < sub.design.factor[1].levels; ++b) {
      for (int c = 0; c < sub.design.factor[2].levels; ++c) {
        for (int d = 0; d < sub.design.factor[3].levels; ++d) {
          const int row = sub.kept[0][a] * SCHEMES + sub.kept[1][b];
          CHECK(sub.y[i++] == y[(row * SCENES + sub.kept[2][c]) * PHASES + sub.kept[3][d]]);
        }
      }
    }
  }
  for (int k = 0; k < LAWS * SCHEMES * SCENES * PHASES; ++k) {
    y[k] = NAN;
  }
  CHECK_INT(la_design_complete(&design, y, arena).cells_kept, 0);
  simulate(rng, SCENES, y);
  const struct la_sub_design whole = la_design_complete(&design, y, arena);
  CHECK(whole.missing == 0 && whole.cells_kept == whole.cells);
}
