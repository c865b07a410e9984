# SPDX-License-Identifier: GPL-3.0-or-later
#
# Outlines side by side, where narrow in two rows; tables main, handle, centres.
# size: 24 6.5
# wide: 17 4.6
# narrow: 8.5 5.8

unset key
unset grid
unset border
unset xtics
set ytics 0, 20, 40 nomirror
set ylabel axis('z', 'mm')
set yrange [narrow ? -24 : -14:46]
rows = narrow ? 2 : 1
if (narrow) { set multiplot }
do for [row = 1:rows] {
  set size ratio -1
  set lmargin at screen (narrow ? 0.19 : 0.08)
  set rmargin at screen 0.98
  if (narrow) {
    unset title
    set tmargin at screen 1.48 - 0.5*row
    set bmargin at screen 1.04 - 0.5*row
  }
  left = -25 + 227.5*(row - 1) # five tops in the first row
  right = left + (narrow ? 227.5 : 410)
  set xrange [left:right]
  set arrow 1 from left, 0 to right, 0 nohead linestyle ls_limit
  here(x) = x > left && x <= right ? x : NaN
  plot data.'/main.dat' using 1:2 with lines linewidth 2 linecolor rgb hue('violet'), \
       data.'/handle.dat' using 1:2 with lines linewidth 2 linecolor rgb hue('red'), \
       data.'/centres.dat' using 1:2 with points linestyle ls_mark pointsize 0.5, \
       data.'/centres.dat' using (here($1)):(narrow ? -6 : -4):(sprintf('t = %.1f s', $3)) with labels font ''.pt(9), \
       data.'/centres.dat' using (here($1)):(narrow ? -17 : -10):(sprintf('%.2f rad', $4)) with labels font ''.pt(9)
}
if (narrow) { unset multiplot }
