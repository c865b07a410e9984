#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Scenes by family and seed: the same bytes each time and those that are kept with the cases, turned
# without another motion, run or refused with a reason; and twins, which are found where there are
# some and nowhere among the scenes kept.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"
cd "$root" || exit 1

expect 0 "" scene --list
families=$(sed -nE 's/^([a-z]+): .*/\1/p' "$work/out")
check "nine families" test "$(wc -w <<<"$families")" -eq 9

# Bytes.
expect 0 "" scene --family all --seed 1..7 -o "$work/drawn"
check "the scenes kept are those of this program" diff -rq "$work/drawn" cases/scenes/drawn
for family in $families; do
  expect 0 "" scene --family "$family" --seed 3 -o "$work/a.json"
  check "$family: one scene is that of many" cmp -s "$work/a.json" "$work/drawn/$family/3.json"
  expect 0 "" scene --family "$family" --seed 4
  check "$family: another seed draws other numbers" bash -c "
    a=\$(grep Drawn '$work/a.json') b=\$(grep Drawn '$work/out') && [[ -n \$a && \$a != \"\$b\" ]]"
  for file in "$work/drawn/$family"/*.json; do
    expect 0 "" describe "$file"
  done
done

# Every family runs; where `event` does not, the record says why.
for family in $families; do
  for formulation in ncp event; do
    "$program" run "cases/scenes/drawn/$family/5.json" -f "$formulation" --t-end 0.05 --time-limit 5 \
      --set reference.kind=none -o "$work/r.json" >/dev/null 2>&1
    check "$family by $formulation runs, or says why not" \
      grep -qE '"status": "ok"|"reason": "[^"]+"' "$work/r.json"
  done
done

# Three feet have one motion. Four corners that slide in different directions share the load, and
# with it friction's torque, as they like: there is none to be compared with or that steps tend to.
# shellcheck disable=SC2016 # fields of awk
check "a block that slides and spins on three feet has one motion" awk '{ exit !($1 > 3.8 && $1 < 4.2 && $2 == 0.2) }' <(
  for dt in 1e-3 2.5e-4; do
    "$program" run cases/scenes/drawn/slope/5.json -f moreau --t-end 0.2 --dt $dt -o "$work/r.json" >/dev/null 2>&1
    "$program" table "$work/r.json" --columns errors.q_linf,reference.until --format csv | tail -n 1
  done | awk -F, 'NR == 1 { error = $1 } END { print error / $1, $2 }'
)
"$program" run cases/scenes/incline.json -f moreau --t-end 0.2 --set 'bodies.block.angular_velocity=[0, 0, 3]' \
  -o "$work/r.json" >/dev/null 2>&1
check "one that does so on four corners has several" grep -q "several solutions" "$work/r.json"

# Turned and unturned: x of one is R x of the other, R by Rodrigues' formula.
for scene in slope/1:block-1 impact/2:body-1 table/3:body-1; do
  file=cases/scenes/drawn/${scene%:*}.json body=${scene#*:}
  columns=final.q.$body.x,final.q.$body.y,final.q.$body.z
  axis=$(sed -nE 's/^  "rotation": \[(.*)\],$/\1/p' "$file" | tr -d ,)
  for turn in "[0, 0, 0]" "[${axis// /, }]"; do
    "$program" run "$file" -f ncp --t-end 0.3 --opt tol=1e-10 --set reference.kind=none \
      --set "rotation=$turn" -o "$work/r.json" >/dev/null 2>&1
    "$program" table "$work/r.json" --columns "$columns" --format csv | tail -n 1 | tr , ' '
  done >"$work/ends"
  # shellcheck disable=SC2016 # a program of awk
  check "$scene: turned with its motion" awk -v axis="$axis" '
    { for (i = 1; i <= 3; ++i) x[NR, i] = $i }
    END {
      split(axis, w, " ")
      angle = sqrt(w[1] ^ 2 + w[2] ^ 2 + w[3] ^ 2)
      for (i = 1; i <= 3; ++i) { w[i] /= angle; dot += w[i] * x[1, i] }
      for (i = 1; i <= 3; ++i) {
        j = i % 3 + 1; k = j % 3 + 1
        y = x[1, i] * cos(angle) + (w[j] * x[1, k] - w[k] * x[1, j]) * sin(angle) + w[i] * dot * (1 - cos(angle))
        off += (y - x[2, i]) ^ 2; moved += (x[1, i] - x[2, i]) ^ 2
      }
      exit !(NR == 2 && sqrt(off) < 1e-6 && sqrt(moved) > 1e-2)
    }' "$work/ends"
done

# Refused.
expect 2 "unknown family 'slop'; did you mean 'slope'" scene --family slop --seed 1
for seed in 0 -1 1.5 x 3..2 1.. 2000000; do
  expect 2 "--seed = '$seed': must be a whole number from 1" scene --family slope --seed=$seed
done
expect 2 "many scenes need a folder" scene --family all --seed 1
expect 2 "many scenes need a folder" scene --family slope --seed 1..2
expect 2 "expects --family and --seed" scene --family slope
expect 2 "expects --family and --seed" scene --list --twins
expect 2 "no words beside" scene --list slope
expect 2 "expects folders of records" scene --twins
expect 2 "cannot read the folder" scene --twins "$work/nowhere"
expect 2 "holds no records with a trajectory" scene --twins "$work/drawn/slope"

# Twins: the same motion from a case and a scene, turned, and of other lengths, times and horizons.
sample() { # folder name case words...
  mkdir -p "$work/$1"
  "$program" run "$3" -f ncp --sample 0.005 -o "$work/$1/$2.json" "${@:4}" >/dev/null 2>&1
}
sample block case closed-forms --set scene=incline
sample block scene cases/scenes/incline.json
expect 1 "" scene --twins "$work/block"
check "the block on the incline" grep -q "^0.0000 .*case.json .*scene.json" "$work/out"
sample sphere case closed-forms
sample sphere scene cases/scenes/rolling-sphere.json
expect 1 "" scene --twins "$work/sphere"
check "the sphere that rolls" grep -q "^0.0000 .*case.json .*scene.json" "$work/out"
mkdir "$work/both"
cp "$work/block/scene.json" "$work/both/block.json"
cp "$work/sphere/scene.json" "$work/both/sphere.json"
expect 0 "" scene --twins "$work/both"

sample turned as-it-is cases/scenes/drawn/impact/2.json
sample turned unturned cases/scenes/drawn/impact/2.json --set 'rotation=[0, 0, 0]'
sample turned shorter cases/scenes/drawn/impact/2.json --set 'rotation=[0, 1, 0]' --t-end 0.4
expect 1 "" scene --twins "$work/turned"
check "three of one motion are three pairs" test "$(wc -l <"$work/out")" -eq 3
sed -E 's#"position": .*, "orientation"#"position": [0.068404028665133744, 0, 0.18793852415718169], "orientation"#
  s#0.9396926207859084, 0, -0.3420201433256687#1.8793852415718168, 0, -0.6840402866513374#
  s#"half": .*, "material"#"half": [0.8, 0.4, 0.2], "material"#; s#"t_end": 1.0#"t_end": 2#; s#"dt": 0.001#"dt": 0.0015#
  s#"incline"#"larger"#' cases/scenes/incline.json >"$work/larger.json"
sample scaled incline cases/scenes/incline.json
sample scaled larger "$work/larger.json"
expect 1 "" scene --twins "$work/scaled"
sample slowed incline cases/scenes/incline.json
sample slowed rougher cases/scenes/incline.json --set materials.wood.mu=0.6 # slides to rest, only sooner
expect 1 "" scene --twins "$work/slowed"
sample same coarse cases/scenes/incline.json --dt 0.002
sample same fine cases/scenes/incline.json
expect 0 "" scene --twins "$work/same"

# None among the scenes kept. Piles differ in their number of bodies.
check "no two piles of as many bodies" test \
  "$(for file in cases/scenes/drawn/pile/*; do grep -c '"density"' "$file"; done | sort -u | wc -l)" -eq 7
cat >"$work/suite.json" <<END
{"schema": "coulombench.suite/1", "name": "twins", "time_limit": 60, "cells": [
  {"case": "$root/cases/scenes/drawn/{family}/{seed}.json", "formulations": ["ncp"], "dt": "4 * dt",
   "sample": "t_end / 100", "set": {"reference.kind": "none"}, "expect": ["ok", "unconverged"],
   "over": {"family": [$(for f in $families; do [[ $f == pile ]] || echo "\"$f\""; done | paste -sd,)], "seed": [1, 2, 3, 4, 5, 6, 7]}}]}
END
"$program" bench "$work/suite.json" -o "$work/kept" >/dev/null 2>&1
check "56 motions" test "$(find "$work/kept" -maxdepth 1 -name '*--ncp--*.json' | wc -l)" -eq 56
expect 0 "" scene --twins "$work/kept"
summary
