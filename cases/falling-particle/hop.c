/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ccp-hop: what the convex relaxation does to a landing. One CCP step of the sliding particle in
 * closed form, b = (Phi/dt + v_N - g dt, v_x), s the speed of the fall, w_N, w_T unit vectors:
 *
 *   gamma_n = m (mu |b_t| - b_n)/(1 + mu^2),   |v_t+| = (|b_t| + mu b_n)/(1 + mu^2),
 *   v_n+ = mu |v_t+| - Phi/dt,                 Phi+ = dt mu |v_t+|        (if b_n < mu |b_t|)
 *
 * so that steady sliding floats at dt mu |v_t|, and the particle rebounds where Phi/dt < mu |v_t+|:
 * it then flies, climbing dt sum_j (v_n+ - j g dt) over all positive terms, v_n+^2/(2 g) for dt ->
 * 0 at the same Phi/dt. Nothing there goes to zero with dt.
 *
 * A free step ends with Phi/dt >= mu |v_x| > mu |v_t+|: a fall that the scheme computes itself
 * never meets the condition, whatever the phase. It takes a state the scheme has not made: a start
 * at the ground, a shorter step followed by a longer one, a sudden tangential velocity. Both are
 * shown:
 *
 *   placed   starts at Phi = P dt with v = (v_x0, -s); P in units of mu w
 *   falling  starts higher up, shifted by PHASES parts of the way of a step
 */
#include "cases/falling-particle/figures.h"

#include "base/status.h"
#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double hop_dt[] = {1e-2, 1e-3, 1e-4};                      /* [s] */
static const double hop_gap[] = {0, 0.2, 0.4, 0.6, 0.8, 1.2, 1.6, 2.0}; /* P/(mu w) [-] */
enum { STEPS = 3, PHASES = 8, HALF = PHASES / 2, PLACED = STEPS * PHASES };
/* The control gets every other phase. */
enum { RUNS = 2 * PLACED + 2 * STEPS * HALF };
static const double FALL = 0.2;        /* height above the ground, part of y0 [-] */
static const double RELATIVE = 1e-9;   /* agreement with the closed form; the solver's is 1e-10 */
static const double UNTOUCHED = 1e-12; /* of v_x in free flight: rounding */
static const double NO_HOP = 1e-12;    /* [m], rounding of heights and gaps */

struct fall {
  double g, mu, vx, s, w; /* s: speed of the impact, w: sliding speed after it [m/s] */
};

static struct fall fall_of(const struct case_parameters *p) {
  struct fall f = {
      .g = case_real(p, "g"), .mu = case_real(p, "mu"), .vx = fabs(case_real(p, "vx0"))};
  const double vy0 = case_real(p, "vy0");
  f.s = sqrt(vy0 * vy0 + 2 * f.g * case_real(p, "y0"));
  f.w = fmax(0, f.vx - f.mu * f.s);
  return f;
}

/* Run number i as (kind, formulation, step, phase). */
struct hop {
  int falling, ncp, step, phase;
};

static struct hop hop_of(int i) {
  struct hop h = {.ncp = i >= 2 * PLACED};
  const int k = h.ncp ? i - 2 * PLACED : i, phases = h.ncp ? HALF : PHASES;
  h.falling = k / (STEPS * phases);
  h.step = k / phases % STEPS;
  h.phase = k % phases * (h.ncp ? 2 : 1);
  return h;
}

/* The state at the start, for a phase of the impact. */
static void fill_state(const struct case_parameters *p, const struct case_place *place,
                       struct case_run *run) {
  const struct fall f = fall_of(p);
  const double phase = case_place_real(place, "phase"), height = FALL * case_real(p, "y0");
  const int falling = strstr(run->label, "falling") != NULL;
  const double y0 = falling ? height + phase * f.s * run->dt / PHASES
                            : hop_gap[(int)phase] * f.mu * f.w * run->dt;
  const double vy0 = falling ? -sqrt(f.s * f.s - 2 * f.g * height) : -f.s;
  snprintf(run->set, sizeof run->set, "y0=%.17g vy0=%.17g", y0, vy0);
}

#define HOPS(FORM, KIND, END, PHASES)                                                              \
  {                                                                                                \
    .label = FORM "-" KIND "-dt{dt}-{phase}", .formulation = FORM, .dt = "{dt}", .t_end = END,     \
    .sample = "{dt}", .over = {{"dt", "0.01 0.001 0.0001"}, {"phase", PHASES}}, .fill = fill_state \
  }
const struct case_runs falling_particle_hop_runs[] = {
    HOPS("ccp", "placed", "0.03", "0 1 2 3 4 5 6 7"),
    HOPS("ccp", "falling", "0.1", "0 1 2 3 4 5 6 7"),
    HOPS("ncp", "placed", "0.03", "0 2 4 6"),
    HOPS("ncp", "falling", "0.1", "0 2 4 6"),
    {0}};

/* Largest climb of y over any earlier sample [m]. */
static double climb(const struct case_series *s) {
  double low = s->q[1], worst = 0;
  for (int k = 1; k < s->n; ++k) {
    const double y = s->q[2 * k + 1];
    worst = case_worst(worst, y - low);
    low = fmin(low, y);
  }
  return worst;
}

/* Rebound v_n+ of the impact step from the gap P dt; dt = 0: its limit. */
static double rebound(const struct fall *f, double P, double dt) {
  const double b_n = P - f->s - f->g * dt;
  return f->mu * (f->vx + f->mu * b_n) / (1 + f->mu * f->mu) - P;
}

static double climb_exact(const struct fall *f, double P, double dt) {
  double sum = 0;
  for (double v = rebound(f, P, dt); v > 0; v -= f->g * dt) {
    sum += dt * v;
  }
  return sum;
}

/* Worst relative distance of the gap from dt mu |v_t| over the samples below what a free step can
 * leave, but for the first of them; NaN where there is none. */
static double float_error(const struct fall *f, const struct case_series *s) {
  const double dt = s->run->dt;
  double worst = 0;
  int found = 0;
  for (int k = 2; k < s->n; ++k) {
    const double y = s->q[2 * k + 1], rest = dt * f->mu * fabs(s->u[2 * k]);
    if (s->q[2 * k - 1] < dt * f->mu * f->vx) {
      worst = case_worst(worst, fabs(y - rest) / rest);
      found = 1;
    }
  }
  return found ? worst : NAN;
}

/* Phi/dt over mu |v_x| at the end of the last free step of a fall: the least that was met. */
static double last_free_gap(const struct fall *f, const struct case_series *s) {
  const double dt = s->run->dt;
  for (int k = 1; k < s->n; ++k) {
    if (fabs(s->u[2 * k]) < f->vx * (1 - UNTOUCHED)) { /* an impulse has acted */
      return s->q[2 * k - 1] / (dt * f->mu * f->vx);
    }
  }
  return NAN;
}

struct findings {
  double exact;        /* worst |climb - climb_exact| over the largest climb, placed ccp */
  double ncp, falling; /* largest climbs [m]: of ncp, of ccp in falls */
  double floats;       /* worst float_error of falls */
  double gap;          /* least last_free_gap */
  double finest;       /* climb at the shortest step from Phi = 0 [m] */
};

/* The larger of two numbers, or the NaN among them. */
static double worse(double a, double b) { return isnan(a) || isnan(b) ? NAN : fmax(a, b); }

static int examine(const struct fall *f, const struct case_series *series, int n,
                   double climbs[RUNS], struct findings *out) {
  *out = (struct findings){.gap = INFINITY};
  for (int i = 0; i < RUNS && i < n; ++i) {
    const struct hop h = hop_of(i);
    const struct case_series *s = case_series_ok(series, n, series[i].run->label, 2);
    if (s == NULL) {
      return BASE_FAILED;
    }
    climbs[i] = climb(s);
    if (h.ncp) {
      out->ncp = worse(out->ncp, climbs[i]);
    } else if (h.falling) {
      out->falling = worse(out->falling, climbs[i]);
      out->floats = worse(out->floats, float_error(f, s));
      const double gap = last_free_gap(f, s);
      out->gap = gap >= out->gap ? out->gap : gap;
    } else {
      const double P = hop_gap[h.phase] * f->mu * f->w, dt = hop_dt[h.step];
      const double error = fabs(climbs[i] - climb_exact(f, P, dt)) / climb_exact(f, 0, dt);
      out->exact = worse(out->exact, error);
      if (h.phase == 0 && h.step == STEPS - 1) {
        out->finest = climbs[i];
      }
    }
  }
  return n == RUNS ? BASE_OK : base_fail(BASE_FAILED, "ccp-hop: %d runs of %d", n, RUNS);
}

static void check(const struct fall *f, const struct findings *found, struct case_plot *plot) {
  const double v = rebound(f, 0, 0), dt = hop_dt[STEPS - 1], slack = 2 * f->g * dt / v;
  case_plot_check(plot, "ccp, sliding: gap against dt mu |v_t|, worst relative difference",
                  found->floats, (struct case_claim){0, RELATIVE, .expected = "0 (closed form)"});
  case_plot_check(plot, "ccp, placed: climb against the closed form, worst relative difference",
                  found->exact, (struct case_claim){0, RELATIVE, .expected = "0 (closed form)"});
  case_plot_check(plot, "ccp, placed at Phi = 0: climb at dt = 1e-4 s over v_n+^2/(2 g)",
                  found->finest / (v * v / (2 * f->g)),
                  (struct case_claim){1 - slack, 1 + slack, .expected = "does not vanish with dt"});
  case_plot_check(plot, "ncp: largest climb [m]", found->ncp,
                  (struct case_claim){0, NO_HOP, .expected = "none"});
  case_plot_check(plot, "ccp, falls computed by the scheme: largest climb [m]", found->falling,
                  (struct case_claim){0, NO_HOP, .expected = "none: the condition is never met"});
  case_plot_check(
      plot, "ccp, falls: least gap before the impact step, Phi/dt over mu |v_x|", found->gap,
      (struct case_claim){1, 1 + (f->s + f->g * hop_dt[0]) / (PHASES * f->mu * f->vx),
                          .expected = ">= 1 (closed form), by at most a phase of a step's way"});
}

/* Number of the first run of a kind at a step; the phases follow. */
static int first_of(int ncp, int falling, int step) {
  return ncp ? 2 * PLACED + (falling * STEPS + step) * HALF : falling * PLACED + step * PHASES;
}

/* Climb over the gap at the start, one table a formulation and step. */
static void write_placed(const double climbs[RUNS], int ncp, int step, struct case_plot *plot) {
  const int first = first_of(ncp, 0, step), count = ncp ? HALF : PHASES;
  double rows[PHASES][2];
  char name[CASE_TEXT];
  for (int k = 0; k < count; ++k) {
    rows[k][0] = hop_gap[hop_of(first + k).phase];
    rows[k][1] = climbs[first + k];
  }
  snprintf(name, sizeof name, "%s-dt%g", ncp ? "ncp" : "ccp", hop_dt[step]);
  case_plot_table(plot, name, "Phi/(dt*mu*w)[-] climb[m]", count, 2, rows[0]);
}

static void write_limit(const struct fall *f, struct case_plot *plot) {
  enum { POINTS = 101 };
  double rows[POINTS][2];
  for (int k = 0; k < POINTS; ++k) {
    const double part = hop_gap[PHASES - 1] * k / (POINTS - 1);
    const double v = fmax(0, rebound(f, part * f->mu * f->w, 0));
    rows[k][0] = part;
    rows[k][1] = v * v / (2 * f->g);
  }
  case_plot_table(plot, "limit", "Phi/(dt*mu*w)[-] v_n+^2/(2g)[m]", POINTS, 2, rows[0]);
}

/* Climb over the step: placed at Phi = 0, and the worst phase of the falls. */
static int write_steps(const double climbs[RUNS], struct case_plot *plot) {
  double rows[STEPS][4];
  for (int step = 0; step < STEPS; ++step) {
    const int falling = first_of(0, 1, step);
    rows[step][0] = hop_dt[step];
    rows[step][1] = climbs[first_of(0, 0, step)];
    rows[step][2] = climbs[first_of(1, 0, step)];
    rows[step][3] = 0;
    for (int k = 0; k < PHASES; ++k) {
      rows[step][3] = fmax(rows[step][3], climbs[falling + k]);
    }
  }
  return case_plot_table(plot, "steps", "dt[s] ccp_placed[m] ncp_placed[m] ccp_falling[m]", STEPS,
                         4, rows[0]);
}

int falling_particle_hop_make(const struct case_parameters *p, const struct case_series *series,
                              int n, struct case_plot *plot) {
  const struct fall f = fall_of(p);
  double climbs[RUNS];
  struct findings found;
  int status = examine(&f, series, n, climbs, &found);
  if (status != BASE_OK) {
    return status;
  }
  check(&f, &found, plot);
  struct base_arena *arena = base_arena_alloc();
  for (int step = 0; step < STEPS; ++step) {
    for (int ncp = 0; ncp < 2; ++ncp) {
      char name[CASE_TEXT];
      write_placed(climbs, ncp, step, plot);
      snprintf(name, sizeof name, "path-%s-dt%g", ncp ? "ncp" : "ccp", hop_dt[step]);
      falling_particle_write_path(plot, name, &series[first_of(ncp, 0, step)], arena);
    }
  }
  write_limit(&f, plot);
  status = write_steps(climbs, plot);
  base_arena_free(arena);
  return status;
}
