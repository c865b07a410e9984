/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Successive impacts within a step (restitution=step), by Newton's law, v_N^+ = -eps_N v_N^- at all
 * contacts with an impulse; and, at the end of this file, the one impact of a step by Poisson's law
 * (poisson.c), which shares forces, landings and accounts. A contact that is open at the beginning
 * of a step and closed on the way by another contact's impulse has an impact of its
 * own, after the other's and with the approach velocity that the other left. Taken together with
 * it, as one that does not approach yet, it would lose its rebound, or land in this step and
 * rebound in the next with what the landing left. With v = W^T u and Delta = u_free - u^B, the
 * velocities that forces and bilateral constraints (and their stabilisation) add in the step:
 *
 *   forces    M (u^0 - u^B) = dt h + W_S r_S + W r         contacts that do not approach or ended
 *                                                          the last step closed
 *   phase 1   M (u^1 - u^B) = dt h + W_S r_S + W r_1       contacts that carry above, and strike
 *   phase k   M (u^k - u^k-1) =      W_S r_S + W r_k       the same
 *
 *   strike:   open contacts that u^k-1 closes within the step, Phi + dt v_N^k-1 < 0
 *   before:   v^- = W^T (u^k-1 - Delta),  v^B in phase 1
 *   law:      (xi, r_k), xi = v^k + s, s of scheme.c with this v^-
 *
 * and u^E = u^k once no contact strikes any more. Where none does after the forces, u^E = u^0: one
 * solve, as for bodies at rest. The contacts that carry under the forces alone take part in every
 * phase too: what rests closed takes an impact together with it (moeller 3.7), whereas closed
 * contacts without load, as in a row of balls, pass it on.
 *
 * Contacts with eps_N = 0 take part in all phases, as in the schemes' sources, which let them land
 * with v_N = -Phi/dt and stop in the step after: an impact in two parts, of which friction may turn
 * round, so that the outcome depends on where in a step the landing falls, however short the step.
 * Here such a landing moves q, and the last phase is solved again with s_N = 0 at the contacts that
 * land in it, for u^E: one impact. Not so under the convex relaxation, which would lift them off by
 * mu |v_T|. Steps in which no contact within reach has eps_N > 0 are left as the sources have them:
 * one solve of all contacts.
 *
 * Energy. For any splitting of the impulses
 *
 *   T^E - T^B = (u^B + u^E)/2 . (dt h + W_S r_S) + sum_k r_k . (v^- + v^k)/2,
 *
 * forces taken out of v^- being what makes the sum exact. In phase k r_k,N (v_N^k + eps v_N^-) is
 * zero: frictionless impacts with eps_N = 1 do no work, whatever the solver's tolerance
 * (problem_balance), and for eps_N < 1 they lose (1 - eps_N)/2 r_N |v_N^-| each. Contacts that
 * separate wait: their impulse would do positive work. With eps_N = 1 and constant forces what is
 * left is the error of semi-implicit Euler in free flight, -(dt/2) h . (u^E - u^B) a step, which
 * sums to a bounded term. With friction Newton's law may gain energy, as it may outside of any
 * scheme (Kane's paradox).
 *
 * Impacts in finite time may be infinitely many (inelastic collapse): after `phases` of them all
 * contacts take part in a last solve without rebound.
 */
#include "base/sort.h"
#include "base/status.h"
#include "form/impulse/parts.h"
#include "la/dense.h"

/* Whether contacts rebound at all: else the step is one solve. */
static int has_rebounds(const struct impulse *w) {
  if (w->scheme.phases == 0 && !w->scheme.poisson) {
    return 0;
  }
  for (int i = 0; i < w->contacts.n; ++i) {
    if (w->contacts.eps_N[i] > 0) {
      return 1;
    }
  }
  return 0;
}

static void set_role(struct impulse_step *s, int i, int role, int has_it) {
  s->role[i] = (unsigned char)(has_it ? s->role[i] | role : s->role[i] & ~role);
}

/* Contacts that approach wait until the velocities under the forces are known. */
static void let_approaching_wait(const struct impulse *w, struct impulse_step *s) {
  const struct mech_contacts *c = &w->contacts;
  int cursor = 0;
  for (int i = 0; i < c->n; ++i) {
    const int known = base_sorted_find(w->memory.n, w->memory.id, c->id[i], &cursor);
    const int closed = known >= 0 && w->memory.closed[known];
    double v[CONTACT_DIM_MAX];
    mech_contacts_velocity_of(c, i, s->u_begin, v);
    set_role(s, i, IMPULSE_WAITS, s->dt * v[0] < -s->noise && !closed);
  }
}

/* Contacts that carry under the forces, by impulses that move more than round-off. */
static void mark_loaded(const struct impulse *w, struct impulse_step *s) {
  const struct impulse_rows *x = &w->rows;
  const size_t dim = (size_t)w->contacts.dim;
  for (int k = 0; k < x->n; ++k) {
    const double response = x->A[dim * dim * (size_t)k] * x->r[dim * (size_t)k];
    set_role(s, x->contact[k], IMPULSE_LOADED, s->dt * response > s->noise);
  }
}

/* Of the contacts that waited: does s->u close one? */
static int some_strike(const struct impulse *w, const struct impulse_step *s) {
  for (int i = 0; i < w->contacts.n; ++i) {
    if ((s->role[i] & (IMPULSE_WAITS | IMPULSE_OUT)) == IMPULSE_WAITS &&
        impulse_closes(w, s, i, s->u)) {
      return 1;
    }
  }
  return 0;
}

/* Whether the velocities u take contact i away from where it is. */
static int separates(const struct impulse *w, const struct impulse_step *s, int i,
                     const double *u) {
  double v[CONTACT_DIM_MAX];
  mech_contacts_velocity_of(&w->contacts, i, u, v);
  return s->dt * v[0] > s->noise;
}

/* A contact that separates takes no part: with a normal velocity of its own it would do work. */
static void let_strike(const struct impulse *w, struct impulse_step *s) {
  for (int i = 0; i < w->contacts.n; ++i) {
    int takes_part = impulse_closes(w, s, i, s->impact.u_close);
    if (s->impact.phase > 1 && !takes_part && separates(w, s, i, s->impact.u_close)) {
      set_role(s, i, IMPULSE_LOADED, 0);
    }
    takes_part = takes_part || (s->role[i] & IMPULSE_LOADED) != 0 ||
                 (w->contacts.eps_N[i] == 0 && !separates(w, s, i, s->impact.u_before));
    set_role(s, i, IMPULSE_WAITS, !takes_part);
  }
}

/* What phases go on with, nu each: velocities that close contacts, those that move coordinates
 * where contacts land; from the second phase on velocities before the impacts, Delta and u_free of
 * the step. */
struct phase {
  double *close, *move, *before, *Delta, *free;
};

/* Before the second phase: w->u_free is about to be that of an impact. */
static void save_free(const struct impulse *w, struct impulse_step *s, struct phase *x) {
  const int nu = w->setup.mech->nu;
  struct base_arena *arena = w->setup.arena;
  BASE_ARENA_VECTORS(arena, nu, &x->before, &x->Delta, &x->free);
  la_copy(nu, w->u_free, x->free);
  la_copy(nu, w->u_free, x->Delta);
  la_axpy(nu, -1, s->u_begin, x->Delta);
  s->impact.u_free = x->free;
}

/* What goes on from s->u, without forces. */
static void begin_next_phase(struct impulse *w, struct impulse_step *s, struct phase *x) {
  const int nu = w->setup.mech->nu;
  if (x->before == NULL) {
    save_free(w, s, x);
  }
  la_copy(nu, s->u, w->u_free);
  la_copy(nu, s->u, x->close);
  la_copy(nu, s->u, x->before);
  la_axpy(nu, -1, x->Delta, x->before);
  s->impact.u_before = x->before;
  ++s->impact.phase;
}

static int worse(int a, int b) { return a > b ? a : b; }
static int goes_on(int status) { return status == BASE_OK || status == BASE_UNCONVERGED; }

/* Contacts that s->u lands by an inelastic impact; whether there are any. */
static int mark_landing(const struct impulse *w, struct impulse_step *s) {
  const struct mech_contacts *c = &w->contacts;
  const struct impulse_rows *x = &w->rows;
  int any = 0;
  for (int k = 0; k < x->n && w->scheme.law != CONTACT_LAW_CCP; ++k) {
    const int i = x->contact[k];
    double before[CONTACT_DIM_MAX], v[CONTACT_DIM_MAX];
    mech_contacts_velocity_of(c, i, s->impact.u_before, before);
    mech_contacts_velocity_of(c, i, s->u, v);
    const int carries = x->r[(size_t)c->dim * (size_t)k] > 0 || (s->role[i] & IMPULSE_CARRIED) != 0;
    const int lands =
        carries && c->eps_N[i] == 0 && s->dt * before[0] < -s->noise && s->dt * v[0] < -s->noise;
    set_role(s, i, IMPULSE_LANDS, lands);
    any = any || lands;
  }
  return any;
}

/* Where s->u lands contacts it moves coordinates, and the impacts are solved again for velocities.
 */
static int land(struct impulse *w, struct impulse_step *s, double *u_move,
                struct form_report *report) {
  if (!mark_landing(w, s)) {
    return BASE_OK;
  }
  la_copy(w->setup.mech->nu, s->u, u_move);
  s->impact.u_move = u_move;
  return impulse_solve(w, s, report);
}

/* One phase; more: whether another one is due. */
static int strike(struct impulse *w, struct impulse_step *s, const struct phase *x,
                  struct form_report *report, int *more) {
  struct base_arena *arena = w->setup.arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  int status = impulse_solve(w, s, report);
  *more = goes_on(status) && impulse_is_within(s) && some_strike(w, s);
  if (!*more && goes_on(status) && impulse_is_within(s)) {
    status = worse(status, land(w, s, x->move, report));
  }
  if (goes_on(status) && impulse_is_within(s)) {
    impulse_account_phase(w, s, report);
  }
  base_arena_release(arena, mark);
  return status;
}

/* Compression and expansion. */
static int collide(struct impulse *w, struct impulse_step *s, struct form_report *report) {
  const int status = impulse_solve(w, s, report);
  return goes_on(status) && impulse_is_within(s) ? worse(status, impulse_expand(w, s, report))
                                                 : status;
}

/* The second half of the forces, from s->u on; u_before: nu, room for the velocities before it. */
static int add_second_half(struct impulse *w, struct impulse_step *s, double *u_before,
                           struct form_report *report) {
  const int nu = w->setup.mech->nu;
  la_copy(nu, s->u, u_before);
  la_copy(nu, s->u, w->u_free);
  la_axpy(nu, 1, s->impact.half, w->u_free);
  la_axpy(nu, -1, s->impact.half, u_before);
  s->impact.expansion = NULL;
  return impulse_solve(w, s, report);
}

/* The impact by Poisson's law, between the halves of the forces; s->u: the motion that closes
 * contacts. */
static int strike_poisson(struct impulse *w, struct impulse_step *s, struct form_report *report) {
  const int nu = w->setup.mech->nu;
  struct base_arena *arena = w->setup.arena;
  double *half = base_arena_doubles(arena, nu), *first = base_arena_doubles(arena, nu);
  double *close = base_arena_doubles(arena, nu), *move = base_arena_doubles(arena, nu);
  double *before = base_arena_doubles(arena, nu);
  la_copy(nu, s->u, close);
  for (int i = 0; i < nu; ++i) {
    half[i] = 0.5 * (w->u_free[i] - s->u_begin[i]);
    first[i] = s->u_begin[i] + half[i];
  }
  impulse_own_velocity(w, s); /* it outlives scratch */
  s->impact.total = base_arena_matrix(arena, w->contacts.dim, w->contacts.n);
  s->impact.u_close = close;
  s->impact.half = half;
  report->phases = s->impact.phase = 1;
  for (int i = 0; i < w->contacts.n; ++i) {
    set_role(s, i, IMPULSE_WAITS | IMPULSE_LOADED, 0);
  }
  la_copy(nu, first, w->u_free);
  int status = collide(w, s, report);
  if (goes_on(status) && impulse_is_within(s) && mark_landing(w, s)) {
    status = worse(status, add_second_half(w, s, before, report)); /* what moves q, as in land */
    la_copy(nu, s->u, move);
    s->impact.u_move = move;
    la_copy(nu, first, w->u_free);
    status = goes_on(status) ? worse(status, collide(w, s, report)) : status;
  }
  if (goes_on(status) && impulse_is_within(s)) {
    impulse_account_phase(w, s, report);
    status = worse(status, add_second_half(w, s, before, report));
    s->impact.u_before = before;
  }
  if (goes_on(status) && impulse_is_within(s)) {
    impulse_account_phase(w, s, report);
  }
  return status;
}

/* All phases, from s->u of the forces on. */
static int strike_all(struct impulse *w, struct impulse_step *s, struct form_report *report) {
  const int nu = w->setup.mech->nu;
  struct base_arena *arena = w->setup.arena;
  struct phase x = {.close = base_arena_doubles(arena, nu), .move = base_arena_doubles(arena, nu)};
  int status = BASE_OK, more = 1;
  impulse_own_velocity(w, s); /* a phase releases its scratch, and s->u outlives it */
  s->impact.total = base_arena_matrix(arena, w->contacts.dim, w->contacts.n);
  la_copy(nu, s->u, x.close);
  s->impact.u_close = x.close;
  s->impact.phase = 1;
  while (more && s->impact.phase <= w->scheme.phases) {
    report->phases = s->impact.phase;
    let_strike(w, s);
    status = worse(status, strike(w, s, &x, report, &more));
    if (more) {
      begin_next_phase(w, s, &x);
    }
  }
  if (more) { /* what is left lands: a projection, which takes energy */
    report->capped = s->impact.inelastic = 1;
    for (int i = 0; i < w->contacts.n; ++i) {
      set_role(s, i, IMPULSE_WAITS, 0);
    }
    status = worse(status, strike(w, s, &x, report, &more));
  }
  return status;
}

int impulse_phases(struct impulse *w, struct impulse_step *s, struct form_report *report) {
  const int rebounds = has_rebounds(w);
  s->impact.u_before = s->u_begin;
  if (rebounds) {
    let_approaching_wait(w, s);
  }
  const int status = impulse_solve(w, s, report);
  if (!goes_on(status) || !impulse_is_within(s)) {
    return status;
  }
  if (!rebounds || !some_strike(w, s)) {
    impulse_account_phase(w, s, report);
    return status;
  }
  if (w->scheme.poisson) {
    return worse(status, strike_poisson(w, s, report));
  }
  mark_loaded(w, s);
  return worse(status, strike_all(w, s, report));
}
