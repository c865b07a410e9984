#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The problems of the study `unsolved`, as files in a folder: steps of 10 ms of 300 spheres stacked as
# cannonballs (case packing), exact Coulomb, at mu = 0.2 and 0.4, and, where $COULOMBENCH_PROBLEMS names
# a folder with them, problems of others that are hard or slow for the program's solvers.
#
# Usage: unsolved.sh FOLDER, with the program as $COULOMBENCH or build/coulombench
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: unsolved.sh FOLDER" >&2; exit 2; }
program=${COULOMBENCH:-$(dirname "$0")/../build/coulombench}
outside="Capsules-i103-990 Capsules-i122-1617 OneObject-i1028-138"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$1"
for mu in 0.2 0.4; do
  # One sweep does not solve the step, which is a result (exit status 1).
  "$program" run packing -f ncp -s relaxation --dt 0.01 --t-end 0.01 --set n=300 --set lattice=face-centred \
    --set gap=0 --set v0=0 --set spread=1e-3 --set mu=$mu --opt max_iter=1 --dump-problems "1:$work" \
    -o "$work/record" 2>"$work/said" || [ $? -eq 1 ] || { cat "$work/said" >&2; exit 3; }
  mv "$work/packing-ncp-000001.json" "$1/heap-300-$mu.json"
done
for name in $outside; do
  file=${COULOMBENCH_PROBLEMS:-}/$name.json
  if [ -f "$file" ]; then
    cp "$file" "$1"
  else
    echo "unsolved.sh: $name: absent, and left out" >&2
  fi
done
