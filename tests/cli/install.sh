#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Paths that are no words of a shell or of make: installing below one, taking away again what was
# put there and nothing else, and a source tree that stands in one.
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"

# A build of the program under test: the tree's, whatever make says of its flags.
own=$program
build=$(dirname "$program")
case $(basename "$build") in
debug | sanitize) mode=$(basename "$build") build=$(dirname "$build") ;;
*) mode=release ;;
esac
build=${build#"$root"/} # BUILD is to be without blanks, the tree is not
make_in() { # tree words...
  MAKEFLAGS='' MAKELEVEL=0 make -s -C "$@" >"$work/out" 2>"$work/err"
}
listing() { find "$1" -mindepth 1 -printf '%P\n' | sort; }

# All that a name can hold which means something to a shell or to make, at once.
# shellcheck disable=SC2016 # what a shell would expand is what it is
odd='o'"'"'clock $HOME `x` "a" #; *'
to=$work/to/$odd
mkdir -p "$to/my" "$to/bin" "$to/share/coulombench/cases"
echo mine >"$to/my/file"
echo mine >"$to/bin/other"
echo mine >"$to/share/coulombench/cases/own.json"
before=$(listing "$work/to")
if ! make_in "$root" install MODE="$mode" BUILD="$build" PREFIX="${to//\$/\$\$}"; then
  bad "install below '$odd'" "$(head -n 3 "$work/err")"
  summary
fi
program=$to/bin/coulombench
COULOMBENCH_DATA='' expect 0 "" run falling-particle -f moreau --t-end 0.1 -o "$work/r.json"
check "a manual page" test -s "$to/share/man/man1/coulombench.1"
check "nothing elsewhere" test "$(ls "$work/to")" = "$odd"
make_in "$root" install MODE="$mode" BUILD="$build" PREFIX="${to//\$/\$\$}"
make_in "$root" uninstall PREFIX="${to//\$/\$\$}"
check "uninstall ends well" test $? = 0
check "what was there stays, and nothing else" test "$before" = \
  "$(listing "$work/to" | grep -vE '/(share/man(/man1)?|share/bash-completion(/completions)?|share/doc)$')"
if make_in "$root" uninstall PREFIX="${to//\$/\$\$}"; then
  bad "uninstalled twice" "no word of it"
else
  check "nothing is installed" grep -q "nothing is installed below" "$work/err"
fi

# The tree itself. One source, the provenance, and what every target begins with; the rest differs in
# names alone. The whole build is looked at without being made.
# shellcheck disable=SC2016
tree=$work/'it'"'"'s 100% $mine'
mkdir -p "$tree/build"
cp -r "$root"/{Makefile,LICENSE,README.md,src,cases,scripts,tests} "$tree"
cp "$root/build/config.mk" "$tree/build"
make_in "$tree" build/release/src/base/number.o build/release/gen/provenance.h
check "an object is made" test -s "$tree/build/release/src/base/number.o"
check "and what a record says of the sources" grep -q 'src/base/number.c' "$tree/build/release/gen/provenance.h"
make_in "$tree" -n test
check "tests know their program by its whole name" \
  grep -qF "COULOMBENCH='${tree//\'/\'\\\'\'}/build/coulombench'" "$work/out"
make_in "$tree" EXTRA=tests/examples build/release/cases/case.o
check "a folder of one's own" test -s "$tree/build/release/cases/case.o"
check "no word on standard error" test ! -s "$work/err"
cp "$own" "$tree/build/coulombench"
(cd / && COULOMBENCH_DATA='' "$tree/build/coulombench" run falling-particle -f moreau --t-end 0.1 -o "$work/r.json" >/dev/null)
check "the program finds its data" test $? = 0
COULOMBENCH=$tree/build/coulombench "$tree/tests/cli/tolerance.sh" >"$work/out" 2>&1
check "a test runs there" grep -q 'tolerance: [1-9][0-9]* passed, 0 failed' "$work/out"
rm -rf "$tree" "$work/to"

# What make would take for several words, or for a pattern.
mkdir "$work/a b"
echo >"$work/a b/registry.h"
for variable in EXTRA BUILD; do
  if make_in "$root" -n all "$variable=$work/a b"; then
    bad "$variable with a blank" "make goes on"
  else
    check "$variable with a blank is refused" grep -q "$variable: a path without blanks" "$work/err"
  fi
done
# A package of Debian: unpacked anywhere it runs, and needs what its program links. (Those beside it are
# left out here: what they link takes dpkg half a minute to find.)
if [[ $mode != release ]] || ! command -v dpkg-shlibdeps >/dev/null; then
  skip "make deb" "no dpkg-dev here, or no release build"
else
  make_deb() { (cd "$root" && MAKEFLAGS='' MAKELEVEL=0 BUILD=$build scripts/deb.sh "$work/deb" "$own"); }
  deb=$(make_deb)
  check "a package" test -s "$deb"
  dpkg-deb -f "$deb" Depends >"$work/depends"
  check "it needs the libraries" grep -q "libgsl.*libopenblas" "$work/depends"
  sum=$(sha256sum <"$deb")
  make_deb >/dev/null
  check "the same bytes again" test "$(sha256sum <"$deb")" = "$sum"
  dpkg-deb -x "$deb" "$work/unpacked"
  program=$work/unpacked/usr/bin/coulombench
  check "it has the program under test" cmp "$own" "$program"
  COULOMBENCH_DATA='' expect 0 "" run falling-particle -f moreau --t-end 0.1 -o "$work/r.json"
fi
summary
