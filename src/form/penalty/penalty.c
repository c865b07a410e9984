/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `penalty`: contacts as springs and dampers, linear or by Hertz, with regularised Coulomb friction
 * or tangential springs (law.c, spring.c), the equations of motion integrated by a
 * Runge-Kutta, Verlet or multistep method (stepper.c). yu compares its CCP method with the
 * linear model under RK4 (figs 9 to 12).
 *
 * Bilateral constraints: multipliers (index one) by default. What integration lets drift off g_S =
 * 0 and gamma_S = 0 is put back after every step by the mass-orthogonal mech_project, a correction
 * of the size of the integration error; it changes the energy by as little. `project=no` leaves the
 * drift to Baumgarte's terms. As springs, constraints hold to the springs' elongation. Steps are
 * cut where what is prescribed in time is not smooth (mech_phase), so that a jump of a prescribed
 * velocity never reaches the projection: it is an impact of the constraints (jump.c).
 *
 * Reports: contacts are those that carry force at the step's end; those that carried in the step
 * are seen at the ends of internal steps, and at the stages of rk4.
 * Energy in the springs is `stored`; what dampers and clamping take is `impact`, what sliders and
 * tangential dampers take is `friction`, dampers of bilateral springs are `damping`: by fixed steps
 * so that the works of all forces add up to the change of kinetic energy (balance.c), by adaptive
 * ones to their tolerance.
 *
 * The stiffness is made for an allowed depth (rule.c) unless it is given, and a step is taken in
 * the parts that stability asks for (parts.c). The longest stable step is estimated (limit.c) and
 * reported; with substeps > 0 it is the user's to heed.
 *
 * Tangential springs are a state beside q and u that outlives the step. A state put in from outside
 * keeps those whose contacts are closed in it.
 */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/status.h"
#include "form/form.h"
#include "form/penalty/penalty.h"
#include "la/dense.h"

/* Sizes of y beyond which the dense Jacobian of the implicit methods is refused: half a gigabyte.
 */
enum { IMPLICIT_SIZE = 8000 };
/* Internal steps in one output step; beyond, tolerance and system do not fit each other. */
enum { STEPS_MAX = 200000 };
struct penalty {
  const struct mech *m;
  struct penalty_options own; /* with the stiffness made for `depth`, if it is */
  int is_made;
  const struct penalty_options *options;
  struct base_arena *arena, *lists;
  double deadline; /* base/clock.h */
  struct penalty_flow flow;
  struct penalty_stepper stepper;
  int n_closed, n_carrying; /* contacts that penetrate, and that carry, at the present point */
  double stored;            /* [J] */
  int started;
  struct penalty_parts parts;
  double *chi;   /* ns: bilateral_drift before a jump; NULL without it */
  double *begin; /* of the stepper, y where a part begins; NULL: parts are not repeated */
};

/* The contacts of the present point. */
static void note_contacts(struct penalty *p) {
  p->n_closed = p->flow.touch.n_active;
  p->n_carrying = penalty_flow_carry(&p->flow);
}

/* Take over a state that is not the one left by the last step. */
static int take_state(struct penalty *p, const struct form_state *state) {
  const struct mech *m = p->m;
  struct penalty_stepper *s = &p->stepper;
  s->t = state->t;
  if (s->evaluated && la_same(m->nq, state->q, s->y) && la_same(m->nu, state->u, s->y + m->nq)) {
    return BASE_OK;
  }
  la_copy(m->nq, state->q, s->y);
  la_copy(m->nu, state->u, s->y + m->nq);
  penalty_touch_forget(&p->flow);
  penalty_stepper_reset(s);
  const int status = penalty_stepper_evaluate(s);
  if (status == BASE_OK) {
    note_contacts(p);
    p->stored = penalty_flow_stored(&p->flow, s->t, s->y);
  }
  return status;
}

/* y was changed from outside. */
static int resume(struct penalty *p) {
  penalty_stepper_reset(&p->stepper);
  return penalty_stepper_evaluate(&p->stepper);
}

/* Put the new point back onto the constraints, and redundant coordinates where they belong; the
 * contacts are then those of the point put back. */
static int project(struct penalty *p) {
  const struct mech *m = p->m;
  struct penalty_stepper *s = &p->stepper;
  const int is_off =
      m->ns > 0 && p->options->bilateral == PENALTY_MULTIPLIER && p->options->project;
  const int drifts = m->ops->normalise != NULL && !penalty_is_fixed(p->options);
  if (!is_off && !drifts) {
    return BASE_OK;
  }
  if (drifts) {
    m->ops->normalise(m, s->y);
  }
  mech_set_time(m, mech_phase_time(&p->flow.phase, s->t));
  int status =
      is_off ? mech_project_with(p->flow.bilateral, mech_any_drift, s->y, s->y + m->nq, p->arena)
             : BASE_OK;
  status = status == BASE_OK ? resume(p) : status;
  if (status == BASE_OK) {
    note_contacts(p);
  }
  return status;
}

/* The first step: velocities may miss the constraints. */
static int begin_first_step(struct penalty *p) {
  int jumped;
  const int status = penalty_jump(&p->flow, p->stepper.t, NULL, p->stepper.y, &jumped);
  p->started = 1;
  return status == BASE_OK && jumped ? resume(p) : status;
}

/* What is prescribed in time goes on with another phase. */
static int pass_break(struct penalty *p) {
  const struct mech *m = p->m;
  struct penalty_stepper *s = &p->stepper;
  struct mech_phase *phase = &p->flow.phase;
  int jumped;
  if (p->chi != NULL) {
    mech_set_time(m, mech_phase_time(phase, phase->end));
    m->ops->driven.bilateral_drift(m, s->y, p->chi);
  }
  *phase = mech_phase_next(m, phase);
  s->t = phase->begin;
  const int status = penalty_jump(&p->flow, s->t, p->chi, s->y, &jumped);
  return status == BASE_OK ? resume(p) : status;
}

/* One part of a step, up to t_part at most; again shorter, where it was too long. */
static int advance(struct penalty *p, double t_part) {
  struct penalty_stepper *s = &p->stepper;
  const double t_before = s->t, end = fmin(t_part, p->flow.phase.end);
  if (p->begin != NULL) {
    la_copy(s->ny, s->y, p->begin);
  }
  int status = penalty_stepper_advance(s, end);
  if (status != BASE_OK) {
    return status;
  }
  note_contacts(p);
  const double h = s->t - t_before;
  if (!penalty_parts_note(&p->parts, s->y, p->n_closed, h, p->begin != NULL)) {
    la_copy(s->ny, p->begin, s->y);
    s->t = t_before;
    status = resume(p);
    note_contacts(p);
  }
  return status;
}

static int penalty_step(void *workspace, struct form_state *state, double dt,
                        struct form_report *report) {
  struct penalty *p = workspace;
  const struct mech *m = p->m;
  struct penalty_stepper *s = &p->stepper;
  const double t_end = state->t + dt;
  double before[PENALTY_WORKS];
  const double left = p->stored;
  const long evaluations = p->flow.evaluations;
  int status = take_state(p, state);
  const double stored = p->stored;
  la_copy(PENALTY_WORKS, s->y + m->nq + m->nu, before);
  p->flow.carried.n = 0;
  const struct mech_phase *phase = &p->flow.phase;
  if (status == BASE_OK && !p->started) {
    status = begin_first_step(p);
  }
  double t_part = state->t;
  penalty_parts_begin(&p->parts);
  for (int part = 0; status == BASE_OK && !mech_time_reached(s->t, t_end);) {
    if (mech_time_reached(s->t, t_part)) {
      t_part = penalty_parts_end(&p->parts, state->t, s->t, dt, ++part);
    }
    const double t_before = s->t;
    status = advance(p, t_part);
    t_part = s->t > t_before ? t_part : t_before; /* a shorter one from there */
    if (status == BASE_OK && mech_phase_ends(phase, s->t)) {
      status = pass_break(p);
      note_contacts(p);
    }
    if (++report->internal_steps > STEPS_MAX) {
      status = base_fail(BASE_FAILED, "t = %.9g s: too many integration steps", s->t);
    }
    if (status == BASE_OK && !mech_time_reached(s->t, t_end)) {
      status = base_clock_check(p->deadline);
    }
  }
  if (status == BASE_OK) {
    status = project(p);
  }
  if (status != BASE_OK) {
    s->evaluated = 0;
    return status;
  }
  la_copy(m->nq, s->y, state->q);
  la_copy(m->nu, s->y + m->nq, state->u);
  state->t = t_end;
  p->stored = penalty_flow_stored(&p->flow, s->t, s->y);
  const double *works = s->y + m->nq + m->nu; /* moves as slots are added */
  report->evaluations = p->flow.evaluations - evaluations;
  report->contacts = p->n_carrying;
  report->n_carrying = p->flow.carried.n;
  report->carrying = p->flow.carried.id;
  report->stable_dt = penalty_parts_stable(&p->parts, s->y, p->n_closed);
  report->stiffness = p->is_made ? p->own.K : 0;
  report->work.friction = works[PENALTY_FRICTION] - before[PENALTY_FRICTION];
  report->work.impact = works[PENALTY_IMPACT] - before[PENALTY_IMPACT];
  report->work.damping = works[PENALTY_DAMPING] - before[PENALTY_DAMPING];
  report->work.applied = works[PENALTY_APPLIED] - before[PENALTY_APPLIED];
  report->work.stored = p->stored - stored;
  report->work.inflow = stored - left;
  report->eliminates = m->ns > 0 && p->options->bilateral == PENALTY_MULTIPLIER;
  report->dependent = p->flow.bilateral->dependent;
  return BASE_OK;
}

static void penalty_checkpoint(void *workspace, struct base_blob *blob) {
  struct penalty *p = workspace;
  base_blob_pass(blob, &p->flow.phase, sizeof p->flow.phase);
  penalty_stepper_checkpoint(&p->stepper, blob);
  base_blob_int(blob, &p->n_closed, 0, INT_MAX);
  base_blob_pass(blob, &p->started, sizeof p->started);
  base_blob_reals(blob, &p->stored, 1);
  penalty_parts_checkpoint(&p->parts, blob);
}

static void penalty_free(void *workspace) {
  struct penalty *p = workspace;
  penalty_stepper_free(&p->stepper);
  penalty_flow_free(&p->flow);
  base_arena_free(p->lists);
}

/* The stiffness that is not given. Returns the limit of a step about an onset [s]. */
static double follow_rule(struct penalty *p, const struct form_state *start) {
  const struct mech *m = p->m;
  const int adapting = penalty_is_fixed(&p->own) && p->own.substeps == 0;
  p->is_made = p->own.K < 0;
  if (!p->is_made && !adapting) {
    return INFINITY;
  }
  const struct penalty_loads loads = penalty_rule_loads(m, start->q, start->u, start->t, p->arena);
  if (p->is_made) {
    p->own.K = penalty_rule_stiffness(&p->own, &loads, p->own.depth * m->length);
  }
  return adapting ? penalty_rule_step(&p->own, &loads) : INFINITY;
}

/* Regularised friction has no spring that could give tangential speed back. */
static int check_restitution(const struct penalty *p, const double *q) {
  double eps_N = 0, eps_T = 0;
  if (p->options->tangential == PENALTY_REGULARISED) {
    mech_contacts_restitution(p->m, q, p->arena, &eps_N, &eps_T);
  }
  return eps_T == 0 ? BASE_OK
                    : base_fail(BASE_UNSUPPORTED,
                                "contacts with eps_T = %g: tangential=regularised has no "
                                "tangential restitution; take tangential=spring",
                                eps_T);
}

static void *penalty_alloc(const struct form_setup *setup, const struct form_state *start) {
  const struct mech *m = setup->mech;
  struct penalty *p = base_arena_push(setup->arena, sizeof *p);
  p->m = m;
  p->own = *(const struct penalty_options *)setup->options;
  p->options = &p->own;
  p->arena = setup->arena;
  if (check_restitution(p, start->q) != BASE_OK) {
    return NULL;
  }
  p->lists = base_arena_alloc();
  p->deadline = setup->loop.deadline;
  const double onset_limit = follow_rule(p, start);
  penalty_flow_init(&p->flow, m, p->options, p->arena, p->lists);
  penalty_parts_init(&p->parts, &p->flow, onset_limit, setup->dt);
  p->flow.phase = mech_phase_at(m, start->t);
  p->chi = m->ops->driven.bilateral_drift != NULL ? base_arena_doubles(p->arena, m->ns) : NULL;
  const double energy = fabs(mech_energy(m, start->q, start->u, p->arena));
  /* [J]; a system at rest at V = 0 has no scale of its own */
  penalty_stepper_init(&p->stepper, &p->flow, setup->dt, energy > 0 ? energy : 1, p->lists);
  /* Springs with memory have slots that come and go, and no friction that is stiffer than they. */
  p->begin =
      p->own.tangential == PENALTY_REGULARISED ? base_arena_doubles(p->arena, p->stepper.ny) : NULL;
  if (take_state(p, start) != BASE_OK) {
    penalty_free(p);
    return NULL;
  }
  return p;
}

static int penalty_check(const struct form_setup *setup) {
  const struct penalty_options *o = setup->options;
  const int size = setup->mech->nq + setup->mech->nu;
  if (setup->mech->friction_sets) {
    return base_fail(BASE_UNSUPPORTED,
                     "%s has friction sets of its own; friction is regularised here on disks of "
                     "radius mu, without spin torque",
                     setup->mech->name);
  }
  if (penalty_is_implicit(o) && size > IMPLICIT_SIZE) {
    return base_fail(
        BASE_UNSUPPORTED,
        "the implicit steppers need a dense Jacobian, here of size %d, at most %d: take "
        "rk4, verlet, rkf45 or rk8pd",
        size, IMPLICIT_SIZE);
  }
  if (o->tangential == PENALTY_TANGENT_SPRING && (o->D_T == 0 || (o->D_T < 0 && o->zeta_T == 0))) {
    return base_fail(
        BASE_UNSUPPORTED,
        "tangential springs slip at the rate K_T / D_T: without damping there is none");
  }
  if (o->tangential == PENALTY_TANGENT_SPRING && o->stepper == PENALTY_MSBDF &&
      setup->mech->located && setup->mech->dim == 3) {
    return base_fail(BASE_UNSUPPORTED,
                     "tangential springs turn with their frames after every step: "
                     "msbdf, which builds on earlier steps, cannot");
  }
  if (o->substeps > 1 && !penalty_is_fixed(o)) {
    return base_fail(BASE_UNSUPPORTED, "substeps belong to the fixed steps rk4 and verlet; the "
                                       "adaptive steppers choose theirs");
  }
  return BASE_OK;
}

const struct form form_penalty = {
    .name = "penalty",
    .look = {.colour = 0x167b92, .dashes = {14, 5}, .point = 7, .point_size = 0.8},
    .summary = "spring-damper contacts, linear or Hertz; friction regularised or by springs with "
               "memory; RK4, Verlet, adaptive methods",
    .source = "yu, linear spring and damper; Hunt and Crossley 1975, Cundall and Strack 1979; "
              "restitution relations derived in penalty/restitution.c",
    .open_systems = 1,
    .options = penalty_option_table,
    .options_size = sizeof(struct penalty_options),
    .check = penalty_check,
    .alloc = penalty_alloc,
    .step = penalty_step,
    .checkpoint = penalty_checkpoint,
    .free = penalty_free,
};
