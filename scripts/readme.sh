#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The tables of the project's pages (*.md) that the program makes: the lines below a line
# <!-- coulombench ARGUMENTS -->, up to a blank one, become what the program prints with these.
#
#   scripts/readme.sh PROGRAM           writes the pages
#   scripts/readme.sh PROGRAM --check   prints the differences instead; exits 1 where there are any
set -euo pipefail
program=$1
cd "$(dirname "$0")/.."
made=$(mktemp)
trap 'rm -f "$made"' EXIT

make_page() { # page
  local line arguments
  while IFS= read -r line; do
    printf '%s\n' "$line"
    if [[ $line =~ ^'<!-- coulombench '(.*)' -->'$ ]]; then
      eval "arguments=(${BASH_REMATCH[1]})" # words as a shell has them, on a page of our own
      "$program" "${arguments[@]}"
      while IFS= read -r line && [[ -n $line ]]; do :; done
      printf '\n'
    fi
  done <"$1"
}

differ=0
while IFS= read -r page; do
  make_page "$page" >"$made"
  if [[ ${2-} == --check ]]; then
    diff -u "$page" "$made" || differ=1
  else
    cmp -s "$page" "$made" || cat "$made" >"$page"
  fi
done < <(find README.md cases src results/*.md -name '*.md' -type f | sort | xargs grep -l '^<!-- coulombench ')
exit "$differ"
