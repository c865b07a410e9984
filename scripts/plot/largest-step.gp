# SPDX-License-Identifier: GPL-3.0-or-later
# size: 25 24
# wide: 17 18
# narrow: 8.5 20
#
# The largest step of every formulation, case by case: a point where its error is within tolerance,
# a bar up to where it is stable. A formulation's table: row, accurate, stable, lo, hi, and its
# place and width within the row. present: formulations with a table; rows: number of cases; labels[]:
# their names. Dashed: the range that was searched.

set logscale x
set format x decades
set xlabel axis('largest step dt', 's')
set yrange [rows + 0.6:0.4]
set autoscale x noextend
set offsets graph 0.05, graph 0.05, 0, 0
if (printed) { do for [k = 1:rows] { labels[k] = cut(labels[k], narrow ? 32 : 45) } }
set ytics ()
do for [k = 1:rows] { set ytics add (labels[k] k) }
set ytics scale 0 noenhanced
do for [k = 1:rows] { longest = strlen(labels[k]) > longest ? strlen(labels[k]) : longest }
set lmargin at screen (printed ? (0.3 + 0.145*longest)/page_wide : 0.29) # room for the names
if (printed) { set ytics font ''.pt(9) }
set rmargin at screen 0.97
set bmargin at screen (printed ? 1.2/page_high : 0.075)
unset title
set label title at screen 0.5, screen 0.98 center noenhanced
eval set_key_below
set key at screen 0.5, screen (printed ? 1 - 0.15/page_high : 0.962) center top font ''.pt(printed ? 9 : 11) maxrows key_rows(words(present))
set tmargin at screen (printed ? 1 - (0.1 + key_cm(words(present)))/page_high : \
    0.95 - 1.2*key_cm(words(present))/page_high)
unset grid
set grid xtics back linecolor rgb '#dddddd' linetype 1 linewidth 0.7
do for [k = 1:rows - 1] {
  set arrow from graph 0, first k + 0.5 to graph 1, first k + 0.5 nohead linecolor rgb '#dddddd'
}
table(name) = data . '/' . name . '.dat'
name(i) = word(present, i)
plot for [i = 1:words(present)] table(name(i)) using 4:($1 - 0.44):(0):(0.88) with vectors nohead \
       linestyle ls_limit notitle, \
     for [i = 1:words(present)] table(name(i)) using 5:($1 - 0.44):(0):(0.88) with vectors nohead \
       linestyle ls_limit notitle, \
     for [i = 1:words(present)] table(name(i)) using 2:($1 + $6):($3 - $2):(0) \
       with vectors nohead linestyle style(name(i)) dashtype 1 notitle, \
     for [i = 1:words(present)] table(name(i)) using 3:($1 + $6 - 0.35*$7):(0):(0.7*$7) \
       with vectors nohead linestyle style(name(i)) dashtype 1 notitle, \
     for [i = 1:words(present)] table(name(i)) using 2:($1 + $6) with points \
       linestyle style(name(i)) pointsize 0.8 title name(i)
