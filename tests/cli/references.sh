#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# References of a suite are made once and kept in its folder: with and without them records are the
# same, and a file that is damaged, of another build, or written by two programs at a time does no
# harm. See src/bench/reference/motion.h.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"
export COULOMBENCH_DATA=${COULOMBENCH_DATA:-$root}

cat >"$work/suite.json" <<S
{ "schema": "coulombench.suite/1", "name": "small", "cells":
  [ { "case": "double-pendulum", "formulations": ["moreau", "ncp", "event"], "t_end": 0.6, "dt": [0.01, 0.005] },
    { "case": "double-pendulum", "formulations": ["moreau", "ncp"], "t_end": 0.6, "dt": 0.01, "label": "free", "set": {"eps": 0.5} } ] }
S
bench() { # folder options...
  local folder=$1
  shift
  "$program" bench "$work/suite.json" -o "$work/$folder" "$@" >"$work/out" 2>"$work/err"
}
# shellcheck disable=SC2317 # called through check
same() { # folder folder
  "$program" compare "$work/$1" "$work/$2" >"$work/compared" 2>&1 && grep -q "same to the byte" "$work/compared"
}

check "a suite runs" bench first -j 1
kept=("$work"/first/references/*.reference)
# One for the steppers, one for event itself, and one for the other parameter.
check "a reference is made once for many cells" test ${#kept[@]} = 3
samples=("$work"/first/references/*.samples)
# moreau and ncp have their impacts in the same steps: of eight cells they are two pairs and one more.
check "and sampled once at the same times" test ${#samples[@]} = 5
files=$((${#kept[@]} + ${#samples[@]}))
stamp() { stat -c '%n %y %i' "$work"/with/references/*; }
cp -a "$work/first" "$work/with"
before=$(stamp)
check "runs repeat" bench with -j 1
check "with references from files records are the same" same first with
check "which are not written again" test "$(stamp)" = "$before"
rm "$work"/with/references/*.reference
check "runs repeat without the motions" bench with -j 1
check "for what these were at the times is enough" same first with
check "and none is made" test -z "$(find "$work/with/references" -name '*.reference')"
rm "$work"/with/references/*.samples
cp "$work"/first/references/*.reference "$work/with/references"
check "runs repeat without the samples" bench with -j 1
check "which are taken from the motions again" same first with
check "to the byte" bash -c "cd '$work/with/references' && for f in *; do
  cmp -s \"\$f\" \"$work/first/references/\$f\" || exit 1; done"

# Alone, without a folder to keep anything in.
"$program" run double-pendulum -f ncp --dt 0.01 --t-end 0.6 -o "$work/alone.json" 2>"$work/err"
"$program" compare "$work/alone.json" "$work/first/double-pendulum--ncp--dt0.01.json" >"$work/compared"
check "without a folder the record is the same" grep -q "same to the byte" "$work/compared"

for damage in cut changed other; do
  rm -rf "$work/damaged"
  cp -a "$work/first" "$work/damaged"
  for file in "$work"/damaged/references/*; do
    case $damage in
    cut) truncate -s 1000 "$file" ;;
    changed) printf 'x' | dd of="$file" bs=1 seek=5000 conv=notrunc 2>/dev/null ;;
    other) echo "something else" >"$file" ;;
    esac
  done
  check "a suite runs with references that are damaged ($damage)" bench damaged -j 1
  check "they are ignored with a line each ($damage)" test "$(grep -c 'made anew' "$work/err")" = $files
  check "records are the same ($damage)" same first damaged
  check "and good references are back ($damage)" bash -c "cd '$work/damaged' && for f in references/*; do
    cmp -s \"\$f\" \"$work/first/\$f\" || exit 1; done"
done

"$program" bench "$work/suite.json" -o "$work/both" -j 2 >"$work/out1" 2>"$work/err1" &
other=$!
bench both -j 2
one=$?
wait $other
check "two programs in one folder" test $one = 0 -a $? = 0
check "leave good records" same first both
check "and no half-written reference" test -z "$(find "$work/both" -name '.partial*')"

# Made beforehand, before a suite is shared out.
check "references alone are made" bench before -j 2 --references
check "which is said" grep -q "^3 cells in .*: 3 ok; references in $work/before" "$work/err"
check "all of them and nothing else" test "$(cd "$work/before/references" && find . -mindepth 1 -printf "%f\n" | LC_ALL=C sort)" = "$(cd "$work/first/references" && find . -name "*.reference" -printf "%f\n" | LC_ALL=C sort)"
check "no record is" test -z "$(find "$work/before" -name '*--*' -o -name table)"
stamp() { stat -c '%n %y %i' "$work"/before/references/*.reference; }
before=$(stamp)
check "and none again" bench before -j 2 --references
check "for cells that go on from them" bench before -j 2 --shard 1/2
check "in two parts" bench before -j 2 --shard 2/2
check "make none" test "$(stamp)" = "$before"
check "and have the same records" same first before
expect 2 "takes no --resume" bench "$work/suite.json" --references --missing -o "$work/none"
summary
