/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * moeller-2.57: the example of projected Jacobi with and without recovered steps, G = diag(1e4, 1)
 * and c = (1, 1), by the program's own solver `pjacobi`. The body of this case with other masses is
 * a contact whose tangential part is that example,
 *
 *   A = diag(3, 1e4, 1),  b = (-3, 1, 1),  mu = 2^1/2:   r = (1, -1e-4, -1), it sticks,
 *
 * so that the disk of the friction holds the solution as the source has it. With rho=diagonal one
 * step of omega over the largest element of the tangential block serves both (2.44); each iteration
 * leaves 1 - 1e-4 omega of the error of the other component, which starts at 1, its own size: the
 * relative accuracy. The residual is of the exact law, (mu |v_T|, v_T) over what no impulses leave of it,
 * 3 / (1 + mu^2)^1/2: it is that accuracy, too. The source asks for 1e-9.
 *
 * The same contact as the case has it, where the bodies couple normal and tangential parts, by the
 * projected Newton iteration (2.72): digits cost the same number of iterations each.
 */
#include "cases/academic-contact/academic-contact.h"

#include "base/status.h"

#include <math.h>

/* m = 2 (mx + my + mz) = 1 kg, m dx^2 / I_z = 9999, m dx^2 / I_y = 2. */
#define BODY                                                                                       \
  "frame=orthonormal mx=1e-6 my=0.25 mz=0.249999 dx=1 dy=0.0140007136 dz=1 nx=0 ny=0 nz=1 bx=1 "   \
  "by=-1 bz=3 mu=1.4142135623730951"

const struct case_runs academic_contact_jacobi_runs[] = {
    {.label = "{label}-{#tol}",
     .formulation = "ncp",
     .solver = "pjacobi",
     .set = BODY,
     .opt = "rho=diagonal recover={recover} tol={tol} max_iter=1000000",
     .dt = "1e-3",
     .t_end = "1e-3", /* one solve */
     .sample = "1e-3",
     .over = {{"label/recover", "plain/no recovered/yes"},
              {"tol", "1e-2 1e-3 1e-4 1e-5 1e-6 1e-7 1e-8 1e-9"}}},
    {.label = "smaller",
     .formulation = "ncp",
     .solver = "pjacobi",
     .set = BODY,
     .opt = "rho=diagonal recover=no omega=0.5 tol=1e-9 max_iter=1000000",
     .dt = "1e-3",
     .t_end = "1e-3"},
    {.label = "newton-{tol}",
     .formulation = "ncp",
     .solver = "pnewton",
     .opt = "tol={tol} max_iter=1000000",
     .dt = "1e-3",
     .t_end = "1e-3",
     .over = {{"tol", "1e-3 1e-6 1e-9"}}},
    {0}};

/* Of the tangential block, over the source's. */
static double larger_element(const struct case_results *r, const struct case_series *s, int k) {
  struct academic_problem problem;
  (void)r, (void)k;
  return academic_contact_read(s, &problem) == BASE_OK ? problem.A[4] / 1e4 : NAN;
}

static double smaller_element(const struct case_results *r, const struct case_series *s, int k) {
  struct academic_problem problem;
  (void)r, (void)k;
  return academic_contact_read(s, &problem) == BASE_OK ? problem.A[8] : NAN;
}

/* What is left of the velocity of the smaller component: its error over its size, 1 N s. */
static double accuracy(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return fabs(s->u[(size_t)(s->n - 1) * (size_t)s->nu + 1]);
}

/* Iterations from 1e-6 to 1e-9 over those from 1e-3 to 1e-6. */
static double later_digits(const struct case_results *r, const struct case_series *s, int k) {
  const struct case_series *middle = case_result(r, NULL, "newton-1e-6"),
                           *first = case_result(r, NULL, "newton-1e-3");
  (void)k;
  if (middle == NULL || first == NULL) {
    return NAN;
  }
  const double n = case_number(middle, "iterations.total");
  return (case_number(s, "iterations.total") - n) / (n - case_number(first, "iterations.total"));
}

const struct case_table academic_contact_jacobi_tables[] = {
    {.name = "{label}",
     .runs = "{label}-{#tol}",
     .along = "tol",
     .columns = {{"iterations[-]", "iterations.total"}, {"tol[-]", "{tol}"}}},
    {0}};

const struct case_check academic_contact_jacobi_checks[] = {
    {.what = "the contact's larger tangential element over that of the example",
     .runs = "plain-0",
     .value = larger_element,
     .claim = {1 - 1e-6, 1 + 1e-6, .expected = "1"}},
    {.what = "the smaller one",
     .runs = "plain-0",
     .value = smaller_element,
     .claim = {1 - 1e-9, 1 + 1e-9, .expected = "1"}},
    {.what = "iterations of projected Jacobi (2.45) to 1e-9",
     .runs = "plain-7",
     .path = "iterations.total",
     .claim = {207220, 207226, .expected = "ln(1e-9)/ln(1 - 1e-4) = 207222.3",
               .published = "more than 10^5 (moeller 2.57)"}},
    {.what = "relative accuracy then",
     .runs = "plain-7",
     .value = accuracy,
     .claim = {0.9998e-9, 1e-9, .expected = "1e-9, and 1 - 1e-4 of it at most in the last step",
               .published = "1e-9 (moeller 2.57)"}},
    {.what = "iterations with half the factor over that",
     .runs = "smaller",
     .over = "plain-7",
     .path = "iterations.total",
     .claim = {1.999, 2.002, .expected = "ln(1 - 1e-4)/ln(1 - 0.5e-4) = 2.0001",
               .published = "a smaller factor does not remove convergence, it is slower (moeller "
                            "2.5.1)"}},
    {.what = "iterations with recovered steps (2.63) to 1e-9",
     .runs = "recovered-7",
     .path = "iterations.total",
     .claim = {1, 1, .published = "one step (moeller 2.58)"}},
    {.what = "projected Newton (2.72): iterations from 1e-6 to 1e-9 over those from 1e-3 to 1e-6",
     .runs = "newton-1e-9",
     .value = later_digits,
     .claim = {0.9, 1.1, .expected = "1, linear; 1/2 and less if it were quadratic",
               .published = "not expected to be quadratic (moeller 2.5.5)"}},
    {0}};

const struct case_panel academic_contact_jacobi_panels[] = {
    {.x = "iterations",
     .y = "relative residual asked for",
     .log = "xy",
     .x_range = {0.5, 1e6},
     .y_range = {3e-10, 0.3},
     .key = "foot",
     .curves = {{"projected Jacobi (2.45)", "plain", 1, 2, .look = "violet",
                 .with = CASE_LINESPOINTS},
                {"recovered steps (2.63)", "recovered", 1, 2, .look = "red",
                 .with = CASE_LINESPOINTS}}},
    {0}};
