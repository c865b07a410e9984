/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The driver of penalty_run.h.
 */
#include "tests/penalty_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/options.h"
#include "base/status.h"
#include "la/dense.h"
#include "tests/test.h"

struct sim sim_begin(const struct mech *m, double dt, const double *q, const double *u,
                     const char *text) {
  struct sim s = {.arena = base_arena_alloc(), .form = form_find("penalty")};
  base_options_default(s.form->options, &s.options);
  s.options.substeps = 1;
  char copy[256], *rest = NULL;
  snprintf(copy, sizeof copy, "%s", text);
  for (char *pair = strtok_r(copy, " ", &rest); pair; pair = strtok_r(NULL, " ", &rest)) {
    char *value = strchr(pair, '=');
    *value++ = '\0';
    CHECK_INT(base_options_set(s.form->options, &s.options, "penalty", pair, value), BASE_OK);
  }
  s.setup = (struct form_setup){.mech = m, .dt = dt, .arena = s.arena};
  s.state.q = base_arena_doubles(s.arena, m->nq);
  s.state.u = base_arena_doubles(s.arena, m->nu);
  la_copy(m->nq, q, s.state.q);
  la_copy(m->nu, u, s.state.u);
  form_carried_init(&s.carried, s.arena);
  s.energy = mech_energy(m, q, u, s.arena);
  return s;
}

void sim_step(struct sim *s, double dt) {
  if (s->workspace == NULL) {
    s->setup.options = &s->options;
    s->workspace = s->form->alloc(&s->setup, &s->state);
    if (s->workspace == NULL) { /* refused, and the message says why */
      s->status = BASE_UNSUPPORTED;
      return;
    }
  }
  s->last = (struct form_report){0};
  const int status = s->form->step(s->workspace, &s->state, dt, &s->last);
  s->status = status > s->status ? status : s->status;
  s->friction += s->last.work.friction;
  s->impact += s->last.work.impact;
  s->damping += s->last.work.damping;
  s->applied += s->last.work.applied;
  s->stored += s->last.work.stored;
  s->onsets += form_carried_onsets(&s->carried, &s->last);
  s->internal_steps += s->last.internal_steps;
}

void sim_steps(struct sim *s, int n) {
  for (int k = 0; k < n && s->status == BASE_OK; ++k) {
    sim_step(s, s->setup.dt);
  }
  CHECK_MESSAGE(s->status == BASE_OK, "%s", base_message());
}

void sim_end(struct sim *s) {
  if (s->workspace != NULL) {
    s->form->free(s->workspace);
  }
  base_arena_free(s->arena);
}

double sim_imbalance(const struct sim *s) {
  return mech_energy(s->setup.mech, s->state.q, s->state.u, s->arena) + s->stored - s->energy -
         s->friction - s->impact - s->damping - s->applied;
}

double sim_rebound(const struct mech *m, const double *q, const double *u, double dt,
                   const char *text, double (*speed)(const struct sim *)) {
  struct sim s = sim_begin(m, dt, q, u, text);
  const double before = speed(&s);
  int touched = 0;
  for (int k = 0; k < 20000 && s.status == BASE_OK; ++k) {
    sim_step(&s, dt);
    touched = touched || s.last.contacts > 0;
    if (touched && s.last.contacts == 0) {
      break;
    }
  }
  CHECK(touched && s.last.contacts == 0);
  const double after = speed(&s);
  sim_end(&s);
  return -after / before;
}
