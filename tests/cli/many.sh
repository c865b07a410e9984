#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Reports of many records: memory does not grow with their number, numbers are those of the files, and
# of more motions than a page can show some are compared, which is said. A suite of many cells by two
# programs that are killed at random: no record is lost or made twice.
#
# CELLS=100000 tests/cli/many.sh does this with so many cells; default 1002.
# shellcheck disable=SC2317 # functions are called by name
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"

# 120 MB of records, of which the columns that are asked for stay in memory alone.
expect 0 "" run oscillator -f ncp --dt 1e-4 --t-end 0.4 --sample 2e-4 -o "$work/one.json"
mkdir "$work/large"
n=$((120000000 / $(wc -c <"$work/one.json")))
for ((i = 0; i < n; i++)); do ln "$work/one.json" "$work/large/run-$i.json"; done
report() { # folder of records, of the report: its exit status, the largest memory in peak [kB]
  "$program" report "$1" -o "$2" >"$work/out" 2>"$work/err" &
  local seen
  peak=0
  while seen=$(sed -n 's/^VmHWM:[[:space:]]*\([0-9]*\) kB/\1/p' "/proc/$!/status" 2>/dev/null) && [[ -n $seen ]]; do
    peak=$seen
    sleep 0.1
  done
  wait $!
}
check "a report of $n records of $(wc -c <"$work/one.json") bytes" report "$work/large" "$work/report"
check "in $peak kB" test "$peak" -gt 20000 -a "$peak" -lt 200000
check "each with its row" test "$(wc -l <"$work/report/report/records.csv")" = $((n + 1))
check "and the same numbers" test "$(cut -d, -f2- "$work/report/report/records.csv" | sort | uniq -c | wc -l)" = 2

# Two programs, a part and a folder each. Each is killed ten times after a random number of cells.
cells=${CELLS:-1002}
cat >"$work/suite.json" <<S
{"schema": "coulombench.suite/1", "name": "wide", "title": "wide", "time_limit": 20, "figures": "none", "studies": [],
 "cells": [{"case": "falling-particle", "formulations": ["ncp"], "dt": 0.01, "t_end": 0.01,
            "set": {"vx0": [$(seq -s, 1 "$cells")]}}]}
S
run_part() { # number, seed
  local folder=$work/part-$1 lines=$work/lines-$1 left=$((cells / 2)) kills after line pid
  RANDOM=$2
  mkfifo "$lines"
  for ((kills = 10; kills >= 0; kills--)); do
    setsid "$program" bench "$work/suite.json" -o "$folder" --shard "$1/2" --resume -j 1 >"$lines" 2>&1 </dev/null &
    pid=$!
    after=$((kills > 0 ? 1 + RANDOM * RANDOM % (1 + 2 * left / (kills + 2)) : cells))
    {
      while ((after > 0)) && read -r line; do [[ $line != \[* ]] || ((after--)); done
      if ((kills > 0)); then
        # Every other time its child is left to notice it.
        if ((kills % 2)); then kill -9 -- -$pid; else kill -9 $pid; fi && echo $pid >>"$work/killed"
      fi
      wait $pid
      while is_busy $pid; do sleep 0.01; done
    } <"$lines"
    find "$folder" -name '*--*.json' -printf '%f %i %T@\n' | sort >"$work/now-$1"
    cat "$work/now-$1" >>"$work/written"
    left=$((cells / 2 - $(wc -l <"$work/now-$1")))
  done
} 2>/dev/null
run_part 1 36 &
run_part 2 63
wait
check "both were killed ten times" test "$(wc -l <"$work/killed")" = 20
cp -rn "$work"/part-1 "$work/wide"
cp -rn "$work"/part-2/. "$work/wide"
check "no record is lost, no other file is left" test "$(names "$work/wide" | grep -c -- '--.*\.json$') $(names "$work/wide" | wc -l)" = "$cells $((cells + 2))"
check "none was written twice" test "$(sort -u "$work/written" | cut -d' ' -f1 | uniq -d | wc -l)" = 0
expect 0 "" bench "$work/suite.json" --missing -o "$work/wide"
expect 0 "" bench "$work/suite.json" --shard "3/$((cells / 50))" -o "$work/alone"
mkdir "$work/same" # the same records, of the merged folder
(cd "$work/alone" && names . | grep json | while read -r file; do cp "$work/wide/$file" "$work/same"; done)
check "they are those of one program, $(names "$work/same" | wc -l) files looked at" cmp <(lasting "$work/alone") <(lasting "$work/same")
expect 0 "" table "$work/wide" --package "$work/wide/table"
check "the table has them all" test "$(wc -l <"$work/wide/table/records.csv")" = $((cells + 1))
check "a report of $cells cells" report "$work/wide" "$work/wide-report"
check "in $peak kB" test "$peak" -lt 2000000
check "too many motions: said" grep -q "$cells motions are too many for one page: 1000 of them" "$work/wide-report/report/index.html"
summary
