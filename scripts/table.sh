#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A Markdown table from records, one row a file, one column a key.
# Usage: table.sh KEY[=HEADING]... -- RECORD.json...
#
#   scripts/table.sh formulation.name 'errors.q_linf=error [m]' -- results/quick/*.json
#
# KEY is a dotted path (energy.budget.numerical; timing.steps_s, a median, with the quartiles
# timing.repeats.quartile_1_s and timing.repeats.quartile_3_s). Numbers that are not whole are shown with three
# digits; what a record lacks, and null, is a dash; texts are shown as they are, whatever Markdown
# would make of them. Relies on the layout that the program writes: two blanks a level, one key a
# line. Exit status 2 on wrong usage.
set -eu

keys=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  keys="$keys$1
"
  shift
done
if [ -z "$keys" ] || [ $# -lt 2 ]; then
  sed -n '5,7s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
shift
for file in "$@"; do
  [ -r "$file" ] || { echo "table.sh: $file: cannot read" >&2 && exit 2; }
  case $file in
  /*) ;;
  *) file=./$file ;; # a=b.json would be an assignment to awk
  esac
  set -- "$@" "$file"
  shift
done

KEYS=$keys awk '
  # The one function by which text becomes Markdown.
  function quoted(text) {
    gsub(/\\\\/, "\001", text) # as JSON has it
    gsub(/\\([nrtbf]|u00[01][0-9a-f])/, " ", text)
    gsub(/\\/, "", text)
    gsub(/\001/, "\\", text)
    gsub(/[]\\`|<>[*&~$]/, "\\\\&", text)
    return text
  }
  function cell(text) {
    if (text == "" || text == "null") return "-"
    if (text ~ /^-?[0-9]+$/) return text
    if (text ~ /^-?[0-9][0-9.]*([eE][-+]?[0-9]+)?$/) return sprintf("%.3g", text)
    gsub(/^"|"$/, "", text)
    return quoted(text)
  }
  function row(    i, line) {
    line = "|"
    for (i = 1; i <= n; ++i) line = line " " cell(found[key[i]]) " |"
    print line
    split("", found)
  }
  BEGIN {
    n = split(ENVIRON["KEYS"], key, "\n") - 1
    heads = rules = "|"
    for (i = 1; i <= n; ++i) {
      head = key[i]
      if (at = index(key[i], "=")) {
        head = substr(key[i], at + 1)
        key[i] = substr(key[i], 1, at - 1)
      }
      heads = heads " " head " |"
      rules = rules " --- |"
    }
    print heads
    print rules
  }
  FNR == 1 && NR > 1 { row() }
  match($0, /^ *"[^"]*": /) {
    value = substr($0, RLENGTH + 1)
    match($0, /^ */)
    depth = RLENGTH / 2
    name[depth] = $0
    sub(/^ *"/, "", name[depth])
    sub(/": .*/, "", name[depth])
    path = name[1]
    for (i = 2; i <= depth; ++i) path = path "." name[i]
    sub(/,$/, "", value)
    found[path] = value
  }
  END { row() }
' "$@"
