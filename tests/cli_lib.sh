# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# For end-to-end tests, sourced by them: run the program as a user does and check what it says.
#
#   . "$(dirname "$0")/../cli_lib.sh"
#   expect 2 "unknown case" run nowhere -f ccp          exit status, words on standard error, arguments
#   summary
#
# COULOMBENCH is the program under test; work is a scratch folder, removed at the end.

set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
program=${COULOMBENCH:-$root/build/coulombench}
name=$(basename "$0" .sh)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

ok() { # what
  passed=$((passed + 1))
  echo "ok $1"
}
bad() { # what why
  failed=$((failed + 1))
  echo "FAIL $1: $2"
}
skip() { # what why
  skipped=$((skipped + 1))
  echo "SKIP $1: $2"
}
check() { # what command...
  local what=$1
  shift
  if "$@"; then ok "$what"; else bad "$what" "'$*' does not hold"; fi
}

# Run the program: exit status must be $1; standard error must hold $2 (an extended regular expression)
# in one single line when the status is 2 or 3, "" for no demand. Output in $work/out and $work/err.
expect() {
  local status=$1 words=$2 got
  shift 2
  "$program" "$@" >"$work/out" 2>"$work/err" </dev/null
  got=$?
  if ((got != status)); then
    bad "$*" "exit status $got, not $status: $(head -n 2 "$work/err")"
  elif [[ -n $words ]] && ! grep -qE -- "$words" "$work/err"; then
    bad "$*" "standard error lacks '$words': $(head -n 2 "$work/err")"
  elif ((status >= 2)) && (($(wc -l <"$work/err") != 1)); then
    bad "$*" "$(wc -l <"$work/err") lines on standard error, not one: $(head -n 3 "$work/err")"
  else
    ok "$*"
  fi
}

# Does the command hold within some seconds?
wait_for() { # command...
  local tries
  for ((tries = 0; tries < 500; tries++)); do
    ! "$@" || return 0
    sleep 0.01
  done
  return 1
}

# No file of the folder may be left but those named.
only_files() { # folder names... beside references that were kept
  local folder=$1
  shift
  [[ "$(find "$folder" -mindepth 1 -name references -prune -o -mindepth 1 -printf '%P\n' | sort | tr '\n' ' ')" == \
    "$( (($# > 0)) && printf '%s\n' "$@" | sort | tr '\n' ' ')" ]]
}

# The list of numbers at a key of a JSON file; are they as expected, to 1e-7?
numbers() { # file key
  tr -d '\n' <"$1" | grep -oE "\"$2\": *\[[^]]*\]" | grep -oE '\[.*\]' | tr -d '[],'
}
near() { # file key expected...
  local file=$1 key=$2
  shift 2
  numbers "$file" "$key" | awk -v want="$*" \
    '{ n = split(want, w, " "); if (NF != n) exit 1; for (i = 1; i <= n; ++i) { d = $i - w[i]; if (d * d > 1e-14) exit 1 } }'
}

summary() {
  echo "$name: $passed passed, $failed failed, $skipped skipped"
  exit $((failed > 0))
}
