# SPDX-License-Identifier: GPL-3.0-or-later
# size: 25 14
#
# Relative numerical energy drift of every formulation, case by case. A formulation's table: row,
# drift. present: formulations with a table; rows: their number; labels: the command that sets the
# tics of the rows.

set logscale y
set format y decades
set ylabel 'numerical drift / largest energy [-]'
set xrange [0.4:rows + 0.6]
set autoscale y noextend
set offsets 0, 0, graph 0.05, graph 0.05
eval labels
set xtics scale 0
if (rows > 2) {
  set xtics rotate by 40 right
  set lmargin at screen 0.11 # room for the first labels
}
unset grid
set grid ytics back linecolor rgb '#dddddd' linetype 1 linewidth 0.7
do for [k = 1:rows - 1] {
  set arrow from first k + 0.5, graph 0 to first k + 0.5, graph 1 nohead linecolor rgb '#dddddd'
}
table(name) = data . '/' . name . '.dat'
place(i) = 0.8*(i - 0.5)/words(present) - 0.4
plot for [i = 1:words(present)] table(word(present, i)) using ($1 + place(i)):2 with points \
       linestyle style(word(present, i)) title word(present, i)
