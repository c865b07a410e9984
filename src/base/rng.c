/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random numbers from gsl_rng_mt19937, whatever GSL_RNG_TYPE says. The generator takes the seed's
 * lower 32 bits, and its seed 0 stands for 4357. Normal variates by the polar method of
 * gsl_ran_gaussian.
 */
#include "base/rng.h"

#include "base/memory/memory.h"

#include <assert.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

struct base_rng {
  gsl_rng *generator;
};

struct base_rng *base_rng_alloc(unsigned long seed) {
  struct base_rng *rng = base_memory_alloc(sizeof *rng);
  rng->generator = gsl_rng_alloc(gsl_rng_mt19937);
  if (!rng->generator) {
    base_memory_end(1, gsl_rng_mt19937->size, 1);
  }
  gsl_rng_set(rng->generator, seed);
  return rng;
}

void base_rng_free(struct base_rng *rng) {
  if (rng) {
    gsl_rng_free(rng->generator);
    free(rng);
  }
}

double base_rng_uniform(struct base_rng *rng, double lo, double hi) {
  const double x = lo + (hi - lo) * gsl_rng_uniform(rng->generator);
  /* rounding may reach hi, which is not in the interval */
  return x < hi || !(lo < hi) ? x : nextafter(hi, lo);
}

double base_rng_normal(struct base_rng *rng) { return gsl_ran_ugaussian(rng->generator); }

void base_rng_uniforms(struct base_rng *rng, int n, double lo, double hi, double *x) {
  for (int i = 0; i < n; ++i) {
    x[i] = base_rng_uniform(rng, lo, hi);
  }
}

void base_rng_normals(struct base_rng *rng, int n, double *x) {
  for (int i = 0; i < n; ++i) {
    x[i] = base_rng_normal(rng);
  }
}

int base_rng_below(struct base_rng *rng, int n) {
  assert(n > 0);
  return (int)gsl_rng_uniform_int(rng->generator, (unsigned long)n);
}
