#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Solvers of others, each in a process of its own: programs that answer as they should, and programs
# that do everything but; Siconos' solvers on problems whose solutions are known; suites and profiles
# with all of them beside ours.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"
one=$root/tests/problems/one-3d.json

# --- a program that solves: the answer is judged, timed and recorded ---
other="exec:'$program' solve /dev/stdin -s pgs --tol 1e-10 -o -"
expect 0 "" solve "$root/tests/problems/points-3d-20.json" -s pgs --tol 1e-10 -o "$work/own.json"
expect 0 "" solve "$root/tests/problems/points-3d-20.json" -s "$other" --tol 1e-9 -o "$work/other.json"
check "the answer is that of the program" test "$(numbers "$work/own.json" r)" = "$(numbers "$work/other.json" r)"
check "the residual is ours" grep -q '"relative_b"' "$work/other.json"
check "the process is timed apart" grep -q '"process_cpu_s"' "$work/other.json"
expect 0 "" check "$work/other.json"
expect 0 "" solve "$root/tests/problems/points-3d-20.json" -s "$other" --warm "$work/own.json" --tol 1e-9 -o "$work/warm.json"
check "a start that is the solution asks nobody" test "$(grep -c process_s "$work/warm.json")" = 0

# --- a run, step by step ---
expect 0 "" run thrown-ball -f ncp -s pgs --dt 0.02 --t-end 0.4 --opt tol=1e-11 -o "$work/run-own.json"
expect 0 "" run thrown-ball -f ncp -s "${other/1e-10/1e-11}" --dt 0.02 --t-end 0.4 --opt tol=1e-11 -o "$work/run-other.json"
final() { tr -d '\n ' <"$1" | grep -oE '"final":\{"t":[^]]*\]'; }
check "a run ends where ours does" test "$(final "$work/run-own.json")" = "$(final "$work/run-other.json")"
time_of() { grep -oE '"steps_s": [0-9.e-]+' "$1" | grep -oE '[0-9.e-]+$'; }
check "its time is that of the processes too" \
  awk "BEGIN { exit !($(time_of "$work/run-other.json") > 3 * $(time_of "$work/run-own.json")) }"
expect 0 "" check "$work/run-other.json"

# --- programs that do not answer; each ends as data, with its reason ---
failing() { # status reason command
  local began=$SECONDS limit=10
  [[ $2 != *"no answer in" ]] || limit=1
  expect 1 "one-3d.json: $1: exec: $2" solve "$one" -s "exec:$3" --opt time_limit=$limit -o "$work/bad.json"
  check "$2: within its time" test $((SECONDS - began)) -lt 15
  expect 0 "" check "$work/bad.json"
}
failing failed "ended without an answer" true
failing failed "ended without an answer" "exec >&- 2>&-; exit 0"
failing failed "ended by signal 11" "kill -SEGV \$\$"
failing failed "exit status 3: out of luck" "echo out of luck >&2; exit 3"
failing failed "exit status 127: .*nonesuch" nonesuch
failing failed "hangs: no answer in" "sleep 4711"
failing failed "hangs: no answer in" "exec >&- 2>&-; sleep 4711"
failing timeout "no answer in" "while :; do :; done"
failing timeout "no answer in" "(while :; do :; done); true"
failing failed "prints without end: more than" yes
failing failed "prints without end: more than" "cat /dev/zero"
failing failed "not JSON" "echo garbage"
failing failed "" "printf '\\377\\376{'"
failing failed "" "head -c 100000 /dev/zero | tr '\\0' '['"
failing failed "the answer holds NUL" "printf '{}\\0{}'"
failing failed "the answer is not an object" "echo '[1, 2, 3]'"
failing failed "the answer has no key 'r'" cat
failing failed "key 'r': element 1 is null" "echo '{\"r\": [0, null, 0]}'"
failing failed "not JSON" "echo '{\"r\": [0, NaN, 0]}'"
failing failed "key 'r': has 2 elements, not 3" "echo '{\"r\": [0, 0]}'"
failing failed "key 'iterations'" "echo '{\"r\": [0, 0, 0], \"iterations\": -1}'"
failing failed "key 'timing.solve_s': 50 is above" "echo '{\"r\": [0, 0, 0], \"timing\": {\"solve_s\": 50}}'"
failing failed "key 'status': 'splendid' is none of ours" "echo '{\"r\": [0, 0, 0], \"status\": \"splendid\"}'"
failing diverged "too steep" "echo '{\"status\": \"diverged\", \"reason\": \"too steep\"}'"
expect 1 "one-3d.json: unconverged: residual" solve "$one" -s "exec:sleep 4711 & echo '{\"r\": [0, 0, 0]}'" -o "$work/bad.json"
expect 1 "unsupported: exec: needs a command" solve "$one" -s exec -o "$work/bad.json"
expect 2 "solver 'exec: ': needs a command" solve "$one" -s "exec: " -o "$work/bad.json"
check "nobody is left behind" test -z "$(pgrep -f '^sleep 4711')"

# --- Siconos: absent without harm, its conventions where it is there ---
asked() { # compiler: what the build believes of the library
  make -C "$root" -pn help CC="$1" SICONOS_CPPFLAGS= 2>/dev/null | sed -n 's/^SICONOS := *//p'
}
mkdir "$work/headers"
: >"$work/headers/NonSmoothDrivers.h"
check "the build finds headers that are there" test "$(asked "gcc -I$work/headers")" = siconos
check "it finds none where there are none" test -z "$(asked "gcc -nostdinc")"
mkdir "$work/alone"
cp "$program" "$work/alone/coulombench"
export COULOMBENCH_DATA=${COULOMBENCH_DATA:-$root}
with=$program
program=$work/alone/coulombench
expect 1 "unsupported: .*'make PEERS=1' installs the library" solve "$one" -s siconos-nsgs -o "$work/bad.json"
program=$with
# Sticking at r = (2, 0.3, -0.4), (1, -0.1, 0.2) with b = -W r, W without symmetry: a transposed block,
# a swapped tangent or another sign would show. Then one contact that slides: r_N = -b_N / a,
# r_T = -mu r_N b_T / |b_T|.
cat >"$work/stick.json" <<'END'
{"schema": "coulombench.problem/1", "kind": "friction", "name": "stick", "dim": 3, "contacts": 2, "mu": [0.6, 0.6],
 "W": {"storage": "block-csr", "row_ptr": [0, 2, 4], "col": [0, 1, 0, 1],
  "blocks": [4,0.5,0.2, 0.3,5,0.1, 0.4,0.6,6,  0.1,0.2,0.3, 0.4,0.5,0.6, 0.7,0.8,0.9,
             0.9,0.1,0.8, 0.2,0.7,0.3, 0.6,0.4,0.5,  7,0.2,0.1, 0.3,8,0.2, 0.1,0.4,9]},
 "b": [-8.21, -2.53, 0.62, -8.51, -0.03, -2.98]}
END
cat >"$work/slide.json" <<'END'
{"schema": "coulombench.problem/1", "kind": "friction", "name": "slide", "dim": 3, "contacts": 1, "mu": [0.5],
 "W": {"storage": "block-csr", "row_ptr": [0, 1], "col": [0], "blocks": [2,0,0, 0,3,0, 0,0,3]}, "b": [-4, 9, -12]}
END
cat >"$work/raw.json" <<'END'
{"schema": "coulombench.problem/1", "kind": "lcp", "name": "raw", "n": 3,
 "M": {"storage": "dense", "values": [4, 1, 0, 0, 3, 2, 1, 0, 5]}, "b": [-5, -3, 1]}
END
if [[ -x $(dirname "$program")/coulombench-siconos ]]; then
  for method in nsgs nsn-ac prox admm aclm; do
    expect 0 "" solve "$work/stick.json" -s siconos-$method --tol 1e-9 -o "$work/s.json"
    check "$method sticks where it should" near "$work/s.json" r 2 0.3 -0.4 1 -0.1 0.2
    expect 0 "" solve "$work/slide.json" -s siconos-$method --tol 1e-9 -o "$work/s.json"
    check "$method slides as it should" near "$work/s.json" r 2 -0.6 0.8
    check "$method is timed by its driver" grep -q '"process_s"' "$work/s.json"
  done
  for method in lemke enum; do # z = (1, 1, 0): w = (0, 0, 2)
    expect 0 "" solve "$work/raw.json" -s siconos-$method -o "$work/s.json"
    check "$method solves a raw LCP" near "$work/s.json" z 1 1 0
  done
  expect 1 "unsupported" solve "$root/tests/problems/one-2d.json" -s siconos-nsn-ac -o "$work/s.json"
  # Their velocities are ours; reactions need not be unique.
  for problem in points-3d-20 bodies-3d-40 chain-2d-10; do
    methods=(prox admm aclm)
    [[ $problem != *2d* ]] || methods=(nsgs)
    expect 0 "" solve "$root/tests/problems/$problem.json" -s auto --tol 1e-11 -o "$work/own.json"
    for method in "${methods[@]}"; do
      expect 0 "" solve "$root/tests/problems/$problem.json" -s "siconos-$method" --tol 1e-9 -o "$work/s.json"
      # shellcheck disable=SC2046 # a list of numbers
      check "$problem: siconos-$method finds our velocities" \
        near "$work/s.json" v $(numbers "$work/own.json" v)
    done
  done
else
  skip "Siconos' conventions" "coulombench-siconos was not built: make PEERS=1"
fi

# --- suites: names, commands, commands with a label ---
mkdir "$work/set"
cp "$one" "$root/tests/problems/points-3d-20.json" "$work/set"
printf '#!/bin/sh\nexec "%s" solve /dev/stdin -s pgs --tol 1e-9 -o -\n' "$program" >"$work/mine"
chmod +x "$work/mine"
suite() { # solvers
  cat >"$work/peers.json" <<END
{"schema": "coulombench.suite/1", "name": "peers", "figures": "none", "studies": ["profile"], "cells":
 [{"problems": "$work/set", "label": "set", "laws": ["ncp"], "solvers": [$1], "opt": {"tol": 1e-8}, "time_limit": 20},
  {"case": "thrown-ball", "formulations": ["ncp"], "dt": 0.05, "t_end": 0.2, "solver": {"exec": "$work/mine", "label": "mine"}}]}
END
}
suite "\"ssn\", {\"exec\": \"$work/mine\", \"label\": \"mine\"}, \"exec:$work/mine\", \"siconos-nsgs\""
expect 0 "" bench "$work/peers.json" -j 2 -o "$work/made"
check "a command with a label" test -f "$work/made/solve/set--one-3d--ncp--mine.json"
check "a command without" test "$(find "$work/made/solve" -name 'set--one-3d--ncp--exec_*.json' | wc -l)" = 1
check "a case with a command" test -f "$work/made/thrown-ball--ncp--mine--dt0.05.json"
expect 0 "" bench "$work/peers.json" -j 2 --resume -o "$work/made"
check "--resume keeps what the program said" grep -q "(9 kept)" "$work/err"
echo "# another program" >>"$work/mine"
expect 0 "" bench "$work/peers.json" -j 2 --resume -o "$work/made"
check "--resume asks a changed program again" grep -q "(4 kept)" "$work/err"

# What a command names in other ways, and the library behind Siconos' solvers, decide as well.
mkdir "$work/bin" "$work/bin/inner"
for place in bin/mine-along-path bin/inner/mine home-mine; do
  cp "$work/mine" "$work/$place"
done
changed() { # command file: is a change of the file seen?
  cat >"$work/named.json" <<END
{"schema": "coulombench.suite/1", "name": "named", "cells": [{"problems": "$work/set", "label": "set", "laws": ["ncp"],
 "solvers": [{"exec": "$1", "label": "mine"}], "opt": {"tol": 1e-8}, "time_limit": 20}]}
END
  rm -rf "$work/named"
  PATH=$work/bin:$PATH HOME=$work expect 0 "" bench "$work/named.json" -o "$work/named"
  PATH=$work/bin:$PATH HOME=$work expect 0 "" bench "$work/named.json" --resume -o "$work/named"
  check "$1: kept" grep -q "(2 kept)" "$work/err"
  echo "# another program" >>"$work/$2"
  PATH=$work/bin:$PATH HOME=$work expect 0 "" bench "$work/named.json" --resume -o "$work/named"
  check "$1: asked again" grep -q "another file.*: 2" "$work/err"
}
changed mine-along-path bin/mine-along-path
changed "cd $work/bin && cd inner && ./mine" bin/inner/mine
# shellcheck disable=SC2016 # the shell of the command sees to it
changed '$HOME/home-mine' home-mine
# shellcheck disable=SC2016
changed '\"${HOME}\"/home-mine 2>/dev/null' home-mine
library=$(ldd "$(dirname "$program")/coulombench-siconos" 2>/dev/null | grep -o '/[^ ]*libsiconos_numerics[^ ]*')
if [[ -n $library ]]; then
  sed 's/"solvers": .*/"solvers": ["siconos-nsgs"], "time_limit": 20}]}/' "$work/named.json" >"$work/library.json"
  mkdir "$work/lib"
  cp "$library" "$work/lib"
  for said in "" "(2 kept)" "another file.*: 2"; do
    [[ $said != another* ]] || echo x >>"$work/lib/$(basename "$library")"
    LD_LIBRARY_PATH=$work/lib expect 0 "" bench "$work/library.json" --resume -o "$work/library"
    check "the library of Siconos: $said" grep -q "$said" "$work/err"
  done
else
  skip "the library of Siconos" "coulombench-siconos was not built: make PEERS=1"
fi
expect 0 "" report "$work/made" --suite "$work/peers.json" -o "$work/rep"
check "its profile" grep -q '^set,ncp,mine,2,2,1,' "$work/rep/report/profile.csv"
check "its curve" test -s "$work/rep/figures/study-profile-set_ncp/mine.dat"
suite '{"exec": "true"}'
expect 2 "label: is missing" bench "$work/peers.json" -o "$work/none"
suite '{"exec": "true", "label": "a", "name": "b"}'
expect 2 "solvers\[[0-9]\]: unknown key 'name'" bench "$work/peers.json" -o "$work/none"
suite '"exec:"'
expect 2 "key 'solvers': solver 'exec:': needs a command" bench "$work/peers.json" -o "$work/none"

# --- the example in Python ---
file=$root/tests/examples/solvers/pgs_example.py
python=$(sed -n '1s/^#!//p' "$file")
if "$python" -c 'import numpy' 2>/dev/null; then
  example="exec:'$file'"
  for problem in one-3d stack-3d-5 points-3d-20 chain-2d-10; do
    expect 0 "" solve "$root/tests/problems/$problem.json" -s "$example" --tol 1e-8 -o "$work/py.json"
  done
  check "it states its own time" test "$(grep -c 'process_s\|solve_s' "$work/py.json")" = 2
  expect 0 "" solve "$work/stick.json" -s "$example" --tol 1e-9 -o "$work/py.json"
  check "it sticks where it should" near "$work/py.json" r 2 0.3 -0.4 1 -0.1 0.2
  mkdir "$work/path" # a python3 of somebody's own, which has no numpy
  printf '#!/bin/sh\nexec false\n' >"$work/path/python3"
  chmod +x "$work/path/python3"
  check "another Python along PATH changes nothing" \
    env PATH="$work/path:$PATH" "$program" solve "$one" -s "$example" --tol 1e-8 -o "$work/py.json"
  PATH=$work/path:$PATH "$root/scripts/setup.sh" --check --peers >/dev/null 2>"$work/err"
  check "what installs numpy looks where the example does" sh -c "! grep -q numpy '$work/err'"
else
  skip "the example in Python" "$python has no numpy: make PEERS=1"
fi
summary
