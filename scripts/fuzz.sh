#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Fuzz the readers, one harness after the other.
# Usage: fuzz.sh PROGRAM SECONDS [RUNS [TEXT]]
#
# The time is split over the harnesses; with RUNS each is given so many inputs instead, however long
# that takes. TEXT: only harnesses whose name holds it. What is new in the corpus stays below the build
# folder, for the next time; a finding is left there too, to be looked at and, once it is mended, put
# into tests/fuzz/corpus. Exit status 1 with a finding, 0 without.
set -uo pipefail
if (($# < 2)); then
  sed -n '5,10s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
program=$1 seconds=$2 runs=${3-} text=${4-}
if [[ ! $seconds =~ ^[1-9][0-9]*$ || ! $runs =~ ^([1-9][0-9]*)?$ ]]; then
  echo "fuzz: SECONDS = '$seconds', RUNS = '$runs': must be positive whole numbers" >&2
  exit 2
fi
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(dirname "$program")
# One input may take this long [s] and so much memory [MB]: beyond it is a finding as well.
limits=(-timeout=30 -rss_limit_mb=4096 -malloc_limit_mb=2048)
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
export OMP_NUM_THREADS=1
export COULOMBENCH_DATA=$root

names=()
for folder in "$root"/tests/fuzz/corpus/*/; do
  name=$(basename "$folder")
  [[ $name != *"$text"* ]] || names+=("$name")
done
if ((${#names[@]} == 0)); then
  echo "fuzz: no harness has '$text' in its name" >&2
  exit 2
fi

found=0
for name in "${names[@]}"; do
  corpus=$work/corpus/$name log=$work/$name.log
  mkdir -p "$corpus" "$work/findings"
  bound=(-max_total_time=$((seconds / ${#names[@]} > 0 ? seconds / ${#names[@]} : 1)))
  [[ -z $runs ]] || bound=("-runs=$runs")
  FUZZ_HARNESS=$name "$program" "${bound[@]}" "${limits[@]}" -max_len=8192 -close_fd_mask=1 -print_final_stats=1 \
    -artifact_prefix="$work/findings/$name-" "$corpus" "$root/tests/fuzz/corpus/$name" >"$log" 2>&1 </dev/null
  status=$?
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  if ((status == 0)); then
    echo "fuzz: $name: ${executions:-0} executions, no finding"
  else
    found=$((found + 1))
    echo "fuzz: $name: a finding after ${executions:-?} executions: $(sed -n 's/^.*Test unit written to //p' "$log" | tail -n 1); see $log" >&2
  fi
done
exit $((found > 0))
