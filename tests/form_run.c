/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The driver of form_run.h.
 */
#include "tests/form_run.h"

#include <stdarg.h>
#include <stdio.h>

#include "la/dense.h"
#include "tests/test.h"

/* Near what doubles allow for the small problems of tests; their own tolerances rest on it. */
static const double SOLVE_TOLERANCE = 1e-13;

static void give_back(void *what) {
  struct run *run = what;
  if (run->workspace != NULL && run->form->free != NULL) {
    run->form->free(run->workspace);
  }
}

static void *options_of(const struct base_option *table, size_t size, struct base_arena *arena) {
  void *options = base_arena_push(arena, size);
  if (table != NULL) {
    base_options_default(table, options);
  }
  return options;
}

struct run *run_begin(const char *form, const struct mech *m, double dt, const double *q,
                      const double *u) {
  struct base_arena *arena = base_arena_child(test_arena());
  struct run *run = base_arena_push(test_arena(), sizeof *run);
  *run = (struct run){.arena = arena, .form = form_find(form), .seen.penetration = -INFINITY};
  const struct problem_solver *solver =
      run->form->has_law ? problem_solver_find(run->form->solver) : NULL;
  run->options = options_of(run->form->options, run->form->options_size, arena);
  run->setup = (struct form_setup){
      .mech = m,
      .options = run->options,
      .solver = solver,
      .solver_options =
          solver != NULL ? options_of(solver->options, solver->options_size, arena) : NULL,
      .loop = problem_loop_default(),
      .dt = dt,
      .arena = arena};
  run->setup.loop.tol = SOLVE_TOLERANCE;
  form_carried_init(&run->carried, arena);
  run->state.q = base_arena_doubles(arena, m->nq);
  run->state.u = base_arena_doubles(arena, m->nu);
  la_copy(m->nq, q, run->state.q);
  la_copy(m->nu, u, run->state.u);
  run->energy = mech_energy(m, q, u, arena);
  test_at_end(give_back, run);
  return run;
}

static void set_options(struct run *run, const char *pairs, va_list arguments) {
  char text[256], *rest = NULL;
  CHECK(vsnprintf(text, sizeof text, pairs, arguments) < (int)sizeof text);
  for (char *pair = strtok_r(text, " ", &rest); pair != NULL; pair = strtok_r(NULL, " ", &rest)) {
    char key[32];
    const char *value;
    CHECK_OK(base_options_split(pair, key, sizeof key, &value));
    CHECK_OK(base_options_set(run->form->options, run->options, "test", key, value));
  }
}

void run_set(struct run *run, const char *pairs, ...) {
  va_list arguments;
  va_start(arguments, pairs);
  set_options(run, pairs, arguments);
  va_end(arguments);
}

struct run *run_penalty(const struct mech *m, double dt, const double *q, const double *u,
                        const char *pairs, ...) {
  struct run *run = run_begin("penalty", m, dt, q, u);
  va_list arguments;
  run_set(run, "substeps=1");
  va_start(arguments, pairs);
  set_options(run, pairs, arguments);
  va_end(arguments);
  return run;
}

void run_refused(struct run *run, const char *says) {
  int status = run->form->check != NULL ? run->form->check(&run->setup) : BASE_OK;
  if (status == BASE_OK && run->form->alloc(&run->setup, &run->state) == NULL) {
    status = BASE_UNSUPPORTED;
  }
  CHECK_INT(status, BASE_UNSUPPORTED);
  CHECK_MESSAGE(strstr(base_message(), says) != NULL, "%s on %s is answered by: %s",
                run->form->name, run->setup.mech->name, base_message());
}

void run_step(struct run *run, double dt) {
  if (run->workspace == NULL) {
    run->workspace = run->form->alloc(&run->setup, &run->state);
    if (run->workspace == NULL) { /* refused, and the message says why */
      run->status = BASE_UNSUPPORTED;
      return;
    }
  }
  const double end = run->state.t + dt;
  run->last = (struct form_report){0};
  const int status = run->form->step(run->workspace, &run->state, dt, &run->last);
  run->state.t = end; /* which not every formulation sets */
  run->status = status > run->status || status < 0 ? status : run->status;
  run->friction += run->last.work.friction;
  run->impact += run->last.work.impact;
  run->damping += run->last.work.damping;
  run->applied += run->last.work.applied;
  run->stored += run->last.work.stored;
  run->iterations += run->last.iterations;
  run->solves += run->last.solves;
  run->internal_steps += run->last.internal_steps;
  run->residual = fmax(run->residual, run->last.residual.absolute);
  run->newton = fmax(run->newton, run->last.newton);
  run->begun = form_carried_onsets(&run->carried, &run->last);
  run->onsets += run->begun;
}

void run_steps(struct run *run, int n) {
  for (int k = 0; k < n && run->status == BASE_OK; ++k) {
    run_step(run, run->setup.dt);
  }
  CHECK_MESSAGE(run->status == BASE_OK, "%s: %s", run->form->name, base_message());
}

void run_until(struct run *run, double t) {
  const double dt = run->setup.dt;
  while (run->status <= BASE_UNCONVERGED && t - run->state.t > 1e-9 * dt) {
    run_step(run, fmin(dt, t - run->state.t));
  }
}

double run_energy(const struct run *run) {
  return mech_energy(run->setup.mech, run->state.q, run->state.u, run->arena);
}

double run_imbalance(const struct run *run) {
  return run_energy(run) + run->stored - run->energy - run->friction - run->impact - run->damping -
         run->applied;
}

double run_rebound(struct run *run, double (*speed)(const struct run *)) {
  const double before = speed(run);
  int touched = 0;
  for (int k = 0; k < 20000 && run->status == BASE_OK; ++k) {
    run_step(run, run->setup.dt);
    touched = touched || run->last.contacts > 0;
    if (touched && run->last.contacts == 0) {
      break;
    }
  }
  CHECK(touched && run->last.contacts == 0);
  return -speed(run) / before;
}

static void see_constraints(struct run *run, struct base_arena *scratch) {
  const struct mech *m = run->setup.mech;
  double *g = base_arena_doubles(scratch, m->ns), *gamma = base_arena_doubles(scratch, m->ns);
  double *W = base_arena_matrix(scratch, m->nu, m->ns);
  mech_set_time(m, run->state.t);
  m->ops->bilateral(m, run->state.q, g);
  mech_bilateral_directions(m, run->state.q, W, scratch);
  la_gemv_t(m->nu, m->ns, 1, W, run->state.u, 0, gamma);
  run->seen.gS = fmax(run->seen.gS, la_norm_inf(m->ns, g));
  run->seen.gammaS = fmax(run->seen.gammaS, la_norm_inf(m->ns, gamma));
}

/* All potential contacts; none where the system has none. */
static struct mech_contacts contacts_of(const struct run *run, struct base_arena *scratch) {
  const struct mech *m = run->setup.mech;
  struct mech_contacts list;
  mech_contacts_init(&list, m, scratch);
  if (m->ops->contacts != NULL) {
    mech_contacts_find(m, run->state.q, NULL, INFINITY, &list);
  }
  return list;
}

static void see_gaps(struct run *run, const struct mech_contacts *before,
                     const struct mech_contacts *after) {
  for (int i = 0; i < after->n; ++i) {
    run->seen.penetration = fmax(run->seen.penetration, -after->gN[i]);
    if (i < before->n && before->gN[i] <= 0) {
      run->seen.approach = fmax(run->seen.approach, before->gN[i] - after->gN[i]);
    }
  }
  run->seen.gap = after->n > 0 ? after->gN[0] : NAN;
}

void run_watched(struct run *run, int n) {
  struct base_arena *scratch = base_arena_child(test_arena());
  double E = run_energy(run);
  for (int k = 0; k < n && run->status <= BASE_UNCONVERGED; ++k) {
    const struct base_arena_mark mark = base_arena_mark(scratch);
    const struct mech_contacts before = contacts_of(run, scratch);
    run_step(run, run->setup.dt);
    if (run->status > BASE_UNCONVERGED) {
      break;
    }
    const struct mech_contacts after = contacts_of(run, scratch);
    const double next = run_energy(run);
    const double works = run->last.work.friction + run->last.work.impact + run->last.work.damping +
                         run->last.work.applied + run->last.work.stored;
    run->seen.drift = fmax(run->seen.drift, fabs(next - run->energy));
    run->seen.increase = fmax(run->seen.increase, next - E);
    run->seen.budget = fmax(run->seen.budget, fabs(next - E - works));
    run->seen.contacts =
        run->last.contacts > run->seen.contacts ? run->last.contacts : run->seen.contacts;
    see_gaps(run, &before, &after);
    if (run->setup.mech->ns > 0) {
      see_constraints(run, scratch);
    }
    base_arena_release(scratch, mark);
    E = next;
  }
}
