#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What a page must show whatever its layout, judged by the files: every drawing, links that land,
# the studies of the suite that made the records; nothing of an earlier report; and folders that
# somebody else has sent.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"

if ! command -v gnuplot >/dev/null; then
  skip "pages" "gnuplot is not installed"
  summary
fi

# Figures of chapters whose findings want other figures, and a sweep.
cat >"$work/mine.json" <<'S'
{ "schema": "coulombench.suite/1", "name": "mine", "cells": [
    {"case": "thrown-ball", "formulations": ["ccp", "ncp"], "set": {"mu": [0.1, 0.4]}, "dt": 1e-2}],
  "figures": ["preclik-7", "yu-6"],
  "studies": ["energy", {"study": "parameter", "x": "mu", "y": "errors.q_linf"}] }
S

# Said beforehand, and nothing run.
expect 0 "" bench "$work/mine.json" --dry-run -o "$work/r"
check "a dry run writes nothing" test ! -e "$work/r"
check "it lists every cell with its command" test \
  "$(grep -cE '^[^ ]+  coulombench run ' "$work/out")" = "$(sed -n 's/ of .* cells would be run.*$//p' "$work/out")"
command=$(sed -n 's/^thrown-ball--ccp--mu-0.1--dt0.01  coulombench //p' "$work/out")
cells=$(sed -n 's/ of .* cells would be run.*$//p' "$work/out")
eval "expect 0 '' $command -o '$work/alone.json'" # as a shell reads it
expect 0 "" bench "$work/mine.json" -j 2 -o "$work/r"
check "as many cells are announced" grep -q "^suite mine: $cells cells, 2 figures" "$work/out"
expect 0 "" compare "$work/alone.json" "$work/r/thrown-ball--ccp--mu-0.1--dt0.01.json"
expect 0 "" bench "$work/mine.json" --dry-run --resume -o "$work/r"
check "of cells that have their records none" grep -q '^0 of ' "$work/out"

# The suite is known by the copy beside its records.
check "the suite's file is kept" cmp "$work/mine.json" "$work/r/suite.json"
cp -r "$work/r" "$work/moved"
expect 0 "" report "$work/moved"
page=$work/moved/report/index.html
faults=$(page_faults "$page" "$work/moved/figures")
check "every drawing is shown, every link lands: $faults" test -z "$faults"
for id in preclik-7 yu-6 study-energy study-parameter-errors.q_linf-mu-thrown-ball; do
  check "$id is drawn and linked" grep -q "src=\"[^\"]*figures/$id.svg\"" "$page"
done

# One that names what is not here still gives its figures and studies.
mkdir "$work/problems"
sed 's|"cells": \[|"cells": [{"problems": "problems", "label": "p", "laws": ["ncp"], "solvers": "all"},|' \
  "$work/mine.json" >"$work/moved/suite.json"
expect 0 "its cells are not counted" report "$work/moved"
check "and is drawn" test -s "$work/moved/figures/study-energy.svg"

# Nothing of an earlier report stays but what is not of its making.
echo '{ "schema": "coulombench.suite/1", "name": "mine", "studies": ["energy"] }' >"$work/less.json"
echo mine >"$work/moved/figures/notes.txt"
expect 0 "" report "$work/moved" --suite "$work/less.json"
for old in report/parameter.csv figures/yu-6.json figures/yu-6 figures/preclik-7.svg; do
  check "$old is gone" test ! -e "$work/moved/$old"
done
check "what others put there stays" test -e "$work/moved/figures/notes.txt"

# Held against another run, neither's report changes.
(cd "$work/moved" && find . -type f -exec md5sum {} + | sort) >"$work/before"
expect 0 "" report "$work/moved" --against "$work/r"
check "a comparison has a folder of its own" test -s "$work/moved/against/report/index.html"
check "and leaves the rest alone" cmp "$work/before" \
  <(cd "$work/moved" && find . -path ./against -prune -o -type f -exec md5sum {} + | sort)

# While a suite runs: what there is so far, and what is to come.
cp -r "$work/r" "$work/part"
rm "$work/part"/yu-6--*.json "$work/part"/*--mu-0.4--*.json
expect 0 "" report "$work/part" --so-far
page=$work/part/report/index.html
check "it is said how far" grep -qE 'So far: [0-9]+ of [0-9]+ cells have been run, 1 figures are to come' "$page"
check "nothing is called failed" sh -c "! grep -q 'badge failed' '$page'"
faults=$(page_faults "$page" "$work/part/figures")
check "what there is is whole: $faults" test -z "$faults"

# A cell's time limit is its own.
cat >"$work/limited.json" <<'S'
{ "schema": "coulombench.suite/1", "name": "limited", "time_limit": 100, "cost": 90, "cells": [
    {"case": "falling-particle", "formulations": ["ncp"], "dt": 1e-7, "time_limit": 0.05, "expect": ["timeout"]}] }
S
expect 0 "1 timeout" bench "$work/limited.json" -j 1 -o "$work/limited"
check "what was measured is the estimate" grep -q 'about 1 min 30 s by 1 processes' "$work/out"

# A damaged record, a pipe, a changed one: left out, each in a line, and the rest is drawn.
cp -r "$work/r" "$work/bad"
echo '{"schema": "coulombench.result/2"}' >"$work/bad/broken.json"
mkfifo "$work/bad/pipe.json"
changed=$work/bad/thrown-ball--ncp--mu-0.4--dt0.01.json
sed -i -E 's/("q_linf": )([0-9.]+)/\12/' "$changed"
for command in "report $work/bad" "table $work/bad --columns record,status"; do
  # shellcheck disable=SC2086 # words
  timeout 60 "$program" $command >"$work/out" 2>"$work/err"
  check "${command%% *} ends with 1" test $? = 1
  for file in broken.json pipe.json "$(basename "$changed")"; do
    check "${command%% *} says so of $file, once" test "$(grep -c "$file.*: left out$" "$work/err")" = 1
  done
done
check "the table has the others" test "$(grep -c '^| thrown-ball' "$work/out")" = 3
check "the page too" grep -q '3 files of records are damaged' "$work/bad/report/index.html"
timeout 60 "$program" compare "$work/r" "$work/bad" >"$work/out" 2>"$work/err"
check "compare ends with 1" test $? = 1
check "it says of the changed one that it was" grep -q "$(basename "$changed").*was changed" "$work/err"
expect 1 "was changed" compare "$changed" "$changed"

# Links in a folder that was sent are not written through.
echo precious >"$work/precious"
mkdir "$work/elsewhere"
for link in figures/yu-6.svg figures/yu-6 figures report report/index.html figures/study-energy.json; do
  rm -rf "$work/sent"
  cp -r "$work/r" "$work/sent"
  mkdir -p "$work/sent/$(dirname "$link")"
  case $link in
  *.*g | *.json | *.html) ln -s "$work/precious" "$work/sent/$link" ;;
  *) ln -s "$work/elsewhere" "$work/sent/$link" ;;
  esac
  expect 2 "$link: is a symbolic link" report "$work/sent"
done
# Nor by a suite that is run there, or gone on with; the folder itself may be one.
echo '{"schema": "coulombench.suite/1", "name": "s", "cells": [{"case": "falling-particle", "formulations": ["moreau"],
  "dt": 0.1}, {"problems": "'"$root/tests/problems"'", "label": "p", "laws": ["ncp"], "solvers": ["pgs"]}]}' >"$work/s.json"
for link in suite.json falling-particle--moreau--dt0.1.json table table/records.csv references solve; do
  rm -rf "$work/sent"
  mkdir -p "$work/sent/$(dirname "$link")"
  case $link in
  *.*) ln -s "$work/precious" "$work/sent/$link" ;;
  *) ln -s "$work/elsewhere" "$work/sent/$link" ;;
  esac
  expect 2 "$link: is a symbolic link" bench "$work/s.json" -o "$work/sent"
  expect 2 "$link: is a symbolic link" bench "$work/s.json" -o "$work/sent" --resume
done
mkdir "$work/there"
ln -s there "$work/linked"
expect 0 "" bench "$work/s.json" -o "$work/linked"
check "what they lead to is as it was" test "$(cat "$work/precious")$(ls "$work/elsewhere")" = precious
summary
