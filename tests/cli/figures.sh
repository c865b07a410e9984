#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Figures from their own runs, as a suite of figures makes them: every check of each holds.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"

figures=(scenes negrut-redundant diagonal-push stiction-threshold bouncing-ball bhalerao-7 yu-11
  yu-15 moeller-2.5 moeller-2.57 moeller-5.31 moeller-6.6 moeller-6.19 moeller-6.20)
printf '{"schema": "coulombench.suite/1", "name": "figures", "figures": [%s]}\n' \
  "$(printf '"%s", ' "${figures[@]}" | sed 's/, $//')" >"$work/suite.json"
if ! command -v gnuplot >/dev/null; then
  skip "figures from their own runs" "gnuplot is not installed"
  summary
fi
expect 0 "" bench "$work/suite.json" -o "$work/results"
expect 0 "" report "$work/results" --suite "$work/suite.json" -o "$work/page"
for figure in "${figures[@]}"; do
  check "every check of $figure holds" grep -q '"status":[[:space:]]*"ok"' \
    "$work/page/figures/$figure.json"
done
summary
