/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Siconos (Acary, Bremond and others; Apache) as a peer, in double precision: Moreau-Jean's scheme
 *
 *   M (v' - v) = dt f(theta) + H^T p,   q' = q + dt T(q) (theta v' + (1 - theta) v)
 *
 * where contacts whose gap is closed at q + dt/2 v obey 0 <= U_N' + eps U_N  _|_  p_N >= 0 and
 * Coulomb's law, joints hold at the level of velocities, and a step is repeated by Newton's method.
 * Contacts are solved by NSGS, with joints by Siconos' solver of mixed problems.
 *
 * Siconos' own plane is a hull 1000 m wide with a margin of 1000 m to Bullet, in single precision:
 * a sphere does not roll on it (README.md has the numbers). So contacts with planes
 * are relations of this file, as Siconos documents them: the gap, the points and the normal by the
 * positions, in each iteration. So are those of spheres with each other. Bullet has the others.
 */
#include <MechanicsFwd.hpp> /* before all others: it tells the kernel of its classes */

#include <BulletR.hpp>
#include <FixedJointR.hpp>
#include <KneeJointR.hpp>
#include <PivotJointR.hpp>
#include <PrismaticJointR.hpp>
#include <RigidBodyDS.hpp>
#include <SiconosBulletCollisionManager.hpp>
#include <SiconosContactor.hpp>
#include <SiconosKernel.hpp>
#include <SiconosShape.hpp>
#include <SolverOptions.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <iostream>
#include <vector>

#include "peers/kit.h"

static const struct kit *scene;
static std::vector<SP::RigidBodyDS> body;            /* nullptr: fixed */
static std::vector<SP::SiconosVector> force, torque; /* of each body; torques in its frame */
static SP::TimeStepping simulation;
static SP::OneStepNSProblem problem;

static SP::SiconosVector vector_of(const double x[3]) {
  SP::SiconosVector made(new SiconosVector(3));
  std::copy(x, x + 3, made->getArray());
  return made;
}

static SP::SiconosVector pose_of(const double x[3], const double A[4]) {
  SP::SiconosVector made(new SiconosVector(7));
  std::copy(x, x + 3, made->getArray());
  std::copy(A, A + 4, made->getArray() + 3);
  return made;
}

static double dot(const double x[3], const double y[3]) {
  return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static void cross(const double x[3], const double y[3], double z[3]) {
  for (int i = 0; i < 3; ++i) {
    z[i] = x[(i + 1) % 3] * y[(i + 2) % 3] - x[(i + 2) % 3] * y[(i + 1) % 3];
  }
}

/* ---- frames of contacts ---- */

static bool is_orthonormal; /* frames of contacts; else Siconos' own */

/* Two unit vectors across n. */
static void tangents_of(const double n[3], double t[3], double s[3]) {
  const double size[3] = {std::fabs(n[0]), std::fabs(n[1]), std::fabs(n[2])};
  double e[3] = {0, 0, 0};
  e[std::min_element(size, size + 3) - size] = 1;
  cross(n, e, t);
  const double length = std::sqrt(dot(t, t));
  for (int i = 0; i < 3; ++i) {
    t[i] /= length;
  }
  cross(n, t, s);
}

/* A relation of contact in which the rows of H are along the normal and two vectors across it:
 * those of orthoBaseFromVector (Siconos 4.4) are not, where |n_z| > |n_x| > |n_y|. */
template <class RELATION> struct framed : RELATION {
  void computeJachqT(Interaction &contact, SP::BlockVector q) override {
    if (!is_orthonormal) {
      RELATION::computeJachqT(contact, q);
      return;
    }
    double rows[3][3];
    std::copy(this->_Nc->getArray(), this->_Nc->getArray() + 3, rows[0]);
    tangents_of(rows[0], rows[1], rows[2]);
    for (unsigned b = 0; b < q->numberOfBlocks(); ++b) {
      const double *pose = q->vector(b)->getArray(), sign = b == 0 ? 1 : -1;
      for (unsigned row = 0; row < 3; ++row) {
        const double *p = this->_Pc1->getArray();
        const double arm[3] = {p[0] - pose[0], p[1] - pose[1], p[2] - pose[2]};
        double moment[3];
        cross(arm, rows[row], moment);
        kit_turn_back(pose + 3, moment, moment);
        for (unsigned d = 0; d < 3; ++d) {
          this->_jachqT->setValue(row, 6 * b + d, sign * rows[row][d]);
          this->_jachqT->setValue(row, 6 * b + 3 + d, sign * moment[d]);
        }
      }
    }
  }
};

/* ---- contacts with planes and of spheres ---- */

/* What of a shape can touch: a sphere, a corner (radius 0), or a point of a cylinder's rim. */
struct spot {
  int shape;
  double x[3];   /* centre, in the body's frame [m] */
  double radius; /* [m] */
  int rim;       /* 0: a sphere; 1: the lowest point of the rim; 2, 3: a third of it from there */
};

static std::vector<spot> spots_of(int i) {
  const struct kit_shape *s = &scene->shape[i];
  std::vector<spot> made;
  const auto add = [&](double x, double y, double z, double radius, int rim) {
    const double at[3] = {x, y, z};
    spot next = {i, {}, radius, rim};
    kit_turn(s->A, at, next.x);
    for (int d = 0; d < 3; ++d) {
      next.x[d] += s->x[d];
    }
    made.push_back(next);
  };
  const double *half = s->half, length = s->half_length;
  switch (s->kind) {
  case KIT_BOX:
    for (int c = 0; c < 8; ++c) {
      add(c & 1 ? half[0] : -half[0], c & 2 ? half[1] : -half[1], c & 4 ? half[2] : -half[2], 0, 0);
    }
    break;
  case KIT_CAPSULE:
    add(0, 0, -length, s->radius, 0);
    add(0, 0, length, s->radius, 0);
    break;
  case KIT_CYLINDER:
    for (int rim = 1; rim <= 3; ++rim) {
      add(0, 0, -length, s->radius, rim);
      add(0, 0, length, s->radius, rim);
    }
    break;
  default:
    add(0, 0, 0, s->radius, 0);
  }
  return made;
}

/* In the world, q its body's pose or NULL where it is fixed. */
static void centre_of(const struct spot *s, const double *q, double c[3]) {
  const struct kit_state *start = &scene->body[scene->shape[s->shape].body].start;
  const double *x = q != nullptr ? q : start->x, *A = q != nullptr ? q + 3 : start->A;
  kit_turn(A, s->x, c);
  for (int i = 0; i < 3; ++i) {
    c[i] += x[i];
  }
}

/* From the centre of a rim to its point, n the plane's normal. */
static void rim_of(const struct spot *s, const double *q, const double n[3], double r[3]) {
  static const double along[3] = {0, 0, 1}, across[3] = {1, 0, 0}, third = 2 * M_PI / 3;
  const double *A = scene->shape[s->shape].A;
  double z[3], x[3], down[3], side[3];
  kit_turn(A, along, z);
  kit_turn(A, across, x);
  kit_turn(q + 3, z, z);
  kit_turn(q + 3, x, x);
  const double slope = dot(n, z), size = std::sqrt(std::max(0., 1 - slope * slope));
  for (int i = 0; i < 3; ++i) {
    down[i] = size > 1e-9 ? (slope * z[i] - n[i]) / size : x[i]; /* it stands: any will do */
  }
  cross(z, down, side);
  for (int i = 0; i < 3; ++i) {
    r[i] = s->radius *
           (std::cos(third * (s->rim - 1)) * down[i] + std::sin(third * (s->rim - 1)) * side[i]);
  }
}

/* The gap, the normal towards the first and the first's point, in the world. */
static double gap_of(const struct spot *a, const struct spot *b, const double *qa, const double *qb,
                     double n[3], double p[3]) {
  const struct kit_shape *second = &scene->shape[b->shape];
  double c[3], e[3], r[3];
  centre_of(a, qa, c);
  if (second->kind == KIT_HALFSPACE) {
    std::copy(second->normal, second->normal + 3, n);
  } else {
    centre_of(b, qb, e);
    for (int i = 0; i < 3; ++i) {
      e[i] = c[i] - e[i];
    }
    const double distance = std::sqrt(dot(e, e));
    for (int i = 0; i < 3; ++i) {
      n[i] = distance > 0 ? e[i] / distance : i == 2;
    }
  }
  if (a->rim > 0) {
    rim_of(a, qa, n, r);
  }
  for (int i = 0; i < 3; ++i) {
    p[i] = c[i] + (a->rim > 0 ? r[i] : -a->radius * n[i]);
  }
  return second->kind == KIT_HALFSPACE ? dot(n, p) - second->level
                                       : dot(n, e) - a->radius - b->radius;
}

struct spot_contact : framed<NewtonEuler3DR> {
  struct spot a, b;

  spot_contact(const struct spot &first, const struct spot &second) : a(first), b(second) {}

  void computeh(double, const BlockVector &q, SiconosVector &y) override {
    const double *qb = q.numberOfBlocks() > 1 ? q.vector(1)->getArray() : nullptr;
    double n[3], p[3];
    const double gap = gap_of(&a, &b, q.vector(0)->getArray(), qb, n, p);
    for (unsigned i = 0; i < 3; ++i) {
      (*_Nc)(i) = n[i];
      (*_Pc1)(i) = p[i];
      (*_Pc2)(i) = p[i] - gap * n[i];
    }
    y.setValue(0, gap);
  }
};

/* Contacts of Bullet's. */
struct manager : SiconosBulletCollisionManager {
  bool is_used = false;

  SP::BulletR makeBulletR(SP::RigidBodyDS, SP::SiconosShape, SP::RigidBodyDS, SP::SiconosShape,
                          const btManifoldPoint &) override {
    return SP::BulletR(new framed<BulletR>);
  }

  void updateInteractions(SP::Simulation s) override {
    if (is_used) {
      SiconosBulletCollisionManager::updateInteractions(s);
    }
  }
};

static std::shared_ptr<manager> contacts;

static bool is_own(int i, int j) {
  const auto is_round = [](int s) {
    return scene->shape[s].kind == KIT_SPHERE || scene->shape[s].kind == KIT_POINT;
  };
  return scene->shape[j].kind == KIT_HALFSPACE || (is_round(i) && is_round(j));
}

/* ---- shapes for Bullet ---- */

static SP::SiconosContactor contactor_of(int i) {
  static const double along_z[4] = {M_SQRT1_2, M_SQRT1_2, 0, 0}; /* Siconos' axis is y */
  /* Shapes are rounded within their size; Siconos' 0.1 m would be more than that of many. */
  static const double rounding = 0.02;
  const struct kit_shape *s = &scene->shape[i];
  const float radius = static_cast<float>(s->radius);
  const float length = static_cast<float>(2 * s->half_length);
  double A[4] = {s->A[0], s->A[1], s->A[2], s->A[3]}, size = 2 * s->radius;
  SP::SiconosShape shape;
  switch (s->kind) {
  case KIT_BOX:
    shape.reset(new SiconosBox(2 * s->half[0], 2 * s->half[1], 2 * s->half[2]));
    size = 2 * std::min({s->half[0], s->half[1], s->half[2]});
    break;
  case KIT_CAPSULE:
    shape.reset(new SiconosCapsule(radius, length));
    kit_product(s->A, along_z, A);
    break;
  case KIT_CYLINDER:
    shape.reset(new SiconosCylinder(radius, length));
    kit_product(s->A, along_z, A);
    size = 2 * std::min(s->radius, s->half_length);
    break;
  default:
    if (s->kind == KIT_POINT) {
      kit_refuse("points touch planes, spheres and points alone", "bodies[%d].shapes[%d].type",
                 s->body, s->index);
    }
    shape.reset(new SiconosSphere(radius));
  }
  shape->setInsideMargin(rounding * size);
  return SP::SiconosContactor(new SiconosContactor(shape, pose_of(s->x, A), i));
}

static void add_to_bullet(int i) {
  const struct kit_body *b = &scene->body[scene->shape[i].body];
  const SP::RigidBodyDS &moving = body[static_cast<size_t>(scene->shape[i].body)];
  if (moving) {
    moving->contactors()->append(contactor_of(i));
    return;
  }
  SP::SiconosContactorSet set(new SiconosContactorSet);
  set->append(contactor_of(i));
  contacts->insertStaticContactorSet(set, pose_of(b->start.x, b->start.A));
}

/* The first of two shapes moves; a shape is a group of Bullet's. Contacts of our own stay for the
 * whole run: one that is linked when it comes near has no velocity in that step, and acts a step
 * late. */
static bool add_pair(NonSmoothDynamicalSystem &system, int i, int j) {
  const struct kit_law its = kit_law_of(i, j);
  SP::NonSmoothLaw law(new NewtonImpactFrictionNSL(its.eps_N, 0, its.mu, 3));
  if (!is_own(i, j)) {
    contacts->insertNonSmoothLaw(law, static_cast<unsigned long>(i), static_cast<unsigned long>(j));
    contacts->is_used = true;
    return true;
  }
  for (const spot &a : spots_of(i)) {
    for (const spot &b : spots_of(j)) {
      const SP::Relation relation(new spot_contact(a, b));
      system.link(SP::Interaction(new Interaction(law, relation)),
                  body[static_cast<size_t>(scene->shape[i].body)],
                  body[static_cast<size_t>(scene->shape[j].body)]);
    }
  }
  return false;
}

static void add_contacts(NonSmoothDynamicalSystem &system, const struct kit *k) {
  std::vector<char> is_bullets(static_cast<size_t>(k->n_shapes));
  const auto moves = [k](int s) { return k->body[k->shape[s].body].column >= 0; };
  for (int i = 0; i < k->n_shapes; ++i) {
    for (int j = 0; j < k->n_shapes; ++j) {
      if (kit_can_touch(i, j) && moves(i) && (j > i || !moves(j)) && add_pair(system, i, j)) {
        is_bullets[static_cast<size_t>(i)] = is_bullets[static_cast<size_t>(j)] = 1;
      }
    }
  }
  for (int i = 0; i < k->n_shapes; ++i) {
    if (is_bullets[static_cast<size_t>(i)]) {
      add_to_bullet(i);
    }
  }
}

/* ---- bodies ---- */

static SP::RigidBodyDS body_of(const struct kit_body *b) {
  const struct kit_state *s = &b->start;
  SP::SiconosVector twist(new SiconosVector(6));
  std::copy(s->v, s->v + 3, twist->getArray());
  kit_turn_back(s->A, s->w, twist->getArray() + 3);
  SP::SimpleMatrix inertia(new SimpleMatrix(3, 3));
  for (unsigned i = 0; i < 3; ++i) {
    (*inertia)(i, i) = b->inertia[i];
  }
  SP::RigidBodyDS made(new RigidBodyDS(pose_of(s->x, s->A), twist, b->mass, inertia));
  made->setContactors(SP::SiconosContactorSet(new SiconosContactorSet));
  made->setUseContactorInertia(false);
  made->setAllowSelfCollide(true); /* pairs that may not touch have no law */
  return made;
}

/* Forces of the step ahead. */
static void set_forces(const struct kit *k) {
  for (size_t i = 0; i < body.size(); ++i) {
    for (unsigned d = 0; d < 3; ++d) {
      (*force[i])(d) = k->body[i].mass * k->gravity[d];
      (*torque[i])(d) = 0;
    }
  }
  for (int i = 0; i < k->n_forces; ++i) {
    const struct kit_force *f = &k->force[i];
    const size_t b = static_cast<size_t>(f->body);
    double F[3], M[3];
    kit_turn_back(body[b]->q()->getArray() + 3, f->force, F);
    cross(f->at, F, M);
    for (unsigned d = 0; d < 3; ++d) {
      (*force[b])(d) += f->force[d];
      (*torque[b])(d) += M[d] + f->torque[d];
    }
  }
}

/* ---- joints ---- */

static SP::NewtonEulerJointR joint_of(const struct kit_joint *j, const SP::RigidBodyDS &first,
                                      const SP::RigidBodyDS &second) {
  const SP::SiconosVector point = vector_of(j->point), axis = vector_of(j->axis);
  switch (j->kind) {
  case KIT_SPHERICAL:
    return SP::NewtonEulerJointR(new KneeJointR(point, true, first, second));
  case KIT_REVOLUTE:
    return SP::NewtonEulerJointR(new PivotJointR(point, axis, true, first, second));
  case KIT_PRISMATIC:
    return SP::NewtonEulerJointR(new PrismaticJointR(axis, true, first, second));
  default: /* fixed, the last of those it says it has */
    return SP::NewtonEulerJointR(new FixedJointR(first, second));
  }
}

static void add_joint(NonSmoothDynamicalSystem &system, const struct kit_joint *j) {
  const SP::RigidBodyDS first = body[static_cast<size_t>(j->body[0])];
  const SP::RigidBodyDS second =
      j->body[1] < 0 ? SP::RigidBodyDS() : body[static_cast<size_t>(j->body[1])];
  const SP::NewtonEulerJointR joint = joint_of(j, first, second);
  joint->setAllowSelfCollide(true);
  const SP::NonSmoothLaw law(new EqualityConditionNSL(joint->numberOfConstraints()));
  system.link(SP::Interaction(new Interaction(law, joint)), first, second);
}

/* ---- the engine ---- */

static void add_solver(const struct kit *k) {
  if (k->n_joints > 0) {
    problem.reset(new GenericMechanical(SICONOS_FRICTION_3D_ONECONTACT_NSN));
  } else {
    problem.reset(new FrictionContact(3, SICONOS_FRICTION_3D_NSGS));
  }
  problem->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = kit_option("tolerance");
  problem->numericsSolverOptions()->iparam[SICONOS_IPARAM_MAX_ITER] =
      static_cast<int>(kit_option("iterations"));
}

/* A solve or a step that does not converge is taken as it is, as Siconos does. */
static void accept(int, Simulation *) {}

static void build(const struct kit *k) {
  std::cout.rdbuf(std::cerr.rdbuf()); /* for people */
  scene = k;
  is_orthonormal = strcmp(kit_choice("frame"), "orthonormal") == 0;
  std::vector<double> times = {0.};
  times.insert(times.end(), k->time, k->time + k->n_times);
  for (int ahead = 0; ahead < 2; ++ahead) { /* Siconos plans two steps more */
    times.push_back(times.back() + k->time[0]);
  }
  SP::NonSmoothDynamicalSystem system(new NonSmoothDynamicalSystem(0, times.back()));
  static const double none[3] = {0, 0, 0};
  for (int i = 0; i < k->n_bodies; ++i) {
    body.push_back(k->body[i].column >= 0 ? body_of(&k->body[i]) : nullptr);
    force.push_back(vector_of(none));
    torque.push_back(vector_of(none));
    if (body.back()) {
      body.back()->setFExtPtr(force.back());
      body.back()->setMExtPtr(torque.back());
      system->insertDynamicalSystem(body.back());
    }
  }
  set_forces(k);
  for (int i = 0; i < k->n_joints; ++i) {
    add_joint(*system, &k->joint[i]);
  }
  contacts = std::make_shared<manager>();
  add_contacts(*system, k);
  add_solver(k);
  const SP::OneStepIntegrator integrator(new MoreauJeanOSI(kit_option("theta")));
  const SP::TimeDiscretisation steps(new TimeDiscretisation(times));
  simulation.reset(new TimeStepping(system, steps, integrator, problem));
  simulation->insertInteractionManager(contacts);
  simulation->setCheckSolverFunction(accept);
  simulation->setWarnOnNonConvergence(false);
  if (contacts->is_used) {
    kit_note("contacts but of planes and of spheres with each other are Bullet's, in single "
             "precision");
  }
}

static void step(const struct kit *k, double, struct kit_counts *counts) {
  set_forces(k);
  simulation->computeOneStep();
  counts->contacts = static_cast<int>(simulation->indexSet(1)->size()) - k->n_joints;
  counts->iterations = problem->numericsSolverOptions()->iparam[SICONOS_IPARAM_ITER_DONE];
  simulation->nextStep();
}

static void get(int i, struct kit_state *s) {
  const SP::RigidBodyDS &b = body[static_cast<size_t>(i)];
  const double *q = b->q()->getArray(), *u = b->twist()->getArray();
  std::copy(q, q + 3, s->x);
  std::copy(q + 3, q + 7, s->A);
  std::copy(u, u + 3, s->v);
  kit_turn(s->A, u + 3, s->w);
}

static const char *velocities() { return "end"; }

int main(int argc, char **argv) {
  const struct kit_engine engine = {.name = "Siconos",
                                    .version = SICONOS_VERSION,
                                    .shapes = "point|sphere|box|capsule|cylinder|halfspace",
                                    .joints = "spherical|revolute|fixed|prismatic",
                                    .holds_turns = 0,
                                    .rebounds = 1,
                                    .one_material = 0,
                                    .velocities = velocities,
                                    .build = build,
                                    .step = step,
                                    .get = get};
  return kit_main(argc, argv, &engine);
}
