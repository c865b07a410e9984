#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Shares of the variance as a table of a page, in % with intervals of 95 %. From the table of the
# study `what-is-measured`: the main factors with first-order and total share, and the strongest
# interactions of two factors. From that of families, of groups by friction, and of errors taken in several
# ways: the total share of each factor, a row a family, group or error.
#
# Usage: shares.sh FILE.csv
set -euo pipefail
awk -F, '
  function percent(x) { x *= 100; x = sprintf(x < 0.95 && x > -0.95 ? "%.1f" : "%.0f", x); return x == "-0.0" ? "0.0" : x }
  function share(i) { return percent($i) ($(i + 1) == "" ? "" : " (" percent($(i + 1)) " to " percent($(i + 2)) ")") }
  { gsub(/"/, "") }
  $1 == "factor" { print "| factor | first-order share, % | total share, % |"; print "| --- | --- | --- |"; next }
  $1 == "family" { families = 1; print "| family | law | scheme | tolerance | step |"; print "| --- | --- | --- | --- | --- |"; next }
  $1 == "friction" { families = friction = 1; print "| friction | scenes | law | scheme | tolerance | step |"; print "| --- | --- | --- | --- | --- | --- |"; next }
  $1 == "error" { families = 1; print "| error | law | scheme | tolerance | step |"; print "| --- | --- | --- | --- | --- |"; next }
  families && $2 == "law" { row = $1; gsub(/_/, " ", row); row = "| " row (friction ? " | " $9 : "") }
  families { row = row " | " share(6); if ($2 == "step") print row " |"; next }
  $1 == "higher" { print "| of three and more factors | " share(2) " | |"; next }
  $1 ~ / x / { if ($2 >= 0.02) print "| " $1 " | " share(2) " | |"; next }
  { print "| " $1 " | " share(2) " | " share(5) " |" }' "$1"
