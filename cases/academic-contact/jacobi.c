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

const struct case_function academic_contact_jacobi_functions[] = {
    {"larger_element", .value = larger_element},
    {"smaller_element", .value = smaller_element},
    {"accuracy", .value = accuracy},
    {"later_digits", .value = later_digits},
    {0}};
