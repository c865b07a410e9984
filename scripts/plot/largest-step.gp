# SPDX-License-Identifier: GPL-3.0-or-later
# size: 25 15
#
# The largest step of every formulation, case by case: a point where it still keeps to the truth, a
# bar up to where it still does not diverge. A formulation's table: row, true, stable, lo, hi, and its
# place and width within the row. present: formulations with a table; rows: number of cases; labels:
# the command that sets their tics. Dashed: the range that was searched.

set logscale y
set format y decades
set ylabel axis('largest step dt', 's')
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
name(i) = word(present, i)
plot for [i = 1:words(present)] table(name(i)) using ($1 - 0.44):4:(0.88):(0) with vectors nohead \
       linestyle ls_limit notitle, \
     for [i = 1:words(present)] table(name(i)) using ($1 - 0.44):5:(0.88):(0) with vectors nohead \
       linestyle ls_limit notitle, \
     for [i = 1:words(present)] table(name(i)) using ($1 + $6):2:(0):($3 - $2) \
       with vectors nohead linestyle style(name(i)) dashtype 1 notitle, \
     for [i = 1:words(present)] table(name(i)) using ($1 + $6 - 0.35*$7):3:(0.7*$7):(0) \
       with vectors nohead linestyle style(name(i)) dashtype 1 notitle, \
     for [i = 1:words(present)] table(name(i)) using ($1 + $6):2 with points \
       linestyle style(name(i)) pointsize 0.8 title name(i)
