#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A suite that is killed (kill -9) at any moment and taken up again: nothing is lost, nothing is made
# twice, no stray file stays; and two programs at work in one folder.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"
export COULOMBENCH_DATA=${COULOMBENCH_DATA:-$root}

cat >"$work/suite.json" <<S
{ "schema": "coulombench.suite/1", "name": "small", "time_limit": 20, "cells":
  [ { "case": "falling-particle", "formulations": ["moreau", "ccp", "ncp", "mdp", "lcp-st"], "dt": [1e-3, 3e-4] },
    { "problems": "$work/set", "label": "own", "laws": ["ncp", "ccp"], "solvers": ["pgs", "ssn", "auto"] } ] }
S
mkdir "$work/set"
cp "$root/tests/problems/one-3d.json" "$work/set"
expect 0 " cells in " bench "$work/suite.json" -j 2 -o "$work/whole"
total=$(find "$work/whole" -name '*--*.json' | wc -l)
check "a record a cell" test "$total" = 16

# Which files there are, and when each was written.
stamps() { find "$1" \( -name references -o -name table \) -prune -o -type f ! -name suite.json ! -name '.partial-*' -printf '%P %i %T@\n' | sort; }
names "$work/whole" >"$work/names"
lasting "$work/whole" >"$work/lasting"
is_whole() { # folder
  diff <(names "$1") "$work/names" >&2 && cmp <(lasting "$1") "$work/lasting" >&2
}

# At any number of records there are. Every other time the children go with their parent, else they
# are left to notice it.
lost=0 twice=0 odd=0 found=()
for ((i = 0; i < total; i++)); do
  folder=$work/killed-$i
  setsid "$program" bench "$work/suite.json" -j 2 -o "$folder" >/dev/null 2>&1 </dev/null &
  parent=$!
  while kill -0 "$parent" 2>/dev/null && (($(stamps "$folder" 2>/dev/null | wc -l) < i)); do sleep 0.001; done
  if ((i % 2)); then kill -9 -- "-$parent"; else kill -9 "$parent"; fi 2>/dev/null
  wait "$parent" 2>/dev/null
  mkdir -p "$folder"
  while is_busy "$parent"; do sleep 0.005; done # a child that was left may be writing
  stamps "$folder" >"$work/stamps"
  n=$(wc -l <"$work/stamps")
  found+=("$n")
  "$program" bench "$work/suite.json" -j 2 --resume -o "$folder" >"$work/out" 2>"$work/err" || odd=$((odd + 1))
  if ((n < total)); then
    grep -q "; $((total - n)) made - no record: $((total - n));" "$work/err" || twice=$((twice + 1))
  fi
  # What was there is there, and has not been written again.
  [[ -z $(comm -23 "$work/stamps" <(stamps "$folder")) ]] || twice=$((twice + 1))
  is_whole "$folder" || lost=$((lost + 1))
  rm -rf "$folder"
done
check "killed after ${found[*]} of $total cells" test "$(printf '%s\n' "${found[@]}" | awk -v n="$total" '$1 < n' | wc -l)" -ge 2
check "going on ends well" test $odd = 0
check "nothing is lost, no stray file" test $lost = 0
check "nothing is made twice" test $twice = 0

# A writer that may not write more than a kilobyte is killed in the middle of its file.
mkdir -p "$work/stray/solve"
(
  ulimit -c 0 -f 1
  "$program" run falling-particle -f moreau --dt 0.01 -o "$work/stray/x.json"
  true # this shell is the one to say how it ended
) >/dev/null 2>&1
check "a writer that dies leaves its partial file" test "$(find "$work/stray" -name '.partial-*' | wc -l)" = 1
cp "$work"/stray/.partial-* "$work/stray/solve"
expect 0 " cells in " bench "$work/suite.json" -j 2 --resume -o "$work/stray"
check "the next start takes it away" is_whole "$work/stray"
cp "$work/whole/falling-particle--ccp--dt0.001.json" "$work/stray/.partial-99-3"
expect 0 "" run falling-particle -f moreau --dt 1e-3 -o "$work/stray/alone.json"
rm "$work/stray/alone.json"
check "so does a single run" is_whole "$work/stray"
"$program" bench "$work/suite.json" -o "$work/left" >/dev/null 2>&1 &
until [[ -n $(find "$work/left" -name '*--*.json' 2>/dev/null) ]]; do sleep 0.001; done
cp "$work/whole/falling-particle--ccp--dt0.001.json" "$work/left/.partial-99-3"
wait $!
check "so does the end of a suite" is_whole "$work/left"

# Two programs in one folder, at the same cells: neither takes away what the other is writing.
for ((i = 0; i < 3; i++)); do
  "$program" bench "$work/suite.json" -j 2 --resume -o "$work/both-$i" >/dev/null 2>"$work/first" &
  "$program" bench "$work/suite.json" -j 2 --resume -o "$work/both-$i" >/dev/null 2>"$work/second"
  second=$?
  wait $!
  check "both end well" test $?$second = 00
  check "their folder is whole" is_whole "$work/both-$i"
done
"$program" bench "$work/suite.json" --shard 1/2 -o "$work/shards" >/dev/null 2>&1 &
expect 0 " cells in " bench "$work/suite.json" --shard 2/2 -o "$work/shards"
wait
check "shards at the same time are the whole" is_whole "$work/shards"
summary
