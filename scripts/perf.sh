#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Measure speed, compare with the committed record, write the new one.
# Usage: perf.sh PROGRAM TEXT     TEXT: measurements whose name holds it; "" for all
#
# Threads stay on their cores and sleep while they wait. The record goes to results/perf/latest.json;
# to make it the one to compare with, copy it to results/perf/baseline.json and commit that.
set -eu
program=$1 text=$2
cd "$(dirname "$0")/.."
mkdir -p results/perf
baseline=results/perf/baseline.json
set -- -t "$text" -o results/perf/latest.json
[ ! -f "$baseline" ] || set -- "$@" -b "$baseline"
OMP_PROC_BIND=close OMP_PLACES=cores OMP_WAIT_POLICY=passive OMP_DYNAMIC=false exec "$program" "$@"
