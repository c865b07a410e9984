# SPDX-License-Identifier: GPL-3.0-or-later
# size: 24 17
# wide: 17 14
# narrow: 8.5 20
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
do for [i = 1:n] { longest = strlen(shown[i]) > longest ? strlen(shown[i]) : longest }
key_columns = printed ? columns_of(longest) : 4
in_grid = printed
stacked = 6
stack_columns = narrow ? 2 : 3
stack_foot = key_cm(n)
stack_left = 1.4
stack_top = 0.2
do for [row = 0:1] {
  cost = row == 0 ? 'time' : 'work'
  set xrange [least[row + 1]/1.5:ends[row + 1]]
  do for [t = 1:3] {
    slot = narrow ? 2*(t - 1) + row : 3*row + t - 1
    eval frame(0.075 + 0.32*(t - 1), 0.335 + 0.32*(t - 1), row == 0 ? 0.60 : 0.24, row == 0 ? 0.91 : 0.52)
    set label 1 sprintf(narrow ? 'to %g' : 'to %g of the length', tolerances[t]) at graph 0.03, 0.95 left font ''.pt(11)
    set xlabel row == 0 ? axis('time', 's') : printed ? 'work' : 'work: steps, iterations, evaluations'
    set ylabel (narrow ? row == 0 : t == 1) ? sprintf('share of %d cases', cases) : ''
    if (printed) { set xtics 100 }
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
if (printed) { set tmargin at screen stack_foot/page_high }
set key at screen 0.5, screen 0.01 center bottom vertical Left reverse samplen 3 maxrows (printed ? key_rows(n) : 99) font ''.pt(10) width (printed ? key_width(longest) : 0) noenhanced
legend = ''
do for [i = 1:n] {
  look = is_reference[i] ? 'linecolor rgb "#909090" linewidth 1.2' : sprintf('linestyle %d', style(word(names, i)))
  legend = legend . sprintf("-1 with lines %s title shown[%d], ", look, i)
}
eval('plot ' . legend[1:strlen(legend) - 2])
unset multiplot
