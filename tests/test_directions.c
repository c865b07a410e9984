/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tangential directions of every registered case against the places of the points in contact: no
 * gap tells of W_T, and one with a wrong sign has the right bias, d(W_T^T)/dt u, with that sign.
 */
#include "tests/test.h"

#include "base/rng.h"
#include "base/status.h"
#include "cases/case.h"
#include "mech/mech.h"

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

TEST_MAIN()
