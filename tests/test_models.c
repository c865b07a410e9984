/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Models of the cases against themselves by finite differences: all they say, at random states on
 * their constraints; discrete derivatives of their own against Gonzalez' formula; and tangential
 * directions of every registered case against the places of the points in contact: no gap tells of
 * W_T, and one with a wrong sign has the right bias, d(W_T^T)/dt u, with that sign. The cases as
 * they start are in tests/cli/selfcheck.sh.
 */
#include "tests/test.h"

#include "cases/case.h"
#include "la/dense.h"
#include "mech/mech.h"
#include "tests/case_model.h"

/* Coordinates are moved by up to `spread`, velocities by twice the model's own, or by 1 in the
 * place where it starts. */
static const struct {
  const char *name, *set;
  double spread;
  int states;
  double tolerance;
  int gonzalez; /* discrete derivatives are (moeller 5.19), as of quadratic functions (5.28) */
} models[] = {
    {"falling-particle", "", 1, 100, 1e-9, 1},
    {"falling-particle", "m=3.5 g=1.62 mu=0.7", 1, 100, 1e-9, 1},
    {"oscillator", "", 1, 100, 1e-9, 1},
    {"oscillator", "m2=2 c=30 eps=0.5", 1, 100, 1e-9, 1},
    {"double-pendulum", "coordinates=xy", 1, 100, 1e-9, 1},
    {"double-pendulum", "coordinates=angles", 1, 100, 1e-9, 1},
    {"woodpecker", "", 0.03, 40, 1e-9, 1},
    {"woodpecker",
     "r_O=0.1 r_M=0.3 h_M=0.7 l_M=0.4 l_G=0.9 h_S=0.6 l_S=0.2 m_M=1.1 m_S=2.3 J_M=0.5 J_S=0.8 c=3 "
     "eps_N2=0.3 eps_T1=0.2 eps_T3=0.1 mu1=0.5 mu2=0.6 mu3=0.7 alpha0=0",
     1, 40, 1e-9, 1},
    {"overbalanced-wheel", "", 0.6, 40, 1e-9, 0},
    {"overbalanced-wheel", "n=1 l=0.7 m=1.3 a=0.5 theta=2 eps=0.4", 1, 40, 1e-9, 0},
    {"overbalanced-wheel", "n=5 l=0.3 m=0.7 a=1.1 theta=0.9 g=1.62 eps=1", 1, 40, 1e-9, 0},
    {"two-balls", "clearance=0.3", 0.03, 10, 1e-7, 0},
    {"granular-chains", "n=3 clearance=0.3", 0.01, 10, 1e-7, 0},
    {"painleve-rod", "m=2 l=1.5", 3, 50, 1e-9, 0},
    {"thrown-ball", "body=scalable", 0, 1, 1e-7, 0},
    {"thrown-ball", "body=planar", 0, 1, 1e-7, 0},
    {"table", "body=scalable", 0, 1, 1e-7, 0},
    {"table", "body=planar", 0, 1, 1e-7, 0},
    {"pushed-box", "body=scalable", 0, 1, 1e-7, 0},
    {"pushed-box", "body=planar", 0, 1, 1e-7, 0},
    {"heavy-on-light", "body=scalable", 0, 1, 1e-7, 0},
    {"heavy-on-light", "body=planar", 0, 1, 1e-7, 0},
    {"bouncing-ball", "body=scalable", 0, 1, 1e-7, 0},
    {"bouncing-ball", "body=quaternion", 0, 1, 1e-7, 0},
    {"packing", "n=8 shape=capsule", 0, 1, 1e-6, 0},
    {"packing", "n=4 bodies=scalable", 0, 1, 1e-6, 0},
    {"academic-contact", "body=quaternion", 0, 10, 1e-8, 0},
    {"academic-contact", "body=affine", 0.2, 10, 1e-6, 0},
    {"academic-contact", "body=scalable", 0.2, 10, 1e-8, 0},
    {"tippe-top", "body=scalable friction_set=B", 0, 4, 1e-8, 0},
    {"tippe-top", "body=scalable friction_set=S", 0, 4, 1e-8, 0},
    {"tippe-top", "body=scalable friction_set=disk", 0, 4, 1e-8, 0}};
enum { MODELS = sizeof models / sizeof *models };

/* A random state on the constraints, around q; not every place leads to one. */
static void random_state(const struct case_instance *c, double spread, struct base_rng *rng,
                         double *q, double *u) {
  do {
    for (int j = 0; j < c->mech->nq; ++j) {
      q[j] = c->q[j] + base_rng_uniform(rng, -1, 1) * spread;
    }
    for (int j = 0; j < c->mech->nu; ++j) {
      u[j] = c->u[j] + base_rng_uniform(rng, -1, 1) * (spread > 0 ? 2 * c->mech->speed : 1);
    }
  } while (mech_project(c->mech, q, u, test_arena()) != BASE_OK);
}

TEST(models_agree_with_their_differences) {
  struct base_rng *rng = test_rng(0);
  struct base_arena *arena = test_arena();
  for (int k = 0; k < MODELS; ++k) {
    const struct case_instance c = case_model_build(models[k].name, models[k].set, arena);
    double *q = base_arena_doubles(arena, c.mech->nq), *u = base_arena_doubles(arena, c.mech->nu);
    double largest = 0;
    for (int trial = 0; trial < models[k].states; ++trial) {
      double worst = 0;
      random_state(&c, models[k].spread, rng, q, u);
      const int status = mech_check(c.mech, q, u, 0, models[k].tolerance, &worst, arena);
      CHECK_MESSAGE(status == BASE_OK, "%s %s: %s", models[k].name, models[k].set, base_message());
      largest = fmax(largest, worst);
    }
    CHECK(largest > 0); /* something was compared */
  }
}

TEST(discrete_derivatives_of_quadratic_functions_are_gonzalez) {
  enum { NQ = 4, CONTACTS = 3 };
  struct base_rng *rng = test_rng(0);
  struct base_arena *arena = test_arena();
  for (int k = 0; k < MODELS && models[k].gonzalez; ++k) {
    const struct mech *m = case_model_build(models[k].name, models[k].set, arena).mech;
    struct mech_ops ops = *m->ops;
    struct mech generic = *m;
    memset(&ops.consistent, 0, sizeof ops.consistent);
    generic.ops = &ops;
    for (int trial = 0; trial < 20; ++trial) {
      double a[NQ], b[NQ], u[NQ], D[2 * NQ], G[2 * NQ];
      for (int j = 0; j < m->nq; ++j) {
        a[j] = base_rng_uniform(rng, -1, 1);
        b[j] = base_rng_uniform(rng, -1, 1);
        u[j] = base_rng_uniform(rng, -3, 3);
      }
      mech_discrete_potential(m, a, b, D, arena);
      mech_discrete_potential(&generic, a, b, G, arena);
      CHECK_LE(test_distance(m->nq, D, G),
               1e-13 * (la_norm_inf(m->nq, G) + fabs(m->ops->potential(m, a))));
      mech_discrete_bilateral(m, a, b, D, arena);
      mech_discrete_bilateral(&generic, a, b, G, arena);
      CHECK_LE(test_distance(m->ns * m->nq, D, G), 1e-13);
      mech_discrete_rate(m, u, a, b, D, arena);
      mech_discrete_rate(&generic, u, a, b, G, arena);
      CHECK_LE(test_distance(m->ns * m->nq, D, G), 1e-10); /* differenced */
      struct mech_contacts all;
      mech_contacts_init(&all, m, arena);
      mech_contacts_find(m, a, NULL, INFINITY, &all);
      CHECK(all.n > 0 && all.n <= CONTACTS);
      for (int i = 0; i < all.n; ++i) {
        mech_discrete_gap(m, all.id[i], a, b, D, arena);
        mech_discrete_gap(&generic, all.id[i], a, b, G, arena);
        CHECK_LE(test_distance(m->nq, D, G), 1e-12);
      }
    }
  }
}

/* ---- tangential directions ---- */

/* Of cases with many bodies few, and further models of others. */
static const struct model {
  const char *name, *key, *value;
} few[] = {{"packing", "n", "2"}, {"box-stack", "n", "1"}, {"channel-flow", "scale", "0.06"}},
  variants[] = {{"tippe-top", "friction_set", "disk"},
                {"academic-contact", "body", "affine"},
                {"academic-contact", "body", "scalable"},
                {"pushed-box", "body", "planar"},
                {"pushed-box", "body", "scalable"}};
static const double TOLERANCE = 1e-6;
enum { SIZE_MAX_HERE = 200 };

/* A model with W_d of all its contacts turned around, d >= 1, bias and all; 0: as it is. */
static const struct mech_ops *right;
static int turned;

static void turned_contacts(const struct mech *m, const double *q, const double *u, double reach,
                            struct mech_contacts *out) {
  right->contacts(m, q, u, reach, out);
  for (int i = 0; i < out->n && turned > 0; ++i) {
    for (int k = 0; k < 2; ++k) {
      double *W = mech_contacts_block(out, i, k) + (size_t)turned * (size_t)m->nv;
      for (int j = 0; j < m->nv; ++j) {
        W[j] = -W[j];
      }
    }
    if (u != NULL) {
      out->bias[i * m->dim + turned] *= -1;
    }
  }
}

/* The largest errors of W against places, and of all else that is said of contacts. */
struct errors {
  double ways, others;
  int told;
};

static void note(void *data, const char *what, double error) {
  struct errors *e = data;
  const int is_ways = strcmp(what, "W against the ways of the points in contact") == 0;
  double *most = is_ways ? &e->ways : &e->others;
  e->told |= is_ways;
  if (is_ways || strstr(what, "contacts") != NULL || strstr(what, "g_N") != NULL) {
    *most = fmax(*most, error);
  }
}

static void check_model(const struct model *model, int *mutants) {
  const char *name = model->name, *key = model->key, *value = model->value;
  struct base_arena *arena = test_arena();
  const struct case_type *type = case_find(name);
  struct case_parameters *p = case_parameters_load(type, arena);
  struct case_instance start = {0};
  int status = key != NULL ? case_parameters_set(p, key, value) : BASE_OK;
  status = status == BASE_OK ? type->build(p, arena, &start) : status;
  CHECK_MESSAGE(status == BASE_OK, "%s %s=%s: %s", name, key, value, base_message());
  if (status == BASE_OK && start.mech->dim > 1 && start.mech->ops->contacts != NULL &&
      start.mech->nu <= SIZE_MAX_HERE) {
    struct base_rng *rng = test_rng(0);
    double *u = base_arena_doubles(arena, start.mech->nu);
    struct mech mutant = *start.mech;
    struct mech_ops ops = *start.mech->ops;
    struct mech_contacts list;
    right = start.mech->ops;
    ops.contacts = turned_contacts;
    mutant.ops = &ops;
    CHECK_MESSAGE(ops.slips != NULL, "%s: does not tell where its points in contact go", name);
    for (int j = 0; j < mutant.nu; ++j) {
      u[j] = base_rng_uniform(rng, -1, 1) * mutant.speed;
    }
    mech_contacts_init(&list, &mutant, arena);
    turned = 0;
    mech_contacts_find(&mutant, start.q, NULL, INFINITY, &list);
    for (turned = 0; turned < (list.rigid ? 1 : mutant.dim); ++turned) { /* rigid: of frames */
      struct errors e = {0};
      mech_check_visit(&mutant, start.q, u, 0, TOLERANCE, (struct mech_check_visitor){note, &e},
                       arena);
      CHECK_MESSAGE(e.told == (list.n > 0), "%s: W of its contacts was not compared", name);
      CHECK_MESSAGE(!e.told || (e.ways <= TOLERANCE) == (turned == 0),
                    "%s %s: W_%d turned around, but off by %.2e", name, key != NULL ? value : "",
                    turned, e.ways);
      CHECK_MESSAGE(turned == 0 || e.others <= TOLERANCE || !e.told,
                    "%s: something else tells of W_%d, %.2e", name, turned, e.others);
      *mutants += e.told && turned > 0;
    }
  }
}

TEST(a_tangential_direction_turned_around_is_found_in_every_case) {
  int mutants = 0;
  for (int i = 0; i < case_count(); ++i) {
    const struct model plain = {.name = case_get(i)->name}, *model = &plain;
    for (size_t k = 0; k < sizeof few / sizeof *few; ++k) {
      model = strcmp(few[k].name, plain.name) == 0 ? &few[k] : model;
    }
    check_model(model, &mutants);
  }
  for (size_t k = 0; k < sizeof variants / sizeof *variants; ++k) {
    check_model(&variants[k], &mutants);
  }
  CHECK(mutants >= 12);
}
