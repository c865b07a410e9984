#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Times of an iteration on the tippe top's friction sets in GNU Octave (scripts/octave), beside what
# the source measured in MATLAB (moeller 6.5); half a minute. Usage: octave.sh [FILE]
#
# FILE is the record to write, by default the one that is kept with the case and that the figure
# tippe-top-cost shows: that of the run which poses the problems, with the times as observables.
# Octave: scripts/setup.sh --peers.
set -eu

cd "$(dirname "$0")/.."
kept=${1:-cases/tippe-top/records/octave.json}
command -v octave-cli >/dev/null || {
  echo "octave.sh: octave-cli is missing: scripts/setup.sh --peers" >&2
  exit 2
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run() {
  build/coulombench run tippe-top -f moreau --set friction_set=E --dt 1e-4 --t-end 2 "$@"
}
run --sample 2e-2 -o "$work/states.json" 2>/dev/null # of the errors: it has no reference
run -o "$work/record.json" 2>/dev/null
mkdir -p "$(dirname "$kept")"
octave-cli --quiet --no-gui --path scripts/octave --eval \
  "tippe_top_cost('$work/states.json', '$work/record.json', '$work/kept.json')"
mv "$work/kept.json" "$kept"
