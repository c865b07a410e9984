/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The contacts that take part in a step of impulse stepping, and the rows stored of them; see
 * parts.h and, for the choice, impulse.h. Rows ascend; contacts that join later are put in
 * from behind, so that no second copy is needed. Of all contacts the normal shift is kept, infinite
 * where a contact takes no part in this step.
 */
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "base/status.h"
#include "form/impulse/parts.h"
#include "la/dense.h"

double impulse_least_normal(const struct impulse *w, int i, const double *v) {
  const int dim = w->contacts.dim;
  const double slip = dim > 1 ? la_norm2(dim - 1, v + 1) : 0;
  return w->scheme.law == CONTACT_LAW_CCP ? w->contacts.mu[i] * slip : 0;
}

double impulse_reach(const struct impulse *w) {
  return w->scheme.gap_level ? w->scheme.reach
         : w->memory.n == 0  ? w->scheme.reach + impulse_noise(w, w->q)
                             : INFINITY;
}

int impulse_closes(const struct impulse *w, const struct impulse_step *s, int i, const double *u) {
  double v[CONTACT_DIM_MAX];
  if ((s->role[i] & IMPULSE_HELD) != 0) {
    return 0;
  }
  mech_contacts_velocity_of(&w->contacts, i, u, v);
  const double curve = s->corrected.curve != NULL ? s->corrected.curve[i] : 0;
  const double rate = form_impulse_rate(w->setup.options, w->contacts.gN[i], s->dt);
  return v[0] + rate + curve < impulse_least_normal(w, i, v) - s->noise / s->dt;
}

void impulse_collect(struct impulse *w, double reach) {
  const struct mech *m = w->setup.mech;
  struct impulse_rows *x = &w->rows;
  mech_contacts_find(m, w->q, NULL, fmin(impulse_reach(w), reach), &w->contacts);
  if (w->contacts.n > x->capacity) {
    const size_t n = (size_t)w->contacts.n + (size_t)w->contacts.n / 8, d = sizeof(double);
    const size_t block = (size_t)m->dim * d;
    x->capacity = (int)n;
    x->contact = base_arena_resize(x->store, x->contact, 0, n * sizeof *x->contact);
    x->shift = base_arena_resize(x->store, x->shift, 0, n * d);
    x->b = base_arena_resize(x->store, x->b, 0, n * block);
    x->r = base_arena_resize(x->store, x->r, 0, n * block);
    x->A = base_arena_resize(x->store, x->A, 0, n * block * (size_t)m->dim);
  }
}

/* Whether contact i takes part (impulse.h); v_N: its normal velocity without an impulse of its own.
 */
static int takes_part(const struct impulse *w, const struct impulse_step *s, int i, double v_N,
                      int carried) {
  const double gap = w->contacts.gN[i], delta = w->scheme.reach + s->noise;
  return gap <= delta ||
         (carried && !w->scheme.touching && gap + w->scheme.theta * s->dt * v_N <= delta);
}

/* What goes into the row of contact i: b and the warm start; and its shift. v_free: dim, its
 * velocity without contact impulses; known: its place in the memory, -1: none. */
struct row {
  double shift[CONTACT_DIM_MAX], b[CONTACT_DIM_MAX], r[CONTACT_DIM_MAX];
};

static void row_of(const struct impulse *w, const struct impulse_step *s, int i,
                   const double *v_free, int known, struct row *row) {
  const struct mech_contacts *c = &w->contacts;
  const struct form_memory *memory = &w->memory;
  const int dim = c->dim, strikes = s->impact.phase > 0 && (s->role[i] & IMPULSE_LOADED) == 0;
  double v_begin[CONTACT_DIM_MAX], v_close[CONTACT_DIM_MAX];
  *row = (struct row){.b = {0}};
  mech_contacts_velocity_of(c, i, strikes ? s->impact.u_before : s->u_begin, v_begin);
  if (s->impact.phase > 0) {
    mech_contacts_velocity_of(c, i, strikes ? s->impact.u_close : s->impact.u_free, v_close);
  }
  const struct form_impulse_contact contact = {.dim = dim,
                                               .dt = s->dt,
                                               .gap = c->gN[i],
                                               .eps_N = c->eps_N[i],
                                               .eps_T = c->eps_T[i],
                                               .v_begin = v_begin,
                                               .v_free = s->impact.phase > 0 ? v_close : v_free,
                                               .age = known >= 0 ? memory->age[known] : 0,
                                               .before = known >= 0 && memory->with_velocities
                                                             ? memory->v_begin +
                                                                   (size_t)known * (size_t)dim
                                                             : NULL};
  if (s->impact.inelastic) {
    row->shift[0] = form_impulse_rate(w->setup.options, c->gN[i], s->dt);
  } else {
    w->scheme.shift(w->setup.options, &contact, row->shift);
  }
  if ((s->role[i] & IMPULSE_LANDS) != 0) {
    row->shift[0] = fmin(row->shift[0], 0);
  }
  if (s->corrected.curve != NULL) {
    row->shift[0] += s->corrected.curve[i];
  }
  for (int d = 0; d < dim; ++d) {
    row->b[d] = v_free[d] + row->shift[d];
  }
  if (known >= 0 && w->setup.warm_start && s->impact.phase <= 1) {
    la_copy(dim, memory->r + (size_t)known * (size_t)dim, row->r);
  }
}

static void put_row(struct impulse *w, int k, int i, const struct row *row) {
  struct impulse_rows *x = &w->rows;
  const int dim = w->contacts.dim;
  x->contact[k] = i;
  la_copy(dim, row->b, x->b + (size_t)dim * (size_t)k);
  la_copy(dim, row->r, x->r + (size_t)dim * (size_t)k);
}

void impulse_select_near(struct impulse *w, const struct impulse_step *s) {
  const struct mech_contacts *c = &w->contacts;
  const size_t dim = (size_t)c->dim;
  double *v_free = w->rows.b; /* row k <= i: a row never takes the place of what is due */
  double speed = 0;
  for (int i = 0; i < c->n; ++i) {
    double *v = v_free + dim * (size_t)i;
    mech_contacts_velocity_of(c, i, w->u_free, v);
    speed = fmax(speed, la_norm_inf(c->dim, v));
  }
  int cursor = 0;
  w->rows.n = 0;
  for (int i = 0; i < c->n; ++i) {
    const int known = base_sorted_find(w->memory.n, w->memory.id, c->id[i], &cursor);
    struct row row;
    const int is_in = takes_part(w, s, i, v_free[dim * (size_t)i], known >= 0);
    s->role[i] = (unsigned char)(is_in ? s->role[i] & ~IMPULSE_OUT : s->role[i] | IMPULSE_OUT);
    if (!is_in || (s->role[i] & (IMPULSE_WAITS | IMPULSE_HELD)) != 0) {
      w->rows.shift[i] = INFINITY;
      continue;
    }
    row_of(w, s, i, v_free + dim * (size_t)i, known, &row);
    w->rows.shift[i] = row.shift[0];
    if (row.shift[0] <= speed || known >= 0) {
      put_row(w, w->rows.n++, i, &row);
    }
  }
}

/* Whether a contact joins: not, as one that did not carry before, or from there on with its place
 * in the memory. */
enum { JOINS_NOT, JOINS_NEW, JOINS_KNOWN };

/* Rows of the contacts that had none and are to join; how many: added. joins: by contact. */
static void add_rows(struct impulse *w, const struct impulse_step *s, int added, const int *joins) {
  struct impulse_rows *x = &w->rows;
  const size_t dim = (size_t)w->contacts.dim;
  int from = x->n, to = x->n + added;
  x->n = to;
  for (int i = w->contacts.n - 1; to > from; --i) { /* backwards: rows only move on */
    if (from > 0 && x->contact[from - 1] == i) {
      --from, --to;
      x->contact[to] = i;
      memmove(x->b + dim * (size_t)to, x->b + dim * (size_t)from, dim * sizeof *x->b);
      memmove(x->r + dim * (size_t)to, x->r + dim * (size_t)from, dim * sizeof *x->r);
    } else if (joins[i] != JOINS_NOT) {
      struct row row;
      double v_free[CONTACT_DIM_MAX];
      mech_contacts_velocity_of(&w->contacts, i, w->u_free, v_free);
      row_of(w, s, i, v_free, joins[i] - JOINS_KNOWN, &row);
      put_row(w, --to, i, &row);
    }
  }
}

/* Whether contact i, which is out since the free motion does not close it, takes part since the
 * impulses of others do: the boxes of a stack fall alike. v: dim, its velocity by these; known: its
 * place in the memory. Its shift is then set. */
static int comes_in(struct impulse *w, const struct impulse_step *s, int i, const double *v,
                    int known) {
  if (known < 0 || !takes_part(w, s, i, v[0], 1)) {
    return 0;
  }
  double v_free[CONTACT_DIM_MAX];
  struct row row;
  mech_contacts_velocity_of(&w->contacts, i, w->u_free, v_free);
  row_of(w, s, i, v_free, known, &row);
  w->rows.shift[i] = row.shift[0];
  s->role[i] = (unsigned char)(s->role[i] & ~IMPULSE_OUT);
  return 1;
}

int impulse_select_violated(struct impulse *w, const struct impulse_step *s) {
  const struct mech_contacts *c = &w->contacts;
  const struct impulse_rows *x = &w->rows;
  if (c->n == x->n) {
    return 0;
  }
  const struct base_arena_mark mark = base_arena_mark(w->setup.arena);
  int *joins = base_arena_push(w->setup.arena, (size_t)c->n * sizeof *joins);
  int added = 0, cursor = 0;
  for (int i = 0, k = 0; i < c->n; ++i) {
    double v[CONTACT_DIM_MAX];
    joins[i] = JOINS_NOT;
    if (k < x->n && x->contact[k] == i) {
      ++k;
      continue;
    }
    if ((s->role[i] & IMPULSE_HELD) != 0) {
      continue;
    }
    mech_contacts_velocity_of(c, i, s->u, v);
    int known = -1;
    if ((s->role[i] & (IMPULSE_OUT | IMPULSE_WAITS)) == IMPULSE_OUT) {
      known = base_sorted_find(w->memory.n, w->memory.id, c->id[i], &cursor);
      if (!comes_in(w, s, i, v, known)) {
        continue;
      }
    }
    if (v[0] + x->shift[i] < impulse_least_normal(w, i, v)) {
      joins[i] = known >= 0 ? JOINS_KNOWN + known : JOINS_NEW;
      ++added;
    }
  }
  if (added > 0) {
    add_rows(w, s, added, joins);
  }
  base_arena_release(w->setup.arena, mark);
  return added;
}

void impulse_rows_shift(struct impulse *w, const double *du) {
  const int dim = w->contacts.dim;
  for (int k = 0; k < w->rows.n; ++k) {
    double v[CONTACT_DIM_MAX];
    mech_contacts_velocity_of(&w->contacts, w->rows.contact[k], du, v);
    la_axpy(dim, 1, v, w->rows.b + (size_t)dim * (size_t)k);
  }
}
