#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Run test programs and scripts in parallel and add up what they report.
# Usage: run.sh [-j JOBS] [-o FOLDER of logs] TEST...
#
# The longest test begins first, by the seconds that each took the last time, which FOLDER.seconds
# remembers: a long one that begins last would keep one core busy alone. What was never run comes
# before all others, in the order given.
#
# A test is anything executable that ends with a line "<name>: N passed, N failed, N skipped" (the
# last part may be missing). Counted as one more failure: a signal, a timeout, an exit status that
# contradicts the line, no such line, or a line that says that nothing ran. The last line printed is
# "N passed, N failed" with ", N skipped" where any were; the exit status is 0 if and only if none
# failed and something ran.
set -uo pipefail

# One test may take this long [s], also under the sanitizers; TEST_TIMEOUT replaces it.
limit=${TEST_TIMEOUT:-600}
summary='^[^ ]+: ([0-9]+) passed, ([0-9]+) failed(, ([0-9]+) skipped)?$'

run_one() { # path log
  local path=$1 log=$2 status line counts=(0 0 0) trouble='' began=$EPOCHREALTIME
  { timeout -k 5 "$limit" "$path" >"$log" 2>&1 </dev/null; } 2>/dev/null # the shell's own remarks
  status=$?
  line=$(grep -E "$summary" "$log" | tail -n 1)
  if [[ $line =~ $summary ]]; then
    counts=("${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" "${BASH_REMATCH[4]:-0}")
  fi
  if ((status == 124 || status == 137)); then
    trouble="stopped after $limit s"
  elif ((status > 128)); then
    trouble="crashed, SIG$(kill -l $((status - 128)) 2>/dev/null || echo $((status - 128)))"
  elif [[ -z $line ]]; then
    trouble="no summary line, exit status $status"
  elif ((counts[0] + counts[1] + counts[2] == 0)); then
    trouble="ran no tests"
  elif ((status != 0 && counts[1] == 0)); then
    trouble="exit status $status although no test failed"
  elif ((status == 0 && counts[1] > 0)); then
    trouble="exit status 0 although tests failed"
  fi
  if [[ -n $trouble ]]; then
    counts[1]=$((counts[1] + 1))
    trouble="FAIL  $(basename "$path"): $trouble"
    printf '%s\n' "$trouble" >>"$log"
  fi
  printf '%s %s %s\n' "${counts[@]}" >"$log.counts"
  printf '%s %s\n' $(((${EPOCHREALTIME/[.,]/} - ${began/[.,]/}) / 1000)) "$(basename "$path")" \
    >"$log.milliseconds"
  printf '%s\n' "${line:+$line${trouble:+$'\n'}}$trouble"
}
if [[ ${1-} == --one ]]; then
  run_one "$2" "$3"
  exit 0
fi

jobs=1
logs=
while getopts j:o: option; do
  case $option in
  j) jobs=$OPTARG ;;
  o) logs=$OPTARG ;;
  *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
logs=${logs:-$(mktemp -d)}
rm -rf "$logs"
mkdir -p "$logs"

# The tests fill the cores: a BLAS with threads of its own would only get in their way, and so would
# threads that wait without sleep.
export OPENBLAS_NUM_THREADS=${OPENBLAS_NUM_THREADS:-1} OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive}

# The tests, the longest first.
in_order() {
  local path
  for path in "$@"; do
    printf '%s %s\n' "${took[$(basename "$path")]:-$never}" "$path"
  done | sort -k1,1nr -s | cut -d ' ' -f 2-
}
declare -A took=()
never=999999999 # milliseconds
memory=$logs.seconds
if [[ -f $memory ]]; then
  while read -r seconds name; do
    [[ $seconds =~ ^[0-9]+\.[0-9]{3}$ && -n $name ]] && took[$name]=$((10#${seconds/./}))
  done <"$memory"
fi

in_order "$@" | while read -r path; do
  case $path in
  */*) ;;
  *) path=./$path ;;
  esac
  printf '%s\0%s\0' "$path" "$logs/$(basename "$path").log"
done | xargs -0 -r -n 2 -P "$jobs" "$0" --one

while read -r ms name; do
  took[$name]=$ms
done < <(cat "$logs"/*.milliseconds 2>/dev/null)
for name in "${!took[@]}"; do
  ms=${took[$name]}
  printf '%d.%03d %s\n' $((ms / 1000)) $((ms % 1000)) "$name"
done | sort -k1,1nr >"$memory.$$" && mv -f "$memory.$$" "$memory"

passed=0 failed=0 skipped=0
for path in "$@"; do
  log=$logs/$(basename "$path").log
  read -r p f s <"$log.counts" || { p=0 f=1 s=0 && echo "FAIL  $path: not run"; }
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
  if ((f > 0)); then
    printf '\n---- %s\n' "$path"
    cat "$log"
  elif ((s > 0)); then
    sed -nE "s/^ *SKIP */SKIP  $(basename "$path"): /p" "$log"
  fi
done
if ((failed > 0)); then
  echo
fi
if ((skipped > 0)); then
  echo "$passed passed, $failed failed, $skipped skipped"
else
  echo "$passed passed, $failed failed"
fi
((failed == 0 && passed + skipped > 0))
