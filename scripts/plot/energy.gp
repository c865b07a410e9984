# SPDX-License-Identifier: GPL-3.0-or-later
# size: 25 40
#
# Relative numerical energy drift of every formulation, case by case. A formulation's table: row,
# drift. present: formulations with a table; rows: how many there are, down the page; labels[]: their
# names.

set logscale x
set format x decades
set xtics 1e-20, 1e4
set xlabel 'numerical drift / largest energy [-]'
set yrange [rows + 0.6:0.4]
set autoscale x noextend
set offsets graph 0.05, graph 0.05, 0, 0
set ytics ()
do for [k = 1:rows] { set ytics add (labels[k] k) }
set ytics scale 0 noenhanced
set lmargin at screen 0.34 # room for the names
set rmargin at screen 0.97
set bmargin at screen 0.045
unset title
set label title at screen 0.5, screen 0.988 center noenhanced
eval set_key_below
set key at screen 0.5, screen 0.977 center top font ',11' maxrows key_rows(words(present))
set tmargin at screen 0.972 - 1.2*key_cm(words(present))/40
unset grid
set grid xtics back linecolor rgb '#dddddd' linetype 1 linewidth 0.7
do for [k = 1:rows - 1] {
  set arrow from graph 0, first k + 0.5 to graph 1, first k + 0.5 nohead linecolor rgb '#dddddd'
}
table(name) = data . '/' . name . '.dat'
place(i) = 0.8*(i - 0.5)/words(present) - 0.4
plot for [i = 1:words(present)] table(word(present, i)) using 2:($1 + place(i)) with points \
       linestyle style(word(present, i)) title word(present, i)
