# SPDX-License-Identifier: GPL-3.0-or-later
# size: 26 21
# wide: 17 17
# narrow: 8.5 22
#
# Performance profiles, one panel a set of problems and law. panels: their names; envelopes[]: of each
# the three solvers whose envelope is dashed; solvers: those with curves; tau_max; a table a panel and solver: tau, share.

columns = words(panels) > 1 ? 2 : 1
rows = int(ceil(words(panels) / (columns + 0.0)))
in_grid = printed
stacked = words(panels)
stack_columns = narrow ? 1 : columns
eval set_longest('solvers')
key_columns = columns_of(longest)
stack_foot = key_cm(words(solvers))
stack_top = 0.2
if (printed) {
  set multiplot
} else {
  set multiplot layout rows, columns margins 0.08, 0.82, 0.09, 0.94 spacing 0.06, 0.07 \
      title title noenhanced
}
unset title
unset key
set logscale x
set format x decades
set xrange [1:tau_max * 2]
set yrange [0:1.02]
has(name) = strstrt(' ' . present . ' ', ' ' . name . ' ') > 0
solver(i) = word(solvers, i)
look(i) = solver_style(solver(i))
table(i) = data . '/' . panel . '-' . solver(i) . '.dat'
# One legend for all panels, beside them; in print below.
do for [i = 1:(printed ? 0 : words(solvers))] {
  y = 0.93 - 0.027 * (i - 1)
  set arrow 100 + i from screen 0.832, screen y to screen 0.872, screen y nohead linestyle look(i)
  set label 200 + i '' at screen 0.852, screen y point linestyle look(i)
  set label 100 + i solver(i) at screen 0.88, screen y noenhanced
}
do for [p = 1:words(panels)] {
  panel = word(panels, p)
  if (printed) { eval frame(0, 0, 0, 0) }
  set label 1 panel at graph 0.97, 0.06 right noenhanced
  set xlabel (p + stack_columns > words(panels) ? 'time over that of the fastest, tau' : '')
  set ylabel (stack_columns == 1 || p % 2 == 1 ? 'share solved' : '')
  # A solver that does not take the law has no table. Numbers alone get into the command.
  curves = ''
  do for [i = 1:words(solvers)] {
    if (has(panel . '-' . solver(i))) {
      curves = curves . sprintf("table(%d) using 1:2 with steps linestyle %d notitle, " . \
                                "table(%d) using 1:2 every 3::%d with points linestyle %d " . \
                                "notitle, ", i, look(i), i, i % 2, look(i))
    }
  }
  if (has(panel . '-envelope')) {
    set label 2 'dashed: ' . envelopes[p] at graph 0.97, 0.13 right noenhanced font ''.pt(9)
    curves = curves . "data . '/' . panel . '-envelope.dat' using 1:2 with steps linewidth 2.2 " . \
                      "linecolor rgb '#202020' dashtype 2 notitle, "
  }
  eval('plot ' . curves[1:strlen(curves) - 2])
  unset label 2
  do for [i = 1:words(solvers)] {
    unset arrow 100 + i
    unset label 100 + i
    unset label 200 + i
  }
}
if (printed) {
  key_rows_all = key_rows(words(solvers))
  eval key_alone
  legend = ''
  do for [i = 1:words(solvers)] {
    legend = legend . sprintf('NaN with linespoints linestyle %d title solver(%d), ', look(i), i)
  }
  eval('plot ' . legend[1:strlen(legend) - 2])
}
unset multiplot
