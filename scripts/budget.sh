#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What to take in each family of scenes at each step, as a table of a page, from the tables of the study
# `budget`: the fastest formulation and number of sweeps that errs by less than one percent of the length.
#
# Usage: budget.sh FOLDER
#   FOLDER  has budget.csv (every family) and budget-fit.csv (the choice, where there is one)
set -euo pipefail
awk '
  # Fields of a line of CSV into field[1 ...]; quoted ones may have commas.
  function read_fields(   n, i, part) {
    n = split($0, part, "\"")
    $0 = ""
    for (i = 1; i <= n; ++i) {
      if (i % 2 == 0) gsub(/,/, "\001", part[i])
      $0 = $0 part[i]
    }
    n = split($0, field, ",")
    for (i = 1; i <= n; ++i) gsub("\001", ",", field[i])
  }
  function percent(x) { return sprintf("%.2g %%", 100 * x) }
  { read_fields() }
  FNR == 1 { delete at; for (i in field) at[field[i]] = i; next }
  { family = field[at["cell.label"]]; rate = field[at["rate"]] }
  FILENAME ~ /budget.csv$/ { if (!(family in scenes)) name[++n] = family; scenes[family] = field[at["scenes"]]; next }
  {
    choice = field[at["budget"]]; sub(/,.*/, "`" substr(choice, index(choice, ",")), choice)
    choice = "`" choice (choice ~ /`/ ? "" : "`")
    known = field[at["known"]] > 0
    cell[family, rate] = choice ": " (known ? percent(field[at["error"]]) : "sinks " percent(field[at["depth"]]))
  }
  END {
    print "| family | scenes | 60 Hz | 240 Hz | 1000 Hz |"
    print "| --- | --- | --- | --- | --- |"
    split("60 240 1000", rates, " ")
    for (i = 1; i <= n; ++i) {
      row = "| " name[i] " | " scenes[name[i]]
      for (k = 1; k <= 3; ++k) row = row " | " ((name[i], rates[k]) in cell ? cell[name[i], rates[k]] : "-")
      print row " |"
    }
  }' "$1/budget.csv" "$1/budget-fit.csv"
