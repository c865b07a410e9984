#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Text is data: names and texts that mean something to gnuplot, a shell, HTML, a spreadsheet or a
# terminal, in every place where a suite, scene, case, problem, record, folder or option can hold text.
# Nothing of them runs, nothing is written but where it was asked for, what is drawn is well-formed,
# and what is refused is so in one line, exit status 2.
# shellcheck disable=SC2016,SC1003,SC2089,SC2090 # what a shell would expand is what these texts are
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"

# A command that ran leaves a file HERE, a name that left its folder one that begins with ESCAPED.
texts=(
  '`touch HERE`'
  "'; system('touch HERE'); '"
  "''; system(\"touch HERE\"); ''"
  '"; system("touch HERE"); "'
  $'x\nsystem("touch HERE")\n! touch HERE\ny'
  '$(touch HERE); touch HERE'
  '| touch HERE'
  '< touch HERE'
  '@x {/Bold b}_c 100% of %s \'
  '<script>alert(1)</script><b onclick="x">&lt;'
  '../../../ESCAPED'
  '=cmd|HERE!A0'
  '--opt'
  $'\e]0;HERE\a\e[2J'
)
# All that the name of a folder can hold.
odd="o'd ''d\" \`touch HERE\` \$(touch HERE); touch HERE; | < & # %s @x {b}_c \\ <b> = -x"$'\n! touch HERE\n'$'\xc3\xa4'

json() { # text: as JSON has it between its quotes
  local text=${1//\\/\\\\}
  text=${text//\"/\\\"}
  text=${text//$'\n'/\\n}
  text=${text//$'\e'/\\u001b}
  printf '%s' "${text//$'\a'/\\u0007}"
}
file_name() { printf '%s' "${1//\//:}"; }

in=$work/in/$odd out=$work/to/1/2/$odd
mkdir -p "$in/problems" "$out" "$work/cwd"
cd "$work/cwd" || exit 1

# Nothing ran, nothing lies outside of the folder of outputs.
before=
nothing_ran() { # what
  local found
  found=$(find "$work" \( -name HERE -o -name 'ESCAPED*' \) -printf '%P\n')
  check "$1: nothing ran or escaped: $found" test -z "$found"
  find "$work" -name HERE -delete
  check "$1: nothing is written elsewhere" test "$before" = "$(listing)"
}
listing() { find "$work" -path "$work/to" -prune -o ! -path "$work/out" ! -path "$work/err" -printf '%P\n' | sort; }

# shellcheck disable=SC2317 # called through check
lacks() { ! grep -qiE "$2" "$1"; } # file expression

# The page and all drawings below a folder are XML in UTF-8, and the page runs no script but its own.
well_formed() { # what folder
  check "$1: no script in the page" lacks "$2/report/index.html" '<script[^>]* (src|on[a-z]*)=|<b |javascript:'
  check "$1: but its own" test "$(grep -oi '<script' "$2/report/index.html" | wc -l)" = 1
  faults=$(page_faults "$2/report/index.html" "$2/figures")
  rm "$work/links" "$work/ids"
  check "$1: every link lands: $faults" test -z "$faults"
  if ! command -v python3 >/dev/null; then
    skip "$1: well-formed" "no python3"
    return
  fi
  check "$1: page and drawings are well-formed" python3 - "$2" <<'P'
import os, sys, xml.dom.minidom as dom
n = 0
for folder, _, names in os.walk(os.fsencode(sys.argv[1])):
    for name in names:
        if name.endswith((b".svg", b".html")):
            text = open(os.path.join(folder, name), "rb").read().decode("utf-8")
            dom.parseString(text.replace("<!DOCTYPE html>\n", "").encode())
            n += 1
assert n > 1
P
}

drawn=0 # is there a program that draws?
command -v gnuplot >/dev/null && drawn=1

# ---- one text at a time, all else ordinary: a label of a suite, one in the name of a record ----
expect 0 "" run falling-particle -f moreau --dt 1e-2 --t-end 0.6 -o "$work/in/record.json"
mkdir "$work/in/one"
cp "$root/tests/problems/one-2d.json" "$work/in/one"
for number in 0 1 10; do
  text=${texts[number]} to=$work/to/plain/$number
  echo '{"schema": "coulombench.suite/1", "name": "one", "studies": ["energy", "profile"], "cells":
    [{"problems": "'"$work/in/one"'", "label": "'"$(json "$text")"'", "laws": ["ncp"], "solvers": ["pgs"]}]}' \
    >"$work/in/one.json"
  before=$(listing)
  expect 0 "1 ok" bench "$work/in/one.json" -o "$to"
  cp "$work/in/record.json" "$to/falling-particle--moreau--$(file_name "$text")--dt0.01.json"
  ((!drawn)) || expect 0 "" report "$to" --suite "$work/in/one.json"
  nothing_ran "$text"
done

# ---- suites: labels, titles, folders of problems and their files ----
for text in "${texts[@]}"; do
  cp "$root/tests/problems/one-2d.json" "$in/problems/$(file_name "$text").json"
done
sed "s|\"name\": *\"[^\"]*\"|\"name\": \"$(json "${texts[9]}" | sed 's/[&\\|]/\\&/g')\"|" \
  "$root/tests/problems/one-2d.json" >"$in/problem.json"
{
  echo '{"schema": "coulombench.suite/1", "name": "hostile", "title": "'"$(json "${texts[9]}")"'", "cells": ['
  number=1
  for text in "${texts[@]}"; do
    text+=$((number++)) # some differ in what cannot stand in a label alone
    echo '{"case": "falling-particle", "formulations": ["moreau"], "dt": [1e-2], "t_end": 0.6, "label": "'"$(json "$text")"'"},'
    echo '{"problems": "'"$(json "$in/problems")"'", "label": "'"$(json "$text")"'", "laws": ["ncp"], "solvers": ["pgs"]},'
  done
  for dt in 1e-2 1e-3; do
    echo '{"case": "falling-particle", "formulations": ["ccp"], "dt": ['$dt'], "t_end": 0.6, "label": "'"$(json "${texts[1]}")"'"},'
  done
  echo '{"case": "falling-particle", "formulations": ["ccp"], "label": "'"$(json "${texts[2]}")"'", "t_end": 0.1, "search": "1e-3,1e-2"}'
  echo '], "studies": ["energy", "largest-step", "profile"]}'
} >"$in/suite.json"
before=$(listing)
expect 0 "" check "$in/suite.json"
check "changed labels are told" grep -q "'../../../ESCAPED11' stands as '_._.._.._ESCAPED11'" "$work/err"
expect 0 "" bench "$in/suite.json" -j 2 -o "$out/records"
expect 0 "records in" bench "$in/suite.json" -j 2 --resume -o "$out/records"
check "--resume knows the commands again" grep -q "199 cells .*(199 kept)" "$work/err"
check "records have harmless names" \
  test -z "$(find "$out/records" -name '*.json' -printf '%f\n' | grep -v '^[A-Za-z0-9_][-A-Za-z0-9_+.]*$')"
nothing_ran "bench"
if ((drawn)); then
  expect 0 "" report "$out/records" --suite "$in/suite.json" -o "$out/report"
  nothing_ran "report of a suite"
  well_formed "report of a suite" "$out/report"
  plot=$out/report/figures/study-energy
  rm "$plot.svg"
  check "a figure draws again" gnuplot -d "$plot/plot.gp"
  check "a figure is drawn again" test -s "$plot.svg"
fi
check "a record a cell" test "$(find "$out/records" -name '*--*.json' -printf '\n' | wc -l)" = 199
expect 0 "" compare "$out/records" "$out/records"
expect 0 "" check "$out"/records/*.json "$out"/records/solve/*.json
nothing_ran "compare and check"

# ---- the command in a record repeats it: words of a shell, whatever is in them ----
cp "$root/cases/scenes/rolling-sphere.json" "$in/ball.json"
again() { # record
  local command words
  command=$(sed -n 's/^ *"command": "\(.*\)",*$/\1/p' "$1")
  printf -v command '%b' "${command//\\\"/\"}" # of JSON: \\ and \n, \t, \u are those of %b
  eval "words=($command)"
  expect 0 "" "${words[@]:1}" -o "$out/again.json"
  expect 0 "" compare "$1" "$out/again.json"
}
before=$(listing)
expect 0 "" run "$in/ball.json" -f moreau --t-end 0.01 --set "title=${texts[2]}" --set "notes=${texts[5]}" \
  --vtk "$out/vtk" --dump-problems "5:$out/dump" --checkpoint "$out/check" -o "$out/ball.json"
again "$out/ball.json"
for text in "${texts[@]}" "it's" "''" "a b" '~' '*' '$HOME' $'\t' '\' '!!' '#x' "'"; do
  expect 0 "" run "$in/ball.json" -f moreau --t-end 0.002 --set "title=$text" --set "notes=$text$text" -o "$out/one.json"
  again "$out/one.json"
done
expect 0 "" solve "$in/problem.json" -s pgs -o "$out/solved.json"
again "$out/solved.json"
expect 0 "" describe "$in/ball.json"
nothing_ran "run, solve, describe"

# ---- names that are refused: one line, exit status 2 ----
refuse() { # what, a file of the type given with the text in place of @
  local text=${texts[$((turn++ % ${#texts[@]}))]} place=$1 content=$2
  printf '%s' "${content//@/$(json "$text")}" >"$work/to/refused.json"
  expect 2 "refused.json" "${@:3}" "$work/to/refused.json"
  check "$place: the line steers no terminal" lacks "$work/err" "[[:cntrl:]]"
}
turn=0
suite='{"schema": "coulombench.suite/1", "name": "x", "cells": ['
cell=$suite'{"case": "falling-particle", "dt": 0.1, '
solve=$suite'{"problems": "tests/problems", "label": "x", '
scene=$(tr -d '\n' <"$root/cases/scenes/rolling-sphere.json")
for _ in 1 2; do
  refuse "schema" '{"schema": "@"}' check
  refuse "unknown key" '{"schema": "coulombench.suite/1", "name": "x", "@": 1}' check
  refuse "study" '{"schema": "coulombench.suite/1", "name": "x", "studies": ["@"]}' check
  refuse "figure" '{"schema": "coulombench.suite/1", "name": "x", "figures": ["@"]}' check
  refuse "case" "$suite"'{"case": "x@.json"}]}' bench -o "$out/none"
  refuse "formulation" "$cell"'"formulations": ["@"]}]}' bench -o "$out/none"
  refuse "solver" "$cell"'"solver": "@"}]}' bench -o "$out/none"
  refuse "parameter" "$cell"'"set": {"@": 1}}]}' bench -o "$out/none"
  refuse "value" "$cell"'"set": {"mu": "@"}}]}' bench -o "$out/none"
  refuse "option" "$cell"'"opt": {"@": 1}}]}' bench -o "$out/none"
  refuse "expected status" "$cell"'"expect": ["@"]}]}' bench -o "$out/none"
  refuse "folder of problems" "$suite"'{"problems": "@", "label": "x", "laws": ["ncp"]}]}' bench -o "$out/none"
  refuse "law" "$solve"'"laws": ["@"]}]}' bench -o "$out/none"
  refuse "solver of problems" "$solve"'"laws": ["ncp"], "solvers": ["@"]}]}' bench -o "$out/none"
  refuse "option of problems" "$solve"'"laws": ["ncp"], "opt": {"@": 1}}]}' bench -o "$out/none"
  refuse "scene" "${scene/\"name\": \"rolling-sphere\"/\"name\": \"@\"}" check
  refuse "body" "${scene//\"ball\"/\"@\"}" check
  refuse "material" "${scene//\"rubber\"/\"@\"}" describe
  refuse "reference" "${scene/\"kind\": \"*\"/\"kind\": \"@\"}" run -f moreau
  refuse "problem's kind" '{"schema": "coulombench.problem/1", "kind": "@"}' solve -s pgs
done
refuse_record() { # what reason expression
  sed -E "$3" "$out/ball.json" >"$work/to/refused.json"
  expect 2 "refused.json: (key '$1'|$1): $2" check "$work/to/refused.json"
}
refuse_record case.name "'.*' must be a name" '/"case"/,/name/s/"name": ".*"/"name": "`touch HERE`"/'
refuse_record formulation.name "unknown formulation '.*'" '/"formulation"/,/name/s/"name": ".*"/"name": "..\/..\/x"/'
refuse_record solver.name "unknown solver 'a b'" '/"solver"/,/name/s/"name": ".*"/"name": "a b"/'
printf '{"schema": "coulombench.suite/1", "name": "a\\u0000b"}' >"$work/to/refused.json"
expect 2 "refused.json: holds a NUL character, line 1" check "$work/to/refused.json"
printf '{"schema": "coulombench.suite/1", "name": "\xff"}' >"$work/to/refused.json"
expect 2 "refused.json: not UTF-8, line 1" check "$work/to/refused.json"
check "nothing came of what was refused" test ! -e "$out/none"
nothing_ran "refusals"

# ---- records and solutions of others: names of files, and every text inside ----
others=$in/others
mkdir -p "$others/solve"
record=$out/records/falling-particle--ccp--_system_touch_HERE_--dt0.01.json
solution=$(find "$out/records/solve" -name "*.json" -print -quit)
number=1
for text in "${texts[@]}"; do
  in_sed=$(json "$text" | sed 's/[&\\|]/\\&/g')
  sed -E "s|\"reason\": \".*\"|\"reason\": \"$in_sed\"|
    s|\"(command\|compiler\|cpu\|flags\|commit\|gsl)\": \".*\"|\"\1\": \"$in_sed\"|
    s|\"label\": \".*\"|\"label\": \"scaling-$in_sed\"|; s|\"id\": \".*\"|\"id\": \"$((100 + number)) $in_sed\"|
    s|\"parameters\": \{|\"parameters\": {\"n\": $number, \"$in_sed\": \"$in_sed\",|" "$record" \
    >"$others/falling-particle--ccp--scaling-$(file_name "$text")--dt0.01.json"
  sed -E "s|\"reason\": \".*\"|\"reason\": \"$in_sed\"|; s|\"status\": \".*\"|\"status\": \"$in_sed\"|
    s|\"relative_free\": .*|\"relative_free\": 1,|
    s|\"(label\|problem)\": \".*\"|\"\1\": \"$in_sed\"|" "$solution" >"$others/solve/$(file_name "$text")--$(file_name "$text")--ncp--pgs.json"
  number=$((number + 1))
done
cp "$others/falling-particle--ccp--scaling-x"* "$others/falling-particle--ccp--"$'\xff\xc3'"--dt0.01.json"
for number in 1 9; do # runs that differ in a parameter alone: it is in the title of the second
  sed -E 's|"label": ".*"|"label": "same"|' \
    "$others/falling-particle--ccp--scaling-"*"$(file_name "${texts[number]}")--dt0.01.json" \
    >"$others/falling-particle--ccp--same--dt0.0$number.json"
done
cat >"$in/studies.json" <<'S'
{"schema": "coulombench.suite/1", "name": "studies", "studies": ["energy", "scaling", "profile"]}
S
sed 's/"energy", "scaling", //' "$in/studies.json" >"$in/one.json"
unseal "$others"/*.json "$others"/solve/*.json
before=$(listing)
if ((drawn)); then
  expect 0 "" report "$others" --suite "$in/studies.json" -o "$out/others"
  nothing_ran "report of others' records"
  well_formed "report of others' records" "$out/others"
  check "the drawing shows labels as they are" \
    grep -qF 'falling-particle, scaling-@x {/Bold b}_c 100% ...<' "$out/others/figures/study-energy.svg"
  check "and parameters" grep -qF 'same, n = 10, &lt;script>alert(1)&lt;/script>' "$out/others/figures/study-energy.svg"
  check "tables hold no formulas" test -z "$(grep -hE '(^|,)"?[=+@-][^0-9]' "$out"/others/report/*.csv)"
fi
expect 0 "" compare "$others" "$others"
expect 0 "" table "$others" --columns status,reason,provenance.command
check "a table's columns are not moved" \
  test -z "$(sed 's/\\|//g' "$work/out" | grep -vE '^(\|[^|]*){3}\|$')"
expect 0 "" table "$others" --columns status,record,case.parameters.m=m,provenance.command --format latex
check "nor in LaTeX, where no text is a command" \
  test -z "$(sed -n '/midrule/,/bottomrule/p' "$work/out" | grep -vE '^\\(mid|bottom)rule$' |
    sed 's/\\text[a-z]*{}//g; s/\\[{}$&#_%]//g; s/{[[*]}//g; s/\$[-0-9.]*\$//g' |
    grep -vE '^[^[&\\{}$#^_~%<>|*]*( & [^[&\\{}$#^_~%<>|*]*){3} \\\\$')"
expect 0 "" table "$others" --columns status,reason --format csv
nothing_ran "tables"

# ---- the program's data in a folder of such a name, its texts too ----
cp -r "$root/cases" "$root/scripts" "$in" 2>/dev/null
sed -i "s|\"help\": \"|&$(json "${texts[13]}" | sed 's/[&\\|]/\\&/g')|" "$in/cases/falling-particle/falling-particle.json"
before=$(listing)
COULOMBENCH_DATA=$in expect 0 "" describe falling-particle
check "a description steers no terminal" lacks "$work/out" $'\e'
if ((drawn)); then
  COULOMBENCH_DATA=$in expect 0 "" report "$others" --suite "$in/one.json" -o "$out/data"
fi
COULOMBENCH_PROBLEMS=$in/problems
export COULOMBENCH_PROBLEMS
# shellcheck disable=SC2016 # the program expands it
echo '{"schema": "coulombench.suite/1", "name": "x", "cells": [{"problems": "$COULOMBENCH_PROBLEMS", "label": "x",
  "laws": ["ncp"], "solvers": ["pgs"]}]}' >"$work/to/environment.json"
expect 0 "13 ok" bench "$work/to/environment.json" -o "$out/environment"
nothing_ran "folders of the environment"
summary
