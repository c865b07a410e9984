# SPDX-License-Identifier: GPL-3.0-or-later
#
# Maps of speed of three runs, one below the other (tables map-*).
# size: 15 22
# narrow: 8.5 14

runs = 'ncp ncp-seed-2 source'
names = '"ncp, scale 0.2" "ncp, scale 0.2, other start" "ncp, the source''s size"'
set multiplot
unset title
unset key
set style fill solid 1 noborder # the map and its colour box alike
set palette defined (0 '#2c2c6e', 0.35 '#0072b2', 0.7 '#f0e442', 1 '#d55e00')
set xrange [0:30]
set yrange [0:13]
set ytics 0, 4
set cbrange [0:2]
stacked = 3
stack_right = 1.5
set ylabel axis('y', 'mm') offset (narrow ? 0.6 : -0.4)
do for [row = 1:3] {
  eval frame(0.12, 0.84, 0.98 - 0.285*row, 1.19 - 0.285*row)
  set title word(names, row).', speed [m/s]' offset 0, -0.6 noenhanced
  if (row == 3) {
    set xrange [0:150]
    set yrange [0:65]
    set ytics 0, 20
  }
  set format x (row > 1 ? '%g' : '')
  if (row == 3) { set xlabel axis('x', 'mm') offset 0, 0.3 }
  plot data.'/map-'.word(runs, row).'.dat' using 1:2:(0.53):(0.53):3 with boxxyerror linecolor palette
}
unset multiplot
