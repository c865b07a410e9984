#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The tables of README.md that say what there is, made from the program: the lines below a line
# <!-- list KIND -->, up to a blank one, become what `coulombench list KIND --markdown` prints.
#
#   scripts/readme.sh PROGRAM           writes README.md
#   scripts/readme.sh PROGRAM --check   prints the difference instead; exits 1 where there is one
set -euo pipefail
program=$1
cd "$(dirname "$0")/.."
made=$(mktemp)
trap 'rm -f "$made"' EXIT
while IFS= read -r line; do
  printf '%s\n' "$line"
  if [[ $line =~ ^'<!-- list '([a-z]+)' -->'$ ]]; then
    "$program" list "${BASH_REMATCH[1]}" --markdown
    while IFS= read -r line && [[ -n $line ]]; do :; done
    printf '\n'
  fi
done <README.md >"$made"
if [[ ${2-} == --check ]]; then
  diff -u README.md "$made"
else
  cat "$made" >README.md
fi
