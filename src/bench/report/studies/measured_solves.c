/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The study `what-is-measured` on one-step problems: law, solver or tolerance? Of the problems that
 * the suite solved (suite/suite.h), own ones and those of outside sets alike,
 *
 *   y = log10 max(max_i |v_i - v*_i| / max|b|, FLOOR)
 *
 * with v the contact velocities of a solution under some law by some solver to some tolerance, and
 * v* those of exact Coulomb: of the problem's solutions under `ncp` the one with the least
 * residual, of at most FLOOR, else the problem is left out. Velocities, as reactions are not unique
 * where contacts are redundant. Nearer than the reference's own residual nothing is told apart.
 *
 * Shares of the variance of y by functional analysis of variance (la/ensemble/variance.h): laws,
 * solvers and tolerances fixed, problems random, intervals by bootstrap over problems. A
 * combination that was not run or is not supported leaves with a whole level; one that ended
 * without a solution counts with the largest distance of its problem. A solver that misses its
 * tolerance counts with what it left.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/studies/measured.h"
#include "bench/report/studies/solutions.h"
#include "la/ensemble/variance.h"

enum { SOLVED_LAW, SOLVED_SOLVER, SOLVED_TOLERANCE, SOLVED_PROBLEM, SOLVED_FACTORS };
static const char *const factors[SOLVED_FACTORS] = {"law", "solver", "tolerance", "problem"};
static const double FLOOR = 1e-9;

struct solves {
  struct report_solutions all;
  struct base_arena *arena;
  int n[SOLVED_FACTORS];
  const char **name[SOLVED_FACTORS]; /* n each */
  int *at;                           /* SOLVED_FACTORS of each solution */
};

static int level_of(struct solves *s, int factor, const char *name) {
  int i = 0;
  while (i < s->n[factor] && strcmp(s->name[factor][i], name) != 0) {
    ++i;
  }
  if (i == s->n[factor]) {
    s->name[factor][s->n[factor]++] = name;
  }
  return i;
}

static void number_levels(struct solves *s) {
  const int n = s->all.n;
  s->at = base_arena_array(s->arena, (size_t)n, SOLVED_FACTORS, sizeof *s->at);
  for (int k = 0; k < SOLVED_FACTORS; ++k) {
    s->name[k] = base_arena_array(s->arena, (size_t)n, 1, sizeof *s->name[k]);
  }
  for (int i = 0; i < n; ++i) {
    const struct report_solved *one = &s->all.all[i];
    int *at = s->at + (long)i * SOLVED_FACTORS;
    at[SOLVED_LAW] = level_of(s, SOLVED_LAW, one->law);
    at[SOLVED_SOLVER] = level_of(s, SOLVED_SOLVER, one->solver);
    at[SOLVED_TOLERANCE] =
        level_of(s, SOLVED_TOLERANCE, base_arena_printf(s->arena, "%.0e", one->tol));
    at[SOLVED_PROBLEM] = level_of(s, SOLVED_PROBLEM, one->problem);
  }
}

/* The solution that stands for exact Coulomb; NULL: none is good enough. */
static const struct report_solved *reference_of(const struct solves *s, int problem) {
  const struct report_solved *best = NULL;
  for (int i = 0; i < s->all.n; ++i) {
    const struct report_solved *one = &s->all.all[i];
    if (s->at[(long)i * SOLVED_FACTORS + SOLVED_PROBLEM] == problem &&
        strcmp(one->law, "ncp") == 0 && one->nv > 0 && one->residual <= FLOOR &&
        (best == NULL || one->residual < best->residual)) {
      best = one;
    }
  }
  return best;
}

/* max|b| of a problem [m/s], which solutions with a residual of zero do not tell. */
static double scale_of(const struct solves *s, int problem) {
  double scale = 0;
  for (int i = 0; i < s->all.n; ++i) {
    if (s->at[(long)i * SOLVED_FACTORS + SOLVED_PROBLEM] == problem) {
      scale = fmax(scale, s->all.all[i].scale); /* passes over NaN */
    }
  }
  return scale;
}

/* NaN: it has no solution. */
static double distance(const struct report_solved *a, const struct report_solved *reference,
                       double scale) {
  double largest = 0;
  if (a->nv != reference->nv) {
    return NAN;
  }
  for (int i = 0; i < a->nv; ++i) {
    const double d = fabs(a->v[i] - reference->v[i]);
    largest = isnan(d) || isnan(largest) ? NAN : fmax(largest, d);
  }
  return fmax(largest / scale, FLOOR);
}

/* y of all combinations, problems the last factor: NaN where there is none. Returns how many
 * problems have a reference. */
static int tabulate(const struct solves *s, double *y) {
  const int problems = s->n[SOLVED_PROBLEM];
  double *worst = base_arena_doubles(s->arena, problems);
  int known = 0;
  for (int pass = 0; pass < 2; ++pass) { /* distances; those without one */
    for (int p = 0; p < problems; ++p) {
      const struct report_solved *reference = reference_of(s, p);
      const double scale = scale_of(s, p);
      known += pass == 0 && reference != NULL && scale > 0;
      for (int i = 0; i < s->all.n && reference != NULL && scale > 0; ++i) {
        const struct report_solved *one = &s->all.all[i];
        const int *at = s->at + (long)i * SOLVED_FACTORS;
        if (at[SOLVED_PROBLEM] != p || strcmp(one->status, "unsupported") == 0) {
          continue;
        }
        const double d = distance(one, reference, scale);
        worst[p] = fmax(worst[p], d);
        y[((at[SOLVED_LAW] * s->n[SOLVED_SOLVER] + at[SOLVED_SOLVER]) * s->n[SOLVED_TOLERANCE] +
           at[SOLVED_TOLERANCE]) *
              (long)problems +
          p] = log10(isnan(d) ? fmax(worst[p], FLOOR) : d);
      }
    }
  }
  return known;
}

static void write_levels(const struct solves *s, const struct la_sub_design *sub, int factor,
                         FILE *csv) {
  fprintf(csv, "# %s: %d levels of %d:", factors[factor], sub->design.factor[factor].levels,
          s->n[factor]);
  for (int i = 0; i < sub->design.factor[factor].levels && factor != SOLVED_PROBLEM; ++i) {
    fprintf(csv, " %s", s->name[factor][sub->kept[factor][i]]);
  }
  fputc('\n', csv);
}

static void write_table(const struct solves *s, FILE *csv) {
  struct la_design design = {.n = SOLVED_FACTORS};
  for (int k = 0; k < SOLVED_FACTORS; ++k) {
    design.factor[k] =
        (struct la_factor){.name = factors[k],
                           .levels = s->n[k],
                           .kind = k == SOLVED_PROBLEM ? LA_FACTOR_RANDOM : LA_FACTOR_FIXED,
                           .within = -1};
  }
  const size_t cells = la_design_cells(&design);
  double *y = base_arena_push(s->arena, cells * sizeof *y);
  for (size_t i = 0; i < cells; ++i) {
    y[i] = NAN;
  }
  const int known = tabulate(s, y);
  const struct la_sub_design sub = la_design_complete(&design, y, s->arena);
  fprintf(csv, "# problems with a converged solution of exact Coulomb: %d of %d\n", known,
          s->n[SOLVED_PROBLEM]);
  if (sub.cells_kept == 0 || sub.design.factor[SOLVED_PROBLEM].levels < 2) {
    fputs("# no combination was run on two of them\n", csv);
    return;
  }
  for (int k = 0; k < SOLVED_FACTORS; ++k) {
    write_levels(s, &sub, k, csv);
  }
  const struct la_sampling sampling = la_sampling_default(sub.design.factor[SOLVED_PROBLEM].levels);
  struct la_shares *shares = base_arena_push(s->arena, sizeof *shares);
  la_variance_shares(&sub.design, sub.y, SOLVED_PROBLEM, &sampling, s->arena, shares);
  fputs("factor,first,first_lo,first_hi,total,total_lo,total_hi\n", csv);
  for (int k = 0; k < SOLVED_FACTORS; ++k) {
    fputs(factors[k], csv);
    measured_interval(csv, &shares->first[k]);
    measured_interval(csv, &shares->total[k]);
    fputc('\n', csv);
  }
  for (int i = 0; i < SOLVED_FACTORS; ++i) {
    for (int k = i + 1; k < SOLVED_FACTORS; ++k) {
      fprintf(csv, "%s x %s", factors[i], factors[k]);
      measured_interval(csv, &shares->pair[i][k]);
      fputs(",,,\n", csv);
    }
  }
}

int measured_solves(struct report *report) {
  struct solves s = {.arena = report->arena};
  const int status = report_solutions_load(report, &s.all);
  if (status != BASE_OK || s.all.n == 0) {
    return status;
  }
  char *text = NULL;
  size_t size;
  FILE *csv = open_memstream(&text, &size);
  number_levels(&s);
  write_table(&s, csv);
  fclose(csv);
  const int written = base_file_write(
      base_arena_printf(s.arena, "%s/report/what-is-measured-solves.csv", report->output), text,
      size);
  free(text);
  return written;
}
