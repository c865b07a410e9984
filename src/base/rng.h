/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random numbers with a recorded seed: GSL's Mersenne twister, the same stream on every machine.
 */
#ifndef BASE_RNG_H
#define BASE_RNG_H

struct base_rng;

struct base_rng *base_rng_alloc(unsigned long seed);                 /* freed by base_rng_free */
void base_rng_free(struct base_rng *rng);                            /* takes NULL */
double base_rng_uniform(struct base_rng *rng, double lo, double hi); /* in [lo, hi) */
double base_rng_normal(struct base_rng *rng);                        /* mean 0, variance 1 */
/* x: n independent numbers of the same distributions. */
void base_rng_uniforms(struct base_rng *rng, int n, double lo, double hi, double *x);
void base_rng_normals(struct base_rng *rng, int n, double *x);
int base_rng_below(struct base_rng *rng, int n); /* in 0 ... n - 1, with equal probabilities */

#endif
