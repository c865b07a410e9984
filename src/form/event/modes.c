/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which contacts stick, slide and open after an event (see event.h).
 *
 * In the plane and without friction the number of combinations is finite: all are tried, in an
 * order that prefers closed contacts, and the one that violates its conditions least is taken, so
 * that the answer is exact and complete. With sliding directions to be found (space), or with many
 * contacts, block pivoting: from all contacts sticking, all that violate their conditions change
 * mode at once, later the worst alone. Where that does not end, contacts that slide already have
 * finitely many combinations again, or pose a linear complementarity problem that Lemke's method
 * solves; others begin again from what block Gauss-Seidel with the exact one-contact solution has
 * reached. Solutions of Coulomb's law with several contacts need not be unique, nor exist: sticking
 * is taken where it is possible.
 */
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/status.h"
#include "contact/law.h"
#include "form/event/event.h"
#include "la/dense.h"
#include "problem/local/local.h"
#include "problem/solver.h"

/* Conditions hold when violated by less than this, relative to the largest |b_N| (or the forces
 * that go with it): far above the round-off of the small linear systems solved here, far below any
 * physical difference between modes that matters over a step. */
static const double MODE_TOLERANCE = 1e-8;
/* But b_T, which holds the velocity of sliding, leaves w that much of rounding, over the tolerance:
 * of a slow impact of bodies that pass each other fast |b_N| alone says what is asked for. */
static const double PRESSED_LEAST = 1e-4;
/* Combinations differing by less than this in violation are equally good; the earlier one wins. */
static const double MODE_TIE = 1e-12;
/* Combinations tried at most (4^6 in the plane, 2^12 without friction). */
enum { COMBINATIONS_MAX = 4096 };
/* Sweeps before giving up; pivoting is tried after 1, 2, 4, 8 ... of them. */
enum { SWEEPS_MAX = 1 << 14 };
/* Pivots that change all contacts at once, and then one, each a contact. */
enum { BLOCK_PIVOTS = 12, PIVOTS_EACH = 4 };
/* Sweeps end when no component moves by more than this, relative: round-off. */
static const double SWEEP_TOLERANCE = 4 * DBL_EPSILON;
struct trial {
  struct event_choice *c;
  int size;       /* dim n */
  double scale_w; /* of accelerations (velocities) */
  double scale_r; /* of forces (impulses) */
  int is_rounded; /* rounding of the largest masses at contacts hides the least ones */
  enum event_mode *mode;
  double *direction; /* (dim - 1) x n */
  double *r, *w;     /* dim n */
  int *seeks;        /* n */
  double shortfall;  /* of the cones, over the largest force; 0 within tolerance */
  struct base_arena *arena;
};

static struct event_closed closed_of(const struct trial *t) {
  const struct event_choice *c = t->c;
  return (struct event_closed){.dim = c->dim,
                               .n = c->n,
                               .A = c->A,
                               .b = c->b,
                               .mu = c->mu,
                               .mode = t->mode,
                               .seeks = t->seeks,
                               .direction = t->direction,
                               .r = t->r,
                               .w = t->w};
}

/* Largest violation of what modes ask of w, relative. */
static double motion_violation(const struct trial *t) {
  const struct event_choice *c = t->c;
  double worst = 0;
  for (int i = 0; i < c->n; ++i) {
    const double *w = t->w + i * c->dim;
    if (t->mode[i] == EVENT_OPEN) {
      worst = fmax(worst, -w[0] / t->scale_w);
      continue;
    }
    worst = fmax(worst, fabs(w[0]) / t->scale_w); /* dependent rows may be left unsatisfied */
    if (t->mode[i] == EVENT_STICK && c->dim > 1) {
      worst = fmax(worst, la_norm_inf(c->dim - 1, w + 1) / t->scale_w);
    }
    if (t->mode[i] == EVENT_SLIDE && !c->fixed[i]) {
      const double *d = t->direction + i * (c->dim - 1);
      const double along = la_dot(c->dim - 1, w + 1, d);
      worst = fmax(worst, -along / t->scale_w);
      for (int e = 0; e + 1 < c->dim; ++e) {
        worst = fmax(worst, fabs(w[1 + e] - along * d[e]) / t->scale_w);
      }
    }
  }
  return worst;
}

/* Largest violation of the conditions of the trial's modes, relative to the scales. Forces are
 * shared out anew where that helps. */
static double trial_violation(struct trial *t) {
  const struct event_closed closed = closed_of(t);
  const double motion = motion_violation(t);
  double least = 0;
  for (int i = 0; i < t->c->n; ++i) {
    least = t->mode[i] == EVENT_OPEN ? least : fmin(least, event_slack(&closed, i, t->r));
  }
  const double largest = la_norm_inf(t->size, t->r);
  t->shortfall = 0;
  if (-least <= EVENT_SLACK_ZERO * largest || largest == 0) {
    return motion;
  }
  t->shortfall = -least / largest;
  if (motion <= MODE_TOLERANCE) {
    t->shortfall = -event_margin(&closed, t->r, EVENT_SLACK_ZERO, t->arena);
    least = -t->shortfall * la_norm_inf(t->size, t->r);
    if (t->shortfall <= EVENT_SLACK_ZERO) {
      t->shortfall = 0;
      return motion;
    }
  }
  /* Beyond tolerance, however small the forces are beside the scale. */
  return fmax(motion, fmax(2 * MODE_TOLERANCE, -least / t->scale_r));
}

/* Solve for r under the trial's modes, then w = A r + b. */
static double trial_solve(struct trial *t) {
  for (int i = 0; i < t->c->n; ++i) {
    t->seeks[i] = t->mode[i] == EVENT_SLIDE && !t->c->fixed[i];
  }
  struct event_closed closed = closed_of(t);
  event_forces(&closed, t->arena);
  return trial_violation(t);
}

static void keep(struct trial *t, double violation) {
  struct event_choice *c = t->c;
  c->violation = violation;
  memcpy(c->mode, t->mode, (size_t)c->n * sizeof *c->mode);
  la_copy((long)c->n * (c->dim - 1), t->direction, c->direction);
  la_copy(t->size, t->r, c->r);
}

/* Variants of a contact: closed and open, of one that may stick in the plane stick, slide forward,
 * slide back, open; 0: in space there are any number. */
static int variants(const struct event_choice *c, int i) {
  return c->dim == 1 || c->fixed[i] ? 2 : c->dim == 2 ? 4 : 0;
}

/* How many combinations there are; 0: too many to be tried. */
static int combinations(const struct event_choice *c) {
  int n = 1;
  for (int i = 0; i < c->n && n > 0; ++i) {
    n *= variants(c, i);
    n = n <= COMBINATIONS_MAX ? n : 0;
  }
  return n;
}

static int set_variant(struct trial *t, int i, int k) {
  static const enum event_mode modes[4] = {EVENT_STICK, EVENT_SLIDE, EVENT_SLIDE, EVENT_OPEN};
  const struct event_choice *c = t->c;
  if (c->dim > 1 && c->fixed[i]) {
    t->mode[i] = k == 0 ? EVENT_SLIDE : EVENT_OPEN;
    la_copy(c->dim - 1, c->direction + i * (c->dim - 1), t->direction + i * (c->dim - 1));
  } else {
    t->mode[i] = modes[c->dim == 1 ? 3 * k : k];
    if (t->mode[i] == EVENT_SLIDE) {
      t->direction[i] = k == 1 ? 1 : -1;
    }
  }
  return (c->allowed[i] & EVENT_BIT(t->mode[i])) != 0;
}

static void enumerate(struct trial *t) {
  struct event_choice *c = t->c;
  const int all = combinations(c);
  c->violation = INFINITY;
  for (int number = 0; number < all && c->violation > MODE_TIE; ++number) {
    if (base_clock_passed(c->deadline)) {
      return;
    }
    int valid = 1;
    for (int i = 0, rest = number; i < c->n; ++i) {
      const int ways = variants(c, i);
      assert(ways > 0); /* else there are no combinations */
      valid = set_variant(t, i, rest % ways) && valid;
      rest /= ways;
    }
    if (!valid) {
      continue;
    }
    const double violation = trial_solve(t);
    if (violation < c->violation - MODE_TIE) {
      keep(t, violation);
    }
  }
}

/* One contact given all others: exact. */
static void relax(struct trial *t, int i) {
  const struct event_choice *c = t->c;
  const int dim = c->dim;
  double A[CONTACT_DIM_MAX * CONTACT_DIM_MAX] = {0}, b[CONTACT_DIM_MAX] = {0}, *r = t->r + i * dim;
  for (int d = 0; d < dim; ++d) {
    b[d] = c->b[i * dim + d];
    for (int j = 0; j < t->size; ++j) {
      b[d] += c->A[(size_t)j * (size_t)t->size + (size_t)(i * dim + d)] * t->r[j];
    }
    for (int e = 0; e < dim; ++e) {
      A[d * dim + e] = c->A[(size_t)(i * dim + e) * (size_t)t->size + (size_t)(i * dim + d)];
      b[d] -= A[d * dim + e] * r[e];
    }
  }
  const double *direction = t->direction + i * (dim - 1);
  if (dim > 1 && !c->fixed[i]) {
    problem_local_coulomb(dim, c->mu[i], A, b, r);
    return;
  }
  double pull = A[0];
  for (int e = 1; e < dim; ++e) {
    pull -= A[e] * c->mu[i] * direction[e - 1];
  }
  r[0] = pull > 0 ? fmax(0, -b[0] / pull) : 0;
  for (int e = 1; e < dim; ++e) {
    r[e] = -c->mu[i] * direction[e - 1] * r[0];
  }
}

/* d: dim - 1 along w_T, or against r_T where that is zero. */
static void along_sliding(const struct trial *t, int i, int against, double *d) {
  const double *part = (against ? t->r : t->w) + i * t->c->dim + 1;
  const double size = la_norm2(t->c->dim - 1, part);
  for (int e = 0; e + 1 < t->c->dim; ++e) {
    d[e] = size > 0 ? (against ? -1 : 1) * part[e] / size : e == 0;
  }
}

static int may(const struct trial *t, int i, enum event_mode mode) {
  return (t->c->allowed[i] & EVENT_BIT(mode)) != 0;
}

/* Contact i closes: it sticks if it may. */
static void close_contact(struct trial *t, int i, int slides) {
  const struct event_choice *c = t->c;
  double *d = t->direction + i * (c->dim - 1);
  if (c->fixed[i]) {
    t->mode[i] = EVENT_SLIDE;
    la_copy(c->dim - 1, c->direction + i * (c->dim - 1), d);
  } else if (slides || !may(t, i, EVENT_STICK)) {
    t->mode[i] = EVENT_SLIDE;
    along_sliding(t, i, la_norm2(c->dim - 1, t->r + i * c->dim + 1) > 0, d);
  } else {
    t->mode[i] = EVENT_STICK;
  }
  t->mode[i] = may(t, i, t->mode[i]) ? t->mode[i] : EVENT_OPEN;
}

/* Modes and directions as r suggests them. */
static void read_modes(struct trial *t) {
  const struct event_choice *c = t->c;
  la_copy(t->size, c->b, t->w);
  la_gemv(t->size, t->size, 1, c->A, t->r, 1, t->w);
  for (int i = 0; i < c->n; ++i) {
    const double *r = t->r + i * c->dim, *w = t->w + i * c->dim;
    t->mode[i] = EVENT_OPEN;
    if (r[0] > 0 || w[0] <= MODE_TOLERANCE * t->scale_w) {
      close_contact(t, i, la_norm2(c->dim - 1, w + 1) > MODE_TOLERANCE * t->scale_w);
    }
  }
}

/* What contact i violates, relative; 0: nothing that a change of its mode could mend. */
static double contact_violation(const struct trial *t, const struct event_closed *closed, int i) {
  const struct event_choice *c = t->c;
  const double *w = t->w + i * c->dim;
  const double largest = la_norm_inf(t->size, t->r);
  if (t->mode[i] == EVENT_OPEN) {
    const int closes = may(t, i, EVENT_SLIDE) || may(t, i, EVENT_STICK);
    return closes && -w[0] > MODE_TOLERANCE * t->scale_w ? -w[0] / t->scale_w : 0;
  }
  /* Of forces with the best self-stress, those with the least slack: half of what there is. */
  const double lacks = -event_slack(closed, i, t->r);
  if (lacks > 0 && lacks > fmax(EVENT_SLACK_ZERO, 0.5 * t->shortfall) * largest) {
    return lacks / t->scale_r;
  }
  if (t->mode[i] == EVENT_SLIDE && !c->fixed[i]) {
    const double back = -la_dot(c->dim - 1, w + 1, t->direction + i * (c->dim - 1));
    return back > MODE_TOLERANCE * t->scale_w ? back / t->scale_w : 0;
  }
  return 0;
}

static void change_mode(struct trial *t, int i) {
  const struct event_choice *c = t->c;
  const double *r = t->r + i * c->dim;
  if (t->mode[i] == EVENT_OPEN) {
    close_contact(t, i, 0);
  } else if (r[0] < 0) {
    t->mode[i] = EVENT_OPEN;
  } else if (t->mode[i] == EVENT_STICK) {
    close_contact(t, i, 1);
  } else if (may(t, i, EVENT_STICK)) {
    t->mode[i] = EVENT_STICK;
  } else {
    along_sliding(t, i, 0, t->direction + i * (c->dim - 1));
  }
}

/* From the trial's modes, change those that are violated until none is; keeps the best. Returns
 * whether the end was reached. */
static int pivot(struct trial *t) {
  struct event_choice *c = t->c;
  const struct base_arena_mark mark = base_arena_mark(t->arena);
  double *violation = base_arena_doubles(t->arena, c->n);
  int done = 0;
  const int pivots = BLOCK_PIVOTS + PIVOTS_EACH * c->n;
  for (int k = 0; k < pivots && !done && !base_clock_passed(c->deadline); ++k) {
    const double all = trial_solve(t);
    const struct event_closed closed = closed_of(t);
    if (all < c->violation) {
      keep(t, all);
    }
    double worst = 0;
    for (int i = 0; i < c->n; ++i) {
      violation[i] = contact_violation(t, &closed, i);
      worst = fmax(worst, violation[i]);
    }
    done = all <= MODE_TOLERANCE || worst == 0;
    for (int i = 0, changed = 0; i < c->n && !done && !(changed && k >= BLOCK_PIVOTS); ++i) {
      if (violation[i] > 0 && (k < BLOCK_PIVOTS || violation[i] == worst)) {
        change_mode(t, i);
        changed = 1;
      }
    }
  }
  base_arena_release(t->arena, mark);
  return c->violation <= MODE_TOLERANCE;
}

/* All contacts closed that may be. */
static void close_all(struct trial *t) {
  const struct event_choice *c = t->c;
  for (int i = 0; i < c->n; ++i) {
    t->mode[i] = c->allowed[i] == EVENT_BIT(EVENT_OPEN) ? EVENT_OPEN
                 : c->fixed[i]                          ? EVENT_SLIDE
                                                        : EVENT_STICK;
  }
}

/* Where each contact is either open or closed, without friction or sliding in a known direction,
 * its force is a column of F times r_N, and the r_N solve a linear complementarity problem, w_N =
 * (A F)_N r_N + b_N. Lemke's method solves it where pivots and sweeps go round in circles. Returns
 * whether the modes of its solution satisfy the conditions. */
static int complement(struct trial *t) {
  const struct event_choice *c = t->c;
  int closes = 0, is_known = 1;
  for (int i = 0; i < c->n; ++i) {
    closes += c->allowed[i] != EVENT_BIT(EVENT_OPEN);
    is_known = is_known && variants(c, i) == 2;
  }
  if (closes == 0 || !is_known) {
    return 0;
  }
  const struct base_arena_mark mark = base_arena_mark(t->arena);
  close_all(t);
  const struct event_closed closed = closed_of(t);
  int *row = base_arena_ints(t->arena, t->size);
  const int k = event_rows(&closed, row);
  double *F = base_arena_matrix(t->arena, t->size, k), *M = base_arena_matrix(t->arena, k, k);
  double *AF = base_arena_matrix(t->arena, t->size, k), *mu = base_arena_doubles(t->arena, k);
  double *b = base_arena_doubles(t->arena, k), *r_N = base_arena_doubles(t->arena, k);
  event_columns(&closed, k, row, F);
  la_gemm(t->size, k, t->size, 1, c->A, F, 0, AF);
  for (int i = 0; i < k; ++i) {
    b[i] = c->b[row[i]];
    for (int j = 0; j < k; ++j) {
      M[event_at(j, k, i)] = AF[event_at(j, t->size, row[i])];
    }
  }
  const struct problem lcp = {.name = "",
                              .model = {.law = CONTACT_LAW_LCP, .dim = 1, .nc = k, .mu = mu},
                              .A = {.kind = PROBLEM_OPERATOR_DENSE, .dim = 1, .nc = k, .a = M},
                              .b = b,
                              .is_raw = 1};
  const struct problem_solver *lemke = problem_solver_find("lemke");
  struct problem_loop loop = problem_loop_default();
  struct problem_result result;
  loop.deadline = c->deadline;
  problem_solve(&lcp, lemke, problem_solver_options(lemke, "", t->arena), &loop, r_N, NULL,
                t->arena, &result);
  la_gemv(t->size, k, 1, F, r_N, 0, t->r);
  read_modes(t);
  const int done = pivot(t);
  base_arena_release(t->arena, mark);
  return done;
}

static void iterate(struct trial *t) {
  struct event_choice *c = t->c;
  const struct base_arena_mark mark = base_arena_mark(t->arena);
  double *last = base_arena_doubles(t->arena, t->size);
  double *swept = base_arena_doubles(t->arena, t->size);
  la_copy((long)c->n * (c->dim - 1), c->direction, t->direction);
  c->violation = INFINITY;
  close_all(t);
  trial_solve(t);
  for (int i = 0; i < c->n; ++i) { /* against the friction that would hold them */
    if (t->mode[i] == EVENT_STICK && !may(t, i, EVENT_STICK)) {
      close_contact(t, i, 1);
    }
  }
  int done = pivot(t);
  if (!done && combinations(c) > 0) {
    enumerate(t);
    done = 1;
  }
  done = done || complement(t);
  const int most = c->sweeps > 0 ? c->sweeps : SWEEPS_MAX;
  for (int sweep = 1; sweep <= most && !done && !base_clock_passed(c->deadline); ++sweep) {
    la_copy(t->size, swept, last);
    la_copy(t->size, swept, t->r);
    for (int i = 0; i < c->n; ++i) {
      relax(t, i);
    }
    la_copy(t->size, t->r, swept);
    la_axpy(t->size, -1, t->r, last);
    const int ends = la_norm_inf(t->size, last) <= SWEEP_TOLERANCE * la_norm_inf(t->size, t->r);
    if (ends || (sweep & (sweep - 1)) == 0) {
      read_modes(t);
      done = pivot(t);
      if (ends && !done && !t->is_rounded) { /* may solve what no forces of least norm do */
        la_copy(t->size, swept, t->r);
        read_modes(t);
        const double violation = trial_violation(t);
        if (violation < c->violation) {
          keep(t, violation);
        }
      }
      done = done || ends;
    }
  }
  base_arena_release(t->arena, mark);
}

int event_choose(struct event_choice *c, struct base_arena *arena) {
  const int size = c->dim * c->n;
  if (c->n == 0) {
    return BASE_OK;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct trial t = {.c = c, .size = size, .arena = arena};
  t.mode = base_arena_push(arena, (size_t)c->n * sizeof *t.mode);
  t.direction = base_arena_matrix(arena, c->n, c->dim - 1);
  t.r = base_arena_doubles(arena, size);
  t.w = base_arena_doubles(arena, size);
  t.seeks = base_arena_ints(arena, c->n);
  double diagonal = 0, least = INFINITY;
  for (int i = 0; i < size; ++i) {
    diagonal = fmax(diagonal, c->A[(size_t)i * (size_t)size + (size_t)i]);
    least = fmin(least, c->A[(size_t)i * (size_t)size + (size_t)i]);
  }
  double pressed = 0;
  for (int i = 0; i < c->n; ++i) {
    pressed = fmax(pressed, fabs(c->b[i * c->dim]));
  }
  t.scale_w = fmax(fmax(pressed, PRESSED_LEAST * la_norm_inf(size, c->b)), DBL_MIN);
  t.scale_r = t.scale_w / fmax(diagonal, DBL_MIN);
  t.is_rounded = diagonal * DBL_EPSILON > MODE_TOLERANCE * least;
  const int all = c->dim <= 2 ? combinations(c) : 0;
  if (all > 0) {
    enumerate(&t);
  } else {
    iterate(&t);
  }
  base_arena_release(arena, mark);
  const int status = base_clock_check(c->deadline);
  if (c->violation <= MODE_TOLERANCE || status != BASE_OK) {
    return c->violation <= MODE_TOLERANCE ? BASE_OK : status;
  }
  if (t.is_rounded) {
    return base_fail(BASE_FAILED,
                     "no combination of contact modes satisfies Coulomb's law (best violation "
                     "%.2e), as far as rounding tells: masses at contacts are too far apart",
                     c->violation);
  }
  return all > 0 ? base_fail(BASE_UNSUPPORTED,
                             "Coulomb's law has no solution: none of %d combinations of contact "
                             "modes satisfies it (best violation %.2e)",
                             all, c->violation)
                 : base_fail(BASE_FAILED,
                             "no combination of contact modes was found that satisfies Coulomb's "
                             "law (best violation %.2e)",
                             c->violation);
}
