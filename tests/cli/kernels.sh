#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Small problems have the same last digits whatever processor the BLAS takes this one for: records
# of two of its kernels are the same to the byte but for timing and provenance.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"

# Runs of some dozen rows at most: contacts in the plane and in space, joints, Newton's matrices.
runs=("falling-particle -f moreau --dt 1e-2" "falling-particle -f event --dt 1e-2"
  "rocking-block -f ncp --dt 5e-3" "rocking-block -f moreau-theta --dt 5e-3"
  "double-pendulum -f consistent-twostep --dt 1e-2 --t-end 1"
  "oscillator -f consistent-twostep --dt 1e-3 --t-end 0.2" "woodpecker -f lcp-st --dt 1e-3 --t-end 0.15"
  "thrown-ball -f ccp --dt 5e-3" "two-balls -f lcp-ap --dt 5e-3 --t-end 0.5"
  "tippe-top -f moreau --dt 1e-3 --t-end 0.05" "painleve-rod -f mdp --dt 1e-2")

# shellcheck disable=SC2317 # called by check
same() { "$program" compare "$1" "$2" >/dev/null; } # to the byte

results() { # kernel folder
  mkdir -p "$work/$2"
  for i in "${!runs[@]}"; do
    # shellcheck disable=SC2086 # words of a command
    OPENBLAS_CORETYPE=$1 "$program" run ${runs[i]} -o "$work/$2/$i.json" >/dev/null 2>&1 || true
  done
}
results Prescott a
results Haswell b
if grep -q 'DYNAMIC_ARCH.*Prescott' "$work/a/0.json" &&
  grep -q 'DYNAMIC_ARCH.*Haswell' "$work/b/0.json"; then
  for i in "${!runs[@]}"; do
    check "${runs[i]}" same "$work/a/$i.json" "$work/b/$i.json"
  done
else
  skip "two kernels" "this BLAS has but one, or not these"
fi
summary
