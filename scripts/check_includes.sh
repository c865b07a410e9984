#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Does every include go downward? Usage: check_includes.sh [ROOT]
#
# The layers, and which headers of the project each may include:
#   base <- la <- contact <- mech <- form
#   problem  base, la, contact
#   form     all of these, problem too
#   cases    base, la, contact, mech, cases
#   bench    everything in src/, and of cases only cases/case.h
#   command, main.c  everything in src/, and cases/case.h; nothing else sees command
#   src/siconos.c, src/fclib*, programs of their own: base, la, contact, problem
#   tests    everything
# CBLAS, LAPACKE and CHOLMOD are used in la/ alone; GSL there and in the few files named in
# may_use_gsl. The registries (registry.h) belong to the folder that they list.
#
# Without ROOT it checks the project, and itself on a tree that breaks every rule; it then reports
# as a test does. With ROOT it prints the offending includes there and fails if there are any.
set -euo pipefail

allowed_of() { # layer
  case $1 in
  base) echo base ;;
  la) echo base la ;;
  contact) echo base la contact ;;
  problem) echo base la contact problem ;;
  mech) echo base la contact mech ;;
  form) echo base la contact problem mech form ;;
  cases) echo base la contact mech cases ;;
  bench) echo base la contact problem mech form bench cases/case.h ;;
  peer) echo base la contact problem ;;
  command) echo base la contact problem mech form bench command cases/case.h ;;
  *) echo ;;
  esac
}

may_use_gsl() { # path
  case $1 in
  src/la/* | src/base/rng.c | src/problem/local/* | src/form/penalty/* | src/form/event/*) ;;
  src/bench/*) ;;
  *) return 1 ;;
  esac
}

layer_of() { # path
  case $1 in
  src/main.c) echo command ;;
  src/siconos.c | src/fclib.c | src/fclib_data.[ch]) echo peer ;;
  src/*/*) local rest=${1#src/} && echo "${rest%%/*}" ;;
  cases/*) echo cases ;;
  esac
}

is_allowed() { # path header
  local path=$1 header=$2 layer allowed
  case $header in
  cblas.h | lapacke.h | lapack.h | openblas/* | openblas_config.h) [[ $path == src/la/* ]] ;;
  suitesparse/*) [[ $path == src/la/* ]] ;;
  gsl/gsl_cblas.h | gsl/gsl_blas.h) [[ $path == src/la/* ]] ;;
  gsl/*) may_use_gsl "$path" ;;
  tests/*) false ;;
  base/* | la/* | contact/* | problem/* | mech/* | form/* | bench/* | command/* | cases/*)
    layer=$(layer_of "$path")
    for allowed in $(allowed_of "$layer"); do
      if [[ $header == "$allowed" || $header == "$allowed"/* ]]; then
        return 0
      fi
    done
    false
    ;;
  */*) # a path of neither the project nor GSL: a system header, but no way around by ".."
    [[ $header != *..* && $header != src/* ]]
    ;;
  *) true ;; # the C library, or a header beside the file
  esac
}

find_violations() { # root
  local path line header
  (
    cd "$1"
    find src cases -name '*.[ch]' -type f -print0 2>/dev/null | sort -z |
      xargs -0 -r grep -nHE '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]' || true
  ) | while IFS= read -r line; do
    path=${line%%:*}
    header=$(sed -E 's/^[^"<]*["<]([^">]*).*/\1/' <<<"$line")
    if ! is_allowed "$path" "$header"; then
      echo "$path:$(cut -d: -f2 <<<"$line"): $(layer_of "$path") must not include $header"
    fi
  done
}

if (($# == 1)); then
  violations=$(find_violations "$1")
  if [[ -n $violations ]]; then
    printf '%s\n' "$violations"
    exit 1
  fi
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

# A room holds what a reader can look over.
most=25
find_crowded() { # root
  find "$1/src" "$1/cases" -type d | while read -r folder; do
    files=$(find "$folder" -maxdepth 1 -type f | wc -l)
    ((files <= most)) || echo "  $folder: $files files, at most $most"
  done
}
report rooms_are_not_crowded "$(find_crowded .)"

# Each line: a file and an include; `bad` must be reported, `good` must not.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
self_test() {
  local verdict path header found why=
  while read -r verdict path header; do
    rm -rf "${work:?}/src" "$work/cases"
    mkdir -p "$work/src" "$work/$(dirname "$path")"
    printf '#include <stdio.h>\n  # include "%s" /* a reason */\n' "$header" >"$work/$path"
    found=good
    [[ -z $(find_violations "$work") ]] || found=bad
    [[ $found == "$verdict" ]] || why+="  $path including $header: found $found"$'\n'
  done
  printf '%s' "$why"
}
report check_tells_good_from_bad "$(self_test <<'TREE'
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
)"

echo "check_includes: $passed passed, $failed failed, 0 skipped"
((failed == 0))
