#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The program as a package of Debian: what `make install PREFIX=/usr` puts, with what it needs as the
# programs' libraries say. `apt install ./coulombench_VERSION_ARCHITECTURE.deb` installs it.
# Usage: deb.sh FOLDER PROGRAM...
#
# Into FOLDER, which is the build's own unless BUILD names that; the same bytes for the same files. The
# first program tells the version; what the others need, solvers and engines beside ours, is recommended
# alone.
set -euo pipefail
out=$1
shift
for tool in dpkg-deb dpkg-shlibdeps; do
  command -v "$tool" >/dev/null || { echo "deb: there is no $tool here; Debian's dpkg-dev brings it" >&2 && exit 2; }
done
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
programs=()
for program in "$@"; do programs+=("$(realpath "$program")"); done
version=$("${programs[0]}" --version | sed -n '1s/^coulombench \([^ ]*\).*/\1/p')
architecture=$(dpkg --print-architecture)
make --no-print-directory install DESTDIR="$tmp/root" PREFIX=/usr BUILD="${BUILD:-$out}" ${PEERS:+PEERS=$PEERS} >/dev/null

mkdir -p "$tmp/debian" "$tmp/root/DEBIAN"
printf 'Source: coulombench\n\nPackage: coulombench\nArchitecture: any\n' >"$tmp/debian/control"
cd "$tmp"
# Packages of the libraries: of the program, and of the others beside it.
dpkg-shlibdeps -O --ignore-missing-info -dDepends -e"${programs[0]}" -dRecommends "${programs[@]:1}" >needs 2>/dev/null
depends=$(sed -n 's/^shlibs:Depends=//p' needs)
others=$(sed -n 's/^shlibs:Recommends=//p' needs)
compgen -G "root/usr/bin/peers/*.mjs" >/dev/null && others+=${others:+, }nodejs
cat >root/DEBIAN/control <<C
Package: coulombench
Version: ${version:?}
Architecture: $architecture
Section: science
Priority: optional
Maintainer: the authors of coulombench <coulombench@localhost>
Installed-Size: $(du -sk --apparent-size root/usr | cut -f1)
Depends: ${depends:?}
Recommends: gnuplot-nox${others:+, $others}
Description: benchmark of contact and friction formulations
 Canonical problems of nonsmooth rigid multibody dynamics, run by every formulation
 able to express them: errors, energy drift and iteration counts as JSON, figures and a
 page that compares them.
C
find root -exec touch -h -d "@${SOURCE_DATE_EPOCH:-0}" {} +
cd - >/dev/null
mkdir -p "$out"
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-0} dpkg-deb --root-owner-group -Zgzip --build "$tmp/root" \
  "$out/coulombench_${version}_$architecture.deb" >/dev/null
echo "$out/coulombench_${version}_$architecture.deb"
