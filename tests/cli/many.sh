#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Reports of many records: memory does not grow with their number, numbers are those of the files, and
# of more motions than a page can show some are compared, which is said.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"

# 120 MB of records: more than stay in memory, of which they would take four times as much.
expect 0 "" run oscillator -f ncp --dt 1e-4 --t-end 0.4 --sample 2e-4 -o "$work/one.json"
mkdir "$work/large"
n=$((120000000 / $(wc -c <"$work/one.json")))
for ((i = 0; i < n; i++)); do ln "$work/one.json" "$work/large/run-$i.json"; done
"$program" report "$work/large" -o "$work/report" >"$work/out" 2>"$work/err" &
peak=0
while seen=$(sed -n 's/^VmHWM:[[:space:]]*\([0-9]*\) kB/\1/p' "/proc/$!/status" 2>/dev/null) && [[ -n $seen ]]; do
  peak=$seen
  sleep 0.02
done
check "a report of $n records of $(wc -c <"$work/one.json") bytes" wait $!
check "in $peak kB" test "$peak" -gt 100000 -a "$peak" -lt 420000
check "each with its row" test "$(wc -l <"$work/report/report/records.csv")" = $((n + 1))
check "and the same numbers" test "$(cut -d, -f2- "$work/report/report/records.csv" | sort | uniq -c | wc -l)" = 2

# 1002 motions.
values=$(seq -s, 1 1002)
cat >"$work/suite.json" <<S
{"schema": "coulombench.suite/1", "name": "wide", "title": "wide", "time_limit": 20, "figures": "none", "studies": [],
 "cells": [{"case": "falling-particle", "formulations": ["ncp"], "dt": 0.01, "t_end": 0.01, "set": {"vx0": [$values]}}]}
S
expect 0 "1002 cells" bench "$work/suite.json" -o "$work/wide"
expect 0 "" report "$work/wide"
check "too many motions: said" grep -q "1002 motions are too many for one page: 1000 of them" "$work/wide/report/index.html"
check "the table has them all" test "$(wc -l <"$work/wide/table/records.csv")" = 1003
summary
