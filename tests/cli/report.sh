#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# From a suite to its page, as a user goes: bench, report, check; then what a report refuses.
. "$(dirname "$0")/../cli_lib.sh"

figure=$("$program" list figures --json | sed -n 's/.*"name": "\(yu-[0-9]*\)".*/\1/p' | head -n 1)
cat >"$work/tiny.json" <<S
{ "schema": "coulombench.suite/1", "name": "tiny", "title": "Two formulations & one figure",
  "cells": [ { "case": "falling-particle", "formulations": ["moreau"], "dt": [1e-2, 1e-3, 1e-4], "repeat": 3 },
             { "case": "falling-particle", "formulations": ["ncp"], "dt": [1e-2, 1e-3, 1e-4] },
             { "case": "falling-particle", "formulations": ["event"], "dt": [1e-2, 1e-3] },
             { "case": "oscillator", "formulations": ["moreau"], "dt": 1e-3, "t_end": 0.2, "expect": ["diverged"] } ],
  "figures": [${figure:+\"$figure\"}],
  "studies": ["energy", "order", "work-precision"] }
S
expect 0 "processor time of all cells: references [0-9.]+ s, runs [0-9.]+ s" \
  bench "$work/tiny.json" -j 2 -o "$work/tiny"
page=$work/tiny/report/index.html
if ! command -v gnuplot >/dev/null; then
  skip "drawing" "gnuplot is not installed"
  summary
fi
expect 0 "" report "$work/tiny" --suite "$work/tiny.json"
check "where the time went" grep -Eq '^time: records [0-9.]+ s, figures [0-9.]+ s, page [0-9.]+ s$' "$work/out"
check "the page is there" test -s "$page"
check "matrix.csv holds a line a cell" test "$(wc -l <"$work/tiny/report/matrix.csv")" = 5
bars=$work/tiny/figures/study-work-precision-falling-particle
# shellcheck disable=SC2016 # awk's own
check "times taken three times have quartiles" \
  awk '!/^#/ { bad += !($1 > 0 && $1 < $2) } END { exit bad > 0 || NR != 4 }' "$bars/bars-moreau.dat"
check "times taken once have none" test ! -e "$bars/bars-ncp.dat"
# shellcheck disable=SC2016 # awk's own
check "errors of event, far below, stand in numbers and not to scale" \
  awk 'FNR == 1 { next } FILENAME ~ /strip/ { at = $1 } FILENAME ~ /below/ { low = $3 > 0 && $3 < 1e-9; drawn = $2 } END { exit !(low && drawn == at) }' \
  "$bars/strip.dat" "$bars/below.dat"
check "and in the drawing" grep -Eq '>[0-9]e-1[0-9]<' "$bars.svg"
check "the matrix has them" grep -Eq '^falling-particle,moreau,ok,0.0001,.*(,[0-9.e-]+){3},falling' \
  "$work/tiny/report/matrix.csv"
check "the page tells the load" grep -q 'load, greatest' "$page"
check "the page tells an order" grep -qE '[01]\.[0-9]{2} ± 0\.[0-9]{2}' "$page"
check "the page names the diverged run" grep -q 'badge diverged' "$page"
check "nothing comes from outside" sh -c "! grep -qE '<script [^t]|<link|src=\"(http|//)|@import|url\(|https?:' '$page'"

faults=$(page_faults "$page" "$work/tiny/figures")
check "every link lands, every drawing is shown: $faults" test -z "$faults"
check "links there are" test "$(grep -oc 'href=' "$page")" -gt 10

for id in study-energy study-order-falling-particle study-work-precision-falling-particle $figure; do
  for kind in pdf svg; do
    check "$id.$kind" test -s "$work/tiny/figures/$id.$kind"
  done
  check "$id draws again" sh -c "cd '$work' && gnuplot -d '$work/tiny/figures/$id/plot.gp'"
done
if [[ -n $figure ]]; then
  expect 0 "" check "$work/tiny/figures/$figure.json"
  check "$figure says what it measured" grep -q '"measured": [0-9]' "$work/tiny/figures/$figure.json"
  check "the page shows it" grep -q "id=\"figure-$figure\"" "$page"
else
  skip "a figure" "no case has one"
fi

# For print: as wide as asked for, no letter below 7 pt, no title, no page.
study='study-work-precision-falling-particle'
check "a drawing does not show its title, the page has it" sh -c "! grep -q '>Work and precision' '$work/tiny/figures/$study.svg'"
check "once" test "$(grep -c '<b>Work and precision: falling-particle</b>' "$work/tiny/report/index.html")" = 1
for mm in 85 170; do
  expect 0 "" report "$work/tiny" --suite "$work/tiny.json" --width $mm -o "$work/print"
  check "it says where" grep -q "^figures: $work/print/figures-${mm}mm$" "$work/out"
  for id in study-energy $study $figure; do
    base=$work/print/figures-${mm}mm/$id
    check "$id.png at $mm mm" test -s "$base.png"
    # shellcheck disable=SC2016 # awk's own
    check "$id.pdf is $mm mm wide" awk -v mm=$mm 'match($0, /MediaBox *[[][ 0-9.]+/) { split(substr($0, RSTART, RLENGTH), box, /[[ ]+/); n++; wide = box[4] * 25.4 / 72 }
        END { exit !(n == 1 && wide > mm - 1e-3 && wide < mm + 1e-3) }' "$base.pdf"
    check "$id.svg too" grep -q "width=\"${mm}mm\"" "$base.svg"
    # shellcheck disable=SC2016 # awk's own
    check "$id has letters of 7 pt and more" awk -v mm=$mm '
      match($0, /viewBox="0 0 [0-9]+/) { wide = substr($0, RSTART + 13, RLENGTH - 13) }
      { while (match($0, /font-size="[0-9.]+/)) {
          pt = substr($0, RSTART + 11, RLENGTH - 11) * mm / wide * 72 / 25.4
          least = n++ == 0 || pt < least ? pt : least
          $0 = substr($0, RSTART + RLENGTH) } }
      END { exit !(n > 5 && least >= 7) }' "$base.svg"
  done
done
check "no page" test ! -e "$work/print/report/index.html"
for width in 59 251 wide -85; do
  expect 2 "^coulombench: --width = '$width': must be a width in mm, from 60 to 250; see" report "$work/tiny" --width "$width" -o "$work/print"
done
expect 2 "takes no --width" report "$work/tiny" --against "$work/tiny" --width 85
check "every script's letters are in print as large as they must be" \
  sh -c "! grep -rnE \"font ['\\\"],[0-9]\" '$root/scripts/plot' '$root/cases' --include=*.gp"

# Formulations' colours are not written into scripts, but for the steps of a colour bar.
looks=$(grep -rhoE 'colour = 0x[0-9a-f]{6}' "$root/src/form" "$root/src/problem/solvers" --include=*.c |
  sed -E 's/.*0x//' | sort -u | grep -vE '^(000000|707070)$' | paste -sd'|')
check "scripts draw nothing else in a formulation's colour" \
  sh -c "! grep -rnE \"($looks)\" '$root/scripts/plot' '$root/cases' --include=*.gp | grep -vE 'set palette|form_colours'"

# The same records give the same page, tables and figure records.
expect 0 "" report "$work/tiny" --suite "$work/tiny.json" -o "$work/again"
check "tables are the same" diff -r -x '*.pdf' -x '*.svg' -x '*.png' -x plot.gp \
  "$work/tiny/figures" "$work/again/figures"
check "the matrix is the same" cmp "$work/tiny/report/matrix.csv" "$work/again/report/matrix.csv"

# Files may have any names: a record knows its cell.
mkdir "$work/renamed"
number=0
for path in "$work"/tiny/*--*.json; do
  cp "$path" "$work/renamed/$((9999 - number)).json"
  number=$((number + 1))
done
expect 0 "" report "$work/renamed" --suite "$work/tiny.json" -o "$work/renamed"
for table in "$work"/tiny/report/*.csv; do
  check "files of other names make the same ${table##*/}" cmp "$table" "$work/renamed/report/${table##*/}"
done
check "and the same tables of figures" diff -r -x '*.pdf' -x '*.svg' -x '*.png' -x plot.gp \
  "$work/tiny/figures" "$work/renamed/figures"

# Two runs: changed statuses first, ratios of what changed, times only beyond their quartiles.
expect 0 "" report "$work/tiny" --against "$work/tiny" -o "$work/same"
check "nothing changed" grep -q 'No status and no verdict changed' "$work/same/against/report/index.html"
check "no picture of it" sh -c "! ls '$work/same/against/figures/'*.svg 2>/dev/null"
mkdir "$work/before"
cp "$work/tiny"/*.json "$work/before"
unseal "$work/before"/*.json
sed -i -E 's/("q_linf": )([0-9.]+)/\199\2/' "$work/before/falling-particle--ncp--dt0.0001.json"
sed -i 's/"status": "diverged"/"status": "failed"/' "$work/before"/oscillator--*.json
sed -i -E 's/("(steps_s|quartile_[13]_s)": )0\./\19./' "$work/before/falling-particle--moreau--dt0.0001.json"
expect 0 "" report "$work/tiny" --against "$work/before" -o "$work/changed"
check "one status changed" grep -Eq '^[0-9]+ records in both, 1 statuses and' "$work/out"
ratios=$work/changed/against/report/ratios.csv
check "the error is a small part of the other" grep -Eq '^error,falling-particle,0.0001,ncp,number,[0-9.]+e-[0-9]+,' "$ratios"
check "the time too, beyond its quartiles, and no other" test "$(grep -c '^time,.*,number,' "$ratios")" = 1
check "of the run that was slow" grep -Eq '^time,falling-particle,0.0001,moreau,number,0\.' "$ratios"
check "they are drawn" test -s "$work/changed/against/figures/study-against-error.svg"
check "the page names the run that changed" grep -q 'oscillator--moreau' "$work/changed/against/report/index.html"
mkdir "$work/other"
sed -E 's/"(id|checksum)": ".*"/"\1": "another"/' "$work/tiny/falling-particle--ncp--dt0.01.json" >"$work/other/another.json"
sed -i '/"checksum": "another"/d; s/"key": \(.*\),$/"key": \1/' "$work/other/another.json"
expect 2 "no record has the name of one in" report "$work/tiny" --against "$work/other" -o "$work/changed"
expect 2 "no such folder" report "$work/tiny" --against "$work/nowhere"
expect 2 "takes no --suite" report "$work/tiny" --against "$work/before" --suite "$work/tiny.json"

# A suite of figures alone has no studies and no matrix of their runs.
if [[ -n $figure ]]; then
  cat >"$work/alone.json" <<S
{ "schema": "coulombench.suite/1", "name": "alone", "title": "One figure", "figures": ["$figure"] }
S
  expect 0 "" bench "$work/alone.json" -j 2 -o "$work/alone"
  expect 0 "" report "$work/alone" --suite "$work/alone.json"
  check "no study" test -z "$(find "$work/alone/figures" -name 'study-*')"
  check "no matrix" test ! -e "$work/alone/report/matrix.csv"
fi

# A run of hours is not run: its record is kept with the case, and checked as any other.
sed 's/"figures": \[.*/"figures": ["preclik-residual"], "studies": [] }/; /"studies": \["energy"/d' "$work/tiny.json" >"$work/kept.json"
expect 0 "" report "$work/tiny" --suite "$work/kept.json" -o "$work/kept"
check "it is drawn" grep -q "^preclik-residual *ok" "$work/out"
check "its records are named" grep -q '"cases/channel-flow/records/ncp-solved.json"' \
  "$work/kept/figures/preclik-residual.json"
mkdir "$work/data"
cp -r "$root/cases" "$root/scripts" "$work/data"
kept=$work/data/cases/channel-flow/records/ncp-solved.json
sed 's/"dt": 1e-05/"dt": 2e-05/' "$kept" >"$kept.new" && mv "$kept.new" "$kept"
COULOMBENCH_DATA=$work/data expect 2 "records/ncp-solved.json: .*checksum" report "$work/tiny" --suite "$work/kept.json" -o "$work/kept"
rm "$kept"
COULOMBENCH_DATA=$work/data expect 2 "records/ncp-solved.json: No such file" report "$work/tiny" --suite "$work/kept.json" -o "$work/kept"

# A study that cannot be drawn counts in the exit status; a gnuplot that hangs ends with the program.
cat >"$work/study.json" <<'S'
{ "schema": "coulombench.suite/1", "name": "study", "studies": ["energy"] }
S
mkdir "$work/failing" "$work/hanging"
printf '#!/bin/sh\necho "line 1: cannot" >&2\nexit 1\n' >"$work/failing/gnuplot"
printf '#!/bin/sh\necho $$ >"%s/pid.new"\nmv "%s/pid.new" "%s/pid"\nexec sleep 3600\n' "$work" "$work" "$work" >"$work/hanging/gnuplot"
chmod +x "$work"/*/gnuplot
PATH=$work/failing:$PATH expect 1 "" report "$work/tiny" --suite "$work/study.json" -o "$work/drawn"
check "the failed study is told" grep -q '^energy *FAILED.*line 1: cannot' "$work/out"
PATH=$work/hanging:$PATH "$program" report "$work/tiny" --suite "$work/study.json" -o "$work/drawn" >/dev/null 2>&1 &
while [[ ! -e $work/pid ]]; do sleep 0.01; done
kill -9 $!
wait $! 2>/dev/null
hanging=$(<"$work/pid")
for ((i = 0; i < 1000; i++)); do
  kill -0 "$hanging" 2>/dev/null || break
  sleep 0.01
done
check "a gnuplot that hangs ends with the program" test $i -lt 1000
kill -9 "$hanging" 2>/dev/null

# Records of 900 objects inside each other are compared in a time that grows with their size: a
# comparison that visits each level twice would never end.
open=$(printf '{"a":%.0s' {1..900}) close=$(printf '}%.0s' {1..900})
mkdir "$work/deep"
for dt in 0.01 0.001; do
  sed 's/"parameters": {/"parameters": {"deep": '"${open}1$close"',/' "$work/tiny/falling-particle--ncp--dt$dt.json" \
    >"$work/deep/falling-particle--ncp--dt$dt.json"
done
unseal "$work/deep"/*.json
check "nested parameters are read in time" timeout -k 1 100 "$program" report "$work/deep" -o "$work/drawn" >/dev/null
for dt in 0.01 0.001; do
  sed 's/"libraries": {/"libraries": {"deep": '"${open}1$close"',/' "$work/tiny/falling-particle--ncp--dt$dt.json" \
    >"$work/deep/falling-particle--ncp--dt$dt.json"
done
cp "$work/tiny/falling-particle--ncp--dt0.0001.json" "$work/deep"
expect 1 "provenance.libraries.deep: must be a text: left out" report "$work/deep" -o "$work/drawn"

# Figures are drawn beside each other: a gnuplot that finds another one at work says so.
mkdir "$work/fake"
cat >"$work/fake/gnuplot" <<S
#!/bin/sh
if mkdir "$work/at_work" 2>/dev/null; then sleep 0.3; rmdir "$work/at_work"; else touch "$work/both"; fi
echo "nothing is drawn here" >&2
exit 1
S
chmod +x "$work/fake/gnuplot"
PATH=$work/fake:$PATH expect 1 "" report "$work/tiny" --suite "$work/tiny.json" -o "$work/beside"
check "all fail, with the reason, in order" test "$(grep -o '^[a-z0-9-]* *FAILED .*nothing is drawn here' "$work/out" |
  awk '{ print $1 }' | tr '\n' ' ')" = "${figure:+$figure }energy order work-precision "
if [[ $(nproc) -gt 1 ]]; then
  check "two at a time" test -e "$work/both"
else
  skip "two at a time" "there is one processor"
fi

# A record that is missing fails its figure; one that is broken is left out.
if [[ -n $figure ]]; then
  rm "$work/tiny/$figure"--*.json
  expect 1 "" report "$work/tiny" --suite "$work/tiny.json"
  check "the figure is marked failed" grep -q '"status": "failed"' "$work/tiny/figures/$figure.json"
  check "with the reason" grep -q 'is missing' "$work/tiny/figures/$figure.json"
fi
echo '{"schema": "coulombench.suite/1"}' >"$work/tiny/other.json"
rm "$work/tiny/suite.json" # with the figure that lacks a record
expect 0 "" report "$work/tiny"
check "files of other schemas are passed over" grep -q 'other.json: passed over' "$work/err"
echo '{"schema": "coulombench.result/2"}' >"$work/tiny/broken.json"
expect 1 "broken.json: case: is missing: left out" report "$work/tiny"
expect 2 "no such folder" report "$work/nowhere"
expect 2 "unknown suite" report "$work/tiny" --suite nowhere
mkdir "$work/empty"
expect 2 "holds no records" report "$work/empty"
expect 2 "folder of records" report
# A gnuplot that hangs keeps a report of many figures no longer than a few of them.
mkdir "$work/hangs"
printf '#!/bin/sh\nexec sleep 600\n' >"$work/hangs/gnuplot"
chmod +x "$work/hangs/gnuplot"
began=$SECONDS
PATH=$work/hangs:$PATH COULOMBENCH_DRAW_LIMIT=2 expect 1 "" report "$work/tiny" -o "$work/hung"
check "a gnuplot that hangs: $((SECONDS - began)) s" test $((SECONDS - began)) -lt 20
check "it is said" grep -q "gnuplot took longer than 2 s for other figures: given up" "$work/out" "$work/err" "$work/hung/report/index.html"
summary
