/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formulas of cases in expressions of figures: "case.name(a, b)" of numbers, entry by entry of
 * vectors.
 */
#include "base/status.h"
#include "bench/figure/file.h"

enum { NUMBERS_MAX = 8 }; /* that a formula takes */

enum frame_answer figure_formula(const struct case_function *f, const char *name,
                                 const struct case_parameters *p, struct base_arena *arena, int n,
                                 const struct frame_value *x, struct frame_value *value) {
  const int length = frame_common_length(n, x);
  double numbers[NUMBERS_MAX];
  int has_texts = 0;
  for (int i = 0; i < n; ++i) {
    has_texts |= x[i].kind == FRAME_TEXT;
  }
  if (n != f->n_numbers || n > NUMBERS_MAX || length == -2 || has_texts) {
    base_fail(BASE_E_INPUT, "%s() takes %d numbers, or vectors of one length", name, f->n_numbers);
    return FRAME_REFUSED;
  }
  double *out = frame_vector_or_number(arena, length, value);
  for (int k = 0; k < (length >= 0 ? length : 1); ++k) {
    for (int i = 0; i < n; ++i) {
      numbers[i] = frame_entry(&x[i], k);
    }
    out[k] = f->formula(p, numbers);
  }
  return FRAME_FOUND;
}
