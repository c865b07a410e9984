#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Put the program and what belongs to it below a folder, and take away what was put there.
# Usage: install.sh ROOT PROGRAM... -- DATA... -- [EXTRA DATA...]
#        install.sh --remove ROOT
#
# The first program writes the manual page and the completion. DATA are files of the source tree,
# those behind EXTRA of that folder. What is put is listed in ROOT/share/coulombench/installed, and
# what is taken away is what is listed there: whatever else has come to lie in these folders stays.
set -euo pipefail

share=share/coulombench
list=$share/installed

remove() { # root
  local folder
  if [[ ! -f $1/$list ]]; then
    echo "uninstall: nothing is installed below $1: there is no $1/$list" >&2
    return 1
  fi
  (cd "$1" && xargs -d '\n' rm -f -- <$list && rm -f $list)
  for folder in "$1/$share" "$1/share/doc/coulombench" "$1/bin/peers"; do
    [[ ! -d $folder ]] || find "$folder" -depth -type d -empty -delete
  done
}
if [[ $1 == --remove ]]; then
  remove "$2"
  exit
fi

root=$1
shift
cd "$(dirname "$0")/.."
put() { # folder, place of the same below the root, files in it: one command for each folder below it
  local from=$1 to=$2 file below key files
  local -A lists=()
  for file in "${@:3}"; do
    below=/$file
    [[ -x $from/$file ]] && key=755 || key=644
    lists[$key$to${below%/*}]+=$from/$file$'\n'
    placed+=("$to/$file")
  done
  for key in "${!lists[@]}"; do
    mapfile -t files <<<"${lists[$key]%$'\n'}"
    install -D -m "${key:0:3}" -t "$root/${key:3}" "${files[@]}"
  done
}
write() { # place words of the first program...
  local place=$1
  shift
  mkdir -p "$(dirname "$root/$place")"
  "${programs[0]}" "$@" >"$root/$place"
  chmod 644 "$root/$place"
  placed+=("$place")
}

placed=() programs=()
while [[ $1 != -- ]]; do
  programs+=("$(realpath "$1")")
  folder=${1%/*}
  [[ ${folder##*/} == peers ]] && to=bin/peers || to=bin # engines keep their folder
  files=("${1##*/}")
  if [[ -f $1.mjs ]]; then # one for Node has its script and packages beside it
    mapfile -t -O 1 files < <(cd "$folder" && find "${1##*/}.mjs" node.mjs node_modules -type f)
  fi
  put "$folder" "$to" "${files[@]}"
  shift
done
shift
data=()
while [[ $1 != -- ]]; do
  [[ ! -f $1 ]] || data+=("$1")
  shift
done
put . $share "${data[@]}"
extra=${2-}
shift $(($# > 1 ? 2 : 1))
put "${extra:-.}" $share "$@"
put . share/doc/coulombench LICENSE README.md
write share/man/man1/coulombench.1 --manual
write share/bash-completion/completions/coulombench --completion

# What an older version put here and this one does not is still to be taken away one day.
[[ ! -f $root/$list ]] || mapfile -t -O "${#placed[@]}" placed <"$root/$list"
printf '%s\n' "${placed[@]}" | sort -u >"$root/$list.new"
mv "$root/$list.new" "$root/$list"
