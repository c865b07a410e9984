#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Why sweeps of relaxation do not solve a one-step problem of exact Coulomb friction: a table with a
# row a problem.
#
#   residual     of the best iterate of N sweeps: forward, backward, and with momentum
#   factor       of the residual's best value a sweep, over the second half of the forward sweeps
#   starts       distance of the impulses, and of the velocities, between forward and backward sweeps,
#                over the largest impulse and the largest free velocity
#   momentum     the same distance of impulses between sweeps with momentum and forward ones, after N/8
#                and after N sweeps
#   changes      of state (open, sticks, slides, by the impulse) between iterates ten sweeps apart, over
#                100 forward sweeps from the N-th, and how many contacts change
#
# Usage: why_unsolved.sh [-n N] PROBLEM.json..., with the program as $COULOMBENCH or build/coulombench
set -euo pipefail
sweeps=4000
if [ "${1:-}" = -n ]; then sweeps=$2; shift 2; fi
[ $# -gt 0 ] || { echo "usage: why_unsolved.sh [-n N] PROBLEM.json..." >&2; exit 2; }
program=${COULOMBENCH:-$(dirname "$0")/../build/coulombench}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

relax() { # output, sweeps, more options: what misses the tolerance is a result (exit status 1)
  local output=$work/$1 count=$2
  shift 2
  "$program" solve "$problem" --law ncp -s relaxation --tol 1e-10 --max-iter "$count" "$@" -o "$output" 2>"$work/said" ||
    [ $? -eq 1 ] || { cat "$work/said" >&2; exit 3; }
}
list() { # file, key: numbers of a list, one a line
  tr -d '\n' <"$1" | sed "s/.*\"$2\": *\[\([^]]*\)\].*/\1/" | tr ', ' '\n' | grep .
}
residual() { sed -n 's/.*"relative_free": *\([-0-9.e+]*\).*/\1/p' "$work/$1"; }
distance() { # file, file, key, scale: a file and its key
  paste <(list "$work/$1" "$3") <(list "$work/$2" "$3") | awk -v scale="$(list "$4" "$5" |
    awk '{ x = $1 < 0 ? -$1 : $1; if (x > most) most = x } END { print most }')" '
    { x = $1 - $2; x = x < 0 ? -x : x; if (x > most) most = x } END { printf "%.1e", most / scale }'
}
states() { # file: 0 open, 1 sticks, 2 slides, a line a contact
  paste <(list "$problem" mu) <(list "$work/$1" r | paste - - -) |
    awk '{ print $2 <= 0 ? 0 : sqrt($3 ^ 2 + $4 ^ 2) < $1 * $2 * (1 - 1e-9) ? 1 : 2 }'
}

echo "| problem | contacts | residual: forward, backward, momentum | factor a sweep | starts: impulses, velocities | to momentum: N/8, N | changes in 100 sweeps | contacts that change |"
echo "| --- | --- | --- | --- | --- | --- | --- | --- |"
for problem; do
  relax eighth $((sweeps / 8))
  relax forward "$sweeps" --history
  relax backward "$sweeps" --opt order=backward
  relax momentum "$sweeps" --opt momentum=0.8 --opt growth=10
  factor=$(list "$work/forward" residual | awk '
    { if (NR == 1 || $1 < least) least = $1; best[NR] = least }
    END { half = int(NR / 2); printf "%.5f", (best[NR] / best[half]) ^ (1 / (NR - half)) }')
  : >"$work/states"
  for more in 0 10 20 30 40 50 60 70 80 90 100; do # from nothing: of a better start the solution would be the start
    relax last $((sweeps + more)) --opt check_every=$((sweeps + more))
    states last | paste "$work/states" - >"$work/both"
    mv "$work/both" "$work/states"
  done
  circulate=$(awk '{ n = 0; for (i = 2; i <= NF; ++i) n += $i != $(i - 1); all += n; some += n > 0 }
    END { print all " | " some }' "$work/states")
  # shellcheck disable=SC2016 # quotes of Markdown
  printf '| `%s` | %d | %.1e, %.1e, %.1e | %s | %s, %s | %s, %s | %s |\n' "$(basename "$problem" .json)" \
    "$(wc -l <"$work/states")" "$(residual forward)" "$(residual backward)" "$(residual momentum)" "$factor" \
    "$(distance forward backward r "$work/momentum" r)" "$(distance forward backward v "$problem" b)" \
    "$(distance momentum eighth r "$work/momentum" r)" "$(distance momentum forward r "$work/momentum" r)" "$circulate"
done
