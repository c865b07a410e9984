#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The tables of the project's pages (*.md). The lines below one of these, up to a blank one, become what
# the command prints:
#
#   <!-- coulombench ARGUMENTS -->            the program, in the project's folder
#   <!-- made by scripts/NAME.sh ARGUMENTS --> a script, with the program as $COULOMBENCH
#
# Tables of records in results/pages and results/guide, which `make guide` makes, stay as they are where
# these folders are not there.
#
#   scripts/readme.sh PROGRAM                   writes the pages
#   scripts/readme.sh PROGRAM --check           prints the differences instead, but those of tables of
#                                               records; exits 1 where there are any
#   scripts/readme.sh PROGRAM --check-records   prints all; columns whose title begins with "time" are
#                                               those of a machine and are not compared
set -euo pipefail
program=$1 check=${2-}
export COULOMBENCH=$1
cd "$(dirname "$0")/.."
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

# The table that a line asks for, of the words that follow "coulombench" or "made by"; nothing is there
# where it needs records that nobody has made.
make_table() { # WORDS
  local arguments folder
  eval "arguments=($1)" # words as a shell has them, on a page of our own
  for folder in results/guide results/pages; do
    [[ " $1 " != *" $folder"* || ($check != --check && -d $folder) ]] || return 1
  done
  if [[ ${arguments[0]} == coulombench ]]; then
    "$program" "${arguments[@]:1}"
  else
    "${arguments[@]}"
  fi
}

make_page() { # page
  local line words
  while IFS= read -r line; do
    printf '%s\n' "$line"
    if [[ $line =~ ^'<!-- '(coulombench |made by )(.*)' -->'$ ]]; then
      words=${BASH_REMATCH[2]}
      [[ ${BASH_REMATCH[1]} != 'coulombench ' ]] || words="coulombench $words"
      if make_table "$words" >"$made/table"; then
        cat "$made/table"
        while IFS= read -r line && [[ -n $line ]]; do :; done
        printf '\n'
      fi
    fi
  done <"$1"
}

without_times() {
  awk -F '|' -v OFS='|' '
    !/^\|/ { in_table = 0; print; next }
    !in_table { in_table = 1; split("", timed); for (i = 2; i < NF; ++i) timed[i] = $i ~ /^ *time/ }
    { for (i = 2; i < NF; ++i) if (timed[i]) $i = " "; print }' "$1"
}

differ=0
while IFS= read -r page; do
  make_page "$page" >"$made/page"
  if [[ -n $check ]]; then
    without_times "$page" >"$made/there"
    without_times "$made/page" >"$made/new"
    diff -u --label "$page" --label "$page, made again" "$made/there" "$made/new" || differ=1
  else
    cmp -s "$page" "$made/page" || cat "$made/page" >"$page"
  fi
done < <(find README.md cases src results/*.md -name '*.md' -type f | sort | xargs grep -lE '^<!-- (coulombench|made by) ')
exit "$differ"
