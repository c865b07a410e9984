#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A table in Markdown of sketches of cases, three in a row, for a page of the project (readme.sh); with
# --write the files themselves.
#
#   scripts/sketches.sh FOLDER [CASE ...]   FOLDER: of the cases as seen from the page; all cases without a CASE
#   scripts/sketches.sh --write             cases/<name>/sketch.svg, and film.svg of those below, by $COULOMBENCH
#                                           or build/coulombench
set -euo pipefail
program=${COULOMBENCH:-build/coulombench}
films=(
  "tippe-top -f moreau --dt 2e-4 --t-end 2"
  "woodpecker -f moreau --t-end 0.146"
  "packing -f ccp --set n=48 --set depth=3 --dt 2e-3 --t-end 0.6"
  "granular-chains -f moreau --set n=6 --t-end 1.5"
  "table -f ncp --set angle=0.5 --t-end 0.5"
)
folder=$1
shift
(($# > 0)) || mapfile -t names < <("$program" list cases | awk '/^  / { print $1 }')
(($# == 0)) || names=("$@")
if [[ $folder == --write ]]; then
  for name in "${names[@]}"; do
    "$program" describe "$name" --svg >"cases/$name/sketch.svg"
  done
  for film in "${films[@]}"; do
    read -ra words <<<"$film"
    "$program" run "${words[@]}" --film "cases/${words[0]}/film.svg" >/dev/null
  done
  exit
fi
printf '| | | |\n| --- | --- | --- |\n'
for ((i = 0; i < ${#names[@]}; i += 3)); do
  for ((k = i; k < i + 3; ++k)); do
    name=${names[k]-}
    printf '| %s' "${name:+![$name]($folder/$name/sketch.svg)<br>[$name]($folder/$name/README.md) }"
  done
  printf '|\n'
done
