#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The study `truths`, in which scenes the laws of impact differ and which of them a run is nearest to. A ball
# alone moves the same by each. Of three balls in a row, the last two touching, springs move the second one.
# shellcheck disable=SC2016 # the words in single quotes are for awk
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"

ball() { # name x v
  echo "{\"name\": \"$1\", \"mass\": 0.2, \"position\": [$2, 0, 0.1], \"velocity\": [$3, 0, -1],
    \"shapes\": [{\"type\": \"sphere\", \"radius\": 0.05, \"material\": \"steel\"}]}"
}
scene() { # name bodies
  cat >"$work/$1.json" <<E
{"schema": "coulombench.scene/1", "name": "$1", "gravity": [0, 0, 0], "dt": 0.001, "t_end": 0.1,
 "materials": {"steel": {"mu": 0, "eps_N": 1}}, "bodies": [$2], "reference": {"kind": "event"}}
E
}
ground='{"name": "ground", "fixed": true, "shapes": [{"type": "halfspace", "material": "steel", "normal": [0, 0, 1], "offset": 0}]}'
scene one "$(ball a 0 0), $ground"
scene three "$(ball a 0 2), $(ball b 0.11 0), $(ball c 0.21 0)"
scenes='"case": "{scene}.json", "over": {"scene": ["one", "three"]}, "sample": 0.01'
cat >"$work/suite.json" <<E
{"schema": "coulombench.suite/1", "name": "small", "title": "small", "time_limit": 60, "figures": "none", "studies": ["truths"], "cells": [
  {"label": "newton", $scenes, "formulations": ["event"], "dt": 0.01},
  {"label": "poisson", $scenes, "formulations": ["ncp"], "dt": 1e-4, "opt": {"restitution": "poisson"}},
  {"label": "poisson-again", $scenes, "formulations": ["ncp"], "dt": 2e-4, "opt": {"restitution": "poisson"}},
  {"label": "compliant", $scenes, "formulations": ["penalty"], "dt": 0.01, "opt": {"stepper": "msbdf", "depth": 1e-5}},
  {"label": "compliant-again", $scenes, "formulations": ["penalty"], "dt": 0.01, "opt": {"stepper": "msbdf", "depth": 1e-4}},
  {"label": "run", $scenes, "formulations": ["moreau", "penalty"], "dt": 1e-4}]}
E
expect 0 "" bench "$work/suite.json" -o "$work/r" -j 2
expect 0 "" report "$work/r" -o "$work/page"
tables=$work/page/report
check "one ball moves the same by each law" awk -F, '$1 == "one" { exit !($2 < 2e-3 && $3 < 2e-3 && $7 == 0) }' "$tables/truths-scenes.csv"
check "touching balls do not" awk -F, '$1 == "three" { exit !($3 > 0.05 && $7 == 1) }' "$tables/truths-scenes.csv"
nearest() { # formulation: scenes that decide, and in which it is nearest to springs
  awk -F, -v name="$1" '$1 == name { print $2, $5 }' "$tables/truths.csv"
}
check "springs are nearest to springs" test "$(nearest penalty)" = "1 1"
check "and Newton's law is not" test "$(nearest moreau)" = "1 0"
summary
