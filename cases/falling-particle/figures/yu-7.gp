# SPDX-License-Identifier: GPL-3.0-or-later
#
# Height by the CCP with several steps, and the impact enlarged; tables exact, dt<step>. All curves
# are the CCP's, so they share its colour, lighter for longer steps.
# size: 17 15

colour(i) = word('#f5c8a6 #eda06a #d55e00 #953f00 #4a1f00', i)
steps = '0.1 0.05 0.01 0.001 0.0001'
names = '0.1 0.05 0.01 1e-3 1e-4'

set multiplot layout 2,1 title title noenhanced
unset title
set xlabel axis('t', 's')
set ylabel axis('y', 'm') offset 1
set lmargin 9
set rmargin 3
set xrange [0:0.8]
set yrange [-0.05:1.05]
set key inside right top
plot data.'/exact.dat' using 1:2 with lines linestyle ls_reference linewidth 5 title 'closed form', \
     for [i = 1:5] data.'/dt'.word(steps, i).'.dat' using 1:3 with linespoints linestyle ls_ccp \
       linecolor rgb colour(i) pointtype 7 pointsize (i < 3 ? 0.5 : 0) \
       title 'ccp, dt = '.word(names, i).' s'

set xrange [0.38:0.5]
set yrange [-0.01:0.12]
unset key
set xlabel axis('t, around the impact', 's')
plot data.'/exact.dat' using 1:2 with lines linestyle ls_reference linewidth 5 notitle, \
     for [i = 1:5] data.'/dt'.word(steps, i).'.dat' using 1:3 with linespoints linestyle ls_ccp \
       linecolor rgb colour(i) pointtype 7 pointsize (i < 4 ? 0.5 : 0) notitle
unset multiplot
