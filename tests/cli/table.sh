#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `coulombench table`: rows, conditions and order of records, in all its languages, and what it
# refuses.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"

mkdir "$work/r"
for mu in 0.1 0.2 0.3; do
  for form in ccp ncp; do
    expect 0 "" run falling-particle -f $form --dt 1e-2 --set mu=$mu -o "$work/r/$form-$mu.json"
  done
done
expect 1 unsupported run falling-particle -f lcp-dca -o "$work/r/z.json"

says() { # what the table, without its head, must be
  if [[ $(tail -n +3 "$work/out") == "$1" ]]; then
    ok "table: ${1:0:50}"
  else
    bad "table" "is $(cat "$work/out")"
  fi
}

expect 0 "" table "$work/r" --columns record,case.parameters.mu=mu,status
check "headings, and a row a record" grep -Fxq '| record | mu | status |' "$work/out"
says "$(for f in ccp ncp; do for mu in 0.1 0.2 0.3; do echo "| $f-$mu | $mu | ok |"; done; done)
| z | 0.2 | unsupported |"

# Parameters and options by their names; blocks of parameters as texts; all entries of a block or list.
expect 0 "" table "$work/r" --columns record,mu,max_iter --where 'mu>0.25' --where 'status=ok'
says "$(for f in ccp ncp; do echo "| $f-0.3 | 0.3 | 10000 |"; done)"
expect 0 "" table "$work/r/ccp-0.1.json" --columns case.parameters --where status=ok
says '| {"m":1,"g":9.81,"mu":0.1,"x0":0,"y0":1,"vx0":2,"vy0":0} |'
expect 0 "" run falling-particle -f ncp --dt 1e-2 --t-end 0.1 --sample 0.05 --ensemble phase=2 -o "$work/e.json"
rows() { # a condition that the record meets
  expect 0 "" table "$work/e.json" --columns record --where "$1"
  says '| e |'
}
# shellcheck disable=SC2016 # names in backticks
rows 'size(`trajectory.q.*`) == 2 * size(trajectory.t) && max(`trajectory.q.*`) == 1'
# shellcheck disable=SC2016
rows 'min(`ensemble.members.*.errors.q_linf`) > 0 && size(`ensemble.members.*.errors.q_linf`) == 2'
expect 2 "unknown column 'mew'" table "$work/r" --columns mew

# Conditions: all must hold; a missing number fulfils none of size.
expect 0 "" table "$work/r" --columns record --where 'case.parameters.mu>=0.2' --where 'errors.q_linf<1'
says $'| ccp-0.2 |\n| ccp-0.3 |\n| ncp-0.2 |\n| ncp-0.3 |'
expect 0 "" table "$work/r" --columns record --where 'case.parameters.mu=0.1|3e-1' --where 'formulation.name!=ccp'
says $'| ncp-0.1 |\n| ncp-0.3 |'
expect 0 "" table "$work/r" --columns record --where errors.q_linf=null
says '| z |'
expect 0 "" table "$work/r" --columns record --where '|final.u.vx|<=0' --where status=ok --sort -case.parameters.mu,formulation.name
says $'| ccp-0.3 |\n| ncp-0.3 |\n| ccp-0.2 |\n| ncp-0.2 |' # with mu = 0.1 it still slides
expect 0 "no row: of 7 records none" table "$work/r" --columns record --where status=diverged

# A column for each formulation: the very numbers of the records, and none where there is no record.
number() { sed -n 's/^ *"steps": \(.*\),$/\1/p' "$work/r/$1.json"; }
expect 0 "" table "$work/r" --columns case.parameters.mu=mu --where status=ok --pivot formulation.name=steps
check "a heading for each value" grep -Fxq '| mu | ccp | ncp |' "$work/out"
says "$(for mu in 0.1 0.2 0.3; do echo "| $mu | $(number ccp-$mu) | $(number ncp-$mu) |"; done)"
expect 0 "" table "$work/r" --columns formulation.name=form --sort -case.parameters.mu --pivot case.parameters.mu=status
check "in the order of the rows" grep -Fxq '| form | 0.3 | 0.2 | 0.1 |' "$work/out"
says $'| ccp | ok | ok | ok |\n| ncp | ok | ok | ok |\n| lcp-dca | - | unsupported | - |'
expect 0 "" table "$work/r" --columns status --where status=ok --pivot formulation.name=case.parameters.mu,max
says '| ok | 0.3 | 0.3 |'
expect 2 "pivot': 3 rows at 'ccp' of one group" table "$work/r" --columns status --pivot formulation.name=steps
expect 2 "--pivot = 'formulation.name': must be PATH=VALUE" table "$work/r" --columns status --pivot formulation.name
expect 2 "reduction 'middle'" table "$work/r" --columns status --pivot formulation.name=steps,middle
expect 2 "table: --pivot" table "$work/r" --columns status --pivot formulation.nam=steps

# What is missing comes last, whichever way the rest goes.
expect 0 "" table "$work/r" --columns record --sort -errors.q_linf
check "a record without an error is last" test "$(tail -n 1 "$work/out")" = '| z |'

# Numbers: some digits for people, all of them for programs.
one=$work/r/ccp-0.1.json
exact=$(sed -n 's/^ *"q_linf": \(.*\),$/\1/p' "$one")
expect 0 "" table "$one" --columns errors.q_linf=error,steps --format csv
check "csv has the number itself, and the unit of the field" \
  test "$(cat "$work/out")" = "\"error [m, rad]\",steps
$exact,150"
expect 0 "" table "$one" --columns 'errors.q_linf=x[]' --format json
check "json has it too" grep -Fxq "    \"x\": $exact" "$work/out"
expect 0 "" table "$one" --columns 'errors.q_linf=x[]' --digits 2
check "digits as asked for" grep -Eq '^\| 0\.0*[1-9][0-9]? \|$' "$work/out"
expect 0 "" table "$one" "$work/r/z.json" --columns 'formulation.name,law.residual_p50=r_50 [m/s],errors.q_final=100% [m]' \
  --format latex -o "$work/t.tex"
check "LaTeX is a tabular of booktabs" grep -Fxq '\begin{tabular}{@{}lrr@{}}' "$work/t.tex"
check "with a text's marks quoted" grep -Fq 'r\_50 {[}m/s] & 100\% {[}m]' "$work/t.tex"
check "and numbers in mathematics" grep -Eq '^ccp & \$[^$]+\$ & \$[^$]+\$ \\\\$' "$work/t.tex"
# shellcheck disable=SC1003 # LaTeX ends a row so
check "what is missing is a dash" grep -Fxq 'lcp-dca & -- & -- \\' "$work/t.tex"

expect 2 "unknown column 'errors.q_lin'.*did you mean 'errors.q_linf'" table "$work/r" --columns errors.q_lin
expect 2 "'errors' is a block" table "$work/r" --columns errors
expect 2 "where: unknown column 'case.parameters.nu'" table "$work/r" --columns status --where 'case.parameters.nu<1'
expect 2 "sort: unknown column 'size'" table "$work/r" --columns status --sort size
expect 2 "where = 'dt': must be KEY<X" table "$work/r" --columns status --where dt
expect 2 "two are headed 'x'" table "$work/r" --columns 'status=x,record=x'
expect 2 "an empty path" table "$work/r" --columns status,
expect 2 "unknown format 'tex'" table "$work/r" --columns status --format tex
expect 2 "digits = '0'" table "$work/r" --columns status --digits 0
expect 2 "no --columns given; all of them take --format csv or json" table "$work/r"
expect 2 "expects a folder of records" table --columns status
expect 2 "no such file or folder" table "$work/nowhere" --columns status
# What is a block in records may be a value in solutions.
mkdir "$work/solved"
expect 0 "" solve "$root/tests/problems/one-3d.json" -s ssn -o "$work/solved/one.json"
expect 0 "" table "$work/solved" --columns law,status
says "| ncp | ok |"
mkdir "$work/empty"
expect 2 "holds no records" table "$work/empty" --columns status
echo '{"schema": "coulombench.suite/1"}' >"$work/s.json"
expect 2 "schema" table "$work/s.json" --columns status
expect 2 "cannot" table "$one" --columns status -o "$work/nowhere/t.csv"
# Lists as rows: a trajectory, a row a sample.
expect 0 "" run falling-particle -f ncp --dt 1e-2 --t-end 0.05 --sample 1e-2 -o "$work/one.json"
expect 0 "" table "$work/one.json" --flatten --columns record,trajectory.t=t[],trajectory.q.y=y[],dt=h[] --format csv
check "a row a sample" test "$(wc -l <"$work/out")" = 7
check "the last one is the final state" test "$(tail -n 1 "$work/out" | cut -d, -f1-3)" = "$(
  "$program" table "$work/one.json" --columns record,final.t,final.q.y --format csv | tail -n 1)"
expect 2 "no column is a list" table "$work/one.json" --flatten --columns record,dt
summary
