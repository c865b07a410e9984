/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bullet (Coumans; zlib) as a peer, in double precision. Friction is bounded by mu times the normal
 * impulse, in one direction a contact: that of sliding, or at rest one that Bullet chooses.
 * Contacts are points that stay from step to step, a new one a step, four at most of two shapes.
 * They act from a gap d of 0.02 m on, by v' >= eps v - d/dt (v: speed of approach): a rebound is
 * Newton's less the gap that is left, which depends on where in a step the impact falls. The speed
 * below which Bullet has no restitution, 0.2 m/s, is set to 0. Boxes and cylinders have their full
 * size, their rounding within it. Nothing is damped, nothing put to sleep.
 */
#include <btBulletDynamicsCommon.h>

#include <BulletDynamics/ConstraintSolver/btNNCGConstraintSolver.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <cstring>
#include <string>
#include <vector>

#include "peers/kit.h"

static_assert(sizeof(btScalar) == sizeof(double), "the build in double precision");

static btDiscreteDynamicsWorld *world;
static std::vector<btRigidBody *> body; /* nullptr: fixed */

static btVector3 vector_of(const double x[3]) { return btVector3(x[0], x[1], x[2]); }

static btTransform transform_of(const double x[3], const double A[4]) {
  return btTransform(btQuaternion(A[1], A[2], A[3], A[0]), vector_of(x));
}

/* ---- what two bodies are to each other: a body is known by its first shape ---- */

struct filter : btOverlapFilterCallback {
  bool needBroadphaseCollision(btBroadphaseProxy *a, btBroadphaseProxy *b) const override {
    const int first = static_cast<btCollisionObject *>(a->m_clientObject)->getUserIndex();
    const int second = static_cast<btCollisionObject *>(b->m_clientObject)->getUserIndex();
    return first >= 0 && second >= 0 && kit_can_touch(first, second);
  }
};

static btScalar friction_of(const btCollisionObject *a, const btCollisionObject *b) {
  return kit_law_of(a->getUserIndex(), b->getUserIndex()).mu;
}

static btScalar restitution_of(const btCollisionObject *a, const btCollisionObject *b) {
  return kit_law_of(a->getUserIndex(), b->getUserIndex()).eps_N;
}

/* ---- bodies ---- */

static btCollisionShape *shape_of(const struct kit_shape *s) {
  switch (s->kind) {
  case KIT_BOX:
    return new btBoxShape(vector_of(s->half));
  case KIT_CAPSULE:
    return new btCapsuleShapeZ(s->radius, 2 * s->half_length);
  case KIT_CYLINDER:
    return new btCylinderShapeZ(btVector3(s->radius, s->radius, s->half_length));
  case KIT_HALFSPACE:
    return new btStaticPlaneShape(vector_of(s->normal), s->level);
  case KIT_POINT:
  case KIT_SPHERE:
    break;
  }
  return new btSphereShape(s->radius); /* of a point 0 */
}

static btRigidBody *add_body(double mass, const double inertia[3], const btTransform &pose,
                             btCollisionShape *shape, int user) {
  btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, vector_of(inertia));
  info.m_startWorldTransform = pose;
  btRigidBody *made = new btRigidBody(info);
  made->setUserIndex(user);
  made->setActivationState(DISABLE_DEACTIVATION);
  world->addRigidBody(made);
  return made;
}

/* Each shape of a fixed body is one of its own. */
static void add_fixed(const struct kit_shape *s, int i) {
  static const double none[3] = {0, 0, 0};
  double x[3] = {0, 0, 0}, A[4] = {1, 0, 0, 0};
  if (s->kind != KIT_HALFSPACE) {
    kit_shape_place(s, x, A);
  }
  add_body(0, none, transform_of(x, A), shape_of(s), i);
}

static void add_moving(const struct kit *k, int i) {
  static const double none[3] = {0, 0, 0};
  const struct kit_body *b = &k->body[i];
  btCompoundShape *shapes = new btCompoundShape;
  btCollisionShape *shape = nullptr;
  int first = -1;
  for (int s = 0; s < k->n_shapes; ++s) {
    if (k->shape[s].body != i) {
      continue;
    }
    const btTransform pose = transform_of(k->shape[s].x, k->shape[s].A);
    shape = shape_of(&k->shape[s]);
    shapes->addChildShape(pose, shape);
    first = first < 0 ? s : first;
  }
  const bool is_plain = shapes->getNumChildShapes() == 1 &&
                        shapes->getChildTransform(0) == btTransform::getIdentity();
  if (shapes->getNumChildShapes() == 0) {
    shape = new btEmptyShape;
  } else if (!is_plain) {
    shape = shapes;
  }
  body[i] = add_body(b->mass, b->turns ? b->inertia : none, transform_of(b->start.x, b->start.A),
                     shape, first);
  body[i]->setLinearVelocity(vector_of(b->start.v));
  body[i]->setAngularVelocity(vector_of(b->start.w));
}

/* ---- joints ---- */

static btTypedConstraint *joint_of(const struct kit_joint *j) {
  btRigidBody *second = j->body[1] < 0 ? nullptr : body[j->body[1]];
  btRigidBody &a = *body[j->body[0]], &b = second ? *second : btTypedConstraint::getFixedBody();
  const btVector3 point = vector_of(j->point), axis = vector_of(j->axis);
  const btTransform to_a = a.getWorldTransform().inverse(), to_b = b.getWorldTransform().inverse();
  btVector3 across, third;
  switch (j->kind) {
  case KIT_SPHERICAL:
    return new btPoint2PointConstraint(a, b, to_a * point, to_b * point);
  case KIT_REVOLUTE:
    return new btHingeConstraint(a, b, to_a * point, to_b * point, to_a.getBasis() * axis,
                                 to_b.getBasis() * axis);
  case KIT_PRISMATIC: {
    btPlaneSpace1(axis, across, third);
    btTransform frame(btMatrix3x3(axis[0], across[0], third[0], axis[1], across[1], third[1],
                                  axis[2], across[2], third[2]),
                      a.getWorldTransform().getOrigin());
    return new btSliderConstraint(a, b, to_a * frame, to_b * frame, true);
  }
  default: /* fixed, the last of those it says it has */
    return new btFixedConstraint(a, b, btTransform::getIdentity(), to_b * a.getWorldTransform());
  }
}

/* ---- the engine ---- */

static btConstraintSolver *solver_of(const char *name) {
  if (strcmp(name, "mlcp") == 0) {
    return new btMLCPSolver(new btDantzigSolver);
  }
  return strcmp(name, "nncg") == 0 ? new btNNCGConstraintSolver
                                   : new btSequentialImpulseConstraintSolver;
}

static void build(const struct kit *k) {
  btCollisionConfiguration *configuration = new btDefaultCollisionConfiguration;
  world =
      new btDiscreteDynamicsWorld(new btCollisionDispatcher(configuration), new btDbvtBroadphase,
                                  solver_of(kit_choice("algorithm")), configuration);
  world->setGravity(vector_of(k->gravity));
  world->getPairCache()->setOverlapFilterCallback(new filter);
  world->getSolverInfo().m_numIterations = static_cast<int>(kit_option("iterations"));
  world->getSolverInfo().m_restitutionVelocityThreshold = 0;
  gCalculateCombinedFrictionCallback = friction_of;
  gCalculateCombinedRestitutionCallback = restitution_of;
  body.assign(static_cast<size_t>(k->n_bodies), nullptr);
  for (int i = 0; i < k->n_shapes; ++i) {
    if (k->body[k->shape[i].body].column < 0) {
      add_fixed(&k->shape[i], i);
    }
  }
  for (int i = 0; i < k->n_bodies; ++i) {
    if (k->body[i].column >= 0) {
      add_moving(k, i);
    }
  }
  for (int i = 0; i < k->n_joints; ++i) {
    world->addConstraint(joint_of(&k->joint[i]));
  }
  kit_note("friction has one direction a contact");
  kit_note("contacts act from a gap of 0.02 m on; a rebound is less by what is left of it over dt");
}

static void step(const struct kit *k, double dt, struct kit_counts *counts) {
  for (int i = 0; i < k->n_forces; ++i) {
    const struct kit_force *f = &k->force[i];
    const btMatrix3x3 &R = body[f->body]->getWorldTransform().getBasis();
    body[f->body]->applyForce(vector_of(f->force), R * vector_of(f->at));
    body[f->body]->applyTorque(R * vector_of(f->torque));
  }
  world->stepSimulation(dt, 0);
  counts->contacts = 0;
  for (int i = 0; i < world->getDispatcher()->getNumManifolds(); ++i) {
    counts->contacts += world->getDispatcher()->getManifoldByIndexInternal(i)->getNumContacts();
  }
}

static void get(int i, struct kit_state *s) {
  const btTransform &pose = body[i]->getWorldTransform();
  const btQuaternion A = pose.getRotation();
  for (int d = 0; d < 3; ++d) {
    s->x[d] = pose.getOrigin()[d];
    s->A[d + 1] = A[d];
    s->v[d] = body[i]->getLinearVelocity()[d];
    s->w[d] = body[i]->getAngularVelocity()[d];
  }
  s->A[0] = A[3];
}

static const char *velocities() { return "half-step"; }

int main(int argc, char **argv) {
  const int number = btGetVersion();
  const std::string version = std::to_string(number / 100) + "." + std::to_string(number % 100);
  const struct kit_engine engine = {.name = "Bullet",
                                    .version = version.c_str(),
                                    .shapes = "point|sphere|box|capsule|cylinder|halfspace",
                                    .joints = "spherical|revolute|fixed|prismatic",
                                    .holds_turns = 1,
                                    .rebounds = 1,
                                    .one_material = 1,
                                    .velocities = velocities,
                                    .build = build,
                                    .step = step,
                                    .get = get};
  return kit_main(argc, argv, &engine);
}
