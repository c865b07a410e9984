#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Run a suite, then make its figures, tables and report page; say where the page is.
# Usage: bench.sh PROGRAM SUITE JOBS
#
# Records, figures and page go to results/<name of the suite or of its file>; the page of the suite
# `default`, which `make bench` runs where none is named, to results/report/index.html. While a suite
# runs the page is written early, and again after three times as long each time, with what there is.
# A run that ends in a bad status (the program's exit status 1) is a result: it is reported like the
# others, and decides the exit status only at the end. Anything worse stops at once.
set -u
program=$1 suite=$2 jobs=$3
name=$(basename "$suite" .json)
folder=results/$name output=results/$name
[ "$suite" = default ] && output=results
page=$output/report/index.html
cd "$(dirname "$0")/.." || exit 2

# One child at a time, which ends with it.
write_so_far() {
  trap 'kill "$!" 2>/dev/null; wait; exit 0' TERM
  pause=${BENCH_FIRST_PAGE:-10} said=
  while :; do
    sleep "$pause" &
    wait "$!"
    nice "$program" report "$folder" --so-far -o "$output" >/dev/null 2>&1 &
    wait "$!"
    [ -n "$said" ] || [ ! -f "$page" ] || printf '\nreport so far: %s\n' "$(pwd)/$page"
    said=1 pause=$((3 * pause))
  done
}
if [ "$name" = full ] && [ -z "${COULOMBENCH_UNSOLVED:-}" ]; then
  COULOMBENCH="$program" scripts/unsolved.sh build/unsolved || exit
  export COULOMBENCH_UNSOLVED="$PWD/build/unsolved"
fi
rm -f "$page"
write_so_far &
writer=$!
trap 'kill "$writer" 2>/dev/null; wait "$writer"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

"$program" bench "$suite" -j "$jobs" -o "$folder"
ran=$?
kill "$writer" 2>/dev/null
wait "$writer"
trap - EXIT
[ "$ran" -le 1 ] || exit "$ran"
"$program" report "$folder" -o "$output"
reported=$?
[ "$reported" -le 1 ] || exit "$reported"

if [ ! -f "$page" ]; then
  echo "bench.sh: the report did not write $page" >&2
  exit 3
fi
[ "$ran" -eq 0 ] || echo "some runs ended in a bad status: see the page"
[ "$reported" -eq 0 ] || echo "some figures do not show what they must: see the page"
echo "report: $(pwd)/$page"
[ "$ran" -eq 0 ] && [ "$reported" -eq 0 ]
