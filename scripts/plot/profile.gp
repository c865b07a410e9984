# SPDX-License-Identifier: GPL-3.0-or-later
# size: 26 21
#
# Performance profiles, one panel a set of problems and law. panels: their names; solvers: all
# names, in the order of styles; tau_max; a table a panel and solver: tau, share.

rows = int(ceil(words(panels) / 2.0))
set multiplot layout rows, 2 margins 0.08, 0.85, 0.09, 0.94 spacing 0.06, 0.07 \
    title title noenhanced
unset title
unset key
set logscale x
set format x decades
set xrange [1:tau_max * 2]
set yrange [0:1.02]
has(name) = strstrt(' ' . present . ' ', ' ' . name . ' ') > 0
solver(i) = word(solvers, i)
table(i) = data . '/' . panel . '-' . solver(i) . '.dat'
colours = '#0072b2 #e69f00 #009e73 #d55e00 #cc79a7 #56b4e9 #882255 #999933 #332288 #000000'
points = '6 5 4 9 8 11 7 10 14 15 12 13 2 1 3'
# From the eleventh solver on the colours come again, dashed; points, where a curve rises, tell apart
# what runs together.
do for [i = 1:words(solvers)] {
  set style line 200 + i linewidth 2 linecolor rgb word(colours, (i - 1) % 10 + 1) \
      pointtype int(word(points, (i - 1) % 15 + 1)) pointsize 0.8
  if (i > 10) { set style line 200 + i dashtype (5, 3) }
}
# One legend for all panels, beside them.
do for [i = 1:words(solvers)] {
  y = 0.93 - 0.027 * (i - 1)
  set arrow 100 + i from screen 0.862, screen y to screen 0.902, screen y nohead linestyle 200 + i
  set label 200 + i '' at screen 0.882, screen y point linestyle 200 + i
  set label 100 + i solver(i) at screen 0.91, screen y noenhanced
}
do for [p = 1:words(panels)] {
  panel = word(panels, p)
  set label 1 panel at graph 0.97, 0.06 right noenhanced
  set xlabel (p + 2 > words(panels) ? 'time over that of the fastest, tau' : '')
  set ylabel (p % 2 == 1 ? 'share solved' : '')
  # A solver that does not take the law has no table. Numbers alone get into the command.
  curves = ''
  do for [i = 1:words(solvers)] {
    if (has(panel . '-' . solver(i))) {
      curves = curves . sprintf("table(%d) using 1:2 with steps linestyle %d notitle, " . \
                                "table(%d) using 1:2 every 3::%d with points linestyle %d " . \
                                "notitle, ", i, 200 + i, i, i % 3, 200 + i)
    }
  }
  eval('plot ' . curves[1:strlen(curves) - 2])
  do for [i = 1:words(solvers)] {
    unset arrow 100 + i
    unset label 100 + i
    unset label 200 + i
  }
}
unset multiplot
