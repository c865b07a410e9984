#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A folder of results as an archive: the same bytes twice, checksums and a description that others
# read, inputs packed along; and what `verify` says of good ones, of damaged ones, of hostile ones,
# and of one whose number is wrong.
# shellcheck source=../cli_lib.sh
# shellcheck disable=SC2317 # functions are called by name
. "$(dirname "$0")/../cli_lib.sh"
export COULOMBENCH_DATA=${COULOMBENCH_DATA:-$root}
mkdir "$work/tmp" "$work/set"
export TMPDIR=$work/tmp
cd "$work" || exit 2

sed 's/"title": .*/"title": "beside\/notes.txt",/' "$root/cases/scenes/rolling-sphere.json" >scene.json
mkdir beside
echo "what a scene names is packed along" >beside/notes.txt
cp "$root/tests/problems/one-3d.json" set
cat >suite.json <<'S'
{ "schema": "coulombench.suite/1", "name": "small", "title": "A small one", "time_limit": 20, "cells":
  [ { "case": "falling-particle", "formulations": ["ccp", "event"], "dt": 0.01 },
    { "case": "falling-particle", "formulations": "ncp", "dt": 0.01, "label": "timed", "repeat": 2 },
    { "case": "oscillator", "formulations": ["ncp"], "dt": 0.01, "t_end": 0.1,
      "solver": {"exec": "touch '/tmp/x y'", "label": "others"} },
    { "case": "scene.json", "formulations": ["ncp"], "dt": 0.01, "t_end": 0.1, "threads": [1] },
    { "problems": "set", "label": "own", "laws": ["ncp"], "solvers": ["pgs", "ssn"] } ],
  "figures": "none", "studies": [] }
S
sed -i "s#/tmp/x y#$work/a mark#; s/\"formulations\": \"ncp\"/\"formulations\": [\"ncp\"]/" suite.json
"$program" bench suite.json -o r -j 1 >out 2>err
rm -f "a mark"
cell=r/falling-particle--ccp--dt0.01.json
records=$(find r -name '*--*.json' | wc -l)
check "a suite for the archive" test "$records" = 7

expect 0 "" bundle r
check "what is in it is said" grep -qE "^r.tar: [0-9]+ files, $records records, [0-9]+ bytes$" out
expect 0 "" bundle r/ -o again.tar
check "the same bytes twice" cmp r.tar again.tar
touch r/table/records.csv
mkdir other
expect 0 "" bundle ./r -o other/r.tar
check "from elsewhere and with other times, too" cmp r.tar other/r.tar

tar -xf r.tar -C other
check "checksums hold" sh -c 'cd other/r && sha256sum --quiet --strict -c SHA256SUMS'
check "of all files" test "$(cd other/r && find . -type f ! -name SHA256SUMS | wc -l)" = "$(wc -l <other/r/SHA256SUMS)"
check "records are there as they are" diff -r -x references r other/r/results
check "scenes and problems, too" sh -c 'cmp scene.json other/r/inputs/scene.json && cmp beside/notes.txt other/r/inputs/beside/notes.txt && cmp set/one-3d.json other/r/inputs/set/one-3d.json'

cat >crate.py <<'P'
import json, os, sys, urllib.parse
folder = sys.argv[1]
crate = json.load(open(f"{folder}/ro-crate-metadata.json"))
assert crate["@context"] == "https://w3id.org/ro/crate/1.1/context"
graph = {e["@id"]: e for e in crate["@graph"]}
assert len(graph) == len(crate["@graph"]), "an id stands twice"
about = graph["ro-crate-metadata.json"]
assert about["conformsTo"]["@id"] == "https://w3id.org/ro/crate/1.1" and about["about"]["@id"] == "./"
base = graph["./"]
assert base["@type"] == "Dataset" and base["name"] == "r" and base["datePublished"] and base["description"]
assert base["license"]["@id"] in graph
there = {os.path.relpath(os.path.join(d, f), folder) for d, _, files in os.walk(folder) for f in files}
said = {urllib.parse.unquote(p["@id"]) for p in base["hasPart"]}
assert said == there - {"ro-crate-metadata.json"}, said ^ there
for part in base["hasPart"]:
    entity = graph[part["@id"]]
    name = urllib.parse.unquote(part["@id"])
    assert entity["@type"] == "File" and entity["encodingFormat"]
    if "contentSize" in entity:
        assert int(entity["contentSize"]) == os.path.getsize(f"{folder}/{name}"), name
    if "conformsTo" in entity:
        assert entity["conformsTo"]["@id"] in graph
actions = [e for e in graph.values() if e["@type"] == "CreateAction"]
records = {urllib.parse.quote(n) for n in there if n.startswith("results/") and "--" in n}
assert {a["result"]["@id"] for a in actions} == records
assert all(graph[a["instrument"]["@id"]]["version"] for a in actions)
read = {o["@id"] for a in actions for o in a["object"]}
assert read == {"inputs/scene.json", "inputs/set/one-3d.json"}, read
P
check "the description is a crate of all files" python3 crate.py other/r
python=$(python_with jsonschema)
if [[ -n $python ]]; then
  cat >valid.py <<'P'
import glob, json, sys
from jsonschema import Draft202012Validator
folder, n = sys.argv[1], 0
schemas = {s["@id"]: s for s in json.load(open(f"{folder}/ro-crate-metadata.json"))["@graph"]}
for path in glob.glob(f"{folder}/**/*.json", recursive=True):
    schema = schemas.get(path[len(folder) + 1:], {}).get("conformsTo")
    if schema and "schemas/" in schema["@id"]:
        Draft202012Validator(json.load(open(f"{folder}/{schema['@id']}"))).validate(json.load(open(path)))
        n += 1
assert n >= 9, n
P
  check "its schemas take all files of their kinds" "$python" valid.py other/r
else
  skip "schemas" "no python3-jsonschema"
fi

# Elsewhere, without what the commands name.
mkdir moved
mv scene.json set moved
expect 0 "" verify r.tar
check "cells give the same" test "$(grep -c '^same to the byte  results/' out)" = $((records - 1))
check "scene and problem among them" sh -c 'grep -q "^same.*rolling-sphere" out && grep -q "^same.*solve/own--one-3d--ncp--ssn" out'
check "a program of others is not started" grep -q "^not run .*oscillator.*: a program of others would be started, 'exec:touch" out
check "nor was it" test ! -e "a mark"
check "which is summed up" grep -q "of 7 records 7 drawn (seed 1): 6 the same to the byte, 0 to rounding, 0 differ, 1 not run" out
expect 0 "" verify r.tar --sample 2 --seed 3
cp out two
check "a sample is one" test "$(grep -c ' results/' two)" = 2
expect 0 "" verify r.tar --sample 2 --seed 3
check "the same of the same seed" cmp out two
for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  "$program" verify r.tar --sample 1 --seed $seed --limit 0
done >out 2>err
check "any cell may be drawn" test "$(grep -o ' results/[^:]*' out | sort -u | wc -l)" -ge 5
check "what takes longer than the limit is said" test "$(grep -c '^not run .*: took .* more than --limit 0' out)" -ge 10
expect 0 "" verify r.tar --all
(cd moved && "$program" bundle ../r -o ../without.tar >../out 2>../err)
check "inputs that are not found are said" grep -q "'.*/set/one-3d.json' is not found" err
expect 0 "" verify without.tar
check "and their cells" grep -q "^not run .*one-3d.*: '.*/set/one-3d.json' is not in the archive" out
mv moved/* .

# Damage. Each tree is packed as the archive was, without new checksums.
spoil() { # command... in a copy of the unpacked archive
  rm -rf bad bad.tar
  mkdir bad
  cp -r other/r bad
  (cd bad/r && "$@")
  tar -cf bad.tar -C bad --no-recursion --null -T <(cd bad && find . -mindepth 1 ! -type d -printf '%P\0' | sort -z)
}
spoil sed -i 's/"status": "ok"/"status": "0k"/' "results/${cell#r/}"
expect 2 "bad.tar: results/${cell#r/} was changed" verify bad.tar
spoil touch results/more.json
expect 2 "bad.tar: results/more.json is not in SHA256SUMS" verify bad.tar
spoil rm inputs/scene.json
expect 2 "bad.tar: inputs/scene.json is missing" verify bad.tar
spoil sh -c 'rm inputs/scene.json; touch x'
expect 2 "bad.tar: inputs/scene.json is missing, and 1 files more" verify bad.tar
check "each of them is named" sh -c 'grep -q "^x is not in" out && grep -q "^inputs/scene.json is missing" out'
spoil rm SHA256SUMS
expect 2 "bad.tar: has no SHA256SUMS" verify bad.tar
spoil sed -i '1s/.*/no sum/' SHA256SUMS
expect 2 "bad.tar: SHA256SUMS: 'no sum' is no checksum" verify bad.tar
sums() { # of the files that have one
  sed 's/^[0-9a-f]*  //' SHA256SUMS | xargs -d '\n' sha256sum >../sums && mv ../sums SHA256SUMS
}
change_step() { sed -i 's/"dt": 0.01/"dt": 0.02/' "results/${cell#r/}" && sums; }
spoil change_step
expect 2 "bad.tar: results/falling-particle--ccp--dt0.01.json: key 'provenance.checksum'" verify bad.tar
spoil ln -s /etc/passwd results/link.json
expect 2 "bad.tar: 'r/results/link.json -> /etc/passwd' is no file below a folder: nothing is unpacked" verify bad.tar
spoil ln inputs/scene.json inputs/twin.json
expect 2 "bad.tar: 'r/inputs/twin.json link to r/inputs/scene.json' is no file below a folder: nothing is unpacked" verify bad.tar
spoil mkfifo results/pipe
expect 2 "bad.tar: 'r/results/pipe' is no file below a folder" verify bad.tar
spoil true
touch evil
for member in ../x r/../../x /tmp/x r/results/.. ..; do
  cp bad.tar evil.tar
  tar -rPf evil.tar --transform="s#^evil\$#$member#" evil
  expect 2 "evil.tar: '.*' is no file below a folder: nothing is unpacked" verify evil.tar
done
cp bad.tar evil.tar
tar -rf evil.tar --transform='s#^#second/#' evil
expect 2 "evil.tar: has more than one folder" verify evil.tar
head -c 100000 r.tar >cut.tar
expect 2 "cut.tar: no archive, or a part of one" verify cut.tar
expect 2 "suite.json: no archive, or a part of one" verify suite.json
: >empty.tar
expect 2 "empty.tar: no archive, or a part of one" verify empty.tar
expect 2 "nowhere.tar: no such file" verify nowhere.tar
gzip -c r.tar >small.tar
expect 2 "small.tar: compressed, or with gaps: its files are larger than it" verify small.tar
spoil truncate -s 1G results/gap
tar -Scf bad.tar -C bad r/results/gap
expect 2 "bad.tar: compressed, or with gaps" verify bad.tar
spoil sh -c 'rm inputs.json; sed -i /inputs.json/d SHA256SUMS'
expect 2 "bad.tar: .*inputs.json" verify bad.tar
mkfifo pipe.tar
expect 2 "pipe.tar: no such file" verify pipe.tar
expect 2 "verify: expects one archive" verify
expect 2 "--sample = '0'" verify r.tar --sample 0
write_elsewhere() {
  sed -i "s#\"command\": \"coulombench run falling-particle#& --vtk '$work/written'#" "results/${cell#r/}" && sums
}
spoil write_elsewhere
expect 0 "" verify bad.tar
check "a command that writes elsewhere is not run" grep -q "^not run .*ccp.*: its command has '--vtk', which is not repeated" out
check "nor has it written" test ! -e written

of_version_9() { sed -i 's/"version": "[^"]*"/"version": "9.9"/' "results/${cell#r/}" && sums; }
spoil of_version_9
expect 0 "" verify bad.tar
check "another version's record is not run" grep -qE "^not run .*ccp.*: made by version 9.9, this is [0-9.]+$" out

# An engine that the other program does not have.
cat >engine.json <<'S'
{"schema": "coulombench.suite/1", "name": "engine", "cells": [{"case": "scene.json", "formulations": ["ode"], "dt": 0.01, "t_end": 0.1}]}
S
if "$program" bench engine.json -o engine >out 2>err; then
  expect 0 "" bundle engine
  expect 0 "" verify engine.tar
  check "an engine gives the same" grep -q "^same to the byte .*ode" out
  mkdir bin
  cp "$program" bin
  check "without it" bin/coulombench verify engine.tar >out 2>err
  check "its cell is not run" grep -q "^not run .*ode.*: unsupported: ode: this build has no program peers/ode" out
else
  skip "an engine that is missing" "none runs here; make PEERS=1"
fi

# Folders that are not packed.
expect 2 "nowhere: no such folder" bundle nowhere
expect 2 "set: holds no record" bundle set
expect 2 "r/x.tar: is inside of the folder to be packed" bundle r -o r/x.tar
expect 2 "none/x.tar: its folder is not there" bundle r -o none/x.tar
cp -r r linked
ln -s "$work/scene.json" linked/scene.json
expect 2 "linked/scene.json: a link that leads to no file of .*linked" bundle linked
cp -r r changed
sed -i 's/"dt": 0.01/"dt": 0.02/' "changed/${cell#r/}"
expect 2 "changed/falling-particle--ccp--dt0.01.json: key 'provenance.checksum'" bundle changed
cp -r r cut
truncate -s 1000 "cut/${cell#r/}"
expect 2 "cut/falling-particle--ccp--dt0.01.json" bundle cut

# A wrong number that nothing but another run can find.
cp -r r wrong
python3 - "wrong/${cell#r/}" <<'P'
import json, sys
record = json.load(open(sys.argv[1]))
record["errors"]["q_linf"] *= 1.01
record["provenance"].pop("checksum")
json.dump(record, open(sys.argv[1], "w"))
P
expect 0 "" bundle wrong
expect 1 "wrong.tar: 1 of 6 records are not what their commands give" verify wrong.tar
check "which is named" grep -qE "^differs +results/falling-particle--ccp--dt0.01.json: [0-9.e-]+ at errors.q_linf: " out
check "alone" test "$(grep -c '^differs' out)" = 1
python3 - "wrong/${cell#r/}" "r/${cell#r/}" <<'P'
import json, sys
record = json.load(open(sys.argv[2]))
record["energy"]["initial"] *= 1 + 1e-13
record["provenance"].pop("checksum")
json.dump(record, open(sys.argv[1], "w"))
P
expect 0 "" bundle wrong
expect 0 "" verify wrong.tar
check "rounding is told from it" grep -qE "^same to rounding +results/falling-particle--ccp--dt0.01.json: .* at energy.initial, bound 1e-09$" out

# Starts from files, and runs that end badly.
mkdir started
"$program" run falling-particle -f ncp --dt 0.01 --t-end 0.1 --checkpoint state.checkpoint -o first.json 2>err
"$program" run falling-particle -f ccp --dt 0.01 --t-end 0.1 --start state.checkpoint -o started/run.json 2>err
"$program" run scene.json -f penalty --dt 0.01 --opt K=1e12 -o started/bad.json 2>err
"$program" solve set/one-3d.json -s pgs -o first.json 2>err
"$program" solve set/one-3d.json -s ssn --warm first.json -o started/solution.json 2>err
expect 0 "" bundle started
mv state.checkpoint first.json moved
expect 0 "" verify started.tar
check "starts are packed, too" grep -q "of 3 records 3 drawn (seed 1): 3 the same to the byte" out

# Interrupts.
cp -r r long
timed=$(find long -name '*timed*.json')
sed -i 's/ --dt 0.01 / --dt 1e-7 /' "$timed"
expect 0 "" bundle long
is_running() { grep -qsa "$work/.*again[.]json" /proc/[0-9]*/cmdline; }
is_still() { ! is_running; }
for signal in INT TERM HUP; do
  env --default-signal=INT "$program" verify long.tar --all >out 2>err &
  pid=$!
  check "a cell is run ($signal)" wait_for is_running
  kill -$signal $pid
  wait $pid 2>/dev/null
  status=$?
  check "the signal ends it ($signal)" test $status = $((128 + $(kill -l $signal)))
  check "and leaves nothing ($signal)" test -z "$(ls -A tmp)"
  check "nor a process ($signal)" wait_for is_still
done
check "nothing is left where archives are made" test -z "$(find . -maxdepth 2 -name '.coulombench-*')"
check "nor where they were checked" test -z "$(ls -A tmp)"
summary
