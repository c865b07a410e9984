/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The figures of the free top on series made here, without runs: right ones pass every check, and
 * each check fails for some fault.
 */
#include "cases/free-top/free-top.h"
#include "tests/figure_fake.h"
#include "tests/test.h"

#include <stdio.h>

enum { N_OUT = 12, SHEAR = 11 };

static int first_order(const char *formulation) {
  return strcmp(formulation, "consistent-coordinate") == 0 ||
         strcmp(formulation, "consistent-decomposed") == 0 ||
         strcmp(formulation, "consistent-onestep") == 0 ||
         strcmp(formulation, "consistent-twostep") == 0;
}

/* The shear that (5.31) leaves in its first step, dt^2/4 omega_1 omega_2', over dt^2. */
static double first_shear(const struct case_parameters *p) {
  const double w1 = case_real(p, "w1_0"), w3 = case_real(p, "w3_0");
  return 0.25 * fabs(w1 * (case_real(p, "I3") - case_real(p, "I1")) / case_real(p, "I2") * w3 * w1);
}

/* The exact rotation, with a shear rate that alternates by dt^2 for (5.31), and errors of order. */
static void fill(struct figure_fake *f, int i) {
  const struct case_run *run = &f->plan.runs[i];
  const double dt = run->dt, sample = run->sample > 0 ? run->sample : dt;
  const int shears = strcmp(run->formulation, "consistent-constant") == 0;
  char record[200];
  snprintf(
      record, sizeof record,
      "{'energy': {'max_numerical_drift': 1e-14, 'initial': 5.5}, 'errors': {'q_linf': %.17g}}",
      first_order(run->formulation) ? 5 * dt : 3 * dt * dt);
  const struct case_series *s =
      figure_fake_samples(f, i, (int)lrint(run->t_end / sample) + 1, sample, N_OUT, N_OUT, record);
  for (int k = 0; k < s->n; ++k) {
    double *u = figure_fake_u(f, i, k);
    f->plan.file->type->reference(f->parameters, s->t[k], figure_fake_q(f, i, k), u);
    u[SHEAR] = shears && k % 2 == 1 ? -first_shear(f->parameters) * dt * dt * cos(s->t[k]) : 0;
    figure_fake_energy(f, i)[k] = 5.5;
  }
}

static void drifts(struct figure_fake *f, int i) {
  *figure_fake_number(f, i, "energy.max_numerical_drift") = 1e-10;
}
static void errs_more(struct figure_fake *f, int i) {
  *figure_fake_number(f, i, "errors.q_linf") *= 2;
}

static void has_another_body(struct figure_fake *f, int i) {
  const struct case_run *run = &f->plan.runs[i];
  for (int k = 0; k < run->n_names; ++k) {
    struct case_name *name = (struct case_name *)&run->names[k];
    if (strcmp(name->name, "body") == 0) {
      name->text = strcmp(name->text, "quaternion") == 0 ? "affine" : "quaternion";
    }
  }
}

/* What one sample has, of those that have it. */
static void add(struct figure_fake *f, int i, int sample, int column, double x) {
  if (sample < f->series[i].n) {
    (column < N_OUT ? figure_fake_q(f, i, sample) : figure_fake_u(f, i, sample) - N_OUT)[column] +=
        x;
  }
}
static void bends(struct figure_fake *f, int i) { add(f, i, 77, 5, 1e-12); }
static void is_lost(struct figure_fake *f, int i) { add(f, i, 77, 5, NAN); }
static void shears_once(struct figure_fake *f, int i) { add(f, i, 50, N_OUT + SHEAR, 1e-12); }
static void shears_late(struct figure_fake *f, int i) { add(f, i, 4000, N_OUT + SHEAR, 1e-3); }

static void scale_shear(struct figure_fake *f, int i, double factor) {
  for (int k = 0; k < f->series[i].n; ++k) {
    figure_fake_u(f, i, k)[SHEAR] *= factor;
  }
}
static void is_of_first_order(struct figure_fake *f, int i) { scale_shear(f, i, 2); }
static void is_too_small_to_see(struct figure_fake *f, int i) { scale_shear(f, i, 1e-3); }
static void does_not_turn(struct figure_fake *f, int i) {
  for (int k = 0; k < f->series[i].n; ++k) {
    figure_fake_u(f, i, k)[SHEAR] =
        -1e-4 * first_shear(f->parameters) * (1 - exp(-0.1 * k)) / (1 - exp(-10));
  }
}

static figure_fake_change *const faults[] = {
    has_another_body,  drifts,        errs_more,           bends, is_lost, shears_once, shears_late,
    is_of_first_order, does_not_turn, is_too_small_to_see, NULL};

TEST(moeller_rigid) { figure_fake_every_check_can_fail("moeller-rigid", fill, faults, 100); }
TEST(moeller_5_2) { figure_fake_every_check_can_fail("moeller-5.2", fill, faults, 100); }
