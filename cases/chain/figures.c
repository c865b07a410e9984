/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the chain (bhalerao 4.2.2):
 *
 *   bhalerao-sizes  unknowns of both mixed complementarity problems, as posed by runs, against
 *                   12 + 2 X + X eta (32) and 12 + 6 B_u + 2 X + X eta (33); and these problems
 *                   solved as they are, free unknowns and all, against the pure LCP left of them
 *   bhalerao-chain  time a step against the number of links, by divide and conquer, by sparse
 *                   factors, and by dense elimination of the same equations; their impulses and
 *                   velocities compared; and the same of other formulations, all by sparse factors
 *
 * Times are those of whole steps of a run, measurements included, and the only thing here that
 * differs from run to run.
 */
#include "cases/chain/figures.h"

#include "base/status.h"
#include "cases/figure/series.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>

/* The series of a run that ended ok, trajectory or not. */
static const struct case_series *finished(const struct case_series *series, int n,
                                          const char *label) {
  const struct case_series *s = case_series_find(series, n, label);
  if (s != NULL && s->status != BASE_OK) {
    base_fail(BASE_FAILED, "run '%s': %s", label, s->reason);
    return NULL;
  }
  return s;
}

/* ---- bhalerao-sizes ---- */

static double links_touched(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return case_word(r, s, "contacts") / case_word(r, s, "per_link");
}

static double unknowns_stated(const struct case_results *r, const struct case_series *s, int k) {
  const double X = case_word(r, s, "contacts"), eta = case_word(r, s, "n_dir");
  return 12 + (case_word(r, s, "mcp") == 33 ? 6 * links_touched(r, s, k) : 0) + 2 * X + X * eta;
}

/* Of the unknowns posed from those stated, and of the contacts from those asked for. */
static double off_stated(const struct case_results *r, const struct case_series *s, int k) {
  const double posed = case_number(s, "formulation.mcp"), closed = case_number(s, "contacts.max");
  return case_worst(fabs(posed - unknowns_stated(r, s, k)),
                    fabs(closed - case_word(r, s, "contacts")));
}

/* Impulses of the last step, by contacts. */
static const cJSON *impulses_of(const struct case_series *s) {
  const cJSON *final = cJSON_GetObjectItemCaseSensitive(s->record, "final");
  const cJSON *impulses = cJSON_GetObjectItemCaseSensitive(final, "impulses");
  return cJSON_GetObjectItemCaseSensitive(impulses, "r");
}

/* Largest difference of these from those of the run beside, over the largest; NaN where they are
 * not of as many contacts, or there are none. */
static double impulses_apart(const struct case_results *r, const struct case_series *s, int k) {
  const cJSON *a = impulses_of(s), *b = impulses_of(r->against);
  const int n = cJSON_GetArraySize(a);
  double worst = n > 0 && cJSON_GetArraySize(b) == n ? 0 : NAN, largest = 0;
  for (k = 0; k < n; ++k) {
    const double x = cJSON_GetNumberValue(cJSON_GetArrayItem(a, k));
    const double y = cJSON_GetNumberValue(cJSON_GetArrayItem(b, k));
    worst = case_worst(worst, fabs(x - y));
    largest = fmax(largest, fabs(y));
  }
  return worst / largest;
}

/* ---- bhalerao-chain ---- */

static const int chains[] = {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096};
/* Chains of all ways; the first of those that exponents are taken of; all of them. */
enum { CARRYING = 23 }; /* contacts of the chains of all ways: 1 + 2 + 5 x 4 */
/* BOTH: chains whose impulses are compared; CUBIC: those of dense elimination. */
enum { BOTH = 7, CUBIC = 9, SHORT = 5, CHAINS = sizeof chains / sizeof chains[0], REPEAT = 3 };
/* Ways to eliminate the joints of the same equations, then other formulations: labels, and the part
 * of chains[] that each is taken to. */
enum { DCA, SPARSE, DENSE, NCP, WAYS = 8 };
static const struct {
  const char *name;
  int first, end;
} ways[WAYS] = {{"dca", 0, CHAINS},
                {"sparse", 0, CHAINS},
                {"dense", 0, CUBIC},
                [NCP] = {"ncp", BOTH - 1, CHAINS},
                {"ccp", BOTH - 1, CHAINS},
                {"moreau", BOTH - 1, CHAINS},
                {"penalty", BOTH - 1, CHAINS},
                {"consistent-quaternion", BOTH - 1, CHAINS}};

static int repeats_of(int way, int k) { return way == DENSE || k < SHORT ? 1 : REPEAT; }

/* Processor time a step [ms]; NaN with a message when the run did not end well. */
static double step_time(const struct case_series *series, int n, const char *way, int links,
                        int repeat) {
  char label[CASE_TEXT];
  snprintf(label, sizeof label, "%s-%d-%d", way, links, repeat);
  const struct case_series *s = finished(series, n, label);
  return s != NULL ? 1e3 * case_number(s, "timing.steps_s") / case_number(s, "steps") : NAN;
}

/* Largest |a - b| of n numbers over the largest of them. */
static double difference(int n, const double *a, const double *b) {
  double worst = 0, scale = 0;
  for (int i = 0; i < n; ++i) {
    worst = case_worst(worst, fabs(a[i] - b[i]));
    scale = case_worst(scale, fmax(fabs(a[i]), fabs(b[i])));
  }
  return scale > 0 ? worst / scale : worst;
}

/* The same of impulses of the last step, for the same contacts; NaN when these are not the same. */
static double impulse_difference(const struct case_series *a, const struct case_series *b,
                                 double *carrying) {
  const cJSON *list[2], *x, *y;
  double worst = 0, scale = 0;
  for (int k = 0; k < 2; ++k) {
    const cJSON *final = cJSON_GetObjectItemCaseSensitive((k ? b : a)->record, "final");
    list[k] =
        cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(final, "impulses"), "r");
  }
  if (cJSON_GetArraySize(list[0]) != cJSON_GetArraySize(list[1])) {
    return NAN;
  }
  const int contacts = cJSON_GetArraySize(list[0]) / 3;
  *carrying += contacts;
  x = list[0] != NULL ? list[0]->child : NULL;
  y = list[1] != NULL ? list[1]->child : NULL;
  for (; x != NULL && y != NULL; x = x->next, y = y->next) {
    worst = case_worst(worst, fabs(x->valuedouble - y->valuedouble));
    scale = fmax(scale, fabs(x->valuedouble));
  }
  return scale > 0 ? worst / scale : worst;
}

/* Links and the least time a step, of one way; BASE_FAILED with a message. */
static int read_times(const struct case_series *series, int n, int way, double (*rows)[2]) {
  for (int k = ways[way].first; k < ways[way].end; ++k) {
    rows[k][0] = chains[k];
    rows[k][1] = INFINITY;
    for (int repeat = 0; repeat < repeats_of(way, k); ++repeat) {
      const double t = step_time(series, n, ways[way].name, chains[k], repeat);
      if (isnan(t)) {
        return base_fail(BASE_FAILED, "%s, %d links: no time a step", ways[way].name, chains[k]);
      }
      rows[k][1] = fmin(rows[k][1], t);
    }
  }
  return BASE_OK;
}

/* Exponent of rows first ... last. */
static double exponent(double (*rows)[2], int first, int last) {
  double links[CHAINS], time[CHAINS];
  for (int k = first; k <= last; ++k) {
    links[k - first] = rows[k][0];
    time[k - first] = rows[k][1];
  }
  return case_order(last - first + 1, links, time, last - first + 1);
}

/* Largest differences of a way from the dense one, over the chains of both. */
struct differences {
  double impulses, velocities, carrying;
};

static int compare_ways(const struct case_series *series, int n, int way, struct differences *d) {
  *d = (struct differences){0};
  for (int k = 0; k < BOTH; ++k) {
    const struct case_series *s[2];
    for (int side = 0; side < 2; ++side) {
      char label[CASE_TEXT];
      snprintf(label, sizeof label, "%s-%d-0", ways[side == 0 ? DENSE : way].name, chains[k]);
      s[side] = case_series_ok(series, n, label, 7 * chains[k]);
      if (s[side] == NULL) {
        return BASE_FAILED;
      }
    }
    d->velocities =
        case_worst(d->velocities, difference(s[0]->nu, s[0]->u + (long)(s[0]->n - 1) * s[0]->nu,
                                             s[1]->u + (long)(s[1]->n - 1) * s[1]->nu));
    d->impulses = case_worst(d->impulses, impulse_difference(s[0], s[1], &d->carrying));
  }
  return BASE_OK;
}

#define MORE_EFFICIENT                                                                             \
  "expected to be more efficient with many joints and few contacts (bhalerao 6)"
static int chain_make(const struct case_parameters *p, const struct case_series *series, int n,
                      struct case_plot *plot) {
  double rows[WAYS][CHAINS][2];
  char text[CASE_TEXT];
  (void)p;
  for (int way = 0; way < WAYS; ++way) {
    if (read_times(series, n, way, rows[way]) != BASE_OK) {
      return BASE_FAILED;
    }
    const int first = ways[way].first;
    case_plot_table(plot, ways[way].name, "links timing[ms]", ways[way].end - first, 2,
                    rows[way][first]);
  }
  for (int way = 0; way < DENSE; ++way) {
    struct differences d;
    const char *name = way == DCA ? "divide and conquer" : "sparse factors";
    if (compare_ways(series, n, way, &d) != BASE_OK) {
      return BASE_FAILED;
    }
    snprintf(text, sizeof text, "%s: impulses after 10 steps, 2 to 128 links, less those of dense",
             name);
    case_plot_check(plot, text, d.impulses, (struct case_claim){0, 1e-10, .expected = "the same"});
    snprintf(text, sizeof text, "%s: contacts that carry there", name);
    case_plot_check(plot, text, d.carrying,
                    (struct case_claim){BOTH, CARRYING, .expected = "one at least in each"});
    snprintf(text, sizeof text, "%s: velocities after 10 steps", name);
    case_plot_check(plot, text, d.velocities,
                    (struct case_claim){0, 1e-10, .expected = "the same"});
    snprintf(text, sizeof text, "timing: exponent of a step by %s, 64 to 4096 links", name);
    case_plot_check(plot, text, exponent(rows[way], SHORT, CHAINS - 1),
                    way == DCA ? (struct case_claim){0.8, 1.1, .expected = "1",
                                                     .published = "O(n) (bhalerao 4.2.2)"}
                               : (struct case_claim){0.8, 1.25, .expected = "1"});
  }
  case_plot_check(
      plot, "timing: exponent of a step by dense elimination, 128 to 512 links",
      exponent(rows[DENSE], BOTH - 1, CUBIC - 1),
      (struct case_claim){2.6, 3.3, .expected = "3", .published = "O(n^3) (bhalerao 1, 2)"});
  case_plot_check(plot, "timing: 128 links, by dense elimination over by divide and conquer",
                  rows[DENSE][BOTH - 1][1] / rows[DCA][BOTH - 1][1],
                  (struct case_claim){1, 1000, .expected = "above 1", .published = MORE_EFFICIENT});
  case_plot_check(plot, "timing: the same with a contact on every other link",
                  step_time(series, n, "many-dense", 128, 0) /
                      step_time(series, n, "many-dca", 128, 0),
                  (struct case_claim){
                      0.8, 3, .expected = "near 1: an LCP of 64 contacts takes most of the time",
                      .published = "no advantage where every body has contacts (bhalerao 4.2.2)",
                      .schematic = 1});
  case_plot_check(
      plot, "timing: 4096 links, by sparse factors over by divide and conquer",
      rows[SPARSE][CHAINS - 1][1] / rows[DCA][CHAINS - 1][1],
      (struct case_claim){0.2, 0.95, .published = MORE_EFFICIENT,
                          .differs = "sparse factors of the same equations are O(n) as well, and a "
                                     "link costs them less than two full assemblies of handles",
                          .source = {1, 1000}});
  for (int way = NCP; way < WAYS; ++way) {
    snprintf(text, sizeof text, "timing: exponent of a step of %s, 128 to 4096 links",
             ways[way].name);
    case_plot_check(plot, text, exponent(rows[way], BOTH - 1, CHAINS - 1),
                    (struct case_claim){0.8, 1.25, .expected = "1"});
  }
  case_plot_report(plot, "timing: 4096 links, ncp over lcp-dca",
                   rows[NCP][CHAINS - 1][1] / rows[DCA][CHAINS - 1][1], NULL);
  return BASE_OK;
}

const struct case_function chain_functions[] = {{"links_touched", .value = links_touched},
                                                {"unknowns_stated", .value = unknowns_stated},
                                                {"off_stated", .value = off_stated},
                                                {"impulses_apart", .value = impulses_apart},
                                                {"make", .make = chain_make},
                                                {0}};
