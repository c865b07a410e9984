#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The tables of the guides (src/form/README.md, src/problem/solvers/README.md) from the records of the
# suite `guide`, and that of closed-forms from those of `pages`; scripts/readme.sh writes them into the
# pages, with the program as $COULOMBENCH.
#
# Usage: guide.sh formulations|solvers|closed_forms FOLDER
set -euo pipefail
export program=$COULOMBENCH # to the shells that awk starts
folder=$2

# A row a formulation that takes contacts. Of errors the largest of the coordinates, of a run that ended badly the status; of
# the free top with a quaternion, for those that take none with affine coordinates.
formulations() {
  echo '| formulation | order: impact, slide | order: smooth | free top | 100 bounces | sliding, then rolling | three boxes at rest | jointed rods, friction | time a step, us |'
  echo '| --- | --- | --- | --- | --- | --- | --- | --- | --- |'
  "$program" table "$folder" --format csv --columns 'formulation.name,case.name=case,status,dt=dt[],errors.q_linf=q[],constraints.penetration_max=depth[],timing.per_step_s=time[],case.parameters.body=body' |
    awk -F, '
      function shown(x) { x = sprintf("%.2g", x); sub(/e-0/, "e-", x); return x }
      function fit(key,   k, slope) {
        k = n[key]
        if (k < 3) return "-"
        slope = (k * sxy[key] - sx[key] * sy[key]) / (k * sxx[key] - sx[key] ^ 2)
        return sprintf("%.1f", slope)
      }
      { gsub(/"/, "") }
      NR == 1 || $3 == "unsupported" { next }
      { name = $1; key = $1 SUBSEP $2; ran[name] = 1 }
      $2 == "free-top" { key = key SUBSEP $8 }
      $2 ~ /^(free-top|falling-particle)$/ && $3 == "ok" && $5 > 1e-11 {
        x = log($4); y = log($5); n[key]++; sx[key] += x; sy[key] += y; sxx[key] += x * x; sxy[key] += x * y
      }
      $2 == "free-top" && $3 == "ok" && $4 == 1e-3 && $8 != "scalable" && ($8 == "quaternion" || !(name in top)) {
        top[name] = $5; order[name] = key
      }
      $2 !~ /^(free-top|falling-particle)$/ {
        cell[name, $2] = $3 != "ok" ? $3 : $2 == "box-stack" ? shown($6) : shown($5)
      }
      $2 == "spatial-double-pendulum" { time[name] = sprintf("%.0f", 1e6 * $7) }
      END {
        split("bouncing-ball thrown-ball box-stack spatial-double-pendulum", cases, " ")
        while ((list | getline name) > 0) {
          if (!(name in ran)) continue
          row = "| `" name "` | " (name == "event" ? "-" : fit(name SUBSEP "falling-particle")) " |"
          if (name in top) row = row " " fit(order[name]) " | " shown(top[name]) " |"
          else row = row " - | - |"
          contacts = n[name, "falling-particle"] > 0
          for (i = 1; i <= 4; ++i) {
            contacts = contacts || (name, cases[i]) in cell
            row = row " " ((name, cases[i]) in cell ? cell[name, cases[i]] : "-") " |"
          }
          if (contacts) print row " " (name in time ? time[name] : "-") " |"
        }
      }' list='"$program" list formulations | sed "1d; s/^ *//; s/ .*//"'
}

# A row a solver: of the problems of each law, how many were solved, and the median over all that it solved of
# its time over that of the fastest.
solvers() {
  # shellcheck disable=SC2016 # Markdown
  echo '| solver | `ncp` solved | `ccp` solved | `lcp` solved | `mdp` solved | time over fastest |'
  echo '| --- | --- | --- | --- | --- | --- |'
  "$program" table "$folder/solve" --format csv --columns 'problem,law,solver.name,status,timing.solve_s' |
    awk -F, '
      NR == 1 { next }
      { gsub(/"/, ""); key = $1 SUBSEP $2; names[$3] = 1; problems[key] = 1 }
      $4 != "unsupported" { asked[$3, $2]++ }
      $4 == "ok" {
        solved[$3, $2]++; t = $5 > 1e-7 ? $5 : 1e-7; time[$3, key] = t
        if (!(key in best) || t < best[key]) best[key] = t
      }
      END {
        split("ncp ccp lcp mdp", laws, " ")
        while ((list | getline name) > 0) {
          if (!(name in names)) continue
          row = "| `" name "` |"
          for (l = 1; l <= 4; ++l) {
            row = row " " ((name, laws[l]) in asked ? solved[name, laws[l]] + 0 "/" asked[name, laws[l]] : "-") " |"
          }
          m = 0
          for (key in problems) if ((name, key) in time) ratio[++m] = time[name, key] / best[key]
          for (i = 2; i <= m; ++i) for (j = i; j > 1 && ratio[j] < ratio[j - 1]; --j) {
            t = ratio[j]; ratio[j] = ratio[j - 1]; ratio[j - 1] = t
          }
          print row " " (m > 0 ? sprintf("%.2g", ratio[int((m + 1) / 2)]) : "-") " |"
        }
      }' list='"$program" list solvers | sed "1d; s/^ *//; s/ .*//"' | sed 's/e+0*/e/'
}

# A row a formulation that can: errors of closed-forms by motion, what rounding and solvers leave apart; of a
# run that ended badly the status.
closed_forms() {
  echo '| formulation | sphere | block sticks | block slides | top |'
  echo '| --- | --- | --- | --- | --- |'
  "$program" table "$folder" --where 'case.name=closed-forms' --where 'cell.figure=null' \
    --where 'status!=unsupported' --format csv \
    --columns 'formulation.name,cell.label,status,errors.q_linf=error[]' |
    awk -F, '
      { gsub(/"/, ""); ran[$1] = 1; cell[$1, $2] = $3 != "ok" ? $3 : $4 < 1e-8 ? "< 1e-8" : sprintf("%.1e", $4) }
      END {
        split("rolls sticks slides top", motions, " ")
        while ((list | getline name) > 0) {
          if (!(name in ran)) continue
          row = "| `" name "` |"
          for (i = 1; i <= 4; ++i) row = row " " ((name, motions[i]) in cell ? cell[name, motions[i]] : "-") " |"
          print row
        }
      }' list='"$program" list formulations | sed "1d; s/^ *//; s/ .*//"'
}

case $1 in
formulations | solvers | closed_forms) "$1" ;;
*)
  echo "guide.sh: no table '$1'" >&2
  exit 2
  ;;
esac
