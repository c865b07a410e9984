#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The tables of the project's pages (*.md). The lines below one of these, up to a blank one, become what
# the command prints:
#
#   <!-- coulombench ARGUMENTS -->            the program, in the project's folder
#   <!-- made by scripts/NAME.sh ARGUMENTS --> a script, with the program as $COULOMBENCH
#
# A number in a sentence that stands before one of these becomes the value of that name of a figure, with as many
# digits as are there:
#
#   0.146<!-- woodpecker-cycle: event: period [s] -->
#
# Tables of records in results/pages and results/guide, and numbers of figures, which `make guide` makes, stay as they
# are where these folders are not there; with --check-records they must be there.
#
#   scripts/readme.sh PROGRAM                   writes the pages
#   scripts/readme.sh PROGRAM --check           prints the differences instead, but those of tables of
#                                               records; exits 1 where there are any
#   scripts/readme.sh PROGRAM --check-records   prints all; columns whose title begins with "time" are
#                                               those of a machine and are not compared
set -euo pipefail
program=$1 check=${2-}
export COULOMBENCH=$1
cd "$(dirname "$0")/.."
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

# The table that a line asks for, of the words that follow "coulombench" or "made by"; nothing is there
# where it needs records that nobody has made.
make_table() { # WORDS
  local arguments folder
  eval "arguments=($1)" # words as a shell has them, on a page of our own
  for folder in results/guide results/pages; do
    [[ " $1 " != *" $folder"* || ($check != --check && -d $folder) ]] || return 1
  done
  if [[ ${arguments[0]} == coulombench ]]; then
    "$program" "${arguments[@]:1}"
  else
    "${arguments[@]}"
  fi
}

make_page() { # page
  local line words
  while IFS= read -r line; do
    printf '%s\n' "$line"
    if [[ $line =~ ^'<!-- '(coulombench |made by )(.*)' -->'$ ]]; then
      words=${BASH_REMATCH[2]}
      [[ ${BASH_REMATCH[1]} != 'coulombench ' ]] || words="coulombench $words"
      if make_table "$words" >"$made/table"; then
        cat "$made/table"
        while IFS= read -r line && [[ -n $line ]]; do :; done
        printf '\n'
      fi
    fi
  done <"$1"
}

# The numbers of figures in the sentences of a page, from results/pages/figures; exits 1 where a figure or a value is
# not there.
make_numbers() { # file, the page's name
  awk -v folder=results/pages/figures -v page="$2" '
    function value(id, name,   file, text, line, key, at) {
      file = folder "/" id ".json"
      text = ""
      while ((getline line < file) > 0) text = text line
      close(file)
      key = "\"what\": \"" name "\","
      at = index(text, key)
      text = at ? substr(text, at + length(key)) : ""
      if (!match(text, /^[ \t]*"(measured|value)": [-+0-9.e]+/)) {
        print page ": no value \"" name "\" of figure " id > "/dev/stderr"
        missing = 1
        return ""
      }
      text = substr(text, 1, RLENGTH)
      sub(/.*: /, "", text)
      return text
    }
    # As many significant digits as the text has.
    function rounded(x, text,   digits) {
      digits = text
      sub(/e.*/, "", digits)
      gsub(/[-+.]/, "", digits)
      sub(/^0+/, "", digits)
      return sprintf("%#." (length(digits) ? length(digits) : 1) "g", x)
    }
    {
      made = ""
      while (match($0, /[-+0-9.e]*[0-9]<!-- [a-z][-a-z0-9.]*: [^>]* -->/)) {
        made = made substr($0, 1, RSTART - 1)
        mark = substr($0, RSTART, RLENGTH)
        $0 = substr($0, RSTART + RLENGTH)
        split_at = index(mark, "<!-- ")
        number = substr(mark, 1, split_at - 1)
        id = name = substr(mark, split_at + 5, length(mark) - split_at - 8)
        sub(/:.*/, "", id)
        name = substr(name, length(id) + 3)
        found = value(id, name)
        if (found != "") {
          number = rounded(found, number)
          sub(/\.$/, "", number)
        }
        made = made number substr(mark, split_at)
      }
      print made $0
    }
    END { exit missing }' "$1"
}

without_times() {
  awk -F '|' -v OFS='|' '
    !/^\|/ { in_table = 0; print; next }
    !in_table { in_table = 1; split("", timed); for (i = 2; i < NF; ++i) timed[i] = $i ~ /^ *time/ }
    { for (i = 2; i < NF; ++i) if (timed[i]) $i = " "; print }' "$1"
}

differ=0
while IFS= read -r page; do
  make_page "$page" >"$made/tables"
  if [[ $check == --check || (-z $check && ! -d results/pages/figures) ]]; then
    mv "$made/tables" "$made/page"
  else
    make_numbers "$made/tables" "$page" >"$made/page" || differ=1
  fi
  if [[ -n $check ]]; then
    without_times "$page" >"$made/there"
    without_times "$made/page" >"$made/new"
    diff -u --label "$page" --label "$page, made again" "$made/there" "$made/new" || differ=1
  else
    cmp -s "$page" "$made/page" || cat "$made/page" >"$page"
  fi
done < <(find README.md cases src results/*.md -name '*.md' -type f | sort | xargs grep -lE '^<!-- (coulombench|made by) |[0-9]<!-- [a-z]')
exit "$differ"
