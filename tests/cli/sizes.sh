#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sizes that no memory holds: a record with status unsupported that says how many bytes were needed,
# and which limit was in the way; where there is no record to write, one line and exit status 3. A
# limit on addresses stands for a small machine, so that no test can fill a large one.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"

record=$work/r.json
words='needs [0-9.]+ ([kMGT]B|bytes)( for an array of [0-9]+ x [0-9]+)?; the limit is [0-9.]+ [MG]B, '
words+='(addresses|memory)'

# The sanitizers reserve addresses without end: there the limits cannot be set, and only what needs
# terabytes is tried.
is_limited=1
(ulimit -v 2000000 && "$program" --version) >"$work/out" 2>&1 || is_limited=0

# The program with a limit on its addresses [kB]; 0: none.
unlimited=$program
within() { # kB arguments...
  local kilobytes=$1
  shift
  ((kilobytes == 0)) && kilobytes=unlimited
  (ulimit -v "$kilobytes" && exec "$unlimited" "$@")
}

# Run within a limit: exit status 1, one line, and the record says unsupported with the same words.
refused() { # kB arguments...
  local lines
  rm -f "$record"
  if (($1 > 0 && !is_limited)); then
    skip "$*" "no limit on addresses under the sanitizers"
    return
  fi
  within "$@" -o "$record" >"$work/out" 2>"$work/err" </dev/null
  local got=$?
  lines=$(wc -l <"$work/err")
  if ((got != 1 || lines != 1)); then
    bad "$*" "exit status $got, not 1, with $lines lines: $(head -n 2 "$work/err")"
  elif ! grep -qE "unsupported: .*$words" "$work/err"; then
    bad "$*" "standard error lacks '$words': $(cat "$work/err")"
  elif ! grep -q '"status": "unsupported"' "$record" ||
    ! grep -qE "\"reason\": \".*$words" "$record"; then
    bad "$*" "the record does not say so: $(grep -E '"(status|reason)"' "$record")"
  elif [[ $2 == run ]] && ! "$program" check "$record" >"$work/out" 2>&1; then
    bad "$*" "the record is not one: $(cat "$work/out")"
  else
    ok "$*"
  fi
}

# Terabytes: a dense matrix of all joints.
steps=(--dt 1e-3 --t-end 2e-3)
dense=(--opt joints=dense)
refused 0 run chain -f ccp "${dense[@]}" --set n=100000 "${steps[@]}"

# Within 1 GB: the same for fewer, one for whom nu x ns as an int comes out positive, and dense
# matrices of contacts.
refused 1000000 run chain -f ccp "${dense[@]}" --set n=30895 "${steps[@]}"
for how in "moreau -s auto" "lcp-st -s lemke" "ccp -s ipm"; do
  # shellcheck disable=SC2086 # a formulation and its solver
  refused 1000000 run chain -f $how "${dense[@]}" --set n=5000 "${steps[@]}"
done
refused 1000000 run chain -f ccp "${dense[@]}" --set n=5000 --search 1e-3,2e-3,0 --t-end 2e-3
refused 1000000 run box-stack -f lcp-dca --set n=3000 "${steps[@]}"
refused 1000000 run granular-chains -f lcp-dca --set n=3000 "${steps[@]}"
# Not even for the model, nor for the list of its bodies.
refused 220000 run packing -f ccp --set n=4000000 "${steps[@]}"
refused 220000 run chain -f lcp-dca --set n=20000 "${steps[@]}"

# One-step problems: dense complementarity problems, dense Newton matrices of an operator that is not
# symmetric, and a file that is too large itself.
problem() { # contacts element
  awk -v n="$1" -v a="$2" 'BEGIN {
    printf "{\"schema\": \"coulombench.problem/1\", \"kind\": \"friction\", \"name\": \"apart\", "
    printf "\"dim\": 3, \"contacts\": %d, \"mu\": [", n
    for (i = 0; i < n; i++) printf "%s0.5", i ? "," : ""
    printf "], \"W\": {\"storage\": \"block-csr\", \"row_ptr\": ["
    for (i = 0; i <= n; i++) printf "%s%d", i ? "," : "", i
    printf "], \"col\": ["
    for (i = 0; i < n; i++) printf "%s%d", i ? "," : "", i
    printf "], \"blocks\": ["
    for (i = 0; i < n; i++) printf "%s1,%s,0,0,1,0,0,0,1", i ? "," : "", a
    printf "]}, \"b\": ["
    for (i = 0; i < n; i++) printf "%s-1,0.2,0.1", i ? "," : ""
    printf "]}\n"
  }'
}
problem 1150 0 >"$work/apart.json"
problem 4000 0.1 >"$work/skew.json"
problem 60000 0 >"$work/large.json"
refused 1000000 solve "$work/apart.json" -s lemke --law lcp
refused 1000000 solve "$work/skew.json" -s ipm --law ccp
refused 220000 solve "$work/large.json" -s pgs
expect 0 "" solve "$work/apart.json" -s pgs -o "$record"

# Where no record can be written: want of memory, not a fault of the file.
if ((is_limited)); then
  program=within
  for arguments in "check large.json" "compare large.json large.json" "run large.json -f ccp"; do
    # shellcheck disable=SC2086 # the words of a command
    expect 3 "out-of-memory: $work/large.json: needs" 220000 ${arguments//large.json/$work/large.json}
    check "$arguments: no word of JSON" bash -c "! grep -qi 'not json\|ends ' '$work/err'"
  done
  # A suite goes on after a cell that is too large, and also when it is taken up again.
  cat >"$work/suite.json" <<'S'
{ "schema": "coulombench.suite/1", "name": "large",
  "cells": [ { "case": "chain", "formulations": ["ccp"], "set": {"n": 5000}, "opt": {"joints": "dense"}, "dt": 1e-3, "t_end": 1e-3, "expect": ["unsupported"] },
             { "case": "falling-particle", "formulations": ["ccp"], "dt": 1e-2 } ] }
S
  for resume in "" --resume; do
    # shellcheck disable=SC2086 # no word at all
    expect 0 "" 1000000 bench "$work/suite.json" $resume -j 1 -o "$work/large"
    check "$resume a record each" test "$(find "$work/large" -name '*--*.json' | wc -l)" == 2
    check "$resume unsupported" grep -q '"status": "unsupported"' "$work"/large/chain--*.json
  done
  # The BLAS wants addresses for each of its threads, and would try without end.
  expect 3 "the BLAS needs 134 MB; the limit is 154 MB, addresses" 150000 list cases
  program=$unlimited
fi
summary
