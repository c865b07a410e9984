#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Standard streams that are closed or full. What opens next must not become one of them: a record
# would be written to by every message, and a child read from what is none of its own. What was to be
# said there is an error, exit status 2.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"

mkdir "$work/set"
cp "$root/tests/problems/one-3d.json" "$work/set"
cat >"$work/suite.json" <<S
{ "schema": "coulombench.suite/1", "name": "small", "time_limit": 60, "cells":
  [ { "case": "falling-particle", "formulations": ["moreau", "ccp", "event"], "dt": [0.1, 0.05], "t_end": 1.5 },
    { "problems": "$work/set", "label": "own", "laws": ["ncp"], "solvers": ["pgs", "auto", "exec:'$program' solve /dev/stdin -s pgs --tol 1e-10 -o -"] } ] }
S
suite() { timeout 60 "$program" bench "$work/suite.json" -j 2 -o "$work/$1"; }
suite whole >"$work/out" 2>"$work/err" </dev/null
check "the suite runs" test $? = 0

# Each closed alone, and all of them.
suite of-in <&- >"$work/out" 2>"$work/err"
check "without standard input" test $? = 0
suite of-out >&- 2>"$work/err" </dev/null
check "without standard output: what it says there is lost, which is an error" test $? = 2
suite of-err 2>&- >"$work/out" </dev/null
check "without standard error" test $? = 0
suite of-all <&- >&- 2>&-
check "without any: the same" test $? = 2
for folder in of-in of-out of-err of-all; do
  check "its records are the same ($folder)" cmp -s <(lasting "$work/whole") <(lasting "$work/$folder")
done

# Whoever writes there says so, and fails.
refused() { # what stream command...
  "${@:3}" 2>"$work/err" </dev/null
  local status=$?
  check "$1: exit status 2" test "$status" = 2
  check "$1: one line" grep -qxE 'coulombench: (-|standard output): cannot write.*' "$work/err"
}
# shellcheck disable=SC2317 # called by name
silent() { "$program" "$@" >&-; }
# shellcheck disable=SC2317
full() { "$program" "$@" >/dev/full; }
run=(run falling-particle -f moreau --dt 0.1)
"$program" "${run[@]}" -o "$work/r.json" >/dev/null
for how in silent full; do
  refused "$how: a list" 1 $how list
  refused "$how: help" 1 $how --help
  refused "$how: a manual" 1 $how --manual
  refused "$how: a summary" 1 $how "${run[@]}"
  refused "$how: a record" 1 $how "${run[@]}" -o -
  refused "$how: a solution" 1 $how solve "$work/set/one-3d.json" -s pgs
  refused "$how: a description" 1 $how describe falling-particle
  refused "$how: a table" 1 $how table "$work/whole" --columns status
  refused "$how: a check" 1 $how check "$work/r.json"
  refused "$how: a comparison" 1 $how compare "$work/whole" "$work/of-in"
done

# A record goes to its file alone.
"$program" "${run[@]}" -o "$work/closed.json" >&- 2>&- <&-
check "the record is whole" "$program" check "$work/closed.json" >/dev/null
summary
