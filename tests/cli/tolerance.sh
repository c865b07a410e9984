#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The study of what tolerances change, and the lists of values in suites that its runs are made of:
# each quotient against the records it comes from, and what other studies see of such runs.
# shellcheck disable=SC2016 # the words in single quotes are for awk
. "$(dirname "$0")/../cli_lib.sh"

cells() { # further cells
  cat >"$work/suite.json" <<S
{"schema": "coulombench.suite/1", "name": "tol", "cells": [
 {"case": "pushed-box", "formulations": ["mdp", "ncp"], "study": "tolerance", "opt": {"tol": [1e-2, 1e-4, 1e-6, 1e-10]},
  "dt": [4e-3, 2e-3], "t_end": 0.1, "sample": 0.02},
 {"case": "box-stack", "formulations": ["ncp"], "label": "rest", "study": "tolerance", "set": {"n": 2}, "opt": {"tol": [1e-3, 1e-12]},
  "t_end": 0.1, "dt": [1e-2], "sample": 0.02}$1], "studies": ["tolerance"]}
S
}
cells ', {"case": "pushed-box", "formulations": ["ncp"], "dt": [4e-3], "t_end": 0.1}'
expect 0 "" bench "$work/suite.json" -j 2 -o "$work/runs"
check "a run a value, named by it" test -f "$work/runs/pushed-box--ncp--tolerance--tol-0.0001--dt0.004.json"
check "with that value" grep -q '"tol": 0.0001,' "$work/runs/pushed-box--ncp--tolerance--tol-0.0001--dt0.004.json"
check "without one the most there is, of 25 steps" grep -Eq '"tol": (1e-06|9.99*e-07),' "$work/runs/pushed-box--ncp--dt0.004.json"
expect 0 "" report "$work/runs" --suite "$work/suite.json"
csv=$work/runs/report/tolerance.csv
check "every run but the tightest of its kind" test "$(wc -l <"$csv")" = 14
check "quotients are those of the two columns before" awk -F, \
  'NR > 1 && $1 == "pushed-box" { n++; q = $6 / $7; bad += !($8 > 0.9999 * q && $8 < 1.0001 * q) } END { exit n != 12 || bad }' "$csv"
error=$(sed -n 's/^ *"q_linf": \(.*\),$/\1/p' "$work/runs/pushed-box--ncp--tolerance--tol-1e-10--dt0.002.json" | head -n 1)
check "the step's error is that of the tightest run" awk -F, -v e="$error" \
  '$2 == "ncp" && $3 == 0.002 { n++; bad += !($7 > 0.9999 * e && $7 < 1.0001 * e) } END { exit n != 3 || bad }' "$csv"
check "changes fall with the tolerance, by a hundred or so" awk -F, \
  '$1 == "pushed-box" { c[$2, $3, $5] = $6 }
   END { for (f in c) { split(f, k, SUBSEP)
     if (k[3] == 0.0001) { bad += !(c[k[1], k[2], 0.01] > 5 * c[f] && c[f] > 5 * c[k[1], k[2], 1e-06]); n++ } }
     exit n != 4 || bad }' "$csv"
check "a step without error has no quotient" grep -q '^box-stack,ncp,0.01,10,0.001,[^,]*,,,' "$csv"
check "nor a table" test ! -e "$work/runs/figures/study-tolerance/box-stack.dat"
check "the verdict" grep -q 'Of 4 kinds of runs.*: below a tenth' "$work/runs/report/index.html"
check "other studies leave such runs out" test "$(wc -l <"$work/runs/report/matrix.csv")" = 2

cells ', {"case": "table", "opt": {"tol": []}}'
expect 2 "tol: the list is empty" bench "$work/suite.json" -o "$work/none"
cells ', {"case": "table", "set": {"mu": [0.1, {}]}}'
expect 2 "mu.*must be a text or a number" bench "$work/suite.json" -o "$work/none"
cells ', {"case": "table", "formulations": ["ncp"], "set": {"mu": [0.1, -0.2]}}'
expect 2 "mu" bench "$work/suite.json" -o "$work/none"
summary
