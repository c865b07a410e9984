#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# papers DIR: every numbered figure and table of the papers is listed, each item with the values of
# its figure or a reason; verdicts are those of the records; what users and lists get wrong.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"

# The lists hold what the papers number: "preclik figure 1" ..., from papers.txt and from the lists.
expand() { # file: of papers.txt
  awk '!/^#/ { for (k = 3; k <= NF; ++k) {
         n = split($k, ends, "-"); chapter = ""; first = ends[1]; last = ends[n]
         if (split(ends[1], part, ".") == 2) { chapter = part[1] "."; first = part[2] }
         if (split(ends[n], part, ".") == 2) { last = part[2] }
         for (i = first; i <= last; ++i) { print $1, $2, chapter i } } }' "$1"
}
listed() { # kinds, as an expression
  local file
  for file in "$root"/cases/papers/*.json; do
    sed -n "s/.*\"item\": \"\\($1 [^\"]*\\)\".*/$(basename "$file" .json) \\1/p" "$file"
  done
}
for kind in figure table; do
  expand "$root/tests/papers.txt" | grep " $kind " | sort -s -k 1,1 >"$work/due"
  listed "$kind" >"$work/listed"
  check "every $kind of the papers is listed, in its order" diff "$work/due" "$work/listed"
done
check "each paper has its list" test \
  "$(cd "$root/cases/papers" && echo *.json)" = "bhalerao.json moeller.json negrut.json preclik.json yu.json"
for paper in "$root"/cases/papers/*.json; do
  expect 0 "" check "$paper"
  check "claims of $(basename "$paper") are numbered from 1 on, without a gap" test \
    "$(sed -n 's/.*"item": "claim \([0-9]*\)".*/\1/p' "$paper" | paste -s -d ' ')" = \
    "$(seq -s ' ' "$(grep -c '"item": "claim ' "$paper")")"
done

# Verdicts: a folder of figures, and lists of two made papers beside it.
data=$work/data
mkdir -p "$data/cases/papers" "$data/cases/falling-particle" "$data/scripts" "$work/results/figures"
ln -s "$root/cases/falling-particle/figures" "$data/cases/falling-particle/figures"
value() { # what measured lo hi published verdict reason [more keys]
  printf '{"what": "%s", "measured": %s, "lo": %s, "hi": %s, "expected": "", "published": "%s", "verdict": "%s", "reason": "%s"%s}' "$@"
}
figure() { # id status checks
  printf '{"schema": "coulombench.figure/2", "id": "%s", "case": "c", "title": "t", "caption": "", "text": "", "status": "%s",
   "reason": "%s", "verdicts": %s, "checks": [%s], "reports": [], "files": [], "records": []}\n' "$@" \
    >"$work/results/figures/$1.json"
}
figure yu-6 ok "" '{"failed": 0, "reproduced": 2, "schematic": 0, "differs": 1, "not stated": 0, "reported": 0}' \
  "$(value 'rest [m]' 1.21 1.1 1.3 '1.1 (figure 6)' reproduced '' ''), $(value 'rest [s]' 2.5 2 3 '2 or 3' reproduced '' ''),
   $(value 'fall [s]' 0.5 0.4 0.6 '0.65' differs 'it starts lower' ', "source_lo": 0.645, "source_hi": 0.655')"
figure yu-7 failed "no such run" '{"failed": 0, "reproduced": 0, "schematic": 0, "differs": 0, "not stated": 0, "reported": 0}' ''
list() { # items
  printf '{"schema": "coulombench.paper/1", "paper": "one", "reference": "A. One, Ones, 2001", "items": [%s]}\n' "$1" \
    >"$data/cases/papers/one.json"
}
item() { # name rest
  printf '{"item": "%s", "section": "2", "says": "it says so", %s}' "$1" "$2"
}
says() { # what expression: a line of the output
  check "$1" grep -qE -- "$2" "$work/out"
}
export COULOMBENCH_DATA=$data
list "$(item 'figure 1' '"figure": "yu-6"'), $(item 'figure 2' '"none": "a sketch"'), $(item 'claim 1' '"unchecked": "no data"')"
expect 0 "" papers "$work/results"
says "the reference" '^one: A. One, Ones, 2001$'
says "an item" '^figure 1 \(2\): it says so -> yu-6$'
says "published, measured and what lies between" '^  reproduced  rest \[m\]: 1.21 \[published: 1.1 \(figure 6\); \+10 %\]$'
says "two numbers are not one" '^  reproduced  rest \[s\]: 2.5 \[published: 2 or 3\]$'
says "why it differs" '^  differs     fall \[s\]: 0.5 \[published: 0.65; -23 %\]; it starts lower$'
says "no result" '^  no result   a sketch$'
says "not checked" '^  not checked no data$'
says "counts" '^one: 2 figures, 1 claim: 2 reproduced, 1 differs, 1 no result, 1 not checked$'
list "$(item 'figure 1' '"figure": "yu-6", "checks": ["rest"]')"
expect 0 "" papers "$work/results" --paper one
says "the values that begin so" '^one: 1 figure: 2 reproduced$'
list "$(item 'figure 1' '"figure": "yu-6", "checks": ["fall", "rise"]'), $(item 'figure 2' '"figure": "yu-7"'), $(item 'figure 3' '"figure": "yu-8"')"
expect 1 "" papers "$work/results"
says "a value that is not there" '^  missing     rise; the figure has no such value$'
says "a figure that failed" '^  failed      no such run$'
says "a figure without a record" '^  not run     the figure has no record$'
expect 2 "unknown paper 'two'.*known: one" papers "$work/results" --paper two
expect 2 "nowhere/figures: no such folder" papers "$work/nowhere"
expect 2 "one folder of results" papers
refuses() { # what items
  list "$2"
  expect 2 "one.json: $1" papers "$work/results"
}
refuses "items\[0\]: key 'figure': there is no figure 'yu-99'" "$(item 'figure 1' '"figure": "yu-99"')"
refuses "items\[1\]: key 'item': 'figure 1' stands above" \
  "$(item 'figure 1' '"none": "a sketch"'), $(item 'figure 1' '"none": "a sketch"')"
refuses "items\[0\].unchecked: not a key beside 'none'" "$(item 'figure 1' '"none": "a", "unchecked": "b"')"
refuses "items\[0\]: must have a key 'figure' or 'none' or 'unchecked'" "$(item 'figure 1' '"checks": ["x"]')"
refuses "items\[0\].checks: not a key beside 'none'" "$(item 'figure 1' '"none": "a", "checks": ["x"]')"
list "$(item 'figure 1' '"figure": "yu-6"')"
figure yu-8 ok "" '{"failed": 0, "reproduced": 1, "schematic": 0, "differs": 0, "not stated": 0, "reported": 0}' \
  "$(value 'solid fraction' 0.5 0.4 0.6 '40 % (table 2)' reproduced '' '')"
list "$(item 'figure 1' '"figure": "yu-8"')"
expect 0 "" papers "$work/results"
says "a share is one in percent too" '^  reproduced  solid fraction: 0.5 \[published: 40 % \(table 2\); \+25 %\]$'
rm "$work/results/figures/yu-8.json"
list "$(item 'figure 1' '"figure": "yu-6"')"
sed -i 's/"lo": 0.4/"lo": 0.55/' "$work/results/figures/yu-6.json" # it differs by less than the reason asks for
expect 2 "yu-6.json: checks\[2\]: key 'verdict': is 'differs', must be 'failed'" papers "$work/results"
sed -i 's/"lo": 0.55/"lo": 0.4/; s/, "source_lo": 0.645, "source_hi": 0.655//' "$work/results/figures/yu-6.json" # from what?
expect 2 "yu-6.json: checks\[2\]: key 'verdict': is 'differs', must be 'failed'" papers "$work/results"
summary
