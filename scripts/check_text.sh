#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Can text become code, and does a script compare every measured number of a page? Usage: check_text.sh [ROOT]
#
# Texts of files, names and the environment are data (src/base/bytes/quote.h). What can be seen in
# the sources is that they have one way only to gnuplot and none to a shell:
#   - the program starts gnuplot, from src/bench/report/kit/plot.c, and by src/base/process/supervisor.c solvers of
#     others, which get their data on standard input; the one shell is for the command that a user, or
#     the suite that he runs, gives as solver or formulation exec:COMMAND (src/base/process/command.c)
#   - lines of gnuplot's are written by src/bench/report/kit/script.c alone, where every text is quoted;
#     report_script_line takes them as literals, with numbers at most
#   - gnuplot scripts run no programs (system, shell, !, backticks, "<..."), know no macros (@), load
#     and call nothing, and evaluate the few texts listed below, which are made of literals and numbers
# That the quoting holds is for tests to show (tests/test_quote.c, tests/cli/hostile.sh).
#
# In a page (*.md) a number with a decimal point, an exponent or a unit stands in a block that a command makes or
# that is an excerpt (a comment before it, scripts/readme.sh), carries the mark of a figure's value on its own line,
# or is given: `in backticks`, in code, or as the number of an equation, figure or section behind its source's tag.
#
# Without ROOT it checks the project, and itself on a tree that breaks every rule; it then reports as
# a test does. With ROOT it prints the offending lines there and fails if there are any.
set -euo pipefail

# What scripts evaluate, looked at: texts of style.gp, with numbers and literals; of the others literals and
# numbers.
evaluated=$(tr -d '\n' <<'LIST'
.*\beval (key_(alone|above)|wrap)( \})?
|.*\beval (set_longest\(''\)|frame\([^'"]*\)?( \\)?)( *;.*| \})?
|scripts/plot/panels\.gp:.*\beval\('' \. drawn\[1:strlen\(drawn\) - 2\]\)
LIST
)

# A C file on one line, without its comments; strings stay.
code_of() { # file
  awk '
    { text = text $0 "\n" }
    END {
      while (match(text, /"([^"\\]|\\.)*"|\047([^\047\\]|\\.)*\047|\/\*([^*]|\*+[^*\/])*\*+\/|\/\/[^\n]*/)) {
        token = substr(text, RSTART, RLENGTH)
        code = code substr(text, 1, RSTART - 1) (token ~ /^\// ? " " : token)
        text = substr(text, RSTART + RLENGTH)
      }
      code = code text
      gsub(/\n/, " ", code)
      print code
    }' "$1"
}

started='\b(system|popen|wordexp|posix_spawnp?|execl[pe]?|execvp?e?|dlopen) *\('
written='(\.|->)gnuplot_lines *=|report_script_line'

check_source() { # file
  local code
  code=$(code_of "$1")
  grep -oE "${started}[^;]*" <<<"$code" | grep -vxF "${allowed[$1]:-}" || true
  if [[ $1 != src/bench/report/kit/script.[ch] ]]; then
    grep -oE '(\.|->)gnuplot_lines *=[^=][^;]*' <<<"$code" || true
    grep -oE '\breport_script_line\([^;]*' <<<"$code" |
      grep -vE '^report_script_line\([^,"]*, *("([^"\\]|\\.)*" *)+(,|\))' || true
    grep -oE '\breport_script_line\([^;]*%[-0-9.*]*[sc][^;]*' <<<"$code" || true
  fi
}
declare -A allowed=(
  [src/base/process/supervisor.c]='execvp(argv[0], (char *const *)argv)'
  [src/bench/report/kit/plot.c]='execlp("gnuplot", "gnuplot", "-d", driver, (char *)NULL)'
  [src/base/process/command.c]='wordexp(part, &words, WRDE_NOCMD) == 0) {       for (size_t i = 0'
  [src/la/addresses.c]='execv("/proc/self/exe", argv)')

# Lines of scripts as file:line:text, without comments; what single quotes hold is not run and left
# out, but for what would be the name of a program's output.
# shellcheck disable=SC2016 # a program of awk
code_of_scripts() {
  find scripts/plot cases -name '*.gp' -type f -print0 2>/dev/null | sort -z | xargs -0 -r awk '
    {
      code = ""
      text = $0
      while (match(text, /\047([^\047]|\047\047)*\047|"([^"\\]|\\.)*"|#.*/)) {
        token = substr(text, RSTART, RLENGTH)
        quote = substr(token, 1, 1)
        kept = quote == "#" ? "" : quote == "\047" && token !~ /^\047[<|]/ ? "\047\047" : token
        code = code substr(text, 1, RSTART - 1) kept
        text = substr(text, RSTART + RLENGTH)
      }
      print FILENAME ":" FNR ":" code text
    }'
}

# The other numbers of pages, each as file:line: number; the line is the first of its paragraph or row.
# shellcheck disable=SC2016 # a program of awk
find_unmarked() {
  find README.md src cases results/*.md -name '*.md' -type f -print0 2>/dev/null | sort -z | xargs -0 -r awk '
    function end_paragraph(   number) {
      gsub(/<!-- [^>]* -->|`[^`]*`|\]\([^)]*\)/, "", text)
      gsub(cited, "", text)
      while (match(text, measured)) {
        number = substr(text, RSTART, RLENGTH)
        sub(/^[^-+0-9]/, "", number)
        print file ":" first ": no mark at " number
        text = substr(text, RSTART + RLENGTH)
      }
      text = ""
    }
    BEGIN {
      cited = "(bhalerao|moeller|negrut|preclik|yu|Brogliato|Stone)(,? (eqs?[.]|figs?[.]?|tables?|to|and|or|[0-9][0-9.]*[a-z]?))*"
      unit = "(%|(s|ms|us|ns|min|h|m|mm|um|kg|N|Hz|J|rad|degrees|bytes|[MG]B|times|percent|seconds|minutes|hours)([^A-Za-z0-9_]|$))"
      measured = "(^|[^A-Za-z0-9_.^/])[-+]?[0-9][0-9,]*([.][0-9]+(e[-+]?[0-9]+)?|e[-+]?[0-9]+|[ -]?" unit ")"
    }
    FNR == 1 { end_paragraph(); fenced = made = 0; file = FILENAME }
    /^ *```/ { end_paragraph(); fenced = !fenced; next }
    fenced { next }
    /^<!-- (coulombench|made by|from) .* -->$/ { end_paragraph(); made = 1; next }
    /^$/ { end_paragraph(); made = 0; next }
    made || (/^    / && text == "") { next }
    /^[|#]/ { end_paragraph() }
    text == "" { first = FNR }
    {
      gsub(/[-+0-9.e]*[0-9]<!-- [a-z][-a-z0-9.]*: [^>]* -->/, "")
      text = text " " $0
    }
    /^[|#]/ { end_paragraph() }
    END { end_paragraph() }'
}

find_violations() { # root
  (
    cd "$1"
    find src cases -name '*.[ch]' -type f -print0 2>/dev/null | sort -z |
      { xargs -0 -r grep -lE "$started|$written" || true; } |
      while IFS= read -r file; do check_source "$file" | sed "s|^|$file: |"; done
    code_of_scripts | grep -E ':[^:]*(`|\b(system|shell|load|call)\b|"[<|]|@)|:[0-9]+: *!' || true
    code_of_scripts | grep -E "^[^:]*:[0-9]+:.*\\b(output|print|plot|stats)\\b.*'[<|]" || true
    code_of_scripts | grep -E '\beval\b' | grep -vxE "$evaluated" || true
    find_unmarked
  )
}

if (($# == 1)); then
  violations=$(find_violations "$1")
  if [[ -n $violations ]]; then
    printf '%s\n' "$violations"
    exit 1
  fi
  exit 0
fi

passed=0 failed=0
report() { # name why-it-failed
  if [[ -z $2 ]]; then
    echo "ok    $1"
    passed=$((passed + 1))
  else
    printf 'FAIL  %s\n%s\n' "$1" "$2"
    failed=$((failed + 1))
  fi
}

cd "$(dirname "$0")/.."
report texts_are_no_code_and_numbers_are_compared "$(find_violations .)"

# Each line: a verdict, a file and what it holds; `bad` must be reported, `good` must not.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
self_test() {
  local verdict path text found why=
  while read -r verdict path text; do
    rm -rf "${work:?}/src" "$work/cases" "$work/scripts"
    mkdir -p "$work/$(dirname "$path")"
    printf '%s\n' "$text" >"$work/$path"
    found=good
    [[ -z $(find_violations "$work") ]] || found=bad
    [[ $found == "$verdict" ]] || why+="  $path with $text: found $found"$'\n'
  done
  printf '%s' "$why"
}
report check_tells_good_from_bad "$(self_test <<'TREE'
good src/bench/a.c /* system("x") */ int a; const char *b = "no system";
bad  src/bench/a.c int f(char *x) { return system(x); }
bad  src/bench/a.c FILE *f(char *x) { return popen(x, "r"); }
bad  src/bench/a.c int f(char *x) { return execl("/bin/sh", "sh", "-c", x, 0); }
good src/bench/report/kit/plot.c void f(char *driver) { execlp("gnuplot", "gnuplot", "-d", driver, (char *)NULL); }
bad  src/bench/report/kit/plot.c void f(char *x) { execlp("gnuplot", "gnuplot", "-e", x, 0); }
bad  cases/a/a.c void f(char *x) { system(x); }
good src/bench/a.c void f(void) { report_script_line(&s, "set size %g, %g", 1., 2.); }
bad  src/bench/a.c void f(char *x) { report_script_line(&s, x); }
bad  src/bench/a.c void f(char *x) { report_script_line(&s, "set title '%s'", x); }
bad  src/bench/a.c void f(char *x) { s->gnuplot_lines = x; }
good src/bench/report/kit/script.c void f(char *x) { s->gnuplot_lines = x; }
good scripts/plot/a.gp plot data.'/x.dat' using 1:2 title 'a `b` @c'
good scripts/plot/a.gp eval key_alone
bad  scripts/plot/a.gp eval labels
bad  scripts/plot/a.gp do for [i = 1:2] { eval names }
bad  cases/a/figures/a.gp n = system('wc -l '.data) + 0
bad  cases/a/figures/a.gp plot "`cat x`"
bad  cases/a/figures/a.gp plot '< cat x' using 1:2
bad  cases/a/figures/a.gp ! cat x
bad  cases/a/figures/a.gp load data.'/x.gp'
bad  cases/a/figures/a.gp plot @names
good src/a.md Steps of `1e-3 s` (moeller 5.31 to 5.49, fig. 6.2), 3 bodies, <https://a.example/1>, [a](a-0.5.svg).
good src/a.md It lasts 0.146<!-- woodpecker-cycle: event: period [s] --> s.
bad  src/a.md It lasts 0.146 s.
bad  src/a.md It is off by 2e-3 of the length.
bad  src/a.md It takes 3 ms, of `5 ms`.
bad  src/a.md A third fails, 35 % of the runs (moeller 5.31).
bad  src/a.md It lasts 0.146<!-- woodpecker-cycle: event:
bad  src/a.md | `moreau` | 0.5 |
bad  src/a.md <!-- a remark --> 0.5 <!-- and another -->
bad  cases/a/README.md # 10 times as fast
TREE
)"

echo "check_text: $passed passed, $failed failed, 0 skipped"
((failed == 0))
