/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The Delassus operator against the mechanics it stands for: an impulse r must change u so that
 * M du is W r plus forces along W_S, W_S^T u stays, and W^T du = A r; on random assemblies, with
 * constraints, redundant ones too, and in both forms (dense, by bodies).
 */
#include "form/delassus.h"
#include "tests/impulse_model.h"
#include "tests/joint_model.h"
#include "tests/test.h"

#include "la/dense.h"

/* n random points, the first `rods` ones in a chain from the origin, each rod `copies` times. */
static struct points assembly(int n, int rods, int copies, struct base_rng *rng, double *q) {
  struct points p = {.n = n, .dim = 3, .mu = 0.5, .rods = rods * copies};
  base_rng_uniforms(rng, n, 0.1, 10, p.m);
  base_rng_uniforms(rng, 3 * n, 0, 1, q);
  for (int i = 0; i < p.rods; ++i) {
    p.rod[i][0] = i % rods - 1;
    p.rod[i][1] = i % rods;
  }
  return p;
}

struct fixture {
  struct base_arena *arena;
  struct base_rng *rng;
  struct points p;
  struct mech m;
  struct elimination *e;
  double *r, *du, *v, *Ar; /* of one random impulse */
  int n;                   /* dim x contacts */
};

static struct fixture *fixture(int points, int rods, int copies, enum mech_bilateral_kind kind) {
  struct base_arena *arena = test_arena();
  struct fixture *f = base_arena_push(arena, sizeof *f);
  double *q = base_arena_doubles(arena, 3 * points);
  f->arena = arena;
  f->rng = test_rng(0);
  f->p = assembly(points, rods, copies, f->rng, q);
  f->m = points_mech(&f->p);
  f->e = eliminate(&(struct system){.arena = arena, .m = &f->m, .q = q}, kind, 0);
  f->n = 3 * f->e->contacts.n;
  f->r = base_arena_doubles(arena, f->n);
  f->v = base_arena_doubles(arena, f->n);
  f->Ar = base_arena_doubles(arena, f->n);
  f->du = base_arena_doubles(arena, f->m.nu);
  base_rng_uniforms(f->rng, f->n, -1, 1, f->r);
  form_delassus_respond(&f->e->delassus, f->r, f->du);
  mech_contacts_velocity(&f->e->contacts, f->du, f->v);
  problem_operator_apply(&f->e->delassus.A, f->r, f->Ar, arena);
  return f;
}

static void check_operator(const struct fixture *f) {
  const double scale = la_norm_inf(f->n, f->v);
  CHECK(scale > 0);
  CHECK_LE(test_distance(f->n, f->Ar, f->v), 1e-13 * scale);
}

TEST(dense_operator_gives_the_velocity_change) {
  const struct fixture *f = fixture(20, 0, 1, MECH_BILATERAL_AUTO);
  CHECK(f->e->delassus.A.kind == PROBLEM_OPERATOR_DENSE);
  check_operator(f);
}

TEST(many_contacts_are_kept_by_bodies) {
  const struct fixture *f = fixture(POINTS_MAX, 0, 1, MECH_BILATERAL_AUTO);
  CHECK(f->e->delassus.A.kind == PROBLEM_OPERATOR_BODIES);
  check_operator(f);
}

TEST(constraints_hold_under_any_impulse) {
  for (int round = 0; round < 4; ++round) { /* dense, sparse; every rod once, twice */
    const int copies = 1 + round % 2;
    const struct fixture *f =
        fixture(12, 4, copies, round < 2 ? MECH_BILATERAL_DENSE : MECH_BILATERAL_SPARSE);
    const int ns = f->m.ns, nu = f->m.nu;
    CHECK_INT(ns, 4 * copies);
    CHECK_INT(f->e->bilateral->rank, 4);
    CHECK_INT(f->e->bilateral->dependent, 4 * (copies - 1));
    check_operator(f);
    CHECK_LE(problem_operator_asymmetry(&f->e->delassus.A, f->arena), 0);
    double *rate = base_arena_doubles(f->arena, ns);
    mech_bilateral_velocity(f->e->bilateral, f->du, rate);
    CHECK_LE(la_norm_inf(ns, rate), 1e-13 * la_norm_inf(nu, f->du));
    /* M du - W r is a combination of columns of W_S: it does no work on any velocity with
     * W_S^T u = 0, such as du itself. */
    double *f_W = base_arena_doubles(f->arena, nu);
    mech_contacts_force(&f->e->contacts, f->r, f_W);
    double work = 0, size = 0;
    for (int i = 0; i < nu; ++i) {
      const double M_du = f->p.m[i / 3] * f->du[i];
      work += (M_du - f_W[i]) * f->du[i];
      size += fabs(M_du * f->du[i]);
      if (i >= 3 * 4) { /* points without rods feel no constraint at all */
        CHECK_NEAR(M_du, f_W[i], 1e-13);
      }
    }
    CHECK_NEAR(work, 0, 1e-13 * size);
  }
}

TEST(elimination_removes_a_given_rate) {
  const struct fixture *f = fixture(8, 4, 2, MECH_BILATERAL_AUTO);
  const int ns = f->m.ns, nu = f->m.nu;
  double *u = base_arena_doubles(f->arena, nu), *rate = base_arena_doubles(f->arena, ns);
  base_rng_uniforms(f->rng, nu, -1, 1, u);
  mech_bilateral_velocity(f->e->bilateral, u, rate);
  mech_bilateral_eliminate(f->e->bilateral, 1, rate, u);
  mech_bilateral_velocity(f->e->bilateral, u, rate);
  CHECK_LE(la_norm_inf(ns, rate), 1e-13);
  CHECK(la_norm_inf(nu, u) > 0.1);
}
