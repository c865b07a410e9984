#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Engines (src/peers): motions with closed forms, what each refuses, and a build without them. Bounds
# are those of the engine's law: where it is Coulomb's with exact pivoting, rounding; else what its
# rule costs, and no less where that is what is known of it.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"
python=$(command -v python3) || {
  skip "engines" "there is no python3"
  summary
}

# --- absent: refused with the reason, counted, and listed so ---
mkdir "$work/bin"
cp "$program" "$work/bin/coulombench"
export COULOMBENCH_DATA=$root
alone=$work/bin/coulombench
for engine in ode mujoco mujoco-2 bullet rapier jolt siconos; do
  check "$engine is listed as absent" sh -c "'$alone' list formulations | grep -q '^  $engine .*: absent$'"
  program=$alone expect 1 "unsupported: $engine: this build has no program peers/$engine" \
    run "$root/cases/scenes/incline.json" -f "$engine" -o "$work/absent.json"
done
cat >"$work/suite.json" <<S
{"schema": "coulombench.suite/1", "name": "absent", "cells": [
 {"case": "$root/cases/scenes/incline.json", "formulations": ["ode", "ncp"], "dt": 1e-2, "t_end": 0.1}]}
S
program=$alone expect 0 "" bench "$work/suite.json" -o "$work/absent"
check "a suite counts it" grep -q "1 unsupported" "$work/err"
unset COULOMBENCH_DATA

# Most of a short run in Node is its second compiler.
if node --liftoff-only -e 0 2>"$work/err"; then
  mkdir "$work/node"
  printf '#!/bin/sh\nexec "%s" --liftoff-only "$@"\n' "$(command -v node)" >"$work/node/node"
  chmod +x "$work/node/node"
  PATH=$work/node:$PATH
fi

# --- motions ---
ground='{"name": "ground", "fixed": true, "shapes": [{"type": "halfspace", "normal": [0, 0, 1], "material": "m"}]}'
scene() { # name t_end gravity material bodies joints
  cat >"$work/$1.json" <<S
{"schema": "coulombench.scene/1", "name": "$1", "dt": 1e-3, "t_end": $2, "gravity": [0, 0, -$3], "materials": {"m": $4},
 "bodies": [$5], "joints": [$6], "reference": {"kind": "event"}}
S
}
scene fall 0.5 9.81 '{"mu": 0}' '{"name": "b", "mass": 2, "inertia": [0.1, 0.2, 0.3], "velocity": [1, 0, 0]}' ''
scene top 1 0 '{"mu": 0}' '{"name": "b", "mass": 1, "inertia": [0.1, 0.2, 0.3], "angular_velocity": [0.1, 5, 0.1]}' ''
scene slide 0.4 9.81 '{"mu": 0.5}' "$ground"', {"name": "b", "mass": 1, "position": [0, 0, 0.05], "velocity": [3, 0, 0],
 "shapes": [{"type": "box", "half": [0.2, 0.2, 0.05], "material": "m"}]}' ''
scene cube 1.5 9.81 '{"mu": 0.5}' "$ground"', {"name": "b", "mass": 1, "position": [0, 0, 0.1], "velocity": [6, 0, 0],
 "shapes": [{"type": "box", "half": [0.1, 0.1, 0.1], "material": "m"}]}' ''
# On an incline of 10 degrees, where soft friction creeps.
scene creep 1 9.81 '{"mu": 0.5}' "$ground"', {"name": "b", "mass": 0.7, "position": [0, 0, 0.05],
 "shapes": [{"type": "box", "half": [0.05, 0.05, 0.05], "material": "m"}]}' ''
sed -i 's/\[0, 0, -9.81\]/[1.70349, 0, -9.66096]/' "$work/creep.json"
scene roll 1 9.81 '{"mu": 0.3}' "$ground"', {"name": "b", "mass": 1, "inertia": [4e-3, 4e-3, 4e-3], "position": [0, 0, 0.1],
 "velocity": [2, 0, 0], "shapes": [{"type": "sphere", "radius": 0.1, "material": "m"}]}' ''
scene bounce 0.4 0 '{"mu": 0, "eps_N": 0.5}' "$ground"', {"name": "b", "mass": 1, "inertia": [4e-3, 4e-3, 4e-3],
 "position": [0, 0, 0.3], "velocity": [0, 0, -1], "shapes": [{"type": "sphere", "radius": 0.1, "material": "m"}]}' ''
scene hinge 1 9.81 '{"mu": 0}' '{"name": "b", "mass": 1, "inertia": [0.01, 0.02, 0.02], "position": [0.5, 0, 0]}' \
  '{"type": "revolute", "bodies": ["world", "b"], "point": [0, 0, 0], "axis": [0, 1, 0]}'
scene force 0.5 0 '{"mu": 0}' '{"name": "b", "mass": 2, "inertia": [0.1, 0.2, 0.25], "orientation": [0.8, 0.6, 0, 0],
 "angular_velocity": [0.3, -0.2, 0.5]}], "forces": [{"body": "b", "force": [1, 2, -1], "torque": [0.1, 0.05, -0.1], "at": [0.1, 0.2, -0.05]}' ''
scene links 0.5 9.81 '{"mu": 0}' '{"name": "c", "mass": 1, "inertia": [0.02, 0.03, 0.04], "position": [1.5, 0.3, 0],
 "orientation": [0.8, 0, 0.6, 0], "velocity": [0, 0.4, 0.5], "angular_velocity": [0.3, -0.2, 0.5]}, {"name": "a", "mass": 1,
 "inertia": [0.02, 0.03, 0.04], "position": [0.5, 0, 0], "orientation": [0.8, 0.6, 0, 0], "velocity": [0, 0, 0.3]},
 {"name": "f", "fixed": true, "position": [0, 0, 1]}' '{"type": "spherical", "bodies": ["c", "a"], "point": [1, 0.1, 0]},
 {"type": "revolute", "bodies": ["f", "a"], "point": [0, 0, 0], "axis": [0, 1, 1]}'
link='"mass": 1, "inertia": [0.1, 0.1, 0.1]'
scene loop 1 9.81 '{"mu": 0}' '{"name": "a", '"$link"'}, {"name": "b", '"$link"', "position": [1, 0, 0]}' \
  '{"type": "spherical", "bodies": ["world", "a"], "point": [0, 0, 0]},
   {"type": "spherical", "bodies": ["a", "b"], "point": [0.5, 0, 0]},
   {"type": "spherical", "bodies": ["b", "world"], "point": [1, 0, 0]}'
scene rod 1 9.81 '{"mu": 0}' '{"name": "a", '"$link"'}' '{"type": "rod", "bodies": ["a", "world"], "point": [0, 0, 0], "end": [1, 0, 0]}'

# Answers lines "record TAB expression TAB low TAB high" by "1 value" where it is between them, else "0 value".
cat >"$work/value.py" <<'P'
import json, math, sys
def momentum(inertia): # in the world
    (a, *v), L = q[3:7], [i * w for i, w in zip(inertia, u[3:])]
    cross = lambda x, y: [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
    t = [2 * x for x in cross(v, L)]
    return [l + a * x + y for l, x, y in zip(L, t, cross(v, t))]
def apart(path, most): # in any step, of the places in another record [m]; nan: orientations by more than most
    one, other = json.load(open(path))["trajectory"]["q"], r["trajectory"]["q"]
    off = lambda ends: max(abs(x - y) for name in one if name[2:] in ends for x, y in zip(one[name], other[name]))
    return off(["x", "y", "z"]) if off(["a0", "a1", "a2", "a3"]) <= most else math.nan
for line in sys.stdin:
    path, expression, low, high = line[:-1].split("\t")
    try:
        r = json.load(open(path))
        q, u, e = r["final"]["q"], r["final"]["u"], (r["errors"] or {}).get("q_linf")
        linear, angular = (r["momentum"][key] for key in ("linear_drift", "angular_drift"))
        z = (r.get("trajectory") or {"q": {}})["q"].get("b.z")
        lift = max(z) - z[0] if z else None
        x = eval(expression)
        print(int(float(low) <= x <= float(high)), x, flush=True)
    except Exception as error:
        print(0, repr(error), flush=True)
P
coproc VALUES { exec "$python" "$work/value.py"; }
value() { # record expression low high: in $value, and whether it is between them
  local is_within
  printf '%s\t%s\t%s\t%s\n' "$@" >&"${VALUES[1]}"
  read -r is_within value <&"${VALUES[0]}"
  [[ $is_within == 1 ]]
}
# The record of a run, in $record, made once; errors, which need a reference, where the expression has e.
declare -A records=()
has_e='(^|[^[:alnum:].])e([^[:alnum:](]|$)'
record_of() { # expression engine scene dt [options of the engine...]
  local words=("run" "$work/$3.json" -f "$2" --dt "$4" --sample "$4" "${@:5}")
  [[ $1 =~ $has_e ]] || words+=(--set reference.kind=none)
  record=${records[${words[*]}]-}
  if [[ -z $record ]]; then
    record=$work/record-${#records[@]}.json
    records[${words[*]}]=$record
    expect 0 "" "${words[@]}" -o "$record"
  fi
}
holds() { # engine scene dt expression low high [options of the engine...]
  record_of "$4" "$1" "$2" "$3" "${@:7}"
  local is_right=1
  value "$record" "$4" "$5" "$6" || is_right=0
  check "$1 ${*:7}, $2: $4 is $value" test $is_right = 1
}
fine=1e-3 twice=2e-3
first_order() { # engine scene expression [options...]: twice the step, twice the error
  record_of "$3" "$1" "$2" "$twice" "${@:4}"
  value "$record" "$3" 0 inf
  holds "$1" "$2" "$fine" "$value / ($3)" 1.7 2.3 "${@:4}"
}
turned='math.dist(momentum([0.1, 0.2, 0.3]), [0.01, 1, 0.03])'

refuses() { # engine: what none has
  expect 1 "$1: dimension: takes scenes in space" run "$root/cases/scenes/planar.json" -f "$1" -o "$work/r.json"
  expect 1 "$1: forces\\[1\\].from: forces act constantly" run "$root/cases/scenes/forces.json" -f "$1" -o "$work/r.json"
  expect 1 "$1: joints\\[1\\].type: a rotation has no equivalent" run "$root/cases/scenes/turntable.json" -f "$1" -o "$work/r.json"
}
every_engine() { # engine [options...]
  holds "$1" fall 1e-3 'u[2] + 9.81 * 0.5' -1e-12 1e-12 "${@:2}"
  holds "$1" fall 1e-3 'q[2] + 9.81 * 0.5**2 / 2 + 9.81 * 0.5 * 1e-3 / 2' -1e-12 1e-12 "${@:2}" # of symplectic Euler
  every_precision "$@"
}
every_precision() { # engine [options...]
  first_order "$1" top "$turned" "${@:2}"
  for motion in hinge links force; do
    first_order "$1" $motion e "${@:2}"
  done
}
# Balls that collide in flight: an engine whose impulses act on both at one point keeps both momenta; one
# that has a point on each of them, apart by what they move in a step, loses angular momentum.
cp "$root/cases/scenes/closed/flight.json" "$work"
keeps_momenta() { # engine most: of the linear one [N s], of the angular one [N m s]
  holds "$1" flight 1e-3 linear 0 "$2"
  holds "$1" flight 1e-3 angular 0 "$3"
}
has() { # engine
  ! "$program" list formulations | grep -q "^  $1 .*: absent$" || {
    skip "$1" "it is not installed (make PEERS=1)"
    return 1
  }
}

if has ode; then
  refuses ode
  holds ode slide 1e-3 'u[0] - (3 - 0.5 * 9.81 * 0.4)' -1e-9 1e-9
  holds ode slide 1e-3 'u[0] - (3 - 0.5 * 9.81 * 0.4)' -1e-7 1e-7 --opt stepper=quick # what 20 sweeps leave
  for stepper in dantzig quick; do
    every_engine ode --opt stepper=$stepper
    holds ode roll 1e-3 'math.dist(u[:6], [10 / 7, 0, 0, 0, 100 / 7, 0])' 0 1e-9 --opt stepper=$stepper
    holds ode cube 1e-3 lift -1e-12 1e-8 --opt stepper=$stepper
    holds ode bounce 1e-3 'u[2] - 0.5' -1e-6 1e-6 --opt stepper=$stepper
  done
  keeps_momenta ode 1e-13 1e-13
  expect 1 "ode: bodies\\[[0-9]*\\].rotates: every body turns" run "$root/cases/scenes/point.json" -f ode -o "$work/r.json"
fi
for mujoco in mujoco mujoco-2; do
  has $mujoco || continue
  refuses $mujoco
  every_engine $mujoco
  holds $mujoco hinge 1e-3 e 0 1e-9 --opt integrator=RK4
  holds $mujoco roll 1e-3 'math.dist(u[:6], [10 / 7, 0, 0, 0, 100 / 7, 0])' 0 1e-2
  keeps_momenta $mujoco 1e-13 1e-13
  holds $mujoco slide 1e-3 'u[0] - (3 - 0.5 * 9.81 * 0.4)' -0.05 0.05
  holds $mujoco cube 1e-3 lift 0.01 0.2936 # the convex law's is 0.2936, compliance takes some of it
  for cone in elliptic pyramidal; do # ours, mujoco-soft, are the same contacts
    record_of 'u[0]' mujoco-soft creep 2e-3 --opt tol=1e-12 --opt cone=$cone
    value "$record" 'u[0]' -inf inf
    holds $mujoco creep 2e-3 "u[0] / $value - 1" -1e-9 1e-9 --opt cone=$cone --opt tolerance=0
  done
  expect 1 "$mujoco: pairs\\[0\\].eps_N: there is no law of restitution" run "$work/bounce.json" -f $mujoco -o "$work/r.json"
  expect 1 "$mujoco: joints\\[[0-2]\\]: closes a loop" run "$work/loop.json" -f $mujoco -o "$work/r.json"
done
# Ours, mujoco-soft, is MuJoCo step by step: places agree in every step; orientations but for the third
# order of a turn in a step, which MuJoCo has by the exponential and ours by Cayley's map.
alike() { # engine scene least most turns [options of the engine...]
  record_of '' mujoco-soft "$2" 1e-3 --t-end 0.2 --opt tol=1e-12
  local ours=$record is_right=1
  record_of '' "$1" "$2" 1e-3 --t-end 0.2 --opt cone=elliptic --opt tolerance=0 "${@:6}"
  value "$record" "apart('$ours', $5)" "$3" "$4" || is_right=0
  check "$1 ${*:6}, $2: mujoco-soft is off by $value m at most" test $is_right = 1
}
scene drop 0.2 9.81 '{"mu": 0.5}' "$ground"', {"name": "b", "mass": 1, "inertia": [4e-3, 4e-3, 4e-3], "position": [0, 0, 0.105],
 "velocity": [0.5, 0, 0], "shapes": [{"type": "sphere", "radius": 0.1, "material": "m"}]}' ''
scene point 0.2 9.81 '{"mu": 0.5}' "$ground"', {"name": "b", "mass": 1, "inertia": [0.1, 0.1, 0.1], "position": [0, 0, 0.002],
 "velocity": [1, 0, 0], "shapes": [{"type": "point", "material": "m"}]}' ''
lower='{"name": "b", "mass": 1, "position": [0, 0, 0.1], "shapes": [{"type": "box", "half": [0.1, 0.1, 0.1], "material": "m"}]}'
scene stack 0.2 9.81 '{"mu": 0.5}' "$ground, $lower"', {"name": "c", "mass": 1, "position": [0, 0, 0.28],
 "shapes": [{"type": "box", "half": [0.08, 0.08, 0.08], "material": "m"}]}' ''
scene ball 0.2 9.81 '{"mu": 0.5}' "$ground, $lower"', {"name": "c", "mass": 1, "position": [0, 0, 0.28], "velocity": [0.05, 0, 0],
 "shapes": [{"type": "sphere", "radius": 0.08, "material": "m"}]}' ''
for mujoco in mujoco mujoco-2; do
  has $mujoco || continue
  alike $mujoco slide 0 1e-10 1e-9
  alike $mujoco point 0 1e-9 1e-9
  alike $mujoco ball 0 1e-14 1e-6
  alike $mujoco creep 0 1e-14 1e-14
  alike $mujoco cube 0 1e-9 1e-7 # at 6 m/s, on its solver's last digits
  alike $mujoco roll 0 1e-10 1e-5 # turns by 0.014 in a step: 0.014^3 / 12 each time
  alike $mujoco drop 0 1e-10 1e-5
  alike $mujoco drop 1e-6 1 1 --opt dampratio=1.01 # another contact is told
done
! has mujoco-2 || alike mujoco-2 stack 1e-4 3e-4 1e-9 # it tells half of the depth of two boxes
if has mujoco; then
  alike mujoco stack 0 1e-14 1e-14
  every_engine mujoco --opt integrator=implicitfast # which its documentation recommends
  expect 2 "unknown value .implicitfast." run "$work/fall.json" -f mujoco-2 --opt integrator=implicitfast -o "$work/r.json" # not in 2
fi
if has bullet; then
  refuses bullet
  for algorithm in si nncg mlcp; do
    every_engine bullet --opt algorithm=$algorithm
    holds bullet roll 1e-3 'math.dist(u[:6], [10 / 7, 0, 0, 0, 100 / 7, 0])' 0 1e-9 --opt algorithm=$algorithm
    holds bullet cube 1e-3 lift -1e-12 1e-3 --opt algorithm=$algorithm
  done
  holds bullet slide 1e-3 'u[0] - (3 - 0.5 * 9.81 * 0.4)' -0.05 0.05
  keeps_momenta bullet 1e-13 1e-3
  holds bullet flight 2.5e-4 angular 1e-5 2e-4
  holds bullet bounce 4e-3 'u[2] - 0.5' -1e-9 1e-9 # the impact at the end of a step
  expect 1 "bullet: joints\\[0\\].type: a rod has no equivalent" run "$work/rod.json" -f bullet -o "$work/r.json"
fi
# Single precision: what a step adds is rounded to 6e-8 of the whole, and by 2000 substeps to 1e-5. Bounds
# from below say so. Orders are seen at larger steps.
sed 's/"velocity": \[3, 0, 0\]/"velocity": [2.1213203435596424, 2.1213203435596424, 0]/' "$work/slide.json" >"$work/diagonal.json"
block() { # name material y
  echo '{"name": "'"$1"'", "mass": 1, "position": [0, '"$3"', 0.05], "velocity": [3, 0, 0],
 "shapes": [{"type": "box", "half": [0.2, 0.2, 0.05], "material": "'"$2"'"}]}'
}
cat >"$work/pairs.json" <<S
{"schema": "coulombench.scene/1", "name": "pairs", "dt": 1e-3, "t_end": 0.4, "gravity": [0, 0, -9.81],
 "materials": {"m": {"mu": 0.5}, "n": {"mu": 0.4}, "o": {"mu": 0.3}},
 "pairs": [{"between": ["m", "n"], "mu": 0.1}, {"between": ["m", "o"], "mu": 0.7}, {"between": ["n", "o"], "mu": 0.2}],
 "bodies": [$ground, $(block a m 0), $(block b n 1), $(block c o 2)], "reference": {"kind": "event"}}
S
scene two 0.1 9.81 '{"mu": 0.5}, "n": {"mu": 0.2}' '{"name": "b", "mass": 1, "inertia": [1, 1, 1], "position": [0, 0, 1],
 "shapes": [{"type": "sphere", "radius": 0.1, "material": "m"}, {"type": "sphere", "radius": 0.1, "offset": [1, 0, 0],
 "material": "n"}]}, '"$ground" ''
sed 's/"eps_N": 0.3/"eps_N": 0/' "$root/cases/scenes/rope.json" >"$work/rope.json"
cp "$root/cases/scenes/spring.json" "$root/cases/scenes/closed/billiard.json" "$work"
if has rapier; then
  refuses rapier
  holds rapier fall 1e-3 'abs(u[2] + 9.81 * 0.5)' 1e-6 1e-4
  holds rapier fall 1e-3 'q[2] + 9.81 * 0.5**2 / 2 + 9.81 * 0.5 * 1e-3 / 8' -5e-5 5e-5 # symplectic Euler, 4 substeps
  holds rapier fall 1e-3 'q[2] + 9.81 * 0.5**2 / 2 + 9.81 * 0.5 * 1e-3 / 2' -5e-5 5e-5 --opt iterations=1
  fine=5e-3 twice=1e-2 every_precision rapier
  for motion in rope spring; do
    first_order rapier $motion e
  done
  holds rapier top 1e-3 "$turned" 1e-5 1e-3 # rounding: 1e-7 a substep
  holds rapier slide 1e-3 'u[0] - (3 - 0.5 * 9.81 * 0.4)' -2e-4 2e-4
  holds rapier diagonal 1e-3 'math.hypot(u[0], u[1]) - (3 - 0.5 * 9.81 * 0.4)' -2e-4 2e-4 # a cone
  holds rapier pairs 1e-3 'max(abs(u[i] - (3 - mu * 9.81 * 0.4)) for i, mu in [(0, 0.5), (6, 0.1), (12, 0.7)])' 0 5e-4
  # Contacts are half way between the shapes, which overlap by g / (2 pi 60 Hz)^2: it rolls on a smaller radius.
  holds rapier roll 1e-3 'u[0] * 0.1 + 4e-3 * u[4] - 0.2' -1e-5 1e-5
  holds rapier roll 1e-3 '0.1 - u[0] / u[4]' 3e-5 4e-5
  holds rapier cube 1e-3 lift -1e-12 1e-5
  holds rapier creep 1e-3 'u[0]' -1e-5 1e-5
  for dt in 1e-3 4e-3 7e-3; do
    holds rapier bounce $dt 'u[2] - 0.5' -1e-6 1e-6
  done
  keeps_momenta rapier 1e-4 1e-3
  # The friction of an impact is mu times its impulse without restitution, here 1 / 1.9 of the whole.
  holds rapier billiard 1e-3 'u[5] * 1.9 / 8.53744694773' 0.999 1.001 --opt prediction=0
  expect 1 "rapier: joints\\[0\\].type: a rod has no equivalent" run "$work/rod.json" -f rapier -o "$work/r.json"
fi
if has jolt; then
  refuses jolt
  holds jolt fall 1e-3 'abs(u[2] + 9.81 * 0.5)' 1e-6 1e-4
  holds jolt fall 1e-3 'q[2] + 9.81 * 0.5**2 / 2 + 9.81 * 0.5 * 1e-3 / 2' -5e-5 5e-5 # symplectic Euler
  every_precision jolt
  for motion in rod rope spring; do
    first_order jolt $motion e
  done
  holds jolt slide 1e-3 'u[0] - (3 - 0.5 * 9.81 * 0.4)' -1e-4 1e-4
  holds jolt diagonal 1e-3 'math.hypot(u[0], u[1]) - (3 - 0.5 * 9.81 * 0.4)' -1e-4 1e-4 # a cone
  holds jolt pairs 1e-3 'max(abs(u[i] - (3 - mu * 9.81 * 0.4)) for i, mu in [(0, 0.5), (6, 0.1), (12, 0.7)])' 0 1e-4
  holds jolt roll 1e-3 'math.dist(u[:6], [10 / 7, 0, 0, 0, 100 / 7, 0])' 1e-6 5e-4
  holds jolt cube 1e-3 lift -1e-12 1e-6
  holds jolt creep 1e-3 'u[0]' -1e-7 1e-7
  for dt in 1e-3 4e-3 7e-3; do
    holds jolt bounce $dt 'u[2] - 0.5' -1e-6 1e-6
  done
  keeps_momenta jolt 1e-4 1e-5
  # Contacts that begin before touch have the normal of then.
  holds jolt billiard 1e-3 'u[5] / 8.53744694773' 0.999 1.001 --opt prediction=0
  holds jolt billiard 1e-3 'u[5] / 8.53744694773' 1.02 1.06
  expect 1 "jolt: bodies\\[0\\].shapes\\[1\\].material: a body has one material" run "$work/two.json" -f jolt -o "$work/r.json"
fi
# A sphere that does not turn slides down 20 degrees, where Siconos' own frame of contacts is oblique.
scene oblique 0.5 9.81 '{"mu": 0.5}' '{"name": "ground", "fixed": true, "shapes": [{"type": "halfspace",
 "normal": [0.3420201433256687, 0, 0.9396926207859084], "material": "m"}]}, {"name": "b", "mass": 2, "inertia": [1e4, 1e4, 1e4],
 "position": [0.017101007166283436, 0, 0.04698463103929542], "velocity": [4.698463103929542, 0, -1.7101007166283436],
 "shapes": [{"type": "sphere", "radius": 0.05, "material": "m"}]}' ''
# Two boxes, of which the upper one slides: contacts of Bullet's, in single precision.
scene boxes 0.4 9.81 '{"mu": 0.5}' '{"name": "ground", "fixed": true, "position": [0.5, 0, -0.5], "shapes": [{"type": "box",
 "half": [2.5, 1, 0.5], "material": "m"}]}, {"name": "b", "mass": 1, "position": [0, 0, 0.05], "velocity": [3, 0, 0],
 "shapes": [{"type": "box", "half": [0.2, 0.2, 0.05], "material": "m"}]}' ''
if has siconos; then
  refuses siconos
  holds siconos fall 1e-3 'u[2] + 9.81 * 0.5' -1e-12 1e-12
  holds siconos fall 1e-3 'q[2] + 9.81 * 0.5**2 / 2' -1e-12 1e-12                                 # exact by theta = 1/2
  holds siconos fall 1e-3 'q[2] + 9.81 * 0.5**2 / 2 + 9.81 * 0.5 * 1e-3 / 2' -1e-11 1e-11 --opt theta=1 # of implicit Euler
  holds siconos top 1e-3 "$turned" 1e-8 1e-6
  for motion in hinge links force; do
    first_order siconos $motion e
  done
  holds siconos hinge 1e-3 e 0 1e-2
  holds siconos slide 1e-3 'u[0] - (3 - 0.5 * 9.81 * 0.4)' -1e-7 1e-7 # what its tolerance leaves
  holds siconos slide 1e-3 'u[0] - (3 - 0.5 * 9.81 * 0.4)' -1e-11 1e-11 --opt tolerance=1e-10
  holds siconos roll 1e-3 'math.dist(u[:6], [10 / 7, 0, 0, 0, 100 / 7, 0])' 0 1e-9
  holds siconos bounce 1e-3 'u[2] - 0.5' -1e-12 1e-12
  keeps_momenta siconos 1e-13 1e-3
  first_order siconos flight angular
  holds siconos cube 1e-3 lift -1e-12 1e-8
  holds siconos creep 1e-3 'u[0]' -1e-13 1e-13
  slid='math.hypot(u[0], u[2]) - 5 + 0.5 * 9.81 * (0.5 * 0.9396926207859084 - 0.3420201433256687)'
  holds siconos oblique 1e-3 "$slid" -1e-6 1e-6
  holds siconos oblique 1e-3 "$slid" 0.16 0.17 --opt frame=siconos
  holds siconos boxes 1e-3 'u[0] - (3 - 0.5 * 9.81 * 0.4)' -5e-3 5e-3
  holds siconos boxes 1e-3 'q[2] - 0.05' -5e-3 -1e-6
  # The scheme of moreau, where no gap is a whole number of half steps, which rounding decides.
  cp "$root/cases/scenes/closed/cradle.json" "$work"
  record_of e moreau cradle 9.7e-4
  value "$record" e 0 inf
  holds siconos cradle 9.7e-4 "e - $value" -1e-12 1e-12
  holds siconos cradle 9.7e-4 e 5e-3 7e-3
  expect 1 "siconos: joints\\[0\\].type: a rod has no equivalent" run "$work/rod.json" -f siconos -o "$work/r.json"
  expect 1 "siconos: bodies\\[[0-9]*\\].rotates: every body turns" run "$root/cases/scenes/point.json" -f siconos -o "$work/r.json"
fi
summary
