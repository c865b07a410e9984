#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A figure that is a file: its runs, its values, its drawing; a value out of its bounds; files that
# are none.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"

figure() { # file, bounds of its second value, more keys
  cat >"$1" <<S
{
  "schema": "coulombench.figure/1", "id": "my-fall", "title": "A fall of my own",
  "caption": "Ends at {x at the end: ccp}.", "case": "falling-particle",
  "runs": [
    {"label": "{formulation}-{#dt}", "formulations": ["moreau", "ccp"], "dt": [0.01, "0.02 / 4"], "t_end": 0.5, "sample": "0.01"}
  ],
  "define": {"lost": "first(energy) - last(energy)"},
  "tables": {
    "path-{formulation}": {"of": "*-0", "columns": {"t[s]": "t", "x[m]": "q.x", "E[J]": "energy - first(energy)"}},
    "lost": {"columns": {"dt[s]": "runs('*', dt)", "lost[J]": "runs('*', lost)"}},
    "law": {"columns": {"eps": "[0, 1]", "gain": "sprag_clutch.newton(2, -1, [0, 1])"}}
  },
  "values": [
    {"name": "x at the end: {formulation}", "of": "*-0", "value": "last(q.x)", "bounds": [0.9, 1]},
    {"name": "energy lost", "of": ["ccp-0", "other-*"], "value": "lost", "bounds": $2}
  ],
  "panels": [{"x": {"title": "t [s]"}, "y": {"title": "x [m]"}, "key": "left top", "layer": [
    {"mark": "line", "table": "path-{}", "x": "t", "y": "x", "color": "{}", "title": "{}", "each": ["moreau", "ccp"]}]}]$3
}
S
}
figure "$work/fall.json" '[1, 100]' ''
if ! command -v gnuplot >/dev/null; then
  skip "a figure from a file" "gnuplot is not installed"
else
  expect 0 "" figure "$work/fall.json" -o "$work/fall" -j 2
  check "its values hold" grep -q '"status":[[:space:]]*"ok"' "$work/fall/figures/my-fall.json"
  check "it is drawn" test -s "$work/fall/figures/my-fall.svg"
  check "a table a run" test -s "$work/fall/figures/my-fall/path-moreau.dat"
  check "a table of all runs" test "$(grep -vc '^#' "$work/fall/figures/my-fall/lost.dat")" = 4
  check "a formula of a case" grep -q '^1 1$' "$work/fall/figures/my-fall/law.dat"
  check "a record a run" test -s "$work/fall/my-fall--ccp-1.json"
  check "its caption has the number" grep -q 'Ends at 0.9' "$work/fall/figures/my-fall.json"
  figure "$work/false.json" '[0.5, 1]' ''
  expect 1 "" figure "$work/false.json" -o "$work/false" -j 2
  check "one whose value fails is drawn all the same" test -s "$work/false/figures/my-fall.pdf"
  check "and says so" grep -q '"reason": "1 of 3 checks failed"' "$work/false/figures/my-fall.json"
  check "there is no bitmap" test ! -e "$work/false/figures/my-fall.png"
  sed 's/{x at the end: ccp}/{x at the end}, by {no such check}/' "$work/fall.json" >"$work/caption.json"
  expect 1 "" figure "$work/caption.json" -o "$work/false" -j 2
  check "a number that a caption lacks is told" grep -q '"reason": "its caption has no number for {no such check}"' "$work/false/figures/my-fall.json"
  panel='{"key": "foot", "layer": [{"mark": "line", "table": "path-{}", "x": "t", "y": "x", "color": "{}", "title": "{}", "each": ["moreau", "ccp"]}]}'
  { head -n -3 "$work/fall.json" && echo "\"panels\": [$panel, $panel], \"abreast\": 2}"; } >"$work/foot.json"
  expect 0 "" figure "$work/foot.json" -o "$work/foot" -j 2
  check "two panels have one key" test "$(grep -o '>moreau</tspan>' "$work/foot/figures/my-fall.svg" | wc -l)" = 1
  # A figure of the program with a script of its own, 47 px a cm; of a drawing that fails no trace stays.
  mkdir "$work/data" "$work/bare"
  cp -r "$root/cases" "$root/scripts" "$work/data"
  head -n -3 "$work/fall.json" | sed '$s/,$/}/; s/my-fall/own-script/' >"$work/data/cases/falling-particle/figures/own-script.json"
  scripted() { # exit status, script, what the record says
    printf '%b' "$2" >"$work/data/cases/falling-particle/figures/own-script.gp"
    COULOMBENCH_DATA=$work/data expect "$1" "" figure own-script -o "$work/scripted" -j 2
    check "by the script '$2': $3" grep -qE "$3" "$work/scripted/figures/own-script.json"
  }
  scripted 0 "# size: 12 9\nplot data.'/path-moreau.dat' using 1:2 with lines linestyle ls_moreau title word(formulations, style('moreau'))\n" '"status": "ok"'
  check "it is as large as its script says" grep -q 'viewBox="0 0 564 423"' "$work/scripted/figures/own-script.svg"
  scripted 1 "plot data.'/path-moreau.dat' using 1:2\nplot nonsense(\n" '"reason": "gnuplot: '
  scripted 1 "set logscale y\nplot data.'/path-moreau.dat' using 1:(-1)\n" '"reason": ".*gnuplot'
  scripted 1 "# size: wide\n" '"reason": ".*size'
  check "no drawing stays" test ! -e "$work/scripted/figures/own-script.svg"
  for tool in grep head wc; do ln -s "$(command -v $tool)" "$work/bare"; done
  PATH=$work/bare expect 1 "" figure "$work/fall.json" -o "$work/undrawn"
  check "gnuplot is missing" grep -q '"reason": ".*gnuplot is missing' "$work/undrawn/figures/my-fall.json"
  mkdir "$work/beside"
  cp "$work/fall.json" "$work/beside/"
  printf '{"schema": "coulombench.suite/1", "name": "own", "figures": ["beside/fall.json"]}' >"$work/own.json"
  expect 0 "" bench "$work/own.json" -o "$work/own" -j 2
  rm -r "$work/beside"
  expect 0 "" report "$work/own" # its records keep the figure
  expect 0 "" figure preclik-12 -o "$work/kept"
  check "a figure of records that are kept with the case alone" test -s "$work/kept/figures/preclik-12.svg"
fi

# A study: the median penetration with its quartiles against the step, a curve a formulation, a panel
# a case, of the records of a suite.
cat >"$work/study.json" <<'S'
{
  "schema": "coulombench.figure/1", "id": "my-study", "title": "Penetration against step", "caption": "Median and quartiles, {deepest} m at most.",
  "tables": {
    "steps": {"columns": ["case.name", "formulation.name", "dt", "constraints.penetration_max"], "transform": [
      {"aggregate": [
        {"op": "q1", "field": "constraints.penetration_max", "as": "lower"},
        {"op": "median", "field": "constraints.penetration_max", "as": "median"},
        {"op": "q3", "field": "constraints.penetration_max", "as": "upper"}], "groupby": ["case.name", "formulation.name", "dt"]}]}
  },
  "panels": [{"facet": "case.name", "x": {"title": "dt [s]", "scale": "log"}, "y": {"title": "penetration [m]"}, "key": "foot", "layer": [
    {"mark": "band", "table": "steps", "x": "dt", "y": "lower", "y2": "upper", "color": "formulation.name"},
    {"mark": "linespoint", "table": "steps", "x": "dt", "y": "median", "color": "formulation.name"}]}],
  "values": [{"name": "deepest median", "table": "steps", "value": "max(median)", "bounds": [0, 1], "expected": "no deeper than it moves"}],
  "abreast": 2
}
S
cat >"$work/sweep.json" <<'S'
{"schema": "coulombench.suite/1", "name": "sweep", "studies": ["study.json"], "cells": [
  {"case": "falling-particle", "formulations": ["moreau", "lcp-ap"], "dt": [1e-2, 5e-3], "set": {"mu": [0.2, 0.3, 0.4]}},
  {"case": "bouncing-ball", "formulations": ["moreau", "lcp-ap"], "dt": [1e-2, 5e-3], "t_end": 0.5}]}
S
if command -v gnuplot >/dev/null; then
  expect 0 "" bench "$work/sweep.json" -o "$work/sweep" -j 2
  expect 0 "" report "$work/sweep"
  check "a study of a suite is drawn" test -s "$work/sweep/figures/study-my-study.svg"
  expect 0 "" figure "$work/study.json" "$work/sweep" -o "$work/alone"
  check "its value is judged once" test "$(grep -c 'not stated *deepest median' "$work/out")" = 1
  check "a study of a folder is drawn" test -s "$work/alone/figures/study-my-study.svg"
  tables=$work/alone/figures/study-my-study
  check "two formulations in two panels" test "$(find "$tables" -name '*.dat' | wc -l)" = 4
  check "a row a step" test "$(grep -vc '^#' "$tables/1-moreau.dat")" = 2
  check "and each case alone" test -s "$work/alone/figures/study-my-study-bouncing-ball.svg"
  expect 0 "" figure energy-step "$work/sweep" -o "$work/by-name"
  check "a study of the program by its name" test -s "$work/by-name/figures/study-energy-step.svg"
  sed 's/"bounds": .0, 1./"bounds": [2, 3]/' "$work/study.json" >"$work/study-false.json"
  expect 1 "" figure "$work/study-false.json" "$work/sweep" -o "$work/false-study"
  check "a value that fails fails the study" grep -q '^my-study *FAILED.*1 of its values failed' "$work/out"
  sed 's/max(median)/max(medain)/' "$work/study.json" >"$work/study-bad.json"
  expect 2 "values.0..value.*medain" figure "$work/study-bad.json" "$work/sweep" -o "$work/bad-study"
  sed 's/{deepest}/{highest}/' "$work/study.json" >"$work/study-bad.json"
  expect 2 "caption.*{highest}" figure "$work/study-bad.json" "$work/sweep" -o "$work/bad-study"
  expect 2 "no runs" figure "$work/study.json"
  sed 's/"abreast": 2/"timed": true/' "$work/study.json" >"$work/study-bad.json"
  expect 2 "timed: goes with 'runs'" figure "$work/study-bad.json" "$work/sweep" -o "$work/bad-study"
  refuses_study() { # in place of "abreast", part of the message
    sed "s|\"abreast\": 2|$1|" "$work/study.json" >"$work/study-bad.json"
    expect 2 "$2" figure "$work/study-bad.json" "$work/sweep" -o "$work/bad-study"
  }
  refuses_study '"csv": {"out": "stepz"}' "there is no table 'stepz'"
  refuses_study '"says": {"each": ["steps"]}' "no column 'says'"
  refuses_study '"says": {"one": ["steps"]}' "says.*unknown key 'one'"
  sed 's/"linespoint"/"linespoint", "detail": "form"/' "$work/study.json" >"$work/study-bad.json"
  expect 2 "no column 'form'" figure "$work/study-bad.json" "$work/sweep" -o "$work/bad-study"
  cat >"$work/more.json" <<'S'
{
  "schema": "coulombench.figure/1", "id": "more", "title": "Time against step", "caption": "Of moreau.",
  "says": {"each": ["runs"]}, "csv": {"../times": "runs"},
  "tables": {"runs": {"columns": ["case.name", "formulation.name", "dt", "timing.steps_s"], "transform": [
    {"filter": "formulation.name == 'moreau'"}, {"sort": ["case.name", "dt"]},
    {"calculate": "concat('A step of ', dt, ' s. ')", "as": "says"}]}},
  "panels": [{"facet": "case.name", "key": "foot", "layer": [
    {"mark": "linespoint", "interpolate": "step-after", "every": 2, "table": "runs", "x": "dt", "y": "timing.steps_s", "detail": "formulation.name", "color": "mark", "title": "says"}]}]
}
S
  expect 0 "" figure "$work/more.json" "$work/sweep" -o "$work/more"
  check "a table is kept where it belongs" test "$(cut -d, -f1 "$work/more/report/_._times.csv" | uniq -c | tr -s ' \n' ' ')" = " 1 case.name 2 bouncing-ball 6 falling-particle "
  check "a sentence of each" grep -q '</b>. A step of 0.005 s. A step of 0.01 s. *<p' "$work/more/report/index.html"
  check "what they show is said once" test "$(grep -c 'Of moreau' "$work/more/report/index.html")" = 1
  check "a column names the curve" grep -q '>A step of 0.005 s. <' "$work/more/figures/study-more-bouncing-ball.svg"
fi

expect 2 "energy: is a study, which has no runs: name a folder of records" figure energy
expect 2 "yu-6: has runs of its own, and takes no folder" figure yu-6 "$work"
expect 2 "unknown figure 'enrgy'; did you mean 'energy'?" figure enrgy
"$program" list studies >"$work/studies"
check "every study is listed" test "$(grep -c '^  ' "$work/studies")" = "$(find "$root/scripts/plot/studies" -name '*.json' | wc -l)"
expect 0 "" describe energy-step
check "a study is described" grep -q '^study energy-step of the records of a folder: Energy drift' "$work/out"
printf '{"schema": "coulombench.suite/1", "name": "own", "figures": ["energy"]}' >"$work/own.json"
expect 2 "own.json: figures: energy is a study" bench "$work/own.json"
printf '{"schema": "coulombench.suite/1", "name": "own", "studies": ["yu-6"]}' >"$work/own.json"
expect 2 "own.json: studies: yu-6 has runs" bench "$work/own.json"

# A scene is found beside the file that names it, from wherever one looks.
mkdir -p "$work/own"
cp "$root/cases/scenes/closed/friction-ramp.json" "$work/own/ramp.json"
cat >"$work/own/way.json" <<'S'
{ "schema": "coulombench.figure/1", "id": "way", "title": "A ramp", "caption": "It goes {way} m.", "case": "ramp.json",
  "runs": [{"label": "{formulation}", "formulations": ["ncp"], "t_end": 0.1, "sample": 0.05}],
  "tables": {"way": {"of": "*", "columns": {"t[s]": "t", "x[m]": "q.block.x"}}},
  "values": [{"name": "way", "of": "*", "value": "|last(q.block.x)|", "bounds": [0, 1e-12], "expected": "it sticks"}],
  "panels": [{"x": {"title": "t"}, "y": {"title": "x"}, "layer": [{"mark": "line", "table": "way", "x": "t", "y": "x", "color": "ncp"}]}] }
S
if command -v gnuplot >/dev/null; then
  pushd "$work" >/dev/null || exit 1
  expect 0 "" figure own/way.json -o "$work/way"
  popd >/dev/null || exit 1
  check "a scene beside its figure" test -s "$work/way/figures/way.svg"
fi

refuses() { # sed expression, part of the message
  sed "$1" "$work/fall.json" >"$work/bad.json"
  check "another file by '$1'" test "$(cmp -s "$work/bad.json" "$work/fall.json" && echo same)" = ""
  expect 2 "$2" figure "$work/bad.json" -o "$work/bad"
}
refuses 's/"panels"/"pannels"/' "unknown key 'pannels'; did you mean 'panels'"
refuses 's/"key": "left top"/"facet": "case.name"/' "panels.0.: unknown key 'facet'"
refuses 's/"key": "left top"/"key": "left"/' "panels.0..key: .*left"
refuses 's/"mark": "line", "table": "path-{}"/"mark": "line"/' "panels.0..layer.0..x: must be a number"
refuses 's/"table": "path-{}"/"table": "pth-{}"/' "panels.0..layer.0..table: there is no table 'pth-"
refuses 's/"mark": "line"/"mark": "band"/' "panels.0..layer.0..y2: is missing"
refuses 's/"bounds": \[0.9, 1\]/"bounds": [1, 0.9]/' "values.0..bounds: its ends are exchanged"
refuses 's/"label": "{formulation}-{#dt}"/"lable": "a"/' "runs.0.: must have a key 'label'"
refuses 's/"bounds": \[0.9, 1\]/"bounds": [0.9]/' "values.0..bounds"
refuses 's/"first(energy) - last(energy)"/"first(energy"/' "define.lost"
refuses 's/"value": "lost"/"value": "lost("/' "values.1..value"
refuses 's/"mark": "line"/"mark": "lines"/' "panels.0..layer.0."
refuses 's/"y": "x"/"y": "z"/' "has no column 'z'"
refuses 's/"{formulation}-{#dt}", "form/"{formulation}", "form/' "two runs have the label"
refuses 's/"0.02 \/ 4"/"0.02 \/ four"/' "four"
refuses 's/"case": "[^"]*"/"case": "fall"/' "fall"
refuses 's/"t_end": 0.5, /&"over": {"K": [1, 2]}, /' "over.K.*no text of these cells has {K}"
refuses 's/figure\/1/figure\/9/' "coulombench.figure/1"
refuses 's/"moreau", "ccp"\], "dt"/"moro", "ccp"], "dt"/' "moro"
summary
