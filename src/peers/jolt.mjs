/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Jolt in WebAssembly, in single precision, asked by jolt.c. A step is symplectic Euler: contacts are found,
 * sweeps over joints and contacts change velocities from the impulses of the last step, places follow, and a few
 * sweeps over places undo what is left of gaps beyond the slop. The package's defaults are changed where
 * they are no mechanics: bodies have the gyroscopic term, restitution acts at every speed, shapes have their
 * corners, speeds no bound; nothing sleeps, nothing is damped.
 */
import load from 'jolt-physics';
import {asked, product, run, stop, wrench} from './node.mjs';

const POINT_RADIUS = 1e-6; /* [m]: there is no sphere without one */
const FASTEST = 1e9;       /* [m/s, rad/s] */
const Z_UP = [Math.SQRT1_2, Math.SQRT1_2, 0, 0]; /* Jolt's axis of a round shape, y, to ours, z */

const Jolt = await load({print() {}, printErr() {}});
const vector = (x) => new Jolt.Vec3(...x);
const position = (x) => new Jolt.RVec3(...x);
const rotation = ([w, x, y, z]) => new Jolt.Quat(x, y, z, w);
const list = (v) => [v.GetX(), v.GetY(), v.GetZ()];

/* ---- the world ---- */

function makeInterface() {
  const settings = new Jolt.JoltSettings();
  const pairs = new Jolt.ObjectLayerPairFilterTable(1), layers = new Jolt.BroadPhaseLayerInterfaceTable(1, 1);
  const layer = new Jolt.BroadPhaseLayer(0);
  pairs.EnableCollision(0, 0);
  layers.MapObjectToBroadPhaseLayer(0, layer);
  settings.mMaxBodies = asked.bodies.length + asked.shapes.length + 1;
  settings.mMaxWorkerThreads = 0;
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = layers;
  settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(layers, 1, pairs, 1);
  return new Jolt.JoltInterface(settings);
}

const jolt = makeInterface(), system = jolt.GetPhysicsSystem(), made = system.GetBodyInterface();
const settings = system.GetPhysicsSettings();
settings.mNumVelocitySteps = asked.options.iterations;
settings.mNumPositionSteps = asked.options.position_iterations;
settings.mBaumgarte = asked.options.baumgarte;
settings.mPenetrationSlop = asked.options.slop;
settings.mSpeculativeContactDistance = asked.options.prediction;
settings.mMinVelocityForRestitution = 0;
settings.mAllowSleeping = false;
system.SetPhysicsSettings(settings);
system.SetGravity(vector(asked.gravity));

/* ---- bodies ---- */

function shapeOf(shape) {
  switch (shape.kind) {
  case 'box':
    return new Jolt.BoxShape(vector(shape.half), 0);
  case 'capsule':
    return new Jolt.CapsuleShape(shape.half_length, shape.radius);
  case 'cylinder':
    return new Jolt.CylinderShape(shape.half_length, shape.radius, 0);
  case 'halfspace':
    return new Jolt.PlaneShape(new Jolt.Plane(vector(shape.normal), -shape.level));
  default:
    return new Jolt.SphereShape(shape.radius || POINT_RADIUS);
  }
}

const turned = (shape) => ['capsule', 'cylinder'].includes(shape.kind) ? product(shape.A, Z_UP) : shape.A;

/* All shapes of a body as one, with its centre of mass at 0. */
function shapesOf(shapes) {
  if (shapes.length === 0) { return new Jolt.EmptyShape(); }
  const [first] = shapes, isPlain = [...first.x, ...turned(first).slice(1)].every((c) => c === 0);
  if (shapes.length === 1 && isPlain) { return shapeOf(first); }
  const compound = new Jolt.StaticCompoundShapeSettings();
  for (const shape of shapes) {
    compound.AddShapeShape(vector(shape.x), rotation(turned(shape)), shapeOf(shape), 0);
  }
  const result = compound.Create();
  if (result.HasError()) { stop(result.GetError().c_str()); }
  const centre = list(result.Get().GetCenterOfMass());
  return new Jolt.OffsetCenterOfMassShape(result.Get(), vector(centre.map((c) => -c)));
}

const shapeNumber = new Map(); /* of a body's first shape, by Jolt's number of the body */

function addBody(described, first) {
  const body = made.CreateBody(described);
  shapeNumber.set(body.GetID().GetIndexAndSequenceNumber(), first);
  made.AddBody(body.GetID(), Jolt.EActivation_Activate);
  return body;
}

function addFixed(shape, x, A, first) {
  return addBody(new Jolt.BodyCreationSettings(shape, position(x), rotation(A), Jolt.EMotionType_Static, 0), first);
}

function addMoving(given, number) {
  const shapes = asked.shapes.filter((shape) => shape.body === number);
  const described = new Jolt.BodyCreationSettings(
      shapesOf(shapes), position(given.x), rotation(given.A), Jolt.EMotionType_Dynamic, 0);
  const inertia = given.turns ? given.inertia : [1, 1, 1];
  described.mLinearVelocity = vector(given.v);
  described.mAngularVelocity = vector(given.w);
  described.mOverrideMassProperties = Jolt.EOverrideMassProperties_MassAndInertiaProvided;
  described.mMassPropertiesOverride.mMass = given.mass;
  described.mMassPropertiesOverride.mInertia = Jolt.Mat44.prototype.sScaleVec3(vector(inertia));
  if (!given.turns) {
    described.mAllowedDOFs = Jolt.EAllowedDOFs_TranslationX | Jolt.EAllowedDOFs_TranslationY | Jolt.EAllowedDOFs_TranslationZ;
  }
  described.mLinearDamping = described.mAngularDamping = 0;
  described.mMaxLinearVelocity = described.mMaxAngularVelocity = FASTEST;
  described.mApplyGyroscopicForce = true;
  described.mAllowSleeping = false;
  return addBody(described, asked.shapes.indexOf(shapes[0]));
}

const bodies = asked.bodies.map((body, i) => body.moves ? addMoving(body, i) : null);
const moving = bodies.filter((body) => body !== null);
const ground = addFixed(new Jolt.EmptyShape(), [0, 0, 0], [1, 0, 0, 0], -1);
asked.shapes.forEach((shape, i) => {
  if (!asked.bodies[shape.body].moves) { addFixed(shapeOf(shape), shape.x, turned(shape), i); }
});

/* ---- contacts ---- */

/* Law of two bodies by their first shapes: all shapes of one that moves have one material. */
const laws = new Map();
for (const [first, second, mu, eps] of asked.pairs) {
  laws.set(first + ' ' + second, [mu, eps]).set(second + ' ' + first, [mu, eps]);
}

const numberOf = (pointer) => shapeNumber.get(Jolt.wrapPointer(pointer, Jolt.Body).GetID().GetIndexAndSequenceNumber());
const lawOf = (first, second) => laws.get(numberOf(first) + ' ' + numberOf(second));
let contacts = 0;

function setLaw(first, second, manifold, settings) {
  const contact = Jolt.wrapPointer(settings, Jolt.ContactSettings);
  [contact.mCombinedFriction, contact.mCombinedRestitution] = lawOf(first, second);
  contacts += Jolt.wrapPointer(manifold, Jolt.ContactManifold).mRelativeContactPointsOn1.size();
}

const listener = new Jolt.ContactListenerJS();
listener.OnContactValidate = (first, second) => lawOf(first, second) ?
  Jolt.ValidateResult_AcceptAllContactsForThisBodyPair : Jolt.ValidateResult_RejectAllContactsForThisBodyPair;
listener.OnContactAdded = listener.OnContactPersisted = setLaw;
listener.OnContactRemoved = () => {};
system.SetContactListener(listener);

/* ---- joints, given in the world ---- */

/* A unit vector across another. */
function across([x, y, z]) {
  const size = Math.hypot(x, y);
  return size > 0.5 ? [-y / size, x / size, 0] : [0, -z / Math.hypot(y, z), y / Math.hypot(y, z)];
}

function describeJoint(joint) {
  const axis = () => vector(joint.axis), normal = () => vector(across(joint.axis));
  switch (joint.kind) {
  case 'spherical':
    return new Jolt.PointConstraintSettings();
  case 'revolute': {
    const hinge = new Jolt.HingeConstraintSettings();
    hinge.mHingeAxis1 = hinge.mHingeAxis2 = axis();
    hinge.mNormalAxis1 = hinge.mNormalAxis2 = normal();
    return hinge;
  }
  case 'prismatic': {
    const slider = new Jolt.SliderConstraintSettings();
    slider.mSliderAxis1 = slider.mSliderAxis2 = axis();
    slider.mNormalAxis1 = slider.mNormalAxis2 = normal();
    return slider;
  }
  case 'fixed':
    return new Jolt.FixedConstraintSettings();
  default: {
    const distance = new Jolt.DistanceConstraintSettings();
    distance.mMinDistance = joint.kind === 'rope' ? 0 : joint.length;
    distance.mMaxDistance = joint.length;
    if (joint.kind === 'spring') {
      distance.mLimitsSpringSettings.mMode = Jolt.ESpringMode_StiffnessAndDamping;
      distance.mLimitsSpringSettings.mStiffness = joint.stiffness;
      distance.mLimitsSpringSettings.mDamping = joint.damping;
    }
    return distance;
  }
  }
}

for (const joint of asked.joints) {
  const described = describeJoint(joint), [first, second] = joint.body.map((number) => bodies[number] || ground);
  described.mPoint1 = position(joint.point);
  described.mPoint2 = position(joint.end);
  system.AddConstraint(described.Create(first, second));
}

/* ---- the steps ---- */

function poseOf(body) {
  const A = body.GetRotation();
  return [...list(body.GetCenterOfMassPosition()), A.GetW(), A.GetX(), A.GetY(), A.GetZ()];
}

function step(dt) {
  contacts = 0;
  for (const given of asked.forces) {
    const body = bodies[given.body], {force, torque} = wrench(given, poseOf(body).slice(3));
    body.AddForce(vector(force));
    body.AddTorque(vector(torque));
  }
  jolt.Step(dt, 1);
}

function tell() {
  return [contacts, -1, ...moving.flatMap((body) => [...poseOf(body), ...list(body.GetAngularVelocity()), ...list(body.GetLinearVelocity())])];
}

run(step, tell);
