#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A checkpoint goes on as the run it is of, or not at all: with another file of the case or another
# program under the same command it is refused by one line that says what differs; so is one that was
# damaged, wherever it was. What goes on says so.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"

cp "$root/cases/scenes/rolling-sphere.json" "$work/scene.json"
run=(run "$work/scene.json" -f ncp --dt 1e-3 --t-end 0.02)
expect 0 "" "${run[@]}" --checkpoint "$work/state" --checkpoint-every 0.011 -o "$work/whole.json"
lasting() { sed '/^  "timing"/,$d' "$1"; }
goes_on() { # what
  expect 0 "" "${run[@]}" --restart "$work/state" -o "$work/rest.json"
  check "$1: the record is that of the whole" cmp -s <(lasting "$work/whole.json") <(lasting "$work/rest.json")
}
goes_on "the same files and program"
check "the record tells what it went on from" grep -q "\"restarted_from\": \"$work/state\"" "$work/rest.json"
check "one that did not says nothing of it" test "$(grep -c restarted "$work/whole.json")" = 0
expect 0 "" check "$work/rest.json"

same="$work/state: is of the same command, but of"
sed -i 's/"mu": [0-9.]*/"mu": 0.123/' "$work/scene.json"
check "the scene has another mu" grep -q '"mu": 0.123' "$work/scene.json"
expect 2 "$same other parameters, options or times" "${run[@]}" --restart "$work/state" -o "$work/none.json"
expect 0 "" "${run[@]}" --start "$work/state" -o "$work/start.json"
check "a start from it says of what run and key" \
  grep -q "Starts from the state at t = 0.011 s of: coulombench run .* (cell=.* build=.*)" "$work/start.json"
cp "$root/cases/scenes/rolling-sphere.json" "$work/scene.json"
echo >>"$work/scene.json"
expect 2 "$same another file of the case, scene or problem" "${run[@]}" --restart "$work/state" -o "$work/none.json"
cp "$root/cases/scenes/rolling-sphere.json" "$work/scene.json"
goes_on "the scene as it was"

# The case's default is another, or its file alone.
mkdir -p "$work/data/cases" "$work/data/scripts"
cp -r "$root/cases/falling-particle" "$root/cases/scenes" "$work/data/cases"
particle=(run falling-particle -f moreau --dt 0.01 --t-end 0.2)
expect 0 "" "${particle[@]}" --checkpoint "$work/particle" -o "$work/p.json"
sed -i '/"mu"/s/"value": [0-9.]*/"value": 0.7/' "$work/data/cases/falling-particle/falling-particle.json"
COULOMBENCH_DATA=$work/data expect 2 "but of other parameters, options or times" \
  "${particle[@]}" --restart "$work/particle" -o "$work/none.json"
cp "$root/cases/falling-particle/falling-particle.json" "$work/data/cases/falling-particle"
echo >>"$work/data/cases/falling-particle/falling-particle.json"
COULOMBENCH_DATA=$work/data expect 2 "but of another file of the case" \
  "${particle[@]}" --restart "$work/particle" -o "$work/none.json"

# Another program, as far as its key knows: the hash of a source stands in it.
own=$program
LC_ALL=C sed 's|src/problem/solvers/pgs.c [0-9a-f]\{16\}|src/problem/solvers/pgs.c 0123456789abcdef|' "$own" >"$work/built"
chmod +x "$work/built"
export COULOMBENCH_DATA=${COULOMBENCH_DATA:-$root}
program=$work/built
expect 2 "$same other sources" "${run[@]}" --restart "$work/state" -o "$work/none.json"
program=$own

# Bytes that flipped, and files cut short: one line, no record. Fixed places, all over the file.
size=$(stat -c %s "$work/state")
RANDOM=20261123
for ((i = 0; i < 24; ++i)); do
  at=$(((RANDOM * 32768 + RANDOM) % size))
  ((i >= 12)) || at=$((i * 5)) # the head's words
  cp "$work/state" "$work/flipped"
  byte=$(od -An -tu1 -j "$at" -N 1 "$work/state")
  # shellcheck disable=SC2059 # the format is the byte
  printf "\\x$(printf '%02x' $((byte ^ 1 << RANDOM % 8)))" |
    dd of="$work/flipped" bs=1 seek="$at" conv=notrunc status=none
  expect 2 "$work/flipped: (was cut short or changed|is no coulombench.checkpoint)" \
    "${run[@]}" --restart "$work/flipped" -o "$work/none.json"
done
for at in 0 1 30 $((size / 2)) $((size - 1)); do
  head -c "$at" "$work/state" >"$work/cut"
  expect 2 "$work/cut: (was cut short or changed|is no coulombench.checkpoint)" \
    "${run[@]}" --restart "$work/cut" -o "$work/none.json"
  expect 2 "$work/cut: (was cut short or changed|is no coulombench.checkpoint)" \
    "${run[@]}" --start "$work/cut" -o "$work/none.json"
done
expect 2 "$work: is neither a regular file" "${run[@]}" --restart "$work" -o "$work/none.json"
expect 2 "absent: cannot read: No such file" "${run[@]}" --restart "$work/absent" -o "$work/none.json"
check "no record of what was refused" test ! -e "$work/none.json"

# A stride that no step before the end meets.
for every in 0.02 0.03 9; do
  expect 2 "checkpoint-every = $every s: no checkpoint comes before t_end = 0.02 s" \
    "${run[@]}" --checkpoint "$work/never" --checkpoint-every "$every" -o "$work/none.json"
done
expect 2 "checkpoint-every = 0.01 s: no file is given" "${run[@]}" --checkpoint-every 0.01 -o "$work/none.json"
check "nothing is written" test ! -e "$work/never"
summary
