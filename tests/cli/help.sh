#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Help, manual page and completion, all made from the table of commands; descriptions as JSON.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"

expect 0 "" --help
cp "$work/out" "$work/help"
expect 0 "" --manual
cp "$work/out" "$work/manual"
expect 0 "" --completion
cp "$work/out" "$work/completion"
commands=$(sed -n 's/^  \([a-z]*\) .*/\1/p' "$work/help")
check "there are commands" test "$(wc -w <<<"$commands")" -ge 10

# What help says an option is, the command takes; what it does not say, is refused.
for command in $commands; do
  expect 0 "" "$command" --help
  cp "$work/out" "$work/one"
  check "$command is in the manual" grep -q "^\.SS $command " "$work/manual"
  check "no line is longer than a terminal" test "$(wc -L <"$work/one")" -le 96
  while read -r option; do
    check "$command $option is in the manual" grep -qF "${option//-/\\-}" "$work/manual"
    "$program" "$command" "$option" >/dev/null 2>"$work/err" </dev/null
    check "$command knows $option" bash -c "! grep -q 'unknown option' '$work/err'"
  done < <(grep -oE '^ +(-., )?--[a-z-]+' "$work/one" | grep -oE -- '--[a-z-]+')
  expect 2 "unknown option '--no-such'" "$command" --no-such
done
if command -v groff >/dev/null; then
  check "the manual is troff without a fault" test -z "$(groff -man -Tutf8 -wall "$work/manual" 2>&1 >/dev/null)"
else
  skip "the manual's troff" "groff is not installed"
fi

# Completion as bash does it.
check "the completion is bash" bash -n "$work/completion"
complete_words() { # words of the line, the last one begun
  bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _coulombench; printf "%s\n" "${COMPREPLY[@]}"' \
    - "$work/completion" "$program" "$@"
}
offers() { # what words...
  local what=$1
  shift
  check "completion of '$*' offers $what" grep -Fxq -- "$what" <(complete_words "$@")
}
offers compare com
offers falling-particle run fall
offers --time-limit run falling-particle --ti
offers consistent-twostep run falling-particle -f consistent-
offers relaxation run falling-particle --solver rel
offers latex table results --format l
offers ccp describe cc
offers solvers list so
check "and nothing that there is not" test -z "$(complete_words run falling-particle -f nothing)"

# Descriptions as JSON: the same numbers as the text.
for entry in ccp pgs falling-particle yu-8; do
  expect 0 "" describe "$entry" --json
  check "$entry has its name" grep -q "\"name\": \"$entry\"" "$work/out"
done
expect 0 "" describe apgd --json
check "defaults are there" grep -q '"default": 10000' "$work/out"
check "and choices" grep -q '"choices": \[' "$work/out"
expect 0 "" describe falling-particle --json
check "and units of parameters" grep -q '"unit": "m/s^2"' "$work/out"
expect 2 "unknown name 'aapgd'.*did you mean 'apgd'" describe aapgd --json
summary
