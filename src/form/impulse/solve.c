/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One solve of impulse stepping: the one-step problem of the rows at hand,
 *
 *   xi = A r + W^T u_f + s,  (xi, r) in the contact law,   u = u_f + du(r),
 *
 * again with the contacts that u violates and that had no row, with gaps corrected (curve.c), and
 * with forces at the velocities found (theta.c), until nothing changes.
 */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "form/impulse/parts.h"
#include "la/dense.h"

/* The operator of the rows' contacts. */
static void build_operator(struct impulse *w, struct impulse_step *s,
                           const struct contact_model *model, struct form_report *report,
                           struct form_delassus *out) {
  const struct mech *m = w->setup.mech;
  struct base_arena *arena = w->setup.arena;
  if (w->elimination != NULL) {
    report->mcp = w->elimination->response(w->eliminator, &s->solved.contacts,
                                           problem_lcp_size(model), arena, &out->A);
  } else {
    form_delassus_build(m, w->L, NULL, &s->solved.contacts, arena, out);
  }
  problem_operator_diagonal(&out->A, w->rows.A);
  if (w->scheme.is_soft) {
    out->A.compliance = impulse_soft_compliance(w, &s->solved.contacts, w->rows.A, s->dt);
  }
  if (out->A.compliance == NULL) {
    out->A.diagonal = w->rows.A;
  }
}

/* Rows of contacts that joints keep from moving along their normal go for the rest of the step: no
 * impulse changes their v_N, and what they carry would be any. Returns how many. */
static int drop_held(struct impulse *w, struct impulse_step *s) {
  struct impulse_rows *x = &w->rows;
  const size_t dim = (size_t)w->contacts.dim;
  int kept = 0;
  for (int k = 0; k < x->n; ++k) {
    const int i = x->contact[k];
    const struct mech *m = w->setup.mech;
    const double alone = form_delassus_alone(m, w->L, &w->contacts, i, m->nv, w->setup.arena);
    if (x->A[dim * dim * (size_t)k] <= MECH_BILATERAL_HELD * alone) {
      s->role[i] = (unsigned char)(s->role[i] | IMPULSE_HELD);
      x->shift[i] = INFINITY;
      continue;
    }
    x->contact[kept] = i;
    memmove(x->b + dim * (size_t)kept, x->b + dim * (size_t)k, dim * sizeof *x->b);
    memmove(x->r + dim * (size_t)kept, x->r + dim * (size_t)k, dim * sizeof *x->r);
    ++kept;
  }
  const int dropped = x->n - kept;
  x->n = kept;
  return dropped;
}

/* Do bilateral constraints stand in the one-step problem? */
static int joints_stay(const struct impulse *w) {
  return w->elimination != NULL && w->elimination->stay;
}

void impulse_pose(struct impulse *w, struct impulse_step *s, struct form_report *report,
                  struct form_delassus *delassus) {
  struct contact_model model;
  do {
    mech_contacts_part(&w->contacts, w->rows.n, w->rows.contact, w->setup.arena,
                       &s->solved.contacts);
    model = (struct contact_model){.law = w->scheme.law,
                                   .dim = w->contacts.dim,
                                   .nc = w->rows.n,
                                   .mu = s->solved.contacts.mu,
                                   .set = s->solved.contacts.set,
                                   .n_dir = w->scheme.n_dir,
                                   .dirs = w->scheme.dirs};
    build_operator(w, s, &model, report, delassus);
  } while (w->elimination != NULL && !joints_stay(w) && drop_held(w, s) > 0);
  s->solved.problem =
      (struct problem){.name = "", .model = model, .A = delassus->A, .b = w->rows.b};
}

void impulse_solve_problem(struct impulse *w, const struct problem *p, double *r, double *v,
                           struct form_report *report, struct problem_result *result) {
  struct base_arena *arena = w->setup.arena;
  if (w->setup.sink.visit != NULL) {
    w->setup.sink.visit(w->setup.sink.data, p);
  }
  problem_solve(p, w->setup.solver, w->setup.solver_options, &w->setup.loop, r, v, arena, result);
  if (result->status == BASE_OK) {
    problem_balance(p, w->setup.loop.tol, r, arena, &result->residual);
  }
  ++report->solves;
  report->iterations += result->iterations;
  report->optimality = result->optimality;
  if (result->by != NULL) { /* else none was needed, and an earlier one of the step stands */
    report->by = result->by;
    report->round = result->round;
  }
}

void impulse_respond(struct impulse *w, struct impulse_step *s,
                     const struct form_delassus *delassus, const double *r, const double *u_from) {
  impulse_own_velocity(w, s); /* in the solver's place: scratch is no larger for it */
  if (w->elimination != NULL) {
    w->elimination->respond(w->eliminator, &s->solved.contacts, r, s->solved.u);
  } else {
    form_delassus_respond(delassus, r, s->solved.u);
  }
  la_axpy(w->setup.mech->nu, 1, u_from, s->solved.u);
  s->u = s->solved.u;
}

/* One solve over the rows from u_free (nu): their r, and s->u. The result's status. */
static int solve_rows(struct impulse *w, struct impulse_step *s, struct form_report *report,
                      struct form_delassus *delassus, struct problem_result *result) {
  impulse_pose(w, s, report, delassus);
  if (w->scheme.descends) {
    return impulse_descend(w, s, report);
  }
  if (w->scheme.sweeps > 0) {
    impulse_sweep_softly(w, s, delassus, report);
    return BASE_OK;
  }
  struct problem problem = s->solved.problem; /* and with unknowns beside those of the contacts */
  double *r = w->elimination != NULL && w->elimination->extend != NULL
                  ? w->elimination->extend(w->eliminator, &s->solved.contacts, w->u_free,
                                           s->noise / s->dt, w->rows.r, w->setup.arena, &problem)
              : w->scheme.pyramidal ? impulse_pyramid_pose(w, &problem)
                                    : w->rows.r;
  impulse_solve_problem(w, &problem, r, NULL, report, result);
  if (w->scheme.pyramidal) {
    impulse_pyramid_gather(w, &s->solved.problem.model, r, result);
  } else if (r != w->rows.r) {
    la_copy((long)w->contacts.dim * w->rows.n, r, w->rows.r);
    result->residual.at = result->residual.at < w->rows.n ? result->residual.at : -1;
  }
  s->solved.residual = result->residual;
  impulse_respond(w, s, delassus, w->rows.r, w->u_free);
  return result->status;
}

/* s->u where no contact has a row. */
static void solve_none(const struct impulse *w, struct impulse_step *s) {
  if (s->solved.u == NULL) {
    s->u = w->u_free;
  } else {
    la_copy(w->setup.mech->nu, w->u_free, s->solved.u);
    s->u = s->solved.u;
  }
}

void impulse_own_velocity(const struct impulse *w, struct impulse_step *s) {
  if (s->solved.u == NULL) {
    s->solved.u = base_arena_room(w->setup.arena, (size_t)w->setup.mech->nu * sizeof *s->solved.u);
  }
}

void impulse_look_ahead(const struct impulse *w, struct impulse_step *s) {
  s->search.need = fmax(s->search.need, fmin(impulse_reach(w), impulse_approach(w, s->u, s->dt)));
}

/* Until no contact left out is violated and gaps are corrected. */
int impulse_solve(struct impulse *w, struct impulse_step *s, struct form_report *report) {
  struct problem_result result = {.status = BASE_OK};
  struct form_delassus delassus = {.A = {0}};
  impulse_select_near(w, s);
  int corrections = 0;
  do {
    if (w->rows.n == 0 && !joints_stay(w)) {
      solve_none(w, s);
    } else {
      const int status = solve_rows(w, s, report, &delassus, &result);
      if (status != BASE_OK && status != BASE_UNCONVERGED) {
        return base_fail(status, "one-step problem at t = %g s: %s", s->t, result.reason);
      }
    }
  } while (impulse_select_violated(w, s) > 0 ||
           (corrections++ < w->scheme.corrections && impulse_curve_correct(w, s)) ||
           (w->scheme.force == FORM_FORCE_IMPLICIT && impulse_theta_correct(w, s, report)));
  if (w->rows.n > 0 && w->scheme.sweeps > 0) {
    impulse_end_sweeps(w, s, &delassus, report);
  } else if (w->rows.n > 0 && w->scheme.noslip > 0) {
    impulse_stop_slip(w, s, &delassus, report);
  }
  report->contacts = w->rows.n > report->contacts ? w->rows.n : report->contacts;
  if (s->implicit.stuck) {
    result.status = BASE_UNCONVERGED;
  }
  report->unconverged += result.status == BASE_UNCONVERGED;
  impulse_look_ahead(w, s);
  return result.status;
}
