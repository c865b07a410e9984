#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A suite on a cluster that Slurm shares out: a first job makes the references, then the tasks of an
# array make the records, each those of its part of the suite, all in one folder; a last job says what
# is missing and writes the report. A task that is killed, preempted or queued again goes on where it
# was. So does the suite: started again with the same words, it makes what is missing and nothing else.
#
# Usage: slurm.sh [-N TASKS] [-c CPUS] [-p PARTITION] [-o FOLDER] [--dry-run] SUITE [-- OPTION...]
#
#   SUITE         quick, medium, full, ... or a .json file
#   -N TASKS      of the array, 1 to 1000 (one for each ten minutes of estimated time); never more than
#                 cells are missing or the cluster takes
#   -c CPUS       processors of a task, and runs at a time in it (1)
#   -p PARTITION  of the cluster (its default); the times of the jobs keep within its limit
#   -o FOLDER     where the records go, seen by all machines (results/SUITE); scripts and logs of the
#                 jobs are in FOLDER/slurm
#   --dry-run     print the scripts and submit nothing; needs no Slurm
#   OPTION        of sbatch, for all jobs: --account=physics --mem-per-cpu=2G
#
# The program is build/coulombench, or the one that is installed, or that COULOMBENCH names. Exit status: 0 submitted or
# nothing to do, 2 not.
set -uo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
program=${COULOMBENCH:-$here/build/coulombench}
[[ -x $program || -n ${COULOMBENCH-} ]] || program=$(command -v coulombench) || program=$here/build/coulombench

fail() {
  echo "slurm.sh: $*" >&2
  exit 2
}

declare -A given=([-N]='' [-c]=1 [-p]=${SBATCH_PARTITION-} [-o]='')
suite='' is_dry=''
while (($# > 0)); do
  case $1 in
  --dry-run) is_dry=1 ;;
  -h | --help) sed -n '9,23s/^# \{0,1\}//p' "$0" && exit 0 ;;
  --) shift && break ;;
  -N | -c | -p | -o)
    (($# > 1)) || fail "$1: wants a value"
    [[ $1 == -[po] || $2 =~ ^([1-9][0-9]{0,2}|1000)$ ]] || fail "$1 '$2': must be a number from 1 to 1000"
    given[$1]=$2 && shift
    ;;
  -*) fail "unknown option '$1'; -h lists all" ;;
  *) [[ -z $suite ]] || fail "one SUITE, not '$suite' and '$1'" && suite=$1 ;;
  esac
  shift
done
passed=("$@") tasks=${given[-N]} cpus=${given[-c]} partition=${given[-p]} folder=${given[-o]}
[[ -n $suite ]] || fail "which SUITE? -h tells more"
[[ $suite != *.json ]] || suite=$(realpath -m -- "$suite")
folder=$(realpath -m -- "${folder:-results/$(basename "$suite" .json)}")
[[ $folder != *[[:space:]\"\'%\\]* ]] || fail "-o '$folder': Slurm wants a folder without blanks, quotes and %"
[[ -x $program ]] || fail "there is no program $program; make builds it"
[[ -n $is_dry ]] || command -v sbatch >/dev/null || fail "there is no sbatch here: this is no machine of a Slurm cluster"
if [[ -z $is_dry && -f $folder/slurm/jobs ]]; then
  jobs=$(<"$folder/slurm/jobs")
  [[ -z $(squeue -h -j "$jobs" 2>/dev/null) ]] || fail "jobs $jobs are at work in $folder (squeue, scancel)"
fi

# What is missing: how many cells, their estimated time of one processor and the longest time limit [s].
bench=("$program" bench "$suite" -o "$folder")
estimate() { # of a list of cells, from its last line
  sed -n '$s/.* about //p' | awk '{
    for (i = 1; i < NF; ++i) s += $i * ($(i + 1) == "h" ? 3600 : $(i + 1) == "min" ? 60 : $(i + 1) == "s") }
    END { print s + 0 }'
}
missing=$("${bench[@]}" --missing)
case $? in
0) echo "nothing is missing in $folder" && exit 0 ;;
[2-9] | ??*) exit 2 ;; # the program has said why
esac
cells=${missing##*$'\n'} cells=${cells%% *} whole=$(estimate <<<"$missing")
limit=$(sed -n 's/.* --time-limit \([0-9.]*\).*/\1/p' <<<"$missing" | sort -g | tail -n 1)
most=$(scontrol show config 2>/dev/null | awk '$1 == "MaxArraySize" { print $3 - 1 }')
tasks=$(printf '%s\n' "${tasks:-$((whole / 600 + 1))}" "${most:-1000}" "$cells" 1000 | sort -n | head -n 1)
part=$("${bench[@]}" --dry-run --shard "1/$tasks" 2>/dev/null | estimate)

# Minutes that a job is given for an estimated time [s]: parts differ by up to their longest cell, which
# is in the first of them, and machines in speed. No longer than the partition allows.
longest=$(sinfo -h -o '%P %l' ${partition:+-p "$partition"} 2>/dev/null | awk -v named="$partition" '
  (named != "" || $1 ~ /\*$/) && $2 ~ /^[0-9]/ {
    n = split($2, t, /[-:]/)
    print n == 4 ? (t[1] * 24 + t[2]) * 60 + t[3] : n == 3 ? t[1] * 60 + t[2] : t[1] }' | sort -n | head -n 1)
minutes() {
  printf '%s\n' "$(awk -v s="$1" -v limit="${limit:-0}" 'BEGIN { print int((4 * s + 3 * limit + 600) / 60) + 1 }')" \
    ${longest:+"$longest"} | sort -n | head -n 1
}

# A job, its last lines on standard input: its script into FOLDER/slurm and submitted, or printed.
ids=()
job() { # name, minutes, suffix of its log, further options
  local id=$1 body text
  body=$(cat)
  text=$(
    cat <<S
#!/bin/bash
#SBATCH --job-name=coulombench-$1
#SBATCH --output=$folder/slurm/$1-$3.log
#SBATCH --open-mode=append --requeue --ntasks=1 --cpus-per-task=$cpus --time=$2
${partition:+#SBATCH --partition=$partition
}${4:+#SBATCH $4
}# Slurm ends a job that it takes back by TERM and some time later by KILL. One that ended by itself between
# the two could count as failed, and would not be queued again: it waits.
trap 'trap "" TERM; kill "\$child" 2>/dev/null; wait "\$child"; sleep 600; exit 143' TERM
# A command; again where it was killed.
run() {
  local attempt status
  for attempt in 1 2 3; do
    "\$@" &
    child=\$!
    wait "\$child"
    status=\$?
    [ "\$status" -gt 128 ] || break
  done
  return "\$status"
}
$body
S
  )
  if [[ -n $is_dry ]]; then
    printf '# ---- %s\n%s\n\n' "$folder/slurm/$1.sh" "$text"
  elif ! id=$({ mkdir -p "$folder/slurm" && echo "$text" >"$folder/slurm/$1.sh" &&
    sbatch --parsable "${passed[@]}" "$folder/slurm/$1.sh"; } 2>&1); then
    ((${#ids[@]} == 0)) || scancel "${ids[@]}"
    fail "the job '$1' is not submitted, nor is any other: ${id##*$'\n'}"
  fi
  id=${id##*$'\n'} && ids+=("${id%%;*}")
}
printf -v command '%q ' "${bench[@]}"
printf -v quoted '%q' "$program"
job references "$(minutes "$whole")" %j "" <<S
run $command--references -j $cpus
[ \$? -le 1 ] # without a reference its cells make it
S
job part "$(minutes "$part")" %A_%a "--array=1-$tasks --dependency=afterany:${ids[0]}" <<S
run $command--resume -j $cpus --shard "\$SLURM_ARRAY_TASK_ID/$tasks"
[ \$? -le 1 ] # runs that end in a bad status are results
S
job report "$(minutes 900)" %j "--dependency=afterany:${ids[1]}" <<S
run $command--missing
missing=\$?
[ "\$missing" -eq 0 ] || echo "cells are missing: start slurm.sh again with the same words"
run $quoted table $folder --package $folder/table # its rows were written by all tasks at once
run $quoted report $folder && [ "\$missing" -eq 0 ]
S
[[ -z $is_dry ]] || exit 0
(IFS=, && echo "${ids[*]}" >"$folder/slurm/jobs")
echo "references: job ${ids[0]}; $cells cells by $tasks tasks: job ${ids[1]}; report: job ${ids[2]}; all in $folder"
