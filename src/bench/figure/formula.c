/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formulas of cases in expressions of figures: "case.name(a, b)" of numbers, entry by entry of
 * vectors.
 */
#include "base/status.h"
#include "bench/figure/file.h"

enum { NUMBERS_MAX = 8 }; /* that a formula takes */

/* The one length of the vectors among n arguments: -1: there are none; -2: they are no such
 * arguments. */
static int common_length(int n, const struct frame_value *x) {
  int length = -1;
  for (int i = 0; i < n; ++i) {
    const int own = x[i].kind == FRAME_LIST ? x[i].list->n : -1;
    if (x[i].kind == FRAME_TEXT || (own >= 0 && length >= 0 && own != length)) {
      return -2;
    }
    length = own >= 0 ? own : length;
  }
  return length;
}

enum frame_answer figure_formula(const struct case_function *f, const char *name,
                                 const struct case_parameters *p, struct base_arena *arena, int n,
                                 const struct frame_value *x, struct frame_value *value) {
  const int length = common_length(n, x);
  double numbers[NUMBERS_MAX];
  if (n != f->n_numbers || n > NUMBERS_MAX || length == -2) {
    base_fail(BASE_E_INPUT, "%s() takes %d numbers, or vectors of one length", name, f->n_numbers);
    return FRAME_REFUSED;
  }
  *value = frame_number(0);
  double *out = length >= 0 ? frame_vector(arena, length, value) : &value->number;
  for (int k = 0; k < (length >= 0 ? length : 1); ++k) {
    for (int i = 0; i < n; ++i) {
      numbers[i] = x[i].kind == FRAME_LIST ? x[i].list->x[k] : x[i].number;
    }
    out[k] = f->formula(p, numbers);
  }
  return FRAME_FOUND;
}
