#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Suites as a user meets them: interrupts and dead processes, going on afterwards, shards, a terminal,
# outputs that cannot be written; strict JSON; help by command.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"

# Two quick cells, then two of 1.5 million steps each.
cat >"$work/suite.json" <<'S'
{ "schema": "coulombench.suite/1", "name": "tiny",
  "cells": [ { "case": "falling-particle", "formulations": ["moreau", "ccp"], "dt": [1e-2] },
             { "case": "falling-particle", "formulations": ["moreau", "ccp"], "dt": 1e-6 } ] }
S

# Processes whose parent this is, from the fourth field of their stat; names in brackets may hold blanks.
children_of() { # pid
  local file stat
  for file in /proc/[0-9]*/stat; do
    if { read -r stat <"$file"; } 2>/dev/null && [[ ${stat##*) } == [A-Z]" $1 "* ]]; then
      file=${file%/stat}
      printf '%s ' "${file#/proc/}"
    fi
  done
}

# Start the suite in the background and wait until its quick cells are done beside the long ones, which
# begin. Done is what the program has said: a process whose record is written may still be about to end.
start() { # folder
  : >"$work/err" # what an earlier start said is not to be read again
  "$program" bench "$work/suite.json" -j 3 -o "$1" >"$work/out" 2>"$work/err" </dev/null &
  parent=$!
  for ((i = 0; i < 200; i++)); do
    if [[ $(grep -c 'dt0.01 .*ok' "$work/err") == 2 ]]; then
      children=$(children_of "$parent")
      if [[ $(wc -w <<<"$children") == 2 ]]; then
        return
      fi
    fi
    sleep 0.02
  done
  bad "start of the suite" "no two long cells running: $(cat "$work/err")"
}
# None of these processes runs any more (one that has ended may still wait for its parent).
# shellcheck disable=SC2317 # called through check
all_ended() { # pid...
  local pid
  for pid in "$@"; do
    for ((i = 0; i < 100; i++)); do
      if ! grep -q '^State:[[:space:]]*[^ZX]' "/proc/$pid/status" 2>/dev/null; then continue 2; fi
      sleep 0.02
    done
    return 1
  done
}
quick=(falling-particle--moreau--dt0.01.json falling-particle--ccp--dt0.01.json)

for signal in INT TERM HUP; do
  # Without job control background processes of a shell ignore SIGINT.
  folder=$work/$signal
  if [[ $signal == INT ]]; then
    set -m
    start "$folder"
    set +m
  else
    start "$folder"
  fi
  kill -"$signal" "$parent"
  wait "$parent" 2>/dev/null
  status=$?
  check "SIG$signal ends the program by that signal" test "$status" = $((128 + $(kill -l "$signal")))
  # shellcheck disable=SC2086 # several numbers
  check "SIG$signal: no process is left" all_ended $children
  check "SIG$signal: finished records stay, nothing else" only_files "$folder" "${quick[@]}"
  check "SIG$signal: said in one line" grep -q 'interrupted after 2 of 4 cells' "$work/err"
done

# A child that dies costs its cell, and its record says so.
start "$work/died"
kill -KILL "${children%% *}"
wait "$parent"
check "a dead child is a bad status" test $? = 1
check "the record of a dead child tells the signal" grep -qr 'signal 9' "$work/died"
expect 0 "" check "$work"/died/*.json
expect 0 "3 kept" bench "$work/suite.json" -j 2 --resume -o "$work/died"

# Records of other options or another command are not kept; neither are broken ones.
cat >"$work/small.json" <<'S'
{ "schema": "coulombench.suite/1", "name": "small", "cells":
  [ { "case": "falling-particle", "formulations": ["moreau", "ccp", "ncp"], "dt": [0.1, 0.01] } ] }
S
expect 0 "6 cells" bench "$work/small.json" -j 2 -o "$work/small"
expect 0 "6 kept" bench "$work/small.json" -j 2 --resume -o "$work/small"
echo '{' >"$work/small/falling-particle--ccp--dt0.1.json"
sed -i 's/"mu": 0.2/"mu": 0.25/' "$work/small/falling-particle--ncp--dt0.1.json"
expect 0 "4 kept" bench "$work/small.json" -j 2 --resume -o "$work/small"
expect 0 "" check "$work"/small/*.json

# The longest first, whatever the order in the file: a step by event counts as many.
cat >"$work/order.json" <<'S'
{ "schema": "coulombench.suite/1", "name": "order", "cells":
  [ { "case": "falling-particle", "formulations": ["moreau", "event"], "dt": [0.1, 0.01] } ] }
S
expect 0 "4 cells" bench "$work/order.json" -j 1 -o "$work/order"
check "the longest cells first" test "$(sed -n 's/^\[.*falling-particle--\([^ ]*\) .*/\1/p' "$work/err" | tr '\n' ' ')" = \
  "event--dt0.01 event--dt0.1 moreau--dt0.01 moreau--dt0.1 "

# Shards are the whole, and the same records.
expect 0 " cells in " bench "$work/small.json" --shard 1/2 -o "$work/shards"
expect 1 "" bench "$work/small.json" --missing -o "$work/shards"
check "what is missing is the other part" diff <("$program" bench "$work/small.json" --missing -o "$work/shards" | cut -d' ' -f1 | head -n -1) \
  <("$program" bench "$work/small.json" --shard 2/2 --dry-run -o "$work/shards" | cut -d' ' -f1 | head -n -1)
# What the others take: three records are there, and tell of their size and memory.
expect 0 "" bench "$work/small.json" --estimate -o "$work/shards"
there=("$work"/shards/*--*.json)
left=$((6 - ${#there[@]}))
size=$(cat "${there[@]}" | wc -c)
peak=$(sed -n 's/^ *"peak_memory_bytes": \([0-9]*\).*/\1/p' "${there[@]}" | sort -n | tail -n 1)
check "estimate: cells" grep -q "^cells  *$left of 6$" "$work/out"
check "estimate: disk" grep -q "^disk  *$(awk -v s="$size" -v n="${#there[@]}" -v k="$left" 'BEGIN { printf "%.3g kB", k * s / n / 1e3 }') of" "$work/out"
check "estimate: memory" grep -q "^memory  *$(awk -v m="$peak" 'BEGIN { printf "%.3g MB", m / 1e6 }') a" "$work/out"
check "estimate: time" grep -q "^processor time  about " "$work/out"
expect 0 "" bench "$work/small.json" --estimate -o "$work/none"
check "estimate: without records" grep -q "of records, as of small systems" "$work/out"
expect 0 " cells in " bench "$work/small.json" --shard 2/2 -o "$work/shards"
expect 0 "" bench "$work/small.json" --missing -o "$work/shards"
check "nothing is missing then" grep -q '^0 of 6 cells would be run' "$work/out"
check "a part has the long cells alone that outweigh the others" test "$("$program" bench "$work/small.json" --shard 1/2 --dry-run -o "$work/none" | tail -n 1 | cut -d' ' -f3)" -le 3
expect 0 "" compare "$work/small" "$work/shards"
# Before folders are merged: which cells that both hold came out otherwise?
mkdir "$work/other"
cp "$work"/shards/*--dt0.01.json "$work/other"
one=$(find "$work/other" -name '*.json' | sort | head -n 1)
sed -i 's/"steps": \([0-9]*\)/"steps": 9\1/' "$one"
expect 1 "" compare "$work/shards" "$work/other"
check "a conflict is told" grep -q "$(basename "$one" .json).*steps\|steps.*$(basename "$one" .json)" "$work/out"
expect 2 "--shard = '3/2'" bench "$work/small.json" --shard 3/2 -o "$work/none"
expect 2 "--shard = '1'" bench "$work/small.json" --shard 1 -o "$work/none"

# On a terminal: one bar that redraws itself.
if script -qec true /dev/null >/dev/null 2>&1; then # a machine may lack it, or pseudo-terminals
  script -qec "'$program' bench '$work/small.json' -j 2 -o '$work/tty'" /dev/null >"$work/tty.txt" 2>&1
  check "bar on a terminal" grep -q '\[##*\.*\] 6/6' "$work/tty.txt"
  rm "$work/tty/falling-particle--ncp--dt0.01.json"
  script -qec "'$program' bench '$work/small.json' --resume -o '$work/tty'" /dev/null >"$work/tty-again.txt" 2>&1
  check "bar that begins with what is kept" grep -q '\[#*\.*\] 5/6 (5 kept)' "$work/tty-again.txt"
  check "and ends with what is made" grep -q '\[##*\] 6/6 (5 kept)' "$work/tty-again.txt"
  check "no plain lines on a terminal" bash -c "! grep -q '\[6/6\]' '$work/tty.txt'"
else
  skip "terminal" "no program script, or no pseudo-terminals"
fi
check "plain lines elsewhere" bash -c "'$program' bench '$work/small.json' -o '$work/p' 2>&1 | grep -q '^\[6/6\]'"

# What cannot be written is refused before a run that would take minutes.
long=(run falling-particle -f moreau --dt 1e-8)
expect 2 "none/x.json: cannot write" "${long[@]}" -o "$work/none/x.json"
expect 2 "Is a directory" "${long[@]}" -o "$work"
expect 2 "cannot" bench "$work/suite.json" -o "$work/small.json"
expect 2 "cannot" bench "$work/suite.json" -o /proc/none
printf '' >"$work/err"
"$program" run falling-particle -f moreau -o - >/dev/full 2>"$work/err"
check "full standard output: exit status 2" test $? = 2
check "full standard output: one line" test "$(wc -l <"$work/err")" = 1

# Records are strict JSON for others too.
if command -v python3 >/dev/null; then
  check "python reads every record, without NaN or Infinity" python3 - "$work"/died/*--*.json <<'P'
import json, sys
def refuse(word):
    raise ValueError(word)
for name in sys.argv[1:]:
    record = json.load(open(name), parse_constant=refuse)
    assert record["schema"] == "coulombench.result/2"
P
else
  skip "strict JSON" "no python3"
fi

for command in list describe run solve bench report compare check; do
  expect 0 "" $command --help
  check "help of $command" grep -q "^  $command " "$work/out"
done
expect 2 "unknown option '-x'" list -xz
summary
