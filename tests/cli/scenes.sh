#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Scene files as a user meets them: run, describe, check and suites take them, and everything wrong
# in one is refused in one line that names the place, exit status 2. The bad scenes are one good
# scene, each with one thing changed.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"

cat >"$work/good.json" <<'END'
{
  "schema": "coulombench.scene/1",
  "name": "good",
  "dimension": 3,
  "gravity": [0, 0, -9.81],
  "dt": 1e-3,
  "t_end": 0.01,
  "materials": {"wood": {"mu": 0.3, "eps_N": 0.1, "eps_T": 0}, "ice": {"mu": 0.05}},
  "pairs": [{"between": ["wood", "ice"], "mu": 0.1}],
  "bodies": [
    {"name": "ground", "fixed": true, "shapes": [{"type": "halfspace", "normal": [0, 0, 1], "material": "ice"}]},
    {"name": "ball", "mass": 1, "inertia": [0.4, 0.4, 0.4], "position": [0, 0, 1], "orientation": [1, 0, 0, 0], "velocity": [1, 0, 0], "shapes": [{"type": "sphere", "radius": 1, "material": "wood"}]},
    {"name": "box", "density": 100, "position": [5, 0, 1], "shapes": [{"type": "box", "half": [0.5, 0.5, 0.5], "material": "wood"}]}
  ],
  "joints": [{"type": "rope", "name": "rope", "bodies": ["ball", "box"], "point": [0, 0, 1], "end": [5, 0, 1], "length": 6}],
  "forces": [{"body": "ball", "force": [1, 0, 0], "at": [0, 0, 1], "from": 0.001, "to": 0.005, "table": [[0, 1], [1, 0]]}],
  "outputs": ["ball.position"],
  "reference": {"kind": "none"},
  "formulations": {"penalty": {"dt": 1e-4}}
}
END

expect 0 "" check "$work/good.json"
expect 0 "" describe "$work/good.json"
check "describe tells mass and bodies" grep -q "box  *100 kg, inertia 16.6667" "$work/out"
expect 0 "" run "$work/good.json" -f moreau --sample 0.005 -o "$work/r.json"
check "only what outputs ask for" bash -c "! grep -q '\"box.x\": \[' '$work/r.json'"
expect 0 "" run "$work/good.json" -f ccp --set materials.wood.mu=0.7 --set bodies.ball.mass=2 -o "$work/r2.json"
check "a value set is in the record" grep -q '"mu": 0.7' "$work/r2.json"
expect 0 "" check "$work/r.json" "$work/r2.json"
(cd "$work" && "$program" run good.json -f lcp-ap -o r3.json 2>"$work/err")
check "a scene in the working folder" test -s "$work/r3.json"
expect 0 "" run cases/scenes/point.json -f event --t-end 0.01 -o "$work/r4.json"
expect 0 "" describe coulombench.scene/1
check "the schema file is what the program prints" cmp -s "$work/out" "$root/cases/scenes/schema.json"
expect 0 "" describe cases/scenes/conveyor.json
check "describe tells how a table begins and ends" \
  grep -q "2 samples from 0.2 to 0.7 s: begins with 0.6 m/s, ends with 0.6 m/s, stands still" "$work/out"
expect 0 "" run cases/scenes/conveyor.json -f event --set joints.drive.table.0.0=0 --t-end 0.1 -o "$work/r5.json"
check "the record tells whose velocity is the one prescribed" \
  grep -q '"notes": "velocity of plate, not given: as prescribed"' "$work/r5.json"
mkdir "$work/suites"
echo '{"schema": "coulombench.suite/1", "name": "s", "cells": [{"case": "../good.json", "formulations": ["moreau", "penalty"]}]}' \
  >"$work/suites/s.json"
expect 0 "" bench "$work/suites/s.json" -j 1 -o "$work/out-s"
check "a record a cell, named by scene" only_files "$work/out-s" good--moreau.json good--penalty.json

# Refused: words on standard error, then what sed changes in the good scene.
refuse() { # words expression
  sed -E "$2" "$work/good.json" >"$work/bad.json"
  if cmp -s "$work/good.json" "$work/bad.json"; then
    bad "$2" "changes nothing"
  else
    expect 2 "^coulombench: [^ ]*bad.json: $1" check "$work/bad.json"
  fi
}
refuse "key 'schema': 'coulombench.scene/2' is not one of ours" 's#scene/1#scene/2#'
sed 's#"coulombench.scene/1"#"scene"#' "$work/good.json" >"$work/bad.json"
expect 2 "bad.json: key 'schema'" run "$work/bad.json" -f ccp
refuse ".*line [0-9]+" 's#"dt": 1e-3,#"dt": 1e-3#'
refuse "key 't_end' is repeated" 's#"t_end": 0.01,#"t_end": 0.01, "t_end": 1,#'
refuse "name: 'a b' must be a name" 's#"name": "good"#"name": "a b"#'
refuse "name: is missing|key 'name'" 's#"name": "good",##'
refuse "name: 'oscillator' is the name of a case" 's#"name": "good"#"name": "oscillator"#'
refuse "dimension: must be 2 or 3" 's#"dimension": 3#"dimension": 4#'
refuse "gravity: must be a list of 2 numbers" 's#"dimension": 3#"dimension": 2#'
refuse "gravity: must be a list of 3 numbers" 's#\[0, 0, -9.81\]#[0, -9.81]#'
refuse "gravity\[2\]: must be a number" 's#-9.81#"down"#'
refuse "gravity: is missing" 's#"gravity": \[0, 0, -9.81\],##'
refuse "unknown key 'gravitiy'; did you mean 'gravity'" 's#"gravity"#"gravitiy"#'
refuse "dt: must be > 0, is 0" 's#"dt": 1e-3#"dt": 0#'
refuse "t_end: must be > 0, is -1" 's#"t_end": 0.01#"t_end": -1#'
refuse "materials.wood.mu: must be >= 0, is -0.3" 's#"mu": 0.3#"mu": -0.3#'
refuse "materials.wood.mu: is missing" 's#"mu": 0.3, ##'
refuse "materials.wood.eps_N: must be from 0 to 1, is 1.1" 's#"eps_N": 0.1#"eps_N": 1.1#'
refuse "materials.wood.eps_T: must be from -1 to 1" 's#"eps_T": 0#"eps_T": -2#'
refuse "materials.wood: unknown key 'eps_n'; did you mean 'eps_N'" 's#"eps_N"#"eps_n"#'
refuse "materials: must be an object" 's#"materials": .*#"materials": [],#'
refuse "pairs\[0\].between\[1\]: unknown material 'ise'; did you mean 'ice'" 's#\["wood", "ice"\]#["wood", "ise"]#'
refuse "pairs\[0\].between: must be a list of 2 names" 's#\["wood", "ice"\]#["wood"]#'
refuse "pairs\[1\].between: is given twice" 's#\{"between".*#{"between": ["wood", "ice"]}, {"between": ["ice", "wood"]}],#'
refuse "bodies\[1\].name: 'world'" 's#"name": "ball"#"name": "world"#'
refuse "bodies\[2\].name: 'ball' is the name of bodies\[1\] already" 's#"name": "box"#"name": "ball"#'
refuse "bodies\[1\].name: is missing" 's#"name": "ball", ##'
refuse "bodies\[1\].mass: must be > 0, is 0" 's#"mass": 1#"mass": 0#'
refuse "bodies\[1\].mass: is missing, and so is a density" 's#"mass": 1, "inertia": [^]]*\], ##'
refuse "bodies\[1\].density: stands in place of mass" 's#"mass": 1#"mass": 1, "density": 1#'
refuse "bodies\[1\].inertia\[1\]: must be > 0" 's#\[0.4, 0.4, 0.4\]#[0.4, -0.4, 0.4]#'
refuse "bodies\[1\]: .*moment of inertia" 's#\[0.4, 0.4, 0.4\]#[0.4, 0.4, 4]#'
refuse "bodies\[1\].position: must be a list of 3" 's#"position": \[0, 0, 1\]#"position": [0, 0]#'
refuse "bodies\[1\].orientation: must be a unit quaternion, has length 2" 's#\[1, 0, 0, 0\]#[2, 0, 0, 0]#'
refuse "bodies\[1\].phi: not a key of this spatial scene" 's#"velocity"#"phi": 1, "velocity"#'
refuse "bodies\[1\]: unknown key 'velocty'; did you mean 'velocity'" 's#"velocity"#"velocty"#'
refuse "bodies\[0\].velocity: a fixed body has none" 's#"fixed": true#"fixed": true, "velocity": [0, 0, 1]#'
refuse "bodies\[0\].fixed: must be true or false" 's#"fixed": true#"fixed": 1#'
refuse "bodies\[2\].density: without shapes that have a volume" 's#\{"type": "box", "half": [^]]*\]#{"type": "point"#'
refuse "bodies\[1\].shapes\[0\].type: unknown shape 'spere'; did you mean 'sphere'" 's#"sphere"#"spere"#'
refuse "bodies\[1\].shapes\[0\].type: is missing" 's#"type": "sphere", ##'
refuse "bodies\[1\].shapes\[0\].radius: must be > 0, is -1" 's#"radius": 1#"radius": -1#'
refuse "bodies\[1\].shapes\[0\].radius: is missing" 's#"radius": 1, ##'
refuse "bodies\[1\].shapes\[0\].half: not a key of a sphere" 's#"radius": 1#"radius": 1, "half": [1, 1, 1]#'
refuse "bodies\[1\].shapes\[0\].material: unknown material 'wod'; did you mean 'wood'" 's#"radius": 1, "material": "wood"#"radius": 1, "material": "wod"#'
refuse "bodies\[1\].shapes\[0\].radius: must be a number" 's#"radius": 1#"radius": "1"#'
refuse "bodies\[0\].shapes\[0\].normal: must not be zero" 's#"normal": \[0, 0, 1\]#"normal": [0, 0, 0]#'
refuse "bodies\[2\].shapes\[0\].half\[1\]: must be > 0" 's#\[0.5, 0.5, 0.5\]#[0.5, 0, 0.5]#'
refuse "joints\[0\].type: unknown joint 'rop'" 's#"type": "rope"#"type": "rop"#'
refuse "joints\[0\].bodies\[1\]: unknown body 'bx'; did you mean 'box'" 's#\["ball", "box"\]#["ball", "bx"]#'
refuse "joints\[0\]: .*joined to itself" 's#\["ball", "box"\]#["ball", "ball"]#'
refuse "joints\[0\].stiffness: not a key of a rope" 's#"length": 6#"stiffness": 6#'
refuse "joints\[0\].end: is missing" 's#"end": [^]]*\], ##'
refuse "joints\[0\]: .*positive length" 's#"length": 6#"length": 0#'
refuse "joints\[0\].table: is missing" 's#"type": "rope"#"type": "motion", "axis": [1, 0, 0]#; s#, "end": .*"length": 6##'
refuse "joints\[0\].table\[1\]: times must ascend" 's#"type": "rope"#"type": "motion", "axis": [1, 0, 0], "table": [[1, 0], [1, 2]]#; s#, "end": .*"length": 6##'
refuse "forces\[0\].body: unknown body 'bal'" 's#"body": "ball"#"body": "bal"#'
refuse "forces\[0\]: .*does not move" 's#"body": "ball"#"body": "ground"#'
refuse "forces\[0\].at: must be \"centre\" or a list of 3 numbers" 's#"at": [^]]*\]#"at": "top"#'
refuse "forces\[0\].to: must be later" 's#"to": 0.005#"to": 0.0005#'
refuse "forces\[0\].table\[1\]: times must ascend" 's#\[1, 0\]\]#[0, 0]]#'
refuse "forces\[0\].table\[1\]: must be a list of 2 numbers" 's#\[1, 0\]\]#[1]]#'
refuse "forces\[0\]: neither force nor torque" 's#"force": [^]]*\], ##'
refuse "outputs\[0\]: 'bal.position' is no column" 's#ball.position#bal.position#'
refuse "reference.kind: unknown value 'evnt'; did you mean 'event'" 's#"kind": "none"#"kind": "evnt"#'
refuse "formulations.penalty.dt: must be > 0, is -1" 's#\{"dt": 1e-4\}#{"dt": -1}#'
refuse "key 'formulations.penlty': unknown formulation" 's#"penalty"#"penlty"#'
expect 2 "absent.json" run "$work/absent.json" -f ccp
expect 2 "there is no 'bal'" run "$work/good.json" -f ccp --set bodies.bal.mass=1
expect 2 "bodies\[1\].mass: must be > 0" run "$work/good.json" -f ccp --set bodies.ball.mass=-1
expect 2 "unknown key 'maas'; did you mean 'mass'" run "$work/good.json" -f ccp --set bodies.ball.maas=1
summary
