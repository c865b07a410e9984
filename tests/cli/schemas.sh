#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The JSON Schemas that `describe` prints say what the program says: they take every file of their
# kind that is here, and refuse broken ones that the program refuses.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"

for kind in scene/1 suite/1 figure/1 problem/1 result/2 solution/1 simulate/1; do
  "$program" describe "coulombench.$kind" >"$work/${kind%/*}.schema.json"
done
python=$(python_with jsonschema)
if [[ -z $python ]]; then
  skip "schemas" "no python3-jsonschema"
  summary
fi

cat >"$work/take.py" <<'P'
import glob, json, sys
from jsonschema import Draft202012Validator
work, root = sys.argv[1:]
kinds = {"scene/1": 15, "suite/1": 5, "figure/1": 90, "problem/1": 5, "result/2": 10, "solution/1": 0}  # files at least
bad = 0
validators = {}
for kind in kinds:
    schema = json.load(open(f"{work}/{kind.split('/')[0]}.schema.json"))
    Draft202012Validator.check_schema(schema)
    validators["coulombench." + kind] = Draft202012Validator(schema)
seen = dict.fromkeys(validators, 0)
for place in ("cases", "scripts/plot/studies", "results/sample", "tests/problems"):
    for path in glob.glob(f"{root}/{place}/**/*.json", recursive=True):
        value = json.load(open(path))
        name = value.get("schema") if isinstance(value, dict) else None
        if name in validators:
            seen[name] += 1
            for error in validators[name].iter_errors(value):
                bad += 1
                print(path, list(error.absolute_path), error.message[:200])
for name, least in kinds.items():
    if seen["coulombench." + name] < least:
        bad += 1
        print(name, "has", seen["coulombench." + name], "files")
sys.exit(bad > 0)
P
check "schemas take the files that are here" "$python" "$work/take.py" "$work" "$root"

# The validator starts once, at the end, with a line for each file: its kind, its name, whether it is
# valid, and what that shows.
n=0
ask() { # kind file True|False what
  cp "$2" "$work/asked-$((++n)).json"
  echo "$1 asked-$n.json $3 $4" >>"$work/questions"
}
broken() { # kind sed-script: of the good file of this kind
  sed "$2" "$work/$1.json" >"$work/broken.json"
  check "$1, $2: is another file" test "$(cat "$work/$1.json")" != "$(cat "$work/broken.json")"
  ask "$1" "$work/broken.json" False "$1, $2: the schema refuses it"
  expect 2 "broken.json" check "$work/broken.json"
}
cp "$root/cases/scenes/spheres.json" "$work/scene.json"
cat >"$work/suite.json" <<'S'
{"schema": "coulombench.suite/1", "name": "x", "time_limit": 5, "studies": ["order"], "cells": [
 {"case": "falling-particle", "formulations": ["ccp"], "dt": [1e-2, 1e-3], "set": {"mu": [0.1, 0.2]}, "expect": "ok"}]}
S
cp "$root/cases/falling-particle/figures/yu-6.json" "$work/figure.json"
cp "$root/scripts/plot/studies/energy-step.json" "$work/study.json"
cp "$work/figure.schema.json" "$work/study.schema.json"
cat >"$work/problem.json" <<'S'
{"schema": "coulombench.problem/1", "kind": "friction", "dim": 2, "contacts": 1, "mu": [0.5], "b": [-1, 0],
 "W": {"storage": "block-csr", "row_ptr": [0, 1], "col": [0], "blocks": [1, 0, 0, 1]}}
S
"$program" run falling-particle -f ccp --t-end 0.1 -o "$work/result.json"
"$program" solve "$work/problem.json" -s pgs -o "$work/solution.json"
for scene in "$root"/cases/scenes/{,closed/}*.json; do
  case $(basename "$scene") in schema.json | scalable.json) continue ;; esac
  "$program" run "$scene" -f "exec:cat >'$work/simulate.json'" --t-end 0.01 -o "$work/x.json" 2>"$work/err"
  ask simulate "$work/simulate.json" True "$(basename "$scene"): the schema takes the question"
  expect 0 "" check "$work/simulate.json"
done
for kind in scene suite figure study problem result solution; do
  ask $kind "$work/$kind.json" True "$kind: the schema takes a good one"
done
for change in 's/"radius"/"radios"/' 's/"dt": */"dt": -/' 's/"type": "sphere"/"type": "spere"/' 's/"gravity"/"gravitiy"/'; do
  broken scene "$change"
done
for change in 's/"case"/"cas"/' 's/"ok"/"well"/' 's/"studies": \["order"\]/"studies": [1]/' 's/1e-3/-1/' 's/0\.2\]/[0.2]]/' 's/: 5,/: -5,/'; do
  broken suite "$change"
done
for change in 's/"runs"/"run"/' 's/"label": "/"lable": "/' 's/"layer"/"layers"/' 's/"mark": "line"/"mark": "lines"/' 's/"bounds": \[[^]]*\]/"bounds": [1]/' 's/"id"/"name"/'; do
  broken figure "$change"
done
for change in 's/"facet": /"timed": true, "facet": /' 's/"abreast": 5/"abreast": 5, "timed": true/' 's/"mark": "line",/"mark": "line", "y": 1,/' 's/"transform"/"transforms"/' 's/"color"/"colour"/'; do
  broken study "$change"
done
for change in 's/friction/contact/' 's/"dim": 2/"dim": 4/' 's/0\.5/-0.5/' 's/block-csr/csr/' 's/"b": /"c": /'; do
  broken problem "$change"
done
for change in 's/"status": "ok"/"status": "well"/' 's/"steps": /"steps": -/' 's/"dt": /"dt": -/' 's/"errors"/"mistakes"/'; do
  broken result "$change"
done
for change in 's/"status": "[a-z]*"/"status": "well"/' 's/"solver"/"solvers"/' 's/"residual"/"rest"/'; do
  broken solution "$change"
done
for change in 's/"times"/"time"/' 's/"mass"/"weight"/' 's/"dt":[[:space:]]*/"dt": -/'; do
  broken simulate "$change"
done
cat >"$work/is.py" <<'P'
import json
from jsonschema import Draft202012Validator
validators = {}
for line in open("questions"):
    kind, path, wanted, what = line.rstrip("\n").split(" ", 3)
    if kind not in validators:
        validators[kind] = Draft202012Validator(json.load(open(f"{kind}.schema.json")))
    print(int(str(validators[kind].is_valid(json.load(open(path)))) == wanted), what)
P
(cd "$work" && "$python" is.py) >"$work/answers"
while read -r holds what; do
  check "$what" test "$holds" = 1
done <"$work/answers"
check "an answer for each file" test "$(wc -l <"$work/answers")" = $n
summary
