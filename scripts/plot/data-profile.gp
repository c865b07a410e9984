# SPDX-License-Identifier: GPL-3.0-or-later
# size: 24 17
#
# Data profiles: three tolerances abreast, against time above and against work below, one legend at
# the foot. A table is <name>-<time or work>-<number of the tolerance>: budget, share. names, shown[],
# is_reference[]: the formulations; least[], ends[]: of the budgets of either kind; cases: how many there are.

set multiplot title title noenhanced
unset title
unset key
set logscale x
set format x decades
set yrange [0:1.02]
has(name) = strstrt(' ' . present . ' ', ' ' . name . ' ') > 0
n = words(names)
do for [row = 0:1] {
  cost = row == 0 ? 'time' : 'work'
  set xrange [least[row + 1]/1.5:ends[row + 1]]
  set bmargin at screen (row == 0 ? 0.60 : 0.24)
  set tmargin at screen (row == 0 ? 0.91 : 0.52)
  do for [t = 1:3] {
    set lmargin at screen 0.075 + 0.32*(t - 1)
    set rmargin at screen 0.335 + 0.32*(t - 1)
    set label 1 sprintf('to %g of the length', tolerances[t]) at graph 0.03, 0.95 left font ',11'
    set xlabel row == 0 ? axis('time', 's') : 'work: steps, iterations, evaluations'
    set ylabel t == 1 ? sprintf('share of %d cases', cases) : ''
    curves = ''
    do for [i = 1:n] {
      name = word(names, i) . '-' . cost . '-' . t
      if (has(name)) {
        look = is_reference[i] ? 'linecolor rgb "#909090" linewidth 1.2' : \
            sprintf('linestyle %d', style(word(names, i)))
        curves = curves . sprintf("data . '/' . word(names, %d) . '-%s-%d.dat' using 1:2 with steps %s notitle, ", \
                                  i, cost, t, look)
      }
    }
    if (strlen(curves) > 0) { eval('plot ' . curves[1:strlen(curves) - 2]) }
    unset label 1
  }
}
# The legend: an empty plot with one key below all panels.
set lmargin at screen 0
set rmargin at screen 1
set bmargin at screen 0
set tmargin at screen 0.14
unset border
unset tics
unset xlabel
unset ylabel
unset grid
unset logscale
set xrange [0:1]
set yrange [0:1]
set key at screen 0.5, screen 0.01 center bottom vertical Left reverse samplen 3 maxcols 4 font ',10' noenhanced
legend = ''
do for [i = 1:n] {
  look = is_reference[i] ? 'linecolor rgb "#909090" linewidth 1.2' : sprintf('linestyle %d', style(word(names, i)))
  legend = legend . sprintf("-1 with lines %s title shown[%d], ", look, i)
}
eval('plot ' . legend[1:strlen(legend) - 2])
unset multiplot
