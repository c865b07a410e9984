/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The Delassus operator against the mechanics it stands for: an impulse r must change u so that
 * M du is W r plus forces along W_S, W_S^T u stays, and W^T du = A r; on random assemblies, with
 * constraints, redundant ones too, and in both forms (dense, by bodies).
 */
#include "form/delassus.h"
#include "tests/impulse_model.h"
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
  struct mech_contacts contacts;
  enum mech_bilateral_kind kind;
  struct mech_bilateral *bilateral;
  struct form_delassus delassus;
  double *q, *L, *r, *du, *v, *Ar; /* of one random impulse */
  int n;                           /* dim x contacts */
};

static struct fixture fixture_begin(int points, int rods, int copies) {
  struct fixture f = {.arena = test_arena(), .rng = test_rng(0)};
  f.q = base_arena_doubles(f.arena, 3 * points);
  f.p = assembly(points, rods, copies, f.rng, f.q);
  return f;
}

/* Second part, once the fixture has its final address. */
static void fixture_build(struct fixture *f) {
  f->m = points_mech(&f->p);
  f->L = base_arena_doubles(f->arena, 9 * f->p.n);
  CHECK_OK(mech_mass_factor(&f->m, f->q, f->L));
  mech_contacts_init(&f->contacts, &f->m, f->arena);
  mech_contacts_find(&f->m, f->q, NULL, INFINITY, &f->contacts);
  f->bilateral = mech_bilateral_alloc(&f->m, f->kind, f->arena);
  CHECK_OK(mech_bilateral_build(f->bilateral, f->q, f->L));
  form_delassus_build(&f->m, f->L, f->bilateral, &f->contacts, f->arena, &f->delassus);
  f->n = 3 * f->contacts.n;
  f->r = base_arena_doubles(f->arena, f->n);
  f->v = base_arena_doubles(f->arena, f->n);
  f->Ar = base_arena_doubles(f->arena, f->n);
  f->du = base_arena_doubles(f->arena, f->m.nu);
  base_rng_uniforms(f->rng, f->n, -1, 1, f->r);
  form_delassus_respond(&f->delassus, f->r, f->du);
  mech_contacts_velocity(&f->contacts, f->du, f->v);
  problem_operator_apply(&f->delassus.A, f->r, f->Ar, f->arena);
}

static void fixture_end(struct fixture *f) { mech_bilateral_free(f->bilateral); }

static void check_operator(const struct fixture *f) {
  const double scale = la_norm_inf(f->n, f->v);
  CHECK(scale > 0);
  CHECK_LE(test_distance(f->n, f->Ar, f->v), 1e-13 * scale);
}

TEST(dense_operator_gives_the_velocity_change) {
  struct fixture f = fixture_begin(20, 0, 1);
  fixture_build(&f);
  CHECK(f.delassus.A.kind == PROBLEM_OPERATOR_DENSE);
  check_operator(&f);
  fixture_end(&f);
}

TEST(many_contacts_are_kept_by_bodies) {
  struct fixture f = fixture_begin(POINTS_MAX, 0, 1);
  fixture_build(&f);
  CHECK(f.delassus.A.kind == PROBLEM_OPERATOR_BODIES);
  check_operator(&f);
  fixture_end(&f);
}

TEST(constraints_hold_under_any_impulse) {
  for (int round = 0; round < 4; ++round) { /* dense, sparse; every rod once, twice */
    const int copies = 1 + round % 2;
    struct fixture f = fixture_begin(12, 4, copies);
    f.kind = round < 2 ? MECH_BILATERAL_DENSE : MECH_BILATERAL_SPARSE;
    fixture_build(&f);
    const int ns = f.m.ns, nu = f.m.nu;
    CHECK_INT(ns, 4 * copies);
    CHECK_INT(f.bilateral->rank, 4);
    CHECK_INT(f.bilateral->dependent, 4 * (copies - 1));
    check_operator(&f);
    CHECK_LE(problem_operator_asymmetry(&f.delassus.A, f.arena), 0);
    double *rate = base_arena_doubles(f.arena, ns);
    mech_bilateral_velocity(f.bilateral, f.du, rate);
    CHECK_LE(la_norm_inf(ns, rate), 1e-13 * la_norm_inf(nu, f.du));
    /* M du - W r is a combination of columns of W_S: it does no work on any velocity with
     * W_S^T u = 0, such as du itself. */
    double *f_W = base_arena_doubles(f.arena, nu);
    mech_contacts_force(&f.contacts, f.r, f_W);
    double work = 0, size = 0;
    for (int i = 0; i < nu; ++i) {
      const double M_du = f.p.m[i / 3] * f.du[i];
      work += (M_du - f_W[i]) * f.du[i];
      size += fabs(M_du * f.du[i]);
      if (i >= 3 * 4) { /* points without rods feel no constraint at all */
        CHECK_NEAR(M_du, f_W[i], 1e-13);
      }
    }
    CHECK_NEAR(work, 0, 1e-13 * size);
    fixture_end(&f);
  }
}

TEST(elimination_removes_a_given_rate) {
  struct fixture f = fixture_begin(8, 4, 2);
  fixture_build(&f);
  const int ns = f.m.ns, nu = f.m.nu;
  double *u = base_arena_doubles(f.arena, nu), *rate = base_arena_doubles(f.arena, ns);
  base_rng_uniforms(f.rng, nu, -1, 1, u);
  mech_bilateral_velocity(f.bilateral, u, rate);
  mech_bilateral_eliminate(f.bilateral, 1, rate, u);
  mech_bilateral_velocity(f.bilateral, u, rate);
  CHECK_LE(la_norm_inf(ns, rate), 1e-13);
  CHECK(la_norm_inf(nu, u) > 0.1);
  fixture_end(&f);
}
