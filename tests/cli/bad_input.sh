#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Everything a user can get wrong: exit status 2, one line that names file, key and reason, and no
# partial file left behind.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"

run=(run falling-particle -f ccp --t-end 0.1 --dt 0.01)
mkdir "$work/o"

expect 2 "unknown command 'fly'" fly
expect 2 "unknown case 'falling-partcle'.*falling-particle" run falling-partcle -f ccp
expect 2 "unknown formulation 'cpp'.*ccp" run falling-particle -f cpp
expect 2 "unknown solver 'lemkee'.*lemke" run falling-particle -f ccp -s lemkee
expect 2 "no formulation" run falling-particle
expect 2 "one CASE" run -f ccp
expect 2 "unknown option '--frob'" run falling-particle -f ccp --frob
expect 2 "needs a value" run falling-particle -f ccp --dt
expect 2 "'muu'" "${run[@]}" --set muu=1
expect 2 "mu.*-1" "${run[@]}" --set mu=-1
expect 2 "mu.*nan" "${run[@]}" --set mu=nan
expect 2 "mu" "${run[@]}" --set mu=abc
expect 2 "mu" "${run[@]}" --set mu=
expect 2 "mu" "${run[@]}" --set mu
expect 2 "option 'stabilisatoin'" "${run[@]}" --opt stabilisatoin=1
expect 2 "tol" "${run[@]}" --opt tol=-1
expect 2 "max_iter" "${run[@]}" --opt max_iter=1.5
expect 2 "dt = -0.01" run falling-particle -f ccp --dt -0.01
expect 2 "dt = 0" run falling-particle -f ccp --dt 0
expect 2 "--dt = 'nan'" run falling-particle -f ccp --dt nan
expect 2 "dt = inf" run falling-particle -f ccp --dt inf
expect 2 "--dt = '1e-3x'" run falling-particle -f ccp --dt 1e-3x
expect 2 "steps" run falling-particle -f ccp --dt 1e-300
expect 2 "t_end = -1" run falling-particle -f ccp --t-end -1
expect 2 "sample = -1 s" "${run[@]}" --sample -1
expect 2 "sample = inf s" "${run[@]}" --sample inf
expect 2 "sample = 1e-08 s: a trajectory of" run falling-particle -f ccp --dt 1e-8 --sample 1e-8
expect 2 "sample = 0 s: must be positive" "${run[@]}" --sample 0
expect 2 "sample = 0.001 s: less than one step, dt = 0.01 s" "${run[@]}" --sample 1e-3
expect 2 "t-end = 0 s: must be positive" run falling-particle -f ccp --t-end 0
expect 2 "t_end = 1e-05 s: less than one step, dt = 0.001 s" run falling-particle -f ccp --t-end 1e-5 --dt 1e-3
expect 2 "t_end = 1.5 s: less than one step, dt = 2 s" run falling-particle -f ccp --dt 2
expect 2 "--dt: given twice, 0.001 s and '1e-4'" run falling-particle -f ccp --dt 1e-3 --dt 1e-4
expect 2 "--sample: given twice" "${run[@]}" --sample 0.1 --sample 0.2
expect 2 "--set: given twice, 'mu=0.1' and 'mu=0.2'" "${run[@]}" --set mu=0.1 --set mu=0.2
expect 2 "--opt: given twice, 'tol=1e-3' and 'tol=1e-4'" "${run[@]}" --opt tol=1e-3 --opt tol=1e-4
expect 2 "--opt: given twice" solve "$root/tests/problems/one-3d.json" -s pgs --tol 1e-3 --opt tol=1e-4
expect 2 "y0" "${run[@]}" --set y0=-1
expect 2 "takes no solver" run falling-particle -f event -s lemke
expect 2 "$work/none/x.json" "${run[@]}" -o "$work/none/x.json"
expect 2 "/dev/full" "${run[@]}" -o /dev/full
expect 2 "" "${run[@]}" -o "$work/o"
# An output does not take the place of what is read.
cp "$root/cases/scenes/rolling-sphere.json" "$work/scene.json"
cp "$root/tests/problems/one-3d.json" "$work/one.json"
ln -s scene.json "$work/other.json"
ball=(run "$work/scene.json" -f moreau --t-end 0.01)
expect 2 "scene.json: is read; the output would replace it" "${ball[@]}" -o "$work/scene.json"
expect 2 "other.json: is read" "${ball[@]}" -o "$work/other.json"
expect 2 "scene.json: is read" "${ball[@]}" --checkpoint "$work/scene.json"
expect 2 "scene.json: is read" "${ball[@]}" --film "$work/scene.json"
expect 2 "one.json: is read" solve "$work/one.json" -s pgs -o "$work/one.json"
check "the scene is as it was" cmp -s "$work/scene.json" "$root/cases/scenes/rolling-sphere.json"
check "the problem too" cmp -s "$work/one.json" "$root/tests/problems/one-3d.json"
check "no partial file after refusals" only_files "$work/o"

# Numbers that overflow are a status, and the record says so in a way that the check takes.
overflows() { # reason words...
  expect 1 "diverged: .*$1" "${@:2}" -o "$work/huge.json"
  expect 0 "" check "$work/huge.json"
}
overflows "velocities of the record are not finite" run free-top -f consistent-onestep --set w1_0=1e300 --set w3_0=1e-300
overflows "the start, or the problem itself, is not finite" run painleve-rod -f ncp --set v0=1e300
overflows "the energy is not finite" run oscillator -f moreau --set u1_0=1e200 --dt 0.1 --t-end 0.2

# Files.
echo '{"schema": "coulombench.result/2"}' >"$work/short.json"
echo '{"schema": "coulombench.result/9"}' >"$work/future.json"
echo '{"schema": "coulombench.result/1", "contacts": {"closings": 3}}' >"$work/old.json"
echo '{"schema": "coulombench.problem/1", "kind": "friction"' >"$work/cut.json"
printf '' >"$work/empty.json"
echo '{"schema": "coulombench.suite/1", "name": "x", "cels": []}' >"$work/suite.json"
echo '{"schema": "coulombench.suite/1", "name": "x", "cells": [{"case": "oscillator", "dt": -1}]}' \
  >"$work/suite2.json"
echo '{"schema": "coulombench.suite/1", "name": "x", "cells": [{"case": "oscilator"}]}' >"$work/suite3.json"
echo '[1,2,3]' >"$work/list.json"
expect 2 "short.json: case: is missing" check "$work/short.json"
expect 2 "old.json: key 'schema': 'coulombench.result/1'.*run it again" check "$work/old.json"
expect 2 "future.json.*result/9" check "$work/future.json"
expect 2 "cut.json.*line" check "$work/cut.json"
expect 2 "empty.json" check "$work/empty.json"
expect 2 "list.json" check "$work/list.json"
expect 2 "absent.json" check "$work/absent.json"
expect 2 "suite.json.*'cels'" bench "$work/suite.json" -o "$work/r"
expect 2 "suite2.json: cells\[0\].dt: must be > 0, is -1" bench "$work/suite2.json" -o "$work/r"
expect 2 "suite3.json.*oscilator" bench "$work/suite3.json" -o "$work/r"
expect 2 "unknown suite 'quik'" bench quik
expect 2 "-j = '0'" bench quick -j 0
expect 2 "-j = 'many'" bench quick -j many
expect 2 "cut.json.*line" solve "$work/cut.json" -s pgs
expect 2 "absent.json" solve "$work/absent.json" -s pgs
expect 2 "unknown solver 'magic'" solve "$work/cut.json" -s magic
expect 2 "no solver" solve "$work/cut.json"
expect 2 "two records" compare "$work/short.json"
expect 2 "" compare "$work/short.json" "$work"
expect 2 "absent" report "$work/absent"
expect 2 "unknown name 'nothing'" describe nothing
expect 2 "unknown list 'things'" list things
check "no folder of records from a refused suite" test ! -e "$work/r"

problem='{"schema":"coulombench.problem/1","kind":"friction","name":"p","dim":3,"contacts":1,"mu":[MU],
"W":{"storage":"block-csr","row_ptr":[0,1],"col":[0],"blocks":[1,0,0,0,1,0,0,0,1]},"b":[-1,B,0]}'
problem() { # file MU B
  local text=${problem/MU/$2}
  echo "${text/-1,B,0/-1,$3,0}" >"$1"
}
problem "$work/p.json" 0.5 1
expect 0 "" solve "$work/p.json" -s pgs -o "$work/s.json"
expect 0 "" check "$work/p.json" "$work/s.json"
expect 0 "" solve "$work/p.json" -s pgs --warm "$work/s.json" -o "$work/s2.json"
problem "$work/p2.json" -0.5 1
expect 2 "p2.json.*mu" solve "$work/p2.json" -s pgs
problem "$work/p3.json" 0.5 '"x"'
expect 2 "p3.json: (key .b.:|b\[1\]:)" solve "$work/p3.json" -s pgs
expect 2 "p.json" solve "$work/p.json" -s pgs --warm "$work/p.json"
expect 2 "tol" solve "$work/p.json" -s pgs --tol nan
expect 2 "unknown contact law 'coulomb'.*ncp" solve "$work/p.json" -s pgs --law coulomb
expect 1 "unsupported" solve "$work/p.json" -s apgd
# Exit status tells the truth about results, however near or far they are.
expect 1 "unconverged" solve "$work/p.json" -s pgs --max-iter 0 -o "$work/u.json"
psor=(solve "$work/p.json" -s psor --law ccp --tol 1e-9 -o "$work/u.json")
expect 1 "unconverged: residual" "${psor[@]}" --max-iter 5
expect 0 "" "${psor[@]}"
expect 1 "unconverged" run falling-particle -f ccp -s psor --opt max_iter=1 -o "$work/u.json"
expect 0 "" run falling-particle -f ccp -s psor -o "$work/u.json"
sed 's/"blocks":[^]]*]}/"blocks":[0,0,0,0,0,0,0,0,0]}/' "$work/p.json" >"$work/stuck.json"
expect 1 "stuck.json: diverged" solve "$work/stuck.json" -s apgd --law ccp -o "$work/u.json"

# Words of the command line: decimal numbers, finite ones, in UTF-8.
expect 2 "'0x10' is not a number|not a decimal number" "${run[@]}" --set mu=0x10
expect 2 "option 'tol' = inf: must be finite" "${run[@]}" --opt tol=inf
expect 2 "option 'tol' takes a number: '0x1p-30' is not a decimal number" "${run[@]}" --opt tol=0x1p-30
expect 2 "--dt = '0x1p-7'" run falling-particle -f ccp --dt 0x1p-7
expect 2 "LO,HI" run falling-particle -f ccp --search 0x1p-9,0.1
expect 2 "not UTF-8" run "$root/cases/scenes/rolling-sphere.json" -f ccp --set $'title=a\xffb'
expect 2 "'tol=1\.\.\.' is not UTF-8" "${run[@]}" --opt $'tol=1\xc3'

# A name of a megabyte leaves the file and the reason to be read.
# shellcheck disable=SC2317 # called through check
short_message() { # one line; the known cases are 400 bytes
  (($(wc -c <"$work/err") <= 1000)) && (($(wc -l <"$work/err") == 1))
}
huge=$(printf '%01000000d' 0)
printf '{"schema": "coulombench.suite/1", "name": "x", "%s": 1}' "$huge" >"$work/long.json"
expect 2 "long.json: .*unknown key '0*\.\.\.0*'" check "$work/long.json"
check "a key of a megabyte gives a short message" short_message
printf '{"schema": "coulombench.suite/1", "name": "x", "cells": [{"case": "%s"}]}' "$huge" >"$work/long.json"
expect 2 "long.json: key 'case': unknown case '0*\.\.\.0*'" check "$work/long.json"
check "a case of a megabyte gives a short message" short_message
printf '{"schema": "coulombench.%s"}' "$huge" >"$work/long.json"
expect 2 "long.json: key 'schema': 'coulombench.0*\.\.\.0*' is not one of ours" check "$work/long.json"
check "a schema of a megabyte gives a short message" short_message

# Numbers that no double holds, in files of every schema.
for schema in result/2 suite/1 case/1 scene/1 problem/1 solution/1 figure/1; do
  echo '{"schema": "coulombench.'$schema'", "t_end": 1e999}' >"$work/huge.json"
  expect 2 "huge.json: a number too large for a double, line 1 column" check "$work/huge.json"
done

# A group of problems is checked like a cell, whether or not its folder is there.
# shellcheck disable=SC2016 # the program expands it
for place in tests/problems '$COULOMBENCH_NOWHERE'; do
  group='{"schema": "coulombench.suite/1", "name": "x", "cells": [{"problems": "'$place'", "label": "x", "laws": ["ncp"]'
  echo "$group, \"solvers\": [\"typo\"]}]}" >"$work/group.json"
  expect 2 "group.json: key 'solvers': unknown solver 'typo'" bench "$work/group.json" -o "$work/r"
  echo "$group, \"solvers\": [\"pgs\"], \"opt\": {\"bogus\": 1}}]}" >"$work/group.json"
  expect 2 "group.json: key 'opt': pgs: unknown option 'bogus'" bench "$work/group.json" -o "$work/r"
  check "nothing is written for $place" test ! -e "$work/r"
done
for time in '"t_end": 0' '"t_end": 1e-3, "dt": 1e-2' '"sample": 0' '"sample": 1e-4, "dt": 1e-2'; do
  echo '{"schema": "coulombench.suite/1", "name": "x", "cells": [{"case": "falling-particle", "formulations": ["ccp"], '"$time"'}]}' \
    >"$work/times.json"
  expect 2 "times.json: (cell 'falling-particle--ccp.*less than one step|cells\[0\]\.(t_end|sample): must be > 0)" bench "$work/times.json" -o "$work/r"
done
echo '{"schema": "coulombench.suite/1", "name": "x", "cells": [{"case": "falling-particle", "threads": [2147483647]}]}' >"$work/times.json"
expect 2 "threads\[0\]: must be from 1 to 1024, is 2147483647" bench "$work/times.json" -o "$work/r"

# A case's file without a parameter that its model asks for; nothing else of the program is harmed.
mkdir -p "$work/data/scripts"
cp -r "$root/cases" "$work/data"
sed -i '/^ *"R": /d' "$work/data/cases/bouncing-ball/bouncing-ball.json"
lacking="bouncing-ball.json: key 'parameters.R': missing; the case needs it, a number"
COULOMBENCH_DATA=$work/data expect 2 "$lacking" run bouncing-ball -f moreau
COULOMBENCH_DATA=$work/data expect 2 "$lacking" check "$work/data/cases/bouncing-ball/bouncing-ball.json"
echo '{"schema": "coulombench.suite/1", "name": "x", "cells": [{"case": "bouncing-ball", "formulations": ["moreau"]}]}' >"$work/lacking.json"
COULOMBENCH_DATA=$work/data expect 2 "$lacking" bench "$work/lacking.json" -o "$work/r"

# An output that is a link to nothing yet becomes a file there, and stays a link.
ln -s later.json "$work/link.json"
expect 0 "" "${run[@]}" -o "$work/link.json"
check "the link stays" test -L "$work/link.json"
check "and leads to the record" test -s "$work/later.json"

# The system grants no more than a kilobyte of a file: no record, no partial file.
mkdir "$work/small"
(
  trap '' XFSZ
  ulimit -f 1
  "$program" run falling-particle -f moreau --dt 0.01 -o "$work/small/x.json"
  echo "status $?" >&2
) >/dev/null 2>"$work/err"
check "a file that may not grow is one line and exit status 2" \
  test "$(sed 's/^coulombench: .*x\.json: cannot write: File too large$/refused/' "$work/err" | tr '\n' ' ')" = "refused status 2 "
check "and leaves nothing" only_files "$work/small"

# A full disk and an unwritable folder leave no partial file. A tiny file system needs privileges.
if mkdir "$work/full" && mount -t tmpfs -o size=4k none "$work/full" 2>/dev/null; then
  expect 2 "$work/full/r.json: .*No space" run falling-particle -f ccp --t-end 0.1 --dt 1e-4 --sample 1e-4 -o "$work/full/r.json"
  check "full disk: nothing left" only_files "$work/full"
  umount "$work/full"
else
  skip "full disk" "cannot mount a small file system here"
fi
# --- what would be waited for, or stands twice ---
mkfifo "$work/fifo.json"
for reads in "check '$work/fifo.json'" "run '$work/fifo.json' -f ncp" "describe '$work/fifo.json'" \
  "run falling-particle -f ncp --restart '$work/fifo.json'" "solve '$work/fifo.json' -s pgs" \
  "solve '$root/tests/problems/one-3d.json' -s pgs --warm '$work/fifo.json'"; do
  check "a pipe nobody writes to is not waited for: $reads" sh -c \
    "timeout 10 '$program' $reads 2>&1 | grep -q 'neither a regular file nor standard input'"
done
check "a problem is checked that can be read only once" sh -c \
  "cat '$root/tests/problems/one-3d.json' | '$program' check /dev/stdin"
expect 2 "ensemble: 'phase=3': its key is there twice" run falling-particle -f ncp --ensemble phase=2,phase=3
expect 2 "ensemble: 'phase=2': its key is there twice" run falling-particle -f ncp --ensemble phase=2,seed=3,phase=2
for nested in '"set": {"mu": [[0.1, 0.2]]}' '"set": {"mu": [0.1, [0.2]]}' '"opt": {"tol": [[1e-3]]}' '"set": {"mu": [null]}' '"solver": [["pgs"]]'; do
  echo "{\"schema\": \"coulombench.suite/1\", \"name\": \"n\", \"cells\": [{\"case\": \"falling-particle\", \"formulations\": [\"ncp\"], $nested}]}" >"$work/nested.json"
  expect 2 "nested.json: cells\[0\]\.(set.mu|opt.tol|solver)\[[01]\]: must be" bench "$work/nested.json" --dry-run
done
summary
