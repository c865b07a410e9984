/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * preclik-painleve: Painleve's paradox in four parts.
 *
 *   limit     mu_*(theta), its minimum by golden section, and the impulse of the records at mu_*
 *   maps      what formulations answer over mu and theta (map.c)
 *   inside    the rod of the case, which begins inside the paradox
 *   approach  a fast rod that friction turns towards the paradox, mu = 1.6, theta0 = 0.75, v0 = 20
 *
 * A rod that begins outside mostly stops or lifts off before it gets there: the contact force, by
 * which it would turn further, grows without bound as mu_* comes near. With v0 = 20 m/s it slides
 * up to mu_*, where `event` lets it lift off and time steppers may take the impact instead.
 */
#include "cases/painleve-rod/painleve-rod.h"

#include "base/memory/arena.h"
#include "base/status.h"
#include "cases/figure/series.h"
#include "la/dense.h"
#include "mech/mech.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { EDGES = 8 }; /* runs at mu = mu_* */

static double edge_of(int i) { return 0.5 * M_PI * (i + 0.7) / EDGES; } /* theta [rad] */

double painleve_rod_impulse(const struct case_series *s, int k, double expected) {
  const cJSON *contact = cJSON_GetObjectItemCaseSensitive(s->record, "contact");
  const cJSON *r = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(contact, "impulse"), k);
  return cJSON_IsNumber(r) ? fabs(r->valuedouble - expected) : NAN;
}

/* ---- mu_* ---- */

static double least_limit(double lo, double hi) {
  const double part = 0.5 * (3 - sqrt(5.0));
  for (int k = 0; k < 100; ++k) {
    const double a = lo + part * (hi - lo), b = hi - part * (hi - lo);
    if (painleve_rod_limit(a) < painleve_rod_limit(b)) {
      hi = b;
    } else {
      lo = a;
    }
  }
  return 0.5 * (lo + hi);
}

/* m A_oo of the rod in space: A_NN + A_tt = 5/m, and the trace does not depend on the tangents. */
static double across_of(double theta) {
  struct base_arena *arena = base_arena_alloc();
  struct case_instance rod = {0};
  double trace = NAN;
  if (painleve_rod_in_space(theta, arena, &rod) == BASE_OK) {
    const struct mech *m = rod.mech;
    double *L = base_arena_push(arena, mech_mass_size(m) * sizeof(double));
    double *W = base_arena_matrix(arena, m->nu, 3), *MW = base_arena_matrix(arena, m->nu, 3);
    struct mech_contacts c;
    mech_contacts_init(&c, m, arena);
    mech_contacts_find(m, rod.q, NULL, 1e-12, &c);
    if (c.n == 1 && mech_mass_factor(m, rod.q, L) == BASE_OK) {
      mech_contacts_add_columns(&c, 0, W);
      la_copy(3L * m->nu, W, MW);
      mech_mass_solve(m, L, 3, MW);
      trace = la_dot(3 * m->nu, W, MW);
    }
  }
  base_arena_free(arena);
  return trace - 5;
}

static void make_limit(const struct case_parameters *p, const struct case_series *edges,
                       struct case_plot *plot) {
  enum { POINTS = 179 };
  static const double ROOT = 1e-7; /* a minimum's place is known to the root of rounding */
  const double unit = case_real(p, "m") * case_real(p, "v0") / 8;
  double rows[POINTS][4], marks[EDGES][4], worst = 0;
  for (int k = 0; k < POINTS; ++k) {
    const double theta = 0.5 * M_PI * (k + 1) / (POINTS + 1);
    rows[k][0] = theta * 180 / M_PI;
    rows[k][1] = painleve_rod_limit(theta);
    rows[k][2] = 3 * sin(2 * theta) / 8;
    rows[k][3] = (5 + 3 * cos(2 * theta)) / 8;
  }
  for (int k = 0; k < EDGES; ++k) {
    const double theta = edge_of(k), N = unit * 3 * sin(2 * theta);
    const double T = unit * (5 + 3 * cos(2 * theta));
    worst = case_worst(worst, painleve_rod_impulse(&edges[k], 0, N) / unit);
    worst = case_worst(worst, painleve_rod_impulse(&edges[k], 1, T) / unit);
    marks[k][0] = theta * 180 / M_PI;
    marks[k][1] = painleve_rod_limit(theta);
    marks[k][2] = painleve_rod_impulse(&edges[k], 0, 0) / (8 * unit);
    marks[k][3] = painleve_rod_impulse(&edges[k], 1, 0) / (8 * unit);
  }
  const double place = least_limit(0.1, 1.5);
  const double least[2] = {place * 180 / M_PI, painleve_rod_limit(place)};
  case_plot_table(plot, "limit", "theta[deg] mu_* r_N/(m*v0) r_T/(m*v0)", POINTS, 4, rows[0]);
  case_plot_table(plot, "edge", "theta[deg] mu_* r_N/(m*v0) r_T/(m*v0)", EDGES, 4, marks[0]);
  case_plot_table(plot, "least", "theta[deg] mu_*", 1, 2, least);
  case_plot_check(
      plot, "least mu_*", least[1],
      (struct case_claim){4.0 / 3 - 1e-14, 4.0 / 3 + 1e-14, .published = "4/3 (preclik 4.2)"});
  case_plot_check(plot, "where it is [rad]", place,
                  (struct case_claim){0.5 * acos(-0.6) - ROOT, 0.5 * acos(-0.6) + ROOT,
                                      .published = "acos(-3/5)/2 = 1.10714872 (preclik 4.2)"});
  case_plot_check(
      plot, "impulse at mu = mu_* against its closed form, relative", worst,
      (struct case_claim){0, 1e-12, .expected = "0",
                          .published = "(m v0/8)(5 + 3 cos 2 theta, 3 sin 2 theta) (preclik 4.2)"});
}

static void check_matrix(const struct case_parameters *p, struct case_plot *plot) {
  const double theta = case_real(p, "theta0"), printed = 1 + 3 * pow(cos(2 * theta), 2);
  case_plot_check(
      plot, "m A_oo of the assembled rod, theta = 1", across_of(theta),
      (struct case_claim){4 - 1e-12, 4 + 1e-12, .expected = "4",
                          .published = "1 + 3 cos^2 2 theta, in A (preclik 4.2)",
                          .differs = "an erratum: the arm l/2 is across a force along o whatever "
                                     "theta, so that m A_oo = 1 + (l/2)^2/(l^2/12) = 4; nothing "
                                     "else depends on it, b_o = 0",
                          .source = {printed - 1e-12, printed + 1e-12}});
}

/* ---- trajectories ---- */

/* t [s], theta [deg], v_T and v_N of the end [m/s], its height [m]. */
static void write_path(const struct case_series *s, double l, struct case_plot *plot) {
  struct base_arena *arena = base_arena_alloc();
  double *rows = base_arena_matrix(arena, 5, s->n);
  for (int k = 0; k < s->n; ++k) {
    const double *q = s->q + (size_t)k * 3;
    double v[2], *row = rows + (size_t)k * 5;
    painleve_rod_end(l, q, s->u + (size_t)k * 3, v);
    row[0] = s->t[k];
    row[1] = q[2] * 180 / M_PI;
    row[2] = v[1];
    row[3] = v[0];
    row[4] = q[1] - 0.5 * l * sin(q[2]);
  }
  case_plot_table(plot, s->run->label, "t[s] theta[deg] v_T[m/s] v_N[m/s] height[m]", s->n, 5,
                  rows);
  base_arena_free(arena);
}

/* Largest v_T of the end until its height is no longer that of rounding: near zero where the end
 * has stuck. */
static double largest_sliding(const struct case_series *s, double l) {
  static const double LEFT = 1e-3; /* of l */
  double largest = -HUGE_VAL;
  for (int k = 0; k < s->n; ++k) {
    const double *q = s->q + (size_t)k * 3;
    double v[2];
    painleve_rod_end(l, q, s->u + (size_t)k * 3, v);
    largest = fmax(largest, v[1]);
    if (q[1] - 0.5 * l * sin(q[2]) > LEFT * l) {
      break;
    }
  }
  return largest;
}

/* The impact leaves a rod that turns about its end with omega = (3/2)(v0/l) sin theta0. Where the
 * contact has finite forces from then on the end stays; a step sees it move by what W changes in
 * it, omega^2 l dt/2. */
static void check_sticks(const struct case_parameters *p, const struct case_series *s,
                         struct case_plot *plot) {
  const double l = case_real(p, "l"), omega = 1.5 * case_real(p, "v0") / l * sin(s->q[2]);
  double largest = 0;
  for (int k = 1; k < s->n; ++k) {
    double v[2];
    painleve_rod_end(l, s->q + 3L * k, s->u + 3L * k, v);
    largest = case_worst(largest, hypot(v[0], v[1]));
  }
  case_plot_check(
      plot,
      base_arena_printf(plot->arena, "%s: speed of the end after it, over omega^2 l dt/2",
                        s->run->label),
      largest / (0.5 * omega * omega * l * s->run->dt),
      (struct case_claim){0, 1, .expected = "below 1: it sticks, by forces of its weight's size",
                          .published = "a sticking state, where non-impulsive reactions exist, "
                                       "in both models (preclik 4.2)"});
}

static void make_paths(const struct case_parameters *p, const struct case_series *paths,
                       struct case_plot *plot) {
  for (int i = 0; i < 2 * PAINLEVE_MAP_FORMS; ++i) {
    const struct case_series *s = &paths[i];
    const int inside = i < PAINLEVE_MAP_FORMS;
    const char *form = painleve_map_forms[i % PAINLEVE_MAP_FORMS];
    char what[2 * CASE_TEXT];
    if (strcmp(form, "event") == 0 && inside) {
      case_plot_check(plot, "event, inside: fails at the start, time reached [s]",
                      s->status == BASE_FAILED ? case_number(s, "final.t") : NAN,
                      (struct case_claim){0, 0, .expected = "no finite force"});
      continue;
    }
    if (s->status != BASE_OK || s->n < 2 || s->nq != 3) {
      snprintf(what, sizeof what, "%s: ended %s", s->run->label, base_status_name(s->status));
      case_plot_check(plot, what, NAN, (struct case_claim){0, 0, .expected = "ok"});
      continue;
    }
    write_path(s, case_real(p, "l"), plot);
    if (inside && (strcmp(form, "ncp") == 0 || strcmp(form, "mdp") == 0)) {
      check_sticks(p, s, plot);
    }
    if (!inside && strcmp(form, "event") == 0) {
      case_plot_check(plot, "event, approach: largest v_T [m/s], it lifts off sliding",
                      largest_sliding(s, case_real(p, "l")),
                      (struct case_claim){-20, -1, .expected = "between -v0 and zero"});
    }
  }
}

static int painleve_make(const struct case_parameters *p, const struct case_series *series, int n,
                         struct case_plot *plot) {
  enum { RUNS = PAINLEVE_MAP_RUNS + EDGES + 2 * PAINLEVE_MAP_FORMS };
  if (n != RUNS) {
    return base_fail(BASE_FAILED, "preclik-painleve: %d runs of %d", n, RUNS);
  }
  make_limit(p, series + PAINLEVE_MAP_RUNS, plot);
  check_matrix(p, plot);
  make_paths(p, series + PAINLEVE_MAP_RUNS + EDGES, plot);
  return painleve_rod_map_make(p, series, plot);
}

const struct case_function painleve_rod_functions[] = {{"painleve_make", .make = painleve_make},
                                                       {0}};
