/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rapier in WebAssembly, in single precision, asked by rapier.c. A step is a number of substeps h (TGS), each
 * symplectic Euler with sweeps over joints and contacts, which are found once a step. Contacts are soft, of
 * a natural frequency and damping ratio: between bodies that move as the option says, on fixed bodies of
 * 60 Hz, which no option changes; impulses that push bodies apart are taken out of the velocities again.
 * Friction is Coulomb's in the plane, one constraint and one twist for all contacts of two shapes
 * (Rapier's simplified model, the only one that the package has). Restitution is Newton's, a last pass that
 * friction does not follow. Joints are impulses of the sweeps. Nothing sleeps, nothing is damped, and
 * what is fast is not stopped on its way.
 */
import {setFlagsFromString} from 'node:v8';
import RAPIER from '@dimforge/rapier3d-compat';
import {asked, product, run, turn, wrench} from './node.mjs';

console.warn = () => {};
setFlagsFromString('--liftoff-only'); /* to optimise the code takes seconds, and steps no less */
await RAPIER.init();

const vector = ([x, y, z]) => ({x, y, z});
const rotation = ([w, x, y, z]) => ({w, x, y, z});
const list = ({x, y, z}) => [x, y, z];
const back = ([w, x, y, z]) => [w, -x, -y, -z];
const Z_UP = [Math.SQRT1_2, Math.SQRT1_2, 0, 0]; /* Rapier's axis of a round shape, y, to ours, z */

const world = new RAPIER.World(vector(asked.gravity));
const settings = world.integrationParameters;
settings.numSolverIterations = asked.options.iterations;
settings.numInternalPgsIterations = asked.options.sweeps;
settings.contact_natural_frequency = asked.options.frequency;
settings.normalizedPredictionDistance = asked.options.prediction;

/* ---- bodies ---- */

function addBody(body) {
  const none = vector([0, 0, 0]);
  if (!body.moves) { return world.createRigidBody(RAPIER.RigidBodyDesc.fixed()); }
  const described = RAPIER.RigidBodyDesc.dynamic()
      .setTranslation(...body.x)
      .setRotation(rotation(body.A))
      .setLinvel(...body.v)
      .setAngvel(vector(body.w))
      .setAdditionalMassProperties(body.mass, none, vector(body.turns ? body.inertia : [1, 1, 1]), rotation([1, 0, 0, 0]))
      .setLinearDamping(0)
      .setAngularDamping(0)
      .setCanSleep(false);
  return world.createRigidBody(body.turns ? described : described.lockRotations());
}

function describeShape(shape) {
  const {ColliderDesc} = RAPIER;
  const put = (described, A) => described.setTranslation(...shape.x).setRotation(rotation(A));
  switch (shape.kind) {
  case 'box':
    return put(ColliderDesc.cuboid(...shape.half), shape.A);
  case 'capsule':
    return put(ColliderDesc.capsule(shape.half_length, shape.radius), product(shape.A, Z_UP));
  case 'cylinder':
    return put(ColliderDesc.cylinder(shape.half_length, shape.radius), product(shape.A, Z_UP));
  case 'halfspace':
    return new ColliderDesc(new RAPIER.HalfSpace(vector(shape.normal)))
        .setTranslation(...shape.normal.map((n) => n * shape.level));
  default: /* of a point 0 */
    return put(ColliderDesc.ball(shape.radius), shape.A);
  }
}

/* A shape is a collider for each law of the pairs it is in; colliders meet where they have one law, so that
   mu and eps are those of the pair. */
const colliders = new Map(); /* handle: {shape, law} */
const partners = new Map();  /* "shape other law" of the pairs */

function addShapes(bodies) {
  const made = new Set();
  for (const [first, second, mu, eps] of asked.pairs) {
    const law = mu + ' ' + eps;
    partners.set(first + ' ' + second, law).set(second + ' ' + first, law);
    for (const shape of [first, second]) {
      if (made.has(shape + ' ' + law)) { continue; }
      made.add(shape + ' ' + law);
      const {Min} = RAPIER.CoefficientCombineRule;
      const described = describeShape(asked.shapes[shape])
          .setDensity(0)
          .setFriction(mu)
          .setFrictionCombineRule(Min)
          .setRestitution(eps)
          .setRestitutionCombineRule(Min)
          .setActiveHooks(RAPIER.ActiveHooks.FILTER_CONTACT_PAIRS);
      const collider = world.createCollider(described, bodies[asked.shapes[shape].body]);
      colliders.set(collider.handle, {shape, law});
    }
  }
}

const events = new RAPIER.EventQueue(true); /* without one Rapier asks no hooks */
const hooks = {
  filterContactPair(first, second) {
    const a = colliders.get(first), b = colliders.get(second);
    const meet = a.law === b.law && partners.get(a.shape + ' ' + b.shape) === a.law;
    return meet ? RAPIER.SolverFlags.COMPUTE_IMPULSE : null;
  },
  filterIntersectionPair() { return false; }
};

/* ---- joints ---- */

/* A point and an axis of the world in a body's frame, and the frame whose x is that axis. */
function place(number, point, axis) {
  const moves = number >= 0 && asked.bodies[number].moves;
  const {x, A} = moves ? asked.bodies[number] : {x: [0, 0, 0], A: [1, 0, 0, 0]};
  return {
    at: vector(turn(back(A), point.map((c, d) => c - x[d]))),
    along: vector(turn(back(A), axis)),
    frame: rotation(product(back(A), leadX(axis)))
  };
}

/* The rotation that takes x to a unit vector. */
function leadX([x, y, z]) {
  const size = Math.sqrt(2 * (1 + x));
  return size > 1e-6 ? [size / 2, 0, -z / size, y / size] : [0, 0, 1, 0];
}

function addJoint(joint, bodies, ground) {
  const {JointData} = RAPIER, [first, second] = joint.body;
  const a = place(first, joint.point, joint.axis), b = place(second, joint.end, joint.axis);
  const make = {
    spherical: () => JointData.spherical(a.at, b.at),
    revolute: () => JointData.revoluteWithAxes(a.at, b.at, a.along, b.along),
    prismatic: () => JointData.prismatic(a.at, b.at, a.along),
    fixed: () => JointData.fixed(a.at, a.frame, b.at, b.frame),
    rope: () => JointData.rope(joint.length, a.at, b.at),
    spring: () => JointData.spring(joint.length, joint.stiffness, joint.damping, a.at, b.at)
  };
  const made = world.createImpulseJoint(make[joint.kind](), bodies[first], second < 0 ? ground : bodies[second], true);
  if (joint.kind === 'prismatic') {
    made.setLocalFrame1(a.at, a.frame);
    made.setLocalFrame2(b.at, b.frame);
  }
}

/* ---- the steps ---- */

const bodies = asked.bodies.map(addBody);
const moving = bodies.filter((body, i) => asked.bodies[i].moves);
addShapes(bodies);
const ground = world.createRigidBody(RAPIER.RigidBodyDesc.fixed());
asked.joints.forEach((joint) => addJoint(joint, bodies, ground));

function poseOf(body) {
  const {x, y, z, w} = body.rotation();
  return [...list(body.translation()), w, x, y, z];
}

function countContacts() {
  let n = 0;
  const seen = [...colliders.keys()].map((handle) => world.getCollider(handle));
  for (const first of seen) {
    world.contactPairsWith(first, (second) => {
      if (first.handle < second.handle) {
        world.contactPair(first, second, (manifold) => { n += manifold.numSolverContacts(); });
      }
    });
  }
  return n;
}

function step(dt) {
  world.timestep = dt;
  bodies.forEach((body) => { body.resetForces(false); body.resetTorques(false); });
  for (const given of asked.forces) {
    const body = bodies[given.body], {force, torque} = wrench(given, poseOf(body).slice(3));
    body.addForce(vector(force), true);
    body.addTorque(vector(torque), true);
  }
  world.step(events, hooks);
}

function tell() {
  return [countContacts(), -1, ...moving.flatMap((body) => [...poseOf(body), ...list(body.angvel()), ...list(body.linvel())])];
}

run(step, tell);
