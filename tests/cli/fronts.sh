#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The study `fronts`: work for an error and error at equal work, each over that of ncp at 1 ms. A ball falls
# onto the ground and sticks; ncp errs in proportion to its step.
# shellcheck disable=SC2016 # the words in single quotes are for awk
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"

cat >"$work/fall.json" <<E
{"schema": "coulombench.scene/1", "name": "fall", "gravity": [0, 0, -10], "dt": 0.001, "t_end": 0.2,
 "materials": {"steel": {"mu": 0.3, "eps_N": 0}}, "reference": {"kind": "event"}, "bodies": [
  {"name": "a", "mass": 0.2, "position": [0, 0, 0.15], "velocity": [1, 0, 0],
   "shapes": [{"type": "sphere", "radius": 0.05, "material": "steel"}]},
  {"name": "ground", "fixed": true, "shapes": [{"type": "halfspace", "material": "steel", "normal": [0, 0, 1], "offset": 0}]}]}
E
cat >"$work/suite.json" <<E
{"schema": "coulombench.suite/1", "name": "small", "title": "small", "time_limit": 60, "figures": "none", "studies": ["fronts"], "cells": [
  {"label": "laws", "study": "fronts", "case": "fall.json", "formulations": ["ncp"], "dt": [0.01, 0.001, 1e-4]},
  {"label": "depth", "study": "fronts", "case": "fall.json", "formulations": ["penalty"], "dt": 0.01, "opt": {"depth": [1e-2, 1e-3]}}]}
E
expect 0 "" bench "$work/suite.json" -o "$work/r" -j 2
expect 0 "" report "$work/r" -o "$work/page"
points=$work/page/report/fronts-points.csv
check "ncp at 1 ms is the unit" awk -F, '$2 == "ncp" && $3 == 0.001 { exit !($8 == 1 && $9 == 1) }' "$points"
check "ten times the steps, ten times the work" awk -F, '$2 == "ncp" && $3 == 0.0001 { exit !($8 > 8 && $8 < 12) }' "$points"
check "a smaller depth, a smaller error" \
  awk -F, '{ gsub(/"/, "") } $2 == "penalty (depth)" { e[$4] = $7 } END { exit !(e["0.001"] < e["0.01"] && e["0.001"] > 0) }' "$points"
at() { # row: values of the columns "work for 5 %" and "error at work 5"
  awk -F, -v row="$1" '{ gsub(/"/, "") } NR == 1 { for (i = 1; i <= NF; ++i) of[$i] = i }
    $1 == row { print $of["work for 5 %"], $of["error at work 5"] }' "$work/page/report/fronts.csv"
}
check "five times the work, a fifth of the error" \
  awk -v own="$(awk -F, '$2 == "ncp" && $3 == 0.001 { print $7 }' "$points")" '{ exit !($2 > 0.1 * own && $2 < 0.4 * own) }' <<<"$(at ncp)"
check "penalty has a row" test -n "$(at "penalty (depth)")"
summary
