# SPDX-License-Identifier: GPL-3.0-or-later
#
# Height of the released ball, its error, and the largest error against K; tables ccp, rk4,
# penalty-<K>-<D>, stiffness.
# size: 17 18

stiff = '1e4 1e5 1e6 1e7'
colour(k) = word('#56b4e9 #882255 #e69f00 #cc79a7', k + 1)

set multiplot title title noenhanced
unset title
set lmargin at screen 0.15
set rmargin at screen 0.97
set xrange [0:2]

set tmargin at screen 0.94
set bmargin at screen 0.70
set format x ''
set ylabel axis('y', 'm')
set key inside right top
plot data.'/rk4.dat' using 1:2 with lines linestyle ls_penalty linewidth 4 \
       title 'penalty, K = 1e5 N/m, RK4, dt = 1e-5 s', \
     data.'/ccp.dat' using 1:2 with lines linestyle ls_ccp title 'ccp, dt = 1e-3 s'

set tmargin at screen 0.66
set bmargin at screen 0.42
set format x '%g'
set xlabel axis('t', 's')
set ylabel axis('|y - y_{exact}|', 'm')
set logscale y
set yrange [1e-8:1]
set format y decades
set ytics 100
set key inside left top horizontal maxcols 3
plot data.'/ccp.dat' using 1:(abs($3)) with lines linestyle ls_ccp title 'ccp', \
     for [k = 0:3] data.'/penalty-'.k.'-1.dat' using 1:(abs($3)) with lines linewidth 1.5 \
       linecolor rgb colour(k) title 'K = '.word(stiff, k + 1)

set tmargin at screen 0.30
set bmargin at screen 0.09
set logscale x
set xrange [7e3:1.5e7]
set yrange [1e-6:1e-1]
set ytics 10
set format x decades
set xlabel axis('K', 'N/m')
set ylabel axis('largest error in y', 'm')
set key inside right top vertical maxcols 1
plot 0.05 / sqrt(x) with lines linestyle ls_limit title 'K^{-1/2}' enhanced, \
     data.'/stiffness.dat' using 1:2 with linespoints linestyle ls_penalty pointtype 6 \
       title 'penalty, smaller D', \
     data.'/stiffness.dat' using 1:3 with linespoints linestyle ls_penalty title 'penalty, larger D'
unset multiplot
