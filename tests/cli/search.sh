#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# run --search PARAM=LO,HI --until CONDITION: the value of a parameter, or of the step, at which an
# outcome changes.
. "$(dirname "$0")/../cli_lib.sh"

push() { # formulation solver range condition record: a box pushed with push * mu m g
  expect 0 "" run pushed-box -f "$1" -s "$2" --t-end 0.02 --opt tol=1e-10 --search "$3" --until "$4" -o "$5"
}
number() { # record key
  sed -n "s/^ *\"$2\": *\([-0-9.e+]*\),*$/\1/p" "$1" | head -1
}

# It moves from a push of mu m g on, found to a millionth of the range, whatever the law.
for both in "ccp ipm" "ncp auto" "moreau ssn" "lcp-st lemke"; do
  push "${both% *}" "${both#* }" push=0.5,2 '|final.u.box.vx|<1e-8' "$work/t.json"
  expect 0 "" check "$work/t.json"
  check "$both: rests below, moves above 1" awk -v a="$(number "$work/t.json" holds)" \
    -v b="$(number "$work/t.json" fails)" 'BEGIN { exit !(a > 1 - 2e-6 && a <= 1 && b > a && b - a <= 1.5e-6) }'
done

# The other way round, coarser, a scene's parameter by its path, and the command in the record.
push ccp ipm push=0.5,2,0.1 'final.u.box.vx>1e-8' "$work/up.json"
check "now it holds above" awk -v a="$(number "$work/up.json" holds)" \
  -v b="$(number "$work/up.json" fails)" 'BEGIN { exit !(a >= 1 && b < 1 && a - b <= 0.15) }'
check "the command is there" grep -q -- "--search push=0.5,2,0.1 --until 'final.u.box.vx>1e-8'" \
  "$work/up.json"
command=$(sed -n 's/^ *"command": "coulombench \(.*\)",*$/\1/p' "$work/up.json")
again=()
eval "again=($command)" # its words, which are quoted
expect 0 "" "${again[@]}" -o "$work/again.json"
expect 0 "" compare "$work/up.json" "$work/again.json"

# No change: the record at LO says so.
push ccp ipm push=0.5,0.6 '|final.u.box.vx|<1e-8' "$work/same.json"
check "both ends hold" grep -q '"reason": *"search: the condition holds at both ends' "$work/same.json"
push ccp ipm push=0.5,0.6 'status=failed' "$work/same.json"
check "both ends fail" grep -q '"reason": *"search: the condition fails at both ends' "$work/same.json"
expect 0 "" check "$work/same.json"

# The step in place of a parameter: Moreau's rule on the oscillator is stable up to 2/sqrt(c/m2) = 1e-4 s.
expect 0 "" run oscillator -f moreau --t-end 0.1 --search dt=5e-5,3e-4,1e-3 --until status=ok -o "$work/dt.json"
expect 0 "" check "$work/dt.json"
check "the stable step" awk -v a="$(number "$work/dt.json" holds)" -v b="$(number "$work/dt.json" fails)" \
  'BEGIN { exit !(a > 0.98e-4 && b < 1.05e-4 && b / a <= 1.0011) }'
check "its command has no --dt" grep -q 'run oscillator -f moreau[^"]* --t-end 0.1 --search dt=5e-05,0.0003,0.001 --until status=ok' "$work/dt.json"
check "its command has no --dt" test "$(grep -c -- '--dt' "$work/dt.json")" = 0
expect 2 "give no dt" run oscillator -f moreau --dt 1e-4 --search dt=5e-5,3e-4 --until status=ok -o "$work/no.json"
expect 2 "needs 0 < lo < hi" run oscillator -f moreau --search dt=0,3e-4 --until status=ok -o "$work/no.json"

# The short form is that of a step by two conditions, and gives the same record.
expect 0 "" run falling-particle -f moreau --t-end 1 --search 1e-3,0.2,0.02,0.1 -o "$work/short.json"
expect 0 "" run falling-particle -f moreau --t-end 1 --search dt=1e-3,0.2,0.1 --until stable \
  --until 'quality.measures.position<0.02' -o "$work/long.json"
expect 0 "" check "$work/short.json"
expect 0 "" compare "$work/short.json" "$work/long.json"
expect 0 "" run falling-particle -f moreau --t-end 1 --search 1e-3,0.2,0.02,0.1
check "both are told" test "$(grep -c '^search .* holds at dt = ' "$work/out")" = 2

# Records that contradict themselves.
sed 's/"holds": *0.[0-9]*,/"holds": 0.7,/' "$work/t.json" >"$work/wrong.json"
expect 2 "not what the trials say" check "$work/wrong.json"
sed 's/"value": *1.25/"value": 1.2/' "$work/t.json" >"$work/wrong.json"
expect 2 "is no bisection" check "$work/wrong.json"
sed '0,/"holds": *true/s//"holds": false/' "$work/t.json" >"$work/wrong.json"
expect 2 "contradicts the condition" check "$work/wrong.json"

wrong() { # words arguments
  local words=$1
  shift
  expect 2 "$words" run pushed-box -f ccp -s ipm --t-end 0.02 "$@" -o "$work/no.json"
}
wrong "go together" --search push=0.5,2
wrong "go together" --until 'status=ok'
wrong "go together" --search 1e-4,1e-2 --until 'status=ok'
wrong "more than 2" --search push=0.5,2 --until stable --until stable --until stable
wrong "must be PARAM=LO,HI" --search push=0.5 --until 'status=ok'
wrong "must be PARAM=LO,HI" --search push=a,b --until 'status=ok'
wrong "must be PARAM=LO,HI" --search =1,2 --until 'status=ok'
wrong "lo < hi" --search push=2,1 --until 'status=ok'
wrong "tolerance" --search push=1,2,0 --until 'status=ok'
wrong "PARAM=LO,HI" --search push=1,2,nan --until 'status=ok'
wrong "must be KEY" --search push=1,2 --until 'final.u.box.vx'
wrong "must be KEY" --search push=1,2 --until 'final.u.box.vx<fast'
wrong "must be KEY" --search push=1,2 --until 'status=well'
wrong "no number" --search push=1,2 --until 'final.u.box.speed<1'
wrong "no number" --search push=1,2 --until 'case.name<1'
wrong "unknown" --search pull=1,2 --until 'status=ok'
wrong "give no --set" --search push=1,2 --until 'status=ok' --set push=1
wrong "neither problems" --search push=1,2 --until 'status=ok' --dump-problems 1
# The short form.
for range in 1e-3,1e-3 1e-3,1e-4 1e-4,inf; do expect 2 "lo < hi" run falling-particle -f moreau --search $range; done
for range in 0,1e-3 -1e-4,1e-3; do expect 2 "0 < lo" run falling-particle -f moreau --search=$range; done
for range in 1e-4,1e-2,0.1,0 1e-4,1e-2,0.1,inf; do expect 2 "tolerance" run falling-particle -f moreau --search $range; done
expect 2 "limit" run falling-particle -f moreau --search 1e-4,1e-2,-1
expect 2 "horizon" run falling-particle -f moreau --search 1e-4,2
expect 2 "" run falling-particle -f moreau --dt 1e-3 --search 1e-4,1e-2,0.1,0.02
for range in "" 1e-4 a,b "1e-4,1e-2," "1 2" nan,1e-3 1e-4,nan 1e-4,1e-2,1,2,3 0x1p-9,1 "1e-4, 1" 1e-4,1e-2,nan 1e-4,1e999; do
  expect 2 "LO,HI" run falling-particle -f moreau --search "$range"
done
check "nothing was written" test ! -e "$work/no.json"

# In a suite: a name of its own, rows of their own in tables and on the page.
cat >"$work/suite.json" <<'S'
{"schema": "coulombench.suite/1", "name": "s", "studies": ["largest-step"], "cells": [
  {"case": "falling-particle", "formulations": ["moreau"], "label": "a", "t_end": 0.8, "search": "1e-3,0.1,0.02,0.1"},
  {"case": "falling-particle", "formulations": ["moreau"], "t_end": 0.8, "dt": 1e-2}]}
S
if command -v gnuplot >/dev/null; then
  expect 0 "" bench "$work/suite.json" -o "$work/suite"
  expect 0 "" report "$work/suite"
  accurate=$(sed -n '/"second"/,/"holds"/s/^ *"holds": *\([0-9.e-]*\),*$/\1/p' "$work/suite/falling-particle--moreau--a--search.json" | head -n 1)
  check "its largest accurate step is in the table: $accurate" grep -q ",0.001,0.1,0.1,$accurate,0.1," "$work/suite/report/largest-step.csv"
  check "and on the page" grep -q "$(printf '%.3g' "$accurate")</a><div class=\"why\">≥ 0.1" "$work/suite/report/index.html"
fi
summary
