/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The Open Dynamics Engine (Smith; BSD) as a peer, in double precision. A step takes impulses from
 *
 *   v' = v + dt M^-1 (f + J^T lambda),  J v' + cfm lambda = erp / dt gap,  x' = x + dt v'
 *
 * with lambda within bounds: by Dantzig's pivoting, or by a number of sweeps. Friction is bounded
 * in two directions of the plane each by itself (a pyramid), by mu times the normal force, for
 * which ODE has dContactApprox1; its axes are those that ODE chooses. Restitution is Newton's, at
 * every speed. The gyroscopic term is ODE's own. Nothing is damped, nothing put to sleep.
 */
#include <ode/ode.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "peers/kit.h"

enum { CONTACTS_MOST = 64 }; /* of two shapes; boxes have 8 */

static dWorldID world;
static dSpaceID space;
static dJointGroupID contacts;
static dBodyID *body; /* n_bodies; 0: fixed */
static int is_quick, n_contacts;

/* ---- bodies ---- */

static dBodyID body_of(const struct kit_body *b) {
  const struct kit_state *s = &b->start;
  const double *I = b->inertia;
  dMass mass;
  dBodyID made = dBodyCreate(world);
  dMassSetParameters(&mass, b->mass, 0, 0, 0, I[0], I[1], I[2], 0, 0, 0);
  dBodySetMass(made, &mass);
  dBodySetPosition(made, s->x[0], s->x[1], s->x[2]);
  dBodySetQuaternion(made, s->A);
  dBodySetLinearVel(made, s->v[0], s->v[1], s->v[2]);
  dBodySetAngularVel(made, s->w[0], s->w[1], s->w[2]);
  return made;
}

static dGeomID geom_of(const struct kit_shape *s) {
  switch (s->kind) {
  case KIT_BOX:
    return dCreateBox(space, 2 * s->half[0], 2 * s->half[1], 2 * s->half[2]);
  case KIT_CAPSULE:
    return dCreateCapsule(space, s->radius, 2 * s->half_length);
  case KIT_CYLINDER:
    return dCreateCylinder(space, s->radius, 2 * s->half_length);
  case KIT_HALFSPACE:
    return dCreatePlane(space, s->normal[0], s->normal[1], s->normal[2], s->level);
  case KIT_POINT:
  case KIT_SPHERE:
    break;
  }
  return dCreateSphere(space, s->radius); /* of a point 0 */
}

static void add_shape(const struct kit_shape *s) {
  dGeomID geom = geom_of(s);
  dGeomSetData(geom, (void *)s);
  if (s->kind == KIT_HALFSPACE) {
    return;
  }
  if (body[s->body] != NULL) {
    dGeomSetBody(geom, body[s->body]);
    dGeomSetOffsetPosition(geom, s->x[0], s->x[1], s->x[2]);
    dGeomSetOffsetQuaternion(geom, s->A);
  } else {
    double x[3], A[4];
    kit_shape_place(s, x, A);
    dGeomSetPosition(geom, x[0], x[1], x[2]);
    dGeomSetQuaternion(geom, A);
  }
}

/* ---- joints ---- */

static void add_joint(const struct kit_joint *j) {
  const double *p = j->point, *e = j->end, *n = j->axis;
  dBodyID first = body[j->body[0]], second = j->body[1] < 0 ? NULL : body[j->body[1]];
  dJointID made;
  switch (j->kind) {
  case KIT_SPHERICAL:
    made = dJointCreateBall(world, 0);
    dJointAttach(made, first, second);
    dJointSetBallAnchor(made, p[0], p[1], p[2]);
    break;
  case KIT_REVOLUTE:
    made = dJointCreateHinge(world, 0);
    dJointAttach(made, first, second);
    dJointSetHingeAnchor(made, p[0], p[1], p[2]);
    dJointSetHingeAxis(made, n[0], n[1], n[2]);
    break;
  case KIT_PRISMATIC:
    made = dJointCreateSlider(world, 0);
    dJointAttach(made, first, second);
    dJointSetSliderAxis(made, n[0], n[1], n[2]);
    break;
  case KIT_ROD:
    made = dJointCreateDBall(world, 0);
    dJointAttach(made, first, second);
    dJointSetDBallAnchor1(made, p[0], p[1], p[2]);
    dJointSetDBallAnchor2(made, e[0], e[1], e[2]);
    dJointSetDBallDistance(made, j->length);
    break;
  default: /* fixed, the last of those it says it has */
    made = dJointCreateFixed(world, 0);
    dJointAttach(made, first, second);
    dJointSetFixed(made);
  }
}

/* ---- contacts ---- */

static void touch(void *data, dGeomID first, dGeomID second) {
  const struct kit *k = data;
  const int a = (int)((const struct kit_shape *)dGeomGetData(first) - k->shape);
  const int b = (int)((const struct kit_shape *)dGeomGetData(second) - k->shape);
  if (!kit_can_touch(a, b)) {
    return;
  }
  const struct kit_law law = kit_law_of(a, b);
  dContact found[CONTACTS_MOST];
  memset(found, 0, sizeof found);
  const int n = dCollide(first, second, CONTACTS_MOST, &found[0].geom, sizeof *found);
  for (int i = 0; i < n; ++i) {
    found[i].surface.mode = dContactApprox1 | (law.eps_N > 0 ? dContactBounce : 0);
    found[i].surface.mu = law.mu;
    found[i].surface.bounce = law.eps_N;
    found[i].surface.bounce_vel = 0;
    dJointAttach(dJointCreateContact(world, contacts, &found[i]), dGeomGetBody(first),
                 dGeomGetBody(second));
  }
  n_contacts += n;
}

/* ODE says nothing where it has no function for two shapes. */
static void check_colliders(const struct kit *k) {
  for (int i = 0; i < k->n_shapes; ++i) {
    for (int j = 0; j < k->n_shapes; ++j) {
      const enum kit_shape_kind with = k->shape[j].kind;
      if (k->shape[i].kind == KIT_CYLINDER && (with == KIT_CYLINDER || with == KIT_CAPSULE) &&
          kit_can_touch(i, j) && !dCheckConfiguration("ODE_EXT_libccd")) {
        kit_refuse("built without contacts of a cylinder with cylinders and capsules",
                   "bodies[%d].shapes[%d].type", k->shape[i].body, k->shape[i].index);
      }
    }
  }
}

/* ---- the engine ---- */

static void build(const struct kit *k) {
  check_colliders(k);
  dInitODE2(0);
  world = dWorldCreate();
  space = dHashSpaceCreate(NULL);
  contacts = dJointGroupCreate(0);
  is_quick = strcmp(kit_choice("stepper"), "quick") == 0;
  dWorldSetGravity(world, k->gravity[0], k->gravity[1], k->gravity[2]);
  dWorldSetERP(world, kit_option("erp"));
  dWorldSetCFM(world, kit_option("cfm"));
  dWorldSetQuickStepNumIterations(world, (int)kit_option("iterations"));
  body = calloc((size_t)k->n_bodies, sizeof(dBodyID));
  for (int i = 0; i < k->n_bodies; ++i) {
    body[i] = k->body[i].column >= 0 ? body_of(&k->body[i]) : NULL;
  }
  for (int i = 0; i < k->n_shapes; ++i) {
    add_shape(&k->shape[i]);
  }
  for (int i = 0; i < k->n_joints; ++i) {
    add_joint(&k->joint[i]);
  }
  kit_note("friction is a pyramid");
}

static void step(const struct kit *k, double dt, struct kit_counts *counts) {
  for (int i = 0; i < k->n_forces; ++i) {
    const struct kit_force *f = &k->force[i];
    const double *F = f->force, *M = f->torque;
    dBodyAddForceAtRelPos(body[f->body], F[0], F[1], F[2], f->at[0], f->at[1], f->at[2]);
    dBodyAddRelTorque(body[f->body], M[0], M[1], M[2]);
  }
  n_contacts = 0;
  dSpaceCollide(space, (void *)k, touch);
  const int is_done = is_quick ? dWorldQuickStep(world, dt) : dWorldStep(world, dt);
  if (!is_done) {
    exit(1);
  }
  dJointGroupEmpty(contacts);
  counts->contacts = n_contacts;
}

static void get(int i, struct kit_state *s) {
  memcpy(s->x, dBodyGetPosition(body[i]), sizeof s->x);
  memcpy(s->A, dBodyGetQuaternion(body[i]), sizeof s->A);
  memcpy(s->v, dBodyGetLinearVel(body[i]), sizeof s->v);
  memcpy(s->w, dBodyGetAngularVel(body[i]), sizeof s->w);
}

static const char *velocities(void) { return "half-step"; }

int main(int argc, char **argv) {
  static const struct kit_engine engine = {.name = "ODE",
                                           .version = dODE_VERSION,
                                           .shapes = "point|sphere|box|capsule|cylinder|halfspace",
                                           .joints = "spherical|revolute|fixed|prismatic|rod",
                                           .rebounds = 1,
                                           .velocities = velocities,
                                           .build = build,
                                           .step = step,
                                           .get = get};
  return kit_main(argc, argv, &engine);
}
