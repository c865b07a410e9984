/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Self-stress of redundant contacts (see forces.c): the forces B = F N with F^T A F N = 0 are in
 * balance among themselves and do not change the motion. Modes hold as long as any self-stress z
 * satisfies Coulomb's law, so that a box on four feet sticks up to tan(slope) = mu, and not only
 * until one foot slides under forces distributed equally. The best one maximises the least slack,
 *
 *   phi = max over z of min_i s_i(r + B z),  s_i = mu_i r_N - |r_T| sticking, r_N sliding,
 *
 * a convex problem, solved along its central path by Newton's method on
 * kappa s + sum log((mu r_N - s)^2 - |r_T|^2) + sum log(r_N - s) + log(2 - s), forces scaled.
 */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "contact/law.h"
#include "form/event/event.h"
#include "la/dense.h"

/* Central path: first and last kappa (2 n / kappa is what phi may be short of), growth, Newton
 * steps for each, and the decrement at which it is followed closely enough. */
static const double PATH_START = 1, PATH_END = 1e12, PATH_GROWTH = 20, PATH_NEAR = 1e-6;
enum { PATH_STEPS = 40 };
/* Newton's steps are damped above this decrement, where the barrier is not yet like a parabola, and
 * tried so often, each a quarter of the one before. */
static const double PATH_DAMPED = 0.25;
enum { PATH_TRIES = 3 };
/* Every force may be this much less, relative: phi need not be known any better. */
static const double AMPLE = 1e-3;

double event_slack(const struct event_closed *c, int i, const double *r) {
  const double *ri = r + i * c->dim;
  return c->mode[i] == EVENT_STICK && c->dim > 1 ? c->mu[i] * ri[0] - la_norm2(c->dim - 1, ri + 1)
                                                 : ri[0];
}

static double least_slack(const struct event_closed *c, const double *r) {
  double least = INFINITY;
  for (int i = 0; i < c->n; ++i) {
    least = c->mode[i] == EVENT_OPEN ? least : fmin(least, event_slack(c, i, r));
  }
  return least;
}

/* B: size x (returned number), a basis of the self-stresses. */
static int self_stresses(const struct event_closed *c, double **B, struct base_arena *arena) {
  const int size = c->dim * c->n;
  int *row = base_arena_ints(arena, size), p = 0;
  const int k = event_rows(c, row);
  double *F = base_arena_matrix(arena, size, k), *AF = base_arena_matrix(arena, size, k);
  double *H = base_arena_matrix(arena, k, k), *lambda = base_arena_doubles(arena, k);
  event_columns(c, k, row, F);
  la_gemm(size, k, size, 1, c->A, F, 0, AF);
  la_gemm_t(k, k, size, 1, F, AF, 0, H);
  for (int j = 0; j < k; ++j) { /* round-off made the two triangles differ */
    for (int i = 0; i < j; ++i) {
      H[event_at(j, k, i)] = H[event_at(i, k, j)] =
          0.5 * (H[event_at(j, k, i)] + H[event_at(i, k, j)]);
    }
  }
  if (k > 0 && la_eigen_symmetric(k, H, lambda, 1) == BASE_OK) {
    while (p < k && !(lambda[p] > EVENT_SINGULAR * lambda[k - 1])) {
      ++p;
    }
  }
  *B = base_arena_matrix(arena, size, p);
  la_gemm(size, p, k, 1, F, H, 0, *B);
  return p;
}

/* Forces that change no rate which is prescribed are as many as redundant contacts. Those of
 * them that change no motion are self-stresses. Friction of contacts that slide in different
 * directions, as those of a box that turns, or in several planes makes motion of the others. */
int event_turns_otherwise(const struct event_closed *c, const double *r, struct base_arena *arena) {
  int slides = 0;
  for (int i = 0; i < c->n; ++i) {
    slides |= c->mode[i] == EVENT_SLIDE && c->mu[i] > 0;
  }
  if (c->redundant == 0 || !slides ||
      !(least_slack(c, r) > EVENT_SLACK_EVENT * la_norm_inf(c->dim * c->n, r))) {
    return 0;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *B;
  const int turns = self_stresses(c, &B, arena) < c->redundant;
  base_arena_release(arena, mark);
  return turns;
}

/* The barrier in (z, s) at forces r: of every closed contact it is a function of x = (mu r_N - s,
 * r_T) where it sticks, r_N - s elsewhere, and x changes by J (dz, ds). */
struct path {
  const struct event_closed *c;
  int p, rows;
  const double *B; /* size x p */
  double *J;       /* rows x (p + 1): of one contact below the other */
  double *HJ;      /* the same, with the Hessian in x in front */
  double *slope;   /* rows: the gradient in x */
  double *r;       /* size */
  double s, kappa;
  double *gradient, *hessian; /* p + 1, square */
};

static int is_cone(const struct event_closed *c, int i) {
  return c->mode[i] == EVENT_STICK && c->dim > 1;
}

static int barrier_rows(const struct event_closed *c, int i) {
  return c->mode[i] == EVENT_OPEN ? 0 : is_cone(c, i) ? c->dim : 1;
}

static void fill_slopes_of_x(struct path *h) {
  const struct event_closed *c = h->c;
  const int size = c->dim * c->n;
  for (int i = 0, at = 0; i < c->n; ++i) {
    const int rows = barrier_rows(c, i);
    for (int d = 0; d < rows; ++d, ++at) {
      const double part = d == 0 && is_cone(c, i) ? c->mu[i] : 1;
      for (int j = 0; j < h->p; ++j) {
        h->J[event_at(j, h->rows, at)] = part * h->B[event_at(j, size, i * c->dim + d)];
      }
      h->J[event_at(h->p, h->rows, at)] = d == 0 ? -1 : 0;
    }
  }
}

/* Slope and H J of contact i, whose rows begin at `at`: of log(a^2 - |r_T|^2), a = mu r_N - s, or
 * of log(r_N - s), with the sign turned. */
static void barrier_contact(struct path *h, int i, int at) {
  const struct event_closed *c = h->c;
  const int rows = barrier_rows(c, i), cone = is_cone(c, i);
  const double *r = h->r + i * c->dim, a = (cone ? c->mu[i] : 1) * r[0] - h->s;
  const double D = cone ? a * a - la_dot(rows - 1, r + 1, r + 1) : a;
  double g[CONTACT_DIM_MAX] = {cone ? 2 * a / D : 1 / D}, curve[CONTACT_DIM_MAX];
  curve[0] = cone ? 2 / D : 0;
  for (int d = 1; d < rows; ++d) {
    g[d] = -2 * r[d] / D;
    curve[d] = -2 / D;
  }
  la_copy(rows, g, h->slope + at);
  for (int j = 0; j <= h->p; ++j) {
    const double *x = h->J + event_at(j, h->rows, at);
    double *y = h->HJ + event_at(j, h->rows, at), along = 0;
    for (int d = 0; d < rows; ++d) {
      along += g[d] * x[d];
    }
    for (int d = 0; d < rows; ++d) {
      y[d] = g[d] * along - curve[d] * x[d];
    }
  }
}

/* Highest s up to which (z, s) lies inside, at forces r. */
static const double PATH_CEILING = 2;

/* One step of Newton's method; the decrement, negative when it must end. step: p + 1; trial: size.
 */
static double path_step(struct path *h, double *step, double *trial) {
  const struct event_closed *c = h->c;
  const int m = h->p + 1, size = c->dim * c->n;
  for (int i = 0, at = 0; i < c->n; at += barrier_rows(c, i), ++i) {
    if (c->mode[i] != EVENT_OPEN) {
      barrier_contact(h, i, at);
    }
  }
  la_gemv_t(h->rows, m, -1, h->J, h->slope, 0, h->gradient);
  la_gemm_t(m, m, h->rows, 1, h->J, h->HJ, 0, h->hessian);
  const double above = PATH_CEILING - h->s;
  h->gradient[h->p] += 1 / above - h->kappa;
  h->hessian[event_at(h->p, m, h->p)] += 1 / (above * above);
  la_copy(m, h->gradient, step);
  if (la_chol_factor(m, h->hessian) != BASE_OK) {
    return -1;
  }
  la_chol_solve(m, 1, h->hessian, step);
  const double decrement = sqrt(fmax(0, la_dot(m, step, h->gradient)));
  double part = decrement > PATH_DAMPED ? 1 / (1 + decrement) : 1; /* stays inside */
  for (int k = 0; k < PATH_TRIES; ++k, part /= 4) {                /* but for round-off */
    la_copy(size, h->r, trial);
    la_gemv(size, h->p, -part, h->B, step, 1, trial);
    const double s = h->s - part * step[h->p];
    if (s < PATH_CEILING && least_slack(c, trial) > s) {
      la_copy(size, trial, h->r);
      h->s = s;
      return decrement;
    }
  }
  return -1;
}

double event_margin(const struct event_closed *c, double *r, double enough,
                    struct base_arena *arena) {
  const int size = c->dim * c->n;
  const double scale = la_norm_inf(size, r);
  if (!(scale > 0) || least_slack(c, r) >= -enough * scale) {
    return scale > 0 ? fmin(least_slack(c, r) / scale, 1) : 0;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct path h = {.c = c};
  double *B;
  h.p = self_stresses(c, &B, arena);
  h.B = B;
  const int m = h.p + 1;
  h.r = base_arena_doubles(arena, size);
  h.gradient = base_arena_doubles(arena, m);
  h.hessian = base_arena_matrix(arena, m, m);
  for (int i = 0; i < c->n; ++i) {
    h.rows += barrier_rows(c, i);
  }
  h.J = base_arena_matrix(arena, h.rows, m);
  h.HJ = base_arena_matrix(arena, h.rows, m);
  h.slope = base_arena_doubles(arena, h.rows);
  fill_slopes_of_x(&h);
  double *step = base_arena_doubles(arena, m), *trial = base_arena_doubles(arena, size);
  la_axpy(size, 1 / scale, r, h.r);
  double margin = least_slack(c, h.r), decrement = 1;
  h.s = margin - 1;
  for (h.kappa = PATH_START; h.p > 0 && h.kappa < PATH_END && decrement >= 0 && margin < AMPLE;
       h.kappa *= PATH_GROWTH) {
    decrement = 1;
    for (int k = 0; k < PATH_STEPS && decrement > PATH_NEAR; ++k) {
      decrement = path_step(&h, step, trial);
    }
    margin = least_slack(c, h.r);
  }
  for (int i = 0; h.p > 0 && i < size; ++i) {
    r[i] = scale * h.r[i];
  }
  base_arena_release(arena, mark);
  return margin;
}
