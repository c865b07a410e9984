#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Suites that solve one-step problems, and the study made of the solutions: which files there are,
# what --resume keeps, who solved what; performance profiles against ones reckoned by hand.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"

# --- a suite over two problems ---
mkdir "$work/set" "$work/none"
cp "$root/tests/problems/one-3d.json" "$root/tests/problems/one-2d.json" "$work/set"
suite() { # problems, more keys
  cat >"$work/solve.json" <<END
{"schema": "coulombench.suite/1", "name": "solve", "cells":
 [{"problems": "$1", "label": "two", "laws": ["ncp"], "solvers": ["pgs", "auto"]$2}], "studies": ["profile"]}
END
}
suite "$work/set" ', "opt": {"tol": 1e-9}, "time_limit": 20'
expect 0 "" bench "$work/solve.json" -j 2 -o "$work/out1"
check "a solution a problem and solver" test "$(find "$work/out1/solve" -name '*.json' | wc -l)" = 4
check "named by set, problem, law, solver" test -f "$work/out1/solve/two--one-3d--ncp--pgs.json"
check "with the options asked for" grep -q '"tol":[[:space:]]*1.*e-0*9' "$work/out1/solve/two--one-3d--ncp--pgs.json"
expect 0 "" bench "$work/solve.json" -j 1 --resume -o "$work/out1"
check "--resume solves nothing again" grep -q "(4 kept)" "$work/err"
expect 0 "" report "$work/out1" --suite "$work/solve.json" -o "$work/rep1"
check "all solved" test "$(grep -c '^two,ncp,[a-z]*,2,2,1,' "$work/rep1/report/profile.csv")" = 2
check "nobody missed" test ! -e "$work/rep1/report/profile-missed.csv"

suite set ', "opt": {"tol": 1e-9}, "time_limit": 20'
expect 0 "" bench "$work/solve.json" --resume -o "$work/out1"
check "a folder beside the suite is the same" grep -q "(4 kept)" "$work/err"

# A raw LCP has no contacts: no law of contacts is asked of it.
mkdir "$work/mixed"
cp "$root/tests/problems/one-2d.json" "$work/mixed"
echo '{"schema": "coulombench.problem/1", "kind": "lcp", "n": 2, "M": {"storage": "dense", "values": [2, 1, 1, 2]}, "b": [-1, 0.5]}' >"$work/mixed/raw.json"
asked() { # laws, files of solutions
  suite "$work/mixed" ''
  sed -i "s/\"laws\": .*, \"solvers\": .*\]}\]/\"laws\": $1, \"solvers\": [\"auto\"]}]/" "$work/solve.json"
  expect 0 "" bench "$work/solve.json" -o "$work/mixed-$2"
  check "laws $1: solved are $2" test "$(cd "$work/mixed-$2/solve" && echo *)" = "$2"
}
asked '["ncp"]' "two--one-2d--ncp--auto.json"
asked '["lcp", "raw"]' "two--one-2d--lcp--auto.json two--raw--raw--auto.json"

# shellcheck disable=SC2016 # the program expands it
suite '$COULOMBENCH_NOWHERE' ''
expect 0 "" bench "$work/solve.json" -o "$work/out2"
check "an unset folder is said" grep -q "COULOMBENCH_NOWHERE is not set" "$work/err"
suite "$work/nowhere" ''
expect 2 "no such folder" bench "$work/solve.json" -o "$work/out3"
suite "$work/set" ', "oops": 1'
expect 2 "unknown key 'oops'" bench "$work/solve.json" -o "$work/out3"

# --- a problem by itself, its history, and the study made of it ---
suite "$work/set/one-3d.json" ', "opt": {"tol": 1e-9, "history": true}'
sed -i 's/"profile"/"convergence"/; s/"auto"/"nncg"/' "$work/solve.json"
expect 0 "" bench "$work/solve.json" -o "$work/out4"
check "a file in place of a folder" test "$(find "$work/out4/solve" -name 'two--one-3d--ncp--*.json' | wc -l)" = 2
expect 0 "" check "$work/out4/solve/two--one-3d--ncp--pgs.json"
expect 0 "" report "$work/out4" -o "$work/rep4"
curve=$work/rep4/figures/study-convergence-one-3d_ncp_two_/pgs.dat
sweeps=$(sed -n 's/^ *"iterations": *\([0-9]*\).*/\1/p' "$work/out4/solve/two--one-3d--ncp--pgs.json")
check "its caption tells the fewest" grep -q "solvers reached 1e-9, [a-z]* in the fewest iterations ([0-9]*)" "$work/rep4/report/index.html"
check "the curve ends with the solve" test "$(grep '^[0-9]' "$curve" | tail -n 1 | cut -d' ' -f1)" = "$sweeps"
expect 0 "" solve "$work/set/one-3d.json" -s pgs --tol 1e-9 --history -o "$work/own.json"
check "solve --history is the same" test "$(tr -d ' \n\t' <"$work/own.json" | sed 's/.*"residual":\(\[[^]]*\]\).*/\1/')" = \
  "$(tr -d ' \n\t' <"$work/out4/solve/two--one-3d--ncp--pgs.json" | sed 's/.*"residual":\(\[[^]]*\]\).*/\1/')"
expect 0 "" solve "$work/set/one-3d.json" -s pgs --tol 1e-9 -o "$work/own.json"
check "without it there is none" test "$(grep -c '"timing_s"' "$work/own.json")" = 0
expect 1 "" solve "$root/tests/problems/balls-3d-150.json" -s pnewton --law ccp --history -o "$work/own.json"
expect 0 "" check "$work/own.json" # which diverged
expect 2 "'history'" run falling-particle -f ncp --opt history=yes
echo '#' >"$work/set/odd"
suite "$work/set/odd" ''
expect 2 "not the file of a problem" bench "$work/solve.json" -o "$work/out4"

# --- profiles by hand: pgs takes 1, 4 and misses; ssn takes 2, 2 and 8; the residual decides ---
solution() { # problem solver residual seconds status
  cat >"$work/$folder/solve/hand--$1--ncp--$2.json" <<END
{"schema": "coulombench.solution/1", "problem": "$1", "law": "ncp",
 "cell": {"suite": "hand", "id": "$1 $2", "label": "hand", "study": null, "figure": null, "solver": "$2",
  "swept": {"problem": "$1", "law": "ncp"}}, "solver": {"name": "$2", "options": {"tol": 1e-8}},
 "status": "$5", "reason": "", "residual": {"relative_free": $3}, "timing": {"solve_s": $4}}
END
}
folder=by-hand
mkdir -p "$work/by-hand/solve"
solution a pgs 1e-9 1 ok
solution b pgs 1e-9 4 unconverged
solution c pgs 1e-7 1 ok
solution a ssn 1e-8 2 ok
solution b ssn 0 2 ok
solution c ssn 1e-10 8 ok
solution a ipm null 0 unsupported
expect 0 "" report "$work/by-hand" -o "$work/rep2"
drawn=figures/study-profile-hand_ncp
rows() { grep '^[0-9]' "$work/rep2/$drawn/$1.dat" | tr '\n' ';'; }
check "profile of pgs" test "$(rows pgs)" = "1 0.33333333333333331;2 0.66666666666666663;20 0.66666666666666663;"
check "profile of ssn" test "$(rows ssn)" = "1 0.66666666666666663;2 1;20 1;"
check "both are the envelope" test "$(rows envelope)" = "1 1;20 1;"
check "the shares are told" test "$(tr '\n' ';' <"$work/rep2/report/profile.csv")" = \
  "set,law,solver,solved,of,share,median_ratio;hand,ncp,pgs,2,3,0.6666666666666666,1.5;hand,ncp,ssn,3,3,1,1;"
check "the envelope, too" grep -q '^hand,ncp,"*pgs + ssn"*,3,3,1,1$' "$work/rep2/report/profile-envelopes.csv"
check "who solves the most" grep -q "hand, ncp: ssn solves the most, and of equals is the fastest (3 of 3)" "$work/rep2/report/index.html"
check "a solver that refuses has no curve" test ! -e "$work/rep2/$drawn/ipm.dat"
check "its refusal is told" grep -q "^hand,ncp,a,ipm,unsupported" "$work/rep2/report/profile-missed.csv"
check "what missed the tolerance is named" grep -q "^hand,ncp,c,pgs,ok" "$work/rep2/report/profile-missed.csv"

# --- the envelope by hand: three solve a problem each, which the others were not given, or miss; psor adds
# nothing to them, auto and a guest solve all and are not asked ---
folder=team
mkdir -p "$work/team/solve"
solution a pgs 1e-9 1 ok
solution b ssn 1e-9 6 ok
solution c apgd 1e-9 2 ok
solution c psor 1e-9 4 ok
solution a ssn 1e-3 1 ok
for problem in a b c; do
  solution $problem auto 1e-9 2 ok
  solution $problem guest 1e-9 9 ok
done
expect 0 "" report "$work/team" -o "$work/rep5"
check "the three that solve the most" grep -q '^hand,ncp,"*pgs + apgd + ssn"*,3,3,1,1$' "$work/rep5/report/profile-envelopes.csv"
check "their curve" test "$(grep '^[0-9]' "$work/rep5/$drawn/envelope.dat" | tr '\n' ';')" = \
  "1 0.66666666666666663;3 1;20 1;"
check "others first, then by name" test "$(tail -n +2 "$work/rep5/report/profile.csv" | cut -d, -f3 | tr '\n' ' ')" = "pgs psor apgd ssn auto guest "

# --- the race by hand: the best of others, auto, the best of ours; the unsolved on the margin ---
expect 0 "" report "$work/by-hand" -o "$work/rep2"
check "nobody to race with: no race" test ! -e "$work/rep2/report/race.csv"
folder=race
mkdir -p "$work/race/solve"
solution a siconos-nsgs 1e-9 4 ok
solution a mine 1e-9 3 ok
solution a auto 1e-9 2 ok
solution a pgs 1e-9 1 ok
solution b siconos-nsgs 1e-3 1 ok
solution b auto 1e-9 5 ok
solution c siconos-prox 1e-9 8 ok
solution c pgs 1e-7 1 ok
solution d siconos-prox null 0 unsupported
solution d pgs 1e-9 1 ok
expect 0 "" report "$work/race" -o "$work/rep3"
check "a line a problem that others were given" test "$(tr '\n' ';' <"$work/rep3/report/race.csv" | cut -d';' -f2-)" = \
  "hand,ncp,a,3,mine,2,auto,1,pgs;hand,ncp,b,,,5,auto,5,auto;hand,ncp,c,8,siconos-prox,,,,;"
race() { grep '^[0-9]' "$work/rep3/figures/study-race-hand_ncp/$1.dat" | tr '\n' ';'; }
check "the unsolved are on the margin" test "$(race auto)" = "3 2;8 24;24 5;"
check "on either side" test "$(race best_of_ours)" = "3 1;8 24;24 5;"
check "the score is told" grep -q "ahead of the best of the others on 2 of 3 problems, auto alone on 2; the others take 3 times the time of ours in the geometric mean of the 1 that both solve" "$work/rep3/report/index.html"
check "a guest has its curve" test -s "$work/rep3/$drawn/mine.dat"

# --- what nobody solves: where each stops; the heaps are told from the problems of others ---
folder=unsolved
mkdir -p "$work/unsolved/solve"
hard() { # problem solver residual seconds status reason, residuals and times of its history
  solution "$1" "$2" "$3" "$4" "$5"
  sed -i "s/hand/unsolved/g; s/\"reason\": \"\"/\"reason\": \"$6\"/; s/, \"timing\"/, \"iterations\": 4, \"history\": {\"iteration\": [0, 1, 2, 3, 4], \"residual\": [$7], \"timing_s\": [$8]}&/" \
    "$work/unsolved/solve/hand--$1--ncp--$2.json"
}
hard heap-300-0.2 pgs 1e-9 4 ok "" "1, 1e-2, 1e-4, 1e-7, 1e-9" "0, 1, 2, 3, 4"
hard heap-300-0.4 pgs 1e-4 4 unconverged many "1, 1e-1, 1e-4, 1e-3, 1e-2" "0, 1, 2, 3, 4"
hard heap-300-0.4 ssn 2e-4 8 failed "local minimum" "1, 1e-1, 1e-2, 1e-3, 2e-4" "0, 1, 2, 3, 8"
expect 0 "" report "$work/unsolved" -o "$work/rep6"
check "why each stops" test "$(tail -n +2 "$work/rep6/report/unsolved.csv" | tr -d '"' | tr '\n' ';')" = \
  "heap-300-0.2,pgs,1e-09,4,3,4,100000,tolerance;heap-300-0.4,pgs,0.0001,4,,4,1,iterations, stagnates: many;heap-300-0.4,ssn,0.0002,8,,4,50,gives up: local minimum;"
check "problems of others are absent" grep -q "The problems of others are absent" "$work/rep6/report/index.html"
check "what is not solved is said" grep -q "None of 2 solves reaches 1e-6; the least residual is 1.0e-4 of pgs" "$work/rep6/report/index.html"

# --- solvers that solve nothing, at every place of the legend: curves at zero ---
folder=nothing
mkdir -p "$work/nothing/solve"
solution a pgs 1e-9 1 ok
for who in one two three four five six; do
  solution a "$who" null 1 failed
done
expect 0 "" report "$work/nothing" -o "$work/rep4"
check "who solves nothing has a curve" test "$(grep '^[0-9]' "$work/rep4/$drawn/six.dat" | tr '\n' ';')" = "1 0;20 0;"
summary
