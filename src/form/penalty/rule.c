/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stiffness for an allowed depth, and the step that resolves an onset; options `depth` and
 * `substeps=0`. With K g^n, n = 1 or 3/2, the depth d = depth times the system's length, and its
 * speed s:
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
 * presses nothing, so that K is the same in every frame that moves along it. If nothing approaches,
 * s is the declared speed. A faster impact is deeper, in proportion.
 *
 * Bilateral constraints carry their part of h: with P = M^-1 (1 - W_S G_SS^-1 W_S^T M^-1) the load
 * is what the contact alone would have to carry, F_b = |w^T P h| / (w^T P w). A body that they keep
 * from moving along w (a table on its pivot, w^T P w = 0) is something that does not move, whatever
 * its mass. So it may seem at a dead point too, as where a pendulum hangs over the ground: near
 * one, loads are those of a configuration beside it as well. Towards it 1/(w^T P w) grows without
 * bound, where hardly anything strikes: m_b stays that of the body by itself, and F_b is not taken
 * from nearer.
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
/* Contacts whose operator is made at a time: of it the diagonal alone is looked at. */
enum { TOGETHER = 32 };
/* Of a length and of a radian, how far from a dead point loads are looked at; there w^T P w is
 * about the square of that, times what it is without constraints. */
static const double NEARBY = 0.1;

/* A system in one configuration. */
struct configuration {
  const struct mech *m;
  struct mech_contacts c;
  const double *q, *L, *h;          /* nq; factor of M; nu, forces at rest */
  struct mech_bilateral *bilateral; /* built here; NULL without constraints */
  const double *inverse;            /* 2 c.n: w^T P w on either body; NULL without constraints */
  const double *pull;               /* 2 c.n: w^T P h */
};

/* What a contact has of one of its bodies. */
struct side {
  double inverse;     /* 1/m_b [1/kg]; 0: it does not move */
  double load, force; /* acceleration along w [m/s^2], F_b [N] */
  int is_dead;        /* near a dead point */
};

/* Of contact i on its body k. */
static struct side side_of(const struct configuration *p, int i, int k, struct base_arena *arena) {
  const struct mech *m = p->m;
  const int body = p->c.body[2 * i + k];
  struct side side = {0};
  if (body < 0) {
    return side;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *W = base_arena_matrix(arena, m->nv, m->dim), *x = base_arena_doubles(arena, m->nv);
  mech_contacts_directions(&p->c, i, k, W);
  la_copy(m->nv, W, x);
  mech_mass_solve_block(m, p->L, body, 1, x);
  side.inverse = la_dot(m->nv, W, x);
  side.load = la_dot(m->nv, x, p->h + (size_t)body * (size_t)m->nv);
  double inverse = side.inverse;
  if (p->inverse != NULL) {
    inverse = p->inverse[2 * i + k];
    side.load = p->pull[2 * i + k];
  }
  const double least = NEARBY * NEARBY * side.inverse;
  side.is_dead = !(inverse > least);
  side.force = fabs(side.load) / fmax(inverse, least);
  if (!(inverse > MECH_BILATERAL_HELD * side.inverse)) {
    side.inverse = 0;
  }
  base_arena_release(arena, mark);
  return side;
}

/* w^T P w on the bodies k of n contacts from `first` on, against the world, and w^T a; a: nu. Into
 * every second of inverse and pull. */
static void constrain(const struct configuration *p, int first, int n, int k, const double *a,
                      double *inverse, double *pull, struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  const int dim = p->m->dim;
  int index[TOGETHER], body[2 * TOGETHER];
  double *diag = base_arena_matrix(arena, dim * dim, n), *v = base_arena_matrix(arena, dim, n);
  struct mech_contacts sides;
  struct form_delassus delassus;
  for (int i = 0; i < n; ++i) {
    index[i] = first + i;
    body[2 * i + k] = p->c.body[2 * (first + i) + k];
    body[2 * i + 1 - k] = -1;
  }
  mech_contacts_part(&p->c, n, index, arena, &sides);
  sides.body = body;
  form_delassus_build(p->m, p->L, p->bilateral, &sides, arena, &delassus);
  problem_operator_diagonal(&delassus.A, diag);
  mech_contacts_velocity(&sides, a, v);
  for (int i = 0; i < n; ++i) {
    inverse[2 * i + k] = diag[(long)i * dim * dim];
    pull[2 * i + k] = v[(long)i * dim];
  }
  base_arena_release(arena, mark);
}

/* p->inverse and p->pull. */
static void put_constrained(struct configuration *p, struct base_arena *arena) {
  const struct mech *m = p->m;
  double *a = base_arena_doubles(arena, m->nu), *rate = base_arena_doubles(arena, m->ns);
  double *inverse = base_arena_doubles(arena, 2 * p->c.n);
  double *pull = base_arena_doubles(arena, 2 * p->c.n);
  la_copy(m->nu, p->h, a);
  mech_mass_solve(m, p->L, 1, a);
  mech_bilateral_velocity(p->bilateral, a, rate);
  mech_bilateral_eliminate(p->bilateral, 1, rate, a);
  for (int i = 0; i < p->c.n; i += TOGETHER) {
    const int n = p->c.n - i < TOGETHER ? p->c.n - i : TOGETHER;
    for (int k = 0; k < 2; ++k) {
      constrain(p, i, n, k, a, inverse + 2 * i, pull + 2 * i, arena);
    }
  }
  p->inverse = inverse;
  p->pull = pull;
}

/* s^2 [m^2/s^2] of a contact that opens at `rate` [m/s], `load` its rate's rate [m/s^2]. */
static double approach_of(const struct mech *m, double gap, double rate, double load) {
  const double landing = rate < 0 || load < 0 ? rate * rate - 2 * load * fmax(gap, 0) : 0;
  return fmax(landing, -load * m->length);
}

/* Loads become the larger of theirs and those at p. Returns whether a body is near a dead point. */
static int add_contacts(const struct configuration *p, const double *u, struct base_arena *arena,
                        struct penalty_loads *loads) {
  const struct mech *m = p->m;
  const struct mech_contacts *c = &p->c;
  double *mass = base_arena_doubles(arena, m->nb), *force = base_arena_doubles(arena, m->nb);
  double all = 0, weight = 0;
  int is_dead = 0;
  for (int i = 0; i < c->n; ++i) {
    double pair = 0, opening = 0, v[CONTACT_DIM_MAX];
    for (int k = 0; k < 2; ++k) {
      const int body = c->body[2 * i + k];
      const struct side side = side_of(p, i, k, arena);
      is_dead = is_dead || side.is_dead;
      if (side.inverse > 0) {
        mass[body] = fmax(mass[body], 1 / side.inverse);
        force[body] = fmax(force[body], side.force);
        pair += side.inverse;
        opening += side.load;
      }
    }
    mech_contacts_velocity_of(c, i, u, v);
    loads->speed = fmax(loads->speed, sqrt(fmax(approach_of(m, c->gN[i], v[0], opening), 0)));
    loads->inverse = fmax(loads->inverse, pair);
    loads->eps = fmax(loads->eps, c->eps_N[i]);
  }
  for (int b = 0; b < m->nb; ++b) {
    all = m->ns > 0 ? all + mass[b] : fmax(all, mass[b]);
    weight += force[b];
  }
  loads->mass = fmax(loads->mass, all);
  loads->force = fmax(loads->force, weight);
  return is_dead;
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

/* Moves q by a way that the constraints allow and that is along no axis; BASE_FAILED where that
 * leads nowhere. */
static int move_along(const struct configuration *p, double *q, struct base_arena *arena) {
  const struct mech *m = p->m;
  double *u = base_arena_doubles(arena, m->nu), *rate = base_arena_doubles(arena, m->ns);
  double *qdot = base_arena_doubles(arena, m->nq);
  for (int j = 0; j < m->nu; ++j) {
    const double x = (j + 1) * 0.6180339887498949;
    u[j] = 0.5 + (x - floor(x));
  }
  mech_bilateral_velocity(p->bilateral, u, rate);
  mech_bilateral_eliminate(p->bilateral, 1, rate, u);
  mech_qdot(m, p->q, u, qdot, arena);
  const double largest = la_norm_inf(m->nq, qdot);
  la_axpy(m->nq, largest > 0 ? NEARBY * fmin(m->length, 1) / largest : 0, qdot, q);
  if (m->ops->normalise != NULL) {
    m->ops->normalise(m, q);
  }
  return mech_project_with(p->bilateral, mech_any_drift, q, NULL, arena);
}

/* Adds the loads at (t, q, u); next: nq, where a dead point is left, NULL where there is none. */
static const double *add_loads(const struct mech *m, const double *q, const double *u, double t,
                               struct base_arena *room, struct penalty_loads *loads) {
  struct configuration p = {.m = m, .q = q};
  double *L = base_arena_push(room, mech_mass_size(m) * sizeof *L), *next = NULL;
  double *h = base_arena_doubles(room, m->nu), *rest = base_arena_doubles(room, m->nu);
  if (m->ops->contacts == NULL || mech_mass_factor(m, q, L) != BASE_OK) {
    return NULL;
  }
  p.L = L;
  p.h = h;
  mech_set_time(m, t);
  m->ops->force(m, q, rest, t, h);
  mech_contacts_init(&p.c, m, room);
  find_contacts(m, q, &p.c);
  if (m->ns > 0) {
    p.bilateral = mech_bilateral_alloc(m, MECH_BILATERAL_AUTO, room);
    if (mech_bilateral_build(p.bilateral, q, L) == BASE_OK) {
      put_constrained(&p, room);
    }
  }
  if (add_contacts(&p, u, room, loads) && p.inverse != NULL) {
    next = base_arena_doubles(room, m->nq);
    la_copy(m->nq, q, next);
    next = move_along(&p, next, room) == BASE_OK ? next : NULL;
  }
  mech_bilateral_free(p.bilateral);
  return next;
}

struct penalty_loads penalty_rule_loads(const struct mech *m, const double *q, const double *u,
                                        double t, struct base_arena *arena) {
  struct penalty_loads loads = {0};
  struct base_arena *room = base_arena_child(arena);
  const double *next = add_loads(m, q, u, t, room, &loads);
  if (next != NULL) {
    add_loads(m, next, u, t, room, &loads);
  }
  loads.speed = loads.speed > 0 ? loads.speed : m->speed;
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
