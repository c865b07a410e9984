#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The field's problems: files of FCLIB (HDF5), made and read by its own library, and Siconos' text. Sound
# ones give the operators known for them, damaged ones are refused with the reason, and what we write its
# library reads.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"
fclib=$(dirname "$program")/coulombench-fclib

# --- Siconos' text: dense and blocks by columns, triplets; friction, global, raw LCP ---
sticks() { # what file
  expect 0 "" solve "$work/$2" -s auto --tol 1e-12 -o "$work/s.json"
  check "$1" near "$work/s.json" r 2 0.3 -0.4
  expect 0 "" check "$work/$2"
}
# W = [4, 0.5, 0.2; 0.3, 5, 0.1; 0.4, 0.6, 6] and b = -W (2, 0.3, -0.4): no transposed one sticks there.
tail="-8.07 -2.06 1.42
0.6"
printf '3\n1\n0\n3\n3\n3\t3\n4 0.3 0.4 0.5 5 0.6\n0.2 0.1 6\n%s\n' "$tail" >"$work/dense.dat"
printf '3\n1\n1\n3\n3\n1\n1\n1\n3\t\n3\t\n2\n1\n0\t1\t\n0\t\n0\n4\n0.3\n0.4\n0.5\n5\n0.6\n0.2\n0.1\n6\n%s\n' "$tail" \
  >"$work/blocks.dat"
entries="    0 0 : 4
    0 1 : 0.5
    0 2 : 0.2
    1 0 : 0.3
    1 1 : 5
    1 2 : 0.1
    2 0 : 0.4
    2 1 : 0.6
    2 2 : 6"
head="CSparse Version 3.2.0, Sept 12, 2017.  Copyright (c) Timothy A. Davis, 2006-2016"
printf '3\n1\n2\n3\n3\n1\n%s\ntriplet: 3-by-3, nzmax: 36 nnz: 9\n%s\n%s\n' "$head" "$entries" "$tail" >"$work/triplet.dat"
sticks "a dense matrix by columns" dense.dat
sticks "blocks by columns" blocks.dat
sticks "triplets" triplet.dat
# M = diag(2, 4, 5), H = I, q = (2, 4, 5), b = (-2, 0, 0): W = M^-1, free velocity (-1, 1, 1).
printf '3\n1\n0\n3\n3\n3\t3\n2 0 0 0 4 0 0 0 5\n0\n3\n3\n3\t3\n1 0 0 0 1 0 0 0 1\n2 4 5\n-2 0 0\n0\n' >"$work/global.dat"
expect 0 "" solve "$work/global.dat" -s auto --tol 1e-12 -o "$work/s.json"
check "a global problem is reduced" near "$work/s.json" v 0 1 1
check "and so are its reactions" near "$work/s.json" r 2 0 0
printf '3\n0\n3\n3\n3\t3\n4 0 1 1 3 0 0 2 5\n-5 -3 1\n' >"$work/lcp.dat"
expect 0 "" solve "$work/lcp.dat" -s lemke -o "$work/s.json"
check "a raw LCP" near "$work/s.json" z 1 1 0
check "the asymmetry of W is said" grep -q '"asymmetry": 0.0833333' <("$program" solve "$work/dense.dat" -s auto -o -)
refused() { # words text
  printf '%b' "$2" >"$work/bad.dat"
  expect 2 "bad.dat: .*$1" solve "$work/bad.dat" -s auto -o "$work/s.json"
}
refused "where '' stands" '3\n'
refused "where '4' stands" '4\n1\n0\n3\n3\n'
refused "promises" '3\n100000000\n0\n300000000\n300000000\n300000000\t300000000\n1 2 3'
refused "where 'x' stands" '3\n1\n0\n3\n3\n3\t3\n1 2 3 4 5 6 7 8 x\n1 2 3\n0.5\n'
refused "where '9' stands" '3\n1\n0\n3\n3\n3\t3\n1 2 3 4 5 6 7 8 9\n1 2 3\n0.5\n9\n'
refused "not finite|no value|where 'nan' stands" '3\n1\n0\n3\n3\n3\t3\n1 2 3 4 5 6 7 8 9\n1 nan 3\n0.5\n'
refused "friction coefficient 0 is -1" '3\n1\n0\n3\n3\n3\t3\n1 2 3 4 5 6 7 8 9\n1 2 3\n-1\n'
refused "whole number" '3\n1\n1\n3\n3\n1\n1\n1\n3\n3\n2\n1\n0 7\n0\n0\n1 2 3 4 5 6 7 8 9\n1 2 3\n1\n'
refused "cumulated sizes" '3\n1\n1\n3\n3\n1\n1\n1\n2\n3\n2\n1\n0 1\n0\n0\n1 2 3 4 5 6 7 8 9\n1 2 3\n1\n'
refused "triplets is wanted" '3\n1\n2\n3\n3\n2\ncompressed\n'
refused "holds NUL" '3\n1\n0\n3\n3\n\0'

# --- FCLIB ---
printf '\211HDF\r\n\032\n' >"$work/signature.hdf5"
mkdir "$work/alone"
cp "$program" "$work/alone/coulombench"
with=$program
export COULOMBENCH_DATA=${COULOMBENCH_DATA:-$root}
program=$work/alone/coulombench
expect 2 "signature.hdf5: a file of FCLIB .HDF5., and this build has no coulombench-fclib; 'make PEERS=1'" \
  solve "$work/signature.hdf5" -s auto
program=$with
expect 2 "run: --format is of --dump-problems" run thrown-ball -f ncp --format fclib
expect 2 "unknown format 'xml'" run thrown-ball -f ncp --dump-problems 1 --format xml
if [[ ! -x $fclib ]]; then
  skip "files of FCLIB" "coulombench-fclib was not built: make PEERS=1"
  summary
fi
expect 2 "signature.hdf5: exit status 2: not a whole HDF5 file" solve "$work/signature.hdf5" -s auto
library=$work/library
read -r -a flags <<<"$(pkg-config --cflags --libs fclib hdf5 2>/dev/null)"
compiled() { # program flags...
  ${CC:-gcc} -D_GNU_SOURCE -o "$work/$1" "$root/tests/fclib/$1.c" "${@:2}" "${flags[@]}" -lhdf5_hl -lm 2>"$work/err"
}
if ! compiled library || ! compiled hostile; then
  skip "FCLIB's own library" "it is not installed: make PEERS=1"
  summary
fi
mkdir "$work/fclib"
check "FCLIB writes files" "$library" make "$work/fclib"
reads() { # file, blocks...; the rest is b
  "$fclib" read <"$work/fclib/$1.hdf5" >"$work/read.json" 2>"$work/err"
  check "$1: W" near "$work/read.json" blocks "${@:2:$#-1-dim}"
  check "$1: b" near "$work/read.json" b "${@: -dim}"
  expect 0 "" check "$work/fclib/$1.hdf5"
}
dim=3
for storage in triplet rows columns; do
  reads $storage 2 0.1 0.2 0.3 3 0.4 0.5 0.6 4 -1 2 3
done
reads constrained 1.8 0 0 0 3 0 0 0 4 -1.1 1 1
reads global 0.6 -0.2 0 -0.2 0.4 0 0 0 0.25 -0.8 0.6 1.5
reads global-constrained 0 0 0 0 0.3333333333 0 0 0 0.25 -1.3 0.7666666667 1.5
dim=2
reads planar 2 0.5 0.25 1 -1 2
dim=3
reads order-csparse 5 -1 0 0 1 0 0 0 1 -1 2 4.5
check "which is nothing to speak of" test ! -s "$work/err"
reads order-header 5 -1 0 0 1 0 0 0 1 -1 2 4.5
check "the other order is said, in a line" grep -qx '[^ ]*order-header.hdf5: triplets fit as (row p, column i) alone, .*' "$work/err"

# --- as Siconos writes them, with velocities that it has found ---
siconos=$work/siconos
if compiled siconos -isystem /usr/include/siconos -isystem /usr/include/siconos/numerics \
  -isystem /usr/include/suitesparse -lsiconos_numerics; then
  mkdir "$work/theirs"
  check "Siconos writes and solves" "$siconos" make "$work/theirs"
  for problem in sheared wide square; do
    expect 0 "" solve "$work/theirs/$problem.hdf5" -s auto --tol 1e-12 -o "$work/s.json"
    check "$problem: no remark" test ! -s "$work/err"
    # shellcheck disable=SC2046 # a list of numbers
    check "$problem: our velocities are those of the file" \
      near "$work/s.json" v $("$siconos" show "$work/theirs/$problem.hdf5" 2>/dev/null)
  done
else
  skip "files of Siconos" "its library is not installed: make PEERS=1"
fi
refuses() { # file words
  expect 2 "bad-$1.hdf5: exit status 2: .*$2" solve "$work/fclib/bad-$1.hdf5" -s auto -o "$work/s.json"
}
refuses dimension "spacedim is 7: neither planar nor spatial"
refuses rolling "rolling friction is not supported"
refuses group "rolling friction is not supported"
refuses size "3 components of 1 contacts, where fclib_local/W/m is 4 and fclib_local/vectors/q holds 3 numbers"
refuses huge "W is 3 x 2000000000, not 3 x 3"
refuses pointer "fclib_local/W/i holds 9 numbers, not 2000000000"
refuses order "pointers do not ascend"
refuses index "entry 4 is in row 1, column -1"
refuses row "entry 4 is in row 3"
refuses count "holds 9 numbers, not 1000000"
refuses storage "nz is -3, less than -2"
refuses nan "a vector holds what is not finite"
refuses mu "friction coefficient 0 is -1"
refuses vectors "vectors/mu is missing"
refuses q "vectors/q is missing"
refuses matrix "W/m is missing"
refuses empty "neither fclib_local nor fclib_global"
refuses kind "vectors/q is no data set that can be read"
refuses singular "M .with G. is singular"
whole=$(stat -c %s "$work/fclib/rows.hdf5")
for part in 9 100 2000 $((whole / 2)) $((whole - 1)); do
  head -c "$part" "$work/fclib/rows.hdf5" >"$work/cut.hdf5"
  expect 2 "cut.hdf5: " solve "$work/cut.hdf5" -s auto -o "$work/s.json"
done
# --- files that are made to harm: each is refused for its own reason, in little memory and time ---
check "hostile files" "$work/hostile" make "$work/fclib" "$work/fclib/rows.hdf5"
limited=$program
if [[ $program != */sanitize/* ]]; then # the sanitizer maps more than any limit
  limited=$work/limited
  printf '#!/bin/sh\nulimit -v 1500000\nexec timeout 30 "%s" "$@"\n' "$program" >"$limited"
  chmod +x "$limited"
  mkfifo "$work/asks"
  "$fclib" read <"$work/asks" 2>/dev/null &
  exec 9>"$work/asks"
  check "the reader has a limit of memory" wait_for grep -q 'Max address space  *[0-9]' "/proc/$!/limits"
  kill $!
  wait $! 2>/dev/null
  exec 9>&-
fi
program=$limited
harmless() { # file words
  expect 2 "hostile-$1.hdf5: exit status 2: .*$2" solve "$work/fclib/hostile-$1.hdf5" -s auto -o "$work/s.json"
}
harmless unwritten "q: its 2000000000 numbers were never written"
harmless chunks "mu: its 100000000 numbers were never written"
harmless holes "mu: promises 200000000 numbers in [0-9]* bytes"
harmless zeros "of 25000000 contacts, where fclib_local/W/m is 3"
harmless wide "spacedim does not hold integers"
harmless external "vectors/q is a link, which is not followed"
harmless external-group "fclib_local is a link"
harmless soft "fclib_local/vectors is a link"
harmless circle "fclib_local is a link"
harmless storage "q: its numbers are in another file"
harmless virtual "q: its numbers are in another file"
expect 0 "" solve "$work/fclib/hostile-packed.hdf5" -s auto -o "$work/s.json"
# Bytes changed at random: read or refused, never worse.
mkdir "$work/bent"
"$work/hostile" bend "$work/bent" "$work/fclib/rows.hdf5" 120 1
mkdir "$work/bent/global"
"$work/hostile" bend "$work/bent/global" "$work/fclib/global.hdf5" 80 2
# shellcheck disable=SC2317 # called through check
read_or_refused() { # files: one line for each
  local status
  "$program" check "$@" >"$work/read" 2>"$work/refused"
  status=$?
  ((status == 2 || status == 0)) && [[ -s $work/read && -s $work/refused ]] &&
    (($(cat "$work/read" "$work/refused" | wc -l) == $#))
}
for part in '[0-9]' '[1-4][0-9]' '[5-9][0-9]' '1[0-9][0-9]'; do
  check "bent files $part are read or refused" eval "read_or_refused '$work'/bent/bent-$part.hdf5"
done
for part in '[0-9]' '[1-4][0-9]' '[5-9][0-9]'; do
  check "bent global files $part are read or refused" eval "read_or_refused '$work'/bent/global/bent-$part.hdf5"
done
program=$with
# Sorts of files, and time.
mkfifo "$work/pipe.hdf5" "$work/pipe.json"
for odd in pipe.hdf5 pipe.json alone; do
  expect 2 "$odd: is neither a regular file nor standard input" solve "$work/$odd" -s auto
done
expect 2 "/dev/zero: is neither a regular file" solve /dev/zero -s auto
expect 2 "/etc/passwd: " solve /etc/passwd -s auto
expect 2 "pipe.json: is neither a regular file" solve "$root/tests/problems/one-3d.json" -s auto --warm "$work/pipe.json"
# shellcheck disable=SC2002 # a pipe is what is meant
check "standard input may be a pipe" test "$(cat "$root/tests/problems/one-3d.json" | "$program" solve /dev/stdin -s auto -o - | grep -c '"status": "ok"')" = 1
printf '#!/bin/sh\nwhile :; do :; done\n' >"$work/alone/coulombench-fclib"
chmod +x "$work/alone/coulombench-fclib"
program=$work/alone/coulombench
expect 1 "signature.hdf5: timeout: the problem was not read in 0.3 s" \
  solve "$work/signature.hdf5" -s auto --opt time_limit=0.3 -o "$work/late.json"
expect 0 "" check "$work/late.json"
mkdir "$work/late" "$work/odd"
cp "$work/signature.hdf5" "$work/late"
mkfifo "$work/odd/pipe.hdf5"
for set in late odd; do
  cat >"$work/$set.json" <<END
{"schema": "coulombench.suite/1", "name": "$set", "figures": "none", "cells":
 [{"problems": "$work/$set", "label": "$set", "laws": ["ncp"], "solvers": ["pgs"], "time_limit": 0.3}]}
END
done
expect 2 "signature.hdf5: the problem was not read in 0.3 s" bench "$work/late.json" -o "$work/made"
expect 2 "pipe.hdf5: is neither a regular file" bench "$work/odd.json" -o "$work/made"
program=$with

# --- what a run writes, read by FCLIB's library and solved by others ---
expect 0 "" run box-stack -f ncp -s auto --dt 0.01 --t-end 0.05 --dump-problems "2:$work/dumped" --format fclib -o "$work/r.json"
expect 0 "" run box-stack -f ncp -s auto --dt 0.01 --t-end 0.05 --dump-problems "2:$work/dumped" -o "$work/r.json"
check "a file of each form" test "$(find "$work/dumped" -name '*.hdf5' | wc -l)" = "$(find "$work/dumped" -name '*.json' | wc -l)"
peer=auto
[[ ! -x $(dirname "$program")/coulombench-siconos ]] || peer="siconos-nsgs"
for ours in "$work/dumped"/*.json; do
  dumped=$(basename "$ours" .json)
  "$library" show "$work/dumped/$dumped.hdf5" >"$work/shown.json"
  expect 0 "" solve "$ours" -s auto --tol 1e-11 -o "$work/own.json"
  expect 0 "" solve "$work/dumped/$dumped.hdf5" -s auto --tol 1e-11 -o "$work/same.json"
  check "$dumped: the same to the bit" test "$(numbers "$work/own.json" v)" = "$(numbers "$work/same.json" v)"
  expect 0 "" solve "$work/shown.json" -s $peer --tol 1e-10 --max-iter 100000 -o "$work/shown-solved.json"
  # shellcheck disable=SC2046 # a list of numbers
  check "$dumped: $peer finds our velocities in what FCLIB reads" near "$work/shown-solved.json" v $(numbers "$work/own.json" v)
done
expect 2 "law ncp alone" run falling-particle -f lcp-st --dt 0.05 --t-end 0.5 --dump-problems "1:$work/lcp" --format fclib -o "$work/r.json"

# --- a suite over all forms ---
mkdir "$work/set"
cp "$work/dense.dat" "$work/fclib/rows.hdf5" "$root/tests/problems/one-3d.json" "$work/set"
cat >"$work/forms.json" <<END
{"schema": "coulombench.suite/1", "name": "forms", "figures": "none", "studies": ["profile"], "cells":
 [{"problems": "$work/set", "label": "forms", "laws": ["ncp"], "solvers": ["pgs", "siconos-nsgs"], "opt": {"tol": 1e-8}}]}
END
expect 0 "" bench "$work/forms.json" -o "$work/made"
check "a suite takes all forms" test "$(find "$work/made/solve" -name 'forms--*--pgs.json' | wc -l)" = 3
expect 0 "" bench "$work/forms.json" --resume -o "$work/made"
check "and keeps what it has" grep -q "(6 kept)" "$work/err"
summary
