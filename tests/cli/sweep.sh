#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A parameter swept over formulations, steps and solvers, and its figure; what a single run says where
# no file is asked for, and a suite whose records are all there.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"

# The example of the README of suites: its cells are all checked, and few of them run.
expect 0 "" check "$root/tests/examples/sweep.json"
check "the sweep is ten lines" test "$(wc -l <"$root/tests/examples/sweep.json")" -le 10
sed 's/\[0.01, .*/[0.1, 0.4]}}],/; /0.5, 0.55/d; s/1e-2, 3e-3, 1e-3, 3e-4/1e-2, 5e-3/; s/"lcp-st", "ccp", "ncp", "mdp"/"ccp"/' \
  "$root/tests/examples/sweep.json" >"$work/sweep.json"
expect 0 "8 cells" bench "$work/sweep.json" -j 2 -o "$work/r"
expect 0 "" report "$work/r" --suite "$work/sweep.json" -o "$work/o"
id=study-parameter-errors.q_linf-mu-thrown-ball
for file in $id.pdf $id.svg $id/1-moreau.dat $id/1-ccp.dat $id/2-moreau.dat $id/2-ccp.dat; do
  check "$file is there" test -s "$work/o/figures/$file"
done
check "a panel a step" grep -q 'dt = 0.005 s' "$work/o/figures/$id.svg"
check "axes are called after their columns, with units" grep -q 'errors.q_linf \[m, rad\]' "$work/o/figures/$id.svg"
check "every run has its point" test "$(wc -l <"$work/o/report/parameter-errors.q_linf-mu.csv")" = 9
# The numbers of the records, in the order of x.
of() { sed -n 's/^ *"q_linf": \(.*\),$/\1/p' "$work/r/thrown-ball--ccp--mu-$1--dt0.005.json"; }
check "the curve is the records' numbers" \
  test "$(awk 'NR > 1 { printf "%.12g %.12g;", $1, $2 }' "$work/o/figures/$id/2-ccp.dat")" = \
  "$(printf '%.12g %.12g;' 0.1 "$(of 0.1)" 0.4 "$(of 0.4)")"

# Solvers beside each other; a run without such a number has no point and is counted.
cat >"$work/solvers.json" <<'S'
{ "schema": "coulombench.suite/1", "name": "solvers", "cells": [
    {"case": "thrown-ball", "formulations": ["ccp"], "solver": ["psor", "apgd"], "dt": 1e-2, "opt": {"tol": [1e-6, 1e-9]}},
    {"case": "thrown-ball", "formulations": ["event"], "dt": 1e-2}],
  "studies": [{"study": "parameter", "x": "tol", "y": "iterations.mean"}, {"study": "parameter", "x": "dt", "y": "errors.q_linf"}] }
S
expect 0 "5 cells" bench "$work/solvers.json" -o "$work/s"
expect 0 "" report "$work/s" --suite "$work/solvers.json" -o "$work/p"
id=study-parameter-iterations.mean-tol-thrown-ball
check "a curve a solver" grep -q 'ccp, solver = apgd' "$work/p/figures/$id.svg"
check "what is swept by nothing is not drawn" test ! -e "$work/p/figures/study-parameter-errors.q_linf-dt-thrown-ball.svg"

# A study of one's own with the same gaps, of which the records keep a copy.
mkdir "$work/beside"
sed 's/"id": "parameter"/"id": "mine"/' "$root/scripts/plot/studies/parameter.json" >"$work/beside/mine.json"
cat >"$work/own.json" <<'S'
{ "schema": "coulombench.suite/1", "name": "own", "cells": [
    {"case": "thrown-ball", "formulations": ["ccp"], "dt": 1e-2, "set": {"mu": [0.1, 0.4]}}],
  "studies": [{"study": "beside/mine.json", "x": "mu", "y": "errors.q_linf"}] }
S
expect 0 "2 cells" bench "$work/own.json" -o "$work/own"
rm -r "$work/beside"
expect 0 "" report "$work/own"
check "is drawn" test -s "$work/own/figures/study-mine-errors.q_linf-mu-thrown-ball.svg"

refuse() { # words studies
  echo "{\"schema\": \"coulombench.suite/1\", \"name\": \"x\", \"studies\": [$2]}" >"$work/x.json"
  expect 2 "$1" check "$work/x.json"
}
refuse "y: 'errors.q': no path" '{"study": "parameter", "x": "mu", "y": "errors.q"}'
refuse "y: 'status': no path of a number" '{"study": "parameter", "x": "mu", "y": "status"}'
refuse "'energy' takes no \"x\" and \"y\"" '{"study": "energy", "x": "mu", "y": "errors.q_linf"}'
refuse "unknown study 'parametre'; did you mean 'parameter'" '{"study": "parametre", "x": "mu", "y": "errors.q_linf"}'
refuse "'parameter-errors.q_linf-mu' twice" '{"study": "parameter", "x": "mu", "y": "errors.q_linf"}, {"study": "parameter", "x": "mu", "y": "errors.q_linf"}'
refuse "unknown key 'z'" '{"study": "parameter", "x": "mu", "z": "errors.q_linf"}'
refuse "studies\[0\].y: is missing" '{"study": "parameter", "x": "mu"}'
refuse "'parameter' wants .\"study\": ..., \"x\"" '"parameter"'

# Numbers of threads: a cell each, with the same result, and a curve of their own.
cat >"$work/threads.json" <<'S'
{"schema": "coulombench.suite/1", "name": "threads", "studies": ["scaling"], "cells": [
  {"case": "packing", "formulations": ["ncp"], "solver": "relaxation", "label": "blocks", "study": "scaling", "threads": [1, 2],
   "set": {"n": [60, 20], "gap": 0}, "opt": {"order": "blocks", "max_iter": 5}, "t_end": 0.01, "dt": 1e-3, "expect": ["unconverged"]}]}
S
expect 0 "4 cells" bench "$work/threads.json" -j 2 -o "$work/t"
cell() { echo "$work/t/packing--ncp--relaxation--scaling--blocks--n-$1--threads-$2--dt0.001.json"; }
for n in 20 60; do
  for threads in 1 2; do
    check "$n bodies ran with $threads threads" grep -qE "\"threads\": $threads,?\$" "$(cell $n $threads)"
    check "as the command says" grep -q "\"command\": \"OMP_NUM_THREADS=$threads coulombench run packing" "$(cell $n $threads)"
  done
  check "with the same result" diff <(sed '/"cell"/,/}/d; /"timing"/,$d' "$(cell $n 1)") <(sed '/"cell"/,/}/d; /"timing"/,$d' "$(cell $n 2)")
done
if command -v gnuplot >/dev/null; then
  expect 0 "" report "$work/t"
  check "a curve for each number, of ascending sizes" \
    test "$(cut -d, -f1,2 "$work/t/report/scaling.csv" | tail -n +2 | tr '\n' ' ')" = \
    "packing-ncp-blocks,20 packing-ncp-blocks,60 packing-ncp-blocks-2-threads,20 packing-ncp-blocks-2-threads,60 "
fi

# Numbers of cells are worked out from the parameters of the case, those set before them included; a
# text of what is no number stays.
numbers() { # set, opt
  cat >"$work/x.json" <<S
{"schema": "coulombench.suite/1", "name": "x", "cells": [
  {"case": "${3-rocking-block}", "formulations": ["impulse"], "set": {$1}, "opt": {$2}, "dt": "b / 1000", "t_end": 1}]}
S
}
numbers '"h": "2 * b", "phi0": "atan2(b, h) / 2", "mu": ["0.1 + 0.2", "0.5"]' '"tol": "1e-8 / 4", "law": "ccp"'
expect 0 "" bench "$work/x.json" --dry-run
check "a parameter from one set before it" grep -q -- '--set h=0.2 --set phi0=0.23182380450040305 ' "$work/out"
check "every element of a list" grep -q -- '--set mu=0.30000000000000004 ' "$work/out"
check "a number as it stands" grep -q -- '--set mu=0.5 ' "$work/out"
check "an option that is a number, and one that is none" grep -q -- '--opt tol=2.5e-09 --opt law=ccp' "$work/out"
numbers '"h": "2 * width"' ''
expect 2 "key 'set.h': expression '2 . width'.*no 'width'" check "$work/x.json"
numbers '"h": "1 / 0"' ''
expect 2 "key 'set.h': '1 / 0' is no number" check "$work/x.json"
numbers '' '"law": "2 * ccp"'
expect 2 "unknown value '2 . ccp'" check "$work/x.json"
cat >"$work/x.json" <<S
{"schema": "coulombench.suite/1", "name": "x", "cells": [
  {"case": "$root/cases/scenes/incline.json", "formulations": ["moreau"], "dt": 0.01,
   "set": {"bodies.block.velocity.0": "bodies.block.mass * cos(pi / 3)", "materials.wood.mu": "1 / 8"}}]}
S
expect 0 "" bench "$work/x.json" --dry-run
check "a path into a scene" grep -qE -- '--set bodies.block.velocity.0=1.0000000000000002 --set materials.wood.mu=0.125( |$)' "$work/out"

# A suite that extends another has its cells and studies as well, and its own limits and figures.
extending() { # keys
  echo "{\"schema\": \"coulombench.suite/1\", \"name\": \"x\", \"extends\": $1}" >"$work/x.json"
}
extending '"pages"'
expect 0 "" bench pages --dry-run
figures=$(sed -n 's/^ *"figures": \[//p' "$root/cases/suites/pages.json" | tr -d '"] ' | tr ',' '|')
sed '$d' "$work/out" | grep -vE "^($figures)--" >"$work/pages"
check "figures are a part of it" test "$(wc -l <"$work/pages")" -lt "$(sed '$d' "$work/out" | wc -l)"
extending '"pages", "cells": [{"case": "thrown-ball", "formulations": ["ncp"], "label": "mine", "dt": 0.1}], "time_limit": 7,
  "figures": ["moeller-2.57"], "studies": ["energy-step"]'
expect 0 "" bench "$work/x.json" --dry-run
check "it has a cell of its own" grep -q "^thrown-ball--ncp--mine--dt0.1 .* --time-limit 7$" "$work/out"
check "and all of the other" \
  test -z "$(comm -23 <(cut -d' ' -f1 "$work/pages" | sort) <(cut -d' ' -f1 "$work/out" | sort))"
check "under its limits" test "$(grep -c ' --time-limit 7$' "$work/out")" -gt 50
expect 0 "" check "$work/x.json"
expect 0 "" check "$root/cases/suites/default.json"
extending '"nowhere"'
expect 2 "extends: no suite of the program's is named 'nowhere'" check "$work/x.json"
extending '"default"'
expect 2 "extends: 'default' extends another suite itself" check "$work/x.json"
extending '[1]'
expect 2 "extends" check "$work/x.json"

# The schema of suites is of the keys that are read: what it does not have is refused.
expect 0 "" describe coulombench.suite/1
for key in cells figures studies formulations except ensemble problems exec until; do
  check "the schema has $key" grep -q "\"$key\"" "$work/out"
done
echo '{"schema": "coulombench.suite/1", "name": "x", "cels": []}' >"$work/x.json"
expect 2 "unknown key 'cels'.*cells" check "$work/x.json"

# A run by itself: ten lines, and JSON where that is asked for; no progress but on a terminal.
expect 0 "" run falling-particle -f ccp --dt 1e-2
check "a run says what it is in ten lines" test "$(wc -l <"$work/out")" = 10
check "and how many contacts there were" grep -q "; [1-9][0-9]* contacts at most" "$work/out"
check "of which the last repeats it" grep -q '^full record *coulombench run falling-particle -f ccp .*-o FILE' "$work/out"
check "and nothing on standard error" test ! -s "$work/err"
for form in moreau event; do
  expect 0 "" run bouncing-ball -f $form --t-end 0.01
  check "$form: a run in which nothing meets says so" grep -q "; contacts never closed" "$work/out"
done
expect 0 "" run falling-particle -f ccp --dt 1e-2 -o -
check "-o - is the record" grep -q '"schema": "coulombench.result/2"' "$work/out"
expect 1 "unsupported" run tippe-top -f event --t-end 0.01
check "what did not run has no numbers" test "$(wc -l <"$work/out")" = 3
if command -v script >/dev/null; then
  script -qec "'$program' run packing -f ncp --set n=60 --t-end 0.3 -o '$work/long.json'" /dev/null >"$work/terminal" 2>&1
  check "on a terminal a line says how far it is" grep -q 'step [0-9]* of [0-9]*, t = .* %, about' "$work/terminal"
else
  skip "the line of progress" "no script(1) to make a terminal"
fi

# Options by formulation, of groups without options of their own.
defaults() { # defaults
  echo '{"schema": "coulombench.suite/1", "name": "d", "defaults": '"$1"', "cells": [
    {"case": "falling-particle", "formulations": ["ncp", "penalty"]},
    {"case": "falling-particle", "formulations": ["penalty"], "label": "own", "opt": {"K": 1e5}},
    {"case": "falling-particle", "formulations": ["penalty"], "label": "none", "opt": {}}]}' >"$work/defaults.json"
}
defaults '{"penalty": {"opt": {"substeps": 3}}}'
expect 0 "" bench "$work/defaults.json" --dry-run
check "of one formulation, where it has no others" test "$(grep -c 'substeps=3' "$work/out")" = 1
check "which is penalty" grep -q '^falling-particle--penalty .*--opt substeps=3' "$work/out"
defaults '{"nonesuch": {}}'
expect 2 "defaults: unknown formulation 'nonesuch'" bench "$work/defaults.json" --dry-run
defaults '{"penalty": {"set": {}}}'
expect 2 "defaults" bench "$work/defaults.json" --dry-run
defaults '[]'
expect 2 "defaults: must be an object" bench "$work/defaults.json" --dry-run

# A suite whose records are all there says so in one line.
expect 0 "5 kept" bench "$work/solvers.json" --resume -o "$work/s"
check "and nothing else" test "$(wc -l <"$work/err")" = 1
summary
