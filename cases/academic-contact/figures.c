/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the academic problem of one contact (preclik 4.1).
 *
 *   preclik-t1  table 1: the three solutions of Coulomb's law and the maximally dissipative one,
 *               and beside it what formulations and solvers answer to the same impact. The answer
 *               of a run is its impulse over one short step, r = m du in the contact's frame: no
 *               force acts, so that the change of momentum is that of the contact alone.
 *   preclik-7   the same in the plane of maximum compression: energy, constraint set, solutions
 *
 * The source prints table 1 with two to three digits. The six digits asserted here follow from its
 * data (and from no other reading of them; see academic-contact.c).
 */
#include "cases/academic-contact/academic-contact.h"

#include "base/status.h"
#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- preclik-t1 ---- */

enum { TABLE = 4, VALUES = 7 };   /* rows; r, v, energy */
static const double SIXTH = 5e-7; /* half a unit of the sixth decimal */

static const char *const table_names[TABLE] = {"Coulomb 1", "Coulomb 2", "Coulomb 3",
                                               "most dissipative"};
static const char *const value_names[VALUES] = {"r_N", "r_t", "r_o", "v_N", "v_t", "v_o", "energy"};
static const double table_digits[TABLE][4] = {{0.119945, -0.439016, -0.064972, -0.251703},
                                              {0.291973, -0.887089, -0.616538, -0.392568},
                                              {1.558125, -0.992911, -5.678913, -0.630960},
                                              {1.603098, -1.081861, -5.831965, -0.634007}};
static const char *const table_printed[TABLE][VALUES] = {
    {"0.12", "-0.44", "-0.065", "0", "0.40", "0.060", "-0.252"},
    {"0.29", "-0.89", "-0.62", "0", "0.082", "0.057", "-0.393"},
    {"1.56", "-0.99", "-5.7", "0", "0.0061", "0.035", "-0.631"},
    {"1.6", "-1.1", "-5.8", "0", "-0.057", "0.034", "-0.634"}};

/* Which of the four solutions an answer must be; ANY_COULOMB: the first three, NONE of them. */
enum claim { COULOMB_1, COULOMB_2, COULOMB_3, MOST, ANY_COULOMB, NONE };

static const struct {
  const char *label, *formulation, *solver, *set, *opt;
  enum claim claim;
} answers[] = {
    {"ncp-relaxation", "ncp", "relaxation", "", "", COULOMB_3},
    {"ncp-pgs", "ncp", "pgs", "", "", ANY_COULOMB},
    {"ncp-pjacobi", "ncp", "pjacobi", "", "", ANY_COULOMB},
    {"ncp-pnewton", "ncp", "pnewton", "", "", ANY_COULOMB},
    {"ncp-prox", "ncp", "prox", "", "", ANY_COULOMB},
    {"ncp-ssn", "ncp", "ssn", "", "", ANY_COULOMB},
    {"moreau-relaxation", "moreau", "relaxation", "", "", COULOMB_3},
    {"moreau-pgs", "moreau", "pgs", "", "", ANY_COULOMB},
    {"consistent-twostep", "consistent-twostep", "", "body=affine", "", ANY_COULOMB},
    {"consistent-quaternion", "consistent-quaternion", "", "", "", ANY_COULOMB},
    {"event", "event", "", "", "", ANY_COULOMB},
    {"penalty", "penalty", "", "", "K=1e8", NONE},
    {"mdp-relaxation", "mdp", "relaxation", "", "", MOST},
    {"ccp-relaxation", "ccp", "relaxation", "", "", NONE},
    {"ccp-apgd", "ccp", "apgd", "", "", NONE},
    {"ccp-psor", "ccp", "psor", "", "", NONE},
    {"ccp-pgs", "ccp", "pgs", "", "", NONE},
    {"lcp-ap-4", "lcp-ap", "lemke", "", "n_dir=4", NONE},
    {"lcp-ap-16", "lcp-ap", "lemke", "", "n_dir=16", NONE},
    {"lcp-ap-32", "lcp-ap", "lemke", "", "n_dir=32", NONE},
    {"lcp-ap-128", "lcp-ap", "lemke", "", "n_dir=128", NONE},
};
enum { ANSWERS = (int)(sizeof answers / sizeof *answers) };

static const double SAME_ANSWER = 1e-6; /* relative to |r|; what `event` and a step leave */

static const double *values_of(const struct academic_solution *s, double out[VALUES]) {
  memcpy(out, s->r, sizeof s->r);
  memcpy(out + 3, s->v, sizeof s->v);
  out[6] = s->energy;
  return out;
}

/* Digits printed after the point. */
static double decimals(const char *printed) {
  const char *point = strchr(printed, '.');
  return point == NULL ? 0 : (double)strlen(point + 1);
}

static void check_table(const struct academic_problem *problem, struct case_plot *plot) {
  for (int i = 0; i < TABLE; ++i) {
    const struct academic_solution *s =
        i == TABLE - 1 ? &problem->max_dissipation : &problem->coulomb[i];
    double x[VALUES], row[3 * VALUES];
    values_of(s, x);
    for (int k = 0; k < VALUES; ++k) {
      char what[CASE_TEXT];
      const char *printed = table_printed[i][k];
      const int digits = k < 3 ? k : k == 6 ? 3 : -1;
      const double expected = digits >= 0 ? table_digits[i][digits] : strtod(printed, NULL);
      const double printed_value = strtod(printed, NULL);
      const double printed_half = 0.5 * pow(10, -decimals(printed));
      const double half = digits >= 0 || k == 3 ? SIXTH : printed_half;
      snprintf(what, sizeof what, "%s: %s", table_names[i], value_names[k]);
      case_plot_check(plot, what, x[k],
                      (struct case_claim){fmax(expected - half, printed_value - printed_half),
                                          fmin(expected + half, printed_value + printed_half),
                                          .published = base_arena_printf(
                                              plot->arena, "%s (preclik table 1)", printed)});
      row[k] = x[k];
      row[VALUES + k] = strtod(printed, NULL);
      row[2 * VALUES + k] = decimals(printed);
    }
    char name[CASE_TEXT];
    snprintf(name, sizeof name, "solution%d", i + 1);
    case_plot_table(plot, name, "r_N r_t r_o v_N v_t v_o E, the same printed, its decimals", 1,
                    3 * VALUES, row);
  }
}

/* Impulse of a run, normal first, in the frame of the problem; NaN if it did not end well. */
static struct academic_solution answer_of(const struct case_parameters *p,
                                          const struct academic_problem *problem,
                                          const struct case_series *s) {
  struct academic_solution out = {.r = {NAN, NAN, NAN}, .v = {NAN, NAN, NAN}, .energy = NAN};
  if (s->status != BASE_OK || s->n < 2 || s->nu < 3) {
    return out;
  }
  const double mass = 2 * (case_real(p, "mx") + case_real(p, "my") + case_real(p, "mz"));
  const double x = case_real(p, "nx"), across = hypot(case_real(p, "ny"), case_real(p, "nz"));
  const int scaled = strcmp(case_choice(p, "frame"), "source") == 0;
  const double tangent = scaled ? across / hypot(x, across) : 1;
  const double *first = s->u, *last = s->u + (size_t)(s->n - 1) * (size_t)s->nu;
  out.r[0] = mass * (last[2] - first[2]);
  out.r[1] = mass * (last[0] - first[0]) / tangent;
  out.r[2] = mass * (last[1] - first[1]) / tangent;
  out.energy = 0;
  for (int i = 0; i < 3; ++i) {
    out.v[i] = problem->b[i];
    for (int j = 0; j < 3; ++j) {
      out.v[i] += problem->A[3 * i + j] * out.r[j];
    }
    out.energy += 0.5 * out.r[i] * (out.v[i] + problem->b[i]);
  }
  return out;
}

/* |r - r_k| / |r_k| */
static double distance(const struct academic_solution *a, const struct academic_solution *b) {
  double difference = 0, size = 0;
  for (int k = 0; k < 3; ++k) {
    difference = hypot(difference, a->r[k] - b->r[k]);
    size = hypot(size, b->r[k]);
  }
  return difference / size;
}

static void check_answer(int i, const double gap[TABLE], const struct academic_solution *a,
                         const struct academic_problem *problem, struct case_plot *plot) {
  const double coulomb = fmin(fmin(gap[0], gap[1]), gap[2]);
  char what[CASE_TEXT];
  switch (answers[i].claim) {
  case NONE:
    break;
  case ANY_COULOMB:
    snprintf(what, sizeof what, "%s: |r - r_k|/|r_k|, nearest Coulomb solution", answers[i].label);
    case_plot_check(plot, what, isnan(a->energy) ? NAN : coulomb,
                    (struct case_claim){.lo = 0, .hi = SAME_ANSWER});
    break;
  default:
    snprintf(what, sizeof what, "%s: |r - r_k|/|r_k|, %s", answers[i].label,
             table_names[answers[i].claim]);
    case_plot_check(plot, what, gap[answers[i].claim],
                    (struct case_claim){.lo = 0, .hi = SAME_ANSWER});
  }
  if (strcmp(answers[i].formulation, "ccp") == 0) {
    const double slip = hypot(a->v[1], a->v[2]);
    snprintf(what, sizeof what, "%s: lifts off, v_N / (mu |v_T|)", answers[i].label);
    case_plot_check(
        plot, what, a->v[0] / (problem->mu * slip),
        (struct case_claim){1 - 1e-6, 1 + 1e-6, .expected = "1 (rim of the dual cone)"});
  }
}

static int table_make(const struct case_parameters *p, const struct case_series *series, int n,
                      struct case_plot *plot) {
  struct academic_problem problem;
  const struct case_series *any = case_series_find(series, n, answers[0].label);
  if (any == NULL || academic_contact_read(any, &problem) != BASE_OK) {
    return BASE_FAILED;
  }
  case_plot_check(plot, "solutions of Coulomb's law", problem.n_coulomb,
                  (struct case_claim){3, 3, .published = "3 (preclik table 1)"});
  if (problem.n_coulomb != 3) {
    return base_fail(BASE_FAILED, "preclik-t1: %d solutions of Coulomb's law", problem.n_coulomb);
  }
  check_table(&problem, plot);
  for (int i = 0; i < ANSWERS; ++i) {
    const struct case_series *s = case_series_find(series, n, answers[i].label);
    if (s == NULL) {
      return BASE_FAILED;
    }
    const struct academic_solution a = answer_of(p, &problem, s);
    double gap[TABLE], row[VALUES + 1];
    int nearest = 0;
    for (int k = 0; k < TABLE; ++k) {
      gap[k] = distance(&a, k == TABLE - 1 ? &problem.max_dissipation : &problem.coulomb[k]);
      nearest = gap[k] < gap[nearest] ? k : nearest;
    }
    values_of(&a, row);
    row[VALUES] = gap[nearest] <= SAME_ANSWER ? nearest + 1 : 0;
    case_plot_table(plot, answers[i].label, "r_N r_t r_o v_N v_t v_o E solution", 1, VALUES + 1,
                    row);
    check_answer(i, gap, &a, &problem, plot);
  }
  return BASE_OK;
}

/* ---- preclik-7 ---- */

static int contours_make(const struct case_parameters *p, const struct case_series *series, int n,
                         struct case_plot *plot) {
  enum { AROUND = 721, LEVELS = 9 };
  static const double levels[LEVELS] = {-0.7, -0.6, -0.5, -0.4, -0.3, -0.2, -0.1, 0, 0.1};
  struct academic_problem problem;
  (void)p;
  if (n < 1 || academic_contact_read(&series[0], &problem) != BASE_OK) {
    return BASE_FAILED;
  }
  const struct academic_plane plane = academic_contact_plane(&problem);
  const double *A = problem.A, mu = problem.mu;
  double ring[AROUND][2], least = INFINITY, points[TABLE][2];
  for (int k = 0; k < AROUND; ++k) {
    const double alpha = 2 * M_PI * k / (AROUND - 1), c = cos(alpha), s = sin(alpha);
    const double r = -mu * problem.b[0] / (A[0] + mu * (A[1] * c + A[2] * s));
    ring[k][0] = r * c;
    ring[k][1] = r * s;
    least = fmin(least, academic_contact_energy(&plane, ring[k]));
  }
  case_plot_table(plot, "section", "r_t[Ns] r_o[Ns]", AROUND, 2, ring[0]);
  academic_contact_contours(&plane, LEVELS, levels, plot);
  double worst = 0;
  if (problem.n_coulomb != TABLE - 1) {
    return base_fail(BASE_FAILED, "preclik-7: %d solutions of Coulomb's law", problem.n_coulomb);
  }
  for (int k = 0; k < TABLE; ++k) {
    const struct academic_solution *s =
        k == TABLE - 1 ? &problem.max_dissipation : &problem.coulomb[k];
    memcpy(points[k], s->r + 1, sizeof points[k]);
    const double rim = hypot(s->r[1], s->r[2]) / (mu * s->r[0]);
    worst = case_worst(worst, fabs(rim - 1) + fabs(s->v[0]) / fabs(problem.b[0]));
    worst = case_worst(worst, fabs(academic_contact_energy(&plane, points[k]) - s->energy));
  }
  case_plot_table(plot, "points", "r_t[Ns] r_o[Ns]", TABLE, 2, points[0]);
  case_plot_check(plot, "A_NN over mu |A_TN|: an ellipse", A[0] / (mu * hypot(A[1], A[2])),
                  (struct case_claim){1.03, 1.045, .expected = "above 1",
                                      .published = "ellipse (preclik fig. 7)"});
  case_plot_check(plot, "the four solutions on the ellipse, in energy and place, worst error",
                  worst, (struct case_claim){0, 1e-11, .expected = "0"});
  case_plot_check(plot, "least energy on the ellipse, seen at 720 points, above the solution's [J]",
                  least - problem.max_dissipation.energy,
                  (struct case_claim){0, 2e-6, .expected = "0"});
  return BASE_OK;
}

const struct case_function academic_contact_functions[] = {
    {"table_make", .make = table_make}, {"contours_make", .make = contours_make}, {0}};
