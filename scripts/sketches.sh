#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A table in Markdown of sketches of cases, three in a row, for a page of the project (readme.sh); with
# --write the files themselves.
#
#   scripts/sketches.sh FOLDER [CASE ...]   FOLDER: of the cases as seen from the page; all cases without a CASE
#   scripts/sketches.sh --write             cases/<name>/sketch.svg, by $COULOMBENCH or build/coulombench
set -euo pipefail
program=${COULOMBENCH:-build/coulombench}
folder=$1
shift
(($# > 0)) || mapfile -t names < <("$program" list cases | awk '/^  / { print $1 }')
(($# == 0)) || names=("$@")
if [[ $folder == --write ]]; then
  for name in "${names[@]}"; do
    "$program" describe "$name" --svg >"cases/$name/sketch.svg"
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
