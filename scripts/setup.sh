#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Find what building and running coulombench needs and install what is missing.
# Usage: setup.sh [--check] [--dry-run] [--lint] [--fuzz] [--peers] [--browser] [--slurm]
#
#   (nothing)   install what is missing by apt-get, as root or through sudo without a password;
#               where that is impossible, print the one command to type and stop
#   --check     report only
#   --dry-run   print the commands instead of running them
#   --lint      the tools of `make lint` as well
#   --fuzz      the compiler of `make fuzz` as well
#   --peers     Siconos' solvers, engines, FCLIB's files, numpy, pandas, jsonschema, Octave as well (make PEERS=1);
#               MuJoCo 3, Rapier and Jolt come by npm, into build/npm; without it they are absent
#   --browser   the browser that the test of the report page runs (make BROWSER=1)
#   --slurm     the cluster that the test of scripts/slurm.sh starts, GNU parallel and Snakemake (make SLURM=1)
#
# Silent when nothing is missing. Exit status: 0 all is there, 2 something is missing. CC is the
# compiler to look for (gcc), with words before or behind it: "ccache gcc", "gcc -m64".
set -eu

usage() {
  sed -n '5,16s/^# \{0,1\}//p' "$0"
}

mode=install
lint=no
fuzz=no
peers=no
browser=no
slurm=no
for argument in "$@"; do
  case $argument in
  --check) mode=check ;;
  --dry-run) mode=dry-run ;;
  --lint) lint=yes ;;
  --fuzz) fuzz=yes ;;
  --peers) peers=yes ;;
  --browser) browser=yes ;;
  --slurm) slurm=yes ;;
  -h | --help) usage && exit 0 ;;
  *) echo "setup.sh: unknown option '$argument'" >&2 && usage >&2 && exit 2 ;;
  esac
done

has_command() {
  command -v "$1" >/dev/null 2>&1
}
has_library() { # pkg-config name
  has_command pkg-config && pkg-config --exists "$1"
}
# The words of CC are those of a command.
# shellcheck disable=SC2086
has_header() { # for libraries that bring no pkg-config file
  echo "#include <$1>" | ${CC:-gcc} -E - >/dev/null 2>&1
}
has_compiler() { # each word that is no option
  for word in ${CC:-gcc}; do
    case $word in
    -*) ;;
    *) has_command "$word" || return 1 ;;
    esac
  done
}

packages=
need() { # Debian package, what for
  packages="$packages $1"
  report="${report:-}  $1: $2
"
}

# The interpreter that the example asks for: Debian's, for which the package is.
example_python=$(sed -n '1s/^#!//p' "$(dirname "$0")/../tests/examples/solvers/pgs_example.py")

has_serial_blas() {
  has_library openblas && ls /usr/lib/*/openblas-serial/libopenblas.so >/dev/null 2>&1
}

# Every package once, with the reason that a user would want to read.
find_missing() {
  packages=
  report=
  has_compiler || need gcc "the C compiler"
  # A compiler without the C library's headers and start files is what a bare gcc package leaves.
  has_header stdio.h ||
    need libc6-dev "headers of the C library"
  has_command make || need make "the build"
  has_command pkg-config || need pkg-config "finds the libraries below"
  has_library gsl || need libgsl-dev "GSL: adaptive integrators, polynomial roots, random numbers"
  has_library libcjson || need libcjson-dev "cJSON: reads cases, scenes and records"
  has_serial_blas || need libopenblas-serial-dev "OpenBLAS: dense linear algebra, on one thread"
  has_library lapacke || need liblapacke-dev "LAPACKE: dense factorisations"
  { has_header suitesparse/cholmod.h && has_header suitesparse/SuiteSparseQR_C.h; } ||
    need libsuitesparse-dev "CHOLMOD, SPQR, UMFPACK: sparse factorisations"
  has_command gnuplot || need gnuplot-nox "draws the figures"
  if [ "$lint" = yes ]; then
    has_command clang-format || need clang-format "layout (make lint)"
    has_command clang-tidy || need clang-tidy "static analysis (make lint)"
    has_command cppcheck || need cppcheck "static analysis (make lint)"
    has_command shellcheck || need shellcheck "shell scripts (make lint)"
  fi
  if [ "$fuzz" = yes ]; then
    has_command clang || need clang "brings libFuzzer (make fuzz)"
  fi
  if [ "$peers" = yes ]; then
    has_header siconos/SiconosConfig.h ||
      need libsiconos-numerics-dev "Siconos' solvers beside ours"
    has_library hdf5 || need libhdf5-dev "files of FCLIB"
    has_library fclib || need libfclib-dev "the test that FCLIB reads ours"
    "$example_python" -c 'import numpy' 2>/dev/null || need python3-numpy "the solver in Python, an example"
    python3 -c 'import jsonschema' 2>/dev/null || /usr/bin/python3 -c 'import jsonschema' 2>/dev/null ||
      need python3-jsonschema "the tests of schemas"
    python3 -c 'import pandas' 2>/dev/null || /usr/bin/python3 -c 'import pandas' 2>/dev/null ||
      need python3-pandas "the test that others read our tables"
    has_command Rscript || need r-base-core "the test that others read our tables"
    has_header mujoco/mujoco.h || need libmujoco-dev "MuJoCo beside ours"
    has_command node || need nodejs "runs MuJoCo 3, Rapier and Jolt"
    has_command npm || need npm "installs MuJoCo 3, Rapier and Jolt"
    has_library ode || need libode-dev "the Open Dynamics Engine beside ours"
    [ -e /usr/include/siconos/mechanics/MechanicsFwd.hpp ] || need libsiconos-mechanics-dev "Siconos' mechanics beside ours"
    has_library bullet-float64 || need libbullet-dev "Bullet beside ours"
    has_command octave-cli || need octave "times beside those that a source took in MATLAB (scripts/octave.sh)"
  fi
  if [ "$browser" = yes ]; then
    has_command chromium || need chromium "the test of the report page"
  fi
  if [ "$slurm" = yes ]; then # daemons stand where not every user's PATH leads
    { has_command sbatch && [ -x /usr/sbin/slurmctld ] && [ -x /usr/sbin/slurmd ]; } ||
      need slurm-wlm "the test of suites on a cluster"
    [ -x /usr/sbin/munged ] || need munge "the test of suites on a cluster"
    has_command parallel || need parallel "the test of suites by GNU parallel"
    has_command snakemake || need snakemake "the test of suites by Snakemake"
  fi
  packages=${packages# }
}

# Packages of npm: no others depend on them, so that a failure is told and no more.
npm_folder=$(dirname "$0")/../build/npm
npm_packages="@mujoco/mujoco@3.14.0 @dimforge/rapier3d-compat@0.21.0 jolt-physics@1.1.0"
install_from_npm() { # all at once: npm removes what it is not asked for
  missing=
  for package in $npm_packages; do
    grep -q "\"version\": \"${package##*@}\"" "$npm_folder/node_modules/${package%@*}/package.json" 2>/dev/null ||
      missing=yes
  done
  if [ "$peers" = no ] || [ "$mode" = check ] || [ -z "$missing" ]; then
    return 0
  fi
  echo "+ npm install --prefix build/npm $npm_packages" >&2
  if [ "$mode" = install ]; then
    mkdir -p "$npm_folder"
    # shellcheck disable=SC2086 # words, one a package
    npm install --prefix "$npm_folder" --no-save --no-audit --no-fund --ignore-scripts $npm_packages >&2 </dev/null ||
      echo "setup.sh: $npm_packages could not be installed; these engines are absent" >&2
  fi
}

find_missing
if [ -z "$packages" ]; then
  install_from_npm
  exit 0
fi

printf 'coulombench needs Debian packages that are missing here:\n%s' "$report" >&2
update="apt-get update"
install="env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $packages"

if [ "$mode" = check ]; then
  exit 2
fi
if ! has_command apt-get; then
  echo "This system has no apt-get: install the same under its own names, then run this again." >&2
  exit 2
fi
if [ "$(id -u)" -eq 0 ]; then
  as_root=
elif has_command sudo && sudo -n true 2>/dev/null; then
  as_root="sudo -n "
else
  echo "Installing them needs the administrator's rights. Type:" >&2
  echo "  sudo sh -c 'apt-get update && apt-get install -y --no-install-recommends $packages'" >&2
  exit 2
fi

for command in "$update" "$install"; do
  echo "+ $as_root$command" >&2
  if [ "$mode" != dry-run ]; then
    # Word splitting is meant: the command is made of plain words. Standard output stays the
    # caller's, so apt-get reports on standard error.
    # shellcheck disable=SC2086
    $as_root$command >&2 </dev/null || {
      echo "setup.sh: '$command' failed; the message above says why" >&2
      exit 2
    }
  fi
done
if [ "$mode" = dry-run ]; then
  exit 2
fi

find_missing
if [ -n "$packages" ]; then
  printf 'setup.sh: installed, but still not found:\n%s' "$report" >&2
  exit 2
fi
install_from_npm
