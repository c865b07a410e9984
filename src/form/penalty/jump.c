/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Jumps of prescribed velocity under `penalty`. Contact forces are finite and have no part in an
 * impact; constraints by multipliers have,
 *
 *   M (u^+ - u^-) = W_S Lambda_S,   W_S^T u^+ + chi^+ = 0,
 *
 * and springs feel what they are approached with afterwards. Of the work, impulse times mean
 * velocity, -Lambda_S . (chi^- + chi^+) / 2 is what drives put in (applied), Lambda_S . gamma_S^- /
 * 2 with gamma_S^- = W_S^T u^- + chi^- what is lost where velocities given do not fit (impact).
 */
#include "form/penalty/penalty.h"
#include "la/dense.h"

#include "base/status.h"

int penalty_jump(struct penalty_flow *flow, double t, const double *chi, double *y, int *jumped) {
  const struct mech *m = flow->m;
  double *u = y + m->nq, *works = u + m->nu;
  struct base_arena *arena = flow->arena;
  mech_set_time(m, mech_phase_time(&flow->phase, t));
  *jumped = m->ns > 0 && flow->options->bilateral == PENALTY_MULTIPLIER &&
            mech_rates_jump(m, y, u, arena);
  if (!*jumped) {
    return BASE_OK;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *L = base_arena_push(arena, mech_mass_size(m) * sizeof *L);
  double *gamma = base_arena_doubles(arena, m->ns), *x = base_arena_doubles(arena, m->ns);
  double *after = base_arena_doubles(arena, m->ns); /* chi */
  int status = mech_mass_factor(m, y, L);
  status = status != BASE_OK ? status : mech_bilateral_build(flow->bilateral, y, L);
  if (status == BASE_OK) {
    mech_bilateral_gamma(flow->bilateral, y, u, gamma);
    if (m->ops->driven.bilateral_drift != NULL) {
      m->ops->driven.bilateral_drift(m, y, after);
    }
    la_copy(m->ns, gamma, x);
    mech_bilateral_eliminate(flow->bilateral, 1, x, u); /* x is -Lambda_S now */
    for (int i = 0; i < m->ns; ++i) {
      const double before = chi != NULL ? chi[i] : after[i];
      works[PENALTY_APPLIED] += x[i] * 0.5 * (before + after[i]);
      works[PENALTY_IMPACT] -= x[i] * 0.5 * (gamma[i] + before - after[i]);
    }
  }
  base_arena_release(arena, mark);
  return status;
}
