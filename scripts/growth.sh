#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# How the processor time and memory of `bench --missing`, `table --package` and `report` grow with the number
# of records: of suites of 1000, 3000, 10,000, ... cells of two steps each, into results/sample/growth.csv and
# its drawing, results/sample/growth.svg.
#
# Usage: growth.sh [-k] [MOST [FOLDER]]
#   MOST    cells of the largest suite (100000: half an hour of two processors, most of it for the records)
#   FOLDER  where the suites and their records go (a temporary one); what is there stays
#   -k      draw the table that is there and measure nothing
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
program=${COULOMBENCH:-$here/build/coulombench}
is_kept=''
[[ ${1-} != -k ]] || { is_kept=1 && shift; }
most=${1:-100000} folder=${2-}
[[ $most =~ ^[1-9][0-9]*$ ]] || { sed -n '8,11s/^# \{0,1\}//p' "$0" >&2 && exit 2; }
out=$here/results/sample/growth

# Processor time [s] and the largest memory [MB] of a command and its children: what it prints goes nowhere.
measure() {
  python3 - "$@" <<'P'
import resource, subprocess, sys
quiet = subprocess.DEVNULL
status = subprocess.run(sys.argv[1:], stdin=quiet, stdout=quiet, stderr=quiet).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"{used.ru_utime + used.ru_stime:.3g},{used.ru_maxrss / 1000:.3g}")
sys.exit(status not in (0, 1))
P
}

if [[ -z $is_kept ]]; then
  if [[ -z $folder ]]; then
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
  fi
  mkdir -p "$folder"
  echo "command,records,seconds,megabytes" >"$out.csv"
  for n in 1000 3000 10000 30000 100000 300000; do
    ((n <= most)) || continue
    suite=$folder/cells-$n
    [[ -f $suite.json ]] || cat >"$suite.json" <<S
{"schema": "coulombench.suite/1", "name": "cells-$n", "title": "$n cells", "figures": "none", "studies": [],
 "cells": [{"case": "falling-particle", "formulations": ["ccp", "ncp"], "dt": 0.01, "t_end": 0.02, "sample": 0.01,
            "set": {"vx0": [$(awk -v n=$((n / 2)) 'BEGIN { for (i = 1; i <= n; ++i) printf "%s%g", i > 1 ? ", " : "", i / 1000 }')]}}]}
S
    "$program" bench "$suite.json" -o "$suite" --resume >/dev/null 2>&1
    echo "bench --missing,$n,$(measure "$program" bench "$suite.json" -o "$suite" --missing)"
    echo "table --package,$n,$(measure "$program" table "$suite" --package "$suite/table")"
    echo "report,$n,$(measure "$program" report "$suite")"
  done | tee -a "$out.csv"
fi
gnuplot <<G
set terminal svg size 760,320 dynamic enhanced font 'sans,12' background rgb 'white'
set output '$out.svg'
set datafile separator ','
set border 3
set datafile missing NaN
set tics nomirror out
set grid back linecolor rgb '#dddddd'
set logscale xy
set xrange [500:2e5]
set format xy '10^{%T}'
set xlabel 'records'
set key top left reverse Left
set multiplot layout 1,2
set ylabel 'processor time [s]'
plot for [c in '"bench --missing" "table --package" report'] '$out.csv' using (strcol(1) eq c ? \$2 : NaN):3 with linespoints title c
set ylabel 'memory [MB]'
plot for [c in '"bench --missing" "table --package" report'] '$out.csv' using (strcol(1) eq c ? \$2 : NaN):4 with linespoints notitle, 2000 with lines dashtype 2 linecolor rgb '#888888' title '2 GB'
unset multiplot
G
