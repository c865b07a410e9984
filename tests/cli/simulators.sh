#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Whole simulators of others, -f exec:COMMAND: one that answers as it should, the scene that it is
# sent, and programs that do everything but.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"
python=$(command -v python3) || {
  skip "simulators" "there is no python3"
  summary
}
scene=$work/ball.json
cat >"$scene" <<'END'
{"schema": "coulombench.scene/1", "name": "ball-drop", "gravity": [0, 0, -9.81], "dt": 1e-3, "t_end": 0.6,
 "materials": {"glass": {"mu": 0}},
 "bodies": [{"name": "floor", "fixed": true, "shapes": [{"type": "halfspace", "normal": [0, 0, 1], "material": "glass"}]},
            {"name": "ball", "mass": 2, "inertia": [0.1, 0.1, 0.1], "position": [0, 0, 1], "velocity": [1, 0, 0],
             "shapes": [{"type": "sphere", "radius": 0.1, "material": "glass"}]}],
 "reference": {"kind": "event"}}
END
value() { # file path
  "$python" -c 'import functools, json, sys
print(functools.reduce(lambda x, key: x[int(key) if isinstance(x, list) else key], sys.argv[2].split("/"),
                       json.load(open(sys.argv[1]))))' "$1" "$2"
}

# --- a simulator: symplectic Euler with the gap of the step's end is `ncp` where nothing rubs ---
euler="exec:$python $root/tests/examples/euler.py"
expect 0 "" run "$scene" -f "$euler" -o "$work/euler.json"
expect 0 "" run "$scene" -f ncp -o "$work/ncp.json"
expect 0 "" check "$work/euler.json"
check "its error is that of the same scheme of ours" "$python" - "$work/euler.json" "$work/ncp.json" <<'END'
import json, sys
a, b = (json.load(open(name))["errors"]["q_linf"] for name in sys.argv[1:])
sys.exit(not 1e-4 < b < 1e-2 or abs(a - b) > 1e-13)
END
check "what it says of itself is recorded" test "$(value "$work/euler.json" formulation/simulator/name)" = euler
for path in energy/budget/friction energy/max_numerical_drift iterations/total contacts/max momentum/linear law/residual_max; do
  check "$path is not known" test "$(value "$work/euler.json" $path)" = None
done
expect 0 "" run "$scene" -f "$euler" --ensemble phase=2,rotation=1 -o "$work/members.json"
expect 1 "unsupported: .*exec: pairs: has neither friction nor restitution" \
  run "$scene" -f "$euler" --set materials.glass.mu=0.5 -o "$work/refused.json"
expect 0 "" check "$work/refused.json"
expect 1 "oscillator with .*: unsupported: .*not made of rigid bodies" run oscillator -f "$euler" -o "$work/refused.json"
expect 1 "unsupported: exec: needs a command" run "$scene" -f exec -o "$work/refused.json"
expect 2 "formulation 'exec: ': needs a command" run "$scene" -f "exec: " -o "$work/refused.json"

check "without times of its steps there is no median" test "$(value "$work/euler.json" timing/step_p50_s)" = None
sed 's/"velocities"/"step_times": [0.25] * len(states), "velocities"/' "$root/tests/examples/euler.py" >"$work/timed.py"
expect 0 "" run "$scene" -f "exec:$python $work/timed.py" -o "$work/timed.json"
check "the median is that of the times it tells" test "$(value "$work/timed.json" timing/step_p50_s)" = 0.25

# --- momentum: known from states where gravity alone acts from outside, and what is lost is seen ---
cat >"$work/flight.json" <<'END'
{"schema": "coulombench.scene/1", "name": "flight", "gravity": [0, 0, -9.81], "dt": 1e-3, "t_end": 0.3, "materials": {"glass": {"mu": 0}},
 "bodies": [{"name": "a", "mass": 2, "inertia": [0.1, 0.1, 0.1], "position": [0, 0, 5], "velocity": [1, 0, 0], "angular_velocity": [1, 2, 3],
             "shapes": [{"type": "sphere", "radius": 0.1, "material": "glass"}]},
            {"name": "b", "mass": 1, "inertia": [0.1, 0.1, 0.1], "position": [0, 1, 5],
             "shapes": [{"type": "sphere", "radius": 0.1, "material": "glass"}]}]}
END
sed 's/= \[v + h \* a/= [0.999 * v + h * a/' "$root/tests/examples/euler.py" >"$work/damped.py"
expect 0 "" run "$work/flight.json" -f "$euler" -o "$work/kept.json"
expect 0 "" run "$work/flight.json" -f "exec:$python $work/damped.py" -o "$work/lost.json"
check "both momenta are kept by the example, lost by a damped one, not known over a floor" "$python" - "$work" <<'END'
import json, sys
kept, lost, floor = (json.load(open(f"{sys.argv[1]}/{name}.json"))["momentum"] for name in ("kept", "lost", "euler"))
part = 1 - 0.999**300
near = lambda x, y, tol: abs(x - y) <= tol
# What damping takes: of 2 kg m/s, of 3 kg times g t, and of 2/3 kg m^2/s, the reduced mass of 2 and 1 kg at 1 m and 1 m/s.
speed = lambda n: 9.81e-3 * sum(0.999**k for k in range(n))
p = ((2 * part)**2 + (3 * (9.81 * 0.3 - speed(300)))**2)**0.5
sys.exit(not (kept["linear_drift"] <= 1e-13 and kept["angular_drift"] <= 1e-13 and near(lost["linear_drift"], p, 1e-12)
              and near(lost["angular_drift"], 2 / 3 * part, 1e-12)
              and floor["linear_drift"] is None and floor["angular_drift"] is None))
END

# --- the key knows the program's file ---
cp "$root/tests/examples/euler.py" "$work/own.py"
key() { value "$work/own.json" provenance/key | grep -o 'data=[0-9a-f]*'; }
expect 0 "" run "$scene" -f "exec:$python $work/own.py" -o "$work/own.json"
first=$(key)
echo "# changed" >>"$work/own.py"
expect 0 "" run "$scene" -f "exec:$python $work/own.py" -o "$work/own.json"
check "a changed program is another run" test "$first" != "$(key)"

# --- the scene that is sent is the system: run again it gives the same motion ---
mkdir "$work/asked" "$work/own" "$work/again"
files=()
for file in "$root"/cases/scenes/{,closed/}*.json; do
  case $(basename "$file") in schema.json | scalable.json) continue ;; esac
  files+=("$file")
  "$program" run "$file" -f "exec:cat >'$work/asked/${file##*/}'" --t-end 0.3 -o "$work/x.json" 2>/dev/null
done
(cd "$work/asked" && "$python" -c 'import json, os
for name in os.listdir():
    json.dump(json.load(open(name))["scene"], open("../again/" + name + ".scene", "w"))')
for file in "${files[@]}"; do
  scene_name=${file##*/} unmeasured=()
  ! grep -q '"reference"' "$file" || unmeasured=(--set reference.kind=none)
  expect 0 "" run "$file" -f moreau --t-end 0.3 "${unmeasured[@]}" -o "$work/own/$scene_name"
  expect 0 "" run "$work/again/$scene_name.scene" -f moreau --t-end 0.3 -o "$work/again/$scene_name"
done
(cd "$work/own" && "$python" -c 'import json, os
for name in os.listdir():
    a, b = (json.load(open(folder + name))["final"]["q"] for folder in ("", "../again/"))
    if len(a) == len(b) and max(abs(x - y) for x, y in zip(a, b)) <= 1e-12:
        print(name)') >"$work/alike"
for file in "${files[@]}"; do
  check "${file##*/}: the scene sent moves alike" grep -qxF "${file##*/}" "$work/alike"
done

# --- programs that do not answer; each ends as data, with its reason ---
failing() { # status reason command
  expect 1 "$1: $2" run "$scene" -f "exec:$3" --time-limit "${4:-20}" -o "$work/bad.json"
  expect 0 "" check "$work/bad.json"
}
answer() { # a python expression for the answer to the question q, n of its times
  echo "$python -c 'import json, sys; q = json.load(sys.stdin); n = len(q[\"times\"]); print(json.dumps($1))'"
}
state='{"q": [0, 0, 1, 1, 0, 0, 0], "u": [0] * 6}'
failing failed "step 1, t = 0.001 s: exec: ended without an answer" true
failing failed "step 1, t = 0.001 s: exec: ended by signal 11" "kill -SEGV \$\$"
failing failed "step 1, t = 0.001 s: exec: exit status 3: out of luck" "echo out of luck >&2; exit 3"
failing failed "step 1, t = 0.001 s: exec: hangs: no answer in" "sleep 4711" 1
failing timeout "the time limit was reached" "while :; do :; done" 1
failing failed "step 1, t = 0.001 s: exec: prints without end: more than" yes
failing failed "step 1, t = 0.001 s: exec: not JSON" "echo garbage"
failing failed "step 1, t = 0.001 s: exec: the answer is not an object" "echo '[1, 2, 3]'"
failing failed "step 1, t = 0.001 s: exec: the answer has no list 'states'" "echo '{}'"
failing failed "step 1, t = 0.001 s: exec: states: 3 of them for 600 times" "$(answer "{\"states\": [$state] * 3}")"
failing failed "step 1, t = 0.001 s: exec: states\\[0\\]: key 'u': has 2 elements, not 6" \
  "$(answer '{"states": [{"q": [0, 0, 1, 1, 0, 0, 0], "u": [0, 0]}] * n}')"
failing failed "step 1, t = 0.001 s: exec: not JSON" "$(answer '{"states": [{"q": [float("nan")] * 7, "u": [0] * 6}] * n}')"
failing failed "step 1, t = 0.001 s: exec: states\\[0\\].q: the quaternion of body 0 has length 2, not 1" \
  "$(answer '{"states": [{"q": [0, 0, 1, 2, 0, 0, 0], "u": [0] * 6}] * n}')"
failing failed "step 1, t = 0.001 s: exec: key 'velocities'" "$(answer "{\"states\": [$state] * n, \"velocities\": \"now\"}")"
failing failed "step 1, t = 0.001 s: exec: key 'step_times'" "$(answer "{\"states\": [$state] * n, \"step_times\": [1]}")"
failing failed "step 1, t = 0.001 s: exec: step_times\[0\] is negative" "$(answer "{\"states\": [$state] * n, \"step_times\": [-1] * n}")"
failing failed "step 1, t = 0.001 s: exec: key 'iterations'" "$(answer "{\"states\": [$state] * n, \"iterations\": [1]}")"
failing failed "step 1, t = 0.001 s: exec: out of steam" "echo '{\"status\": \"failed\", \"reason\": \"out of steam\"}'"
failing unsupported "step 1, t = 0.001 s: exec: bodies\\[1\\]: too heavy" \
  "echo '{\"status\": \"unsupported\", \"key\": \"bodies[1]\", \"reason\": \"too heavy\"}'"
summary
