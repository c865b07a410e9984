/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Woodpecker and overbalanced wheel: the models against their kinetic energies, geometry and
 * conserved quantities, and what the sources publish of their motion.
 */
#include "tests/case_model.h"
#include "tests/test.h"

#include "form/simulator/simulator.h"
#include "la/dense.h"

enum { NQ_MAX = 25 };

/* Of no round numbers, and none that are alike. */
static const char *const odd_woodpecker =
    "r_O=0.1 r_M=0.3 h_M=0.7 l_M=0.4 l_G=0.9 h_S=0.6 l_S=0.2 m_M=1.1 m_S=2.3 J_M=0.5 J_S=0.8 c=3 "
    "eps_N2=0.3 eps_T1=0.2 eps_T3=0.1 mu1=0.5 mu2=0.6 mu3=0.7 alpha0=0";

/* A random state on the constraints, around the initial one. */
static void random_state(const struct case_instance *c, struct base_rng *rng, double *q, double *u,
                         struct base_arena *arena) {
  const struct mech *m = c->mech;
  int status;
  do { /* not every start leads to one */
    for (int j = 0; j < m->nq; ++j) {
      q[j] = c->q[j] + base_rng_uniform(rng, -1, 1) * m->length;
      u[j] = base_rng_uniform(rng, -2, 2) * m->speed;
    }
    if (m->ns > 0) {
      q[0] = base_rng_uniform(rng, -4, 4);
    }
    status = mech_project(m, q, u, arena);
  } while (status != BASE_OK);
}

/* ---- discrete derivatives ---- */

static struct mech without_discrete(const struct mech *m, struct mech_ops *ops) {
  struct mech generic = *m;
  *ops = *m->ops;
  ops->consistent.discrete_potential = NULL;
  ops->consistent.discrete_bilateral = NULL;
  ops->consistent.discrete_rate = NULL;
  ops->consistent.discrete_gap = NULL;
  generic.ops = ops;
  return generic;
}

/* Largest difference of the wheel's own discrete derivatives and Gonzalez' over a distance h. */
static double wheel_difference(const struct case_instance *c, const double *q, const double *u,
                               const double *along, double h, struct base_arena *arena) {
  struct mech_ops ops;
  const struct mech *m = c->mech, generic = without_discrete(m, &ops);
  double a[NQ_MAX], b[NQ_MAX], D[12 * NQ_MAX], G[12 * NQ_MAX], worst = 0;
  for (int j = 0; j < m->nq; ++j) {
    a[j] = q[j] - h * along[j];
    b[j] = q[j] + h * along[j];
  }
  for (int which = -2; which < 24; ++which) {
    const int size = which < 0 ? m->ns * m->nq : m->nq;
    if (which == -2) {
      mech_discrete_bilateral(m, a, b, D, arena);
      mech_discrete_bilateral(&generic, a, b, G, arena);
    } else if (which == -1) {
      mech_discrete_rate(m, u, a, b, D, arena);
      mech_discrete_rate(&generic, u, a, b, G, arena);
    } else {
      mech_discrete_gap(m, which, a, b, D, arena);
      mech_discrete_gap(&generic, which, a, b, G, arena);
    }
    la_axpy(size, -1, D, G);
    worst = fmax(worst, la_norm_inf(size, G));
  }
  return worst;
}

/* They differ from Gonzalez' at second order: each is symmetric in a and b and consistent. */
TEST(wheel_discrete_derivatives_are_gonzalez_to_second_order) {
  struct base_rng *rng = test_rng(0);
  struct base_arena *arena = test_arena();
  const struct case_instance c = case_model_build("overbalanced-wheel", "", arena);
  for (int trial = 0; trial < 5; ++trial) {
    double q[NQ_MAX], u[NQ_MAX], along[NQ_MAX];
    random_state(&c, rng, q, u, arena);
    base_rng_uniforms(rng, NQ_MAX, -1, 1, along);
    const double coarse = wheel_difference(&c, q, u, along, 0.2, arena);
    const double fine = wheel_difference(&c, q, u, along, 0.05, arena);
    CHECK_LE(1e-6, coarse);
    CHECK_NEAR(log(coarse / fine) / log(4), 2, 0.15);
  }
}

/* ---- woodpecker ---- */

/* Kinetic energy, gaps and sliding velocities from the motion of the parts (6.37, 6.42, 6.44). */
TEST(woodpecker_moves_its_parts) {
  struct base_rng *rng = test_rng(0);
  struct base_arena *arena = test_arena();
  const struct case_instance c = case_model_build("woodpecker", odd_woodpecker, arena);
  struct mech_contacts list;
  mech_contacts_init(&list, c.mech, arena);
  for (int trial = 0; trial < 20; ++trial) {
    double q[3], u[3], v[6];
    for (int j = 0; j < 3; ++j) {
      q[j] = base_rng_uniform(rng, -1, 1);
      u[j] = base_rng_uniform(rng, -5, 5);
    }
    const double bird = u[0] + 0.4 * u[1] + 0.9 * u[2]; /* its centre of mass */
    const double T =
        0.5 * (1.1 * u[0] * u[0] + 0.5 * u[1] * u[1] + 2.3 * bird * bird + 0.8 * u[2] * u[2]);
    const double V = 1.5 * (q[1] - q[2]) * (q[1] - q[2]) +
                     9.81 * (1.1 * q[0] + 2.3 * (q[0] + 0.4 * q[1] + 0.9 * q[2]));
    CHECK_NEAR(mech_kinetic(c.mech, q, u, arena), T, 1e-13 * T);
    CHECK_NEAR(c.mech->ops->potential(c.mech, q), V, 1e-13 * (1 + fabs(V)));
    mech_contacts_find(c.mech, q, u, INFINITY, &list);
    CHECK_INT(list.n, 3);
    CHECK_NEAR(list.gN[0], 0.4 + 0.9 - 0.2 - 0.1 - 0.6 * q[2], 1e-15);
    CHECK_NEAR(list.gN[1], 0.2 + 0.7 * q[1], 1e-15);
    CHECK_NEAR(list.gN[2], 0.2 - 0.7 * q[1], 1e-15);
    mech_contacts_velocity(&list, u, v);
    CHECK_NEAR(v[1], bird - 0.2 * u[2], 1e-14); /* the beak is l_S before the centre of mass */
    CHECK_NEAR(v[3], u[0] + 0.3 * u[1], 1e-14); /* the sleeve's wall is r_M beside its centre */
    CHECK_NEAR(v[5], v[3], 0);
  }
  const double eps_N[3] = {0.5, 0.3, 0}, eps_T[3] = {0.2, 0, 0.1}, mu[3] = {0.5, 0.6, 0.7};
  for (int i = 0; i < 3; ++i) {
    CHECK(list.eps_N[i] == eps_N[i] && list.eps_T[i] == eps_T[i] && list.mu[i] == mu[i]);
  }
}

TEST(woodpecker_starts_as_published) {
  struct base_arena *arena = test_arena();
  struct case_instance c = case_model_build("woodpecker", "", arena);
  CHECK(c.q[0] == 0 && c.q[2] == -0.2788);
  CHECK(c.u[0] == -0.3411 && c.u[1] == 0 && c.u[2] == -7.4583);
  CHECK_NEAR(c.q[1], -0.1036, 2e-4);
  CHECK_NEAR(c.q[1], -0.0006 / 0.0058, 2e-12); /* on the stop, closed */
  struct mech_contacts list;
  mech_contacts_init(&list, c.mech, arena);
  mech_contacts_find(c.mech, c.q, NULL, 0, &list);
  CHECK_INT(list.n, 1);
  c = case_model_build("woodpecker", "alpha0=-0.05 phi0=0.1203", arena);
  CHECK(c.q[1] == -0.05);
  CHECK_NEAR(c.q[2], 0.12, 2e-12);
}

/* ---- wheel ---- */

/* Levers at rest in their stops or hanging, all relative velocities zero. */
TEST(wheel_starts_as_catalogued) {
  struct base_arena *arena = test_arena();
  const struct case_instance c = case_model_build("overbalanced-wheel", "", arena);
  struct mech_contacts list;
  double g[12], rate[12], WS[12 * NQ_MAX], v[24];
  mech_contacts_init(&list, c.mech, arena);
  c.mech->ops->bilateral(c.mech, c.q, g);
  c.mech->ops->bilateral_directions(c.mech, c.q, WS);
  la_gemv_t(25, 12, 1, WS, c.u, 0, rate);
  mech_contacts_find(c.mech, c.q, NULL, INFINITY, &list);
  CHECK_INT(list.n, 24);
  mech_contacts_velocity(&list, c.u, v);
  CHECK_LE(fmax(la_norm_inf(12, g), la_norm_inf(12, rate)), 1e-15);
  for (int i = 0; i < 12; ++i) {
    const double *gN = list.gN + 2 * i, x = c.q[1 + i], y = c.q[13 + i];
    const double b = 30 * i * M_PI / 180;
    CHECK_NEAR(v[2 * i], 0, 1e-15);
    CHECK_NEAR(v[2 * i + 1], 0, 1e-15);
    if (i == 7 || i == 8) { /* hanging from 210 and 240 degrees */
      CHECK_NEAR(x, 0.4 * cos(b), 1e-15);
      CHECK_NEAR(y, 0.4 * sin(b) - 0.2, 1e-15);
      CHECK_LE(0.02, fmin(gN[0], gN[1]));
    } else if (i >= 1 && i <= 6) { /* tangential: the mass is hypot(a, l) from the hub */
      CHECK(gN[0] <= 0 && gN[0] >= -2e-15);
      CHECK_NEAR(gN[1], 0.2, 1e-15);
      CHECK_NEAR(hypot(x, y), hypot(0.4, 0.2), 1e-15);
    } else {
      CHECK_NEAR(gN[0], 0.2, 1e-15);
      CHECK(gN[1] <= 0 && gN[1] >= -2e-15);
      CHECK_NEAR(hypot(x, y), 0.6, 1e-15);
    }
    CHECK(c.u[1 + i] == 2 * y && c.u[13 + i] == -2 * x && c.u[0] == -2); /* (6.35) */
  }
}

/* ---- motion without contacts ---- */

static double angular_momentum(const double *q, const double *u) {
  double L = 0.16 * u[0];
  for (int i = 1; i <= 12; ++i) {
    L += 0.1 * (q[i] * u[12 + i] - q[12 + i] * u[i]);
  }
  return L;
}

TEST(smooth_motion_conserves) {
  for (int k = 0; k < 3; ++k) {
    struct base_arena *arena = test_arena();
    const struct case_instance c =
        k == 0 ? case_model_build("woodpecker", "", arena)
               : case_model_build("overbalanced-wheel", k == 1 ? "" : "g=0", arena);
    const int n = c.mech->nq;
    const double t_end = k == 0 ? 0.1 : 0.3;
    double y[2 * NQ_MAX];
    la_copy(n, c.q, y);
    la_copy(n, c.u, y + n);
    if (k > 0) { /* levers swing on their own */
      for (int j = 1; j < n; ++j) {
        y[n + j] *= j % 3;
      }
      CHECK_OK(mech_project(c.mech, y, y + n, arena));
    }
    const double E0 = mech_energy(c.mech, y, y + n, arena);
    const double T0 = mech_kinetic(c.mech, y, y + n, arena), L0 = angular_momentum(y, y + n);
    const double p0 = 0.0048 * y[n] + 0.0045 * (0.01 * y[n + 1] + 0.015 * y[n + 2]);
    case_model_integrate(c.mech, 0, t_end, y, arena);
    CHECK_NEAR(mech_energy(c.mech, y, y + n, arena), E0, 1e-10 * T0);
    CHECK_LE(1e-2 * T0, k == 2 ? T0 : fabs(mech_kinetic(c.mech, y, y + n, arena) - T0));
    if (k == 0) { /* momentum: weight alone */
      const double p1 = 0.0048 * y[3] + 0.0045 * (0.01 * y[4] + 0.015 * y[5]);
      CHECK_NEAR(p1 - p0, -0.0048 * 9.81 * t_end, 1e-12);
    } else if (k == 2) { /* no weight: nothing turns the whole */
      CHECK_NEAR(angular_momentum(y, y + n), L0, 1e-10);
    }
  }
}

/* ---- published motion ---- */

/* Turning points of the woodpecker below: phidot passes zero upwards while it hangs down. */
struct turns {
  int n;
  double t[16], y[16], phi[16], last[3];
};

static int watch_turns(const struct mech *m, const struct form_state *s,
                       const struct form_report *report, void *context) {
  struct turns *w = context;
  (void)m, (void)report;
  if (w->last[0] < 0 && s->u[2] >= 0 && s->q[2] < -0.4 && w->n < 16) {
    const double part = s->u[2] / (s->u[2] - w->last[0]);
    w->t[w->n] = s->t - part * (s->t - w->last[1]);
    w->y[w->n] = s->q[0] - part * (s->q[0] - w->last[2]);
    w->phi[w->n++] = s->q[2];
  }
  w->last[0] = s->u[2];
  w->last[1] = s->t;
  w->last[2] = s->q[0];
  return 0;
}

/* Periodic, with 0.146 s; time stepping and the event-driven truth agree on it. Deviations from the
 * cycle change sign and shrink by about 0.84 a period, so means over pairs of periods converge. */
TEST(woodpecker_climbs_down_periodically) {
  struct turns truth = {0}, stepped = {0};
  CHECK_OK(case_model_run("woodpecker", "", "event", 1e-3, 1.5, watch_turns, &truth));
  CHECK_OK(case_model_run("woodpecker", "", "moreau", 1e-5, 1.5, watch_turns, &stepped));
  CHECK_INT(truth.n, 11);
  CHECK_INT(stepped.n, 11);
  for (int i = 0; i + 2 < truth.n && i + 2 < stepped.n; ++i) {
    CHECK_NEAR((truth.t[i + 2] - truth.t[i]) / 2, 0.146, 1e-4);
    CHECK_NEAR((stepped.t[i + 2] - stepped.t[i]) / 2, 0.146, 2e-4);
    CHECK_NEAR((truth.y[i + 2] - truth.y[i]) / 2, -0.01944, 5e-5);
    CHECK_NEAR((stepped.y[i + 2] - stepped.y[i]) / 2, -0.01944, 1e-4);
    CHECK_NEAR(truth.phi[i], -0.5294, 1e-3);
  }
}

/* What every run must keep to: gaps above a bound, energy that never rises. */
struct bounds {
  struct base_arena *arena;
  double penetration, first, energy, rise, fall, carried;
};

static int watch_bounds(const struct mech *m, const struct form_state *s,
                        const struct form_report *report, void *context) {
  struct bounds *w = context;
  const struct base_arena_mark mark = base_arena_mark(w->arena);
  struct mech_contacts list;
  mech_contacts_init(&list, m, w->arena);
  mech_contacts_find(m, s->q, NULL, 0, &list);
  for (int i = 0; i < list.n; ++i) {
    w->penetration = fmax(w->penetration, -list.gN[i]);
  }
  const double E = mech_energy(m, s->q, s->u, w->arena);
  if (isnan(w->energy)) {
    w->first = E;
  } else {
    w->rise = fmax(w->rise, E - w->energy);
    w->fall += fmax(0, w->energy - E);
  }
  w->energy = E;
  w->carried += report->n_carrying;
  base_arena_release(w->arena, mark);
  return 0;
}

/* (moeller fig. 6.9) elastic: constant; inelastic: falls, never rises. */
TEST(wheel_keeps_or_loses_energy) {
  for (int elastic = 0; elastic < 2; ++elastic) {
    struct bounds w = {.arena = test_arena(), .energy = NAN};
    CHECK_OK(case_model_run("overbalanced-wheel", elastic ? "eps=1" : "eps=0", "consistent-twostep",
                            1e-3, 0.8, watch_bounds, &w));
    CHECK_LE(1, w.carried);
    CHECK_LE(w.rise, 1e-12);
    if (elastic) {
      CHECK_LE(w.fall, 1e-10);
    } else {
      CHECK_LE(1e-2, w.fall);
    }
  }
}

/* Last state of a run. */
struct last {
  double q[NQ_MAX];
  long carried; /* contacts, summed over steps */
};

static int watch_last(const struct mech *m, const struct form_state *s,
                      const struct form_report *report, void *context) {
  struct last *w = context;
  la_copy(m->nq, s->q, w->q);
  w->carried += report->n_carrying;
  return 0;
}

/* Through the first impacts (after 0.2 s), inelastic: time stepping approaches the event-driven
 * solution at first order. */
TEST(wheel_steps_towards_the_truth) {
  static const char *const forms[] = {"moreau", "consistent-twostep"};
  const double t_end = 0.26;
  struct last truth = {.carried = 0};
  CHECK_OK(case_model_run("overbalanced-wheel", "", "event", t_end, t_end, watch_last, &truth));
  CHECK(truth.carried > 0);
  for (int f = 0; f < 2; ++f) {
    double error[2];
    for (int k = 0; k < 2; ++k) {
      struct last w = {.carried = 0};
      CHECK_OK(case_model_run("overbalanced-wheel", "", forms[f], k == 0 ? 1e-3 : 2e-4, t_end,
                              watch_last, &w));
      la_axpy(NQ_MAX, -1, truth.q, w.q);
      error[k] = la_norm_inf(NQ_MAX, w.q);
    }
    CHECK_LE(error[1], 1e-4);
    CHECK_LE(error[1], 0.3 * error[0]);
  }
}

enum { WOODPECKER, ELASTIC_WOODPECKER, INELASTIC_WHEEL, ELASTIC_WHEEL, SYSTEMS };

/* The message with which a formulation refuses a system; NULL: it runs. Some are for smooth motion,
 * moeller 5.95 is for elastic, frictionless contacts, soft contacts have no eps_N. */
static const char *refusal(const char *form, int system) {
  static const struct {
    const char *form, *says[SYSTEMS];
  } refusals[] = {
#define EACH(words) {words, words, words, words}
      {"consistent-constant", EACH("without contacts")},
      {"consistent-constant-gear", EACH("without contacts")},
      {"consistent-coordinate", EACH("without contacts")},
      {"consistent-decomposed", EACH("without contacts")},
      {"consistent-onestep", {"eps_N", "mu", "eps_N", NULL}},
      {"lcp-dca", EACH("needs an assembly")},
#undef EACH
      {"avbd", {"eps_N", "eps_N", "joints", "joints"}},
      {"sap", {"eps_N", "eps_N", NULL, "eps_N"}},
      {"mujoco-soft", {"eps_N", "eps_N", NULL, "eps_N"}},
      {"tgs-soft", {"eps_N", "eps_N", NULL, "eps_N"}}};
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; ++i) {
    if (strcmp(form, refusals[i].form) == 0) {
      return refusals[i].says[system];
    }
  }
  return form_is_simulator(form_find(form)) ? ":" : NULL; /* absent, or not made of rigid bodies */
}

#define FORMULATION(name) extern const struct form form_##name;
#include "form/registry.h"
#undef FORMULATION

/* Whether the project registers it; this file does not see what `make EXTRA=DIR` adds. */
static int is_of_the_project(const char *form) {
  static const struct form *const own[] = {
#define FORMULATION(name) &form_##name,
#include "form/registry.h"
#undef FORMULATION
  };
  for (size_t i = 0; i < sizeof own / sizeof own[0]; ++i) {
    if (own[i] == form_find(form)) {
      return 1;
    }
  }
  return 0;
}

/* Formulations of other folders may refuse any system, with a reason. */
TEST(formulations_run_or_refuse) {
  static const struct {
    const char *name, *set;
    double t_end;
  } runs[SYSTEMS] = {{"woodpecker", "", 0.1},
                     {"woodpecker", "eps_N1=1 eps_N2=1 eps_N3=1", 0.01},
                     {"overbalanced-wheel", "eps=0", 0.02},
                     {"overbalanced-wheel", "eps=1", 0.02}};
  for (int i = 0; i < SYSTEMS; ++i) {
    for (int f = 0; f < form_count(); ++f) {
      const char *form = form_get(f)->name, *says = refusal(form, i);
      /* (5.141) lets an inelastic closed contact sink at dt/2 times the acceleration of what
       * presses on it, a few 100 m/s^2 for the sleeve */
      const double sinks = strcmp(form, "consistent-quaternion") == 0 ? 1.5e-3 : 3e-4;
      /* contact springs on the sleeve of a third of a gram need a short step; event has its own */
      const double dt = strcmp(form, "penalty") == 0 ? 5e-6
                        : strcmp(form, "event") == 0 ? 1e-2
                                                     : 1e-4;
      struct bounds w = {.arena = test_arena(), .energy = NAN};
      const int status =
          case_model_run(runs[i].name, runs[i].set, form, dt, runs[i].t_end, watch_bounds, &w);
      if (status == BASE_UNSUPPORTED && !is_of_the_project(form)) {
        CHECK(base_message()[0] != '\0');
        continue;
      }
      CHECK_MESSAGE(status == (says != NULL ? BASE_UNSUPPORTED : BASE_OK), "%s %s %s: %s (%s)",
                    runs[i].name, runs[i].set, form, base_status_name(status), base_message());
      if (says != NULL) {
        CHECK_MESSAGE(strstr(base_message(), says) != NULL, "%s", base_message());
      } else { /* no contact is lost on the way, and energy is not made */
        CHECK_MESSAGE(w.penetration <= sinks, "%s %s %s: penetration %g m, more than %g m",
                      runs[i].name, runs[i].set, form, w.penetration, sinks);
        const double most = w.first + 1e-3 * fabs(w.first);
        CHECK_MESSAGE(w.energy <= most, "%s %s %s: energy %g J, more than %g J", runs[i].name,
                      runs[i].set, form, w.energy, most);
      }
    }
  }
}

/* Beak and sleeve strike at one time, with friction and restitution in both directions: schemes of
 * different kinds approach the event-driven solution at first order. */
TEST(woodpecker_strikes_twice_at_once) {
  static const char *const forms[] = {"moreau", "lcp-ap", "consistent-twostep"};
  const char *set = "alpha0=0.1035 phi0=0.1201 alpha_dot0=5 phi_dot0=9 eps_T1=0.2 eps_N3=0.3";
  struct last truth = {.carried = 0};
  CHECK_OK(case_model_run("woodpecker", set, "event", 0.02, 0.02, watch_last, &truth));
  CHECK(truth.carried >= 2);
  for (int f = 0; f < 3; ++f) {
    double error[2];
    for (int k = 0; k < 2; ++k) {
      struct last w = {.carried = 0};
      const double dt = k == 0 ? 1e-5 : 1e-6;
      CHECK_OK(case_model_run("woodpecker", set, forms[f], dt, 0.02, watch_last, &w));
      la_axpy(3, -1, truth.q, w.q);
      error[k] = la_norm_inf(3, w.q);
    }
    CHECK_LE(error[0], 5e-4);
    CHECK_LE(error[1], 0.2 * error[0]);
  }
}
