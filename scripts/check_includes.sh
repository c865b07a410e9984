#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Does every include go downward? Usage: check_includes.sh [ROOT]
#
# Rooms include what src/README.md's table says. Rooms of src and of src/bench, folders (base is one)
# and headers include one another in no circle; no folder has more files than a reader can look over.
# Prints what breaks this in ROOT, or in the project, and fails; tests/cli/includes.sh breaks each rule.
set -euo pipefail
shopt -s extglob
cd "${1:-$(dirname "$0")/..}"

# Beside itself and base a room may include
declare -A may=([base]='' [la]='' [contact]='la' [problem]='la contact' [mech]='la contact'
  [form]='la contact problem mech' [bench]='la contact problem mech form cases/case.h'
  [command]='la contact problem mech form bench cases/case.h' [cases]='la contact mech' [peer]='la contact problem' [peers]='')
gsl='^src/(la/|base/rng[.]|problem/local/|form/(penalty|event)/|bench/)' # CBLAS, LAPACK, SuiteSparse: la alone

includes=$(grep -rHE '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]' --include='*.[ch]' src cases |
  sed -E 's|^([^:]*):[^"<]*["<]([^">]*).*|\1 \2|')
find_violations() {
  while read -r file header; do
    case $file in src/main.c) room="command" ;; src/*/*) room=${file#src/} ;; src/*) room=peer ;; *) room=cases ;; esac
    room=${room%%/*}
    case $header in
      @(cblas|lapack*|openblas_config).h | @(openblas|suitesparse)/* | gsl/gsl_?(c)blas.h) [[ $room == la ]] ;;
      gsl/*) [[ $file =~ $gsl ]] ;;
      @(base|la|contact|problem|mech|form|bench|command|cases|peers|tests)/*)
        [[ " base $room ${may[$room]} " == *" ${header%%/*} "* || " ${may[$room]} " == *" $header "* ]] ;;
      *) [[ $header != *..* && $header != src/* ]] ;;
    esac || echo "$file: $room must not include $header"
  done
}
# How `sed -E $1` names the two ends of an include makes the graph.
find_circles() {
  sed -nE 's#^(src/|(cases/))([^ ]*) (base|la|contact|problem|mech|form|bench|command|cases)/#\2\3 \4/#p' |
    sed -E "$1" | awk '$1 != $2' | sort -u | tsort 2>&1 >/dev/null | sed 's/^tsort:/circle:/' || true
}
found=$(
  find_violations <<<"$includes"
  find_circles 's#(^| )bench/([a-z_]+)/[^ ]*#\1bench/\2#g' <<<"$includes"              # rooms of bench; those of src: by the table
  find_circles 's#(^| )base/[^ ]*#\1base#g; s#/[^/ ]*( |$)#\1#g' <<<"$includes" # folders
  grep -E '^[^ ]*[.]h ' <<<"$includes" | find_circles ''                        # headers
  find src cases -type f -printf '%h\n' | sort | uniq -c | awk '$1 > 25 { print $2 ": " $1 " files, at most 25" }'
)
[[ -z $found ]] || { printf '%s\n' "$found" && exit 1; }
