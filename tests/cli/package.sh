#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The table that a suite leaves beside its records, for programs of others: every field of every
# record to the last digit, columns as datapackage.json describes them, rows while the suite is run.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"

cat >"$work/suite.json" <<'E'
{"schema": "coulombench.suite/1", "name": "small", "title": "small", "time_limit": 20,
 "cells": [{"case": "falling-particle", "formulations": ["ccp", "ncp", "event"], "dt": [0.01, 0.001]},
           {"case": "oscillator", "formulations": ["ncp"], "dt": 1e-4, "sample": 0.1},
           {"case": "free-top", "formulations": ["ncp"], "dt": 0.01, "t_end": 0.1}],
 "figures": "none", "studies": []}
E
expect 0 "" bench "$work/suite.json" -o "$work/r" -j 2

cat >"$work/check.py" <<'P'
import csv, glob, json, os, sys
folder, records = sys.argv[1:]
package = json.load(open(f"{folder}/datapackage.json"))
resource, = package["resources"]
fields = resource["schema"]["fields"]
rows = list(csv.reader(open(f"{folder}/{resource['path']}", newline="", encoding=resource["encoding"])))
assert rows[0] == [f["name"] for f in fields], "headings are not the fields"
assert len(set(rows[0])) == len(rows[0])
parse = {"number": float, "integer": int, "string": str, "object": json.loads}
read = {row[0]: dict(zip(rows[0], row)) for row in rows[1:]}
paths = [p for p in glob.glob(f"{records}/*.json") if json.load(open(p)).get("schema") == "coulombench.result/2"]
names = sorted(os.path.basename(p)[:-5] for p in paths)
assert sorted(read) == names and len(rows) == len(names) + 1, "rows are not the records"
seen = 0
for path in paths:
    record, row = json.load(open(path)), read[os.path.basename(path)[:-5]]
    for field in fields[1:]:
        value = record
        for key in field["name"].split("."):
            value = value.get(key) if isinstance(value, dict) else None
        text = row[field["name"]]
        if value is None or value == "":
            assert text == "", (path, field["name"], text)
        else:
            got = text in field["trueValues"] if field["type"] == "boolean" else parse[field["type"]](text)
            got = got[1:] if field["type"] == "string" and got != value else got  # ' before - = + @
            assert got == value, (path, field["name"], got, value)
            seen += 1
assert seen > 60 * len(paths), seen
units = {f["name"]: f.get("unit") for f in fields}
assert units["dt"] == "s" and units["energy.initial"] == "J" and units["status"] is None
assert all(f.get("description") for f in fields if f["name"].startswith("errors."))
P
check "every field of every record is in the table" python3 "$work/check.py" "$work/r/table" "$work/r"
expect 0 "" table "$work/r" --package "$work/p"
check "table --package makes the same" cmp "$work/r/table/records.csv" "$work/p/records.csv"

# What was interrupted and resumed has each record once.
rm "$work"/r/oscillator*.json
expect 0 "" bench "$work/suite.json" -o "$work/r" --resume
check "resumed, it has each record once" python3 "$work/check.py" "$work/r/table" "$work/r"
# Of a process that was killed between record and row, and of another version's columns, all are made.
for spoil in 2d '1s/,dt,/,step,/'; do
  rm "$work"/r/oscillator*.json
  sed -i "$spoil" "$work/r/table/records.csv"
  expect 0 "" bench "$work/suite.json" -o "$work/r" --resume
  check "a table spoiled by $spoil is whole again" python3 "$work/check.py" "$work/r/table" "$work/r"
done

# While a suite is run its rows are there one by one.
sed 's/"dt": 1e-4, "sample": 0.1/"dt": 1e-7/' "$work/suite.json" >"$work/long.json"
"$program" bench "$work/long.json" -o "$work/l" -j 2 >"$work/out" 2>"$work/err" &
pid=$!
rows=0
for _ in $(seq 100); do
  [[ -f $work/l/table/records.csv ]] && rows=$(wc -l <"$work/l/table/records.csv")
  ((rows > 2)) && break
  sleep 0.1
done
kill -9 $pid
wait $pid 2>/dev/null
check "rows are there before the end: $rows" test "$rows" -gt 2
check "and a description" test -f "$work/l/table/datapackage.json"

# The guide's lines and examples for other languages, where these are installed.
cat >"$work/medians.py" <<'P'
import csv, statistics, sys
errors = {}
for row in csv.DictReader(open(sys.argv[1], newline="")):
    if row["errors.q_linf"]:
        errors.setdefault(row["formulation.name"], []).append(float(row["errors.q_linf"]))
printed = [line.split()[-2:] for line in open(sys.argv[2]) if len(line.split()) >= 2]
printed = {name: value for name, value in printed if name in errors}
assert len(errors) >= 3 and printed.keys() == errors.keys(), (errors, printed)
for name, values in errors.items():
    assert abs(float(printed[name]) / statistics.median(values) - 1) < 1e-3, (name, values, printed[name])
P
reads() { # language, the program that the guide's lines begin with, the one that is here [its example in place of them]
  if [[ -z $3 ]] || ! command -v "$3" >/dev/null; then
    skip "$1" "not installed"
    return
  fi
  if (($# > 3)); then
    echo "$3 '$root/tests/examples/tables/$4' '$work/r/table/records.csv'" >"$work/line"
  else
    awk -v begins="^$2 " '/^```/ { on = 0 } /^[a-zA-Z]/ { on = $0 ~ begins && /-e|-c/ } on' "$root/src/bench/README.md" |
      sed "s|^$2 |$3 |; s|results/quick|$work/r|" >"$work/line"
  fi
  bash "$work/line" >"$work/printed" 2>"$work/err"
  check "$1 reads it: the guide's line prints the medians" python3 "$work/medians.py" "$work/r/table/records.csv" "$work/printed"
}
reads pandas python3 "$(python_with pandas)"
reads R Rscript Rscript
reads Julia julia julia medians.jl
reads Octave octave-cli octave-cli medians.m
summary
