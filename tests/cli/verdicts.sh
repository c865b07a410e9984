#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What the program says of runs and starts: expected statuses come true, starts with bodies in each
# other or joints apart are refused by name, the status of steps beyond the limit of stability.
. "$(dirname "$0")/../cli_lib.sh"

# ---- expectations of suites ----
suite() { # cells
  printf '{ "schema": "coulombench.suite/1", "name": "v", "cells": [%s] }\n' "$1" >"$work/v.json"
}
fall='"case": "falling-particle", "t_end": 0.6'

stiff='"formulations": ["penalty"], "dt": 1e-3, "opt": {"K": 1e6, "substeps": 1}'
suite "{ $fall, $stiff, \"expect\": {\"penalty\": \"unstable\"} }"
expect 0 "1 unstable" bench "$work/v.json" -j 1 -o "$work/v"
check "the record says so" grep -q '"status": "unstable"' "$work/v/falling-particle--penalty--dt0.001.json"

suite "{ $fall, $stiff }"
expect 1 "unstable \(not expected\)" bench "$work/v.json" -j 1 -o "$work/v"

# what is expected must come true, in each cell and for each status of a list
suite "{ $fall, \"formulations\": [\"moreau\"], \"dt\": 1e-3, \"expect\": [\"diverged\"] }"
expect 1 "ok \(not expected\)" bench "$work/v.json" -j 1 -o "$work/v"
suite "{ $fall, \"formulations\": [\"moreau\", \"ncp\"], \"dt\": 1e-3, \"expect\": [\"ok\", \"diverged\"] }"
expect 1 "cells of 'falling-particle': expects 'diverged', which none of its 2 cells ended in" \
  bench "$work/v.json" -j 1 -o "$work/v"
suite "{ $fall, \"formulations\": [\"moreau\"], \"dt\": 1e-3, \"expect\": {\"penalty\": \"unstable\"} }"
expect 1 "penalty expects 'unstable', which none of its 0 cells ended in" bench "$work/v.json" -j 1 -o "$work/v"
expect 0 "" bench "$work/v.json" -j 1 --shard 1/2 -o "$work/w" # of a part nothing is known

# unsupported: by the formulation's own declaration, or by name
suite "{ $fall, \"formulations\": [\"consistent-onestep\"] }"
expect 0 "1 unsupported" bench "$work/v.json" -j 1 -o "$work/v"
sliding='"case": "superball.json", "formulations": ["penalty"]'
cat >"$work/superball.json" <<'EOF'
{ "schema": "coulombench.scene/1", "name": "superball", "gravity": [0, 0, -9.81], "dt": 1e-5, "t_end": 0.1,
  "materials": {"rubber": {"mu": 0.5, "eps_N": 0.8, "eps_T": 0.5}},
  "bodies": [ {"name": "floor", "fixed": true, "shapes": [{"type": "halfspace", "normal": [0, 0, 1], "offset": 0, "material": "rubber"}]},
              {"name": "ball", "density": 900, "position": [0, 0, 0.04], "shapes": [{"type": "sphere", "radius": 0.03, "material": "rubber"}]} ] }
EOF
suite "{ $sliding }"
expect 0 "1 unsupported" bench "$work/v.json" -j 1 -o "$work/v" # refused at the start
suite "{ \"case\": \"tippe-top\", \"t_end\": 0.01, \"formulations\": [\"penalty\"] }"
expect 0 "1 unsupported" bench "$work/v.json" -j 1 -o "$work/v"
suite "{ \"case\": \"tippe-top\", \"t_end\": 0.01, \"formulations\": [\"penalty\"], \"expect\": [\"ok\"] }"
expect 1 "expects 'ok'" bench "$work/v.json" -j 1 -o "$work/v"

for bad in '"oks"' '["oks"]' '[]' '3' '{"penalty": "no"}' '{"nobody": "ok"}' '["bad-input"]'; do
  suite "{ $fall, \"formulations\": [\"moreau\"], \"expect\": $bad }"
  expect 2 "expect" bench "$work/v.json" -j 1 -o "$work/none"
done

# ---- starts ----
scene() { # bodies joints more
  cat >"$work/s.json" <<EOF
{ "schema": "coulombench.scene/1", "name": "s", "gravity": [0, 0, -9.81], "dt": 1e-3, "t_end": 0.01$3,
  "materials": {"wood": {"mu": 0.3}},
  "bodies": [ {"name": "floor", "fixed": true, "shapes": [{"type": "halfspace", "normal": [0, 0, 1], "offset": 0, "material": "wood"}]},
              $1 ], "joints": [$2] }
EOF
}
crate() { # height
  echo "{\"name\": \"crate\", \"density\": 500, \"position\": [0, 0, $1], \"shapes\": [{\"type\": \"box\", \"half\": [0.5, 0.5, 0.5], \"material\": \"wood\"}]}"
}
bob='{"name": "bob", "mass": 1, "rotates": false, "position": [0.8, 0, 1.4]}'
rope() { # kind length
  echo "{\"type\": \"$1\", \"bodies\": [\"bob\", \"world\"], \"point\": [0.8, 0, 1.4], \"end\": [0, 0, 2], \"length\": $2}"
}
scene "$(crate 0)" "" ""
expect 2 "between the world and crate is -0.5 m" run "$work/s.json" -f moreau -o "$work/r.json"
check "one line" test "$(wc -l <"$work/err")" -eq 1
scene "$(crate 0.4999)" "" "" # a tenth of a millimetre of rounding
expect 0 "" run "$work/s.json" -f moreau -o "$work/r.json"
scene "$(crate 0)" "" ', "allow_start": true'
expect 0 "" run "$work/s.json" -f moreau -o "$work/r.json"
check "the depth stands in the record" grep -q '"gap_min": -0.5' "$work/r.json"
scene "$bob" "$(rope rope 0.8)" ""
expect 2 "between bob and the world is -0.2 m" run "$work/s.json" -f moreau -o "$work/r.json"
scene "$bob" "$(rope rod 1.2)" ""
expect 2 "rod joint between bob and the world is off by 0.2 m" run "$work/s.json" -f moreau -o "$work/r.json"
expect 0 "" run "$work/s.json" -f moreau --set allow_start=true -o "$work/r.json"
scene "$bob" "$(rope rod 1)" ""
expect 0 "" run "$work/s.json" -f moreau -o "$work/r.json"
scene "$bob" "" ', "allow_start": 1'
expect 2 "allow_start" run "$work/s.json" -f moreau -o "$work/r.json"
suite "{ \"case\": \"$work/s.json\", \"formulations\": [\"moreau\"] }"
scene "$(crate 0)" "" ""
expect 2 "between the world and crate" bench "$work/v.json" -j 1 -o "$work/none"

summary
