#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A suite on a cluster: what scripts/slurm.sh writes; the line of GNU parallel and the rule of Snakemake
# in src/bench/README.md; and a real Slurm of this one machine, in which a process is killed, a task
# queued again, another cancelled, and the node drained. In the end the records are those of one
# program alone, each made once.
# shellcheck disable=SC2016,SC2317 # conditions are evaluated later, functions called by name
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"
export COULOMBENCH_DATA=${COULOMBENCH_DATA:-$root} COULOMBENCH=$program
unset SBATCH_PARTITION SLURM_CONF

cat >"$work/suite.json" <<S
{ "schema": "coulombench.suite/1", "name": "small", "time_limit": 120, "cells":
  [ { "case": "double-pendulum", "formulations": ["moreau", "ncp"], "t_end": 0.6, "dt": [0.01, 0.005] },
    { "case": "falling-particle", "formulations": ["ncp", "moreau", "mdp"], "dt": [1e-5, 1.2e-5, 1.4e-5, 1.6e-5] },
    { "case": "oscillator", "formulations": ["moreau"], "dt": 1e-3, "t_end": 0.2 },
    { "problems": "$work/set", "label": "own", "laws": ["ncp"], "solvers": ["ssn", "pgs"] } ] }
S
mkdir "$work/set"
cp "$root"/tests/problems/{one-3d,chain-2d-10,stack-2d-20}.json "$work/set" # one is unconverged by pgs
expect 1 " cells in " bench "$work/suite.json" -j 2 -o "$work/whole"
total=$(find "$work/whole" -name '*--*.json' | wc -l)

# --- what is written ---
# Standard output of the script in $work/out; like expect.
slurm() { # exit status, words on either output, arguments
  local status=$1 words=$2 got
  shift 2
  "$root/scripts/slurm.sh" "$@" >"$work/out" 2>"$work/err" </dev/null
  got=$?
  if ((got != status)) || ! grep -qE -- "$words" "$work/out" "$work/err" || { ((status > 0)) && (($(wc -l <"$work/err") != 1)); }; then
    bad "slurm.sh $*" "exit status $got, not $status, or no '$words': $(head -n 3 "$work/err")"
  else
    ok "slurm.sh $*"
  fi
}
slurm 0 "--array=1-3 " --dry-run -N 3 -o "$work/none" "$work/suite.json" -- --account=x
check "three scripts" test "$(grep -c '^#!/bin/bash' "$work/out")" = 3
check "that are sound" bash -n "$work/out"
check "nothing is written" test ! -e "$work/none"
slurm 0 "--array=1-$total " --dry-run -N 1000 -o "$work/none" "$work/suite.json"
slurm 0 "--array=1-1 " --dry-run -o "$work/none" "$work/suite.json"
slurm 0 "Usage" -h
slurm 2 "which SUITE" --dry-run
slurm 2 "unknown suite|nowhere" --dry-run nowhere
slurm 2 "'0': must be a number from 1 to 1000" -N 0 quick
slurm 2 "'1001': must be a number" -N 1001 quick
slurm 2 "'x': must be a number" -c x quick
slurm 2 "unknown option '-x'" -x quick
slurm 2 "wants a value" quick -N
slurm 2 "one SUITE" quick full
slurm 2 "without blanks" -o "$work/a b" quick
mkdir "$work/path"
for command in bash dirname realpath basename; do ln -s "$(command -v $command)" "$work/path/$command"; done
PATH=$work/path "$root/scripts/slurm.sh" quick 2>"$work/err"
check "without Slurm that is said" grep -q "no sbatch here" "$work/err"

# --- the same by others ---
is_whole() { # folder
  diff <(names "$1") <(names "$work/whole") >&2 && cmp <(lasting "$1") <(lasting "$work/whole") >&2 &&
    "$program" compare "$1" "$work/whole" | grep "same to the byte" | grep -q "$total records: $total same"
}
# An indented block of the documentation that holds some words, for this suite and a folder of its own.
# Numbers are replaced first: paths come in behind them and may hold the same digits.
documented() { # words folder
  awk -v words="$1" '!/^    / && !/^$/ { if (block ~ words) printf "%s", block; block = "" } /^    |^$/ { block = block substr($0, 5) "\n" }' \
    "$root/src/bench/README.md" | sed "s|16|3|g; s|17|4|g; s|build/coulombench|$program|; s|bench full|bench $work/suite.json|; s|results/full|$2|g"
}
if command -v parallel >/dev/null; then
  documented '::: ' "$work/parallel" | grep ':::' >"$work/line"
  check "GNU parallel's line is there" test "$(wc -l <"$work/line")" = 1
  PARALLEL_HOME=$work bash "$work/line" >"$work/out" 2>"$work/err"
  check "it makes the same" is_whole "$work/parallel"
else
  skip "GNU parallel" "it is not installed"
fi
if command -v snakemake >/dev/null; then
  documented 'rule part' "$work/snakemake" >"$work/Snakefile"
  (cd "$work" && XDG_CACHE_HOME=$work/cache snakemake -q -j 2) >"$work/out" 2>"$work/err"
  check "Snakemake's rule makes the same" is_whole "$work/snakemake"
else
  skip "Snakemake" "it is not installed"
fi

# --- a Slurm of this machine ---
PATH=$PATH:/usr/sbin
for needed in slurmctld slurmd munged pgrep; do
  if [[ -z ${SLURM-} || $(id -u) != 0 ]] || ! command -v $needed >/dev/null; then
    skip "a Slurm of this machine" "$needed is to be installed and run by root (make SLURM=1 test T=slurm)"
    summary
  fi
done

slurm_dir=$work/cluster daemons=() node=$(hostname -s)
mkdir -p "$slurm_dir"/{state,spool}
chmod 755 "$work" "$slurm_dir"
stop_cluster() {
  local pid
  scancel --user=root 2>/dev/null
  wait_for eval '[[ -z $(squeue -h 2>/dev/null) ]]'
  for pid in "${daemons[@]}"; do kill "$pid" 2>/dev/null; done
  for pid in "${daemons[@]}"; do wait_for eval "! kill -0 $pid 2>/dev/null" || kill -9 "$pid"; done
  for pid in $(ours); do kill -9 "$pid" 2>/dev/null; done
  daemons=()
}
# Processes of the cluster: their words or their environment name its folder.
ours() {
  local process
  for process in /proc/[0-9]*; do
    if [[ ${process##*/} != "$$" && ${process##*/} != "$BASHPID" ]] &&
      { tr '\0' '\n' <"$process/cmdline" && tr '\0' '\n' <"$process/environ"; } 2>/dev/null | grep -qF "$slurm_dir"; then
      echo "${process##*/}"
    fi
  done
}
trap 'stop_cluster; rm -rf "$work"' EXIT
trap 'exit 143' TERM INT HUP
free_port() {
  local port=$((20000 + RANDOM % 20000))
  while (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((port + 1)); done
  echo $port
}

head -c 128 /dev/urandom >"$slurm_dir/munge.key"
chmod 400 "$slurm_dir/munge.key"
cat >"$slurm_dir/slurm.conf" <<S
ClusterName=scratch
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$slurm_dir/munge.socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=bf_interval=1,sched_interval=1
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=2
MaxArraySize=5
StateSaveLocation=$slurm_dir/state
SlurmdSpoolDir=$slurm_dir/spool
SlurmctldPidFile=$slurm_dir/slurmctld.pid
SlurmdPidFile=$slurm_dir/slurmd.pid
SlurmctldLogFile=$slurm_dir/slurmctld.log
SlurmdLogFile=$slurm_dir/slurmd.log
NodeName=$node NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=main Nodes=$node Default=YES MaxTime=0:09:00 State=UP
S
munged --foreground --force --key-file="$slurm_dir/munge.key" --socket="$slurm_dir/munge.socket" \
  --pid-file="$slurm_dir/munged.pid" --log-file="$slurm_dir/munged.log" --seed-file="$slurm_dir/munge.seed" >"$slurm_dir/out" 2>&1 &
daemons+=($!)
wait_for test -S "$slurm_dir/munge.socket"
export SLURM_CONF=$slurm_dir/slurm.conf
slurmctld -D >"$slurm_dir/out" 2>&1 &
daemons+=($!)
slurmd -D >"$slurm_dir/out" 2>&1 &
daemons+=($!)
for ((i = 0; i < 4; i++)); do
  ! wait_for eval '[[ $(sinfo -h -o %t 2>/dev/null) == idle ]]' || break
done
if [[ $(sinfo -h -o %t 2>/dev/null) != idle ]]; then
  bad "a Slurm of this machine" "it does not start: $(grep -h error: "$slurm_dir"/*.log | tail -n 1)"
  summary
fi

# As wait_for, half a minute at most: a step of the cluster takes seconds.
soon() { # condition
  local i
  for ((i = 0; i < 1200; i++)); do
    ! eval "$1" || return 0
    sleep 0.1
  done
  bad "within two minutes" "$1"
}
state() { squeue -h -r -j "$array" -o '%K %T' 2>/dev/null | sed -n "s/^$1 //p"; } # task
made() { sed -n '/^\[.* s (/p' "$folder/slurm/part-${array}_$1.log" 2>/dev/null | wc -l; } # task: cells so far
jobs_of() { sed -E "s/.*$1: job ([0-9]+).*/\1/" "$work/out"; }
process() { pgrep -o -f "bench $work/suite.json -o $folder .*--shard $1/4"; }

slurm 0 "--array=1-4 " --dry-run -N 1000 -o "$work/none" "$work/suite.json"
slurm 2 "the job 'references' is not submitted" -p nowhere -o "$work/none" "$work/suite.json"
folder=$work/records
slurm 0 "$total cells by 4 tasks" -N 4 -o "$folder" "$work/suite.json"
array=$(jobs_of tasks) report=$(jobs_of report)
check "the time is within the partition's limit" grep -q -- "--time=9$" "$folder/slurm/part.sh"
slurm 2 "are at work in" -N 4 -o "$folder" "$work/suite.json"
soon '[[ -n $(process 1) && -n $(process 2) ]]'
scontrol update NodeName="$node" State=DRAIN Reason=test
killed=$(process 1)
check "a process is killed" kill -9 "$killed"
soon '[[ $(process 1) != "$killed" ]]'
check "its task goes on" test "$(state 1)" = RUNNING
soon '(($(made 2) > 0))'
check "a task is queued again" scontrol requeue "${array}_2"
soon '[[ -z $(squeue -h -t RUNNING,COMPLETING) ]]'
check "the others wait for the node" test "$(state 2)$(state 3)$(state 4)" = PENDINGPENDINGPENDING
check "and the report for them" test "$(squeue -h -j "$report" -o %r)" = Dependency
scontrol update NodeName="$node" State=RESUME
soon '[[ -n $(process 4) ]]'
check "a task is cancelled" scancel "${array}_4"
soon 'scontrol update JobId="${array}_2" StartTime=now 2>/dev/null; [[ -z $(state 2) ]]'
soon '[[ -z $(squeue -h) ]]'
check "which went on where it was" grep -q "kept" "$folder/slurm/part-${array}_2.log"
check "cells are missing" test "$("$program" bench "$work/suite.json" --missing -o "$folder" | wc -l)" -gt 1
check "as the last job says" grep -q "^cells are missing" "$folder/slurm/report-$report.log"
check "which has written the report" test -s "$folder/report/index.html"

slurm 0 "^references: job" -N 4 -o "$folder" "$work/suite.json"
soon '[[ -z $(squeue -h) ]]'
slurm 0 "nothing is missing in" -N 4 -o "$folder" "$work/suite.json"
check "the folder is that of one program" is_whole "$folder"
check "its table has all rows" test "$(wc -l <"$folder/table/records.csv")" = "$(wc -l <"$work/whole/table/records.csv")"
# A cell whose run is ended by a signal has a line as failed, and is made again. One whose record was
# written as its process was killed may have no line.
cat "$folder"/slurm/part-*.log | sed -n 's/^\[[0-9/]*\] \([^ ]*\)  \(.*\) s (.*)$/\1 \2/p' | grep -v ' failed' | cut -d' ' -f1 | sort >"$work/made"
check "no record was made twice" test -z "$(uniq -d "$work/made")"
check "nearly all are told of" test "$(wc -l <"$work/made")" -ge $((total - 4))
stop_cluster
check "no process is left" test -z "$(ours)"
summary
