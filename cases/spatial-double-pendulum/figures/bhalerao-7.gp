# SPDX-License-Identifier: GPL-3.0-or-later
#
# Drift of the centre of mass: tables velocities-<dt> (t, x, y), and a table each formulation (t,
# drift).
# size: 17 21

set multiplot title title noenhanced
unset title
forms = 'moreau lcp-st lcp-ap lcp-dca ccp ncp mdp penalty consistent-quaternion consistent-quaternion-twostep consistent-twostep'
set lmargin at screen 0.14
set rmargin at screen 0.97
set xrange [0:1]
set xlabel axis('t', 's')
visible(x) = x > 1e-17 ? x : 1e-17

set tmargin at screen 0.93
set bmargin at screen 0.61
set ylabel axis('drift from P_1 and angles', 'mm') enhanced
set key inside left bottom vertical Left reverse maxrows 4
set yrange [-2.6:1.5]
steps = '0.004 0.002 0.001 0.0005'
plot for [i = 1:4] data.'/velocities-'.word(steps, i).'.dat' using 1:(1e3*$2) with lines \
       linecolor rgb '#0072b2' linewidth 3 - 0.6*i title 'x, dt = '.word(steps, i).' s', \
     for [i = 1:4] data.'/velocities-'.word(steps, i).'.dat' using 1:(1e3*$3) with lines \
       linecolor rgb '#d55e00' linewidth 3 - 0.6*i title 'y, dt = '.word(steps, i).' s'

set tmargin at screen 0.525
set bmargin at screen 0.27
set ylabel axis('drift of the centre', 'm')
set logscale y
set format y decades
set yrange [1e-17:1e-13]
set key at screen 0.56, 0.01 center bottom maxrows 6 vertical Left reverse
plot for [name in forms] data.'/'.name.'.dat' using 1:(visible($2)) every 3 with linespoints \
       linestyle style(name) linewidth 1 title name
unset multiplot
