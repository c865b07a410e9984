#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# compare A B: the verdict and its exit status, the order of the rows, what stands alone, what was
# other input, ratios, and what users get wrong.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"

says() { # what expression: a line of the output
  check "$1" grep -qE -- "$2" "$work/out"
}
lacks() { # what expression
  if grep -qE -- "$2" "$work/out"; then bad "$1" "the output holds '$2'"; else ok "$1"; fi
}
at() { # line of the first match, to stand before others
  grep -nE -- "$1" "$work/out" | head -n 1 | cut -d: -f1
}
change() { # file expression...
  local file=$1
  shift
  cp "$file" "$work/before"
  sed -i "$@" "$file"
  if cmp -s "$file" "$work/before"; then bad "$file" "not changed by $*"; fi
}

# A folder of everything: runs, two searches, a solution, a figure.
a=$work/a
mkdir -p "$a/solve" "$a/figures"
for dt in 0.001 0.003 0.01; do
  expect 0 "" run falling-particle -f ccp --dt $dt --sample 0.1 -o "$a/ccp-$dt.json"
done
expect 0 "" run falling-particle -f moreau -o "$a/moreau.json"
expect 0 "" run oscillator -f moreau --t-end 0.1 --search 1e-5,1e-2 -o "$a/search.json"
expect 0 "" run pushed-box -f ccp -s ipm --t-end 0.02 --search push=0.5,2,0.1 --until '|final.u.box.vx|<1e-8' \
  -o "$a/threshold.json"
expect 0 "" solve "$root/tests/problems/balls-3d-150.json" -s pgs --tol 1e-8 -o "$a/solve/balls.json"
unseal "$a"/*.json "$a"/solve/*.json # they are changed below
cat >"$a/figures/f.json" <<'S'
{ "schema": "coulombench.figure/2", "id": "f", "caption": "Measured: 4.8e-18.", "status": "ok",
  "checks": [ {"what": "error [m]", "measured": 4.8e-18, "lo": 0, "hi": 1e-10, "verdict": "not stated"},
              {"what": "timing: a step", "measured": 3, "lo": 0, "hi": 5, "verdict": "not stated"} ] }
S
echo '{ "schema": "coulombench.suite/1" }' >"$a/suite.json"
echo 'no JSON' >"$a/table.md"

# Same to the byte, but for time, and how it was built and run.
cp -r "$a" "$work/same"
change "$work/same/ccp-0.01.json" 's/"total_s": .*,/"total_s": 12,/'
change "$work/same/figures/f.json" 's/"measured": 3/"measured": 4/'
sed -i 's/"blas": "[^"]*"/"blas": "OpenBLAS of another kernel"/; s/"flags": "/&-O0 /' "$work/same"/*.json
expect 0 "" compare "$a" "$work/same"
says "the verdict" '^verdict: same to the byte$'
says "the summary" '^summary: 8 records: 8 same to the byte, 0 differ, 0 newly failed, 0 newly ok, 0 other input, 0 only in A, 0 only in B'
says "the kernel of B" '^blas: .* -> OpenBLAS of another kernel$'
says "the flags of B" '^flags: .* -> -O0 '
lacks "what is the same is not said" '^compiler'
says "no records" '^1 files that are not records'
lacks "no rows" 'moreau'
expect 0 "" compare --verbose "$a" "$work/same"
says "a row a record, if asked for" ' ok .* moreau.json'

# One entry of each kind at rounding: differs, and is the same to a tolerance.
b=$work/b
cp -r "$a" "$b"
change "$b/figures/f.json" 's/"measured": 4.8e-18/"measured": 4.6e-18/; s/Measured: 4.8/Measured: 4.6/'
change "$b/moreau.json" 's/"initial": 11.81,/"initial": 11.810000000001,/'
change "$b/solve/balls.json" 's/"absolute": [0-9.e-]*/"absolute": 1e-12/'
expect 1 "" compare "$a" "$b"
says "differs" '^verdict: differs$'
says "counted" '8 records: 5 same to the byte, 3 differ'
says "of a size" 'ok +8.5e-14 .*moreau.json  energy.initial: 11.81 -> 11.810000000001'
says "of a figure's bounds" 'ok +2.0e-09 .*figures/f.json  checks\[0\].measured: 4.8e-18 -> 4.6e-18'
expect 0 "" compare --tol 1e-5 "$a" "$b"
says "same to a tolerance" '^verdict: same to 1e-05$'
says "the order is that of the size" '^within the limit \(3\)'
check "larger first" test "$(at 'figures/f.json  ')" -lt "$(at 'moreau.json  ')"
expect 1 "" compare --tol 1e-13 "$a" "$b"
says "one within, two not" '5 same to the byte, 1 same to 1e-13, 2 differ'
expect 1 "" compare --verbose "$a" "$b"
says "every entry" '^    caption: .Measured: 4.8e-18.. -> .Measured: 4.6e-18.*  0.00e\+00$'
expect 0 "" compare --tol 0 --ignore energy.initial "$a/moreau.json" "$b/moreau.json"
says "what was left out is said" '^left out: energy.initial$'
says "then it is the same" '^verdict: same to the byte$'

# Newly failed, then newly ok, then by size, other input, what stands alone, words last.
change "$a/ccp-0.003.json" 's/"status": "ok"/"status": "failed"/'
change "$b/ccp-0.01.json" 's/"status": "ok"/"status": "unconverged"/'
change "$b/ccp-0.001.json" 's/"max_increase": 0/"max_increase": 1e-3/'
change "$b/search.json" 's/"reason": ""/"reason": "in other words"/'
rm "$b/threshold.json"
sed 's/"name": "moreau"/"name": "moreau-theta"/' "$a/moreau.json" >"$b/new.json"
sed 's/"m": 1,/"m": 2,/; s/"total": [0-9]*,/"total": 9999,/' "$a/moreau.json" >"$b/asked.json"
cp "$a/moreau.json" "$a/asked.json"
for side in a b; do # cells of a suite are found under any name
  sed "s/\"case\": {/\"cell\": { \"suite\": \"s\", \"id\": \"c\", \"swept\": {} },\n  &/" "$a/moreau.json" >"$work/$side/of-$side.json"
done
head -c 300 "$a/moreau.json" >"$b/solve/cut.json"
expect 1 "" compare --tol 1e-5 "$a" "$b"
says "counted" '1 same to the byte, 3 same to 1e-05, 1 differ, 1 newly failed, 1 newly ok, 1 other input, 1 only in A, 1 only in B, 1 unreadable, 1 differ in words'
says "newly failed" 'ok -> unconverged .* ccp-0.01.json'
says "newly ok" 'failed -> ok .* ccp-0.003.json'
says "what was asked, not what came out" 'asked.json  case.parameters.m: 1 -> 2'
says "a cut file" 'solve/cut.json  .*cut.json: '
expect 1 "" compare --verbose "$a" "$b"
says "the same cell under another name" 'of-a.json \(in B: of-b.json\)'
says "what came out is listed too" '^    iterations.total: [0-9]+ -> 9999'
expect 1 "" compare --tol 1e-5 "$a" "$b"
last=0
for what in '^median ratios' '^newly failed \(1\)' '^newly ok \(1\)' '^differ \(1\)' '^other input \(1\)' '^only in A \(1\)' \
  '^only in B \(1\)' '^unreadable \(1\)' '^differ in words \(1\)' '^within the limit \(3\)'; do
  line=$(at "$what")
  check "in order: $what" test "${line:-0}" -gt "$last"
  last=${line:-0}
done

# Ratios: the median of three pairs of a case and formulation.
mkdir "$work/early" "$work/late"
for k in 1 2 4; do
  cp "$a/moreau.json" "$work/early/$k.json"
  sed -E "s/\"q_linf\": [0-9.e-]+/\"q_linf\": 1e-$k/" "$a/moreau.json" >"$work/late/$k.json"
  sed -i -E "s/\"q_linf\": [0-9.e-]+/\"q_linf\": 1/" "$work/early/$k.json"
done
expect 1 "" compare "$work/early" "$work/late"
says "the median of three" '^ +3 +1 +0.01 +1  falling-particle, moreau$'

# Statuses and keys are told whatever the tolerance; a few rows, and how many more.
mkdir "$work/many" "$work/more"
for i in {1..25}; do
  cp "$a/moreau.json" "$work/many/r$i.json"
  sed "s/\"initial\": 11.81,/\"initial\": 11.81, \"extra\": $i,/" "$a/moreau.json" >"$work/more/r$i.json"
done
expect 1 "" compare --tol 1e9 "$work/many" "$work/more"
says "a key of one side" 'inf .* r1.json  energy.extra: \(none\) -> 1$'
says "five rows more" '^  ... and 5 more'
check "twenty rows" test "$(grep -c ' r[0-9]*.json' "$work/out")" = 20
expect 1 "" compare --tol 1e9 --verbose "$work/many" "$work/more"
check "all rows" test "$(grep -c ' r[0-9]*.json' "$work/out")" = 25
expect 0 "" compare --ignore energy.extra "$work/many" "$work/more"

# Texts of records and names of files stay on their line.
mkdir "$work/odd" "$work/even"
sed 's/"reason": ""/"reason": "\\n\\u001b[31mverdict: same"/' "$a/moreau.json" >"$work/odd/"$'x\ny.json'
cp "$a/moreau.json" "$work/even/"$'x\ny.json'
expect 1 "" compare "$work/even" "$work/odd"
says "control characters are marked" "x y.json  reason: '' -> '  \[31mverdict: same'"
lacks "and do nothing" '^y.json|^verdict: same|\x1b'

# Two records are shown whatever they are; what users get wrong.
expect 0 "" compare "$a/moreau.json" "$a/moreau.json"
says "the row" ' ok .*moreau.json'
expect 1 "" compare "$a/moreau.json" "$a/solve/balls.json"
mkdir "$work/empty"
expect 2 "no such file or folder" compare "$work/absent" "$a"
expect 2 "holds no record" compare "$a" "$work/empty"
expect 2 "two records or two folders" compare "$a" "$a/moreau.json"
expect 2 "suite.json.*is not that of a record" compare "$a/suite.json" "$a/suite.json"
expect 2 "cut.json.*line" compare "$a/moreau.json" "$b/solve/cut.json"
for wrong in -1 nan inf x; do
  expect 2 "--tol = '$wrong'" compare "$a" "$b" --tol=$wrong
done
expect 2 "unknown option '--tolerance'" compare "$a" "$b" --tolerance 1
expect 0 "" describe compare
says "blocks and scales" '^  law.cone +the largest impulse'
summary
