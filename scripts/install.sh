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
  local file
  if [[ ! -f $1/$list ]]; then
    echo "uninstall: nothing is installed below $1: there is no $1/$list" >&2
    return 1
  fi
  while IFS= read -r file; do
    rm -f "$1/$file"
  done <"$1/$list"
  rm -f "$1/$list"
  for file in "$1/$share" "$1/share/doc/coulombench" "$1/bin/peers"; do
    [[ ! -d $file ]] || find "$file" -depth -type d -empty -delete
  done
}
if [[ $1 == --remove ]]; then
  remove "$2"
  exit
fi

root=$1
shift
cd "$(dirname "$0")/.."
put() { # file place [mode]
  local mode=${3-644}
  [[ -n ${3-} || ! -x $1 ]] || mode=755
  install -D -m "$mode" "$1" "$root/$2"
  placed+=("$2")
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
  put "$1" "bin/$([[ ${folder##*/} != peers ]] || echo peers/)${1##*/}" 755 # engines keep their folder
  if [[ -f $1.mjs ]]; then # one for Node has its script and packages beside it
    while read -r file; do
      put "$folder/$file" "bin/peers/$file"
    done < <(cd "$folder" && find "${1##*/}.mjs" node.mjs node_modules -type f)
  fi
  shift
done
shift
while [[ $1 != -- ]]; do
  [[ ! -f $1 ]] || put "$1" "$share/$1"
  shift
done
extra=${2-}
shift $(($# > 1 ? 2 : 1))
for file in "$@"; do
  put "$extra/$file" "$share/$file" 644
done
for file in LICENSE *.md; do
  put "$file" "share/doc/coulombench/$file" 644
done
write share/man/man1/coulombench.1 --manual
write share/bash-completion/completions/coulombench --completion

# What an older version put here and this one does not is still to be taken away one day.
[[ ! -f $root/$list ]] || mapfile -t -O "${#placed[@]}" placed <"$root/$list"
printf '%s\n' "${placed[@]}" | sort -u >"$root/$list.new"
mv "$root/$list.new" "$root/$list"
