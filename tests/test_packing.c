/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Systems of many bodies: contacts by frames and lever arms against W written out, pairs kept
 * against none kept, operators by geometry against those by W, and what the cases packing and
 * box-stack promise (nothing leaves the box, nothing sinks in, stacks keep still).
 */
#include "base/sort.h"
#include "base/threads.h"
#include "bench/run/run.h"
#include "cases/case.h"
#include "form/delassus.h"
#include "la/dense.h"
#include "mech/assembly/assembly.h"
#include "mech/check/check.h"
#include "tests/case_model.h"
#include "tests/test.h"
#include "tests/trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct model {
  struct base_arena *arena;
  struct case_instance c;
};

/* A case with parameters "key=value key=value". */
static struct model model_build(const char *name, const char *set) {
  struct model model = {.arena = test_arena()};
  model.c = case_model_build(name, set, model.arena);
  return model;
}

/* Every body moved and turned a little, and given a velocity. */
static void shake(const struct mech *m, double by, struct base_rng *rng, double *q, double *u) {
  for (int i = 0; i < m->nq; ++i) {
    q[i] += base_rng_uniform(rng, -by, by);
  }
  m->ops->normalise(m, q);
  base_rng_uniforms(rng, m->nu, -1, 1, u);
}

static const char mixed[] = "n=60 shape=mixed gap=0 spread=0.3";

/* The system without its geometry: W is written out. */
static struct mech written_out(const struct mech *m, struct mech_ops *ops) {
  struct mech out = *m;
  *ops = *m->ops;
  ops->bodies.rigid = NULL;
  out.ops = ops;
  return out;
}

/* Both lists have the same contacts, and W in both is the same. */
static void check_same(const struct mech_contacts *a, const struct mech_contacts *b) {
  CHECK_INT(a->n, b->n);
  CHECK(a->rigid && a->W == NULL && !b->rigid && b->turn == NULL);
  for (int i = 0; i < a->n && i < b->n; ++i) {
    CHECK(a->id[i] == b->id[i] && a->gN[i] == b->gN[i]);
    CHECK(a->mu[i] == b->mu[i] && a->eps_N[i] == b->eps_N[i] && a->eps_T[i] == b->eps_T[i]);
    for (int k = 0; k < 2; ++k) {
      double W[18], V[18];
      CHECK_INT(a->body[2 * i + k], b->body[2 * i + k]);
      mech_contacts_directions(a, i, k, W);
      mech_contacts_directions(b, i, k, V);
      for (int j = 0; j < 18; ++j) {
        CHECK(W[j] == V[j]);
      }
    }
    for (int d = 0; d < 3; ++d) {
      CHECK(a->bias[3 * i + d] == b->bias[3 * i + d]);
    }
  }
}

/* To the bit, by geometry or by W. */
static void check_same_bits(const struct mech_contacts *a, const struct mech_contacts *b) {
  const size_t n = a->n == b->n ? (size_t)a->n : 0, d = sizeof(double);
  CHECK_INT(a->n, b->n);
  CHECK(memcmp(a->id, b->id, n * sizeof *a->id) == 0 && memcmp(a->gN, b->gN, n * d) == 0);
  CHECK(memcmp(a->mu, b->mu, n * d) == 0 && memcmp(a->eps_N, b->eps_N, n * d) == 0);
  CHECK(memcmp(a->body, b->body, 2 * n * sizeof *a->body) == 0);
  CHECK(memcmp(a->frame, b->frame, 6 * n * d) == 0 && memcmp(a->arm, b->arm, 6 * n * d) == 0);
  CHECK(a->W == NULL || memcmp(a->W, b->W, 2 * n * (size_t)a->nv * (size_t)a->dim * d) == 0);
}

/* W by frames, arms and rotations, and its products, against W written out: shapes of any kind,
 * bodies that do not turn (of the channel), joints (of the rope). */
TEST(contacts_by_arms_are_those_of_the_directions_written_out) {
  static const char spheres[] = "n=60 gap=0 spread=0.3";
  static const char small[] = "scale=0.1";
  static const struct {
    const char *name;
    const char *set;
  } cases[] = {{"packing", mixed}, {"packing", spheres}, {"channel-flow", small}};
  int seen = 0;
  for (int round = 0; round < 9; ++round) {
    struct model model = model_build(cases[round / 3].name, cases[round / 3].set);
    struct mech_ops ops;
    const struct mech *m = model.c.mech, plain = written_out(m, &ops);
    struct base_rng *rng = base_rng_alloc(7 + (unsigned long)round);
    struct mech_contacts a, b, part;
    mech_contacts_init(&a, m, model.arena);
    mech_contacts_init(&b, &plain, model.arena);
    if (round < 6) {
      shake(m, 0.02, rng, model.c.q, model.c.u);
    }
    base_rng_uniforms(rng, m->nu, -1, 1, model.c.u);
    mech_contacts_find(m, model.c.q, model.c.u, 0.01, &a);
    mech_contacts_find(&plain, model.c.q, model.c.u, 0.01, &b);
    check_same(&a, &b);
    const int n_odd = a.n / 2;
    int *odd = base_arena_ints(model.arena, n_odd);
    for (int which = 0; which < 2; ++which) { /* all of them, then every other one */
      const int n = 3 * a.n;
      double *v = base_arena_doubles(model.arena, n), *w = base_arena_doubles(model.arena, n);
      double *f = base_arena_doubles(model.arena, m->nu),
             *g = base_arena_doubles(model.arena, m->nu);
      mech_contacts_velocity(&a, model.c.u, w);
      mech_contacts_velocity(&b, model.c.u, v);
      for (int i = 0; i < n; ++i) {
        CHECK_NEAR(w[i], v[i], 1e-13);
        v[i] = base_rng_uniform(rng, -1, 1);
      }
      mech_contacts_force(&a, v, g);
      mech_contacts_force(&b, v, f);
      CHECK_LE(test_distance(m->nu, g, f), 1e-12);
      seen += a.n;
      for (int k = 0; k < n_odd && which == 0; ++k) {
        odd[k] = 2 * k + 1;
      }
      if (which == 0) {
        mech_contacts_part(&a, n_odd, odd, model.arena, &part);
        for (int k = 0; k < n_odd; ++k) {
          CHECK(part.id[k] == a.id[odd[k]]);
        }
        a = part;
        mech_contacts_part(&b, n_odd, odd, model.arena, &part);
        b = part;
        check_same(&a, &b);
      }
    }
    base_rng_free(rng);
  }
  CHECK(seen > 10000);
}

/* What a visit shows, against a list. */
struct shown {
  const struct mech_contacts *list;
  int n;
};

static void look(void *data, const struct mech_contacts *c, int i) {
  struct shown *s = data;
  const int k = s->n++;
  CHECK(k < s->list->n && c->id[i] == s->list->id[k] && c->gN[i] == s->list->gN[k]);
  CHECK(c->mu[i] == s->list->mu[k] && c->eps_N[i] == s->list->eps_N[k]);
  CHECK(c->body[2 * i] == s->list->body[2 * k] && c->body[2 * i + 1] == s->list->body[2 * k + 1]);
}

TEST(visits_show_every_contact_once_in_order) {
  struct model model = model_build("packing", mixed);
  const struct mech *m = model.c.mech;
  struct mech_contacts list, one;
  struct shown shown = {.list = &list};
  mech_contacts_init(&list, m, model.arena);
  mech_contacts_init(&one, m, model.arena);
  for (int k = 0; k < 3; ++k) { /* none, then some */
    mech_contacts_find(m, model.c.q, NULL, k == 0 ? -1 : 0.01, &list);
    shown.n = 0;
    mech_contacts_visit(m, model.c.q, k == 0 ? -1 : 0.01, look, &shown, &one);
    CHECK_INT(shown.n, list.n);
    CHECK(k == 0 || (list.n > 20 && one.capacity < list.n && one.n == 0));
  }
}

/* Every third contact and one that there is not, asked for by name: those far apart too. */
TEST(contacts_are_found_by_their_ids_whatever_their_gap) {
  struct model model = model_build("packing", mixed);
  const struct mech *m = model.c.mech;
  struct mech_contacts all, named;
  mech_contacts_init(&all, m, model.arena);
  mech_contacts_init(&named, m, model.arena);
  mech_contacts_find(m, model.c.q, NULL, 0.05, &all);
  long *id = base_arena_longs(model.arena, all.n);
  int n = 0, far = 0;
  for (int i = 0; i < all.n; i += 3) {
    id[n++] = all.id[i];
    far += all.gN[i] > 0.02;
  }
  CHECK(n > 20 && far > 5 && 2 * n < all.n);
  id[n++] = all.id[all.n - 1] + 1000;
  mech_contacts_find_named(m, model.c.q, n, id, &named);
  int found = 0, cursor = 0;
  for (int i = 0; i < named.n; ++i) {
    const int k = base_sorted_find(n, id, named.id[i], &cursor);
    const int j = 3 * k;
    CHECK(i == 0 || named.id[i] > named.id[i - 1]);
    if (k >= 0 && k < n - 1) {
      CHECK(named.gN[i] == all.gN[j] && named.mu[i] == all.mu[j]);
      CHECK(test_same_bits(named.frame + 6L * i, all.frame + 6L * j, 6));
      CHECK(test_same_bits(named.arm + 6L * i, all.arm + 6L * j, 6));
      ++found;
    }
  }
  CHECK_INT(found, n - 1);
}

/* The factor of M against the mass matrix, and operators by frames, arms and rotations against
 * those by W and M^-1 W. */
TEST(operators_by_geometry_are_those_of_the_directions_written_out) {
  struct model model = model_build("packing", mixed);
  struct mech_ops ops;
  const struct mech *m = model.c.mech, plain = written_out(m, &ops);
  struct base_rng *rng = base_rng_alloc(8);
  struct base_arena *arena = model.arena;
  double *M = base_arena_doubles(arena, m->nb * 36), *L = base_arena_doubles(arena, m->nu);
  CHECK(mech_mass_size(m) == (size_t)m->nu);
  for (int round = 0; round < 3; ++round) {
    struct mech_contacts list[2];
    struct form_delassus d[2];
    shake(m, 0.02, rng, model.c.q, model.c.u);
    m->ops->mass(m, model.c.q, M);
    CHECK_OK(mech_mass_factor(m, model.c.q, L));
    for (int j = 0; j < m->nu; ++j) {
      CHECK(L[j] == M[j / 6 * 36 + j % 6 * 7]);
    }
    for (int k = 0; k < 2; ++k) {
      mech_contacts_init(&list[k], k == 0 ? m : &plain, arena);
      mech_contacts_find(k == 0 ? m : &plain, model.c.q, NULL, 0.05, &list[k]);
      form_delassus_build(k == 0 ? m : &plain, L, NULL, &list[k], arena, &d[k]);
      CHECK(d[k].A.kind == PROBLEM_OPERATOR_BODIES && (d[k].A.w == NULL) == (k == 0));
    }
    const int n = 3 * list[0].n;
    double *r = base_arena_doubles(arena, n), *v = base_arena_doubles(arena, n);
    double *w = base_arena_doubles(arena, n), *block[2];
    base_rng_normals(rng, n, r);
    problem_operator_apply(&d[0].A, r, w, arena);
    problem_operator_apply(&d[1].A, r, v, arena);
    const double scale = la_norm_inf(n, v);
    CHECK_LE(test_distance(n, w, v), 1e-13 * scale);
    for (int k = 0; k < 2; ++k) {
      block[k] = base_arena_doubles(arena, 3 * n);
      problem_operator_diagonal(&d[k].A, block[k]);
    }
    const double largest = la_norm_inf(3 * n, block[1]);
    CHECK_LE(test_distance(3 * n, block[0], block[1]), 1e-13 * largest);
  }
  base_rng_free(rng);
}

/* The same motion asked for with pairs kept from call to call, and by a system that never saw the
 * states before. Every 11th shake bodies leave or come back. height: of everything, over where the
 * case has it [m]. */
static void check_kept(const char *shape, double height) {
  char set[60];
  snprintf(set, sizeof set, "n=100 gap=0 shape=%s", shape);
  struct model kept = model_build("packing", set);
  struct base_rng *rng = base_rng_alloc(9);
  struct mech_contacts a;
  mech_contacts_init(&a, kept.c.mech, kept.arena);
  int seen = 0;
  for (int b = 0; b < kept.c.mech->nb; ++b) {
    kept.c.q[7 * b + 2] += height;
  }
  for (int k = 0; k < 60; ++k) {
    struct model fresh = model_build("packing", set);
    struct mech_contacts b;
    const double reach = k % 3 == 0 ? 0 : base_rng_uniform(rng, 0, 0.01);
    shake(kept.c.mech, k % 7 == 0 ? 0.02 : 0.0005, rng, kept.c.q, kept.c.u);
    mech_contacts_init(&b, fresh.c.mech, fresh.arena);
    mech_contacts_clear(&a);
    for (int body = 0; body < kept.c.mech->nb; ++body) {
      const int there = body % 10 != 0 || body / 10 > (k / 11) % 3;
      if (mech_assembly_active(mech_assembly_of(kept.c.mech), body) != there) {
        mech_assembly_activate(mech_assembly_of(kept.c.mech), body, there);
      }
      mech_assembly_activate(mech_assembly_of(fresh.c.mech), body, there);
    }
    mech_contacts_find(kept.c.mech, kept.c.q, NULL, reach, &a);
    mech_contacts_find(fresh.c.mech, kept.c.q, NULL, reach, &b);
    CHECK_INT(a.n, b.n);
    for (int i = 0; i < a.n && i < b.n; ++i) {
      CHECK(a.id[i] == b.id[i] && a.gN[i] == b.gN[i]);
    }
    seen += a.n;
  }
  CHECK(seen > 1000);
  base_rng_free(rng);
}

TEST(contacts_do_not_depend_on_what_was_asked_before) {
  check_kept("sphere", 0);
  check_kept("box", 0);
  check_kept("mixed", 0);
}

/* Places are remembered in single precision: at 5 km that loses a part of the margin of kept pairs,
 * at 1000 km all of it. */
TEST(nor_on_how_far_from_the_origin_it_was) {
  check_kept("sphere", 5e3);
  check_kept("mixed", 5e3);
  check_kept("sphere", 1e6);
}

/* A body that becomes active, or stops being so, at a place where pairs are kept. */
TEST(pairs_kept_follow_activation) {
  static const char spheres[] = "n=27 gap=0";
  struct model model = model_build("packing", spheres);
  const struct mech *m = model.c.mech;
  struct mech_assembly *a = mech_assembly_of(m);
  struct mech_contacts list;
  mech_contacts_init(&list, m, model.arena);
  mech_contacts_find(m, model.c.q, NULL, 0.02, &list);
  const int all = list.n;
  for (int on = 0; on < 2; ++on) {
    int its = 0;
    mech_assembly_activate(a, 13, on);
    mech_contacts_find(m, model.c.q, NULL, 0.02, &list);
    for (int i = 0; i < list.n; ++i) {
      its += list.body[2 * i] == 13 || list.body[2 * i + 1] == 13;
    }
    CHECK(on ? its > 0 && list.n == all : its == 0 && list.n < all);
  }
}

/* Pairs of balls are looked at many at a time, where nobody asks how they move, and come out as any
 * pair of shapes does: spheres through each other, some about one centre or beside each other along
 * an axis, in a box with walls. */
TEST(contacts_of_balls_are_those_of_any_pair_of_shapes) {
  static const char *const sets[] = {"n=125", "n=64 shape=mixed", "n=27 bodies=scalable"};
  struct base_rng *rng = test_rng(0);
  for (int k = 0; k < 3; ++k) {
    struct model model = model_build("packing", sets[k]);
    const struct mech *m = model.c.mech;
    const int nq = m->nq / m->nb;
    double *q = model.c.q;
    struct mech_contacts fast, slow;
    for (int b = 0; b < m->nb; ++b) {
      for (int d = 0; d < 3; ++d) {
        q[b * nq + d] *= base_rng_uniform(rng, 0.4, 0.6);
        q[b * nq + d] = b % 8 == 1 || (b % 8 == 2 && d > 0) ? q[(b - 1) * nq + d] : q[b * nq + d];
      }
    }
    mech_contacts_init(&fast, m, model.arena);
    mech_contacts_init(&slow, m, model.arena);
    mech_contacts_find(m, q, NULL, 0.01, &fast);
    mech_contacts_find(m, q, model.c.u, 0.01, &slow); /* with their bias: one after the other */
    check_same_bits(&fast, &slow);
    CHECK(fast.n > 64);
  }
}

static void run(struct trial *t, const char *name, const char *form, const char *solver,
                const char *set, double t_end) {
  const struct bench_request request = {
      .case_name = name, .formulation = form, .solver = solver, .t_end = t_end, .is_tight = 1};
  trial_run(t, request, set, solver != NULL ? "max_iter=50 check_every=50 warm_start=yes" : "",
            TRIAL_WITH_ERRORS);
}

TEST(poured_bodies_stay_in_the_box_and_out_of_each_other) {
  static const struct {
    const char *form, *set;
    double t_end;
  } runs[] = {{"ncp", "n=150 shape=sphere", 0.5},
              {"mdp", "n=64 shape=capsule", 0.2},
              {"ccp", "n=27 shape=box", 0.1}};
  for (int k = 0; k < 3; ++k) {
    struct trial t;
    run(&t, "packing", runs[k].form, "relaxation", runs[k].set, runs[k].t_end);
    const struct bench_outcome out = t.out;
    CHECK_MESSAGE(out.status == BASE_OK || out.status == BASE_UNCONVERGED, "%s", out.reason);
    CHECK(out.constraints.penetration_max < 0.02 * 0.05); /* 2 % of R */
    CHECK(out.q[4] < 0);                                  /* farthest centre outside of the box */
    CHECK(out.contacts.max > 0);
    CHECK(la_all_finite(out.nq, out.q) && la_all_finite(out.nu, out.u));
  }
}

/* Threads find the contacts of some shapes each, and go through parts of the list in `penalty`,
 * parts that depend on the list alone: everything is the same for any number of them. */
TEST(lists_are_the_same_for_any_number_of_threads) {
  static const char *const sets[] = {"n=2000 gap=0 spread=0 shape=mixed",
                                     "n=4000 lattice=face-centred gap=0 spread=0"};
  for (int k = 0; k < 2; ++k) {
    struct mech_contacts list[3];
    struct model model = model_build("packing", sets[k]);
    for (int j = 0; j < 3; ++j) {
      base_threads_set(j + 1);
      mech_contacts_init(&list[j], model.c.mech, model.arena);
      mech_contacts_find(model.c.mech, model.c.q, NULL, 0.02, &list[j]);
      check_same_bits(&list[j], &list[0]);
      CHECK(list[j].n > 1000);
    }
    base_threads_set(0);
  }
}

TEST(penalty_steps_are_the_same_for_any_number_of_threads) {
  struct trial trials[3];
  for (int threads = 1; threads <= 3; ++threads) {
    const struct bench_request request = {
        .case_name = "packing", .formulation = "penalty", .dt = 1e-5, .t_end = 3e-4};
    struct trial *t = &trials[threads - 1];
    base_threads_set(threads);
    CHECK_OK(trial_run(t, request, "n=2500 lattice=face-centred gap=1e-4 spread=0 v0=0.5",
                       "tangential=spring stepper=verlet K=1e6", TRIAL_WITH_ERRORS));
    const struct bench_outcome out = t->out, one = trials[0].out;
    CHECK(out.contacts.max > 4096); /* of several parts */
    CHECK(memcmp(out.q, one.q, (size_t)out.nq * sizeof *out.q) == 0);
    CHECK(memcmp(out.u, one.u, (size_t)out.nu * sizeof *out.u) == 0);
    CHECK_NEAR(out.energy.final, one.energy.final, 0);
    CHECK_NEAR(out.energy.friction, one.energy.friction, 0);
    CHECK_NEAR(out.energy.impact, one.energy.impact, 0);
    CHECK(out.energy.friction < 0);
    CHECK_LE(out.energy.max_numerical_drift, 1e-3 * out.energy.max_kinetic);
  }
  base_threads_set(0);
}

/* Equal spheres in a face-centred lattice, layers of 9, 4, 9 and 4: each in a hollow touches four
 * below and four above, and none lies nearer than to touch. */
TEST(spheres_lie_as_cannonballs_do) {
  static const char set[] = "n=26 lattice=face-centred depth=1.5 gap=0 spread=0";
  struct model model = model_build("packing", set);
  const double *q = model.c.q, d = 0.1;
  int touching[26] = {0};
  CHECK_INT(model.c.mech->nb, 26);
  for (int a = 0; a < 26; ++a) {
    for (int b = 0; b < a; ++b) {
      const double *x = q + 7 * a, *y = q + 7 * b;
      const double apart = hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]);
      CHECK_MESSAGE(apart > d * (1 - 1e-12), "%d, %d: %g", a, b, apart);
      touching[a] += apart < d * (1 + 1e-12);
      touching[b] += apart < d * (1 + 1e-12);
    }
    for (int k = 0; k < 2; ++k) {
      CHECK(q[7 * a + k] > d / 2 * (1 - 1e-12) && q[7 * a + k] < 3 * d - d / 2 * (1 - 1e-12));
    }
  }
  CHECK_INT(touching[0], 2 + 1);  /* corner: two beside it, one above */
  CHECK_INT(touching[4], 4 + 4);  /* middle of the floor */
  CHECK_INT(touching[9], 2 + 8);  /* in a hollow of it */
  CHECK_INT(touching[17], 4 + 8); /* the middle between four below and four above */
  CHECK_INT(touching[25], 2 + 4); /* the last of the top */
  CHECK_NEAR(q[7 * 25 + 2], d / 2 + 3 * d * M_SQRT1_2, 1e-15);
}

TEST(stacks_keep_still) {
  static const char *const sets[] = {"layout=tower n=5", "layout=wall n=3", "layout=pyramid n=3"};
  for (int k = 0; k < 3; ++k) {
    struct trial t;
    run(&t, "box-stack", "ncp", NULL, sets[k], 0.02);
    CHECK_MESSAGE(t.out.status == BASE_OK, "%s", t.out.reason);
    CHECK_TEXT(t.out.reference.kind, "analytic");
    CHECK_MESSAGE(t.out.errors.q_linf < 1e-10, "%s: %g", sets[k], t.out.errors.q_linf);
  }
}
