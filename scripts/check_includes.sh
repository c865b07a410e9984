#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Does every include go downward? Usage: check_includes.sh [ROOT]
#
# The rooms and what each may include stand in `allowed`; within src/form, src/problem, src/mech and
# src/bench no folders may include one another in a circle. CBLAS, LAPACKE and SuiteSparse are used in
# la/ alone, GSL there and in the few files of `gsl`. The registries (registry.h) belong to the folder
# that they list.
#
# Without ROOT it checks the project, and itself on a tree that breaks every rule; it then reports
# as a test does. With ROOT it prints the offending includes there and fails if there are any.
set -euo pipefail

allowed='
base    base
la      base la
contact base la contact
problem base la contact problem
mech    base la contact mech
form    base la contact problem mech form
cases   base la contact mech cases
bench   base la contact problem mech form bench cases/case.h
peer    base la contact problem
command base la contact problem mech form bench command cases/case.h'
gsl='^src/(la/|base/rng.c|problem/local/|form/penalty/|form/event/|bench/)'

# "path:line:#include ..." on standard input -> what must not be.
# shellcheck disable=SC2016 # awk's own
judge='
BEGIN {
  n = split(allowed, lines, "\n")
  for (i = 1; i <= n; ++i) {
    m = split(lines[i], word, " ")
    for (k = 2; k <= m; ++k) may[word[1], word[k]] = 1
  }
}
function layer_of(path, part) {
  if (path ~ /^cases\//) return "cases"
  if (path == "src/main.c") return "command"
  if (path ~ /^src\/(siconos|fclib|fclib_data)\.[ch]$/) return "peer"
  split(path, part, "/")
  return part[2]
}
{
  path = $0; sub(/:.*/, "", path)
  place = $0; sub(/^[^:]*:/, "", place); sub(/:.*/, "", place)
  header = $0; sub(/^[^"<]*["<]/, "", header); sub(/[">].*/, "", header)
  layer = layer_of(path); first = header; sub(/\/.*/, "", first)
  if (header ~ /^(cblas|lapacke|lapack|openblas_config)\.h$|^(openblas|suitesparse)\/|^gsl\/gsl_c?blas\.h$/)
    good = path ~ /^src\/la\//
  else if (first == "gsl")
    good = path ~ gsl
  else if (first ~ /^(base|la|contact|problem|mech|form|bench|command|cases|tests)$/ && header ~ /\//)
    good = (layer, first) in may || (layer, header) in may
  else
    good = header !~ /\/.*\.\.|^\.\.|^src\//
  if (!good) print path ":" place ": " layer " must not include " header
}'
find_violations() { # root
  (cd "$1" && grep -rnHE '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]' --include='*.[ch]' src cases 2>/dev/null || true) |
    sort | awk -v allowed="$allowed" -v gsl="$gsl" "$judge"
}

# Folders of src that include one another in a circle; base is one room.
find_circles() { # root
  (cd "$1" && grep -rHoE '^#include "[a-z_]+/[^"]*"' --include='*.[ch]' src || true) |
    sed -nE 's|^(src/.*)/[^/]*:#include "(.*)/[^/]*"$|\1 src/\2|p' | grep -vE ' src/(cases|tests)' |
    sed -E 's|src/base/[a-z]+|src/base|g' | awk '$1 != $2' | sort -u | tsort 2>&1 >/dev/null | sed 's/^tsort: -: */  /; s/^tsort: /  /'
}

if (($# == 1)); then
  violations=$(find_violations "$1")
  [[ -z $violations ]] || { printf '%s\n' "$violations" && exit 1; }
  exit 0
fi

passed=0 failed=0
report() { # name why-it-failed
  if [[ -z $2 ]]; then
    echo "ok    $1"
    passed=$((passed + 1))
  else
    printf 'FAIL  %s\n%s\n' "$1" "$2"
    failed=$((failed + 1))
  fi
}

cd "$(dirname "$0")/.."
report includes_go_downward "$(find_violations .)"
report folders_have_no_circle "$(find_circles .)"

# A room holds what a reader can look over.
most=25
report rooms_are_not_crowded "$(find src cases -type f -printf '%h\n' | sort | uniq -c |
  awk -v most=$most '$1 > most { print "  " $2 ": " $1 " files, at most " most }')"

# Each line: a file and an include; `bad` must be reported, `good` must not.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
while read -r verdict path header; do
  mkdir -p "$work/src" "$work/$(dirname "$path")"
  printf '  # include "%s" /* a reason */\n' "$header" >>"$work/$path"
  [[ $verdict == good ]] || echo "$path $header"
done >"$work/wanted" <<'TREE'
good src/base/json/json.c base/json/json.h
bad  src/base/json/json.c la/dense.h
good src/la/dense.c cblas.h
good src/la/dense.c lapacke.h
good src/la/sparse.c suitesparse/cholmod.h
bad  src/problem/kkt.c suitesparse/cholmod.h
bad  src/contact/law.c cblas.h
bad  src/contact/law.c gsl/gsl_poly.h
bad  src/form/impulse/moreau.c gsl/gsl_blas.h
bad  src/contact/law.c mech/mech.h
good src/mech/joint.c contact/set.h
bad  src/mech/joint.c problem/problem.h
good src/problem/local/mdp.c gsl/gsl_poly.h
good src/problem/solvers/pgs.c problem/solver.h
bad  src/problem/solvers/pgs.c mech/mech.h
bad  src/problem/solvers/pgs.h form/form.h
good src/form/impulse/ccp.c problem/solver.h
good src/form/event/locate.c gsl/gsl_roots.h
bad  src/form/impulse/ccp.c bench/record/record.h
bad  src/form/impulse/ccp.c cases/case.h
good src/bench/suite/suite.c cases/case.h
bad  src/bench/suite/suite.c cases/registry.h
bad  src/bench/suite/suite.c ../cases/registry.h
bad  src/bench/suite/suite.c src/base/json/json.h
good src/main.c bench/suite/suite.h
good src/command/run.c bench/suite/suite.h
bad  src/bench/list.c command/command.h
good src/siconos.c problem/problem.h
bad  src/siconos.c bench/suite/suite.h
bad  src/main.c tests/test.h
good cases/wheel/wheel.c cases/case.h
good cases/wheel/wheel.c mech/mech.h
bad  cases/wheel/wheel.c form/form.h
bad  cases/wheel/wheel.c problem/problem.h
bad  cases/wheel/wheel.c bench/record/record.h
good cases/case.c cjson/cJSON.h
TREE
find_violations "$work" | sed -E 's/:.* must not include / /' >"$work/found"
report check_tells_good_from_bad "$(diff <(sort "$work/wanted") <(sort "$work/found") || true)"
rm -rf "$work/src"
mkdir -p "$work/src/form/a" "$work/src/form/b"
echo '#include "form/b/b.h"' >"$work/src/form/a/a.h"
echo '#include "form/a/a.h"' >"$work/src/form/b/b.h"
report check_finds_a_circle "$([[ -n $(find_circles "$work") ]] || echo "  a circle of two folders is not found")"

echo "check_includes: $passed passed, $failed failed, 0 skipped"
((failed == 0))
