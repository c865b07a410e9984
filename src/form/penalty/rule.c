/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stiffness that keeps to an allowed depth, and the step that resolves an onset; options
 * `depth` and `substeps=0`. With K g^n, n = 1 or 3/2, the depth d = depth times the system's
 * length, and its speed s:
 *
 *   rest     K d^n = F                                       so that K = F / d^n
 *   impact   K d^(n+1) = theta (n+1)/2 m s^2                 so that K = theta (n+1) m s^2 / (2
 *            d^(n+1))
 *
 * and K is the larger of the two. theta is the part of the approach's energy that is in the spring
 * at the deepest point, 1 without damping. With the damping of a restitution eps it follows from
 * restitution.c: by x = s exp(-zeta arccos(zeta)/sqrt(1 - zeta^2)) at v = 0,
 *
 * viscous  theta = exp(-2 zeta arccos(zeta)/sqrt(1 - zeta^2)), which is eps where forces are
 * clamped
 *   Hunt and Crossley   theta = 2 psi(d_0)/d_0^2, d_0 = chi s
 *
 * Loads are those of the state at the start, of bodies about which a contact is within reach. A
 * contact with the normal w on block b of u has of it the mass m_b = 1/(w^T M_b^-1 w) and the load
 * F_b = m_b |w^T M_b^-1 h_b|, h the forces at rest: for a ball its mass and weight. m is the
 * largest m_b, against something that does not move; with bilateral constraints, by which bodies
 * strike together, the sum of them. F is the sum of the F_b: all of the weight on one contact, as
 * at the foot of a stack. s is the largest speed of approach: with gap g, velocity gamma_N and
 * acceleration a towards each other that h gives, s^2 is the larger of gamma_N^2 + 2 a g, as after
 * free motion, and a times the system's length, which it may yet fall. Motion along a surface
 * presses nothing, so that K is the same in every frame that moves along it. Where nothing
 * approaches s is the declared speed. Who strikes faster sinks deeper, in proportion.
 *
 * The step at an onset is the limit of one oscillator (limit.c) with the largest 1/m of a pair of
 * blocks, at the depth d and the speed s.
 */
#include <math.h>

#include "base/status.h"
#include "form/penalty/penalty.h"
#include "la/dense.h"

/* How often the search for contacts goes further before it takes all, and how much. */
enum { REACHES = 5 };
static const double FURTHER = 4;

/* 1/m_b [1/kg] of contact i on its body k, and *load: w^T M_b^-1 h_b [m/s^2]. */
static double inverse_at(const struct mech *m, const struct mech_contacts *c, int i, int k,
                         const double *L, const double *h, struct base_arena *arena, double *load) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  const int body = c->body[2 * i + k];
  double *W = base_arena_matrix(arena, m->nv, m->dim), *x = base_arena_doubles(arena, m->nv);
  mech_contacts_directions(c, i, k, W);
  la_copy(m->nv, W, x);
  mech_mass_solve_block(m, L, body, 1, x);
  const double inverse = la_dot(m->nv, W, x);
  *load = la_dot(m->nv, x, h + (size_t)body * (size_t)m->nv);
  base_arena_release(arena, mark);
  return inverse;
}

/* s^2 [m^2/s^2] of a contact that opens at `rate` [m/s], `load` its rate's rate [m/s^2]. */
static double approach_of(const struct mech *m, double gap, double rate, double load) {
  const double landing = rate < 0 || load < 0 ? rate * rate - 2 * load * fmax(gap, 0) : 0;
  return fmax(landing, -load * m->length);
}

static void add_contacts(const struct mech *m, const struct mech_contacts *c, const double *L,
                         const double *h, const double *u, struct base_arena *arena,
                         struct penalty_loads *loads) {
  double *mass = base_arena_doubles(arena, m->nb), *force = base_arena_doubles(arena, m->nb);
  for (int i = 0; i < c->n; ++i) {
    double pair = 0, opening = 0, v[CONTACT_DIM_MAX];
    for (int k = 0; k < 2; ++k) {
      const int body = c->body[2 * i + k];
      double load = 0;
      const double inverse = body >= 0 ? inverse_at(m, c, i, k, L, h, arena, &load) : 0;
      if (inverse > 0) {
        mass[body] = fmax(mass[body], 1 / inverse);
        force[body] = fmax(force[body], fabs(load) / inverse);
        pair += inverse;
        opening += load;
      }
    }
    mech_contacts_velocity_of(c, i, u, v);
    loads->speed = fmax(loads->speed, sqrt(fmax(approach_of(m, c->gN[i], v[0], opening), 0)));
    loads->inverse = fmax(loads->inverse, pair);
    loads->eps = fmax(loads->eps, c->eps_N[i]);
  }
  for (int b = 0; b < m->nb; ++b) {
    loads->mass = m->ns > 0 ? loads->mass + mass[b] : fmax(loads->mass, mass[b]);
    loads->force += force[b];
  }
  loads->speed = loads->speed > 0 ? loads->speed : m->speed;
}

/* Contacts that may close first: those within the system's length, else within multiples of it. */
static void find_contacts(const struct mech *m, const double *q, struct mech_contacts *c) {
  double reach = m->ops->bodies.approach != NULL ? m->length : INFINITY;
  mech_contacts_find(m, q, NULL, reach, c);
  for (int k = 1; c->n == 0 && isfinite(reach); ++k) {
    reach = k < REACHES ? FURTHER * reach : INFINITY;
    mech_contacts_find(m, q, NULL, reach, c);
  }
}

struct penalty_loads penalty_rule_loads(const struct mech *m, const double *q, const double *u,
                                        double t, struct base_arena *arena) {
  struct penalty_loads loads = {0};
  struct base_arena *room = base_arena_child(arena);
  struct mech_contacts c;
  double *L = base_arena_push(room, mech_mass_size(m) * sizeof *L);
  double *h = base_arena_doubles(room, m->nu), *rest = base_arena_doubles(room, m->nu);
  if (m->ops->contacts == NULL || mech_mass_factor(m, q, L) != BASE_OK) {
    base_arena_empty(room);
    return loads;
  }
  mech_set_time(m, t);
  m->ops->force(m, q, rest, t, h);
  mech_contacts_init(&c, m, room);
  find_contacts(m, q, &c);
  add_contacts(m, &c, L, h, u, room, &loads);
  base_arena_empty(room);
  return loads;
}

/* The restitution that the law takes a contact to have (law.c). */
static double restitution_of(const struct penalty_options *o, const struct penalty_loads *loads) {
  const double eps = fmin(loads->eps, 1);
  return o->clamp || penalty_is_hunt(o) ? fmax(eps, o->eps_min) : eps;
}

/* theta; 1, which is no less, where the damping does not follow from eps. */
static double part_in_spring(const struct penalty_options *o, const struct penalty_loads *loads) {
  const double eps = restitution_of(o, loads);
  if (penalty_is_hunt(o)) {
    return o->chi < 0 ? penalty_hunt_part(penalty_hunt_number(eps)) : 1;
  }
  return o->D < 0 ? penalty_restitution(penalty_damping_ratio(eps, o->clamp), 1) : 1;
}

double penalty_rule_stiffness(const struct penalty_options *o, const struct penalty_loads *loads,
                              double depth) {
  const double n = penalty_exponent(o);
  const double energy = 0.5 * (n + 1) * loads->mass * loads->speed * loads->speed;
  return fmax(loads->force / pow(depth, n), part_in_spring(o, loads) * energy / pow(depth, n + 1));
}

double penalty_rule_step(const struct penalty_options *o, const struct penalty_loads *loads) {
  if (!(loads->inverse > 0 && o->K > 0)) {
    return INFINITY;
  }
  const double n = penalty_exponent(o), inverse = loads->inverse, eps = restitution_of(o, loads);
  const double speed = loads->speed;
  /* As deep as the lightest pair sinks undamped, which is the stiffest a contact of it becomes. */
  const double depth = pow(0.5 * (n + 1) * speed * speed / (inverse * o->K), 1 / (n + 1));
  const double omega2 = n * o->K * pow(depth, n - 1) * inverse;
  double damping = 2 * penalty_damping_ratio(eps, o->clamp) *
                   sqrt(0.5 * (n + 1) * o->K * pow(depth, n - 1) / inverse);
  if (penalty_is_hunt(o)) {
    const double chi = o->chi >= 0 ? o->chi : penalty_hunt_number(eps) / speed;
    damping = chi * o->K * pow(depth, n);
  } else if (o->D >= 0) {
    damping = o->D * pow(depth, 0.5 * (n - 1));
  }
  return penalty_limit_of(o->stepper, sqrt(omega2), damping * inverse);
}
