#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Static checks: layout (clang-format; width, tabs, trailing blanks), clang-tidy, cppcheck, shellcheck.
# Usage: lint.sh [-j JOBS] [FILE...]; without files the whole tree. Exit status: 0 no finding, 1
# findings, 2 a tool is missing. Run by `make lint`, which passes the preprocessor flags of the build
# in LINT_CPPFLAGS.
# shellcheck disable=SC2317 # the checks are called by name
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2

# The defines and folders of the build.
read -r -a cppflags <<<"${LINT_CPPFLAGS:--D_GNU_SOURCE -Isrc -I.}"
if [[ ${1-} == --tidy ]]; then
  found=$(clang-tidy --quiet "$2" -- -std=gnu11 "${cppflags[@]}" 2>&1) && exit 0
  grep -vE '^[0-9]+ warnings? (generated|and|treated)' <<<"$found"
  exit 1
fi

jobs=1
while getopts j: option; do
  case $option in
  j) jobs=$OPTARG ;;
  *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))

missing=()
for tool in clang-format clang-tidy cppcheck shellcheck; do
  command -v "$tool" >/dev/null || missing+=("$tool")
done
if ((${#missing[@]} > 0)); then
  echo "lint: not installed: ${missing[*]}; type: scripts/setup.sh --lint" >&2
  exit 2
fi

if (($# > 0)); then
  files=("$@")
else
  mapfile -t files < <(find src cases tests scripts .ci -type f -not -name '*.json' | sort)
fi
sources=() headers=() scripts=()
for file in "${files[@]}"; do
  case $file in
  *.c) sources+=("$file") ;;
  *.h | *.cpp) headers+=("$file") ;; # of the file of C++ the layout alone
  *) [[ $(head -n 1 "$file" | tr -d '\0') == '#!'*sh ]] && scripts+=("$file") ;;
  esac
done

status=0
check() { # name command...
  local name=$1
  shift
  echo "lint    $name"
  "$@" || {
    status=1
    echo "lint: $name: findings above" >&2
  }
}

# One process a file, each of which prints its findings in one piece.
check_tidy() {
  local known=("${sources[@]}")
  if [[ ! -e /usr/include/siconos || ! -e /usr/include/mujoco ]] || ! pkg-config --exists hdf5 ode; then
    echo "lint: clang-tidy: programs of libraries that are not all installed are left out" >&2
    mapfile -t known < <(printf '%s\n' "${sources[@]}" | grep -vxE 'src/(siconos|fclib|fclib_data|peers/.*)\.c')
  fi
  printf '%s\0' "${known[@]}" | xargs -0 -n 1 -P "$jobs" scripts/lint.sh --tidy
}

# Suppressed, and why: missingInclude*, the system's headers are not looked for; unusedFunction, one
# file is looked at at a time; uninitvar, arrays filled by a loop over a dimension (gcc and the
# sanitizers watch this); invalidPointerCast, option tables address fields by their offset;
# in tests nullPointer*RedundantCheck, as a CHECK reports and goes on, and returnDanglingLifetime, as
# what is made from a setup keeps no pointer to it (the sanitizers watch that).
check_cppcheck() {
  cppcheck --quiet --std=c11 --language=c -j "$jobs" --error-exitcode=1 --inline-suppr \
    --enable=warning,performance,portability --suppress=missingInclude \
    --suppress=missingIncludeSystem --suppress=unusedFunction --suppress=uninitvar \
    --suppress=invalidPointerCast --suppress='nullPointerRedundantCheck:tests/*' \
    --suppress='nullPointerArithmeticRedundantCheck:tests/*' --suppress='returnDanglingLifetime:tests/*' \
    --template='{file}:{line}: {severity}: {message} [{id}]' \
    -D_GNU_SOURCE -Isrc -I. "${sources[@]}"
}

check_blanks() {
  ! grep -nE $'\t|[[:blank:]]+$' "${sources[@]}" "${headers[@]}" "${scripts[@]}"
}

# clang-format leaves comments alone, whose formulas it would make prose of; so their width is ours
# to see. A NOLINT may stand beyond.
check_width() {
  ! LC_ALL=C.UTF-8 grep -nE '^.{101,}' "${sources[@]}" "${headers[@]}" /dev/null | grep -v NOLINT
}

if ((${#sources[@]} + ${#headers[@]} > 0)); then
  check "lines of at most 100 columns" check_width
  check clang-format clang-format --dry-run -Werror "${sources[@]}" "${headers[@]}"
fi
if ((${#sources[@]} > 0)); then
  check cppcheck check_cppcheck
  check clang-tidy check_tidy
fi
if ((${#scripts[@]} > 0)); then
  check shellcheck shellcheck -x -P SCRIPTDIR "${scripts[@]}"
fi
if ((${#files[@]} > 0)); then
  check "tabs and trailing blanks" check_blanks
fi
exit "$status"
