/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Is the outcome of a run of use? The status says whether it ran, this how far it is off. Relative
 * measures, each the size of an error over a scale of the motion:
 *
 *   position                    errors.q_linf over the system's characteristic length
 *   total_energy                mean difference of the energy from the reference's, over E
 *   friction, impact, damping   mean difference of the dissipated energy, over E
 *   drift                       largest synchronous drift of the energy budget, over E
 *   penetration                 the deepest one, beyond that of the start, over the length
 *   unsolved                    residual of the law over what the step asks for (relative_free), of
 *                               steps that missed the solver's tolerance, mean over the steps
 *
 * E is the energy at stake: of the reference, where there is one, the larger of its largest kinetic
 * energy and of what its channels took (the run's own may be wrong by orders). Where that is no
 * more than ROUNDING times the energy at the start, or times the work of the largest force over the
 * length, nothing moves, and the position alone is judged.
 *
 * good: no measure above `poor_above`; poor: none above `useless_above`; else useless. A run that
 * did not get to its end is useless. One beyond its own limit of stability is poor at best: where
 * it agrees, that is luck. Without a reference nothing shows that a run is good, as a small drift
 * is shared by runs with a wrong impact or friction law: it is judged only where the drift, the
 * penetration or the steps not solved condemn it. These last leave it poor, however many they are:
 * a tower that falls so would stand if it were solved, yet a flow that is given a few sweeps a step
 * may have the right means.
 */
#include <math.h>
#include <stdio.h>

#include "base/status.h"
#include "bench/run/run.h"

/* One percent is what plots and engineering show; a tenth is where searches for the largest
 * accurate step draw the line too. */
static const double POOR = 0.01, USELESS = 0.1;
static const double ROUNDING = 1e-9;

struct measure {
  const char *name, *scale;
  double x;
};

static void say(struct bench_outcome *out, const char *verdict, const char *why) {
  out->quality.verdict = verdict;
  snprintf(out->quality.why, sizeof out->quality.why, "%s", why);
}

static double over(double x, double scale) { return scale > 0 ? x / scale : NAN; }

/* Fill the relative measures. A reference known no better than what is judged says nothing. */
static void measure(struct bench_outcome *out) {
  const double L = out->quality.length;
  double E = out->energy_errors.at_stake;
  E = isnan(E) ? out->energy.max_kinetic : E;
  E = E > ROUNDING * fmax(fabs(out->energy.initial), out->synchronous.force * L) ? E : NAN;
  out->quality.energy = E;
  const int is_known = !(out->reference.bound > POOR * L);
  out->quality.position = is_known ? over(out->errors.q_linf, L) : NAN;
  out->quality.total = is_known ? over(out->energy_errors.total, E) : NAN;
  out->quality.friction = is_known ? over(out->energy_errors.friction, E) : NAN;
  out->quality.impact = is_known ? over(out->energy_errors.impact, E) : NAN;
  out->quality.damping = is_known ? over(out->energy_errors.damping, E) : NAN;
  out->quality.drift = over(out->synchronous.max_drift, E);
  const int judges_itself = isnan(out->quality.position);
  const double start = fmin(0, out->start.gap_min); /* 0 where that is not known */
  out->quality.penetration =
      judges_itself ? over(fmax(0, out->constraints.penetration_max + start), L) : NAN;
  out->quality.unsolved = judges_itself ? out->law.unsolved : NAN;
}

void bench_quality_judge(struct bench_outcome *out) {
  out->quality.poor_above = POOR;
  out->quality.useless_above = USELESS;
  measure(out);
  const struct measure measures[] = {{"position", "length", out->quality.position},
                                     {"total_energy", "energy", out->quality.total},
                                     {"friction", "energy", out->quality.friction},
                                     {"impact", "energy", out->quality.impact},
                                     {"damping", "energy", out->quality.damping},
                                     {"drift", "energy", out->quality.drift},
                                     {"penetration", "length", out->quality.penetration}};
  const struct measure *worst = NULL;
  for (size_t i = 0; i < sizeof measures / sizeof *measures; ++i) {
    if (!isnan(measures[i].x) && (worst == NULL || measures[i].x > worst->x)) {
      worst = &measures[i];
    }
  }
  char why[sizeof out->quality.why];
  const int has_reference = !isnan(out->quality.position);
  if (out->status == BASE_UNSUPPORTED) {
    say(out, NULL, "it did not run");
  } else if (out->status != BASE_OK && out->status != BASE_UNCONVERGED &&
             out->status != BASE_UNSTABLE) {
    say(out, "useless", "it did not get to the end");
  } else if (worst != NULL && worst->x > USELESS) {
    snprintf(why, sizeof why, "%s: %.3g of the %s, more than %g", worst->name, worst->x,
             worst->scale, USELESS);
    say(out, "useless", why);
  } else if (worst != NULL && worst->x > POOR) {
    snprintf(why, sizeof why, "%s: %.3g of the %s, more than %g", worst->name, worst->x,
             worst->scale, POOR);
    say(out, "poor", why);
  } else if (out->quality.unsolved > POOR) {
    snprintf(why, sizeof why, "unsolved: %.3g of what a step asks of its contacts, more than %g",
             out->quality.unsolved, POOR);
    say(out, "poor", why);
  } else if (out->status == BASE_UNSTABLE) {
    say(out, "poor", "the step is beyond the limit of stability: what agrees is luck");
  } else if (!has_reference) {
    say(out, NULL, "no reference to judge by; drift, penetration and what is unsolved are small");
  } else {
    snprintf(why, sizeof why, "worst: %s, %.3g of the %s", worst->name, worst->x, worst->scale);
    say(out, "good", why);
  }
}
