#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What `bench --resume` makes again: nothing that has its result; after any change of what decides a
# result exactly those that it decides, each with its reason. See src/bench/job/key.h.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"
export COULOMBENCH_DATA=${COULOMBENCH_DATA:-$root}

# Cells of every kind, and those whose records tell more than was asked for: notes, the longest stable
# step, unknowns, the solver chosen. 9 of falling-particle, 1 of two-balls, 2 of a scene, 4 solves.
cat >"$work/suite.json" <<S
{ "schema": "coulombench.suite/1", "name": "small", "time_limit": 20, "cells":
  [ { "case": "falling-particle", "formulations": ["moreau", "ccp"], "dt": [0.1, 0.01],
      "set": {"mu": 0.2}, "opt": {"tol": 1e-10} },
    { "case": "falling-particle", "formulations": ["ncp"], "solver": "auto", "dt": 0.1, "t_end": 1.5 },
    { "case": "falling-particle", "formulations": ["penalty", "event"], "label": "none", "dt": 0.01 },
    { "case": "falling-particle", "formulations": ["ncp"], "label": "two", "threads": [2], "dt": 0.1 },
    { "case": "falling-particle", "formulations": ["moreau"], "search": "0.01,0.3" },
    { "case": "two-balls", "formulations": ["ncp"], "t_end": 0.05, "dt": 0.01 },
    { "case": "./scene.json", "formulations": ["ncp", "lcp-dca"], "t_end": 0.02, "dt": 0.01 },
    { "problems": "$work/set", "label": "own", "laws": ["ncp"], "solvers": ["pgs", "auto"], "time_limit": 10,
      "opt": {"tol": 1e-8} } ] }
S
mkdir "$work/set"
cp "$root/tests/problems/one-3d.json" "$root/tests/problems/one-2d.json" "$work/set"
cp "$root/cases/scenes/spheres.json" "$work/scene.json"
total=16

# Make what is missing in a copy of the finished folder: so many cells, for this reason ("": none).
resumed() { # what made reason [program suite]
  local what=$1 made=$2 reason=$3
  rm -rf "$work/again"
  cp -a "$work/done" "$work/again"
  if [[ $(type -t change_records) == function ]]; then (cd "$work/again" && change_records); fi
  "${4:-$program}" bench "${5:-$work/suite.json}" -j 2 --resume -o "$work/again" >"$work/out" 2>"$work/err"
  local status=$? last
  last=$(tail -n 1 "$work/err")
  unset -f change_records
  if ((status != 0)); then
    bad "$what" "exit status $status: $last"
  elif ((made == 0)) && [[ $last == *"($total kept); records in"* ]]; then
    ok "$what: nothing is made"
  elif ((made == total)) && [[ $last == *"; $made made - $reason: $made; records in"* ]]; then
    ok "$what: all is made"
  elif [[ $last == *"($((total - made)) kept); $made made - $reason: $made; records in"* ]]; then
    ok "$what: $made made"
  else
    bad "$what" "$made for '$reason' wanted: $last"
  fi
}

"$program" bench "$work/suite.json" -j 2 --resume -o "$work/done" >"$work/out" 2>"$work/err"
check "the first time all are made" grep -q "^$total cells.*; $total made - no record: $total;" "$work/err"
stamp() { find "$1" -type f -printf '%P %T@\n' | sort; }
resumed "the second time" 0 ""
check "no file is touched" test "$(stamp "$work/again")" = "$(stamp "$work/done")"
check "one line says that all are kept" grep -q "^$total cells in .* ($total kept); records in" "$work/err"
check "and there is no other" test "$(wc -l <"$work/err")" = 1

# --- the suite asks for something else ---
other() { # what made reason sed-script
  sed "$4" "$work/suite.json" >"$work/other.json"
  cmp -s "$work/suite.json" "$work/other.json" && bad "$1" "the suite is the same"
  resumed "$1" "$2" "$3" "" "$work/other.json"
}
asked="other parameters, options or times"
other "a parameter" 4 "$asked" 's/"mu": 0.2}/"mu": 0.25}/'
other "an option" 4 "$asked" 's/"tol": 1e-10}/"tol": 1e-9}/'
other "an option with its default" 0 "" 's/"dt": \[0.1, 0.01\],/&/; s/"tol": 1e-10}/"tol": 1e-10, "check_every": 1}/'
other "a limit of iterations, which leaves no relief" 4 "$asked" 's/"tol": 1e-10}/"tol": 1e-10, "max_iter": 10000}/'
other "the horizon" 1 "$asked" 's/"t_end": 1.5/"t_end": 1.4/'
other "the horizon as it is by default" 0 "" 's/, "t_end": 1.5//'
other "a trajectory" 2 "$asked" 's/"label": "none"/&, "sample": 0.5/'
other "the limit of a search" 1 "$asked" 's/"0.01,0.3"/"0.01,0.3,0.2"/'
other "a search in other words" 0 "" 's/"0.01,0.3"/"dt=0.01,0.3,0.02", "until": ["stable", "quality.measures.position<0.1"]/'
other "an option of solves" 4 "$asked" 's/"tol": 1e-8/"tol": 1e-9/'
other "the time limits" 0 "" 's/"time_limit": 20/"time_limit": 40/; s/"time_limit": 10/"time_limit": 15/'
other "another name" 2 "no record" 's/"label": "none"/"label": "other"/'

# --- files change ---
sed -i '0,/"dt"/s/"dt"/ "dt"/' "$work/scene.json"
resumed "the bytes of a scene" 2 "another file of the case, scene or problem"
cp "$root/cases/scenes/spheres.json" "$work/scene.json"
echo >>"$work/set/one-2d.json"
resumed "a problem" 2 "another file of the case, scene or problem"
cp "$root/tests/problems/one-2d.json" "$work/set"
mkdir -p "$work/data/cases" "$work/data/scripts"
cp -r "$root"/cases/{falling-particle,two-balls,scenes} "$work/data/cases"
sed -i 's/"bound": [^,}]*/"bound": 1e-3/' "$work/data/cases/two-balls/two-balls.json"
COULOMBENCH_DATA=$work/data resumed "the reference of a case" 1 "another file of the case, scene or problem"
cp "$root/cases/two-balls/two-balls.json" "$work/data/cases/two-balls"
sed -i '/"y0"/s/"value": 1/"value": 1.5/' "$work/data/cases/falling-particle/falling-particle.json"
COULOMBENCH_DATA=$work/data resumed "a default" 9 "$asked"

# --- records change ---
one=falling-particle--ccp--dt0.1.json
part() { sed -i "s/ $1=[0-9a-f]/ $1=x/" $one solve/own--one-2d--ncp--pgs.json; }
change_records() { part sources; }
resumed "records of older sources" 2 "other sources"
change_records() { part build; }
resumed "records of another build" 2 "another compiler, flags or libraries"
change_records() { part case; }
resumed "records of another model" 2 "other sources of the case"
change_records() { sed -i '/^    "key":/d' $one; }
resumed "a record without key" 1 "no key of this program"
change_records() { sed -i 's/"mu": 0.2/"mu": 0.25/' $one; }
resumed "a record that was changed" 1 "a damaged record"
change_records() { truncate -s -100 $one solve/own--one-2d--ncp--pgs.json; }
resumed "records cut short" 2 "a damaged record"
change_records() { sed -i 's/"commit": "[^"]*"/"commit": "0"/; s/"dirty": [a-z]*/"dirty": true/' ./*.json; }
resumed "another commit of the same sources" 0 ""

# A run that does not heed its limit is as final as one that does, until the limit is another.
cat >"$work/slow.json" <<'S'
{ "schema": "coulombench.suite/1", "name": "slow", "time_limit": 0.02, "cells":
  [ { "case": "oscillator", "formulations": ["moreau"], "dt": [1e-8], "expect": ["timeout"] } ] }
S
expect 0 "1 timeout" bench "$work/slow.json" -o "$work/slow"
expect 0 "(1 kept)" bench "$work/slow.json" --resume -o "$work/slow"
sed -i 's/0.02/0.03/' "$work/slow.json"
expect 0 "1 made - another time limit: 1" bench "$work/slow.json" --resume -o "$work/slow"

# --- the program changes ---
# One that was built from another file, as far as its key knows: the hash stands in the program.
built_with() { # file
  LC_ALL=C sed "s|$1 [0-9a-f]\{16\}|$1 0123456789abcdef|" "$program" >"$work/built"
  chmod +x "$work/built"
  cmp -s "$program" "$work/built" && bad "$1" "the program does not hold its hash"
}
built_with src/problem/solvers/pgs.c
resumed "a solver" $total "other sources" "$work/built"
built_with src/form/penalty/penalty.c
resumed "a formulation" 12 "other sources" "$work/built"
built_with cases/two-balls/two-balls.c
resumed "a case" 1 "other sources of the case" "$work/built"
built_with cases/granular-chains/granular-chains.c
resumed "a case that another leans on" 1 "other sources of the case" "$work/built"
built_with cases/scene.c
resumed "what cases share" 12 "other sources" "$work/built"

# The list follows the sources: a line more in one file changes its hash in every list that has it.
mkdir "$work/tree"
cp -r "$root/src" "$root/cases" "$root/scripts" "$work/tree"
list() { "$work/tree/scripts/provenance.sh" 1 cc -O2 | sed -n 's/^  {"\([^"]*\)", "\(.*\)"}, .$/\1 \2/p'; }
list >"$work/before"
check "every line of the list" test "$(wc -l <"$work/before")" -gt 300
check "as the program has it" grep -qaF "$(sed -n 's/^problem //p' "$work/before" | grep /pgs.c)" "$program"
changed() { # file rooms
  echo "/* */" >>"$work/tree/$1"
  list >"$work/after"
  check "$1 is of '$2'" test "$(diff "$work/before" "$work/after" | sed -n 's/^> \([^ ]*\) .*/\1/p' | tr '\n' ' ')" = "$2"
  mv "$work/after" "$work/before"
}
changed src/problem/solvers/pgs.c "problem "
changed src/la/dense.h "la "
changed src/bench/run/measure.c "bench "
changed cases/case.h "cases "
changed cases/oscillator/oscillator.c "cases/oscillator "
changed cases/granular-chains/granular-chains.h "cases/granular-chains cases/two-balls "
changed src/bench/report/page.c ""
changed src/main.c ""
changed cases/registry.h ""
changed cases/figure/series.c ""

# The same program with other kernels, where its BLAS has some to choose from.
if "$program" run falling-particle -f moreau --dt 0.1 -o - | grep -q 'DYNAMIC_ARCH.*Nehalem'; then
  kernel=Prescott
else
  kernel=Nehalem
fi
OPENBLAS_CORETYPE=$kernel "$program" run falling-particle -f moreau --dt 0.1 -o "$work/kernel.json"
if grep -q "DYNAMIC_ARCH.*$kernel" "$work/kernel.json"; then
  OPENBLAS_CORETYPE=$kernel resumed "another kernel" $total "another compiler, flags or libraries"
else
  skip "another kernel" "this BLAS has but one, or not this one"
fi

# An installed program has no sources at hand, and knows them.
flags() { "$1" run falling-particle -f moreau --dt 0.1 -o - | grep '"flags"'; }
installed=$work/dest/usr/bin/coulombench
if ! make -s -C "$root" install DESTDIR="$work/dest" PREFIX=/usr >/dev/null 2>"$work/err"; then
  bad "make install" "$(head -n 2 "$work/err")"
elif [[ $(flags "$installed") != "$(flags "$program")" ]]; then
  skip "the installed program" "it is of another build than the program under test"
else
  COULOMBENCH_DATA='' resumed "the installed program" 0 "" "$installed"
fi

# Records of another time are shown with the commit that made them, and stay as they are.
if command -v gnuplot >/dev/null; then
  cp -r "$root/results/sample" "$work/sample"
  commit=$(sed -n 's/.*"commit": "\(.*\)".*/\1/p' "$work/sample/falling-particle--ccp--dt0.001.json")
  expect 0 "" report "$work/sample" --suite "$work/sample/suite.json" -o "$work/shown"
  check "the sample is shown with its commit" grep -q "<th>commit</th><td>$commit" "$work/shown/report/index.html"
  check "the sample stays" diff -r "$root/results/sample" "$work/sample"
else
  skip "the sample" "gnuplot is not installed"
fi
summary
