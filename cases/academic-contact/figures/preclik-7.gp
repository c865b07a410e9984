# SPDX-License-Identifier: GPL-3.0-or-later
#
# Energy in the plane of maximum compression; tables contour*, section, points (Coulomb 1 to 3, and the
# maximally dissipative one).
# size: 17 12
# narrow: 8.5 7

levels = '-0.7 -0.6 -0.5 -0.4 -0.3 -0.2 -0.1 0.1'
stack_foot = 2.3
stack_top = 0.2
eval frame(0.13, 0.97, 0.36, 0.90)
set size ratio -1
set xrange [-9:1]
set yrange [-3:1]
set key at screen 0.5, screen 0.11 center center vertical maxrows 3 width -2
if (narrow) { set key at screen 0.5, screen 0.1/page_high center bottom maxrows 5 font ''.pt(9) }
set xlabel axis('r_o', 'Ns')
set ylabel axis('r_t', 'Ns')
file(l) = data.'/contour'.l.'.dat'
points = data.'/points.dat'
set label 1 '1' at -0.065, -0.439 offset 1, -0.4
set label 2 '2' at -0.617, -0.887 offset 0.8, -0.6
set label 3 '3' at -5.679, -0.993 offset 0.8, -0.6
plot for [l in levels] file(l) using 2:1 with lines linecolor rgb '#c0c0c0' linewidth 1 notitle, \
     NaN with lines linecolor rgb '#c0c0c0' linewidth 1 title 'energy, every 0.1 J', \
     file('-zero') using 2:1 with lines linecolor rgb '#000000' linewidth 1 title 'energy zero', \
     data.'/section.dat' using 2:1 with lines linecolor rgb hue('violet') linewidth 2 \
       title 'rim of the constraint set', \
     points every ::0::2 using 2:1 with points pointtype 6 pointsize 1.4 linewidth 2 \
       linecolor rgb hue('red') title 'Coulomb''s law', \
     points every ::3::3 using 2:1 with points pointtype 2 pointsize 1.6 linewidth 2 \
       linecolor rgb hue('red') title 'most dissipative'
