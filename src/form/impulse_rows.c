/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which contacts take part in a step of impulse stepping, and the rows of what is kept of them; see
 * impulse_parts.h and, for the choice, impulse.h. A row is 64 bytes in space: b, r, s_N, the age
 * and the number of the contact. Rows ascend; contacts that join later are put in from behind, so
 * that no second copy is needed. Of the contacts left out the normal shift alone is kept.
 */
#include <math.h>
#include <string.h>

#include "form/impulse_parts.h"
#include "la/dense.h"

/* Where contacts touch no more than one body in so many, loops go over these bodies alone. */
enum { FEW_TOUCHED = 4 };

const double *impulse_seen_by_contacts(const struct impulse *w, const double *u) {
  const struct mech *m = w->setup.mech;
  if (!w->compact) {
    return u;
  }
  double *x = base_arena_room(w->setup.arena, (size_t)m->nu * sizeof *x);
  m->ops->turn(m, w->q, w->n_touched, w->touched, 0, u, x);
  return x;
}

double impulse_least_normal(const struct impulse *w, int i, const double *v) {
  const int dim = w->contacts.dim;
  const double slip = dim > 1 ? la_norm2(dim - 1, v + 1) : 0;
  return w->scheme.law == CONTACT_LAW_CCP ? w->contacts.mu[i] * slip : 0;
}

/* The bodies of the contacts where they are few, each once and in ascending order. */
static void list_touched(struct impulse *w) {
  const struct mech_contacts *c = &w->contacts;
  struct base_arena *arena = w->setup.arena;
  const int nb = w->setup.mech->nb;
  w->n_touched = 0;
  w->touched = NULL;
  if (!w->lean || w->mass == NULL || 2 * c->n > nb / FEW_TOUCHED) {
    return;
  }
  w->touched = base_arena_array(arena, 2, (size_t)c->n, sizeof(int));
  const struct base_arena_mark mark = base_arena_mark(arena);
  unsigned char *is_touched = base_arena_push(arena, (size_t)nb * sizeof *is_touched);
  for (int i = 0; i < 2 * c->n; ++i) {
    if (c->body[i] >= 0) {
      is_touched[c->body[i]] = 1;
    }
  }
  for (int k = 0; k < nb; ++k) {
    if (is_touched[k]) {
      w->touched[w->n_touched++] = k;
    }
  }
  base_arena_release(arena, mark);
}

void impulse_collect(struct impulse *w, double reach) {
  const struct mech *m = w->setup.mech;
  struct impulse_rows *x = &w->rows;
  mech_contacts_clear(&w->contacts);
  if (m->ops->contacts != NULL) {
    m->ops->contacts(m, w->q, NULL, fmin(w->scheme.reach, reach), &w->contacts);
  }
  list_touched(w);
  if (w->contacts.n > x->capacity) {
    const size_t n = (size_t)w->contacts.n + (size_t)w->contacts.n / 8, d = sizeof(double);
    const size_t block = (size_t)m->dim * d;
    x->capacity = (int)n;
    x->contact = base_arena_resize(x->store, x->contact, 0, n * sizeof *x->contact);
    x->age = base_arena_resize(x->store, x->age, 0, n * sizeof *x->age);
    x->shift = base_arena_resize(x->store, x->shift, 0, n * d);
    x->b = base_arena_resize(x->store, x->b, 0, n * block);
    x->r = base_arena_resize(x->store, x->r, 0, n * block);
    x->rest = base_arena_resize(x->store, x->rest, 0, n * d);
  }
}

/* What goes into the row of contact i: age, shift, b and the warm start. v_free: dim, its velocity
 * without contact impulses; known: its place in the memory, -1: none. */
struct row {
  int age;
  double shift[CONTACT_DIM_MAX], b[CONTACT_DIM_MAX], r[CONTACT_DIM_MAX];
};

static void row_of(const struct impulse *w, const struct impulse_step *s, const double *begin,
                   int i, const double *v_free, int known, struct row *row) {
  const struct mech_contacts *c = &w->contacts;
  const struct form_memory *memory = &w->memory;
  const int dim = c->dim;
  double v_begin[CONTACT_DIM_MAX];
  *row = (struct row){.age = known >= 0 ? memory->age[known] : 0};
  mech_contacts_velocity_of(c, i, begin, v_begin);
  const struct form_impulse_contact contact = {.dim = dim,
                                               .dt = s->dt,
                                               .gap = c->gN[i],
                                               .eps_N = mech_contacts_eps_N(c, i),
                                               .eps_T = mech_contacts_eps_T(c, i),
                                               .v_begin = v_begin,
                                               .v_free = v_free,
                                               .age = row->age,
                                               .approach = known >= 0 ? memory->v_begin[known] : 0};
  w->scheme.shift(w->setup.options, &contact, row->shift);
  if (s->curve != NULL) {
    row->shift[0] += s->curve[i];
  }
  for (int d = 0; d < dim; ++d) {
    row->b[d] = v_free[d] + row->shift[d];
  }
  if (known >= 0 && w->setup.warm_start) {
    la_copy(dim, memory->r + (size_t)known * (size_t)dim, row->r);
  }
}

static void put_row(struct impulse *w, int k, int i, const struct row *row) {
  struct impulse_rows *x = &w->rows;
  const int dim = w->contacts.dim;
  x->contact[k] = i;
  x->age[k] = row->age;
  x->shift[k] = row->shift[0];
  la_copy(dim, row->b, x->b + (size_t)dim * (size_t)k);
  la_copy(dim, row->r, x->r + (size_t)dim * (size_t)k);
}

void impulse_select_near(struct impulse *w, const struct impulse_step *s) {
  const struct mech_contacts *c = &w->contacts;
  struct base_arena *arena = w->setup.arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  const double *u = impulse_seen_by_contacts(w, w->u_free);
  double *v_free = w->rows.b,
         speed = 0; /* row k <= i: a row never takes the place of what is due */
  for (int i = 0; i < c->n; ++i) {
    double *v = v_free + (size_t)c->dim * (size_t)i;
    mech_contacts_velocity_of(c, i, u, v);
    speed = fmax(speed, la_norm_inf(c->dim, v));
  }
  base_arena_release(arena, mark);
  u = impulse_seen_by_contacts(w, s->u_begin);
  int cursor = 0, rest = 0;
  w->rows.n = 0;
  for (int i = 0; i < c->n; ++i) {
    struct row row;
    row_of(w, s, u, i, v_free + (size_t)c->dim * (size_t)i,
           form_memory_find(&w->memory, c->id[i], &cursor), &row);
    if (row.shift[0] <= speed || row.age > 0) {
      put_row(w, w->rows.n++, i, &row);
    } else {
      w->rows.rest[rest++] = row.shift[0];
    }
  }
  base_arena_release(arena, mark);
}

/* Rows of contacts that had none and are violated, marked by NaN in `rest`; how many: added. */
static void add_rows(struct impulse *w, const struct impulse_step *s, int added) {
  struct impulse_rows *x = &w->rows;
  const double *begin = impulse_seen_by_contacts(w, s->u_begin),
               *u_free = impulse_seen_by_contacts(w, w->u_free);
  const size_t dim = (size_t)w->contacts.dim;
  int from = x->n, to = x->n + added, rest = w->contacts.n - x->n;
  x->n = to;
  for (int i = w->contacts.n - 1; to > from; --i) { /* backwards: rows only move on */
    if (from > 0 && x->contact[from - 1] == i) {
      --from, --to;
      x->contact[to] = i;
      x->age[to] = x->age[from];
      x->shift[to] = x->shift[from];
      memmove(x->b + dim * (size_t)to, x->b + dim * (size_t)from, dim * sizeof *x->b);
      memmove(x->r + dim * (size_t)to, x->r + dim * (size_t)from, dim * sizeof *x->r);
    } else if (isnan(x->rest[--rest])) {
      struct row row;
      double v_free[CONTACT_DIM_MAX];
      mech_contacts_velocity_of(&w->contacts, i, u_free, v_free);
      row_of(w, s, begin, i, v_free, -1, &row); /* else it carried before, and had a row */
      put_row(w, --to, i, &row);
    }
  }
}

int impulse_select_violated(struct impulse *w, const struct impulse_step *s) {
  const struct mech_contacts *c = &w->contacts;
  struct impulse_rows *x = &w->rows;
  const int left_out = c->n - x->n;
  if (left_out == 0) {
    return 0;
  }
  const struct base_arena_mark mark = base_arena_mark(w->setup.arena);
  const double *u = impulse_seen_by_contacts(w, s->u);
  int added = 0;
  for (int i = 0, k = 0, rest = 0; i < c->n; ++i) {
    double v[CONTACT_DIM_MAX];
    if (k < x->n && x->contact[k] == i) {
      ++k;
      continue;
    }
    mech_contacts_velocity_of(c, i, u, v);
    if (v[0] + x->rest[rest] < impulse_least_normal(w, i, v)) {
      x->rest[rest] = NAN;
      ++added;
    }
    ++rest;
  }
  if (added > 0) {
    base_arena_release(w->setup.arena, mark);
    if (w->lean) { /* s->u took its place */
      impulse_accelerate(w, s->u_begin, s->t, s->dt);
    }
    add_rows(w, s, added);
    int kept = 0;
    for (int rest = 0; rest < left_out; ++rest) {
      if (!isnan(x->rest[rest])) {
        x->rest[kept++] = x->rest[rest];
      }
    }
  }
  base_arena_release(w->setup.arena, mark);
  return added;
}

void impulse_rows_shift(struct impulse *w, const double *du) {
  const struct base_arena_mark mark = base_arena_mark(w->setup.arena);
  const double *seen = impulse_seen_by_contacts(w, du);
  const int dim = w->contacts.dim;
  for (int k = 0; k < w->rows.n; ++k) {
    double v[CONTACT_DIM_MAX];
    mech_contacts_velocity_of(&w->contacts, w->rows.contact[k], seen, v);
    la_axpy(dim, 1, v, w->rows.b + (size_t)dim * (size_t)k);
  }
  base_arena_release(w->setup.arena, mark);
}
