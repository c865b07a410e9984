#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The flow of the case channel-flow, longer than one sitting: developed with a long step under Coulomb's
# law, then continued from that one state with the source's step of 1e-5 s, under each law that is asked
# for, all at once, one thread each. Checkpoints are written on the way: started again with the same
# words, it goes on where it stopped, and does nothing where all records are there.
#
# Usage: channel-flow.sh [-o FOLDER] [-p PROGRAM] [-l LAWS] [-d STEP] [-g GAP] [-n STEPS]
#                        [-w SWEEPS] [-b BLOCK] [SCALE [DEVELOP [MEASURE]]]
#
#   SCALE    size of the channel over the source's (0.5)
#   DEVELOP  time of the flow before it is measured [s] (0.4)
#   MEASURE  time over which it is measured [s] (0.5)
#   -o       where states and records go (results/channel-flow-SCALE)
#   -p       the program (build/coulombench)
#   -l       formulations of the measurement, 'ncp ccp' (ncp; of spheres mdp is the same law)
#   -d       step of the development [s] (4e-5)
#   -g       contacts with a larger gap take no part in the development [m] (inf); at long steps the
#            few fast particles would have each ball look far for others
#   -n       steps of the measurement from one checkpoint to the next (1000)
#   -w       sweeps a step of the measurement (20); 'solved': until 1e-6 of max|b|, 4000 with momentum
#            at most; several, '20 100 solved': the measurement with each of them
#   -b       length of the blocks that intervals are made of [s] (MEASURE/25)
#
# At the source's own size a hundred measured steps are "channel-flow.sh -d 1e-4 -g 1e-4 -n 20 1 0.4 0.001". Left in FOLDER:
# developed.state and develop.json, and for each measurement LAW-SWEEPS.state and the record LAW-SWEEPS.json.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)

usage() {
  sed -n '9,27s/^# \{0,1\}//p' "$0" >&2
  exit 2
}
program=$here/build/coulombench folder='' laws=ncp long=4e-5 gap=inf every=1000 sweeps=20 block=''
while getopts o:p:l:d:g:n:w:b: option; do
  case $option in
  o) folder=$OPTARG ;;
  p) program=$OPTARG ;;
  l) laws=$OPTARG ;;
  d) long=$OPTARG ;;
  g) gap=$OPTARG ;;
  n) every=$OPTARG ;;
  w) sweeps=$OPTARG ;;
  b) block=$OPTARG ;;
  *) usage ;;
  esac
done
shift $((OPTIND - 1))
[ $# -le 3 ] || usage
scale=${1:-0.5} develop=${2:-0.4} measure=${3:-0.5} dt=1e-5
folder=${folder:-$here/results/channel-flow-$scale}
export OMP_NUM_THREADS=1
mkdir -p "$folder"
compute() { awk "BEGIN { printf \"%.10g\", $1 }"; }

# One run to its record, from its own checkpoint where there is one; "unconverged" (status 1) is a result.
go() { # NAME STATE EVERY WORDS...
  local record=$folder/$1.json state=$folder/$2 each=$3 words=()
  shift 3
  [ ! -f "$record" ] || return 0
  [ ! -f "$state" ] || words=(--restart "$state")
  "$program" run channel-flow "$@" --checkpoint "$state" --checkpoint-every "$each" "${words[@]}" \
    -o "$record.part" || [ $? = 1 ]
  mv "$record.part" "$record"
}

# The state at the end is wanted, and checkpoints are written before it: one step more.
end=$(compute "$develop + $long")
go develop developed.state "$(compute "$develop / 20")" -f ncp --set scale="$scale" \
  --set settle="$(compute "$develop / 2")" --dt "$long" --t-end "$end" --opt delta="$gap"

# How a step is solved, and the options that say it.
solved() { # SWEEPS
  if [ "$1" = solved ]; then
    echo --opt tol=1e-6 --opt max_iter=4000 --opt check_every=10 --opt momentum=0.8
  else
    echo --opt max_iter="$1" --opt check_every="$1"
  fi
}

running=()
for law in $laws; do
  for word in $sweeps; do
    read -ra options <<<"$(solved "$word")"
    go "$law-$word" "$law-$word.state" "$(compute "$every * $dt")" -f "$law" \
      --start "$folder/developed.state" --set scale="$scale" --set settle=0 \
      --set block="${block:-$(compute "$measure / 25")}" \
      --set frame="$(compute "$measure / 500 < $dt ? $dt : $measure / 500")" \
      --dt $dt --t-end "$measure" "${options[@]}" &
    running+=($!)
  done
done
for process in "${running[@]}"; do
  wait "$process"
done
