#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Shares of the variance that the study `what-is-measured` prints, and their intervals over scenes and
# over families, against those that a program of its own makes of the table of entries: all scenes,
# each family left out, half of the scenes.
# shellcheck disable=SC2016 # the words in single quotes are for awk
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"

cells=()
add() { # scene, label, further keys
  cells+=("{\"label\": \"$2\", \"case\": \"$root/cases/scenes/drawn/$1.json\", \"formulations\": [\"impulse\"], ${3-}
    \"opt\": {\"law\": [\"ncp\", \"ccp\", \"mdp\"], \"scheme\": [\"gap\", \"velocity\"], \"tol\": [0.01, 1e-8]},
    \"dt\": [0.02, 0.01], \"t_end\": 0.1, \"ensemble\": {\"phase\": 2, \"start\": 1e-9, \"seed\": 1}}")
}
for scene in slope/1 rolling/3 rolling/4 impact/1 mechanism/1 rope/1 table/2; do add "$scene" "${scene%/*}"; done
for scene in slope/1 rolling/1; do add "$scene" smooth '"set": {"materials.stuff.mu": 0},'; done
(IFS=,; cat >"$work/suite.json" <<E
{"schema": "coulombench.suite/1", "name": "small", "title": "small", "time_limit": 60,
 "cells": [${cells[*]}], "figures": "none", "studies": ["what-is-measured"]}
E
)
expect 0 "" bench "$work/suite.json" -o "$work/r" -j 2
expect 0 "" report "$work/r" -o "$work/page"
tables=$work/page/report
check "an independent program makes the same shares" \
  python3 "$root/tests/shares.py" "$tables/what-is-measured-entries.csv" "$tables/what-is-measured.csv"
python=$(python_with numpy)
if [ -n "$python" ]; then
  check "and the same intervals" sh -c '"$@" >"$0"' "$work/intervals" "$python" "$root/tests/shares.py" \
    "$tables/what-is-measured-entries.csv" "$tables/what-is-measured.csv" "$tables/what-is-measured-errors.csv"
  check "of every factor and pair, over scenes and families" \
    test "$(grep -c '^[0-9]* ends of .* are off' "$work/intervals")" = 2
  awk -F, -v OFS=, 'NR > 1 && $3 != "" { $3 = $3 - ($4 - $3) / 8 } 1' "$tables/what-is-measured.csv" >"$work/wide.csv"
  check "wider ones are not" \
    test "$("$python" "$root/tests/shares.py" "$tables/what-is-measured-entries.csv" "$work/wide.csv" >/dev/null; echo $?)" = 1
else
  skip "intervals by an independent program" "no Python here has numpy"
fi
python3 "$root/tests/shares.py" "$tables/what-is-measured-entries.csv" >"$work/out" 2>&1
check "it leaves out each family" grep -q "^without rope" "$work/out"
check "and half of the scenes" grep -q "^half of the scenes" "$work/out"

# It can fail: one entry is another.
awk -F, -v OFS=, 'NR == 2 { $8 = $8 + 1 } 1' "$tables/what-is-measured-entries.csv" >"$work/other.csv"
check "of other entries it makes others" \
  test "$(python3 "$root/tests/shares.py" "$work/other.csv" "$tables/what-is-measured.csv" >/dev/null; echo $?)" = 1

# Where by theory laws agree they do, and where they may differ some do; "uncoupled" are the two spheres.
groups=$tables/what-is-measured-groups.csv
check "it makes the same shares of each kind of friction" \
  sh -c 'python3 "$1" "$2" --groups "$3" | grep -q "groups: coupled none uncoupled$"' sh \
  "$root/tests/shares.py" "$tables/what-is-measured-entries.csv" "$groups"
check "no law matters without friction" awk -F, '$1 == "none" && $2 == "law" { n = 1; if ($6 > 1e-6) exit 1 } END { exit !n }' "$groups"
check "the rule of where they agree holds" \
  awk -F, '$3 == "agrees" { ++n; if ($7 > 1e-3) exit 1 } END { exit n != 3 }' "$tables/what-is-measured-agreement.csv"
check "and not everywhere" awk -F, '/^uncoupled,ccp,/ { exit !($5 > 0.1) }' "$tables/what-is-measured-agreement.csv"
check "families stand apart" grep -q '^slope,law,' "$tables/what-is-measured-families.csv"
summary
