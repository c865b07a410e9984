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

# A Python that has a module, the machine's own where the first on PATH has not; empty: none.
python_with() { # MODULE
  local python
  for python in python3 /usr/bin/python3; do
    if "$python" -c "import $1" 2>/dev/null; then
      echo "$python"
      return
    fi
  done
}

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
only_files() { # folder names... beside the suite, references and the table
  local folder=$1
  shift
  [[ "$(find "$folder" -mindepth 1 \( -name references -o -name table \) -prune -o -mindepth 1 ! -name suite.json -printf '%P\n' | sort | tr '\n' ' ')" == \
    "$( (($# > 0)) && printf '%s\n' "$@" | sort | tr '\n' ' ')" ]]
}

# Which files a folder of records has, and their bytes but for timing and provenance; without references,
# which are made again where they are missing, and what others than cells leave there.
records_in() { # folder find's actions...
  (cd "$1" && find . \( -name references -o -name table -o -name report -o -name figures -o -name slurm -o -name 'part-*' \
    -o -name .snakemake \) -prune -o "${@:2}" -print | sort)
}
names() { records_in "$1"; }
lasting() { (cd "$1" && records_in . -type f | xargs awk 'FNR == 1 { on = 1 } /^  "timing"/ { on = 0 } on'); }

# Does a process of the group run? Fourth word of a stat: its group, after a name that may hold blanks.
is_busy() { # group
  local file stat
  for file in /proc/[0-9]*/stat; do
    if { read -r stat <"$file"; } 2>/dev/null && [[ ${stat##*) } =~ ^[^ZX]\ [0-9]+\ $1\  ]]; then return 0; fi
  done
  return 1
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

# What is wrong with a page: links and anchors that lead nowhere, drawings beside it that it does not
# show, ids that stand twice. figures: the folder of the drawings.
page_faults() { # page figures
  local page=$1 figures=$2 link file
  grep -oE ' (href|src)="[^"]*"' "$page" | sed 's/^[^"]*"//; s/"$//' | sort -u >"$work/links"
  grep -oE ' id="[^"]*"' "$page" | sed 's/^ id="//; s/"$//' | sort >"$work/ids"
  uniq -d "$work/ids" | sed 's/^/twice: /'
  while read -r link; do
    case $link in
    data:*) ;;
    '#'*) grep -qxF "${link#\#}" "$work/ids" || echo "dead: $link" ;;
    *) test -f "$(dirname "$page")/$(printf '%b' "${link//%/\\x}")" || echo "dead: $link" ;;
    esac
  done <"$work/links"
  for file in "$figures"/*.svg; do
    test -e "$file" || continue
    link=$(basename "$file" .svg)
    grep -qxE "(figure-)?$link" "$work/ids" || echo "not shown: $link"
  done
}

# A record that is changed by hand loses its checksum, like one that is older than these.
unseal() { # file...
  sed -i 's/\("checksum": "\)[0-9a-f]*/\1/' "$@"
}

summary() {
  echo "$name: $passed passed, $failed failed, $skipped skipped"
  exit $((failed > 0))
}
