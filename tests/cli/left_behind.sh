#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What a solver of others (exec:COMMAND) started is ended with it, wherever it has gone: when the
# program is interrupted or killed, when the time is over, and after an answer. And a solver's start
# is no part of its time.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"
one=$root/tests/problems/one-3d.json
mark=4711$$ # seconds to sleep: a number that no other test has

# What each kind of child leaves behind, each with a sleep of its own.
declare -A leaves=(
  [stubborn]="trap '' INT TERM HUP; sleep $mark.1; sleep $mark.1"
  [session]="setsid sleep $mark.2 & wait"
  [timeout]="timeout 9999 sleep $mark.3"
  [orphan]="(setsid sh -c 'trap \"\" INT TERM HUP; (sleep $mark.4; sleep $mark.4) & exit' &) ; sleep $mark.4"
)
# shellcheck disable=SC2317 # called through check
sleepers() { pgrep -fc "^sleep $mark\\."; } # how many there are
# shellcheck disable=SC2317
there_are() { test "$(sleepers)" -ge "$1"; }
# shellcheck disable=SC2317
nobody() { test "$(sleepers)" = 0; }

# From a script children have SIGINT ignored; from a terminal they have not.
for signal in INT TERM HUP KILL; do
  pids=() n=0
  for kind in "${!leaves[@]}"; do
    env --default-signal=INT "$program" solve "$one" -s "exec:${leaves[$kind]}" -o "$work/none.json" >/dev/null 2>&1 &
    pids+=($!)
    n=$((n + 1))
  done
  check "$signal: $n solvers are at work" wait_for there_are $((n + 1)) # the orphan has two
  kill -s $signal "${pids[@]}"
  wait "${pids[@]}" 2>/dev/null
  check "$signal: nobody is left" wait_for nobody
done

# By the end of its time, and by an end of its own, when the program goes on.
for kind in "${!leaves[@]}"; do
  expect 1 "no answer in" solve "$one" -s "exec:${leaves[$kind]}" --opt time_limit=0.3 -o "$work/late.json"
  check "$kind: nobody is left when its time is over" nobody
  expect 1 "unconverged: residual" solve "$one" -o "$work/done.json" \
    -s "exec:(${leaves[$kind]}) >/dev/null & while ! pgrep -f '^sleep $mark' >/dev/null; do sleep 0.01; done; echo '{\"r\": [0, 0, 0]}'"
  check "$kind: nobody is left after the answer" nobody
done

# A program that stops its supervisor ends with it in time; one that kills it is no answer.
expect 1 "no answer in|hangs" solve "$one" -s "exec:kill -STOP \$PPID; sleep $mark.5" --opt time_limit=0.3 -o "$work/late.json"
check "nobody is left of one that stops its supervisor" nobody
expect 1 "Owner died" solve "$one" -s "exec:kill -KILL \$PPID; exec sleep $mark.6" --opt time_limit=0.3 -o "$work/late.json"
check "nobody is left of one that kills its supervisor" wait_for nobody

# A suite that is interrupted or killed.
cat >"$work/suite.json" <<END
{"schema": "coulombench.suite/1", "name": "left", "figures": "none", "cells":
 [{"problems": "$work/set", "label": "set", "laws": ["ncp"], "solvers": [{"exec": "${leaves[timeout]}", "label": "mine"}]}]}
END
mkdir "$work/set"
cp "$one" "$work/set"
for signal in INT KILL; do
  env --default-signal=INT "$program" bench "$work/suite.json" -o "$work/made" >/dev/null 2>&1 &
  check "a suite is at work" wait_for there_are 1
  kill -s $signal $!
  wait $! 2>/dev/null
  check "$signal: nobody is left of a suite" wait_for nobody
done

# The start of a process, until it reads the problem, does not count; a solve does, and so does a
# start that does not end.
answer="'$program' solve /dev/stdin -s pgs --tol 1e-10 -o -"
expect 0 "" solve "$one" -s "exec:sleep 1; exec $answer" --opt time_limit=1.5 -o "$work/slow.json"
expect 0 "" solve "$one" -s "exec:sleep 1; cat >'$work/in'; sleep 1; exec $answer <'$work/in'" --opt time_limit=1.5 -o "$work/slow.json"
expect 1 "no answer in" solve "$one" -s "exec:cat >'$work/in'; sleep 2; exec $answer <'$work/in'" --opt time_limit=1.5 -o "$work/slow.json"
expect 1 "hangs: no answer in" solve "$one" -s "exec:sleep $mark.5" --opt time_limit=0.3 -o "$work/slow.json"
expect 1 "no answer in" solve "$one" -s "exec:sleep 0.2; cat >'$work/in'; sleep 1; exec $answer <'$work/in'" --opt time_limit=0 -o "$work/slow.json"
summary
