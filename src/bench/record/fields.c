/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of fields; see fields.h.
 */
#include "bench/record/fields.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/status.h"

#define FIELD(path_, type_, presence_, unit_, help_)                                               \
  BENCH_FIELD(path_, type_, presence_), .unit = (unit_), .help = (help_)
/* Where a member of the outcome stands. */
#define AT(kind, member) .store = FIELD_##kind, .offset = offsetof(struct bench_outcome, member)
#define BLOCK(path_, scale_, help_)                                                                \
  { FIELD(path_, OBJECT, ALWAYS, "", help_), .scale = SCALE_##scale_ }
/* A number of the outcome, null where it is not finite; one that runs measure. */
#define NUMBER(path_, unit_, range_, member_, help_)                                               \
  { FIELD(path_, REAL, NULLABLE, unit_, help_), .range = FIELD_##range_, AT(DOUBLE, member_) }
#define MEASURED(path_, unit_, range_, member_, help_)                                             \
  {                                                                                                \
    FIELD(path_, REAL, NULLABLE, unit_, help_), .range = FIELD_##range_, AT(DOUBLE, member_),      \
                                                .is_measured = 1                                   \
  }
#define COUNT(path_, kind_, member_, help_)                                                        \
  { FIELD(path_, COUNT, ALWAYS, "", help_), AT(kind_, member_) }
/* The same, null below `least_`. */
#define COUNT_IF(path_, kind_, member_, least_, help_)                                             \
  { FIELD(path_, COUNT, NULLABLE, "", help_), AT(kind_, member_), .least = (least_) }

/* Codes of errors come last and end the list. */
const char *const bench_status_names[] = {
#define X(id, code, name, meaning) (code) >= 0 ? (name) : NULL,
    BASE_STATUS_LIST(X)
#undef X
};
static const char *const references[] = {"analytic", "event", "self", "none", NULL};
static const char *const verdicts[] = {"good", "poor", "useless", NULL};

const struct bench_field bench_fields[] = {
    {FIELD("schema", TEXT, ALWAYS, "", "of this file"), .scale = SCALE_INPUT,
     .add = bench_add_schema},
    BLOCK("case", INPUT, "the mechanical problem"),
    {FIELD("case.name", NAME, ALWAYS, "", ""), .add = bench_add_case_name, .is_asked = 1},
    {FIELD("case.parameters", OBJECT, ALWAYS, "", "every parameter, defaults included"),
     .add = bench_add_parameters, .is_asked = 1},
    {FIELD("case.notes", TEXT, OPTIONAL, "", "what the model says of itself"), .scale = SCALE_PLACE,
     .add = bench_add_notes},
    BLOCK("formulation", INPUT, "the time stepper"),
    {FIELD("formulation.name", NAME, ALWAYS, "", ""), .add = bench_add_form_name, .is_asked = 1},
    {FIELD("formulation.law", NAME, NULLABLE, "", "contact law of its one-step problems"),
     .add = bench_add_law, .is_asked = 1},
    {FIELD("formulation.options", OBJECT, ALWAYS, "", "every option, defaults included"),
     .add = bench_add_form_options, .is_asked = 1},
    NUMBER("formulation.stable_dt", "s", POSITIVE, stable_dt,
           "smallest estimate of the longest stable step; null: it makes none"),
    {FIELD("formulation.mcp", COUNT, NULLABLE, "",
           "unknowns of the largest mixed complementarity problem posed; null: none was"),
     .scale = SCALE_OWN, AT(INT, mcp), .least = 1},
    BLOCK("solver", INPUT, "of the one-step problems"),
    {FIELD("solver.name", TEXT, NULLABLE, "", "as after -s"), .add = bench_add_solver_name,
     .is_asked = 1},
    {FIELD("solver.options", OBJECT, ALWAYS, "",
           "of the solver, of the loop around it, of the run"),
     .add = bench_add_solver_options, .is_asked = 1},
    {FIELD("solver.chosen", OBJECT, OPTIONAL, "",
           "steps by the solver that ended them, where the solver is one that chooses"),
     .scale = SCALE_OWN, .add = bench_add_chosen},
    {FIELD("solver.rounds", COUNT, OPTIONAL, "", "the last round that was needed"),
     .scale = SCALE_OWN, .add = bench_add_rounds},
    {FIELD("variation", OBJECT, OPTIONAL, "",
           "options of what the run varies of its start and times, where it does"),
     .scale = SCALE_INPUT, .add = bench_add_variation, .is_asked = 1},
    {FIELD("status", NAME, ALWAYS, "", "how the run ended"), .scale = SCALE_INPUT,
     .choices = bench_status_names, .add = bench_add_status},
    {FIELD("reason", TEXT, ALWAYS, "", "why the status is not ok"), .scale = SCALE_PLACE,
     AT(CHARS, reason)},
    {FIELD("dt", REAL, ALWAYS, "s", "step"), .range = FIELD_POSITIVE, .add = bench_add_dt},
    COUNT("steps", LONG, steps, "taken"),
    {FIELD("t_end", REAL, ALWAYS, "s", "horizon"), .range = FIELD_NOT_NEGATIVE,
     .add = bench_add_t_end},
    BLOCK("final", OWN, "the last sound state"),
    NUMBER("final.t", "s", NOT_NEGATIVE, t, "time reached"),
    {FIELD("final.q", REALS, ALWAYS, "m, rad", "coordinates"), .add = bench_add_q},
    {FIELD("final.u", REALS, ALWAYS, "m/s, rad/s", "velocities"), .add = bench_add_u},
    {FIELD("final.q_names", TEXTS, ALWAYS, "", ""), .add = bench_add_q_names},
    {FIELD("final.u_names", TEXTS, ALWAYS, "", ""), .add = bench_add_u_names},
    {FIELD("final.impulses", OBJECT, OPTIONAL, "",
           "of the contacts that carried in the last step, where there are few"),
     .add = bench_add_impulses},
    {FIELD("final.impulses.id", REALS, ALWAYS, "", "the contacts"), .scale = SCALE_EXACT},
    {FIELD("final.impulses.r", REALS, ALWAYS, "N s",
           "all of the first, normal first, then the next")},
    BLOCK("reference", LENGTH, "what errors are taken against"),
    {FIELD("reference.kind", NAME, ALWAYS, "",
           "closed form; event-driven; event itself, with a tighter tolerance; none"),
     .choices = references, AT(STRING, reference.kind)},
    NUMBER("reference.bound", "m, rad", NOT_NEGATIVE, reference.bound, "on its own error"),
    NUMBER("reference.until", "s", NOT_NEGATIVE, reference.until,
           "errors are taken up to this time; null: no reference"),
    {FIELD("reference.reason", TEXT, ALWAYS, "",
           "why there is none, no bound, or none up to t_end"),
     .scale = SCALE_PLACE, AT(CHARS, reference.reason)},
    BLOCK("errors", LENGTH, "against the reference"),
    MEASURED("errors.q_linf", "m, rad", NOT_NEGATIVE, errors.q_linf, "largest of the samples"),
    MEASURED("errors.q_l2", "m, rad", NOT_NEGATIVE, errors.q_l2, "root mean square of the samples"),
    MEASURED("errors.q_final", "m, rad", NOT_NEGATIVE, errors.q_final,
             "at t_end; null: the reference ends before"),
    MEASURED("errors.u_hausdorff", "-", NOT_NEGATIVE, errors.u_hausdorff,
             "distance of the graphs of velocity"),
    MEASURED("errors.q_mass_linf", "kg^1/2 m", NOT_NEGATIVE, errors.q_mass_linf,
             "largest sqrt(x^T M x), x the displacement in the units of u; null: too many to say"),
    MEASURED("errors.q_mass_l2", "kg^1/2 m", NOT_NEGATIVE, errors.q_mass_l2,
             "root mean square of these"),
    MEASURED("errors.q_mass_final", "kg^1/2 m", NOT_NEGATIVE, errors.q_mass_final, "at t_end"),
    MEASURED("errors.u_mass_l2", "J^1/2", NOT_NEGATIVE, errors.u_mass_l2,
             "root mean square of sqrt(du^T M du) over the samples"),
    MEASURED("errors.u_mass_final", "J^1/2", NOT_NEGATIVE, errors.u_mass_final, "at t_end"),
    BLOCK("energy", ENERGY, "final - initial is the sum of the budget"),
    NUMBER("energy.initial", "J", ANY, energy.initial, ""),
    MEASURED("energy.final", "J", ANY, energy.final, ""),
    BLOCK("energy.budget", ENERGY, "work done on the system: impulse times mean velocity"),
    MEASURED("energy.budget.friction", "J", ANY, energy.friction, "tangential contact impulses"),
    MEASURED("energy.budget.impact", "J", ANY, energy.impact, "normal contact impulses"),
    MEASURED("energy.budget.damping", "J", ANY, energy.damping, ""),
    MEASURED("energy.budget.applied", "J", ANY, energy.applied, "forces without potential"),
    MEASURED("energy.budget.inflow", "J", ANY, energy.inflow,
             "by bodies that come and go; null: none do"),
    MEASURED("energy.budget.numerical", "J", ANY, energy.numerical,
             "made (> 0) or lost by the integrator"),
    MEASURED("energy.max_numerical_drift", "J", NOT_NEGATIVE, energy.max_numerical_drift,
             "largest size of energy.budget.numerical on the way"),
    MEASURED("energy.max_synchronous_drift", "J", NOT_NEGATIVE, energy.max_synchronous_drift,
             "the same with velocities at the time of the coordinates, half a step from which "
             "those of semi-implicit Euler are"),
    MEASURED("energy.max_increase", "J", NOT_NEGATIVE, energy.max_increase,
             "largest rise of the energy in a step"),
    MEASURED("energy.max_kinetic", "J", NOT_NEGATIVE, energy.max_kinetic, "largest kinetic energy"),
    BLOCK("energy.errors", ENERGY, "mean differences over the samples from the reference"),
    {FIELD("energy.errors.reference", NAME, ALWAYS, "", "of the total"), .choices = references,
     AT(STRING, energy_errors.kind)},
    {FIELD("energy.errors.reason", TEXT, ALWAYS, "", "why there are none although errors are"),
     .scale = SCALE_PLACE, AT(CHARS, energy_errors.reason)},
    MEASURED("energy.errors.total", "J", NOT_NEGATIVE, energy_errors.total,
             "kinetic and potential energy, velocities at the time of the coordinates"),
    MEASURED("energy.errors.friction", "J", NOT_NEGATIVE, energy_errors.friction,
             "work of tangential contact impulses so far"),
    MEASURED("energy.errors.impact", "J", NOT_NEGATIVE, energy_errors.impact,
             "work of normal contact impulses so far"),
    MEASURED("energy.errors.damping", "J", NOT_NEGATIVE, energy_errors.damping,
             "work of dampers so far"),
    BLOCK("start", LENGTH, "how well the initial state meets the constraints"),
    NUMBER("start.gap_min", "m", ANY, start.gap_min,
           "smallest gap of the closed contacts; null: none is closed"),
    NUMBER("start.g_S_max", "m", NOT_NEGATIVE, start.g_S_max,
           "largest bilateral gap; null: no bilateral constraints"),
    NUMBER("start.gamma_S_max", "m/s", NOT_NEGATIVE, start.gamma_S_max, "largest rate of one"),
    BLOCK("constraints", LENGTH, "largest violations on the way"),
    MEASURED("constraints.position_max", "m", NOT_NEGATIVE, constraints.position_max,
             "bilateral gap; of angles in rad"),
    MEASURED("constraints.velocity_max", "m/s", NOT_NEGATIVE, constraints.velocity_max,
             "rate of a bilateral gap"),
    MEASURED("constraints.penetration_max", "m", NOT_NEGATIVE, constraints.penetration_max, ""),
    MEASURED("constraints.gap_drift", "m", NOT_NEGATIVE, constraints.gap_drift,
             "gap of a contact that carried in the step and in the one before"),
    MEASURED("constraints.dependent", "", NOT_NEGATIVE, constraints.dependent,
             "bilateral constraints that depend on others; null: not told"),
    BLOCK("law", SPEED, "residuals of the one-step problems by the law's own measure"),
    MEASURED("law.residual_max", "m/s", NOT_NEGATIVE, law.residual_max, "of a step"),
    MEASURED("law.residual_p50", "m/s", NOT_NEGATIVE, law.residual_p50, "median of the steps"),
    MEASURED("law.relative_b_max", "-", NOT_NEGATIVE, law.relative_b_max,
             "over the largest free velocity of a contact"),
    BLOCK("law.at", PLACE, "where the residual was largest"),
    COUNT_IF("law.at.step", LONG, law.at_step, 1, "1, 2, ...; null: no problem was solved"),
    COUNT_IF("law.at.contact", LONG, law.at_contact, 0, "id"),
    MEASURED("law.duality_gap", "J", ANY, law.duality_gap, "largest one; null: not convex"),
    {FIELD("law.objective", REAL, NULLABLE, "J", "of the step with the largest duality gap"),
     .scale = SCALE_PLACE, .range = FIELD_ANY, AT(DOUBLE, law.objective), .is_measured = 1},
    MEASURED("law.signorini", "m/s", NOT_NEGATIVE, law.signorini,
             "residual of Signorini's condition"),
    MEASURED("law.cone", "N s", NOT_NEGATIVE, law.cone, "violation of the friction cone"),
    MEASURED("law.angle", "rad", NOT_NEGATIVE, law.angle, "between friction and sliding"),
    MEASURED("law.dissipation_shortfall", "J", ANY, law.dissipation_shortfall,
             "dissipation in a step below that of Coulomb's friction; negative where it is above"),
    BLOCK("momentum", IMPULSE,
          "held against the impulses in a sample of the steps; null: these are not told"),
    MEASURED("momentum.balance_max", "-", NOT_NEGATIVE, momentum.balance_max,
             "largest |M du - h dt - W r - W_S r_S|, over |M du| + |h dt| + |W r|, in the norm of "
             "M^-1, everything in one configuration: falls with the step"),
    MEASURED("momentum.linear", "N s", NOT_NEGATIVE, momentum.linear,
             "largest change in a step that no impulse explains, of rigid bodies in space"),
    MEASURED("momentum.angular", "N m s", NOT_NEGATIVE, momentum.angular,
             "the same of the angular momentum about the origin"),
    BLOCK("iterations", OWN, "of the solver"),
    COUNT("iterations.total", LONG, iterations.total, "over the run"),
    MEASURED("iterations.mean", "", NOT_NEGATIVE, iterations.mean, "a step"),
    COUNT("iterations.max", INT, iterations.max, "in a step"),
    MEASURED("iterations.p95", "", NOT_NEGATIVE, iterations.p95, "95th percentile of the steps"),
    COUNT("iterations.solves", LONG, iterations.solves, "one-step problems solved"),
    COUNT("iterations.unconverged_steps", LONG, iterations.unconverged_steps,
          "steps in which a solve missed its tolerance"),
    COUNT("iterations.internal_steps", LONG, iterations.internal_steps,
          "steps inside the steps of adaptive methods"),
    {FIELD("iterations.evaluations", COUNT, NEWER, "",
           "of all forces at a state, by penalty and event; null: not counted"),
     AT(LONG, iterations.evaluations), .least = 1},
    MEASURED("iterations.newton_residual", "-", NOT_NEGATIVE, iterations.newton,
             "of inner Newton iterations, scaled, the largest"),
    BLOCK("contacts", OWN, ""),
    COUNT("contacts.max", INT, contacts.max, "in a one-step problem"),
    MEASURED("contacts.mean", "", NOT_NEGATIVE, contacts.mean, "a step"),
    COUNT("contacts.onsets", LONG, contacts.onsets,
          "contacts that carried in a step and not in the one before, over the run"),
    MEASURED("contacts.impacts_max", "", NOT_NEGATIVE, contacts.phases,
             "successive impacts in a step of impulse stepping (restitution=step), the most"),
    MEASURED("contacts.impacts_capped", "", NOT_NEGATIVE, contacts.capped,
             "steps in which the option phases cut them short: the last ones got no rebound"),
    BLOCK("quality", INPUT, "is the run fit for conclusions?"),
    {FIELD("quality.verdict", NAME, NULLABLE, "",
           "good, poor above the first threshold, useless above the second; null: not judged"),
     .choices = verdicts, AT(STRING, quality.verdict)},
    {FIELD("quality.why", TEXT, ALWAYS, "", "the measure that decided, or why there is no verdict"),
     .scale = SCALE_PLACE, AT(CHARS, quality.why)},
    BLOCK("quality.thresholds", INPUT, "for each of the relative measures"),
    NUMBER("quality.thresholds.poor", "", NOT_NEGATIVE, quality.poor_above, ""),
    NUMBER("quality.thresholds.useless", "", NOT_NEGATIVE, quality.useless_above, ""),
    BLOCK("quality.scales", INPUT, "what the measures are over"),
    NUMBER("quality.scales.length", "m", NOT_NEGATIVE, quality.length, "of the system"),
    MEASURED(
        "quality.scales.energy", "J", NOT_NEGATIVE, quality.energy,
        "at stake in the reference; without one the run's largest kinetic energy; null: at rest"),
    BLOCK("quality.measures", ONE, "relative; null: not known"),
    MEASURED("quality.measures.position", "-", NOT_NEGATIVE, quality.position,
             "errors.q_linf over length"),
    MEASURED("quality.measures.total_energy", "-", NOT_NEGATIVE, quality.total,
             "energy.errors.total over energy"),
    MEASURED("quality.measures.friction", "-", NOT_NEGATIVE, quality.friction,
             "energy.errors.friction over energy"),
    MEASURED("quality.measures.impact", "-", NOT_NEGATIVE, quality.impact,
             "energy.errors.impact over energy"),
    MEASURED("quality.measures.damping", "-", NOT_NEGATIVE, quality.damping,
             "energy.errors.damping over energy"),
    MEASURED("quality.measures.drift", "-", NOT_NEGATIVE, quality.drift,
             "energy.max_synchronous_drift over energy"),
    {FIELD(
         "contact", OBJECT, OPTIONAL, "",
         "the one-contact problem that the initial state poses, solved by every law with a closed "
         "form"),
     .add = bench_add_contact},
    {FIELD("observables", OBJECT, OPTIONAL, "", "of the case"), .add = bench_add_observables},
    {FIELD("trajectory", OBJECT, OPTIONAL, "", "samples, where they were asked for"),
     .add = bench_add_trajectory},
    {FIELD("trajectory.t", REALS, ALWAYS, "s", "")},
    {FIELD("trajectory.q", OBJECT, ALWAYS, "m, rad", "a list a coordinate, by name")},
    {FIELD("trajectory.u", OBJECT, ALWAYS, "m/s, rad/s", "a list a velocity, by name")},
    {FIELD("trajectory.energy", REALS, ALWAYS, "J", "")},
    {FIELD("trajectory.impulses", OBJECT, OPTIONAL, "",
           "contacts that carried in the step before each sample, where every step is one")},
    {FIELD("trajectory.impulses.n", REALS, ALWAYS, "", "how many, a sample")},
    {FIELD("trajectory.impulses.id", REALS, ALWAYS, "", "they, sample after sample")},
    {FIELD("trajectory.impulses.r", REALS, ALWAYS, "N s",
           "their impulses, normal first, as many components each")},
    {FIELD("search", OBJECT, OPTIONAL, "", "for the largest step"), .add = bench_add_search},
    {FIELD("search.criterion", TEXT, ALWAYS, "", "what a step has to meet")},
    {FIELD("search.limit", REAL, ALWAYS, "", "of errors.q_linf over length; 0: stability alone"),
     .range = FIELD_NOT_NEGATIVE},
    {FIELD("search.length", REAL, ALWAYS, "m", "of the system"), .range = FIELD_NOT_NEGATIVE},
    {FIELD("search.lo", REAL, ALWAYS, "s", "smallest step"), .range = FIELD_POSITIVE},
    {FIELD("search.hi", REAL, ALWAYS, "s", "largest step"), .range = FIELD_POSITIVE},
    {FIELD("search.ratio", REAL, ALWAYS, "", "how near a limit is found"), .range = FIELD_POSITIVE},
    {FIELD("search.largest_accurate_dt", REAL, NULLABLE, "s", "null: no step tried")},
    {FIELD("search.largest_stable_dt", REAL, NULLABLE, "s", "null: no step tried")},
    {FIELD("search.trials", LIST, ALWAYS, "", "{dt, status, q_linf} in the order tried")},
    {FIELD("threshold", OBJECT, OPTIONAL, "",
           "search for the parameter at which an outcome changes"),
     .add = bench_add_threshold},
    {FIELD("threshold.parameter", TEXT, ALWAYS, "", "of the case, or dt")},
    {FIELD("threshold.condition", TEXT, ALWAYS, "", "on the record of a run")},
    {FIELD("threshold.lo", REAL, ALWAYS, "", "smallest value, in the parameter's unit")},
    {FIELD("threshold.hi", REAL, ALWAYS, "", "largest value")},
    {FIELD("threshold.tolerance", REAL, ALWAYS, "", "over hi - lo"), .range = FIELD_POSITIVE},
    {FIELD("threshold.holds", REAL, NULLABLE, "",
           "of the nearest two found between which it changes")},
    {FIELD("threshold.fails", REAL, NULLABLE, "", "the other one; null: it does not change")},
    {FIELD("threshold.trials", LIST, ALWAYS, "",
           "{value, status, measured, holds} in the order tried")},
    {FIELD("ensemble", OBJECT, OPTIONAL, "", "the run many times over, varied"),
     .add = bench_add_ensemble},
    {FIELD("ensemble.asked", OBJECT, ALWAYS, "", "options of the ensemble"), .scale = SCALE_INPUT},
    {FIELD("ensemble.level", REAL, ALWAYS, "", "of the intervals"), .scale = SCALE_INPUT},
    {FIELD("ensemble.summary", OBJECT, ALWAYS, "",
           "of each number over the members: how many have it (n; the others count as infinite), "
           "median, 10 and 90 % quantiles (p10, p90), and a bootstrap interval of the median (lo, "
           "hi); null: infinite, or none"),
     .scale = SCALE_OWN},
    {FIELD("ensemble.members", LIST, ALWAYS, "",
           "{options, status, quality, numbers}: words that make the member of the command in "
           "place of --ensemble; numbers in the order of the summary's"),
     .scale = SCALE_COLUMN},
    BLOCK("timing", OWN, "differs between runs"),
    NUMBER("timing.total_s", "s", NOT_NEGATIVE, timing.total,
           "wall time, with all repeats, of searches with all trials"),
    NUMBER("timing.steps_s", "s", NOT_NEGATIVE, timing.steps,
           "wall time of the steps, median of the repeats"),
    NUMBER("timing.cpu_s", "s", NOT_NEGATIVE, timing.cpu,
           "processors' time in the steps, median of the repeats"),
    {FIELD("timing.members_cpu_s", REALS, OPTIONAL, "s",
           "processors' time in the steps of each member of an ensemble"),
     .add = bench_add_members_cpu},
    {FIELD("timing.repeats", OBJECT, OPTIONAL, "", "all times taken"), .add = bench_add_repeats},
    {FIELD("timing.repeats.asked", COUNT, ALWAYS, "", "by --repeat; 0: the times are of one run")},
    {FIELD("timing.repeats.runs", REALS, ALWAYS, "",
           "whole runs in each repeat, of which its times are the mean")},
    {FIELD("timing.repeats.steps_s", REALS, ALWAYS, "s",
           "wall time of the steps, in the order taken; fewer than asked for where time or memory "
           "ran out")},
    {FIELD("timing.repeats.cpu_s", REALS, ALWAYS, "s", "processors' time in the steps")},
    {FIELD("timing.repeats.quartile_1_s", REAL, NULLABLE, "s",
           "of steps_s; null: of fewer than three"),
     .range = FIELD_NOT_NEGATIVE},
    {FIELD("timing.repeats.quartile_3_s", REAL, NULLABLE, "s", ""), .range = FIELD_NOT_NEGATIVE},
    {FIELD("timing.processes_cpu_s", REAL, OPTIONAL, "s",
           "the same of a solver's own processes, which timing.cpu_s leaves out"),
     .range = FIELD_NOT_NEGATIVE, .add = bench_add_processes_cpu},
    NUMBER("timing.reference_s", "s", NOT_NEGATIVE, timing.reference, "wall time of the reference"),
    {FIELD("timing.per_step_s", REAL, NULLABLE, "s", ""), .range = FIELD_NOT_NEGATIVE,
     .add = bench_add_per_step},
    {FIELD("timing.memory_bytes", REAL, NULLABLE, "bytes", "most that the run's arenas held"),
     .range = FIELD_NOT_NEGATIVE, AT(SIZE, timing.memory)},
    NUMBER("timing.peak_memory_bytes", "bytes", NOT_NEGATIVE, timing.peak,
           "most that the process held, code and libraries included"),
    COUNT_IF("timing.threads", INT, timing.threads, 1, "of parallel solvers"),
    {FIELD("provenance", OBJECT, ALWAYS, "", "differs between builds and machines"),
     .add = bench_add_provenance},
    {FIELD("provenance.program", TEXT, ALWAYS, "", "")},
    {FIELD("provenance.version", TEXT, ALWAYS, "", "")},
    {FIELD("provenance.commit", TEXT, ALWAYS, "", "")},
    {FIELD("provenance.dirty", FLAG, ALWAYS, "", "the sources were not those of the commit")},
    {FIELD("provenance.compiler", TEXT, ALWAYS, "", "")},
    {FIELD("provenance.flags", TEXT, ALWAYS, "", "")},
    {FIELD("provenance.cpu", TEXT, ALWAYS, "", "")},
    BENCH_FIELDS_MACHINE,
    {FIELD("provenance.libraries", OBJECT, ALWAYS, "", "with versions")},
    {FIELD("provenance.command", TEXT, ALWAYS, "", "repeats the run")},
    {FIELD("provenance.key", TEXT, OPTIONAL, "", "what decided the result")},
    {FIELD("provenance.checksum", TEXT, OPTIONAL, "", "of all but timing and provenance")},
};
const int bench_fields_count = sizeof bench_fields / sizeof *bench_fields;

const struct bench_field *bench_field_find(const char *path) {
  for (int i = 0; i < bench_fields_count; ++i) {
    if (strcmp(bench_fields[i].path, path) == 0) {
      return &bench_fields[i];
    }
  }
  return NULL;
}

int bench_field_has_parts(const struct bench_field *field) {
  const size_t length = strlen(field->path);
  const struct bench_field *next = field + 1;
  return next < bench_fields + bench_fields_count &&
         strncmp(next->path, field->path, length) == 0 && next->path[length] == '.';
}

int bench_field_may_be_null(const struct bench_field *field) {
  return field->presence == FIELD_NULLABLE || field->presence == FIELD_NEWER ||
         (field->presence == FIELD_OPTIONAL && field->type == FIELD_REAL); /* not finite */
}

int bench_field_may_be_missing(const struct bench_field *field) {
  return field->presence == FIELD_OPTIONAL || field->presence == FIELD_NEWER;
}

void bench_fields_pass(struct base_blob *blob, struct bench_outcome *out) {
  static const size_t sizes[] = {[FIELD_DOUBLE] = sizeof(double),
                                 [FIELD_INT] = sizeof(int),
                                 [FIELD_LONG] = sizeof(long),
                                 [FIELD_SIZE] = sizeof(size_t)};
  for (int i = 0; i < bench_fields_count; ++i) {
    const struct bench_field *f = &bench_fields[i];
    if (f->store != FIELD_ELSEWHERE && f->store != FIELD_STRING && f->store != FIELD_CHARS) {
      base_blob_pass(blob, (char *)out + f->offset, sizes[f->store]);
    }
  }
}

void bench_fields_void(struct bench_outcome *out) {
  for (int i = 0; i < bench_fields_count; ++i) {
    if (bench_fields[i].is_measured) {
      *(double *)((char *)out + bench_fields[i].offset) = NAN;
    }
  }
}
