/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Disks that begin to tip on a face; see event.h.
 *
 * A disk that is flat on a face touches all along its rim, and contacts know four points of it and
 * the deepest one, which is there only when the disk is tilted. A body that tips on the four would
 * be inside at once. So it is leant along its acceleration by a tilt that is rounding: the deepest
 * point is there and takes part, and the lean is right where the accelerations that follow from it
 * go along it. The equation x = g(x) of the lean has slopes below -1 where a body hardly tips; a
 * secant between the last two (Anderson 1965, depth one) finds it all the same.
 */
#include <math.h>

#include "base/sort.h"
#include "base/status.h"
#include "form/event/event.h"
#include "la/dense.h"

/* How far the contact that opens most at the first leans by, over the system's length: within what
 * counts as touching. */
static const double LEAN = 5 * EVENT_GAP_ZERO;
/* Accelerations over the system's: less is none. */
static const double OPENS_LEAST = 1e-4, INSIDE_LEAST = 1e-7;
static const double LEAN_SAME = 1e-3; /* two leans are one */
enum { LEANS = 30 };

/* A disk that stands at q on n contacts, ids. */
struct standing {
  struct event *e;
  const double *q; /* nq */
  int n;
  const long *ids; /* n, ascending */
  double *du;      /* nu, accelerations of the present modes */
};

/* The accelerations du of the present modes, and the lean dq: where they take the place q until the
 * first contact to open is open by LEAN. *opens: whether one does. */
static int find_lean(const struct standing *s, double *dq, int *opens) {
  struct event *e = s->e;
  const struct mech *m = e->m;
  const double *u = e->y + m->nq;
  const int status =
      event_flow_evaluate(&e->flow, &e->modes, 0, (struct event_state){e->t, e->y, u}, e->arena);
  if (status != BASE_OK) {
    return status;
  }
  la_copy(m->nu, e->flow.du, s->du);
  event_flow_contacts(&e->flow, NULL, INFINITY, s->q, u);
  double *w = base_arena_matrix(e->arena, m->dim, e->flow.nc), most = 0;
  mech_contacts_velocity(&e->flow.contacts, s->du, w);
  for (int k = 0; k < s->n; ++k) {
    const int at = event_flow_find(&e->flow, s->ids[k]) * m->dim;
    most = fmax(most, w[at] + e->flow.contacts.bias[at]);
  }
  *opens = most > OPENS_LEAST * m->speed * m->speed / m->length;
  mech_qdot(m, s->q, s->du, dq, e->arena);
  for (int j = 0; j < m->nq; ++j) {
    dq[j] = *opens ? dq[j] * LEAN * m->length / most : 0;
  }
  return BASE_OK;
}

/* What touches at the place of y, index: as many as there are contacts; their number. *inside:
 * whether one of them is none of those that were, and the accelerations take it inside. */
static int touch_leaning(const struct standing *s, int *inside, int **index) {
  struct event *e = s->e;
  const struct mech *m = e->m;
  event_flow_contacts(&e->flow, NULL, INFINITY, e->y, e->y + m->nq);
  double *w = base_arena_matrix(e->arena, m->dim, e->flow.nc);
  *index = base_arena_ints(e->arena, e->flow.nc);
  const int n = event_touching(e, *index);
  mech_contacts_velocity(&e->flow.contacts, s->du, w);
  const double least = INSIDE_LEAST * m->speed * m->speed / m->length;
  *inside = 0;
  for (int i = 0, k = 0; i < n; ++i) {
    const int at = (*index)[i];
    *inside |= base_sorted_find(s->n, s->ids, e->flow.contacts.id[at], &k) < 0 &&
               w[at * m->dim] + e->flow.contacts.bias[at * m->dim] < -least;
  }
  return n;
}

/* The next lean x from the last two and where they lead, g; whether these are one. k: how many were
 * before. */
static int next_lean(int nq, int k, double *x, const double *g, double *x_last, double *g_last) {
  double most = 0, along = 0, size = 0;
  for (int j = 0; j < nq; ++j) {
    const double r = g[j] - x[j], d = r - (g_last[j] - x_last[j]);
    most = fmax(most, fabs(r));
    along += r * d;
    size += d * d;
  }
  const double part = k > 0 && size > 0 ? along / size : 0;
  const int is_one = most <= LEAN_SAME * la_norm_inf(nq, x);
  for (int j = 0; j < nq && !is_one; ++j) {
    const double next = g[j] - part * (g[j] - g_last[j]);
    x_last[j] = x[j];
    g_last[j] = g[j];
    x[j] = next;
  }
  return is_one;
}

int event_lean(struct event *e, int n, const int *index) {
  const int nq = e->m->nq;
  if (e->m->dim < 3 ||
      n < 2) { /* in the plane there are no rims; a point is the deepest by itself */
    return BASE_OK;
  }
  double *x = base_arena_doubles(e->arena, nq), *g = base_arena_doubles(e->arena, nq);
  double *x_last = base_arena_doubles(e->arena, nq), *g_last = base_arena_doubles(e->arena, nq);
  double *q = base_arena_doubles(e->arena, nq);
  long *ids = base_arena_longs(e->arena, n);
  const struct standing s = {e, q, n, ids, base_arena_doubles(e->arena, e->m->nu)};
  int opens = 0, inside = 0;
  la_copy(nq, e->y, q);
  event_flow_contacts(&e->flow, NULL, INFINITY, q, e->y + nq);
  for (int i = 0; i < n; ++i) {
    ids[i] = e->flow.contacts.id[index[i]];
  }
  int status = find_lean(&s, x, &opens);
  for (int k = 0; k < LEANS && status == BASE_OK && opens; ++k) {
    int *leant = NULL;
    la_copy(nq, q, e->y);
    la_axpy(nq, 1, x, e->y);
    const int now = touch_leaning(&s, &inside, &leant);
    if (k == 0 && !inside) {
      la_copy(nq, q, e->y);
      return BASE_OK;
    }
    status = event_go_on(e, now, leant);
    event_flow_contacts(&e->flow, NULL, INFINITY, e->y, e->y + nq);
    for (int i = 0; i < e->modes.n && status == BASE_OK; ++i) {
      e->modes.gap[i] = e->flow.contacts.gN[event_flow_find(&e->flow, e->modes.id[i])];
    }
    status = status != BASE_OK ? status : find_lean(&s, g, &opens);
    if (status == BASE_OK && opens && next_lean(nq, k, x, g, x_last, g_last)) {
      break;
    }
  }
  if (event_is_without_modes(status)) { /* on the way: upright, as it was */
    la_copy(nq, q, e->y);
    event_flow_contacts(&e->flow, NULL, INFINITY, e->y, e->y + nq);
    status = event_go_on(e, n, index);
  }
  return status;
}

int event_straighten(struct event *e) {
  int leans = 0;
  for (int i = 0; i < e->modes.n; ++i) {
    leans |= e->modes.gap[i] != 0;
    e->modes.gap[i] = 0;
  }
  return leans ? event_put_back(e) : BASE_OK;
}
