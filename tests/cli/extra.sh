#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `make EXTRA=DIR`: cases, formulations and solvers of a folder outside the repository, here a copy of
# tests/examples, are in the program as its own are. A build with EXTRA takes its objects from another
# folder, here a copy of those under test; what it compiles itself are the registries and the folder.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"
export COULOMBENCH_DATA=${COULOMBENCH_DATA:-$root}

# The build under test: BUILD/coulombench, or BUILD/MODE/coulombench.
mode=$(basename "$(dirname "$program")")
case $mode in
debug | sanitize) from=$(dirname "$(dirname "$program")") ;;
*) from=$(dirname "$program") mode=release ;;
esac
build=$work/build shared=$work/shared extra=$work/mine
made=$build/coulombench # without those beside it
[[ $mode == release ]] || made=$build/$mode/coulombench
mkdir -p "$build" "$shared/$mode"
for part in src cases flags; do
  cp -a "$from/$mode/$part" "$shared/$mode/"
done
cp -a "$from/config.mk" "$build/"
cp -r "$root/tests/examples" "$extra"

# The flags count as old: whatever the objects were compiled with, they stay.
make_extra() { # target, variables...
  MAKEFLAGS='' MAKELEVEL=0 make -s -j2 -C "$root" -o "$shared/$mode/flags" "$1" MODE="$mode" BUILD="$build" SHARED="$shared" "${@:2}" \
    >"$work/out" 2>"$work/err"
}
refused() { # what words target variables...
  if make_extra "${@:3}"; then
    bad "$1" "make goes on"
  else
    check "$1" grep -qE -- "$2" "$work/err"
  fi
}

refused "a folder without registry is refused" "EXTRA: there is no $work/registry.h" all EXTRA="$work"
before=$(stat -c %Y "$from/$mode/cases/chain/chain.o")
if ! make_extra "$made" EXTRA="$extra"; then
  bad "make EXTRA=" "$(head -n 3 "$work/err")"
  summary
fi
check "the program's own objects are not compiled again" \
  test "$before" = "$(stat -c %Y "$shared/$mode/cases/chain/chain.o")"
check "nor others than those that know of the folder: $(cd "$build/$mode" && find . -name '*.o' | sort | tr '\n' ' ')" \
  test "$(find "$build/$mode/src" "$build/$mode/cases" -name '*.o' | wc -l)" -le 9
own=$program
program=$made

# --- lists, runs, records ---
names=(bouncing-example euler-example gradient-example)
expect 0 "" list
for what in "${names[@]}"; do
  check "$what is listed" grep -q "^  $what " "$work/out"
done
for what in "${names[@]}"; do
  expect 0 "" describe "$what"
done
program=$own
[[ -n ${COULOMBENCH_EXTRA-} ]] || expect 2 "unknown name 'bouncing-example'" describe bouncing-example
program=$made
expect 0 "" run bouncing-example -f euler-example --dt 0.01 -o "$work/a.json"
expect 0 "" run falling-particle -f ccp -s gradient-example --dt 0.01 -o "$work/b.json"
expect 0 "" check "$work/a.json" "$work/b.json"

# --- checkpoints: the formulation has no function for them ---
expect 2 "checkpoint: formulation euler-example cannot save its state" \
  run falling-particle -f euler-example --dt 0.01 --checkpoint "$work/state" -o -
check "no checkpoint is left" test ! -e "$work/state"

# --- suites, reports, resuming ---
cat >"$work/suite.json" <<'S'
{ "schema": "coulombench.suite/1", "name": "mine", "time_limit": 60, "studies": ["work-precision"], "cells":
  [ { "case": "bouncing-example", "formulations": ["euler-example", "ncp"], "dt": [0.02, 0.01] },
    { "case": "falling-particle", "formulations": ["euler-example", "ncp"], "dt": [0.02, 0.01] } ] }
S
expect 0 "" bench "$work/suite.json" -j 1 -o "$work/runs"
expect 0 "" check "$work"/runs/*.json
expect 0 "" bench "$work/suite.json" -j 1 --resume -o "$work/runs"
check "nothing is made again" grep -q '(8 kept)' "$work/err"
if command -v gnuplot >/dev/null; then
  expect 0 "" report "$work/runs" --suite "$work/suite.json"
  check "the report names the formulation" grep -q 'euler-example' "$work/runs/report/index.html"
else
  skip "the report" "no gnuplot"
fi
echo '/* changed */' >>"$extra/cases/bouncing-example/bouncing-example.c"
make_extra "$made" EXTRA="$extra" || bad "make after a change" "$(head -n 3 "$work/err")"
expect 0 "" bench "$work/suite.json" -j 1 --resume -o "$work/runs"
check "another source of a case makes its runs again" \
  grep -q '(4 kept); 4 made - other sources of the case: 4;' "$work/err"
echo '/* changed */' >>"$extra/form/euler_example.c"
make_extra "$made" EXTRA="$extra" || bad "make after a change" "$(head -n 3 "$work/err")"
expect 0 "" bench "$work/suite.json" -j 1 --resume -o "$work/runs"
check "other sources beside the cases make all again" grep -q '8 made - other sources: 8;' "$work/err"

# --- what is there already ---
echo 'CASE(chain)' >>"$extra/registry.h"
refused "a name of the program does not compile" "case_chain_is_registered" \
  "$build/$mode/cases/case.o" EXTRA="$extra"
summary
