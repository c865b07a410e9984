/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the scripts of engines share: the question of node.c on standard input, a line for each step on
 * standard output, the reason on standard error where it cannot go on, rotations. Quaternions are lists,
 * scalar first, body to world.
 */
import {readFileSync, writeSync} from 'node:fs';

export const asked = JSON.parse(readFileSync(0, 'utf8'));

export function stop(reason) {
  writeSync(2, reason + '\n');
  process.exit(1);
}

/* step(dt) takes a step, which ends at the next of the times; tell() lists contacts, iterations (-1: not told)
   and 13 numbers of every body that moves, in their order (node.c). */
export function run(step, tell) {
  let time = 0;
  for (const end of asked.times) {
    const before = performance.now();
    step(end - time);
    const seconds = 1e-3 * (performance.now() - before);
    time = end;
    writeSync(1, [seconds, ...tell()].join(' ') + '\n');
  }
}

export function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export function turn(A, x) {
  const v = A.slice(1), t = cross(v, x).map((c) => 2 * c), s = cross(v, t);
  return x.map((c, i) => c + A[0] * t[i] + s[i]);
}

export function product([a, ...v], [b, ...w]) {
  const u = cross(v, w);
  return [a * b - v[0] * w[0] - v[1] * w[1] - v[2] * w[2], ...u.map((c, i) => c + a * w[i] + b * v[i])];
}

/* Force at a point of a body and torque, both in the world, for its orientation A. */
export function wrench(force, A) {
  const lever = cross(turn(A, force.at), force.force);
  return {force: force.force, torque: turn(A, force.torque).map((c, i) => c + lever[i])};
}
