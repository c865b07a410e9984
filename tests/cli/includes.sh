#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Includes of the project go downward, and the check of it finds what breaks each of its rules.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"
# shellcheck disable=SC2317 # called through check
passes() { "$root/scripts/check_includes.sh" "$work/tree" >"$work/found" 2>&1; }
# shellcheck disable=SC2317
refused_for() { ! passes && grep -q "$1" "$work/found"; }

# A tree with these includes, "file header" a line on standard input.
plant() {
  local file header
  rm -rf "$work/tree" && mkdir -p "$work/tree/src" "$work/tree/cases"
  while read -r file header; do
    mkdir -p "$work/tree/$(dirname "$file")"
    printf '  # include "%s" /* a reason */\n' "$header" >>"$work/tree/$file"
  done
}

check "the project keeps to its rules" "$root/scripts/check_includes.sh"

plant <<'TREE'
src/la/dense.c cblas.h
src/la/dense.c lapacke.h
src/la/sparse.c suitesparse/cholmod.h
src/base/json/json.c base/json/json.h
src/mech/joint.c contact/set.h
src/problem/local/mdp.c gsl/gsl_poly.h
src/problem/solvers/pgs.c problem/solver.h
src/form/impulse/ccp.c problem/solver.h
src/form/event/locate.c gsl/gsl_roots.h
src/bench/suite/suite.c cases/case.h
src/main.c bench/suite/suite.h
src/command/run.c bench/suite/suite.h
src/siconos.c problem/problem.h
cases/wheel/wheel.c cases/case.h
cases/wheel/wheel.c mech/mech.h
cases/case.c cjson/cJSON.h
TREE
check "what the table allows passes" passes

cat >"$work/bad" <<'TREE'
src/base/json/json.c la/dense.h
src/problem/kkt.c suitesparse/cholmod.h
src/contact/law.c cblas.h
src/contact/law.c gsl/gsl_poly.h
src/form/impulse/moreau.c gsl/gsl_blas.h
src/contact/law.c mech/mech.h
src/mech/joint.c problem/problem.h
src/problem/solvers/pgs.c mech/mech.h
src/problem/solvers/pgs.h form/form.h
src/form/impulse/ccp.c bench/record/record.h
src/form/impulse/ccp.c cases/case.h
src/bench/suite/suite.c cases/registry.h
src/bench/suite/suite.c ../cases/registry.h
src/bench/suite/suite.c src/base/json/json.h
src/bench/list.c command/command.h
src/siconos.c bench/suite/suite.h
src/main.c tests/test.h
cases/wheel/wheel.c form/form.h
cases/wheel/wheel.c problem/problem.h
cases/wheel/wheel.c bench/record/record.h
TREE
plant <"$work/bad"
check "what it does not allow is refused" refused_for "must not include"
check "... each and nothing else" diff <(sed -E 's/:.* must not include / /' "$work/found" | sort) <(sort "$work/bad")

while read -r what first_file first second_file second; do
  printf '%s\n' "$first_file $first" "$second_file $second" | plant
  check "a circle of $what is found" refused_for circle
done <<'TREE'
folders src/form/a/x.c form/b/y.h src/form/b/z.c form/a/w.h
rooms_of_bench src/bench/run/x.c bench/report/kit/y.h src/bench/report/page/z.c bench/run/w.h
headers src/la/x.h la/y.h src/la/y.h la/x.h
cases cases/a/x.c cases/b/y.h cases/b/z.c cases/a/w.h
TREE

plant <<<'src/la/x.c la/y.h'
touch "$work/tree/src/la/file"{1..25}
check "a crowded folder is found" refused_for "src/la: 26 files"

summary
