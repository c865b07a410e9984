/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bilateral constraints of impulse stepping by sparse or dense factors: mech/bilateral/bilateral.h
 * and delassus.h behind the face of elimination.h.
 */
#include "form/elimination/elimination.h"

#include "base/status.h"
#include "form/delassus.h"
#include "la/dense.h"

struct direct {
  const struct mech *m;
  struct base_arena *arena;
  const double *L;
  struct mech_bilateral *bilateral;
  struct form_delassus delassus; /* of the last response */
};

static void *direct_alloc(const struct form_setup *setup,
                          const struct form_elimination_choice *choice) {
  static const enum mech_bilateral_kind kinds[] = {[FORM_JOINTS_AUTO] = MECH_BILATERAL_AUTO,
                                                   [FORM_JOINTS_SPARSE] = MECH_BILATERAL_SPARSE,
                                                   [FORM_JOINTS_DENSE] = MECH_BILATERAL_DENSE};
  struct direct *w = base_arena_push(setup->arena, sizeof *w);
  w->m = setup->mech;
  w->arena = setup->arena;
  w->bilateral = mech_bilateral_alloc(setup->mech, kinds[choice->joints], setup->arena);
  return w;
}

static int direct_build(void *workspace, const double *q, const double *L, double compliance) {
  struct direct *w = workspace;
  w->L = L;
  w->bilateral->compliance = compliance;
  return mech_bilateral_build(w->bilateral, q, L);
}

static void direct_constrain(void *workspace, const double *offset, double *u) {
  struct direct *w = workspace;
  const struct base_arena_mark mark = base_arena_mark(w->arena);
  double *rate = base_arena_doubles(w->arena, w->m->ns);
  mech_bilateral_velocity(w->bilateral, u, rate);
  la_axpy(w->m->ns, 1, offset, rate);
  mech_bilateral_eliminate(w->bilateral, 1, rate, u);
  base_arena_release(w->arena, mark);
}

static int direct_response(void *workspace, const struct mech_contacts *contacts, int n_lcp,
                           struct base_arena *arena, struct problem_operator *A) {
  struct direct *w = workspace;
  (void)n_lcp;
  form_delassus_build(w->m, w->L, w->bilateral, contacts, arena, &w->delassus);
  *A = w->delassus.A;
  return 0;
}

static void direct_respond(void *workspace, const struct mech_contacts *contacts, const double *r,
                           double *du) {
  struct direct *w = workspace;
  (void)contacts;
  form_delassus_respond(&w->delassus, r, du);
}

static int direct_dependent(const void *workspace) {
  const struct direct *w = workspace;
  return w->bilateral->dependent;
}

static void direct_free(void *workspace) {
  const struct direct *w = workspace;
  mech_bilateral_free(w->bilateral);
}

static const struct form_elimination direct = {.alloc = direct_alloc,
                                               .build = direct_build,
                                               .constrain = direct_constrain,
                                               .response = direct_response,
                                               .respond = direct_respond,
                                               .dependent = direct_dependent,
                                               .free = direct_free};

const struct form_elimination *form_elimination_of(const struct form_elimination_choice *choice) {
  if (choice->joints == FORM_JOINTS_DCA) {
    return choice->solved == FORM_MCP_WHOLE ? &form_elimination_dca_whole : &form_elimination_dca;
  }
  return choice->joints == FORM_JOINTS_FREE ? &form_elimination_none : &direct;
}
