/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The planar pendulum: bhalerao-9, stick and slide of P1 with mu = 0.2, and bhalerao-10, rebounds
 * with eps_N = 0.7.
 *
 * Sticking is read from event: P1 slower than STICKS at a sample and its neighbours. What is
 * checked there is the distance of P1 from the plane, for schemes on gap level, and how much it
 * moves, for those that hold P1 where it touched; the former err by dt^2 and meet 1e-9 m at dt =
 * 2e-5 s, or at the step of all with their gaps corrected.
 *
 * The speed before an impact is the largest of the last samples before the sign change, the speed
 * after it the largest of those that follow, WINDOW each (LASTING for contact springs): a gap-level
 * scheme closes the contact in one step and lets it spring back in the next.
 */
#include "cases/spatial-double-pendulum/figures.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- bhalerao-9 ---- */

static const double STEP = 1e-3;      /* [s] */
static const double TOUCH = 0.16;     /* [s], after the impact */
static const double STICKS = 1e-10;   /* [m/s] */
static const double HELD = 1e-9;      /* [m], the source's z stays at 0 */
static const double ROUNDING = 1e-11; /* [m], where nothing but solvers errs */
static const int PHASES = 3; /* of sticking, and of sliding between them, within the horizon */

static const char *const fine[] = {"lcp-st", "ncp"}; /* on gap level */
enum { FINES = (int)(sizeof fine / sizeof *fine) };
static const char *const corrected[] = {"lcp-st", "lcp-dca", "ccp", "ncp", "mdp"};
enum { CORRECTED = (int)(sizeof corrected / sizeof *corrected) };

const struct case_runs spatial_double_pendulum_planar_runs[] = {
    {.label = "event",
     .formulation = "event",
     .set = SPATIAL_DOUBLE_PENDULUM_PLANAR,
     .dt = "0.02",
     .t_end = "6",
     .sample = "0.02"},
    {.label = "{form}-fine",
     .formulation = "{form}",
     .set = SPATIAL_DOUBLE_PENDULUM_PLANAR,
     .dt = "2e-5",
     .t_end = "6",
     .sample = "0.02",
     .over = {{"form", "lcp-st ncp"}}},
    {.label = "{form}-corrected",
     .formulation = "{form}",
     .set = SPATIAL_DOUBLE_PENDULUM_PLANAR,
     .opt = "corrections=2",
     .dt = "1e-3",
     .t_end = "6",
     .sample = "0.02",
     .over = {{"form", "lcp-st lcp-dca ccp ncp mdp"}}},
    SPATIAL_DOUBLE_PENDULUM_RUNS(SPATIAL_DOUBLE_PENDULUM_PLANAR, "1e-3", "6", "0.02"),
    {0}};

static double speed(const struct case_series *s, int k) {
  return hypot(spatial_double_pendulum_u(s, k, SPATIAL_DOUBLE_PENDULUM_V_P1),
               spatial_double_pendulum_u(s, k, SPATIAL_DOUBLE_PENDULUM_V_P1 + 1));
}

/* 1 where P1 sticks, at sample k of event. */
static int sticks(const struct case_series *event, int k) {
  int yes = event->t[k] > TOUCH;
  for (int j = k - 1; j <= k + 1; ++j) {
    yes = yes && j >= 0 && j < event->n && speed(event, j) < STICKS;
  }
  return yes;
}

/* Largest |z|, or largest change of z within a phase, while sticking. */
static double while_sticking(const struct case_series *event, const struct case_series *s,
                             int gap) {
  double worst = 0, z0 = 0;
  int seen = 0;
  for (int k = 0; k < event->n; ++k) {
    if (!sticks(event, k)) {
      continue;
    }
    ++seen;
    const double z = spatial_double_pendulum_q(s, k, SPATIAL_DOUBLE_PENDULUM_P1 + 2);
    z0 = k == 0 || !sticks(event, k - 1) ? z : z0;
    worst = case_worst(worst, fabs(gap ? z : z - z0));
  }
  return seen > 0 ? worst : NAN;
}

static int write_planar(const struct case_series *event, const struct case_series *s,
                        const char *name, struct case_plot *plot) {
  struct base_arena *arena = base_arena_alloc();
  double *rows = base_arena_matrix(arena, 4, s->n);
  for (int k = 0; k < s->n; ++k) {
    double *row = rows + 4 * (size_t)k;
    row[0] = s->t[k];
    row[1] = spatial_double_pendulum_q(s, k, SPATIAL_DOUBLE_PENDULUM_P1);
    row[2] = spatial_double_pendulum_q(s, k, SPATIAL_DOUBLE_PENDULUM_P1 + 2);
    row[3] = sticks(event, k);
  }
  const int status = case_plot_table(plot, name, "t[s] x[m] z[m] sticks[-]", s->n, 4, rows);
  base_arena_free(arena);
  return status;
}

/* Formulations on gap level at a fine step, and with their gaps corrected. */
static int check_gaps(const struct case_series *event, const struct case_series *series, int n,
                      struct case_plot *plot) {
  for (int i = 0; i < FINES + CORRECTED; ++i) {
    const int is_fine = i < FINES;
    const char *name = is_fine ? fine[i] : corrected[i - FINES];
    char label[CASE_TEXT], what[CASE_TEXT];
    snprintf(label, sizeof label, "%s-%s", name, is_fine ? "fine" : "corrected");
    const struct case_series *s = case_series_ok(series, n, label, SPATIAL_DOUBLE_PENDULUM_Q);
    if (s == NULL || s->n != event->n) {
      return BASE_FAILED;
    }
    snprintf(what, sizeof what, "%s: largest |z| of P1 while it sticks, dt = %s s%s [m]", name,
             is_fine ? "2e-5" : "1e-3", is_fine ? "" : ", gaps corrected");
    case_plot_check(plot, what, while_sticking(event, s, 1),
                    (struct case_claim){0, is_fine ? HELD : ROUNDING,
                                        .published = "stays at 0 (bhalerao 5.1, fig. 9)"});
    if (!is_fine && write_planar(event, s, label, plot) != BASE_OK) {
      return BASE_FAILED;
    }
  }
  return BASE_OK;
}

/* Phases of event, and that P1 stays on the plane in it. */
static void check_event(const struct case_series *event, struct case_plot *plot) {
  int phases = 0, slides = 0;
  double off = 0;
  for (int k = 1; k < event->n; ++k) {
    phases += sticks(event, k) && !sticks(event, k - 1);
    slides += !sticks(event, k) && sticks(event, k - 1);
    if (event->t[k] > TOUCH) {
      off = case_worst(off,
                       fabs(spatial_double_pendulum_q(event, k, SPATIAL_DOUBLE_PENDULUM_P1 + 2)));
    }
  }
  case_plot_check(plot, "phases of sticking", phases,
                  (struct case_claim){PHASES, PHASES,
                                      .published = "enters the stiction regime (bhalerao 5.1)"});
  case_plot_check(
      plot, "phases of sliding between them", slides,
      (struct case_claim){PHASES, PHASES, .published = "during the slide regime (bhalerao 5.1)"});
  case_plot_check(
      plot, "event: largest |z| of P1 once it touched [m]", off,
      (struct case_claim){0, ROUNDING, .published = "stays at 0 (bhalerao 5.1, fig. 9)"});
}

int spatial_double_pendulum_planar_make(const struct case_parameters *p,
                                        const struct case_series *series, int n,
                                        struct case_plot *plot) {
  const struct case_series *event = case_series_ok(series, n, "event", SPATIAL_DOUBLE_PENDULUM_Q);
  char what[CASE_TEXT];
  (void)p;
  if (event == NULL) {
    return BASE_FAILED;
  }
  check_event(event, plot);
  int status = write_planar(event, event, "event", plot);
  status = status == BASE_OK ? check_gaps(event, series, n, plot) : status;
  for (int i = 0; i < SPATIAL_DOUBLE_PENDULUM_FORMS && status == BASE_OK; ++i) {
    const struct spatial_double_pendulum_form *form = &spatial_double_pendulum_forms[i];
    const struct case_series *s = spatial_double_pendulum_find(series, n, i, STEP, 0);
    if (s == NULL || s->n != event->n) {
      return BASE_FAILED;
    }
    if (strcmp(form->name, "consistent-quaternion-twostep") == 0) {
      snprintf(what, sizeof what, "%s: largest change of z of P1 while it sticks [m]", form->name);
      case_plot_check(
          plot, what, while_sticking(event, s, 0),
          (struct case_claim){0, ROUNDING, .published = "stays at 0 (bhalerao 5.1, fig. 9)"});
    }
    status = write_planar(event, s, form->name, plot);
  }
  return status;
}

/* ---- bhalerao-10 ---- */

enum { WINDOW = 4, LASTING = 25, IMPACTS = 5 };
static const double SLOW = 1e-3;              /* [m/s], no impact */
static const double EPS = 0.7;                /* of the source */
static const double elastic[] = {1e-3, 2e-4}; /* [s] */
enum { ELASTIC = (int)(sizeof elastic / sizeof *elastic) };
/* Gravity over WINDOW steps moves a speed by WINDOW g dt, the joint about as much: of a speed of
 * 1 m/s, at dt = 1e-3 s, four parts in a hundred; proportional to dt. */
static const double RATIO_MISS = 40; /* [1/s] */

const struct case_runs spatial_double_pendulum_elastic_runs[] = {
    {.label = "event",
     .formulation = "event",
     .set = SPATIAL_DOUBLE_PENDULUM_ELASTIC,
     .dt = "2e-4",
     .t_end = "1.5",
     .sample = "2e-4"},
    SPATIAL_DOUBLE_PENDULUM_STEPPED(SPATIAL_DOUBLE_PENDULUM_ELASTIC, "0.001 0.0002", "1.5", "{dt}"),
    {0}};

static double vertical(const struct case_series *s, int k) {
  return k >= 0 && k < s->n ? spatial_double_pendulum_u(s, k, SPATIAL_DOUBLE_PENDULUM_V_P1 + 2) : 0;
}

/* The first impacts: time, speed before, after; 3 IMPACTS. Returns their number. */
static int find_impacts(const struct case_series *s, int window, double *rows) {
  int found = 0;
  for (int k = 1; k < s->n && found < IMPACTS; ++k) {
    if (!(vertical(s, k) > SLOW && vertical(s, k - 1) <= SLOW)) {
      continue;
    }
    double before = 0, after = 0;
    for (int j = 0; j < window; ++j) {
      before = fmin(before, vertical(s, k - 1 - j));
      after = fmax(after, vertical(s, k + j));
    }
    if (-before > SLOW) {
      rows[3 * found] = s->t[k];
      rows[3 * found + 1] = -before;
      rows[3 * found + 2] = after;
      ++found;
    }
  }
  return found;
}

static int write_rebounds(const struct case_series *s, const char *name, const double *impacts,
                          int found, struct case_plot *plot) {
  struct base_arena *arena = base_arena_alloc();
  double *rows = base_arena_matrix(arena, 2, s->n), ratios[2 * IMPACTS];
  char table[CASE_TEXT];
  for (int k = 0; k < s->n; ++k) {
    rows[2 * k] = s->t[k];
    rows[2 * k + 1] = vertical(s, k);
  }
  for (int k = 0; k < found; ++k) {
    ratios[2 * k] = k + 1;
    ratios[2 * k + 1] = impacts[3 * k + 2] / impacts[3 * k + 1];
  }
  int status = case_plot_table(plot, name, "t[s] vz[m/s]", s->n, 2, rows);
  snprintf(table, sizeof table, "ratio-%s", name);
  if (status == BASE_OK) {
    status = case_plot_table(plot, table, "impact[-] ratio[-]", found, 2, ratios);
  }
  base_arena_free(arena);
  return status;
}

int spatial_double_pendulum_elastic_make(const struct case_parameters *p,
                                         const struct case_series *series, int n,
                                         struct case_plot *plot) {
  const struct case_series *event = case_series_ok(series, n, "event", SPATIAL_DOUBLE_PENDULUM_Q);
  double impacts[3 * IMPACTS];
  (void)p;
  if (event == NULL) {
    return BASE_FAILED;
  }
  int found = find_impacts(event, WINDOW, impacts);
  int status = write_rebounds(event, "event", impacts, found, plot);
  for (int i = 0; i < SPATIAL_DOUBLE_PENDULUM_FORMS && status == BASE_OK; ++i) {
    const struct spatial_double_pendulum_form *form = &spatial_double_pendulum_forms[i];
    for (int d = 0; d < ELASTIC && status == BASE_OK; ++d) {
      const struct case_series *s = spatial_double_pendulum_find(series, n, i, elastic[d], 1);
      if (s == NULL) {
        return BASE_FAILED;
      }
      double worst = 0;
      found = find_impacts(s, form->lasting ? LASTING : WINDOW, impacts);
      for (int k = 0; k < found; ++k) {
        worst = case_worst(worst, fabs(impacts[3 * k + 2] / impacts[3 * k + 1] - EPS));
      }
      if (form->restores) {
        char what[CASE_TEXT];
        snprintf(what, sizeof what, "%s: first five impacts, largest |ratio - 0.7|, dt = %g s",
                 form->name, elastic[d]);
        case_plot_check(plot, what, found == IMPACTS ? worst : NAN,
                        (struct case_claim){0, RATIO_MISS * elastic[d], .expected = "0",
                                            .published = "eps_N = 0.7 (bhalerao 5.2)"});
      }
      status = d == 0 ? write_rebounds(s, form->name, impacts, found, plot) : BASE_OK;
    }
  }
  return status;
}
