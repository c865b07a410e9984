/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The study `what-is-measured`: shares of the variance of y (measured.c) by functional analysis of
 * variance (la/ensemble/variance.h) with scenes and members random, intervals by bootstrap over
 * scenes; levels with combinations that are not supported are left out, and how many is told. Runs
 * without an error, as diverged ones, count with the largest of their scene. Errors below
 * MEASURED_FLOOR, round-off of closed forms, count as that.
 *
 * Whether there are members enough is asked by every second one: of phases, drawn from one stratum
 * each, those are half as many strata of the same spread.
 */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "bench/report/studies/measured.h"
#include "la/dense.h"
#include "la/ensemble/variance.h"

/* Shares by every second member, from the first and from the second on; of two at least. */
enum { HALVES = 2, HALVED_FEWEST = 4 };

/* y of every second member of a design whose last factor they are. */
static void share_half(const struct la_sub_design *sub, int from, struct base_arena *arena,
                       struct la_shares *shares) {
  struct la_design design = sub->design;
  const int members = design.factor[MEMBER].levels, left = (members - from + 1) / 2;
  design.factor[MEMBER].levels = left;
  double *y = base_arena_push(arena, la_design_cells(&design) * sizeof *y), *to = y;
  for (size_t at = 0; at < sub->cells_kept; at += (size_t)members) {
    for (int m = from; m < members; m += 2) {
      *to++ = sub->y[at + (size_t)m];
    }
  }
  la_variance_shares(&design, y, -1, NULL, arena, shares);
}

/* How far x is from a share, over the part of the interval on its side, above 1 outside; a
 * thousandth of the variance is no distance. */
static double off(const struct la_interval *share, double x) {
  static const double RESOLUTION = 1e-3;
  const double part = x < share->value ? share->value - share->lo : share->hi - share->value;
  return fabs(x - share->value) / fmax(part, RESOLUTION);
}

static double largest_off(const struct la_shares *shares, const struct la_shares *half) {
  double x[2 * HALVES * FACTORS];
  int n = 0;
  for (int i = 0; i < FACTORS; ++i) {
    for (int k = 0; k < HALVES; ++k) {
      x[n++] = off(&shares->first[i], half[k].first[i].value);
      x[n++] = off(&shares->total[i], half[k].total[i].value);
    }
  }
  return la_norm_inf(n, x);
}

static void write_shares(const struct measured *s, const struct la_sub_design *sub,
                         const struct la_shares *shares, const struct la_shares *half, FILE *csv) {
  fprintf(csv, "# cells: %zu, of these without an error: %zu, in the design: %zu\n", sub->cells,
          sub->missing, sub->cells_kept);
  for (int i = 0; i < FACTORS; ++i) {
    fprintf(csv, "# %s: %d levels of %d\n", measured_factors[i], sub->design.factor[i].levels,
            i == LAW         ? s->law.n
            : i == SCHEME    ? s->scheme.n
            : i == TOLERANCE ? s->tolerance.n
            : i == STEP      ? s->steps
            : i == SCENE     ? s->scene.n
                             : s->members);
  }
  fprintf(csv, "factor,first,first_lo,first_hi,total,total_lo,total_hi%s\n",
          half != NULL ? ",first_odd,first_even,total_odd,total_even" : "");
  for (int i = 0; i < FACTORS; ++i) {
    fputs(measured_factors[i], csv);
    measured_interval(csv, &shares->first[i]);
    measured_interval(csv, &shares->total[i]);
    if (half != NULL) {
      fprintf(csv, ",%.4g,%.4g,%.4g,%.4g", half[0].first[i].value, half[1].first[i].value,
              half[0].total[i].value, half[1].total[i].value);
    }
    fputc('\n', csv);
  }
  const char *rest = half != NULL ? ",,,,,,,\n" : ",,,\n";
  for (int i = 0; i < FACTORS; ++i) {
    for (int j = i + 1; j < FACTORS; ++j) {
      fprintf(csv, "%s x %s", measured_factors[i], measured_factors[j]);
      measured_interval(csv, &shares->pair[i][j]);
      fputs(rest, csv);
    }
  }
  fputs("higher", csv);
  measured_interval(csv, &shares->higher);
  fputs(rest, csv);
}

/* The largest error of each scene: what runs count with that got none, as diverged ones. */
static double *worst_of_scenes(const struct measured *s) {
  double *worst = base_arena_doubles(s->arena, s->scene.n);
  memset(worst, 0, (size_t)s->scene.n * sizeof *worst);
  for (int i = 0; i < s->n; ++i) {
    for (int m = 0; m < s->members; ++m) {
      worst[s->cell[i].at[SCENE]] =
          fmax(worst[s->cell[i].at[SCENE]], measured_number(s, i, m, MASS));
    }
  }
  return worst;
}

/* The design's cells: y of all members; NaN of combinations that were not run or are not supported.
 */
static double *tabulate(const struct measured *s, const struct la_design *design) {
  double *y = base_arena_push(s->arena, la_design_cells(design) * sizeof *y);
  const double *worst = worst_of_scenes(s);
  const long cells = (long)la_design_cells(design) / s->members;
  for (long c = 0, at = 0; c < cells; ++c) {
    const int cell = s->where[c];
    const int is_run = cell >= 0 && s->cell[cell].record->status != BASE_UNSUPPORTED;
    for (int m = 0; m < s->members; ++m) {
      const double error = measured_number(s, cell, m, MASS);
      y[at++] = !is_run        ? NAN
                : isnan(error) ? log10(fmax(MEASURED_FLOOR, worst[s->cell[cell].at[SCENE]]))
                               : log10(fmax(MEASURED_FLOOR, error));
    }
  }
  return y;
}

int measured_shares(struct report_sheet *sheet, const struct measured *s, FILE *csv) {
  const int levels[FACTORS] = {s->law.n, s->scheme.n, s->tolerance.n,
                               s->steps, s->scene.n,  s->members};
  struct la_design design = {.n = FACTORS};
  for (int i = 0; i < FACTORS; ++i) {
    design.factor[i] = (struct la_factor){.name = measured_factors[i],
                                          .levels = levels[i],
                                          .kind = i >= SCENE ? LA_FACTOR_RANDOM : LA_FACTOR_FIXED,
                                          .within = i == MEMBER ? SCENE : -1};
  }
  const struct la_sub_design sub = la_design_complete(&design, tabulate(s, &design), s->arena);
  if (sub.cells_kept == 0) {
    fputs("# no factor has two levels without a missing cell\n", csv);
    return BASE_OK;
  }
  const struct la_sampling sampling = la_sampling_default(sub.design.factor[SCENE].levels);
  struct la_shares *shares = base_arena_push(s->arena, sizeof *shares);
  la_variance_shares(&sub.design, sub.y, SCENE, &sampling, s->arena, shares);
  struct la_shares *half = base_arena_push(s->arena, HALVES * sizeof *half);
  const int members = sub.design.factor[MEMBER].levels, is_halved = members >= HALVED_FEWEST;
  for (int k = 0; k < HALVES && is_halved; ++k) {
    share_half(&sub, k, s->arena, &half[k]);
  }
  write_shares(s, &sub, shares, is_halved ? half : NULL, csv);
  const int scenes = sub.design.factor[SCENE].levels, fewest = la_bootstrap_fewest(sampling.level);
  report_script_real(&sheet->script, "intervals", scenes >= fewest);
  if (scenes < fewest) {
    sheet->caption =
        base_arena_printf(s->arena, "%s Scenes here: %d; below %d there are no intervals.",
                          sheet->caption, scenes, fewest);
  } else if (is_halved) {
    sheet->caption = base_arena_printf(
        s->arena,
        "%s Either half of the %d members moves no share by more than %.2g of its interval.",
        sheet->caption, members, largest_off(shares, half));
  }
  double rows[FACTORS][7];
  for (int i = 0; i < FACTORS; ++i) {
    const struct la_interval *x[] = {&shares->first[i], &shares->total[i]};
    rows[i][0] = i + 1;
    for (int k = 0; k < 2; ++k) {
      rows[i][1 + 3 * k] = x[k]->value;
      rows[i][2 + 3 * k] = x[k]->lo;
      rows[i][3 + 3 * k] = x[k]->hi;
    }
  }
  report_script_texts(&sheet->script, "factors", FACTORS, measured_factors);
  return case_plot_table(&sheet->plot, "shares",
                         "factor first[-] first_lo[-] first_hi[-] total[-] total_lo[-] total_hi[-]",
                         FACTORS, 7, rows[0]);
}
