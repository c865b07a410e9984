#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# How far does rounding carry each run? The same suite by two programs that differ in rounding alone:
# which records are not the same, by how much their motions differ, and how that grows. A difference
# between two versions that is not larger than this is one of rounding.
#
# Usage: roundoff.sh [-j JOBS] [-o FOLDER] [SUITE [A B]]
#
#   SUITE  quick, medium, full, paper, FILE.json (quick)
#   A B    commands of the two programs, in words without quotes. Without them build/coulombench
#          with OpenBLAS' kernels for two processors, Haswell and Prescott: dense products of more
#          than 12 rows add in another order there.
#
# The records go to FOLDER/a and FOLDER/b (results/roundoff), the table to FOLDER/table.csv: a line
# for each case and formulation that is not the same to the byte, with the number of its records that
# differ, and of the one whose final positions differ most, run again with samples,
#
#   d(t) = max |q_A - q_B| over the components at time t, over max |q| of the whole run
#
# where it is first above zero and at most, and its growth in between: e^(t / T) or t^p, whichever a
# line fits better in the logarithms, from the first difference until d = 0.01; "-" for less than a
# factor of 10. Where only measurements differ, d is "none". Exit status: 0 all records are the same,
# 1 some differ, 2 wrong usage, or a program that does not run.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
samples=100

usage() {
  sed -n '8,13s/^# \{0,1\}//p' "$0" >&2
  exit 2
}
jobs=$(nproc) folder=$here/results/roundoff
while getopts j:o: option; do
  case $option in
  j) jobs=$OPTARG ;;
  o) folder=$OPTARG ;;
  *) usage ;;
  esac
done
shift $((OPTIND - 1))
(($# == 0 || $# == 1 || $# == 3)) || usage
[[ $jobs =~ ^[1-9][0-9]*$ ]] || usage
suite=${1-quick}
mkdir -p "$folder/a" "$folder/b" "$folder/samples"
if (($# == 3)); then
  read -r -a program_a <<<"$2"
  read -r -a program_b <<<"$3"
else
  program_a=(env OPENBLAS_CORETYPE=Haswell "$here/build/coulombench")
  program_b=(env OPENBLAS_CORETYPE=Prescott "$here/build/coulombench")
fi

# Runs that end in a bad status are results too.
records_of() { # folder program...
  local to=$1 status=0
  shift
  "$@" bench "$suite" -j "$jobs" -o "$to" >"$to.log" 2>&1 || status=$?
  if ((status > 1)); then
    echo "roundoff.sh: '$* bench $suite' failed: $(tail -n 1 "$to.log")" >&2
    exit 2
  fi
}
records_of "$folder/a" "${program_a[@]}"
records_of "$folder/b" "${program_b[@]}"

# A record without its last two blocks, which are not the same twice.
result_of() { sed '/^  "timing": {/,$d' "$1"; }
value_of() { # key record: its first value
  sed -n "s/^ *\"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$2" | head -n 1
}

# The run of a record again, with samples. The command is taken apart by xargs: its words are never
# a shell's.
sample() { # record out program...
  local record=$1 out=$2 words=() i
  shift 2
  mapfile -t words < <(sed -n 's/^    "command": "\(.*\)",\{0,1\}$/\1/p' "$record" | sed 's/\\\(.\)/\1/g' |
    xargs -n 1 printf '%s\n')
  for ((i = 1; i < ${#words[@]}; ++i)); do
    case ${words[i]} in
    --sample | -o) ((++i)) ;;
    *) set -- "$@" "${words[i]}" ;;
    esac
  done
  "$@" --sample "$(value_of t_end "$record" | awk -v n=$samples '{ printf "%.17g", $1 / n }')" \
    -o "$out" >/dev/null 2>&1 || [[ -f $out ]]
}

# First and largest difference and its growth, of two records with samples.
growth() {
  awk '
    function slope(n, x, y,    i, sx, sy, sxx, sxy, syy) { # of a line; scatter: what it leaves of y
      for (i = 1; i <= n; ++i) { sx += x[i]; sy += y[i] }
      sx /= n; sy /= n
      for (i = 1; i <= n; ++i) {
        sxx += (x[i] - sx) ^ 2; sxy += (x[i] - sx) * (y[i] - sy); syy += (y[i] - sy) ^ 2
      }
      if (sxx == 0) return 0
      scatter = syy - sxy * sxy / sxx
      return sxy / sxx
    }
    FNR == 1 { ++file; inside = in_q = 0 }
    /^  "trajectory": \{/ { inside = 1; next }
    /^  \}/ { inside = 0 }
    !inside { next }
    /^    "q": \{/ { in_q = 1; component = 0; next }
    /^    \}/ { in_q = 0 }
    /^    "t": / || in_q {
      key = /^    "t": / ? "t" : ++component
      sub(/^[^[]*\[/, ""); sub(/\].*/, "")
      count[file] = split($0, number, ", ")
      for (i = 1; i <= count[file]; ++i) {
        if (file == 1) {
          value[key, i] = number[i]
          if (key != "t" && number[i] + 0 > size) size = number[i] + 0
          if (key != "t" && -number[i] > size) size = -number[i]
        } else if (key != "t") {
          off = number[i] - value[key, i]
          if (off < 0) off = -off
          if (off > d[i]) d[i] = off
        }
      }
    }
    END {
      n = count[1] < count[2] ? count[1] : count[2]
      for (i = 1; i <= n; ++i) {
        r = size > 0 ? d[i] / size : 0
        if (r > most) most = r
        if (r > 0 && !first) { first = r; from = value["t", i] }
        if (r > 0.01) late = 1
        if (r > 0 && !late && value["t", i] > 0) {
          ++m; t[m] = value["t", i]; log_t[m] = log(t[m]); log_r[m] = log(r)
        }
      }
      if (!first) { print "none,none,-"; exit }
      text = "-"
      if (m >= 8 && most >= 10 * first) {
        rate = slope(m, t, log_r); left = scatter
        power = slope(m, log_t, log_r)
        if (scatter < left && power > 0) text = sprintf("t^%.1f", power)
        else if (rate > 0) text = sprintf("e^(t / %.2g s)", 1 / rate)
      }
      printf "%.1e,%.1e,%s\n", first, most, text
    }' "$1" "$2"
}

# Name, case and formulation of each record, and whether it differs: 1, or 0.
awk 'FNR == 1 { name = FILENAME; sub(/.*\//, "", name); sub(/\.json$/, "", name); of = "" }
     /^  "(case|formulation)": \{/ { of = $1 }
     of && /^    "name": / { text = $2; gsub(/[",]/, "", text); found[of] = text
                            if (of ~ /formulation/) print name, found["\"case\":"], text
                            of = "" }' "$folder"/a/*.json |
  while read -r name case formulation; do
    differs=1
    if [[ -f $folder/b/$name.json ]] &&
      cmp -s <(result_of "$folder/a/$name.json") <(result_of "$folder/b/$name.json"); then
      differs=0
    fi
    echo "$name $case $formulation $differs"
  done >"$folder/list"
total=$(wc -l <"$folder/list")
different=$(awk '$4' "$folder/list" | wc -l)

# Difference of the final positions over the largest of them.
final_difference() { # name
  local file
  for file in "$folder/a/$1.json" "$folder/b/$1.json"; do
    sed -n '/^  "final": {/,/^  }/s/^    "q": \[\(.*\)\],*$/\1/p' "$file"
  done | awk -F ', ' '
    NR == 1 { for (i = 1; i <= NF; ++i) { q[i] = $i; if ($i < 0) $i = -$i; if ($i > size) size = $i } }
    NR == 2 { for (i = 1; i <= NF; ++i) { d = $i - q[i]; if (d < 0) d = -d; if (d > most) most = d } }
    END { printf "%.3e\n", (size > 0 ? most / size : 0) }'
}

row() { # case formulation
  local records differ worst text="-,-,-"
  records=$(awk -v c="$1" -v f="$2" '$2 == c && $3 == f' "$folder/list" | wc -l)
  differ=$(awk -v c="$1" -v f="$2" '$2 == c && $3 == f && $4' "$folder/list" | wc -l)
  worst=$(awk -v c="$1" -v f="$2" '$2 == c && $3 == f && $4 { print $1 }' "$folder/list" |
    while read -r name; do
      [[ ! -f $folder/b/$name.json ]] || echo "$(final_difference "$name") $name"
    done | sort -g | tail -n 1 | cut -d ' ' -f 2)
  if [[ -n $worst ]] &&
    sample "$folder/a/$worst.json" "$folder/samples/a.json" "${program_a[@]}" &&
    sample "$folder/a/$worst.json" "$folder/samples/b.json" "${program_b[@]}"; then
    text=$(growth "$folder/samples/a.json" "$folder/samples/b.json")
  fi
  rm -f "$folder/samples/a.json" "$folder/samples/b.json"
  echo "$1,$2,$differ of $records,$worst,$text"
}

{
  echo "case,formulation,records,the one that differs most,d first,d at most,growth"
  awk '$4 { print $2, $3 }' "$folder/list" | sort -u |
    while read -r case formulation; do row "$case" "$formulation"; done
} >"$folder/table.csv"
rmdir "$folder/samples"
rm -f "$folder/list"
echo "$different of $total records differ."
cat "$folder/table.csv"
((different == 0))
