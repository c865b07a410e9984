# SPDX-License-Identifier: GPL-3.0-or-later
#
# The hyperbola in the plane of maximum compression, and the energy along it. Tables contour*, rim,
# minima, marks (poles; the free minimum). Stripes: no point of the rim there.
# size: 19 12
# narrow: 8.5 17

levels = '-25 -20 -15 -10 -5 5 10 20'
minima = data.'/minima.dat'
stats data.'/marks.dat' using 1 every ::0::0 nooutput
pole_a = STATS_min
stats data.'/marks.dat' using 2 every ::0::0 nooutput
pole_b = STATS_min
stats minima using 4 nooutput
least = STATS_min
is_least(E, x) = E == least ? x : NaN
is_other(E, x) = E == least ? NaN : x

set multiplot
unset title
stacked = 2
stack_foot = 2.4
stack_top = 0.2
eval frame(0.09, 0.47, 0.30, 0.90)
set size ratio -1
set xrange [-9:16]
set yrange [-12:13]
set xlabel axis('r_t', 'Ns')
set ylabel axis('r_o', 'Ns') offset 0.5
unset key
plot for [l in levels] data.'/contour'.l.'.dat' using 1:2 with lines linecolor rgb '#c0c0c0' \
       linewidth 1, \
     data.'/contour-zero.dat' using 1:2 with lines linecolor rgb '#000000' linewidth 1, \
     data.'/rim.dat' using 2:3 with lines linecolor rgb hue('violet') linewidth 2, \
     data.'/marks.dat' every ::1::1 using 1:2 with points pointtype 1 pointsize 1.6 linewidth 2 \
       linecolor rgb '#000000', \
     minima using 2:(is_least($4, $3)) with points pointtype 2 pointsize 1.6 linewidth 2 \
       linecolor rgb hue('red'), \
     minima using 2:(is_other($4, $3)) with points pointtype 6 pointsize 1.4 linewidth 2 \
       linecolor rgb hue('red')

eval frame(0.57, 0.98, 0.30, 0.90)
set size noratio
set xrange [pole_a - 0.5:pole_b + 0.5]
set yrange [-20:40]
set xlabel axis('α', 'rad')
set ylabel axis('energy', 'J') offset 1
set arrow from pole_a, graph 0 to pole_a, graph 1 nohead linecolor rgb '#000000' dashtype 3
set arrow from pole_b, graph 0 to pole_b, graph 1 nohead linecolor rgb '#000000' dashtype 3
set object 1 rectangle from graph 0, graph 0 to pole_a, graph 1 fillstyle pattern 4 noborder \
  fillcolor rgb '#c0c0c0' behind
set object 2 rectangle from pole_b, graph 0 to graph 1, graph 1 fillstyle pattern 4 noborder \
  fillcolor rgb '#c0c0c0' behind
plot 0 with lines linecolor rgb '#000000' linewidth 1, \
     data.'/rim.dat' using 1:4 with lines linecolor rgb hue('violet') linewidth 2, \
     minima using 1:(is_least($4, $4)) with points pointtype 2 pointsize 1.6 linewidth 2 \
       linecolor rgb hue('red'), \
     minima using 1:(is_other($4, $4)) with points pointtype 6 pointsize 1.4 linewidth 2 \
       linecolor rgb hue('red')
unset arrow
unset object

# The key alone, below both.
set lmargin at screen 0.02
set rmargin at screen 0.98
set tmargin at screen (narrow ? stack_foot/page_high : up(0.15))
set bmargin at screen 0.01
unset border
unset tics
unset grid
unset xlabel
unset ylabel
set xrange [0:1]
set yrange [0:1]
set key inside center center vertical maxrows 3 width -2
if (narrow) { set key maxrows 6 font ''.pt(9) width -4 }
plot NaN with lines linecolor rgb '#c0c0c0' title 'energy, levels', \
     NaN with lines linecolor rgb '#000000' title 'energy zero', \
     NaN with lines linecolor rgb hue('violet') linewidth 2 title 'rim of the constraint set', \
     NaN with points pointtype 2 pointsize 1.6 linewidth 2 linecolor rgb hue('red') \
       title 'least energy: the solution', \
     NaN with points pointtype 6 pointsize 1.4 linewidth 2 linecolor rgb hue('red') \
       title 'other minimum', \
     NaN with points pointtype 1 pointsize 1.6 linewidth 2 linecolor rgb '#000000' \
       title 'least without cone'
unset multiplot
