/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bhalerao-8: relative Euler-123 angles while P1 slides, against event in place of the source's
 * Autolev model, and the order of their errors in dt. The horizon ends before P1 comes to rest
 * (0.98 s). Angles are compared as rotations are: modulo 2 pi, and by the triple nearest to the
 * reference of the two that mean the same rotation.
 */
#include "cases/spatial-double-pendulum/figures.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The orders measured may miss the asymptotic ones by this at these steps. */
static const double ORDER_MISS = 0.15;
static const double steps[] = {1e-3, 5e-4, 2e-4, 1e-4}; /* [s]; the last is the source's */
enum { STEPS = (int)(sizeof steps / sizeof *steps), FINEST = STEPS - 1 };

const struct case_runs spatial_double_pendulum_angles_runs[] = {
    {.label = "event", .formulation = "event", .dt = "0.01", .t_end = "0.9", .sample = "0.01"},
    SPATIAL_DOUBLE_PENDULUM_STEPPED("", "0.001 0.0005 0.0002 0.0001", "0.9", "0.01"),
    {0}};

/* Angles of a run, each triple nearest to that of `near` (of the same samples), or, NULL, to the
 * sample before, from the parameters on; angles: 6 s->n. */
static void read_angles(const struct case_series *s, const struct case_parameters *p,
                        const double *near, double *angles) {
  const double start[6] = {case_real(p, "qa1"), case_real(p, "qa2"), case_real(p, "qa3"),
                           case_real(p, "qb1"), case_real(p, "qb2"), case_real(p, "qb3")};
  for (int k = 0; k < s->n; ++k) {
    const double *by = near != NULL ? near + 6 * (size_t)k
                       : k == 0     ? start
                                    : angles + 6 * (size_t)(k - 1);
    for (int body = 0; body < 2; ++body) {
      double *out = angles + 6 * (size_t)k + 3 * body;
      for (int j = 0; j < 3; ++j) {
        out[j] = spatial_double_pendulum_q(s, k, SPATIAL_DOUBLE_PENDULUM_ANGLES + 3 * body + j);
      }
      spatial_double_pendulum_near(by + 3 * body, out);
    }
  }
}

/* Largest difference of three angles from `first` on; NaN where one is. */
static double difference(const double *a, const double *b, int first) {
  double worst = 0;
  for (int j = first; j < first + 3; ++j) {
    worst = case_worst(worst, fabs(a[j] - b[j]));
  }
  return worst;
}

/* The finest run of a formulation over time: t, six angles, error of A and of B. */
static int write_finest(const struct case_series *s, const double *exact, const double *angles,
                        const char *name, struct base_arena *arena, struct case_plot *plot) {
  double *rows = base_arena_matrix(arena, 9, s->n);
  for (int k = 0; k < s->n; ++k) {
    double *row = rows + 9 * (size_t)k;
    row[0] = s->t[k];
    memcpy(row + 1, angles + 6 * (size_t)k, 6 * sizeof *row);
    for (int body = 0; body < 2; ++body) {
      row[7 + body] = difference(angles + 6 * (size_t)k, exact + 6 * (size_t)k, 3 * body);
    }
  }
  return case_plot_table(plot, name,
                         "t[s] qa1[rad] qa2[rad] qa3[rad] qb1[rad] qb2[rad] qb3[rad] error_A[rad] "
                         "error_B[rad]",
                         s->n, 9, rows);
}

static void check_form(const struct spatial_double_pendulum_form *form, const double *error,
                       struct case_plot *plot) {
  char what[CASE_TEXT];
  snprintf(what, sizeof what, "%s: largest error of the angles, dt = 1e-4 s [rad]", form->name);
  case_plot_check(plot, what, error[FINEST], (struct case_claim){.lo = 0, .hi = form->error});
  if (form->order > 0) {
    snprintf(what, sizeof what, "%s: order of the angles in dt", form->name);
    case_plot_check(
        plot, what, case_order(STEPS, steps, error, STEPS),
        (struct case_claim){form->order - ORDER_MISS, form->order + ORDER_MISS, .expected = "1"});
  }
}

int spatial_double_pendulum_angles_make(const struct case_parameters *p,
                                        const struct case_series *series, int n,
                                        struct case_plot *plot) {
  const struct case_series *event = case_series_ok(series, n, "event", SPATIAL_DOUBLE_PENDULUM_Q);
  double errors[STEPS * (1 + SPATIAL_DOUBLE_PENDULUM_FORMS)];
  char columns[CASE_TEXT * 4] = "dt[s]";
  if (event == NULL) {
    return BASE_FAILED;
  }
  struct base_arena *arena = base_arena_alloc();
  double *exact = base_arena_matrix(arena, 6, event->n);
  double *angles = base_arena_matrix(arena, 6, event->n);
  read_angles(event, p, NULL, exact);
  int status = write_finest(event, exact, exact, "event", arena, plot);
  for (int i = 0; i < SPATIAL_DOUBLE_PENDULUM_FORMS && status == BASE_OK; ++i) {
    const struct spatial_double_pendulum_form *form = &spatial_double_pendulum_forms[i];
    double error[STEPS] = {0};
    for (int k = 0; k < STEPS && status == BASE_OK; ++k) {
      const struct case_series *s = spatial_double_pendulum_find(series, n, i, steps[k], 1);
      status = s == NULL ? BASE_FAILED
               : s->n == event->n
                   ? BASE_OK
                   : base_fail(BASE_FAILED, "%s has not the samples of event", form->name);
      if (status != BASE_OK) {
        break;
      }
      read_angles(s, p, exact, angles);
      for (int j = 0; j < s->n; ++j) {
        error[k] =
            case_worst(error[k], difference(angles + 6 * (size_t)j, exact + 6 * (size_t)j, 0));
        error[k] =
            case_worst(error[k], difference(angles + 6 * (size_t)j, exact + 6 * (size_t)j, 3));
      }
      errors[k * (1 + SPATIAL_DOUBLE_PENDULUM_FORMS)] = steps[k];
      errors[k * (1 + SPATIAL_DOUBLE_PENDULUM_FORMS) + 1 + i] = error[k];
      if (k == FINEST) {
        status = write_finest(s, exact, angles, form->name, arena, plot);
      }
    }
    check_form(form, error, plot);
    const size_t used = strlen(columns);
    snprintf(columns + used, sizeof columns - used, " %s[rad]", form->name);
  }
  base_arena_free(arena);
  return status != BASE_OK ? status
                           : case_plot_table(plot, "errors", columns, STEPS,
                                             1 + SPATIAL_DOUBLE_PENDULUM_FORMS, errors);
}
