# SPDX-License-Identifier: GPL-3.0-or-later
# size: 25 40
# wide: 17 23
# narrow: 8.5 23.5
#
# Relative numerical energy drift of every formulation, case by case. A formulation's table: row,
# drift. present: formulations with a table; rows: how many there are, down the page; labels[]: their
# names.

set logscale x
set format x decades
set xtics 1e-20, 1e4
set xlabel narrow ? 'drift / energy [-]' : 'numerical drift / largest energy [-]'
set yrange [rows + 0.6:0.4]
set autoscale x noextend
set offsets graph 0.05, graph 0.05, 0, 0
if (printed) { do for [k = 1:rows] { labels[k] = cut(labels[k], narrow ? 32 : 45) } }
set ytics ()
do for [k = 1:rows] { set ytics add (labels[k] k) }
set ytics scale 0 noenhanced
do for [k = 1:rows] { longest = strlen(labels[k]) > longest ? strlen(labels[k]) : longest }
set lmargin at screen (printed ? (0.3 + 0.145*longest)/page_wide : 0.34) # room for the names
if (printed) { set ytics font ''.pt(9) }
set rmargin at screen 0.97
set bmargin at screen (printed ? 1.2/page_high : 0.045)
unset title
set label title at screen 0.5, screen 0.988 center noenhanced
eval set_key_below
set key at screen 0.5, screen (printed ? 1 - 0.15/page_high : 0.977) center top font ''.pt(printed ? 9 : 11) maxrows key_rows(words(present))
set tmargin at screen (printed ? 1 - (0.1 + key_cm(words(present)))/page_high : \
    0.972 - 1.2*key_cm(words(present))/page_high)
unset grid
set grid xtics back linecolor rgb '#dddddd' linetype 1 linewidth 0.7
do for [k = 1:rows - 1] {
  set arrow from graph 0, first k + 0.5 to graph 1, first k + 0.5 nohead linecolor rgb '#dddddd'
}
table(name) = data . '/' . name . '.dat'
place(i) = 0.8*(i - 0.5)/words(present) - 0.4
plot for [i = 1:words(present)] table(word(present, i)) using 2:($1 + place(i)) with points \
       linestyle style(word(present, i)) title word(present, i)
