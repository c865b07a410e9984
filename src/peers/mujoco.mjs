/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * MuJoCo 3 in WebAssembly, in double precision, asked by mujoco.c. Standard input is {xml, bodies[],
 * times[], forces[{body, force, torque, at}]}; a line is printed for each step, which ends at the next
 * of the times [s]: contacts, iterations and the time it took [s], then of every body x y z a0 a1 a2 a3
 * wx wy wz vx vy vz, all in the world.
 * What cannot go on is said on standard error.
 */
import {readFileSync, writeSync} from 'node:fs';
import load from '@mujoco/mujoco';

function stop(reason) {
  writeSync(2, reason + '\n');
  process.exit(1);
}

const mj = await load({printErr() {}});
const asked = JSON.parse(readFileSync(0, 'utf8'));
let model;
try {
  model = mj.MjModel.from_xml_string(asked.xml);
} catch (error) {
  stop(String(error.message || error));
}
const data = new mj.MjData(model), velocity = new mj.DoubleBuffer(6);
const BODY = mj.mjtObj.mjOBJ_BODY.value;
const bodies = asked.bodies.map((name) => mj.mj_name2id(model, BODY, name));

function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function turn(A, x) {
  const v = A.slice(1), t = cross(v, x).map((c) => 2 * c), s = cross(v, t);
  return x.map((c, i) => c + A[0] * t[i] + s[i]);
}

function push() {
  const applied = data.xfrc_applied.fill(0);
  for (const force of asked.forces) {
    const body = mj.mj_name2id(model, BODY, force.body);
    const A = Array.from(data.xquat.slice(4 * body, 4 * body + 4));
    const lever = cross(turn(A, force.at), force.force), torque = turn(A, force.torque);
    for (let d = 0; d < 3; ++d) {
      applied[6 * body + d] += force.force[d];
      applied[6 * body + 3 + d] += torque[d] + lever[d];
    }
  }
}

function findPoses() {
  mj.mj_kinematics(model, data);
  mj.mj_comPos(model, data);
  mj.mj_comVel(model, data);
}

function checkWarnings() {
  for (let i = 0; i < data.warning.size(); ++i) {
    if (data.warning.get(i).number > 0) { stop('MuJoCo warns, number ' + i + ' of mjtWarning'); }
  }
}

mj.mj_resetDataKeyframe(model, data, 0);
findPoses();
let time = 0;
for (const end of asked.times) {
  model.opt.timestep = end - time;
  time = end;
  push();
  const before = performance.now();
  mj.mj_step(model, data);
  const seconds = 1e-3 * (performance.now() - before);
  checkWarnings();
  const told = [data.ncon, Math.max(...data.solver_niter), seconds];
  findPoses();
  for (const body of bodies) {
    mj.mj_objectVelocity(model, data, BODY, body, velocity, 0);
    told.push(...data.xpos.slice(3 * body, 3 * body + 3), ...data.xquat.slice(4 * body, 4 * body + 4), ...velocity.GetView());
  }
  writeSync(1, told.join(' ') + '\n');
}
