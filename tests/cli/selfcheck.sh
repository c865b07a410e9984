#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `check CASE|SCENE`: every registered case and every example scene agrees with itself by finite
# differences, a line a derivative; large cases with few bodies.
. "$(dirname "$0")/../cli_lib.sh"

few() { # case: what makes it small
  case $1 in
  packing) echo "n=8" ;;
  channel-flow) echo "scale=0.06" ;;
  box-stack) echo "n=1" ;; # edges of equal boxes on top of each other are kinks of the gap
  esac
}
for model in $("$program" list cases | awk '/^  /{print $1}') "$root"/cases/scenes/{,closed/}*.json; do
  [[ $model == */schema.json ]] && continue
  set=$(few "$model")
  expect 0 "" check "$model" ${set:+--set "$set"}
  check "$model: lines for W, V, M and biases" test "$(grep -c ": ok .*: relative error " "$work/out")" -ge 6
done
check "cases were checked" test "$passed" -gt 60
expect 0 "" check falling-particle
check "W_N is told" grep -q "W_N against g_N: relative error" "$work/out"
check "W_T is told" grep -q "W against the ways of the points in contact: relative error" "$work/out"
expect 2 "1 velocities|dense derivatives" check packing
expect 2 "unknown parameter 'nn'" check falling-particle --set nn=1
expect 2 "nowhere" check nowhere

summary
