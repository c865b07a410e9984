#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Shares of the variance that the study `what-is-measured` prints, against those that a program of
# its own makes of the table of entries: all scenes, each family left out, half of the scenes.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"

cells=()
while read -r family case t_end; do
  cells+=("{\"label\": \"$family\", \"case\": \"$case\", \"formulations\": [\"impulse\"],
    \"opt\": {\"law\": [\"ncp\", \"ccp\"], \"scheme\": [\"gap\", \"velocity\"], \"tol\": [0.01, 1e-8]},
    \"dt\": [0.01, 0.005], \"t_end\": $t_end, \"ensemble\": {\"phase\": 3, \"seed\": 1}}")
done <<'E'
thrown thrown-ball 0.2
thrown falling-particle 0.2
pushed pushed-box 0.1
E
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
python3 "$root/tests/shares.py" "$tables/what-is-measured-entries.csv" >"$work/out" 2>&1
check "it leaves out each family" grep -q "^without pushed" "$work/out"
check "and half of the scenes" grep -q "^half of the scenes" "$work/out"

# It can fail: one entry is another.
awk -F, -v OFS=, 'NR == 2 { $NF = $NF + 1 } 1' "$tables/what-is-measured-entries.csv" >"$work/other.csv"
check "of other entries it makes others" \
  test "$(python3 "$root/tests/shares.py" "$work/other.csv" "$tables/what-is-measured.csv" >/dev/null; echo $?)" = 1
check "families stand apart" grep -q '^thrown,law,' "$tables/what-is-measured-families.csv"
summary
