#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The program as a new user meets it: help, lists, descriptions, a run, its record, its repetition.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"

expect 0 "" --help
check "help names every command" grep -q 'report DIR' "$work/out"
expect 0 "" --version
expect 2 ""
expect 0 "" list
check "list shows the formulations" grep -q 'consistent-twostep' "$work/out"
for what in cases formulations solvers figures; do
  expect 0 "" list $what --json
  check "list $what --json holds a list" grep -q "\"$what\": \[" "$work/out"
done
if [[ -n ${COULOMBENCH_EXTRA-} ]]; then
  skip "the README's tables" "they do not tell what make EXTRA= adds"
else
  check "the pages' tables are what the program prints" "$root/scripts/readme.sh" "$program" --check
fi
for entry in falling-particle oscillator double-pendulum $("$program" list formulations | awk 'NR > 1 {print $1}') \
  $("$program" list solvers | awk 'NR > 1 {print $1}') yu-8; do
  expect 0 "" describe "$entry"
done

run=(run falling-particle -f ncp --dt 1e-3 --set mu=0.3 --opt tol=1e-11 --sample 0.1)
expect 0 "" "${run[@]}" -o "$work/a.json"
expect 0 "" "${run[@]}" -o "$work/b.json"
expect 0 "" check "$work/a.json"
expect 0 "" compare "$work/a.json" "$work/b.json"
expect 0 "" "${run[@]}" -o -
check "standard output carries the record" grep -q '"coulombench.result/2"' "$work/out"
expect 0 "" run falling-particle -f ncp --dt 1e-3 --set mu=0.31 -o "$work/c.json"
expect 1 "" compare "$work/a.json" "$work/c.json"

# The command in the record repeats it.
command=$(sed -n 's/.*"command": "coulombench \(.*\)".*/\1/p' "$work/a.json")
# shellcheck disable=SC2086 # words of the command
expect 0 "" $command -o "$work/again.json"
expect 0 "" compare "$work/a.json" "$work/again.json"

# Times taken again and again stand beside the same result, and in tables.
expect 0 "" "${run[@]}" --repeat 3 -o "$work/often.json"
expect 0 "" check "$work/often.json"
expect 0 "" compare "$work/a.json" "$work/often.json"
check "three times" grep -Eq '"steps_s": \[[^],]+, [^],]+, [^],]+\]' "$work/often.json"
expect 0 "" table "$work/often.json" "$work/a.json" \
  --columns 'timing.repeats.quartile_1_s=first quartile [s],timing.repeats.quartile_3_s'
check "a table of quartiles" grep -Eq '^\| [0-9.e-]+ \| [0-9.e-]+ \|$' "$work/out"
check "none of one time" grep -Fxq '| - | - |' "$work/out"
expect 0 "" describe coulombench.result/2
check "the schema names the quartiles" grep -q '"quartile_3_s"' "$work/out"
# The time of the steps is the processor's, whatever else the machine does: a run that stands still for
# two seconds has not worked in them.
"$program" run packing -f ncp --set n=40 --dt 2e-4 --t-end 0.15 -o "$work/stopped.json" 2>/dev/null &
sleep 0.3
kill -STOP $!
sleep 2
kill -CONT $!
wait $!
time_of() { grep -oE "\"$1\": [0-9.e-]+" "$work/stopped.json" | head -n 1 | grep -oE '[0-9.e-]+$'; }
check "the time of the steps is the processor's: $(time_of steps_s) s" \
  awk "BEGIN { exit !($(time_of wall_s) > 2 && $(time_of wall_s) - $(time_of steps_s) > 1.9) }"
expect 0 "" describe coulombench.problem/1
check "the schema of problems has their blocks" grep -q '"row_ptr"' "$work/out"
expect 2 "unknown schema 'coulombench.problem/9'.*coulombench.problem/1" describe coulombench.problem/9
expect 2 "--repeat = '0': must be a whole number from 1" "${run[@]}" --repeat 0
expect 2 "repeat: of many runs" "${run[@]}" --repeat 2 --checkpoint "$work/c"
expect 2 "repeat: a search" run falling-particle -f ncp --search 1e-3,1e-2 --repeat 2
expect 2 "repeat: a search" run pushed-box -f ccp --search push=0.5,2 --until 'status=ok' --repeat 2

# Same bytes for any number of processes, timing and provenance apart.
cat >"$work/suite.json" <<'S'
{ "schema": "coulombench.suite/1", "name": "tiny", "title": "three formulations",
  "cells": [ { "case": "falling-particle", "formulations": ["moreau", "ccp", "event"], "dt": [1e-2, 1e-3] },
             { "case": "oscillator", "formulations": ["moreau"], "dt": 1e-3, "t_end": 0.2, "expect": ["diverged"] } ] }
S
expect 0 "" check "$work/suite.json"
expect 0 "7 cells" bench "$work/suite.json" -j 1 -o "$work/one"
expect 0 "7 cells" bench "$work/suite.json" -j 2 -o "$work/two"
check "seven records" test "$(find "$work/one" -name '*--*.json' | wc -l)" = 7
expect 0 "" compare "$work/one" "$work/two"
expect 0 "" check "$work"/one/*.json
expect 0 "7 kept" bench "$work/suite.json" -j 2 --resume -o "$work/two"
sed -i 's/, "expect": \["diverged"\]//' "$work/suite.json"
expect 1 "not expected" bench "$work/suite.json" -j 2 -o "$work/three"
check "the diverged run is on record" grep -q '"status": "diverged"' "$work/three/oscillator--moreau--dt0.001.json"

# Bad statuses and unsupported combinations say why.
expect 1 "unsupported" run falling-particle -f consistent-onestep -o "$work/u.json"
check "the reason is recorded" grep -q '"reason": ".*elastic' "$work/u.json"
expect 1 "unsupported" run falling-particle -f ccp -s lemke -o "$work/u2.json"
expect 1 "timeout" run oscillator -f moreau --dt 1e-7 --time-limit 0.05 -o "$work/t.json"
expect 0 "" check "$work/u.json" "$work/u2.json" "$work/t.json"

# Problems of a run as files, which solve takes; numbered from 1, by the stride asked for.
expect 0 "" run falling-particle -f ncp --dt 1e-2 --dump-problems "3:$work/dump" -o "$work/d.json"
check "the first problem is there" test -f "$work/dump/falling-particle-ncp-000001.json"
check "the second is not" test ! -f "$work/dump/falling-particle-ncp-000002.json"
expect 0 "" check "$work"/dump/*.json
for problem in "$work"/dump/*.json; do
  expect 0 "" solve "$problem" -s auto -o "$work/dumped.json"
done
check "auto says what it chose" grep -q '"chosen": *"relaxation' "$work/dumped.json"
expect 0 "" run falling-particle -f ncp -s auto --dt 1e-2 -o "$work/auto.json"
check "and in how many steps" grep -Eq '"relaxation": *[1-9]' "$work/auto.json"
expect 0 "" check "$work/auto.json"
# The default solver has auto for its relief; the record says so, its command repeats it.
expect 0 "" run box-stack -f ncp --set n=3 --set heavier=1000 --t-end 0.02 -o "$work/relief.json"
check "a relief is recorded" grep -q '"ssn": *[1-9]' "$work/relief.json"
expect 0 "" check "$work/relief.json"
expect 1 "missed the solver's tolerance" run box-stack -f ncp -s relaxation --set n=3 --set heavier=1000 --t-end 0.02 \
  -o "$work/no-relief.json"
command=$(sed -n 's/.*"command": "coulombench \(.*\)".*/\1/p' "$work/relief.json")
# shellcheck disable=SC2086
expect 0 "" $command -o "$work/relief-again.json"
check "and repeated" test "$(grep -A99 '"final"' "$work/relief.json" | head -99)" = "$(grep -A99 '"final"' "$work/relief-again.json" | head -99)"
sed 's/"relaxation": *[0-9]*/"relaxation": 100000/' "$work/auto.json" >"$work/auto-more.json"
expect 2 "more steps than were taken" check "$work/auto-more.json"
sed 's/"relaxation": *\([0-9]\)/"best": \1/' "$work/auto.json" >"$work/auto-other.json"
expect 2 "must be a solver" check "$work/auto-other.json"
expect 2 "N or N:DIR" run falling-particle -f ncp --dump-problems 0 -o "$work/d.json"
expect 2 "neither problems" run falling-particle -f ncp --search 1e-3,1e-2 --dump-problems 1 -o "$work/d.json"

# A solution speaks of reactions and velocities where the problem is one of contacts, whatever its law.
cat >"$work/ball.json" <<'S'
{ "schema": "coulombench.problem/1", "kind": "friction", "name": "ball", "dim": 1, "contacts": 1, "mu": [0],
  "W": {"storage": "block-csr", "row_ptr": [0, 1], "col": [0], "blocks": [2]}, "b": [-3], "law": "lcp" }
S
cat >"$work/raw.json" <<'S'
{ "schema": "coulombench.problem/1", "kind": "lcp", "name": "raw", "n": 1,
  "M": {"storage": "dense", "values": [2]}, "b": [-3] }
S
expect 0 "" solve "$work/ball.json" -s lemke -o "$work/ball.s.json"
check "contacts: r and v" grep -q '"r": \[1.5\]' "$work/ball.s.json"
expect 0 "" solve "$work/raw.json" -s lemke -o "$work/raw.s.json"
check "raw LCP: z and w" grep -q '"z": \[1.5\]' "$work/raw.s.json"

# An installed program finds its data.
if make -s -C "$root" install DESTDIR="$work/dest" PREFIX=/usr >/dev/null 2>"$work/err"; then
  program="$work/dest/usr/bin/coulombench"
  expect 0 "" run falling-particle -f moreau --t-end 0.1 -o "$work/i.json"
else
  bad "make install" "$(head -n 2 "$work/err")"
fi
summary
