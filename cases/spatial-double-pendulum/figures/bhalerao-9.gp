# SPDX-License-Identifier: GPL-3.0-or-later
#
# P1 of the planar pendulum: a table each formulation, those on gap level also with their gaps
# corrected, and event (t, x, z, whether P1 sticks).
# size: 17 22

set multiplot title title noenhanced
unset title
forms = 'moreau lcp-st lcp-ap lcp-dca ccp ncp mdp penalty consistent-quaternion consistent-quaternion-twostep consistent-twostep'
set lmargin at screen 0.14
set rmargin at screen 0.97
set xrange [0:6]
set xlabel axis('t', 's')
lowest = 1e-16
visible(x) = abs(x) > lowest ? abs(x) : lowest

set tmargin at screen 0.94
set bmargin at screen 0.66
set ylabel axis('x of P_1', 'm') enhanced
set yrange [-0.8:1.2]
unset key
plot data.'/event.dat' using 1:($4 > 0 ? 1.2 : -0.8) with filledcurves y1=-0.8 \
       fillcolor rgb '#e4e4e4' fillstyle solid 1 notitle, \
     data.'/event.dat' using 1:2 with lines linestyle ls_reference linewidth 4 notitle, \
     for [name in forms] data.'/'.name.'.dat' using 1:2 with lines linestyle style(name) \
       linewidth 1 notitle

set tmargin at screen 0.58
set bmargin at screen 0.27
set ylabel axis('|z| of P_1', 'm') enhanced
set logscale y
set format y decades
set yrange [lowest:0.2]
set key at screen 0.56, 0.01 center bottom maxrows 7 vertical Left reverse
plot data.'/event.dat' using 1:($4 > 0 ? 0.2 : lowest) with filledcurves y1=lowest \
       fillcolor rgb '#e4e4e4' fillstyle solid 1 notitle, \
     data.'/event.dat' using 1:(visible($3)) with lines linestyle ls_reference linewidth 4 \
       title 'event', \
     for [name in forms] data.'/'.name.'.dat' using 1:(visible($3)) every 2 with lines \
       linestyle style(name) linewidth 1.5 title name, \
     data.'/ncp-corrected.dat' using 1:(visible($3)) every 2 with points linestyle style('ncp') \
       pointsize 0.4 title 'ncp, gaps corrected'
unset multiplot
