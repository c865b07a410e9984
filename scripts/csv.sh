#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A table of a study as a table of a page, numbers with two digits, counts as they are.
#
# Usage: csv.sh FILE.csv [COLUMN | COLUMN,COLUMN...]
#   COLUMN         a row for each of its values, with the sums of all columns of numbers
#   COLUMN,COLUMN  these columns only
set -euo pipefail
awk -F, -v key="${2-}" '
  function shown(x) {
    if (x == "") return "-"
    return x !~ /^[-+]?[0-9]*[.]?[0-9]+(e[-+]?[0-9]+)?$/ || x ~ /^[0-9]+$/ ? x : sprintf("%.2g", x)
  }
  function print_row(   i, row) {
    row = "|"
    for (i = 1; i <= n; ++i) if (wanted[i]) row = row " " field[i] " |"
    print row
  }
  BEGIN { chosen = key ~ /,/ ? "," key "," : "" }
  { gsub(/"/, ""); n = split($0, part) }
  NR == 1 { for (i = 1; i <= n; ++i) { title[i] = part[i]; gsub(/_/, " ", title[i]); name_of[i] = part[i]; if (part[i] == key) at = i }; next }
  NR == 2 {
    for (i = 1; i <= n; ++i) {
      wanted[i] = chosen != "" ? index(chosen, "," name_of[i] ",") > 0 : key == "" || i == at || part[i] ~ /^[0-9.]+$/
      field[i] = title[i]
    }
    print_row()
    for (i = 1; i <= n; ++i) field[i] = "---"
    print_row()
  }
  at == "" { for (i = 1; i <= n; ++i) field[i] = shown(part[i]); print_row(); next }
  { if (!(part[at] in seen)) { seen[part[at]] = 1; name[++names] = part[at] }; for (i = 1; i <= n; ++i) sum[part[at], i] += part[i] }
  END { for (k = 1; k <= names; ++k) { for (i = 1; i <= n; ++i) field[i] = i == at ? name[k] : shown(sum[name[k], i]); print_row() } }' "$1"
