# SPDX-License-Identifier: GPL-3.0-or-later
# size: 17 15
# narrow: 8.5 12
#
# A point a problem: time of the best of others' solvers against that of ours. sets: names of tables,
# columns others, auto, ours; least, margin: the shortest time, and where the unsolved stand.

set logscale xy
set format xy decades
set xrange [least / 2 : margin * 2]
set yrange [least / 2 : margin * 2]
set xlabel axis("best of others' solvers, time of a solve", 's') offset 0, 0.3
set ylabel axis('ours, time of a solve', 's')
set key below Left reverse maxcols (narrow ? 1 : 2)
if (printed) {
  set key font ''.pt(9)
} else {
  set bmargin at screen 0.09 + 0.035 * (words(sets) + 1)
}
set arrow 1 from least / 2, least / 2 to margin / 2, margin / 2 nohead linestyle ls_reference
set arrow 2 from margin / 1.7, graph 0 to margin / 1.7, graph 1 nohead linestyle ls_limit
set arrow 3 from graph 0, first margin / 1.7 to graph 1, first margin / 1.7 nohead linestyle ls_limit
set label 1 'not solved by them' at margin, graph 0.02 left rotate offset 0.4, 0 textcolor rgb '#707070'
set label 2 'not solved by us' at graph 0.02, first margin textcolor rgb '#707070'
table(i) = data . '/' . word(sets, i) . '.dat'
plot for [i = 1:words(sets)] table(i) using 1:2 with points pointtype 2 * i linecolor rgb hue('red') linewidth 1.5 \
       title word(sets, i) . ', auto', \
     for [i = 1:words(sets)] table(i) using 1:3 with points pointtype 2 * i + 1 linecolor rgb hue('violet') linewidth 1.5 \
       title word(sets, i) . ', best of ours'
