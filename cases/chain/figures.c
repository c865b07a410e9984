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

#define SIZES_RUNS "{mcp}-x{contacts}-p{per_link}-f{n_dir}"
#define SOLVED_RUNS "{solved}-{mcp}-x{contacts}"
static const struct case_runs sizes_runs[] = {
    {.label = SIZES_RUNS,
     .formulation = "lcp-dca",
     .set = "n=24 contacts={contacts} per_link={per_link}",
     .opt = "mcp={mcp} n_dir={n_dir}",
     .dt = "1e-3",
     .t_end = "1e-3",
     .over = {{"contacts/per_link", "1/1 2/1 4/1 8/1 2/2 4/2 8/2"},
              {"n_dir", "4 8 16"},
              {"mcp", "32 33"}}},
    {.label = SOLVED_RUNS,
     .formulation = "lcp-dca",
     .set = "n=12 contacts={contacts}",
     .opt = "mcp={mcp} solved={solved}",
     .dt = "1e-3",
     .t_end = "5e-3",
     .over = {{"solved", "condensed whole"}, {"mcp", "32 33"}, {"contacts", "1 2 4"}}},
    {0}};

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

static const struct case_table sizes_tables[] = {
    {.name = "size-{mcp}-{n_dir}",
     .runs = SIZES_RUNS,
     .along = "contacts",
     .columns = {{"X", "{contacts}"},
                 {"B_u", .value = links_touched},
                 {"posed", "formulation.mcp"},
                 {"stated", .value = unknowns_stated}}},
    {0}};
static const struct case_check sizes_checks[] = {
    {.what = "unknowns posed less those stated, worst of 42 problems",
     .runs = SIZES_RUNS,
     .value = off_stated,
     .along = "*",
     .reduce = CASE_WORST,
     .claim = {0, 0, .published = "12 + 2 X + X eta; 12 + 6 B_u + 2 X + X eta (bhalerao 4.2.2)"}},
    {.what = "({mcp}): impulses of the mixed problem as it is less those of the pure LCP, over the "
             "largest",
     .runs = SOLVED_RUNS,
     .where = {{"solved", "whole"}},
     .value = impulses_apart,
     .against = "condensed-{mcp}-x{contacts}",
     .along = "contacts",
     .reduce = CASE_WORST,
     .claim = {0, 1e-9, .expected = "0",
               .published = "pure LCP without inversions (bhalerao 4.2.2)"}},
    {0}};

/* ---- bhalerao-chain ---- */

static const int chains[] = {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096};
/* Chains of all ways; the first of those that exponents are taken of; all of them. */
enum { CARRYING = 23 }; /* contacts of the chains of all ways: 1 + 2 + 5 x 4 */
enum { BOTH = 7, SHORT = 5, CHAINS = sizeof chains / sizeof chains[0], REPEAT = 3 };
/* Ways to eliminate the joints of the same equations, then other formulations: labels, and the part
 * of chains[] that each is taken to. */
enum { DCA, SPARSE, DENSE, NCP, WAYS = 8 };
static const struct {
  const char *name;
  int first, end;
} ways[WAYS] = {{"dca", 0, CHAINS},
                {"sparse", 0, CHAINS},
                {"dense", 0, BOTH},
                [NCP] = {"ncp", BOTH - 1, CHAINS},
                {"ccp", BOTH - 1, CHAINS},
                {"moreau", BOTH - 1, CHAINS},
                {"penalty", BOTH - 1, CHAINS},
                {"consistent-quaternion", BOTH - 1, CHAINS}};

static int repeats_of(int way, int k) { return way == DENSE || k < SHORT ? 1 : REPEAT; }

#define CHAIN(LABEL, FORM, OPT, N, WAYS, REPEATS, T_END, SAMPLE)                                   \
  {                                                                                                \
    .label = LABEL "-{n}-{repeat}", .formulation = FORM, .set = "n={n} contacts={contacts}",       \
    .opt = OPT, .dt = "1e-3", .t_end = T_END, .sample = SAMPLE, .over = {                          \
      {"way", WAYS},                                                                               \
      {"n/contacts", N},                                                                           \
      {"repeat", REPEATS}                                                                          \
    }                                                                                              \
  }
/* Short chains and dense runs once, long ones REPEAT times: the fastest counts, which is the least
 * disturbed by what else the machine does. Few steps where a dense run stands beside: rounding
 * grows from step to step. */
#define CHAIN_SHORT "2/1 4/2 8/4 16/4 32/4 64/4 128/4"
#define CHAIN_BOTH "64/4 128/4"
#define CHAIN_OTHERS "ncp ccp moreau consistent-quaternion"
#define CHAIN_LONG "256/4 512/4 1024/4 2048/4 4096/4"
static const struct case_runs chain_runs[] = {
    CHAIN("dca", "lcp-dca", "", CHAIN_SHORT, "dca", "0", "0.01", "0.01"),
    CHAIN("dca", "lcp-dca", "", CHAIN_BOTH, "dca", "1 2", "0.01", "0.01"),
    CHAIN("dca", "lcp-dca", "", CHAIN_LONG, "dca", "0 1 2", "0.02", "0"),
    CHAIN("{way}", "lcp-st", "joints={way}", CHAIN_SHORT, "sparse dense", "0", "0.01", "0.01"),
    CHAIN("{way}", "lcp-st", "joints={way}", CHAIN_BOTH, "sparse", "1 2", "0.01", "0.01"),
    CHAIN("{way}", "lcp-st", "joints={way}", CHAIN_LONG, "sparse", "0 1 2", "0.02", "0"),
    CHAIN("{way}", "{way}", "", "128/4 " CHAIN_LONG, CHAIN_OTHERS, "0 1 2", "0.01", "0"),
    /* Springs soft enough for the step. */
    CHAIN("{way}", "{way}", "K=1e3", "128/4 " CHAIN_LONG, "penalty", "0 1 2", "0.01", "0"),
    {0}};

/* Processor time a step [ms] of run number `repeat`; NaN with a message when it did not end well.
 */
static double step_time(const struct case_series *series, int n, int way, int links, int repeat) {
  char label[CASE_TEXT];
  snprintf(label, sizeof label, "%s-%d-%d", ways[way].name, links, repeat);
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
      const double t = step_time(series, n, way, chains[k], repeat);
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
      plot, "timing: exponent of a step by dense elimination, 32 to 128 links",
      exponent(rows[DENSE], BOTH - 3, BOTH - 1),
      (struct case_claim){1.5, 3.2, .expected = "2 to 3: the cubic part does not rule yet"});
  case_plot_check(plot, "timing: 4096 links, by sparse factors over by divide and conquer",
                  rows[SPARSE][CHAINS - 1][1] / rows[DCA][CHAINS - 1][1],
                  (struct case_claim){0, 3, .expected = "of the same size"});
  for (int way = NCP; way < WAYS; ++way) {
    snprintf(text, sizeof text, "timing: exponent of a step of %s, 128 to 4096 links",
             ways[way].name);
    case_plot_check(plot, text, exponent(rows[way], BOTH - 1, CHAINS - 1),
                    (struct case_claim){0.8, 1.25, .expected = "1"});
  }
  case_plot_check(plot, "timing: 4096 links, ncp over lcp-dca",
                  rows[NCP][CHAINS - 1][1] / rows[DCA][CHAINS - 1][1],
                  (struct case_claim){0, 3, .expected = "of the same size"});
  return BASE_OK;
}

static const struct case_panel chain_panels[] = {
    {.x = "links",
     .y = "processor time a step [ms]",
     .log = "xy",
     .x_range = {1.5, 6000},
     .y_range = {5e-3, 2000},
     .key = "left top",
     .curves = {{"lcp-st, dense", "dense", 1, 2, .look = "lcp-st", .with = CASE_LINESPOINTS},
                {"lcp-st, sparse", "sparse", 1, 2, .look = "brown", .with = CASE_LINESPOINTS},
                {"lcp-dca", "dca", 1, 2, .look = "lcp-dca", .with = CASE_LINESPOINTS},
                {"slope 1", .scale = 0.006, .power = 1, .look = "limit"}}},
    {.x = "links",
     .y = "processor time a step [ms]",
     .log = "xy",
     .x_range = {100, 6000},
     .key = "foot",
     .curves = {{"{}", "{}", 1, 2, .look = "{}", .with = CASE_LINESPOINTS,
                 .over = "consistent-quaternion penalty moreau ncp ccp"},
                {NULL, "dca", 1, 2, .look = "lcp-dca", .with = CASE_LINESPOINTS},
                {NULL, .scale = 0.006, .power = 1, .look = "limit"}}},
    {0}};

const struct case_figure chain_figures[] = {
    {.id = "bhalerao-sizes",
     .title = "Chain of 24 links: unknowns of the mixed complementarity problems",
     .caption =
         "Both forms of the mixed problem have as many unknowns as stated, off by {unknowns posed "
         "less those stated} in the worst case, and the number of links does not enter. Points: as "
         "posed by runs with 4, 8 and 16 friction directions, one or two contacts on a link; "
         "lines: 12 + 2 X + X eta (32) and 12 + 6 B_u + 2 X + X eta (33), for one on a link.",
     .runs = sizes_runs,
     .tables = sizes_tables,
     .checks = sizes_checks},
    {.id = "bhalerao-chain",
     .title = "Chain: time a step against its length",
     .caption =
         "Divide and conquer costs time a step that goes like the links to the power {timing: "
         "exponent of a step by divide and conquer}, dense elimination of the same equations to "
         "the power {timing: exponent of a step by dense elimination}, sparse factors to the power "
         "{timing: exponent of a step by sparse factors}: at 4096 links these take {timing: 4096 "
         "links, by sparse factors} of the time of divide and conquer. Up to 4 contacts, on one "
         "thread. Left: lcp-dca, and lcp-st dense, as in the source, and by sparse factors; right: "
         "other formulations, by sparse factors.",
     .runs = chain_runs,
     .panels = chain_panels,
     .make = chain_make},
    {.id = NULL}};
