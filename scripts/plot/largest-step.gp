# SPDX-License-Identifier: GPL-3.0-or-later
# size: 22 13
#
# The largest step of every formulation, case by case: a point where it still keeps to the truth, a
# bar up to where it still does not diverge. A formulation's table: row, true, stable, lo, hi.
# present: formulations with a table; rows: their number; labels: the command that sets the tics of
# the rows. Dashed: the range that was searched.

set logscale y
set format y decades
set ylabel axis('largest step dt', 's')
set xrange [0.4:rows + 0.6]
set autoscale y noextend
set offsets 0, 0, graph 0.05, graph 0.05
eval labels
set xtics scale 0
if (rows > 2) {
  set xtics rotate by 20 right
}
unset grid
set grid ytics back linecolor rgb '#dddddd' linetype 1 linewidth 0.7
do for [k = 1:rows - 1] {
  set arrow from first k + 0.5, graph 0 to first k + 0.5, graph 1 nohead linecolor rgb '#dddddd'
}
table(name) = data . '/' . name . '.dat'
name(i) = word(present, i)
place(i) = 0.8*(i - 0.5)/words(present) - 0.4
half = 0.3/words(present)
plot for [i = 1:words(present)] table(name(i)) using ($1 - 0.4):4:(0.8):(0) with vectors nohead \
       linestyle ls_limit notitle, \
     for [i = 1:words(present)] table(name(i)) using ($1 - 0.4):5:(0.8):(0) with vectors nohead \
       linestyle ls_limit notitle, \
     for [i = 1:words(present)] table(name(i)) using ($1 + place(i)):2:(0):($3 - $2) \
       with vectors nohead linestyle style(name(i)) dashtype 1 notitle, \
     for [i = 1:words(present)] table(name(i)) using ($1 + place(i) - half):3:(2*half):(0) \
       with vectors nohead linestyle style(name(i)) dashtype 1 notitle, \
     for [i = 1:words(present)] table(name(i)) using ($1 + place(i)):2 with points \
       linestyle style(name(i)) title name(i)
