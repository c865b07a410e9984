# SPDX-License-Identifier: GPL-3.0-or-later
#
# Energies by the penalty method, the loss enlarged for several K, and the step RK4 needs; tables
# whole, impact-<K>, steps.
# size: 17 16

stiff = '1e4 1e5 1e6'
colour(k) = word('#56b4e9 #009e73 #e69f00', k + 1)
set multiplot title title noenhanced
unset title

set lmargin at screen 0.12
set rmargin at screen 0.97
set tmargin at screen 0.93
set bmargin at screen 0.58
set xrange [0:2]
set yrange [0:*]
set xlabel axis('t', 's')
set ylabel axis('energy', 'J')
set key inside right center
plot data.'/whole.dat' using 1:4 with lines linewidth 2.5 linecolor rgb '#000000' title 'total', \
     data.'/whole.dat' using 1:3 with lines linewidth 2 linecolor rgb '#0072b2' title 'potential', \
     data.'/whole.dat' using 1:2 with lines linewidth 2 linecolor rgb '#d55e00' title 'kinetic'

set lmargin at screen 0.12
set rmargin at screen 0.52
set tmargin at screen 0.45
set bmargin at screen 0.10
set xrange [0.51:0.56]
set xtics 0.02
set yrange [7:9]
set xlabel axis('t', 's')
set ylabel axis('total energy', 'J')
set key inside right top
plot for [k = 0:2] data.'/impact-'.k.'.dat' using 1:4 with lines linewidth 2 \
       linecolor rgb colour(k) title 'K = '.word(stiff, k + 1).' N/m'

set lmargin at screen 0.67
set rmargin at screen 0.97
set xtics autofreq
set logscale xy
set xrange [7e3:1.5e6]
set yrange [1e-6:2e-3]
set format x decades
set format y decades
set xlabel axis('K', 'N/m')
set ylabel axis('time', 's')
set key inside left bottom
plot data.'/steps.dat' using 1:4 with linespoints linewidth 2 pointtype 7 linecolor rgb '#000000' \
       title 'loss lasts', \
     data.'/steps.dat' using 1:3 with linespoints linestyle ls_penalty title 'stable step', \
     data.'/steps.dat' using 1:2 with linespoints linewidth 2 pointtype 6 linecolor rgb '#0072b2' \
       title 'step taken'
unset multiplot
