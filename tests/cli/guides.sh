#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The pages of the project (README.md and those beside the code) against what they speak of: excerpts
# stand literally in the files they come from, every registered formulation and solver has its section,
# links lead somewhere, commands name things that exist, the sample's records are valid. (That tables are
# what the program prints, usage.sh sees.)
#
# An excerpt is a fenced block, or the lines up to a blank one, below a line <!-- from PATH -->.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"

cd "$root" || exit 1
mapfile -t pages < <(echo README.md; ls results/*.md; find src cases -name '*.md' | sort)
check "there are pages" test ${#pages[@]} -gt 20
lines=$(wc -l <README.md)
check "README.md has 150 lines at most, not $lines" test "$lines" -le 150

# Excerpts, each in a file of its own whose first line names page and source; blocks without a source, and such as
# do not end. C and JSON come from files; only commands for the shell may stand alone. The scenes' page has
# examples that scenes.sh reads.
mkdir "$work/excerpts"
awk -v to="$work/excerpts" '
  function close_excerpt() { if (out != "") close(out); out = "" }
  FNR == 1 { if (inside) print page ": a block does not end"; inside = 0; page = FILENAME; source = ""; close_excerpt() }
  /^```/ && page != "cases/scenes/README.md" {
    inside = !inside
    if (inside && $0 != "```sh" && source == "") print page ": a block without a source: " $0
  }
  source != "" && out == "" {
    out = to "/" ++n
    print page, source > out
    fenced = /^```/
    if (fenced) { source = ""; next }
  }
  out != "" && (fenced ? /^```/ : /^$/) { close_excerpt() }
  out != "" { print > out }
  { source = /^<!-- from / ? $3 : "" }' "${pages[@]}" >"$work/faults"
check "blocks of code have sources: $(head -n 1 "$work/faults")" test ! -s "$work/faults"
count=0
for excerpt in "$work/excerpts"/*; do
  read -r page source <"$excerpt"
  text=$(tail -n +2 "$excerpt")
  check "$page: an excerpt stands in $source" test ${#text} -gt 20 -a "$([[ $(<"$source") == *"$text"* ]] && echo there)" = there
  count=$((count + 1))
done
check "there are excerpts" test $count -ge 4

count=0
for page in "${pages[@]}"; do
  while read -r target; do
    count=$((count + 1))
    [[ $target != *://* && -e $(dirname "$page")/$target ]] || bad "$page" "'$target' is not a file"
  done < <(grep -oE '\]\([^)#]+' "$page" | cut -c3-)
done
check "links lead to files" test $count -gt 60

# What tests/examples, a folder for make EXTRA=, registers under a name.
# shellcheck disable=SC2317 # called by exists
is_example() { grep -qF "(${1//-/_})" tests/examples/registry.h; }
for kind in formulations solvers; do
  "$program" list $kind --json | sed -nE 's/^.*"name": "([^"]*)".*$/\1/p' | sort >"$work/$kind"
done
# shellcheck disable=SC2317 # called by name
exists() { # what stands before it, word
  case $1 in
  'build/coulombench ') grep -q " command_$2," src/command/commands.c ;;
  ' -f ') [[ $2 == exec:* ]] || grep -qxF -- "$2" "$work/formulations" || is_example "$2" ;;
  ' -s ') [[ $2 == exec:* ]] || grep -qxF -- "$2" "$work/solvers" ;;
  '    make ') grep -q "^$2: " Makefile ;;
  *) [[ $2 == compare ]] || "$program" describe "$2" >/dev/null 2>&1 || is_example "$2" ;;
  esac
}
for before in 'build/coulombench ' ' -f ' ' -s ' 'coulombench run ' 'coulombench describe ' '    make '; do
  mapfile -t words < <(grep -hE '(coulombench|make) ' "${pages[@]}" | grep -oE "(coulombench|make) .*|build/.*|    make .*" |
    grep -oE -- "${before}[^ \`,;)]+" | cut -c$((${#before} + 1))- | grep -v '^[A-Z]' | sort -u)
  check "'$before' is told" test ${#words[@]} -gt 0
  for word in "${words[@]}"; do
    check "'$before$word' exists" exists "$before" "$word"
  done
done

# Every registered thing has a section of its own in the guide of its kind, and each section is of one that there
# is. What a folder of others adds has its guide elsewhere.
for kind in formulations:src/form solvers:src/problem/solvers; do
  guide=${kind#*:}/README.md registered=$work/${kind%:*}
  # shellcheck disable=SC2016 # of Markdown
  sed -nE 's/^## `(.*)`$/\1/p' "$guide" | sort >"$work/sections"
  if [[ -z ${COULOMBENCH_EXTRA:-} ]]; then
    check "$guide has a section for each: $(comm -23 "$registered" "$work/sections" | head -n 1)" test -z "$(comm -23 "$registered" "$work/sections")"
  fi
  check "and for no other: $(comm -13 "$registered" "$work/sections" | head -n 1)" test -z "$(comm -13 "$registered" "$work/sections")"
  check "none is empty" test "$(awk '/^## `/ { if (n && size < 40) print n; n = $2; size = 0; next } { size += length }' "$guide")" = ""
done

# The sample holds valid records of formulations, made by committed sources.
records=(results/sample/falling-particle--*--dt0.001.json)
check "there are records of most formulations" test ${#records[@]} -ge 15
expect 0 "" check "${records[@]}" results/sample/suite.json
check "none of changed sources" test -z "$(grep -L '"dirty": false' "${records[@]}")"
summary
