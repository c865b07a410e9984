/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Implicit forces of impulse stepping (scheme theta, impulse.h):
 *
 *   M (u^E - u^B) = dt h_theta(u^E) + W_S r_S + W r
 *   h_theta(u)    = theta h(q(u), u, t + dt) + (1 - theta) h(q^B, u^B, t),
 *   q(u)          = q^A + theta dt F(q^A) u
 *
 * is solved by Newton's method around the one-step problem. With C = -dh/du, K F = -dh/dq F at the
 * evaluation point and the effective mass (Acary and Brogliato 2008, 10.1.2)
 *
 *   M^ = M + theta dt C + theta^2 dt^2 K
 *
 * iteration k solves the contacts with M^ in place of M and the free velocity
 *
 *   u_free = u_k + M^^-1 [M (u^B - u_k) + dt h_theta(u_k)],
 *
 * which is exact at once where h is linear. It ends where u_free stands still to round-off.
 * M^ is formed by differences, and its symmetric part kept, where velocities are one block (models
 * in few generalised coordinates); for assemblies of bodies and by divide and conquer M^ = M, and
 * forces between bodies enter by the iteration, which contracts by theta^2 dt^2 times the largest
 * squared frequency. The limit does not depend on M^.
 */
#include <float.h>
#include <math.h>

#include "base/status.h"
#include "form/impulse/parts.h"
#include "la/dense.h"

/* Newton's iterations a step: linear forces take 2, assemblies near their limit of contraction
 * tens. */
enum { ITERATIONS = 60 };
/* Velocities that change by less than this part of the largest, or of what moves coordinates by
 * this part of the largest, stand still. */
static const double ROUND_OFF = 8 * DBL_EPSILON;
/* Change of the last iteration above which a step counts as unconverged. */
static const double TOLERANCE = 1e-10;

/* f: nu = theta g(q, u, t + dt) + (1 - theta) g(q^B, u^B, t) for a force g of the system. */
void impulse_theta_force(const struct impulse *w, const struct impulse_step *s, const double *u,
                         impulse_force_function force, double *f) {
  const struct mech *m = w->setup.mech;
  struct base_arena *arena = w->setup.arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  const double theta = w->scheme.theta;
  double *q = base_arena_doubles(arena, m->nq), *begin = base_arena_doubles(arena, m->nu);
  impulse_move(w, w->q, u, theta * s->dt, q);
  mech_set_time(m, s->t + s->dt);
  force(m, q, u, s->t + s->dt, f);
  mech_set_time(m, s->t);
  force(m, w->q_begin, s->u_begin, s->t, begin);
  for (int i = 0; i < m->nu; ++i) {
    f[i] = theta * f[i] + (1 - theta) * begin[i];
  }
  base_arena_release(arena, mark);
}

/* J: nu x nu += theta dt C + theta^2 dt^2 K, symmetric part: the change of -dt h_theta with u. */
static void add_slopes(const struct impulse *w, const struct impulse_step *s, double *J) {
  const struct mech *m = w->setup.mech;
  struct base_arena *arena = w->setup.arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  const int nu = m->nu;
  double *u = base_arena_doubles(arena, nu), *f = base_arena_doubles(arena, nu);
  double *D = base_arena_matrix(arena, nu, nu);
  /* A velocity that moves coordinates by what they are differenced over. */
  const double step = 1e-3 * fmax(m->speed, la_norm_inf(nu, s->u_begin));
  la_copy(nu, s->u_begin, u);
  for (int j = 0; j < nu; ++j) {
    double *column = D + (size_t)j * (size_t)nu;
    u[j] = s->u_begin[j] + step;
    impulse_theta_force(w, s, u, m->ops->force, column);
    u[j] = s->u_begin[j] - step;
    impulse_theta_force(w, s, u, m->ops->force, f);
    u[j] = s->u_begin[j];
    la_axpy(nu, -1, f, column);
  }
  for (int j = 0; j < nu; ++j) {
    for (int i = 0; i < nu; ++i) {
      const size_t ij = (size_t)j * (size_t)nu + (size_t)i, ji = (size_t)i * (size_t)nu + (size_t)j;
      J[ij] -= s->dt * 0.25 * (D[ij] + D[ji]) / step;
    }
  }
  base_arena_release(arena, mark);
}

int impulse_theta_begin(struct impulse *w, const struct impulse_step *s) {
  const struct mech *m = w->setup.mech;
  w->M = NULL;
  if (!w->effective) {
    return BASE_OK;
  }
  w->M = base_arena_matrix(w->setup.arena, m->nu, m->nu);
  m->ops->mass(m, w->q, w->M);
  la_copy((long)m->nu * m->nu, w->M, w->L);
  add_slopes(w, s, w->L);
  if (la_chol_factor(m->nu, w->L) != 0) {
    return base_fail(BASE_FAILED,
                     "%s: the effective mass M + theta dt C + theta^2 dt^2 K is not positive "
                     "definite at t = %g s: shorten the step",
                     m->name, s->t);
  }
  return BASE_OK;
}

void impulse_theta_free(struct impulse *w, const struct impulse_step *s, const double *u,
                        double *u_free) {
  const struct mech *m = w->setup.mech;
  struct base_arena *arena = w->setup.arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *x = base_arena_doubles(arena, m->nu), *back = base_arena_doubles(arena, m->nu);
  impulse_theta_force(w, s, u, m->ops->force, x);
  if (w->M == NULL) {
    impulse_divide(w, s->dt, x);
    la_axpy(m->nu, 1, s->u_begin, x);
  } else {
    for (int i = 0; i < m->nu; ++i) {
      x[i] *= s->dt;
      back[i] = s->u_begin[i] - u[i];
    }
    la_gemv(m->nu, m->nu, 1, w->M, back, 1, x);
    mech_mass_solve(m, w->L, 1, x);
    la_axpy(m->nu, 1, u, x);
  }
  la_copy(m->nu, x, u_free);
  base_arena_release(arena, mark);
}

int impulse_theta_correct(struct impulse *w, struct impulse_step *s, struct form_report *report) {
  const int nu = w->setup.mech->nu;
  struct base_arena *arena = w->setup.arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *last = base_arena_doubles(arena, nu), *change = base_arena_doubles(arena, nu);
  la_copy(nu, w->u_free, last);
  impulse_theta_free(w, s, s->u, w->u_free);
  impulse_constrain(w, s->t, s->dt);
  la_copy(nu, w->u_free, change);
  la_axpy(nu, -1, last, change);
  const double size = la_norm_inf(nu, change);
  const double scale = fmax(la_norm_inf(nu, w->u_free), la_norm_inf(nu, s->u_begin));
  /* forces are known to the rounding of the coordinates, whatever is left of them at rest */
  const double noise = ROUND_OFF * fmax(scale, la_norm_inf(w->setup.mech->nq, w->q) / s->dt);
  const double goal = fmax(TOLERANCE * scale, noise);
  const int stands =
      size <= noise || (s->implicit.iterations > 2 && size <= goal && size >= s->implicit.change);
  report->newton = scale > 0 ? size / scale : 0;
  const int again = !stands && s->implicit.iterations < ITERATIONS;
  if (again) {
    s->implicit.change = size;
    ++s->implicit.iterations;
    impulse_rows_shift(w, change);
  } else {
    la_copy(nu, last, w->u_free); /* of which u^E is the solution */
    s->implicit.stuck = !(size <= goal);
  }
  base_arena_release(arena, mark);
  return again;
}
