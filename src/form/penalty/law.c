/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The contact law of `penalty`. With pen = -g_N > 0 and pen' = -gamma_N,
 *
 *   linear   K pen + D pen'                        n = 1  (as in yu)
 *   hertz    K pen^(3/2) + damping                 n = 3/2, K = 4/3 E* sqrt(R)
 *
 * with the damping  D pen^((n-1)/2) pen'  (viscous)  or  chi K pen^n pen'  (hunt-crossley), either
 * for either spring; max(f_N, 0) with clamp. No force acts at pen <= 0.
 *
 * Where D or chi is not given it follows from eps_N: place.c.
 *
 * Friction either regularised,
 *
 *   f_T = -mu max(f_N, 0) tanh(|v_T| / v_reg) v_T / |v_T|,
 *
 * which creeps under any load, or by springs with memory (spring.c). Friction never takes
 * part in attraction. A contact with mu = 0 (a rope) has none.
 *
 * What of this depends on the configuration alone is computed once for all velocities there
 * (place.c). Rigid bodies are turned into the world's axes once an evaluation (world.h). Contacts
 * are gone through in blocks, and all that is done for one is done while it is in the cache; by
 * several threads, where there are many.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "form/penalty/penalty.h"
#include "la/dense.h"

void penalty_law_reserve(struct penalty_flow *flow) {
  struct penalty_force *force = &flow->force;
  const size_t width = (size_t)flow->history.width;
  force->r = penalty_flow_renew(flow, force->r, sizeof *force->r);
  force->slips = penalty_flow_renew(flow, force->slips, sizeof *force->slips);
  force->along = penalty_flow_renew(flow, force->along, width * sizeof *force->along);
  force->fresh = penalty_flow_renew(flow, force->fresh, width * sizeof *force->fresh);
  for (int d = 0; d < flow->m->dim; ++d) {
    force->lossy[d] = penalty_flow_renew(flow, force->lossy[d], sizeof *force->lossy[d]);
  }
}

/* tanh(|v_T| / v_reg) / |v_T|; 0 at rest; v: n. */
static double regularised_share(const struct penalty_flow *flow, int n, const double *v) {
  const double speed = la_norm2(n, v);
  return speed > 0 ? tanh(speed / flow->options->v_reg) / speed : 0;
}

/* The damping of contact i at the velocity v along n [N s/m]. */
static inline double damping_now(const struct penalty_flow *flow, struct penalty_known *known,
                                 int i, double pen, double spring, double v) {
  return penalty_is_by_speed(flow->options) ? penalty_place_damping(flow, known, i, pen, spring, -v)
                                            : flow->place.damping[i];
}

void penalty_law_slopes(const struct penalty_flow *flow, struct penalty_known *known, int i,
                        const double *v, struct penalty_slopes *slopes) {
  const struct penalty_options *o = flow->options;
  const struct penalty_place *place = &flow->place;
  const int dim = flow->touch.contacts.dim;
  double stiffness;
  const double pen = penalty_penetration(flow, i, &stiffness);
  *slopes = (struct penalty_slopes){.k = penalty_exponent(o) * stiffness,
                                    .d = damping_now(flow, known, i, pen, stiffness * pen, v[0])};
  if (!(flow->touch.contacts.mu[i] > 0) || dim == 1) {
    return;
  }
  if (o->tangential == PENALTY_REGULARISED) {
    const double share = regularised_share(flow, dim - 1, v + 1);
    slopes->d_T =
        flow->touch.contacts.mu[i] * fmax(flow->force.r[i], 0) * (share > 0 ? share : 1 / o->v_reg);
  } else if (flow->force.slips[i]) {
    slopes->slip = place->k_T[i] / place->d_T[i];
  } else {
    slopes->k_T = place->k_T[i];
    slopes->d_T = place->d_T[i];
  }
}

/* Regularised friction, all of it lossy, under the normal forces f_N (n); adds to its power [W]. */
static void regularise(struct penalty_flow *flow, struct penalty_block *b, const double *f_N,
                       double *power) {
  const int n = flow->touch.contacts.dim - 1;
  for (int k = 0; k < b->n; ++k) {
    const int i = b->first + k;
    const int acts = flow->touch.active[i] && flow->touch.contacts.mu[i] > 0;
    double v[CONTACT_DIM_MAX], rate = 0, sum = 0;
    for (int d = 0; d < n; ++d) {
      v[d] = b->v[1 + d][k];
    }
    if (acts) {
      rate = flow->touch.contacts.mu[i] * f_N[k] * regularised_share(flow, n, v);
    }
    for (int d = 0; d < n; ++d) {
      const double force = acts ? -rate * v[d] : 0;
      b->r[1 + d][k] = flow->force.lossy[1 + d][i] = force;
      sum += force * v[d];
    }
    *power += sum;
  }
}

/* Dampings of a block at its velocities, where they depend on them, or as they are there. */
static const double *find_dampings(const struct penalty_flow *flow, const struct penalty_block *b,
                                   double *at_speed) {
  if (!penalty_is_by_speed(flow->options)) {
    return flow->place.damping + b->first;
  }
  for (int k = 0; k < b->n; ++k) {
    const int i = b->first + k;
    double stiffness;
    const double pen = penalty_penetration(flow, i, &stiffness);
    at_speed[k] = flow->touch.active[i]
                      ? damping_now(flow, b->known, i, pen, stiffness * pen, b->v[0][k])
                      : 0;
  }
  return at_speed;
}

/* Normal forces of a block, into b->r and, not below zero, into f_N; adds to the power of impact
 * [W]. */
static void press(struct penalty_flow *flow, struct penalty_block *b, double *f_N, double *power) {
  const int clamp = flow->options->clamp, n = b->n;
  double spring[PENALTY_BLOCK], at_speed[PENALTY_BLOCK], acts[PENALTY_BLOCK], sum = *power;
  double *restrict lossy = flow->force.lossy[0] + b->first, *restrict r = b->r[0];
  const double *damping = find_dampings(flow, b, at_speed), *v = b->v[0];
  for (int k = 0; k < n; ++k) {
    double stiffness;
    const double pen = penalty_penetration(flow, b->first + k, &stiffness);
    spring[k] = stiffness * pen;
    acts[k] = flow->touch.active[b->first + k] != 0;
  }
  for (int k = 0; k < n; ++k) {
    const double all = spring[k] - damping[k] * v[k], pushing = all > 0 ? all : 0;
    const double force = clamp ? pushing : all;
    f_N[k] = pushing;
    r[k] = acts[k] > 0 ? force : 0;
    lossy[k] = acts[k] > 0 ? force - spring[k] : 0;
  }
  memcpy(flow->force.r + b->first, r, (size_t)n * sizeof *r);
  for (int k = 0; k < n; ++k) {
    sum += lossy[k] * v[k];
  }
  *power = sum;
}

/* Forces of a block at its velocities; power: of friction and impact. */
static void apply_at(struct penalty_flow *flow, struct penalty_block *b, const double *xi,
                     double *power, double *dxi) {
  double f_N[PENALTY_BLOCK];
  press(flow, b, f_N, &power[PENALTY_IMPACT]);
  if (flow->touch.contacts.dim == 1) {
    return;
  }
  if (flow->options->tangential == PENALTY_REGULARISED) {
    regularise(flow, b, f_N, &power[PENALTY_FRICTION]);
  } else {
    penalty_slider_force(flow, b, f_N, xi, dxi, &power[PENALTY_FRICTION]);
  }
}

/* Bodies that are no rigid ones in space, by W as it stands. */
static void read_blocks(const struct penalty_flow *flow, const double *u, struct penalty_block *b) {
  const int dim = flow->touch.contacts.dim;
  assert(dim > 0);
  for (int k = 0; k < b->n; ++k) {
    double v[CONTACT_DIM_MAX];
    mech_contacts_block_velocity(&flow->touch.contacts, b->first + k, u, v);
    for (int d = 0; d < dim; ++d) {
      b->v[d][k] = v[d];
    }
  }
}

static void push_blocks(const struct penalty_flow *flow, const struct penalty_block *b, double *f) {
  const int dim = flow->touch.contacts.dim;
  for (int k = 0; k < b->n; ++k) {
    double r[CONTACT_DIM_MAX];
    for (int d = 0; d < dim; ++d) {
      r[d] = b->r[d][k];
    }
    if (flow->touch.active[b->first + k]) {
      mech_contacts_block_force(&flow->touch.contacts, b->first + k, r, f);
    }
  }
}

static void read_rigid(const struct penalty_flow *flow, struct penalty_block *b,
                       double frame[PENALTY_BLOCK][9]) {
  for (int k = 0; k < b->n; ++k) {
    double v[3];
    mech_contacts_frame(&flow->touch.contacts, b->first + k, frame[k]);
    penalty_world_velocity(&flow->world, &flow->touch.contacts, b->first + k, frame[k], v);
    b->v[0][k] = v[0], b->v[1][k] = v[1], b->v[2][k] = v[2];
  }
}

static void push_rigid(struct penalty_flow *flow, const struct penalty_block *b, int part,
                       double frame[PENALTY_BLOCK][9]) {
  for (int k = 0; k < b->n; ++k) {
    const double r[3] = {b->r[0][k], b->r[1][k], b->r[2][k]};
    penalty_world_push(&flow->world, &flow->touch.contacts, part, b->first + k, frame[k], r);
  }
}

/* One application of the law, and what parts of the contacts add in it. */
struct pass {
  struct penalty_flow *flow;
  const struct mech_bilateral *b;
  const double *u, *xi;
  double *f, *dxi;
  struct sums {
    double power[PENALTY_WORKS];
    int slotted;
  } sums[BASE_PARTS];
};

/* The law at the contacts of a part. */
static void apply_part(void *data, struct base_part part) {
  struct pass *p = data;
  struct sums *sums = &p->sums[part.k];
  struct penalty_flow *flow = p->flow;
  const struct mech_contacts *c = &flow->touch.contacts;
  const int turns = flow->history.width > 0 && !flow->place.turned;
  double frame[PENALTY_BLOCK][9];
  struct penalty_known *known = &flow->place.numbers[part.k];
  struct penalty_block block;
  int cursor = part.k == 0 || !turns || flow->place.slotted
                   ? 0
                   : base_sorted_from(flow->history.n, flow->history.id, c->id[part.first]);
  block.known = known;
  *sums = (struct sums){.slotted = 0};
  for (int first = (int)part.first; first < part.end; first += PENALTY_BLOCK) {
    block.first = first;
    block.n = part.end - first < PENALTY_BLOCK ? (int)part.end - first : PENALTY_BLOCK;
    if (!flow->place.known) {
      penalty_place_find(flow, p->b, known, first, block.n);
    }
    if (turns) {
      sums->slotted += penalty_spring_turn(flow, first, block.n, &cursor);
    }
    if (c->rigid) {
      penalty_world_prefetch(&flow->world, c, first + 2 * PENALTY_BLOCK, PENALTY_BLOCK);
      read_rigid(flow, &block, frame);
      apply_at(flow, &block, p->xi, sums->power, p->dxi);
      push_rigid(flow, &block, part.k, frame);
    } else {
      read_blocks(flow, p->u, &block);
      apply_at(flow, &block, p->xi, sums->power, p->dxi);
      push_blocks(flow, &block, p->f);
    }
  }
}

void penalty_law_apply(struct penalty_flow *flow, const struct mech_bilateral *b, const double *u,
                       const double *xi, double *f, double *power, double *dxi) {
  const struct mech_contacts *c = &flow->touch.contacts;
  const int has_springs = flow->history.width > 0;
  int slotted = 0;
  if (c->n == 0) {
    return;
  }
  if (c->rigid) {
    penalty_world_move(&flow->world, c, u);
    penalty_world_unload(&flow->world, c);
  }
  struct pass pass;
  pass.flow = flow, pass.b = b;
  pass.u = u, pass.xi = xi;
  pass.f = f, pass.dxi = dxi;
  base_threads_parts(&flow->touch.parts, apply_part, &pass);
  for (int k = 0; k < flow->touch.parts.n; ++k) {
    power[PENALTY_FRICTION] += pass.sums[k].power[PENALTY_FRICTION];
    power[PENALTY_IMPACT] += pass.sums[k].power[PENALTY_IMPACT];
    slotted += pass.sums[k].slotted;
  }
  flow->place.n_slotted = flow->place.slotted || !has_springs ? flow->place.n_slotted : slotted;
  flow->place.known = 1;
  flow->place.turned = flow->place.slotted = has_springs;
  if (c->rigid) {
    penalty_world_add_loads(&flow->world, c, f);
  }
}
