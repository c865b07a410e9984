/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A chain of n links over the floor z = 0, with few contacts: what divide and conquer is made for
 * (bhalerao 4). Links are cylinders of length l that go down and up in turn by the slope, so that
 * every other joint is low; spheres of the links' radius at low joints touch the floor at the
 * start. The free chain slides over the floor, as a whole at first; links without sphere fall
 * through it, since only spheres are seen by contacts.
 *
 * Sphere i sits on link b = 2 floor(i' floor(n / 2) / X'), at its far end, where i' counts the
 * X' = X / per_link links that carry any; two on one link stand l/4 to its left and right.
 */
#include "cases/body_kit.h"
#include "cases/case.h"

#include "base/status.h"
#include "mech/assembly/assembly.h"

#include <math.h>
#include <string.h>

struct chain {
  int n, contacts, per_link, carriers; /* carriers: links with spheres */
  double l, slope, radius;
  int material;
};

static int read_chain(const struct case_parameters *p, struct chain *c) {
  *c = (struct chain){.n = (int)case_real(p, "n"),
                      .contacts = (int)case_real(p, "contacts"),
                      .per_link = (int)case_real(p, "per_link"),
                      .l = case_real(p, "length"),
                      .slope = case_real(p, "slope"),
                      .radius = case_real(p, "radius")};
  c->carriers = (c->contacts + c->per_link - 1) / c->per_link;
  if (c->carriers > c->n / 2) {
    return base_fail(BASE_E_INPUT,
                     "chain: contacts = %d, %d a link, do not fit on the %d low joints of %d links",
                     c->contacts, c->per_link, c->n / 2, c->n);
  }
  return BASE_OK;
}

static enum mech_joint_kind joint_kind(const char *name) {
  return strcmp(name, "revolute") == 0 ? MECH_JOINT_REVOLUTE
         : strcmp(name, "fixed") == 0  ? MECH_JOINT_FIXED
                                       : MECH_JOINT_SPHERICAL;
}

/* Joint k = 0 ... n, before the first link, between two, behind the last. */
static void joint_point(const struct chain *c, int k, double x[3]) {
  x[0] = k * c->l * cos(c->slope);
  x[1] = 0;
  x[2] = c->radius + (k % 2 == 0 ? c->l * sin(c->slope) : 0);
}

static int add_link(const struct chain *c, const struct case_parameters *p, struct mech_assembly *a,
                    int k) {
  const int hung = strcmp(case_choice(p, "hung"), "first") == 0;
  const double m = case_real(p, "density") * M_PI * c->radius * c->radius * c->l;
  const double along = 0.5 * m * c->radius * c->radius, across = 0.5 * along + m * c->l * c->l / 12;
  const double half = 0.5 * (k % 2 == 0 ? c->slope : -c->slope); /* about y, down first */
  const double speed = hung ? 0 : case_real(p, "speed");
  double x[3], end[3];
  joint_point(c, k, x);
  joint_point(c, k + 1, end);
  const struct mech_body body = {.mass = m,
                                 .inertia = {along, across, across},
                                 .position = {0.5 * (x[0] + end[0]), 0, 0.5 * (x[2] + end[2])},
                                 .orientation = {cos(half), 0, sin(half), 0},
                                 .velocity = {speed, speed, 0}};
  int status = mech_assembly_body(a, &body);
  if (status >= 0 && (k > 0 || hung)) {
    const struct mech_joint joint = {.kind = joint_kind(case_choice(p, "joint")),
                                     .body = {k - 1, k},
                                     .point = {x[0], x[1], x[2]},
                                     .axis = {0, 1, 0}};
    status = mech_assembly_joint(a, &joint);
  }
  return status;
}

static int add_spheres(const struct chain *c, struct mech_assembly *a) {
  int status = mech_assembly_shape(
      a, &(struct mech_shape){.kind = MECH_SHAPE_HALFSPACE, .body = -1, .material = c->material});
  for (int i = 0; i < c->contacts && status >= 0; ++i) {
    const int link = 2 * (int)((long)(i / c->per_link) * (c->n / 2) / c->carriers);
    const double side = c->per_link == 1 ? 0 : i % 2 == 0 ? -0.25 * c->l : 0.25 * c->l;
    status = mech_assembly_shape(a, &(struct mech_shape){.kind = MECH_SHAPE_SPHERE,
                                                         .body = link,
                                                         .offset = {0.5 * c->l, side, 0},
                                                         .radius = c->radius,
                                                         .material = c->material});
  }
  return status;
}

static int chain_build(const struct case_parameters *p, struct base_arena *arena,
                       struct case_instance *out) {
  struct chain c;
  int status = read_chain(p, &c);
  if (status != BASE_OK) {
    return status;
  }
  struct mech_assembly *a = mech_assembly_alloc(MECH_SPATIAL, "chain", arena);
  mech_assembly_gravity(a, (double[]){0, 0, -case_real(p, "g")});
  status = c.material = mech_assembly_material(
      a, &(struct mech_material){.mu = case_real(p, "mu"), .eps_N = case_real(p, "eps_N")});
  for (int k = 0; k < c.n && status >= 0; ++k) {
    status = add_link(&c, p, a, k);
  }
  status = status >= 0 ? add_spheres(&c, a) : status;
  return body_finish(a, status, out, "chain");
}

const struct case_type case_chain = {
    .name = "chain",
    .summary = "a long chain of links over a floor: many joints, few contacts",
    .source = "bhalerao 4; own values",
    .build = chain_build};
