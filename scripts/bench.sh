#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Run a suite, then make its figures, tables and report page; say where the page is.
# Usage: bench.sh PROGRAM SUITE JOBS
#
# Records go to results/<name of the suite or of its file>.
# A run that ends in a bad status (the program's exit status 1) is a result: it is reported like the
# others, and decides the exit status only at the end. Anything worse stops at once.
set -u
program=$1 suite=$2 jobs=$3
folder=results/$(basename "$suite" .json)
cd "$(dirname "$0")/.." || exit 2

"$program" bench "$suite" -j "$jobs" -o "$folder"
ran=$?
[ "$ran" -le 1 ] || exit "$ran"
"$program" report "$folder" -o results
reported=$?
[ "$reported" -le 1 ] || exit "$reported"

page=results/report/index.html
if [ ! -f "$page" ]; then
  echo "bench.sh: the report did not write $page" >&2
  exit 3
fi
[ "$ran" -eq 0 ] || echo "some runs ended in a bad status: see the page"
[ "$reported" -eq 0 ] || echo "some figures do not show what they must: see the page"
echo "report: $(pwd)/$page"
[ "$ran" -eq 0 ] && [ "$reported" -eq 0 ]
