/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * MuJoCo 3 in WebAssembly, in double precision, asked by mujoco.c: the model is MJCF.
 */
import load from '@mujoco/mujoco';
import {asked, run, stop, wrench} from './node.mjs';

const mj = await load({printErr() {}});
let model;
try {
  model = mj.MjModel.from_xml_string(asked.model);
} catch (error) {
  stop(String(error.message || error));
}
const data = new mj.MjData(model), velocity = new mj.DoubleBuffer(6);
const BODY = mj.mjtObj.mjOBJ_BODY.value;
const id = asked.bodies.map((body, i) => mj.mj_name2id(model, BODY, 'b' + i));
const moving = id.filter((body, i) => asked.bodies[i].moves);

function push() {
  const applied = data.xfrc_applied.fill(0);
  for (const given of asked.forces) {
    const body = id[given.body];
    const {force, torque} = wrench(given, Array.from(data.xquat.slice(4 * body, 4 * body + 4)));
    for (let d = 0; d < 3; ++d) {
      applied[6 * body + d] += force[d];
      applied[6 * body + 3 + d] += torque[d];
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

function step(dt) {
  model.opt.timestep = dt;
  push();
  mj.mj_step(model, data);
}

function tell() {
  const told = [data.ncon, Math.max(...data.solver_niter)];
  checkWarnings();
  findPoses();
  for (const body of moving) {
    mj.mj_objectVelocity(model, data, BODY, body, velocity, 0);
    told.push(...data.xpos.slice(3 * body, 3 * body + 3), ...data.xquat.slice(4 * body, 4 * body + 4), ...velocity.GetView());
  }
  return told;
}

mj.mj_resetDataKeyframe(model, data, 0);
findPoses();
run(step, tell);
