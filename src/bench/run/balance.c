/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Momentum of a run against the impulses that its formulation reports, the only place where these
 * are held against the motion: with the contact impulses r, found by their ids, and the impulses of
 * bilateral constraints eliminated,
 *
 *   x = M^-1 (M du - dt h - W r),   x <- x - M^-1 W_S (W_S^T M^-1 W_S)^-1 W_S^T x
 *   balance = |x| / (|du| + |M^-1 dt h| + |M^-1 W r|),   |x|^2 = x^T M x
 *
 * M, W and W_S are those of one configuration, the formulation's (form_report.q_W), h is that of
 * the mean state. What the formulation evaluates elsewhere is a difference of the order of the
 * step: x tends to zero with it, and is round-off under constant forces. An impulse that is
 * missing, or of a contact too many, stays.
 *
 * Of rigid bodies in space, with everything that x leaves as force, P = M (du - x), at the centres
 * c of bodies with rotation R:
 *
 *   linear    |sum_b m v^E - m v^B - P|
 *   angular   |sum_b L^E - L^B - c x P - R (P_w + dt omega x I omega)|,   L = c x m v + R I omega
 *
 * about the origin, c and R of the configuration of the contacts. Impulses between two bodies
 * cancel in the sums.
 *
 * Looked at are some CHECKS steps, evenly over the run, and the first ONSETS in which a contact
 * begins to carry. The time that takes is not the run's (bench_run.aside); memory is, a kilobyte a
 * body, so that systems with more velocities than VELOCITIES are not looked at.
 */
#include <math.h>

#include "base/sort.h"
#include "base/status.h"
#include "bench/run/listener.h"
#include "la/dense.h"
#include "mech/bilateral/bilateral.h"
#include "mech/vector3.h"

enum { CHECKS = 100, ONSETS = 30, VELOCITIES = 12000 };
/* Steps whose impulses change the velocities by less than this share of them are round-off. */
static const double LEAST_CHANGE = 1e-8;

struct balance {
  int nq, nu;
  double *q, *u;                    /* nq, nu: state at the beginning of the step */
  struct mech_bilateral *bilateral; /* NULL: no bilateral constraints */
  long stride;
  long n_onsets, n_checks;
  int is_untold; /* a contact carried, and nobody says what */
  double worst, linear, angular;
};

/* One step, from the arena. */
struct step {
  const struct mech *m;
  struct base_arena *arena;
  const double *q_W;
  double *q, *u; /* nq, nu: mean state */
  double dt, t;  /* t: of it */
  double *L;     /* factor of M(q_W) */
  double *du;    /* nu */
  double *x;     /* nu, see above */
};

static double norm(const struct step *s, const double *x) {
  return sqrt(2 * mech_kinetic(s->m, s->q_W, x, s->arena));
}

/* dt M^-1 h. */
static double *by_forces(const struct step *s) {
  double *x = base_arena_doubles(s->arena, s->m->nu);
  s->m->ops->force(s->m, s->q, s->u, s->t, x);
  for (int i = 0; i < s->m->nu; ++i) {
    x[i] *= s->dt;
  }
  mech_mass_solve(s->m, s->L, 1, x);
  return x;
}

/* M^-1 W r. */
static double *by_contacts(const struct step *s, const struct bench_run *run) {
  const struct mech *m = s->m;
  const struct form_report *report = run->report;
  double *x = base_arena_doubles(s->arena, m->nu);
  if (report->n_carrying == 0) {
    return x;
  }
  struct mech_contacts contacts;
  mech_contacts_init(&contacts, m, s->arena);
  mech_contacts_find_named(m, s->q_W, report->n_carrying, report->carrying, &contacts);
  double *r = base_arena_matrix(s->arena, m->dim, contacts.n);
  for (int i = 0, cursor = 0; i < contacts.n; ++i) {
    const int k = base_sorted_find(report->n_carrying, report->carrying, contacts.id[i], &cursor);
    if (k >= 0) {
      la_copy(m->dim, report->impulses + (size_t)m->dim * (size_t)k,
              r + (size_t)m->dim * (size_t)i);
    }
  }
  mech_contacts_force(&contacts, r, x);
  mech_mass_solve(m, s->L, 1, x);
  return x;
}

/* What impulses of bilateral constraints explain of x. */
static int by_constraints(const struct step *s, struct mech_bilateral *bilateral) {
  double *rate = base_arena_doubles(s->arena, s->m->ns);
  const int status = mech_bilateral_build(bilateral, s->q_W, s->L);
  if (status == BASE_OK) {
    mech_bilateral_velocity(bilateral, s->x, rate);
    mech_bilateral_eliminate(bilateral, 1, rate, s->x);
  }
  return status;
}

static void mean_state(struct step *s, const struct balance *b, const struct bench_run *run) {
  const struct mech *m = s->m;
  s->q = base_arena_doubles(s->arena, m->nq);
  s->u = base_arena_doubles(s->arena, m->nu);
  s->du = base_arena_doubles(s->arena, m->nu);
  for (int i = 0; i < m->nq; ++i) {
    s->q[i] = 0.5 * (b->q[i] + run->state.q[i]);
  }
  for (int i = 0; i < m->nu; ++i) {
    s->u[i] = 0.5 * (b->u[i] + run->state.u[i]);
    s->du[i] = run->state.u[i] - b->u[i];
  }
  if (m->ops->normalise != NULL) {
    m->ops->normalise(m, s->q);
  }
}

/* sum += sign (c x m v + R I w) of all bodies at q for velocities u: M is diagonal. */
static void add_angular(const struct step *s, const double *q, const double *u, double sign,
                        double sum[3]) {
  const struct mech *m = s->m;
  const int nq = m->nq / m->nb;
  double *turn = base_arena_matrix(s->arena, 9, m->nb), *M = base_arena_doubles(s->arena, m->nu);
  m->ops->bodies.rigid(m, q, turn);
  m->ops->bodies.mass_diagonal(m, q, M);
  for (int b = 0; b < m->nb; ++b) {
    double p[6], moment[3], own[3];
    for (int j = 0; j < 6; ++j) {
      p[j] = M[6 * b + j] * u[6 * b + j];
    }
    mech_cross3(q + (size_t)nq * (size_t)b, p, moment);
    mech_turn3(turn + 9 * (size_t)b, p + 3, own);
    mech_add3(sign, moment, sum);
    mech_add3(sign, own, sum);
  }
}

/* The changes of the momenta that M (du - x) does not explain. */
static void look_at_bodies(const struct step *s, const struct bench_run *run, struct balance *b) {
  const struct mech *m = s->m;
  double *M = base_arena_doubles(s->arena, m->nu), *told = base_arena_doubles(s->arena, m->nu);
  double linear[3] = {0}, angular[3] = {0};
  m->ops->bodies.mass_diagonal(m, s->q_W, M);
  for (int body = 0; body < m->nb; ++body) {
    const double *I = M + 6 * body + 3, *w = s->u + 6 * body + 3;
    const double spin[3] = {I[0] * w[0], I[1] * w[1], I[2] * w[2]};
    double gyro[3];
    mech_cross3(w, spin, gyro);
    for (int j = 0; j < 6; ++j) {
      const int i = 6 * body + j;
      told[i] = s->du[i] - s->x[i] + (j < 3 ? 0 : s->dt * gyro[j - 3] / M[i]);
    }
    for (int j = 0; j < 3; ++j) {
      linear[j] += M[6 * body + j] * s->x[6 * body + j];
    }
  }
  add_angular(s, run->state.q, run->state.u, 1, angular);
  add_angular(s, b->q, b->u, -1, angular);
  add_angular(s, s->q_W, told, -1, angular);
  b->linear = fmax(b->linear, sqrt(mech_dot3(linear, linear)));
  b->angular = fmax(b->angular, sqrt(mech_dot3(angular, angular)));
}

static int look(struct balance *b, const struct bench_run *run) {
  const struct mech *m = run->m;
  const struct base_arena_mark mark = base_arena_mark(run->arena);
  struct step s = {.m = m, .arena = run->arena, .dt = run->dt, .t = run->t_before + 0.5 * run->dt};
  s.q_W = run->report->q_W != NULL ? run->report->q_W : b->q;
  mean_state(&s, b, run);
  mech_set_time(m, s.t);
  s.L = base_arena_push(run->arena, mech_mass_size(m) * sizeof *s.L);
  s.x = base_arena_doubles(run->arena, m->nu);
  int status = mech_mass_factor(m, s.q_W, s.L);
  if (status == BASE_OK) {
    const double *forces = by_forces(&s), *contacts = by_contacts(&s, run);
    const double scale = norm(&s, s.du) + norm(&s, forces) + norm(&s, contacts);
    la_copy(m->nu, s.du, s.x);
    la_axpy(m->nu, -1, forces, s.x);
    la_axpy(m->nu, -1, contacts, s.x);
    status = b->bilateral != NULL ? by_constraints(&s, b->bilateral) : BASE_OK;
    if (status == BASE_OK && scale > LEAST_CHANGE * norm(&s, s.u)) {
      b->worst = fmax(b->worst, norm(&s, s.x) / scale);
    }
    if (status == BASE_OK && m->ops->bodies.rigid != NULL) {
      look_at_bodies(&s, run, b);
    }
  }
  b->n_checks += status == BASE_OK;
  base_arena_release(run->arena, mark);
  mech_set_time(m, run->state.t);
  return status < 0 ? status : BASE_OK; /* what cannot be factored was the formulation's business */
}

/* ---- the listener ---- */

/* Bodies may have come or gone. */
static int note_state(void *data, struct bench_run *run) {
  struct balance *b = data;
  la_copy(run->m->nq, run->state.q, b->q);
  la_copy(run->m->nu, run->state.u, b->u);
  return BASE_OK;
}

static int begin(void *data, struct bench_run *run) {
  struct balance *b = data;
  b->nq = run->m->nq;
  b->nu = run->m->nu;
  b->q = base_arena_doubles(run->arena, b->nq);
  b->u = base_arena_doubles(run->arena, b->nu);
  b->stride = run->steps / CHECKS + 1;
  b->worst = 0;
  b->linear = b->angular = run->m->ops->bodies.rigid != NULL ? 0 : NAN;
  if (run->m->ns > 0) {
    b->bilateral = mech_bilateral_alloc(run->m, MECH_BILATERAL_AUTO, run->arena);
  }
  return note_state(b, run);
}

static int step(void *data, struct bench_run *run) {
  struct balance *b = data;
  const int begins = run->onsets > 0 && b->n_onsets < ONSETS;
  b->n_onsets += begins;
  b->is_untold = b->is_untold || run->report->is_outside ||
                 (run->report->n_carrying > 0 && run->report->impulses == NULL);
  int status = BASE_OK;
  if (!b->is_untold && (begins || run->taken % b->stride == 0)) {
    const struct bench_clocks at = bench_run_clocks();
    status = look(b, run);
    run->aside = bench_run_elapsed(run->aside, at, bench_run_clocks());
  }
  return status == BASE_OK ? note_state(b, run) : status;
}

static int end(void *data, struct bench_run *run) {
  const struct balance *b = data;
  const int is_known = !b->is_untold && b->n_checks > 0;
  run->out->momentum.balance_max = is_known ? b->worst : NAN;
  run->out->momentum.linear = is_known ? b->linear : NAN;
  run->out->momentum.angular = is_known ? b->angular : NAN;
  return BASE_OK;
}

static void pass(void *data, struct base_blob *blob) {
  struct balance *b = data;
  base_blob_reals(blob, b->q, (size_t)b->nq);
  base_blob_reals(blob, b->u, (size_t)b->nu);
  base_blob_pass(blob, &b->n_onsets, sizeof b->n_onsets);
  base_blob_pass(blob, &b->n_checks, sizeof b->n_checks);
  base_blob_pass(blob, &b->is_untold, sizeof b->is_untold);
  base_blob_pass(blob, &b->worst, sizeof b->worst);
  base_blob_pass(blob, &b->linear, sizeof b->linear);
  base_blob_pass(blob, &b->angular, sizeof b->angular);
}

static void release(void *data) {
  struct balance *b = data;
  if (b->bilateral != NULL) {
    mech_bilateral_free(b->bilateral);
  }
}

void bench_balance_listen(struct bench_run *run) {
  run->out->momentum.balance_max = run->out->momentum.linear = run->out->momentum.angular = NAN;
  if (run->m->nu > VELOCITIES) {
    return;
  }
  bench_run_listen(
      run, (struct bench_listener){.data = base_arena_push(run->arena, sizeof(struct balance)),
                                   .on = {[BENCH_BEGIN] = begin,
                                          [BENCH_FLOW] = note_state,
                                          [BENCH_STEP] = step,
                                          [BENCH_END] = end},
                                   .pass = pass,
                                   .free = release});
}
